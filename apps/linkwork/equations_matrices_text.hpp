// The matrices of a file of equations as text: 19 source matrices (16 of each body, R, Q and Gamma), 5 derived ones and
// Gamma_0, with names.
#pragma once

#include <string>
#include <vector>

#include "linkwork/formulation/equations/equations_matrices.hpp"

namespace linkwork::app {

// Row by row; a vector has one column without a name.
struct NamedNumbers {
  std::string name;     // "V_P"
  std::string meaning;  // "dV/dw"
  std::vector<std::string> rows, columns;
  std::vector<double> entries;

  std::size_t columnCount() const { return columns.empty() ? 1 : columns.size(); }
};

// Those of one body, or those that all have in common.
struct MatrixGroup {
  std::string title;
  std::string words;  // sentences; may be empty
  std::vector<NamedNumbers> matrices;
};

// What is round-off beside the largest entry of its matrix is written as zero.
std::string matricesText(const std::vector<MatrixGroup>& groups);

std::vector<MatrixGroup> equationsMatrixGroups(const EquationsModel& model, const EquationsMatrices& of);

}  // namespace linkwork::app
