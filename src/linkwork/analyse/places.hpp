// Places: where bodies and the frames of joints stand in ground axes, one text for plane and space.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "linkwork/geometry/spatial.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// A point and axes in ground axes; in the plane z = 0 and axes turned about z.
using Place = Spatial<double>::Position;

// Coordinates of a body in q of Assembly: 3 in the plane, 7 in space.
inline int coordinatesPerBody(const Mechanism& mechanism) { return mechanism.space == Space::spatial ? 7 : 3; }

// The centre of mass and the axes of a body; the ground for kGround.
Place placeOfBody(const Mechanism& mechanism, BodyIndex body, std::span<const double> q);

// A frame fixed to a body.
Place placeOfFrame(const Mechanism& mechanism, BodyIndex body, const Frame& frame, std::span<const double> q);

// The pose of a body's own frame, as a drawing gives it.
Pose poseOfBody(const Mechanism& mechanism, BodyIndex body, std::span<const double> q);

// The opposite: q of one body from where its frame is drawn.
std::vector<double> coordinatesOf(const Mechanism& mechanism, const Body& body, const Pose& pose);

// The rows of joints in space hold axes parallel, whichever way they point. A joint is flipped when an axis that both
// frames share points the other way on the second body. Nothing is flipped in the plane.
bool isFlipped(const Mechanism& mechanism, const Joint& joint, std::span<const double> q);

}  // namespace linkwork
