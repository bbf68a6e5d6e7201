// The Modes tab: the plane of eigenvalues, the table of frequencies and damping, and the chosen mode swinging in the drawing.
import { h } from '../dom';
import { EigenPlane } from '../eigenplane';
import { allDigits, brief, significant } from '../format';
import type { ModesStage } from '../modes_stage';
import type { Mode, ModesPart } from '../parts';
import type { Scene } from '../scene/scene';
import { Swing, shownPeriod } from '../swing';
import type { Tab } from './tabs';

/** What is to say about a mode: its words, who moves, how fast it is shown. */
export function aboutMode(mode: Mode, title: string, drawn: boolean): HTMLElement[] {
  const shares = mode.joints.filter((j) => j.size >= 0.01), out = [h('h2', null, title), h('p', null, `${mode.words[0]?.toUpperCase() ?? ''}${mode.words.slice(1)}.`)];
  if (shares.length) out.push(h('p', { class: 'note' }, `Moves: ${shares.slice(0, 8).map((j) => `${j.name} ${brief(j.size)}${Math.abs(j.phase) < 0.05 ? '' : ` (${brief(j.phase)}°)`}`).join(', ')}${shares.length > 8 ? ', …' : ''}.`));
  if (drawn) out.push(h('p', { class: 'note' }, `${shownPeriod(mode).words} Small motions, drawn large: joints may seem to open.`));
  return out;
}

/** The table of modes, a row that can be clicked for each. */
export function modesTable(modes: readonly Mode[], choose: (index: number) => void): { element: HTMLElement; rows: HTMLElement[] } {
  const body = h('tbody'), rows: HTMLElement[] = [];
  modes.forEach((mode, k) => {
    const { re, im } = mode.eigenvalue, swings = mode.kind === 'oscillation';
    const number = (value: number, shown = true): HTMLElement => h('td', { class: 'num', title: shown ? allDigits(value) : null }, shown && Number.isFinite(value) ? significant(value) : '–');
    const row = h('tr', { onclick: () => choose(k) }, h('th', { scope: 'row' }, h('button', { class: 'link' }, String(k + 1))),
      h('td', { class: 'num', title: `${allDigits(re)} ± ${allDigits(im)}i` }, swings ? `${significant(re)} ± ${significant(im)}i` : `${significant(re)}${mode.kind === 'drift' ? ' (twice)' : ''}`),
      number(mode.frequency, swings), number(mode.damping, swings), number(mode.timeConstant));
    rows.push(row);
    body.append(row);
  });
  return {
    rows, element: h('div', { class: 'scroll-x' }, h('table', { class: 'modes-table' }, h('thead', null, h('tr', null,
      ...['Mode', 'Eigenvalue, 1/s', 'Frequency, Hz', 'Damping', 'Decay to 1/e, s'].map((text, k) => h('th', { scope: 'col', class: k ? 'num' : null }, text)))), body)),
  };
}

export function markRow(rows: readonly HTMLElement[], chosen: number): void {
  rows.forEach((row, k) => {
    row.classList.toggle('selected', k === chosen);
    row.setAttribute('aria-selected', String(k === chosen));
  });
}

export class ModesTab implements Tab {
  readonly id = 'modes';
  readonly title = 'Modes';
  readonly panel: HTMLElement;
  private readonly plane_: EigenPlane;
  private readonly rows_: HTMLElement[];
  private readonly about_ = h('div', { class: 'mode-about', 'aria-live': 'polite' });
  private readonly swing_: Swing;

  constructor(private readonly modes: ModesPart, stage: ModesStage, private readonly scene: Scene | null) {
    this.plane_ = new EigenPlane(modes.list, (index) => this.choose(index));
    this.swing_ = new Swing('Swing', (mode, share, angle) => {
      stage.show({ mode, size: share * modes.reach, angle });
      scene?.show(0);
    });
    const drawn = scene !== null && modes.list.some((m) => m.shape.some((s) => s !== null));
    const table = modesTable(modes.list, (index) => this.choose(index));
    this.rows_ = table.rows;
    this.panel = h('div', { class: 'panel modes-panel' }, h('p', { class: 'verdict' }, modes.sentence), this.plane_.element, drawn ? this.swing_.element : null, this.about_, table.element);
    this.choose(0);
  }

  /** For a scene that is being drawn for the first time. */
  onShow(): void { this.swing_.show(); }

  choose(index: number): void {
    const mode = this.modes.list[index];
    if (!mode) return;
    this.plane_.mark(index);
    markRow(this.rows_, index);
    this.about_.replaceChildren(...aboutMode(mode, `Mode ${index + 1}`, this.scene !== null));
    this.swing_.mode = mode;
    if (this.scene) this.swing_.start();
    this.swing_.show();
  }
}
