// MisfitCure: the number to write where numbers of the joints do not quite fit: the axis or the place of one joint with
// which rows that repeat others do so in every pose, not only as drawn.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

struct MisfitCure {
  enum class Number {
    axis,           // in ground axes, as drawn
    place,          // likewise, m
    place_on_body,  // of the joint on `body`, in the axes of that body, m
  };

  int joint = -1;
  Number number = Number::axis;
  BodyIndex body;
  std::array<double, 3> value{};
  double change = 0.0;  // radians or reference lengths
};

// What is known of the rows that do not fit.
struct MisfitRows {
  std::vector<int> rows;
  bool as_drawn = false;  // they are open in the drawing
  double distance = 0.0;  // rows nearer to the others than this share of their length count as dependent
  double fits = 0.0;      // what they may open by, of the reference length
};

// Of all joints whose number mends it, that in which it changes least. None: more than one number is off, or one that
// is not looked at, or there are too many joints.
template <class G>
std::optional<MisfitCure> findMisfitCure(const Mechanism& mechanism, double t, const std::vector<double>& turns,
                                         const std::vector<double>& q, const MisfitRows& misfit);

// 'axis = [0, -0.5, 0.8660254037844386] of joint "D", as drawn'
std::string cureText(const Mechanism& mechanism, const MisfitCure& cure);

}  // namespace linkwork
