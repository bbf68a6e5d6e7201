// SpikeWatch: whether what is seen within a step can be what the stages of the step have integrated.
//
// A load that depends on the motion and acts for a moment only (a stiff wall that is touched and left) may lie between
// all stages of a step. Samples within the step may meet it: there the accelerations, which are computed anew, are not
// the slopes of the velocities, which are interpolated. At most samples a glance shows that they fit,
//   |v_1 - v_0 - dt (a_0 + a_1)/2| <= share of dt |a|,     0: the sample before,
// and only where they do not are they compared with the slope of the interpolation itself. A spike is what differs
// there, and does not at other times of the step: a load that acts longer has been seen by the stages, and an
// interpolation that is poor everywhere has nothing to do with loads.
#pragma once

#include <functional>
#include <vector>

#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/integrate/integrator.hpp"
#include "linkwork/result/archive.hpp"

namespace linkwork {

class SpikeWatch {
 public:
  explicit SpikeWatch(const IntegratorOptions& tolerances) : tolerances_(tolerances) {}

  // What fits, at the end of a step or at a sample within one: the next one is compared with it.
  void keep(double t, const Observation& seen);
  // Velocities may have jumped: the next one has nothing to be compared with.
  void forget() { motions_.clear(); }
  double lastTime() const { return time_; }  // of what was kept; meaningless after forget

  // Whether the accelerations seen at t are far from the mean slope since the last time. Cheap, and true now and then
  // also where they do fit.
  bool doubts(double t, const Observation& seen) const;

  struct Step {
    double from = 0.0, to = 0.0;  // s
  };
  // The body whose acceleration at t is a spike; -1: there is none. observe(t, out) shows the interpolated motion.
  using Observe = std::function<bool(double t, Observation& out)>;
  int bodyInSpike(double t, const Observation& seen, const Step& step, const Observe& observe);

  void transfer(Archive& archive) {  // what it keeps between steps
    archive(time_);
    archive(motions_);
  }

 private:
  // How far a body's acceleration, of its point or of its turning, is from the slope of its velocity.
  struct Misfit {
    double size = 0.0;
    double greatest = 0.0;  // of the two
    double speed = 0.0;
  };
  Misfit misfitOf(std::size_t body, std::size_t pair, const Observation& seen) const;
  // Observes beside t, for slopes there.
  bool takeSlopes(double t, const Step& step, const Observe& observe);
  bool fitsElsewhere(double t, std::size_t body, std::size_t pair, double misfit, const Step& step,
                     const Observe& observe);
  double toleranceOf(double speed) const { return tolerances_.atol + tolerances_.rtol * speed; }

  IntegratorOptions tolerances_;
  double time_ = 0.0;
  std::vector<double> motions_;      // of each body: velocity, angular velocity, acceleration, angular acceleration
  Observation before_, after_;       // beside the time that is looked at
  double left_ = 0.0, right_ = 0.0;  // s: when
  Observation elsewhere_;
};

}  // namespace linkwork
