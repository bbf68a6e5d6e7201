// The worked solution: the equations of the start, section by section, with numbers, as `linkwork explain` writes them.
import { h } from '../dom';
import { superscript } from '../format';
import type { Explanation, WorkedSection, WorkedTable } from './worked_data';

const kGreek: Record<string, string> = { phi: 'φ', Phi: 'Φ', Gamma: 'Γ', lambda: 'λ' };
const subscripted = (digits: string): string => digits.replace(/\d/g, (d) => String.fromCharCode(0x2080 + Number(d)));
const kDot = '\u0307', kTwoDots = '\u0308';

/** ddphi1 as φ̈₁, lambda3 as λ₃; anything else stays as it is. */
export function symbol(text: string): string {
  const match = /^(-?)(d{0,2})(x|y|phi|q|lambda)(\d*)$/.exec(text);
  if (!match) return text;
  const [, sign, rates, letter, index] = match;
  return `${sign.replace('-', '−')}${kGreek[letter] ?? letter}${rates.length === 2 ? kTwoDots : rates.length === 1 ? kDot : ''}${subscripted(index)}`;
}

/** Letters as letters; indices and transposes keep their marks. */
function letters(text: string): string {
  return text.replace(/dPhi\/dq/g, '∂Φ/∂q').replace(/(?<![A-Za-z])(d{0,2})(phi|lambda|Phi|Gamma|q|x|y)(\d*)(?![A-Za-z\d.])/g,
    (_, rates: string, letter: string, index: string) => `${kGreek[letter] ?? letter}${rates.length === 2 ? kTwoDots : rates.length === 1 ? kDot : ''}${subscripted(index)}`)
    .replace(/-(?=[Φλ])/g, '−');
}

/** One line of mathematics: letters as letters, indices below, a transpose above. */
export function formula(text: string): (HTMLElement | string)[] {
  return letters(text).split(/(_[a-z]|\^T|\^2)/).filter(Boolean).map((piece) => (piece[0] === '_' ? h('sub', null, piece.slice(1)) : piece[0] === '^' ? h('sup', null, piece.slice(1)) : piece));
}

/** A sentence: "Phi_q" and "ddq" become letters, the rest stays. */
function sentence(text: string): (HTMLElement | string)[] {
  return text.split(/(?<![\w.])((?:d{1,2}(?:phi|x|y|q)|Phi|Gamma|lambda|phi)(?:\d+)?(?:_[qt])?(?:\^T)?)(?![\w.]*\w)/).flatMap((piece, i) => (i % 2 ? formula(piece) : [piece]));
}

const realMinus = (text: string): string => text.replace(/^-(?=[\d.])/, '−').replace(/e([+-]?\d+)$/, (_, e: string) => `×10${superscript(Number(e))}`);

function tableElement(table: WorkedTable): HTMLElement {
  const columns = Math.max(1, table.columns.length);
  const cell = (r: number, c: number): HTMLElement => {
    const text = table.entries[r * columns + c];
    return h('td', { class: text === '0' ? 'num zero' : 'num' }, realMinus(text));
  };
  return h('div', { class: 'scroll-x' }, h('table', { class: 'matrix' },
    table.columns.length ? h('thead', null, h('tr', null, h('td'), ...table.columns.map((c) => h('th', { scope: 'col', class: 'num' }, symbol(c))))) : null,
    h('tbody', null, ...table.rows.map((name, r) => h('tr', null, h('th', { scope: 'row' }, symbol(name)), ...Array.from({ length: columns }, (_, c) => cell(r, c)))))));
}

function sectionElement(section: WorkedSection, number: number): HTMLDetailsElement {
  const several = section.formula.includes('\n');
  const line = !section.formula ? null : several ? h('pre', { class: 'formula-lines' }, section.formula) : h('p', { class: 'formula-line' }, ...formula(section.formula));
  const names = section.names.length ? h('dl', { class: 'pairs' }, ...section.names.flatMap(([name, value, meaning]) =>
    [h('dt', null, ...formula(name)), h('dd', null, value ? `= ${realMinus(value)}  ` : '', ...formula(meaning))])) : null;
  return h('details', { class: 'equations worked' }, h('summary', null, `${number}. `, ...sentence(section.title)),
    section.words ? h('p', null, ...sentence(section.words)) : null, line, section.table ? tableElement(section.table) : null, names);
}

export class WorkedView {
  readonly element: HTMLElement;

  constructor(explanation: Explanation) {
    const sections = explanation.sections.map((s, i) => sectionElement(s, i + 1));
    const all = h('button', { class: 'add', onclick: () => {
      const open = sections.some((s) => !s.open);
      for (const s of sections) s.open = open;
      all.textContent = open ? 'Close all' : 'Open all';
    } }, 'Open all') as HTMLButtonElement;
    this.element = h('div', { class: 'learn-view worked-view' },
      h('div', { class: 'panel-head' }, h('h3', null, 'The start of the motion, worked out'), sections.length ? all : null),
      h('p', { class: 'note' }, explanation.words || (sections.length ? '' : 'This mechanism is too large to work it out on a page.')), ...sections,
      explanation.command ? h('p', { class: 'note' }, sections.length ? 'The same as text or LaTeX, for any time or with letters: ' : 'To print it: ', h('code', null, explanation.command)) : null);
  }

  refit(): void { /* nothing to measure */ }
  show(): void { /* the start does not move */ }
}
