#include "linkwork/formulation/observer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linkwork/linalg/norm.hpp"

namespace linkwork {

namespace {

using V3 = Vec3<double>;

// A component of the null space below this is round-off: that multiplier is unique.
constexpr double kUnique = 1e-8;
// A row that was left out stands off the others by this many times less than what its null vector may have in joints
// that have no share in it.
constexpr double kUniqueOff = 30.0;

// Vectors of the plane and of space, both as vectors of space.
V3 inSpace(const Vec2<double>& v) { return {v.x, v.y, 0.0}; }
V3 inSpace(const V3& v) { return v; }
V3 turnInGround(const Planar<double>::Position& /*x*/, double w) { return {0.0, 0.0, w}; }
V3 turnInGround(const Spatial<double>::Position& x, const V3& w) { return x.R * w; }

std::array<double, 3> list(const V3& v) { return {v.x, v.y, v.z}; }

template <class G>
typename G::Vector vectorOf(const Point& p) {
  if constexpr (G::kSpatial) {
    return {p[0].number, p[1].number, p[2].number};
  } else {
    return {p[0].number, p[1].number};
  }
}

// Of what the motion of both bodies needs: a load of less is round-off of none.
constexpr double kNoLoad = 1e-12;

// How great forces are that the motion of the two bodies at a contact needs.
double inertialForce(const Mechanism& mechanism, BodyIndex body, const ContactState& contact, const Observation& seen) {
  if (!body.valid()) return 0.0;
  const BodyMotion& motion = seen.bodies[body.at()];
  double acceleration = 0.0;
  double spin = 0.0;
  double arm = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    acceleration += motion.acceleration[k] * motion.acceleration[k];
    spin += motion.angular_velocity[k] * motion.angular_velocity[k];
    arm += (contact.place[k] - motion.position[k]) * (contact.place[k] - motion.position[k]);
  }
  return mechanism.body(body).mass.number * (std::sqrt(acceleration) + spin * std::sqrt(arm));
}
double inertialForceOf(const Mechanism& mechanism, const Joint& joint, const ContactState& contact,
                       const Observation& seen) {
  return inertialForce(mechanism, joint.first, contact, seen) + inertialForce(mechanism, joint.second, contact, seen);
}

// The first of a sequence of angles: it is as steep as the first axis is near to the third.         [theory/01,
// eq. 1.50]
template <class G>
bool meansSomething(const NamedQuantity<G>& angle, const typename AbsoluteEquations<G>::Work& eq) {
  constexpr double kSteepest = 1e8;
  const auto rows = angle.rows({eq.x[at(angle.i)], eq.x[at(angle.j)]});
  double steepness = 0.0;
  for (int k = 0; k < G::kFreedoms; ++k) steepness += std::abs(rows.second[0][at(k)]) + std::abs(rows.first[0][at(k)]);
  return steepness < kSteepest;  // false for what is no number as well
}

}  // namespace

template <class G>
Observer<G>::Observer(const Mechanism& mechanism, const RowOptions& options)
    : mechanism_(mechanism),
      equations_(mechanism),
      rows_(mechanism, equations_, options),
      events_(mechanism, equations_.elements()) {
  std::vector<Expr> outputs;
  for (const Output& output : mechanism.outputs) outputs.push_back(output.value);
  outputs_ = compileExpressions<G>(mechanism, outputs);
  std::vector<Quantity> wanted;
  for (int k = 0; k < static_cast<int>(mechanism.joints.size()); ++k) {
    wanted.insert(wanted.end(), {{QuantityKind::joint_angle, k},
                                 {QuantityKind::joint_slide, k},
                                 {QuantityKind::joint_angle_rate, k},
                                 {QuantityKind::joint_slide_rate, k}});
  }
  const auto quantities = compileQuantities<G>(mechanism, wanted);
  for (std::size_t k = 0; k < quantities.size(); k += 4) {
    joint_quantities_.push_back({quantities[k], quantities[k + 1], quantities[k + 2], quantities[k + 3], {}});
    const int joint = static_cast<int>(k / 4);
    if (!G::kSpatial || !hasTurns(mechanism.joints[at(joint)])) continue;
    joint_quantities_.back().turns = compileQuantities<G>(mechanism, {{QuantityKind::joint_turn_1, joint},
                                                                      {QuantityKind::joint_turn_2, joint},
                                                                      {QuantityKind::joint_turn_3, joint},
                                                                      {QuantityKind::joint_turn_1_rate, joint},
                                                                      {QuantityKind::joint_turn_2_rate, joint},
                                                                      {QuantityKind::joint_turn_3_rate, joint}});
  }
}

template <class G>
Observer<G>::Work::Work(const Observer& observer)
    : eq(observer.equations_.makeWork()),
      kkt(observer.rows_.makeSolver()),
      reactions(observer.rows_.reactionScale()),
      velocity_residual(at(observer.equations_.rows())),
      rows(at(observer.equations_.rows())),
      open_forces(observer.mechanism_.joints.size()),
      open_moments(observer.mechanism_.joints.size()),
      events(observer.events_.makeScratch()),
      outputs(observer.outputs_.makeScratch()) {}

template <class G>
void Observer<G>::place(double t, const State& state, Work& work) const {
  std::copy(state.turns.begin(), state.turns.end(), work.eq.turns.begin());
  equations_.positions(t, state.q, work.eq);
  equations_.velocities(state.v, work.eq);
  equations_.forces(work.eq);
}

template <class G>
RowRank Observer<G>::factorRows(double t, std::span<const double> q, std::span<const double> turns, Work& work) const {
  std::copy(turns.begin(), turns.end(), work.eq.turns.begin());
  equations_.positions(t, q, work.eq);
  return factor(work);
}

template <class G>
RowRank Observer<G>::factor(Work& work) const {
  work.factored = rows_.factor(work.eq, kDependentRow, work.kkt);
  return rows_.rank(work.factored);
}

template <class G>
Violation Observer<G>::violation(std::span<const double> v, Work& work) const {
  rows_.velocityResidual(v, work.eq, work.velocity_residual);
  return {norm2(work.eq.phi), norm2(work.velocity_residual), 0.0};
}

// A point given in body axes, from the centre of mass.
template <class G>
typename G::Vector Observer<G>::armOf(BodyIndex body, const Point& point) const {
  return body.valid() ? vectorOf<G>(point) - vectorOf<G>(mechanism_.body(body).com) : vectorOf<G>(point);
}

template <class G>
void Observer<G>::observeBodies(std::span<const double> q, std::span<const double> a, const Work& work,
                                Observation& out) const {
  out.bodies.resize(mechanism_.bodies.size());
  out.kinetic = 0.0;
  const Point origin = {Value(0.0), Value(0.0), Value(0.0)};
  for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b) {
    const auto& x = work.eq.x[b];
    const auto& v = work.eq.v[b];
    const auto rates = G::velocity(a.subspan(b * G::kFreedoms, G::kFreedoms));
    const auto arm = armOf(BodyIndex(static_cast<int>(b)), origin);
    BodyMotion& body = out.bodies[b];
    body.position = list(inSpace(G::pointIn(x, arm)));
    body.velocity = list(inSpace(G::pointRate(x, v, arm)));
    // Of the origin: that of the centre of mass, what the angular acceleration adds (a rate with a in place of v),
    // centripetal.
    body.acceleration = list(inSpace(G::pointRate(x, rates, arm) + G::centripetal(x, v, arm)));
    body.angular_velocity = list(turnInGround(x, v.w));
    body.angular_acceleration = list(turnInGround(x, rates.w));
    const auto own = q.subspan(b * G::kCoordinates, G::kCoordinates);
    if constexpr (G::kSpatial) {
      body.orientation = {own[3], own[4], own[5], own[6]};
    } else {
      body.angle = own[2];
      body.orientation = {std::cos(0.5 * own[2]), 0.0, 0.0, std::sin(0.5 * own[2])};
    }
    out.kinetic += G::kineticEnergy(equations_.elements().body[b], v);
  }
}

template <class G>
void Observer<G>::observeJoints(const Work& work, Observation& out) const {
  const auto valueOf = [&](const NamedQuantity<G>& quantity) {
    return quantity.value(work.eq.t, {work.eq.x[at(quantity.i)], work.eq.x[at(quantity.j)]},
                          {work.eq.v[at(quantity.i)], work.eq.v[at(quantity.j)]}, quantity.referenceIn(work.eq.turns));
  };
  out.joint_motions.assign(mechanism_.joints.size(), {});
  for (std::size_t k = 0; k < mechanism_.joints.size(); ++k) {
    const JointQuantities& quantities = joint_quantities_[k];
    JointMotion& motion = out.joint_motions[k];
    if (hasAngle(mechanism_.joints[k].kind)) {
      motion.angle = valueOf(quantities.angle);
      motion.angle_rate = valueOf(quantities.angle_rate);
    }
    if (hasSlide(mechanism_.joints[k].kind)) {
      motion.slide = valueOf(quantities.slide);
      motion.slide_rate = valueOf(quantities.slide_rate);
    }
    for (std::size_t turn = 0; turn < quantities.turns.size() / 2; ++turn) {
      motion.turns[turn] = valueOf(quantities.turns[turn]);
      motion.turn_rates[turn] = valueOf(quantities.turns[turn + 3]);
    }
    if (quantities.turns.empty() || meansSomething<G>(quantities.turns[0], work.eq)) continue;
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    motion.turns[0] = motion.turns[2] = kNone;
    motion.turn_rates = {kNone, kNone, kNone};
  }
}

// Where the bodies of joints that roll touch; before their reactions.
template <class G>
void Observer<G>::placeContacts(const Work& work, Observation& out) const {
  const auto& set = equations_.elements();
  out.contacts.assign(set.rolling_normals.empty() ? 0 : mechanism_.joints.size(), {});
  for (const auto& placed : set.rolling_normals) {
    const PairPosition<G> x{work.eq.x[at(placed.i)], work.eq.x[at(placed.j)]};
    const auto touch = placed.element.contact.touch(x);
    ContactState& contact = out.contacts[at(set.groups[at(set.row_info[at(placed.row)].group)].index)];
    contact.place = list(inSpace(G::pointIn(x.j, touch.arm_j)));
    contact.normal = list(inSpace(touch.n));
  }
}

// The rest of them, from what the joints carry.
template <class G>
void Observer<G>::loadContacts(std::span<const double> lambda, Observation& out) const {
  const auto& set = equations_.elements();
  for (const auto& placed : set.rolling_normals) {
    const std::size_t joint = at(set.groups[at(set.row_info[at(placed.row)].group)].index);
    ContactState& contact = out.contacts[joint];
    contact.load = lambda[at(placed.row)];
    double across = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double part = out.joints[joint].force_on_second[k] - contact.normal[k] * contact.load;
      across += part * part;
    }
    const bool none =
        std::abs(contact.load) <= kNoLoad * inertialForceOf(mechanism_, mechanism_.joints[joint], contact, out);
    contact.grip = none ? std::numeric_limits<double>::quiet_NaN() : std::sqrt(across) / contact.load;
  }
}

// What the multipliers of a joint's rows do to its two bodies.
template <class G>
Reaction Observer<G>::reactionOf(const RowGroup& group, std::span<const double> lambda, const Work& work,
                                 const Observation& seen) const {
  const auto& start = equations_.rowStart();
  const auto& bodies = equations_.rowBodies();
  const Joint& joint = mechanism_.joints[at(group.index)];
  if (isRelation(joint.kind)) return {};  // no point to act at
  // Wrench on one moving body, Phi_q^T lambda about its centre of mass; then reduced to the ground's origin.
  const bool from_first = joint.first.valid();
  const BodyIndex on = from_first ? joint.first : joint.second;
  std::array<double, G::kFreedoms> wrench{};
  for (int row = group.first_row; row < group.first_row + group.rows; ++row) {
    for (int p = start[at(row)]; p < start[at(row) + 1]; ++p) {
      if (bodies[at(p)] != on.value()) continue;
      for (int k = 0; k < G::kFreedoms; ++k) {
        wrench[at(k)] += work.eq.jacobian[at(G::kFreedoms * p + k)] * lambda[at(row)];
      }
    }
  }
  // Components as those of a velocity: force in ground axes, moment in the axes that the freedoms have.
  const auto parts = G::velocity(wrench);
  const auto& x = work.eq.x[on.at()];
  V3 force = inSpace(parts.v);
  V3 moment = turnInGround(x, parts.w) + cross(inSpace(x.r), force);
  if (from_first) {  // what acts on the second is the opposite
    force = -force;
    moment = -moment;
  }
  const auto pointInGround = [&](BodyIndex body, const Frame& frame) {
    if (joint.kind == JointKind::rolling) {
      const auto& place = seen.contacts[at(group.index)].place;
      return V3{place[0], place[1], place[2]};
    }
    const auto arm = armOf(body, frame.point);
    return inSpace(body.valid() ? G::pointIn(work.eq.x[body.at()], arm) : arm);
  };
  Reaction reaction;
  reaction.force_on_second = list(force);
  reaction.moment_on_second = list(moment - cross(pointInGround(joint.second, joint.on_second), force));
  reaction.moment_on_first = list(-moment + cross(pointInGround(joint.first, joint.on_first), force));
  return reaction;
}

template <class G>
void Observer<G>::observeReactions(std::span<double> lambda, Work& work, Observation& out) const {
  work.reactions.find(work.kkt);
  work.reactions.makeLeast(work.kkt, lambda);
  out.multipliers.assign(lambda.begin(), lambda.end());
  out.joints.assign(mechanism_.joints.size(), {});
  out.drive_efforts.assign(mechanism_.drives.size(), 0.0);
  out.drive_efforts_unique.assign(mechanism_.drives.size(), true);
  for (const RowGroup& group : equations_.elements().groups) {
    if (group.is_drive) {
      out.drive_efforts[at(group.index)] = lambda[at(group.first_row)];
    } else {
      Reaction& reaction = out.joints[at(group.index)];
      reaction = reactionOf(group, lambda, work, out);
      reaction.effort = group.rows > 0 ? lambda[at(group.first_row + group.rows - 1)] : 0.0;
    }
  }
  markNotUnique(work, out);
  takeUniqueParts(work, out);
  loadContacts(lambda, out);
}

// A component is unique when no null vector has a share in it.                            [docs/theory/01, eq. 1.17]
template <class G>
void Observer<G>::markNotUnique(Work& work, Observation& out) const {
  const auto& set = equations_.elements();
  // Numbers that do not quite fit, or open joints, make rows depend on others only nearly: then null vectors are known
  // to that alone.
  const double least = std::max(kUnique, kUniqueOff * std::sqrt(work.factored.largest_dropped));
  const auto mark = [least](const std::array<double, 3>& share, double unit, std::array<bool, 3>& unique) {
    for (std::size_t k = 0; k < 3; ++k) unique[k] = unique[k] && std::abs(share[k]) <= least * unit;
  };
  std::fill(work.rows.begin(), work.rows.end(), 0.0);
  std::fill(work.open_forces.begin(), work.open_forces.end(), OpenDirections());
  std::fill(work.open_moments.begin(), work.open_moments.end(), OpenDirections());
  for (int k = 0; k < work.reactions.probes(); ++k) {
    const auto entries = work.reactions.probe(k);
    for (const auto& entry : entries) work.rows[at(entry.row)] = entry.mu * work.reactions.rowScale(entry.row);
    int last = -1;
    for (const auto& entry : entries) {
      const int index = set.row_info[at(entry.row)].group;
      if (index == last || std::abs(entry.mu) <= least) continue;
      last = index;
      const RowGroup& group = set.groups[at(index)];
      if (group.is_drive) {
        out.drive_efforts_unique[at(group.index)] = false;
        continue;
      }
      const Reaction share = reactionOf(group, work.rows, work, out);
      Reaction& reaction = out.joints[at(group.index)];
      reaction.unique = false;
      mark(share.force_on_second, 1.0, reaction.force_unique);
      mark(share.moment_on_second, rows_.reactionLength(), reaction.moment_unique);
      mark(share.moment_on_first, rows_.reactionLength(), reaction.moment_on_first_unique);
      work.open_forces[at(group.index)].add(share.force_on_second, least);
      work.open_moments[at(group.index)].add(share.moment_on_second, least * rows_.reactionLength());
    }
    for (const auto& entry : entries) work.rows[at(entry.row)] = 0.0;
  }
}

template <class G>
void Observer<G>::takeUniqueParts(const Work& work, Observation& out) {
  for (std::size_t k = 0; k < out.joints.size(); ++k) {
    Reaction& reaction = out.joints[k];
    reaction.unique_force = work.open_forces[k].withoutThem(reaction.force_on_second);
    reaction.unique_moment = work.open_moments[k].withoutThem(reaction.moment_on_second);
    reaction.unique_force_directions = 3 - work.open_forces[k].count();
    reaction.unique_moment_directions = 3 - work.open_moments[k].count();
  }
}

// What the springs in the place of a joint carry, and how far they give way.
template <class G>
void Observer<G>::observeSprings(const Work& work, Observation& out) const {
  using Springs = CompliantJoint<G>;
  const auto& turns = work.eq.turns;
  for (const auto& placed : equations_.elements().template loadsOf<Springs>()) {
    const PairPosition<G> x{work.eq.x[at(placed.i)], work.eq.x[at(placed.j)]};
    const PairVelocity<G> v{work.eq.v[at(placed.i)], work.eq.v[at(placed.j)]};
    const auto state = placed.element.state(x, v, inputOf(placed, work.eq.load_scratch.outputs, turns));
    std::array<double, Springs::kScalars> values{};
    placed.element.values(x, state, values);
    const V3 force = inSpace(state.force);
    const V3 moment = G::kSpatial
                          ? V3{state.moment[0], state.moment[G::kSpatial ? 1 : 0], state.moment[G::kSpatial ? 2 : 0]}
                          : V3{0.0, 0.0, state.moment[0]};
    const V3 open = inSpace(G::pointIn(x.j, placed.element.b.point) - G::pointIn(x.i, placed.element.a.point));
    Reaction& reaction = out.joints[at(placed.joint)];
    reaction.force_on_second = list(force);
    reaction.moment_on_second = list(moment);
    reaction.moment_on_first = list(placed.element.in_ground_axes ? -moment : -moment - cross(open, force));
    reaction.unique_force = reaction.force_on_second;
    reaction.unique_moment = reaction.moment_on_second;
    JointMotion& motion = out.joint_motions[at(placed.joint)];
    motion.gap = values[values.size() - 2];
    motion.axis_angle = values[values.size() - 1];
  }
}

template <class G>
void Observer<G>::observeLoads(const Work& work, Observation& out) const {
  out.loads.assign(mechanism_.loads.size(), {});
  forEachLoad(equations_.elements(), [&](const auto& placed) {
    if (placed.load < 0) return;
    const PairPosition<G> x{work.eq.x[at(placed.i)], work.eq.x[at(placed.j)]};
    const PairVelocity<G> v{work.eq.v[at(placed.i)], work.eq.v[at(placed.j)]};
    const auto state = placed.element.state(x, v, inputOf(placed, work.eq.load_scratch.outputs, work.eq.turns));
    constexpr int kScalars = std::decay_t<decltype(placed.element)>::kScalars;
    std::vector<double>& scalars = out.loads[at(placed.load)].scalars;
    scalars.resize(std::max(scalars.size(), at(placed.scalar + kScalars)));
    placed.element.values(x, state, std::span(scalars).subspan(at(placed.scalar), at(kScalars)));
  });
}

// What is no number at this state, such as a ratio of two rates at rest, is recorded as it is.
template <class G>
void Observer<G>::observeOutputs(Work& work, Observation& out) const {
  if (mechanism_.outputs.empty()) return;
  outputs_.evaluate(work.eq.t, work.eq.x, work.eq.v, work.eq.turns, work.outputs);
  out.outputs = work.outputs.outputs;
}

template <class G>
void Observer<G>::observe(const State& state, std::span<const double> a, std::span<double> lambda, Work& work,
                          Observation& out) const {
  out.violation = violation(state.v, work);
  // Phi_q a - Gamma: what a stabilisation adds to Gamma shows here.
  double sum = 0.0;
  for (int r = 0; r < equations_.rows(); ++r) {
    const double rest = rows_.times(r, a, work.eq) - work.eq.gamma[at(r)];
    sum += rest * rest;
  }
  out.violation.acceleration = std::sqrt(sum);
  observeBodies(state.q, a, work, out);
  observeJoints(work, out);
  placeContacts(work, out);
  observeReactions(lambda, work, out);
  observeSprings(work, out);
  observeLoads(work, out);
  out.potential = work.eq.potential;
  observeOutputs(work, out);
}

template class Observer<Planar<double>>;
template class Observer<Spatial<double>>;

}  // namespace linkwork
