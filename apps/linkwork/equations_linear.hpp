// steady, linearize, modes and locus of a file of equations.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "linkwork/codegen/equation_forms.hpp"
#include "linkwork/model/equations_model.hpp"
#include "steady_models.hpp"

namespace linkwork::app {

struct EquationsSteadyAsked {
  SteadyOptions model;  // file, --set, --given, --find
  std::vector<std::string> over;
  int points = 11;
  bool json = false;
  std::string out;       // of files; empty: none
  bool steady = true;    // else about the start
  bool printed = false;  // linearize --variant printed_rule
  bool campbell = false;
  std::string page{};  // empty: none
};

// The steady motion as equations are written about it: which parameters become numbers, because it depends on them.
struct EquationsSteadyState {
  int exit_code = 0;
  StateInLetters about;
  std::map<std::string, Expr> numbers;
  std::string note;
};
EquationsSteadyState steadyStateOfEquations(const EquationsSteadyAsked& asked);

// Where simulate --steady starts, with the parameters that were found for it.
struct EquationsSteadyStart {
  int exit_code = 0;
  std::optional<EquationsModel> model;
  std::vector<double> x;
};
EquationsSteadyStart steadyStartOfEquations(const EquationsSteadyAsked& asked);

// Whether one of the options that are of mechanisms alone was given: said on stderr then. Each with its name.
bool refusesOptions(const std::string& verb, const std::vector<std::pair<const char*, bool>>& given);

int steadyEquations(const EquationsSteadyAsked& asked);
int linearizeEquations(const EquationsSteadyAsked& asked);
int modesEquations(const EquationsSteadyAsked& asked);
int locusEquations(const EquationsSteadyAsked& asked);

// linkwork explain --matrices.
int explainEquations(const ModelOptions& options, double at, bool matrices, const std::string& variant);

}  // namespace linkwork::app
