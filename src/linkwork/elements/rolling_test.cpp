#include "linkwork/elements/rolling.hpp"

#include "linkwork/elements/constraint_laws_for_tests.hpp"

namespace linkwork {
namespace rolling_test {

using namespace test;

// Every shape on every ground, with numbers that keep random states away from where the contact is not defined.
struct Kind {
  RollingOn on;
  RollingShape shape;
  bool inside;
};
constexpr Kind kInSpace[] = {
    {RollingOn::plane, RollingShape::ball, false},      {RollingOn::plane, RollingShape::disc, false},
    {RollingOn::plane, RollingShape::ellipsoid, false}, {RollingOn::cylinder, RollingShape::ball, false},
    {RollingOn::cylinder, RollingShape::ball, true},    {RollingOn::ball, RollingShape::ball, false},
    {RollingOn::ball, RollingShape::ball, true},        {RollingOn::ball, RollingShape::disc, false},
    {RollingOn::ball, RollingShape::disc, true},
};
constexpr Kind kInPlane[] = {
    {RollingOn::plane, RollingShape::ball, false},
    {RollingOn::ball, RollingShape::ball, false},
    {RollingOn::ball, RollingShape::ball, true},
};
template <class F>
std::span<const Kind> kinds() {
  if constexpr (std::is_same_v<F, InSpace>) {
    return kInSpace;
  } else {
    return kInPlane;
  }
}

template <class F>
auto randomContact(const Kind& kind, Random& random) {
  return [kind, s_P = random.vector<F>(), s_M = random.vector<F>(), n = random.direction<F>(),
          e = random.direction<F>(), r = random.number(0.3, 0.9), rho = random.number(0.05, 0.2),
          squares = random.vector<F>(), first = random.number(1.2, 2.0)](auto g) {
    using G = decltype(g);
    using T = typename G::Scalar;
    RollingContact<G> out{kind.on,
                          kind.shape,
                          kind.inside,
                          lift<T>(s_P),
                          lift<T>(s_M),
                          lift<T>(n),
                          lift<T>(e),
                          T(r),
                          T(rho),
                          {},
                          T(kind.inside ? first - r : first + r)};
    if constexpr (G::kSpatial)
      out.squares = {T(0.2 + squares.x * squares.x), T(0.2 + squares.y * squares.y), T(0.2 + squares.z * squares.z)};
    return out;
  };
}

// Centres that coincide have no direction between them, and a disc that lies flat no lowest point (one whose axle leads
// through the centre of a ball none that is nearest): derivatives grow without bound there, and round-off with them.
struct WellApart {
  template <class Element, class Pair>
  bool operator()(const Element& element, const Pair& x) const {
    const auto at = element.contact.touch(x);
    if (at.distance <= 0.4 || dot(at.arm_j, at.arm_j) >= 20.0) return false;
    if constexpr (std::is_same_v<Pair, PairPosition<Spatial<double>>>) {
      using G = Spatial<double>;
      const auto& contact = element.contact;
      const auto across = cross(G::pointIn(x.j, contact.s_M) - G::pointIn(x.i, contact.s_P), x.j.R * contact.axle);
      return contact.shape != RollingShape::disc || contact.on != RollingOn::ball || dot(across, across) > 0.1;
    } else {
      return true;
    }
  }
};

template <class F>
class RollingLaws : public ::testing::Test {};
TYPED_TEST_SUITE(RollingLaws, PlaneAndSpace, GeometryName);

TYPED_TEST(RollingLaws, HoldForTheGap) {
  using F = TypeParam;
  for (const Kind& kind : kinds<F>()) {
    SCOPED_TRACE(fmt::format("on {}, shape {}", static_cast<int>(kind.on), static_cast<int>(kind.shape)));
    expectConstraintLawsEverywhere<F>(
        [&](Random& random) {
          return [contact = randomContact<F>(kind, random)](auto g) { return RollingNormal<decltype(g)>{contact(g)}; };
        },
        false, 61, WellApart());
  }
}

template <class F>
auto randomSlip(const Kind& kind, Tangent along, Random& random) {
  return [contact = randomContact<F>(kind, random), a = random.direction<F>(), angle = random.number(), along](auto g) {
    using G = decltype(g);
    using T = typename G::Scalar;
    return RollingSlip<G>{contact(g), along, lift<T>(a), T(std::cos(angle)), T(std::sin(angle))};
  };
}

TYPED_TEST(RollingLaws, HoldForSlip) {
  using F = TypeParam;
  for (const Kind& kind : kinds<F>()) {
    for (const Tangent along : {Tangent::fixed, Tangent::round, Tangent::round_second, Tangent::roller}) {
      if (!std::is_same_v<F, InSpace> && along != Tangent::fixed && along != Tangent::round) continue;
      SCOPED_TRACE(fmt::format("on {}, shape {}, along {}", static_cast<int>(kind.on), static_cast<int>(kind.shape),
                               static_cast<int>(along)));
      for (const bool with_motion : {false, true}) {
        expectVelocityRowLawsEverywhere<F>([&](Random& random) { return randomSlip<F>(kind, along, random); },
                                           with_motion, 62);
      }
    }
  }
}

TEST(Rolling, PivotKeepsTheLaws) {
  for (const Kind& kind : kInSpace) {
    expectVelocityRowLawsEverywhere<InSpace>(
        [&](Random& random) {
          return [contact = randomContact<InSpace>(kind, random)](auto g) {
            return RollingPivot<decltype(g)>{contact(g)};
          };
        },
        true, 63);
  }
}

// Of the angle between two directions: away from where they are opposite and the short way round changes sides.
struct ArcWellApart {
  bool operator()(const RollingArc<Planar<double>>& element, const PairPosition<Planar<double>>& x) const {
    if (element.slip.contact.on == RollingOn::plane) return true;
    return element.slip.contact.touch(x).distance > 0.4 &&
           std::abs(element.phi(x, {})[0]) < 2.5 * element.slip.contact.between;
  }
};

TEST(Rolling, ArcKeepsTheLaws) {
  for (const Kind& kind : kInPlane) {
    SCOPED_TRACE(fmt::format("on {}, inside {}", static_cast<int>(kind.on), kind.inside));
    expectConstraintLawsEverywhere<InPlane>(
        [&](Random& random) {
          return [slip = randomSlip<InPlane>(kind, Tangent::fixed, random), offset = random.number()](auto g) {
            using G = decltype(g);
            auto made = slip(g);
            made.contact.normal = perp(made.a);
            return RollingArc<G>{made, typename G::Scalar(0.3), typename G::Scalar(offset)};
          };
        },
        false, 64, ArcWellApart());
  }
}

// A wheel of radius r that has rolled by the angle -s/r to the place s, and a planet that has gone round its sun: the
// counted arcs are zero there, and where it went three times round too.
TEST(Rolling, ArcIsZeroWhereNothingHasSlipped) {
  using G = Planar<double>;
  const auto ground = G::position(0.0, 0.0, 0.0);
  RollingContact<G> contact{RollingOn::plane, RollingShape::ball, false, {0, 0}, {0, 0}, {0, 1}, {}, 0.4, 0.0, {}, 0.4};
  const RollingArc<G> on_line{{contact, Tangent::fixed, {1, 0}}, 0.0, 0.0};
  EXPECT_NEAR(on_line.phi({ground, G::position(2.3, 0.4, -2.3 / 0.4)}, {})[0], 0.0, 1e-15);
  for (const bool inside : {false, true}) {
    const double R = 1.1;
    const double r = 0.4;
    const double L = inside ? R - r : R + r;
    contact = {RollingOn::ball, RollingShape::ball, inside, {0, 0}, {0, 0}, {}, {}, r, 0.0, {}, L};
    const RollingArc<G> on_circle{{contact, Tangent::round, {1, 0}}, 0.0, 0.0};
    for (const double psi : {0.7, 0.7 + 6.0 * std::numbers::pi}) {
      // L psi = +-r (turn of the planet): its points at the contact stand still.
      const double turn = (inside ? -1.0 : 1.0) * L * psi / r;
      const auto planet = G::position(L * std::cos(psi), L * std::sin(psi), turn);
      EXPECT_NEAR(on_circle.phi({ground, planet}, {})[0], 0.0, 1e-13);
      const auto slip = on_circle.slip.jacobian({ground, planet});
      const G::Velocity v{{-L * std::sin(psi), L * std::cos(psi)}, (inside ? -1.0 : 1.0) * L / r};
      EXPECT_NEAR(G::power(test::wrenchOf<G>(slip.second[0]), v), 0.0, 1e-13);
    }
  }
}

// The lowest point of each shape: none of its points is deeper. Of an upright disc it is below the centre.
TEST(Rolling, TouchesWithItsDeepestPoint) {
  using G = Spatial<double>;
  Random random(65);
  for (int trial = 0; trial < 20; ++trial) {
    const auto x = random.position<InSpace>();
    const auto ground = G::position(std::array<double, 7>{0, 0, 0, 1, 0, 0, 0});
    RollingContact<G> contact;
    contact.normal = {0, 0, 1};
    contact.axle = random.direction<InSpace>();
    contact.radius = 0.7;
    contact.rounding = 0.2;
    contact.squares = {0.5, 0.2, 1.1};
    const double axle_share = dot(x.R * contact.axle, Vec3<double>{0, 0, 1});
    contact.shape = RollingShape::disc;
    // Centre of the rounding at (r - rho) sin(lean), then rho.
    EXPECT_NEAR(contact.gap({ground, x}, contact.touch({ground, x})),
                x.r.z - 0.5 * std::sqrt(1.0 - axle_share * axle_share) - 0.2, 1e-14);
    contact.shape = RollingShape::ellipsoid;
    const double lowest = contact.gap({ground, x}, contact.touch({ground, x}));
    for (int k = 0; k < 50; ++k) {
      const Vec3<double> d = random.direction<InSpace>();
      const Vec3<double> on_it{std::sqrt(0.5) * d.x, std::sqrt(0.2) * d.y, std::sqrt(1.1) * d.z};
      EXPECT_GE((x.r + x.R * on_it).z, lowest - 1e-14);
    }
    const auto at = contact.touch({ground, x});
    EXPECT_NEAR(at.arm_j.x * at.arm_j.x / 0.5 + at.arm_j.y * at.arm_j.y / 0.2 + at.arm_j.z * at.arm_j.z / 1.1, 1.0,
                1e-14);
  }
}

// Of a wheel that goes along y at v with rollers at an angle to that way: only the share of a sideways motion along the
// rollers' axes counts.
TEST(Rolling, RollersLetTheWheelSlipAcrossTheirAxes) {
  using G = Spatial<double>;
  const auto ground = G::position(std::array<double, 7>{0, 0, 0, 1, 0, 0, 0});
  const auto wheel = G::position(std::array<double, 7>{0, 0, 0.3, 1, 0, 0, 0});
  RollingContact<G> contact{
      RollingOn::plane, RollingShape::disc, false, {}, {}, {0, 0, 1}, {1, 0, 0}, 0.3, 0.0, {}, 0.3};
  for (const double angle : {0.0, 0.25 * std::numbers::pi, -0.25 * std::numbers::pi}) {
    const RollingSlip<G> slip{contact, Tangent::roller, {}, std::cos(angle), std::sin(angle)};
    const auto row = test::wrenchOf<G>(slip.jacobian({ground, wheel}).second[0]);
    // axle x normal = x cross z = -y is the way it rolls; across it, by the right hand about z, is +x.
    EXPECT_NEAR(row.force.y, -std::cos(angle), 1e-15);
    EXPECT_NEAR(row.force.x, std::sin(angle), 1e-15);
    // Rolling at v = -y needs a turn of v / r about x: no slip.
    EXPECT_NEAR(G::power(row, {{0.0, -0.6, 0.0}, {2.0, 0.0, 0.0}}), 0.0, 1e-15);
  }
}

TEST(Rolling, BalancesOnBothBodies) {
  Random random(66);
  using G = Spatial<double>;
  for (const Kind& kind : kInSpace) {
    const auto xi = random.position<InSpace>();
    const auto xj = random.position<InSpace>();
    const RollingNormal<G> normal{randomContact<InSpace>(kind, random)(G{})};
    expectActionEqualsReaction<G>(normal, xi, xj, 1e-13);
    expectActionEqualsReaction<G>(randomSlip<InSpace>(kind, Tangent::round, random)(G{}), xi, xj, 1e-13);
  }
}

}  // namespace rolling_test
}  // namespace linkwork
