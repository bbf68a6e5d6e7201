// WrittenElimination: velocities that rows determine, written as formulas.
//
//   (1)  G y = r          y: as many velocities as rows
//   (2)  G^T lambda = f                                                            [docs/theory/11, eq. 11.7 and 11.9]
//
// Straight-line code cannot look for pivots, and one that is fixed beforehand may vanish where G is regular. So G is
// brought to block triangular form by what of it is zero by structure. A block of up to three rows is inverted by its
// determinant, which vanishes nowhere but where G is singular; what is larger goes to the program's solve block, which
// inverts it with pivoting.
#pragma once

#include <vector>

#include "linkwork/codegen/equation_program.hpp"

namespace linkwork {

class WrittenElimination {
 public:
  // Writes lines, and fills in the solve block of the program where one is needed. Nothing is written where there are
  // no rows. G row by row, square.
  WrittenElimination(std::vector<std::vector<Expr>> G, EquationProgram& program);

  std::vector<Expr> solve(const std::vector<Expr>& right) const;            // (1)
  std::vector<Expr> solveTransposed(const std::vector<Expr>& force) const;  // (2)

  // Whether some of G is zero by structure where it must not be: no choice of numbers makes it regular.
  bool singular() const { return singular_; }

 private:
  struct Block {
    std::vector<int> rows, columns;
    std::vector<Expr> inverse;  // of the columns by the rows, row by row
  };

  bool match();
  void findBlocks();
  void mergeLarge();
  void invert(Block& block, EquationProgram& program);
  void invertByPivots(Block& block, EquationProgram& program);

  std::vector<std::vector<Expr>> G_;
  std::vector<int> row_of_;    // of each column
  std::vector<Block> blocks_;  // each needs columns of those before it only
  bool singular_ = false;
};

// A x = b for a symmetric positive definite A, row by row, by A = L D L^T; lines are named after `letter`.
std::vector<Expr> solveSymmetric(const std::vector<Expr>& A, const std::vector<Expr>& b, EquationProgram& program);

}  // namespace linkwork
