#include "linkwork/read/model_file/rolling.hpp"
#include "linkwork/read/model_file/touch_reader.hpp"

namespace linkwork::model_file {

namespace {

// { knife_edge = ["ground", "sledge"], at = "P", axis = [1, 0] }: the blade is on the second body.
class KnifeEdgeReader : private TouchReader {
 public:
  using TouchReader::TouchReader;

  std::optional<Joint> read() {
    joint_.kind = JointKind::knife_edge;
    std::vector<std::string> keys{word_.key, "at", "axis"};
    if (reader_.inSpace()) keys.emplace_back("normal");
    const bool good = reader_.checkKeys(entry_, what_, keys);
    if (!readEnds("two bodies such as [\"ground\", \"sledge\"], the one with the blade last")) return std::nullopt;
    const bool placed = readBlade();
    return readDirections() && placed && good ? std::optional(joint_) : std::nullopt;
  }

 private:
  bool readBlade() {
    if (second_->frame) {
      joint_.on_second = second_->frame->frame;
    } else {
      const auto place = readPlace();
      if (!place) return false;
      joint_.on_second = reader_.frameAt(joint_.second, *place);
    }
    const Point at = toGround(reader_.drawnPose(joint_.second), joint_.on_second.point);
    joint_.on_first = reader_.frameAt(joint_.first, {at, {}});
    return true;
  }

  bool readDirections() {
    const Node* axis = reader_.required(entry_, "axis", what_, "It is the direction of the blade, as drawn.");
    if (axis == nullptr) return false;
    if (!reader_.inSpace()) {
      const auto angle = planarDirection(*axis, 0);
      if (angle) joint_.on_second.angle = angleOnBody(joint_.second, *angle);
      return angle.has_value();
    }
    const Node* normal = reader_.required(entry_, "normal", what_, "It is that of the ice: normal = [0, 0, 1].");
    const auto along = reader_.direction(*axis, of("axis"));
    const auto up = normal == nullptr ? std::nullopt : reader_.direction(*normal, of("normal"));
    if (!along || !up) return false;
    if (areParallel(*along, *up)) {
      reader_.error(normal->source, fmt::format("{}: the blade stands upright on the ice.", what_),
                    "axis is the direction in which it may slide.");
      return false;
    }
    joint_.on_first.rotation = reader_.turnOnBody(joint_.first, frameWithZ(*up));
    joint_.on_second.rotation = reader_.turnOnBody(joint_.second, frameWithX(*along));
    return true;
  }
};

}  // namespace

std::optional<Joint> readKnifeEdge(Reader& reader, const Node& entry, const Node& word) {
  return KnifeEdgeReader(reader, entry, word).read();
}

}  // namespace linkwork::model_file
