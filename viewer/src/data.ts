// Reads the data block of the page: the contract as types (see DATA.md), and decoding that reports bad parts instead of failing.
import type { Explanation } from './learn/worked_data';
import { readExplanation } from './learn/worked_data';
import type { Mechanics, RawMechanics } from './learn/mechanics';
import { readMechanics } from './learn/mechanics';
import { asBytes, asList, asNumber, asObject, asObjects, asPairs, asPoint, asText, isObject, oneOf } from './json';
import type { Json } from './json';
import { readComparison, readModes, readSteady, readTables } from './parts';
import type { Comparison, ModesPart, RawComparison, RawModes, RawSteady, RawTable, SteadyPart, Table } from './parts';
import type { FlexibleLink, RawLink } from './links';
import { readLinks } from './links';
import type { SpaceShape } from './scene/space/shapes';
import { asTurn, asVec3, liftShape, readSpaceShape } from './scene/space/shapes';
import type { Quaternion, Vec3 } from './scene/space/vectors';
import { aboutZ } from './scene/space/vectors';

// ---- The contract, as written by the program -------------------------------------------------------------------

/** Base64 of little-endian float64; an array of numbers (null for "not a number") is accepted too. */
export type Column = string | (number | null)[];
export type Point = [number, number];

export interface RawFrame {
  /** Name of the body that carries the frame; null is the ground. */
  body: string | null;
  /** Origin of the frame in body axes; in space three numbers. */
  point: Point | Vec3;
  /** In the plane: direction of the frame's x axis in body axes, in radians. */
  angle?: number;
  /** In space: the frame's axes in body axes. */
  turn?: Quaternion;
}

export type Shape =
  | { kind: 'rod'; from: Point; to: Point }
  | { kind: 'disc'; centre: Point; radius: number }
  | { kind: 'box'; centre: Point; size: Point; angle?: number }
  | { kind: 'polygon'; points: Point[] }
  | { kind: 'point'; at: Point };

export type JointKind =
  | 'revolute' | 'prismatic' | 'pin_slot' | 'fixed' | 'distance' | 'curve'
  | 'cylindrical' | 'spherical' | 'universal' | 'planar' | 'point_line' | 'point_plane' | 'parallel_axes' | 'perpendicular'
  | 'floating' | 'screw' | 'constant_velocity' | 'rolling' | 'knife_edge';
export type DriveKind = 'angle' | 'slide' | 'distance' | 'coordinate';
export type LoadKind =
  | 'spring' | 'damper' | 'spring_damper' | 'force' | 'couple' | 'actuator' | 'joint_actuator' | 'bushing'
  | 'rotational_spring' | 'rotational_damper' | 'rotational_spring_damper';
export type Grade = 'good' | 'fair' | 'poor';

export interface RawPage {
  format: 'linkwork-page';
  version: 1;
  title: string;
  space: 'planar' | 'spatial';
  dof: number;
  dofOfPositions?: number;
  model: { file: string; text: string; description?: string };
  run: {
    formulation: string; stabilisation?: string; integrator: string;
    rtol?: number; atol?: number; until?: number; status: string; message?: string;
  };
  provenance: [string, string][];
  ledger: { id: string; label: string; value: number | null; text?: string; unit: string; grade: Grade; sentence: string }[];
  ledgerTable: [string, string][];
  warnings: string[];
  time: Column;
  /** How many samples the run has, if the page holds fewer. */
  samples?: number;
  /** Why reactions are not unique, as the beginning of a sentence. */
  redundant?: string;
  series: { name: string; unit: string; group: string; label: string; values: Column; unique?: boolean; partial?: boolean }[];
  bodies: { name: string; line?: number; pose: string[]; com?: Point | Vec3; shapes: (Shape | SpaceShape)[]; points?: Vec3[]; stand_in?: SpaceShape }[];
  joints: {
    name: string; kind: JointKind; line?: number; first: RawFrame; second: RawFrame; length?: number; pitch?: number;
    reaction?: { force?: string[]; moment?: string | string[]; unique?: boolean; unique_force?: string[]; unique_moment?: string[] }; cut?: boolean;
    /** Of a joint that rolls: where its bodies touch, and whether the first is a plane; else its radius, and whether it is a cylinder about its z axis. */
    contact?: string[]; plane?: boolean; first_radius?: number; cylinder?: boolean;
  }[];
  drives: { name: string; kind: DriveKind; line?: number; first?: RawFrame; second?: RawFrame }[];
  relations?: { name: string; kind: string; line?: number; text: string; terms: { joint?: string; body?: string; coordinate: string; coefficient: number | null }[] }[];
  loads: {
    name: string; kind: LoadKind; line?: number; first?: RawFrame; second?: RawFrame;
    free_length?: number; force?: string[]; moment?: string | string[];
  }[];
  bearings?: {
    name: string; kind: string; unique?: boolean; force: string[];
    first: { body: string | null; turn?: string[] }; second: { body: string | null; turn?: string[] };
  }[];
  traces: { body: string; point: Point | Vec3 }[];
  gravity: Point | Vec3;
  plots: { title: string; series: string[]; log?: boolean; x?: string }[];
  equations: null | { title: string; text?: string[]; command?: string; sections?: { title: string; mathml: string }[]; tables?: RawTable[] };
  links?: RawLink[];
  comparison?: RawComparison;
  modes?: RawModes;
  steady?: RawSteady;
  /** Id of the tab that is shown first. */
  start?: string;
  /** One pose and no motion: nothing to play. */
  still?: boolean;
  mechanics?: RawMechanics;
  explanation?: unknown;
}

// ---- What the rest of the page works with ----------------------------------------------------------------------

export interface Equations {
  readonly title: string;
  /** Sentences above them: which form, what for. */
  readonly text: readonly string[];
  /** What prints them; there is nothing else where they are too long for a page. */
  readonly command: string;
  readonly sections: readonly { readonly title: string; readonly mathml: string }[];
  readonly tables: readonly Table[];
}

export interface Series {
  readonly name: string;
  readonly unit: string;
  readonly group: string;
  readonly label: string;
  readonly values: Float64Array;
  /** How many of the values are not finite. */
  readonly gaps: number;
  /** False for a reaction that is one of many that fit. */
  readonly unique: boolean;
}

export interface Frame {
  /** Index into bodies; -1 is the ground. */
  readonly body: number;
  readonly point: Point;
  readonly angle: number;
  /** The same in space. */
  readonly point3: Vec3;
  readonly turn: Quaternion;
}

interface Part { readonly name: string; readonly line: number }
export interface Body extends Part {
  readonly pose: readonly [Series, Series, Series] | null; readonly com: Point | null; readonly shapes: readonly Shape[];
  /** In space: position and quaternion, seven series; shapes, and what stands in for a body without any. */
  readonly pose3: readonly Series[] | null; readonly com3: Vec3 | null; readonly points3: readonly Vec3[];
  readonly shapes3: readonly SpaceShape[]; readonly standIn: SpaceShape | null;
}
export interface Joint extends Part {
  readonly kind: string; readonly first: Frame; readonly second: Frame; readonly length: number; readonly cut: boolean; readonly pitch: number;
  /** Two or three components; a moment in the plane is one number, in space three. */
  readonly force: readonly Series[] | null; readonly moment: Series | null; readonly moment3: readonly Series[] | null; readonly unique: boolean | null;
  /** Of a force or moment that is not unique: the part that is. */
  readonly uniqueForce: readonly Series[] | null; readonly uniqueMoment: readonly Series[] | null;
  /** Where bodies touch that roll, in ground axes; whether the first of them is a plane. */
  readonly contact: readonly Series[] | null; readonly plane: boolean;
  /** The radius of the first, where it is round (0: it is not); a cylinder about its z axis, or a ball. */
  readonly firstRadius: number; readonly cylinder: boolean;
}
export interface Drive extends Part { readonly kind: string; readonly first: Frame | null; readonly second: Frame | null }
/** A coordinate that a relation holds: of a joint or of a body, by index; -1 for the other. Formulas have no coefficients (NaN). */
export interface RelationTerm { readonly joint: number; readonly body: number; readonly coordinate: string; readonly coefficient: number }
/** A gear, rack, coupling or formula between coordinates. */
export interface Relation extends Part { readonly kind: string; readonly text: string; readonly terms: readonly RelationTerm[] }
export interface Load extends Part {
  readonly kind: string; readonly first: Frame | null; readonly second: Frame | null;
  readonly force: readonly Series[] | null; readonly moment: Series | null; readonly moment3: readonly Series[] | null;
}
/** One end of a joint: its body (null: the ground) and the angle or quaternion of it. */
export interface BearingEnd { readonly name: string | null; readonly turn: readonly Series[] | null }
/** A joint as something that carries a force: on the second body, ground axes, two or three components. */
export interface Bearing {
  readonly name: string; readonly kind: string; readonly unique: boolean; readonly force: readonly Series[];
  readonly first: BearingEnd; readonly second: BearingEnd;
}
export interface Lamp { readonly label: string; readonly value: string; readonly number: number; readonly unit: string; readonly grade: Grade; readonly sentence: string }
export interface PlotSpec { readonly title: string; readonly series: readonly Series[]; readonly log: boolean; /** A phase plot: the quantity along the axis, instead of time. */ readonly x?: Series | null }

export interface Page {
  readonly title: string;
  readonly space: string;
  readonly dof: number;
  /** As many, or more where constraints hold velocities alone. */
  readonly dofOfPositions: number;
  readonly model: { readonly file: string; readonly text: string; readonly description: string };
  readonly run: {
    readonly formulation: string; readonly stabilisation: string; readonly integrator: string;
    readonly rtol: number; readonly atol: number; readonly until: number; /** `complete`, or in a word why there is no more of it. */ readonly status: string; readonly message: string;
  };
  readonly provenance: readonly (readonly [string, string])[];
  readonly ledger: readonly Lamp[];
  readonly ledgerTable: readonly (readonly [string, string])[];
  readonly warnings: readonly string[];
  readonly time: Float64Array;
  readonly series: readonly Series[];
  readonly bodies: readonly Body[];
  readonly joints: readonly Joint[];
  readonly drives: readonly Drive[];
  readonly relations: readonly Relation[];
  readonly loads: readonly Load[];
  readonly bearings: readonly Bearing[];
  readonly traces: readonly { readonly body: number; readonly point: Point; readonly point3: Vec3 }[];
  readonly gravity: Point;
  readonly gravity3: Vec3;
  /** How many samples the run had, if the page holds fewer; else 0. */
  readonly thinnedFrom: number;
  readonly redundant: string;
  readonly plots: readonly PlotSpec[];
  readonly links: readonly FlexibleLink[];
  readonly equations: Equations | null;
  readonly comparison: Comparison | null;
  readonly modes: ModesPart | null;
  readonly steady: SteadyPart | null;
  readonly start: string;
  readonly still: boolean;
  readonly mechanics: Mechanics | null;
  readonly explanation: Explanation | null;
  /** What was wrong with the data, in sentences; the page shows them. */
  readonly problems: readonly string[];
}

export type Loaded = { ok: true; page: Page } | { ok: false; message: string };

// ---- Decoding --------------------------------------------------------------------------------------------------

/** Null for text that is damaged. */
export function decodeColumn(column: unknown): Float64Array | null {
  if (Array.isArray(column)) return Float64Array.from(column, (v) => (typeof v === 'number' ? v : NaN));
  if (typeof column !== 'string') return new Float64Array(0);
  const bytes = asBytes(column, 8);
  return bytes && new Float64Array(bytes);
}

/** The longest start of the column in which time is finite and never runs backwards. */
function usableTime(time: Float64Array, problems: string[]): Float64Array {
  let n = 0;
  while (n < time.length && Number.isFinite(time[n]) && (n === 0 || time[n] >= time[n - 1])) n++;
  if (n < time.length) problems.push(`Time stops being increasing at sample ${n + 1} of ${time.length}; the samples from there on are not shown.`);
  return time.subarray(0, n);
}

function fitLength(values: Float64Array, length: number): Float64Array {
  if (values.length === length) return values;
  const fitted = new Float64Array(length).fill(NaN);
  fitted.set(values.subarray(0, length));
  return fitted;
}

function readShape(raw: Json): Shape | null {
  switch (raw.kind) {
    case 'rod': {
      const from = asPoint(raw.from), to = asPoint(raw.to);
      return from && to && { kind: 'rod', from, to };
    }
    case 'disc': {
      const centre = asPoint(raw.centre), radius = asNumber(raw.radius);
      return centre && radius > 0 ? { kind: 'disc', centre, radius } : null;
    }
    case 'box': {
      const centre = asPoint(raw.centre), size = asPoint(raw.size);
      return centre && size && { kind: 'box', centre, size, angle: asNumber(raw.angle, 0) };
    }
    case 'polygon': {
      const points = asList(raw.points).map(asPoint).filter((p): p is Point => p !== null);
      return points.length >= 2 ? { kind: 'polygon', points } : null;
    }
    case 'point': {
      const at = asPoint(raw.at);
      return at && { kind: 'point', at };
    }
    default: return null;
  }
}

/** Parses the text of the data block. Only text that is no report at all is refused. */
export function readPage(text: string): Loaded {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return { ok: false, message: text.trim().startsWith('/*') ? 'This page holds no run yet: Linkwork puts the data in when it writes a report.' : 'The data in this page cannot be read.' };
  }
  if (!isObject(raw) || raw.format !== 'linkwork-page') return { ok: false, message: 'The data in this page is not a Linkwork report.' };
  return { ok: true, page: decodePage(raw) };
}

function decodePage(raw: Json): Page {
  const problems: string[] = [];
  if (raw.version !== 1) problems.push(`The data has format version ${asText(raw.version, '?')}, this page reads version 1; parts may be missing.`);

  /** A damaged column is told and left empty. */
  const readColumn = (column: unknown, name: string): Float64Array | null => {
    const values = decodeColumn(column);
    if (!values) problems.push(`The values of ${name} are damaged and left out.`);
    return values;
  };
  const time = usableTime(readColumn(raw.time, 'time') ?? new Float64Array(0), problems);
  const series: Series[] = [];
  const seriesByName = new Map<string, Series>();
  let gapSeries = 0;
  for (const item of asObjects(raw.series)) {
    const name = asText(item.name);
    const decoded = readColumn(item.values, `"${name}"`);
    // A run that stopped before the others has fewer values than there are samples.
    const partial = item.partial === true;
    if (decoded && decoded.length < time.length && !partial) problems.push(`"${name}" has ${decoded.length} values for ${time.length} samples.`);
    const values = fitLength(decoded ?? new Float64Array(0), time.length);
    let gaps = 0;
    for (const v of values) if (!Number.isFinite(v)) gaps++;
    if (gaps > 0 && !partial && decoded) gapSeries++;
    const dot = name.indexOf('.');
    const group = asText(item.group, dot > 0 ? name.slice(0, dot) : '');
    const entry: Series = { name, unit: asText(item.unit), group, label: asText(item.label, name) + (item.unique === false ? ' (not unique)' : ''), values, gaps, unique: item.unique !== false };
    series.push(entry);
    seriesByName.set(name, entry);
  }
  if (gapSeries > 0) problems.push(`${gapSeries} of ${series.length} quantities hold values that are not numbers; they are shown as gaps.`);

  const find = (name: unknown, user: string): Series | null => {
    if (typeof name !== 'string') return null;
    const found = seriesByName.get(name) ?? null;
    if (!found) problems.push(`${user} refers to the quantity "${name}", which is not in the data.`);
    return found;
  };
  /** Two or three components, if all are there. */
  const findAll = (names: unknown, user: string): Series[] | null => {
    const found = asList(names).map((n) => find(n, user));
    return found.length >= 2 && found.every((s): s is Series => s !== null) ? found : null;
  };
  const planar = raw.space !== 'spatial';

  const bodies: Body[] = asObjects(raw.bodies).map((item) => {
    const name = asText(item.name);
    const pose = asList(item.pose).map((n) => find(n, `Body "${name}"`)).filter((s): s is Series => s !== null);
    const shapes = planar ? asObjects(item.shapes).map(readShape).filter((s): s is Shape => s !== null) : [];
    return {
      name, line: asNumber(item.line, 0), com: asPoint(item.com), shapes,
      pose: planar && pose.length === 3 ? (pose as unknown as [Series, Series, Series]) : null,
      pose3: pose.length === 7 ? pose : null, com3: asVec3(item.com),
      points3: asList(item.points).map(asVec3).filter((p): p is Vec3 => p !== null),
      shapes3: planar ? shapes.map(liftShape) : asObjects(item.shapes).map(readSpaceShape).filter((s): s is SpaceShape => s !== null),
      standIn: isObject(item.stand_in) ? readSpaceShape(item.stand_in) : null,
    };
  });
  const bodyIndex = new Map(bodies.map((b, i) => [b.name, i]));
  const readFrame = (v: unknown, user: string): Frame | null => {
    if (!isObject(v)) return null;
    const body = typeof v.body === 'string' ? bodyIndex.get(v.body) : -1;
    if (body === undefined) {
      problems.push(`${user} refers to the body "${asText(v.body)}", which is not in the data.`);
      return null;
    }
    const angle = asNumber(v.angle, 0);
    return { body, point: asPoint(v.point) ?? [0, 0], angle, point3: asVec3(v.point) ?? [0, 0, 0], turn: asTurn(v.turn) ?? aboutZ(angle) };
  };

  const joints: Joint[] = asObjects(raw.joints).flatMap((item) => {
    const name = asText(item.name), user = `Joint "${name}"`;
    const first = readFrame(item.first, user), second = readFrame(item.second, user);
    if (!first || !second) return [];
    const reaction = asObject(item.reaction);
    return [{
      name, kind: asText(item.kind), line: asNumber(item.line, 0), first, second,
      length: asNumber(item.length), cut: item.cut === true, pitch: asNumber(item.pitch, 0),
      force: findAll(reaction.force, user), moment: find(reaction.moment, user), moment3: findAll(reaction.moment, user),
      unique: typeof reaction.unique === 'boolean' ? reaction.unique : null,
      uniqueForce: findAll(reaction.unique_force, user), uniqueMoment: findAll(reaction.unique_moment, user),
      contact: findAll(item.contact, user), plane: item.plane === true,
      firstRadius: asNumber(item.first_radius, 0), cylinder: item.cylinder === true,
    }];
  });
  const drives: Drive[] = asObjects(raw.drives).map((item) => {
    const name = asText(item.name), user = `Drive "${name}"`;
    return { name, kind: asText(item.kind), line: asNumber(item.line, 0), first: readFrame(item.first, user), second: readFrame(item.second, user) };
  });
  const loads: Load[] = asObjects(raw.loads).map((item) => {
    const name = asText(item.name), user = `Load "${name}"`;
    return {
      name, kind: asText(item.kind), line: asNumber(item.line, 0), first: readFrame(item.first, user), second: readFrame(item.second, user),
      force: findAll(item.force, user), moment: find(item.moment, user), moment3: findAll(item.moment, user),
    };
  });
  const jointIndex = new Map(joints.map((j, i) => [j.name, i]));
  const relations: Relation[] = asObjects(raw.relations).map((item) => ({
    name: asText(item.name), kind: asText(item.kind), line: asNumber(item.line, 0), text: asText(item.text),
    terms: asObjects(item.terms).map((t) => ({ joint: jointIndex.get(asText(t.joint)) ?? -1, body: bodyIndex.get(asText(t.body)) ?? -1, coordinate: asText(t.coordinate), coefficient: asNumber(t.coefficient) })),
  }));
  const bearings: Bearing[] = asObjects(raw.bearings).flatMap((item): Bearing[] => {
    const name = asText(item.name), user = `Bearing "${name}"`;
    const all = (names: unknown): Series[] => asList(names).map((n) => find(n, user)).filter((s): s is Series => s !== null);
    const end = (v: unknown): BearingEnd => {
      const raw = asObject(v), turn = all(raw.turn);
      return { name: typeof raw.body === 'string' ? raw.body : null, turn: turn.length === 1 || turn.length === 4 ? turn : null };
    };
    const force = all(item.force);
    if (force.length < 2) return [];
    return [{ name, kind: asText(item.kind), unique: item.unique !== false, force, first: end(item.first), second: end(item.second) }];
  });
  const traces = asObjects(raw.traces).flatMap((item) => {
    const body = bodyIndex.get(asText(item.body)), point = asPoint(item.point);
    return body === undefined || !point ? [] : [{ body, point, point3: asVec3(item.point) ?? [0, 0, 0] }];
  });
  const readPlots = (list: unknown): PlotSpec[] => asObjects(list).flatMap((item): PlotSpec[] => {
    const title = asText(item.title, 'Plot');
    const found = asList(item.series).map((n) => find(n, `Plot "${title}"`)).filter((s): s is Series => s !== null);
    return found.length ? [{ title, series: found, log: item.log === true, x: find(item.x, `Plot "${title}"`) }] : [];
  });
  const plots = readPlots(raw.plots);

  const model = asObject(raw.model), run = asObject(raw.run), equations = asObject(raw.equations);
  return {
    title: asText(raw.title, 'Untitled'), space: asText(raw.space, 'planar'), dof: asNumber(raw.dof), dofOfPositions: asNumber(raw.dofOfPositions ?? raw.dof),
    model: { file: asText(model.file), text: asText(model.text), description: asText(model.description) },
    run: {
      formulation: asText(run.formulation), stabilisation: asText(run.stabilisation), integrator: asText(run.integrator),
      rtol: asNumber(run.rtol), atol: asNumber(run.atol), until: asNumber(run.until),
      status: asText(run.status, 'complete'), message: asText(run.message),
    },
    provenance: asPairs(raw.provenance), ledgerTable: asPairs(raw.ledgerTable),
    ledger: asObjects(raw.ledger).map((item) => ({
      label: asText(item.label, asText(item.id)), value: asText(item.text), number: asNumber(item.value), unit: asText(item.unit),
      grade: oneOf(item.grade, ['good', 'fair', 'poor'], 'poor'), sentence: asText(item.sentence),
    })),
    warnings: asList(raw.warnings).map((w) => asText(w)).filter(Boolean),
    time, series, bodies, joints, drives, relations, loads, bearings, traces, plots,
    gravity: asPoint(raw.gravity) ?? [0, 0], gravity3: asVec3(raw.gravity) ?? [0, 0, 0],
    thinnedFrom: asNumber(raw.samples, 0) > time.length ? asNumber(raw.samples, 0) : 0, redundant: asText(raw.redundant),
    equations: raw.equations ? {
      title: asText(equations.title, 'Equations of motion'), text: asList(equations.text).map((t) => asText(t)), command: asText(equations.command),
      sections: asObjects(equations.sections).map((s) => ({ title: asText(s.title), mathml: asText(s.mathml) })),
      tables: readTables(equations.tables),
    } : null,
    links: readLinks(raw.links, bodies, find),
    comparison: isObject(raw.comparison) ? readComparison(raw.comparison, readPlots(raw.comparison.plots)) : null,
    modes: isObject(raw.modes) ? readModes(raw.modes, bodies) : null,
    steady: isObject(raw.steady) ? readSteady(raw.steady, bodies, readColumn) : null,
    start: asText(raw.start), still: raw.still === true,
    mechanics: readMechanics(raw.mechanics, find, readColumn, time.length),
    explanation: readExplanation(raw.explanation),
    problems: [...new Set(problems)],
  };
}

// ---- Values between samples ------------------------------------------------------------------------------------

/** A place on the time axis: between samples `index` and `index + 1`, `weight` of the way; weight 0 is exactly the sample. */
export interface Place { readonly index: number; readonly weight: number }

/** Of two samples at one time, left and right of a jump, the right one. */
export function locate(time: Float64Array, t: number): Place {
  const last = time.length - 1;
  if (last < 0) return { index: -1, weight: 0 };
  if (!(t > time[0])) return { index: 0, weight: 0 };
  if (t >= time[last]) return { index: last, weight: 0 };
  let low = 0, high = last;  // time[low] <= t < time[high]
  while (high - low > 1) {
    const mid = (low + high) >> 1;
    if (time[mid] <= t) low = mid;
    else high = mid;
  }
  const weight = (t - time[low]) / (time[high] - time[low]);
  // A slider returns decimals: what is within a billionth of a sample is meant to be the sample.
  if (weight < 1e-9) return { index: low, weight: 0 };
  if (weight > 1 - 1e-9) return { index: high < last && time[high + 1] === time[high] ? high + 1 : high, weight: 0 };
  return { index: low, weight };
}

export function valueAt(values: Float64Array, place: Place): number {
  if (place.index < 0) return NaN;
  const a = values[place.index];
  return place.weight === 0 ? a : a + (values[place.index + 1] - a) * place.weight;
}

const componentAt = (series: Series | null | undefined, place: Place): number => (series ? valueAt(series.values, place) : 0);

/** A vector along x, y and z; 0 where the plane has no component. */
export function vectorAt(parts: readonly (Series | null)[], place: Place): Vec3 {
  return [componentAt(parts[0], place), componentAt(parts[1], place), componentAt(parts[2], place)];
}
