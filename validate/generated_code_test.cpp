// Code written by the equations writer, compiled and run, against the engine that simulates.
//
// Three models here; with LINKWORK_FULL set every model of models/ that fits.
#include "generated_code.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "linkwork/codegen/equation_forms.hpp"
#include "linkwork/formulation/make_system.hpp"
#include "linkwork/simulate/generated_system.hpp"
#include "run_model.hpp"
#include "shipped_models.hpp"

namespace linkwork::validation {
namespace generated_code_test {

constexpr int kStates = 100;
// Of the largest entry: rounding of a few hundred operations.
constexpr double kAgreement = 1e-12;
// Where rows depend on one another, or nearly so, as in the row of windows: the engine leaves out other ones.
constexpr double kAgreementOfDependentRows = 1e-11;
bool hasDependentRows(const std::string& model) { return model.starts_with("n_four_bar") || model == "bricard"; }
// The rods of the delta robot hardly resist a turn about themselves: their velocities come from impulses by a division
// that enlarges round-off, in the engine too.
double agreementOf(const std::string& model, WrittenForm form) {
  const bool light_rods = form == WrittenForm::hamiltonian && model == "delta_robot";
  return light_rods || hasDependentRows(model) ? kAgreementOfDependentRows : kAgreement;
}

std::vector<std::string> modelsToTry() {
  return everyModel()
             ? shippedModels()
             : std::vector<std::string>{"double_pendulum", "four_bar", "slider_pendulum", "snakeboard", "bicycle"};
}

EquationRequest requestFor(WrittenForm form, EquationTask task, EquationStyle style = EquationStyle::vectors) {
  EquationRequest request;
  request.form = form;
  request.task = task;
  request.style = style;
  return request;
}

// Accelerations at a state of the formulation that belongs to the form, with impulses and quasi-velocities also the
// rates of the coordinates before them; empty where it finds none.
std::vector<double> engineRates(const MechanismSystem& system, WrittenForm form, double t, std::span<const double> x) {
  const auto work = system.makeWorkspace();
  std::vector<double> xdot(x.size());
  if (system.derivative(t, x, system.startModes(), *work, xdot) != Eval::ok) return {};
  const bool whole = form == WrittenForm::hamiltonian || form == WrittenForm::quasivelocity;
  const int first = whole ? 0 : system.space().velocityOffset();
  return {xdot.begin() + first, xdot.begin() + system.space().controlled()};
}

SystemOptions formulationOf(WrittenForm form, const char* stabilisation) {
  SystemOptions out;
  out.formulation = form < WrittenForm::recursive ? "linkage" : wordFor(form);
  out.stabilisation = stabilisation;
  return out;
}

// Whether this is one of the reasons for which a mechanism has no code.
bool cannotBeWritten(const std::string& why) {
  const auto says = [&](std::string_view words) { return why.find(words) != std::string::npos; };
  return says(" does not fit: ") || says("drives prescribe all coordinates") ||
         says("counts turns of angles in space") || says("is given by points, which program code does not carry") ||
         says("rows of its joints depend on others");
}

struct Trial {
  ProgramSteps steps;
  std::vector<std::vector<double>> states;    // arguments of the function
  std::vector<double> terms;                  // at each state: size of what the rates are differences of
  std::vector<std::vector<double>> expected;  // accelerations, or rates of coordinates and impulses
};

// Accelerations are differences of velocities squared, rates of impulses of impulses times velocities.
double termsOf(WrittenForm form, const StateSpace& space, const std::vector<double>& x,
               const std::vector<double>& rates) {
  double state = 0.0;
  for (int k = space.velocityOffset(); k < space.controlled(); ++k)
    state = std::max(state, std::abs(x[static_cast<std::size_t>(k)]));
  if (form != WrittenForm::hamiltonian) return state * state;
  double velocity = 0.0;
  for (int k = 0; k < space.positions(); ++k)
    velocity = std::max(velocity, std::abs(rates[static_cast<std::size_t>(k)]));
  return state * velocity;
}

// Random consistent states near the assembled pose.
std::optional<Trial> trialOf(const std::string& model, WrittenForm form) {
  const Mechanism mechanism = readShippedModel(model);
  EquationRequest request = requestFor(form, EquationTask::forward);
  if (form == WrittenForm::quasivelocity) request.velocities = velocityChoice(mechanism, formulationOf(form, "none"));
  WrittenEquations written = writeEquations(mechanism, request);
  if (!written.program) {
    expect(cannotBeWritten(written.problem), written.problem);
    return std::nullopt;
  }
  written.program->function = "generated_code";
  Trial trial;
  trial.steps = stepsOf(*written.program);
  if (whyNotCode(trial.steps)) return std::nullopt;
  const Assembly assembly = assemble(mechanism);
  expect(assembly.ok, assembly.problem);
  const auto system = makeSystem(mechanism, formulationOf(form, "none"));
  const auto closing = makeSystem(mechanism, formulationOf(form, "projection"));
  const StateSpace space = system->space();
  if (space.velocities() == 0) return std::nullopt;  // drives prescribe everything
  const std::vector<double> start = system->fromAbsolute(0.0, assembly.state());
  std::mt19937 random(7);
  for (int k = 0; k < kStates; ++k) {
    const double t = 1e-4 * k;  // for what changes with time; near enough that the start closes there too
    std::vector<double> x = randomState(*closing, start, 0.03, random, t);
    // Where rows depend on others the impulses of loops are not unique, and with them the rates of all; at zero they
    // are.
    Modes modes = system->startModes();
    if (!assembly.dependent_rows.empty()) system->restate(t, x, modes, *system->makeWorkspace());
    std::vector<double> a = engineRates(*system, form, t, x);
    if (a.empty()) continue;  // rows that become dependent there
    std::vector<double> state;
    if (Arguments(trial.steps.program).list.front().second < 0) state.push_back(t);
    state.insert(state.end(), x.begin(), x.begin() + space.controlled());
    state.resize(static_cast<std::size_t>(Arguments(trial.steps.program).numbers), 0.0);  // no torques
    trial.states.push_back(std::move(state));
    trial.terms.push_back(termsOf(form, space, x, a));
    trial.expected.push_back(std::move(a));
  }
  expect(trial.states.size() > kStates / 2, "too few states of " + model);
  return trial;
}

double worstDisagreement(const Trial& trial, const std::vector<std::vector<double>>& found) {
  expect(found.size() == trial.expected.size(), "as many answers as states");
  double worst = 0.0;
  for (std::size_t k = 0; k < found.size(); ++k) {
    double largest = std::max(1.0, trial.terms[k]);
    for (const double a : trial.expected[k]) largest = std::max(largest, std::abs(a));
    // Impulses of loops may follow what is compared.
    for (std::size_t i = 0; i < trial.expected[k].size(); ++i) {
      const double off = std::abs(found[k][i] - trial.expected[k][i]) / largest;
      worst = std::isnan(off) ? HUGE_VAL : std::max(worst, off);
    }
  }
  return worst;
}

class GeneratedCode : public ::testing::TestWithParam<std::tuple<std::string, WrittenForm>> {};

TEST_P(GeneratedCode, AgreesWithTheEngineInEveryLanguage) {
  const auto& [model, form] = GetParam();
  const std::optional<Trial> trial = trialOf(model, form);
  if (!trial) GTEST_SKIP() << "this form does not fit";
  for (const Language language : {Language::c, Language::cpp, Language::python, Language::octave}) {
    EXPECT_LT(worstDisagreement(*trial, runGenerated(language, trial->steps, trial->states)), agreementOf(model, form))
        << model << " " << wordFor(form) << " language " << static_cast<int>(language);
  }
}

std::string nameOf(const ::testing::TestParamInfo<std::tuple<std::string, WrittenForm>>& info) {
  return std::get<0>(info.param) + "_" + std::string(wordFor(std::get<1>(info.param)));
}

INSTANTIATE_TEST_SUITE_P(Models, GeneratedCode,
                         ::testing::Combine(::testing::ValuesIn(modelsToTry()),
                                            ::testing::Values(WrittenForm::rud, WrittenForm::elimination,
                                                              WrittenForm::recursive, WrittenForm::hamiltonian,
                                                              WrittenForm::quasivelocity, WrittenForm::absolute)),
                         nameOf);

// The whole right-hand side that --generated integrates: rates of the coordinates, accelerations, power of loads and
// drives. A loop, a driven loop, a ball on the ground. Of loops in space only the Stewart platform can be written
// (others count turns), which takes half a minute and so is with every model only.
std::vector<std::string> modelsToIntegrate() {
  return everyModel()
             ? shippedModels()
             : std::vector<std::string>{"four_bar", "four_bar_grashof", "heavy_top", "snakeboard", "rolling_ellipsoid"};
}

class GeneratedSystems : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(GeneratedSystems, HaveTheRatesOfTheNumericOnes) {
  const auto& [model, formulation] = GetParam();
  const Mechanism mechanism = readShippedModel(model);
  const Assembly assembly = assemble(mechanism);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  SystemOptions options = startingFrom(assembly);
  options.formulation = formulation;
  if (!formulationProblem(formulation, mechanism).empty()) GTEST_SKIP() << "this formulation does not apply";
  const auto numeric = makeSystem(mechanism, options);
  // Another mechanism behind the code: where it were asked instead, the numbers would be wrong.
  Mechanism other = mechanism;
  other.gravity = {Value(7.0), Value(3.0), Value(mechanism.space == Space::spatial ? 2.0 : 0.0)};
  auto stands_behind = makeSystem(other, options);
  const ScratchFolder cache("generated_systems");
  CompilerChoice compiler = systemCompiler();
  compiler.cache_folder = cache.name();
  std::string notice;
  const auto generated = makeGeneratedSystem(mechanism, options, stands_behind, compiler, notice);
  if (!generated) {
    // A compiler that fails, or code without its entry, is no reason.
    ASSERT_TRUE(cannotBeWritten(notice)) << notice;
    GTEST_SKIP() << notice;
  }
  const std::vector<double> start = numeric->fromAbsolute(0.0, assembly.state());
  const auto work = numeric->makeWorkspace();
  const auto own = generated->makeWorkspace();
  std::mt19937 random(3);
  for (int k = 0; k < 10; ++k) {
    const double t = 1e-3 * k;
    const std::vector<double> x = randomState(*numeric, start, 0.03, random, t);
    std::vector<double> expected(x.size()), found(x.size());
    ASSERT_EQ(numeric->derivative(t, x, numeric->startModes(), *work, expected), Eval::ok);
    ASSERT_EQ(generated->derivative(t, x, generated->startModes(), *own, found), Eval::ok);
    double largest = 1.0;
    for (const double value : expected) largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_NEAR(found[i], expected[i], kAgreementOfDependentRows * largest) << "entry " << i << " of " << x.size();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, GeneratedSystems,
    ::testing::Combine(::testing::ValuesIn(modelsToIntegrate()),
                       ::testing::Values("absolute", "recursive", "linkage", "hamiltonian", "quasivelocity")),
    [](const auto& instance) { return std::get<0>(instance.param) + "_" + std::get<1>(instance.param); });

// Written equations do not know of poses of lower rank on the way: near them the numeric system is asked.
TEST(GeneratedCode, PassesPosesOfLowerRank) {
  const ScratchFolder cache("generated_ranks");
  ASSERT_EQ(setenv("XDG_CACHE_HOME", cache.name().c_str(), 1), 0);
  const Mechanism mechanism = readShippedModel("n_four_bar");
  RunOptions options = runOptions(mechanism);
  options.until = 4.0;
  options.steps.rtol = options.steps.atol = 1e-10;
  const Result wanted = runModel(mechanism, options);
  ASSERT_GT(wanted.ledger.rank_changes.size(), 2U);
  options.generated = true;
  for (const char* formulation : {"absolute", "recursive", "hamiltonian", "quasivelocity"}) {
    options.system.formulation = formulation;
    RunControl control;
    control.note = [&](const std::string& words) { ADD_FAILURE() << formulation << ": " << words; };
    const Result found = simulate(mechanism, assemble(mechanism), options, control);
    ASSERT_EQ(found.status, RunStatus::complete) << formulation << ": " << found.message;
    EXPECT_EQ(found.ledger.rank_changes.size(), wanted.ledger.rank_changes.size()) << formulation;
    EXPECT_NEAR(lastOf(found, "left.angle"), lastOf(wanted, "left.angle"), 1e-6) << formulation;
  }
  unsetenv("XDG_CACHE_HOME");
}

// The textbook's program: mass matrix, Jacobian and right-hand side from a generated function, the step of its example
// 3.6 around it, run by Octave to the printed table.
TEST(GeneratedCode, OctaveRunsTheTextbooksExample36) {
  const Mechanism mechanism = readShippedModel("slider_pendulum");
  WrittenEquations written = writeEquations(mechanism, requestFor(WrittenForm::absolute, EquationTask::mass_matrix));
  ASSERT_TRUE(written.program) << written.problem;
  written.program->function = "slider_pendulum";
  const ScratchFolder folder("textbook");
  writeText(folder.file("slider_pendulum.m"), programMatlab(stepsOf(*written.program)));
  const Assembly assembly = assemble(mechanism);
  std::string start;
  for (const double q : assembly.q) start += fmt::format("{}; ", q);
  writeText(folder.file("driver.m"), fmt::format(R"(for h = [1e-2, 1e-3]
  q = [{}];
  v = zeros(6, 1);
  for k = 1:round(1/h)
    [M, Phi_q, Q, Gamma] = slider_pendulum([], q, v);
    a = [M, Phi_q.'; Phi_q, zeros(4)] \ [Q; Gamma];
    a = a(1:6);
    q = q + h*v + h^2/2*a;
    v = v + h*a;
  end
  printf('%.4f ', q, v);
  printf('\n');
end
)",
                                                 start));
  runCommand("octave-cli --no-init-file --no-history driver.m > out.txt", folder);
  std::string out = readText(folder.file("out.txt"));
  for (std::size_t k = out.find("-0.0000"); k != std::string::npos; k = out.find("-0.0000")) out.erase(k, 1);
  EXPECT_EQ(out,
            "0.6913 0.0000 0.0000 0.7722 -1.0001 0.0790 1.0649 0.0000 0.0000 0.4311 -0.0528 -0.6369 \n"
            "0.6908 0.0000 0.0000 0.7720 -0.9970 0.0811 1.0634 0.0000 0.0000 0.4277 -0.0519 -0.6379 \n");
}

TEST(GeneratedCode, LatexCompiles) {
  if (std::system("command -v pdflatex > /dev/null") != 0) GTEST_SKIP() << "no pdflatex here; ./test --full has it";
  for (const std::string& model : modelsToTry()) {
    const Mechanism mechanism = readShippedModel(model);
    for (const WrittenForm form :
         {WrittenForm::rud, WrittenForm::recursive, WrittenForm::hamiltonian, WrittenForm::absolute}) {
      const WrittenEquations written =
          writeEquations(mechanism, requestFor(form, EquationTask::mass_matrix, EquationStyle::pairwise));
      if (!written.program) continue;
      const ScratchFolder folder("latex");
      writeText(folder.file("equations.tex"), programLatex(*written.program));
      EXPECT_NO_THROW(runCommand("pdflatex -interaction=nonstopmode -halt-on-error equations.tex", folder)) << model;
    }
  }
}

}  // namespace generated_code_test
}  // namespace linkwork::validation
