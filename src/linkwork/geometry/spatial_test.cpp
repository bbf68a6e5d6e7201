// Laws of rotations and quaternions in space, of rows and forces against the motions they belong to, of the spinning
// body, and of the plane inside space.
#include "linkwork/geometry/spatial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "linkwork/geometry/planar.hpp"
#include "linkwork/scalar/dual.hpp"

namespace linkwork {
namespace spatial_test {

using S = Spatial<double>;
using P = Planar<double>;
using V = Vec3<double>;
using R3 = Rotation3<double>;
using Coordinates = std::array<double, 7>;
using Freedoms = std::array<double, 6>;

// Every law below is some ten products of numbers of the order of 1 to 10: 2e-14 is some hundred units of round-off.
constexpr double kRoundoff = 2e-14;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double number(double size = 2.0) { return std::uniform_real_distribution<double>(-size, size)(engine_); }
  V vector(double size = 2.0) { return {number(size), number(size), number(size)}; }
  Coordinates coordinates() {
    Coordinates q{number(), number(), number()};
    double size = 0.0;
    while (size < 0.2 || size > 1.0) {
      size = 0.0;
      for (std::size_t k = 3; k < 7; ++k) {
        q[k] = number(1.0);
        size += q[k] * q[k];
      }
    }
    for (std::size_t k = 3; k < 7; ++k) q[k] /= std::sqrt(size);
    return q;
  }
  S::Position position() { return S::position(coordinates()); }
  Freedoms freedoms(double size = 2.0) {
    Freedoms out{};
    for (double& value : out) value = number(size);
    return out;
  }
  // Of any axes: three positive moments with a spread that some mass distribution has, turned.
  S::Inertia inertia() {
    const double a = 0.5 + std::abs(number());
    const double b = 0.5 + std::abs(number());
    const double c = 0.5 + std::abs(number());
    return turned({2.0 + number(), b + c, c + a, a + b, 0, 0, 0}, position().R);
  }
  // R J R^T
  static S::Inertia turned(const S::Inertia& J, const R3& R) {
    const V x = R * J.times(R.inverseTimes({1, 0, 0}));
    const V y = R * J.times(R.inverseTimes({0, 1, 0}));
    const V z = R * J.times(R.inverseTimes({0, 0, 1}));
    return {J.mass, x.x, y.y, z.z, y.x, z.x, z.y};
  }

 private:
  std::mt19937 engine_;
};

void expectSame(const V& a, const V& b, double tolerance = kRoundoff) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}
void expectSame(const R3& a, const R3& b, double tolerance = kRoundoff) {
  expectSame(a.x, b.x, tolerance);
  expectSame(a.y, b.y, tolerance);
  expectSame(a.z, b.z, tolerance);
}

R3 rotationOf(const Coordinates& q) { return S::position(q).R; }

// Rodrigues: R s = s cos + (n x s) sin + n (n.s) (1 - cos), n the axis of the turn.
V turnedAbout(const V& turn, const V& s) {
  const double angle = std::sqrt(dot(turn, turn));
  if (angle == 0.0) return s;
  const V n = turn * (1.0 / angle);
  return s * std::cos(angle) + cross(n, s) * std::sin(angle) + n * (dot(n, s) * (1.0 - std::cos(angle)));
}

TEST(Spatial, RotationOfAQuaternionIsOrthonormalAndRightHanded) {
  Random random(1);
  for (int k = 0; k < 100; ++k) {
    Coordinates q = random.coordinates();
    const R3 R = rotationOf(q);
    EXPECT_NEAR(dot(R.x, R.x), 1.0, kRoundoff);
    EXPECT_NEAR(dot(R.y, R.y), 1.0, kRoundoff);
    EXPECT_NEAR(dot(R.x, R.y), 0.0, kRoundoff);
    expectSame(cross(R.x, R.y), R.z);
    const V a = random.vector();
    const V b = random.vector();
    expectSame(R.inverseTimes(R * a), a);
    expectSame(R * R.inverseTimes(a), a);
    EXPECT_NEAR(dot(R * a, R * b), dot(a, b), 8 * kRoundoff);
    expectSame(R * cross(a, b), cross(R * a, R * b), 8 * kRoundoff);
    // Length and sign of the quaternion do not matter.
    for (std::size_t c = 3; c < 7; ++c) q[c] *= -3.7;
    expectSame(rotationOf(q), R);
  }
}

TEST(Spatial, QuaternionTurnsAboutItsAxisByTwiceItsAngle) {
  Random random(2);
  for (int k = 0; k < 50; ++k) {
    const V turn = random.vector();
    const double angle = std::sqrt(dot(turn, turn));
    const double s = std::sin(angle / 2) / angle;
    const R3 R = R3::fromQuaternion(std::cos(angle / 2), s * turn.x, s * turn.y, s * turn.z);
    const V a = random.vector();
    expectSame(R * a, turnedAbout(turn, a));
    const double about_z = random.number();
    expectSame(R3::aboutZ(about_z) * a, turnedAbout({0, 0, about_z}, a));
  }
}

TEST(Spatial, RotationsComposeAsTheyAct) {
  Random random(3);
  for (int k = 0; k < 50; ++k) {
    const R3 A = random.position().R;
    const R3 B = random.position().R;
    const V a = random.vector();
    expectSame((A * B) * a, A * (B * a));
    expectSame(A * R3{}, A);
  }
}

TEST(Spatial, DefaultPositionIsTheGround) {
  const V s{0.3, -1.7, 0.9};
  expectSame(S::pointIn(S::Position{}, s), s, 0.0);
}

// retract: R <- R exp(step), of unit length, for steps from none to several turns.
TEST(Spatial, RetractIsTheExponentialMap) {
  Random random(4);
  for (const double size : {0.0, 1e-12, 1e-9, 1e-8, 2e-8, 1e-4, 0.3, 3.0, 20.0}) {
    for (int k = 0; k < 20; ++k) {
      const Coordinates q = random.coordinates();
      Freedoms step = random.freedoms(1.0);
      for (double& value : step) value *= size;
      Coordinates moved = q;
      retract(Spatial<double>{}, moved, step);
      double norm = 0.0;
      for (std::size_t c = 3; c < 7; ++c) norm += moved[c] * moved[c];
      EXPECT_NEAR(norm, 1.0, 1e-15);
      for (std::size_t c = 0; c < 3; ++c) EXPECT_DOUBLE_EQ(moved[c], q[c] + step[c]);
      const V s = random.vector();
      expectSame(rotationOf(moved) * s, rotationOf(q) * turnedAbout({step[3], step[4], step[5]}, s), 2 * kRoundoff);
      // There and back.
      for (double& value : step) value = -value;
      retract(Spatial<double>{}, moved, step);
      for (std::size_t c = 3; c < 7; ++c) EXPECT_NEAR(moved[c], q[c], kRoundoff);
    }
  }
}

// A tiny step must not vanish: the difference of two quaternions is half the step to first order.
TEST(Spatial, RetractKeepsTinySteps) {
  Coordinates q{0, 0, 0, 1, 0, 0, 0};
  retract(Spatial<double>{}, q, Freedoms{0, 0, 0, 2e-15, -4e-12, 6e-9});
  EXPECT_DOUBLE_EQ(q[4], 1e-15);
  EXPECT_DOUBLE_EQ(q[5], -2e-12);
  EXPECT_DOUBLE_EQ(q[6], 3e-9);
}

TEST(Spatial, NormaliseGivesUnitLengthOnceAndForAll) {
  Random random(5);
  int changed = 0;
  for (int k = 0; k < 20000; ++k) {
    Coordinates q = random.coordinates();
    for (std::size_t c = 3; c < 7; ++c) q[c] *= 1.0 + random.number(1e-3);
    const Coordinates before = q;
    if (normalise(Spatial<double>{}, q)) ++changed;
    expectSame(rotationOf(q), rotationOf(before));
    EXPECT_NEAR(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6], 1.0, 1e-15);
    for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(q[c], before[c]);
    EXPECT_FALSE(normalise(Spatial<double>{}, q));  // else every step of an integrator would void its history
  }
  EXPECT_EQ(changed, 20000);
}

// q' from coordinateRate: d(R s)/dt = R (w x s), |q| stays, r' = v; by differentiating the rotation along q + q' e.
TEST(Spatial, CoordinateRateTurnsTheBodyAtW) {
  using D = Dual<1>;
  Random random(6);
  for (int k = 0; k < 100; ++k) {
    const Coordinates q = random.coordinates();
    const Freedoms v = random.freedoms();
    Coordinates rate{};
    S::coordinateRate(q, v, rate);
    EXPECT_NEAR(q[3] * rate[3] + q[4] * rate[4] + q[5] * rate[5] + q[6] * rate[6], 0.0, 1e-15);
    std::array<D, 7> moving;
    for (std::size_t c = 0; c < 7; ++c) {
      moving[c] = D(q[c]);
      moving[c].derivatives[0] = rate[c];
    }
    const V s = random.vector();
    const auto x = S::position(q);
    const auto velocity = S::velocity(v);
    const auto point = Spatial<D>::pointIn(Spatial<D>::position(moving), {D(s.x), D(s.y), D(s.z)});
    const V point_rate{point.x.derivative(), point.y.derivative(), point.z.derivative()};
    expectSame(point_rate, velocity.v + x.R * cross(velocity.w, s));
    expectSame(S::pointRate(x, velocity, s), point_rate);
    expectSame(S::directionRate(x, velocity, s), point_rate - velocity.v);
    // And through retract, with a central difference of step 1e-5: cut-off 1e-10/6 w^3 s (below 1e-8), round-off 1e-10.
    const auto moved = [&](double by) {
      Coordinates at = q;
      Freedoms step = v;
      for (double& value : step) value *= by;
      retract(Spatial<double>{}, at, step);
      return S::pointIn(S::position(at), s);
    };
    expectSame((moved(1e-5) - moved(-1e-5)) * (0.5 / 1e-5), point_rate, 2e-8);
  }
}

// Second derivative of a point under steady v and w: R (w x (w x s)), exactly, from R(t) = R exp(w t).
TEST(Spatial, CentripetalIsTheSecondDerivativeUnderSteadyRates) {
  Random random(7);
  for (int k = 0; k < 50; ++k) {
    const auto x = random.position();
    const auto v = S::velocity(random.freedoms());
    const V s = random.vector();
    const auto at = [&](double t) { return x.r + v.v * t + x.R * turnedAbout(v.w * t, s); };
    const double h = 1e-3;  // five points: cut-off h^4/90 w^6 s (some 1e-8), round-off 1e-15 * 16 / h^2
    const V second = (at(h) + at(-h)) * (16.0 / (12 * h * h)) - (at(2 * h) + at(-2 * h)) * (1.0 / (12 * h * h)) -
                     at(0.0) * (30.0 / (12 * h * h));
    expectSame(S::centripetal(x, v, s), second, 1e-7);
    // Perpendicular to w, towards the axis.
    const V c = x.R.inverseTimes(S::centripetal(x, v, s));
    EXPECT_NEAR(dot(c, v.w), 0.0, 20 * kRoundoff);
  }
}

TEST(Spatial, RowsTimesRatesAreRatesAndMatchDifferencesThroughRetract) {
  Random random(8);
  for (int k = 0; k < 50; ++k) {
    const Coordinates q = random.coordinates();
    const auto x = S::position(q);
    const Freedoms v = random.freedoms();
    const V s = random.vector();
    const V n = random.vector();
    const auto point_row = S::pointRow(x, s, n);
    const auto direction_row = S::directionRow(x, s, n);
    const auto rows = S::pointRows(x, s);
    const auto times = [&](const Freedoms& row) {
      double sum = 0.0;
      for (std::size_t c = 0; c < 6; ++c) sum += row[c] * v[c];
      return sum;
    };
    const auto velocity = S::velocity(v);
    const V rate = S::pointRate(x, velocity, s);
    EXPECT_NEAR(times(point_row), dot(n, rate), 8 * kRoundoff);
    EXPECT_NEAR(times(direction_row), dot(n, S::directionRate(x, velocity, s)), 8 * kRoundoff);
    expectSame({times(rows[0]), times(rows[1]), times(rows[2])}, rate, 4 * kRoundoff);
    for (std::size_t c = 0; c < 6; ++c) {
      const auto moved = [&](double by) {
        Coordinates at = q;
        Freedoms step{};
        step[c] = by;
        retract(Spatial<double>{}, at, step);
        return S::position(at);
      };
      // Step 1e-5: cut-off 1e-10/6 times a third derivative (below ten), round-off 1e-10.
      const auto up = moved(1e-5);
      const auto down = moved(-1e-5);
      EXPECT_NEAR(point_row[c], dot(n, S::pointIn(up, s) - S::pointIn(down, s)) / 2e-5, 2e-9) << "freedom " << c;
      EXPECT_NEAR(direction_row[c], dot(n, up.R * s - down.R * s) / 2e-5, 2e-9) << "freedom " << c;
    }
  }
}

TEST(Spatial, PowerOfAForceIsThatOfItsPointAndOfAMomentThatOfTheTurn) {
  Random random(9);
  for (int k = 0; k < 100; ++k) {
    const auto x = random.position();
    const auto v = S::velocity(random.freedoms());
    const V s = random.vector();
    const V force = random.vector();
    const auto wrench = S::forceAt(x, s, force);
    EXPECT_NEAR(S::power(wrench, v), dot(force, S::pointRate(x, v, s)), 8 * kRoundoff);
    expectSame(x.R * wrench.moment, cross(x.R * s, force), 4 * kRoundoff);
    const V axis = random.vector();
    EXPECT_NEAR(S::power(S::moment(x, axis, 1.5), v), 1.5 * dot(axis, x.R * v.w), 8 * kRoundoff);
    S::Wrench sum = wrench;
    sum += S::moment(x, axis, 1.5);
    sum += -wrench;
    Freedoms f{};
    S::put(sum, f);
    const V moment = x.R.inverseTimes(axis) * 1.5;
    const Freedoms expected{0, 0, 0, moment.x, moment.y, moment.z};
    for (std::size_t c = 0; c < 6; ++c) EXPECT_NEAR(f[c], expected[c], 4 * kRoundoff);
  }
}

// Other body axes R_BC: w -> R^T w, J -> R^T J R, and the same energy; the mass block says the same as the energy.
TEST(Spatial, KineticEnergyDoesNotDependOnTheBodyAxes) {
  Random random(10);
  for (int k = 0; k < 50; ++k) {
    const S::Inertia J = random.inertia();
    const Freedoms rates = random.freedoms();
    const auto v = S::velocity(rates);
    const double energy = S::kineticEnergy(J, v);
    EXPECT_GT(energy, 0.0);
    const R3 R = random.position().R;
    const R3 back{R.inverseTimes({1, 0, 0}), R.inverseTimes({0, 1, 0}), R.inverseTimes({0, 0, 1})};
    EXPECT_NEAR(S::kineticEnergy(Random::turned(J, back), {v.v, R.inverseTimes(v.w)}), energy, 1e-13 * energy);

    double from_block = 0.0;
    const auto values = S::massValues(J);
    for (std::size_t e = 0; e < values.size(); ++e) {
      const auto [row, column] = S::kMassEntries[e];
      EXPECT_GE(row, column);  // the lower triangle
      from_block += (row == column ? 0.5 : 1.0) * values[e] * rates[static_cast<std::size_t>(row)] *
                    rates[static_cast<std::size_t>(column)];
    }
    EXPECT_NEAR(from_block, energy, 1e-13 * energy);
    EXPECT_NEAR(S::power(S::gyroscopic(J, v), v), 0.0, 1e-13 * energy * std::sqrt(dot(v.w, v.w)));
  }
}

// w' with J w' = the gyroscopic moment.
V turnAcceleration(const S::Inertia& J, const V& w) {
  const V m = S::gyroscopic(J, {{}, w}).moment;
  // Cramer's rule with the columns of J.
  const V a{J.xx, J.xy, J.xz};
  const V b{J.xy, J.yy, J.yz};
  const V c{J.xz, J.yz, J.zz};
  const double det = dot(a, cross(b, c));
  return V{dot(m, cross(b, c)), dot(a, cross(m, c)), dot(a, cross(b, m))} * (1.0 / det);
}

// L = R J w in ground axes: L' = R (w x J w + J w') vanishes without a moment, and so does T' = w^T J w'.
TEST(Spatial, TorqueFreeBodyKeepsMomentumAndEnergyInstantly) {
  Random random(11);
  for (int k = 0; k < 50; ++k) {
    const S::Inertia J = random.inertia();
    const V w = random.vector();
    const V w_rate = turnAcceleration(J, w);
    expectSame(cross(w, J.times(w)) + J.times(w_rate), {}, 30 * kRoundoff);
    EXPECT_NEAR(dot(J.times(w), w_rate), 0.0, 30 * kRoundoff);
  }
}

// The same over a tumbling motion (spin about the middle axis): RK4 of (q, w), order four in both books.
TEST(Spatial, TorqueFreeMotionKeepsMomentumAndEnergy) {
  const S::Inertia J{1.0, 1.0, 2.0, 2.7, 0.1, -0.2, 0.15};
  const auto worst = [&](int steps) {
    const double h = 6.0 / steps;
    std::array<double, 13> y{0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0.01, 2.0, 0.02};
    const auto rate = [&](const std::array<double, 13>& at) {
      std::array<double, 13> out{};
      const std::span<const double> all(at);
      S::coordinateRate(all.first(7), all.subspan(7), std::span(out).first(7));
      const V w_rate = turnAcceleration(J, {at[10], at[11], at[12]});
      out[10] = w_rate.x;
      out[11] = w_rate.y;
      out[12] = w_rate.z;
      return out;
    };
    const auto plus = [](std::array<double, 13> a, const std::array<double, 13>& b, double k) {
      for (std::size_t i = 0; i < a.size(); ++i) a[i] += k * b[i];
      return a;
    };
    const auto momentum = [&] {
      return S::position(std::span<const double>(y).first(7)).R * J.times({y[10], y[11], y[12]});
    };
    const auto energy = [&] { return S::kineticEnergy(J, S::velocity(std::span<const double>(y).subspan(7))); };
    const V L = momentum();
    const double T = energy();
    double largest = 0.0;
    double turned_over = 1.0;
    for (int step = 0; step < steps; ++step) {
      const auto k1 = rate(y);
      const auto k2 = rate(plus(y, k1, h / 2));
      const auto k3 = rate(plus(y, k2, h / 2));
      const auto k4 = rate(plus(y, k3, h));
      y = plus(plus(plus(plus(y, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6);
      const V drift = momentum() - L;
      largest = std::max({largest, std::sqrt(dot(drift, drift)), std::abs(energy() - T)});
      turned_over = std::min(turned_over, y[11] / 2.0);
    }
    EXPECT_LT(turned_over, 0.9);  // it really tumbles
    return largest;
  };
  const double coarse = worst(500);
  const double fine = worst(1000);
  EXPECT_LT(fine, 1e-8);
  EXPECT_GT(coarse / fine, 12.0);  // 16 for order four: the drift is the integrator's, not the equations'
}

// --- the plane inside space ------------------------------------------------------------------------------------------

V lifted(const Vec2<double>& a) { return {a.x, a.y, 0.0}; }
void expectInPlane(const V& a, const Vec2<double>& b) { expectSame(a, lifted(b)); }

TEST(Spatial, MotionInThePlaneIsThatOfPlanar) {
  Random random(12);
  const auto flat = [&] { return Vec2<double>{random.number(), random.number()}; };
  // Which of the six freedoms are x, y and the turn about z.
  const std::array<std::size_t, 3> in_plane{0, 1, 5};
  for (int k = 0; k < 100; ++k) {
    const double angle = 3.0 * random.number();
    const auto r = flat();
    const auto x2 = P::position(r.x, r.y, angle);
    const Coordinates q{r.x, r.y, 0, std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
    const auto x3 = S::position(q);
    const P::Velocity v2{flat(), random.number()};
    const S::Velocity v3{lifted(v2.v), {0, 0, v2.w}};
    const auto s = flat();
    const auto n = flat();
    expectInPlane(S::pointIn(x3, lifted(s)), P::pointIn(x2, s));
    expectInPlane(S::pointRate(x3, v3, lifted(s)), P::pointRate(x2, v2, s));
    expectInPlane(S::directionRate(x3, v3, lifted(s)), P::directionRate(x2, v2, s));
    expectInPlane(S::centripetal(x3, v3, lifted(s)), P::centripetal(x2, v2, s));
    expectInPlane(x3.R.inverseTimes(lifted(s)), x2.R.inverseTimes(s));
    const auto expectRow = [&](const Freedoms& row3, const std::array<double, 3>& row2) {
      for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(row3[in_plane[c]], row2[c], kRoundoff) << c;
      for (const std::size_t c : {2u, 3u, 4u}) EXPECT_NEAR(row3[c], 0.0, kRoundoff) << c;
    };
    expectRow(S::pointRow(x3, lifted(s), lifted(n)), P::pointRow(x2, s, n));
    expectRow(S::directionRow(x3, lifted(s), lifted(n)), P::directionRow(x2, s, n));
    expectRow(S::pointRows(x3, lifted(s))[0], P::pointRows(x2, s)[0]);
    expectRow(S::pointRows(x3, lifted(s))[1], P::pointRows(x2, s)[1]);
    const auto f3 = S::forceAt(x3, lifted(s), lifted(n));
    const auto f2 = P::forceAt(x2, s, n);
    expectInPlane(f3.force, f2.force);
    expectSame(f3.moment, {0, 0, f2.moment});
    EXPECT_NEAR(S::power(f3, v3), P::power(f2, v2), 4 * kRoundoff);
    expectSame(S::moment(x3, {0, 0, 1}, 0.7).moment, {0, 0, P::moment(x2, {}, 0.7).moment});
    const S::Inertia J3{1.3, 0.8, 0.6, 0.9, 0.1, 0.0, 0.0};
    const P::Inertia J2{1.3, 0.9};
    EXPECT_NEAR(S::kineticEnergy(J3, v3), P::kineticEnergy(J2, v2), 4 * kRoundoff);
    expectSame(S::gyroscopic(J3, v3).moment, {});
    // A step in the plane stays there.
    Coordinates moved = q;
    retract(Spatial<double>{}, moved, Freedoms{0.1, -0.2, 0, 0, 0, 0.7});
    std::array<double, 3> moved2{r.x, r.y, angle};
    retract(Planar<double>{}, moved2, std::array<double, 3>{0.1, -0.2, 0.7});
    const auto there2 = P::position(moved2);
    expectInPlane(S::pointIn(S::position(moved), lifted(s)), P::pointIn(there2, s));
  }
}

}  // namespace spatial_test
}  // namespace linkwork
