// OpenDirections: the directions of space in which a force is not unique, and what of the force they leave alone.
//
//   (1)  forces that all fit differ by sum c_k z_k: what is perpendicular to every z_k is in all of them
//        [docs/theory/01, eq. 1.17]
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace linkwork {

class OpenDirections {
 public:
  using Vector = std::array<double, 3>;

  // One more z_k. What of it is shorter than `least` off the others is round-off.
  void add(const Vector& z, double least) {
    const Vector rest = withoutThem(withoutThem(z));  // twice, for what round-off leaves of the first
    const double size = std::sqrt(dot(rest, rest));
    if (count_ == 3 || size <= least) return;
    for (std::size_t k = 0; k < 3; ++k) unit_[static_cast<std::size_t>(count_)][k] = rest[k] / size;
    ++count_;
  }

  int count() const { return count_; }

  // The part of a vector that is perpendicular to all of them: zero where they are three.
  Vector withoutThem(Vector v) const {
    if (count_ == 3) return {};
    for (std::size_t i = 0; i < static_cast<std::size_t>(count_); ++i) {
      const double along = dot(unit_[i], v);
      for (std::size_t k = 0; k < 3; ++k) v[k] -= along * unit_[i][k];
    }
    return v;
  }

 private:
  static double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

  std::array<Vector, 3> unit_{};
  int count_ = 0;
};

}  // namespace linkwork
