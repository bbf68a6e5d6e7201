// Conditions under which a run counts as failed, such as "drift > 1e-8 or O.force.x.max > 2 [kN]".
//
//   condition  = comparison { ("and" | "or") comparison }      "and" binds tighter
//   comparison = formula ("<" | "<=" | ">" | ">=" | "==" | "!=") formula
// The formulas are those of the model file (expression.hpp), over numbers of the ledger and extremes of series.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "linkwork/read/units.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

// A number of the ledger that a condition may name.
struct LedgerNumber {
  std::string name;
  Dimension dimension;
  double value = 0.0;
};

// All of them, of a result.
std::vector<LedgerNumber> ledgerNumbers(const Result& result);

class FailCondition {
 public:
  // Checks everything that can be checked before the run: names, dimensions, syntax. `series`: what will be recorded.
  static std::variant<FailCondition, TextError> parse(const std::string& text, const std::vector<Series>& series);

  // Empty if the condition does not hold; else which part of it holds, with the numbers. A value that is not a number
  // counts as a failure.
  std::string failure(const Result& result) const;

 private:
  enum class Operator { less, less_equal, greater, greater_equal, equal, not_equal };
  struct Comparison {
    std::string text, left, right;
    std::size_t left_offset = 0, right_offset = 0;
    Operator op = Operator::greater;
    bool after_or = false;  // begins a new group; groups are joined by "or"
  };
  static std::variant<std::vector<Comparison>, TextError> split(const std::string& text);
  static bool compare(double left, double right, Operator op);

  std::vector<Comparison> comparisons_;
};

}  // namespace linkwork
