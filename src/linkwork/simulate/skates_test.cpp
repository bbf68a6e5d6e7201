// Joints that hold velocities alone, through whole runs: closed forms, and formulations and stabilisations that agree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/model/skates_for_tests.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace linkwork {
namespace skates_test {

using namespace test;
using ::testing::HasSubstr;

struct Way {
  std::string formulation, stabilisation;
  std::string integrator = "dopri5";
};

const std::vector<Way> kWays{{"absolute", "none"},
                             {"absolute", "projection"},
                             {"absolute", "baumgarte"},
                             {"absolute", "augmented_lagrangian"},
                             {"absolute", "partitioning"},
                             {"absolute", "index3", "radau5"},
                             {"absolute", "ggl", "radau5"},
                             {"recursive", "none"},
                             {"recursive", "projection"},
                             {"recursive", "baumgarte"},
                             {"recursive", "augmented_lagrangian"},
                             {"recursive", "partitioning"},
                             {"recursive", "index3", "radau5"},
                             {"recursive", "ggl", "radau5"},
                             {"hamiltonian", "none"},
                             {"hamiltonian", "projection"},
                             {"quasivelocity", "none"},
                             {"quasivelocity", "projection"},
                             {"quasivelocity", "projection", "radau5"}};

std::string wordsOf(const Way& way) { return way.formulation + " " + way.stabilisation + " " + way.integrator; }

RunOptions optionsOf(const Way& way, double until) {
  RunOptions options;
  options.system.formulation = way.formulation;
  options.system.stabilisation = way.stabilisation;
  options.integrator = way.integrator;
  options.steps.rtol = 1e-10;
  options.steps.atol = 1e-12;
  options.until = until;
  options.output_step = 0.25;
  return options;
}

Result run(const Mechanism& m, const Way& way, double until) {
  const Assembly assembly = assemble(m);
  EXPECT_TRUE(assembly.ok) << assembly.problem;
  const Result result = simulate(m, assembly, optionsOf(way, until));
  EXPECT_EQ(result.status, RunStatus::complete) << result.message;
  return result;
}

double valueOf(const Result& result, const std::string& name, std::size_t k) {
  const Series* series = result.find(name);
  EXPECT_NE(series, nullptr) << name;
  return series == nullptr ? 0.0 : series->values[k];
}

// Tolerances of 1e-10 over some ten steps of unit size, amplified a few times by what the motion itself does.
constexpr double kRunTolerance = 3e-8;

TEST(Skates, DrawACycloidOnASlope) {
  const SkateNumbers n;
  for (const Space space : {Space::planar, Space::spatial}) {
    for (const Way& way : kWays) {
      SCOPED_TRACE(wordsOf(way) + (space == Space::planar ? ", plane" : ", space"));
      const Result result = run(skate(space, n), way, 3.0);
      const double size = n.slope_pull / (2.0 * n.turning * n.turning);
      for (std::size_t k = 0; k < result.time.size(); ++k) {
        const double p = n.turning * result.time[k];
        EXPECT_NEAR(valueOf(result, "skate.x", k), size * std::sin(p) * std::sin(p), kRunTolerance);
        EXPECT_NEAR(valueOf(result, "skate.y", k), size * (p - 0.5 * std::sin(2.0 * p)), kRunTolerance);
        // Reactions of what keeps its constraints are those of the index-1 equations at the state found.
        const double force = 2.0 * n.mass * n.slope_pull * std::sin(p);  // on the skate, along its own y axis
        EXPECT_NEAR(valueOf(result, "blade.force.x", k), -force * std::sin(p), 1e-6);
        EXPECT_NEAR(valueOf(result, "blade.force.y", k), force * std::cos(p), 1e-6);
      }
      EXPECT_EQ(result.ledger.degrees_of_freedom, 2);
      EXPECT_EQ(result.ledger.position_degrees_of_freedom, 3);
      EXPECT_LT(result.ledger.worst_energy_balance, 1e-7);
      EXPECT_LT(result.ledger.worst_velocity, way.stabilisation == "projection" ? 1e-14 : 1e-7);
    }
  }
}

TEST(Skates, WithTheBladeBehindEndGoingStraight) {
  const SleighNumbers n;
  const double J = n.inertia + n.mass * n.behind * n.behind;
  const double k = n.turning * n.behind * std::sqrt(n.mass / J);
  for (const Way& way : kWays) {
    SCOPED_TRACE(wordsOf(way));
    const Result result = run(sleigh(n), way, 5.0);
    for (std::size_t i = 0; i < result.time.size(); ++i) {
      const double t = result.time[i];
      EXPECT_NEAR(valueOf(result, "sleigh.angle_rate", i), n.turning / std::cosh(k * t), kRunTolerance);
      const double p = valueOf(result, "sleigh.angle", i);
      const double along =
          std::cos(p) * valueOf(result, "sleigh.x_rate", i) + std::sin(p) * valueOf(result, "sleigh.y_rate", i);
      EXPECT_NEAR(along, n.turning * std::sqrt(J / n.mass) * std::tanh(k * t), kRunTolerance);
    }
  }
}

// Rows of positions and of velocities alone together: no closed form, but one motion.
TEST(Skates, CoupledByARodMoveAlikeInAllFormulations) {
  const Result reference = run(tug(), kWays[1], 4.0);
  EXPECT_EQ(reference.ledger.degrees_of_freedom, 3);
  EXPECT_EQ(reference.ledger.position_degrees_of_freedom, 5);
  EXPECT_LT(reference.ledger.worst_position, 1e-13);
  EXPECT_LT(reference.ledger.worst_velocity, 1e-13);
  for (const Way& way : kWays) {
    SCOPED_TRACE(wordsOf(way));
    const Result result = run(tug(), way, 4.0);
    ASSERT_EQ(result.time.size(), reference.time.size());
    for (const char* name : {"first.x", "first.y", "first.angle", "second.x", "second.y", "second.angle"}) {
      for (std::size_t k = 0; k < result.time.size(); ++k) {
        EXPECT_NEAR(valueOf(result, name, k), valueOf(reference, name, k), 10.0 * kRunTolerance) << name;
      }
    }
    EXPECT_LT(result.ledger.worst_energy_balance, 1e-6);
  }
}

// y' = u(t), whatever the loads; the belt pulls with m u', and what it supplies is the energy of that motion.
TEST(Skates, AreCarriedByABelt) {
  const Expr t = Expr::symbol("t");
  const Mechanism m = belt(Expr(0.3) * cos(Expr(2.0) * t));
  for (const Way& way : kWays) {
    SCOPED_TRACE(wordsOf(way));
    const Result result = run(m, way, 3.0);
    for (std::size_t k = 0; k < result.time.size(); ++k) {
      const double s = result.time[k];
      EXPECT_NEAR(valueOf(result, "box.y", k), 0.15 * std::sin(2.0 * s), kRunTolerance);
      EXPECT_NEAR(valueOf(result, "box.y_rate", k), 0.3 * std::cos(2.0 * s), kRunTolerance);
      EXPECT_NEAR(valueOf(result, "box.x", k), 0.2 * s, kRunTolerance);
      EXPECT_NEAR(valueOf(result, "belt.force.y", k), -1.5 * 0.6 * std::sin(2.0 * s), 1e-6);
    }
    EXPECT_LT(result.ledger.worst_energy_balance, 1e-8);
  }
}

TEST(Skates, AreRefusedByMethodsOfPositionsAlone) {
  const Mechanism m = skate(Space::planar);
  for (const char* integrator : {"generalized_alpha", "bdf2"}) {
    RunOptions options = optionsOf({"absolute", "index3", integrator}, 1.0);
    options.steps.step = 0.01;
    EXPECT_THAT(runProblem(m, options), HasSubstr("blade.across holds velocities alone: use radau5, or"));
  }
  RunOptions options = optionsOf({"hamiltonian", "none", "rattle"}, 1.0);
  options.steps.step = 0.01;
  EXPECT_THAT(runProblem(m, options), HasSubstr("joint \"blade\" holds velocities alone: use dopri5"));
}

}  // namespace skates_test
}  // namespace linkwork
