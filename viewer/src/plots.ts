// One plot over time: curves with units, a marker tied to the time bar, all digits under the pointer. Axes stay fixed over the run.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Page, PlotSpec, Series } from './data';
import { locate, valueAt } from './data';
import { h } from './dom';
import { allDigits, axisExponent, prettyUnit, significant, superscript, tickLabels } from './format';
import type { Player } from './player';
import type { ThemeControl } from './theme';

const kPlotHeight = 150;
const kAxisWidth = 58;
const kDecadesShown = 24;
const kDashes: (number[] | undefined)[] = [undefined, [7, 3], [2, 3], [9, 3, 2, 3]];

/** Limits of a linear axis: all finite values with a little air, never of zero height. */
export function linearRange(series: readonly Series[]): [number, number] {
  let low = Infinity, high = -Infinity;
  for (const s of series) {
    for (const v of s.values) {
      if (v < low && v > -Infinity) low = v;
      if (v > high && v < Infinity) high = v;
    }
  }
  if (!(low <= high)) return [-1, 1];
  // Differences at the level of rounding are not motion: such a curve is drawn flat.
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= 1e-12 * size || high === low) {
    const air = size > 0 ? 0.1 * size : 1;
    return [low - air, high + air];
  }
  const air = 0.06 * (high - low);
  return [low >= 0 && low < 0.3 * high ? 0 : low - air, high + air];
}

export interface LogRange { readonly low: number; readonly high: number; /** Where zeros are drawn; 0 when there are none. */ readonly floor: number }

/** Far below the rounding of any length or speed a mechanism has: such a size is a zero. */
const kNoise = 1e-18;

/** Whole decades around the sizes; zeros get a line of their own one decade below the smallest. */
export function logRange(series: readonly Series[]): LogRange {
  let low = Infinity, high = 0, zeros = false;
  for (const s of series) {
    for (const value of s.values) {
      const v = Math.abs(value);
      if (v < kNoise) zeros = true;
      else if (Number.isFinite(v)) {
        if (v < low) low = v;
        if (v > high) high = v;
      }
    }
  }
  if (high === 0) [low, high] = [1e-16, 1e-15];
  const top = Math.ceil(Math.log10(high) - 1e-9);
  let bottom = Math.max(Math.floor(Math.log10(low) + 1e-9), top - kDecadesShown);
  if (bottom === top) bottom--;
  if (zeros) bottom--;
  return { low: 10 ** bottom, high: 10 ** top, floor: zeros ? 10 ** bottom : 0 };
}

/** What uPlot draws: numbers, with null where there is a gap. */
function drawable(series: Series, log: LogRange | null): Float64Array | (number | null)[] {
  if (!log) return series.gaps ? Array.from(series.values, (v) => (Number.isFinite(v) ? v : null)) : series.values;
  return Array.from(series.values, (v) => (Number.isFinite(v) ? Math.max(Math.abs(v), log.low) : null));
}

/** Short names for the legend: the label alone when all curves belong to one group. */
function legendNames(spec: PlotSpec): string[] {
  const labels = spec.series.map((s) => s.label);
  const distinct = new Set(labels).size === labels.length;
  // A lone curve gets its whole name, unless the title has said it.
  if (spec.series.length === 1 && !spec.title.toLowerCase().split(/[^\p{L}\d_]+/u).includes(spec.series[0].group.toLowerCase())) return [spec.series[0].name];
  return distinct && new Set(spec.series.map((s) => s.group)).size === 1 ? labels : spec.series.map((s) => s.name);
}

export interface PlotActions { onClose: (() => void) | null; onKeep?: () => void }

export class TimePlot {
  readonly element: HTMLElement;
  private readonly host_: HTMLElement;
  private readonly values_: HTMLElement[] = [];
  private readonly tip_: HTMLElement;
  private readonly marker_: HTMLElement;
  private readonly tipValues_: HTMLElement[] = [];
  private readonly tipTime_: HTMLElement;
  private plot_: uPlot | null = null;
  private hovering_ = false;

  constructor(private readonly page: Page, readonly spec: PlotSpec, private readonly player: Player, private readonly theme: ThemeControl, actions: PlotActions) {
    const names = legendNames(spec);
    const legend = h('div', { class: 'legend' });
    const tipRows: HTMLElement[] = [];
    spec.series.forEach((s, i) => {
      const value = h('span', { class: 'value' });
      this.values_.push(value);
      legend.append(h('span', { class: 'entry', title: s.name }, this.swatch(i), h('span', { class: 'name' }, names[i]), value, h('span', { class: 'unit' }, prettyUnit(s.unit))));
      const tipValue = h('span', { class: 'value' });
      this.tipValues_.push(tipValue);
      tipRows.push(h('div', { class: 'row' }, this.swatch(i), h('span', { class: 'name' }, names[i]), tipValue, h('span', { class: 'unit' }, prettyUnit(s.unit))));
    });
    this.tipTime_ = h('span', { class: 'value' });
    this.tip_ = h('div', { class: 'plot-tip', hidden: true }, h('div', { class: 'row' }, h('span'), h('span', { class: 'name' }, 'time'), this.tipTime_, h('span', { class: 'unit' }, 's')), ...tipRows);
    this.marker_ = h('div', { class: 'marker' });
    this.host_ = h('div', { class: 'plot-host', role: 'img', 'aria-label': `${spec.title}: ${spec.series.map((s) => s.name).join(', ')} over time${spec.log ? ', logarithmic' : ''}` });
    this.host_.style.height = `${kPlotHeight}px`;
    this.element = h('section', { class: 'plot', 'aria-label': spec.title },
      h('header', null,
        h('h3', null, spec.title),
        spec.log ? h('span', { class: 'tag' }, 'log') : null,
        actions.onKeep ? h('button', { class: 'quiet', onclick: actions.onKeep, title: 'Keep this plot when the selection changes' }, 'Keep') : null,
        actions.onClose ? h('button', { class: 'quiet close', 'aria-label': `Remove plot ${spec.title}`, title: 'Remove plot', onclick: actions.onClose }, '×') : null),
      legend, this.host_, this.tip_);
    if (!page.time.length) this.host_.append(h('p', { class: 'empty' }, 'No samples were recorded.'));
  }

  private swatch(i: number): HTMLElement {
    return h('span', { class: `swatch s${(i % 8) + 1}${i % 8 !== i || i >= 4 ? ' dashed' : ''}` });
  }

  /** Makes the plot as wide as its place; the first call builds it. */
  fit(): void {
    const width = Math.floor(this.host_.clientWidth);
    if (width < 40 || !this.page.time.length) return;
    if (!this.plot_) this.plot_ = this.build(width);
    else if (this.plot_.width !== width) this.plot_.setSize({ width, height: kPlotHeight });
    this.showTime();
  }

  /** Moves the marker and the values in the legend to the current time. */
  showTime(): void {
    const place = locate(this.page.time, this.player.time);
    this.spec.series.forEach((s, i) => {
      const text = significant(valueAt(s.values, place));
      if (this.values_[i].textContent !== text) this.values_[i].textContent = text;
    });
    if (this.plot_?.status === 1) this.marker_.style.transform = `translateX(${this.plot_.valToPos(this.player.time, 'x')}px)`;
  }

  retheme(): void { this.plot_?.redraw(false, true); }

  destroy(): void {
    this.plot_?.destroy();
    this.plot_ = null;
    this.element.remove();
  }

  private build(width: number): uPlot {
    const { time } = this.page;
    const { series, log } = this.spec;
    const palette = (): ThemeControl['palette'] => this.theme.palette;
    const logs = log ? logRange(series) : null;
    // Curves of one unit share a scale; a logarithmic plot compares sizes and has a single one.
    const units = logs ? ['log'] : [...new Set(series.map((s) => s.unit))];
    const scaleOf = (s: Series): string => (logs ? 'log' : `unit ${s.unit}`);
    const start = this.player.start, end = this.player.span > 0 ? this.player.end : start + 1;
    const scales: uPlot.Scales = { x: { time: false, range: () => (this.player.span > 0 ? [start, end] : [start - 1, end]) } };
    const font = '11px system-ui, sans-serif';
    const axes: uPlot.Axis[] = [{
      stroke: () => palette().muted, grid: { stroke: () => palette().grid, width: 1 }, ticks: { show: false }, font, size: 24, gap: 4, space: 56,
      values: (_u, splits, _axis, _space, increment) => {
        const exponent = axisExponent(Math.max(Math.abs(start), Math.abs(end)));
        const labels = tickLabels(splits, increment, exponent);
        const unit = exponent ? ` ×10${superscript(exponent)} s` : ' s';
        const last = splits.length - 1;
        return labels.map((text, i) => (i === last ? text + unit : text));
      },
    }];
    const unitTexts: { side: number; text: string }[] = [];
    if (logs) {
      scales.log = { distr: 3, log: 10, range: () => [logs.low, logs.high] };
      const [e0, e1] = [Math.round(Math.log10(logs.low)), Math.round(Math.log10(logs.high))];
      const stride = Math.max(1, Math.ceil((e1 - e0) / 5));
      const exponents = Array.from({ length: e1 - e0 + 1 }, (_, i) => e1 - i).filter((e, i) => i % stride === 0 && (e - e0 >= stride * 0.6 || !logs.floor)).reverse();
      const splits = [...(logs.floor ? [logs.floor] : []), ...exponents.map((e) => 10 ** e)];
      axes.push({
        scale: 'log', side: 3, stroke: () => palette().muted, grid: { stroke: () => palette().grid, width: 1 }, ticks: { show: false }, font, size: kAxisWidth, gap: 6,
        splits: () => splits, filter: (_u, s) => s,
        values: (_u, s) => s.map((v) => (v === logs.floor ? '0' : `10${superscript(Math.round(Math.log10(v)))}`)),
      });
      unitTexts.push({ side: 3, text: [...new Set(series.map((s) => prettyUnit(s.unit)))].join(', ') });
    } else {
      units.forEach((unit, k) => {
        const [low, high] = linearRange(series.filter((s) => s.unit === unit));
        const exponent = axisExponent(Math.max(Math.abs(low), Math.abs(high)));
        const side = k === 0 ? 3 : 1;
        scales[`unit ${unit}`] = { range: () => [low, high] };
        axes.push({
          scale: `unit ${unit}`, side, stroke: () => palette().muted, ticks: { show: false }, font, gap: 6, space: 22,
          grid: { show: k === 0, stroke: () => palette().grid, width: 1 },
          size: (_u, labels) => Math.max(kAxisWidth, 14 + 7 * Math.max(0, ...(labels ?? []).map((l) => l.length))),
          values: (_u, splits, _axis, _space, increment) => tickLabels(splits, increment, exponent),
        });
        unitTexts.push({ side, text: `${exponent ? `×10${superscript(exponent)} ` : ''}${prettyUnit(unit) || '1'}` });
      });
    }
    const options: uPlot.Options = {
      width, height: kPlotHeight, padding: [24, units.length > 1 ? 0 : 24, 0, 0], scales, axes,
      legend: { show: false },
      cursor: { drag: { x: false, y: false, setScale: false }, y: false, sync: { key: 'linkwork-time' }, points: { size: 6 } },
      series: [{}, ...series.map((s, i): uPlot.Series => ({
        scale: scaleOf(s), width: 1.6, stroke: () => palette().series[i % 8], dash: kDashes[Math.floor(i / 4) % kDashes.length],
        points: { show: time.length < 3 }, pxAlign: 0,
      }))],
      hooks: {
        ready: [() => this.showTime()],
        setSize: [() => this.showTime()],
        drawAxes: [(u) => this.drawUnits(u, unitTexts)],
        setCursor: [(u) => this.showTip(u)],
      },
    };
    const data = [time, ...series.map((s) => drawable(s, logs))] as unknown as uPlot.AlignedData;
    const plot = new uPlot(options, data, this.host_);
    plot.over.append(this.marker_);
    this.listen(plot);
    return plot;
  }

  private drawUnits(u: uPlot, texts: { side: number; text: string }[]): void {
    const { ctx } = u, ratio = uPlot.pxRatio;
    ctx.save();
    ctx.font = `${11 * ratio}px system-ui, sans-serif`;
    ctx.fillStyle = this.theme.palette.muted;
    ctx.textBaseline = 'alphabetic';
    for (const { side, text } of texts) {
      ctx.textAlign = side === 3 ? 'left' : 'right';
      ctx.fillText(text, side === 3 ? 6 * ratio : u.ctx.canvas.width - 6 * ratio, 10 * ratio);
    }
    ctx.restore();
  }

  private listen(plot: uPlot): void {
    const { over } = plot;
    let dragging = false;
    const seek = (e: PointerEvent): void => this.player.seek(plot.posToVal(e.clientX - over.getBoundingClientRect().left, 'x'));
    over.addEventListener('pointerdown', (e) => {
      if (e.button !== 0) return;
      dragging = true;
      over.setPointerCapture(e.pointerId);
      this.player.pause();
      seek(e);
    });
    over.addEventListener('pointermove', (e) => {
      if (dragging) seek(e);
    });
    for (const end of ['pointerup', 'pointercancel'] as const) over.addEventListener(end, () => (dragging = false));
    over.addEventListener('mouseenter', () => (this.hovering_ = true));
    over.addEventListener('mouseleave', () => {
      this.hovering_ = false;
      this.tip_.hidden = true;
    });
  }

  private showTip(u: uPlot): void {
    const index = u.cursor.idx;
    if (!this.hovering_ || index === null || index === undefined) return;
    this.tipTime_.textContent = allDigits(this.page.time[index]);
    this.spec.series.forEach((s, i) => (this.tipValues_[i].textContent = allDigits(s.values[index])));
    this.tip_.hidden = false;
    const inner = this.element.clientWidth, width = this.tip_.offsetWidth;
    const x = u.over.offsetLeft + this.host_.offsetLeft + (u.cursor.left ?? 0);
    const left = x + 14 + width < inner ? x + 14 : x - 14 - width;
    this.tip_.style.transform = `translate(${Math.max(4, Math.min(left, inner - width - 4))}px, ${this.host_.offsetTop + 22}px)`;
  }
}
