#include "linkwork/integrate/make_integrator.hpp"

#include <gtest/gtest.h>

#include "linkwork/base/contract.hpp"
#include "linkwork/integrate/systems_for_tests.hpp"

namespace linkwork {
namespace {

using namespace testing_systems;

TEST(MakeIntegrator, MakesEveryNameOnTheList) {
  const LambdaSystem system = oscillator();
  IntegratorOptions options;
  options.step = 0.1;
  EXPECT_EQ(integratorNames(), (std::vector<std::string>{"dopri5", "ode45", "dop853", "rk4", "explicit_step", "euler"}));
  for (const IntegratorInfo& info : integrators()) {
    EXPECT_EQ(integratorProblem(info.name, system, options), "");
    EXPECT_NE(makeIntegrator(info.name, system, options), nullptr);
    EXPECT_FALSE(info.description.empty());
    EXPECT_EQ(info.description.find('\n'), std::string_view::npos);
    EXPECT_EQ(findIntegrator(info.name), &info);
  }
}

TEST(MakeIntegrator, RefusesWithASentenceThatHelps) {
  const LambdaSystem mechanical = oscillator();
  const LambdaSystem first_order = decay();
  IntegratorOptions options;
  EXPECT_EQ(integratorProblem("rk5", mechanical, options),
            "integrator \"rk5\" is not known: choose one of dopri5, ode45, dop853, rk4, explicit_step, euler.");
  EXPECT_EQ(integratorProblem("rk4", mechanical, options),
            "integrator \"rk4\" has a fixed step: give step in seconds.");
  EXPECT_THROW(makeIntegrator("rk4", mechanical, options), ContractError);
  options.step = 0.1;
  EXPECT_EQ(integratorProblem("explicit_step", first_order, options),
            "integrator \"explicit_step\" needs a velocity for every position, but this system has 1 positions and 0 "
            "velocities: use euler.");
  options.time_rule = TimeRule::accumulate_time;
  EXPECT_EQ(integratorProblem("dopri5", mechanical, options),
            "integrator \"dopri5\" chooses its steps and cannot accumulate_time: use a fixed-step method.");
  EXPECT_EQ(integratorProblem("euler", mechanical, options), "");
  options = {};
  options.rtol = -1;
  EXPECT_EQ(integratorProblem("dopri5", mechanical, options), options.problem());
}

}  // namespace
}  // namespace linkwork
