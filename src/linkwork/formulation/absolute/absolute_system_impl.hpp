// The text of BasicAbsoluteSystem, for the sources in which it is instantiated.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/absolute/absolute_parts.hpp"
#include "linkwork/formulation/absolute/absolute_penalty.hpp"
#include "linkwork/formulation/absolute/absolute_surface.hpp"
#include "linkwork/formulation/absolute/free_direction.hpp"
#include "linkwork/formulation/massless_words.hpp"
#include "linkwork/formulation/stabilised_system_impl.hpp"

namespace linkwork {

template <class G>
BasicAbsoluteSystem<G>::BasicAbsoluteSystem(const Mechanism& mechanism, const AbsoluteOptions& options)
    : Base(options),
      observer_(mechanism, options),
      mechanism_(observer_.mechanism()),
      equations_(observer_.equations()),
      rows_(observer_.rows()),
      row_compliance_(penaltyCompliance(mechanism, options_.penalty, rows_.reactionScale())) {
  if (options_.misfit > 0.0) letGo(options_.doubtful_rows, row_compliance_);
  if (options_.keepsConstraints()) {
    this->keepConstraints(std::make_unique<AbsoluteMechanical<G>>(mechanism, options_.doubtful_rows));
  }
}

template <class G>
StateSpace BasicAbsoluteSystem<G>::space() const {
  return {equations_.coordinates(), equations_.freedoms(), 1 + equations_.turns()};
}

template <class G>
std::string BasicAbsoluteSystem<G>::problem() const {
  return options_.stabilisation == Stabilisation::partitioning ? partitioningProblem(this->independentAtMost()) : "";
}

// --- accelerations

// A body has no inertia in a direction that its joints leave free.
template <class G>
Eval BasicAbsoluteSystem<G>::noInertia(double t, const KktSolver::Factored& factored, KktSolver& kkt,
                                       Work& work) const {
  kkt.freeMotion(factored.singular_unknown, work.f);
  std::copy_n(&work.f[at(G::kFreedoms * factored.singular_body)], G::kFreedoms, work.free_motion.begin());
  return work.fail(FailureNote::Failure::massless_body, t, factored.singular_body, Eval::failed);
}

// work.f = Q, work.g = Gamma
template <class G>
void BasicAbsoluteSystem<G>::setRightSides(Work& work) const {
  for (int b = 0; b < equations_.bodies(); ++b) {
    G::put(work.eq.Q[at(b)], std::span(work.f).subspan(at(G::kFreedoms * b), at(G::kFreedoms)));
  }
  std::copy(work.eq.gamma.begin(), work.eq.gamma.end(), work.g.begin());
}

// work.g -= rate (Phi_q v + Phi_t) + stiffness Phi
template <class G>
void BasicAbsoluteSystem<G>::pullBack(std::span<const double> v, const Pull& pull, Work& work) const {
  rows_.velocityResidual(v, work.eq, work.velocity_residual);
  for (std::size_t r = 0; r < work.g.size(); ++r) {
    work.g[r] -= pull.rate * work.velocity_residual[r] + pull.stiffness * work.eq.phi[r];
  }
}

template <class G>
void BasicAbsoluteSystem<G>::solve(std::span<const double> v, Work& work) const {
  setRightSides(work);
  if (options_.stabilisation == Stabilisation::baumgarte) pullBack(v, baumgartePull(options_), work);
  const auto solved = work.kkt.solve(work.f, work.g);
  work.counts.worst_residual = std::max(work.counts.worst_residual, solved.residual);
  work.acceleration = work.f;
  for (std::size_t r = 0; r < work.g.size(); ++r) work.lambda[r] = -work.g[r];
}

template <class G>
std::span<const double> BasicAbsoluteSystem<G>::ownMultipliers(const Workspace& work) const {
  return static_cast<const Work&>(work).lambda;
}

// --- rows

template <class G>
RankReport BasicAbsoluteSystem<G>::report(const Work& work) const {
  return observer_.report(work);
}

template <class G>
std::vector<int> BasicAbsoluteSystem<G>::dependentRows(double t, std::span<const double> x, Workspace& work) const {
  (void)this->rankAt(t, x, static_cast<Work&>(work));
  return rows_.dependent(static_cast<const Work&>(work).kkt);
}

template <class G>
Violation BasicAbsoluteSystem<G>::violation(double t, std::span<const double> x, const Modes& /*modes*/,
                                            Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  Surface(*this, work).placeBodies(t, x);
  return observer_.violation(this->velocitiesOf(x), work);
}

// Which drives and joints have a part in the dependence of a dropped row.
template <class G>
void BasicAbsoluteSystem<G>::noteFighting(int row, Work& work) const {
  // Of the largest part in a dependence: less is round-off.
  constexpr double kTakesPart = 1e-6;
  const auto& set = equations_.elements();
  work.kkt.dependence(row, work.g);
  const auto partOf = [&](const RowGroup& group) {
    double part = 0.0;
    for (int r = group.first_row; r < group.first_row + group.rows; ++r) {
      part = std::max(part, std::abs(work.g[at(r)]) / rows_.rowLength(r));
    }
    return part;
  };
  double largest = 0.0;
  for (const RowGroup& group : set.groups) largest = std::max(largest, partOf(group));
  work.fighting.fill(-1);
  std::size_t count = 0;
  for (const bool drives : {true, false}) {
    for (std::size_t g = 0; g < set.groups.size() && count < work.fighting.size(); ++g) {
      if (set.groups[g].is_drive == drives && partOf(set.groups[g]) > kTakesPart * largest)
        work.fighting[count++] = static_cast<int>(g);
    }
  }
}

// --- coordinates

// In metres, turns by the reference length; at least that length.
template <class G>
double BasicAbsoluteSystem<G>::largestCoordinate(std::span<const double> q) const {
  double largest = length();
  for (int u = 0; u < static_cast<int>(q.size()); ++u) {
    const bool turn = u % G::kCoordinates >= G::kDimension;
    largest = std::max(largest, std::abs(q[at(u)]) * (turn ? length() : 1.0));
  }
  return largest;
}

template <class G>
void BasicAbsoluteSystem<G>::moveBy(std::span<const double> d, std::span<double> q) const {
  for (int b = 0; b < equations_.bodies(); ++b) {
    retract(G{}, q.subspan(at(G::kCoordinates * b), at(G::kCoordinates)),
            d.subspan(at(G::kFreedoms * b), at(G::kFreedoms)));
  }
}

template <class G>
bool BasicAbsoluteSystem<G>::normalise(std::span<double> q) const {
  bool changed = false;
  for (int b = 0; b < equations_.bodies(); ++b) {
    const bool off = linkwork::normalise(G{}, q.subspan(at(G::kCoordinates * b), at(G::kCoordinates)));
    changed = changed || off;
  }
  return changed;
}

template <class G>
void BasicAbsoluteSystem<G>::putRates(std::span<const double> q, std::span<const double> v,
                                      std::span<double> out) const {
  for (int b = 0; b < equations_.bodies(); ++b) {
    G::coordinateRate(q.subspan(at(G::kCoordinates * b), at(G::kCoordinates)),
                      v.subspan(at(G::kFreedoms * b), at(G::kFreedoms)),
                      out.subspan(at(G::kCoordinates * b), at(G::kCoordinates)));
  }
}

// --- words

template <class G>
struct BasicAbsoluteSystem<G>::Words {
  const BasicAbsoluteSystem& system;
  const Work& work;

  std::string owner(int row) const { return ownerOfRow(system.equations_.elements(), row); }
  std::string name(int row) const { return system.rows_.name(row); }
  double phi(int row) const { return work.eq.phi[at(row)]; }
  RankReport report() const { return system.report(work); }
  std::string massless(int body) const {
    const MasslessWords words =
        masslessWords(system.mechanism_, body, freeDirection(work.eq.x[at(body)], work.free_motion));
    return fmt::format("{}; {}", words.problem, words.hint);
  }
  std::string contradiction(int /*row*/) const {
    const auto& groups = system.equations_.elements().groups;
    std::vector<std::string> names;
    for (const int g : work.fighting) {
      if (g >= 0) names.push_back(owner(groups[at(g)].first_row));
    }
    const std::string first = names.front();
    names.erase(names.begin());
    return contradictionFailure(first, names.empty() ? "itself" : fmt::format("{}", fmt::join(names, ", ")));
  }
};

template <class G>
std::string BasicAbsoluteSystem<G>::describeFailure(const Workspace& workspace) const {
  const Work& work = static_cast<const Work&>(workspace);
  return failureWords(work, mechanism_, equations_.elements(), Words{*this, work});
}

}  // namespace linkwork
