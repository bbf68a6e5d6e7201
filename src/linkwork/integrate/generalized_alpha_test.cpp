// Orders of generalized-alpha with equal, changing and chosen steps, its damping, its starts and its failures.
#include "linkwork/integrate/generalized_alpha.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "linkwork/integrate/index3_runs_for_tests.hpp"

namespace linkwork {
namespace generalized_alpha_test {

using namespace testing_systems;
using ::testing::HasSubstr;

constexpr const char* kName = "generalized_alpha";

TEST(GeneralizedAlpha, CoefficientsAreThoseOfSecondOrderAndGreatestDamping) {
  const auto c = generalizedAlphaCoefficients(0.8);
  EXPECT_NEAR(c.alpha_m, 1.0 / 3, 1e-15);
  EXPECT_NEAR(c.alpha_f, 4.0 / 9, 1e-15);
  EXPECT_NEAR(c.gamma, 11.0 / 18, 1e-15);
  EXPECT_NEAR(c.beta, 25.0 / 81, 1e-15);
}

// Halving the step divides errors by four; the first steps are not left out.
void expectSecondOrder(const Index3Case& problem, double rho, int steps) {
  const Index3Errors a = problem.runFixed(kName, steps, rho);
  const Index3Errors b = problem.runFixed(kName, 2 * steps, rho);
  EXPECT_NEAR((a.q + a.v) / (b.q + b.v), 4, 0.3) << rho;
  EXPECT_NEAR(a.lambda / b.lambda, 4, 0.2) << rho;
  EXPECT_NEAR(a.last_lambda / b.last_lambda, 4, 0.3) << rho;
}

TEST(GeneralizedAlpha, IsOfSecondOrderInThePlaneFromTheFirstStepOn) {
  expectSecondOrder(pendulumCase(), 0.8, 200);
  expectSecondOrder(pendulumCase(), 0.0, 400);
}

TEST(GeneralizedAlpha, IsOfSecondOrderInSpaceFromTheFirstStepOn) { expectSecondOrder(topCase(), 0.8, 200); }

TEST(GeneralizedAlpha, WorkIsOfSecondOrder) {
  const Index3Case problem = pendulumCase();
  EXPECT_NEAR(problem.runFixed(kName, 200).w / problem.runFixed(kName, 400).w, 4, 0.3);
}

// The scheme with steps of our choice. Returns the greatest error of lambda, and the other errors at the end.
template <class StepOf>
Index3Errors runScheme(const Index3Case& problem, const SmallMechanical& system, StepOf&& step_of) {
  const Modes modes;
  GeneralizedAlphaScheme scheme(system, modes, 0.8);
  const auto work = problem.ode().makeWorkspace();
  std::vector<double> x = problem.start();
  std::vector<double> x_new = x;
  std::vector<double> slope(x.size());
  std::vector<double> end_slope(x.size());
  const auto derivative = [&](double t, const std::vector<double>& at, std::vector<double>& out) {
    EXPECT_EQ(problem.ode().derivative(t, at, problem.ode().startModes(), *work, out), Eval::ok);
  };
  derivative(0, x, slope);
  EXPECT_EQ(scheme.start(0, x, slope), Eval::ok);
  Index3Errors out;
  double t = 0;
  for (int k = 0; t < 1; ++k) {
    double h = step_of(k);
    if (t + 1.001 * h > 1) h = 1 - t;
    const double t_new = h == 1 - t ? 1 : t + h;
    bool trial = true;
    while (trial) {
      trial = scheme.wantsTrial();
      EXPECT_EQ(scheme.attempt(t, x, slope, t_new, h, x_new), Eval::ok) << scheme.newton().describeFailure();
      derivative(t_new, x_new, end_slope);
      if (trial) {
        EXPECT_EQ(scheme.learn(x_new, end_slope), Eval::ok);
      }
    }
    scheme.accept();
    x = x_new;
    slope = end_slope;
    t = t_new;
    out.lambda = std::max(out.lambda, problem.multiplierError(t, x, scheme.lambda()));
  }
  problem.compare(x, out);
  return out;
}

// Alternating steps feed the swinging of the multipliers most; random ones find what a pattern hides. Left as they are,
// A and the velocity defect make lambda of first order: 0.27 N instead of 3e-4 N for the pendulum with 1600 steps.
void expectSecondOrderWithChangingSteps(const Index3Case& problem, const SmallMechanical& system, double most) {
  for (const char* pattern : {"1, 1.2", "1, 2", "random"}) {
    const auto errors = [&](int n) {
      std::mt19937 generator(1);
      return runScheme(problem, system, [&](int k) {
        if (pattern == std::string("random")) return std::uniform_real_distribution<>(0.6, 1.4)(generator) / n;
        return (k % 2 == 0 ? 1.0 : pattern == std::string("1, 2") ? 2.0 : 1.2) / n;
      });
    };
    const Index3Errors a = errors(200);
    const Index3Errors b = errors(800);
    // 16 in the limit, 4 for a method of first order; random steps are others each time.
    EXPECT_GT(a.lambda / b.lambda, 13) << pattern;
    EXPECT_GT(a.q / b.q, 9) << pattern;
    EXPECT_LT(a.q / b.q, 26) << pattern;
    EXPECT_LT(b.lambda, most) << pattern;
  }
}

TEST(GeneralizedAlpha, StaysOfSecondOrderInThePlaneWhereStepsChange) {
  expectSecondOrderWithChangingSteps(pendulumCase(), kPendulum, 4e-3);
}
TEST(GeneralizedAlpha, StaysOfSecondOrderInSpaceWhereStepsChange) {
  expectSecondOrderWithChangingSteps(topCase(), kTop, 3e-2);
}

TEST(GeneralizedAlpha, ErrorsFollowTheToleranceAsAMethodOfSecondOrderCan) {
  // err of a step ~ h^3 ~ tolerance, so that a thousandth of it is a tenth of h and a hundredth of the error.
  for (const Index3Case& problem : {pendulumCase(), topCase()}) {
    const auto errors = [&](double tolerance) {
      IntegratorOptions options;
      options.rtol = options.atol = tolerance;
      return problem.run(kName, options);
    };
    const Index3Errors a = errors(1e-4);
    const Index3Errors b = errors(1e-7);
    // A factor of three for the steps at 1e-4, which are long, and for errors that cancel at the end.
    EXPECT_NEAR(std::log10(a.q / b.q), 2, 0.5);
    EXPECT_NEAR(std::log10(a.v / b.v), 2, 0.5);
    EXPECT_GT(a.lambda / b.lambda, 20);
    EXPECT_LT(b.counts.rejected, b.counts.accepted / 20);
  }
}

TEST(GeneralizedAlpha, FastDampingDoesNotHoldTheStepsBack) {
  // Rate c/m = 1e4 1/s; an explicit method of fifth order needs steps below 3.3e-4 s.
  const CartesianPendulum slow({1.0, 1.0, 9.81, 1e4, 0.0, 0.0});
  const Index3Case problem(slow, slow.start(1.0, 0.0), 1.0);
  IntegratorOptions options;
  options.rtol = options.atol = 1e-6;
  const Index3Errors errors = problem.run(kName, options);
  EXPECT_LT(errors.q, 1e-5);
  EXPECT_LT(errors.counts.accepted, 300);
}

// q'' = -omega^2 q, without constraints.
class Spring final : public SmallMechanical {
 public:
  explicit Spring(double omega) : SmallMechanical({1, 1, 1}, 0, Eigen::MatrixXd::Identity(1, 1)), k_(omega * omega) {}
  Dense dense(double, const Eigen::VectorXd& x) const override {
    Dense out;
    out.force = Eigen::VectorXd::Constant(1, -k_ * x[0]);
    out.phi = out.phi_t = out.gamma = Eigen::VectorXd(0);
    out.phi_q = Eigen::MatrixXd(0, 1);
    return out;
  }
  double power(const Eigen::VectorXd& x, const Dense& at, const Eigen::VectorXd&) const override {
    return at.force[0] * x[1];
  }
  double kinetic(const Eigen::VectorXd& x) const override { return 0.5 * x[1] * x[1]; }
  Eval tangent(double, std::span<const double>, std::span<const double>, std::span<const double>, const Modes&,
               Workspace&, MechanicalTangent& out) const override {
    fillSparse(out.K, Eigen::MatrixXd::Constant(1, 1, k_));
    fillSparse(out.C, Eigen::MatrixXd::Zero(1, 1));
    return Eval::ok;
  }
  void positionRates(std::span<const double>, std::span<const double> v, std::span<double> qdot) const override {
    qdot[0] = v[0];
  }
  void chart(std::span<const double>, std::span<const double>, PositionChart& out) const override {
    fillSparse(out.T, Eigen::MatrixXd::Identity(1, 1));
    fillSparse(out.S, Eigen::MatrixXd::Identity(1, 1));
    fillSparse(out.rates_by_q, Eigen::MatrixXd::Zero(1, 1));
  }
  void retract(std::span<const double> q, std::span<const double> d, std::span<double> q_new) const override {
    q_new[0] = q[0] + d[0];
  }
  void difference(std::span<const double> from, std::span<const double> to, std::span<double> d) const override {
    d[0] = to[0] - from[0];
  }

 private:
  double k_;
};

TEST(GeneralizedAlpha, RhoIsWhatAStepLeavesOfAnInfinitelyFastSwing) {
  const Spring spring(1e7);
  SmallMechanicalOde ode(spring);
  ode.offerMechanical();
  for (const double rho : {0.3, 0.5, 0.8}) {
    IntegratorOptions options;
    options.step = 0.1;
    options.rho = rho;
    const auto integrator = makeIntegrator(kName, ode, options);
    ASSERT_EQ(integrator->begin(0, std::vector<double>{1, 0, 0}, 8), StepStatus::ok);
    double before = 0;
    for (int k = 1; k <= 60; ++k) {
      ASSERT_EQ(integrator->step(), StepStatus::ok);
      if (k == 20) before = std::abs(integrator->state()[1]);
    }
    // A double root -rho: k rho^k, so that 40 steps leave rho^40 times 60/20.
    const double left = std::abs(integrator->state()[1]) / before;
    EXPECT_NEAR(std::log(left / 3) / 40, std::log(rho), 0.01) << rho;
  }
}

TEST(GeneralizedAlpha, TinyStepsAreWellConditioned) {
  const Index3Case problem = pendulumCase();
  IntegratorOptions options;
  options.step = 1e-6;
  const auto integrator = makeIntegrator(kName, problem.ode(), options);
  ASSERT_EQ(integrator->begin(0, problem.start(), 1), StepStatus::ok);
  for (int k = 0; k < 50; ++k) ASSERT_EQ(integrator->step(), StepStatus::ok) << integrator->failure();
  // Round-off of a position, 1e-16, is one of 1e-16/(0.26 h^2) in accelerations; lambda is about 20 N/m.
  EXPECT_LT(problem.multiplierError(integrator->time(), integrator->state(), integrator->multipliers()), 5e-2);
}

TEST(GeneralizedAlpha, MultipliersAtTheStartAreThoseOfTheIndexOneEquations) {
  for (const Index3Case& problem : {pendulumCase(), topCase()}) {
    const auto integrator = makeIntegrator(kName, problem.ode(), {});
    ASSERT_EQ(integrator->begin(0, problem.start(), 1), StepStatus::ok);
    EXPECT_LT(problem.multiplierError(0, problem.start(), integrator->multipliers()), 1e-12);
  }
}

TEST(GeneralizedAlpha, InterpolatesWithTheAccuracyOfTheSteps) {
  const Index3Case problem = topCase();
  const auto errorBetween = [&](int steps) {
    IntegratorOptions options;
    options.step = 1 / (steps - 0.5);  // t = 1 is the middle of the last step
    const auto integrator = makeIntegrator(kName, problem.ode(), options);
    EXPECT_EQ(integrator->begin(0, problem.start(), 2), StepStatus::ok);
    std::vector<double> before;
    for (int k = 0; k < steps; ++k) {
      before.assign(integrator->state().begin(), integrator->state().end());
      EXPECT_EQ(integrator->step(), StepStatus::ok);
    }
    std::vector<double> x(before.size());
    integrator->interpolate(integrator->previousTime(), x);
    EXPECT_EQ(x, before);
    integrator->interpolate(1, x);
    Index3Errors errors;
    problem.compare(x, errors);
    return std::max(errors.q, errors.v);
  };
  EXPECT_NEAR(errorBetween(200) / errorBetween(400), 4, 0.3);
}

TEST(GeneralizedAlpha, GoesOnFromAnEventAsIfItBeganThere) {
  const Index3Case problem = pendulumCase();
  for (const double step : {0.0, 0.01}) {
    IntegratorOptions options;
    options.rtol = options.atol = 1e-5;
    options.step = step;
    const auto first = makeIntegrator(kName, problem.ode(), options);
    ASSERT_EQ(first->begin(0, problem.start(), 1), StepStatus::ok);
    for (int k = 0; k < 5; ++k) ASSERT_EQ(first->step(), StepStatus::ok);
    std::vector<double> x(problem.start().size());
    const double t = first->previousTime() + 0.4 * first->lastStep();
    first->interpolate(t, x);
    ASSERT_EQ(first->resumeAt(t, x), StepStatus::ok);
    const auto second = makeIntegrator(kName, problem.ode(), options);
    ASSERT_EQ(second->begin(t, x, 1), StepStatus::ok);
    StepStatus status = StepStatus::ok;
    while (status == StepStatus::ok) {
      status = first->step();
      EXPECT_EQ(second->step(), status);
      ASSERT_TRUE(std::equal(first->state().begin(), first->state().end(), second->state().begin()));
    }
    Index3Errors errors;
    problem.compare(first->state(), errors);
    EXPECT_LT(errors.q, 1e-3);
  }
}

TEST(GeneralizedAlpha, SaysWhenAFixedStepIsTooLong) {
  const Index3Case problem = topCase();
  IntegratorOptions options;
  options.step = 0.5;
  const auto integrator = makeIntegrator(kName, problem.ode(), options);
  ASSERT_EQ(integrator->begin(0, problem.start(), 1), StepStatus::ok);
  EXPECT_EQ(integrator->step(), StepStatus::failed);
  EXPECT_EQ(integrator->failure(),
            "t = 0.5 s: a fixed step of 0.5 s cannot be taken here; try a smaller one or an adaptive method: Newton's "
            "iterations for the step and its constraints do not converge");
  EXPECT_EQ(integrator->time(), 0);
}

// A pendulum of length 1 whose x is driven as 2 t: at t = 1/2 it lies level, its rows are one, and further it cannot
// go.
class DrivenOutOfReach final : public SmallMechanical {
 public:
  DrivenOutOfReach() : SmallMechanical({2, 2, 1}, 2, Eigen::Matrix2d::Identity()) {}
  Dense dense(double t, const Eigen::VectorXd& x) const override {
    Dense out;
    out.force = Eigen::Vector2d(0, -9.81);
    out.phi = Eigen::Vector2d(0.5 * (x[0] * x[0] + x[1] * x[1] - 1), x[0] - 2 * t);
    out.phi_q = (Eigen::Matrix2d() << x[0], x[1], 1, 0).finished();
    out.phi_t = Eigen::Vector2d(0, -2);
    out.gamma = Eigen::Vector2d(-x[2] * x[2] - x[3] * x[3], 0);
    return out;
  }
  double power(const Eigen::VectorXd&, const Dense&, const Eigen::VectorXd&) const override { return 0; }
  double kinetic(const Eigen::VectorXd&) const override { return 0; }
  Eval tangent(double, std::span<const double>, std::span<const double>, std::span<const double> lambda, const Modes&,
               Workspace&, MechanicalTangent& out) const override {
    fillSparse(out.K, -lambda[0] * Eigen::Matrix2d::Identity());
    fillSparse(out.C, Eigen::Matrix2d::Zero());
    return Eval::ok;
  }
  void positionRates(std::span<const double>, std::span<const double> v, std::span<double> qdot) const override {
    std::copy(v.begin(), v.end(), qdot.begin());
  }
  void chart(std::span<const double>, std::span<const double>, PositionChart& out) const override {
    fillSparse(out.T, Eigen::Matrix2d::Identity());
    fillSparse(out.S, Eigen::Matrix2d::Identity());
    fillSparse(out.rates_by_q, Eigen::Matrix2d::Zero());
  }
  void retract(std::span<const double> q, std::span<const double> d, std::span<double> q_new) const override {
    for (std::size_t k = 0; k < 2; ++k) q_new[k] = q[k] + d[k];
  }
  void difference(std::span<const double> from, std::span<const double> to, std::span<double> d) const override {
    for (std::size_t k = 0; k < 2; ++k) d[k] = to[k] - from[k];
  }
};

TEST(GeneralizedAlpha, SaysWhichConstraintBecomesDependentOnTheWay) {
  const DrivenOutOfReach system;
  SmallMechanicalOde ode(system);
  ode.offerMechanical();
  IntegratorOptions options;
  options.rtol = options.atol = 1e-4;
  const auto integrator = makeIntegrator(kName, ode, options);
  StepStatus status = integrator->begin(0, std::vector<double>{0, -1, 2, 0, 0}, 1);
  while (status == StepStatus::ok) status = integrator->step();
  EXPECT_EQ(status, StepStatus::underflow);
  EXPECT_NEAR(integrator->time(), 0.5, 1e-6);
  EXPECT_EQ(
      integrator->failure(),
      "t = 0.5 s: the step fell below 3.6e-15 s: the constraints become dependent here (row 1 adds nothing to the "
      "others), and a method that takes them directly cannot pass such a pose: use --stabilisation projection with "
      "an explicit method");
}

// The step that would lead beyond is not taken, and the pose is named by its own time, not by that of the step.
TEST(GeneralizedAlpha, FixedStepsSayWhereTheDeadPointIs) {
  const DrivenOutOfReach system;
  SmallMechanicalOde ode(system);
  ode.offerMechanical();
  for (const char* name : {kName, "bdf2"}) {
    IntegratorOptions options;
    options.step = 0.03;
    const auto integrator = makeIntegrator(name, ode, options);
    StepStatus status = integrator->begin(0, std::vector<double>{0, -1, 2, 0, 0}, 1);
    while (status == StepStatus::ok) status = integrator->step();
    EXPECT_EQ(status, StepStatus::failed) << name;
    EXPECT_NEAR(integrator->time(), 0.48, 1e-12) << name;
    EXPECT_THAT(integrator->failure(),
                ::testing::StartsWith("t = 0.5 s: the mechanism is at a dead point or at the end of its reach: row "));
    EXPECT_THAT(integrator->failure(), HasSubstr("let the drive turn back before it, or drive another joint"));
  }
}

TEST(GeneralizedAlpha, RefusesARhoThatDampsNothing) {
  IntegratorOptions options;
  options.rho = 1;
  EXPECT_EQ(
      options.problem(),
      "rho = 1 is out of range: give a number from 0, where fast swings vanish in one step, to below 1, where they "
      "would stay for ever.");
  options.rho = -0.1;
  EXPECT_THAT(options.problem(), HasSubstr("rho = -0.1 is out of range"));
}

}  // namespace generalized_alpha_test
}  // namespace linkwork
