#include "linkwork/recursion/inverse_dynamics.hpp"

#include <gtest/gtest.h>

#include "linkwork/base/index.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/recursion/trees_for_tests.hpp"

namespace linkwork {
namespace inverse_dynamics_test {

using PlaneD = Planar<double>;
using SpaceD = Spatial<double>;

template <class G>
class TreeDynamics : public ::testing::Test {};
using Geometries = ::testing::Types<PlaneD, SpaceD>;
TYPED_TEST_SUITE(TreeDynamics, Geometries);

// Efforts are of order one to a hundred, sums over twenty bodies.
constexpr double kRoundOff = 1e-11;

template <class G>
std::vector<double> efforts(const test::TreeState<G>& state, std::span<const double> udot, const TreeLoads<G>& loads) {
  InverseDynamics<G> work(state.tree);
  inverseDynamics<G>(state.tree, state.pk, state.vk, udot, loads, work);
  return work.tau;
}

// d'Alembert: tau of a freedom is the power of all inertial and applied forces on the velocities that it alone makes.
TYPED_TEST(TreeDynamics, EffortsDoThePowerOfTheBodiesForces) {
  using G = TypeParam;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    test::RandomTree random = test::mixedTree(G::kSpatial, seed);
    const int motions = test::prescribeSome(random);
    const test::TreeState<G> state(random, motions, seed);
    const std::vector<double> tau = efforts<G>(state, state.udot, state.loads());
    std::vector<typename LinkAxes<G>::Motion> A(state.tree.links.size());
    accelerations<G>(state.tree, state.pk, state.vk, state.udot, {}, A);
    for (std::size_t column = 0; column < state.tree.columns.size(); ++column) {
      const TreeColumn& c = state.tree.columns[column];
      std::vector<double> u(state.u.size());
      std::vector<Motion<double>> drives = state.motions;
      for (Motion<double>& motion : drives) motion.fdot = 0.0;
      (c.freedom >= 0 ? u[at(c.freedom)] : drives[at(c.motion)].fdot) = 1.0;
      VelocityKinematics<G> alone(state.tree);
      velocityKinematics<G>(state.tree, state.pk, u, drives, alone);
      double power = 0.0;
      for (int k = 0; k < state.tree.size(); ++k) {
        const TreeLink<G>& link = state.tree.links[at(k)];
        const auto a = bodyAcceleration<G>(state.tree, state.pk, state.vk, k, A[at(k)]);
        typename G::Wrench needed{};
        needed.force = (a.v - state.tree.gravity) * link.inertia.mass - state.wrenches[at(link.body)].force;
        if constexpr (G::kSpatial) {
          needed.moment = link.inertia.times(a.w) - state.wrenches[at(link.body)].moment;
        } else {
          needed.moment = link.inertia.inertia * a.w - state.wrenches[at(link.body)].moment;
        }
        needed += -G::gyroscopic(link.inertia, state.vk.body[at(link.body)]);
        power += G::power(needed, alone.body[at(link.body)]);
      }
      EXPECT_NEAR(tau[column], power, kRoundOff) << "seed " << seed << ", column " << column;
    }
  }
}

TYPED_TEST(TreeDynamics, MassMatrixIsThatOfUnitAccelerationsAndOfTheEnergy) {
  using G = TypeParam;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    test::RandomTree random = test::mixedTree(G::kSpatial, seed);
    const int motions = test::prescribeSome(random);
    test::TreeState<G> state(random, motions, seed);
    for (Motion<double>& motion : state.motions) motion.fdot = motion.fddot = 0.0;
    state.evaluate();
    TreeMassMatrix<G> M(state.tree);
    massMatrix<G>(state.tree, state.pk, M);
    const std::size_t n = state.u.size();
    const std::vector<double> rest = efforts<G>(state, std::vector<double>(n), {});
    double energy = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      std::vector<double> unit(n);
      unit[j] = 1.0;
      const std::vector<double> tau = efforts<G>(state, unit, {});
      for (std::size_t column = 0; column < tau.size(); ++column) {
        const int i = state.tree.columns[column].freedom;
        if (i < 0) continue;
        EXPECT_NEAR(M(i, static_cast<int>(j)), tau[column] - rest[column], kRoundOff) << "seed " << seed;
        energy += 0.5 * state.u[at(i)] * M(i, static_cast<int>(j)) * state.u[j];
      }
    }
    EXPECT_NEAR(energy, kineticEnergy<G>(state.tree, state.vk), kRoundOff);
  }
}

// The force in a joint does no power on the columns of its link; across all links it balances the loads.
TYPED_TEST(TreeDynamics, ForcesInJointsBalanceTheBodies) {
  using G = TypeParam;
  const test::RandomTree random = test::mixedTree(G::kSpatial, 7);
  const test::TreeState<G> state(random, 0, 7);
  InverseDynamics<G> work(state.tree);
  inverseDynamics<G>(state.tree, state.pk, state.vk, state.udot, state.loads(), work);
  std::vector<typename LinkAxes<G>::Motion> A(state.tree.links.size());
  accelerations<G>(state.tree, state.pk, state.vk, state.udot, {}, A);
  std::vector<typename G::Vector> total(state.tree.links.size());
  for (int k = 0; k < state.tree.size(); ++k) {
    const TreeLink<G>& link = state.tree.links[at(k)];
    const auto on_body = bodyWrench<G>(state.tree, state.pk, k, work.F[at(k)]);
    total[at(link.body)] += on_body.force + state.wrenches[at(link.body)].force;
    if (link.parent >= 0) total[at(state.tree.links[at(link.parent)].body)] -= on_body.force;
  }
  for (int k = 0; k < state.tree.size(); ++k) {
    const TreeLink<G>& link = state.tree.links[at(k)];
    const auto a = bodyAcceleration<G>(state.tree, state.pk, state.vk, k, A[at(k)]);
    const auto left = total[at(link.body)] - (a.v - state.tree.gravity) * link.inertia.mass;
    for (int c = 0; c < G::kDimension; ++c) EXPECT_NEAR(left[c], 0.0, kRoundOff) << k;
  }
}

// A planar tree lifted to space: the same efforts from other axes, other points and other formulas.
TEST(TreeDynamicsInPlaneAndSpace, AgreeOnLiftedTrees) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const test::RandomTree flat = test::mixedTree(false, seed);
    test::RandomTree lifted{liftToSpace(flat.mechanism), flat.edges};
    lifted.edges.pop_back();
    lifted.mechanism.bodies.pop_back();
    test::RandomTree cut = flat;  // the free body has other freedoms in space
    cut.edges.pop_back();
    cut.mechanism.bodies.pop_back();
    test::TreeState<PlaneD> plane(cut, 0, seed);
    test::TreeState<SpaceD> space(lifted, 0, seed);
    ASSERT_EQ(plane.u.size(), space.u.size());
    for (std::size_t b = 0; b < plane.wrenches.size(); ++b) {
      const auto& w = plane.wrenches[b];
      space.wrenches[b] = {{w.force.x, w.force.y, 0.0}, {0.0, 0.0, w.moment}};
    }
    space.q = plane.q;
    space.u = plane.u;
    space.udot = plane.udot;
    space.evaluate();
    const std::vector<double> a = efforts<PlaneD>(plane, plane.udot, plane.loads());
    const std::vector<double> b = efforts<SpaceD>(space, space.udot, space.loads());
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], kRoundOff) << "seed " << seed;
  }
}

TEST(TreeDynamicsOfOneBody, IsFreeFall) {
  const test::RandomTree random = test::randomTree(true, 1, {});
  const test::TreeState<SpaceD> state(random, 0, 1);
  const std::vector<double> tau = efforts<SpaceD>(state, std::vector<double>(6), {state.tree.gravity, {}});
  const TreeLink<SpaceD>& link = state.tree.links[0];
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(tau[at(c)], -state.tree.gravity[c] * link.inertia.mass, 1e-13);
  const auto euler = SpaceD::gyroscopic(link.inertia, state.vk.body[0]).moment;
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(tau[at(3 + c)], -euler[c], 1e-13);
}

}  // namespace inverse_dynamics_test
}  // namespace linkwork
