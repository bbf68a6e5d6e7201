// Page data in space without the engine: motions known exactly, a gallery of joints, and a large swarm for measuring speed.
import { encode } from './sample.mjs';

const kGravity = 9.81;

export const product = ([a, b, c, d], [e, f, g, h]) => [a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e];
const about = (axis, angle) => [Math.cos(angle / 2), ...axis.map((x) => x * Math.sin(angle / 2))];
export const rotate = (q, v) => product(product(q, [0, ...v]), [q[0], -q[1], -q[2], -q[3]]).slice(1);
const add = (a, b) => a.map((x, k) => x + b[k]);
const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];

const kNone = [1, 0, 0, 0];
const kZtoX = about([0, 1, 0], Math.PI / 2);  // a frame whose z axis is x
export const ground = (point, turn = kNone) => ({ body: null, point, turn });
export const on = (body, point, turn = kNone) => ({ body, point, turn });

class Columns {
  constructor() { this.list = new Map(); this.time = []; }
  put(name, unit, value, unique = true) {
    if (!this.list.has(name)) {
      const dot = name.indexOf('.');
      this.list.set(name, { name, unit, group: name.slice(0, dot), label: name.slice(dot + 1).replace(/[._]/g, ' '), values: [], ...(unique ? {} : { unique }) });
    }
    this.list.get(name).values.push(value);
  }
  vector(name, unit, v, unique = [true, true, true]) { ['x', 'y', 'z'].forEach((a, k) => this.put(`${name}.${a}`, unit, v[k], unique[k])); }
  body(name, p, q, v = [0, 0, 0], w = [0, 0, 0]) {
    ['x', 'y', 'z'].forEach((a, k) => this.put(`${name}.${a}`, 'm', p[k]));
    ['w', 'x', 'y', 'z'].forEach((a, k) => this.put(`${name}.orientation.${a}`, '', q[k]));
    ['x', 'y', 'z'].forEach((a, k) => this.put(`${name}.${a}_rate`, 'm/s', v[k]));
    this.vector(`${name}.angular_velocity`, 'rad/s', w);
  }
  get data() { return { time: encode(this.time), series: [...this.list.values()].map((s) => ({ ...s, values: encode(s.values) })) }; }
}

const poseNames = (b) => [`${b}.x`, `${b}.y`, `${b}.z`, ...['w', 'x', 'y', 'z'].map((a) => `${b}.orientation.${a}`)];
const vectorNames = (n) => [`${n}.x`, `${n}.y`, `${n}.z`];

function page(title, parts, columns) {
  return {
    format: 'linkwork-page', version: 1, title, space: 'spatial', dof: 1,
    model: { file: 'sample.toml', text: 'linkwork = 1\nspace = "spatial"\n', description: '' },
    run: { formulation: 'absolute', stabilisation: 'projection', integrator: 'dopri5', status: 'complete', message: '' },
    provenance: [], ledger: [], ledgerTable: [], warnings: [], drives: [], loads: [], traces: [], joints: [], gravity: [0, 0, -kGravity], plots: [], equations: null,
    ...parts, ...columns.data,
  };
}

export const kCone = { length: 0.6, tilt: 0.5, mass: 2, top: 1 };

/** The turn of the conical pendulum at time t: tilted about y, carried round about z. */
export function coneTurn(t) {
  const { length, tilt } = kCone, rate = Math.sqrt(kGravity / ((length / 2) * Math.cos(tilt)) * 0.75);
  return { q: product(about([0, 0, 1], rate * t), about([0, 1, 0], -tilt)), rate };
}

/** A rod that circles on a ball, with a spring, a force in its own axes, a couple and a joint whose reaction is not unique along z. */
export function conicalPendulum(samples = 201) {
  const { length, mass, top } = kCone, c = new Columns(), com = [0, 0, -length / 2];
  for (let i = 0; i < samples; i++) {
    const t = (4 * i) / (samples - 1), { q, rate } = coneTurn(t), w = [0, 0, rate], arm = rotate(q, com);
    const inward = cross(w, cross(w, arm));
    c.time.push(t);
    c.body('rod', [0, 0, top], q, [0, 0, 0], w);
    c.vector('ball.force', 'N', [mass * inward[0], mass * inward[1], mass * kGravity]);
    c.vector('stay.force', 'N', [4 * Math.cos(t), 4 * Math.sin(t), 12], [true, true, false]);
    c.vector('push.force', 'N', [3, 0, 0]);
    c.put('twist.moment', 'N*m', Math.cos(2 * t));
    c.put('ball.angle', 'rad', rate * t);
  }
  return page('conical pendulum', {
    bodies: [{ name: 'rod', line: 3, pose: poseNames('rod'), com, points: [], shapes: [{ kind: 'rod', from: [0, 0, 0], to: [0, 0, -length], radius: 0.02 }] }],
    joints: [
      { name: 'ball', kind: 'spherical', line: 4, first: ground([0, 0, top]), second: on('rod', [0, 0, 0]), reaction: { force: vectorNames('ball.force'), unique: true } },
      { name: 'stay', kind: 'distance', length: 0.5, cut: true, first: ground([0, 0, 0]), second: on('rod', [0, 0, -length]), reaction: { force: vectorNames('stay.force'), unique: false } },
    ],
    loads: [
      { name: 'spring', kind: 'spring', first: ground([0.6, 0, 0.2]), second: on('rod', [0, 0, -length]) },
      { name: 'push', kind: 'force', second: on('rod', [0, 0, -length]), force: vectorNames('push.force') },
      { name: 'twist', kind: 'couple', second: on('rod', [0, 0, -length / 2]), moment: 'twist.moment' },
    ],
    traces: [{ body: 'rod', point: [0, 0, -length] }],
    redundant: '1 of 6 constraint equations follow from the others (stay)',
    plots: [{ title: 'Turn', series: ['ball.angle'] }],
  }, c);
}

const kKinds = ['revolute', 'prismatic', 'cylindrical', 'screw', 'spherical', 'universal', 'constant_velocity', 'planar', 'point_line', 'point_plane', 'pin_slot', 'fixed', 'perpendicular', 'parallel_axes', 'floating', 'distance', 'curve', 'unheard_of'];

/** Every kind of joint once against the ground and once between two bodies, and bodies of every shape. */
export function spaceGallery() {
  const c = new Columns(), bodies = [], joints = [], loads = [], drives = [];
  const shapes = [
    { kind: 'rod', from: [0, 0, 0], to: [0.3, 0, 0.2], radius: 0 }, { kind: 'cylinder', from: [0, 0, 0], to: [0.3, 0, 0.1], radius: 0.04 }, { kind: 'capsule', from: [0, 0, 0], to: [0.3, 0, 0.1], radius: 0.03 },
    { kind: 'tube', from: [0.1, 0, 0], to: [0.3, 0, 0], radius: 0.05, inner: 0.03 }, { kind: 'sphere', centre: [0.2, 0, 0.1], radius: 0.08 }, { kind: 'disc', centre: [0.2, 0, 0], radius: 0.12, thickness: 0.03, turn: kZtoX },
    { kind: 'box', centre: [0.2, 0, 0.05], size: [0.2, 0.1, 0.06], turn: kNone }, { kind: 'polygon', points: [[0, 0], [0.3, 0], [0.2, 0.2]] }, { kind: 'point', at: [0.2, 0, 0] },
    tetrahedron(),
  ];
  const at = kKinds.map((_, k) => [(k % 6) * 0.8, Math.floor(k / 6) * 0.9, 0]);
  kKinds.forEach((kind, k) => {
    const a = `a_${kind}`, b = `b_${kind}`;
    bodies.push({ name: a, pose: poseNames(a), com: [0.15, 0, 0.1], points: [], shapes: [shapes[k % shapes.length]] });
    bodies.push({ name: b, pose: poseNames(b), com: [0.1, 0.05, 0], points: [[0.2, 0, 0.1]], shapes: [], ...(k % 3 ? { stand_in: [{ kind: 'box', centre: [0.1, 0.05, 0], size: [0.2, 0.1, 0.05], turn: kNone }, { kind: 'sphere', centre: [0.1, 0.05, 0], radius: 0.06 }][k % 2] } : {}) });
    joints.push({ name: `g_${kind}`, kind, length: 0.2, pitch: 0.03, first: ground(at[k]), second: on(a, [0, 0, 0]) });
    joints.push({ name: `m_${kind}`, kind, length: 0.2, pitch: -0.03, cut: k % 5 === 0, first: on(a, [0.3, 0, 0.1]), second: on(b, [0, 0, 0], kZtoX) });
  });
  ['spring', 'damper', 'spring_damper', 'actuator', 'rotational_spring', 'bushing', 'joint_actuator'].forEach((kind, k) => loads.push({ name: kind, kind, first: ground([k * 0.6, -0.9, 0.1]), second: on(bodies[2 * (k % 6)].name, [0.3, 0, 0.1]) }));
  ['angle', 'slide', 'distance', 'coordinate'].forEach((kind, k) => drives.push({ name: `drive_${kind}`, kind, first: ground(at[k]), second: on(bodies[2 * k].name, [0.1, 0, 0]) }));
  for (let i = 0; i <= 40; i++) {
    const t = i / 10;
    c.time.push(t);
    kKinds.forEach((kind, k) => {
      const slides = ['prismatic', 'point_line', 'planar', 'pin_slot', 'curve', 'point_plane'].includes(kind), p = add(at[k], slides ? [0.1 * Math.sin(t), 0, 0] : ['cylindrical', 'screw'].includes(kind) ? [0, 0, 0.1 * Math.sin(t)] : [0, 0, 0]);
      const q = slides || kind === 'fixed' ? kNone : about([0, 0, 1], 0.8 * Math.sin(t));
      c.body(`a_${kind}`, p, q);
      c.body(`b_${kind}`, add(p, rotate(q, [0.3, 0, 0.1])), product(q, about([0, 1, 0], -Math.PI / 2)));
    });
  }
  return page('gallery in space', { bodies, joints, loads, drives, plots: [] }, c);
}

function tetrahedron() {
  const bytes = (array) => Buffer.from(array.buffer).toString('base64');
  return { kind: 'mesh', vertices: bytes(Float32Array.from([0, 0, 0, 0.3, 0, 0, 0, 0.2, 0, 0, 0, 0.2])), triangles: bytes(Uint32Array.from([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3])) };
}

const kMostValues = 6_000_000;  // the program thins a run that has more (files/page_samples.hpp)

/** Many rods on hinges that all swing, with every quantity that the program records and a trace for each: for measuring. */
export function swarm(count = 100, samples = 10_000) {
  const c = new Columns(), side = Math.ceil(Math.sqrt(count)), bodies = [], joints = [], traces = [], series = [];
  const rod = 0.4, mass = 1, start = (b) => [(b % side) * 0.6, Math.floor(b / side) * 0.6, 0];
  // About y by sin(t + b); s is the distance along the rod.
  const turn = (t, b) => [Math.sin(t + b), Math.cos(t + b), -Math.sin(t + b)];
  const pull = ([a, w, e], s) => [-s * (e * Math.sin(a) + w * w * Math.cos(a)), 0, s * (w * w * Math.sin(a) - e * Math.cos(a))];
  const zero = () => [0, 0, 0];
  // By name: unit, and the components at a time.
  const ofBody = {
    '': ['m', (_, b) => start(b)], orientation: ['', ([a]) => about([0, 1, 0], a), 'wxyz'], _rate: ['m/s', zero], angular_velocity: ['rad/s', ([, w]) => [0, w, 0]],
    _acceleration: ['m/s^2', zero], angular_acceleration: ['rad/s^2', ([, , e]) => [0, e, 0]],
  };
  const ofJoint = {
    force: ['N', (m) => add(pull(m, mass * 0.5 * rod), [0, 0, mass * kGravity])], moment: ['N*m', (m, b) => [0.3 * m[1], 0, 0.2 * Math.cos(b)]],
    angle: ['rad', ([a]) => [a], ['']], angle_rate: ['rad/s', ([, w]) => [w], ['']],
  };
  const kinds = [...Object.values(ofBody), ...Object.values(ofJoint)], perBody = kinds.reduce((n, [, , axes]) => n + (axes ?? 'xyz').length, 0);
  const held = Math.min(samples, Math.floor(kMostValues / (count * perBody + 1)));
  const time = Float64Array.from({ length: held }, (_, i) => ((samples - 1) * i) / (held - 1) / 100);
  const put = (group, b, name, [unit, value, axes = 'xyz']) => [...axes].forEach((axis, k) => {
    const label = name === '' ? axis : name.startsWith('_') ? `${axis}${name}` : axis ? `${name}.${axis}` : name;
    series.push({ name: `${group}.${label}`, unit, group, label, values: encode(Float64Array.from(time, (t) => value(turn(t, b), b)[k])) });
  });
  for (let b = 0; b < count; b++) {
    const name = `rod${b}`, hinge = `hinge${b}`, axis = about([1, 0, 0], -Math.PI / 2);
    bodies.push({ name, pose: poseNames(name), com: [0.5 * rod, 0, 0], points: [], shapes: [{ kind: 'rod', from: [0, 0, 0], to: [rod, 0, 0], radius: 0.02 }] });
    joints.push({ name: hinge, kind: 'revolute', first: ground(start(b), axis), second: on(name, [0, 0, 0], axis), reaction: { force: vectorNames(`${hinge}.force`), moment: vectorNames(`${hinge}.moment`), unique: true } });
    traces.push({ body: name, point: [rod, 0, 0] });
    for (const [label, kind] of Object.entries(ofBody)) put(name, b, label, kind);
    for (const [label, kind] of Object.entries(ofJoint)) put(hinge, b, label, kind);
  }
  return { ...page('swarm', { bodies, joints, traces, samples, plots: [{ title: 'Turn', series: ['rod0.orientation.y'] }] }, c), time: encode(time), series };
}
