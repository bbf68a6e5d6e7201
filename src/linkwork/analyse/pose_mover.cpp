#include "linkwork/analyse/pose_mover.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linkwork/base/index.hpp"
#include "linkwork/linalg/norm.hpp"
#include "linkwork/topology/spanning_tree.hpp"

namespace linkwork {

namespace {

// As in the equations of motion: a row nearer than 1e-5 of its length to the others adds nothing to a velocity.
constexpr double kDependentDirection = 1e-10;
constexpr double kClosed = 1e-13;  // of the mechanism's size: round-off of a sum of a few lengths
constexpr double kLargest = 0.3;   // share of the length, and turn, in one iteration
constexpr int kIterations = 100;

}  // namespace

PoseMover::PoseMover(const MobilityProblem& problem, Drives drives)
    : problem_(problem), phi_(problem.rows.size()), jacobian_(problem.row_bodies.size() * at(problem.freedoms)) {
  KktStructure s;
  s.freedoms = problem.freedoms;
  s.bodies = problem.bodies;
  for (int k = 0; k < s.freedoms; ++k) s.mass_entries.push_back({k, k});
  std::vector<Connection> connections;
  std::vector<std::vector<int>> rows_of;
  for (const MobilityGroup& group : problem.groups) {
    if (group.is_drive && drives == Drives::let_go) continue;
    std::vector<int> position_rows;
    for (int r = group.first_row; r < group.first_row + group.rows; ++r) {
      if (problem.rows[at(r)].level == RowLevel::position) position_rows.push_back(r);
    }
    if (position_rows.empty() && group.rows > 0) continue;  // keeps its bodies in no place
    connections.push_back({group.first, group.second, group.related});
    rows_of.emplace_back();
    for (const int r : position_rows) {
      rows_of.back().push_back(static_cast<int>(rows_.size()));
      rows_.push_back(r);
      s.row_bodies.insert(s.row_bodies.end(), problem.row_bodies.begin() + problem.row_start[at(r)],
                          problem.row_bodies.begin() + problem.row_start[at(r) + 1]);
      s.row_start.push_back(static_cast<int>(s.row_bodies.size()));
    }
  }
  for (const int node : eliminationOrder(planSpanningTree(s.bodies, connections), connections)) {
    if (node < s.bodies) {
      s.order.push_back(node);
    } else {
      for (const int r : rows_of[at(node - s.bodies)]) s.order.push_back(s.bodies + r);
    }
  }
  kkt_.emplace(std::move(s));
  for (int b = 0; b < problem.bodies; ++b) {
    for (int k = 0; k < problem.freedoms; ++k) {
      const double scale = problem.freedom_scale[at(k)];
      kkt_->mass()[at(b * problem.freedoms + k)] = scale * scale;
    }
  }
  f_.resize(at(problem.bodies * problem.freedoms));
  g_.resize(rows_.size());
  doubtful_.assign(rows_.size(), 1);
}

// Phi and its Jacobian at a pose; the norm of Phi, rows in metres.
double PoseMover::fill(std::span<const double> pose) {
  problem_.evaluate(pose, phi_, jacobian_);
  double sum = 0.0;
  std::size_t next = 0;
  for (const int r : rows_) {
    const double value = phi_[at(r)] * problem_.rows[at(r)].scale;
    sum += value * value;
    for (int p = problem_.row_start[at(r)] * problem_.freedoms; p < problem_.row_start[at(r) + 1] * problem_.freedoms;
         ++p) {
      kkt_->jacobian()[next++] = jacobian_[at(p)];
    }
  }
  return std::sqrt(sum);
}

void PoseMover::allow(std::span<const double> pose, std::span<double> v) {
  fill(pose);
  factored_ = kkt_->factor({.row = kDependentDirection, .doubtful_row = kDependentDirection, .doubtful = doubtful_});
  for (std::size_t u = 0; u < v.size(); ++u) f_[u] = v[u] * kkt_->mass()[u];
  std::fill(g_.begin(), g_.end(), 0.0);
  kkt_->solve(f_, g_);
  std::copy(f_.begin(), f_.end(), v.begin());
}

// f_ <- a damped Gauss-Newton step from what fill() left, limited in length.
bool PoseMover::newtonStep(double damping) {
  if (kkt_->factor({.row = 0.0, .damping = damping}).singular_body >= 0) return false;
  std::fill(f_.begin(), f_.end(), 0.0);
  for (std::size_t r = 0; r < g_.size(); ++r) g_[r] = -phi_[at(rows_[r])];
  kkt_->solveDamped(f_, g_);
  if (!allFinite(f_)) return false;
  const double scale = std::min(1.0, kLargest / std::max(size(f_), 1e-300));
  for (double& value : f_) value *= scale;
  return true;
}

bool PoseMover::go(std::span<double> step, std::vector<double>& pose) {
  problem_.move(step, pose);
  double boost = 1.0;
  double before = fill(pose);
  for (int k = 0; k < kIterations; ++k) {
    const double tolerance =
        kClosed * std::max(problem_.length, normInf(pose)) * std::sqrt(1.0 + static_cast<double>(g_.size()));
    if (before <= tolerance) return true;
    // Damping in proportion to the residual keeps convergence quadratic, also where rows are redundant.
    if (!newtonStep(std::max(std::min(1.0, before / problem_.length) * 1e-3 * boost, 1e-15))) return false;
    std::vector<double> trial = pose;
    problem_.move(f_, trial);
    const double after = fill(trial);
    if (after < before) {
      pose = std::move(trial);
      for (std::size_t u = 0; u < step.size(); ++u) step[u] += f_[u];
      before = after;
      boost = std::max(1e-3, boost / 4.0);
    } else {
      before = fill(pose);
      if (before <= 100.0 * tolerance) return true;  // at round-off: no step makes it better
      boost *= 8.0;
    }
  }
  return false;
}

double PoseMover::size(std::span<const double> step) const {
  double out = 0.0;
  for (std::size_t u = 0; u < step.size(); ++u) out = std::max(out, std::abs(step[u]) * unit(u));
  return out / problem_.length;
}

}  // namespace linkwork
