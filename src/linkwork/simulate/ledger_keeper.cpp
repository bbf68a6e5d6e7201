#include "linkwork/simulate/ledger_keeper.hpp"

#include <algorithm>
#include <utility>

#include "linkwork/simulate/provenance.hpp"

namespace linkwork {

void noteViolation(const Violation& violation, Ledger& ledger) {
  ledger.worst_position = std::max(ledger.worst_position, violation.position);
  ledger.worst_velocity = std::max(ledger.worst_velocity, violation.velocity);
  ledger.worst_acceleration = std::max(ledger.worst_acceleration, violation.acceleration);
  ledger.final_position = violation.position;
}

void LedgerKeeper::noteRank(const Jumps& jumps) {
  const auto work = system_.makeWorkspace();
  const RankReport rank = system_.rankReport(integrator_.time(), integrator_.state(), integrator_.modes(), *work);
  ledger_.rows = rank.rows;
  ledger_.rank = rank.rank;
  ledger_.dependent_rows = rank.dependent_rows;
  if (jumps.count() == 0 || rank.smallest_kept < ledger_.smallest_pivot) {
    ledger_.nearest_row = rank.nearest_row;
    ledger_.smallest_pivot = rank.smallest_kept;
  }
  ledger_.degrees_of_freedom = rank.freedoms;
  ledger_.position_degrees_of_freedom = rank.position_freedoms;
  ledger_.reference_length = system_.referenceLength();
  ledger_.reaction_length = system_.reactionLength();
}

void LedgerKeeper::notePivot() {
  const std::optional<RowRank>& rows = integrator_.rows();
  if (!rows || !(rows->smallest_pivot < ledger_.smallest_pivot)) return;
  ledger_.smallest_pivot = rows->smallest_pivot;
  ledger_.nearest_row = system_.rowName(rows->nearest_row);
}

void LedgerKeeper::noteClosure(Workspace& work) {
  const Violation violation = system_.violation(integrator_.time(), integrator_.state(), integrator_.modes(), work);
  noteViolation(violation, ledger_);
  const std::optional<RowRank>& rows = integrator_.rows();
  if (rows) noteTurned(violation.position / ledger_.reference_length / rows->smallest_pivot);
}

// Near a pose of lower rank a gap e turns the nearly free direction by e over the distance from it, and its rate by e
// over the square of that.                                                     [docs/theory/01, before eq. 1.32]
void LedgerKeeper::noteTurned(double turned) {
  const StabilisationInfo* stabilisation = findStabilisation(options_.system.stabilisation);
  if (stabilisation->projects || !(turned > ledger_.turned)) return;
  ledger_.turned = turned;
  ledger_.turned_at = integrator_.time();
}

void LedgerKeeper::countSolves(const Workspace& work) {
  const SolveCounts counts = system_.solveCounts(work);
  ledger_.projection_solves = before_.projection_solves + counts.projections;
  ledger_.penalty_iterations = before_.penalty_iterations + counts.penalty_iterations;
  ledger_.repartitions = before_.repartitions + counts.repartitions;
  ledger_.worst_linear_residual = std::max(before_.worst_linear_residual, counts.worst_residual);
}

void LedgerKeeper::transfer(Archive& archive, const Workspace& work) {
  countSolves(work);
  archive(ledger_);
  if (archive.reading()) before_ = ledger_;
}

void LedgerKeeper::close(const StepPlan& plan, const Jumps& jumps, const Workspace& work) {
  const StepCounts& counts = integrator_.counts();
  ledger_.steps = counts.accepted;
  ledger_.rejected = counts.rejected;
  ledger_.stiff_steps = counts.stiff_steps;
  ledger_.evaluations = counts.evaluations;
  ledger_.smallest_step = counts.smallest_step;
  ledger_.largest_step = counts.largest_step;
  ledger_.jumps = jumps.count();
  ledger_.jump_energy = jumps.energy();
  countSolves(work);
  ledger_.loose_bounds = plan.loose;
}

void describeRun(const Mechanism& mechanism, const MechanismSystem& system, const RunOptions& options,
                 double output_step, Result& result) {
  result.name = mechanism.name;
  result.provenance = provenanceOf(mechanism);
#ifdef LINKWORK_SUNDIALS_VERSION
  const IntegratorInfo* info = findIntegrator(options.integrator);
  if (info != nullptr && info->sundials) result.provenance.emplace_back("SUNDIALS", LINKWORK_SUNDIALS_VERSION);
#endif
  RunOptions resolved = options;
  resolved.output_step = output_step;
  resolved.system.reaction_length = system.reactionLength();
  result.settings = settingsOf(mechanism, resolved);
  result.cut_joints = findFormulation(options.system.formulation)->cutJoints(mechanism, options.system);
}

}  // namespace linkwork
