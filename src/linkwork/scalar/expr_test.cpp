#include "linkwork/scalar/expr.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <thread>

#include "linkwork/base/contract.hpp"
#include "linkwork/scalar/dual.hpp"
#include "linkwork/scalar/random_program_test.hpp"

namespace linkwork {
namespace expr_test {

static_assert(Scalar<Expr>);

const Expr x = Expr::symbol("x");
const Expr y = Expr::symbol("y");
const Expr z = Expr::symbol("z");

TEST(Expr, SameStructureIsTheSameNode) {
  const Expr a = sin(x * y + 2.0) / (z + 1.0);
  const Expr b = sin(2.0 + y * x) / (1.0 + z);
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.id(), b.id());
  EXPECT_EQ(a.structuralHash(), b.structuralHash());
  EXPECT_EQ(Expr::symbol("x"), x);
  EXPECT_EQ(Expr(0.1), Expr(0.1));
  EXPECT_FALSE(x - y == y - x);
  EXPECT_FALSE(sin(x) == cos(x));
  EXPECT_FALSE(atan2(x, y) == atan2(y, x));
  EXPECT_FALSE(x * (y + z) == x * y + x * z);
}

TEST(Expr, TellsItsParts) {
  const Expr e = atan2(x, 2.0);
  EXPECT_EQ(e.kind(), ExprKind::Atan2);
  ASSERT_EQ(e.operands().size(), 2u);
  EXPECT_TRUE(e.operands()[0].isSymbol());
  EXPECT_EQ(e.operands()[0].name(), "x");
  EXPECT_EQ(e.operands()[1].number(), 2.0);
  EXPECT_EQ(Expr().number(), 0.0);
  EXPECT_EQ(Expr(0.0).id(), Expr().id());
  EXPECT_EQ(Expr(-0.0), Expr());
  EXPECT_EQ(valueOf(Expr(2.5)), 2.5);
  EXPECT_THROW(e.number(), ContractError);
  EXPECT_THROW(e.name(), ContractError);
  EXPECT_THROW(valueOf(x), ContractError);
  EXPECT_THROW(Expr::symbol(""), ContractError);
}

TEST(Expr, FoldsConstantsAndIdentities) {
  const Expr zero, one = 1.0;
  EXPECT_EQ(x + zero, x);
  EXPECT_EQ(zero + x, x);
  EXPECT_EQ(x - zero, x);
  EXPECT_EQ(zero - x, -x);
  EXPECT_EQ(x - x, zero);
  EXPECT_EQ(x + x, 2.0 * x);
  EXPECT_EQ(zero * x, zero);
  EXPECT_EQ(one * x, x);
  EXPECT_EQ(Expr(-1.0) * x, -x);
  EXPECT_EQ(x / one, x);
  EXPECT_EQ(x / x, one);
  EXPECT_EQ(zero / x, zero);
  EXPECT_EQ(-(-x), x);
  EXPECT_EQ(-(x - y), y - x);
  EXPECT_EQ(x + (-y), x - y);
  EXPECT_EQ(x - (-y), x + y);
  EXPECT_EQ((-x) + y, y - x);
  EXPECT_EQ((-x) * (-y), x * y);
  EXPECT_EQ((-x) / (-y), x / y);
  EXPECT_EQ((-x) * y, -(x * y));
  EXPECT_EQ(x - 2.0, x + (-2.0));
  EXPECT_EQ(2.0 * (3.0 * x), 6.0 * x);
  EXPECT_EQ(2.0 * (0.5 * x), x);
  EXPECT_EQ(1.0 + (2.0 + x), 3.0 + x);
  EXPECT_EQ((2.0 * x) / 4.0, 0.5 * x);
  EXPECT_EQ(Expr(2.0) + 3.0, Expr(5.0));
  EXPECT_EQ(Expr(1.0) / 4.0, Expr(0.25));
  EXPECT_EQ(sqrt(Expr(9.0)), Expr(3.0));
  EXPECT_EQ(sin(Expr(0.5)), Expr(std::sin(0.5)));
  EXPECT_EQ(cos(Expr()), one);
  EXPECT_EQ(pow(x, 1.0), x);
  EXPECT_EQ(pow(x, 0.0), one);
  EXPECT_EQ(pow(x, 2.0).kind(), ExprKind::Pow);
  EXPECT_EQ(x * x, pow(x, 2.0));
  EXPECT_EQ(pow(pow(x, 2.0), 3.0), pow(x, 6.0));
  EXPECT_EQ(pow(-x, 2.0), pow(x, 2.0));
  EXPECT_EQ(pow(-x, 3.0), -pow(x, 3.0));
  EXPECT_EQ(sqrt(x * x), abs(x));
  EXPECT_EQ(sqrt(x) * sqrt(x), x);
  EXPECT_EQ(sin(-x), -sin(x));
  EXPECT_EQ(cos(-x), cos(x));
  EXPECT_EQ(cos(-2.0 * x), cos(2.0 * x));
  EXPECT_EQ(abs(-x), abs(x));
  EXPECT_EQ(abs(abs(x)), abs(x));
  EXPECT_EQ(min(Expr(1.0), 2.0), one);
  EXPECT_EQ(max(x, x), x);
  EXPECT_EQ(select(0.0, x, y), x);
  EXPECT_EQ(select(-1.0, x, y), y);
  EXPECT_EQ(select(z, x, x), x);
  Expr accumulated = x;
  accumulated += y;
  accumulated -= x + y;
  EXPECT_EQ(accumulated, zero);
}

TEST(Expr, DoesNotJoinNumbersThatOverflowOrVanish) {
  const Expr large = 1e200 * (1e200 * x);
  EXPECT_EQ(evaluate(large, {{"x", 1e-300}}), 1e200 * (1e200 * 1e-300));
  const Expr small = 1e-200 * (1e-200 * x);
  EXPECT_EQ(evaluate(small, {{"x", 1e300}}), 1e-200 * (1e-200 * 1e300));
}

TEST(Expr, ConstantFoldingFollowsDoubleAtItsEdges) {
  EXPECT_TRUE(std::isnan((Expr(0.0) / Expr(0.0)).number()));
  EXPECT_TRUE(std::isinf((Expr(1.0) / Expr(0.0)).number()));
  EXPECT_TRUE(std::isnan((Expr(std::numeric_limits<double>::infinity()) * Expr(0.0)).number()));
  EXPECT_TRUE(std::isnan(sqrt(Expr(-1.0)).number()));
  EXPECT_EQ(sqrt(Expr(-1.0)), log(Expr(-1.0)));  // one not-a-number
}

TEST(Expr, EvaluatesLikeDoubleOnRandomPrograms) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    const auto program = test::makeRandomProgram(seed, 3, 40);
    const double at[] = {0.4, -1.2, 0.9};
    const Expr symbols[] = {x, y, z};
    const double expected = test::runProgram<double>(program, at);
    const double found = evaluate(test::runProgram<Expr>(program, symbols), {{"x", at[0]}, {"y", at[1]}, {"z", at[2]}});
    // Joined numbers move roundings; 40 lines of slope up to about 2 may grow them a thousandfold.
    EXPECT_NEAR(found, expected, 1e-12 * (1 + std::abs(expected))) << "seed " << seed;
  }
}

TEST(Expr, DifferentiatesLikeDual) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    const auto program = test::makeRandomProgram(seed, 3, 25);
    const double at[] = {0.4, -1.2, 0.9};
    const Expr symbols[] = {x, y, z};
    const Dual<3> duals[] = {Dual<3>::variable(at[0], 0), Dual<3>::variable(at[1], 1), Dual<3>::variable(at[2], 2)};
    const Dual<3> expected = test::runProgram<Dual<3>>(program, duals);
    const Expr e = test::runProgram<Expr>(program, symbols);
    for (int i = 0; i < 3; ++i) {
      const double found = evaluate(differentiate(e, symbols[i]), {{"x", at[0]}, {"y", at[1]}, {"z", at[2]}});
      EXPECT_NEAR(found, expected.derivative(i), 1e-11 * (1 + std::abs(expected.derivative(i)))) << "seed " << seed;
    }
  }
}

TEST(Expr, DifferentiatesToTheExpectedForms) {
  EXPECT_EQ(differentiate(Expr(3.0), x), Expr());
  EXPECT_EQ(differentiate(y, x), Expr());
  EXPECT_EQ(differentiate(x, x), Expr(1.0));
  EXPECT_EQ(differentiate(x * y, x), y);
  EXPECT_EQ(differentiate(sin(x), x), cos(x));
  EXPECT_EQ(differentiate(cos(2.0 * x), x), -2.0 * sin(2.0 * x));
  EXPECT_EQ(differentiate(pow(x, 3.0), x), 3.0 * pow(x, 2.0));
  EXPECT_EQ(differentiate(pow(x, y), x), y * pow(x, y - 1.0));
  EXPECT_EQ(differentiate(x / y, x), 1.0 / y);
  EXPECT_EQ(differentiate(exp(y * x), x), exp(y * x) * y);
  EXPECT_THROW(differentiate(x, x + y), ContractError);
}

TEST(Expr, SubstitutesAllNamesAtOnce) {
  const Expr e = x * x + sin(y);
  EXPECT_EQ(substitute(e, {{"x", y}, {"y", x}}), y * y + sin(x));
  EXPECT_EQ(substitute(e, {{"x", 3.0}, {"y", 0.0}}), Expr(9.0));
  EXPECT_EQ(substitute(e, {{"q", 1.0}}), e);
  EXPECT_EQ(substitute(select(x, y, z), {{"x", -1.0}}), z);
}

TEST(Expr, ListsSymbolsByName) {
  EXPECT_EQ(symbolsOf(z * sin(x) + y * x), (std::vector<std::string>{"x", "y", "z"}));
  EXPECT_TRUE(symbolsOf(Expr(2.0)).empty());
}

TEST(Expr, NamesTheSymbolWithoutAValue) {
  try {
    evaluate(x + Expr::symbol("crank.angle"), {{"x", 1.0}});
    FAIL() << "should have thrown";
  } catch (const ContractError& error) {
    EXPECT_STREQ(error.what(), "evaluate: symbol \"crank.angle\" has no value");
  }
}

TEST(Expr, PostOrderListsSharedPartsOnceAndOperandsFirst) {
  const Expr shared = sin(x);
  const Expr roots[] = {shared * y, shared + z, shared};
  const std::vector<Expr> order = postOrder(roots);
  EXPECT_EQ(order.size(), 6u);  // x, sin, y, product, z, sum
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const Expr& operand : order[i].operands()) {
      EXPECT_NE(std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(i), operand),
                order.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

TEST(Expr, MakesNodesByKind) {
  const Expr two[] = {x, y};
  EXPECT_EQ(makeExpr(ExprKind::Max, two), max(x, y));
  EXPECT_THROW(makeExpr(ExprKind::Sin, two), ContractError);
  EXPECT_THROW(makeExpr(ExprKind::Num, {}), ContractError);
}

TEST(Expr, ReleasesNodesWithTheirLastHandle) {
  const std::size_t before = Expr::liveNodeCount();
  {
    std::vector<Expr> kept;
    for (int i = 1; i <= 100000; ++i) kept.push_back(sin(static_cast<double>(i) + x));
    EXPECT_EQ(Expr::liveNodeCount(), before + 300000);  // number, sum, sine each
    std::vector<Expr> copies = kept;
    kept.clear();
    EXPECT_EQ(Expr::liveNodeCount(), before + 300000);
  }
  EXPECT_EQ(Expr::liveNodeCount(), before);
  Expr self = sin(y + 7.0);
  self = *&self;
  Expr moved = std::move(self);
  EXPECT_EQ(moved, sin(y + 7.0));
  moved = Expr();
  self = Expr();
  EXPECT_EQ(Expr::liveNodeCount(), before);
}

TEST(Expr, HandlesChainsOfAHundredThousandOperations) {
  const std::size_t before = Expr::liveNodeCount();
  {
    constexpr int kDepth = 100000;
    Expr chain = x;
    double expected = 0.3;
    for (int i = 0; i < kDepth; ++i) {
      chain = sin(chain) + y;
      expected = std::sin(expected) + 0.2;
    }
    EXPECT_EQ(evaluate(chain, {{"x", 0.3}, {"y", 0.2}}), expected);
    EXPECT_EQ(symbolsOf(chain).size(), 2u);
    const Expr derivative = differentiate(chain, y);
    // At the fixed point s = sin(s) + 0.2 the derivative settles at 1 / (1 - cos(s)).
    const double settled = 1 / (1 - std::cos(expected));
    EXPECT_NEAR(evaluate(derivative, {{"x", 0.3}, {"y", 0.2}}), settled, 1e-10 * settled);
    const Expr swapped = substitute(substitute(chain, {{"x", y}, {"y", x}}), {{"x", y}, {"y", x}});
    EXPECT_EQ(swapped, chain);
  }
  EXPECT_EQ(Expr::liveNodeCount(), before);
}

TEST(Expr, IsSafeToBuildAndDropFromSeveralThreads) {
  const std::size_t before = Expr::liveNodeCount();
  {
    std::vector<Expr> results(4);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < results.size(); ++t) {
      threads.emplace_back([&, t] {
        // All threads build and drop the same nodes, so that one's last handle meets another's search.
        for (int round = 0; round < 2000; ++round) {
          Expr sum;
          for (int i = 0; i < 10; ++i) sum += sin(x * static_cast<double>(i)) * cos(y + static_cast<double>(i % 3));
          results[t] = sum;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const Expr& result : results) EXPECT_EQ(result, results[0]);
  }
  EXPECT_EQ(Expr::liveNodeCount(), before);
}

TEST(Expr, StructureAloneOrdersOperands) {
  // The order of the stored operands must not depend on which symbol was built first or lives longer.
  const auto orderOf = [](const char* first, const char* second) {
    const Expr a = Expr::symbol(first), b = Expr::symbol(second);
    return (a + b).operands()[0].name();
  };
  EXPECT_EQ(orderOf("unborn_1", "unborn_2"), orderOf("unborn_2", "unborn_1"));
  EXPECT_TRUE((x + 1.0).operands()[0].isNumber());
  EXPECT_TRUE((sin(y) * 3.0).operands()[0].isNumber());
}

}  // namespace expr_test
}  // namespace linkwork
