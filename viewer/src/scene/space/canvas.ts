// Paints solids on a plain canvas, for browsers without WebGL: triangles from back to front, with the lines an engineer would draw.
import type { Lens, Look, Painter, Rgb, Shown, Trail } from './painter';
import { mix } from './painter';
import type { Solid } from './solid';
import { Tint, kDashed, kHatched } from './solid';
import type { Placement } from './vectors';
import { kNoPlacement, rotate } from './vectors';

const kCrease = 0.8;  // cosine of the angle from which an edge is drawn

/** For each side of each triangle the triangle beyond it, or -1. */
function neighbours(solid: Solid): Int32Array {
  const count = solid.surface, out = new Int32Array(3 * count).fill(-1), sides = new Map<string, number>();
  const key = (i: number): string => {
    const p = (k: number): string => solid.positions[3 * i + k].toPrecision(5);
    return `${p(0)},${p(1)},${p(2)},${solid.info[4 * i].toFixed(4)},${solid.info[4 * i + 2]}`;
  };
  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 3; k++) {
      const a = key(solid.triangles[3 * t + k]), b = key(solid.triangles[3 * t + ((k + 1) % 3)]), other = sides.get(`${b}|${a}`);
      if (other !== undefined) {
        out[3 * t + k] = Math.floor(other / 3);
        out[other] = t;
      } else sides.set(`${a}|${b}`, 3 * t + k);
    }
  }
  return out;
}

class CanvasShown implements Shown {
  visible = true;
  length = 1;
  scale = 1;
  readonly beyond: Int32Array;
  private at_: Placement = kNoPlacement;
  constructor(readonly solid: Solid) { this.beyond = neighbours(solid); }
  put(at: Placement, length = 1, scale = 1): void {
    this.at_ = at;
    this.length = length;
    this.scale = scale;
  }
  at(): Placement { return this.at_; }
}

interface CanvasTrail extends Trail { readonly points: Float32Array; readonly times: Float32Array; readonly tint: number }
interface Facet { readonly depth: number; readonly points: readonly number[]; readonly fill: string; readonly stroke: string; readonly edges: number }

const css = (c: Rgb): string => `rgb(${c.map((v) => Math.round(255 * Math.max(0, Math.min(1, v)))).join(' ')})`;

export class CanvasPainter implements Painter {
  drawn = 0;
  private readonly ctx_: CanvasRenderingContext2D;
  private readonly shown_: CanvasShown[] = [];
  private readonly trails_: CanvasTrail[] = [];
  private ratio_ = 1;

  constructor(readonly canvas: HTMLCanvasElement) { this.ctx_ = canvas.getContext('2d')!; }

  show(solid: Solid): Shown {
    const shown = new CanvasShown(solid);
    this.shown_.push(shown);
    return shown;
  }

  trail(points: Float32Array, times: Float32Array, tint: number): Trail {
    const trail: CanvasTrail = { visible: true, points, times, tint };
    this.trails_.push(trail);
    return trail;
  }

  resize(width: number, height: number, ratio: number): void {
    this.ratio_ = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
  }

  draw(lens: Lens, look: Look): void {
    const ctx = this.ctx_;
    ctx.setTransform(this.ratio_, 0, 0, this.ratio_, 0, 0);
    ctx.fillStyle = css(look.paper);
    ctx.fillRect(0, 0, lens.width, lens.height);
    const facets: Facet[] = [];
    this.drawn = 0;
    for (const shown of this.shown_) {
      if (!shown.visible) continue;
      this.drawn++;
      collect(shown, lens, look, facets);
    }
    facets.sort((a, b) => b.depth - a.depth);
    ctx.lineJoin = 'round';
    this.drawTrails(lens, look);
    for (const { points: p, fill, stroke, edges } of facets) {
      ctx.beginPath();
      ctx.moveTo(p[0], p[1]);
      ctx.lineTo(p[2], p[3]);
      ctx.lineTo(p[4], p[5]);
      ctx.closePath();
      ctx.fillStyle = ctx.strokeStyle = fill;
      ctx.fill();
      ctx.lineWidth = 0.6;
      ctx.stroke();
      if (!edges) continue;
      ctx.beginPath();
      for (let k = 0; k < 3; k++) {
        if (!(edges & (1 << k))) continue;
        ctx.moveTo(p[2 * k], p[2 * k + 1]);
        ctx.lineTo(p[(2 * k + 2) % 6], p[(2 * k + 3) % 6]);
      }
      ctx.strokeStyle = stroke;
      ctx.lineWidth = 1.1;
      ctx.stroke();
    }
  }

  private drawTrails(lens: Lens, look: Look): void {
    const ctx = this.ctx_;
    for (const { visible, points, times, tint } of this.trails_) {
      if (!visible) continue;
      for (const bright of [false, true]) {
        ctx.beginPath();
        let down = false;
        for (let i = 0; i < times.length; i++) {
          const [x, y, depth] = project(lens, points[3 * i], points[3 * i + 1], points[3 * i + 2]);
          const wanted = depth > 0 && (!bright || (times[i] <= look.time && times[i] >= look.time - look.tail_s));
          if (!wanted) down = false;
          else if (down) ctx.lineTo(x, y);
          else ctx.moveTo(x, y), (down = true);
        }
        ctx.globalAlpha = bright ? 0.9 : 0.3;
        ctx.strokeStyle = css(look.tints[tint]);
        ctx.lineWidth = bright ? 2 : 1;
        ctx.stroke();
      }
      ctx.globalAlpha = 1;
    }
  }
}

/** Pixels and distance in front of the eye. */
function project(lens: Lens, x: number, y: number, z: number): [number, number, number] {
  const v = lens.view, vx = v[0] * x + v[4] * y + v[8] * z + v[12], vy = v[1] * x + v[5] * y + v[9] * z + v[13], depth = -(v[2] * x + v[6] * y + v[10] * z + v[14]);
  const p = lens.projection;
  return [(0.5 + (0.5 * p[0] * vx) / depth) * lens.width, (0.5 - (0.5 * p[5] * vy) / depth) * lens.height, depth];
}

/** The triangles of a solid that face the eye, each with those of its sides that are lines of the drawing. */
function collect(shown: CanvasShown, lens: Lens, look: Look, out: Facet[]): void {
  const { solid, beyond, length, scale } = shown, at = shown.at(), n = solid.positions.length / 3, screen = new Float64Array(3 * n);
  for (let i = 0; i < n; i++) {
    if (solid.info[4 * i + 3] > 0.5) break;
    const p = rotate(at.q, [solid.info[4 * i] * length + solid.positions[3 * i] * scale, solid.positions[3 * i + 1] * scale, solid.positions[3 * i + 2] * scale]);
    screen.set(project(lens, p[0] + at.p[0], p[1] + at.p[1], p[2] + at.p[2]), 3 * i);
  }
  const count = solid.surface, facing = new Float64Array(count), t3 = solid.triangles;
  for (let t = 0; t < count; t++) {
    const [a, b, c] = [3 * t3[3 * t], 3 * t3[3 * t + 1], 3 * t3[3 * t + 2]];
    facing[t] = (screen[b] - screen[a]) * (screen[c + 1] - screen[a + 1]) - (screen[b + 1] - screen[a + 1]) * (screen[c] - screen[a]);
  }
  const normal = (t: number): [number, number, number] => {
    const i = 3 * t3[3 * t];
    return [solid.normals[i], solid.normals[i + 1], solid.normals[i + 2]];
  };
  for (let t = 0; t < count; t++) {
    if (!(facing[t] < 0)) continue;  // y of the canvas points down
    const [a, b, c] = [t3[3 * t], t3[3 * t + 1], t3[3 * t + 2]], m = normal(t);
    if (!(screen[3 * a + 2] > 0 && screen[3 * b + 2] > 0 && screen[3 * c + 2] > 0)) continue;
    const info = solid.info[4 * a + 1], style = Math.floor(info / kDashed), plain = info % kDashed;
    const part = solid.info[4 * a + 2], chosen = part === look.selected, near = part === look.hovered;
    if (style === 1 && (solid.info[4 * a] * length + solid.positions[3 * a] * scale) % (3 * look.u) > 1.5 * look.u) continue;
    const g = rotate(at.q, m), v = lens.view, vn = [v[0] * g[0] + v[4] * g[1] + v[8] * g[2], v[1] * g[0] + v[5] * g[1] + v[9] * g[2], v[2] * g[0] + v[6] * g[1] + v[10] * g[2]];
    let base = look.tints[plain];
    if (style === kHatched / kDashed) base = mix(base, look.edge, 0.2);
    if (chosen) base = mix(base, look.accentSoft, 0.72);
    const light = plain > Tint.spring ? 1 : 0.62 + 0.42 * Math.max(0, -0.36 * vn[0] + 0.56 * vn[1] + 0.75 * vn[2]);
    let edges = 0;
    if (plain !== Tint.grid) {
      for (let k = 0; k < 3; k++) {
        const other = beyond[3 * t + k];
        const q = other >= 0 ? normal(other) : m;
        if (other < 0 || facing[other] >= 0 || m[0] * q[0] + m[1] * q[1] + m[2] * q[2] < kCrease) edges |= 1 << k;
      }
    }
    const shade: Rgb = [base[0] * light, base[1] * light, base[2] * light];
    out.push({
      depth: plain === Tint.grid ? Infinity : (screen[3 * a + 2] + screen[3 * b + 2] + screen[3 * c + 2]) / 3,
      points: [screen[3 * a], screen[3 * a + 1], screen[3 * b], screen[3 * b + 1], screen[3 * c], screen[3 * c + 1]],
      fill: css(shade), stroke: css(chosen || near ? look.accent : plain > Tint.spring ? mix(base, look.edge, 0.4) : look.edge), edges,
    });
  }
}
