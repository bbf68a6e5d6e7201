#include "linkwork/linalg/sparse_lu.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace linkwork {
namespace sparse_lu_test {

// Five-diagonal, not symmetric, with a zero on the diagonal, so that rows must change places.
template <class Number>
Eigen::SparseMatrix<Number> banded(int n, double shift) {
  std::vector<Eigen::Triplet<Number>> entries;
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, i == 2 ? Number(0) : Number(shift + i));
    if (i > 0) entries.emplace_back(i, i - 1, Number(-1.5));
    if (i > 1) entries.emplace_back(i - 2, i, Number(0.7));
  }
  Eigen::SparseMatrix<Number> out(n, n);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

// Residuals of a well-conditioned matrix of 40 rows are a few round-offs of numbers of order 40.
constexpr double kRoundOff = 1e-12;

TEST(SparseLu, SolvesRealMatricesOfOnePatternOneAfterTheOther) {
  SparseLu lu;
  for (const double shift : {2.0, -7.3}) {
    const SparseMatrix a = banded<double>(40, shift);
    ASSERT_TRUE(lu.factor(a));
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(40, -1.0, 3.0);
    Eigen::VectorXd x;
    lu.solve(b, x);
    EXPECT_LT((a * x - b).norm(), kRoundOff);
  }
}

TEST(SparseLu, SolvesComplexMatrices) {
  ComplexSparseMatrix a = banded<std::complex<double>>(40, 2.0);
  for (int i = 0; i < 40; ++i) a.coeffRef(i, i) += std::complex<double>(0.0, 3.0 - 0.1 * i);
  ComplexSparseLu lu;
  ASSERT_TRUE(lu.factor(a));
  Eigen::VectorXcd b(40);
  b.real() = Eigen::VectorXd::LinSpaced(40, -1.0, 3.0);
  b.imag() = Eigen::VectorXd::LinSpaced(40, 0.5, -0.5);
  Eigen::VectorXcd x;
  lu.solve(b, x);
  EXPECT_LT((a * x - b).norm(), kRoundOff);
}

TEST(SparseLu, SaysThatAMatrixIsSingularAndGoesOnWithTheNext) {
  SparseLu lu;
  SparseMatrix a = banded<double>(6, 2.0);
  SparseMatrix singular = a;
  for (int j = 0; j < 6; ++j) {
    for (SparseMatrix::InnerIterator entry(singular, j); entry; ++entry) {
      if (entry.row() == 4) entry.valueRef() = 0.0;
    }
  }
  EXPECT_FALSE(lu.factor(singular));
  EXPECT_TRUE(lu.factor(a));
}

}  // namespace sparse_lu_test
}  // namespace linkwork
