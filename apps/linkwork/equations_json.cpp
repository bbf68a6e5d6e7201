#include "equations_json.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "linkwork/codegen/program_document.hpp"
#include "linkwork/codegen/program_formulas.hpp"
#include "linkwork/codegen/program_names.hpp"
#include "linkwork/files/json_settings.hpp"

namespace linkwork::app {

namespace {

using Json = nlohmann::ordered_json;

Json countJson(const OperationCount& c) {
  return {{"mul", c.mul}, {"add", c.add}, {"div", c.div}, {"trig", c.trig}, {"other", c.other}};
}

const char* wordFor(EquationStyle style) {
  switch (style) {
    case EquationStyle::pairwise: return "printed";
    case EquationStyle::vectors: return "vectors";
    default: return "sweep";
  }
}

const char* wordFor(SymbolRole role) {
  switch (role) {
    case SymbolRole::acceleration: return "acceleration";
    case SymbolRole::effort: return "effort";
    case SymbolRole::impulse: return "impulse";
    case SymbolRole::position: return "position";
    case SymbolRole::turns: return "turns";
    case SymbolRole::time: return "time";
    default: return "rate";
  }
}

class EquationsObject {
 public:
  explicit EquationsObject(const EquationProgram& program)
      : document_(documentOf(program)), formulas_(document_.program) {}

  Json write(const Mechanism& mechanism, const EquationRequest& request, const std::vector<FormCost>& costs,
             const std::vector<WrittenForm>& all) {
    const EquationProgram& p = document_.program;
    Json out;
    out["format"] = "linkwork-equations";
    out["version"] = 1;
    out["name"] = p.name;
    out["source"] = p.source;
    addParametersSet(mechanism, out);
    out["form"] = linkwork::wordFor(request.form);
    out["coordinates"] = p.form;
    out["task"] = linkwork::wordFor(request.task);
    out["statement"] = p.task;
    out["notes"] = p.notes;
    out["inputs"] = inputs();
    out["parameters"] = parameters();
    out["lines"] = lines();
    out["aliases"] = aliases();
    out["equations"] = Json::array();
    for (const ProgramEquation& e : p.equations)
      out["equations"].push_back({{"left", formulas_.write(e.left)}, {"right", formulas_.write(e.right)}});
    out["solve"] = solve();
    out["outputs"] = outputs();
    out["operations"] = {{"moving", countJson(document_.steps.count)},
                         {"constant", countJson(document_.steps.constant_count)}};
    out["forms"] = forms(mechanism, request, costs, all);
    return out;
  }

 private:
  Json inputs() {
    Json out = Json::array();
    for (const DocumentName& name : document_.inputs) {
      const ProgramSymbol& s = name.symbol;
      out.push_back({{"name", formulas_.write(s.symbol)},
                     {"argument", s.array},
                     {"index", s.index < 0 ? Json(nullptr) : Json(s.index)},
                     {"role", wordFor(s.role)},
                     {"unit", s.unit},
                     {"meaning", s.meaning}});
    }
    return out;
  }

  Json parameters() {
    Json out = Json::array();
    for (const DocumentName& name : document_.parameters) {
      const ProgramSymbol& s = name.symbol;
      out.push_back(
          {{"name", formulas_.write(s.symbol)}, {"value", s.value}, {"unit", s.unit}, {"meaning", s.meaning}});
    }
    return out;
  }

  // In their order of computation. What only the printed equations read is not computed, and costs nothing.
  Json lines() {
    const std::vector<ProgramLine>& computed = document_.steps.program.lines();
    std::map<std::string, OperationCount> cost;
    for (std::size_t k = 0; k < computed.size(); ++k) cost[computed[k].symbol.name()] = document_.steps.line_count[k];
    std::set<std::string> constant;
    for (const ProgramStep& step : document_.steps.steps) {
      if (step.constant) constant.insert(step.symbol.name());
    }
    Json out = Json::array();
    for (const ProgramLine& line : document_.program.lines()) {
      out.push_back({{"number", out.size() + 1},
                     {"section", line.section},
                     {"name", formulas_.write(line.symbol)},
                     {"formula", formulas_.write(line.value)},
                     {"constant", constant.contains(line.symbol.name())},
                     {"operations", countJson(cost[line.symbol.name()])}});
    }
    return out;
  }

  Json aliases() {
    Json out = Json::array();
    for (const auto* list : {&document_.aliases, &document_.zeros}) {
      for (const DocumentAlias& alias : *list)
        out.push_back({{"name", formulas_.name(alias.name)},
                       {"formula", formulas_.write(alias.value)},
                       {"reason", alias.reason}});
    }
    return out;
  }

  Json texts(const std::vector<Expr>& es) {
    Json out = Json::array();
    for (const Expr& e : es) out.push_back(formulas_.write(e));
    return out;
  }

  Json solve() {
    const ProgramSolve& s = document_.program.solve;
    if (s.empty()) return nullptr;
    Json out = {{"unknowns", texts(s.unknowns)}, {"matrix", texts(s.matrix)}, {"right", texts(s.right)}};
    if (s.kind == SolveKind::inverse) out["right"] = nullptr;  // the unknowns are the inverse, row by row
    return out;
  }

  Json outputs() {
    Json out = Json::array();
    for (const ProgramOutput& o : document_.program.outputs) {
      out.push_back({{"name", o.letter},
                     {"rows", o.rows},
                     {"cols", o.cols == 0 ? Json(nullptr) : Json(o.cols)},
                     {"meaning", o.meaning},
                     {"entries", texts(o.entries)}});
    }
    return out;
  }

  static Json forms(const Mechanism& mechanism, const EquationRequest& request, const std::vector<FormCost>& costs,
                    const std::vector<WrittenForm>& all) {
    Json out = Json::array();
    for (const WrittenForm form : all) {
      const std::string why = whyNotForm(mechanism, form, request.task);
      Json one = {{"form", linkwork::wordFor(form)}, {"fits", why.empty()}};
      if (!why.empty()) one["why_not"] = why;
      Json styles = Json::array();
      for (const FormCost& c : costs) {
        if (c.form != form) continue;
        Json style = {{"style", wordFor(c.style)}};
        if (c.fits_forward) style["forward"] = countJson(c.forward);
        if (c.fits_forward) style["loop_rows"] = c.loop_rows;
        if (c.fits_inverse) style["inverse"] = countJson(c.inverse);
        styles.push_back(style);
      }
      if (!styles.empty()) one["operations"] = styles;
      out.push_back(one);
    }
    return out;
  }

  ProgramDocument document_;
  ProgramFormulas formulas_;
};

}  // namespace

std::string equationsJson(const Mechanism& mechanism, const EquationRequest& request, const EquationProgram& program,
                          const std::vector<FormCost>& costs, const std::vector<WrittenForm>& forms) {
  return EquationsObject(program)
             .write(mechanism, request, costs, forms)
             .dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

}  // namespace linkwork::app
