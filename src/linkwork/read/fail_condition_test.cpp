#include "linkwork/read/fail_condition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace linkwork {
namespace fail_condition_test {

using ::testing::HasSubstr;

Result sample() {
  Result result;
  result.time = {0.0, 1.0, 2.0};
  result.series = {{"O.force.x", "N", "O", "force.x", {1.0, -5.0, 3.0}},
                   {"outputs.turn", "deg", "outputs", "turn", {0.0, 90.0, 180.0}},
                   {"outputs.bad", "", "outputs", "bad", {0.0, std::nan(""), 1.0}}};
  result.ledger.worst_position = 2e-8;
  result.ledger.worst_energy_balance = 1e-6;
  result.ledger.energy_scale = 10.0;
  result.ledger.steps = 120;
  result.ledger.degrees_of_freedom = 2;
  result.ledger.position_degrees_of_freedom = 3;
  result.ledger.jumps = 4;
  result.ledger.jump_energy = -0.5;
  return result;
}

FailCondition parsed(const std::string& text) {
  auto condition = FailCondition::parse(text, sample().series);
  if (const TextError* error = std::get_if<TextError>(&condition)) ADD_FAILURE() << text << ": " << error->message;
  return std::get<FailCondition>(std::move(condition));
}

bool fails(const std::string& text) { return !parsed(text).failure(sample()).empty(); }

TextError refused(const std::string& text) {
  auto condition = FailCondition::parse(text, sample().series);
  const TextError* error = std::get_if<TextError>(&condition);
  if (error == nullptr) {
    ADD_FAILURE() << text << " was not refused";
    return {};
  }
  return *error;
}

TEST(FailCondition, ComparesNumbersOfTheLedger) {
  EXPECT_TRUE(fails("drift > 1e-8"));
  EXPECT_FALSE(fails("drift > 1e-7"));
  EXPECT_TRUE(fails("drift > 1e-5 [mm]"));
  EXPECT_TRUE(fails("steps == 120"));
  EXPECT_FALSE(fails("steps != 120"));
  EXPECT_TRUE(fails("degrees_of_freedom == 2 and degrees_of_freedom_of_positions == 3"));
  EXPECT_TRUE(fails("jumps == 4 and jump_energy < -0.4 [J]"));
  EXPECT_TRUE(fails("energy_drift >= 1e-7*energy_exchanged"));
  EXPECT_TRUE(fails("end_time <= 2"));
  EXPECT_FALSE(fails("end_time < 2 [s]"));
  EXPECT_EQ(parsed("drift > 1e-8").failure(sample()), "\"drift > 1e-8\" holds: 2e-08 against 1e-08");
}

TEST(FailCondition, ReadsExtremesOfSeries) {
  EXPECT_TRUE(fails("O.force.x.max == 3"));
  EXPECT_TRUE(fails("O.force.x.min == -5"));
  EXPECT_TRUE(fails("O.force.x.absmax == 5 [N]"));
  EXPECT_TRUE(fails("O.force.x.end == 3 and O.force.x.absmax > 0.004 [kN]"));
  // A series in degrees counts in radians, like everything in a formula.
  EXPECT_FALSE(fails("outputs.turn.max < 3.14"));
  EXPECT_TRUE(fails("outputs.turn.max < 3.15"));
}

TEST(FailCondition, AndBindsTighterThanOr) {
  EXPECT_TRUE(fails("drift > 1e-8 or drift > 1 and steps < 1"));
  EXPECT_FALSE(fails("(drift) > 1 and steps > 1 or steps < 1"));
  EXPECT_TRUE(fails("drift > 1 and steps > 1 or steps > 1"));
}

TEST(FailCondition, WhatIsNotANumberFails) {
  EXPECT_THAT(parsed("outputs.bad.max > 1e9").failure(sample()), HasSubstr("has no value after this run"));
  EXPECT_THAT(parsed("1/joints_not_unique > 1e9").failure(sample()), HasSubstr("has no value after this run"));
}

TEST(FailCondition, RefusesWhatMakesNoSenseAtItsPlace) {
  EXPECT_THAT(refused("drft > 1e-8").message, HasSubstr("unknown name \"drft\""));
  EXPECT_THAT(refused("drft > 1e-8").hint, HasSubstr("drift"));
  EXPECT_THAT(refused("steps > 3 and drft > 1").offset, 14U);
  EXPECT_THAT(refused("drift").message, HasSubstr("compares nothing"));
  EXPECT_THAT(refused("").message, HasSubstr("compares nothing"));
  EXPECT_THAT(refused("drift > 1 [s]").message, HasSubstr("a length (m) is compared with a time (s)"));
  EXPECT_THAT(refused("1 < drift < 2").message, HasSubstr("two comparisons in a row"));
  EXPECT_THAT(refused("drift > ").message, HasSubstr("the expression is empty"));
  EXPECT_THAT(refused("O.force.x > 3").message, HasSubstr("has a value at every sample; write O.force.x.max"));
  EXPECT_THAT(refused("O.force.y.max > 3").message, HasSubstr("unknown name"));
}

}  // namespace fail_condition_test
}  // namespace linkwork
