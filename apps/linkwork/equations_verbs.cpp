#include "equations_verbs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "linkwork/files/json_settings.hpp"
#include "linkwork/formulation/equations/equations_integrability.hpp"
#include "memory.hpp"
#include "output.hpp"

namespace linkwork::app {

namespace {

using Json = nlohmann::ordered_json;

template <class List>
std::vector<std::string> namesIn(const List& list) {
  std::vector<std::string> out;
  for (const auto& one : list) out.push_back(one.name);
  return out;
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// What Frobenius says, for each constraint of velocities.
std::vector<std::string> integrabilityWords(const EquationsModel& model, const Integrability& found) {
  std::vector<std::string> out;
  std::size_t of_velocities = 0;
  for (std::size_t k = 0; k < model.constraints.size(); ++k) {
    const EquationsForm& form = model.constraints[k];
    if (form.of_positions) continue;
    ++of_velocities;
    out.push_back(found.alone[k] ? fmt::format("constraint \"{}\" can be integrated: it holds positions too, and is "
                                               "better written as what stays zero there, without rates",
                                               form.name)
                                 : fmt::format("constraint \"{}\" cannot be integrated by itself", form.name));
  }
  if (of_velocities > 1 || (of_velocities > 0 && of_velocities < model.constraints.size())) {
    out.emplace_back(found.together ? "all constraints together can be integrated: they hold positions too"
                                    : "all constraints together cannot be integrated");
  }
  return out;
}

Json findingsJson(const Diagnostics& diagnostics) {
  Json out = Json::array();
  for (const Diagnostic& finding : diagnostics.all()) {
    const char* severity = finding.severity == Severity::error     ? "error"
                           : finding.severity == Severity::warning ? "warning"
                                                                   : "note";
    out.push_back({{"severity", severity},
                   {"file", finding.file},
                   {"line", finding.line},
                   {"column", finding.column},
                   {"message", finding.message},
                   {"hint", finding.hint}});
  }
  return out;
}

}  // namespace

std::optional<ReadOptions> equationsReadOptions(const ModelOptions& model, const std::vector<std::string>& given,
                                                Diagnostics& diagnostics) {
  ReadOptions options;
  for (const std::string& text : model.set) {
    if (std::optional<ParameterSetting> setting = parseSetting(text, diagnostics))
      options.set.push_back(*std::move(setting));
  }
  for (const std::string& text : given) {
    if (std::optional<ParameterSetting> setting = parseGiven(text, diagnostics))
      options.given.push_back(*std::move(setting));
  }
  if (!model.space.empty()) {
    diagnostics.error(Source("--space", 0, 0), "the file holds equations, which have no space to be lifted to.",
                      "Leave --space out.");
  }
  if (diagnostics.hasErrors()) return std::nullopt;
  return options;
}

std::optional<EquationsModel> readEquations(const ModelOptions& model, Diagnostics& diagnostics,
                                            const std::vector<std::string>& given) {
  std::optional<EquationsModel> out;
  if (const std::optional<ReadOptions> options = equationsReadOptions(model, given, diagnostics))
    out = readEquationsFile(model.file, diagnostics, *options);
  writeErr(diagnostics.format());
  if (out) beginWork({out->bodies.size()});
  const auto errors = std::count_if(diagnostics.all().begin(), diagnostics.all().end(),
                                    [](const Diagnostic& finding) { return finding.severity == Severity::error; });
  if (!out && errors > 1) printErr("{} errors\n", errors);
  return out;
}

void addFindings(const EquationsModel& model, const EquationsStart& start, Diagnostics& findings) {
  const auto placed = [&](Source where) {
    if (!where.file) where.file = std::make_shared<const std::string>(model.frame.file_name);
    return where;
  };
  for (const std::string& warning : start.warnings)
    findings.warning(placed({}), warning + ".", "Give start values in [coordinates] that meet the constraints.");
  if (!start.ok) findings.error(placed(start.where), start.problem + ".", start.hint);
}

std::optional<EquationsStart> startEquations(const EquationsModel& model) {
  EquationsStart start = findEquationsStart(model);
  Diagnostics findings;
  addFindings(model, start, findings);
  writeErr(findings.format());
  if (!start.ok) return std::nullopt;
  return start;
}

int checkEquations(const ModelOptions& options, bool mobility, bool json) {
  if (mobility) {
    printErr("linkwork check: error: --mobility is about bodies and joints, and this file holds equations.\n");
    return kBadInput;
  }
  Diagnostics diagnostics;
  const std::optional<EquationsModel> model = readEquations(options, diagnostics);
  EquationsStart start;
  std::vector<std::string> words;
  if (model) {
    start = findEquationsStart(*model);
    Diagnostics at_start;
    addFindings(*model, start, at_start);
    if (!json) writeErr(at_start.format());
    addFindings(*model, start, diagnostics);
    const EquationsSystem system(*model);
    if (start.ok) words = integrabilityWords(*model, findIntegrability(system, start.x));
  }
  if (json) {
    Json out;
    out["ok"] = start.ok;
    out["findings"] = findingsJson(diagnostics);
    if (model) {
      out["space"] = "equations";
      addParametersSet(model->frame, out);
      out["coordinates"] = namesIn(model->coordinates);
      out["quasi_velocities"] = namesIn(model->quasi_velocities);
      out["constraints"] = namesIn(model->constraints);
      out["bodies"] = model->bodies.size();
      out["forces"] = model->forces.size();
      out["degrees_of_freedom"] = model->freedoms();
      out["degrees_of_freedom_of_positions"] = model->positionFreedoms();
      out["integrability"] = words;
    }
    printOut("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
  } else if (model && start.ok) {
    printOut("{}: equations of {}, {}, {}\n", model->frame.name,
             counted(model->coordinates.size(), "coordinate", "coordinates"),
             counted(model->bodies.size(), "body", "bodies"), counted(model->forces.size(), "force", "forces"));
    printOut("coordinates: {}\n", fmt::join(namesIn(model->coordinates), ", "));
    printOut("quasi-velocities: {}\n", fmt::join(namesIn(model->quasi_velocities), ", "));
    if (!model->constraints.empty()) printOut("constraints: {}\n", fmt::join(namesIn(model->constraints), ", "));
    printOut("{} of freedom of velocities, {} of positions\n",
             counted(static_cast<std::size_t>(model->freedoms()), "degree", "degrees"), model->positionFreedoms());
    for (const std::string& one : words) printOut("{}\n", one);
  }
  if (!model) return kBadInput;
  return start.ok ? kGood : kNumericalFailure;
}

}  // namespace linkwork::app
