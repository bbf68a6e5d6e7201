// The mechanism of a page of modes: its pose, carried on by a steady motion if there is one, and moved by the shape of one
// mode. The scene draws it like any other motion.
import type { Body, Page, Series } from './data';
import type { Complex, GoingBody, Mode } from './parts';
import type { Quaternion, Vec3 } from './scene/space/vectors';
import { aboutVector, add, cross, dot, kOrigin, minus, norm, product, rotate, times } from './scene/space/vectors';

/** What is drawn: a mode at `size` metres and a phase of its swing, `seconds` after the start of the steady motion `bodies`. */
export interface Moment { readonly mode: Mode | null; readonly size: number; readonly angle: number; readonly bodies?: readonly (GoingBody | null)[]; readonly seconds?: number }

/** Motion of body coordinates at phase `angle` of the cycle: the real part of shape times exp(i angle). */
const part = (z: Complex, angle: number): number => z.re * Math.cos(angle) - z.im * Math.sin(angle);

/** A pose moved by `motion`: in the plane number by number, in space the turn about axes of the ground comes after the rest. */
function moved(rest: readonly number[], motion: readonly number[]): number[] {
  if (rest.length === 3) return rest.map((value, k) => value + motion[k]);
  const q = product(aboutVector([motion[3], motion[4], motion[5]] as Vec3), rest.slice(3) as unknown as Quaternion);
  return [rest[0] + motion[0], rest[1] + motion[1], rest[2] + motion[2], ...q];
}

/** The way in `t` seconds of a velocity that turns at a constant rate. */
function wayOf(v: Vec3, turn: Vec3, t: number): Vec3 {
  const rate = norm(turn);
  if (rate * t < 1e-9) return times(v, t);
  const n = times(turn, 1 / rate), along = times(n, dot(v, n));
  return add(add(times(along, t), times(minus(v, along), Math.sin(rate * t) / rate)), times(cross(n, v), (1 - Math.cos(rate * t)) / rate));
}

/** The velocity at which all go straight ahead together: the picture goes along. */
export function sharedVelocity(bodies: readonly (GoingBody | null)[]): Vec3 {
  const all = bodies.filter((b) => b !== null), first = all[0];
  return first && all.every((b) => norm(b.turn) === 0 && norm(minus(b.v, first.v)) <= 1e-6 * norm(first.v)) ? first.v : kOrigin;
}

/** Where a body is after `t` seconds: R = exp(turn t) exp((w - turn) t) R0. */
function carriedOn(body: GoingBody, along: Vec3, t: number): number[] {
  const way = wayOf(minus(body.v, along), body.turn, t), p = body.pose;
  if (p.length === 3) return [p[0] + way[0], p[1] + way[1], p[2] + body.w[2] * t];
  const turned = product(aboutVector(times(body.turn, t)), aboutVector(times(minus(body.w, body.turn), t)));
  return [p[0] + way[0], p[1] + way[1], p[2] + way[2], ...product(turned, p.slice(3) as unknown as Quaternion)];
}

/** A motion seen from axes that have turned since the shape was taken. */
function turnedAlong(motion: readonly number[], turn: Vec3, t: number): readonly number[] {
  if (norm(turn) === 0) return motion;
  const q = aboutVector(times(turn, t));
  if (motion.length === 3) return [...rotate(q, [motion[0], motion[1], 0]).slice(0, 2), motion[2]];
  return [...rotate(q, motion.slice(0, 3) as unknown as Vec3), ...rotate(q, motion.slice(3) as unknown as Vec3)];
}

const poseSeries = (body: Body): readonly Series[] => body.pose ?? body.pose3 ?? [];

export class ModesStage {
  /** As the data has it, but with poses of its own. */
  readonly page: Page;
  private readonly rest_: (readonly number[] | null)[];

  /** `framed`: moments for all of which the drawing is framed; they are samples beyond the first, which is the one that is shown. */
  constructor(source: Page, framed: readonly Moment[]) {
    const count = 1 + framed.length;
    this.rest_ = source.bodies.map((b) => (poseSeries(b).length && source.time.length ? poseSeries(b).map((s) => s.values[0]) : null));
    const own = (s: Series): Series => ({ ...s, values: new Float64Array(count) });
    // Rates belong to the state itself, not to the motion that is drawn.
    const series = source.series.filter((s) => !/(_rate|\.angular_velocity\.[xyz])$/.test(s.name));
    this.page = {
      ...source, series, time: Float64Array.from({ length: count }, (_, k) => k), traces: [],
      bodies: source.bodies.map((b) => ({ ...b, pose: b.pose && [own(b.pose[0]), own(b.pose[1]), own(b.pose[2])], pose3: b.pose3 && b.pose3.map(own) })),
      joints: source.joints.map((j) => ({ ...j, force: null, moment: null, moment3: null, contact: null })), loads: source.loads.map((l) => ({ ...l, force: null, moment: null, moment3: null })),
    };
    this.show({ mode: null, size: 0, angle: 0 });
    framed.forEach((moment, k) => this.write(1 + k, moment));
  }

  show(moment: Moment): void { this.write(0, moment); }

  private write(sample: number, { mode, size, angle, bodies, seconds = 0 }: Moment): void {
    const along = bodies ? sharedVelocity(bodies) : kOrigin;
    this.page.bodies.forEach((body, b) => {
      const going = bodies?.[b], rest = going ? carriedOn(going, along, seconds) : this.rest_[b], shape = mode?.shape[b] ?? null;
      const motion = shape?.map((z) => size * part(z, angle));
      const at = rest && motion ? moved(rest, turnedAlong(motion, going?.turn ?? kOrigin, seconds)) : rest;
      poseSeries(body).forEach((s, k) => (s.values[sample] = at ? at[k] : NaN));
    });
  }
}

/** A mode at its largest, to all sides. */
export const extremesOf = (mode: Mode, size: number, of: Omit<Moment, 'mode' | 'size' | 'angle'> = {}): Moment[] =>
  [0, Math.PI / 2, Math.PI, -Math.PI / 2].map((angle) => ({ ...of, mode, size, angle }));
