// One motion, however its joints are kept closed: a four-bar, and a parallelogram with a redundant crank, whose single
// equation of motion is written out here as the second opinion.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "run_model.hpp"

namespace linkwork::validation {
namespace stabilisation_test {

Result runWith(const Mechanism& mechanism, const std::string& stabilisation, double rtol, double until) {
  RunOptions options = runOptions(mechanism);
  options.system.stabilisation = stabilisation;
  options.system.alpha = options.system.beta = 10.0;
  options.steps.rtol = rtol;
  options.steps.atol = 0.01 * rtol;
  options.until = until;
  options.output_step = until;
  Result result = runModel(mechanism, options);
  expect(result.status == RunStatus::complete, result.message);
  return result;
}

constexpr std::array kWays{std::pair{"projection", 1e-10}, std::pair{"baumgarte", 1e-10}, std::pair{"none", 1e-11},
                           std::pair{"augmented_lagrangian", 1e-10}, std::pair{"partitioning", 1e-10}};

TEST(FourBar, MovesTheSameHoweverItIsKeptClosed) {
  const Mechanism mechanism = readShippedModel("four_bar");
  const Result tight = runWith(mechanism, "projection", 1e-12, 3.0);
  // Each run may be off by its tolerance times some hundred steps and the growth of a disturbance over 3 s (below 100).
  for (const auto& [stabilisation, rtol] : kWays) {
    const Result other = runWith(mechanism, stabilisation, rtol, 3.0);
    for (const char* name : {"crank.angle", "coupler.angle", "rocker.angle", "crank.angle_rate"}) {
      EXPECT_NEAR(lastOf(other, name), lastOf(tight, name), 1e-7) << stabilisation << " " << name;
    }
    for (const char* name : {"O.force.x", "O.force.y", "A.force.x", "B.force.y", "C.force.x", "C.force.y"}) {
      EXPECT_NEAR(lastOf(other, name), lastOf(tight, name), 1e-5) << stabilisation << " " << name;
    }
  }
}

// The cranks turn by theta, the coupler does not turn:
//   I theta'' = -g cos(theta) (sum m_i c_i + M L) - F(d, d') dd/dtheta,   I = sum (J_i + m_i c_i^2) + M L^2
std::array<double, 2> parallelogramRates(const std::array<double, 2>& x) {
  constexpr std::array mass{1.0, 1.4, 0.8}, inertia{0.025, 0.03, 0.018}, com{0.25, 0.20, 0.30};
  const double M = 3.0, L = 0.5, g = 9.81;
  double I = M * L * L;
  double weight = M * L;
  for (std::size_t i = 0; i < 3; ++i) {
    I += inertia[i] + mass[i] * com[i] * com[i];
    weight += mass[i] * com[i];
  }
  // From the hook on the ground (0.9, 0.6) to the eye of the coupler.
  const double dx = L * std::cos(x[0]) + 0.9 + 0.3 - 0.9;
  const double dy = L * std::sin(x[0]) + 0.1 + 0.2 - 0.6;
  const double d = std::hypot(dx, dy);
  const double slope = (-dx * L * std::sin(x[0]) + dy * L * std::cos(x[0])) / d;
  const double tension = 30 * (d - 0.5) + 2 * slope * x[1];
  return {x[1], (-g * std::cos(x[0]) * weight - tension * slope) / I};
}

std::array<double, 2> parallelogram(double until) {
  std::array<double, 2> x{std::atan2(-4, 3), 1.2};
  const int steps = 20000;
  const double h = until / steps;
  const auto add = [](const std::array<double, 2>& a, const std::array<double, 2>& k, double c) {
    return std::array<double, 2>{a[0] + c * k[0], a[1] + c * k[1]};
  };
  for (int n = 0; n < steps; ++n) {  // Runge and Kutta, order 4: h^4 is 4e-15 here
    const auto k1 = parallelogramRates(x);
    const auto k2 = parallelogramRates(add(x, k1, h / 2));
    const auto k3 = parallelogramRates(add(x, k2, h / 2));
    const auto k4 = parallelogramRates(add(x, k3, h));
    for (std::size_t i = 0; i < 2; ++i) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return x;
}

TEST(ParallelogramThreeCranks, ObeysItsOneEquationOfMotion) {
  const Mechanism mechanism = readShippedModel("parallelogram_three_cranks");
  const auto exact = parallelogram(5.0);
  const Result tight = runWith(mechanism, "projection", 1e-12, 5.0);
  EXPECT_NEAR(lastOf(tight, "crank1.angle"), exact[0], 1e-10);
  EXPECT_NEAR(lastOf(tight, "crank3.angle"), exact[0], 1e-10);
  EXPECT_NEAR(lastOf(tight, "crank2.angle_rate"), exact[1], 1e-10);
  EXPECT_NEAR(lastOf(tight, "coupler.angle"), 0.0, 1e-13);
  EXPECT_EQ(tight.ledger.rows, 12);
  EXPECT_EQ(tight.ledger.rank, 11);
  EXPECT_TRUE(tight.ledger.rank_changes.empty());
}

TEST(ParallelogramThreeCranks, MovesTheSameHoweverItIsKeptClosed) {
  const Mechanism mechanism = readShippedModel("parallelogram_three_cranks");
  const Result tight = runWith(mechanism, "projection", 1e-12, 5.0);
  for (const auto& [stabilisation, rtol] : kWays) {
    const Result other = runWith(mechanism, stabilisation, rtol, 5.0);
    for (const char* name : {"crank1.angle", "crank2.angle_rate", "coupler.x", "coupler.y", "coupler.angle"}) {
      EXPECT_NEAR(lastOf(other, name), lastOf(tight, name), 1e-8) << stabilisation << " " << name;
    }
    // Reactions of the smallest norm are unique, and must not depend on how the joints were kept closed.
    for (const char* name : {"G1.force.x", "G2.force.y", "G3.force.x", "K1.force.x", "K2.force.y", "K3.force.y"}) {
      EXPECT_NEAR(lastOf(other, name), lastOf(tight, name), 1e-5) << stabilisation << " " << name;
    }
  }
}

// --- the ledger

TEST(Ledger, CountsPenaltyIterationsAndRepartitions) {
  const Mechanism mechanism = readShippedModel("four_bar");
  const Result penalised = runWith(mechanism, "augmented_lagrangian", 1e-8, 1.0);
  // Two to four iterations an evaluation.
  EXPECT_GE(penalised.ledger.penalty_iterations, 2 * penalised.ledger.evaluations);
  EXPECT_LE(penalised.ledger.penalty_iterations, 4 * penalised.ledger.evaluations);
  EXPECT_EQ(penalised.ledger.repartitions, 0);
  // Two sliders at right angles: wherever one of them turns back the other serves better, whatever the tolerance. Seen:
  // 13 changes in 10 s with 337 and with 637 steps.
  for (const double rtol : {1e-8, 1e-10}) {
    const Result parted = runWith(readShippedModel("elliptic_trammel"), "partitioning", rtol, 10.0);
    EXPECT_EQ(parted.ledger.penalty_iterations, 0);
    EXPECT_GE(parted.ledger.repartitions, 4) << rtol;
    EXPECT_LT(parted.ledger.repartitions, parted.ledger.steps / 10) << rtol;
    EXPECT_LT(parted.ledger.worst_position, 1e-13);
  }
}

// --- in space

class SpaceModel : public ::testing::TestWithParam<const char*> {};

// How bodies turn, and forces: a top's own point does not move, and its bearing carries no moment, so that nothing but
// round-off could be compared there.
bool isTurn(const std::string& name) {
  return name.find(".orientation") != std::string::npos || name.find(".angular_velocity") != std::string::npos;
}
bool isForce(const std::string& name) { return name.find(".force.") != std::string::npos; }

TEST_P(SpaceModel, MovesTheSameHoweverItIsKeptClosed) {
  const Mechanism mechanism = readShippedModel(GetParam());
  const Result tight = runWith(mechanism, "projection", 1e-12, 0.5);
  for (const auto& [stabilisation, rtol] : kWays) {
    const Result other = runWith(mechanism, stabilisation, rtol, 0.5);
    const double turn = differenceOfUnique(tight, other, isTurn);
    const double force = differenceOfUnique(tight, other, isForce);
    std::printf("%s, %s: turns differ by %.1e, forces by %.1e\n", GetParam(), stabilisation, turn, force);
    // The tolerance of 1e-10 a step and some thousand steps.
    EXPECT_LT(turn, 1e-7) << stabilisation;
    EXPECT_LT(force, 1e-6) << stabilisation;
  }
}

INSTANTIATE_TEST_SUITE_P(Shipped, SpaceModel, ::testing::Values("heavy_top", "rssr", "spatial_slider_crank"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace stabilisation_test
}  // namespace linkwork::validation
