// The plane of eigenvalues: decay to the left, growth to the right, oscillation up and down; each point is a button.
import { activated, h } from './dom';
import { brief } from './format';
import { polyline, svg } from './learn/svg';
import type { Branch, Mode } from './parts';
import { niceStep } from './scene/scales';

const kWidth = 340, kHeight = 260, kLeft = 46, kRight = 14, kTop = 18, kBottom = 34;

/** Multiples of a round step that lie in the range. */
export function ticksIn(low: number, high: number, count: number): number[] {
  const step = niceStep((high - low) / count);
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, k) => (first + k) * step);
}

export function titled<E extends Element>(element: E, title: string): E {
  element.append(svg('title', {}, title));
  return element;
}

export class EigenPlane {
  readonly element: HTMLElement;
  private readonly points_: SVGElement[][] = [];

  /** With `trails`, the ways of all eigenvalues over a parameter lie under the points; a click on one asks for it. */
  constructor(modes: readonly Mode[], choose: (index: number) => void, trails: readonly Branch[] = [], follow: (branch: number) => void = () => {}) {
    const values = [...modes.map((m) => m.eigenvalue), ...trails.flatMap((b) => Array.from(b.re, (re, k) => ({ re, im: b.im[k] })))].filter((z) => Number.isFinite(z.re + z.im));
    const size = Math.max(...values.map((z) => Math.hypot(z.re, z.im)), 0) || 1;
    // Both axes have scales of their own: decay is often small beside the frequency, and points would lie on each other.
    // Without damping all points lie on the axis, and it keeps some room at both sides.
    const wide = Math.max(...values.map((z) => Math.abs(z.re)), 0), room = wide > 1e-6 * size ? 0.35 * wide : 0.25 * size;
    const low = Math.min(-room, ...values.map((z) => 1.15 * z.re)), high = Math.max(room, ...values.map((z) => 1.15 * z.re));
    const tall = 1.15 * Math.max(0.25 * size, ...values.map((z) => Math.abs(z.im)));
    const x = (re: number): number => kLeft + ((re - low) / (high - low)) * (kWidth - kLeft - kRight);
    const y = (im: number): number => kTop + ((tall - im) / (2 * tall)) * (kHeight - kTop - kBottom);
    const picture = svg('svg', { viewBox: `0 0 ${kWidth} ${kHeight}`, class: 'eigen-drawing', role: 'group', 'aria-label': 'Plane of eigenvalues' });
    picture.append(svg('rect', { x: x(0), y: y(tall), width: x(high) - x(0), height: y(-tall) - y(tall), class: 'eigen-growth' }));
    for (const re of ticksIn(low, high, 5)) picture.append(svg('line', { x1: x(re), x2: x(re), y1: y(tall), y2: y(-tall), class: 'eigen-grid' }), svg('text', { x: x(re), y: y(-tall) + 13, class: 'eigen-number', 'text-anchor': 'middle' }, brief(re)));
    for (const im of ticksIn(-tall, tall, 5)) picture.append(svg('line', { x1: x(low), x2: x(high), y1: y(im), y2: y(im), class: 'eigen-grid' }), svg('text', { x: kLeft - 5, y: y(im) + 3, class: 'eigen-number', 'text-anchor': 'end' }, brief(im)));
    picture.append(
      svg('line', { x1: x(0), x2: x(0), y1: y(tall), y2: y(-tall), class: 'eigen-axis' }), svg('line', { x1: x(low), x2: x(high), y1: y(0), y2: y(0), class: 'eigen-axis' }),
      svg('text', { x: x(high), y: kHeight - 4, class: 'eigen-label', 'text-anchor': 'end' }, 'real part, 1/s: grows →'),
      svg('text', { x: x(low), y: kHeight - 4, class: 'eigen-label' }, '← dies out'), svg('text', { x: kLeft, y: 11, class: 'eigen-label' }, 'imaginary part, rad/s'));
    trails.forEach((b, k) => picture.append(activated(titled(svg('path', { d: polyline(Array.from(b.re, (re, i): [number, number] => [x(re), y(b.im[i])])), class: 'eigen-trail', role: 'button' }), `Branch ${k + 1}`), () => follow(k))));
    modes.forEach((mode, index) => {
      const { re, im } = mode.eigenvalue;
      const marks = (im > 0 ? [im, -im] : [im]).filter((v) => Number.isFinite(re + v)).map((v, k) => {
        // Of a pair the upper one is reached by the keyboard.
        const mark = titled(svg('circle', { cx: x(re), cy: y(v), r: 5, class: `eigen-point${k ? ' mirrored' : ''}`, tabindex: k ? -1 : 0, role: 'button', 'aria-label': `Mode ${index + 1}: ${mode.words}` }), `Mode ${index + 1}: ${mode.words}`);
        activated(mark, () => choose(index));
        return mark;
      });
      this.points_.push(marks);
      picture.append(...marks);
    });
    this.element = h('div', { class: 'eigenplane' }, picture as unknown as HTMLElement);
  }

  mark(chosen: number): void {
    this.points_.forEach((marks, index) => marks.forEach((m) => {
      m.classList.toggle('chosen', index === chosen);
      m.setAttribute('aria-pressed', String(index === chosen));
    }));
  }
}
