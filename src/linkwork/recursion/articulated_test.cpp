#include "linkwork/recursion/articulated.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <functional>
#include <map>
#include <string>

#include "linkwork/base/index.hpp"
#include "linkwork/linalg/allocation_counter_for_tests.hpp"
#include "linkwork/recursion/articulated_impl.hpp"
#include "linkwork/recursion/trees_for_tests.hpp"
#include "linkwork/scalar/tape.hpp"

namespace linkwork {
namespace articulated_test {

using PlaneD = Planar<double>;
using SpaceD = Spatial<double>;

template <class G>
class ArticulatedTree : public ::testing::Test {};
using Geometries = ::testing::Types<PlaneD, SpaceD>;
TYPED_TEST_SUITE(ArticulatedTree, Geometries);

// Twenty links with inertias between 0.1 and 2: pivots do not get small.
constexpr double kRoundOff = 1e-10;

template <class G>
std::vector<double> freeEfforts(const Tree<G>& tree, const InverseDynamics<G>& inverse) {
  std::vector<double> tau(at(tree.freedoms));
  for (std::size_t c = 0; c < tree.columns.size(); ++c) {
    if (tree.columns[c].freedom >= 0) tau[at(tree.columns[c].freedom)] = inverse.tau[c];
  }
  return tau;
}

TYPED_TEST(ArticulatedTree, ForwardDynamicsUndoesInverseDynamicsOnRandomTrees) {
  using G = TypeParam;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    test::RandomTree random = test::mixedTree(G::kSpatial, seed);
    const int motions = test::prescribeSome(random);
    const test::TreeState<G> state(random, motions, seed);
    InverseDynamics<G> inverse(state.tree);
    inverseDynamics<G>(state.tree, state.pk, state.vk, state.udot, state.loads(), inverse);
    ArticulatedFactor<G> factor(state.tree);
    factorTree<G>(state.tree, state.pk, factor);
    TreeSolve<G> solve(state.tree);
    std::vector<double> udot(state.u.size());
    forwardDynamics<G>(state.tree, state.pk, state.vk, factor, freeEfforts(state.tree, inverse), state.loads(), solve,
                       udot);
    for (std::size_t k = 0; k < udot.size(); ++k) EXPECT_NEAR(udot[k], state.udot[k], kRoundOff) << "seed " << seed;
    for (int k = 0; k < state.tree.size(); ++k) {
      for (int c = 0; c < G::kFreedoms; ++c) {
        EXPECT_NEAR(solve.A[at(k)][c], inverse.A[at(k)][c], kRoundOff);
        EXPECT_NEAR(solve.F[at(k)][c], inverse.F[at(k)][c], kRoundOff);
      }
    }
  }
}

template <class G>
Eigen::MatrixXd denseMass(const test::TreeState<G>& state) {
  TreeMassMatrix<G> M(state.tree);
  massMatrix<G>(state.tree, state.pk, M);
  return Eigen::Map<Eigen::MatrixXd>(M.entries.data(), M.size, M.size);
}

TYPED_TEST(ArticulatedTree, SolvesWithTheMassMatrix) {
  using G = TypeParam;
  test::RandomTree random = test::mixedTree(G::kSpatial, 2);
  const int motions = test::prescribeSome(random);
  const test::TreeState<G> state(random, motions, 2);
  ArticulatedFactor<G> factor(state.tree);
  factorTree<G>(state.tree, state.pk, factor);
  TreeSolve<G> solve(state.tree);
  std::vector<double> x = state.udot;
  solveInwards<G>(state.tree, state.pk, factor, x, {}, solve);  // x <- M^-1 x
  solveOutwards<G>(state.tree, state.pk, factor, {}, {}, solve, x);
  const auto n = static_cast<Eigen::Index>(x.size());
  const Eigen::VectorXd back = denseMass(state) * Eigen::Map<Eigen::VectorXd>(x.data(), n);
  for (Eigen::Index k = 0; k < n; ++k) EXPECT_NEAR(back[k], state.udot[static_cast<std::size_t>(k)], kRoundOff);
  // The pivots are those of the mass matrix: their product is its determinant.
  double log_pivots = 0.0;
  for (std::size_t c = 0; c < state.tree.columns.size(); ++c) {
    if (state.tree.columns[c].freedom >= 0) log_pivots += std::log(factor.pivot[c]);
  }
  EXPECT_NEAR(log_pivots, std::log(denseMass(state).determinant()), kRoundOff);
}

// Velocities from impulses, with prescribed joints: the momenta of a moving tree give its velocities back.
TYPED_TEST(ArticulatedTree, GivesVelocitiesFromImpulses) {
  using G = TypeParam;
  using Link = LinkAxes<G>;
  test::RandomTree random = test::mixedTree(G::kSpatial, 4);
  const int motions = test::prescribeSome(random);
  const test::TreeState<G> state(random, motions, 4);
  const Tree<G>& tree = state.tree;
  // Impulses p = s^T (momentum of all that a link carries).
  std::vector<typename Link::Force> momentum(tree.links.size());
  std::vector<double> impulses(state.u.size());
  std::vector<typename Link::Motion> prescribed(tree.links.size());
  for (int k = 0; k < tree.size(); ++k) momentum[at(k)] = Link::times(state.pk.rigid[at(k)], state.vk.V[at(k)]);
  for (int k = tree.size() - 1; k >= 0; --k) {
    int i = tree.links[at(k)].first_column;
    for (const TreeColumn& c : tree.columnsOf(k)) {
      if (c.freedom >= 0) impulses[at(c.freedom)] = along(c, state.pk.s[at(i)], momentum[at(k)]);
      if (c.freedom < 0) prescribed[at(k)].add(state.pk.s[at(i)], state.motions[at(c.motion)].fdot);
      ++i;
    }
    const int parent = tree.links[at(k)].parent;
    if (parent >= 0) momentum[at(parent)] += Link::intoParent(state.pk.step[at(k)], momentum[at(k)]);
  }
  ArticulatedFactor<G> factor(tree);
  factorTree<G>(tree, state.pk, factor);
  TreeSolve<G> solve(tree);
  std::vector<double> u(state.u.size());
  solveInwards<G>(tree, state.pk, factor, impulses, prescribed, solve);
  solveOutwards<G>(tree, state.pk, factor, {}, prescribed, solve, u);
  for (std::size_t k = 0; k < u.size(); ++k) EXPECT_NEAR(u[k], state.u[k], kRoundOff);
}

TYPED_TEST(ArticulatedTree, RowsOfBodiesBecomeRowsOfJoints) {
  using G = TypeParam;
  test::RandomTree random = test::mixedTree(G::kSpatial, 6);
  const int motions = test::prescribeSome(random);
  test::TreeState<G> state(random, motions, 6);
  for (Motion<double>& motion : state.motions) motion.fdot = 0.0;
  state.evaluate();
  const Tree<G>& tree = state.tree;
  ArticulatedFactor<G> factor(tree);
  factorTree<G>(tree, state.pk, factor);
  const auto n = static_cast<Eigen::Index>(state.u.size());
  const int bodies = tree.size();
  Eigen::MatrixXd rows(bodies, n);
  Eigen::MatrixXd w = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(tree.columns.size()), bodies);
  test::Dice dice(6);
  std::vector<typename LinkAxes<G>::Force> forces(tree.links.size());
  // Each row touches a body and the next.
  for (int r = 0; r < bodies; ++r) {
    std::vector<double> row(state.u.size());
    double rate = 0.0;
    std::vector<bool> on_path(tree.links.size());
    for (const int body : {r, (r + 1) % bodies}) {
      typename G::RowBlock block;
      for (double& entry : block) entry = dice();
      addJointRow<G>(tree, state.pk, body, block, row);
      rate += G::power(wrenchOf<G>(block, 1.0), state.vk.body[at(body)]);
      forces[at(tree.link_of_body[at(body)])] +=
          linkForce<G>(tree, state.pk, tree.link_of_body[at(body)], wrenchOf<G>(block, 1.0));
      for (int k = tree.link_of_body[at(body)]; k >= 0; k = tree.links[at(k)].parent) on_path[at(k)] = true;
    }
    double by_joints = 0.0;
    for (std::size_t k = 0; k < row.size(); ++k) by_joints += row[k] * state.u[k];
    EXPECT_NEAR(by_joints, rate, 1e-12);
    rows.row(r) = Eigen::Map<Eigen::RowVectorXd>(row.data(), n);
    std::vector<int> path;
    for (int k = tree.size() - 1; k >= 0; --k) {
      if (on_path[at(k)]) path.push_back(k);
    }
    eliminateRow<G>(tree, state.pk, factor, path, forces, {w.col(r).data(), tree.columns.size()});
  }
  Eigen::VectorXd inverse = Eigen::VectorXd::Zero(w.rows());
  for (Eigen::Index c = 0; c < w.rows(); ++c) inverse[c] = factor.inverse[static_cast<std::size_t>(c)];
  const Eigen::MatrixXd by_sweeps = w.transpose() * inverse.asDiagonal() * w;
  const Eigen::MatrixXd dense = rows * denseMass(state).ldlt().solve(rows.transpose());
  EXPECT_LT((by_sweeps - dense).cwiseAbs().maxCoeff(), kRoundOff * dense.cwiseAbs().maxCoeff());
  for (const auto& f : forces) EXPECT_EQ(dot(f, f), 0.0);
}

TYPED_TEST(ArticulatedTree, DoesNotAllocate) {
  using G = TypeParam;
  const test::RandomTree random = test::mixedTree(G::kSpatial, 1);
  test::TreeState<G> state(random, 0, 1);
  ArticulatedFactor<G> factor(state.tree);
  TreeSolve<G> solve(state.tree);
  InverseDynamics<G> inverse(state.tree);
  TreeMassMatrix<G> mass(state.tree);
  std::vector<double> udot(state.u.size());
  const long before = test::allocation_count;
  state.evaluate();
  factorTree<G>(state.tree, state.pk, factor);
  forwardDynamics<G>(state.tree, state.pk, state.vk, factor, {}, state.loads(), solve, udot);
  inverseDynamics<G>(state.tree, state.pk, state.vk, udot, state.loads(), inverse);
  massMatrix<G>(state.tree, state.pk, mass);
  EXPECT_EQ(test::allocation_count - before, 0);
}

template <class G>
using InLetters = std::conditional_t<G::kSpatial, Spatial<Expr>, Planar<Expr>>;

// Forward dynamics with a letter for every coordinate, velocity and effort.
template <class G, class Let>
std::vector<Expr> writtenOut(const test::RandomTree& random, std::vector<std::string>& inputs, const Let& let) {
  using GE = InLetters<G>;
  const Tree<GE> tree = makeTree<GE>(random.mechanism, random.edges);
  const auto letters = [&](const std::string& letter, int count) {
    std::vector<Expr> out;
    for (int k = 0; k < count; ++k) {
      inputs.push_back(letter + std::to_string(k + 1));
      out.push_back(Expr::symbol(inputs.back()));
    }
    return out;
  };
  const std::vector<Expr> q = letters("q", tree.coordinates);
  const std::vector<Expr> u = letters("u", tree.freedoms);
  const std::vector<Expr> tau = letters("M", tree.freedoms);
  PositionKinematics<GE> pk(tree);
  VelocityKinematics<GE> vk(tree);
  ArticulatedFactor<GE> factor(tree);
  TreeSolve<GE> solve(tree);
  std::vector<Expr> udot(u.size());
  positionKinematics<GE>(tree, q, {}, pk, let);
  velocityKinematics<GE>(tree, pk, u, {}, vk, let);
  factorTree<GE>(tree, pk, factor, let);
  forwardDynamics<GE>(tree, pk, vk, factor, tau, {tree.gravity, {}}, solve, udot, let);
  return udot;
}

TYPED_TEST(ArticulatedTree, WritesItselfOutInLetters) {
  using G = TypeParam;
  const test::RandomTree random = test::mixedTree(G::kSpatial, 5);
  const test::TreeState<G> state(random, 0, 5);
  std::vector<std::string> names;
  const std::vector<Expr> formulas = writtenOut<G>(random, names, Unnamed{});
  const Tape tape(formulas, names);
  std::vector<double> inputs = state.q;
  inputs.insert(inputs.end(), state.u.begin(), state.u.end());
  inputs.insert(inputs.end(), state.udot.begin(), state.udot.end());  // as efforts
  std::vector<double> scratch(tape.scratchSize());
  std::vector<double> written(tape.outputCount());
  tape.evaluate<double>(inputs, scratch, written);
  ArticulatedFactor<G> factor(state.tree);
  TreeSolve<G> solve(state.tree);
  std::vector<double> computed(state.u.size());
  factorTree<G>(state.tree, state.pk, factor);
  forwardDynamics<G>(state.tree, state.pk, state.vk, factor, state.udot, {state.tree.gravity, {}}, solve, computed);
  for (std::size_t k = 0; k < computed.size(); ++k) EXPECT_NEAR(written[k], computed[k], kRoundOff * 10);
}

// What passes through `let` and comes back as a letter defines it once; put together again it is the same formula.
TEST(ArticulatedTreeInLetters, NamesItsIntermediateResults) {
  const test::RandomTree random = test::randomTree(false, 3, {JointKind::revolute, JointKind::revolute}, true);
  std::map<std::string, Expr> lines;
  const auto record = [&](const LetName& name, const Expr& value) {
    const std::string text = name.letter + std::to_string(name.i) + "_" + std::to_string(name.j);
    EXPECT_TRUE(lines.emplace(text, value).second) << text;
    return value;
  };
  std::vector<std::string> names;
  const std::vector<Expr> udot = writtenOut<PlaneD>(random, names, record);
  EXPECT_TRUE(lines.contains("w2_0"));
  EXPECT_TRUE(lines.contains("mux1_0"));
  EXPECT_TRUE(lines.contains("D1_0"));
  EXPECT_TRUE(lines.at("qdd2_0") == udot[1]);
}

// Operations of a chain of N hinges grow by the same number with every link, once the first links are past.
TYPED_TEST(ArticulatedTree, CostsTheSameForEveryFurtherLink) {
  using G = TypeParam;
  const auto operations = [](int links) {
    const test::RandomTree random =
        test::randomTree(G::kSpatial, 9, std::vector<JointKind>(at(links), JointKind::revolute), true);
    std::vector<std::string> names;
    const std::vector<Expr> udot = writtenOut<G>(random, names, Unnamed{});
    return Tape(udot, names).operationCount().total();
  };
  const int a = operations(6);
  const int b = operations(9);
  const int c = operations(12);
  // Half turns that random signs bring cost nothing or one sign change.
  EXPECT_NEAR(static_cast<double>(c - b) / (b - a), 1.0, 0.03) << a << ", " << b << ", " << c;
}

}  // namespace articulated_test
}  // namespace linkwork
