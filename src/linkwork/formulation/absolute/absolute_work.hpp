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
#include "linkwork/formulation/failure_note.hpp"
#include "linkwork/formulation/partitioning.hpp"

namespace linkwork {

template <class G>
struct BasicAbsoluteSystem<G>::Work final : Workspace, Observer<G>::Work, FailureNote {
  explicit Work(const BasicAbsoluteSystem& system)
      : Observer<G>::Work(system.observer_),
        f(at(system.equations_.freedoms())),
        g(at(system.equations_.rows())),
        acceleration(f),
        lambda(g),
        beside(at(system.space().size())),
        across(f),
        applied(f),
        wanted(g) {}

  std::vector<double> f, g;  // right-hand sides, overwritten by solutions
  std::vector<double> acceleration, lambda;
  double power = 0.0;  // of loads and drives
  // Near a pose of lower rank: a state beside it, and the accelerations from both sides.
  std::vector<double> beside, across;
  // Factors of the stabilisation's own: with penalties, or with the independent coordinates held. Else null.
  std::unique_ptr<KktSolver> aside;
  std::vector<double> applied, wanted;     // augmented Lagrangian: Q and Gamma*
  std::unique_ptr<PartitionWork> parting;  // with partitioning
  SolveCounts counts;

  // The groups of rows that a contradiction is between, drives first; the rest is -1.
  std::array<int, 6> fighting{};

  std::array<double, G::kFreedoms> free_motion{};  // of a massless body: the part of the motion that nothing resists
};

}  // namespace linkwork
