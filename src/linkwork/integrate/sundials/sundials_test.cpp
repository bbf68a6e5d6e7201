// CVODE, ARKODE and IDA: accuracy, stiffness, projection, dense output, restarts, failures.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linkwork/integrate/dop853.hpp"
#include "linkwork/integrate/sundials/library.hpp"
#include "linkwork/integrate/sundials/make_sundials.hpp"
#include "linkwork/integrate/systems_for_tests.hpp"
#include "linkwork/system/mechanical_dae.hpp"
#include "linkwork/system/mechanical_systems_for_tests.hpp"

namespace linkwork {
namespace sundials_test {

using namespace testing_systems;
using ::testing::HasSubstr;

IntegratorOptions tolerance(double rtol) {
  IntegratorOptions options;
  options.rtol = options.atol = rtol;
  return options;
}

class StiffMethods : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Integrator> make(const OdeSystem& system, double rtol) const {
    return makeIntegrator(GetParam(), system, tolerance(rtol));
  }
};

INSTANTIATE_TEST_SUITE_P(Sundials, StiffMethods, ::testing::Values("cvode", "arkode"),
                         [](const auto& test) { return test.param; });

TEST_P(StiffMethods, ErrorFollowsTheToleranceAtTheEndsAndBetween) {
  const LambdaSystem system = oscillator();
  for (const double rtol : {1e-5, 1e-8}) {
    const auto integrator = make(system, rtol);
    integrator->begin(0, kOscillatorStart, 10);
    double ends = 0;
    double between = 0;
    double work = 0;  // the quadrature, of which no error control takes notice
    std::vector<double> x(3);
    const auto motionError = [](double t, ConstValues at) {
      return std::max(std::abs(at[0] - std::cos(t)), std::abs(at[1] + std::sin(t)));
    };
    StepStatus status = StepStatus::ok;
    while (status == StepStatus::ok) {
      status = integrator->step();
      ends = std::max(ends, motionError(integrator->time(), integrator->state()));
      work = std::max(work, oscillatorError(integrator->time(), integrator->state()));
      const double t = integrator->previousTime() + 0.4 * (integrator->time() - integrator->previousTime());
      integrator->interpolate(t, x);
      between = std::max(between, motionError(t, x));
    }
    RecordProperty(fmt::format("ends_over_rtol_{:g}", rtol), fmt::format("{:.3g}", ends / rtol));
    RecordProperty(fmt::format("between_over_rtol_{:g}", rtol), fmt::format("{:.3g}", between / rtol));
    RecordProperty(fmt::format("work_over_rtol_{:g}", rtol), fmt::format("{:.3g}", work / rtol));
    RecordProperty(fmt::format("steps_{:g}", rtol), std::to_string(integrator->counts().accepted));
    EXPECT_LT(ends, 600 * rtol);  // errors add up over the oscillations
    EXPECT_LT(between, 1000 * rtol);
    EXPECT_LT(work, 3000 * rtol);
  }
}

// x' = -1e6 (x - cos t) - sin t with x = cos t: explicit steps would have to stay below 3e-6 s, 3e6 of them.
TEST_P(StiffMethods, TakesLongStepsWhereTheEquationsAreStiff) {
  const LambdaSystem system(StateSpace::firstOrder(1), [](double t, ConstValues x, Values f) {
    f[0] = -1e6 * (x[0] - std::cos(t)) - std::sin(t);
    return Eval::ok;
  });
  const auto integrator = make(system, 1e-7);
  integrator->begin(0, std::vector<double>{1}, 10);
  EXPECT_EQ(runToEnd(*integrator), StepStatus::finished);
  EXPECT_NEAR(integrator->state()[0], std::cos(10.0), 1e-6);
  EXPECT_LT(integrator->counts().accepted, 2000);
}

// A pendulum on a circle with projection of positions and velocities inside the step, against the eighth order.
LambdaSystem pendulumOnCircle() {
  return {StateSpace(2, 2, 0), [](double, ConstValues x, Values f) {
            const double lambda = -(x[2] * x[2] + x[3] * x[3] - 9.81 * x[1]) / (x[0] * x[0] + x[1] * x[1]);
            f[0] = x[2];
            f[1] = x[3];
            f[2] = lambda * x[0];
            f[3] = lambda * x[1] - 9.81;
            return Eval::ok;
          }};
}
AfterStep ontoCircle(double, Values x) {
  const double r = std::hypot(x[0], x[1]);
  x[0] /= r;
  x[1] /= r;
  const double along = x[0] * x[2] + x[1] * x[3];
  x[2] -= along * x[0];
  x[3] -= along * x[1];
  return AfterStep{Eval::ok, true};
}

TEST_P(StiffMethods, ProjectsInsideOfItsSteps) {
  LambdaSystem system = pendulumOnCircle();
  system.after(ontoCircle);
  const std::vector<double> x0{1, 0, 0, 0};
  Dop853 reference(system, tolerance(1e-12));
  reference.begin(0, x0, 3);
  runToEnd(reference);
  const auto integrator = make(system, 1e-8);
  integrator->begin(0, x0, 3);
  StepStatus status = StepStatus::ok;
  std::vector<double> x(4);
  while (status == StepStatus::ok) {
    status = integrator->step();
    EXPECT_NEAR(std::hypot(integrator->state()[0], integrator->state()[1]), 1, 3e-16);
    integrator->interpolate(0.5 * (integrator->previousTime() + integrator->time()), x);
    EXPECT_NEAR(std::hypot(x[0], x[1]), 1, 1e-6);
  }
  EXPECT_EQ(status, StepStatus::finished);
  EXPECT_EQ(integrator->counts().state_changes, integrator->counts().accepted);
  const double error = distance(integrator->state(), reference.state());
  RecordProperty("error_over_rtol", fmt::format("{:.3g}", error / 1e-8));
  EXPECT_LT(error, 3e-6);
}

TEST_P(StiffMethods, QuadraturesDoNotTouchTheSteps) {
  const LambdaSystem plain = decay();
  const LambdaSystem wild(StateSpace(1, 0, 1), [](double t, ConstValues x, Values f) {
    f[0] = -x[0];
    f[1] = 1e6 * std::sin(1e5 * t);
    return Eval::ok;
  });
  const auto a = make(plain, 1e-7);
  const auto b = make(wild, 1e-7);
  a->begin(0, std::vector<double>{1}, 3);
  b->begin(0, std::vector<double>{1, 0}, 3);
  StepStatus status = StepStatus::ok;
  while (status == StepStatus::ok) {
    status = a->step();
    ASSERT_EQ(b->step(), status);
    ASSERT_EQ(a->time(), b->time());
  }
}

// A wheel that turns once a second, and an angle that may be told less whole turns. Where it is not, its relative
// tolerance covers ever more of a turn.
TEST_P(StiffMethods, StatesSmallerNumbersBeforeTheToleranceIsLost) {
  constexpr double kTurn = 6.283185307179586;
  const auto turning = [](double /*t*/, ConstValues x, Values f) {
    f[0] = kTurn;
    f[1] = std::cos(x[0]);
    return Eval::ok;
  };
  const LambdaSystem plain(StateSpace(2, 0, 0), turning);
  LambdaSystem wheel(StateSpace(2, 0, 0), turning);
  wheel.restated([](Values x) { x[0] = std::remainder(x[0], kTurn); });
  const auto run = [&](const LambdaSystem& system, double& largest) {
    const auto integrator = make(system, 1e-6);
    integrator->begin(0, std::vector<double>{0, 0}, 400.25);
    StepStatus status = StepStatus::ok;
    while (status == StepStatus::ok) {
      status = integrator->step();
      largest = std::max(largest, std::abs(integrator->state()[0]));
    }
    EXPECT_EQ(status, StepStatus::finished) << integrator->failure();
    EXPECT_EQ(integrator->time(), 400.25);
    return integrator->counts().accepted;
  };
  double left_alone = 0;
  double restated = 0;
  const long steps = run(plain, left_alone);
  const long more = run(wheel, restated);
  RecordProperty("steps", fmt::format("{} restated, {} left alone", more, steps));
  EXPECT_GT(left_alone, 2500);
  // Ten times half a turn, and what a hundred steps add.
  EXPECT_LT(restated, GetParam() == "cvode" ? 120 : 12);
  // A turn takes some forty steps; of every start anew, at most all hundred steps, cvode has to repeat a part.
  EXPECT_LT(more, 2 * steps);
}

// Whatever was before: a run that begins anew at (t, x) is the one that another integrator begins there.
TEST_P(StiffMethods, BeginsAnewFromTimeAndStateAlone) {
  LambdaSystem system = pendulumOnCircle();
  system.after(ontoCircle);
  const auto first = make(system, 1e-7);
  first->begin(0, std::vector<double>{1, 0, 0, 0}, 1);
  runToEnd(*first);
  const std::vector<double> middle(first->state().begin(), first->state().end());
  first->continueTo(2);
  const auto second = make(system, 1e-7);
  second->begin(0, std::vector<double>{0, 1, 2, 0}, 1);  // another past
  runToEnd(*second);
  second->resumeAt(1, middle);
  second->continueTo(2);
  StepStatus status = StepStatus::ok;
  while (status == StepStatus::ok) {
    status = first->step();
    ASSERT_EQ(second->step(), status);
    ASSERT_EQ(first->time(), second->time());
    ASSERT_EQ(distance(first->state(), second->state()), 0);
  }
}

TEST_P(StiffMethods, SaysThatTheToleranceIsBeyondRoundOffOrUnderflows) {
  const LambdaSystem system = timeOnly([](double t) { return t < 0.5 ? 0 : 1e12; });
  const auto integrator = make(system, 1e-10);
  integrator->begin(0, std::vector<double>{0}, 1);
  EXPECT_EQ(runToEnd(*integrator), StepStatus::underflow);
  EXPECT_NEAR(integrator->time(), 0.5, 1e-9);
  EXPECT_THAT(integrator->failure(), HasSubstr("the error stays above the tolerance however small the step"));
}

TEST(NewtonMatrix, SolvesDenseAndSparseAlikeAndTellsASingularOne) {
  const sundials::Context context;
  for (const Eigen::Index n : {5, 200}) {
    // Rows of very different sizes, as constraints have.
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const double size = std::pow(10, static_cast<double>(i % 7) - 3);
      a(i, (i + 1) % n) = 3 * size;
      a(i, i) = 1 * size;
      a(i, (i + 3) % n) = -size;
    }
    Eigen::VectorXd x(n);
    for (Eigen::Index i = 0; i < n; ++i) x[i] = std::sin(static_cast<double>(i));
    const Eigen::VectorXd b = a * x;
    sundials::NewtonMatrix newton(context, n);
    newton.setSparse(a.sparseView());
    ASSERT_TRUE(newton.factor());
    Eigen::VectorXd found(n);
    newton.solve({b.data(), static_cast<std::size_t>(n)}, {found.data(), static_cast<std::size_t>(n)});
    EXPECT_LT((found - x).cwiseAbs().maxCoeff(), 1e-12);
    a.row(2).setZero();
    newton.setSparse(a.sparseView());
    EXPECT_FALSE(newton.factor());
  }
}

struct Constrained {
  Constrained(const SmallMechanical& mechanical, DaeKind kind)
      : plain(mechanical), dae(mechanical, plain, kind), ode(mechanical) {
    ode.offer(dae);
  }
  SmallMechanicalOde plain;
  MechanicalDae dae;
  SmallMechanicalOde ode;
};

class IdaKinds : public ::testing::TestWithParam<DaeKind> {};
INSTANTIATE_TEST_SUITE_P(Sundials, IdaKinds, ::testing::Values(DaeKind::index3, DaeKind::ggl),
                         [](const auto& test) { return std::string(test.param == DaeKind::ggl ? "ggl" : "index3"); });

TEST_P(IdaKinds, FollowsThePendulumWithAMovingPivotAndTheTop) {
  const CartesianPendulum pendulum({1.3, 0.7, 9.81, 0.4, 0.1, 5.0});
  const HeavyTop top;
  struct Case {
    const SmallMechanical& mechanical;
    std::vector<double> x0;
    double t_end;
  };
  for (const Case& c :
       {Case{pendulum, pendulum.start(1.0, 0.5), 2.0}, Case{top, top.start(0.6, {0.3, -0.4, 20.0}), 0.5}}) {
    const Constrained made(c.mechanical, GetParam());
    Dop853 reference(made.plain, tolerance(1e-12));
    reference.begin(0, c.x0, c.t_end);
    ASSERT_EQ(runToEnd(reference), StepStatus::finished);
    std::vector<double> errors;
    for (const double rtol : {1e-5, 1e-7}) {
      const auto integrator = makeIntegrator("ida", made.ode, tolerance(rtol));
      ASSERT_EQ(integrator->begin(0, c.x0, c.t_end), StepStatus::ok) << integrator->failure();
      ASSERT_EQ(runToEnd(*integrator), StepStatus::finished) << integrator->failure();
      const auto n = static_cast<std::size_t>(c.mechanical.space().controlled());
      errors.push_back(distance(integrator->state().first(n), reference.state().first(n)));
      // With index 3 velocities are weighed by the step: they are the worse the shorter it is.
      EXPECT_LT(errors.back(), (GetParam() == DaeKind::ggl ? 3000 : 10000) * rtol);
      const std::size_t tag = errors.size() + (n > 4 ? 2 : 0);
      RecordProperty(fmt::format("error_{}", tag), fmt::format("{:.2e}", errors.back()));
      RecordProperty(fmt::format("steps_{}", tag), std::to_string(integrator->counts().accepted));
      // Multipliers against those of index 1 at the same state; with index 3 they are worse.
      const Eigen::VectorXd state = Eigen::Map<const Eigen::VectorXd>(
          integrator->state().data(), static_cast<Eigen::Index>(integrator->state().size()));
      const Eigen::VectorXd lambda = c.mechanical.indexOne(c.t_end, state).tail(c.mechanical.rows());
      ASSERT_EQ(integrator->multipliers().size(), static_cast<std::size_t>(c.mechanical.rows()));
      for (Eigen::Index r = 0; r < lambda.size(); ++r)
        EXPECT_NEAR(integrator->multipliers()[static_cast<std::size_t>(r)], lambda[r],
                    (GetParam() == DaeKind::ggl ? 0.02 : 0.3) * lambda.cwiseAbs().maxCoeff());
    }
    EXPECT_LT(errors[1], errors[0]);
  }
}

TEST_P(IdaKinds, InterpolatesAndBeginsAnewFromTimeAndStateAlone) {
  const CartesianPendulum pendulum;
  const Constrained made(pendulum, GetParam());
  const auto first = makeIntegrator("ida", made.ode, tolerance(1e-6));
  const auto second = makeIntegrator("ida", made.ode, tolerance(1e-6));
  first->begin(0, pendulum.start(1.0, 0.0), 0.5);
  std::vector<double> x(5);
  StepStatus status = StepStatus::ok;
  while (status == StepStatus::ok) {
    status = first->step();
    first->interpolate(0.5 * (first->previousTime() + first->time()), x);
    EXPECT_NEAR(std::hypot(x[0], x[1]), 1, 1e-4);
  }
  std::copy(first->state().begin(), first->state().end(), x.begin());
  first->continueTo(1);
  second->begin(0.5, x, 1);
  status = StepStatus::ok;
  while (status == StepStatus::ok) {
    status = first->step();
    ASSERT_EQ(second->step(), status);
    ASSERT_EQ(distance(first->state(), second->state()), 0);
  }
  EXPECT_EQ(status, StepStatus::finished);
}

}  // namespace sundials_test
}  // namespace linkwork
