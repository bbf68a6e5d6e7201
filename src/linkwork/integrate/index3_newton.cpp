#include "linkwork/integrate/index3_newton.hpp"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <limits>

namespace linkwork {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr int kMostIterations = 25;
constexpr double kRoundOff = 2 * kEps;  // corrections of positions, relative to the largest, that change nothing
constexpr double kFloor =
    50;  // times kRoundOff: corrections so small may stop falling; more would show, divided by h^2
constexpr double kUsualSize = 1;        // m or rad, of coordinates
constexpr double kSlow = 0.3;           // corrections that fall by less than this want a new matrix
constexpr double kOldMatrix = 0.3;      // so much may cd differ from that of a matrix still used
constexpr double kGoodRate = 0.1;       // a matrix with a better rate serves the next step too
constexpr double kDependentRow = 1e-6;  // relative pivot of a row that is all but dependent
constexpr double kNormalRest = 1e-6;    // of a change of velocity that is itself an estimate
constexpr double kClosedVelocity = 1e-13;
constexpr int kFilterSweeps = 4;  // of an error estimate, of which one digit is enough
constexpr double kFilterRest = 0.03;
constexpr int kClosingSweeps = 8;
constexpr double kClosedPosition = 1e-12;  // of the largest coordinate
constexpr double kLeastAdvance = 1e-12;    // towards a dead point, of the step that did not reach it
constexpr double kMotionShift = 1e-6;      // rad; the error of J is of the order of its square

double greatest(std::span<const double> values) {
  double out = 0;
  for (const double value : values) out = std::max(out, std::abs(value));
  return out;
}

std::span<const double> spanOf(const Eigen::VectorXd& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

void setIdentity(SparseMatrix& J) {
  for (int j = 0; j < J.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator it(J, j); it; ++it) it.valueRef() = it.row() == j ? 1.0 : 0.0;
  }
}

}  // namespace

Index3Newton::Index3Newton(const MechanicalSystem& system, const Modes& modes)
    : system_(system),
      modes_(modes),
      space_(system.space()),
      n_(space_.velocities()),
      rows_(system.rows()),
      laws_(system.laws()),
      constant_mass_(system.constantMass()),
      work_(system.makeWorkspace()),
      q_shifted_(static_cast<std::size_t>(space_.positions())),
      d_scratch_(static_cast<std::size_t>(n_)),
      motion_(static_cast<std::size_t>(n_)) {
  d_.resize(n_);
  right_.resize(n_ + rows_);
  solution_.resize(n_ + rows_);
  by_motion_.setOnes(rows_);
  by_multiplier_.setZero(rows_);
  if (system.typicalMass() > 0) lambda_scale_ = system.typicalMass();
}

void Index3Newton::keepHard(Eigen::VectorXd& rows) const {
  for (Eigen::Index r = 0; r < rows_; ++r) {
    if (!hard(r)) rows[r] = 0;
  }
}

// Of (4).
double Index3Newton::divisor(Eigen::Index r, double cv, double cd) const {
  const MechanicalRow& row = laws_[static_cast<std::size_t>(r)];
  return cd + row.relaxation * cv + lambda_scale_ * row.compliance;
}

// The negative of (4) in right_, for rows with compliance.
void Index3Newton::addLaws(const Index3Step& step, const Eigen::VectorXd& lambda) {
  for (Eigen::Index r = 0; r < rows_; ++r) {
    if (hard(r) || isIdle(r)) continue;
    const MechanicalRow& row = laws_[static_cast<std::size_t>(r)];
    const double open = values_.phi[r] + row.compliance * lambda[r] + row.relaxation * values_.phi_velocity[r];
    right_[n_ + r] = -lambda_scale_ * open / divisor(r, step.cv, step.cd);
  }
}

Eval Index3Newton::evaluate(double t, std::span<const double> x) {
  ++counts_.evaluations;
  const Eval eval = system_.values(t, x, modes_, *work_, values_);
  if (eval != Eval::ok) {
    trouble_ = Trouble::equations;
    return eval;
  }
  trouble_ = Trouble::none;
  if (values_.phi_q.cols() != n_) values_.phi_q.resize(rows_, n_);  // without constraints
  if (values_.force.allFinite() && values_.phi.allFinite()) return Eval::ok;
  trouble_ = Trouble::diverged;
  return Eval::retry;
}

// (1)
void Index3Newton::place(const Index3Step& step, const Eigen::VectorXd& u, std::span<double> x) {
  d_ = step.d_base + step.cd * u;
  system_.retract(step.q_start, spanOf(d_), x.first(static_cast<std::size_t>(space_.positions())));
  Eigen::Map<Eigen::VectorXd>(x.data() + space_.velocityOffset(), n_) = step.v_base + step.cv * u;
}

Eval Index3Newton::solve(const Index3Step& step, std::span<double> x, Eigen::VectorXd& u, Eigen::VectorXd& lambda) {
  u_guess_ = u;
  lambda_guess_ = lambda;
  values_known_ = false;
  place(step, u, x);
  bool fresh = false;
  if (!has_matrix_ || rate_ > kGoodRate || std::abs(matrix_cd_ / step.cd - 1) > kOldMatrix) {
    if (const Eval eval = refresh(step, x, u, lambda); eval != Eval::ok) return eval;
    fresh = true;
  }
  for (;;) {
    Eval eval = Eval::ok;
    const Iteration outcome = iterate(step, x, u, lambda, eval);
    if (outcome == Iteration::converged) {
      trouble_ = Trouble::none;
      return Eval::ok;
    }
    has_matrix_ = false;
    if (outcome == Iteration::failed && (fresh || eval == Eval::failed)) return eval;
    if (fresh) return Eval::retry;
    u = u_guess_;
    lambda = lambda_guess_;
    place(step, u, x);
    if (eval = refresh(step, x, u, lambda); eval != Eval::ok) return eval;
    fresh = true;
  }
}

// The negative of (2), in right_.
Eval Index3Newton::residual(const Index3Step& step, const Eigen::VectorXd& u, const Eigen::VectorXd& lambda) {
  right_.head(n_) = values_.force;
  right_.head(n_).noalias() += values_.phi_q.transpose() * lambda;
  if (constant_mass_ != nullptr) {
    right_.head(n_).noalias() -= *constant_mass_ * u;
  } else {
    if (!system_.solveMass({right_.data(), static_cast<std::size_t>(n_)}, *work_)) {
      trouble_ = Trouble::equations;
      return Eval::retry;
    }
    d_ = right_.head(n_) - u;
    right_.head(n_).noalias() = matrix_mass_ * d_;
  }
  right_.tail(rows_) = (-lambda_scale_ / step.cd) * values_.phi;
  if (!laws_.empty()) addLaws(step, lambda);
  for (Eigen::Index r = 0; r < rows_; ++r) {
    if (isIdle(r)) right_[n_ + r] = -lambda[r];
  }
  return Eval::ok;
}

Index3Newton::Iteration Index3Newton::iterate(const Index3Step& step, std::span<double> x, Eigen::VectorXd& u,
                                              Eigen::VectorXd& lambda, Eval& eval) {
  const auto positions = static_cast<std::size_t>(space_.positions());
  double before = 0;
  for (int k = 0; k < kMostIterations; ++k) {
    if (!values_known_ || k > 0) eval = evaluate(step.t, x);
    values_known_ = false;
    if (eval != Eval::ok) return Iteration::failed;
    if (eval = residual(step, u, lambda); eval != Eval::ok) return Iteration::failed;
    solveLinear();
    u += solution_.head(n_);
    lambda += lambda_scale_ * solution_.tail(rows_);
    place(step, u, x);
    ++counts_.iterations;

    const double correction = step.cd * solution_.head(n_).lpNorm<Eigen::Infinity>();
    const double small = kRoundOff * std::max(greatest(x.first(positions)), greatest(spanOf(d_)));
    if (!std::isfinite(correction)) break;
    const double rate = k == 0 ? 0 : correction / before;
    if (correction <= small || (k > 0 && rate < 1 && correction * rate / (1 - rate) <= small)) {
      rate_ = k <= 1 ? std::min(rate, kGoodRate) : rate;
      return Iteration::converged;
    }
    // Coordinates of joints are zero where the drawing is, but the round-off of their rows is that of places.
    if (k > 0 && rate > kSlow && correction <= kFloor * std::max(small, kRoundOff * kUsualSize)) {
      rate_ = kGoodRate;
      return Iteration::converged;
    }
    if (k > 0 && rate >= 1) break;
    before = correction;
  }
  trouble_ = Trouble::diverged;
  eval = Eval::retry;
  return Iteration::slow;
}

Eval Index3Newton::refresh(const Index3Step& step, std::span<const double> x, const Eigen::VectorXd& u,
                           const Eigen::VectorXd& lambda) {
  if (const Eval eval = evaluate(step.t, x); eval != Eval::ok) return eval;
  if (const Eval eval = system_.tangent(step.t, x, spanOf(u), spanOf(lambda), modes_, *work_, tangent_);
      eval != Eval::ok) {
    trouble_ = Trouble::equations;
    return eval;
  }
  if (groups_.empty()) findMotionGroups();
  if (!flat_) motionTangent(step, x.first(static_cast<std::size_t>(space_.positions())));
  values_known_ = true;
  return factor(step.cv, step.cd);
}

// (3), with lambda and the constraints scaled.
Eval Index3Newton::factor(double cv, double cd) {
  SparseMatrix lower = values_.phi_q;
  if (constant_mass_ == nullptr) matrix_mass_ = values_.mass;
  if (flat_) {
    upper_ = mass() + cv * tangent_.C + cd * tangent_.K;
  } else {
    upper_ = mass() + cv * tangent_.C + cd * SparseMatrix(tangent_.K * J_);
    lower = SparseMatrix(values_.phi_q * J_);
  }
  for (Eigen::Index r = 0; r < rows_; ++r) {
    if (hard(r)) continue;
    const MechanicalRow& row = laws_[static_cast<std::size_t>(r)];
    by_motion_[r] = (cd + row.relaxation * cv) / divisor(r, cv, cd);
    by_multiplier_[r] = row.compliance / divisor(r, cv, cd);
  }
  std::vector<Eigen::Triplet<double>> entries;
  const SparseMatrix reactions = values_.phi_q.transpose();
  entries.reserve(static_cast<std::size_t>(upper_.nonZeros() + lower.nonZeros() + reactions.nonZeros()));
  const auto add = [](const SparseMatrix& from, auto&& put) {
    for (int j = 0; j < from.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator it(from, j); it; ++it) put(static_cast<int>(it.row()), j, it.value());
    }
  };
  const int n = static_cast<int>(n_);
  add(upper_, [&](int i, int j, double value) { entries.emplace_back(i, j, value); });
  add(lower,
      [&](int i, int j, double value) { entries.emplace_back(n + i, j, lambda_scale_ * by_motion_[i] * value); });
  add(reactions, [&](int i, int j, double value) { entries.emplace_back(i, n + j, -lambda_scale_ * value); });
  for (int r = 0; r < static_cast<int>(rows_); ++r) {
    if (hard(r) && values_.idle.empty()) continue;
    const double law = hard(r) ? 0.0 : lambda_scale_ * lambda_scale_ * by_multiplier_[r];
    entries.emplace_back(n + r, n + r, isIdle(r) ? lambda_scale_ : law);
  }
  matrix_.resize(n_ + rows_, n_ + rows_);
  matrix_.setFromTriplets(entries.begin(), entries.end());
  ++counts_.factorisations;
  has_matrix_ = lu_.factor(matrix_);
  rate_ = 0;
  matrix_cv_ = cv;
  matrix_cd_ = cd;
  if (has_matrix_) return Eval::ok;
  trouble_ = Trouble::singular;
  return Eval::retry;
}

long Index3Newton::takeEvaluations() {
  const long since = counts_.evaluations - evaluations_taken_;
  evaluations_taken_ = counts_.evaluations;
  return since;
}

void Index3Newton::solveLinear() { lu_.solve(right_, solution_); }

Eval Index3Newton::factorAt(double t, std::span<const double> x) {
  if (const Eval eval = evaluate(t, x); eval != Eval::ok) return eval;
  const Eigen::VectorXd no_lambda = Eigen::VectorXd::Zero(rows_);
  const Eigen::VectorXd no_motion = Eigen::VectorXd::Zero(n_);
  if (const Eval eval = system_.tangent(t, x, spanOf(no_motion), spanOf(no_lambda), modes_, *work_, tangent_);
      eval != Eval::ok) {
    trouble_ = Trouble::equations;
    return eval;
  }
  if (groups_.empty()) findMotionGroups();
  if (!flat_) setIdentity(J_);
  return factor(0, 0);
}

Eval Index3Newton::multipliersAt(double t, std::span<const double> x, const Eigen::VectorXd& a,
                                 Eigen::VectorXd& lambda) {
  if (const Eval eval = factorAt(t, x); eval != Eval::ok) return eval;
  right_.head(n_) = values_.force - mass() * a;
  right_.tail(rows_).setZero();
  lambda.setZero(rows_);
  if (!laws_.empty()) addLaws(Index3Step{}, lambda);
  solveLinear();
  lambda = lambda_scale_ * solution_.tail(rows_);
  return Eval::ok;
}

Eval Index3Newton::velocityDefect(double t, std::span<const double> x, Eigen::VectorXd& out) {
  if (const Eval eval = evaluate(t, x); eval != Eval::ok) return eval;
  out = values_.phi_velocity;
  keepHard(out);
  return Eval::ok;
}

// The matrix may be some steps old, and its constraints then point elsewhere: what is normal to them would leak into
// the tangents. So its solution is refined with the constraints as they were in the last evaluation.
void Index3Newton::filter(const Eigen::VectorXd& error, Eigen::VectorXd& out) {
  out.setZero(n_);
  mu_.setZero(rows_);
  for (int k = 0; k < kFilterSweeps; ++k) {
    right_.head(n_) = massOfMatrix() * error;
    right_.head(n_).noalias() -= upper_ * out;
    right_.head(n_).noalias() += values_.phi_q.transpose() * mu_;
    right_.tail(rows_) = values_.phi_q * out;
    if (!laws_.empty())
      right_.tail(rows_) = by_motion_.cwiseProduct(right_.tail(rows_)) + by_multiplier_.cwiseProduct(mu_);
    right_.tail(rows_) *= -lambda_scale_;
    solveLinear();
    out += solution_.head(n_);
    mu_ += lambda_scale_ * solution_.tail(rows_);
    if (solution_.head(n_).lpNorm<Eigen::Infinity>() <= kFilterRest * out.lpNorm<Eigen::Infinity>()) break;
  }
}

// The matrix may be some steps old: corrected with the rows as they are here.
Eval Index3Newton::normalMotion(double t, std::span<const double> x, const Eigen::VectorXd& rows,
                                Eigen::VectorXd& out) {
  if (!has_matrix_) {
    if (const Eval eval = factorAt(t, x); eval != Eval::ok) return eval;
  } else if (const Eval eval = evaluate(t, x); eval != Eval::ok) {
    return eval;
  }
  out.setZero(n_);
  right_.head(n_).setZero();
  Eigen::VectorXd missing = rows;
  keepHard(missing);
  const double wanted = missing.lpNorm<Eigen::Infinity>();
  for (int k = 0; k < kMostIterations; ++k) {
    missing = values_.phi_q * out;
    missing = rows - missing;
    keepHard(missing);
    right_.tail(rows_) = lambda_scale_ * missing;
    const double left = right_.tail(rows_).lpNorm<Eigen::Infinity>() / lambda_scale_;
    if (left <= kNormalRest * wanted) break;
    solveLinear();
    out += solution_.head(n_);
  }
  return Eval::ok;
}

Eval Index3Newton::closeVelocities(double t, std::span<double> x, bool& moved) {
  moved = false;
  has_matrix_ = false;
  if (const Eval eval = evaluate(t, x); eval != Eval::ok) return eval;
  Eigen::Map<Eigen::VectorXd> v(x.data() + space_.velocityOffset(), n_);
  if (rows_ == 0) return Eval::ok;
  Eigen::VectorXd defect = values_.phi_velocity;
  keepHard(defect);
  if (defect.lpNorm<Eigen::Infinity>() <= kClosedVelocity * v.lpNorm<Eigen::Infinity>()) return Eval::ok;
  Eigen::VectorXd motion;
  if (const Eval eval = normalMotion(t, x, -defect, motion); eval != Eval::ok) return eval;
  v += motion;
  moved = true;
  return Eval::ok;
}

// Two motions belong together in J when T moves the same number of q by both.
void Index3Newton::findMotionGroups() {
  PositionChart chart;
  const std::vector<double> q(static_cast<std::size_t>(space_.positions()), 1.0);
  const std::vector<double> v(static_cast<std::size_t>(n_), 0.0);
  system_.chart(q, v, chart);
  chart.T.prune(0.0);
  const SparseMatrix touching = SparseMatrix(chart.T.transpose()) * chart.T;
  flat_ = touching.nonZeros() == n_;
  J_ = touching;
  std::vector<int> group_of(static_cast<std::size_t>(n_), -1);
  for (int j = 0; j < touching.outerSize(); ++j) {
    std::vector<bool> taken(groups_.size() + 1, false);
    for (SparseMatrix::InnerIterator it(touching, j); it; ++it) {
      const int other = group_of[static_cast<std::size_t>(it.row())];
      if (other >= 0) taken[static_cast<std::size_t>(other)] = true;
    }
    const auto free = std::find(taken.begin(), taken.end(), false) - taken.begin();
    if (static_cast<std::size_t>(free) == groups_.size()) groups_.emplace_back();
    groups_[static_cast<std::size_t>(free)].push_back(j);
    group_of[static_cast<std::size_t>(j)] = static_cast<int>(free);
  }
}

// J by one-sided differences of retract, one for each group.
void Index3Newton::motionTangent(const Index3Step& step, std::span<const double> q) {
  for (const std::vector<int>& group : groups_) {
    std::copy(d_.data(), d_.data() + n_, d_scratch_.begin());
    for (const int j : group) d_scratch_[static_cast<std::size_t>(j)] += kMotionShift;
    system_.retract(step.q_start, d_scratch_, q_shifted_);
    system_.difference(q, q_shifted_, motion_);
    for (const int j : group) {
      for (SparseMatrix::InnerIterator it(J_, j); it; ++it)
        it.valueRef() = motion_[static_cast<std::size_t>(it.row())] / kMotionShift;
    }
  }
}

bool Index3Newton::close(double t, std::span<double> x, double most) {
  const auto q = x.first(static_cast<std::size_t>(space_.positions()));
  Eigen::VectorXd motion;
  double moved = 0;
  for (int k = 0;; ++k) {
    has_matrix_ = false;
    if (evaluate(t, x) != Eval::ok) return false;
    Eigen::VectorXd open = values_.phi;
    keepHard(open);
    if (open.lpNorm<Eigen::Infinity>() <= kClosedPosition * std::max(1.0, greatest(q))) break;
    if (k == kClosingSweeps || normalMotion(t, x, -open, motion) != Eval::ok) return false;
    moved += motion.lpNorm<Eigen::Infinity>();
    if (!(moved <= most)) return false;
    system_.retract(q, spanOf(motion), q_shifted_);
    std::copy(q_shifted_.begin(), q_shifted_.end(), q.begin());
  }
  bool changed = false;
  return closeVelocities(t, x, changed) == Eval::ok && greatest(x) < std::numeric_limits<double>::infinity();
}

// Along q' = T v, with v closed again after each advance; halved where the joints do not close. A dead point takes v to
// infinity as the root of the time left, so that the advances come near to it but not beyond.
double Index3Newton::seekDeadPoint(double t, std::span<const double> x, double t_new) {
  if (trouble_ != Trouble::diverged && trouble_ != Trouble::singular) return t_new;
  std::vector<double> here(x.begin(), x.end());
  std::vector<double> next;
  const double least = kLeastAdvance * (t_new - t);
  double advance = t_new - t;
  while (advance > least && t < t_new) {
    next = here;
    const std::span<const double> v(here.data() + space_.velocityOffset(), static_cast<std::size_t>(n_));
    std::transform(v.begin(), v.end(), d_scratch_.begin(), [&](double rate) { return advance * rate; });
    const double length = greatest(d_scratch_);
    system_.retract(std::span<const double>(here).first(q_shifted_.size()), d_scratch_, q_shifted_);
    std::copy(q_shifted_.begin(), q_shifted_.end(), next.begin());
    const double to = advance < t_new - t ? t + advance : t_new;
    if (close(to, next, length)) {
      here.swap(next);
      t = to;
    } else {
      advance *= 0.5;
    }
  }
  const bool there = evaluate(t, here) == Eval::ok && t < t_new && nearestRow() >= 0;
  trouble_ = there ? Trouble::dead_point : Trouble::diverged;
  return there ? t : t_new;
}

// The hard row nearest to dependence on the others, where there is one; else -1. Rows of equal length: the pivots of
// their products with each other are squared distances from the rows before. Others depend on none.
int Index3Newton::nearestRow() const {
  SparseMatrix rows = values_.phi_q;
  Eigen::VectorXd length = Eigen::VectorXd::Zero(rows_);
  for (int j = 0; j < rows.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator it(rows, j); it; ++it) length[it.row()] += it.value() * it.value();
  }
  Eigen::VectorXd scale = length.cwiseMax(kEps * kEps).cwiseSqrt().cwiseInverse();
  keepHard(scale);
  rows = scale.asDiagonal() * rows;
  SparseMatrix products = rows * SparseMatrix(rows.transpose());
  for (Eigen::Index r = 0; r < rows_; ++r) {
    if (!hard(r) || isIdle(r)) products.coeffRef(r, r) = 1;
  }
  const Eigen::SimplicialLDLT<SparseMatrix> ldlt(products);
  const auto row_of = ldlt.permutationPinv().indices();
  const Eigen::VectorXd pivots = ldlt.vectorD();
  int nearest = -1;
  double least = kDependentRow;
  for (Eigen::Index k = 0; k < rows_ && k < pivots.size(); ++k) {
    if (pivots[k] < least) {
      least = pivots[k];
      nearest = row_of.size() == rows_ ? row_of[k] : static_cast<int>(k);
    }
    if (pivots[k] <= 0) break;  // what follows was not computed
  }
  return nearest;
}

std::string Index3Newton::describeFailure() const {
  if (trouble_ == Trouble::equations) return system_.describeFailure(*work_);
  const int nearest = nearestRow();
  if (trouble_ == Trouble::dead_point) {
    return fmt::format(
        "the mechanism is at a dead point or at the end of its reach: {} hardly differs from the other constraints any "
        "more, and beyond this pose joints and drives cannot be closed; let the drive turn back before it, or drive "
        "another joint",
        system_.rowName(nearest));
  }
  if (nearest >= 0) {
    return fmt::format(
        "the constraints become dependent here ({} adds nothing to the others), and a method that takes them directly "
        "cannot pass such a pose: use --stabilisation projection with an explicit method",
        system_.rowName(nearest));
  }
  if (trouble_ == Trouble::singular) {
    return "the matrix of the implicit step is singular: a body may lack inertia in a direction in which it is free";
  }
  return "Newton's iterations for the step and its constraints do not converge";
}

}  // namespace linkwork
