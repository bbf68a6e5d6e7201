// The Links tab: each flexible link as it is bent at the moment, coloured by stress, and what it carries along its length.
import type { Page } from '../data';
import { locate } from '../data';
import { h } from '../dom';
import { significant, withUnit } from '../format';
import { label, polyline, svg } from '../learn/svg';
import type { FlexibleLink, LinkCurve } from '../links';
import { curveAt, greatestOf, shapeAt } from '../links';
import type { Player } from '../player';
import type { Vec3 } from '../scene/space/vectors';
import type { Tab } from './tabs';

const kWidth = 560, kShapeHeight = 150, kCurveHeight = 84, kMargin = 12;
/** The drawing is scaled at first so that the greatest deflection is this share of the length. */
const kShownAs = 0.11;

/** From no stress (cool) to the greatest of the run (hot). */
export function stressColour(share: number): string {
  const s = Math.min(1, Math.max(0, share));
  return `hsl(${(220 * (1 - s)).toFixed(0)} 75% 48%)`;
}

class LinkFigure {
  readonly element: HTMLElement;
  private readonly shape_ = svg('svg', { class: 'link-shape', role: 'img', viewBox: `0 0 ${kWidth} ${kShapeHeight}` });
  private readonly plots_: { readonly curve: LinkCurve; readonly most: number; readonly drawing: SVGElement; readonly value: HTMLElement }[] = [];
  private readonly factor_: HTMLInputElement;
  private readonly factorText_ = h('output', { class: 'quiet' });
  private readonly words_ = h('p', { class: 'quiet' });
  private readonly stress_: LinkCurve | null;
  private readonly mostStress_: number;
  private readonly across_: 1 | 2;

  constructor(private readonly page: Page, private readonly link: FlexibleLink, private readonly player: Player) {
    this.stress_ = link.curves.find((c) => c.label === 'stress') ?? link.curves.find((c) => c.label.startsWith('bending')) ?? null;
    this.mostStress_ = this.stress_ ? greatestOf(this.stress_) : 0;
    const greatest = this.greatestDeflection();
    this.across_ = greatest[2] > greatest[1] ? 2 : 1;
    const most = Math.max(greatest[1], greatest[2]);
    const usual = most > 0 ? Math.min(1e4, Math.max(1, (kShownAs * link.length) / most)) : 1;
    // A slider of decades: 1 to 10 000 times.
    this.factor_ = h('input', { type: 'range', min: 0, max: 4, step: 0.01, value: Math.log10(usual).toFixed(2), 'aria-label': `Scale of the deflection of ${link.name}`, oninput: () => this.show() });
    this.element = h('section', { class: 'link-figure', 'data-link': link.name },
      h('h3', null, link.name), this.shape_,
      h('label', { class: 'link-scale' }, 'Deflection times ', this.factor_, this.factorText_), this.words_);
    for (const curve of link.curves) {
      const drawing = svg('svg', { class: 'link-curve', role: 'img', 'data-curve': curve.label, viewBox: `0 0 ${kWidth} ${kCurveHeight}` });
      const value = h('span', { class: 'quiet' });
      this.plots_.push({ curve, most: greatestOf(curve), drawing, value });
      this.element.append(h('div', { class: 'link-row' }, h('div', null, curve.title, ' ', value), drawing));
    }
  }

  private greatestDeflection(): Vec3 {
    const out: [number, number, number] = [0, 0, 0], count = this.page.time.length, step = Math.max(1, Math.floor(count / 400));
    for (let i = 0; i < count; i += step) {
      const shape = shapeAt(this.link, { index: i, weight: 0 });
      if (!shape) continue;
      shape.now.forEach((p, k) => { for (let c = 0; c < 3; c++) out[c] = Math.max(out[c], Math.abs(p[c] - shape.rest[k][c])); });
    }
    return out;
  }

  show(): void {
    const place = locate(this.page.time, this.player.time), shape = shapeAt(this.link, place);
    const factor = 10 ** Number(this.factor_.value);
    this.factorText_.textContent = `${significant(factor, 3)}`;
    const values = this.stress_ ? curveAt(this.stress_, place) : [];
    if (shape) this.drawShape(shape, factor, values);
    for (const { curve, most, drawing, value } of this.plots_) {
      const now = curveAt(curve, place);
      value.textContent = `up to ${withUnit(significant(Math.max(...now.map(Math.abs)), 3), curve.unit)} now, ${withUnit(significant(most, 3), curve.unit)} in the run`;
      this.drawCurve(drawing, now, most);
    }
  }

  private drawShape({ rest, now }: { rest: Vec3[]; now: Vec3[] }, factor: number, values: number[]): void {
    const across = this.across_, last = rest.length - 1;
    // Undeformed and deformed shapes along x and across it, the latter scaled about the former.
    const flat = (p: Vec3): [number, number] => [p[0], p[across]];
    const bent = now.map((p, k): [number, number] => [rest[k][0] + (p[0] - rest[k][0]) * factor, rest[k][across] + (p[across] - rest[k][across]) * factor]);
    const xs = [...rest.map((p) => p[0]), ...bent.map((p) => p[0])], low = Math.min(...xs), high = Math.max(...xs);
    const scale = (kWidth - 2 * kMargin) / Math.max(high - low, this.link.length);
    const at = ([x, y]: [number, number]): [number, number] => [kMargin + (x - low) * scale, kShapeHeight / 2 - y * scale];
    this.shape_.replaceChildren(svg('path', { class: 'rest', d: polyline(rest.map((p) => at(flat(p)))), fill: 'none', stroke: 'currentColor', 'stroke-opacity': 0.35, 'stroke-dasharray': '4 4' }));
    for (let k = 0; k < last; k++) {
      // An element lies between two springs; the ends belong to one.
      const a = values[Math.max(0, k - 1)], b = values[Math.min(values.length - 1, k)], size = (Math.abs(a ?? 0) + Math.abs(b ?? 0)) / 2;
      const share = this.mostStress_ > 0 ? size / this.mostStress_ : 0;
      this.shape_.append(svg('path', { class: 'element', d: polyline([at(bent[k]), at(bent[k + 1])]), fill: 'none', stroke: stressColour(share), 'stroke-width': 5, 'stroke-linecap': 'round' }));
    }
    for (let k = 1; k < last; k++) {
      const [x, y] = at(bent[k]);
      this.shape_.append(svg('circle', { cx: x, cy: y, r: 2, fill: 'currentColor' }));
    }
    const tip = now[last].map((v, c) => v - rest[last][c]);
    const planar = this.page.space !== 'spatial';
    this.words_.textContent = `In axes of its root, ${across === 2 ? 'z' : 'y'} upwards; at the end deflected by ${(planar ? [0, 1] : [0, 1, 2]).map((c) => `${'xyz'[c]} ${withUnit(significant(tip[c], 3), 'm')}`).join(', ')}.`
      + (this.stress_ ? ` Colours: ${this.stress_.title.toLowerCase()}, blue for none, red for ${withUnit(significant(this.mostStress_, 3), this.stress_.unit)}, the greatest of the run.` : '');
  }

  private drawCurve(drawing: SVGElement, now: number[], most: number): void {
    const middle = kCurveHeight / 2, height = middle - kMargin;
    const x = (s: number): number => kMargin + (s / this.link.length) * (kWidth - 2 * kMargin);
    const y = (v: number): number => middle - (most > 0 ? v / most : 0) * height;
    const points = now.map((v, k): [number, number] => [x(this.link.at[k]), y(v)]);
    drawing.replaceChildren(
      svg('path', { d: polyline([[x(0), middle], [x(this.link.length), middle]]), stroke: 'currentColor', 'stroke-opacity': 0.4 }),
      svg('path', { class: 'area', d: polyline([[points[0][0], middle], ...points, [points[points.length - 1][0], middle]], true), fill: 'currentColor', 'fill-opacity': 0.12, stroke: 'none' }),
      svg('path', { class: 'curve', d: polyline(points), fill: 'none', stroke: 'currentColor', 'stroke-width': 1.5 }));
    for (const [px, py] of points) drawing.append(svg('circle', { cx: px, cy: py, r: 2.5, fill: 'currentColor' }));
    drawing.append(label('root', [x(0), kCurveHeight - 6], 'quiet', 'start'), label('end', [x(this.link.length), kCurveHeight - 6], 'quiet', 'end'));
  }
}

export class LinksTab implements Tab {
  readonly id = 'links';
  readonly title = 'Links';
  readonly panel: HTMLElement;
  private readonly figures_: readonly LinkFigure[];

  constructor(page: Page, player: Player) {
    this.figures_ = page.links.map((link) => new LinkFigure(page, link, player));
    this.panel = h('div', { class: 'panel links-panel' }, ...this.figures_.map((f) => f.element));
    player.listen(() => this.onShow());
  }

  onShow(): void {
    if (this.panel.hidden) return;
    for (const figure of this.figures_) figure.show();
  }
}
