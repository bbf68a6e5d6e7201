#include <fmt/format.h>
#include <fmt/ranges.h>

#include "linkwork/model/drive_of.hpp"
#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

namespace {

const std::vector<std::string> kBodyCoordinates{"x", "y", "angle"};
const std::vector<std::string> kPointCoordinates{"x", "y"};
const std::vector<std::string> kSpaceCoordinates{"x", "y", "z"};

// Reads one entry of [drives].
class DriveReader {
 public:
  DriveReader(Reader& reader, const Node& entry)
      : reader_(reader), entry_(entry), what_(fmt::format("drive \"{}\"", entry.key)) {}

  std::optional<Drive> read() {
    drive_.name = entry_.key;
    drive_.source = entry_.key_source;
    if (!reader_.checkTable(entry_, what_, "a table such as { joint = \"O\", angle = \"2*t\" }")) return std::nullopt;
    bool good = false;
    if (entry_.find("joint") != nullptr) {
      good = readJoint();
    } else if (entry_.find("distance") != nullptr) {
      good = readDistance();
    } else if (entry_.find("body") != nullptr) {
      good = readCoordinate("body", reader_.inSpace() ? kSpaceCoordinates : kBodyCoordinates);
    } else if (entry_.find("point") != nullptr) {
      good = readCoordinate("point", reader_.inSpace() ? kSpaceCoordinates : kPointCoordinates);
    } else if (reader_.checkKeys(entry_, what_, allKeys())) {
      reader_.error(
          entry_.key_source, fmt::format("{}: what does it drive?", what_),
          "Give joint = \"O\", body = \"slider\", point = \"crank.tip\" or distance = [\"ground.P\", \"crank.tip\"].");
    }
    return good ? std::optional(drive_) : std::nullopt;
  }

 private:
  std::vector<std::string> allKeys() const {
    std::vector<std::string> keys{"joint", "distance", "body", "point", "angle", "slide", "length", "x", "y"};
    if (reader_.inSpace()) keys.emplace_back("z");
    return keys;
  }

  bool readMotion(const Node& node, const Dimension& expected) {
    const auto motion = reader_.formula(node, expected, fmt::format("{} of {}", node.key, what_), Level::time);
    if (motion) drive_.motion = *motion;
    return motion.has_value();
  }

  const Joint* findJoint(const Node& node) {
    const auto name = reader_.word(node, "joint of " + what_);
    if (!name) return nullptr;
    const auto found = reader_.joints.find(*name);
    if (found == reader_.joints.end()) {
      reader_.errorInside(node, 0, fmt::format("{}: joint \"{}\" is not defined.", what_, *name),
                          reader_.suggest(*name, namesOf(reader_.joints)));
      return nullptr;
    }
    return found->second.broken ? nullptr : &reader_.mechanism.joints[found->second.index.at()];
  }

  bool readJoint() {
    bool good = reader_.checkKeys(entry_, what_, {"joint", "angle", "slide"});
    const Joint* joint = findJoint(*entry_.find("joint"));
    const Node* angle = entry_.find("angle");
    const Node* slide = entry_.find("slide");
    if (joint == nullptr) return false;
    bool turns = hasAngle(joint->kind);
    const bool slides = hasSlide(joint->kind);
    if (turns && slides) {  // each is a drive of its own
      if (angle != nullptr && slide != nullptr) {
        reader_.error(slide->key_source, fmt::format("{}: angle and slide are both given.", what_),
                      "Write two drives.");
        return false;
      }
      turns = slide == nullptr;
    }
    if (!turns && !slides) {
      reader_.error(entry_.key_source,
                    fmt::format("{}: a {} joint leaves nothing to drive.", what_, wordFor(joint->kind)));
      return false;
    }
    const Node* wrong = turns ? slide : angle;
    if (wrong != nullptr && turns != slides) {
      reader_.error(
          wrong->key_source,
          fmt::format("{}: joint \"{}\" is {}: it has no {}.", what_, joint->name, wordFor(joint->kind), wrong->key),
          fmt::format("Give {}.", turns ? "angle" : "slide"));
      return false;
    }
    const Node* motion = reader_.required(entry_, turns ? "angle" : "slide", what_);
    if (motion == nullptr) return false;
    good = readMotion(*motion, turns ? dimension::kAngle : dimension::kLength) && good;
    const int index = static_cast<int>(joint - reader_.mechanism.joints.data());
    prescribe({turns ? QuantityKind::joint_angle : QuantityKind::joint_slide, index});
    return good;
  }

  // Fills everything but the name, the place and the motion, which is kept.
  void prescribe(const Quantity& quantity) {
    Drive drive = driveOf(reader_.mechanism, quantity, drive_.motion);
    drive.name = drive_.name;
    drive.source = drive_.source;
    drive_ = std::move(drive);
  }

  bool readDistance() {
    bool good = reader_.checkKeys(entry_, what_, {"distance", "length"});
    const auto ends = reader_.twoPointEnds(*entry_.find("distance"), what_);
    const Node* length = reader_.required(entry_, "length", what_);
    if (length != nullptr) good = readMotion(*length, dimension::kLength) && good;
    if (!ends || length == nullptr) return false;
    drive_.kind = DriveKind::distance;
    drive_.first = ends->first.body;
    drive_.second = ends->second.body;
    drive_.on_first = ends->first.frame->frame;
    drive_.on_second = ends->second.frame->frame;
    return good;
  }

  bool readCoordinate(const std::string& owner, const std::vector<std::string>& coordinates) {
    std::vector<std::string> allowed{owner};
    allowed.insert(allowed.end(), coordinates.begin(), coordinates.end());
    bool good = reader_.checkKeys(entry_, what_, allowed);
    const Node& owner_node = *entry_.find(owner);
    std::optional<End> end;
    if (owner == "point") {
      end = reader_.pointEnd(owner_node, what_);
    } else if (const auto body = reader_.bodyNamed(owner_node, what_)) {
      end = End{*body, KnownFrame{}, false};
    }
    if (end && !end->body.valid()) {
      reader_.error(owner_node.source, fmt::format("{}: the ground cannot be driven.", what_));
      good = false;
    }
    const Node* motion = nullptr;
    for (const std::string& coordinate : coordinates) {
      const Node* node = entry_.find(coordinate);
      if (node == nullptr) continue;
      if (motion != nullptr) {
        reader_.error(node->key_source,
                      fmt::format("{}: a drive has one coordinate, but \"{}\" and \"{}\" are given.", what_,
                                  motion->key, node->key),
                      "Write two drives.");
        return false;
      }
      motion = node;
    }
    if (motion == nullptr) {
      if (good)
        reader_.error(entry_.key_source, fmt::format("{}: the coordinate is missing.", what_),
                      fmt::format("Give one of {}.", fmt::join(coordinates, ", ")));
      return false;
    }
    const bool turns = motion->key == "angle";
    good = readMotion(*motion, turns ? dimension::kAngle : dimension::kLength) && good;
    if (!end || !end->body.valid()) return false;
    const QuantityKind kind = turns                ? QuantityKind::body_angle
                              : motion->key == "x" ? QuantityKind::body_x
                              : motion->key == "y" ? QuantityKind::body_y
                                                   : QuantityKind::body_z;
    prescribe({kind, end->body.value()});
    drive_.on_second.point = end->frame->frame.point;
    return good;
  }

  Reader& reader_;
  const Node& entry_;
  std::string what_;
  Drive drive_;
};

}  // namespace

void readDrives(Reader& reader, const Node& section) {
  for (const Node& entry : section.children) {
    const bool good_name = reader.checkName(entry, "drive");
    std::optional<Drive> drive = DriveReader(reader, entry).read();
    if (drive && good_name) reader.mechanism.drives.push_back(std::move(*drive));
  }
}

}  // namespace linkwork::model_file
