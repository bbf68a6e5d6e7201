// The Modes tab: the plane of eigenvalues, the table of frequencies and damping, and the chosen mode swinging in the drawing.
import { h } from '../dom';
import { EigenPlane } from '../eigenplane';
import { allDigits, brief, significant } from '../format';
import type { ModesStage } from '../modes_stage';
import type { Mode, ModesPart } from '../parts';
import type { Scene } from '../scene/scene';
import type { Tab } from './tabs';

const kLeastPeriod_s = 0.7, kMostPeriod_s = 4, kUsualPeriod_s = 2;

/** How long one swing takes on the screen, in seconds, and what to say about it. */
export function shownPeriod(mode: Mode): { period: number; words: string } {
  const real = mode.frequency > 0 ? 1 / mode.frequency : NaN;
  if (!(real > 0)) return { period: kUsualPeriod_s, words: 'Swings for the eye alone: the mode itself does not oscillate.' };
  if (real >= kLeastPeriod_s && real <= kMostPeriod_s) return { period: real, words: 'In real time, without growth or decay.' };
  const factor = real < kUsualPeriod_s ? kUsualPeriod_s / real : real / kUsualPeriod_s;
  return { period: kUsualPeriod_s, words: `${real < kUsualPeriod_s ? 'Slowed down' : 'Sped up'} ${brief(factor)} times, without growth or decay.` };
}

export class ModesTab implements Tab {
  readonly id = 'modes';
  readonly title = 'Modes';
  readonly panel: HTMLElement;
  private readonly plane_: EigenPlane;
  private readonly rows_: HTMLElement[] = [];
  private readonly about_ = h('div', { class: 'mode-about', 'aria-live': 'polite' });
  private readonly amplitude_ = h('input', { type: 'range', min: 0, max: 100, value: 50, 'aria-label': 'Amplitude', class: 'amplitude' });
  private readonly swing_ = h('button', { class: 'primary', onclick: () => this.setSwinging(!this.swinging_) });
  private chosen_ = -1;
  private swinging_ = false;
  private angle_ = Math.PI / 2;  // at rest the mechanism stands where it is drawn
  private last_ = 0;

  constructor(private readonly modes: ModesPart, private readonly stage: ModesStage, private readonly scene: Scene | null) {
    this.plane_ = new EigenPlane(modes.list, (index) => this.choose(index));
    const drawn = scene !== null && modes.list.some((m) => m.shape.some((s) => s !== null));
    this.amplitude_.addEventListener('input', () => {
      if (this.angle_ === Math.PI / 2) this.angle_ = 0;  // a hand on it wants to see something
      this.show();
    });
    this.panel = h('div', { class: 'panel modes-panel' }, h('p', { class: 'verdict' }, modes.sentence), this.plane_.element,
      drawn ? h('div', { class: 'mode-controls' }, this.swing_, h('label', null, 'Amplitude ', this.amplitude_)) : null, this.about_, this.table());
    this.name();
    this.choose(0);
  }

  /** For a scene that is being drawn for the first time. */
  onShow(): void { this.show(); }

  choose(index: number): void {
    const mode = this.modes.list[index];
    if (!mode) return;
    this.chosen_ = index;
    this.plane_.mark(index);
    this.rows_.forEach((row, k) => {
      row.classList.toggle('selected', k === index);
      row.setAttribute('aria-selected', String(k === index));
    });
    const shares = mode.joints.filter((j) => j.size >= 0.01);
    this.about_.replaceChildren(h('h2', null, `Mode ${index + 1}`), h('p', null, `${mode.words[0]?.toUpperCase() ?? ''}${mode.words.slice(1)}.`));
    if (shares.length) this.about_.append(h('p', { class: 'note' }, `Moves: ${shares.slice(0, 8).map((j) => `${j.name} ${brief(j.size)}${Math.abs(j.phase) < 0.05 ? '' : ` (${brief(j.phase)}°)`}`).join(', ')}${shares.length > 8 ? ', …' : ''}.`));
    if (this.scene) this.about_.append(h('p', { class: 'note' }, `${shownPeriod(mode).words} Small motions, drawn large: joints may seem to open.`));
    if (!this.swinging_ && !matchMedia('(prefers-reduced-motion: reduce)').matches && this.scene) this.setSwinging(true);
    this.show();
  }

  private setSwinging(on: boolean): void {
    this.swinging_ = on;
    this.name();
    if (!on) return;
    this.last_ = performance.now();
    requestAnimationFrame(this.frame);
  }

  private name(): void { this.swing_.textContent = this.swinging_ ? 'Stop' : 'Swing'; }

  private readonly frame = (now: number): void => {
    const mode = this.modes.list[this.chosen_];
    if (!this.swinging_ || !mode) return;
    this.angle_ = (this.angle_ + (2 * Math.PI * Math.min(100, now - this.last_)) / 1000 / shownPeriod(mode).period) % (2 * Math.PI);
    this.last_ = now;
    this.show();
    requestAnimationFrame(this.frame);
  };

  private show(): void {
    this.stage.pose(this.modes.list[this.chosen_] ?? null, Number(this.amplitude_.value) / 100, this.angle_);
    this.scene?.show(0);
  }

  private table(): HTMLElement {
    const body = h('tbody');
    this.modes.list.forEach((mode, k) => {
      const { re, im } = mode.eigenvalue, swings = mode.kind === 'oscillation';
      const number = (value: number, shown = true): HTMLElement => h('td', { class: 'num', title: shown ? allDigits(value) : null }, shown && Number.isFinite(value) ? significant(value) : '–');
      const row = h('tr', { onclick: () => this.choose(k) }, h('th', { scope: 'row' }, h('button', { class: 'link' }, String(k + 1))),
        h('td', { class: 'num', title: `${allDigits(re)} ± ${allDigits(im)}i` }, swings ? `${significant(re)} ± ${significant(im)}i` : `${significant(re)}${mode.kind === 'drift' ? ' (twice)' : ''}`),
        number(mode.frequency, swings), number(mode.damping, swings), number(mode.timeConstant));
      this.rows_.push(row);
      body.append(row);
    });
    return h('div', { class: 'scroll-x' }, h('table', { class: 'modes-table' }, h('thead', null, h('tr', null,
      ...['Mode', 'Eigenvalue, 1/s', 'Frequency, Hz', 'Damping', 'Decay to 1/e, s'].map((text, k) => h('th', { scope: 'col', class: k ? 'num' : null }, text)))), body));
  }
}
