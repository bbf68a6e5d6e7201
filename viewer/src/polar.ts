// A polar plot of what a bearing carries: the tip of the force over the run, its present value, its largest size.
import type { Bearing, Page, Series } from './data';
import { locate, valueAt } from './data';
import { h } from './dom';
import { allDigits, brief, prettyUnit, significant, withUnit } from './format';

/** Axes in which the force is drawn: the ground's, or those of the body it acts on. */
export type PolarAxes = 'ground' | 'second' | 'first';
/** Which two of the axes are drawn; in the plane always x and y. */
export type PolarPlane = 'xy' | 'yz' | 'zx';

const kSvg = 'http://www.w3.org/2000/svg';
const kSize = 220;
const kRadius = 84;  // of the outermost ring
const kMostPoints = 4000;

type Vector = [number, number, number];

/** R^T f: from ground to body axes, by the body's angle or quaternion at one sample. */
function toBody(turn: readonly number[], f: Vector): Vector {
  if (turn.length === 1) {
    const c = Math.cos(turn[0]), s = Math.sin(turn[0]);
    return [c * f[0] + s * f[1], -s * f[0] + c * f[1], f[2]];
  }
  const [w, x, y, z] = turn;
  const scale = 2 / (w * w + x * x + y * y + z * z);
  return [
    f[0] * (1 - scale * (y * y + z * z)) + f[1] * scale * (x * y + w * z) + f[2] * scale * (x * z - w * y),
    f[0] * scale * (x * y - w * z) + f[1] * (1 - scale * (x * x + z * z)) + f[2] * scale * (y * z + w * x),
    f[0] * scale * (x * z + w * y) + f[1] * scale * (y * z - w * x) + f[2] * (1 - scale * (x * x + y * y)),
  ];
}

/** The force on the body the axes belong to, at a place in time. */
export function bearingForce(bearing: Bearing, axes: PolarAxes, at: (s: Series) => number): Vector {
  const f = bearing.force.map(at);
  let vector: Vector = [f[0], f[1], f[2] ?? 0];
  if (axes === 'first') vector = [-vector[0], -vector[1], -vector[2]];
  const turn = axes === 'ground' ? null : axes === 'second' ? bearing.second.turn : bearing.first.turn;
  return turn ? toBody(turn.map(at), vector) : vector;
}

/** A round number of at least `size`, and the rings below it. */
export function rings(size: number): number[] {
  if (!(size > 0) || !Number.isFinite(size)) return [1];
  const decade = 10 ** Math.floor(Math.log10(size));
  const step = [0.25, 0.5, 1, 2, 2.5, 5].map((m) => m * decade).find((s) => s * 4 >= size) ?? 2.5 * decade;
  const count = Math.max(1, Math.ceil(size / step - 1e-9));
  return Array.from({ length: count }, (_, i) => Number(((i + 1) * step).toPrecision(6)));
}

function svg(tag: string, attributes: Record<string, string | number>, text = ''): SVGElement {
  const element = document.createElementNS(kSvg, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text) element.textContent = text;
  return element;
}

export class PolarPlot {
  readonly element: HTMLElement;
  private readonly drawing_ = svg('svg', { viewBox: `0 0 ${kSize} ${kSize}`, role: 'img', class: 'polar-drawing' });
  private readonly caption_ = h('p', { class: 'polar-caption' });
  private readonly arrow_ = svg('line', { class: 'polar-arrow', x1: kSize / 2, y1: kSize / 2 });
  private readonly tip_ = svg('circle', { class: 'polar-tip', r: 3.5 });
  private readonly now_ = h('span', { class: 'value' });
  private axes_: PolarAxes = 'ground';
  private plane_: [number, number] = [0, 1];
  private scale_ = 1;

  constructor(private readonly page: Page, readonly bearing: Bearing, title: HTMLElement) {
    this.element = h('section', { class: 'polar', 'aria-label': `Load of ${bearing.name}` },
      h('header', null, title, bearing.unique ? null : h('span', { class: 'tag' }, 'not unique')), this.drawing_ as unknown as HTMLElement, this.caption_);
  }

  /** Draws the whole run in these axes. */
  draw(axes: PolarAxes, plane: PolarPlane): void {
    this.axes_ = axes;
    const flat = this.bearing.force.length < 3;
    this.plane_ = flat || plane === 'xy' ? [0, 1] : plane === 'yz' ? [1, 2] : [2, 0];
    const names = ['x', 'y', 'z'];
    const { length } = this.page.time;
    const stride = Math.max(1, Math.ceil(length / kMostPoints));
    const tips: [number, number][] = [];
    let most = 0, mostIndex = -1;
    for (let i = 0; i < length; i++) {
      const f = bearingForce(this.bearing, axes, (s) => s.values[i]);
      const tip: [number, number] = [f[this.plane_[0]], f[this.plane_[1]]];
      const size = Math.hypot(...tip);
      if (Number.isFinite(size) && size > most) [most, mostIndex] = [size, i];
      if (i % stride === 0 || i === length - 1 || i === mostIndex) tips.push(tip);
    }
    const circles = rings(most);
    this.scale_ = kRadius / circles[circles.length - 1];
    const unit = prettyUnit(this.bearing.force[0].unit);
    const middle = kSize / 2, end = kRadius + 8;
    const parts: SVGElement[] = circles.map((r) => svg('circle', { class: 'polar-ring', cx: middle, cy: middle, r: r * this.scale_ }));
    parts.push(svg('line', { class: 'polar-ring', x1: middle - end, y1: middle, x2: middle + end, y2: middle }),
      svg('line', { class: 'polar-ring', x1: middle, y1: middle - end, x2: middle, y2: middle + end }));
    const body = axes === 'ground' ? null : axes === 'second' ? this.bearing.second : this.bearing.first;
    const where = body?.name ? "'" : '';
    parts.push(svg('text', { class: 'polar-label', x: middle + end + 3, y: middle + 3.5 }, names[this.plane_[0]] + where),
      svg('text', { class: 'polar-label', x: middle, y: middle - end - 4, 'text-anchor': 'middle' }, names[this.plane_[1]] + where));
    // Gaps break the curve.
    let path = '', open = false;
    for (const tip of tips) {
      const [x, y] = this.place(tip);
      const finite = Number.isFinite(x) && Number.isFinite(y);
      if (finite) path += `${open ? 'L' : 'M'}${x.toFixed(2)} ${y.toFixed(2)}`;
      open = finite;
    }
    parts.push(svg('path', { class: 'polar-curve', d: path }));
    for (const r of circles) {
      const along = r * this.scale_ * Math.SQRT1_2;
      parts.push(svg('text', { class: 'polar-number', x: middle + along + 2, y: middle + along + 8 }, brief(r)));
    }
    if (mostIndex >= 0) {
      const f = bearingForce(this.bearing, axes, (s) => s.values[mostIndex]);
      const [cx, cy] = this.place([f[this.plane_[0]], f[this.plane_[1]]]);
      parts.push(svg('circle', { class: 'polar-most', cx, cy, r: 3.5 }));
    }
    parts.push(this.arrow_, this.tip_);
    this.drawing_.replaceChildren(...parts);
    this.drawing_.setAttribute('aria-label', `Force in ${this.bearing.name}, largest ${significant(most)} ${unit}`);
    const on = axes === 'first' ? this.bearing.first.name : this.bearing.second.name;
    this.caption_.replaceChildren(`on ${on ?? 'ground'}, ${body?.name ? `axes of ${body.name}` : 'ground axes'}; most `,
      h('span', { class: 'value', title: allDigits(most) }, withUnit(significant(most), this.bearing.force[0].unit)), ', now ', this.now_);
  }

  showTime(t: number): void {
    const place = locate(this.page.time, t);
    const f = bearingForce(this.bearing, this.axes_, (s) => valueAt(s.values, place));
    const tip: [number, number] = [f[this.plane_[0]], f[this.plane_[1]]];
    const shown = tip.every(Number.isFinite);
    for (const element of [this.arrow_, this.tip_]) element.toggleAttribute('hidden', !shown);
    this.now_.textContent = withUnit(significant(Math.hypot(...tip)), this.bearing.force[0].unit);
    if (!shown) return;
    const [x, y] = this.place(tip);
    this.arrow_.setAttribute('x2', String(x));
    this.arrow_.setAttribute('y2', String(y));
    this.tip_.setAttribute('cx', String(x));
    this.tip_.setAttribute('cy', String(y));
  }

  private place(tip: readonly [number, number]): [number, number] {
    return [kSize / 2 + tip[0] * this.scale_, kSize / 2 - tip[1] * this.scale_];
  }
}
