// The laws every constraint element must keep, in the plane and in space, checked at random states and along random
// motions, on and off the surface.
//
//   Phi_q     against Dual along each freedom (q' = coordinateRate) and central differences of Phi through retract
//   Phi_q'    against  Dual in time of Phi_q      along q(t)
//   -Phi_t    against  Phi_q v  - d/dt Phi        along q(t), f(t) smooth in time
//   Gamma     against  Phi_q v' - d^2/dt^2 Phi    (nested Dual in time: no difference quotient)
//
// Of elements that hold velocities alone there is no Phi:
//
//   Phi_q'    as above
//   Gamma     against  Phi_q v' - d/dt (Phi_q v + Phi_t)    along q(t)
//   Phi_q V   zero for every V with which both bodies move as one       [docs/theory/01, eq. 1.19]
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "linkwork/elements/rows.hpp"
#include "linkwork/scalar/dual.hpp"

namespace linkwork::test {

// Phi of an element's rows; zero where there is none.
template <class E, class G>
std::array<typename G::Scalar, E::kRows> phiOf(const E& element, const PairPosition<G>& x,
                                               const Motion<typename G::Scalar>& motion) {
  if constexpr (levelOf<E>() == RowLevel::position) {
    return element.phi(x, motion);
  } else {
    return {};
  }
}

// Sums of about twenty products of numbers up to some ten: a few hundred units of round-off.
inline constexpr double kLawTolerance = 2e-13;

// The two geometries, each for every scalar.
struct InPlane {
  template <class T>
  using Of = Planar<T>;
};
struct InSpace {
  template <class T>
  using Of = Spatial<T>;
};
using PlaneAndSpace = ::testing::Types<InPlane, InSpace>;
struct GeometryName {
  template <class F>
  static std::string GetName(int /*index*/) {  // NOLINT(readability-identifier-naming): GoogleTest's name
    return std::is_same_v<F, InPlane> ? "Planar" : "Spatial";
  }
};

template <class T>
Vec2<T> lift(const Vec2<double>& a) {
  return {T(a.x), T(a.y)};
}
template <class T>
Vec3<T> lift(const Vec3<double>& a) {
  return {T(a.x), T(a.y), T(a.z)};
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double number(double low = -1.5, double high = 1.5) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  template <class F = InPlane>
  typename F::template Of<double>::Vector vector() {
    if constexpr (std::is_same_v<F, InPlane>) {
      return {number(), number()};
    } else {
      return {number(), number(), number()};
    }
  }
  template <class F>
  typename F::template Of<double>::Vector direction() {
    for (;;) {
      const auto a = vector<F>();
      const double size = std::sqrt(dot(a, a));
      if (size > 0.2 && size < 1.5) return a * (1.0 / size);
    }
  }
  // (x, y, angle), or (x, y, z, unit quaternion) with any orientation.
  template <class F>
  std::array<double, F::template Of<double>::kCoordinates> coordinates() {
    if constexpr (std::is_same_v<F, InPlane>) {
      return {number(), number(), number()};
    } else {
      std::array<double, 7> q{number(), number(), number()};
      double size = 0.0;
      while (size < 0.2 || size > 1.0) {
        size = 0.0;
        for (std::size_t k = 3; k < 7; ++k) {
          q[k] = number(-1.0, 1.0);
          size += q[k] * q[k];
        }
      }
      for (std::size_t k = 3; k < 7; ++k) q[k] /= std::sqrt(size);
      return q;
    }
  }
  template <class F>
  typename F::template Of<double>::Position position() {
    return F::template Of<double>::position(coordinates<F>());
  }
  template <class F>
  typename F::template Of<double>::Velocity velocity() {
    if constexpr (std::is_same_v<F, InPlane>) {
      return {vector(), number()};
    } else {
      return {vector<InSpace>(), vector<InSpace>()};
    }
  }

 private:
  std::mt19937 engine_;
};

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

template <class T>
std::array<T, 4> quaternionProduct(const std::array<T, 4>& a, const std::array<T, 4>& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

// The motion of one body; a default one is the ground. In the plane (x, y, angle) are quartics; in space (x, y, z) are,
// and the orientation is q_0 o turn about z o turn about x o turn about z with quartic angles: of unit length for all
// times.
template <class F>
struct BodyPath {
  static constexpr bool kSpatial = std::is_same_v<F, InSpace>;
  static constexpr std::size_t kSize = kSpatial ? 6 : 3;
  static constexpr std::size_t kCoordinates = kSpatial ? 7 : 3;
  std::array<Quartic, kSize> part{};
  std::array<double, 4> start{1.0, 0.0, 0.0, 0.0};

  static BodyPath random(Random& random) {
    BodyPath out;
    for (Quartic& q : out.part) q = Quartic::random(random);
    if constexpr (kSpatial) {
      const auto q = random.coordinates<InSpace>();
      out.start = {q[3], q[4], q[5], q[6]};
    }
    return out;
  }

  template <class T>
  std::array<T, kCoordinates> coordinates(const T& t) const {
    if constexpr (kSpatial) {
      const T zero(0.0);
      std::array<T, 4> q{T(start[0]), T(start[1]), T(start[2]), T(start[3])};
      for (std::size_t k = 3; k < 6; ++k) {
        const T half = part[k].at(t) * T(0.5);
        const T c = cos(half);
        const T s = sin(half);
        q = quaternionProduct(q, k == 4 ? std::array<T, 4>{c, s, zero, zero} : std::array<T, 4>{c, zero, zero, s});
      }
      return {part[0].at(t), part[1].at(t), part[2].at(t), q[0], q[1], q[2], q[3]};
    } else {
      return {part[0].at(t), part[1].at(t), part[2].at(t)};
    }
  }

  template <class T>
  typename F::template Of<T>::Position at(const T& t) const {
    return F::template Of<T>::position(coordinates(t));
  }

  // The freedoms' rates (v, w) and their derivatives. In space w = 2 vec(q* o q'), w' = 2 vec(q* o q'').
  std::array<double, kSize> rates(double t) const { return derivatives(t)[0]; }
  std::array<double, kSize> acceleration(double t) const { return derivatives(t)[1]; }
  typename F::template Of<double>::Velocity velocity(double t) const {
    return F::template Of<double>::velocity(rates(t));
  }

 private:
  std::array<std::array<double, kSize>, 2> derivatives(double t) const {
    using D1 = Dual<1>;
    using D2 = Dual<1, D1>;
    const auto q = coordinates(D2::variable(D1::variable(t)));
    std::array<std::array<double, kSize>, 2> out{};
    for (std::size_t level = 0; level < 2; ++level) {
      const auto derivative = [&](std::size_t k) {
        return level == 0 ? q[k].derivatives[0].value : q[k].derivatives[0].derivatives[0];
      };
      for (std::size_t k = 0; k < 3; ++k) out[level][k] = derivative(k);
      if constexpr (kSpatial) {
        const auto value = [&](std::size_t k) { return q[k].value.value; };
        const auto turn = quaternionProduct<double>({value(3), -value(4), -value(5), -value(6)},
                                                    {derivative(3), derivative(4), derivative(5), derivative(6)});
        for (std::size_t k = 0; k < 3; ++k) out[level][3 + k] = 2.0 * turn[1 + k];
      }
    }
    return out;
  }
};

enum class Ends { two_bodies, ground_first, ground_second };

template <class F>
struct PairPaths {
  BodyPath<F> i, j;

  static PairPaths random(Ends ends, Random& random) {
    PairPaths out{BodyPath<F>::random(random), BodyPath<F>::random(random)};
    if (ends == Ends::ground_first) out.i = {};
    if (ends == Ends::ground_second) out.j = {};
    return out;
  }
};

// Coordinates with a derivative along each freedom of their body, in the directions first, first + 1, ...
template <class F, int N>
std::array<Dual<N>, F::template Of<double>::kCoordinates> seeded(
    const std::array<double, F::template Of<double>::kCoordinates>& q, int first) {
  using G = typename F::template Of<double>;
  std::array<Dual<N>, G::kCoordinates> out;
  for (std::size_t c = 0; c < q.size(); ++c) out[c] = Dual<N>(q[c]);
  for (std::size_t k = 0; k < G::kFreedoms; ++k) {
    std::array<double, G::kFreedoms> unit{};
    unit[k] = 1.0;
    std::array<double, G::kCoordinates> rate{};
    G::coordinateRate(q, unit, rate);
    for (std::size_t c = 0; c < q.size(); ++c) out[c].derivatives[static_cast<std::size_t>(first) + k] = rate[c];
  }
  return out;
}

// make(G<T>{}) gives the element with that scalar. f is the prescribed motion (a zero quartic for a joint).
template <class F, class Make>
void expectConstraintLaws(const Make& make, const PairPaths<F>& paths, const Quartic& f, double t) {
  using G = typename F::template Of<double>;
  constexpr std::size_t kN = G::kFreedoms;
  using D = Dual<2 * static_cast<int>(kN)>;
  using GD = typename F::template Of<D>;
  using D1 = Dual<1>;
  using D2 = Dual<1, Dual<1>>;
  using G2 = typename F::template Of<D2>;
  using Element = decltype(make(G{}));
  constexpr int kRows = Element::kRows;

  const Element element = make(G{});
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
  const auto xi_dual = GD::position(seeded<F, 2 * static_cast<int>(kN)>(qi, 0));
  const auto xj_dual = GD::position(seeded<F, 2 * static_cast<int>(kN)>(qj, static_cast<int>(kN)));
  const Motion<D> motion_dual{D(motion.f), D(motion.fdot), D(motion.fddot)};
  const auto phi_dual = make(GD{}).phi({xi_dual, xj_dual}, motion_dual);

  // Phi with one freedom moved by a small step.
  const auto phiMoved = [&](std::size_t k, double by) {
    auto a = qi;
    auto b = qj;
    std::array<double, kN> step{};
    step[k % kN] = by;
    retract(G{}, k < kN ? a : b, step);
    const auto xa = G::position(a);
    const auto xb = G::position(b);
    return element.phi({xa, xb}, motion);
  };

  // Phi along the motion, twice differentiated in time.
  const D2 time = D2::variable(D1::variable(t));
  const auto xi2 = paths.i.at(time);
  const auto xj2 = paths.j.at(time);
  const Motion<D2> motion2{f.at(time), D2(0.0), D2(0.0)};  // Phi itself needs f alone
  const auto phi2 = make(G2{}).phi({xi2, xj2}, motion2);

  // Phi_q along the motion, differentiated in time.
  using G1 = typename F::template Of<D1>;
  const auto xi1 = paths.i.at(D1::variable(t));
  const auto xj1 = paths.j.at(D1::variable(t));
  const auto rows1 = make(G1{}).jacobian({xi1, xj1});
  const auto row_rates = element.jacobianRate({xi, xj}, {vi, vj});

  const std::array<std::array<double, kN>, 2> v{paths.i.rates(t), paths.j.rates(t)};
  const std::array<std::array<double, kN>, 2> a{paths.i.acceleration(t), paths.j.acceleration(t)};

  for (std::size_t r = 0; r < kRows; ++r) {
    SCOPED_TRACE(fmt::format("row {}", r));
    EXPECT_NEAR(phi_dual[r].value, phi[r], kLawTolerance);
    EXPECT_NEAR(phi2[r].value.value, phi[r], kLawTolerance);
    double rate = 0.0;
    double acceleration = 0.0;
    double size = 1.0;
    for (std::size_t k = 0; k < 2 * kN; ++k) {
      const double entry = k < kN ? rows.first[r][k] : rows.second[r][k - kN];
      const double entry_rate = k < kN ? row_rates.first[r][k] : row_rates.second[r][k - kN];
      const double v_k = v[k / kN][k % kN];
      const double a_k = a[k / kN][k % kN];
      EXPECT_NEAR(entry, phi_dual[r].derivatives[k], kLawTolerance) << "freedom " << k;
      // Central difference, step 1e-5: cut-off 1e-10 / 6 times a third derivative (some ten), round-off 1e-11.
      EXPECT_NEAR(entry, (phiMoved(k, 1e-5)[r] - phiMoved(k, -1e-5)[r]) / 2e-5, 1e-8) << "freedom " << k;
      const double wanted = k < kN ? rows1.first[r][k].derivatives[0] : rows1.second[r][k - kN].derivatives[0];
      EXPECT_NEAR(entry_rate, wanted, 100.0 * kLawTolerance * (1.0 + std::abs(wanted))) << "rate of freedom " << k;
      rate += entry * v_k;
      acceleration += entry * a_k;
      size += std::abs(entry) * (std::abs(v_k) * (1 + std::abs(v_k)) + std::abs(a_k));
    }
    EXPECT_NEAR(minus_phi_t[r], rate - phi2[r].derivatives[0].value, kLawTolerance * size);
    EXPECT_NEAR(gamma[r], acceleration - phi2[r].derivatives[0].derivatives[0], kLawTolerance * size);
  }
}

struct AlwaysUsable {
  template <class Element, class Pair>
  bool operator()(const Element& /*element*/, const Pair& /*x*/) const {
    return true;
  }
};

// All placements of the ground, at states that are off the surface (random) by design; a drive also on it, by a shift
// of its motion. usable(element, pair) rejects places where the element is not defined.
template <class F, class MakeRandom, class Usable = AlwaysUsable>
void expectConstraintLawsEverywhere(const MakeRandom& make_random, bool with_motion, unsigned seed,
                                    const Usable& usable = {}) {
  using G = typename F::template Of<double>;
  Random random(seed);
  for (const Ends ends : {Ends::two_bodies, Ends::ground_first, Ends::ground_second}) {
    for (int trial = 0; trial < 40;) {
      const auto make = make_random(random);
      const auto paths = PairPaths<F>::random(ends, random);
      Quartic f = with_motion ? Quartic::random(random) : Quartic{};
      const double t = random.number(-0.8, 0.8);
      const auto xi = paths.i.at(t);
      const auto xj = paths.j.at(t);
      if (!usable(make(G{}), PairPosition<G>{xi, xj})) continue;
      SCOPED_TRACE(fmt::format("ends {}, trial {}", static_cast<int>(ends), trial));
      ++trial;
      expectConstraintLaws<F>(make, paths, f, t);
      if (!with_motion) continue;
      f.c[0] += make(G{}).phi({xi, xj}, {f.at(t), 0.0, 0.0})[0];
      EXPECT_NEAR(make(G{}).phi({xi, xj}, {f.at(t), 0.0, 0.0})[0], 0.0, kLawTolerance);
      expectConstraintLaws<F>(make, paths, f, t);
    }
  }
}

// The rates of a body that moves with space as a whole: at V where the origin is, turning at W (ground axes).
template <class F>
std::array<double, BodyPath<F>::kSize> carriedAlong(const typename F::template Of<double>::Position& x,
                                                    const std::array<double, 6>& V) {
  if constexpr (std::is_same_v<F, InSpace>) {
    const Vec3<double> W{V[3], V[4], V[5]};
    const Vec3<double> rate = Vec3<double>{V[0], V[1], V[2]} + cross(W, x.r);
    const Vec3<double> own = x.R.inverseTimes(W);
    return {rate.x, rate.y, rate.z, own.x, own.y, own.z};
  } else {
    const Vec2<double> rate = Vec2<double>{V[0], V[1]} + perp(x.r) * V[5];
    return {rate.x, rate.y, V[5]};
  }
}

// f is the motion whose rate the row follows (a zero quartic for a joint).
template <class F, class Make>
void expectVelocityRowLaws(const Make& make, const PairPaths<F>& paths, const Quartic& f, double t) {
  using G = typename F::template Of<double>;
  using D1 = Dual<1>;
  using G1 = typename F::template Of<D1>;
  constexpr std::size_t kN = G::kFreedoms;
  using Element = decltype(make(G{}));
  static_assert(levelOf<Element>() == RowLevel::velocity);

  const Element element = make(G{});
  const auto xi = paths.i.at(t);
  const auto xj = paths.j.at(t);
  const auto rows = element.jacobian({xi, xj});
  const auto row_rates = element.jacobianRate({xi, xj}, {paths.i.velocity(t), paths.j.velocity(t)});
  const Motion<double> motion{f.at(t), f.rate(t), f.acceleration(t)};
  const auto gamma = element.gamma({xi, xj}, {paths.i.velocity(t), paths.j.velocity(t)}, motion);
  const auto given = element.minusPhiT(motion);
  const auto given_rate = element.minusPhiT(Motion<double>{f.rate(t), f.acceleration(t), 0.0});

  const auto xi1 = paths.i.at(D1::variable(t));
  const auto xj1 = paths.j.at(D1::variable(t));
  const auto rows1 = make(G1{}).jacobian({xi1, xj1});
  const std::array<std::array<double, kN>, 2> v{paths.i.rates(t), paths.j.rates(t)};
  const std::array<std::array<double, kN>, 2> a{paths.i.acceleration(t), paths.j.acceleration(t)};
  Random random(static_cast<unsigned>(1000.0 * std::abs(t)) + 1);
  std::array<double, 6> common{};
  for (double& value : common) value = random.number();
  const auto carried_i = carriedAlong<F>(xi, common);
  const auto carried_j = carriedAlong<F>(xj, common);

  for (std::size_t r = 0; r < Element::kRows; ++r) {
    SCOPED_TRACE(fmt::format("row {}", r));
    EXPECT_EQ(given[r], f.rate(t));
    double acceleration = 0.0;  // Phi_q v'
    double residual_rate = -given_rate[r];
    double together = 0.0;
    double size = 1.0;
    for (std::size_t k = 0; k < 2 * kN; ++k) {
      const D1& entry = k < kN ? rows1.first[r][k] : rows1.second[r][k - kN];
      const double entry_rate = k < kN ? row_rates.first[r][k] : row_rates.second[r][k - kN];
      const double v_k = v[k / kN][k % kN];
      const double a_k = a[k / kN][k % kN];
      EXPECT_NEAR(entry.value, k < kN ? rows.first[r][k] : rows.second[r][k - kN], kLawTolerance) << "freedom " << k;
      EXPECT_NEAR(entry_rate, entry.derivatives[0], 100.0 * kLawTolerance * (1.0 + std::abs(entry_rate)))
          << "rate of freedom " << k;
      acceleration += entry.value * a_k;
      residual_rate += (entry * D1(v_k)).derivatives[0] + entry.value * a_k;
      together += entry.value * (k < kN ? carried_i[k] : carried_j[k - kN]);
      size += std::abs(entry.value) * std::abs(a_k) + std::abs(entry_rate * v_k);
    }
    EXPECT_NEAR(gamma[r], acceleration - residual_rate, 10.0 * kLawTolerance * size);
    EXPECT_NEAR(together, 0.0, 100.0 * kLawTolerance);
  }
}

// All placements of the ground.
template <class F, class MakeRandom>
void expectVelocityRowLawsEverywhere(const MakeRandom& make_random, bool with_motion, unsigned seed) {
  Random random(seed);
  for (const Ends ends : {Ends::two_bodies, Ends::ground_first, Ends::ground_second}) {
    for (int trial = 0; trial < 40; ++trial) {
      SCOPED_TRACE(fmt::format("ends {}, trial {}", static_cast<int>(ends), trial));
      const auto make = make_random(random);
      const auto paths = PairPaths<F>::random(ends, random);
      const Quartic f = with_motion ? Quartic::random(random) : Quartic{};
      expectVelocityRowLaws<F>(make, paths, f, random.number(-0.8, 0.8));
    }
  }
}

// A force and a moment about the ground's origin, in ground axes.
template <class G>
std::vector<double> aboutOrigin(const typename G::Position& x, const typename G::Wrench& w) {
  if constexpr (G::kSpatial) {
    const auto moment = x.R * w.moment + cross(x.r, w.force);
    return {w.force.x, w.force.y, w.force.z, moment.x, moment.y, moment.z};
  } else {
    return {w.force.x, w.force.y, w.moment + cross(x.r, w.force)};
  }
}

template <class G>
typename G::Wrench wrenchOf(const typename G::RowBlock& row) {
  if constexpr (G::kSpatial) {
    return {{row[0], row[1], row[2]}, {row[3], row[4], row[5]}};
  } else {
    return {{row[0], row[1]}, row[2]};
  }
}

// The wrench Phi_q^T lambda on both bodies, as force and moment about the ground's origin, adds up to nothing where the
// constraint holds: a joint is an interaction.
template <class G, template <class> class Element>
void expectActionEqualsReaction(const Element<G>& element, const typename G::Position& xi,
                                const typename G::Position& xj, double tolerance) {
  const auto rows = element.jacobian({xi, xj});
  for (std::size_t r = 0; r < Element<G>::kRows; ++r) {
    const auto on_i = aboutOrigin<G>(xi, wrenchOf<G>(rows.first[r]));
    const auto on_j = aboutOrigin<G>(xj, wrenchOf<G>(rows.second[r]));
    for (std::size_t k = 0; k < on_i.size(); ++k) EXPECT_NEAR(on_i[k] + on_j[k], 0.0, tolerance) << "component " << k;
  }
}

}  // namespace linkwork::test
