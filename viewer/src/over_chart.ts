// A chart over a parameter: curves that can be clicked, ranges of stability shaded, limits marked, a line where the slider is.
import { h } from './dom';
import { brief, prettyUnit } from './format';
import { ticksIn, titled } from './eigenplane';
import { polyline, svg } from './learn/svg';
import type { SteadyPart } from './parts';

const kWidth = 340, kHeight = 170, kLeft = 46, kRight = 10, kTop = 18, kBottom = 30;

export class OverChart {
  readonly element: HTMLElement;
  private readonly cursor_ = svg('line', { class: 'over-cursor' });
  private readonly paths_: SVGElement[] = [];
  private readonly x_: (at: number) => number;

  /** `ask` is called with the curve that was clicked, or -1, and the parameter there. */
  constructor(part: SteadyPart, title: string, curves: readonly { readonly name: string; readonly values: Float64Array }[], ask: (curve: number, at: number) => void) {
    const { at } = part, first = at[0], last = at[at.length - 1];
    const values = curves.flatMap((c) => Array.from(c.values)).filter(Number.isFinite);
    const size = Math.max(...values.map(Math.abs), 0) || 1;
    let low = Math.min(...values), high = Math.max(...values);
    if (!(high - low > 1e-9 * size)) [low, high] = [low - 0.5 * size, high + 0.5 * size];
    const pad = 0.06 * (high - low);
    [low, high] = [low - pad, high + pad];
    const x = (p: number): number => kLeft + ((p - first) / (last - first || 1)) * (kWidth - kLeft - kRight);
    const y = (v: number): number => kTop + ((high - v) / (high - low)) * (kHeight - kTop - kBottom);
    this.x_ = x;
    const top = kTop, bottom = kHeight - kBottom;
    const picture = svg('svg', { viewBox: `0 0 ${kWidth} ${kHeight}`, class: 'eigen-drawing over-chart', role: 'group', 'aria-label': `${title} over ${part.parameter}` });
    for (const r of part.ranges) picture.append(titled(svg('rect', { x: x(r.from), y: top, width: x(r.to) - x(r.from), height: bottom - top, class: `range-${r.is}` }), `${r.is}: ${brief(r.from)} to ${brief(r.to)}`));
    for (const v of ticksIn(low, high, 4)) picture.append(svg('line', { x1: kLeft, x2: kWidth - kRight, y1: y(v), y2: y(v), class: 'eigen-grid' }), svg('text', { x: kLeft - 5, y: y(v) + 3, class: 'eigen-number', 'text-anchor': 'end' }, brief(v)));
    for (const p of ticksIn(first, last, 5)) picture.append(svg('text', { x: x(p), y: bottom + 13, class: 'eigen-number', 'text-anchor': 'middle' }, brief(p)));
    if (low < 0 && high > 0) picture.append(svg('line', { x1: kLeft, x2: kWidth - kRight, y1: y(0), y2: y(0), class: 'eigen-axis' }));
    for (const limit of part.limits) picture.append(titled(svg('line', { x1: x(limit.at), x2: x(limit.at), y1: top, y2: bottom, class: 'over-limit' }), `${part.parameter} = ${brief(limit.at, 6)}: ${limit.words}`));
    const atEvent = (e: Event): number => {
      if (!(e instanceof MouseEvent) || e.clientX === 0) return part.stops[0]?.at ?? first;
      const box = picture.getBoundingClientRect();
      return first + ((((e.clientX - box.left) / box.width) * kWidth - kLeft) / (kWidth - kLeft - kRight)) * (last - first);
    };
    picture.addEventListener('click', (e) => ask(-1, atEvent(e)));
    curves.forEach((curve, k) => {
      const d = polyline(Array.from(at, (p, i): [number, number] => [x(p), y(curve.values[i])]).filter(([, v]) => Number.isFinite(v)));
      const path = svg('path', { d, class: 'over-curve' });
      const wide = titled(svg('path', { d, class: 'over-touch', role: 'button', 'aria-label': `${title}, ${curve.name}` }), curve.name);
      wide.addEventListener('click', (e) => { e.stopPropagation(); ask(k, atEvent(e)); });
      this.paths_.push(path);
      picture.append(path, wide);
    });
    picture.append(this.cursor_, svg('text', { x: kLeft, y: 11, class: 'eigen-label' }, title), svg('text', { x: kWidth - kRight, y: kHeight - 4, class: 'eigen-label', 'text-anchor': 'end' }, `${part.parameter}${part.unit ? `, ${prettyUnit(part.unit)}` : ''}`));
    for (const name of ['y1', 'y2']) this.cursor_.setAttribute(name, String(name === 'y1' ? top : bottom));
    this.element = h('div', { class: 'eigenplane' }, picture as unknown as HTMLElement);
  }

  showAt(at: number): void { for (const name of ['x1', 'x2']) this.cursor_.setAttribute(name, this.x_(at).toFixed(1)); }

  mark(curve: number): void { this.paths_.forEach((path, k) => path.classList.toggle('chosen', k === curve)); }
}
