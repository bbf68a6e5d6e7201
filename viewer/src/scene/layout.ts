// What is decided once for the drawing of a run in the plane, so that nothing jumps while it plays: rails, walls, sides of names, scales.
import type { Frame, Joint, Page, Point } from '../data';
import { locate, valueAt } from '../data';
import type { Reaction } from '../reactions';
import { reactionsOf } from '../reactions';
import type { Travel } from './geometry';
import { Motion, actuatesSlide, apply, blockFrame, frameIn, kGroundPose, posesAt, railFrame, solidCorners, spreadSamples } from './geometry';
import { niceTop, peakSize } from './scales';
import { Velocities } from './velocities';

/** The range over which a slider or a pin moves, in metres along its rail or slot. */
export interface Guide extends Travel {
  /** The body's own shape is the block on the rail. */
  readonly blockIsBody: boolean;
  /** Normal distance of the rail from the slide axis, in metres; 0 when the block is a symbol. */
  readonly clearance: number;
}

/** The ground end of a spring, damper or actuator: at a wall facing the direction `wall` (canvas angle), or on a pivot if it swings. */
export interface Anchor { readonly frame: Frame; readonly wall: number | null }

/** The path of a point over the run, in ground axes. */
export interface TracePath { readonly path: Path2D; readonly x: Float64Array; readonly y: Float64Array }

/** Force and moment that get a full-length arrow. */
export interface ForceScale { readonly force: number; readonly moment: number; readonly unit: string; readonly momentUnit: string }

export class Layout {
  readonly motion: Motion;
  /** By joint; null for joints that do not slide. */
  readonly guides: readonly (Guide | null)[];
  readonly anchors: readonly Anchor[];
  /** By joint: the part of a curve that the point passed in the run, in axes of the second body; empty for other joints. */
  readonly tracks: readonly (readonly Point[])[];
  readonly traces: readonly TracePath[];
  readonly forceScale: ForceScale;
  readonly reactions: readonly Reaction[];
  readonly velocities: Velocities;
  /** By load: its largest force; whether it is an actuator of a slide. */
  readonly loadPeaks: readonly number[];
  readonly slides: readonly boolean[];
  /** Joints with the ring of a drive or of a rotary spring around them. */
  readonly ringed: readonly boolean[];
  /** Sides of the names: 1 is the right of the line from its first to its second end, -1 the left. */
  readonly bodySides: readonly number[];
  readonly loadSides: readonly number[];

  constructor(page: Page) {
    this.motion = new Motion(page);
    this.guides = page.joints.map((j) => guideOf(j, this.motion));
    this.anchors = anchorsOf(page, this.motion);
    this.tracks = page.joints.map((j) => (j.kind === 'curve' ? this.motion.path(j.second, j.first) : []));
    this.traces = [...page.traces.map((t) => tracePath(page, t.body, t.point)), ...page.joints.flatMap((j) => (j.contact ? [pathOf(j.contact[0].values, j.contact[1].values)] : []))];
    this.forceScale = forceScale(page);
    this.reactions = reactionsOf(page);
    this.velocities = new Velocities(page);
    this.loadPeaks = page.loads.map((l) => (l.force ? peakSize(l.force[0].values, l.force[1].values) : 0));
    this.slides = page.loads.map((l) => actuatesSlide(page, l));
    this.ringed = ringedJoints(page);
    [this.bodySides, this.loadSides] = labelSides(page, this.motion);
  }
}

/** The range over which a slider or a pin moves, so that its rail or slot is drawn long enough for the whole run. */
function guideOf(joint: Joint, motion: Motion): Guide | null {
  if (joint.kind === 'pin_slot') return { blockIsBody: false, clearance: 0, ...motion.travel(joint.second, joint.first) };
  if (joint.kind !== 'prismatic') return null;
  const block = blockFrame(joint);
  // A body with a solid around the joint is its own block; the rail then runs along the solid's lower side.
  const solids = block.body < 0 ? [] : motion.outlines[block.body].solids;
  let clearance = 0, reach = 0;
  for (const solid of solids) {
    for (const [x, y] of solidCorners(solid)) {
      const dx = x - block.point[0], dy = y - block.point[1];
      clearance = Math.max(clearance, Math.abs(dy * Math.cos(block.angle) - dx * Math.sin(block.angle)));
      reach = Math.max(reach, Math.abs(dx * Math.cos(block.angle) + dy * Math.sin(block.angle)));
    }
  }
  const travel = motion.travel(railFrame(joint), block);
  return { blockIsBody: solids.length > 0, clearance, low: travel.low - reach, high: travel.high + reach };
}

function anchorsOf(page: Page, motion: Motion): Anchor[] {
  const anchors: Anchor[] = [];
  for (const part of [...page.loads, ...page.drives.filter((d) => d.kind === 'distance')]) {
    if (!part.first || !part.second || part.kind.startsWith('rotational') || part.kind === 'joint_actuator') continue;
    for (const [own, other] of [[part.first, part.second], [part.second, part.first]]) {
      if (own.body >= 0) continue;
      const { middle, half } = motion.bearing(own, other);
      // One that hardly turns and lies along an axis is drawn against a wall.
      const square = Math.round(middle / (Math.PI / 2)) * (Math.PI / 2);
      anchors.push({ frame: own, wall: half < 0.12 && Math.abs(middle - square) < 0.3 ? -square : null });
    }
  }
  return anchors;
}

function ringedJoints(page: Page): boolean[] {
  const rings = [...page.drives.filter((d) => d.kind === 'angle' || d.kind === 'coordinate'), ...page.loads.filter((l) => l.kind.startsWith('rotational') || (l.kind === 'joint_actuator' && !actuatesSlide(page, l)))];
  const centres = rings.flatMap((r) => (r.first ? [r.first] : []));
  const same = (a: Frame, b: Frame): boolean => a.body === b.body && Math.hypot(a.point[0] - b.point[0], a.point[1] - b.point[1]) < 1e-9;
  return page.joints.map((j) => centres.some((c) => same(c, j.first) || same(c, j.second)));
}

/** On which side of its line each body and load carries its name: away from the nearest spring or damper, for the whole run. */
function labelSides(page: Page, motion: Motion): [number[], number[]] {
  const poses = posesAt(page, locate(page.time, page.time[0] ?? 0));
  const lines = page.loads.map((l) => (l.first && l.second && !l.kind.startsWith('rotational') ? [frameIn(poses, l.first), frameIn(poses, l.second)] : null));
  const sideOf = (a: { x: number; y: number }, b: { x: number; y: number }, own: number): number => {
    const mx = (a.x + b.x) / 2, my = (a.y + b.y) / 2;
    let nearest = Infinity, side = 1;
    lines.forEach((l, i) => {
      if (!l || i === own) return;
      const dx = (l[0].x + l[1].x) / 2 - mx, dy = (l[0].y + l[1].y) / 2 - my, distance = Math.hypot(dx, dy);
      if (distance < nearest) [nearest, side] = [distance, (b.x - a.x) * dy - (b.y - a.y) * dx > 0 ? 1 : -1];
    });
    return side;
  };
  const point = (body: number, p: Readonly<Point>): { x: number; y: number } => ({ x: apply(poses[body], p)[0], y: apply(poses[body], p)[1] });
  return [
    page.bodies.map((_, i) => {
      const bar = motion.outlines[i].bars[0];
      return bar ? sideOf(point(i, bar[0]), point(i, bar[1]), -1) : 1;
    }),
    lines.map((l, i) => (l ? sideOf(l[0], l[1], i) : 1)),
  ];
}

function tracePath(page: Page, body: number, point: Point): TracePath {
  const n = page.time.length;
  const x = new Float64Array(n), y = new Float64Array(n);
  const pose = page.bodies[body].pose;
  for (let i = 0; i < n; i++) {
    const place = { index: i, weight: 0 };
    const at = pose ? { x: valueAt(pose[0].values, place), y: valueAt(pose[1].values, place), angle: valueAt(pose[2].values, place) } : kGroundPose;
    [x[i], y[i]] = apply(at, point);
  }
  return pathOf(x, y);
}

function pathOf(x: Float64Array, y: Float64Array): TracePath {
  const path = new Path2D();
  let down = false;
  for (const i of spreadSamples(x.length, 6000)) {
    if (!Number.isFinite(x[i] + y[i])) down = false;
    else if (down) path.lineTo(x[i], y[i]);
    else {
      path.moveTo(x[i], y[i]);
      down = true;
    }
  }
  return { path, x, y };
}

function forceScale(page: Page): ForceScale {
  const forces: number[] = [];
  let moment = 0, unit = 'N', momentUnit = 'N*m';
  for (const joint of page.joints) {
    for (const i of spreadSamples(page.time.length, 500)) {
      if (joint.force) forces.push(Math.hypot(joint.force[0].values[i], joint.force[1].values[i]));
      const turn = joint.moment ? Math.abs(joint.moment.values[i]) : NaN;
      if (turn > moment && Number.isFinite(turn)) moment = turn;
    }
    if (joint.force) unit = joint.force[0].unit || unit;
    if (joint.moment) momentUnit = joint.moment.unit || momentUnit;
  }
  const force = niceTop(forces);
  return { force, moment: moment > 1e-12 * force ? moment : 0, unit, momentUnit };
}
