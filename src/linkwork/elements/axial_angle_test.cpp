#include "linkwork/elements/axial_angle.hpp"

#include <numbers>

#include "linkwork/elements/constraint_laws_for_tests.hpp"

namespace linkwork {
namespace axial_angle_test {

using namespace test;

template <class F>
class AxialAngleLaws : public ::testing::Test {};
TYPED_TEST_SUITE(AxialAngleLaws, PlaneAndSpace, GeometryName);

template <class F>
auto makeRandom(Random& random) {
  const auto x = random.direction<F>();
  auto y = x;
  if constexpr (std::is_same_v<F, InSpace>) {
    y = cross(x, random.direction<F>());
    y = y * (1.0 / std::sqrt(dot(y, y)));
  } else {
    y = perp(x);
  }
  return [a = random.direction<F>(), x, y](auto g) {
    using G = decltype(g);
    using T = typename G::Scalar;
    return AxialAngle<G>{lift<T>(a), lift<T>(x), lift<T>(y)};
  };
}

// A direction along the axis has no angle: the slopes grow as 1/rho.
const auto kAwayFromTheAxis = [](const auto& element, const auto& x) {
  const auto p = element.parts(x);
  return p.C * p.C + p.S * p.S > 0.2;
};

// The axes of the two bodies point anywhere: off the surface of every hinge.
TYPED_TEST(AxialAngleLaws, HoldAsADrive) {
  expectConstraintLawsEverywhere<TypeParam>(makeRandom<TypeParam>, true, 101, kAwayFromTheAxis);
}

TYPED_TEST(AxialAngleLaws, CarriesAPureCouple) {
  using G = typename TypeParam::template Of<double>;
  Random random(102);
  for (int trial = 0; trial < 20;) {
    const AxialAngle<G> element = makeRandom<TypeParam>(random)(G{});
    const auto xi = random.position<TypeParam>();
    const auto xj = random.position<TypeParam>();
    if (!kAwayFromTheAxis(element, PairPosition<G>{xi, xj})) continue;
    ++trial;
    expectActionEqualsReaction<G>(element, xi, xj, 1e-14);
  }
}

// One common axis: the couple is along it, of size one on i and minus one on j, and Phi is the angle by which i turned.
TEST(AxialAngle, OnAHingeIsTheAngleOfTheHinge) {
  using S = Spatial<double>;
  Random random(103);
  for (int trial = 0; trial < 40; ++trial) {
    const auto frame = random.coordinates<InSpace>();
    const auto turnedBy = [&](double angle) {
      const auto q = quaternionProduct<double>({frame[3], frame[4], frame[5], frame[6]},
                                               {std::cos(angle / 2), 0.0, 0.0, std::sin(angle / 2)});
      return S::position(std::array<double, 7>{0.0, 0.0, 0.0, q[0], q[1], q[2], q[3]});
    };
    const double base = random.number(-20, 20);
    const double angle = random.number(-3.1, 3.1);
    const auto xi = turnedBy(base + angle);
    const auto xj = turnedBy(base);
    const AxialAngle<S> hinge{{1, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    EXPECT_NEAR(hinge.angle({xi, xj}), angle, 1e-14);
    EXPECT_NEAR(hinge.phi({xi, xj}, {angle - 0.3, 0, 0})[0], 0.3, 1e-14);
    const auto rows = hinge.jacobian({xi, xj});
    const std::array<double, 6> expected{0, 0, 0, 0, 0, 1};
    for (std::size_t k = 0; k < 6; ++k) {
      EXPECT_NEAR(rows.first[0][k], expected[k], 1e-14);
      EXPECT_NEAR(rows.second[0][k], -expected[k], 1e-14);
    }
  }
}

// Many turns: with f close behind, Phi follows theta - f without a jump, however far both have gone; and the laws hold
// there.
TYPED_TEST(AxialAngleLaws, StayContinuousOverManyTurns) {
  using F = TypeParam;
  using G = typename F::template Of<double>;
  PairPaths<F> paths{};
  constexpr std::size_t kAngle = F::template Of<double>::kSpatial ? 3 : 2;
  paths.i.part[kAngle].c = {0.4, 30.0, -3.0, 0.0, 0.0};
  Quartic f;
  f.c = {0.1, 31.0, -4.5, 0.2, 0.0};
  const auto make = [](auto g) {
    using H = decltype(g);
    using T = typename H::Scalar;
    if constexpr (H::kSpatial) {
      const T one(1.0);
      const T zero(0.0);
      return AxialAngle<H>{{one, zero, zero}, {one, zero, zero}, {zero, one, zero}};
    } else {
      return AxialAngle<H>{{T(1.0), T(0.0)}, {T(1.0), T(0.0)}, {T(0.0), T(1.0)}};
    }
  };
  double largest = 0.0;
  for (int step = 0; step <= 400; ++step) {
    const double t = 0.004 * step;  // 6.5 turns
    const auto xi = paths.i.at(t);
    const auto xj = paths.j.at(t);
    const double difference = paths.i.part[kAngle].at(t) - f.at(t);
    EXPECT_NEAR(make(G{}).phi({xi, xj}, {f.at(t), 0, 0})[0], difference, 1e-13);
    largest = std::max(largest, std::abs(difference));
    if (step % 40 == 0) expectConstraintLaws<F>(make, paths, f, t);
  }
  EXPECT_GT(largest, 0.5);
  EXPECT_LT(largest, std::numbers::pi);
}

}  // namespace axial_angle_test
}  // namespace linkwork
