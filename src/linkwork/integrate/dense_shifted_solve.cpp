#include "linkwork/integrate/dense_shifted_solve.hpp"

#include <utility>

namespace linkwork {

DenseShiftedSolve::DenseShiftedSolve(int size, int controlled, Jacobian jacobian)
    : size_(size),
      controlled_(controlled),
      jacobian_(std::move(jacobian)),
      J_(Eigen::MatrixXd::Zero(controlled, controlled)) {}

bool DenseShiftedSolve::factor(const Shifts& shifts) {
  shifts_ = shifts;
  real_matrix_ = -J_;
  real_matrix_.diagonal().array() += shifts.real;
  real_.compute(real_matrix_);
  if (!(real_.matrixLU().diagonal().cwiseAbs().minCoeff() > 0)) return false;
  if (!shifts.both) return true;
  complex_matrix_ = -J_.cast<std::complex<double>>();
  complex_matrix_.diagonal().array() += shifts.complex;
  complex_.compute(complex_matrix_);
  return complex_.matrixLU().diagonal().cwiseAbs().minCoeff() > 0;
}

void DenseShiftedSolve::solve(std::span<double> r) {
  Eigen::Map<Eigen::VectorXd> in_place(r.data(), size_);
  in_place.head(controlled_) = real_.solve(in_place.head(controlled_)).eval();
  in_place.tail(size_ - controlled_) /= shifts_.real;
}

void DenseShiftedSolve::solve(std::span<std::complex<double>> r) {
  Eigen::Map<Eigen::VectorXcd> in_place(r.data(), size_);
  in_place.head(controlled_) = complex_.solve(in_place.head(controlled_)).eval();
  in_place.tail(size_ - controlled_) /= shifts_.complex;
}

}  // namespace linkwork
