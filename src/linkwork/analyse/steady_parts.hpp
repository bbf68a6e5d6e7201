// The deviations from a steady motion that the joints allow, in coordinates of their own, and what is taken out of
// them: the common ground of eigenvalues, names and inputs (steady_linear.hpp).
#pragma once

#include <Eigen/Core>

#include "linkwork/analyse/steady_linear.hpp"

namespace linkwork {

// A in T's own coordinates, and the symmetries there.
struct SteadyWhole {
  Eigen::MatrixXd A, W, named;
  SteadyPieces pieces;
  bool ok = false;
};
SteadyWhole wholeOf(SteadySolver& solver, const SteadyMotion& motion);

// Symmetries and structural zeros, level by level; `zeros` too long or too short is cut or left.
Eigen::MatrixXd takenOut(const SteadyWhole& whole, const StructuralZeros& zeros);

// An orthonormal basis of the columns of A, those below `share` of the largest singular value left out.
Eigen::MatrixXd spanOf(const Eigen::MatrixXd& A, double share);
// What is at right angles to orthonormal columns, and orthonormal.
Eigen::MatrixXd restOf(const Eigen::MatrixXd& U);
Eigen::MatrixXd sideBySide(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
// `count` directions that a matrix turns into nothing, or most nearly so.
Eigen::MatrixXd nothings(const Eigen::MatrixXd& A, int count);

}  // namespace linkwork
