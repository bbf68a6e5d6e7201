// What moves the bodies: masses, motions and all that acts on each, read from the data and evaluated at a time.
//
//   m a_G = m g + sum F,   J w' + w x J w = sum [ M + (P - G) x F ]     G the mass centre, P where F acts, ground axes
import type { Place, Series } from '../data';
import { valueAt } from '../data';
import { asList, asNumber, asObject, asObjects, asText, isObject } from '../json';
import { allUnique } from '../reactions';

export interface RawMechanics {
  gravity: number[];
  bodies: {
    name: string; mass: number; inertia: number | number[]; com: number[];
    position: string[]; turn: string[]; velocity: string[]; spin: string[]; acceleration: string[]; spin_rate: string[];
  }[];
  actions: {
    of: 'joint' | 'drive' | 'load'; name: string; kind: string; body: string; from: string | null; point: number[]; force_sign: number; moment_sign: number;
    force?: string[]; moment?: string[]; force_values?: string[]; moment_values?: string[]; unique?: boolean;
  }[];
}

export type Vec = readonly [number, number, number];
export const kZero: Vec = [0, 0, 0];
export const add = (a: Vec, b: Vec): Vec => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scaled = (a: Vec, k: number): Vec => [a[0] * k, a[1] * k, a[2] * k];
export const cross = (a: Vec, b: Vec): Vec => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const size = (a: Vec): number => Math.hypot(a[0], a[1], a[2]);

/** A body as mechanics sees it. In the plane there is one number of inertia, and turns are about z. */
export interface RigidBody {
  readonly name: string;
  readonly mass: number;
  readonly inertia: readonly number[];
  readonly com: Vec;
  readonly position: readonly Series[];
  readonly turn: readonly Series[];
  readonly velocity: readonly Series[];
  readonly spin: readonly Series[];
  /** Empty where the run recorded none. */
  readonly acceleration: readonly Series[];
  readonly spinRate: readonly Series[];
}

/** A component over the run. */
interface Column { readonly values: Float64Array; readonly unique: boolean }

export interface Action {
  readonly of: 'joint' | 'drive' | 'load';
  readonly name: string;
  readonly kind: string;
  readonly body: number;
  readonly from: string | null;
  readonly point: Vec;
  readonly forceSign: number;
  readonly momentSign: number;
  readonly force: readonly Column[];
  readonly moment: readonly Column[];
  readonly unique: boolean;
}

export interface Mechanics {
  readonly planar: boolean;
  readonly gravity: Vec;
  readonly bodies: readonly RigidBody[];
  readonly actions: readonly Action[];
}

// ---- Decoding --------------------------------------------------------------------------------------------------

const asVec = (v: unknown): Vec => {
  const list = asList(v).map((n) => asNumber(n, 0));
  return [list[0] ?? 0, list[1] ?? 0, list[2] ?? 0];
};

type Find = (name: unknown, user: string) => Series | null;
type ReadColumn = (column: unknown, name: string) => Float64Array | null;

export function readMechanics(raw: unknown, find: Find, readColumn: ReadColumn, samples: number): Mechanics | null {
  if (!isObject(raw)) return null;
  const planar = asList(raw.gravity).length < 3;
  const series = (names: unknown, user: string): Series[] => asList(names).map((n) => find(n, user)).filter((s): s is Series => s !== null);
  const bodies = asObjects(raw.bodies).map((item): RigidBody => {
    const name = asText(item.name), user = `Body "${name}"`;
    const list = (key: string): Series[] => series(item[key], user);
    return {
      name, mass: asNumber(item.mass), inertia: (Array.isArray(item.inertia) ? item.inertia : [item.inertia]).map((n) => asNumber(n)), com: asVec(item.com),
      position: list('position'), turn: list('turn'), velocity: list('velocity'), spin: list('spin'), acceleration: list('acceleration'), spinRate: list('spin_rate'),
    };
  });
  const indexOf = new Map(bodies.map((b, i) => [b.name, i]));
  const actions = asObjects(raw.actions).flatMap((item): Action[] => {
    const body = indexOf.get(asText(item.body)), name = asText(item.name);
    if (body === undefined) return [];
    const columns = (key: string): Column[] => {
      const named: Column[] = series(item[key], `"${name}"`).map((s) => ({ values: s.values, unique: s.unique }));
      return named.length ? named : asList(item[`${key}_values`]).map((c) => readColumn(c, `"${name}"`)).filter((c): c is Float64Array => c !== null && c.length >= samples).map((values) => ({ values, unique: item.unique !== false }));
    };
    const of = item.of === 'drive' || item.of === 'load' ? item.of : 'joint';
    return [{ of, name, kind: asText(item.kind), body, from: typeof item.from === 'string' ? item.from : null, point: asVec(item.point), forceSign: asNumber(item.force_sign, 1), momentSign: asNumber(item.moment_sign, 1), force: columns('force'), moment: columns('moment'), unique: item.unique !== false }];
  });
  return { planar, gravity: asVec(asObject(raw).gravity), bodies, actions };
}

// ---- Motion ----------------------------------------------------------------------------------------------------

/** A body at one time, ground axes; R is the matrix from body to ground axes, row by row. */
export interface BodyMotion {
  readonly origin: Vec;
  readonly R: readonly number[];
  readonly velocity: Vec;
  readonly spin: Vec;
  readonly acceleration: Vec;
  readonly spinRate: Vec;
}

function rotation(turn: readonly number[]): number[] {
  if (turn.length === 1) {
    const c = Math.cos(turn[0]), s = Math.sin(turn[0]);
    return [c, -s, 0, s, c, 0, 0, 0, 1];
  }
  if (turn.length !== 4) return new Array<number>(9).fill(NaN);
  const [w, x, y, z] = turn, k = 2 / (w * w + x * x + y * y + z * z);
  return [
    1 - k * (y * y + z * z), k * (x * y - w * z), k * (x * z + w * y),
    k * (x * y + w * z), 1 - k * (x * x + z * z), k * (y * z - w * x),
    k * (x * z - w * y), k * (y * z + w * x), 1 - k * (x * x + y * y),
  ];
}

const turned = (R: readonly number[], p: Vec): Vec => [R[0] * p[0] + R[1] * p[1] + R[2] * p[2], R[3] * p[0] + R[4] * p[1] + R[5] * p[2], R[6] * p[0] + R[7] * p[1] + R[8] * p[2]];
const turnedBack = (R: readonly number[], p: Vec): Vec => [R[0] * p[0] + R[3] * p[1] + R[6] * p[2], R[1] * p[0] + R[4] * p[1] + R[7] * p[2], R[2] * p[0] + R[5] * p[1] + R[8] * p[2]];

export const kAtRest: BodyMotion = { origin: kZero, R: [1, 0, 0, 0, 1, 0, 0, 0, 1], velocity: kZero, spin: kZero, acceleration: kZero, spinRate: kZero };

export function motionAt(body: RigidBody, place: Place): BodyMotion {
  const numbers = (list: readonly Series[]): number[] => list.map((s) => valueAt(s.values, place));
  const vector = (list: readonly Series[]): Vec => {
    const v = numbers(list);
    return v.length >= 2 ? [v[0], v[1], v[2] ?? 0] : [NaN, NaN, NaN];
  };
  const about = (list: readonly Series[]): Vec => {
    const v = numbers(list);
    return v.length === 1 ? [0, 0, v[0]] : v.length === 3 ? [v[0], v[1], v[2]] : [NaN, NaN, NaN];
  };
  return {
    origin: vector(body.position), R: rotation(numbers(body.turn)), velocity: vector(body.velocity), spin: about(body.spin),
    acceleration: vector(body.acceleration), spinRate: about(body.spinRate),
  };
}

/** A point of the body in ground axes, its velocity and its acceleration; the point is given in body axes. */
export const pointOf = (m: BodyMotion, p: Vec): Vec => add(m.origin, turned(m.R, p));
export const velocityOf = (m: BodyMotion, p: Vec): Vec => add(m.velocity, cross(m.spin, turned(m.R, p)));
export function accelerationOf(m: BodyMotion, p: Vec): Vec {
  const r = turned(m.R, p);
  return add(m.acceleration, add(cross(m.spinRate, r), cross(m.spin, cross(m.spin, r))));
}

// ---- Free bodies -----------------------------------------------------------------------------------------------

export interface Acting {
  readonly of: 'joint' | 'drive' | 'load' | 'gravity';
  readonly name: string;
  readonly kind: string;
  readonly from: string | null;
  readonly at: Vec;
  readonly force: Vec;
  readonly moment: Vec;
  /** About the mass centre: the moment and that of the force. */
  readonly momentAboutCom: Vec;
  readonly hasForce: boolean;
  readonly hasMoment: boolean;
  readonly forceUnique: boolean;
  readonly momentUnique: boolean;
}

export interface FreeBody {
  readonly body: RigidBody;
  readonly motion: BodyMotion;
  readonly com: Vec;
  readonly acting: readonly Acting[];
  readonly force: Vec;
  readonly moment: Vec;
  /** m a of the mass centre, and J w' + w x J w. */
  readonly massTimesAcceleration: Vec;
  readonly inertiaTimesSpinRate: Vec;
  readonly acceleration: Vec;
  /** What is left of the balance, and the greatest term in it to compare with. */
  readonly restForce: Vec;
  readonly restMoment: Vec;
  readonly greatestForce: number;
  readonly greatestMoment: number;
}

/** J w', and w x J w, which the plane has not. */
function inertiaMoments(body: RigidBody, m: BodyMotion): [Vec, Vec] {
  if (body.inertia.length === 1) return [scaled(m.spinRate, body.inertia[0]), kZero];
  const [xx, yy, zz, xy, xz, yz] = body.inertia;
  const J = (w: Vec): Vec => [xx * w[0] + xy * w[1] + xz * w[2], xy * w[0] + yy * w[1] + yz * w[2], xz * w[0] + yz * w[1] + zz * w[2]];
  const inGround = (w: Vec): Vec => turned(m.R, J(turnedBack(m.R, w)));
  return [inGround(m.spinRate), cross(m.spin, inGround(m.spin))];
}

export function freeBodyAt(mechanics: Mechanics, index: number, place: Place): FreeBody {
  const body = mechanics.bodies[index], motion = motionAt(body, place), com = pointOf(motion, body.com);
  const acting: Acting[] = [];
  const put = (item: Omit<Acting, 'momentAboutCom'>): void => {
    acting.push({ ...item, momentAboutCom: add(item.moment, cross(sub(item.at, com), item.force)) });
  };
  for (const action of mechanics.actions) {
    if (action.body !== index) continue;
    const values = (columns: readonly Column[], sign: number): number[] => columns.map((c) => sign * valueAt(c.values, place));
    const f = values(action.force, action.forceSign), m = values(action.moment, action.momentSign);
    put({
      of: action.of, name: action.name, kind: action.kind, from: action.from, at: pointOf(motion, action.point),
      force: f.length ? [f[0], f[1], f[2] ?? 0] : kZero, moment: m.length === 1 ? [0, 0, m[0]] : m.length === 3 ? [m[0], m[1], m[2]] : kZero,
      hasForce: f.length > 0, hasMoment: m.length > 0,
      forceUnique: action.unique && allUnique(action.force), momentUnique: action.unique && allUnique(action.moment),
    });
  }
  if (size(mechanics.gravity) > 0 && body.mass !== 0) {
    put({ of: 'gravity', name: 'gravity', kind: 'weight', from: null, at: com, force: scaled(mechanics.gravity, body.mass), moment: kZero, hasForce: true, hasMoment: false, forceUnique: true, momentUnique: true });
  }
  const acceleration = accelerationOf(motion, body.com);
  const [euler, gyroscopic] = inertiaMoments(body, motion);
  const massTimesAcceleration = scaled(acceleration, body.mass), inertiaTimesSpinRate = add(euler, gyroscopic);
  const force = acting.reduce((s, a) => add(s, a.force), kZero), moment = acting.reduce((s, a) => add(s, a.momentAboutCom), kZero);
  return {
    body, motion, com, acting, force, moment, acceleration, massTimesAcceleration, inertiaTimesSpinRate,
    restForce: sub(force, massTimesAcceleration), restMoment: sub(moment, inertiaTimesSpinRate),
    greatestForce: Math.max(size(massTimesAcceleration), ...acting.map((a) => size(a.force))),
    greatestMoment: Math.max(size(euler), size(gyroscopic), ...acting.map((a) => Math.max(size(a.momentAboutCom), size(a.moment)))),
  };
}
