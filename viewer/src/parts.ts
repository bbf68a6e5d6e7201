// Parts of the data that only some pages have: a comparison of methods, modes near one state, tables of text.
import type { Body, PlotSpec } from './data';
import type { Json } from './json';
import { asList, asNumber, asObject, asObjects, asPairs, asText, isObject } from './json';
import type { Vec3 } from './scene/space/vectors';

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

/** Steady motions, alone or over a parameter, with their modes; `at`, `re`, `im` and `values` are columns. */
export interface RawSteady {
  parameter?: string;
  unit?: string;
  sentences: string[];
  reach: number;
  /** Of the parameter, rising, for the branches of eigenvalues and other curves. */
  at?: unknown;
  branches?: { re: unknown; im: unknown }[];
  curves?: { name: string; unit: string; values: unknown }[];
  limits?: { at: number; branch: number; words: string }[];
  ranges?: { from: number; to: number; is: string; words: string }[];
  /** Of a second parameter: a word of `ranges` for each pair of values, row by row of the second; null: no steady motion. */
  map?: { second: string; unit: string; at: unknown; across: unknown; is: (string | null)[]; re: unknown };
  stops: {
    at: number;
    rows: [string, string][];
    /** By body: x, y, angle or x, y, z and a quaternion; then velocity, angular velocity and the rate at which both turn, three numbers each, ground axes. */
    bodies: Record<string, number[]>;
    /** As those of RawModes, with the branch they lie on. */
    modes: (RawModes['list'][number] & { branch?: number })[];
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

export interface Branch { readonly re: Float64Array; readonly im: Float64Array }
export interface Curve { readonly name: string; readonly unit: string; readonly values: Float64Array }
export interface Range { readonly from: number; readonly to: number; readonly is: string; readonly words: string }

/** Where a body is in a steady motion, and how it goes on: its velocities turn at `turn`. */
export interface GoingBody { readonly pose: readonly number[]; readonly v: Vec3; readonly w: Vec3; readonly turn: Vec3 }

export interface Stop {
  readonly at: number;
  readonly rows: readonly (readonly [string, string])[];
  readonly bodies: readonly (GoingBody | null)[];
  readonly modes: readonly (Mode & { readonly branch: number })[];
}

export interface SteadyPart {
  readonly parameter: string;
  readonly unit: string;
  readonly sentences: readonly string[];
  readonly reach: number;
  readonly at: Float64Array;
  readonly branches: readonly Branch[];
  readonly curves: readonly Curve[];
  readonly limits: readonly { readonly at: number; readonly branch: number; readonly words: string }[];
  readonly ranges: readonly Range[];
  readonly map: { readonly second: string; readonly unit: string; readonly at: Float64Array; readonly across: Float64Array; readonly is: readonly string[]; readonly re: Float64Array } | null;
  readonly stops: readonly Stop[];
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

function readMode(item: Json, bodies: readonly Body[]): Mode {
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
}

export function readModes(raw: Json, bodies: readonly Body[]): ModesPart {
  return { time: asNumber(raw.time, 0), sentence: asText(raw.sentence), reach: asNumber(raw.reach, 0), list: asObjects(raw.list).map((item) => readMode(item, bodies)) };
}

function readGoing(raw: unknown, numbers: number): GoingBody | null {
  const all = asList(raw).map((v) => asNumber(v));
  if (all.length !== numbers + 9 || !all.every(Number.isFinite)) return null;
  const three = (k: number): Vec3 => [all[numbers + k], all[numbers + k + 1], all[numbers + k + 2]];
  return { pose: all.slice(0, numbers), v: three(0), w: three(3), turn: three(6) };
}

export function readSteady(raw: Json, bodies: readonly Body[], readColumn: (column: unknown, name: string) => Float64Array | null): SteadyPart {
  const column = (v: unknown, name: string, length = Infinity): Float64Array => (readColumn(v, name) ?? new Float64Array(0)).subarray(0, length);
  const at = column(raw.at, 'the parameter'), map = asObject(raw.map);
  const same = (values: Float64Array): boolean => values.length === at.length;
  return {
    parameter: asText(raw.parameter), unit: asText(raw.unit), sentences: asList(raw.sentences).map((t) => asText(t)).filter(Boolean), reach: asNumber(raw.reach, 0), at,
    branches: asObjects(raw.branches).map((b, k) => ({ re: column(b.re, `branch ${k + 1}`), im: column(b.im, `branch ${k + 1}`) })).filter((b) => same(b.re) && same(b.im)),
    curves: asObjects(raw.curves).map((c) => ({ name: asText(c.name), unit: asText(c.unit), values: column(c.values, `"${asText(c.name)}"`) })).filter((c) => same(c.values)),
    limits: asObjects(raw.limits).map((l) => ({ at: asNumber(l.at), branch: asNumber(l.branch, -1), words: asText(l.words) })).filter((l) => Number.isFinite(l.at)),
    ranges: asObjects(raw.ranges).map((r) => ({ from: asNumber(r.from), to: asNumber(r.to), is: asText(r.is), words: asText(r.words) })).filter((r) => r.to > r.from),
    map: isObject(raw.map) ? { second: asText(map.second), unit: asText(map.unit), at: column(map.at, 'the map'), across: column(map.across, 'the map'), is: asList(map.is).map((w) => asText(w)), re: column(map.re, 'the map') } : null,
    stops: asObjects(raw.stops).map((item) => {
      const going = asObject(item.bodies);
      return {
        at: asNumber(item.at, 0), rows: asPairs(item.rows),
        bodies: bodies.map(({ name, pose3 }) => (Object.hasOwn(going, name) ? readGoing(going[name], pose3 ? 7 : 3) : null)),
        modes: asObjects(item.modes).map((m) => ({ ...readMode(m, bodies), branch: asNumber(m.branch, -1) })),
      };
    }),
  };
}
