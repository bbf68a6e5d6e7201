// Text and small marks over the drawing in space: names, scale, gravity, axes. Drawn on a canvas of its own.
import type { Page, Point } from '../../data';
import { brief, withUnit } from '../../format';
import type { NamePlaces } from '../name_places';
import { niceStep } from '../scales';
import type { Pen } from '../symbols';
import { arrow, label } from '../symbols';
import type { Orbit } from './orbit';
import { rgb } from './painter';
import type { Vec3 } from './vectors';
import { norm } from './vectors';

export interface Name { readonly text: string; readonly at: Vec3; readonly selected: boolean; readonly body: boolean }

/** Names beside their points. */
export function drawNames({ palette }: Pen, orbit: Orbit, names: readonly Name[], places: NamePlaces): void {
  for (const { text, at, selected, body } of names) {
    const { p } = orbit.toScreen(at);
    places.put(text, [p[0] + (body ? 0 : 9), p[1] + (body ? 13 : -11)], { colour: selected ? palette.accent : body ? palette.muted : palette.ink, align: body ? 'center' : 'left', italic: body });
  }
}

/** Along the lower edge: length scale, axes of the ground, gravity, and the scale of arrows if they are shown. */
export function drawLegend(pen: Pen, page: Page, orbit: Orbit, arrows: { length_px: number; value: number; unit: string; colour: string; text?: string }[]): void {
  const { ctx, palette } = pen, step = niceStep(70 / orbit.scale), length = step * orbit.scale, y = orbit.height - 16;
  ctx.strokeStyle = palette.muted;
  ctx.lineWidth = 1.2;
  ctx.beginPath();
  ctx.moveTo(16, y - 4);
  ctx.lineTo(16, y);
  ctx.lineTo(16 + length, y);
  ctx.lineTo(16 + length, y - 4);
  ctx.stroke();
  label(pen, `${brief(step)} m`, [16 + length / 2, y - 10], { colour: palette.muted, align: 'center' });
  let x = 16 + length + 28;
  for (const a of arrows) {
    arrow(pen, [x, y - 1], [x + a.length_px, y - 1], a.colour, 2.2);
    label(pen, `${a.text ?? ''}${withUnit(brief(a.value, 2), a.unit)}`, [x + a.length_px / 2, y - 12], { colour: palette.muted, align: 'center' });
    x += a.length_px + 36;
  }
  drawTriad(pen, orbit, [orbit.width - 44, orbit.height - 46]);
  const g = page.gravity3, size = norm(g);
  if (!(size > 0)) return;
  const s = orbit.seen([g[0] / size, g[1] / size, g[2] / size]), c: Point = [orbit.width - 96, orbit.height - 40];
  arrow(pen, [c[0] - 15 * s[0], c[1] + 15 * s[1]], [c[0] + 15 * s[0], c[1] - 15 * s[1]], palette.muted, 1.4);
  label(pen, 'g', [c[0] - 8, c[1]], { colour: palette.muted, align: 'right', italic: true });
}

/** The ground axes as they are seen; those that point away are fainter. */
function drawTriad(pen: Pen, orbit: Orbit, centre: Point): void {
  const { ctx, palette } = pen;
  const axes = ([['x', [1, 0, 0], palette.series[1]], ['y', [0, 1, 0], palette.series[2]], ['z', [0, 0, 1], palette.series[0]]] as [string, Vec3, string][])
    .map(([name, d, colour]) => ({ name, colour, s: orbit.seen(d) })).sort((a, b) => a.s[2] - b.s[2]);
  for (const { name, colour, s } of axes) {
    const tip: Point = [centre[0] + 24 * s[0], centre[1] - 24 * s[1]], [r, g, b] = rgb(colour).map((v) => Math.round(255 * v));
    ctx.globalAlpha = s[2] < -0.3 ? 0.55 : 1;
    arrow(pen, centre, tip, `rgb(${r} ${g} ${b})`, 1.8);
    ctx.globalAlpha = 1;
    label(pen, name, [centre[0] + 33 * s[0], centre[1] - 33 * s[1]], { colour, align: 'center' });
  }
}
