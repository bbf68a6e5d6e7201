#include "linkwork/integrate/dense.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace linkwork {
namespace dense_test {

double cubic(double t) { return 1 + 2 * t - 3 * t * t + 4 * t * t * t; }
double cubicRate(double t) { return 2 - 6 * t + 12 * t * t; }

TEST(DenseOutput, IsACubicHermiteWithBothSlopes) {
  const double h = 0.5;
  const std::vector<double> x0{cubic(0)}, x1{cubic(h)}, f0{cubicRate(0)}, f1{cubicRate(h)};
  DenseOutput dense;
  dense.resize(1);
  dense.setEnds(h, x0, f0, x1);
  dense.setLastSlope(h, f1);
  std::vector<double> x(1);
  for (const double theta : {0.0, 0.2, 0.5, 0.9, 1.0}) {
    dense.evaluate(theta, x);
    EXPECT_NEAR(x[0], cubic(theta * h), 1e-15);
  }
}

TEST(DenseOutput, ForgetsTheHigherTermsOfTheStepBefore) {
  const std::vector<double> x0{0}, x1{1}, f0{1}, f1{7};
  DenseOutput dense;
  dense.resize(1);
  dense.setEnds(1, x0, f0, x1);
  dense.setLastSlope(1, f1);
  dense.quartic()[0] = 3;
  dense.setEnds(1, x0, f0, x1);
  std::vector<double> x(1);
  dense.evaluate(0.25, x);
  EXPECT_EQ(x[0], 0.25);
}

TEST(DenseOutput, AddsACorrectionInProportionToTime) {
  const std::vector<double> x0{0}, raw{1}, corrected{1.5}, f0{0};
  DenseOutput dense;
  dense.resize(1);
  dense.setEnds(1, x0, f0, raw);  // theta^2
  dense.addCorrection(raw, corrected);
  std::vector<double> x(1);
  dense.evaluate(0.5, x);
  EXPECT_EQ(x[0], 0.25 + 0.25);
}

// 3 - s + 2 s^2 + s^3 - s^4 / 2 + s^5 with s = theta - 1
TEST(DenseOutput, TakesAPolynomialAboutTheEndOfTheStep) {
  const std::vector<std::vector<double>> z{{3}, {-1}, {2}, {1}, {-0.5}, {1}};
  const auto value = [&](double s) {
    double sum = 0;
    for (std::size_t k = z.size(); k > 0; --k) sum = z[k - 1][0] + s * sum;
    return sum;
  };
  DenseOutput dense;
  dense.resize(1, 2);
  std::vector<double> x(1);
  dense.setBackward(z, std::vector<double>{value(-1)}, z[0]);
  for (const double theta : {0.0, 0.2, 0.5, 0.9, 1.0}) {
    dense.evaluate(theta, x);
    EXPECT_NEAR(x[0], value(theta - 1), 4e-15) << theta;
  }
  // Lower degrees leave nothing of the higher ones behind; ends that differ are met exactly.
  dense.setBackward(std::span(z).first(2), std::vector<double>{5}, std::vector<double>{4});
  dense.evaluate(0.25, x);
  EXPECT_NEAR(x[0], 3 + 0.75 + 0.75 * 1 + 0.25 * 1, 1e-15);
}

}  // namespace dense_test
}  // namespace linkwork
