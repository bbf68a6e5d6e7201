#include "linkwork/elements/point_on_curve.hpp"

#include "linkwork/elements/constraint_laws_for_tests.hpp"

namespace linkwork {
namespace point_on_curve_test {

using namespace test;

template <class F>
class PointOnCurveLaws : public ::testing::Test {};
TYPED_TEST_SUITE(PointOnCurveLaws, PlaneAndSpace, GeometryName);

std::shared_ptr<const SplineCurve> wave(bool closed) {
  const std::vector<std::array<double, 2>> open{{-3.0, 0.2}, {-1.0, -0.4}, {0.5, 0.3}, {2.0, -0.1}, {4.0, 0.4}};
  const std::vector<std::array<double, 2>> ring{{5.0, 0.0},  {3.5, 3.6},   {0.0, 5.4},  {-3.7, 3.3},
                                                {-5.2, 0.0}, {-3.5, -3.4}, {0.0, -5.0}, {3.6, -3.7}};
  return std::make_shared<const SplineCurve>(closed ? ring : open, closed);
}

template <class F, class G>
auto axesFor() {
  using T = typename G::Scalar;
  std::array<typename G::Vector, 2> axes;
  if constexpr (G::kSpatial) {
    axes[0] = {T(0.6), T(0.0), T(0.8)};
    axes[1] = {T(0.0), T(1.0), T(0.0)};
  } else {
    axes[0] = {T(0.6), T(0.8)};
    axes[1] = {T(-0.8), T(0.6)};
  }
  return axes;
}

// Rates of a body's corner of some ten metres a second, curvatures of some unit: beside the tolerance of the laws the
// square of the slip counts, so points near the centres of curvature are left out.
TYPED_TEST(PointOnCurveLaws, HoldOnAndOffTheCurve) {
  using F = TypeParam;
  for (const bool closed : {false, true}) {
    const auto curve = wave(closed);
    const auto make_random = [&](Random& random) {
      const auto a = random.vector<F>();
      const auto b = random.vector<F>();
      const double offset = random.number();
      return [=](auto geometry) {
        using H = decltype(geometry);
        using T = typename H::Scalar;
        const auto axes = axesFor<F, H>();
        return PointOnCurve<H>{lift<T>(a), lift<T>(b), axes[0], axes[1], curve, T(offset), "C"};
      };
    };
    const auto usable = [&](const auto& element, const auto& x) {
      using G = typename F::template Of<double>;
      const auto d = G::pointIn(x.i, element.s_A) - G::pointIn(x.j, element.s_B);
      const auto at = curve->distance(dot(x.j.R * element.u_x, d), dot(x.j.R * element.u_y, d));
      return std::abs(at.bend) < 1.0 && at.bend * at.d > -0.6;
    };
    expectConstraintLawsEverywhere<F>(make_random, false, closed ? 71 : 72, usable);
  }
}

// A bead at rest on a parabola-like wire that moves past: what is left in the frame of the wire is v^2 kappa.
TEST(PointOnCurve, ABeadFeelsTheCurvatureOfItsWire) {
  using G = Planar<double>;
  const auto curve = wave(false);
  const double s = 0.4 * curve->length();
  const auto on = curve->at(s);
  const double speed = std::sqrt(dot(on.d, on.d));
  const double kappa = cross(on.d, on.dd) / (speed * speed * speed);
  const PointOnCurve<G> element{{0, 0}, {0, 0}, {1, 0}, {0, 1}, curve, 0.0, "C"};
  const auto bead = G::position(on.c.x, on.c.y, 0.0);
  const auto ground = G::position(0.0, 0.0, 0.0);
  const G::Velocity rate{{3.0 * on.d.x / speed, 3.0 * on.d.y / speed}, 0.0};
  EXPECT_NEAR(element.phi({bead, ground}, {})[0], 0.0, 1e-15);
  EXPECT_NEAR(element.gamma({bead, ground}, {rate, {}}, {})[0], 9.0 * kappa, 1e-12);
  const auto rows = element.jacobian({bead, ground});
  EXPECT_NEAR(rows.first[0][0], -on.d.y / speed, 1e-14);
  EXPECT_NEAR(rows.first[0][1], on.d.x / speed, 1e-14);
}

TYPED_TEST(PointOnCurveLaws, ActionEqualsReaction) {
  using F = TypeParam;
  using G = typename F::template Of<double>;
  Random random(5);
  const auto curve = wave(true);
  for (int trial = 0; trial < 20; ++trial) {
    const auto axes = axesFor<F, G>();
    const PointOnCurve<G> element{random.vector<F>(), random.vector<F>(), axes[0], axes[1], curve, 0.1, "C"};
    expectActionEqualsReaction<G>(element, random.position<F>(), random.position<F>(), 1e-12);
  }
}

}  // namespace point_on_curve_test
}  // namespace linkwork
