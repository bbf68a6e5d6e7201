// How a mechanism becomes an ElementSet; included only by the files that instantiate it, one per scalar.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "linkwork/base/contract.hpp"
#include "linkwork/elements/joint_springs.hpp"
#include "linkwork/elements/relation_compiler.hpp"
#include "linkwork/elements/rolling_rows.hpp"

namespace linkwork {
namespace element_set {

template <class G>
class Compiler : private QuantityCompiler<G> {
  using Base = QuantityCompiler<G>;

 public:
  using T = typename G::Scalar;
  using Vector = typename G::Vector;

  Compiler(const Mechanism& mechanism, const RowFilter& filter)
      : Base(mechanism), filter_(filter), rows_(*this, set_), relations_(mechanism, *this, set_, rows_) {}

  ElementSet<G> compile() {
    set_.bodies = ground_;
    set_.gravity = vectorOf(m_.gravity);
    for (const Body& body : m_.bodies) set_.body.push_back(inertiaOf(body));
    for (std::size_t k = 0; k < m_.joints.size(); ++k) addJoint(m_.joints[k], static_cast<int>(k));
    for (std::size_t k = 0; k < m_.drives.size(); ++k) addDrive(m_.drives[k], static_cast<int>(k));
    compileMotions();
    relations_.compile();
    addLoads();
    set_.turns = this->turns_;
    return std::move(set_);
  }

 private:
  using Base::arm;
  using Base::axesOf;
  using Base::expressions;
  using Base::ground_;
  using Base::inertiaOf;
  using Base::m_;
  using Base::slot;
  using Base::turnOf;
  using Base::vectorOf;

  // A screw: slide - pitch / (2 pi) angle = 0.
  Expr leadOf(const Joint& joint) const {
    return Expr::symbol(joint.name + ".slide") -
           joint.pitch.expr / Expr(2.0 * std::numbers::pi) * Expr::symbol(joint.name + ".angle");
  }

  void addRelation(const Joint& joint) {
    if (joint.kind == JointKind::velocity) {
      relations_.placeLaw(joint.expression, joint.unit == RelationUnit::length ? RowUnit::length : RowUnit::angle);
      return;
    }
    const char* name = joint.kind == JointKind::gear ? "mesh" : joint.kind == JointKind::rack ? "mesh" : "relation";
    relations_.placeRelation(relationOf(m_, joint), name,
                             joint.unit == RelationUnit::length ? RowUnit::length : RowUnit::angle);
  }

  void placeCurve(const Joint& joint) {
    std::vector<std::array<double, 2>> points;
    for (const auto& point : joint.curve.points) points.push_back({point[0].number, point[1].number});
    const auto axes = axesOf(joint.on_second);
    rows_.place(set_.curves,
                PointOnCurve<G>{arm(joint.first, joint.on_first.point), arm(joint.second, joint.on_second.point),
                                axes.x, axes.y, std::make_shared<const SplineCurve>(points, joint.curve.closed),
                                constantOf<T>(joint.curve.offset), joint.name},
                joint.first, joint.second, {{"normal", RowUnit::length, 0}});
  }

  // -------------------------------------------------------------------------------------------------------------------

  static bool contains(const std::vector<int>& list, int index) {
    return std::find(list.begin(), list.end(), index) != list.end();
  }

  void placeCoincidence(const Joint& joint) {
    const Coincidence<G> element{arm(joint.first, joint.on_first.point), arm(joint.second, joint.on_second.point)};
    if constexpr (G::kSpatial) {
      rows_.place(set_.coincidences, element, joint.first, joint.second,
                  {{"x", RowUnit::length, 0}, {"y", RowUnit::length, 0}, {"z", RowUnit::length, 0}});
    } else {
      rows_.place(set_.coincidences, element, joint.first, joint.second,
                  {{"x", RowUnit::length, 0}, {"y", RowUnit::length, 0}});
    }
  }
  // The first frame's point in the plane through the second frame's point with this normal (in axes of the second
  // body).
  void placeLine(const Joint& joint, const Vector& normal, const char* name) {
    rows_.place(
        set_.lines,
        PointOnLine<G>{arm(joint.first, joint.on_first.point), arm(joint.second, joint.on_second.point), normal},
        joint.first, joint.second, {{name, RowUnit::length, 0}});
  }
  void placePerpendicular(const Joint& joint, const Vector& a, const Vector& b, const char* name) {
    rows_.place(set_.perpendiculars, Perpendicular<G>{a, b}, joint.first, joint.second, {{name, RowUnit::angle, 0}});
  }
  void placeDistance(const Joint& joint) {
    rows_.place(set_.distances,
                Distance<G>{arm(joint.first, joint.on_first.point), arm(joint.second, joint.on_second.point),
                            constantOf<T>(joint.length)},
                joint.first, joint.second, {{"length", RowUnit::length, 0}});
  }

  void addJoint(const Joint& joint, int index) {
    rows_.openGroup(joint.name, false, index, joint.first, joint.second);
    if (contains(filter_.without_joints, index)) return;
    if (joint.compliance) {
      addSprings(joint, index);
      return;
    }
    if (isRelation(joint.kind)) {
      addRelation(joint);
      return;
    }
    if constexpr (G::kSpatial) {
      addSpatialJoint(joint);
    } else {
      addPlanarJoint(joint);
    }
  }

  // The springs of a compliant joint.
  void addSprings(const Joint& joint, int index) {
    const auto mount = [this](BodyIndex body, const Frame& frame) {
      const auto axes = axesOf(frame);
      if constexpr (G::kSpatial) {
        return typename CompliantJoint<G>::Mount{arm(body, frame.point), {axes.x, axes.y, axes.z}};
      } else {
        return typename CompliantJoint<G>::Mount{arm(body, frame.point), {axes.x, axes.y}};
      }
    };
    const CompliantJoint<G> out =
        springsOf<G>(joint, mount(joint.first, joint.on_first), mount(joint.second, joint.on_second), constantOf<T>);
    std::get<std::vector<PlacedLoad<CompliantJoint<G>>>>(set_.loads)
        .push_back({out, slot(joint.first), slot(joint.second), -1, -1, -1, 0, index});
  }

  void addPlanarJoint(const Joint& joint) {
    const auto placeAngle = [&] {
      // Frames aligned: phi_i + a_i = phi_j + a_j.
      const T phi_0 = constantOf<T>(joint.on_second.angle) - constantOf<T>(joint.on_first.angle);
      rows_.place(set_.angles, RelativeAngle<G>{phi_0}, joint.first, joint.second, {{"angle", RowUnit::angle, 0}});
    };
    switch (joint.kind) {
      case JointKind::revolute: placeCoincidence(joint); break;
      case JointKind::prismatic:
        placeAngle();
        placeLine(joint, axesOf(joint.on_second).y, "normal");
        break;
      case JointKind::pin_slot: placeLine(joint, axesOf(joint.on_second).y, "normal"); break;
      case JointKind::fixed:
        placeCoincidence(joint);
        placeAngle();
        break;
      case JointKind::distance: placeDistance(joint); break;
      case JointKind::curve: placeCurve(joint); break;
      case JointKind::knife_edge: placeKnifeEdge<G>(joint, *this, set_, rows_); break;
      case JointKind::rolling: placeRolling<G>(joint, *this, set_, rows_); break;
      default: expect(false, "a joint of space in the plane: " + joint.name);
    }
  }

  // Names of rows: "x", "y", "z" of a point in ground axes; "normal_y" against the second frame's y axis; "tilt_x": the
  // first frame's z axis may not lean towards the second's x axis; "turn": no turning about z.
  void addSpatialJoint(const Joint& joint) {
    const auto i = axesOf(joint.on_first);
    const auto j = axesOf(joint.on_second);
    const auto noTilt = [&] {
      placePerpendicular(joint, i.z, j.x, "tilt_x");
      placePerpendicular(joint, i.z, j.y, "tilt_y");
    };
    const auto noTurn = [&] {
      noTilt();
      placePerpendicular(joint, i.x, j.y, "turn");
    };
    switch (joint.kind) {
      case JointKind::revolute:
        placeCoincidence(joint);
        noTilt();
        break;
      case JointKind::prismatic:
        noTurn();
        placeLine(joint, j.y, "normal_y");
        placeLine(joint, j.z, "normal_z");
        break;
      case JointKind::pin_slot:
        noTilt();
        placeLine(joint, j.y, "normal_y");
        placeLine(joint, j.z, "normal_z");
        break;
      case JointKind::fixed:
        placeCoincidence(joint);
        noTurn();
        break;
      case JointKind::distance: placeDistance(joint); break;
      case JointKind::cylindrical:
        noTilt();
        placeLine(joint, j.x, "normal_x");
        placeLine(joint, j.y, "normal_y");
        break;
      case JointKind::spherical: placeCoincidence(joint); break;
      case JointKind::universal:
        placeCoincidence(joint);
        placePerpendicular(joint, i.x, j.y, "cross");
        break;
      case JointKind::planar:
        noTilt();
        placeLine(joint, j.z, "normal_z");
        break;
      case JointKind::point_line:
        placeLine(joint, j.y, "normal_y");
        placeLine(joint, j.z, "normal_z");
        break;
      case JointKind::point_plane: placeLine(joint, j.z, "normal_z"); break;
      case JointKind::parallel_axes: noTilt(); break;
      case JointKind::perpendicular: placePerpendicular(joint, i.z, j.z, "angle"); break;
      case JointKind::screw:
        noTilt();
        placeLine(joint, j.x, "normal_x");
        placeLine(joint, j.y, "normal_y");
        relations_.placeRelation(leadOf(joint), "lead", RowUnit::length);
        break;
      case JointKind::constant_velocity:
        placeCoincidence(joint);
        rows_.place(set_.constant_velocities, ConstantVelocity<G>{i.x, i.y, j.x, j.y}, joint.first, joint.second,
                    {{"turn", RowUnit::angle, 0}});
        break;
      case JointKind::curve:
        placeCurve(joint);
        placeLine(joint, j.z, "normal_z");
        break;
      case JointKind::knife_edge: placeKnifeEdge<G>(joint, *this, set_, rows_); break;
      case JointKind::rolling: placeRolling<G>(joint, *this, set_, rows_); break;
      default: break;  // floating: no rows; relations have been added
    }
  }

  void addDrive(const Drive& drive, int index) {
    rows_.openGroup(drive.name, true, index, drive.first, drive.second);
    if (contains(filter_.without_drives, index)) return;
    const int motion = index;
    const Vector a = arm(drive.first, drive.on_first.point);
    const Vector b = arm(drive.second, drive.on_second.point);
    switch (drive.kind) {
      case DriveKind::angle:
        // phi_j + a_j - phi_i - a_i = f, with the driven (second) body as the element's first.
        if constexpr (G::kSpatial) {
          rows_.place(set_.angles, turnOf(drive.on_first, drive.on_second), drive.second, drive.first,
                      {{"angle", RowUnit::angle, 0}}, motion);
        } else {
          rows_.place(set_.angles,
                      RelativeAngle<G>{constantOf<T>(drive.on_first.angle) - constantOf<T>(drive.on_second.angle)},
                      drive.second, drive.first, {{"angle", RowUnit::angle, 0}}, motion);
        }
        break;
      case DriveKind::slide:
        rows_.place(set_.lines, PointOnLine<G>{a, b, axesOf(drive.on_second).x}, drive.first, drive.second,
                    {{"slide", RowUnit::length, 0}}, motion);
        break;
      case DriveKind::distance:
        rows_.place(set_.distances, Distance<G>{a, b, T(0.0)}, drive.first, drive.second,
                    {{"length", RowUnit::length, 0}}, motion);
        break;
      case DriveKind::coordinate:
        // e^T (p - origin) = f: the line element with the driven body first, the ground second and n = -e.
        expect(!drive.first.valid(), "a coordinate drive is against the ground");
        rows_.place(set_.lines, PointOnLine<G>{b, a, -axesOf(drive.on_first).x}, drive.second, drive.first,
                    {{"coordinate", RowUnit::length, 0}}, motion);
        break;
      case DriveKind::quantity: {
        const Quantity of = *findQuantity(m_, drive.of);
        const RowUnit unit = quantityUnit(m_, of).starts_with("rad") ? RowUnit::angle : RowUnit::length;
        if (isRate(of.kind)) {
          relations_.placeLaw(Expr::symbol(drive.of) - differentiate(drive.motion, Expr::symbol("t")), unit);
        } else {
          relations_.placeRelation(Expr::symbol(drive.of) - drive.motion, "quantity", unit);
        }
        break;
      }
    }
  }

  void compileMotions() {
    const Expr t = Expr::symbol("t");
    std::vector<Expr> outputs;
    for (const Drive& drive : m_.drives) {
      const Expr fdot = differentiate(drive.motion, t);
      outputs.insert(outputs.end(), {drive.motion, fdot, differentiate(fdot, t)});
      set_.motion_owners.push_back(fmt::format("drive \"{}\"", drive.name));
    }
    // Nobody asks for the way that belongs to a speed.
    for (const auto& [joint, speed] : rows_.timedJoints()) {
      outputs.insert(outputs.end(), {Expr(0.0), speed, differentiate(speed, t)});
      set_.motion_owners.push_back(fmt::format("joint \"{}\"", joint->name));
    }
    set_.motions = expressions(outputs);
  }

  // What a load's place(load, in) may ask for, and where it leaves its elements.
  class LoadPlacer {
   public:
    LoadPlacer(Compiler& compiler, int index) : compiler_(compiler), index_(index) {}

    Vector arm(BodyIndex body, const Point& point) const { return compiler_.arm(body, point); }
    static auto axesOf(const Frame& frame) { return Base::axesOf(frame); }
    static AxialAngle<G> turnOf(const Frame& first, const Frame& second) { return Base::turnOf(first, second); }
    static T constant(const Value& value) { return constantOf<T>(value); }

    // Between these bodies; `scalar` is the element's first of the load's scalars.
    template <class E>
    void add(const E& element, BodyIndex i, BodyIndex j, const std::vector<LoadFormula>& formulas = {},
             int scalar = 0) {
      PlacedLoad<E> placed{element, compiler_.slot(i), compiler_.slot(j), -1, compiler_.turnOfLoad(index_), index_,
                           scalar};
      auto& outputs = compiler_.load_outputs_;
      if (!formulas.empty()) placed.formula = static_cast<int>(outputs.size());
      for (const LoadFormula& formula : formulas) {
        outputs.push_back(formula.value);
        compiler_.set_.load_output_names.push_back(
            fmt::format("load \"{}\": {}", compiler_.m_.loads[static_cast<std::size_t>(index_)].name, formula.what));
      }
      std::get<std::vector<PlacedLoad<E>>>(compiler_.set_.loads).push_back(std::move(placed));
    }

   private:
    Compiler& compiler_;
    int index_;
  };

  void addLoads() {
    for (std::size_t k = 0; k < m_.loads.size(); ++k) {
      const Load& load = m_.loads[k];
      LoadPlacer placer(*this, static_cast<int>(k));
      bool taken = false;
      PlacedLoads<G>::forEachKind([&]<class E>() {
        if (!E::takes(load)) return;
        taken = true;
        E::place(load, placer);
      });
      expect(taken, "no element stands for the load " + load.name);
    }
    set_.load_formulas = expressions(load_outputs_);
  }

  const RowFilter& filter_;
  ElementSet<G> set_;
  std::vector<Expr> load_outputs_;
  RowPlacer<G> rows_;
  RelationCompiler<G> relations_;
};

}  // namespace element_set

template <class G>
ElementSet<G> compileElements(const Mechanism& mechanism, const RowFilter& rows) {
  return element_set::Compiler<G>(mechanism, rows).compile();
}

template <class G>
NamedQuantity<G> compileQuantity(const Mechanism& mechanism, const Quantity& quantity) {
  return element_set::QuantityCompiler<G>(mechanism).quantity(quantity);
}

template <class G>
std::vector<NamedQuantity<G>> compileQuantities(const Mechanism& mechanism, const std::vector<Quantity>& quantities) {
  const element_set::QuantityCompiler<G> compiler(mechanism);
  std::vector<NamedQuantity<G>> out;
  for (const Quantity& quantity : quantities) out.push_back(compiler.quantity(quantity));
  return out;
}

template <class G>
CompiledExpressions<G> compileExpressions(const Mechanism& mechanism, const std::vector<Expr>& expressions) {
  return element_set::QuantityCompiler<G>(mechanism).expressions(expressions);
}

}  // namespace linkwork
