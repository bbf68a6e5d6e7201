// Instant centres: where two bodies have the same velocity, and the theorem of Aronhold and Kennedy on three of them.
//
//   P with v_1 + w_1 x (P - p_1) = v_2 + w_2 x (P - p_2)           as `linkwork kinematics` has it
import type { Page, Place } from '../data';
import type { BodyMotion, Mechanics } from './mechanics';
import { kAtRest, pointOf } from './mechanics';
import { motionsAt } from './points';

export type Spot = readonly [number, number];

/** Links are numbered as in textbooks: 1 the ground, then the bodies in their order. */
export interface Centre {
  readonly i: number;
  readonly j: number;
  /** In ground axes, metres; null where it is at infinity or nowhere. */
  readonly at: Spot | null;
  /** Where it is at infinity: the direction to it. Null too: the two do not move against each other. */
  readonly direction: Spot | null;
  /** The joint that holds them together, if they have one. */
  readonly joint: string | null;
}

/** Below this share of the two rates the difference is none, as in the program. */
const kSameRate = 1e-12;
/** Farther away than this many metres from the origin, in units of the places of the bodies, it is at infinity but for rounding. */
const kInfinity = 1e9;

interface JointOfTwo { readonly i: number; readonly j: number; readonly name: string; readonly kind: string; readonly body: number; readonly point: readonly [number, number, number]; readonly angle: number }

export class InstantCentres {
  readonly names: readonly string[];
  private readonly joints_: JointOfTwo[] = [];

  private readonly joined_ = new Set<number>();
  private readonly hinges_ = new Map<number, JointOfTwo>();

  constructor(page: Page, private readonly mechanics: Mechanics) {
    this.names = ['ground', ...mechanics.bodies.map((b) => b.name)];
    const link = (body: number): number => (body < 0 ? 1 : 2 + mechanics.bodies.findIndex((b) => b.name === page.bodies[body].name));
    for (const joint of page.joints) {
      const [a, b] = [link(joint.first.body), link(joint.second.body)];
      const frame = joint.first.body >= 0 ? joint.first : joint.second;
      if (a > 0 && b > 0 && a !== b) this.joints_.push({ i: Math.min(a, b), j: Math.max(a, b), name: joint.name, kind: joint.kind, body: link(frame.body) - 2, point: [frame.point[0], frame.point[1], 0], angle: frame.angle });
    }
    for (const joint of this.joints_) {
      const key = joint.i * (this.links + 1) + joint.j;
      this.joined_.add(key);
      if (!this.hinges_.has(key) || (joint.kind === 'revolute' && this.hinges_.get(key)!.kind !== 'revolute')) this.hinges_.set(key, joint);
    }
  }

  get links(): number { return this.names.length; }
  joined(i: number, j: number): boolean { return this.joined_.has(Math.min(i, j) * (this.links + 1) + Math.max(i, j)); }

  /** All triples of links, or those of which at least two pairs are joined. */
  triples(all: boolean): Triple[] {
    const out = new Map<string, Triple>();
    const put = (...three: [number, number, number]): void => {
      const sorted = three.sort((a, b) => a - b);
      out.set(sorted.join(), sorted);
    };
    for (let i = 1; i <= this.links; i++) {
      const others = Array.from({ length: this.links }, (_, k) => k + 1).filter((k) => (all ? k > i : k !== i && this.joined(i, k)));
      others.forEach((j, n) => others.slice(n + 1).forEach((k) => put(i, j, k)));
    }
    return [...out.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  }

  /** Every pair, i < j. */
  at(place: Place): Centre[] {
    const motions = motionsAt(this.mechanics, place), out: Centre[] = [];
    for (let i = 1; i <= this.links; i++) for (let j = i + 1; j <= this.links; j++) out.push(this.centre(motions, i, j));
    return out;
  }

  /** Those with the ground and of joined links. */
  mainAt(place: Place): Centre[] {
    const motions = motionsAt(this.mechanics, place), out: Centre[] = [];
    for (let j = 2; j <= this.links; j++) out.push(this.centre(motions, 1, j));
    for (const { i, j } of this.hinges_.values()) if (i > 1) out.push(this.centre(motions, i, j));
    return out;
  }

  private centre(motions: readonly BodyMotion[], i: number, j: number): Centre {
    // The hinge of two links, or else their first joint.
    const joint = this.hinges_.get(i * (this.links + 1) + j), hinge = joint?.kind === 'revolute' ? joint : undefined;
    const named = { i, j, joint: joint?.name ?? null };
    if (hinge) {
      const [x, y] = pointOf(motions[hinge.body], hinge.point);
      return { ...named, at: Number.isFinite(x + y) ? [x, y] : null, direction: null };
    }
    const of = (n: number): BodyMotion => (n === 1 ? kAtRest : motions[n - 2]);
    const atOrigin = (m: BodyMotion): Spot => [m.velocity[0] + m.spin[2] * m.origin[1], m.velocity[1] - m.spin[2] * m.origin[0]];
    const [a, b] = [of(j), of(i)], w = a.spin[2] - b.spin[2];
    const va = atOrigin(a), vb = atOrigin(b), d: Spot = [vb[0] - va[0], vb[1] - va[1]], speed = Math.hypot(...d);
    const x = d[1] / w, y = -d[0] / w, here = 1 + Math.hypot(a.origin[0], a.origin[1]) + Math.hypot(b.origin[0], b.origin[1]);
    if (Math.abs(w) > kSameRate * (Math.abs(a.spin[2]) + Math.abs(b.spin[2])) && Math.hypot(x, y) < kInfinity * here) return { ...named, at: [x, y], direction: null };
    return { ...named, at: null, direction: speed > 0 ? [-d[1] / speed, d[0] / speed] : null };
  }
}

/** Three links, ascending. */
export type Triple = readonly [number, number, number];

/** Place of the pair i < j in the list of all pairs. */
export const pairIndex = (i: number, j: number, links: number): number => ((i - 1) * (2 * links - i)) / 2 + (j - i - 1);

export interface Kennedy { readonly links: readonly [number, number, number]; /** Distance of one from the line of the other two, m. */ readonly off: number; readonly span: number }

/** Three links have their three centres on one line: how far they are from it. */
export function kennedy(centres: readonly Centre[], links: number, triples: readonly Triple[]): Kennedy[] {
  const find = (i: number, j: number): Centre => centres[pairIndex(i, j, links)];
  const out: Kennedy[] = [];
  for (const [i, j, k] of triples) {
    const three = [find(i, j), find(j, k), find(i, k)];
    const near = three.filter((c) => c.at), far = three.filter((c) => !c.at && c.direction);
    if (near.length === 3) {
      const [p, q, r] = near.map((c) => c.at!);
      const sides = [[p, q, r], [q, r, p], [r, p, q]].map(([a, b, c]) => ({ length: Math.hypot(b[0] - a[0], b[1] - a[1]), area: Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) }));
      const longest = sides.reduce((m, s) => (s.length > m.length ? s : m));
      out.push({ links: [i, j, k], off: longest.length > 0 ? longest.area / longest.length : 0, span: longest.length });
    } else if (near.length === 2 && far.length === 1) {
      const [p, q] = near.map((c) => c.at!), d = far[0].direction!;
      out.push({ links: [i, j, k], off: Math.abs((q[0] - p[0]) * d[1] - (q[1] - p[1]) * d[0]), span: Math.hypot(q[0] - p[0], q[1] - p[1]) });
    }
  }
  return out;
}
