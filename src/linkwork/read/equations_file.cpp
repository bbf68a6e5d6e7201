#include "linkwork/read/equations_file.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "linkwork/read/model_file/equations.hpp"
#include "linkwork/read/model_file/files.hpp"
#include "linkwork/read/model_file/settings.hpp"

namespace linkwork {

namespace model_file {
namespace {

constexpr const char* kEquationSections[] = {"abbreviations",   "parameters", "tables",      "inputs", "coordinates",
                                             "quasivelocities", "matrices",   "constraints", "bodies", "forces",
                                             "initial",         "outputs",    "events",      "steady", "simulate"};

void readEquations(Reader& reader, const Node& root, EquationsModel& model) {
  std::vector<std::string> keys{"linkwork", "title", "description", "space", "check_horizon", "potential"};
  keys.insert(keys.end(), std::begin(kEquationSections), std::end(kEquationSections));
  reader.checkKeys(root, "the file", keys);
  const Node* version = root.find("linkwork");
  if (version == nullptr) {
    reader.error(root.source, "the file: linkwork is missing.",
                 "Start it with linkwork = 1, the version of the format.");
  } else if (version->kind != NodeKind::integer || version->number != 1) {
    reader.error(version->source, "linkwork: expected the version of the format, 1.");
    return;
  }
  if (const Node* title = root.find("title"))
    reader.mechanism.name = reader.word(*title, "title").value_or(reader.mechanism.name);
  if (const Node* node = root.find("description"))
    reader.mechanism.description = reader.word(*node, "description").value_or("");
  EquationsReader equations(reader, model);
  const auto section = [&](const char* name, auto&& read) {
    const Node* node = root.find(name);
    if (node != nullptr && reader.checkTable(*node, fmt::format("[{}]", name), "a table")) read(*node);
  };
  section("parameters", [&](const Node& node) { readParameters(reader, node); });
  checkSettings(reader);
  if (const Node* node = root.find("check_horizon")) {
    if (const auto horizon = reader.positive(*node, dimension::kTime, "check_horizon"))
      reader.mechanism.check_horizon = horizon->number;
  }
  section("tables", [&](const Node& node) { readTables(reader, node); });
  section("inputs", [&](const Node& node) { readInputs(reader, node); });
  const int errors_before = reader.diagnostics.errorCount();
  section("coordinates", [&](const Node& node) { equations.readCoordinates(node); });
  if (root.find("coordinates") == nullptr)
    reader.error(root.source, "the file has no [coordinates].", "List them with their start values: x = \"0 m\".");
  if (reader.diagnostics.errorCount() > errors_before) return;
  section("abbreviations", [&](const Node& node) { equations.readAbbreviations(node); });
  if (reader.diagnostics.errorCount() > errors_before) return;
  equations.readForms(root);
  if (reader.diagnostics.errorCount() > errors_before) return;
  section("bodies", [&](const Node& node) { equations.readBodies(node); });
  if (root.find("bodies") == nullptr)
    reader.error(root.source, "the file has no [bodies].", "Without masses there are no equations of motion.");
  if (const Node* potential = root.find("potential")) equations.readPotential(*potential);
  section("forces", [&](const Node& node) { equations.readForces(node); });
  equations.readForcesAsList(root);
  section("initial", [&](const Node& node) { equations.readInitial(node); });
  section("steady", [&](const Node& node) { equations.readSteady(node); });
  equations.takeGiven();
  section("outputs", [&](const Node& node) { readOutputs(reader, node); });
  section("events", [&](const Node& node) { readEvents(reader, node); });
  section("simulate", [&](const Node& node) { readSimulate(reader, node); });
}

}  // namespace
}  // namespace model_file

namespace {

bool saysEquations(const Document& document) {
  const Node* space = document.root.find("space");
  return space != nullptr && space->kind == NodeKind::text && space->text == "equations";
}

}  // namespace

bool isEquationsFile(const std::string& path) {
  Diagnostics ignored;
  std::optional<std::string> text = readTextFile(path, ignored);
  if (!text) return false;
  const std::optional<Document> document = parseDocument(*std::move(text), path, ignored);
  return document && saysEquations(*document);
}

ParsedEquations::ParsedEquations(Document document, std::string file_name, ReadOptions options)
    : document_(std::move(document)),
      file_name_(std::move(file_name)),
      options_(std::move(options)),
      files_(std::make_unique<model_file::Files>(file_name_)) {}
ParsedEquations::ParsedEquations(ParsedEquations&& other) noexcept = default;
ParsedEquations& ParsedEquations::operator=(ParsedEquations&& other) noexcept = default;
ParsedEquations::~ParsedEquations() = default;

std::optional<ParsedEquations> ParsedEquations::parse(std::string text, const std::string& file_name,
                                                      const ReadOptions& options, Diagnostics& diagnostics) {
  std::optional<Document> document = parseDocument(std::move(text), file_name, diagnostics);
  if (!document) return std::nullopt;
  if (!saysEquations(*document)) {
    diagnostics.error(document->root.source, "the file holds no equations.", "Write space = \"equations\".");
    return std::nullopt;
  }
  return ParsedEquations(*std::move(document), file_name, options);
}

std::optional<ParsedEquations> ParsedEquations::parseFile(const std::string& path, const ReadOptions& options,
                                                          Diagnostics& diagnostics) {
  std::optional<std::string> text = readTextFile(path, diagnostics);
  if (!text) return std::nullopt;
  return parse(*std::move(text), path, options, diagnostics);
}

std::optional<EquationsModel> ParsedEquations::make(const ReadOptions& options, Diagnostics& diagnostics) {
  const int errors_before = diagnostics.errorCount();
  EquationsModel model;
  Mechanism& frame = model.frame;
  frame.name = std::filesystem::path(file_name_).stem().string();
  frame.file_name = file_name_;
  frame.file_text = document_.text;
  model_file::Session session{diagnostics, options, *files_, {{files_->main, file_name_}}};
  model_file::Reader reader(document_, session, frame);
  model_file::takeSettings(reader);
  model_file::readEquations(reader, document_.root, model);
  model_file::noteSettings(reader);
  if (diagnostics.errorCount() > errors_before) return std::nullopt;
  return model;
}

std::optional<EquationsModel> ParsedEquations::model(Diagnostics& diagnostics) { return make(options_, diagnostics); }

std::optional<EquationsModel> ParsedEquations::withParameters(std::span<const ParameterValue> values,
                                                              Diagnostics& diagnostics) {
  ReadOptions options = options_;
  for (const ParameterValue& value : values) {
    options.numbers.push_back(value);
    std::erase_if(options.set, [&](const ParameterSetting& known) { return known.name == value.name; });
    options.set.push_back({value.name, fmt::format("{}", value.number)});
  }
  return make(options, diagnostics);
}

std::optional<EquationsModel> readEquationsText(std::string text, const std::string& file_name,
                                                Diagnostics& diagnostics, const ReadOptions& options) {
  std::optional<ParsedEquations> parsed = ParsedEquations::parse(std::move(text), file_name, options, diagnostics);
  return parsed ? parsed->model(diagnostics) : std::nullopt;
}

std::optional<EquationsModel> readEquationsFile(const std::string& path, Diagnostics& diagnostics,
                                                const ReadOptions& options) {
  std::optional<ParsedEquations> parsed = ParsedEquations::parseFile(path, options, diagnostics);
  return parsed ? parsed->model(diagnostics) : std::nullopt;
}

}  // namespace linkwork
