// LDL^T against dense algebra: definite and quasi-definite matrices, any order, dropped unknowns.
#include "linkwork/linalg/sparse_ldlt.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "linkwork/base/contract.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {
namespace sparse_ldlt_test {

struct Problem {
  Eigen::MatrixXd A;
  std::vector<SparseLdlt::Entry> entries;
  std::vector<double> values;
  int size() const { return static_cast<int>(A.rows()); }
};

// A sparse symmetric matrix with a diagonal that dominates: +1 on the first `positive` unknowns, -1 on the others makes
// it quasi-definite when the two diagonal blocks are definite, which dominance within the blocks guarantees.
Problem randomProblem(std::mt19937& random, int size, int positive) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  Problem out;
  out.A = Eigen::MatrixXd::Zero(size, size);
  const auto add = [&](int row, int column, double value) {
    // Either triangle may be named.
    out.entries.push_back(random() % 2 == 0 ? SparseLdlt::Entry{row, column} : SparseLdlt::Entry{column, row});
    out.values.push_back(value);
    out.A(row, column) += value;
    if (row != column) out.A(column, row) += value;
  };
  for (int k = 0; k < 2 * size; ++k) {
    const int a = static_cast<int>(random() % static_cast<unsigned>(size));
    const int b = static_cast<int>(random() % static_cast<unsigned>(size));
    if (a != b) add(a, b, number(random));
  }
  for (int k = 0; k < size; ++k) {
    double sum = 0.5;
    for (int j = 0; j < size; ++j) {
      if (j != k && (j < positive) == (k < positive)) sum += std::abs(out.A(k, j));
    }
    // In two parts: entries at the same place add up.
    const double diagonal = k < positive ? sum : -sum;
    add(k, k, 0.75 * diagonal);
    add(k, k, 0.25 * diagonal);
  }
  return out;
}

std::vector<int> shuffled(std::mt19937& random, int size) {
  std::vector<int> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

Eigen::VectorXd randomVector(std::mt19937& random, int size) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  Eigen::VectorXd out(size);
  for (double& value : out) value = number(random);
  return out;
}

Eigen::VectorXd solveWith(SparseLdlt& ldlt, const Eigen::VectorXd& b) {
  Eigen::VectorXd x = b;
  ldlt.solve({x.data(), static_cast<std::size_t>(x.size())});
  return x;
}

void expectSolves(const Problem& problem, std::vector<int> order, std::mt19937& random) {
  SparseLdlt ldlt(problem.size(), problem.entries, std::move(order));
  const std::vector<double> never(static_cast<std::size_t>(problem.size()), 0.0);
  ldlt.factor(problem.values, {.drop_below = never});
  const Eigen::VectorXd b = randomVector(random, problem.size());
  const Eigen::VectorXd x = solveWith(ldlt, b);
  const Eigen::VectorXd dense = problem.A.fullPivLu().solve(b);
  // Dominant blocks: growth and condition stay below some hundreds, so 1e-12 is a wide margin over 1e-16 x size x
  // condition.
  EXPECT_LT((x - dense).norm(), 1e-12 * (1.0 + dense.norm()));
  for (int u = 0; u < problem.size(); ++u) EXPECT_FALSE(ldlt.dropped(u));
}

TEST(SparseLdlt, SolvesRandomDefiniteSystemsInAnyOrder) {
  std::mt19937 random(101);
  for (int trial = 0; trial < 60; ++trial) {
    const int size = 1 + static_cast<int>(random() % 40);
    const Problem problem = randomProblem(random, size, size);
    expectSolves(problem, shuffled(random, size), random);
  }
}

TEST(SparseLdlt, SolvesRandomQuasiDefiniteSystemsInAnyOrder) {
  std::mt19937 random(102);
  for (int trial = 0; trial < 60; ++trial) {
    const int size = 2 + static_cast<int>(random() % 40);
    const int positive = 1 + static_cast<int>(random() % static_cast<unsigned>(size - 1));
    const Problem problem = randomProblem(random, size, positive);
    expectSolves(problem, shuffled(random, size), random);
  }
}

// Pivots have the signs of the blocks they come from (inertia), and their product is the determinant.
TEST(SparseLdlt, PivotsCarryInertiaAndDeterminant) {
  std::mt19937 random(103);
  for (int trial = 0; trial < 30; ++trial) {
    const int size = 2 + static_cast<int>(random() % 8);
    const int positive = 1 + static_cast<int>(random() % static_cast<unsigned>(size - 1));
    const Problem problem = randomProblem(random, size, positive);
    SparseLdlt ldlt(size, problem.entries, shuffled(random, size));
    ldlt.factor(problem.values, {.drop_below = std::vector<double>(static_cast<std::size_t>(size), 0.0)});
    double product = 1.0;
    for (int u = 0; u < size; ++u) {
      EXPECT_EQ(ldlt.pivot(u) > 0.0, u < positive);
      product *= ldlt.pivot(u);
    }
    const double determinant = problem.A.determinant();
    EXPECT_NEAR(product, determinant, 1e-11 * std::abs(determinant));
  }
}

TEST(SparseLdlt, FactorsAgainWithOtherValuesAndForgetsTheFirst) {
  std::mt19937 random(104);
  const int size = 25;
  Problem problem = randomProblem(random, size, 15);
  const std::vector<int> order = shuffled(random, size);
  SparseLdlt ldlt(size, problem.entries, order);
  const std::vector<double> never(static_cast<std::size_t>(size), 0.0);
  // Not-a-numbers first: nothing of them may stay behind.
  ldlt.factor(std::vector<double>(problem.values.size(), std::numeric_limits<double>::quiet_NaN()),
              {.drop_below = never});
  ldlt.factor(problem.values, {.drop_below = never});
  SparseLdlt fresh(size, problem.entries, order);
  fresh.factor(problem.values, {.drop_below = never});
  const Eigen::VectorXd b = randomVector(random, size);
  EXPECT_EQ(solveWith(ldlt, b), solveWith(fresh, b));
}

// An unknown that is dropped is held at zero, and the rest solve their own equations, its row and column struck out.
TEST(SparseLdlt, DroppedUnknownsAreStruckOut) {
  std::mt19937 random(105);
  for (int trial = 0; trial < 40; ++trial) {
    const int size = 3 + static_cast<int>(random() % 20);
    const Problem problem = randomProblem(random, size, size);
    SparseLdlt ldlt(size, problem.entries, shuffled(random, size));
    std::vector<double> drop_below(static_cast<std::size_t>(size), 0.0);
    std::vector<int> kept;
    for (int u = 0; u < size; ++u) {
      if (random() % 3 == 0) {
        drop_below[static_cast<std::size_t>(u)] = 1e6;
      } else {
        kept.push_back(u);
      }
    }
    ldlt.factor(problem.values, {.drop_below = drop_below});
    const Eigen::VectorXd b = randomVector(random, size);
    const Eigen::VectorXd x = solveWith(ldlt, b);
    const Eigen::MatrixXd A = problem.A(kept, kept);
    const Eigen::VectorXd part = A.fullPivLu().solve(Eigen::VectorXd(b(kept)));
    for (int u = 0; u < size; ++u) EXPECT_EQ(ldlt.dropped(u), drop_below[static_cast<std::size_t>(u)] > 0.0);
    for (int u = 0; u < size; ++u) {
      if (ldlt.dropped(u)) {
        EXPECT_EQ(x[u], 0.0);
      }
    }
    EXPECT_LT((Eigen::VectorXd(x(kept)) - part).norm(), 1e-12 * (1.0 + part.norm()));
  }
}

// A pivot that is exactly zero is dropped without being asked for; its value can still be read.
TEST(SparseLdlt, AnExactlyZeroPivotIsDropped) {
  // [1 1; 1 1]: the second pivot is 1 - 1 = 0.
  SparseLdlt ldlt(2, {{0, 0}, {1, 0}, {1, 1}}, {0, 1});
  ldlt.factor(std::vector<double>{1, 1, 1}, {.drop_below = std::vector<double>{0, 0}});
  EXPECT_FALSE(ldlt.dropped(0));
  EXPECT_TRUE(ldlt.dropped(1));
  EXPECT_EQ(ldlt.pivot(1), 0.0);
  std::vector<double> x{3, 3};
  ldlt.solve(x);
  EXPECT_EQ(x[0], 3.0);
  EXPECT_EQ(x[1], 0.0);
}

// An arrow pointing up fills completely, pointing down not at all.
TEST(SparseLdlt, FillFollowsTheOrder) {
  const int size = 12;
  std::vector<SparseLdlt::Entry> entries;
  for (int k = 0; k < size; ++k) entries.push_back({k, k});
  for (int k = 1; k < size; ++k) entries.push_back({k, 0});
  std::vector<int> hub_last(static_cast<std::size_t>(size));
  std::iota(hub_last.rbegin(), hub_last.rend(), 0);
  std::vector<int> hub_first(hub_last.rbegin(), hub_last.rend());
  EXPECT_EQ(SparseLdlt(size, entries, hub_last).fill(), 11u);
  EXPECT_EQ(SparseLdlt(size, entries, hub_first).fill(), 66u);
}

TEST(SparseLdlt, AnOrderThatIsNoPermutationIsRefused) {
  const std::vector<SparseLdlt::Entry> entries{{0, 0}, {1, 1}};
  EXPECT_THROW(SparseLdlt(2, entries, {0}), ContractError);
  EXPECT_THROW(SparseLdlt(2, entries, {0, 0}), ContractError);
}

}  // namespace sparse_ldlt_test
}  // namespace linkwork
