// What all forms are made of: the products Jc and Js, gravity and loads.
//
//   Jc_kj = mu_k . R_j = J_kj cos(phi_k - psi_j)      Js_kj = (R_j x mu_k)_z = J_kj sin(phi_k - psi_j)
//   J_kj = m_dk R_j,  for every hinge j between two links on the way from the ground to k
#pragma once

#include "linkwork/formulation/linkage/placement_impl.hpp"

namespace linkwork::linkage {

// Calls visit(i, j) for every link i under k, from its base down, with j = next(i, k).
template <class Visit>
void forChain(const LinkageTree& tree, int k, Visit&& visit) {
  for (int j = k; tree.base(j) >= 0; j = tree.base(j)) visit(tree.base(j), j);
}

// Calls visit(j) for every link j >= k.
template <class Visit>
void forLoad(const LinkageTree& tree, int k, Visit&& visit) {
  for (int j = k; j < tree.links(); ++j) {
    if (tree.carries(k, j)) visit(j);
  }
}

template <class T>
void placeProducts(Trig trig, const LinkageTree& tree, const LinkageConstants<T>& constants, FormWork<T>& work,
                   const Naming<T>& let) {
  const Placement<T>& place = work.place;
  for (int k = 0; k < tree.links(); ++k) {
    forChain(tree, k, [&](int /*i*/, int j) {
      T& Jc = work.Jc(k, j);
      T& Js = work.Js(k, j);
      if (trig == Trig::vectors) {
        Jc = dot(place.mu[at(k)], place.R[at(j)]);
        Js = cross(place.R[at(j)], place.mu[at(k)]);
      } else {
        const T size = let(LetName{"J", k + 1, j + 1},
                           constants.link[at(k)].mu_polar.length * constants.link[at(j)].R_polar.length);
        const T alpha = place.phi[at(k)] - place.psi[at(j)];
        Jc = size * cos(alpha);
        Js = size * sin(alpha);
      }
      Jc = let(LetName{"Jc", k + 1, j + 1}, Jc);
      Js = let(LetName{"Js", k + 1, j + 1}, Js);
    });
  }
}

// G_k = (mu_k x g)_z.
template <class T>
T gravityOf(int k, Trig trig, const LinkageConstants<T>& constants, const Placement<T>& place) {
  const Vec2<T>& g = constants.gravity;
  if (trig == Trig::vectors) return cross(place.mu[at(k)], g);
  const T& md = constants.link[at(k)].mu_polar.length;
  if (isStructuralZero(g.x)) return (md * g.y) * cos(place.phi[at(k)]);
  return (md * constants.gravity_polar.length) * sin(constants.gravity_polar.angle - place.phi[at(k)]);
}

// MA_k = ML_k + sum_j R_j x (sum of the forces on j and all it carries), or as given.
template <class T>
void placeLoads(const LinkageTree& tree, const LinkageInputs<T>& inputs, FormWork<T>& work, const Naming<T>& let) {
  for (int k = tree.links() - 1; k >= 0; --k) {
    T& load = work.load[at(k)];
    load = inputs.load.empty() ? T{} : inputs.load[at(k)];
    if (!inputs.moment.empty()) load += inputs.moment[at(k)];
    if (!inputs.force.empty()) {
      Vec2<T> sum = inputs.force[at(k)];
      for (const int j : tree.children(k)) {
        sum += work.sums[at(j)];
        load += cross(work.place.R[at(j)], work.sums[at(j)]);
      }
      work.sums[at(k)] = named("Sx", "Sy", k, sum, let);
    }
    load = let(LetName{"MA", k + 1}, load);
  }
}

template <class T>
void placeGravityAndLoads(Trig trig, const LinkageTree& tree, const LinkageConstants<T>& constants,
                          const LinkageInputs<T>& inputs, FormWork<T>& work, const Naming<T>& let) {
  for (int k = 0; k < tree.links(); ++k) {
    work.gravity[at(k)] = let(LetName{"G", k + 1}, gravityOf(k, trig, constants, work.place));
  }
  placeLoads(tree, inputs, work, let);
}

// Go_k = G_k + sum_j Go_j;  MR_k = MA_k + sum_j MR_j
template <class T>
void sumOverLoads(const LinkageTree& tree, FormWork<T>& work, const Naming<T>& let) {
  for (int k = tree.links() - 1; k >= 0; --k) {
    for (const int j : tree.children(k)) {
      work.gravity[at(k)] += work.gravity[at(j)];
      work.load[at(k)] += work.load[at(j)];
    }
    work.gravity[at(k)] = let(LetName{"Go", k + 1}, work.gravity[at(k)]);
    work.load[at(k)] = let(LetName{"MR", k + 1}, work.load[at(k)]);
  }
}

}  // namespace linkwork::linkage
