// The protocol of loads. Every load is an element between two bodies that states the same things under the same names;
// whoever wants to know something of the loads (equations, events, observer, recorder, page) asks them all alike.
//
//   E::takes(load)               whether this element stands for that load of a mechanism
//   E::place(load, in)           hands its elements to `in`, the LoadPlacer of element_set_impl.hpp
//   E::scalars(load)             what is recorded of the load, by name; an element has kScalars of them
//   state(x, v, input)           what all the rest follows from, at the bodies' positions and velocities
//   apply(x, s, on_i, on_j)      adds the wrenches on its bodies
//   storedEnergy(s)              what it can give back
//   suppliedPower(s, v)          what it brings from outside
//   dissipatedPower(s)           what it takes for ever: wrenches do work at the rate supplied - dissipated - stored'
//   switches()                   how many functions mark its own corners and jumps by a change of sign; those of
//   switchValues(s, out)         formulas are found in the formulas (corners.hpp)
//   values(x, s, out)            its scalars
//   exerting(x, scalars)         a state in which it has these scalars, as far as apply() needs it: from a record back
//                                to wrenches
//
// All are plain members, so that nothing is called by pointer where time goes. A load that is given from outside takes
// its formulas from input.given; an angle in space that counts its turns is near input.turn.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "linkwork/elements/rows.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

template <class T>
struct LoadInput {
  const T* given = nullptr;  // the values of its formulas, in the order it named them
  const T* turn = nullptr;   // reference of its counted turn; none in the plane
};

// What a recorded scalar does to the second body, for those who draw it or add it up; anything else is `other`.
enum class LoadPart {
  other,
  force,           // a component of the force at the frame's point, in ground axes; x, y (and z) follow each other
  moment,          // a component of the moment, in ground axes, likewise
  moment_about_z,  // the moment about the z axis of the second frame, its opposite on the first body
};

struct LoadScalar {
  std::string label;  // "tension"; the column is called after the load and this
  const char* unit = "";
  LoadPart part = LoadPart::other;
  bool wraps = false;  // an angle that is known up to whole turns; a record follows it from sample to sample
};

// A formula of a load, and what messages call it.
struct LoadFormula {
  Expr value;
  std::string what;
};

// x, y and z, as many as the geometry has.
template <class G>
std::vector<LoadScalar> vectorScalars(const std::string& label, const char* unit, LoadPart part) {
  std::vector<LoadScalar> out;
  for (std::size_t k = 0; k < static_cast<std::size_t>(G::kDimension); ++k)
    out.push_back({label + "." + "xyz"[k], unit, part});
  return out;
}

template <class G>
typename G::Vector vectorFrom(const typename G::Scalar* components) {
  if constexpr (G::kSpatial) {
    return {components[0], components[1], components[2]};
  } else {
    return {components[0], components[1]};
  }
}

// What a load of formulas alone is at a state: it stores nothing, takes nothing, and has no corners of its own.
template <class G>
struct GivenLoad {
  using T = typename G::Scalar;

  struct State {
    T size{};  // of an effort or moment
    typename G::Wrench on_i, on_j;
  };

  void apply(const PairPosition<G>& /*x*/, const State& s, typename G::Wrench& on_i, typename G::Wrench& on_j) const {
    on_i += s.on_i;
    on_j += s.on_j;
  }
  T storedEnergy(const State& /*s*/) const { return T(0.0); }
  T suppliedPower(const State& s, const PairVelocity<G>& v) const {
    return G::power(s.on_i, v.i) + G::power(s.on_j, v.j);
  }
  T dissipatedPower(const State& /*s*/) const { return T(0.0); }
  int switches() const { return 0; }
  void switchValues(const State& /*s*/, std::span<T> /*out*/) const {}
};

template <class E, class G>
concept LoadElement =
    requires(const E& element, const Load& load, const PairPosition<G>& x, const PairVelocity<G>& v,
             const typename E::State& s, typename G::Wrench& on, std::span<typename G::Scalar> out,
             std::span<const typename G::Scalar> scalars, const LoadInput<typename G::Scalar>& input) {
      { E::kScalars + 0 } -> std::same_as<int>;
      { E::takes(load) } -> std::same_as<bool>;
      { E::scalars(load) } -> std::same_as<std::vector<LoadScalar>>;
      { element.state(x, v, input) } -> std::same_as<typename E::State>;
      { element.exerting(x, scalars) } -> std::same_as<typename E::State>;
      { element.storedEnergy(s) } -> std::same_as<typename G::Scalar>;
      { element.suppliedPower(s, v) } -> std::same_as<typename G::Scalar>;
      { element.dissipatedPower(s) } -> std::same_as<typename G::Scalar>;
      { element.switches() } -> std::same_as<int>;
      element.apply(x, s, on, on);
      element.switchValues(s, out);
      element.values(x, s, out);
    };

}  // namespace linkwork
