// What a RecursiveSystem says about its last evaluation: why it failed, and the rank of its cuts.
#include <fmt/format.h>

#include "linkwork/formulation/recursive/recursive_work.hpp"

namespace linkwork {

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

template <class G>
std::string RecursiveSystem<G>::describeFailure(const Workspace& work) const {
  return cut_tree_.describeFailure(static_cast<const Work&>(work));
}
template <class G>
SolveCounts RecursiveSystem<G>::solveCounts(const Workspace& workspace) const {
  const Work& work = static_cast<const Work&>(workspace);
  SolveCounts out = work.counts;
  if (work.parting) out.repartitions = work.parting->repartitions;
  return out;
}

template std::string RecursiveSystem<Planar<double>>::problem() const;
template std::string RecursiveSystem<Planar<double>>::describeFailure(const Workspace&) const;
template SolveCounts RecursiveSystem<Planar<double>>::solveCounts(const Workspace&) const;
template std::string RecursiveSystem<Spatial<double>>::problem() const;
template std::string RecursiveSystem<Spatial<double>>::describeFailure(const Workspace&) const;
template SolveCounts RecursiveSystem<Spatial<double>>::solveCounts(const Workspace&) const;

}  // namespace linkwork
