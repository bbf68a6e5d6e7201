// What an AbsoluteSystem says about its last evaluation: why it failed, and the rank of its constraints.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/absolute/absolute_work.hpp"
#include "linkwork/formulation/absolute/free_direction.hpp"

namespace linkwork {

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
  return text.empty() ? otherFailure(work, observer_.report(work)) : text;
}

template <class G>
std::span<const double> BasicAbsoluteSystem<G>::ownMultipliers(const Workspace& work) const {
  return static_cast<const Work&>(work).lambda;
}

template <class G>
SolveCounts BasicAbsoluteSystem<G>::solveCounts(const Workspace& workspace) const {
  const Work& work = static_cast<const Work&>(workspace);
  SolveCounts out = work.counts;
  if (work.parting) out.repartitions = work.parting->repartitions;
  return out;
}

template std::string BasicAbsoluteSystem<Planar<double>>::describeFailure(const Workspace&) const;
template SolveCounts BasicAbsoluteSystem<Planar<double>>::solveCounts(const Workspace&) const;
template std::span<const double> BasicAbsoluteSystem<Planar<double>>::ownMultipliers(const Workspace&) const;
template std::string BasicAbsoluteSystem<Spatial<double>>::describeFailure(const Workspace&) const;
template SolveCounts BasicAbsoluteSystem<Spatial<double>>::solveCounts(const Workspace&) const;
template std::span<const double> BasicAbsoluteSystem<Spatial<double>>::ownMultipliers(const Workspace&) const;

}  // namespace linkwork
