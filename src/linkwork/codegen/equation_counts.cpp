#include "linkwork/codegen/equation_counts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linkwork/codegen/program_steps.hpp"
#include "linkwork/codegen/text_table.hpp"

namespace linkwork {

namespace {

// A sine takes about as long as this many products, a quotient as these.
constexpr int kSine = 8;
constexpr int kQuotient = 3;

// Elimination with pivoting.
int solveWeight(int rows) { return 2 * rows * rows * rows / 3 + 3 * rows * rows; }

int weight(const OperationCount& c) { return c.mul + c.add + kQuotient * c.div + kSine * c.trig + kSine * c.other; }

bool hasStyles(WrittenForm form) {
  return form == WrittenForm::rud || form == WrittenForm::statement2 || form == WrittenForm::statement3 ||
         form == WrittenForm::statement5 || form == WrittenForm::statement6;
}

std::vector<EquationStyle> stylesOf(WrittenForm form) {
  if (!hasStyles(form)) return {EquationStyle::pairwise};
  return {EquationStyle::pairwise, EquationStyle::vectors, EquationStyle::vectors_and_sweep};
}

const char* wordsFor(const FormCost& cost) {
  if (!hasStyles(cost.form)) return "";
  switch (cost.style) {
    case EquationStyle::pairwise: return "as printed";
    case EquationStyle::vectors: return "by vectors";
    default: return "by vectors, right side by sweeps";
  }
}

std::string cell(bool fits, const OperationCount& c, int loop_rows = 0) {
  if (!fits) return "-";
  return fmt::format("{}/{}/{}/{}{}", c.mul, c.add, c.div, c.trig,
                     loop_rows > 0 ? fmt::format(" + {} rows", loop_rows) : std::string());
}

std::string cellOfConstants(bool fits, const OperationCount& c) {
  return fits ? fmt::format("{}/{}/{}/{}", c.mul, c.add, c.div, c.trig + c.other) : std::string("-");
}

template <class Fits, class Cost>
const FormCost* cheapest(const std::vector<FormCost>& costs, const Fits& fits, const Cost& cost) {
  const FormCost* best = nullptr;
  for (const FormCost& c : costs) {
    if (fits(c) && (best == nullptr || cost(c) < cost(*best))) best = &c;
  }
  return best;
}

// Their forward gives no accelerations of joints, their inverse no torques: not to be ranked with the others.
bool ofOtherVariables(const FormCost& cost) {
  return cost.form == WrittenForm::hamiltonian || cost.form == WrittenForm::quasivelocity;
}
constexpr const char* kOthersNote =
    "hamiltonian: forward gives velocities and rates of impulses from impulses, inverse the impulses of velocities; "
    "quasivelocity: rates of coordinates and quasi-velocities, and forces along these. They are not among those "
    "compared.";

std::string described(const FormCost& cost) {
  const std::string how = wordsFor(cost);
  return std::string(wordFor(cost.form)) + (how.empty() ? "" : " " + how);
}

}  // namespace

EquationStyle cheapestStyle(const Mechanism& mechanism, EquationRequest request) {
  const auto styles = stylesOf(request.form);
  EquationStyle best = styles.front();
  int least = -1;
  if (styles.size() == 1) return best;
  for (const EquationStyle style : styles) {
    request.style = style;
    const WrittenEquations written = writeEquations(mechanism, request);
    if (!written.program) continue;
    const ProgramSteps steps = stepsOf(*written.program);
    const int cost = weight(steps.count) + solveWeight(static_cast<int>(steps.solve.size()));
    if (least >= 0 && cost >= least) continue;
    least = cost;
    best = style;
  }
  return best;
}

std::vector<FormCost> costsOfForms(const Mechanism& mechanism, const EquationRequest& request) {
  std::vector<FormCost> out;
  for (const WrittenForm form : allWrittenForms()) {
    for (const EquationStyle style : stylesOf(form)) {
      FormCost cost;
      cost.form = form;
      cost.style = style;
      EquationRequest asked = request;
      asked.form = form;
      asked.style = style;
      asked.task = EquationTask::forward;
      if (const WrittenEquations written = writeEquations(mechanism, asked); written.program) {
        const ProgramSteps steps = stepsOf(*written.program);
        cost.fits_forward = true;
        cost.forward = steps.count;
        cost.forward_constant = steps.constant_count;
        cost.loop_rows = static_cast<int>(steps.solve.size());
        EquationProgram text = *written.program;
        if (!text.equations.empty()) {
          text.outputs.clear();
          text.solve = {};
          text.removeDeadLines();
          cost.text_lines = static_cast<int>(text.lines().size() + text.equations.size());
        }
      }
      asked.task = EquationTask::inverse;
      if (const WrittenEquations written = writeEquations(mechanism, asked); written.program) {
        const ProgramSteps steps = stepsOf(*written.program);
        cost.fits_inverse = true;
        cost.inverse = steps.count;
        cost.inverse_constant = steps.constant_count;
      }
      if (cost.fits_forward || cost.fits_inverse) out.push_back(cost);
    }
  }
  return out;
}

TextTable costsTable(const std::vector<FormCost>& costs) {
  TextTable table = {{"form", "", "forward", "constant", "inverse", "constant", "lines to read"}};
  for (const FormCost& c : costs) {
    table.push_back({std::string(wordFor(c.form)), wordsFor(c), cell(c.fits_forward, c.forward, c.loop_rows),
                     cellOfConstants(c.fits_forward, c.forward_constant), cell(c.fits_inverse, c.inverse),
                     cellOfConstants(c.fits_inverse, c.inverse_constant),
                     c.text_lines > 0 ? std::to_string(c.text_lines) : "-"});
  }
  return table;
}

std::vector<std::string> costsAdvice(const std::vector<FormCost>& costs) {
  std::vector<std::string> out;
  const auto advise = [&](const char* what, const FormCost* best, const OperationCount* count) {
    if (best == nullptr) return;
    out.push_back(fmt::format("{}: {}", what, described(*best)));
    if (count != nullptr)
      out.back() += fmt::format(" ({} mul and div, {} add, {} trig)", count->mul + count->div, count->add, count->trig);
    out.back() += ".";
  };
  const FormCost* forward = cheapest(
      costs, [](const FormCost& c) { return c.fits_forward && !ofOtherVariables(c); },
      [](const FormCost& c) { return weight(c.forward) + solveWeight(c.loop_rows); });
  // Absolute coordinates have no torques of joints, and impulses come from velocities: their inverse answers another
  // question.
  const FormCost* inverse = cheapest(
      costs,
      [](const FormCost& c) { return c.fits_inverse && c.form != WrittenForm::absolute && !ofOtherVariables(c); },
      [](const FormCost& c) { return weight(c.inverse); });
  const FormCost* reading = cheapest(
      costs, [](const FormCost& c) { return c.text_lines > 0 && c.style == EquationStyle::pairwise; },
      [](const FormCost& c) { return c.text_lines; });
  advise("Cheapest for forward dynamics", forward, forward == nullptr ? nullptr : &forward->forward);
  advise("Cheapest for inverse dynamics", inverse, inverse == nullptr ? nullptr : &inverse->inverse);
  advise("Shortest to read", reading, nullptr);
  if (std::any_of(costs.begin(), costs.end(), ofOtherVariables)) out.emplace_back(kOthersNote);
  return out;
}

std::string costsText(const Mechanism& mechanism, const std::vector<FormCost>& costs) {
  std::string out =
      fmt::format("{}: operations of all forms that fit, as mul/add/div/trig\n{}\n\n", mechanism.name, kCostsNote);
  for (std::string& line : alignedLines(costsTable(costs), Align::left))
    out += withoutTrailingSpaces(std::move(line)) + "\n";
  if (std::any_of(costs.begin(), costs.end(), [](const FormCost& c) { return c.loop_rows > 0; }))
    out += "\n\"+ n rows\": and n loop equations, solved with pivoting.\n";
  out += "\n";
  for (const std::string& line : costsAdvice(costs)) out += line + "\n";
  return out;
}

}  // namespace linkwork
