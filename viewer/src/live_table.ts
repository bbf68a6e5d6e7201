// A table whose numbers change with every frame: its elements are made once, and then only texts that differ are written.
import { h } from './dom';

export interface LiveCell { readonly text: string; readonly title?: string; /** Columns it spans. */ readonly wide?: number }
export interface LiveRow {
  /** Rows with the same key have the same name. */
  readonly key: string;
  readonly name: () => HTMLElement | string;
  readonly kind?: string;
  readonly cells: readonly LiveCell[];
}
/** A head and its unit. */
export type LiveHead = readonly [string, string];

export class LiveTable {
  readonly element = h('div', { class: 'scroll-x' });
  private shape_ = '';
  private cells_: HTMLElement[] = [];

  constructor(private readonly kind: string | null = null) {}

  /** The first head stands over the names. Without rows there is no table. */
  set(heads: readonly LiveHead[], rows: readonly LiveRow[]): void {
    const shape = [heads.join(), ...rows.map((r) => `${r.kind ?? ''} ${r.key} ${r.cells.map((c) => c.wide ?? 1).join('')}`)].join('\n');
    if (shape !== this.shape_) this.build(heads, rows);
    this.shape_ = shape;
    let k = 0;
    for (const row of rows) {
      for (const { text, title = '' } of row.cells) {
        const cell = this.cells_[k++];
        if (cell.textContent !== text) cell.textContent = text;
        if (cell.title !== title) cell.title = title;
      }
    }
  }

  private build(heads: readonly LiveHead[], rows: readonly LiveRow[]): void {
    this.cells_ = [];
    const cell = (c: LiveCell): HTMLElement => {
      const element = h('td', { class: 'num', colspan: c.wide && c.wide > 1 ? c.wide : null });
      this.cells_.push(element);
      return element;
    };
    const head = ([text, unit]: LiveHead, k: number): HTMLElement => h('th', { scope: 'col', class: k ? 'num' : null }, text, unit ? h('small', null, ` ${unit}`) : null);
    this.element.replaceChildren(...(rows.length ? [h('table', { class: this.kind }, h('thead', null, h('tr', null, ...heads.map(head))),
      h('tbody', null, ...rows.map((r) => h('tr', { class: r.kind ?? null }, h('th', { scope: 'row' }, r.name()), ...r.cells.map(cell)))))] : []));
  }
}
