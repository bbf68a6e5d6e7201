// Shapes of bodies in space: the contract of DATA.md read, and the shapes of the plane lifted into it.
import type { Shape } from '../../data';
import type { Json } from '../../json';
import { asBytes } from '../../json';
import type { Quaternion, Vec3 } from './vectors';
import { aboutZ, finite, kNoTurn } from './vectors';

export type SpaceShape =
  | { kind: 'rod' | 'cylinder' | 'capsule' | 'tube'; from: Vec3; to: Vec3; radius: number; inner: number }
  | { kind: 'sphere'; centre: Vec3; radius: number }
  | { kind: 'disc'; centre: Vec3; radius: number; thickness: number; turn: Quaternion }
  | { kind: 'box'; centre: Vec3; size: Vec3; turn: Quaternion }
  | { kind: 'polygon'; points: readonly Vec3[] }
  | { kind: 'mesh'; vertices: Float32Array; triangles: Uint32Array }
  | { kind: 'point'; at: Vec3 };

const number = (v: unknown, fallback = 0): number => (typeof v === 'number' && Number.isFinite(v) ? v : fallback);

/** Two or three numbers; the third is 0 where it is missing. */
export function asVec3(v: unknown): Vec3 | null {
  if (!Array.isArray(v) || v.length < 2) return null;
  const out: Vec3 = [v[0], v[1], v.length > 2 ? v[2] : 0];
  return finite(out) ? out : null;
}

/** A quaternion made to unit length; none for anything else. */
export function asTurn(v: unknown): Quaternion | null {
  if (!Array.isArray(v) || v.length !== 4 || !finite(v as number[])) return null;
  const n = Math.hypot(...(v as number[]));
  return n > 0.5 ? (v.map((x: number) => x / n) as unknown as Quaternion) : null;
}

const bytesOf = (v: unknown): ArrayBuffer => (typeof v === 'string' ? asBytes(v, 4) : null) ?? new ArrayBuffer(0);

function readMesh(raw: Json): SpaceShape | null {
  const vertices = new Float32Array(bytesOf(raw.vertices)), all = new Uint32Array(bytesOf(raw.triangles));
  const triangles = all.subarray(0, all.length - (all.length % 3)), count = Math.floor(vertices.length / 3);
  if (!triangles.length || !vertices.every(Number.isFinite) || !triangles.every((i) => i < count)) return null;
  return { kind: 'mesh', vertices, triangles };
}

export function readSpaceShape(raw: Json): SpaceShape | null {
  switch (raw.kind) {
    case 'rod': case 'cylinder': case 'capsule': case 'tube': {
      const from = asVec3(raw.from), to = asVec3(raw.to);
      return from && to && { kind: raw.kind, from, to, radius: number(raw.radius), inner: number(raw.inner) };
    }
    case 'sphere': {
      const centre = asVec3(raw.centre);
      return centre && { kind: 'sphere', centre, radius: number(raw.radius) };
    }
    case 'disc': {
      const centre = asVec3(raw.centre);
      return centre && { kind: 'disc', centre, radius: number(raw.radius), thickness: number(raw.thickness), turn: asTurn(raw.turn) ?? kNoTurn };
    }
    case 'box': {
      const centre = asVec3(raw.centre), size = asVec3(raw.size);
      return centre && size && { kind: 'box', centre, size, turn: asTurn(raw.turn) ?? aboutZ(number(raw.angle)) };
    }
    case 'polygon': {
      const points = Array.isArray(raw.points) ? raw.points.map(asVec3).filter((p): p is Vec3 => p !== null) : [];
      return points.length >= 3 ? { kind: 'polygon', points } : null;
    }
    case 'mesh': return readMesh(raw);
    case 'point': {
      const at = asVec3(raw.at);
      return at && { kind: 'point', at };
    }
    default: return null;
  }
}

const lift = (p: readonly [number, number]): Vec3 => [p[0], p[1], 0];

/** A shape of the plane as something with a thickness of the drawing's choice (0). */
export function liftShape(shape: Shape): SpaceShape {
  switch (shape.kind) {
    case 'rod': return { kind: 'rod', from: lift(shape.from), to: lift(shape.to), radius: 0, inner: 0 };
    case 'disc': return { kind: 'disc', centre: lift(shape.centre), radius: shape.radius, thickness: 0, turn: kNoTurn };
    case 'box': return { kind: 'box', centre: lift(shape.centre), size: lift(shape.size), turn: aboutZ(shape.angle ?? 0) };
    case 'polygon': return { kind: 'polygon', points: shape.points.map(lift) };
    default: return { kind: 'point', at: lift(shape.at) };
  }
}
