// NamedQuantity: a scalar of the motion that has a name in the model file (crank.angle, S.slide_rate), ready to
// evaluate and, where it is a position, to differentiate.
//
//   s' = (rows of i) v_i + (rows of j) v_j,  s'' = (rows of i) a_i + (rows of j) a_j + bend
//
// An orientation in space knows an angle only up to whole turns. The angle is the one nearest to a reference, and
// whoever evaluates keeps the reference near: CountedTurn in elements/relation.hpp.
#pragma once

#include <span>
#include <vector>

#include "linkwork/elements/axial_angle.hpp"
#include "linkwork/elements/point_on_line.hpp"
#include "linkwork/elements/relative_angle.hpp"
#include "linkwork/elements/rows.hpp"
#include "linkwork/elements/sequence_angle.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/scalar/tape.hpp"

namespace linkwork {

// In space; the plane has one angle.
struct NoSequence {};
template <class G>
using SequenceElement = typename std::conditional_t<G::kSpatial, std::type_identity<SequenceAngle<G>>,
                                                    std::type_identity<NoSequence>>::type;

template <class G>
struct NamedQuantity {
  using T = typename G::Scalar;
  // own_point, own_turn: velocity of a point, and angular velocity, in axes of the body.
  enum class Form { time, point, angle, slide, turn, sequence, own_point, own_turn };
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
  AxialAngle<G> turn;       // angle in space: of j (as its first body) against i
  SequenceElement<G> sequence{};
  int reference = -1;  // angle in space: where its reference stands among the counted turns; -1: none, zero

  // The reference among those that were given.
  T referenceIn(std::span<const T> turns) const {
    return reference < 0 || turns.empty() ? T(0.0) : turns[static_cast<std::size_t>(reference)];
  }

  T value(const T& t, const PairPosition<G>& x, const PairVelocity<G>& v, const T& near = T(0.0)) const {
    const bool rate = level == Level::velocity;
    switch (form) {
      case Form::time: return t;
      case Form::point: return rate ? G::pointRate(x.j, v.j, s_j)[component] : G::pointIn(x.j, s_j)[component];
      case Form::angle:
        if constexpr (G::kSpatial) {
          return rate ? turn.rate({x.j, x.i}, {v.j, v.i}) : turn.angleNear({x.j, x.i}, near);
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
      case Form::turn:  // NOLINT(bugprone-branch-clone): in the plane neither is there
        if constexpr (G::kSpatial) return (x.j.R * v.j.w)[component];
        break;
      case Form::sequence:
        if constexpr (G::kSpatial) return rate ? sequence.rate(x, v) : sequence.angleNear(x, near);
        break;
      case Form::own_point: return x.j.R.inverseTimes(G::pointRate(x.j, v.j, s_j))[component];
      case Form::own_turn:
        if constexpr (G::kSpatial) return v.j.w[component];
        break;
    }
    return t;
  }

  // Of a position.
  T rate(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    NamedQuantity<G> rate = *this;
    rate.level = Level::velocity;
    return rate.value(T(0.0), x, v);
  }

  // Derivatives of a position by the freedoms of i and j; of what is a rate from the beginning, of the rate by theirs.
  JacobianRows<G, 1> rows(const PairPosition<G>& x) const {
    switch (form) {
      case Form::time: break;
      case Form::turn:  // NOLINT(bugprone-branch-clone): in the plane neither is there
        if constexpr (G::kSpatial) return {{}, {turnRow<G>(x.j.R.inverseTimes(G::unit(component)))}};
        break;
      case Form::sequence:
        if constexpr (G::kSpatial) return sequence.rows(x);
        break;
      case Form::own_point: return {{}, {G::pointRow(x.j, s_j, x.j.R * G::unit(component))}};
      case Form::own_turn:
        if constexpr (G::kSpatial) return {{}, {turnRow<G>(G::unit(component))}};
        break;
      case Form::point: return {{}, {G::pointRow(x.j, s_j, G::unit(component))}};
      case Form::angle: {
        JacobianRows<G, 1> of_j_first;
        if constexpr (G::kSpatial) {
          of_j_first = turn.jacobian({x.j, x.i});
        } else {
          of_j_first = RelativeAngle<G>{}.jacobian({x.j, x.i});
        }
        return {of_j_first.second, of_j_first.first};
      }
      case Form::slide: return PointOnLine<G>{s_i, s_j, axis}.jacobian(x);
    }
    return {};
  }

  // d/dt of those along the motion.
  JacobianRows<G, 1> rowRates(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    switch (form) {
      case Form::time: break;
      case Form::turn:  // (R^T e)' = -w x R^T e; NOLINT(bugprone-branch-clone): as above
        if constexpr (G::kSpatial) return {{}, {turnRow<G>(cross(x.j.R.inverseTimes(G::unit(component)), v.j.w))}};
        break;
      case Form::sequence:
        if constexpr (G::kSpatial) return sequence.rowRates(x, v);
        break;
      case Form::own_point: {
        const auto e = G::unit(component);
        return {{}, {pointRowRate<G>(x.j, v.j, s_j, x.j.R * e, G::directionRate(x.j, v.j, e))}};
      }
      case Form::own_turn: break;
      case Form::point: return {{}, {pointRowRate<G>(x.j, v.j, s_j, G::unit(component), {})}};
      case Form::angle:
        if constexpr (G::kSpatial) {
          const JacobianRows<G, 1> of_j_first = turn.jacobianRate({x.j, x.i}, {v.j, v.i});
          return {of_j_first.second, of_j_first.first};
        }
        break;
      case Form::slide: return PointOnLine<G>{s_i, s_j, axis}.jacobianRate(x, v);
    }
    return {};
  }

  // What the rates alone add to the second derivative of a position, or to the rate of a rate.
  T bend(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    switch (form) {
      case Form::time:
      case Form::own_turn:
      case Form::turn: break;  // (R w)' = R w'
      case Form::sequence:
        if constexpr (G::kSpatial) return sequence.bend(x, v);
        break;
      case Form::own_point: {
        const auto e = G::unit(component);
        return dot(G::directionRate(x.j, v.j, e), G::pointRate(x.j, v.j, s_j)) +
               dot(x.j.R * e, G::centripetal(x.j, v.j, s_j));
      }
      case Form::point: return G::centripetal(x.j, v.j, s_j)[component];
      case Form::angle:
        if constexpr (G::kSpatial) {
          return -turn.gamma({x.j, x.i}, {v.j, v.i}, {})[0];
        } else {
          break;
        }
      case Form::slide: return -PointOnLine<G>{s_i, s_j, axis}.gamma(x, v, {})[0];
    }
    return T(0.0);
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

  void evaluate(const T& t, std::span<const typename G::Position> x, std::span<const typename G::Velocity> v,
                Scratch& scratch) const {
    evaluate(t, x, v, {}, scratch);
  }
  // Fills scratch.outputs; x and v hold every body, the ground last; turns are the references of angles in space.
  void evaluate(const T& t, std::span<const typename G::Position> x, std::span<const typename G::Velocity> v,
                std::span<const T> turns, Scratch& scratch) const {
    std::size_t next = 0;
    scratch.inputs[next++] = t;
    for (const NamedQuantity<G>& input : inputs) {
      const auto i = static_cast<std::size_t>(input.i);
      const auto j = static_cast<std::size_t>(input.j);
      scratch.inputs[next++] = input.value(t, {x[i], x[j]}, {v[i], v[j]}, input.referenceIn(turns));
    }
    for (const T& parameter : parameters) scratch.inputs[next++] = parameter;
    tape.template evaluate<T>(scratch.inputs, scratch.scratch, scratch.outputs);
  }
};

}  // namespace linkwork
