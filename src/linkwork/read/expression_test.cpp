#include "linkwork/read/expression.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

namespace linkwork {
namespace expression_test {

// L (0.3 m), m1 (2 kg), tilt (30 deg), n (plain 4), t (time), crank.angle_rate (rad/s), bad (broken), no (refused).
class TestScope : public Scope {
 public:
  std::optional<NamedValue> find(std::string_view name) const override {
    NamedValue value;
    value.expr = Expr::symbol(std::string(name));
    if (name == "L") {
      value.dimension = dimension::kLength;
      value.number = 0.3;
    } else if (name == "m1") {
      value.dimension = dimension::kMass;
      value.number = 2.0;
    } else if (name == "tilt") {
      value.dimension = dimension::kAngle;
      value.number = std::numbers::pi / 6;
    } else if (name == "n") {
      value.number = 4.0;
    } else if (name == "t") {
    } else if (name == "crank.angle_rate" || name == "left crank.angle_rate") {
      value.dimension = dimension::kAngularRate;
    } else if (name == "bad") {
      value.broken = true;
    } else if (name == "no") {
      value.refusal = "no may not stand here";
    } else {
      return std::nullopt;
    }
    return value;
  }
  std::vector<std::string> candidates() const override { return {"L", "m1", "tilt", "n", "t", "crank.angle_rate"}; }
};

ParsedExpression parsed(std::string_view text, Numbers numbers = Numbers::pure) {
  const auto result = parseQuantity(text, TestScope{}, numbers);
  if (const TextError* error = std::get_if<TextError>(&result)) {
    ADD_FAILURE() << text << " at " << error->offset << ": " << error->message;
    return {};
  }
  return std::get<ParsedExpression>(result);
}

double number(std::string_view text) { return parsed(text).number.value_or(std::nan("")); }

std::string dimensionOf(std::string_view text, Numbers numbers = Numbers::pure) {
  const auto result = parsed(text, numbers);
  return result.dimension ? describe(*result.dimension) : "anything";
}

TEST(Expression, FollowsTheUsualPrecedence) {
  EXPECT_EQ(number("1 + 2*3"), 7);
  EXPECT_EQ(number("(1 + 2)*3"), 9);
  EXPECT_EQ(number("2 - 3 - 4"), -5);
  EXPECT_EQ(number("24/4/2"), 3);
  EXPECT_EQ(number("2^3^2"), 512);
  EXPECT_EQ(number("-2^2"), -4);
  EXPECT_EQ(number("2^-1"), 0.5);
  EXPECT_EQ(number("2*-3"), -6);
  EXPECT_EQ(number("--3"), 3);
  EXPECT_EQ(number("+3"), 3);
  EXPECT_EQ(number(" 1.5e2 "), 150);
  EXPECT_EQ(number(".5"), 0.5);
  EXPECT_EQ(number("1 +\n 2"), 3);
}

TEST(Expression, KnowsEveryFunction) {
  const std::map<std::string, double> cases{{"sin(0.3)", std::sin(0.3)},
                                            {"cos(0.3)", std::cos(0.3)},
                                            {"tan(0.3)", std::tan(0.3)},
                                            {"asin(0.3)", std::asin(0.3)},
                                            {"acos(0.3)", std::acos(0.3)},
                                            {"atan(0.3)", std::atan(0.3)},
                                            {"atan2(1, 2)", std::atan2(1, 2)},
                                            {"sinh(0.3)", std::sinh(0.3)},
                                            {"cosh(0.3)", std::cosh(0.3)},
                                            {"tanh(0.3)", std::tanh(0.3)},
                                            {"exp(0.3)", std::exp(0.3)},
                                            {"log(0.3)", std::log(0.3)},
                                            {"sqrt(0.3)", std::sqrt(0.3)},
                                            {"abs(-0.3)", 0.3},
                                            {"sign(-0.3)", -1},
                                            {"min(1, 2)", 1},
                                            {"max(1, 2)", 2},
                                            {"pow(2, 0.5)", std::pow(2, 0.5)},
                                            {"select(0, 1, 2)", 1},
                                            {"select(-1, 1, 2)", 2}};
  EXPECT_EQ(cases.size(), functionNames().size() + 1);
  for (const auto& [text, value] : cases) {
    EXPECT_EQ(number(text), value) << text;
    EXPECT_EQ(evaluate(parsed(text).expr, {}), value) << text;
  }
}

TEST(Expression, TheGraphAndTheNumberAgree) {
  const std::map<std::string, double> values{{"L", 0.3}, {"m1", 2.0}, {"tilt", std::numbers::pi / 6}, {"n", 4.0}};
  for (const char* text :
       {"m1*L^2/12", "0.3*cos(tilt)", "L*sin(2*tilt)/n", "sqrt(L/9.81 [m/s^2])", "n + 2*pi", "L + 3 [mm]"}) {
    const ParsedExpression result = parsed(text);
    ASSERT_TRUE(result.number) << text;
    EXPECT_NEAR(evaluate(result.expr, values), *result.number, 4e-16 * std::abs(*result.number)) << text;
  }
}

TEST(Expression, ANumberAndAUnitIsAQuantity) {
  EXPECT_EQ(number("12 mm"), 0.012);
  EXPECT_EQ(number("-12mm"), -0.012);
  EXPECT_EQ(number("30 deg"), std::numbers::pi / 6);
  EXPECT_EQ(number("0.4 kg*m^2"), 0.4);
  EXPECT_EQ(number("4 rad/s"), 4);
  EXPECT_EQ(number("4 m*s^-2"), 4);
  EXPECT_EQ(number("4 1/s"), 4);
  EXPECT_TRUE(parsed("12 mm").unit.has_value());
  EXPECT_FALSE(parsed("12").unit.has_value());
  EXPECT_FALSE(parsed("2*3 [mm]").unit.has_value());
}

TEST(Expression, NumbersInConstantsArePure) {
  EXPECT_EQ(dimensionOf("2*L"), "a length (m)");
  EXPECT_EQ(dimensionOf("2*L + 3"), "a length (m)");
  EXPECT_EQ(dimensionOf("L + 3 [mm]"), "a length (m)");
  EXPECT_EQ(dimensionOf("m1*L^2/12"), "a moment of inertia (kg*m^2)");
  EXPECT_EQ(dimensionOf("0.3*cos(tilt)"), "a plain number");
  EXPECT_EQ(dimensionOf("sqrt(9.81 [m/s^2]/L)"), "a frequency (1/s)");
  EXPECT_EQ(dimensionOf("tilt*L"), "a length (m)");
  EXPECT_EQ(dimensionOf("2*tilt + 0.1"), "an angle (rad)");
  EXPECT_EQ(dimensionOf("n*L"), "anything");
  EXPECT_EQ(dimensionOf("min(L, 1 [m])"), "a length (m)");
  EXPECT_EQ(dimensionOf("atan2(L, 2*L)"), "an angle (rad)");
  EXPECT_EQ(dimensionOf("pow(L, 2)"), "an area (m^2)");
}

TEST(Expression, NumbersInLoadsAdapt) {
  EXPECT_EQ(dimensionOf("6 + 2*sin(3*t) - 0.4*crank.angle_rate", Numbers::adapting), "anything");
  EXPECT_EQ(dimensionOf("0.1*sin(t)", Numbers::adapting), "anything");
  EXPECT_EQ(dimensionOf("10 [N]*sin(3*t)", Numbers::adapting), "a force (N)");
  EXPECT_EQ(dimensionOf("crank.angle_rate^2", Numbers::adapting), "an angular acceleration (rad/s^2)");
}

TEST(Expression, QuotedNamesHoldAnything) {
  EXPECT_EQ(symbolsOf(parsed("2*'left crank'.angle_rate", Numbers::adapting).expr),
            std::vector<std::string>{"left crank.angle_rate"});
}

TEST(Expression, BrokenNamesMakeABrokenResultWithoutAMessage) { EXPECT_TRUE(parsed("2*bad + L").broken); }

TEST(Expression, NamesAreFoundForOrdering) {
  EXPECT_EQ(namesIn("2*a + sin(b.c) - 3 [mm]"), (std::vector<std::string>{"a", "b.c"}));
  EXPECT_EQ(namesIn("3 m"), std::vector<std::string>{});
  EXPECT_EQ(namesIn("a + $ + b"), std::vector<std::string>{"a"});
}

struct Bad {
  const char* text;
  std::size_t offset;
  const char* message;
  const char* hint = "";
};

class BadExpressions : public testing::TestWithParam<Bad> {};

TEST_P(BadExpressions, SayWhatIsWrongAndWhere) {
  const auto result = parseQuantity(GetParam().text, TestScope{}, Numbers::pure);
  ASSERT_TRUE(std::holds_alternative<TextError>(result)) << GetParam().text;
  const TextError& error = std::get<TextError>(result);
  EXPECT_EQ(error.offset, GetParam().offset) << GetParam().text;
  EXPECT_EQ(error.message, GetParam().message) << GetParam().text;
  EXPECT_EQ(error.hint, GetParam().hint) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    Expression, BadExpressions,
    testing::Values(
        Bad{"", 0, "the expression is empty"}, Bad{"2*", 2, "the expression ends too early"},
        Bad{"2*(3+4", 2, "the closing \")\" is missing"}, Bad{"sin(3", 0, "the closing \")\" of sin is missing"},
        Bad{"3)", 1, "unexpected \")\""}, Bad{"2 & 3", 2, "unexpected \"&\""},
        Bad{"2**3", 1, "unexpected \"**\"", "Write a power with \"^\"."},
        Bad{"2*LL", 2, "unknown name \"LL\"", "Did you mean \"L\"?"}, Bad{"2*zzz", 2, "unknown name \"zzz\""},
        Bad{"2*mm", 2, "unknown name \"mm\"", "Did you mean \"m1\"?"},
        Bad{"2*kPa", 2, "unknown name \"kPa\"", "A unit stands in brackets after a number: \"3 [kPa]\"."},
        Bad{"2*crank.angle_rat", 2, "unknown name \"crank.angle_rat\"", "Did you mean \"crank.angle_rate\"?"},
        Bad{"sin + 1", 0, "\"sin\" is a function", "Write \"sin(...)\"."},
        Bad{"son(1)", 0, "unknown function \"son\"", "Did you mean \"sin\"?"},
        Bad{"sin(1, 2)", 0, "sin takes 1 argument, got 2"}, Bad{"atan2(1)", 0, "atan2 takes 2 arguments, got 1"},
        Bad{"sin()", 0, "sin takes 1 argument, got 0"},
        Bad{"2*L + 3 mm", 8, "a unit inside an expression stands in brackets", "Write \"3 [mm]\"."},
        Bad{"3 mm + L", 2, "a unit inside an expression stands in brackets", "Write \"3 [mm]\"."},
        Bad{"3 mm - L", 2, "a unit inside an expression stands in brackets", "Write \"3 [mm]\"."},
        Bad{"2 L", 2, "an operator is missing before \"L\"", "Write \"2*L\"."},
        Bad{"2 sin(L)", 2, "an operator is missing before \"sin\"", "Write \"2*sin\"."},
        Bad{"L 2", 2, "an operator is missing here", "Write a product with \"*\"."},
        Bad{"12 mmm", 3, "unknown unit \"mmm\"", "Did you mean \"mm\"?"},
        Bad{"L + 3 [mmm]", 7, "unknown unit \"mmm\"", "Did you mean \"mm\"?"},
        Bad{"L [mm]", 2, "a unit in brackets follows a number", "Write \"3 [mm]\"."},
        Bad{"3 [mm", 2, "the closing \"]\" of the unit is missing"},
        Bad{"L + m1", 2, "a length (m) and a mass (kg) cannot be added"},
        Bad{"tilt - L", 5, "an angle (rad) and a length (m) cannot be subtracted"},
        Bad{"sin(2*L)", 4, "sin takes an angle or a plain number, got a length (m)"},
        Bad{"exp(m1)", 4, "exp takes a plain number, got a mass (kg)"},
        Bad{"2^L", 2, "an exponent is a plain number, got a length (m)"},
        Bad{"max(L, m1)", 0, "a length (m) and a mass (kg) cannot be compared"}, Bad{"1/0", 1, "division by zero"},
        Bad{"L/(n - 4)", 1, "division by zero"}, Bad{"sqrt(-1)", 0, "sqrt of -1 is not a finite number"},
        Bad{"log(n - 4)", 0, "log of 0 is not a finite number"}, Bad{"0^-1", 1, "the result is not a finite number"},
        Bad{"1e200*1e200", 5, "the result is not a finite number"},
        Bad{"1e999", 0, "the number \"1e999\" is too large or too small"}, Bad{"no + 1", 0, "no may not stand here"},
        Bad{"crank.", 6, "a name is missing after the dot"}, Bad{"'crank", 0, "the closing ' is missing"}));

TEST(Expression, DepthAndLengthAreBounded) {
  const auto refused = [](const std::string& text) {
    const auto result = parseQuantity(text, TestScope{}, Numbers::pure);
    const TextError* error = std::get_if<TextError>(&result);
    return error == nullptr ? std::string{} : error->message;
  };
  EXPECT_EQ(refused(fmt::format("{:(>150}1{:)>150}", "", "")), "");
  EXPECT_EQ(refused(std::string(300, '(')), "the expression is nested deeper than 200 levels");
  EXPECT_EQ(refused(fmt::format("{:->300}1", "")), "the expression is nested deeper than 200 levels");
  std::string tower = "1";
  for (int i = 0; i < 300; ++i) tower += "^1";
  EXPECT_EQ(refused(tower), "the expression is nested deeper than 200 levels");
  EXPECT_EQ(refused(std::string(1000000, '(')), "the expression is longer than 4000 characters");
}

}  // namespace expression_test
}  // namespace linkwork
