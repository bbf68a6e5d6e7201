#include "linkwork/linalg/least_solution.hpp"

#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

namespace {

template <class Right>
Right solved(const Eigen::MatrixXd& A, const Right& b, double threshold) {
  if (A.size() == 0) return Right::Zero(A.cols(), b.cols());
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
  solver.setThreshold(threshold);
  solver.compute(A);
  return solver.solve(b);
}

}  // namespace

Eigen::VectorXd leastSolution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double threshold) {
  return solved(A, b, threshold);
}
Eigen::MatrixXd leastSolutions(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, double threshold) {
  return solved(A, B, threshold);
}

}  // namespace linkwork
