// Laws of plane rotations, of perp and cross, and of force, moment and power under a change of axes or of reference
// point.
#include "linkwork/geometry/planar.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <numbers>
#include <random>
#include <string>

#include "linkwork/scalar/dual.hpp"
#include "linkwork/scalar/expr.hpp"

namespace linkwork {
namespace planar_test {

using P = Planar<double>;
using V = Vec2<double>;

// Every law below is a handful of products of numbers of the order of 1 to 10: 1e-14 is some fifty units of round-off.
constexpr double kRoundoff = 1e-14;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double number() { return std::uniform_real_distribution<double>(-2.0, 2.0)(engine_); }
  V vector() { return {number(), number()}; }

 private:
  std::mt19937 engine_;
};

void expectSame(const V& a, const V& b) {
  EXPECT_NEAR(a.x, b.x, kRoundoff);
  EXPECT_NEAR(a.y, b.y, kRoundoff);
}

TEST(Planar, RotationsAddTheirAnglesAndKeepLengthsAndAreas) {
  Random random(1);
  for (int k = 0; k < 100; ++k) {
    const double a = 3.0 * random.number();
    const double b = 3.0 * random.number();
    const V u = random.vector();
    const V w = random.vector();
    const auto Ra = Rotation2<double>::fromAngle(a);
    const auto Rb = Rotation2<double>::fromAngle(b);
    expectSame(Ra * (Rb * u), Rotation2<double>::fromAngle(a + b) * u);
    expectSame(Ra.inverseTimes(Ra * u), u);
    expectSame(Ra.inverseTimes(u), Rotation2<double>::fromAngle(-a) * u);
    EXPECT_NEAR(dot(Ra * u, Ra * w), dot(u, w), kRoundoff);
    EXPECT_NEAR(cross(Ra * u, Ra * w), cross(u, w), kRoundoff);
    expectSame(Ra * (u + w), Ra * u + Ra * w);
  }
}

TEST(Planar, DefaultRotationIsTheIdentityAndAQuarterTurnIsPerp) {
  const V u{0.3, -1.7};
  expectSame(Rotation2<double>{} * u, u);
  expectSame(Rotation2<double>::fromAngle(std::numbers::pi / 2) * u, perp(u));
  const P::Position ground{};
  expectSame(ground.R * u, u);
}

TEST(Planar, PerpAndCrossAreOneForm) {
  Random random(2);
  for (int k = 0; k < 100; ++k) {
    const V u = random.vector();
    const V w = random.vector();
    expectSame(perp(perp(u)), -u);
    EXPECT_EQ(dot(perp(u), u), 0.0);
    EXPECT_EQ(cross(u, w), -cross(w, u));
    EXPECT_NEAR(cross(u, w), dot(perp(u), w), kRoundoff);
    EXPECT_NEAR(dot(perp(u), perp(w)), dot(u, w), kRoundoff);
    const auto R = Rotation2<double>::fromAngle(random.number());
    expectSame(R * perp(u), perp(R * u));
    // Lagrange: (u.w)^2 + (u x w)^2 = |u|^2 |w|^2
    EXPECT_NEAR(dot(u, w) * dot(u, w) + cross(u, w) * cross(u, w), dot(u, u) * dot(w, w), 64 * kRoundoff);
  }
}

TEST(Planar, VectorOperationsDoWhatTheySay) {
  V a{1.0, 2.0};
  const V b{0.5, -4.0};
  a += b;
  EXPECT_EQ(a.x, 1.5);
  EXPECT_EQ(a.y, -2.0);
  a -= b;
  EXPECT_EQ(a.x, 1.0);
  EXPECT_EQ(a.y, 2.0);
  const V c = (a - b) * 2.0;
  EXPECT_EQ(c.x, 1.0);
  EXPECT_EQ(c.y, 12.0);
}

// d(R s)/dt = perp(R s) w, by differentiating the rotation itself.
TEST(Planar, RateOfATurnedVectorIsPerpTimesTheRate) {
  using D = Dual<1>;
  Random random(3);
  for (int k = 0; k < 50; ++k) {
    const double angle = random.number();
    const V s = random.vector();
    const auto R = Rotation2<D>::fromAngle(D::variable(angle));
    const Vec2<D> turned = R * Vec2<D>{D(s.x), D(s.y)};
    const V arm = Rotation2<double>::fromAngle(angle) * s;
    EXPECT_NEAR(turned.x.derivative(), perp(arm).x, kRoundoff);
    EXPECT_NEAR(turned.y.derivative(), perp(arm).y, kRoundoff);
  }
}

// The power of a force is force times the velocity of the point it acts at, whatever axes and whatever point are used.
TEST(Planar, PowerOfAForceIsThatOfItsPoint) {
  Random random(4);
  for (int k = 0; k < 100; ++k) {
    const V s = random.vector();
    const V force = random.vector();
    const P::Position x = P::position(random.number(), random.number(), random.number());
    const P::Velocity velocity{random.vector(), random.number()};
    const V arm = x.R * s;
    const V point_velocity = velocity.v + perp(arm) * velocity.w;
    expectSame(P::pointRate(x, velocity, s), point_velocity);
    const double power = P::power(P::forceAt(x, s, force), velocity);
    EXPECT_NEAR(power, dot(force, point_velocity), 16 * kRoundoff);

    // Other axes.
    const double turn = random.number();
    const auto R = Rotation2<double>::fromAngle(turn);
    const P::Position turned = P::position(x.r.x, x.r.y, x.angle + turn);
    EXPECT_NEAR(P::power(P::forceAt(turned, s, R * force), {R * velocity.v, velocity.w}), power, 16 * kRoundoff);

    // Another reference point, at `shift` (body axes) from the first: velocity and moment both move there.
    const V shift = random.vector();
    const P::Velocity there{velocity.v + perp(x.R * shift) * velocity.w, velocity.w};
    EXPECT_NEAR(P::power(P::forceAt(x, s - shift, force), there), power, 32 * kRoundoff);
  }
}

TEST(Planar, WrenchesAddUp) {
  const P::Position x{};
  P::Wrench sum = P::forceAt(x, {1.0, 0.0}, {0.0, 2.0});
  EXPECT_EQ(sum.moment, 2.0);
  sum += P::forceAt(x, {0.0, 3.0}, {1.0, 0.0});
  EXPECT_EQ(sum.force.x, 1.0);
  EXPECT_EQ(sum.force.y, 2.0);
  EXPECT_EQ(sum.moment, -1.0);
}

// One text, three scalars: a program that uses every operation gives the same number with double, Dual and Expr.
template <class T>
T everything(const std::array<T, 7>& a) {
  using G = Planar<T>;
  const auto x = G::position(a[0], a[1], a[2]);
  const typename G::Vector s{a[3], a[4]};
  const typename G::Vector force{a[5], a[6]};
  auto wrench = G::forceAt(x, s, x.R.inverseTimes(force));
  wrench += {perp(force) * a[0], x.angle};
  const typename G::Velocity velocity{x.r - x.R * s, a[6]};
  return G::power(wrench, velocity) + dot(x.r, -force);
}

TEST(Planar, RunsWithDualAndExpr) {
  Random random(5);
  std::array<double, 7> values{};
  for (double& value : values) value = random.number();
  const double reference = everything(values);

  std::array<Dual<7>, 7> duals;
  std::array<Expr, 7> letters;
  std::map<std::string, double> numbers;
  for (int k = 0; k < 7; ++k) {
    const auto i = static_cast<std::size_t>(k);
    duals[i] = Dual<7>::variable(values[i], k);
    const std::string name = fmt::format("a{}", k);
    letters[i] = Expr::symbol(name);
    numbers[name] = values[i];
  }
  const Dual<7> with_slopes = everything(duals);
  const Expr formula = everything(letters);
  EXPECT_EQ(with_slopes.value, reference);
  EXPECT_NEAR(evaluate(formula, numbers), reference, 16 * kRoundoff);
  for (int k = 0; k < 7; ++k) {
    const double slope = evaluate(differentiate(formula, letters[static_cast<std::size_t>(k)]), numbers);
    EXPECT_NEAR(with_slopes.derivative(k), slope, 64 * kRoundoff) << "direction " << k;
    // Central difference with step 1e-5: cut-off 1e-10 times third derivatives (below 100), round-off 1e-11.
    auto up = values;
    auto down = values;
    up[static_cast<std::size_t>(k)] += 1e-5;
    down[static_cast<std::size_t>(k)] -= 1e-5;
    EXPECT_NEAR((everything(up) - everything(down)) / 2e-5, slope, 1e-8) << "direction " << k;
  }
}

}  // namespace planar_test
}  // namespace linkwork
