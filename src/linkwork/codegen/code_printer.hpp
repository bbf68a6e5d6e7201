// CodePrinter: the steps of a program as a function in a programming language; one class per language derives from it.
//
// A function takes the parameters in one structure with the model's values as defaults, then the inputs as arrays, and
// gives back its outputs. All names are unique within a file and free of keywords of any of the languages.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "linkwork/codegen/infix_writer.hpp"
#include "linkwork/codegen/program_names.hpp"
#include "linkwork/codegen/program_steps.hpp"

namespace linkwork {

struct CodeArgument {
  std::string name;
  int size = -1;  // -1: one number
  bool used = false;
  std::string meaning;
};

class CodePrinter : protected InfixWriter {
 public:
  // Keeps a reference to the steps.
  explicit CodePrinter(const ProgramSteps& steps);

  std::string print();

 protected:
  // ---- what a language says
  virtual std::string indexed(const std::string& array, int index) const = 0;  // index from 0
  virtual std::string parameterText(const std::string& name) const = 0;
  virtual std::string numberText(double value) const = 0;  // not negative
  virtual std::string functionText(ExprKind kind) const = 0;
  virtual std::string comment(const std::string& words) const = 0;
  virtual std::string file() = 0;  // everything, with the help of what stands below

  // ---- for the languages
  const ProgramSteps& steps() const { return steps_; }
  const EquationProgram& program() const { return steps_.program; }
  const std::string& function() const { return function_; }
  const std::vector<CodeArgument>& arguments() const { return arguments_; }
  std::vector<const ProgramSymbol*> parameters() const;
  // The model's value of a parameter; what it is and its unit, as a comment to stand behind it (nothing to say: empty).
  std::string valueText(const ProgramSymbol& parameter) const;
  static std::string remarkOn(const ProgramSymbol& parameter, const char* opening, const char* closing = "");
  const std::string& plainName(const Expr& symbol) const { return plain_.at(symbol.name()); }
  const std::string& outputName(std::size_t k) const { return output_names_[k]; }
  std::string formula(const Expr& e) { return write(e); }
  bool uses(ExprKind kind) const { return used_.contains(kind); }
  bool hasSolve() const { return !steps_.solve.empty(); }
  bool inverts() const { return steps_.solve.kind == SolveKind::inverse; }
  int solveSize() const { return static_cast<int>(steps_.solve.size()); }
  int solveWidth() const { return static_cast<int>(steps_.solve.width); }
  // Head of the file: what it is, what goes in, what comes out.
  std::vector<std::string> headWords() const;
  std::string commentedHead() const;
  // The steps from..to of one kind, each made a statement by `statement(name, formula, is constant)`.
  template <class Statement>
  std::string statements(bool after_solve, const Statement& statement) {
    std::string out;
    bool constant = false;
    for (const ProgramStep& step : steps_.steps) {
      if (step.after_solve != after_solve) continue;
      if (step.constant && !constant) out += statementComment("depends on parameters alone");
      if (!step.constant && constant) out += statementComment("changes as the mechanism moves");
      constant = step.constant;
      out += statement(plainName(step.symbol), formula(step.value), step.constant);
    }
    return out;
  }
  virtual std::string statementComment(const std::string& words) const = 0;
  // Where a[i][j] = value; is how an entry is set: those of loop_A, loop_b, loop_P and loop_X, and those of the
  // outputs.
  std::string loopEntries(const std::string& indent);
  std::string outputEntries(const std::string& indent);

  // ---- InfixWriter
  void arrange(std::vector<Fraction>& terms) const override { arrangeForReading(steps_.program, terms); }
  Binding putNumber(double value) override;
  Binding putSymbol(const std::string& name) override;
  Binding putFunction(const Expr& e) override;
  Binding putPower(const Factor& factor) override;
  Binding putProduct(const Fraction& f) override;
  std::string opening() const override { return "("; }
  std::string closing() const override { return ")"; }
  // x^n for a whole n of 2 or 3; nothing: by products.
  virtual std::string powerSign() const { return {}; }

 private:
  void nameEverything();
  void putFactors(double number, const std::vector<Factor>& factors);
  // `cols` is 0 for a vector.
  std::string entry(const std::string& array, std::size_t cols, std::size_t k, const Expr& value,
                    const std::string& indent);

  const ProgramSteps& steps_;
  std::string function_;
  std::vector<CodeArgument> arguments_;
  std::vector<std::string> output_names_;
  std::map<std::string, std::string> plain_;    // internal name -> name in code
  std::map<std::string, std::string> symbols_;  // internal name -> how it is read in a formula
  std::set<ExprKind> used_;
};

// One statement broken into lines of readable length before " + " and " - "; `end_of_line` ends all but the last.
std::string brokenLines(const std::string& statement, const std::string& indent, const std::string& end_of_line,
                        bool operator_at_end);

// Words from a model file that may stand in a comment or docstring of any language.
std::string harmless(std::string words);

// The shortest decimal that reads back to the same double, with a point or an exponent.
std::string realNumberText(double value);

}  // namespace linkwork
