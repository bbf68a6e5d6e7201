// The Loads tab: how large the force and the moment in each joint and load became, and when.
import type { Page, Series } from '../data';
import { h } from '../dom';
import { allDigits, prettyUnit, significant, timeDecimals } from '../format';
import type { Player } from '../player';
import type { PartRef, Selection } from '../selection';
import { partWords, samePart } from '../selection';
import type { Tab } from './tabs';

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

export class LoadsTab implements Tab {
  readonly id = 'loads';
  readonly title = 'Loads';
  readonly panel = h('div', { class: 'panel loads-panel' });
  private readonly rows_: { part: PartRef; row: HTMLElement }[] = [];
  private filled_ = false;

  constructor(private readonly page: Page, private readonly player: Player, private readonly selection: Selection) {
    selection.listen(() => this.mark());
  }

  onShow(): void {
    if (this.filled_) return;
    this.filled_ = true;
    const { page } = this;
    const joints = page.joints.map((j, index) => ({ ref: { kind: 'joint', index } as PartRef, name: j.name, force: j.force, moment: j.moment, note: j.unique === false ? 'not unique' : j.cut ? 'cut' : '' }));
    const loads = page.loads.map((l, index) => ({ ref: { kind: 'load', index } as PartRef, name: l.name, force: l.force, moment: l.moment, note: '' })).filter((l) => l.force || l.moment);
    this.section('Reactions in the joints', 'Force of the first-named body on the second, at the joint point.', joints);
    if (loads.length) this.section('Springs, dampers and applied loads', '', loads);
    if (!joints.length && !loads.length) this.panel.append(h('p', { class: 'empty' }, 'The mechanism has no joints or loads.'));
    this.mark();
  }

  private section(title: string, note: string, items: { ref: PartRef; name: string; force: readonly Series[] | null; moment: Series | null; note: string }[]): void {
    if (!items.length) return;
    const body = h('tbody');
    const peaks = items.map((item) => ({ item, force: item.force && peakOf(this.page, item.force), moment: item.moment && peakOf(this.page, [item.moment]) }));
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
