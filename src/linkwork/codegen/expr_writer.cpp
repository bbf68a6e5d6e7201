#include "linkwork/codegen/expr_writer.hpp"

#include <fmt/format.h>

#include <utility>

#include "linkwork/base/contract.hpp"
#include "linkwork/codegen/infix_writer.hpp"
#include "linkwork/codegen/text_table.hpp"

namespace linkwork {

namespace {

void expectMatrixSizes(std::size_t rows, std::size_t cols, std::span<const Expr> entries,
                       const std::vector<std::string>& row_names, const std::vector<std::string>& col_names) {
  expect(entries.size() == rows * cols, "matrix: the number of entries is not rows times columns");
  expect(row_names.empty() || row_names.size() == rows, "matrix: there must be one name for each row");
  expect(col_names.empty() || col_names.size() == cols, "matrix: there must be one name for each column");
}

}  // namespace

std::string toText(const Expr& e) { return TextWriter().write(e); }

std::string toLatex(const Expr& e) { return LatexWriter().write(e); }

std::string matrixText(std::size_t rows, std::size_t cols, std::span<const Expr> entries,
                       const std::vector<std::string>& row_names, const std::vector<std::string>& col_names) {
  expectMatrixSizes(rows, cols, entries, row_names, col_names);
  TextTable table;
  if (!col_names.empty()) {
    table.push_back(col_names);
    if (!row_names.empty()) table.back().insert(table.back().begin(), std::string());
  }
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<std::string>& line = table.emplace_back();
    if (!row_names.empty()) line.push_back(row_names[i]);
    for (std::size_t j = 0; j < cols; ++j) line.push_back(toText(entries[i * cols + j]));
  }
  const bool bracketed = row_names.empty() && col_names.empty();
  std::string out;
  for (std::string& line : alignedLines(table, Align::left)) {
    if (bracketed) {
      out += fmt::format("[ {} ]\n", line);
    } else {
      out += fmt::format("{}\n", withoutTrailingSpaces(std::move(line)));
    }
  }
  return out;
}

std::string matrixLatex(std::size_t rows, std::size_t cols, std::span<const Expr> entries,
                        const std::vector<std::string>& row_names, const std::vector<std::string>& col_names) {
  expectMatrixSizes(rows, cols, entries, row_names, col_names);
  std::vector<std::string> lines;
  if (!col_names.empty()) {
    std::vector<std::string> cells;
    if (!row_names.empty()) cells.emplace_back();
    for (const std::string& name : col_names) cells.push_back(symbolLatex(name));
    lines.push_back(fmt::format("{} \\\\ \\hline", fmt::join(cells, " & ")));
  }
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<std::string> cells;
    if (!row_names.empty()) cells.push_back(symbolLatex(row_names[i]));
    for (std::size_t j = 0; j < cols; ++j) cells.push_back(toLatex(entries[i * cols + j]));
    lines.push_back(fmt::format("{}{}", fmt::join(cells, " & "), i + 1 < rows ? " \\\\" : ""));
  }
  const std::string body = fmt::format("{}", fmt::join(lines, "\n"));
  if (row_names.empty() && col_names.empty()) return "\\begin{bmatrix}\n" + body + "\n\\end{bmatrix}";
  const std::string shape = (row_names.empty() ? "" : "c|") + std::string(cols, 'c');
  return "\\begin{array}{" + shape + "}\n" + body + "\n\\end{array}";
}

}  // namespace linkwork
