// Drawing diagrams as SVG: arrows, arcs, text with a halo, and the drawing as a file. Pixels, y down.
import type { Point } from '../data';
import { download } from '../dom';

export const kSvg = 'http://www.w3.org/2000/svg';

/** Kinds of lines and texts; style.css gives them their colours under the same names. */
export function svg(tag: string, attributes: Record<string, string | number>, text = ''): SVGElement {
  const element = document.createElementNS(kSvg, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, typeof value === 'number' ? String(Math.round(value * 100) / 100) : value);
  if (text) element.textContent = text;
  return element;
}

const pair = ([x, y]: Readonly<Point>): string => `${x.toFixed(2)} ${y.toFixed(2)}`;
export const polyline = (points: readonly Readonly<Point>[], closed = false): string => points.map((p, i) => `${i ? 'L' : 'M'}${pair(p)}`).join('') + (closed ? 'Z' : '');

const kHead_px = 10;

function head(tip: Readonly<Point>, angle: number, length: number): string {
  const at = (turn: number, d: number): Point => [tip[0] - d * Math.cos(angle + turn), tip[1] - d * Math.sin(angle + turn)];
  return polyline([tip, at(0.36, length), at(0, 0.74 * length), at(-0.36, length)], true);
}

/** An arrow: a line and a filled head. `kind` is a class that colours both; `data` goes along for tests. */
export function arrow(from: Readonly<Point>, to: Readonly<Point>, kind: string, data: Record<string, string | number> = {}): SVGElement {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]), angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const headLength = Math.min(kHead_px, Math.max(4, 0.6 * length));
  const neck: Point = [to[0] - 0.7 * headLength * Math.cos(angle), to[1] - 0.7 * headLength * Math.sin(angle)];
  const group = svg('g', { class: `arrow ${kind}`, ...data });
  group.append(svg('path', { class: 'shaft', d: polyline([from, neck]) }), svg('path', { class: 'head', d: head(to, angle, headLength) }));
  return group;
}

/** A curved arrow around p; positive is counter-clockwise as seen. `start` is where it begins, counter-clockwise from x. */
export function turnArrow(p: Readonly<Point>, radius: number, positive: boolean, kind: string, data: Record<string, string | number> = {}, start = -0.9): SVGElement {
  const sweep = 4.6, direction = positive ? 1 : -1, from = positive ? start : -start - Math.PI;
  const at = (angle: number): Point => [p[0] + radius * Math.cos(angle), p[1] - radius * Math.sin(angle)];
  const end = from + direction * sweep, neck = end - (direction * 0.7 * kHead_px) / radius;
  const tangent = end + (direction * Math.PI) / 2 - (direction * 0.35 * kHead_px) / radius;
  const group = svg('g', { class: `arrow ${kind}`, ...data });
  group.append(
    svg('path', { class: 'shaft', d: `M${pair(at(from))}A${radius} ${radius} 0 1 ${positive ? 0 : 1} ${pair(at(neck))}` }),
    svg('path', { class: 'head', d: head(at(end), Math.atan2(-Math.sin(tangent), Math.cos(tangent)), kHead_px) }));
  return group;
}

const context = document.createElement('canvas').getContext('2d');
export const kFont_px = 12;

const widths = new Map<string, number>();
const kMostWidths = 4000;

export function textWidth(text: string, bold = false): number {
  const key = bold ? `b${text}` : text;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size > kMostWidths) widths.clear();
    widths.set(key, (width = measured(text, bold)));
  }
  return width;
}

function measured(text: string, bold: boolean): number {
  if (!context) return 7 * text.length;
  context.font = `${bold ? '600 ' : ''}${kFont_px}px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif`;
  return context.measureText(text).width;
}

export function label(text: string, [x, y]: Readonly<Point>, kind: string, anchor: 'start' | 'middle' | 'end' = 'middle'): SVGElement {
  return svg('text', { class: `label ${kind}`, x, y, 'text-anchor': anchor, 'dominant-baseline': 'central' }, text);
}

/** A length with its meaning, in the lower left corner: |----| 10 N. */
export function scaleBar(x: number, y: number, length: number, text: string): SVGElement {
  const group = svg('g', { class: 'scale-bar' });
  group.append(svg('path', { d: `M${x} ${y - 4}v8M${x} ${y}h${length.toFixed(2)}m0 -4v8` }), label(text, [x + length + 8, y], 'quiet', 'start'));
  return group;
}

const kExported = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linejoin', 'stroke-linecap', 'opacity', 'font-size', 'font-weight', 'font-style', 'font-family', 'paint-order', 'text-anchor', 'dominant-baseline'];

/** The drawing with its colours in it, as other programs can read it. */
export function saveSvg(drawing: SVGElement, name: string): void {
  const copy = drawing.cloneNode(true) as SVGElement;
  const from = [drawing, ...drawing.querySelectorAll('*')], to = [copy, ...copy.querySelectorAll('*')];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const key of kExported) to[i].setAttribute(key, style.getPropertyValue(key));
    to[i].removeAttribute('class');
  });
  copy.setAttribute('xmlns', kSvg);
  copy.setAttribute('width', drawing.getAttribute('data-width') ?? '600');
  copy.setAttribute('height', drawing.getAttribute('data-height') ?? '400');
  download(name, new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' }));
}
