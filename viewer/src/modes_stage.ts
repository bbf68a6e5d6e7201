// The mechanism of a page of modes: its pose, moved by the shape of one mode. The scene draws it like any other motion.
import type { Page, Series } from './data';
import type { Complex, Mode, ModesPart } from './parts';

/** Motion of body coordinates at phase `angle` of the cycle: the real part of shape times exp(i angle). */
const part = (z: Complex, angle: number): number => z.re * Math.cos(angle) - z.im * Math.sin(angle);

export class ModesStage {
  /** As the data has it, but in the plane with poses of its own. */
  readonly page: Page;
  private readonly rest_: (readonly number[] | null)[];

  constructor(source: Page, private readonly modes: ModesPart) {
    if (source.space !== 'planar') {  // shapes are told in the plane alone
      this.page = source;
      this.rest_ = [];
      return;
    }
    // Samples beyond the first hold every mode at its largest, so that the drawing is framed for all of them; the first is shown.
    const phases = [0, Math.PI / 2, Math.PI, -Math.PI / 2];
    const count = 1 + phases.length * modes.list.length;
    this.rest_ = source.bodies.map(({ pose }) => (pose && source.time.length ? pose.map((s) => s.values[0]) : null));
    const own = (s: Series): Series => ({ ...s, values: new Float64Array(count) });
    this.page = {
      ...source, time: Float64Array.from({ length: count }, (_, k) => k), traces: [],
      bodies: source.bodies.map((b) => ({ ...b, pose: b.pose && [own(b.pose[0]), own(b.pose[1]), own(b.pose[2])] })),
      joints: source.joints.map((j) => ({ ...j, force: null, moment: null })), loads: source.loads.map((l) => ({ ...l, force: null, moment: null })),
    };
    this.write(0, null, 0, 0);
    modes.list.forEach((mode, m) => phases.forEach((phase, k) => this.write(1 + phases.length * m + k, mode, modes.reach, phase)));
  }

  /** Puts the mechanism where the mode has it; `share` of the largest amplitude. */
  pose(mode: Mode | null, share: number, angle: number): void { this.write(0, mode, share * this.modes.reach, angle); }

  private write(sample: number, mode: Mode | null, size: number, angle: number): void {
    if (!this.rest_.length) return;
    this.page.bodies.forEach(({ pose }, b) => {
      const rest = this.rest_[b], shape = mode?.shape[b] ?? null;
      pose?.forEach((s, k) => (s.values[sample] = rest ? rest[k] + (shape ? size * part(shape[k], angle) : 0) : NaN));
    });
  }
}
