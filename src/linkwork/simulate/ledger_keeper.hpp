// LedgerKeeper: what a run notes of its steps for the ledger: rows and rank, closure, counts; and how it was made.
#pragma once

#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/integrate/integrator.hpp"
#include "linkwork/integrate/jumps.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/archive.hpp"
#include "linkwork/result/result.hpp"
#include "linkwork/simulate/run_options.hpp"
#include "linkwork/simulate/step_plan.hpp"

namespace linkwork {

// The greatest so far, and the last one of positions.
void noteViolation(const Violation& violation, Ledger& ledger);

class LedgerKeeper {
 public:
  // All of it must outlive the keeper.
  LedgerKeeper(const MechanismSystem& system, const Integrator& integrator, const RunOptions& options, Ledger& ledger)
      : system_(system), integrator_(integrator), options_(options), ledger_(ledger) {}

  // At the start, and settled anew by jumps, in which rows may begin or cease to act.
  void noteRank(const Jumps& jumps);
  // After a step: the pivot nearest to zero, and how well the mechanism closes.
  void notePivot();
  void noteClosure(Workspace& work);
  // With the integrator's workspace, which counts from where this process began.
  void transfer(Archive& archive, const Workspace& work);
  void close(const StepPlan& plan, const Jumps& jumps, const Workspace& work);

 private:
  void noteTurned(double turned);
  void countSolves(const Workspace& work);

  const MechanismSystem& system_;
  const Integrator& integrator_;
  const RunOptions& options_;
  Ledger& ledger_;
  Ledger before_;  // of a resumed run: where it went on
};

// Name, settings and provenance, with the numbers that were chosen for the run where its options leave them open.
void describeRun(const Mechanism& mechanism, const MechanismSystem& system, const RunOptions& options,
                 double output_step, Result& result);

}  // namespace linkwork
