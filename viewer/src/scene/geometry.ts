// What can be worked out of the data once, before drawing: outlines of bodies, ranges of slides, the box of the whole motion.
import type { Frame, Load, Page, Place, Point, Shape } from '../data';
import { valueAt } from '../data';
import type { Box } from './camera';
import type { Gearing } from './gearing';
import { gearingOf, onWheel } from './gearing';

export interface Pose { x: number; y: number; angle: number }
export const kGroundPose: Readonly<Pose> = { x: 0, y: 0, angle: 0 };

export function apply(pose: Readonly<Pose>, p: Readonly<Point>): Point {
  const c = Math.cos(pose.angle), s = Math.sin(pose.angle);
  return [pose.x + c * p[0] - s * p[1], pose.y + s * p[0] + c * p[1]];
}

export function posesAt(page: Page, place: Place): Pose[] {
  return page.bodies.map(({ pose }) =>
    pose ? { x: valueAt(pose[0].values, place), y: valueAt(pose[1].values, place), angle: valueAt(pose[2].values, place) } : { x: NaN, y: NaN, angle: NaN });
}

/** Where a frame is in ground axes: its origin and the direction of its x axis. */
export function frameIn(poses: readonly Pose[], frame: Frame): Pose {
  const pose = frame.body < 0 ? kGroundPose : poses[frame.body];
  const [x, y] = apply(pose, frame.point);
  return { x, y, angle: pose.angle + frame.angle };
}

/** Sample numbers spread over the run, at most `count`, first and last among them. */
export function spreadSamples(length: number, count: number): number[] {
  if (length <= count) return Array.from({ length }, (_, i) => i);
  return Array.from({ length: count }, (_, i) => Math.round((i * (length - 1)) / (count - 1)));
}

// ---- Bodies ----------------------------------------------------------------------------------------------------

/** What is drawn for a body: bars and plates have the width of a line, solids are to scale. */
export interface Outline {
  readonly bars: readonly (readonly [Point, Point])[];
  readonly plates: readonly (readonly Point[])[];
  readonly solids: readonly Shape[];
  readonly dots: readonly Point[];
}

const near = (a: Readonly<Point>, b: Readonly<Point>, tolerance: number): boolean => Math.hypot(a[0] - b[0], a[1] - b[1]) <= tolerance;

/** Points of a body at which joints, loads and drives take hold. */
export function attachments(page: Page, body: number): Point[] {
  const found: Point[] = [];
  const add = (frame: Frame | null): void => {
    if (frame?.body === body) found.push(frame.point);
  };
  for (const part of [...page.joints, ...page.loads, ...page.drives]) {
    add(part.first);
    add(part.second);
  }
  return found;
}

function distinct(points: readonly Point[]): Point[] {
  const size = Math.max(...points.map((p) => Math.hypot(p[0], p[1])), 1e-9);
  const kept: Point[] = [];
  for (const p of points) if (!kept.some((q) => near(p, q, 1e-6 * size))) kept.push(p);
  return kept;
}

/** Convex hull, counter-clockwise, without points on its edges (monotone chain). */
export function hull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const size = Math.max(...sorted.map((p) => Math.hypot(p[0] - sorted[0][0], p[1] - sorted[0][1])), 0);
  const half = (list: readonly Point[]): Point[] => {
    const out: Point[] = [];
    for (const p of list) {
      while (out.length >= 2) {
        const [a, b] = [out[out.length - 2], out[out.length - 1]];
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 1e-9 * size * size) break;
        out.pop();
      }
      out.push(p);
    }
    out.pop();
    return out;
  };
  return [...half(sorted), ...half([...sorted].reverse())];
}

export function outlineOf(page: Page, index: number): Outline {
  const body = page.bodies[index];
  const bars: [Point, Point][] = [], plates: Point[][] = [], solids: Shape[] = [], dots: Point[] = [];
  if (body.shapes.length > 0) {
    for (const shape of body.shapes) {
      if (shape.kind === 'rod') bars.push([shape.from, shape.to]);
      else if (shape.kind === 'point') dots.push(shape.at);
      else solids.push(shape);
    }
    return { bars, plates, solids, dots };
  }
  const points = distinct(attachments(page, index));
  const carriesBlock = page.joints.some((j) => j.kind === 'prismatic' && blockFrame(j).body === index);
  if (points.length >= 2) {
    const corners = hull(points);
    if (corners.length >= 3) plates.push(corners);
    else bars.push([corners[0], corners[1] ?? corners[0]]);
  } else if (body.com && points.length === 1 && !near(body.com, points[0], 1e-9)) {
    bars.push([points[0], body.com]);
    dots.push(body.com);
  } else if (!carriesBlock) {
    dots.push(points[0] ?? body.com ?? [0, 0]);
  }
  return { bars, plates, solids, dots };
}

/** Area of the box around points. */
function spread(points: readonly Point[]): number {
  const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]);
  return points.length ? (Math.max(...xs) - Math.min(...xs)) * (Math.max(...ys) - Math.min(...ys)) : 0;
}

/** Points that bound an outline in body axes. */
function extent(outline: Outline): Point[] {
  const points: Point[] = [...outline.dots, ...outline.bars.flat(), ...outline.plates.flat()];
  for (const shape of outline.solids) points.push(...solidCorners(shape));
  return points;
}

export function boxCorners(centre: Point, size: Point, angle: number): Point[] {
  const pose = { x: centre[0], y: centre[1], angle };
  const [a, b] = [size[0] / 2, size[1] / 2];
  return [apply(pose, [-a, -b]), apply(pose, [a, -b]), apply(pose, [a, b]), apply(pose, [-a, b])];
}

export function solidCorners(shape: Shape): Point[] {
  switch (shape.kind) {
    case 'disc': return Array.from({ length: 12 }, (_, i) => [shape.centre[0] + shape.radius * Math.cos((i * Math.PI) / 6), shape.centre[1] + shape.radius * Math.sin((i * Math.PI) / 6)]);
    case 'box': return boxCorners(shape.centre, shape.size, shape.angle ?? 0);
    case 'polygon': return shape.points;
    default: return [];
  }
}

// ---- Slides ----------------------------------------------------------------------------------------------------

/** Whether an actuator of a joint pushes along a slide: its coordinate is recorded by that name. */
export const actuatesSlide = (page: Page, load: Load): boolean => load.kind === 'joint_actuator' && page.series.some((s) => s.name === `${load.name}.slide`);

interface Pair { readonly first: Frame; readonly second: Frame }
/** A prismatic joint is drawn as a block on a rail: the ground carries the rail if it takes part, else the first body. */
export const railFrame = (joint: Pair): Frame => (joint.second.body < 0 && joint.first.body >= 0 ? joint.second : joint.first);
export const blockFrame = (joint: Pair): Frame => (joint.second.body < 0 && joint.first.body >= 0 ? joint.first : joint.second);

/** Where the origin of `rider` moves along the x axis of `guide` over the run. */
export interface Travel { readonly low: number; readonly high: number }

export class Motion {
  /** Poses at a spread of samples over the run. */
  private readonly poses_: Pose[][];
  readonly outlines: Outline[];
  /** Bodies from the one drawn first: large solids lie under small ones, and links over all of them. */
  readonly order: readonly number[];
  readonly gearing: Gearing;
  readonly box: Box;
  /** A length typical for the links of this mechanism, in metres. */
  readonly linkLength: number;

  constructor(private readonly page: Page) {
    this.poses_ = spreadSamples(page.time.length, 400).map((index) => posesAt(page, { index, weight: 0 }));
    this.outlines = page.bodies.map((_, i) => outlineOf(page, i));
    const area = this.outlines.map(({ solids }) => Math.max(0, ...solids.map((s) => spread(solidCorners(s)))));
    this.order = page.bodies.map((_, i) => i).sort((i, j) => area[j] - area[i] || i - j);
    this.gearing = gearingOf(page);
    this.box = this.boundingBox();
    this.linkLength = this.typicalLength();
  }

  travel(guide: Frame, rider: Frame): Travel {
    let low = Infinity, high = -Infinity;
    for (const poses of this.poses_) {
      const g = frameIn(poses, guide), r = frameIn(poses, rider);
      const s = (r.x - g.x) * Math.cos(g.angle) + (r.y - g.y) * Math.sin(g.angle);
      if (!Number.isFinite(s)) continue;
      low = Math.min(low, s);
      high = Math.max(high, s);
    }
    return low <= high ? { low, high } : { low: 0, high: 0 };
  }

  /** The way of the rider's origin over the run, in axes of the guide's body. */
  path(guide: Frame, rider: Frame): Point[] {
    return this.poses_.flatMap((poses): Point[] => {
      const g = guide.body < 0 ? kGroundPose : poses[guide.body], r = frameIn(poses, rider), dx = r.x - g.x, dy = r.y - g.y, c = Math.cos(g.angle), s = Math.sin(g.angle);
      return Number.isFinite(dx + dy + g.angle) ? [[c * dx + s * dy, c * dy - s * dx]] : [];
    });
  }

  /** The direction from one frame to another over the run: the middle of its range and half the width, in radians. */
  bearing(from: Frame, to: Frame): { middle: number; half: number } {
    let low = Infinity, high = -Infinity, last = NaN;
    for (const poses of this.poses_) {
      const a = frameIn(poses, from), b = frameIn(poses, to);
      let angle = Math.atan2(b.y - a.y, b.x - a.x);
      if (!Number.isFinite(angle)) continue;
      if (!Number.isNaN(last)) angle += 2 * Math.PI * Math.round((last - angle) / (2 * Math.PI));
      last = angle;
      low = Math.min(low, angle);
      high = Math.max(high, angle);
    }
    return low <= high ? { middle: (low + high) / 2, half: (high - low) / 2 } : { middle: 0, half: 0 };
  }

  private boundingBox(): Box {
    const box: Box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
    const add = ([x, y]: Point): void => {
      if (!Number.isFinite(x) || !Number.isFinite(y)) return;
      box.x0 = Math.min(box.x0, x);
      box.x1 = Math.max(box.x1, x);
      box.y0 = Math.min(box.y0, y);
      box.y1 = Math.max(box.y1, y);
    };
    for (const p of attachments(this.page, -1)) add(p);
    const wheelPoints = (i: number): Point[] => this.gearing.wheels.filter((w) => w.body === i)
      .flatMap((w) => [0, 1, 2, 3, 4, 5].map((k): Point => { const [x, y] = onWheel(w, (k * Math.PI) / 3, 1.15 * w.radius); return [x, y]; }));
    for (const p of wheelPoints(-1)) add(p);
    const local = this.page.bodies.map((body, i) => {
      const traced = this.page.traces.filter((t) => t.body === i).map((t) => t.point);
      return [...extent(this.outlines[i]), ...attachments(this.page, i), ...(body.com ? [body.com] : []), ...traced, ...wheelPoints(i)];
    });
    for (const poses of this.poses_) poses.forEach((pose, i) => local[i].forEach((p) => add(apply(pose, p))));
    if (!(box.x0 <= box.x1)) return { x0: -1, y0: -1, x1: 1, y1: 1 };
    if (box.x1 - box.x0 + box.y1 - box.y0 < 1e-12) return { x0: box.x0 - 0.5, y0: box.y0 - 0.5, x1: box.x1 + 0.5, y1: box.y1 + 0.5 };
    return box;
  }

  private typicalLength(): number {
    const lengths: number[] = [];
    for (const outline of this.outlines) {
      for (const [a, b] of outline.bars) lengths.push(Math.hypot(a[0] - b[0], a[1] - b[1]));
      const wide = [...outline.plates, ...outline.solids.map(solidCorners)];
      for (const points of wide) {
        const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]);
        lengths.push(Math.hypot(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)));
      }
    }
    const size = Math.hypot(this.box.x1 - this.box.x0, this.box.y1 - this.box.y0);
    const usable = lengths.filter((l) => l > 1e-6 * size).sort((a, b) => a - b);
    return usable.length ? usable[Math.floor(usable.length / 2)] : 0.3 * size;
  }
}
