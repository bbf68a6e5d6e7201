// Steady motions and their linearisation against closed forms.
#include "linkwork/analyse/steady.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "linkwork/analyse/steady_linear.hpp"
#include "linkwork/linalg/decompositions.hpp"
#include "linkwork/model/skates_for_tests.hpp"

namespace linkwork {
namespace steady_test {

using namespace test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

InitialValue given(const Mechanism& m, const std::string& name, double value) {
  return {*findQuantity(m, name), Value(value), {}};
}

struct Found {
  std::unique_ptr<SteadySolver> solver;
  SteadyMotion motion;
};

Found findIn(const Mechanism& m, const std::vector<InitialValue>& conditions) {
  std::string problem;
  auto model = makeSteadyModel(m, conditions, problem);
  EXPECT_TRUE(model) << problem;
  Found out;
  const std::vector<double> start = model->start;
  out.solver = std::make_unique<SteadySolver>(std::move(model));
  out.motion = out.solver->find(start);
  return out;
}

std::vector<std::complex<double>> eigenvaluesOf(Found& found) {
  const StructuralZeros zeros = countZeros(*found.solver, found.motion);
  const Deflated deflated = deflate(*found.solver, found.motion, zeros);
  EXPECT_TRUE(deflated.ok);
  const Eigen::VectorXcd values = deflated.A.eigenvalues();
  std::vector<std::complex<double>> out(values.begin(), values.end());
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return std::abs(a.imag() - b.imag()) > 1e-9 ? a.imag() < b.imag() : a.real() < b.real();
  });
  return out;
}

// A top on a ball joint, of the numbers of benchmarks P5(b) but for the height of its inertia.
Mechanism top(double round) {
  Mechanism m = inSpace({0, 0, -9.8});
  const BodyIndex body = addSpatialBody(m, "top", 30.0, {90.0, 90.0 * round, 30.0}, {0, 0, 1});
  addJointAt(m, "tip", JointKind::spherical, kGround, body, {0, 0, 0});
  return m;
}

// J1 mu^2 - i J3 spin mu - m g l = 0 in axes that do not spin; critical at spin = 2 sqrt(m g l J1) / J3 = 12.52...
TEST(Steady, SleepingTopHasTwoNeutralModesAboveTheLimitAndGrowsBelow) {
  Mechanism m = top(1.0);
  startWith(m, "top.wz", 13.5);
  Found found = findIn(m, {given(m, "top.wz", 13.5)});
  ASSERT_TRUE(found.motion.ok) << found.motion.problem;
  EXPECT_FALSE(found.motion.turning);
  EXPECT_EQ(found.solver->symmetries().count(), 2);
  const StructuralZeros zeros = countZeros(*found.solver, found.motion);
  EXPECT_THAT(zeros, ElementsAre(1));  // the spin may have any value
  auto values = eigenvaluesOf(found);
  ASSERT_EQ(values.size(), 4U);
  // Exact derivatives and eigenvalues that lie apart: round-off.
  EXPECT_NEAR(values[3].imag(), 2.31809991, 1e-8);
  EXPECT_NEAR(values[2].imag(), 1.05690009, 1e-8);
  for (const auto& value : values) EXPECT_NEAR(value.real(), 0.0, 1e-12);

  m.initial.clear();
  startWith(m, "top.wz", 12.0);
  Found below = findIn(m, {given(m, "top.wz", 12.0)});
  values = eigenvaluesOf(below);
  ASSERT_EQ(values.size(), 4U);
  EXPECT_NEAR(values[3].real(), 0.4472136, 1e-7);
  EXPECT_NEAR(values[3].imag(), 1.5, 1e-12);
}

// Its matrices are constant in its own axes alone.
TEST(Steady, UnroundTopTurnsTheAxesWithIt) {
  Mechanism m = top(1.1);
  startWith(m, "top.wz", 20.0);
  Found found = findIn(m, {given(m, "top.wz", 20.0)});
  ASSERT_TRUE(found.motion.ok) << found.motion.problem;
  EXPECT_TRUE(found.motion.turning);
  EXPECT_THAT(found.solver->symmetries().names, ElementsAre("top turned about z"));
  // In its own axes: (A mu^2 + (C - B) w^2 - m g l)(B mu^2 + (C - A) w^2 - m g l) + (A + B - C)^2 w^2 mu^2 = 0
  // about the tip.
  const double A = 120.0;
  const double B = 99.0 + 30.0;
  const double C = 30.0;
  const double w = 20.0;
  const double pull = 30.0 * 9.8;
  const double a = A * B;
  const double p = (B - C) * w * w + pull;
  const double q = (A - C) * w * w + pull;
  const double b = -A * q - B * p + (A + B - C) * (A + B - C) * w * w;
  const double c = p * q;
  const double root = std::sqrt(b * b - 4 * a * c);
  const auto values = eigenvaluesOf(found);
  ASSERT_EQ(values.size(), 4U);
  EXPECT_NEAR(values[3].imag(), std::sqrt((b + root) / (2 * a)), 1e-9);
  EXPECT_NEAR(values[2].imag(), std::sqrt((b - root) / (2 * a)), 1e-9);
}

// A top that leans precesses: C n w + (C - A) w^2 cos(lean) = m g l with n the spin about its axis against the leaning
// frame.
TEST(Steady, LeaningTopPrecesses) {
  Mechanism m = top(1.0);
  const double lean = 0.5;
  m.bodies[0].drawn.rotation = aboutAxis({1, 0, 0}, lean);
  startWith(m, "top.wy", -20.0 * std::sin(lean));
  startWith(m, "top.wz", 20.0 * std::cos(lean));
  Found found = findIn(m, {});
  ASSERT_TRUE(found.motion.ok) << found.motion.problem;
  Observation seen;
  ASSERT_TRUE(found.solver->field().observe(0.0, found.motion.x, seen));
  const auto& o = seen.bodies[0].orientation;
  const double cos_lean = 1.0 - 2.0 * (o[1] * o[1] + o[2] * o[2]);
  ASSERT_EQ(found.motion.goes_on.size(), 2U);
  const double spin = found.motion.goes_on[0].rate;
  const double turn = found.motion.goes_on[1].rate;
  const double A = 120.0;
  const double C = 30.0;
  EXPECT_NEAR(C * (spin + turn * cos_lean) * turn - A * turn * turn * cos_lean, 30.0 * 9.8, 1e-8);
}

// The blade behind the centre of mass: one eigenvalue, -m a v / (J + m a^2).
TEST(Steady, SleighGoingStraightKeepsItsOneEigenvalue) {
  for (const double speed : {1.5, -1.5}) {
    Mechanism m = sleigh({2.0, 0.5, 0.3, 0.0});
    m.initial.clear();
    startWith(m, "sleigh.x_rate", speed);
    startWith(m, "sleigh.angle_rate", 0.0);
    Found found = findIn(m, {given(m, "sleigh.x_rate", speed)});
    ASSERT_TRUE(found.motion.ok) << found.motion.problem;
    EXPECT_THAT(found.solver->symmetries().names,
                UnorderedElementsAre("sleigh.x", "sleigh.y", "sleigh turned about z"));
    EXPECT_THAT(countZeros(*found.solver, found.motion), ElementsAre(1));
    const auto values = eigenvaluesOf(found);
    ASSERT_EQ(values.size(), 1U);
    EXPECT_NEAR(values[0].real(), -speed * 1.323529411765 / 1.5, 1e-11);
  }
}

// About its centre of mass, J = 1, 2, 3, at 1 rad/s about one axis: mu^2 = (J3 - J1)(J1 - J2) / (J2 J3) and so on.
TEST(Steady, FreeBodySpinsAboutEachAxis) {
  const double squares[] = {-1.0 / 3.0, 1.0 / 3.0, -1.0};
  for (int axis = 0; axis < 3; ++axis) {
    Mechanism m = inSpace({0, 0, 0});
    const BodyIndex body = addSpatialBody(m, "body", 1.0, {1.0, 2.0, 3.0}, {0, 0, 0});
    addJointAt(m, "centre", JointKind::spherical, kGround, body, {0, 0, 0});
    const std::string names[] = {"body.wx", "body.wy", "body.wz"};
    for (int k = 0; k < 3; ++k) startWith(m, names[k], k == axis ? 1.0 : 0.0);
    Found found = findIn(m, {given(m, names[axis], 1.0)});
    ASSERT_TRUE(found.motion.ok) << found.motion.problem;
    EXPECT_EQ(found.solver->symmetries().count(), 3);
    // Without the spin, which may have any value, and what follows from turning as a whole.
    int seen = 0;
    for (const auto& value : eigenvaluesOf(found)) {
      if (std::abs(value) < 1e-6) continue;
      ++seen;
      EXPECT_NEAR((value * value).real(), squares[axis], 1e-10);
    }
    EXPECT_EQ(seen, 2) << axis;
  }
}

}  // namespace steady_test
}  // namespace linkwork
