// A sweep of stiffness as one SVG drawing that loads nothing: how far the answer is from that with hard joints.
#pragma once

#include <string>

#include "linkwork/study/stiffness_sweep.hpp"

namespace linkwork {

// Three panels with logarithmic scales over the stiffness: places and gap, forces, moments where there are any. Samples
// of one rotational stiffness make a line.
std::string stiffnessSvg(const StiffnessSweep& sweep);

}  // namespace linkwork
