// What a RecursiveSystem says about its last evaluation: why it failed, and the rank of its cuts.
#include <fmt/format.h>

#include "linkwork/formulation/recursive/recursive_work.hpp"

namespace linkwork {

namespace {
using absolute::at;
}

template <class G>
std::string RecursiveSystem<G>::describeFailure(const Workspace& workspace) const {
  const Work& work = static_cast<const Work&>(workspace);
  const auto& set = cuts_.elements();
  const int index = work.failure_index;
  if (std::string words = inputFailure(work, mechanism_, set); !words.empty()) return words;
  switch (work.failure) {
    case Work::Failure::massless_body:
      return fmt::format(
          "body \"{}\" and what it carries have no inertia in a direction in which its joint of the tree leaves it "
          "free; give it a mass and an inertia, or use the formulation absolute",
          mechanism_.bodies[at(tree_.links[at(index)].body)].name);
    case Work::Failure::contradiction: return contradictionFailure(ownerOfRow(set, index), "the other constraints");
    case Work::Failure::projection: return projectionFailure(ownerOfRow(set, index), work.eq.phi[at(index)]);
    case Work::Failure::not_settled: return settlingFailure(ownerOfRow(set, index), set.row_info[at(index)].name);
    case Work::Failure::not_closed: return closingFailure(ownerOfRow(set, index), set.row_info[at(index)].name);
    default: return otherFailure(work, rank(work));
  }
}

// A tree without cuts has nothing to part, and one whose drives prescribe everything nothing to integrate.
template <class G>
std::string RecursiveSystem<G>::problem() const {
  if (options_.stabilisation == Stabilisation::partitioning && cuts_.rows() > 0) {
    return partitioningProblem(independentAtMost());
  }
  if (options_.keepsConstraints() && tree_.coordinates == 0) {
    return fmt::format(
        "drives prescribe every joint of the tree, so that nothing is left for {} to solve: use stabilisation "
        "projection, or the formulation absolute.",
        options_.stabilisation == Stabilisation::ggl ? "ggl" : "index3");
  }
  return {};
}

// Of all rows: those that the tree holds do not depend on each other.
template <class G>
RankReport RecursiveSystem<G>::rank(const Workspace& workspace) const {
  const Work& work = static_cast<const Work&>(workspace);
  const auto& info = cuts_.elements().row_info;
  RankReport out;
  out.rows = observer_.equations().rows();
  out.rank = out.rows - work.factored.dropped;
  out.smallest_kept = work.factored.smallest_kept;
  out.largest_dropped = work.factored.largest_dropped;
  if (work.factored.nearest_row >= 0) out.nearest_row = info[at(work.factored.nearest_row)].name;
  for (int r = 0; r < cuts_.rows(); ++r) {
    if (work.ldlt.dropped(r)) out.dependent_rows.push_back(info[at(r)].name);
  }
  return out;
}

template <class G>
long RecursiveSystem<G>::projectionSolves(const Workspace& work) const {
  return static_cast<const Work&>(work).projection_solves;
}
template <class G>
long RecursiveSystem<G>::penaltyIterations(const Workspace& work) const {
  return static_cast<const Work&>(work).penalty_iterations;
}
template <class G>
long RecursiveSystem<G>::repartitions(const Workspace& work) const {
  const auto& parting = static_cast<const Work&>(work).parting;
  return parting ? parting->repartitions : 0;
}
template <class G>
double RecursiveSystem<G>::worstResidual(const Workspace& work) const {
  return static_cast<const Work&>(work).worst_residual;
}
template <class G>
double RecursiveSystem<G>::smallestPivot(const Workspace& work) const {
  return static_cast<const Work&>(work).factored.smallest_kept;
}
template <class G>
int RecursiveSystem<G>::degreesOfFreedom(const Workspace& work) const {
  return tree_.freedoms - cuts_.rows() + static_cast<const Work&>(work).factored.dropped;
}

template std::string RecursiveSystem<Planar<double>>::describeFailure(const Workspace&) const;
template std::string RecursiveSystem<Planar<double>>::problem() const;
template RankReport RecursiveSystem<Planar<double>>::rank(const Workspace&) const;
template long RecursiveSystem<Planar<double>>::projectionSolves(const Workspace&) const;
template long RecursiveSystem<Planar<double>>::penaltyIterations(const Workspace&) const;
template long RecursiveSystem<Planar<double>>::repartitions(const Workspace&) const;
template double RecursiveSystem<Planar<double>>::worstResidual(const Workspace&) const;
template double RecursiveSystem<Planar<double>>::smallestPivot(const Workspace&) const;
template int RecursiveSystem<Planar<double>>::degreesOfFreedom(const Workspace&) const;
template std::string RecursiveSystem<Spatial<double>>::describeFailure(const Workspace&) const;
template std::string RecursiveSystem<Spatial<double>>::problem() const;
template RankReport RecursiveSystem<Spatial<double>>::rank(const Workspace&) const;
template long RecursiveSystem<Spatial<double>>::projectionSolves(const Workspace&) const;
template long RecursiveSystem<Spatial<double>>::penaltyIterations(const Workspace&) const;
template long RecursiveSystem<Spatial<double>>::repartitions(const Workspace&) const;
template double RecursiveSystem<Spatial<double>>::worstResidual(const Workspace&) const;
template double RecursiveSystem<Spatial<double>>::smallestPivot(const Workspace&) const;
template int RecursiveSystem<Spatial<double>>::degreesOfFreedom(const Workspace&) const;

}  // namespace linkwork
