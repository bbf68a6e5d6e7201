#include "linkwork/elements/bushing.hpp"

#include "linkwork/elements/load_laws_for_tests.hpp"

namespace linkwork {
namespace bushing_test {

using namespace test;

// Stiffnesses of up to 30 and displacements of up to 10 over six directions: forces of some thousands, whose round-off
// is 1e-12.
constexpr double kForceRoundoff = 1e-11;

template <class F>
using MountAxes =
    std::array<typename F::template Of<double>::Vector, static_cast<std::size_t>(F::template Of<double>::kDimension)>;

template <class F>
MountAxes<F> randomAxes(Random& random) {
  if constexpr (std::is_same_v<F, InPlane>) {
    const auto x = random.direction<F>();
    return {x, perp(x)};
  } else {
    const auto R = random.position<F>().R;
    return {R.x, R.y, R.z};
  }
}

// A random bushing; K = A A^T and C = B B^T are semi-definite.
template <class F>
auto makeRandom(Random& random, bool damped = true) {
  constexpr std::size_t kN = static_cast<std::size_t>(F::template Of<double>::kFreedoms);
  using Square = std::array<std::array<double, kN>, kN>;
  const auto semidefinite = [&random](double size) {
    Square a{};
    Square out{};
    for (auto& row : a) {
      for (double& entry : row) entry = random.number(-size, size);
    }
    for (std::size_t r = 0; r < kN; ++r) {
      for (std::size_t c = 0; c < kN; ++c) {
        for (std::size_t k = 0; k < kN; ++k) out[r][c] += a[r][k] * a[c][k];
      }
    }
    return out;
  };
  std::array<double, kN> preload{};
  for (double& entry : preload) entry = random.number(-5, 5);
  const auto axes_a = randomAxes<F>(random);
  const auto axes_b = randomAxes<F>(random);
  return [=, s_A = random.vector<F>(), s_B = random.vector<F>(), K = semidefinite(2.0),
          C = semidefinite(damped ? 1.0 : 0.0)](auto g) {
    using G = decltype(g);
    using T = typename G::Scalar;
    Bushing<G> out;
    out.a.point = lift<T>(s_A);
    out.b.point = lift<T>(s_B);
    for (std::size_t k = 0; k < axes_a.size(); ++k) {
      out.a.axes[k] = lift<T>(axes_a[k]);
      out.b.axes[k] = lift<T>(axes_b[k]);
    }
    for (std::size_t r = 0; r < kN; ++r) {
      out.preload[r] = T(preload[r]);
      for (std::size_t c = 0; c < kN; ++c) {
        out.stiffness[r][c] = T(K[r][c]);
        out.damping[r][c] = T(C[r][c]);
      }
    }
    return out;
  };
}

template <class F>
class BushingLaws : public ::testing::Test {};
TYPED_TEST_SUITE(BushingLaws, PlaneAndSpace, GeometryName);

TYPED_TEST(BushingLaws, ForceIsMinusTheSlopeOfTheStoredEnergyAtAnyTurn) {
  Random random(61);
  for (int trial = 0; trial < 50; ++trial) {
    const auto make = makeRandom<TypeParam>(random);
    const auto s = TwoBodies<TypeParam>::random(random);
    double tolerance = kForceRoundoff;
    if constexpr (std::is_same_v<TypeParam, InSpace>) {
      // Towards half a turn the axis is lost: q_w = cos(phi / 2) is the root of a difference, and all is divided by it.
      const auto x = make(Spatial<double>{}).state({s.xi, s.xj}, {s.vi, s.vj}).x;
      const double q_w = std::cos(0.5 * std::hypot(x[3], x[4], x[5]));
      tolerance /= q_w * q_w;
    }
    expectForceIsSlopeOfEnergy(make, s, tolerance);
  }
}

// Also where the turn is so small that series take the place of quotients, and at no turn at all.
TEST(Bushing, ForceIsMinusTheSlopeOfTheStoredEnergyAtSmallTurns) {
  Random random(62);
  for (const double turn : {0.0, 1e-9, 1e-4, 0.03, 0.0631, 0.0634, 0.2}) {
    for (int trial = 0; trial < 5; ++trial) {
      auto make = makeRandom<InSpace>(random);
      const auto aligned = [make](auto g) {
        auto load = make(g);
        load.a.axes = load.b.axes;
        return load;
      };
      auto s = TwoBodies<InSpace>::random(random);
      std::copy(s.qi.begin() + 3, s.qi.end(), s.qj.begin() + 3);
      const auto axis = random.direction<InSpace>();
      const std::array<double, 6> step{0.0, 0.0, 0.0, turn * axis.x, turn * axis.y, turn * axis.z};
      retract(Spatial<double>{}, s.qj, step);
      s.xj = Spatial<double>::position(s.qj);
      const auto state = aligned(Spatial<double>{}).state({s.xi, s.xj}, {s.vi, s.vj});
      EXPECT_NEAR(std::hypot(state.x[3], state.x[4], state.x[5]), turn, 1e-15);
      expectForceIsSlopeOfEnergy(aligned, s, kForceRoundoff);
    }
  }
}

TYPED_TEST(BushingLaws, KeepsActionAndReactionAndTheBooksOfEnergy) {
  using F = TypeParam;
  Random random(63);
  for (int trial = 0; trial < 50; ++trial) {
    const auto load = makeRandom<F>(random)(typename F::template Of<double>{});
    const auto s = TwoBodies<F>::random(random);
    const auto state = load.state({s.xi, s.xj}, {s.vi, s.vj});
    const auto w = wrenchesOf(load, s);
    expectActionEqualsReaction(w, s, 10 * kForceRoundoff);
    double stored = 0.0;
    for (std::size_t r = 0; r < state.x.size(); ++r) {
      stored -= load.preload[r] * state.rate[r];
      for (std::size_t c = 0; c < state.x.size(); ++c) stored += state.rate[r] * load.stiffness[r][c] * state.x[c];
    }
    EXPECT_NEAR(-powerOf(w, s), stored + load.dissipatedPower(state), 10 * kForceRoundoff);
    EXPECT_GE(load.dissipatedPower(state), 0.0);
  }
}

// The rate of x is its time derivative: along smooth motions, by Dual.
TYPED_TEST(BushingLaws, RatesAreTimeDerivatives) {
  using F = TypeParam;
  using D = Dual<1>;
  using GD = typename F::template Of<D>;
  Random random(64);
  for (int trial = 0; trial < 30; ++trial) {
    const auto make = makeRandom<F>(random);
    const auto paths = PairPaths<F>::random(Ends::two_bodies, random);
    const double t = random.number(-0.5, 0.5);
    const auto xi = paths.i.at(D::variable(t));
    const auto xj = paths.j.at(D::variable(t));
    const typename GD::Velocity unused{};
    const auto moving = make(GD{}).state({xi, xj}, {unused, unused});
    const auto ai = paths.i.at(t);
    const auto aj = paths.j.at(t);
    const auto vi = paths.i.velocity(t);
    const auto vj = paths.j.velocity(t);
    const auto state = make(typename F::template Of<double>{}).state({ai, aj}, {vi, vj});
    for (std::size_t k = 0; k < state.rate.size(); ++k)
      EXPECT_NEAR(state.rate[k], moving.x[k].derivative(), 1e-11) << k;
  }
}

TEST(Bushing, ActsInAxesOfItsFirstFrame) {
  // The first frame turned by 90 degrees: its x axis is the ground's y axis.
  Bushing<Planar<double>> soft;
  soft.a.axes = {Vec2<double>{0, 1}, Vec2<double>{-1, 0}};
  soft.b.axes = soft.a.axes;
  soft.stiffness[0][0] = 100.0;
  soft.stiffness[1][1] = 1.0;
  soft.stiffness[2][2] = 7.0;
  TwoBodies<InPlane> s;
  s.xj = Planar<double>::position(0.2, 0.1, 0.5);
  const auto state = soft.state({s.xi, s.xj}, {s.vi, s.vj});
  EXPECT_NEAR(state.force[0], -10.0, 1e-14);
  EXPECT_NEAR(state.force[1], 0.2, 1e-15);
  const auto w = wrenchesOf(soft, s);
  EXPECT_NEAR(w.on_j.force.x, -0.2, 1e-15);
  EXPECT_NEAR(w.on_j.force.y, -10.0, 1e-14);
  EXPECT_NEAR(w.on_j.moment, -3.5, 1e-15);
}

// About one axis the rotation vector is the angle: space and plane agree at large turns too.
TEST(Bushing, InSpaceAboutZIsTheOneOfThePlane) {
  Bushing<Planar<double>> flat;
  Bushing<Spatial<double>> full;
  flat.a.axes = flat.b.axes = {Vec2<double>{1, 0}, Vec2<double>{0, 1}};
  full.a.axes = full.b.axes = {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}};
  flat.b.point = {0.3, -0.2};
  full.b.point = {0.3, -0.2, 0.0};
  const std::array<std::array<double, 3>, 3> K{{{50, 3, 2}, {3, 40, 1}, {2, 1, 20}}};
  const std::array<std::size_t, 3> place{0, 1, 5};
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      flat.stiffness[r][c] = flat.damping[r][c] = K[r][c];
      full.stiffness[place[r]][place[c]] = full.damping[place[r]][place[c]] = K[r][c];
    }
  }
  for (const double angle : {-2.9, -0.4, 0.0, 1e-3, 0.063, 1.0, 3.1}) {
    TwoBodies<InPlane> p;
    TwoBodies<InSpace> s;
    p.xj = Planar<double>::position(0.1, 0.2, angle);
    p.vj = {{1.0, -2.0}, 0.7};
    const std::array<double, 7> q{0.1, 0.2, 0.0, std::cos(0.5 * angle), 0.0, 0.0, std::sin(0.5 * angle)};
    s.xj = Spatial<double>::position(q);
    s.vj = {{1.0, -2.0, 0.0}, {0.0, 0.0, 0.7}};
    const auto in_plane = wrenchesOf(flat, p);
    const auto in_space = wrenchesOf(full, s);
    EXPECT_NEAR(in_space.on_j.force.x, in_plane.on_j.force.x, 1e-12);
    EXPECT_NEAR(in_space.on_j.force.y, in_plane.on_j.force.y, 1e-12);
    EXPECT_NEAR(in_space.on_j.moment.z, in_plane.on_j.moment, 1e-12);
    EXPECT_NEAR(in_space.on_i.moment.z, in_plane.on_i.moment, 1e-12);
    EXPECT_NEAR(in_space.on_j.moment.x, 0.0, 1e-12);
  }
}

}  // namespace bushing_test
}  // namespace linkwork
