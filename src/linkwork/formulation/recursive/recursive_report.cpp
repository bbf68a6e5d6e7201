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
long RecursiveSystem<G>::projectionSolves(const Workspace& work) const {
  return static_cast<const Work&>(work).solves;
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

template std::string RecursiveSystem<Planar<double>>::problem() const;
template std::string RecursiveSystem<Planar<double>>::describeFailure(const Workspace&) const;
template long RecursiveSystem<Planar<double>>::projectionSolves(const Workspace&) const;
template long RecursiveSystem<Planar<double>>::penaltyIterations(const Workspace&) const;
template long RecursiveSystem<Planar<double>>::repartitions(const Workspace&) const;
template double RecursiveSystem<Planar<double>>::worstResidual(const Workspace&) const;
template std::string RecursiveSystem<Spatial<double>>::problem() const;
template std::string RecursiveSystem<Spatial<double>>::describeFailure(const Workspace&) const;
template long RecursiveSystem<Spatial<double>>::projectionSolves(const Workspace&) const;
template long RecursiveSystem<Spatial<double>>::penaltyIterations(const Workspace&) const;
template long RecursiveSystem<Spatial<double>>::repartitions(const Workspace&) const;
template double RecursiveSystem<Spatial<double>>::worstResidual(const Workspace&) const;

}  // namespace linkwork
