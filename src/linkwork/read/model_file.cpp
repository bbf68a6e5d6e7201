#include "linkwork/read/model_file.hpp"

#include <fmt/format.h>

#include "linkwork/read/document.hpp"
#include "linkwork/read/model_file/include.hpp"
#include "linkwork/read/model_file/reader.hpp"
#include "linkwork/read/model_file/repeat.hpp"
#include "linkwork/read/model_file/settings.hpp"
#include "linkwork/read/parsed_model.hpp"

namespace linkwork {

namespace model_file {
namespace {

constexpr int kFormatVersion = 1;

struct Section {
  const char* name;
  void (*read)(Reader&, const Node&);
};

// In the order of reading: each may refer to what those above it define.
constexpr Section kSections[] = {
    {"parameters", readParameters},
    {"points", readPoints},
    {"include", readIncludes},
    {"tables", readTables},
    {"bodies", readBodies},
    {"joints", readJoints},
    {"quasivelocities", readNamedVelocities},
    {"inputs", readInputs},
    {"drives", readDrives},
    {"loads", readLoads},
    {"initial", readInitial},
    {"outputs", readOutputs},
    {"events", readEvents},
    {"traces", readTraces},
    {"images", readImages},
    {"steady", readSteady},
    {"compliance", readComplianceDefaults},
    {"simulate", readSimulate},
};
constexpr std::size_t kInclude = 2;

std::vector<std::string> topKeys() {
  std::vector<std::string> keys{"linkwork", "title", "description", "space", "gravity", "check_horizon", "repeat"};
  for (const Section& section : kSections) keys.emplace_back(section.name);
  return keys;
}

// The sections whose entries may be repeated.
std::vector<std::string> repeatedSections() {
  std::vector<std::string> names;
  for (const Section& section : kSections) names.emplace_back(section.name);
  names.resize(names.size() - 3);  // steady, compliance, simulate
  return names;
}

// False if the rest of the file cannot be understood by this version.
bool checkVersion(Reader& reader, const Node& root) {
  const Node* version =
      reader.required(root, "linkwork", "the file", "Start it with linkwork = 1, the version of the format.");
  if (version == nullptr) return true;
  if (version->kind != NodeKind::integer) {
    reader.wrongType(*version, "linkwork", "the version of the format, 1");
  } else if (version->number != kFormatVersion) {
    reader.error(version->source, fmt::format("the file is of format version {:g}, but this program reads version {}.",
                                              version->number, kFormatVersion));
    return false;
  }
  return true;
}

void readSpace(Reader& reader, const Node& root) {
  const Node* space = reader.required(root, "space", "the file", "Write space = \"planar\" or space = \"spatial\".");
  if (space == nullptr) return;
  if (space->kind == NodeKind::text && space->text == "equations") {
    reader.error(space->source, "the file holds equations (space = \"equations\"), and bodies with joints are wanted.",
                 "check, simulate, steady, linearize, modes, locus, equations and explain take such a file.");
    return;
  }
  const auto word = reader.choice(*space, "space", {"planar", "spatial"});
  if (word && *word == 1) reader.mechanism.space = Space::spatial;
}

void readTop(Reader& reader, const Node& root, Role role) {
  Mechanism& mechanism = reader.mechanism;
  // An included file may have its own gravity for when it is run alone.
  const Node* gravity = role == Role::included
                            ? root.find("gravity")
                            : reader.required(root, "gravity", "the file",
                                              reader.inSpace() ? "Write gravity = [0, 0, -9.81], or [0, 0, 0]."
                                                               : "Write gravity = [0, -9.81], or [0, 0] for none.");
  if (gravity != nullptr) {
    if (const auto vector = reader.coordinates(*gravity, dimension::kAcceleration, "gravity"))
      mechanism.gravity = *vector;
  }
  if (const Node* title = root.find("title")) mechanism.name = reader.word(*title, "title").value_or(mechanism.name);
  if (const Node* node = root.find("description"))
    mechanism.description = reader.word(*node, "description").value_or("");
  if (const Node* node = root.find("check_horizon")) {
    if (const auto horizon = reader.positive(*node, dimension::kTime, "check_horizon"))
      mechanism.check_horizon = horizon->number;
  }
}

}  // namespace

void readFile(Reader& reader, const Node& root, Role role) {
  reader.checkKeys(root, "the file", topKeys());
  if (!checkVersion(reader, root)) return;
  readSpace(reader, root);
  const int errors_before = reader.diagnostics.errorCount();
  const WrittenOut written = expandRepeats(reader, root, repeatedSections());
  const auto readSection = [&](const Section& section) {
    const Node* node = written.find(root, section.name);
    if (node != nullptr && reader.checkTable(*node, fmt::format("[{}]", section.name), "a table"))
      section.read(reader, *node);
  };
  // Parameters first: gravity may be written in them.
  readSection(kSections[0]);
  readTop(reader, root, role);
  if (!written.good) {
    if (reader.diagnostics.errorCount() == errors_before)
      reader.error(root.find("repeat")->source, "[repeat]: a range uses a parameter that cannot be worked out.");
    return;
  }
  for (std::size_t i = 1; i < std::size(kSections); ++i) {
    const int before = reader.diagnostics.errorCount();
    readSection(kSections[i]);
    if (i != kInclude) continue;
    // Names of a file that could not be read are missing everywhere.
    if (reader.diagnostics.errorCount() > before) return;
    if (role == Role::main) checkSettings(reader);
  }
  if (role == Role::main) takeGiven(reader);
  if (role == Role::main && root.find("bodies") == nullptr && reader.mechanism.bodies.empty())
    reader.error(root.source, "the file has no [bodies].");
}

}  // namespace model_file

std::optional<Mechanism> readModelText(std::string text, const std::string& file_name, Diagnostics& diagnostics,
                                       const ReadOptions& options) {
  std::optional<ParsedModel> model = ParsedModel::parse(std::move(text), file_name, options, diagnostics);
  return model ? model->mechanism(diagnostics) : std::nullopt;
}

std::optional<Mechanism> readModelFile(const std::string& path, Diagnostics& diagnostics, const ReadOptions& options) {
  std::optional<ParsedModel> model = ParsedModel::parseFile(path, options, diagnostics);
  return model ? model->mechanism(diagnostics) : std::nullopt;
}

}  // namespace linkwork
