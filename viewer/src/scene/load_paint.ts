// Loads and reactions in the plane: springs and dampers that stretch, arrows of forces and moments.
import type { Place, Series } from '../data';
import { locate, valueAt } from '../data';
import { blockFrame } from './geometry';
import { peakSize } from './layout';
import type { Moment } from './moment';
import { arrowLength } from './moment';
import type { Pen } from './symbols';
import * as symbols from './symbols';

export function drawLineLoads(pen: Pen, m: Moment): void {
  m.view.page.loads.forEach((load, index) => {
    if (!load.first || !load.second) return;
    const a = m.view.frame(load.first), b = m.view.frame(load.second), e = m.emphasis({ kind: 'load', index });
    if (!a.finite || !b.finite) return;
    if (load.kind === 'spring') symbols.spring(pen, a.p, b.p, e);
    else if (load.kind === 'damper') symbols.damper(pen, a.p, b.p, e);
    else if (load.kind === 'spring_damper') symbols.springDamper(pen, a.p, b.p, e);
    else if (load.kind === 'actuator') symbols.actuator(pen, a.p, b.p, e);
    else return;
    symbols.eye(pen, a.p, e);
    symbols.eye(pen, b.p, e);
  });
}

export function drawRotaryLoads(pen: Pen, m: Moment): void {
  m.view.page.loads.forEach((load, index) => {
    const base = load.first ?? load.second;
    if (!base || !(load.kind.startsWith('rotational') || load.kind === 'bushing')) return;
    const a = m.view.frame(base), b = load.second ? m.view.frame(load.second) : a, e = m.emphasis({ kind: 'load', index });
    if (!a.finite || !b.finite) return;
    if (load.kind === 'bushing') {
      symbols.bushing(pen, b.p, b.angle, e);
      return;
    }
    if (load.kind !== 'rotational_damper') symbols.spiralSpring(pen, a.p, b.angle - a.angle, e);
    if (load.kind !== 'rotational_spring') symbols.rotaryDamper(pen, a.p, b.angle, e);
  });
}

/** Applied forces and couples; their arrows show the direction, and the size when it is in the data. */
export function drawForces(pen: Pen, m: Moment): void {
  const place = locate(m.view.page.time, m.time);
  m.view.page.loads.forEach((load, index) => {
    if (load.kind !== 'force' && load.kind !== 'couple') return;
    const base = load.first && load.first.body >= 0 ? load.first : load.second ?? load.first;
    if (!base) return;
    const a = m.view.frame(base), e = m.emphasis({ kind: 'load', index });
    if (!a.finite) return;
    const width = e.selected || e.hovered ? 3.4 : 2.4, colour = pen.palette.moment;
    if (load.kind === 'couple') {
      const value = load.moment ? valueAt(load.moment.values, place) : 1;
      if (Number.isFinite(value) && value !== 0) symbols.arcArrow(pen, a.p, pen.u * 4.6, -2.4, value > 0 ? -3.9 : 3.9, colour, width);
      return;
    }
    let dx = Math.cos(a.angle) * 0.5, dy = Math.sin(a.angle) * 0.5;
    if (load.force) {
      const peak = peakSize(load.force[0].values, load.force[1].values);
      dx = valueAt(load.force[0].values, place) / (peak || 1);
      dy = -valueAt(load.force[1].values, place) / (peak || 1);
    }
    const length = arrowLength(m) * 0.8;
    if (Number.isFinite(dx + dy)) symbols.arrow(pen, [a.p[0] - dx * length, a.p[1] - dy * length], a.p, colour, width);
  });
}

function forceAt(force: readonly Series[], place: Place): readonly [number, number] {
  return [valueAt(force[0].values, place), valueAt(force[1].values, place)];
}

/** A force to scale; a very long arrow is cut, none is drawn for what is nothing but round-off. */
function arrowOf(force: readonly [number, number], scale: number, length: number): readonly [number, number] | null {
  const size = (Math.hypot(force[0], force[1]) / scale) * length;
  if (!Number.isFinite(size) || size < 1e-6 * length) return null;
  const share = (Math.min(size, 2.5 * length) / size) * (length / scale);
  return [force[0] * share, force[1] * share];
}

export function drawReactions(pen: Pen, m: Moment): void {
  const place = locate(m.view.page.time, m.time);
  const length = arrowLength(m);
  for (const joint of m.view.page.joints) {
    const { p, finite } = m.view.frame(joint.kind === 'prismatic' ? blockFrame(joint) : joint.first);
    if (!finite) continue;
    if (joint.force && m.layout.forceScale.force > 0) {
      // Solid: what is unique. Dashed: one of many that fit.
      const all = forceAt(joint.force, place), sure = joint.uniqueForce ? forceAt(joint.uniqueForce, place) : joint.unique === false ? ([0, 0] as const) : all;
      for (const [force, dash] of [[sure, []], [[all[0] - sure[0], all[1] - sure[1]], [5, 4]]] as const) {
        const arrow = arrowOf(force, m.layout.forceScale.force, length);
        pen.ctx.setLineDash([...dash]);
        if (arrow) symbols.arrow(pen, p, [p[0] + arrow[0], p[1] - arrow[1]], pen.palette.force, 2.2);
      }
      pen.ctx.setLineDash([]);
    }
    if (joint.moment && m.layout.forceScale.moment > 0) {
      const share = valueAt(joint.moment.values, place) / m.layout.forceScale.moment;
      const sweep = Math.max(-1, Math.min(1, share)) * 1.6 * Math.PI;
      if (Number.isFinite(sweep)) symbols.arcArrow(pen, p, pen.u * 3.2, Math.PI / 2, -sweep, pen.palette.force, 1.8);
    }
  }
}
