// What is said when the equations of a mechanism in absolute coordinates cannot be evaluated at a state.
#pragma once

#include <fmt/format.h>

#include <string>

#include "linkwork/formulation/absolute/equations.hpp"

namespace linkwork::absolute {

// `output` is one of the load expressions.
template <class G>
std::string loadNotFinite(const ElementSet<G>& set, int output, double t) {
  return fmt::format(
      "{} is not a number at t = {:.6g} s; check its expression there (division by zero, root or logarithm of a "
      "negative number, a table that was left)",
      set.load_output_names[at(output)], t);
}

template <class G>
std::string loadSlopeNotFinite(const ElementSet<G>& set, int output, double t) {
  return fmt::format(
      "{} has no finite derivative at t = {:.6g} s; check its expression there (root of zero, vertical slope)",
      set.load_output_names[at(output)], t);
}

inline std::string slopeNotFinite(double t) {
  return fmt::format("the forces have no finite derivative at t = {:.6g} s (a spring of zero length?)", t);
}

// `motion` is one of the set's.
template <class G>
std::string motionNotFinite(const ElementSet<G>& set, int motion, double t) {
  return fmt::format("{} has no finite position, rate and acceleration at t = {:.6g} s; check its expression there",
                     set.motion_owners[at(motion)], t);
}

// `curve` is an element of `curves`.
template <class G>
std::string leftPlace(const ElementSet<G>& set, int element, double t) {
  const int disc = element - static_cast<int>(set.curves.size());
  if (disc >= 0) {
    return fmt::format(
        "joint \"{}\": the disc has come to lie flat at t = {:.6g} s, and touches with its whole rim; stop the run "
        "with "
        "an event before that, or round the rim (tyre) and keep it leaning",
        set.groups[at(set.row_info[at(set.rolling_normals[at(disc)].row)].group)].name, t);
  }
  const int row = set.curves[at(element)].row;
  return fmt::format(
      "joint \"{}\": the point has come to the end of the curve at t = {:.6g} s; give the curve more "
      "points, or stop the run with an event",
      set.groups[at(set.row_info[at(row)].group)].name, t);
}

}  // namespace linkwork::absolute
