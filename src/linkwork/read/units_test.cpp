#include "linkwork/read/units.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace linkwork {
namespace units_test {

double si(double number, std::string_view unit) {
  const auto parsed = parseUnit(unit);
  EXPECT_TRUE(std::holds_alternative<Unit>(parsed)) << unit;
  return std::holds_alternative<Unit>(parsed) ? toSi(number, std::get<Unit>(parsed)) : 0.0;
}

std::string dimensionOf(std::string_view unit) { return describe(std::get<Unit>(parseUnit(unit)).dimension); }

TEST(Units, ConvertToSiWithoutRoundingWhereTheDecimalIsExact) {
  EXPECT_EQ(si(35, "mm"), 0.035);
  EXPECT_EQ(si(12, "mm"), 0.012);
  EXPECT_EQ(si(250, "g"), 0.25);
  EXPECT_EQ(si(3, "kg"), 3.0);
  EXPECT_EQ(si(5, "N/mm"), 5000.0);
  EXPECT_EQ(si(90, "deg"), std::numbers::pi / 2);
  EXPECT_EQ(si(30, "deg"), std::numbers::pi / 6);
  EXPECT_EQ(si(1, "rev"), 2 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(si(30, "rpm"), std::numbers::pi);
  EXPECT_EQ(si(36, "km/h"), 10.0);
  EXPECT_EQ(si(2, "kN"), 2000.0);
  EXPECT_EQ(si(2, "bar"), 2e5);
  EXPECT_EQ(si(7.5, "g/cm^3"), 7500.0);
  EXPECT_EQ(si(4, "1/s"), 4.0);
  EXPECT_EQ(si(4, "kg/(m*s)"), 4.0);
  EXPECT_EQ(si(4, "m*s^-2"), 4.0);
}

TEST(Units, NameTheirDimension) {
  EXPECT_EQ(dimensionOf("mm"), "a length (m)");
  EXPECT_EQ(dimensionOf("g"), "a mass (kg)");
  EXPECT_EQ(dimensionOf("deg"), "an angle (rad)");
  EXPECT_EQ(dimensionOf("rpm"), "an angular rate (rad/s)");
  EXPECT_EQ(dimensionOf("Hz"), "a frequency (1/s)");
  EXPECT_EQ(dimensionOf("kg*m^2"), "a moment of inertia (kg*m^2)");
  EXPECT_EQ(dimensionOf("N*m/rad"), "a torsional stiffness (N*m/rad)");
  EXPECT_EQ(dimensionOf("N*m"), "a torque (N*m)");
  EXPECT_EQ(dimensionOf("kg^2*m"), "a quantity in kg^2*m");
  EXPECT_EQ(dimensionOf("N*s/m"), "a damping (N*s/m)");
  EXPECT_EQ(dimensionOf("m/rad"), "a length (m)");
}

TEST(Units, ARadianIsAPureNumberInComparisons) {
  EXPECT_TRUE(sameDimension(dimension::kTorsionalStiffness, dimension::kTorque));
  EXPECT_TRUE(sameDimension(dimension::kAngle, dimension::kNumber));
  EXPECT_FALSE(isPureNumber(dimension::kAngle));
  EXPECT_FALSE(sameDimension(dimension::kLength, dimension::kAngle));
}

TEST(Units, EveryUnitNameParsesAlone) {
  for (const std::string& name : unitNames()) EXPECT_TRUE(std::holds_alternative<Unit>(parseUnit(name))) << name;
}

struct BadUnit {
  const char* text;
  std::size_t offset;
  const char* message;
  const char* hint;
};

class BadUnits : public testing::TestWithParam<BadUnit> {};

TEST_P(BadUnits, SayWhatIsWrongAndWhere) {
  const auto parsed = parseUnit(GetParam().text);
  ASSERT_TRUE(std::holds_alternative<TextError>(parsed)) << GetParam().text;
  const TextError& error = std::get<TextError>(parsed);
  EXPECT_EQ(error.offset, GetParam().offset);
  EXPECT_EQ(error.message, GetParam().message);
  EXPECT_EQ(error.hint, GetParam().hint);
}

INSTANTIATE_TEST_SUITE_P(
    Units, BadUnits,
    testing::Values(BadUnit{"kgg", 0, "unknown unit \"kgg\"", "Did you mean \"kg\"?"},
                    BadUnit{"N*mmm", 2, "unknown unit \"mmm\"", "Did you mean \"mm\"?"},
                    BadUnit{"Nm", 0, "unknown unit \"Nm\"", "Did you mean \"N*m\"?"},
                    BadUnit{"furlong", 0, "unknown unit \"furlong\"", ""},
                    BadUnit{"m^x", 2, "the exponent of a unit is a whole number from -9 to 9", ""},
                    BadUnit{"m^99", 2, "the exponent of a unit is a whole number from -9 to 9", ""},
                    BadUnit{"(m", 2, "a \")\" is missing in the unit", ""},
                    BadUnit{"m)", 1, "unexpected \")\" in the unit",
                            "A unit is written like \"kg*m^2\" or \"N*m/rad\"."},
                    BadUnit{"m*", 2, "a unit is missing here", "A unit is written like \"kg*m^2\" or \"N*m/rad\"."},
                    BadUnit{"", 0, "a unit is missing here", "A unit is written like \"kg*m^2\" or \"N*m/rad\"."}));

TEST(Units, DeepParenthesesAreRefused) {
  EXPECT_TRUE(std::holds_alternative<TextError>(parseUnit(std::string(100000, '('))));
}

}  // namespace units_test
}  // namespace linkwork
