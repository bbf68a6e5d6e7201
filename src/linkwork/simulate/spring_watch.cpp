#include "linkwork/simulate/spring_watch.hpp"

#include <algorithm>
#include <cmath>

#include "linkwork/analyse/places.hpp"
#include "linkwork/base/index.hpp"
#include "linkwork/formulation/compliant/spring_space.hpp"
#include "linkwork/model/compliance.hpp"

namespace linkwork {

namespace {

double lengthOfVector(const std::array<double, 3>& v) { return std::hypot(v[0], v[1], v[2]); }

double greatestOf(const std::array<Value, 3>& springs) {
  return std::max({springs[0].number, springs[1].number, springs[2].number});
}
double leastOf(const std::array<Value, 3>& springs) {
  double least = 0.0;
  for (const Value& spring : springs) {
    if (spring.number > 0.0 && (least == 0.0 || spring.number < least)) least = spring.number;
  }
  return least;
}

// What is stored, up to the third order of turns: exact where all springs of a kind are alike, else no more than this.
double energyIn(const Compliance& springs, double gap, double angle, double force, double moment) {
  const double slides =
      std::min(0.5 * greatestOf(springs.stiffness) * gap * gap,
               leastOf(springs.stiffness) > 0.0 ? 0.5 * force * force / leastOf(springs.stiffness) : 0.0);
  const double turns = std::min(0.5 * greatestOf(springs.rotational_stiffness) * angle * angle,
                                leastOf(springs.rotational_stiffness) > 0.0
                                    ? 0.5 * moment * moment / leastOf(springs.rotational_stiffness)
                                    : 0.0);
  return slides + turns;
}

// The springs at a pose; velocities do not matter.
template <class G, class Use>
void withSpace(const Mechanism& mechanism, std::span<const double> state, const Use& use) {
  SpringSpace<G> space(mechanism);
  const auto bodies = at(space.observer().equations().bodies());
  const std::size_t q = bodies * G::kCoordinates;
  const std::size_t v = bodies * G::kFreedoms;
  space.place(0.0, {state.first(q), state.subspan(q, v), state.subspan(q + v + 1)});
  use(space);
}

// sqrt of the greatest eigenvalue of C^1/2 W C^1/2, over the directions that `wanted` takes.
template <class G, class Wanted>
double frequency(const SpringSpace<G>& space, const Eigen::MatrixXd& W, const Wanted& wanted) {
  std::vector<Eigen::Index> own;
  for (std::size_t k = 0; k < space.directions().size(); ++k) {
    if (wanted(space.directions()[k])) own.push_back(static_cast<Eigen::Index>(k));
  }
  if (own.empty()) return 0.0;
  Eigen::MatrixXd part(own.size(), own.size());
  for (std::size_t r = 0; r < own.size(); ++r) {
    for (std::size_t c = 0; c < own.size(); ++c) {
      part(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) =
          W(own[r], own[c]) *
          std::sqrt(space.directions()[at(own[r])].stiffness * space.directions()[at(own[c])].stiffness);
    }
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(part);
  return std::sqrt(std::max(0.0, eigen.eigenvalues()[part.rows() - 1]));
}

template <class G>
SpringFrequencies frequenciesIn(const Mechanism& mechanism, std::span<const double> state) {
  SpringFrequencies out;
  withSpace<G>(mechanism, state, [&](SpringSpace<G>& space) {
    const Eigen::MatrixXd W = space.answers(space.responses());
    out.fastest = frequency(space, W, [](const auto& /*all*/) { return true; });
    for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
      if (!mechanism.joints[k].compliance) continue;
      out.of_joints.push_back(frequency(space, W, [k](const auto& direction) { return at(direction.joint) == k; }));
    }
  });
  return out;
}

// The pose as coordinates of the centres of mass, and how much the accelerations of two states differ there.
template <class G>
struct AcrossJump {
  std::vector<double> state, change;

  AcrossJump(const Mechanism& mechanism, const Observation& before, const Observation& after, std::size_t turns) {
    for (std::size_t b = 0; b < mechanism.bodies.size(); ++b)
      add(mechanism.bodies[b], before.bodies[b], after.bodies[b]);
    state.resize(state.size() + change.size() + 1 + turns, 0.0);
  }

 private:
  void add(const Body& body, const BodyMotion& before, const BodyMotion& after) {
    const auto& q = before.orientation;
    const auto R = G::kSpatial ? Rotation3<double>::fromQuaternion(q[0], q[1], q[2], q[3])
                               : Rotation3<double>::aboutZ(before.angle);
    const auto minus = [](const std::array<double, 3>& a, const std::array<double, 3>& b) {
      return Vec3<double>{a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    };
    const Vec3<double> arm = R * Vec3<double>{body.com[0].number, body.com[1].number, body.com[2].number};
    const Vec3<double> turn = minus(after.angular_acceleration, before.angular_acceleration);
    const Vec3<double> a = minus(after.acceleration, before.acceleration) + cross(turn, arm);
    const Vec3<double> r = Vec3<double>{before.position[0], before.position[1], before.position[2]} + arm;
    if constexpr (G::kSpatial) {
      const Vec3<double> own = R.inverseTimes(turn);
      state.insert(state.end(), {r.x, r.y, r.z, q[0], q[1], q[2], q[3]});
      change.insert(change.end(), {a.x, a.y, a.z, own.x, own.y, own.z});
    } else {
      state.insert(state.end(), {r.x, r.y, before.angle});
      change.insert(change.end(), {a.x, a.y, turn.z});
    }
  }
};

template <class G>
void noteRinging(const Mechanism& mechanism, double t, const Observation& before, const Observation& after,
                 std::vector<SpringJoint>& joints) {
  const AcrossJump<G> jump(mechanism, before, after, at(AbsoluteEquations<G>(mechanism).turns()));
  withSpace<G>(mechanism, jump.state, [&](SpringSpace<G>& space) {
    const auto n = static_cast<Eigen::Index>(space.directions().size());
    Eigen::VectorXd right(n);
    for (Eigen::Index r = 0; r < n; ++r) right[r] = -space.along(space.directions()[at(r)], jump.change);
    const Eigen::MatrixXd W = space.answers(space.responses());
    const Eigen::VectorXd more = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(W).solve(right);
    std::size_t which = 0;
    for (std::size_t k = 0; k < mechanism.joints.size() && which < joints.size(); ++k) {
      if (!mechanism.joints[k].compliance) continue;
      double square = 0.0;
      for (Eigen::Index r = 0; r < n; ++r) {
        const auto& direction = space.directions()[at(r)];
        if (at(direction.joint) == k && !direction.turn) square += more[r] * more[r];
      }
      SpringJoint& joint = joints[which++];
      if (std::sqrt(square) <= joint.ringing) continue;
      joint.ringing = std::sqrt(square);
      joint.ringing_at = t;
    }
  });
}

}  // namespace

void SpringWatch::lookAtJump(double t, const Observation& before, const Observation& after,
                             std::vector<SpringJoint>& joints) {
  if (joints.empty()) return;
  if (mechanism_.space == Space::spatial) {
    noteRinging<Spatial<double>>(mechanism_, t, before, after, joints);
  } else {
    noteRinging<Planar<double>>(mechanism_, t, before, after, joints);
  }
}

SpringFrequencies springFrequencies(const Mechanism& mechanism, std::span<const double> state) {
  if (!hasCompliance(mechanism)) return {};
  return mechanism.space == Space::spatial ? frequenciesIn<Spatial<double>>(mechanism, state)
                                           : frequenciesIn<Planar<double>>(mechanism, state);
}

// Some 500 swings, each 15 to 20 evaluations of an explicit method: what an implicit one takes for a whole run.
bool springsAreFast(const Mechanism& mechanism, double until) {
  constexpr double kManySwings = 3000.0;  // rad
  if (!hasCompliance(mechanism)) return false;
  std::vector<double> state;
  for (const Body& body : mechanism.bodies) {
    const std::vector<double> own = coordinatesOf(mechanism, body, body.drawn);
    state.insert(state.end(), own.begin(), own.end());
  }
  const bool spatial = mechanism.space == Space::spatial;
  const int turns = spatial ? AbsoluteEquations<Spatial<double>>(mechanism).turns() : 0;
  state.resize(state.size() + mechanism.bodies.size() * (spatial ? 6U : 3U) + 1 + at(turns), 0.0);
  return springFrequencies(mechanism, state).fastest * until > kManySwings;
}

void SpringWatch::begin(std::span<const double> start, std::vector<SpringJoint>& joints) {
  joints.clear();
  if (!hasCompliance(mechanism_)) return;
  const SpringFrequencies found = springFrequencies(mechanism_, start);
  for (const Joint& joint : mechanism_.joints) {
    if (!joint.compliance) continue;
    SpringJoint out;
    out.joint = joint.name;
    out.origin = joint.compliance->origin;
    out.stiffness = greatestOf(joint.compliance->stiffness);
    out.softest_stiffness = leastOf(joint.compliance->stiffness);
    out.rotational_stiffness = greatestOf(joint.compliance->rotational_stiffness);
    out.frequency = found.of_joints[joints.size()];
    joints.push_back(std::move(out));
  }
}

void SpringWatch::look(double t, const Observation& seen, std::vector<SpringJoint>& joints) {
  std::size_t n = 0;
  for (std::size_t k = 0; k < mechanism_.joints.size() && n < joints.size(); ++k) {
    const auto& springs = mechanism_.joints[k].compliance;
    if (!springs) continue;
    SpringJoint& joint = joints[n++];
    const JointMotion& motion = seen.joint_motions[k];
    const double force = lengthOfVector(seen.joints[k].force_on_second);
    const double moment = lengthOfVector(seen.joints[k].moment_on_second);
    if (motion.gap > joint.greatest_gap) {
      joint.greatest_gap = motion.gap;
      joint.gap_at = t;
    }
    joint.greatest_angle = std::max(joint.greatest_angle, motion.axis_angle);
    joint.greatest_force = std::max(joint.greatest_force, force);
    joint.greatest_moment = std::max(joint.greatest_moment, moment);
    joint.greatest_energy =
        std::max(joint.greatest_energy, energyIn(*springs, motion.gap, motion.axis_angle, force, moment));
  }
}

}  // namespace linkwork
