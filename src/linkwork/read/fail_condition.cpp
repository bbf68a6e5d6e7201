#include "linkwork/read/fail_condition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <utility>

#include "linkwork/read/expression.hpp"

namespace linkwork {

namespace {

constexpr std::array<const char*, 4> kEnds{".min", ".max", ".absmax", ".end"};

double extremeOf(const std::vector<double>& values, std::string_view end) {
  if (values.empty()) return std::nan("");
  if (end == ".end") return values.back();
  double out = end == ".absmax" ? std::abs(values.front()) : values.front();
  for (const double value : values) {
    const double size = end == ".absmax" ? std::abs(value) : value;
    if (std::isnan(size)) return size;
    out = end == ".min" ? std::min(out, size) : std::max(out, size);
  }
  return out;
}

// What stands before the last dot, and the dot with what follows.
std::pair<std::string_view, std::string_view> splitEnd(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return {name, {}};
  return {name.substr(0, dot), name.substr(dot)};
}

// Names of a condition. Before the run no value is known; after it all are.
class ResultScope final : public Scope {
 public:
  ResultScope(std::vector<LedgerNumber> numbers, const std::vector<Series>& series, bool after)
      : numbers_(std::move(numbers)), series_(series), after_(after) {}

  std::optional<NamedValue> find(std::string_view name) const override {
    for (const LedgerNumber& number : numbers_) {
      if (number.name == name) return named(number.value, number.dimension);
    }
    const auto [series_name, end] = splitEnd(name);
    if (std::find(kEnds.begin(), kEnds.end(), end) == kEnds.end()) return whole(name);
    for (const Series& series : series_) {
      if (series.name != series_name) continue;
      const auto unit = parseUnit(series.unit.empty() ? "1" : series.unit);
      const Unit* known = std::get_if<Unit>(&unit);
      const double value = after_ ? extremeOf(series.values, end) : 1.0;
      // In SI, like everything in a formula.
      if (known != nullptr) return named(toSi(value, *known), known->dimension);
      return named(value, std::nullopt);
    }
    return whole(name);
  }

  std::vector<std::string> candidates() const override {
    std::vector<std::string> out;
    for (const LedgerNumber& number : numbers_) out.push_back(number.name);
    for (const Series& series : series_) {
      for (const char* end : kEnds) out.push_back(series.name + end);
    }
    return out;
  }

 private:
  // A series without saying which of its values.
  std::optional<NamedValue> whole(std::string_view name) const {
    for (const Series& series : series_) {
      if (series.name != name) continue;
      NamedValue out;
      out.refusal =
          fmt::format("\"{0}\" has a value at every sample; write {0}.max, {0}.min, {0}.absmax or {0}.end", name);
      return out;
    }
    return std::nullopt;
  }

  NamedValue named(double value, std::optional<Dimension> dimension) const {
    NamedValue out;
    out.expr = Expr(value);
    out.dimension = dimension;
    if (after_) out.number = value;
    return out;
  }

  std::vector<LedgerNumber> numbers_;
  const std::vector<Series>& series_;
  bool after_;
};

std::string trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return std::string(text);
}

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

// Whether the word stands at `place`, not as part of a longer one.
bool wordAt(std::string_view text, std::size_t place, std::string_view word) {
  return text.compare(place, word.size(), word) == 0 && (place == 0 || !isWordCharacter(text[place - 1])) &&
         (place + word.size() == text.size() || !isWordCharacter(text[place + word.size()]));
}

}  // namespace

std::vector<LedgerNumber> ledgerNumbers(const Result& result) {
  const Ledger& l = result.ledger;
  const auto count = [](auto value) { return static_cast<double>(value); };
  namespace d = dimension;
  constexpr Dimension kEnergy{2, 1, -2, 0};
  return {{"drift", d::kLength, l.worst_position},
          {"drift_at_end", d::kLength, l.final_position},
          {"velocity_drift", d::kVelocity, l.worst_velocity},
          {"acceleration_drift", d::kAcceleration, l.worst_acceleration},
          {"energy_drift", kEnergy, l.worst_energy_balance},
          {"energy_exchanged", kEnergy, l.energy_scale},
          {"energy_possible", kEnergy, l.possible_energy},
          {"reference_length", d::kLength, l.reference_length},
          {"rows", d::kNumber, count(l.rows)},
          {"rank", d::kNumber, count(l.rank)},
          {"redundant", d::kNumber, count(l.rows - l.rank)},
          {"degrees_of_freedom", d::kNumber, count(l.degrees_of_freedom)},
          {"degrees_of_freedom_of_positions", d::kNumber, count(l.position_degrees_of_freedom)},
          {"smallest_pivot", d::kNumber, l.smallest_pivot},
          {"rank_changes", d::kNumber, count(l.rank_changes.size())},
          {"joints_not_unique", d::kNumber, count(l.joints_not_unique.size())},
          {"steps", d::kNumber, count(l.steps)},
          {"refused", d::kNumber, count(l.rejected)},
          {"stiff", d::kNumber, count(l.stiff_steps)},
          {"evaluations", d::kNumber, count(l.evaluations)},
          {"projection_solves", d::kNumber, count(l.projection_solves)},
          {"penalty_iterations", d::kNumber, count(l.penalty_iterations)},
          {"repartitions", d::kNumber, count(l.repartitions)},
          {"restarts", d::kNumber, count(l.restarts)},
          {"jumps", d::kNumber, count(l.jumps)},
          {"jump_energy", kEnergy, l.jump_energy},
          {"retaken", d::kNumber, count(l.retaken)},
          {"missed", d::kNumber, count(l.missed_spikes.size())},
          {"smallest_step", d::kTime, l.smallest_step},
          {"largest_step", d::kTime, l.largest_step},
          {"linear_residual", d::kNumber, l.worst_linear_residual},
          {"events", d::kNumber, count(result.events.size())},
          {"samples", d::kNumber, count(result.time.size())},
          {"end_time", d::kTime, result.time.empty() ? 0.0 : result.time.back()}};
}

std::variant<std::vector<FailCondition::Comparison>, TextError> FailCondition::split(const std::string& text) {
  constexpr std::array<std::pair<std::string_view, Operator>, 6> kOperators{{{"<=", Operator::less_equal},
                                                                             {">=", Operator::greater_equal},
                                                                             {"==", Operator::equal},
                                                                             {"!=", Operator::not_equal},
                                                                             {"<", Operator::less},
                                                                             {">", Operator::greater}}};
  std::vector<Comparison> out(1);
  std::size_t from = 0;       // of the comparison
  std::size_t side_from = 0;  // of its present side
  bool compared = false;
  const auto close = [&](std::size_t to) -> std::optional<TextError> {
    if (!compared)
      return TextError{from, fmt::format("\"{}\" compares nothing", trimmed(text.substr(from, to - from))),
                       "Write \"drift > 1e-8\"."};
    out.back().right = text.substr(side_from, to - side_from);
    out.back().right_offset = side_from;
    out.back().text = trimmed(text.substr(from, to - from));
    return std::nullopt;
  };
  bool quoted = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '\'') quoted = !quoted;
    if (quoted) continue;
    const bool is_or = wordAt(text, k, "or");
    if (is_or || wordAt(text, k, "and")) {
      if (auto error = close(k)) return *error;
      from = side_from = k + (is_or ? 2 : 3);
      out.emplace_back();
      out.back().after_or = is_or;
      compared = false;
      continue;
    }
    const auto found = std::find_if(kOperators.begin(), kOperators.end(), [&](const auto& candidate) {
      return text.compare(k, candidate.first.size(), candidate.first) == 0;
    });
    if (found == kOperators.end()) continue;
    if (compared) return TextError{k, "two comparisons in a row", "Join them with \"and\"."};
    out.back().left = text.substr(side_from, k - side_from);
    out.back().left_offset = side_from;
    out.back().op = found->second;
    compared = true;
    k += found->first.size() - 1;
    side_from = k + 1;
  }
  if (auto error = close(text.size())) return *error;
  return out;
}

std::variant<FailCondition, TextError> FailCondition::parse(const std::string& text,
                                                            const std::vector<Series>& series) {
  auto parts = split(text);
  if (const TextError* error = std::get_if<TextError>(&parts)) return *error;
  FailCondition out;
  out.comparisons_ = std::get<std::vector<Comparison>>(std::move(parts));
  const ResultScope scope(ledgerNumbers({}), series, false);
  for (const Comparison& comparison : out.comparisons_) {
    std::array<std::optional<Dimension>, 2> dimensions;
    for (const bool right : {false, true}) {
      auto parsed = parseExpression(right ? comparison.right : comparison.left, scope, Numbers::adapting);
      if (TextError* error = std::get_if<TextError>(&parsed)) {
        error->offset += right ? comparison.right_offset : comparison.left_offset;
        return *error;
      }
      dimensions[right ? 1 : 0] = std::get<ParsedExpression>(parsed).dimension;
    }
    if (dimensions[0] && dimensions[1] && !sameDimension(*dimensions[0], *dimensions[1])) {
      return TextError{comparison.right_offset,
                       fmt::format("{} is compared with {}", describe(*dimensions[0]), describe(*dimensions[1])),
                       {}};
    }
  }
  return out;
}

bool FailCondition::compare(double left, double right, Operator op) {
  switch (op) {
    case Operator::less: return left < right;
    case Operator::less_equal: return left <= right;
    case Operator::greater: return left > right;
    case Operator::greater_equal: return left >= right;
    case Operator::equal: return left == right;
    case Operator::not_equal: break;
  }
  return left != right;
}

std::string FailCondition::failure(const Result& result) const {
  const ResultScope scope(ledgerNumbers(result), result.series, true);
  std::string group;  // what holds so far in this group of "and"
  bool all = true;
  for (std::size_t k = 0; k < comparisons_.size(); ++k) {
    const Comparison& comparison = comparisons_[k];
    if (comparison.after_or) {
      if (all) return group;
      group.clear();
      all = true;
    }
    std::array<double, 2> sides{};
    for (const bool right : {false, true}) {
      const auto parsed = parseExpression(right ? comparison.right : comparison.left, scope, Numbers::adapting);
      const ParsedExpression* known = std::get_if<ParsedExpression>(&parsed);
      // Only arithmetic can fail now: a division by zero, a root of a negative number.
      sides[right ? 1 : 0] = known != nullptr ? known->number.value_or(std::nan("")) : std::nan("");
    }
    if (std::isnan(sides[0]) || std::isnan(sides[1]))
      return fmt::format("\"{}\" has no value after this run", comparison.text);
    if (!compare(sides[0], sides[1], comparison.op)) all = false;
    group += fmt::format("{}\"{}\" holds: {:.6g} against {:.6g}", group.empty() ? "" : "; ", comparison.text, sides[0],
                         sides[1]);
  }
  return all ? group : std::string();
}

}  // namespace linkwork
