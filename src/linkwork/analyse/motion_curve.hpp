// MotionCurve: the poses that joints and drives allow, one for every time, as a curve that is walked without
// integration.
//
// Time is one more unknown, the reading of a clock that only the moving constraints know:
//
//   (1)  Phi(q(s), t(s)) = 0,   Phi_q q' + Phi_t t' = 0        s: length along the curve       [docs/theory/06,
//   eq. 6.2]
//
// A step goes along the tangent (q', t') and returns by Newton's method at right angles to it. It is halved where the
// tangent turns too far, so that the curve is not left for another branch. Where t' vanishes the drives cannot go on: a
// dead point. There (1) is as regular as elsewhere, so that the pose is found to round-off.
#pragma once

#include <span>
#include <vector>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/analyse/dead_point_words.hpp"
#include "linkwork/analyse/pose_mover.hpp"
#include "linkwork/analyse/posed_problem.hpp"

namespace linkwork {

class MotionCurve {
 public:
  // Starts in the assembled pose at time t. The mechanism must outlive it; `duration` gives the clock its scale.
  MotionCurve(const Mechanism& mechanism, const Assembly& start, double duration, double t = 0.0);

  enum class Walk {
    ok,
    dead_point,  // stands there; deadPoints().back() says what it is
    stuck,       // the joints do not close, or a motion is no number; stands as near as it came, see troubleTime()
  };
  // Moves on to a later time.
  Walk to(double t);

  double time() const { return here_.time; }
  std::span<const double> q() const;
  std::vector<double> turns() const { return clocked_.turns(); }
  std::vector<double> velocity() const;  // dq/dt, as long as the freedoms of all bodies
  double troubleTime() const { return trouble_time_; }
  const std::vector<DeadPoint>& deadPoints() const { return dead_points_; }
  long steps() const { return steps_; }
  long refused() const { return refused_; }

 private:
  struct Spot {
    std::vector<double> pose;     // with the clock
    std::vector<double> tangent;  // greatest displacement 1, in units of the length; the clock counted
    double time = 0.0;
    double rate = 0.0;      // of the time along the tangent
    double distance = 1.0;  // from a pose of lower rank: root of the smallest relative pivot
  };
  bool advance(const Spot& from, double ds, Spot& to);
  void look(Spot& spot);
  double alignment(const Spot& a, const Spot& b) const;
  double deadPointIn(const Spot& from, double ds, Spot& spot);
  bool reach(const Spot& from, double ds, double t, Spot& spot);
  void watchBranches(double ds, const Spot& next);
  void nearest(const Spot& from, double ds, Spot& spot);
  double crossing(const Spot& from, double near);
  void addDeadPoint(const Spot& spot, SingularPose kind);
  std::size_t clockFreedom() const;

  const Mechanism& mechanism_;
  PosedProblem clocked_;
  PoseMover mover_;
  Spot here_;
  Spot before_;  // of the last step, for poses of lower rank
  double before_ds_ = 0.0;
  double duration_;
  double ds_;
  int dropped_ = 1 << 30;  // rows that repeat others, at the start
  double trouble_time_ = 0.0;
  long steps_ = 0;
  long refused_ = 0;
  std::vector<DeadPoint> dead_points_;
};

}  // namespace linkwork
