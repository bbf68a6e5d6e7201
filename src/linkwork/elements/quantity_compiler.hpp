// Bodies by number, points from centres of mass, and the quantities that formulas name; what elements are compiled
// with.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "linkwork/base/contract.hpp"
#include "linkwork/elements/element_set.hpp"
#include "linkwork/model/drive_of.hpp"

namespace linkwork::element_set {

template <class T>
T constantOf(const Value& value) {
  if constexpr (std::is_same_v<T, Expr>) {
    return value.expr;
  } else {
    return T(value.number);
  }
}

// What formulas name, as kinematics of numbered bodies: quantities with their counted turns, and tapes over them.
template <class G>
class QuantityCompiler {
 public:
  using T = typename G::Scalar;
  using Vector = typename G::Vector;

  explicit QuantityCompiler(const Mechanism& mechanism)
      : m_(mechanism), ground_(static_cast<int>(mechanism.bodies.size())) {
    if constexpr (G::kSpatial) countTurns();
  }

  const Mechanism& mechanism() const { return m_; }
  int slot(BodyIndex body) const { return body.valid() ? body.value() : ground_; }

  static Vector vectorOf(const Point& p) {
    if constexpr (G::kSpatial) {
      return {constantOf<T>(p[0]), constantOf<T>(p[1]), constantOf<T>(p[2])};
    } else {
      return {constantOf<T>(p[0]), constantOf<T>(p[1])};
    }
  }

  static typename G::Inertia inertiaOf(const Body& body) {
    const T mass = constantOf<T>(body.mass);
    if constexpr (G::kSpatial) {
      if (body.tensor) {
        const Tensor& J = *body.tensor;
        return {mass,
                constantOf<T>(J.xx),
                constantOf<T>(J.yy),
                constantOf<T>(J.zz),
                constantOf<T>(J.xy),
                constantOf<T>(J.xz),
                constantOf<T>(J.yz)};
      }
      expect(false, "a body in space without a tensor: " + body.name);
      return {};
    } else {
      return {mass, constantOf<T>(body.inertia)};
    }
  }

  // A point in body axes, measured from the centre of mass.
  Vector arm(BodyIndex body, const Point& point) const {
    return body.valid() ? vectorOf(point) - vectorOf(m_.body(body).com) : vectorOf(point);
  }

  // The axes of a frame in body axes. In the plane: x and its normal y.
  static auto axesOf(const Frame& frame) {
    const T angle = constantOf<T>(frame.angle);
    if constexpr (G::kSpatial) {
      const Quaternion& q = frame.rotation;
      return Rotation3<T>::aboutZ(angle) * Rotation3<T>::fromQuaternion(T(q[0]), T(q[1]), T(q[2]), T(q[3]));
    } else {
      struct Axes {
        Vector x, y;
      };
      const Vector x{cos(angle), sin(angle)};
      return Axes{x, perp(x)};
    }
  }

  // The turn of the second frame against the first about the z axis, with the second body as the element's first.
  static AxialAngle<G> turnOf(const Frame& on_first, const Frame& on_second) {
    const auto first = axesOf(on_first);
    return {axesOf(on_second).x, first.x, first.y};
  }

  NamedQuantity<G> quantity(const Quantity& q) const {
    using Q = NamedQuantity<G>;
    Q out;
    out.i = out.j = ground_;
    if (q.kind == QuantityKind::time) return out;
    out.level = isRate(q.kind) ? Q::Level::velocity : Q::Level::position;
    if (!isOfJoint(q.kind)) {
      const Point origin = {Value(0.0), Value(0.0), Value(0.0)};
      out.j = q.index;
      out.s_j = arm(BodyIndex(q.index), origin);
      out.form = Q::Form::point;
      switch (q.kind) {
        case QuantityKind::body_y:
        case QuantityKind::body_y_rate: out.component = 1; break;
        case QuantityKind::body_z:
        case QuantityKind::body_z_rate: out.component = 2; break;
        case QuantityKind::body_angle:
        case QuantityKind::body_angle_rate:
          out.form = Q::Form::angle;
          out.turn = turnOf({}, {});
          out.reference = referenceOf(q);
          break;
        case QuantityKind::body_wx:
        case QuantityKind::body_wy:
        case QuantityKind::body_wz:
          out.form = Q::Form::turn;
          out.component = static_cast<int>(q.kind) - static_cast<int>(QuantityKind::body_wx);
          break;
        case QuantityKind::body_wx_body:
        case QuantityKind::body_wy_body:
        case QuantityKind::body_wz_body:
          out.form = Q::Form::own_turn;
          out.component = static_cast<int>(q.kind) - static_cast<int>(QuantityKind::body_wx_body);
          break;
        case QuantityKind::body_vx_body:
        case QuantityKind::body_vy_body:
        case QuantityKind::body_vz_body:
          out.form = Q::Form::own_point;
          out.component = static_cast<int>(q.kind) - static_cast<int>(QuantityKind::body_vx_body);
          break;
        default: break;
      }
      return out;
    }
    const Joint& joint = m_.joints[static_cast<std::size_t>(q.index)];
    out.i = slot(joint.first);
    out.j = slot(joint.second);
    out.s_i = arm(joint.first, joint.on_first.point);
    out.s_j = arm(joint.second, joint.on_second.point);
    if (q.kind >= QuantityKind::joint_turn_1) {
      if constexpr (G::kSpatial) {
        out.form = Q::Form::sequence;
        const int turn = (static_cast<int>(q.kind) - static_cast<int>(QuantityKind::joint_turn_1)) % 3;
        out.sequence = {{axesOfTurns(joint)}, turn, axesOf(joint.on_first), axesOf(joint.on_second)};
        out.reference = referenceOf(q);
      }
    } else if (q.kind == QuantityKind::joint_slide || q.kind == QuantityKind::joint_slide_rate) {
      out.form = Q::Form::slide;
      out.axis = axesOf(slideFrame(joint)).x;
    } else {
      out.form = Q::Form::angle;
      out.offset = constantOf<T>(joint.on_second.angle) - constantOf<T>(joint.on_first.angle);
      out.turn = turnOf(joint.on_first, joint.on_second);
      out.reference = referenceOf(q);
    }
    return out;
  }

  // `wanted`, in ascending order, are inputs whether or not an output uses them.
  CompiledExpressions<G> expressions(std::vector<Expr> outputs, const std::vector<std::string>& wanted = {}) const {
    CompiledExpressions<G> out;
    std::vector<std::string> letters;
    if constexpr (std::is_same_v<T, Expr>) {
      for (const Parameter& parameter : m_.parameters) {
        letters.push_back(parameter.name);
        out.parameters.push_back(Expr::symbol(parameter.name));
      }
    } else {
      std::map<std::string, Expr> values;
      for (const Parameter& parameter : m_.parameters) values.emplace(parameter.name, Expr(parameter.value.number));
      for (Expr& e : outputs) e = substitute(e, values);
    }
    std::vector<std::string> inputs{"t"};
    const std::vector<std::string> used = symbolsOf(std::span<const Expr>(outputs));
    std::vector<std::string> names;
    std::set_union(used.begin(), used.end(), wanted.begin(), wanted.end(), std::back_inserter(names));
    for (const std::string& name : names) {
      if (name == "t" || std::find(letters.begin(), letters.end(), name) != letters.end()) continue;
      const std::optional<Quantity> q = findQuantity(m_, name);
      expect(q.has_value(), "an expression names an unknown quantity: " + name);
      inputs.push_back(name);
      out.inputs.push_back(quantity(*q));
    }
    inputs.insert(inputs.end(), letters.begin(), letters.end());
    out.tape = Tape(outputs, inputs);
    return out;
  }

 protected:
  const Mechanism& m_;
  int ground_;
  std::vector<CountedTurn<G>> turns_;

  // The counted turn of a load; -1: it has none.
  int turnOfLoad(int load) const {
    const auto found = turn_of_load_.find(load);
    return found == turn_of_load_.end() ? -1 : found->second;
  }

 private:
  // The angle of every joint that has one, of every body of a lifted file, and of every rotational spring, in this
  // order.
  void countTurns() {
    for (std::size_t k = 0; k < m_.joints.size(); ++k) {
      const Joint& joint = m_.joints[k];
      // The second angle of a sequence never gets round.
      for (const QuantityKind kind : {QuantityKind::joint_turn_1, QuantityKind::joint_turn_3}) {
        if (!hasTurns(joint)) continue;
        const Quantity angle{kind, static_cast<int>(k)};
        const NamedQuantity<G> compiled = quantity(angle);
        turn_of_.emplace(angle, static_cast<int>(turns_.size()));
        turns_.push_back({compiled, 0.0, fmt::format("joint \"{}\", {}", joint.name, quantityName(m_, angle))});
      }
      if (!hasAngle(joint.kind)) continue;
      turn_of_.emplace(Quantity{QuantityKind::joint_angle, static_cast<int>(k)}, static_cast<int>(turns_.size()));
      countTurn(joint.first, joint.on_first, joint.second, joint.on_second, 0.0,
                fmt::format("joint \"{}\"", joint.name));
    }
    for (std::size_t k = 0; k < (m_.lifted ? m_.bodies.size() : 0U); ++k) {
      const int body = static_cast<int>(k);
      turn_of_.emplace(Quantity{QuantityKind::body_angle, body}, static_cast<int>(turns_.size()));
      countTurn(kGround, {}, BodyIndex(body), {}, 0.0, fmt::format("body \"{}\"", m_.bodies[k].name));
    }
    for (std::size_t k = 0; k < m_.loads.size(); ++k) {
      const Load& load = m_.loads[k];
      if (load.kind != LoadKind::rotational_spring_damper) continue;
      turn_of_load_.emplace(static_cast<int>(k), static_cast<int>(turns_.size()));
      countTurn(load.first, load.on_first, load.second, load.on_second, load.free_length.number,
                fmt::format("load \"{}\"", load.name));
    }
  }

  // A file of the plane says how many turns its drawing shows; one of space does not, and counts from `otherwise`.
  void countTurn(BodyIndex first, const Frame& on_first, BodyIndex second, const Frame& on_second, double otherwise,
                 std::string name) {
    const auto drawn = [&](BodyIndex body, const Frame& frame) {
      return (body.valid() ? m_.body(body).drawn.angle : 0.0) + frame.angle.number;
    };
    NamedQuantity<G> angle;
    angle.form = NamedQuantity<G>::Form::angle;
    angle.i = slot(first);
    angle.j = slot(second);
    angle.turn = turnOf(on_first, on_second);
    turns_.push_back(
        {std::move(angle), m_.lifted ? drawn(second, on_second) - drawn(first, on_first) : otherwise, std::move(name)});
  }

  int referenceOf(const Quantity& q) const {
    const auto found = turn_of_.find(q);
    return found == turn_of_.end() ? -1 : found->second;
  }

  std::map<Quantity, int> turn_of_;
  std::map<int, int> turn_of_load_;
};

}  // namespace linkwork::element_set
