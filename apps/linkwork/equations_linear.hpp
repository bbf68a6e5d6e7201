// steady, linearize, modes and locus of a file of equations.
#pragma once

#include <string>
#include <utility>
#include <vector>

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
};

// Whether one of the options that are of mechanisms alone was given: said on stderr then. Each with its name.
bool refusesOptions(const std::string& verb, const std::vector<std::pair<const char*, bool>>& given);

int steadyEquations(const EquationsSteadyAsked& asked);
int linearizeEquations(const EquationsSteadyAsked& asked);
int modesEquations(const EquationsSteadyAsked& asked);
int locusEquations(const EquationsSteadyAsked& asked);

// linkwork explain --matrices.
int explainEquations(const ModelOptions& options, double at, bool matrices, const std::string& variant);

}  // namespace linkwork::app
