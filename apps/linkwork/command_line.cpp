#include "command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <span>
#include <utility>

#include "argument_faults.hpp"
#include "colour.hpp"
#include "output.hpp"

namespace linkwork::app {

namespace {

// Adds an option as the parser has it.
struct Adder {
  CLI::App& verb;
  const Option& option;

  CLI::Option* operator()(bool* value) const { return verb.add_flag(option.name, *value, option.help); }
  template <class T>
  CLI::Option* operator()(T* value) const {
    return verb.add_option(option.name, *value, option.help);
  }
};

CLI::Option* addOption(const Option& option, CLI::App& verb) {
  CLI::Option* out = std::visit(Adder{verb, option}, option.target);
  if (option.is_required) out->required();
  if (option.separator != '\0') out->delimiter(option.separator);
  if (option.takes_one) out->allow_extra_args(false);
  if (!option.unit.empty()) {
    const auto convert = [unit = option.unit](std::string& text) {
      text = withoutUnit(text, unit);
      return std::string();
    };
    out->transform(CLI::Validator(convert, ""));
  }
  if (!option.words.empty()) out->check(CLI::IsMember(option.words));
  if (option.range == Option::Range::non_negative) out->check(CLI::NonNegativeNumber);
  if (option.range == Option::Range::positive) out->check(CLI::PositiveNumber);
  if (option.shows_default) out->capture_default_str();
  return out;
}

void addOptions(const Verb& verb, CLI::App& app) {
  std::map<std::string, CLI::Option*> added;
  for (const Option& option : verb.options()) added[option.name] = addOption(option, app);
  for (const Option& option : verb.options()) {
    for (const std::string& other : option.excluded) added.at(option.name)->excludes(added.at(other));
    for (const std::string& other : option.needed) added.at(option.name)->needs(added.at(other));
  }
}

std::vector<std::string> givenTo(const CLI::App& verb) {
  std::vector<std::string> out;
  for (const CLI::Option* option : verb.parse_order()) {
    if (!option->get_lnames().empty()) out.push_back(option->get_lnames().front());
  }
  return out;
}

}  // namespace

Option& Option::required() {
  is_required = true;
  return *this;
}

Option& Option::showDefault() {
  shows_default = true;
  return *this;
}

Option& Option::separatedBy(char c) {
  separator = c;
  return *this;
}

Option& Option::oneEach() {
  takes_one = true;
  return *this;
}

Option& Option::oneOf(std::vector<std::string> allowed) {
  words = std::move(allowed);
  return *this;
}

Option& Option::nonNegative() {
  range = Range::non_negative;
  return *this;
}

Option& Option::positive() {
  range = Range::positive;
  return *this;
}

Option& Option::in(std::string_view its_unit) {
  unit = its_unit;
  return *this;
}

Option& Option::excludes(const Option& other) {
  excluded.push_back(other.name);
  return *this;
}

Option& Option::needs(const Option& other) {
  needed.push_back(other.name);
  return *this;
}

Verb::Verb(std::string name, std::string help, std::function<int()> run)
    : name_(std::move(name)), help_(std::move(help)), run_(std::move(run)) {}

Option& Verb::addTarget(std::string name, Option::Target target, std::string help) {
  Option& out = options_.emplace_back();
  out.name = std::move(name);
  out.target = target;
  out.help = std::move(help);
  return out;
}

Option& Verb::add(std::string name, bool& value, std::string help) {
  return addTarget(std::move(name), &value, std::move(help));
}
Option& Verb::add(std::string name, int& value, std::string help) {
  return addTarget(std::move(name), &value, std::move(help));
}
Option& Verb::add(std::string name, unsigned& value, std::string help) {
  return addTarget(std::move(name), &value, std::move(help));
}
Option& Verb::add(std::string name, double& value, std::string help) {
  return addTarget(std::move(name), &value, std::move(help));
}
Option& Verb::add(std::string name, std::string& value, std::string help) {
  return addTarget(std::move(name), &value, std::move(help));
}
Option& Verb::add(std::string name, std::optional<int>& value, std::string help) {
  return addTarget(std::move(name), &value, std::move(help));
}
Option& Verb::add(std::string name, std::optional<double>& value, std::string help) {
  return addTarget(std::move(name), &value, std::move(help));
}
Option& Verb::add(std::string name, std::optional<std::string>& value, std::string help) {
  return addTarget(std::move(name), &value, std::move(help));
}
Option& Verb::add(std::string name, std::vector<std::string>& value, std::string help) {
  return addTarget(std::move(name), &value, std::move(help));
}

void Verb::setGiven(std::vector<std::string> names) { given_ = std::move(names); }

CommandLine::CommandLine(std::string title, std::string version, std::string footer)
    : title_(std::move(title)), version_(std::move(version)), footer_(std::move(footer)) {
  for_all_.name = "--colour";
  for_all_.target = &colour_;
  for_all_.help = "Colours in what is printed: auto (on a terminal, unless NO_COLOR is set), always or never";
  for_all_.oneOf({"auto", "always", "never"});
}

Verb& CommandLine::add(std::string name, std::string help, std::function<int()> run) {
  return verbs_.emplace_back(std::move(name), std::move(help), std::move(run));
}

int CommandLine::run(int argc, const char* const* argv) {
  CLI::App app{title_};
  app.set_version_flag("--version", version_);
  addOption(for_all_, app);
  app.require_subcommand(1);
  app.footer(footer_);
  for (const Verb& verb : verbs_) {
    CLI::App& added = *app.add_subcommand(verb.name(), verb.help());
    added.fallthrough();  // what holds for all verbs may stand behind one
    addOptions(verb, added);
  }
  try {
    app.parse(argc, argv);
    chooseColours(colour_);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // what was asked for: help, or the version
    const std::string fault =
        argumentFault(verbs_, for_all_, std::span(argv, static_cast<std::size_t>(argc)).subspan(1));
    printErr("{}\n", fault.empty() ? fmt::format("linkwork: error: {}", error.what()) : fault);
    return kBadInput;
  }
  for (Verb& verb : verbs_) {
    const CLI::App* chosen = app.get_subcommand(verb.name());
    if (!chosen->parsed()) continue;
    verb.setGiven(givenTo(*chosen));
    return verb.run();
  }
  return kBadInput;  // the parser asks for a verb
}

}  // namespace linkwork::app
