// Maps ground axes (metres, y up) to the canvas (CSS pixels, y down), with zoom, pan and framing.
import type { Point } from '../data';

export interface Box { x0: number; y0: number; x1: number; y1: number }

export class Camera {
  /** Pixels per metre. */
  scale = 100;
  private cx_ = 0;
  private cy_ = 0;
  private width_ = 1;
  private height_ = 1;
  private moved_ = false;
  private fitScale_ = 100;

  constructor(private readonly box: Box) {}

  get width(): number { return this.width_; }
  get height(): number { return this.height_; }
  /** True once the user has left the framed view. */
  get moved(): boolean { return this.moved_; }

  resize(width: number, height: number): void {
    this.width_ = Math.max(1, width);
    this.height_ = Math.max(1, height);
    if (!this.moved_) this.fit();
  }

  fit(): void {
    const { x0, y0, x1, y1 } = this.box;
    const margin = Math.min(64, 0.14 * Math.min(this.width_, this.height_));
    // Controls lie along the top edge and the scale bar along the bottom.
    const top = margin + 26, bottom = margin + 14;
    const w = Math.max(10, this.width_ - 2 * margin), h = Math.max(10, this.height_ - top - bottom);
    const span = Math.max(x1 - x0, y1 - y0, 1e-12);
    this.scale = Math.min(w / Math.max(x1 - x0, 1e-3 * span), h / Math.max(y1 - y0, 1e-3 * span));
    this.fitScale_ = this.scale;
    this.cx_ = (x0 + x1) / 2;
    this.cy_ = (y0 + y1) / 2 + (top - bottom) / 2 / this.scale;
    this.moved_ = false;
  }

  toScreen(x: number, y: number): Point {
    return [this.width_ / 2 + (x - this.cx_) * this.scale, this.height_ / 2 - (y - this.cy_) * this.scale];
  }

  toWorld(px: number, py: number): Point {
    return [this.cx_ + (px - this.width_ / 2) / this.scale, this.cy_ - (py - this.height_ / 2) / this.scale];
  }

  panBy(dx_px: number, dy_px: number): void {
    this.cx_ -= dx_px / this.scale;
    this.cy_ += dy_px / this.scale;
    this.moved_ = true;
  }

  /** Zooms so that the point under (px, py) stays there. */
  zoomAt(px: number, py: number, factor: number): void {
    const [x, y] = this.toWorld(px, py);
    this.scale = Math.min(this.fitScale_ * 1e4, Math.max(this.fitScale_ / 50, this.scale * factor));
    this.cx_ = x - (px - this.width_ / 2) / this.scale;
    this.cy_ = y + (py - this.height_ / 2) / this.scale;
    this.moved_ = true;
  }
}
