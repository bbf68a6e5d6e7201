// The forms a du + a_0 of an EquationsModel and their derivatives at one place, as numbers.
#pragma once

#include <span>
#include <vector>

#include "linkwork/formulation/equations/equations_tapes.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

// At (q, t).
struct FormsAt {
  Eigen::MatrixXd rows;                 // forms x (n + 1): a, and a_0 as the last column
  std::vector<Eigen::MatrixXd> slopes;  // d rows by each of (q, t)
};

FormsAt formsAt(const EquationsTapes& tapes, std::span<const double> q_t);

}  // namespace linkwork
