// The linear systems of Radau IIA: one real and one complex matrix per step size, in place of one of three times the
// size.
//
//   (gamma/h B - J) d = r        ((alpha - i beta)/h B - J) d = r
// gamma and alpha -+ i beta are the eigenvalues of the inverse of the method's matrix A.        [docs/theory/04,
// eq. 4.9]
#pragma once

#include <Eigen/SparseLU>
#include <complex>
#include <span>
#include <vector>

#include "linkwork/linalg/decompositions.hpp"
#include "linkwork/system/dae_system.hpp"

namespace linkwork {

// What the method and its matrices share: A's inverse in real block form, T^-1 A^-1 T = diag(gamma, [[alpha, beta],
// [-beta, alpha]]).
struct RadauScheme {
  RadauScheme();
  double c[3];
  double gamma, alpha, beta;
  Eigen::Matrix3d A, T, T_inverse;
};
const RadauScheme& radauScheme();

class StageMatrices {
 public:
  StageMatrices() = default;
  StageMatrices(const StageMatrices&) = delete;
  StageMatrices& operator=(const StageMatrices&) = delete;
  virtual ~StageMatrices() = default;

  // False where a matrix is singular.
  virtual bool factor(double h) = 0;
  virtual void solve(Eigen::VectorXd& r) = 0;
  virtual void solve(Eigen::VectorXcd& r) = 0;
  virtual void timesB(const Eigen::VectorXd& y, Eigen::VectorXd& out) const = 0;
};

// B = 1 and a full J for the first entries; J is zero for the others, quadratures.
class DenseStageMatrices final : public StageMatrices {
 public:
  DenseStageMatrices(int size, int controlled);
  Eigen::MatrixXd& jacobian() { return J_; }

  bool factor(double h) override;
  void solve(Eigen::VectorXd& r) override;
  void solve(Eigen::VectorXcd& r) override;
  void timesB(const Eigen::VectorXd& y, Eigen::VectorXd& out) const override { out = y; }

 private:
  int size_, controlled_;
  double h_ = 0;
  Eigen::MatrixXd J_, real_matrix_;
  Eigen::MatrixXcd complex_matrix_;
  Eigen::PartialPivLU<Eigen::MatrixXd> real_;
  Eigen::PartialPivLU<Eigen::MatrixXcd> complex_;
};

// Sparse B and J. Columns are divided by h^(index - 1) and rows by their largest entry, so that the condition does not
// worsen as h shrinks.                                                                        [docs/theory/04,
// eq. 4.12]
class SparseStageMatrices final : public StageMatrices {
 public:
  explicit SparseStageMatrices(const DaeSystem& system);
  // Its pattern must stay that of the first factor().
  SparseMatrix& jacobian() { return J_; }

  bool factor(double h) override;
  void solve(Eigen::VectorXd& r) override;
  void solve(Eigen::VectorXcd& r) override;
  void timesB(const Eigen::VectorXd& y, Eigen::VectorXd& out) const override { out.noalias() = system_.B() * y; }

 private:
  using Complex = std::complex<double>;
  using ComplexMatrix = Eigen::SparseMatrix<Complex>;
  void plan();
  void fill(double h);

  const DaeSystem& system_;
  SparseMatrix J_, real_matrix_;
  ComplexMatrix complex_matrix_;
  std::vector<int> place_of_B_, place_of_J_;  // of their entries among those of the sum
  Eigen::VectorXd row_scale_, column_scale_;
  Eigen::SparseLU<SparseMatrix> real_;
  Eigen::SparseLU<ComplexMatrix> complex_;
};

}  // namespace linkwork
