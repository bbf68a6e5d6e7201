// The solids of bodies: from their shapes, or derived from what is known of a body without any.
import type { Page } from '../../data';
import { blockFrame, outlineOf } from '../geometry';
import { attachments, centreOf, distinct } from './motion';
import type { SpaceShape } from './shapes';
import { liftShape } from './shapes';
import type { SolidBuilder } from './solid';
import { Tint } from './solid';
import type { Vec3 } from './vectors';
import { add, axesTurn, conjugate, cross, dot, minus, norm, rotate, times, unit } from './vectors';

const kThin = 0.75;  // radius of a rod without one, in units of the drawing

/** Puts a body's surface into its builder; `u` is the drawing's unit of length. `open`: nothing that hides what it carries. */
export function buildBody(builder: SolidBuilder, page: Page, index: number, u: number, open = false): void {
  const body = page.bodies[index];
  builder.tint = Tint.link;
  if (body.shapes3.length) {
    for (const shape of body.shapes3) buildShape(builder, shape, u);
    if (!body.pose) addBrackets(builder, page, index, u);
  } else if (body.pose) buildPlanar(builder, page, index, u);
  else deriveBody(builder, page, index, u, open);
}

function rod(builder: SolidBuilder, from: Vec3, to: Vec3, radius: number): void {
  const length = norm(minus(to, from));
  builder.along(from, unit(minus(to, from), [1, 0, 0]), () => builder.capsule(0, length, radius));
}

function buildShape(builder: SolidBuilder, shape: SpaceShape, u: number): void {
  switch (shape.kind) {
    case 'rod': return rod(builder, shape.from, shape.to, shape.radius || kThin * u);
    case 'capsule': return rod(builder, shape.from, shape.to, shape.radius);
    case 'cylinder': case 'tube': {
      const length = norm(minus(shape.to, shape.from));
      return builder.along(shape.from, unit(minus(shape.to, shape.from), [1, 0, 0]), () =>
        shape.inner > 0 ? builder.tube(0, length, shape.radius, shape.inner) : builder.cylinder(0, length, shape.radius, true));
    }
    case 'sphere': return builder.inside({ p: shape.centre, q: axesTurn([0, 0, 1], [1, 0, 0]) }, () => builder.sphere(shape.radius, true));
    case 'disc': {
      const half = (shape.thickness || 1.2 * u) / 2;
      return builder.inside({ p: shape.centre, q: shape.turn }, () => builder.along([0, 0, 0], [0, 0, 1], () => builder.cylinder(-half, half, shape.radius, true)));
    }
    case 'box': return builder.inside({ p: shape.centre, q: shape.turn }, () => builder.box([shape.size[0], shape.size[1], shape.size[2] || 2.4 * u]));
    case 'polygon': return builder.plate(shape.points, 1.2 * u);
    case 'mesh': return builder.mesh(shape.vertices, shape.triangles);
    case 'point': return builder.inside({ p: shape.at, q: [1, 0, 0, 0] }, () => builder.sphere(1.5 * u, true));
  }
}

/** Where a body of rods is held beside them, short rods lead there. */
function addBrackets(builder: SolidBuilder, page: Page, index: number, u: number): void {
  const rods = page.bodies[index].shapes3.flatMap((s) => ('from' in s ? [s] : []));
  if (!rods.length || rods.length < page.bodies[index].shapes3.length) return;
  for (const p of attachments(page, index)) {
    let nearest: Vec3 | null = null, gap = Infinity, radius = 0;
    for (const r of rods) {
      const d = minus(r.to, r.from), length = norm(d), e = unit(d), q = add(r.from, times(e, Math.max(0, Math.min(length, dot(minus(p, r.from), e)))));
      if (norm(minus(p, q)) < gap) [nearest, gap, radius] = [q, norm(minus(p, q)), r.radius || kThin * u];
    }
    if (nearest && gap > 1.05 * radius) rod(builder, nearest, p, Math.min(radius, kThin * u));
  }
}

/** As the plane draws it: links and plates through the points where it is held. */
function buildPlanar(builder: SolidBuilder, page: Page, index: number, u: number): void {
  const { bars, plates, solids, dots } = outlineOf(page, index), lift = (p: readonly [number, number]): Vec3 => [p[0], p[1], 0];
  for (const [a, b] of bars) rod(builder, lift(a), lift(b), kThin * u);
  for (const plate of plates) builder.plate(plate.map(lift), 1.2 * u);
  for (const solid of solids) buildShape(builder, liftShape(solid), u);
  for (const dot of dots) buildShape(builder, { kind: 'point', at: lift(dot) }, u);
}

/** How far outside of a solid a point is: at most 1 inside and on the surface. */
function outside(shape: SpaceShape, p: Vec3): number {
  switch (shape.kind) {
    case 'sphere': return norm(minus(p, shape.centre)) / shape.radius;
    case 'disc': {
      const q = rotate(conjugate(shape.turn), minus(p, shape.centre));
      return Math.max(Math.hypot(q[0], q[1]) / shape.radius, (2 * Math.abs(q[2])) / shape.thickness);
    }
    case 'box': {
      const q = rotate(conjugate(shape.turn), minus(p, shape.centre));
      return Math.max(...q.map((x, k) => (2 * Math.abs(x)) / shape.size[k]));
    }
    default: return Infinity;
  }
}

/**
 * A body without shapes: the solid that its mass and inertia describe, in the mass centre, with struts to the points it
 * is held at; without mass, or for a carrier of gears, a rod, a plate or struts through these points.
 */
function deriveBody(builder: SolidBuilder, page: Page, index: number, u: number, open: boolean): void {
  const body = page.bodies[index];
  const points = distinct([...attachments(page, index), ...body.points3]);
  const com = body.com3 ?? centreOf(points);
  if (isGimbal(page, index)) return gimbal(builder, page, index, u);
  if (isBlock(page, index) && points.every((p) => norm(minus(p, com)) < 2 * u)) return;
  if (body.standIn && !open) {
    const solid = body.standIn;
    buildShape(builder, solid, u);
    for (const p of points) if (outside(solid, p) > 1.3 && norm(minus(p, com)) > 1e-9) rod(builder, com, p, kThin * u);
    return;
  }
  if (points.length < 2) {
    if (points.length && norm(minus(points[0], com)) > 1e-9) rod(builder, points[0], com, kThin * u);
    return buildShape(builder, { kind: 'point', at: com }, u);
  }
  const flat = flatHull(points);
  if (flat) return builder.plate(flat, 1.2 * u);
  if (points.length === 2 || collinear(points)) {
    const far = [...points].sort((a, b) => norm(minus(b, points[0])) - norm(minus(a, points[0])))[0];
    const end = [...points].sort((a, b) => norm(minus(b, far)) - norm(minus(a, far)))[0];
    return rod(builder, far, end, kThin * u);
  }
  const middle = centreOf(points);
  for (const p of points) rod(builder, middle, p, kThin * u);
}

function collinear(points: readonly Vec3[]): boolean {
  const [a] = points, far = points.reduce((m, p) => (norm(minus(p, a)) > norm(minus(m, a)) ? p : m), a), d = unit(minus(far, a));
  return points.every((p) => norm(cross(minus(p, a), d)) < 1e-4 * norm(minus(far, a)));
}

/** The convex outline of three or more points in one plane; null for others. */
function flatHull(points: readonly Vec3[]): Vec3[] | null {
  if (points.length < 3 || collinear(points)) return null;
  const [a] = points, far = points.reduce((m, p) => (norm(minus(p, a)) > norm(minus(m, a)) ? p : m), a), x = unit(minus(far, a));
  const wide = points.reduce((m, p) => (norm(cross(minus(p, a), x)) > norm(cross(minus(m, a), x)) ? p : m), a);
  const z = unit(cross(x, minus(wide, a))), y = cross(z, x), size = norm(minus(far, a));
  if (points.some((p) => Math.abs(dot(minus(p, a), z)) > 0.02 * size)) return null;
  const c = centreOf(points), flat = points.map((p) => ({ p, x: dot(minus(p, c), x), y: dot(minus(p, c), y) })).sort((p, q) => p.x - q.x || p.y - q.y);
  const half = (list: typeof flat): typeof flat => {
    const out: typeof flat = [];
    for (const p of list) {
      while (out.length >= 2) {
        const [r, s] = [out[out.length - 2], out[out.length - 1]];
        if ((s.x - r.x) * (p.y - r.y) - (s.y - r.y) * (p.x - r.x) > 1e-9 * size * size) break;
        out.pop();
      }
      out.push(p);
    }
    out.pop();
    return out;
  };
  return [...half(flat), ...half([...flat].reverse())].map(({ p }) => p);
}

/** Whether a joint's symbol draws the block that the body is. */
function isBlock(page: Page, index: number): boolean {
  return page.joints.some((j) => j.kind === 'prismatic' && blockFrame(j).body === index);
}

// ---- Gimbals ---------------------------------------------------------------------------------------------------

/** The hinges of a body that all have one point. */
function hingesOf(page: Page, index: number): Vec3[] {
  return page.joints.flatMap((j) => (j.kind === 'revolute' ? [j.first, j.second].filter((f) => f.body === index).map((f) => rotate(f.turn, [0, 0, 1])) : []));
}

/** A ring of a gimbal: held only in its mass centre, by hinges about different axes. */
export function isGimbal(page: Page, index: number): boolean {
  const body = page.bodies[index], points = attachments(page, index), axes = hingesOf(page, index);
  if (body.shapes3.length || body.points3.length || points.length !== 1 || axes.length < 2 || !body.standIn) return false;
  return axes.some((a) => norm(cross(a, axes[0])) > 0.5);
}

/** Radius of a ring with the body's inertia, nearly: a disc with the same moment about its axis has 1.41 times this. */
export function gimbalRadius(page: Page, index: number): number {
  const { standIn } = page.bodies[index];
  if (standIn?.kind === 'disc') return standIn.radius / Math.SQRT2;
  if (standIn?.kind === 'sphere') return standIn.radius;
  return standIn?.kind === 'box' ? Math.max(...standIn.size) / 2 : 0;
}

function gimbal(builder: SolidBuilder, page: Page, index: number, u: number): void {
  const [a, ...rest] = hingesOf(page, index), b = rest.find((d) => norm(cross(a, d)) > 0.5)!;
  const point = attachments(page, index)[0];
  builder.inside({ p: point, q: axesTurn(unit(a), b) }, () => builder.ring(gimbalRadius(page, index), 0.9 * u));
}

/** Rough middle of a body's matter, in its own axes: towards which its sockets and forks point. */
export function bodyMiddle(page: Page, index: number): Vec3 {
  const body = page.bodies[index];
  const ends = body.shapes3.flatMap((s) => ('from' in s ? [s.from, s.to] : 'centre' in s ? [s.centre] : []));
  if (ends.length) return centreOf(ends);
  return body.com3 ?? centreOf(attachments(page, index));
}

/** Radius of the rods of a body that pass a point, along a direction or any. */
export function thicknessAt(page: Page, index: number, point: Vec3): { radius: number; axis: Vec3 | null } {
  let radius = 0, axis: Vec3 | null = null;
  if (index < 0) return { radius, axis };
  for (const shape of page.bodies[index].shapes3) {
    if (!('from' in shape)) continue;
    const d = minus(shape.to, shape.from), length = norm(d), e = unit(d);
    const s = Math.max(0, Math.min(length, dot(minus(point, shape.from), e)));
    if (norm(minus(point, add(shape.from, times(e, s)))) > Math.max(shape.radius, 1e-3 * length)) continue;
    axis = e;
    radius = Math.max(radius, shape.radius);
  }
  return { radius, axis };
}
