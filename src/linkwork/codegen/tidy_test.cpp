#include "linkwork/codegen/tidy.hpp"

#include <gtest/gtest.h>

#include "linkwork/codegen/expr_writer.hpp"

namespace linkwork {
namespace tidy_test {

const Expr L = Expr::symbol("L");
const Expr a = Expr::symbol("a");
const Expr phi = Expr::symbol("phi");

TEST(Tidied, HalfOfALengthIsLeftWhereTheCentreOfARodIsTakenFromItsEnd) {
  EXPECT_EQ(toText(tidied(L - L / 2.0)), "L/2");
  EXPECT_EQ(toText(tidied(Expr(0.0) - L / 2.0)), "-L/2");
}

TEST(Tidied, SumsInsideFunctionsAndProductsAreCollectedToo) {
  EXPECT_EQ(toText(tidied(a + (L - L / 2.0) * cos(phi + phi))), "a + L*cos(2*phi)/2");
}

TEST(Tidied, TermsThatCancelGo) { EXPECT_TRUE(tidied((a * L + phi) - L * a - phi).isNumber(0.0)); }

TEST(Tidied, ASumWithoutLikeTermsIsTheSameNode) {
  const Expr sum = a * cos(phi) - L / 3.0 + 2.0;
  EXPECT_TRUE(tidied(sum) == sum);
}

TEST(Tidied, AFractionThatFoldingTurnedIntoALongDecimalIsAQuotientAgain) {
  EXPECT_EQ(toText(tidied(Expr(2.0) * L * L / 12.0 * 0.5)), "L^2/12");
  EXPECT_EQ(toText(tidied(Expr(2.0 / 12.0) * (a + L))), "(a + L)/6");
  EXPECT_EQ(toText(tidied(Expr(0.1) * L)), "0.1*L");
  EXPECT_EQ(toText(tidied(Expr(1.0471975511965976) * L)), "1.0471975511965976*L");
}

TEST(Tidied, ANumberComesOutOfAPower) {
  EXPECT_EQ(toText(tidied(pow(L / 2.0, 2.0))), "L^2/4");
  EXPECT_EQ(toText(tidied(a * pow(L / 2.0, 2.0) + a * L * L / 12.0)), "a*L^2/3");
  EXPECT_EQ(toText(tidied(pow(L * a, 2.0))), "(a*L)^2");
}

TEST(Tidied, TheValueStays) {
  const Expr e = (a - 0.3 * a + L) * sin(phi - 2.0 * phi) / (L + a + L);
  const std::map<std::string, double> at = {{"a", 1.7}, {"L", -0.6}, {"phi", 0.4}};
  EXPECT_NEAR(evaluate(tidied(e), at), evaluate(e, at), 1e-14);  // a few roundings of numbers near one
}

}  // namespace tidy_test
}  // namespace linkwork
