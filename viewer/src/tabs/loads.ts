// The Loads tab: how large the force and the moment in each joint and load became, and when; each bearing's force as a polar plot.
import type { Bearing, Page, Series } from '../data';
import { h } from '../dom';
import { allDigits, prettyUnit, significant, timeDecimals } from '../format';
import type { Player } from '../player';
import type { PolarAxes, PolarPlane } from '../polar';
import { PolarPlot } from '../polar';
import type { PartRef, Selection } from '../selection';
import { partWords, samePart } from '../selection';
import type { Tab } from './tabs';

const kFirstPolars = 24;  // drawn at once; the rest when asked for

interface Peak { readonly size: number; readonly time: number; readonly unit: string }

/** The largest size of a vector or a number over the run, and the first time of it. */
export function peakOf(page: Page, parts: readonly Series[]): Peak | null {
  let size = -1, index = -1;
  for (let i = 0; i < page.time.length; i++) {
    const v = Math.hypot(...parts.map((s) => s.values[i]));
    if (v > size && Number.isFinite(v)) [size, index] = [v, i];
  }
  return index < 0 ? null : { size, time: page.time[index], unit: parts[0].unit };
}

/** Of the largest force in the run: what is smaller, in newtons or newton metres, is rounding. */
const kRounding = 1e-12;

export class LoadsTab implements Tab {
  readonly id = 'loads';
  readonly title = 'Loads';
  readonly panel = h('div', { class: 'panel loads-panel' });
  private readonly rows_: { part: PartRef; row: HTMLElement }[] = [];
  private filled_ = false;
  private least_ = 0;
  private polars_: PolarPlot[] = [];

  constructor(private readonly page: Page, private readonly player: Player, private readonly selection: Selection) {
    selection.listen(() => this.mark());
    player.listen(() => this.showTime());
  }

  private showTime(): void {
    if (!this.panel.hidden) for (const plot of this.polars_) plot.showTime(this.player.time);
  }

  onShow(): void {
    this.showTime();
    if (this.filled_) return;
    this.filled_ = true;
    const { page } = this;
    this.least_ = kRounding * Math.max(0, ...page.joints.map((j) => (j.force && peakOf(page, j.force)?.size) || 0), ...page.loads.map((l) => (l.force && peakOf(page, l.force)?.size) || 0));
    const joints = page.joints.map((j, index) => ({ ref: { kind: 'joint', index } as PartRef, name: j.name, force: j.force, moment: j.moment ? [j.moment] : j.moment3, note: j.unique === false ? 'not unique' : j.cut ? 'cut' : '' }));
    const loads = page.loads.map((l, index) => ({ ref: { kind: 'load', index } as PartRef, name: l.name, force: l.force, moment: l.moment ? [l.moment] : l.moment3, note: '' })).filter((l) => l.force || l.moment);
    this.section('Reactions in the joints', 'Force of the first-named body on the second, at the joint point.', joints);
    if (loads.length) this.section('Springs, dampers and applied loads', '', loads);
    this.polarSection();
    if (!joints.length && !loads.length && !page.bearings.length) this.panel.append(h('p', { class: 'empty' }, 'The mechanism has no joints or loads.'));
    this.mark();
  }

  /** What each bearing carries, as the path of the force's tip. */
  private polarSection(): void {
    const { time } = this.page, idle = this.page.bearings.filter((b) => (peakOf(this.page, b.force)?.size ?? 0) <= this.least_), bearings = this.page.bearings.filter((b) => !idle.includes(b));
    if (!this.page.bearings.length || !time.length) return;
    const choose = (label: string, options: readonly (readonly [string, string])[]): HTMLSelectElement =>
      h('select', { 'aria-label': label, onchange: () => redraw() }, ...options.map(([value, text]) => h('option', { value }, text)));
    const axes = choose('Axes of the polar plots', [['ground', 'ground axes'], ['second', 'axes of the second body'], ['first', 'axes of the first body']]);
    const plane = choose('Plane of the polar plots', [['xy', 'x and y'], ['yz', 'y and z'], ['zx', 'z and x']]);
    plane.hidden = bearings.every((b) => b.force.length < 3);
    const grid = h('div', { class: 'polars' });
    const redraw = (): void => {
      for (const plot of this.polars_) plot.draw(axes.value as PolarAxes, plane.value as PolarPlane);
      this.showTime();
    };
    const add = (list: readonly Bearing[]): void => {
      for (const bearing of list) {
        const plot = new PolarPlot(this.page, bearing, this.bearingTitle(bearing));
        this.polars_.push(plot);
        grid.append(plot.element);
      }
      redraw();
    };
    this.panel.append(h('div', { class: 'panel-head polars-head' }, h('h2', null, 'What each bearing carries'), plane, axes),
      h('p', { class: 'note' }, 'Path of the tip of the force over the run, on the body named below it. The ring marks the largest.'), grid);
    if (idle.length) this.panel.append(h('p', { class: 'note' }, `No force in ${idle.slice(0, 12).map((b) => b.name).join(', ')}${idle.length > 12 ? ', …' : ''}.`));
    add(bearings.slice(0, kFirstPolars));
    if (bearings.length <= kFirstPolars) return;
    const more = h('button', { class: 'add', onclick: () => { more.remove(); add(bearings.slice(kFirstPolars)); } }, `Show the other ${bearings.length - kFirstPolars}`);
    this.panel.append(more);
  }

  private bearingTitle(bearing: Bearing): HTMLElement {
    const index = this.page.joints.findIndex((j) => j.name === bearing.name);
    if (index < 0) return h('h3', null, bearing.name);
    return h('h3', null, h('button', { class: 'link', title: 'Select in the drawing', onclick: () => this.selection.set({ kind: 'joint', index }) }, bearing.name));
  }

  private section(title: string, note: string, items: { ref: PartRef; name: string; force: readonly Series[] | null; moment: readonly Series[] | null; note: string }[]): void {
    if (!items.length) return;
    const body = h('tbody');
    const known = (parts: readonly Series[] | null): Peak | null => {
      const peak = parts && peakOf(this.page, parts);
      return peak && peak.size <= this.least_ ? { ...peak, size: 0 } : peak;
    };
    const peaks = items.map((item) => ({ item, force: known(item.force), moment: known(item.moment) }));
    const most = Math.max(...peaks.map((p) => p.force?.size ?? 0));
    for (const { item, force, moment } of peaks) {
      const name = h('th', { scope: 'row' }, h('button', { class: 'link', onclick: () => this.selection.set(item.ref), title: 'Select in the drawing' }, item.name),
        h('small', null, [partWords(this.page, item.ref).replace(/ joint$/, ''), item.note].filter(Boolean).join(', ')));
      const bar = h('span', { class: 'bar' });
      bar.style.width = `${most > 0 && force ? (100 * force.size) / most : 0}%`;
      const row = h('tr', null, name,
        h('td', { class: 'num', title: force ? allDigits(force.size) : null }, force ? significant(force.size) : '–', h('small', null, force ? ` ${prettyUnit(force.unit)}` : ''), bar), this.timeCell(force),
        h('td', { class: 'num', title: moment ? allDigits(moment.size) : null }, moment ? significant(moment.size) : '–', h('small', null, moment ? ` ${prettyUnit(moment.unit)}` : '')), this.timeCell(moment));
      this.rows_.push({ part: item.ref, row });
      body.append(row);
    }
    this.panel.append(h('h2', null, title), note ? h('p', { class: 'note' }, note) : h('span'),
      h('div', { class: 'scroll-x' }, h('table', null,
        h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'Name'), h('th', { scope: 'col', class: 'num' }, 'max |force|'), h('th', { scope: 'col', class: 'num' }, 'at'), h('th', { scope: 'col', class: 'num' }, 'max |moment|'), h('th', { scope: 'col', class: 'num' }, 'at'))), body)));
  }

  private timeCell(peak: Peak | null | undefined): HTMLElement {
    if (!peak || peak.size === 0) return h('td', { class: 'num' }, '–');
    const go = (): void => {
      this.player.pause();
      this.player.seek(peak.time);
    };
    return h('td', { class: 'num' }, h('button', { class: 'link', title: `Go to t = ${allDigits(peak.time)} s`, onclick: go }, `${peak.time.toFixed(timeDecimals(this.player.span))} s`));
  }

  private mark(): void {
    for (const { part, row } of this.rows_) row.classList.toggle('selected', samePart(part, this.selection.part));
  }
}
