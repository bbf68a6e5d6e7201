#include "linkwork/read/model_file/flexible_axis.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace linkwork::model_file {

namespace {

constexpr int kPiecesPerSpan = 16;
// Gauss and Legendre's rule with five points on [-1, 1].
constexpr std::array<double, 5> kNodes{-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831,
                                       0.9061798459386640};
constexpr std::array<double, 5> kWeights{0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665,
                                         0.2369268850561891};
// Steps of carrying axes along, for each of the places asked for.
constexpr int kCarrySteps = 64;

// Second derivatives at the points: h M_0 + 2 (h + h') M_1 + h' M_2 = 6 (d' - d), with the third derivative continuous
// at the second and at the last but one point.
std::vector<double> secondDerivatives(const std::vector<double>& h, const std::vector<double>& y) {
  const std::size_t n = h.size();
  std::vector<double> M(n + 1, 0.0);
  if (n == 1) return M;
  std::vector<double> d(n);
  for (std::size_t i = 0; i < n; ++i) d[i] = (y[i + 1] - y[i]) / h[i];
  if (n == 2) {
    std::fill(M.begin(), M.end(), 2.0 * (d[1] - d[0]) / (h[0] + h[1]));
    return M;
  }
  // Unknowns M_1 ... M_(n-1): lower, diagonal, upper.
  std::vector<double> low(n, 0.0);
  std::vector<double> diag(n, 0.0);
  std::vector<double> up(n, 0.0);
  std::vector<double> rhs(n, 0.0);
  for (std::size_t i = 1; i < n; ++i) {
    low[i] = h[i - 1];
    diag[i] = 2.0 * (h[i - 1] + h[i]);
    up[i] = h[i];
    rhs[i] = 6.0 * (d[i] - d[i - 1]);
  }
  const double first = h[0] / h[1];
  diag[1] += h[0] * (1.0 + first);
  up[1] -= h[0] * first;
  const double last = h[n - 1] / h[n - 2];
  diag[n - 1] += h[n - 1] * (1.0 + last);
  low[n - 1] -= h[n - 1] * last;
  for (std::size_t i = 2; i < n; ++i) {
    const double f = low[i] / diag[i - 1];
    diag[i] -= f * up[i - 1];
    rhs[i] -= f * rhs[i - 1];
  }
  for (std::size_t i = n - 1; i >= 1; --i) M[i] = (rhs[i] - (i + 1 < n ? up[i] * M[i + 1] : 0.0)) / diag[i];
  M[0] = M[1] - first * (M[2] - M[1]);
  M[n] = M[n - 1] + last * (M[n - 1] - M[n - 2]);
  return M;
}

}  // namespace

LinkAxis::LinkAxis(double length) : length_(length) {}

LinkAxis::LinkAxis(std::vector<std::array<double, 3>> points) : points_(std::move(points)) {
  for (std::size_t i = 0; i + 1 < points_.size(); ++i) {
    const auto& a = points_[i];
    const auto& b = points_[i + 1];
    widths_.push_back(std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]));
  }
  bends_.resize(points_.size());
  for (std::size_t c = 0; c < 3; ++c) {
    std::vector<double> y;
    for (const auto& point : points_) y.push_back(point[c]);
    const std::vector<double> M = secondDerivatives(widths_, y);
    for (std::size_t i = 0; i < M.size(); ++i) bends_[i][c] = M[i];
  }
  for (std::size_t span = 0; span < widths_.size(); ++span) {
    const double width = widths_[span] / kPiecesPerSpan;
    for (int k = 0; k < kPiecesPerSpan; ++k) {
      const double from = k * width;
      pieces_.push_back({span, from, width, length_});
      length_ += arc(span, from, from + width);
    }
  }
}

Direction LinkAxis::value(std::size_t i, double u) const {
  const double h = widths_[i];
  const double a = (h - u) / h;
  const double b = u / h;
  std::array<double, 3> out{};
  for (std::size_t c = 0; c < 3; ++c)
    out[c] = a * points_[i][c] + b * points_[i + 1][c] +
             ((a * a * a - a) * bends_[i][c] + (b * b * b - b) * bends_[i + 1][c]) * h * h / 6.0;
  return {out[0], out[1], out[2]};
}

Direction LinkAxis::slope(std::size_t i, double u) const {
  const double h = widths_[i];
  const double a = (h - u) / h;
  const double b = u / h;
  std::array<double, 3> out{};
  for (std::size_t c = 0; c < 3; ++c)
    out[c] = (points_[i + 1][c] - points_[i][c]) / h +
             ((1.0 - 3.0 * a * a) * bends_[i][c] + (3.0 * b * b - 1.0) * bends_[i + 1][c]) * h / 6.0;
  return {out[0], out[1], out[2]};
}

double LinkAxis::arc(std::size_t span, double from, double to) const {
  const double half = 0.5 * (to - from);
  double sum = 0.0;
  for (std::size_t k = 0; k < kNodes.size(); ++k)
    sum += kWeights[k] * lengthOf(slope(span, from + half * (1.0 + kNodes[k])));
  return half * sum;
}

std::pair<std::size_t, double> LinkAxis::parameterAt(double s) const {
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), s,
                                      [](double value, const Piece& piece) { return value < piece.start; });
  const Piece& piece = after == pieces_.begin() ? pieces_.front() : *(after - 1);
  double u = piece.from;
  for (int k = 0; k < 8; ++k) {
    const double speed = lengthOf(slope(piece.span, u));
    u -= (piece.start + arc(piece.span, piece.from, u) - s) / speed;
  }
  return {piece.span, u};
}

Direction LinkAxis::at(double s) const {
  if (isStraight()) return {s, 0.0, 0.0};
  const auto [span, u] = parameterAt(s);
  return value(span, u);
}

Direction LinkAxis::tangent(double s) const {
  if (isStraight()) return {1.0, 0.0, 0.0};
  const auto [span, u] = parameterAt(s);
  return unit(slope(span, u));
}

std::optional<std::vector<Quaternion>> sectionAxes(const LinkAxis& axis, const std::vector<double>& s,
                                                   const std::optional<Direction>& y, double roll) {
  std::vector<Quaternion> out;
  Direction x = axis.tangent(0.0);
  Direction carried = matrixOf(frameWithX(x)).y;
  double before = 0.0;
  for (const double place : s) {
    if (y) {
      x = axis.tangent(place);
      if (areParallel(x, *y)) return std::nullopt;
      carried = *y;
    } else if (!axis.isStraight()) {
      // Reflected twice, the second time onto the next tangent: no turn about the axis, to the fourth power of a step.
      for (int k = 1; k <= kCarrySteps; ++k) {
        const double from = before + (place - before) * (k - 1) / kCarrySteps;
        const double to = before + (place - before) * k / kCarrySteps;
        const Direction way = axis.at(to) - axis.at(from);
        const double square = dot(way, way);
        if (!(square > 0.0)) continue;
        const auto reflected = [](const Direction& a, const Direction& n, double n2) {
          return a - n * (2.0 * dot(a, n) / n2);
        };
        const Direction x_once = reflected(x, way, square);
        const Direction y_once = reflected(carried, way, square);
        const Direction next = axis.tangent(to);
        const Direction second = next - x_once;
        carried = reflected(y_once, second, dot(second, second));
        x = next;
      }
    }
    before = place;
    out.push_back(product(frameWithXy(x, carried), aboutAxis({1.0, 0.0, 0.0}, roll)));
  }
  return out;
}

}  // namespace linkwork::model_file
