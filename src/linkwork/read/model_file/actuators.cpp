#include <fmt/format.h>

#include "linkwork/model/drive_of.hpp"
#include "linkwork/read/model_file/load_kinds.hpp"

namespace linkwork::model_file {

namespace {

bool readEffort(Reader& reader, const Node& entry, const std::string& what, const char* key, Load& load) {
  const Node* node = reader.required(entry, key, what, fmt::format("Give {} = \"...\", a formula.", key));
  if (node == nullptr) return false;
  const bool turns = std::string_view(key) == "torque";
  const auto effort = reader.formula(*node, turns ? dimension::kTorque : dimension::kForce,
                                     fmt::format("{} of {}", key, what), Level::quantities);
  if (effort) load.moment = *effort;
  return effort.has_value();
}

bool readOnJoint(Reader& reader, const Node& entry, const Node& name, const std::string& what, Load& load) {
  const bool keys_good = reader.checkKeys(entry, what, {"actuator", "force", "torque"});
  const auto found = reader.joints.find(name.text);
  if (found == reader.joints.end()) {
    reader.errorInside(name, 0, fmt::format("{}: joint \"{}\" is not defined.", what, name.text),
                       reader.suggest(name.text, namesOf(reader.joints)));
    return false;
  }
  if (found->second.broken) return false;
  const JointIndex index = found->second.index;
  const Joint& joint = reader.mechanism.joints[index.at()];
  bool turns = hasAngle(joint.kind);
  const bool slides = hasSlide(joint.kind);
  if (!turns && !slides) {
    reader.error(name.source, fmt::format("{}: a {} joint has no motion to act along.", what, wordFor(joint.kind)));
    return false;
  }
  if (turns && slides) turns = entry.find("torque") != nullptr;
  const Node* wrong = entry.find(turns ? "force" : "torque");
  if (wrong != nullptr) {
    reader.error(wrong->key_source,
                 turns && slides ? fmt::format("{}: force and torque are both given.", what)
                                 : fmt::format("{}: joint \"{}\" is {}: it takes a {}.", what, joint.name,
                                               wordFor(joint.kind), turns ? "torque" : "force"),
                 turns && slides ? "Write two actuators." : fmt::format("Give {}.", turns ? "torque" : "force"));
    return false;
  }
  const Drive along =
      driveOf(reader.mechanism, {turns ? QuantityKind::joint_angle : QuantityKind::joint_slide, index.value()}, {});
  load.along = along.kind;
  load.first = along.first;
  load.second = along.second;
  load.on_first = along.on_first;
  load.on_second = along.on_second;
  return readEffort(reader, entry, what, turns ? "torque" : "force", load) && keys_good;
}

}  // namespace

bool readActuator(Reader& reader, const Node& entry, const std::string& what, Load& load) {
  load.kind = LoadKind::actuator;
  const Node& ends_node = *entry.find("actuator");
  if (ends_node.kind == NodeKind::text) return readOnJoint(reader, entry, ends_node, what, load);
  const bool keys_good = reader.checkKeys(entry, what, {"actuator", "force"});
  if (ends_node.kind != NodeKind::array) {
    reader.wrongType(ends_node, what, "the name of a joint or two points such as [\"ground.P\", \"crank.tip\"]");
    return false;
  }
  load.along = DriveKind::distance;
  const auto ends = reader.twoPointEnds(ends_node, what);
  const bool effort_good = readEffort(reader, entry, what, "force", load);
  if (!ends) return false;
  load.first = ends->first.body;
  load.second = ends->second.body;
  load.on_first = ends->first.frame->frame;
  load.on_second = ends->second.frame->frame;
  return effort_good && keys_good;
}

}  // namespace linkwork::model_file
