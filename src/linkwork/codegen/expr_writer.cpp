#include "linkwork/codegen/expr_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "linkwork/base/contract.hpp"
#include "linkwork/codegen/expr_order.hpp"
#include "linkwork/codegen/text_table.hpp"

namespace linkwork {

namespace {

// How tightly a piece of writing holds together; a place asks for at least some level, else brackets are put around.
enum class Binding { sum, product, function, power, atom };

struct Piece {
  std::string text;
  Expr e;
  Binding at_least = Binding::sum;
  bool is_text = true;
};

// Writes from left to right with a list of pieces still to write, so that deep expressions need no deep call stack.
class Writer {
 public:
  virtual ~Writer() = default;

  std::string write(const Expr& e) {
    std::string out;
    std::vector<Piece> open = {place(e, Binding::sum)};
    while (!open.empty()) {
      const Piece piece = std::move(open.back());
      open.pop_back();
      if (piece.is_text) {
        out += piece.text;
        continue;
      }
      pieces_.clear();
      const Binding binding = expand(piece.e);
      const bool bracketed = binding < piece.at_least;
      if (bracketed) open.push_back(text(closing()));
      std::move(pieces_.rbegin(), pieces_.rend(), std::back_inserter(open));
      if (bracketed) open.push_back(text(opening()));
    }
    return out;
  }

 protected:
  static Piece text(std::string t) { return {std::move(t), Expr(), Binding::sum, true}; }
  static Piece place(const Expr& e, Binding at_least) { return {{}, e, at_least, false}; }

  void put(std::string t) { pieces_.push_back(text(std::move(t))); }
  void put(const Expr& e, Binding at_least) { pieces_.push_back(place(e, at_least)); }

  Binding expand(const Expr& e) {
    const std::vector<Fraction> terms = termsOf(e);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (i > 0) put(terms[i].negative ? " - " : " + ");
      if (i == 0 && terms[i].negative) put("-");
      if (terms.size() == 1) {
        const Binding binding = putFraction(terms[i], Binding::sum);
        return terms[i].negative ? Binding::sum : binding;
      }
      putFraction(terms[i], Binding::product);
    }
    return Binding::sum;
  }

  // Puts the absolute value of a term. A lone factor that is not a power is put as it is; in a sum it must bind at
  // least like a product.
  Binding putFraction(const Fraction& f, Binding lone_factor_at_least) {
    if (f.isNumber()) return putNumber(f.numerator_number);
    const bool lone = f.numerator.size() == 1 && f.numerator_number == 1 && !f.hasDenominator();
    if (!lone) return putProduct(f);
    const Factor& factor = f.numerator.front();
    if (!factor.exponent.isNumber(1)) return putPower(factor);
    if (lone_factor_at_least > Binding::sum) {
      put(factor.base, lone_factor_at_least);
      return Binding::product;
    }
    return factor.base.isSymbol() ? putSymbol(factor.base.name()) : putFunction(factor.base);
  }

  virtual Binding putNumber(double value) = 0;  // not negative
  virtual Binding putSymbol(const std::string& name) = 0;
  virtual Binding putFunction(const Expr& e) = 0;
  virtual Binding putPower(const Factor& factor) = 0;
  virtual Binding putProduct(const Fraction& f) = 0;
  virtual std::string opening() const = 0;
  virtual std::string closing() const = 0;

  void putArguments(const Expr& e) {
    const auto ops = e.operands();
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (i > 0) put(", ");
      put(ops[i], Binding::sum);
    }
  }

 private:
  std::vector<Piece> pieces_;
};

const char* functionName(ExprKind kind) {
  switch (kind) {
    case ExprKind::Sqrt: return "sqrt";
    case ExprKind::Sin: return "sin";
    case ExprKind::Cos: return "cos";
    case ExprKind::Tan: return "tan";
    case ExprKind::Asin: return "asin";
    case ExprKind::Acos: return "acos";
    case ExprKind::Atan: return "atan";
    case ExprKind::Atan2: return "atan2";
    case ExprKind::Sinh: return "sinh";
    case ExprKind::Cosh: return "cosh";
    case ExprKind::Tanh: return "tanh";
    case ExprKind::Exp: return "exp";
    case ExprKind::Log: return "log";
    case ExprKind::Abs: return "abs";
    case ExprKind::Sign: return "sign";
    case ExprKind::Min: return "min";
    case ExprKind::Max: return "max";
    case ExprKind::Select: return "select";
    default: throw ContractError("functionName: not a function");
  }
}

// f, f', f'' for a table and its derivatives.
std::string tableName(const Expr& e) {
  expect(e.tableOrder() != kTableCorner, "tableName: the mark of a corner is not written");
  return e.table()->name() + std::string(static_cast<std::size_t>(e.tableOrder()), '\'');
}

class TextWriter final : public Writer {
  Binding putNumber(double value) override {
    put(numberText(value));
    return Binding::atom;
  }

  Binding putSymbol(const std::string& name) override {
    put(name);
    return Binding::atom;
  }

  Binding putFunction(const Expr& e) override {
    put((e.kind() == ExprKind::Table ? tableName(e) : functionName(e.kind())) + "(");
    putArguments(e);
    put(")");
    return Binding::atom;
  }

  Binding putPower(const Factor& factor) override {
    put(factor.base, Binding::atom);
    put("^");
    put(factor.exponent, Binding::atom);
    return Binding::power;
  }

  Binding putProduct(const Fraction& f) override {
    putFactors(f.numerator_number, f.numerator);
    if (!f.hasDenominator()) return Binding::product;
    const bool several = f.denominator.size() + (f.denominator_number == 1 ? 0 : 1) > 1;
    put(several ? "/(" : "/");
    putFactors(f.denominator_number, f.denominator);
    if (several) put(")");
    return Binding::product;
  }

  void putFactors(double number, const std::vector<Factor>& factors) {
    const bool with_number = number != 1 || factors.empty();
    if (with_number) putNumber(number);
    for (std::size_t i = 0; i < factors.size(); ++i) {
      if (i > 0 || with_number) put("*");
      if (factors[i].exponent.isNumber(1)) {
        put(factors[i].base, Binding::power);
      } else {
        putPower(factors[i]);
      }
    }
  }

  std::string opening() const override { return "("; }
  std::string closing() const override { return ")"; }
};

class LatexWriter final : public Writer {
  Binding putNumber(double value) override {
    const std::string number = numberLatex(value);
    put(number);
    return number.find(' ') == std::string::npos && number.find('^') == std::string::npos ? Binding::atom
                                                                                          : Binding::product;
  }

  Binding putSymbol(const std::string& name) override {
    put(symbolLatex(name));
    return Binding::atom;
  }

  static std::string command(ExprKind kind) {
    switch (kind) {
      case ExprKind::Asin: return "\\arcsin";
      case ExprKind::Acos: return "\\arccos";
      case ExprKind::Atan: return "\\arctan";
      case ExprKind::Log: return "\\ln";
      case ExprKind::Sign: return "\\operatorname{sgn}";
      case ExprKind::Atan2: return "\\operatorname{atan2}";
      default: return std::string("\\") + functionName(kind);
    }
  }

  static bool takesPowerAtName(ExprKind kind) {
    return kind == ExprKind::Sin || kind == ExprKind::Cos || kind == ExprKind::Tan || kind == ExprKind::Sinh ||
           kind == ExprKind::Cosh || kind == ExprKind::Tanh;
  }

  // A lone symbol follows the name of the function without brackets.
  Binding putArgumentList(const Expr& e) {
    const auto ops = e.operands();
    if (ops.size() == 1 && ops[0].isSymbol()) {
      put(" ");
      put(ops[0], Binding::atom);
      return Binding::function;
    }
    put("\\left(");
    putArguments(e);
    put("\\right)");
    return Binding::function;
  }

  Binding putFunction(const Expr& e) override {
    const auto ops = e.operands();
    switch (e.kind()) {
      case ExprKind::Sqrt:
        put("\\sqrt{");
        put(ops[0], Binding::sum);
        put("}");
        return Binding::atom;
      case ExprKind::Abs:
        put("\\left|");
        put(ops[0], Binding::sum);
        put("\\right|");
        return Binding::atom;
      case ExprKind::Exp:
        put("e^{");
        put(ops[0], Binding::sum);
        put("}");
        return Binding::power;
      case ExprKind::Select:
        put("\\begin{cases} ");
        put(ops[1], Binding::sum);
        put(" & \\text{if } ");
        put(ops[0], Binding::sum);
        put(" \\ge 0 \\\\ ");
        put(ops[2], Binding::sum);
        put(" & \\text{otherwise} \\end{cases}");
        return Binding::sum;
      case ExprKind::Table:
        put(symbolLatex(e.table()->name()) + std::string(static_cast<std::size_t>(e.tableOrder()), '\''));
        put("\\left(");
        put(ops[0], Binding::sum);
        put("\\right)");
        return Binding::function;
      default: put(command(e.kind())); return putArgumentList(e);
    }
  }

  Binding putPower(const Factor& factor) override {
    const bool at_name =
        takesPowerAtName(factor.base.kind()) && factor.exponent.isNumber() && factor.exponent.number() > 0;
    if (at_name) {
      put(command(factor.base.kind()) + "^{");
      put(factor.exponent, Binding::sum);
      put("}");
      return putArgumentList(factor.base);
    }
    put(factor.base, Binding::atom);
    put("^{");
    put(factor.exponent, Binding::sum);
    put("}");
    return Binding::power;
  }

  Binding putProduct(const Fraction& f) override {
    if (!f.hasDenominator()) {
      putFactors(f.numerator_number, f.numerator);
      return Binding::product;
    }
    put("\\frac{");
    putFactors(f.numerator_number, f.numerator);
    put("}{");
    putFactors(f.denominator_number, f.denominator);
    put("}");
    return Binding::product;
  }

  void putFactors(double number, const std::vector<Factor>& factors) {
    const bool with_number = number != 1 || factors.empty();
    if (with_number) putNumber(number);
    // A lone factor of a numerator or denominator needs no brackets.
    const bool lone = factors.size() == 1 && !with_number;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      // Two numbers side by side would read as one.
      if (i > 0 || with_number) put(factors[i].base.isNumber() ? " \\cdot " : " ");
      if (factors[i].exponent.isNumber(1)) {
        put(factors[i].base, lone ? Binding::sum : Binding::function);
      } else {
        putPower(factors[i]);
      }
    }
  }

  std::string opening() const override { return "\\left("; }
  std::string closing() const override { return "\\right)"; }
};

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
