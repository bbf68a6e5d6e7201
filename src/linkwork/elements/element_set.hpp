// ElementSet: every constraint, load and named quantity of a mechanism, compiled for one geometry and scalar.
//
// A joint is one or two constraint elements: revolute = coincidence; prismatic = relative angle, point on line;
// pin_slot = point on line; fixed = coincidence, relative angle; distance = distance. A drive is one element with a
// motion. Couplings, gears, racks and expressions are relations, which may touch any number of bodies; formulas of
// rates are laws.
#pragma once

#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "linkwork/elements/actuator.hpp"
#include "linkwork/elements/applied_load.hpp"
#include "linkwork/elements/bushing.hpp"
#include "linkwork/elements/coincidence.hpp"
#include "linkwork/elements/compliant_joint.hpp"
#include "linkwork/elements/constant_velocity.hpp"
#include "linkwork/elements/distance.hpp"
#include "linkwork/elements/knife_edge.hpp"
#include "linkwork/elements/named_quantity.hpp"
#include "linkwork/elements/perpendicular.hpp"
#include "linkwork/elements/point_on_curve.hpp"
#include "linkwork/elements/point_on_line.hpp"
#include "linkwork/elements/relation.hpp"
#include "linkwork/elements/relative_angle.hpp"
#include "linkwork/elements/rolling.hpp"
#include "linkwork/elements/rotational_spring_damper.hpp"
#include "linkwork/elements/spring_damper.hpp"
#include "linkwork/elements/velocity_law.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// An element between two bodies. Bodies are numbered 0..n-1; the ground is number n (a slot that never moves).
template <class E>
struct Placed {
  E element;
  int i = 0;
  int j = 0;
  int row = 0;      // its first row of Phi (constraints)
  int motion = -1;  // its prescribed motion (drives, and joints that know the time)
};

template <class G>
using AngleElement = std::conditional_t<G::kSpatial, AxialAngle<G>, RelativeAngle<G>>;

// Kinds of rows that one of the geometries does not have: there the list stays empty.
template <class G>
using ArcElement = typename std::conditional_t<G::kSpatial, std::type_identity<RollingNormal<G>>,
                                               std::type_identity<RollingArc<G>>>::type;
template <class G>
using PivotElement = typename std::conditional_t<G::kSpatial, std::type_identity<RollingPivot<G>>,
                                                 std::type_identity<RollingNormal<G>>>::type;

// A load between two bodies; one that acts on a single body has the ground for i. The springs of a compliant joint are
// one too, but no load of the mechanism.
template <class E>
struct PlacedLoad {
  E element;
  int i = 0;
  int j = 0;
  int formula = -1;  // its first of `load_formulas`
  int turn = -1;     // its counted turn, in space
  int load = 0;      // of the mechanism; -1: it belongs to a joint
  int scalar = 0;    // its first of the load's scalars
  int joint = -1;    // of the mechanism, whose springs these are
};

template <class G, class... Elements>
struct LoadLists {
  static_assert((LoadElement<Elements, G> && ...), "a load states everything that elements/load.hpp lists");
  using Lists = std::tuple<std::vector<PlacedLoad<Elements>>...>;
  // Calls visit.operator()<E>() for every kind of element.
  template <class Visit>
  static void forEachKind(const Visit& visit) {
    (visit.template operator()<Elements>(), ...);
  }
};

// All kinds of loads; they act in this order.
template <class G>
using PlacedLoads =
    LoadLists<G, PointForce<G>, Couple<G>, Actuator<G, Distance<G>>, Actuator<G, PointOnLine<G>>,
              Actuator<G, AngleElement<G>>, SpringDamper<G>, RotationalSpringDamper<G>, Bushing<G>, CompliantJoint<G>>;

enum class RowUnit { length, angle };

// The rows of one joint or drive.
struct RowGroup {
  std::string name;
  bool is_drive = false;
  int index = 0;  // of the joint or drive in the mechanism
  int first_row = 0;
  int rows = 0;
  int i = 0;
  int j = 0;
  std::vector<int> related{};  // of a relation, which has the ground for i and j: all bodies it touches, the ground too
  int velocity_rows = 0;       // of its rows: those that hold velocities alone

  // Keeps its bodies in no place: closes no loop, and is no edge of a tree.
  bool holdsVelocitiesAlone() const { return rows > 0 && velocity_rows == rows; }
};

struct RowInfo {
  std::string name;  // "O.x", "S.angle", "S.normal"
  RowUnit unit = RowUnit::length;
  int group = 0;
  RowLevel level = RowLevel::position;
};

template <class G>
struct ElementSet {
  using T = typename G::Scalar;

  int bodies = 0;
  int rows = 0;
  int velocity_rows = 0;  // those of them that hold velocities alone
  typename G::Vector gravity;
  std::vector<typename G::Inertia> body;

  std::vector<Placed<Coincidence<G>>> coincidences;
  std::vector<Placed<AngleElement<G>>> angles;
  std::vector<Placed<Perpendicular<G>>> perpendiculars;
  std::vector<Placed<PointOnLine<G>>> lines;
  std::vector<Placed<Distance<G>>> distances;
  std::vector<Placed<ConstantVelocity<G>>> constant_velocities;
  std::vector<Placed<PointOnCurve<G>>> curves;
  std::vector<Placed<KnifeEdge<G>>> knife_edges;
  std::vector<Placed<RollingNormal<G>>> rolling_normals;
  std::vector<Placed<RollingSlip<G>>> rolling_slips;
  std::vector<Placed<ArcElement<G>>> rolling_arcs;
  std::vector<Placed<PivotElement<G>>> rolling_pivots;
  std::vector<Relation<G>> relations;
  std::vector<VelocityLaw<G>> laws;
  std::vector<RowGroup> groups;
  std::vector<RowInfo> row_info;

  typename PlacedLoads<G>::Lists loads;  // one list for each kind of element
  template <class E>
  const std::vector<PlacedLoad<E>>& loadsOf() const {
    return std::get<std::vector<PlacedLoad<E>>>(loads);
  }

  CompiledExpressions<G> motions;              // f, f', f'' of every motion: of the drives, then of joints
  std::vector<std::string> motion_owners;      // for messages: "drive \"motor\""
  CompiledExpressions<G> relation_formulas;    // what the relations name as inputs and outputs
  CompiledExpressions<G> law_formulas;         // and the laws
  CompiledExpressions<G> load_formulas;        // what the loads name as their formulas
  std::vector<std::string> load_output_names;  // for messages: "load \"push\": force x"

  // In space: the angles of joints, of rotational springs and of the bodies of a lifted file. In the plane an angle is
  // a coordinate and needs no counting.
  std::vector<CountedTurn<G>> turns;
};

// Calls visit(placed) for every constraint element between two bodies; relations and laws are apart.
template <class Set, class Visit>
void forEachConstraint(const Set& set, Visit&& visit) {
  for (const auto& placed : set.coincidences) visit(placed);
  for (const auto& placed : set.angles) visit(placed);
  for (const auto& placed : set.perpendiculars) visit(placed);
  for (const auto& placed : set.lines) visit(placed);
  for (const auto& placed : set.distances) visit(placed);
  for (const auto& placed : set.constant_velocities) visit(placed);
  for (const auto& placed : set.curves) visit(placed);
  for (const auto& placed : set.knife_edges) visit(placed);
  for (const auto& placed : set.rolling_normals) visit(placed);
  for (const auto& placed : set.rolling_slips) visit(placed);
  for (const auto& placed : set.rolling_arcs) visit(placed);
  for (const auto& placed : set.rolling_pivots) visit(placed);
}

// Calls visit(placed) for every load.
template <class Set, class Visit>
void forEachLoad(const Set& set, Visit&& visit) {
  const auto visitAll = [&visit](const auto& list) {
    for (const auto& placed : list) visit(placed);
  };
  std::apply([&visitAll](const auto&... lists) { (visitAll(lists), ...); }, set.loads);
}

// What its formulas gave, and the reference of its turn.
template <class E, class T>
LoadInput<T> inputOf(const PlacedLoad<E>& placed, const std::vector<T>& given, const std::vector<T>& turns) {
  return {placed.formula < 0 ? nullptr : given.data() + placed.formula,
          placed.turn < 0 ? nullptr : turns.data() + placed.turn};
}

// What is recorded of a load, by name.
std::vector<LoadScalar> scalarsOf(Space space, const Load& load);

// Joints and drives, by their index in the mechanism, whose rows are left out: those that the coordinates of a tree
// keep by themselves. Their groups stay, without rows, and the motions of such drives are still evaluated.
struct RowFilter {
  std::vector<int> without_joints{};
  std::vector<int> without_drives{};
};

// Instantiated for Planar and Spatial of double, Dual<8> and Expr, with which parameters stay letters.
// A planar mechanism may be compiled for space: it is lifted.
template <class G>
ElementSet<G> compileElements(const Mechanism& mechanism, const RowFilter& rows);
template <class G>
ElementSet<G> compileElements(const Mechanism& mechanism) {
  return compileElements<G>(mechanism, RowFilter());
}

template <class G>
NamedQuantity<G> compileQuantity(const Mechanism& mechanism, const Quantity& quantity);
template <class G>
std::vector<NamedQuantity<G>> compileQuantities(const Mechanism& mechanism, const std::vector<Quantity>& quantities);

// Their symbols are t, parameters and quantities of the mechanism.
template <class G>
CompiledExpressions<G> compileExpressions(const Mechanism& mechanism, const std::vector<Expr>& expressions);

}  // namespace linkwork
