// The paper's own ways to solve for impulses in loops, and impulses that are never restated: what they cost, and where
// they fail.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/base/contract.hpp"
#include "linkwork/base/index.hpp"
#include "linkwork/formulation/hamiltonian/hamiltonian_system.hpp"
#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/integrate/sundials/make_sundials.hpp"
#include "run_model.hpp"
#include "shipped_models.hpp"

namespace linkwork::validation {
namespace hamiltonian_variants_test {

struct Studied {
  long sweeps = 0;     // of one evaluation
  double error = 0.0;  // of the velocities, as a share of the largest
};

// At the assembled start with other impulses, which the loops have to close, against the way that is taken as a rule.
Studied studied(const std::string& model, LoopSolver solver, HamiltonianOptions options = {}) {
  const Mechanism mechanism = readShippedModel(model);
  const Assembly assembly = assemble(mechanism);
  expect(assembly.ok, assembly.problem);
  options.doubtful_rows = assembly.dependent_rows;
  const PlanarHamiltonianSystem direct(mechanism, options);
  std::vector<double> x = direct.fromAbsolute(0.0, assembly.state());
  for (int k = 0; k < direct.tree().freedoms; ++k) x[at(direct.tree().coordinates + k)] += std::sin(1.0 + 2.0 * k);
  options.solver = solver;
  const PlanarHamiltonianSystem other(mechanism, options);
  const auto work = other.makeWorkspace();
  std::vector<double> rates(x.size());
  expect(other.derivative(0.0, x, other.startModes(), *work, rates) == Eval::ok, other.describeFailure(*work));
  const std::vector<double> wanted = direct.toVelocities(0.0, x);
  const std::vector<double> found = other.toVelocities(0.0, x);
  Studied out{other.loopIterations(*work), 0.0};
  double largest = 0.0;
  for (const double value : wanted) largest = std::max(largest, std::abs(value));
  for (std::size_t k = 0; k < x.size(); ++k) out.error = std::max(out.error, std::abs(found[k] - wanted[k]) / largest);
  return out;
}

// (10) takes ever more sweeps and may not get there in 5000; (11) finds less and less, on six loops nothing.
TEST(HamiltonianVariants, CostMoreAndFindLessTheMoreLoopsThereAre) {
  struct Row {
    const char* model;
    long at_least, at_most;  // sweeps of (10)
    double iterated;         // error of (10)
    double least, most;      // error of (11)
  };
  for (const Row& row :
       {Row{"four_bar", 10, 100, 1e-11, 0.0, 1e-13}, Row{"stephenson_six_bar", 50, 200, 1e-10, 0.0, 1e-12},
        Row{"andrews_squeezer", 200, 900, 1e-10, 1e-14, 1e-10}, Row{"jansen_leg", 400, 1500, 1e-8, 1e-12, 1e-6},
        Row{"scissor_lift", 5000, 5000, 1e-2, 1e-5, 1.0}, Row{"jansen_walker", 2000, 5000, 1e-8, 1e-3, 10.0}}) {
    const Studied iterated = studied(row.model, LoopSolver::iteration);
    const Studied krylov = studied(row.model, LoopSolver::krylov);
    RecordProperty(row.model, fmt::format("(10) {} sweeps, {:.1e}; (11) {} sweeps, {:.1e}", iterated.sweeps,
                                          iterated.error, krylov.sweeps, krylov.error));
    EXPECT_GE(iterated.sweeps, row.at_least) << row.model;
    EXPECT_LE(iterated.sweeps, row.at_most) << row.model;
    EXPECT_LT(iterated.error, row.iterated) << row.model;
    EXPECT_GE(krylov.error, row.least) << row.model;
    EXPECT_LT(krylov.error, row.most) << row.model;
  }
}

// A quarter of the inertia is the weight of (10) for equal images. For shares s it is 1 / (4 s (1 - s)) times the
// weight of (10), and diverges where that takes the largest eigenvalue of K Phi, at most 1, beyond 2: from s = 0.854
// on.
TEST(HamiltonianVariants, AQuarterIsTheWeightOfEqualImages) {
  HamiltonianOptions options;
  options.opening = LoopOpening::split_bodies;
  const Studied iterated = studied("four_bar", LoopSolver::iteration, options);
  const Studied quarter = studied("four_bar", LoopSolver::quarter, options);
  RecordProperty("sweeps", fmt::format("{} iteration, {} quarter", iterated.sweeps, quarter.sweeps));
  EXPECT_NEAR(static_cast<double>(quarter.sweeps), static_cast<double>(iterated.sweeps), 1.0);  // the last by round-off
  EXPECT_LT(quarter.error, 1e-10);
  options.image_share = 0.8;
  EXPECT_LT(studied("four_bar", LoopSolver::quarter, options).error, 1e-10);
  options.image_share = 0.9;
  EXPECT_LT(studied("four_bar", LoopSolver::iteration, options).error, 1e-10);
  EXPECT_THROW(studied("four_bar", LoopSolver::quarter, options), ContractError);
}

// Impulses in loops grow with the time, and steps are chosen by their errors: restated ones need fewer, and lose less.
TEST(HamiltonianGauge, RestatedImpulsesTakeFewerStepsAndKeepTheEnergy) {
  const Mechanism mechanism = readShippedModel("four_bar");
  for (const char* integrator : {"dopri5", "arkode", "cvode"}) {
    if (findIntegrator(integrator)->sundials && !hasSundials()) continue;
    RunOptions options = runOptions(mechanism);
    options.until = 60.0;
    options.integrator = integrator;
    options.steps.rtol = options.steps.atol = 1e-6;
    options.system.formulation = "hamiltonian";
    options.system.stabilisation = "none";
    const Result restated = runModel(mechanism, options);
    ASSERT_EQ(restated.status, RunStatus::complete) << restated.message;
    options.system.variant = "one_gauge";
    const Result kept = runModel(mechanism, options);
    ASSERT_EQ(kept.status, RunStatus::complete) << kept.message;
    RecordProperty(integrator, fmt::format("{} steps, {:.1e} J; in one gauge {}, {:.1e} J", restated.ledger.steps,
                                           restated.ledger.worst_energy_balance, kept.ledger.steps,
                                           kept.ledger.worst_energy_balance));
    EXPECT_LT(restated.ledger.steps, kept.ledger.steps) << integrator;
    EXPECT_LT(restated.ledger.worst_energy_balance, 0.8 * kept.ledger.worst_energy_balance) << integrator;
  }
}

}  // namespace hamiltonian_variants_test
}  // namespace linkwork::validation
