// The camera of the drawing in space: turns about a point, with up staying up; a long lens, so that parallels nearly are.
import type { Point } from '../../data';
import type { Lens } from './painter';
import type { Vec3 } from './vectors';
import { add, cross, dot, minus, norm, times, unit } from './vectors';

const kFov = (18 * Math.PI) / 180;
const kSteepest = Math.PI / 2 - 1e-3;

export class Orbit {
  private target_: Vec3 = [0, 0, 0];
  /** Height of what is seen at the target, in metres. */
  private height_ = 1;
  private fitHeight_ = 1;
  private azimuth_ = 0;
  private elevation_ = 0;
  private width_px_ = 1;
  private height_px_ = 1;
  private moved_ = false;
  /** Height of what is laid over the upper edge, in pixels. */
  private covered_px_ = 30;
  private right_: Vec3 = [1, 0, 0];
  private upward_: Vec3 = [0, 0, 1];
  private back_: Vec3 = [0, -1, 0];
  private readonly east_: Vec3;
  private readonly north_: Vec3;

  /** `points`: what the framed view must show. */
  constructor(private readonly points: readonly Vec3[], private readonly up: Vec3) {
    // Axes of the level plane: the next one of the ground axes after `up`, in their cyclic order.
    this.east_ = Math.abs(up[2]) > 0.5 ? [1, 0, 0] : Math.abs(up[1]) > 0.5 ? [0, 0, 1] : [0, 1, 0];
    this.north_ = cross(up, this.east_);
    this.lookFrom(...this.corner());
  }

  /** From the front and a little from the right and above; with y up the front is towards z, so that x goes to the right. */
  private corner(): [number, number] { return Math.abs(this.up[1]) > 0.5 ? [0.5, 0.36] : [-Math.PI / 2 + 0.62, 0.42]; }

  get width(): number { return this.width_px_; }
  get height(): number { return this.height_px_; }
  get moved(): boolean { return this.moved_; }
  /** Pixels per metre at the target. */
  get scale(): number { return this.height_px_ / this.height_; }

  private distance(): number { return this.height_ / (2 * Math.tan(kFov / 2)); }

  private lookFrom(azimuth: number, elevation: number): void {
    this.azimuth_ = azimuth;
    this.elevation_ = Math.max(-kSteepest, Math.min(kSteepest, elevation));
    const level = add(times(this.east_, Math.cos(azimuth)), times(this.north_, Math.sin(azimuth)));
    this.back_ = add(times(level, Math.cos(this.elevation_)), times(this.up, Math.sin(this.elevation_)));
    this.right_ = unit(cross(this.up, this.back_));
    this.upward_ = cross(this.back_, this.right_);
  }

  /** Looks along a ground axis from its positive side, or (null) from the usual corner. */
  lookAlong(axis: Vec3 | null): void {
    if (!axis) this.lookFrom(...this.corner());
    else if (Math.abs(dot(axis, this.up)) > 0.9) this.lookFrom(-Math.PI / 2, Math.sign(dot(axis, this.up)) * kSteepest);
    else this.lookFrom(Math.atan2(dot(axis, this.north_), dot(axis, this.east_)), 0);
    this.fit();
  }

  turnBy(azimuth: number, elevation: number): void {
    this.lookFrom(this.azimuth_ + azimuth, this.elevation_ + elevation);
    this.moved_ = true;
  }

  panBy(dx_px: number, dy_px: number): void {
    const s = 1 / this.scale;
    this.target_ = add(this.target_, add(times(this.right_, -dx_px * s), times(this.upward_, dy_px * s)));
    this.moved_ = true;
  }

  /** Zooms so that what is under (px, py), at the target's depth, stays there. */
  zoomAt(px: number, py: number, factor: number): void {
    const before = 1 / this.scale;
    this.height_ = Math.min(this.fitHeight_ * 50, Math.max(this.fitHeight_ / 1e4, this.height_ / factor));
    const change = before - 1 / this.scale, dx = px - this.width_px_ / 2, dy = py - this.height_px_ / 2;
    this.target_ = add(this.target_, add(times(this.right_, dx * change), times(this.upward_, -dy * change)));
    this.moved_ = true;
  }

  resize(width: number, height: number, covered: number): void {
    this.width_px_ = Math.max(1, width);
    this.height_px_ = Math.max(1, height);
    this.covered_px_ = Math.min(covered, 0.4 * height);
    if (!this.moved_) this.fit();
  }

  /** Frames all points as seen from here; three rounds settle the perspective. */
  fit(): void {
    const margin = Math.min(44, 0.09 * Math.min(this.width_px_, this.height_px_)), top = margin + this.covered_px_, bottom = margin + 26;
    const w = Math.max(20, this.width_px_ - 2 * margin), h = Math.max(20, this.height_px_ - top - bottom);
    let span = 0;
    for (const p of this.points) span = Math.max(span, norm(minus(p, this.points[0])));
    span = span || 1;
    this.target_ = this.points[0] ?? [0, 0, 0];
    this.height_ = 2 * span;
    for (let round = 0; round < 4; round++) {
      let x0 = Infinity, x1 = -Infinity, y0 = Infinity, y1 = -Infinity;
      const distance = this.distance();
      for (const p of this.points) {
        const d = minus(p, this.target_), depth = Math.max(0.2, 1 - dot(d, this.back_) / distance);
        const x = dot(d, this.right_) / depth, y = dot(d, this.upward_) / depth;
        x0 = Math.min(x0, x);
        x1 = Math.max(x1, x);
        y0 = Math.min(y0, y);
        y1 = Math.max(y1, y);
      }
      if (!(x0 <= x1)) break;
      const scale = Math.min(w / Math.max(x1 - x0, 0.02 * span), h / Math.max(y1 - y0, 0.02 * span));
      this.height_ = this.height_px_ / scale;
      this.target_ = add(this.target_, add(times(this.right_, (x0 + x1) / 2), times(this.upward_, (y0 + y1) / 2 + (top - bottom) / 2 / scale)));
    }
    this.fitHeight_ = this.height_;
    this.moved_ = false;
  }

  lens(): Lens {
    const [r, u, b] = [this.right_, this.upward_, this.back_], distance = this.distance(), eye = add(this.target_, times(b, distance));
    const view = [r[0], u[0], b[0], 0, r[1], u[1], b[1], 0, r[2], u[2], b[2], 0, -dot(r, eye), -dot(u, eye), -dot(b, eye), 1];
    let reach = 0;
    for (const p of this.points) reach = Math.max(reach, norm(minus(p, this.target_)));
    const near = Math.max(0.02 * distance, distance - 2.5 * reach), far = distance + 4 * reach + distance * 0.1;
    const f = 1 / Math.tan(kFov / 2), aspect = this.width_px_ / this.height_px_;
    const projection = [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0];
    return { view, projection, width: this.width_px_, height: this.height_px_ };
  }

  /** A ground point on the canvas, and how far in front of the eye it is. */
  toScreen(p: Vec3): { p: Point; depth: number } {
    const d = minus(p, this.target_), depth = this.distance() - dot(d, this.back_), s = (this.scale * this.distance()) / depth;
    return { p: [this.width_px_ / 2 + dot(d, this.right_) * s, this.height_px_ / 2 - dot(d, this.upward_) * s], depth };
  }

  /** A direction as it is seen: to the right, upwards, towards the eye. */
  seen(d: Vec3): Vec3 { return [dot(d, this.right_), dot(d, this.upward_), dot(d, this.back_)]; }

  /** The ray through a point of the canvas. */
  ray(px: number, py: number): { from: Vec3; direction: Vec3 } {
    const from = add(this.target_, times(this.back_, this.distance())), s = 1 / this.scale;
    const through = add(this.target_, add(times(this.right_, (px - this.width_px_ / 2) * s), times(this.upward_, (this.height_px_ / 2 - py) * s)));
    return { from, direction: unit(minus(through, from)) };
  }
}
