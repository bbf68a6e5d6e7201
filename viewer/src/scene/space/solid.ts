// Surfaces of triangles for the drawing in space, put together from simple ones; painters take them as they are.
//
// A solid may stretch along its x axis: the point of a vertex is (along * L + x, y, z), L being the length that the
// painter is given with the solid's place. A rigid solid has along = 0 everywhere.
import { ShapeUtils, Vector2 } from 'three';
import type { Placement, Vec3 } from './vectors';
import { add, axesTurn, cross, dot, kNoPlacement, minus, norm, place, product, rotate, times, unit, xTo } from './vectors';

/** Colours by their place in the painter's palette. */
export const Tint = { link: 0, linkDark: 1, metal: 2, rail: 3, spring: 4, force: 5, moment: 6, accent: 7, muted: 8, velocity: 9, x: 10, y: 11, z: 12, applied: 13, grid: 14 } as const;
export const kTints = 15;
/** Added to a tint: drawn in dashes along the solid, or with the hatching of the ground. */
export const kDashed = 32, kHatched = 64;

export interface Solid {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** For each vertex: along, tint, number of the part, 1 where it belongs to the outline. */
  readonly info: Float32Array;
  readonly triangles: Uint32Array;
  /** Triangles before this one are the surface; those from here on are the outline, turned inside out. */
  readonly surface: number;
  /** Radius about the origin of its axes, of what does not stretch. */
  readonly reach: number;
}

type Triple = readonly [number, number, number];

/** Triangles, counter-clockwise about n, that fill a flat outline. */
function trianglesOf(outline: readonly Vec3[], n: Vec3): Triple[] {
  const right = unit(minus(outline[1] ?? outline[0], outline[0]), [1, 0, 0]), up = cross(n, right);
  const flat = outline.map((p) => new Vector2(dot(p, right), dot(p, up)));
  return ShapeUtils.triangulateShape([...flat], []).map(([a, b, c]) => {
    const left = (flat[b].x - flat[a].x) * (flat[c].y - flat[a].y) - (flat[b].y - flat[a].y) * (flat[c].x - flat[a].x);
    return left < 0 ? [a, c, b] : [a, b, c];
  });
}

export class SolidBuilder {
  part = -1;
  tint = 0;
  /** Where the next pieces are put; their own axis is x. */
  at: Placement = kNoPlacement;
  private readonly positions_: number[] = [];
  private readonly normals_: number[] = [];
  private readonly info_: number[] = [];
  private readonly triangles_: number[] = [];
  private count_ = 0;

  /** Number of sides of what is round. */
  constructor(readonly sides = 20) {}

  get empty(): boolean { return this.triangles_.length === 0; }

  vertex(p: Vec3, n: Vec3, along = 0): number {
    const q = place(this.at, p), m = rotate(this.at.q, n);
    this.positions_.push(q[0], q[1], q[2]);
    this.normals_.push(m[0], m[1], m[2]);
    this.info_.push(along, this.tint, this.part, 0);
    return this.count_++;
  }

  private quad(a: number, b: number, c: number, d: number): void {
    this.triangles_.push(a, b, c, a, c, d);
  }

  /** A flat convex face, counter-clockwise seen from outside. */
  face(corners: readonly Vec3[], along = 0): void {
    const n = unit(cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])));
    const ids = corners.map((p) => this.vertex(p, n, along));
    for (let i = 2; i < ids.length; i++) this.triangles_.push(ids[0], ids[i - 1], ids[i]);
  }

  /**
   * Turns a profile of (x, r, along) around the x axis; it goes from small to large x on the outside. Corners stay sharp
   * unless `smooth`. With `sectors` every other quarter is darker, so that one sees it turn.
   */
  revolve(profile: readonly (readonly [number, number, number?])[], options: { smooth?: boolean; sectors?: boolean; from?: number; to?: number; sides?: number } = {}): void {
    const { smooth = false, sectors = false, from = 0, to = 2 * Math.PI } = options;
    const sides = Math.max(3, Math.round(((options.sides ?? this.sides) * (to - from)) / (2 * Math.PI)));
    const tint = this.tint;
    const normalOf = (i: number): [number, number] => {
      const dx = profile[i + 1][0] - profile[i][0] + (profile[i + 1][2] ?? 0) - (profile[i][2] ?? 0), dr = profile[i + 1][1] - profile[i][1], n = Math.hypot(dx, dr) || 1;
      return [-dr / n, dx / n];
    };
    for (let i = 0; i + 1 < profile.length; i++) {
      const flat = normalOf(i), before = smooth && i > 0 ? normalOf(i - 1) : flat, after = smooth && i + 2 < profile.length ? normalOf(i + 1) : flat;
      const ends: [number, number][] = [[flat[0] + before[0], flat[1] + before[1]], [flat[0] + after[0], flat[1] + after[1]]];
      for (let s = 0; s < sides; s++) {
        if (sectors) this.tint = Math.floor((4 * s) / sides) % 2 ? Tint.linkDark : tint;
        const ids: number[] = [];
        for (const k of [0, 1]) {
          for (const j of [0, 1]) {
            const angle = from + ((to - from) * (s + k)) / sides, c = Math.cos(angle), w = Math.sin(angle);
            const [x, r, along = 0] = profile[i + j], [nx, nr] = ends[j];
            ids.push(this.vertex([x, r * c, r * w], unit([nx, nr * c, nr * w]), along));
          }
        }
        this.quad(ids[0], ids[2], ids[3], ids[1]);
      }
    }
    this.tint = tint;
  }

  cylinder(x0: number, x1: number, radius: number, sectors = false): void {
    this.revolve([[x0, 0], [x0, radius], [x1, radius], [x1, 0]], { sectors });
  }

  tube(x0: number, x1: number, radius: number, inner: number): void {
    this.revolve([[x0, inner], [x0, radius], [x1, radius], [x1, inner], [x0, inner]]);
  }

  /** A cylinder with round ends through its own length and radius beyond. */
  capsule(x0: number, x1: number, radius: number): void {
    const arc = (x: number, a: number): [number, number] => [x + radius * Math.cos(a), Math.max(0, radius * Math.sin(a))];
    const steps = [0, 1, 2, 3].map((i) => (Math.PI / 2) * (i / 3));
    this.revolve([...steps.map((a) => arc(x0, Math.PI - a)), ...steps.map((a) => arc(x1, Math.PI / 2 - a))], { smooth: true });
  }

  sphere(radius: number, sectors = false, from = 0, to = Math.PI): void {
    const steps = Math.max(4, Math.round((this.sides / 2) * ((to - from) / Math.PI)));
    const profile = Array.from({ length: steps + 1 }, (_, i): [number, number] => {
      const a = to - ((to - from) * i) / steps;
      return [radius * Math.cos(a), radius * Math.max(0, Math.sin(a))];
    });
    this.revolve(profile, { smooth: true, sectors });
  }

  /** A bowl that opens towards +x: the half of a thick shell, `open` the half angle of its mouth. */
  bowl(radius: number, wall: number, open: number): void {
    const arc = (r: number, a: number): [number, number] => [r * Math.cos(a), Math.max(0, r * Math.sin(a))];
    const n = 6, angles = Array.from({ length: n + 1 }, (_, i) => Math.PI - ((Math.PI - open) * i) / n);
    this.revolve(angles.map((a) => arc(radius + wall, a)), { smooth: true });
    this.revolve([arc(radius + wall, open), arc(radius, open)]);
    this.revolve([...angles].reverse().map((a) => arc(radius, a)), { smooth: true });
  }

  box(size: Vec3, centre: Vec3 = [0, 0, 0]): void {
    const [a, b, c] = [size[0] / 2, size[1] / 2, size[2] / 2];
    const at = (x: number, y: number, z: number): Vec3 => add(centre, [x * a, y * b, z * c]);
    for (const s of [1, -1]) {
      const turn = (corners: Vec3[]): Vec3[] => (s > 0 ? corners : corners.reverse());
      this.face(turn([at(s, -1, -1), at(s, 1, -1), at(s, 1, 1), at(s, -1, 1)]));
      this.face(turn([at(-1, s, -1), at(-1, s, 1), at(1, s, 1), at(1, s, -1)]));
      this.face(turn([at(-1, -1, s), at(1, -1, s), at(1, 1, s), at(-1, 1, s)]));
    }
  }

  /** A plate over an outline in any plane, which need not be convex; half of its thickness lies on either side. */
  plate(outline: readonly Vec3[], thickness: number): void {
    const centre = times(outline.reduce<Vec3>((s, p) => add(s, p), [0, 0, 0]), 1 / outline.length);
    let area: Vec3 = [0, 0, 0];
    outline.forEach((p, i) => (area = add(area, cross(minus(p, centre), minus(outline[(i + 1) % outline.length], centre)))));
    const n = unit(area), h = times(n, thickness / 2);
    const upper = outline.map((p) => add(p, h)), lower = outline.map((p) => minus(p, h));
    const triangles = trianglesOf(outline, n);
    this.flat(upper, n, triangles);
    this.flat(lower, times(n, -1), triangles.map(([a, b, c]) => [a, c, b]));
    outline.forEach((_, i) => {
      const j = (i + 1) % outline.length;
      this.face([lower[i], lower[j], upper[j], upper[i]]);
    });
  }

  private flat(corners: readonly Vec3[], n: Vec3, triangles: readonly Triple[]): void {
    const ids = corners.map((p) => this.vertex(p, n));
    for (const [a, b, c] of triangles) this.triangles_.push(ids[a], ids[b], ids[c]);
  }

  /** A round wire through points given as (x, y, z) and along. */
  wire(path: readonly { p: Vec3; along?: number }[], radius: number, sides = 6, closed = false): void {
    let across: Vec3 | null = null;
    const rings = path.map(({ p, along = 0 }, i) => {
      const before = path[i > 0 ? i - 1 : closed ? path.length - 1 : 0], after = path[i + 1 < path.length ? i + 1 : closed ? 0 : i];
      const direction = unit(add(minus(after.p, before.p), [(after.along ?? 0) - (before.along ?? 0), 0, 0]), [1, 0, 0]);
      let a: Vec3 = across ? minus(across, times(direction, dot(across, direction))) : [0, 0, 0];
      if (norm(a) < 1e-9) a = cross(direction, Math.abs(direction[2]) < 0.9 ? [0, 0, 1] : [0, 1, 0]);
      across = unit(a);
      const b = cross(direction, across), own = across;
      return Array.from({ length: sides }, (_, k) => {
        const angle = (2 * Math.PI * k) / sides, n = add(times(own, Math.cos(angle)), times(b, Math.sin(angle)));
        return this.vertex(add(p, times(n, radius)), n, along);
      });
    });
    for (let i = 0; i + 1 < rings.length + (closed ? 1 : 0); i++) {
      const next = rings[(i + 1) % rings.length];
      for (let k = 0; k < sides; k++) this.quad(rings[i][k], rings[i][(k + 1) % sides], next[(k + 1) % sides], next[k]);
    }
  }

  /** Part of a ring in the plane of x and y about the origin. */
  ring(radius: number, wire: number, from = 0, to = 2 * Math.PI): void {
    const n = Math.max(6, Math.round((2 * this.sides * (to - from)) / (2 * Math.PI))), closed = to - from > 2 * Math.PI - 1e-9;
    const path = Array.from({ length: closed ? n : n + 1 }, (_, i) => {
      const a = from + ((to - from) * i) / n;
      return { p: [radius * Math.cos(a), radius * Math.sin(a), 0] as Vec3 };
    });
    this.wire(path, wire, 8, closed);
  }

  mesh(vertices: Float32Array, triangles: Uint32Array): void {
    const p = (i: number): Vec3 => [vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]];
    for (let t = 0; t < triangles.length; t += 3) {
      const corners = [p(triangles[t]), p(triangles[t + 1]), p(triangles[t + 2])];
      if (norm(cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]))) > 0) this.face(corners);
    }
  }

  /** Runs `make` with x along the direction, at a point; both in the axes the builder is in now. */
  along(p: Vec3, direction: Vec3, make: () => void, y?: Vec3): void {
    this.inside({ p, q: y ? axesTurn(unit(direction), y) : xTo(unit(direction)) }, make);
  }

  inside(at: Placement, make: () => void): void {
    const before = this.at;
    this.at = { p: place(before, at.p), q: product(before.q, at.q) };
    make();
    this.at = before;
  }

  /** For each vertex a number that it shares with those of its part at the same place. */
  private placeKeys(): number[] {
    let reach = 0;
    for (const x of this.positions_) reach = Math.max(reach, Math.abs(x));
    const cell = (x: number): number => Math.round(((x / (reach || 1)) + 1) * 60_000);  // 17 bits for each axis
    const groups = new Map<number, Map<number, number>>(), out: number[] = [];
    let count = 0;
    for (let i = 0; i < this.count_; i++) {
      const group = Math.round(this.info_[4 * i] * 1e4) + 20_000 * this.info_[4 * i + 2];
      const place = cell(this.positions_[3 * i]) + 131_072 * (cell(this.positions_[3 * i + 1]) + 131_072 * cell(this.positions_[3 * i + 2]));
      const members = groups.get(group) ?? new Map<number, number>();
      if (!members.size) groups.set(group, members);
      if (!members.has(place)) members.set(place, count++);
      out.push(members.get(place)!);
    }
    return out;
  }

  /** The surface, with an outline around it made of the same triangles inside out. */
  finish(outlined = true): Solid {
    const n = this.count_, keys = outlined ? this.placeKeys() : [];
    const normal = (i: number): Vec3 => [this.normals_[3 * i], this.normals_[3 * i + 1], this.normals_[3 * i + 2]];
    const rounded = new Map<number, Vec3>();
    keys.forEach((k, i) => rounded.set(k, add(rounded.get(k) ?? [0, 0, 0], normal(i))));
    const copies = outlined ? 2 : 1;
    const positions = new Float32Array(3 * n * copies), normals = new Float32Array(3 * n * copies), info = new Float32Array(4 * n * copies);
    positions.set(this.positions_);
    normals.set(this.normals_);
    info.set(this.info_);
    const triangles = new Uint32Array(this.triangles_.length * copies);
    triangles.set(this.triangles_);
    if (outlined) {
      positions.set(this.positions_, 3 * n);
      info.set(this.info_, 4 * n);
      for (let i = 0; i < n; i++) {
        normals.set(unit(rounded.get(keys[i])!, normal(i)), 3 * (n + i));
        info[4 * (n + i) + 3] = 1;
      }
      for (let t = 0; t < this.triangles_.length; t += 3) triangles.set([n + this.triangles_[t], n + this.triangles_[t + 2], n + this.triangles_[t + 1]], this.triangles_.length + t);
    }
    let reach = 0;
    for (let i = 0; i < n; i++) reach = Math.max(reach, Math.hypot(this.positions_[3 * i], this.positions_[3 * i + 1], this.positions_[3 * i + 2]));
    return { positions, normals, info, triangles, surface: this.triangles_.length / 3, reach };
  }
}
