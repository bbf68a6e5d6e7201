#include "linkwork/scalar/dual.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "linkwork/scalar/random_program_test.hpp"

namespace linkwork {
namespace dual_test {

using Dual1 = Dual<1>;
using Second = Dual<1, Dual<1>>;

struct Law {
  std::string name;
  std::function<double(double)> f;
  std::function<Dual1(Dual1)> dual;
  std::function<Second(Second)> second;
  std::function<double(double)> slope;      // f' in closed form
  std::function<double(double)> curvature;  // f'' in closed form
  std::vector<double> points;
};

// One generic lambda gives the three versions of a function.
template <class F>
Law law(std::string name, F f, std::function<double(double)> slope, std::function<double(double)> curvature,
        std::vector<double> points) {
  return {std::move(name), f, f, f, std::move(slope), std::move(curvature), std::move(points)};
}

std::vector<Law> laws() {
  const std::vector<double> anywhere = {-2.3, -0.7, 0.1, 1.9};
  const std::vector<double> positive = {0.2, 1.0, 3.7};
  const std::vector<double> inside_one = {-0.8, -0.1, 0.3, 0.9};
  const auto cube = [](double x) { return x * x * x; };
  return {
      law(
          "sin", [](auto x) { return sin(x); }, [](double x) { return std::cos(x); },
          [](double x) { return -std::sin(x); }, anywhere),
      law(
          "cos", [](auto x) { return cos(x); }, [](double x) { return -std::sin(x); },
          [](double x) { return -std::cos(x); }, anywhere),
      law(
          "tan", [](auto x) { return tan(x); }, [](double x) { return 1 / (std::cos(x) * std::cos(x)); },
          [](double x) { return 2 * std::tan(x) / (std::cos(x) * std::cos(x)); }, anywhere),
      law(
          "asin", [](auto x) { return asin(x); }, [](double x) { return 1 / std::sqrt(1 - x * x); },
          [=](double x) { return x / cube(std::sqrt(1 - x * x)); }, inside_one),
      law(
          "acos", [](auto x) { return acos(x); }, [](double x) { return -1 / std::sqrt(1 - x * x); },
          [=](double x) { return -x / cube(std::sqrt(1 - x * x)); }, inside_one),
      law(
          "atan", [](auto x) { return atan(x); }, [](double x) { return 1 / (1 + x * x); },
          [](double x) { return -2 * x / ((1 + x * x) * (1 + x * x)); }, anywhere),
      law(
          "sinh", [](auto x) { return sinh(x); }, [](double x) { return std::cosh(x); },
          [](double x) { return std::sinh(x); }, anywhere),
      law(
          "cosh", [](auto x) { return cosh(x); }, [](double x) { return std::sinh(x); },
          [](double x) { return std::cosh(x); }, anywhere),
      law(
          "tanh", [](auto x) { return tanh(x); }, [](double x) { return 1 / (std::cosh(x) * std::cosh(x)); },
          [](double x) { return -2 * std::tanh(x) / (std::cosh(x) * std::cosh(x)); }, anywhere),
      law(
          "exp", [](auto x) { return exp(x); }, [](double x) { return std::exp(x); },
          [](double x) { return std::exp(x); }, anywhere),
      law(
          "log", [](auto x) { return log(x); }, [](double x) { return 1 / x; }, [](double x) { return -1 / (x * x); },
          positive),
      law(
          "sqrt", [](auto x) { return sqrt(x); }, [](double x) { return 0.5 / std::sqrt(x); },
          [=](double x) { return -0.25 / cube(std::sqrt(x)); }, positive),
      law(
          "abs", [](auto x) { return abs(x); }, [](double x) { return x < 0 ? -1.0 : 1.0; }, [](double) { return 0.0; },
          anywhere),
      law(
          "sign", [](auto x) { return sign(x); }, [](double) { return 0.0; }, [](double) { return 0.0; }, anywhere),
      law(
          "negation", [](auto x) { return -x; }, [](double) { return -1.0; }, [](double) { return 0.0; }, anywhere),
      law(
          "square", [](auto x) { return x * x; }, [](double x) { return 2 * x; }, [](double) { return 2.0; }, anywhere),
      law(
          "polynomial", [](auto x) { return 3.0 + x * 2.0 - (x - 1.0) * x * 0.5 + (1.0 - x); },
          [](double x) { return 1.5 - x; }, [](double) { return -1.0; }, anywhere),
      law(
          "reciprocal", [](auto x) { return 2.0 / x; }, [](double x) { return -2 / (x * x); },
          [=](double x) { return 4 / cube(x); }, anywhere),
      law(
          "quotient", [](auto x) { return (x + 1.0) / (x * x + 2.0) / 2.0; },
          [](double x) { return 0.5 * (2 - 2 * x - x * x) / ((x * x + 2) * (x * x + 2)); },
          [=](double x) { return 0.5 * (2 * cube(x) + 6 * x * x - 12 * x - 4) / cube(x * x + 2); }, anywhere),
      law(
          "pow by a number", [](auto x) { return pow(x, 3.0); }, [](double x) { return 3 * x * x; },
          [](double x) { return 6 * x; }, anywhere),
      law(
          "pow by a fraction", [](auto x) { return pow(x, 2.5); }, [](double x) { return 2.5 * std::pow(x, 1.5); },
          [](double x) { return 3.75 * std::sqrt(x); }, positive),
      law(
          "x^x", [](auto x) { return pow(x, x); }, [](double x) { return std::pow(x, x) * (std::log(x) + 1); },
          [](double x) { return std::pow(x, x) * ((std::log(x) + 1) * (std::log(x) + 1) + 1 / x); }, positive),
      law(
          "atan2 around the circle", [](auto x) { return atan2(3.0 * sin(x), 3.0 * cos(x)); },
          [](double) { return 1.0; }, [](double) { return 0.0; }, {-3.0, -2.0, -1.0, 0.5, 1.6, 3.0}),
      law(
          "min", [](auto x) { return min(x, x * x); }, [](double x) { return x > 0 && x < 1 ? 2 * x : 1.0; },
          [](double x) { return x > 0 && x < 1 ? 2.0 : 0.0; }, anywhere),
      law(
          "max", [](auto x) { return max(x, x * x); }, [](double x) { return x > 0 && x < 1 ? 1.0 : 2 * x; },
          [](double x) { return x > 0 && x < 1 ? 0.0 : 2.0; }, anywhere),
      law(
          "select", [](auto x) { return select(x - 1.0, x * x, 5.0 * x); },
          [](double x) { return x >= 1 ? 2 * x : 5.0; }, [](double x) { return x >= 1 ? 2.0 : 0.0; }, anywhere),
  };
}

// Closed form against the recurrence of the dual: a few operations, so a few roundings.
constexpr double kFewRoundings = 1e-14;

TEST(Dual, GivesClosedFormFirstDerivatives) {
  for (const Law& l : laws()) {
    for (const double x : l.points) {
      const Dual1 y = l.dual(Dual1::variable(x));
      EXPECT_EQ(y.value, l.f(x)) << l.name << " at " << x;
      EXPECT_NEAR(y.derivative(), l.slope(x), kFewRoundings * (1 + std::abs(l.slope(x)))) << l.name << " at " << x;
    }
  }
}

TEST(Dual, AgreesWithCentralDifferences) {
  // Error of the difference quotient: h^2 f'''/6 + eps |f| / h, smallest near h = eps^(1/3) and then about 1e-9 here,
  // where the third derivatives reach a few hundred (asin at 0.9).
  const double h = 6e-6;
  for (const Law& l : laws()) {
    for (const double x : l.points) {
      if (l.name.starts_with("atan2") && std::abs(std::abs(x) - 3.14159) < 2 * h) continue;
      const double quotient = (l.f(x + h) - l.f(x - h)) / (2 * h);
      const double slope = l.dual(Dual1::variable(x)).derivative();
      EXPECT_NEAR(slope, quotient, 1e-8 * (1 + std::abs(slope))) << l.name << " at " << x;
    }
  }
}

TEST(Dual, NestsToSecondDerivatives) {
  for (const Law& l : laws()) {
    for (const double x : l.points) {
      const Second y = l.second(Second::variable(Dual1::variable(x)));
      EXPECT_EQ(valueOf(y), l.f(x)) << l.name;
      EXPECT_NEAR(y.value.derivative(), l.slope(x), kFewRoundings * (1 + std::abs(l.slope(x))))
          << l.name << " at " << x;
      EXPECT_NEAR(y.derivative().value, l.slope(x), kFewRoundings * (1 + std::abs(l.slope(x))))
          << l.name << " at " << x;
      const double curvature = l.curvature(x);
      EXPECT_NEAR(y.derivative().derivative(), curvature, 1e-13 * (1 + std::abs(curvature))) << l.name << " at " << x;
    }
  }
}

TEST(Dual, CarriesSeveralDirectionsAtOnce) {
  // f = x y + sin(z), gradient (y, x, cos z)
  using D = Dual<3>;
  const D x = D::variable(2, 0), y = D::variable(5, 1), z = D::variable(0.3, 2);
  const D f = x * y + sin(z);
  EXPECT_EQ(f.derivative(0), 5);
  EXPECT_EQ(f.derivative(1), 2);
  EXPECT_EQ(f.derivative(2), std::cos(0.3));
}

TEST(Dual, PowersWithConstantExponentAllowEveryBase) {
  const Dual1 negative = Dual1::variable(-2), zero = Dual1::variable(0);
  EXPECT_EQ(pow(negative, Dual1(2.0)).derivative(), -4);
  EXPECT_EQ(pow(negative, 2.0).derivative(), -4);
  EXPECT_EQ(pow(zero, 1.0).derivative(), 1);
  EXPECT_EQ(pow(zero, 0.0).value, 1);
  EXPECT_EQ(pow(zero, 0.0).derivative(), 0);
  EXPECT_EQ(pow(zero, Dual1(0.0)).derivative(), 0);
  EXPECT_TRUE(std::isnan(pow(Dual1(-2.0), Dual1::variable(2)).derivative()));  // d/db (-2)^b does not exist
  EXPECT_EQ(pow(Dual1(0.0), Dual1::variable(2)).derivative(), 0);
}

TEST(Dual, ChoosesTheSideWithItsDerivatives) {
  const Dual1 x = Dual1::variable(1.0), three = 3.0;
  EXPECT_EQ(select(Dual1(0.0), x, three).derivative(), 1);  // the condition 0 counts as not negative
  EXPECT_EQ(select(Dual1(-1e-300), x, three).derivative(), 0);
  EXPECT_EQ(select(Dual1(std::numeric_limits<double>::quiet_NaN()), x, three).value, 3);
  EXPECT_EQ(min(x, three).derivative(), 1);
  EXPECT_EQ(max(x, three).derivative(), 0);
  EXPECT_EQ(abs(Dual1::variable(0)).derivative(), 0);
}

TEST(Dual, ArithmeticIsConstexpr) {
  constexpr Dual<2> x = Dual<2>::variable(3, 0), y = Dual<2>::variable(4, 1);
  constexpr Dual<2> f = (x * y + 2 * x - 1) / y;
  static_assert(f.derivative(0) == 1.5);
  static_assert(max(x, y).value == 4);
  static_assert(sizeof(Dual<8>) == 9 * sizeof(double));
  EXPECT_EQ(f.derivative(1), (3 * 4 - 17) / 16.0);
}

TEST(Dual, MatchesCentralDifferencesOnRandomPrograms) {
  // Kinks (abs, min, select) may lie within h of a point, where no central difference exists: a rare program is let
  // off.
  int compared = 0, off = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const auto program = test::makeRandomProgram(seed, 3, 25);
    const double h = 1e-5;
    for (std::size_t direction = 0; direction < 3; ++direction) {
      const double at[] = {0.3, -0.8, 1.1};
      std::vector<Dual1> duals(at, at + 3);
      duals[direction] = Dual1::variable(at[direction]);
      std::vector<double> lower(at, at + 3), upper(at, at + 3);
      lower[direction] -= h;
      upper[direction] += h;
      const double slope = test::runProgram<Dual1>(program, duals).derivative();
      const double quotient =
          (test::runProgram<double>(program, upper) - test::runProgram<double>(program, lower)) / (2 * h);
      ++compared;
      if (!(std::abs(slope - quotient) <= 1e-6 * (1 + std::abs(slope)))) ++off;
    }
  }
  EXPECT_EQ(compared, 600);
  EXPECT_LE(off, 6);
}

}  // namespace dual_test
}  // namespace linkwork
