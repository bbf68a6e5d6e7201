// The Model tab: the model file as it was read, with the line of the selected part marked; a click on a line selects its part.
import type { Page } from '../data';
import { h } from '../dom';
import { lampIcon } from '../header';
import type { PartKind, PartRef, Selection } from '../selection';
import { kPartTitles, partLine, partsOf } from '../selection';
import type { Tab } from './tabs';

const kToken = /(#.*$)|("""|'''|"(?:\\.|[^"\\])*"|'[^']*')|(^\s*\[\[?[^\]]*\]\]?)|([A-Za-z_][\w-]*(?:\.[\w-]+)*)(?=\s*=)|([-+]?\b\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?)|\b(true|false)\b/g;
const kTokenClasses = ['comment', 'string', 'table', 'key', 'number', 'number'];

/** One line of TOML with its words in colour. */
function colourLine(text: string): DocumentFragment {
  const out = document.createDocumentFragment();
  let last = 0;
  for (const match of text.matchAll(kToken)) {
    const kind = match.slice(1).findIndex((g) => g !== undefined);
    out.append(text.slice(last, match.index), h('span', { class: `tok-${kTokenClasses[kind]}` }, match[0]));
    last = match.index + match[0].length;
  }
  out.append(text.slice(last));
  return out;
}

interface Finding { readonly line: number; readonly column: number; readonly text: string }

/** Warnings of the program name their place, FILE:LINE:COLUMN: in front; those of this file stand at their lines. */
export function findingsOf(page: Page): Finding[] {
  return page.warnings.flatMap((warning) => {
    const match = /^(.*?):(\d+)(?::(\d+))?: *(?:(?:warning|note): *)?([\s\S]+)$/.exec(warning);
    return match && match[1] === page.model.file ? [{ line: Number(match[2]), column: Number(match[3] ?? 0), text: match[4].trim() }] : [];
  });
}

export class ModelTab implements Tab {
  readonly id = 'model';
  readonly title = 'Model';
  readonly panel: HTMLElement;
  private readonly lines_: HTMLElement[] = [];
  private marked_: HTMLElement | null = null;

  constructor(private readonly page: Page, private readonly selection: Selection) {
    const { model } = page;
    const partOnLine = new Map<number, PartRef>();
    for (const kind of Object.keys(kPartTitles) as PartKind[]) partsOf(page, kind).forEach((p, index) => p.line > 0 && !partOnLine.has(p.line) && partOnLine.set(p.line, { kind, index }));
    const findings = findingsOf(page);
    const code = h('div', { class: 'code', role: 'list', 'aria-label': 'Model file' });
    const lines = model.text ? model.text.replace(/\r?\n$/, '').split(/\r?\n/) : [];
    lines.forEach((text, i) => {
      const part = partOnLine.get(i + 1);
      const row = h('div', { class: part ? 'line has-part' : 'line', role: 'listitem', onclick: () => part && !getSelection()?.toString() && selection.set(part) }, h('span', { class: 'number', 'aria-hidden': 'true' }, String(i + 1)), h('span', { class: 'text' }, colourLine(text)));
      this.lines_.push(row);
      code.append(row);
      for (const finding of findings.filter((f) => f.line === i + 1)) code.append(h('div', { class: 'finding', role: 'note', 'aria-label': `Warning for line ${i + 1}` }, h('span', { class: 'number' }, lampIcon('fair')), h('span', { class: 'text' }, finding.text)));
    });
    this.panel = h('div', { class: 'panel model-panel' },
      h('div', { class: 'panel-head' }, h('h2', null, model.file || 'Model')),
      model.description ? h('p', { class: 'note' }, model.description) : null,
      findings.length ? h('p', { class: 'note' }, `${findings.length === 1 ? 'One warning stands' : `${findings.length} warnings stand`} at ${findings.length === 1 ? 'its line' : 'their lines'}: `,
        ...findings.flatMap((f, i) => [i ? ', ' : '', h('button', { class: 'link', onclick: () => this.lines_[f.line - 1]?.scrollIntoView({ block: 'center' }) }, `line ${f.line}`)]), '.') : null,
      lines.length ? code : h('p', { class: 'empty' }, 'The text of the model is not in this report.'));
    selection.listen(() => this.mark());
  }

  onShow(): void { this.mark(); }

  private mark(): void {
    this.marked_?.classList.remove('selected');
    this.marked_?.removeAttribute('aria-current');
    const { part } = this.selection;
    this.marked_ = part ? this.lines_[partLine(this.page, part) - 1] ?? null : null;
    this.marked_?.classList.add('selected');
    this.marked_?.setAttribute('aria-current', 'true');
    if (this.marked_ && !this.panel.hidden) {
      // Only the panel scrolls: on a phone the page itself stays where it is.
      const line = this.marked_.getBoundingClientRect(), view = this.panel.getBoundingClientRect();
      if (line.top < view.top || line.bottom > view.bottom) this.panel.scrollTop += line.top - view.top - view.height / 3;
    }
  }
}
