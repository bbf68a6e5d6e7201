#include "linkwork/read/model_file/compliance.hpp"

#include <fmt/format.h>

#include "linkwork/model/compliance.hpp"

namespace linkwork::model_file {

namespace {

class ComplianceReader {
 public:
  ComplianceReader(Reader& reader, const Node& node, const std::string& joint, JointKind kind)
      : reader_(reader),
        node_(node),
        what_("compliance of " + joint),
        kind_(kind),
        held_(heldDirections(kind, reader.mechanism.space)) {}

  std::optional<Compliance> read() {
    if (!mayComply(kind_)) {
      reader_.error(node_.key_source, fmt::format("{}: a {} joint cannot be made of springs.", what_, wordFor(kind_)),
                    reader_.inSpace() ? "Spherical, revolute, prismatic, cylindrical, universal, fixed and planar can; "
                                        "otherwise take springs or a bushing among the loads."
                                      : "Revolute, prismatic and fixed can; otherwise take springs or a bushing among "
                                        "the loads.");
      return std::nullopt;
    }
    if (!reader_.checkTable(node_, what_, "a table such as { stiffness = \"1e6 N/m\" }")) return std::nullopt;
    std::vector<std::string> keys{"stiffness", "damping"};
    if (held_.holdsTurns()) keys.insert(keys.end(), {"rotational_stiffness", "rotational_damping", "law"});
    keys.emplace_back("start");
    out_.source = node_.key_source;
    bool good = noTurns() && reader_.checkKeys(node_, what_, keys);
    good = springs("stiffness", dimension::kStiffness, held_.slides, true, out_.stiffness) && good;
    good = springs("damping", dimension::kDamping, held_.slides, false, out_.damping) && good;
    if (held_.holdsTurns()) {
      good = springs("rotational_stiffness", dimension::kTorsionalStiffness, held_.turns, true,
                     out_.rotational_stiffness) &&
             good;
      good = springs("rotational_damping", dimension::kTorsionalDamping, held_.turns, false, out_.rotational_damping) &&
             good;
    }
    good = readWords() && good;
    if (!good) return std::nullopt;
    const ComplianceProblem problem = complianceProblem(kind_, reader_.mechanism.space, out_);
    if (problem.what.empty()) return out_;
    reader_.error(placeOf(problem), fmt::format("{}: {}", what_, problem.what), problem.hint);
    return std::nullopt;
  }

 private:
  // A joint that leaves all turns free has nothing to give a rotational stiffness to.
  bool noTurns() {
    if (held_.holdsTurns()) return true;
    for (const char* key : {"rotational_stiffness", "rotational_damping", "law"}) {
      const Node* given = node_.find(key);
      if (given == nullptr) continue;
      reader_.error(given->key_source, fmt::format("{}: a {} joint leaves every turn free.", what_, wordFor(kind_)),
                    "Take a rotational_spring or a rotational_damper among the loads for a turn that is free.");
      return false;
    }
    return true;
  }

  // The entry that the sentence is about.
  const Source& placeOf(const ComplianceProblem& problem) const {
    const Node* found = nullptr;
    for (const char* key : {"damping", "stiffness", "rotational_damping", "rotational_stiffness"}) {
      const Node* given = node_.find(key);
      if (given != nullptr && problem.what.find(key) != std::string::npos) found = given;
    }
    return found == nullptr ? node_.key_source : found->source;
  }

  // One number for all directions that the joint holds, or one for each axis, 0 where it is free.
  bool springs(const char* key, const Dimension& dimension, const std::array<bool, 3>& held, bool needed,
               std::array<Value, 3>& out) {
    const std::string of = fmt::format("{} of {}", key, what_);
    const bool turns = std::string_view(key).starts_with("rotational");
    const Node* given =
        needed ? reader_.required(node_, key, what_,
                                  turns ? "It is the stiffness against turns that the joint holds: "
                                          "rotational_stiffness = \"1e3 N*m/rad\"."
                                        : "It is the stiffness of the springs in place of the joint: stiffness = "
                                          "\"1e6 N/m\".")
               : node_.find(key);
    if (given == nullptr) return !needed;
    if (given->kind != NodeKind::array) {
      const auto one = reader_.constant(*given, dimension, of);
      if (!one) return false;
      for (std::size_t k = 0; k < 3; ++k) out[k] = held[k] ? *one : Value(0.0);
      return true;
    }
    const std::size_t count = reader_.inSpace() ? 3 : turns ? 1 : 2;
    if (given->children.size() != count || (!reader_.inSpace() && turns)) {
      reader_.wrongType(*given, of,
                        reader_.inSpace() ? "one number or three, along the axes of the joint's frame on its first body"
                        : turns           ? "one number"
                                          : "one number or two, along the axes of the joint's frame on its first body");
      return false;
    }
    for (std::size_t k = 0; k < count; ++k) {
      const auto entry = reader_.constant(given->children[k], dimension, of);
      if (!entry) return false;
      out[k] = *entry;
    }
    return true;
  }

  bool readWords() {
    bool good = true;
    if (const Node* law = node_.find("law"); law != nullptr && held_.holdsTurns()) {
      const auto chosen = reader_.choice(*law, "law of " + what_, {"chord", "angle", "sin2"});
      if (chosen) out_.law = static_cast<TurnLaw>(*chosen);
      good = chosen.has_value();
    }
    if (const Node* start = node_.find("start")) {
      const auto chosen = reader_.choice(*start, "start of " + what_, {"deflected", "undeformed"});
      if (chosen) out_.deflected = *chosen == 0;
      good = chosen.has_value() && good;
    }
    return good;
  }

  Reader& reader_;
  const Node& node_;
  std::string what_;
  JointKind kind_;
  HeldDirections held_;
  Compliance out_;
};

}  // namespace

std::optional<Compliance> readCompliance(Reader& reader, const Node& node, const std::string& joint, JointKind kind) {
  return ComplianceReader(reader, node, joint, kind).read();
}

}  // namespace linkwork::model_file
