// The scratch of an AbsoluteSystem, shared by the files that implement it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/formulation/reaction_space.hpp"

namespace linkwork {

namespace absolute {
// Joints count as closed at this many units of round-off of the largest coordinate.
inline constexpr double kClosedRoundoff = 16.0 * std::numeric_limits<double>::epsilon();
}  // namespace absolute

template <class G>
struct BasicAbsoluteSystem<G>::Work final : Workspace {
  explicit Work(const BasicAbsoluteSystem& system)
      : eq(system.equations_.makeWork()),
        kkt(system.structure_),
        f(absolute::at(system.equations_.freedoms())),
        g(absolute::at(system.equations_.rows())),
        acceleration(f),
        lambda(g),
        velocity_residual(g),
        events(system.events_.makeScratch()),
        outputs(system.outputs_.makeScratch()),
        beside(absolute::at(system.space().size())),
        across(f),
        applied(f),
        wanted(g),
        closed(beside),
        independent(f.size()),
        independent_before(f.size()),
        left_out(g.size()),
        reactions(system.reactionScale()) {}

  enum class Failure {
    none,
    load_not_finite,
    motion_not_finite,
    event_not_finite,
    state_not_finite,
    massless_body,
    contradiction,
    projection,
    left_curve,
    not_settled,
    not_closed
  };

  typename AbsoluteEquations<G>::Work eq;
  KktSolver kkt;
  std::vector<double> f, g;  // right-hand sides, overwritten by solutions
  std::vector<double> acceleration, lambda, velocity_residual;
  typename CompiledExpressions<G>::Scratch events, outputs;
  KktSolver::Factored factored;
  double power = 0.0;  // of loads and drives
  // Near a pose of lower rank: a state beside it, and the accelerations from both sides.
  std::vector<double> beside, across;
  // Factors of the stabilisation's own: with penalties, or with the independent coordinates held. Else null.
  std::unique_ptr<KktSolver> aside;
  std::vector<double> applied, wanted;  // augmented Lagrangian: Q and Gamma*
  // Partitioning: the state with its dependent part solved for; the freedoms that are integrated, and the rows left out
  // as dependent, both chosen where the step began.
  std::vector<double> closed;
  std::vector<std::uint8_t> independent, independent_before, left_out;
  bool partitioned = false;
  std::vector<double> basis;  // of the motions that the joints allow, one after the other
  std::vector<double> direction;
  ReactionSpace reactions;
  long projection_solves = 0;
  long penalty_iterations = 0;
  long repartitions = 0;
  double worst_residual = 0.0;

  Failure failure = Failure::none;
  double failure_time = 0.0;
  int failure_index = 0;

  // The drive whose motion has a value that is not finite; -1 if there is none.
  int badMotion() const {
    const auto& given = eq.motion_scratch.outputs;
    const auto bad = std::find_if(given.begin(), given.end(), [](double value) { return !std::isfinite(value); });
    return bad == given.end() ? -1 : static_cast<int>((bad - given.begin()) / 3);
  }
  Eval failNotFinite(double t) {
    const int drive = badMotion();
    return drive >= 0 ? fail(Failure::motion_not_finite, t, drive, Eval::retry)
                      : fail(Failure::state_not_finite, t, 0, Eval::retry);
  }
  Eval fail(Failure why, double t, int index, Eval eval) {
    failure = why;
    failure_time = t;
    failure_index = index;
    return eval;
  }
};

}  // namespace linkwork
