// SpringDamper: a line element between a point A of body i and a point B of body j; tension pulls the bodies together.
//
//   d = r_j + R_j s_B - r_i - R_i s_A,  L = |d|,  u = d / L,  L' = u^T (v_B - v_A)
//   tension F = k (L - L_0) + c L'
//   Q_i: the force u F at A,  Q_j: the force -u F at B                    [docs/theory/01, eq. 1.9]
#pragma once

#include "linkwork/elements/rows.hpp"

namespace linkwork {

template <class G>
struct SpringDamper {
  using T = typename G::Scalar;

  typename G::Vector s_A;
  typename G::Vector s_B;
  T stiffness{};
  T damping{};
  T free_length{};

  struct State {
    T length{};
    T rate{};
    T tension{};
    typename G::Vector u;
  };

  State state(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    using std::sqrt;
    State out;
    const auto d = x.j.r + x.j.R * s_B - x.i.r - x.i.R * s_A;  // in this order codegen finds it again in formulas
    out.length = sqrt(dot(d, d));
    out.u = d * reciprocalOfLength(out.length);
    out.rate = dot(out.u, G::pointRate(x.j, v.j, s_B) - G::pointRate(x.i, v.i, s_A));
    out.tension = stiffness * (out.length - free_length) + damping * out.rate;
    return out;
  }

  void apply(const PairPosition<G>& x, const State& s, typename G::Wrench& on_i, typename G::Wrench& on_j) const {
    const auto pull = s.u * s.tension;
    on_i += G::forceAt(x.i, s_A, pull);
    on_j += G::forceAt(x.j, s_B, -pull);
  }

  T storedEnergy(const State& s) const {
    const T stretch = s.length - free_length;
    return T(0.5) * stiffness * stretch * stretch;
  }

  // Power that leaves the mechanical system; the spring's part is stored, not lost.
  T dissipatedPower(const State& s) const { return damping * s.rate * s.rate; }
};

}  // namespace linkwork
