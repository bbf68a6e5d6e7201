// Gears, racks and couplings in the plane: teeth under the bodies, pitch lines and dashed ties over them.
import type { Point } from '../data';
import { apply, kGroundPose } from './geometry';
import type { Wheel } from './gearing';
import { onWheel, toothProfile } from './gearing';
import type { Moment } from './moment';
import type { Vec3 } from './space/vectors';
import { add, times } from './space/vectors';
import type { Pen } from './symbols';

/** A point of a body or of the ground on the canvas. */
function on(m: Moment, body: number, p: Vec3): Point {
  return m.view.at(...apply(body < 0 ? kGroundPose : m.view.poses[body], [p[0], p[1]]));
}

const shown = (m: Moment, body: number): boolean => body < 0 || m.view.placed(body);

/** Toothed outlines; a body drawn over them hides all but the teeth. */
export function drawTeeth(pen: Pen, m: Moment): void {
  const { ctx, palette } = pen, { wheels, racks } = m.view.motion.gearing;
  ctx.lineJoin = 'round';
  const paint = (relation: number): void => {
    const e = m.emphasis({ kind: 'relation', index: relation });
    ctx.fillStyle = e.selected ? palette.accentSoft : palette.link;
    ctx.strokeStyle = e.selected || e.hovered ? palette.accent : palette.linkEdge;
    ctx.lineWidth = e.selected || e.hovered ? 1.8 : 1;
    ctx.globalAlpha = 0.75;
    ctx.fill('evenodd');
    ctx.globalAlpha = 1;
    ctx.stroke();
  };
  const trace = (points: readonly Point[]): void => points.forEach((p, i) => (i ? ctx.lineTo(...p) : ctx.moveTo(...p)));
  for (const wheel of wheels) {
    if (!shown(m, wheel.body)) continue;
    ctx.beginPath();
    trace(toothProfile(wheel).map(({ angle, radius }) => on(m, wheel.body, onWheel(wheel, angle, radius))));
    ctx.closePath();
    if (wheel.inner) {
      const [x, y] = on(m, wheel.body, wheel.centre), r = (wheel.radius + (4.5 * wheel.radius) / wheel.teeth) * m.view.camera.scale;
      ctx.moveTo(x + r, y);
      ctx.arc(x, y, r, 0, 2 * Math.PI);
    }
    paint(wheel.relation);
  }
  for (const rack of racks) {
    if (!shown(m, rack.body)) continue;
    const h = (0.9 * rack.pitch) / Math.PI, at = (s: number, level: number): Point => on(m, rack.body, add(rack.point, add(times(rack.along, s), times(rack.up, level))));
    const points: Point[] = [at(rack.low, -3.4 * h)];
    for (let k = Math.ceil(rack.low / rack.pitch); (k + 1) * rack.pitch <= rack.high; k++) {
      for (const [share, level] of [[0.21, -1.1], [0.35, 1], [0.65, 1], [0.79, -1.1]]) points.push(at((k + share) * rack.pitch, level * h));
    }
    points.splice(1, 0, at(rack.low, -1.1 * h));
    points.push(at(rack.high, -1.1 * h), at(rack.high, -3.4 * h));
    ctx.beginPath();
    trace(points);
    ctx.closePath();
    paint(rack.relation);
  }
}

/** Pitch circles and lines as an engineer draws them, and ties between joints whose coordinates go together. */
export function drawPitchLines(pen: Pen, m: Moment): void {
  const { ctx, palette } = pen, { wheels, racks, ties } = m.view.motion.gearing;
  const colour = (relation: number): string => {
    const e = m.emphasis({ kind: 'relation', index: relation });
    return e.selected || e.hovered ? palette.accent : palette.muted;
  };
  ctx.save();
  ctx.lineCap = 'butt';
  ctx.lineWidth = 1;
  ctx.setLineDash([10, 3, 2, 3]);
  const circle = (wheel: Wheel): void => {
    const [x, y] = on(m, wheel.body, wheel.centre);
    ctx.strokeStyle = colour(wheel.relation);
    ctx.beginPath();
    ctx.arc(x, y, wheel.radius * m.view.camera.scale, 0, 2 * Math.PI);
    ctx.stroke();
  };
  for (const wheel of wheels) if (shown(m, wheel.body)) circle(wheel);
  for (const { relation, body, point, along, low, high } of racks) {
    if (!shown(m, body)) continue;
    ctx.strokeStyle = colour(relation);
    ctx.beginPath();
    ctx.moveTo(...on(m, body, add(point, times(along, low))));
    ctx.lineTo(...on(m, body, add(point, times(along, high))));
    ctx.stroke();
  }
  ctx.setLineDash([5, 4]);
  for (const { relation, ends } of ties) {
    ctx.strokeStyle = colour(relation);
    ctx.lineWidth = 1.3;
    ctx.beginPath();
    ends.map((f) => m.view.frame(f)).filter((f) => f.finite).forEach(({ p }, i) => (i ? ctx.lineTo(...p) : ctx.moveTo(...p)));
    ctx.stroke();
  }
  ctx.restore();
}

/** Where the name of a relation stands: where its wheels touch, or in the middle of its first tie. */
export function relationSpot(m: Pick<Moment, 'view'>, index: number): Point | null {
  const { spots, ties } = m.view.motion.gearing, spot = spots[index];
  const ends = (spot ? [spot] : ties.find((t) => t.relation === index)?.ends.slice(0, 2) ?? []).map((f) => m.view.frame(f));
  if (!ends.length || ends.some((f) => !f.finite)) return null;
  return [ends.reduce((s, f) => s + f.p[0], 0) / ends.length, ends.reduce((s, f) => s + f.p[1], 0) / ends.length];
}

export function drawRelationNames(pen: Pen, m: Moment, put: (text: string, p: Point, index: number) => void): void {
  m.view.page.relations.forEach((relation, index) => {
    const p = relationSpot(m, index);
    if (p) put(relation.name, [p[0] + pen.u * 1.6 + 4, p[1] + pen.u * 1.5 + 7], index);
  });
}
