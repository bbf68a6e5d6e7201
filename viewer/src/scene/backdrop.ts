// What lies behind and beside the mechanism in the plane: the grid, the paths of points, the scales along the lower edge.
import type { Point } from '../data';
import { locate, valueAt } from '../data';
import { brief, withUnit } from '../format';
import { velocityColour } from './arrow_paint';
import type { Moment } from './moment';
import { arrowLength } from './moment';
import { niceStep } from './scales';
import type { Pen } from './symbols';
import * as symbols from './symbols';

export function drawGrid(pen: Pen, m: Moment): void {
  const { ctx, palette } = pen;
  const step = niceStep(90 / m.view.camera.scale);
  const [x0, y1] = m.view.camera.toWorld(0, 0), [x1, y0] = m.view.camera.toWorld(m.view.camera.width, m.view.camera.height);
  ctx.strokeStyle = palette.grid;
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (let x = Math.ceil(x0 / step); x * step <= x1; x++) {
    const px = Math.round(m.view.at(x * step, 0)[0]) + 0.5;
    ctx.moveTo(px, 0);
    ctx.lineTo(px, m.view.camera.height);
  }
  for (let y = Math.ceil(y0 / step); y * step <= y1; y++) {
    const py = Math.round(m.view.at(0, y * step)[1]) + 0.5;
    ctx.moveTo(0, py);
    ctx.lineTo(m.view.camera.width, py);
  }
  ctx.stroke();
}

/** The whole path faintly, and a tail behind the point that fades with age. */
export function drawTraces(pen: Pen, m: Moment): void {
  const { ctx, palette } = pen;
  const { time } = m.view.page;
  if (time.length < 2) return;
  const [ox, oy] = m.view.at(0, 0), scale = m.view.camera.scale, ratio = devicePixelRatio || 1;
  const tail_s = Math.min(0.2 * (time[time.length - 1] - time[0]), 2);
  m.layout.traces.forEach(({ path, x, y }, i) => {
    const colour = palette.series[(i + 1) % palette.series.length];
    ctx.save();
    ctx.transform(scale, 0, 0, -scale, ox, oy);
    ctx.globalAlpha = m.dark ? 0.3 : 0.25;
    ctx.lineWidth = 1 / scale;
    ctx.strokeStyle = colour;
    ctx.stroke(path);
    ctx.restore();
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);

    const { index, weight } = locate(time, m.time);
    const first = locate(time, m.time - tail_s).index;
    const stride = Math.max(1, Math.ceil((index - first) / 240));
    const points: Point[] = [];
    for (let k = first; k <= index; k += stride) points.push(m.view.at(x[k], y[k]));
    points.push(m.view.at(valueAt(x, { index, weight }), valueAt(y, { index, weight })));
    ctx.strokeStyle = colour;
    ctx.lineWidth = 2;
    ctx.lineCap = 'butt';
    for (let k = 1; k < points.length; k++) {
      ctx.globalAlpha = (0.9 * k) / points.length;
      ctx.beginPath();
      ctx.moveTo(...points[k - 1]);
      ctx.lineTo(...points[k]);
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
    const tip = points[points.length - 1];
    ctx.fillStyle = colour;
    ctx.beginPath();
    ctx.arc(tip[0], tip[1], 3, 0, 2 * Math.PI);
    ctx.fill();
  });
}

/** Scale bar, direction of gravity, and the scales of the arrows that are shown, along the lower edge. */
export function drawScale(pen: Pen, m: Moment, { reactions, velocities, dashed }: { reactions: boolean; velocities: boolean; dashed: boolean }): void {
  const { ctx, palette } = pen;
  const step = niceStep(90 / m.view.camera.scale), length = step * m.view.camera.scale, y = m.view.camera.height - 16;
  ctx.strokeStyle = palette.muted;
  ctx.lineWidth = 1.2;
  ctx.lineCap = 'butt';
  ctx.beginPath();
  ctx.moveTo(16, y - 4);
  ctx.lineTo(16, y);
  ctx.lineTo(16 + length, y);
  ctx.lineTo(16 + length, y - 4);
  ctx.stroke();
  symbols.label(pen, `${brief(step)} m`, [16 + length / 2, y - 10], { colour: palette.muted, align: 'center' });
  const [gx, gy] = m.view.page.gravity, g = Math.hypot(gx, gy);
  if (g > 0) {
    const c: Point = [m.view.camera.width - 24, m.view.camera.height - 32];
    const tip: Point = [c[0] + (16 * gx) / g, c[1] - (16 * gy) / g], tail: Point = [c[0] - (16 * gx) / g, c[1] + (16 * gy) / g];
    symbols.arrow(pen, tail, tip, palette.muted, 1.4);
    symbols.label(pen, 'g', [c[0] - 8, c[1]], { colour: palette.muted, align: 'right', italic: true });
  }
  let x = 16 + length + 28;
  const { forceScale, velocities: speeds } = m.layout, shown = arrowLength(m) * 0.5;
  const scale = (value: number, unit: string, colour: string): void => {
    symbols.arrow(pen, [x, y - 1], [x + shown, y - 1], colour, 2.2);
    symbols.label(pen, withUnit(brief(value * 0.5, 2), unit), [x + shown / 2, y - 12], { colour: palette.muted, align: 'center' });
    x += shown + 34;
  };
  if (reactions && forceScale.force > 0) scale(forceScale.force, forceScale.unit, palette.force);
  if (velocities && speeds.scale > 0 && m.view.camera.width > 420) scale(speeds.scale, 'm/s', velocityColour(pen));
  // Moments turn by at most so much; half of it is half of the largest.
  if (reactions && forceScale.moment > 0 && m.view.camera.width > 520) {
    const text = withUnit(brief(forceScale.moment * 0.5, 2), forceScale.momentUnit);
    symbols.arcArrow(pen, [x + 8, y - 6], 9, Math.PI / 2, -0.8 * Math.PI, palette.force, 1.8);
    symbols.label(pen, text, [x + 24, y - 6], { colour: palette.muted });
    x += 24 + symbols.labelWidth(pen, text) + 28;
  }
  if (dashed && m.view.camera.width > 520) {
    ctx.setLineDash([5, 4]);
    symbols.arrow(pen, [x, y - 6], [x + 34, y - 6], palette.force, 2.2);
    ctx.setLineDash([]);
    symbols.label(pen, 'one of many that fit', [x + 42, y - 6], { colour: palette.muted });
  }
}
