// EquationsKernel: the equations of motion of an EquationsModel, one text for double, Dual and Expr.
//
//   (1)  u = b (z - a_0),  b = a^-1,  z = (w_1 .. w_l, 0 .. 0)                              [docs/theory/11, eq. 11.1]
//   (2)  p = J^T W V,   h = J^T W (G u + V_t) + (J' - G)^T W V      V = J u + j_0,  G = dV/dq,  W: masses
//   (3)  u' = N w' + c,   N: the first l columns of b,   c = -b (a' u + a_0')
//   (4)  A w' = B,   A = N^T M N,   B = N^T (Q - M c - h) + Q*,   M = J^T W J                [docs/theory/11, eq. 11.6]
//   (5)  reactions, conjugate to the constraints:  the other columns of b times (M u' + h - Q)
//
// Kinetic energies given as formulas add to M, h and p. (4) has no symbols of Boltzmann: (3) holds all that is left of
// them. The paper's variants add to B what they get wrong about (11.4).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "linkwork/formulation/equations/equations_tapes.hpp"

namespace linkwork {

// Of the paper, for study: corrected; or gamma with its indices in the wrong order, T_Q with l rows instead of n, or no
// gamma_0.                                                                            [docs/theory/11, errata]
enum class EquationsVariant { corrected, printed_gamma, printed_rows, printed_affine };
std::vector<std::string> equationsVariantNames();
EquationsVariant equationsVariantOf(std::string_view name);

// In which order the rows of a are eliminated, each in which column, and how near a is to being singular.
struct PivotOrder {
  std::vector<int> row, column;
  double smallest = 1.0;  // of rows of length one, with the best choice of both at each step
  int worst_row = 0;      // of that pivot
};
// `a`: n x n, row by row; used up.
void choosePivots(std::span<double> a, PivotOrder& order);

template <class T>
class EquationsKernel {
 public:
  explicit EquationsKernel(const EquationsTapes& tapes) : tapes_(tapes) {}

  struct Work {
    std::vector<T> place_in, term_in, symbol_in;  // inputs of the tapes; letters at their ends
    std::vector<T> scratch, forms, terms, symbols;
    std::vector<T> left, b;  // n x n
    std::vector<T> u, c, WV, acceleration, momentum, h, force, udot, turned, quasi_momentum;
    std::vector<T> M, MN, A, L;  // n x n, n x l, l x l
    std::vector<T> B, wdot;      // l
    std::vector<double> values;
    PivotOrder order;
    bool positive = true;  // A
    double smallest_mass = 1.0;
  };
  // Letters hold their numbers; of Expr, themselves. Of Expr, the order of pivots is to be put in by the caller.
  Work makeWork() const;
  const EquationsTapes& tapes() const { return tapes_; }

  // a, a_0, Phi and b at (t, q).
  void place(const T& t, std::span<const T> q, Work& work) const;
  // (1), and all terms there.
  void move(std::span<const T> w, Work& work) const;
  // (2) to (4): wdot, udot.
  void accelerate(EquationsVariant variant, Work& work) const;
  // (5), of the constraint that is this row of all n forms.
  T reaction(const Work& work, int row) const;
  // With what accelerate() left: of forces, of what constraints and formulas of t bring. A balance of energy that is
  // closed is one that holds with it.
  T power(std::span<const T> w, const Work& work) const;

  T kinetic(const Work& work) const { return work.terms[tapes_.kinetic.from]; }
  T potential(const Work& work) const { return work.terms[tapes_.potential.from]; }
  std::span<const T> phi(const Work& work) const { return block(work.forms, tapes_.phi); }
  std::span<const T> block(const std::vector<T>& of, const TapeBlock& where) const {
    return std::span<const T>(of).subspan(where.from, where.size);
  }

 private:
  void invert(Work& work) const;
  void inertia(Work& work) const;
  void forces(Work& work) const;
  void addVariant(EquationsVariant variant, Work& work) const;
  void contract(std::span<const T> p, std::span<const T> w, Work& work) const;
  bool factor(Work& work) const;
  T column(const Work& work, int k, std::span<const T> of) const;

  const EquationsTapes& tapes_;
};

extern template class EquationsKernel<double>;
extern template class EquationsKernel<Dual<8>>;
extern template class EquationsKernel<Expr>;

}  // namespace linkwork
