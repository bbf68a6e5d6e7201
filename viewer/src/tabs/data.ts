// The Data tab: where the numbers come from, how good they are, and all of them to take away.
import type { Page } from '../data';
import { download, fileName, h } from '../dom';
import { typeset } from '../format';
import type { Scene } from '../scene/scene';
import type { Tab } from './tabs';

/** All series as CSV with every digit; columns are named like the quantities, with the unit in brackets. */
export function toCsv(page: Page): string {
  const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  const rows = [['time [s]', ...page.series.map((s) => `${s.name} [${s.unit || '1'}]`)].map(quote).join(',')];
  for (let i = 0; i < page.time.length; i++) {
    let row = String(page.time[i]);
    for (const s of page.series) row += `,${Number.isFinite(s.values[i]) ? s.values[i] : String(s.values[i]).toLowerCase().replace('infinity', 'inf')}`;
    rows.push(row);
  }
  return `${rows.join('\n')}\n`;
}

function pairs(rows: readonly (readonly [string, string])[]): HTMLElement {
  return h('dl', { class: 'pairs' }, ...rows.flatMap(([key, value]) => [h('dt', null, key), h('dd', null, typeset(value))]));
}

const kKeys: [string, string][] = [
  ['Space', 'play or pause'], ['← →', 'one sample back or forward; with Shift ten'], ['Home, End', 'start, end of the run'],
  ['L, R, V, M', 'labels, reactions, velocities, mass centres'], ['I', 'instant centres (in the plane)'], ['F', 'body frames (in space)'], ['X, Y, Z, C', 'look along an axis, from a corner (in space)'], ['A D W S', 'turn the view (in space)'], ['+ − 0', 'zoom in, zoom out, frame the motion'], ['T', 'light or dark'], ['Esc', 'clear the selection'],
];

export class DataTab implements Tab {
  readonly id = 'data';
  readonly title = 'Data';
  readonly panel: HTMLElement;

  constructor(page: Page, scene: Scene | null) {
    const { run } = page;
    const options: [string, string][] = [['formulation', run.formulation], ['stabilisation', run.stabilisation], ['integrator', run.integrator]];
    if (Number.isFinite(run.rtol)) options.push(['relative tolerance', String(run.rtol)]);
    if (Number.isFinite(run.atol)) options.push(['absolute tolerance', String(run.atol)]);
    if (Number.isFinite(run.until)) options.push(['until', `${run.until} s`]);
    options.push(['status', run.status.replace(/_/g, ' ')]);
    const csv = (): void => download(fileName(page.title, 'csv'), new Blob([toCsv(page)], { type: 'text/csv' }));
    const png = async (): Promise<void> => {
      const blob = await scene?.picture();
      if (blob) download(fileName(page.title, 'png'), blob);
    };
    this.panel = h('div', { class: 'panel data-panel' },
      h('div', { class: 'panel-head' }, h('h2', null, 'Take away')),
      h('p', { class: 'note' }, `${page.series.length} quantities at ${page.time.length} ${page.time.length === 1 ? 'time' : 'times'}, every digit kept.${page.thinnedFrom ? ` The run has ${page.thinnedFrom}; the files beside the page hold them all.` : ''}`),
      h('div', { class: 'buttons' }, h('button', { class: 'primary', onclick: csv, disabled: page.series.length === 0 }, 'Download CSV'),
        scene ? h('button', { onclick: () => void png() }, 'Save drawing (PNG)') : null),
      page.ledgerTable.length ? h('h2', null, 'Accuracy ledger') : null, page.ledgerTable.length ? pairs(page.ledgerTable) : null,
      page.still ? null : h('h2', null, 'Run'), page.still ? null : pairs(options.filter(([, value]) => value)),
      page.provenance.length ? h('h2', null, 'Provenance') : null, page.provenance.length ? pairs(page.provenance) : null,
      h('h2', null, 'Keys'), pairs(kKeys));
  }
}
