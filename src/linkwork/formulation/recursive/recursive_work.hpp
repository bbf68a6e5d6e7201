// The scratch of a RecursiveSystem, shared by the files that implement it.
#pragma once

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "linkwork/formulation/failure_note.hpp"
#include "linkwork/formulation/partitioning.hpp"
#include "linkwork/formulation/recursive/recursive_system.hpp"

namespace linkwork {

namespace recursive {
using absolute::at;
}  // namespace recursive

// What a tree with links without inertia is solved with.
template <class G>
struct RecursiveSystem<G>::Dense {
  explicit Dense(const RecursiveSystem& system);
  TreeMassMatrix<G> mass;
  InverseDynamics<G> inverse;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows;  // G
  Eigen::MatrixXd parts;                                                        // of M + rho G^T G = L L^T: L^-1 G^T
  Eigen::MatrixXd sum;
  Eigen::LLT<Eigen::MatrixXd> factor;
  Eigen::VectorXd right;
  double rho = 0.0;
};

template <class G>
struct RecursiveSystem<G>::Work final : Workspace, TreeEquations<G>::Work, FailureNote {
  using Force = typename LinkAxes<G>::Force;
  explicit Work(const RecursiveSystem& system)
      : TreeEquations<G>::Work(system.equations_),
        inertia(system.tree_),
        solve(system.tree_),
        forces(system.tree_.links.size()),
        ldlt(system.cuts_.rows()),
        row_parts(absolute::at(system.cuts_.rows()) * system.tree_.columns.size()),
        udot(absolute::at(system.tree_.freedoms)),
        acceleration(absolute::at(system.cuts_.freedoms())),
        velocity(acceleration),
        before(acceleration),
        lambda(absolute::at(system.cuts_.rows())),
        wanted(lambda),
        rest(lambda),
        velocity_residual(lambda),
        row_square(lambda),
        beside(absolute::at(system.space().size())),
        across(udot),
        across_lambda(lambda),
        step(udot),
        events(system.observer_.events().makeScratch()) {
    if (system.lacks_inertia_) dense = std::make_unique<Dense>(system);
    if (system.options_.stabilisation == Stabilisation::augmented_lagrangian) {
      aside = std::make_unique<SemidefiniteLdlt>(system.cuts_.rows());
    } else if (system.options_.stabilisation == Stabilisation::partitioning) {
      aside = std::make_unique<SemidefiniteLdlt>(system.cuts_.rows());
      joint_rows.resize(lambda.size() * udot.size());
      weight.resize(udot.size());
      parting = std::make_unique<PartitionWork>(system.tree_.freedoms, system.cuts_.rows(), system.tree_.coordinates,
                                                system.space().size(), system.independentAtMost());
    }
  }

  ArticulatedFactor<G> inertia;
  TreeSolve<G> solve;
  std::vector<Force> forces;  // of each link; zero between uses
  SemidefiniteLdlt ldlt;      // G M^-1 G^T
  SemidefiniteLdlt::Factored factored;
  std::vector<double> row_parts;  // of each cut row, by columns: w / sqrt(d)
  std::vector<double> udot, acceleration, velocity;
  // Factors of the stabilisation's own: G M^-1 G^T + 1/c, or G G^T of the dependent coordinates. Else null.
  std::unique_ptr<SemidefiniteLdlt> aside;
  std::vector<double> before;              // augmented Lagrangian: accelerations of the iteration before
  std::unique_ptr<PartitionWork> parting;  // with partitioning
  std::vector<double> joint_rows;          // likewise: G, row by row
  std::vector<double> weight;              // likewise: of each u; 0 holds it
  std::vector<double> lambda, wanted, rest, velocity_residual;
  std::vector<double> row_square;  // of the cuts: Phi_q M^-1 Phi_q^T of the bodies alone
  double power = 0.0;              // of loads and drives
  std::vector<double> beside, across, across_lambda, step;
  typename EventFunctions<G>::Scratch events;
  std::unique_ptr<Dense> dense;                      // where links lack inertia
  std::unique_ptr<typename Observer<G>::Work> seen;  // made when something is observed
  long projection_solves = 0;
  long penalty_iterations = 0;
  double worst_residual = 0.0;
};

}  // namespace linkwork
