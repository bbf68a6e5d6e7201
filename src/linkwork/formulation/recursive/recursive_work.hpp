// The scratch of a RecursiveSystem, shared by the files that implement it.
#pragma once

#include <memory>
#include <vector>

#include "linkwork/formulation/recursive/recursive_system.hpp"
#include "linkwork/formulation/stabilised_work.hpp"

namespace linkwork {

template <class G>
struct RecursiveSystem<G>::Work final : Workspace, CutTree<G>::Work, StabilisedWork {
  explicit Work(const RecursiveSystem& system)
      : CutTree<G>::Work(system.cut_tree_),
        StabilisedWork(system.freedoms(), system.space().size()),
        udot(at(system.freedoms())),
        acceleration(at(system.cuts_.freedoms())),
        before(acceleration),
        lambda(at(system.cuts_.rows())),
        wanted(lambda),
        events(system.observer_.events().makeScratch()) {
    if (system.cut_tree_.lacksInertia()) inverse = std::make_unique<InverseDynamics<G>>(system.tree_);
    if (system.options_.stabilisation == Stabilisation::augmented_lagrangian) {
      aside = std::make_unique<SemidefiniteLdlt>(system.rows());
    } else if (system.options_.stabilisation == Stabilisation::partitioning) {
      aside = std::make_unique<SemidefiniteLdlt>(system.rows());
      joint_rows.resize(lambda.size() * udot.size());
      weight.resize(udot.size());
      parting = std::make_unique<PartitionWork>(system.partitionLayout(), system.coordinates(), system.space().size(),
                                                system.independentAtMost());
    }
  }

  std::vector<double> udot, acceleration;
  std::unique_ptr<InverseDynamics<G>> inverse;  // where links lack inertia
  // Factors of the stabilisation's own: G M^-1 G^T + 1/c, or G G^T of the dependent coordinates. Else null.
  std::unique_ptr<SemidefiniteLdlt> aside;
  std::vector<double> before;      // augmented Lagrangian: accelerations of the iteration before
  std::vector<double> joint_rows;  // partitioning: G, row by row
  std::vector<double> weight;      // likewise: of each u; 0 holds it
  std::vector<double> lambda, wanted;
  typename EventFunctions<G>::Scratch events;
  std::unique_ptr<typename Observer<G>::Work> seen;  // made when something is observed
};

}  // namespace linkwork
