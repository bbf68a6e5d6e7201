#include "linkwork/analyse/steady_parts.hpp"

#include <algorithm>

#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// Of the largest singular value: below this a direction of the symmetries is not there.
constexpr double kGone = 1e-9;

int countAbove(const Vector& values, double share) {
  if (values.size() == 0 || values[0] == 0.0) return 0;
  return static_cast<int>((values.array() > share * values[0]).count());
}

}  // namespace

Matrix spanOf(const Matrix& A, double share) {
  if (A.cols() == 0) return Matrix(A.rows(), 0);
  const Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeThinU);
  return svd.matrixU().leftCols(countAbove(svd.singularValues(), share));
}

Matrix restOf(const Matrix& U) {
  if (U.cols() == 0) return Matrix::Identity(U.rows(), U.rows());
  const Eigen::HouseholderQR<Matrix> qr(U);
  const Matrix Q = qr.householderQ() * Matrix::Identity(U.rows(), U.rows());
  return Q.rightCols(U.rows() - U.cols());
}

Matrix sideBySide(const Matrix& a, const Matrix& b) {
  Matrix out(a.rows(), a.cols() + b.cols());
  out << a, b;
  return out;
}

Matrix nothings(const Matrix& A, int count) {
  if (count == 0) return Matrix(A.rows(), 0);
  const Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeFullV);
  return svd.matrixV().rightCols(count);
}

SteadyWhole wholeOf(SteadySolver& solver, const SteadyMotion& motion) {
  SteadyWhole out;
  if (!solver.pieces(motion.x, motion.xi, out.pieces)) return out;
  const Eigen::HouseholderQR<Matrix> qr(out.pieces.T);
  out.A = qr.solve(out.pieces.A);
  const Matrix X = qr.solve(out.pieces.X);
  // Symmetries in metres and radians, whatever their rates are; those that do nothing here are left out.
  Matrix W(X.rows(), 0);
  for (Eigen::Index k = 0; k < X.cols(); ++k) {
    const double size = X.col(k).norm();
    if (size > kGone * solver.field().length()) W = sideBySide(W, X.col(k) / size);
  }
  out.W = spanOf(W, kGone);
  out.named = out.pieces.named;
  out.ok = true;
  return out;
}

Matrix takenOut(const SteadyWhole& whole, const StructuralZeros& zeros) {
  Matrix U = whole.W;
  for (const int count : zeros) {
    const Matrix Q = restOf(U);
    const Matrix left = Q.transpose() * whole.A * Q;
    U = sideBySide(U, Q * nothings(left, std::min(count, static_cast<int>(left.cols()))));
  }
  return U;
}

}  // namespace linkwork
