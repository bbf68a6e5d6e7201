#include "explain_json.hpp"

#include <nlohmann/json.hpp>

#include "linkwork/codegen/expr_writer.hpp"
#include "linkwork/files/json_settings.hpp"

namespace linkwork::app {

namespace {

using Json = nlohmann::ordered_json;

// A number, or the text of a formula.
Json jsonOf(const Expr& e) { return e.isNumber() ? Json(e.number()) : Json(toText(e)); }

Json tableOf(const ExplainedTable& table) {
  Json entries = Json::array();
  for (std::size_t r = 0; r < table.rows(); ++r) {
    Json row = Json::array();
    for (std::size_t c = 0; c < table.cols(); ++c) row.push_back(jsonOf(table.at(r, c)));
    entries.push_back(std::move(row));
  }
  return {{"rows", table.row_names}, {"columns", table.col_names}, {"entries", std::move(entries)}};
}

}  // namespace

std::string explanationJson(const Explanation& explanation, const Mechanism& mechanism) {
  Json out;
  out["format"] = "linkwork-explanation";
  out["version"] = 1;
  out["title"] = explanation.title;
  out["source"] = mechanism.file_name;
  addParametersSet(mechanism, out);
  out["sections"] = Json::array();
  for (const ExplainedSection& section : explanation.sections) {
    Json one = {{"title", section.title}, {"words", section.words}, {"formula", section.formula_text}};
    Json names = Json::array();
    for (const ExplainedName& name : section.names) {
      names.push_back({{"name", name.name},
                       {"formula", name.formula ? jsonOf(*name.formula) : Json(nullptr)},
                       {"meaning", name.meaning}});
    }
    one["names"] = std::move(names);
    one["table"] = section.table ? tableOf(*section.table) : Json(nullptr);
    out["sections"].push_back(std::move(one));
  }
  return out.dump(2) + "\n";
}

}  // namespace linkwork::app
