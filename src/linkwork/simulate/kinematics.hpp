// Kinematics: the motion that drives prescribe, with all forces that go with it, without integration.
//
// Poses come from the curve of analyse/motion_curve.hpp, velocities and accelerations from the constraints, reactions
// and efforts of the drives from the index-1 equations there. The work supplied is integrated over each sample interval
// by Gauss's three points, so that the energy balance checks efforts against motion.           [docs/theory/06]
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linkwork/analyse/motion_curve.hpp"
#include "linkwork/simulate/motion_extras.hpp"
#include "linkwork/simulate/recorder.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace linkwork {

struct KinematicsOptions {
  double until = 10.0;       // s
  double output_step = 0.0;  // s; 0: a thousandth of the run
  double reaction_length = 0.0;
  Columns columns = Columns::standard;
  std::optional<ExtraOptions> extras;   // none: motion and forces alone
  std::string analysis = "kinematics";  // its name in the results

  // What is wrong and what to do about it, in one sentence; empty if nothing is.
  std::string problem() const;
};

struct KinematicsRun {
  Result result;  // a run that a dead point ends has failed, says so, and keeps what came before
  std::vector<DeadPoint> dead_points;
  std::vector<std::string> notes;
};

// What keeps the drives from settling the motion, in words; empty if nothing does. Expects assembly.ok.
std::string kinematicsProblem(const Mechanism& mechanism, const Assembly& assembly);

// Expects assembly.ok, and both problems above to be empty.
KinematicsRun runKinematics(const Mechanism& mechanism, const Assembly& assembly, const KinematicsOptions& options,
                            const RunControl& control = {});

// A sweep moves one coordinate at a constant rate, in place of the mechanism's drives. It begins at a value that may be
// far from the drawing: the mechanism is led there in small steps, on the branch that was drawn, and drawn anew.
struct SweepStart {
  std::string problem;  // why it does not get there
  Mechanism mechanism;
  double from = 0.0;  // where the coordinate is
};
SweepStart sweepFrom(const Mechanism& mechanism, const Quantity& coordinate, std::optional<double> from);
Mechanism withSweep(const Mechanism& mechanism, const Quantity& coordinate, double from, double rate);

}  // namespace linkwork
