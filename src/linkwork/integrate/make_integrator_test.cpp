#include "linkwork/integrate/make_integrator.hpp"

#include <gtest/gtest.h>

#include "linkwork/base/contract.hpp"
#include "linkwork/integrate/sundials/make_sundials.hpp"
#include "linkwork/integrate/systems_for_tests.hpp"

namespace linkwork {
namespace make_integrator_test {

using namespace testing_systems;

TEST(MakeIntegrator, MakesEveryNameOnTheList) {
  const LambdaSystem system = oscillator();
  IntegratorOptions options;
  options.step = 0.1;
  EXPECT_EQ(integratorNames(),
            (std::vector<std::string>{"dopri5", "ode45", "dop853", "rk4", "explicit_step", "euler", "radau5",
                                      "generalized_alpha", "bdf2", "gauss4", "rattle", "cvode", "arkode", "ida"}));
  EXPECT_GE(plainIntegrators().size(), 7U);
  for (const std::string& name : plainIntegrators()) EXPECT_NE(makeIntegrator(name, system, options), nullptr) << name;
  for (const IntegratorInfo& info : integrators()) {
    const bool plain = integratorProblem(info.name, system, options).empty();
    const bool takes_ode = info.form == EquationForm::ode || info.form == EquationForm::ode_or_dae;
    EXPECT_TRUE(plain ? takes_ode : !takes_ode || !hasSundials()) << info.name;
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
            "integrator \"rk5\" is not known: choose one of dopri5, ode45, dop853, rk4, explicit_step, euler, radau5, "
            "generalized_alpha, bdf2, gauss4, rattle, cvode, arkode, ida.");
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
  EXPECT_EQ(integratorProblem("bdf2", mechanical, options),
            "integrator \"bdf2\" has a fixed step: give step in seconds.");
  EXPECT_EQ(
      integratorProblem("generalized_alpha", mechanical, options),
      "integrator \"generalized_alpha\" takes the constraints themselves, and these equations do not show them: add "
      "--stabilisation index3, or use dopri5.");
  options.step = 0.1;
  EXPECT_EQ(integratorProblem("gauss4", mechanical, options),
            "integrator \"gauss4\" takes coordinates and their impulses, and these equations do not have them: add "
            "--formulation hamiltonian, or use rk4.");
  options = {};
  if (hasSundials()) {
    EXPECT_EQ(integratorProblem("ida", mechanical, options),
              "integrator \"ida\" takes the constraints themselves, and these equations do not show them: add "
              "--stabilisation ggl, or use cvode.");
    const LambdaSystem large(StateSpace::firstOrder(5000), [](double, ConstValues, Values) { return Eval::ok; });
    EXPECT_EQ(
        integratorProblem("cvode", large, options),
        "integrator \"cvode\" forms a dense Jacobian by differences, too large for the 5000 unknowns of this system "
        "(at most 3000): use dopri5 or dop853, or radau5 or ida with stabilisation ggl.");
  } else {
    EXPECT_EQ(
        integratorProblem("cvode", mechanical, options),
        "integrator \"cvode\" comes from the library SUNDIALS, which this build of Linkwork does not have: install "
        "libsundials-dev and build again, or use dopri5, dop853 or radau5.");
  }
  options.rtol = -1;
  EXPECT_EQ(integratorProblem("dopri5", mechanical, options), options.problem());
}

}  // namespace make_integrator_test
}  // namespace linkwork
