#include "linkwork/analyse/steady_linear.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "linkwork/analyse/steady_parts.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// Of the largest of a matrix of derivatives along deviations: what is zero but for round-off.
constexpr double kNothing = 1e-10;
constexpr double kNoGrowth = 1e-12;  // of the largest eigenvalue: round-off of a decay or growth
constexpr double kStepAside = 0.03;  // to a neighbour in a family

// How many directions a matrix turns into nothing.
int nullity(const Matrix& A) {
  if (A.size() == 0) return 0;
  const Eigen::JacobiSVD<Matrix> svd(A);
  const Vector& values = svd.singularValues();
  if (values[0] == 0.0) return static_cast<int>(A.cols());
  return static_cast<int>((values.array() <= kNothing * values[0]).count());
}

int zerosLeft(const SteadyWhole& whole, const StructuralZeros& zeros) {
  const Matrix Q = restOf(takenOut(whole, zeros));
  return nullity(Q.transpose() * whole.A * Q);
}

}  // namespace

StructuralZeros countZeros(SteadySolver& solver, const SteadyMotion& motion) {
  StructuralZeros out;
  const SteadyWhole here = wholeOf(solver, motion);
  if (!here.ok) return out;
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  const int n = solver.field().freedoms();
  for (;;) {
    const Matrix U = takenOut(here, out);
    const Matrix Q = restOf(U);
    const Matrix left = Q.transpose() * here.A * Q;
    int count = nullity(left);
    if (count == 0) return out;
    // A neighbour along all of them: what belongs to a family is there too.
    const Matrix directions = Q * nothings(left, count);
    Vector along = Vector::Zero(directions.rows());
    for (Eigen::Index k = 0; k < directions.cols(); ++k) along += normal(random) * directions.col(k);
    Vector deviation = here.pieces.T * along;
    const double size = std::max(deviation.head(n).cwiseAbs().maxCoeff(), 0.1 * deviation.cwiseAbs().maxCoeff());
    deviation *= kStepAside * solver.field().length() / size;
    for (int k = 0; k < 2 * n; ++k) deviation[k] /= solver.field().scale()[k % n];
    SteadyMotion near;
    std::vector<double> x = motion.x;
    if (solver.field().go(solver.time(), deviation, x)) near = solver.find(x, SteadySolver::Conditions::none);
    if (near.ok) {
      const SteadyWhole there = wholeOf(solver, near);
      if (there.ok) count = std::min(count, zerosLeft(there, out));
    }
    if (count == 0) return out;
    out.push_back(count);
  }
}

Deflated deflate(SteadySolver& solver, const SteadyMotion& motion, const StructuralZeros& zeros) {
  Deflated out;
  SteadyWhole whole = wholeOf(solver, motion);
  if (!whole.ok) return out;
  const Matrix U = takenOut(whole, zeros);
  const Matrix Q = restOf(U);
  out.A = Q.transpose() * whole.A * Q;
  out.basis = sideBySide(U, Q);
  out.taken_out = static_cast<int>(U.cols());
  out.whole = std::move(whole.A);
  out.named = std::move(whole.named);
  out.ok = true;
  return out;
}

Eigen::VectorXcd shapeOf(const Deflated& deflated, std::complex<double> eigenvalue, const Eigen::VectorXcd& vector) {
  const Eigen::Index u = deflated.taken_out;
  const Matrix U = deflated.basis.leftCols(u);
  const Matrix Q = deflated.basis.rightCols(deflated.basis.cols() - u);
  // (A_UU - mu) a = -A_UQ q
  Eigen::VectorXcd whole = Q.cast<std::complex<double>>() * vector;
  if (u > 0) {
    Eigen::MatrixXcd left = (U.transpose() * deflated.whole * U).cast<std::complex<double>>();
    left.diagonal().array() -= eigenvalue;
    const Eigen::VectorXcd right = -(U.transpose() * deflated.whole * Q).cast<std::complex<double>>() * vector;
    const Eigen::FullPivLU<Eigen::MatrixXcd> lu(left);
    if (lu.isInvertible()) whole += U.cast<std::complex<double>>() * lu.solve(right);
  }
  return deflated.named.cast<std::complex<double>>() * whole;
}

NaturalModes findModes(const Deflated& deflated, const std::vector<LinearCoordinate>& seen, double length) {
  NaturalModes out;
  const Eigen::EigenSolver<Matrix> solver(deflated.A);
  const double size = deflated.A.rows() > 0 ? solver.eigenvalues().cwiseAbs().maxCoeff() : 0.0;
  for (Eigen::Index k = 0; k < deflated.A.rows(); ++k) {
    std::complex<double> value = solver.eigenvalues()[k];
    if (value.imag() < 0.0) continue;
    Mode& mode = out.modes.emplace_back();
    const Eigen::VectorXcd shape = shapeOf(deflated, value, solver.eigenvectors().col(k));
    if (std::abs(value.real()) <= kNoGrowth * size) value.real(0.0);
    mode.eigenvalue = value;
    mode.kind = value.imag() > 0.0 ? ModeKind::oscillation : ModeKind::exponential;
    const double speed = std::abs(value);
    mode.frequency = value.imag() / (2.0 * std::numbers::pi);
    mode.natural_frequency = speed / (2.0 * std::numbers::pi);
    mode.damping_ratio = mode.kind == ModeKind::oscillation ? 0.0 - value.real() / speed : 0.0;
    mode.time_constant = value.real() == 0.0 ? std::numeric_limits<double>::infinity() : -1.0 / value.real();
    Vector sizes = shape.cwiseAbs();
    for (Eigen::Index c = 0; c < sizes.size(); ++c) {
      if (seen[static_cast<std::size_t>(c)].unit == "rad") sizes[c] *= length;
    }
    Eigen::Index largest = 0;
    if (sizes.size() > 0 && sizes.maxCoeff(&largest) > 0.0) mode.seen = shape / shape[largest];
    mode.shape = mode.seen;
  }
  std::stable_sort(out.modes.begin(), out.modes.end(),
                   [](const Mode& a, const Mode& b) { return std::abs(a.eigenvalue) < std::abs(b.eigenvalue); });
  out.stability = ModeStability::stable;
  for (const Mode& mode : out.modes) {
    if (mode.eigenvalue.real() > 0.0) out.stability = ModeStability::growing;
  }
  out.ok = true;
  return out;
}

}  // namespace linkwork
