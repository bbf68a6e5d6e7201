#include "linkwork/scalar/interval_series.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "linkwork/scalar/tape.hpp"

namespace linkwork {
namespace interval_series_test {

const Expr x = Expr::symbol("x");

IntervalSeries over(const Expr& f, const Interval& stretch) {
  const Tape tape({f}, {"x"});
  std::vector<IntervalSeries> scratch(tape.scratchSize());
  const std::vector<IntervalSeries> in{IntervalSeries::variable(stretch)};
  std::vector<IntervalSeries> out(1);
  tape.evaluate<IntervalSeries>(in, scratch, out);
  return out[0];
}

// Round-off: the ends of intervals are not rounded outward.
bool holds(const Interval& interval, double value) {
  const double slack = 1e-9 * (1.0 + std::abs(value));
  return value >= interval.lo - slack && value <= interval.hi + slack;
}

std::vector<Expr> smoothFormulas() {
  return {exp(-pow((x - 1.0) / 0.3, 2.0)),
          sin(3.0 * x) * cos(x) + 0.2 * x,
          tan(0.3 * x) - tanh(4.0 * (x - 1.0)),
          1.0 / (1.0 + pow(x, 2.0)),
          sqrt(2.0 + x) * log(x + 3.0),
          pow(x + 2.5, 1.5) - pow(x + 2.5, -2.0),
          asin(0.3 * x) + acos(0.2 * x) + atan(2.0 * x),
          atan2(x + 3.0, 2.0 - x) + atan2(-x - 3.0, x),
          sinh(x) - cosh(0.5 * x) + pow(x + 3.0, x),
          1.0 / (1.0 + exp(-8.0 * (x - 1.0)))};
}

TEST(IntervalSeries, HoldsTheDerivativesAtEveryPoint) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-2.0, 2.0);
  for (const Expr& f : smoothFormulas()) {
    std::vector<Expr> derivatives{f};
    for (int k = 0; k < 4; ++k) derivatives.push_back(differentiate(derivatives.back(), x));
    for (int trial = 0; trial < 40; ++trial) {
      const double from = place(random);
      const Interval stretch(from, from + 0.3 * std::abs(place(random)));
      const IntervalSeries series = over(f, stretch);
      for (const double share : {0.0, 0.3, 1.0}) {
        const double at = stretch.lo + share * stretch.width();
        double factorial = 1.0;
        for (std::size_t k = 0; k < derivatives.size(); ++k) {
          if (k > 0) factorial *= static_cast<double>(k);
          EXPECT_TRUE(holds(series[k], evaluate(derivatives[k], {{"x", at}}) / factorial)) << k << " at " << at;
        }
      }
    }
  }
}

TEST(IntervalSeries, OfAPointAreItsTaylorCoefficients) {
  const IntervalSeries bell = over(exp(-pow(x, 2.0)), Interval(0.0));
  double expected = 1.0;
  for (std::size_t k = 0; k <= IntervalSeries::kOrder; k += 2) {
    EXPECT_NEAR(bell[k].lo, expected, 1e-15);
    EXPECT_NEAR(bell[k].hi, expected, 1e-15);
    expected /= -static_cast<double>(k / 2 + 1);
  }
}

TEST(IntervalSeries, StepsThatOverflowAreFlatFarFromTheirStep) {
  // exp(5000) is infinite, and so the quotient zero.
  const IntervalSeries logistic = over(1.0 / (1.0 + exp(-1000.0 * (x - 5.0))), {0.0, 4.0});
  EXPECT_EQ(logistic[0].magnitude(), 0.0);
  EXPECT_EQ(logistic[1].magnitude(), 0.0);
  EXPECT_LT(over(tanh(1000.0 * (x - 5.0)), {0.0, 4.0})[1].magnitude(), 1e-100);
}

TEST(IntervalSeries, CornersWithinAStretchLeaveTheDerivativesOpen) {
  for (const Expr& f : {abs(x), select(x, x, 2.0 * x), min(x, Expr(0.0)), max(x, -x)}) {
    EXPECT_FALSE(over(f, {-1.0, 1.0})[1].isBounded());
    EXPECT_TRUE(over(f, {-1.0, 1.0})[0].isBounded());
    EXPECT_TRUE(over(f, {1.0, 2.0})[1].isBounded());
    EXPECT_TRUE(over(f, {-2.0, -1.0})[1].isBounded());
  }
  EXPECT_EQ(over(sign(x), {0.5, 1.0})[0].lo, 1.0);
  EXPECT_EQ(over(select(x - 3.0, x, 2.0), {0.0, 1.0})[0].hi, 2.0);
}

TEST(IntervalSeries, PolesAreUnboundedAndPlacesWithoutAValueEmpty) {
  EXPECT_FALSE(over(tan(x), {1.0, 2.0})[0].isBounded());
  EXPECT_FALSE(over(1.0 / (x - 1.0), {0.0, 2.0})[0].isBounded());
  EXPECT_TRUE(over(sqrt(x), {-2.0, -1.0})[0].isEmpty());
  EXPECT_TRUE(over(log(x), {-2.0, -1.0})[0].isEmpty());
}

TEST(IntervalSeries, TablesHaveTheirPiecesAndKnowTheirKnots) {
  const auto table =
      std::make_shared<const Table>("f", std::vector<double>{0.0, 1.0, 1.5, 3.0},
                                    std::vector<double>{1.0, 3.0, 2.0, -1.0}, TableKind::cubic, TableOutside::extend);
  const Expr f = applyTable(table, 0, 2.0 * x);
  const IntervalSeries piece = over(f, {0.1, 0.4});
  for (const double at : {0.1, 0.2, 0.3, 0.4}) {
    EXPECT_TRUE(holds(piece[0], table->value(2.0 * at, 0)));
    EXPECT_TRUE(holds(piece[1], 2.0 * table->value(2.0 * at, 1)));
    EXPECT_TRUE(holds(piece[2], 2.0 * table->value(2.0 * at, 2)));
  }
  EXPECT_EQ(piece[4].magnitude(), 0.0);
  const IntervalSeries across = over(f, {0.1, 0.7});  // the knot at 1 lies within
  for (const double at : {0.1, 0.45, 0.55, 0.7}) {
    EXPECT_TRUE(holds(across[0], table->value(2.0 * at, 0)));
    EXPECT_TRUE(holds(across[2], 2.0 * table->value(2.0 * at, 2)));
  }
  EXPECT_TRUE(across[3].isBounded());
  EXPECT_FALSE(across[4].isBounded());
}

}  // namespace interval_series_test
}  // namespace linkwork
