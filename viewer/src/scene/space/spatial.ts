// The drawing of a mechanism in space: a stage of solids, a camera that orbits, a painter, names on top; hover and selection.
import type { Page, Point } from '../../data';
import { locate, vectorAt } from '../../data';
import { h } from '../../dom';
import type { PartRef, Selection } from '../../selection';
import { partTip, samePart } from '../../selection';
import type { Palette, ThemeControl } from '../../theme';
import type { NameBox } from '../name_places';
import { NamePlaces } from '../name_places';
import type { Scene, SceneOptions, SceneReport, ViewAxis } from '../scene';
import type { Pen } from '../symbols';
import { Arrows, kArrow, kMomentArrow } from './arrows';
import { CanvasPainter } from './canvas';
import type { Name } from './labels';
import { drawLegend, drawNames } from './labels';
import { frameAt, posesAt } from './motion';
import { Orbit } from './orbit';
import type { Look, Painter } from './painter';
import { rgb, tintsOf } from './painter';
import type { Target } from './picking';
import { partHit } from './picking';
import { listenToSpacePointer } from './pointer';
import { Stage } from './stage';
import type { Placement, Vec3 } from './vectors';
import { add, finite, place, times } from './vectors';
import { WebglPainter, webglContext } from './webgl';

const kNarrow_px = 600;
const kManyNames = 18;  // above this many, names would cover the drawing
const kNear_px = 6;  // how far beside a thin part the pointer may be
const kAxes: Record<ViewAxis, Vec3 | null> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1], corner: null };

export class SpatialScene implements Scene {
  readonly element: HTMLElement;
  readonly options: SceneOptions;
  readonly offers: ReadonlySet<keyof SceneOptions>;
  /** False where the browser has no WebGL and a plain canvas stands in. */
  readonly webgl: boolean;
  private readonly painter_: Painter;
  private readonly overlay_: HTMLCanvasElement;
  private readonly tip_: HTMLElement;
  private readonly stage_: Stage;
  private readonly arrows_: Arrows;
  private readonly orbit_: Orbit;
  private poses_: readonly Placement[] = [];
  private time_ = 0;
  private pending_ = 0;
  private printing_ = false;
  private hovered_: PartRef | null = null;
  private names_: readonly NameBox[] = [];
  private readonly tailSpan_: number;
  private colours_: (Pick<Look, 'tints' | 'edge' | 'paper' | 'accent' | 'accentSoft'> & { readonly palette: Palette }) | null = null;
  /** Milliseconds of script that the last picture took. */
  lastDraw_ms = 0;

  constructor(private readonly page: Page, private readonly selection: Selection, private readonly theme: ThemeControl) {
    const canvas = h('canvas', { role: 'img', 'aria-label': describe(page) });
    const context = webglContext(canvas);
    this.webgl = context !== null;
    this.painter_ = context ? new WebglPainter(canvas, context) : new CanvasPainter(canvas);
    this.overlay_ = h('canvas', { class: 'overlay', 'aria-hidden': 'true' });
    this.tip_ = h('div', { class: 'tip', hidden: true });
    this.element = h('div', { class: `drawing space${this.webgl ? '' : ' flat'}` }, canvas, this.overlay_, this.tip_);
    this.stage_ = new Stage(page, this.painter_, !this.webgl);
    this.arrows_ = new Arrows(page, this.stage_);
    this.orbit_ = new Orbit(this.stage_.outline, this.stage_.up);
    this.options = { labels: page.bodies.length + page.joints.length <= kManyNames && innerWidth >= kNarrow_px, reactions: false, centres: false, traces: true, velocities: false, frames: false, instants: false };
    const offers: (keyof SceneOptions)[] = ['labels', 'frames'];
    if (this.arrows_.forceScale > 0 || this.arrows_.momentScale > 0) offers.push('reactions');
    if (page.bodies.some((b) => b.com3)) offers.push('centres');
    if (page.traces.length || page.joints.some((j) => j.contact)) offers.push('traces');
    if (this.arrows_.speedScale > 0) offers.push('velocities');
    this.offers = new Set(offers);
    this.tailSpan_ = page.time.length > 1 ? Math.min(0.2 * (page.time[page.time.length - 1] - page.time[0]), 2) : 0;
    selection.listen(() => this.refresh());
    theme.listen(() => this.refresh());
    new ResizeObserver(() => this.resize()).observe(this.element);
    listenToSpacePointer(canvas, this.orbit_, {
      hover: (p) => this.hover(p),
      click: (p) => selection.set(this.partAt(p).part),
      doubleClick: (p) => this.partAt(p).part ?? this.resetView(),
      moved: () => this.refresh(),
    });
  }

  show(t: number): void {
    this.time_ = t;
    const at = locate(this.page.time, t);
    this.poses_ = posesAt(this.page, at);
    this.refresh();
  }

  refresh(): void {
    if (!this.pending_) this.pending_ = requestAnimationFrame(() => this.draw());
  }

  print(on: boolean): void {
    this.printing_ = on;
    this.draw();
  }

  resetView(): void {
    this.orbit_.fit();
    this.refresh();
  }

  lookAlong(axis: ViewAxis): void {
    this.orbit_.lookAlong(kAxes[axis]);
    this.refresh();
  }

  zoomBy(factor: number): void {
    this.orbit_.zoomAt(this.orbit_.width / 2, this.orbit_.height / 2, factor);
    this.refresh();
  }

  turnBy(right: number, up: number): void {
    this.orbit_.turnBy(right, up);
    this.refresh();
  }

  /** Where the picture has a body: position, then quaternion, scalar first. */
  pose(body: string): number[] | null {
    const index = this.page.bodies.findIndex((b) => b.name === body);
    if (index < 0) return null;
    this.place();
    const at = this.stage_.bodies[index].at();
    return [...at.p, ...at.q];
  }

  screen(x: number, y: number, z = 0): [number, number] {
    const box = this.overlay_.getBoundingClientRect(), { p } = this.orbit_.toScreen([x, y, z]);
    return [box.left + p[0], box.top + p[1]];
  }

  names(): readonly NameBox[] { return this.names_; }

  report(): SceneReport {
    return { webgl: this.webgl, drawn: this.painter_.drawn, draw_ms: this.lastDraw_ms, arrows: this.arrows_.count() };
  }

  picture(): Promise<Blob | null> {
    this.draw();
    const { canvas } = this.painter_, both = h('canvas', { width: canvas.width, height: canvas.height }), ctx = both.getContext('2d')!;
    ctx.drawImage(canvas, 0, 0);
    ctx.drawImage(this.overlay_, 0, 0);
    return new Promise((resolve) => both.toBlob(resolve, 'image/png'));
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.element, ratio = Math.min(devicePixelRatio || 1, 2);
    if (!clientWidth || !clientHeight) return;
    const controls = this.element.closest('.scene')?.querySelector<HTMLElement>('.scene-controls');
    this.orbit_.resize(clientWidth, clientHeight, controls?.offsetHeight ?? 0);
    this.painter_.resize(clientWidth, clientHeight, ratio);
    this.overlay_.width = Math.round(clientWidth * ratio);
    this.overlay_.height = Math.round(clientHeight * ratio);
    this.draw();
  }

  // ---- Drawing -------------------------------------------------------------------------------------------------

  private place(): void {
    const at = locate(this.page.time, this.time_);
    this.stage_.move(at, this.poses_);
    this.arrows_.move(at, this.poses_, this.options);
  }

  private look(): Look {
    const { palette } = this.theme;
    if (palette !== this.colours_?.palette) this.colours_ = { palette, tints: tintsOf(palette), edge: rgb(palette.linkEdge), paper: rgb(palette.paper), accent: rgb(palette.accent), accentSoft: rgb(palette.accentSoft) };
    const part = (ref: PartRef | null): number => (ref ? this.stage_.partOf(ref) : -2);
    return {
      ...this.colours_,
      selected: part(this.selection.part), hovered: part(this.hovered_), u: this.stage_.u, time: this.time_, tail_s: this.tailSpan_,
    };
  }

  private draw(): void {
    cancelAnimationFrame(this.pending_);
    this.pending_ = 0;
    if (!this.element.clientWidth) return;
    const began = performance.now();
    this.place();
    this.stage_.traces.forEach((t) => (t.visible = this.options.traces));
    this.stage_.triads.forEach((t, i) => (t.visible = this.options.frames && this.stage_.bodies[i].visible));
    this.stage_.centres.forEach((c, i) => c && (c.visible = this.options.centres && this.stage_.bodies[i].visible));
    this.painter_.draw(this.orbit_.lens(), this.look());
    this.drawOverlay();
    this.lastDraw_ms = performance.now() - began;
  }

  private drawOverlay(): void {
    const ctx = this.overlay_.getContext('2d')!, ratio = this.overlay_.width / Math.max(1, this.orbit_.width);
    const pen: Pen = { ctx, palette: this.theme.palette, u: 5, font: '12px system-ui, sans-serif' };
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, this.orbit_.width, this.orbit_.height);
    const places = new NamePlaces(pen);
    if (this.options.labels) drawNames(pen, this.orbit_, this.namesToDraw(), places);
    this.names_ = places.boxes;
    const legend: Parameters<typeof drawLegend>[3] = [], arrows = this.arrows_, { palette } = this.theme;
    const px = (share: number): number => 0.5 * share * arrows.length * this.orbit_.scale;
    const unitOf = (pick: (j: Page['joints'][number]) => string | undefined, fallback: string): string => this.page.joints.map(pick).find(Boolean) ?? fallback;
    if (this.options.reactions && arrows.forceScale > 0) legend.push({ length_px: px(1), value: 0.5 * arrows.forceScale, unit: unitOf((j) => j.force?.[0].unit, 'N'), colour: palette.force });
    if (this.options.reactions && arrows.momentScale > 0 && this.orbit_.width > 520) legend.push({ length_px: px(kMomentArrow / kArrow), value: 0.5 * arrows.momentScale, unit: unitOf((j) => j.moment3?.[0].unit, 'N*m'), colour: palette.moment });
    if (this.options.velocities && this.orbit_.width > 420) legend.push({ length_px: px(1), value: 0.5 * arrows.speedScale, unit: 'm/s', colour: palette.series[2] });
    drawLegend(pen, this.page, this.orbit_, legend);
    if (this.printing_) this.copyBelow(ctx);
  }

  /** Printing leaves out what WebGL has drawn: the names' own canvas takes a copy of it. */
  private copyBelow(ctx: CanvasRenderingContext2D): void {
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.globalCompositeOperation = 'destination-over';
    ctx.drawImage(this.painter_.canvas, 0, 0);
    ctx.globalCompositeOperation = 'source-over';
  }

  private namesToDraw(): Name[] {
    const names: Name[] = [];
    this.page.joints.forEach((joint, index) => {
      const at = joint.contact ? vectorAt(joint.contact, locate(this.page.time, this.time_)) : frameAt(this.poses_, joint.second).p;
      if (finite(at)) names.push({ text: joint.name, at, selected: samePart({ kind: 'joint', index }, this.selection.part), body: false });
    });
    this.page.relations.forEach((relation, index) => {
      const at = this.relationSpot(index);
      if (at) names.push({ text: relation.name, at, selected: samePart({ kind: 'relation', index }, this.selection.part), body: false });
    });
    this.page.bodies.forEach((body, index) => {
      const at = place(this.poses_[index], this.stage_.bodyMiddle(index));
      if (finite(at)) names.push({ text: body.name, at, selected: samePart({ kind: 'body', index }, this.selection.part), body: true });
    });
    return names;
  }

  /** Where wheels touch, or the middle of a tie. */
  private relationSpot(index: number): Vec3 | null {
    const { spots, ties } = this.stage_.gearing, spot = spots[index];
    const ends = (spot ? [spot] : ties.find((t) => t.relation === index)?.ends.slice(0, 2) ?? []).map((f) => frameAt(this.poses_, f).p);
    return ends.length && ends.every(finite) ? times(ends.reduce((s, p) => add(s, p), [0, 0, 0] as Vec3), 1 / ends.length) : null;
  }

  // ---- Hover ---------------------------------------------------------------------------------------------------

  /** The part under the pointer, or the nearest one a few pixels beside it. */
  private partAt(p: Point): { part: PartRef | null; target: Target | null } {
    for (const [dx, dy] of [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1], [0.7, 0.7], [-0.7, 0.7], [0.7, -0.7], [-0.7, -0.7]]) {
      const hit = partHit(this.stage_.targets, this.orbit_.ray(p[0] + kNear_px * dx, p[1] + kNear_px * dy));
      if (hit.part >= 0) return { part: this.stage_.refOf(hit.part), target: hit.target };
    }
    return { part: null, target: null };
  }

  private hover(p: Point | null): void {
    const { part, target } = p ? this.partAt(p) : { part: null, target: null };
    this.painter_.canvas.style.cursor = part ? 'pointer' : '';
    this.tip_.hidden = !(part && p);
    if (part && p) {
      this.tip_.textContent = this.arrows_.noteOf(target) || partTip(this.page, part);
      const x = Math.min(p[0] + 14, this.orbit_.width - this.tip_.offsetWidth - 6);
      this.tip_.style.transform = `translate(${Math.max(4, x)}px, ${p[1] + 16}px)`;
    }
    if (samePart(part, this.hovered_)) return;
    this.hovered_ = part;
    this.refresh();
  }
}

function describe(page: Page): string {
  const many = (n: number, one: string, more: string): string => `${n} ${n === 1 ? one : more}`;
  return `Drawing in space of ${page.title}: ${many(page.bodies.length, 'body', 'bodies')}, ${many(page.joints.length, 'joint', 'joints')}, ${many(page.loads.length, 'load', 'loads')}.`;
}
