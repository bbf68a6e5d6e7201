// The mechanism as it stands on the canvas at one time: poses, camera and the size of symbols.
import type { Frame, Joint, Page, Place, Point } from '../data';
import { vectorAt } from '../data';
import type { Camera } from './camera';
import type { Motion, Pose } from './geometry';
import { apply, blockFrame, frameIn } from './geometry';

const kFewBodies = 14;  // up to this many, symbols stay large even in a small window

export class View {
  poses: readonly Pose[] = [];
  /** Among the samples. */
  moment: Place = { index: 0, weight: 0 };

  constructor(readonly page: Page, readonly camera: Camera, readonly motion: Motion) {}

  /** Radius of a hinge circle, in pixels: the unit of all symbols. */
  get u(): number {
    const least = this.page.bodies.length <= kFewBodies ? 3.4 : 2;
    return Math.min(7, Math.max(least, 0.036 * this.motion.linkLength * this.camera.scale));
  }

  /** A point of the ground axes on the canvas. */
  at(x: number, y: number): Point { return this.camera.toScreen(x, y); }

  /** A point of a body on the canvas. */
  on(body: number, p: Readonly<Point>): Point { return this.at(...apply(this.poses[body], p)); }

  /** A frame on the canvas: its origin and the direction of its x axis (clockwise, as the canvas has it). */
  frame(f: Frame): { p: Point; angle: number; finite: boolean } {
    const pose = frameIn(this.poses, f);
    return { p: this.at(pose.x, pose.y), angle: -pose.angle, finite: Number.isFinite(pose.x + pose.y + pose.angle) };
  }

  /** Where a joint acts: at its point, or where bodies touch that roll. */
  joint(joint: Joint): { p: Point; angle: number; finite: boolean } {
    const frame = this.frame(joint.kind === 'prismatic' ? blockFrame(joint) : joint.first);
    if (!joint.contact) return frame;
    const [x, y] = vectorAt(joint.contact, this.moment);
    return { p: this.at(x, y), angle: frame.angle, finite: Number.isFinite(x + y) };
  }

  /** Whether the body has a place at this time. */
  placed(body: number): boolean {
    const pose = this.poses[body];
    return pose !== undefined && Number.isFinite(pose.x + pose.y + pose.angle);
  }
}
