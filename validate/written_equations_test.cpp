// The written equations of every shipped model, in joint coordinates with velocities, with impulses and with
// independent quasi-velocities, and in absolute coordinates, against the systems that simulate it, at the assembled
// start. What is refused is refused by name: points on curves, whose place is found by iteration, and a branch of a
// tree without mass.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/codegen/equation_forms.hpp"
#include "linkwork/codegen/program_steps.hpp"
#include "linkwork/codegen/program_values_for_tests.hpp"
#include "run_model.hpp"
#include "shipped_models.hpp"

namespace linkwork::validation {
namespace written_equations_test {

bool hasCurve(const Mechanism& mechanism) {
  return std::any_of(mechanism.joints.begin(), mechanism.joints.end(),
                     [](const Joint& joint) { return joint.kind == JointKind::curve; });
}

// What a form takes beside the coordinates, and what it says of its rate.
std::pair<std::string, std::string> namesOf(WrittenForm form) {
  if (form == WrittenForm::recursive) return {"u", "ud"};
  if (form == WrittenForm::hamiltonian) return {"p", "pd"};
  if (form == WrittenForm::quasivelocity) return {"om", "omd"};
  return {"v", "acc"};
}

// So that those of the cuts have to close the loops. (Where rows depend on others they are not unique.)
void disturbImpulses(const MechanismSystem& system, std::vector<double>& x) {
  std::mt19937 engine(4);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto first = x.begin() + system.space().velocityOffset();
  double size = 0.1;
  std::for_each(first, first + system.space().velocities(), [&](double p) { size = std::max(size, std::abs(p)); });
  std::for_each(first, first + system.space().velocities(), [&](double& p) { p += size * uniform(engine); });
}

struct Way {
  WrittenForm form;
  const char* opening;  // of loops
};
constexpr Way kWays[] = {{WrittenForm::recursive, "cut_joints"},
                         {WrittenForm::hamiltonian, "cut_joints"},
                         {WrittenForm::hamiltonian, "split_bodies"},
                         {WrittenForm::quasivelocity, "cut_joints"},
                         {WrittenForm::absolute, "cut_joints"}};

class WrittenEquationsOf : public ::testing::TestWithParam<std::string> {};

TEST_P(WrittenEquationsOf, AShippedModelAreWhatIsSimulated) {
  const Mechanism mechanism = readShippedModel(GetParam());
  const Assembly assembly = assemble(mechanism);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  for (const auto& [form, opening] : kWays) {
    SCOPED_TRACE(fmt::format("{}, {}", wordFor(form), opening));
    EquationRequest request;
    request.form = form;
    request.torques = Torques::none;
    if (std::string_view(opening) == "split_bodies") request.opening = LoopOpening::split_bodies;
    const WrittenEquations written = writeEquations(mechanism, request);
    if (!written.program) {
      EXPECT_TRUE(hasCurve(mechanism) || (form != WrittenForm::absolute && GetParam() == "massless_coupler"))
          << written.problem;
      continue;
    }
    SystemOptions options = startingFrom(assembly);
    options.formulation = wordFor(form);
    options.opening = opening;
    const std::vector<double> start = assembly.state();
    const auto system = makeSystem(mechanism, options);
    std::vector<double> x = system->fromAbsolute(0.0, start);
    if (form == WrittenForm::hamiltonian && assembly.dependent_rows.empty()) disturbImpulses(*system, x);
    const auto work = system->makeWorkspace();
    std::vector<double> rates(x.size());
    ASSERT_EQ(system->derivative(0.0, x, system->startModes(), *work, rates), Eval::ok)
        << system->describeFailure(*work);
    const auto q = x.begin();
    const auto v = q + system->space().positions();
    const auto end = v + system->space().velocities();
    if (v == end) continue;  // drives leave nothing to find
    const auto [argument, output] = namesOf(form);
    const test::ProgramValues values(
        *written.program,
        {{"q", {q, v}}, {argument, {v, end}}, {"n", test::wholeTurns(mechanism, *written.program, start)}});
    const std::vector<double> found = values.output(output);
    const auto first = static_cast<std::size_t>(system->space().positions());
    double size = 1.0;
    for (std::size_t k = 0; k < found.size(); ++k) size = std::max(size, std::abs(rates[first + k]));
    // Redundant loops are solved in two ways, each with round-off that the condition of the loops enlarges.
    for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], rates[first + k], 1e-10 * size) << k;
    if (form != WrittenForm::hamiltonian && form != WrittenForm::quasivelocity) continue;
    const std::vector<double> qd = values.output("qd");
    ASSERT_EQ(qd.size(), first);
    for (std::size_t k = 0; k < first; ++k) size = std::max(size, std::abs(rates[k]));
    for (std::size_t k = 0; k < first; ++k) EXPECT_NEAR(qd[k], rates[k], 1e-10 * size) << "coordinate " << k;
  }
}

// The other tasks of absolute coordinates against the accelerations, which the test above has checked, and against each
// other:  M acc - Phi_q^T la = Q,  Phi_q acc = Gamma,  W = Phi_q^T la = M acc - Q.
class WrittenTasksOf : public ::testing::TestWithParam<std::string> {
 protected:
  using Arguments = std::map<std::string, std::vector<double>>;

  EquationProgram written(EquationTask task) const {
    EquationRequest request;
    request.form = WrittenForm::absolute;
    request.task = task;
    request.torques = Torques::none;
    WrittenEquations out = writeEquations(mechanism_, request);
    EXPECT_TRUE(out.program) << out.problem;
    return std::move(*out.program);
  }

  // Moving, so that nothing vanishes because it rests.
  Arguments state() const {
    const Assembly assembly = assemble(mechanism_);
    EXPECT_TRUE(assembly.ok) << assembly.problem;
    SystemOptions options = startingFrom(assembly);
    options.formulation = "absolute";
    const auto system = makeSystem(mechanism_, options);
    std::mt19937 random(5);
    const std::vector<double> x = randomState(*system, system->fromAbsolute(0.0, assembly.state()), 0.03, random);
    const auto v = x.begin() + system->space().positions();
    return {{"q", {x.begin(), v}}, {"v", {v, v + system->space().velocities()}}};
  }

  static Eigen::MatrixXd matrix(const std::vector<double>& entries, Eigen::Index cols) {
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<const Rows>(entries.data(), static_cast<Eigen::Index>(entries.size()) / cols, cols);
  }
  static Eigen::VectorXd vector(const std::vector<double>& entries) {
    return Eigen::Map<const Eigen::VectorXd>(entries.data(), static_cast<Eigen::Index>(entries.size()));
  }

  Mechanism mechanism_ = readShippedModel(GetParam());
};

TEST_P(WrittenTasksOf, AbsoluteCoordinatesFitTogether) {
  Arguments at = state();
  const EquationProgram forward = written(EquationTask::forward), reactions = written(EquationTask::reactions),
                        inverse = written(EquationTask::inverse), masses = written(EquationTask::mass_matrix);
  const Eigen::VectorXd acc = vector(test::ProgramValues(forward, at).output("acc"));
  const test::ProgramValues found(reactions, at), system(masses, at);
  const Eigen::VectorXd la = vector(found.output("lam")), W = vector(found.output("W"));
  const Eigen::Index n = acc.size();
  const Eigen::MatrixXd M = matrix(system.output("M"), n), Phi_q = matrix(system.output("Phi_q"), n);
  const Eigen::VectorXd Q = vector(system.output("Q")), Gamma = vector(system.output("Gamma"));
  const double size =
      1.0 + std::max({acc.lpNorm<Eigen::Infinity>(), W.lpNorm<Eigen::Infinity>(), (M * acc).lpNorm<Eigen::Infinity>()});
  const double enough = 1e-11 * size;  // round-off of a solution whose condition is below 1e4
  EXPECT_LT((M * acc - Phi_q.transpose() * la - Q).lpNorm<Eigen::Infinity>(), enough);
  EXPECT_LT((Phi_q * acc - Gamma).lpNorm<Eigen::Infinity>(), enough);
  EXPECT_LT((Phi_q.transpose() * la - W).lpNorm<Eigen::Infinity>(), enough);
  at["acc"].assign(acc.begin(), acc.end());
  EXPECT_LT((vector(test::ProgramValues(inverse, at).output("W")) - W).lpNorm<Eigen::Infinity>(), enough);
}

TEST_P(WrittenTasksOf, SmallMotionsAreDerivativesOfTheForces) {
  Arguments at = state();
  const EquationProgram masses = written(EquationTask::mass_matrix), linear = written(EquationTask::linear);
  const std::vector<double> la = test::ProgramValues(written(EquationTask::reactions), at).output("lam");
  const auto n = static_cast<Eigen::Index>(at["v"].size());
  const auto forces = [&](const Arguments& place) -> Eigen::VectorXd {
    const test::ProgramValues values(masses, place);
    return -vector(values.output("Q")) - matrix(values.output("Phi_q"), n).transpose() * vector(la);
  };
  Arguments with_multipliers = at;
  with_multipliers["la"] = la;
  const test::ProgramValues found(linear, with_multipliers);
  for (const auto& [input, output] : {std::pair{"q", "K"}, {"v", "D"}}) {
    const auto cols = static_cast<Eigen::Index>(at[input].size());
    const Eigen::MatrixXd derivative = matrix(found.output(output), cols);
    const double size = 1.0 + derivative.lpNorm<Eigen::Infinity>() + forces(at).lpNorm<Eigen::Infinity>();
    for (Eigen::Index k = 0; k < cols; ++k) {
      constexpr double kStep = 1e-5;
      Arguments up = at, down = at;
      up[input][static_cast<std::size_t>(k)] += kStep;
      down[input][static_cast<std::size_t>(k)] -= kStep;
      const Eigen::VectorXd difference = (forces(up) - forces(down)) / (2.0 * kStep);
      // The step leaves kStep^2 of a third derivative and round-off over kStep.
      EXPECT_LT((difference - derivative.col(k)).lpNorm<Eigen::Infinity>(), 1e-7 * size) << output << " " << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Some, WrittenTasksOf,
                         ::testing::Values("four_bar", "slider_on_spring_with_pendulum", "heavy_top", "rssr",
                                           "spatial_slider_crank"),
                         [](const auto& instance) { return instance.param; });

// Links by letters of their own or by the parameters of the model: the same accelerations.
TEST_P(WrittenEquationsOf, LinksOfHingesDoNotDependOnTheLetters) {
  const Mechanism mechanism = readShippedModel(GetParam());
  const Assembly assembly = assemble(mechanism);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  for (const WrittenForm form : {WrittenForm::rud, WrittenForm::statement5, WrittenForm::elimination}) {
    EquationRequest request;
    request.form = form;
    const WrittenEquations by_links = writeEquations(mechanism, request);
    if (!by_links.program) continue;  // not a linkage of hinges
    request.letters = LinkLetters::model;
    const WrittenEquations by_model = writeEquations(mechanism, request);
    ASSERT_TRUE(by_model.program) << by_model.problem;
    // Any angles will do where nothing closes; loops that do not close have accelerations too.
    std::map<std::string, std::vector<double>> at;
    for (const char* array : {"al", "w", "q", "qd", "M"}) {
      for (std::size_t k = 0; k < mechanism.bodies.size(); ++k)
        at[array].push_back(0.3 + 0.7 * std::cos(3.0 * static_cast<double>(k)));
    }
    const auto output = [&](const EquationProgram& program) {
      return test::ProgramValues(program, at).output(program.outputs.front().letter);
    };
    const std::vector<double> expected = output(*by_links.program), found = output(*by_model.program);
    ASSERT_EQ(found.size(), expected.size());
    double size = 1.0;
    for (const double value : expected) size = std::max(size, std::abs(value));
    // Round-off that the condition of the loops enlarges.
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_NEAR(found[k], expected[k], 1e-10 * size) << wordFor(form) << " " << k;
  }
}

// SymPy's Kane with shared parts: 1487 products and 959 sums for the same bicycle, and a solve of six.
TEST(WrittenEquations, OfABicycleTakeFewerOperationsThanComputerAlgebra) {
  EquationRequest request;
  request.form = WrittenForm::quasivelocity;
  const WrittenEquations written = writeEquations(readShippedModel("bicycle"), request);
  ASSERT_TRUE(written.program) << written.problem;
  const ProgramSteps steps = stepsOf(*written.program);
  EXPECT_LT(steps.count.mul, 1487);
  EXPECT_LT(steps.count.add, 959);
  EXPECT_LE(steps.solve.size(), 6U);
}

INSTANTIATE_TEST_SUITE_P(All, WrittenEquationsOf, ::testing::ValuesIn(shippedModels()),
                         [](const auto& instance) { return instance.param; });

// The hinge forces of every form in absolute angles, and of every form in the joints' own.
TEST(WrittenReactions, OfLinkageFormsAreTheSame) {
  const WrittenForm forms[] = {WrittenForm::statement1, WrittenForm::rud,        WrittenForm::statement2,
                               WrittenForm::statement3, WrittenForm::statement4, WrittenForm::statement5,
                               WrittenForm::statement6};
  for (const char* name : {"double_pendulum", "four_bar", "stephenson_six_bar"}) {
    const Mechanism mechanism = readShippedModel(name);
    std::map<bool, std::vector<double>> wanted_of;
    for (const WrittenForm form : forms) {
      SCOPED_TRACE(fmt::format("{}, form {}", name, static_cast<int>(form)));
      EquationRequest request;
      request.form = form;
      request.task = EquationTask::reactions;
      const WrittenEquations written = writeEquations(mechanism, request);
      ASSERT_TRUE(written.program) << written.problem;
      const bool relative = form >= WrittenForm::statement4;
      const std::vector<double> angle{0.4, -0.3, 0.9, 1.7, -0.8, 0.2, 0.5, -1.1};
      const std::vector<double> rate{1.3, 0.6, -0.7, 2.1, 0.4, -1.5, 0.9, 0.3};
      const char* const names[2] = {relative ? "q" : "al", relative ? "qd" : "w"};
      const std::vector<double> found =
          test::ProgramValues(*written.program,
                              {{names[0], angle}, {names[1], rate}, {"M", std::vector<double>(8, 0.7)}})
              .output("N");
      std::vector<double>& wanted = wanted_of[relative];
      if (wanted.empty()) wanted = found;
      ASSERT_EQ(found.size(), wanted.size());
      for (std::size_t k = 0; k < found.size(); ++k) {
        EXPECT_NEAR(found[k], wanted[k], 1e-10 * (1.0 + std::abs(wanted[k])));  // round-off of a solved loop
      }
    }
  }
}

}  // namespace written_equations_test
}  // namespace linkwork::validation
