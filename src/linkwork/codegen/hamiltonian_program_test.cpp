// The written equations in impulses, evaluated, against the system that simulates them, against each other, and as
// text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "linkwork/codegen/equation_counts.hpp"
#include "linkwork/codegen/equation_forms.hpp"
#include "linkwork/codegen/linkages_for_tests.hpp"
#include "linkwork/codegen/program_printers.hpp"
#include "linkwork/codegen/program_values_for_tests.hpp"
#include "linkwork/codegen/shaken_state_for_tests.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/model/test_mechanisms.hpp"
#include "linkwork/recursion/trees_for_tests.hpp"

namespace linkwork {
namespace hamiltonian_program_test {

using test::ProgramValues;
using test::shakenState;

EquationProgram programFor(const Mechanism& mechanism, EquationTask task = EquationTask::forward,
                           LoopOpening opening = LoopOpening::cut_joints) {
  EquationRequest request;
  request.opening = opening;
  request.form = WrittenForm::hamiltonian;
  request.task = task;
  request.torques = Torques::none;
  WrittenEquations written = writeEquations(mechanism, request);
  expect(written.program.has_value(), written.problem);
  return std::move(*written.program);
}

double largestOf(const std::vector<double>& list) {
  double out = 1.0;
  for (const double entry : list) out = std::max(out, std::abs(entry));
  return out;
}

void expectNear(const std::vector<double>& found, const std::vector<double>& wanted, double tolerance,
                const char* what) {
  ASSERT_EQ(found.size(), wanted.size()) << what;
  const double size = largestOf(wanted);
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], wanted[k], tolerance * size) << what << " " << k;
}

// A closed state in joint coordinates, with impulses that belong to no motion of the loops: eta has to close them.
struct Trial {
  explicit Trial(const Mechanism& mechanism, double size = 0.0, double impulse = 1.0,
                 const char* opening = "cut_joints") {
    SystemOptions options;
    options.stabilisation = "none";
    options.formulation = "hamiltonian";
    options.opening = opening;
    system = makeSystem(mechanism, options);
    const auto start = makeSystem(mechanism, {});
    const auto start_work = start->makeWorkspace();
    std::vector<double> absolute = shakenState(mechanism, size);
    expect(start->afterStep(0.0, absolute, start->startModes(), *start_work).eval == Eval::ok, "no closed state");
    x = system->fromAbsolute(0.0, absolute);
    positions = static_cast<std::size_t>(system->space().positions());
    velocities = static_cast<std::size_t>(system->space().velocities());
    std::mt19937 engine(9);
    std::uniform_real_distribution<double> uniform(-impulse, impulse);
    for (std::size_t k = 0; k < velocities; ++k) x[positions + k] += uniform(engine);
    xdot.resize(x.size());
    const auto work = system->makeWorkspace();
    expect(system->derivative(0.0, x, system->startModes(), *work, xdot) == Eval::ok, system->describeFailure(*work));
  }

  static std::vector<double> part(const std::vector<double>& of, std::size_t first, std::size_t count) {
    const auto begin = of.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }
  std::vector<double> q() const { return part(x, 0, positions); }
  std::vector<double> p() const { return part(x, positions, velocities); }

  std::unique_ptr<MechanismSystem> system;
  std::vector<double> x, xdot;
  std::size_t positions = 0, velocities = 0;
};

// Round-off of some thousand operations, and of two ways to solve for eta.
constexpr double kAgreement = 1e-12;

void expectAsSimulated(const Mechanism& mechanism, const Trial& trial, LoopOpening opening = LoopOpening::cut_joints) {
  const EquationProgram program = programFor(mechanism, EquationTask::forward, opening);
  const ProgramValues values(program, {{"q", trial.q()}, {"p", trial.p()}});
  expectNear(values.output("qd"), Trial::part(trial.xdot, 0, trial.positions), kAgreement, "qd");
  expectNear(values.output("pd"), Trial::part(trial.xdot, trial.positions, trial.velocities), kAgreement, "pd");
}

TEST(HamiltonianProgram, OfTreesInThePlaneIsWhatIsSimulated) {
  for (const Mechanism& m : {test::chainOf(4, test::Lines::general), test::forkOfThree(), test::sliderPendulum()})
    expectAsSimulated(m, Trial(m, 0.1));
}

TEST(HamiltonianProgram, OfAPlanarLoopIsWhatIsSimulated) {
  for (const Mechanism& m : {test::fourBar(), test::crankSlider()}) {
    expectAsSimulated(m, Trial(m));
    EXPECT_GT(largestOf(ProgramValues(programFor(m), {{"q", Trial(m).q()}, {"p", Trial(m).p()}}).output("eta")), 0.1);
  }
}

// With rows that depend on others eta is one of many, and p*' with it, but not at eta = 0.
TEST(HamiltonianProgram, OfARedundantLoopInSpaceIsWhatIsSimulated) {
  const Mechanism m = liftToSpace(test::fourBar());
  expectAsSimulated(m, Trial(m, 0.0, 0.0));
}

// The images have coordinates and impulses of their own, and the rows hold them together.
TEST(HamiltonianProgram, OfSplitBodiesIsWhatIsSimulated) {
  Mechanism shared = test::fourBar();
  shared.splits = {{BodyIndex(1), {{0.3, 0.25, {JointIndex(2)}}}}};  // the coupler, whose image takes over B
  for (const Mechanism& m : {test::fourBar(), shared}) {
    const Trial trial(m, 0.0, 1.0, "split_bodies");
    EXPECT_EQ(trial.q().size(), m.bodies.size() + 1);  // one more link
    expectAsSimulated(m, trial, LoopOpening::split_bodies);
    const EquationProgram program = programFor(m, EquationTask::forward, LoopOpening::split_bodies);
    const ProgramValues values(program, {{"q", trial.q()}, {"p", trial.p()}});
    EXPECT_EQ(values.output("eta").size(), 3U);
    EXPECT_GT(largestOf(values.output("eta")), 0.1);
  }
  // In space all six rows of an image, and some depend on others: at eta = 0.
  const Mechanism lifted = liftToSpace(test::fourBar());
  expectAsSimulated(lifted, Trial(lifted, 0.0, 0.0, "split_bodies"), LoopOpening::split_bodies);
}

// Every kind of joint that carries a link, at random states: quaternions, slides that turn with a link, cross joints.
TEST(HamiltonianProgram, OfTreesOfAllJointsIsWhatIsSimulated) {
  for (const bool spatial : {false, true}) {
    const test::RandomTree random = test::randomTree(spatial, 7, test::treeKinds(spatial), true);
    SystemOptions options;
    options.formulation = "hamiltonian";
    options.stabilisation = "none";
    const auto system = makeSystem(random.mechanism, options);
    const EquationProgram program = programFor(random.mechanism);
    const auto compare = [&]<class G>(G /*geometry*/) {
      const test::TreeState<G> state(random, 0, 3);
      std::vector<double> x = state.q;
      x.insert(x.end(), state.u.begin(), state.u.end());  // as impulses: numbers as good as any
      x.resize(static_cast<std::size_t>(system->space().size()));
      const auto work = system->makeWorkspace();
      std::vector<double> xdot(x.size());
      ASSERT_EQ(system->derivative(0.0, x, system->startModes(), *work, xdot), Eval::ok)
          << system->describeFailure(*work);
      const ProgramValues values(program, {{"q", state.q}, {"p", state.u}});
      expectNear(values.output("qd"), Trial::part(xdot, 0, state.q.size()), kAgreement, "qd");
      expectNear(values.output("pd"), Trial::part(xdot, state.q.size(), state.u.size()), kAgreement, "pd");
    };
    if (spatial) {
      compare(Spatial<double>{});
    } else {
      compare(Planar<double>{});
    }
  }
}

TEST(HamiltonianProgram, HasVelocitiesThatDoNotDependOnTheGauge) {
  const Mechanism m = test::fourBar();
  const Trial trial(m);
  const EquationProgram program = programFor(m);
  const ProgramValues first(program, {{"q", trial.q()}, {"p", trial.p()}});
  const std::vector<double> J = ProgramValues(programFor(m, EquationTask::mass_matrix), {{"q", trial.q()}}).output("J");
  const std::vector<double> c = {0.7, -1.3};
  std::vector<double> p = trial.p();
  std::vector<double> eta = first.output("eta");
  for (std::size_t r = 0; r < c.size(); ++r) {
    for (std::size_t i = 0; i < p.size(); ++i) p[i] += J[r * p.size() + i] * c[r];
    eta[r] -= c[r];
  }
  const ProgramValues second(program, {{"q", trial.q()}, {"p", p}});
  expectNear(second.output("qd"), first.output("qd"), kAgreement, "qd");
  expectNear(second.output("eta"), eta, kAgreement, "eta");
  // The rates of the impulses tell the gauges apart, or the motion would be the paper's.
  EXPECT_GT(std::abs(second.output("pd")[0] - first.output("pd")[0]), 1e-3);
}

// M u - J^T eta = p*,  J u = 0
TEST(HamiltonianProgram, MassMatrixAndRowsHoldItsVelocities) {
  const Mechanism m = test::fourBar();
  const Trial trial(m);
  const EquationProgram velocities = programFor(m), equations = programFor(m, EquationTask::mass_matrix);
  const ProgramValues forward(velocities, {{"q", trial.q()}, {"p", trial.p()}});
  const ProgramValues matrix(equations, {{"q", trial.q()}, {"p", trial.p()}});
  const std::vector<double> u = forward.output("qd"), eta = forward.output("eta"), M = matrix.output("M"),
                            J = matrix.output("J"), right = matrix.output("right");
  std::vector<double> sum(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    for (std::size_t k = 0; k < u.size(); ++k) sum[i] += M[i * u.size() + k] * u[k];
    for (std::size_t r = 0; r < eta.size(); ++r) sum[i] -= J[r * u.size() + i] * eta[r];
  }
  expectNear(sum, matrix.output("rhs"), kAgreement, "impulses");
  std::vector<double> open(eta.size());
  for (std::size_t r = 0; r < eta.size(); ++r) {
    for (std::size_t k = 0; k < u.size(); ++k) open[r] += J[r * u.size() + k] * u[k];
  }
  expectNear(open, right, kAgreement, "rows");
}

TEST(HamiltonianProgram, InverseGivesBackTheImpulsesOfATree) {
  for (const Mechanism& m : {test::chainOf(3, test::Lines::general), test::sliderPendulum()}) {
    const Trial trial(m, 0.1);
    const EquationProgram velocities = programFor(m), impulses = programFor(m, EquationTask::inverse);
    const ProgramValues forward(velocities, {{"q", trial.q()}, {"p", trial.p()}});
    const ProgramValues back(impulses, {{"q", trial.q()}, {"u", forward.output("qd")}});
    expectNear(back.output("p"), trial.p(), kAgreement, "p");
  }
}

std::string textOf(const Mechanism& mechanism) {
  EquationRequest request;
  request.form = WrittenForm::hamiltonian;
  return programText(*writeEquations(mechanism, request).program);
}

TEST(HamiltonianProgram, ReadsAsItIsComputed) {
  const std::string tree = textOf(test::chainOf(2));
  EXPECT_THAT(tree, ::testing::HasSubstr("  e_1    = p_1 - phin_1 "));
  EXPECT_THAT(tree, ::testing::HasSubstr("  vy_2 = Rx_2 q_1' "));
  EXPECT_THAT(tree, ::testing::HasSubstr("  pd_2 = tau_2 - vx_2 Py_2 + vy_2 Px_2 + n_2\n"));
  EXPECT_THAT(tree, ::testing::Not(::testing::HasSubstr("eta")));
  const std::string loop = textOf(test::fourBar());
  EXPECT_THAT(loop, ::testing::HasSubstr("  ec_2 = p_2 + W_12 eta_1 + W_22 eta_2 "));
  EXPECT_THAT(loop, ::testing::HasSubstr("  Phi_11 eta_1 + Phi_21 eta_2 = -b_1\n"));
}

TEST(HamiltonianProgram, SaysWhichTasksItHasNot) {
  const Mechanism m = test::fourBar();
  EXPECT_THAT(whyNotForm(m, WrittenForm::hamiltonian, EquationTask::linear),
              ::testing::HasSubstr("recursive writes them"));
  EXPECT_THAT(whyNotForm(m, WrittenForm::hamiltonian, EquationTask::reactions),
              ::testing::HasSubstr("recursive and absolute write them"));
}

// What it finds is no acceleration: it may be the cheapest and still is not advised.
TEST(HamiltonianProgram, IsCountedButNotAdvisedForAccelerations) {
  const std::vector<FormCost> costs = costsOfForms(test::sliderPendulum(), {});
  const bool counted = std::any_of(costs.begin(), costs.end(), [](const FormCost& c) {
    return c.form == WrittenForm::hamiltonian && c.fits_forward && c.forward.mul > 0;
  });
  EXPECT_TRUE(counted);
  std::vector<std::string> advice = costsAdvice(costs);
  ASSERT_FALSE(advice.empty());
  EXPECT_THAT(advice.back(), ::testing::HasSubstr("rates of impulses from impulses"));
  advice.pop_back();
  for (const std::string& line : advice) EXPECT_THAT(line, ::testing::Not(::testing::HasSubstr("hamiltonian")));
}

}  // namespace hamiltonian_program_test
}  // namespace linkwork
