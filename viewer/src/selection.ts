// Which part of the mechanism is selected, shared by the drawing, the plots and the model text.
import type { Page, Series } from './data';

export type PartKind = 'body' | 'joint' | 'relation' | 'drive' | 'load';
export interface PartRef { readonly kind: PartKind; readonly index: number }

export const kPartTitles: Record<PartKind, string> = { body: 'Bodies', joint: 'Joints', relation: 'Gears and couplings', drive: 'Drives', load: 'Loads' };

export const samePart = (a: PartRef | null, b: PartRef | null): boolean => a === b || (!!a && !!b && a.kind === b.kind && a.index === b.index);

export function partsOf(page: Page, kind: PartKind): readonly { readonly name: string; readonly line: number; readonly kind?: string }[] {
  return { body: page.bodies, joint: page.joints, relation: page.relations, drive: page.drives, load: page.loads }[kind];
}

export function partName(page: Page, part: PartRef): string {
  return partsOf(page, part.kind)[part.index].name;
}

export function partLine(page: Page, part: PartRef): number {
  return partsOf(page, part.kind)[part.index].line;
}

const kRelationWords: Record<string, string> = { gear: 'gears', rack: 'rack and pinion', expression: 'formula' };

/** The kind in words: "revolute joint", "spring", "body". */
export function partWords(page: Page, part: PartRef): string {
  const kind = (partsOf(page, part.kind)[part.index].kind ?? '').replace(/_/g, ' ');
  if (part.kind === 'relation') return kRelationWords[kind] ?? kind;
  return part.kind === 'body' ? 'body' : part.kind === 'load' ? kind : `${kind} ${part.kind}`;
}

/** What a hand over it reads. */
export function partTip(page: Page, part: PartRef): string {
  const text = part.kind === 'relation' ? page.relations[part.index].text : part.kind === 'joint' && page.joints[part.index].cut ? 'the loop is opened here' : '';
  return `${partName(page, part)} · ${partWords(page, part)}${text ? ` · ${text}` : ''}`;
}

/** The quantities of a part: those of its group, and those that the drawing of it uses. */
export function partSeries(page: Page, part: PartRef): Series[] {
  const name = partName(page, part);
  const used: (Series | null)[] = [];
  if (part.kind === 'body') used.push(...(page.bodies[part.index].pose ?? page.bodies[part.index].pose3 ?? []));
  if (part.kind === 'joint') used.push(...(page.joints[part.index].force ?? []), page.joints[part.index].moment, ...(page.joints[part.index].moment3 ?? []));
  if (part.kind === 'load') used.push(...(page.loads[part.index].force ?? []), page.loads[part.index].moment, ...(page.loads[part.index].moment3 ?? []));
  const all = new Set<Series>(page.series.filter((s) => s.group === name));
  for (const s of used) if (s) all.add(s);
  return [...all];
}

export class Selection {
  private part_: PartRef | null = null;
  private readonly listeners_: ((part: PartRef | null) => void)[] = [];

  get part(): PartRef | null { return this.part_; }

  set(part: PartRef | null): void {
    if (samePart(part, this.part_)) return;
    this.part_ = part;
    for (const listener of this.listeners_) listener(part);
  }

  listen(listener: (part: PartRef | null) => void): void {
    this.listeners_.push(listener);
  }
}
