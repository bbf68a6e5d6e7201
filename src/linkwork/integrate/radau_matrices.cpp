#include "linkwork/integrate/radau_matrices.hpp"

#include <algorithm>
#include <cmath>

namespace linkwork {
namespace {

using Real = long double;
using Matrix = Eigen::Matrix<Real, 3, 3>;
using ComplexVector = Eigen::Matrix<std::complex<Real>, 3, 1>;

// The vector that A_inverse multiplies by `value`: across two rows of A_inverse - value.
ComplexVector eigenvector(const Matrix& A_inverse, std::complex<Real> value) {
  Eigen::Matrix<std::complex<Real>, 3, 3> rest = A_inverse.cast<std::complex<Real>>();
  for (int k = 0; k < 3; ++k) rest(k, k) -= value;
  const auto a = rest.row(0);
  const auto b = rest.row(1);
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace

// Hairer & Wanner, Solving ODEs II, sections IV.5 (coefficients) and IV.8 (transformation).
RadauScheme::RadauScheme() {
  const Real six = std::sqrt(Real(6));
  const Real nodes[3] = {(4 - six) / 10, (4 + six) / 10, 1};
  std::copy(std::begin(nodes), std::end(nodes), std::begin(c));
  Matrix exact;
  exact << (88 - 7 * six) / 360, (296 - 169 * six) / 1800, (-2 + 3 * six) / 225,  //
      (296 + 169 * six) / 1800, (88 + 7 * six) / 360, (-2 - 3 * six) / 225,       //
      (16 - six) / 36, (16 + six) / 36, Real(1) / 9;
  A = exact.cast<double>();
  const Matrix A_inverse = exact.inverse();
  const Real r9 = std::cbrt(Real(9));
  const Real r81 = r9 * r9;
  const Real real_value = 30 / (6 + r81 - r9);
  // eigenvalues of A: a +- i b; those of its inverse are their reciprocals
  const std::complex<Real> of_A((12 - r81 + r9) / 60, std::sqrt(Real(3)) * (r81 + r9) / 60);
  const std::complex<Real> value = Real(1) / std::conj(of_A);
  gamma = static_cast<double>(real_value);
  alpha = static_cast<double>(value.real());
  beta = static_cast<double>(value.imag());
  Matrix columns;
  columns.col(0) = eigenvector(A_inverse, real_value).real();
  const ComplexVector pair = eigenvector(A_inverse, value);
  columns.col(1) = pair.real();
  columns.col(2) = pair.imag();
  for (int k = 0; k < 3; ++k) {
    // One factor for both columns of the pair keeps the block form.
    const Real size = k == 0 ? columns.col(0).norm() : pair.norm();
    columns.col(k) /= size;
  }
  T = columns.cast<double>();
  T_inverse = columns.inverse().cast<double>();
}

const RadauScheme& radauScheme() {
  static const RadauScheme scheme;
  return scheme;
}

DenseStageMatrices::DenseStageMatrices(int size, int controlled)
    : size_(size), controlled_(controlled), J_(Eigen::MatrixXd::Zero(controlled, controlled)) {}

bool DenseStageMatrices::factor(double h) {
  const RadauScheme& scheme = radauScheme();
  h_ = h;
  real_matrix_ = -J_;
  real_matrix_.diagonal().array() += scheme.gamma / h;
  complex_matrix_ = -J_.cast<std::complex<double>>();
  complex_matrix_.diagonal().array() += std::complex<double>(scheme.alpha, -scheme.beta) / h;
  real_.compute(real_matrix_);
  complex_.compute(complex_matrix_);
  return real_.matrixLU().diagonal().cwiseAbs().minCoeff() > 0 &&
         complex_.matrixLU().diagonal().cwiseAbs().minCoeff() > 0;
}

void DenseStageMatrices::solve(Eigen::VectorXd& r) {
  r.head(controlled_) = real_.solve(r.head(controlled_)).eval();
  r.tail(size_ - controlled_) *= h_ / radauScheme().gamma;
}

void DenseStageMatrices::solve(Eigen::VectorXcd& r) {
  r.head(controlled_) = complex_.solve(r.head(controlled_)).eval();
  r.tail(size_ - controlled_) *= h_ / std::complex<double>(radauScheme().alpha, -radauScheme().beta);
}

SparseStageMatrices::SparseStageMatrices(const DaeSystem& system) : system_(system) {
  const Eigen::Index n = system.B().rows();
  row_scale_.setOnes(n);
  column_scale_.setOnes(n);
}

// The pattern of B and J together, and where their entries are in it.
void SparseStageMatrices::plan() {
  std::vector<Eigen::Triplet<double>> entries;
  const auto collect = [&entries](const SparseMatrix& matrix) {
    for (int k = 0; k < matrix.outerSize(); ++k) {
      for (SparseMatrix::InnerIterator entry(matrix, k); entry; ++entry) entries.emplace_back(entry.row(), k, 0.0);
    }
  };
  collect(system_.B());
  collect(J_);
  real_matrix_.resize(J_.rows(), J_.cols());
  real_matrix_.setFromTriplets(entries.begin(), entries.end());
  const auto places = [this](const SparseMatrix& matrix) {
    std::vector<int> out;
    for (int k = 0; k < matrix.outerSize(); ++k) {
      const int* first = real_matrix_.innerIndexPtr() + real_matrix_.outerIndexPtr()[k];
      const int* last = real_matrix_.innerIndexPtr() + real_matrix_.outerIndexPtr()[k + 1];
      for (SparseMatrix::InnerIterator entry(matrix, k); entry; ++entry) {
        const int* place = std::lower_bound(first, last, static_cast<int>(entry.row()));
        out.push_back(static_cast<int>(place - real_matrix_.innerIndexPtr()));
      }
    }
    return out;
  };
  place_of_B_ = places(system_.B());
  place_of_J_ = places(J_);
  complex_matrix_ = real_matrix_.cast<Complex>();
  real_.analyzePattern(real_matrix_);
  complex_.analyzePattern(complex_matrix_);
}

void SparseStageMatrices::fill(double h) {
  const RadauScheme& scheme = radauScheme();
  const SparseMatrix& B = system_.B();
  const double real_factor = scheme.gamma / h;
  const Complex complex_factor = Complex(scheme.alpha, -scheme.beta) / h;
  const auto index = system_.index();
  for (Eigen::Index k = 0; k < column_scale_.size(); ++k) {
    column_scale_[k] = std::pow(h, 1 - index[static_cast<std::size_t>(k)]);
  }
  std::fill_n(real_matrix_.valuePtr(), real_matrix_.nonZeros(), 0.0);
  std::fill_n(complex_matrix_.valuePtr(), complex_matrix_.nonZeros(), Complex());
  for (std::size_t k = 0; k < place_of_B_.size(); ++k) {
    real_matrix_.valuePtr()[place_of_B_[k]] += real_factor * B.valuePtr()[k];
    complex_matrix_.valuePtr()[place_of_B_[k]] += complex_factor * B.valuePtr()[k];
  }
  for (std::size_t k = 0; k < place_of_J_.size(); ++k) {
    real_matrix_.valuePtr()[place_of_J_[k]] -= J_.valuePtr()[k];
    complex_matrix_.valuePtr()[place_of_J_[k]] -= J_.valuePtr()[k];
  }
  row_scale_.setZero();
  for (int k = 0; k < real_matrix_.outerSize(); ++k) {
    for (SparseMatrix::InnerIterator entry(real_matrix_, k); entry; ++entry) {
      double& largest = row_scale_[entry.row()];
      largest = std::max(largest, std::abs(entry.value()) * column_scale_[k]);
    }
  }
  for (double& scale : row_scale_) scale = scale > 0 ? 1 / scale : 1;
  for (int k = 0; k < real_matrix_.outerSize(); ++k) {
    for (SparseMatrix::InnerIterator entry(real_matrix_, k); entry; ++entry) {
      entry.valueRef() *= row_scale_[entry.row()] * column_scale_[k];
    }
    for (ComplexMatrix::InnerIterator entry(complex_matrix_, k); entry; ++entry) {
      entry.valueRef() *= row_scale_[entry.row()] * column_scale_[k];
    }
  }
}

bool SparseStageMatrices::factor(double h) {
  if (place_of_J_.empty()) plan();
  fill(h);
  real_.factorize(real_matrix_);
  if (real_.info() != Eigen::Success) return false;
  complex_.factorize(complex_matrix_);
  return complex_.info() == Eigen::Success;
}

void SparseStageMatrices::solve(Eigen::VectorXd& r) {
  r.array() *= row_scale_.array();
  r = real_.solve(r).eval();
  r.array() *= column_scale_.array();
}

void SparseStageMatrices::solve(Eigen::VectorXcd& r) {
  r.array() *= row_scale_.array();
  r = complex_.solve(r).eval();
  r.array() *= column_scale_.array();
}

}  // namespace linkwork
