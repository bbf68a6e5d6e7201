// What an AbsoluteSystem says about its last evaluation: why it failed, and the rank of its constraints.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/absolute/absolute_work.hpp"
#include "linkwork/formulation/absolute/free_direction.hpp"

namespace linkwork {

namespace {}

template <class G>
std::string BasicAbsoluteSystem<G>::describeFailure(const Workspace& workspace) const {
  const Work& work = static_cast<const Work&>(workspace);
  const auto& set = equations_.elements();
  switch (work.failure) {
    case Work::Failure::massless_body:
      return fmt::format(
          "body \"{}\" has no inertia in a direction that its joints leave free ({}); give it a mass and an inertia, "
          "or hold it",
          mechanism_.bodies[at(work.failure_index)].name,
          freeDirection(work.eq.x[at(work.failure_index)], work.free_motion));
    case Work::Failure::contradiction: {
      std::vector<std::string> names;
      for (const int g : work.fighting) {
        if (g >= 0) names.push_back(ownerOfRow(set, set.groups[at(g)].first_row));
      }
      const std::string first = names.front();
      names.erase(names.begin());
      return contradictionFailure(first, names.empty() ? "itself" : fmt::format("{}", fmt::join(names, ", ")));
    }
    case Work::Failure::projection:
      return projectionFailure(ownerOfRow(set, work.failure_index), work.eq.phi[at(work.failure_index)]);
    case Work::Failure::not_closed:
      return closingFailure(ownerOfRow(set, work.failure_index), set.row_info[at(work.failure_index)].name);
    case Work::Failure::not_settled:
      return settlingFailure(ownerOfRow(set, work.failure_index), set.row_info[at(work.failure_index)].name);
    default: break;
  }
  const std::string text = inputFailure(work, mechanism_, set);
  return text.empty() ? otherFailure(work, rank(work)) : text;
}

template <class G>
RankReport BasicAbsoluteSystem<G>::rank(const Workspace& workspace) const {
  return observer_.rank(static_cast<const Work&>(workspace));
}

template <class G>
std::vector<int> BasicAbsoluteSystem<G>::dependentRows(const Workspace& workspace) const {
  return rows_.dependent(static_cast<const Work&>(workspace).kkt);
}

template <class G>
long BasicAbsoluteSystem<G>::projectionSolves(const Workspace& work) const {
  return static_cast<const Work&>(work).projection_solves;
}
template <class G>
std::span<const double> BasicAbsoluteSystem<G>::ownMultipliers(const Workspace& work) const {
  return static_cast<const Work&>(work).lambda;
}

template <class G>
long BasicAbsoluteSystem<G>::penaltyIterations(const Workspace& work) const {
  return static_cast<const Work&>(work).penalty_iterations;
}

template <class G>
long BasicAbsoluteSystem<G>::repartitions(const Workspace& work) const {
  const auto& parting = static_cast<const Work&>(work).parting;
  return parting ? parting->repartitions : 0;
}

template <class G>
double BasicAbsoluteSystem<G>::worstResidual(const Workspace& work) const {
  return static_cast<const Work&>(work).worst_residual;
}

template <class G>
double BasicAbsoluteSystem<G>::smallestPivot(const Workspace& work) const {
  return static_cast<const Work&>(work).factored.smallest_kept;
}

template <class G>
int BasicAbsoluteSystem<G>::degreesOfFreedom(const Workspace& work) const {
  return observer_.degreesOfFreedom(static_cast<const Work&>(work));
}

template std::string BasicAbsoluteSystem<Planar<double>>::describeFailure(const Workspace&) const;
template RankReport BasicAbsoluteSystem<Planar<double>>::rank(const Workspace&) const;
template std::vector<int> BasicAbsoluteSystem<Planar<double>>::dependentRows(const Workspace&) const;
template long BasicAbsoluteSystem<Planar<double>>::projectionSolves(const Workspace&) const;
template std::span<const double> BasicAbsoluteSystem<Planar<double>>::ownMultipliers(const Workspace&) const;
template long BasicAbsoluteSystem<Planar<double>>::penaltyIterations(const Workspace&) const;
template long BasicAbsoluteSystem<Planar<double>>::repartitions(const Workspace&) const;
template double BasicAbsoluteSystem<Planar<double>>::worstResidual(const Workspace&) const;
template double BasicAbsoluteSystem<Planar<double>>::smallestPivot(const Workspace&) const;
template int BasicAbsoluteSystem<Planar<double>>::degreesOfFreedom(const Workspace&) const;
template std::string BasicAbsoluteSystem<Spatial<double>>::describeFailure(const Workspace&) const;
template RankReport BasicAbsoluteSystem<Spatial<double>>::rank(const Workspace&) const;
template std::vector<int> BasicAbsoluteSystem<Spatial<double>>::dependentRows(const Workspace&) const;
template long BasicAbsoluteSystem<Spatial<double>>::projectionSolves(const Workspace&) const;
template std::span<const double> BasicAbsoluteSystem<Spatial<double>>::ownMultipliers(const Workspace&) const;
template long BasicAbsoluteSystem<Spatial<double>>::penaltyIterations(const Workspace&) const;
template long BasicAbsoluteSystem<Spatial<double>>::repartitions(const Workspace&) const;
template double BasicAbsoluteSystem<Spatial<double>>::worstResidual(const Workspace&) const;
template double BasicAbsoluteSystem<Spatial<double>>::smallestPivot(const Workspace&) const;
template int BasicAbsoluteSystem<Spatial<double>>::degreesOfFreedom(const Workspace&) const;

}  // namespace linkwork
