// The drawing that the page shows: in the plane, in space, or (for a planar mechanism) one of the two, made when it is first asked for.
import type { Page } from '../data';
import { h } from '../dom';
import type { Selection } from '../selection';
import type { ThemeControl } from '../theme';
import type { NameBox } from './name_places';
import { PlanarScene } from './planar';
import type { ArrowBox, Scene, SceneOptions, SceneReport, ViewAxis } from './scene';
import { SpatialScene } from './space/spatial';

export class SceneStack implements Scene {
  readonly element = h('div', { class: 'drawings' });
  private readonly planar_: PlanarScene | null;
  private spatial_: SpatialScene | null = null;
  private current_: Scene;
  private time_ = 0;

  constructor(private readonly page: Page, private readonly selection: Selection, private readonly theme: ThemeControl) {
    this.planar_ = page.space === 'planar' ? new PlanarScene(page, selection, theme) : null;
    this.current_ = this.planar_ ?? this.inSpace();
    this.element.append(this.current_.element);
  }

  private inSpace(): SpatialScene {
    this.spatial_ ??= new SpatialScene(this.page, this.selection, this.theme);
    return this.spatial_;
  }

  /** Whether the mechanism can be seen both ways; the modes of a planar one are drawn in the plane. */
  get switchable(): boolean { return this.planar_ !== null && !this.page.modes; }
  get spatial(): boolean { return this.current_ === this.spatial_; }
  /** False where the drawing in space has to do without WebGL. */
  get webgl(): boolean { return this.spatial_?.webgl ?? true; }

  /** Shows the mechanism in the plane or in space; switches that both have keep their state. */
  view(inSpace: boolean): void {
    const before = this.current_, next = inSpace || !this.planar_ ? this.inSpace() : this.planar_;
    if (next === before) return;
    for (const option of next.offers) if (before.offers.has(option)) next.options[option] = before.options[option];
    this.current_ = next;
    this.element.replaceChildren(next.element);
    next.show(this.time_);
  }

  get options(): SceneOptions { return this.current_.options; }
  get offers(): ReadonlySet<keyof SceneOptions> { return this.current_.offers; }
  show(t: number): void {
    this.time_ = t;
    this.current_.show(t);
  }
  refresh(): void { this.current_.refresh(); }
  print(on: boolean): void { this.current_.print(on); }
  resetView(): void { this.current_.resetView(); }
  zoomBy(factor: number): void { this.current_.zoomBy(factor); }
  turnBy(right: number, up: number): void { this.current_.turnBy?.(right, up); }
  lookAlong(axis: ViewAxis): void { this.current_.lookAlong?.(axis); }
  pose(body: string): number[] | null { return this.current_.pose(body); }
  screen(x: number, y: number, z = 0): [number, number] { return this.current_.screen(x, y, z); }
  names(): readonly NameBox[] { return this.current_.names(); }
  arrows(): readonly ArrowBox[] { return this.current_.arrows?.() ?? []; }
  report(): SceneReport | null { return this.current_.report?.() ?? null; }
  picture(): Promise<Blob | null> { return this.current_.picture(); }
}
