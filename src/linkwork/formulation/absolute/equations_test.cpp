// The equations of whole mechanisms: their slopes against Dual, their letters against numbers, the textbook's matrices.
#include "linkwork/formulation/absolute/equations.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "linkwork/formulation/absolute/dense_for_tests.hpp"
#include "linkwork/model/space_mechanisms_for_tests.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace equations_test {

using namespace test;
using P = Planar<double>;

// Off the surface and moving, so that no term is zero by chance.
State disturbed(State s, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-0.2, 0.2);
  for (double& value : s.q) value += number(random);
  for (double& value : s.v) value += number(random);
  return s;
}

// Example 3.3 of the textbook (with recomputed digits).
TEST(AbsoluteEquations, GiveTheTextbooksMatrices) {
  const AbsoluteEquations<P> equations(sliderPendulum());
  const State s = sliderPendulumMoving();
  const Dense d(equations, 0.0, s.q, s.v);
  const double r = std::sqrt(0.5);
  Eigen::MatrixXd expected(4, 6);
  expected << 0, 0, 1, 0, 0, 0,  //
      0, -1, 0, 0, 0, 0,         //
      1, 0, 0, -1, 0, r,         //
      0, 1, 0, 0, -1, r;
  EXPECT_LT((d.P - expected).norm(), 1e-15);
  EXPECT_LT(d.phi.norm(), 1e-15);
  EXPECT_LT((d.gamma - Eigen::Vector4d(0, 0, 4 * r, -4 * r)).norm(), 1e-14);
  EXPECT_LT((d.P * asVector(s.v)).norm(), 1e-15);
  Eigen::VectorXd Q(6);
  Q << 0, -50, 0, -8.4559704816, -31.3545502465, -6.9370857338;
  EXPECT_LT((d.Q - Q).norm(), 2e-10);  // ten printed decimals
}

template <class Check>
void forEachMechanism(const Check& check) {
  {
    SCOPED_TRACE("slider-pendulum");
    check(sliderPendulum(), disturbed(sliderPendulumMoving(), 1));
  }
  {
    SCOPED_TRACE("crank-slider");
    check(crankSlider(), disturbed(crankSliderStart(), 2));
  }
  {
    SCOPED_TRACE("parallelogram, frames off the mass centres");
    Mechanism m = parallelogram();
    shiftFrames(m, 0.3, -0.2);
    check(m, disturbed(parallelogramStart(), 3));
  }
  {
    SCOPED_TRACE("driven four-bar with a rod and a weld");
    Mechanism m = fourBar();
    addDrive(m, "drive", DriveKind::angle, kGround, frameAt(0, 0), BodyIndex(0), frameAt(0, 0), sin(Expr::symbol("t")));
    addDrive(m, "reach", DriveKind::distance, BodyIndex(0), frameAt(0, 0), BodyIndex(2), frameAt(0.2, 0.3),
             Expr::symbol("t"));
    addJoint(m, "rod", JointKind::distance, BodyIndex(0), frameAt(0.1, 0.2), kGround, frameAt(3, 3)).length = 2.0;
    addJoint(m, "weld", JointKind::fixed, BodyIndex(1), frameAt(0, 0, 0.2), BodyIndex(2), frameAt(0, 0));
    std::mt19937 random(4);
    std::uniform_real_distribution<double> number(-1, 1);
    State s;
    for (int k = 0; k < 9; ++k) {
      s.q.push_back(number(random));
      s.v.push_back(number(random));
    }
    check(m, s);
  }
}

// Phi_q, and Q of a mechanism without dampers and couples as minus the slope of the potential, against Dual<8>.
TEST(AbsoluteEquations, JacobianAndPotentialForcesAreSlopes) {
  forEachMechanism([](Mechanism m, const State& s) {
    std::erase_if(m.loads, [](const Load& load) { return load.kind != LoadKind::spring_damper; });
    for (Load& load : m.loads) load.damping = 0.0;
    const AbsoluteEquations<P> equations(m);
    const AbsoluteEquations<Planar<Dual<8>>> with_slopes(m);
    const double t = 0.3;
    const Dense d(equations, t, s.q, s.v);
    auto work = with_slopes.makeWork();
    for (std::size_t first = 0; first < s.q.size(); first += 8) {
      std::vector<Dual<8>> q(s.q.begin(), s.q.end());
      std::vector<Dual<8>> v(s.v.begin(), s.v.end());
      const std::size_t count = std::min<std::size_t>(8, s.q.size() - first);
      for (std::size_t k = 0; k < count; ++k) q[first + k] = Dual<8>::variable(s.q[first + k], static_cast<int>(k));
      with_slopes.positions(Dual<8>(t), q, work);
      with_slopes.velocities(v, work);
      with_slopes.forces(work);
      for (std::size_t k = 0; k < count; ++k) {
        const auto column = static_cast<Eigen::Index>(first + k);
        for (int r = 0; r < equations.rows(); ++r) {
          EXPECT_NEAR(d.P(r, column), work.phi[static_cast<std::size_t>(r)].derivatives[k], 1e-13);
        }
        EXPECT_NEAR(d.Q[column], -work.potential.derivatives[k], 1e-11);  // forces of up to some hundred newtons
      }
    }
    EXPECT_NEAR(work.potential.value, d.potential, 1e-12);
  });
}

// d/dt (Phi_q v + Phi_t) = Phi_q a - Gamma, with time and the motion q(t) = q + v s + a s^2 / 2 differenced centrally:
// (Phi(s) - 2 Phi(0) + Phi(-s)) / s^2 with s = 1e-4 has a cut-off of 1e-8 times fourth derivatives (some hundred) and a
// round-off of 1e-16 / 1e-8.
TEST(AbsoluteEquations, GammaIsTheAccelerationOfPhi) {
  forEachMechanism([](const Mechanism& m, const State& s) {
    const AbsoluteEquations<P> equations(m);
    const double t = 0.3;
    const Dense d(equations, t, s.q, s.v);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> number(-1, 1);
    Eigen::VectorXd a(d.Q.size());
    for (double& value : a) value = number(random);
    const double step = 1e-4;
    const auto phiAt = [&](double h) {
      std::vector<double> q = s.q;
      for (std::size_t k = 0; k < q.size(); ++k) q[k] += h * s.v[k] + 0.5 * h * h * a[static_cast<Eigen::Index>(k)];
      return Eigen::VectorXd(Dense(equations, t + h, q, s.v).phi);
    };
    const Eigen::VectorXd second = (phiAt(step) - 2.0 * phiAt(0.0) + phiAt(-step)) / (step * step);
    const Eigen::VectorXd first = (phiAt(step) - phiAt(-step)) / (2.0 * step);
    EXPECT_LT((d.P * a - d.gamma - second).lpNorm<Eigen::Infinity>(), 2e-5);
    EXPECT_LT((d.P * asVector(s.v) - d.minus_phi_t - first).lpNorm<Eigen::Infinity>(), 1e-6);
  });
}

// All that the equations give, with letters for the state and then numbers in place of the letters.
template <class G, class InLetters>
void expectLettersGiveNumbers(const Mechanism& m, const State& s) {
  const AbsoluteEquations<G> equations(m);
  const AbsoluteEquations<InLetters> letters(m);
  const double t = 0.3;
  auto numbers_work = equations.makeWork();
  equations.positions(t, s.q, numbers_work);
  equations.velocities(s.v, numbers_work);
  equations.forces(numbers_work);
  std::vector<Expr> q;
  std::vector<Expr> v;
  std::map<std::string, double> values{{"t", t}};
  for (const Parameter& parameter : m.parameters) values[parameter.name] = parameter.value.number;
  const auto lettersFor = [&](const std::vector<double>& numbers, const char* name, std::vector<Expr>& out) {
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      out.push_back(Expr::symbol(fmt::format("{}{}", name, k)));
      values[fmt::format("{}{}", name, k)] = numbers[k];
    }
  };
  lettersFor(s.q, "q", q);
  lettersFor(s.v, "v", v);
  auto work = letters.makeWork();
  letters.positions(Expr::symbol("t"), q, work);
  letters.velocities(v, work);
  letters.forces(work);
  const auto compare = [&](const std::vector<Expr>& e, const std::vector<double>& d) {
    ASSERT_EQ(e.size(), d.size());
    for (std::size_t k = 0; k < d.size(); ++k)
      EXPECT_NEAR(evaluate(e[k], values), d[k], 1e-12 * (1.0 + std::abs(d[k])));
  };
  compare(work.phi, numbers_work.phi);
  compare(work.jacobian, numbers_work.jacobian);
  compare(work.minus_phi_t, numbers_work.minus_phi_t);
  compare(work.gamma, numbers_work.gamma);
  EXPECT_NEAR(evaluate(work.potential, values), numbers_work.potential, 1e-11);
  EXPECT_NEAR(evaluate(work.supplied_power, values), numbers_work.supplied_power, 1e-11);
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    std::vector<Expr> own_letters(G::kFreedoms);
    std::vector<double> own(G::kFreedoms);
    InLetters::put(work.Q[b], own_letters);
    G::put(numbers_work.Q[b], own);
    for (std::size_t k = 0; k < own.size(); ++k) EXPECT_NEAR(evaluate(own_letters[k], values), own[k], 1e-11);
  }
}

TEST(AbsoluteEquations, LettersGiveTheNumbersBack) {
  forEachMechanism([](const Mechanism& m, const State& s) { expectLettersGiveNumbers<P, Planar<Expr>>(m, s); });
}

// Every kind of row and load that space has of its own, at a random state; quaternions of any length.
TEST(AbsoluteEquations, LettersInSpaceGiveTheNumbersBack) {
  Mechanism m = crossedShafts();
  m.parameters = {{"pitch", Value(0.02), "m", {}}};
  const BodyIndex a(0);
  const BodyIndex b(1);
  for (const JointKind kind : {JointKind::prismatic, JointKind::screw, JointKind::constant_velocity,
                               JointKind::point_line, JointKind::planar, JointKind::distance}) {
    Joint& joint = addJointAt(m, fmt::format("J{}", static_cast<int>(kind)), kind, a, b, {0.1, 0.2, -0.3},
                              aboutAxis({1, 2, 3}, 0.4));
    joint.pitch = Value(0.02, Expr::symbol("pitch"));
    joint.length = 0.7;
  }
  addDrive(m, "turn", DriveKind::angle, kGround, spatialFrame({0, 0, 0}), a, spatialFrame({0, 0, 0}),
           sin(Expr::symbol("t")));
  addSpring(m, "spring", a, spatialFrame({0.1, 0, 0.2}), b, spatialFrame({0, 0.3, 0}), 40.0, 2.0, 0.3);
  Load mount;
  mount.name = "mount";
  mount.kind = LoadKind::bushing;
  mount.first = kGround;
  mount.second = b;
  for (std::size_t k = 0; k < 6; ++k) mount.bushing_stiffness[k][k] = Value(10.0 + static_cast<double>(k));
  m.loads.push_back(mount);
  Load twist = mount;
  twist.name = "twist";
  twist.kind = LoadKind::rotational_spring_damper;
  twist.stiffness = 3.0;
  twist.damping = 0.2;
  m.loads.push_back(twist);
  std::mt19937 random(31);
  std::uniform_real_distribution<double> number(-1, 1);
  State s;
  for (int k = 0; k < 14; ++k) s.q.push_back(number(random));
  for (int k = 0; k < 12; ++k) s.v.push_back(number(random));
  expectLettersGiveNumbers<Spatial<double>, Spatial<Expr>>(m, s);
}

// The rows that are left are the same numbers, and so are forces and energies, which rows have no part in.
TEST(AbsoluteEquations, WithoutSomeRowsKeepTheOthersAndAllForces) {
  forEachMechanism([](const Mechanism& m, const State& s) {
    const AbsoluteEquations<P> all(m);
    RowFilter filter;
    for (int k = 0; k < static_cast<int>(m.joints.size()); k += 2) filter.without_joints.push_back(k);
    if (!m.drives.empty()) filter.without_drives.push_back(0);
    const AbsoluteEquations<P> some(m, filter);
    const Dense expected(all, 0.3, s.q, s.v);
    const Dense d(some, 0.3, s.q, s.v);
    std::vector<Eigen::Index> kept;
    for (const RowGroup& group : all.elements().groups) {
      const bool out = group.is_drive ? group.index == 0 : group.index % 2 == 0;
      for (int r = 0; r < (out ? 0 : group.rows); ++r) kept.push_back(group.first_row + r);
    }
    ASSERT_EQ(d.phi.size(), static_cast<Eigen::Index>(kept.size()));
    EXPECT_LT(kept.size(), static_cast<std::size_t>(all.rows()));
    EXPECT_EQ(d.phi, Eigen::VectorXd(expected.phi(kept)));
    EXPECT_EQ(d.P, Eigen::MatrixXd(expected.P(kept, Eigen::all)));
    EXPECT_EQ(d.minus_phi_t, Eigen::VectorXd(expected.minus_phi_t(kept)));
    EXPECT_EQ(d.gamma, Eigen::VectorXd(expected.gamma(kept)));
    EXPECT_EQ(d.Q, expected.Q);
    EXPECT_EQ(d.potential, expected.potential);
    EXPECT_EQ(d.supplied_power, expected.supplied_power);
  });
}

// Where the body frames stand is the user's choice; the equations of the mass centres do not see it.
TEST(AbsoluteEquations, DoNotDependOnWhereBodyFramesStand) {
  const State s = disturbed(crankSliderStart(), 9);
  Mechanism shifted = crankSlider();
  shiftFrames(shifted, -0.35, 0.21);
  const Dense a(AbsoluteEquations<P>(crankSlider()), 0.4, s.q, s.v);
  const Dense b(AbsoluteEquations<P>(shifted), 0.4, s.q, s.v);
  EXPECT_LT((a.P - b.P).norm(), 1e-14);
  EXPECT_LT((a.phi - b.phi).norm(), 1e-14);
  EXPECT_LT((a.gamma - b.gamma).norm(), 1e-13);
  EXPECT_LT((a.Q - b.Q).norm(), 1e-12);
}

}  // namespace equations_test
}  // namespace linkwork
