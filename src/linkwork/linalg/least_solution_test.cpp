#include "linkwork/linalg/least_solution.hpp"

#include <gtest/gtest.h>

namespace linkwork {
namespace least_solution_test {

// x + y = 2 twice, and once more with 5: nearest is 3, which the least x shares out.
TEST(LeastSolution, IsNearestAndLeast) {
  Eigen::MatrixXd A(3, 2);
  A << 1, 1, 1, 1, 1, 1;
  const Eigen::Vector3d b(2, 2, 5);
  const Eigen::VectorXd x = leastSolution(A, b, 1e-11);
  EXPECT_NEAR(x[0], 1.5, 1e-14);
  EXPECT_NEAR(x[1], 1.5, 1e-14);
  Eigen::MatrixXd B(3, 2);
  B << b, 2.0 * b;
  const Eigen::MatrixXd X = leastSolutions(A, B, 1e-11);
  EXPECT_LT((X.col(0) - x).norm(), 1e-14);
  EXPECT_LT((X.col(1) - 2.0 * x).norm(), 1e-14);
}

TEST(LeastSolution, LeavesAloneWhatIsHardlySeen) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2, 2);
  A(0, 0) = 1.0;
  A(1, 1) = 1e-10;
  const Eigen::Vector2d b(1, 1);
  EXPECT_NEAR(leastSolution(A, b, 1e-11)[1], 1e10, 1.0);
  EXPECT_EQ(leastSolution(A, b, 1e-9)[1], 0.0);
  const Eigen::VectorXd free = leastSolution(Eigen::MatrixXd(0, 2), Eigen::VectorXd(0), 1e-11);
  EXPECT_EQ(free.size(), 2);
  EXPECT_EQ(free.norm(), 0.0);
  EXPECT_EQ(leastSolution(Eigen::MatrixXd(2, 0), b, 1e-11).size(), 0);
}

}  // namespace least_solution_test
}  // namespace linkwork
