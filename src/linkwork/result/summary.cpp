#include "linkwork/result/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

namespace linkwork {

namespace {

constexpr std::array<std::string_view, 8> kBlocks{"\u2581", "\u2582", "\u2583", "\u2584",
                                                  "\u2585", "\u2586", "\u2587", "\u2588"};
constexpr std::array<std::string_view, 8> kAscii{"_", ".", ",", "-", "=", "+", "*", "#"};

bool allOf(const std::array<bool, 3>& unique) { return unique[0] && unique[1] && unique[2]; }

LoadPeak peakOf(const LoadCase& row, bool moment) {
  const auto& vector = moment ? row.load.moment : row.load.force;
  return {std::hypot(vector[0], vector[1], vector[2]), row.time,
          allOf(moment ? row.load.moment_unique : row.load.force_unique)};
}

// The least and the greatest finite value of a stretch; the second below the first where there is none.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return high < low; }
};

bool moves(const Series& series) {
  Range range;
  for (const double value : series.values) range.add(value);
  return range.high - range.low > 1e-12 * std::max(std::abs(range.low), std::abs(range.high));
}

}  // namespace

std::vector<JointPeaks> jointPeaks(const Result& result) {
  std::vector<JointPeaks> out;
  for (const LoadCase& row : result.loads) {
    if (row.end != LoadEnd::second || row.axes != LoadAxes::ground) continue;
    if (out.empty() || out.back().joint != row.joint) out.push_back({row.joint, {}, {}});
    JointPeaks& joint = out.back();
    if (row.quantity == "force") joint.force = peakOf(row, false);
    if (row.quantity != "moment") continue;
    // In the plane the moment is one number with a least and a greatest value.
    const LoadPeak peak = peakOf(row, true);
    if (!joint.moment || peak.size > joint.moment->size) joint.moment = peak;
  }
  return out;
}

const Series* tellingCoordinate(const Result& result) {
  const auto isJoint = [&](const Series& series) {
    return std::any_of(result.loads.begin(), result.loads.end(),
                       [&](const LoadCase& row) { return row.joint == series.group; });
  };
  const Series* of_body = nullptr;
  for (const Series& series : result.series) {
    const bool coordinate = series.label == "angle" || series.label == "slide";
    const bool place = series.label == "x" || series.label == "y" || series.label == "z";
    if ((!coordinate && !place) || !moves(series)) continue;
    if (coordinate && isJoint(series)) return &series;
    if (of_body == nullptr) of_body = &series;
  }
  return of_body;
}

std::string sparkline(std::span<const double> values, std::size_t width, Sparks letters, SparkOf what) {
  const std::size_t count = std::min(width, values.size());
  std::vector<Range> stretches(count);
  Range all;
  for (std::size_t k = 0; k < values.size() && count > 0; ++k) {
    const double value = what == SparkOf::sizes ? std::abs(values[k]) : values[k];
    stretches[k * count / values.size()].add(value);
  }
  std::vector<double> heights;
  for (const Range& stretch : stretches) {
    heights.push_back(stretch.empty()          ? std::numeric_limits<double>::quiet_NaN()
                      : what == SparkOf::sizes ? stretch.high
                                               : 0.5 * (stretch.low + stretch.high));
    all.add(heights.back());
  }
  if (what == SparkOf::sizes) all.add(0.0);
  std::string out;
  for (const double height : heights) {
    if (!std::isfinite(height)) {
      out += ' ';
      continue;
    }
    const double share = all.high > all.low ? (height - all.low) / (all.high - all.low) : 0.0;
    const auto level = static_cast<std::size_t>(std::clamp(share * 8.0, 0.0, 7.0));
    out += letters == Sparks::blocks ? kBlocks[level] : kAscii[level];
  }
  return out;
}

}  // namespace linkwork
