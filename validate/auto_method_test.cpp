// What "auto" chooses: a method that fits every shipped model, and the implicit one where a model is stiff.
#include "linkwork/simulate/auto_method.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "run_model.hpp"
#include "shipped_models.hpp"

namespace linkwork {
namespace auto_method_test {

using ::testing::HasSubstr;
using validation::readShippedModel;
using validation::shippedModels;

RunOptions openOptions(const Mechanism& mechanism) {
  RunOptions open;
  open.system.formulation = kAuto;
  open.integrator = kAuto;
  RunOptions out = givenOptions(mechanism, open);
  out.system.formulation = kAuto;
  out.integrator = kAuto;
  return out;
}

RunOptions chosenFor(const Mechanism& mechanism) {
  const Assembly assembly = assemble(mechanism);
  expect(assembly.ok, assembly.problem);
  return chooseByFirstSteps(mechanism, assembly, openOptions(mechanism));
}

// models/governor.toml with a damper on its sleeve.
Mechanism hardGovernor() {
  std::ifstream file(std::string(LINKWORK_MODELS_DIR) + "/governor.toml");
  std::stringstream text;
  text << file.rdbuf();
  std::string model = text.str();
  model.insert(model.find("[loads]") + 7, "\nhard = { actuator = \"slide\", force = \"-1e4*slide.rate\" }");
  Diagnostics diagnostics;
  auto mechanism = readModelText(model, "governor.toml", diagnostics);
  expect(mechanism.has_value(), diagnostics.format());
  return *mechanism;
}

TEST(AutoMethod, FitsEveryShippedModelAndSaysWhy) {
  for (const std::string& name : shippedModels()) {
    const Mechanism& mechanism = readShippedModel(name);
    const RunOptions chosen = chosenFor(mechanism);
    EXPECT_EQ(runProblem(mechanism, chosen), "") << name;
    EXPECT_THAT(chosen.chosen, HasSubstr(chosen.system.formulation)) << name;
    EXPECT_THAT(chosen.chosen, HasSubstr(chosen.integrator)) << name;
  }
}

TEST(AutoMethod, TakesLongStepsOnSmoothModels) {
  const RunOptions chosen = chosenFor(readShippedModel("four_bar"));
  EXPECT_EQ(chosen.system.formulation, "recursive");
  EXPECT_EQ(chosen.integrator, "dop853");
}

TEST(AutoMethod, TakesAnImplicitMethodWhereTheModelIsStiff) {
  for (const Mechanism& mechanism : {hardGovernor(), readShippedModel("differential")}) {
    const RunOptions chosen = chosenFor(mechanism);
    EXPECT_EQ(chosen.system.formulation, "recursive") << mechanism.name;
    EXPECT_EQ(chosen.integrator, "radau5") << mechanism.name;
    EXPECT_THAT(chosen.chosen, HasSubstr("much faster")) << mechanism.name;
  }
  EXPECT_EQ(chosenFor(readShippedModel("governor")).integrator, "dop853");
}

TEST(AutoMethod, LeavesNamesAlone) {
  const Mechanism& mechanism = readShippedModel("four_bar");
  RunOptions options = openOptions(mechanism);
  options.integrator = "gauss4";
  options.steps.step = 0.01;
  options.system.stabilisation = "none";
  const RunOptions tree = chooseByMechanism(readShippedModel("double_pendulum"), options);
  EXPECT_EQ(tree.integrator, "gauss4");
  EXPECT_EQ(tree.system.formulation, "hamiltonian");  // the only one with impulses
  options = openOptions(mechanism);
  options.system.formulation = "absolute";
  EXPECT_EQ(chooseByMechanism(mechanism, options).system.formulation, "absolute");
  options.system.stabilisation = "index3";
  EXPECT_EQ(chooseByMechanism(mechanism, options).integrator, "radau5");
}

// Both the stability and the errors of stages are stiffness; the grade names what does better.
TEST(AutoMethod, IsNamedByTheGradeOfStiffSteps) {
  const Mechanism mechanism = hardGovernor();
  RunOptions options = runOptions(mechanism);
  options.until = 1.0;
  for (const char* formulation : {"absolute", "recursive", "hamiltonian"}) {
    options.system.formulation = formulation;
    const Result result = validation::runModel(mechanism, options);
    const LedgerLine steps = ledgerLines(result).back();
    EXPECT_EQ(steps.grade, Grade::fair) << formulation;
    EXPECT_THAT(steps.sentence, HasSubstr("--integrator radau5")) << formulation;
    EXPECT_EQ(steps.sentence.find("--formulation recursive") == std::string::npos,
              formulation == std::string("recursive"));
  }
}

}  // namespace auto_method_test
}  // namespace linkwork
