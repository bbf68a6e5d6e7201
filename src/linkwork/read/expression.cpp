#include "linkwork/read/expression.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <system_error>
#include <utility>

#include "linkwork/base/diagnostics.hpp"
#include "linkwork/read/expression_tokens.hpp"

namespace linkwork {

namespace {

// A part of a formula: its graph, its dimension (nullopt: any) and, if constant, its number.
struct Operand {
  Expr expr{0.0};
  std::optional<Dimension> dimension;
  std::optional<double> number;
  std::size_t offset = 0;
};

enum class Rule {
  angle,        // an angle or plain number in, plain number out
  to_angle,     // plain number in, angle out
  to_angle_of,  // two of one dimension in, angle out
  number,       // plain number in and out
  root,         // half the exponents
  keep,         // the dimension of the argument
  to_number,    // anything in, plain number out
  join,         // arguments of one dimension, which is the result's
  power,
  select,  // anything, then two of one dimension
};

struct Function {
  const char* name;
  ExprKind kind;
  std::size_t arguments;
  Rule rule;
  double (*value)(const double* x);
};

double signOf(double x) { return x > 0 ? 1.0 : (x < 0 ? -1.0 : 0.0); }

constexpr std::array kFunctions{
    Function{"sin", ExprKind::Sin, 1, Rule::angle, [](const double* x) { return std::sin(x[0]); }},
    Function{"cos", ExprKind::Cos, 1, Rule::angle, [](const double* x) { return std::cos(x[0]); }},
    Function{"tan", ExprKind::Tan, 1, Rule::angle, [](const double* x) { return std::tan(x[0]); }},
    Function{"asin", ExprKind::Asin, 1, Rule::to_angle, [](const double* x) { return std::asin(x[0]); }},
    Function{"acos", ExprKind::Acos, 1, Rule::to_angle, [](const double* x) { return std::acos(x[0]); }},
    Function{"atan", ExprKind::Atan, 1, Rule::to_angle, [](const double* x) { return std::atan(x[0]); }},
    Function{"atan2", ExprKind::Atan2, 2, Rule::to_angle_of, [](const double* x) { return std::atan2(x[0], x[1]); }},
    Function{"sinh", ExprKind::Sinh, 1, Rule::number, [](const double* x) { return std::sinh(x[0]); }},
    Function{"cosh", ExprKind::Cosh, 1, Rule::number, [](const double* x) { return std::cosh(x[0]); }},
    Function{"tanh", ExprKind::Tanh, 1, Rule::number, [](const double* x) { return std::tanh(x[0]); }},
    Function{"exp", ExprKind::Exp, 1, Rule::number, [](const double* x) { return std::exp(x[0]); }},
    Function{"log", ExprKind::Log, 1, Rule::number, [](const double* x) { return std::log(x[0]); }},
    Function{"sqrt", ExprKind::Sqrt, 1, Rule::root, [](const double* x) { return std::sqrt(x[0]); }},
    Function{"abs", ExprKind::Abs, 1, Rule::keep, [](const double* x) { return std::abs(x[0]); }},
    Function{"sign", ExprKind::Sign, 1, Rule::to_number, [](const double* x) { return signOf(x[0]); }},
    Function{"min", ExprKind::Min, 2, Rule::join, [](const double* x) { return x[1] < x[0] ? x[1] : x[0]; }},
    Function{"max", ExprKind::Max, 2, Rule::join, [](const double* x) { return x[0] < x[1] ? x[1] : x[0]; }},
    Function{"pow", ExprKind::Pow, 2, Rule::power, [](const double* x) { return std::pow(x[0], x[1]); }},
    Function{"select", ExprKind::Select, 3, Rule::select, [](const double* x) { return x[0] >= 0 ? x[1] : x[2]; }},
};

const Function* findFunction(std::string_view name) {
  for (const Function& function : kFunctions) {
    if (name == function.name) return &function;
  }
  return nullptr;
}

bool unlikeNumber(const std::optional<Dimension>& dimension) {
  return dimension && !sameDimension(*dimension, dimension::kNumber);
}

// Pratt parser. The first error stops it: error_ is set and every function returns an empty term from then on.
class Parser {
 public:
  Parser(std::string_view text, const Scope& scope, Numbers numbers)
      : text_(text), scope_(scope), numbers_(numbers), tokeniser_(text) {
    advance();
  }

  std::variant<ParsedExpression, TextError> parse() {
    if (text_.size() > kLongestExpression) {
      return TextError{0, fmt::format("the expression is longer than {} characters", kLongestExpression), {}};
    }
    const Operand term = sum();
    if (!error_ && token_.kind != TokenKind::end) unexpected();
    if (error_) return *error_;
    result_.expr = term.expr;
    result_.dimension = term.dimension;
    result_.number = term.number;
    return std::move(result_);
  }

 private:
  void advance() {
    previous_ = token_;
    token_ = tokeniser_.next();
  }

  bool isSymbol(std::string_view symbol) const { return token_.kind == TokenKind::symbol && token_.text == symbol; }

  Operand fail(std::size_t offset, std::string message, std::string hint = {}) {
    if (!error_) error_ = TextError{offset, std::move(message), std::move(hint)};
    return {};
  }

  Operand unexpected() {
    switch (token_.kind) {
      case TokenKind::bad: return fail(token_.offset, token_.text);
      case TokenKind::end:
        return fail(token_.offset, text_.find_first_not_of(" \t\r\n") == std::string_view::npos
                                       ? "the expression is empty"
                                       : "the expression ends too early");
      case TokenKind::unit: return fail(token_.offset, "a unit in brackets follows a number", "Write \"3 [mm]\".");
      case TokenKind::number: return fail(token_.offset, "an operator is missing here", "Write a product with \"*\".");
      case TokenKind::name: return missingOperator();
      case TokenKind::symbol: break;
    }
    if (token_.text == "**") return fail(token_.offset, "unexpected \"**\"", "Write a power with \"^\".");
    return fail(token_.offset, fmt::format("unexpected \"{}\"", token_.text));
  }

  Operand missingOperator() {
    const std::string before(text_.substr(previous_.offset, previous_.length));
    if (previous_.kind == TokenKind::number && findUnit(token_.text) && !scope_.find(token_.text)) {
      return fail(token_.offset, "a unit inside an expression stands in brackets",
                  fmt::format("Write \"{} [{}]\".", before, token_.text));
    }
    return fail(token_.offset, fmt::format("an operator is missing before \"{}\"", token_.text),
                fmt::format("Write \"{}*{}\".", before, token_.text));
  }

  Operand sum() {
    Operand left = product();
    while (!error_ && (isSymbol("+") || isSymbol("-"))) {
      const bool adds = token_.text == "+";
      const std::size_t offset = token_.offset;
      advance();
      const Operand right = product();
      if (error_) return {};
      const auto dimension = joined(left, right, offset, adds ? "added" : "subtracted");
      if (error_) return {};
      left = {adds ? left.expr + right.expr : left.expr - right.expr, dimension,
              combine(left, right, [adds](double a, double b) { return adds ? a + b : a - b; }), left.offset};
      checkFinite(left, offset);
    }
    return left;
  }

  Operand product() {
    Operand left = unary();
    while (!error_ && (isSymbol("*") || isSymbol("/"))) {
      const bool multiplies = token_.text == "*";
      const std::size_t offset = token_.offset;
      advance();
      const Operand right = unary();
      if (error_) return {};
      if (!multiplies && right.number && *right.number == 0.0) return fail(offset, "division by zero");
      std::optional<Dimension> dimension;
      if (left.dimension && right.dimension) {
        dimension = multiplies ? *left.dimension * *right.dimension : *left.dimension / *right.dimension;
      }
      left = {multiplies ? left.expr * right.expr : left.expr / right.expr, dimension,
              combine(left, right, [multiplies](double a, double b) { return multiplies ? a * b : a / b; }),
              left.offset};
      checkFinite(left, offset);
    }
    return left;
  }

  Operand unary() {
    if (++depth_ > kDeepestExpression) {
      return fail(token_.offset, fmt::format("the expression is nested deeper than {} levels", kDeepestExpression));
    }
    Operand term;
    if (isSymbol("+") || isSymbol("-")) {
      const bool negates = token_.text == "-";
      const std::size_t offset = token_.offset;
      advance();
      term = unary();
      if (negates) {
        term.expr = -term.expr;
        if (term.number) term.number = -*term.number;
      }
      term.offset = offset;
    } else {
      term = power();
    }
    --depth_;
    return term;
  }

  Operand power() {
    Operand base = primary();
    if (error_ || !isSymbol("^")) return base;
    const std::size_t offset = token_.offset;
    advance();
    const Operand exponent = unary();
    if (error_) return {};
    return raised(base, exponent, offset);
  }

  Operand raised(const Operand& base, const Operand& exponent, std::size_t offset) {
    if (unlikeNumber(exponent.dimension)) {
      return fail(exponent.offset, fmt::format("an exponent is a plain number, got {}", describe(*exponent.dimension)));
    }
    Operand result;
    result.offset = base.offset;
    if (base.dimension && isPureNumber(*base.dimension)) {
      result.dimension = base.dimension;
    } else if (base.dimension && exponent.number) {
      result.dimension = linkwork::power(*base.dimension, *exponent.number);
    }
    result.number = combine(base, exponent, [](double a, double b) { return std::pow(a, b); });
    checkFinite(result, offset);
    if (!error_) result.expr = pow(base.expr, exponent.expr);
    return result;
  }

  Operand primary() {
    if (token_.kind == TokenKind::number) return number();
    if (token_.kind == TokenKind::name) return name();
    if (!isSymbol("(")) return unexpected();
    const std::size_t offset = token_.offset;
    advance();
    Operand inner = sum();
    if (error_) return {};
    if (!isSymbol(")")) {
      return token_.kind == TokenKind::end ? fail(offset, "the closing \")\" is missing") : unexpected();
    }
    advance();
    inner.offset = offset;
    return inner;
  }

  Operand number() {
    Operand term{token_.number, std::nullopt, token_.number, token_.offset};
    if (numbers_ == Numbers::pure) term.dimension = dimension::kNumber;
    advance();
    if (token_.kind == TokenKind::unit) {
      const auto unit = parseUnit(token_.text);
      if (const TextError* error = std::get_if<TextError>(&unit)) {
        return fail(token_.offset + 1 + error->offset, error->message, error->hint);
      }
      const double si = toSi(*term.number, std::get<Unit>(unit));
      term = {si, std::get<Unit>(unit).dimension, si, term.offset};
      checkFinite(term, term.offset);
      advance();
    }
    return term;
  }

  Operand name() {
    const Token word = token_;
    advance();
    if (isSymbol("(")) return call(word);
    if (word.text == "pi") {
      const std::optional<Dimension> pure =
          numbers_ == Numbers::pure ? std::optional(dimension::kNumber) : std::nullopt;
      return {std::numbers::pi, pure, std::numbers::pi, word.offset};
    }
    const std::optional<NamedValue> value = scope_.find(word.text);
    if (!value) return unknownName(word);
    if (!value->refusal.empty()) return fail(word.offset, value->refusal);
    result_.has_names = true;
    result_.broken = result_.broken || value->broken;
    if (value->broken) return {Expr(1.0), std::nullopt, std::nullopt, word.offset};
    return {value->expr, value->dimension, value->number, word.offset};
  }

  Operand unknownName(const Token& word) {
    if (findFunction(word.text) != nullptr) {
      return fail(word.offset, fmt::format("\"{}\" is a function", word.text),
                  fmt::format("Write \"{}(...)\".", word.text));
    }
    if (scope_.findTable(word.text) != nullptr) {
      return fail(word.offset, fmt::format("\"{}\" is a table", word.text),
                  fmt::format("Write \"{}(...)\".", word.text));
    }
    std::string hint = word.text.size() > 100 ? std::string{} : didYouMean(word.text, scope_.candidates());
    if (hint.empty() && findUnit(word.text))
      hint = fmt::format("A unit stands in brackets after a number: \"3 [{}]\".", word.text);
    return fail(word.offset, fmt::format("unknown name \"{}\"", word.text), std::move(hint));
  }

  Operand call(const Token& word) {
    const Function* function = findFunction(word.text);
    const TableFunction* table = function == nullptr ? scope_.findTable(word.text) : nullptr;
    if (function == nullptr && table == nullptr) return unknownFunction(word);
    result_.calls.push_back({word.text, word.offset, table == nullptr ? nullptr : table->table.get()});
    advance();
    std::vector<Operand> arguments;
    if (!isSymbol(")")) {
      arguments.push_back(sum());
      while (!error_ && isSymbol(",")) {
        advance();
        arguments.push_back(sum());
      }
    }
    if (error_) return {};
    if (!isSymbol(")")) {
      return token_.kind == TokenKind::end
                 ? fail(word.offset, fmt::format("the closing \")\" of {} is missing", word.text))
                 : unexpected();
    }
    advance();
    const std::size_t wanted = function == nullptr ? 1 : function->arguments;
    if (arguments.size() != wanted) {
      return fail(word.offset, fmt::format("{} takes {} argument{}, got {}", word.text, wanted, wanted == 1 ? "" : "s",
                                           arguments.size()));
    }
    return function == nullptr ? look(word, *table, arguments[0]) : apply(*function, arguments, word.offset);
  }

  Operand unknownFunction(const Token& word) {
    std::vector<std::string> known = functionNames();
    for (std::string& name : scope_.tableNames()) known.push_back(std::move(name));
    std::string hint = word.text.size() > 100 ? std::string{} : didYouMean(word.text, known);
    return fail(word.offset, fmt::format("unknown function \"{}\"", word.text), std::move(hint));
  }

  // The value of a table.
  Operand look(const Token& word, const TableFunction& table, const Operand& argument) {
    result_.has_names = true;
    result_.broken = result_.broken || table.broken;
    if (table.broken) return {Expr(1.0), std::nullopt, std::nullopt, word.offset};
    const bool plain = !argument.dimension || isPureNumber(*argument.dimension);
    if (table.x && !plain && !sameDimension(*argument.dimension, *table.x)) {
      return fail(argument.offset, fmt::format("table \"{}\" takes {}, got {}", word.text, describe(*table.x),
                                               describe(*argument.dimension)));
    }
    Operand result{applyTable(table.table, 0, argument.expr), table.y, std::nullopt, word.offset};
    if (argument.number) result.number = applyTable(table.table, 0, *argument.number);
    if (result.number && !std::isfinite(*result.number))
      return fail(word.offset, fmt::format("table \"{}\" does not reach to {:g}", word.text, *argument.number));
    return result;
  }

  Operand apply(const Function& function, const std::vector<Operand>& arguments, std::size_t offset) {
    if (function.rule == Rule::power) {
      Operand raised_term = raised(arguments[0], arguments[1], offset);
      raised_term.offset = offset;
      return raised_term;
    }
    Operand result;
    result.offset = offset;
    result.dimension = dimensionOf(function, arguments, offset);
    if (error_) return {};
    std::array<double, 3> x{};
    std::vector<Expr> operands;
    bool constant = true;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      operands.push_back(arguments[i].expr);
      constant = constant && arguments[i].number.has_value();
      if (arguments[i].number) x[i] = *arguments[i].number;
    }
    if (constant) result.number = function.value(x.data());
    if (result.number && !std::isfinite(*result.number)) {
      return fail(offset, fmt::format("{} of {:g} is not a finite number", function.name, x[0]));
    }
    result.expr = makeExpr(function.kind, operands);
    return result;
  }

  std::optional<Dimension> dimensionOf(const Function& function, const std::vector<Operand>& arguments,
                                       std::size_t offset) {
    const Operand& first = arguments[0];
    const auto takes = [&](const char* what) {
      if (unlikeNumber(first.dimension)) {
        fail(first.offset, fmt::format("{} takes {}, got {}", function.name, what, describe(*first.dimension)));
      }
    };
    switch (function.rule) {
      case Rule::angle: takes("an angle or a plain number"); return dimension::kNumber;
      case Rule::number: takes("a plain number"); return dimension::kNumber;
      case Rule::to_angle: takes("a plain number"); return dimension::kAngle;
      case Rule::to_angle_of: joined(first, arguments[1], offset, "compared"); return dimension::kAngle;
      case Rule::root:
        if (!first.dimension) return std::nullopt;
        return linkwork::power(*first.dimension, 0.5);
      case Rule::to_number: return dimension::kNumber;
      case Rule::join: return joined(first, arguments[1], offset, "compared");
      case Rule::select: return joined(arguments[1], arguments[2], offset, "chosen between");
      case Rule::keep:
      case Rule::power: break;
    }
    return first.dimension;
  }

  // The dimension of a sum; a plain number takes that of its neighbour.
  std::optional<Dimension> joined(const Operand& a, const Operand& b, std::size_t offset, const char* verb) {
    if (!a.dimension || isPureNumber(*a.dimension)) {
      if (!a.dimension && b.dimension && isPureNumber(*b.dimension)) return std::nullopt;
      return b.dimension;
    }
    if (!b.dimension || isPureNumber(*b.dimension)) return a.dimension;
    const bool alike = sameDimension(*a.dimension, *b.dimension);
    if (!alike) {
      fail(offset, fmt::format("{} and {} cannot be {}", describe(*a.dimension), describe(*b.dimension), verb));
    }
    return a.dimension;
  }

  template <class Operation>
  static std::optional<double> combine(const Operand& a, const Operand& b, Operation operation) {
    if (!a.number || !b.number) return std::nullopt;
    return operation(*a.number, *b.number);
  }

  void checkFinite(const Operand& term, std::size_t offset) {
    if (term.number && !std::isfinite(*term.number)) fail(offset, "the result is not a finite number");
  }

  std::string_view text_;
  const Scope& scope_;
  Numbers numbers_;
  Tokeniser tokeniser_;
  Token token_;
  Token previous_;
  int depth_ = 0;
  ParsedExpression result_;
  std::optional<TextError> error_;
};

// "12 mm" -> 12 and the offset of "mm"; nullopt if the text does not start like a number followed by a unit.
struct NumberAndRest {
  double number = 0.0;
  std::size_t rest = 0;
};

std::optional<NumberAndRest> leadingNumber(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t");
  if (start == std::string_view::npos) return std::nullopt;
  std::size_t digits = start;
  if (text[digits] == '+' || text[digits] == '-') ++digits;
  if (digits >= text.size() || !(text[digits] == '.' || (text[digits] >= '0' && text[digits] <= '9')))
    return std::nullopt;
  NumberAndRest result;
  const char* first = text.data() + digits;
  const auto [end, status] = std::from_chars(first, text.data() + text.size(), result.number);
  if (status != std::errc{}) return std::nullopt;
  if (text[start] == '-') result.number = -result.number;
  const std::size_t after = digits + static_cast<std::size_t>(end - first);
  result.rest = text.find_first_not_of(" \t", after);
  if (result.rest == std::string_view::npos) return std::nullopt;
  const bool unit_follows =
      startsName(text[result.rest]) || (result.rest > after && text.substr(result.rest, 2) == "1/");
  if (!unit_follows) return std::nullopt;
  // Anything that a unit cannot hold makes it an expression, whose parser knows what to say.
  for (std::size_t i = result.rest; i < text.size(); ++i) {
    const bool foreign = std::string_view("+,[]'.").find(text[i]) != std::string_view::npos;
    if (foreign || (text[i] == '-' && text[i - 1] != '^')) return std::nullopt;
  }
  return result;
}

}  // namespace

std::variant<ParsedExpression, TextError> parseExpression(std::string_view text, const Scope& scope, Numbers numbers) {
  return Parser(text, scope, numbers).parse();
}

std::variant<ParsedExpression, TextError> parseQuantity(std::string_view text, const Scope& scope, Numbers numbers) {
  const std::optional<NumberAndRest> start = leadingNumber(text);
  if (!start) return parseExpression(text, scope, numbers);
  const std::string_view unit_text = text.substr(start->rest);
  const auto unit = parseUnit(unit_text);
  if (const TextError* error = std::get_if<TextError>(&unit)) {
    const std::size_t word_end = unit_text.find_first_of(" */^()-");
    const std::string_view word = unit_text.substr(0, word_end);
    if (scope.find(word) || isFunctionName(word)) return parseExpression(text, scope, numbers);
    return TextError{start->rest + error->offset, error->message, error->hint};
  }
  const double si = toSi(start->number, std::get<Unit>(unit));
  if (!std::isfinite(si)) return TextError{0, "the result is not a finite number", {}};
  ParsedExpression result;
  result.expr = si;
  result.dimension = std::get<Unit>(unit).dimension;
  result.unit = result.dimension;
  result.number = si;
  return result;
}

std::vector<std::string> namesIn(std::string_view text) {
  std::vector<std::string> names;
  if (text.size() > kLongestExpression || leadingNumber(text)) return names;
  Tokeniser tokeniser(text);
  Token token = tokeniser.next();
  while (token.kind != TokenKind::end && token.kind != TokenKind::bad) {
    const Token following = tokeniser.next();
    const bool called = following.kind == TokenKind::symbol && following.text == "(";
    if (token.kind == TokenKind::name && !called) names.push_back(token.text);
    token = following;
  }
  return names;
}

std::vector<std::string> functionNames() {
  std::vector<std::string> names;
  names.reserve(kFunctions.size());
  for (const Function& function : kFunctions) names.emplace_back(function.name);
  return names;
}

bool isFunctionName(std::string_view name) { return findFunction(name) != nullptr; }

bool isPlainName(std::string_view name) {
  if (name.empty() || !startsName(name.front())) return false;
  for (const char c : name) {
    if (!continuesName(c)) return false;
  }
  return true;
}

}  // namespace linkwork
