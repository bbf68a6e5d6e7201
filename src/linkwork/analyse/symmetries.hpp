// Symmetries: what nothing depends on. Combinations X of the directions of a MotionField that move every motion into
// another motion:
//
//   (1)  du' along X = d(X_e)/dt along the motion,   Phi_q X_d = 0,   d(Phi_q v + Phi_t) along X = 0
//                                                                                       [docs/theory/12, eq. 12.4]
//
// with constant coefficients, found at random states: at a steady motion itself more may vanish than does elsewhere, as
// the pitch of a bicycle that stands upright.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "linkwork/analyse/motion_field.hpp"

namespace linkwork {

struct Symmetries {
  Eigen::MatrixXd basis;           // directions x symmetries
  std::vector<std::string> names;  // "bearing.angle", "frame turned about z"
  std::vector<std::string> units;  // of how far it has gone: m or rad
  std::vector<bool> turn;          // whether axes of the ground turn with it
  std::string problem;             // not empty: why there is no telling, in words
  bool knows_time = false;         // the equations change with the time by themselves

  int count() const { return static_cast<int>(basis.cols()); }
};

Symmetries findSymmetries(MotionField& field, double t, const std::vector<double>& x);

}  // namespace linkwork
