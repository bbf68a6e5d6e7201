// What a RecursiveSystem says about its last evaluation: why it failed, and the rank of its cuts.
#include <fmt/format.h>

#include <cmath>

#include "linkwork/formulation/absolute/absolute_messages.hpp"
#include "linkwork/formulation/recursive/recursive_work.hpp"

namespace linkwork {

namespace {
using absolute::at;
}

template <class G>
std::string RecursiveSystem<G>::describeFailure(const Workspace& workspace) const {
  const Work& work = static_cast<const Work&>(workspace);
  const auto& set = cuts_.elements();
  const auto nameOf = [&](int row) {
    const RowGroup& group = set.groups[at(set.row_info[at(row)].group)];
    return fmt::format("{} \"{}\"", group.is_drive ? "drive" : "joint", group.name);
  };
  switch (work.failure) {
    case Work::Failure::load_not_finite: return absolute::loadNotFinite(set, work.failure_index, work.failure_time);
    case Work::Failure::motion_not_finite:
      return absolute::motionNotFinite(mechanism_, work.failure_index, work.failure_time);
    case Work::Failure::event_not_finite:
      return fmt::format("event \"{}\" is not a number at t = {:.6g} s; check its expression there",
                         mechanism_.events[at(work.failure_index)].name, work.failure_time);
    case Work::Failure::massless_body:
      return fmt::format(
          "body \"{}\" and what it carries have no inertia in a direction in which its joint of the tree leaves it "
          "free; "
          "give it a mass and an inertia, or use the formulation absolute",
          mechanism_.bodies[at(tree_.links[at(work.failure_index)].body)].name);
    case Work::Failure::left_curve: return absolute::leftCurve(set, work.failure_index, work.failure_time);
    case Work::Failure::contradiction:
      return fmt::format(
          "{} cannot be satisfied together with the other constraints in this pose: a dead point, the end of the "
          "mechanism's reach, or a drive that asks for what the joints forbid",
          nameOf(work.failure_index));
    case Work::Failure::projection:
      return fmt::format(
          "{} could not be closed again after the step (off by {:.3g}); the mechanism is at the end of its reach or at "
          "a dead point",
          nameOf(work.failure_index), std::abs(work.eq.phi[at(work.failure_index)]));
    case Work::Failure::state_not_finite:
    case Work::Failure::none: break;
  }
  const RankReport report = rank(work);
  if (report.smallest_kept < 1e-6) {
    return fmt::format(
        "the mechanism is at a dead point: {} hardly differs from the other constraints any more (relative pivot "
        "{:.1g})",
        report.nearest_row, report.smallest_kept);
  }
  return work.failure == Work::Failure::none ? "the equations could not be evaluated"
                                             : "the motion runs away to infinity";
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
template RankReport RecursiveSystem<Planar<double>>::rank(const Workspace&) const;
template long RecursiveSystem<Planar<double>>::projectionSolves(const Workspace&) const;
template double RecursiveSystem<Planar<double>>::worstResidual(const Workspace&) const;
template double RecursiveSystem<Planar<double>>::smallestPivot(const Workspace&) const;
template int RecursiveSystem<Planar<double>>::degreesOfFreedom(const Workspace&) const;
template std::string RecursiveSystem<Spatial<double>>::describeFailure(const Workspace&) const;
template RankReport RecursiveSystem<Spatial<double>>::rank(const Workspace&) const;
template long RecursiveSystem<Spatial<double>>::projectionSolves(const Workspace&) const;
template double RecursiveSystem<Spatial<double>>::worstResidual(const Workspace&) const;
template double RecursiveSystem<Spatial<double>>::smallestPivot(const Workspace&) const;
template int RecursiveSystem<Spatial<double>>::degreesOfFreedom(const Workspace&) const;

}  // namespace linkwork
