// One interface for all integrators of x' = f(t, x; m): begin, then step until finished, interpolating inside each
// step.
//
//   integrator->begin(t0, x0, t_end);
//   while (integrator->step() == StepStatus::ok) { ... interpolate(t, x) for previousTime() <= t <= time() ... }
//
// What always holds:
//   - time() and state() are those of the last accepted step, also after a step that failed or underflowed; modes()
//     are those that it was taken with, until the next one begins;
//   - interpolate(previousTime()) is the state that step started from, interpolate(time()) is state(), to the last bit;
//   - step() neither allocates nor throws (but for a ContractError when begin() was never called);
//   - every call of the system's derivative is counted, also those for the starting step and for rejected steps.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linkwork/integrate/dense.hpp"
#include "linkwork/integrate/step_limits.hpp"
#include "linkwork/system/ode_system.hpp"

namespace linkwork {

enum class StepStatus {
  ok,
  finished,   // t reached t_end with this step
  underflow,  // the step became too small to move t; failure() says why
  failed,     // no step can be taken; failure() says why
};

// How a fixed-step method tells the time.
enum class TimeRule {
  multiples,        // t = t0 + k h with an integer number of steps, the last one cut to land on t_end
  accumulate_time,  // t = t + h while t < t_end, as in textbook loops; round-off may add a step beyond t_end
};

// radau5: whether errors of velocities count as they are, or times the step, as those of positions that they make in
// it: then swings of stiff springs need not be followed. chosen: as they are, unless who runs it knows better.
enum class VelocityErrors { chosen, as_they_are, times_step };

struct IntegratorOptions {
  double rtol = 1e-8;
  double atol = 1e-10;
  double step = 0;          // s; fixed-step methods need it, the others do not read it
  double max_step = 0;      // s; 0: no limit (ode45: a tenth of the span)
  double initial_step = 0;  // s; 0: chosen from the equations
  TimeRule time_rule = TimeRule::multiples;
  VelocityErrors velocity_errors = VelocityErrors::chosen;
  double rho = 0.8;  // generalized_alpha: what is left of an infinitely fast swing after a step, 0 to below 1

  // What is wrong and what to do about it, in one sentence; empty if nothing is.
  std::string problem() const;
};

struct StepCounts {
  long accepted = 0;
  long rejected = 0;
  long evaluations = 0;
  long state_changes = 0;  // accepted steps after which afterStep changed x
  long stiff_steps = 0;  // accepted steps kept short by what is much faster than the motion; explicit adaptive methods
  double smallest_step = 0;  // s, of the accepted ones, the last step before t_end included; 0 before the first
  double largest_step = 0;   // s
};

// All that the steps to come depend on, between two steps.
struct IntegratorMemory {
  double t = 0, t_begin = 0, t_end = 0, last_step = 0;
  std::vector<double> x, slope;
  bool slope_valid = false;
  StepCounts counts;
  std::vector<double> method;  // the method's own: step size wanted, error before, ...
  Modes modes;
  double jump_margin = 0;
};

class Integrator {
 public:
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;
  virtual ~Integrator();

  // From here on no step is longer than these limits, beside max_step; a fixed step is halved until it is short enough.
  void limitSteps(StepLimits limits) { limits_ = std::move(limits); }

  // Starts afresh: counts from zero, evaluates f(t0, x0), chooses the step. Needs t0 < t_end.
  StepStatus begin(double t0, std::span<const double> x0, double t_end);
  // The same in modes that hold already, as where a motion is taken up in the middle.
  StepStatus begin(double t0, std::span<const double> x0, double t_end, const Modes& modes);
  // One accepted step; retries with smaller ones inside. Once finished or failed, answers the same again.
  StepStatus step();
  // Goes on from (t, x) after an event changed one of them, or the modes; previousTime() <= t <= time(). Histories are
  // void, and a fixed grid starts again at t.
  StepStatus resumeAt(double t, std::span<const double> x) { return resumeAt(t, x, modes_); }
  StepStatus resumeAt(double t, std::span<const double> x, const Modes& modes);

  // Goes on beyond t_end, once finished, to a later one; a fixed grid starts again. Counts go on too.
  StepStatus continueTo(double t_end);

  // At t_end, as begin or continueTo gave it, the equations may jump. What a step asks of them there it asks
  // `round_off` s earlier, so that its stages lie on one side; the other side is that of whoever continues.
  void endBeforeJump(double round_off) { jump_margin_ = round_off; }

  // Going on in another process as if nothing had happened. A method that remembers puts all it knows into its memory;
  // one that does not must start over where its memory is taken, then and when it is given back: from t, x and the
  // modes, with its counts going on.
  virtual bool remembers() const { return false; }
  IntegratorMemory memory() const;           // between steps, after one that answered ok
  void recall(const IntegratorMemory& was);  // instead of begin; the step before is not to be interpolated
  StepStatus startOver();

  double time() const { return t_; }
  double previousTime() const { return previous_t_; }
  std::span<const double> state() const { return x_; }
  const Modes& modes() const { return modes_; }
  void interpolate(double t, std::span<double> x) const;

  // The method's own multipliers at time(), row by row of the constraints it enforces; empty where it has none. They
  // may be far less accurate than the reactions of the index-1 equations, which observations show.
  virtual std::span<const double> multipliers() const { return {}; }

  // What the system said of its constraint rows when it was last asked, in a stage of the last step or in the
  // correction after it; nothing where it did not factor them.
  const std::optional<RowRank>& rows() const { return rows_; }

  // Of all that it said since the last step began, what is nearest to dependence: the most freedoms, then the smallest
  // pivot. Stages lie within the step: what dips between its ends shows here.
  const std::optional<RowRank>& nearestRows() const { return nearest_rows_; }

  const StepCounts& counts() const { return counts_; }
  double lastStep() const { return last_step_; }
  Workspace& workspace() { return *work_; }
  const OdeSystem& system() const { return system_; }
  const IntegratorOptions& options() const { return options_; }

  // When and why the last step was not taken; empty if it was. Ask before using workspace() for anything else.
  std::string failure() const;

 protected:
  // The system must outlive the integrator.
  Integrator(const OdeSystem& system, const IntegratorOptions& options);

  // The method's part. In all three (t_, x_) is the last accepted point and slope_ = f(t_, x_).
  virtual StepStatus start() = 0;    // chooses the first step
  virtual StepStatus restart() = 0;  // after resumeAt and continueTo
  virtual StepStatus advance() = 0;  // one accepted step, ending in commit(), or fail()

  // Before each step and where a run goes on: whether x_ now says the same state in other numbers, or the equations
  // have changed. A method whose next step does not depend on x_ alone must see to it that the steps before do not
  // mislead it.
  virtual bool restate() { return system_.restate(t_, x_, modes_, *work_) != Restated::no; }
  virtual std::vector<double> methodMemory() const { return {}; }
  virtual void recallMethod(std::span<const double> /*was*/) {}

  // When the equations are asked for what holds at t: a little earlier where a leg ends before a jump.
  double timeAsked(double t) const { return std::abs(t - t_end_) < jump_margin_ ? t_end_ - jump_margin_ : t; }
  Eval evaluate(double t, std::span<const double> x, std::span<double> xdot);
  // Notes what an evaluation found of the rows, and why it came to nothing.
  Eval take(double t, const Evaluation& evaluation);
  // Copies x_new_ to raw_x_new_, then lets the system correct x_new_.
  AfterStep correct(double t_new);
  // retry if an entry under error control is not finite.
  Eval checkFinite(double t, std::span<const double> x);
  enum class EndSlope { unknown, known };  // known: slope_ is already f(t_new, x_new_)
  StepStatus commit(double t_new, double h, EndSlope end_slope, const AfterStep& after);
  void countRejection() { ++counts_.rejected; }
  void countStiffStep() { ++counts_.stiff_steps; }
  // For methods that evaluate the system's dae() or mechanical() instead of its derivative.
  void countEvaluation(long more = 1) { counts_.evaluations += more; }
  // Whom AskSystem::yes asks.
  virtual std::string describeTrouble() const { return system_.describeFailure(*work_); }
  // w of x_new_ by the trapezoidal rule, for methods whose own step does not give it.
  void finishQuadratures(double h, std::span<const double> end_slope);

  // Why an attempt came to nothing; the last note stands when fail() is called. Texts are literals: no allocation.
  enum class AskSystem { no, yes };
  void note(double t, const char* why, AskSystem ask);
  StepStatus fail(StepStatus status, const char* lead = "", double lead_value = 0);
  StepStatus failUnderflow(double limit);

  const OdeSystem& system_;
  const IntegratorOptions options_;
  const StateSpace space_;
  StepLimits limits_;
  double t_ = 0;
  double t_begin_ = 0;
  double t_end_ = 0;
  double jump_margin_ = 0;  // s: before t_end_, where the equations may jump; 0: they do not
  std::vector<double> x_;
  Modes modes_;
  std::vector<double> slope_;
  std::vector<double> x_new_;
  std::vector<double> raw_x_new_;  // x_new_ before the system corrected it
  DenseOutput dense_;

 private:
  struct Trouble {
    double time = 0;
    const char* lead = "";  // may hold one {} for lead_value
    double lead_value = 0;
    const char* why = "";
    AskSystem ask = AskSystem::no;
  };

  StepStatus evaluateSlope(const char* lead);

  std::unique_ptr<Workspace> work_;
  StepStatus status_ = StepStatus::failed;
  bool begun_ = false;
  bool slope_valid_ = false;
  double previous_t_ = 0;
  double last_step_ = 0;
  StepCounts counts_;
  std::optional<RowRank> rows_;
  std::optional<RowRank> nearest_rows_;
  Trouble trouble_;
};

}  // namespace linkwork
