// Least squares of matrices that may lack rank, compiled once: Eigen's solves are templates of what they are given.
#pragma once

#include <Eigen/Core>

namespace linkwork {

// The least x with A x nearest to b. Directions that A sees by less than `threshold` of the most are left alone; with
// an A without rows x is zero.
Eigen::VectorXd leastSolution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double threshold = 1e-11);
// The same of each column of B.
Eigen::MatrixXd leastSolutions(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, double threshold = 1e-11);

}  // namespace linkwork
