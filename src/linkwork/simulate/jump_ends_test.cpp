// Steps that end where a load jumps: their stages lie on the left of it, and the next step begins on its right.
#include <gtest/gtest.h>

#include <cmath>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/model/test_mechanisms.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace linkwork {
namespace jump_ends_test {

const Expr kT = Expr::symbol("t");
constexpr double kJump = 0.5;   // s
constexpr double kUntil = 1.0;  // s

// A mass of 1 kg on a guide along x and a spring of 4 N/m, pushed by 1 N and from kJump on by -3 N.
Mechanism pushedSlider(double jump) {
  Mechanism m;
  m.name = "slider";
  const BodyIndex block = test::addBody(m, "block", 1.0, 0.1);
  test::addJoint(m, "S", JointKind::prismatic, kGround, test::frameAt(0, 0), block, test::frameAt(0, 0));
  Load load;
  load.name = "push";
  load.second = block;
  load.force[0] = select(kT - Expr(jump), Expr(-3.0), Expr(1.0)) - Expr(4.0) * Expr::symbol("block.x");
  m.loads.push_back(load);
  return m;
}

struct Way {
  std::string formulation, stabilisation, integrator;
  double order = 0;
};

struct Outcome {
  double error = 0;  // m, at the end
  Ledger ledger;
};

Outcome run(const Way& way, double step, double jump = kJump) {
  const Mechanism m = pushedSlider(jump);
  const Assembly assembly = assemble(m);
  EXPECT_TRUE(assembly.ok) << assembly.problem;
  RunOptions options;
  options.system.formulation = way.formulation;
  options.system.stabilisation = way.stabilisation;
  options.integrator = way.integrator;
  options.steps.step = step;
  options.until = kUntil;
  options.output_step = 0.1;
  const Result result = simulate(m, assembly, options);
  EXPECT_EQ(result.status, RunStatus::complete) << result.message;
  // x'' = F - 4 x
  const double until_jump = std::min(jump, kUntil);
  const double x0 = 0.25 * (1.0 - std::cos(2.0 * until_jump));
  const double v0 = 0.5 * std::sin(2.0 * until_jump);
  const double s = 2.0 * (kUntil - until_jump);
  const double middle = jump < kUntil ? -0.75 : 0.25;
  const double x = middle + (x0 - middle) * std::cos(s) + 0.5 * v0 * std::sin(s);
  return {std::abs(result.find("block.x")->values.back() - x), result.ledger};
}

class FixedSteps : public ::testing::TestWithParam<Way> {};

// With a stage on the wrong side the error of rk4 would be h/6 times the jump: of first order.
TEST_P(FixedSteps, KeepTheirOrderAcrossAJump) {
  const Way& way = GetParam();
  const double coarse = run(way, kJump / 16).error;
  const double fine = run(way, kJump / 32).error;
  EXPECT_NEAR(std::log2(coarse / fine), way.order, 0.15) << coarse << " m, then " << fine << " m";
}

// The step before the jump is cut to end there.
TEST_P(FixedSteps, AreCutToEndAtAJump) {
  const Way& way = GetParam();
  EXPECT_LT(run(way, kJump / 64, kJump + 1e-3).error, 2.0 * run(way, kJump / 64).error + 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Methods, FixedSteps,
                         ::testing::Values(Way{"absolute", "projection", "rk4", 4}, Way{"recursive", "none", "rk4", 4},
                                           Way{"hamiltonian", "none", "gauss4", 4},
                                           Way{"hamiltonian", "none", "rattle", 2},
                                           Way{"absolute", "index3", "generalized_alpha", 2},
                                           Way{"absolute", "index3", "bdf2", 2}),
                         [](const auto& way) { return way.param.formulation + "_" + way.param.integrator; });

// An error estimate that takes the jump for a part of the step refuses it again and again.
TEST(AdaptiveSteps, AreNotRefusedWhereALoadJumps) {
  for (const Way& way : {Way{"recursive", "none", "dopri5"}, Way{"recursive", "none", "dop853"},
                         Way{"recursive", "none", "radau5"}, Way{"absolute", "index3", "radau5"}}) {
    SCOPED_TRACE(way.formulation + " " + way.integrator);
    const Outcome found = run(way, 0.0);
    EXPECT_LE(found.ledger.rejected, 1);  // where the first step is chosen; some twenty at the jump before
    EXPECT_LT(found.error, 1e-6);  // index 3 has its tolerance, 1e-8, at each of some ten steps divided by some h
  }
}

// A jump where the run ends belongs to what would come after it.
TEST(FixedSteps, DoNotFeelAJumpAtTheEndOfTheRun) {
  const Way rk4{"recursive", "none", "rk4"};
  EXPECT_EQ(run(rk4, 0.05, kUntil).error, run(rk4, 0.05, 2.0 * kUntil).error);
}

}  // namespace jump_ends_test
}  // namespace linkwork
