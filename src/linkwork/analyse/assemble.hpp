// Assembly: a consistent start from a drawing and a few given values.
//
// Positions: the pose nearest to the drawing (metric M, damped Gauss-Newton, which is Newton with the steps of
// Levenberg and Marquardt where it does not converge) with Phi = 0 and the given positions held; given values far from
// the drawing are approached in small steps, so that the mechanism stays on the branch that was drawn. Values that have
// a weight are wishes: the sum of weight times squared distance is made as small as the rest allows. Velocities: the
// least kinetic energy with Phi_q v + Phi_t = 0, the given rates held, and wished rates met as nearly as that allows.
// Rows of velocities alone have a say in the velocities only.
//
// Rows that repeat others and miss them by a little, as lengths rounded to a few digits do, are left out and watched:
// Assembly::misfit says by how much they miss.                                                     [docs/theory/02]
#pragma once

#include <string>
#include <vector>

#include "linkwork/formulation/make_system.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// Rows that repeat others may miss them by this share of the mechanism's size.
inline constexpr double kLargestMisfit = 1e-4;

struct AssemblyWarning {
  Source where;
  std::string text;
  std::string hint;
};

// A wish, and what became of it.
struct WishResult {
  Quantity quantity;
  double wanted = 0.0;
  double got = 0.0;
};

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
  std::vector<int> dependent_rows;  // at the assembled pose
  int velocity_rank = 0;            // rows of velocities alone that are not among them
  double reaction_length = 0.0;     // m: the model file's own, or the rms distance of the joints from their centroid
  double misfit = 0.0;  // by how much those miss the others, relative to the reference length; 0: not at all
  std::vector<WishResult> wishes;
  std::vector<AssemblyWarning> warnings;

  std::vector<double> turns;  // in space: the angles whose whole turns are counted

  std::vector<double> state() const;  // x = [q, v, 0, turns]
};

Assembly assemble(const Mechanism& mechanism, double t = 0.0);

// The options with what the assembled start contributes to a system: rows in doubt, and the reaction length unless
// given.
SystemOptions startingFrom(const Assembly& assembly, SystemOptions options = {});

}  // namespace linkwork
