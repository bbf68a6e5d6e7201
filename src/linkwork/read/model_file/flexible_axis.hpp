// The axis of a flexible link: a straight line along x, or a spline through points, by arc length; and the section's
// axes along it.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "linkwork/read/model_file/orientation.hpp"

namespace linkwork::model_file {

class LinkAxis {
 public:
  explicit LinkAxis(double length);
  // A cubic spline whose parameter is the chord length; its first two and its last two pieces are one each
  // (not-a-knot). At least two points, no two neighbours in one place.
  explicit LinkAxis(std::vector<std::array<double, 3>> points);

  bool isStraight() const { return points_.empty(); }
  double length() const { return length_; }
  Direction at(double s) const;
  Direction tangent(double s) const;  // of unit length

 private:
  struct Piece {
    std::size_t span = 0;
    double from = 0.0;  // of the parameter, within the span
    double width = 0.0;
    double start = 0.0;  // arc length there
  };
  Direction value(std::size_t span, double u) const;
  Direction slope(std::size_t span, double u) const;
  double arc(std::size_t span, double from, double to) const;
  std::pair<std::size_t, double> parameterAt(double s) const;

  double length_ = 0.0;
  std::vector<std::array<double, 3>> points_, bends_;  // bends: second derivatives
  std::vector<double> widths_;                         // of the spans
  std::vector<Piece> pieces_;
};

// The section's axes at the places `s`, which grow, in axes of the link: x along the axis; y as near as possible to
// `y` if that is given, else carried along without turning about the axis from what the shortest turn from the link's
// axes leaves at the root. Turned about x by `roll` in addition. Nullopt where the axis runs along `y`.
std::optional<std::vector<Quaternion>> sectionAxes(const LinkAxis& axis, const std::vector<double>& s,
                                                   const std::optional<Direction>& y, double roll);

}  // namespace linkwork::model_file
