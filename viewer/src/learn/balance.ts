// The balance of one body worked out by hand: cut free, acceleration of the mass centre, Newton for each axis, Euler about the
// mass centre, with the numbers of the chosen time.
//
//   a_G = a_O + alpha x r + w x (w x r),   sum F = m a_G,   sum (M + r x F) = J alpha + w x J w,   r from the origin O or from G
import { h } from '../dom';
import { significant } from '../format';
import type { Player } from '../player';
import { atTime } from './figure';
import { bracketed, formulaLine, indexed, mi, ml, mn, mo, plus, sumOf, unitOf } from './mathml';
import type { Acting, FreeBody, Vec } from './mechanics';
import { cross, size, sub } from './mechanics';

const kNames = ['x', 'y', 'z'];
const kPause_ms = 250;  // while it plays nobody reads faster
const kMostTerms = 10;
/** Of the greatest term: smaller ones are left out of sums. */
const kSmall = 1e-13;

/** What is rounding beside `scale` is zero. */
const clean = (value: number, scale: number): number => (Math.abs(value) <= kSmall * scale ? 0 : value);

const letter = (a: Acting): string => (a.of === 'gravity' ? 'g' : a.name);

/** Greater terms first where there are too many for a line; the rest as one number. */
function split(acting: readonly Acting[], value: (a: Acting) => number): { shown: Acting[]; rest: number } {
  const some = acting.filter((a) => value(a) !== 0);
  if (some.length <= kMostTerms) return { shown: some, rest: 0 };
  const kept = new Set([...some].sort((a, b) => Math.abs(value(b)) - Math.abs(value(a))).slice(0, kMostTerms));
  return { shown: some.filter((a) => kept.has(a)), rest: some.filter((a) => !kept.has(a)).reduce((s, a) => s + value(a), 0) };
}

export class BalanceView {
  readonly element: HTMLDetailsElement;
  private readonly steps_ = h('ol', { class: 'balance-steps' });
  private readonly title_ = h('summary');
  private free_: FreeBody | null = null;
  private shownAt_ = 0;

  constructor(private readonly planar: boolean, private readonly player: Player) {
    this.element = h('details', { class: 'equations worked-balance' }, this.title_, this.steps_) as HTMLDetailsElement;
    this.element.addEventListener('toggle', () => this.element.open && this.render());
  }

  show(free: FreeBody): void {
    this.free_ = free;
    const title = `Worked out for ${free.body.name} ${atTime(this.player)}`;
    if (this.title_.textContent !== title) this.title_.textContent = title;
    if (!this.element.open || (this.player.playing && performance.now() - this.shownAt_ < kPause_ms)) return;
    this.render();
  }

  private render(): void {
    if (!this.free_) return;
    this.shownAt_ = performance.now();
    const free = this.free_, axes = this.planar ? [0, 1] : [0, 1, 2], turns = this.planar ? [2] : [0, 1, 2];
    const steps = [this.cutFree(free), this.centre(free, axes), this.newton(free, axes), this.euler(free, turns), this.compare(free)];
    this.steps_.replaceChildren(...steps.map((parts) => h('li', null, ...parts)));
  }

  private cutFree(free: FreeBody): (HTMLElement | string)[] {
    const list = free.acting.map((a) => (a.of === 'gravity' ? 'its weight m g' : `${a.name}${a.of === 'joint' && a.from !== undefined ? ` (from ${a.from ?? 'ground'})` : ''}`));
    const named = list.length > 1 ? `${list.slice(0, -1).join(', ')} and ${list[list.length - 1]}` : list[0] ?? 'nothing';
    const inertia = free.body.inertia.length === 1 ? ` and J = ${significant(free.body.inertia[0])} kg·m² about its mass centre G` : ', with its inertia matrix J about its mass centre G';
    return [h('p', null, h('strong', null, 'Cut it free. '), `${free.body.name} has m = ${significant(free.body.mass)} kg${inertia}. In place of its neighbours stand the forces they exert; what acts on it: ${named}.`)];
  }

  /** a_G from the motion of the body frame's origin O. */
  private centre(free: FreeBody, axes: readonly number[]): (HTMLElement | string)[] {
    const { motion } = free, r = sub(free.com, motion.origin), tangential = cross(motion.spinRate, r), normal = cross(motion.spin, cross(motion.spin, r));
    const intro = h('p', null, h('strong', null, 'Accelerate its mass centre. '), 'O is the origin of the body frame, r leads from O to G.');
    const law = formulaLine(indexed('a', 'G'), mo('='), indexed('a', 'O'), mo('+'), mi('α'), mo('×'), mi('r'), mo('+'), mi('ω'), mo('×'), ml('mrow', mo('('), mi('ω'), mo('×'), mi('r'), mo(')')));
    const vector = (v: Vec, axis: readonly number[]): Element => {
      const parts = axis.flatMap((k, i) => [...(i ? [mo(',')] : []), mn(clean(v[k], size(v)))]);
      return axis.length > 1 ? ml('mrow', mo('('), ...parts, mo(')')) : parts[0];
    };
    const turns = this.planar ? [2] : axes;
    const given = [
      formulaLine(mi('ω'), mo('='), vector(motion.spin, turns), unitOf('rad/s')), formulaLine(mi('α'), mo('='), vector(motion.spinRate, turns), unitOf('rad/s²')),
      formulaLine(mi('r'), mo('='), vector(r, axes), unitOf('m')),
    ];
    const scale = Math.max(size(motion.acceleration), size(tangential), size(normal));
    const lines = axes.map((k) => formulaLine(indexed('a', 'G', kNames[k]), mo('='), sumOf([motion.acceleration[k], tangential[k], normal[k]].map((v) => clean(v, scale))), mo('='), mn(clean(free.acceleration[k], scale)), unitOf('m/s²')));
    return [intro, law, ...given, ...lines];
  }

  private newton(free: FreeBody, axes: readonly number[]): (HTMLElement | string)[] {
    const forces = free.acting.filter((a) => a.hasForce), round = (v: number): number => clean(v, free.greatestForce);
    const lines = axes.flatMap((k) => {
      const { shown, rest } = split(forces, (a) => round(a.force[k]));
      const names = plus([...shown.map((a) => indexed('F', letter(a), kNames[k])), ...(rest ? [mi('…')] : [])]);
      return [
        formulaLine(names, mo('='), mi('m'), indexed('a', 'G', kNames[k])),
        formulaLine(sumOf([...shown.map((a) => a.force[k]), ...(rest ? [rest] : [])]), mo('='), mn(round(free.force[k])), unitOf('N')),
        formulaLine(mi('m'), indexed('a', 'G', kNames[k]), mo('='), mn(free.body.mass), mo('·'), bracketed(round(free.body.mass * free.acceleration[k]) === 0 ? 0 : free.acceleration[k]), mo('='), mn(round(free.massTimesAcceleration[k])), unitOf('N')),
      ];
    });
    return [h('p', null, h('strong', null, 'Newton. '), 'Along each axis the forces add up to mass times acceleration of G.'), ...lines];
  }

  private euler(free: FreeBody, turns: readonly number[]): (HTMLElement | string)[] {
    const intro = h('p', null, h('strong', null, 'Euler. '), `About G, a force has the moment r × F with r from G to where it acts${this.planar ? ': x Fy − y Fx' : ''}; moments count as they are.`);
    // An arm that is a difference of places has their rounding.
    const scale = Math.max(free.greatestMoment, free.greatestForce * Math.max(size(free.com), ...free.acting.map((a) => size(a.at)))), round = (v: number): number => clean(v, scale);
    const arms = free.acting.filter((a) => a.of !== 'gravity' && round(size(a.momentAboutCom)) !== 0).slice(0, kMostTerms).map((a) => this.arm(free, a, round));
    const sums = turns.flatMap((k) => {
      const { shown, rest } = split(free.acting.filter((a) => a.of !== 'gravity'), (a) => round(a.momentAboutCom[k])), axis = this.planar ? '' : kNames[k];
      const total = formulaLine(ml('mrow', mo('∑'), indexed('M', 'G', axis)), mo('='), sumOf([...shown.map((a) => a.momentAboutCom[k]), ...(rest ? [rest] : [])]), mo('='), mn(round(free.moment[k])), unitOf('N·m'));
      if (!this.planar) return [total, formulaLine(ml('msub', ml('mrow', mo('('), mi('J'), mi('α'), mo('+'), mi('ω'), mo('×'), mi('J'), mi('ω'), mo(')')), mi(axis)), mo('='), mn(round(free.inertiaTimesSpinRate[k])), unitOf('N·m'))];
      return [total, formulaLine(mi('J'), mi('α'), mo('='), mn(free.body.inertia[0]), mo('·'), bracketed(free.motion.spinRate[2]), mo('='), mn(free.inertiaTimesSpinRate[2]), unitOf('N·m'))];
    });
    return [intro, ...arms, ...sums];
  }

  /** The moment of one force about G, in the plane with its arm. */
  private arm(free: FreeBody, a: Acting, round: (v: number) => number): HTMLElement {
    const r = sub(a.at, free.com), value = a.momentAboutCom;
    if (!this.planar) return formulaLine(indexed('M', 'G', a.name), mo('='), this.triple(value.map(round) as unknown as Vec), unitOf('N·m'));
    const parts: Element[] = [];
    if (a.hasForce) parts.push(mn(r[0]), mo('·'), bracketed(a.force[1]), mo('−'), bracketed(r[1]), mo('·'), bracketed(a.force[0]));
    if (a.hasMoment) parts.push(...(parts.length ? [mo('+'), bracketed(a.moment[2])] : [mn(a.moment[2])]));
    return formulaLine(indexed('M', 'G', a.name), mo('='), ...parts, ...(a.hasForce ? [mo('='), mn(value[2])] : []), unitOf('N·m'));
  }

  private compare(free: FreeBody): (HTMLElement | string)[] {
    const force = size(free.restForce), moment = size(free.restMoment);
    const words = Number.isFinite(force + moment) ? `Left and right differ by ${significant(force, 2)} N and ${significant(moment, 2)} N·m. What the joints carry follows from equations like these of all bodies at once.`
      : 'No acceleration was recorded at this time, so there is nothing to compare.';
    return [h('p', null, h('strong', null, 'Compare. '), words)];
  }

  private triple(v: Vec): Element { return ml('mrow', mo('('), mn(v[0]), mo(','), mn(v[1]), mo(','), mn(v[2]), mo(')')); }
}
