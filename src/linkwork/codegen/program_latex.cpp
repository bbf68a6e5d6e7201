// A program of equations as a LaTeX document.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "linkwork/codegen/infix_writer.hpp"
#include "linkwork/codegen/program_document.hpp"
#include "linkwork/codegen/program_names.hpp"
#include "linkwork/codegen/program_printers.hpp"

namespace linkwork {

namespace {

constexpr std::size_t kMostRows = 40;  // of one environment

// Of the characters that a line of formulas takes on paper, counted roughly.
constexpr int kLatexWidth = 84;
constexpr int kMostMatrixColumns = 10;  // of a matrix, which amsmath sets by itself

class EquationLatexWriter final : public LatexWriter {
 public:
  explicit EquationLatexWriter(const EquationProgram& program) : program_(program) {}

  std::string symbolIn(const std::string& name) const override {
    return program_.knows(name) ? latexName(program_.symbols()[program_.rankOf(name)].name) : symbolLatex(name);
  }

 protected:
  void arrange(std::vector<Fraction>& terms) const override { arrangeForReading(program_, terms); }

 private:
  const EquationProgram& program_;
};

std::string words(std::string_view text) {
  return escapedLatex(text, {{'\\', "\\textbackslash{}"},
                             {'^', "\\^{}"},
                             {'~', "\\~{}"},
                             {'<', "\\textless{}"},
                             {'>', "\\textgreater{}"},
                             {'"', "''"}});
}

// How wide a formula is set: commands and braces take no room of their own.
int widthOf(std::string_view latex) {
  int width = 0;
  for (std::size_t k = 0; k < latex.size(); ++k) {
    if (latex[k] == '\\') {
      ++width;
      while (k + 1 < latex.size() && ((latex[k + 1] | 32) >= 'a' && (latex[k + 1] | 32) <= 'z')) ++k;
    } else if (latex[k] != '{' && latex[k] != '}' && latex[k] != '_' && latex[k] != '^' && latex[k] != ' ') {
      ++width;
    }
  }
  return width;
}

// Breaks a long formula before a plus or minus that stands in no bracket.
std::string brokenFormula(const std::string& latex) {
  std::string out;
  std::size_t begin = 0, cut = std::string::npos;
  int depth = 0;
  for (std::size_t k = 0; k < latex.size(); ++k) {
    const std::string_view here = std::string_view(latex).substr(k);
    if (latex[k] == '{' || here.starts_with("\\left")) ++depth;
    if (latex[k] == '}' || here.starts_with("\\right")) --depth;
    const bool between = depth == 0 && (here.starts_with(" + ") || here.starts_with(" - "));
    if (!between) continue;
    if (cut != std::string::npos && widthOf(std::string_view(latex).substr(begin, k - begin)) > kLatexWidth) {
      out += latex.substr(begin, cut - begin) + " \\\\\n  &\\quad";
      begin = cut;
    }
    cut = k;
  }
  if (cut != std::string::npos && cut > begin && widthOf(std::string_view(latex).substr(begin)) > kLatexWidth) {
    out += latex.substr(begin, cut - begin) + " \\\\\n  &\\quad";
    begin = cut;
  }
  return out + latex.substr(begin);
}

class LatexPage {
 public:
  explicit LatexPage(const EquationProgram& program) : document_(documentOf(program)), writer_(document_.program) {}

  std::string write() {
    const EquationProgram& p = document_.program;
    out_ =
        "\\documentclass[10pt]{article}\n\\usepackage{amsmath}\n\\usepackage[margin=20mm]{geometry}\n"
        "\\usepackage{longtable}\n\\setcounter{MaxMatrixCols}{60}\n\\allowdisplaybreaks\n\\setlength{\\parindent}{0pt}"
        "\n"
        "\\begin{document}\n";
    out_ += fmt::format("\\section*{{{}}}\n{}.\\\\\n", words(p.name), words(p.form));
    if (!p.task.empty()) out_ += words(p.task) + ".\\\\\n";
    for (const std::string& note : p.notes) out_ += words(note) + "\\\\\n";
    legend("Inputs", document_.inputs, false);
    legend("Parameters", document_.parameters, true);
    for (const DocumentChapter& chapter : document_.chapters) {
      std::vector<std::string> rows;
      for (const DocumentLine& line : chapter.lines)
        rows.push_back(fmt::format("{} &= {}", writer_.write(line.left), brokenFormula(writer_.write(line.right))));
      align(chapter.title.empty() ? "Lines" : chapter.title, rows, "align*");
    }
    aliases("Same as another", document_.aliases);
    aliases("Zero by structure", document_.zeros);
    std::vector<std::string> rows;
    for (const ProgramEquation& e : p.equations) rows.push_back(equation(e.left, e.right));
    align(p.equations_title, rows, "align");
    for (const ProgramOutput& output : p.outputs) outputOf(output);
    solve();
    for (const std::string& sentence : document_.counts) out_ += "\n" + words(sentence) + "\n";
    return out_ + "\\end{document}\n";
  }

 private:
  std::string equation(const Expr& left, const Expr& right) {
    return "& " + brokenFormula(fmt::format("{} = {}", writer_.write(left), writer_.write(right)));
  }

  void heading(const std::string& title) { out_ += fmt::format("\n\\subsection*{{{}}}\n", words(title)); }

  void align(const std::string& title, const std::vector<std::string>& rows, const char* environment) {
    if (rows.empty()) return;
    heading(title);
    // TeX sets an environment as one piece, which must not get longer than it can measure.
    for (std::size_t first = 0; first < rows.size(); first += kMostRows) {
      const std::span part = std::span(rows).subspan(first, std::min(kMostRows, rows.size() - first));
      out_ += fmt::format("\\begin{{{0}}}\n{1}\n\\end{{{0}}}\n", environment, fmt::join(part, " \\\\\n"));
    }
  }

  void legend(const std::string& title, const std::vector<DocumentName>& names, bool values) {
    if (names.empty()) return;
    heading(title);
    out_ += "\\begin{longtable}{@{}l@{\\quad}l@{\\quad}l@{}}\n";
    for (const DocumentName& name : names) {
      const ProgramSymbol& s = name.symbol;
      out_ += fmt::format("${}{}$ & {} & {} \\\\\n", latexName(s.name), values ? " = " + numberLatex(s.value) : "",
                          words(s.unit), words(s.meaning));
    }
    out_ += "\\end{longtable}\n";
  }

  void aliases(const std::string& title, const std::vector<DocumentAlias>& list) {
    if (list.empty()) return;
    heading(title);
    std::vector<std::string> all;
    for (const DocumentAlias& alias : list) {
      const std::string why = alias.reason.empty() ? "" : fmt::format(" ({})", words(alias.reason));
      all.push_back(fmt::format("${} = {}${}", latexName(alias.name), writer_.write(alias.value), why));
    }
    out_ += fmt::format("{}\n", fmt::join(all, ", "));
  }

  void outputOf(const ProgramOutput& output) {
    std::vector<std::string> cells;
    for (const Expr& e : output.entries) cells.push_back(writer_.write(e));
    if (fitsMatrix(output, cells)) {
      matrix(output, cells);
    } else {
      entries(output, cells);
    }
  }

  static bool fitsMatrix(const ProgramOutput& output, const std::vector<std::string>& cells) {
    if (output.cols == 0 || output.cols > kMostMatrixColumns) return false;
    std::size_t widest = 0;
    for (const std::string& cell : cells) widest = std::max(widest, static_cast<std::size_t>(widthOf(cell)));
    return widest * static_cast<std::size_t>(output.cols) <= static_cast<std::size_t>(kLatexWidth);
  }

  void matrix(const ProgramOutput& output, const std::vector<std::string>& cells) {
    heading(fmt::format("{}: {}", output.letter, output.meaning));
    const auto cols = static_cast<std::size_t>(output.cols);
    std::vector<std::string> rows;
    for (std::size_t first = 0; first < cells.size(); first += cols)
      rows.push_back(fmt::format("{}", fmt::join(std::span(cells).subspan(first, cols), " & ")));
    out_ += fmt::format("\\[ {} = \\begin{{pmatrix}}\n{}\n\\end{{pmatrix}} \\]\n", latexName({output.letter}),
                        fmt::join(rows, " \\\\\n"));
  }

  // Entry by entry, those of a matrix that are zero left out.
  void entries(const ProgramOutput& output, const std::vector<std::string>& cells) {
    const auto cols = static_cast<std::size_t>(std::max(output.cols, 1));
    std::vector<std::string> rows;
    for (std::size_t e = 0; e < cells.size(); ++e) {
      if (output.cols > 0 && output.entries[e].isNumber(0.0)) continue;
      const std::string place =
          output.cols > 0 ? fmt::format("{},{}", e / cols + 1, e % cols + 1) : fmt::format("{}", e + 1);
      rows.push_back(fmt::format("({})_{{{}}} &= {}", latexName({output.letter}), place, brokenFormula(cells[e])));
    }
    align(fmt::format("{}: {}", output.letter, output.meaning), rows, "align*");
  }

  void solve() {
    const ProgramSolve& s = document_.program.solve;
    std::vector<std::string> rows;
    for (const ProgramEquation& e : equationsOf(s)) rows.push_back(equation(e.left, e.right));
    align(titleOf(s), rows, "align*");
  }

  ProgramDocument document_;
  EquationLatexWriter writer_;
  std::string out_;
};

}  // namespace

std::string programLatex(const EquationProgram& program) { return LatexPage(program).write(); }

}  // namespace linkwork
