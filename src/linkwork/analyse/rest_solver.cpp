#include "linkwork/analyse/rest_solver.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/absolute/absolute_mechanical.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kBalanced = 1e-12;         // of the greatest force: round-off of a sum of a few forces
constexpr double kNearlyBalanced = 1e-7;    // good enough where no step makes it better
constexpr double kLargestStepToRest = 0.3;  // of the length, and rad
constexpr double kCloseBy = 0.3;            // so far from the drawing an equilibrium counts as the drawn one
constexpr int kNewtonSteps = 60;
constexpr int kDownSteps = 400;
constexpr int kSettleSteps = 12;  // Newton's, from one load to the next
constexpr double kFirstLoadStep = 0.1;
constexpr double kLeastLoadStep = 1e-3;
// An eigenvalue of the stiffness below this part of the greatest is zero.
constexpr double kNeutral = 1e-8;
constexpr int kBodiesNamed = 4;

// Rows that repeat others, and not only in the pose of the start: those that do so after a step aside.
std::vector<int> repeatingRows(const Mechanism& mechanism, const Assembly& start, double t) {
  if (start.dependent_rows.empty() || start.misfit > 0.0) return start.dependent_rows;
  PosedProblem problem = posedProblem(mechanism, start, t, {});
  PoseMover mover(problem.problem, Drives::held);
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> pose = problem.problem.pose;
  std::vector<double> step(static_cast<std::size_t>(problem.problem.bodies * problem.problem.freedoms));
  for (std::size_t u = 0; u < step.size(); ++u) step[u] = normal(random) / mover.unit(u);
  mover.allow(pose, step);
  const double size = mover.size(step);
  if (!(size > 1e-9)) return start.dependent_rows;
  for (double& value : step) value *= 0.1 / size;
  std::vector<double> aside = pose;
  if (!mover.go(step, aside)) return start.dependent_rows;
  std::fill(step.begin(), step.end(), 0.0);
  mover.allow(aside, step);
  std::vector<int> out;
  for (std::size_t r = 0; r < problem.problem.rows.size(); ++r) {
    if (mover.rowDropped(static_cast<int>(r))) out.push_back(static_cast<int>(r));
  }
  return out;
}

template <class G>
auto potentialIn(const Mechanism& mechanism, double t) {
  const auto equations = std::make_shared<const AbsoluteEquations<G>>(mechanism);
  const auto work = std::make_shared<typename AbsoluteEquations<G>::Work>(equations->makeWork());
  const std::vector<double> still(at(equations->freedoms()), 0.0);
  return [=](std::span<const double> q, std::span<const double> turns) {
    work->turns.assign(turns.begin(), turns.end());
    equations->positions(t, q, *work);
    equations->velocities(still, *work);
    equations->forces(*work);
    return work->potential;
  };
}

}  // namespace

RestSolver::RestSolver(const Mechanism& mechanism, const Assembly& start, double t)
    : held_(heldAt(mechanism, t)),
      t_(t),
      left_out_(repeatingRows(held_, start, t)),
      problem_(posedProblem(held_, start, t, left_out_)),
      mover_(problem_.problem, Drives::held),
      start_q_(start.q),
      start_turns_(start.turns) {
  if (mechanism.space == Space::spatial) {
    system_ = std::make_unique<AbsoluteMechanical<Spatial<double>>>(held_, left_out_);
    potential_ = potentialIn<Spatial<double>>(held_, t);
  } else {
    system_ = std::make_unique<AbsoluteMechanical<Planar<double>>>(held_, left_out_);
    potential_ = potentialIn<Planar<double>>(held_, t);
  }
  work_ = system_->makeWorkspace();
  const int size = problem_.problem.bodies * problem_.problem.freedoms;
  unit_.resize(size);
  for (int u = 0; u < size; ++u) unit_[u] = mover_.unit(at(u));
  freedoms_ = size - static_cast<int>(problem_.problem.rows.size());
}

RestSolver::Pose RestSolver::start() const {
  Pose out;
  out.q = start_q_;
  out.turns = start_turns_;
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  out.Z.resize(unit_.size(), freedoms_);
  for (Eigen::Index c = 0; c < out.Z.cols(); ++c) {
    for (Eigen::Index r = 0; r < out.Z.rows(); ++r) out.Z(r, c) = normal(random);
  }
  return out;
}

double RestSolver::tolerance() const { return kBalanced * force_scale_; }

// Forces, multipliers and allowed motions at a pose. False where a force is no number.
bool RestSolver::weigh(Pose& pose) {
  problem_.set_turns(pose.turns);
  std::vector<double> x = pose.q;
  x.resize(x.size() + at(unit_.size()) + 1, 0.0);
  x.insert(x.end(), pose.turns.begin(), pose.turns.end());
  if (system_->values(t_, x, Modes{}, *work_, values_) != Eval::ok) {
    failure_ = system_->describeFailure(*work_);
    return false;
  }
  for (std::size_t u = 0; u < held_back_.size(); ++u) values_.force[static_cast<Eigen::Index>(u)] -= held_back_[u];
  std::vector<double> v(at(unit_.size()));
  for (Eigen::Index u = 0; u < unit_.size(); ++u) v[at(u)] = values_.force[u] / (unit_[u] * unit_[u]);
  mover_.allow(pose.q, v);
  pose.left = Eigen::Map<const VectorXd>(v.data(), unit_.size()).cwiseProduct(unit_);
  pose.lambda.assign(mover_.multipliers().begin(), mover_.multipliers().end());
  for (double& value : pose.lambda) value = -value;
  pose.off = pose.left.size() > 0 ? pose.left.cwiseAbs().maxCoeff() : 0.0;
  if (unit_.size() > 0) force_scale_ = std::max(force_scale_, values_.force.cwiseQuotient(unit_).cwiseAbs().maxCoeff());
  for (Eigen::Index c = 0; c < pose.Z.cols(); ++c) {
    for (Eigen::Index u = 0; u < unit_.size(); ++u) v[at(u)] = pose.Z(u, c) / unit_[u];
    mover_.allow(pose.q, v);
    pose.Z.col(c) = Eigen::Map<const VectorXd>(v.data(), unit_.size()).cwiseProduct(unit_);
  }
  if (freedoms_ > 0) {
    const Eigen::HouseholderQR<MatrixXd> qr(pose.Z);
    pose.Z = qr.householderQ() * MatrixXd::Identity(pose.Z.rows(), pose.Z.cols());
  }
  pose.g = pose.Z.transpose() * pose.left;
  return true;
}

// The reduced stiffness, N/m.
bool RestSolver::stiffnessAt(const Pose& pose, MatrixXd& K) {
  std::vector<double> x = pose.q;
  x.resize(x.size() + at(unit_.size()) + 1, 0.0);
  x.insert(x.end(), pose.turns.begin(), pose.turns.end());
  if (system_->tangent(t_, x, {}, pose.lambda, Modes{}, *work_, tangent_) != Eval::ok) {
    failure_ = system_->describeFailure(*work_);
    return false;
  }
  const MatrixXd motions = pose.Z.array().colwise() / unit_.array();
  K = motions.transpose() * (tangent_.K * motions);
  return K.allFinite();
}

// A step Z y, shortened if it is too long; share: what was left of it.
bool RestSolver::move(const Pose& from, const VectorXd& y, Pose& to, double& share) {
  const VectorXd d = (from.Z * y).cwiseQuotient(unit_);
  std::vector<double> step(d.data(), d.data() + d.size());
  share = std::min(1.0, kLargestStepToRest / std::max(mover_.size(step), 1e-300));
  for (double& value : step) value *= share;
  to = from;
  problem_.set_turns(from.turns);
  if (!mover_.go(step, to.q)) return false;
  problem_.follow(to.q);
  to.turns = problem_.turns();
  return weigh(to);
}

// True where the forces balance.
bool RestSolver::newton(Pose& pose, double& moved) {
  moved = 0.0;
  if (!weigh(pose)) return false;
  double damping = 0.0;
  MatrixXd K;
  Pose trial;
  for (int k = 0; k < kNewtonSteps; ++k) {
    ++iterations_;
    if (pose.off <= tolerance()) return true;
    if (!stiffnessAt(pose, K)) return false;
    const double size = std::max(K.cwiseAbs().maxCoeff(), 1e-12 * force_scale_ / length());
    MatrixXd normal = K.transpose() * K;
    normal.diagonal().array() += std::max(damping, 1e-24) * size * size;
    const VectorXd y = damping == 0.0 ? VectorXd(K.completeOrthogonalDecomposition().solve(pose.g))
                                      : VectorXd(normal.ldlt().solve(K.transpose() * pose.g));
    double share = 1.0;
    const bool there = y.allFinite() && move(pose, y, trial, share);
    if (there && trial.g.norm() < pose.g.norm() * (1.0 - 1e-4 * share)) {
      moved += std::min(kLargestStepToRest, y.cwiseAbs().maxCoeff() / length());
      pose = trial;
      damping = damping < 1e-6 ? 0.0 : damping * 0.1;
    } else if (pose.off <= kNearlyBalanced * force_scale_ && y.norm() <= 1e-9 * length()) {
      return true;  // at round-off: no step makes it better
    } else {
      damping = damping == 0.0 ? 1e-4 : damping * 10.0;
      if (damping > 1e8) return false;
    }
  }
  return pose.off <= kNearlyBalanced * force_scale_ * 1e-2;
}

// Towards rest, the way the forces pull. True where there is little left to go.
bool RestSolver::letDown(Pose& pose) {
  if (!weigh(pose)) return false;
  MatrixXd K;
  Pose trial;
  for (int k = 0; k < kDownSteps; ++k) {
    ++iterations_;
    if (pose.off <= 1e-4 * force_scale_) return true;
    if (!stiffnessAt(pose, K)) return false;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(MatrixXd(0.5 * (K + K.transpose())));
    const VectorXd pull = eigen.eigenvectors().transpose() * pose.g;
    const double least = 1e-3 * std::max(eigen.eigenvalues().cwiseAbs().maxCoeff(), pose.off / length());
    VectorXd y = eigen.eigenvectors() * pull.cwiseQuotient(eigen.eigenvalues().cwiseAbs().cwiseMax(least));
    bool gone = false;
    for (int half = 0; half < 30 && !gone; ++half, y *= 0.5) {
      double share = 1.0;
      if (!move(pose, y, trial, share)) continue;
      // Not beyond the valley: what is left there must not push back harder than it pulled.
      const VectorXd way = pose.Z * y;
      gone = trial.left.dot(way) >= -0.5 * pose.left.dot(way);
    }
    if (!gone) return false;
    pose = trial;
  }
  return false;
}

// Newton's steps in full, whether or not the forces out of balance get smaller at once: where springs are very stiff in
// some directions and soft in others, a step along a straight line loads the stiff ones first.
bool RestSolver::settle(Pose& pose) {
  MatrixXd K;
  Pose trial;
  for (int k = 0; k < kSettleSteps; ++k) {
    ++iterations_;
    if (!weigh(pose)) return false;
    if (pose.off <= kNearlyBalanced * force_scale_) return true;
    if (!stiffnessAt(pose, K)) return false;
    double share = 1.0;
    const VectorXd y = K.completeOrthogonalDecomposition().solve(pose.g);
    if (!y.allFinite() || !move(pose, y, trial, share)) return false;
    pose = trial;
  }
  return false;
}

// All forces that are out of balance at the start are held back first and let go little by little, from one pose of
// rest to the next.
bool RestSolver::bySteps(Pose& pose) {
  if (!weigh(pose)) return false;
  const std::vector<double> all(values_.force.data(), values_.force.data() + values_.force.size());
  double let_go = 0.0;
  double step = kFirstLoadStep;
  double moved = 0.0;
  while (let_go < 1.0 && step > kLeastLoadStep) {
    const double next = std::min(1.0, let_go + step);
    held_back_ = all;
    for (double& force : held_back_) force *= 1.0 - next;
    Pose trial = pose;
    if (settle(trial)) {
      pose = trial;
      let_go = next;
      step *= 1.5;
    } else {
      step *= 0.5;
    }
  }
  held_back_.clear();
  return let_go == 1.0 && newton(pose, moved);
}

Equilibrium RestSolver::finish(const Pose& pose) {
  Equilibrium out;
  out.q = pose.q;
  out.turns = pose.turns;
  out.velocities = static_cast<int>(unit_.size());
  out.residual = pose.off;
  out.iterations = iterations_;
  out.potential = potential_(pose.q, pose.turns);
  out.ok = true;
  MatrixXd K;
  if (freedoms_ == 0) return out;
  if (!stiffnessAt(pose, K)) {
    out.ok = false;
    out.problem = failure_;
    return out;
  }
  const double size = std::max(K.cwiseAbs().maxCoeff(), force_scale_ / length());
  out.symmetric = (K - K.transpose()).cwiseAbs().maxCoeff() <= 1e-9 * size;
  VectorXd values;
  if (out.symmetric) {
    values = Eigen::SelfAdjointEigenSolver<MatrixXd>(MatrixXd(0.5 * (K + K.transpose())), Eigen::EigenvaluesOnly)
                 .eigenvalues();
  } else {
    values = Eigen::EigenSolver<MatrixXd>(K, false).eigenvalues().real();
  }
  out.stiffness.assign(values.data(), values.data() + values.size());
  std::sort(out.stiffness.begin(), out.stiffness.end());
  for (const double value : out.stiffness) {
    if (std::abs(value) <= kNeutral * size) {
      ++out.neutral_directions;
    } else if (value < 0.0) {
      ++out.unstable_directions;
    }
  }
  out.stability = out.unstable_directions > 0  ? Stability::unstable
                  : out.neutral_directions > 0 ? Stability::neutral
                                               : Stability::stable;
  return out;
}

// "body "crank" lacks 3.2 N and 0.1 N*m", worst first.
std::string RestSolver::outOfBalance(const Pose& pose) const {
  struct Lack {
    int body;
    double force, moment;
  };
  const MobilityProblem& problem = problem_.problem;
  std::vector<Lack> all;
  for (int b = 0; b < problem.bodies; ++b) {
    const auto own = pose.left.segment(b * problem.freedoms, problem.freedoms);
    all.push_back({b, own.head(problem.dimension).norm(),
                   own.tail(problem.freedoms - problem.dimension).norm() * problem.length});
  }
  const auto sizeOf = [&](const Lack& lack) { return std::hypot(lack.force, lack.moment / problem.length); };
  std::sort(all.begin(), all.end(), [&](const Lack& a, const Lack& b) { return sizeOf(a) > sizeOf(b); });
  std::vector<std::string> words;
  for (const Lack& lack : all) {
    if (static_cast<int>(words.size()) == kBodiesNamed || sizeOf(lack) < 1e-3 * sizeOf(all.front())) break;
    std::vector<std::string> parts;
    if (lack.force > 1e-6 * sizeOf(lack)) parts.push_back(fmt::format("{:.3g} N", lack.force));
    if (lack.moment > 1e-6 * sizeOf(lack) * problem.length) parts.push_back(fmt::format("{:.3g} N*m", lack.moment));
    words.push_back(fmt::format("body \"{}\" by {}", problem.body_names[static_cast<std::size_t>(lack.body)],
                                fmt::join(parts, " and ")));
  }
  return fmt::format("no pose was found in which the forces balance; in the best one they are out of balance on {}",
                     fmt::join(words, ", "));
}

Equilibrium RestSolver::fromDrawing() {
  iterations_ = 0;
  failure_.clear();
  Pose near = start();
  double moved = 0.0;
  const bool close = newton(near, moved);
  if (close && moved <= kCloseBy) return finish(near);
  Pose low = start();
  letDown(low);
  if (newton(low, moved)) return finish(low);
  if (close) return finish(near);
  Pose loaded = start();
  if (bySteps(loaded)) return finish(loaded);
  Equilibrium out;
  out.iterations = iterations_;
  out.problem = !failure_.empty() ? failure_ : outOfBalance(low.off < near.off ? low : near);
  out.residual = std::min(low.off, near.off);
  return out;
}

Equilibrium RestSolver::fromRandom(unsigned seed) {
  iterations_ = 0;
  failure_.clear();
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> steps(1, 40);
  Pose pose = start();
  std::vector<double> way(at(unit_.size()));
  for (std::size_t u = 0; u < way.size(); ++u) way[u] = normal(random) / mover_.unit(u);
  const int count = steps(random);
  for (int k = 0; k < count; ++k) {
    problem_.set_turns(pose.turns);
    mover_.allow(pose.q, way);
    const double size = mover_.size(way);
    std::vector<double> step = way;
    for (double& value : step) value *= 0.25 / size;
    std::vector<double> q = pose.q;
    if (!(size > 0.0) || !mover_.go(step, q)) break;
    pose.q = q;
    way = step;
    problem_.follow(pose.q);
    pose.turns = problem_.turns();
  }
  Pose other = pose;
  double moved = 0.0;
  if (newton(pose, moved)) return finish(pose);
  letDown(other);
  if (newton(other, moved)) return finish(other);
  Equilibrium out;
  out.problem = !failure_.empty() ? failure_ : outOfBalance(other);
  return out;
}

}  // namespace linkwork
