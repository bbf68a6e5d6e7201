// Finds places for the texts of a diagram: near what they name, off each other and off the lines, and steady while it plays.
import type { Point } from '../data';
import { kFont_px, textWidth } from './svg';

interface Box { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number }
const kLine_px = kFont_px + 3;
const kAngles = 16;
const kReaches = [0, 9, 20, 34, 52, 72];

function overlap(a: Box, b: Box): number {
  const w = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0), h = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  return w > 0 && h > 0 ? w * h : 0;
}

/** How long a piece of the segment lies in the box, made wider by `half` all around (Liang and Barsky). */
function inside(box: Box, half: number, a: Readonly<Point>, b: Readonly<Point>): number {
  const dx = b[0] - a[0], dy = b[1] - a[1];
  const left = a[0] - box.x0 + half, right = box.x1 + half - a[0], above = a[1] - box.y0 + half, below = box.y1 + half - a[1];
  let from = 0, to = 1;
  if (dx === 0) {
    if (left < 0 || right < 0) return 0;
  } else if (dx > 0) {
    from = Math.max(from, -left / dx);
    to = Math.min(to, right / dx);
  } else {
    from = Math.max(from, right / dx);
    to = Math.min(to, -left / dx);
  }
  if (dy === 0) {
    if (above < 0 || below < 0) return 0;
  } else if (dy > 0) {
    from = Math.max(from, -above / dy);
    to = Math.min(to, below / dy);
  } else {
    from = Math.max(from, below / dy);
    to = Math.min(to, -above / dy);
  }
  return to > from ? (to - from) * Math.hypot(dx, dy) : 0;
}

export interface Placed { readonly at: Point; /** A text far from its place gets a line to it. */ readonly leader: boolean }

export class Labels {
  private readonly boxes_: Box[] = [];
  private readonly lines_: { a: Readonly<Point>; b: Readonly<Point>; weight: number; half: number }[] = [];

  /** `last` remembers where each text was, by its key, from one drawing to the next. */
  constructor(private readonly width: number, private readonly height: number, private readonly last: Map<string, number>) {}

  /** `half` is half the width of the line in pixels. */
  keepOff(a: Readonly<Point>, b: Readonly<Point>, weight = 1, half = 0): void { this.lines_.push({ a, b, weight, half }); }

  keepOffBox(x0: number, y0: number, x1: number, y1: number): void { this.boxes_.push({ x0, y0, x1, y1 }); }

  /** The middle of a text of one line near p, best in the direction `angle` (y down) and at least `clear` pixels away. */
  place(key: string, text: string, p: Readonly<Point>, angle: number, clear: number): Placed {
    const w = textWidth(text, true) + 6, h = kLine_px;
    let least = Infinity, index = 0, reach = 0, best: Box = { x0: 0, y0: 0, x1: 0, y1: 0 };
    const before = this.last.get(key);
    for (let r = 0; r < kReaches.length; r++) {
      for (let k = 0; k < kAngles; k++) {
        const turn = (((k + 1) >> 1) * (k % 2 ? 1 : -1) * 2 * Math.PI) / kAngles;
        let cost = 1.2 * kReaches[r] + 6 * Math.abs(turn) - (before === r * kAngles + k ? 8 : 0);
        if (cost >= least) continue;  // whatever it covers only adds to this
        const c = Math.cos(angle + turn), s = Math.sin(angle + turn), away = clear + kReaches[r] + (Math.abs(c) * w) / 2 + (Math.abs(s) * h) / 2;
        const x = p[0] + c * away, y = p[1] + s * away, box: Box = { x0: x - w / 2, y0: y - h / 2, x1: x + w / 2, y1: y + h / 2 };
        cost += 40 * Math.max(0, -box.x0, -box.y0, box.x1 - this.width, box.y1 - this.height);
        for (let i = 0; i < this.boxes_.length && cost < least; i++) cost += 1.5 * overlap(box, this.boxes_[i]);
        for (let i = 0; i < this.lines_.length && cost < least; i++) {
          const { a, b, weight, half } = this.lines_[i];
          cost += 3 * weight * inside(box, half, a, b);
        }
        if (cost < least) [least, index, reach, best] = [cost, r * kAngles + k, kReaches[r], box];
      }
    }
    this.last.set(key, index);
    this.boxes_.push(best);
    return { at: least < Infinity ? [(best.x0 + best.x1) / 2, (best.y0 + best.y1) / 2] : [p[0], p[1]], leader: reach >= 20 };
  }
}
