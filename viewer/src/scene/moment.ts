// One moment of a run as the parts of the drawing in the plane need it.
import type { PartRef } from '../selection';
import type { Layout } from './layout';
import type { Emphasis } from './symbols';
import type { View } from './view';

export interface Moment {
  readonly view: View;
  readonly layout: Layout;
  readonly time: number;
  readonly dark: boolean;
  emphasis(part: PartRef): Emphasis;
}

/** Of an arrow that stands for the scale of the forces, in pixels. */
export const arrowLength = (m: Moment): number => 0.2 * Math.min(m.view.camera.width, m.view.camera.height);
