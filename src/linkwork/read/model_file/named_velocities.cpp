#include <fmt/format.h>

#include "linkwork/read/model_file/relations.hpp"

namespace linkwork::model_file {

namespace {

// What already has the name; empty: nothing.
std::string_view ownerOf(const Reader& reader, const std::string& name) {
  if (name == "t") return "the time";
  if (reader.parameters.contains(name)) return "a parameter";
  if (reader.bodies.contains(name)) return "a body";
  if (reader.joints.contains(name)) return "a joint";
  for (const NamedVelocity& other : reader.mechanism.named_velocities) {
    if (other.name == name) return "a quasi-velocity of an included file";
  }
  return {};
}

}  // namespace

void readNamedVelocities(Reader& reader, const Node& section) {
  for (const Node& entry : section.children) {
    if (!reader.checkName(entry, "quasi-velocity")) continue;
    const std::string what = fmt::format("quasi-velocity \"{}\"", entry.key);
    if (const std::string_view owner = ownerOf(reader, entry.key); !owner.empty()) {
      reader.error(entry.key_source, fmt::format("{}: {} has this name.", what, owner), "Choose another name.");
      continue;
    }
    const auto form = readRateForm(reader, entry, what,
                                   {"Name rates of bodies and joints: v = \"-r*axle.rate\".",
                                    "Only what is linear in rates can be a quasi-velocity.", "a quasi-velocity"});
    if (form) reader.mechanism.named_velocities.push_back({entry.key, form->formula, form->unit, entry.key_source});
  }
}

}  // namespace linkwork::model_file
