#include "linkwork/study/locus.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <random>

#include "linkwork/linalg/decompositions.hpp"
#include "linkwork/study/assignment.hpp"
#include "linkwork/study/polynomial_split.hpp"

namespace linkwork {
namespace locus_test {

LocusSample sampleOf(const Eigen::MatrixXd& A, double p) {
  LocusSample out;
  out.ok = true;
  out.p = p;
  const Eigen::EigenSolver<Eigen::MatrixXd> eigen(A);
  out.values = eigen.eigenvalues();
  out.shapes = eigen.eigenvectors();
  out.determinant = A.partialPivLu().determinant();
  return out;
}

// An oscillator whose damping changes its sign at p = 1.3, beside two real modes that cross each other and zero.
TEST(Locus, FindsTheLimitsOfAMatrixThatKnowsThem) {
  const auto at = [](double p) {
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(4, 4);
    A << 0, 1, 0, 0, -9, p - 1.3, 0, 0, 0, 0, p - 2.5, 0, 0, 0, 0, -0.5 * p;
    return sampleOf(A, p);
  };
  const Locus locus = traceLocus(at, {0.1, 3.0, 21, 400});
  ASSERT_TRUE(locus.ok) << locus.problem;
  ASSERT_EQ(locus.limits.size(), 2U);
  EXPECT_EQ(locus.limits[0].kind, LimitKind::hopf);
  EXPECT_NEAR(locus.limits[0].at, 1.3, 1e-12);
  EXPECT_NEAR(locus.limits[0].eigenvalue.imag(), 3.0, 1e-12);
  EXPECT_EQ(locus.limits[1].kind, LimitKind::real);
  EXPECT_NEAR(locus.limits[1].at, 2.5, 1e-12);
  ASSERT_EQ(locus.ranges.size(), 2U);
  EXPECT_EQ(locus.ranges[0].is, StabilityClass::stable);
  EXPECT_EQ(locus.ranges[1].is, StabilityClass::unstable);
  // Each branch keeps its own straight line through the crossing at p = 5/3.
  for (Eigen::Index k = 0; k < 4; ++k) {
    if (std::abs(locus.samples.front().values[k].imag()) > 0.0) continue;
    const bool first = std::abs(locus.samples.front().values[k].real() + 2.4) < 1e-9;
    for (const LocusSample& sample : locus.samples) {
      EXPECT_NEAR(sample.values[k].real(), first ? sample.p - 2.5 : -0.5 * sample.p, 1e-9);
    }
  }
}

// mu^2 - i p mu - 1 = 0, a top: two neutral modes above p = 2, growth below. Real form of order four.
TEST(Locus, KeepsTheDigitsOfALimitAtADoubleRoot) {
  const auto at = [](double p) {
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(4, 4);
    A << 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, -p, 0, 1, p, 0;
    return sampleOf(A, p);
  };
  const Locus locus = traceLocus(at, {1.0, 3.7, 21, 400});
  ASSERT_TRUE(locus.ok);
  ASSERT_EQ(locus.limits.size(), 1U);
  EXPECT_EQ(locus.limits[0].kind, LimitKind::double_root);
  EXPECT_NEAR(locus.limits[0].at, 2.0, 1e-10);
  EXPECT_FALSE(locus.limits[0].unstable_above);
  ASSERT_EQ(locus.ranges.size(), 2U);
  EXPECT_EQ(locus.ranges[1].is, StabilityClass::neutral);
}

TEST(Assignment, IsTheBestOfAll) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any;
  for (int k = 0; k < 50; ++k) {
    const Eigen::MatrixXd cost = Eigen::MatrixXd::NullaryExpr(5, 5, [&] { return any(random); });
    std::vector<int> order{0, 1, 2, 3, 4};
    double best = 1e9;
    do {
      double sum = 0.0;
      for (int r = 0; r < 5; ++r) sum += cost(r, order[static_cast<std::size_t>(r)]);
      best = std::min(best, sum);
    } while (std::next_permutation(order.begin(), order.end()));
    double found = 0.0;
    const std::vector<int> columns = assign(cost);
    for (int r = 0; r < 5; ++r) found += cost(r, columns[static_cast<std::size_t>(r)]);
    EXPECT_NEAR(found, best, 1e-12);
  }
}

TEST(PolynomialSplit, FindsPowersAndRefusesWhatHasNone) {
  Eigen::MatrixXd a(2, 2);
  a << 1, 2, 3, 4;
  const Eigen::MatrixXd b = Eigen::MatrixXd::Identity(2, 2);
  const PolynomialSplit split = splitByPowers(
      [&](double p) {
        return std::vector<Eigen::MatrixXd>{a + p * p * b, p * a};
      },
      5.0);
  ASSERT_TRUE(split.ok) << split.problem;
  ASSERT_EQ(split.powers[0].size(), 2U);
  // Extrapolated from half the value to zero: some digits less than round-off.
  EXPECT_LT((split.powers[0].at(0) - a).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LT((split.powers[0].at(2) - b).cwiseAbs().maxCoeff(), 1e-12);
  ASSERT_EQ(split.powers[1].size(), 1U);
  EXPECT_FALSE(splitByPowers([&](double p) { return std::vector<Eigen::MatrixXd>{std::sin(p) * a}; }, 5.0).ok);
}

}  // namespace locus_test
}  // namespace linkwork
