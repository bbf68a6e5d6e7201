#include "linkwork/elements/perpendicular.hpp"

#include "linkwork/elements/constraint_laws_for_tests.hpp"

namespace linkwork {
namespace perpendicular_test {

using namespace test;

template <class F>
class PerpendicularLaws : public ::testing::Test {};
TYPED_TEST_SUITE(PerpendicularLaws, PlaneAndSpace, GeometryName);

template <class F>
auto makeRandom(Random& random) {
  return [a = random.direction<F>(), b = random.direction<F>()](auto g) {
    using G = decltype(g);
    using T = typename G::Scalar;
    return Perpendicular<G>{lift<T>(a), lift<T>(b)};
  };
}

TYPED_TEST(PerpendicularLaws, HoldOffTheSurface) {
  expectConstraintLawsEverywhere<TypeParam>(makeRandom<TypeParam>, false, 91);
}

TYPED_TEST(PerpendicularLaws, HoldOnTheSurface) {
  Random random(92);
  for (int trial = 0; trial < 40; ++trial) {
    const auto paths = PairPaths<TypeParam>::random(static_cast<Ends>(trial % 3), random);
    const double t = random.number(-0.8, 0.8);
    const auto xi = paths.i.at(t);
    const auto xj = paths.j.at(t);
    const auto a = random.direction<TypeParam>();
    const auto a_in_j = xj.R.inverseTimes(xi.R * a);
    const auto any = random.direction<TypeParam>();
    const auto b = any - a_in_j * dot(a_in_j, any);
    const auto make = [&](auto g) {
      using G = decltype(g);
      using T = typename G::Scalar;
      return Perpendicular<G>{lift<T>(a), lift<T>(b)};
    };
    EXPECT_NEAR(make(typename TypeParam::template Of<double>{}).phi({xi, xj}, {})[0], 0.0, 1e-15);
    expectConstraintLaws<TypeParam>(make, paths, {}, t);
  }
}

// lambda is a couple about (R_i a) x (R_j b): a pair of moments that cancel at every pose.
TYPED_TEST(PerpendicularLaws, CarriesAPureCoupleEverywhere) {
  using G = typename TypeParam::template Of<double>;
  Random random(93);
  for (int trial = 0; trial < 20; ++trial) {
    const Perpendicular<G> element = makeRandom<TypeParam>(random)(G{});
    const auto xi = random.position<TypeParam>();
    const auto xj = random.position<TypeParam>();
    expectActionEqualsReaction<G>(element, xi, xj, 1e-15);
    const auto on_i = aboutOrigin<G>(xi, wrenchOf<G>(element.jacobian({xi, xj}).first[0]));
    const auto about = cross(xi.R * element.a, xj.R * element.b);
    if constexpr (G::kSpatial) {
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(on_i[static_cast<std::size_t>(3 + k)], about[k], 1e-15);
    } else {
      EXPECT_NEAR(on_i[2], about, 1e-15);
    }
  }
}

}  // namespace perpendicular_test
}  // namespace linkwork
