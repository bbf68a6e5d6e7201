// A program of equations as an HTML page with MathML, which browsers set by themselves.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "linkwork/codegen/infix_writer.hpp"
#include "linkwork/codegen/program_document.hpp"
#include "linkwork/codegen/program_names.hpp"
#include "linkwork/codegen/program_printers.hpp"

namespace linkwork {

namespace {

std::string escapedXml(std::string_view words) {
  std::string out;
  for (const char c : words) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      default: out += c;
    }
  }
  return out;
}

struct LatexToUnicode {
  std::string_view latex;
  std::string_view unicode;
};

constexpr LatexToUnicode kLetters[] = {
    {"\\alpha", "α"},   {"\\beta", "β"},   {"\\gamma", "γ"},  {"\\delta", "δ"}, {"\\varepsilon", "ε"}, {"\\zeta", "ζ"},
    {"\\eta", "η"},     {"\\theta", "θ"},  {"\\iota", "ι"},   {"\\kappa", "κ"}, {"\\lambda", "λ"},     {"\\mu", "μ"},
    {"\\nu", "ν"},      {"\\xi", "ξ"},     {"\\pi", "π"},     {"\\rho", "ρ"},   {"\\sigma", "σ"},      {"\\tau", "τ"},
    {"\\upsilon", "υ"}, {"\\varphi", "φ"}, {"\\chi", "χ"},    {"\\psi", "ψ"},   {"\\omega", "ω"},      {"\\Gamma", "Γ"},
    {"\\Delta", "Δ"},   {"\\Theta", "Θ"},  {"\\Lambda", "Λ"}, {"\\Xi", "Ξ"},    {"\\Pi", "Π"},         {"\\Sigma", "Σ"},
    {"\\Upsilon", "Υ"}, {"\\Phi", "Φ"},    {"\\Psi", "Ψ"},    {"\\Omega", "Ω"},
};

std::string letterOf(std::string_view latex) {
  for (const LatexToUnicode& letter : kLetters) {
    if (letter.latex == latex) return fmt::format("<mi>{}</mi>", letter.unicode);
  }
  if (latex.starts_with("\\mathrm{")) {
    std::string plain;
    for (const char c : latex.substr(8, latex.size() - 9)) {
      if (c != '\\') plain += c;
    }
    return fmt::format("<mi>{}</mi>", escapedXml(plain));
  }
  return fmt::format("<mi>{}</mi>", escapedXml(latex));
}

// The content of the braces that open at `place`, which moves behind them.
std::string_view braced(std::string_view latex, std::size_t& place) {
  const std::size_t begin = ++place;
  for (int depth = 1; place < latex.size(); ++place) {
    if (latex[place] == '{') ++depth;
    if (latex[place] == '}' && --depth == 0) break;
  }
  return latex.substr(begin, place++ - begin);
}

std::string indexOf(std::string_view latex) {
  std::string plain;
  for (std::size_t k = 0; k < latex.size(); ++k) {
    if (latex.substr(k).starts_with("\\mathrm{")) {
      k += 7;
      continue;
    }
    if (latex[k] != '{' && latex[k] != '}' && latex[k] != '\\') plain += latex[k];
  }
  return fmt::format("<mtext>{}</mtext>", escapedXml(plain));
}

// A name as latexName and symbolLatex write it: base, maybe dotted, with ^{..} and _{..} behind it.
std::string mathmlOf(std::string_view latex) {
  std::size_t place = 0;
  std::string base;
  for (const auto& [command, dots] : {std::pair<std::string_view, const char*>{"\\dot{", "˙"}, {"\\ddot{", "¨"}}) {
    if (!latex.starts_with(command)) continue;
    place = command.size() - 1;
    base = fmt::format("<mover accent=\"true\">{}<mo>{}</mo></mover>", letterOf(braced(latex, place)), dots);
  }
  if (base.empty()) {
    if (latex.starts_with("\\mathrm{")) {
      place = 7;
      braced(latex, place);
    } else {
      place = std::min(latex.find_first_of("_^"), latex.size());
    }
    base = letterOf(latex.substr(0, place));
  }
  std::string above, below;
  while (place + 1 < latex.size() && (latex[place] == '_' || latex[place] == '^')) {
    std::string& to = latex[place] == '_' ? below : above;
    ++place;
    to = indexOf(braced(latex, place));
  }
  if (!above.empty() && !below.empty()) return fmt::format("<msubsup>{}{}{}</msubsup>", base, below, above);
  if (!below.empty()) return fmt::format("<msub>{}{}</msub>", base, below);
  return above.empty() ? base : fmt::format("<msup>{}{}</msup>", base, above);
}

class MathmlWriter final : public InfixWriter {
 public:
  explicit MathmlWriter(const EquationProgram& program) : program_(program) {}

  std::string name(const SymbolName& symbol) const { return mathmlOf(latexName(symbol)); }

 private:
  void arrange(std::vector<Fraction>& terms) const override { arrangeForReading(program_, terms); }
  std::string signBetween(bool negative) const override { return negative ? "<mo>−</mo>" : "<mo>+</mo>"; }
  std::string signInFront() const override { return "<mo form=\"prefix\">−</mo>"; }
  std::string opening() const override { return "<mrow><mo>(</mo>"; }
  std::string closing() const override { return "<mo>)</mo></mrow>"; }

  Binding putNumber(double value) override {
    put(fmt::format("<mn>{}</mn>", value));
    return Binding::atom;
  }

  Binding putSymbol(const std::string& internal) override {
    put(program_.knows(internal) ? name(program_.symbols()[program_.rankOf(internal)].name)
                                 : mathmlOf(symbolLatex(internal)));
    return Binding::atom;
  }

  void putCall(const std::string& function, const Expr& e) {
    put(fmt::format("<mi>{}</mi><mo>&#x2061;</mo><mrow><mo>(</mo>", escapedXml(function)));
    const auto ops = e.operands();
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (i > 0) put("<mo>,</mo>");
      put(ops[i], Binding::sum);
    }
    put("<mo>)</mo></mrow>");
  }

  Binding putFunction(const Expr& e) override {
    if (e.kind() == ExprKind::Sqrt) {
      put("<msqrt>");
      put(e.operands()[0], Binding::sum);
      put("</msqrt>");
      return Binding::atom;
    }
    putCall(e.kind() == ExprKind::Table ? tableName(e) : functionName(e.kind()), e);
    return Binding::function;
  }

  Binding putPower(const Factor& factor) override {
    put("<msup><mrow>");
    put(factor.base, Binding::atom);
    put("</mrow><mrow>");
    put(factor.exponent, Binding::sum);
    put("</mrow></msup>");
    return Binding::power;
  }

  Binding putProduct(const Fraction& f) override {
    if (!f.hasDenominator()) {
      putFactors(f.numerator_number, f.numerator);
      return Binding::product;
    }
    put("<mfrac><mrow>");
    putFactors(f.numerator_number, f.numerator);
    put("</mrow><mrow>");
    putFactors(f.denominator_number, f.denominator);
    put("</mrow></mfrac>");
    return Binding::product;
  }

  void putFactors(double number, const std::vector<Factor>& factors) {
    const bool with_number = number != 1 || factors.empty();
    if (with_number) putNumber(number);
    for (std::size_t i = 0; i < factors.size(); ++i) {
      if (i > 0 || with_number) put("<mo>&#x2062;</mo>");
      if (factors[i].exponent.isNumber(1)) {
        put(factors[i].base, Binding::function);
      } else {
        putPower(factors[i]);
      }
    }
  }

  const EquationProgram& program_;
};

class MathmlPage {
 public:
  explicit MathmlPage(const EquationProgram& program) : document_(documentOf(program)), writer_(document_.program) {}

  std::vector<MathmlChapter> chapters() {
    const EquationProgram& p = document_.program;
    legend("Inputs", document_.inputs, false);
    legend("Parameters", document_.parameters, true);
    for (const DocumentChapter& chapter : document_.chapters) {
      std::vector<std::string> rows;
      for (const DocumentLine& line : chapter.lines) rows.push_back(row(writer_.write(line.left), line.right));
      table(chapter.title.empty() ? "Lines" : chapter.title, rows);
    }
    aliases("Same as another", document_.aliases);
    aliases("Zero by structure", document_.zeros);
    std::vector<std::string> rows;
    for (const ProgramEquation& e : p.equations) rows.push_back(row(writer_.write(e.left), e.right));
    table(p.equations_title, rows);
    loops();
    for (const ProgramOutput& output : p.outputs) outputOf(output);
    return std::move(chapters_);
  }

  std::string write() {
    const EquationProgram& p = document_.program;
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{0}</title>\n"
        "<style>body{{font-family:serif;margin:2em}}mtd{{text-align:left}}</style></head>\n"
        "<body>\n<h1>{0}</h1>\n<p>{1}</p>\n",
        escapedXml(p.name), escapedXml(p.form));
    if (!p.task.empty()) out += fmt::format("<p>{}</p>\n", escapedXml(p.task));
    for (const std::string& note : p.notes) out += fmt::format("<p>{}</p>\n", escapedXml(note));
    for (const MathmlChapter& chapter : chapters())
      out += fmt::format("<h2>{}</h2>\n{}", escapedXml(chapter.title), chapter.mathml);
    for (const std::string& sentence : document_.counts) out += fmt::format("<p>{}</p>\n", escapedXml(sentence));
    return out + "</body>\n</html>\n";
  }

 private:
  static std::string words(const std::string& text) {
    return fmt::format("<mtd><mtext>{}</mtext></mtd>", escapedXml(text));
  }

  std::string row(const std::string& left, const Expr& right) {
    return fmt::format("<mtr><mtd>{}</mtd><mtd><mo>=</mo></mtd><mtd>{}</mtd></mtr>", left, writer_.write(right));
  }

  void table(const std::string& title, const std::vector<std::string>& rows) {
    if (rows.empty()) return;
    chapters_.push_back(
        {title, fmt::format("<math display=\"block\"><mtable columnalign=\"left\">\n{}\n</mtable></math>\n",
                            fmt::join(rows, "\n"))});
  }

  void legend(const std::string& title, const std::vector<DocumentName>& names, bool values) {
    std::vector<std::string> rows;
    for (const DocumentName& name : names) {
      const ProgramSymbol& s = name.symbol;
      const std::string value = values ? fmt::format("<mtd><mo>=</mo><mn>{}</mn></mtd>", s.value) : "";
      rows.push_back(
          fmt::format("<mtr><mtd>{}</mtd>{}{}{}</mtr>", writer_.name(s.name), value, words(s.unit), words(s.meaning)));
    }
    table(title, rows);
  }

  void aliases(const std::string& title, const std::vector<DocumentAlias>& list) {
    std::vector<std::string> rows;
    for (const DocumentAlias& alias : list) {
      rows.push_back(fmt::format("<mtr><mtd>{}</mtd><mtd><mo>=</mo></mtd><mtd>{}</mtd>{}</mtr>",
                                 writer_.name(alias.name), writer_.write(alias.value),
                                 alias.reason.empty() ? "" : words(alias.reason)));
    }
    table(title, rows);
  }

  void loops() {
    const ProgramSolve& s = document_.program.solve;
    std::vector<std::string> rows;
    for (const ProgramEquation& e : equationsOf(s)) rows.push_back(row(writer_.write(e.left), e.right));
    table(titleOf(s), rows);
  }

  void outputOf(const ProgramOutput& output) {
    std::vector<std::string> rows;
    const int cols = std::max(output.cols, 1);
    for (int i = 0; i < output.rows; ++i) {
      std::string cells;
      for (int j = 0; j < cols; ++j)
        cells += fmt::format("<mtd>{}</mtd>",
                             writer_.write(output.entries[static_cast<std::size_t>(i) * static_cast<std::size_t>(cols) +
                                                          static_cast<std::size_t>(j)]));
      rows.push_back("<mtr>" + cells + "</mtr>");
    }
    const std::string name = writer_.name({output.letter});
    chapters_.push_back(
        {fmt::format("{}: {}", output.letter, output.meaning),
         fmt::format(
             "<math display=\"block\">{}<mo>=</mo><mrow><mo>(</mo><mtable>\n{}\n</mtable><mo>)</mo></mrow></math>\n",
             name, fmt::join(rows, "\n"))});
  }

  ProgramDocument document_;
  MathmlWriter writer_;
  std::vector<MathmlChapter> chapters_;
};

}  // namespace

std::string programMathml(const EquationProgram& program) { return MathmlPage(program).write(); }

std::vector<MathmlChapter> mathmlChapters(const EquationProgram& program) { return MathmlPage(program).chapters(); }

}  // namespace linkwork
