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

/** How long a piece of the segment lies in the box (Liang and Barsky). */
function inside(box: Box, a: Readonly<Point>, b: Readonly<Point>): number {
  let from = 0, to = 1;
  const d = [b[0] - a[0], b[1] - a[1]];
  const edges: [number, number][] = [[-d[0], a[0] - box.x0], [d[0], box.x1 - a[0]], [-d[1], a[1] - box.y0], [d[1], box.y1 - a[1]]];
  for (const [p, q] of edges) {
    if (p === 0) {
      if (q < 0) return 0;
    } else if (p < 0) from = Math.max(from, q / p);
    else to = Math.min(to, q / p);
  }
  return to > from ? (to - from) * Math.hypot(d[0], d[1]) : 0;
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
    let best = { cost: Infinity, at: [p[0], p[1]] as Point, index: 0, reach: 0, box: { x0: 0, y0: 0, x1: 0, y1: 0 } };
    for (let r = 0; r < kReaches.length; r++) {
      for (let k = 0; k < kAngles; k++) {
        const turn = (((k + 1) >> 1) * (k % 2 ? 1 : -1) * 2 * Math.PI) / kAngles, direction = angle + turn;
        const c = Math.cos(direction), s = Math.sin(direction);
        const reach = clear + kReaches[r] + (Math.abs(c) * w) / 2 + (Math.abs(s) * h) / 2;
        const at: Point = [p[0] + c * reach, p[1] + s * reach];
        const box: Box = { x0: at[0] - w / 2, y0: at[1] - h / 2, x1: at[0] + w / 2, y1: at[1] + h / 2 };
        const index = r * kAngles + k;
        let cost = 1.2 * kReaches[r] + 6 * Math.abs(turn) - (this.last.get(key) === index ? 8 : 0);
        const out = Math.max(0, -box.x0, -box.y0, box.x1 - this.width, box.y1 - this.height);
        cost += 40 * out;
        for (const other of this.boxes_) cost += 1.5 * overlap(box, other);
        for (const { a, b, weight, half } of this.lines_) cost += 3 * weight * inside({ x0: box.x0 - half, y0: box.y0 - half, x1: box.x1 + half, y1: box.y1 + half }, a, b);
        if (cost < best.cost) best = { cost, at, index, reach: kReaches[r], box };
      }
    }
    this.last.set(key, best.index);
    this.boxes_.push(best.box);
    return { at: best.at, leader: best.reach >= 20 };
  }
}
