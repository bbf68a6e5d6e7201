// Where gears, racks and couplings are: pitch circles, racks and ties, found from the joints whose coordinates they relate.
//
// A gear holds k1 a1 + k2 a2 constant, a the angles of two hinges on one carrier. With w the turning of each wheel against the
// carrier, about the hinge axes e, the wheels roll on each other along the line of points with w1 e1 x p = w2 e2 x p: for
// parallel axes the pitch point, at distances from the centres in the ratio |k1| : |k2|; for axes that meet, the common line
// of two cones.
import type { Frame, Joint, Page, Relation } from '../data';
import { spreadSamples } from './geometry';
import { frameAt, posesAt } from './space/motion';
import type { Placement, Vec3 } from './space/vectors';
import { across, add, anyAcross, compose, conjugate, cross, dot, finite, inverse, kNoPlacement, minus, norm, place, rotate, times, unit, xOf, zOf } from './space/vectors';

/** A toothed wheel, in axes of its body. */
export interface Wheel {
  readonly relation: number;
  /** -1: the ground. */
  readonly body: number;
  readonly centre: Vec3;
  readonly axis: Vec3;
  readonly radius: number;
  readonly teeth: number;
  /** Direction from the centre to the middle of a tooth. */
  readonly tooth: Vec3;
  /** A ring with teeth inside. */
  readonly inner: boolean;
  /** Half angle of the pitch cone, in radians; 0 for a cylinder. The apex lies towards minus the axis. */
  readonly cone: number;
}

/** A rack, in axes of its body: teeth along a line, towards the pinion. */
export interface Rack {
  readonly relation: number;
  readonly body: number;
  /** A point of the pitch line in the middle of a gap. */
  readonly point: Vec3;
  readonly along: Vec3;
  readonly up: Vec3;
  /** Of one tooth, in metres. */
  readonly pitch: number;
  readonly low: number;
  readonly high: number;
}

/** Coordinates that go together and have no place where they touch. */
export interface Tie { readonly relation: number; readonly ends: readonly Frame[] }

export interface Gearing {
  readonly wheels: readonly Wheel[];
  readonly racks: readonly Rack[];
  readonly ties: readonly Tie[];
  /** By relation: where wheels touch, on the carrier; null for ties. */
  readonly spots: readonly (Frame | null)[];
}

const kParallel = 1e-4;
const kSpread = 200;  // samples over which the way of a rack is measured
const kFewestTeeth = 14, kMostTeeth = 96;

/** An end of a relation at a joint, seen from the carrier. */
interface End {
  /** Frames of the joint on the moving part and on the carrier. */
  readonly frame: Frame; readonly held: Frame;
  /** 1 if the coordinate grows with the motion of the moving part. */
  readonly sense: number;
  readonly coefficient: number;
  /** In ground axes at the start: the point, and the axis of turning or sliding. */
  readonly point: Vec3; readonly axis: Vec3;
}

/** How many teeth two wheels of these radii get so that both have whole numbers, nearly. */
function teethFor(small: number, large: number): number {
  const ratio = large / small, most = Math.max(kFewestTeeth, Math.min(24, Math.floor(kMostTeeth / ratio)));
  let best = kFewestTeeth, least = Infinity;
  for (let n = most; n >= Math.min(kFewestTeeth, most); n--) {
    const off = Math.abs(n * ratio - Math.round(n * ratio)) / (n * ratio);
    if (off < least - 1e-9) [least, best] = [off, n];
  }
  return best;
}

class GearingFinder {
  readonly wheels: Wheel[] = [];
  readonly racks: Rack[] = [];
  readonly ties: Tie[] = [];
  readonly spots: (Frame | null)[] = [];
  private readonly poses_: readonly Placement[];

  constructor(private readonly page: Page) {
    this.poses_ = posesAt(page, { index: 0, weight: 0 });
    page.relations.forEach((relation, index) => {
      const spot = relation.kind === 'gear' ? this.addGear(relation, index) : relation.kind === 'rack' ? this.addRack(relation, index) : null;
      this.spots.push(spot);
      if (!spot) this.addTie(relation, index);
    });
  }

  private poseOf(body: number): Placement { return body < 0 ? kNoPlacement : this.poses_[body]; }

  /** Both ends, if the relation is between two joints with one body in common. */
  private ends(relation: Relation): [End, End] | null {
    const [s, t] = relation.terms, joints = this.page.joints, a = joints[s?.joint ?? -1], b = joints[t?.joint ?? -1];
    if (relation.terms.length !== 2 || !a || !b) return null;
    const bodies = (j: Joint): number[] => [j.first.body, j.second.body];
    const carrier = bodies(a).find((body) => bodies(b).includes(body));
    if (carrier === undefined) return null;
    const end = (j: Joint, coordinate: string, coefficient: number): End => {
      const second = j.first.body === carrier, frame = second ? j.second : j.first, held = second ? j.first : j.second, at = frameAt(this.poses_, held);
      return { frame, held, sense: second ? 1 : -1, coefficient, point: frameAt(this.poses_, frame).p, axis: coordinate === 'slide' && j.kind !== 'cylindrical' && j.kind !== 'screw' ? xOf(at.q) : zOf(at.q) };
    };
    const both: [End, End] = [end(a, s.coordinate, s.coefficient), end(b, t.coordinate, t.coefficient)];
    return both.every((e) => finite(e.point) && finite(e.axis) && e.coefficient !== 0 && Number.isFinite(e.coefficient)) ? both : null;
  }

  /** A point of the ground's axes at the start as a frame of a body. */
  private onBody(body: number, p: Vec3): Frame {
    const point3 = place(inverse(this.poseOf(body)), p);
    return { body, point: [point3[0], point3[1]], angle: 0, point3, turn: [1, 0, 0, 0] };
  }

  // ---- Gears ---------------------------------------------------------------------------------------------------

  private addGear(relation: Relation, index: number): Frame | null {
    const ends = this.ends(relation);
    if (!ends) return null;
    const [a, b] = ends, ka = a.coefficient * a.sense, kb = b.coefficient * b.sense;
    return norm(cross(a.axis, b.axis)) < kParallel ? this.addSpur(ends, ka, kb * Math.sign(dot(a.axis, b.axis)), index) : this.addBevel(ends, ka, kb, index);
  }

  /** Parallel axes: ka wa + kb wb = 0 about the first axis. They turn against each other if ka kb > 0. */
  private addSpur([a, b]: [End, End], ka: number, kb: number, index: number): Frame | null {
    const way = across(minus(b.point, a.point), a.axis), distance = norm(way), outside = ka * kb > 0;
    const sum = outside ? Math.abs(ka) + Math.abs(kb) : Math.abs(Math.abs(ka) - Math.abs(kb));
    if (!(distance > 0) || !(sum > 1e-6 * Math.abs(ka))) return null;
    const ra = (distance * Math.abs(ka)) / sum, rb = (distance * Math.abs(kb)) / sum, u = unit(way);
    const toA = outside || ra > rb ? u : times(u, -1), toB = outside ? times(u, -1) : toA;
    this.addPair([a, b], [a.axis, a.axis], [a.point, add(a.point, way)], [ra, rb], [toA, toB], [!outside && ra > rb, !outside && rb > ra], [0, 0], index);
    return this.onBody(a.held.body, add(a.point, times(toA, ra)));
  }

  /** Axes that meet: cones that touch along the line kb a + ka b. */
  private addBevel([a, b]: [End, End], ka: number, kb: number, index: number): Frame | null {
    const n = cross(a.axis, b.axis), between = minus(b.point, a.point), gap = Math.abs(dot(between, n)) / norm(n), size = Math.max(norm(between), 1e-9);
    if (gap > 0.02 * size) return null;  // screw gears: no common point
    const s = dot(cross(between, b.axis), n) / dot(n, n), apex = add(a.point, times(a.axis, s));
    let line = unit(add(times(a.axis, kb), times(b.axis, ka)));
    const out = [a, b].map((e) => dot(minus(e.point, apex), e.axis)), far = Math.abs(out[0]) > Math.abs(out[1]) ? 0 : 1, farther = [a, b][far];
    if (dot(line, farther.axis) * out[far] < 0) line = times(line, -1);
    const cosines = [dot(line, a.axis), dot(line, b.axis)];
    if (cosines.some((c) => Math.abs(c) < 0.02) || !(Math.abs(out[far]) > 1e-9 * (1 + size))) return null;
    const length = Math.abs(out[far] / cosines[far]), touch = add(apex, times(line, length));
    const axes = [a, b].map((e, k) => times(e.axis, Math.sign(cosines[k]))) as [Vec3, Vec3], cones = cosines.map((c) => Math.acos(Math.min(1, Math.abs(c)))) as [number, number];
    const centres = axes.map((axis, k) => add(apex, times(axis, length * Math.cos(cones[k])))) as [Vec3, Vec3];
    this.addPair([a, b], axes, centres, cones.map((c) => length * Math.sin(c)) as [number, number], centres.map((c) => unit(minus(touch, c))) as [Vec3, Vec3], [false, false], cones, index);
    return this.onBody(a.held.body, touch);
  }

  /** Two wheels that mesh at the start: where one has a tooth the other has a gap. */
  private addPair(ends: [End, End], axes: [Vec3, Vec3], centres: [Vec3, Vec3], radii: [number, number], towards: [Vec3, Vec3], inner: [boolean, boolean], cones: [number, number], relation: number): void {
    const known = [0, 1].map((k) => this.sameWheel(ends[k].frame.body, centres[k], radii[k]));
    const base = known[0] || !known[1] ? 0 : 1, other = 1 - base, first = known[base];
    const teeth = first?.teeth ?? (radii[0] <= radii[1] ? teethFor(radii[0], radii[1]) : Math.round((teethFor(radii[1], radii[0]) * radii[0]) / radii[1]));
    const counts = base === 0 ? [teeth, Math.round((teeth * radii[1]) / radii[0])] : [Math.round((teeth * radii[0]) / radii[1]), teeth];
    const put = (k: number, tooth: Vec3): void => {
      const { body } = ends[k].frame, q = conjugate(this.poseOf(body).q);
      this.wheels.push({ relation, body, centre: place(inverse(this.poseOf(body)), centres[k]), axis: rotate(q, axes[k]), radius: radii[k], teeth: counts[k], tooth: rotate(q, tooth), inner: inner[k], cone: cones[k] });
    };
    if (!first) put(base, towards[base]);
    if (known[other]) return;
    // How far the touching point is past the middle of a tooth of the first wheel, in teeth, about its axis.
    const tooth = first ? rotate(this.poseOf(first.body).q, first.tooth) : towards[base], y = cross(axes[base], towards[base]);
    const past = -(Math.atan2(dot(tooth, y), dot(tooth, towards[base])) * counts[base]) / (2 * Math.PI);
    const against = dot(y, cross(axes[other], towards[other])) > 0 ? 1 : -1;
    put(other, this.turned(towards[other], axes[other], (against * (0.5 - past) * 2 * Math.PI) / counts[other]));
  }

  private turned(d: Vec3, axis: Vec3, angle: number): Vec3 { return add(times(d, Math.cos(angle)), times(cross(axis, d), Math.sin(angle))); }

  private sameWheel(body: number, centre: Vec3, radius: number): Wheel | undefined {
    const local = place(inverse(this.poseOf(body)), centre);
    return this.wheels.find((w) => w.body === body && Math.abs(w.radius - radius) < 0.01 * radius && norm(minus(w.centre, local)) < 0.01 * radius);
  }

  // ---- Racks and ties ------------------------------------------------------------------------------------------

  /** c s + k a = const: the rack moves by -k/c for each radian, along the pitch line that touches the pinion. */
  private addRack(relation: Relation, index: number): Frame | null {
    const ends = this.ends(relation), slide = relation.terms.findIndex((t) => t.coordinate === 'slide');
    if (!ends || slide < 0) return null;
    const bar = ends[slide], pinion = ends[1 - slide], way = (-pinion.coefficient / bar.coefficient) * pinion.sense * bar.sense, radius = Math.abs(way);
    if (Math.abs(dot(bar.axis, pinion.axis)) > 0.02 || !(radius > 0)) return null;
    const down = unit(times(cross(bar.axis, pinion.axis), Math.sign(way))), teeth = 18, touch = add(pinion.point, times(down, radius));
    if (!this.sameWheel(pinion.frame.body, pinion.point, radius)) {
      const q = conjugate(this.poseOf(pinion.frame.body).q);
      this.wheels.push({ relation: index, body: pinion.frame.body, centre: place(inverse(this.poseOf(pinion.frame.body)), pinion.point), axis: rotate(q, pinion.axis), radius, teeth, tooth: rotate(q, down), inner: false, cone: 0 });
    }
    const { body } = bar.frame, back = inverse(this.poseOf(body)), point = place(back, touch), along = rotate(back.q, bar.axis), pitch = (2 * Math.PI * radius) / teeth;
    let low = 0, high = 0;
    for (const sample of spreadSamples(this.page.time.length, kSpread)) {
      const poses = posesAt(this.page, { index: sample, weight: 0 }), of = (b: number): Placement => (b < 0 ? kNoPlacement : poses[b]);
      const s = dot(minus(compose(inverse(of(body)), frameAt(poses, pinion.frame)).p, point), along);
      if (Number.isFinite(s)) [low, high] = [Math.min(low, s), Math.max(high, s)];
    }
    this.racks.push({ relation: index, body, point, along, up: rotate(back.q, times(down, -1)), pitch, low: low - 3 * pitch, high: high + 3 * pitch });
    return this.onBody(pinion.held.body, touch);
  }

  private addTie(relation: Relation, index: number): void {
    const ends = relation.terms.flatMap(({ joint, body }): Frame[] => {
      if (joint >= 0) return [this.page.joints[joint].first.body < 0 ? this.page.joints[joint].second : this.page.joints[joint].first];
      return body >= 0 ? [{ body, point: [0, 0], angle: 0, point3: [0, 0, 0], turn: [1, 0, 0, 0] }] : [];
    });
    if (ends.length) this.ties.push({ relation: index, ends });
  }
}

export function gearingOf(page: Page): Gearing {
  return page.time.length ? new GearingFinder(page) : { wheels: [], racks: [], ties: [], spots: page.relations.map(() => null) };
}

/** The outline of a wheel's teeth around its circle, in units of its radius: angle from the tooth, and radius. */
export function toothProfile({ teeth, inner, radius }: Wheel): { readonly angle: number; readonly radius: number }[] {
  const step = (2 * Math.PI) / teeth, height = ((inner ? -0.9 : 0.9) * 2 * radius) / teeth, out: { angle: number; radius: number }[] = [];
  for (let k = 0; k < teeth; k++) {
    for (const [share, level] of [[-0.29, -1.1], [-0.15, 1], [0.15, 1], [0.29, -1.1]]) out.push({ angle: (k + share) * step, radius: radius + level * height });
  }
  return out;
}

/** A point of a wheel by its angle from the tooth, in axes of its body. */
export function onWheel(wheel: Wheel, angle: number, radius = wheel.radius): Vec3 {
  const e = unit(across(wheel.tooth, wheel.axis), anyAcross(wheel.axis));
  return add(wheel.centre, add(times(e, radius * Math.cos(angle)), times(cross(wheel.axis, e), radius * Math.sin(angle))));
}
