#include "linkwork/integrate/radau_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

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

Shifts RadauScheme::shifts(double h) const {
  return {.h = h, .real = gamma / h, .both = true, .complex = std::complex<double>(alpha, -beta) / h};
}

const RadauScheme& radauScheme() {
  static const RadauScheme scheme;
  return scheme;
}

}  // namespace linkwork
