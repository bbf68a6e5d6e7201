#include "linkwork/read/model_file/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace linkwork {

namespace {

constexpr std::size_t kLongestShown = 60;  // of a setting, in front of what is wrong with it
constexpr std::size_t kMostNames = 20;     // of parameters, in a hint

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Where a finding about a setting stands: there is no line of a file for it.
Source placeOf(std::string_view setting, std::string_view option = "--set") {
  std::string shown = fmt::format("{} {}", option, setting.substr(0, kLongestShown));
  if (setting.size() > kLongestShown) shown += "...";
  return {std::make_shared<const std::string>(std::move(shown)), 0, 0};
}

std::vector<std::string> thoseWith(const std::vector<std::string>& names, auto&& property) {
  std::vector<std::string> out;
  for (const std::string& name : names) {
    if (property(name)) out.push_back(name);
  }
  return out;
}

// "a, b and 3 others"
std::string listed(const std::vector<std::string>& names) {
  if (names.size() <= kMostNames) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} others", fmt::join(names.begin(), names.begin() + kMostNames, ", "),
                     names.size() - kMostNames);
}

std::string oneOf(const std::vector<std::string>& names) {
  if (names.size() == 1) return fmt::format("Did you mean \"{}\"?", names.front());
  return fmt::format("Did you mean one of {}?", listed(names));
}

// Parameters of an included file stand in the whole as PREFIX_NAME; who reads that file knows them as NAME.
std::string hintFor(const model_file::Reader& reader, const std::string& name, const std::vector<std::string>& names) {
  if (names.empty()) return "It has none: only what stands in [parameters] can be set.";
  const auto inParts = thoseWith(names, [&](const std::string& other) { return other.ends_with("_" + name); });
  if (!inParts.empty()) return oneOf(inParts);
  if (std::string near = reader.suggest(name, names); !near.empty()) return near;
  const auto longer = thoseWith(names, [&](const std::string& other) { return other.find(name) != std::string::npos; });
  return longer.empty() ? fmt::format("It has {}.", listed(names)) : oneOf(longer);
}

// NAME=VALUE; `example` shows how the option is written.
std::optional<ParameterSetting> parsePair(std::string_view text, std::string_view option, std::string_view example,
                                          Diagnostics& diagnostics) {
  const std::size_t equals = text.find('=');
  const std::string_view name = trimmed(text.substr(0, equals));
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view{} : trimmed(text.substr(equals + 1));
  if (!name.empty() && !value.empty()) return ParameterSetting{std::string(name), std::string(value)};
  const char* missing = equals == std::string_view::npos ? "there is no \"=\""
                        : name.empty()                   ? "there is no name before the \"=\""
                                                         : "there is no value after the \"=\"";
  diagnostics.error(placeOf(text, option), fmt::format("expected NAME=VALUE, but {}.", missing),
                    fmt::format("Write, for example, {} \"{}\".", option, example));
  return std::nullopt;
}

}  // namespace

std::optional<ParameterSetting> parseSetting(std::string_view text, Diagnostics& diagnostics) {
  return parsePair(text, "--set", "L=12 mm", diagnostics);
}

std::optional<ParameterSetting> parseGiven(std::string_view text, Diagnostics& diagnostics) {
  return parsePair(text, "--given", "O.rate=10 rad/s", diagnostics);
}

namespace model_file {

void takeSettings(Reader& reader) {
  for (const ParameterSetting& setting : reader.session.options.set) {
    Node node;
    node.kind = NodeKind::text;
    node.key = setting.name;
    node.text = setting.value;
    node.source = placeOf(setting.name + "=" + setting.value);
    node.key_source = node.source;
    for (const ParameterValue& known : reader.session.options.numbers) {
      if (known.name != setting.name) continue;
      node.kind = NodeKind::real;
      node.number = known.number;
    }
    const auto [before, is_new] = reader.settings.try_emplace(setting.name, std::move(node));
    if (!is_new) {
      reader.error(placeOf(setting.name + "=" + setting.value),
                   fmt::format("parameter \"{}\" is set twice, first to {}.", setting.name, before->second.text),
                   "Give one of them.");
    }
  }
  reader.mechanism.set = reader.session.options.set;
}

std::vector<Node> givenNodes(const Reader& reader) {
  std::vector<Node> out;
  for (const ParameterSetting& given : reader.session.options.given) {
    Node& node = out.emplace_back();
    node.kind = NodeKind::text;
    node.key = given.name;
    node.text = given.value;
    node.source = placeOf(given.name + "=" + given.value, "--given");
    node.key_source = node.source;
  }
  return out;
}

void passSettings(Reader& whole, const std::string& prefix, Reader& part) {
  const auto isPassed = [&](const std::string& name) {
    return name.starts_with(prefix) && name.size() > prefix.size() && !whole.parameters.contains(name);
  };
  for (const auto& [name, node] : whole.settings) {
    if (!isPassed(name)) continue;
    const auto value = whole.parse(node, fmt::format("parameter \"{}\"", name), Level::constants);
    if (value && !value->broken)
      part.overrides[name.substr(prefix.size())] = {*value, node.source, Override::From::farther};
  }
  for (const auto& [name, given] : whole.overrides) {
    if (!isPassed(name)) continue;
    Override passed = given;
    passed.from = Override::From::farther;
    part.overrides.insert_or_assign(name.substr(prefix.size()), std::move(passed));
  }
}

void noteSettings(Reader& reader) {
  for (const Parameter& parameter : reader.mechanism.parameters) {
    const auto set = reader.settings.find(parameter.name);
    const auto known = reader.parameters.find(parameter.name);
    if (set == reader.settings.end() || known == reader.parameters.end() || known->second.broken) continue;
    reader.diagnostics.note(parameter.source,
                            fmt::format("parameter \"{}\" is set to {}.", parameter.name, set->second.text));
  }
}

void checkSettings(Reader& reader) {
  for (const auto& [name, node] : reader.settings) {
    if (reader.parameters.contains(name)) continue;
    if (reader.repeat_names.contains(name)) {
      reader.error(node.source, fmt::format("\"{}\" is an index of [repeat], not a parameter.", name),
                   "Set a parameter that its range uses.");
      continue;
    }
    const std::vector<std::string> names = namesOf(reader.parameters);
    reader.error(node.source, fmt::format("{} has no parameter \"{}\".", reader.mechanism.file_name, name),
                 hintFor(reader, name, names));
  }
}

}  // namespace model_file

}  // namespace linkwork
