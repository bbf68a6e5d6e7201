// NamedQuantity: a scalar of the motion that has a name in the model file (crank.angle, S.slide_rate), ready to
// evaluate.
#pragma once

#include <span>
#include <vector>

#include "linkwork/elements/rows.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/scalar/tape.hpp"

namespace linkwork {

template <class G>
struct NamedQuantity {
  using T = typename G::Scalar;
  enum class Form { time, point_x, point_y, angle, slide, separation };
  enum class Level { position, velocity };

  Form form = Form::time;
  Level level = Level::position;
  int i = 0;
  int j = 0;
  typename G::Vector s_i;
  typename G::Vector s_j;
  typename G::Vector axis;  // slide: direction in axes of j
  T offset{};               // angle: of the frame on j minus the frame on i

  T value(const T& t, const PairPosition<G>& x, const PairVelocity<G>& v) const {
    const auto arm_i = x.i.R * s_i;
    const auto arm_j = x.j.R * s_j;
    const bool rate = level == Level::velocity;
    switch (form) {
      case Form::time: return t;
      case Form::point_x: return rate ? v.j.v.x + perp(arm_j).x * v.j.w : x.j.r.x + arm_j.x;
      case Form::point_y: return rate ? v.j.v.y + perp(arm_j).y * v.j.w : x.j.r.y + arm_j.y;
      case Form::angle: return rate ? v.j.w - v.i.w : x.j.angle - x.i.angle + offset;
      case Form::slide: {
        // s = n^T d,  s' = n^T d' + w_j (W n)^T d
        const auto n = x.j.R * axis;
        const auto d = x.j.r + arm_j - x.i.r - arm_i;
        if (!rate) return dot(n, d);
        const auto d_rate = v.j.v + perp(arm_j) * v.j.w - v.i.v - perp(arm_i) * v.i.w;
        return dot(n, d_rate) + v.j.w * dot(perp(n), d);
      }
      case Form::separation: {
        using std::sqrt;
        const auto d = x.j.r + arm_j - x.i.r - arm_i;
        T length = sqrt(dot(d, d));
        if (!rate) return length;
        const auto d_rate = v.j.v + perp(arm_j) * v.j.w - v.i.v - perp(arm_i) * v.i.w;
        return dot(d, d_rate) / length;
      }
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
