// Screw and SymmetricMatrix: small arrays with the few operations that recursions along a tree need.
//
// A screw is a motion (velocity of a point, angular velocity) or a force (force, moment about that point); in the plane
// it has 3 entries, in space 6. The product of a force and a motion is a power.
#pragma once

#include <array>
#include <cstddef>

namespace linkwork {

template <class T, int N>
struct Screw {
  std::array<T, N> entries{};

  T& operator[](int k) { return entries[static_cast<std::size_t>(k)]; }
  const T& operator[](int k) const { return entries[static_cast<std::size_t>(k)]; }

  Screw& operator+=(const Screw& b) {
    for (int k = 0; k < N; ++k) (*this)[k] += b[k];
    return *this;
  }
  Screw& operator-=(const Screw& b) {
    for (int k = 0; k < N; ++k) (*this)[k] -= b[k];
    return *this;
  }
  // this += b * factor
  void add(const Screw& b, const T& factor) {
    for (int k = 0; k < N; ++k) (*this)[k] += b[k] * factor;
  }
  friend Screw operator+(Screw a, const Screw& b) { return a += b; }
  friend Screw operator-(Screw a, const Screw& b) { return a -= b; }
  friend Screw operator*(Screw a, const T& factor) {
    for (int k = 0; k < N; ++k) a[k] = a[k] * factor;
    return a;
  }
  friend T dot(const Screw& a, const Screw& b) {
    T sum = a[0] * b[0];
    for (int k = 1; k < N; ++k) sum += a[k] * b[k];
    return sum;
  }
};

template <class T, int N>
struct SymmetricMatrix {
  std::array<T, N*(N + 1) / 2> entries{};  // the lower triangle, row by row

  static constexpr std::size_t place(int i, int j) {
    return static_cast<std::size_t>(i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i);
  }
  T& operator()(int i, int j) { return entries[place(i, j)]; }
  const T& operator()(int i, int j) const { return entries[place(i, j)]; }

  SymmetricMatrix& operator+=(const SymmetricMatrix& b) {
    for (std::size_t k = 0; k < entries.size(); ++k) entries[k] += b.entries[k];
    return *this;
  }
  Screw<T, N> column(int j) const {
    Screw<T, N> out;
    for (int i = 0; i < N; ++i) out[i] = (*this)(i, j);
    return out;
  }
  Screw<T, N> operator*(const Screw<T, N>& a) const {
    Screw<T, N> out;
    for (int i = 0; i < N; ++i) {
      T sum = (*this)(i, 0) * a[0];
      for (int j = 1; j < N; ++j) sum += (*this)(i, j) * a[j];
      out[i] = sum;
    }
    return out;
  }
  // this -= a b^T, for a and b that are parallel.
  void subtractOuter(const Screw<T, N>& a, const Screw<T, N>& b) {
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j <= i; ++j) (*this)(i, j) -= a[i] * b[j];
    }
  }
  void clearLine(int k) {
    for (int j = 0; j < N; ++j) (*this)(k, j) = T(0.0);
  }
};

}  // namespace linkwork
