// Runs of index-3 methods on small mechanical systems, against Dormand-Prince on the index-1 equations.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/system/mechanical_systems_for_tests.hpp"

namespace linkwork::testing_systems {

struct Index3Errors {
  double q = 0, v = 0, w = 0;  // at the end
  double lambda = 0;           // greatest over all steps, against the index-1 equations at the method's own states
  double last_lambda = 0;      // the same at the end
  StepCounts counts;
};

// A small system, its start and its state at the end.
class Index3Case {
 public:
  Index3Case(const SmallMechanical& system, std::vector<double> start, double t_end)
      : system_(system), ode_(system), start_(std::move(start)), t_end_(t_end) {
    ode_.offerMechanical();
    IntegratorOptions options;
    options.rtol = 1e-13;
    options.atol = 1e-14;
    const auto integrator = makeIntegrator("dopri5", ode_, options);
    StepStatus status = integrator->begin(0, start_, t_end);
    while (status == StepStatus::ok) status = integrator->step();
    EXPECT_EQ(status, StepStatus::finished) << integrator->failure();
    end_.assign(integrator->state().begin(), integrator->state().end());
  }

  const OdeSystem& ode() const { return ode_; }
  const std::vector<double>& start() const { return start_; }

  double multiplierError(double t, std::span<const double> x, std::span<const double> lambda) const {
    const Eigen::VectorXd state = Eigen::Map<const Eigen::VectorXd>(x.data(), system_.space().size());
    const Eigen::VectorXd exact = system_.indexOne(t, state).tail(system_.rows());
    return (exact - Eigen::Map<const Eigen::VectorXd>(lambda.data(), system_.rows())).lpNorm<Eigen::Infinity>();
  }

  Index3Errors run(const std::string& name, const IntegratorOptions& options) const {
    Index3Errors out;
    const auto integrator = makeIntegrator(name, ode_, options);
    StepStatus status = integrator->begin(0, start_, t_end_);
    while (status == StepStatus::ok) {
      status = integrator->step();
      out.last_lambda = multiplierError(integrator->time(), integrator->state(), integrator->multipliers());
      out.lambda = std::max(out.lambda, out.last_lambda);
    }
    EXPECT_EQ(status, StepStatus::finished) << integrator->failure();
    compare(integrator->state(), out);
    out.counts = integrator->counts();
    return out;
  }

  Index3Errors runFixed(const std::string& name, int steps, double rho = 0.8) const {
    IntegratorOptions options;
    options.step = t_end_ / steps;
    options.rho = rho;
    return run(name, options);
  }

  void compare(std::span<const double> x, Index3Errors& out) const {
    const StateSpace space = system_.space();
    for (int i = 0; i < space.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      double& worst = i < space.positions() ? out.q : i < space.controlled() ? out.v : out.w;
      worst = std::max(worst, std::abs(x[at] - end_[at]));
    }
  }

 private:
  const SmallMechanical& system_;
  SmallMechanicalOde ode_;
  std::vector<double> start_, end_;
  double t_end_;
};

// Driven damped pendulum; a top that turns about three times.
inline const CartesianPendulum kPendulum({1.3, 0.7, 9.81, 0.4, 0.1, 5.0});
inline const HeavyTop kTop;
inline Index3Case pendulumCase() { return {kPendulum, kPendulum.start(1.0, 0.5), 1.0}; }
inline Index3Case topCase() { return {kTop, kTop.start(0.6, {0.3, -0.4, 20.0}), 1.0}; }

}  // namespace linkwork::testing_systems
