// InfixWriter: the common part of everything that writes formulas in a line: text, LaTeX, program code.
//
// It knows signs, terms, factors and brackets; a writer derived from it says what a number, a symbol, a function, a
// power and a product look like.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "linkwork/codegen/expr_order.hpp"
#include "linkwork/codegen/latex_names.hpp"

namespace linkwork {

// How tightly a piece of writing holds together; a place asks for at least some level, else brackets are put around.
enum class Binding { sum, product, function, power, atom };

struct Piece {
  std::string text;
  Expr e;
  Binding at_least = Binding::sum;
  bool is_text = true;
};

// Writes from left to right with a list of pieces still to write, so that deep expressions need no deep call stack.
class InfixWriter {
 public:
  virtual ~InfixWriter() = default;

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
    std::vector<Fraction> terms = termsOf(e);
    arrange(terms);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (i > 0) put(signBetween(terms[i].negative));
      if (i == 0 && terms[i].negative) put(signInFront());
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

  // The order of terms and of the factors in them; as termsOf gives it unless a writer knows better.
  virtual void arrange(std::vector<Fraction>& /*terms*/) const {}
  virtual std::string signBetween(bool negative) const { return negative ? " - " : " + "; }
  virtual std::string signInFront() const { return "-"; }
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

// "sqrt", "sin", ...: the words of our own text. Throws ContractError for what is no function.
const char* functionName(ExprKind kind);
// f, f', f'' for a table and its derivatives.
std::string tableName(const Expr& e);

// Infix as a person types it: m1*(x - a*cos(phi2)^2).
class TextWriter : public InfixWriter {
 protected:
  Binding putNumber(double value) override {
    put(numberText(value));
    return Binding::atom;
  }

  Binding putSymbol(const std::string& name) override {
    put(symbolText(name));
    return Binding::atom;
  }

  virtual std::string symbolText(const std::string& name) const { return name; }
  virtual std::string times() const { return "*"; }

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
      if (i > 0 || with_number) put(times());
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

class LatexWriter : public InfixWriter {
 protected:
  Binding putNumber(double value) override {
    const std::string number = numberLatex(value);
    put(number);
    return number.find(' ') == std::string::npos && number.find('^') == std::string::npos ? Binding::atom
                                                                                          : Binding::product;
  }

  Binding putSymbol(const std::string& name) override {
    put(symbolIn(name));
    return Binding::atom;
  }

  virtual std::string symbolIn(const std::string& name) const { return symbolLatex(name); }

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

}  // namespace linkwork
