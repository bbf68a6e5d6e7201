// sweep(): inverse dynamics and hinge forces in two sweeps.
#pragma once

#include "linkwork/formulation/linkage/placement_impl.hpp"

namespace linkwork::linkage {

template <class T>
SweepWork<T>::SweepWork(const LinkageTree& tree)
    : A(at(tree.links())), Q(at(tree.links())), torque(at(tree.links())), hinge(at(tree.links())) {
  size(tree, place);
}

// Where the accelerations of hinge O_k less gravity, A_k, follow from those of its base.
//   A_root = -g;   A_k = A_p + a_p (k x R_k) - w_p^2 R_k
template <class T>
void sweepOut(const LinkageTree& tree, const Vec2<T>& gravity, const Placement<T>& place,
              std::span<const T> acceleration, std::vector<Vec2<T>>& A, const Naming<T>& let) {
  for (int k = 0; k < tree.links(); ++k) {
    const int p = tree.base(k);
    if (p < 0) {
      A[at(k)] = -gravity;
      continue;
    }
    Vec2<T> sum = A[at(p)] - place.R[at(k)] * place.w2[at(p)];
    if (!acceleration.empty()) sum += perp(place.R[at(k)]) * acceleration[at(p)];
    A[at(k)] = named("Ax", "Ay", k, sum, let);
  }
}

// What link k and its load press on the hinge O_k, but for m_k A_k:
//   Q_k = a_k (k x mu_k) - w_k^2 mu_k - F_k + sum_j Q_j
template <class T>
Vec2<T> pressOf(int k, const LinkageTree& tree, const LinkageInputs<T>& inputs, const Placement<T>& place,
                std::span<const T> acceleration, const std::vector<Vec2<T>>& Q) {
  Vec2<T> sum = -(place.mu[at(k)] * place.w2[at(k)]);
  if (!acceleration.empty()) sum += perp(place.mu[at(k)]) * acceleration[at(k)];
  if (!inputs.force.empty()) sum -= inputs.force[at(k)];
  for (const int j : tree.children(k)) sum += Q[at(j)];
  return sum;
}

// The left-hand side of row k of the recurrent equations:
//   J_k a_k + (k x mu_k) . A_k - ML_k + sum_j R_j x Q_j
template <class T>
T rowOf(int k, const LinkageTree& tree, const LinkageConstants<T>& constants, const LinkageInputs<T>& inputs,
        const Placement<T>& place, std::span<const T> acceleration, const std::vector<Vec2<T>>& A,
        const std::vector<Vec2<T>>& Q) {
  T row = cross(place.mu[at(k)], A[at(k)]);
  if (!acceleration.empty()) row += constants.link[at(k)].J * acceleration[at(k)];
  if (!inputs.moment.empty()) row -= inputs.moment[at(k)];
  for (const int j : tree.children(k)) row += cross(place.R[at(j)], Q[at(j)]);
  return row;
}

template <class T>
void sweep(const LinkageTree& tree, const LinkageConstants<T>& constants, const LinkageInputs<T>& inputs,
           std::span<const T> acceleration, HingeForces hinge_forces, SweepWork<T>& work, const Naming<T>& let) {
  placeAngles(Given::absolute, tree, inputs, work.place, let);
  placeVectors(tree, constants, work.place, let);
  sweepOut(tree, constants.gravity, work.place, acceleration, work.A, let);
  for (int k = tree.links() - 1; k >= 0; --k) {
    T torque = rowOf(k, tree, constants, inputs, work.place, acceleration, work.A, work.Q);
    for (const int j : tree.children(k)) torque += work.torque[at(j)];
    work.torque[at(k)] = let(LetName{"M", k + 1}, torque);
    if (tree.isRoot(k) && hinge_forces == HingeForces::no) continue;  // nobody asks
    work.Q[at(k)] = named("Qx", "Qy", k, pressOf(k, tree, inputs, work.place, acceleration, work.Q), let);
  }
  if (hinge_forces == HingeForces::no) return;
  for (int k = 0; k < tree.links(); ++k) {
    work.hinge[at(k)] = named("Nx", "Ny", k, work.A[at(k)] * constants.link[at(k)].m + work.Q[at(k)], let);
  }
}

}  // namespace linkwork::linkage
