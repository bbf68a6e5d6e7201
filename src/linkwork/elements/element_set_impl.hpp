// How a mechanism becomes an ElementSet; included only by the files that instantiate it, one per scalar.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>

#include "linkwork/base/contract.hpp"
#include "linkwork/elements/element_set.hpp"

namespace linkwork {
namespace element_set {

template <class T>
T constantOf(const Value& value) {
  if constexpr (std::is_same_v<T, Expr>) {
    return value.expr;
  } else {
    return T(value.number);
  }
}

template <class G>
class Compiler {
 public:
  using T = typename G::Scalar;
  using Vector = typename G::Vector;

  explicit Compiler(const Mechanism& mechanism) : m_(mechanism), ground_(static_cast<int>(mechanism.bodies.size())) {}

  int slot(BodyIndex body) const { return body.valid() ? body.value() : ground_; }

  // A point in body axes, measured from the centre of mass.
  Vector arm(BodyIndex body, const Point& point) const {
    Vector p{constantOf<T>(point[0]), constantOf<T>(point[1])};
    if (!body.valid()) return p;
    const Point& com = m_.body(body).com;
    return p - Vector{constantOf<T>(com[0]), constantOf<T>(com[1])};
  }

  static Vector axisOf(const Frame& frame) {
    using std::cos;
    using std::sin;
    const T angle = constantOf<T>(frame.angle);
    return {cos(angle), sin(angle)};
  }

  NamedQuantity<G> quantity(const Quantity& q) const {
    using Q = NamedQuantity<G>;
    Q out;
    out.i = out.j = ground_;
    switch (q.kind) {
      case QuantityKind::time: return out;
      case QuantityKind::body_x:
      case QuantityKind::body_y:
      case QuantityKind::body_angle:
      case QuantityKind::body_x_rate:
      case QuantityKind::body_y_rate:
      case QuantityKind::body_angle_rate: {
        const BodyIndex body(q.index);
        const int which = static_cast<int>(q.kind) - static_cast<int>(QuantityKind::body_x);
        out.j = q.index;
        const Point origin = {Value(0.0), Value(0.0)};
        out.s_j = arm(body, origin);
        out.form = which % 3 == 0 ? Q::Form::point_x : which % 3 == 1 ? Q::Form::point_y : Q::Form::angle;
        out.level = which < 3 ? Q::Level::position : Q::Level::velocity;
        return out;
      }
      case QuantityKind::joint_coordinate:
      case QuantityKind::joint_rate: break;
    }
    const Joint& joint = m_.joints[static_cast<std::size_t>(q.index)];
    out.level = q.kind == QuantityKind::joint_coordinate ? Q::Level::position : Q::Level::velocity;
    out.i = slot(joint.first);
    out.j = slot(joint.second);
    out.s_i = arm(joint.first, joint.on_first.point);
    out.s_j = arm(joint.second, joint.on_second.point);
    if (joint.kind == JointKind::prismatic || joint.kind == JointKind::pin_slot) {
      out.form = Q::Form::slide;
      out.axis = axisOf(joint.on_second);
      // A pin's place along its slot is counted from the slot's frame to the pin.
      if (joint.kind == JointKind::pin_slot) out.axis = -out.axis;
    } else {
      out.form = Q::Form::angle;
      out.offset = constantOf<T>(joint.on_second.angle) - constantOf<T>(joint.on_first.angle);
    }
    return out;
  }

  CompiledExpressions<G> expressions(std::vector<Expr> outputs) const {
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
    for (const std::string& name : symbolsOf(std::span<const Expr>(outputs))) {
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

  ElementSet<G> compile() {
    set_.bodies = ground_;
    set_.gravity = {constantOf<T>(m_.gravity[0]), constantOf<T>(m_.gravity[1])};
    for (const Body& body : m_.bodies) set_.body.push_back({constantOf<T>(body.mass), constantOf<T>(body.inertia)});
    for (std::size_t k = 0; k < m_.joints.size(); ++k) addJoint(m_.joints[k], static_cast<int>(k));
    for (std::size_t k = 0; k < m_.drives.size(); ++k) addDrive(m_.drives[k], static_cast<int>(k));
    compileMotions();
    addLoads();
    return std::move(set_);
  }

 private:
  void openGroup(const std::string& name, bool is_drive, int index, BodyIndex first, BodyIndex second) {
    set_.groups.push_back({name, is_drive, index, set_.rows, 0, slot(first), slot(second)});
  }

  template <class E>
  void place(std::vector<Placed<E>>& list, E element, BodyIndex i, BodyIndex j, std::initializer_list<RowInfo> rows,
             int motion = -1) {
    list.push_back({std::move(element), slot(i), slot(j), set_.rows, motion});
    RowGroup& group = set_.groups.back();
    for (const RowInfo& row : rows) {
      set_.row_info.push_back({group.name + "." + row.name, row.unit, static_cast<int>(set_.groups.size()) - 1});
    }
    set_.rows += E::kRows;
    group.rows += E::kRows;
  }

  void placeCoincidence(const Joint& joint) {
    place(set_.coincidences,
          Coincidence<G>{arm(joint.first, joint.on_first.point), arm(joint.second, joint.on_second.point)}, joint.first,
          joint.second, {{"x", RowUnit::length, 0}, {"y", RowUnit::length, 0}});
  }
  void placeAngle(const Joint& joint) {
    // Frames aligned: phi_i + a_i = phi_j + a_j.
    const T phi_0 = constantOf<T>(joint.on_second.angle) - constantOf<T>(joint.on_first.angle);
    place(set_.angles, RelativeAngle<G>{phi_0}, joint.first, joint.second, {{"angle", RowUnit::angle, 0}});
  }
  void placeLine(const Joint& joint) {
    place(set_.lines,
          PointOnLine<G>{arm(joint.first, joint.on_first.point), arm(joint.second, joint.on_second.point),
                         perp(axisOf(joint.on_second))},
          joint.first, joint.second, {{"normal", RowUnit::length, 0}});
  }

  void addJoint(const Joint& joint, int index) {
    openGroup(joint.name, false, index, joint.first, joint.second);
    switch (joint.kind) {
      case JointKind::revolute: placeCoincidence(joint); break;
      case JointKind::prismatic:
        placeAngle(joint);
        placeLine(joint);
        break;
      case JointKind::pin_slot: placeLine(joint); break;
      case JointKind::fixed:
        placeCoincidence(joint);
        placeAngle(joint);
        break;
      case JointKind::distance:
        place(set_.distances,
              Distance<G>{arm(joint.first, joint.on_first.point), arm(joint.second, joint.on_second.point),
                          constantOf<T>(joint.length)},
              joint.first, joint.second, {{"length", RowUnit::length, 0}});
        break;
    }
  }

  void addDrive(const Drive& drive, int index) {
    openGroup(drive.name, true, index, drive.first, drive.second);
    const int motion = index;
    const Vector a = arm(drive.first, drive.on_first.point);
    const Vector b = arm(drive.second, drive.on_second.point);
    switch (drive.kind) {
      case DriveKind::angle:
        // phi_j + a_j - phi_i - a_i = f, with the driven (second) body as the element's first.
        place(set_.angles, RelativeAngle<G>{constantOf<T>(drive.on_first.angle) - constantOf<T>(drive.on_second.angle)},
              drive.second, drive.first, {{"angle", RowUnit::angle, 0}}, motion);
        break;
      case DriveKind::slide:
        place(set_.lines, PointOnLine<G>{a, b, axisOf(drive.on_second)}, drive.first, drive.second,
              {{"slide", RowUnit::length, 0}}, motion);
        break;
      case DriveKind::distance:
        place(set_.distances, Distance<G>{a, b, T(0.0)}, drive.first, drive.second, {{"length", RowUnit::length, 0}},
              motion);
        break;
      case DriveKind::coordinate:
        // e^T (p - origin) = f: the line element with the driven body first, the ground second and n = -e.
        expect(!drive.first.valid(), "a coordinate drive is against the ground");
        place(set_.lines, PointOnLine<G>{b, a, -axisOf(drive.on_first)}, drive.second, drive.first,
              {{"coordinate", RowUnit::length, 0}}, motion);
        break;
    }
  }

  void compileMotions() {
    const Expr t = Expr::symbol("t");
    std::vector<Expr> outputs;
    for (const Drive& drive : m_.drives) {
      const Expr fdot = differentiate(drive.motion, t);
      outputs.insert(outputs.end(), {drive.motion, fdot, differentiate(fdot, t)});
    }
    set_.motions = expressions(outputs);
  }

  void addLoads() {
    std::vector<Expr> outputs;
    const auto output = [&](const Expr& e, const std::string& what) {
      outputs.push_back(e);
      set_.load_output_names.push_back(what);
      return static_cast<int>(outputs.size()) - 1;
    };
    for (std::size_t k = 0; k < m_.loads.size(); ++k) {
      const Load& load = m_.loads[k];
      const int index = static_cast<int>(k);
      const Vector a = arm(load.first, load.on_first.point);
      const Vector b = arm(load.second, load.on_second.point);
      const int i = slot(load.first);
      const int j = slot(load.second);
      switch (load.kind) {
        case LoadKind::force: {
          const auto axes =
              load.axes == Axes::body ? PointForce<G>::Components::body_axes : PointForce<G>::Components::ground_axes;
          const int x = output(load.force[0], fmt::format("load \"{}\": force x", load.name));
          output(load.force[1], fmt::format("load \"{}\": force y", load.name));
          set_.forces.push_back({PointForce<G>{b, axes}, j, x, index});
          break;
        }
        case LoadKind::couple:
          set_.couples.push_back(
              {Couple<G>{}, i, j, output(load.moment, fmt::format("load \"{}\": couple", load.name)), index});
          break;
        case LoadKind::spring_damper:
          set_.springs.push_back({SpringDamper<G>{a, b, constantOf<T>(load.stiffness), constantOf<T>(load.damping),
                                                  constantOf<T>(load.free_length)},
                                  i, j, index});
          break;
        case LoadKind::rotational_spring_damper:
          set_.rotational_springs.push_back(
              {RotationalSpringDamper<G>{constantOf<T>(load.on_second.angle) - constantOf<T>(load.on_first.angle),
                                         constantOf<T>(load.stiffness), constantOf<T>(load.damping),
                                         constantOf<T>(load.free_length)},
               i, j, index});
          break;
      }
    }
    set_.loads = expressions(outputs);
  }

  const Mechanism& m_;
  int ground_;
  ElementSet<G> set_;
};

}  // namespace element_set

template <class G>
ElementSet<G> compileElements(const Mechanism& mechanism) {
  return element_set::Compiler<G>(mechanism).compile();
}

template <class G>
NamedQuantity<G> compileQuantity(const Mechanism& mechanism, const Quantity& quantity) {
  return element_set::Compiler<G>(mechanism).quantity(quantity);
}

template <class G>
CompiledExpressions<G> compileExpressions(const Mechanism& mechanism, const std::vector<Expr>& expressions) {
  return element_set::Compiler<G>(mechanism).expressions(expressions);
}

}  // namespace linkwork
