// The laws every constraint element must keep, checked at random states and along random motions, on and off the
// surface.
//
//   Phi_q     against Dual<8> and central differences of Phi
//   -Phi_t    against  Phi_q q' - d/dt Phi        along q(t), f(t) quartic in time
//   Gamma     against  Phi_q q'' - d^2/dt^2 Phi   (nested Dual in time: no difference quotient)
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "linkwork/elements/rows.hpp"
#include "linkwork/scalar/dual.hpp"

namespace linkwork::test {

// Sums of about twenty products of numbers up to some ten: a few hundred units of round-off.
inline constexpr double kLawTolerance = 2e-13;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double number(double low = -1.5, double high = 1.5) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  Vec2<double> vector() { return {number(), number()}; }

 private:
  std::mt19937 engine_;
};

template <class T>
Vec2<T> lift(const Vec2<double>& a) {
  return {T(a.x), T(a.y)};
}

struct Quartic {
  std::array<double, 5> c{};

  static Quartic random(Random& random) {
    Quartic out;
    for (double& value : out.c) value = random.number();
    return out;
  }
  template <class T>
  T at(const T& t) const {
    return T(c[0]) + t * (T(c[1]) + t * (T(c[2]) + t * (T(c[3]) + t * T(c[4]))));
  }
  double rate(double t) const { return c[1] + t * (2 * c[2] + t * (3 * c[3] + t * 4 * c[4])); }
  double acceleration(double t) const { return 2 * c[2] + t * (6 * c[3] + t * 12 * c[4]); }
};

// The motion of one body; a default one is the ground.
struct BodyPath {
  Quartic x, y, angle;

  static BodyPath random(Random& random) {
    BodyPath out;
    for (Quartic* q : {&out.x, &out.y, &out.angle}) *q = Quartic::random(random);
    return out;
  }
  template <class T>
  typename Planar<T>::Position at(const T& t) const {
    return Planar<T>::position(x.at(t), y.at(t), angle.at(t));
  }
  std::array<double, 3> coordinates(double t) const { return {x.at(t), y.at(t), angle.at(t)}; }
  Planar<double>::Velocity velocity(double t) const { return {{x.rate(t), y.rate(t)}, angle.rate(t)}; }
  std::array<double, 3> acceleration(double t) const {
    return {x.acceleration(t), y.acceleration(t), angle.acceleration(t)};
  }
};

enum class Ends { two_bodies, ground_first, ground_second };

struct PairPaths {
  BodyPath i, j;

  static PairPaths random(Ends ends, Random& random) {
    PairPaths out{BodyPath::random(random), BodyPath::random(random)};
    if (ends == Ends::ground_first) out.i = {};
    if (ends == Ends::ground_second) out.j = {};
    return out;
  }
};

// make(Planar<T>{}) gives the element with that scalar. f is the prescribed motion (a zero quartic for a joint).
template <class Make>
void expectConstraintLaws(const Make& make, const PairPaths& paths, const Quartic& f, double t) {
  using D8 = Dual<8>;
  using D1 = Dual<1>;
  using D2 = Dual<1, Dual<1>>;
  using Element = decltype(make(Planar<double>{}));
  constexpr int kRows = Element::kRows;

  const Element element = make(Planar<double>{});
  const auto xi = paths.i.at(t);
  const auto xj = paths.j.at(t);
  const auto vi = paths.i.velocity(t);
  const auto vj = paths.j.velocity(t);
  const Motion<double> motion{f.at(t), f.rate(t), f.acceleration(t)};
  const auto phi = element.phi({xi, xj}, motion);
  const auto rows = element.jacobian({xi, xj});
  const auto minus_phi_t = element.minusPhiT(motion);
  const auto gamma = element.gamma({xi, xj}, {vi, vj}, motion);

  // Phi_q against forward differentiation.
  const auto qi = paths.i.coordinates(t);
  const auto qj = paths.j.coordinates(t);
  const auto xi8 = Planar<D8>::position(D8::variable(qi[0], 0), D8::variable(qi[1], 1), D8::variable(qi[2], 2));
  const auto xj8 = Planar<D8>::position(D8::variable(qj[0], 3), D8::variable(qj[1], 4), D8::variable(qj[2], 5));
  const Motion<D8> motion8{D8(motion.f), D8(motion.fdot), D8(motion.fddot)};
  const auto element8 = make(Planar<D8>{});
  const auto phi8 = element8.phi({xi8, xj8}, motion8);

  const auto phiAt = [&](const std::array<double, 6>& q) {
    const auto a = Planar<double>::position(q[0], q[1], q[2]);
    const auto b = Planar<double>::position(q[3], q[4], q[5]);
    return element.phi({a, b}, motion);
  };
  const std::array<double, 6> q{qi[0], qi[1], qi[2], qj[0], qj[1], qj[2]};

  // Phi along the motion, twice differentiated in time.
  const D2 time = D2::variable(D1::variable(t));
  const auto xi2 = paths.i.at(time);
  const auto xj2 = paths.j.at(time);
  const Motion<D2> motion2{f.at(time), D2(0.0), D2(0.0)};  // Phi itself needs f alone
  const auto phi2 = make(Planar<D2>{}).phi({xi2, xj2}, motion2);

  const std::array<double, 6> v{vi.v.x, vi.v.y, vi.w, vj.v.x, vj.v.y, vj.w};
  const auto ai = paths.i.acceleration(t);
  const auto aj = paths.j.acceleration(t);
  const std::array<double, 6> a{ai[0], ai[1], ai[2], aj[0], aj[1], aj[2]};

  for (std::size_t r = 0; r < kRows; ++r) {
    SCOPED_TRACE(fmt::format("row {}", r));
    EXPECT_NEAR(phi8[r].value, phi[r], kLawTolerance);
    EXPECT_NEAR(phi2[r].value.value, phi[r], kLawTolerance);
    double rate = 0.0;
    double acceleration = 0.0;
    double size = 1.0;
    for (std::size_t k = 0; k < 6; ++k) {
      const double entry = k < 3 ? rows.first[r][k] : rows.second[r][k - 3];
      EXPECT_NEAR(entry, phi8[r].derivatives[k], kLawTolerance) << "coordinate " << k;
      // Central difference, step 1e-5: cut-off 1e-10 / 6 times a third derivative (some ten), round-off 1e-11.
      auto up = q;
      auto down = q;
      up[k] += 1e-5;
      down[k] -= 1e-5;
      EXPECT_NEAR(entry, (phiAt(up)[r] - phiAt(down)[r]) / 2e-5, 1e-8) << "coordinate " << k;
      rate += entry * v[k];
      acceleration += entry * a[k];
      size += std::abs(entry) * (std::abs(v[k]) * (1 + std::abs(v[k])) + std::abs(a[k]));
    }
    EXPECT_NEAR(minus_phi_t[r], rate - phi2[r].derivatives[0].value, kLawTolerance * size);
    EXPECT_NEAR(gamma[r], acceleration - phi2[r].derivatives[0].derivatives[0], kLawTolerance * size);
  }
}

// All placements of the ground, at states that are off the surface (random) by design.
template <class MakeRandom>
void expectConstraintLawsEverywhere(const MakeRandom& make_random, bool with_motion, unsigned seed) {
  Random random(seed);
  for (const Ends ends : {Ends::two_bodies, Ends::ground_first, Ends::ground_second}) {
    for (int trial = 0; trial < 40; ++trial) {
      SCOPED_TRACE(fmt::format("ends {}, trial {}", static_cast<int>(ends), trial));
      const auto make = make_random(random);
      const PairPaths paths = PairPaths::random(ends, random);
      const Quartic f = with_motion ? Quartic::random(random) : Quartic{};
      expectConstraintLaws(make, paths, f, random.number(-0.8, 0.8));
    }
  }
}

// The wrench Phi_q^T lambda on both bodies, as force and moment about the ground's origin, adds up to nothing where the
// constraint holds: a joint is an interaction.
template <class Element>
void expectActionEqualsReaction(const Element& element, const Planar<double>::Position& xi,
                                const Planar<double>::Position& xj, double tolerance) {
  const auto rows = element.jacobian({xi, xj});
  for (std::size_t r = 0; r < Element::kRows; ++r) {
    const Vec2<double> on_i{rows.first[r][0], rows.first[r][1]};
    const Vec2<double> on_j{rows.second[r][0], rows.second[r][1]};
    EXPECT_NEAR(on_i.x + on_j.x, 0.0, tolerance);
    EXPECT_NEAR(on_i.y + on_j.y, 0.0, tolerance);
    EXPECT_NEAR(rows.first[r][2] + cross(xi.r, on_i) + rows.second[r][2] + cross(xj.r, on_j), 0.0, tolerance);
  }
}

}  // namespace linkwork::test
