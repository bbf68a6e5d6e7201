// The clock of the page: one current time, moved by playing, stepping or seeking; everything else listens to it.
import { locate } from './data';

const kHoldAtEnd_ms = 600;
const kLongestFrame_ms = 100;  // after a stall the motion goes on from where it was, without a jump

export class Player {
  readonly start: number;
  readonly end: number;
  speed = 1;
  loop = true;
  private time_: number;
  private playing_ = false;
  private lastFrame_ = 0;
  private held_ = 0;
  private readonly listeners_: (() => void)[] = [];

  constructor(private readonly samples: Float64Array) {
    this.start = samples.length ? samples[0] : 0;
    this.end = samples.length ? samples[samples.length - 1] : 0;
    this.time_ = this.start;
  }

  get time(): number { return this.time_; }
  get playing(): boolean { return this.playing_; }
  get span(): number { return this.end - this.start; }

  /** Calls back now and after every change of time, speed or playing. */
  listen(listener: () => void): void {
    this.listeners_.push(listener);
    listener();
  }

  seek(t: number): void {
    if (Number.isNaN(t)) return;
    this.time_ = Math.min(this.end, Math.max(this.start, t));
    this.held_ = 0;
    this.tell();
  }

  /** Moves by whole samples; from between two samples to the nearest one in that direction. */
  step(count: number): void {
    this.pause();
    const place = locate(this.samples, this.time_);
    if (place.index < 0) return;
    let index = place.index + count + (count < 0 && place.weight > 0 ? 1 : 0);
    const last = this.samples.length - 1;
    // Two samples at one time (left and right of a jump) count as one.
    while (index > 0 && index < last && this.samples[index] === this.time_) index += Math.sign(count);
    this.seek(this.samples[Math.min(last, Math.max(0, index))]);
  }

  play(): void {
    if (this.playing_ || !(this.span > 0)) return;
    if (this.time_ >= this.end) this.time_ = this.start;
    this.playing_ = true;
    this.held_ = 0;
    this.lastFrame_ = performance.now();
    requestAnimationFrame(this.frame);
    this.tell();
  }

  pause(): void {
    if (!this.playing_) return;
    this.playing_ = false;
    this.tell();
  }

  toggle(): void {
    if (this.playing_) this.pause();
    else this.play();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.tell();
  }

  setLoop(loop: boolean): void {
    this.loop = loop;
    this.tell();
  }

  private readonly frame = (now: number): void => {
    if (!this.playing_) return;
    const elapsed_ms = Math.min(kLongestFrame_ms, Math.max(0, now - this.lastFrame_));
    this.lastFrame_ = now;
    if (this.time_ < this.end) {
      this.time_ = Math.min(this.end, this.time_ + (elapsed_ms / 1000) * this.speed);
    } else if (!this.loop) {
      this.playing_ = false;
    } else if ((this.held_ += elapsed_ms) > kHoldAtEnd_ms) {
      this.held_ = 0;
      this.time_ = this.start;
    }
    this.tell();
    if (this.playing_) requestAnimationFrame(this.frame);
  };

  private tell(): void {
    for (const listener of this.listeners_) listener();
  }
}

const kSpeeds = [0.1, 0.2, 0.5, 1, 2, 5, 10];

/** The speeds on offer and the one to begin with: real time, unless the run would be over in a blink or last for minutes. */
export function speedChoices(span: number): { speeds: number[]; initial: number } {
  if (!(span > 0) || (span >= 1 && span <= 120)) return { speeds: kSpeeds, initial: 1 };
  const wanted = span / 10;
  const decade = 10 ** Math.floor(Math.log10(wanted));
  const initial = decade * [1, 2, 5, 10].reduce((best, m) => (Math.abs(Math.log(wanted / decade / m)) < Math.abs(Math.log(wanted / decade / best)) ? m : best));
  const clean = Number(initial.toPrecision(1));
  const speeds = [...new Set([...kSpeeds, clean / 10, clean / 5, clean / 2, clean, clean * 2, clean * 5].map((s) => Number(s.toPrecision(1))))];
  return { speeds: speeds.sort((a, b) => a - b), initial: clean };
}
