// The mechanism of a page of modes: its pose, moved by the shape of one mode. The scene draws it like any other motion.
import type { Body, Page, Series } from './data';
import type { Complex, Mode, ModesPart } from './parts';
import type { Quaternion, Vec3 } from './scene/space/vectors';
import { aboutVector, product } from './scene/space/vectors';

/** Motion of body coordinates at phase `angle` of the cycle: the real part of shape times exp(i angle). */
const part = (z: Complex, angle: number): number => z.re * Math.cos(angle) - z.im * Math.sin(angle);

/** A pose moved by `motion`: in the plane number by number, in space the turn about axes of the ground comes after the rest. */
function moved(rest: readonly number[], motion: readonly number[]): number[] {
  if (rest.length === 3) return rest.map((value, k) => value + motion[k]);
  const q = product(aboutVector([motion[3], motion[4], motion[5]] as Vec3), rest.slice(3) as unknown as Quaternion);
  return [rest[0] + motion[0], rest[1] + motion[1], rest[2] + motion[2], ...q];
}

const poseSeries = (body: Body): readonly Series[] => body.pose ?? body.pose3 ?? [];

export class ModesStage {
  /** As the data has it, but with poses of its own. */
  readonly page: Page;
  private readonly rest_: (readonly number[] | null)[];

  constructor(source: Page, private readonly modes: ModesPart) {
    // Samples beyond the first hold every mode at its largest, so that the drawing is framed for all of them; the first is shown.
    const phases = [0, Math.PI / 2, Math.PI, -Math.PI / 2];
    const count = 1 + phases.length * modes.list.length;
    this.rest_ = source.bodies.map((b) => (poseSeries(b).length && source.time.length ? poseSeries(b).map((s) => s.values[0]) : null));
    const own = (s: Series): Series => ({ ...s, values: new Float64Array(count) });
    // Rates belong to the state itself, not to the motion that is drawn.
    const series = source.series.filter((s) => !/(_rate|\.angular_velocity\.[xyz])$/.test(s.name));
    this.page = {
      ...source, series, time: Float64Array.from({ length: count }, (_, k) => k), traces: [],
      bodies: source.bodies.map((b) => ({ ...b, pose: b.pose && [own(b.pose[0]), own(b.pose[1]), own(b.pose[2])], pose3: b.pose3 && b.pose3.map(own) })),
      joints: source.joints.map((j) => ({ ...j, force: null, moment: null, moment3: null })), loads: source.loads.map((l) => ({ ...l, force: null, moment: null, moment3: null })),
    };
    this.write(0, null, 0, 0);
    modes.list.forEach((mode, m) => phases.forEach((phase, k) => this.write(1 + phases.length * m + k, mode, modes.reach, phase)));
  }

  /** Puts the mechanism where the mode has it; `share` of the largest amplitude. */
  pose(mode: Mode | null, share: number, angle: number): void { this.write(0, mode, share * this.modes.reach, angle); }

  private write(sample: number, mode: Mode | null, size: number, angle: number): void {
    this.page.bodies.forEach((body, b) => {
      const rest = this.rest_[b], shape = mode?.shape[b] ?? null;
      const at = rest && shape ? moved(rest, shape.map((z) => size * part(z, angle))) : rest;
      poseSeries(body).forEach((s, k) => (s.values[sample] = at ? at[k] : NaN));
    });
  }
}
