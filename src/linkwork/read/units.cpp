#include "linkwork/read/units.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>

#include "linkwork/base/diagnostics.hpp"

namespace linkwork {

namespace {

bool near(double a, double b) { return std::abs(a - b) < 1e-9; }

bool identical(const Dimension& a, const Dimension& b) { return sameDimension(a, b) && near(a.rad, b.rad); }

struct NamedDimension {
  Dimension dimension;
  const char* name;
  const char* unit;
};

// The first match wins, radians included; then the first match without regard to radians.
constexpr std::array kNamed{
    NamedDimension{dimension::kNumber, "a plain number", ""},
    NamedDimension{dimension::kLength, "a length", "m"},
    NamedDimension{dimension::kMass, "a mass", "kg"},
    NamedDimension{dimension::kTime, "a time", "s"},
    NamedDimension{dimension::kAngle, "an angle", "rad"},
    NamedDimension{dimension::kFrequency, "a frequency", "1/s"},
    NamedDimension{dimension::kVelocity, "a velocity", "m/s"},
    NamedDimension{dimension::kAcceleration, "an acceleration", "m/s^2"},
    NamedDimension{dimension::kAngularRate, "an angular rate", "rad/s"},
    NamedDimension{{0, 0, -2, 1}, "an angular acceleration", "rad/s^2"},
    NamedDimension{dimension::kInertia, "a moment of inertia", "kg*m^2"},
    NamedDimension{dimension::kForce, "a force", "N"},
    NamedDimension{dimension::kTorque, "a torque", "N*m"},
    NamedDimension{dimension::kStiffness, "a stiffness", "N/m"},
    NamedDimension{dimension::kDamping, "a damping", "N*s/m"},
    NamedDimension{dimension::kTorsionalStiffness, "a torsional stiffness", "N*m/rad"},
    NamedDimension{dimension::kTorsionalDamping, "a torsional damping", "N*m*s/rad"},
    NamedDimension{dimension::kArea, "an area", "m^2"},
    NamedDimension{{3, 0, 0, 0}, "a volume", "m^3"},
    NamedDimension{dimension::kMassPerLength, "a mass per length", "kg/m"},
    NamedDimension{dimension::kMassPerArea, "a mass per area", "kg/m^2"},
    NamedDimension{dimension::kDensity, "a density", "kg/m^3"},
    NamedDimension{{2, 1, -3, 0}, "a power", "W"},
    NamedDimension{{-1, 1, -2, 0}, "a pressure", "Pa"},
};

const NamedDimension* findNamed(const Dimension& a) {
  for (const NamedDimension& named : kNamed) {
    if (identical(named.dimension, a)) return &named;
  }
  for (const NamedDimension& named : kNamed) {
    if (sameDimension(named.dimension, a)) return &named;
  }
  return nullptr;
}

std::string baseUnits(const Dimension& a) {
  std::string text;
  const auto add = [&text](double exponent, const char* unit) {
    if (near(exponent, 0.0)) return;
    if (!text.empty()) text += "*";
    text += unit;
    if (!near(exponent, 1.0)) text += fmt::format("^{:.4g}", exponent);
  };
  add(a.kg, "kg");
  add(a.m, "m");
  add(a.s, "s");
  add(a.rad, "rad");
  return text;
}

struct BaseUnit {
  const char* name;
  Unit unit;
  const char* prefixes;  // letters of kPrefixes that make sense with it
};

struct Prefix {
  char letter;
  double up, down;
};

constexpr std::array kPrefixes{Prefix{'u', 1, 1e6}, Prefix{'m', 1, 1e3}, Prefix{'c', 1, 1e2}, Prefix{'d', 1, 10},
                               Prefix{'k', 1e3, 1}, Prefix{'M', 1e6, 1}, Prefix{'G', 1e9, 1}};

constexpr double kPi = std::numbers::pi;

constexpr std::array kBase{
    BaseUnit{"m", {1, 1, dimension::kLength}, "umcdk"},      BaseUnit{"g", {1, 1e3, dimension::kMass}, "umk"},
    BaseUnit{"s", {1, 1, dimension::kTime}, "um"},           BaseUnit{"min", {60, 1, dimension::kTime}, ""},
    BaseUnit{"h", {3600, 1, dimension::kTime}, ""},          BaseUnit{"rad", {1, 1, dimension::kAngle}, "um"},
    BaseUnit{"deg", {kPi, 180, dimension::kAngle}, ""},      BaseUnit{"rev", {2 * kPi, 1, dimension::kAngle}, ""},
    BaseUnit{"rpm", {kPi, 30, dimension::kAngularRate}, ""}, BaseUnit{"N", {1, 1, dimension::kForce}, "umkM"},
    BaseUnit{"J", {1, 1, dimension::kTorque}, "umkM"},       BaseUnit{"W", {1, 1, {2, 1, -3, 0}}, "umkM"},
    BaseUnit{"Pa", {1, 1, {-1, 1, -2, 0}}, "kMG"},           BaseUnit{"bar", {1e5, 1, {-1, 1, -2, 0}}, "m"},
    BaseUnit{"Hz", {1, 1, dimension::kFrequency}, "kM"},
};

// A map from "mm" to its unit, built once: read-only afterwards.
const std::map<std::string, Unit, std::less<>>& unitTable() {
  static const auto table = [] {
    std::map<std::string, Unit, std::less<>> units;
    for (const BaseUnit& base : kBase) {
      units.emplace(base.name, base.unit);
      for (const Prefix& prefix : kPrefixes) {
        if (std::string_view(base.prefixes).find(prefix.letter) == std::string_view::npos) continue;
        const std::string name = prefix.letter + std::string(base.name);
        units.emplace(name, Unit{base.unit.up * prefix.up, base.unit.down * prefix.down, base.unit.dimension});
      }
    }
    units["kg"] = {1, 1, dimension::kMass};
    return units;
  }();
  return table;
}

Unit times(const Unit& a, const Unit& b) { return {a.up * b.up, a.down * b.down, a.dimension * b.dimension}; }
Unit over(const Unit& a, const Unit& b) { return {a.up * b.down, a.down * b.up, a.dimension / b.dimension}; }

Unit raise(const Unit& a, int exponent) {
  Unit result;
  for (int i = 0; i < std::abs(exponent); ++i) result = exponent > 0 ? times(result, a) : over(result, a);
  return result;
}

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0 || c == '_'; }

class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : text_(text) {}

  std::variant<Unit, TextError> parse() {
    const Unit unit = product(0);
    skipSpace();
    if (!error_ && position_ < text_.size()) {
      fail(position_, fmt::format("unexpected \"{}\" in the unit", text_.substr(position_, 1)),
           "A unit is written like \"kg*m^2\" or \"N*m/rad\".");
    }
    if (error_) return *error_;
    return unit;
  }

 private:
  Unit product(int depth) {
    Unit unit = factor(depth);
    while (!error_) {
      skipSpace();
      if (accept('*')) {
        unit = times(unit, factor(depth));
      } else if (accept('/')) {
        unit = over(unit, factor(depth));
      } else {
        break;
      }
    }
    return unit;
  }

  Unit factor(int depth) {
    skipSpace();
    const std::size_t start = position_;
    Unit unit;
    if (accept('(')) {
      if (depth > 20) return fail(start, "the unit has too many parentheses");
      unit = product(depth + 1);
      skipSpace();
      if (!error_ && !accept(')')) return fail(position_, "a \")\" is missing in the unit");
    } else if (accept('1')) {
      unit = {};
    } else {
      unit = name();
    }
    skipSpace();
    if (!error_ && accept('^')) unit = raise(unit, exponent());
    return unit;
  }

  Unit name() {
    const std::size_t start = position_;
    while (position_ < text_.size() && isLetter(text_[position_])) ++position_;
    const std::string_view word = text_.substr(start, position_ - start);
    if (word.empty()) return fail(start, "a unit is missing here", "A unit is written like \"kg*m^2\" or \"N*m/rad\".");
    if (const std::optional<Unit> unit = findUnit(word)) return *unit;
    std::string hint = word == "Nm" ? "Did you mean \"N*m\"?" : didYouMean(word, unitNames());
    return fail(start, fmt::format("unknown unit \"{}\"", word), std::move(hint));
  }

  int exponent() {
    skipSpace();
    const std::size_t start = position_;
    int value = 0;
    const char* first = text_.data() + position_;
    const auto [end, status] = std::from_chars(first, text_.data() + text_.size(), value);
    if (status != std::errc{} || std::abs(value) > 9) {
      fail(start, "the exponent of a unit is a whole number from -9 to 9");
      return 1;
    }
    position_ += static_cast<std::size_t>(end - first);
    return value;
  }

  Unit fail(std::size_t offset, std::string message, std::string hint = {}) {
    if (!error_) error_ = TextError{offset, std::move(message), std::move(hint)};
    return {};
  }

  void skipSpace() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t')) ++position_;
  }

  bool accept(char c) {
    if (position_ >= text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::optional<TextError> error_;
};

}  // namespace

Dimension operator*(const Dimension& a, const Dimension& b) {
  return {a.m + b.m, a.kg + b.kg, a.s + b.s, a.rad + b.rad};
}

Dimension operator/(const Dimension& a, const Dimension& b) {
  return {a.m - b.m, a.kg - b.kg, a.s - b.s, a.rad - b.rad};
}

Dimension power(const Dimension& a, double exponent) {
  return {a.m * exponent, a.kg * exponent, a.s * exponent, a.rad * exponent};
}

bool sameDimension(const Dimension& a, const Dimension& b) {
  return near(a.m, b.m) && near(a.kg, b.kg) && near(a.s, b.s);
}

bool isPureNumber(const Dimension& a) { return identical(a, dimension::kNumber); }

bool isAngle(const Dimension& a) { return identical(a, dimension::kAngle); }

bool isAngularRate(const Dimension& a) { return identical(a, dimension::kAngularRate); }

std::string describe(const Dimension& a) {
  const NamedDimension* named = findNamed(a);
  if (named == nullptr) return fmt::format("a quantity in {}", baseUnits(a));
  if (*named->unit == '\0') return named->name;
  return fmt::format("{} ({})", named->name, named->unit);
}

std::string siUnit(const Dimension& a) {
  for (const NamedDimension& named : kNamed) {
    if (identical(named.dimension, a)) return named.unit;
  }
  return baseUnits(a);
}

std::variant<Unit, TextError> parseUnit(std::string_view text) { return UnitParser(text).parse(); }

std::optional<Unit> findUnit(std::string_view name) {
  const auto found = unitTable().find(name);
  if (found == unitTable().end()) return std::nullopt;
  return found->second;
}

std::vector<std::string> unitNames() {
  std::vector<std::string> names;
  for (const auto& [name, unit] : unitTable()) names.push_back(name);
  return names;
}

}  // namespace linkwork
