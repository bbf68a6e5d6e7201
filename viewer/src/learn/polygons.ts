// Velocity and acceleration polygons: every named point's vector from one pole, and the image of each body between the tips.
import type { Page, Point } from '../data';
import { locate } from '../data';
import { fileName, h } from '../dom';
import { allDigits, beside, significant } from '../format';
import { LiveTable } from '../live_table';
import type { LiveCell } from '../live_table';
import type { Player } from '../player';
import { hull } from '../scene/geometry';
import { niceStep } from '../scene/scales';
import type { Selection } from '../selection';
import { Figure, atTime } from './figure';
import { Labels } from './labels';
import type { BodyMotion, Mechanics, Vec } from './mechanics';
import { add, size } from './mechanics';
import type { NamedPoint, PointMotion } from './points';
import { coriolisOf, motionsAt, namedPoints, pointMotions, relativeParts } from './points';
import { arrow, label, polyline, scaleBar, svg } from './svg';

const kManyBodies = 6;
type Kind = 'velocity' | 'acceleration';
const kUnits: Record<Kind, string> = { velocity: 'm/s', acceleration: 'm/s²' };
const degrees = (v: Vec): string => `${significant((Math.atan2(v[1], v[0]) * 180) / Math.PI, 4)}°`;

export class PolygonView {
  readonly element: HTMLElement;
  private readonly figure_: Figure;
  private readonly points_: readonly NamedPoint[];
  private readonly centres_: HTMLInputElement;
  private readonly table_ = new LiveTable();
  private readonly turns_ = new LiveTable();
  private readonly note_ = h('p', { class: 'note' });
  private readonly last_ = new Map<string, number>();

  constructor(private readonly page: Page, private readonly mechanics: Mechanics, private readonly player: Player, private readonly selection: Selection, private readonly kind: Kind) {
    this.points_ = namedPoints(page, mechanics);
    this.centres_ = h('input', { type: 'checkbox', onchange: () => this.show() });
    this.centres_.checked = mechanics.bodies.length <= kManyBodies;
    this.figure_ = new Figure(kind, kind === 'velocity' ? 'Velocity polygon' : 'Acceleration polygon', () => fileName(`${page.title}-${kind}`, 'svg'), 0.78, 290);
    this.element = h('div', { class: 'learn-view' }, h('div', { class: 'choices' }, h('label', null, this.centres_, ' mass centres')), this.figure_.element, this.note_, this.turns_.element, this.table_.element);
  }

  private get title(): string { return `${this.kind === 'velocity' ? 'Velocity' : 'Acceleration'} polygon ${atTime(this.player)}`; }

  private vectorOf(m: PointMotion): Vec { return this.kind === 'velocity' ? m.velocity : m.acceleration; }

  refit(): void { this.figure_.refit(); }

  show(): void {
    if (!this.figure_.fit()) return;
    const motions = motionsAt(this.mechanics, locate(this.page.time, this.player.time));
    const moved = pointMotions(this.points_, motions);
    this.draw(moved, motions);
    this.fillTables(moved, motions);
  }

  private shown(m: PointMotion): boolean { return Number.isFinite(size(this.vectorOf(m))) && (m.point.kind === 'joint' || this.centres_.checked); }

  private draw(moved: readonly PointMotion[], motions: readonly BodyMotion[]): void {
    const figure = this.figure_, { width, height } = figure;
    const shown = moved.filter((m) => this.shown(m));
    const relative = this.kind === 'acceleration' ? relativeParts(this.mechanics, moved, motions).filter((r) => Number.isFinite(size(r.normal) + size(r.tangential))) : [];
    const tips: Vec[] = [[0, 0, 0], ...shown.map((m) => this.vectorOf(m)), ...relative.map((r) => add(this.vectorOf(moved[r.from]), r.normal))];
    const xs = tips.map((v) => v[0]), ys = tips.map((v) => v[1]);
    const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const marginX = 78, top = 30, bottom = 52;
    const greatest = Math.max(...tips.map(size));
    const scale = Math.min((width - 2 * marginX) / Math.max(x1 - x0, 1e-3 * greatest), (height - top - bottom) / Math.max(y1 - y0, 1e-3 * greatest));
    if (!(greatest > 0) || !Number.isFinite(scale)) {
      figure.draw([label(shown.length ? 'Nothing moves at this time.' : `No ${this.kind} was recorded.`, [width / 2, height / 2], 'quiet')], this.title, 'No polygon');
      return;
    }
    const middle: Point = [(x0 + x1) / 2, (y0 + y1) / 2];
    const put = (v: Vec): Point => [width / 2 + (v[0] - middle[0]) * scale, top + (height - top - bottom) / 2 - (v[1] - middle[1]) * scale];
    const labels = new Labels(width, height - 26, this.last_);
    const parts: SVGElement[] = [], arrows: SVGElement[] = [], pole = put([0, 0, 0]);
    const selected = this.selection.part?.kind === 'body' ? this.page.bodies[this.selection.part.index].name : '';
    this.mechanics.bodies.forEach((body, b) => {
      const own = shown.filter((m) => m.point.ends.some((e) => e.body === b)).map((m) => put(this.vectorOf(m)));
      if (own.length < 2) return;
      const outline = hull(own);
      const kind = `image s${(b % 8) + 1}${body.name === selected ? ' chosen-image' : ''}`;
      parts.push(svg('path', { class: kind, d: polyline(outline.length > 2 ? outline : [outline[0], outline[1] ?? outline[0]], outline.length > 2), 'data-body': body.name }));
      outline.forEach((p, i) => labels.keepOff(p, outline[(i + 1) % outline.length], 0.6));
    });
    for (const r of relative) {
      const from = this.vectorOf(moved[r.from]), corner = add(from, r.normal), a = put(from), c = put(corner), b = put(add(corner, r.tangential));
      if (Math.hypot(c[0] - a[0], c[1] - a[1]) > 3) arrows.push(arrow(a, c, `part s${(r.body % 8) + 1}`, { 'data-part': 'normal', 'data-from': moved[r.from].point.name, 'data-to': moved[r.to].point.name }));
      if (Math.hypot(b[0] - c[0], b[1] - c[1]) > 3) arrows.push(arrow(c, b, `part s${(r.body % 8) + 1}`, { 'data-part': 'tangential', 'data-from': moved[r.from].point.name, 'data-to': moved[r.to].point.name }));
      labels.keepOff(a, c, 0.6);
      labels.keepOff(c, b, 0.6);
    }
    const fixed = shown.filter((m) => m.fixed);
    for (const m of shown) {
      const v = this.vectorOf(m), tip = put(v);
      if (m.fixed || Math.hypot(tip[0] - pole[0], tip[1] - pole[1]) < 2) continue;
      arrows.push(arrow(pole, tip, m.point.kind === 'com' ? 'vector-com' : 'vector', { 'data-point': m.point.name, 'data-vector': `${v[0]} ${v[1]}` }));
      labels.keepOff(pole, tip, 1.2);
    }
    parts.push(...arrows, svg('circle', { class: 'pole', cx: pole[0], cy: pole[1], r: 3.5 }));
    labels.keepOffBox(pole[0] - 5, pole[1] - 5, pole[0] + 5, pole[1] + 5);
    const texts = shown.filter((m) => !m.fixed).map((m) => ({ key: m.point.name, at: put(this.vectorOf(m)), kind: m.point.kind === 'com' ? 'quiet' : 'strong' }));
    texts.unshift({ key: ['o', ...(fixed.length ? [`(${fixed.map((m) => m.point.name).join(', ')})`] : [])].join(' '), at: pole, kind: 'strong' });
    for (const t of texts) {
      const away = Math.atan2(t.at[1] - pole[1], t.at[0] - pole[0]);
      const placed = labels.place(t.key, t.key, t.at, t.at === pole ? 2.4 : away, 5);
      if (placed.leader) parts.push(svg('path', { class: 'leader', d: polyline([t.at, placed.at]) }));
      parts.push(label(t.key, placed.at, t.kind));
    }
    const bar = niceStep((0.16 * width) / scale);
    parts.push(scaleBar(14, height - 14, bar * scale, `${significant(bar, 1)} ${kUnits[this.kind]}`));
    figure.drawing.setAttribute('data-scale', String(scale));
    figure.draw(parts, this.title, `${this.title}: ${shown.map((m) => `${m.point.name} ${significant(size(this.vectorOf(m)))} ${kUnits[this.kind]}`).join(', ')}.`);
  }

  private fillTables(moved: readonly PointMotion[], motions: readonly BodyMotion[]): void {
    const { kind } = this, unit = kUnits[kind], letter = kind === 'velocity' ? 'v' : 'a';
    const greatest = Math.max(0, ...moved.map((m) => size(this.vectorOf(m))).filter(Number.isFinite));
    const number = (value: number, scale = 0): LiveCell => ({ text: beside(value, scale), title: allDigits(value) });
    const most = (pick: (m: BodyMotion) => Vec): number => Math.max(0, ...motions.map((m) => Math.abs(pick(m)[2])).filter(Number.isFinite));
    const fastest = most((m) => m.spin), hardest = most((m) => m.spinRate);
    this.turns_.set([['Body', ''], ['ω', 'rad/s'], ...(kind === 'acceleration' ? [['α', 'rad/s²'] as const] : [])], this.mechanics.bodies.map((b, i) => ({
      key: b.name, name: () => h('span', null, h('span', { class: `key square s${(i % 8) + 1}` }), b.name),
      cells: [number(motions[i].spin[2], fastest), ...(kind === 'acceleration' ? [number(motions[i].spinRate[2], hardest)] : [])],
    })));
    const relative = kind === 'acceleration' ? relativeParts(this.mechanics, moved, motions) : [];
    const parts = (i: number): LiveCell[] => {
      const r = relative.find((x) => x.to === i);
      return r ? [{ text: moved[r.from].point.name }, number(size(r.normal), greatest), number(size(r.tangential), greatest)] : [{ text: '' }, { text: '' }, { text: '' }];
    };
    const rows = moved.map((m, i) => ({ m, i })).filter(({ m }) => this.shown(m)).map(({ m, i }) => {
      const v = this.vectorOf(m);
      return {
        key: m.point.name, name: () => h('span', null, m.point.name, h('small', null, m.fixed ? 'fixed' : m.point.ends.map((e) => this.mechanics.bodies[e.body]?.name ?? 'ground').join(', '))),
        cells: [number(size(v)), { text: size(v) > 0 ? degrees(v) : '–' }, number(v[0], greatest), number(v[1], greatest), ...(kind === 'acceleration' ? parts(i) : [])],
      };
    });
    this.table_.set([['Point', ''], [`|${letter}|`, unit], ['angle', ''], [`${letter}x`, unit], [`${letter}y`, unit], ...(kind === 'acceleration' ? [['against', ''], ['normal', unit], ['tangential', unit]] as const : [])], rows);
    const coriolis = (kind === 'acceleration' ? coriolisOf(this.page, this.mechanics, motions) : []).filter((c) => size(c.acceleration) > 1e-9 * greatest);
    const note = (kind === 'velocity' ? 'All vectors start at the pole o, where points at rest lie. The shaded image of a body joins the tips of its points: it is the body turned by a right angle and scaled by ω.'
      : 'All vectors start at the pole o. Dashed: from a base point of each body to its other joints, first the normal part ω² r towards the base, then the tangential part α r across.')
      + coriolis.map((c) => ` At ${c.joint} the guide turns: Coriolis part 2 ω v = ${significant(size(c.acceleration))} ${unit} with v = ${significant(size(c.sliding))} m/s along it.`).join('');
    if (this.note_.textContent !== note) this.note_.textContent = note;
  }
}
