// Page data of gears with motions known exactly: a planetary gear beside a rack and a coupling in the plane, bevel gears in space.
import { encode } from './sample.mjs';
import { ground as groundInSpace, on as onInSpace } from './sample_space.mjs';

const ground = (point, angle = 0) => ({ body: null, point, angle });
const on = (body, point, angle = 0) => ({ body, point, angle });
const term = (joint, coordinate, coefficient) => ({ joint, coordinate, coefficient });

/** Sun and planet with radius r, the ring with 3 r; pinion and rack to the right of them. */
export const kGears = { r: 0.05, pinion: 0.04, at: [0.4, 0] };

const poseOf = (name) => [`${name}.x`, `${name}.y`, `${name}.angle`];

function pageOf(title, space, parts, columns, times) {
  return {
    format: 'linkwork-page', version: 1, title, space, dof: 1, model: { file: 'gears.toml', text: 'linkwork = 1\n[joints]\n# inner\n# outer\n', description: '' },
    run: { formulation: 'absolute', integrator: 'dopri5', status: 'complete', message: '' }, provenance: [], ledger: [], ledgerTable: [], warnings: [], drives: [], loads: [], traces: [],
    gravity: [0, -9.81, 0], plots: [], equations: null, ...parts, time: encode(times),
    series: Object.entries(columns).map(([name, values]) => ({ name, unit: name.endsWith('effort') ? 'N*m' : 'm', group: name.split('.')[0], label: name.split('.').slice(1).join('.'), values: encode(values) })),
  };
}

/** The ring stands still: arm at a, sun at 4 a, planet at -2 a. The rack goes by the pinion's radius times its angle. */
export function gears(samples = 101) {
  const { r, pinion, at } = kGears, columns = {}, times = [];
  const put = (name, ...values) => poseOf(name).forEach((n, k) => (columns[n] ??= []).push(values[k]));
  for (let i = 0; i < samples; i++) {
    const t = (2 * i) / (samples - 1), a = 0.7 * t, b = Math.sin(2 * t);
    times.push(t);
    put('arm', 0, 0, a);
    put('sun', 0, 0, 4 * a);
    put('planet', 2 * r * Math.cos(a), 2 * r * Math.sin(a), -2 * a);
    put('pinion', ...at, b);
    put('bar', at[0] + pinion * b, at[1] - pinion, 0);
    (columns['inner.effort'] ??= []).push(1 + t);
  }
  const body = (name, shapes) => ({ name, pose: poseOf(name), com: [0, 0], shapes });
  const joint = (name, kind, first, second) => ({ name, kind, first, second });
  return pageOf('gears', 'planar', {
    bodies: [body('arm', [{ kind: 'rod', from: [0, 0], to: [2 * r, 0] }]), body('sun', []), body('planet', []), body('pinion', []), body('bar', [])],
    joints: [
      joint('A', 'revolute', ground([0, 0]), on('arm', [0, 0])), joint('S', 'revolute', on('arm', [0, 0]), on('sun', [0, 0])), joint('P', 'revolute', on('arm', [2 * r, 0]), on('planet', [0, 0])),
      joint('H', 'revolute', ground(at), on('pinion', [0, 0])), joint('G', 'prismatic', ground([at[0], at[1] - pinion]), on('bar', [0, 0])),
    ],
    relations: [
      { name: 'inner', kind: 'gear', line: 3, text: 'S.angle + P.angle = 0', terms: [term('S', 'angle', 1), term('P', 'angle', 1)] },
      { name: 'outer', kind: 'gear', line: 4, text: 'P.angle + 3*A.angle = 0', terms: [term('P', 'angle', 1), term('A', 'angle', 3)] },
      { name: 'rack', kind: 'rack', text: 'G.slide - 0.04*H.angle = 0', terms: [term('H', 'angle', -pinion), term('G', 'slide', 1)] },
      { name: 'tie', kind: 'coupling', text: 'A.angle - H.angle = 0', terms: [term('A', 'angle', 1), term('H', 'angle', -1)] },
    ],
  }, columns, times);
}

export const kBevel = { side: 0.08, teeth: [20, 10] };

/** A wheel about y and a pinion about x, of half its size, on axes that meet in the origin; the pinion is held at x = side. */
export function bevelGears(samples = 41) {
  const { side, teeth } = kBevel, columns = {}, times = [], ratio = teeth[0] / teeth[1];
  const names = (b) => [`${b}.x`, `${b}.y`, `${b}.z`, ...['w', 'x', 'y', 'z'].map((a) => `${b}.orientation.${a}`)];
  const about = (axis, angle) => [Math.cos(angle / 2), ...axis.map((x) => x * Math.sin(angle / 2))];
  const put = (name, p, q) => names(name).forEach((n, k) => (columns[n] ??= []).push([...p, ...q][k]));
  for (let i = 0; i < samples; i++) {
    const t = (2 * i) / (samples - 1);
    times.push(t);
    put('wheel', [0, 0, 0], about([0, 1, 0], t));
    put('pinion', [side, 0, 0], about([1, 0, 0], -ratio * t));
  }
  const zToX = about([0, 1, 0], Math.PI / 2), zToY = about([1, 0, 0], -Math.PI / 2);
  const body = (name) => ({ name, pose: names(name), com: [0, 0, 0], points: [], shapes: [] });
  return pageOf('bevel gears', 'spatial', {
    bodies: [body('wheel'), body('pinion')],
    joints: [
      { name: 'W', kind: 'revolute', first: groundInSpace([0, 0, 0], zToY), second: onInSpace('wheel', [0, 0, 0], zToY) },
      { name: 'N', kind: 'revolute', first: groundInSpace([side, 0, 0], zToX), second: onInSpace('pinion', [0, 0, 0], zToX) },
    ],
    relations: [{ name: 'bevel', kind: 'gear', text: '2*W.angle + N.angle = 0', terms: [term('W', 'angle', ratio), term('N', 'angle', 1)] }],
    gravity: [0, 0, -9.81],
  }, columns, times);
}
