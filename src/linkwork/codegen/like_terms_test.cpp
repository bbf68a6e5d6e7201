#include "linkwork/codegen/like_terms.hpp"

#include <gtest/gtest.h>

#include "linkwork/codegen/expr_writer.hpp"

namespace linkwork {
namespace {

const Expr L = Expr::symbol("L");
const Expr a = Expr::symbol("a");
const Expr phi = Expr::symbol("phi");

TEST(LikeTerms, HalfOfALengthIsLeftWhereTheCentreOfARodIsTakenFromItsEnd) {
  EXPECT_EQ(toText(collectLikeTerms(L - L / 2.0)), "L/2");
  EXPECT_EQ(toText(collectLikeTerms(Expr(0.0) - L / 2.0)), "-L/2");
}

TEST(LikeTerms, SumsInsideFunctionsAndProductsAreCollectedToo) {
  EXPECT_EQ(toText(collectLikeTerms(a + (L - L / 2.0) * cos(phi + phi))), "a + L*cos(2*phi)/2");
}

TEST(LikeTerms, TermsThatCancelGo) {
  EXPECT_TRUE(collectLikeTerms((a * L + phi) - L * a - phi).isNumber(0.0));
}

TEST(LikeTerms, ASumWithoutLikeTermsIsTheSameNode) {
  const Expr sum = a * cos(phi) - L / 3.0 + 2.0;
  EXPECT_TRUE(collectLikeTerms(sum) == sum);
}

TEST(LikeTerms, TheValueStays) {
  const Expr e = (a - 0.3 * a + L) * sin(phi - 2.0 * phi) / (L + a + L);
  const std::map<std::string, double> at = {{"a", 1.7}, {"L", -0.6}, {"phi", 0.4}};
  EXPECT_NEAR(evaluate(collectLikeTerms(e), at), evaluate(e, at), 1e-14);  // a few roundings of numbers near one
}

}  // namespace
}  // namespace linkwork
