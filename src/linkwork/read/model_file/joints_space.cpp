#include "linkwork/read/model_file/joints_space.hpp"

#include <fmt/format.h>

#include <cmath>

namespace linkwork::model_file {

namespace {

// How the directions of a joint are written, and which axis of its frames the first of them is.
enum class Written { nothing, axis_z, axis_x, axis_and_normal, normal, one_or_two_axes, two_axes };

Written writtenFor(JointKind kind) {
  switch (kind) {
    case JointKind::revolute:
    case JointKind::cylindrical:
    case JointKind::screw: return Written::axis_z;
    case JointKind::prismatic:
    case JointKind::point_line: return Written::axis_x;
    case JointKind::pin_slot: return Written::axis_and_normal;
    case JointKind::planar:
    case JointKind::point_plane: return Written::normal;
    case JointKind::parallel_axes:
    case JointKind::constant_velocity: return Written::one_or_two_axes;
    case JointKind::universal:
    case JointKind::perpendicular: return Written::two_axes;
    default: break;
  }
  return Written::nothing;
}

// Of a constant-velocity joint, rad: short of folding back.
constexpr double kSharpestBend = 3.1;

// The line or plane of these belongs to the second end; the first is a mere point.
bool needsSecondFrame(JointKind kind) { return kind == JointKind::point_line || kind == JointKind::point_plane; }

class AxesReader {
 public:
  AxesReader(Reader& reader, const Node& entry, const std::string& what, const EndsInSpace& ends, Joint& joint)
      : reader_(reader), entry_(entry), what_(what), ends_(ends), joint_(joint), written_(writtenFor(joint.kind)) {}

  bool read() { return readAxes() && (joint_.kind != JointKind::screw || readPitch()) && readAngles(); }

 private:
  bool readAxes() {
    const bool by_frame =
        needsSecondFrame(joint_.kind) ? ends_.second_is_frame : ends_.first_is_frame || ends_.second_is_frame;
    if (!by_frame) return readWritten();
    for (const char* key : {"axis", "axes", "normal"}) {
      const Node* node = entry_.find(key);
      if (node == nullptr) continue;
      reader_.error(node->key_source,
                    fmt::format("{}: {} is not needed, because a frame of its ends gives the direction.", what_, key));
      return false;
    }
    if (written_ == Written::two_axes && !(ends_.first_is_frame && ends_.second_is_frame)) {
      reader_.error(entry_.key_source,
                    fmt::format("{}: a {} joint needs a frame at both ends.", what_, wordFor(joint_.kind)),
                    "Or name bodies or points and give axes.");
      return false;
    }
    // The other end gets the frame that the drawing shows.
    if (!ends_.first_is_frame) set(joint_.first, joint_.on_first, reader_.drawnTurn(joint_.second, joint_.on_second));
    if (!ends_.second_is_frame) set(joint_.second, joint_.on_second, reader_.drawnTurn(joint_.first, joint_.on_first));
    return true;
  }

  // Way along the axis for a turn; positive for a right-handed screw.
  bool readPitch() {
    const Node* node = reader_.required(entry_, "pitch", what_, "It is the way for a whole turn: pitch = \"5 mm\".");
    const auto pitch =
        node == nullptr ? std::nullopt : reader_.constant(*node, dimension::kLength, "pitch of " + what_);
    if (!pitch) return false;
    if (pitch->number == 0.0) {
      reader_.error(node->source, fmt::format("pitch of {} must not be zero.", what_), "Use a revolute joint.");
      return false;
    }
    joint_.pitch = *pitch;
    return true;
  }

  // The axes about which the second frame turns, one after the other: what its angles are called after.
  bool readAngles() {
    const Node* node = entry_.find("angles");
    if (node == nullptr) return true;
    const auto word = reader_.word(*node, "angles of " + what_);
    if (!word) return false;
    const bool axes = word->size() == 3 && word->find_first_not_of("xyz") == std::string::npos;
    if (!axes || (*word)[0] == (*word)[1] || (*word)[1] == (*word)[2]) {
      reader_.error(node->source, fmt::format("angles of {}: \"{}\" are not three axes.", what_, *word),
                    "Give x, y and z in the order of the turns, such as \"zyx\" or \"zxz\"; no axis twice in a row.");
      return false;
    }
    joint_.angles = *word;
    // Of the axes that the bodies have, unless a frame says otherwise.
    if (!ends_.first_is_frame) joint_.on_first.rotation = kNoTurn;
    if (!ends_.second_is_frame) joint_.on_second.rotation = kNoTurn;
    return true;
  }

  void set(BodyIndex body, Frame& frame, const Quaternion& in_ground) {
    frame.rotation = reader_.turnOnBody(body, in_ground);
  }
  bool setBoth(const Quaternion& in_ground) {
    set(joint_.first, joint_.on_first, in_ground);
    set(joint_.second, joint_.on_second, in_ground);
    return true;
  }

  const Node* needed(const char* key, const char* example) {
    const Node* node = entry_.find(key);
    if (node == nullptr)
      reader_.error(entry_.key_source, fmt::format("{}: {} is missing.", what_, key),
                    fmt::format("Give {} = {}, in the drawn pose, or a frame at an end.", key, example));
    return node;
  }
  std::optional<Direction> neededDirection(const char* key, const char* example) {
    const Node* node = needed(key, example);
    return node == nullptr ? std::nullopt : reader_.direction(*node, fmt::format("{} of {}", key, what_));
  }

  bool readWritten() {
    switch (written_) {
      case Written::nothing:
        // As the second body is drawn.
        return setBoth(reader_.drawnTurn(joint_.second, Frame{}));
      case Written::axis_z:
      case Written::axis_x: {
        const auto axis = neededDirection("axis", written_ == Written::axis_x ? "[1, 0, 0]" : "[0, 0, 1]");
        return axis && setBoth(written_ == Written::axis_x ? frameWithX(*axis) : frameWithZ(*axis));
      }
      case Written::normal: {
        const auto normal = neededDirection("normal", "[0, 0, 1]");
        return normal && setBoth(frameWithZ(*normal));
      }
      case Written::axis_and_normal: return readSlot();
      case Written::one_or_two_axes:
        if (entry_.find("axes") == nullptr) {
          const auto axis = neededDirection("axis", "[0, 0, 1]");
          return axis && setBoth(frameWithZ(*axis));
        }
        if (const Node* axis = entry_.find("axis")) {
          reader_.error(axis->key_source, fmt::format("{}: axis and axes are both given.", what_), "Give one of them.");
          return false;
        }
        return readTwoAxes();
      case Written::two_axes: return readTwoAxes();
    }
    return false;
  }

  // x along the slot, z along the pin.
  bool readSlot() {
    const auto axis = neededDirection("axis", "[1, 0, 0]");
    const auto normal = neededDirection("normal", "[0, 0, 1]");
    if (!axis || !normal) return false;
    if (std::abs(dot(*axis, *normal)) > 1e-6) {
      reader_.error(entry_.find("normal")->source,
                    fmt::format("{}: the pin (normal) is not at right angles to the slot (axis).", what_));
      return false;
    }
    return setBoth(frameWithXz(*axis, *normal));
  }

  bool readTwoAxes() {
    const Node* node = needed("axes", "[[1, 0, 0], [0, 1, 0]]");
    if (node == nullptr) return false;
    const std::string of = "axes of " + what_;
    if (node->kind != NodeKind::array || node->children.size() != 2) {
      reader_.wrongType(*node, of, "two directions such as [[1, 0, 0], [0, 1, 0]]");
      return false;
    }
    const auto first = reader_.direction(node->children[0], of);
    const auto second = reader_.direction(node->children[1], of);
    if (!first || !second) return false;
    if (joint_.kind == JointKind::parallel_axes) {
      set(joint_.first, joint_.on_first, frameWithZ(*first));
      set(joint_.second, joint_.on_second, frameWithZ(*second));
      return true;
    }
    if (joint_.kind == JointKind::constant_velocity) {
      // The second frame is the first one bent, about an axis across both shafts.
      const Direction across = cross(*first, *second);
      const double bend = std::atan2(lengthOf(across), dot(*first, *second));
      if (bend > kSharpestBend) {
        reader_.error(node->source, fmt::format("{}: its two shafts are folded back.", what_),
                      "Give both in the sense in which the motion goes through.");
        return false;
      }
      const Quaternion along = frameWithZ(*first);
      set(joint_.first, joint_.on_first, along);
      set(joint_.second, joint_.on_second,
          lengthOf(across) > 0.0 ? product(aboutAxis(unit(across), bend), along) : along);
      return true;
    }
    if (areParallel(*first, *second)) {
      reader_.error(node->source, fmt::format("{}: its two axes are parallel.", what_),
                    "They are at right angles to each other.");
      return false;
    }
    if (joint_.kind == JointKind::universal) {
      set(joint_.first, joint_.on_first, frameWithXy(*first, *second));
      set(joint_.second, joint_.on_second, frameWithYx(*second, *first));
    } else {
      set(joint_.first, joint_.on_first, frameWithZ(*first));
      set(joint_.second, joint_.on_second, frameWithZ(*second));
    }
    return true;
  }

  Reader& reader_;
  const Node& entry_;
  const std::string& what_;
  EndsInSpace ends_;
  Joint& joint_;
  Written written_;
};

}  // namespace

std::vector<std::string> jointKeysInSpace(JointKind kind) {
  if (kind == JointKind::distance) return {"length"};
  if (kind == JointKind::screw) return {"at", "axis", "pitch"};
  if (kind == JointKind::floating || kind == JointKind::spherical) return {"at", "angles"};
  switch (writtenFor(kind)) {
    case Written::nothing: break;
    case Written::axis_z:
    case Written::axis_x: return {"at", "axis"};
    case Written::axis_and_normal: return {"at", "axis", "normal"};
    case Written::normal: return {"at", "normal"};
    case Written::one_or_two_axes: return {"at", "axis", "axes"};
    case Written::two_axes: return {"at", "axes"};
  }
  return {"at"};
}

bool isPlacedAnywhere(JointKind kind) {
  return kind == JointKind::parallel_axes || kind == JointKind::perpendicular || kind == JointKind::floating;
}

bool readJointAxes(Reader& reader, const Node& entry, const std::string& what, const EndsInSpace& ends, Joint& joint) {
  return AxesReader(reader, entry, what, ends, joint).read();
}

}  // namespace linkwork::model_file
