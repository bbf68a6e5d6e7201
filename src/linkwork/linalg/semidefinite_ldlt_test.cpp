#include "linkwork/linalg/semidefinite_ldlt.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <random>
#include <vector>

namespace linkwork {
namespace semidefinite_ldlt_test {

// Rows of very different lengths, the last `dependent` of them sums of the others.
Eigen::MatrixXd randomRows(int rows, int columns, int dependent, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd R(rows, columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) R(i, j) = normal(engine);
  }
  for (int i = rows - dependent; i < rows; ++i) {
    R.row(i).setZero();
    for (int k = 0; k < rows - dependent; ++k) R.row(i) += normal(engine) * R.row(k);
  }
  for (int i = 0; i < rows; ++i) R.row(i) *= std::pow(10.0, 3.0 * normal(engine));
  return R;
}

void fill(const Eigen::MatrixXd& A, SemidefiniteLdlt& ldlt) {
  for (int i = 0; i < ldlt.size(); ++i) {
    for (int j = 0; j <= i; ++j) ldlt(i, j) = A(i, j);
  }
}

TEST(SemidefiniteLdlt, FindsTheRankAndSolvesWhatIsConsistent) {
  for (const int dependent : {0, 1, 3}) {
    const Eigen::MatrixXd R = randomRows(8, 12, dependent, 5);
    const Eigen::MatrixXd A = R * R.transpose();
    SemidefiniteLdlt ldlt(8);
    fill(A, ldlt);
    const auto factored = ldlt.factor({.row = 1e-10});
    EXPECT_EQ(factored.dropped, dependent);
    const Eigen::VectorXd wanted = R * Eigen::VectorXd::LinSpaced(12, -1.0, 1.0);
    Eigen::VectorXd x = wanted;
    ldlt.solve({x.data(), 8});
    const Eigen::VectorXd rest = A * x - wanted;
    for (int i = 0; i < 8; ++i) EXPECT_NEAR(rest[i], 0.0, 1e-9 * R.row(i).norm()) << i;  // of pivots down to 1e-2
    int zeros = 0;
    for (int i = 0; i < 8; ++i) {
      if (!ldlt.dropped(i)) continue;
      EXPECT_EQ(x[i], 0.0);
      ++zeros;
    }
    EXPECT_EQ(zeros, dependent);
  }
}

// Of all solutions the one that a pseudo-inverse finds, in the units given; rows of zeros get nothing.
TEST(SemidefiniteLdlt, FindsTheSolutionOfLeastNorm) {
  for (const int dependent : {0, 1, 3}) {
    Eigen::MatrixXd R = randomRows(8, 12, dependent, 7);
    for (int i = 0; i < 8; ++i) R.row(i).normalize();  // the pseudo-inverse below decides its rank without units
    if (dependent == 3) R.row(6).setZero();
    const Eigen::MatrixXd A = R * R.transpose();
    SemidefiniteLdlt ldlt(8);
    const Eigen::VectorXd b = R * Eigen::VectorXd::LinSpaced(12, -1.0, 1.0);
    const Eigen::VectorXd units = Eigen::VectorXd::LinSpaced(8, 0.3, 3.0);
    const Eigen::MatrixXd scaled = A * units.asDiagonal();
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> inverse;
    inverse.setThreshold(1e-9);
    inverse.compute(scaled);
    const Eigen::VectorXd wanted = units.cwiseProduct(inverse.solve(b));
    Eigen::VectorXd basic = b;
    for (int again = 0; again < 2; ++again) {  // factors that were used leave nothing behind
      fill(A, ldlt);
      EXPECT_EQ(ldlt.factor({.row = 1e-10}).dropped, dependent);
      basic = b;
      ldlt.solve({basic.data(), 8});
      Eigen::VectorXd x = basic;
      for (int twice = 0; twice < 2; ++twice) {  // from any solution, the least one too
        ldlt.makeLeast({x.data(), 8}, {units.data(), 8});
        EXPECT_LT((x - wanted).cwiseAbs().maxCoeff(), 1e-9 * wanted.cwiseAbs().maxCoeff()) << dependent;
      }
      if (dependent == 3) {
        EXPECT_EQ(x[6], 0.0);
      }
    }
    const double least = wanted.cwiseQuotient(units).norm();
    if (dependent > 0) {
      EXPECT_LT(least, 0.999 * basic.cwiseQuotient(units).norm()) << dependent;
    }
  }
}

// Two rows at an angle: the pivot of the second is the squared sine.
TEST(SemidefiniteLdlt, PivotIsTheSquaredSineOfTheAngle) {
  const double angle = 1e-3;
  SemidefiniteLdlt ldlt(2);
  ldlt(0, 0) = 4.0;
  ldlt(1, 0) = 2.0 * std::cos(angle);
  ldlt(1, 1) = 1.0;
  const auto factored = ldlt.factor({.row = 1e-10});
  EXPECT_NEAR(factored.smallest_kept, 1e-6, 1e-12);
  EXPECT_EQ(factored.dropped, 0);
}

TEST(SemidefiniteLdlt, DoubtfulRowsHaveACutOfTheirOwn) {
  Eigen::MatrixXd R = randomRows(5, 9, 1, 3);
  R.row(4) += 1e-4 * R.row(4).norm() * Eigen::RowVectorXd::Ones(9).normalized();  // off by about 1e-4: pivot 1e-8
  const Eigen::MatrixXd A = R * R.transpose();
  SemidefiniteLdlt ldlt(5);
  fill(A, ldlt);
  EXPECT_EQ(ldlt.factor({.row = 1e-10}).dropped, 0);
  fill(A, ldlt);
  EXPECT_EQ(ldlt.factor({.row = 1e-10, .doubtful = 1e-6, .doubtful_rows = 1}).dropped, 1);
}

// Rows 0 and 1 are those to be taken last. Row 0 is the sum of rows 2 and 3, row 4 that of rows 1 and 2: the rank of
// the others must not depend on which of the two is nearer.
TEST(SemidefiniteLdlt, TakesMarkedRowsAfterTheOthers) {
  Eigen::MatrixXd R = randomRows(5, 9, 0, 7);
  R.row(0) = R.row(2).normalized() + R.row(3).normalized();
  R.row(4) = R.row(2).normalized() + 2.0 * R.row(1).normalized();
  const Eigen::MatrixXd A = R * R.transpose();
  const std::vector<std::uint8_t> last{1, 1, 0, 0, 0};
  SemidefiniteLdlt ldlt(5);
  fill(A, ldlt);
  const auto factored = ldlt.factor({.row = 1e-10, .last = last});
  EXPECT_EQ(factored.dropped, 2);
  EXPECT_EQ(factored.dropped_last, 2);
  for (const int row : {2, 3, 4}) EXPECT_FALSE(ldlt.dropped(row)) << row;
  Eigen::VectorXd x = R * Eigen::VectorXd::LinSpaced(9, -1.0, 1.0);
  const Eigen::VectorXd wanted = x;
  ldlt.solve({x.data(), 5});
  // Rows of lengths from 1e-3 to 1e3, pivots down to 1e-2.
  for (int i = 0; i < 5; ++i) EXPECT_NEAR((A * x - wanted)[i], 0.0, 1e-9 * R.row(i).norm()) << i;

  // Others that depend on each other are found before the marked ones are looked at.
  R.row(4) = R.row(2).normalized() - R.row(3).normalized();
  const Eigen::MatrixXd B = R * R.transpose();
  fill(B, ldlt);
  const auto again = ldlt.factor({.row = 1e-10, .last = last});
  EXPECT_EQ(again.dropped, 2);
  EXPECT_EQ(again.dropped_last, 1);
  EXPECT_TRUE(ldlt.dropped(0));
  EXPECT_FALSE(ldlt.dropped(1));
}

TEST(SemidefiniteLdlt, DropsRowsOfZeros) {
  SemidefiniteLdlt ldlt(2);
  ldlt(0, 0) = 0.0;
  ldlt(1, 0) = 0.0;
  ldlt(1, 1) = 2.0;
  EXPECT_EQ(ldlt.factor({.row = 1e-10}).dropped, 1);
  EXPECT_TRUE(ldlt.dropped(0));
  std::vector<double> b{1.0, 4.0};
  ldlt.solve(b);
  EXPECT_EQ(b[0], 0.0);
  EXPECT_DOUBLE_EQ(b[1], 2.0);
}

// What a projection left of a row is round-off: beside its length before, not beside itself.
TEST(SemidefiniteLdlt, MeasuresByTheLengthsGiven) {
  SemidefiniteLdlt ldlt(2);
  const auto fill = [&] {
    ldlt(0, 0) = 1.0;
    ldlt(1, 0) = 0.0;
    ldlt(1, 1) = 1e-32;
  };
  fill();
  EXPECT_EQ(ldlt.factor({.row = 1e-10}).dropped, 0);
  fill();
  EXPECT_EQ(ldlt.factor({.row = 1e-10}, std::vector<double>{4.0, 1.0}).dropped, 1);
  EXPECT_TRUE(ldlt.dropped(1));
  std::vector<double> b{3.0, 1.0};
  ldlt.solve(b);
  EXPECT_DOUBLE_EQ(b[0], 3.0);
  EXPECT_EQ(b[1], 0.0);
}

}  // namespace semidefinite_ldlt_test
}  // namespace linkwork
