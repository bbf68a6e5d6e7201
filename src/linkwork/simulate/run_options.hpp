// RunOptions: what a run is asked to do; and the table of its options, the one place that says what each is called,
// what it means, in which unit, to whom it belongs and where its value lives. The model file, the command line, the
// settings of a result, the identity of a checkpoint and the messages about options that do nothing all read it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "linkwork/formulation/make_system.hpp"
#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/result/setting.hpp"
#include "linkwork/simulate/recorder.hpp"

namespace linkwork {

// Every thousandth of the run for a method that remembers, every twentieth for one that must start over there.
inline constexpr double kChosenCheckpointStep = -1.0;

// In place of the name of a formulation or an integrator: one that suits (simulate/auto_method.hpp).
inline constexpr std::string_view kAuto = "auto";

struct RunOptions {
  SystemOptions system;
  std::string integrator = "dopri5";
  IntegratorOptions steps;
  double until = 10.0;       // s
  double output_step = 0.0;  // s; 0: a thousandth of the run
  // s between two times at which a checkpoint may be written; 0: none. A method that does not remember starts over at
  // each, whether it is written or not, so that a resumed run is the same as one that was never interrupted.
  double checkpoint_step = 0.0;
  Columns columns = Columns::standard;
  std::string chosen;      // why these methods, where "auto" chose one; empty: they were named
  bool generated = false;  // by code written and compiled for this model, where that can be done

  // What is wrong and what to do about it, in one sentence; empty if nothing is.
  std::string problem() const;
};

struct RunOption {
  enum class Owner { run, formulation, stabilisation, integrator };
  enum class Where { model_file, command_line, both };  // who may give it; the verbs add until and the like themselves
  enum class Range { positive, not_negative };          // of a number in a model file

  // Where the value lives. A choice among words that is an enum goes by two functions.
  struct Choice {
    std::string (*word)(const RunOptions& options);
    void (*choose)(RunOptions& options, std::string_view word);
  };
  using Place = std::variant<double RunOptions::*, double SystemOptions::*, double IntegratorOptions::*,
                             std::string RunOptions::*, std::string SystemOptions::*, Choice>;

  std::string_view name;  // "max_step": in the model file; on the command line --max-step
  std::string help;       // of the command line; without it in results and checkpoints alone
  Place place;
  std::string_view unit{};   // of a number; empty: a pure number
  std::string_view label{};  // in the settings of a result, where it is not the name
  Owner owner = Owner::run;
  std::string_view owned_by{};  // the formulation, stabilisation or integrator that it belongs to, or several of them
  Where where = Where::both;
  bool chooses = false;  // which formulation, stabilisation or integrator it is
  Range range = Range::positive;
  std::vector<std::string> words{};  // all that are allowed; empty: any, and those who take it say what there is
  // Whether the settings of a result name it, where it belongs to the method at all. Null: they do.
  bool (*shown)(const RunOptions& options) = nullptr;
  // What they say in place of the value; null or empty: the value.
  std::string_view (*said)(const RunOptions& options) = nullptr;

  bool isNumber() const { return place.index() < 3; }
  double number(const RunOptions& options) const;
  std::string word(const RunOptions& options) const;
  void set(RunOptions& options, double number) const;
  void set(RunOptions& options, const std::string& word) const;
  // The value of either kind, in full.
  std::string text(const RunOptions& options) const;
  // Whether it belongs to a method that the options choose.
  bool belongs(const RunOptions& options) const;
  // The names in owned_by, which stand with blanks between them.
  std::vector<std::string_view> owners() const;
  // --max-step
  std::string flag() const;
};

// In the order in which the command line lists them.
const std::vector<RunOption>& runOptionTable();
const RunOption* findRunOption(std::string_view name);  // null: there is none of that name

// The model file's own [simulate] over the given defaults, as it says; "auto" may be among the names.
RunOptions givenOptions(const Mechanism& mechanism, const RunOptions& defaults);
// The same over the built-in defaults, which name their methods; for "auto" in the file, what the mechanism suggests.
RunOptions runOptions(const Mechanism& mechanism);

// What the settings of a result say about the method of a run: those options that have an effect on it.
Settings settingsOf(const Mechanism& mechanism, const RunOptions& options);

}  // namespace linkwork
