// The written equations in quasi-velocities, evaluated, against the system that simulates them, against each other, and
// as text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "linkwork/base/contract.hpp"
#include "linkwork/codegen/equation_forms.hpp"
#include "linkwork/codegen/linkages_for_tests.hpp"
#include "linkwork/codegen/program_printers.hpp"
#include "linkwork/codegen/program_values_for_tests.hpp"
#include "linkwork/codegen/shaken_state_for_tests.hpp"
#include "linkwork/formulation/recursive/tree_equations.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/model/skates_for_tests.hpp"
#include "linkwork/model/test_mechanisms.hpp"
#include "linkwork/recursion/trees_for_tests.hpp"

namespace linkwork {
namespace quasi_velocity_program_test {

using test::ProgramValues;
using Arguments = std::map<std::string, std::vector<double>>;
using List = std::vector<double>;

double largestOf(const List& list) {
  double out = 1.0;
  for (const double entry : list) out = std::max(out, std::abs(entry));
  return out;
}

void expectNear(const List& found, const List& wanted, double tolerance, const std::string& what) {
  ASSERT_EQ(found.size(), wanted.size()) << what;
  const double size = largestOf(wanted);
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], wanted[k], tolerance * size) << what << " " << k;
}

// A state in quasi-velocities near the drawing, and what the system makes of it.
struct Trial {
  explicit Trial(const Mechanism& of, double size = 0.0) : mechanism(of) {
    std::vector<double> absolute = test::shakenState(mechanism, size);
    const auto start = makeSystem(mechanism, {});
    // A random tree is not drawn closed: its joint coordinates put the bodies where they fit.
    (void)start->afterStep(0.0, absolute, start->startModes(), *start->makeWorkspace());
    SystemOptions options;
    options.formulation = "quasivelocity";
    options.stabilisation = "none";
    options.start = absolute;
    choice = velocityChoice(mechanism, options);
    system = makeSystem(mechanism, options);
    x = system->fromAbsolute(0.0, absolute);
    const auto work = system->makeWorkspace();
    rates.resize(x.size());
    EXPECT_EQ(system->derivative(0.0, x, system->startModes(), *work, rates), Eval::ok)
        << system->describeFailure(*work);
  }

  List part(const List& of, bool velocities) const {
    const auto first = of.begin() + (velocities ? system->space().velocityOffset() : 0);
    return {first, first + (velocities ? system->space().velocities() : system->space().positions())};
  }
  Arguments arguments() const { return {{"q", part(x, false)}, {"om", part(x, true)}}; }

  EquationProgram program(EquationTask task = EquationTask::forward) const {
    EquationRequest request;
    request.form = WrittenForm::quasivelocity;
    request.task = task;
    request.torques = Torques::none;
    request.velocities = choice;
    WrittenEquations written = writeEquations(mechanism, request);
    expect(written.program.has_value(), written.problem);
    return std::move(*written.program);
  }

  Mechanism mechanism;
  VelocityChoice choice;
  std::unique_ptr<MechanismSystem> system;
  List x, rates;
};

// Round-off of some thousand operations.
constexpr double kAgreement = 1e-11;

std::vector<Mechanism> mechanisms() {
  return {test::chainOf(3, test::Lines::general),
          test::sliderPendulum(),
          test::fourBar(),
          test::crankSlider(),
          test::sleigh(),
          test::tug(),
          test::skate(Space::spatial),
          test::tugWithNames(),
          test::skateWithNames(),
          liftToSpace(test::fourBar()),
          test::randomTree(true, 7, test::treeKinds(true), true).mechanism};
}

TEST(QuasiVelocityProgram, IsWhatIsSimulated) {
  for (const Mechanism& m : mechanisms()) {
    const Trial trial(m);
    const EquationProgram program = trial.program();
    const ProgramValues values(program, trial.arguments());
    expectNear(values.output("qd"), trial.part(trial.rates, false), kAgreement, m.name + " qd");
    expectNear(values.output("omd"), trial.part(trial.rates, true), kAgreement, m.name + " omd");
  }
}

// A om' = B, and Q* = A om' - B.
TEST(QuasiVelocityProgram, TasksFitTogether) {
  for (const Mechanism& m : mechanisms()) {
    const Trial trial(m);
    Arguments at = trial.arguments();
    const List omd = trial.part(trial.rates, true);
    const std::size_t n = omd.size();
    const EquationProgram masses = trial.program(EquationTask::mass_matrix);
    const ProgramValues found(masses, at);
    const List A = found.output("A"), B = found.output("B");
    List product(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) {
        product[i] += A[i * n + k] * omd[k];
        EXPECT_EQ(A[i * n + k], A[k * n + i]);
      }
    }
    expectNear(product, B, 10.0 * kAgreement, m.name + " A om'");
    List other(n);
    for (std::size_t k = 0; k < n; ++k) other[k] = std::sin(1.0 + static_cast<double>(k));
    List forces(n);
    for (std::size_t i = 0; i < n; ++i) {
      forces[i] = -B[i];
      for (std::size_t k = 0; k < n; ++k) forces[i] += A[i * n + k] * other[k];
    }
    at["omd"] = other;
    const EquationProgram inverse = trial.program(EquationTask::inverse);
    expectNear(ProgramValues(inverse, at).output("Qs"), forces, 10.0 * kAgreement, m.name + " Q*");
  }
}

// Multipliers of the rows, and the forces of the tree's joints, against what the system observes.
TEST(QuasiVelocityProgram, ReactionsAreThoseThatAreSeen) {
  const auto size = [](const double* f) { return std::hypot(f[0], f[1]); };
  for (const Mechanism& m : {test::fourBar(), test::tug(), test::sleigh()}) {
    const Trial trial(m);
    Observation seen;
    const auto work = trial.system->makeWorkspace();
    ASSERT_EQ(trial.system->observe(0.0, trial.x, trial.system->startModes(), *work, seen), Eval::ok);
    const EquationProgram program = trial.program(EquationTask::reactions);
    const ProgramValues values(program, trial.arguments());
    const List lam = values.output("lam"), F = values.output("F");
    double expected = 0.0, found = 0.0;
    // A blade and a rod carry one force each, a hinge that is cut two.
    for (const double entry : lam) found += entry * entry;
    const TreePlan plan = planRecursiveTree(m);
    for (const PlannedCut& cut : plan.cuts) {
      const double force = size(seen.joints[static_cast<std::size_t>(cut.joint)].force_on_second.data());
      expected += force * force;
    }
    EXPECT_NEAR(found, expected, 1e-10 * (1.0 + expected)) << m.name;
    EXPECT_GT(found, 1e-4) << m.name;
    for (std::size_t k = 0; k < plan.links.size(); ++k) {
      if (plan.links[k].joint < 0) continue;
      const double* wanted = seen.joints[static_cast<std::size_t>(plan.links[k].joint)].force_on_second.data();
      EXPECT_NEAR(size(&F[3 * k]), size(wanted), 1e-10 * (1.0 + size(wanted))) << m.name << " link " << k;
    }
  }
}

// Derivatives of Q* and q', as differences of the other tasks have them.
TEST(QuasiVelocityProgram, SmallMotionsAreDerivatives) {
  for (const Mechanism& m : mechanisms()) {
    const Trial trial(m);
    Arguments at = trial.arguments();
    at["omd"] = trial.part(trial.rates, true);
    const EquationProgram linear = trial.program(EquationTask::linear), inverse = trial.program(EquationTask::inverse),
                          forward = trial.program();
    const ProgramValues found(linear, at);
    const auto differences = [&](const char* input, const EquationProgram& program, const char* output) {
      constexpr double kStep = 1e-5;
      const std::size_t cols = at[input].size();
      List out;
      for (std::size_t j = 0; j < cols; ++j) {
        Arguments up = at, down = at;
        up[input][j] += kStep;
        down[input][j] -= kStep;
        const List high = ProgramValues(program, up).output(output), low = ProgramValues(program, down).output(output);
        out.resize(high.size() * cols);
        for (std::size_t i = 0; i < high.size(); ++i) out[i * cols + j] = (high[i] - low[i]) / (2.0 * kStep);
      }
      return out;
    };
    // The step leaves its square times a third derivative, and round-off over it.
    constexpr double kDifference = 1e-6;
    expectNear(found.output("A"), differences("omd", inverse, "Qs"), kDifference, m.name + " A");
    expectNear(found.output("D"), differences("om", inverse, "Qs"), kDifference, m.name + " D");
    expectNear(found.output("K"), differences("q", inverse, "Qs"), kDifference, m.name + " K");
    expectNear(found.output("U"), differences("q", forward, "qd"), kDifference, m.name + " U");
    expectNear(found.output("V"), differences("om", forward, "qd"), kDifference, m.name + " V");
  }
}

// With numbers for the state only parameters are left, and the matrices are the same.
TEST(QuasiVelocityProgram, IsWrittenAboutOneState) {
  const Trial trial(test::sleigh());
  Arguments at = trial.arguments();
  at["omd"] = List(at["om"].size(), 0.0);
  EquationRequest request;
  request.form = WrittenForm::quasivelocity;
  request.task = EquationTask::linear;
  request.velocities = trial.choice;
  StateInLetters about;
  for (const double value : at["q"]) about.q.emplace_back(value);
  for (const double value : at["om"]) about.om.emplace_back(value);
  request.about = about;
  const WrittenEquations written = writeEquations(trial.mechanism, request);
  ASSERT_TRUE(written.program) << written.problem;
  const EquationProgram whole = trial.program(EquationTask::linear);
  for (const char* letter : {"A", "D", "K", "U", "V"})
    expectNear(ProgramValues(*written.program, {}).output(letter), ProgramValues(whole, at).output(letter), kAgreement,
               letter);
  for (const ProgramSymbol& s : written.program->symbols()) EXPECT_TRUE(s.array.empty()) << s.name.letter;
}

// Every task in every format: it is written, and says what it is.
TEST(QuasiVelocityProgram, IsWrittenForEveryTaskInEveryFormat) {
  for (const Mechanism& m : {test::chainOf(2), test::fourBar(), test::tug(), liftToSpace(test::fourBar())}) {
    for (const EquationTask task : {EquationTask::forward, EquationTask::inverse, EquationTask::mass_matrix,
                                    EquationTask::linear, EquationTask::reactions}) {
      EquationRequest request;
      request.form = WrittenForm::quasivelocity;
      request.task = task;
      const WrittenEquations written = writeEquations(m, request);
      ASSERT_TRUE(written.program) << m.name << wordFor(task) << written.problem;
      EquationProgram program = *written.program;
      program.function = "quasi";
      const ProgramSteps steps = stepsOf(program);
      for (const std::string& text :
           {programC(steps), programCpp(steps), programPython(steps), programMatlab(steps), programJulia(steps)}) {
        EXPECT_THAT(text, ::testing::HasSubstr("quasi"));
        EXPECT_EQ(text.find("invert_pivoted") != std::string::npos, !steps.solve.empty());
      }
      for (const std::string& text : {programText(program), programLatex(program), programMathml(program)})
        EXPECT_THAT(text, ::testing::HasSubstr("quasi-velocities"));
    }
  }
}

TEST(QuasiVelocityProgram, SaysWhichVelocitiesItTakes) {
  EquationRequest request;
  request.form = WrittenForm::quasivelocity;
  const std::string text = programText(*writeEquations(test::sleigh(), request).program);
  EXPECT_THAT(text, ::testing::HasSubstr("Quasi-velocities: om_1 slide 1 of sleigh, om_2 turn of sleigh.\n"));
}

}  // namespace quasi_velocity_program_test
}  // namespace linkwork
