#include <fmt/format.h>

#include <cmath>

#include "linkwork/read/model_file/load_kinds.hpp"
#include "linkwork/read/model_file/value_math.hpp"

namespace linkwork::model_file {

namespace {

// Which of stiffness and damping a word of the file asks for.
struct ElasticWord {
  const char* word;
  bool rotational;
  bool needs_stiffness;
  bool needs_damping;
};

constexpr ElasticWord kElasticWords[] = {
    {"spring", false, true, false},           {"damper", false, false, true},
    {"spring_damper", false, true, true},     {"rotational_spring", true, true, false},
    {"rotational_damper", true, false, true}, {"rotational_spring_damper", true, true, true},
};

// A cable or stop that is drawn at its free length acts there, by so much of it: round-off must not decide whether its
// damper does.
constexpr double kJustActs = 1e-9;

// A spring, a damper, or both.
class ElasticReader {
 public:
  ElasticReader(Reader& reader, const Node& entry, const std::string& what, Load& load)
      : reader_(reader), entry_(entry), what_(what), load_(load) {}

  bool read(const Node& ends, const ElasticWord& word) {
    load_.kind = word.rotational ? LoadKind::rotational_spring_damper : LoadKind::spring_damper;
    const std::string free_key = word.rotational ? "free_angle" : "free_length";
    std::vector<std::string> allowed{word.word};
    if (word.needs_stiffness) allowed.insert(allowed.end(), {"stiffness", free_key, "preload"});
    if (word.needs_stiffness && !word.rotational) allowed.insert(allowed.end(), {"tension_only", "compression_only"});
    allowed.emplace_back("damping");
    bool good = reader_.checkKeys(entry_, what_, allowed);
    const bool ends_good = word.rotational ? readRotationalEnds(ends) : readEnds(ends);
    good = readCoefficient("stiffness", word.needs_stiffness,
                           word.rotational ? dimension::kTorsionalStiffness : dimension::kStiffness, load_.stiffness) &&
           good;
    good = readCoefficient("damping", word.needs_damping,
                           word.rotational ? dimension::kTorsionalDamping : dimension::kDamping, load_.damping) &&
           good;
    if (const Node* node = entry_.find(free_key); node != nullptr && word.needs_stiffness) {
      const auto free = word.rotational ? reader_.constant(*node, dimension::kAngle, of(free_key))
                                        : reader_.notNegative(*node, dimension::kLength, of(free_key));
      if (free) load_.free_length = *free;
      good = good && free;
    } else if (ends_good && word.needs_stiffness) {
      load_.free_length = drawn_;
    }
    if (const Node* node = entry_.find("preload"); node != nullptr && word.needs_stiffness) {
      const auto preload =
          reader_.constant(*node, word.rotational ? dimension::kTorque : dimension::kForce, of("preload"));
      if (preload) load_.preload = *preload;
      good = good && preload;
    }
    if (word.needs_stiffness && !word.rotational) good = readSided() && good;
    if (ends_good && entry_.find(free_key) == nullptr && load_.sided != Sided::both)
      load_.free_length = times(drawn_, load_.sided == Sided::tension_only ? 1.0 - kJustActs : 1.0 + kJustActs);
    return good && ends_good;
  }

 private:
  std::string of(std::string_view key) const { return fmt::format("{} of {}", key, what_); }

  bool readSided() {
    bool good = true;
    for (const auto& [key, sided] :
         {std::pair("tension_only", Sided::tension_only), std::pair("compression_only", Sided::compression_only)}) {
      const Node* node = entry_.find(key);
      if (node == nullptr) continue;
      const auto flag = reader_.flag(*node, of(key));
      good = good && flag;
      if (!flag || !*flag) continue;
      if (load_.sided != Sided::both) {
        reader_.error(node->key_source, fmt::format("{}: tension_only and compression_only are both given.", what_),
                      "Give one of them.");
        return false;
      }
      load_.sided = sided;
    }
    return good;
  }

  bool readCoefficient(const std::string& key, bool needed, const Dimension& expected, Value& value) {
    const Node* node = needed ? reader_.required(entry_, key, what_) : entry_.find(key);
    if (node == nullptr) return !needed;
    if (!needed && key == "stiffness") return true;  // reported as an unknown key
    const auto read = reader_.constant(*node, expected, of(key));
    if (read) value = *read;
    return read.has_value();
  }

  bool readEnds(const Node& node) {
    const auto ends = reader_.twoPointEnds(node, what_);
    if (!ends) return false;
    load_.first = ends->first.body;
    load_.second = ends->second.body;
    load_.on_first = ends->first.frame->frame;
    load_.on_second = ends->second.frame->frame;
    drawn_ = reader_.drawnDistance(ends->first, ends->second);
    return true;
  }

  // The name of a revolute joint, or two bodies.
  bool readRotationalEnds(const Node& node) {
    if (node.kind == NodeKind::text) {
      const auto found = reader_.joints.find(node.text);
      if (found == reader_.joints.end()) {
        reader_.errorInside(node, 0, fmt::format("{}: joint \"{}\" is not defined.", what_, node.text),
                            reader_.suggest(node.text, namesOf(reader_.joints)));
        return false;
      }
      if (found->second.broken) return false;
      const Joint& joint = reader_.mechanism.joints[found->second.index.at()];
      if (!hasAngle(joint.kind)) {
        reader_.error(node.source,
                      fmt::format("{}: joint \"{}\" is {}: it does not turn.", what_, joint.name, wordFor(joint.kind)));
        return false;
      }
      load_.first = joint.first;
      load_.second = joint.second;
      load_.on_first = joint.on_first;
      load_.on_second = joint.on_second;
    } else if (reader_.inSpace()) {
      reader_.wrongType(node, what_, "the name of a revolute or cylindrical joint, whose axis it acts about");
      return false;
    } else if (node.kind == NodeKind::array && node.children.size() == 2) {
      const auto first = reader_.end(node.children[0], what_);
      const auto second = reader_.end(node.children[1], what_);
      if (!first || !second || first->broken || second->broken) return false;
      if (!reader_.isRigid(*first, node.children[0], what_) || !reader_.isRigid(*second, node.children[1], what_))
        return false;
      load_.first = first->body;
      load_.second = second->body;
      if (first->frame) load_.on_first = first->frame->frame;
      if (second->frame) load_.on_second = second->frame->frame;
    } else {
      reader_.wrongType(node, what_, "the name of a joint or two bodies such as [\"ground\", \"crank\"]");
      return false;
    }
    if (reader_.inSpace()) {
      drawn_ =
          drawnAngle(reader_.drawnTurn(load_.first, load_.on_first), reader_.drawnTurn(load_.second, load_.on_second));
      return true;
    }
    drawn_ = minus(plus(reader_.drawnPose(load_.second).angle, load_.on_second.angle),
                   plus(reader_.drawnPose(load_.first).angle, load_.on_first.angle));
    return true;
  }

  // The turn of the second frame's x axis against the first's, about the first's z axis.
  static double drawnAngle(const Quaternion& first, const Quaternion& second) {
    const Rotation3<double> a = matrixOf(first);
    const Direction x = matrixOf(second).x;
    return std::atan2(dot(a.y, x), dot(a.x, x));
  }

  Reader& reader_;
  const Node& entry_;
  const std::string& what_;
  Load& load_;
  Value drawn_;  // length or angle of the spring in the drawing
};

}  // namespace

bool readElastic(Reader& reader, const Node& entry, const std::string& what, Load& load) {
  for (const ElasticWord& word : kElasticWords) {
    if (const Node* ends = entry.find(word.word)) return ElasticReader(reader, entry, what, load).read(*ends, word);
  }
  return false;
}

}  // namespace linkwork::model_file
