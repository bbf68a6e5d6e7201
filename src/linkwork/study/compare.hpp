// One mechanism under several methods: which runs there are, what each found, and how far each is from the others.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "linkwork/scalar/tape.hpp"
#include "linkwork/simulate/simulate.hpp"
#include "linkwork/study/differences.hpp"

namespace linkwork {

inline constexpr double kUsualWithin = 1e-4;
// Of the reference length: up to here the ledger calls joints well closed.
inline constexpr double kWellClosed = 1e-9;

struct CompareRequest {
  RunOptions run;                           // what all runs share: times, tolerances, parameters of stabilisations
  std::vector<std::string> formulations;    // empty: all that there are
  std::vector<std::string> stabilisations;  // empty: that of `run`
  std::vector<std::string> integrators;     // empty: that of `run`
  bool also_lifted = true;                  // a planar mechanism in space too
  double within = kUsualWithin;             // relative difference up to which runs agree

  // What is wrong and what to do about it, in one sentence; empty if nothing is. A method that does not go together or
  // does not apply to a mechanism is nothing wrong.
  std::string problem() const;
};

struct ComparedMethod {
  std::string formulation, stabilisation, integrator;
  bool lifted = false;
};

// Operations of one evaluation, written out for this mechanism.
struct EvaluationCost {
  OperationCount count;
  int loop_rows = 0;  // solved with pivoting on top of the count
};

struct ComparedRun {
  ComparedMethod method;
  std::string label;    // "recursive with baumgarte in space": what sets it apart from the others
  std::string problem;  // why it does not apply; then there is nothing below
  Result result;        // in the series of the plane where the mechanism was lifted to be compared
  double seconds = 0.0;
  std::optional<EvaluationCost> cost;  // none: no code is written for it, or it would take long
  Differences difference;              // from the reference

  bool applies() const { return problem.empty(); }
  bool comparable() const { return applies() && result.time.size() > 1; }
  double reached() const { return result.time.empty() ? 0.0 : result.time.back(); }
  // Joints are springs: near the others' answer and not that. Its difference is shown and not counted.
  bool softens() const;
  bool wentThrough() const {
    return applies() && (result.status == RunStatus::complete || result.status == RunStatus::stopped_by_event);
  }
};

struct Comparison {
  std::vector<ComparedRun> runs;         // in the order of space, formulation, stabilisation, integrator
  std::optional<std::size_t> reference;  // none: no run came further than its start
  double within = kUsualWithin;
  bool interrupted = false;  // then the runs that had not begun are missing

  // Greatest difference of a run that went through from the reference; nullopt where there are no two of them.
  std::optional<double> worst() const;
  // The first run that applies and could not go on; null where there is none.
  const ComparedRun* failed() const;
  // Whether all runs that apply went through and agree; nullopt where no two went through.
  std::optional<bool> agree() const;
};

struct CompareControl {
  std::function<bool()> interrupted;             // asked after every step
  std::function<void(double, double)> progress;  // time gone through in all runs, time of all runs
};

// The runs that are asked for, with the reason where one does not apply; nothing is run.
std::vector<ComparedRun> plannedRuns(const Mechanism& mechanism, const CompareRequest& request);

// Why there is nothing to compare, in a sentence; empty if two runs or more apply.
std::string planProblem(const std::vector<ComparedRun>& plan);

// The options of one of the runs.
RunOptions optionsOf(const CompareRequest& request, const ComparedMethod& method);

// Expects assembly.ok and request.problem() to be empty. A run that fails on the way keeps what it has, and says why.
// The reference: of the runs that went through those that are projected or do not drift, of these those whose joints
// are well closed, of these the first whose energy balance is within a factor of ten of the best.
Comparison compare(const Mechanism& mechanism, const Assembly& assembly, const CompareRequest& request,
                   const CompareControl& control = {});

}  // namespace linkwork
