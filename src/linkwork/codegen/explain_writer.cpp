#include "linkwork/codegen/explain_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>
#include <utility>

#include "linkwork/codegen/expr_writer.hpp"
#include "linkwork/codegen/text_table.hpp"

namespace linkwork {

namespace {

constexpr std::size_t kMostColumns = 20;
constexpr std::size_t kMostRowsOnAPage = 40;
constexpr std::size_t kWidestTable = 180;  // characters

// The number that ten significant digits name; no negative zero.
double rounded(double value) {
  if (value == 0.0) return 0.0;
  return std::strtod(fmt::format("{:.9e}", value).c_str(), nullptr);
}

// Numbers inside formulas are the user's own and stay as they are.
Expr rounded(const Expr& e) { return e.isNumber() ? Expr(rounded(e.number())) : e; }

bool isZero(const Expr& e) { return e.isNumber() && e.number() == 0.0; }

bool allNumbers(const ExplainedTable& table) {
  return std::all_of(table.entries.begin(), table.entries.end(), [](const Expr& e) { return e.isNumber(); });
}

// ---- text

std::string layOut(const TextTable& table, Align align) {
  std::string out;
  for (std::string& line : alignedLines(table, align))
    out += fmt::format("  {}\n", withoutTrailingSpaces(std::move(line)));
  return out;
}

std::size_t widestLine(std::string_view text) {
  std::size_t widest = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    widest = std::max(widest, columnsOf(line));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return widest;
}

std::string listText(const ExplainedTable& table) {
  TextTable lines;
  for (std::size_t r = 0; r < table.rows(); ++r) {
    std::vector<std::string> filled;
    for (std::size_t c = 0; c < table.cols(); ++c) {
      if (!isZero(table.at(r, c)))
        filled.push_back(fmt::format("{}: {}", table.col_names[c], entryText(table.at(r, c))));
    }
    lines.push_back({table.row_names[r], filled.empty() ? "0" : fmt::format("{}", fmt::join(filled, ", "))});
  }
  return layOut(lines, Align::left);
}

std::string tableText(const ExplainedTable& table) {
  TextTable lines;
  if (!table.col_names.empty()) {
    lines.push_back(table.col_names);
    lines.back().insert(lines.back().begin(), std::string());
  }
  for (std::size_t r = 0; r < table.rows(); ++r) {
    std::vector<std::string>& line = lines.emplace_back();
    line.push_back(table.row_names[r]);
    for (std::size_t c = 0; c < table.cols(); ++c) line.push_back(entryText(table.at(r, c)));
  }
  std::string out = layOut(lines, allNumbers(table) ? Align::right : Align::left);
  if (table.cols() == 1) return out;
  const bool too_wide = table.cols() > kMostColumns || widestLine(out) > kWidestTable;
  return too_wide ? listText(table) : out;
}

// Sentences in lines of at most 100 characters.
std::string wrapped(const std::string& words) {
  std::string out;
  std::size_t column = 0;
  std::size_t from = 0;
  while (from < words.size()) {
    const std::size_t to = std::min(words.find(' ', from), words.size());
    const std::string word = words.substr(from, to - from);
    if (column > 0 && column + 1 + columnsOf(word) > 100) {
      out += "\n";
      column = 0;
    }
    if (column > 0) {
      out += " ";
      ++column;
    }
    out += word;
    column += columnsOf(word);
    from = to + 1;
  }
  return out + "\n";
}

std::string namesText(const std::vector<ExplainedName>& names) {
  TextTable lines;
  for (const ExplainedName& name : names) {
    if (name.formula) {
      lines.push_back({name.name, fmt::format("= {}", entryText(*name.formula)), name.meaning});
    } else {
      lines.push_back({name.name, name.meaning});
    }
  }
  return layOut(lines, Align::left);
}

std::string indented(const std::string& text) {
  std::string out = "  ";
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out + "\n";
}

// ---- LaTeX

std::string plainLatex(std::string_view words) {
  return escapedLatex(words, {{'\\', "\\textbackslash{}"},
                              {'^', "\\textasciicircum{}"},
                              {'*', "$\\cdot$"},
                              {'~', "\\textasciitilde{}"},
                              {'<', "\\textless{}"},
                              {'>', "\\textgreater{}"},
                              {'|', "\\textbar{}"},
                              {'"', "\\textquotedbl{}"}});
}

// Sentences of ours with their Greek letters and powers of units set as mathematics.
std::string prose(const std::string& words) {
  static constexpr std::pair<std::string_view, std::string_view> kMath[] = {
      {"Phi", "$\\Phi$"},       {"Phi_q", "$\\Phi_q$"}, {"-Phi_t", "$-\\Phi_t$"}, {"+Phi_q^T", "$+\\Phi_q^T$"},
      {"lambda", "$\\lambda$"}, {"Gamma", "$\\Gamma$"}, {"phi", "$\\varphi$"},    {"kg*m^2", "kg$\\,$m$^2$"},
      {"m/s^2", "m/s$^2$"},     {"ddq", "$\\ddot{q}$"}, {"rad/s^2", "rad/s$^2$"},
  };
  std::string out;
  std::size_t from = 0;
  while (from < words.size()) {
    const std::size_t to = std::min(words.find(' ', from), words.size());
    const std::string_view word = std::string_view(words).substr(from, to - from);
    const std::string_view bare = word.substr(0, word.find_last_not_of(".,:;") + 1);
    const auto* known =
        std::find_if(std::begin(kMath), std::end(kMath), [&](const auto& entry) { return entry.first == bare; });
    if (from > 0) out += ' ';
    out += known == std::end(kMath) ? plainLatex(word) : fmt::format("{}{}", known->second, word.substr(bare.size()));
    from = to + 1;
  }
  return out;
}

// Names for use in math: symbols, but words for constraint rows and for names with spaces.
class Names {
 public:
  explicit Names(const std::vector<std::string>& words) : words_(words.begin(), words.end()) {}

  std::string latex(const std::string& name) const {
    static constexpr std::pair<std::string_view, std::string_view> kNorms[] = {
        {"|Phi|", "\\lVert \\Phi \\rVert"},
        {"|Phi_q dq + Phi_t|", "\\lVert \\Phi_q \\dot{q} + \\Phi_t \\rVert"},
        {"|Phi_q ddq - Gamma|", "\\lVert \\Phi_q \\ddot{q} - \\Gamma \\rVert"},
    };
    for (const auto& [text, norm] : kNorms) {
      if (name == text) return std::string(norm);
    }
    if (words_.contains(name) || name.find(' ') != std::string::npos)
      return fmt::format("\\text{{{}}}", plainLatex(name));
    if (name.starts_with('-')) return fmt::format("-{}", symbolLatex(name.substr(1)));
    return symbolLatex(name);
  }

 private:
  std::set<std::string> words_;
};

std::string listLatex(const ExplainedTable& table, const Names& names) {
  std::string out = "\\begin{flushleft}\\small\n";
  for (std::size_t r = 0; r < table.rows(); ++r) {
    std::vector<std::string> filled;
    for (std::size_t c = 0; c < table.cols(); ++c) {
      if (table.cols() > 1 && isZero(table.at(r, c))) continue;
      const std::string entry = toLatex(rounded(table.at(r, c)));
      filled.push_back(table.col_names.empty()
                           ? fmt::format("${}$", entry)
                           : fmt::format("${}\\colon\\ {}$", names.latex(table.col_names[c]), entry));
    }
    out += fmt::format("${}$\\quad {}\\\\\n", names.latex(table.row_names[r]),
                       filled.empty() ? "$0$" : fmt::format("{}", fmt::join(filled, ", ")));
  }
  return out + "\\end{flushleft}\n";
}

std::string tableLatex(const ExplainedTable& table, const Names& names) {
  if (table.cols() > kMostColumns || table.rows() > kMostRowsOnAPage) return listLatex(table, names);
  std::string out = fmt::format("\\[\n\\fitline{{\\begin{{array}}{{l|{}}}\n",
                                std::string(table.cols(), allNumbers(table) ? 'r' : 'c'));
  if (!table.col_names.empty()) {
    for (const std::string& name : table.col_names) out += fmt::format(" & {}", names.latex(name));
    out += " \\\\ \\hline\n";
  }
  for (std::size_t r = 0; r < table.rows(); ++r) {
    out += names.latex(table.row_names[r]);
    for (std::size_t c = 0; c < table.cols(); ++c) out += fmt::format(" & {}", toLatex(rounded(table.at(r, c))));
    out += r + 1 < table.rows() ? " \\\\\n" : "\n";
  }
  return out + "\\end{array}}\n\\]\n";
}

std::string legendLatex(const std::vector<ExplainedName>& legend, const Names& names) {
  std::string out = "\\begin{flushleft}\n";
  for (const ExplainedName& name : legend) {
    if (name.formula) {
      out += fmt::format("\\fitline{{{} = {}}}\\quad {}\\\\\n", names.latex(name.name), toLatex(rounded(*name.formula)),
                         plainLatex(name.meaning));
    } else {
      out += fmt::format("\\texttt{{{}}}\\quad {}\\\\\n", plainLatex(name.name), plainLatex(name.meaning));
    }
  }
  return out + "\\end{flushleft}\n";
}

constexpr const char* kPreamble = R"(\documentclass[a4paper,10pt]{article}
\usepackage[T1]{fontenc}
\usepackage[margin=18mm]{geometry}
\usepackage{amsmath}
\usepackage{graphicx}
\setlength{\parindent}{0pt}
\renewcommand{\arraystretch}{1.25}
% A formula in its natural size, or as wide as the line if it would be wider.
\newcommand{\fitline}[1]{\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{$\displaystyle #1$}}
)";

}  // namespace

std::string entryText(const Expr& entry) { return toText(rounded(entry)); }

std::string explanationText(const Explanation& explanation) {
  std::string out = wrapped(explanation.title + ". " + explanation.words);
  for (const ExplainedSection& section : explanation.sections) {
    out += fmt::format("\n{}\n{}\n", section.title, std::string(columnsOf(section.title), '-'));
    if (!section.words.empty()) out += wrapped(section.words);
    if (!section.formula_text.empty()) out += fmt::format("\n{}", indented(section.formula_text));
    if (section.table) out += fmt::format("\n{}", tableText(*section.table));
    if (!section.names.empty()) out += fmt::format("\n{}", namesText(section.names));
  }
  return out;
}

std::string explanationLatex(const Explanation& explanation) {
  std::string out = kPreamble;
  out += fmt::format("\\begin{{document}}\n\\section*{{{}}}\n{}\n", plainLatex(explanation.title),
                     prose(explanation.words));
  const Names names(explanation.constraint_rows);
  for (const ExplainedSection& section : explanation.sections) {
    out += fmt::format("\n\\subsection*{{{}}}\n{}\n", prose(section.title), prose(section.words));
    if (!section.formula_latex.empty()) out += fmt::format("\\[\n{}\n\\]\n", section.formula_latex);
    if (section.table) out += tableLatex(*section.table, names);
    if (!section.names.empty()) out += legendLatex(section.names, names);
  }
  return out + "\\end{document}\n";
}

}  // namespace linkwork
