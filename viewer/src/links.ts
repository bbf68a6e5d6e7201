// Flexible links: their elements, how they lie at a time, and what is recorded along them.
import type { Body, Place, Series } from './data';
import { valueAt } from './data';
import { asList, asNumber, asObjects, asText } from './json';
import type { Json } from './json';
import { asVec3 } from './scene/space/shapes';
import type { Quaternion, Vec3 } from './scene/space/vectors';

/** As written by the program (see DATA.md). */
export interface RawLink {
  name: string; line?: number; length: number; elements: string[]; rest: Vec3[]; end: Vec3; at: number[];
  curves: { label: string; title: string; series: string[] }[];
}

/** What is recorded at every spring: one series for each. */
export interface LinkCurve { readonly label: string; readonly title: string; readonly unit: string; readonly series: readonly Series[] }

export interface FlexibleLink {
  readonly name: string;
  readonly line: number;
  readonly length: number;
  /** From the root. */
  readonly elements: readonly Body[];
  /** Origins of the elements, undeformed, in axes of the root; of all but the first a spring is there. */
  readonly rest: readonly Vec3[];
  /** The far end, in axes of the last element. */
  readonly end: Vec3;
  /** Places of the springs along the axis, in metres. */
  readonly at: readonly number[];
  readonly curves: readonly LinkCurve[];
}

export function readLinks(raw: unknown, bodies: readonly Body[], find: (name: unknown, user: string) => Series | null): FlexibleLink[] {
  return asObjects(raw).flatMap((item: Json): FlexibleLink[] => {
    const name = asText(item.name), user = `Link "${name}"`;
    const elements = asList(item.elements).map((n) => bodies.find((b) => b.name === n)).filter((b): b is Body => b !== undefined);
    const rest = asList(item.rest).map(asVec3).filter((p): p is Vec3 => p !== null);
    const at = asList(item.at).map((s) => asNumber(s)), end = asVec3(item.end);
    if (!end || elements.length < 2 || rest.length !== elements.length || at.length !== elements.length - 1) return [];
    const curves = asObjects(item.curves).flatMap((c): LinkCurve[] => {
      const series = asList(c.series).map((n) => find(n, user)).filter((s): s is Series => s !== null);
      return series.length === at.length ? [{ label: asText(c.label), title: asText(c.title), unit: series[0].unit, series }] : [];
    });
    return [{ name, line: asNumber(item.line, 0), length: asNumber(item.length), elements, rest, end, at, curves }];
  });
}

const turned = ([w, x, y, z]: Quaternion, [a, b, c]: Vec3): Vec3 => {
  // v + 2 w (u x v) + 2 u x (u x v)
  const p = y * c - z * b, q = z * a - x * c, r = x * b - y * a;
  return [a + 2 * (w * p + y * r - z * q), b + 2 * (w * q + z * p - x * r), c + 2 * (w * r + x * q - y * p)];
};
const opposite = ([w, x, y, z]: Quaternion): Quaternion => [w, -x, -y, -z];

function poseOf(body: Body, place: Place): { at: Vec3; turn: Quaternion } | null {
  if (body.pose3) {
    const v = body.pose3.map((s) => valueAt(s.values, place));
    const size = Math.hypot(v[3], v[4], v[5], v[6]) || 1;
    return { at: [v[0], v[1], v[2]], turn: [v[3] / size, v[4] / size, v[5] / size, v[6] / size] };
  }
  if (!body.pose) return null;
  const [x, y, angle] = body.pose.map((s) => valueAt(s.values, place));
  return { at: [x, y, 0], turn: [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)] };
}

/** Root, springs and end in axes of the root: undeformed, and at a time. Null where there is no motion. */
export function shapeAt(link: FlexibleLink, place: Place): { rest: Vec3[]; now: Vec3[] } | null {
  const root = poseOf(link.elements[0], place);
  if (!root) return null;
  const back = opposite(root.turn);
  const seen = (p: Vec3): Vec3 => turned(back, [p[0] - root.at[0], p[1] - root.at[1], p[2] - root.at[2]]);
  const now: Vec3[] = [];
  let end: Vec3 | null = null;
  for (const element of link.elements) {
    const pose = poseOf(element, place);
    if (!pose) return null;
    now.push(seen(pose.at));
    const far = turned(pose.turn, link.end);
    end = seen([pose.at[0] + far[0], pose.at[1] + far[1], pose.at[2] + far[2]]);
  }
  const last = link.rest[link.rest.length - 1];
  const rest = [...link.rest, [last[0] + link.end[0], last[1] + link.end[1], last[2] + link.end[2]] as Vec3];
  return { rest, now: [...now, end!] };
}

/** The values of a curve at its springs, at a time. */
export const curveAt = (curve: LinkCurve, place: Place): number[] => curve.series.map((s) => valueAt(s.values, place));

/** The greatest size of a curve over the whole run. */
export function greatestOf(curve: LinkCurve): number {
  let most = 0;
  for (const series of curve.series) for (const v of series.values) if (Math.abs(v) > most) most = Math.abs(v);
  return most;
}
