// A flexible link as a chain of ordinary bodies, joints and springs: what is known of each, and how it is added to a
// mechanism.
#pragma once

#include <string>
#include <vector>

#include "linkwork/read/model_file/flexible_section.hpp"
#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

// How the turns of a spring in space are made and measured: one ball joint and the rotation vector, or hinges about z,
// y, x with massless bodies between them.
enum class LinkTurns { rotation_vector, zyx };

// A rigid piece. In axes of the link.
struct PlannedElement {
  Point origin{};  // of its frame: the root, or the spring before it; its axes are those of the link
  Value length;
  Point middle{};  // of its piece of the axis
  Value mass;
  Point com{};
  Value inertia;  // about z
  std::optional<Tensor> tensor;
  Shape shape;
};

// What joins two pieces: place and axes of the section there, in axes of the link.
struct PlannedSpring {
  Point at{};
  Value angle{};  // in the plane
  Quaternion rotation = kNoTurn;
  std::array<Value, kDeforms> stiffness{};  // N m/rad, N/m
  double s = 0.0;                           // along the axis
  LinkSection section;
};

struct LinkPlan {
  std::string name;
  Source source;
  Deforms deforms;
  LinkTurns turns = LinkTurns::rotation_vector;
  Value damping_time;  // s: damping over stiffness of every spring
  Value drag;          // 1/s: damping over mass, of velocities against the undeformed link
  Value length;
  std::vector<PlannedElement> elements;
  std::vector<PlannedSpring> springs;           // one less
  std::vector<std::array<double, 3>> stations;  // of the axis: root, springs, end
};

// Adds bodies, joints, springs and the link itself. `known` is the link as a body, with its drawn pose, points and
// frames in axes of the root; it gets the index of its first element.
void addChain(Reader& reader, const LinkPlan& plan, const std::vector<NamedPoint>& points, KnownBody& known);

// The element that holds a place, given in axes of the link; the one nearer to the root where two do.
struct Holder {
  std::size_t element = 0;
  bool at_spring = false;
};
Holder holderOf(const KnownLink& link, const Point& at);

}  // namespace linkwork::model_file
