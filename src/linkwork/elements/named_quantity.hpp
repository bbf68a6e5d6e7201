// NamedQuantity: a scalar of the motion that has a name in the model file (crank.angle, S.slide_rate), ready to
// evaluate.
#pragma once

#include <span>
#include <vector>

#include "linkwork/elements/axial_angle.hpp"
#include "linkwork/elements/rows.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/scalar/tape.hpp"

namespace linkwork {

template <class G>
struct NamedQuantity {
  using T = typename G::Scalar;
  enum class Form { time, point, angle, slide, turn };
  enum class Level { position, velocity };

  Form form = Form::time;
  Level level = Level::position;
  int i = 0;
  int j = 0;
  int component = 0;  // point, turn: 0, 1, 2 for x, y, z in ground axes
  typename G::Vector s_i;
  typename G::Vector s_j;
  typename G::Vector axis;  // slide: direction in axes of j
  T offset{};               // angle in the plane: of the frame on j minus the frame on i
  AxialAngle<G> turn;       // angle in space: of j (as its first body) against i, in (-pi, pi]

  T value(const T& t, const PairPosition<G>& x, const PairVelocity<G>& v) const {
    const bool rate = level == Level::velocity;
    switch (form) {
      case Form::time: return t;
      case Form::point: return rate ? G::pointRate(x.j, v.j, s_j)[component] : G::pointIn(x.j, s_j)[component];
      case Form::angle:
        if constexpr (G::kSpatial) {
          return rate ? turn.rate({x.j, x.i}, {v.j, v.i}) : turn.angle({x.j, x.i});
        } else {
          return rate ? v.j.w - v.i.w : x.j.angle - x.i.angle + offset;
        }
      case Form::slide: {
        // s = n^T d,  s' = n^T d' + n'^T d
        const auto n = x.j.R * axis;
        const auto d = G::pointIn(x.j, s_j) - G::pointIn(x.i, s_i);
        if (!rate) return dot(n, d);
        const auto d_rate = G::pointRate(x.j, v.j, s_j) - G::pointRate(x.i, v.i, s_i);
        return dot(n, d_rate) + dot(G::directionRate(x.j, v.j, axis), d);
      }
      case Form::turn:
        if constexpr (G::kSpatial) return (x.j.R * v.j.w)[component];
        break;
    }
    return t;
  }
};

// Expressions of t and named quantities, compiled to one tape.
template <class G>
struct CompiledExpressions {
  using T = typename G::Scalar;

  Tape tape;                             // reads t, then the quantities, then (with Expr) the parameters
  std::vector<NamedQuantity<G>> inputs;  // the quantities
  std::vector<T> parameters;             // with Expr: the letters themselves

  struct Scratch {
    std::vector<T> inputs, scratch, outputs;
  };
  Scratch makeScratch() const {
    return {std::vector<T>(tape.inputCount()), std::vector<T>(tape.scratchSize()), std::vector<T>(tape.outputCount())};
  }

  // Fills scratch.outputs; x and v hold every body, the ground last.
  void evaluate(const T& t, std::span<const typename G::Position> x, std::span<const typename G::Velocity> v,
                Scratch& scratch) const {
    std::size_t next = 0;
    scratch.inputs[next++] = t;
    for (const NamedQuantity<G>& input : inputs) {
      const auto i = static_cast<std::size_t>(input.i);
      const auto j = static_cast<std::size_t>(input.j);
      scratch.inputs[next++] = input.value(t, {x[i], x[j]}, {v[i], v[j]});
    }
    for (const T& parameter : parameters) scratch.inputs[next++] = parameter;
    tape.template evaluate<T>(scratch.inputs, scratch.scratch, scratch.outputs);
  }
};

}  // namespace linkwork
