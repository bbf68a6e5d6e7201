#include "linkwork/formulation/quasivelocity/row_elimination.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "linkwork/base/index.hpp"

namespace linkwork {
namespace row_elimination_test {

constexpr int kRows = 4;
constexpr int kVelocities = 9;
// Solves of four rows whose pivots are not small.
constexpr double kSame = 1e-13;

// Random rows; the last is the sum of the first two.
RowElimination randomRows(unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> units(kVelocities);
  for (double& unit : units) unit = std::exp(2.0 * uniform(engine));
  RowElimination out(kRows, units);
  out.clear();
  for (int r = 0; r + 1 < kRows; ++r) {
    for (double& entry : out.row(r)) entry = uniform(engine);
  }
  for (int c = 0; c < kVelocities; ++c) out.row(kRows - 1)[at(c)] = out.row(0)[at(c)] + out.row(1)[at(c)];
  return out;
}
const std::vector<std::uint8_t> kLastLeftOut{0, 0, 0, 1};

double timesRow(RowElimination& rows, int r, std::span<const double> v) {
  double sum = 0.0;
  for (std::size_t c = 0; c < v.size(); ++c) sum += rows.row(r)[c] * v[c];
  return sum;
}

TEST(RowElimination, LeavesVelocitiesThatTheRowsAllow) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    RowElimination rows = randomRows(seed);
    std::vector<std::uint8_t> independent(kVelocities);
    EXPECT_GT(rows.choose(kLastLeftOut, independent), 0.05);
    EXPECT_EQ(std::count(independent.begin(), independent.end(), 1), kVelocities - 3);
    EXPECT_GT(rows.factor(kLastLeftOut, independent).size, 0.01);
    std::vector<double> v(kVelocities);
    for (int c = 0; c < kVelocities; ++c) v[at(c)] = 0.3 * c - 1.0;
    const std::vector<double> given = v;
    const std::vector<double> right{0.4, -1.2, 0.7, -0.8};
    rows.complete(right, v);
    for (int r = 0; r < kRows; ++r) EXPECT_NEAR(timesRow(rows, r, v), right[at(r)], kSame);
    for (int c = 0; c < kVelocities; ++c) {
      if (independent[at(c)] != 0) {
        EXPECT_EQ(v[at(c)], given[at(c)]);
      }
    }
    for (const int k : rows.independent()) {
      rows.fillMotion(k, v);
      EXPECT_EQ(v[at(k)], 1.0);
      for (int r = 0; r < kRows; ++r) EXPECT_NEAR(timesRow(rows, r, v), 0.0, kSame);
    }
  }
}

// No motion of one independent velocity moves another by much more, in their units, than it moves itself.
TEST(RowElimination, ChoosesWhatTheRowsDetermineWell) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    RowElimination rows = randomRows(seed);
    std::vector<std::uint8_t> independent(kVelocities);
    (void)rows.choose(kLastLeftOut, independent);
    (void)rows.factor(kLastLeftOut, independent);
    std::vector<double> v(kVelocities);
    EXPECT_LT(rows.greatestOfMotions(rows.rows(), v), 4.0);
  }
}

TEST(RowElimination, GivesTheMultipliersOfTheDependentVelocities) {
  RowElimination rows = randomRows(3);
  std::vector<std::uint8_t> independent(kVelocities);
  (void)rows.choose(kLastLeftOut, independent);
  (void)rows.factor(kLastLeftOut, independent);
  const std::vector<double> wanted{0.3, -2.0, 1.1, 0.0};
  std::vector<double> force(kVelocities, 0.0);
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < kVelocities; ++c) force[at(c)] += rows.row(r)[at(c)] * wanted[at(r)];
  }
  std::vector<double> lambda(kRows);
  rows.multipliers(force, lambda);
  for (int r = 0; r < kRows; ++r) EXPECT_NEAR(lambda[at(r)], wanted[at(r)], kSame);
}

TEST(RowElimination, SaysWhereRowsDependOnEachOther) {
  RowElimination rows = randomRows(5);
  std::vector<std::uint8_t> independent(kVelocities);
  const std::vector<std::uint8_t> none_left_out(kRows, 0);
  EXPECT_LT(rows.choose(none_left_out, independent), 1e-14);
  // The row with the pivot of round-off is one of the three.
  const RowElimination::Pivot pivot = rows.factor(none_left_out, independent);
  EXPECT_LT(pivot.size, 1e-12);
  EXPECT_NE(pivot.row, 2);
  RowElimination zero(1, {1.0, 1.0});
  zero.clear();
  std::vector<std::uint8_t> both(2);
  EXPECT_EQ(zero.choose(std::vector<std::uint8_t>{0}, both), 0.0);
}

// Round-off does not decide between equals.
TEST(RowElimination, TakesTheFirstOfEqualsAsDependent) {
  for (const double error : {-1e-15, 0.0, 1e-15}) {
    RowElimination rows(1, {1.0, 1.0, 1.0});
    rows.clear();
    rows.row(0)[1] = 1.0;
    rows.row(0)[2] = -1.0 + error;
    std::vector<std::uint8_t> independent(3);
    (void)rows.choose(std::vector<std::uint8_t>{0}, independent);
    EXPECT_EQ(independent, (std::vector<std::uint8_t>{1, 0, 1}));
  }
}

}  // namespace row_elimination_test
}  // namespace linkwork
