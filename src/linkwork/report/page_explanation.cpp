#include "linkwork/report/page_explanation.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/codegen/explain_writer.hpp"
#include "linkwork/simulate/provenance.hpp"

namespace linkwork {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBodiesByHand =
    12;  // beyond it matrices have thousands of entries: no one works that out by hand

Json sectionJson(const ExplainedSection& section) {
  Json out{{"title", section.title}, {"words", section.words}};
  if (!section.formula_text.empty()) out["formula"] = section.formula_text;
  for (const ExplainedName& name : section.names) {
    out["names"].push_back({name.name, name.formula ? entryText(*name.formula) : std::string(), name.meaning});
  }
  if (section.table) {
    Json entries = Json::array();
    for (const Expr& entry : section.table->entries) entries.push_back(entryText(entry));
    out["table"] = {
        {"rows", section.table->row_names}, {"columns", section.table->col_names}, {"entries", std::move(entries)}};
  }
  return out;
}

}  // namespace

Json explanationJson(const Mechanism& mechanism) {
  if (mechanism.space == Space::spatial || mechanism.bodies.empty()) return nullptr;
  Json out{{"title", "Worked solution"},
           {"words", ""},
           {"command", fmt::format("linkwork explain {}{}", mechanism.file_name, parametersSetAsOptions(mechanism))},
           {"sections", Json::array()}};
  if (mechanism.bodies.size() > kMostBodiesByHand) return out;
  const Assembly assembly = assemble(mechanism);
  if (!assembly.ok) return nullptr;
  Mechanism as_run = mechanism;
  as_run.run.set("reaction_length", assembly.reaction_length);  // so that reactions are those of the run
  const Explanation explanation = explainState(as_run, 0.0, assembly.state(), assembly);
  if (!explanation.problem.empty()) return nullptr;
  out["words"] = explanation.words;
  for (const ExplainedSection& section : explanation.sections) out["sections"].push_back(sectionJson(section));
  return out;
}

}  // namespace linkwork
