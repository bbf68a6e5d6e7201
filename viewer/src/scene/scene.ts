// What the page asks of a drawing of the mechanism, whether in the plane or in space.

export interface SceneOptions {
  labels: boolean;
  reactions: boolean;
  centres: boolean;
  traces: boolean;
  /** Instant centres, in the plane. */
  instants?: boolean;
}

export interface Scene {
  readonly element: HTMLElement;
  readonly options: SceneOptions;
  /** Draws the mechanism at time t, soon: several calls before the next frame become one. */
  show(t: number): void;
  /** Draws again, after a change of options, theme or selection. */
  refresh(): void;
  /** Frames the whole motion. */
  resetView(): void;
  /** The pose of a body as last drawn: origin and angle in ground axes. */
  pose(body: string): [number, number, number] | null;
  /** Where a point of the ground axes is drawn, in CSS pixels of the window. */
  screen(x: number, y: number): [number, number];
  /** The drawing as a picture. */
  picture(): Promise<Blob | null>;
}
