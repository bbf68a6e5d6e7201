// Finds the part of the mechanism under a point of the canvas.
import type { Point } from '../data';
import type { PartRef } from '../selection';
import { solidCorners } from './geometry';
import type { Vec3 } from './space/vectors';
import { add, times } from './space/vectors';
import type { View } from './view';

/** The part under a point of the canvas: joints before drives and loads before bodies. */
export function partAt(view: View, px: number, py: number): PartRef | null {
  const { page, u } = view, reach = Math.max(11, u * 1.8);
  let best: PartRef | null = null, bestDistance = reach;
  const consider = (part: PartRef, distance: number): void => {
    if (distance < bestDistance) [best, bestDistance] = [part, distance];
  };
  page.joints.forEach((joint, index) => {
    const a = view.joint(joint);
    if (!a.finite) return;
    if (joint.kind === 'distance') {
      const b = view.frame(joint.second);
      consider({ kind: 'joint', index }, segmentDistance([px, py], a.p, b.p) + 3);
    } else consider({ kind: 'joint', index }, Math.hypot(px - a.p[0], py - a.p[1]));
  });
  if (best) return best;
  page.drives.forEach((drive, index) => {
    if (!drive.first) return;
    const a = view.frame(drive.first), b = drive.second ? view.frame(drive.second) : a;
    if (drive.kind === 'distance') consider({ kind: 'drive', index }, segmentDistance([px, py], a.p, b.p));
    else consider({ kind: 'drive', index }, Math.abs(Math.hypot(px - a.p[0], py - a.p[1]) - u * 3.6) + 4);
  });
  page.loads.forEach((load, index) => {
    const base = load.first ?? load.second;
    if (!base) return;
    const a = view.frame(base), b = load.second ? view.frame(load.second) : a;
    const point = load.kind.startsWith('rotational') || load.kind === 'force' || load.kind === 'couple' || load.kind === 'bushing' || load.kind === 'joint_actuator';
    const distance = point ? Math.max(0, Math.hypot(px - a.p[0], py - a.p[1]) - u * 3) : segmentDistance([px, py], a.p, b.p) - u;
    consider({ kind: 'load', index }, Math.max(0, distance) + 3);
  });
  considerGearing(view, [px, py], consider);
  if (best) return best;
  for (const index of [...view.motion.order].reverse()) if (bodyHit(view, index, px, py)) return { kind: 'body', index };
  return null;
}

/** Pitch circles and lines, and ties. */
function considerGearing(view: View, p: Point, consider: (part: PartRef, distance: number) => void): void {
  const { wheels, racks, ties } = view.motion.gearing;
  const at = (body: number, [x, y]: Vec3): Point => (body < 0 ? view.at(x, y) : view.on(body, [x, y]));
  for (const { relation, body, centre, radius } of wheels) {
    const c = at(body, centre);
    consider({ kind: 'relation', index: relation }, Math.abs(Math.hypot(p[0] - c[0], p[1] - c[1]) - radius * view.camera.scale) + 3);
  }
  for (const { relation, body, point, along, low, high } of racks) consider({ kind: 'relation', index: relation }, segmentDistance(p, at(body, add(point, times(along, low))), at(body, add(point, times(along, high)))) + 3);
  for (const { relation, ends } of ties) {
    const points = ends.map((f) => view.frame(f).p);
    for (let k = 0; k + 1 < points.length; k++) consider({ kind: 'relation', index: relation }, segmentDistance(p, points[k], points[k + 1]) + 3);
  }
}

function bodyHit(view: View, index: number, px: number, py: number): boolean {
  if (!view.placed(index)) return false;
  const reach = Math.max(7, view.u * 1.5);
  const put = (p: Readonly<Point>): Point => view.on(index, p);
  const { bars, plates, solids, dots } = view.motion.outlines[index];
  if (bars.some(([a, b]) => segmentDistance([px, py], put(a), put(b)) < reach)) return true;
  if (dots.some((d) => Math.hypot(put(d)[0] - px, put(d)[1] - py) < reach * 1.4)) return true;
  return [...plates, ...solids.map(solidCorners)].some((corners) => inside([px, py], corners.map(put)));
}

export function segmentDistance(p: Readonly<Point>, a: Readonly<Point>, b: Readonly<Point>): number {
  const dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
  const w = square > 0 ? Math.max(0, Math.min(1, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square)) : 0;
  return Math.hypot(p[0] - a[0] - w * dx, p[1] - a[1] - w * dy);
}

function inside([x, y]: Point, corners: readonly Point[]): boolean {
  let odd = false;
  for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
    const [xi, yi] = corners[i], [xj, yj] = corners[j];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) odd = !odd;
  }
  return odd;
}
