// The symbols of joints in space. Each piece belongs to one of the two bodies and moves with it.
import type { Frame, Joint, Page } from '../../data';
import { blockFrame, railFrame } from '../geometry';
import { bodyMiddle, gimbalRadius, isGimbal, thicknessAt } from './bodies';
import type { SpaceMotion } from './motion';
import { frameAt } from './motion';
import type { SpaceShape } from './shapes';
import type { SolidBuilder } from './solid';
import { Tint, kHatched } from './solid';
import type { Vec3 } from './vectors';
import { across, add, anyAcross, conjugate, cross, dot, minus, norm, rotate, times, unit, xOf, yOf, zOf } from './vectors';

const kGround = Tint.rail + kHatched;

export interface JointContext {
  readonly page: Page;
  readonly motion: SpaceMotion;
  /** Unit of length of the symbols. */
  readonly u: number;
  readonly up: Vec3;
  /** What is fixed to a body; -1 is the ground. */
  builder(body: number): SolidBuilder;
}

type Pieces = (builder: SolidBuilder) => void;

class JointDrawing {
  private readonly r_: number;

  constructor(private readonly context: JointContext, private readonly joint: Joint, private readonly part: number) {
    const thick = [joint.first, joint.second].map((f) => thicknessAt(context.page, f.body, f.point3).radius);
    this.r_ = Math.min(5 * context.u, Math.max(context.u, 1.15 * Math.max(...thick)));
  }

  /** Pieces in axes of a joint frame. */
  private on(frame: Frame, tint: number, pieces: Pieces): void {
    const builder = this.context.builder(frame.body);
    builder.part = this.part;
    builder.tint = tint;
    builder.inside({ p: frame.point3, q: frame.turn }, () => pieces(builder));
  }

  private tintOf(frame: Frame): number { return frame.body < 0 ? Tint.rail : Tint.link; }

  /** From the joint towards the matter of its body, in axes of the frame; the ground lies below, or above what hangs from it. */
  private towards(frame: Frame): Vec3 {
    const { page, motion } = this.context;
    if (frame.body >= 0) return unit(rotate(conjugate(frame.turn), minus(bodyMiddle(page, frame.body), frame.point3)), [1, 0, 0]);
    return unit(rotate(conjugate(frame.turn), this.footing(frame, frameAt(motion.start, frame).p)));
  }

  /** The side on which the ground holds: below, unless the body hangs down. */
  private footing(frame: Frame, p: Vec3): Vec3 {
    const { page, motion, up } = this.context, other = frame === this.joint.first ? this.joint.second : this.joint.first;
    if (other.body < 0) return times(up, -1);
    const pose = motion.start[other.body], away = minus(add(pose.p, rotate(pose.q, bodyMiddle(page, other.body))), p);
    return dot(unit(away), up) < -0.5 ? up : times(up, -1);
  }

  draw(): void {
    const { joint } = this;
    switch (joint.kind) {
      case 'revolute': this.hinge(); break;
      case 'prismatic': this.slider(); break;
      case 'cylindrical': this.sleeve(false); break;
      case 'screw': this.sleeve(true); break;
      case 'spherical': this.ball(); break;
      case 'universal': this.cross(); break;
      case 'constant_velocity': this.bell(); break;
      case 'planar': this.faces(); break;
      case 'pin_slot': case 'point_line': this.slot(); break;
      case 'point_plane': this.table(); break;
      case 'curve': this.track(); break;
      case 'fixed': this.weld(); break;
      case 'parallel_axes': case 'perpendicular': this.axes(); break;
      case 'knife_edge': this.blade(); break;
      case 'rolling': this.rolledOn(); break;
      case 'distance': this.anchor(joint.first); this.anchor(joint.second); break;
      default: break;
    }
    // What rolls or skates closes a loop always: that is nothing to mark.
    if (joint.cut && joint.kind !== 'rolling' && joint.kind !== 'knife_edge') this.cutMark();
  }

  private blade(): void {
    const r = this.r_;
    this.on(this.joint.second, Tint.metal, (b) => b.box([7 * r, 0.35 * r, 1.6 * r]));
  }

  /** The round ground: a circle across a cylinder's axis, of a ball two. */
  private rolledOn(): void {
    const { joint } = this, r = joint.firstRadius;
    if (!(r > 0) || joint.first.body >= 0) return;
    const circle = (at: (c: number, s: number) => Vec3): void => this.on(joint.first, Tint.rail, (b) => b.wire(
      Array.from({ length: 96 }, (_, k) => ({ p: at(r * Math.cos((2 * Math.PI * k) / 96), r * Math.sin((2 * Math.PI * k) / 96)) })), 0.2 * this.r_, 6, true));
    circle((c, s) => [c, s, 0]);
    if (!joint.cylinder) circle((c, s) => [c, 0, s]);
  }

  // ---- Turning -------------------------------------------------------------------------------------------------

  private hinge(): void {
    const { joint } = this, r = this.r_;
    if (this.gimbalPins()) return;
    const ground = joint.first.body < 0 ? joint.first : joint.second.body < 0 ? joint.second : null;
    const moving = ground === joint.first ? joint.second : joint.first, base = ground ?? joint.second;
    const half = Math.max(1.1 * r, ...[joint.first, joint.second].map((f) => this.halfWidth(f) + 0.3 * r)), pin = half + 0.75 * r;
    this.on(moving, Tint.link, (b) => b.along([0, 0, 0], [0, 0, 1], () => b.cylinder(-half, half, 1.3 * r)));
    this.on(base, Tint.metal, (b) => b.along([0, 0, 0], [0, 0, 1], () => {
      b.cylinder(-pin, pin, 0.62 * r);
      for (const s of [-1, 1]) b.cylinder(s * pin - 0.16 * r, s * pin + 0.16 * r, 0.95 * r);
    }));
    if (ground) this.bearing(ground, half);
  }

  /** How far a block or a mesh reaches along the frame's z axis on either side, if that is not far: the pin comes out of it. */
  private halfWidth(frame: Frame): number {
    const shapes = frame.body >= 0 ? this.context.page.bodies[frame.body].shapes3 : [], z = zOf(frame.turn);
    const corners = shapes.flatMap((s) => (holds(s, frame.point3) ? cornersOf(s) : []));
    if (!corners.length) return 0;
    const reach = Math.max(...corners.map((p) => Math.abs(dot(minus(p, frame.point3), z))));
    return reach < 9 * this.r_ ? reach : 0;
  }

  /** Two cheeks on a foot, or a flange under an axis that points into the ground. */
  private bearing(frame: Frame, half = 1.1 * this.r_): void {
    const r = this.r_, down = this.towards(frame);
    this.on(frame, kGround, (b) => {
      if (Math.abs(down[2]) > 0.85) {
        b.along([0, 0, 0], [0, 0, Math.sign(down[2])], () => {
          b.cylinder(half, half + 1.1 * r, 1.5 * r);
          b.cylinder(half + 1.1 * r, half + 1.7 * r, 3.1 * r);
        });
        return;
      }
      const d = unit(across(down, [0, 0, 1]));
      b.along([0, 0, 0], d, () => {
        for (const s of [-1, 1]) b.box([3.6 * r, 1.7 * r, 0.36 * r], [1.25 * r, 0, s * (half + 0.35 * r)]);
        b.box([0.6 * r, 3.4 * r, 3 * r + 2 * half], [3.2 * r, 0, 0]);
      }, cross([0, 0, 1], d));
    });
  }

  /** Between rings: stubs on both sides instead of a hinge in the middle. */
  private gimbalPins(): boolean {
    const { joint } = this, { page, u } = this.context;
    const radii = [joint.first, joint.second].map((f) => (f.body >= 0 && isGimbal(page, f.body) ? gimbalRadius(page, f.body) : f.body < 0 ? Infinity : 0));
    if (!radii.some((x) => x > 0 && x < Infinity)) return false;
    const inner = Math.min(...radii), outer = Math.max(...radii), end = outer === Infinity ? inner + 3.2 * u : outer + 1.2 * u;
    const start = inner > 0 ? inner - 1.2 * u : 0, holder = radii[0] >= radii[1] ? joint.first : joint.second;
    this.on(holder, Tint.metal, (b) => {
      for (const s of [-1, 1]) b.along([0, 0, 0], [0, 0, s], () => b.cylinder(start, end, 0.5 * u));
    });
    if (outer < Infinity) return true;
    const down = this.towards(holder);
    this.on(holder, kGround, (b) => {
      for (const s of Math.abs(down[2]) > 0.85 ? [Math.sign(down[2])] : [-1, 1]) b.along([0, 0, 0], [0, 0, s], () => b.cylinder(end - 0.6 * u, end + 0.4 * u, 2.6 * u));
    });
    return true;
  }

  private ball(): void {
    const { joint } = this, r = this.r_, ground = joint.second.body < 0 ? joint.second : joint.first;
    const socket = ground, stud = socket === joint.first ? joint.second : joint.first, back = this.towards(socket);
    this.on(stud, Tint.metal, (b) => b.sphere(1.25 * r));
    this.on(socket, socket.body < 0 ? kGround : Tint.link, (b) => b.along([0, 0, 0], times(back, -1), () => {
      b.bowl(1.3 * r, 0.42 * r, 1.45);
      if (socket.body >= 0) return;
      b.cylinder(-2.5 * r, -1.5 * r, 0.9 * r);
      b.cylinder(-3.1 * r, -2.5 * r, 2.8 * r);
    }));
  }

  /** A cross with two pins, each in a fork. */
  private cross(): void {
    const r = this.r_, arm = 2.7 * r;
    const fork = (frame: Frame, pin: Vec3): void => {
      let back = this.towards(frame);
      back = unit(across(back, pin), anyAcross(pin));
      this.on(frame, frame.body < 0 ? kGround : Tint.link, (b) => b.along([0, 0, 0], pin, () => {
        b.ring(arm, 0.55 * r, 0, Math.PI);
        if (frame.body >= 0) return;
        b.along([0, arm, 0], [0, 1, 0], () => b.cylinder(0.3 * r, 1.1 * r, 2.6 * r));
      }, back));
      this.on(frame, Tint.metal, (b) => b.along([0, 0, 0], pin, () => b.cylinder(-1.15 * arm, 1.15 * arm, 0.46 * r)));
    };
    fork(this.joint.first, [1, 0, 0]);
    fork(this.joint.second, [0, 1, 0]);
    this.on(this.joint.first, Tint.metal, (b) => b.sphere(0.85 * r));
  }

  private bell(): void {
    const { joint } = this, r = this.r_, back = this.towards(joint.first);
    this.on(joint.second, Tint.metal, (b) => {
      b.sphere(1.5 * r);
      for (let k = 0; k < 6; k++) b.inside({ p: [1.35 * r * Math.cos((k * Math.PI) / 3), 1.35 * r * Math.sin((k * Math.PI) / 3), 0], q: [1, 0, 0, 0] }, () => b.sphere(0.5 * r));
    });
    this.on(joint.first, Tint.link, (b) => b.along([0, 0, 0], times(back, -1), () => b.bowl(1.95 * r, 0.4 * r, 1.3)));
  }

  // ---- Sliding -------------------------------------------------------------------------------------------------

  /** Whether a rod of the body lies along this axis of the frame, so that it is its own rail or piston; its radius. */
  private alongOwnRod(frame: Frame, axis: Vec3): number {
    const { radius, axis: rod } = thicknessAt(this.context.page, frame.body, frame.point3);
    return rod && norm(cross(rod, rotate(frame.turn, axis))) < 0.02 ? Math.max(radius, 0.75 * this.context.u) : 0;
  }

  private slider(): void {
    const { joint } = this, r = this.r_, rail = railFrame(joint), block = blockFrame(joint), x: Vec3 = [1, 0, 0];
    const onRail = this.alongOwnRod(rail, x), onBlock = this.alongOwnRod(block, x);
    const [range] = this.context.motion.travel(rail, block);
    if (onRail || onBlock) {
      // One telescopes in the other: collars around it.
      const inner = Math.max(onRail, onBlock), places = rail.body < 0 ? [range.low - 1.5 * inner, range.high + 1.5 * inner] : [0];
      const collar: Pieces = (b) => places.forEach((at) => b.along([at, 0, 0], x, () => b.tube(-0.6 * r, 0.6 * r, inner + 0.5 * this.context.u, inner * 0.98)));
      this.on(rail, rail.body < 0 ? kGround : Tint.metal, collar);
      this.piston(rail, block, range.low, range.high, 0.7 * inner);
      if (places.length < 2) return;
      // Bars between the collars make a cage for the piston.
      this.on(rail, Tint.rail, (b) => [0, 1, 2].forEach((k) => {
        const a = (2 * Math.PI * k) / 3 + 0.5, off = inner + 0.25 * this.context.u;
        b.along([places[0], off * Math.cos(a), off * Math.sin(a)], x, () => b.cylinder(0, places[1] - places[0], 0.28 * this.context.u));
      }));
      return;
    }
    const ends = [range.low - 3.4 * r, range.high + 3.4 * r];
    this.on(rail, this.tintOf(rail), (b) => b.box([ends[1] - ends[0], 0.9 * r, 0.9 * r], [(ends[0] + ends[1]) / 2, 0, 0]));
    if (rail.body < 0) this.feet(rail, ends, 0.9 * r);
    this.on(block, Tint.link, (b) => b.box([3.8 * r, 2.3 * r, 2.3 * r]));
  }

  /** Where a rod is drawn out of the other, a thinner one bridges the gap. */
  private piston(rail: Frame, block: Frame, low: number, high: number, radius: number): void {
    const extent = (frame: Frame): [number, number] | null => {
      const rods = frame.body < 0 ? [] : this.context.page.bodies[frame.body].shapes3.flatMap((s) => ('from' in s ? [s.from, s.to] : []));
      const xs = rods.map((p) => dot(minus(p, frame.point3), xOf(frame.turn)));
      return xs.length ? [Math.min(...xs), Math.max(...xs)] : null;
    };
    const outer = extent(rail), rod = extent(block);
    if (!outer || !rod) return;
    // In axes of the block frame, at the ends of the run: the rod of the rail, seen from the side on which the block's lies.
    const ahead = (rod[0] + rod[1]) / 2 + (low + high) / 2 > (outer[0] + outer[1]) / 2;
    const gap = ahead ? high + rod[0] - outer[1] : outer[0] - (low + rod[1]);
    if (!(gap > 0)) return;
    const from = ahead ? Math.max(outer[1] - high - 1.5 * radius, outer[0] - low) : rod[1], to = ahead ? rod[0] : Math.min(outer[0] - low + 1.5 * radius, outer[1] - high);
    if (to > from) this.on(block, Tint.metal, (b) => b.along([from, 0, 0], [1, 0, 0], () => b.cylinder(0, to - from, radius)));
  }

  /** The ends of a rail that the ground holds. */
  private feet(frame: Frame, ends: readonly number[], width: number): void {
    const r = this.r_, d = unit(across(this.towards(frame), [1, 0, 0]), [0, 0, -1]);
    this.on(frame, kGround, (b) => {
      for (const at of ends) b.along([at, 0, 0], d, () => {
        b.box([2.2 * r, 0.5 * r, 1.6 * width], [0.6 * r, 0, 0]);
        b.box([0.45 * r, 2 * r, 3 * width], [1.9 * r, 0, 0]);
      }, [1, 0, 0]);
    });
  }

  /** A sleeve on a round rod; with a thread it is a nut on a screw. */
  private sleeve(threaded: boolean): void {
    const { joint } = this, r = this.r_, z: Vec3 = [0, 0, 1];
    // The rod belongs to the second body, if that is no ground: the first holds the sleeve.
    const shaft = joint.second.body < 0 ? joint.first : joint.second, bush = shaft === joint.second ? joint.first : joint.second;
    const range = this.context.motion.travel(shaft, bush)[2], own = this.alongOwnRod(shaft, z);
    const radius = own || 0.85 * r, ends = [Math.min(range.low, 0) - 2.6 * r, Math.max(range.high, 0) + 2.6 * r];
    this.on(shaft, Tint.metal, (b) => b.along([0, 0, 0], z, () => {
      if (!own) b.cylinder(ends[0], ends[1], radius);
      if (!threaded) return;
      const pitch = Math.max(Math.abs(joint.pitch) || 0.6 * r, 0.5 * r, (ends[1] - ends[0]) / 60), hand = joint.pitch < 0 ? -1 : 1;
      const steps = Math.ceil(((ends[1] - ends[0]) / pitch) * 12);
      b.tint = Tint.spring;
      b.wire(Array.from({ length: steps + 1 }, (_, i) => {
        const s = (ends[1] - ends[0]) * (i / steps), a = (hand * 2 * Math.PI * s) / pitch;
        return { p: [ends[0] + s, radius * Math.cos(a), radius * Math.sin(a)] as Vec3 };
      }), 0.16 * r, 5);
    }));
    this.on(bush, this.tintOf(bush), (b) => b.along([0, 0, 0], z, () => {
      const outer = radius + 0.75 * r, half = 1.6 * r;
      b.revolve([[-half, radius], [-half, outer], [half, outer], [half, radius]], threaded ? { sides: 6 } : {});
    }));
    if (bush.body < 0) this.bearing(bush);
  }

  /** A ball or a pin between two bars. */
  private slot(): void {
    const { joint } = this, r = this.r_, [range] = this.context.motion.travel(joint.second, joint.first);
    const pin = joint.kind === 'pin_slot', length = range.high - range.low + 4.4 * r, at = (range.low + range.high) / 2;
    this.on(joint.second, joint.second.body < 0 ? kGround : Tint.link, (b) => {
      for (const s of [-1, 1]) b.box([length, 0.5 * r, 1.3 * r], [at, s * 1.5 * r, 0]);
      for (const s of [-1, 1]) b.box([0.5 * r, 3.5 * r, 1.3 * r], [at + (s * length) / 2, 0, 0]);
    });
    this.on(joint.first, Tint.metal, (b) => (pin ? b.along([0, 0, 0], [0, 0, 1], () => b.cylinder(-1.3 * r, 1.3 * r, 1.1 * r)) : b.sphere(1.2 * r)));
  }

  // ---- Planes and curves ---------------------------------------------------------------------------------------

  private faces(): void {
    const { joint } = this, r = this.r_, [x, y] = this.context.motion.travel(joint.second, joint.first);
    this.on(joint.second, joint.second.body < 0 ? kGround : Tint.linkDark, (b) => b.box([x.high - x.low + 7 * r, y.high - y.low + 7 * r, 0.4 * r], [(x.low + x.high) / 2, (y.low + y.high) / 2, -0.3 * r]));
    this.on(joint.first, joint.first.body < 0 ? kGround : Tint.metal, (b) => b.box([4.4 * r, 4.4 * r, 0.4 * r], [0, 0, 0.3 * r]));
  }

  private table(): void {
    const { joint } = this, r = this.r_, [x, y] = this.context.motion.travel(joint.second, joint.first);
    this.on(joint.second, joint.second.body < 0 ? kGround : Tint.linkDark, (b) => b.box([x.high - x.low + 6 * r, y.high - y.low + 6 * r, 0.4 * r], [(x.low + x.high) / 2, (y.low + y.high) / 2, -1.4 * r]));
    this.on(joint.first, Tint.metal, (b) => b.sphere(1.2 * r));
  }

  /** The part of the curve that the point passed in the run. */
  private track(): void {
    const { joint } = this, r = this.r_, path = this.context.motion.path(joint.second, joint.first).filter((_, i, all) => i === 0 || norm(minus(all[i], all[i - 1])) > 1e-9);
    if (path.length > 1) this.on(joint.second, joint.second.body < 0 ? kGround : Tint.linkDark, (b) => b.wire(path.map((p) => ({ p })), 0.3 * r));
    this.on(joint.first, Tint.metal, (b) => b.sphere(1.1 * r));
  }

  private weld(): void {
    const { joint } = this, r = this.r_, frame = joint.first.body < 0 ? joint.first : joint.second;
    this.on(frame, frame.body < 0 ? kGround : Tint.spring, (b) => b.box([2.1 * r, 2.1 * r, 2.1 * r]));
  }

  /** Thin axes: these joints act at no point. */
  private axes(): void {
    const r = this.r_;
    for (const frame of [this.joint.first, this.joint.second]) this.on(frame, Tint.muted, (b) => b.along([0, 0, 0], [0, 0, 1], () => b.cylinder(-3 * r, 3 * r, 0.2 * r)));
  }

  private anchor(frame: Frame): void {
    const r = 0.8 * this.context.u;
    this.on(frame, Tint.metal, (b) => b.sphere(r));
    if (frame.body >= 0) return;
    const down = this.towards(frame);
    this.on(frame, kGround, (b) => b.along([0, 0, 0], down, () => b.revolve([[0.4 * r, 0], [0.4 * r, 0.6 * r], [2.4 * r, 1.8 * r], [3 * r, 1.8 * r], [3 * r, 0]])));
  }

  /** Two crossed bars: here a loop was opened. */
  private cutMark(): void {
    const { joint } = this, r = this.r_, axis = joint.kind === 'prismatic' ? xOf(joint.first.turn) : zOf(joint.first.turn);
    const local = rotate(conjugate(joint.first.turn), axis), side = rotate(conjugate(joint.first.turn), anyAcross(yOf(joint.first.turn)));
    this.on(joint.first, Tint.muted, (b) => b.along([0, 0, 0], local, () => {
      for (const s of [-1, 1]) b.along([2.6 * r, 0, 0], [0, 1, s], () => b.box([5.2 * r, 0.5 * r, 0.3 * r]), [1, 0, 0]);
    }, Math.abs(dot(side, local)) < 0.9 ? side : anyAcross(local)));
  }
}

/** Whether a point is in a box or nearly; a mesh counts as holding every point. */
function holds(shape: SpaceShape, p: Vec3): boolean {
  if (shape.kind !== 'box') return true;
  return rotate(conjugate(shape.turn), minus(p, shape.centre)).every((x, k) => Math.abs(x) <= 0.6 * shape.size[k]);
}

/** Corners of boxes and a spread of the vertices of meshes. */
function cornersOf(shape: SpaceShape): Vec3[] {
  if (shape.kind === 'box') return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => add(shape.centre, rotate(shape.turn, shape.size.map((s, i) => (k & (1 << i) ? s / 2 : -s / 2)) as unknown as Vec3)));
  if (shape.kind !== 'mesh') return [];
  const n = shape.vertices.length / 3, step = Math.max(1, Math.floor(n / 500)), out: Vec3[] = [];
  for (let i = 0; i < n; i += step) out.push([shape.vertices[3 * i], shape.vertices[3 * i + 1], shape.vertices[3 * i + 2]]);
  return out;
}

export function buildJoint(context: JointContext, joint: Joint, part: number): void {
  new JointDrawing(context, joint, part).draw();
}
