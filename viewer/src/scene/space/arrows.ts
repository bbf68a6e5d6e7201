// Arrows of reactions, applied loads and velocities, to scale over the whole run.
import type { Frame, Page, Place, Series } from '../../data';
import { valueAt } from '../../data';
import { brief, withUnit } from '../../format';
import { blockFrame, spreadSamples } from '../geometry';
import { niceStep } from '../layout';
import { frameAt, posesAt } from './motion';
import type { Target } from './picking';
import { Tint } from './solid';
import type { Stage } from './stage';
import { stretch } from './stage';
import type { Placement, Vec3 } from './vectors';
import { add, cross, finite, minus, norm, place, rotate, times } from './vectors';

const kPeak = 0.985;  // of all sizes: a lone spike does not shrink the others
const kRounding = 1e-9;  // moments below this part of force times size are nothing but rounding
const kLongest = 2.5;  // times the length of the scale
export const kArrow = 0.2, kMomentArrow = 0.15;  // length that stands for the scale, of the drawing's diagonal

/** What an arrow says when the pointer rests on it. */
export interface ArrowNote { readonly text: () => string }

interface Arrow { readonly target: Target; readonly notes: ArrowNote }

const vectorAt = (parts: readonly Series[], at: Place): Vec3 => [valueAt(parts[0].values, at), valueAt(parts[1].values, at), parts.length > 2 ? valueAt(parts[2].values, at) : 0];

/** A nice number near the largest size of these vectors; 0 if there is none. */
function scaleOf(page: Page, vectors: readonly (readonly Series[])[]): number {
  const sizes: number[] = [];
  for (const parts of vectors) {
    for (const i of spreadSamples(page.time.length, 400)) {
      const size = norm(vectorAt(parts, { index: i, weight: 0 }));
      if (Number.isFinite(size)) sizes.push(size);
    }
  }
  return niceTop(sizes);
}

function niceTop(sizes: number[]): number {
  sizes.sort((a, b) => a - b);
  const peak = sizes.length ? sizes[Math.floor(kPeak * (sizes.length - 1))] : 0;
  return peak > 0 ? niceStep(peak) : 0;
}

interface Velocity { readonly body: number; readonly rate: readonly Series[]; readonly spin: readonly Series[]; readonly arrow: Arrow }
interface Reaction { readonly frame: Frame; readonly parts: readonly Series[]; readonly sureOf: (at: Place) => Vec3; readonly sure: Arrow; readonly doubtful: Arrow | null; readonly moment: boolean }

export class Arrows {
  readonly forceScale: number;
  readonly momentScale: number;
  readonly speedScale: number;
  readonly length: number;
  private readonly notes_ = new Map<Target, ArrowNote>();
  private readonly reactions_: Reaction[] = [];
  private readonly forces_: { frame: Frame; parts: readonly Series[]; arrow: Arrow; scale: number }[] = [];
  private readonly couples_: { value: Series | null; plus: Target; minus: Target }[] = [];
  private readonly vectors_: { frame: Frame; parts: readonly Series[]; arrow: Arrow; scale: number }[] = [];
  private readonly velocities_: Velocity[] = [];

  constructor(private readonly page: Page, private readonly stage: Stage) {
    this.length = kArrow * stage.diagonal;
    // In the plane a moment is about z.
    const momentOf = (j: Page['joints'][number]): readonly Series[] | null => j.moment3 ?? (j.moment ? [...zeros(j.moment), j.moment] : null);
    const forces = page.joints.flatMap((j) => (j.force ? [j.force] : [])), moments = page.joints.map(momentOf);
    this.forceScale = scaleOf(page, forces);
    const momentScale = scaleOf(page, moments.filter((m): m is readonly Series[] => m !== null));
    this.momentScale = momentScale > kRounding * this.forceScale * stage.diagonal ? momentScale : 0;
    page.joints.forEach((joint, index) => {
      const part = stage.partOf({ kind: 'joint', index }), frame = joint.kind === 'prismatic' ? blockFrame(joint) : joint.second;
      if (joint.force && this.forceScale > 0) this.addReaction(part, frame, joint.force, joint.uniqueForce, joint.name, false);
      const moment = moments[index];
      if (moment && this.momentScale > 0) this.addReaction(part, frame, moment, joint.uniqueMoment, joint.name, true);
    });
    page.loads.forEach((load, index) => {
      const part = stage.partOf({ kind: 'load', index }), frame = load.second ?? load.first;
      if (!frame) return;
      if (load.kind === 'force' && load.force) this.forces_.push({ frame, parts: load.force, arrow: this.arrow(part, Tint.applied, { width: 1.15 }, this.sized(load.name, load.force)), scale: peakOf(page, load.force) });
      if (load.kind === 'couple' && load.moment3) this.vectors_.push({ frame, parts: load.moment3, arrow: this.arrow(part, Tint.applied, { heads: 2 }, this.sized(load.name, load.moment3)), scale: peakOf(page, load.moment3) });
      else if (load.kind === 'couple') {
        const made = stage.coupleArrows(load, part);
        if (made) this.couples_.push({ value: load.moment, plus: made.plus.target, minus: made.minus.target });
      }
    });
    this.speedScale = this.addVelocities();
    this.hideAll();
  }

  noteOf(target: Target | null): string { return (target && this.notes_.get(target)?.text()) ?? ''; }

  private at_: Place = { index: -1, weight: 0 };

  private arrow(part: number, tint: number, options: { dashed?: boolean; heads?: number; width?: number }, text: () => string): Arrow {
    const target = this.stage.show(this.stage.stretching.arrow(part, tint, options));
    const notes: ArrowNote = { text };
    this.notes_.set(target, notes);
    return { target, notes };
  }

  /** Its name and how large it is now. */
  private sized(name: string, parts: readonly Series[]): () => string {
    return () => `${name}: ${withUnit(brief(norm(vectorAt(parts, this.at_)), 3), parts[0].unit)}`;
  }

  /** What is unique makes one solid arrow, the rest one of dashes: by the part that is unique where it is known, else component by component. */
  private addReaction(part: number, frame: Frame, parts: readonly Series[], unique: readonly Series[] | null, name: string, moment: boolean): void {
    const tint = moment ? Tint.moment : Tint.force, heads = moment ? 2 : 1, what = `${moment ? 'moment' : 'force'} in ${name}`;
    const open = parts.flatMap((s, k) => (s.unique ? [] : ['xyz'[k]])), sureOf = (at: Place): Vec3 => (unique ? vectorAt(unique, at) : (vectorAt(parts, at).map((v, k) => (parts[k]?.unique === false ? 0 : v)) as unknown as Vec3));
    const value = (v: Vec3): string => withUnit(brief(norm(v), 3), parts[0].unit);
    const reason = `${unique ? '' : ` along ${open.join(', ')}`}, one of many that fit${this.page.redundant ? `: ${this.page.redundant}` : ''}. The smallest is shown.`;
    const sure = this.arrow(part, tint, { heads }, () => (open.length && unique ? `${what}, the part that is unique: ${value(sureOf(this.at_))}` : this.sized(what, parts)()));
    const doubtful = open.length ? this.arrow(part, tint, { heads, dashed: true }, () => `${what}: ${value(minus(vectorAt(parts, this.at_), sureOf(this.at_)))}${reason}`) : null;
    this.reactions_.push({ frame, parts, sureOf, sure, moment, doubtful });
  }

  private addVelocities(): number {
    const byName = new Map(this.page.series.map((s) => [s.name, s]));
    const all = (names: string[]): Series[] | null => {
      const found = names.map((n) => byName.get(n));
      return found.every((s): s is Series => s !== undefined) ? found : null;
    };
    this.page.bodies.forEach((body, index) => {
      const pose = body.pose3 ?? body.pose;
      const rate = pose && all(pose.slice(0, body.pose3 ? 3 : 2).map((s) => `${s.name}_rate`)), spin = all(['x', 'y', 'z'].map((a) => `${body.name}.angular_velocity.${a}`));
      const turn = body.pose && all([`${body.pose[2].name}_rate`]);
      if (!rate || (!spin && !turn)) return;
      this.velocities_.push({ body: index, rate, spin: spin ?? turn ?? [], arrow: this.arrow(this.stage.partOf({ kind: 'body', index }), Tint.velocity, {}, () => `velocity of ${body.name}`) });
    });
    const sizes: number[] = [];
    for (const index of spreadSamples(this.page.time.length, 100)) {
      const at = { index, weight: 0 }, poses = this.velocities_.length ? posesAt(this.page, at) : [];
      for (const v of this.velocities_) {
        const size = norm(this.velocity(v, at, poses[v.body]));
        if (Number.isFinite(size)) sizes.push(size);
      }
    }
    return niceTop(sizes);
  }

  /** Of a body's mass centre, or its origin where that is not known. */
  private velocity(v: Velocity, at: Place, pose: Placement): Vec3 {
    const arm = rotate(pose.q, this.page.bodies[v.body].com3 ?? [0, 0, 0]), spin: Vec3 = v.spin.length === 3 ? vectorAt(v.spin, at) : [0, 0, valueAt(v.spin[0].values, at)];
    return add(vectorAt(v.rate, at), cross(spin, arm));
  }

  private hideAll(): void {
    for (const r of this.reactions_) r.sure.target.shown.visible = false;
    for (const r of this.reactions_) if (r.doubtful) r.doubtful.target.shown.visible = false;
    for (const v of this.velocities_) v.arrow.target.shown.visible = false;
  }

  /** How many arrows are in the picture, by what they show. */
  count(): { reactions: number; dashed: number; loads: number; velocities: number } {
    const shown = (list: readonly (Target | undefined)[]): number => list.filter((t) => t?.shown.visible).length;
    return {
      reactions: shown(this.reactions_.map((r) => r.sure.target)), dashed: shown(this.reactions_.map((r) => r.doubtful?.target)),
      loads: shown([...this.forces_.map((f) => f.arrow.target), ...this.vectors_.map((v) => v.arrow.target), ...this.couples_.flatMap((c) => [c.plus, c.minus])]),
      velocities: shown(this.velocities_.map((v) => v.arrow.target)),
    };
  }

  move(at: Place, poses: readonly Placement[], options: { reactions: boolean; velocities: boolean }): void {
    this.at_ = at;
    for (const { frame, parts, sureOf, sure, doubtful, moment } of this.reactions_) {
      if (!options.reactions) {
        sure.target.shown.visible = false;
        if (doubtful) doubtful.target.shown.visible = false;
        continue;
      }
      const p = frameAt(poses, frame).p, all = vectorAt(parts, at), scale = ((moment ? kMomentArrow / kArrow : 1) * this.length) / (moment ? this.momentScale : this.forceScale);
      const unique = doubtful ? sureOf(at) : all;
      this.draw(sure, p, times(unique, scale));
      if (doubtful) this.draw(doubtful, p, times(minus(all, unique), scale));
    }
    for (const f of this.forces_) {
      const base = frameAt(poses, f.frame), v = times(vectorAt(f.parts, at), f.scale > 0 ? (0.9 * this.length) / f.scale : 0);
      this.draw(f.arrow, minus(base.p, v), v);
    }
    for (const v of this.vectors_) this.draw(v.arrow, frameAt(poses, v.frame).p, times(vectorAt(v.parts, at), v.scale > 0 ? (0.8 * this.length) / v.scale : 0));
    for (const { value, plus, minus: negative } of this.couples_) {
      const m = value ? valueAt(value.values, at) : 1;
      plus.shown.visible = m > 0;
      negative.shown.visible = m < 0;
    }
    for (const v of this.velocities_) {
      if (!options.velocities || !(this.speedScale > 0)) {
        v.arrow.target.shown.visible = false;
        continue;
      }
      const pose = poses[v.body];
      this.draw(v.arrow, place(pose, this.page.bodies[v.body].com3 ?? [0, 0, 0]), times(this.velocity(v, at, pose), this.length / this.speedScale));
    }
  }

  /** An arrow from p along v; a short one is smaller altogether, a very long one is cut. */
  private draw(arrow: Arrow, p: Vec3, v: Vec3): void {
    const size = norm(v), shown = arrow.target.shown;
    if (!finite(p) || !(size > 0.02 * this.length)) {
      shown.visible = false;
      return;
    }
    const length = Math.min(size, kLongest * this.length), head = 1.6 * this.stage.stretching.headLength;
    stretch(arrow.target, p, add(p, times(v, length / size)), Math.min(1, length / head));
  }
}

function zeros(like: Series): Series[] {
  const none: Series = { ...like, values: new Float64Array(like.values.length), unique: true };
  return [none, none];
}

function peakOf(page: Page, parts: readonly Series[]): number {
  let most = 0;
  for (let i = 0; i < page.time.length; i++) {
    const size = norm(vectorAt(parts, { index: i, weight: 0 }));
    if (size > most && Number.isFinite(size)) most = size;
  }
  return most;
}
