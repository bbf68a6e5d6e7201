// The verbs of the command line: each adds its own options and says what to do when it is chosen.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "linkwork/base/diagnostics.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/read/model_file.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace linkwork::app {

void addCheck(CommandLine& line);
void addAssemble(CommandLine& line);
void addSimulate(CommandLine& line);
void addCompare(CommandLine& line);
void addExplain(CommandLine& line);
void addEquations(CommandLine& line);
void addLinearize(CommandLine& line);
void addModes(CommandLine& line);
void addKinematics(CommandLine& line);
void addInverse(CommandLine& line);
void addStatics(CommandLine& line);
void addSteady(CommandLine& line);
void addLocus(CommandLine& line);
void addMethods(CommandLine& line);
void addView(CommandLine& line);

// Which model, and what is to be different from its file: of every verb that reads one.
struct ModelOptions {
  std::string file;
  std::vector<std::string> set;  // "NAME=VALUE"
  std::string space;             // empty: the file's own
  std::string for_verb;          // that reads it

  void addFile(Verb& verb);  // and --set
  void addSpace(Verb& verb);
};

// Whether it holds equations, which the verb does not take: said on stderr then.
bool refusesEquations(const ModelOptions& model);

// Reads a model, lifts it to the space asked for, and prints all findings to stderr; nullopt when there was an error.
std::optional<Mechanism> readModel(const ModelOptions& model, Diagnostics& diagnostics,
                                   InputsAs inputs = InputsAs::formulas);

// Assembles and prints what there is to say about it to stderr; nullopt on failure.
std::optional<Assembly> assembleModel(const Mechanism& mechanism);
// The same as findings: warnings, and why it failed.
void addFindings(const Mechanism& mechanism, const Assembly& assembly, Diagnostics& findings);
// Notes on rows of velocities alone that can be integrated, printed too. Expects assembly.ok.
void addIntegrableRows(const Mechanism& mechanism, const Assembly& assembly, Diagnostics& findings);

// What the user wrote on the command line, over what the model file says.
struct MethodOptions {
  MethodOptions();

  void add(Verb& verb);  // all of them
  // Without formulation, stabilisation and integrator, and without those that the verb reads in its own way.
  void addNumbers(Verb& verb, const std::vector<std::string_view>& but = {});
  void apply(RunOptions& options) const;
  // Why one of those that were given goes with none of the methods chosen; empty if all do.
  // `but`: one that is not asked about.
  std::string problem(std::span<const RunOptions> methods, std::string_view but = {}) const;

 private:
  void addThose(Verb& verb, const std::function<bool(const RunOption& option)>& wanted);

  // One of the two for each option of the table.
  std::vector<std::optional<double>> numbers_;
  std::vector<std::optional<std::string>> words_;
  const Verb* verb_ = nullptr;
};

}  // namespace linkwork::app
