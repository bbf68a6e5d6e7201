#include "linkwork/scalar/table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "linkwork/base/contract.hpp"

namespace linkwork {

namespace {

bool allFinite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace

Table::Table(std::string name, std::vector<double> x, std::vector<double> y, TableKind kind, TableOutside outside,
             TableEnds ends)
    : name_(std::move(name)), x_(std::move(x)), y_(std::move(y)), kind_(kind), outside_(outside), ends_(ends) {
  expect(x_.size() == y_.size() && x_.size() >= 2, "Table: x and y need the same number of values, at least two");
  expect(allFinite(x_) && allFinite(y_), "Table: a value is not finite");
  for (std::size_t k = 1; k < x_.size(); ++k) expect(x_[k - 1] < x_[k], "Table: x must increase");
  if (kind_ == TableKind::cubic) findCurvatures();
  findCorners();
  // FNV-1a over all that distinguishes two tables.
  std::uint64_t h = 0xcbf29ce484222325ULL;
  const auto add = [&h](std::uint64_t bits) { h = (h ^ bits) * 0x100000001b3ULL; };
  for (const char c : name_) add(static_cast<unsigned char>(c));
  add(static_cast<std::uint64_t>(kind_));
  add(static_cast<std::uint64_t>(outside_));
  add(static_cast<std::uint64_t>(ends_));
  for (const auto* list : {&x_, &y_}) {
    for (const double value : *list) add(std::bit_cast<std::uint64_t>(value));
  }
  hash_ = h;
}

// The spline's second derivatives m_k make its slope continuous:
//   h_{k-1} m_{k-1} + 2 (h_{k-1} + h_k) m_k + h_k m_{k+1} = 6 (s_k - s_{k-1}),  s_k the slope of the chord of piece k
// natural ends: m = 0; clamped ends (slope 0): 2 h_0 m_0 + h_0 m_1 = 6 s_0 and likewise at the other end. The matrix is
// dominated by its diagonal, so that elimination from top to bottom is safe.
void Table::findCurvatures() {
  const std::size_t n = x_.size();
  std::vector<double> diagonal(n, 1.0);
  std::vector<double> above(n, 0.0);
  std::vector<double> below(n, 0.0);
  curvature_.assign(n, 0.0);
  const auto width = [&](std::size_t k) { return x_[k + 1] - x_[k]; };
  const auto slope = [&](std::size_t k) { return (y_[k + 1] - y_[k]) / width(k); };
  for (std::size_t k = 1; k + 1 < n; ++k) {
    below[k] = width(k - 1);
    diagonal[k] = 2.0 * (width(k - 1) + width(k));
    above[k] = width(k);
    curvature_[k] = 6.0 * (slope(k) - slope(k - 1));
  }
  if (ends_ == TableEnds::clamped) {
    diagonal[0] = 2.0 * width(0);
    above[0] = width(0);
    curvature_[0] = 6.0 * slope(0);
    diagonal[n - 1] = 2.0 * width(n - 2);
    below[n - 1] = width(n - 2);
    curvature_[n - 1] = -6.0 * slope(n - 2);
  }
  for (std::size_t k = 1; k < n; ++k) {
    const double factor = below[k] / diagonal[k - 1];
    diagonal[k] -= factor * above[k - 1];
    curvature_[k] -= factor * curvature_[k - 1];
  }
  curvature_[n - 1] /= diagonal[n - 1];
  for (std::size_t k = n - 1; k-- > 0;) curvature_[k] = (curvature_[k] - above[k] * curvature_[k + 1]) / diagonal[k];
}

void Table::findCorners() {
  const bool linear = kind_ == TableKind::linear;
  // A spline that goes on straight from its end has no corner there; one that stops at a value may have one.
  const bool ends_count = outside_ == TableOutside::hold && (linear || ends_ == TableEnds::natural);
  if (ends_count) corners_.push_back(x_.front());
  if (linear) corners_.insert(corners_.end(), x_.begin() + 1, x_.end() - 1);
  if (ends_count) corners_.push_back(x_.back());
}

bool Table::isTwiceDifferentiable() const {
  if (kind_ == TableKind::linear) return false;
  return outside_ == TableOutside::error || (outside_ == TableOutside::extend && ends_ == TableEnds::natural);
}

double Table::value(double u, int order) const {
  if (std::isnan(u)) return u;
  const std::size_t last = x_.size() - 1;
  const bool before = u < x_.front();
  const bool beyond = u > x_[last];
  if (before || beyond) {
    if (outside_ == TableOutside::error) return std::numeric_limits<double>::quiet_NaN();
    const double end = before ? x_.front() : x_[last];
    const double y_end = before ? y_.front() : y_[last];
    if (outside_ == TableOutside::hold) return order == 0 ? y_end : 0.0;
    const double slope = value(end, 1);
    return order == 0 ? y_end + slope * (u - end) : order == 1 ? slope : 0.0;
  }
  const auto right = std::upper_bound(x_.begin(), x_.end(), u);
  const std::size_t k = std::min(static_cast<std::size_t>(right - x_.begin()), last) - 1;
  const double h = x_[k + 1] - x_[k];
  const double slope = (y_[k + 1] - y_[k]) / h;
  if (kind_ == TableKind::linear) {
    // From the nearer end, so that the points themselves are hit exactly.
    if (order == 0)
      return u - x_[k] < x_[k + 1] - u ? y_[k] + slope * (u - x_[k]) : y_[k + 1] - slope * (x_[k + 1] - u);
    return order == 1 ? slope : 0.0;
  }
  const double a = (x_[k + 1] - u) / h;
  const double b = (u - x_[k]) / h;
  const double m0 = curvature_[k];
  const double m1 = curvature_[k + 1];
  switch (order) {
    case 0: return a * y_[k] + b * y_[k + 1] + ((a * a - 1.0) * a * m0 + (b * b - 1.0) * b * m1) * h * h / 6.0;
    case 1: return slope + ((1.0 - 3.0 * a * a) * m0 + (3.0 * b * b - 1.0) * m1) * h / 6.0;
    case 2: return a * m0 + b * m1;
    case 3: return (m1 - m0) / h;
    default: return 0.0;
  }
}

// Between two corners a parabola through both, up and down in turn.
double Table::corner(double u) const {
  if (corners_.empty() || std::isnan(u)) return corners_.empty() ? 1.0 : u;
  const std::size_t count = corners_.size();
  const auto right = std::upper_bound(corners_.begin(), corners_.end(), u);
  const auto passed = static_cast<std::size_t>(right - corners_.begin());
  const double sign = passed % 2 == 0 ? -1.0 : 1.0;
  if (passed == 0) return sign * (corners_.front() - u);
  if (passed == count) return sign * (u - corners_.back());
  const double a = corners_[passed - 1];
  const double b = corners_[passed];
  return sign * (u - a) * (b - u) / (b - a);
}

}  // namespace linkwork
