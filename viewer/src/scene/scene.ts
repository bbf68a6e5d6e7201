// What the page asks of a drawing of the mechanism, whether in the plane or in space.
import type { NameBox } from './name_places';

export interface SceneOptions {
  labels: boolean;
  reactions: boolean;
  centres: boolean;
  traces: boolean;
  velocities: boolean;
  frames: boolean;
  /** Instant centres, in the plane. */
  instants: boolean;
}

/** A ground axis from whose positive side one looks, or the usual corner. */
export type ViewAxis = 'x' | 'y' | 'z' | 'corner';

/** What the drawing in space consists of, for tests and measurements. */
export interface SceneReport {
  readonly webgl: boolean;
  /** Solids in the picture. */
  readonly drawn: number;
  /** Milliseconds of script that the last picture took. */
  readonly draw_ms: number;
  /** Arrows in the picture, by what they show. */
  readonly arrows: { readonly reactions: number; readonly dashed: number; readonly loads: number; readonly velocities: number };
}

/** An arrow in the drawing in the plane: of what, from where to where in CSS pixels of the window. */
export interface ArrowBox {
  readonly of: 'force' | 'moment' | 'velocity';
  readonly name: string;
  readonly dashed: boolean;
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

export interface Scene {
  readonly element: HTMLElement;
  readonly options: SceneOptions;
  /** Which of the options it can show for this mechanism. */
  readonly offers: ReadonlySet<keyof SceneOptions>;
  /** Draws the mechanism at time t, soon: several calls before the next frame become one. */
  show(t: number): void;
  /** Draws again, after a change of options, theme or selection. */
  refresh(): void;
  /** Before and after printing: draws at once, for paper does not wait for the next frame. */
  print(on: boolean): void;
  /** Frames the whole motion. */
  resetView(): void;
  zoomBy(factor: number): void;
  /** Turns the camera, in radians; only in space. */
  turnBy?(right: number, up: number): void;
  lookAlong?(axis: ViewAxis): void;
  /** The pose of a body as last drawn, in ground axes: origin and angle, in space origin and quaternion. */
  pose(body: string): number[] | null;
  /** Where a point of the ground axes is drawn, in CSS pixels of the window. */
  screen(x: number, y: number, z?: number): [number, number];
  /** The names in the drawing, as they stand. */
  names(): readonly NameBox[];
  /** Only in the plane: arrows of reactions and velocities. */
  arrows?(): readonly ArrowBox[];
  /** Only in space. */
  report?(): SceneReport | null;
  /** The drawing as a picture. */
  picture(): Promise<Blob | null>;
}
