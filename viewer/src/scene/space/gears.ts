// Gears, racks and couplings in space: toothed rims on their bodies, racks, dashed ties.
import type { Frame } from '../../data';
import type { Gearing, Rack, Wheel } from '../gearing';
import { onWheel } from '../gearing';
import type { Solid, SolidBuilder } from './solid';
import { Tint } from './solid';
import type { Vec3 } from './vectors';
import { add, cross, minus, times, unit } from './vectors';

export interface GearContext {
  readonly u: number;
  builder(body: number): SolidBuilder;
  partOf(relation: number): number;
  tie(part: number): Solid;
  link(solid: Solid, first: Frame, second: Frame): void;
}

/** Half the width of a wheel along its pitch line. */
const half = (wheel: { radius: number }, u: number): number => Math.min(1.3 * u, 0.35 * wheel.radius);

/** In the half plane of axis and radius: along the pitch line away from the apex, and outwards across it. */
function directions({ axis, cone }: Wheel, radial: Vec3): { along: Vec3; out: Vec3 } {
  const c = Math.cos(cone), s = Math.sin(cone);
  return { along: add(times(axis, c), times(radial, s)), out: add(times(axis, -s), times(radial, c)) };
}

function buildWheel(b: SolidBuilder, wheel: Wheel, u: number): void {
  const { radius, teeth, inner, cone, axis, centre } = wheel, h = (1.8 * radius) / teeth, sign = inner ? -1 : 1, w = half(wheel, u);
  // From the apex side to the other; a cone's wheel ends at the circle where it touches.
  const [w0, w1] = cone > 0 ? [-2 * w, 0] : [-w, w], c = Math.cos(cone), s = Math.sin(cone), rim = Math.min(2.2 * h, 0.5 * radius);
  const at = (along: number, level: number): [number, number] => [along * c - level * s, Math.max(0, radius + along * s + level * c)];
  b.tint = inner && wheel.body < 0 ? Tint.rail : Tint.linkDark;
  const [low, high] = inner ? [h, h + rim] : [-h - rim, -h];
  b.along(centre, axis, () => b.revolve([at(w0, low), at(w0, high), at(w1, high), at(w1, low), at(w0, low)], { sides: 2 * b.sides }));
  for (let k = 0; k < teeth; k++) {
    const radial = unit(minus(onWheel(wheel, (2 * Math.PI * k) / teeth), centre)), { along, out } = directions(wheel, radial);
    const middle = add(onWheel(wheel, (2 * Math.PI * k) / teeth), times(along, (w0 + w1) / 2));
    b.along(middle, along, () => b.box([w1 - w0, 2.2 * h, (0.46 * 2 * Math.PI * radius) / teeth], [0, 0, 0]), times(out, sign));
  }
}

function buildRack(b: SolidBuilder, rack: Rack, u: number): void {
  const h = (0.9 * rack.pitch) / Math.PI, side = cross(rack.along, rack.up), width = Math.min(2.6 * u, 4 * rack.pitch), length = rack.high - rack.low;
  b.tint = Tint.linkDark;
  const at = (s: number, level: number): Vec3 => add(rack.point, add(times(rack.along, s), times(rack.up, level)));
  b.along(at((rack.low + rack.high) / 2, -2.2 * h), rack.along, () => b.box([length, 2.4 * h, width]), rack.up);
  for (let k = Math.ceil(rack.low / rack.pitch); (k + 1) * rack.pitch <= rack.high; k++) b.along(at((k + 0.5) * rack.pitch, 0), side, () => b.box([width, 2.2 * h, 0.46 * rack.pitch]), rack.up);
}

export function buildGearing(context: GearContext, { wheels, racks, ties }: Gearing): void {
  const on = (body: number, relation: number, make: (b: SolidBuilder) => void): void => {
    const b = context.builder(body);
    b.part = context.partOf(relation);
    make(b);
  };
  for (const wheel of wheels) on(wheel.body, wheel.relation, (b) => buildWheel(b, wheel, context.u));
  for (const rack of racks) on(rack.body, rack.relation, (b) => buildRack(b, rack, context.u));
  for (const { relation, ends } of ties) {
    for (let k = 0; k + 1 < ends.length; k++) context.link(context.tie(context.partOf(relation)), ends[k], ends[k + 1]);
  }
}
