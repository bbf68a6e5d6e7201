// The planar chain that the benchmarks of trees share.
#pragma once

#include <string>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// Links of 1 m and 1 kg, centre of mass off the line of the hinges, frames at the hinges.
inline Mechanism chainOfLinks(int links) {
  Mechanism m;
  m.gravity = {Value(0.0), Value(-9.81), Value(0.0)};
  for (int k = 0; k < links; ++k) {
    Body body;
    body.name = "link" + std::to_string(k + 1);
    body.mass = 1.0;
    body.inertia = 1.0 / 12.0;
    body.com = {Value(0.5), Value(0.1), Value(0.0)};
    m.bodies.push_back(body);
    Joint joint;
    joint.name = "hinge" + std::to_string(k + 1);
    joint.first = BodyIndex(k - 1);
    joint.second = BodyIndex(k);
    if (k > 0) joint.on_first.point = {Value(1.0), Value(0.0), Value(0.0)};
    m.joints.push_back(joint);
  }
  return m;
}

}  // namespace linkwork
