// Named points of a planar mechanism, the joints' and the mass centres, and how they move at a time.
import type { Frame, Page, Place } from '../data';
import type { BodyMotion, Mechanics, Vec } from './mechanics';
import { accelerationOf, cross, kAtRest, kZero, motionAt, pointOf, scaled, sub, velocityOf } from './mechanics';

interface End { readonly body: number; readonly point: Vec }

export interface NamedPoint {
  readonly name: string;
  readonly kind: 'joint' | 'com';
  /** The bodies it belongs to, by their number in the mechanics, each with its place in their axes; -1 is the ground. */
  readonly ends: readonly End[];
}

const near = (a: Vec, b: Vec): boolean => Math.hypot(a[0] - b[0], a[1] - b[1]) < 1e-9;

/** Points that two bodies share are one point; at a slide or a rod each body has its own. */
export function namedPoints(page: Page, mechanics: Mechanics): NamedPoint[] {
  const indexOf = (body: number): number => (body < 0 ? -1 : mechanics.bodies.findIndex((b) => b.name === page.bodies[body].name));
  const found: { names: string[]; kind: 'joint' | 'com'; ends: End[] }[] = [];
  const put = (name: string, kind: 'joint' | 'com', ends: readonly End[]): void => {
    const same = found.find((f) => f.ends.some((e) => ends.some((o) => e.body === o.body && near(e.point, o.point))));
    if (!same) {
      found.push({ names: [name], kind, ends: [...ends] });
      return;
    }
    if (kind === 'joint') same.names.push(name);
    for (const end of ends) if (!same.ends.some((e) => e.body === end.body && near(e.point, end.point))) same.ends.push(end);
  };
  const end = (frame: Frame): End => ({ body: indexOf(frame.body), point: [frame.point[0], frame.point[1], 0] });
  for (const joint of page.joints) {
    const ends = [end(joint.first), end(joint.second)];
    if (joint.kind === 'revolute' || joint.kind === 'fixed') put(joint.name, 'joint', ends);
    else {
      const moving = ends.filter((e) => e.body >= 0);
      for (const one of moving) put(moving.length > 1 ? `${joint.name} on ${mechanics.bodies[one.body].name}` : joint.name, 'joint', [one]);
    }
  }
  mechanics.bodies.forEach((body, i) => put(`G ${body.name}`, 'com', [{ body: i, point: body.com }]));
  return found.map((f) => ({ name: f.names.join(', '), kind: f.kind, ends: f.ends.filter((e) => e.body >= -1) }));
}

export interface PointMotion { readonly point: NamedPoint; readonly at: Vec; readonly velocity: Vec; readonly acceleration: Vec; readonly fixed: boolean }

export function motionsAt(mechanics: Mechanics, place: Place): BodyMotion[] {
  return mechanics.bodies.map((b) => motionAt(b, place));
}

export function pointMotions(points: readonly NamedPoint[], motions: readonly BodyMotion[]): PointMotion[] {
  return points.map((point) => {
    const fixed = point.ends.find((e) => e.body < 0), end = fixed ?? point.ends[0];
    const motion = end.body < 0 ? kAtRest : motions[end.body];
    return { point, at: pointOf(motion, end.point), velocity: fixed ? kZero : velocityOf(motion, end.point), acceleration: fixed ? kZero : accelerationOf(motion, end.point), fixed: fixed !== undefined };
  });
}

/** How a point of a body moves against another point of it: the parts along and across the line between them. */
export interface Relative { readonly body: number; readonly from: number; readonly to: number; readonly normal: Vec; readonly tangential: Vec }

/** For each body from its base, a fixed point if it has one, to its other joints: n = -w^2 r, t = alpha x r. */
export function relativeParts(mechanics: Mechanics, moved: readonly PointMotion[], motions: readonly BodyMotion[]): Relative[] {
  return mechanics.bodies.flatMap((_, body) => {
    const own = moved.map((m, i) => ({ m, i })).filter(({ m }) => m.point.kind === 'joint' && m.point.ends.some((e) => e.body === body));
    const base = own.find(({ m }) => m.fixed) ?? own[0];
    return own.filter((o) => o !== base).map(({ m, i }) => {
      const r = sub(m.at, base.m.at), w = motions[body].spin[2];
      return { body, from: base.i, to: i, normal: scaled(r, -w * w), tangential: cross(motions[body].spinRate, r) };
    });
  });
}

export interface Coriolis { readonly joint: string; readonly sliding: Vec; readonly acceleration: Vec }

/** At slides on a turning guide: 2 w x v, v the velocity along the guide. */
export function coriolisOf(page: Page, mechanics: Mechanics, motions: readonly BodyMotion[]): Coriolis[] {
  const motionOf = (body: number): BodyMotion => (body < 0 ? kAtRest : motions[mechanics.bodies.findIndex((b) => b.name === page.bodies[body].name)] ?? kAtRest);
  return page.joints.filter((j) => (j.kind === 'prismatic' || j.kind === 'pin_slot') && j.second.body >= 0).flatMap((joint) => {
    const rider = motionOf(joint.first.body), guide = motionOf(joint.second.body);
    const p: Vec = [joint.first.point[0], joint.first.point[1], 0], at = pointOf(rider, p);
    const sliding = sub(velocityOf(rider, p), [guide.velocity[0] - guide.spin[2] * (at[1] - guide.origin[1]), guide.velocity[1] + guide.spin[2] * (at[0] - guide.origin[0]), 0]);
    const acceleration = scaled(cross(guide.spin, sliding), 2);
    return Math.hypot(...acceleration) > 0 ? [{ joint: joint.name, sliding, acceleration }] : [];
  });
}
