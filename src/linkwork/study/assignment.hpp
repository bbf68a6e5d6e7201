// Assignment: partners for rows and columns of a square matrix of costs, so that the sum is least.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace linkwork {

// The column of each row (Kuhn's method with potentials, n^3).
std::vector<int> assign(const Eigen::MatrixXd& cost);

}  // namespace linkwork
