// The worked solution as the data has it: what `linkwork explain` writes for the start of the motion, in sections.
import { asList, asObjects, asText, isObject } from '../json';

export interface WorkedTable { readonly rows: readonly string[]; readonly columns: readonly string[]; readonly entries: readonly string[] }
export interface WorkedSection {
  readonly title: string;
  readonly words: string;
  readonly formula: string;
  /** Name, formula (may be empty), meaning. */
  readonly names: readonly (readonly [string, string, string])[];
  readonly table: WorkedTable | null;
}
export interface Explanation {
  readonly title: string;
  readonly words: string;
  /** What prints it; there is nothing else where it is too long for a page. */
  readonly command: string;
  readonly sections: readonly WorkedSection[];
}

const texts = (v: unknown): string[] => asList(v).map((t) => asText(t));

export function readExplanation(raw: unknown): Explanation | null {
  if (!isObject(raw)) return null;
  return {
    title: asText(raw.title, 'Worked solution'), words: asText(raw.words), command: asText(raw.command),
    sections: asObjects(raw.sections).map((item) => {
      const table = isObject(item.table) ? { rows: texts(item.table.rows), columns: texts(item.table.columns), entries: texts(item.table.entries) } : null;
      const complete = table && table.entries.length === table.rows.length * Math.max(1, table.columns.length);
      return {
        title: asText(item.title), words: asText(item.words), formula: asText(item.formula),
        names: asList(item.names).map((row): [string, string, string] => [asText(asList(row)[0]), asText(asList(row)[1]), asText(asList(row)[2])]),
        table: complete ? table : null,
      };
    }),
  };
}
