// Arrows of reactions and velocities in the plane: to scale over the run, in dashes where one of many fits, and what each says.
import type { Place, Point } from '../data';
import { locate } from '../data';
import type { Reaction } from '../reactions';
import type { PartRef } from '../selection';
import type { Moment } from './moment';
import { arrowLength } from './moment';
import { segmentDistance } from './picking';
import type { ArrowBox } from './scene';
import { aboutZ } from './space/vectors';
import type { Pen } from './symbols';
import * as symbols from './symbols';

/** An arrow as it stands on the canvas; one with a radius is bent about its `from`. */
export interface DrawnArrow extends ArrowBox { readonly part: PartRef; readonly radius: number; readonly note: () => string }

const kDash = [5, 4];
const kNear_px = 5;

/** Along (x, y) in ground axes, in lengths of the scale; a very long arrow is cut, none is drawn for what is nothing but round-off. */
function straight(pen: Pen, p: Point, [x, y]: Point, length: number, colour: string): Point | null {
  const size = Math.hypot(x, y);
  if (!Number.isFinite(size) || size < 1e-6) return null;
  const share = (Math.min(size, 2.5) / size) * length, tip: Point = [p[0] + x * share, p[1] - y * share];
  symbols.arrow(pen, p, tip, colour, 2.2);
  return tip;
}

/** Radius of the arrow of a moment. */
const bend = (pen: Pen): number => pen.u * 3.2;

/** A moment turns by at most so much, at the largest of the run. */
function bent(pen: Pen, p: Point, share: number): Point | null {
  const sweep = Math.max(-1, Math.min(1, share)) * 1.6 * Math.PI, radius = bend(pen), start = Math.PI / 2;
  if (!Number.isFinite(sweep) || sweep === 0) return null;
  symbols.arcArrow(pen, p, radius, start, -sweep, pen.palette.force, 1.8);
  return [p[0] + radius * Math.cos(start - sweep), p[1] + radius * Math.sin(start - sweep)];
}

/** Solid: what is unique. Dashed: one of many that fit. */
function drawReaction(pen: Pen, m: Moment, reaction: Reaction, at: Place, arrows: DrawnArrow[]): void {
  const joint = m.view.page.joints[reaction.joint], { force, moment } = m.layout.forceScale, scale = reaction.moment ? moment : force;
  const { p, finite } = m.view.joint(joint);
  if (!finite || !(scale > 0)) return;
  for (const dashed of reaction.open ? [false, true] : [false]) {
    const [x, y, z] = dashed ? reaction.rest(at) : reaction.sure(at);
    pen.ctx.setLineDash(dashed ? kDash : []);
    const tip = reaction.moment ? bent(pen, p, z / scale) : straight(pen, p, [x / scale, y / scale], arrowLength(m), pen.palette.force);
    if (!tip) continue;
    arrows.push({
      of: reaction.moment ? 'moment' : 'force', name: joint.name, dashed, from: p, to: tip, part: { kind: 'joint', index: reaction.joint }, radius: reaction.moment ? bend(pen) : 0,
      note: () => (dashed ? reaction.restNote(at) : reaction.sureNote(at)),
    });
  }
  pen.ctx.setLineDash([]);
}

export function drawReactions(pen: Pen, m: Moment, arrows: DrawnArrow[]): void {
  const at = locate(m.view.page.time, m.time);
  for (const reaction of m.layout.reactions) drawReaction(pen, m, reaction, at, arrows);
}

/** Of the mass centres. */
export function drawVelocities(pen: Pen, m: Moment, arrows: DrawnArrow[]): void {
  const at = locate(m.view.page.time, m.time), { velocities } = m.layout;
  for (const velocity of velocities.list) {
    const { body } = velocity, { name, com } = m.view.page.bodies[body];
    if (!m.view.placed(body) || !(velocities.scale > 0)) continue;
    const [x, y] = velocities.at(velocity, at, aboutZ(m.view.poses[body].angle)), p = m.view.on(body, com ?? [0, 0]);
    const tip = straight(pen, p, [x / velocities.scale, y / velocities.scale], arrowLength(m), velocityColour(pen));
    if (tip) arrows.push({ of: 'velocity', name, dashed: false, from: p, to: tip, part: { kind: 'body', index: body }, radius: 0, note: () => velocities.note(velocity) });
  }
}

export const velocityColour = (pen: Pen): string => pen.palette.series[2];

/** The arrow under a point of the canvas; its tail belongs to the joint there. */
export function arrowAt(arrows: readonly DrawnArrow[], p: Point, u: number): DrawnArrow | null {
  let best: DrawnArrow | null = null, nearest = kNear_px;
  for (const a of arrows) {
    const tail = Math.hypot(p[0] - a.from[0], p[1] - a.from[1]);
    const distance = a.radius > 0 ? Math.abs(tail - a.radius) : tail < 1.5 * u ? Infinity : segmentDistance(p, a.from, a.to);
    if (distance < nearest) [best, nearest] = [a, distance];
  }
  return best;
}
