// Tree<G>: the constants of a mechanism's spanning tree, each link carried by one joint.
//
// Links are numbered so that a parent comes before its children; a link is a body together with the joint that carries
// it. A joint is up to three slides and a turn (none, about one axis, about two, free), each freedom one column of
//
//   V_link = V_parent, taken over rigidly, + sum over columns of s u                             [docs/theory/07,
//   eq. 7.2]
//
// A column may be prescribed: u and the coordinate then come from a drive's motion, and it is no freedom.
#pragma once

#include <array>
#include <span>
#include <type_traits>
#include <vector>

#include "linkwork/elements/rows.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/recursion/link_axes.hpp"
#include "linkwork/topology/tree_plan.hpp"

namespace linkwork {

// Whether a joint of this kind can carry a link of a tree. Others (distances, points on lines and curves, relations
// ...) close loops only.
bool canCarry(JointKind kind);

enum class TurnKind { none, hinge, cross, ball };   // cross: about an axis of the parent, then about one of the link
enum class JointOrder { slide_first, turn_first };  // turn_first: the slide's axis turns with the link

template <class G>
struct TreeLink {
  using T = typename G::Scalar;
  using Vector = typename G::Vector;
  using Link = LinkAxes<G>;

  int parent = -1;  // a link; -1: the ground
  int body = 0;
  int joint = -1;
  bool first_is_parent = true;  // of the joint's two bodies

  JointOrder order = JointOrder::slide_first;
  TurnKind turn = TurnKind::none;
  int slides = 0;
  std::array<Vector, 3> slide_axis{};  // in the parent's axes; turn_first: in the link's
  std::array<int, 2> turn_axis{2, 2};  // in space: x, y or z of the joint frame
  double turn_sign = 1.0;
  bool screw = false;
  T lead{};  // of a screw: slide per radian

  int first_column = 0;
  int columns = 0;

  Vector arm;  // from the parent's origin to the joint's point on the parent, in the parent's axes
  // Plane: angle of the body against its parent at turn zero, and that turn. Space: joint frame in the parent's axes.
  T offset{};
  std::conditional_t<G::kSpatial, Rotation3<T>, Rotation2<T>> frame;
  // Space: axes of the body in those of the link.
  std::conditional_t<G::kSpatial, Rotation3<T>, Rotation2<T>> body_axes;
  Vector centre;  // from the link's origin to the centre of mass, in the link's axes (plane: in the body's)
  typename Link::Rigid rigid;
  typename G::Inertia inertia;  // as the body has it, about its centre of mass
};

struct TreeColumn {
  int link = 0;
  int unit = -1;       // the column is this unit screw, or its opposite; -1: it depends on the pose
  double sign = 1.0;   // of the unit screw
  int coordinate = 0;  // its q; a ball's three columns share four, a unit quaternion, scalar first
  int freedom = -1;    // its u; -1: prescribed
  int motion = -1;     // of a prescribed one
};

template <class G>
struct Tree {
  using T = typename G::Scalar;
  std::vector<TreeLink<G>> links;
  std::vector<TreeColumn> columns;
  std::vector<int> link_of_body;
  int coordinates = 0;
  int freedoms = 0;
  typename G::Vector gravity;

  int size() const { return static_cast<int>(links.size()); }
  std::span<const TreeColumn> columnsOf(int link) const {
    const TreeLink<G>& l = links[static_cast<std::size_t>(link)];
    return std::span(columns).subspan(static_cast<std::size_t>(l.first_column), static_cast<std::size_t>(l.columns));
  }
};

// Of all bodies, parents before children. Instantiated, like all of this folder, for Planar and Spatial of double,
// Dual<8> and Expr.
template <class G>
Tree<G> makeTree(const Mechanism& mechanism, const std::vector<PlannedLink>& links);

// Of the forces that act on a tree, apart from those in its joints.
template <class G>
struct TreeLoads {
  typename G::Vector gravity;                    // acts on every body
  std::span<const typename G::Wrench> wrenches;  // of each body, at its centre of mass; empty: none
};

}  // namespace linkwork
