#include "linkwork/elements/formula_bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linkwork/elements/quick_stretches.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace formula_bounds_test {

const Expr t = Expr::symbol("t");

double stepAt(const FormulaBounds& bounds, double time) {
  for (const StepStretch& stretch : bounds.stretches) {
    if (stretch.from <= time && time < stretch.to) return stretch.step;
  }
  return std::numeric_limits<double>::infinity();
}

// How many steps the limits ask for in all.
double stepsOf(const FormulaBounds& bounds) {
  double sum = 0.0;
  for (const StepStretch& stretch : bounds.stretches) sum += (stretch.to - stretch.from) / stretch.step;
  return sum;
}

TEST(FormulaBounds, SlowFormulasAndPolynomialsLimitNothing) {
  EXPECT_TRUE(boundFormula(3.0 + 2.0 * t, 2, 10.0).stretches.empty());
  EXPECT_TRUE(boundFormula(pow(t, 5.0) - 4.0 * pow(t, 2.0), 2, 10.0).stretches.empty());
  EXPECT_TRUE(boundFormula(sin(0.1 * t), 2, 10.0).stretches.empty());
}

TEST(FormulaBounds, OfABellAreShortAtTheBellAndLongElsewhere) {
  for (const double width : {1.0, 1e-2, 1e-5}) {
    const FormulaBounds bounds = boundFormula(100.0 * exp(-pow((t - 5.0123) / width, 2.0)), 0, 10.0);
    // About the width: nothing of a bell is missed, nor is it looked at more often than needed.
    for (const double place : {-2.0, -1.0, 0.0, 0.5, 2.0}) {
      EXPECT_LT(stepAt(bounds, 5.0123 + place * width), 1.2 * width);
      EXPECT_GT(stepAt(bounds, 5.0123 + place * width), 0.2 * width);
    }
    EXPECT_GT(stepAt(bounds, 1.0), 0.2);
    EXPECT_GT(stepAt(bounds, 9.0), 0.2);
    EXPECT_LT(stepsOf(bounds), 120.0);  // a hundred for seven widths and what is halved on the way there
    EXPECT_LT(bounds.looks, 1000);
    EXPECT_TRUE(bounds.loose.empty());
  }
}

TEST(FormulaBounds, OfASineAskForTwoStepsInAPeriodAndFewLooks) {
  for (const double omega : {10.0, 1e3, 1e5}) {
    const FormulaBounds bounds = boundFormula(2.0 + sin(omega * t), 0, 10.0);
    for (const double time : {0.0, 1.0, 2.718, 9.0}) {
      EXPECT_GT(stepAt(bounds, time) * omega, 2.0);
      EXPECT_LT(stepAt(bounds, time) * omega, 6.0);
    }
    EXPECT_LT(bounds.looks, 600);
    EXPECT_TRUE(bounds.loose.empty());
  }
}

TEST(FormulaBounds, SeeSmallPulsesBesideLargeMotions) {
  const FormulaBounds bounds = boundFormula(1000.0 * sin(t) + exp(-pow((t - 3.0) / 1e-3, 2.0)), 0, 10.0);
  EXPECT_LT(stepAt(bounds, 3.0), 2e-3);
  EXPECT_GT(stepAt(bounds, 6.0), 0.2);
}

TEST(FormulaBounds, OfADriveKnowItsAcceleration) {
  // 1e-7 rad are little beside a turn, but their acceleration is not.
  const Expr drive = 2.0 * t + 1e-7 * exp(-pow((t - 3.0) / 1e-4, 2.0));
  EXPECT_LT(stepAt(boundFormula(drive, 2, 10.0), 3.0), 1e-4);
}

TEST(FormulaBounds, EndAtCornersThatCannotBeSolvedFor) {
  const FormulaBounds bounds = boundFormula(select(1e-6 - pow(t - 3.0, 2.0), 5.0, 0.0), 0, 10.0);
  for (const double corner : {3.0 - 1e-3, 3.0 + 1e-3}) EXPECT_LT(stepAt(bounds, corner), 1e-8);
  EXPECT_EQ(stepAt(bounds, 3.0), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(bounds.loose.empty());
}

TEST(FormulaBounds, PiecesOfATableAreNotSteppedOver) {
  const auto bump = std::make_shared<const Table>("bump", std::vector<double>{0.0, 4.0, 4.01, 4.02, 4.03, 4.04, 10.0},
                                                  std::vector<double>{0.0, 0.0, 0.5, 1.0, 0.5, 0.0, 0.0},
                                                  TableKind::cubic, TableOutside::extend);
  const FormulaBounds bounds = boundFormula(applyTable(bump, 0, t), 0, 10.0);
  EXPECT_LE(stepAt(bounds, 4.005), 0.0101);
  EXPECT_GE(stepAt(bounds, 8.0), 1.0);
}

// Two thousand points of a sine, to six digits: as slow as the sine, not as their distance of 0.005 s.
TEST(FormulaBounds, SmoothTablesOfManyPointsAreSlow) {
  std::vector<double> x;
  std::vector<double> y;
  for (int k = 0; k <= 2000; ++k) {
    x.push_back(0.005 * k);
    y.push_back(1e-6 * std::round(1e6 * std::sin(x.back())));
  }
  const auto table = std::make_shared<const Table>("f", x, y, TableKind::cubic, TableOutside::hold);
  const FormulaBounds bounds = boundFormula(applyTable(table, 0, t), 0, 10.0);
  for (const double time : {0.1, 3.0, 7.5}) EXPECT_GT(stepAt(bounds, time), 0.05);
  EXPECT_LT(stepsOf(bounds), 200.0);
}

TEST(FormulaBounds, FindTheFirstPole) {
  EXPECT_NEAR(boundFormula(tan(t), 2, 30.0).pole, std::acos(0.0), 1e-8);
  EXPECT_NEAR(boundFormula(sin(t) + 1.0 / (t - 7.0), 0, 10.0).pole, 7.0, 1e-8);
  EXPECT_NEAR(boundFormula(sqrt(abs(t - 2.0)), 1, 10.0).pole, -1.0, 0.0);  // its rate can be integrated
  EXPECT_NEAR(boundFormula(sqrt(abs(t - 2.0)), 2, 10.0).pole, 2.0, 1e-8);  // the rate of that cannot
  EXPECT_EQ(boundFormula(1.0 / (1e-6 + pow(t - 2.0, 2.0)), 0, 10.0).pole, -1.0);
  EXPECT_EQ(boundFormula(sin(t) / t, 0, 10.0).pole, -1.0);
}

TEST(FormulaBounds, SayWhatTheyCannotBound) {
  const FormulaBounds bounds = boundFormula(sin(1e8 * t), 0, 10.0);
  ASSERT_FALSE(bounds.loose.empty());
  EXPECT_NEAR(bounds.loose.front().step, 1e-4, 1e-12);
  EXPECT_LE(stepsOf(bounds), 1.1e5);
}

TEST(QuickStretches, PartsOfTimeAreTheLargest) {
  const Expr q = Expr::symbol("b.x");
  const Expr pulse = exp(-pow(t - 3.0, 2.0));
  EXPECT_EQ(partsOfTime(2.0 * q), std::vector<Expr>{});
  EXPECT_EQ(partsOfTime(sin(t) * pulse), std::vector<Expr>{sin(t) * pulse});
  EXPECT_EQ(partsOfTime(q * pulse + sin(q - t)), (std::vector<Expr>{t, pulse}));
}

TEST(QuickStretches, OfAllFormulasOfAMechanism) {
  Mechanism m;
  m.parameters.push_back({"w", Value(1e-3), "s", {}});
  const BodyIndex bar = test::addBody(m, "bar", 1.0, 0.1);
  test::addJoint(m, "O", JointKind::revolute, kGround, test::frameAt(0, 0), bar, test::frameAt(0, 0));
  const auto bell = [](double at) { return exp(-pow((t - at) / Expr::symbol("w"), 2.0)); };
  Load push;
  push.name = "push";
  push.moment = Expr::symbol("O.angle") * bell(2.0);
  m.loads.push_back(push);
  Drive drive;
  drive.name = "motor";
  drive.motion = t + bell(5.0) + 0.1 / (t - 8.0);
  m.drives.push_back(drive);
  const QuickStretches quick = findQuickStretches(m, 10.0);
  FormulaBounds all;
  all.stretches = quick.stretches;
  EXPECT_LT(stepAt(all, 2.0), 1.5e-3);
  EXPECT_LT(stepAt(all, 5.0), 1.5e-3);
  EXPECT_GT(stepAt(all, 3.5), 1e-2);
  EXPECT_TRUE(
      std::is_sorted(quick.stretches.begin(), quick.stretches.end(),
                     [](const StepStretch& a, const StepStretch& b) { return a.to <= b.from && a.from < b.from; }));
  ASSERT_EQ(quick.poles.size(), 1U);
  EXPECT_EQ(quick.poles[0].owner, "drive \"motor\"");
  EXPECT_NEAR(quick.poles[0].time, 8.0, 1e-8);
}

}  // namespace formula_bounds_test
}  // namespace linkwork
