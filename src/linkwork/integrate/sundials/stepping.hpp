// SundialsIntegrator: what CVODE, ARKODE and IDA have in common as integrators of ours.
//
// The library takes one internal step at a time and never goes beyond t_end. Where it gives up it is started again from
// the last accepted state with a hundredth of its step, until that is too small: then the run ends as with our own
// methods. It starts afresh from (t, x) alone after begin, resumeAt and continueTo, so that a run that begins anew at
// the same times gives the same bits. A history is in the numbers of the steps before: a method that has one lets the
// system restate x only where these have become so much larger than they need be that the relative tolerance means
// something else, or where the system's equations change, and starts afresh there.
#pragma once

#include "linkwork/integrate/adaptive_integrator.hpp"
#include "linkwork/integrate/sundials/library.hpp"

namespace linkwork::sundials {

class SundialsIntegrator : public AdaptiveIntegrator {
 protected:
  // The library's unknowns y begin with x; there are `unknowns` of them.
  SundialsIntegrator(const OdeSystem& system, const IntegratorOptions& options, std::size_t unknowns);

  // The library's part. Flags are as it gives them: negative where no step was taken.
  virtual bool initialise(double first_step) = 0;  // from (t_, y_); 0: the library chooses the step
  virtual int takeStep(double& t_new) = 0;
  virtual void stopAt(double t) = 0;  // the next step goes no further
  virtual double wantedStep() const = 0;
  virtual long failedSteps() const = 0;  // since initialise
  virtual bool isErrorFailure(int flag) const = 0;
  virtual bool isTooAccurate(int flag) const = 0;  // round-off is larger than the tolerance
  // Goes on from (t_, x) with the step it wants; false where its steps depend on those before.
  virtual bool goOnFrom(std::span<const double> /*x*/) { return false; }
  // After a step: sets x_new_ and dense_, and slope_ where it is known. retry where it cannot.
  virtual Eval finish(double t_new, double h, EndSlope& end_slope) = 0;

  double scaleOf(std::size_t i, double value) const;
  // 1 / (atol + rtol |y_i|), and next to nothing for quadratures.
  void setWeights(std::span<const double> y, std::span<double> weights) const;

  // What a callback answers the library: 0, 1 for a smaller step, -1 for none.
  int answer(Eval eval);
  int rightSide(double t, N_Vector y, N_Vector ydot);
  // Lets the system correct the library's y: x_new_ is y corrected, raw_x_new_ is y, after_ what the system says.
  int project(double t, N_Vector y);

  // Polynomial of the last step from derivatives k = 0 .. degree at its end, for methods with a history.
  template <class Derivative>
  void setBackward(double h, int degree, const Derivative& derivative) {
    double factor = 1;
    for (int k = 0; k <= degree; ++k) {
      derivative(k, dky_.get());
      if (k > 0) factor *= h / k;
      auto& z = history_[static_cast<std::size_t>(k)];
      for (std::size_t i = 0; i < x_.size(); ++i) z[i] = factor * dky_.values()[i];
    }
    dense_.setBackward(std::span(history_).first(static_cast<std::size_t>(degree) + 1), x_, x_new_);
  }

  static constexpr std::size_t kMostOrder = 5;

  Context context_;
  Vector y_;
  Vector dky_;
  AfterStep after_;  // of the correction that the library was given last

 private:
  StepStatus start() final;
  StepStatus restart() final;
  bool restate() final;
  bool outgrown();
  StepStatus advance() final;
  void limitNext();
  StepStatus giveUp(int flag);
  bool beginAnew(double first_step);
  StepStatus takeShortStep();

  std::vector<std::vector<double>> history_;
  std::vector<double> restated_;
  std::vector<double> largest_restated_;  // tolerance of each entry at its largest, restated, since the library started
  long failures_seen_ = 0;
  long steps_ = 0;             // since the library started; before the first what it says of its steps is old
  double first_step_ = 0;      // what it was started with
  bool stops_before_ = false;  // the library was told to stop before t_end_
  // What callbacks answered in the step under way.
  bool refused_ = false;
  bool retried_ = false;
};

}  // namespace linkwork::sundials
