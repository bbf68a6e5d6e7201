// What a user sees of an AbsoluteSystem: body motions, reactions on both bodies, loads, energies, violations.
#include <algorithm>
#include <cmath>

#include "linkwork/formulation/absolute/absolute_work.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

namespace {

using P = Planar<double>;
using absolute::at;

// A component of the null space below this is round-off: that multiplier is unique.
constexpr double kUnique = 1e-8;

Vec2<double> pointOf(const Frame& frame) { return {frame.point[0].number, frame.point[1].number}; }

Vec2<double> comOf(const Mechanism& mechanism, BodyIndex body) {
  if (!body.valid()) return {};
  const Point& com = mechanism.body(body).com;
  return {com[0].number, com[1].number};
}

}  // namespace

// lambda <- lambda - Z Z^T lambda with Z an orthonormal basis of null(Phi_q^T), rows scaled to one length: the minimum
// norm. Returns, group by group, whether its multipliers are unique.                              [docs/theory/01,
// eq. 1.17]
std::vector<std::uint8_t> AbsoluteSystem::makeMultipliersUnique(Work& work) const {
  const auto& set = equations_.elements();
  std::vector<std::uint8_t> unique(set.groups.size(), 1);
  std::vector<std::vector<double>> basis;
  for (const int row : dependentRows(work)) {
    std::vector<double> z(at(equations_.rows()));
    work.kkt.dependence(row, z);
    for (std::size_t r = 0; r < z.size(); ++r) z[r] /= row_length_[r];
    for (int sweep = 0; sweep < 2; ++sweep) {  // twice is enough: Gram-Schmidt with re-orthogonalisation
      for (const auto& other : basis) {
        double along = 0.0;
        for (std::size_t r = 0; r < z.size(); ++r) along += other[r] * z[r];
        for (std::size_t r = 0; r < z.size(); ++r) z[r] -= along * other[r];
      }
    }
    const double size = norm2(z);
    for (double& value : z) value /= size;
    basis.push_back(std::move(z));
  }
  for (const auto& z : basis) {
    double along = 0.0;
    for (std::size_t r = 0; r < z.size(); ++r) along += z[r] * work.lambda[r] / row_length_[r];
    for (std::size_t r = 0; r < z.size(); ++r) {
      work.lambda[r] -= along * z[r] * row_length_[r];
      if (std::abs(z[r]) > kUnique) unique[at(set.row_info[r].group)] = 0;
    }
  }
  return unique;
}

void AbsoluteSystem::observeBodies(const Work& work, Observation& out) const {
  out.bodies.resize(mechanism_.bodies.size());
  out.kinetic = 0.0;
  for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b) {
    const auto& x = work.eq.x[b];
    const auto& v = work.eq.v[b];
    const double* a = &work.acceleration[3 * b];
    // From the centre of mass to the body frame's origin.
    const auto arm = x.R * -comOf(mechanism_, BodyIndex(static_cast<int>(b)));
    const auto r = x.r + arm;
    const auto rate = v.v + perp(arm) * v.w;
    const auto acceleration = Vec2<double>{a[0], a[1]} + perp(arm) * a[2] - arm * (v.w * v.w);
    out.bodies[b] = {{r.x, r.y, x.angle}, {rate.x, rate.y, v.w}, {acceleration.x, acceleration.y, a[2]}};
    const auto& constants = equations_.elements().body[b];
    out.kinetic += 0.5 * (constants.mass * dot(v.v, v.v) + constants.inertia * v.w * v.w);
  }
}

void AbsoluteSystem::observeReactions(const Work& work, const std::vector<std::uint8_t>& group_unique,
                                      Observation& out) const {
  const auto& set = equations_.elements();
  const auto& start = equations_.rowStart();
  const auto& bodies = equations_.rowBodies();
  out.joints.assign(mechanism_.joints.size(), {});
  const auto valueOfQuantity = [&](const NamedQuantity<P>& quantity) {
    return quantity.value(work.eq.t, {work.eq.x[at(quantity.i)], work.eq.x[at(quantity.j)]},
                          {work.eq.v[at(quantity.i)], work.eq.v[at(quantity.j)]});
  };
  out.joint_coordinates.assign(mechanism_.joints.size(), 0.0);
  out.joint_rates.assign(mechanism_.joints.size(), 0.0);
  for (std::size_t k = 0; k < mechanism_.joints.size(); ++k) {
    const JointKind kind = mechanism_.joints[k].kind;
    if (kind == JointKind::fixed || kind == JointKind::distance) continue;  // no coordinate to name
    out.joint_coordinates[k] = valueOfQuantity(joint_coordinates_[k]);
    out.joint_rates[k] = valueOfQuantity(joint_rates_[k]);
  }
  out.drive_efforts.assign(mechanism_.drives.size(), 0.0);
  for (std::size_t g = 0; g < set.groups.size(); ++g) {
    const RowGroup& group = set.groups[g];
    if (group.is_drive) {
      out.drive_efforts[at(group.index)] = work.lambda[at(group.first_row)];
      continue;
    }
    const Joint& joint = mechanism_.joints[at(group.index)];
    // Wrench on one moving body, Phi_q^T lambda about its centre of mass; then reduced to the ground's origin.
    const bool from_first = joint.first.valid();
    const BodyIndex on = from_first ? joint.first : joint.second;
    Vec2<double> force{};
    double moment = 0.0;
    for (int row = group.first_row; row < group.first_row + group.rows; ++row) {
      for (int p = start[at(row)]; p < start[at(row) + 1]; ++p) {
        if (bodies[at(p)] != on.value()) continue;
        const double* block = &work.eq.jacobian[at(3 * p)];
        force += Vec2<double>{block[0], block[1]} * work.lambda[at(row)];
        moment += block[2] * work.lambda[at(row)];
      }
    }
    moment += cross(work.eq.x[on.at()].r, force);
    if (from_first) {  // what acts on the second is the opposite
      force = -force;
      moment = -moment;
    }
    const auto pointInGround = [&](BodyIndex body, const Frame& frame) {
      if (!body.valid()) return pointOf(frame);
      const auto& x = work.eq.x[body.at()];
      return x.r + x.R * (pointOf(frame) - comOf(mechanism_, body));
    };
    Reaction& reaction = out.joints[at(group.index)];
    reaction.force_on_second = {force.x, force.y};
    reaction.moment_on_second = moment - cross(pointInGround(joint.second, joint.on_second), force);
    reaction.moment_on_first = -moment + cross(pointInGround(joint.first, joint.on_first), force);
    reaction.unique = group_unique[g] != 0;
  }
}

void AbsoluteSystem::observeLoads(const Work& work, Observation& out) const {
  const auto& set = equations_.elements();
  out.loads.assign(mechanism_.loads.size(), {});
  const auto& given = work.eq.load_scratch.outputs;
  for (const auto& placed : set.forces) {
    const auto force =
        placed.element.wrench(work.eq.x[at(placed.body)], {given[at(placed.output)], given[at(placed.output + 1)]})
            .force;
    out.loads[at(placed.load)].force = {force.x, force.y};
  }
  for (const auto& placed : set.couples) out.loads[at(placed.load)].force = {given[at(placed.output)], 0.0};
  const auto stateOf = [&](const auto& placed) {
    return placed.element.state({work.eq.x[at(placed.i)], work.eq.x[at(placed.j)]},
                                {work.eq.v[at(placed.i)], work.eq.v[at(placed.j)]});
  };
  for (const auto& placed : set.springs) {
    const auto state = stateOf(placed);
    out.loads[at(placed.load)].force = {state.tension, state.length};
  }
  for (const auto& placed : set.rotational_springs) {
    const auto state = stateOf(placed);
    out.loads[at(placed.load)].force = {state.torque, state.angle};
  }
}

Eval AbsoluteSystem::observe(double t, std::span<const double> x, Workspace& workspace, Observation& out) const {
  Work& work = static_cast<Work&>(workspace);
  const Eval eval = accelerations(t, x, work);
  if (eval != Eval::ok) return eval;
  const std::size_t n = at(equations_.coordinates());
  velocityResidual(x.subspan(n, n), work);
  out.violation.position = norm2(work.eq.phi);
  out.violation.velocity = norm2(work.velocity_residual);
  // Phi_q a - Gamma: what Baumgarte's terms add shows here.
  double sum = 0.0;
  const auto& start = equations_.rowStart();
  const auto& bodies = equations_.rowBodies();
  for (int r = 0; r < equations_.rows(); ++r) {
    double rest = -work.eq.gamma[at(r)];
    for (int p = start[at(r)]; p < start[at(r) + 1]; ++p) {
      for (int k = 0; k < 3; ++k)
        rest += work.eq.jacobian[at(3 * p + k)] * work.acceleration[at(3 * bodies[at(p)] + k)];
    }
    sum += rest * rest;
  }
  out.violation.acceleration = std::sqrt(sum);

  const std::vector<std::uint8_t> unique = makeMultipliersUnique(work);
  out.multipliers = work.lambda;
  observeBodies(work, out);
  observeReactions(work, unique, out);
  observeLoads(work, out);
  out.potential = work.eq.potential;
  out.supplied_work = x[2 * n];
  return Eval::ok;
}

}  // namespace linkwork
