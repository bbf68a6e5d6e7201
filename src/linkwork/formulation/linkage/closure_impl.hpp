// closure(): the equations of the cut hinges.
//
// The arm v_i(a) of a link i on the way to a: R_next(i,a), or for i = a the vector to the cut point. With the ways to
// both ends,
//   f = O_root(a) + sum of v_i(a) - O_root(b) - sum of v_i(b)
//   phi_i = k x v_i(a) - k x v_i(b),   gamma = sum of w_i^2 v_i(a) - sum of w_i^2 v_i(b)
// Links on both ways that go on to the same link have the same arm twice: nothing of them is left.
#pragma once

#include "linkwork/formulation/linkage/products_impl.hpp"

namespace linkwork::linkage {

enum class CutEnd { a, b };

template <class T>
struct ClosureRow {
  Vec2<T> f, gamma;
};

// The part of one end, +1 or -1, down to the first link that also lies on the way to the other end: there only the arm
// of this end counts. Returns that link, or -1.
template <class T>
int addWay(CutEnd end, int c, const LinkageTree& tree, FormWork<T>& work, ClosureRow<T>& row) {
  const CutEnds& ends = tree.cuts()[at(c)];
  const Placement<T>& place = work.place;
  const int from = end == CutEnd::a ? ends.a : ends.b;
  const int other = end == CutEnd::a ? ends.b : ends.a;
  const bool relative = isRelative(work.form);
  const std::size_t n = at(tree.links());
  Vec2<T> way;
  for (int i = from, above = -1; i >= 0; above = i, i = tree.base(i)) {
    const Vec2<T> arm = above >= 0 ? place.R[at(above)] : end == CutEnd::a ? place.on_a[at(c)] : place.on_b[at(c)];
    const bool fork = other >= 0 && tree.carries(i, other);
    way += arm;
    const Vec2<T> column = perp(relative ? way : arm);
    T& x = work.phi[at(2 * c) * n + at(i)];
    T& y = work.phi[at(2 * c + 1) * n + at(i)];
    if (end == CutEnd::a) {
      row.gamma += arm * place.w2[at(i)];
      row.f += arm;
    } else {
      row.gamma -= arm * place.w2[at(i)];
      row.f -= arm;
    }
    if (fork && relative) return i;  // turning the fork turns both ways alike: nothing opens
    if (end == CutEnd::a) {
      x += column.x;
      y += column.y;
    } else {
      x -= column.x;
      y -= column.y;
    }
    if (fork) return i;
  }
  return -1;
}

template <class T>
void closure(const LinkageTree& tree, const LinkageConstants<T>& constants, FormWork<T>& work, const Naming<T>& let) {
  const std::size_t n = at(tree.links());
  for (T& entry : work.phi) entry = T{};
  const auto rootPoint = [&](int k) {
    while (!tree.isRoot(k)) k = tree.base(k);
    return constants.link[at(k)].R;
  };
  for (int c = 0; c < tree.cutCount(); ++c) {
    const CutEnds& ends = tree.cuts()[at(c)];
    ClosureRow<T> row;
    const int fork = addWay(CutEnd::a, c, tree, work, row);
    if (ends.b >= 0) addWay(CutEnd::b, c, tree, work, row);
    if (fork < 0) row.f += rootPoint(ends.a) - (ends.b < 0 ? constants.cut[at(c)].on_b : rootPoint(ends.b));
    for (int d = 0; d < 2; ++d) {
      work.f[at(2 * c + d)] = let(LetName{d == 0 ? "fx" : "fy", c + 1}, row.f[d]);
      work.gamma[at(2 * c + d)] = let(LetName{d == 0 ? "gamx" : "gamy", c + 1}, row.gamma[d]);
      for (int i = 0; i < tree.links(); ++i) {
        T& entry = work.phi[at(2 * c + d) * n + at(i)];
        entry = let(LetName{d == 0 ? "Phix" : "Phiy", c + 1, i + 1}, entry);
      }
    }
  }
}

}  // namespace linkwork::linkage
