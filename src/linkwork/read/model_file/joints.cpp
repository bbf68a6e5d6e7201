#include <fmt/format.h>

#include <cmath>

#include "linkwork/model/compliance.hpp"
#include "linkwork/read/model_file/compliance.hpp"
#include "linkwork/read/model_file/joints_space.hpp"
#include "linkwork/read/model_file/reader.hpp"
#include "linkwork/read/model_file/relations.hpp"
#include "linkwork/read/model_file/rolling.hpp"

namespace linkwork::model_file {

namespace {

struct JointWord {
  const char* word;
  JointKind kind;
};

// The canonical words first, those of space after those that the plane has too; then what other programs call them.
constexpr JointWord kWords[] = {
    {"revolute", JointKind::revolute},
    {"prismatic", JointKind::prismatic},
    {"pin_slot", JointKind::pin_slot},
    {"fixed", JointKind::fixed},
    {"distance", JointKind::distance},
    {"cylindrical", JointKind::cylindrical},
    {"spherical", JointKind::spherical},
    {"universal", JointKind::universal},
    {"planar", JointKind::planar},
    {"point_line", JointKind::point_line},
    {"point_plane", JointKind::point_plane},
    {"parallel_axes", JointKind::parallel_axes},
    {"perpendicular", JointKind::perpendicular},
    {"floating", JointKind::floating},
    {"screw", JointKind::screw},
    {"constant_velocity", JointKind::constant_velocity},
    {"hinge", JointKind::revolute},
    {"pin", JointKind::revolute},
    {"continuous", JointKind::revolute},
    {"slider", JointKind::prismatic},
    {"slide", JointKind::prismatic},
    {"translational", JointKind::prismatic},
    {"slot", JointKind::pin_slot},
    {"revolute_prismatic", JointKind::pin_slot},
    {"weld", JointKind::fixed},
    {"lock", JointKind::fixed},
    {"link", JointKind::distance},
    {"ball", JointKind::spherical},
    {"atpoint", JointKind::spherical},
    {"hooke", JointKind::universal},
    {"plane_plane", JointKind::planar},
    {"inline", JointKind::point_line},
    {"inplane", JointKind::point_plane},
    {"parallel", JointKind::parallel_axes},
    {"perpend", JointKind::perpendicular},
    {"free", JointKind::floating},
    {"convel", JointKind::constant_velocity},
};
constexpr std::size_t kPlanarWords = 5;
constexpr std::size_t kCanonicalWords = 16;

bool isOfThePlane(JointKind kind) {
  for (std::size_t i = 0; i < kPlanarWords; ++i) {
    if (kWords[i].kind == kind) return true;
  }
  return false;
}

std::vector<std::string> keysOf(JointKind kind, const std::string& word) {
  switch (kind) {
    case JointKind::revolute: return {word, "at", "cut"};
    case JointKind::prismatic: return {word, "at", "axis", "angle", "cut"};
    case JointKind::pin_slot: return {word, "at", "axis", "cut"};
    case JointKind::fixed: return {word, "at", "angle", "cut"};
    default: break;
  }
  return {word, "length", "cut"};
}

// Reads one entry of [joints].
class JointReader {
 public:
  JointReader(Reader& reader, const Node& entry)
      : reader_(reader), entry_(entry), what_(fmt::format("joint \"{}\"", entry.key)) {}

  std::optional<Joint> read() {
    joint_.name = entry_.key;
    joint_.source = entry_.key_source;
    if (!reader_.checkTable(entry_, what_, "a table such as { revolute = [\"ground\", \"crank\"] }"))
      return std::nullopt;
    const Node* ends = readKind();
    if (ends == nullptr) return std::nullopt;
    bool good = reader_.checkKeys(entry_, what_, allowedKeys(ends->key));
    good = readCut() && good;
    if (const Node* springs = entry_.find("compliance")) {
      joint_.compliance = readCompliance(reader_, *springs, what_, joint_.kind);
      good = joint_.compliance.has_value() && good;
    }
    good = (joint_.kind == JointKind::distance ? readDistance(*ends) : readEnds(*ends) && readDirection()) && good;
    return good ? std::optional(joint_) : std::nullopt;
  }

  bool isByTwoPoints() const { return by_two_points_; }

 private:
  std::vector<std::string> allowedKeys(const std::string& word) const {
    std::vector<std::string> keys{word};
    if (reader_.inSpace()) {
      for (std::string& key : jointKeysInSpace(joint_.kind)) keys.push_back(std::move(key));
      keys.emplace_back("cut");
    } else {
      keys = keysOf(joint_.kind, word);
    }
    // Of the others what is wrong is not the key.
    if (mayComply(joint_.kind) || entry_.find("compliance") != nullptr) keys.emplace_back("compliance");
    return keys;
  }

  bool readCut() {
    const Node* node = entry_.find("cut");
    if (node == nullptr) return true;
    const auto cut = reader_.flag(*node, "cut of " + what_);
    joint_.cut = cut.value_or(false);
    return cut.has_value();
  }

  const Node* readKind() {
    const Node* ends = nullptr;
    for (const JointWord& word : kWords) {
      const Node* node = entry_.find(word.word);
      if (node == nullptr) continue;
      if (ends != nullptr) {
        reader_.error(node->key_source, fmt::format("{}: a joint has one kind, but \"{}\" and \"{}\" are given.", what_,
                                                    ends->key, node->key));
        return nullptr;
      }
      ends = node;
      joint_.kind = word.kind;
    }
    const bool in_space = reader_.inSpace();
    if (ends != nullptr && !in_space && !isOfThePlane(joint_.kind)) {
      reader_.error(ends->key_source,
                    fmt::format("{}: a {} joint is for space, and this file is planar.", what_, ends->key),
                    "In the plane there are revolute, prismatic, pin_slot, fixed and distance; or write space = "
                    "\"spatial\".");
      return nullptr;
    }
    if (ends != nullptr) return ends;
    std::vector<std::string> allowed;
    for (std::size_t i = 0; i < (in_space ? kCanonicalWords : kPlanarWords); ++i) allowed.emplace_back(kWords[i].word);
    allowed.insert(allowed.end(), {"at", "axis"});
    for (const char* key : {"angle", "axes", "normal"}) {
      if (in_space != (std::string_view(key) == "angle")) allowed.emplace_back(key);
    }
    allowed.emplace_back("length");
    if (in_space) allowed.emplace_back("pitch");
    allowed.insert(allowed.end(), {"cut", "compliance"});
    // The canonical words of relations: those before the aliases.
    allowed.insert(allowed.end(), relationWords().begin(), relationWords().begin() + kCanonicalRelations);
    allowed.insert(allowed.end(), {"rolling", "knife_edge"});
    if (reader_.checkKeys(entry_, what_, allowed)) {
      reader_.error(entry_.key_source, fmt::format("{}: its kind is missing.", what_),
                    "Write, for example, revolute = [\"ground\", \"crank\"].");
    }
    return nullptr;
  }

  bool readDistance(const Node& node) {
    const auto ends = reader_.twoPointEnds(node, what_);
    std::optional<Value> length;
    const Node* length_node = entry_.find("length");
    if (length_node != nullptr) length = reader_.positive(*length_node, dimension::kLength, "length of " + what_);
    if (!ends || (length_node != nullptr && !length)) return false;
    setEnds(ends->first, ends->second);
    joint_.length = length ? *length : reader_.drawnDistance(ends->first, ends->second);
    if (joint_.length.number > 0) return true;
    reader_.error(node.source, fmt::format("{}: the two points are drawn at the same place.", what_),
                  "Give length, or use a revolute joint.");
    return false;
  }

  void setEnds(const End& first, const End& second) {
    joint_.first = first.body;
    joint_.second = second.body;
    if (first.frame) joint_.on_first = first.frame->frame;
    if (second.frame) joint_.on_second = second.frame->frame;
    first_has_angle_ = first.frame && first.frame->has_angle;
    second_has_angle_ = second.frame && second.frame->has_angle;
  }

  // Bodies and points of both ends. An end without a point sits where `at`, the other end, or the point named like the
  // joint is.
  bool readEnds(const Node& node) {
    if (node.kind != NodeKind::array || node.children.size() != 2) {
      reader_.wrongType(node, fmt::format("{} of {}", node.key, what_), "two bodies such as [\"ground\", \"crank\"]");
      return false;
    }
    auto first = reader_.end(node.children[0], what_);
    auto second = reader_.end(node.children[1], what_);
    const Node* at = entry_.find("at");
    if (at != nullptr && first && second && first->frame && second->frame) {
      reader_.error(at->key_source, fmt::format("{}: at is not needed, because both ends name their points.", what_));
      return false;
    }
    std::optional<Place> place;
    if (at != nullptr) {
      place = reader_.place(*at, "at of " + what_);
      if (!place) return false;
    }
    if (!first || !second || first->broken || second->broken) return false;
    by_two_points_ = first->frame && second->frame;
    if (!by_two_points_) {
      if (!place) place = impliedPlace(*first, *second);
      if (!place) return false;
      if (!first->frame) reader_.put(*first, *place, node.children[0], what_);
      if (!second->frame) reader_.put(*second, *place, node.children[1], what_);
    }
    setEnds(*first, *second);
    return true;
  }

  std::optional<Place> impliedPlace(const End& first, const End& second) {
    for (const End* end : {&first, &second}) {
      if (end->frame) return Place{toGround(reader_.drawnPose(end->body), end->frame->frame.point), {}};
    }
    const auto point = reader_.points.find(entry_.key);
    if (point == reader_.points.end() && reader_.inSpace() && isPlacedAnywhere(joint_.kind)) {
      const DrawnPose& pose = reader_.drawnPose(second.body.valid() ? second.body : first.body);
      return Place{{pose.x, pose.y, pose.z}, {}};
    }
    if (point == reader_.points.end()) {
      reader_.error(entry_.key_source, fmt::format("{}: where is it?", what_),
                    fmt::format("Give at = \"P\" or at = [x, y{}], or add a point \"{}\" to [points].",
                                reader_.inSpace() ? ", z" : "", entry_.key));
      return std::nullopt;
    }
    if (point->second.broken) return std::nullopt;
    return Place{point->second.at, entry_.key};
  }

  // --- directions ----------------------------------------------------------------------------------------------------

  bool readDirection() {
    if (reader_.inSpace()) {
      if (entry_.find("axes") != nullptr) by_two_points_ = true;  // their angle is checked like a gap
      return readJointAxes(reader_, entry_, what_, {first_has_angle_, second_has_angle_}, joint_);
    }
    std::optional<Value> relative;
    if (const Node* node = entry_.find("angle")) {
      relative = reader_.constant(*node, dimension::kAngle, "angle of " + what_);
      if (!relative) return false;
    }
    switch (joint_.kind) {
      case JointKind::prismatic:
      case JointKind::pin_slot: return readAxis() && applyRelative(relative);
      case JointKind::fixed: return setFixedAngle(relative);
      default: break;
    }
    return true;
  }

  // The drawn direction, in ground axes, of the x axis of an end's frame.
  Value drawnDirection(BodyIndex body, const Frame& frame) const {
    return sum(reader_.drawnPose(body).angle, frame.angle);
  }

  static Value sum(const Value& a, const Value& b) { return plus(a, b); }
  static Value difference(const Value& a, const Value& b) {
    return withoutRounding(minus(a, b), std::abs(a.number) + std::abs(b.number));
  }

  bool readAxis() {
    const Node* node = entry_.find("axis");
    const bool slot = joint_.kind == JointKind::pin_slot;
    const bool given_by_frame = slot ? second_has_angle_ : (first_has_angle_ || second_has_angle_);
    if (node != nullptr && given_by_frame) {
      reader_.error(node->key_source,
                    fmt::format("{}: axis is not needed, because a frame of its ends gives the direction.", what_));
      return false;
    }
    if (node == nullptr && !given_by_frame) {
      reader_.error(entry_.key_source, fmt::format("{}: axis is missing.", what_),
                    "Give axis = [1, 0] or axis = \"30 deg\", in the drawn pose.");
      return false;
    }
    if (slot && given_by_frame) return true;
    Value axis;
    if (node != nullptr) {
      const std::optional<Value> angle = axisAngle(*node);
      if (!angle) return false;
      axis = *angle;
    } else {
      axis = second_has_angle_ ? drawnDirection(joint_.second, joint_.on_second)
                               : drawnDirection(joint_.first, joint_.on_first);
    }
    if (!second_has_angle_) joint_.on_second.angle = difference(axis, reader_.drawnPose(joint_.second).angle);
    if (!slot && !first_has_angle_) joint_.on_first.angle = difference(axis, reader_.drawnPose(joint_.first).angle);
    return true;
  }

  std::optional<Value> axisAngle(const Node& node) {
    if (node.kind != NodeKind::array) return reader_.constant(node, dimension::kAngle, "axis of " + what_);
    const auto vector = reader_.pair(node, dimension::kNumber, "axis of " + what_);
    if (!vector) return std::nullopt;
    if ((*vector)[0].number == 0 && (*vector)[1].number == 0) {
      reader_.error(node.source, fmt::format("axis of {}: [0, 0] has no direction.", what_));
      return std::nullopt;
    }
    return direction((*vector)[0], (*vector)[1]);
  }

  // `angle` = angle of the first body minus that of the second. The frames are parallel, so
  // theta_1 + on_first.angle = theta_2 + on_second.angle; the axis stays true on the ground, else on the second body.
  bool applyRelative(const std::optional<Value>& relative) {
    if (!relative) return true;
    if (first_has_angle_ && second_has_angle_) {
      reader_.error(entry_.find("angle")->key_source,
                    fmt::format("{}: angle is not needed, because both ends are frames.", what_));
      return false;
    }
    const bool set_second = first_has_angle_ || (!second_has_angle_ && !joint_.first.valid());
    if (set_second) {
      joint_.on_second.angle = sum(joint_.on_first.angle, *relative);
    } else {
      joint_.on_first.angle = difference(joint_.on_second.angle, *relative);
    }
    return true;
  }

  bool setFixedAngle(const std::optional<Value>& relative) {
    if (relative && (first_has_angle_ || second_has_angle_)) {
      reader_.error(entry_.find("angle")->key_source,
                    fmt::format("{}: angle is not needed, because a frame of its ends gives it.", what_));
      return false;
    }
    if (relative) {
      joint_.on_second.angle = *relative;
    } else if (second_has_angle_ && !first_has_angle_) {
      joint_.on_first.angle =
          difference(drawnDirection(joint_.second, joint_.on_second), reader_.drawnPose(joint_.first).angle);
    } else if (!second_has_angle_) {
      joint_.on_second.angle =
          difference(drawnDirection(joint_.first, joint_.on_first), reader_.drawnPose(joint_.second).angle);
    }
    return true;
  }

  Reader& reader_;
  const Node& entry_;
  std::string what_;
  Joint joint_;
  bool first_has_angle_ = false;
  bool second_has_angle_ = false;
  bool by_two_points_ = false;
};

}  // namespace

void readJoints(Reader& reader, const Node& section) {
  const auto add = [&](const Node& entry, std::optional<Joint> joint) {
    const bool good_name = reader.checkName(entry, "joint");
    KnownJoint known;
    known.broken = !joint || !good_name;
    if (!known.broken) {
      known.index = JointIndex(static_cast<int>(reader.mechanism.joints.size()));
      reader.mechanism.joints.push_back(std::move(*joint));
    }
    reader.joints.emplace(entry.key, known);
    return known;
  };
  for (const Node& entry : section.children) {
    if (relationWordIn(entry) != nullptr) continue;
    if (const Node* word = rollingWordIn(entry)) {
      add(entry, readRolling(reader, entry, *word));
      continue;
    }
    JointReader joint_reader(reader, entry);
    const KnownJoint known = add(entry, joint_reader.read());
    if (!known.broken && joint_reader.isByTwoPoints()) reader.joints_by_two_points.push_back(known.index);
  }
  // Relations name the others, which may stand below them.
  for (const Node& entry : section.children) {
    if (relationWordIn(entry) != nullptr) add(entry, readRelation(reader, entry));
  }
}

}  // namespace linkwork::model_file
