// The four-bar of sample.mjs with all that the Learn tab needs: accelerations, masses, what acts on each body, a worked solution.
import { decode, encode, fourBar, fourBarAngles, kFourBar } from './sample.mjs';

const kMasses = [1.2, 2, 1.5];
const kNames = ['crank', 'coupler', 'rocker'];

/** Poses of crank, coupler and rocker, as the sample has them. */
function poses(t) {
  const [a, b, r] = fourBarAngles(t);
  return [[0, 0, a], [kFourBar.crank * Math.cos(a), kFourBar.crank * Math.sin(a), b], [...kFourBar.D, r]];
}

export function learnFourBar(samples = 601) {
  const data = fourBar(samples), time = decode(data.time), h = 1e-4;
  const labels = ['x', 'y', 'angle'];
  // The same differences from which the sample's reactions come, so that the balance of each body holds to rounding.
  const columns = kNames.map(() => labels.map(() => []));
  for (const t of time) {
    const [p, plus, minus] = [poses(t), poses(t + h), poses(t - h)];
    p.forEach((pose, n) => pose.forEach((x, j) => columns[n][j].push((plus[n][j] - 2 * x + minus[n][j]) / (h * h))));
  }
  kNames.forEach((name, n) => labels.forEach((label, j) => data.series.push({ name: `${name}.${label}_acceleration`, unit: j < 2 ? 'm/s^2' : 'rad/s^2', group: name, label: `${label} acceleration`, values: encode(columns[n][j]) })));
  const lengths = [kFourBar.crank, kFourBar.coupler, kFourBar.rocker];
  const body = (name, n) => ({
    name, mass: kMasses[n], inertia: (kMasses[n] * lengths[n] ** 2) / 12, com: [lengths[n] / 2, 0],
    position: [`${name}.x`, `${name}.y`], turn: [`${name}.angle`], velocity: [`${name}.x_rate`, `${name}.y_rate`], spin: [`${name}.angle_rate`],
    acceleration: [`${name}.x_acceleration`, `${name}.y_acceleration`], spin_rate: [`${name}.angle_acceleration`],
  });
  const actions = [];
  for (const joint of data.joints) {
    for (const [end, other, sign] of [[joint.first, joint.second, -1], [joint.second, joint.first, 1]]) {
      if (end.body) actions.push({ of: 'joint', name: joint.name, kind: joint.kind, body: end.body, from: other.body, point: end.point, force_sign: sign, moment_sign: 1, force: [`${joint.name}.force.x`, `${joint.name}.force.y`] });
    }
  }
  actions.push({ of: 'drive', name: 'motor', kind: 'angle', body: 'crank', from: null, point: [0, 0], force_sign: 1, moment_sign: 1, moment: ['motor.torque'] });
  const strut = data.loads[0];
  actions.push({ of: 'load', name: 'strut', kind: 'spring_damper', body: 'rocker', from: null, point: strut.second.point, force_sign: 1, moment_sign: 1, force_values: ['x', 'y'].map((axis) => data.series.find((s) => s.name === `strut.force.${axis}`).values) });
  data.mechanics = { gravity: [0, -9.81], bodies: kNames.map(body), actions };
  data.equations = { title: 'Equations of motion', text: [], command: 'linkwork equations four_bar.toml', sections: [] };
  data.explanation = {
    title: 'Worked solution', words: 'With numbers.', command: 'linkwork explain four_bar.toml',
    sections: [
      { title: 'Jacobian matrix Phi_q', words: 'The derivatives of the constraints.', formula: 'Phi_q ddq = Gamma', table: { rows: ['O.x', 'O.y'], columns: ['x1', 'phi1'], entries: ['-1', '0', '0', '1.5e-17'] } },
      { title: 'Bodies', words: '', names: [['body 1', '', 'crank: x1, y1, phi1']] },
    ],
  };
  return data;
}

/** Where the lines of crank and rocker meet: the coupler turns about this point. */
export function couplerCentre(t) {
  const [a, , r] = fourBarAngles(t), [x, y] = kFourBar.D;
  const u = [Math.cos(a), Math.sin(a)], v = [Math.cos(r), Math.sin(r)];
  const s = (x * v[1] - y * v[0]) / (u[0] * v[1] - u[1] * v[0]);
  return [s * u[0], s * u[1]];
}
