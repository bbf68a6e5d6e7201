// The scratch of an AbsoluteSystem, shared by the files that implement it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "linkwork/formulation/absolute/absolute_system.hpp"

namespace linkwork {

template <class G>
struct BasicAbsoluteSystem<G>::Work final : Workspace, Observer<G>::Work {
  explicit Work(const BasicAbsoluteSystem& system)
      : Observer<G>::Work(system.observer_),
        f(absolute::at(system.equations_.freedoms())),
        g(absolute::at(system.equations_.rows())),
        acceleration(f),
        lambda(g),
        beside(absolute::at(system.space().size())),
        across(f),
        applied(f),
        wanted(g),
        closed(beside),
        now(f.size(), g.size()),
        next(f.size(), g.size()),
        next_q(absolute::at(system.equations_.coordinates())) {}

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

  using Observer<G>::Work::eq;
  std::vector<double> f, g;  // right-hand sides, overwritten by solutions
  std::vector<double> acceleration, lambda;
  double power = 0.0;  // of loads and drives
  // Near a pose of lower rank: a state beside it, and the accelerations from both sides.
  std::vector<double> beside, across;
  // Factors of the stabilisation's own: with penalties, or with the independent coordinates held. Else null.
  std::unique_ptr<KktSolver> aside;
  std::vector<double> applied, wanted;  // augmented Lagrangian: Q and Gamma*
  // Partitioning: the state with its dependent part solved for.
  std::vector<double> closed;
  struct Partition {
    Partition(std::size_t freedoms, std::size_t rows) : independent(freedoms), left_out(rows) {}
    std::vector<std::uint8_t> independent;  // freedoms that are integrated
    std::vector<std::uint8_t> left_out;     // rows that depend on the others
    bool chosen = false;
  };
  Partition now;   // chosen where the step began
  Partition next;  // chosen where it ended, at next_q
  double next_t = 0.0;
  std::vector<double> next_q;
  std::vector<double> basis;  // of the motions that the joints allow, one after the other
  std::vector<double> direction;
  long projection_solves = 0;
  long penalty_iterations = 0;
  long repartitions = 0;
  double worst_residual = 0.0;

  // The groups of rows that a contradiction is between, drives first; the rest is -1.
  std::array<int, 6> fighting{};

  Failure failure = Failure::none;
  double failure_time = 0.0;
  int failure_index = 0;
  std::array<double, G::kFreedoms> free_motion{};  // of a massless body: the part of the motion that nothing resists

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
