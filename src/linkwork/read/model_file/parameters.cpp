#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

namespace {

bool checkParameterName(Reader& reader, const Node& entry) {
  const auto refuse = [&](const char* why) {
    reader.error(entry.key_source, fmt::format("parameter \"{}\": {}.", entry.key, why), "Choose another name.");
    return false;
  };
  if (!isPlainName(entry.key))
    return refuse("a parameter's name is made of letters, digits and _, because it stands in formulas");
  if (entry.key == "t") return refuse("t is the time");
  if (entry.key == "pi") return refuse("pi is the number 3.14159");
  if (isFunctionName(entry.key)) return refuse("this is the name of a function");
  return true;
}

// The parameters in an order in which each comes after those it uses. Works with an explicit stack: a chain of a
// hundred thousand parameters is legal.
class Ordering {
 public:
  Ordering(Reader& reader, const std::vector<const Node*>& entries)
      : reader_(reader), entries_(entries), state_(entries.size()) {
    for (std::size_t i = 0; i < entries.size(); ++i) index_.emplace(entries[i]->key, i);
    uses_.resize(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i]->kind != NodeKind::text) continue;
      for (const std::string& name : namesIn(entries[i]->text)) {
        const auto found = index_.find(name);
        if (found != index_.end()) uses_[i].push_back(found->second);
      }
    }
  }

  // Those wanted, and all that they use.
  std::vector<std::size_t> order(const std::vector<std::size_t>& wanted) {
    for (const std::size_t i : wanted) visit(i);
    return order_;
  }

 private:
  enum class State { unseen, open, done };

  void visit(std::size_t root) {
    if (state_[root] != State::unseen) return;
    std::vector<std::pair<std::size_t, std::size_t>> stack{{root, 0}};
    state_[root] = State::open;
    while (!stack.empty()) {
      auto& [current, next] = stack.back();
      if (next == uses_[current].size()) {
        state_[current] = State::done;
        order_.push_back(current);
        stack.pop_back();
        continue;
      }
      const std::size_t used = uses_[current][next++];
      if (state_[used] == State::unseen) {
        state_[used] = State::open;
        stack.emplace_back(used, 0);
      } else if (state_[used] == State::open) {
        reportCycle(stack, used);
      }
    }
  }

  void reportCycle(const std::vector<std::pair<std::size_t, std::size_t>>& stack, std::size_t start) {
    const auto first =
        std::find_if(stack.begin(), stack.end(), [start](const auto& item) { return item.first == start; });
    std::string chain;
    std::size_t shown = 0;
    const auto length = static_cast<std::size_t>(stack.end() - first);
    for (auto item = first; item != stack.end(); ++item) {
      reader_.parameters[entries_[item->first]->key].broken = true;
      if (++shown <= 6) chain += entries_[item->first]->key + " -> ";
    }
    if (length > 6) chain += "... -> ";
    chain += entries_[start]->key;
    reader_.error(entries_[start]->source,
                  fmt::format("parameter \"{}\" is defined by itself: {}.", entries_[start]->key, chain));
  }

  Reader& reader_;
  const std::vector<const Node*>& entries_;
  std::vector<State> state_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<std::vector<std::size_t>> uses_;
  std::vector<std::size_t> order_;
};

// What is given in place of the file's own value, which says what dimension it must have.
std::optional<ParsedExpression> overridden(Reader& reader, const Parameter& parameter, const ParsedExpression& own,
                                           const Override& given) {
  ParsedExpression value = given.value;
  const bool own_plain = !own.dimension || isPureNumber(*own.dimension);
  const bool given_plain = !value.dimension || isPureNumber(*value.dimension);
  if (!own_plain && !given_plain && !sameDimension(*own.dimension, *value.dimension)) {
    reader.error(given.source, fmt::format("parameter \"{}\": expected {} as in {}:{}, got {}.", parameter.name,
                                           describe(*own.dimension), *parameter.source.file, parameter.source.line,
                                           describe(*value.dimension)));
    return std::nullopt;
  }
  if (given_plain) value.dimension = own.dimension;
  value.has_names = own.has_names;  // whether it is a plain number that takes any dimension
  return value;
}

using Parsed = std::map<std::string, ParsedExpression, std::less<>>;

// Reads the wanted ones of the entries, which reader.mechanism.parameters lists in the same order. `own`: what the file
// itself says of those that are set from outside; empty while that is being read. Answers what the entries say that are
// to be set.
Parsed readEntries(Reader& reader, const std::vector<const Node*>& entries, const std::vector<std::size_t>& wanted,
                   const Parsed& own) {
  Parsed to_be_set;
  for (const Node* entry : entries) reader.parameters[entry->key] = {};
  for (const std::size_t i : Ordering(reader, entries).order(wanted)) {
    const Node& entry = *entries[i];
    Parameter& parameter = reader.mechanism.parameters[i];
    KnownParameter& known = reader.parameters[entry.key];
    if (known.broken) continue;
    std::optional<ParsedExpression> parsed =
        reader.parse(entry, fmt::format("parameter \"{}\"", entry.key), Level::constants);
    known.broken = !parsed || parsed->broken;
    if (known.broken) continue;
    if (const auto given = reader.overrides.find(entry.key); given != reader.overrides.end())
      parsed = overridden(reader, parameter, *parsed, given->second);
    if (const auto file = own.find(entry.key); file != own.end())
      parsed = overridden(reader, parameter, file->second, {*parsed, entry.source, Override::From::farther});
    known.broken = !parsed;
    if (known.broken) continue;
    // A plain number takes the dimension of the place where it is used.
    const bool plain = !parsed->has_names && parsed->dimension && isPureNumber(*parsed->dimension);
    known.dimension = plain ? std::nullopt : parsed->dimension;
    known.number = *parsed->number;
    parameter.value = Value(*parsed->number, parsed->expr);
    if (known.dimension) parameter.unit = siUnit(*known.dimension);
    if (reader.settings.contains(entry.key)) to_be_set.emplace(entry.key, *parsed);
  }
  return to_be_set;
}

}  // namespace

void readParameters(Reader& reader, const Node& section) {
  const int errors_before = reader.diagnostics.errorCount();
  std::vector<const Node*> entries;
  for (const Node& entry : section.children) {
    if (!checkParameterName(reader, entry)) {
      reader.parameters[entry.key].broken = true;
      continue;
    }
    entries.push_back(&entry);
    Parameter parameter;
    parameter.name = entry.key;
    parameter.source = entry.key_source;
    reader.mechanism.parameters.push_back(std::move(parameter));
  }
  std::vector<std::size_t> all;
  std::vector<std::size_t> set;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    all.push_back(i);
    if (reader.settings.contains(entries[i]->key)) set.push_back(i);
  }
  // What is set from outside has the dimension of what stands in the file.
  const Parsed own = set.empty() ? Parsed() : readEntries(reader, entries, set, {});
  if (!set.empty() && reader.diagnostics.errorCount() > errors_before) {
    for (const Node* entry : entries) reader.parameters[entry->key].broken = true;
    return;
  }
  for (const std::size_t i : set) entries[i] = &reader.settings.find(entries[i]->key)->second;
  readEntries(reader, entries, all, own);
}

void readPoints(Reader& reader, const Node& section) {
  for (const Node& entry : section.children) {
    KnownPoint& point = reader.points[entry.key];
    const bool good_name = reader.checkName(entry, "point");
    const std::optional<Point> at =
        reader.coordinates(entry, dimension::kLength, fmt::format("point \"{}\"", entry.key));
    point.broken = !at || !good_name;
    point.source = entry.key_source;
    if (at) point.at = *at;
  }
}

}  // namespace linkwork::model_file
