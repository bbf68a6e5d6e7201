// SpringDamper: a line element between a point A of body i and a point B of body j; tension pulls the bodies together.
//
//   d = r_j + R_j s_B - r_i - R_i s_A,  L = |d|,  u = d / L,  L' = u^T (v_B - v_A)
//   elastic E = F_0 + k (L - L_0),  tension F = E + c L'
//   Q_i: the force u F at A,  Q_j: the force -u F at B                    [docs/theory/01, eq. 1.9]
//
// A cable (tension only) is slack where E < 0 and pushes nowhere: F = max(0, E + c L') where E >= 0, else 0. What it
// stores is the integral of max(0, E); what it takes is the rest of its work, (F - max(0, E)) L', never negative. A
// strut that can only be pressed is the same with the signs turned.                                   [docs/theory/01,
// eq. 1.35]
#pragma once

#include "linkwork/elements/load.hpp"

namespace linkwork {

template <class G>
struct SpringDamper {
  using T = typename G::Scalar;
  static constexpr int kScalars = 2;

  typename G::Vector s_A;
  typename G::Vector s_B;
  T stiffness{};
  T damping{};
  T free_length{};
  T preload{};  // tension at the free length
  Sided sided = Sided::both;

  struct State {
    T length{};
    T rate{};
    T elastic{};
    T viscous{};
    T tension{};
    typename G::Vector u;
  };

  static bool takes(const Load& load) { return load.kind == LoadKind::spring_damper; }
  static std::vector<LoadScalar> scalars(const Load& /*load*/) { return {{"tension", "N"}, {"length", "m"}}; }
  static void place(const Load& load, auto& in) {
    in.add(SpringDamper{in.arm(load.first, load.on_first.point), in.arm(load.second, load.on_second.point),
                        in.constant(load.stiffness), in.constant(load.damping), in.constant(load.free_length),
                        in.constant(load.preload), load.sided},
           load.first, load.second);
  }

  State state(const PairPosition<G>& x, const PairVelocity<G>& v, const LoadInput<T>& /*input*/ = {}) const {
    using std::sqrt;
    State out;
    const auto d = x.j.r + x.j.R * s_B - x.i.r - x.i.R * s_A;  // in this order codegen finds it again in formulas
    out.length = sqrt(dot(d, d));
    out.u = d * reciprocalOfLength(out.length);
    out.rate = dot(out.u, G::pointRate(x.j, v.j, s_B) - G::pointRate(x.i, v.i, s_A));
    out.elastic = preload + stiffness * (out.length - free_length);
    out.viscous = damping * out.rate;
    out.tension = out.elastic + out.viscous;
    const T zero(0.0);
    if (sided == Sided::tension_only) out.tension = select(out.elastic, max(zero, out.tension), zero);
    if (sided == Sided::compression_only) out.tension = select(-out.elastic, min(zero, out.tension), zero);
    return out;
  }

  State exerting(const PairPosition<G>& x, std::span<const T> scalars) const {
    const typename G::Velocity still{};
    State out = state(x, {still, still});
    out.tension = scalars[0];
    return out;
  }
  void values(const PairPosition<G>& /*x*/, const State& s, std::span<T> out) const {
    out[0] = s.tension;
    out[1] = s.length;
  }

  // Where it becomes slack or taut, and where its damper alone keeps it from pulling: elastic, and elastic + viscous.
  int switches() const {
    if (sided == Sided::both) return 0;
    return valueOf(damping) == 0.0 ? 1 : 2;
  }
  void switchValues(const State& s, std::span<T> out) const {
    if (switches() > 0) out[0] = s.elastic;
    if (switches() > 1) out[1] = s.elastic + s.viscous;
  }

  void apply(const PairPosition<G>& x, const State& s, typename G::Wrench& on_i, typename G::Wrench& on_j) const {
    const auto pull = s.u * s.tension;
    on_i += G::forceAt(x.i, s_A, pull);
    on_j += G::forceAt(x.j, s_B, -pull);
  }

  T storedEnergy(const State& s) const {
    const T stretch = s.length - free_length;
    T full = preload * stretch + T(0.5) * stiffness * stretch * stretch;
    if (sided == Sided::both) return full;
    // Slack from E = 0 on: the stretch there is -F_0 / k. Without stiffness E never changes its sign.
    const T slack = -preload * preload / (T(2.0) * max(stiffness, T(1e-100)));
    return select(sided == Sided::tension_only ? s.elastic : -s.elastic, full, slack);
  }

  T suppliedPower(const State& /*s*/, const PairVelocity<G>& /*v*/) const { return T(0.0); }
  // Power that leaves the mechanical system; the spring's part is stored, not lost.
  T dissipatedPower(const State& s) const {
    const T zero(0.0);
    switch (sided) {
      case Sided::tension_only: return (s.tension - max(zero, s.elastic)) * s.rate;
      case Sided::compression_only: return (s.tension - min(zero, s.elastic)) * s.rate;
      case Sided::both: break;
    }
    return damping * s.rate * s.rate;
  }
};

}  // namespace linkwork
