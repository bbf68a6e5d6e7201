#include <fmt/format.h>

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

namespace {

// A formula, or { <key> = formula, unit = "N*m" }.
struct Signal {
  ParsedExpression formula;
  std::string unit_text;  // as written; empty if there is none
  std::optional<Unit> unit;
};

std::optional<Signal> readSignal(Reader& reader, const Node& entry, const std::string& what, const char* key,
                                 Numbers numbers) {
  const Node* formula = &entry;
  const Node* unit = nullptr;
  Signal signal;
  if (entry.kind == NodeKind::table) {
    const bool keys_good = reader.checkKeys(entry, what, {key, "unit"});
    formula = reader.required(entry, key, what);
    unit = entry.find("unit");
    if (!keys_good || formula == nullptr) return std::nullopt;
  }
  const auto parsed = reader.parse(*formula, what, Level::quantities, numbers);
  if (!parsed || parsed->broken) return std::nullopt;
  signal.formula = *parsed;
  if (unit == nullptr) return signal;

  const auto text = reader.word(*unit, "unit of " + what);
  if (!text) return std::nullopt;
  const auto read = parseUnit(*text);
  if (const auto* error = std::get_if<TextError>(&read)) {
    reader.errorInside(*unit, error->offset, fmt::format("unit of {}: {}.", what, error->message), error->hint);
    return std::nullopt;
  }
  signal.unit = std::get<Unit>(read);
  signal.unit_text = *text;
  const auto& found = parsed->dimension;
  if (found && !isPureNumber(*found) && !sameDimension(*found, signal.unit->dimension)) {
    reader.error(unit->source, fmt::format("{}: the unit is that of {}, but the formula gives {}.", what,
                                           describe(signal.unit->dimension), describe(*found)));
    return std::nullopt;
  }
  return signal;
}

std::string firstCorner(const ParsedExpression& formula) {
  for (const CalledFunction& call : formula.calls) {
    if (!isSmooth(call)) return call.table == nullptr ? call.name : fmt::format("table {}", call.name);
  }
  return {};
}

bool checkInputName(Reader& reader, const Node& entry) {
  const auto refuse = [&](const char* why) {
    reader.error(entry.key_source, fmt::format("input \"{}\": {}.", entry.key, why), "Choose another name.");
    return false;
  };
  if (!isPlainName(entry.key))
    return refuse("an input's name is made of letters, digits and _, because it stands in formulas");
  if (entry.key == "t") return refuse("t is the time");
  if (entry.key == "pi") return refuse("pi is the number 3.14159");
  if (isFunctionName(entry.key)) return refuse("this is the name of a function");
  if (reader.parameters.find(entry.key) != reader.parameters.end()) return refuse("a parameter has this name");
  return true;
}

// The radian is a number: torque times angular rate is a power in W, radius times angular rate a velocity in m/s.
std::string unitOf(Dimension dimension) {
  if (dimension.rad > 0 && (dimension.m != 0 || dimension.kg != 0)) dimension.rad = 0;
  return siUnit(dimension);
}

}  // namespace

void readInputs(Reader& reader, const Node& section) {
  // All names first, so that an input that fails keeps its users quiet; inputs may not use each other.
  std::map<std::string, KnownInput, std::less<>> known;
  for (const Node& entry : section.children) {
    const std::string what = fmt::format("input \"{}\"", entry.key);
    KnownInput& input = known[entry.key];
    input.broken = true;
    if (!checkInputName(reader, entry)) continue;
    const auto signal = readSignal(reader, entry, what, "default", Numbers::adapting);
    if (!signal) continue;
    if (signal->unit && signal->unit->up != signal->unit->down) {
      reader.error(entry.find("unit")->source,
                   fmt::format("{}: its unit must be the SI unit, {}.", what, siUnit(signal->unit->dimension)),
                   "Numbers may have any unit: write default = \"10 kN\".");
      continue;
    }
    bool of_time = true;
    for (const std::string& symbol : symbolsOf(signal->formula.expr)) {
      if (symbol == "t" || reader.parameters.find(symbol) != reader.parameters.end()) continue;
      reader.error(entry.source, fmt::format("{}: \"{}\" may not stand here.", what, symbol),
                   "Only t and parameters may.");
      of_time = false;
      break;
    }
    if (!of_time) continue;
    input.value = signal->formula.expr;
    input.dimension = signal->formula.dimension;
    if (signal->unit) {
      input.dimension = signal->unit->dimension;
    } else if (input.dimension && isPureNumber(*input.dimension)) {
      input.dimension.reset();
    }
    input.corner = firstCorner(signal->formula);
    input.broken = false;
    reader.mechanism.inputs.push_back(
        {entry.key, input.value, input.dimension ? unitOf(*input.dimension) : std::string{}, entry.key_source});
  }
  reader.inputs.merge(known);
}

void readOutputs(Reader& reader, const Node& section) {
  for (const Node& entry : section.children) {
    const std::string what = fmt::format("output \"{}\"", entry.key);
    if (!reader.checkName(entry, "output")) continue;
    if (entry.key == "t") {
      reader.error(entry.key_source, fmt::format("{}: t is the time, which is always recorded.", what));
      continue;
    }
    const auto signal = readSignal(reader, entry, what, "value", Numbers::pure);
    if (!signal) continue;
    Output output;
    output.name = entry.key;
    output.source = entry.key_source;
    output.value = signal->formula.expr;
    const std::optional<Dimension>& dimension = signal->formula.dimension;
    if (signal->unit) {
      // The formula gives SI; the record is in the unit asked for.
      output.value = output.value * Expr(signal->unit->down) / Expr(signal->unit->up);
      output.unit = signal->unit_text;
    } else if (dimension) {
      output.unit = unitOf(*dimension);
    }
    reader.mechanism.outputs.push_back(std::move(output));
  }
}

}  // namespace linkwork::model_file
