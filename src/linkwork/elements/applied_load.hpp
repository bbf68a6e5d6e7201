// Applied loads: a force at a point of one body, and a couple on one body with its opposite on another.
//
//   force F at arm R s:  Q = (F, (W R s)^T F)      couple M:  Q_j = (0, M), Q_i = (0, -M)
//                                                                  [docs/theory/01, eq. 1.7, 1.8]
#pragma once

#include "linkwork/elements/load.hpp"

namespace linkwork {

// On j; i is the ground, and feels nothing.
template <class G>
struct PointForce {
  using T = typename G::Scalar;
  static constexpr int kScalars = G::kDimension;
  enum class Components { ground_axes, body_axes };

  typename G::Vector s;  // in body axes, from the centre of mass
  Components components = Components::ground_axes;

  struct State {
    typename G::Wrench on_j;
  };

  static bool takes(const Load& load) { return load.kind == LoadKind::force; }
  static std::vector<LoadScalar> scalars(const Load& /*load*/) {
    return vectorScalars<G>("force", "N", LoadPart::force);
  }
  static void place(const Load& load, auto& in) {
    const auto axes = load.axes == Axes::body ? Components::body_axes : Components::ground_axes;
    std::vector<LoadFormula> formulas;
    for (std::size_t k = 0; k < static_cast<std::size_t>(G::kDimension); ++k)
      formulas.push_back({load.force[k], std::string("force ") + "xyz"[k]});
    in.add(PointForce{in.arm(load.second, load.on_second.point), axes}, kGround, load.second, formulas);
  }

  State state(const PairPosition<G>& x, const PairVelocity<G>& /*v*/, const LoadInput<T>& input) const {
    const auto given = vectorFrom<G>(input.given);
    return {G::forceAt(x.j, s, components == Components::body_axes ? x.j.R * given : given)};
  }
  State exerting(const PairPosition<G>& x, std::span<const T> scalars) const {
    return {G::forceAt(x.j, s, vectorFrom<G>(scalars.data()))};
  }

  void apply(const PairPosition<G>& /*x*/, const State& now, typename G::Wrench& /*on_i*/,
             typename G::Wrench& on_j) const {
    on_j += now.on_j;
  }
  T storedEnergy(const State& /*s*/) const { return T(0.0); }
  T suppliedPower(const State& now, const PairVelocity<G>& v) const { return G::power(now.on_j, v.j); }
  T dissipatedPower(const State& /*s*/) const { return T(0.0); }
  int switches() const { return 0; }
  void switchValues(const State& /*s*/, std::span<T> /*out*/) const {}
  void values(const PairPosition<G>& /*x*/, const State& now, std::span<T> out) const {
    for (int k = 0; k < kScalars; ++k) out[static_cast<std::size_t>(k)] = now.on_j.force[k];
  }
};

// In space a couple by components is three, each about an axis of the ground, which is then their i.
template <class G>
struct Couple : GivenLoad<G> {
  using T = typename G::Scalar;
  using State = typename GivenLoad<G>::State;
  static constexpr int kScalars = 1;
  enum class AxisOf { second, first };

  typename G::Vector axis;  // the plane has but one
  AxisOf axis_of = AxisOf::second;

  Couple() = default;
  explicit Couple(const typename G::Vector& about, AxisOf of = AxisOf::second) : axis(about), axis_of(of) {}

  static bool takes(const Load& load) { return load.kind == LoadKind::couple; }
  static std::vector<LoadScalar> scalars(const Load& load) {
    if (load.by_components) return vectorScalars<G>("moment", "N*m", LoadPart::moment);
    return {{"moment", "N*m", LoadPart::moment_about_z}};
  }
  static void place(const Load& load, auto& in) {
    if constexpr (G::kSpatial) {
      for (std::size_t k = 0; k < 3 && load.by_components; ++k) {
        const T one(1.0);
        const T zero(0.0);
        const typename G::Vector e{k == 0 ? one : zero, k == 1 ? one : zero, k == 2 ? one : zero};
        in.add(Couple(e, AxisOf::first), kGround, load.second, {{load.force[k], std::string("couple ") + "xyz"[k]}},
               static_cast<int>(k));
      }
      if (load.by_components) return;
      in.add(Couple(in.axesOf(load.on_second).z), load.first, load.second, {{load.moment, "couple"}});
    } else {
      in.add(Couple(), load.first, load.second, {{load.moment, "couple"}});
    }
  }

  State state(const PairPosition<G>& x, const PairVelocity<G>& /*v*/, const LoadInput<T>& input) const {
    return exerting(x, {input.given, 1});
  }
  State exerting(const PairPosition<G>& x, std::span<const T> scalars) const {
    State out;
    out.size = scalars[0];
    const auto along = (axis_of == AxisOf::second ? x.j.R : x.i.R) * axis;
    out.on_i += G::moment(x.i, along, -out.size);
    out.on_j += G::moment(x.j, along, out.size);
    return out;
  }
  void values(const PairPosition<G>& /*x*/, const State& s, std::span<T> out) const { out[0] = s.size; }
};

}  // namespace linkwork
