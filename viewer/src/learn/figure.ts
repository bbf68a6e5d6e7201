// A figure of the Learn tab: a drawing as wide as its place with a caption and a button that saves it.
import { h } from '../dom';
import { timeDecimals } from '../format';
import type { Player } from '../player';
import { saveSvg, svg } from './svg';

const kWidest = 760;

/** "at t = 0.800 s", for titles. */
export const atTime = (player: Player): string => `at t = ${player.time.toFixed(timeDecimals(player.span)).replace('-', '−')} s`;

export class Figure {
  readonly element: HTMLElement;
  readonly drawing: SVGElement;
  private readonly title_: HTMLElement;
  private width_ = 0;
  private measured_ = false;

  /** `shape` is height over width; `least` the least height in pixels. */
  constructor(name: string, title: string, fileName: () => string, private readonly shape: number, private readonly least = 240) {
    this.drawing = svg('svg', { class: 'diagram', role: 'img', 'data-figure': name });
    const save = h('button', { class: 'quiet save', title: 'Save this figure as SVG', onclick: () => saveSvg(this.drawing, fileName()) }, 'Save SVG');
    this.title_ = h('h3', null, title);
    this.element = h('figure', { class: 'figure' }, h('figcaption', null, this.title_, save), this.drawing as unknown as HTMLElement);
  }

  get width(): number { return this.width_; }
  get height(): number { return Math.max(this.least, Math.round(this.width_ * this.shape)); }

  /** Its place may have changed: it is measured before the next drawing. Measuring every time would lay out the page in each frame. */
  refit(): void { this.measured_ = false; }

  /** Takes the width of its place; false where there is none yet. */
  fit(): boolean {
    if (this.measured_) return true;
    const width = Math.min(kWidest, Math.floor(this.element.clientWidth) - 2);
    if (width < 60) return this.width_ > 0;
    this.width_ = width;
    this.measured_ = true;
    this.drawing.setAttribute('viewBox', `0 0 ${width} ${this.height}`);
    this.drawing.setAttribute('data-width', String(width));
    this.drawing.setAttribute('data-height', String(this.height));
    return true;
  }

  draw(parts: readonly SVGElement[], title: string, description: string): void {
    if (this.title_.textContent !== title) this.title_.textContent = title;
    this.drawing.replaceChildren(...parts);
    this.drawing.setAttribute('aria-label', description);
  }
}
