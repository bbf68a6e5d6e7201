#include "linkwork/codegen/reading_names.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

namespace linkwork {
namespace reading_names_test {

// x and y with factors made of eight parameters, twice the same.
class ReadingNames : public ::testing::Test {
 protected:
  ReadingNames() {
    x_ = program_.input({"x"}, SymbolRole::position, "x", -1, "m", "place");
    values_.emplace(x_.name(), 0.7);
    for (int k = 1; k <= 8; ++k) {
      p_.push_back(program_.parameter(Expr::symbol(fmt::format("p_{}", k)), {"p", k}, 0.1 * k, "m", "length"));
      values_.emplace(p_.back().name(), 0.1 * k);
    }
  }

  // Between two brackets so that it can be no part of a sum around it: 8 products of three characters and more.
  Expr longSum(const Expr& of) const {
    Expr sum;
    for (std::size_t k = 0; k < p_.size(); ++k) sum += p_[k] * sin(of * p_[(k + 1) % p_.size()]);
    return sum;
  }

  ProgramDocument document() { return documentOf(program_); }

  // What the chapters come to, line by line.
  double valueOf(const ProgramDocument& document, const Expr& wanted) {
    std::map<std::string, double> values = values_;
    for (const DocumentChapter& chapter : document.chapters) {
      for (const DocumentLine& line : chapter.lines) values[line.left.name()] = evaluate(line.right, values);
    }
    return evaluate(wanted, values);
  }

  EquationProgram program_;
  Expr x_;
  std::vector<Expr> p_;
  std::map<std::string, double> values_;
};

TEST_F(ReadingNames, ALongConstantGetsOneNameInAChapterOfItsOwn) {
  program_.section("Places");
  const Expr constant = longSum(2.0);
  const Expr a = program_.let({"a"}, x_ * constant);
  program_.outputs.push_back({"y", 1, 0, {a + cos(x_) * constant}, "twice"});
  const double expected = evaluate(program_.expanded(program_.outputs[0].entries)[0], values_);
  const ProgramDocument found = document();
  ASSERT_EQ(found.chapters.size(), 2u);
  EXPECT_EQ(found.chapters[0].title, "Constants");
  ASSERT_EQ(found.chapters[0].lines.size(), 1u);
  EXPECT_EQ(found.chapters[0].lines[0].remark, "constant");
  const Expr k = found.chapters[0].lines[0].left;
  EXPECT_EQ(found.program.symbolOf(k).name, (SymbolName{"k", 1}));
  EXPECT_EQ(found.chapters[1].lines[0].right, x_ * k);
  EXPECT_NEAR(valueOf(found, found.program.outputs[0].entries[0]), expected, 1e-14);
}

TEST_F(ReadingNames, ALongBracketIsNamedBeforeTheLineThatNeedsIt) {
  program_.section("Places");
  const Expr a = program_.let({"a"}, x_ * longSum(x_));
  program_.outputs.push_back({"y", 1, 0, {a}, "once"});
  const double expected = evaluate(program_.expanded(program_.outputs[0].entries)[0], values_);
  const ProgramDocument found = document();
  ASSERT_EQ(found.chapters.size(), 1u);
  ASSERT_EQ(found.chapters[0].lines.size(), 2u);
  const Expr z = found.chapters[0].lines[0].left;
  EXPECT_EQ(found.program.symbolOf(z).name, (SymbolName{"z", 1}));
  EXPECT_EQ(found.chapters[0].lines[1].right, x_ * z);
  EXPECT_NEAR(valueOf(found, a), expected, 1e-14);
}

TEST_F(ReadingNames, WhatStandsInAnOutputAloneComesLast) {
  program_.outputs.push_back({"y", 1, 0, {x_ * longSum(x_)}, "once"});
  const double expected = evaluate(program_.outputs[0].entries[0], values_);
  const ProgramDocument found = document();
  ASSERT_EQ(found.chapters.size(), 1u);
  EXPECT_EQ(found.chapters[0].title, "Parts of what follows");
  EXPECT_NEAR(valueOf(found, found.program.outputs[0].entries[0]), expected, 1e-14);
}

TEST_F(ReadingNames, ALetterThatIsTakenIsDoubled) {
  program_.section("Places");
  program_.outputs.push_back({"y", 1, 0, {program_.let({"k", 1}, x_ + 1.0) * longSum(2.0)}, "once"});
  const ProgramDocument found = document();
  EXPECT_EQ(found.program.symbolOf(found.chapters[0].lines[0].left).name, (SymbolName{"kk", 1}));
}

TEST_F(ReadingNames, ShortFormulasStayAsTheyAre) {
  program_.section("Places");
  const Expr value = x_ * (p_[0] + p_[1] * p_[2]);
  program_.outputs.push_back({"y", 1, 0, {program_.let({"a"}, value)}, "once"});
  const ProgramDocument found = document();
  ASSERT_EQ(found.chapters.size(), 1u);
  ASSERT_EQ(found.chapters[0].lines.size(), 1u);
  EXPECT_EQ(found.chapters[0].lines[0].right, value);
}

}  // namespace reading_names_test
}  // namespace linkwork
