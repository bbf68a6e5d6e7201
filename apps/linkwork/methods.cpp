// linkwork methods: which formulations, stabilisations and integrators there are, and which go together.
#include "linkwork/simulate/methods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "linkwork/integrate/sundials/make_sundials.hpp"
#include "output.hpp"
#include "verbs.hpp"

namespace linkwork::app {

namespace {

struct Options {
  bool json = false;
};

const char* wordFor(StepControl control) {
  switch (control) {
    case StepControl::fixed: return "fixed";
    case StepControl::adaptive: return "adaptive";
    case StepControl::either: return "either";
  }
  return "";
}

void printTable() {
  for (const FormulationInfo& info : formulations()) {
    const std::string& formulation = info.name;
    printOut("formulation {}: \"yes\" where an integrator goes with a stabilisation\n\n  {:<18}", formulation, "");
    for (const std::string& stabilisation : stabilisationNames()) printOut(" {}", stabilisation);
    printOut("\n");
    for (const IntegratorInfo& integrator : integrators()) {
      printOut("  {:<18}", integrator.name);
      for (const std::string& stabilisation : stabilisationNames())
        printOut(" {:^{}}", methodProblem(formulation, stabilisation, integrator.name).empty() ? "yes" : "-",
                 stabilisation.size());
      printOut("\n");
    }
    printOut("\n");
  }
  printOut("formulations\n");
  for (const FormulationInfo& info : formulations()) printOut("  {:<18} {}\n", info.name, info.unknowns);
  printOut("\nintegrators\n");
  for (const IntegratorInfo& info : integrators()) printOut("  {:<18} {}\n", info.name, info.description);
  if (!hasSundials()) printOut("\nThis build has no SUNDIALS: cvode, arkode and ida are refused.\n");
}

void printJson() {
  nlohmann::ordered_json out;
  for (const FormulationInfo& info : formulations()) {
    out["formulations"].push_back(
        {{"name", info.name}, {"unknowns", info.unknowns}, {"stabilisations", info.stabilisations}});
  }
  for (const IntegratorInfo& info : integrators()) {
    out["integrators"].push_back({{"name", info.name},
                                  {"description", info.description},
                                  {"step", wordFor(info.control)},
                                  {"order", info.order}});
  }
  for (const Method& method : methods()) {
    nlohmann::ordered_json entry{{"formulation", method.formulation},
                                 {"stabilisation", method.stabilisation},
                                 {"integrator", method.integrator},
                                 {"admissible", method.fit == Fit::fits}};
    if (method.fit != Fit::fits)
      entry["reason"] = methodProblem(method.formulation, method.stabilisation, method.integrator);
    out["methods"].push_back(std::move(entry));
  }
  out["sundials"] = hasSundials();
  printOut("{}\n", out.dump(2));
}

int run(const Options& options) {
  if (options.json) {
    printJson();
  } else {
    printTable();
  }
  return kGood;
}

}  // namespace

void addMethods(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Verb& verb = line.add("methods", "List integrators and stabilisations, and which go together",
                        [options] { return run(*options); });
  verb.add("--json", options->json, "Print the table as JSON");
}

}  // namespace linkwork::app
