// Makes page data without the engine: mechanisms whose motion is known exactly or integrated here, and a gallery of symbols.
// As a program: node test/sample.mjs TEMPLATE FOLDER writes one filled page per sample.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const encode = (values) => Buffer.from(Float64Array.from(values).buffer).toString('base64');
export const decode = (text) => {
  const bytes = Buffer.from(text, 'base64');
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
};

const kEscapes = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026', '\u2028': '\\u2028', '\u2029': '\\u2029' };

/** What the program does: the data as JSON in place of the marker, with nothing in it that HTML could take for markup. */
export function fillTemplate(template, data) {
  const json = JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (c) => kEscapes[c]);
  return template.replace('/*LINKWORK_DATA*/', () => json);
}

/** Collects columns row by row. */
class Recorder {
  constructor() { this.columns = new Map(); this.time = []; }
  row(t, values) {
    this.time.push(t);
    for (const [name, [value, unit, group, label]] of Object.entries(values)) {
      if (!this.columns.has(name)) this.columns.set(name, { name, unit, group: group ?? name.split('.')[0], label: label ?? name.split('.').slice(1).join('.').replace(/[._]/g, ' '), values: [] });
      this.columns.get(name).values.push(value);
    }
  }
  get data() { return { time: encode(this.time), series: [...this.columns.values()].map((c) => ({ ...c, values: encode(c.values) })) }; }
}

const bodyRow = (name, x, y, a, vx, vy, w) => ({
  [`${name}.x`]: [x, 'm'], [`${name}.y`]: [y, 'm'], [`${name}.angle`]: [a, 'rad'],
  [`${name}.x_rate`]: [vx, 'm/s'], [`${name}.y_rate`]: [vy, 'm/s'], [`${name}.angle_rate`]: [w, 'rad/s'],
});
const jointRow = (name, fx, fy, m) => ({ [`${name}.force.x`]: [fx, 'N'], [`${name}.force.y`]: [fy, 'N'], [`${name}.moment`]: [m, 'N*m'] });
const reaction = (name) => ({ force: [`${name}.force.x`, `${name}.force.y`], moment: `${name}.moment` });
const ground = (point, angle = 0) => ({ body: null, point, angle });
const on = (body, point, angle = 0) => ({ body, point, angle });
// Rounding noise, the same in every run.
const noise = (i, k) => Math.abs(Math.sin(12.9898 * i + 78.233 * k) * 43758.5453) % 1;

function frame(extra, record) {
  return {
    format: 'linkwork-page', version: 1, space: 'planar', dof: 1,
    run: { formulation: 'absolute', stabilisation: 'projection', integrator: 'dopri5', rtol: 1e-8, atol: 1e-10, until: 10, status: 'complete', message: '' },
    provenance: [['Linkwork', '0.1.0'], ['model hash', '5d0c2a91f3b7e846'], ['options', '--formulation absolute --integrator dopri5'], ['written', '2025-01-01T00:00:00Z']],
    ledger: [
      { id: 'closure', label: 'Closure', value: 2.34e-15, unit: 'm', grade: 'good', sentence: 'The joints came apart by at most 2.3e-15 m, far below the tolerance of 1e-10 m.' },
      { id: 'energy', label: 'Energy', value: 4.1e-9, unit: 'J', grade: 'good', sentence: 'Energy put in, stored and lost agrees to 4.1e-9 J, that is 3e-10 of the largest kinetic energy.' },
      { id: 'rank', label: 'Rank', value: 8, text: '8 of 8', unit: '', grade: 'good', sentence: 'All 8 constraint rows are independent at every step, so every reaction is unique.' },
      { id: 'steps', label: 'Steps', value: 1482, unit: '', grade: 'fair', sentence: '1482 steps were taken and 37 rejected; the smallest was 1.2e-4 s.' },
    ],
    ledgerTable: [['worst position violation', '2.34e-15 m'], ['worst velocity violation', '8.8e-15 m/s'], ['energy balance', '4.1e-9 J'], ['rank', '8 of 8'], ['smallest singular value', '0.213'], ['steps', '1482 taken, 37 rejected'], ['smallest step', '1.2e-4 s']],
    warnings: [], drives: [], loads: [], traces: [], gravity: [0, -9.81], equations: null,
    ...extra, ...record.data,
  };
}

// ---- A cart on a spring and a damper, with a pendulum ----------------------------------------------------------

export function sliderPendulum() {
  const M = 1, m = 0.8, L = 0.6, l = L / 2, I = (m * L * L) / 12, k = 18, c = 0.25, g = 9.81;
  const accelerate = ([s, a, v, w]) => {
    const A = M + m, B = m * l * Math.cos(a), D = m * l * l + I;
    const f = -k * s - c * v + m * l * Math.sin(a) * w * w, q = -m * g * l * Math.sin(a), det = A * D - B * B;
    return [(f * D - B * q) / det, (A * q - B * f) / det];
  };
  const rate = (x) => [x[2], x[3], ...accelerate(x)];
  const record = new Recorder();
  let x = [0.15, 2.2, 0, 0], lost = 0;
  const h = 0.002, every = 10, energyOf = ([s, a, v, w]) => {
    const vx = v + l * Math.cos(a) * w, vy = l * Math.sin(a) * w;
    return [0.5 * M * v * v + 0.5 * m * (vx * vx + vy * vy) + 0.5 * I * w * w, -m * g * l * Math.cos(a) + 0.5 * k * s * s];
  };
  const start = energyOf(x).reduce((p, q) => p + q);
  for (let i = 0; i <= 5000; i++) {
    if (i % every === 0) {
      const [s, a, v, w] = x, [sa, wa] = accelerate(x), n = i / every;
      const ax = sa + l * (Math.cos(a) * wa - Math.sin(a) * w * w), ay = l * (Math.sin(a) * wa + Math.cos(a) * w * w);
      const fx = m * ax, fy = m * (ay + g);
      const [T, V] = energyOf(x);
      record.row(i * h, {
        ...bodyRow('cart', s, 0, 0, v, 0, 0), ...bodyRow('pendulum', s, 0, a - Math.PI / 2, v, 0, w),
        ...jointRow('rail', 0, M * g + fy, 0), ...jointRow('hinge', fx, fy, 0),
        'spring.force.x': [-k * s, 'N'], 'spring.force.y': [0, 'N'], 'damper.force.x': [-c * v, 'N'], 'damper.force.y': [0, 'N'],
        'energy.kinetic': [T, 'J'], 'energy.potential': [V, 'J'], 'energy.balance': [T + V + lost - start, 'J'],
        'violation.position': [n ? 1e-16 * (1 + 20 * noise(n, 1)) : 0, 'm'], 'violation.velocity': [n ? 1e-15 * (1 + 9 * noise(n, 2)) : 0, 'm/s'], 'violation.acceleration': [1e-14 * (1 + 9 * noise(n, 3)), 'm/s^2'],
      });
    }
    const k1 = rate(x), k2 = rate(x.map((v, j) => v + (h / 2) * k1[j])), k3 = rate(x.map((v, j) => v + (h / 2) * k2[j])), k4 = rate(x.map((v, j) => v + h * k3[j]));
    const next = x.map((v, j) => v + (h / 6) * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]));
    const vm = x[2] + (h / 2) * k1[2];
    lost += (h / 6) * c * (x[2] ** 2 + 4 * vm ** 2 + next[2] ** 2);
    x = next;
  }
  const text = `linkwork = 1
space    = "planar"
gravity  = [0, -9.81]
title    = "slider-pendulum"

[points]
O = [0, 0]
P = [0.485, 0.353]                        # tip of the pendulum
W = [-0.7, 0]                             # wall

[bodies]
cart     = { box = [0.24, 0.12], at = "O", mass = 1.0 }
pendulum = { rod = ["O", "P"], mass = 0.8 }

[joints]
rail  = { prismatic = ["ground", "cart"], axis = [1, 0] }
hinge = { revolute = ["cart", "pendulum"], at = "O" }

[loads]
spring = { spring = ["ground", "cart"], from = "W", stiffness = "18 N/m" }
damper = { damper = ["ground", "cart"], from = "W", damping = 0.25 }

[initial]
rail.slide  = "150 mm"
hinge.angle = "126 deg"

[simulate]
until = 10
`;
  return frame({
    title: 'slider-pendulum', dof: 2, model: { file: 'slider_pendulum.toml', text, description: 'A cart on a rail, held by a spring and a damper, with a pendulum.' },
    bodies: [
      { name: 'cart', line: 12, pose: ['cart.x', 'cart.y', 'cart.angle'], com: [0, 0], shapes: [{ kind: 'box', centre: [0, 0], size: [0.24, 0.12], angle: 0 }] },
      { name: 'pendulum', line: 13, pose: ['pendulum.x', 'pendulum.y', 'pendulum.angle'], com: [l, 0], shapes: [{ kind: 'rod', from: [0, 0], to: [L, 0] }] },
    ],
    joints: [
      { name: 'rail', kind: 'prismatic', line: 16, first: ground([0, 0]), second: on('cart', [0, 0]), reaction: reaction('rail') },
      { name: 'hinge', kind: 'revolute', line: 17, first: on('cart', [0, 0]), second: on('pendulum', [0, 0]), reaction: reaction('hinge') },
    ],
    loads: [
      { name: 'spring', kind: 'spring', line: 20, first: ground([-0.7, 0.03]), second: on('cart', [-0.12, 0.03]), free_length: 0.58, force: ['spring.force.x', 'spring.force.y'] },
      { name: 'damper', kind: 'damper', line: 21, first: ground([-0.7, -0.03]), second: on('cart', [-0.12, -0.03]), force: ['damper.force.x', 'damper.force.y'] },
    ],
    traces: [{ body: 'pendulum', point: [L, 0] }],
    plots: [
      { title: 'Pendulum', series: ['pendulum.angle', 'pendulum.angle_rate'] },
      { title: 'Constraint violation', series: ['violation.position', 'violation.velocity', 'violation.acceleration'], log: true },
      { title: 'Energy', series: ['energy.kinetic', 'energy.potential'] },
      { title: 'Energy balance', series: ['energy.balance'] },
    ],
  }, record);
}

// ---- A driven four-bar with exact kinematics and reactions from inverse dynamics -------------------------------

function solve(A, b) {
  const n = b.length, rows = A.map((r, i) => [...r, b[i]]);
  for (let c = 0; c < n; c++) {
    let p = c;
    for (let r = c + 1; r < n; r++) if (Math.abs(rows[r][c]) > Math.abs(rows[p][c])) p = r;
    [rows[c], rows[p]] = [rows[p], rows[c]];
    for (let r = 0; r < n; r++) {
      if (r === c) continue;
      const f = rows[r][c] / rows[c][c];
      for (let k = c; k <= n; k++) rows[r][k] -= f * rows[c][k];
    }
  }
  return rows.map((r, i) => r[n] / r[i]);
}

export const kFourBar = { crank: 0.3, coupler: 0.8, rocker: 0.6, D: [0.9, 0], rate: 4 };

/** Angles of crank, coupler and rocker at time t: the loop closed by the intersection of two circles. */
export function fourBarAngles(t) {
  const { crank, coupler, rocker, D, rate } = kFourBar;
  const phi = Math.PI / 6 + rate * t;
  const A = [crank * Math.cos(phi), crank * Math.sin(phi)];
  const dx = D[0] - A[0], dy = D[1] - A[1], d = Math.hypot(dx, dy);
  const a = (coupler ** 2 - rocker ** 2 + d * d) / (2 * d), hgt = Math.sqrt(coupler ** 2 - a * a);
  const B = [A[0] + (a * dx - hgt * dy) / d, A[1] + (a * dy + hgt * dx) / d];
  return [phi, Math.atan2(B[1] - A[1], B[0] - A[0]), Math.atan2(B[1] - D[1], B[0] - D[0])];
}

export function fourBar(samples = 601) {
  const { crank, coupler, rocker, D } = kFourBar, mass = [1.2, 2, 1.5], lengths = [crank, coupler, rocker], g = 9.81, k = 60, c = 4, free = 0.35;
  const poses = (t) => {
    const [a, b, r] = fourBarAngles(t);
    return [[0, 0, a], [crank * Math.cos(a), crank * Math.sin(a), b], [...D, r]];
  };
  const h = 1e-4;
  const S = [1.25, 0.35], q0 = [0.5, 0];  // the spring holds the rocker at q0, in rocker axes
  const record = new Recorder();
  for (let i = 0; i < samples; i++) {
    const t = (10 * i) / (samples - 1);
    const [p, plus, minus] = [poses(t), poses(t + h), poses(t - h)];
    const v = p.map((b, n) => b.map((_, j) => (plus[n][j] - minus[n][j]) / (2 * h))), acc = p.map((b, n) => b.map((x, j) => (plus[n][j] - 2 * x + minus[n][j]) / (h * h)));
    const tip = p.map(([x, y, a], n) => [x + lengths[n] * Math.cos(a), y + lengths[n] * Math.sin(a)]);
    const Q = [p[2][0] + q0[0] * Math.cos(p[2][2]), p[2][1] + q0[0] * Math.sin(p[2][2])];
    const reach = Math.hypot(S[0] - Q[0], S[1] - Q[1]), unit = [(S[0] - Q[0]) / reach, (S[1] - Q[1]) / reach];
    const Qv = [-v[2][2] * (Q[1] - D[1]), v[2][2] * (Q[0] - D[0])];
    const pull = k * (reach - free) - c * (Qv[0] * unit[0] + Qv[1] * unit[1]);
    // Unknowns: forces at O, A, B, D (first on second) and the motor's torque. Newton and Euler for each link about its first end.
    const M = Array.from({ length: 9 }, () => new Array(9).fill(0)), b = new Array(9).fill(0);
    const links = [[0, 1], [1, 2], [3, 2]];  // joint at the first end (acts +), joint at the far end
    for (let n = 0; n < 3; n++) {
      const [near, far] = links[n], s = n === 2 ? 1 : -1;  // B acts on the rocker as second body, on the coupler as first
      const rx = tip[n][0] - p[n][0], ry = tip[n][1] - p[n][1], J = (mass[n] * lengths[n] ** 2) / 3;
      const ax = acc[n][0] - 0.5 * (ry * acc[n][2] + rx * v[n][2] ** 2), ay = acc[n][1] + 0.5 * (rx * acc[n][2] - ry * v[n][2] ** 2);
      M[3 * n][2 * near] = M[3 * n + 1][2 * near + 1] = 1;
      M[3 * n][2 * far] = M[3 * n + 1][2 * far + 1] = s;
      M[3 * n + 2][2 * far] = -ry * s;
      M[3 * n + 2][2 * far + 1] = rx * s;
      b[3 * n] = mass[n] * ax - (n === 2 ? pull * unit[0] : 0);
      b[3 * n + 1] = mass[n] * (ay + g) - (n === 2 ? pull * unit[1] : 0);
      b[3 * n + 2] = J * acc[n][2] + 0.5 * mass[n] * (rx * (acc[n][1] + g) - ry * acc[n][0]) - (n === 2 ? pull * ((Q[0] - D[0]) * unit[1] - (Q[1] - D[1]) * unit[0]) : 0);
    }
    M[2][8] = 1;
    const f = solve(M, b);
    const names = ['crank', 'coupler', 'rocker'];
    record.row(t, {
      ...Object.assign({}, ...names.map((name, n) => bodyRow(name, ...p[n], ...v[n]))),
      ...Object.assign({}, ...['O', 'A', 'B', 'D'].map((name, n) => jointRow(name, f[2 * n], f[2 * n + 1], 0))),
      'motor.torque': [f[8], 'N*m'], 'strut.force.x': [pull * unit[0], 'N'], 'strut.force.y': [pull * unit[1], 'N'], 'strut.length': [reach, 'm'],
      'energy.kinetic': [mass.reduce((sum, mn, n) => sum + 0.5 * ((mn * lengths[n] ** 2) / 12) * v[n][2] ** 2, 0), 'J'],
      'violation.position': [i % 7 ? 1e-16 * (1 + 30 * noise(i, 1)) : 0, 'm'], 'violation.velocity': [1e-15 * (1 + 30 * noise(i, 2)), 'm/s'],
    });
  }
  const text = `linkwork = 1                               # version of the format
space    = "planar"
gravity  = [0, -9.81]

[parameters]
tilt = "30 deg"

[points]                                   # in the drawn pose, ground axes
O = [0, 0]
A = ["0.3*cos(tilt)", "0.3*sin(tilt)"]
B = [0.9, 0.5]
D = [0.9, 0]

[bodies]
crank   = { rod = ["O", "A"], mass = 1.2 }
coupler = { rod = ["A", "B"], length = 0.8, mass = 2.0 }
rocker  = { rod = ["D", "B"], length = 0.6, mass = 1.5 }

[joints]
O = { revolute = ["ground", "crank"] }
A = { revolute = ["crank", "coupler"] }
B = { revolute = ["coupler", "rocker"] }
D = { revolute = ["ground", "rocker"] }

[drives]
motor = { angle = "O", rate = "4 rad/s" }

[loads]
strut = { spring_damper = ["ground", "rocker"], stiffness = 60, damping = 4 }
`;
  const rod = (name, line, length) => ({ name, line, pose: [`${name}.x`, `${name}.y`, `${name}.angle`], com: [length / 2, 0], shapes: name === 'rocker' ? [] : [{ kind: 'rod', from: [0, 0], to: [length, 0] }] });
  return frame({
    title: 'four-bar', dof: 1, model: { file: 'four_bar.toml', text, description: 'A four-bar linkage turned by a motor, its rocker held by a spring and damper.' },
    bodies: [rod('crank', 15, crank), rod('coupler', 16, coupler), rod('rocker', 17, rocker)],
    joints: [
      { name: 'O', kind: 'revolute', line: 20, first: ground([0, 0]), second: on('crank', [0, 0]), reaction: { ...reaction('O'), unique: true } },
      { name: 'A', kind: 'revolute', line: 21, first: on('crank', [crank, 0]), second: on('coupler', [0, 0]), reaction: reaction('A') },
      { name: 'B', kind: 'revolute', line: 22, first: on('coupler', [coupler, 0]), second: on('rocker', [rocker, 0]), reaction: reaction('B'), cut: true },
      { name: 'D', kind: 'revolute', line: 23, first: ground(D), second: on('rocker', [0, 0]), reaction: reaction('D') },
    ],
    bearings: [['O', null, 'crank'], ['A', 'crank', 'coupler'], ['B', 'coupler', 'rocker'], ['D', null, 'rocker']].map(([name, first, second]) => ({
      name, kind: 'revolute', unique: name !== 'D', force: [`${name}.force.x`, `${name}.force.y`], first: first ? { body: first, turn: [`${first}.angle`] } : { body: null }, second: { body: second, turn: [`${second}.angle`] },
    })),
    drives: [{ name: 'motor', kind: 'angle', line: 26, first: ground([0, 0]), second: on('crank', [0, 0]) }],
    loads: [{ name: 'strut', kind: 'spring_damper', line: 29, first: ground(S), second: on('rocker', q0), free_length: free, force: ['strut.force.x', 'strut.force.y'] }],
    traces: [{ body: 'coupler', point: [0.4, 0.15] }, { body: 'rocker', point: [rocker, 0] }],
    plots: [
      { title: 'Angles', series: ['coupler.angle', 'rocker.angle'] },
      { title: 'Constraint violation', series: ['violation.position', 'violation.velocity'], log: true },
      { title: 'Motor torque', series: ['motor.torque'] },
      { title: 'Energy', series: ['energy.kinetic'] },
    ],
  }, record);
}

// ---- Every symbol once -----------------------------------------------------------------------------------------

export function gallery() {
  const record = new Recorder();
  for (let i = 0; i <= 400; i++) {
    const t = i / 40, a = 1.3 * t, r = 0.18, yx = r * Math.cos(a), sway = 0.5 * Math.sin(1.7 * t), lean = 0.35 * Math.sin(2.1 * t + 1), slide = 0.42 + 0.1 * Math.sin(1.1 * t);
    const pend = -Math.PI / 2 + sway;
    record.row(t, {
      ...bodyRow('disc', 0, 0, a, 0, 0, 1.3), ...bodyRow('yoke', yx, 0, 0, -1.3 * r * Math.sin(a), 0, 0), ...bodyRow('bob', yx + 0.55 + 0.3 * Math.sin(lean), -0.3 * Math.cos(lean), 0, 0, 0, 0),
      ...bodyRow('arm', -0.75, 0.3, pend, 0, 0, 0), ...bodyRow('collar', -0.75 + slide * Math.cos(pend), 0.3 + slide * Math.sin(pend), pend, 0, 0, 0), ...bodyRow('plate', yx + 0.55, 0, 0, 0, 0, 0),
      'push.force.x': [20 * Math.cos(2 * t), 'N'], 'push.force.y': [6, 'N'], 'twist.moment': [3 * Math.sin(t), 'N*m'],
      ...jointRow('pin', 12 * Math.cos(a), 3, 0), ...jointRow('bed', 0, 15, 2 * Math.sin(a)),
      'violation.position': [0, 'm'],
    });
  }
  const pose = (name) => [`${name}.x`, `${name}.y`, `${name}.angle`];
  return frame({
    title: 'gallery of symbols', dof: 3, model: { file: 'gallery.toml', text: 'linkwork = 1\nspace = "planar"\n', description: 'Every symbol of the drawing once.' },
    bodies: [
      { name: 'disc', line: 0, pose: pose('disc'), com: [0, 0], shapes: [{ kind: 'disc', centre: [0, 0], radius: 0.24 }] },
      { name: 'yoke', line: 0, pose: pose('yoke'), com: [0.2, 0], shapes: [{ kind: 'rod', from: [0, 0], to: [0.55, 0] }, { kind: 'rod', from: [0, -0.22], to: [0, 0.22] }] },
      { name: 'bob', line: 0, pose: pose('bob'), com: [0, 0], shapes: [{ kind: 'polygon', points: [[-0.05, 0], [0.05, 0], [0.08, -0.1], [-0.08, -0.1]] }] },
      { name: 'arm', line: 0, pose: pose('arm'), com: [0.3, 0], shapes: [{ kind: 'rod', from: [0, 0], to: [0.25, 0] }] },
      { name: 'collar', line: 0, pose: pose('collar'), com: [0, 0], shapes: [] },
      { name: 'plate', line: 0, pose: pose('plate'), com: [0.03, 0.1], shapes: [] },
    ],
    joints: [
      { name: 'axle', kind: 'revolute', line: 0, first: ground([0, 0]), second: on('disc', [0, 0]) },
      { name: 'bed', kind: 'prismatic', line: 0, first: ground([0.4, 0]), second: on('yoke', [0.4, 0]), reaction: reaction('bed') },
      { name: 'pin', kind: 'pin_slot', line: 0, first: on('disc', [0.18, 0]), second: on('yoke', [0, 0], Math.PI / 2), reaction: reaction('pin') },
      { name: 'weld', kind: 'fixed', line: 0, first: on('yoke', [0.55, 0]), second: on('plate', [0, 0]) },
      { name: 'string', kind: 'distance', line: 0, first: on('plate', [0, 0]), second: on('bob', [0, 0]), length: 0.3 },
      { name: 'shoulder', kind: 'revolute', line: 0, first: ground([-0.75, 0.3]), second: on('arm', [0, 0]) },
      { name: 'sleeve', kind: 'prismatic', line: 0, first: on('arm', [0, 0]), second: on('collar', [0, 0]) },
    ],
    drives: [{ name: 'motor', kind: 'angle', line: 0, first: ground([0, 0]), second: on('disc', [0, 0]) }, { name: 'ram', kind: 'distance', line: 0, first: ground([1.15, 0.45]), second: on('plate', [0.15, 0.2]) }],
    loads: [
      { name: 'torsion', kind: 'rotational_spring_damper', line: 0, first: ground([-0.75, 0.3]), second: on('arm', [0, 0]) },
      { name: 'push', kind: 'force', line: 0, first: on('plate', [0, 0.2]), force: ['push.force.x', 'push.force.y'] },
      { name: 'twist', kind: 'couple', line: 0, first: on('collar', [0, 0]), moment: 'twist.moment' },
      { name: 'link spring', kind: 'spring', line: 0, first: on('collar', [0, 0]), second: ground([-0.3, -0.45]) },
    ],
    traces: [{ body: 'collar', point: [0, 0] }, { body: 'bob', point: [0, -0.1] }],
    plots: [{ title: 'All zero, logarithmic', series: ['violation.position'], log: true }, { title: 'Two units', series: ['yoke.x', 'yoke.x_rate'] }, { title: 'Yoke', series: ['yoke.x', 'bob.x', 'collar.x', 'collar.y', 'bob.y', 'disc.x'] }],
    equations: { title: 'Equations of motion', text: ['Form rud.'], command: 'linkwork equations gallery.toml', sections: [{ title: 'Motion', mathml: '<math display="block"><mrow><mi>m</mi><mover><mi>x</mi><mo>¨</mo></mover><mo>+</mo><mi>k</mi><mi>x</mi><mo>=</mo><mfrac><mi>F</mi><mn>2</mn></mfrac></mrow></math>' }] },
  }, record);
}

export const samples = { 'slider-pendulum': sliderPendulum, 'four-bar': fourBar, gallery };

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [template = 'dist/page.html', folder = 'dist'] = process.argv.slice(2);
  mkdirSync(folder, { recursive: true });
  for (const [name, make] of Object.entries(samples)) {
    const path = join(folder, `${name}.html`);
    writeFileSync(path, fillTemplate(readFileSync(template, 'utf8'), make()));
    console.log(path);
  }
}
