// linkwork methods: which formulations, stabilisations and integrators there are, and which go together.
#include "linkwork/simulate/methods.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "linkwork/integrate/sundials/make_sundials.hpp"
#include "verbs.hpp"

namespace linkwork::app {

namespace {

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
    fmt::print("formulation {}: \"yes\" where an integrator goes with a stabilisation\n\n  {:<18}", formulation, "");
    for (const std::string& stabilisation : stabilisationNames()) fmt::print(" {}", stabilisation);
    fmt::print("\n");
    for (const IntegratorInfo& integrator : integrators()) {
      fmt::print("  {:<18}", integrator.name);
      for (const std::string& stabilisation : stabilisationNames())
        fmt::print(" {:^{}}", methodProblem(formulation, stabilisation, integrator.name).empty() ? "yes" : "-",
                   stabilisation.size());
      fmt::print("\n");
    }
    fmt::print("\n");
  }
  fmt::print("formulations\n");
  for (const FormulationInfo& info : formulations()) fmt::print("  {:<18} {}\n", info.name, info.unknowns);
  fmt::print("\nintegrators\n");
  for (const IntegratorInfo& info : integrators()) fmt::print("  {:<18} {}\n", info.name, info.description);
  if (!hasSundials()) fmt::print("\nThis build has no SUNDIALS: cvode, arkode and ida are refused.\n");
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
  fmt::print("{}\n", out.dump(2));
}

}  // namespace

void addMethods(CLI::App& app, int& exit_code) {
  auto json = std::make_shared<bool>(false);
  CLI::App* verb = app.add_subcommand("methods", "List integrators and stabilisations, and which go together");
  verb->add_flag("--json", *json, "Print the table as JSON");
  verb->callback([json, &exit_code] {
    if (*json) {
      printJson();
    } else {
      printTable();
    }
    exit_code = kGood;
  });
}

}  // namespace linkwork::app
