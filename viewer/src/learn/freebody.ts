// The free-body diagram: one body alone with all that acts on it, beside it its m a and J alpha, and the sum as a check.
import type { Page, Point } from '../data';
import { locate } from '../data';
import { fileName, h } from '../dom';
import { allDigits, beside, significant } from '../format';
import { LiveTable } from '../live_table';
import type { LiveCell, LiveRow } from '../live_table';
import type { Player } from '../player';
import { niceStep } from '../scene/scales';
import { whyDashed } from '../reactions';
import type { PartKind, Selection } from '../selection';
import { partsOf } from '../selection';
import { BalanceView } from './balance';
import { BodyShapes, comMark } from './bodies';
import { Figure, atTime } from './figure';
import { Labels } from './labels';
import type { Acting, FreeBody, Mechanics, Vec } from './mechanics';
import { freeBodyAt, pointOf, size, sub } from './mechanics';
import { arrow, label, polyline, scaleBar, svg, turnArrow } from './svg';

/** Which two of the ground's axes are drawn; in the plane always x and y. */
type Plane = 'xy' | 'yz' | 'zx';
const kAxes: Record<Plane, [number, number, number]> = { xy: [0, 1, 2], yz: [1, 2, 0], zx: [2, 0, 1] };
const kNames = ['x', 'y', 'z'];
/** Of the greatest term: below this the rest of a balance is rounding. */
const kRounding = 1e-9;
/** Forces below this share of the greatest are not drawn; the table has them. */
const kDrawn = 1e-6;
const kColours: Record<Acting['of'], string> = { joint: 'reaction', load: 'applied', drive: 'driving', gravity: 'weight' };

/** A force as it is drawn: its two components in the plane of the drawing. */
interface Shown { readonly key: string; readonly acting: Acting | null; readonly at: Vec; readonly force: Point; readonly seen: number; readonly axis: string; readonly kind: string; readonly text: string }
interface Arranged {
  readonly put: (p: Vec) => Point; readonly scale: number; readonly perNewton: number; readonly greatest: number;
  readonly arrows: readonly { readonly tail: Point; readonly tip: Point; readonly outward: boolean }[];
}
interface Text { readonly key: string; readonly text: string; readonly at: Point; readonly angle: number; readonly clear: number; readonly kind: string }
/** Joints between coordinates: they come from no single body. */
const kRelations = new Set(['gear', 'rack', 'coupling', 'expression']);
const kBar_px = 16;
const kMargin = [80, 30, 54];  // pixels for texts at the sides, above and below

const quantity = (value: number, unit: string): string => `${significant(value)} ${unit}`;

export class FreeBodyView {
  readonly element: HTMLElement;
  private readonly forces_: Figure;
  private readonly kinetics_: Figure;
  private readonly shapes_: BodyShapes;
  private readonly choice_: HTMLSelectElement;
  private readonly parts_: HTMLSelectElement;
  private readonly plane_: HTMLSelectElement;
  private readonly table_ = new LiveTable('balance');
  private readonly worked_: BalanceView;
  private readonly words_ = h('p', { class: 'verdict', role: 'status' });
  private readonly why_ = h('p', { class: 'note' });
  private readonly last_ = [new Map<string, number>(), new Map<string, number>()];
  private readonly reach_: number[];
  private planeChosen_ = false;
  private planeFor_ = -1;

  constructor(private readonly page: Page, private readonly mechanics: Mechanics, private readonly player: Player, private readonly selection: Selection) {
    this.worked_ = new BalanceView(mechanics.planar, player);
    this.shapes_ = new BodyShapes(page);
    const names = mechanics.bodies.map((b) => b.name);
    this.choice_ = h('select', { 'aria-label': 'Body' }, ...names.map((name, i) => h('option', { value: i }, name)));
    this.parts_ = h('select', { 'aria-label': 'Forces as' }, h('option', { value: 'whole' }, 'whole forces'), h('option', { value: 'parts' }, 'components'));
    this.plane_ = h('select', { 'aria-label': 'Plane of the drawing', hidden: mechanics.planar }, ...(['xy', 'yz', 'zx'] as const).map((p) => h('option', { value: p }, `${p[0]}–${p[1]} plane`)));
    const saved = (what: string) => (): string => fileName(`${page.title}-${this.body.name}-${what}`, 'svg');
    this.forces_ = new Figure('forces', 'Forces on the body', saved('forces'), 0.72, 280);
    this.kinetics_ = new Figure('kinetics', 'Mass times acceleration', saved('inertia'), 0.5, 210);
    this.element = h('div', { class: 'learn-view' },
      h('div', { class: 'choices' }, h('label', null, 'Body ', this.choice_), h('label', null, 'Forces as ', this.parts_), mechanics.planar ? null : h('label', null, 'Seen in the ', this.plane_)),
      this.forces_.element, h('p', { class: 'equals', 'aria-hidden': 'true' }, '='), this.kinetics_.element, this.words_, this.why_, this.table_.element, this.worked_.element);
    this.reach_ = mechanics.bodies.map((_, i) => this.reachOf(i));
    this.plane_.addEventListener('change', () => (this.planeChosen_ = true));
    for (const control of [this.choice_, this.parts_, this.plane_]) control.addEventListener('change', () => this.changed(control));
    selection.listen((part) => {
      if (part?.kind === 'body') this.choose(this.indexOf(part.index));
    });
  }

  get body(): Mechanics['bodies'][number] { return this.mechanics.bodies[this.index]; }
  private get index(): number { return Number(this.choice_.value) || 0; }
  private get plane(): Plane { return this.mechanics.planar ? 'xy' : (this.plane_.value as Plane); }

  private indexOf(body: number): number { return this.mechanics.bodies.findIndex((b) => b.name === this.page.bodies[body].name); }

  private choose(index: number): void {
    if (index < 0 || index === this.index) return;
    this.choice_.value = String(index);
    this.changed(this.parts_);
  }

  private changed(control: HTMLSelectElement): void {
    for (const memory of this.last_) memory.clear();
    const index = this.page.bodies.findIndex((b) => b.name === this.body.name);
    if (control === this.choice_ && index >= 0) this.selection.set({ kind: 'body', index });
    this.show();
  }

  /** Greatest distance of the body's points from its mass centre, in metres: the drawing keeps its scale while it turns. */
  private reachOf(index: number): number {
    const body = this.mechanics.bodies[index], drawn = this.outlineIndex(index);
    const points: Vec[] = this.mechanics.actions.filter((a) => a.body === index).map((a) => a.point);
    if (drawn >= 0) points.push(...this.shapes_.extent(drawn).map(([x, y]): Vec => [x, y, 0]));
    return Math.max(0, ...points.map((p) => size(sub(p, body.com))));
  }

  private outlineIndex(index: number): number {
    return this.mechanics.planar ? this.page.bodies.findIndex((b) => b.name === this.mechanics.bodies[index].name) : -1;
  }

  refit(): void {
    this.forces_.refit();
    this.kinetics_.refit();
  }

  show(): void {
    if (!this.mechanics.bodies.length || !this.forces_.fit() || !this.kinetics_.fit()) return;
    const place = locate(this.page.time, this.player.time);
    const free = freeBodyAt(this.mechanics, this.index, place);
    if (!this.mechanics.planar && !this.planeChosen_ && this.planeFor_ !== this.index) this.choosePlane(free);
    this.drawForces(free);
    this.drawKinetics(free);
    this.fillTable(free);
    this.sayVerdict(free, place.weight > 0);
    this.worked_.show(free);
  }

  /** The plane in which the points of the body are farthest apart; it stays until another body is chosen. */
  private choosePlane(free: FreeBody): void {
    const points = this.bodyPoints(free), spread = [0, 1, 2].map((k) => Math.max(...points.map((p) => p[k])) - Math.min(...points.map((p) => p[k])));
    if (!spread.every(Number.isFinite)) return;
    const thin = spread.indexOf(Math.min(...spread)), greatest = Math.max(...spread);
    // Ties go to planes with z, which is up in most models.
    const flat = spread.filter((s) => s <= spread[thin] + 0.05 * greatest).length > 1 ? (spread[2] > spread[thin] + 0.05 * greatest ? 1 : thin) : thin;
    this.plane_.value = (['yz', 'zx', 'xy'] as const)[flat];
    this.planeFor_ = this.index;
  }

  // ---- Drawing -------------------------------------------------------------------------------------------------

  /** The forces as they are drawn: whole, or a component for each axis. */
  private shownForces(free: FreeBody): Shown[] {
    const [i, j] = kAxes[this.plane], out: Shown[] = [];
    const greatest = Math.max(...free.acting.map((a) => Math.hypot(a.force[i], a.force[j])));
    free.acting.forEach((acting, n) => {
      const wanted = this.parts_.value === 'parts' && acting.of !== 'gravity' ? [i, j] : [-1];
      for (const axis of wanted) {
        const force: Point = [axis === j ? 0 : acting.force[i], axis === i ? 0 : acting.force[j]], seen = Math.hypot(...force);
        if (!acting.hasForce || !(seen > kDrawn * greatest)) continue;
        const name = acting.of === 'gravity' ? 'm g' : axis < 0 ? acting.name : `${acting.name} ${kNames[axis]}`;
        out.push({ key: `${n} ${axis}`, acting, at: acting.at, force, seen, axis: axis < 0 ? 'whole' : kNames[axis], kind: kColours[acting.of] + (acting.forceUnique ? '' : ' dashed'), text: `${name}  ${quantity(axis < 0 ? size(acting.force) : seen, 'N')}` });
      }
    });
    return out;
  }

  /** Places body and arrows so that all of it is in the figure: from ground axes to pixels, and pixels per newton. */
  private arrange(free: FreeBody, figure: Figure, forces: readonly Shown[], share: number): Arranged {
    const [i, j] = kAxes[this.plane], { width, height } = figure, least = Math.min(width, height);
    const reach = this.reach_[this.index], scale = reach > 0 ? (share * least) / reach : 0;
    const greatest = Math.max(0, ...forces.map((f) => f.seen)), perNewton = greatest > 0 ? (0.27 * least) / greatest : 0;
    const flat = (p: Vec): Point => [(p[i] - free.com[i]) * scale, -(p[j] - free.com[j]) * scale];
    const used = new Map<string, number[]>();
    const arrows = forces.map(({ at, force, seen, acting }) => {
      const p = flat(at), length = Math.max(14, seen * perNewton), ux = force[0] / seen, uy = -force[1] / seen;
      // A force that points away from the body starts at its point; one that points at it ends there.
      const outward = !acting || acting.of === 'gravity' || p[0] * ux + p[1] * uy >= -1;
      const tail: Point = outward ? p : [p[0] - ux * length, p[1] - uy * length];
      // Arrows that would lie on each other stand side by side.
      const spot = `${Math.round(p[0] / 4)},${Math.round(p[1] / 4)}`, angle = Math.atan2(outward ? uy : -uy, outward ? ux : -ux), taken = used.get(spot) ?? [];
      const beside = taken.filter((other) => Math.cos(other - angle) > 0.97).length;
      used.set(spot, [...taken, angle]);
      const shift: Point = [-uy * 9 * beside, ux * 9 * beside];
      return { tail: [tail[0] + shift[0], tail[1] + shift[1]] as Point, tip: [tail[0] + ux * length + shift[0], tail[1] + uy * length + shift[1]] as Point, outward };
    });
    const points = [...this.bodyPoints(free).map(flat), ...arrows.flatMap((a) => [a.tail, a.tip])];
    const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]);
    const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const factor = Math.min(1, (width - 2 * kMargin[0]) / Math.max(x1 - x0, 1), (height - kMargin[1] - kMargin[2]) / Math.max(y1 - y0, 1));
    const move = ([x, y]: Point): Point => [width / 2 + (x - (x0 + x1) / 2) * factor, (height - kMargin[2] + kMargin[1]) / 2 + (y - (y0 + y1) / 2) * factor];
    return { put: (p) => move(flat(p)), scale: scale * factor, perNewton: perNewton * factor, greatest, arrows: arrows.map((a) => ({ ...a, tail: move(a.tail), tip: move(a.tip) })) };
  }

  /** Points that bound the body, ground axes. */
  private bodyPoints(free: FreeBody): Vec[] {
    const drawn = this.outlineIndex(this.index);
    const outline = drawn < 0 ? [] : this.shapes_.extent(drawn).map(([x, y]) => pointOf(free.motion, [x, y, 0]));
    return [free.com, ...free.acting.map((a) => a.at), ...outline];
  }

  private drawBody(free: FreeBody, { put, scale }: Arranged, parts: SVGElement[], labels: Labels): void {
    const drawn = this.outlineIndex(this.index);
    const on = ([x, y]: Readonly<Point>): Point => put(pointOf(free.motion, [x, y, 0]));
    if (drawn >= 0) {
      parts.push(this.shapes_.draw(drawn, on, scale, kBar_px, 'lone'));
      for (const [a, b] of this.shapes_.edges(drawn)) labels.keepOff(on(a), on(b), 0.5, kBar_px / 2);
    } else {
      // In space: lines from the mass centre to the points at which something acts.
      const arms = free.acting.map((a) => put(a.at));
      parts.push(svg('path', { class: 'skeleton', d: arms.map((p) => polyline([put(free.com), p])).join('') }));
      for (const p of arms) labels.keepOff(put(free.com), p, 0.5, 3);
    }
  }

  private drawForces(free: FreeBody): void {
    const figure = this.forces_, { width, height } = figure, forces = this.shownForces(free);
    const arranged = this.arrange(free, figure, forces, 0.36), { put, perNewton, greatest } = arranged;
    const labels = new Labels(width, height - kMargin[2] + 26, this.last_[0]), parts: SVGElement[] = [], arrows: SVGElement[] = [], texts: Text[] = [];
    this.drawBody(free, arranged, parts, labels);
    const com = put(free.com);
    forces.forEach((f, n) => {
      const { tail, tip, outward } = arranged.arrows[n], [from, end] = outward ? [tail, tip] : [tip, tail];
      arrows.push(arrow(tail, tip, f.kind, { 'data-name': f.acting!.name, 'data-force': f.acting!.force.map(String).join(' '), 'data-axis': f.axis }));
      labels.keepOff(tail, tip, 2, 2);
      texts.push({ key: f.key, text: f.text, at: end, angle: Math.atan2(end[1] - from[1], end[0] - from[0]), clear: 5, kind: f.kind });
    });
    this.drawMoments(free, put, arrows, labels, texts);
    const pins = new Map(free.acting.filter((a) => a.of !== 'gravity').map((a) => put(a.at)).map((p) => [p.map(Math.round).join(), p]));
    for (const [cx, cy] of pins.values()) parts.push(svg('circle', { class: 'pin', cx, cy, r: 4.5 }));
    parts.push(comMark(com), ...arrows);
    labels.keepOffBox(com[0] - 8, com[1] - 8, com[0] + 8, com[1] + 8);
    this.addTexts(texts, labels, parts);
    parts.push(...this.axes(width, height));
    this.addScale(parts, height, perNewton, greatest);
    figure.draw(parts, `Forces on ${free.body.name} ${atTime(this.player)}`, `Free-body diagram of ${free.body.name}: ${free.acting.map((a) => `${a.name} ${quantity(size(a.force), 'N')}`).join(', ')}.`);
  }

  private drawMoments(free: FreeBody, put: (p: Vec) => Point, arrows: SVGElement[], labels: Labels, texts: Text[]): void {
    const k = kAxes[this.plane][2], com = put(free.com), around = new Map<string, number>();
    free.acting.forEach((acting, n) => {
      const m = acting.moment[k], p = put(acting.at);
      if (!acting.hasMoment || !(Math.abs(m) > kDrawn * free.greatestMoment)) return;
      const spot = p.map(Math.round).join(), rank = around.get(spot) ?? 0, radius = 19 + 9 * rank;
      around.set(spot, rank + 1);
      const kind = kColours[acting.of] + (acting.momentUnique ? '' : ' dashed');
      arrows.push(turnArrow(p, radius, m > 0, kind, { 'data-name': acting.name, 'data-moment': String(m) }));
      labels.keepOffBox(p[0] - radius, p[1] - radius, p[0] + radius, p[1] + radius);
      const away = Math.hypot(p[0] - com[0], p[1] - com[1]) > 2 ? Math.atan2(p[1] - com[1], p[0] - com[0]) : -0.8;
      texts.push({ key: `${n} m`, text: `${acting.name}  ${quantity(Math.abs(m), 'N·m')}`, at: p, angle: away, clear: radius + 4, kind });
    });
  }

  private addTexts(texts: readonly Text[], labels: Labels, parts: SVGElement[]): void {
    for (const t of texts) {
      const placed = labels.place(t.key, t.text, t.at, t.angle, t.clear);
      if (placed.leader) parts.push(svg('path', { class: 'leader', d: polyline([t.at, placed.at]) }));
      parts.push(label(t.text, placed.at, t.kind));
    }
  }

  private addScale(parts: SVGElement[], height: number, perNewton: number, greatest: number): void {
    if (!(perNewton > 0)) return;
    const shown = niceStep(0.35 * greatest);
    parts.push(scaleBar(14, height - 14, shown * perNewton, `${significant(shown, 1)} N`));
  }

  private axes(width: number, height: number): SVGElement[] {
    const [i, j] = kAxes[this.plane], o: Point = [width - 44, height - 14];
    return [arrow(o, [o[0] + 26, o[1]], 'axis'), arrow(o, [o[0], o[1] - 26], 'axis'), label(kNames[i], [o[0] + 35, o[1]], 'quiet'), label(kNames[j], [o[0] - 9, o[1] - 24], 'quiet')];
  }

  /** m a at the mass centre and J alpha around it, to a scale of their own. */
  private drawKinetics(free: FreeBody): void {
    const figure = this.kinetics_, { width, height } = figure, [i, j, k] = kAxes[this.plane];
    const ma = free.massTimesAcceleration, seen = Math.hypot(ma[i], ma[j]), turning = free.inertiaTimesSpinRate[k];
    const forces: Shown[] = seen > kDrawn * free.greatestForce ? [{ key: 'ma', acting: null, at: free.com, force: [ma[i], ma[j]], seen, axis: 'whole', kind: 'inertia', text: `m a  ${quantity(size(ma), 'N')}` }] : [];
    const arranged = this.arrange(free, figure, forces, 0.32), com = arranged.put(free.com);
    const labels = new Labels(width, height - kMargin[2] + 26, this.last_[1]), parts: SVGElement[] = [], texts: Text[] = [];
    this.drawBody(free, arranged, parts, labels);
    parts.push(comMark(com));
    forces.forEach((f, n) => {
      const { tail, tip } = arranged.arrows[n];
      parts.push(arrow(tail, tip, f.kind, { 'data-name': 'm a', 'data-force': ma.map(String).join(' ') }));
      labels.keepOff(tail, tip, 2, 2);
      texts.push({ key: f.key, text: f.text, at: tip, angle: Math.atan2(tip[1] - tail[1], tip[0] - tail[0]), clear: 5, kind: f.kind });
    });
    labels.keepOffBox(com[0] - 20, com[1] - 20, com[0] + 20, com[1] + 20);
    if (Math.abs(turning) > kDrawn * free.greatestMoment) {
      parts.push(turnArrow(com, 20, turning > 0, 'inertia', { 'data-name': 'J alpha', 'data-moment': String(turning) }));
      texts.push({ key: 'Ja', text: `${this.mechanics.planar ? 'J α' : `(J α + ω × J ω) ${kNames[k]}`}  ${quantity(Math.abs(turning), 'N·m')}`, at: com, angle: -2.3, clear: 24, kind: 'inertia' });
    }
    if (!texts.length) texts.push({ key: 'none', text: 'no acceleration', at: com, angle: -1.2, clear: 26, kind: 'inertia' });
    this.addTexts(texts, labels, parts);
    this.addScale(parts, height, arranged.perNewton, arranged.greatest);
    figure.draw(parts, 'Mass times acceleration', `Mass times acceleration of ${free.body.name}: ${quantity(size(ma), 'N')} at the mass centre, moment ${quantity(size(free.inertiaTimesSpinRate), 'N·m')}.`);
  }

  // ---- Numbers -------------------------------------------------------------------------------------------------

  private fillTable(free: FreeBody): void {
    const { planar } = this.mechanics;
    const axes = planar ? [0, 1] : [0, 1, 2], turns = planar ? [2] : [0, 1, 2], own = free.acting.some((a) => a.hasMoment) ? turns : [];
    const cell = (value: number | null, scale: number): LiveCell => (value === null ? { text: '' } : { text: beside(value, scale), title: allDigits(value) });
    const row = (key: string, name: () => HTMLElement | string, force: Vec | null, moment: Vec | null, about: Vec, kind = ''): LiveRow => {
      const [f, m] = kind === 'rest' ? [0, 0] : [free.greatestForce, free.greatestMoment];
      return { key, name, kind, cells: [...axes.map((a) => cell(force && force[a], f)), ...own.map((a) => cell(moment && moment[a], m)), ...turns.map((a) => cell(about[a], m))] };
    };
    const named = (a: Acting): HTMLElement => {
      const details = [a.of === 'gravity' ? 'at the mass centre' : `${a.kind.replace(/_/g, ' ')}${a.of === 'drive' ? ' drive' : ''}${(a.of === 'joint' && !kRelations.has(a.kind)) || a.from ? ` from ${a.from ?? 'ground'}` : ''}`, a.forceUnique && a.momentUnique ? '' : 'not unique'];
      const index = a.of === 'gravity' ? -1 : partsOf(this.page, a.of as PartKind).findIndex((p) => p.name === a.name);
      const title = index < 0 ? h('span', null, a.of === 'gravity' ? 'm g' : a.name) : h('button', { class: 'link', title: 'Select in the drawing', onclick: () => this.selection.set({ kind: a.of as PartKind, index }) }, a.name);
      return h('span', null, h('span', { class: `key ${kColours[a.of]}${a.forceUnique && a.momentUnique ? '' : ' dashed'}` }), title, h('small', null, details.filter(Boolean).join(', ')));
    };
    const m = (a: number): string => (planar ? '' : ` ${kNames[a]}`);
    this.table_.set([['What acts', ''], ...axes.map((a) => [`F${kNames[a]}`, 'N'] as const), ...own.map((a) => [`M${m(a)}`, 'N·m'] as const), ...turns.map((a) => [`M${m(a)} about G`, 'N·m'] as const)], [
      ...free.acting.map((a) => row(`${free.body.name} ${a.of} ${a.name} ${a.from} ${a.forceUnique && a.momentUnique}`, () => named(a), a.hasForce ? a.force : null, a.hasMoment ? a.moment : null, a.momentAboutCom)),
      row('sum', () => 'Sum', free.force, null, free.moment, 'sum'),
      row('inertia', () => (planar ? 'm a,  J α' : 'm a,  J α + ω × J ω'), free.massTimesAcceleration, null, free.inertiaTimesSpinRate, 'sum'),
      row('rest', () => 'What is left', free.restForce, null, free.restMoment, 'rest')]);
  }

  private sayVerdict(free: FreeBody, between: boolean): void {
    const force = size(free.restForce), moment = size(free.restMoment);
    const share = !Number.isFinite(force + moment) ? NaN : Math.max(free.greatestForce > 0 ? force / free.greatestForce : 0, free.greatestMoment > 0 ? moment / free.greatestMoment : 0);
    const { mass, inertia } = free.body;
    const body = `m = ${quantity(mass, 'kg')}${inertia.length === 1 ? `, J = ${quantity(inertia[0], 'kg·m²')} about G` : ''}. `;
    const left = `${significant(force, 2)} N and ${significant(moment, 2)} N·m`;
    const good = share <= kRounding;
    this.words_.classList.toggle('poor', !good && !between);
    this.words_.textContent = !Number.isFinite(share) ? `${body}There are no accelerations at this time, so there is no sum to check.`
      : share === 0 ? `${body}The forces add up to m a and their moments about the mass centre G to J α, to the last bit.`
      : good ? `${body}The forces add up to m a and their moments about the mass centre G to J α: what is left, ${left}, is rounding.`
        : between ? `${body}This time lies between two samples, where every value is drawn as a straight line: what is left, ${left}, comes from that. Step to a sample to see the sum at rounding.`
          : `${body}What is left, ${left}, is more than rounding.`;
    const seen = this.mechanics.planar ? '' : 'The figures show what lies in the chosen plane; the values beside the arrows are those of the whole forces. ';
    const lost = free.acting.some((a) => !a.forceUnique || !a.momentUnique);
    this.why_.textContent = seen + (lost ? `Dashed: not unique, ${whyDashed(this.page)}` : '');
    this.why_.hidden = !this.why_.textContent;
  }
}
