#include "linkwork/analyse/posed_problem.hpp"

#include <algorithm>
#include <memory>

#include "linkwork/analyse/mobility_problem.hpp"
#include "linkwork/formulation/absolute/equations.hpp"

namespace linkwork {

namespace {

// Whether the rows of a group change with time though nothing moves.
bool knowsTime(const Mechanism& mechanism, const RowGroup& group) {
  if (group.is_drive) return true;
  const Joint& joint = mechanism.joints[at(group.index)];
  if (!isRelation(joint.kind)) return false;
  const auto symbols = symbolsOf(relationOf(mechanism, joint));
  return std::find(symbols.begin(), symbols.end(), "t") != symbols.end();
}

// duration 0: no clock.
template <class G>
PosedProblem problemIn(const Mechanism& mechanism, const Assembly& start, double duration, double t,
                       const std::vector<int>& without) {
  PosedProblem out;
  const MobilityProblem base = mobilityProblem(mechanism, start.q, t, start.turns);
  MobilityProblem& problem = out.problem;
  problem = base;
  const auto equations = std::make_shared<const AbsoluteEquations<G>>(mechanism);
  const bool runs = duration > 0.0;
  const int clock = base.bodies;
  const std::size_t clock_at = at(G::kCoordinates * clock);
  if (runs) {
    ++problem.bodies;
    problem.body_names.emplace_back("clock");
    out.seconds = duration / base.length;
    problem.pose.resize(at(G::kCoordinates * problem.bodies), 0.0);
    problem.pose[clock_at] = t / out.seconds;
    if (G::kSpatial) problem.pose[clock_at + 3] = 1.0;
  }

  std::vector<bool> left_out(base.rows.size(), false);
  for (const int r : without) left_out[at(r)] = true;
  problem.rows.clear();
  problem.row_start = {0};
  problem.row_bodies.clear();
  std::vector<int> source;
  std::vector<bool> timed;
  for (std::size_t g = 0; g < problem.groups.size(); ++g) {
    MobilityGroup& group = problem.groups[g];
    const bool knows = runs && knowsTime(mechanism, equations->elements().groups[g]);
    const int first = static_cast<int>(problem.rows.size());
    for (int r = group.first_row; r < group.first_row + group.rows; ++r) {
      if (left_out[at(r)]) continue;
      problem.rows.push_back(base.rows[at(r)]);
      problem.row_bodies.insert(problem.row_bodies.end(), base.row_bodies.begin() + base.row_start[at(r)],
                                base.row_bodies.begin() + base.row_start[at(r) + 1]);
      if (knows) problem.row_bodies.push_back(clock);
      problem.row_start.push_back(static_cast<int>(problem.row_bodies.size()));
      source.push_back(r);
      timed.push_back(knows);
    }
    group.first_row = first;
    group.rows = static_cast<int>(problem.rows.size()) - first;
  }

  const auto work = std::make_shared<typename AbsoluteEquations<G>::Work>(equations->makeWork());
  if (!start.turns.empty()) work->turns = start.turns;
  const double seconds = out.seconds;
  const auto timeAt = [=](std::span<const double> pose) { return runs ? pose[clock_at] * seconds : t; };
  const auto bodiesOf = [clock_at](std::span<const double> pose) { return pose.first(clock_at); };
  problem.evaluate = [=, still = std::vector<double>(at(equations->freedoms()), 0.0), starts = base.row_start](
                         std::span<const double> pose, std::span<double> phi, std::span<double> jacobian) {
    equations->positions(timeAt(pose), bodiesOf(pose), *work);
    if (runs) equations->velocities(still, *work);
    auto next = jacobian.begin();
    for (std::size_t r = 0; r < source.size(); ++r) {
      const std::size_t from = at(source[r]);
      phi[r] = work->phi[from];
      next = std::copy(work->jacobian.begin() + starts[from] * G::kFreedoms,
                       work->jacobian.begin() + starts[from + 1] * G::kFreedoms, next);
      if (!timed[r]) continue;
      *next++ = -work->minus_phi_t[from] * seconds;
      next = std::fill_n(next, G::kFreedoms - 1, 0.0);
    }
  };
  out.follow = [=](std::span<const double> pose) {
    equations->positions(timeAt(pose), bodiesOf(pose), *work);
    equations->followTurns(*work);
  };
  out.turns = [work] { return work->turns; };
  out.set_turns = [work](std::span<const double> turns) { work->turns.assign(turns.begin(), turns.end()); };
  return out;
}

}  // namespace

PosedProblem posedProblem(const Mechanism& mechanism, const Assembly& start, double t,
                          const std::vector<int>& left_out) {
  return mechanism.space == Space::spatial ? problemIn<Spatial<double>>(mechanism, start, 0.0, t, left_out)
                                           : problemIn<Planar<double>>(mechanism, start, 0.0, t, left_out);
}

PosedProblem clockedProblem(const Mechanism& mechanism, const Assembly& start, double duration, double t) {
  const std::vector<int> left_out = start.misfit > 0.0 ? start.dependent_rows : std::vector<int>{};
  return mechanism.space == Space::spatial ? problemIn<Spatial<double>>(mechanism, start, duration, t, left_out)
                                           : problemIn<Planar<double>>(mechanism, start, duration, t, left_out);
}

}  // namespace linkwork
