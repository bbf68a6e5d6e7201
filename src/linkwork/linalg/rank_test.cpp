#include "linkwork/linalg/rank.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace linkwork {
namespace rank_test {

void addRow(SparseRows& m, const std::vector<std::pair<int, double>>& entries) {
  for (const auto& [column, value] : entries) {
    m.column.push_back(column);
    m.value.push_back(value);
  }
  m.start.push_back(static_cast<int>(m.column.size()));
}

// Rows of a banded matrix with `repeats` rows that are sums of the two before them.
SparseRows banded(int rows, int every) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(0.5, 1.5);
  SparseRows m;
  m.columns = 2 * rows;
  for (int r = 0; r < rows; ++r) {
    if (every > 0 && r >= 2 && r % every == 2) {
      std::vector<std::pair<int, double>> sum;
      for (int p = m.start[static_cast<std::size_t>(r - 2)]; p < m.start[static_cast<std::size_t>(r)]; ++p) {
        sum.emplace_back(m.column[static_cast<std::size_t>(p)], m.value[static_cast<std::size_t>(p)]);
      }
      addRow(m, sum);
    } else {
      addRow(m, {{2 * r, number(random)}, {2 * r + 1, number(random)}, {(2 * r + 2) % m.columns, -number(random)}});
    }
  }
  return m;
}

double residual(const SparseRows& m, const std::vector<RowShare>& relation) {
  std::vector<double> sum(static_cast<std::size_t>(m.columns), 0.0);
  for (const auto& [row, share] : relation) {
    for (int p = m.start[static_cast<std::size_t>(row)]; p < m.start[static_cast<std::size_t>(row) + 1]; ++p) {
      sum[static_cast<std::size_t>(m.column[static_cast<std::size_t>(p)])] +=
          share * m.value[static_cast<std::size_t>(p)];
    }
  }
  double worst = 0.0;
  for (const double value : sum) worst = std::max(worst, std::abs(value));
  return worst;
}

TEST(Rank, GapDecidesBetweenTheBounds) {
  EXPECT_EQ(rankByGap({}), 0);
  EXPECT_EQ(rankByGap({0.0, 0.0}), 0);
  EXPECT_EQ(rankByGap({1.0, 2e-6}), 2);        // above the upper bound: kept, however lonely
  EXPECT_EQ(rankByGap({1.0, 0.1, 1e-12}), 2);  // below the lower bound: zero
  EXPECT_EQ(rankByGap({1.0, 0.1, 1e-8}), 2);   // the gap 1e7 above it is wider than the 1e3 below
  EXPECT_EQ(rankByGap({1.0, 3e-6, 8e-7}), 3);  // no gap above, five decades below
  EXPECT_EQ(rankByGap({1.0, 3e-6, 8e-7, 1e-13}), 3);
}

TEST(Rank, RelationsOfRepeatedRowsAreFoundOnBothSidesOfTheSizeLimit) {
  for (const int rows : {30, kDenseRows, kDenseRows + 1, 600}) {
    const SparseRows m = banded(rows, 5);
    const RowDependence found = rowDependence(m);
    const int repeats = (rows + 2) / 5;
    EXPECT_EQ(found.decision.rank, rows - repeats) << rows;
    EXPECT_EQ(decideRank(m).rank, rows - repeats) << rows;
    EXPECT_TRUE(found.decision.clear());
    ASSERT_EQ(found.relations.size(), static_cast<std::size_t>(repeats));
    for (const auto& relation : found.relations) {
      EXPECT_EQ(relation.size(), 3u);  // each sum with its two terms, and nothing else
      EXPECT_LT(residual(m, relation), 1e-12);
    }
  }
}

TEST(Rank, FullRankHasNoRelations) {
  for (const int rows : {40, 400}) {
    const RowDependence found = rowDependence(banded(rows, 0));
    EXPECT_EQ(found.decision.rank, rows);
    EXPECT_TRUE(found.relations.empty());
  }
}

TEST(Rank, ZeroRowAndMoreRowsThanColumnsAreDependent) {
  SparseRows m;
  m.columns = 1;
  addRow(m, {{0, 2.0}});
  addRow(m, {});
  addRow(m, {{0, -1.0}});
  const RowDependence found = rowDependence(m);
  EXPECT_EQ(found.decision.rank, 1);
  ASSERT_EQ(found.relations.size(), 2u);
  for (const auto& relation : found.relations) EXPECT_EQ(residual(m, relation), 0.0);
}

// Pivots of this matrix stay near one while its smallest singular value falls as 2^-n (Kahan's warning): inverse
// iteration sees it.
TEST(Rank, SmallSingularValueThatNoPivotShowsIsFound) {
  constexpr int kRows = kDenseRows + 10;
  SparseRows m;
  m.columns = kRows;
  for (int r = 0; r < kRows; ++r) {
    if (r + 1 < kRows) {
      addRow(m, {{r, 1.0}, {r + 1, -2.0}});
    } else {
      addRow(m, {{r, 1.0}});
    }
  }
  EXPECT_EQ(decideRank(m).rank, kRows - 1);
}

}  // namespace rank_test
}  // namespace linkwork
