// The head of the page: what the mechanism is, how it was solved, four lamps that say how good the answer is, and notices.
import type { Grade, Lamp, Page } from './data';
import { h, icon } from './dom';
import { allDigits, brief, typeset, withUnit } from './format';
import type { ThemeControl } from './theme';

// The grade is told by shape as well as by colour: a disc with a tick, a triangle, an octagon with a cross.
const kLampIcons: Record<Grade, [string, string]> = {
  good: ['M4.8 8.3 7 10.5 11.3 5.8', 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1z'],
  fair: ['M8 6v3.4M8 11.7v.1', 'M8 1.2 15.4 14.4H.6z'],
  poor: ['M5.5 5.5l5 5M10.5 5.5l-5 5', 'M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z'],
};
const kGradeWords: Record<Grade, string> = { good: 'good', fair: 'fair', poor: 'poor' };

export function lampValue(lamp: Lamp): string {
  return lamp.value || withUnit(Number.isNaN(lamp.number) ? '–' : brief(lamp.number, 2), lamp.unit);
}

/** A small dialog below the lamp that was clicked; Escape or a click elsewhere closes it. */
class LedgerPopover {
  private readonly dialog_ = h('dialog', { class: 'popover', 'aria-label': 'Accuracy ledger', tabindex: -1 });
  private anchor_: HTMLElement | null = null;

  constructor(private readonly page: Page) {
    document.body.append(this.dialog_);
    document.addEventListener('pointerdown', (e) => {
      const target = e.target as Node;
      if (this.dialog_.open && !this.dialog_.contains(target) && !this.anchor_?.contains(target)) this.close();
    });
    document.addEventListener('keydown', (e) => {
      if (e.key !== 'Escape' || !this.dialog_.open) return;
      e.stopImmediatePropagation();
      this.close();
      this.anchor_?.focus();
    });
    addEventListener('resize', () => this.close());
  }

  toggle(lamp: Lamp, anchor: HTMLElement): void {
    const again = this.dialog_.open && anchor === this.anchor_;
    this.close();
    if (again) return;
    this.anchor_ = anchor;
    anchor.setAttribute('aria-expanded', 'true');
    this.dialog_.replaceChildren(
      h('header', null, lampIcon(lamp.grade), h('h2', null, lamp.label), h('span', { class: 'value', title: Number.isNaN(lamp.number) ? null : allDigits(lamp.number) }, lampValue(lamp)),
        h('button', { class: 'quiet close', 'aria-label': 'Close', onclick: () => this.close() }, '×')),
      h('p', null, lamp.sentence));
    if (this.page.ledgerTable.length) {
      this.dialog_.append(h('h3', null, 'The whole ledger'), h('dl', { class: 'pairs' }, ...this.page.ledgerTable.flatMap(([key, value]) => [h('dt', null, key), h('dd', null, value)])));
    }
    this.dialog_.show();
    this.dialog_.focus();
    const box = anchor.getBoundingClientRect(), width = this.dialog_.offsetWidth;
    this.dialog_.style.left = `${Math.max(8, Math.min(box.left, document.documentElement.clientWidth - width - 8))}px`;
    this.dialog_.style.top = `${box.bottom + 6 + scrollY}px`;
  }

  private close(): void {
    this.dialog_.close();
    this.anchor_?.setAttribute('aria-expanded', 'false');
  }
}

export function lampIcon(grade: Grade): HTMLElement {
  return h('span', { class: `lamp-icon ${grade}` }, icon(...kLampIcons[grade]));
}

function freedomsText(velocities: number, positions: number): string {
  const text = `${velocities} ${velocities === 1 ? 'degree' : 'degrees'} of freedom`;
  return Number.isFinite(positions) && positions !== velocities ? `${text} of velocities, ${positions} of positions` : text;
}

export function makeHeader(page: Page, theme: ThemeControl): HTMLElement {
  const popover = new LedgerPopover(page);
  const lamps = page.ledger.map((lamp) => {
    const button: HTMLButtonElement = h('button', {
      class: 'lamp', 'aria-haspopup': 'dialog', 'aria-expanded': 'false', title: lamp.sentence,
      'aria-label': `${lamp.label}: ${kGradeWords[lamp.grade]}, ${lampValue(lamp)}`, onclick: () => popover.toggle(lamp, button),
    }, lampIcon(lamp.grade), h('span', { class: 'lamp-text' }, h('span', { class: 'lamp-label' }, lamp.label), h('span', { class: 'lamp-value' }, lampValue(lamp))));
    return button;
  });
  const { run } = page;
  const method = [run.formulation, run.stabilisation === 'none' ? '' : run.stabilisation, run.integrator].filter(Boolean).join(', ');
  const dof = Number.isFinite(page.dof) ? freedomsText(page.dof, page.dofOfPositions) : '';
  const toggle = h('button', { class: 'theme-toggle', onclick: () => theme.toggle() }, icon('M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z', 'M8 1.5a6.5 6.5 0 0 1 0 13z'));
  const name = (): void => {
    const next = theme.theme === 'dark' ? 'light' : 'dark';
    toggle.title = `Use ${next} colours (T)`;
    toggle.setAttribute('aria-label', `Use ${next} colours`);
  };
  theme.listen(name);
  name();
  return h('header', { class: 'top' },
    h('div', { class: 'what' }, h('h1', { title: page.model.description || null }, page.title), h('p', null, dof ? h('span', { class: 'dof' }, dof) : null, method ? h('span', { class: 'method' }, method) : null)),
    lamps.length ? h('div', { class: 'lamps', role: 'group', 'aria-label': 'Accuracy ledger' }, ...lamps) : null, toggle);
}

const kNote: [string, string] = ['M8 7.3v4.2M8 4.6v.1', 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1z'];

/** Strips below the head: why there is no more of the run, the program's warnings, trouble with the data. */
export function makeNotices(page: Page): HTMLElement | null {
  const strips: HTMLElement[] = [];
  const { status, message } = page.run;
  if (status === 'failed') strips.push(h('div', { class: 'notice poor', role: 'alert' }, lampIcon('poor'), h('p', null, h('strong', null, 'The run failed. '), message || 'No reason was given.')));
  if (status === 'interrupted') strips.push(h('div', { class: 'notice fair', role: 'status' }, lampIcon('fair'), h('p', null, h('strong', null, 'The run was interrupted. '), message)));
  if (!['complete', 'failed', 'interrupted'].includes(status) && message) {
    const words = status.replace(/_/g, ' ');
    strips.push(h('div', { class: 'notice plain', role: 'status' }, h('span', { class: 'lamp-icon' }, icon(...kNote)), h('p', null, h('strong', null, `${words[0].toUpperCase()}${words.slice(1)}. `), message)));
  }
  const thinned = page.thinnedFrom ? [`The page holds ${page.time.length} of ${page.thinnedFrom} samples of the run, those at which loads are greatest or least among them. The files beside it hold all.`] : [];
  const others = [...page.warnings.map(typeset), ...page.problems, ...thinned, ...(page.still ? [] : page.time.length === 0 ? ['No samples were recorded: there is nothing to play.'] : page.time.length === 1 ? ['Only one sample was recorded: the mechanism is shown at that time.'] : [])];
  if (others.length === 1) strips.push(h('div', { class: 'notice fair', role: 'status' }, lampIcon('fair'), h('p', null, others[0])));
  if (others.length > 1) {
    strips.push(h('details', { class: 'notice fair' }, h('summary', null, lampIcon('fair'), h('span', null, h('strong', null, `${others.length} notes: `), others[0])), h('ul', null, ...others.slice(1).map((text) => h('li', null, text)))));
  }
  return strips.length ? h('div', { class: 'notices' }, ...strips) : null;
}
