// Orders of generalized-alpha with equal, changing and chosen steps, its damping, its failures.
#include "linkwork/integrate/generalized_alpha.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/system/mechanical_systems_for_tests.hpp"

namespace linkwork {
namespace {

using namespace testing_systems;

struct Errors {
  double q = 0;
  double v = 0;
  double w = 0;
  double lambda = 0;
};

TEST(GeneralizedAlpha, Explore) {
  const CartesianPendulum pendulum({1.3, 0.7, 9.81, 0.4, 0.1, 5.0});
  const HeavyTop top;
  for (int which = 0; which < 2; ++which) {
    const SmallMechanical& mech = which == 0 ? static_cast<const SmallMechanical&>(pendulum) : top;
    const std::vector<double> x0 = which == 0 ? pendulum.start(1.0, 0.5) : top.start(0.6, {0.3, -0.4, 20.0});
    SmallMechanicalOde ode(mech);
    ode.offerMechanical();
    IntegratorOptions o;
    o.rtol = 1e-13; o.atol = 1e-14;
    const double t_end = 1.0;
    auto ref = makeIntegrator("dopri5", ode, o);
    ref->begin(0, x0, t_end);
    while (ref->step() == StepStatus::ok) {}
    const int n = mech.space().velocities();
    const int nq = mech.space().positions();
    auto sol = [&](std::span<const double> x, double t) {
      Eigen::VectorXd xv = Eigen::Map<const Eigen::VectorXd>(x.data(), mech.space().size());
      return Eigen::VectorXd(mech.indexOne(t, xv).tail(mech.rows()));
    };
    Eigen::VectorXd lref = sol(ref->state(), t_end);
    for (const char* name : {"generalized_alpha", "bdf2"}) for (double rho : {0.8, 0.2, 1.0}) {
      double before[4] = {};
      for (int steps : {50, 100, 200, 400}) {
        IntegratorOptions p; p.step = t_end / steps; p.rho = rho;
        auto it = makeIntegrator(name, ode, p);
        StepStatus s = it->begin(0, x0, t_end);
        double lworst = 0;
        while (s == StepStatus::ok) {
          s = it->step();
          if (s!=StepStatus::ok && s!=StepStatus::finished) break;
          Eigen::VectorXd l = sol(it->state(), it->time());
          for (int i = 0; i < mech.rows(); ++i) lworst = std::max(lworst, std::abs(l[i] - it->multipliers()[static_cast<size_t>(i)]));
        }
        if (s != StepStatus::finished) { printf("%s\n", it->failure().c_str()); continue; }
        double e[4] = {};
        for (int i = 0; i < mech.space().size(); ++i) {
          double d = std::abs(it->state()[static_cast<size_t>(i)] - ref->state()[static_cast<size_t>(i)]);
          double& w = i < nq ? e[0] : i < nq + n ? e[1] : e[2];
          w = std::max(w, d);
        }
        for (int i = 0; i < mech.rows(); ++i) e[3] = std::max(e[3], std::abs(it->multipliers()[static_cast<size_t>(i)] - lref[i]));
        printf("%d %s rho %.1f n %4d: q %.2e (%.2f) v %.2e (%.2f) w %.2e (%.2f) lam %.2e (%.2f) worst vs index1 %.2e  evals %ld\n", which, name, rho, steps, e[0], before[0]/e[0], e[1], before[1]/e[1], e[2], before[2]/e[2], e[3], before[3]/e[3], lworst, it->counts().evaluations);
        std::copy(e, e+4, before);
      }
      if (std::string(name) == "bdf2") break;
    }
    for (double rtol : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
        IntegratorOptions p; p.rtol = rtol; p.atol = rtol;
        auto it = makeIntegrator("generalized_alpha", ode, p);
        StepStatus s = it->begin(0, x0, t_end);
        double lworst = 0;
        while (s == StepStatus::ok) {
          s = it->step();
          if (s!=StepStatus::ok && s!=StepStatus::finished) break;
          Eigen::VectorXd l = sol(it->state(), it->time());
          for (int i = 0; i < mech.rows(); ++i) lworst = std::max(lworst, std::abs(l[i] - it->multipliers()[static_cast<size_t>(i)]));
        }
        if (s != StepStatus::finished) { printf("%s\n", it->failure().c_str()); continue; }
        double e[4] = {};
        for (int i = 0; i < mech.space().size(); ++i) {
          double d = std::abs(it->state()[static_cast<size_t>(i)] - ref->state()[static_cast<size_t>(i)]);
          double& w = i < nq ? e[0] : i < nq + n ? e[1] : e[2];
          w = std::max(w, d);
        }
        for (int i = 0; i < mech.rows(); ++i) e[3] = std::max(e[3], std::abs(it->multipliers()[static_cast<size_t>(i)] - lref[i]));
        printf("%d rtol %.0e: q %.2e v %.2e w %.2e lam %.2e worst vs index1 %.2e  steps %ld rej %ld evals %ld\n", which, rtol, e[0], e[1], e[2], e[3], lworst, it->counts().accepted, it->counts().rejected, it->counts().evaluations);
    }
  }
}

}  // namespace
}  // namespace linkwork
