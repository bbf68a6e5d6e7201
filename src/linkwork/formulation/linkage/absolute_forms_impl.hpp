// The forms in absolute angles: recurrent equations, statements 1 to 3.
#pragma once

#include "linkwork/formulation/linkage/products_impl.hpp"

namespace linkwork::linkage {

// H_kk = J_k,  H_ki = H_ik = Jc_kn,  h_ki = -h_ik = Js_kn  with n = next(i, k), i under k      [paper (21), (22)]
template <class T>
void fillRecurrent(const LinkageTree& tree, const LinkageConstants<T>& constants, FormWork<T>& work) {
  for (int k = 0; k < tree.links(); ++k) {
    work.acceleration(k, k) = constants.link[at(k)].J;
    forChain(tree, k, [&](int i, int n) {
      work.acceleration(k, i) = work.Jc(k, n);
      work.acceleration(i, k) = work.Jc(k, n);
      work.velocity(k, i) = work.Js(k, n);
      work.velocity(i, k) = -work.Js(k, n);
    });
  }
}

// A_ki, a_ki stand in rows k at the links i under k; B_ik, b_ik at the links i >= k.
template <class T>
void fillFromAB(const LinkageTree& tree, FormWork<T>& work) {
  for (int k = 0; k < tree.links(); ++k) {
    work.acceleration(k, k) = work.B(k, k);
    work.velocity(k, k) = work.b(k, k);
    forChain(tree, k, [&](int i, int /*n*/) {
      work.acceleration(k, i) = work.A(k, i);
      work.velocity(k, i) = work.a(k, i);
      work.acceleration(i, k) = work.B(k, i);
      work.velocity(i, k) = work.b(k, i);
    });
  }
}

// With U_k = sum of mu_j over j >= k, and R_ki = O_k O_i:                                      [paper (1) to (3)]
//   A^k_m = U_k . R_m,  B^k_m = (k x U_k) . R_m
//   row k, i under k: A^k_n, -B^k_n;  i >= k: J_i + mu_i.R_ki + sum_j A^j_j,  (k x mu_i).R_ki - sum_j B^j_j
// The paper prints A^i_j and B^i_j in the two sums over the links j on i: an error.
template <class T>
void fillStatement1(const LinkageTree& tree, const LinkageConstants<T>& constants, FormWork<T>& work,
                    const Naming<T>& let) {
  const Placement<T>& place = work.place;
  for (int k = tree.links() - 1; k >= 0; --k) {
    Vec2<T> sum;
    forLoad(tree, k, [&](int j) { sum += place.mu[at(j)]; });
    const Vec2<T> U = named("Ux", "Uy", k, sum, let);
    forChain(tree, k, [&](int i, int n) {
      work.A(k, i) = let(LetName{"A", k + 1, i + 1}, dot(U, place.R[at(n)]));
      work.a(k, i) = let(LetName{"a", k + 1, i + 1}, -cross(U, place.R[at(n)]));
    });
    T own = constants.link[at(k)].J;
    T own_b{};
    for (const int j : tree.children(k)) {
      own += work.A(j, k);
      own_b += work.a(j, k);
    }
    work.B(k, k) = let(LetName{"B", k + 1, k + 1}, own);
    work.b(k, k) = let(LetName{"b", k + 1, k + 1}, own_b);
    Vec2<T> R;  // R_ik for i under k
    forChain(tree, k, [&](int i, int n) {
      R += place.R[at(n)];
      work.B(k, i) = let(LetName{"B", k + 1, i + 1}, work.B(k, k) + dot(place.mu[at(k)], R));
      work.b(k, i) = let(LetName{"b", k + 1, i + 1}, work.b(k, k) + cross(place.mu[at(k)], R));
    });
  }
}

//   A_ki = sum over j >= k of Jc_jn,  a_ki likewise of Js_jn                                    [paper (7), (8)]
//   B_ik = J_i + sum over j on the way from k to i of Jc_ij + sum over j > i of Jc_j,next(i,j)
//   b_ik =     - sum over j on the way from k to i of Js_ij + sum over j > i of Js_j,next(i,j)
// The way ends at i; the paper's (8) leaves that limit out.
template <class T>
void fillStatement2(const LinkageTree& tree, const LinkageConstants<T>& constants, FormWork<T>& work,
                    const Naming<T>& let) {
  for (int k = 0; k < tree.links(); ++k) {
    forChain(tree, k, [&](int i, int n) {
      T A{};
      T a{};
      forLoad(tree, k, [&](int j) {
        A += work.Jc(j, n);
        a += work.Js(j, n);
      });
      work.A(k, i) = let(LetName{"A", k + 1, i + 1}, A);
      work.a(k, i) = let(LetName{"a", k + 1, i + 1}, a);
    });
  }
  for (int i = 0; i < tree.links(); ++i) {
    for (int k = i; k >= 0; k = tree.base(k)) {
      T B = constants.link[at(i)].J;
      T b{};
      for (int j = i; j != k; j = tree.base(j)) {
        B += work.Jc(i, j);
        b -= work.Js(i, j);
      }
      forLoad(tree, i, [&](int j) {
        if (j == i) return;
        B += work.Jc(j, tree.next(i, j));
        b += work.Js(j, tree.next(i, j));
      });
      work.B(i, k) = let(LetName{"B", i + 1, k + 1}, B);
      work.b(i, k) = let(LetName{"b", i + 1, k + 1}, b);
    }
  }
}

//   A_k,p(i) = Jc_ki + sum_j A_j,p(i),  a_k,p(i) = Js_ki + sum_j a_j,p(i)           j: links on k  [paper (10)]
template <class T>
void sumAa(int k, const LinkageTree& tree, FormWork<T>& work, const Naming<T>& let) {
  forChain(tree, k, [&](int p, int i) {
    T A = work.Jc(k, i);
    T a = work.Js(k, i);
    for (const int j : tree.children(k)) {
      A += work.A(j, p);
      a += work.a(j, p);
    }
    work.A(k, p) = let(LetName{"A", k + 1, p + 1}, A);
    work.a(k, p) = let(LetName{"a", k + 1, p + 1}, a);
  });
}

//   B_kk = J_k + sum_j A_jk,  b_kk = sum_j a_jk;  B_k,p(i) = B_ki + Jc_ki,  b_k,p(i) = b_ki - Js_ki [paper (11), (12)]
template <class T>
void fillStatement3(const LinkageTree& tree, const LinkageConstants<T>& constants, FormWork<T>& work,
                    const Naming<T>& let) {
  for (int k = tree.links() - 1; k >= 0; --k) {
    sumAa(k, tree, work, let);
    T B = constants.link[at(k)].J;
    T b{};
    for (const int j : tree.children(k)) {
      B += work.A(j, k);
      b += work.a(j, k);
    }
    work.B(k, k) = let(LetName{"B", k + 1, k + 1}, B);
    work.b(k, k) = let(LetName{"b", k + 1, k + 1}, b);
    forChain(tree, k, [&](int p, int i) {
      work.B(k, p) = let(LetName{"B", k + 1, p + 1}, work.B(k, i) + work.Jc(k, i));
      work.b(k, p) = let(LetName{"b", k + 1, p + 1}, work.b(k, i) - work.Js(k, i));
    });
  }
}

}  // namespace linkwork::linkage
