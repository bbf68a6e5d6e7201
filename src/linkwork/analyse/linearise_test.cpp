// Linearisation and modes: closed forms, neighbours that are assembled, and what is said where there is none.
#include "linkwork/analyse/linearise.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "linkwork/analyse/modes.hpp"
#include "linkwork/formulation/absolute/equations.hpp"
#include "linkwork/model/input_names.hpp"
#include "linkwork/model/space_mechanisms_for_tests.hpp"

namespace linkwork {
namespace linearise_test {

using namespace test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

InitialValue given(const Mechanism& m, const std::string& name, double value) {
  const auto quantity = findQuantity(m, name);
  EXPECT_TRUE(quantity.has_value()) << name;
  return {*quantity, Value(value), {}};
}

Linearisation lineariseStart(const Mechanism& named, double t = 0.0, const LineariseOptions& options = {}) {
  const Assembly assembly = assemble(withInputValues(named), t);
  EXPECT_TRUE(assembly.ok) << assembly.problem;
  Linearisation out = linearise(named, assembly, t, assembly.state(), options);
  EXPECT_TRUE(out.ok) << out.problem;
  return out;
}

// --- closed forms --------------------------------------------------------------------------------------------------

TEST(Linearise, Pendulum) {
  Mechanism m;
  m.gravity = {Value(0.0), Value(-9.81)};
  addBody(m, "bob", 2.0, 0.3);
  m.bodies[0].drawn = {0.0, -0.7, 0.0};
  addJoint(m, "O", JointKind::revolute, kGround, frameAt(0, 0), BodyIndex(0), frameAt(0, 0.7));
  const Linearisation linear = lineariseStart(m);
  ASSERT_EQ(linear.coordinates.size(), 1U);
  EXPECT_EQ(linear.coordinates[0].name, "O.angle");
  const double inertia = 0.3 + 2.0 * 0.49;
  EXPECT_NEAR(linear.M(0, 0), inertia, 1e-14);
  EXPECT_NEAR(linear.K(0, 0), 2.0 * 9.81 * 0.7, 1e-12);  // all of it from the reaction of the pin
  EXPECT_NEAR(linear.C(0, 0), 0.0, 1e-14);
  EXPECT_TRUE(linear.balanced());
  EXPECT_TRUE(linear.atRest());
  const NaturalModes modes = findModes(linear);
  ASSERT_EQ(modes.modes.size(), 1U);
  EXPECT_NEAR(modes.modes[0].frequency, std::sqrt(2.0 * 9.81 * 0.7 / inertia) / (2 * std::numbers::pi), 1e-13);
  EXPECT_TRUE(modes.stable());

  // Upright it falls over.
  m.bodies[0].drawn = {0.0, 0.7, std::numbers::pi};
  const NaturalModes upright = findModes(lineariseStart(m));
  ASSERT_EQ(upright.modes.size(), 2U);
  EXPECT_FALSE(upright.stable());
  EXPECT_THAT(stabilityWords(upright), StartsWith("not stable: mode "));
  EXPECT_THAT(modeWords(upright.modes[0]) + modeWords(upright.modes[1]), HasSubstr("grows: twice as large every"));
}

// Two equal point masses on equal massless rods: w^2 = (2 -+ sqrt 2) g / l.
TEST(Linearise, DoublePendulum) {
  Mechanism m;
  m.gravity = {Value(0.0), Value(-9.81)};
  const double l = 0.8;
  for (int k = 0; k < 2; ++k) {
    addBody(m, fmt::format("bob{}", k + 1), 1.3, 0.0);
    m.bodies.back().drawn = {0.0, -l * (k + 1), 0.0};
  }
  addJoint(m, "O", JointKind::revolute, kGround, frameAt(0, 0), BodyIndex(0), frameAt(0, l));
  addJoint(m, "A", JointKind::revolute, BodyIndex(0), frameAt(0, 0), BodyIndex(1), frameAt(0, l));
  const Linearisation linear = lineariseStart(m);
  const NaturalModes modes = findModes(linear);
  ASSERT_EQ(modes.modes.size(), 2U);
  for (int k = 0; k < 2; ++k) {
    const double square = (2.0 + (k == 0 ? -1 : 1) * std::sqrt(2.0)) * 9.81 / l;
    const double w = modes.modes[static_cast<std::size_t>(k)].eigenvalue.imag();
    EXPECT_NEAR(w * w, square, 1e-12 * square);
    // Angles against the vertical in the ratio 1 : +-sqrt 2, so that A.angle / O.angle = -1 -+ ...
    const auto shape = modes.modes[static_cast<std::size_t>(k)].shape;
    const std::complex<double> ratio = shape[1] / shape[0];
    EXPECT_NEAR(ratio.real(), (k == 0 ? 1 : -1) * std::sqrt(2.0) - 1.0, 1e-12);
  }
  const auto joints = jointShares(linear, modes.modes[1], m);
  ASSERT_EQ(joints.size(), 2U);
  EXPECT_EQ(joints[0].name, "A.angle");
  EXPECT_EQ(joints[0].size, 1.0);
  EXPECT_NEAR(std::abs(joints[0].phase - joints[1].phase), 180.0, 1e-9);
  EXPECT_EQ(bodyShares(linear, modes.modes[0], m)[0].name, "bob2");
}

// Masses in a row between walls: w_j = 2 sqrt(k / m) sin(j pi / (2 (n + 1))).
TEST(Linearise, ChainOfMassesAndSprings) {
  Mechanism m;
  const int n = 7;
  const double k = 300.0;
  const double mass = 2.0;
  for (int b = 0; b < n; ++b) {
    addBody(m, fmt::format("m{}", b + 1), mass, 1.0);
    m.bodies.back().drawn = {b + 1.0, 0.0, 0.0};
    addJoint(m, fmt::format("S{}", b + 1), JointKind::prismatic, kGround, frameAt(0, 0), BodyIndex(b), frameAt(0, 0));
    addSpring(m, fmt::format("k{}", b), b == 0 ? kGround : BodyIndex(b - 1), frameAt(0, 0), BodyIndex(b), frameAt(0, 0),
              k, 0.0, 1.0);
  }
  addSpring(m, "k_end", BodyIndex(n - 1), frameAt(0, 0), kGround, frameAt(n + 1, 0), k, 0.0, 1.0);
  const NaturalModes modes = findModes(lineariseStart(m));
  ASSERT_EQ(modes.modes.size(), static_cast<std::size_t>(n));
  for (int j = 1; j <= n; ++j) {
    const double w = 2.0 * std::sqrt(k / mass) * std::sin(j * std::numbers::pi / (2.0 * (n + 1)));
    EXPECT_NEAR(modes.modes[static_cast<std::size_t>(j - 1)].eigenvalue.imag(), w, 1e-12 * w);
  }
}

// A cart that nothing holds, one with a damper, one with a spring and a damper: zeros twice, once and not at all.
TEST(Modes, TellsDriftFromNeutral) {
  Mechanism m;
  for (int b = 0; b < 3; ++b) {
    addBody(m, fmt::format("cart{}", b), 2.0, 1.0);
    m.bodies.back().drawn = {0.0, 1.0 * b, 0.0};
    addJoint(m, fmt::format("S{}", b), JointKind::prismatic, kGround, frameAt(0, b), BodyIndex(b), frameAt(0, 0));
  }
  addSpring(m, "damper", BodyIndex(1), frameAt(0, 0), kGround, frameAt(-3, 1), 0.0, 5.0, 0.0);
  addSpring(m, "strut", BodyIndex(2), frameAt(0, 0), kGround, frameAt(-3, 2), 50.0, 4.0, 3.0);
  const NaturalModes modes = findModes(lineariseStart(m));
  ASSERT_EQ(modes.modes.size(), 4U);
  EXPECT_EQ(modes.modes[0].kind, ModeKind::drift);
  EXPECT_NEAR(std::abs(modes.modes[0].shape[0]), 1.0, 1e-12);
  EXPECT_EQ(modes.modes[1].kind, ModeKind::exponential);
  EXPECT_EQ(modes.modes[1].eigenvalue, std::complex<double>(0.0));
  EXPECT_NEAR(std::abs(modes.modes[1].shape[1]), 1.0, 1e-12);
  EXPECT_NEAR(modes.modes[2].eigenvalue.real(), -2.5, 1e-12);
  EXPECT_NEAR(modes.modes[3].damping_ratio, 0.2, 1e-12);
  EXPECT_EQ(modes.stability, ModeStability::neutral);
  EXPECT_EQ(stabilityWords(modes), "neutral: nothing grows, but mode 1 goes on at the speed it has");
}

// The textbook's mechanism at rest: printed eigenvalues 0, -7.73086, -0.58186 +- 1.04862 i.
TEST(Linearise, SliderPendulumHasThePrintedEigenvalues) {
  Mechanism m = sliderPendulum();
  const double x = 1.59688;
  const State rest{{x, 0, 0, x, -1, 0}, std::vector<double>(6, 0.0)};
  drawAt(m, rest);
  const Linearisation linear = lineariseStart(m);
  EXPECT_EQ(linear.coordinates[0].name, "P.slide");
  EXPECT_EQ(linear.coordinates[1].name, "O.angle");
  const NaturalModes modes = findModes(linear);
  ASSERT_EQ(modes.modes.size(), 3U);
  EXPECT_EQ(modes.modes[0].eigenvalue, std::complex<double>(0.0));
  EXPECT_THAT(modeWords(modes.modes[0]), HasSubstr("neutral"));
  EXPECT_NEAR(modes.modes[1].eigenvalue.real(), -0.58186, 5e-6);
  EXPECT_NEAR(modes.modes[1].eigenvalue.imag(), 1.04862, 5e-6);
  EXPECT_NEAR(modes.modes[2].eigenvalue.real(), -7.73086, 5e-6);
  EXPECT_TRUE(modes.stable());
  EXPECT_EQ(stabilityWords(modes), "stable: nothing grows; mode 1 stays where it is put");
}

// A four-bar as a function of its crank angle, by the intersection of two circles.
template <class T>
struct OneFreedomFourBar {
  T potential{};
  std::array<T, 9> q{};  // crank, coupler, rocker: place of the mass centre and angle

  OneFreedomFourBar(const T& theta, double stiffness, double free_length) {
    const FourBarPoints p;
    const Vec2<T> A{T(0.5) * cos(theta), T(0.5) * sin(theta)};
    const Vec2<T> C{T(p.C[0]), T(p.C[1])};
    const Vec2<T> d = C - A;
    const T d2 = dot(d, d);
    const T along = (T(1.3 * 1.3 - 1.25 * 1.25) + d2) / (T(2.0) * d2);
    const T across = sqrt(T(1.3 * 1.3) / d2 - along * along);
    const Vec2<T> B = A + d * along + perp(d) * across;
    const Vec2<T> ab = B - A;
    const Vec2<T> cb = B - C;
    const T phi = atan2(ab.y, ab.x);
    const T psi = atan2(cb.y, cb.x);
    const auto place = [&](std::size_t body, const Vec2<T>& at, const T& angle, const double(&point)[2]) {
      const Vec2<T> com = at - Rotation2<T>::fromAngle(angle) * Vec2<T>{T(point[0]), T(point[1])};
      q[3 * body] = com.x;
      q[3 * body + 1] = com.y;
      q[3 * body + 2] = angle;
    };
    place(0, Vec2<T>{T(0.0), T(0.0)}, theta, p.crank_O);
    place(1, A, phi, p.coupler_A);
    place(2, C, psi, p.rocker_C);
    const T stretch = sqrt(d2) - T(free_length);
    potential = T(9.81) * (T(1.0) * q[1] + T(2.5) * q[4] + T(1.8) * q[7]) + T(0.5 * stiffness) * stretch * stretch;
  }
};

TEST(Linearise, FourBarWithADiagonalSpringIsTheOneFreedomClosedForm) {
  using D1 = Dual<1>;
  using D2 = Dual<1, D1>;
  const double stiffness = 2000.0;
  const double free_length = 1.08;
  double theta = std::atan2(4.0, 3.0);
  const auto energy = [&](double angle) {
    D2 at(D1::variable(angle));
    at.derivatives[0] = D1(1.0);
    return OneFreedomFourBar<D2>(at, stiffness, free_length).potential;
  };
  for (int k = 0; k < 30; ++k) {
    const D2 V = energy(theta);
    theta -= V.derivatives[0].value / V.derivatives[0].derivatives[0];
  }
  const double K = energy(theta).derivatives[0].derivatives[0];
  const OneFreedomFourBar<D1> pose(D1::variable(theta), stiffness, free_length);
  const double masses[9] = {1.0, 1.0, 0.03, 2.5, 2.5, 0.45, 1.8, 1.8, 0.28};
  double M = 0.0;
  State drawn;
  for (std::size_t k = 0; k < 9; ++k) {
    M += masses[k] * pose.q[k].derivatives[0] * pose.q[k].derivatives[0];
    drawn.q.push_back(pose.q[k].value);
  }
  Mechanism m = fourBar();
  const FourBarPoints p;
  addSpring(m, "diagonal", BodyIndex(0), frameAt(p.crank_A[0], p.crank_A[1]), kGround, frameAt(p.C[0], p.C[1]),
            stiffness, 0.0, free_length);
  drawAt(m, drawn);
  const Linearisation linear = lineariseStart(m);
  ASSERT_EQ(linear.coordinates.size(), 1U);
  EXPECT_EQ(linear.coordinates[0].name, "O.angle");
  EXPECT_TRUE(linear.balanced()) << linear.imbalance;
  EXPECT_NEAR(linear.M(0, 0), M, 1e-12 * M);
  EXPECT_NEAR(linear.K(0, 0), K, 1e-10 * K);
  const NaturalModes modes = findModes(linear);
  EXPECT_NEAR(modes.modes[0].eigenvalue.imag(), std::sqrt(K / M), 1e-10 * std::sqrt(K / M));

  // The same in space, where every hinge has three rows more than it needs.
  const Linearisation lifted = lineariseStart(liftToSpace(m));
  ASSERT_EQ(lifted.coordinates.size(), 1U);
  EXPECT_NEAR(lifted.K(0, 0), K, 1e-10 * K);
  EXPECT_NEAR(lifted.M(0, 0), M, 1e-12 * M);
}

// P5(b): a top that sleeps upright. Lagrange: w^2 - (J3 / J1) W w + m g l / J1 = 0.
TEST(Linearise, SleepingTop) {
  Mechanism m = inSpace({0, 0, -9.8});
  addSpatialBody(m, "top", 30.0, {90.0, 90.0, 30.0}, {0, 0, 1});
  addJointAt(m, "tip", JointKind::spherical, kGround, BodyIndex(0), {0, 0, 0});
  m.initial = {given(m, "top.wz", 13.5)};
  {
    const Linearisation linear = lineariseStart(m);
    EXPECT_FALSE(linear.atRest());
    EXPECT_TRUE(linear.balanced());  // a steady motion
    ASSERT_EQ(linear.coordinates.size(), 3U);
    EXPECT_EQ(linear.coordinates[0].name, "top.turn_x");
    const NaturalModes modes = findModes(linear);
    ASSERT_EQ(modes.modes.size(), 3U);
    EXPECT_EQ(modes.modes[0].kind, ModeKind::drift);  // the turn about the vertical
    EXPECT_NEAR(modes.modes[1].eigenvalue.imag(), 1.05690009, 5e-9);
    EXPECT_NEAR(modes.modes[2].eigenvalue.imag(), 2.31809991, 5e-9);
    EXPECT_NEAR(modes.modes[2].eigenvalue.real(), 0.0, 1e-9);
    // It may turn about its axis at another speed: free, but nothing grows.
    EXPECT_EQ(modes.stability, ModeStability::neutral);
    EXPECT_THAT(stabilityWords(modes), HasSubstr("neutral: nothing grows"));
  }
  m.initial = {given(m, "top.wz", 12.0)};
  const NaturalModes modes = findModes(lineariseStart(m));
  ASSERT_EQ(modes.modes.size(), 3U);
  double growth = 0.0;
  for (const Mode& mode : modes.modes) {
    growth = std::max(growth, mode.eigenvalue.real());
    if (mode.kind == ModeKind::oscillation) {
      EXPECT_NEAR(mode.eigenvalue.imag(), 1.5, 1e-9);
    }
  }
  EXPECT_NEAR(growth, 0.4472136, 5e-8);
  EXPECT_EQ(modes.stability, ModeStability::growing);
  EXPECT_THAT(stabilityWords(modes), HasSubstr("grows, twice as large every 1.55 s"));
}

// --- states that move ----------------------------------------------------------------------------------------------

// s'' of the mechanism with s and s' as given, assembled anew.
template <class G>
Eigen::VectorXd accelerationAt(Mechanism m, const Linearisation& linear, const Eigen::VectorXd& s,
                               const Eigen::VectorXd& rates, double t) {
  m.initial.clear();
  for (std::size_t k = 0; k < linear.coordinates.size(); ++k) {
    m.initial.push_back(given(m, linear.coordinates[k].name, s[static_cast<Eigen::Index>(k)]));
    m.initial.push_back(given(m, linear.coordinates[k].rate_name, rates[static_cast<Eigen::Index>(k)]));
  }
  const Assembly assembly = assemble(m, t);
  EXPECT_TRUE(assembly.ok) << assembly.problem;
  const auto system = makeSystem(m, startingFrom(assembly));
  const auto work = system->makeWorkspace();
  const std::vector<double> x = assembly.state();
  std::vector<double> xdot(x.size());
  EXPECT_EQ(system->derivative(t, x, system->startModes(), *work, xdot), Eval::ok);
  AbsoluteEquations<G> equations(m);
  auto own = equations.makeWork();
  equations.positions(t, std::span(x).first(assembly.q.size()), own);
  equations.velocities(std::span(x).subspan(assembly.q.size(), assembly.v.size()), own);
  Eigen::VectorXd out(s.size());
  for (std::size_t k = 0; k < linear.coordinates.size(); ++k) {
    const auto quantity = compileQuantity<G>(m, *findQuantity(m, linear.coordinates[k].name));
    const auto i = static_cast<std::size_t>(quantity.i);
    const auto j = static_cast<std::size_t>(quantity.j);
    const auto rows = quantity.rows({own.x[i], own.x[j]});
    double sum = quantity.bend({own.x[i], own.x[j]}, {own.v[i], own.v[j]});
    for (std::size_t f = 0; f < G::kFreedoms; ++f) {
      if (i < m.bodies.size()) sum += rows.first[0][f] * xdot[assembly.q.size() + G::kFreedoms * i + f];
      if (j < m.bodies.size()) sum += rows.second[0][f] * xdot[assembly.q.size() + G::kFreedoms * j + f];
    }
    out[static_cast<Eigen::Index>(k)] = sum;
  }
  return out;
}

template <class G>
void checkAgainstNeighbours(const Mechanism& m, double t, double tolerance) {
  const Assembly assembly = assemble(m, t);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  const Linearisation linear = linearise(m, assembly, t, assembly.state());
  ASSERT_TRUE(linear.ok) << linear.problem;
  const auto n = static_cast<Eigen::Index>(linear.coordinates.size());
  // Where it is, by name.
  AbsoluteEquations<G> equations(m);
  auto own = equations.makeWork();
  std::copy(assembly.turns.begin(), assembly.turns.end(), own.turns.begin());
  equations.positions(t, assembly.q, own);
  equations.velocities(assembly.v, own);
  Eigen::VectorXd s(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const auto quantity = compileQuantity<G>(m, *findQuantity(m, linear.coordinates[static_cast<std::size_t>(k)].name));
    const auto i = static_cast<std::size_t>(quantity.i);
    const auto j = static_cast<std::size_t>(quantity.j);
    s[k] = quantity.value(t, {own.x[i], own.x[j]}, {own.v[i], own.v[j]}, quantity.referenceIn(own.turns));
  }
  const Eigen::VectorXd here = accelerationAt<G>(m, linear, s, linear.rates, t);
  const double size = 1.0 + here.cwiseAbs().maxCoeff();
  EXPECT_LT((here - linear.accelerations).cwiseAbs().maxCoeff(), 1e-9 * size);
  // Fourth-order differences with h = 1e-3: the error is some 1e-12 times fifth derivatives, round-off 1e-12 / h.
  const double h = 1e-3;
  const auto slope = [&](const auto& f) -> Eigen::VectorXd {
    return (8.0 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12.0 * h);
  };
  for (Eigen::Index k = 0; k < n; ++k) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(n, k);
    const Eigen::VectorXd by_s =
        slope([&](double d) { return accelerationAt<G>(m, linear, s + d * unit, linear.rates, t); });
    const Eigen::VectorXd by_rate =
        slope([&](double d) { return accelerationAt<G>(m, linear, s, linear.rates + d * unit, t); });
    EXPECT_LT((by_s - linear.A.bottomLeftCorner(n, n).col(k)).cwiseAbs().maxCoeff(), tolerance) << "s" << k;
    EXPECT_LT((by_rate - linear.A.bottomRightCorner(n, n).col(k)).cwiseAbs().maxCoeff(), tolerance) << "s'" << k;
  }
}

// Entries of A are of the order of 100 to 1000 here.
TEST(Linearise, MovingStatesAgreeWithAssembledNeighbours) {
  Mechanism crank = crankSlider();
  drawAt(crank, crankSliderStart());
  crank.initial = {given(crank, "crank.angle_rate", 4.0)};
  checkAgainstNeighbours<Planar<double>>(crank, 0.3, 1e-6);

  // A drive moves the base of a double pendulum with a spring: time in the constraints, two freedoms, far from rest.
  Mechanism m;
  m.gravity = {Value(0.0), Value(-9.81)};
  addBody(m, "base", 1.0, 1.0);
  addBody(m, "upper", 1.5, 0.2);
  addBody(m, "lower", 0.8, 0.1);
  drawAt(m, {{0.1, 0, 0, 0.4, -0.3, 0.7, 0.9, -0.5, 0.3}, {}});
  addJoint(m, "S", JointKind::prismatic, kGround, frameAt(0, 0), BodyIndex(0), frameAt(0, 0));
  addJoint(m, "O", JointKind::revolute, BodyIndex(0), frameAt(0, 0.1), BodyIndex(1), frameAt(-0.2, 0.4));
  addJoint(m, "A", JointKind::revolute, BodyIndex(1), frameAt(0.3, -0.2), BodyIndex(2), frameAt(-0.3, 0.1));
  addSpring(m, "spring", BodyIndex(0), frameAt(0.1, -1.0), BodyIndex(2), frameAt(0.2, 0.2), 40.0, 3.0, 0.2);
  addDrive(m, "shake", DriveKind::slide, kGround, frameAt(0, 0), BodyIndex(0), frameAt(0, 0),
           Expr(0.2) * sin(Expr(5.0) * Expr::symbol("t")));
  m.initial = {given(m, "O.angle_rate", 2.0), given(m, "A.angle_rate", -3.0)};
  checkAgainstNeighbours<Planar<double>>(m, 0.2, 1e-6);

  // The crank-slider in space: quaternions, gyroscopic terms, dependent rows.
  Mechanism lifted = liftToSpace(crank);
  lifted.initial = {given(lifted, "O.angle_rate", -4.0)};
  checkAgainstNeighbours<Spatial<double>>(lifted, 0.3, 1e-6);
}

// --- inputs and outputs --------------------------------------------------------------------------------------------

// m s'' = k (b - s) + c (b' - s') + push, b the driven base: inputs of a load, and of a drive with its derivatives.
TEST(Linearise, InputsOfLoadsAndDrives) {
  Mechanism m;
  addBody(m, "base", 1.0, 1.0);
  addBody(m, "mass", 2.0, 1.0);
  m.bodies[1].drawn = {1.0, 0.0, 0.0};
  addJoint(m, "B", JointKind::prismatic, kGround, frameAt(0, 0), BodyIndex(0), frameAt(0, 0));
  addJoint(m, "S", JointKind::prismatic, kGround, frameAt(0, 0), BodyIndex(1), frameAt(0, 0));
  addSpring(m, "k", BodyIndex(0), frameAt(0, 0), BodyIndex(1), frameAt(0, 0), 30.0, 4.0, 1.0);
  const Expr t = Expr::symbol("t");
  m.inputs = {{"shift", Expr(0.1) * sin(t), "m", {}}, {"push", Expr(0.0), "N", {}}, {"idle", t, "", {}}};
  addDrive(m, "move", DriveKind::slide, kGround, frameAt(0, 0), BodyIndex(0), frameAt(0, 0), Expr::symbol("shift"));
  Load push;
  push.name = "push";
  push.second = BodyIndex(1);
  push.force = {Expr(3.0) * Expr::symbol("push"), Expr(0.0), Expr(0.0)};
  m.loads.push_back(push);
  m.outputs = {{"y",
                Expr(2.0) * Expr::symbol("mass.x") + Expr::symbol("base.x_rate") + Expr(5.0) * Expr::symbol("push"),
                "",
                {}}};
  const Linearisation linear = lineariseStart(m, 0.4);
  std::vector<std::string> inputs;
  for (const LinearSignal& signal : linear.inputs) inputs.push_back(signal.name + " " + signal.unit);
  EXPECT_THAT(inputs, ElementsAre("shift m", "shift' m/s", "shift'' m/s^2", "push N", "idle "));
  EXPECT_EQ(linear.coordinates[0].name, "S.slide");
  EXPECT_NEAR(linear.M(0, 0), 2.0, 1e-14);
  EXPECT_NEAR(linear.C(0, 0), 4.0, 1e-12);
  EXPECT_NEAR(linear.K(0, 0), 30.0, 1e-11);
  Eigen::RowVectorXd G(5);
  G << 30.0, 4.0, 0.0, 3.0, 0.0;
  EXPECT_LT((linear.G - G).norm(), 1e-11);
  EXPECT_LT((linear.B.row(1) - G / 2.0).norm(), 1e-11);
  EXPECT_LT((linear.C_y - Eigen::RowVector2d(2.0, 0.0)).norm(), 1e-12);
  Eigen::RowVectorXd D(5);
  D << 0.0, 1.0, 0.0, 5.0, 0.0;
  EXPECT_LT((linear.D - D).norm(), 1e-12);
  EXPECT_FALSE(linear.atRest());
}

// A drive that holds the angle of a link: the link's reaction grows with the square of the rate, B with f' of the
// state.
TEST(Linearise, InputsOfDrivesAgreeWithTheDrivenMotion) {
  // A pendulum on the rim of a driven wheel; s'' for a wheel angle f = u(t) against difference quotients in u, u', u''.
  const auto model = [](double u, double u1, double u2) {
    Mechanism m;
    m.gravity = {Value(0.0), Value(-9.81)};
    addBody(m, "wheel", 1.0, 1.0);
    addBody(m, "bob", 1.5, 0.2);
    drawAt(m, {{0, 0, 0.3, 0.5, -0.4, 0.2}, {}});
    addJoint(m, "W", JointKind::revolute, kGround, frameAt(0, 0), BodyIndex(0), frameAt(0, 0));
    addJoint(m, "P", JointKind::revolute, BodyIndex(0), frameAt(0.5, 0), BodyIndex(1), frameAt(0, 0.4));
    const Expr t = Expr::symbol("t");
    m.inputs = {{"u", Expr(0.3 + u) + Expr(2.0 + u1) * t + Expr(0.5 * (1.0 + u2)) * t * t, "rad", {}}};
    addDrive(m, "turn", DriveKind::angle, kGround, frameAt(0, 0), BodyIndex(0), frameAt(0, 0),
             Expr::symbol("u") + Expr(0.2) * Expr::symbol("u") * Expr::symbol("u"));
    m.initial = {given(m, "P.angle", -0.6), given(m, "P.angle_rate", 1.1)};
    return m;
  };
  const Linearisation linear = lineariseStart(model(0, 0, 0));
  ASSERT_EQ(linear.coordinates[0].name, "P.angle");
  ASSERT_EQ(linear.B.cols(), 3);
  const double h = 1e-3;
  for (int k = 0; k < 3; ++k) {
    const auto at = [&](double d) {
      return lineariseStart(model(k == 0 ? d : 0, k == 1 ? d : 0, k == 2 ? d : 0)).accelerations[0];
    };
    const double slope = (8.0 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12.0 * h);
    EXPECT_NEAR(linear.B(1, k), slope, 1e-7 * (1.0 + std::abs(slope))) << k;
  }
}

// A rotor balanced by two unequal masses on unequal arms under gravity: its stiffness is a difference of equal terms.
TEST(Modes, WhatCancelsIsZero) {
  Mechanism m;
  m.gravity = {Value(0.0), Value(-9.81)};
  for (int k = 0; k < 2; ++k) {
    addBody(m, fmt::format("m{}", k), k == 0 ? 0.3 : 0.7, 0.01);
    m.bodies.back().drawn = {k == 0 ? 0.7 : -0.3, 0.0, 0.0};
  }
  addJoint(m, "O", JointKind::revolute, kGround, frameAt(0, 0), BodyIndex(0), frameAt(-0.7, 0));
  addJoint(m, "W", JointKind::fixed, BodyIndex(0), frameAt(0, 0), BodyIndex(1), frameAt(1, 0));
  for (int turn = 0; turn < 8; ++turn) {
    const double angle = 0.1 + 0.7 * turn;
    Mechanism turned = m;
    turned.bodies[0].drawn = {0.7 * std::cos(angle), 0.7 * std::sin(angle), angle};
    turned.bodies[1].drawn = {-0.3 * std::cos(angle), -0.3 * std::sin(angle), angle};
    const Linearisation linear = lineariseStart(turned);
    EXPECT_EQ(linear.K(0, 0), 0.0) << angle;
    const NaturalModes modes = findModes(linear);
    ASSERT_EQ(modes.modes.size(), 1U);
    EXPECT_EQ(modes.modes[0].kind, ModeKind::drift);
    EXPECT_EQ(modes.modes[0].eigenvalue, std::complex<double>(0.0));
  }
}

// --- wishes -------------------------------------------------------------------------------------------------------

TEST(Linearise, TakesTheCoordinatesItIsGiven) {
  Mechanism m = fourBar();
  drawAt(m, {{0.12, 0.16, 0.927, 0.72, 0.69, 0.39, 1.32, 0.22, 1.29}, {}});
  const Linearisation by_crank = lineariseStart(m);
  const Linearisation by_rocker = lineariseStart(m, 0.0, {{"rocker.angle"}});
  ASSERT_EQ(by_rocker.coordinates[0].name, "rocker.angle");
  // Out of balance: s'' is told, and is that of the other coordinate by the ratio of their rates.
  EXPECT_FALSE(by_crank.balanced());
  std::size_t rocker = 0;
  while (by_crank.seen[rocker].name != "rocker.angle") ++rocker;
  const double ratio = by_crank.seen_by_s(static_cast<Eigen::Index>(rocker), 0);
  EXPECT_NEAR(by_rocker.accelerations[0], ratio * by_crank.accelerations[0], 1e-9);
}

}  // namespace linearise_test
}  // namespace linkwork
