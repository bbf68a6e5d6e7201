// Draws a planar mechanism on a canvas as an engineer would on a whiteboard; zoom, pan, hover and selection.
import type { Page, Point } from '../data';
import { locate } from '../data';
import { h } from '../dom';
import type { PartRef, Selection } from '../selection';
import { partTip, samePart } from '../selection';
import type { ThemeControl } from '../theme';
import type { DrawnArrow } from './arrow_paint';
import { arrowAt, drawReactions, drawVelocities } from './arrow_paint';
import { drawGrid, drawScale, drawTraces } from './backdrop';
import { drawBody, drawCentres } from './body_paint';
import { Camera } from './camera';
import { drawPitchLines, drawTeeth } from './gear_paint';
import { posesAt } from './geometry';
import { InstantOverlay } from './instants';
import { drawDrives, drawGuides, drawJoint, drawSlot, drawTracks } from './joint_paint';
import { Layout } from './layout';
import { drawForces, drawLineLoads, drawPointLoads } from './load_paint';
import type { Moment } from './moment';
import type { NameBox } from './name_places';
import { NamePlaces } from './name_places';
import { drawLabels } from './names';
import { partAt } from './picking';
import { listenToPointer } from './pointer';
import type { ArrowBox, Scene, SceneOptions } from './scene';
import type { Emphasis, Pen } from './symbols';
import { View } from './view';

const kNarrow_px = 600;
const kManyNames = 24;  // above this many, names would cover the drawing
const kManyBodies = 14;

export class PlanarScene implements Scene {
  readonly element: HTMLElement;
  readonly options: SceneOptions;
  readonly offers: ReadonlySet<keyof SceneOptions>;
  private readonly canvas_: HTMLCanvasElement;
  private readonly ctx_: CanvasRenderingContext2D;
  private readonly tip_: HTMLElement;
  private readonly layout_: Layout;
  private readonly camera_: Camera;
  private readonly view_: View;
  private readonly instants_: InstantOverlay | null;
  private time_ = 0;
  private pending_ = 0;
  private hovered_: PartRef | null = null;
  private names_: readonly NameBox[] = [];
  private arrows_: readonly DrawnArrow[] = [];

  constructor(private readonly page: Page, private readonly selection: Selection, private readonly theme: ThemeControl) {
    this.options = { labels: page.bodies.length + page.joints.length <= kManyNames && innerWidth >= kNarrow_px, reactions: false, centres: page.bodies.length <= 4 * kManyBodies, traces: true, velocities: false, frames: false, instants: false };
    const offers: (keyof SceneOptions)[] = ['labels'];
    if (page.joints.some((j) => j.force || j.moment)) offers.push('reactions');
    if (page.bodies.some((b) => b.com)) offers.push('centres');
    if (page.traces.length || page.joints.some((j) => j.contact)) offers.push('traces');
    if (page.mechanics?.planar) offers.push('instants');
    this.canvas_ = h('canvas', { role: 'img', 'aria-label': describe(page) });
    this.tip_ = h('div', { class: 'tip', hidden: true });
    this.element = h('div', { class: 'drawing' }, this.canvas_, this.tip_);
    this.ctx_ = this.canvas_.getContext('2d')!;
    this.layout_ = new Layout(page);
    if (this.layout_.velocities.scale > 0) offers.push('velocities');
    this.offers = new Set(offers);
    this.camera_ = new Camera(this.layout_.motion.box);
    this.view_ = new View(page, this.camera_, this.layout_.motion);
    this.instants_ = page.mechanics ? new InstantOverlay(page, page.mechanics) : null;
    selection.listen(() => this.refresh());
    theme.listen(() => this.refresh());
    new ResizeObserver(() => this.resize()).observe(this.element);
    listenToPointer(this.canvas_, this.camera_, {
      hover: (p) => this.hover(p),
      click: (p) => selection.set(this.under(p).part),
      doubleClick: (p) => this.under(p).part ?? this.resetView(),
      moved: () => this.refresh(),
    });
  }

  show(t: number): void {
    this.time_ = t;
    this.view_.moment = locate(this.page.time, t);
    this.view_.poses = posesAt(this.page, this.view_.moment);
    this.refresh();
  }

  refresh(): void {
    if (!this.pending_) this.pending_ = requestAnimationFrame(() => this.draw());
  }

  print(): void { this.draw(); }

  resetView(): void {
    this.camera_.fit();
    this.canvas_.style.touchAction = 'pan-y';
    this.refresh();
  }

  pose(body: string): [number, number, number] | null {
    const pose = this.view_.poses[this.page.bodies.findIndex((b) => b.name === body)];
    return pose ? [pose.x, pose.y, pose.angle] : null;
  }

  screen(x: number, y: number): [number, number] {
    const box = this.canvas_.getBoundingClientRect(), [px, py] = this.view_.at(x, y);
    return [box.left + px, box.top + py];
  }

  names(): readonly NameBox[] { return this.names_; }

  arrows(): readonly ArrowBox[] {
    const { left, top } = this.canvas_.getBoundingClientRect();
    return this.arrows_.map(({ of, name, dashed, from, to }) => ({ of, name, dashed, from: [left + from[0], top + from[1]], to: [left + to[0], top + to[1]] }));
  }

  picture(): Promise<Blob | null> {
    this.draw();
    return new Promise((resolve) => this.canvas_.toBlob(resolve, 'image/png'));
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.element;
    if (!clientWidth || !clientHeight) return;
    this.camera_.resize(clientWidth, clientHeight);
    this.draw();
  }

  // ---- Drawing -------------------------------------------------------------------------------------------------

  private emphasis(part: PartRef): Emphasis {
    return { selected: samePart(part, this.selection.part), hovered: samePart(part, this.hovered_) };
  }

  private draw(): void {
    cancelAnimationFrame(this.pending_);
    this.pending_ = 0;
    const { width, height } = this.camera_;
    const ratio = devicePixelRatio || 1;
    const w = Math.round(width * ratio), hgt = Math.round(height * ratio);
    if (this.canvas_.width !== w || this.canvas_.height !== hgt) {
      this.canvas_.width = w;
      this.canvas_.height = hgt;
    }
    const pen: Pen = { ctx: this.ctx_, palette: this.theme.palette, u: this.view_.u, font: '12px system-ui, sans-serif' };
    this.ctx_.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.ctx_.fillStyle = pen.palette.paper;
    this.ctx_.fillRect(0, 0, width, height);
    const { options, page, view_: view } = this;
    const m: Moment = { view, layout: this.layout_, time: this.time_, dark: this.theme.theme === 'dark', emphasis: (part) => this.emphasis(part) };
    drawGrid(pen, m);
    if (options.traces) drawTraces(pen, m);
    drawGuides(pen, m);
    drawTeeth(pen, m);
    for (const index of view.motion.order) drawBody(pen, m, index);
    drawPitchLines(pen, m);
    drawTracks(pen, m);
    drawLineLoads(pen, m);
    drawPointLoads(pen, m);
    if (options.centres) drawCentres(pen, m);
    page.joints.forEach((joint, i) => joint.kind === 'pin_slot' && drawSlot(pen, m, joint, i));
    page.joints.forEach((joint, i) => drawJoint(pen, m, joint, i));
    drawDrives(pen, m);
    drawForces(pen, m);
    const arrows: DrawnArrow[] = [];
    if (options.reactions) drawReactions(pen, m, arrows);
    if (options.velocities) drawVelocities(pen, m, arrows);
    this.arrows_ = arrows;
    const names = new NamePlaces(pen);
    if (options.labels) drawLabels(pen, m, names);
    if (options.instants) this.instants_?.draw(pen, this.time_, (x, y) => view.at(x, y), names);
    this.names_ = names.boxes;
    drawScale(pen, m, { ...options, dashed: arrows.some((a) => a.dashed) });
  }

  // ---- Hover ---------------------------------------------------------------------------------------------------

  zoomBy(factor: number): void {
    this.camera_.zoomAt(this.camera_.width / 2, this.camera_.height / 2, factor);
    this.refresh();
  }

  /** The part under a point of the canvas, and what the tip says there. */
  private under(p: Point): { part: PartRef | null; tip: string } {
    const arrow = arrowAt(this.arrows_, p, this.view_.u), part = arrow?.part ?? partAt(this.view_, ...p);
    return { part, tip: arrow ? arrow.note() : part ? partTip(this.page, part) : '' };
  }

  private hover(p: Point | null): void {
    const { part, tip } = p ? this.under(p) : { part: null, tip: '' };
    this.canvas_.style.cursor = part ? 'pointer' : '';
    if (part && p) {
      this.tip_.textContent = tip;
      this.tip_.hidden = false;
      const x = Math.min(p[0] + 14, this.camera_.width - this.tip_.offsetWidth - 6);
      this.tip_.style.transform = `translate(${Math.max(4, x)}px, ${p[1] + 16}px)`;
    } else this.hideTip();
    if (samePart(part, this.hovered_)) return;
    this.hovered_ = part;
    this.refresh();
  }

  private hideTip(): void { this.tip_.hidden = true; }
}

// ---- Small helpers ---------------------------------------------------------------------------------------------

function describe(page: Page): string {
  const many = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;
  return `Drawing of ${page.title}: ${many(page.bodies.length, 'body').replace('bodys', 'bodies')}, ${many(page.joints.length, 'joint')}, ${many(page.loads.length, 'load')}.`;
}
