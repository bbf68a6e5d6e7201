#include <fmt/format.h>
#include <fmt/ranges.h>

#include "linkwork/read/model_file/reader.hpp"
#include "linkwork/read/model_file/settings.hpp"
#include "linkwork/simulate/run_options.hpp"

namespace linkwork::model_file {

namespace {

Dimension dimensionOf(const Mechanism& mechanism, const Quantity& quantity) {
  const auto unit = parseUnit(quantityUnit(mechanism, quantity));
  return std::holds_alternative<Unit>(unit) ? std::get<Unit>(unit).dimension : dimension::kNumber;
}

// Where quantities are given values: at the start, or in a steady motion.
struct GivenIn {
  const char* section;
  const char* role;  // of such a value
  bool wishes;       // may have a weight
  bool overrides;    // one given before
  std::vector<InitialValue> Mechanism::*list;
};
constexpr GivenIn kInitial{"[initial]", "initial value", true, false, &Mechanism::initial};
constexpr GivenIn kSteady{"given of [steady]", "steady value", false, false, &Mechanism::steady};
constexpr GivenIn kSteadyOption{"--given", "steady value", false, true, &Mechanism::steady};

// The words that may stand after "owner.".
std::vector<std::string> wordsOf(const Mechanism& mechanism, const std::string& owner) {
  std::vector<std::string> words;
  for (const std::string& name : quantityNames(mechanism)) {
    const std::size_t dot = name.find('.');
    if (dot != std::string::npos && name.substr(0, dot) == owner) words.push_back(name.substr(dot + 1));
  }
  return words;
}

// False, after a message unless it is a joint that failed, if no body or joint has that name.
bool checkOwner(Reader& reader, const GivenIn& in, const Source& where, const std::string& owner) {
  const auto joint = reader.joints.find(owner);
  if (joint != reader.joints.end()) return !joint->second.broken;
  if (reader.isBody(owner)) return true;
  std::vector<std::string> names = namesOf(reader.bodies);
  for (const std::string& joint_name : namesOf(reader.joints)) names.push_back(joint_name);
  reader.error(where, fmt::format("{}: there is no body or joint \"{}\".", in.section, owner),
               reader.suggest(owner, names));
  return false;
}

void readGivenValue(Reader& reader, const GivenIn& in, const Node& entry, const std::string& owner,
                    const std::string& word) {
  const std::string name = owner + "." + word;
  const std::string what = fmt::format("{} of \"{}\"", in.role, name);
  const std::optional<Quantity> quantity = reader.findQuantity(name);
  if (!quantity) {
    std::vector<std::string> words;
    if (reader.wantsSuggestions()) words = wordsOf(reader.mechanism, owner);
    std::string hint = reader.suggest(word, words);
    if (hint.empty() && !words.empty()) hint = fmt::format("It has {}.", fmt::join(words, ", "));
    reader.error(entry.key_source, fmt::format("{}: \"{}\" has no \"{}\".", what, owner, word), std::move(hint));
    return;
  }
  InitialValue given;
  given.quantity = *quantity;
  given.source = entry.key_source;
  const Node* number = &entry;
  if (entry.kind == NodeKind::table && in.wishes) {
    // With a weight it is a wish.
    if (!reader.checkKeys(entry, what, {"value", "weight"})) return;
    number = reader.required(entry, "value", what);
    if (number == nullptr) return;
    if (const Node* node = entry.find("weight")) {
      const auto weight = reader.positive(*node, dimension::kNumber, "weight of " + what);
      if (!weight) return;
      given.weight = weight->number;
    }
  }
  const auto value = reader.constant(*number, dimensionOf(reader.mechanism, *quantity), what);
  if (!value) return;
  given.value = *value;
  if (in.overrides)
    std::erase_if(reader.mechanism.*in.list, [&](const auto& old) { return old.quantity == *quantity; });
  (reader.mechanism.*in.list).push_back(std::move(given));
}

// `O.angle = 1` is a table O with an entry angle; `"O.angle" = 1` is one key.
void readGivenValues(Reader& reader, const GivenIn& in, const std::vector<Node>& entries) {
  for (const Node& entry : entries) {
    const std::size_t dot = entry.key.find('.');
    const std::string owner = entry.key.substr(0, dot);
    if (!checkOwner(reader, in, entry.key_source, owner)) continue;
    if (dot != std::string::npos) {
      readGivenValue(reader, in, entry, owner, entry.key.substr(dot + 1));
    } else if (entry.kind == NodeKind::table) {
      for (const Node& value : entry.children) readGivenValue(reader, in, value, entry.key, value.key);
    } else {
      reader.error(entry.key_source, fmt::format("{} of \"{}\": which coordinate?", in.role, entry.key),
                   fmt::format("Write, for example, {}.angle = \"30 deg\".", entry.key));
    }
  }
}

}  // namespace

void readInitial(Reader& reader, const Node& section) { readGivenValues(reader, kInitial, section.children); }

void readSteady(Reader& reader, const Node& section) {
  if (!reader.checkKeys(section, "[steady]", {"given"})) return;
  const Node* given = reader.required(section, "given", "[steady]",
                                      "Write given = { \"O.rate\" = \"10 rad/s\" }: what the motion is to have.");
  if (given == nullptr) return;
  if (!reader.checkTable(*given, "given of [steady]", "a table such as { \"O.rate\" = \"10 rad/s\" }")) return;
  readGivenValues(reader, kSteady, given->children);
}

void takeGiven(Reader& reader) { readGivenValues(reader, kSteadyOption, givenNodes(reader)); }

void readEvents(Reader& reader, const Node& section) {
  for (const Node& entry : section.children) {
    const std::string what = fmt::format("event \"{}\"", entry.key);
    if (!reader.checkName(entry, "event")) continue;
    if (!reader.checkTable(entry, what, "a table such as { when = \"crank.angle - pi\", stop = true }")) continue;
    bool good = reader.checkKeys(entry, what, {"when", "crossing", "stop"});
    Event event;
    event.name = entry.key;
    event.source = entry.key_source;
    const Node* when = reader.required(entry, "when", what, "Give the formula whose zero is the event.");
    if (when == nullptr) continue;
    const auto formula = reader.formula(*when, std::nullopt, "when of " + what, Level::quantities);
    if (formula) event.when = *formula;
    good = good && formula;
    if (const Node* node = entry.find("crossing")) {
      const auto word = reader.choice(*node, "crossing of " + what, {"both", "rising", "falling"});
      good = good && word;
      if (word) event.crossing = *word == 0 ? Crossing::both : (*word == 1 ? Crossing::rising : Crossing::falling);
    }
    if (const Node* node = entry.find("stop")) {
      const auto stop = reader.flag(*node, "stop of " + what);
      good = good && stop;
      event.stop = stop.value_or(false);
    }
    if (good) reader.mechanism.events.push_back(std::move(event));
  }
}

void readTraces(Reader& reader, const Node& section) {
  for (const Node& entry : section.children) {
    const std::string what = fmt::format("trace \"{}\"", entry.key);
    std::optional<End> end;
    if (entry.kind == NodeKind::text) {
      end = reader.pointEnd(entry, what);
    } else if (entry.kind == NodeKind::table) {
      if (!reader.checkKeys(entry, what, {"body", "point"})) continue;
      const Node* body_node = reader.required(entry, "body", what);
      const Node* point_node =
          reader.required(entry, "point", what,
                          fmt::format("Give point = [x, y{}] in the body's axes.", reader.inSpace() ? ", z" : ""));
      if (body_node == nullptr || point_node == nullptr) continue;
      const auto body = reader.bodyNamed(*body_node, what);
      const auto point = reader.coordinates(*point_node, dimension::kLength, "point of " + what);
      if (body && point) end = End{*body, KnownFrame{{*point, Value(0.0)}, false}, false};
    } else {
      reader.wrongType(entry, what, "a point such as \"crank.tip\"");
    }
    if (!end) continue;
    if (!end->body.valid()) {
      reader.error(entry.source, fmt::format("{}: a point of the ground leaves no trace.", what));
      continue;
    }
    const Point& at = end->frame->frame.point;
    reader.mechanism.traces.push_back({end->body, {at[0].number, at[1].number, at[2].number}, entry.key});
  }
}

namespace {

// Options of the springs that close loops stand in a section of their own.
bool isOfCompliance(const RunOption& option) {
  return option.owner == RunOption::Owner::formulation && option.owned_by == "compliant";
}

std::vector<std::string> runKeys(bool of_compliance) {
  std::vector<std::string> keys;
  for (const RunOption& option : runOptionTable()) {
    if (option.where != RunOption::Where::command_line && isOfCompliance(option) == of_compliance)
      keys.emplace_back(option.name);
  }
  return keys;
}

// The value of an option; nullopt after a message.
std::optional<std::variant<double, std::string>> runValue(Reader& reader, const Node& node, const RunOption& option,
                                                          std::string_view section) {
  const std::string what = fmt::format("{} of {}", option.name, section);
  if (option.isNumber()) {
    const auto unit = parseUnit(option.unit);
    const Dimension expected = option.unit.empty() ? dimension::kNumber : std::get<Unit>(unit).dimension;
    const auto value = option.range == RunOption::Range::positive ? reader.positive(node, expected, what)
                                                                  : reader.notNegative(node, expected, what);
    if (!value) return std::nullopt;
    return value->number;
  }
  if (option.words.empty()) return reader.word(node, what);
  const auto which = reader.choice(node, what, option.words);
  if (!which) return std::nullopt;
  return option.words[*which];
}

// As many samples as a number says.
void readSamples(Reader& reader, const Node& section) {
  RunDefaults& run = reader.mechanism.run;
  const Node* samples = section.find("samples");
  if (samples == nullptr) return;
  if (section.find("output_step") != nullptr) {
    reader.error(samples->key_source, "[simulate]: output_step and samples are both given.", "Give one of them.");
  } else if (section.find("until") == nullptr) {
    reader.error(samples->key_source, "[simulate]: samples needs until.");
  } else if (samples->kind != NodeKind::integer || samples->number < 1) {
    reader.wrongType(*samples, "samples of [simulate]", "a whole number of at least 1");
  } else if (const std::optional<double> until = run.number("until")) {
    run.set("output_step", *until / samples->number, samples->source);
  }
}

// Numbers that are out of range whatever else is chosen. Names of methods and the count of samples are checked when a
// run is asked for: the command line may say otherwise.
void checkRange(Reader& reader, const GivenOption& given, std::string_view section) {
  if (!std::holds_alternative<double>(given.value)) return;
  Mechanism alone;
  alone.run.given = {given};
  const RunOptions options = runOptions(alone);
  std::string problem = options.steps.problem();
  if (problem.empty()) problem = options.system.problem();
  if (!problem.empty()) reader.error(given.source, fmt::format("{} of {}: {}", given.name, section, problem));
}

}  // namespace

namespace {

void readOptions(Reader& reader, const Node& section, std::string_view name, bool of_compliance) {
  RunDefaults& run = reader.mechanism.run;
  for (const RunOption& option : runOptionTable()) {
    if (option.where == RunOption::Where::command_line || isOfCompliance(option) != of_compliance) continue;
    const Node* node = section.find(option.name);
    if (node == nullptr) continue;
    if (auto value = runValue(reader, *node, option, name)) run.set(option.name, *std::move(value), node->source);
  }
}

}  // namespace

void readSimulate(Reader& reader, const Node& section) {
  std::vector<std::string> keys = runKeys(false);
  keys.emplace_back("samples");
  reader.checkKeys(section, "[simulate]", keys);
  readOptions(reader, section, "[simulate]", false);
  readSamples(reader, section);
  for (const GivenOption& given : reader.mechanism.run.given) {
    if (!isOfCompliance(*findRunOption(given.name))) checkRange(reader, given, "[simulate]");
  }
}

void readComplianceDefaults(Reader& reader, const Node& section) {
  reader.checkKeys(section, "[compliance]", runKeys(true));
  readOptions(reader, section, "[compliance]", true);
  for (const char* key : {"gap", "stiffness_time"}) {
    const Node* node = section.find(key);
    if (node == nullptr || section.find("stiffness") == nullptr) continue;
    reader.error(node->key_source, fmt::format("[compliance]: stiffness and {} are both given.", key),
                 "The one says what the other would find: give one of them.");
  }
}

}  // namespace linkwork::model_file
