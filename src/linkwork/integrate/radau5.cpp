#include "linkwork/integrate/radau5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linkwork/integrate/dense_shifted_solve.hpp"
#include "linkwork/system/sparse_shifted_solve.hpp"
#include "linkwork/system/state_jacobian.hpp"

namespace linkwork {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr int kMostIterations = 7;
constexpr int kMostPatient = 30;  // where the limit of the iteration was given
constexpr double kSafety = 0.9;
constexpr double kMostGrowth = 8;
constexpr double kMostShrink = 5;
constexpr double kFirstShrink = 0.1;  // a first step refused for its error was a guess
constexpr double kKeepRate = 1e-3;    // below this rate of convergence the Jacobian stays
constexpr double kKeepGrowth = 1.2;   // growth not worth new factors
constexpr double kLeastError = 1e-2;
constexpr double kRoundoff = 16 * kEpsilon;  // of the largest entry of a kind: Newton's corrections may get no smaller
constexpr double kStalled = 0.3;             // so small, corrections that fall by less are round-off
// With constraints of index 3 the round-off of closure comes back enlarged by the condition of the links, and a smaller
// step does not help: corrections that stall may be so many times round-off, up to this share of the tolerance.
constexpr double kEnlarged = 300;
constexpr double kStalledShare = 0.1;
constexpr double kStalledNear = 0.9;
constexpr double kStalledFar = 1e4;  // tolerances; what is farther off is no round-off
constexpr int kMostStalls = 6;       // in a row, each with a smaller step
// A row is near dependence where its relative pivot has fallen by this; the round-off of closure is enlarged by it.
constexpr double kLowRank = 0.1;

// Of the collocation polynomial u(theta) = y + sum_i l_i(theta) Z_i through 0, c_1, c_2, 1: l_i'(0) and l_i'(1).
const double kRoot6 = std::sqrt(6.0);
const double kSlopeStart[3] = {(13 + 7 * kRoot6) / 3, (13 - 7 * kRoot6) / 3, 1. / 3};

double lagrange(int i, double theta) {
  const auto& c = radauScheme().c;
  double out = theta / c[i];
  for (int j = 0; j < 3; ++j) {
    if (j != i) out *= (theta - c[j]) / (c[i] - c[j]);
  }
  return out;
}

double lagrangeSlopeAtEnd(int i) {
  const auto& c = radauScheme().c;
  if (i == 2) return 1 + 1 / (1 - c[0]) + 1 / (1 - c[1]);
  const double other = c[1 - i];
  return (1 - other) / (c[i] * (c[i] - other) * (c[i] - 1));
}

// The most of theta (theta - c_1)(theta - c_2)(1 - theta)/(c_1 c_2) from 0 to 1.
constexpr double kMostAcross = 0.18;

// Refusals of a step for what lies between its nodes alone. What does not fall with the step is no matter of the step.
constexpr int kMostTooCoarse = 4;
// The rate at which a Jacobian of an earlier step is trusted to close constraints, whatever the last iteration did.
constexpr double kOldRate = 0.05;

// What rtol is in a norm of errors of order 3.
double loosened(double rtol) { return 0.1 * std::pow(rtol, 2. / 3); }

bool index2Velocities(const DaeSystem* dae) {
  if (dae == nullptr) return false;
  const auto index = dae->index().first(static_cast<std::size_t>(dae->space().controlled()));
  return std::any_of(index.begin(), index.end(), [](int i) { return i > 1; });
}

std::span<const double> spanOf(const Eigen::VectorXd& values) {
  return {values.data(), static_cast<std::size_t>(values.size())};
}
template <class Number>
std::span<Number> spanOf(Eigen::Matrix<Number, Eigen::Dynamic, 1>& values) {
  return {values.data(), static_cast<std::size_t>(values.size())};
}

}  // namespace

Radau5::Radau5(const OdeSystem& system, const IntegratorOptions& options, double newton_limit)
    : AdaptiveIntegrator(system, options),
      dae_(system.dae()),
      scaled_velocities_(options.velocity_errors == VelocityErrors::times_step),
      size_(space_.size()) {
  const bool index2_velocities = index2Velocities(dae_);
  index3_ = index2_velocities && dae_->multipliers() > 0;
  rtol_ = index2_velocities ? options.rtol : loosened(options.rtol);
  atol_ = rtol_ * (options.atol / options.rtol);
  newton_limit_ = newton_limit > 0 ? newton_limit : std::max(10 * kEpsilon / rtol_, std::min(0.03, std::sqrt(rtol_)));
  most_iterations_ = newton_limit > 0 ? kMostPatient : kMostIterations;
  for (int k = 0; k < space_.controlled(); ++k) judged_.push_back(k);
  if (dae_ != nullptr) {
    dae_work_ = dae_->makeWorkspace();
    z_.resize(static_cast<std::size_t>(dae_->algebraic()));
    size_ += dae_->algebraic();
    const auto index = dae_->index();
    for (int k = space_.size(); k < size_; ++k) {
      if (index[static_cast<std::size_t>(k)] == 1) judged_.push_back(k);
    }
  }
  makeSolve();
  for (Vector* vector :
       {&y_, &F_start_, &y_stage_, &error_, &right_, &product_, &tolerance_, &newton_scale_, &floor_}) {
    vector->setZero(size_);
  }
  complex_right_.setZero(size_);
  for (auto* group : {&Z_, &W_, &F_, &Z_last_}) {
    for (Vector& vector : *group) vector.setZero(size_);
  }
  slope_start_.resize(x_.size());
  slope_end_.resize(x_.size());
  fourth_.resize(x_.size());
}

// What the equations offer; else sparse matrices where constraints are kept, and full ones from differences elsewhere.
void Radau5::makeSolve() {
  solve_ = dae_ != nullptr ? dae_->makeShiftedSolve() : makeShiftedSolve(system_);
  if (solve_ != nullptr) return;
  if (dae_ != nullptr) {
    SparseShiftedSolve::Jacobian jacobian{
        [this](double t, std::span<const double> y, const Modes& modes, SparseMatrix& J) {
          return dae_->jacobian(t, y, modes, *dae_work_, J);
        },
        [this] { return dae_->describeFailure(*dae_work_); }};
    solve_ = std::make_unique<SparseShiftedSolve>(dae_->B(), std::move(jacobian), dae_->index());
    return;
  }
  by_differences_ = true;
  solve_ = std::make_unique<DenseShiftedSolve>(size_, space_.controlled(),
                                               [this](Eigen::MatrixXd& J) { return differences(J); });
}

void Radau5::timesB(const Vector& y, Vector& out) const {
  if (dae_ == nullptr) {
    out = y;
  } else {
    out.noalias() = dae_->B() * y;
  }
}

std::span<const double> Radau5::multipliers() const {
  if (dae_ == nullptr) return {};
  return std::span(z_).first(static_cast<std::size_t>(dae_->multipliers()));
}

std::string Radau5::describeTrouble() const {
  switch (ask_) {
    case Ask::dae: return dae_->describeFailure(*dae_work_);
    case Ask::solve: return solve_->describeFailure();
    case Ask::round_off: return describeRoundOff();
    default: return Integrator::describeTrouble();
  }
}

bool Radau5::nearLowRank() const { return rows() && rows()->smallest_pivot < kLowRank * largest_pivot_; }

// The round-off of positions does not fall with the step, and divided by it becomes one of velocities.
std::string Radau5::describeRoundOff() const {
  if (nearLowRank()) {
    return fmt::format(
        "the constraints come to depend on each other here (relative pivot {:.1g}): near a pose of lower rank they "
        "cannot be held as equations at this tolerance; projection passes such poses",
        rows()->smallest_pivot);
  }
  return fmt::format(
      "round-off: the constraints{} can be solved to {:.1g} of this tolerance and no nearer, however small the step. "
      "The tightest that goes here is about rtol = {:.0e}, with atol in proportion; {} further",
      index3_ ? " of index 3" : "", stalled_at_, rtol_ * std::max(2.0, stalled_at_ / kStalledShare),
      index3_ ? "ggl and projection go" : "projection goes");
}

StepStatus Radau5::start() {
  jacobians_ = factorisations_ = 0;
  largest_pivot_ = 0;
  h_ = 0;
  if (const StepStatus status = restart(); status != StepStatus::ok) return status;
  // The error estimate is of order 3.
  return chooseFirstStep(rtol_, atol_, 4, h_) == Eval::failed ? fail(StepStatus::failed) : StepStatus::ok;
}

StepStatus Radau5::restart() {
  first_ = true;
  keep_jacobian_ = false;
  h_factored_ = 0;
  h_last_ = 0;
  rate_start_ = 1;
  ask_ = Ask::system;
  if (dae_ == nullptr) return StepStatus::ok;
  const Eval eval = dae_->start(t_, x_, modes_, *dae_work_, spanOf(y_), spanOf(F_start_));
  if (eval != Eval::ok) {
    ask_ = Ask::dae;
    note(t_, "", AskSystem::yes);
    return fail(StepStatus::failed, "the multipliers cannot be had: ");
  }
  std::copy(y_.begin() + space_.size(), y_.end(), z_.begin());
  return StepStatus::ok;
}

Eval Radau5::rightSide(double t, const Vector& y, Vector& F) {
  ask_ = dae_ != nullptr ? Ask::dae : Ask::system;
  if (dae_ == nullptr) {
    if (const Eval eval = evaluate(t, spanOf(y), spanOf(F)); eval != Eval::ok) return eval;
  } else {
    countEvaluation();
    if (const Eval eval = dae_->rightSide(timeAsked(t), spanOf(y), modes_, *dae_work_, spanOf(F)); eval != Eval::ok) {
      note(t, "", AskSystem::yes);
      return eval;
    }
  }
  if (F.allFinite()) return Eval::ok;
  note(t, "the equations give a value that is not a finite number", AskSystem::no);
  return Eval::retry;
}

// Column by column, on the other side where the first cannot be evaluated.
Eval Radau5::differences(Eigen::MatrixXd& J) {
  y_stage_ = y_;
  for (int k = 0; k < space_.controlled(); ++k) {
    double step = std::sqrt(kEpsilon * std::max(1e-5, std::abs(y_[k])));
    Eval eval = Eval::retry;
    for (int side = 0; side < 2 && eval != Eval::ok; ++side) {
      if (side > 0) step = -step;
      y_stage_[k] = y_[k] + step;
      eval = rightSide(t_, y_stage_, F_[0]);
    }
    y_stage_[k] = y_[k];
    if (eval != Eval::ok) return eval;
    const auto n = space_.controlled();
    J.col(k) = (F_[0].head(n) - F_start_.head(n)) / step;
  }
  return Eval::ok;
}

Eval Radau5::updateJacobian() {
  ++jacobians_;
  if (by_differences_) return solve_->linearise(t_, spanOf(y_), modes_);
  countEvaluation();
  const Eval eval = solve_->linearise(t_, spanOf(y_), modes_);
  ask_ = Ask::solve;
  if (eval != Eval::ok) note(t_, "", AskSystem::yes);
  return eval;
}

// Jacobian and factors for steps of h.
Eval Radau5::prepare(double h) {
  if (!keep_jacobian_ && !jacobian_here_) {
    if (const Eval eval = updateJacobian(); eval != Eval::ok) return eval;
    jacobian_here_ = true;
    h_factored_ = 0;
  }
  if (h == h_factored_) return Eval::ok;
  ++factorisations_;
  if (!solve_->factor(radauScheme().shifts(h))) {
    h_factored_ = 0;
    note(t_,
         "the equations of a step are singular: constraints depend on each other, or a body has no inertia in a "
         "free direction",
         AskSystem::no);
    return Eval::retry;
  }
  h_factored_ = h;
  return Eval::ok;
}

// Goes on along the last step's polynomial; at a start, along the slope.
void Radau5::predict(double h) {
  const RadauScheme& scheme = radauScheme();
  for (std::size_t i = 0; i < 3; ++i) {
    const double c = scheme.c[i];
    if (h_last_ > 0) {
      const double theta = 1 + c * h / h_last_;
      Z_[i] = lagrange(0, theta) * Z_last_[0] + lagrange(1, theta) * Z_last_[1];
      Z_[i] += (lagrange(2, theta) - 1) * Z_last_[2];
    } else {
      Z_[i].setZero();
      for (int k = 0; k < space_.size(); ++k) Z_[i][k] = c * h * slope_[static_cast<std::size_t>(k)];
    }
  }
  for (int i = 0; i < 3; ++i) {
    const auto row = scheme.T_inverse.row(i);
    W_[static_cast<std::size_t>(i)] = row[0] * Z_[0] + row[1] * Z_[1] + row[2] * Z_[2];
  }
}

// What an error may be, from y and y + Z_3, and what Newton's corrections must come down to, or to floor_ and no
// further. The floor is round-off of the largest entry of a kind; velocities of index 2 see that of positions divided
// by h. It is no goal: the largest may be the angle of a crank after some turns, and corrections of lengths get far
// below that.
void Radau5::setTolerance(double h) {
  const int nq = space_.positions();
  const int nv = space_.velocities();
  const double h_weight = std::min(1.0, h);
  const double largest_q = nq > 0 ? y_.head(nq).cwiseAbs().maxCoeff() : 0.0;
  const double largest_v = nv > 0 ? y_.segment(nq, nv).cwiseAbs().maxCoeff() : 0.0;
  for (const int k : judged_) {
    // Times the step: as velocities of index 2.
    const bool scaled = scaled_velocities_ && k >= nq && k < nq + nv;
    const int index = dae_ == nullptr ? (scaled ? 2 : 1) : dae_->index()[static_cast<std::size_t>(k)];
    const double weight = std::pow(h_weight, index - 1);
    const double size = std::max(std::abs(y_[k]), std::abs(y_[k] + Z_[2][k]));
    double largest = k < nq ? largest_q : k < nq + nv ? largest_v : size;
    if (index > 1) largest = std::max(largest, largest_q / weight);
    tolerance_[k] = std::max((atol_ + rtol_ * size) / weight, kRoundoff * largest);
    newton_scale_[k] = newton_limit_ * (atol_ + rtol_ * size) / weight;
    floor_[k] = std::max(newton_scale_[k], kRoundoff * largest);
  }
}

double Radau5::norm(const Vector& d, const Vector& scale) const {
  double out = 0;
  for (const int k : judged_) {
    const double size = std::abs(d[k]) / scale[k];
    if (std::isnan(size)) return size;
    out = std::max(out, size);
  }
  return out;
}

// One iteration. The size of its correction: 1 where it is small enough; above_floor: 1 where it may be round-off.
//   (gamma/h B - J) dW_1 = (T^-1 F)_1 - gamma/h B W_1, and the other two as one complex equation     [eq. 4.10]
Eval Radau5::correctStages(double t_new, double h, Correction& correction) {
  const RadauScheme& scheme = radauScheme();
  for (std::size_t i = 0; i < 3; ++i) {
    y_stage_ = y_ + Z_[i];
    const Eval eval = rightSide(i == 2 ? t_new : t_ + scheme.c[i] * h, y_stage_, F_[i]);
    if (eval != Eval::ok) return eval;
  }
  const auto transformed = [&](int row) {
    return scheme.T_inverse(row, 0) * F_[0] + scheme.T_inverse(row, 1) * F_[1] + scheme.T_inverse(row, 2) * F_[2];
  };
  timesB(W_[0], product_);
  right_ = transformed(0) - scheme.gamma / h * product_;
  y_stage_ = scheme.alpha / h * W_[1] + scheme.beta / h * W_[2];
  timesB(y_stage_, product_);
  complex_right_.real() = transformed(1) - product_;
  y_stage_ = scheme.alpha / h * W_[2] - scheme.beta / h * W_[1];
  timesB(y_stage_, product_);
  complex_right_.imag() = transformed(2) - product_;
  solve_->solve(spanOf(right_));
  solve_->solve(spanOf(complex_right_));
  W_[0] += right_;
  W_[1] += complex_right_.real();
  W_[2] += complex_right_.imag();
  for (int i = 0; i < 3; ++i) {
    const auto row = scheme.T.row(i);
    Z_[static_cast<std::size_t>(i)] = row[0] * W_[0] + row[1] * W_[1] + row[2] * W_[2];
  }
  product_ = complex_right_.cwiseAbs();
  correction.size = std::max(norm(right_, newton_scale_), norm(product_, newton_scale_));
  correction.above_floor = std::max(norm(right_, floor_), norm(product_, floor_));
  return Eval::ok;
}

Radau5::Newton Radau5::solveStages(double t_new, double h) {
  Newton out;
  const bool closes = dae_ != nullptr && dae_->multipliers() > 0 && !jacobian_here_;
  double eta = std::max(std::pow(std::max(rate_start_, kEpsilon), 0.8), closes ? kOldRate : 0.0);
  double size_before = 0;
  double ratio_before = 0;
  bool small = false;
  for (int k = 1; k <= most_iterations_; ++k) {
    Correction correction;
    out.iterations = k;
    const Eval eval = correctStages(t_new, h, correction);
    const double size = correction.size;
    if (eval != Eval::ok) {
      out.end = eval == Eval::retry ? Newton::End::retry : Newton::End::failed;
      return out;
    }
    if (!std::isfinite(size)) return out;
    small = small || correction.above_floor <= 1;  // and stays so: round-off goes up and down
    // With a new Jacobian it does not get better; with a smaller step neither, and velocities get worse.
    const bool near =
        index3_ && jacobian_here_ && correction.above_floor <= kEnlarged && size * newton_limit_ <= kStalledShare;
    const double ratio = k > 1 ? size / size_before : 0;
    // Round-off says nothing of the rate.
    const bool stalled = k > 1 && ((small && ratio > kStalled) || (near && ratio > kStalledNear) ||
                                   ((small || near) && k == most_iterations_));
    if (k > 1 && !stalled) {
      out.rate = k == 2 ? ratio : std::sqrt(ratio * ratio_before);
      ratio_before = ratio;
      if (out.rate < 0.99) {
        eta = out.rate / (1 - out.rate);
        const int left = most_iterations_ - k;
        const double expected = eta * size * std::pow(out.rate, left);
        if (expected >= 1 && size > 1 && !small && !near) {
          out.shrink = std::max(0.1, 0.8 * std::pow(std::clamp(expected, 1e-4, 20.), -1. / (4 + left)));
          if (out.rate > kStalled) out.stalled_at = size * newton_limit_;
          return out;
        }
      } else if (!small) {
        out.stalled_at = size * newton_limit_;
        return out;
      }
    }
    if (eta * size <= 1 || (k > 1 && size <= 1) || stalled) {
      rate_start_ = eta;
      out.end = Newton::End::converged;
      return out;
    }
    size_before = std::max(size, std::numeric_limits<double>::min());
  }
  return out;
}

double Radau5::estimateError(double h, bool filter_again) {
  right_ = (-kSlopeStart[0] / h) * Z_[0] - (kSlopeStart[1] / h) * Z_[1] - (kSlopeStart[2] / h) * Z_[2];
  timesB(right_, product_);
  error_ = F_start_ + product_;
  solve_->solve(spanOf(error_));
  double error = norm(error_, tolerance_);
  if (error >= 1 && filter_again) {
    y_stage_ = y_ + error_;
    if (rightSide(t_, y_stage_, F_[0]) == Eval::ok) {
      error_ = F_[0] + product_;
      solve_->solve(spanOf(error_));
      error = norm(error_, tolerance_);
    }
  }
  return error;
}

// How far positions leave the constraints between the nodes, as a share of what they may: constraints that hold at the
// nodes are not in the error estimate, and where drives prescribe all that moves nothing is.
double Radau5::errorBetweenNodes(double h) const {
  // A state between two steps, from which a run may have started anew, is closed in the first stage, however near.
  if (dae_ == nullptr || dae_->multipliers() == 0 || first_) return 0;
  double out = 0;
  for (int k = 0; k < space_.positions(); ++k) {
    const double across = h * slope_[static_cast<std::size_t>(k)] - startSlope(k) - radauScheme().gamma * error_[k];
    out = std::max(out, std::abs(across) / tolerance_[k]);
  }
  return kMostAcross * out * std::min(1.0, rtol_ / loosened(options_.rtol));
}

// h u'(0)
double Radau5::startSlope(Eigen::Index k) const {
  return kSlopeStart[0] * Z_[0][k] + kSlopeStart[1] * Z_[1][k] + kSlopeStart[2] * Z_[2][k];
}

// The collocation polynomial u and the leading term of its error, whose slope at the start is D = h (y' - u'):
//   where y' follows the equations at the stages     e = D (theta - 4.5 theta^2 + 6 theta^3 - 2.5 theta^4)
//   where constraints hold the stages themselves     e = D theta (theta - c_1)(theta - c_2)(1 - theta)/(c_1 c_2)
// The first D is gamma times the error estimate, in which neither stiff parts nor directions across the constraints are
// left. What is left of h T v - h u' for positions is that of the second.                                 [eq. 4.15]
void Radau5::setDense(double h) {
  const double gamma = radauScheme().gamma;
  const auto quartic = dense_.quartic();
  const auto defects = [&](std::size_t i, double slope) {
    const auto k = static_cast<Eigen::Index>(i);
    const double along = k < space_.controlled() ? gamma * error_[k] : 0;
    const double across = dae_ != nullptr && k < space_.positions() ? h * slope_[i] - slope - along : 0;
    return std::array<double, 2>{along, across};
  };
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const double start = startSlope(static_cast<Eigen::Index>(i));
    double end = 0;
    for (int stage = 0; stage < 3; ++stage)
      end += lagrangeSlopeAtEnd(stage) * Z_[static_cast<std::size_t>(stage)][static_cast<Eigen::Index>(i)];
    const auto [along, across] = defects(i, start);
    slope_start_[i] = start + along + across;
    slope_end_[i] = end - 3 * across;
    fourth_[i] = -2.5 * along - 10 * across;
  }
  dense_.setEnds(1, x_, slope_start_, raw_x_new_);
  dense_.setLastSlope(1, slope_end_);
  std::copy(fourth_.begin(), fourth_.end(), quartic.begin());
}

// The stages of w, Z_i = h sum_j a_ij w'(Y_j): Newton's iteration has seen w' before its last correction only.
Eval Radau5::solveQuadratures(double t_new, double h) {
  const RadauScheme& scheme = radauScheme();
  const int from = space_.quadratureOffset();
  const int count = space_.quadratures();
  if (count == 0) return Eval::ok;
  for (std::size_t i = 0; i < 3; ++i) {
    y_stage_ = y_ + Z_[i];
    const Eval eval = rightSide(i == 2 ? t_new : t_ + scheme.c[i] * h, y_stage_, F_[i]);
    if (eval != Eval::ok) return eval;
  }
  for (int i = 0; i < 3; ++i) {
    Z_[static_cast<std::size_t>(i)].segment(from, count) =
        h * (scheme.A(i, 0) * F_[0].segment(from, count) + scheme.A(i, 1) * F_[1].segment(from, count) +
             scheme.A(i, 2) * F_[2].segment(from, count));
  }
  return Eval::ok;
}

Eval Radau5::accept(double t_new, double h, StepStatus& status) {
  if (const Eval eval = solveQuadratures(t_new, h); eval != Eval::ok) return eval;
  for (std::size_t i = 0; i < x_.size(); ++i) x_new_[i] = x_[i] + Z_[2][static_cast<Eigen::Index>(i)];
  ask_ = Ask::system;
  const AfterStep after = correct(t_new);
  if (after.eval != Eval::ok) return after.eval;
  setDense(h);
  if (after.changed) dense_.addCorrection(raw_x_new_, x_new_);
  for (std::size_t i = 0; i < z_.size(); ++i) z_[i] += Z_[2][space_.size() + static_cast<Eigen::Index>(i)];
  Z_last_.swap(Z_);
  status = commit(t_new, h, EndSlope::unknown, after);
  return Eval::ok;
}

void Radau5::noteDivergence(const Newton& newton) {
  if (dae_ != nullptr && (nearLowRank() || (newton.stalled_at > 0 && newton.stalled_at < kStalledFar))) {
    stalled_at_ = newton.stalled_at;
    ask_ = Ask::round_off;
    note(t_, "", AskSystem::yes);
    return;
  }
  note(t_, "Newton's iteration does not converge however small the step: here the equations jump or have no solution",
       AskSystem::no);
}

Radau5::Attempt Radau5::tryStep(double t_new, double h, bool rejected) {
  Attempt out;
  predict(h);
  setTolerance(h);
  out.newton = solveStages(t_new, h);
  if (out.newton.end != Newton::End::converged) {
    out.end = out.newton.end == Newton::End::retry    ? Attempt::End::retry
              : out.newton.end == Newton::End::failed ? Attempt::End::failed
                                                      : Attempt::End::diverged;
    if (out.end == Attempt::End::diverged) noteDivergence(out.newton);
    return out;
  }
  setTolerance(h);
  out.error = std::max(estimateError(h, first_ || rejected), 1e-10);
  const double between = errorBetweenNodes(h);
  if (out.error <= 1 && between > 1) ++too_coarse_;
  if (!std::isnan(out.error) && too_coarse_ <= kMostTooCoarse) out.error = std::max(out.error, between);
  if (std::isnan(out.error)) {
    note(t_, "the equations give a value that is not a finite number", AskSystem::no);
    out.end = Attempt::End::retry;
  } else if (out.error > 1) {
    noteErrorTooLarge();
    out.end = Attempt::End::too_large;
  } else {
    const Eval eval = accept(t_new, h, out.status);
    out.end = eval == Eval::ok ? Attempt::End::taken : eval == Eval::retry ? Attempt::End::retry : Attempt::End::failed;
  }
  return out;
}

// Less for every Newton iteration; and not more than the trend of the last two errors allows (Gustafsson).
double Radau5::nextStep(double h, const Attempt& attempt) const {
  const double work = (1. + 2 * kMostIterations) / (attempt.newton.iterations + 2 * kMostIterations);
  double quotient = std::pow(attempt.error, 0.25) / (kSafety * std::min(1., work));
  quotient = std::clamp(quotient, 1 / kMostGrowth, kMostShrink);
  if (attempt.end == Attempt::End::taken && !first_) {
    const double trend = h_last_ / h * std::pow(attempt.error * attempt.error / error_last_, 0.25) / kSafety;
    quotient = std::max(quotient, std::clamp(trend, 1 / kMostGrowth, kMostShrink));
  }
  return h / quotient;
}

void Radau5::afterRejection(double h, const Attempt& attempt) {
  countRejection();
  switch (attempt.end) {
    case Attempt::End::too_large: h_ = first_ ? kFirstShrink * h : nextStep(h, attempt); break;
    case Attempt::End::diverged:
      // An old Jacobian may be to blame: a new one first, then a smaller step.
      h_ = jacobian_here_ ? attempt.newton.shrink * h : h;
      keep_jacobian_ = false;
      rate_start_ = 1;
      break;
    default: h_ = kRetryShrink * h; rate_start_ = 1;
  }
}

// In shorter steps the round-off of positions, divided by the step, is more than this share of the velocities.
double Radau5::shortestAgainstRoundOff() const {
  constexpr double kShare = 1e-4;
  const int nq = space_.positions();
  const double largest_q = nq > 0 ? y_.head(nq).cwiseAbs().maxCoeff() : 0.0;
  const double largest_v = space_.velocities() > 0 ? y_.segment(nq, space_.velocities()).cwiseAbs().maxCoeff() : 0.0;
  return largest_v > 0.0 ? kRoundoff * largest_q / (kShare * largest_v) : 0.0;
}

StepStatus Radau5::advance() {
  std::copy(x_.begin(), x_.end(), y_.begin());
  std::copy(z_.begin(), z_.end(), y_.begin() + space_.size());
  std::copy(slope_.begin(), slope_.end(), F_start_.begin());
  if (dae_ != nullptr && rightSide(t_, y_, F_start_) != Eval::ok) return fail(StepStatus::failed);
  jacobian_here_ = false;
  bool rejected = false;
  stalls_ = 0;
  too_coarse_ = 0;
  stalled_at_ = 0;
  if (rows()) largest_pivot_ = std::max(largest_pivot_, rows()->smallest_pivot);
  for (;;) {
    const auto [h, t_new] = reach(h_);

    Attempt attempt;
    const Eval ready = prepare(h);
    if (ready == Eval::ok) {
      attempt = tryStep(t_new, h, rejected);
    } else {
      attempt.end = ready == Eval::retry ? Attempt::End::retry : Attempt::End::failed;
    }
    if (attempt.end == Attempt::End::failed) return fail(StepStatus::failed);
    if (attempt.end == Attempt::End::taken) {
      double next = nextStep(h, attempt);
      if (rejected) next = std::min(next, h);
      keep_jacobian_ = attempt.newton.rate <= kKeepRate && attempt.newton.iterations > 1
                           ? true
                           : keep_jacobian_ && attempt.newton.iterations == 1;
      h_ = keep_jacobian_ && next >= h && next <= kKeepGrowth * h ? h : next;
      h_last_ = h;
      error_last_ = std::max(attempt.error, kLeastError);
      first_ = false;
      return attempt.status;
    }
    rejected = true;
    afterRejection(h, attempt);
    // Steps so short that round-off alone moves them would leave velocities of round-off behind.
    const bool stalled =
        index3_ && jacobian_here_ && attempt.end == Attempt::End::diverged && attempt.newton.stalled_at > 0;
    stalls_ += stalled ? 1 : 0;
    if (index3_ && stalled_at_ > 0 && h_ < shortestAgainstRoundOff()) {
      ask_ = Ask::round_off;
      note(t_, "", AskSystem::yes);
      return failUnderflow(h_);
    }
    if (h_ < smallestStep() || stalls_ > kMostStalls) return failUnderflow(std::max(h_, smallestStep()));
  }
}

}  // namespace linkwork
