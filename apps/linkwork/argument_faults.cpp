#include "argument_faults.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "linkwork/base/diagnostics.hpp"
#include "linkwork/read/units.hpp"

namespace linkwork::app {

namespace {

bool isOption(std::string_view word) {
  // "-5" is a number, and "-" a file to some programs.
  return word.size() > 1 && word.front() == '-' &&
         std::string_view("0123456789.").find(word[1]) == std::string_view::npos;
}

std::optional<double> numberIn(std::string_view text, std::string_view& rest) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  rest = text.substr(static_cast<std::size_t>(end - text.data()));
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return value;
}

bool isList(const Option& option) { return std::holds_alternative<std::vector<std::string>*>(option.target); }

bool isFlag(const Option& option) { return std::holds_alternative<bool*>(option.target); }

bool isPlaced(const Option& option) { return option.name.front() != '-'; }

enum class Wanted { word, whole, natural, number };

Wanted wantedBy(const Option& option) {
  struct Kind {
    Wanted operator()(const int*) const { return Wanted::whole; }
    Wanted operator()(const std::optional<int>*) const { return Wanted::whole; }
    Wanted operator()(const unsigned*) const { return Wanted::natural; }
    Wanted operator()(const double*) const { return Wanted::number; }
    Wanted operator()(const std::optional<double>*) const { return Wanted::number; }
    Wanted operator()(const void*) const { return Wanted::word; }
  };
  return std::visit([](auto* target) { return Kind{}(target); }, option.target);
}

// A quantity that the option could have, to show how it is written.
std::string example(const Option& option) {
  if (option.unit == "s") return "2.5 or \"500 ms\"";
  return option.unit.empty() ? "2.5" : fmt::format("2.5 or \"2.5 {}\"", option.unit);
}

std::string wantedWords(const Option& option) {
  switch (wantedBy(option)) {
    case Wanted::whole: return "a whole number";
    case Wanted::natural: return "a whole number that is not negative";
    default: break;
  }
  if (option.unit.empty()) return "a number";
  const auto unit = parseUnit(option.unit);
  return describe(std::get<Unit>(unit).dimension);
}

// Why a number is refused; empty if it is not.
std::string numberFault(const Option& option, const std::string& text) {
  std::string_view rest;
  const std::optional<double> value = numberIn(text, rest);
  const std::string wants = fmt::format("{} \"{}\": {} was expected", option.name, text, wantedWords(option));
  if (!value) return fmt::format("{}, such as {}.", wants, wantedBy(option) == Wanted::number ? example(option) : "20");
  if (!rest.empty() && option.unit.empty()) return fmt::format("{}, without \"{}\".", wants, rest);
  if (!rest.empty()) {
    const auto unit = parseUnit(rest);
    if (const auto* error = std::get_if<TextError>(&unit)) {
      return fmt::format("{}, such as {}: {}.{}", wants, example(option), error->message,
                         error->hint.empty() ? "" : " " + error->hint);
    }
    const Dimension& given = std::get<Unit>(unit).dimension;
    const auto own = parseUnit(option.unit);
    if (!sameDimension(given, std::get<Unit>(own).dimension))
      return fmt::format("{}, such as {}, and \"{}\" is {}.", wants, example(option), rest, describe(given));
  }
  if (wantedBy(option) != Wanted::number && *value != std::floor(*value)) return wants + ".";
  if (wantedBy(option) == Wanted::natural && *value < 0.0) return wants + ".";
  if (option.range == Option::Range::positive && !(*value > 0.0))
    return fmt::format("{} {}: a number above zero was expected.", option.name, text);
  if (option.range == Option::Range::non_negative && !(*value >= 0.0))
    return fmt::format("{} {}: zero or a number above it was expected.", option.name, text);
  return {};
}

std::string wordFault(const Option& option, const std::string& text) {
  if (std::find(option.words.begin(), option.words.end(), text) != option.words.end()) return {};
  const std::string guess = didYouMean(text, option.words);
  return fmt::format("{} takes no \"{}\", but {}.{}", option.name, text, fmt::join(option.words, ", "),
                     guess.empty() ? "" : " " + guess);
}

std::string valueFault(const Option& option, const std::string& text) {
  if (wantedBy(option) != Wanted::word) return numberFault(option, text);
  if (option.words.empty()) return {};
  if (option.separator == '\0') return wordFault(option, text);
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(option.separator, at), text.size());
    std::string fault = wordFault(option, text.substr(at, end - at));
    if (!fault.empty()) return fault;
    at = end + 1;
  }
  return {};
}

// Goes through the arguments of one verb in their order, up to the first that is wrong.
class Walk {
 public:
  Walk(const Verb& verb, const Option& for_all, std::span<const char* const> arguments)
      : verb_(verb), words_(arguments.begin(), arguments.end()), named_{{for_all.name, &for_all}} {
    for (const Option& option : verb.options()) {
      if (isPlaced(option)) {
        placed_.push_back(&option);
      } else {
        named_[option.name] = &option;
      }
    }
  }

  std::string fault() {
    while (at_ < words_.size()) {
      std::string fault = isOption(words_[at_]) ? named() : placed();
      if (!fault.empty()) return fault;
    }
    return missing();
  }

 private:
  // An option and its values.
  std::string named() {
    const std::string& word = words_[at_++];
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const auto found = named_.find(name);
    if (found == named_.end()) return unknown(name);
    const Option& option = *found->second;
    given_.push_back(&option);
    if (isFlag(option)) {
      return equals == std::string::npos ? "" : fmt::format("{} stands alone, without a value.", name);
    }
    if (equals != std::string::npos) return valueFault(option, word.substr(equals + 1));
    if (at_ == words_.size() || isOption(words_[at_])) return fmt::format("{} wants a value behind it.", name);
    do {
      std::string fault = valueFault(option, words_[at_++]);
      if (!fault.empty()) return fault;
    } while (isList(option) && !option.takes_one && at_ < words_.size() && !isOption(words_[at_]));
    return {};
  }

  // What is known by its place.
  std::string placed() {
    const std::string& word = words_[at_++];
    if (next_ == placed_.size()) return fmt::format("\"{}\" is one argument too many.", word);
    const Option& option = *placed_[next_];
    given_.push_back(&option);
    if (!isList(option)) ++next_;
    return valueFault(option, word);
  }

  std::string unknown(const std::string& name) const {
    std::vector<std::string> names;
    for (const auto& [known, option] : named_) names.push_back(known);
    const std::string guess = didYouMean(name, names);
    return fmt::format("there is no option \"{}\".{}", name, guess.empty() ? "" : " " + guess);
  }

  bool isGiven(std::string_view name) const {
    return std::any_of(given_.begin(), given_.end(), [&](const Option* option) { return option->name == name; });
  }

  // What ought to be there beside what is, or ought not.
  std::string missing() const {
    for (const Option& option : verb_.options()) {
      if (option.is_required && !isGiven(option.name))
        return fmt::format("{} is missing: linkwork {} {}", option.name, verb_.name(), form());
      if (!isGiven(option.name)) continue;
      for (const std::string& other : option.excluded) {
        if (isGiven(other)) return fmt::format("{} and {} do not go together.", option.name, other);
      }
      for (const std::string& other : option.needed) {
        if (!isGiven(other)) return fmt::format("{} goes with {} only.", option.name, other);
      }
    }
    return {};
  }

  // What the verb cannot do without: "FILE --over ...".
  std::string form() const {
    std::string out;
    for (const Option* option : placed_) out += option->name + " ";
    for (const auto& [name, option] : named_) {
      if (option->is_required) out += name + " ... ";
    }
    if (!out.empty()) out.pop_back();
    return out;
  }

  const Verb& verb_;
  std::vector<std::string> words_;
  std::vector<const Option*> placed_;
  std::map<std::string, const Option*> named_;
  std::vector<const Option*> given_;
  std::size_t at_ = 0;    // the argument to look at
  std::size_t next_ = 0;  // of those known by their place, the one to come
};

}  // namespace

std::string argumentFault(const std::deque<Verb>& verbs, const Option& for_all,
                          std::span<const char* const> arguments) {
  constexpr std::string_view kMore = "All that can be done: linkwork --help";
  while (!arguments.empty() && arguments.front() == for_all.name) {
    const std::string fault = arguments.size() < 2 ? fmt::format("{} wants a value behind it.", for_all.name)
                                                   : valueFault(for_all, arguments[1]);
    if (!fault.empty()) return fmt::format("linkwork: error: {} {}", fault, kMore);
    arguments = arguments.subspan(2);
  }
  if (arguments.empty())
    return fmt::format("linkwork: error: say what to do, such as linkwork simulate FILE. {}", kMore);
  const std::string first = arguments.front();
  std::vector<std::string> names{for_all.name};
  for (const Verb& verb : verbs) names.push_back(verb.name());
  const auto verb = std::find_if(verbs.begin(), verbs.end(), [&](const Verb& one) { return one.name() == first; });
  if (verb == verbs.end()) {
    const std::string guess = didYouMean(first, names);
    return fmt::format("linkwork: error: there is no {} \"{}\".{} {}", isOption(first) ? "option" : "verb", first,
                       guess.empty() ? "" : " " + guess, kMore);
  }
  const std::string fault = Walk(*verb, for_all, arguments.subspan(1)).fault();
  if (fault.empty()) return {};
  const bool ends = fault.back() == '.' || fault.back() == '?';
  return fmt::format("linkwork {}: error: {}{} All options: linkwork {} --help", first, fault, ends ? "" : ".", first);
}

std::string withoutUnit(const std::string& text, std::string_view unit) {
  std::string_view rest;
  const std::optional<double> value = numberIn(text, rest);
  if (!value || rest.empty()) return text;
  const auto given = parseUnit(rest);
  const auto own = parseUnit(unit);
  if (!std::holds_alternative<Unit>(given) || !std::holds_alternative<Unit>(own)) return text;
  if (!sameDimension(std::get<Unit>(given).dimension, std::get<Unit>(own).dimension)) return text;
  // In the option's unit, as the double nearest to what is meant.
  const Unit& from = std::get<Unit>(given);
  const Unit& to = std::get<Unit>(own);
  return fmt::format("{}", *value * from.up * to.down / (from.down * to.up));
}

}  // namespace linkwork::app
