// The written equations of every shipped model, in joint and in absolute coordinates, against the systems that simulate
// it, at the assembled start. What is refused is refused by name: points on curves, whose place is found by iteration,
// and a branch of a tree without mass.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/codegen/equation_forms.hpp"
#include "linkwork/codegen/program_values_for_tests.hpp"
#include "run_model.hpp"
#include "shipped_models.hpp"

namespace linkwork::validation {
namespace {

bool hasCurve(const Mechanism& mechanism) {
  return std::any_of(mechanism.joints.begin(), mechanism.joints.end(),
                     [](const Joint& joint) { return joint.kind == JointKind::curve; });
}

class WrittenEquationsOf : public ::testing::TestWithParam<std::string> {};

TEST_P(WrittenEquationsOf, AShippedModelAreWhatIsSimulated) {
  const Mechanism mechanism = readShippedModel(GetParam());
  const Assembly assembly = assemble(mechanism);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  for (const WrittenForm form : {WrittenForm::recursive, WrittenForm::absolute}) {
    EquationRequest request;
    request.form = form;
    request.torques = Torques::none;
    const WrittenEquations written = writeEquations(mechanism, request);
    if (!written.program) {
      EXPECT_TRUE(hasCurve(mechanism) || (form == WrittenForm::recursive && GetParam() == "massless_coupler"))
          << written.problem;
      continue;
    }
    SystemOptions options = startingFrom(assembly);
    options.formulation = wordFor(form);
    const std::vector<double> start = assembly.state();
    const auto system = makeSystem(mechanism, options);
    const std::vector<double> x = system->fromAbsolute(0.0, start);
    const auto work = system->makeWorkspace();
    std::vector<double> rates(x.size());
    ASSERT_EQ(system->derivative(0.0, x, *work, rates), Eval::ok) << system->describeFailure(*work);
    const auto q = x.begin();
    const auto v = q + system->space().positions();
    const auto end = v + system->space().velocities();
    if (v == end) continue;  // drives leave nothing to find
    const bool tree = form == WrittenForm::recursive;
    const test::ProgramValues values(
        *written.program,
        {{"q", {q, v}}, {tree ? "u" : "v", {v, end}}, {"n", test::wholeTurns(mechanism, *written.program, start)}});
    const std::vector<double> found = values.output(tree ? "ud" : "acc");
    const auto first = static_cast<std::size_t>(system->space().positions());
    double size = 1.0;
    for (std::size_t k = 0; k < found.size(); ++k) size = std::max(size, std::abs(rates[first + k]));
    // Redundant loops are solved in two ways, each with round-off that the condition of the loops enlarges.
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_NEAR(found[k], rates[first + k], 1e-10 * size) << wordFor(form) << " " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(All, WrittenEquationsOf, ::testing::ValuesIn(shippedModels()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace linkwork::validation
