// The textbook symbols of kinematics, drawn on a canvas in CSS pixels (y down, angles clockwise as the canvas has them).
import type { Point } from '../data';
import type { Palette } from '../theme';

/** The canvas with the colours to draw in and the size of a symbol: `u` is the radius of a hinge circle. */
export interface Pen {
  readonly ctx: CanvasRenderingContext2D;
  readonly palette: Palette;
  readonly u: number;
  readonly font: string;
}

const along = (p: Readonly<Point>, angle: number, distance: number): Point => [p[0] + distance * Math.cos(angle), p[1] + distance * Math.sin(angle)];

function line(ctx: CanvasRenderingContext2D, ...points: Readonly<Point>[]): void {
  ctx.beginPath();
  points.forEach(([x, y], i) => (i ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
}

/** A thin stroke that stays visible on small symbols. */
const fine = (pen: Pen): number => Math.min(1.6, Math.max(0.9, pen.u / 4));

// ---- Ground ----------------------------------------------------------------------------------------------------

/** A line from a to b with slanted strokes on its right-hand side (going from a to b, y down). */
export function hatchedLine(pen: Pen, a: Point, b: Point): void {
  const { ctx, palette, u } = pen;
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (!(length > 0) || length > 1e5) return;
  const angle = Math.atan2(b[1] - a[1], b[0] - a[0]);
  const spacing = Math.max(4, u * 0.95), depth = spacing * 1.05;
  ctx.strokeStyle = palette.rail;
  ctx.lineWidth = fine(pen) * 0.75;
  ctx.beginPath();
  const count = Math.max(1, Math.floor(length / spacing));
  for (let i = 0; i < count; i++) {
    const p = along(a, angle, ((i + 1) * length) / count);
    const q = along(along(p, angle, -depth), angle + Math.PI / 2, depth);
    ctx.moveTo(p[0], p[1]);
    ctx.lineTo(q[0], q[1]);
  }
  ctx.stroke();
  ctx.lineWidth = fine(pen) * 1.15;
  line(ctx, a, b);
  ctx.stroke();
}

/** The fixed pivot: a triangle on hatched ground. The hinge circle goes on top of it. */
export function groundPivot(pen: Pen, [x, y]: Point): void {
  const { ctx, palette, u } = pen;
  const w = u * 2.1, hgt = u * 3;
  ctx.fillStyle = palette.paper;
  ctx.strokeStyle = palette.rail;
  ctx.lineWidth = fine(pen);
  ctx.lineJoin = 'round';
  line(ctx, [x, y], [x + w, y + hgt], [x - w, y + hgt]);
  ctx.closePath();
  ctx.fill();
  ctx.stroke();
  hatchedLine(pen, [x - w * 1.6, y + hgt], [x + w * 1.6, y + hgt]);
}

/** A body welded to the ground: a hatched footing right under the point. */
export function groundWeld(pen: Pen, [x, y]: Point): void {
  const w = pen.u * 2.6;
  hatchedLine(pen, [x - w, y + pen.u * 1.2], [x + w, y + pen.u * 1.2]);
}

// ---- Joints ----------------------------------------------------------------------------------------------------

export interface Emphasis { readonly selected: boolean; readonly hovered: boolean }
const kPlain: Emphasis = { selected: false, hovered: false };

const edge = (pen: Pen, e: Emphasis): string => (e.selected || e.hovered ? pen.palette.accent : pen.palette.linkEdge);

/** A point of contact. */
export function contact(pen: Pen, [x, y]: Point, e: Emphasis = kPlain): void {
  const { ctx } = pen;
  ctx.beginPath();
  ctx.arc(x, y, pen.u * 0.5, 0, 2 * Math.PI);
  ctx.fillStyle = edge(pen, e);
  ctx.fill();
}

/** A blade that slides along itself. */
export function blade(pen: Pen, [x, y]: Point, angle: number, e: Emphasis = kPlain): void {
  const { ctx, u } = pen;
  line(ctx, along([x, y], angle, -2.6 * u), along([x, y], angle, 2.6 * u));
  ctx.lineWidth = fine(pen) * 2.6;
  ctx.lineCap = 'round';
  ctx.strokeStyle = edge(pen, e);
  ctx.stroke();
  ctx.lineCap = 'butt';
}

export function pivot(pen: Pen, [x, y]: Point, e: Emphasis = kPlain, radius = pen.u): void {
  const { ctx, palette } = pen;
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.fillStyle = e.selected ? palette.accent : palette.paper;
  ctx.fill();
  ctx.strokeStyle = edge(pen, e);
  ctx.lineWidth = fine(pen) * (e.selected || e.hovered ? 1.7 : 1.15);
  ctx.stroke();
}

/** Two parts held together: a filled square with a cross. */
export function weld(pen: Pen, [x, y]: Point, angle: number, e: Emphasis): void {
  const { ctx, u, palette } = pen;
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(angle);
  ctx.fillStyle = e.selected ? palette.accent : edge(pen, e);
  ctx.fillRect(-u * 0.85, -u * 0.85, u * 1.7, u * 1.7);
  ctx.strokeStyle = palette.paper;
  ctx.lineWidth = fine(pen) * 0.9;
  line(ctx, [-u * 0.5, -u * 0.5], [u * 0.5, u * 0.5]);
  ctx.moveTo(-u * 0.5, u * 0.5);
  ctx.lineTo(u * 0.5, -u * 0.5);
  ctx.stroke();
  ctx.restore();
}

/** Two crossed bars at a joint: here a loop was opened. */
export function cutMark(pen: Pen, p: Point, angle: number): void {
  const { ctx, u } = pen;
  ctx.strokeStyle = pen.palette.muted;
  ctx.lineWidth = Math.max(1.4, u * 0.42);
  ctx.lineCap = 'butt';
  for (const turn of [Math.PI / 4, -Math.PI / 4]) {
    line(ctx, along(p, angle + turn, -u * 2.7), along(p, angle + turn, u * 2.7));
    ctx.stroke();
  }
}

export const kBlockLength = 5.2;  // of a slider block, in units of u
export const kBlockHeight = 3.2;

export function sliderBlock(pen: Pen, [x, y]: Point, angle: number, e: Emphasis): void {
  const { ctx, u, palette } = pen;
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(angle);
  ctx.beginPath();
  ctx.roundRect((-u * kBlockLength) / 2, (-u * kBlockHeight) / 2, u * kBlockLength, u * kBlockHeight, u * 0.5);
  ctx.fillStyle = e.selected ? palette.accentSoft : palette.link;
  ctx.fill();
  ctx.strokeStyle = edge(pen, e);
  ctx.lineWidth = fine(pen) * (e.selected || e.hovered ? 1.8 : 1.15);
  ctx.stroke();
  ctx.restore();
}

/** The guide of a slider on the ground: the axis dash-dotted, and a hatched line at `offset` pixels to one side. */
export function groundRail(pen: Pen, p: Point, angle: number, from: number, to: number, offset: number): void {
  axisLine(pen, along(p, angle, from), along(p, angle, to));
  // Hatching lies on the right-hand side of the direction of drawing: turn it so that it is below, or to the left of, the axis.
  const flip = Math.cos(angle) < -1e-9 || (Math.abs(Math.cos(angle)) <= 1e-9 && Math.sin(angle) < 0);
  const [a, b] = flip ? [to, from] : [from, to];
  const direction = flip ? angle + Math.PI : angle;
  const shift = (s: number): Point => along(along(p, angle, s), direction + Math.PI / 2, offset);
  hatchedLine(pen, shift(a), shift(b));
}

/** The guide of a slider on a moving body: a slim bar through the block. */
export function bodyRail(pen: Pen, p: Point, angle: number, from: number, to: number): void {
  const { ctx, u, palette } = pen;
  const a = along(p, angle, from), b = along(p, angle, to);
  ctx.lineCap = 'butt';
  line(ctx, a, b);
  ctx.strokeStyle = palette.linkEdge;
  ctx.lineWidth = u * 1.1 + 2 * fine(pen);
  ctx.stroke();
  ctx.strokeStyle = palette.link;
  ctx.lineWidth = u * 1.1;
  ctx.stroke();
  for (const end of [a, b]) {
    ctx.strokeStyle = palette.linkEdge;
    ctx.lineWidth = fine(pen);
    line(ctx, along(end, angle + Math.PI / 2, u), along(end, angle - Math.PI / 2, u));
    ctx.stroke();
  }
}

function axisLine(pen: Pen, a: Point, b: Point): void {
  const { ctx, palette } = pen;
  ctx.save();
  ctx.setLineDash([9, 3, 2, 3]);
  ctx.strokeStyle = palette.muted;
  ctx.globalAlpha = 0.55;
  ctx.lineWidth = 0.8;
  line(ctx, a, b);
  ctx.stroke();
  ctx.restore();
}

/** A slot for a pin: a long hole with round ends. */
export function slot(pen: Pen, p: Point, angle: number, from: number, to: number, e: Emphasis): void {
  const { ctx, u, palette } = pen;
  const a = along(p, angle, from), b = along(p, angle, to);
  ctx.lineCap = 'round';
  const layers: [number, string][] = [[u * 3.9, edge(pen, e)], [u * 3.9 - 2.4 * fine(pen), e.selected ? palette.accentSoft : palette.link],
    [u * 2.3 + fine(pen), palette.linkEdge], [u * 2.3 - fine(pen), palette.paper]];
  for (const [width, colour] of layers) {
    line(ctx, a, b);
    ctx.lineWidth = width;
    ctx.strokeStyle = colour;
    ctx.stroke();
  }
}

export function distanceLink(pen: Pen, a: Point, b: Point, e: Emphasis): void {
  const { ctx } = pen;
  ctx.strokeStyle = edge(pen, e);
  ctx.lineWidth = fine(pen) * (e.selected || e.hovered ? 2.4 : 1.6);
  ctx.lineCap = 'round';
  line(ctx, a, b);
  ctx.stroke();
  pivot(pen, a, e, pen.u * 0.62);
  pivot(pen, b, e, pen.u * 0.62);
}

// ---- Springs, dampers, actuators -------------------------------------------------------------------------------

function loadStroke(pen: Pen, e: Emphasis): void {
  pen.ctx.strokeStyle = e.selected || e.hovered ? pen.palette.accent : pen.palette.spring;
  pen.ctx.lineWidth = fine(pen) * (e.selected || e.hovered ? 1.6 : 1.15);
  pen.ctx.lineJoin = 'round';
  pen.ctx.lineCap = 'round';
}

/** A zigzag that stretches with its ends. */
export function spring(pen: Pen, a: Point, b: Point, e: Emphasis): void {
  const { ctx, u } = pen;
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]), angle = Math.atan2(b[1] - a[1], b[0] - a[0]);
  const lead = Math.min(u * 2.2, length * 0.18), turns = 7, width = u * 1.45;
  const points: Point[] = [a, along(a, angle, lead)];
  for (let i = 0; i < 2 * turns; i++) {
    const s = lead + ((i + 0.5) / (2 * turns)) * (length - 2 * lead);
    points.push(along(along(a, angle, s), angle + Math.PI / 2, i % 2 ? width : -width));
  }
  points.push(along(b, angle, -lead), b);
  loadStroke(pen, e);
  line(ctx, ...points);
  ctx.stroke();
}

/** A dashpot: a cup on the first end, a piston on the second. */
export function damper(pen: Pen, a: Point, b: Point, e: Emphasis): void {
  const { ctx, u } = pen;
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]), angle = Math.atan2(b[1] - a[1], b[0] - a[0]);
  const width = u * 1.35, cup = Math.min(u * 6, length * 0.34);
  const side = angle + Math.PI / 2;
  const base = Math.max(0, length * 0.5 - cup * 0.6);
  const at = (s: number, w: number): Point => along(along(a, angle, s), side, w);
  loadStroke(pen, e);
  line(ctx, a, at(base, 0));
  ctx.stroke();
  line(ctx, at(base + cup, -width), at(base, -width), at(base, width), at(base + cup, width));
  ctx.stroke();
  line(ctx, at(base + cup * 0.55, -width * 0.72), at(base + cup * 0.55, width * 0.72));
  ctx.lineWidth *= 1.8;
  ctx.stroke();
  ctx.lineWidth /= 1.8;
  line(ctx, at(base + cup * 0.55, 0), b);
  ctx.stroke();
}

/** A spring and a damper side by side between two yokes. */
export function springDamper(pen: Pen, a: Point, b: Point, e: Emphasis): void {
  const { ctx, u } = pen;
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]), angle = Math.atan2(b[1] - a[1], b[0] - a[0]);
  const lead = Math.min(u * 2, length * 0.15), side = u * 2.1;
  const at = (s: number, w: number): Point => along(along(a, angle, s), angle + Math.PI / 2, w);
  spring(pen, at(lead, -side), at(length - lead, -side), e);
  damper(pen, at(lead, side), at(length - lead, side), e);
  loadStroke(pen, e);
  for (const [end, s] of [[a, lead], [b, length - lead]] as const) {
    line(ctx, end, at(s, 0));
    ctx.stroke();
    line(ctx, at(s, -side), at(s, side));
    ctx.stroke();
  }
}

/** The eye at the end of a spring, damper or actuator. */
export function eye(pen: Pen, [x, y]: Point, e: Emphasis): void {
  const { ctx } = pen;
  ctx.beginPath();
  ctx.arc(x, y, Math.max(1.6, pen.u * 0.42), 0, 2 * Math.PI);
  ctx.fillStyle = e.selected || e.hovered ? pen.palette.accent : pen.palette.spring;
  ctx.fill();
}

/** A linear actuator: cylinder and rod. */
export function actuator(pen: Pen, a: Point, b: Point, e: Emphasis): void {
  const { ctx, u, palette } = pen;
  const mid: Point = [a[0] + (b[0] - a[0]) * 0.55, a[1] + (b[1] - a[1]) * 0.55];
  ctx.lineCap = 'butt';
  line(ctx, a, b);
  ctx.strokeStyle = edge(pen, e);
  ctx.lineWidth = u * 0.8;
  ctx.stroke();
  line(ctx, a, mid);
  ctx.lineWidth = u * 2.2;
  ctx.stroke();
  ctx.strokeStyle = palette.accentSoft;
  ctx.lineWidth = u * 2.2 - 2 * fine(pen);
  ctx.stroke();
}

/** A bushing: two sleeves with rubber between them. */
export function bushing(pen: Pen, p: Point, angle: number, e: Emphasis): void {
  const { ctx, u, palette } = pen;
  const ring = (radius: number): void => {
    ctx.beginPath();
    ctx.arc(p[0], p[1], radius, 0, 2 * Math.PI);
  };
  ring(u * 2.6);
  ctx.fillStyle = palette.paper;
  ctx.fill();
  loadStroke(pen, e);
  ctx.stroke();
  ctx.beginPath();
  for (let k = 0; k < 12; k++) {
    const a = angle + (k * Math.PI) / 6;
    ctx.moveTo(...along(p, a, u * 1.25));
    ctx.lineTo(...along(p, a + 0.35, u * 2.5));
  }
  ctx.lineWidth *= 0.7;
  ctx.stroke();
  ring(u * 1.15);
  ctx.fillStyle = palette.paper;
  ctx.fill();
  loadStroke(pen, e);
  ctx.stroke();
}

/** A spiral spring around p, from its inner end to `end` (radians); it winds up as `end` grows. */
export function spiralSpring(pen: Pen, p: Point, end: number, e: Emphasis): void {
  const { ctx, u } = pen;
  const inner = u * 1.5, outer = u * 4.2, total = 2 * Math.PI * 2.25 + Math.max(-9, Math.min(9, end));
  loadStroke(pen, e);
  ctx.beginPath();
  for (let i = 0; i <= 90; i++) {
    const w = i / 90;
    const q = along(p, total * w, inner + (outer - inner) * w);
    if (i) ctx.lineTo(q[0], q[1]);
    else ctx.moveTo(q[0], q[1]);
  }
  ctx.stroke();
}

/** A rotary damper around p: two vanes in a ring. */
export function rotaryDamper(pen: Pen, p: Point, angle: number, e: Emphasis): void {
  const { ctx, u } = pen;
  loadStroke(pen, e);
  for (const start of [0, Math.PI]) {
    ctx.beginPath();
    ctx.arc(p[0], p[1], u * 3.2, angle + start + 0.35, angle + start + Math.PI - 0.35);
    ctx.stroke();
    line(ctx, along(p, angle + start, u * 1.4), along(p, angle + start, u * 3.9));
    ctx.stroke();
  }
}

// ---- Arrows ----------------------------------------------------------------------------------------------------

function arrowHead(ctx: CanvasRenderingContext2D, tip: Point, angle: number, size: number): void {
  line(ctx, tip, along(tip, angle + Math.PI - 0.42, size), along(tip, angle + Math.PI, size * 0.72), along(tip, angle + Math.PI + 0.42, size));
  ctx.closePath();
  ctx.fill();
}

export function arrow(pen: Pen, from: Point, to: Point, colour: string, width = 2): void {
  const { ctx } = pen;
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (!(length > 1)) return;
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const head = Math.min(4.2 * width + 2, length);
  ctx.strokeStyle = ctx.fillStyle = colour;
  ctx.lineWidth = width;
  ctx.lineCap = 'round';
  line(ctx, from, along(to, angle, -head * 0.7));
  ctx.stroke();
  arrowHead(ctx, to, angle, head);
}

/** A curved arrow around p; `sweep` is signed, clockwise as seen when positive. */
export function arcArrow(pen: Pen, p: Point, radius: number, start: number, sweep: number, colour: string, width = 2): void {
  const { ctx } = pen;
  if (!(Math.abs(sweep) * radius > 2)) return;
  const head = Math.min(4.2 * width + 2, Math.abs(sweep) * radius);
  const end = start + sweep, turn = Math.sign(sweep);
  ctx.strokeStyle = ctx.fillStyle = colour;
  ctx.lineWidth = width;
  ctx.lineCap = 'round';
  ctx.beginPath();
  ctx.arc(p[0], p[1], radius, start, end - turn * (head * 0.7) / radius, turn < 0);
  ctx.stroke();
  arrowHead(ctx, along(p, end, radius), end + (turn * Math.PI) / 2 - (turn * head * 0.3) / radius, head);
}

// ---- Marks -----------------------------------------------------------------------------------------------------

/** The mark of a mass centre: a circle in quarters, two of them filled. It turns with the body. */
export function massCentre(pen: Pen, [x, y]: Point, angle: number): void {
  const { ctx, palette } = pen;
  const r = Math.max(3, pen.u * 0.72);
  ctx.fillStyle = palette.paper;
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 2 * Math.PI);
  ctx.fill();
  ctx.fillStyle = palette.linkEdge;
  for (const start of [angle, angle + Math.PI]) {
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.arc(x, y, r, start, start + Math.PI / 2);
    ctx.fill();
  }
  ctx.strokeStyle = palette.linkEdge;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 2 * Math.PI);
  ctx.stroke();
}

export interface LabelStyle { readonly colour?: string; readonly align?: CanvasTextAlign; readonly italic?: boolean }

const shortened = (text: string): string => (text.length > 28 ? `${text.slice(0, 27)}…` : text);
const fontOf = (pen: Pen, italic?: boolean): string => `${italic ? 'italic ' : ''}${pen.font}`;
const widths = new Map<string, number>();  // of texts in their fonts: measuring takes long

/** The width of a text as `label` writes it. */
export function labelWidth(pen: Pen, text: string, italic?: boolean): number {
  const font = fontOf(pen, italic), key = `${font} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    pen.ctx.font = font;
    width = pen.ctx.measureText(shortened(text)).width;
    widths.set(key, width);
  }
  return width;
}

/** Text with a halo of the paper's colour, so that it reads on top of lines. */
export function label(pen: Pen, text: string, [x, y]: Point, options: LabelStyle = {}): void {
  const { ctx, palette } = pen;
  const shown = shortened(text);
  ctx.font = fontOf(pen, options.italic);
  ctx.textAlign = options.align ?? 'left';
  ctx.textBaseline = 'middle';
  ctx.lineJoin = 'round';
  ctx.strokeStyle = palette.paper;
  ctx.lineWidth = 4;
  ctx.globalAlpha = 0.85;
  ctx.strokeText(shown, x, y);
  ctx.globalAlpha = 1;
  ctx.fillStyle = options.colour ?? palette.ink;
  ctx.fillText(shown, x, y);
}
