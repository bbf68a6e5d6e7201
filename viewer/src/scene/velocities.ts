// Velocities of mass centres over the run, for arrows in plane and space.
import type { Page, Place, Series } from '../data';
import { valueAt, vectorAt } from '../data';
import { spreadSamples } from './geometry';
import { niceTop } from './scales';
import { posesAt } from './space/motion';
import type { Quaternion, Vec3 } from './space/vectors';
import { add, cross, norm, rotate } from './space/vectors';

/** A body whose rates the data has: of its origin, and its angular velocity (in the plane one series). */
export interface Velocity { readonly body: number; readonly rate: readonly Series[]; readonly spin: readonly Series[] }

export class Velocities {
  readonly list: readonly Velocity[];
  /** A nice number near the largest speed; 0 if there is none. */
  readonly scale: number;

  constructor(private readonly page: Page) {
    const byName = new Map(page.series.map((s) => [s.name, s]));
    const all = (names: string[]): Series[] | null => {
      const found = names.map((n) => byName.get(n));
      return found.every((s): s is Series => s !== undefined) ? found : null;
    };
    this.list = page.bodies.flatMap((body, index): Velocity[] => {
      const pose = body.pose3 ?? body.pose;
      const rate = pose && all(pose.slice(0, body.pose3 ? 3 : 2).map((s) => `${s.name}_rate`));
      const spin = all(['x', 'y', 'z'].map((a) => `${body.name}.angular_velocity.${a}`)) ?? (body.pose && all([`${body.pose[2].name}_rate`]));
      return rate && spin ? [{ body: index, rate, spin }] : [];
    });
    const sizes: number[] = [];
    for (const index of this.list.length ? spreadSamples(page.time.length, 100) : []) {
      const at = { index, weight: 0 }, poses = posesAt(page, at);
      for (const v of this.list) sizes.push(norm(this.at(v, at, poses[v.body].q)));
    }
    this.scale = niceTop(sizes);
  }

  /** Of the mass centre, or of the origin where that is not known; `turn` is the body's. */
  at({ body, rate, spin }: Velocity, at: Place, turn: Quaternion): Vec3 {
    const arm = rotate(turn, this.page.bodies[body].com3 ?? [0, 0, 0]);
    return add(vectorAt(rate, at), cross(spin.length === 3 ? vectorAt(spin, at) : [0, 0, valueAt(spin[0].values, at)], arm));
  }

  note(v: Velocity): string { return `velocity of ${this.page.bodies[v.body].name}`; }
}
