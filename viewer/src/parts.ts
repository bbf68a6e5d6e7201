// Parts of the data that only some pages have: a comparison of methods, modes near one state, tables of text.
import type { Body, PlotSpec } from './data';
import type { Json } from './json';
import { asList, asNumber, asObject, asObjects, asText } from './json';

// ---- The contract ----------------------------------------------------------------------------------------------

/** Rows of cells; the first row holds the heads. */
export interface RawTable { title: string; note?: string; rows: string[][] }

export interface RawComparison {
  verdict: string[];
  within: number;
  reference: string | null;
  partings: { run: string; time: number; kind: string; name: string; series: string; relative: number }[];
  refused: string[];
  tables: RawTable[];
  /** Of the differences and the drift, by names of series. */
  plots: { title: string; series: string[]; log?: boolean }[];
}

export interface RawModes {
  /** Of the state, in seconds. */
  time: number;
  sentence: string;
  /** Motion of the body that moves farthest, in metres, that full amplitude stands for. */
  reach: number;
  list: {
    kind: string; re: number; im: number; frequency: number; damping: number; timeConstant: number | null; words: string;
    /** Who moves how: name, size relative to the largest, phase in degrees. */
    joints: [string, number, number][];
    /** By body: motion of x, y and angle, in space of x, y, z and turns about the ground's axes, for a shape of size one; real and imaginary part. */
    shape: Record<string, [number, number][]>;
  }[];
}

// ---- What the page works with ----------------------------------------------------------------------------------

export interface Table { readonly title: string; readonly note: string; readonly rows: readonly (readonly string[])[] }

export interface Parting { readonly run: string; readonly time: number; readonly kind: string; readonly name: string; readonly series: string; readonly relative: number }

export interface Comparison {
  readonly verdict: readonly string[];
  readonly within: number;
  readonly reference: string;
  readonly partings: readonly Parting[];
  readonly refused: readonly string[];
  readonly tables: readonly Table[];
  readonly plots: readonly PlotSpec[];
}

export interface Complex { readonly re: number; readonly im: number }

export interface Mode {
  readonly kind: string;
  readonly eigenvalue: Complex;
  readonly frequency: number;
  readonly damping: number;
  readonly timeConstant: number;
  readonly words: string;
  readonly joints: readonly { readonly name: string; readonly size: number; readonly phase: number }[];
  /** By body, three parts or in space six; null where the data does not say. */
  readonly shape: readonly (readonly Complex[] | null)[];
}

export interface ModesPart { readonly time: number; readonly sentence: string; readonly reach: number; readonly list: readonly Mode[] }

// ---- Decoding --------------------------------------------------------------------------------------------------

export function readTables(list: unknown): Table[] {
  return asObjects(list).map((item) => ({
    title: asText(item.title), note: asText(item.note),
    rows: asList(item.rows).map((row) => asList(row).map((cell) => asText(cell))).filter((row) => row.length > 0),
  }));
}

export function readComparison(raw: Json, plots: readonly PlotSpec[]): Comparison {
  return {
    verdict: asList(raw.verdict).map((text) => asText(text)).filter(Boolean), within: asNumber(raw.within), reference: asText(raw.reference),
    partings: asObjects(raw.partings).map((item) => ({
      run: asText(item.run), time: asNumber(item.time), kind: asText(item.kind), name: asText(item.name), series: asText(item.series), relative: asNumber(item.relative),
    })),
    refused: asList(raw.refused).map((text) => asText(text)).filter(Boolean), tables: readTables(raw.tables), plots,
  };
}

const asComplex = (v: unknown): Complex => ({ re: asNumber(asList(v)[0], 0), im: asNumber(asList(v)[1], 0) });

export function readModes(raw: Json, bodies: readonly Body[]): ModesPart {
  return {
    time: asNumber(raw.time, 0), sentence: asText(raw.sentence), reach: asNumber(raw.reach, 0),
    list: asObjects(raw.list).map((item) => {
      const shapes = asObject(item.shape);
      return {
        kind: asText(item.kind), eigenvalue: { re: asNumber(item.re), im: asNumber(item.im) }, frequency: asNumber(item.frequency),
        damping: asNumber(item.damping), timeConstant: asNumber(item.timeConstant, Infinity), words: asText(item.words),
        joints: asList(item.joints).map((row) => ({ name: asText(asList(row)[0]), size: asNumber(asList(row)[1], 0), phase: asNumber(asList(row)[2], 0) })),
        shape: bodies.map(({ name, pose3 }): Complex[] | null => {
          const parts = Object.hasOwn(shapes, name) ? asList(shapes[name]) : [];
          return parts.length === (pose3 ? 6 : 3) ? parts.map(asComplex) : null;
        }),
      };
    }),
  };
}
