// Points, directions and quaternions (scalar first) as plain arrays.

export type Vec3 = readonly [number, number, number];
export type Quaternion = readonly [number, number, number, number];

export const kNoTurn: Quaternion = [1, 0, 0, 0];
export const kOrigin: Vec3 = [0, 0, 0];

export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vec3, b: Vec3): Vec3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const norm = (a: Vec3): number => Math.hypot(a[0], a[1], a[2]);
export const middle = (a: Vec3, b: Vec3): Vec3 => times(add(a, b), 0.5);
export const finite = (a: readonly number[]): boolean => a.every(Number.isFinite);

export function unit(a: Vec3, fallback: Vec3 = [0, 0, 1]): Vec3 {
  const length = norm(a);
  return length > 1e-300 && Number.isFinite(length) ? times(a, 1 / length) : fallback;
}

/** The part of a across the unit direction d. */
export const across = (a: Vec3, d: Vec3): Vec3 => minus(a, times(d, dot(a, d)));

/** A unit direction at right angles to d. */
export const anyAcross = (d: Vec3): Vec3 => unit(cross(d, Math.abs(d[0]) < 0.8 ? [1, 0, 0] : [0, 1, 0]));

export const product = (a: Quaternion, b: Quaternion): Quaternion => [
  a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
  a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
  a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
  a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
];

export const conjugate = (q: Quaternion): Quaternion => [q[0], -q[1], -q[2], -q[3]];

export const aboutZ = (angle: number): Quaternion => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];

/** A turn about the direction of d by its length, in radians. */
export function aboutVector(d: Vec3): Quaternion {
  const angle = norm(d), s = angle > 1e-12 ? Math.sin(angle / 2) / angle : 0.5;
  return [Math.cos(angle / 2), s * d[0], s * d[1], s * d[2]];
}

/** R(q) a, for a unit quaternion. */
export function rotate(q: Quaternion, a: Vec3): Vec3 {
  const [w, x, y, z] = q;
  const tx = 2 * (y * a[2] - z * a[1]), ty = 2 * (z * a[0] - x * a[2]), tz = 2 * (x * a[1] - y * a[0]);
  return [a[0] + w * tx + y * tz - z * ty, a[1] + w * ty + z * tx - x * tz, a[2] + w * tz + x * ty - y * tx];
}

/** A turn that brings the x axis into the unit direction d. */
export function xTo(d: Vec3): Quaternion {
  if (d[0] < -1 + 1e-12) return [0, 0, 0, 1];
  const q: Quaternion = [1 + d[0], 0, -d[2], d[1]], n = Math.hypot(...q);
  return [q[0] / n, 0, q[2] / n, q[3] / n];
}

/** The turn whose axes are x and, as nearly as possible, y; x of unit length. */
export function axesTurn(x: Vec3, y: Vec3): Quaternion {
  const b = unit(across(y, x), anyAcross(x)), c = cross(x, b);
  // From the matrix with columns x, b, c.
  const trace = x[0] + b[1] + c[2];
  let q: Quaternion;
  if (trace > 0) q = [trace + 1, b[2] - c[1], c[0] - x[2], x[1] - b[0]];
  else if (x[0] >= b[1] && x[0] >= c[2]) q = [b[2] - c[1], 1 + x[0] - b[1] - c[2], x[1] + b[0], c[0] + x[2]];
  else if (b[1] >= c[2]) q = [c[0] - x[2], x[1] + b[0], 1 + b[1] - x[0] - c[2], b[2] + c[1]];
  else q = [x[1] - b[0], c[0] + x[2], b[2] + c[1], 1 + c[2] - x[0] - b[1]];
  const n = Math.hypot(...q);
  return [q[0] / n, q[1] / n, q[2] / n, q[3] / n];
}

export interface Placement { readonly p: Vec3; readonly q: Quaternion }
export const kNoPlacement: Placement = { p: kOrigin, q: kNoTurn };

export const place = (at: Placement, a: Vec3): Vec3 => add(at.p, rotate(at.q, a));
export const compose = (a: Placement, b: Placement): Placement => ({ p: place(a, b.p), q: product(a.q, b.q) });
export const inverse = (a: Placement): Placement => {
  const q = conjugate(a.q);
  return { p: rotate(q, times(a.p, -1)), q };
};
export const xOf = (q: Quaternion): Vec3 => rotate(q, [1, 0, 0]);
export const yOf = (q: Quaternion): Vec3 => rotate(q, [0, 1, 0]);
export const zOf = (q: Quaternion): Vec3 => rotate(q, [0, 0, 1]);
