// How the constants of a Tree are made; included only by the files that instantiate it, one per scalar.
#pragma once

#include <cmath>
#include <numbers>
#include <string>

#include "linkwork/base/contract.hpp"
#include "linkwork/elements/quantity_compiler.hpp"
#include "linkwork/recursion/tree.hpp"

namespace linkwork {

namespace tree {

// Right angles of frames come out of sines and cosines with a trace of round-off, which would keep terms alive that are
// none.
template <class T>
T snapped(const T& entry) {
  const auto near = [](double a) { return std::abs(a - std::round(a)) < 4e-16 ? std::round(a) + 0.0 : a; };
  if constexpr (std::is_same_v<T, Expr>) {
    return entry.isNumber() ? Expr(near(entry.number())) : entry;
  } else if constexpr (std::is_same_v<T, double>) {
    return near(entry);
  } else {
    return entry;
  }
}

template <class T>
Rotation3<T> snapped(const Rotation3<T>& R) {
  const auto column = [](const Vec3<T>& a) { return Vec3<T>{snapped(a.x), snapped(a.y), snapped(a.z)}; };
  return {column(R.x), column(R.y), column(R.z)};
}

template <class T>
Rotation3<T> transposed(const Rotation3<T>& R) {
  return {{R.x.x, R.y.x, R.z.x}, {R.x.y, R.y.y, R.z.y}, {R.x.z, R.y.z, R.z.z}};
}

template <class G>
class Builder {
 public:
  using T = typename G::Scalar;
  using Vector = typename G::Vector;
  using Link = LinkAxes<G>;
  using Compiler = element_set::QuantityCompiler<G>;

  explicit Builder(const Mechanism& mechanism) : m_(mechanism), compiler_(mechanism) {}

  Tree<G> build(const std::vector<PlannedLink>& edges) {
    tree_.gravity = Compiler::vectorOf(m_.gravity);
    tree_.link_of_body.assign(m_.bodies.size(), -1);
    for (const PlannedLink& edge : edges) addLink(edge);
    expect(edges.size() == m_.bodies.size(), "makeTree: every body is a link, once");
    return std::move(tree_);
  }

 private:
  void addLink(const PlannedLink& edge) {
    TreeLink<G> link;
    link.body = edge.body;
    link.joint = edge.joint;
    link.first_column = static_cast<int>(tree_.columns.size());
    const BodyIndex body(edge.body);
    Frame on_parent;
    Frame on_link;
    BodyIndex parent;
    if (edge.joint < 0) {
      on_link.point = m_.body(body).com;
      fillFloating(link);
    } else {
      const Joint& joint = m_.joints[static_cast<std::size_t>(edge.joint)];
      link.first_is_parent = joint.second == body;
      expect(link.first_is_parent || joint.first == body, "makeTree: the joint does not hold the body");
      parent = link.first_is_parent ? joint.first : joint.second;
      on_parent = link.first_is_parent ? joint.on_first : joint.on_second;
      on_link = link.first_is_parent ? joint.on_second : joint.on_first;
      fillJoint(link, joint);
    }
    if (parent.valid()) {
      link.parent = tree_.link_of_body[parent.at()];
      expect(link.parent >= 0, "makeTree: a parent comes before its children");
    }
    placeFrames(link, parent, on_parent, body, on_link);
    addColumns(link, edge);
    expect(tree_.link_of_body[body.at()] < 0, "makeTree: a body is one link");
    tree_.link_of_body[body.at()] = tree_.size();
    tree_.links.push_back(link);
  }

  void fillFloating(TreeLink<G>& link) {
    link.slides = G::kDimension;
    for (int k = 0; k < G::kDimension; ++k) slide_[static_cast<std::size_t>(k)] = {k, 1.0};
    link.turn = G::kSpatial ? TurnKind::ball : TurnKind::hinge;
  }

  // Coordinates are those of the joint: the turn of the second frame against the first, and the second frame's way
  // along the first (a slotted pin: the pin's place in the slot). Seen from the second body both go backwards.
  void fillJoint(TreeLink<G>& link, const Joint& joint) {
    const double forward = link.first_is_parent ? 1.0 : -1.0;
    link.turn_sign = forward;
    const auto slideAlong = [&](int axis, double sign) {
      slide_[static_cast<std::size_t>(link.slides++)] = {axis, sign};
    };
    switch (joint.kind) {
      case JointKind::fixed: break;
      case JointKind::revolute: link.turn = TurnKind::hinge; break;
      case JointKind::prismatic: slideAlong(0, forward); break;
      case JointKind::pin_slot:
        link.turn = TurnKind::hinge;
        slideAlong(0, -forward);
        if (link.first_is_parent) link.order = JointOrder::turn_first;
        break;
      case JointKind::cylindrical:
        slideAlong(2, forward);
        link.turn = TurnKind::hinge;
        break;
      case JointKind::screw:
        link.turn = TurnKind::hinge;
        link.screw = true;
        link.lead = element_set::constantOf<T>(joint.pitch) * T(0.5 * std::numbers::inv_pi);
        break;
      case JointKind::universal:
        link.turn = TurnKind::cross;
        link.turn_axis = link.first_is_parent ? std::array{0, 1} : std::array{1, 0};
        break;
      case JointKind::spherical: link.turn = TurnKind::ball; break;
      case JointKind::planar:
        slideAlong(0, 1.0);
        slideAlong(1, 1.0);
        link.turn = TurnKind::hinge;
        break;
      case JointKind::floating:
        for (int k = 0; k < G::kDimension; ++k) slideAlong(k, 1.0);
        link.turn = G::kSpatial ? TurnKind::ball : TurnKind::hinge;
        break;
      default: expect(false, "makeTree: a joint that cannot carry a link: " + joint.name);
    }
  }

  // A point of a body from the origin of its link, in the link's axes (plane: in the body's).
  Vector fromOrigin(BodyIndex body, const Point& point) const {
    Vector from_centre = compiler_.arm(body, point);
    if (!body.valid()) return from_centre;
    const TreeLink<G>& link = tree_.links[static_cast<std::size_t>(tree_.link_of_body[body.at()])];
    if constexpr (G::kSpatial) {
      return link.centre + link.body_axes * from_centre;
    } else {
      return link.centre + from_centre;
    }
  }

  void placeFrames(TreeLink<G>& link, BodyIndex parent, const Frame& on_parent, BodyIndex body,
                   const Frame& on_link) const {
    link.arm = fromOrigin(parent, on_parent.point);
    link.inertia = Compiler::inertiaOf(m_.body(body));
    const Vector centre = -compiler_.arm(body, on_link.point);
    const auto axisOf = [](const auto& axes, int k) {
      if constexpr (G::kSpatial) {
        return k == 0 ? axes.x : k == 1 ? axes.y : axes.z;
      } else {
        return k == 0 ? axes.x : axes.y;
      }
    };
    if constexpr (G::kSpatial) {
      link.frame = snapped(Compiler::axesOf(on_parent));
      if (parent.valid()) {
        link.frame =
            snapped(tree_.links[static_cast<std::size_t>(tree_.link_of_body[parent.at()])].body_axes * link.frame);
      }
      link.body_axes = transposed(snapped(Compiler::axesOf(on_link)));
      link.centre = link.body_axes * centre;
      const T& mass = link.inertia.mass;
      link.rigid = {mass, link.centre * mass,
                    Link::shifted(Link::turned(link.body_axes, link.inertia), link.centre, mass)};
      const Rotation3<T> own;
      for (std::size_t k = 0; k < 3; ++k) {
        link.slide_axis[k] =
            axisOf(link.order == JointOrder::turn_first ? own : link.frame, slide_[k].axis) * T(slide_[k].sign);
      }
    } else {
      link.offset = element_set::constantOf<T>(on_parent.angle) - element_set::constantOf<T>(on_link.angle);
      link.frame = Rotation2<T>::fromAngle(link.offset);
      link.centre = centre;
      const T& mass = link.inertia.mass;
      link.rigid = {mass, centre * mass, link.inertia.inertia + mass * dot(centre, centre)};
      const auto axes = Compiler::axesOf(link.order == JointOrder::turn_first ? on_link : on_parent);
      for (std::size_t k = 0; k < 2; ++k) link.slide_axis[k] = axisOf(axes, slide_[k].axis) * T(slide_[k].sign);
    }
  }

  void addColumns(TreeLink<G>& link, const PlannedLink& edge) {
    const auto add = [&](int unit, double sign, int drive) {
      TreeColumn column;
      column.link = tree_.size();
      column.unit = unit;
      column.sign = sign;
      column.motion = drive;
      if (drive < 0) {
        column.coordinate = tree_.coordinates++;
        column.freedom = tree_.freedoms++;
      }
      tree_.columns.push_back(column);
      ++link.columns;
    };
    // In space a slide keeps its direction in the link's axes where the link does not turn, or turns about it, or
    // carries it; in the plane along ground axes.
    const bool carried = link.order == JointOrder::turn_first;
    for (int k = 0; k < link.slides; ++k) {
      const Slide& slide = slide_[static_cast<std::size_t>(k)];
      const bool kept = carried || link.turn == TurnKind::none || (link.turn == TurnKind::hinge && slide.axis == 2);
      add((G::kSpatial ? kept : edge.joint < 0) ? slide.axis : -1, slide.sign, edge.slide_drive);
    }
    if (link.turn == TurnKind::hinge) {
      add(carried || link.screw ? -1 : G::kFreedoms - 1, link.turn_sign, edge.angle_drive);
    } else if (link.turn == TurnKind::cross) {
      add(-1, 1.0, -1);
      add(Link::kTurn + link.turn_axis[1], 1.0, -1);
    } else if (link.turn == TurnKind::ball) {
      const int first = tree_.coordinates;
      for (int k = 0; k < 3; ++k) {
        add(Link::kTurn + k, 1.0, -1);
        tree_.columns.back().coordinate = first;
      }
      tree_.coordinates = first + 4;
    }
  }

  struct Slide {
    int axis = 0;
    double sign = 1.0;
  };

  const Mechanism& m_;
  Compiler compiler_;
  Tree<G> tree_;
  std::array<Slide, 3> slide_{};  // of the joint at hand
};

}  // namespace tree

template <class G>
Tree<G> makeTree(const Mechanism& mechanism, const std::vector<PlannedLink>& edges) {
  return tree::Builder<G>(mechanism).build(edges);
}

}  // namespace linkwork
