// Elimination and derivatives written as formulas, evaluated with numbers, against dense solves and differences.
#include "linkwork/codegen/written_elimination.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>

#include "linkwork/base/index.hpp"
#include "linkwork/codegen/line_derivatives.hpp"
#include "linkwork/codegen/program_values_for_tests.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {
namespace written_elimination_test {

using Matrix = Eigen::MatrixXd;
using List = std::vector<Expr>;

// A program with the entries of a matrix and two vectors as inputs; entries outside of the pattern are zero.
struct Trial {
  Trial(const std::vector<std::vector<int>>& pattern, unsigned seed)
      : n(static_cast<int>(pattern.size())), G(n, n), r(n) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    G.setZero();
    std::vector<List> entries(at(n), List(at(n)));
    for (int i = 0; i < n; ++i) {
      for (const int j : pattern[at(i)]) {
        G(i, j) = uniform(engine);
        entries[at(i)][at(j)] =
            program.input({"g", i + 1, j + 1}, SymbolRole::position, "g", static_cast<int>(values["g"].size()), "", "");
        values["g"].push_back(G(i, j));
      }
      r[i] = uniform(engine);
      right.push_back(program.input({"r", i + 1}, SymbolRole::rate, "r", i, "", ""));
      values["r"].push_back(r[i]);
    }
    elimination = std::make_unique<WrittenElimination>(entries, program);
  }

  Eigen::VectorXd output(const char* letter) const {
    const std::vector<double> out = test::ProgramValues(program, values).output(letter);
    return Eigen::Map<const Eigen::VectorXd>(out.data(), static_cast<Eigen::Index>(out.size()));
  }
  void expectSolved() {
    program.outputs = {{"y", n, 0, elimination->solve(right), ""},
                       {"l", n, 0, elimination->solveTransposed(right), ""}};
    // Of matrices of random numbers, whose condition stays below 1e4 for these seeds.
    EXPECT_LT((G * output("y") - r).lpNorm<Eigen::Infinity>(), 1e-11);
    EXPECT_LT((G.transpose() * output("l") - r).lpNorm<Eigen::Infinity>(), 1e-11);
  }

  int n;
  Matrix G;
  Eigen::VectorXd r;
  EquationProgram program;
  List right;
  std::map<std::string, std::vector<double>> values;
  std::unique_ptr<WrittenElimination> elimination;
};

std::vector<std::vector<int>> full(int n) {
  std::vector<std::vector<int>> out(at(n));
  for (auto& row : out) {
    for (int j = 0; j < n; ++j) row.push_back(j);
  }
  return out;
}

TEST(WrittenElimination, SolvesBlocksOfUpToThreeWithoutPivots) {
  for (int n = 1; n <= 3; ++n) {
    Trial trial(full(n), 3U + static_cast<unsigned>(n));
    trial.expectSolved();
    EXPECT_TRUE(trial.program.solve.empty());
  }
}

TEST(WrittenElimination, LeavesLargerOnesToTheSolveBlock) {
  Trial trial(full(5), 2);
  trial.expectSolved();
  EXPECT_EQ(trial.program.solve.size(), 5U);
}

// Rows and columns in no order: a block of two, single ones before and after it, and what couples them.
TEST(WrittenElimination, FindsTheOrderOfASparseMatrix) {
  Trial trial({{1, 3, 4}, {0, 1, 2, 3, 4}, {3}, {1, 4}, {1, 2, 4}}, 5);
  trial.expectSolved();
  EXPECT_TRUE(trial.program.solve.empty());
}

TEST(WrittenElimination, MergesLargeBlocksWithWhatStandsBetween) {
  std::vector<std::vector<int>> pattern(9);
  for (int i = 0; i < 4; ++i) pattern[at(i)] = {0, 1, 2, 3};
  pattern[4] = {2, 4};
  for (int i = 5; i < 9; ++i) pattern[at(i)] = {4, 5, 6, 7, 8};
  Trial trial(pattern, 8);
  trial.expectSolved();
  EXPECT_EQ(trial.program.solve.size(), 9U);
  pattern[8] = {8};  // no more than three are coupled there
  Trial smaller(pattern, 8);
  smaller.expectSolved();
  EXPECT_EQ(smaller.program.solve.size(), 4U);
}

// A pivot on the way that vanishes where the matrix is regular.
TEST(WrittenElimination, DoesNotDivideByWhatMayVanish) {
  for (const int n : {2, 3, 4}) {
    Trial trial(full(n), 4);
    trial.G.diagonal().setZero();
    for (int i = 0; i < n; ++i) trial.values["g"][at(i * n + i)] = 0.0;
    trial.expectSolved();
  }
}

TEST(WrittenElimination, SaysWhereNoNumbersCanHelp) {
  EXPECT_TRUE(Trial({{0}, {0}}, 1).elimination->singular());
  EXPECT_FALSE(Trial({{1}, {0}}, 1).elimination->singular());
}

TEST(WrittenElimination, SolvesSymmetricMatricesByTheirFactors) {
  constexpr int n = 4;
  EquationProgram program;
  std::map<std::string, std::vector<double>> values;
  const Matrix half = Matrix::Random(n, n);
  const Matrix A = half * half.transpose() + Matrix::Identity(n, n);
  List a, b;
  for (int k = 0; k < n * n; ++k) {
    a.push_back(program.input({"a", k + 1}, SymbolRole::position, "a", k, "", ""));
    values["a"].push_back(A(k / n, k % n));
  }
  Eigen::VectorXd right(n);
  for (int k = 0; k < n; ++k) {
    b.push_back(program.input({"b", k + 1}, SymbolRole::rate, "b", k, "", ""));
    values["b"].push_back(right[k] = 1.0 + k);
  }
  program.outputs = {{"x", n, 0, solveSymmetric(a, b, program), ""}};
  const std::vector<double> x = test::ProgramValues(program, values).output("x");
  EXPECT_LT((A * Eigen::Map<const Eigen::VectorXd>(x.data(), n) - right).lpNorm<Eigen::Infinity>(), 1e-12);
}

// What is inverted with pivoting has derivatives too.
TEST(LineDerivatives, AreThoseOfDifferences) {
  for (const int n : {2, 5}) {
    Trial trial(full(n), 6);
    List formulas = trial.elimination->solve(trial.right);
    for (Expr& formula : formulas)
      formula = trial.program.let({"s", static_cast<int>(&formula - formulas.data()) + 1}, sin(formula) * formulas[0]);
    LineDerivatives derivative(trial.program);
    const ProgramSymbol by = trial.program.symbols()[1];
    const List change = derivative.of(formulas, by.symbol);
    trial.program.outputs = {{"f", n, 0, formulas, ""}, {"d", n, 0, change, ""}};
    const Eigen::VectorXd exact = trial.output("d");
    constexpr double kStep = 1e-5;
    double& value = trial.values[by.array][at(by.index)];
    const double here = value;
    value = here + kStep;
    const Eigen::VectorXd up = trial.output("f");
    value = here - kStep;
    const Eigen::VectorXd down = trial.output("f");
    const double size = 1.0 + exact.lpNorm<Eigen::Infinity>();
    EXPECT_GT(exact.lpNorm<Eigen::Infinity>(), 1e-3);
    // The step leaves its square and round-off over it.
    EXPECT_LT((exact - (up - down) / (2.0 * kStep)).lpNorm<Eigen::Infinity>(), 1e-7 * size) << n;
  }
}

}  // namespace written_elimination_test
}  // namespace linkwork
