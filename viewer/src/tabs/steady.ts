// The tab of steady motions: one of them in motion with what is to say about it; over a parameter a slider, curves, and the
// plane of eigenvalues, whose branches can be clicked to see their modes swing; over two parameters a map.
import { h } from '../dom';
import { EigenPlane, titled } from '../eigenplane';
import { allDigits, brief, prettyUnit, significant, typeset, withUnit } from '../format';
import { svg } from '../learn/svg';
import type { Moment } from '../modes_stage';
import { ModesStage, extremesOf, sharedVelocity } from '../modes_stage';
import { OverChart } from '../over_chart';
import type { SteadyPart, Stop } from '../parts';
import { norm } from '../scene/space/vectors';
import type { Scene } from '../scene/scene';
import { Swing, shownPeriod } from '../swing';
import { aboutMode, markRow, modesTable } from './modes';
import type { Tab } from './tabs';

const kMostTurns_1_s = 0.5;  // of what spins, on the screen, where no mode sets the pace
const kShownWay_s = 1;

/** Moments for which the drawing is framed: all modes at their largest, and where the motion goes. */
export function steadyMoments(part: SteadyPart): Moment[] {
  return part.stops.flatMap(({ bodies, modes }) => {
    const turns = norm(sharedVelocity(bodies)) > 0 ? [] : bodies.filter((b) => b !== null).map((b) => norm(b.turn)).filter((rate) => rate > 0);
    const round = turns.length ? (2 * Math.PI) / Math.max(...turns) : 0;
    const way = round > 0 ? [0.25, 0.5, 0.75].map((share) => ({ mode: null, size: 0, angle: 0, bodies, seconds: share * round })) : [];
    return [{ mode: null, size: 0, angle: 0, bodies }, ...way, ...modes.flatMap((m) => extremesOf(m, part.reach, { bodies }))];
  });
}

/** Seconds of the motion in one of the screen: in real time, but not too fast for the eye. */
function paceOf(stop: Stop): number {
  const fastest = Math.max(0, ...stop.bodies.map((b) => (b ? norm(b.w) : 0))) / (2 * Math.PI);
  return fastest > kMostTurns_1_s ? kMostTurns_1_s / fastest : kShownWay_s;
}

export class SteadyTab implements Tab {
  readonly id = 'steady';
  readonly title: string;
  readonly panel: HTMLElement;
  private readonly slider_: HTMLInputElement;
  private readonly value_ = h('output', { class: 'steady-value' });
  private readonly rows_ = h('div');
  private readonly plane_ = h('div');
  private readonly about_ = h('div', { class: 'mode-about', 'aria-live': 'polite' });
  private readonly table_ = h('div');
  private readonly charts_: OverChart[];
  private readonly swing_: Swing;
  private stop_: Stop | null = null;
  private chosen_ = -1;  // a branch, or without branches a mode
  private seconds_ = 0;

  constructor(private readonly part: SteadyPart, private readonly stage: ModesStage | null, private readonly scene: Scene | null) {
    this.title = part.branches.length || part.map ? 'Locus' : 'Steady motion';
    this.swing_ = new Swing('Move', (mode, share, angle, passed) => this.draw(mode, share, angle, passed), true);
    const stops = part.stops.length;
    this.slider_ = h('input', { type: 'range', class: 'over', 'aria-label': part.parameter, min: 0, max: Math.max(1, stops - 1), step: 1, value: 0 });
    this.slider_.addEventListener('input', () => this.stopAt(Number(this.slider_.value)));
    const goTo = (at: number): void => this.stopAt(this.nearest(at)), ask = (branch: number, at: number): void => { goTo(at); this.choose(branch); };
    const columns = (pick: 're' | 'im'): { name: string; values: Float64Array }[] => part.branches.map((b, k) => ({ name: `branch ${k + 1}`, values: b[pick] }));
    this.charts_ = part.branches.length ? [new OverChart(part, 'real part, 1/s', columns('re'), ask), new OverChart(part, 'imaginary part, rad/s', columns('im'), ask)] : [];
    this.charts_.push(...part.curves.map((c) => new OverChart(part, `${c.name}${c.unit ? `, ${prettyUnit(c.unit)}` : ''}`, [c], (_, at) => goTo(at))));
    const over = part.parameter && stops > 1;
    this.panel = h('div', { class: 'panel modes-panel' },
      ...part.sentences.map((text) => h('p', { class: 'verdict' }, typeset(text))),
      over ? h('label', { class: 'steady-over' }, `${part.parameter} `, this.slider_, this.value_) : null,
      part.map ? this.map(part.map) : null, this.plane_, stage && scene ? this.swing_.element : null, this.about_,
      ...this.charts_.map((c) => c.element), this.table_, this.limits(), this.rows_);
    if (!stops) return;
    this.stopAt(Math.floor((stops - 1) / 2));
    if (stage && scene) this.swing_.start();
  }

  /** For a scene that is being drawn for the first time. */
  onShow(): void { this.swing_.show(); }

  private nearest(at: number): number {
    return this.part.stops.reduce((best, stop, k, all) => (Math.abs(stop.at - at) < Math.abs(all[best].at - at) ? k : best), 0);
  }

  private stopAt(index: number): void {
    const stop = this.part.stops[index];
    if (!stop) return;
    this.stop_ = stop;
    this.slider_.value = String(index);
    this.value_.textContent = withUnit(brief(stop.at, 5), this.part.unit);
    this.slider_.setAttribute('aria-valuetext', this.value_.textContent);
    for (const chart of this.charts_) chart.showAt(stop.at);
    this.rows_.replaceChildren(stop.rows.length ? h('table', { class: 'text-table' }, ...stop.rows.map(([name, value]) => h('tr', null, h('th', { scope: 'row' }, name), h('td', { class: 'num' }, value)))) : '');
    this.choose(this.chosen_);
  }

  /** Of the branch asked for, or the first of it; -1: the motion alone. */
  private choose(asked: number): void {
    const stop = this.stop_;
    if (!stop) return;
    this.chosen_ = asked;
    const withBranches = this.part.branches.length > 0;
    // Of a pair one of the two branches is listed.
    const partner = withBranches && asked >= 0 ? this.mirrorOf(asked, stop.at) : -1;
    const index = withBranches ? stop.modes.findIndex((m) => asked >= 0 && (m.branch === asked || m.branch === partner)) : stop.modes[asked] ? asked : -1;
    const pick = (k: number): void => this.choose(withBranches ? stop.modes[k].branch : k);
    const plane = stop.modes.length || withBranches ? new EigenPlane(stop.modes, pick, this.part.branches, (b) => this.choose(b)) : null;
    const table = stop.modes.length ? modesTable(stop.modes, pick) : null;
    this.plane_.replaceChildren(plane?.element ?? '');
    this.table_.replaceChildren(table?.element ?? '');
    const mode = stop.modes[index] ?? null;
    plane?.mark(index);
    if (table) markRow(table.rows, index);
    for (const chart of this.charts_) chart.mark(mode ? asked : -1);
    this.about_.replaceChildren(...(mode ? aboutMode(mode, `Mode ${index + 1}`, this.scene !== null) : [h('p', { class: 'note' }, this.restWords(stop))]));
    this.swing_.mode = mode;
    this.swing_.show();
  }

  private restWords(stop: Stop): string {
    const pace = paceOf(stop), along = norm(sharedVelocity(stop.bodies)) > 0 ? ' The picture goes along.' : '';
    return `The steady motion alone${stop.modes.length ? '; click on an eigenvalue to see its mode' : ''}. ${pace < 1 ? `Slowed down ${brief(1 / pace)} times.` : 'In real time.'}${along}`;
  }

  private mirrorOf(branch: number, at: number): number {
    const { branches, at: values } = this.part, own = branches[branch];
    if (!own) return -1;
    const k = values.reduce((best, v, i) => (Math.abs(v - at) < Math.abs(values[best] - at) ? i : best), 0);
    if (own.im[k] === 0) return -1;
    return branches.findIndex((b, i) => i !== branch && b.im[k] === -own.im[k] && b.re[k] === own.re[k]);
  }

  private draw(mode: Parameters<ModesStage['show']>[0]['mode'], share: number, angle: number, passed: number): void {
    if (!this.stop_ || !this.stage) return;
    this.seconds_ += passed * (mode ? shownPeriod(mode).pace : paceOf(this.stop_));
    this.stage.show({ mode, size: mode ? share * this.part.reach : 0, angle, bodies: this.stop_.bodies, seconds: this.seconds_ });
    this.scene?.show(0);
  }

  private limits(): HTMLElement | null {
    const { ranges, limits, parameter, unit } = this.part;
    if (!ranges.length) return null;
    const of = (v: number): HTMLElement => h('td', { class: 'num', title: allDigits(v) }, withUnit(brief(v, 6), unit));
    return h('div', { class: 'scroll-x' },
      h('table', { class: 'text-table ranges' }, h('tr', null, ...['', `${parameter} from`, 'to', ''].map((t) => h('th', { scope: 'col' }, t))),
        ...ranges.map((r) => h('tr', { class: `range-${r.is}` }, h('th', { scope: 'row' }, r.is), of(r.from), of(r.to), h('td', null, r.words.replace(' +- ', ' ± '))))),
      limits.length ? h('table', { class: 'text-table limits' }, h('tr', null, h('th', { scope: 'col' }, 'Limit'), h('th', { scope: 'col' }, '')),
        ...limits.map((l) => h('tr', { onclick: () => { this.stopAt(this.nearest(l.at)); this.choose(l.branch); } }, of(l.at), h('td', null, h('button', { class: 'link' }, l.words))))) : null);
  }

  private map(map: NonNullable<SteadyPart['map']>): HTMLElement {
    const { parameter, unit } = this.part, kWide = 340, kTall = 260, kLeft = 46, kBottom = 34, columns = map.at.length, rows = map.across.length;
    const x = (i: number): number => kLeft + (i * (kWide - kLeft - 8)) / columns, y = (j: number): number => 8 + ((rows - j) * (kTall - kBottom - 8)) / rows;
    const picture = svg('svg', { viewBox: `0 0 ${kWide} ${kTall}`, class: 'eigen-drawing', role: 'img', 'aria-label': `Stability over ${parameter} and ${map.second}` });
    for (let j = 0; j < rows; j++) {
      for (let i = 0; i < columns; i++) {
        const k = j * columns + i, is = map.is[k] || 'none';
        const words = `${parameter} = ${withUnit(significant(map.at[i]), unit)}, ${map.second} = ${withUnit(significant(map.across[j]), map.unit)}: ${is === 'none' ? 'no steady motion' : `${is}, greatest real part ${significant(map.re[k])} 1/s`}`;
        picture.append(titled(svg('rect', { x: x(i), y: y(j + 1), width: x(1) - x(0) + 0.3, height: y(0) - y(1) + 0.3, class: `map-cell range-${is}` }), words));
      }
    }
    const label = (text: string, at: [number, number], anchor: string): void => void picture.append(svg('text', { x: at[0], y: at[1], class: 'eigen-label', 'text-anchor': anchor }, text));
    const ends = (v: Float64Array): [string, string] => [brief(v[0]), brief(v[v.length - 1])];
    const [left, right] = ends(map.at), [low, high] = ends(map.across);
    label(left, [x(0), kTall - 20], 'start'); label(right, [x(columns), kTall - 20], 'end'); label(low, [kLeft - 5, y(0)], 'end'); label(high, [kLeft - 5, y(rows) + 10], 'end');
    label(`${parameter}${unit ? `, ${prettyUnit(unit)}` : ''}`, [(x(0) + x(columns)) / 2, kTall - 5], 'middle');
    picture.append(svg('text', { x: 12, y: kTall / 2 - 10, class: 'eigen-label', 'text-anchor': 'middle', transform: `rotate(-90 12 ${kTall / 2 - 10})` }, `${map.second}${map.unit ? `, ${prettyUnit(map.unit)}` : ''}`));
    return h('div', { class: 'eigenplane' }, picture as unknown as HTMLElement, h('p', { class: 'note map-key' }, ...['stable', 'neutral', 'unstable', 'none'].map((w) => h('span', { class: `range-${w}` }, w === 'none' ? 'no steady motion' : w))));
  }
}
