#include "linkwork/io/model_file.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "linkwork/io/document.hpp"
#include "linkwork/io/model_file/reader.hpp"

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
    {"parameters", readParameters}, {"points", readPoints},     {"bodies", readBodies},   {"joints", readJoints},
    {"drives", readDrives},         {"loads", readLoads},       {"initial", readInitial}, {"events", readEvents},
    {"traces", readTraces},         {"simulate", readSimulate},
};

std::vector<std::string> topKeys() {
  std::vector<std::string> keys{"linkwork", "title", "description", "space", "gravity", "check_horizon"};
  for (const Section& section : kSections) keys.emplace_back(section.name);
  return keys;
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

bool checkSpace(Reader& reader, const Node& root) {
  const Node* space = reader.required(root, "space", "the file", "Write space = \"planar\".");
  if (space == nullptr) return true;
  const auto word = reader.choice(*space, "space", {"planar", "spatial"});
  if (!word || *word == 0) return true;
  reader.error(space->source, "spatial mechanisms cannot be read yet.", "Only space = \"planar\" can.");
  return false;
}

void readTop(Reader& reader, const Node& root) {
  Mechanism& mechanism = reader.mechanism;
  const Node* gravity = reader.required(root, "gravity", "the file", "Write gravity = [0, -9.81], or [0, 0] for none.");
  if (gravity != nullptr) {
    if (const auto vector = reader.pair(*gravity, dimension::kAcceleration, "gravity")) mechanism.gravity = *vector;
  }
  if (const Node* title = root.find("title")) mechanism.name = reader.word(*title, "title").value_or(mechanism.name);
  if (const Node* node = root.find("description"))
    mechanism.description = reader.word(*node, "description").value_or("");
  if (const Node* node = root.find("check_horizon")) {
    if (const auto horizon = reader.positive(*node, dimension::kTime, "check_horizon"))
      mechanism.check_horizon = horizon->number;
  }
}

void readRoot(Reader& reader, const Node& root) {
  reader.checkKeys(root, "the file", topKeys());
  if (!checkVersion(reader, root) || !checkSpace(reader, root)) return;
  // Parameters first: gravity may be written in them.
  const auto readSection = [&](const Section& section) {
    const Node* node = root.find(section.name);
    if (node != nullptr && reader.checkTable(*node, fmt::format("[{}]", section.name), "a table"))
      section.read(reader, *node);
  };
  readSection(kSections[0]);
  readTop(reader, root);
  for (std::size_t i = 1; i < std::size(kSections); ++i) readSection(kSections[i]);
  if (root.find("bodies") == nullptr) reader.error(root.source, "the file has no [bodies].");
  deriveShapes(reader.mechanism);
  validate(reader.mechanism, reader.diagnostics);
}

}  // namespace
}  // namespace model_file

std::optional<Mechanism> readModelText(std::string text, const std::string& file_name, Diagnostics& diagnostics) {
  const int errors_before = diagnostics.errorCount();
  Mechanism mechanism;
  mechanism.name = std::filesystem::path(file_name).stem().string();
  mechanism.file_name = file_name;
  const std::optional<Document> document = parseDocument(std::move(text), file_name, diagnostics);
  if (!document) return std::nullopt;
  mechanism.file_text = document->text;
  model_file::Reader reader(*document, diagnostics, mechanism);
  model_file::readRoot(reader, document->root);
  if (diagnostics.errorCount() > errors_before) return std::nullopt;
  return mechanism;
}

std::optional<Mechanism> readModelFile(const std::string& path, Diagnostics& diagnostics) {
  std::optional<std::string> text = readTextFile(path, diagnostics);
  if (!text) return std::nullopt;
  return readModelText(std::move(*text), path, diagnostics);
}

}  // namespace linkwork
