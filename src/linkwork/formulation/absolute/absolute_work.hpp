// The scratch of an AbsoluteSystem, shared by the files that implement it.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/formulation/stabilised_work.hpp"

namespace linkwork {

template <class G>
struct BasicAbsoluteSystem<G>::Work final : Workspace, Observer<G>::Work, StabilisedWork, FailureNote {
  explicit Work(const BasicAbsoluteSystem& system)
      : Observer<G>::Work(system.observer_),
        StabilisedWork(system.freedoms(), system.space().size()),
        f(at(system.freedoms())),
        g(at(system.rows())),
        acceleration(f),
        lambda(g),
        applied(f),
        wanted(g) {
    if (system.options_.stabilisation == Stabilisation::augmented_lagrangian) {
      aside = std::make_unique<KktSolver>(system.rows_.makeSolver());
    } else if (system.options_.stabilisation == Stabilisation::partitioning) {
      KktStructure held = system.rows_.structure();
      held.mass = MassMatrix::definite;  // its weights are
      aside = std::make_unique<KktSolver>(std::move(held));
      parting = std::make_unique<PartitionWork>(system.partitionLayout(), system.coordinates(), system.space().size(),
                                                system.independentAtMost());
    }
  }

  std::vector<double> f, g;  // right-hand sides, overwritten by solutions
  std::vector<double> acceleration, lambda;
  // Factors of the stabilisation's own: with penalties, or with the independent coordinates held. Else null.
  std::unique_ptr<KktSolver> aside;
  std::vector<double> applied, wanted;  // augmented Lagrangian: Q and Gamma*
  SolveCounts counts;

  // The groups of rows that a contradiction is between, drives first; the rest is -1.
  std::array<int, 6> fighting{};

  std::array<double, G::kFreedoms> free_motion{};  // of a massless body: the part of the motion that nothing resists
};

}  // namespace linkwork
