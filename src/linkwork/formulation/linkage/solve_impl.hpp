// torques() and solve(): the forms read from either side.
#pragma once

#include "linkwork/formulation/linkage/products_impl.hpp"

namespace linkwork::linkage {

template <class T>
void torques(const LinkageTree& tree, std::span<const T> acceleration, FormWork<T>& work, std::span<T> torque,
             const Naming<T>& let) {
  for (int k = 0; k < tree.links(); ++k)
    torque[at(k)] = work.acceleration(k, k) * acceleration[at(k)] - work.rhs[at(k)];
  for (int k = 0; k < tree.links(); ++k) {
    forChain(tree, k, [&](int i, int /*n*/) {
      torque[at(k)] += work.acceleration(k, i) * acceleration[at(i)];
      torque[at(i)] += work.acceleration(i, k) * acceleration[at(k)];
    });
  }
  for (int k = tree.links() - 1; k >= 0; --k) {
    if (work.form == Form::rud) {
      for (const int j : tree.children(k)) torque[at(k)] += torque[at(j)];
    }
    torque[at(k)] = let(LetName{"M", k + 1}, torque[at(k)]);
  }
}

// H = L^T D L: link k, once all it carries are gone, is met only by the links under it.
template <class T>
void eliminateSymmetric(int k, const LinkageTree& tree, FormWork<T>& work, const Naming<T>& let) {
  SquareTable<T>& H = work.acceleration;
  const T D = let(LetName{"D", k + 1}, H(k, k));
  work.rhs[at(k)] = let(LetName{"y", k + 1}, work.rhs[at(k)]);
  forChain(tree, k, [&](int i, int /*n*/) {
    const T L = let(LetName{"L", k + 1, i + 1}, H(k, i) / D);
    for (int j = i; j >= 0; j = tree.base(j)) H(i, j) -= L * H(k, j);
    work.rhs[at(i)] -= L * work.rhs[at(k)];
    H(k, i) = L;
  });
  work.rhs[at(k)] = work.rhs[at(k)] / D;
}

// The rows of statements 1 to 3 are sums of those of H over the links carried, so that the same order needs no
// pivoting.
template <class T>
void eliminateRow(int k, const LinkageTree& tree, FormWork<T>& work, const Naming<T>& let) {
  SquareTable<T>& B = work.acceleration;
  const T D = let(LetName{"D", k + 1}, B(k, k));
  work.rhs[at(k)] = let(LetName{"y", k + 1}, work.rhs[at(k)] / D);
  forChain(tree, k, [&](int i, int /*n*/) { B(k, i) = let(LetName{"L", k + 1, i + 1}, B(k, i) / D); });
  forChain(tree, k, [&](int i, int /*n*/) {
    for (int j = tree.base(k); j >= 0; j = tree.base(j)) B(i, j) -= B(i, k) * B(k, j);
    work.rhs[at(i)] -= B(i, k) * work.rhs[at(k)];
  });
}

template <class T>
void solve(const LinkageTree& tree, FormWork<T>& work, std::span<T> x, const Naming<T>& let) {
  const bool symmetric = work.form == Form::rud || isRelative(work.form);
  for (int k = tree.links() - 1; k >= 0; --k) {
    if (symmetric) {
      eliminateSymmetric(k, tree, work, let);
    } else {
      eliminateRow(k, tree, work, let);
    }
  }
  for (int k = 0; k < tree.links(); ++k) {
    T sum = work.rhs[at(k)];
    forChain(tree, k, [&](int i, int /*n*/) { sum -= work.acceleration(k, i) * x[at(i)]; });
    x[at(k)] = let(LetName{"x", k + 1}, sum);
  }
}

}  // namespace linkwork::linkage
