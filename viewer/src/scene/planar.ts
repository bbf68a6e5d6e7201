// Draws a planar mechanism on a canvas as an engineer would on a whiteboard; zoom, pan, hover and selection.
import type { Frame, Joint, Page, Point } from '../data';
import { locate, valueAt } from '../data';
import { h } from '../dom';
import { brief, withUnit } from '../format';
import type { PartRef, Selection } from '../selection';
import { partName, partWords, samePart } from '../selection';
import type { ThemeControl } from '../theme';
import { Camera } from './camera';
import { blockFrame, boxCorners, posesAt, railFrame, solidCorners } from './geometry';
import { InstantOverlay } from './instants';
import { Layout, niceStep, peakSize } from './layout';
import { partAt } from './picking';
import { listenToPointer } from './pointer';
import type { Scene, SceneOptions } from './scene';
import type { Emphasis, Pen } from './symbols';
import * as symbols from './symbols';
import { View } from './view';

const kNarrow_px = 600;
const kManyBodies = 14;  // above this many, names would cover the drawing

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
  private dark_ = false;

  constructor(private readonly page: Page, private readonly selection: Selection, private readonly theme: ThemeControl) {
    this.options = { labels: page.bodies.length <= kManyBodies && innerWidth >= kNarrow_px, reactions: false, centres: page.bodies.length <= 4 * kManyBodies, traces: true, velocities: false, frames: false, instants: false };
    const offers: (keyof SceneOptions)[] = ['labels'];
    if (page.joints.some((j) => j.force || j.moment)) offers.push('reactions');
    if (page.bodies.some((b) => b.com)) offers.push('centres');
    if (page.traces.length) offers.push('traces');
    if (page.mechanics?.planar) offers.push('instants');
    this.offers = new Set(offers);
    this.canvas_ = h('canvas', { role: 'img', 'aria-label': describe(page) });
    this.tip_ = h('div', { class: 'tip', hidden: true });
    this.element = h('div', { class: 'drawing' }, this.canvas_, this.tip_);
    this.ctx_ = this.canvas_.getContext('2d')!;
    this.layout_ = new Layout(page);
    this.camera_ = new Camera(this.layout_.motion.box);
    this.view_ = new View(page, this.camera_, this.layout_.motion);
    this.instants_ = page.mechanics ? new InstantOverlay(page, page.mechanics) : null;
    selection.listen(() => this.refresh());
    theme.listen(() => this.refresh());
    new ResizeObserver(() => this.resize()).observe(this.element);
    listenToPointer(this.canvas_, this.camera_, {
      hover: (p) => this.hover(p),
      click: (p) => selection.set(partAt(this.view_, ...p)),
      doubleClick: (p) => partAt(this.view_, ...p) ?? this.resetView(),
      moved: () => this.refresh(),
    });
  }

  show(t: number): void {
    this.time_ = t;
    this.view_.poses = posesAt(this.page, locate(this.page.time, t));
    this.refresh();
  }

  refresh(): void {
    if (!this.pending_) this.pending_ = requestAnimationFrame(() => this.draw());
  }

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
    const box = this.canvas_.getBoundingClientRect(), [px, py] = this.at(x, y);
    return [box.left + px, box.top + py];
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

  private pen(): Pen {
    return { ctx: this.ctx_, palette: this.theme.palette, u: this.view_.u, font: '12px system-ui, sans-serif' };
  }

  private emphasis(part: PartRef): Emphasis {
    return { selected: samePart(part, this.selection.part), hovered: samePart(part, this.hovered_) };
  }

  private at(x: number, y: number): Point { return this.view_.at(x, y); }
  private frame(f: Frame): ReturnType<View['frame']> { return this.view_.frame(f); }

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
    this.dark_ = this.theme.theme === 'dark';
    const pen = this.pen();
    this.ctx_.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.ctx_.fillStyle = pen.palette.paper;
    this.ctx_.fillRect(0, 0, width, height);
    this.drawGrid(pen);
    if (this.options.traces) this.drawTraces(pen);
    this.drawGuides(pen);
    this.page.bodies.forEach((_, i) => this.drawBody(pen, i));
    this.drawLineLoads(pen);
    this.drawRotaryLoads(pen);
    if (this.options.centres) this.drawCentres(pen);
    this.page.joints.forEach((joint, i) => joint.kind === 'pin_slot' && this.drawSlot(pen, joint, i));
    this.page.joints.forEach((joint, i) => this.drawJoint(pen, joint, i));
    this.drawDrives(pen);
    this.drawForces(pen);
    if (this.options.reactions) this.drawReactions(pen);
    if (this.options.labels) this.drawLabels(pen);
    if (this.options.instants) this.instants_?.draw(pen, this.time_, (x, y) => this.at(x, y));
    this.drawScale(pen);
  }

  private drawGrid(pen: Pen): void {
    const { ctx, palette } = pen;
    const step = niceStep(90 / this.camera_.scale);
    const [x0, y1] = this.camera_.toWorld(0, 0), [x1, y0] = this.camera_.toWorld(this.camera_.width, this.camera_.height);
    ctx.strokeStyle = palette.grid;
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (let x = Math.ceil(x0 / step); x * step <= x1; x++) {
      const px = Math.round(this.at(x * step, 0)[0]) + 0.5;
      ctx.moveTo(px, 0);
      ctx.lineTo(px, this.camera_.height);
    }
    for (let y = Math.ceil(y0 / step); y * step <= y1; y++) {
      const py = Math.round(this.at(0, y * step)[1]) + 0.5;
      ctx.moveTo(0, py);
      ctx.lineTo(this.camera_.width, py);
    }
    ctx.stroke();
  }

  /** The whole path faintly, and a tail behind the point that fades with age. */
  private drawTraces(pen: Pen): void {
    const { ctx, palette } = pen;
    const { time } = this.page;
    if (time.length < 2) return;
    const [ox, oy] = this.at(0, 0), scale = this.camera_.scale, ratio = devicePixelRatio || 1;
    const tail_s = Math.min(0.2 * (time[time.length - 1] - time[0]), 2);
    this.layout_.traces.forEach(({ path, x, y }, i) => {
      const colour = palette.series[(i + 1) % palette.series.length];
      ctx.save();
      ctx.transform(scale, 0, 0, -scale, ox, oy);
      ctx.globalAlpha = this.dark_ ? 0.3 : 0.25;
      ctx.lineWidth = 1 / scale;
      ctx.strokeStyle = colour;
      ctx.stroke(path);
      ctx.restore();
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);

      const { index, weight } = locate(time, this.time_);
      const first = locate(time, this.time_ - tail_s).index;
      const stride = Math.max(1, Math.ceil((index - first) / 240));
      const points: Point[] = [];
      for (let k = first; k <= index; k += stride) points.push(this.at(x[k], y[k]));
      points.push(this.at(valueAt(x, { index, weight }), valueAt(y, { index, weight })));
      ctx.strokeStyle = colour;
      ctx.lineWidth = 2;
      ctx.lineCap = 'butt';
      for (let k = 1; k < points.length; k++) {
        ctx.globalAlpha = (0.9 * k) / points.length;
        ctx.beginPath();
        ctx.moveTo(...points[k - 1]);
        ctx.lineTo(...points[k]);
        ctx.stroke();
      }
      ctx.globalAlpha = 1;
      const tip = points[points.length - 1];
      ctx.fillStyle = colour;
      ctx.beginPath();
      ctx.arc(tip[0], tip[1], 3, 0, 2 * Math.PI);
      ctx.fill();
    });
  }

  /** What lies under the links: rails, fixed pivots, footings. */
  private drawGuides(pen: Pen): void {
    const drawn: Point[] = [];
    this.page.joints.forEach((joint, i) => {
      const guide = this.layout_.guides[i];
      if (joint.kind === 'prismatic' && guide) {
        const rail = this.frame(railFrame(joint));
        if (!rail.finite) return;
        const margin = pen.u * (guide.blockIsBody ? 4 : symbols.kBlockLength * 0.5 + 3.5);
        const from = guide.low * this.camera_.scale - margin, to = guide.high * this.camera_.scale + margin;
        const offset = guide.blockIsBody ? guide.clearance * this.camera_.scale + 1 : pen.u * symbols.kBlockHeight * 0.5 + 1;
        if (railFrame(joint).body < 0) symbols.groundRail(pen, rail.p, rail.angle, from, to, offset);
        else symbols.bodyRail(pen, rail.p, rail.angle, from, to);
        return;
      }
      if ((joint.first.body >= 0 && joint.second.body >= 0) || joint.kind === 'pin_slot') return;
      const { p, finite } = this.frame(joint.first.body < 0 ? joint.first : joint.second);
      // Several links on one fixed pin share one symbol.
      if (!finite || drawn.some((q) => Math.hypot(p[0] - q[0], p[1] - q[1]) < 1)) return;
      drawn.push(p);
      if (joint.kind === 'fixed') symbols.groundWeld(pen, p);
      else symbols.groundPivot(pen, p);
    });
    for (const { frame, wall } of this.layout_.anchors) {
      const { p } = this.frame(frame);
      if (drawn.some((q) => Math.hypot(p[0] - q[0], p[1] - q[1]) < 1)) continue;
      drawn.push(p);
      if (wall === null) symbols.groundPivot(pen, p);
      else {
        const w = pen.u * 2.8, dx = w * Math.sin(wall), dy = -w * Math.cos(wall);
        symbols.hatchedLine(pen, [p[0] + dx, p[1] + dy], [p[0] - dx, p[1] - dy]);
      }
    }
  }

  private drawBody(pen: Pen, index: number): void {
    if (!this.view_.placed(index)) return;
    const { ctx, palette, u } = pen;
    const outline = this.layout_.motion.outlines[index];
    const e = this.emphasis({ kind: 'body', index });
    const edgeColour = e.selected || e.hovered ? palette.accent : palette.linkEdge;
    const fill = e.selected ? palette.accentSoft : palette.link;
    const edge_px = Math.min(1.7, Math.max(0.9, u / 4)) * (e.selected || e.hovered ? 1.6 : 1);
    const put = (p: Readonly<Point>): Point => this.view_.on(index, p);
    ctx.lineJoin = 'round';
    ctx.lineCap = 'round';

    for (const solid of outline.solids) {
      ctx.beginPath();
      if (solid.kind === 'disc') {
        const [x, y] = put(solid.centre);
        ctx.arc(x, y, solid.radius * this.camera_.scale, 0, 2 * Math.PI);
      } else {
        (solid.kind === 'box' ? boxCorners(solid.centre, solid.size, solid.angle ?? 0) : solid.kind === 'polygon' ? solid.points : []).map(put).forEach((p, i) => (i ? ctx.lineTo(...p) : ctx.moveTo(...p)));
        ctx.closePath();
      }
      ctx.globalAlpha = 0.92;
      ctx.fillStyle = fill;
      ctx.fill();
      ctx.globalAlpha = 1;
      ctx.strokeStyle = edgeColour;
      ctx.lineWidth = edge_px;
      ctx.stroke();
      if (solid.kind === 'disc') {  // a line that shows the disc turning
        const c = put(solid.centre), r = put([solid.centre[0] + solid.radius, solid.centre[1]]);
        ctx.beginPath();
        ctx.moveTo(c[0], c[1]);
        ctx.lineTo(r[0], r[1]);
        ctx.lineWidth = edge_px * 0.8;
        ctx.stroke();
      }
    }
    // Bars and plates: first all edges, then all insides, so that the parts of one body melt together.
    const width = u * 2.9;
    const trace = (points: readonly Point[], close: boolean): void => {
      ctx.beginPath();
      points.map(put).forEach((p, i) => (i ? ctx.lineTo(...p) : ctx.moveTo(...p)));
      if (close) ctx.closePath();
    };
    for (const inside of [false, true]) {
      ctx.strokeStyle = ctx.fillStyle = inside ? fill : edgeColour;
      ctx.lineWidth = inside ? width - 2 * edge_px : width;
      for (const bar of outline.bars) {
        trace(bar, false);
        ctx.stroke();
      }
      for (const plate of outline.plates) {
        trace(plate, true);
        ctx.stroke();
        if (inside) ctx.fill();
      }
    }
    for (const dot of outline.dots) {
      const [x, y] = put(dot);
      ctx.beginPath();
      ctx.arc(x, y, u * 1.9, 0, 2 * Math.PI);
      ctx.fillStyle = fill;
      ctx.fill();
      ctx.strokeStyle = edgeColour;
      ctx.lineWidth = edge_px;
      ctx.stroke();
    }
  }

  private drawSlot(pen: Pen, joint: Joint, index: number): void {
    const { p, angle, finite } = this.frame(joint.second), guide = this.layout_.guides[index];
    if (!finite || !guide) return;
    const end = pen.u * 0.6, scale = this.camera_.scale;
    symbols.slot(pen, p, angle, guide.low * scale - end, guide.high * scale + end, this.emphasis({ kind: 'joint', index }));
  }

  private drawJoint(pen: Pen, joint: Joint, index: number): void {
    const e = this.emphasis({ kind: 'joint', index });
    const first = this.frame(joint.first), second = this.frame(joint.second);
    const guide = this.layout_.guides[index];
    if (joint.kind === 'prismatic') {
      const block = this.frame(blockFrame(joint)), rail = this.frame(railFrame(joint));
      if (block.finite && rail.finite && !guide?.blockIsBody) symbols.sliderBlock(pen, block.p, rail.angle, e);
      else if (block.finite && (e.selected || e.hovered)) symbols.pivot(pen, block.p, e, pen.u * 0.6);
    } else if (joint.kind === 'pin_slot') {
      if (first.finite) symbols.pivot(pen, first.p, e);
    } else if (joint.kind === 'distance') {
      if (first.finite && second.finite) symbols.distanceLink(pen, first.p, second.p, e);
    } else if (joint.kind === 'fixed') {
      if (first.finite) symbols.weld(pen, first.p, first.angle, e);
    } else {
      const shown = joint.first.body < 0 ? second : first;
      if (shown.finite) symbols.pivot(pen, shown.p, e);
    }
  }

  private drawLineLoads(pen: Pen): void {
    this.page.loads.forEach((load, index) => {
      if (!load.first || !load.second) return;
      const a = this.frame(load.first), b = this.frame(load.second), e = this.emphasis({ kind: 'load', index });
      if (!a.finite || !b.finite) return;
      if (load.kind === 'spring') symbols.spring(pen, a.p, b.p, e);
      else if (load.kind === 'damper') symbols.damper(pen, a.p, b.p, e);
      else if (load.kind === 'spring_damper') symbols.springDamper(pen, a.p, b.p, e);
      else if (load.kind === 'actuator') symbols.actuator(pen, a.p, b.p, e);
      else return;
      symbols.eye(pen, a.p, e);
      symbols.eye(pen, b.p, e);
    });
  }

  private drawRotaryLoads(pen: Pen): void {
    this.page.loads.forEach((load, index) => {
      const base = load.first ?? load.second;
      if (!base || !load.kind.startsWith('rotational')) return;
      const a = this.frame(base), b = load.second ? this.frame(load.second) : a, e = this.emphasis({ kind: 'load', index });
      if (!a.finite || !b.finite) return;
      if (load.kind !== 'rotational_damper') symbols.spiralSpring(pen, a.p, b.angle - a.angle, e);
      if (load.kind !== 'rotational_spring') symbols.rotaryDamper(pen, a.p, b.angle, e);
    });
  }

  private drawDrives(pen: Pen): void {
    this.page.drives.forEach((drive, index) => {
      const e = this.emphasis({ kind: 'drive', index });
      const width = e.selected || e.hovered ? 3 : 2;
      const base = drive.first ?? drive.second;
      if (!base) return;
      const a = this.frame(base), b = drive.second ? this.frame(drive.second) : a;
      if (!a.finite || !b.finite) return;
      const colour = pen.palette.accent;
      if (drive.kind === 'distance') symbols.actuator(pen, a.p, b.p, e);
      else if (drive.kind === 'slide') {
        const r = pen.u * 4.5, lift = pen.u * 3.4, s = Math.sin(a.angle), c = Math.cos(a.angle);
        const at = (d: number): Point => [b.p[0] + c * d + s * lift, b.p[1] + s * d - c * lift];
        symbols.arrow(pen, at(0), at(r), colour, width);
        symbols.arrow(pen, at(0), at(-r), colour, width);
      } else symbols.arcArrow(pen, a.p, pen.u * 3.6, b.angle + 0.6, -4.1, colour, width);
    });
  }

  private drawCentres(pen: Pen): void {
    this.page.bodies.forEach((body, i) => {
      if (body.com && this.view_.placed(i)) symbols.massCentre(pen, this.view_.on(i, body.com), -this.view_.poses[i].angle);
    });
  }

  private arrowLength(): number { return 0.2 * Math.min(this.camera_.width, this.camera_.height); }

  /** Applied forces and couples; their arrows show the direction, and the size when it is in the data. */
  private drawForces(pen: Pen): void {
    const place = locate(this.page.time, this.time_);
    this.page.loads.forEach((load, index) => {
      if (load.kind !== 'force' && load.kind !== 'couple') return;
      const base = load.first && load.first.body >= 0 ? load.first : load.second ?? load.first;
      if (!base) return;
      const a = this.frame(base), e = this.emphasis({ kind: 'load', index });
      if (!a.finite) return;
      const width = e.selected || e.hovered ? 3.4 : 2.4, colour = pen.palette.moment;
      if (load.kind === 'couple') {
        const value = load.moment ? valueAt(load.moment.values, place) : 1;
        if (Number.isFinite(value) && value !== 0) symbols.arcArrow(pen, a.p, pen.u * 4.6, -2.4, value > 0 ? -3.9 : 3.9, colour, width);
        return;
      }
      let dx = Math.cos(a.angle) * 0.5, dy = Math.sin(a.angle) * 0.5;
      if (load.force) {
        const peak = peakSize(load.force[0].values, load.force[1].values);
        dx = valueAt(load.force[0].values, place) / (peak || 1);
        dy = -valueAt(load.force[1].values, place) / (peak || 1);
      }
      const length = this.arrowLength() * 0.8;
      if (Number.isFinite(dx + dy)) symbols.arrow(pen, [a.p[0] - dx * length, a.p[1] - dy * length], a.p, colour, width);
    });
  }

  private drawReactions(pen: Pen): void {
    const place = locate(this.page.time, this.time_);
    const length = this.arrowLength();
    for (const joint of this.page.joints) {
      const { p, finite } = this.frame(joint.kind === 'prismatic' ? blockFrame(joint) : joint.first);
      if (!finite) continue;
      if (joint.force && this.layout_.forceScale.force > 0) {
        let fx = (valueAt(joint.force[0].values, place) / this.layout_.forceScale.force) * length;
        let fy = (valueAt(joint.force[1].values, place) / this.layout_.forceScale.force) * length;
        const size = Math.hypot(fx, fy), limit = 2.5 * length;
        if (size > limit) [fx, fy] = [(fx * limit) / size, (fy * limit) / size];
        pen.ctx.setLineDash(joint.unique === false ? [5, 4] : []);  // dashed: one of many that fit
        if (Number.isFinite(fx + fy)) symbols.arrow(pen, p, [p[0] + fx, p[1] - fy], pen.palette.force, 2.2);
        pen.ctx.setLineDash([]);
      }
      if (joint.moment && this.layout_.forceScale.moment > 0) {
        const share = valueAt(joint.moment.values, place) / this.layout_.forceScale.moment;
        const sweep = Math.max(-1, Math.min(1, share)) * 1.6 * Math.PI;
        if (Number.isFinite(sweep)) symbols.arcArrow(pen, p, pen.u * 3.2, Math.PI / 2, -sweep, pen.palette.force, 1.8);
      }
    }
  }

  private drawLabels(pen: Pen): void {
    const { palette } = pen;
    const labelled: Point[] = [];
    const free = (p: Point): boolean => !labelled.some((q) => Math.abs(p[0] - q[0]) < 8 && Math.abs(p[1] - q[1]) < 10);
    const put = (text: string, p: Point, part: PartRef, italic: boolean, align: CanvasTextAlign): void => {
      while (!free(p)) p = [p[0], p[1] - 13];
      labelled.push(p);
      symbols.label(pen, text, p, { colour: samePart(part, this.selection.part) ? palette.accent : italic ? palette.muted : palette.ink, align, italic });
    };
    this.page.joints.forEach((joint, index) => {
      const f = this.frame(joint.kind === 'prismatic' ? blockFrame(joint) : joint.first), g = this.frame(joint.second);
      if (!f.finite || !g.finite) return;
      const p: Point = joint.kind === 'distance' ? [(f.p[0] + g.p[0]) / 2, (f.p[1] + g.p[1]) / 2] : f.p;
      const around = joint.kind === 'revolute' && this.layout_.ringed[index] ? pen.u * 2.4 : 0;
      put(joint.name, [p[0] + pen.u * 1.3 + 3 + around, p[1] - pen.u * 1.7 - 5 - around], { kind: 'joint', index }, false, 'left');
    });
    this.page.bodies.forEach((body, index) => {
      if (!this.view_.placed(index)) return;
      const p = this.view_.on(index, this.labelPoint(index)), bar = this.layout_.motion.outlines[index].bars[0];
      const ends = bar ? bar.map((q) => this.view_.on(index, q)) : null;
      put(body.name, ends ? this.beside(pen, body.name, ends[0], ends[1], pen.u * 1.45, this.layout_.bodySides[index]) : [p[0], p[1] + pen.u * 1.5 + 11], { kind: 'body', index }, true, 'center');
    });
    this.page.loads.forEach((load, index) => {
      const base = load.first ?? load.second;
      if (!base) return;
      const a = this.frame(base), b = load.second ? this.frame(load.second) : a;
      if (!a.finite || !b.finite) return;
      const point = a === b || load.kind.startsWith('rotational');
      const at: Point = point ? [a.p[0] + pen.u * 4.6, a.p[1] - pen.u * 4.2] : this.beside(pen, load.name, a.p, b.p, pen.u * (load.kind === 'spring_damper' ? 4 : 1.6), this.layout_.loadSides[index]);
      put(load.name, at, { kind: 'load', index }, true, point ? 'left' : 'center');
    });
    this.page.drives.forEach((drive, index) => {
      if (!drive.first) return;
      const a = this.frame(drive.first), b = drive.second ? this.frame(drive.second) : a;
      if (!a.finite || !b.finite) return;
      if (drive.kind === 'distance') put(drive.name, this.beside(pen, drive.name, a.p, b.p, pen.u * 1.2, 1), { kind: 'drive', index }, true, 'center');
      else put(drive.name, [a.p[0] - pen.u * 4.6 - 2, a.p[1] - pen.u * 2], { kind: 'drive', index }, true, 'right');
    });
  }

  /** Where to centre a name so that it stands clear of the line from a to b whatever its slope; side 1 is its right, -1 its left. */
  private beside(pen: Pen, text: string, a: Point, b: Point, clear: number, side: number): Point {
    const angle = Math.atan2(b[1] - a[1], b[0] - a[0]) + (side * Math.PI) / 2;
    pen.ctx.font = `italic ${pen.font}`;
    const width = pen.ctx.measureText(text.slice(0, 28)).width / 2;
    const distance = clear + 4 + width * Math.abs(Math.cos(angle)) + 7 * Math.abs(Math.sin(angle));
    return [(a[0] + b[0]) / 2 + distance * Math.cos(angle), (a[1] + b[1]) / 2 + distance * Math.sin(angle)];
  }

  /** The middle of a body's outline: where its name is read as belonging to it. */
  private labelPoint(index: number): Point {
    const { bars, plates, solids, dots } = this.layout_.motion.outlines[index];
    if (bars.length) return [(bars[0][0][0] + bars[0][1][0]) / 2, (bars[0][0][1] + bars[0][1][1]) / 2];
    const corners = plates[0] ?? (solids[0] ? solidCorners(solids[0]) : dots);
    if (!corners.length) return this.page.bodies[index].com ?? [0, 0];
    return [corners.reduce((s, p) => s + p[0], 0) / corners.length, corners.reduce((s, p) => s + p[1], 0) / corners.length];
  }

  /** Scale bar, direction of gravity and the scale of the reaction arrows, along the lower edge. */
  private drawScale(pen: Pen): void {
    const { ctx, palette } = pen;
    const step = niceStep(90 / this.camera_.scale), length = step * this.camera_.scale, y = this.camera_.height - 16;
    ctx.strokeStyle = palette.muted;
    ctx.lineWidth = 1.2;
    ctx.lineCap = 'butt';
    ctx.beginPath();
    ctx.moveTo(16, y - 4);
    ctx.lineTo(16, y);
    ctx.lineTo(16 + length, y);
    ctx.lineTo(16 + length, y - 4);
    ctx.stroke();
    symbols.label(pen, `${brief(step)} m`, [16 + length / 2, y - 10], { colour: palette.muted, align: 'center' });
    const [gx, gy] = this.page.gravity, g = Math.hypot(gx, gy);
    if (g > 0) {
      const c: Point = [this.camera_.width - 24, this.camera_.height - 32];
      const tip: Point = [c[0] + (16 * gx) / g, c[1] - (16 * gy) / g], tail: Point = [c[0] - (16 * gx) / g, c[1] + (16 * gy) / g];
      symbols.arrow(pen, tail, tip, palette.muted, 1.4);
      symbols.label(pen, 'g', [c[0] - 8, c[1]], { colour: palette.muted, align: 'right', italic: true });
    }
    if (this.options.reactions && this.layout_.forceScale.force > 0) {
      const x = 16 + length + 28, shown = this.arrowLength() * 0.5;
      symbols.arrow(pen, [x, y - 1], [x + shown, y - 1], palette.force, 2.2);
      symbols.label(pen, withUnit(brief(this.layout_.forceScale.force * 0.5, 2), this.layout_.forceScale.unit), [x + shown / 2, y - 12], { colour: palette.muted, align: 'center' });
    }
  }

  // ---- Hover ---------------------------------------------------------------------------------------------------

  zoomBy(factor: number): void {
    this.camera_.zoomAt(this.camera_.width / 2, this.camera_.height / 2, factor);
    this.refresh();
  }

  private hover(p: Point | null): void {
    const part = p ? partAt(this.view_, ...p) : null;
    this.canvas_.style.cursor = part ? 'pointer' : '';
    if (part && p) {
      this.tip_.textContent = `${partName(this.page, part)} · ${partWords(this.page, part)}`;
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
