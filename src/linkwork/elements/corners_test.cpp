#include "linkwork/elements/corners.hpp"

#include <gtest/gtest.h>

namespace linkwork {
namespace corners_test {

const Expr t = Expr::symbol("t");
const Expr kAngle = Expr::symbol("O.angle");

Corners cornersOf(const Expr& force, const Expr& moment = {}) {
  Mechanism m;
  m.parameters.push_back({"T", Value(0.5), "s", {}});
  Load load;
  load.force[0] = force;
  load.moment = moment;
  m.loads.push_back(load);
  return findCorners(m);
}

TablePointer table(TableOutside outside) {
  return std::make_shared<const Table>("f", std::vector<double>{0.0, 1.0, 3.0}, std::vector<double>{0.0, 2.0, 1.0},
                                       TableKind::linear, outside);
}

TEST(Corners, InTimeAreKnownBeforehand) {
  const Expr T = Expr::symbol("T");
  EXPECT_EQ(cornersOf(abs(t - T)).times, std::vector<double>{0.5});
  EXPECT_EQ(cornersOf(max(2.0 * t, 3.0) + select(t - 4.0 * T, 1.0, 0.0)).times, (std::vector<double>{1.5, 2.0}));
  EXPECT_EQ(cornersOf(applyTable(table(TableOutside::hold), 0, 2.0 * t - 1.0)).times,
            (std::vector<double>{0.5, 1.0, 2.0}));
  EXPECT_EQ(
      cornersOf(applyTable(table(TableOutside::extend), 0, -t), applyTable(table(TableOutside::extend), 0, -t)).times,
      std::vector<double>{-1.0});
  EXPECT_TRUE(cornersOf(abs(t - T)).switches.empty());
}

TEST(Corners, OfTheMotionAreFunctionsThatChangeSign) {
  EXPECT_EQ(cornersOf(abs(kAngle)).switches, std::vector<Expr>{kAngle});
  EXPECT_EQ(cornersOf(sign(kAngle) * abs(kAngle)).switches, std::vector<Expr>{kAngle});  // one and the same
  EXPECT_EQ(cornersOf(min(kAngle, t)).switches, std::vector<Expr>{kAngle - t});
  EXPECT_EQ(cornersOf(select(sin(t), 1.0, 2.0)).switches, std::vector<Expr>{sin(t)});
  const auto f = table(TableOutside::hold);
  EXPECT_EQ(cornersOf(applyTable(f, 0, kAngle)).switches, std::vector<Expr>{applyTable(f, kTableCorner, kAngle)});
  EXPECT_TRUE(cornersOf(abs(kAngle)).times.empty());
}

TEST(Corners, SmoothLoadsHaveNone) {
  const auto smooth = std::make_shared<const Table>("f", std::vector<double>{0.0, 1.0}, std::vector<double>{0.0, 2.0},
                                                    TableKind::cubic, TableOutside::extend);
  const Corners none = cornersOf(sin(kAngle) * t, applyTable(smooth, 0, kAngle));
  EXPECT_TRUE(none.times.empty());
  EXPECT_TRUE(none.switches.empty());
}

}  // namespace corners_test
}  // namespace linkwork
