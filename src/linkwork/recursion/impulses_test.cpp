#include "linkwork/recursion/impulses.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "linkwork/base/index.hpp"
#include "linkwork/recursion/articulated.hpp"
#include "linkwork/recursion/trees_for_tests.hpp"
#include "linkwork/scalar/dual.hpp"

namespace linkwork {
namespace impulses_test {

struct InPlane {
  template <class T>
  using Of = Planar<T>;
};
struct InSpace {
  template <class T>
  using Of = Spatial<T>;
};

template <class F>
class Impulses : public ::testing::Test {};
using Geometries = ::testing::Types<InPlane, InSpace>;
TYPED_TEST_SUITE(Impulses, Geometries);

// Twenty links with inertias between 0.1 and 2, moving at some units: momenta of some hundred.
constexpr double kRoundOff = 1e-9;

template <class G>
std::vector<typename G::Scalar> impulses(const Tree<G>& tree, const PositionKinematics<G>& pk,
                                         const VelocityKinematics<G>& vk) {
  std::vector<typename LinkAxes<G>::Force> h(tree.links.size());
  std::vector<typename G::Scalar> p(tree.columns.size());
  linkMomenta<G>(tree, pk, vk, h);
  gatherInwards<G>(tree, pk, h);
  impulsesOf<G>(tree, pk, h, p);
  return p;
}

// The state a moment later as a number with its time derivative: q + q' t, u + u' t, f + f' t ...
template <class F, class State>
std::vector<double> ratesByDual(const test::RandomTree& random, const State& state,
                                const std::vector<double>& acceleration) {
  using D = Dual<8>;
  using GD = typename F::template Of<D>;
  const Tree<GD> tree = makeTree<GD>(random.mechanism, random.edges);
  const auto moving = [](double value, double rate) {
    D out(value);
    out.derivatives[0] = rate;
    return out;
  };
  std::vector<double> qdot(state.q.size());
  coordinateRates<typename F::template Of<double>>(state.tree, state.q, state.u, qdot);
  std::vector<D> q, u;
  std::vector<Motion<D>> motions;
  for (std::size_t k = 0; k < qdot.size(); ++k) q.push_back(moving(state.q[k], qdot[k]));
  for (std::size_t k = 0; k < state.u.size(); ++k) u.push_back(moving(state.u[k], acceleration[k]));
  for (const Motion<double>& f : state.motions) motions.push_back({moving(f.f, f.fdot), moving(f.fdot, f.fddot), D()});
  PositionKinematics<GD> pk(tree);
  VelocityKinematics<GD> vk(tree);
  positionKinematics<GD>(tree, q, motions, pk);
  velocityKinematics<GD>(tree, pk, u, motions, vk);
  std::vector<double> out;
  for (const D& p : impulses<GD>(tree, pk, vk)) out.push_back(p.derivatives[0]);
  return out;
}

// Along the motion that the loads bring about, d/dt of p is what (2) says, less the efforts of the drives.
TYPED_TEST(Impulses, ChangeAsTheirRatesSayOnRandomTrees) {
  using F = TypeParam;
  using G = typename F::template Of<double>;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    test::RandomTree random = test::mixedTree(G::kSpatial, seed);
    const int motion_count = test::prescribeSome(random);
    const test::TreeState<G> state(random, motion_count, seed);
    const Tree<G>& tree = state.tree;
    ArticulatedFactor<G> factor(tree);
    factorTree<G>(tree, state.pk, factor);
    TreeSolve<G> solve(tree);
    std::vector<double> acceleration(state.u.size());
    forwardDynamics<G>(tree, state.pk, state.vk, factor, {}, state.loads(), solve, acceleration);

    std::vector<typename LinkAxes<G>::Force> h(tree.links.size());
    std::vector<typename LinkAxes<G>::Force> forces(tree.links.size());
    linkMomenta<G>(tree, state.pk, state.vk, h);
    gatherInwards<G>(tree, state.pk, h);
    for (int k = 0; k < tree.size(); ++k) {
      const TreeLink<G>& link = tree.links[at(k)];
      auto wrench = state.wrenches[at(link.body)];
      wrench.force += tree.gravity * link.inertia.mass;
      forces[at(k)] = linkForce<G>(tree, state.pk, k, wrench);
    }
    gatherInwards<G>(tree, state.pk, forces);
    std::vector<double> rates(tree.columns.size());
    impulseRates<G>(tree, state.pk, state.vk, state.u, state.motions, h, forces, rates);

    const std::vector<double> wanted = ratesByDual<F>(random, state, acceleration);
    for (std::size_t c = 0; c < rates.size(); ++c) {
      const TreeColumn& column = tree.columns[c];
      const double effort = column.freedom < 0 ? along(column, state.pk.s[c], solve.F[at(column.link)]) : 0.0;
      EXPECT_NEAR(rates[c] + effort, wanted[c], kRoundOff) << "seed " << seed << ", column " << c;
    }
  }
}

// Velocities back from impulses, with prescribed joints; those of the links, and the momenta that the joints pass on,
// come with the solve.
TYPED_TEST(Impulses, GiveTheirVelocitiesBack) {
  using G = typename TypeParam::template Of<double>;
  test::RandomTree random = test::mixedTree(G::kSpatial, 4);
  const int motion_count = test::prescribeSome(random);
  const test::TreeState<G> state(random, motion_count, 4);
  const Tree<G>& tree = state.tree;
  const std::vector<double> by_column = impulses<G>(tree, state.pk, state.vk);
  std::vector<double> p(state.u.size());
  for (std::size_t c = 0; c < by_column.size(); ++c) {
    if (tree.columns[c].freedom >= 0) p[at(tree.columns[c].freedom)] = by_column[c];
  }
  std::vector<typename LinkAxes<G>::Motion> prescribed(tree.links.size());
  prescribedVelocities<G>(tree, state.pk, state.motions, prescribed);
  ArticulatedFactor<G> factor(tree);
  factorTree<G>(tree, state.pk, factor);
  TreeSolve<G> solve(tree);
  std::vector<double> u(p.size());
  solveInwards<G>(tree, state.pk, factor, p, prescribed, solve);
  solveOutwards<G>(tree, state.pk, factor, {}, prescribed, solve, u);
  for (std::size_t k = 0; k < u.size(); ++k) EXPECT_NEAR(u[k], state.u[k], kRoundOff);
  std::vector<typename LinkAxes<G>::Force> h(tree.links.size());
  linkMomenta<G>(tree, state.pk, state.vk, h);
  gatherInwards<G>(tree, state.pk, h);
  VelocityKinematics<G> vk(tree);
  takeVelocities<G>(tree, state.pk, solve.A, vk);
  for (int k = 0; k < tree.size(); ++k) {
    const int body = tree.links[at(k)].body;
    for (int c = 0; c < G::kFreedoms; ++c) {
      EXPECT_NEAR(vk.V[at(k)][c], state.vk.V[at(k)][c], kRoundOff) << "link " << k;
      EXPECT_NEAR(solve.F[at(k)][c], h[at(k)][c], kRoundOff) << "link " << k;
    }
    for (int c = 0; c < G::kDimension; ++c) {
      EXPECT_NEAR(vk.body[at(body)].v[c], state.vk.body[at(body)].v[c], kRoundOff) << "body " << body;
    }
  }
}

}  // namespace impulses_test
}  // namespace linkwork
