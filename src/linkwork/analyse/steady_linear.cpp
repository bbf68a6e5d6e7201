#include "linkwork/analyse/steady_linear.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "linkwork/base/diagnostics.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// Of the largest singular value: below this a direction of the symmetries, or a coordinate, is not there.
constexpr double kGone = 1e-9;
// Of the largest of a matrix of derivatives along deviations: what is zero but for round-off.
constexpr double kNothing = 1e-10;
constexpr double kSeesEnough = 0.3;  // an early coordinate is taken when it sees this share of what the best one sees
constexpr double kNoGrowth = 1e-12;  // of the largest eigenvalue: round-off of a decay or growth
constexpr double kStepAside = 0.03;  // to a neighbour in a family

int countAbove(const Vector& values, double share) {
  if (values.size() == 0 || values[0] == 0.0) return 0;
  return static_cast<int>((values.array() > share * values[0]).count());
}

// An orthonormal basis of the columns of A.
Matrix spanOf(const Matrix& A, double share) {
  if (A.cols() == 0) return Matrix(A.rows(), 0);
  const Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeThinU);
  return svd.matrixU().leftCols(countAbove(svd.singularValues(), share));
}

// What is at right angles to orthonormal columns, and orthonormal.
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

// How many directions a matrix turns into nothing.
int nullity(const Matrix& A) {
  if (A.size() == 0) return 0;
  const Eigen::JacobiSVD<Matrix> svd(A);
  const Vector& values = svd.singularValues();
  if (values[0] == 0.0) return static_cast<int>(A.cols());
  return static_cast<int>((values.array() <= kNothing * values[0]).count());
}

// `count` of them.
Matrix nothings(const Matrix& A, int count) {
  if (count == 0) return Matrix(A.rows(), 0);
  const Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeFullV);
  return svd.matrixV().rightCols(count);
}

// A in T's own coordinates, and the symmetries there.
struct Whole {
  Matrix A, W, named;
  SteadyPieces pieces;
  bool ok = false;
};

Whole wholeOf(SteadySolver& solver, const SteadyMotion& motion) {
  Whole out;
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

// What is taken out, level by level; `zeros` too long or too short is cut or left.
Matrix takenOut(const Whole& whole, const StructuralZeros& zeros) {
  Matrix U = whole.W;
  for (const int count : zeros) {
    const Matrix Q = restOf(U);
    const Matrix left = Q.transpose() * whole.A * Q;
    U = sideBySide(U, Q * nothings(left, std::min(count, static_cast<int>(left.cols()))));
  }
  return U;
}

int zerosLeft(const Whole& whole, const StructuralZeros& zeros) {
  const Matrix Q = restOf(takenOut(whole, zeros));
  return nullity(Q.transpose() * whole.A * Q);
}

// Early rows first, those wanted before all others; `count` independent ones. Rows that see nothing new are passed
// over.
struct Picked {
  std::vector<Eigen::Index> rows;
  std::string problem, hint;
};

Picked pick(Matrix left, const std::vector<std::string>& names, const std::vector<std::string>& wanted, int count) {
  Picked out;
  const Vector whole = left.rowwise().norm();
  const auto take = [&](Eigen::Index row) {
    out.rows.push_back(row);
    const Eigen::RowVectorXd direction = left.row(row).normalized();
    left -= (left * direction.transpose()).eval() * direction;
  };
  for (const std::string& name : wanted) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      out.problem = fmt::format("there is no coordinate \"{}\"", name);
      out.hint = didYouMean(name, names);
      return out;
    }
    const auto row = found - names.begin();
    if (static_cast<int>(out.rows.size()) >= count || left.row(row).norm() <= 1e-6 * std::max(whole[row], 1e-300)) {
      out.problem = fmt::format(
          "\"{}\" is no coordinate of its own: nothing depends on it, or what it does follows from "
          "those named before it",
          name);
      out.hint = "Leave it out.";
      return out;
    }
    take(row);
  }
  while (static_cast<int>(out.rows.size()) < count) {
    const Vector seen = left.rowwise().norm();
    const double best = seen.maxCoeff();
    if (!(best > 0.0)) break;
    Eigen::Index row = 0;
    while (seen[row] < kSeesEnough * best) ++row;
    take(row);
  }
  return out;
}

Matrix rowsOf(const Matrix& matrix, const std::vector<Eigen::Index>& rows) {
  Matrix out(static_cast<Eigen::Index>(rows.size()), matrix.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) out.row(static_cast<Eigen::Index>(k)) = matrix.row(rows[k]);
  return out;
}

Matrix solvedWith(const Matrix& square, const Matrix& right) {
  if (square.rows() == 0) return Matrix(0, right.cols());
  return square.colPivHouseholderQr().solve(right);
}

// Names for (1), step by step: which coordinates stand for what nothing depends on, s, z, and the matrices by them.
class Namer {
 public:
  Namer(SteadySolver& solver, const Whole& whole) : solver_(solver), whole_(whole) {
    length_ = solver.field().length();
    const auto& seen = solver.field().seen();
    S_ = whole.named;
    for (Eigen::Index k = 0; k < S_.rows(); ++k) {
      names_.push_back(seen[static_cast<std::size_t>(k)].name);
      rates_.push_back(seen[static_cast<std::size_t>(k)].rate_name);
    }
    R_ = S_ * whole.A;
    scaled_S_ = inLengths(S_);
    scaled_R_ = inLengths(R_);
  }

  void run(const std::vector<std::string>& wanted, SteadyLinearisation& out) {
    if (!gauge(wanted, out) || !chooseCoordinates(wanted, out)) return;
    chooseSpeeds(out);
    const Matrix Y_inverse = solvedWith(Y_, Matrix::Identity(Y_.rows(), Y_.rows()));
    out.A = Y_ * (Q_.transpose() * whole_.A * Q_) * Y_inverse;
    const auto n = static_cast<Eigen::Index>(out.coordinates.size());
    const Eigen::Index z = Y_.rows() - n;
    for (Eigen::Index k = 0; k < z; ++k) {
      // z that is the rate of one of s: exactly that, without round-off.
      const int s = out.rate_of[static_cast<std::size_t>(k)];
      if (s < 0) continue;
      out.A.row(s).setZero();
      out.A(s, n + k) = 1.0;
    }
    // Velocities in which one of z is one: what is ignorable stays where it is.
    Matrix moves = Q_ * Y_inverse.rightCols(z);
    if (gauge_rows_.rows() > 0) moves -= whole_.W * solvedWith(gauge_rows_ * whole_.W, gauge_rows_ * moves);
    const Eigen::Index freedoms = solver_.field().freedoms();
    const Matrix Z =
        solver_.field().scale().cwiseInverse().asDiagonal() * (whole_.pieces.T.bottomRows(freedoms) * moves);
    out.M = Z.transpose() * solver_.field().mass() * Z;
    out.C = -out.M * out.A.bottomRightCorner(z, z);
    out.K = -out.M * out.A.bottomLeftCorner(z, n);
    out.ok = true;
  }

 private:
  Matrix inLengths(const Matrix& rows) const {
    Matrix out = rows;
    for (Eigen::Index k = 0; k < rows.rows(); ++k) {
      if (solver_.field().seen()[static_cast<std::size_t>(k)].unit == "rad") out.row(k) *= length_;
    }
    return out;
  }

  // Coordinates, and where these do not suffice rates, that are held while the others are read: one for each symmetry.
  bool gauge(const std::vector<std::string>& wanted, SteadyLinearisation& out) {
    const Matrix& W = whole_.W;
    Matrix by_place = scaled_S_ * W;
    for (Eigen::Index k = 0; k < by_place.rows(); ++k) {
      const auto& name = names_[static_cast<std::size_t>(k)];
      if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) by_place.row(k).setZero();
    }
    Matrix V = Matrix::Zero(W.cols(), W.cols());
    int places = 0;
    if (W.cols() > 0) {
      const Eigen::JacobiSVD<Matrix> svd(by_place, Eigen::ComputeFullV);
      // Compared with the symmetries themselves, which are of length one.
      places = static_cast<int>((svd.singularValues().array() > 1e-7).count());
      V = svd.matrixV();
    }
    const Picked picked = pick(by_place * V.leftCols(places), names_, {}, places);
    const Picked of_rates =
        pick(scaled_R_ * W * V.rightCols(W.cols() - places), rates_, {}, static_cast<int>(W.cols()) - places);
    gauge_rows_.resize(W.cols(), W.rows());
    gauge_rows_ << rowsOf(scaled_S_, picked.rows), rowsOf(scaled_R_, of_rates.rows);
    for (const auto row : picked.rows) out.ignorable.push_back(names_[static_cast<std::size_t>(row)]);
    std::sort(out.ignorable.begin(), out.ignorable.end());
    if (W.cols() > 0) {
      const Matrix held = solvedWith(gauge_rows_ * W, gauge_rows_);
      scaled_S_ -= (scaled_S_ * W).eval() * held;
      scaled_R_ -= (scaled_R_ * W).eval() * held;
      S_ -= (S_ * W).eval() * held;
      R_ -= (R_ * W).eval() * held;
    }
    Q_ = restOf(W);
    return true;
  }

  bool chooseCoordinates(const std::vector<std::string>& wanted, SteadyLinearisation& out) {
    const Matrix seen = scaled_S_ * Q_;
    const Eigen::JacobiSVD<Matrix> svd(seen, Eigen::ComputeThinV);
    const int count = static_cast<int>((svd.singularValues().array() > 1e-8).count());
    const Picked picked = pick(seen * svd.matrixV().leftCols(count), names_, wanted, count);
    out.problem = picked.problem;
    out.hint = picked.hint;
    if (!out.problem.empty()) return false;
    chosen_ = picked.rows;
    if (wanted.empty()) std::sort(chosen_.begin(), chosen_.end());
    for (const auto row : chosen_) out.coordinates.push_back(solver_.field().seen()[static_cast<std::size_t>(row)]);
    Y_ = rowsOf(S_ * Q_, chosen_);
    return true;
  }

  // Rates of s as far as they go, then others.
  void chooseSpeeds(SteadyLinearisation& out) {
    const Matrix rest = restOf(spanOf(rowsOf(scaled_S_ * Q_, chosen_).transpose(), 1e-12));
    std::vector<Eigen::Index> order = chosen_;
    for (Eigen::Index k = 0; k < scaled_R_.rows(); ++k) {
      if (std::find(chosen_.begin(), chosen_.end(), k) == chosen_.end()) order.push_back(k);
    }
    const Matrix seen = rowsOf(scaled_R_ * Q_ * rest, order);
    std::vector<std::string> names(order.size());
    const Picked picked = pick(seen, names, {}, static_cast<int>(rest.cols()));
    std::vector<Eigen::Index> speeds = picked.rows;
    std::sort(speeds.begin(), speeds.end());
    const Eigen::Index n = Y_.rows();
    Y_.conservativeResize(n + static_cast<Eigen::Index>(speeds.size()), Y_.cols());
    for (std::size_t k = 0; k < speeds.size(); ++k) {
      const Eigen::Index row = order[static_cast<std::size_t>(speeds[k])];
      Y_.row(n + static_cast<Eigen::Index>(k)) = R_.row(row) * Q_;
      const LinearCoordinate& named = solver_.field().seen()[static_cast<std::size_t>(row)];
      out.speeds.push_back(named.rate_name);
      out.speed_units.push_back(named.unit + "/s");
      out.rate_of.push_back(speeds[k] < static_cast<Eigen::Index>(chosen_.size()) ? static_cast<int>(speeds[k]) : -1);
    }
  }

  SteadySolver& solver_;
  const Whole& whole_;
  double length_ = 1.0;
  std::vector<std::string> names_, rates_;
  Matrix S_, R_, scaled_S_, scaled_R_;  // places and rates that have names, by deviations
  Matrix gauge_rows_, Q_, Y_;
  std::vector<Eigen::Index> chosen_;
};

// The rate that a family changes most, of those that are not named yet.
std::string familyName(SteadySolver& solver, const Vector& direction, const std::vector<std::string>& named) {
  const MotionField& field = solver.field();
  const int n = field.freedoms();
  Vector share = direction.tail(n).cwiseAbs();
  for (int k = 0; k < n; ++k) {
    const auto& name = field.names()[static_cast<std::size_t>(k)].rate_name;
    if (std::find(named.begin(), named.end(), name) != named.end()) share[k] = -1.0;
  }
  Eigen::Index most = 0;
  share.maxCoeff(&most);
  return field.names()[static_cast<std::size_t>(most)].rate_name;
}

}  // namespace

std::vector<std::string> SteadyLinearisation::stateNames() const {
  std::vector<std::string> out;
  for (const LinearCoordinate& s : coordinates) out.push_back(s.name);
  out.insert(out.end(), speeds.begin(), speeds.end());
  return out;
}

std::vector<std::string> SteadyLinearisation::stateUnits() const {
  std::vector<std::string> out;
  for (const LinearCoordinate& s : coordinates) out.push_back(s.unit);
  out.insert(out.end(), speed_units.begin(), speed_units.end());
  return out;
}

StructuralZeros countZeros(SteadySolver& solver, const SteadyMotion& motion) {
  StructuralZeros out;
  const Whole here = wholeOf(solver, motion);
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
      const Whole there = wholeOf(solver, near);
      if (there.ok) count = std::min(count, zerosLeft(there, out));
    }
    if (count == 0) return out;
    out.push_back(count);
  }
}

Deflated deflate(SteadySolver& solver, const SteadyMotion& motion, const StructuralZeros& zeros) {
  Deflated out;
  Whole whole = wholeOf(solver, motion);
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

SteadyLinearisation lineariseSteady(SteadySolver& solver, const SteadyMotion& motion, const StructuralZeros& zeros,
                                    const std::vector<std::string>& wanted) {
  SteadyLinearisation out;
  const Whole whole = wholeOf(solver, motion);
  if (!whole.ok) {
    out.problem = solver.field().describeFailure();
    return out;
  }
  if (whole.W.cols() == whole.A.cols()) {
    out.problem = "nothing depends on anything here: there are no deviations left";
    return out;
  }
  const Matrix U = takenOut(whole, zeros);
  for (Eigen::Index k = whole.W.cols(); k < U.cols(); ++k) {
    out.families.push_back(familyName(solver, whole.pieces.T * U.col(k), out.families));
  }
  Namer(solver, whole).run(wanted, out);
  return out;
}

}  // namespace linkwork
