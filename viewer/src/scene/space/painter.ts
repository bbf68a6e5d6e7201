// What the drawing in space asks of whoever puts its solids on the screen: three.js on WebGL, or a plain canvas without it.
import type { Palette } from '../../theme';
import type { Solid } from './solid';
import { Tint, kTints } from './solid';
import type { Placement } from './vectors';

export type Rgb = readonly [number, number, number];

/** Colours and emphasis of one picture. Parts by their number; -2 is none. */
export interface Look {
  readonly tints: readonly Rgb[];
  readonly edge: Rgb;
  readonly paper: Rgb;
  readonly accent: Rgb;
  readonly accentSoft: Rgb;
  readonly selected: number;
  readonly hovered: number;
  /** Unit of length of the symbols: the period of dashes and hatching. */
  readonly u: number;
  /** Samples up to this time are the bright end of a trace, those before it the faint rest. */
  readonly time: number;
  readonly tail_s: number;
}

/** View and projection, column by column, with the size of the picture in CSS pixels. */
export interface Lens { readonly view: readonly number[]; readonly projection: readonly number[]; readonly width: number; readonly height: number }

/** A solid in the picture. */
export interface Shown {
  readonly solid: Solid;
  visible: boolean;
  /** Moves it; `length` is how far it stretches along its x axis, `scale` what the rest is scaled by. */
  put(at: Placement, length?: number, scale?: number): void;
  /** Where it is. */
  at(): Placement;
}

export interface Trail { visible: boolean }

export interface Painter {
  readonly canvas: HTMLCanvasElement;
  /** How many solids it drew last. */
  readonly drawn: number;
  /** Adds a solid, in its place as it is. */
  show(solid: Solid): Shown;
  /** Adds a path in ground axes, x y z for each time. */
  trail(points: Float32Array, times: Float32Array, tint: number): Trail;
  resize(width: number, height: number, ratio: number): void;
  draw(lens: Lens, look: Look): void;
}

/** "#rgb", "#rrggbb" or "rgb(r, g, b)" as numbers from 0 to 1. */
export function rgb(text: string): Rgb {
  const hex = /^#([0-9a-f]{3,8})$/i.exec(text.trim());
  if (hex) {
    const h = hex[1].length < 6 ? [...hex[1]].map((c) => c + c).join('') : hex[1];
    return [0, 2, 4].map((k) => parseInt(h.slice(k, k + 2), 16) / 255) as unknown as Rgb;
  }
  const numbers = text.match(/[\d.]+/g)?.map(Number) ?? [];
  return numbers.length >= 3 ? [numbers[0] / 255, numbers[1] / 255, numbers[2] / 255] : [0.5, 0.5, 0.5];
}

export const mix = (a: Rgb, b: Rgb, w: number): Rgb => [a[0] + (b[0] - a[0]) * w, a[1] + (b[1] - a[1]) * w, a[2] + (b[2] - a[2]) * w];

/** The colours of the page for each tint. */
export function tintsOf(palette: Palette): Rgb[] {
  const link = rgb(palette.link), edge = rgb(palette.linkEdge), paper = rgb(palette.paper), rail = rgb(palette.rail);
  const out: Rgb[] = Array.from({ length: kTints }, () => link);
  out[Tint.link] = mix(link, edge, 0.08);
  out[Tint.linkDark] = mix(link, edge, 0.3);
  out[Tint.metal] = mix(rgb(palette.accentSoft), mix(paper, edge, 0.2), 0.45);
  out[Tint.rail] = mix(paper, rail, 0.45);
  out[Tint.spring] = rgb(palette.spring);
  out[Tint.force] = rgb(palette.force);
  out[Tint.moment] = mix(rgb(palette.force), rgb(palette.moment), 0.5);
  out[Tint.applied] = rgb(palette.moment);
  out[Tint.accent] = rgb(palette.accent);
  out[Tint.muted] = rgb(palette.muted);
  out[Tint.velocity] = rgb(palette.series[2]);
  out[Tint.x] = rgb(palette.series[1]);
  out[Tint.y] = rgb(palette.series[2]);
  out[Tint.z] = rgb(palette.series[0]);
  out[Tint.grid] = mix(paper, rail, 0.16);
  return out;
}
