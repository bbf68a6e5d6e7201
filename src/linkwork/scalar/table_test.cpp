#include "linkwork/scalar/table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "linkwork/base/contract.hpp"
#include "linkwork/scalar/expr.hpp"
#include "linkwork/scalar/tape.hpp"

namespace linkwork {
namespace table_test {

const Expr x = Expr::symbol("x");

TablePointer linear(TableOutside outside, std::vector<double> y = {1.0, 3.0, 2.0}) {
  return std::make_shared<const Table>("f", std::vector<double>{0.0, 1.0, 3.0}, std::move(y), TableKind::linear,
                                       outside);
}

TablePointer cubic(TableOutside outside, TableEnds ends = TableEnds::natural) {
  return std::make_shared<const Table>("f", std::vector<double>{0.0, 1.0, 1.5, 3.0},
                                       std::vector<double>{1.0, 3.0, 2.0, -1.0}, TableKind::cubic, outside, ends);
}

TEST(Table, LinearIsStraightBetweenItsPoints) {
  const auto f = linear(TableOutside::hold);
  EXPECT_EQ(f->value(0.0, 0), 1.0);
  EXPECT_EQ(f->value(0.25, 0), 1.5);
  EXPECT_EQ(f->value(1.0, 0), 3.0);
  EXPECT_EQ(f->value(2.0, 0), 2.5);
  EXPECT_EQ(f->value(3.0, 0), 2.0);
  EXPECT_EQ(f->value(0.25, 1), 2.0);
  EXPECT_EQ(f->value(1.0, 1), -0.5);  // the piece to the right
  EXPECT_EQ(f->value(0.25, 2), 0.0);
}

TEST(Table, OutsideItHoldsGoesOnOrIsNoNumber) {
  EXPECT_EQ(linear(TableOutside::hold)->value(-1.0, 0), 1.0);
  EXPECT_EQ(linear(TableOutside::hold)->value(5.0, 0), 2.0);
  EXPECT_EQ(linear(TableOutside::hold)->value(5.0, 1), 0.0);
  EXPECT_EQ(linear(TableOutside::extend)->value(-1.0, 0), -1.0);
  EXPECT_EQ(linear(TableOutside::extend)->value(5.0, 0), 1.0);
  EXPECT_EQ(linear(TableOutside::extend)->value(5.0, 1), -0.5);
  EXPECT_TRUE(std::isnan(linear(TableOutside::error)->value(3.5, 0)));
  EXPECT_TRUE(std::isnan(linear(TableOutside::error)->value(-0.1, 1)));
  EXPECT_TRUE(std::isnan(linear(TableOutside::hold)->value(std::nan(""), 0)));
}

TEST(Table, CubicMeetsItsPointsWithTwoContinuousDerivatives) {
  for (const TableEnds ends : {TableEnds::natural, TableEnds::clamped}) {
    const auto f = cubic(TableOutside::extend, ends);
    for (std::size_t k = 0; k < f->x().size(); ++k) EXPECT_NEAR(f->value(f->x()[k], 0), f->y()[k], 1e-15);
    // Slopes are of the order of 10: over 1e-9 they change by less than 1e-7.
    for (const double knot : {1.0, 1.5}) {
      for (int order = 0; order < 3; ++order)
        EXPECT_NEAR(f->value(knot - 1e-9, order), f->value(knot, order), 1e-7) << knot << " " << order;
    }
    const int flat = ends == TableEnds::natural ? 2 : 1;
    EXPECT_NEAR(f->value(0.0, flat), 0.0, 1e-14);
    EXPECT_NEAR(f->value(3.0, flat), 0.0, 1e-14);
  }
}

// A cubic without slope at both ends is its own clamped spline; (2 u - 3) u^2 has slope 0 at 0 and 1.
TEST(Table, CubicRepeatsACubic) {
  const auto f = [](double u) { return (2.0 * u - 3.0) * u * u; };
  const Table table("f", {0.0, 0.2, 0.7, 1.0}, {f(0.0), f(0.2), f(0.7), f(1.0)}, TableKind::cubic, TableOutside::error,
                    TableEnds::clamped);
  for (double u = 0.0; u <= 1.0; u += 0.03125) {
    EXPECT_NEAR(table.value(u, 0), f(u), 1e-15);
    EXPECT_NEAR(table.value(u, 1), 6.0 * u * (u - 1.0), 1e-14);
    EXPECT_NEAR(table.value(u, 2), 12.0 * u - 6.0, 1e-13);
    EXPECT_NEAR(table.value(u, 3), 12.0, 1e-12);
  }
}

// A natural spline of a function without curvature at its ends converges with the fourth power of the width.
TEST(Table, CubicConvergesWithFourthOrder) {
  const auto worst = [](int n) {
    std::vector<double> u;
    std::vector<double> y;
    for (int k = 0; k <= n; ++k) {
      u.push_back(std::numbers::pi * k / n);
      y.push_back(std::sin(u.back()));
    }
    const Table table("f", u, y, TableKind::cubic, TableOutside::error);
    double off = 0.0;
    for (int k = 0; k < 1000; ++k) {
      const double at = std::numbers::pi * k / 1000.0;
      off = std::max(off, std::abs(table.value(at, 0) - std::sin(at)));
    }
    return off;
  };
  EXPECT_NEAR(std::log2(worst(16) / worst(32)), 4.0, 0.1);
}

TEST(Table, SaysWhereItHasCornersAndWhetherADriveMayUseIt) {
  using V = std::vector<double>;
  EXPECT_EQ(linear(TableOutside::hold)->corners(), (V{0.0, 1.0, 3.0}));
  EXPECT_EQ(linear(TableOutside::extend)->corners(), V{1.0});
  EXPECT_EQ(cubic(TableOutside::extend)->corners(), V{});
  EXPECT_EQ(cubic(TableOutside::hold)->corners(), (V{0.0, 3.0}));
  EXPECT_EQ(cubic(TableOutside::hold, TableEnds::clamped)->corners(), V{});
  EXPECT_TRUE(cubic(TableOutside::extend)->isTwiceDifferentiable());
  EXPECT_TRUE(cubic(TableOutside::error, TableEnds::clamped)->isTwiceDifferentiable());
  EXPECT_FALSE(cubic(TableOutside::hold)->isTwiceDifferentiable());
  EXPECT_FALSE(cubic(TableOutside::extend, TableEnds::clamped)->isTwiceDifferentiable());
  EXPECT_FALSE(linear(TableOutside::error)->isTwiceDifferentiable());
}

TEST(Table, TheMarkOfItsCornersChangesSignAtEachOfThemAndNowhereElse) {
  const auto f = linear(TableOutside::hold);
  double before = f->corner(-2.0);
  std::vector<double> changes;
  for (int k = 1; k <= 700; ++k) {
    const double u = -2.0 + 0.01 * k + 0.001;
    const double now = f->corner(u);
    EXPECT_NE(now, 0.0);
    if ((now > 0) != (before > 0)) changes.push_back(std::round(u));
    before = now;
  }
  EXPECT_EQ(changes, (std::vector<double>{0.0, 1.0, 3.0}));
  for (const double corner : f->corners()) EXPECT_EQ(f->corner(corner), 0.0);
  EXPECT_EQ(cubic(TableOutside::extend)->corner(1.0), 1.0);
}

TEST(Table, RefusesWhatIsNoTable) {
  const auto make = [](std::vector<double> u, std::vector<double> y) {
    return Table("f", std::move(u), std::move(y), TableKind::linear, TableOutside::hold);
  };
  EXPECT_THROW(make({0.0}, {1.0}), ContractError);
  EXPECT_THROW(make({0.0, 1.0}, {1.0}), ContractError);
  EXPECT_THROW(make({0.0, 0.0}, {1.0, 2.0}), ContractError);
  EXPECT_THROW(make({0.0, std::nan("")}, {1.0, 2.0}), ContractError);
}

// --- in expressions --------------------------------------------------------------------------------------------------

TEST(TableInExpr, IsOneNodeForOneTable) {
  const Expr a = applyTable(linear(TableOutside::hold), 0, x);
  EXPECT_EQ(a, applyTable(linear(TableOutside::hold), 0, x));  // another object of the same contents
  EXPECT_FALSE(a == applyTable(linear(TableOutside::extend), 0, x));
  EXPECT_FALSE(a == applyTable(linear(TableOutside::hold), 1, x));
  EXPECT_EQ(a.structuralHash(), applyTable(linear(TableOutside::hold), 0, x).structuralHash());
  EXPECT_EQ(a.kind(), ExprKind::Table);
  EXPECT_EQ(a.table()->name(), "f");
  EXPECT_EQ(a.tableOrder(), 0);
  EXPECT_THROW((void)x.table(), ContractError);
  EXPECT_THROW((void)x.tableOrder(), ContractError);
  EXPECT_THROW(makeExpr(ExprKind::Table, std::vector<Expr>{x}), ContractError);
  EXPECT_EQ(withOperands(a, std::vector<Expr>{2.0 * x}), applyTable(linear(TableOutside::hold), 0, 2.0 * x));
}

TEST(TableInExpr, FoldsEvaluatesAndSubstitutes) {
  const auto f = linear(TableOutside::hold);
  EXPECT_EQ(applyTable(f, 0, Expr(0.25)), Expr(1.5));
  const Expr e = 2.0 * applyTable(f, 0, pow(x, 2.0)) + x;
  EXPECT_EQ(evaluate(e, {{"x", 0.5}}), 3.5);
  EXPECT_EQ(substitute(e, {{"x", Expr(0.5)}}), Expr(3.5));
  EXPECT_EQ(symbolsOf(e), std::vector<std::string>{"x"});
}

TEST(TableInExpr, DerivativesAgreeWithDualAndTape) {
  for (const auto& f : {cubic(TableOutside::extend), linear(TableOutside::extend)}) {
    const Expr e = applyTable(f, 0, sin(x) + 1.2 * x);
    const Expr slope = differentiate(e, x);
    const Expr bend = differentiate(slope, x);
    const Tape tape({e, slope, bend}, {"x"});
    using D1 = Dual<1>;
    using D2 = Dual<1, D1>;
    for (double at = -0.4; at < 2.5; at += 0.17) {
      const D2 u = D2::variable(D1::variable(at));
      const D2 result = applyTable(f, 0, sin(u) + 1.2 * u);
      const std::vector<double> in{at};
      std::vector<double> scratch(tape.scratchSize());
      std::vector<double> out(3);
      tape.evaluate<double>(in, scratch, out);
      EXPECT_NEAR(out[0], result.value.value, 1e-14);
      EXPECT_NEAR(out[1], result.derivatives[0].value, 1e-13);
      EXPECT_NEAR(out[2], result.derivatives[0].derivatives[0], 1e-12);
      const std::vector<Dual<1>> dual_in{Dual<1>::variable(at)};
      std::vector<Dual<1>> dual_scratch(tape.scratchSize());
      std::vector<Dual<1>> dual_out(3);
      tape.evaluate<Dual<1>>(dual_in, dual_scratch, dual_out);
      EXPECT_NEAR(dual_out[0].derivative(), out[1], 1e-13);
    }
  }
}

TEST(TableInExpr, TheMarkOfACornerHasNoSlope) {
  const Expr mark = applyTable(linear(TableOutside::hold), kTableCorner, x);
  EXPECT_EQ(differentiate(mark, x), Expr());
  EXPECT_EQ(applyTable(linear(TableOutside::hold), kTableCorner, Dual<1>::variable(0.5)).derivative(), 0.0);
  EXPECT_EQ(evaluate(mark, {{"x", 0.5}}), linear(TableOutside::hold)->corner(0.5));
}

TEST(TableInExpr, LeavesNoNodeBehind) {
  const std::size_t before = Expr::liveNodeCount();
  { const Expr e = differentiate(applyTable(cubic(TableOutside::hold), 0, sin(x)), x); }
  EXPECT_EQ(Expr::liveNodeCount(), before);
}

}  // namespace table_test
}  // namespace linkwork
