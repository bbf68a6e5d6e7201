// When projection stops, and how it goes across poses of lower rank.
#include "linkwork/formulation/projection_control.hpp"

#include <gtest/gtest.h>

namespace linkwork {
namespace {

using Next = PositionClosing::Next;

constexpr double kEps = std::numeric_limits<double>::epsilon();

TEST(PositionClosing, StepsUntilTheRestIsRoundOff) {
  PositionClosing closing;
  EXPECT_EQ(closing.cut(), kNearDependentRow);
  for (const double off : {1e-2, 1e-5, 1e-11}) EXPECT_EQ(closing.next(off, 2.0, false), Next::step);
  EXPECT_EQ(closing.next(20.0 * kEps, 2.0, false), Next::closed);
}

TEST(PositionClosing, AcceptsARestThatGetsNoSmallerOnlyNearRoundOff) {
  PositionClosing near;
  EXPECT_EQ(near.next(1e-12, 1.0, false), Next::step);
  EXPECT_EQ(near.next(0.9e-12, 1.0, false), Next::closed);
  PositionClosing far;
  EXPECT_EQ(far.next(1e-6, 1.0, false), Next::step);
  EXPECT_EQ(far.next(0.9e-6, 1.0, false), Next::step);  // slow, but not at its end
  EXPECT_EQ(far.next(5e-6, 1.0, false), Next::give_up);
}

TEST(PositionClosing, TakesRowsNearDependenceInOnlyWhereTheOthersDoNotSuffice) {
  PositionClosing closing;
  EXPECT_EQ(closing.next(1e-6, 1.0, true), Next::step);
  EXPECT_EQ(closing.next(0.9e-6, 1.0, true), Next::factor_all);
  EXPECT_EQ(closing.cut(), kDependentRow);
  EXPECT_EQ(closing.next(0.9e-6, 1.0, true), Next::step);
  EXPECT_EQ(closing.next(0.8e-6, 1.0, true), Next::step);  // not asked for a second time
}

TEST(PositionClosing, GivesUpAfterTwelveLooks) {
  PositionClosing closing;
  double off = 1.0;
  for (int look = 0; look < 11; ++look) EXPECT_EQ(closing.next(off *= 0.7, 1.0, false), Next::step) << look;
  EXPECT_EQ(closing.next(off * 0.7, 1.0, false), Next::give_up);
}

TEST(VelocityClosing, TakesASecondStepOnlyWhereALostRowMissesByMoreThanItsRoundOff) {
  VelocityClosing closing;
  EXPECT_EQ(closing.next(1e-3, 1.0, 0.0), VelocityClosing::Next::step);
  EXPECT_EQ(closing.next(1e-3, 1.0, 1e-6), VelocityClosing::Next::factor_all_and_step);
  EXPECT_TRUE(closing.done());
  VelocityClosing lifted;
  EXPECT_EQ(lifted.next(1e-3, 1.0, 0.0), VelocityClosing::Next::step);
  // The square root of 1e-10 takes 1e-11 to below 16 units of round-off.
  EXPECT_EQ(lifted.next(1e-11, 1.0, 0.0), VelocityClosing::Next::closed);
}

// Of fourth order: a polynomial of third degree comes out exactly, but for round-off of some units.
TEST(SumAcross, GivesTheValueInTheMiddleOfASmoothPath) {
  const auto a = [](double e) { return 3.0 + 2.0 * e - 7.0 * e * e + 400.0 * e * e * e; };
  double sum = 0.0;
  EXPECT_TRUE(sumAcross(0.01, [&](double e, double weight) {
    EXPECT_LE(std::abs(e), 1.0);
    sum += weight * a(e);
    return true;
  }));
  EXPECT_NEAR(sum, 3.0, 1e-12);
  EXPECT_FALSE(sumAcross(0.0, [](double, double) { return true; }));
  int calls = 0;
  EXPECT_FALSE(sumAcross(1.0, [&](double, double) { return ++calls < 3; }));
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace linkwork
