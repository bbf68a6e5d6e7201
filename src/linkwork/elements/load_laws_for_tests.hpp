// The laws every load between two bodies must keep: power, action and reaction, and force as minus the slope of its
// energy.
#pragma once

#include "linkwork/elements/constraint_laws_for_tests.hpp"

namespace linkwork::test {

struct TwoBodies {
  Planar<double>::Position xi, xj;
  Planar<double>::Velocity vi, vj;

  static TwoBodies random(Random& random) {
    TwoBodies out;
    out.xi = Planar<double>::position(random.number(), random.number(), random.number());
    out.xj = Planar<double>::position(random.number() + 4.0, random.number() + 3.0, random.number());
    out.vi = {random.vector(), random.number()};
    out.vj = {random.vector(), random.number()};
    return out;
  }
};

struct Wrenches {
  Planar<double>::Wrench on_i, on_j;
};

template <class Load>
Wrenches wrenchesOf(const Load& load, const TwoBodies& s) {
  Wrenches out;
  load.apply(load.state({s.xi, s.xj}, {s.vi, s.vj}), out.on_i, out.on_j);
  return out;
}

inline void expectActionEqualsReaction(const Wrenches& w, const TwoBodies& s, double tolerance) {
  EXPECT_NEAR(w.on_i.force.x + w.on_j.force.x, 0.0, tolerance);
  EXPECT_NEAR(w.on_i.force.y + w.on_j.force.y, 0.0, tolerance);
  const double about_origin = w.on_i.moment + cross(s.xi.r, w.on_i.force) + w.on_j.moment + cross(s.xj.r, w.on_j.force);
  EXPECT_NEAR(about_origin, 0.0, tolerance);
}

inline double powerOf(const Wrenches& w, const TwoBodies& s) {
  return Planar<double>::power(w.on_i, s.vi) + Planar<double>::power(w.on_j, s.vj);
}

// make(Planar<T>{}) gives the load; without damping its force is minus the slope of its stored energy.
template <class Make>
void expectForceIsSlopeOfEnergy(const Make& make, const TwoBodies& s, double tolerance) {
  using D = Dual<8>;
  const auto load = make(Planar<D>{});
  const auto xi = Planar<D>::position(D::variable(s.xi.r.x, 0), D::variable(s.xi.r.y, 1), D::variable(s.xi.angle, 2));
  const auto xj = Planar<D>::position(D::variable(s.xj.r.x, 3), D::variable(s.xj.r.y, 4), D::variable(s.xj.angle, 5));
  const Planar<D>::Velocity still{};
  const D energy = load.storedEnergy(load.state({xi, xj}, {still, still}));
  TwoBodies at_rest = s;
  at_rest.vi = at_rest.vj = {};
  const Wrenches w = wrenchesOf(make(Planar<double>{}), at_rest);
  const std::array<double, 6> force{w.on_i.force.x, w.on_i.force.y, w.on_i.moment,
                                    w.on_j.force.x, w.on_j.force.y, w.on_j.moment};
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(force[k], -energy.derivatives[k], tolerance) << "coordinate " << k;
}

}  // namespace linkwork::test
