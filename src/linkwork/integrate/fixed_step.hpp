// What all fixed-step methods share: the time grid, the acceptance of a step, and no second try.
#pragma once

#include "linkwork/integrate/integrator.hpp"

namespace linkwork {

class FixedStep : public Integrator {
 public:
  bool remembers() const override { return true; }  // a method that cannot tell its history must say no

 protected:
  // Which slope the method's dense output ends on.
  enum class Dense {
    by_first_slope,  // nothing beyond the step itself
    by_both_slopes,  // cubic Hermite; f(t_new, x_new) is evaluated now and serves the next step
  };
  FixedStep(const OdeSystem& system, const IntegratorOptions& options, Dense dense);

  StepStatus start() override;
  // x_new_ from x_ and slope_.
  virtual Eval takeStep(double h) = 0;
  // Corrects x_new_ and leaves it in raw_x_new_ as it was.
  virtual AfterStep settle(double t_new) { return correct(t_new); }
  // The slope that dense output and the next step begin with.
  virtual Eval slopeAt(double t, std::span<const double> x, std::span<double> xdot) { return evaluate(t, x, xdot); }
  // x_new_ is accepted but for its quadratures; the slope there is known with by_both_slopes only.
  virtual void finishStep(double /*h*/, std::span<const double> /*end_slope*/) {}

  // A method with a memory of its own puts it behind this one.
  std::vector<double> methodMemory() const override {
    return {h_, grid_start_, static_cast<double>(steps_done_), static_cast<double>(steps_total_)};
  }
  void recallMethod(std::span<const double> was) override {
    h_ = was[0];
    grid_start_ = was[1];
    steps_done_ = static_cast<long>(was[2]);
    steps_total_ = static_cast<long>(was[3]);
  }
  static constexpr std::size_t kMemory = 4;

 private:
  StepStatus restart() override { return start(); }
  StepStatus advance() override;
  StepStatus failStep(Eval eval, double h);
  double fittingStep() const;

  Dense dense_kind_;
  double h_ = 0;
  double grid_start_ = 0;
  long steps_done_ = 0;   // since grid_start_
  long steps_total_ = 0;  // to t_end_; the last one may be shorter
  std::vector<double> end_slope_;
};

}  // namespace linkwork
