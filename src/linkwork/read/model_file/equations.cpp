#include "linkwork/read/model_file/equations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "linkwork/read/model_file/settings.hpp"

namespace linkwork::model_file {

namespace {

using LetterKind = KnownLetter::Kind;

std::optional<Dimension> perTime(const std::optional<Dimension>& of) {
  if (!of) return std::nullopt;
  return *of / dimension::kTime;
}

std::string unitIfSaid(const std::optional<Dimension>& of) { return of ? siUnit(*of) : std::string(); }

// Where a name stands in a formula, for the caret.
std::size_t placeOfName(std::string_view text, std::string_view name) {
  const auto isPart = [](char c) { return (std::isalnum(static_cast<unsigned char>(c)) != 0) || c == '_'; };
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool begins = at == 0 || !isPart(text[at - 1]);
    const std::size_t end = at + name.size();
    if (begins && (end == text.size() || !isPart(text[end]))) return at;
  }
  return 0;
}

// Whether a formula is zero for all values of its letters, as far as can be seen.
bool vanishes(const Expr& formula) {
  if (formula.isNumber()) return formula.number() == 0.0;
  double spread = 0.37;
  for (int trial = 0; trial < 3; ++trial) {
    std::map<std::string, double> values;
    for (const std::string& name : symbolsOf(formula))
      values.emplace(name, 0.2 + (spread = std::fmod(spread * 7.3, 1.0)));
    const double value = evaluate(formula, values);
    if (!(std::abs(value) < 1e-12)) return false;
  }
  return true;
}

}  // namespace

bool EquationsReader::checkLetter(const Node& entry, std::string_view kind) {
  const auto refuse = [&](std::string why) {
    reader.error(entry.key_source, fmt::format("{} \"{}\": {}.", kind, entry.key, why), "Choose another name.");
    return false;
  };
  if (!isPlainName(entry.key)) return refuse("a name is made of letters, digits and _, because it stands in formulas");
  if (entry.key == "t") return refuse("t is the time");
  if (entry.key == "pi") return refuse("pi is the number 3.14159");
  if (isFunctionName(entry.key)) return refuse("this is the name of a function");
  if (reader.parameters.contains(entry.key)) return refuse("a parameter has this name");
  if (reader.inputs.contains(entry.key)) return refuse("an input has this name");
  if (const auto known = reader.letters.find(entry.key); known != reader.letters.end()) {
    return refuse(known->second.kind == LetterKind::rate
                      ? "this is the rate of a coordinate"
                      : "a coordinate, quasi-velocity or abbreviation has this name");
  }
  return true;
}

void EquationsReader::readCoordinates(const Node& section) {
  if (section.children.empty())
    reader.error(section.key_source, "[coordinates] is empty.", "List them with their start values: x = \"0 m\".");
  for (const Node& entry : section.children) {
    const std::string what = fmt::format("coordinate \"{}\"", entry.key);
    if (!checkLetter(entry, "coordinate")) continue;
    const auto parsed = reader.parse(entry, what, Level::constants);
    KnownLetter letter{LetterKind::coordinate, Expr::symbol(entry.key), std::nullopt, !parsed || parsed->broken};
    if (!letter.broken) {
      // A plain number does not say in which unit.
      if (parsed->dimension && !isPureNumber(*parsed->dimension)) letter.dimension = parsed->dimension;
      model.coordinates.push_back(
          {entry.key, Value(*parsed->number, parsed->expr), unitIfSaid(letter.dimension), entry.key_source});
    }
    reader.letters.emplace(entry.key, letter);
  }
  for (const EquationsCoordinate& coordinate : model.coordinates) {
    const std::string rate = coordinate.rate();
    if (reader.letters.contains(rate) || reader.parameters.contains(rate) || reader.inputs.contains(rate)) {
      reader.error(coordinate.source,
                   fmt::format("coordinate \"{}\": its rate is called \"{}\", and something else has "
                               "this name.",
                               coordinate.name, rate),
                   "Choose another name.");
      continue;
    }
    reader.letters.emplace(rate, KnownLetter{LetterKind::rate, Expr::symbol(rate),
                                             perTime(reader.letters.find(coordinate.name)->second.dimension), false});
  }
}

void EquationsReader::readAbbreviations(const Node& section) {
  for (const Node& entry : section.children) {
    if (!checkLetter(entry, "abbreviation")) continue;
    const auto parsed = formula(entry, fmt::format("abbreviation \"{}\"", entry.key));
    KnownLetter letter{LetterKind::coordinate, Expr(0.0), std::nullopt, !parsed};
    if (parsed) {
      letter.value = parsed->expr;
      if (parsed->dimension && !isPureNumber(*parsed->dimension)) letter.dimension = parsed->dimension;
      const std::vector<std::string> names = symbolsOf(parsed->expr);
      for (const EquationsCoordinate& q : model.coordinates) {
        if (std::find(names.begin(), names.end(), q.rate()) != names.end()) letter.kind = LetterKind::quasi_velocity;
      }
    }
    reader.letters.emplace(entry.key, letter);
  }
}

std::optional<ParsedExpression> EquationsReader::formula(const Node& node, const std::string& what) {
  auto parsed = reader.parse(node, what, Level::quantities);
  if (!parsed || parsed->broken) return std::nullopt;
  return parsed;
}

std::optional<ParsedExpression> EquationsReader::positionFormula(const Node& node, const std::string& what,
                                                                 const char* why) {
  auto parsed = formula(node, what);
  if (!parsed || node.kind != NodeKind::text) return parsed;
  for (const std::string& name : namesIn(node.text)) {
    const auto letter = reader.letters.find(name);
    if (letter == reader.letters.end() || letter->second.kind == LetterKind::coordinate) continue;
    reader.errorInside(node, placeOfName(node.text, name),
                       fmt::format("{}: \"{}\" {}, and {}.", what, name,
                                   letter->second.kind == LetterKind::rate ? "is a rate" : "has rates in it", why),
                       "Use t, parameters and coordinates alone.");
    return std::nullopt;
  }
  return parsed;
}

// The rates of which a product of more than `most` is in the formula; empty if there is none.
std::string EquationsReader::multipliedRates(const Expr& value, int most) const {
  const std::size_t n = model.coordinates.size();
  const auto rate = [&](std::size_t k) { return Expr::symbol(model.coordinates[k].rate()); };
  for (std::size_t i = 0; i < n; ++i) {
    const Expr first = differentiate(value, rate(i));
    for (std::size_t j = 0; j <= i; ++j) {
      const Expr second = differentiate(first, rate(j));
      if (second.isNumber(0.0)) continue;
      if (most == 1 && !vanishes(second)) return model.coordinates[i].rate();
      for (std::size_t k = 0; most == 2 && k <= j; ++k) {
        if (!vanishes(differentiate(second, rate(k)))) return model.coordinates[i].rate();
      }
    }
  }
  return {};
}

bool EquationsReader::linear(const Node& node, const Expr& value, const std::string& what) {
  const std::string rate = multipliedRates(value, 1);
  if (rate.empty()) return true;
  const std::size_t place = node.kind == NodeKind::text ? placeOfName(node.text, rate) : 0;
  reader.errorInside(
      node, place,
      fmt::format("{}: not linear in rates: \"{}\" is multiplied by a rate, or in a function.", what, rate),
      "Write a sum of rates, each times a formula of t and coordinates, and perhaps such a formula alone.");
  return false;
}

bool EquationsReader::quadratic(const Node& node, const Expr& value, const std::string& what) {
  const std::string rate = multipliedRates(value, 2);
  if (rate.empty()) return true;
  const std::size_t place = node.kind == NodeKind::text ? placeOfName(node.text, rate) : 0;
  reader.errorInside(node, place, fmt::format("{}: not of the second degree in rates: \"{}\".", what, rate),
                     "A kinetic energy is a sum of products of two rates, of rates, and of a formula without.");
  return false;
}

// Of a constraint of positions along the motion; of others the formula itself.
Expr EquationsReader::rateOf(const EquationsForm& form) const {
  if (!form.of_positions) return form.value;
  Expr out = differentiate(form.value, Expr::symbol("t"));
  for (const EquationsCoordinate& q : model.coordinates)
    out += differentiate(form.value, Expr::symbol(q.name)) * Expr::symbol(q.rate());
  return out;
}

std::vector<Expr> EquationsReader::allForms() const {
  std::vector<Expr> out;
  for (const EquationsForm& form : model.quasi_velocities) out.push_back(rateOf(form));
  for (const EquationsForm& form : model.constraints) out.push_back(rateOf(form));
  return out;
}

double EquationsReader::numberAtStart(const Expr& formula) const {
  std::map<std::string, double> values{{"t", 0.0}};
  for (const Parameter& parameter : reader.mechanism.parameters) values.emplace(parameter.name, parameter.value.number);
  for (const EquationsCoordinate& q : model.coordinates) {
    values.emplace(q.name, q.start.number);
    values.emplace(q.rate(), 0.0);
  }
  return evaluate(formula, values);
}

void EquationsReader::readQuasiVelocity(const Node& entry) {
  const std::string what = fmt::format("quasi-velocity \"{}\"", entry.key);
  if (!checkLetter(entry, "quasi-velocity")) return;
  const auto parsed = formula(entry, what);
  const bool fine = parsed && linear(entry, parsed->expr, what);
  KnownLetter letter{LetterKind::quasi_velocity, fine ? parsed->expr : Expr(0.0), std::nullopt, !fine};
  if (fine) {
    if (parsed->dimension && !isPureNumber(*parsed->dimension)) letter.dimension = parsed->dimension;
    model.quasi_velocities.push_back({entry.key, parsed->expr, unitIfSaid(letter.dimension), entry.key_source, false});
  }
  reader.letters.emplace(entry.key, letter);
}

void EquationsReader::readConstraint(const Node& entry) {
  const std::string what = fmt::format("constraint \"{}\"", entry.key);
  if (!checkLetter(entry, "constraint")) return;
  const auto parsed = formula(entry, what);
  if (!parsed || !linear(entry, parsed->expr, what)) {
    reader.letters.emplace(entry.key, KnownLetter{LetterKind::quasi_velocity, Expr(0.0), std::nullopt, true});
    return;
  }
  const std::vector<std::string> names = symbolsOf(parsed->expr);
  const auto holds = [&](auto&& name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  const bool rates = std::any_of(model.coordinates.begin(), model.coordinates.end(),
                                 [&](const EquationsCoordinate& q) { return holds(q.rate()); });
  const bool any = std::any_of(model.coordinates.begin(), model.coordinates.end(),
                               [&](const EquationsCoordinate& q) { return holds(q.name); });
  if (!rates && !any) {
    reader.error(entry.source, fmt::format("{}: no coordinate and no rate is in it.", what),
                 "Write a formula that is to stay zero.");
    return;
  }
  std::optional<Dimension> dimension = parsed->dimension;
  if (dimension && isPureNumber(*dimension)) dimension.reset();
  EquationsForm form{entry.key, parsed->expr, unitIfSaid(dimension), entry.key_source, !rates};
  model.constraints.push_back(form);
  // Its name stands for what it holds at zero: of positions, for the rate of that.
  reader.letters.emplace(
      entry.key, KnownLetter{LetterKind::quasi_velocity, rateOf(form), rates ? dimension : perTime(dimension), false});
}

// As many rates as the constraints leave, those that are not needed to meet them: by elimination with complete pivots.
void EquationsReader::chooseQuasiVelocities(const Node& root) {
  const std::size_t n = model.coordinates.size();
  std::vector<std::vector<double>> rows;
  for (const EquationsForm& form : model.constraints) {
    const Expr rate = rateOf(form);
    auto& row = rows.emplace_back();
    for (const EquationsCoordinate& q : model.coordinates)
      row.push_back(numberAtStart(differentiate(rate, Expr::symbol(q.rate()))));
  }
  std::vector<bool> dependent(n, false);
  std::vector<bool> used(rows.size(), false);
  for (std::size_t step = 0; step < rows.size(); ++step) {
    std::size_t row = 0;
    std::size_t column = 0;
    double greatest = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < n && !used[i]; ++j) {
        if (!dependent[j] && std::abs(rows[i][j]) > greatest * 1.01)
          row = i, column = j, greatest = std::abs(rows[i][j]);
      }
    }
    if (!(greatest > 1e-12)) break;
    used[row] = dependent[column] = true;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (used[i]) continue;
      const double share = rows[i][column] / rows[row][column];
      for (std::size_t j = 0; j < n; ++j) rows[i][j] -= share * rows[row][j];
    }
  }
  std::vector<std::string> chosen;
  for (std::size_t s = 0; s < n; ++s) {
    // As many as the count asks for, also where constraints depend on others: that is reported with the start.
    if (dependent[s] || chosen.size() + rows.size() >= n) continue;
    const EquationsCoordinate& q = model.coordinates[s];
    model.quasi_velocities.push_back({q.rate(), Expr::symbol(q.rate()),
                                      unitIfSaid(reader.letters.find(q.rate())->second.dimension), q.source, false});
    chosen.push_back(q.rate());
  }
  if (!model.constraints.empty())
    reader.diagnostics.note(root.source, fmt::format("quasi-velocities are chosen: {}.", fmt::join(chosen, ", ")),
                            "Name others in [quasivelocities].");
}

void EquationsReader::countForms(const Node& root) {
  const auto n = static_cast<int>(model.coordinates.size());
  const auto held = static_cast<int>(model.constraints.size());
  const int named = model.freedoms();
  const Node* section = root.find("quasivelocities");
  const Source& where = section != nullptr ? section->key_source : root.source;
  if (held >= n) {
    reader.error(root.find("constraints") != nullptr ? root.find("constraints")->key_source : where,
                 fmt::format("[constraints]: {} of {} coordinates leave no freedom.", held, n),
                 "Leave out those that repeat others.");
  } else if (named != n - held) {
    reader.error(
        where,
        fmt::format("[quasivelocities]: {} coordinates and {} constraint{} leave {} quasi-velocit{}, but {} {} "
                    "named.",
                    n, held, held == 1 ? "" : "s", n - held, n - held == 1 ? "y" : "ies", named,
                    named == 1 ? "is" : "are"),
        "Name as many as there are freedoms, or leave the section out to have them chosen.");
  }
}

void EquationsReader::readForms(const Node& root) {
  const int errors_before = reader.diagnostics.errorCount();
  const auto table = [&](const char* name) -> const Node* {
    const Node* node = root.find(name);
    return node != nullptr && reader.checkTable(*node, fmt::format("[{}]", name), "a table") ? node : nullptr;
  };
  const Node* matrices = table("matrices");
  if (matrices != nullptr && matrices->find("a") != nullptr) {
    for (const char* name : {"quasivelocities", "constraints"}) {
      if (const Node* other = root.find(name))
        reader.error(other->key_source, fmt::format("[{}]: a of [matrices] says what they are.", name),
                     "Leave one of the two out.");
    }
    readMatrices(*matrices);
    return;
  }
  if (const Node* section = table("quasivelocities")) {
    for (const Node& entry : section->children) readQuasiVelocity(entry);
  }
  if (const Node* section = table("constraints")) {
    for (const Node& entry : section->children) readConstraint(entry);
  }
  if (reader.diagnostics.errorCount() > errors_before) return;
  if (root.find("quasivelocities") == nullptr && model.constraints.size() < model.coordinates.size())
    chooseQuasiVelocities(root);
  countForms(root);
}

void EquationsReader::readGiven(const Node& entry, const char* section, bool positions,
                                std::vector<EquationsGiven>& to) {
  const std::string what = fmt::format("\"{}\" of {}", entry.key, section);
  const auto letter = reader.letters.find(entry.key);
  // An abbreviation without rates is no coordinate to be given.
  const bool abbreviates = letter != reader.letters.end() && letter->second.kind == LetterKind::coordinate &&
                           std::none_of(model.coordinates.begin(), model.coordinates.end(),
                                        [&](const EquationsCoordinate& q) { return q.name == entry.key; });
  if (letter == reader.letters.end() || letter->second.broken || abbreviates) {
    std::vector<std::string> names;
    for (const auto& [name, known] : reader.letters) {
      if (positions || known.kind != LetterKind::coordinate) names.push_back(name);
    }
    if (letter == reader.letters.end() || abbreviates)
      reader.error(entry.key_source, fmt::format("{}: there is no rate or quasi-velocity of this name.", what),
                   reader.suggest(entry.key, names));
    return;
  }
  const bool coordinate = letter->second.kind == LetterKind::coordinate;
  if (coordinate && !positions) {
    reader.error(entry.key_source, fmt::format("{}: the start of a coordinate stands in [coordinates].", what),
                 fmt::format("Write {} = ... there, or give {}_rate here.", entry.key, entry.key));
    return;
  }
  const std::optional<Dimension>& dimension = letter->second.dimension;
  std::optional<Value> value;
  if (dimension) {
    value = reader.constant(entry, *dimension, what);
  } else if (const auto parsed = reader.parse(entry, what, Level::constants); parsed && !parsed->broken) {
    value = Value(*parsed->number, parsed->expr);
  }
  if (value) to.push_back({entry.key, letter->second.value, coordinate, *value, entry.key_source});
}

void EquationsReader::readInitial(const Node& section) {
  for (const Node& entry : section.children) readGiven(entry, "[initial]", false, model.initial);
}

void EquationsReader::readSteady(const Node& section) {
  if (!reader.checkKeys(section, "[steady]", {"given"})) return;
  const Node* given =
      reader.required(section, "given", "[steady]", "Write given = { v = \"2 m/s\" }: what the motion is to have.");
  if (given == nullptr || !reader.checkTable(*given, "given of [steady]", "a table such as { v = \"2 m/s\" }")) return;
  for (const Node& entry : given->children) readGiven(entry, "given of [steady]", true, model.steady);
}

void EquationsReader::takeGiven() {
  for (const Node& entry : givenNodes(reader)) {
    std::erase_if(model.steady, [&](const EquationsGiven& old) { return old.name == entry.key; });
    readGiven(entry, "--given", true, model.steady);
  }
}

}  // namespace linkwork::model_file
