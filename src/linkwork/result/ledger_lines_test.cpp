// The lamps: what they are measured by.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "linkwork/result/result.hpp"

namespace linkwork {
namespace ledger_lines_test {

using ::testing::HasSubstr;

LedgerLine energyLineOf(double balance, double exchanged, double possible) {
  Result result;
  result.ledger.worst_energy_balance = balance;
  result.ledger.energy_scale = exchanged;
  result.ledger.possible_energy = possible;
  return ledgerLines(result)[1];
}

TEST(EnergyLine, IsMeasuredByWhatMovedAbout) {
  EXPECT_EQ(energyLineOf(0.9e-6, 1.0, 1.0).grade, Grade::good);
  EXPECT_EQ(energyLineOf(1.1e-6, 1.0, 1.0).grade, Grade::fair);
  EXPECT_EQ(energyLineOf(1.1e-3, 1.0, 1.0).grade, Grade::poor);
  EXPECT_THAT(energyLineOf(2e-7, 10.0, 10.0).sentence, HasSubstr("to 2e-07 J, 2e-08 of the 10 J that moved about."));
  // A small motion is measured by itself: the energy of this one is a millionth of what could be.
  EXPECT_EQ(energyLineOf(1e-5 * 1e-6, 1e-6, 1.0).grade, Grade::fair);
  EXPECT_EQ(energyLineOf(1e-2 * 1e-6, 1e-6, 1.0).grade, Grade::poor);
}

// Runs of almost parallelograms with cvode at rtol 1e-6 are off by 0.1 rad after ten seconds with 3e-4.
TEST(EnergyLine, IsStricterNearAChangePoint) {
  const auto lineOf = [](double balance, double pivot) {
    Result result;
    result.ledger.worst_energy_balance = balance;
    result.ledger.energy_scale = result.ledger.possible_energy = 1.0;
    result.ledger.smallest_pivot = pivot;
    return ledgerLines(result)[1];
  };
  EXPECT_EQ(lineOf(3e-4, 0.1).grade, Grade::fair);
  EXPECT_EQ(lineOf(3e-4, 1.7e-3).grade, Grade::poor);
  EXPECT_THAT(lineOf(3e-4, 1.7e-3).sentence, HasSubstr("passes near a change point"));
  EXPECT_EQ(lineOf(3e-5, 1.7e-3).grade, Grade::fair);
}

// A body at rest, and a rigid truss of some tons.
TEST(EnergyLine, IsGoodWhereNothingMovesButRoundOff) {
  EXPECT_EQ(energyLineOf(3e-32, 5e-32, 20.0).grade, Grade::good);
  EXPECT_EQ(energyLineOf(1.2e-11, 1.5e-11, 1e4).grade, Grade::good);
  EXPECT_THAT(energyLineOf(3e-32, 5e-32, 20.0).sentence,
              HasSubstr("next to nothing moved about (5e-32 J, where 20 J would be possible)."));
  EXPECT_EQ(energyLineOf(0.0, 0.0, 0.0).grade, Grade::good);
}

TEST(EnergyLine, IsPoorWhereTheBalanceIsNoNumber) {
  EXPECT_EQ(energyLineOf(std::numeric_limits<double>::quiet_NaN(), 1.0, 1.0).grade, Grade::poor);
  EXPECT_EQ(energyLineOf(std::numeric_limits<double>::infinity(), 0.0, 0.0).grade, Grade::poor);
}

}  // namespace ledger_lines_test
}  // namespace linkwork
