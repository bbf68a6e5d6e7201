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
#include "linkwork/elements/quantity_compiler.hpp"

namespace linkwork {
namespace element_set {

template <class G>
class Compiler : private QuantityCompiler<G> {
  using Base = QuantityCompiler<G>;

 public:
  using T = typename G::Scalar;
  using Vector = typename G::Vector;

  Compiler(const Mechanism& mechanism, const RowFilter& rows) : Base(mechanism), rows_(rows) {}

  ElementSet<G> compile() {
    set_.bodies = ground_;
    set_.gravity = vectorOf(m_.gravity);
    for (const Body& body : m_.bodies) set_.body.push_back(inertiaOf(body));
    for (std::size_t k = 0; k < m_.joints.size(); ++k) addJoint(m_.joints[k], static_cast<int>(k));
    for (std::size_t k = 0; k < m_.drives.size(); ++k) addDrive(m_.drives[k], static_cast<int>(k));
    compileMotions();
    compileRelations();
    compileLaws();
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

  // --- relations -----------------------------------------------------------------------------------------------------

  // A screw: slide - pitch / (2 pi) angle = 0.
  Expr leadOf(const Joint& joint) const {
    return Expr::symbol(joint.name + ".slide") -
           joint.pitch.expr / Expr(2.0 * std::numbers::pi) * Expr::symbol(joint.name + ".angle");
  }

  // f and its derivatives become outputs of the formulas; compileRelations() finds the inputs.
  void placeRelation(const Expr& f, const RowInfo& row) {
    const Expr t = Expr::symbol("t");
    const auto output = [&](const Expr& e) {
      relation_outputs_.push_back(e);
      return static_cast<int>(relation_outputs_.size()) - 1;
    };
    Relation<G> relation;
    relation.row = set_.rows;
    const Expr f_t = differentiate(f, t);
    relation.output = output(f);
    output(f_t);
    output(differentiate(f_t, t));
    std::vector<std::string> names;
    for (const std::string& name : symbolsOf(f)) {
      const std::optional<Quantity> q = findQuantity(m_, name);
      if (q && q->kind != QuantityKind::time) names.push_back(name);
    }
    for (std::size_t a = 0; a < names.size(); ++a) {
      const Expr s = Expr::symbol(names[a]);
      const Expr f_s = differentiate(f, s);
      const Expr f_ts = differentiate(f_t, s);
      typename Relation<G>::First first;
      first.output = output(f_s);
      if (!f_ts.isNumber(0.0)) first.mixed = output(f_ts);
      relation.firsts.push_back(first);
      for (std::size_t b = a; b < names.size(); ++b) {
        const Expr f_sb = differentiate(f_s, Expr::symbol(names[b]));
        if (!f_sb.isNumber(0.0)) relation.seconds.push_back({static_cast<int>(a), static_cast<int>(b), output(f_sb)});
      }
    }
    relation_names_.push_back(std::move(names));
    set_.relations.push_back(std::move(relation));
    RowGroup& group = set_.groups.back();
    set_.row_info.push_back({group.name + "." + row.name, row.unit, static_cast<int>(set_.groups.size()) - 1});
    ++set_.rows;
    ++group.rows;
  }

  void compileRelations() {
    // Every quantity is an input, also where a parameter that is zero takes it out of the formula.
    std::vector<std::string> inputs;
    for (const auto& names : relation_names_) inputs.insert(inputs.end(), names.begin(), names.end());
    std::sort(inputs.begin(), inputs.end());
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    set_.relation_formulas = expressions(relation_outputs_, inputs);
    const auto indexOf = [](const auto& list, const auto& value) {
      return static_cast<int>(std::lower_bound(list.begin(), list.end(), value) - list.begin());
    };
    for (std::size_t r = 0; r < set_.relations.size(); ++r) {
      Relation<G>& relation = set_.relations[r];
      const auto inputOf = [&](std::size_t k) { return indexOf(inputs, relation_names_[r][k]); };
      const auto quantityOf = [&](int input) -> const NamedQuantity<G>& {
        return set_.relation_formulas.inputs[static_cast<std::size_t>(input)];
      };
      for (std::size_t k = 0; k < relation.firsts.size(); ++k) {
        relation.firsts[k].input = inputOf(k);
        const NamedQuantity<G>& s = quantityOf(relation.firsts[k].input);
        for (const int body : {s.i, s.j}) {
          if (body < ground_) relation.bodies.push_back(body);
        }
      }
      for (auto& second : relation.seconds) {
        second.a = inputOf(static_cast<std::size_t>(second.a));
        second.b = inputOf(static_cast<std::size_t>(second.b));
      }
      sortBodies(relation.bodies);
      bool touches_ground = false;
      for (auto& first : relation.firsts) {
        const NamedQuantity<G>& s = quantityOf(first.input);
        first.block_i = blockOf(relation.bodies, s.i);
        first.block_j = blockOf(relation.bodies, s.j);
        touches_ground = touches_ground || first.block_i < 0 || first.block_j < 0;
      }
      relateBodies(relation.row, relation.bodies, touches_ground);
    }
  }

  static void sortBodies(std::vector<int>& bodies) {
    std::sort(bodies.begin(), bodies.end());
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  }
  // Where a body stands among those of a row; -1: it is the ground.
  int blockOf(const std::vector<int>& bodies, int body) const {
    if (body >= ground_) return -1;
    return static_cast<int>(std::lower_bound(bodies.begin(), bodies.end(), body) - bodies.begin());
  }
  // Turned or moved all together, bodies keep their joint coordinates, but not their own.
  void relateBodies(int row, const std::vector<int>& bodies, bool touches_ground) {
    RowGroup& group = set_.groups[static_cast<std::size_t>(set_.row_info[static_cast<std::size_t>(row)].group)];
    if (group.is_drive || !isRelation(m_.joints[static_cast<std::size_t>(group.index)].kind)) return;  // a screw
    group.related = bodies;
    if (touches_ground) group.related.push_back(ground_);
  }

  // --- laws of velocities --------------------------------------------------------------------------------------------

  // compileLaws() finds the formulas: which positions they name is known when all laws are.
  void addLaw(const Joint& joint) {
    VelocityLaw<G> law;
    law.row = set_.rows;
    set_.laws.push_back(std::move(law));
    law_joints_.push_back(&joint);
    RowGroup& group = set_.groups.back();
    set_.row_info.push_back({group.name + ".velocity",
                             joint.unit == RelationUnit::length ? RowUnit::length : RowUnit::angle,
                             static_cast<int>(set_.groups.size()) - 1, RowLevel::velocity});
    ++set_.rows;
    ++set_.velocity_rows;
    ++group.rows;
    ++group.velocity_rows;
  }

  void compileLaws() {
    std::vector<std::string> positions;
    std::vector<Expr> formulas;
    for (std::size_t k = 0; k < set_.laws.size(); ++k) splitLaw(*law_joints_[k], set_.laws[k], formulas, positions);
    std::sort(positions.begin(), positions.end());
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    std::vector<Expr> outputs;
    for (const Expr& g : formulas) {
      outputs.insert(outputs.end(), {g, differentiate(g, Expr::symbol("t"))});
      for (const std::string& name : positions) outputs.push_back(differentiate(g, Expr::symbol(name)));
    }
    set_.law_formulas = expressions(outputs, positions);
    const int stride = static_cast<int>(positions.size()) + 2;
    for (VelocityLaw<G>& law : set_.laws) {
      law.output *= stride;
      bool touches_ground = false;
      for (const auto& share : law.shares) {
        for (const int body : {share.s.i, share.s.j}) {
          if (body < ground_) law.bodies.push_back(body);
        }
      }
      sortBodies(law.bodies);
      for (auto& share : law.shares) {
        share.output *= stride;
        share.block_i = blockOf(law.bodies, share.s.i);
        share.block_j = blockOf(law.bodies, share.s.j);
        touches_ground = touches_ground || share.block_i < 0 || share.block_j < 0;
      }
      relateBodies(law.row, law.bodies, touches_ground);
    }
  }

  // f = f_0 + sum_k f_k s_k': f_0 and the f_k behind the formulas of others, by their numbers.
  void splitLaw(const Joint& joint, VelocityLaw<G>& law, std::vector<Expr>& formulas,
                std::vector<std::string>& positions) {
    std::map<std::string, Expr> at_rest;
    std::vector<std::string> rates;
    for (const std::string& name : symbolsOf(joint.expression)) {
      const std::optional<Quantity> q = findQuantity(m_, name);
      if (!q || q->kind == QuantityKind::time) continue;
      if (isRate(q->kind)) {
        rates.push_back(name);
        at_rest.emplace(name, Expr(0.0));
      } else {
        positions.push_back(name);
      }
    }
    law.output = static_cast<int>(formulas.size());
    formulas.push_back(substitute(joint.expression, at_rest));
    for (const std::string& name : rates) {
      law.shares.push_back({this->quantity(*findQuantity(m_, name)), static_cast<int>(formulas.size())});
      formulas.push_back(substitute(differentiate(joint.expression, Expr::symbol(name)), at_rest));
    }
  }

  // --------------------------------------------------------------------------------------------------------------------

  void addRelation(const Joint& joint) {
    if (joint.kind == JointKind::velocity) {
      addLaw(joint);
      return;
    }
    const char* name = joint.kind == JointKind::gear ? "mesh" : joint.kind == JointKind::rack ? "mesh" : "relation";
    placeRelation(relationOf(m_, joint),
                  {name, joint.unit == RelationUnit::length ? RowUnit::length : RowUnit::angle, 0});
  }

  void placeCurve(const Joint& joint) {
    std::vector<std::array<double, 2>> points;
    for (const auto& point : joint.curve.points) points.push_back({point[0].number, point[1].number});
    const auto axes = axesOf(joint.on_second);
    place(set_.curves,
          PointOnCurve<G>{arm(joint.first, joint.on_first.point), arm(joint.second, joint.on_second.point), axes.x,
                          axes.y, std::make_shared<const SplineCurve>(points, joint.curve.closed),
                          constantOf<T>(joint.curve.offset), joint.name},
          joint.first, joint.second, {{"normal", RowUnit::length, 0}});
  }

  // -------------------------------------------------------------------------------------------------------------------

  static bool contains(const std::vector<int>& list, int index) {
    return std::find(list.begin(), list.end(), index) != list.end();
  }

  void openGroup(const std::string& name, bool is_drive, int index, BodyIndex first, BodyIndex second) {
    set_.groups.push_back({name, is_drive, index, set_.rows, 0, slot(first), slot(second)});
  }

  template <class E>
  void place(std::vector<Placed<E>>& list, E element, BodyIndex i, BodyIndex j, std::initializer_list<RowInfo> rows,
             int motion = -1) {
    list.push_back({std::move(element), slot(i), slot(j), set_.rows, motion});
    RowGroup& group = set_.groups.back();
    for (const RowInfo& row : rows) {
      set_.row_info.push_back(
          {group.name + "." + row.name, row.unit, static_cast<int>(set_.groups.size()) - 1, levelOf<E>()});
    }
    if (levelOf<E>() == RowLevel::velocity) {
      set_.velocity_rows += E::kRows;
      group.velocity_rows += E::kRows;
    }
    set_.rows += E::kRows;
    group.rows += E::kRows;
  }

  void placeCoincidence(const Joint& joint) {
    const Coincidence<G> element{arm(joint.first, joint.on_first.point), arm(joint.second, joint.on_second.point)};
    if constexpr (G::kSpatial) {
      place(set_.coincidences, element, joint.first, joint.second,
            {{"x", RowUnit::length, 0}, {"y", RowUnit::length, 0}, {"z", RowUnit::length, 0}});
    } else {
      place(set_.coincidences, element, joint.first, joint.second,
            {{"x", RowUnit::length, 0}, {"y", RowUnit::length, 0}});
    }
  }
  // The first frame's point in the plane through the second frame's point with this normal (in axes of the second
  // body).
  void placeLine(const Joint& joint, const Vector& normal, const char* name) {
    place(set_.lines,
          PointOnLine<G>{arm(joint.first, joint.on_first.point), arm(joint.second, joint.on_second.point), normal},
          joint.first, joint.second, {{name, RowUnit::length, 0}});
  }
  void placePerpendicular(const Joint& joint, const Vector& a, const Vector& b, const char* name) {
    place(set_.perpendiculars, Perpendicular<G>{a, b}, joint.first, joint.second, {{name, RowUnit::angle, 0}});
  }
  void placeDistance(const Joint& joint) {
    place(set_.distances,
          Distance<G>{arm(joint.first, joint.on_first.point), arm(joint.second, joint.on_second.point),
                      constantOf<T>(joint.length)},
          joint.first, joint.second, {{"length", RowUnit::length, 0}});
  }

  // A speed that a joint's rows follow; -1: none.
  int motionOf(const Joint& joint, const Expr& speed) {
    if (speed.isNumber(0.0)) return -1;
    timed_joints_.push_back({&joint, speed});
    return static_cast<int>(m_.drives.size() + timed_joints_.size()) - 1;
  }

  // The blade is on the second body.
  void placeKnifeEdge(const Joint& joint) {
    KnifeEdge<G> blade{arm(joint.second, joint.on_second.point), axesOf(joint.on_second).x, {}};
    if constexpr (G::kSpatial) blade.up = axesOf(joint.on_first).z;
    place(set_.knife_edges, blade, joint.second, joint.first, {{"across", RowUnit::length, 0}},
          motionOf(joint, joint.speed));
  }

  RollingContact<G> contactOf(const Joint& joint) const {
    const Rolling& rolling = joint.rolling;
    RollingContact<G> out;
    out.on = rolling.on;
    out.shape = rolling.shape;
    out.inside = rolling.inside;
    out.s_P = arm(joint.first, joint.on_first.point);
    out.s_M = arm(joint.second, joint.on_second.point);
    out.normal = axesOf(joint.on_first).y;
    out.radius = constantOf<T>(rolling.radius);
    out.rounding = constantOf<T>(rolling.rounding);
    const T first = constantOf<T>(rolling.first_radius);
    out.between = rolling.inside ? first - out.radius : first + out.radius;
    if constexpr (G::kSpatial) {
      if (rolling.on == RollingOn::cylinder) out.normal = axesOf(joint.on_first).z;
      out.axle = axesOf(joint.on_second).z;
      const auto square = [](const Value& a) { return constantOf<T>(a) * constantOf<T>(a); };
      out.squares = {square(rolling.semi_axes[0]), square(rolling.semi_axes[1]), square(rolling.semi_axes[2])};
    }
    return out;
  }

  void placeRolling(const Joint& joint) {
    const Rolling& rolling = joint.rolling;
    const RollingContact<G> contact = contactOf(joint);
    place(set_.rolling_normals, RollingNormal<G>{contact}, joint.first, joint.second, {{"normal", RowUnit::length, 0}});
    const auto placeSlip = [&](RollingSlip<G> slip, const char* name, const Expr& speed) {
      place(set_.rolling_slips, slip, joint.first, joint.second, {{name, RowUnit::length, 0}}, motionOf(joint, speed));
    };
    const bool round = rolling.on != RollingOn::plane;
    const auto axes = axesOf(joint.on_first);
    if constexpr (G::kSpatial) {
      if (rolling.slips_across_rollers) {
        placeSlip(
            {contact, Tangent::roller, {}, cos(constantOf<T>(rolling.roller)), sin(constantOf<T>(rolling.roller))},
            "slip_roller", Expr(0.0));
      } else if (round) {
        // Of a ball any axis will do that no path is likely to lead through.
        const T third = sqrt(T(1.0) / T(3.0));
        const Vector reference = rolling.on == RollingOn::cylinder ? axes.z : Vector{third, third, third};
        placeSlip({contact, Tangent::round, reference}, "slip_around", Expr(0.0));
        placeSlip({contact, Tangent::round_second, reference}, "slip_along", Expr(0.0));
      } else {
        placeSlip({contact, Tangent::fixed, axes.x}, "slip_x", rolling.surface[0]);
        placeSlip({contact, Tangent::fixed, axes.z}, "slip_z", rolling.surface[1]);
      }
      if (!rolling.pivots) {
        place(set_.rolling_pivots, RollingPivot<G>{contact}, joint.first, joint.second, {{"pivot", RowUnit::angle, 0}});
      }
    } else {
      const RollingSlip<G> slip{contact, round ? Tangent::round : Tangent::fixed, axes.x};
      if (!rolling.counted) {
        placeSlip(slip, "slip", rolling.surface[0]);
      } else {
        place(set_.rolling_arcs, RollingArc<G>{slip, constantOf<T>(joint.on_first.angle), constantOf<T>(joint.offset)},
              joint.first, joint.second, {{"arc", RowUnit::length, 0}});
      }
    }
  }

  void addJoint(const Joint& joint, int index) {
    openGroup(joint.name, false, index, joint.first, joint.second);
    if (contains(rows_.without_joints, index)) return;
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

  void addPlanarJoint(const Joint& joint) {
    const auto placeAngle = [&] {
      // Frames aligned: phi_i + a_i = phi_j + a_j.
      const T phi_0 = constantOf<T>(joint.on_second.angle) - constantOf<T>(joint.on_first.angle);
      place(set_.angles, RelativeAngle<G>{phi_0}, joint.first, joint.second, {{"angle", RowUnit::angle, 0}});
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
      case JointKind::knife_edge: placeKnifeEdge(joint); break;
      case JointKind::rolling: placeRolling(joint); break;
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
        placeRelation(leadOf(joint), {"lead", RowUnit::length, 0});
        break;
      case JointKind::constant_velocity:
        placeCoincidence(joint);
        place(set_.constant_velocities, ConstantVelocity<G>{i.x, i.y, j.x, j.y}, joint.first, joint.second,
              {{"turn", RowUnit::angle, 0}});
        break;
      case JointKind::curve:
        placeCurve(joint);
        placeLine(joint, j.z, "normal_z");
        break;
      case JointKind::knife_edge: placeKnifeEdge(joint); break;
      case JointKind::rolling: placeRolling(joint); break;
      default: break;  // floating: no rows; relations have been added
    }
  }

  void addDrive(const Drive& drive, int index) {
    openGroup(drive.name, true, index, drive.first, drive.second);
    if (contains(rows_.without_drives, index)) return;
    const int motion = index;
    const Vector a = arm(drive.first, drive.on_first.point);
    const Vector b = arm(drive.second, drive.on_second.point);
    switch (drive.kind) {
      case DriveKind::angle:
        // phi_j + a_j - phi_i - a_i = f, with the driven (second) body as the element's first.
        if constexpr (G::kSpatial) {
          place(set_.angles, turnOf(drive.on_first, drive.on_second), drive.second, drive.first,
                {{"angle", RowUnit::angle, 0}}, motion);
        } else {
          place(set_.angles,
                RelativeAngle<G>{constantOf<T>(drive.on_first.angle) - constantOf<T>(drive.on_second.angle)},
                drive.second, drive.first, {{"angle", RowUnit::angle, 0}}, motion);
        }
        break;
      case DriveKind::slide:
        place(set_.lines, PointOnLine<G>{a, b, axesOf(drive.on_second).x}, drive.first, drive.second,
              {{"slide", RowUnit::length, 0}}, motion);
        break;
      case DriveKind::distance:
        place(set_.distances, Distance<G>{a, b, T(0.0)}, drive.first, drive.second, {{"length", RowUnit::length, 0}},
              motion);
        break;
      case DriveKind::coordinate:
        // e^T (p - origin) = f: the line element with the driven body first, the ground second and n = -e.
        expect(!drive.first.valid(), "a coordinate drive is against the ground");
        place(set_.lines, PointOnLine<G>{b, a, -axesOf(drive.on_first).x}, drive.second, drive.first,
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
      set_.motion_owners.push_back(fmt::format("drive \"{}\"", drive.name));
    }
    // Nobody asks for the way that belongs to a speed.
    for (const auto& [joint, speed] : timed_joints_) {
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

  const RowFilter& rows_;
  ElementSet<G> set_;
  std::vector<Expr> load_outputs_;
  std::vector<std::pair<const Joint*, Expr>> timed_joints_;  // speeds that rows of joints follow
  std::vector<const Joint*> law_joints_;                     // of each law
  std::vector<Expr> relation_outputs_;
  std::vector<std::vector<std::string>> relation_names_;  // of each relation: the quantities it names
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
