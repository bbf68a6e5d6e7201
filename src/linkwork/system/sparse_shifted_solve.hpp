// SparseShiftedSolve: the ready-made ShiftedSolve of equations whose J is sparse.
//
//   D_r (c B - J) D_c:  columns divided by h^(index - 1), rows by their largest entry, so that the condition does not
//   worsen as h shrinks                                                                       [docs/theory/04,
//   eq. 4.12]
#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "linkwork/linalg/sparse_lu.hpp"
#include "linkwork/system/shifted_solve.hpp"

namespace linkwork {

class SparseShiftedSolve final : public ShiftedSolve {
 public:
  // Fills J, always with the same pattern; and why it could not.
  struct Jacobian {
    std::function<Eval(double t, std::span<const double> y, const Modes& modes, SparseMatrix& J)> fill;
    std::function<std::string()> describe_failure;
  };
  // index: of every unknown, as in DaeSystem; empty: all are 1.
  SparseShiftedSolve(const SparseMatrix& B, Jacobian jacobian, std::span<const int> index = {});

  // Another B with the same pattern, for the next factor().
  void setB(const SparseMatrix& B) { B_ = B; }

  Eval linearise(double t, std::span<const double> y, const Modes& modes) override {
    return jacobian_.fill(t, y, modes, J_);
  }
  std::string describeFailure() const override { return jacobian_.describe_failure(); }
  bool factor(const Shifts& shifts) override;
  void solve(std::span<double> r) override;
  void solve(std::span<std::complex<double>> r) override;

 private:
  using Complex = std::complex<double>;
  void plan();
  void fill(const Shifts& shifts);
  template <class Number>
  void solveWith(const BasicSparseLu<Number>& lu, std::span<Number> r, Eigen::Matrix<Number, Eigen::Dynamic, 1>& right,
                 Eigen::Matrix<Number, Eigen::Dynamic, 1>& solution) const;

  SparseMatrix B_;
  const Jacobian jacobian_;
  const std::vector<int> index_;
  SparseMatrix J_, real_matrix_;
  ComplexSparseMatrix complex_matrix_;        // empty before a method asks for it
  std::vector<int> place_of_B_, place_of_J_;  // of their entries among those of the sum
  Eigen::VectorXd row_scale_, column_scale_;
  SparseLu real_;
  ComplexSparseLu complex_;
  Eigen::VectorXd right_, solution_;
  Eigen::VectorXcd complex_right_, complex_solution_;
};

}  // namespace linkwork
