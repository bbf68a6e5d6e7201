#include "linkwork/codegen/written_elimination.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "linkwork/base/index.hpp"

namespace linkwork {

namespace {

constexpr std::size_t kByDeterminant = 3;

bool isZero(const Expr& e) { return e.isNumber(0.0); }

// Strongly connected parts of a graph, each after those it points to.
class Parts {
 public:
  explicit Parts(const std::vector<std::vector<int>>& to) : to_(to), number_(to.size(), -1), low_(to.size()) {
    for (int v = 0; v < static_cast<int>(to.size()); ++v) {
      if (number_[at(v)] < 0) visit(v);
    }
  }
  const std::vector<std::vector<int>>& parts() const { return parts_; }

 private:
  void visit(int v) {
    number_[at(v)] = low_[at(v)] = count_++;
    open_.push_back(v);
    for (const int w : to_[at(v)]) {
      if (number_[at(w)] < 0) {
        visit(w);
        low_[at(v)] = std::min(low_[at(v)], low_[at(w)]);
      } else if (std::find(open_.begin(), open_.end(), w) != open_.end()) {
        low_[at(v)] = std::min(low_[at(v)], number_[at(w)]);
      }
    }
    if (low_[at(v)] != number_[at(v)]) return;
    const auto first = std::find(open_.begin(), open_.end(), v);
    parts_.emplace_back(first, open_.end());
    open_.erase(first, open_.end());
  }

  const std::vector<std::vector<int>>& to_;
  std::vector<int> number_, low_, open_;
  std::vector<std::vector<int>> parts_;
  int count_ = 0;
};

}  // namespace

WrittenElimination::WrittenElimination(std::vector<std::vector<Expr>> G, EquationProgram& program) : G_(std::move(G)) {
  if (G_.empty()) return;
  singular_ = !match();
  if (singular_) return;
  findBlocks();
  mergeLarge();
  for (Block& block : blocks_) {
    if (block.rows.size() > kByDeterminant) {
      invertByPivots(block, program);
    } else {
      invert(block, program);
    }
  }
}

// A row for each column, where the entry is not zero by structure; false where there is no such assignment. Numbers
// come first: such a pivot never vanishes.
bool WrittenElimination::match() {
  const int n = static_cast<int>(G_.size());
  row_of_.assign(G_.size(), -1);
  for (int r = 0; r < n; ++r) {
    std::vector<bool> seen(G_.size(), false);
    const std::function<bool(int)> place = [&](int row) {
      for (int c = 0; c < n; ++c) {
        if (seen[at(c)] || isZero(G_[at(row)][at(c)])) continue;
        seen[at(c)] = true;
        if (row_of_[at(c)] >= 0 && !place(row_of_[at(c)])) continue;
        row_of_[at(c)] = row;
        return true;
      }
      return false;
    };
    if (!place(r)) return false;
  }
  return true;
}

// Column c is found from its row once the other columns of that row are known.
void WrittenElimination::findBlocks() {
  const int n = static_cast<int>(G_.size());
  std::vector<std::vector<int>> needs(G_.size());
  for (int c = 0; c < n; ++c) {
    for (int d = 0; d < n; ++d) {
      if (d != c && !isZero(G_[at(row_of_[at(c)])][at(d)])) needs[at(c)].push_back(d);
    }
  }
  const Parts parts(needs);
  for (const std::vector<int>& part : parts.parts()) {
    Block& block = blocks_.emplace_back();
    block.columns = part;
    std::sort(block.columns.begin(), block.columns.end());
    for (const int c : block.columns) block.rows.push_back(row_of_[at(c)]);
    std::sort(block.rows.begin(), block.rows.end());
  }
}

// There is one solve block: what must go there becomes one block with all between.
void WrittenElimination::mergeLarge() {
  const auto large = [](const Block& block) { return block.rows.size() > kByDeterminant; };
  const auto first = std::find_if(blocks_.begin(), blocks_.end(), large);
  if (first == blocks_.end()) return;
  const auto last = std::find_if(blocks_.rbegin(), blocks_.rend(), large).base();
  for (auto block = first + 1; block != last; ++block) {
    first->rows.insert(first->rows.end(), block->rows.begin(), block->rows.end());
    first->columns.insert(first->columns.end(), block->columns.begin(), block->columns.end());
  }
  blocks_.erase(first + 1, last);
}

// E = adj(G) / det(G)
void WrittenElimination::invert(Block& block, EquationProgram& program) {
  const std::size_t n = block.rows.size();
  const auto g = [&](std::size_t i, std::size_t j) { return G_[at(block.rows[i % n])][at(block.columns[j % n])]; };
  // Rows and columns counted on in a circle bring the signs of the cofactors with them where n is 3.
  const auto cofactor = [&](std::size_t i, std::size_t j) -> Expr {
    if (n == 1) return 1.0;
    if (n == 2) return i == j ? g(i + 1, j + 1) : -g(i + 1, j + 1);
    return g(i + 1, j + 1) * g(i + 2, j + 2) - g(i + 1, j + 2) * g(i + 2, j + 1);
  };
  const auto name = [&](const char* letter, std::size_t column, std::size_t row) {
    return SymbolName{letter, block.columns[column] + 1, block.rows[row] + 1};
  };
  std::vector<Expr> adjugate(n * n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      adjugate[j * n + i] = n == 3 ? program.let(name("Co", j, i), cofactor(i, j)) : cofactor(i, j);
    }
  }
  Expr determinant;
  for (std::size_t i = 0; i < n; ++i) determinant += g(i, 0) * adjugate[i];
  block.inverse.resize(n * n);
  const Expr one_over = n == 1 ? Expr(1.0) / determinant : program.let(name("De", 0, 0), Expr(1.0) / determinant);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      block.inverse[j * n + i] = program.let(name("E", j, i), adjugate[j * n + i] * one_over);
    }
  }
}

void WrittenElimination::invertByPivots(Block& block, EquationProgram& program) {
  const std::size_t n = block.rows.size();
  ProgramSolve& solve = program.solve;
  solve.kind = SolveKind::inverse;
  for (const int r : block.rows) {
    for (const int c : block.columns) solve.matrix.push_back(G_[at(r)][at(c)]);
  }
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      block.inverse.push_back(
          program.unknown({"E", block.columns[j] + 1, block.rows[i] + 1}, "", "of the inverse of the rows"));
    }
  }
  solve.unknowns = block.inverse;
}

std::vector<Expr> WrittenElimination::solve(const std::vector<Expr>& right) const {
  std::vector<Expr> y(G_.size());
  for (const Block& block : blocks_) {
    std::vector<Expr> rest;
    for (const int r : block.rows) {
      Expr sum = right[at(r)];
      for (const Block& before : blocks_) {
        if (&before == &block) break;
        for (const int c : before.columns) sum -= G_[at(r)][at(c)] * y[at(c)];
      }
      rest.push_back(sum);
    }
    const std::size_t n = rest.size();
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < n; ++i) y[at(block.columns[j])] += block.inverse[j * n + i] * rest[i];
    }
  }
  return y;
}

std::vector<Expr> WrittenElimination::solveTransposed(const std::vector<Expr>& force) const {
  std::vector<Expr> lambda(G_.size());
  for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
    std::vector<Expr> rest;
    for (const int c : block->columns) {
      Expr sum = force[at(c)];
      for (auto after = blocks_.rbegin(); after != block; ++after) {
        for (const int r : after->rows) sum -= G_[at(r)][at(c)] * lambda[at(r)];
      }
      rest.push_back(sum);
    }
    const std::size_t n = rest.size();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) lambda[at(block->rows[i])] += block->inverse[j * n + i] * rest[j];
    }
  }
  return lambda;
}

std::vector<Expr> solveSymmetric(const std::vector<Expr>& A, const std::vector<Expr>& b, EquationProgram& program) {
  const std::size_t n = b.size();
  const auto name = [](const char* letter, std::size_t i, std::size_t j) {
    return SymbolName{letter, static_cast<int>(i) + 1, static_cast<int>(j) + 1};
  };
  // L_ij D_j = A_ij - sum over k < j of L_ik D_k L_jk
  std::vector<Expr> L(n * n), LD(n * n), D_inverse(n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      Expr sum = A[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= LD[i * n + k] * L[j * n + k];
      LD[i * n + j] = program.let(name("LD", i, j), sum);
      if (i == j) {
        D_inverse[j] = program.let({"Di", static_cast<int>(j) + 1}, Expr(1.0) / LD[j * n + j]);
      } else {
        L[i * n + j] = program.let(name("L", i, j), LD[i * n + j] * D_inverse[j]);
      }
    }
  }
  std::vector<Expr> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    Expr sum = b[i];
    for (std::size_t k = 0; k < i; ++k) sum -= L[i * n + k] * x[k];
    x[i] = program.let({"y", static_cast<int>(i) + 1}, sum);
  }
  for (std::size_t i = 0; i < n; ++i) x[i] *= D_inverse[i];
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= L[k * n + i] * x[k];
    x[i] = program.let({"om", static_cast<int>(i) + 1, 0, 1}, x[i]);
  }
  return x;
}

}  // namespace linkwork
