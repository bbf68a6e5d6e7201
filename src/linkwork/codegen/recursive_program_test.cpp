// The written equations of trees and loops, evaluated, against the system that simulates them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <map>
#include <random>

#include "linkwork/codegen/equation_forms.hpp"
#include "linkwork/formulation/make_system.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/model/test_mechanisms.hpp"
#include "linkwork/recursion/trees_for_tests.hpp"

namespace linkwork {
namespace {

// Accelerations as the program of forward dynamics gives them at a state [q, u, ...].
std::vector<double> accelerationsWritten(const EquationProgram& program, double t, std::span<const double> q,
                                         std::span<const double> u) {
  std::map<std::string, double> values;
  for (const ProgramSymbol& s : program.symbols()) {
    const auto k = static_cast<std::size_t>(std::max(s.index, 0));
    const double value = s.array == "t" ? t : s.array == "q" ? q[k] : s.array == "u" ? u[k] : s.value;
    values[s.symbol.name()] = value;
  }
  const auto numbers = [&](std::span<const Expr> es) {
    const std::vector<Expr> formulas = program.expanded(es);
    Eigen::VectorXd out(static_cast<Eigen::Index>(formulas.size()));
    for (std::size_t k = 0; k < formulas.size(); ++k) out[static_cast<Eigen::Index>(k)] = evaluate(formulas[k], values);
    return out;
  };
  const ProgramSolve& solve = program.solve;
  if (!solve.empty()) {
    const auto n = static_cast<Eigen::Index>(solve.unknowns.size());
    const Eigen::VectorXd entries = numbers(solve.matrix);
    const Eigen::MatrixXd matrix = Eigen::Map<const Eigen::MatrixXd>(entries.data(), n, n);
    // Rows that repeat others leave the matrix singular; the accelerations do not depend on the choice.
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor(n, n);
    factor.setThreshold(1e-11);
    factor.compute(matrix);
    const Eigen::VectorXd found = factor.solve(numbers(solve.right));
    for (Eigen::Index k = 0; k < n; ++k) values[solve.unknowns[static_cast<std::size_t>(k)].name()] = found[k];
  }
  const Eigen::VectorXd out = numbers(program.outputs.front().entries);
  return {out.begin(), out.end()};
}

void expectAsSimulated(const Mechanism& mechanism, std::vector<double> absolute) {
  EquationRequest request;
  request.form = WrittenForm::recursive;
  request.torques = Torques::none;
  const WrittenEquations written = writeEquations(mechanism, request);
  ASSERT_TRUE(written.program) << written.problem;
  SystemOptions options;
  const auto start = makeSystem(mechanism, options);
  const auto start_work = start->makeWorkspace();
  ASSERT_EQ(start->afterStep(0.0, absolute, *start_work).eval, Eval::ok);
  options.formulation = "recursive";
  const auto system = makeSystem(mechanism, options);
  const std::vector<double> x = system->fromAbsolute(0.0, absolute);
  const auto work = system->makeWorkspace();
  std::vector<double> rates(x.size());
  ASSERT_EQ(system->derivative(0.0, x, *work, rates), Eval::ok) << system->describeFailure(*work);
  const auto positions = static_cast<std::size_t>(system->space().positions());
  const auto velocities = static_cast<std::size_t>(system->space().velocities());
  const std::vector<double> found = accelerationsWritten(*written.program, 0.0, std::span(x).first(positions),
                                                         std::span(x).subspan(positions, velocities));
  ASSERT_EQ(found.size(), velocities);
  double size = 1.0;
  for (std::size_t k = 0; k < velocities; ++k) size = std::max(size, std::abs(rates[positions + k]));
  // Round-off of some thousand operations.
  for (std::size_t k = 0; k < velocities; ++k) EXPECT_NEAR(found[k], rates[positions + k], 1e-11 * size) << k;
}

// The drawn bodies with some velocities; in space also with some turns, so that no angle is special.
std::vector<double> shakenState(const Mechanism& mechanism, double size) {
  const auto system = makeSystem(mechanism, {});
  std::vector<double> x(static_cast<std::size_t>(system->space().size()));
  const std::size_t coordinates = mechanism.space == Space::spatial ? 7 : 3;
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const Body& body = mechanism.bodies[b];
    const double c = std::cos(body.drawn.angle);
    const double s = std::sin(body.drawn.angle);
    double* q = &x[coordinates * b];
    q[0] = body.drawn.x + c * body.com[0].number - s * body.com[1].number;
    q[1] = body.drawn.y + s * body.com[0].number + c * body.com[1].number;
    if (coordinates == 3) {
      q[2] = body.drawn.angle;
    } else {
      q[3] = std::cos(0.5 * body.drawn.angle);
      q[6] = std::sin(0.5 * body.drawn.angle);
    }
    for (std::size_t k = 0; k < coordinates; ++k) q[k] += size * uniform(engine);
  }
  for (std::size_t k = coordinates * mechanism.bodies.size(); k + 1 < x.size(); ++k) x[k] = uniform(engine);
  return x;
}

TEST(RecursiveProgram, OfATreeIsWhatIsSimulated) {
  const Mechanism m = test::sliderPendulum();
  expectAsSimulated(m, shakenState(m, 0.1));
}

TEST(RecursiveProgram, OfAPlanarLoopIsWhatIsSimulated) {
  const Mechanism m = test::fourBar();
  expectAsSimulated(m, shakenState(m, 0.0));
}

TEST(RecursiveProgram, OfARedundantLoopInSpaceIsWhatIsSimulated) {
  const Mechanism m = liftToSpace(test::fourBar());
  expectAsSimulated(m, shakenState(m, 0.0));
}

TEST(RecursiveProgram, OfTreesOfAllJointsIsWhatTheKernelsCompute) {
  for (const bool spatial : {false, true}) {
    std::vector<JointKind> kinds = test::treeKinds(spatial);
    std::erase(kinds, JointKind::screw);                                        // counts turns, and is refused
    const test::RandomTree random = test::randomTree(spatial, 7, kinds, true);  // a chain: numbered in one way only
    EquationRequest request;
    request.form = WrittenForm::recursive;
    request.torques = Torques::none;
    const WrittenEquations written = writeEquations(random.mechanism, request);
    ASSERT_TRUE(written.program) << written.problem;
    const auto compare = [&]<class G>(G /*geometry*/) {
      test::TreeState<G> state(random, 0, 3);
      ArticulatedFactor<G> factor(state.tree);
      TreeSolve<G> solve(state.tree);
      std::vector<double> udot(state.u.size());
      factorTree<G>(state.tree, state.pk, factor);
      forwardDynamics<G>(state.tree, state.pk, state.vk, factor, {}, {state.tree.gravity, {}}, solve, udot);
      const std::vector<double> found = accelerationsWritten(*written.program, 0.0, state.q, state.u);
      ASSERT_EQ(found.size(), udot.size());
      double size = 1.0;
      for (const double a : udot) size = std::max(size, std::abs(a));
      for (std::size_t k = 0; k < udot.size(); ++k) EXPECT_NEAR(found[k], udot[k], 1e-11 * size) << spatial << k;
    };
    if (spatial) {
      compare(Spatial<double>{});
    } else {
      compare(Planar<double>{});
    }
  }
}

}  // namespace
}  // namespace linkwork
