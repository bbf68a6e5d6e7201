// The Equations tab: MathML from the report, section by section, rebuilt element by element from a list of what mathematics needs.
import type { Equations } from '../data';
import { h } from '../dom';
import { typeset } from '../format';
import { makeTable } from '../table';
import type { Tab } from './tabs';

const kMathMl = 'http://www.w3.org/1998/Math/MathML';
const kElements = new Set(['math', 'mrow', 'mi', 'mn', 'mo', 'ms', 'mtext', 'mspace', 'mfrac', 'msqrt', 'mroot', 'msub', 'msup', 'msubsup', 'munder', 'mover', 'munderover', 'mmultiscripts', 'mprescripts', 'none', 'mtable', 'mtr', 'mtd', 'mstyle', 'mpadded', 'mphantom', 'merror', 'semantics']);
const kAttributes = new Set(['display', 'displaystyle', 'scriptlevel', 'mathvariant', 'stretchy', 'fence', 'separator', 'form', 'lspace', 'rspace', 'width', 'height', 'depth', 'linethickness', 'accent', 'accentunder', 'columnalign', 'rowspan', 'columnspan', 'dir', 'largeop', 'movablelimits', 'minsize', 'maxsize', 'symmetric']);

function rebuild(source: Node): Node | null {
  if (source.nodeType === Node.TEXT_NODE) return document.createTextNode(source.parentElement?.localName === 'mtext' ? typeset(source.textContent ?? '') : source.textContent ?? '');
  if (!(source instanceof Element) || !kElements.has(source.localName)) return null;
  const element = document.createElementNS(kMathMl, source.localName);
  for (const { name, value } of source.attributes) if (kAttributes.has(name)) element.setAttribute(name, value);
  for (const child of source.childNodes) {
    const copy = rebuild(child);
    if (copy) element.append(copy);
  }
  return element;
}

/** Its formulas are made when it is opened. */
function makeSection(section: { readonly title: string; readonly mathml: string }, open: boolean): HTMLElement {
  const element = h('details', { class: 'equations', open }, h('summary', null, typeset(section.title)));
  element.addEventListener('toggle', () => {
    const parsed = new DOMParser().parseFromString(`<linkwork>${section.mathml}</linkwork>`, 'text/xml');
    const formulas = parsed.querySelector('parsererror') ? [] : [...parsed.documentElement.children].map(rebuild);
    for (const formula of formulas) if (formula) element.append(h('div', { class: 'formula' }, formula));
    if (!formulas.length) element.append(h('p', { class: 'empty' }, 'The equations in this report cannot be read.'));
  }, { once: true });
  return element;
}

const kOpenAtFirst = 60_000;  // characters of MathML: what is on the screen in a moment

export class EquationsTab implements Tab {
  readonly id = 'equations';
  readonly title = 'Equations';
  readonly panel: HTMLElement;

  /** `open`: the page is about the equations, and those that are not long are shown at once. */
  constructor(equations: Equations, open: boolean) {
    let size = 0;
    const isShown = (mathml: string): boolean => open && (size += mathml.length) <= kOpenAtFirst;
    this.panel = h('div', { class: 'panel equations-panel' }, h('h2', null, equations.title),
      ...equations.text.map((words) => h('p', null, typeset(words).replace(/<-/g, '←'))), ...equations.sections.map((s) => makeSection(s, isShown(s.mathml))), ...equations.tables.map(makeTable),
      equations.command ? h('p', { class: 'note' }, equations.sections.length ? 'To print them or write them as code: ' : 'They are too long for this page. To print them: ', h('code', null, equations.command)) : null);
  }
}
