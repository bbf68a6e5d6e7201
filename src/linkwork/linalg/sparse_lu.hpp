// SparseLu: LU factors of a sparse matrix, real or complex, with partial pivoting; Eigen's, compiled once and not in
// every file that factors a matrix.
#pragma once

#include <Eigen/SparseCore>
#include <complex>
#include <memory>

namespace linkwork {

using SparseMatrix = Eigen::SparseMatrix<double>;
using ComplexSparseMatrix = Eigen::SparseMatrix<std::complex<double>>;

template <class Number>
class BasicSparseLu {
 public:
  using Matrix = Eigen::SparseMatrix<Number>;
  using Vector = Eigen::Matrix<Number, Eigen::Dynamic, 1>;

  BasicSparseLu();
  BasicSparseLu(const BasicSparseLu&) = delete;
  BasicSparseLu& operator=(const BasicSparseLu&) = delete;
  ~BasicSparseLu();

  // False where `a` is singular. The order of elimination is chosen in the first call: later ones have its pattern.
  bool factor(const Matrix& a);
  // x = a^-1 b, of the last factor() that answered true.
  void solve(const Vector& b, Vector& x) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

using SparseLu = BasicSparseLu<double>;
using ComplexSparseLu = BasicSparseLu<std::complex<double>>;

extern template class BasicSparseLu<double>;
extern template class BasicSparseLu<std::complex<double>>;

}  // namespace linkwork
