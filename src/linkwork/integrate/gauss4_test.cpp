// Gauss's method: order, symmetry, the symplectic form, and energies over many steps.
#include "linkwork/integrate/gauss4.hpp"

#include <gmock/gmock.h>

#include "linkwork/integrate/canonical_runs_for_tests.hpp"
#include "linkwork/integrate/systems_for_tests.hpp"

namespace linkwork {
namespace gauss4_test {

using namespace testing_systems;
using ::testing::HasSubstr;

test::CanonicalCase<test::PlaneD> pendulum(double until = 1.0) {
  return {test::doublePendulum(0.9, 0.5), {0.4, -0.3}, until};
}

// The errors of a method of order 4 fall by 16 when steps are halved, but for the next term of their expansion, here
// of order h^2 beside the first: a tenth in the logarithm at 50 steps.
TEST(Gauss4, IsOfFourthOrderOnAChain) {
  auto run = pendulum();
  const double coarse = run.error("gauss4", 50);
  const double fine = run.error("gauss4", 100);
  RecordProperty("order", std::to_string(std::log2(coarse / fine)));
  EXPECT_NEAR(std::log2(coarse / fine), 4.0, 0.1);
  EXPECT_LT(fine, 1e-5);
}

// Nothing is preserved then, but the order stays; the work of motor and damper is among what is compared.
TEST(Gauss4, IsOfFourthOrderUnderDrivesAndDampersToo) {
  Mechanism m = test::sliderPendulum();
  test::drawAt(m, test::sliderPendulumMoving());
  test::drive(m, "O.angle", Expr(0.3) + Expr(0.7) * test::kTime + sin(test::kTime * test::kTime));
  test::CanonicalCase<test::PlaneD> run(m, {0.5}, 1.0);
  const double coarse = run.error("gauss4", 20);
  const double fine = run.error("gauss4", 40);
  EXPECT_NEAR(std::log2(coarse / fine), 4.0, 0.2);
  EXPECT_LT(fine, 1e-5);
}

// Its output between steps is the cubic Hermite polynomial: of fourth order too.
TEST(Gauss4, IsOfFourthOrderBetweenTheSteps) {
  const auto worst = [](int count) {
    const LambdaSystem system = oscillator();
    IntegratorOptions options;
    options.step = 2.0 / count;
    Gauss4 integrator(system, options);
    StepStatus status = integrator.begin(0, kOscillatorStart, 2);
    std::vector<double> x(3);
    double out = 0;
    while (status == StepStatus::ok) {
      status = integrator.step();
      for (const double part : {0.2, 0.5, 0.7}) {
        const double t = integrator.previousTime() + part * integrator.lastStep();
        integrator.interpolate(t, x);
        out = std::max(out, oscillatorError(t, x));
      }
    }
    return out;
  };
  EXPECT_NEAR(std::log2(worst(50) / worst(100)), 4.0, 0.1);
}

// Reversed motions retrace their way: the step is its own adjoint. Round-off of one step each way, in numbers of
// size 1.
TEST(Gauss4, RetracesAStep) {
  const auto run = pendulum();
  const double h = 0.05;
  const std::vector<double> there = run.stepped("gauss4", h, run.start());
  const std::vector<double> back = run.reversed(run.stepped("gauss4", h, run.reversed(there)));
  EXPECT_GT(distance(there, run.start()), 0.01);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(back[k], run.start()[k], 1e-14) << k;
}

// dq ^ dp of two neighbouring motions is the same after a step. Central differences of 1e-4 leave errors of 1e-8 of
// third derivatives that are of size h, and 1e-12 of round-off; a method that does not keep it, such as rk4 at this
// step, is off by 1e-6 and more.
TEST(Gauss4, KeepsTheSymplecticForm) {
  const auto run = pendulum();
  const double h = 0.1;
  const auto defect = [&](const std::string& name) {
    constexpr double kAside = 1e-4;
    std::vector<std::vector<double>> slope;
    for (std::size_t k = 0; k < 4; ++k) {
      std::vector<double> up = run.start();
      std::vector<double> down = run.start();
      up[k] += kAside;
      down[k] -= kAside;
      up = run.stepped(name, h, up);
      down = run.stepped(name, h, down);
      for (std::size_t i = 0; i < 4; ++i) up[i] = (up[i] - down[i]) / (2 * kAside);
      slope.push_back(up);
    }
    double worst = 0;
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b < 4; ++b) {
        double form = 0;
        for (std::size_t i = 0; i < 2; ++i) form += slope[a][i] * slope[b][2 + i] - slope[a][2 + i] * slope[b][i];
        const double before = b == a + 2 ? 1.0 : a == b + 2 ? -1.0 : 0.0;
        worst = std::max(worst, std::abs(form - before));
      }
    }
    return worst;
  };
  EXPECT_LT(defect("gauss4"), 1e-8);
  EXPECT_GT(defect("rk4"), 1e-6);
}

// Gauss's methods keep quadratic invariants: only round-off of increments is left, 1e-17 a step, which walks at random
// (1e-14 was seen).
TEST(Gauss4, KeepsTheEnergyOfAnOscillatorToRoundOff) {
  const LambdaSystem system = oscillator();
  IntegratorOptions options;
  options.step = 0.1;
  Gauss4 integrator(system, options);
  StepStatus status = integrator.begin(0, kOscillatorStart, 1e4);
  double worst = 0;
  while (status == StepStatus::ok) {
    status = integrator.step();
    const auto x = integrator.state();
    worst = std::max(worst, std::abs(x[0] * x[0] + x[1] * x[1] - 1));
  }
  EXPECT_EQ(integrator.counts().accepted, 100000);
  EXPECT_LT(worst, 3e-14);
}

// Regular swinging, 20000 steps of 20 ms: about 60 to a swing. The energy error of the first tenth of the run bounds
// that of the last, while the classical Runge-Kutta method loses energy all the way.
TEST(Gauss4, DoesNotLoseEnergyWhereRungeKuttaDoes) {
  const test::CanonicalCase<test::PlaneD> run(test::doublePendulum(0.4, 0.3), {}, 0.0);
  const double energy = run.energy(0.0, run.start());
  const auto errors = [&](const std::string& name) {
    const auto integrator = run.begun(name, 0.02, run.start(), 400.0);
    std::array<double, 2> out{};  // in the first tenth, in the last
    for (int k = 0; k < 20000; ++k) {
      const StepStatus status = integrator->step();
      EXPECT_TRUE(status == StepStatus::ok || k == 19999) << integrator->failure();
      if (k % 7 != 0 || (k >= 2000 && k < 18000)) continue;
      double& worst = out[k < 2000 ? 0 : 1];
      worst = std::max(worst, std::abs(run.energy(integrator->time(), integrator->state()) - energy));
    }
    return out;
  };
  const auto gauss = errors("gauss4");
  const auto runge = errors("rk4");
  RecordProperty("gauss4_first", fmt::format("{:.2e}", gauss[0]));
  RecordProperty("gauss4_last", fmt::format("{:.2e}", gauss[1]));
  RecordProperty("rk4_first", fmt::format("{:.2e}", runge[0]));
  RecordProperty("rk4_last", fmt::format("{:.2e}", runge[1]));
  EXPECT_LT(gauss[1], 1.3 * gauss[0]);
  EXPECT_GT(runge[1], 5 * runge[0]);
}

TEST(Gauss4, GoesOnFromItsMemoryToTheLastBit) { test::expectToGoOnFromMemory(pendulum(), "gauss4"); }

TEST(Gauss4, RefusesWhatItWouldLetDriftAndNamesRattle) {
  IntegratorOptions options;
  options.step = 0.01;
  const test::CanonicalCase<test::PlaneD> loop(test::freeParallelogram(2), {}, 1.0);
  EXPECT_THAT(integratorProblem("gauss4", loop.system(), options), HasSubstr("has loops"));
  EXPECT_THAT(integratorProblem("gauss4", loop.system(), options), HasSubstr("use rattle"));
  const test::CanonicalCase<test::SpaceD> ball(test::top({0.5, 0.9, 0.7}, {0.1, 0.05, 0.6}), {}, 1.0);
  EXPECT_THAT(integratorProblem("gauss4", ball.system(), options), HasSubstr("quaternions: use rattle"));
  EXPECT_EQ(integratorProblem("rattle", ball.system(), options), "");
}

// A spring that swings forty times within a step: the iteration runs away, and the message says when and what to do.
TEST(Gauss4, SaysThatAStepIsTooLong) {
  Mechanism m = test::doublePendulum(0.9, 0.5);
  test::addSpring(m, "stiff", kGround, test::frameAt(1, 0), BodyIndex(1), test::frameAt(0, 0), 1e6, 0.0, 0.5);
  const test::CanonicalCase<test::PlaneD> run(m, {}, 1.0);
  const auto integrator = run.begun("gauss4", 0.1, run.start(), 1.0);
  StepStatus status = StepStatus::ok;
  while (status == StepStatus::ok) status = integrator->step();
  EXPECT_EQ(status, StepStatus::failed);
  EXPECT_THAT(integrator->failure(), HasSubstr("a fixed step of 0.1 s cannot be taken here; try a smaller one"));
}

}  // namespace gauss4_test
}  // namespace linkwork
