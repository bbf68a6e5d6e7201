// The Comparison tab: the verdict, where runs part, differences over time and drift, the tables, and what does not apply.
import type { Page } from '../data';
import { h } from '../dom';
import { brief, timeDecimals } from '../format';
import type { Comparison, Parting } from '../parts';
import type { Player } from '../player';
import { TimePlot } from '../plots';
import type { PartKind, Selection } from '../selection';
import { kPartTitles, partsOf } from '../selection';
import { makeTable } from '../table';
import type { ThemeControl } from '../theme';
import type { Tab } from './tabs';

/** Names of runs stand between backticks. */
const withNames = (text: string): (string | HTMLElement)[] => text.split('`').map((part, k) => (k % 2 ? h('strong', null, part) : part));

export class ComparisonTab implements Tab {
  readonly id = 'comparison';
  readonly title = 'Comparison';
  readonly panel: HTMLElement;
  private readonly plots_: TimePlot[];

  constructor(private readonly page: Page, comparison: Comparison, private readonly player: Player, private readonly selection: Selection, theme: ThemeControl) {
    this.plots_ = comparison.plots.map((spec) => new TimePlot(page, spec, player, theme, { onClose: null }));
    const about = comparison.reference ? `Relative to ${comparison.reference}, whose motion is drawn; the differences of one kind are divided by the largest value of that kind.` : '';
    this.panel = h('div', { class: 'panel comparison-panel' },
      ...comparison.verdict.map((text, k) => h('p', { class: k === 0 ? 'verdict' : 'note' }, ...withNames(text))),
      comparison.partings.length ? h('ul', { class: 'partings', 'aria-label': 'Where results part' }, ...comparison.partings.map((p) => this.parting(p, comparison.within))) : null,
      this.plots_.length ? h('h2', null, 'Differences over time') : null, this.plots_.length && about ? h('p', { class: 'note' }, about) : null,
      h('div', { class: 'plot-list' }, ...this.plots_.map((plot) => plot.element)),
      ...comparison.tables.map(makeTable),
      comparison.refused.length ? h('h2', null, 'Do not apply') : null,
      comparison.refused.length ? h('ul', { class: 'refused' }, ...comparison.refused.map((text) => h('li', null, text))) : null);
    player.listen(() => {
      if (!this.panel.hidden) this.plots_.forEach((plot) => plot.showTime());
    });
    theme.listen(() => this.plots_.forEach((plot) => plot.retheme()));
  }

  onShow(): void { this.plots_.forEach((plot) => plot.fit()); }

  /** One line with a way to the place: a click goes to the time and selects the joint. */
  private parting(p: Parting, within: number): HTMLElement {
    const go = (): void => {
      this.player.pause();
      this.player.seek(p.time);
      for (const kind of Object.keys(kPartTitles) as PartKind[]) {
        const index = kind === p.kind ? partsOf(this.page, kind).findIndex((part) => part.name === p.name) : -1;
        if (index >= 0) this.selection.set({ kind, index });
      }
    };
    const when = `t = ${p.time.toFixed(timeDecimals(this.player.span))} s`;
    return h('li', null, h('strong', null, p.run), ` parts from it at `, h('button', { class: 'link', title: `Go to ${when}`, onclick: go }, when),
      `, most in ${p.kind} ${p.name}: ${p.series} differs by ${brief(p.relative, 2)}, more than ${brief(within, 2)}`);
  }
}
