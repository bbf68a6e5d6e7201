// Joints and drives in the plane: what the ground holds, slots, symbols of the joints, arrows of the drives.
import type { Joint, Point } from '../data';
import { blockFrame, railFrame } from './geometry';
import type { Moment } from './moment';
import type { Emphasis, Pen } from './symbols';
import * as symbols from './symbols';

/** What lies under the links: rails, fixed pivots, footings. */
export function drawGuides(pen: Pen, m: Moment): void {
  const drawn: Point[] = [];
  m.view.page.joints.forEach((joint, i) => {
    const guide = m.layout.guides[i];
    if (joint.firstRadius > 0 && joint.first.body < 0) drawRound(pen, m, joint);
    if (joint.kind === 'prismatic' && guide) {
      const rail = m.view.frame(railFrame(joint));
      if (!rail.finite) return;
      const margin = pen.u * (guide.blockIsBody ? 4 : symbols.kBlockLength * 0.5 + 3.5);
      const from = guide.low * m.view.camera.scale - margin, to = guide.high * m.view.camera.scale + margin;
      const offset = guide.blockIsBody ? guide.clearance * m.view.camera.scale + 1 : pen.u * symbols.kBlockHeight * 0.5 + 1;
      if (railFrame(joint).body < 0) symbols.groundRail(pen, rail.p, rail.angle, from, to, offset);
      else symbols.bodyRail(pen, rail.p, rail.angle, from, to);
      return;
    }
    if ((joint.first.body >= 0 && joint.second.body >= 0) || joint.kind === 'pin_slot' || joint.kind === 'rolling' || joint.kind === 'knife_edge') return;
    const { p, finite } = m.view.frame(joint.first.body < 0 ? joint.first : joint.second);
    // Several links on one fixed pin share one symbol.
    if (!finite || drawn.some((q) => Math.hypot(p[0] - q[0], p[1] - q[1]) < 1)) return;
    drawn.push(p);
    if (joint.kind === 'fixed') symbols.groundWeld(pen, p);
    else symbols.groundPivot(pen, p);
  });
  for (const { frame, wall } of m.layout.anchors) {
    const { p } = m.view.frame(frame);
    if (drawn.some((q) => Math.hypot(p[0] - q[0], p[1] - q[1]) < 1)) continue;
    drawn.push(p);
    if (wall === null) symbols.groundPivot(pen, p);
    else {
      const w = pen.u * 2.8, dx = w * Math.sin(wall), dy = -w * Math.cos(wall);
      symbols.hatchedLine(pen, [p[0] + dx, p[1] + dy], [p[0] - dx, p[1] - dy]);
    }
  }
}

/** The ring or drum of the ground that something rolls in or on. */
function drawRound(pen: Pen, m: Moment, joint: Joint): void {
  const { p, finite } = m.view.frame(joint.first), { ctx, palette } = pen;
  if (!finite) return;
  ctx.beginPath();
  ctx.arc(p[0], p[1], joint.firstRadius * m.view.camera.scale, 0, 2 * Math.PI);
  ctx.lineWidth = 1.8;
  ctx.strokeStyle = palette.muted;
  ctx.stroke();
}

/** The part of a curve, such as a cam's, that its point passes. */
export function drawTracks(pen: Pen, m: Moment): void {
  const { ctx, palette } = pen;
  m.layout.tracks.forEach((track, index) => {
    const { body } = m.view.page.joints[index].second;
    if (track.length < 2 || (body >= 0 && !m.view.placed(body))) return;
    const e = m.emphasis({ kind: 'joint', index });
    ctx.beginPath();
    track.map((p) => (body < 0 ? m.view.at(...p) : m.view.on(body, p))).forEach((p, i) => (i ? ctx.lineTo(...p) : ctx.moveTo(...p)));
    ctx.lineJoin = 'round';
    ctx.lineWidth = e.selected || e.hovered ? 3 : 1.8;
    ctx.strokeStyle = e.selected || e.hovered ? palette.accent : palette.linkEdge;
    ctx.stroke();
  });
}

export function drawSlot(pen: Pen, m: Moment, joint: Joint, index: number): void {
  const { p, angle, finite } = m.view.frame(joint.second), guide = m.layout.guides[index];
  if (!finite || !guide) return;
  const end = pen.u * 0.6, scale = m.view.camera.scale;
  symbols.slot(pen, p, angle, guide.low * scale - end, guide.high * scale + end, m.emphasis({ kind: 'joint', index }));
}

export function drawJoint(pen: Pen, m: Moment, joint: Joint, index: number): void {
  const e = m.emphasis({ kind: 'joint', index });
  const first = m.view.frame(joint.first), second = m.view.frame(joint.second);
  const guide = m.layout.guides[index];
  // What rolls or skates closes a loop always: that is nothing to mark.
  if (joint.cut && joint.kind !== 'prismatic' && joint.kind !== 'rolling' && joint.kind !== 'knife_edge' && first.finite) symbols.cutMark(pen, first.p, first.angle);
  if (joint.kind === 'prismatic') {
    const block = m.view.frame(blockFrame(joint)), rail = m.view.frame(railFrame(joint));
    if (block.finite && rail.finite && !guide?.blockIsBody) symbols.sliderBlock(pen, block.p, rail.angle, e);
    else if (block.finite && (e.selected || e.hovered)) symbols.pivot(pen, block.p, e, pen.u * 0.6);
    if (joint.cut && block.finite) symbols.cutMark(pen, block.p, block.angle);
  } else if (joint.kind === 'pin_slot') {
    if (first.finite) symbols.pivot(pen, first.p, e);
  } else if (joint.kind === 'distance') {
    if (first.finite && second.finite) symbols.distanceLink(pen, first.p, second.p, e);
  } else if (joint.kind === 'rolling') {
    drawContact(pen, m, joint, e);
  } else if (joint.kind === 'knife_edge') {
    if (second.finite) symbols.blade(pen, second.p, second.angle, e);
  } else if (joint.kind === 'fixed') {
    if (first.finite) symbols.weld(pen, first.p, first.angle, e);
  } else {
    const shown = joint.first.body < 0 ? second : first;
    if (shown.finite) symbols.pivot(pen, shown.p, e);
  }
}

/** Where two bodies touch that roll, and the ground there. */
function drawContact(pen: Pen, m: Moment, joint: Joint, e: Emphasis): void {
  const { p, angle, finite } = m.view.joint(joint), w = 6 * pen.u;
  if (!finite) return;
  if (joint.plane && joint.first.body < 0) symbols.hatchedLine(pen, [p[0] - w * Math.cos(angle), p[1] - w * Math.sin(angle)], [p[0] + w * Math.cos(angle), p[1] + w * Math.sin(angle)]);
  symbols.contact(pen, p, e);
}

/** The arrow of what turns a joint, and the arrows of what slides it. */
export function drawTurning(pen: Pen, p: Point, angle: number, e: Emphasis): void {
  symbols.arcArrow(pen, p, pen.u * 3.6, angle + 0.6, -4.1, pen.palette.accent, e.selected || e.hovered ? 3 : 2);
}
export function drawSliding(pen: Pen, p: Point, angle: number, e: Emphasis): void {
  const r = pen.u * 4.5, lift = pen.u * 3.4, s = Math.sin(angle), c = Math.cos(angle);
  const at = (d: number): Point => [p[0] + c * d + s * lift, p[1] + s * d - c * lift];
  for (const end of [r, -r]) symbols.arrow(pen, at(0), at(end), pen.palette.accent, e.selected || e.hovered ? 3 : 2);
}

export function drawDrives(pen: Pen, m: Moment): void {
  m.view.page.drives.forEach((drive, index) => {
    const e = m.emphasis({ kind: 'drive', index });
    const base = drive.first ?? drive.second;
    if (!base) return;
    const a = m.view.frame(base), b = drive.second ? m.view.frame(drive.second) : a;
    if (!a.finite || !b.finite) return;
    if (drive.kind === 'distance') symbols.actuator(pen, a.p, b.p, e);
    else if (drive.kind === 'slide') drawSliding(pen, b.p, a.angle, e);
    else drawTurning(pen, a.p, b.angle, e);
  });
}
