// Loads in the plane: springs and dampers that stretch, actuators, arrows of applied forces and couples.
import { locate, valueAt } from '../data';
import { drawSliding, drawTurning } from './joint_paint';
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

export function drawPointLoads(pen: Pen, m: Moment): void {
  m.view.page.loads.forEach((load, index) => {
    const base = load.first ?? load.second;
    if (!base || !(load.kind.startsWith('rotational') || load.kind === 'bushing' || load.kind === 'joint_actuator')) return;
    const a = m.view.frame(base), b = load.second ? m.view.frame(load.second) : a, e = m.emphasis({ kind: 'load', index });
    if (!a.finite || !b.finite) return;
    if (load.kind === 'bushing') {
      symbols.bushing(pen, b.p, b.angle, e);
      return;
    }
    if (load.kind === 'joint_actuator') {
      if (m.layout.slides[index]) drawSliding(pen, b.p, a.angle, e);
      else drawTurning(pen, a.p, b.angle, e);
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
      const peak = m.layout.loadPeaks[index] || 1;
      dx = valueAt(load.force[0].values, place) / peak;
      dy = -valueAt(load.force[1].values, place) / peak;
    }
    const length = arrowLength(m) * 0.8;
    if (Number.isFinite(dx + dy)) symbols.arrow(pen, [a.p[0] - dx * length, a.p[1] - dy * length], a.p, colour, width);
  });
}
