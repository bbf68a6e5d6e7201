#include "linkwork/system/sparse_shifted_solve.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace linkwork {

SparseShiftedSolve::SparseShiftedSolve(const SparseMatrix& B, Jacobian jacobian, std::span<const int> index)
    : B_(B), jacobian_(std::move(jacobian)), index_(index.begin(), index.end()) {
  row_scale_.setOnes(B.rows());
  column_scale_.setOnes(B.rows());
}

// The pattern of B and J together, and where their entries are in it.
void SparseShiftedSolve::plan() {
  std::vector<Eigen::Triplet<double>> entries;
  const auto collect = [&entries](const SparseMatrix& matrix) {
    for (int k = 0; k < matrix.outerSize(); ++k) {
      for (SparseMatrix::InnerIterator entry(matrix, k); entry; ++entry) entries.emplace_back(entry.row(), k, 0.0);
    }
  };
  collect(B_);
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
  place_of_B_ = places(B_);
  place_of_J_ = places(J_);
}

void SparseShiftedSolve::fill(const Shifts& shifts) {
  for (std::size_t k = 0; k < index_.size(); ++k) {
    column_scale_[static_cast<Eigen::Index>(k)] = std::pow(shifts.h, 1 - index_[k]);
  }
  const auto sum = [this](auto& matrix, auto shift) {
    std::fill_n(matrix.valuePtr(), matrix.nonZeros(), 0.0);
    for (std::size_t k = 0; k < place_of_B_.size(); ++k) matrix.valuePtr()[place_of_B_[k]] += shift * B_.valuePtr()[k];
    for (std::size_t k = 0; k < place_of_J_.size(); ++k) matrix.valuePtr()[place_of_J_[k]] -= J_.valuePtr()[k];
  };
  sum(real_matrix_, shifts.real);
  row_scale_.setZero();
  for (int k = 0; k < real_matrix_.outerSize(); ++k) {
    for (SparseMatrix::InnerIterator entry(real_matrix_, k); entry; ++entry) {
      double& largest = row_scale_[entry.row()];
      largest = std::max(largest, std::abs(entry.value()) * column_scale_[k]);
    }
  }
  for (double& scale : row_scale_) scale = scale > 0 ? 1 / scale : 1;
  const auto scaleAll = [this]<class Matrix>(Matrix& matrix) {
    for (int k = 0; k < matrix.outerSize(); ++k) {
      for (typename Matrix::InnerIterator entry(matrix, k); entry; ++entry) {
        entry.valueRef() *= row_scale_[entry.row()] * column_scale_[k];
      }
    }
  };
  scaleAll(real_matrix_);
  if (!shifts.both) return;
  if (complex_matrix_.nonZeros() == 0) complex_matrix_ = real_matrix_.cast<Complex>();
  sum(complex_matrix_, shifts.complex);
  scaleAll(complex_matrix_);
}

bool SparseShiftedSolve::factor(const Shifts& shifts) {
  if (place_of_J_.empty()) plan();
  fill(shifts);
  return real_.factor(real_matrix_) && (!shifts.both || complex_.factor(complex_matrix_));
}

template <class Number>
void SparseShiftedSolve::solveWith(const BasicSparseLu<Number>& lu, std::span<Number> r,
                                   Eigen::Matrix<Number, Eigen::Dynamic, 1>& right,
                                   Eigen::Matrix<Number, Eigen::Dynamic, 1>& solution) const {
  Eigen::Map<Eigen::Matrix<Number, Eigen::Dynamic, 1>> in_place(r.data(), static_cast<Eigen::Index>(r.size()));
  right = in_place;
  right.array() *= row_scale_.array();
  lu.solve(right, solution);
  in_place = solution;
  in_place.array() *= column_scale_.array();
}

void SparseShiftedSolve::solve(std::span<double> r) { solveWith(real_, r, right_, solution_); }
void SparseShiftedSolve::solve(std::span<Complex> r) { solveWith(complex_, r, complex_right_, complex_solution_); }

}  // namespace linkwork
