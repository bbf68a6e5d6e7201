// The verbs of the command line: each adds its own options and says what to do when it is chosen.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "linkwork/base/diagnostics.hpp"
#include "linkwork/io/model_file.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace CLI {
class App;
}

namespace linkwork::app {

enum ExitCode : int {
  kGood = 0,
  kBadInput = 1,
  kNumericalFailure = 2,
  kConditionHolds = 3,  // of --fail-if, or --within does not
  kInterrupted = 130,   // as a shell reports it
};

// A verb stores what its callback decided in `exit_code`.
void addCheck(CLI::App& app, int& exit_code);
void addAssemble(CLI::App& app, int& exit_code);
void addSimulate(CLI::App& app, int& exit_code);
void addCompare(CLI::App& app, int& exit_code);
void addExplain(CLI::App& app, int& exit_code);
void addEquations(CLI::App& app, int& exit_code);
void addLinearize(CLI::App& app, int& exit_code);
void addModes(CLI::App& app, int& exit_code);
void addKinematics(CLI::App& app, int& exit_code);
void addInverse(CLI::App& app, int& exit_code);
void addStatics(CLI::App& app, int& exit_code);
void addMethods(CLI::App& app, int& exit_code);
void addView(CLI::App& app, int& exit_code);

// Reads a model, lifts it to the space asked for on the command line (empty: its own), and prints all findings to
// stderr; nullopt when there was an error.
std::optional<Mechanism> readModel(const std::string& path, Diagnostics& diagnostics, const std::string& space = {},
                                   InputsAs inputs = InputsAs::formulas);
void addSpaceOption(CLI::App& verb, std::string& space);

// Assembles and prints what there is to say about it to stderr; nullopt on failure.
std::optional<Assembly> assembleModel(const Mechanism& mechanism);
// The same as findings: warnings, and why it failed.
void addFindings(const Mechanism& mechanism, const Assembly& assembly, Diagnostics& findings);

// What the user wrote on the command line, over what the model file says.
struct MethodOptions {
  std::optional<std::string> formulation, stabilisation, integrator, time_rule, opening, variant;
  std::optional<double> rtol, atol, step, alpha, beta, penalty, omega, mu, max_step, reaction_length, rho;

  void add(CLI::App& verb);         // all of them
  void addNumbers(CLI::App& verb);  // without formulation, stabilisation and integrator
  void apply(RunOptions& options) const;
  // Why one of those that were given goes with none of the methods chosen; empty if all do.
  std::string problem(std::span<const RunOptions> methods) const;

 private:
  const CLI::App* verb_ = nullptr;
};

}  // namespace linkwork::app
