// BDF2: its formula, its order in plane and space, its start and its last step.
#include "linkwork/integrate/bdf2.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linkwork/integrate/index3_runs_for_tests.hpp"

namespace linkwork {
namespace bdf2_test {

using namespace testing_systems;

TEST(Bdf2, StepsSatisfyItsFormula) {
  const Index3Case problem = pendulumCase();
  IntegratorOptions options;
  const double h = options.step = 0.01;
  const auto integrator = makeIntegrator("bdf2", problem.ode(), options);
  ASSERT_EQ(integrator->begin(0, problem.start(), 1), StepStatus::ok);
  const auto state = [&] { return Eigen::Map<const Eigen::VectorXd>(integrator->state().data(), 5).eval(); };
  std::vector<Eigen::VectorXd> x{state()};
  for (int k = 1; k <= 20; ++k) {
    ASSERT_EQ(integrator->step(), StepStatus::ok);
    x.push_back(state());
    const Eigen::VectorXd& now = x[static_cast<std::size_t>(k)];
    const Eigen::VectorXd& before = x[static_cast<std::size_t>(k) - 1];
    const Eigen::Vector2d v = now.segment<2>(2);
    Eigen::Vector2d q, a;
    if (k == 1) {
      q = before.head<2>() + h * v;
      a = (v - before.segment<2>(2)) / h;
    } else {
      const Eigen::VectorXd& earlier = x[static_cast<std::size_t>(k) - 2];
      q = (4 * before - earlier).head<2>() / 3 + 2 * h / 3 * v;
      a = (3 * now - 4 * before + earlier).segment<2>(2) / (2 * h);
    }
    EXPECT_LT((now.head<2>() - q).norm(), 1e-15) << k;
    const auto at = kPendulum.dense(integrator->time(), now);
    const Eigen::VectorXd lambda = Eigen::VectorXd::Constant(1, integrator->multipliers()[0]);
    // Round-off 1e-16 of positions over h^2.
    EXPECT_LT((1.3 * a - at.force - at.phi_q.transpose() * lambda).norm(), 1e-11) << k;
    EXPECT_LT(at.phi.norm(), 1e-15) << k;
  }
}

TEST(Bdf2, IsOfSecondOrderInThePlane) {
  const Index3Case problem = pendulumCase();
  const Index3Errors a = problem.runFixed("bdf2", 400);
  const Index3Errors b = problem.runFixed("bdf2", 800);
  EXPECT_NEAR(a.q / b.q, 4, 0.3);
  EXPECT_NEAR(a.v / b.v, 4, 0.3);
  EXPECT_NEAR(a.last_lambda / b.last_lambda, 4, 0.3);
}

TEST(Bdf2, IsOfSecondOrderInSpace) {
  // The pose only: the errors of the rates, some of which pass zero at the end, need shorter steps to show their order.
  const Index3Case problem = topCase();
  EXPECT_NEAR(problem.runFixed("bdf2", 400).q / problem.runFixed("bdf2", 800).q, 4, 0.3);
}

TEST(Bdf2, TheShorterLastStepCostsNoAccuracyOfPositionsAndVelocities) {
  const Index3Case problem = pendulumCase();
  IntegratorOptions options;
  options.step = 1.0 / 400.4;  // the last step is 0.4 of the others
  const Index3Errors cut = problem.run("bdf2", options);
  const Index3Errors whole = problem.runFixed("bdf2", 400);
  EXPECT_EQ(cut.counts.accepted, 401);
  EXPECT_NEAR(cut.q / whole.q, 1, 0.1);
  EXPECT_NEAR(cut.v / whole.v, 1, 0.2);
}

TEST(Bdf2, BeginsAgainAfterAnEvent) {
  const Index3Case problem = pendulumCase();
  IntegratorOptions options;
  options.step = 0.005;
  const auto integrator = makeIntegrator("bdf2", problem.ode(), options);
  ASSERT_EQ(integrator->begin(0, problem.start(), 1), StepStatus::ok);
  for (int k = 0; k < 50; ++k) ASSERT_EQ(integrator->step(), StepStatus::ok);
  std::vector<double> x(problem.start().size());
  const double t = integrator->previousTime() + 0.002;
  integrator->interpolate(t, x);
  StepStatus status = integrator->resumeAt(t, x);
  while (status == StepStatus::ok) status = integrator->step();
  ASSERT_EQ(status, StepStatus::finished) << integrator->failure();
  Index3Errors errors;
  problem.compare(integrator->state(), errors);
  EXPECT_LT(errors.q, 4 * problem.runFixed("bdf2", 200).q);
}

}  // namespace bdf2_test
}  // namespace linkwork
