// Bodies in the plane: solids to scale, links and plates of the usual width, mass centres.
import type { Point } from '../data';
import { boxCorners } from './geometry';
import type { Moment } from './moment';
import type { Pen } from './symbols';
import * as symbols from './symbols';

export function drawBody(pen: Pen, m: Moment, index: number): void {
  if (!m.view.placed(index)) return;
  const { ctx, palette, u } = pen;
  const outline = m.layout.motion.outlines[index];
  const e = m.emphasis({ kind: 'body', index });
  const edgeColour = e.selected || e.hovered ? palette.accent : palette.linkEdge;
  const fill = e.selected ? palette.accentSoft : palette.link;
  const edge_px = Math.min(1.7, Math.max(0.9, u / 4)) * (e.selected || e.hovered ? 1.6 : 1);
  const put = (p: Readonly<Point>): Point => m.view.on(index, p);
  ctx.lineJoin = 'round';
  ctx.lineCap = 'round';

  for (const solid of outline.solids) {
    ctx.beginPath();
    if (solid.kind === 'disc') {
      const [x, y] = put(solid.centre);
      ctx.arc(x, y, solid.radius * m.view.camera.scale, 0, 2 * Math.PI);
    } else {
      (solid.kind === 'box' ? boxCorners(solid.centre, solid.size, solid.angle ?? 0) : solid.kind === 'polygon' ? solid.points : []).map(put).forEach((p, i) => (i ? ctx.lineTo(...p) : ctx.moveTo(...p)));
      ctx.closePath();
    }
    ctx.globalAlpha = 0.92;
    ctx.fillStyle = fill;
    ctx.fill();
    ctx.globalAlpha = 1;
    ctx.strokeStyle = edgeColour;
    ctx.lineWidth = edge_px;
    ctx.stroke();
    if (solid.kind === 'disc') {  // a line that shows the disc turning
      const c = put(solid.centre), r = put([solid.centre[0] + solid.radius, solid.centre[1]]);
      ctx.beginPath();
      ctx.moveTo(c[0], c[1]);
      ctx.lineTo(r[0], r[1]);
      ctx.lineWidth = edge_px * 0.8;
      ctx.stroke();
    }
  }
  // Bars and plates: first all edges, then all insides, so that the parts of one body melt together.
  const width = u * 2.9;
  const trace = (points: readonly Point[], close: boolean): void => {
    ctx.beginPath();
    points.map(put).forEach((p, i) => (i ? ctx.lineTo(...p) : ctx.moveTo(...p)));
    if (close) ctx.closePath();
  };
  for (const inside of [false, true]) {
    ctx.strokeStyle = ctx.fillStyle = inside ? fill : edgeColour;
    ctx.lineWidth = inside ? width - 2 * edge_px : width;
    for (const bar of outline.bars) {
      trace(bar, false);
      ctx.stroke();
    }
    for (const plate of outline.plates) {
      trace(plate, true);
      ctx.stroke();
      if (inside) ctx.fill();
    }
  }
  for (const dot of outline.dots) {
    const [x, y] = put(dot);
    ctx.beginPath();
    ctx.arc(x, y, u * 1.9, 0, 2 * Math.PI);
    ctx.fillStyle = fill;
    ctx.fill();
    ctx.strokeStyle = edgeColour;
    ctx.lineWidth = edge_px;
    ctx.stroke();
  }
}

export function drawCentres(pen: Pen, m: Moment): void {
  m.view.page.bodies.forEach((body, i) => {
    if (body.com && m.view.placed(i)) symbols.massCentre(pen, m.view.on(i, body.com), -m.view.poses[i].angle);
  });
}
