// Where bodies and frames are in space at a time, and what is measured once over the whole run: its box, ranges of slides.
import type { Body, Frame, Page, Place } from '../../data';
import { valueAt } from '../../data';
import { spreadSamples } from '../geometry';
import type { Placement, Quaternion, Vec3 } from './vectors';
import { aboutZ, add, compose, conjugate, finite, kNoPlacement, minus, norm, place, rotate, times } from './vectors';

const kSpread = 300;  // samples over which the run is measured

export interface Box3 { readonly low: Vec3; readonly high: Vec3 }
export interface Range { readonly low: number; readonly high: number }

const kNowhere: Placement = { p: [NaN, NaN, NaN], q: [NaN, NaN, NaN, NaN] };

/** Linear between samples; a quaternion along the shorter way, and back to unit length. */
function poseOf(body: Body, at: Place): Placement {
  if (body.pose) return { p: [valueAt(body.pose[0].values, at), valueAt(body.pose[1].values, at), 0], q: aboutZ(valueAt(body.pose[2].values, at)) };
  if (!body.pose3 || at.index < 0) return kNowhere;
  const [x, y, z, w, i, j, k] = body.pose3;
  const p: Vec3 = [valueAt(x.values, at), valueAt(y.values, at), valueAt(z.values, at)], n = at.index;
  const a: Quaternion = [w.values[n], i.values[n], j.values[n], k.values[n]];
  if (at.weight === 0) return { p, q: a };
  const b: Quaternion = [w.values[n + 1], i.values[n + 1], j.values[n + 1], k.values[n + 1]];
  const s = at.weight * Math.sign(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] || 1), r = 1 - at.weight;
  const q: Quaternion = [r * a[0] + s * b[0], r * a[1] + s * b[1], r * a[2] + s * b[2], r * a[3] + s * b[3]];
  const size = Math.hypot(q[0], q[1], q[2], q[3]) || 1;
  return { p, q: [q[0] / size, q[1] / size, q[2] / size, q[3] / size] };
}

export const posesAt = (page: Page, at: Place): Placement[] => page.bodies.map((b) => poseOf(b, at));

const own = (frame: Frame): Placement => ({ p: frame.point3, q: frame.turn });

/** A frame in ground axes. */
export function frameAt(poses: readonly Placement[], frame: Frame): Placement {
  return frame.body < 0 ? own(frame) : compose(poses[frame.body] ?? kNoPlacement, own(frame));
}

/** Points of a body (-1: the ground) at which joints, loads and drives take hold, each once. */
export function attachments(page: Page, body: number): Vec3[] {
  const found: Vec3[] = [];
  for (const part of [...page.joints, ...page.loads, ...page.drives]) {
    for (const frame of [part.first, part.second]) if (frame?.body === body) found.push(frame.point3);
  }
  return distinct(found);
}

export function distinct(points: readonly Vec3[]): Vec3[] {
  const size = Math.max(...points.map(norm), 1e-9), kept: Vec3[] = [];
  for (const p of points) if (!kept.some((q) => norm(minus(p, q)) <= 1e-6 * size)) kept.push(p);
  return kept;
}

export class SpaceMotion {
  /** Poses at a spread of samples over the run; the first that has all bodies. */
  readonly poses: readonly Placement[][];
  readonly start: readonly Placement[];
  /** Everything at joints and mass centres over the run. */
  readonly frame: Box3;
  readonly diagonal: number;

  constructor(readonly page: Page) {
    this.poses = spreadSamples(page.time.length, kSpread).map((index) => posesAt(page, { index, weight: 0 }));
    this.start = this.poses.find((list) => list.every((a) => finite(a.p) && finite(a.q))) ?? page.bodies.map(() => kNoPlacement);
    this.frame = this.boxOf(page.bodies.map((b, i) => [...attachments(page, i), ...(b.com3 ? [b.com3] : []), ...b.points3, ...page.traces.filter((t) => t.body === i).map((t) => t.point3)]), attachments(page, -1));
    this.diagonal = norm(minus(this.frame.high, this.frame.low));
  }

  /** The box around points of the bodies over the run, and points of the ground. */
  boxOf(points: readonly (readonly Vec3[])[], ground: readonly Vec3[]): Box3 {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    const take = (p: Vec3): void => {
      if (!finite(p)) return;
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k], p[k]);
        high[k] = Math.max(high[k], p[k]);
      }
    };
    ground.forEach(take);
    for (const poses of this.poses) poses.forEach((pose, i) => points[i].forEach((p) => take(place(pose, p))));
    if (!(low[0] <= high[0])) return { low: [-1, -1, -1], high: [1, 1, 1] };
    return { low: low as unknown as Vec3, high: high as unknown as Vec3 };
  }

  /** Where the rider's origin is in the axes of the guide over the run, along each of the three. */
  travel(guide: Frame, rider: Frame): readonly Range[] {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (const p of this.path(guide, rider)) {
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k], p[k]);
        high[k] = Math.max(high[k], p[k]);
      }
    }
    return low.map((l, k) => (l <= high[k] ? { low: l, high: high[k] } : { low: 0, high: 0 }));
  }

  /** The way of the rider's origin in the axes of the guide. */
  path(guide: Frame, rider: Frame): Vec3[] {
    return this.poses.map((poses) => {
      const g = frameAt(poses, guide), r = frameAt(poses, rider);
      return rotate(conjugate(g.q), minus(r.p, g.p));
    }).filter(finite);
  }
}

export const centreOf = (points: readonly Vec3[]): Vec3 => times(points.reduce<Vec3>((s, p) => add(s, p), [0, 0, 0]), 1 / Math.max(1, points.length));
