// The Plots tab: the plots of the selected part on top, then the plots of the report and those the user adds.
import type { Page, PlotSpec, Series } from '../data';
import { h } from '../dom';
import { prettyUnit } from '../format';
import { PhasePlot } from '../phase';
import type { Player } from '../player';
import { TimePlot } from '../plots';
import type { PartRef, Selection } from '../selection';
import { partName, partSeries, partWords } from '../selection';
import type { ThemeControl } from '../theme';
import type { Tab } from './tabs';

const kRowsInPicker = 400;
const kSelectionPlots = 6;

type Plot = TimePlot | PhasePlot;

export class PlotsTab implements Tab {
  readonly id = 'plots';
  readonly title = 'Plots';
  readonly panel: HTMLElement;
  private plots_: Plot[] = [];
  private chosen_: TimePlot[] = [];
  private readonly list_ = h('div', { class: 'plot-list' });
  private readonly chosenBox_ = h('div', { class: 'chosen', hidden: true });

  constructor(private readonly page: Page, private readonly player: Player, private readonly selection: Selection, private readonly theme: ThemeControl) {
    const add = h('button', { class: 'add', onclick: () => openPicker(page, (spec) => this.add(spec, 'first')) }, '+ Add plot');
    this.panel = h('div', { class: 'panel plots-panel' }, this.chosenBox_, h('div', { class: 'panel-head' }, h('h2', null, 'Over the run'), add), this.list_);
    const specs = page.plots.length ? page.plots : defaultPlots(page);
    for (const spec of specs) this.add(spec, 'last');
    if (!page.series.length) this.list_.append(h('p', { class: 'empty' }, 'The report holds no quantities to plot.'));
    selection.listen((part) => this.showPart(part));
    player.listen(() => this.showTime());
    theme.listen(() => this.all().forEach((p) => p.retheme()));
  }

  onShow(): void { this.all().forEach((p) => p.fit()); }

  private all(): Plot[] { return [...this.chosen_, ...this.plots_]; }

  private showTime(): void {
    if (!this.panel.hidden) this.all().forEach((p) => p.showTime());
  }

  private add(spec: PlotSpec, where: 'first' | 'last'): void {
    const onClose = (): void => this.remove(plot);
    const plot: Plot = spec.x ? new PhasePlot(this.page, spec, this.player, { onClose }) : new TimePlot(this.page, spec, this.player, this.theme, { onClose });
    if (where === 'first') {
      this.plots_.unshift(plot);
      this.list_.prepend(plot.element);
      plot.element.scrollIntoView({ block: 'nearest' });
    } else {
      this.plots_.push(plot);
      this.list_.append(plot.element);
    }
    plot.fit();
  }

  private remove(plot: Plot): void {
    this.plots_ = this.plots_.filter((p) => p !== plot);
    plot.destroy();
  }

  private showPart(part: PartRef | null): void {
    this.chosen_.forEach((p) => p.destroy());
    this.chosen_ = [];
    this.chosenBox_.replaceChildren();
    this.chosenBox_.hidden = !part;
    if (!part) return;
    const name = partName(this.page, part);
    const title = h('h2', null, name, h('small', null, partWords(this.page, part)));
    const close = h('button', { class: 'quiet close', 'aria-label': 'Clear the selection', title: 'Clear the selection (Esc)', onclick: () => this.selection.set(null) }, '×');
    this.chosenBox_.append(h('div', { class: 'panel-head' }, title, close));
    const specs = byUnit(partSeries(this.page, part)).slice(0, kSelectionPlots).map((series): PlotSpec => ({ title: series.map((s) => s.label).join(', '), series, log: false }));
    for (const spec of specs) {
      const keep = (): void => this.add({ ...spec, title: `${name}: ${spec.title}` }, 'first');
      const plot = new TimePlot(this.page, spec, this.player, this.theme, { onClose: null, onKeep: keep });
      this.chosen_.push(plot);
      this.chosenBox_.append(plot.element);
    }
    if (!specs.length) this.chosenBox_.append(h('p', { class: 'empty' }, 'No quantities of this part were recorded.'));
    this.panel.scrollTop = 0;
    this.onShow();
  }
}

function byUnit(series: readonly Series[]): Series[][] {
  const groups = new Map<string, Series[]>();
  for (const s of series) groups.set(s.unit, [...(groups.get(s.unit) ?? []), s]);
  return [...groups.values()];
}

/** Without a wish from the report: the first few quantities, one plot per unit. */
function defaultPlots(page: Page): PlotSpec[] {
  return byUnit(page.series).slice(0, 4).map((list) => ({ title: prettyUnit(list[0].unit) || 'Numbers', series: list.slice(0, 4), log: false }));
}

/** A dialog in which quantities are searched for and ticked. */
function openPicker(page: Page, done: (spec: PlotSpec) => void): void {
  const ticked = new Set<Series>();
  const rows = h('div', { class: 'picker-rows' });
  const search = h('input', { type: 'search', placeholder: 'Search quantities, e.g. crank rate', 'aria-label': 'Search quantities', autocomplete: 'off', spellcheck: 'false' });
  const log = h('input', { type: 'checkbox' });
  const groupsOf = new Map<string, [Series, number][]>();
  page.series.forEach((s, i) => groupsOf.set(s.group, [...(groupsOf.get(s.group) ?? []), [s, i]]));
  const against = h('select', { 'aria-label': 'Horizontal axis' }, h('option', { value: '' }, 'time'),
    ...[...groupsOf].map(([group, list]) => h('optgroup', { label: group || 'other' }, ...list.map(([s, i]) => h('option', { value: i }, `${s.group} ${s.label}`)))));
  const add = h('button', { class: 'primary', type: 'submit', disabled: true }, 'Add plot');
  const update = (): void => {
    add.disabled = ticked.size === 0;
    add.textContent = ticked.size > 1 ? `Add plot of ${ticked.size}` : 'Add plot';
  };
  const render = (): void => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = page.series.filter((s) => words.every((w) => `${s.name} ${s.group} ${s.label} ${s.unit}`.toLowerCase().includes(w)));
    const groups = new Map<string, Series[]>();
    for (const s of found.slice(0, kRowsInPicker)) groups.set(s.group, [...(groups.get(s.group) ?? []), s]);
    rows.replaceChildren(...[...groups].map(([group, list]) => h('fieldset', null, h('legend', null, group || 'other'), ...list.map((s) => {
      const box = h('input', { type: 'checkbox', onchange: () => {
        if (box.checked) ticked.add(s);
        else ticked.delete(s);
        update();
      } });
      box.checked = ticked.has(s);
      return h('label', { title: s.name }, box, h('span', { class: 'name' }, s.label), h('span', { class: 'unit' }, prettyUnit(s.unit)));
    }))));
    if (found.length > kRowsInPicker) rows.append(h('p', { class: 'empty' }, `and ${found.length - kRowsInPicker} more: type to narrow the list.`));
    if (!found.length) rows.append(h('p', { class: 'empty' }, 'Nothing of that name was recorded.'));
  };
  const dialog = h('dialog', { class: 'picker', 'aria-label': 'Add plot' });
  const form = h('form', { method: 'dialog' },
    h('header', null, h('h2', null, 'Add plot'), h('button', { class: 'quiet close', type: 'button', 'aria-label': 'Close', onclick: () => dialog.close() }, '×')),
    search, rows,
    h('footer', null, h('label', null, 'against ', against), h('label', null, log, ' logarithmic'), h('span', { class: 'gap' }), h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'), add));
  form.addEventListener('submit', (e) => {
    e.preventDefault();
    if (!ticked.size) return;
    const series = page.series.filter((s) => ticked.has(s));
    const groups = new Set(series.map((s) => s.group));
    const title = groups.size === 1 ? `${series[0].group}: ${series.map((s) => s.label).join(', ')}` : series.map((s) => s.name).join(', ');
    const x = against.value ? page.series[Number(against.value)] : null;
    dialog.close();
    done({ title: x ? `${title} against ${x.name}` : title, series, log: log.checked && !x, x });
  });
  against.addEventListener('change', () => (log.disabled = against.value !== ''));
  search.addEventListener('input', render);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (e) => {
    if (e.target === dialog) dialog.close();
  });
  dialog.append(form);
  document.body.append(dialog);
  render();
  dialog.showModal();
  search.focus();
}
