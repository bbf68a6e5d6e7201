// The diagram of instant centres: the mechanism faintly, the centres on it with the lines they lie on, and tables.
import type { Page, Point } from '../data';
import { locate } from '../data';
import { fileName, h } from '../dom';
import { allDigits, beside, brief, significant, superscript } from '../format';
import { LiveTable } from '../live_table';
import type { LiveCell } from '../live_table';
import type { Player } from '../player';
import { Motion, apply, posesAt } from '../scene/geometry';
import { niceStep } from '../scene/scales';
import { BodyShapes } from './bodies';
import type { Centre, Spot, Triple } from './centres';
import { InstantCentres, kennedy, pairIndex } from './centres';
import { Figure, atTime } from './figure';
import { Labels } from './labels';
import type { Mechanics } from './mechanics';
import { arrow, label, polyline, scaleBar, svg } from './svg';

const kAllPairs = 6;  // links; with more only pairs with the ground and joined pairs are shown at first
const kMostTriples = 40;
const kFarthest = 1.1;  // of the mechanism's size: centres up to there are in the figure

const subscript = (n: number): string => [...String(n)].map((d) => String.fromCharCode(0x2080 + Number(d))).join('');
export const centreName = (c: { i: number; j: number }): string => (c.j > 9 ? `P${subscript(c.i)},${subscript(c.j)}` : `P${subscript(c.i)}${subscript(c.j)}`);

export class CentresView {
  readonly element: HTMLElement;
  private readonly figure_: Figure;
  private readonly shapes_: BodyShapes;
  private readonly centres_: InstantCentres;
  private readonly box_: { x0: number; y0: number; x1: number; y1: number };
  private readonly which_: HTMLSelectElement;
  private readonly table_ = new LiveTable();
  private readonly check_ = new LiveTable();
  private readonly words_ = h('p', { class: 'verdict' });
  private readonly last_ = new Map<string, number>();
  private readonly triples_: readonly Triple[];

  constructor(private readonly page: Page, mechanics: Mechanics, private readonly player: Player) {
    this.shapes_ = new BodyShapes(page);
    this.centres_ = new InstantCentres(page, mechanics);
    this.box_ = new Motion(page).box;
    const few = this.centres_.links <= kAllPairs;
    this.triples_ = this.centres_.triples(few).slice(0, 2 * kMostTriples);
    this.which_ = h('select', { 'aria-label': 'Pairs of links', onchange: () => this.show() },
      ...[['all', 'all pairs'], ['ground', 'with the ground'], ['joined', 'with the ground and joined'], ...this.centres_.names.map((n, i) => [String(i + 1), `of ${i + 1} ${n}`])]
        .map(([value, text]) => h('option', { value, selected: value === (few ? 'all' : 'ground') }, text)));
    this.figure_ = new Figure('centres', 'Instant centres', () => fileName(`${page.title}-centres`, 'svg'), 0.8, 290);
    this.element = h('div', { class: 'learn-view' }, h('div', { class: 'choices' }, h('label', null, 'Pairs ', this.which_)), this.figure_.element,
      h('ol', { class: 'links', 'aria-label': 'Links' }, ...this.centres_.names.map((n) => h('li', null, n))),
      h('p', { class: 'note' }, 'P with two numbers is the point that two links have in common for the moment: both move there with the same velocity.'), this.table_.element,
      h('h3', null, 'Three centres on a line'), this.words_, this.check_.element);
  }

  private wanted(c: { i: number; j: number }): boolean {
    const { value } = this.which_;
    if (value === 'all') return true;
    if (value === 'ground') return c.i === 1;
    if (value === 'joined') return c.i === 1 || this.centres_.joined(c.i, c.j);
    return c.i === Number(value) || c.j === Number(value);
  }

  refit(): void { this.figure_.refit(); }

  show(): void {
    if (!this.figure_.fit()) return;
    const all = this.centres_.at(locate(this.page.time, this.player.time));
    this.draw(all, all.filter((c) => this.wanted(c)));
    this.fillTables(all);
  }

  private draw(all: readonly Centre[], shown: readonly Centre[]): void {
    const { width, height } = this.figure_, { x0, x1, y0, y1 } = this.frame(shown);
    const scale = Math.min((width - 110) / Math.max(x1 - x0, 1e-9), (height - 100) / Math.max(y1 - y0, 1e-9));
    const put = ([x, y]: Spot): Point => [width / 2 + (x - (x0 + x1) / 2) * scale, (height - 26) / 2 - (y - (y0 + y1) / 2) * scale];
    const labels = new Labels(width, height - 26, this.last_), parts: SVGElement[] = [];
    const poses = posesAt(this.page, locate(this.page.time, this.player.time));
    poses.forEach((pose, i) => {
      if (!Number.isFinite(pose.x + pose.y + pose.angle)) return;
      const on = (p: Readonly<Point>): Point => put(apply(pose, p));
      parts.push(this.shapes_.draw(i, on, scale, 9, 'faint'));
      for (const [a, b] of this.shapes_.edges(i)) labels.keepOff(on(a), on(b), 0.25);
    });
    const limit = 20 * Math.hypot(width, height), inReach = (from: Point, to: Point): Point => {
      const share = Math.min(1, limit / Math.max(1, Math.hypot(to[0] - from[0], to[1] - from[1])));
      return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
    };
    for (const [a, b] of this.lines(all, shown)) {
      // Drawn from the nearer end, no farther than can be seen.
      const [p, q] = [put(a), put(b)].sort((u, v) => Math.hypot(u[0] - width / 2, u[1] - height / 2) - Math.hypot(v[0] - width / 2, v[1] - height / 2));
      parts.push(svg('path', { class: 'construction', d: polyline([p, inReach(p, q)]) }));
    }
    const spots = new Map<string, { p: Point; names: string[] }>();
    for (const c of shown) {
      if (c.at) {
        const p = put(c.at);
        if (p[0] > 8 && p[0] < width - 8 && p[1] > 8 && p[1] < height - 34) {
          parts.push(svg('circle', { class: c.i === 1 ? 'centre absolute' : 'centre', cx: p[0], cy: p[1], r: 4.5, 'data-centre': `${c.i} ${c.j}`, 'data-at': `${c.at[0]} ${c.at[1]}` }));
          const key = `${Math.round(p[0] / 3)},${Math.round(p[1] / 3)}`;
          if (spots.has(key)) spots.get(key)!.names.push(centreName(c));
          else spots.set(key, { p, names: [centreName(c)] });
          continue;
        }
        this.drawFar(parts, labels, c, put(c.at), ' off the figure');
      } else if (c.direction) this.drawFar(parts, labels, c, [width / 2 + 1e6 * c.direction[0], height / 2 - 1e6 * c.direction[1]], ' at infinity');
    }
    for (const { p } of spots.values()) labels.keepOffBox(p[0] - 6, p[1] - 6, p[0] + 6, p[1] + 6);
    for (const { p, names } of spots.values()) {
      const text = names.join(' '), placed = labels.place(names[0], text, p, Math.atan2(p[1] - height / 2, p[0] - width / 2), 7);
      if (placed.leader) parts.push(svg('path', { class: 'leader', d: polyline([p, placed.at]) }));
      parts.push(label(text, placed.at, 'strong'));
    }
    const bar = niceStep((0.15 * width) / scale);
    parts.push(scaleBar(14, height - 14, bar * scale, `${brief(bar)} m`));
    this.figure_.draw(parts, `Instant centres ${atTime(this.player)}`, `Instant centres of ${this.page.title}: ${shown.filter((c) => c.at).map((c) => `${c.i} ${c.j} at ${significant(c.at![0])}, ${significant(c.at![1])} m`).join('; ')}.`);
  }

  /** What the figure shows: the whole motion, and centres near it. Those farther away pull it by a bounded amount, so that nothing jumps. */
  private frame(shown: readonly Centre[]): { x0: number; y0: number; x1: number; y1: number } {
    const box = { ...this.box_ }, cx = (box.x0 + box.x1) / 2, cy = (box.y0 + box.y1) / 2, limit = kFarthest * Math.hypot(box.x1 - box.x0, box.y1 - box.y0);
    for (const { at } of shown) {
      if (!at) continue;
      const dx = at[0] - cx, dy = at[1] - cy, share = Math.min(1, limit / Math.max(Math.hypot(dx, dy), 1e-12));
      box.x0 = Math.min(box.x0, cx + dx * share);
      box.x1 = Math.max(box.x1, cx + dx * share);
      box.y0 = Math.min(box.y0, cy + dy * share);
      box.y1 = Math.max(box.y1, cy + dy * share);
    }
    return box;
  }

  /** A centre outside: an arrow at the edge towards it. */
  private drawFar(parts: SVGElement[], labels: Labels, c: Centre, p: Point, where: string): void {
    const { width, height } = this.figure_, o: Point = [width / 2, (height - 26) / 2], d: Point = [p[0] - o[0], p[1] - o[1]];
    const reach = Math.min((width / 2 - 14) / Math.max(Math.abs(d[0]), 1e-9), ((height - 26) / 2 - 12) / Math.max(Math.abs(d[1]), 1e-9));
    const tip: Point = [o[0] + d[0] * reach, o[1] + d[1] * reach], angle = Math.atan2(d[1], d[0]);
    parts.push(arrow([tip[0] - 24 * Math.cos(angle), tip[1] - 24 * Math.sin(angle)], tip, 'far', { 'data-centre': `${c.i} ${c.j}`, ...(c.at ? { 'data-at': `${c.at[0]} ${c.at[1]}` } : {}) }));
    labels.keepOff([tip[0] - 24 * Math.cos(angle), tip[1] - 24 * Math.sin(angle)], tip, 1.5);
    const placed = labels.place(`far ${c.i} ${c.j}`, centreName(c) + where, [tip[0] - 12 * Math.cos(angle), tip[1] - 12 * Math.sin(angle)], angle + Math.PI, 14);
    parts.push(label(centreName(c) + where, placed.at, 'quiet'));
  }

  /** For each centre with the ground that is no pivot: the lines through two others that it lies on. */
  private lines(all: readonly Centre[], shown: readonly Centre[]): [Spot, Spot][] {
    const out: [Spot, Spot][] = [];
    for (const c of shown) {
      if (c.i !== 1 || c.joint || !c.at) continue;
      for (const pair of all) {
        const other = pair.i === c.j ? pair.j : pair.j === c.j ? pair.i : 0;
        if (other < 2 || !pair.joint || !pair.at) continue;
        const base = all[pairIndex(1, other, this.centres_.links)];
        if (!base?.joint || (!base.at && !base.direction)) continue;
        if (!base.at) {  // a guide: its centre lies far across it
          out.push([pair.at, c.at]);
          continue;
        }
        // As far as the farthest of the three.
        const three: Spot[] = [base.at, pair.at, c.at];
        const far = three.flatMap((a, i) => three.slice(i + 1).map((b): [Spot, Spot, number] => [a, b, Math.hypot(a[0] - b[0], a[1] - b[1])])).reduce((m, x) => (x[2] > m[2] ? x : m));
        out.push([far[0], far[1]]);
      }
    }
    return out;
  }

  private fillTables(all: readonly Centre[]): void {
    const { x0, x1, y0, y1 } = this.box_, number = (value: number): LiveCell => ({ text: beside(value, x1 - x0 + y1 - y0), title: allDigits(value) });
    this.table_.set([['Centre', ''], ['x', 'm'], ['y', 'm']], all.filter((c) => this.wanted(c)).map((c) => ({
      key: `${c.i} ${c.j}`, name: () => h('span', null, centreName(c), h('small', null, `${this.centres_.names[c.i - 1]}, ${this.centres_.names[c.j - 1]}${c.joint ? `: joint ${c.joint}` : ''}`)),
      cells: c.at ? [number(c.at[0]), number(c.at[1])] : [{ text: c.direction ? `at infinity, along ${significant((Math.atan2(c.direction[1], c.direction[0]) * 180) / Math.PI)}°` : 'no relative motion', wide: 2 }],
    })));
    const triples = kennedy(all, this.centres_.links, this.triples_).slice(0, kMostTriples);
    const worst = Math.max(0, ...triples.map((t) => t.off)), span = Math.max(0, ...triples.map((t) => t.span));
    const words = !triples.length ? 'At this time there are no three of them to compare.'
      : `The theorem of Aronhold and Kennedy: of any three links the three centres lie on one line. Here one is off the line of the other two by at most ${significant(worst, 2)} m${worst <= 1e-9 * span ? ', which is rounding' : ''}.`;
    if (this.words_.textContent !== words) this.words_.textContent = words;
    this.check_.set([['Links', ''], ['Centres', ''], ['off the line', 'm']], triples.map(({ links: [i, j, k], off }) => ({
      key: `${i} ${j} ${k}`, name: () => `${i}, ${j}, ${k}`,
      cells: [{ text: [centreName({ i, j }), centreName({ i: j, j: k }), centreName({ i, j: k })].join('  ') }, { text: off === 0 ? '0' : off.toExponential(0).replace(/e([+-]\d+)/, (_, e: string) => `×10${superscript(Number(e))}`), title: allDigits(off) }],
    })));
  }
}
