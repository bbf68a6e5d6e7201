// Formulas of the model file: text to Expr, with dimensions checked and every error at its character. Nothing is
// executed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "linkwork/read/units.hpp"
#include "linkwork/scalar/expr.hpp"

namespace linkwork {

// What a name in a formula stands for.
struct NamedValue {
  Expr expr{0.0};
  std::optional<Dimension> dimension;  // nullopt: takes whatever dimension it needs
  std::optional<double> number;        // if it is constant
  bool broken = false;                 // its own definition failed, which has been reported: say nothing more
  std::string refusal;                 // not empty: the name exists but may not stand here, and this is why
};

// A table of the file, called like a function of one argument.
struct TableFunction {
  TablePointer table;
  std::optional<Dimension> x, y;  // of the argument and of the value; nullopt: any
  bool broken = false;            // as above
};

// The names a formula may use.
class Scope {
 public:
  virtual ~Scope() = default;
  virtual std::optional<NamedValue> find(std::string_view name) const = 0;
  virtual std::vector<std::string> candidates() const = 0;  // for "did you mean"
  virtual const TableFunction* findTable(std::string_view /*name*/) const { return nullptr; }
  virtual std::vector<std::string> tableNames() const { return {}; }
};

// pure: a plain number in a product has no dimension, so "2*L" is a length. For constants.
// adapting: a plain number has the dimension it needs, so "-0.4*crank.angle_rate" may be a torque. For loads, drives,
// events.
enum class Numbers { pure, adapting };

struct CalledFunction {
  std::string name;
  std::size_t offset = 0;
  const Table* table = nullptr;  // if it is one
};

struct ParsedExpression {
  Expr expr{0.0};
  std::optional<Dimension> dimension;  // nullopt: fits anywhere
  std::optional<double> number;        // if everything in it is constant
  bool broken = false;                 // uses a name whose definition failed
  bool has_names = false;
  std::optional<Dimension> unit;  // the text was a number and a unit
  std::vector<CalledFunction> calls;
};

inline constexpr std::size_t kLongestExpression = 4000;
inline constexpr int kDeepestExpression = 200;

// expression = sum of products of powers;  ^ binds tighter than unary minus and to the right;  "3 [mm]" is a number
// with a unit;  names are letters, digits and _, with a dot for a member, in single quotes where they hold other
// characters.
std::variant<ParsedExpression, TextError> parseExpression(std::string_view text, const Scope& scope, Numbers numbers);

// As above, but a text that is only a number and a unit, such as "12 mm", is that quantity.
std::variant<ParsedExpression, TextError> parseQuantity(std::string_view text, const Scope& scope, Numbers numbers);

// The names in such a text, functions and units left out; for finding out what depends on what. Never fails.
std::vector<std::string> namesIn(std::string_view text);

// "sin", "cos", ...
std::vector<std::string> functionNames();
bool isFunctionName(std::string_view name);
// Letters, digits and _, not starting with a digit; letters beyond ASCII count as letters.
bool isPlainName(std::string_view name);

}  // namespace linkwork
