#include <fmt/format.h>

#include <cmath>

#include "linkwork/read/model_file/load_kinds.hpp"
#include "linkwork/read/model_file/reader.hpp"

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

const std::vector<std::string> kLoadWords{"force",
                                          "couple",
                                          "spring",
                                          "damper",
                                          "spring_damper",
                                          "rotational_spring",
                                          "rotational_damper",
                                          "rotational_spring_damper",
                                          "actuator",
                                          "bushing"};

// Reads one entry of [loads].
class LoadReader {
 public:
  LoadReader(Reader& reader, const Node& entry)
      : reader_(reader), entry_(entry), what_(fmt::format("load \"{}\"", entry.key)) {}

  std::optional<Load> read() {
    load_.name = entry_.key;
    load_.source = entry_.key_source;
    if (!reader_.checkTable(entry_, what_, "a table such as { force = [0, -10], on = \"slider\" }"))
      return std::nullopt;
    const Node* kind = readKind();
    if (kind == nullptr) return std::nullopt;
    bool good = false;
    if (kind->key == "force") {
      good = readForce(*kind);
    } else if (kind->key == "couple") {
      good = readCouple(*kind);
    } else if (kind->key == "actuator") {
      good = readActuator(reader_, entry_, what_, load_);
    } else if (kind->key == "bushing") {
      good = readBushing(reader_, entry_, what_, load_);
    } else {
      for (const ElasticWord& word : kElasticWords) {
        if (kind->key == word.word) good = readElastic(*kind, word);
      }
    }
    return good ? std::optional(load_) : std::nullopt;
  }

 private:
  std::string of(std::string_view key) const { return fmt::format("{} of {}", key, what_); }

  const Node* readKind() {
    const Node* kind = nullptr;
    for (const std::string& word : kLoadWords) {
      const Node* node = entry_.find(word);
      if (node == nullptr) continue;
      if (word == "force" && entry_.find("actuator") != nullptr) continue;  // there it is the actuator's
      if (kind != nullptr) {
        reader_.error(node->key_source, fmt::format("{}: a load has one kind, but \"{}\" and \"{}\" are given.", what_,
                                                    kind->key, node->key));
        return nullptr;
      }
      kind = node;
    }
    if (kind != nullptr) return kind;
    std::vector<std::string> allowed = kLoadWords;
    allowed.insert(allowed.end(), {"on", "at", "axes", "against", "stiffness", "damping", "free_length", "free_angle",
                                   "preload", "tension_only", "compression_only", "torque"});
    if (reader_.checkKeys(entry_, what_, allowed)) {
      reader_.error(entry_.key_source, fmt::format("{}: its kind is missing.", what_),
                    "Write, for example, force = [0, -10] or spring = [\"ground.P\", \"slider.Q\"].");
    }
    return nullptr;
  }

  // --- force and couple ----------------------------------------------------------------------------------------------

  bool readForce(const Node& force) {
    load_.kind = LoadKind::force;
    bool good = reader_.checkKeys(entry_, what_, {"force", "on", "at", "axes"});
    good = readComponents(force, dimension::kForce) && good;
    if (const Node* axes = entry_.find("axes")) {
      const auto word = reader_.choice(*axes, of("axes"), {"ground", "body"});
      if (word) load_.axes = *word == 0 ? Axes::ground : Axes::body;
      good = good && word;
    }
    return readPointOfForce() && good;
  }

  // Formulas of a force, or of a couple in space.
  bool readComponents(const Node& list, const Dimension& expected) {
    const std::size_t components = reader_.inSpace() ? 3 : 2;
    if (list.kind != NodeKind::array || list.children.size() != components) {
      reader_.wrongType(list, of(list.key), reader_.inSpace() ? "a list of three, [x, y, z]" : "a list of two, [x, y]");
      return false;
    }
    bool good = true;
    for (std::size_t i = 0; i < components; ++i) {
      const auto component = reader_.formula(list.children[i], expected,
                                             of(fmt::format("{} of {}", "xyz"[i], list.key)), Level::quantities);
      if (component) load_.force[i] = *component;
      good = good && component;
    }
    return good;
  }

  // `on` names the body (or its point), `at` the point; without a point the force acts at the centre of mass.
  bool readPointOfForce() {
    const Node* on = entry_.find("on");
    const Node* at = entry_.find("at");
    const bool at_names_body = at != nullptr && at->kind == NodeKind::text && at->text.find('.') != std::string::npos;
    std::optional<End> end;
    if (on != nullptr) {
      end = reader_.end(*on, of("on"));
      if (!end || end->broken) return false;
    } else if (!at_names_body) {
      reader_.error(entry_.key_source, fmt::format("{}: on is missing.", what_),
                    "Give on = \"slider\" or at = \"slider.tip\".");
      return false;
    }
    if (at_names_body) {
      const auto point = reader_.pointEnd(*at, of("at"));
      if (!point) return false;
      if (end && end->body != point->body) {
        reader_.error(at->source,
                      fmt::format("{}: at is a point of \"{}\", but on is \"{}\".", what_,
                                  reader_.mechanism.bodyName(point->body), reader_.mechanism.bodyName(end->body)));
        return false;
      }
      end = point;
    } else if (at != nullptr) {
      const auto place = reader_.place(*at, of("at"));
      if (!place) return false;
      end->frame = KnownFrame{reader_.frameAt(end->body, *place), false};
    }
    load_.second = end->body;
    if (!end->body.valid()) return true;  // reported by validate: a force on the ground does nothing
    load_.on_second.point = end->frame ? end->frame->frame.point : reader_.mechanism.body(end->body).com;
    return true;
  }

  bool readCouple(const Node& couple) {
    load_.kind = LoadKind::couple;
    std::vector<std::string> allowed{"couple", "on", "against"};
    if (reader_.inSpace()) allowed.emplace_back("axis");
    bool good = reader_.checkKeys(entry_, what_, allowed);
    load_.by_components = reader_.inSpace() && couple.kind == NodeKind::array;
    const bool moment = load_.by_components ? readComponents(couple, dimension::kTorque) : readMoment(couple);
    const Node* on = reader_.required(entry_, "on", what_, "Give on = \"crank\".");
    std::optional<BodyIndex> second;
    if (on != nullptr) second = reader_.bodyNamed(*on, of("on"));
    if (second) load_.second = *second;
    if (const Node* against = entry_.find("against")) {
      const auto first = reader_.bodyNamed(*against, of("against"));
      if (first) load_.first = *first;
      good = good && first;
    }
    if (load_.by_components) {
      for (const char* key : {"against", "axis"}) {
        const Node* node = entry_.find(key);
        if (node == nullptr) continue;
        reader_.error(node->key_source,
                      fmt::format("{}: {} does not go with a couple given by components.", what_, key),
                      "Give its size about an axis instead.");
        good = false;
      }
    } else if (reader_.inSpace()) {
      good = readAxisOfCouple() && good;
    }
    return good && moment && second;
  }

  bool readMoment(const Node& couple) {
    const auto moment = reader_.formula(couple, dimension::kTorque, of("couple"), Level::quantities);
    if (moment) load_.moment = *moment;
    return moment.has_value();
  }

  // A direction of the drawing that is then fixed to the body `on`.
  bool readAxisOfCouple() {
    const Node* node = reader_.required(entry_, "axis", what_, "Give axis = [0, 0, 1], in the drawn pose.");
    if (node == nullptr) return false;
    const auto axis = reader_.direction(*node, of("axis"));
    if (axis) load_.on_second.rotation = reader_.turnOnBody(load_.second, frameWithZ(*axis));
    return axis.has_value();
  }

  // --- springs and dampers -------------------------------------------------------------------------------------------

  bool readElastic(const Node& ends, const ElasticWord& word) {
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
    return good && ends_good;
  }

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
  std::string what_;
  Load load_;
  Value drawn_;  // length or angle of the spring in the drawing
};

}  // namespace

void readLoads(Reader& reader, const Node& section) {
  for (const Node& entry : section.children) {
    const bool good_name = reader.checkName(entry, "load");
    std::optional<Load> load = LoadReader(reader, entry).read();
    if (load && good_name) reader.mechanism.loads.push_back(std::move(*load));
  }
}

}  // namespace linkwork::model_file
