#include "linkwork/codegen/equation_program.hpp"

#include <gtest/gtest.h>

#include "linkwork/base/contract.hpp"

namespace linkwork {
namespace equation_program_test {

EquationProgram programWithTwoAngles() {
  EquationProgram p;
  p.input({"al", 1}, SymbolRole::position, "al", 0, "rad", "angle");
  p.input({"al", 2}, SymbolRole::position, "al", 1, "rad", "angle");
  return p;
}

const Expr al1 = Expr::symbol("~al_1");
const Expr al2 = Expr::symbol("~al_2");

TEST(EquationProgram, WritesNoLineForNumbersSymbolsAndTheirNegatives) {
  EquationProgram p = programWithTwoAngles();
  EXPECT_EQ(p.let({"H", 2, 1}, Expr()), Expr());
  EXPECT_EQ(p.let({"A", 2, 1}, al1), al1);
  EXPECT_EQ(p.let({"b", 2, 1}, -al1), -al1);
  EXPECT_TRUE(p.lines().empty());
  ASSERT_EQ(p.aliases().size(), 3U);
  EXPECT_EQ(p.aliases()[0].value, Expr());
  EXPECT_EQ(p.aliases()[2].name, (SymbolName{"b", 2, 1, 0}));
}

TEST(EquationProgram, CallsAValueByTheNameItHas) {
  EquationProgram p = programWithTwoAngles();
  const Expr first = p.let({"A", 2, 1}, sin(al1) * al2);
  EXPECT_TRUE(first.isSymbol());
  EXPECT_EQ(p.let({"B", 2, 1}, sin(al1) * al2), first);
  EXPECT_EQ(p.let({"b", 2, 1}, -(sin(al1) * al2)), -first);
  EXPECT_EQ(p.let({"A", 2, 1}, sin(al1) * al2), first) << "the same name and value again is no new line";
  EXPECT_EQ(p.lines().size(), 1U);
  EXPECT_THROW(p.let({"A", 2, 1}, cos(al1)), ContractError);
}

TEST(EquationProgram, RemovesWhatNoOutputNeeds) {
  EquationProgram p = programWithTwoAngles();
  p.parameter(Expr::symbol("m_1"), {"m", 1}, 1.5, "kg", "mass");
  const Expr used = p.let({"A", 1}, sin(al1) + al2);
  p.let({"A", 2}, cos(used));
  const Expr out = p.let({"A", 3}, used * used);
  p.outputs.push_back({"y", 1, 0, {out}, ""});
  p.removeDeadLines();
  ASSERT_EQ(p.lines().size(), 2U);
  EXPECT_EQ(p.lines()[1].symbol, out);
  EXPECT_FALSE(p.knows("m_1"));
  EXPECT_TRUE(p.knows("~al_2")) << "an argument stays whole";
}

TEST(EquationProgram, PutsNumbersInAndFolds) {
  EquationProgram p = programWithTwoAngles();
  const Expr m = p.parameter(Expr::symbol("m_1"), {"m", 1}, 2.0, "kg", "");
  const Expr e = p.parameter(Expr::symbol("e_1"), {"e", 1}, 0.0, "m", "");
  const Expr a = p.let({"A", 1}, m * e);
  const Expr b = p.let({"B", 1}, a * sin(al1) + m * cos(al1));
  p.outputs.push_back({"y", 1, 0, {b}, ""});
  const EquationProgram numbers = p.withNumbers({{"m_1", 2.0}, {"e_1", 0.0}});
  ASSERT_EQ(numbers.lines().size(), 1U);
  EXPECT_EQ(numbers.lines()[0].value, 2.0 * cos(al1));
  EXPECT_EQ(numbers.expanded(numbers.outputs[0].entries)[0], 2.0 * cos(al1));
}

TEST(EquationProgram, ReadsIndicesFromNames) {
  EXPECT_EQ(splitName("Rx_12"), (SymbolName{"Rx", 12, 0, 0}));
  EXPECT_EQ(splitName("g"), (SymbolName{"g", 0, 0, 0}));
  EXPECT_EQ(splitName("spring_rate"), (SymbolName{"spring_rate", 0, 0, 0}));
}

}  // namespace equation_program_test
}  // namespace linkwork
