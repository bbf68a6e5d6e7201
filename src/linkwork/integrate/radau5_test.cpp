#include "linkwork/integrate/radau5.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "linkwork/integrate/events.hpp"
#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/integrate/systems_for_tests.hpp"
#include "linkwork/system/mechanical_dae.hpp"
#include "linkwork/system/mechanical_systems_for_tests.hpp"

namespace linkwork {
namespace radau5_test {

using namespace testing_systems;

StepStatus run(Integrator& integrator, double t0, const std::vector<double>& x0, double t_end) {
  StepStatus status = integrator.begin(t0, x0, t_end);
  while (status == StepStatus::ok) status = integrator.step();
  return status;
}

// sn(u, k) by the arithmetic-geometric mean.
double jacobiSn(double u, double k) {
  double a[16] = {1.0}, c[16] = {k};
  double b = std::sqrt(1 - k * k);
  int n = 0;
  while (c[n] > 1e-16 && n < 14) {
    a[n + 1] = 0.5 * (a[n] + b);
    c[n + 1] = 0.5 * (a[n] - b);
    b = std::sqrt(a[n] * b);
    ++n;
  }
  double phi = std::ldexp(a[n] * u, n);
  for (; n > 0; --n) phi = 0.5 * (phi + std::asin(c[n] / a[n] * std::sin(phi)));
  return std::sin(phi);
}

// A mathematical pendulum of length 1 let go at the angle `start`: sin(angle/2) = k sn(K - w t), k = sin(start/2).
struct ClosedFormPendulum {
  explicit ClosedFormPendulum(double start) : k(std::sin(0.5 * start)), quarter(std::comp_ellint_1(k)) {}
  double k, quarter;
  double omega = std::sqrt(9.81);
  double angle(double t) const { return 2 * std::asin(k * jacobiSn(quarter - omega * t, k)); }
  double timeOfLowestPoint() const { return quarter / omega; }
  // rate^2 = 2 g (cos angle - cos start); falling until the lowest point
  double rate(double t, double start) const {
    return -std::sqrt(2 * 9.81 * std::max(0.0, std::cos(angle(t)) - std::cos(start)));
  }
};

// A small mechanical system as a DAE, offered by its OdeSystem.
struct DirectSystem {
  DirectSystem(const SmallMechanical& mechanical, DaeKind kind) : ode(mechanical), dae(mechanical, ode, kind) {
    ode.offer(dae);
  }
  SmallMechanicalOde ode;
  MechanicalDae dae;
};

// With a Newton iteration to round-off, wide tolerances and steps held at h.
double orderOf(const std::function<double(double)>& error_at, double h) {
  return std::log2(error_at(h) / error_at(0.5 * h));
}
IntegratorOptions heldAt(double h) {
  // The hair more lets the last step make good what round-off of the others leaves.
  return {.rtol = 1e-2, .atol = 1e-2, .max_step = (1 + 1e-9) * h, .initial_step = h};
}

TEST(Radau5, IsOfOrderFiveOnASmoothProblem) {
  const auto system = kepler();
  const auto error = [&](double h) {
    Radau5 radau(system, heldAt(h), 1e-11);
    EXPECT_EQ(run(radau, 0, keplerStart(0.3), 2.0), StepStatus::finished);
    const auto exact = keplerState(0.3, 2.0);
    return std::hypot(radau.state()[0] - exact[0], radau.state()[1] - exact[1]);
  };
  EXPECT_NEAR(orderOf(error, 0.05), 5.0, 0.25);
}

TEST(Radau5, HasTheKnownOrdersOnConstraintsOfIndexTwoAndThree) {
  const CartesianPendulum pendulum;
  const ClosedFormPendulum exact(1.2);
  const double t = 0.4;
  enum Part { position, velocity, multiplier };
  const auto order = [&](DaeKind kind, Part part) {
    const DirectSystem direct(pendulum, kind);
    return orderOf(
        [&](double h) {
          Radau5 radau(direct.ode, heldAt(h), 1e-11);
          EXPECT_EQ(run(radau, 0, pendulum.start(1.2, 0), t), StepStatus::finished);
          EXPECT_EQ(radau.counts().accepted, std::lround(t / h));
          EXPECT_EQ(radau.counts().rejected, 0);
          const std::vector<double> x = pendulum.start(exact.angle(t), exact.rate(t, 1.2));
          const auto got = radau.state();
          if (part == position) return std::hypot(got[0] - x[0], got[1] - x[1]);
          if (part == velocity) return std::hypot(got[2] - x[2], got[3] - x[3]);
          const Eigen::VectorXd state = Eigen::Map<const Eigen::VectorXd>(x.data(), 5);
          return std::abs(radau.multipliers()[0] - pendulum.indexOne(t, state)[2]);
        },
        0.02);
  };
  // Hairer, Lubich & Roche (1989), Jay (1993): 2s - 1 and s for index 2; 2s - 1, s and s - 1 for index 3, with s = 3.
  EXPECT_NEAR(order(DaeKind::ggl, position), 5, 0.4);
  EXPECT_NEAR(order(DaeKind::ggl, velocity), 5, 0.4);
  EXPECT_NEAR(order(DaeKind::ggl, multiplier), 3, 0.4);
  EXPECT_GT(order(DaeKind::index3, position), 4);  // on its way to the limit
  EXPECT_NEAR(order(DaeKind::index3, velocity), 3, 0.4);
  EXPECT_NEAR(order(DaeKind::index3, multiplier), 2, 0.4);
}

TEST(Radau5, KeepsToTheToleranceDownToTheTightest) {
  const auto system = kepler();
  for (const double tol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    Radau5 radau(system, {.rtol = tol, .atol = tol});
    ASSERT_EQ(run(radau, 0, keplerStart(0.3), 6.0), StepStatus::finished) << radau.failure();
    const auto exact = keplerState(0.3, 6.0);
    // An orbit stretches errors by about its length times steps: some ten at the loose end, below a hundred at the
    // other.
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(radau.state()[i], exact[i], 100 * tol) << tol;
  }
}

TEST(Radau5, SolvesVanDerPolWithOneMillionthAsTheTestSetDoes) {
  LambdaSystem system(StateSpace::firstOrder(2), [](double, ConstValues x, Values f) {
    f[0] = x[1];
    f[1] = ((1 - x[0] * x[0]) * x[1] - x[0]) / 1e-6;
    return Eval::ok;
  });
  Radau5 radau(system, {.rtol = 1e-9, .atol = 1e-9});
  ASSERT_EQ(run(radau, 0, {2, 0}, 2), StepStatus::finished) << radau.failure();
  // Test set for IVP solvers, problem vdpol. The jump at t = 0.8 multiplies errors by some tens.
  EXPECT_NEAR(radau.state()[0], 0.1706167732170483e1, 1e-8);
  EXPECT_NEAR(radau.state()[1], -0.8928097010247975, 1e-8);
  EXPECT_LT(radau.counts().accepted, 3000);  // an explicit method takes two million
}

TEST(Radau5, FollowsASmoothSolutionOfAStiffEquationWithFewSteps) {
  // Prothero & Robinson: x' = -1e6 (x - sin t) + cos t
  LambdaSystem system(StateSpace::firstOrder(1), [](double t, ConstValues x, Values f) {
    f[0] = -1e6 * (x[0] - std::sin(t)) + std::cos(t);
    return Eval::ok;
  });
  Radau5 radau(system, {.rtol = 1e-8, .atol = 1e-8});
  StepStatus status = radau.begin(0, std::vector<double>{0}, 10);
  double worst = 0;
  while (status == StepStatus::ok) {
    status = radau.step();
    ASSERT_TRUE(status == StepStatus::ok || status == StepStatus::finished) << radau.failure();
    worst = std::max(worst, std::abs(radau.state()[0] - std::sin(radau.time())));
  }
  // A stiff part sees the raised tolerance 0.1 tol^(2/3) itself.
  EXPECT_LT(worst, 1e-6);
  EXPECT_LT(radau.counts().accepted, 500);
}

TEST(Radau5, PendulumAgreesWithEllipticFunctionsUnderBothForms) {
  const CartesianPendulum pendulum;
  const ClosedFormPendulum exact(2.0);
  for (const auto& [kind, rtol, tolerance] :
       {std::tuple{DaeKind::ggl, 1e-10, 2e-9}, {DaeKind::ggl, 1e-12, 2e-11}, {DaeKind::index3, 1e-8, 1e-7}}) {
    const DirectSystem direct(pendulum, kind);
    Radau5 radau(direct.ode, {.rtol = rtol, .atol = rtol});
    ASSERT_EQ(run(radau, 0, pendulum.start(2.0, 0), 2.0), StepStatus::finished) << radau.failure();
    EXPECT_NEAR(std::atan2(radau.state()[0], -radau.state()[1]), exact.angle(2.0), tolerance);
  }
}

TEST(Radau5, Index3DriftsInVelocitiesAndGglDoesNot) {
  const CartesianPendulum pendulum;
  const auto drift = [&](DaeKind kind) {
    const DirectSystem direct(pendulum, kind);
    Radau5 radau(direct.ode, {.rtol = 1e-8, .atol = 1e-8});
    StepStatus status = radau.begin(0, pendulum.start(2.0, 0), 2.0);
    std::array<double, 2> worst{};
    while (status == StepStatus::ok) {
      status = radau.step();
      const auto x = radau.state();
      worst[0] = std::max(worst[0], std::abs(0.5 * (x[0] * x[0] + x[1] * x[1] - 1)));
      worst[1] = std::max(worst[1], std::abs(x[0] * x[2] + x[1] * x[3]));
    }
    EXPECT_EQ(status, StepStatus::finished) << radau.failure();
    return worst;
  };
  const auto third = drift(DaeKind::index3);
  const auto second = drift(DaeKind::ggl);
  EXPECT_LT(third[0], 1e-9);
  EXPECT_LT(second[0], 1e-7);
  EXPECT_LT(second[1], 1e-7);
  EXPECT_LT(third[1], 1e-4);
  EXPECT_GT(third[1], 10 * second[1]);  // nothing holds the velocities but the positions
}

TEST(Radau5, TopKeepsItsInvariantsAndItsQuaternionUnitLength) {
  const HeavyTop top;
  const std::vector<double> x0 = top.start(0.6, {0.3, -0.4, 20.0});
  const Eigen::VectorXd before = Eigen::Map<const Eigen::VectorXd>(x0.data(), 14);
  const SmallMechanicalOde plain(top);
  const auto other = makeIntegrator("dopri5", plain, {.rtol = 1e-12, .atol = 1e-12});
  ASSERT_EQ(run(*other, 0, x0, 0.5), StepStatus::finished);
  for (const DaeKind kind : {DaeKind::ggl, DaeKind::index3}) {
    const DirectSystem direct(top, kind);
    Radau5 radau(direct.ode, {.rtol = 1e-8, .atol = 1e-8});
    ASSERT_EQ(run(radau, 0, x0, 0.5), StepStatus::finished) << radau.failure();
    const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(radau.state().data(), 14);
    // 20 rad/s for half a second: local errors of 1e-8 add up over some hundred steps.
    EXPECT_NEAR(top.kinetic(x) - x[13], top.kinetic(before), 2e-6);
    EXPECT_NEAR(top.momentum(x).z(), top.momentum(before).z(), 1e-6);
    EXPECT_NEAR(x.segment<4>(3).norm(), 1.0, 1e-15);
    for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR(radau.state()[k], other->state()[k], 5e-7);
  }
}

TEST(Radau5, DrivenPivotIsFollowedWithTheWorkItSupplies) {
  const CartesianPendulum pendulum({1.3, 0.7, 9.81, 0.4, 0.1, 12.0});
  const std::vector<double> x0 = pendulum.start(0.5, 0.0);
  const SmallMechanicalOde plain(pendulum);
  const auto other = makeIntegrator("dopri5", plain, {.rtol = 1e-12, .atol = 1e-12});
  ASSERT_EQ(run(*other, 0, x0, 2.0), StepStatus::finished);
  for (const DaeKind kind : {DaeKind::ggl, DaeKind::index3}) {
    const DirectSystem direct(pendulum, kind);
    Radau5 radau(direct.ode, {.rtol = 1e-9, .atol = 1e-9});
    ASSERT_EQ(run(radau, 0, x0, 2.0), StepStatus::finished) << radau.failure();
    const double slack =
        kind == DaeKind::ggl ? 1e-7 : 1e-5;  // index 3: work by multipliers and velocities of low order
    for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(radau.state()[k], other->state()[k], slack) << k;
  }
}

TEST(Radau5, InterpolatesAsAccuratelyAsItSteps) {
  const auto system = kepler();
  Radau5 radau(system, {.rtol = 1e-9, .atol = 1e-9});
  StepStatus status = radau.begin(0, keplerStart(0.3), 6.0);
  double between = 0;
  double at_ends = 0;
  std::vector<double> x(4);
  while (status == StepStatus::ok) {
    status = radau.step();
    for (const double share : {0.2, 0.4, 0.8, 1.0}) {
      const double t = share == 1.0 ? radau.time() : radau.previousTime() + share * radau.lastStep();
      radau.interpolate(t, x);
      const auto exact = keplerState(0.3, t);
      double& worst = share == 1.0 ? at_ends : between;
      for (std::size_t i = 0; i < 4; ++i) worst = std::max(worst, std::abs(x[i] - exact[i]));
    }
  }
  EXPECT_LT(between, 1.5 * at_ends);
}

TEST(Radau5, FindsEventsOfADirectlyIntegratedPendulum) {
  // x = 0 at the lowest point
  class WithEvent final : public PlainOdeSystem {
   public:
    explicit WithEvent(const OdeSystem& inner) : inner_(inner) {}
    StateSpace space() const override { return inner_.space(); }
    std::unique_ptr<Workspace> makeWorkspace() const override { return inner_.makeWorkspace(); }
    Evaluation derivative(double t, ConstValues x, const Modes& modes, Workspace& work, Values f) const override {
      return inner_.derivative(t, x, modes, work, f);
    }
    const DaeSystem* dae() const override { return inner_.dae(); }
    int eventCount() const override { return 1; }
    Eval eventValues(double, ConstValues x, const Modes&, Workspace&, Values values) const override {
      values[0] = x[0];
      return Eval::ok;
    }

   private:
    const OdeSystem& inner_;
  };
  const CartesianPendulum pendulum;
  const DirectSystem direct(pendulum, DaeKind::ggl);
  const WithEvent system(direct.ode);
  Radau5 radau(system, {.rtol = 1e-10, .atol = 1e-10});
  EventLocator locator(system);
  StepStatus status = radau.begin(0, pendulum.start(2.0, 0), 2.0);
  locator.start(radau);
  EventSearch found = EventSearch::none;
  while (status == StepStatus::ok && found != EventSearch::found) {
    status = radau.step();
    found = locator.find(radau);
  }
  ASSERT_EQ(found, EventSearch::found);
  const double t = locator.events().front().time;
  EXPECT_NEAR(t, ClosedFormPendulum(2.0).timeOfLowestPoint(), 1e-9);
  std::vector<double> x(5);
  radau.interpolate(t, x);
  ASSERT_EQ(radau.resumeAt(t, x), StepStatus::ok);
  while (status == StepStatus::ok) status = radau.step();
  EXPECT_EQ(status, StepStatus::finished) << radau.failure();
  EXPECT_NEAR(std::atan2(radau.state()[0], -radau.state()[1]), ClosedFormPendulum(2.0).angle(2.0), 1e-8);
}

TEST(Radau5, KeepsItsJacobianWhereNewtonConvergesWell) {
  const auto system = oscillator();
  Radau5 radau(system, {.rtol = 1e-8, .atol = 1e-8});
  ASSERT_EQ(run(radau, 0, kOscillatorStart, 20), StepStatus::finished);
  EXPECT_LT(oscillatorError(20, radau.state()), 1e-6);
  EXPECT_GT(radau.counts().accepted, 100);
  EXPECT_LE(radau.jacobians(), 3);  // a linear system has one
  EXPECT_LT(radau.factorisations(), radau.counts().accepted / 2);
  EXPECT_EQ(radau.counts().evaluations, system.calls());
}

TEST(Radau5, ItsOwnMultiplierIsWorseThanThatOfTheIndexOneEquations) {
  const CartesianPendulum pendulum;
  const DirectSystem direct(pendulum, DaeKind::index3);
  Radau5 radau(direct.ode, {.rtol = 1e-8, .atol = 1e-8});
  ASSERT_EQ(run(radau, 0, pendulum.start(1.2, 0), 0.4), StepStatus::finished);
  const ClosedFormPendulum closed(1.2);
  const auto exact_state = pendulum.start(closed.angle(0.4), closed.rate(0.4, 1.2));
  const double exact = pendulum.indexOne(0.4, Eigen::Map<const Eigen::VectorXd>(exact_state.data(), 5))[2];
  const double index_one = pendulum.indexOne(0.4, Eigen::Map<const Eigen::VectorXd>(radau.state().data(), 5))[2];
  ASSERT_EQ(radau.multipliers().size(), 1u);
  EXPECT_NEAR(radau.multipliers()[0], exact, 1e-2);
  EXPECT_GT(std::abs(radau.multipliers()[0] - exact), 10 * std::abs(index_one - exact));
  EXPECT_TRUE(Radau5(oscillator(), {}).multipliers().empty());
}

TEST(Radau5, SaysWhyItCannotGoOn) {
  LambdaSystem jumps(StateSpace::firstOrder(1), [](double t, ConstValues, Values f) {
    f[0] = t < 0.5 ? 1.0 : std::nan("");
    return Eval::ok;
  });
  Radau5 radau(jumps, {});
  EXPECT_EQ(run(radau, 0, {0}, 1), StepStatus::underflow);
  EXPECT_EQ(radau.failure().rfind("t = 0.5 s: the step fell below ", 0), 0u) << radau.failure();
  EXPECT_NE(radau.failure().find("the equations give a value that is not a finite number"), std::string::npos);

  LambdaSystem refuses(StateSpace::firstOrder(1), [](double t, ConstValues, Values f) {
    f[0] = 1.0;
    return t < 0.5 ? Eval::ok : Eval::failed;
  });
  refuses.says("there is no road beyond 0.5");
  Radau5 other(refuses, {});
  EXPECT_EQ(run(other, 0, {0}, 1), StepStatus::failed);
  EXPECT_NE(other.failure().find("there is no road beyond 0.5"), std::string::npos) << other.failure();

  // A finite jump in a steep slope: no step is small enough for the error, or for Newton.
  LambdaSystem blows(StateSpace::firstOrder(1), [](double, ConstValues x, Values f) {
    f[0] = x[0] * x[0];
    return Eval::ok;
  });
  Radau5 third(blows, {});
  EXPECT_EQ(run(third, 0, {1}, 2), StepStatus::underflow);  // infinite at t = 1
  EXPECT_EQ(third.failure().rfind("t = 1 s: the step fell below ", 0), 0u) << third.failure();
}

TEST(Radau5, SaysThatConstraintsDependOnEachOtherAtTheStart) {
  const CartesianPendulum pendulum;
  const DirectSystem direct(pendulum, DaeKind::index3);
  // The index-1 equations are singular there too, so that the start itself is refused.
  Radau5 radau(direct.ode, {});
  EXPECT_EQ(radau.begin(0, std::vector<double>{0, 0, 0, 0, 0}, 1), StepStatus::failed);
  EXPECT_NE(radau.failure().find("cannot"), std::string::npos) << radau.failure();
}

TEST(Radau5, IsRefusedForALargeSystemWithoutSparseMatrices) {
  LambdaSystem large(StateSpace::firstOrder(kMostDenseUnknowns + 1),
                     [](double, ConstValues, Values) { return Eval::ok; });
  EXPECT_EQ(
      integratorProblem("radau5", large, {}),
      "integrator \"radau5\" would fill a matrix of 2001 x 2001 numbers for this system: use the stabilisation ggl "
      "or index3, whose matrices are sparse, or dopri5.");
}

TEST(RadauScheme, TransformationBringsTheInverseToBlockForm) {
  const RadauScheme& scheme = radauScheme();
  Eigen::Matrix3d block;
  block << scheme.gamma, 0, 0, 0, scheme.alpha, scheme.beta, 0, -scheme.beta, scheme.alpha;
  const Eigen::Matrix3d A = (scheme.T * block * scheme.T_inverse).inverse();
  // Collocation: sum_j a_ij c_j^(k-1) = c_i^k / k for k = 1, 2, 3.
  for (int i = 0; i < 3; ++i) {
    for (int k = 1; k <= 3; ++k) {
      double sum = 0;
      for (int j = 0; j < 3; ++j) sum += A(i, j) * std::pow(scheme.c[j], k - 1);
      EXPECT_NEAR(sum, std::pow(scheme.c[i], k) / k, 1e-15);
    }
  }
}

}  // namespace radau5_test
}  // namespace linkwork
