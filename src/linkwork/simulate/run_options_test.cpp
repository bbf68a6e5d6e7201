#include "linkwork/simulate/run_options.hpp"

#include <gtest/gtest.h>

#include <set>

#include "linkwork/codegen/equation_forms.hpp"
#include "linkwork/model/test_mechanisms.hpp"
#include "linkwork/simulate/checkpoint.hpp"

namespace linkwork {
namespace run_options_test {

// Another value than the one there is.
void change(const RunOption& option, RunOptions& options) {
  if (option.isNumber()) {
    option.set(options, option.number(options) + 0.25);
  } else {
    const std::string other =
        option.words.empty() || option.words.back() == option.word(options) ? "other" : option.words.back();
    option.set(options, other);
  }
}

TEST(RunOptionTable, SetsWhatItReads) {
  std::set<std::string_view> names;
  for (const RunOption& option : runOptionTable()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_EQ(findRunOption(option.name), &option);
    RunOptions options;
    const std::string before = option.text(options);
    change(option, options);
    EXPECT_NE(option.text(options), before) << option.name;
    // And nothing else.
    const RunOptions untouched;
    for (const RunOption& other : runOptionTable()) {
      if (&other == &option) continue;
      EXPECT_EQ(other.text(options), other.text(untouched)) << option.name << ' ' << other.name;
    }
  }
}

TEST(RunOptionTable, OwnersAreThere) {
  for (const RunOption& option : runOptionTable()) {
    const std::string_view owner = option.owned_by;
    switch (option.owner) {
      case RunOption::Owner::formulation:
        EXPECT_FALSE(option.owners().empty()) << option.name;
        for (const std::string_view one : option.owners()) EXPECT_NE(findFormulation(one), nullptr) << option.name;
        break;
      case RunOption::Owner::integrator: EXPECT_NE(findIntegrator(owner), nullptr) << option.name; break;
      case RunOption::Owner::stabilisation: {
        const auto all = stabilisationNames();
        EXPECT_NE(std::find(all.begin(), all.end(), owner), all.end()) << option.name;
        break;
      }
      case RunOption::Owner::run: EXPECT_EQ(owner, "") << option.name; break;
    }
  }
}

// A resumed run with another value of any option would be another run.
TEST(RunOptionTable, EveryOptionIsPartOfARunsIdentity) {
  const Mechanism m = test::fourBar();
  const RunIdentity usual = runIdentity(m, {}, {});
  for (const RunOption& option : runOptionTable()) {
    RunOptions options;
    change(option, options);
    EXPECT_NE(runIdentity(m, options, {}), usual) << option.name;
  }
  for (double RunOptions::*member : {&RunOptions::checkpoint_step}) {
    RunOptions options;
    options.*member += 0.25;
    EXPECT_NE(runIdentity(m, options, {}), usual);
  }
  RunOptions generated;
  generated.generated = true;
  EXPECT_NE(runIdentity(m, generated, {}), usual);
  RunOptions first_step;
  first_step.steps.initial_step = 0.25;
  EXPECT_NE(runIdentity(m, first_step, {}), usual);
}

std::string settingsText(const RunOptions& options) {
  std::string out;
  for (const Setting& setting : settingsOf(test::fourBar(), options))
    out += (out.empty() ? "" : ", ") + setting.name + " = " + setting.text();
  return out;
}

TEST(RunSettings, NameTheOptionsThatHaveAnEffect) {
  RunOptions options;
  options.system.reaction_length = 0.5;
  options.output_step = 0.01;
  EXPECT_EQ(
      settingsText(options),
      "formulation = absolute, stabilisation = projection, integrator = dopri5, rtol = 1e-08, atol = 1e-10, output "
      "step = 0.01 s, until = 10 s, reaction length = 0.5 m");
  options.system.formulation = "hamiltonian";
  options.system.stabilisation = "baumgarte";
  options.integrator = "rk4";
  options.steps.step = 0.02;
  options.steps.time_rule = TimeRule::accumulate_time;
  EXPECT_EQ(
      settingsText(options),
      "formulation = hamiltonian, stabilisation = baumgarte, alpha = 5 1/s, beta = 5 1/s, opening = cut_joints, "
      "integrator = rk4, step = 0.02 s, time rule = t = t + step while t < until, output step = 0.01 s, until = 10 "
      "s, reaction length = 0.5 m");
  options.system.stabilisation = "augmented_lagrangian";
  EXPECT_NE(settingsText(options).find("penalty = 1e6 times the mean mass, omega = 10 1/s, mu = 1"), std::string::npos);
  options.system.penalty = 20.0;
  EXPECT_NE(settingsText(options).find("penalty = 20 kg"), std::string::npos);
}

TEST(Formulations, NameFormsThatAreWritten) {
  for (const FormulationInfo& info : formulations()) {
    for (const std::string& form : info.forms) EXPECT_TRUE(writtenFormNamed(form).has_value()) << info.name << form;
  }
}

}  // namespace run_options_test
}  // namespace linkwork
