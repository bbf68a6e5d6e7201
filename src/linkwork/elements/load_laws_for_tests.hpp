// The laws every load between two bodies must keep, in the plane and in space: power, action and reaction, and force as
// minus the slope of its energy.
#pragma once

#include "linkwork/elements/constraint_laws_for_tests.hpp"

namespace linkwork::test {

template <class F>
struct TwoBodies {
  using G = typename F::template Of<double>;
  std::array<double, G::kCoordinates> qi{}, qj{};
  typename G::Position xi, xj;
  typename G::Velocity vi, vj;

  static TwoBodies random(Random& random) {
    TwoBodies out;
    out.qi = random.coordinates<F>();
    out.qj = random.coordinates<F>();
    out.qj[0] += 4.0;
    out.qj[1] += 3.0;
    out.xi = G::position(out.qi);
    out.xj = G::position(out.qj);
    out.vi = random.velocity<F>();
    out.vj = random.velocity<F>();
    return out;
  }
};

template <class F>
struct Wrenches {
  typename F::template Of<double>::Wrench on_i, on_j;
};

template <class F, class Load>
Wrenches<F> wrenchesOf(const Load& load, const TwoBodies<F>& s) {
  Wrenches<F> out;
  load.apply({s.xi, s.xj}, load.state({s.xi, s.xj}, {s.vi, s.vj}), out.on_i, out.on_j);
  return out;
}

template <class F>
void expectActionEqualsReaction(const Wrenches<F>& w, const TwoBodies<F>& s, double tolerance) {
  using G = typename F::template Of<double>;
  const auto on_i = aboutOrigin<G>(s.xi, w.on_i);
  const auto on_j = aboutOrigin<G>(s.xj, w.on_j);
  for (std::size_t k = 0; k < on_i.size(); ++k) EXPECT_NEAR(on_i[k] + on_j[k], 0.0, tolerance) << "component " << k;
}

template <class F>
double powerOf(const Wrenches<F>& w, const TwoBodies<F>& s) {
  using G = typename F::template Of<double>;
  return G::power(w.on_i, s.vi) + G::power(w.on_j, s.vj);
}

// make(G<T>{}) gives the load; without damping its force is minus the slope of its stored energy along each freedom.
template <class F, class Make>
void expectForceIsSlopeOfEnergy(const Make& make, const TwoBodies<F>& s, double tolerance) {
  using G = typename F::template Of<double>;
  constexpr int kN = G::kFreedoms;
  using D = Dual<2 * kN>;
  using GD = typename F::template Of<D>;
  const auto load = make(GD{});
  const auto xi = GD::position(seeded<F, 2 * kN>(s.qi, 0));
  const auto xj = GD::position(seeded<F, 2 * kN>(s.qj, kN));
  const typename GD::Velocity still{};
  const D energy = load.storedEnergy(load.state({xi, xj}, {still, still}));
  TwoBodies<F> at_rest = s;
  at_rest.vi = at_rest.vj = {};
  const Wrenches<F> w = wrenchesOf(make(G{}), at_rest);
  std::array<double, 2 * kN> force{};
  G::put(w.on_i, std::span(force).template first<kN>());
  G::put(w.on_j, std::span(force).template last<kN>());
  for (std::size_t k = 0; k < force.size(); ++k)
    EXPECT_NEAR(force[k], -energy.derivatives[k], tolerance) << "freedom " << k;
}

}  // namespace linkwork::test
