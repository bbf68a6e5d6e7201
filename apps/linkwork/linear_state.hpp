// What linearize and modes have in common: the state they look at, the matrices there, and how matrices are written.
#pragma once

#include <Eigen/Core>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "linkwork/analyse/linearise.hpp"
#include "linkwork/result/result.hpp"
#include "steady_models.hpp"
#include "verbs.hpp"

namespace linkwork::app {

struct LinearStateOptions : SteadyOptions {
  double at = 0.0;
  bool at_equilibrium = false;
  bool steady = false;
  std::vector<std::string> coordinates;
  std::string formulation;

  // What goes with --steady alone; false after a message.
  bool checkSteady(const std::string& verb) const;
  void add(Verb& verb);
};

struct LinearState {
  Mechanism mechanism;
  Linearisation linear;
  std::vector<std::string> warnings;  // why the matrices may not mean what is expected of them
  Result still;                       // the state itself, for a page
};

// Reads, assembles, goes to the state asked for and linearises; prints what there is to say to stderr. On failure
// nullopt, and the exit code. `outputs` are the files that the verb will write, tried beforehand.
std::optional<LinearState> lineariseModel(const std::string& verb, const LinearStateOptions& options,
                                          const std::vector<std::string>& outputs, int& exit_code);

nlohmann::ordered_json matrixJson(const Eigen::MatrixXd& matrix);
nlohmann::ordered_json coordinatesJson(const std::vector<LinearCoordinate>& coordinates);

void printMatrix(const std::string& title, const Eigen::MatrixXd& matrix, const std::vector<std::string>& rows,
                 const std::vector<std::string>& columns);

// A table with the names of its columns in the first line and those of its rows in the first column. Empty on success.
std::string writeMatrixCsv(const std::string& path, const Eigen::MatrixXd& matrix, const std::vector<std::string>& rows,
                           const std::vector<std::string>& columns);

// Quoted where it must be.
std::string csvText(const std::string& text);

}  // namespace linkwork::app
