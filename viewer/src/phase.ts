// A phase plot: quantities against another one instead of time; a dot on each curve is where the run is now, a click goes there.
import type { Page, PlotSpec, Point, Series } from './data';
import { locate, valueAt } from './data';
import { h } from './dom';
import { axisExponent, prettyUnit, significant, superscript, tickLabels } from './format';
import { polyline, svg } from './learn/svg';
import type { Player } from './player';
import type { PlotActions } from './plots';
import { linearRange } from './plots';
import { niceStep } from './scene/scales';

const kHeight = 240;
const kLeft = 62, kRight = 14, kTop = 24, kBottom = 34;
const kFinest_px = 0.4;  // points of a curve nearer than this to the one before are left out

function ticks(low: number, high: number, count: number): { values: number[]; step: number } {
  const step = niceStep((high - low) / count);
  const values: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) values.push(k * step);
  return { values, step };
}

interface Axis { readonly low: number; readonly high: number; readonly at: (v: number) => number }

export class PhasePlot {
  readonly element: HTMLElement;
  private readonly drawing_ = svg('svg', { class: 'phase-drawing', role: 'img' });
  private readonly dots_: SVGElement[];
  private readonly values_: HTMLElement[] = [];
  private readonly x_: Series;
  private width_ = 0;
  private axes_: [Axis, Axis] | null = null;

  constructor(private readonly page: Page, readonly spec: PlotSpec, private readonly player: Player, actions: PlotActions) {
    this.x_ = spec.x!;
    const entry = (s: Series, swatch: HTMLElement | null): HTMLElement => {
      const value = h('span', { class: 'value' });
      this.values_.push(value);
      return h('span', { class: 'entry', title: s.name }, swatch, h('span', { class: 'name' }, s.name), value, h('span', { class: 'unit' }, prettyUnit(s.unit)));
    };
    const legend = h('div', { class: 'legend' }, entry(this.x_, h('span', { class: 'axis-mark', 'aria-hidden': 'true' }, '→')), ...spec.series.map((s, i) => entry(s, h('span', { class: `swatch s${(i % 8) + 1}` }))));
    this.dots_ = spec.series.map((_, i) => svg('circle', { class: `phase-dot s${(i % 8) + 1}`, r: 4.5 }));
    this.drawing_.setAttribute('aria-label', `${spec.series.map((s) => s.name).join(', ')} against ${this.x_.name}`);
    this.drawing_.addEventListener('pointerdown', (e) => this.seek(e));
    this.element = h('section', { class: 'plot phase', 'aria-label': spec.title },
      h('header', null, h('h3', null, spec.title), h('span', { class: 'tag' }, 'phase'),
        actions.onClose ? h('button', { class: 'quiet close', 'aria-label': `Remove plot ${spec.title}`, title: 'Remove plot', onclick: actions.onClose }, '×') : null),
      legend, this.drawing_ as unknown as HTMLElement);
  }

  fit(): void {
    const width = Math.floor(this.element.clientWidth) - 22;
    if (width < 60) return;
    if (width !== this.width_) {
      this.width_ = width;
      this.draw();
    }
    this.showTime();
  }

  retheme(): void { /* the style sheet does it */ }

  destroy(): void { this.element.remove(); }

  showTime(): void {
    const place = locate(this.page.time, this.player.time), x = valueAt(this.x_.values, place);
    [this.x_, ...this.spec.series].forEach((s, i) => (this.values_[i].textContent = significant(valueAt(s.values, place))));
    if (!this.axes_) return;
    const [across, up] = this.axes_;
    this.spec.series.forEach((s, i) => {
      const y = valueAt(s.values, place), shown = Number.isFinite(x + y);
      this.dots_[i].toggleAttribute('hidden', !shown);
      if (!shown) return;
      this.dots_[i].setAttribute('cx', across.at(x).toFixed(2));
      this.dots_[i].setAttribute('cy', up.at(y).toFixed(2));
    });
  }

  private draw(): void {
    const w = this.width_, [x0, x1] = linearRange([this.x_]), [y0, y1] = linearRange(this.spec.series);
    const across: Axis = { low: x0, high: x1, at: (v) => kLeft + ((v - x0) / (x1 - x0)) * (w - kLeft - kRight) };
    const up: Axis = { low: y0, high: y1, at: (v) => kHeight - kBottom - ((v - y0) / (y1 - y0)) * (kHeight - kTop - kBottom) };
    this.axes_ = [across, up];
    this.drawing_.setAttribute('viewBox', `0 0 ${w} ${kHeight}`);
    this.drawing_.setAttribute('height', String(kHeight));
    // The limits, for whoever reads the drawing back.
    this.drawing_.setAttribute('data-range', [x0, x1, y0, y1].join(' '));
    const parts: SVGElement[] = [];
    const label = (text: string, x: number, y: number, anchor: string): SVGElement => svg('text', { class: 'phase-label', x, y, 'text-anchor': anchor }, text);
    for (const [axis, isX] of [[across, true], [up, false]] as const) {
      const exponent = axisExponent(Math.max(Math.abs(axis.low), Math.abs(axis.high)));
      const { values, step } = ticks(axis.low, axis.high, isX ? Math.max(2, w / 90) : 5);
      const texts = tickLabels(values, step, exponent);
      values.forEach((v, i) => {
        const at = axis.at(v);
        parts.push(svg('path', { class: Math.abs(v) < 1e-9 * step ? 'phase-grid zero' : 'phase-grid', d: isX ? `M${at} ${kTop}V${kHeight - kBottom}` : `M${kLeft} ${at}H${w - kRight}` }),
          isX ? label(texts[i], at, kHeight - kBottom + 15, 'middle') : label(texts[i], kLeft - 6, at + 4, 'end'));
      });
      const power = exponent ? `×10${superscript(exponent)} ` : '';
      const units = isX ? prettyUnit(this.x_.unit) : [...new Set(this.spec.series.map((s) => prettyUnit(s.unit)))].join(', ');
      parts.push(isX ? label(`${this.x_.label}, ${power}${units || '1'}`, w - kRight, kHeight - 3, 'end') : label(`${power}${units || '1'}`, 4, 12, 'start'));
    }
    this.spec.series.forEach((s, i) => parts.push(svg('path', { class: `phase-curve s${(i % 8) + 1}`, d: this.curve(s) })));
    this.drawing_.replaceChildren(...parts, ...this.dots_);
  }

  /** The whole run; gaps break the curve, and points that would not be seen apart are one. */
  private curve(s: Series): string {
    const [across, up] = this.axes_!;
    let out = '', piece: Point[] = [], skipped: Point | null = null;
    const finish = (): void => {
      if (skipped) piece.push(skipped);
      if (piece.length) out += polyline(piece);
      piece = [];
      skipped = null;
    };
    for (let i = 0; i < this.page.time.length; i++) {
      const p: Point = [across.at(this.x_.values[i]), up.at(s.values[i])];
      if (!Number.isFinite(p[0] + p[1])) {
        finish();
        continue;
      }
      const last = piece[piece.length - 1];
      if (last && Math.hypot(p[0] - last[0], p[1] - last[1]) < kFinest_px) skipped = p;
      else {
        piece.push(p);
        skipped = null;
      }
    }
    finish();
    return out;
  }

  /** To the time of the nearest sample. */
  private seek(e: PointerEvent): void {
    if (!this.axes_ || e.button !== 0) return;
    const box = this.drawing_.getBoundingClientRect(), ratio = this.width_ / box.width;
    const px = (e.clientX - box.left) * ratio, py = (e.clientY - box.top) * ratio, [across, up] = this.axes_;
    let best = Infinity, index = -1;
    for (const s of this.spec.series) {
      for (let i = 0; i < this.page.time.length; i++) {
        const d = (across.at(this.x_.values[i]) - px) ** 2 + (up.at(s.values[i]) - py) ** 2;
        if (d < best) [best, index] = [d, i];
      }
    }
    if (index < 0) return;
    this.player.pause();
    this.player.seek(this.page.time[index]);
  }
}
