// Verbs and their options as data. How they are read from a command line, and how help is written, is known to
// command_line.cpp alone: the parser's templates are slow to compile.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace linkwork::app {

enum ExitCode : int {
  kGood = 0,
  kBadInput = 1,
  kNumericalFailure = 2,
  kConditionHolds = 3,  // of --fail-if, or --within does not
  kInterrupted = 130,   // as a shell reports it
};

struct Option {
  // Where the value goes; what is there beforehand is the default. A bool is a flag, without a value.
  using Target = std::variant<bool*, int*, unsigned*, double*, std::string*, std::optional<int>*,
                              std::optional<double>*, std::optional<std::string>*, std::vector<std::string>*>;
  enum class Range { any, non_negative, positive };

  std::string name;  // "--until"; without dashes, "FILE": known by its place
  Target target;
  std::string help;
  bool is_required = false;
  bool shows_default = false;      // in the help
  char separator = '\0';           // of the words of a list that stand in one argument
  bool takes_one = false;          // of a list: one argument after each mention of its name, not all that follow
  std::vector<std::string> words;  // all that are allowed; empty: any
  Range range = Range::any;
  std::string unit;                   // that a number counts in, and that others of its kind may stand behind
  std::vector<std::string> excluded;  // names of options that this one must not be given with
  std::vector<std::string> needed;    // and of those that it needs

  Option& required();
  Option& showDefault();
  Option& separatedBy(char c);
  Option& oneEach();
  Option& oneOf(std::vector<std::string> allowed);
  Option& nonNegative();
  Option& positive();
  Option& in(std::string_view its_unit);
  Option& excludes(const Option& other);
  Option& needs(const Option& other);
};

class Verb {
 public:
  // `run` is called with all options read, and answers an ExitCode.
  Verb(std::string name, std::string help, std::function<int()> run);

  // The value must live as long as the verb. Help lists options in the order in which they are added.
  Option& add(std::string name, bool& value, std::string help);
  Option& add(std::string name, int& value, std::string help);
  Option& add(std::string name, unsigned& value, std::string help);
  Option& add(std::string name, double& value, std::string help);
  Option& add(std::string name, std::string& value, std::string help);
  Option& add(std::string name, std::optional<int>& value, std::string help);
  Option& add(std::string name, std::optional<double>& value, std::string help);
  Option& add(std::string name, std::optional<std::string>& value, std::string help);
  Option& add(std::string name, std::vector<std::string>& value, std::string help);

  const std::string& name() const { return name_; }
  const std::string& help() const { return help_; }
  const std::deque<Option>& options() const { return options_; }
  int run() const { return run_(); }

  // Names without dashes of the options that the user gave, in that order.
  const std::vector<std::string>& given() const { return given_; }
  void setGiven(std::vector<std::string> names);

 private:
  Option& addTarget(std::string name, Option::Target target, std::string help);

  std::string name_, help_;
  std::function<int()> run_;
  std::deque<Option> options_;  // where they are, they stay
  std::vector<std::string> given_;
};

class CommandLine {
 public:
  CommandLine(std::string title, std::string version, std::string footer);

  Verb& add(std::string name, std::string help, std::function<int()> run);

  // Reads the arguments and runs the verb that they name; its exit code. Prints the help or version asked for (kGood),
  // or what is wrong with the arguments (kBadInput).
  int run(int argc, const char* const* argv);

 private:
  std::string title_, version_, footer_;
  std::string colour_ = "auto";
  Option for_all_;  // --colour, before or behind a verb
  std::deque<Verb> verbs_;
};

}  // namespace linkwork::app
