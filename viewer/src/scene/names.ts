// Names of parts in the drawing in the plane, beside what they name.
import type { Point } from '../data';
import type { PartRef } from '../selection';
import { drawRelationNames } from './gear_paint';
import { solidCorners } from './geometry';
import type { Moment } from './moment';
import type { NamePlaces } from './name_places';
import type { Pen } from './symbols';
import { labelWidth } from './symbols';

export function drawLabels(pen: Pen, m: Moment, names: NamePlaces): void {
  const { palette } = pen;
  const put = (text: string, p: Point, part: PartRef, italic: boolean, align: CanvasTextAlign): void =>
    names.put(text, p, { colour: m.emphasis(part).selected ? palette.accent : italic ? palette.muted : palette.ink, align, italic });
  m.view.page.joints.forEach((joint, index) => {
    const f = m.view.joint(joint), g = m.view.frame(joint.second);
    if (!f.finite || !g.finite) return;
    const p: Point = joint.kind === 'distance' ? [(f.p[0] + g.p[0]) / 2, (f.p[1] + g.p[1]) / 2] : f.p;
    const around = joint.kind === 'revolute' && m.layout.ringed[index] ? pen.u * 2.4 : 0;
    put(joint.name, [p[0] + pen.u * 1.3 + 3 + around, p[1] - pen.u * 1.7 - 5 - around], { kind: 'joint', index }, false, 'left');
  });
  drawRelationNames(pen, m, (text, p, index) => put(text, p, { kind: 'relation', index }, true, 'left'));
  m.view.page.bodies.forEach((body, index) => {
    if (!m.view.placed(index)) return;
    const p = m.view.on(index, labelPoint(m, index)), bar = m.layout.motion.outlines[index].bars[0];
    const ends = bar ? bar.map((q) => m.view.on(index, q)) : null;
    put(body.name, ends ? beside(pen, body.name, ends[0], ends[1], pen.u * 1.45, m.layout.bodySides[index]) : [p[0], p[1] + pen.u * 1.5 + 11], { kind: 'body', index }, true, 'center');
  });
  m.view.page.loads.forEach((load, index) => {
    const base = load.first ?? load.second;
    if (!base) return;
    const a = m.view.frame(base), b = load.second ? m.view.frame(load.second) : a;
    if (!a.finite || !b.finite) return;
    const point = a === b || load.kind.startsWith('rotational') || load.kind === 'bushing' || load.kind === 'joint_actuator';
    const at: Point = load.kind === 'bushing' ? [b.p[0] + pen.u * 2.4, b.p[1] - pen.u * 2.6] : point ? [a.p[0] + pen.u * 4.6, a.p[1] - pen.u * 4.2] : beside(pen, load.name, a.p, b.p, pen.u * (load.kind === 'spring_damper' ? 4 : 1.6), m.layout.loadSides[index]);
    put(load.name, at, { kind: 'load', index }, true, point ? 'left' : 'center');
  });
  m.view.page.drives.forEach((drive, index) => {
    if (!drive.first) return;
    const a = m.view.frame(drive.first), b = drive.second ? m.view.frame(drive.second) : a;
    if (!a.finite || !b.finite) return;
    if (drive.kind === 'distance') put(drive.name, beside(pen, drive.name, a.p, b.p, pen.u * 1.2, 1), { kind: 'drive', index }, true, 'center');
    else put(drive.name, [a.p[0] - pen.u * 4.6 - 2, a.p[1] - pen.u * 2], { kind: 'drive', index }, true, 'right');
  });
}

/** Where to centre a name so that it stands clear of the line from a to b whatever its slope; side 1 is its right, -1 its left. */
function beside(pen: Pen, text: string, a: Point, b: Point, clear: number, side: number): Point {
  const angle = Math.atan2(b[1] - a[1], b[0] - a[0]) + (side * Math.PI) / 2;
  const width = labelWidth(pen, text, true) / 2;
  const distance = clear + 4 + width * Math.abs(Math.cos(angle)) + 7 * Math.abs(Math.sin(angle));
  return [(a[0] + b[0]) / 2 + distance * Math.cos(angle), (a[1] + b[1]) / 2 + distance * Math.sin(angle)];
}

/** The middle of a body's outline: where its name is read as belonging to it. */
function labelPoint(m: Moment, index: number): Point {
  const { bars, plates, solids, dots } = m.layout.motion.outlines[index];
  if (bars.length) return [(bars[0][0][0] + bars[0][1][0]) / 2, (bars[0][0][1] + bars[0][1][1]) / 2];
  const corners = plates[0] ?? (solids[0] ? solidCorners(solids[0]) : dots);
  if (!corners.length) return m.view.page.bodies[index].com ?? [0, 0];
  return [corners.reduce((s, p) => s + p[0], 0) / corners.length, corners.reduce((s, p) => s + p[1], 0) / corners.length];
}
