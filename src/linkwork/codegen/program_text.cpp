// A program of equations as text for a terminal.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "linkwork/codegen/program_document.hpp"
#include "linkwork/codegen/program_formulas.hpp"
#include "linkwork/codegen/program_printers.hpp"
#include "linkwork/codegen/text_table.hpp"

namespace linkwork {

namespace {

constexpr std::size_t kTextWidth = 112;
constexpr std::size_t kWidestFormula = 72;  // beside which a remark still stands

class TextPage {
 public:
  explicit TextPage(const EquationProgram& program) : document_(documentOf(program)), writer_(document_.program) {}

  std::string write() {
    const EquationProgram& p = document_.program;
    out_ = fmt::format("{}: {}\n", p.name, p.form);
    if (!p.task.empty()) out_ += p.task + "\n";
    for (const std::string& note : p.notes) out_ += note + "\n";
    legend("Inputs", document_.inputs, false);
    legend("Parameters", document_.parameters, true);
    for (const DocumentChapter& chapter : document_.chapters) lines(chapter);
    aliases();
    equations();
    for (const ProgramOutput& output : p.outputs) outputTable(output);
    solve();
    out_ += "\n";
    for (const std::string& words : document_.counts) out_ += words + "\n";
    return out_;
  }

 private:
  void heading(const std::string& title) { out_ += fmt::format("\n{}\n", title.empty() ? "Lines" : title); }

  void legend(const std::string& title, const std::vector<DocumentName>& names, bool values) {
    if (names.empty()) return;
    heading(title);
    TextTable table;
    for (const DocumentName& name : names) {
      std::vector<std::string> row = {"  " + writer_.symbolText(name.symbol.symbol.name())};
      if (values) row.push_back("= " + name.value);
      row.push_back(name.symbol.unit);
      row.push_back(name.symbol.meaning);
      table.push_back(std::move(row));
    }
    for (std::string& line : alignedLines(table, Align::left)) out_ += withoutTrailingSpaces(std::move(line)) + "\n";
  }

  void lines(const DocumentChapter& chapter) {
    heading(chapter.title);
    std::size_t name_width = 0, width = 0;
    std::vector<std::string> names, formulas;
    for (const DocumentLine& line : chapter.lines) {
      names.push_back(writer_.write(line.left));
      formulas.push_back(writer_.write(line.right));
      name_width = std::max(name_width, names.back().size());
      if (formulas.back().size() <= kWidestFormula) width = std::max(width, formulas.back().size());
    }
    for (std::size_t k = 0; k < names.size(); ++k) {
      const std::string& remark = chapter.lines[k].remark;
      const std::string start = fmt::format("  {:<{}} = ", names[k], name_width);
      if (formulas[k].size() <= kWidestFormula) {
        out_ += withoutTrailingSpaces(fmt::format("{}{:<{}}   {}", start, formulas[k], width, remark)) + "\n";
      } else {
        put(start + formulas[k] + (remark.empty() ? "" : "   " + remark));
      }
    }
  }

  // Broken before a plus or minus, deeper from there on.
  void put(std::string line) {
    const std::string deeper = "      ";
    while (line.size() > kTextWidth) {
      const std::size_t cut = placeToBreak(line);
      if (cut == std::string::npos) break;
      out_ += line.substr(0, cut) + "\n";
      line.replace(0, cut + 1, deeper);
    }
    out_ += line + "\n";
  }

  // The last place on the line that stands in the fewest brackets; the first one behind it if there is none.
  static std::size_t placeToBreak(const std::string& line) {
    constexpr std::size_t kFirst = 12, kEarly = kTextWidth / 3;
    std::size_t cut = std::string::npos;
    int depth = 0, least = 0;
    for (std::size_t k = 0; k + 2 < line.size() && (k <= kTextWidth || cut == std::string::npos); ++k) {
      if (line[k] == '(') ++depth;
      if (line[k] == ')') --depth;
      if (k < kFirst || line[k] != ' ' || (line[k + 1] != '+' && line[k + 1] != '-') || line[k + 2] != ' ') continue;
      if (cut != std::string::npos && cut >= kEarly && depth > least) continue;
      cut = k;
      least = depth;
    }
    return cut;
  }

  void aliases() {
    const auto list = [&](const char* title, const std::vector<DocumentAlias>& names) {
      if (names.empty()) return;
      heading(title);
      std::vector<std::string> plain;
      for (const DocumentAlias& alias : names) {
        const std::string one = fmt::format("{} = {}", writer_.name(alias.name), writer_.write(alias.value));
        if (alias.reason.empty()) {
          plain.push_back(one);
        } else {
          out_ += fmt::format("  {}   {}\n", one, alias.reason);
        }
      }
      std::string line = " ";
      for (std::size_t k = 0; k < plain.size(); ++k) {
        if (line.size() + plain[k].size() > kTextWidth) {
          out_ += line + "\n";
          line = " ";
        }
        line += " " + plain[k] + (k + 1 < plain.size() ? "," : "");
      }
      if (!plain.empty()) out_ += line + "\n";
    };
    list("Same as another", document_.aliases);
    list("Zero by structure", document_.zeros);
  }

  void equations() {
    const std::vector<ProgramEquation>& all = document_.program.equations;
    if (all.empty()) return;
    heading(document_.program.equations_title);
    for (std::size_t k = 0; k < all.size(); ++k)
      put(fmt::format("  {}: {} = {}", k + 1, writer_.write(all[k].left), writer_.write(all[k].right)));
  }

  void outputTable(const ProgramOutput& output) {
    heading(fmt::format("Output {}: {}", output.letter, output.meaning));
    if (output.cols == 0) {
      for (std::size_t k = 0; k < output.entries.size(); ++k) {
        const std::string name = fmt::format("{}_{}", output.letter, k + 1);
        const std::string formula = writer_.write(output.entries[k]);
        put(name == formula ? "  " + name : fmt::format("  {} = {}", name, formula));
      }
      return;
    }
    TextTable table;
    std::size_t widest = 0;
    for (int i = 0; i < output.rows; ++i) {
      std::vector<std::string>& row = table.emplace_back();
      for (int j = 0; j < output.cols; ++j) {
        const Expr& e = output.entries[static_cast<std::size_t>(i) * static_cast<std::size_t>(output.cols) +
                                       static_cast<std::size_t>(j)];
        row.push_back(e.isNumber(0.0) ? "." : writer_.write(e));
        widest = std::max(widest, row.back().size());
      }
    }
    if (widest * static_cast<std::size_t>(output.cols) > kTextWidth) {
      for (std::size_t e = 0; e < output.entries.size(); ++e) {
        if (output.entries[e].isNumber(0.0)) continue;
        const auto cols = static_cast<std::size_t>(output.cols);
        put(fmt::format("  {}({}, {}) = {}", output.letter, e / cols + 1, e % cols + 1,
                        writer_.write(output.entries[e])));
      }
      return;
    }
    for (std::string& line : alignedLines(table, Align::left))
      out_ += "  [ " + withoutTrailingSpaces(std::move(line)) + " ]\n";
  }

  void solve() {
    const ProgramSolve& s = document_.program.solve;
    if (s.empty()) return;
    heading(titleOf(s));
    for (const ProgramEquation& equation : equationsOf(s))
      put(fmt::format("  {} = {}", writer_.write(equation.left), writer_.write(equation.right)));
  }

  ProgramDocument document_;
  ProgramFormulas writer_;
  std::string out_;
};

}  // namespace

std::string programText(const EquationProgram& program) { return TextPage(program).write(); }

std::optional<std::string> whyNotCode(const ProgramSteps& steps) {
  std::vector<Expr> roots;
  for (const ProgramStep& step : steps.steps) roots.push_back(step.value);
  for (const auto* list : steps.solve.lists()) roots.insert(roots.end(), list->begin(), list->end());
  for (const ProgramOutput& output : steps.outputs)
    roots.insert(roots.end(), output.entries.begin(), output.entries.end());
  for (const Expr& e : postOrder(roots)) {
    if (e.kind() == ExprKind::Table)
      return fmt::format(
          "the table \"{}\" is given by points, which program code does not carry; text, latex and mathml "
          "name it",
          e.table()->name());
  }
  return std::nullopt;
}

}  // namespace linkwork
