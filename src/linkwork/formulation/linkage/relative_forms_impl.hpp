// The forms in relative angles: statements 4 to 6. Row k holds H_ki, h_ki for i under k and H_ik, -h_ik for i > k.
#pragma once

#include "linkwork/formulation/linkage/absolute_forms_impl.hpp"

namespace linkwork::linkage {

template <class T>
void putRelative(int k, int i, const T& H, const T& h, FormWork<T>& work, const Naming<T>& let) {
  work.acceleration(k, i) = let(LetName{"H", k + 1, i + 1}, H);
  work.acceleration(i, k) = work.acceleration(k, i);
  if (i == k) return;
  work.velocity(k, i) = let(LetName{"h", k + 1, i + 1}, h);
  work.velocity(i, k) = -work.velocity(k, i);
}

// From O_i to O_j, i under j or the same.
template <class T>
Vec2<T> wayBetween(const LinkageTree& tree, const Placement<T>& place, int i, int j) {
  Vec2<T> R;
  for (; j != i; j = tree.base(j)) R += place.R[at(j)];
  return R;
}

//   H_ki = sum over j >= k of J_j + mu_j.(R_kj + R_ij),  h_ki = sum of (k x mu_j).(R_kj - R_ij)  [paper (14), (15)]
template <class T>
void fillStatement4(const LinkageTree& tree, const LinkageConstants<T>& constants, FormWork<T>& work,
                    const Naming<T>& let) {
  const Placement<T>& place = work.place;
  for (int k = 0; k < tree.links(); ++k) {
    for (int i = k; i >= 0; i = tree.base(i)) {
      const Vec2<T> R_ik = wayBetween(tree, place, i, k);
      T H{};
      T h{};
      forLoad(tree, k, [&](int j) {
        const Vec2<T> R_kj = wayBetween(tree, place, k, j);
        H += constants.link[at(j)].J + dot(place.mu[at(j)], R_kj + (R_ik + R_kj));
        h -= cross(place.mu[at(j)], R_ik);
      });
      putRelative(k, i, H, h, work, let);
    }
  }
}

//   H_ki = sum over j >= k of J_j + sum over m from i to k of Jc_jm + 2 sum over m from k to j of Jc_jm  [paper (16)]
//   h_ki = sum over j >= k of the sum over m from i to k of Js_jm
template <class T>
void fillStatement5(const LinkageTree& tree, const LinkageConstants<T>& constants, FormWork<T>& work,
                    const Naming<T>& let) {
  for (int k = 0; k < tree.links(); ++k) {
    for (int i = k; i >= 0; i = tree.base(i)) {
      T H{};
      T h{};
      forLoad(tree, k, [&](int j) {
        H += constants.link[at(j)].J;
        T twice{};
        for (int m = j; m != k; m = tree.base(m)) twice += work.Jc(j, m);
        H += T(2.0) * twice;
        for (int m = k; m != i; m = tree.base(m)) {
          H += work.Jc(j, m);
          h += work.Js(j, m);
        }
      });
      putRelative(k, i, H, h, work, let);
    }
  }
}

// A_k,p(i) and a_k,p(i) at once, from U_k = sum of mu_j over j >= k: in ground axes statement 6 is then the composite
// rigid body algorithm.
template <class T>
void compositeAa(int k, const LinkageTree& tree, FormWork<T>& work, const Naming<T>& let) {
  Vec2<T> sum = work.place.mu[at(k)];
  for (const int j : tree.children(k)) sum += work.sums[at(j)];
  const Vec2<T> U = tree.children(k).empty() ? sum : named("Ux", "Uy", k, sum, let);
  work.sums[at(k)] = U;
  forChain(tree, k, [&](int p, int i) {
    work.A(k, p) = let(LetName{"A", k + 1, p + 1}, dot(U, work.place.R[at(i)]));
    work.a(k, p) = let(LetName{"a", k + 1, p + 1}, cross(work.place.R[at(i)], U));
  });
}

//   H_kk = J_k + sum_j (H_jj + 2 A_jk);  H_k,p(i) = H_ki + A_k,p(i),  h_k,p(i) = h_ki + a_k,p(i),  h_kk = 0
//                                                                                              [paper (17), (18)]
template <class T>
void fillStatement6(Trig trig, const LinkageTree& tree, const LinkageConstants<T>& constants, FormWork<T>& work,
                    const Naming<T>& let) {
  for (int k = tree.links() - 1; k >= 0; --k) {
    if (trig == Trig::vectors) {
      compositeAa(k, tree, work, let);
    } else {
      sumAa(k, tree, work, let);
    }
    T H = constants.link[at(k)].J;
    T A{};
    for (const int j : tree.children(k)) {
      H += work.acceleration(j, j);
      A += work.A(j, k);
    }
    putRelative(k, k, H + T(2.0) * A, T{}, work, let);
    forChain(tree, k, [&](int p, int i) {
      const T h = i == k ? work.a(k, p) : work.velocity(k, i) + work.a(k, p);
      putRelative(k, p, work.acceleration(k, i) + work.A(k, p), h, work, let);
    });
  }
}

}  // namespace linkwork::linkage
