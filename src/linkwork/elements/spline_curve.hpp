// SplineCurve: a plane curve through given points, a cubic spline in each coordinate over the chord length, and the
// signed distance of a point from it.
//
//   c(s) = (x(s), y(s)),  t = c'/|c'|,  n = W t (to the left),  kappa = c' x c'' / |c'|^3
//   foot of p:  (p - c(s))^T c'(s) = 0, the nearest one;  d = n^T (p - c)
//   grad d = n,  Hessian of d = -kappa / (1 - kappa d) t t^T                                 [docs/theory/01, eq. 1.27]
//
// Curvature is continuous. An open curve has none at its ends (natural spline) and goes on straight beyond them, so
// that the distance stays smooth there; `beyond` says that the foot has left the curve.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "linkwork/geometry/planar.hpp"

namespace linkwork {

class SplineCurve {
 public:
  // At least three points if closed, two if open, neighbours apart; a closed one must not repeat its first point.
  SplineCurve(std::span<const std::array<double, 2>> points, bool closed);

  double length() const { return knots_.back(); }  // of the chords: s runs from 0 to it
  bool closed() const { return closed_; }
  // Twice the area to the left of a closed curve: positive where it runs counter-clockwise.
  double turningSense() const;
  // The greatest curvature to the left (positive) and to the right (negative), and where.
  struct Bend {
    double curvature = 0.0;
    std::array<double, 2> at{};
  };
  Bend sharpestLeft() const { return sharpest_left_; }
  Bend sharpestRight() const { return sharpest_right_; }

  // c, c', c'' at s; straight beyond the ends, round and round if closed.
  template <class T>
  struct Jet {
    Vec2<T> c, d, dd;
  };
  template <class T>
  Jet<T> at(const T& s) const;

  // The parameter of the nearest point: of the whole curve, so that it is a function of p alone.
  double foot(double x, double y) const;

  template <class T>
  struct Distance {
    T d{};
    T n_x{}, n_y{};
    T bend{};  // kappa / (1 - kappa d)
  };
  template <class T>
  Distance<T> distance(const T& x, const T& y) const;

  bool beyond(double x, double y) const;

 private:
  struct Piece {
    std::array<double, 4> x{}, y{};  // powers of s - knot
  };
  std::size_t pieceAt(double s) const;
  double refine(double x, double y, double low, double high) const;
  void findBends();

  std::vector<double> knots_;
  std::vector<Piece> pieces_;
  std::vector<double> samples_;  // parameters among which the nearest is looked for
  std::vector<std::array<double, 2>> sample_points_;
  bool closed_;
  Bend sharpest_left_, sharpest_right_;
};

template <class T>
SplineCurve::Jet<T> SplineCurve::at(const T& s) const {
  double value = valueOf(s);
  T shift(0.0);
  if (closed_) {
    const double turns = std::floor(value / length());
    shift = T(turns * length());
    value -= turns * length();
  }
  const std::size_t k = pieceAt(value);
  const Piece& piece = pieces_[k];
  // Beyond an end of an open curve: the tangent there.
  const double end = value < 0.0 ? 0.0 : length();
  if (!closed_ && (value < 0.0 || value > length())) {
    const Jet<double> from = at(end);
    const T past = s - T(end);
    return {{T(from.c.x) + past * T(from.d.x), T(from.c.y) + past * T(from.d.y)},
            {T(from.d.x), T(from.d.y)},
            {T(0.0), T(0.0)}};
  }
  const T u = s - shift - T(knots_[k]);
  const auto cubic = [&](const std::array<double, 4>& p) {
    return std::array<T, 3>{T(p[0]) + u * (T(p[1]) + u * (T(p[2]) + u * T(p[3]))),
                            T(p[1]) + u * (T(2.0 * p[2]) + u * T(3.0 * p[3])), T(2.0 * p[2]) + u * T(6.0 * p[3])};
  };
  const auto x = cubic(piece.x);
  const auto y = cubic(piece.y);
  return {{x[0], y[0]}, {x[1], y[1]}, {x[2], y[2]}};
}

template <class T>
SplineCurve::Distance<T> SplineCurve::distance(const T& x, const T& y) const {
  // From the converged foot, each of Newton's steps in T makes one more order of derivatives true.
  T s(foot(valueOf(x), valueOf(y)));
  const Vec2<T> p{x, y};
  if constexpr (!std::is_same_v<T, double>) {
    for (int order = 0; order < 2; ++order) {
      const Jet<T> j = at(s);
      s = s + dot(p - j.c, j.d) / (dot(j.d, j.d) - dot(p - j.c, j.dd));
    }
  }
  const Jet<T> j = at(s);
  const T speed = sqrt(dot(j.d, j.d));
  const Vec2<T> n = perp(j.d) * (T(1.0) / speed);
  const T kappa = cross(j.d, j.dd) / (speed * speed * speed);
  const T d = dot(n, p - j.c);
  return {d, n.x, n.y, kappa / (T(1.0) - kappa * d)};
}

}  // namespace linkwork
