#include "linkwork/read/model_file/reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace linkwork::model_file {

namespace {

// With more errors than this, near names are no longer looked for: ten thousand times ten thousand take a minute.
constexpr int kMostSuggestions = 200;

Dimension dimensionOfUnit(std::string_view unit) {
  const auto parsed = parseUnit(unit);
  return std::holds_alternative<Unit>(parsed) ? std::get<Unit>(parsed).dimension : dimension::kNumber;
}

// Who writes degrees and forgets to say so gets radians.
void noteManyTurns(const Node& node, const std::string& what, Diagnostics& diagnostics) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  if (!(std::abs(node.number) > kTurn * (1.0 + 1e-9))) return;
  diagnostics.note(node.source,
                   fmt::format("{}: {} without a unit is {} rad, {:.3g} turns.", what, node.number, node.number,
                               node.number / kTurn),
                   fmt::format("Write \"{0} deg\" if degrees are meant, \"{0} rad\" if not.", node.number));
}

class ReaderScope : public Scope {
 public:
  ReaderScope(const Reader& reader, Level level) : reader_(reader), level_(level) {}

  std::optional<NamedValue> find(std::string_view name) const override {
    const auto parameter = reader_.parameters.find(name);
    if (parameter != reader_.parameters.end()) {
      NamedValue value;
      value.expr = Expr::symbol(std::string(name));
      value.dimension = parameter->second.dimension;
      value.number = parameter->second.number;
      value.broken = parameter->second.broken;
      return value;
    }
    if (name == "t") return time();
    const auto input = reader_.inputs.find(name);
    if (input != reader_.inputs.end()) return inputValue(name, input->second);
    const auto letter = reader_.letters.find(name);
    if (letter != reader_.letters.end()) return letterValue(name, letter->second);
    if (reader_.repeat_names.contains(name)) {
      NamedValue value;
      value.refusal = fmt::format("{} is an index of [repeat]: write {{{}}}", name, name);
      return value;
    }
    const std::string_view owner = name.substr(0, name.find('.'));
    if (owner.size() == name.size()) return std::nullopt;
    if (isBroken(owner)) {
      NamedValue value;
      value.broken = true;
      return value;
    }
    return quantity(name);
  }

  std::vector<std::string> candidates() const override {
    std::vector<std::string> names;
    if (!reader_.wantsSuggestions()) return names;
    if (level_ == Level::quantities) {
      names = quantityNames(reader_.mechanism);
    } else if (level_ == Level::time) {
      names.emplace_back("t");
    }
    names.emplace_back("pi");
    if (level_ != Level::constants) {
      for (const auto& [name, input] : reader_.inputs) names.push_back(name);
    }
    if (level_ == Level::quantities) {
      for (const auto& [name, letter] : reader_.letters) names.push_back(name);
    }
    for (const auto& [name, parameter] : reader_.parameters) names.push_back(name);
    return names;
  }

  const TableFunction* findTable(std::string_view name) const override {
    const auto found = reader_.tables.find(name);
    return found == reader_.tables.end() ? nullptr : &found->second;
  }
  std::vector<std::string> tableNames() const override { return namesOf(reader_.tables); }

 private:
  // The dimension of t is left open, so that "sin(t)" and "2*t" need no units.
  std::optional<NamedValue> time() const {
    NamedValue value;
    value.expr = Expr::symbol("t");
    if (level_ == Level::constants) value.refusal = "t is the time, but this value must be constant";
    return value;
  }

  std::optional<NamedValue> inputValue(std::string_view name, const KnownInput& input) const {
    NamedValue value;
    const bool by_name = reader_.session.options.inputs == InputsAs::names;
    value.expr = by_name ? Expr::symbol(std::string(name)) : input.value;
    value.dimension = input.dimension;
    value.broken = input.broken;
    if (level_ == Level::constants)
      value.refusal = fmt::format("\"{}\" is an input, but this value must be constant", name);
    if (level_ == Level::time && !input.corner.empty())
      value.refusal =
          fmt::format("\"{}\" uses {}, which has a corner or a jump, and a drive must be smooth", name, input.corner);
    return value;
  }

  std::optional<NamedValue> letterValue(std::string_view name, const KnownLetter& letter) const {
    NamedValue value;
    value.expr = letter.value;
    value.dimension = letter.dimension;
    value.broken = letter.broken;
    if (level_ != Level::quantities)
      value.refusal = fmt::format("\"{}\" changes in time, but this value must be constant", name);
    return value;
  }

  std::optional<NamedValue> quantity(std::string_view name) const {
    const std::optional<Quantity> found = reader_.findQuantity(name);
    if (!found) return std::nullopt;
    NamedValue value;
    value.expr = Expr::symbol(quantityName(reader_.mechanism, *found));
    value.dimension = dimensionOfUnit(quantityUnit(reader_.mechanism, *found));
    if (level_ == Level::constants)
      value.refusal = fmt::format("\"{}\" changes in time, but this value must be constant", name);
    if (level_ == Level::time)
      value.refusal = fmt::format("\"{}\" may not stand in a drive: only t and parameters may", name);
    return value;
  }

  bool isBroken(std::string_view owner) const {
    const auto joint = reader_.joints.find(owner);
    return joint != reader_.joints.end() && joint->second.broken;
  }

  const Reader& reader_;
  Level level_;
};

// Keys that only files of the other kind know.
bool isOfOtherSpace(std::string_view key, Space space) {
  if (space == Space::spatial) return key == "angle";
  return key == "rotation" || key == "axes" || key == "normal" || key == "z" || key == "cylinder" || key == "tube" ||
         key == "capsule" || key == "sphere" || key == "parts";
}

// Whether an expression may stand where `expected` is wanted. A plain number takes any dimension. A written unit is
// held to the radian too where leaving it out is a likely slip: "5 Hz" is not 5 rad/s.
bool fits(const ParsedExpression& parsed, const Dimension& expected) {
  if (!parsed.dimension || isPureNumber(*parsed.dimension)) return true;
  if (!sameDimension(*parsed.dimension, expected)) return false;
  if (isPureNumber(expected)) return !isAngle(*parsed.dimension);
  return !(parsed.unit && isAngularRate(expected) && !isAngularRate(*parsed.unit));
}

}  // namespace

bool isSmooth(const CalledFunction& called) {
  if (called.table != nullptr) return called.table->isTwiceDifferentiable();
  const std::string_view function = called.name;
  return function != "abs" && function != "min" && function != "max" && function != "sign" && function != "select";
}

// --- messages
// ----------------------------------------------------------------------------------------------------------

void Reader::error(const Source& where, std::string message, std::string hint) {
  diagnostics.error(where, std::move(message), std::move(hint));
}

void Reader::errorInside(const Node& node, std::size_t offset, std::string message, std::string hint) {
  error(document.placeInside(node, offset), std::move(message), std::move(hint));
}

void Reader::wrongType(const Node& node, const std::string& what, std::string_view expected) {
  std::string found(describe(node.kind));
  if (node.kind == NodeKind::array) found = fmt::format("a list of {}", node.children.size());
  if (node.kind == NodeKind::text && node.text.size() <= 40) found = fmt::format("the string \"{}\"", node.text);
  if (node.isNumber()) found = fmt::format("the number {:g}", node.number);
  if (node.kind == NodeKind::boolean) found = node.flag ? "true" : "false";
  error(node.source, fmt::format("{}: expected {}, got {}.", what, expected, found));
}

bool Reader::checkKeys(const Node& table, const std::string& what, const std::vector<std::string>& allowed) {
  bool good = true;
  for (const Node& child : table.children) {
    if (std::find(allowed.begin(), allowed.end(), child.key) != allowed.end()) continue;
    const std::string nearest = child.key.size() > 100 ? std::string{} : nearestName(child.key, allowed);
    if (!nearest.empty()) misspelt_.emplace(&table, nearest);
    std::string hint = nearest.empty() ? std::string{} : fmt::format("Did you mean \"{}\"? ", nearest);
    if (isOfOtherSpace(child.key, mechanism.space))
      hint = fmt::format("\"{}\" is for files with space = \"{}\". ", child.key, inSpace() ? "planar" : "spatial");
    hint += fmt::format("Allowed here: {}.", fmt::join(allowed, ", "));
    error(child.key_source, fmt::format("{}: unknown key \"{}\".", what, child.key), std::move(hint));
    good = false;
  }
  return good;
}

const Node* Reader::required(const Node& table, std::string_view key, const std::string& what, std::string hint) {
  const Node* node = table.find(key);
  const bool excused = misspelt_.contains({&table, std::string(key)});
  if (node == nullptr && !excused)
    error(table.key_source, fmt::format("{}: {} is missing.", what, key), std::move(hint));
  return node;
}

bool Reader::checkTable(const Node& node, const std::string& what, std::string_view example) {
  if (node.kind == NodeKind::table) return true;
  wrongType(node, what, example);
  return false;
}

bool Reader::checkName(const Node& entry, std::string_view kind) {
  const bool has_control =
      std::any_of(entry.key.begin(), entry.key.end(), [](char c) { return (c >= 0 && c < 0x20) || c == 0x7F; });
  if (entry.key.empty()) {
    error(entry.key_source, fmt::format("a {} needs a name.", kind));
  } else if (has_control) {
    error(entry.key_source, fmt::format("the name of a {} may not hold control characters.", kind));
  } else if (entry.key.find('.') != std::string::npos) {
    error(entry.key_source, fmt::format("{} \"{}\": a name may not hold a dot.", kind, entry.key),
          "The dot reads a quantity, as in \"crank.angle\".");
  } else {
    return true;
  }
  return false;
}

// --- names
// -------------------------------------------------------------------------------------------------------------

bool Reader::wantsSuggestions() const { return diagnostics.errorCount() < kMostSuggestions; }

std::string Reader::suggest(std::string_view name, const std::vector<std::string>& candidates) const {
  return name.size() > 100 || !wantsSuggestions() ? std::string{} : didYouMean(name, candidates);
}

std::optional<Quantity> Reader::findQuantity(std::string_view name) const {
  const std::string_view owner = name.substr(0, name.find('.'));
  const auto body = bodies.find(owner);
  const auto joint = joints.find(owner);
  // A body's quantities hide those of a joint of the same name, which is an error anyway.
  if (body != bodies.end()) return quantityOf(mechanism, body->second.index, name);
  if (joint != joints.end() && !joint->second.broken) return quantityOf(mechanism, joint->second.index, name);
  return std::nullopt;
}

// --- values
// ------------------------------------------------------------------------------------------------------------

std::optional<ParsedExpression> Reader::parse(const Node& node, const std::string& what, Level level) {
  return parse(node, what, level, level == Level::constants ? Numbers::pure : Numbers::adapting);
}

std::optional<ParsedExpression> Reader::parse(const Node& node, const std::string& what, Level level, Numbers numbers) {
  if (node.isNumber()) {
    if (!std::isfinite(node.number)) {
      error(node.source, fmt::format("{}: expected a finite number, got {}.", what, node.number));
      return std::nullopt;
    }
    ParsedExpression plain;
    plain.expr = node.number;
    plain.number = node.number;
    return plain;
  }
  if (node.kind != NodeKind::text) {
    wrongType(node, what, "a number or a string such as \"12 mm\" or \"2*L\"");
    return std::nullopt;
  }
  const auto parsed = parseQuantity(node.text, ReaderScope(*this, level), numbers);
  if (const TextError* text_error = std::get_if<TextError>(&parsed)) {
    errorInside(node, text_error->offset, fmt::format("{}: {}.", what, text_error->message), text_error->hint);
    return std::nullopt;
  }
  return std::get<ParsedExpression>(parsed);
}

std::optional<Value> Reader::constant(const Node& node, const Dimension& expected, const std::string& what) {
  const std::optional<ParsedExpression> parsed = parse(node, what, Level::constants);
  if (!parsed || parsed->broken) return std::nullopt;
  if (!fits(*parsed, expected)) {
    error(node.source, fmt::format("{}: expected {}, got {}.", what, describe(expected), describe(*parsed->dimension)));
    return std::nullopt;
  }
  if (node.isNumber() && isAngle(expected)) noteManyTurns(node, what, diagnostics);
  return Value(*parsed->number, parsed->expr);
}

std::optional<Value> Reader::positive(const Node& node, const Dimension& expected, const std::string& what) {
  std::optional<Value> value = constant(node, expected, what);
  if (!value || value->number > 0) return value;
  error(node.source, fmt::format("{} must be positive, got {:g}.", what, value->number));
  return std::nullopt;
}

std::optional<Value> Reader::notNegative(const Node& node, const Dimension& expected, const std::string& what) {
  std::optional<Value> value = constant(node, expected, what);
  if (!value || value->number >= 0) return value;
  error(node.source, fmt::format("{} must not be negative, got {:g}.", what, value->number));
  return std::nullopt;
}

std::optional<Point> Reader::pair(const Node& node, const Dimension& expected, const std::string& what) {
  if (node.kind != NodeKind::array || node.children.size() != 2) {
    wrongType(node, what, "a list of two, [x, y]");
    return std::nullopt;
  }
  const std::optional<Value> x = constant(node.children[0], expected, "x of " + what);
  const std::optional<Value> y = constant(node.children[1], expected, "y of " + what);
  if (!x || !y) return std::nullopt;
  return Point{*x, *y};
}

std::optional<Point> Reader::coordinates(const Node& node, const Dimension& expected, const std::string& what) {
  if (!inSpace()) return pair(node, expected, what);
  if (node.kind != NodeKind::array || node.children.size() != 3) {
    wrongType(node, what, "a list of three, [x, y, z]");
    return std::nullopt;
  }
  const std::optional<Value> x = constant(node.children[0], expected, "x of " + what);
  const std::optional<Value> y = constant(node.children[1], expected, "y of " + what);
  const std::optional<Value> z = constant(node.children[2], expected, "z of " + what);
  if (!x || !y || !z) return std::nullopt;
  return Point{*x, *y, *z};
}

std::optional<Expr> Reader::formula(const Node& node, const std::optional<Dimension>& expected, const std::string& what,
                                    Level level) {
  const std::optional<ParsedExpression> parsed = parse(node, what, level);
  if (!parsed || parsed->broken) return std::nullopt;
  if (level == Level::time) {
    for (const CalledFunction& call : parsed->calls) {
      if (isSmooth(call)) continue;
      const bool of_table = call.table != nullptr;
      errorInside(node, call.offset,
                  fmt::format("{}: {}{} has a corner or a jump, and a drive must be smooth.", what,
                              of_table ? "table " : "", call.name),
                  of_table ? "Give the table kind = \"cubic\" and outside = \"extend\" or \"error\"."
                           : "Use a formula that can be differentiated twice.");
      return std::nullopt;
    }
  }
  if (expected && !fits(*parsed, *expected)) {
    error(node.source,
          fmt::format("{}: expected {}, got {}.", what, describe(*expected), describe(*parsed->dimension)));
    return std::nullopt;
  }
  return parsed->expr;
}

std::optional<std::string> Reader::word(const Node& node, const std::string& what) {
  if (node.kind == NodeKind::text) return node.text;
  wrongType(node, what, "a string");
  return std::nullopt;
}

std::optional<std::size_t> Reader::choice(const Node& node, const std::string& what,
                                          const std::vector<std::string>& words) {
  const std::optional<std::string> text = word(node, what);
  if (!text) return std::nullopt;
  const auto found = std::find(words.begin(), words.end(), *text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  std::string hint = suggest(*text, words);
  if (!hint.empty()) hint += " ";
  hint += fmt::format("Allowed here: {}.", fmt::join(words, ", "));
  error(node.source, fmt::format("{}: unknown word \"{}\".", what, *text), std::move(hint));
  return std::nullopt;
}

std::optional<bool> Reader::flag(const Node& node, const std::string& what) {
  if (node.kind == NodeKind::boolean) return node.flag;
  wrongType(node, what, "true or false");
  return std::nullopt;
}

}  // namespace linkwork::model_file
