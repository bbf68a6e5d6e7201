#include "linkwork/elements/spline_curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linkwork/base/contract.hpp"

namespace linkwork {

namespace {

// Between two knots the nearest point is looked for among this many; the distance of a cubic has few minima.
constexpr int kSamplesPerPiece = 6;
constexpr int kIterations = 100;

struct TridiagonalRow {
  double low = 0.0;
  double middle = 1.0;
  double high = 0.0;
};

// Solves the tridiagonal system; diagonally dominant, so without pivoting.
std::vector<double> tridiagonal(const std::vector<TridiagonalRow>& rows, const std::vector<double>& right) {
  const std::size_t n = rows.size();
  std::vector<double> pivot(n);
  std::vector<double> x(n);
  for (std::size_t k = 0; k < n; ++k) {
    const double factor = k == 0 ? 0.0 : rows[k].low / pivot[k - 1];
    pivot[k] = rows[k].middle - (k == 0 ? 0.0 : factor * rows[k - 1].high);
    x[k] = right[k] - (k == 0 ? 0.0 : factor * x[k - 1]);
  }
  for (std::size_t k = n; k-- > 0;) {
    if (k + 1 < n) x[k] -= rows[k].high * x[k + 1];
    x[k] /= pivot[k];
  }
  return x;
}

// Second derivatives m_k at the knots: h_{k-1} m_{k-1} + 2 (h_{k-1} + h_k) m_k + h_k m_{k+1} = 6 (slope_k -
// slope_{k-1}).
std::vector<double> naturalBends(const std::vector<double>& h, const std::vector<double>& value) {
  const std::size_t n = value.size();
  std::vector<TridiagonalRow> rows(n);
  std::vector<double> right(n, 0.0);
  for (std::size_t k = 1; k + 1 < n; ++k) {
    rows[k] = {h[k - 1], 2.0 * (h[k - 1] + h[k]), h[k]};
    right[k] = 6.0 * ((value[k + 1] - value[k]) / h[k] - (value[k] - value[k - 1]) / h[k - 1]);
  }
  return tridiagonal(rows, right);
}

// The same on a circle of n knots; the two corners of the matrix by Sherman and Morrison.
std::vector<double> periodicBends(const std::vector<double>& h, const std::vector<double>& value) {
  const std::size_t n = h.size();
  std::vector<TridiagonalRow> rows(n);
  std::vector<double> right(n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t before = (k + n - 1) % n;
    const std::size_t next = (k + 1) % n;
    rows[k] = {h[before], 2.0 * (h[before] + h[k]), h[k]};
    right[k] = 6.0 * ((value[next] - value[k]) / h[k] - (value[k] - value[before]) / h[before]);
  }
  const double corner = h[n - 1];  // at (0, n-1) and (n-1, 0)
  const double gamma = -rows[0].middle;
  std::vector<double> u(n, 0.0);
  u[0] = gamma;
  u[n - 1] = corner;
  rows[0].middle -= gamma;
  rows[n - 1].middle -= corner * corner / gamma;
  const std::vector<double> m = tridiagonal(rows, right);
  const std::vector<double> z = tridiagonal(rows, u);
  const double factor = (m[0] + corner * m[n - 1] / gamma) / (1.0 + z[0] + corner * z[n - 1] / gamma);
  std::vector<double> out(n + 1);
  for (std::size_t k = 0; k < n; ++k) out[k] = m[k] - factor * z[k];
  out[n] = out[0];
  return out;
}

std::array<double, 4> piece(double h, double from, double to, double bend_from, double bend_to) {
  return {from, (to - from) / h - h * (2.0 * bend_from + bend_to) / 6.0, 0.5 * bend_from,
          (bend_to - bend_from) / (6.0 * h)};
}

}  // namespace

SplineCurve::SplineCurve(std::span<const std::array<double, 2>> points, bool closed) : closed_(closed) {
  expect(points.size() >= (closed ? 3U : 2U), "a curve needs at least two points, a closed one three");
  std::vector<double> x;
  std::vector<double> y;
  for (const auto& point : points) {
    x.push_back(point[0]);
    y.push_back(point[1]);
  }
  if (closed) {
    x.push_back(x[0]);
    y.push_back(y[0]);
  }
  std::vector<double> h;
  knots_.push_back(0.0);
  for (std::size_t k = 0; k + 1 < x.size(); ++k) {
    h.push_back(std::hypot(x[k + 1] - x[k], y[k + 1] - y[k]));
    expect(h.back() > 0.0, "neighbouring points of a curve must differ");
    knots_.push_back(knots_.back() + h.back());
  }
  const std::vector<double> bend_x = closed ? periodicBends(h, x) : naturalBends(h, x);
  const std::vector<double> bend_y = closed ? periodicBends(h, y) : naturalBends(h, y);
  for (std::size_t k = 0; k < h.size(); ++k) {
    pieces_.push_back(
        {piece(h[k], x[k], x[k + 1], bend_x[k], bend_x[k + 1]), piece(h[k], y[k], y[k + 1], bend_y[k], bend_y[k + 1])});
  }
  for (std::size_t k = 0; k < h.size(); ++k) {
    for (int i = 0; i < kSamplesPerPiece; ++i) samples_.push_back(knots_[k] + h[k] * i / kSamplesPerPiece);
  }
  if (!closed) samples_.push_back(length());
  for (const double s : samples_) {
    const Jet<double> j = at(s);
    sample_points_.push_back({j.c.x, j.c.y});
  }
  findBends();
}

void SplineCurve::findBends() {
  constexpr int kPerPiece = 32;
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    for (int i = 0; i <= kPerPiece; ++i) {
      const Jet<double> j = at(knots_[k] + (knots_[k + 1] - knots_[k]) * i / kPerPiece);
      const double speed = std::sqrt(dot(j.d, j.d));
      const Bend bend{cross(j.d, j.dd) / (speed * speed * speed), {j.c.x, j.c.y}};
      if (bend.curvature > sharpest_left_.curvature) sharpest_left_ = bend;
      if (bend.curvature < sharpest_right_.curvature) sharpest_right_ = bend;
    }
  }
}

double SplineCurve::turningSense() const {
  double sum = 0.0;
  for (std::size_t k = 0; k < sample_points_.size(); ++k) {
    const auto& a = sample_points_[k];
    const auto& b = sample_points_[(k + 1) % sample_points_.size()];
    sum += a[0] * b[1] - a[1] * b[0];
  }
  return sum;
}

std::size_t SplineCurve::pieceAt(double s) const {
  const auto above = std::upper_bound(knots_.begin(), knots_.end(), s);
  const auto index = static_cast<std::ptrdiff_t>(above - knots_.begin()) - 1;
  return static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(index, 0, static_cast<std::ptrdiff_t>(pieces_.size()) - 1));
}

// Where the distance is stationary between low and high: Newton's steps, halving where they leave the bracket.
double SplineCurve::refine(double x, double y, double low, double high) const {
  const Vec2<double> p{x, y};
  double s = 0.5 * (low + high);
  for (int k = 0; k < kIterations; ++k) {
    const Jet<double> j = at(s);
    const double slope = dot(j.c - p, j.d);  // of half the squared distance
    const double curve = dot(j.d, j.d) + dot(j.c - p, j.dd);
    (slope > 0.0 ? high : low) = s;
    double next = curve > 0.0 ? s - slope / curve : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - s) <= 2.0 * std::numeric_limits<double>::epsilon() * length()) return next;
    s = next;
  }
  return s;
}

double SplineCurve::foot(double x, double y) const {
  const auto squared = [&](const std::array<double, 2>& c) {
    return (c[0] - x) * (c[0] - x) + (c[1] - y) * (c[1] - y);
  };
  const std::size_t n = sample_points_.size();
  double best = std::numeric_limits<double>::infinity();
  double best_s = 0.0;
  const auto offer = [&](double s) {
    const Jet<double> j = at(s);
    const double size = squared({j.c.x, j.c.y});
    if (size < best) {
      best = size;
      best_s = s;
    }
  };
  for (std::size_t k = 0; k < n; ++k) {
    const double here = squared(sample_points_[k]);
    const bool first = k == 0 && !closed_;
    const bool last = k + 1 == n && !closed_;
    const double before = first ? here : squared(sample_points_[(k + n - 1) % n]);
    const double after = last ? here : squared(sample_points_[(k + 1) % n]);
    if (here > before || here > after) continue;
    const double low = first ? 0.0 : k == 0 ? samples_[n - 1] - length() : samples_[k - 1];
    const double high = last ? length() : k + 1 == n ? length() : samples_[k + 1];
    offer(refine(x, y, low, high));
  }
  if (!closed_) {
    // The straight lines beyond the ends.
    for (const double end : {0.0, length()}) {
      const Jet<double> j = at(end);
      const double past = dot(Vec2<double>{x, y} - j.c, j.d) / dot(j.d, j.d);
      if (end == 0.0 ? past < 0.0 : past > 0.0) offer(end + past);
    }
  }
  return best_s;
}

bool SplineCurve::beyond(double x, double y) const {
  if (closed_) return false;
  const double s = foot(x, y);
  const double slack = 1e-9 * length();  // a point at the very end, up to round-off and drift, is still on it
  return s < -slack || s > length() + slack;
}

}  // namespace linkwork
