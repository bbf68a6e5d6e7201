// The table of methods: the document says what the program does, and every line of it is walked.
#include "linkwork/simulate/methods.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "linkwork/integrate/sundials/make_sundials.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace methods_test {

using ::testing::HasSubstr;

std::vector<std::string> cellsOf(const std::string& line) {
  std::vector<std::string> out;
  std::istringstream parts(line.substr(1));
  for (std::string cell; std::getline(parts, cell, '|');) {
    std::erase_if(cell, [](char c) { return c == ' ' || c == '`'; });
    out.push_back(cell);
  }
  return out;
}

// The table that follows the line "<!-- methods: FORMULATION -->".
std::vector<std::vector<std::string>> documentTable(const std::string& formulation) {
  std::ifstream file(std::filesystem::path(LINKWORK_MODELS_DIR).parent_path() / "docs" / "reference" / "methods.md");
  std::vector<std::vector<std::string>> rows;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line == "<!-- methods: " + formulation + " -->") inside = true;
    if (!inside) continue;
    if (line.starts_with('|')) rows.push_back(cellsOf(line));
    if (line.empty() && !rows.empty()) break;
  }
  return rows;
}

const char* const kSigns[] = {"yes", "a", "b", "c", "d", "e", "f", "g"};  // in the order of Fit

TEST(Methods, TheDocumentHoldsTheProgramsTable) {
  for (const std::string& formulation : formulationNames()) {
    const auto rows = documentTable(formulation);
    ASSERT_GT(rows.size(), 2U) << "no table for " << formulation;
    // A column for each stabilisation, a row for each integrator; the second row is the rule below the head.
    std::vector<std::string> head(rows[0].begin() + 1, rows[0].end());
    EXPECT_EQ(head, stabilisationNames());
    std::vector<std::string> names;
    for (std::size_t r = 2; r < rows.size(); ++r) {
      names.push_back(rows[r][0]);
      ASSERT_EQ(rows[r].size(), rows[0].size()) << rows[r][0];
      for (std::size_t c = 1; c < rows[r].size(); ++c) {
        EXPECT_EQ(rows[r][c], kSigns[static_cast<int>(fitOf(formulation, rows[0][c], rows[r][0]))])
            << rows[r][0] << ' ' << rows[0][c];
      }
    }
    EXPECT_EQ(names, integratorNames());
  }
}

struct Walk {
  Mechanism mechanism;
  Assembly assembly;
  std::vector<double> reference;  // positions and velocities of the last sample
};

RunOptions shortRun() {
  RunOptions options;
  options.until = 0.1;
  options.output_step = 0.05;
  return options;
}

std::vector<double> lastMotion(const Result& result) {
  std::vector<double> out;
  for (const Series& series : result.series) {
    const bool rate = series.label.starts_with("v") || series.label.ends_with("rate");
    if (series.unit == "m" || series.unit == "rad" || rate) out.push_back(series.values.back());
  }
  return out;
}

Walk walkOf(const Mechanism& mechanism) {
  Walk out{mechanism, assemble(mechanism), {}};
  EXPECT_TRUE(out.assembly.ok) << out.assembly.problem;
  RunOptions options = shortRun();
  options.integrator = "dop853";
  options.steps.rtol = options.steps.atol = 1e-12;
  const Result result = simulate(out.mechanism, out.assembly, options);
  out.reference = lastMotion(result);
  double moved = 0;
  for (const Series& series : result.series) moved = std::max(moved, std::abs(series.values.back() - series.values[0]));
  EXPECT_GT(moved, 0.1);  // or the walk would prove nothing
  EXPECT_GE(out.reference.size(), 6U);
  return out;
}

// What a run of a tenth of a second may miss: adaptive ones at a tolerance of 1e-7, fixed ones at a step of 1 ms; five
// times what was seen. With index 3 velocities, and so their errors, are weighed by the step.
double allowed(const Method& method) {
  const IntegratorInfo& info = *findIntegrator(method.integrator);
  if (info.control != StepControl::adaptive) return info.order == 1 ? 5e-3 : info.order == 2 ? 6e-5 : 1e-10;
  return method.stabilisation == "index3" ? 2e-4 : 2e-6;
}

void walk(const Walk& on, const Method& method, std::map<std::string, double>& worst) {
  RunOptions options = shortRun();
  options.system.formulation = method.formulation;
  options.system.stabilisation = method.stabilisation;
  options.integrator = method.integrator;
  options.steps.rtol = options.steps.atol = 1e-7;
  if (findIntegrator(method.integrator)->control != StepControl::adaptive) options.steps.step = 1e-3;
  const std::string problem = runProblem(on.mechanism, options);
  const std::string name = fmt::format("{} {} {}", method.formulation, method.stabilisation, method.integrator);
  if (method.fit != Fit::fits) {
    EXPECT_EQ(problem, methodProblem(method.formulation, method.stabilisation, method.integrator)) << name;
    EXPECT_THAT(problem, HasSubstr(": use ")) << name;
    return;
  }
  // A quaternion has one number more than it has velocities; joint coordinates of hinges have none.
  const bool quaternions = on.mechanism.space == Space::spatial && method.formulation == "absolute";
  if (quaternions && method.integrator == "explicit_step") {
    EXPECT_THAT(problem, HasSubstr("needs a velocity for every position")) << name;
    return;
  }
  ASSERT_EQ(problem, "") << name;
  const Result result = simulate(on.mechanism, on.assembly, options);
  ASSERT_EQ(result.status, RunStatus::complete) << name << ": " << result.message;
  const std::vector<double> found = lastMotion(result);
  ASSERT_EQ(found.size(), on.reference.size()) << name;
  double error = 0;
  for (std::size_t k = 0; k < found.size(); ++k) error = std::max(error, std::abs(found[k] - on.reference[k]));
  EXPECT_LT(error, allowed(method)) << name;
  worst[method.integrator] = std::max(worst[method.integrator], error);
}

class EveryMethod : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Walk, EveryMethod, ::testing::Bool(),
                         [](const auto& test) { return std::string(test.param ? "InSpace" : "InThePlane"); });

// With a guide, and with hinges alone for formulations that are made of those.
std::vector<Mechanism> mechanismsToWalk() {
  Mechanism guided = test::sliderPendulum();
  test::drawAt(guided, test::sliderPendulumStart());
  Mechanism hinged;
  hinged.gravity = {Value(0.0), Value(-9.81)};
  const BodyIndex upper = test::addBody(hinged, "upper", 2.0, 0.3);
  const BodyIndex lower = test::addBody(hinged, "lower", 1.0, 0.1);
  test::addJoint(hinged, "O", JointKind::revolute, kGround, test::frameAt(0, 0), upper, test::frameAt(-0.4, 0));
  test::addJoint(hinged, "A", JointKind::revolute, upper, test::frameAt(0.5, 0), lower, test::frameAt(-0.3, 0.1));
  test::drawAt(hinged, {{0.4, 0.0, 0.0, 1.2, -0.1, 0.0}, std::vector<double>(6, 0.0)});
  return {guided, hinged};
}

TEST_P(EveryMethod, RunsOrIsRefusedWithItsReason) {
  std::map<std::string, double> worst;
  std::vector<std::string> waiting = formulationNames();
  for (const Mechanism& planar : mechanismsToWalk()) {
    if (waiting.empty()) break;
    const Walk on = walkOf(GetParam() ? liftToSpace(planar) : planar);
    std::vector<std::string> refused;
    for (const std::string& formulation : waiting) {
      if (!formulationProblem(formulation, on.mechanism).empty()) {
        RunOptions options = shortRun();
        options.system.formulation = formulation;
        EXPECT_THAT(runProblem(on.mechanism, options), HasSubstr("use the formulation absolute")) << formulation;
        refused.push_back(formulation);
        continue;
      }
      for (const Method& method : methods()) {
        if (method.formulation != formulation) continue;
        const bool sundials = findIntegrator(method.integrator)->sundials;
        if (!sundials || hasSundials()) walk(on, method, worst);
      }
    }
    waiting = refused;
  }
  // In space a formulation may apply to nothing; in the plane each has been walked.
  if (!GetParam()) {
    EXPECT_TRUE(waiting.empty()) << waiting.front();
  }
  for (const auto& [name, error] : worst) RecordProperty("worst_" + name, fmt::format("{:.1e}", error));
}

// What has loops, some of them redundant, is more than a tree: all methods of joint coordinates on three cranks.
TEST_P(EveryMethod, OfJointCoordinatesRunsOnLoops) {
  Mechanism planar = test::parallelogram(3);
  test::drawAt(planar, test::parallelogramStart(3));
  const Walk on = walkOf(GetParam() ? liftToSpace(planar) : planar);
  EXPECT_FALSE(on.assembly.dependent_rows.empty());
  std::map<std::string, double> worst;
  for (const Method& method : methods()) {
    const bool sundials = findIntegrator(method.integrator)->sundials;
    const bool joints = method.formulation == "recursive" || method.formulation == "quasivelocity";
    if (joints && (!sundials || hasSundials())) walk(on, method, worst);
  }
  for (const auto& [name, error] : worst) RecordProperty("worst_" + name, fmt::format("{:.1e}", error));
}

TEST(Methods, ReasonsAreSentencesWithAWayOut) {
  EXPECT_EQ(methodProblem("absolute", "projection", "dopri5"), "");
  EXPECT_EQ(
      methodProblem("absolute", "index3", "dopri5"),
      "integrator \"dopri5\" takes ordinary equations, and stabilisation \"index3\" leaves the constraints in them: "
      "use the integrator radau5, generalized_alpha or bdf2, or stabilisation projection.");
  EXPECT_EQ(methodProblem("absolute", "projection", "ida"),
            "integrator \"ida\" takes the constraints themselves, and stabilisation \"projection\" makes ordinary "
            "equations of them: use stabilisation ggl, or the integrator dopri5.");
  EXPECT_EQ(methodProblem("recursive", "index3", "ida"),
            "integrator \"ida\" cannot judge its errors in velocities with stabilisation \"index3\", which leaves them "
            "larger than the tolerance by one over the step: use stabilisation ggl, or the integrator radau5.");
  EXPECT_EQ(
      methodProblem("absolute", "ggl", "bdf2"),
      "integrator \"bdf2\" has its own way to keep positions and velocities on the constraints, and stabilisation "
      "\"ggl\" adds another: use stabilisation index3, or the integrator radau5 or ida.");
}

TEST(Methods, StructureIsKeptInImpulsesAlone) {
  EXPECT_EQ(methodProblem("hamiltonian", "none", "gauss4"), "");
  EXPECT_EQ(methodProblem("hamiltonian", "projection", "rattle"), "");
  EXPECT_EQ(methodProblem("recursive", "projection", "gauss4"),
            "integrator \"gauss4\" keeps the structure of coordinates and their impulses, and the formulation "
            "\"recursive\" has velocities instead: use the formulation hamiltonian, or the integrator rk4.");
  RunOptions options;
  options.system.formulation = "hamiltonian";
  options.system.variant = "krylov";
  EXPECT_EQ(optionProblem("variant", options), "");
  options.integrator = "rattle";
  EXPECT_EQ(optionProblem("variant", options),
            "--variant chooses how impulses in loops are found, and \"rattle\" has its own way: leave it out, or use "
            "another integrator, such as dopri5.");
}

TEST(Methods, OptionsThatDoNothingAreTold) {
  RunOptions options;
  for (const char* option : {"rtol", "atol", "max-step", "reaction-length", "until"})
    EXPECT_EQ(optionProblem(option, options), "") << option;
  EXPECT_EQ(optionProblem("step", options),
            "--step is for integrators with fixed steps, and \"dopri5\" chooses its own: leave it out, limit them with "
            "--max-step, or use rk4.");
  EXPECT_EQ(optionProblem("alpha", options),
            "--alpha belongs to stabilisation baumgarte, and this run has \"projection\": leave it out, or add "
            "--stabilisation baumgarte.");
  EXPECT_EQ(optionProblem("rho", options),
            "--rho belongs to the integrator generalized_alpha, and this run has \"dopri5\": leave it out, or add "
            "--integrator generalized_alpha.");
  options.system.stabilisation = "baumgarte";
  EXPECT_EQ(optionProblem("alpha", options), "");
  options.integrator = "rk4";
  options.steps.step = 0.01;
  EXPECT_EQ(optionProblem("step", options), "");
  EXPECT_EQ(optionProblem("rtol", options),
            "--rtol is for integrators that choose their steps, and \"rk4\" takes fixed ones: leave it out, or use "
            "another, such as dopri5.");
  options.integrator = "generalized_alpha";
  EXPECT_EQ(optionProblem("rho", options), "");
}

}  // namespace methods_test
}  // namespace linkwork
