// Arrows of reactions, applied loads and velocities, to scale over the whole run.
import type { Frame, Page, Place, Series } from '../../data';
import { valueAt, vectorAt } from '../../data';
import { brief, withUnit } from '../../format';
import type { Reaction } from '../../reactions';
import { reactionsOf } from '../../reactions';
import { blockFrame, spreadSamples } from '../geometry';
import { niceTop } from '../scales';
import type { Velocity } from '../velocities';
import { Velocities } from '../velocities';
import { frameAt } from './motion';
import type { Target } from './picking';
import { Tint } from './solid';
import type { Stage } from './stage';
import { stretch } from './stage';
import type { Placement, Vec3 } from './vectors';
import { add, finite, minus, norm, place, times } from './vectors';

const kRounding = 1e-9;  // moments below this part of force times size are nothing but rounding
const kLongest = 2.5;  // times the length of the scale
export const kArrow = 0.2, kMomentArrow = 0.15;  // length that stands for the scale, of the drawing's diagonal

/** What an arrow says when the pointer rests on it. */
export interface ArrowNote { readonly text: () => string }

interface Arrow { readonly target: Target; readonly notes: ArrowNote }

/** A nice number near the largest size of these vectors; 0 if there is none. */
function scaleOf(page: Page, vectors: readonly Reaction[]): number {
  return niceTop(vectors.flatMap((v) => spreadSamples(page.time.length, 400).map((index) => norm(v.all({ index, weight: 0 })))));
}

interface ShownReaction { readonly reaction: Reaction; readonly frame: Frame; readonly sure: Arrow; readonly doubtful: Arrow | null }

export class Arrows {
  readonly forceScale: number;
  readonly momentScale: number;
  readonly speedScale: number;
  readonly length: number;
  private readonly notes_ = new Map<Target, ArrowNote>();
  private readonly reactions_: ShownReaction[] = [];
  private readonly forces_: { frame: Frame; parts: readonly Series[]; arrow: Arrow; scale: number }[] = [];
  private readonly couples_: { value: Series | null; plus: Target; minus: Target }[] = [];
  private readonly vectors_: { frame: Frame; parts: readonly Series[]; arrow: Arrow; scale: number }[] = [];
  private readonly speeds_: Velocities;
  private readonly velocities_: { readonly velocity: Velocity; readonly arrow: Arrow }[];

  constructor(private readonly page: Page, private readonly stage: Stage) {
    this.length = kArrow * stage.diagonal;
    const reactions = reactionsOf(page);
    this.forceScale = scaleOf(page, reactions.filter((r) => !r.moment));
    const momentScale = scaleOf(page, reactions.filter((r) => r.moment));
    this.momentScale = momentScale > kRounding * this.forceScale * stage.diagonal ? momentScale : 0;
    for (const r of reactions) if ((r.moment ? this.momentScale : this.forceScale) > 0) this.addReaction(r);
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
    this.speeds_ = new Velocities(page);
    this.speedScale = this.speeds_.scale;
    this.velocities_ = this.speeds_.list.map((v) => ({ velocity: v, arrow: this.arrow(stage.partOf({ kind: 'body', index: v.body }), Tint.velocity, {}, () => this.speeds_.note(v)) }));
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

  /** What is unique makes one solid arrow, the rest one of dashes. */
  private addReaction(reaction: Reaction): void {
    const { joint: index, moment } = reaction, joint = this.page.joints[index], part = this.stage.partOf({ kind: 'joint', index });
    const tint = moment ? Tint.moment : Tint.force, heads = moment ? 2 : 1;
    this.reactions_.push({
      reaction, frame: joint.kind === 'prismatic' ? blockFrame(joint) : joint.second,
      sure: this.arrow(part, tint, { heads }, () => reaction.sureNote(this.at_)),
      doubtful: reaction.open ? this.arrow(part, tint, { heads, dashed: true }, () => reaction.restNote(this.at_)) : null,
    });
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
    for (const { reaction, frame, sure, doubtful } of this.reactions_) {
      if (!options.reactions) {
        sure.target.shown.visible = false;
        if (doubtful) doubtful.target.shown.visible = false;
        continue;
      }
      const { moment } = reaction, { contact } = this.page.joints[reaction.joint], p = contact ? vectorAt(contact, at) : frameAt(poses, frame).p, scale = ((moment ? kMomentArrow / kArrow : 1) * this.length) / (moment ? this.momentScale : this.forceScale);
      this.draw(sure, p, times(reaction.sure(at), scale));
      if (doubtful) this.draw(doubtful, p, times(reaction.rest(at), scale));
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
    for (const { velocity, arrow } of this.velocities_) {
      if (!options.velocities || !(this.speedScale > 0)) {
        arrow.target.shown.visible = false;
        continue;
      }
      const { body } = velocity, pose = poses[body];
      this.draw(arrow, place(pose, this.page.bodies[body].com3 ?? [0, 0, 0]), times(this.speeds_.at(velocity, at, pose.q), this.length / this.speedScale));
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

function peakOf(page: Page, parts: readonly Series[]): number {
  let most = 0;
  for (let i = 0; i < page.time.length; i++) {
    const size = norm(vectorAt(parts, { index: i, weight: 0 }));
    if (size > most && Number.isFinite(size)) most = size;
  }
  return most;
}
