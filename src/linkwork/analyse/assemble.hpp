// Assembly: a consistent start from a drawing and a few given values.
//
// Positions: the pose nearest to the drawing (metric M, damped Gauss-Newton) with Phi = 0 and the given positions held;
// given values far from the drawing are approached in small steps, so that the mechanism stays on the branch that was
// drawn. Velocities: the least kinetic energy with Phi_q v + Phi_t = 0 and the given rates held.
#pragma once

#include <string>
#include <vector>

#include "linkwork/formulation/make_system.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

struct Assembly {
  bool ok = false;
  std::string problem;  // what is wrong, in words, when not ok
  std::string hint;     // what to do about it
  Source where;         // of the joint or initial value to blame

  std::vector<double> q, v;  // of the centres of mass, body after body: (x, y, angle); in space place and quaternion
  double position_residual = 0.0;  // norm of Phi
  double velocity_residual = 0.0;  // norm of Phi_q v + Phi_t
  double moved = 0.0;              // greatest displacement of a body origin from the drawing, m
  double turned = 0.0;             // greatest turn of a body from the drawing, rad
  int iterations = 0;
  std::vector<int> dependent_rows;  // of Phi at the assembled pose
  double reaction_length = 0.0;     // m: the model file's own, or the rms distance of the joints from their centroid

  std::vector<double> turns;  // in space: the angles whose whole turns are counted

  std::vector<double> state() const;  // x = [q, v, 0, turns]
};

Assembly assemble(const Mechanism& mechanism, double t = 0.0);

// The options with what the assembled start contributes to a system: rows in doubt, and the reaction length unless
// given.
SystemOptions startingFrom(const Assembly& assembly, SystemOptions options = {});

}  // namespace linkwork
