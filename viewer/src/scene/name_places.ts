// Places of the names in a drawing: a name that would cover another moves up or down.
import type { Point } from '../data';
import type { LabelStyle, Pen } from './symbols';
import { label, labelWidth } from './symbols';

/** A name as it stands in the drawing, in CSS pixels from its corner. */
export interface NameBox { readonly text: string; readonly left: number; readonly right: number; readonly top: number; readonly bottom: number }

const kLine_px = 13;  // from one line of names to the next
const kMostLines = 10;  // that a name moves

export class NamePlaces {
  readonly boxes: NameBox[] = [];

  constructor(private readonly pen: Pen) {}

  /** Draws a name at p, or as few lines above or below as it takes to cover no other; where all is full, at p. */
  put(text: string, p: Point, style: LabelStyle): void {
    const width = labelWidth(this.pen, text, style.italic), align = style.align ?? 'left';
    const left = p[0] - (align === 'center' ? width / 2 : align === 'right' ? width : 0);
    const boxAt = (y: number): NameBox => ({ text, left, right: left + width, top: y - kLine_px / 2, bottom: y + kLine_px / 2 });
    const covers = (a: NameBox): boolean => this.boxes.some((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom);
    let y = p[1];
    for (let lines = 1; covers(boxAt(y)) && lines <= 2 * kMostLines; lines++) y = p[1] + (lines % 2 ? -1 : 1) * Math.ceil(lines / 2) * kLine_px;
    if (covers(boxAt(y))) y = p[1];
    this.boxes.push(boxAt(y));
    label(this.pen, text, [p[0], y], style);
  }
}
