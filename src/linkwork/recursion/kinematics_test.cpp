#include "linkwork/recursion/kinematics.hpp"

#include <gtest/gtest.h>

#include "linkwork/elements/constraint_laws_for_tests.hpp"
#include "linkwork/elements/element_set.hpp"
#include "linkwork/recursion/joint_coordinates.hpp"
#include "linkwork/recursion/trees_for_tests.hpp"

namespace linkwork {
namespace kinematics_test {

using PlaneD = Planar<double>;
using SpaceD = Spatial<double>;

template <class G>
class TreeKinematics : public ::testing::Test {};
using Geometries = ::testing::Types<PlaneD, SpaceD>;
TYPED_TEST_SUITE(TreeKinematics, Geometries);

// Coordinates are of order one and chains a few links long: sums of some hundred rounded products.
constexpr double kRoundOff = 1e-12;

TYPED_TEST(TreeKinematics, PutsBodiesWhereTheirJointsHold) {
  using G = TypeParam;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const test::RandomTree random = test::mixedTree(G::kSpatial, seed);
    const test::TreeState<G> state(random, 0, seed);
    const ElementSet<G> set = compileElements<G>(random.mechanism);
    double worst = 0.0;
    forEachConstraint(set, [&](const auto& placed) {
      const auto i = static_cast<std::size_t>(placed.i);
      const auto j = static_cast<std::size_t>(placed.j);
      const PairPosition<G> x{state.pk.body[i], state.pk.body[j]};
      const PairVelocity<G> v{state.vk.body[i], state.vk.body[j]};
      for (const double phi : test::phiOf(placed.element, x, {})) worst = std::max(worst, std::abs(phi));
      // The velocities, too: Phi_q v = 0.
      const auto rows = placed.element.jacobian(x);
      for (std::size_t r = 0; r < rows.first.size(); ++r) {
        worst = std::max(worst, std::abs(G::power(wrenchOf<G>(rows.first[r], 1.0), v.i) +
                                         G::power(wrenchOf<G>(rows.second[r], 1.0), v.j)));
      }
    });
    EXPECT_LT(worst, 10 * kRoundOff) << "seed " << seed;
  }
}

TYPED_TEST(TreeKinematics, CoordinatesAreTheNamedAnglesAndSlides) {
  using G = TypeParam;
  const test::RandomTree random = test::mixedTree(G::kSpatial, 3);
  const test::TreeState<G> state(random, 0, 3);
  int compared = 0;
  for (const TreeLink<G>& link : state.tree.links) {
    if (link.joint < 0) continue;
    const JointKind kind = random.mechanism.joints[static_cast<std::size_t>(link.joint)].kind;
    const auto check = [&](QuantityKind position, QuantityKind rate, int column) {
      const TreeColumn& c = state.tree.columns[static_cast<std::size_t>(column)];
      const auto value = [&](QuantityKind k) {
        const auto named = compileQuantity<G>(random.mechanism, {k, link.joint});
        const auto i = static_cast<std::size_t>(named.i);
        const auto j = static_cast<std::size_t>(named.j);
        return named.value(0.0, {state.pk.body[i], state.pk.body[j]}, {state.vk.body[i], state.vk.body[j]});
      };
      EXPECT_NEAR(value(position), state.q[static_cast<std::size_t>(c.coordinate)], kRoundOff) << link.joint;
      EXPECT_NEAR(value(rate), state.u[static_cast<std::size_t>(c.freedom)], kRoundOff) << link.joint;
      ++compared;
    };
    const int turn = link.first_column + link.slides;
    if (hasAngle(kind)) check(QuantityKind::joint_angle, QuantityKind::joint_angle_rate, turn);
    if (hasSlide(kind) && kind != JointKind::screw) {
      check(QuantityKind::joint_slide, QuantityKind::joint_slide_rate, link.first_column);
    }
  }
  EXPECT_EQ(compared, G::kSpatial ? 12 : 6);
}

// Along q' and u' the dual parts of places and velocities are velocities and accelerations.
TYPED_TEST(TreeKinematics, RatesAreDerivativesOnAllJointsAlsoPrescribedOnes) {
  using G = TypeParam;
  using D = Dual<8>;
  using GD = std::conditional_t<G::kSpatial, Spatial<D>, Planar<D>>;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    test::RandomTree random = test::mixedTree(G::kSpatial, seed);
    const int motions = test::prescribeSome(random);
    ASSERT_GT(motions, 0);
    const test::TreeState<G> state(random, motions, seed);
    test::TreeState<GD> moving(random, motions, seed);
    std::vector<double> qdot(state.q.size());
    coordinateRates<G>(state.tree, state.q, state.u, qdot);
    for (std::size_t k = 0; k < qdot.size(); ++k) moving.q[k].derivatives[0] = qdot[k];
    for (std::size_t k = 0; k < state.u.size(); ++k) moving.u[k].derivatives[0] = state.udot[k];
    for (std::size_t k = 0; k < state.motions.size(); ++k) {
      moving.motions[k].f.derivatives[0] = state.motions[k].fdot;
      moving.motions[k].fdot.derivatives[0] = state.motions[k].fddot;
    }
    moving.evaluate();
    std::vector<typename LinkAxes<G>::Motion> A(state.tree.links.size());
    accelerations<G>(state.tree, state.pk, state.vk, state.udot, {}, A);
    for (int k = 0; k < state.tree.size(); ++k) {
      const auto b = static_cast<std::size_t>(state.tree.links[static_cast<std::size_t>(k)].body);
      const auto a = bodyAcceleration<G>(state.tree, state.pk, state.vk, k, A[static_cast<std::size_t>(k)]);
      for (int c = 0; c < G::kDimension; ++c) {
        EXPECT_NEAR(moving.pk.body[b].r[c].derivatives[0], state.vk.body[b].v[c], kRoundOff);
        EXPECT_NEAR(moving.vk.body[b].v[c].derivatives[0], a.v[c], 10 * kRoundOff) << "seed " << seed << ", link " << k;
        if constexpr (G::kSpatial) {
          EXPECT_NEAR(moving.vk.body[b].w[c].derivatives[0], a.w[c], 10 * kRoundOff)
              << "seed " << seed << ", link " << k;
          // R' = R w~, here of the x axis
          const auto turned = state.pk.body[b].R * cross(state.vk.body[b].w, {1, 0, 0});
          EXPECT_NEAR(moving.pk.body[b].R.x[c].derivatives[0], turned[c], kRoundOff);
        }
      }
      if constexpr (!G::kSpatial) {
        EXPECT_NEAR(moving.pk.body[b].angle.derivatives[0], state.vk.body[b].w, kRoundOff);
        EXPECT_NEAR(moving.vk.body[b].w.derivatives[0], a.w, kRoundOff);
      }
    }
  }
}

TYPED_TEST(TreeKinematics, JointCoordinatesComeBackFromThePlacesOfTheBodies) {
  using G = TypeParam;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    test::RandomTree random = test::mixedTree(G::kSpatial, seed);
    const int motions = test::prescribeSome(random);
    const test::TreeState<G> state(random, motions, seed);
    std::vector<double> q(state.q.size());
    std::vector<double> u(state.u.size());
    jointPositions<G>(state.tree, state.pk.body, q);
    jointVelocities<G>(state.tree, state.pk, state.vk.body, state.motions, u);
    for (std::size_t k = 0; k < u.size(); ++k) EXPECT_NEAR(u[k], state.u[k], kRoundOff) << k;
    // A quaternion comes back with a scalar part that is not negative.
    PositionKinematics<G> pk(state.tree);
    positionKinematics<G>(state.tree, q, state.motions, pk);
    for (std::size_t b = 0; b < pk.body.size(); ++b) {
      for (int c = 0; c < G::kDimension; ++c) {
        EXPECT_NEAR(pk.body[b].r[c], state.pk.body[b].r[c], 10 * kRoundOff);
        EXPECT_NEAR((pk.body[b].R * G::unit(0))[c], (state.pk.body[b].R * G::unit(0))[c], kRoundOff);
      }
    }
  }
}

}  // namespace kinematics_test
}  // namespace linkwork
