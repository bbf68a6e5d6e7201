#include <fmt/format.h>

#include "linkwork/read/model_file/distributed_loads.hpp"
#include "linkwork/read/model_file/load_kinds.hpp"
#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

namespace {

// The word that says what kind of load an entry of [loads] is; null after a message.
const LoadWord* kindOf(Reader& reader, const Node& entry, const std::string& what) {
  const LoadWord* kind = nullptr;
  std::vector<std::string> allowed;
  for (const LoadWord& word : kLoadWords) {
    allowed.emplace_back(word.word);
    const Node* node = entry.find(word.word);
    if (node == nullptr) continue;
    if (node->key == "force" && entry.find("actuator") != nullptr) continue;  // there it is the actuator's
    if (kind != nullptr) {
      reader.error(node->key_source, fmt::format("{}: a load has one kind, but \"{}\" and \"{}\" are given.", what,
                                                 kind->word, node->key));
      return nullptr;
    }
    kind = &word;
  }
  if (kind != nullptr) return kind;
  allowed.insert(allowed.end(), {"force_per_length", "on", "at", "axes", "against", "stiffness", "damping",
                                 "free_length", "free_angle", "preload", "tension_only", "compression_only", "torque"});
  if (reader.checkKeys(entry, what, allowed)) {
    reader.error(entry.key_source, fmt::format("{}: its kind is missing.", what),
                 "Write, for example, force = [0, -10] or spring = [\"ground.P\", \"slider.Q\"].");
  }
  return nullptr;
}

std::optional<Load> readLoad(Reader& reader, const Node& entry) {
  const std::string what = fmt::format("load \"{}\"", entry.key);
  Load load;
  load.name = entry.key;
  load.source = entry.key_source;
  if (!reader.checkTable(entry, what, "a table such as { force = [0, -10], on = \"slider\" }")) return std::nullopt;
  const LoadWord* kind = kindOf(reader, entry, what);
  if (kind == nullptr || !kind->read(reader, entry, what, load)) return std::nullopt;
  return load;
}

}  // namespace

void readLoads(Reader& reader, const Node& section) {
  for (const Node& entry : section.children) {
    const bool good_name = reader.checkName(entry, "load");
    if (good_name && entry.kind == NodeKind::table && entry.find("force_per_length") != nullptr) {
      readForcePerLength(reader, entry, fmt::format("load \"{}\"", entry.key));
      continue;
    }
    std::optional<Load> load = readLoad(reader, entry);
    if (load && good_name) reader.mechanism.loads.push_back(std::move(*load));
  }
}

}  // namespace linkwork::model_file
