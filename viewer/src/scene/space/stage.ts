// Everything that the drawing in space consists of, made once: solids of bodies with their joints, what stretches, arrows, traces.
import type { Frame, Load, Page, Place } from '../../data';
import { vectorAt } from '../../data';
import type { PartKind, PartRef } from '../../selection';
import { niceStep } from '../scales';
import { actuatesSlide, spreadSamples } from '../geometry';
import type { Gearing } from '../gearing';
import { gearingOf } from '../gearing';
import { bodyMiddle, buildBody } from './bodies';
import { buildGearing } from './gears';
import { buildJoint } from './joints';
import type { Box3 } from './motion';
import { SpaceMotion, attachments, frameAt, posesAt } from './motion';
import type { Painter, Shown, Trail } from './painter';
import type { Target } from './picking';
import type { Solid } from './solid';
import { SolidBuilder, Tint } from './solid';
import { Stretching, bentArrow } from './stretching';
import type { Placement, Vec3 } from './vectors';
import { add, cross, dot, finite, minus, norm, place, times, unit, xTo } from './vectors';

const kKinds: readonly PartKind[] = ['body', 'joint', 'relation', 'drive', 'load'];
const kManyBodies = 40;  // from here on round things get fewer sides
const kLongestTrace = 3000;

/** A solid that stretches between two frames. */
interface Link { readonly target: Target; readonly first: Frame; readonly second: Frame }
/** A rigid solid in a frame. */
export interface Fixed { readonly target: Target; readonly frame: Frame }

export class Stage {
  readonly motion: SpaceMotion;
  readonly gearing: Gearing;
  readonly u: number;
  readonly up: Vec3;
  readonly bodies: readonly Shown[];
  readonly targets: Target[] = [];
  readonly traces: readonly Trail[];
  /** Frames of bodies and marks of mass centres, by body. */
  readonly triads: readonly Shown[];
  readonly centres: readonly (Shown | null)[];
  /** Where bodies touch that roll, by joint. */
  readonly contacts: readonly (Shown | null)[];
  /** Points that bound the whole motion. */
  readonly outline: readonly Vec3[];
  /** Of the box around it. */
  readonly diagonal: number;
  readonly stretching: Stretching;
  private readonly links_: Link[] = [];
  private readonly fixed_: Fixed[] = [];
  private readonly sides_: number;
  private readonly firsts_: number[];

  constructor(readonly page: Page, private readonly painter: Painter, coarse: boolean) {
    this.motion = new SpaceMotion(page);
    this.up = upOf(page);
    this.sides_ = coarse ? 8 : page.bodies.length > kManyBodies ? 12 : 28;
    this.firsts_ = [0];
    for (const list of [page.bodies, page.joints, page.relations, page.drives]) this.firsts_.push(this.firsts_[this.firsts_.length - 1] + list.length);
    this.gearing = gearingOf(page);
    this.u = this.unitOf();
    this.stretching = new Stretching(this.u, Math.min(this.sides_, 14));

    const builders = new Map<number, SolidBuilder>();
    const builder = (body: number): SolidBuilder => {
      if (!builders.has(body)) builders.set(body, new SolidBuilder(this.sides_));
      return builders.get(body)!;
    };
    const carriers = new Set(this.gearing.spots.map((spot) => spot?.body));
    page.bodies.forEach((_, i) => {
      builder(i).part = this.partOf({ kind: 'body', index: i });
      buildBody(builder(i), page, i, this.u, carriers.has(i));
    });
    const context = { page, motion: this.motion, u: this.u, up: this.up, builder };
    page.joints.forEach((joint, index) => buildJoint(context, joint, this.partOf({ kind: 'joint', index })));
    this.addParts(builder);
    buildGearing({ u: this.u, builder, partOf: (index) => this.partOf({ kind: 'relation', index }), tie: (part) => this.stretching.tie(part), link: (solid, first, second) => this.link(solid, first, second) }, this.gearing);
    const solids = page.bodies.map((_, i) => builder(i).finish());
    this.bodies = solids.map((solid) => this.show(solid).shown);
    const ground = builders.has(-1) ? builder(-1).finish() : null;
    if (ground) this.show(ground);
    this.triads = page.bodies.map(() => painter.show(this.triad()));
    this.centres = page.bodies.map((b) => (b.com3 ? painter.show(this.centreMark(b.com3)) : null));
    this.contacts = page.joints.map((j) => (j.contact ? painter.show(this.contactMark()) : null));
    for (const s of [...this.triads, ...this.centres]) if (s) s.visible = false;
    this.outline = extremePoints(this.hullPoints(solids, ground));
    const box = boxAround(this.outline);
    this.diagonal = norm(minus(box.high, box.low)) || 1;
    painter.show(this.grid(box));
    const contacts = page.joints.flatMap((j) => (j.contact ? [j.contact] : []));
    this.traces = [
      ...page.traces.map((t, i) => this.trace((k) => place(posesAt1(page, t.body, k), t.point3), i)),
      ...contacts.map((c, i) => this.trace((k) => [c[0].values[k], c[1].values[k], c[2].values[k]], page.traces.length + i)),
    ];
  }

  // ---- Numbers of parts ------------------------------------------------------------------------------------------

  partOf(ref: PartRef): number { return this.firsts_[kKinds.indexOf(ref.kind)] + ref.index; }

  refOf(part: number): PartRef | null {
    if (part < 0) return null;
    let k = kKinds.length - 1;
    while (part < this.firsts_[k]) k--;
    return { kind: kKinds[k], index: part - this.firsts_[k] };
  }

  // ---- Making ----------------------------------------------------------------------------------------------------

  /** Puts a solid into the picture, where it can be picked. */
  show(solid: Solid): Target {
    const target: Target = { shown: this.painter.show(solid), length: 0, scale: 1 };
    this.targets.push(target);
    return target;
  }

  /** The radius of a small hinge: small against links, large enough to be seen. */
  private unitOf(): number {
    const { page, motion } = this, lengths: number[] = [];
    page.bodies.forEach((b, i) => {
      const points = [...attachments(page, i), ...b.points3, ...(b.com3 ? [b.com3] : []), ...b.shapes3.flatMap((s) => ('from' in s ? [s.from, s.to] : 'centre' in s ? [s.centre] : []))];
      const box = boxAround(points);
      const size = norm(minus(box.high, box.low));
      if (points.length > 1 && size > 0) lengths.push(size);
      if (b.shapes3.length === 0 && b.standIn && 'radius' in b.standIn) lengths.push(2 * b.standIn.radius);
      if (b.shapes3.length === 0 && b.standIn?.kind === 'box') lengths.push(Math.max(...b.standIn.size));
    });
    const typical = lengths.sort((a, b) => a - b)[Math.floor(lengths.length / 2)] ?? (motion.diagonal || 1);
    const size = Math.max(motion.diagonal, lengths[lengths.length - 1] ?? 0) || 1;
    // Not much thicker than the rods, where the file gives their radius.
    const radii = page.bodies.flatMap((b) => b.shapes3.flatMap((s) => ('from' in s && s.radius > 0 ? [s.radius] : []))).sort((a, b) => a - b);
    const most = Math.min(0.02 * size, radii.length ? 1.6 * radii[Math.floor(radii.length / 2)] : Infinity);
    return Math.max(0.006 * size, Math.min(most, 0.034 * typical));
  }

  /** Drives and loads: what moves with one body goes into its solid, what stretches stands alone. */
  private addParts(builder: (body: number) => SolidBuilder): void {
    const { page, u, stretching } = this;
    const on = (frame: Frame, part: number, tint: number, pieces: (b: SolidBuilder) => void): void => {
      const b = builder(frame.body);
      b.part = part;
      b.tint = tint;
      b.inside({ p: frame.point3, q: frame.turn }, () => pieces(b));
    };
    const turning = (frame: Frame, part: number): void => on(frame, part, Tint.accent, (b) => b.along([0, 0, 0], [0, 0, 1], () => bentArrow(b, this.ringAt(frame), 0.28 * u, 1)));
    const sliding = (frame: Frame, part: number): void => on(frame, part, Tint.accent, (b) => {
      for (const s of [-1, 1]) b.along([0, 0, 3.2 * u], [s, 0, 0], () => b.revolve([[0, 0], [0, 0.28 * u], [3 * u, 0.28 * u], [3 * u, 0.8 * u], [4.8 * u, 0]]));
    });
    page.drives.forEach((drive, index) => {
      const part = this.partOf({ kind: 'drive', index }), frame = drive.second ?? drive.first;
      if (!frame) return;
      if (drive.kind === 'distance' && drive.first && drive.second) this.link(stretching.actuator(part), drive.first, drive.second);
      else if (drive.kind === 'angle') turning(drive.first && drive.first.body < 0 ? drive.first : frame, part);
      else sliding(frame, part);
    });
    page.loads.forEach((load, index) => {
      const part = this.partOf({ kind: 'load', index }), { first, second } = load, base = first ?? second;
      if (!base) return;
      if (first && second && load.kind === 'spring') this.link(stretching.spring(part), first, second);
      else if (first && second && load.kind === 'damper') this.link(stretching.damper(part), first, second);
      else if (first && second && load.kind === 'spring_damper') this.link(stretching.springDamper(part), first, second);
      else if (first && second && load.kind === 'actuator') this.link(stretching.actuator(part), first, second);
      else if (load.kind === 'joint_actuator') (actuatesSlide(page, load) ? sliding : turning)(second ?? base, part);
      else if (load.kind.startsWith('rotational')) on(base, part, Tint.spring, (b) => this.spiral(b, this.ringAt(base)));
      else if (load.kind === 'bushing') on(base, part, Tint.linkDark, (b) => b.box([3.4 * u, 3.4 * u, 3.4 * u]));
    });
    page.joints.forEach((joint, index) => {
      if (joint.kind === 'distance') this.link(stretching.strut(this.partOf({ kind: 'joint', index })), joint.first, joint.second);
    });
  }

  /** Radius of a ring that clears the symbol of the joint there. */
  private ringAt(frame: Frame): number {
    let thick = this.u;
    for (const shape of frame.body >= 0 ? this.page.bodies[frame.body].shapes3 : []) if ('from' in shape) thick = Math.max(thick, 1.2 * shape.radius);
    return Math.min(5 * this.u, thick) * 1.3 + 1.5 * this.u;
  }

  private spiral(b: SolidBuilder, outer: number): void {
    const { u } = this, n = 72, inner = 0.42 * outer;
    b.wire(Array.from({ length: n + 1 }, (_, i) => {
      const w = i / n, a = 2 * Math.PI * 2.5 * w, r = inner + (outer - inner) * w;
      return { p: [r * Math.cos(a), r * Math.sin(a), 1.7 * u] as Vec3 };
    }), 0.15 * u, 5);
  }

  private link(solid: Solid, first: Frame, second: Frame): void {
    this.links_.push({ target: this.show(solid), first, second });
  }

  /** A solid that is put into a frame at every time, such as a bent arrow of a couple. */
  inFrame(part: number, tint: number, frame: Frame, pieces: (b: SolidBuilder) => void): Fixed {
    const b = new SolidBuilder(Math.min(14, this.sides_));
    b.part = part;
    b.tint = tint;
    pieces(b);
    const fixed: Fixed = { target: this.show(b.finish()), frame };
    this.fixed_.push(fixed);
    return fixed;
  }

  /** The bent arrows of a couple about its frame's z axis: for positive and for negative moments. */
  coupleArrows(load: Load, part: number): { plus: Fixed; minus: Fixed } | null {
    const frame = load.second ?? load.first;
    if (!frame) return null;
    const make = (sign: number): Fixed => this.inFrame(part, Tint.applied, frame, (b) => b.along([0, 0, 0], [0, 0, 1], () => b.inside({ p: [2.9 * this.u, 0, 0], q: [1, 0, 0, 0] }, () => bentArrow(b, this.ringAt(frame), 0.34 * this.u, sign))));
    return { plus: make(1), minus: make(-1) };
  }

  private triad(): Solid {
    const b = new SolidBuilder(8), { u } = this, length = 7 * u;
    ([[Tint.x, [1, 0, 0]], [Tint.y, [0, 1, 0]], [Tint.z, [0, 0, 1]]] as [number, Vec3][]).forEach(([tint, d]) => {
      b.tint = tint;
      b.along([0, 0, 0], d, () => b.revolve([[0, 0], [0, 0.24 * u], [length - 1.6 * u, 0.24 * u], [length - 1.6 * u, 0.7 * u], [length, 0]]));
    });
    return b.finish();
  }

  private contactMark(): Solid {
    const b = new SolidBuilder(12);
    b.tint = Tint.spring;
    b.sphere(0.9 * this.u);
    return b.finish();
  }

  private centreMark(com: Vec3): Solid {
    const b = new SolidBuilder(12);
    b.tint = Tint.metal;
    b.inside({ p: com, q: [1, 0, 0, 0] }, () => b.sphere(1.35 * this.u, true));
    return b.finish();
  }

  /** A faint net below everything. */
  private grid(box: Box3): Solid {
    const { up } = this, b = new SolidBuilder(4), axes = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] as Vec3[]).filter((a) => Math.abs(dot(a, up)) < 0.5);
    const side = (a: Vec3, s: number): number => dot(s > 0 ? box.high : box.low, a);
    const size = Math.max(...axes.map((a) => side(a, 1) - side(a, -1)), 1e-9), step = niceStep(size / 6), width = 0.0016 * (size + step);
    const level = Math.min(dot(box.low, up), dot(box.high, up)) - 0.4 * this.u;
    const [e, f] = axes, range = (a: Vec3): [number, number] => [Math.floor((side(a, -1) - 0.4 * step) / step), Math.ceil((side(a, 1) + 0.4 * step) / step)];
    const [e0, e1] = range(e), [f0, f1] = range(f), at = (x: number, y: number): Vec3 => add(times(up, level), add(times(e, x), times(f, y)));
    b.tint = Tint.grid;
    const strip = (a: Vec3, c: Vec3, w: Vec3): void => {
      const corners = [minus(a, w), minus(c, w), add(c, w), add(a, w)];
      b.face(dot(cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])), up) > 0 ? corners : corners.reverse());
    };
    for (let i = e0; i <= e1; i++) strip(at(i * step, f0 * step), at(i * step, f1 * step), times(e, width));
    for (let i = f0; i <= f1; i++) strip(at(e0 * step, i * step), at(e1 * step, i * step), times(f, width));
    return b.finish(false);
  }

  private trace(at: (sample: number) => Vec3, index: number): Trail {
    const samples = spreadSamples(this.page.time.length, kLongestTrace), points: number[] = [], times_: number[] = [];
    for (const i of samples) {
      const p = at(i);
      if (!finite(p)) continue;
      points.push(...p);
      times_.push(this.page.time[i]);
    }
    return this.painter.trail(Float32Array.from(points), Float32Array.from(times_), [Tint.x, Tint.velocity, Tint.applied, Tint.z][index % 4]);
  }

  /** Corners of the boxes around the solids, over the run. */
  private hullPoints(solids: readonly Solid[], ground: Solid | null): Vec3[] {
    const corners = (solid: Solid): Vec3[] => cornersOf(boxOfSolid(solid)), out: Vec3[] = ground ? corners(ground) : [];
    const local = solids.map(corners), poses = this.motion.poses, step = Math.max(1, Math.floor(poses.length / 60));
    for (let k = 0; k < poses.length; k += step) poses[k].forEach((pose, i) => finite(pose.p) && finite(pose.q) && local[i].forEach((p) => out.push(place(pose, p))));
    for (const p of attachments(this.page, -1)) out.push(p);
    const first = poses[0];
    if (!first) out.push([-1, -1, -1], [1, 1, 1]);
    return out.length ? out : [[-1, -1, -1], [1, 1, 1]];
  }

  // ---- Moving ----------------------------------------------------------------------------------------------------

  move(at: Place, poses: readonly Placement[]): void {
    this.page.joints.forEach(({ contact }, i) => {
      const mark = this.contacts[i];
      if (!contact || !mark) return;
      const p = vectorAt(contact, at);
      mark.visible = finite(p);
      if (mark.visible) mark.put({ p, q: [1, 0, 0, 0] });
    });
    this.bodies.forEach((shown, i) => {
      const pose = poses[i], good = pose !== undefined && finite(pose.p) && finite(pose.q);
      shown.visible = good;
      if (pose) shown.put(pose);
      this.triads[i].put(pose);
      this.centres[i]?.put(pose);
    });
    for (const { target, first, second } of this.links_) stretch(target, frameAt(poses, first).p, frameAt(poses, second).p);
    for (const { target, frame } of this.fixed_) {
      const at = frameAt(poses, frame);
      if (finite(at.p) && finite(at.q)) target.shown.put(at);
    }
  }

  bodyMiddle(index: number): Vec3 { return bodyMiddle(this.page, index); }
}

/** Puts a stretching solid between two points; hidden where one is unknown or they are one. */
export function stretch(target: Target, from: Vec3, to: Vec3, scale = 1): void {
  const d = minus(to, from), length = norm(d);
  target.shown.visible = length > 0 && Number.isFinite(length);
  if (!target.shown.visible) return;
  target.length = length;
  target.scale = scale;
  target.shown.put({ p: from, q: xTo(unit(d)) }, length, scale);
}

function posesAt1(page: Page, body: number, index: number): Placement {
  return posesAt({ ...page, bodies: [page.bodies[body]] }, { index, weight: 0 })[0];
}

function upOf(page: Page): Vec3 {
  const g = page.gravity3, k = g.reduce((best, v, i) => (Math.abs(v) > Math.abs(g[best]) ? i : best), 0);
  if (norm(g) > 0) return [0, 1, 2].map((i) => (i === k ? -Math.sign(g[k]) : 0)) as unknown as Vec3;
  return page.space === 'spatial' ? [0, 0, 1] : [0, 1, 0];
}

function boxAround(points: readonly Vec3[]): Box3 {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (const p of points) for (let k = 0; k < 3; k++) [low[k], high[k]] = [Math.min(low[k], p[k]), Math.max(high[k], p[k])];
  return { low: low as unknown as Vec3, high: high as unknown as Vec3 };
}

function boxOfSolid(solid: Solid): Box3 {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity], p = solid.positions;
  for (let i = 0; i < p.length; i++) {
    low[i % 3] = Math.min(low[i % 3], p[i]);
    high[i % 3] = Math.max(high[i % 3], p[i]);
  }
  return { low: low as unknown as Vec3, high: high as unknown as Vec3 };
}

const cornersOf = ({ low, high }: Box3): Vec3[] => (finite(low) && finite(high) ? [0, 1, 2, 3, 4, 5, 6, 7].map((k): Vec3 => [k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]]) : []);

/** The points farthest out in directions all around: as good as all of them for framing. */
function extremePoints(points: readonly Vec3[]): Vec3[] {
  const kept = new Set<Vec3>();
  for (let i = 0; i < 90; i++) {
    // A spiral of directions over the sphere, evenly spread.
    const z = 1 - (2 * i + 1) / 90, r = Math.sqrt(1 - z * z), a = i * 2.399963, d: Vec3 = [r * Math.cos(a), r * Math.sin(a), z];
    let best = points[0], most = -Infinity;
    for (const p of points) {
      const s = dot(p, d);
      if (s > most) [most, best] = [s, p];
    }
    kept.add(best);
  }
  return [...kept];
}
