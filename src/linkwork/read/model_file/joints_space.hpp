// Joints in space: the directions of their frames.
#pragma once

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

// The keys a joint of this kind may have in space beside the word of its kind.
std::vector<std::string> jointKeysInSpace(JointKind kind);

// Whether such a joint is about directions alone, so that nobody has to say where it is.
bool isPlacedAnywhere(JointKind kind);

// Sets the orientations of the joint's frames from axis, axes or normal, from an end that is a frame, or from the
// drawing. `first_is_frame` and `second_is_frame` tell which ends have an orientation already.
struct EndsInSpace {
  bool first_is_frame = false;
  bool second_is_frame = false;
};
bool readJointAxes(Reader& reader, const Node& entry, const std::string& what, const EndsInSpace& ends, Joint& joint);

}  // namespace linkwork::model_file
