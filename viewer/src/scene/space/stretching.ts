// Solids of one metre that stretch between two points: springs, dampers, actuators, rods of fixed length, arrows.
import type { Solid } from './solid';
import { SolidBuilder, Tint, kDashed } from './solid';
import type { Vec3 } from './vectors';

type Profile = (readonly [number, number, number?])[];

/** Builders by the number of sides of what is round; all sizes in the drawing's unit u. */
export class Stretching {
  constructor(private readonly u: number, private readonly sides: number) {}

  private make(part: number, tint: number, pieces: (b: SolidBuilder) => void): Solid {
    const builder = new SolidBuilder(this.sides);
    builder.part = part;
    builder.tint = tint;
    pieces(builder);
    return builder.finish();
  }

  private ends(b: SolidBuilder, radius: number): void {
    const n = 6, arc = (k: number): number => (Math.PI * k) / n;
    for (const along of [0, 1]) {
      const profile: Profile = Array.from({ length: n + 1 }, (_, k) => [-radius * Math.cos(arc(k)), radius * Math.max(0, Math.sin(arc(k))), along]);
      b.revolve(profile, { smooth: true });
    }
  }

  /** A coil between straight ends, at a distance from the middle line. */
  private coil(b: SolidBuilder, side: number): void {
    const { u } = this, turns = 8, steps = turns * 14, lead = 0.14, path: { p: Vec3; along: number }[] = [{ p: [0, side, 0], along: 0 }, { p: [0, side, 0], along: lead * 0.8 }];
    for (let i = 0; i <= steps; i++) {
      const w = i / steps, a = 2 * Math.PI * turns * w, r = 1.35 * u * Math.min(1, 12 * w, 12 * (1 - w));
      path.push({ p: [0, side + r * Math.cos(a), r * Math.sin(a)], along: lead + (1 - 2 * lead) * w });
    }
    path.push({ p: [0, side, 0], along: 1 - lead * 0.8 }, { p: [0, side, 0], along: 1 });
    b.wire(path, 0.26 * u, 6);
  }

  /** A cup that stays at the first end and a piston at the second. */
  private dashpot(b: SolidBuilder, side: number): void {
    const { u } = this;
    b.inside({ p: [0, side, 0], q: [1, 0, 0, 0] }, () => {
      b.tint = Tint.spring;
      b.revolve([[0, 0, 0], [0, 0.3 * u, 0], [0, 0.3 * u, 0.3]]);
      b.revolve([[0, 0, 0.3], [0, 1.2 * u, 0.3], [0, 1.2 * u, 0.62], [0, 0.95 * u, 0.62], [0, 0.95 * u, 0.32]]);
      b.tint = Tint.metal;
      b.revolve([[0, 0, 0.5], [0, 0.9 * u, 0.5], [0, 0.9 * u, 0.56], [0, 0.36 * u, 0.56], [0, 0.36 * u, 1], [0, 0, 1]]);
    });
  }

  spring(part: number): Solid {
    return this.make(part, Tint.spring, (b) => { this.coil(b, 0); this.ends(b, 0.6 * this.u); });
  }

  damper(part: number): Solid {
    return this.make(part, Tint.spring, (b) => { this.dashpot(b, 0); this.ends(b, 0.6 * this.u); });
  }

  springDamper(part: number): Solid {
    const { u } = this;
    return this.make(part, Tint.spring, (b) => {
      this.coil(b, -1.7 * u);
      this.dashpot(b, 1.7 * u);
      b.tint = Tint.spring;
      for (const along of [0, 1]) b.wire([{ p: [0, -1.7 * u, 0], along }, { p: [0, 1.7 * u, 0], along }], 0.3 * u, 6);
      this.ends(b, 0.6 * u);
    });
  }

  /** Cylinder and rod. */
  actuator(part: number): Solid {
    const { u } = this;
    return this.make(part, Tint.accent, (b) => {
      b.revolve([[0, 0, 0], [0, 1.1 * u, 0], [0, 1.1 * u, 0.55], [0, 0, 0.55]]);
      b.tint = Tint.metal;
      b.revolve([[0, 0, 0.5], [0, 0.55 * u, 0.5], [0, 0.55 * u, 1], [0, 0, 1]]);
      this.ends(b, 0.8 * u);
    });
  }

  /** A thin rod: a distance that stays. */
  strut(part: number): Solid {
    return this.make(part, Tint.metal, (b) => b.revolve([[0, 0, 0], [0, 0.42 * this.u, 0], [0, 0.42 * this.u, 1], [0, 0, 1]]));
  }

  /** A thin dashed line: coordinates that go together. */
  tie(part: number): Solid {
    return this.make(part, Tint.muted + kDashed, (b) => b.revolve([[0, 0, 0], [0, 0.22 * this.u, 0], [0, 0.22 * this.u, 1], [0, 0, 1]]));
  }

  /** An arrow from the origin; moments have two heads. */
  arrow(part: number, tint: number, options: { dashed?: boolean; heads?: number; width?: number } = {}): Solid {
    const { u } = this, { dashed = false, heads = 1, width = 1 } = options, shaft = 0.32 * u * width, head = 2.1 * u * width, wide = 0.95 * u * width, back = head * (heads > 1 ? 1.7 : 1);
    return this.make(part, tint + (dashed ? kDashed : 0), (b) => {
      b.revolve([[0, 0, 0], [0, shaft, 0], [-back, shaft, 1], [-back, 0, 1]]);
      b.tint = tint;
      for (let k = 0; k < heads; k++) b.revolve([[-head - 0.7 * k * head, 0, 1], [-head - 0.7 * k * head, wide, 1], [-0.7 * k * head, 0, 1]]);
    });
  }

  /** Least length of an arrow whose head keeps its size. */
  get headLength(): number { return 2.1 * this.u; }
}

/** An arrow bent about x, counter-clockwise as seen from its tip side; for drives and couples. */
export function bentArrow(b: SolidBuilder, radius: number, wire: number, sign: number): void {
  const end = 1.45 * Math.PI, n = 24;
  const at = (a: number): Vec3 => [0, radius * Math.cos(sign * a), radius * Math.sin(sign * a)];
  b.wire(Array.from({ length: n + 1 }, (_, i) => ({ p: at((end * i) / n) })), wire, 8);
  const tip = at(end), forward: Vec3 = [0, -Math.sin(sign * end) * sign, Math.cos(sign * end) * sign];
  b.along(tip, forward, () => b.revolve([[0, 0], [0, 2.6 * wire], [6 * wire, 0]]));
}
