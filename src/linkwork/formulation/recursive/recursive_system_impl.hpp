// The text of RecursiveSystem, for the sources in which it is instantiated.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/recursive/recursive_massless_impl.hpp"
#include "linkwork/formulation/recursive/recursive_observe_impl.hpp"
#include "linkwork/formulation/recursive/recursive_parts.hpp"
#include "linkwork/formulation/recursive/recursive_penalty.hpp"
#include "linkwork/formulation/recursive/recursive_surface.hpp"
#include "linkwork/formulation/stabilised_system_impl.hpp"

namespace linkwork {

template <class G>
RecursiveSystem<G>::RecursiveSystem(const Mechanism& mechanism, const RecursiveOptions& options)
    : Base(options),
      observer_(mechanism, options),
      mechanism_(observer_.mechanism()),
      plan_(planRecursiveTree(mechanism_, observer_.equations().elements().groups)),
      cut_tree_(mechanism_, plan_, options, observer_.rows().length(), observer_.equations()),
      equations_(cut_tree_.equations()),
      tree_(cut_tree_.tree()),
      cuts_(cut_tree_.cuts()) {
  const auto& full = observer_.equations().elements();
  const auto& cut = cuts_.elements();
  for (int r = 0; r < cut.rows; ++r) {
    const RowInfo& info = cut.row_info[at(r)];
    full_row_.push_back(full.groups[at(info.group)].first_row + r - cut.groups[at(info.group)].first_row);
  }
  if (options_.stabilisation == Stabilisation::augmented_lagrangian) {
    std::vector<double> scale;
    for (const int row : full_row_) scale.push_back(observer_.rows().reactionScale()[at(row)]);
    row_compliance_ = penaltyCompliance(mechanism_, options_.penalty, scale);
    if (options_.misfit > 0.0) {
      const std::vector<int> kept = independentCuts();
      std::vector<int> others;
      for (int r = 0; r < cuts_.rows(); ++r) {
        if (!std::binary_search(kept.begin(), kept.end(), r)) others.push_back(r);
      }
      letGo(others, row_compliance_);
    }
  }
  if (options_.keepsConstraints() && tree_.coordinates > 0) this->keepConstraints(makeMechanical());
}

// Those that do not depend on others at the start.
template <class G>
std::vector<int> RecursiveSystem<G>::independentCuts() const {
  std::vector<int> out;
  if (options_.start.empty()) {
    const auto& left_out = options_.doubtful_rows;
    for (int r = 0; r < cuts_.rows(); ++r) {
      if (std::find(left_out.begin(), left_out.end(), full_row_[at(r)]) == left_out.end()) out.push_back(r);
    }
    return out;
  }
  Work work(*this);
  (void)this->rankAt(0.0, fromAbsolute(0.0, options_.start), work);
  for (int r = 0; r < cuts_.rows(); ++r) {
    if (!work.ldlt.dropped(r)) out.push_back(r);
  }
  return out;
}

template <class G>
std::unique_ptr<MechanicalSystem> RecursiveSystem<G>::makeMechanical() const {
  RecursiveMechanicalOptions options;
  options.rows = independentCuts();
  double mass = 0.0;
  for (const TreeLink<G>& link : tree_.links) mass += link.inertia.mass;
  if (mass > 0.0) options.mass = mass / static_cast<double>(tree_.links.size());
  if (cut_tree_.lacksInertia()) {
    for (int r = 0; r < cuts_.rows(); ++r) {
      options.rho.push_back(options.mass * cut_tree_.rowLength(r) * cut_tree_.rowLength(r));
    }
  }
  return std::make_unique<RecursiveMechanical<G>>(mechanism_, plan_, std::move(options));
}

// A tree without cuts has nothing to part, and one whose drives prescribe everything nothing to integrate.
template <class G>
std::string RecursiveSystem<G>::problem() const {
  if (options_.stabilisation == Stabilisation::partitioning && cuts_.rows() > 0) {
    return partitioningProblem(this->independentAtMost());
  }
  if (options_.keepsConstraints() && tree_.coordinates == 0) {
    return fmt::format(
        "drives prescribe every joint of the tree, so that nothing is left for {} to solve: use stabilisation "
        "projection, or the formulation absolute.",
        infoOf(options_.stabilisation).name);
  }
  return {};
}

template <class G>
StateSpace RecursiveSystem<G>::space() const {
  // Where drives prescribe everything, the work is all there is to choose steps by: it comes under error control.
  if (tree_.coordinates == 0) return StateSpace::firstOrder(1 + cuts_.turns());
  return {tree_.coordinates, tree_.freedoms, 1 + cuts_.turns()};
}

template <class G>
std::string RecursiveSystem<G>::describeFailure(const Workspace& work) const {
  return cut_tree_.describeFailure(static_cast<const Work&>(work));
}

// Accelerations under the loads, whatever the cuts say (where links lack inertia: but for work.wanted).
template <class G>
void RecursiveSystem<G>::solveFree(Work& work) const {
  std::fill(work.lambda.begin(), work.lambda.end(), 0.0);
  if (cut_tree_.lacksInertia()) return solveFreeHeld(work);
  forwardDynamics<G>(tree_, work.pk, work.vk, work.inertia, {}, {{}, work.loads}, work.solve, work.udot);
  bodyAccelerations(work);
}

// Accelerations with so much more of the multipliers.
template <class G>
void RecursiveSystem<G>::react(std::span<const double> lambda, Work& work) const {
  for (std::size_t r = 0; r < lambda.size(); ++r) work.lambda[r] += lambda[r];
  equations_.addReactions(lambda, work);
  if (cut_tree_.lacksInertia()) return reactHeld(lambda, work);
  forwardDynamics<G>(tree_, work.pk, work.vk, work.inertia, {}, {{}, work.loads}, work.solve, work.udot);
  bodyAccelerations(work);
}

template <class G>
void RecursiveSystem<G>::bodyAccelerations(Work& work) const {
  equations_.bodyAccelerations(work.solve.A, work, work.acceleration);
}

// work.wanted = Gamma*
template <class G>
void RecursiveSystem<G>::wantedOf(const Pull& pull, Work& work) const {
  cut_tree_.velocityResidual(work);
  for (std::size_t r = 0; r < work.wanted.size(); ++r) {
    work.wanted[r] = work.eq.gamma[r] - pull.rate * work.velocity_residual[r] - pull.stiffness * work.eq.phi[r];
  }
}

// work.rest = Gamma* - Phi_q a
template <class G>
void RecursiveSystem<G>::restOf(Work& work) const {
  for (int r = 0; r < cuts_.rows(); ++r) {
    work.rest[at(r)] = work.wanted[at(r)] - equations_.timesRow(r, work.acceleration, work);
  }
}

// (3), with the factors at hand and everything moving.
template <class G>
void RecursiveSystem<G>::solve(Work& work) const {
  // Rows that miss by more than this share of what they are made of are solved for once more.
  constexpr double kRefine = 1e-14;
  wantedOf(options_.stabilisation == Stabilisation::baumgarte ? baumgartePull(options_) : Pull{}, work);
  solveFree(work);
  if (cuts_.rows() == 0) return;
  double size = normInf(work.wanted);
  for (int sweep = 0; sweep < 3; ++sweep) {
    restOf(work);
    double missed = 0.0;
    for (int r = 0; r < cuts_.rows(); ++r) {
      if (!work.ldlt.dropped(r)) missed = std::max(missed, std::abs(work.rest[at(r)]));
    }
    size = std::max(size, missed);
    const double residual = size > 0.0 ? missed / size : 0.0;
    if (sweep == 2) work.counts.worst_residual = std::max(work.counts.worst_residual, residual);
    if (sweep == 2 || (sweep == 1 && residual <= kRefine)) return;
    work.ldlt.solve(work.rest);
    react(work.rest, work);
  }
}

template <class G>
RankReport RecursiveSystem<G>::report(const Work& work) const {
  return cut_tree_.report(work);
}

template <class G>
bool RecursiveSystem<G>::normalise(std::span<double> q) const {
  return normaliseJoints<G>(tree_, q);
}

template <class G>
void RecursiveSystem<G>::putRates(std::span<const double> q, std::span<const double> u, std::span<double> out) const {
  coordinateRates<G>(tree_, q, u, out);
}

}  // namespace linkwork
