#include "linkwork/read/parsed_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "linkwork/model/input_names.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/model/same_structure.hpp"
#include "linkwork/read/model_file/files.hpp"
#include "linkwork/read/model_file/include.hpp"
#include "linkwork/read/model_file/settings.hpp"

namespace linkwork {

namespace {

Source placeOf(const Mechanism& mechanism, const std::string& parameter) {
  const auto found = std::find_if(mechanism.parameters.begin(), mechanism.parameters.end(),
                                  [&](const Parameter& known) { return known.name == parameter; });
  return found == mechanism.parameters.end() ? Source{} : found->source;
}

}  // namespace

ParsedModel::ParsedModel(Document document, std::string file_name, ReadOptions options)
    : document_(std::move(document)),
      file_name_(std::move(file_name)),
      options_(std::move(options)),
      files_(std::make_unique<model_file::Files>(file_name_)) {}
ParsedModel::ParsedModel(ParsedModel&& other) noexcept = default;
ParsedModel& ParsedModel::operator=(ParsedModel&& other) noexcept = default;
ParsedModel::~ParsedModel() = default;

std::optional<ParsedModel> ParsedModel::parse(std::string text, const std::string& file_name,
                                              const ReadOptions& options, Diagnostics& diagnostics) {
  std::optional<Document> document = parseDocument(std::move(text), file_name, diagnostics);
  if (!document) return std::nullopt;
  return ParsedModel(*std::move(document), file_name, options);
}

std::optional<ParsedModel> ParsedModel::parseFile(const std::string& path, const ReadOptions& options,
                                                  Diagnostics& diagnostics) {
  std::optional<std::string> text = readTextFile(path, diagnostics);
  if (!text) return std::nullopt;
  return parse(*std::move(text), path, options, diagnostics);
}

std::optional<Mechanism> ParsedModel::make(const ReadOptions& options, Remarks remarks, Diagnostics& diagnostics) {
  const int errors_before = diagnostics.errorCount();
  Mechanism mechanism;
  mechanism.name = std::filesystem::path(file_name_).stem().string();
  mechanism.file_name = file_name_;
  mechanism.file_text = document_.text;
  model_file::Session session{diagnostics, options, *files_, {{files_->main, file_name_}}};
  model_file::Reader reader(document_, session, mechanism);
  model_file::takeSettings(reader);
  model_file::readFile(reader, document_.root, model_file::Role::main);
  mechanism.included = std::move(session.included);
  model_file::deriveShapes(mechanism);
  validate(options.inputs == InputsAs::names ? withInputValues(mechanism) : mechanism, diagnostics);
  if (diagnostics.errorCount() > errors_before) {
    model_file::noteSettings(reader);  // the value that is found wrong may stand in no file
    return std::nullopt;
  }
  if (remarks == Remarks::left_out) return mechanism;
  model_file::noteSettings(reader);
  model_file::findOddities(reader);
  return mechanism;
}

std::optional<Mechanism> ParsedModel::mechanism(Diagnostics& diagnostics) {
  return make(options_, Remarks::wanted, diagnostics);
}

std::optional<Mechanism> ParsedModel::makeLike(const Mechanism& like, std::span<const ParameterValue> values,
                                               Diagnostics& diagnostics) {
  ReadOptions options = options_;
  for (const ParameterValue& value : values) {
    options.numbers.push_back(value);
    // For those who are shown what was set.
    ParameterSetting setting{value.name, fmt::format("{}", value.number)};
    const auto before = std::find_if(options.set.begin(), options.set.end(),
                                     [&](const ParameterSetting& known) { return known.name == value.name; });
    if (before == options.set.end()) {
      options.set.push_back(std::move(setting));
    } else {
      *before = std::move(setting);
    }
  }
  std::optional<Mechanism> out = make(options, Remarks::left_out, diagnostics);
  if (out && like.lifted) out = liftToSpace(*std::move(out));
  return out;
}

std::optional<Mechanism> ParsedModel::withParameters(const Mechanism& like, std::span<const ParameterValue> values,
                                                     Diagnostics& diagnostics) {
  std::optional<Mechanism> out = makeLike(like, values, diagnostics);
  if (!out) return std::nullopt;
  const std::string difference = differenceInStructure(like, *out);
  if (difference.empty()) return out;
  const auto isToBlame = [&](const ParameterValue& value) {
    Diagnostics ignored;
    const std::optional<Mechanism> alone = makeLike(like, {&value, 1}, ignored);
    return !alone || !differenceInStructure(like, *alone).empty();
  };
  const auto found = std::find_if(values.begin(), values.end(), isToBlame);
  const ParameterValue& blamed = found == values.end() ? values.front() : *found;
  diagnostics.error(placeOf(like, blamed.name),
                    fmt::format("parameter \"{}\": with the value {} {}.", blamed.name, blamed.number, difference),
                    "Read the model anew with this value.");
  return std::nullopt;
}

}  // namespace linkwork
