#include "linkwork/system/state_jacobian.hpp"

#include <gtest/gtest.h>

#include "linkwork/linalg/as_vector.hpp"
#include "linkwork/system/line_of_masses_for_tests.hpp"
#include "linkwork/system/mechanical_laws_for_tests.hpp"

namespace linkwork {
namespace state_jacobian_test {

using testing_systems::LineMechanical;
using testing_systems::LineOde;
using testing_systems::LineOffer;
using testing_systems::LineOfMasses;

const LineOfMasses kLine{6, 1.7, 30.0, 0.4, 2.0};

std::vector<double> anyState() {
  std::vector<double> x;
  for (int i = 0; i < kLine.space().size(); ++i) x.push_back(0.3 * std::sin(1.0 + 2.0 * i));
  return x;
}

// J column by column.
Eigen::MatrixXd matrixOf(JacobianProduct& product, const std::vector<double>& x) {
  const auto n = static_cast<Eigen::Index>(x.size());
  Eigen::MatrixXd out(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    std::vector<double> d(x.size(), 0.0);
    d[static_cast<std::size_t>(k)] = 1.0;
    std::vector<double> column(x.size());
    EXPECT_EQ(product.times(0.0, x, Modes{}, d, column), Eval::ok);
    out.col(k) = asVector(column);
  }
  return out;
}

TEST(StateJacobian, ProductByDualNumbersAgreesWithDifferences) {
  const LineOde line(kLine);
  const auto exact = matrixOf(*makeJacobianProduct(line), anyState());
  const auto by_differences = matrixOf(*makeDifferenceProduct(line), anyState());
  EXPECT_GT(exact.norm(), 30.0);
  // Entries up to 40; moves of 6e-6 leave 4e-11 by curvature and as much by round-off of each.
  EXPECT_LT((exact - by_differences).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(StateJacobian, SystemWithoutAProductIsDifferenced) {
  const LineOde line(kLine, LineOffer::nothing);
  EXPECT_EQ(makeShiftedSolve(line), nullptr);
  const auto found = matrixOf(*makeJacobianProduct(line), anyState());
  const auto exact = matrixOf(*makeJacobianProduct(LineOde(kLine)), anyState());
  EXPECT_LT((exact - found).cwiseAbs().maxCoeff(), 1e-8);
  std::vector<double> out(anyState().size(), 1.0);
  EXPECT_EQ(makeJacobianProduct(line)->times(0.0, anyState(), Modes{}, std::vector<double>(out.size(), 0.0), out),
            Eval::ok);
  EXPECT_EQ(out, std::vector<double>(out.size(), 0.0));
}

TEST(StateJacobian, SeveralDirectionsAreTakenLikeEach) {
  const std::vector<double> x = anyState();
  const std::size_t n = x.size();
  std::vector<double> d(3 * n);
  for (std::size_t k = 0; k < d.size(); ++k) d[k] = std::cos(1.0 + static_cast<double>(k * k));
  for (const LineOffer offer : {LineOffer::structured, LineOffer::nothing}) {
    const LineOde line(kLine, offer);
    const auto product = makeJacobianProduct(line);
    std::vector<double> together(d.size());
    ASSERT_EQ(product->times(0.0, x, Modes{}, d, together), Eval::ok);
    for (std::size_t first = 0; first < d.size(); first += n) {
      std::vector<double> one(n);
      ASSERT_EQ(product->times(0.0, x, Modes{}, std::span(d).subspan(first, n), one), Eval::ok);
      EXPECT_EQ(one, std::vector<double>(together.begin() + static_cast<std::ptrdiff_t>(first),
                                         together.begin() + static_cast<std::ptrdiff_t>(first + n)));
    }
  }
}

// (c - J) d = r put back, for real and complex c; the quadrature's row is left out of J by both.
TEST(StateJacobian, StructuredAndSparseSolvesInvertTheShiftedMatrix) {
  const std::vector<double> x = anyState();
  Eigen::MatrixXcd J = matrixOf(*makeJacobianProduct(LineOde(kLine)), x).cast<std::complex<double>>();
  J.bottomRows(1).setZero();
  const Eigen::Index n = J.rows();
  const Shifts shifts{.h = 0.1, .real = 12.0, .both = true, .complex = {20.0, -35.0}};
  for (const LineOffer offer : {LineOffer::structured, LineOffer::sparse}) {
    const LineOde line(kLine, offer);
    const auto solve = makeShiftedSolve(line);
    ASSERT_NE(solve, nullptr);
    ASSERT_EQ(solve->linearise(0.0, x, Modes{}), Eval::ok);
    for (int again = 0; again < 2; ++again) {
      ASSERT_TRUE(solve->factor(shifts));
      const Eigen::VectorXd r = Eigen::VectorXd::LinSpaced(n, -1.0, 2.0);
      Eigen::VectorXd d = r;
      solve->solve(std::span<double>(d.data(), x.size()));
      EXPECT_LT((shifts.real * d - J.real() * d - r).norm(), 1e-13);
      Eigen::VectorXcd z(n);
      z.real() = r;
      z.imag() = r.reverse();
      const Eigen::VectorXcd right = z;
      solve->solve(std::span<std::complex<double>>(z.data(), x.size()));
      EXPECT_LT((shifts.complex * z - J * z - right).norm(), 1e-13);
    }
  }
}

TEST(LineOfMasses, ClosedFormObeysTheEquations) {
  const LineOfMasses line = LineOfMasses::slow(20, 0.01);
  const std::vector<LineOfMasses::Mode> modes{{1, 0.3}, {4, -0.1}};
  const double t = 0.7;
  const double h = 1e-4;
  const auto before = line.exact(modes, t - h);
  const auto after = line.exact(modes, t + h);
  std::vector<double> f(before.size());
  line.derivative<double>(line.exact(modes, t), f);
  // central differences: h^2/6 of third derivatives of a few units
  for (std::size_t i = 0; i < f.size(); ++i) EXPECT_NEAR((after[i] - before[i]) / (2 * h), f[i], 1e-6);
}

TEST(LineOfMasses, SatisfiesTheLawsOfAMechanicalSystem) {
  const LineMechanical mechanical(kLine);
  test::MechanicalLaws{mechanical, 0.0, anyState(), {}}.check();
}

}  // namespace state_jacobian_test
}  // namespace linkwork
