// A mode that swings in the drawing: its button, its amplitude, and the frames.
import { h } from './dom';
import { brief } from './format';
import type { Mode } from './parts';

const kLeastPeriod_s = 0.7, kMostPeriod_s = 4, kUsualPeriod_s = 2;

/** How long one swing takes on the screen, in seconds, and what to say about it; `pace`: seconds of the motion in one of the screen. */
export function shownPeriod(mode: Mode): { period: number; pace: number; words: string } {
  const real = mode.frequency > 0 ? 1 / mode.frequency : NaN;
  if (!(real > 0)) return { period: kUsualPeriod_s, pace: 1, words: 'Swings for the eye alone: the mode itself does not oscillate.' };
  if (real >= kLeastPeriod_s && real <= kMostPeriod_s) return { period: real, pace: 1, words: 'In real time, without growth or decay.' };
  const factor = real < kUsualPeriod_s ? kUsualPeriod_s / real : real / kUsualPeriod_s;
  return { period: kUsualPeriod_s, pace: real / kUsualPeriod_s, words: `${real < kUsualPeriod_s ? 'Slowed down' : 'Sped up'} ${brief(factor)} times, without growth or decay.` };
}

export class Swing {
  readonly element: HTMLElement;
  mode: Mode | null = null;
  private readonly amplitude_ = h('input', { type: 'range', min: 0, max: 100, value: 50, 'aria-label': 'Amplitude', class: 'amplitude' });
  private readonly button_ = h('button', { class: 'primary', onclick: () => this.set(!this.going_) });
  private going_ = false;
  private angle_ = Math.PI / 2;  // at rest the mechanism stands where it is drawn
  private last_ = 0;

  /** `draw` shows the mode at a share of its largest amplitude and a phase; `passed`: seconds on the screen since the frame before. `word`: what the button does. */
  constructor(private readonly word: string, private readonly draw: (mode: Mode | null, share: number, angle: number, passed: number) => void, private readonly alone = false) {
    this.amplitude_.addEventListener('input', () => {
      if (this.angle_ === Math.PI / 2) this.angle_ = 0;  // a hand on it wants to see something
      this.show();
    });
    this.element = h('div', { class: 'mode-controls' }, this.button_, h('label', null, 'Amplitude ', this.amplitude_));
    this.name();
  }

  /** Starts by itself where nobody asked for less motion. */
  start(): void {
    if (!this.going_ && !matchMedia('(prefers-reduced-motion: reduce)').matches) this.set(true);
  }

  show(passed = 0): void { this.draw(this.mode, Number(this.amplitude_.value) / 100, this.angle_, passed); }

  private set(on: boolean): void {
    this.going_ = on;
    this.name();
    if (!on) return;
    this.last_ = performance.now();
    requestAnimationFrame(this.frame);
  }

  private name(): void { this.button_.textContent = this.going_ ? 'Stop' : this.word; }

  private readonly frame = (now: number): void => {
    if (!this.going_ || !(this.mode || this.alone)) return;
    const passed = Math.min(100, now - this.last_) / 1000;
    if (this.mode) this.angle_ = (this.angle_ + (2 * Math.PI * passed) / shownPeriod(this.mode).period) % (2 * Math.PI);
    this.last_ = now;
    this.show(passed);
    requestAnimationFrame(this.frame);
  };
}
