// A table of text: heads in the first row; columns that hold numbers are set to the right.
import { h } from './dom';
import type { Table } from './parts';

const kNumber = /^[-−+]?[\d.]+(e[-+]?\d+)?( .{1,5})?$|^$|^[-–]$/;

export function makeTable(table: Table): HTMLElement {
  const [heads, ...rows] = table.rows;
  const right = (heads ?? []).map((_, k) => k > 0 && rows.every((row) => kNumber.test(row[k] ?? '')));
  const cell = (tag: 'td' | 'th', text: string, k: number, scope: string | null): HTMLElement => h(tag, { class: right[k] ? 'num' : null, scope }, text);
  return h('section', { class: 'text-table', 'aria-label': table.title || null },
    table.title ? h('h2', null, table.title) : null, table.note ? h('p', { class: 'note' }, table.note) : null,
    h('div', { class: 'scroll-x' }, h('table', null,
      h('thead', null, h('tr', null, ...(heads ?? []).map((text, k) => cell('th', text, k, 'col')))),
      h('tbody', null, ...rows.map((row) => h('tr', null, ...row.map((text, k) => (k === 0 ? cell('th', text, k, 'row') : cell('td', text, k, null)))))))));
}
