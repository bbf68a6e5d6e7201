#include "linkwork/elements/compliant_joint.hpp"

#include "linkwork/elements/joint_springs.hpp"
#include "linkwork/elements/load_laws_for_tests.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {
namespace compliant_joint_test {

using namespace test;

constexpr std::array kInSpace{JointKind::spherical, JointKind::revolute, JointKind::prismatic, JointKind::cylindrical,
                              JointKind::universal, JointKind::fixed,    JointKind::planar};
constexpr std::array kInPlane{JointKind::revolute, JointKind::prismatic, JointKind::fixed};
constexpr std::array kLaws{TurnLaw::chord, TurnLaw::angle, TurnLaw::sin2};

template <class F>
constexpr Space spaceOf() {
  return std::is_same_v<F, InSpace> ? Space::spatial : Space::planar;
}
template <class F>
std::vector<JointKind> kindsOf() {
  if constexpr (std::is_same_v<F, InSpace>) {
    return {kInSpace.begin(), kInSpace.end()};
  } else {
    return {kInPlane.begin(), kInPlane.end()};
  }
}

template <class F>
using Axes =
    std::array<typename F::template Of<double>::Vector, static_cast<std::size_t>(F::template Of<double>::kDimension)>;

template <class F>
Axes<F> randomAxes(Random& random) {
  if constexpr (std::is_same_v<F, InPlane>) {
    const auto x = random.direction<F>();
    return {x, perp(x)};
  } else {
    const auto R = random.position<F>().R;
    return {R.x, R.y, R.z};
  }
}

// Stiffnesses of tens, unlike along each axis; about them unlike where the kind can be so.
template <class F>
Joint jointOf(JointKind kind, TurnLaw law, bool damped = true) {
  Joint joint;
  joint.kind = kind;
  joint.compliance = Compliance();
  Compliance& springs = *joint.compliance;
  springs.law = law;
  const HeldDirections held = heldDirections(kind, spaceOf<F>());
  const bool all = held.turns[0] && held.turns[2];
  for (std::size_t k = 0; k < 3; ++k) {
    const double size = 10.0 + 3.0 * static_cast<double>(k);
    if (held.slides[k]) springs.stiffness[k] = size;
    if (held.slides[k] && damped) springs.damping[k] = 0.1 * size;
    if (held.turns[k]) springs.rotational_stiffness[k] = all ? 2.0 * size : 20.0;
    if (held.turns[k] && damped) springs.rotational_damping[k] = all ? 0.2 * size : 2.0;
  }
  EXPECT_EQ(complianceProblem(kind, spaceOf<F>(), springs).what, "");
  return joint;
}

// The frames on both bodies have the same axes in body axes, so that bodies turned alike have their frames aligned.
template <class F>
auto makerOf(const Joint& joint, Random& random, const typename F::template Of<double>::Vector& a,
             const typename F::template Of<double>::Vector& b) {
  const Axes<F> axes = randomAxes<F>(random);
  return [=](auto g) {
    using G = decltype(g);
    using T = typename G::Scalar;
    typename CompliantJoint<G>::Mount on_i;
    typename CompliantJoint<G>::Mount on_j;
    on_i.point = lift<T>(a);
    on_j.point = lift<T>(b);
    for (std::size_t k = 0; k < axes.size(); ++k) on_i.axes[k] = on_j.axes[k] = lift<T>(axes[k]);
    return springsOf<G>(joint, on_i, on_j, [](const Value& value) { return T(value.number); });
  };
}

// Two bodies whose frames are apart by about `open`, and turned by `turn` about a random axis.
template <class F, class Vector>
TwoBodies<F> posed(Random& random, const Vector& a, const Vector& b, double open, double turn) {
  using G = typename F::template Of<double>;
  auto s = TwoBodies<F>::random(random);
  if constexpr (G::kSpatial) {
    std::copy(s.qi.begin() + 3, s.qi.end(), s.qj.begin() + 3);
    const auto axis = random.direction<InSpace>();
    const std::array<double, 6> step{0.0, 0.0, 0.0, turn * axis.x, turn * axis.y, turn * axis.z};
    retract(G{}, s.qj, step);
  } else {
    s.qj[2] = s.qi[2] + turn;
  }
  s.xj = G::position(s.qj);
  const auto d = G::pointIn(s.xi, a) + random.vector<F>() * open - G::pointIn(s.xj, b);
  for (int k = 0; k < G::kDimension; ++k) s.qj[static_cast<std::size_t>(k)] += d[k];
  s.xj = G::position(s.qj);
  return s;
}

template <class F>
class CompliantJoints : public ::testing::Test {};
TYPED_TEST_SUITE(CompliantJoints, PlaneAndSpace, GeometryName);

// Up to 10 kinds of moments of 100 N m, over a body's arm of a metre: forces to 1e-13 of that. With the law "angle" the
// energy's own slope is a quotient of small numbers down to the square root of the smallest turn that is no series.
TYPED_TEST(CompliantJoints, ForceIsMinusTheSlopeOfTheEnergyAtEveryTurn) {
  using F = TypeParam;
  Random random(71);
  for (const JointKind kind : kindsOf<F>()) {
    for (const TurnLaw law : kLaws) {
      for (const double turn : {0.0, 1e-9, 1e-3, 0.0316, 0.4, 1.7, 2.9}) {
        for (const double open : {0.0, 1e-9, 0.3}) {
          const auto a = random.vector<F>();
          const auto b = random.vector<F>();
          const auto make = makerOf<F>(jointOf<F>(kind, law), random, a, b);
          SCOPED_TRACE(fmt::format("{} law {} turn {} open {}", wordFor(kind), static_cast<int>(law), turn, open));
          expectForceIsSlopeOfEnergy(make, posed<F>(random, a, b, open, turn), 1e-10);
        }
      }
    }
  }
}

TYPED_TEST(CompliantJoints, ExertNothingWhereTheyFit) {
  using F = TypeParam;
  Random random(72);
  for (const JointKind kind : kindsOf<F>()) {
    for (const TurnLaw law : kLaws) {
      const auto a = random.vector<F>();
      const auto b = random.vector<F>();
      const auto load = makerOf<F>(jointOf<F>(kind, law, false), random, a, b)(typename F::template Of<double>{});
      const auto s = posed<F>(random, a, b, 0.0, 0.0);
      const auto w = wrenchesOf(load, s);
      typename F::template Of<double>::Scalar sum = 0.0;
      const auto state = load.state({s.xi, s.xj}, {s.vi, s.vj});
      sum += dot(w.on_j.force, w.on_j.force);
      for (const double m : state.moment) sum += m * m;
      EXPECT_LT(std::sqrt(sum), 1e-13) << wordFor(kind);
      EXPECT_LT(load.storedEnergy(state), 1e-28);
    }
  }
}

// What acts on one body acts back on the other, about any point: whatever moves both together feels nothing.
TYPED_TEST(CompliantJoints, KeepActionAndReactionAndNeverFeedEnergyIn) {
  using F = TypeParam;
  using G = typename F::template Of<double>;
  Random random(73);
  for (int trial = 0; trial < 20; ++trial) {
    for (const JointKind kind : kindsOf<F>()) {
      const auto a = random.vector<F>();
      const auto b = random.vector<F>();
      const auto make = makerOf<F>(jointOf<F>(kind, kLaws[static_cast<std::size_t>(trial % 3)]), random, a, b);
      const auto load = make(G{});
      const auto s = posed<F>(random, a, b, 0.5, random.number(0.0, 2.5));
      const auto w = wrenchesOf(load, s);
      expectActionEqualsReaction(w, s, 1e-11);
      const auto state = load.state({s.xi, s.xj}, {s.vi, s.vj});
      EXPECT_GE(state.dissipated, 0.0);
      // Power is what is stored less, and what is taken.
      auto at_rest = make(G{});
      at_rest.damping = {};
      at_rest.turn_damping = {};
      at_rest.cross_damping = 0.0;
      const double elastic = powerOf(wrenchesOf(at_rest, s), s);
      EXPECT_NEAR(powerOf(w, s) - elastic, -state.dissipated, 1e-10) << wordFor(kind);
    }
  }
}

// Of the stiffness matrix at no deformation: as many directions as the joint holds.
TEST(CompliantJoint, HoldsAsManyDirectionsAsItsJoint) {
  using G = Spatial<double>;
  const std::array<int, 7> held{3, 5, 5, 4, 4, 6, 3};
  Random random(74);
  for (std::size_t n = 0; n < kInSpace.size(); ++n) {
    for (const TurnLaw law : kLaws) {
      const Vec3<double> a = random.vector<InSpace>();
      const Vec3<double> b = random.vector<InSpace>();
      const auto load = makerOf<InSpace>(jointOf<InSpace>(kInSpace[n], law), random, a, b)(G{});
      auto s = posed<InSpace>(random, a, b, 0.0, 0.0);
      s.vi = s.vj = {};
      Eigen::MatrixXd K(6, 6);
      constexpr double kStep = 1e-6;
      for (std::size_t k = 0; k < 6; ++k) {
        const auto wrenchAt = [&](double step) {
          auto moved = s;
          std::array<double, 6> d{};
          d[k] = step;
          retract(G{}, moved.qj, d);
          moved.xj = G::position(moved.qj);
          std::array<double, 6> out{};
          G::put(wrenchesOf(load, moved).on_j, out);
          return out;
        };
        const auto ahead = wrenchAt(kStep);
        const auto behind = wrenchAt(-kStep);
        for (std::size_t r = 0; r < 6; ++r)
          K(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(k)) = -(ahead[r] - behind[r]) / (2.0 * kStep);
      }
      EXPECT_LT((K - K.transpose()).norm(), 1e-7 * K.norm());
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(K);
      int rank = 0;
      for (int k = 0; k < 6; ++k) rank += eigen.eigenvalues()[k] > 1e-6 * eigen.eigenvalues()[5] ? 1 : 0;
      EXPECT_EQ(rank, held[n]) << wordFor(kInSpace[n]);
    }
  }
}

// Springs between like axes of (10, 20, 40) make (60, 50, 30) about the axes, and back.
TEST(CompliantJoint, StiffnessAboutAnAxisIsThatOfTheTwoOtherSprings) {
  const auto springs = likeAxisSprings({Value(60.0), Value(50.0), Value(30.0)});
  EXPECT_DOUBLE_EQ(springs[0].number, 10.0);
  EXPECT_DOUBLE_EQ(springs[1].number, 20.0);
  EXPECT_DOUBLE_EQ(springs[2].number, 40.0);
  // As a moment: a fixed joint turned a little about each axis.
  Joint joint;
  joint.kind = JointKind::fixed;
  joint.compliance = Compliance();
  joint.compliance->stiffness = {Value(1.0), Value(1.0), Value(1.0)};
  joint.compliance->rotational_stiffness = {Value(60.0), Value(50.0), Value(30.0)};
  using G = Spatial<double>;
  CompliantJoint<G>::Mount mount;
  mount.axes = {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}};
  const auto load = springsOf<G>(joint, mount, mount, [](const Value& value) { return value.number; });
  for (std::size_t k = 0; k < 3; ++k) {
    TwoBodies<InSpace> s;
    s.qi = {0, 0, 0, 1, 0, 0, 0};
    s.xi = G::position(s.qi);
    s.qj = s.qi;
    std::array<double, 6> turn{};
    turn[3 + k] = 1e-4;
    retract(G{}, s.qj, turn);
    s.xj = G::position(s.qj);
    const auto state = load.state({s.xi, s.xj}, {s.vi, s.vj});
    EXPECT_NEAR(state.moment[k], -1e-4 * joint.compliance->rotational_stiffness[k].number, 1e-9);
    std::array<double, CompliantJoint<G>::kScalars> values{};
    load.values({s.xi, s.xj}, state, values);
    EXPECT_NEAR(values[7], 1e-4, 1e-15);
  }
}

// 0.25 m out along a guide: the reaction on the first body has the lever arm of the second frame's point.
TEST(CompliantJoint, ActsWhereTheSecondFrameIs) {
  Joint joint;
  joint.kind = JointKind::prismatic;
  joint.compliance = Compliance();
  joint.compliance->stiffness = {Value(0.0), Value(1e4)};
  joint.compliance->rotational_stiffness = {Value(0.0), Value(0.0), Value(300.0)};
  using G = Planar<double>;
  CompliantJoint<G>::Mount mount;
  mount.axes = {Vec2<double>{1, 0}, Vec2<double>{0, 1}};
  const auto load = springsOf<G>(joint, mount, mount, [](const Value& value) { return value.number; });
  TwoBodies<InPlane> s;
  s.xj = G::position(0.25, 1e-3, 0.0);
  const auto w = wrenchesOf(load, s);
  EXPECT_NEAR(w.on_j.force.y, -10.0, 1e-12);
  EXPECT_NEAR(w.on_j.moment, 0.0, 1e-12);
  EXPECT_NEAR(w.on_i.force.y, 10.0, 1e-12);
  EXPECT_NEAR(w.on_i.moment, 2.5, 1e-12);
  EXPECT_DOUBLE_EQ(w.on_j.force.x, 0.0);
}

// As printed, the moment of a small turn is of second order, and drives it on.
TEST(CompliantJoint, AsPrintedTheMomentPushesTheAxesApart) {
  Joint joint;
  joint.kind = JointKind::fixed;
  joint.compliance = Compliance();
  joint.compliance->stiffness = {Value(1.0), Value(1.0)};
  joint.compliance->rotational_stiffness = {Value(0.0), Value(0.0), Value(1.0)};
  using G = Planar<double>;
  CompliantJoint<G>::Mount mount;
  mount.axes = {Vec2<double>{1, 0}, Vec2<double>{0, 1}};
  TwoBodies<InPlane> s;
  s.xj = G::position(0.0, 0.0, 0.1);
  for (const auto& [law, moment] :
       {std::pair(TurnLaw::chord, -std::sin(0.1)), std::pair(TurnLaw::angle, -0.1),
        std::pair(TurnLaw::sin2, -std::sin(0.1) * std::cos(0.1)), std::pair(TurnLaw::printed, 0.1 * std::tan(0.1))}) {
    joint.compliance->law = law;
    const auto load = springsOf<G>(joint, mount, mount, [](const Value& value) { return value.number; });
    EXPECT_NEAR(wrenchesOf(load, s).on_j.moment, moment, 1e-15);
  }
}

}  // namespace compliant_joint_test
}  // namespace linkwork
