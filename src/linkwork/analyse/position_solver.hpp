// PositionSolver: Newton's iteration on Phi = 0 of one mechanism, with held values approached through offsets on their
// rows. Far from a solution, and where rows depend on each other, its steps are those of Levenberg and Marquardt.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/formulation/absolute/free_direction.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

template <class G>
class PositionSolver {
 public:
  static constexpr double kClosed = 1e-13;  // of the mechanism's size: round-off of a sum of a few lengths
  static constexpr int kIterations = 200;
  static constexpr int kIdle = 30;             // iterations without progress before giving up
  static constexpr double kLargestTurn = 0.3;  // rad per iteration, and the same share of the reference length
  static constexpr double kLoose = 1e8;        // damping of a row that is not to be closed

  PositionSolver(const Mechanism& mechanism, double t)
      : equations_(mechanism),
        kkt_(kktStructure(equations_)),
        work_(equations_.makeWork()),
        t_(t),
        length_(referenceLength(mechanism)),
        offset_(at(equations_.rows()), 0.0),
        f_(at(equations_.freedoms())),
        g_(at(equations_.rows())) {
    fillMass(equations_, kkt_.mass());
    for (const RowInfo& row : equations_.elements().row_info) {
      row_length_.push_back(row.unit == RowUnit::angle ? length_ : 1.0);
    }
  }

  const AbsoluteEquations<G>& equations() const { return equations_; }
  typename AbsoluteEquations<G>::Work& work() { return work_; }
  KktSolver& kkt() { return kkt_; }
  int iterations() const { return iterations_; }
  std::vector<double>& offset() { return offset_; }
  int singularBody() const { return singular_body_; }
  // In which direction it has no inertia, in words.
  const std::string& singularDirection() const { return singular_direction_; }
  double length() const { return length_; }
  double rowLength(int row) const { return row_length_[at(row)]; }

  // These rows are evaluated but neither closed nor counted. The mechanism may have further rows behind.
  void loosen(const std::vector<int>& rows) {
    loose_.clear();
    if (rows.empty()) return;
    loose_.assign(g_.size(), 0.0);
    for (const int r : rows) loose_[at(r)] = kLoose;
  }
  bool isLoose(int row) const { return !loose_.empty() && loose_[at(row)] > 0.0; }

  // Phi - offset, each row in metres; returns its Euclidean norm.
  double residual(const std::vector<double>& q) {
    equations_.positions(t_, q, work_);
    double sum = 0.0;
    for (std::size_t r = 0; r < g_.size(); ++r) {
      if (!loose_.empty() && loose_[r] > 0.0) continue;
      const double value = (work_.phi[r] - offset_[r]) * row_length_[r];
      sum += value * value;
    }
    return std::sqrt(sum);
  }

  double tolerance(const std::vector<double>& q) const {
    return kClosed * std::max(length_, normInf(q)) * std::sqrt(1.0 + static_cast<double>(g_.size()));
  }

  // Moves q onto Phi = offset. False where the rows cannot all be satisfied from here.
  bool solve(std::vector<double>& q) {
    double before = residual(q);
    double boost = 1.0;
    double best = before;
    int idle = 0;
    for (int k = 0; k < kIterations && idle <= kIdle; ++k) {
      equations_.followTurns(work_);
      if (before <= tolerance(q)) return true;
      // Damping in proportion to the residual keeps convergence quadratic, also where rows are redundant.
      const double damping = std::min(1.0, before / length_) * 1e-3 * boost;
      std::vector<double> trial = q;
      if (!step(trial, {.row = 0.0, .damping = std::max(damping, 1e-15), .row_damping = loose_})) return false;
      const double after = residual(trial);
      if (after < before) {
        q = trial;
        before = after;
        boost = std::max(1e-3, boost / 4.0);
      } else {
        residual(q);
        if (before <= 100.0 * tolerance(q)) return true;  // at round-off: no step makes it better
        boost *= 8.0;
      }
      idle = before < 0.999 * best ? 0 : idle + 1;
      best = std::min(best, before);
    }
    return before <= tolerance(q);
  }

  // False at a body without inertia in a free direction, which is then noted.
  bool isRegular(const KktSolver::Factored& factored) {
    singular_body_ = factored.singular_body;
    if (singular_body_ < 0) return true;
    kkt_.freeMotion(factored.singular_unknown, f_);
    singular_direction_ =
        freeDirection(work_.x[at(singular_body_)],
                      std::span<const double>(f_).subspan(at(G::kFreedoms * singular_body_), at(G::kFreedoms)));
    return false;
  }

  // Closes all rows but the soft ones, and makes those as small as the others allow.
  void closeAllBut(std::span<const double> soft, std::vector<double>& q) {
    for (int k = 0; k < kIterations; ++k) {
      residual(q);
      equations_.followTurns(work_);
      if (!step(q, {.row = 0.0, .damping = 1e-12, .row_damping = soft})) return;
      if (normInf(f_) <= 1e-10 * length_) break;
    }
    residual(q);
  }

  // One step from q, limited in length, that closes the rows but for those with a compliance, which only pull.
  bool pull(std::span<const double> compliance, std::vector<double>& q) {
    residual(q);
    equations_.followTurns(work_);
    return step(q, {.row = 0.0, .damping = 1e-12, .row_damping = loose_, .row_compliance = compliance});
  }
  double lastStep() const { return normInf(f_); }

  // Moves every body by a displacement in its freedoms.
  void move(std::span<const double> step, std::vector<double>& q) const {
    for (int b = 0; b < equations_.bodies(); ++b) {
      retract(G{}, std::span(q).subspan(at(G::kCoordinates * b), at(G::kCoordinates)),
              step.subspan(at(G::kFreedoms * b), at(G::kFreedoms)));
    }
  }

 private:
  // One damped step from the rows in work_, limited in length; false at a body without inertia or a step that is no
  // number.
  bool step(std::vector<double>& q, const KktSolver::Cuts& cuts) {
    ++iterations_;
    equations_.copyJacobian(work_, RowLevel::position, kkt_.jacobian());
    if (!isRegular(kkt_.factor(cuts))) return false;
    std::fill(f_.begin(), f_.end(), 0.0);
    for (std::size_t r = 0; r < g_.size(); ++r) g_[r] = isLoose(static_cast<int>(r)) ? 0.0 : offset_[r] - work_.phi[r];
    kkt_.solveDamped(f_, g_);
    if (!allFinite(f_)) return false;
    double scale = 1.0;
    for (int u = 0; u < static_cast<int>(f_.size()); ++u) {
      const double largest = u % G::kFreedoms >= G::kDimension ? kLargestTurn : kLargestTurn * length_;
      scale = std::min(scale, largest / std::max(std::abs(f_[at(u)]), 1e-300));
    }
    for (double& value : f_) value *= scale;
    move(f_, q);
    return true;
  }

  AbsoluteEquations<G> equations_;
  KktSolver kkt_;
  typename AbsoluteEquations<G>::Work work_;
  double t_;
  double length_;
  std::vector<double> offset_, row_length_;
  std::vector<double> loose_;  // damping by row; empty: none
  std::vector<double> f_, g_;
  int iterations_ = 0;
  int singular_body_ = -1;
  std::string singular_direction_;
};

}  // namespace linkwork
