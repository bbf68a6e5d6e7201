// Finds the part of the mechanism that a ray from the eye meets first.
import type { Shown } from './painter';
import type { Solid } from './solid';
import type { Placement, Vec3 } from './vectors';
import { conjugate, dot, minus, norm, rotate } from './vectors';

/** A solid that can be hit; `length` is how far it stretches, 0 if it is rigid. */
export interface Target { readonly shown: Shown; length: number; scale: number }
export interface Ray { readonly from: Vec3; readonly direction: Vec3 }

/** The nearest part hit, with its distance; -1 for none. */
export function partHit(targets: Iterable<Target>, ray: Ray): { part: number; distance: number; target: Target | null } {
  let best = { part: -1, distance: Infinity, target: null as Target | null };
  for (const target of targets) {
    if (!target.shown.visible) continue;
    const hit = meet(target, ray, best.distance);
    if (hit.part >= 0 && hit.distance < best.distance) best = { ...hit, target };
  }
  return best;
}

function mayMeet(solid: Solid, at: Placement, length: number, scale: number, ray: Ray): boolean {
  const d = minus(at.p, ray.from), along = dot(d, ray.direction);
  const off = norm(minus(d, [ray.direction[0] * along, ray.direction[1] * along, ray.direction[2] * along]));
  return off <= solid.reach * scale + length;
}

/** Moeller and Trumbore's test on every triangle of the surface, in axes of the solid. */
function meet({ shown, length, scale }: Target, ray: Ray, limit: number): { part: number; distance: number } {
  const { solid } = shown, at = shown.at(), none = { part: -1, distance: limit };
  if (!mayMeet(solid, at, length, scale, ray)) return none;
  const q = conjugate(at.q), [ox, oy, oz] = rotate(q, minus(ray.from, at.p)), [dx, dy, dz] = rotate(q, ray.direction);
  const { positions: p, info, triangles } = solid;
  let distance = limit, part = -1;
  for (let t = 0; t < 3 * solid.surface; t += 3) {
    const a = triangles[t], b = triangles[t + 1], c = triangles[t + 2];
    const ax = info[4 * a] * length + p[3 * a] * scale, ay = p[3 * a + 1] * scale, az = p[3 * a + 2] * scale;
    const ux = info[4 * b] * length + p[3 * b] * scale - ax, uy = p[3 * b + 1] * scale - ay, uz = p[3 * b + 2] * scale - az;
    const vx = info[4 * c] * length + p[3 * c] * scale - ax, vy = p[3 * c + 1] * scale - ay, vz = p[3 * c + 2] * scale - az;
    const px = dy * vz - dz * vy, py = dz * vx - dx * vz, pz = dx * vy - dy * vx, det = ux * px + uy * py + uz * pz;
    if (det === 0) continue;
    const sx = ox - ax, sy = oy - ay, sz = oz - az, i = (sx * px + sy * py + sz * pz) / det;
    if (i < 0 || i > 1) continue;
    const qx = sy * uz - sz * uy, qy = sz * ux - sx * uz, qz = sx * uy - sy * ux, j = (dx * qx + dy * qy + dz * qz) / det;
    if (j < 0 || i + j > 1) continue;
    const s = (vx * qx + vy * qy + vz * qz) / det;
    if (s > 0 && s < distance) [distance, part] = [s, info[4 * a + 2]];
  }
  return { part, distance };
}
