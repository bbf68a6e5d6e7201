// Inverse dynamics and mass matrix of a tree.
//
//   M(q) u' + b(q, u, t) = tau                                                                  [docs/theory/07,
//   eq. 7.4]
//
// Two sweeps give tau of every column, and what every joint carries, from u':
//
//   outwards  A_k as in kinematics.hpp, with the ground accelerated against gravity
//   inwards   F_k = I_k A_k + (forces of the rates) - (loads on k) + sum over children of F_j, taken over to O_k
//             tau = s^T F_k
#pragma once

#include "linkwork/recursion/kinematics.hpp"

namespace linkwork {

template <class G>
struct InverseDynamics {
  explicit InverseDynamics(const Tree<G>& tree)
      : A(tree.links.size()), F(tree.links.size()), tau(tree.columns.size()) {}

  std::vector<typename LinkAxes<G>::Motion> A;  // of each link, less gravity
  std::vector<typename LinkAxes<G>::Force> F;   // of the parent on each link, about its origin in its axes
  std::vector<typename G::Scalar> tau;          // of each column, prescribed ones too: what its drive must exert
};

// I_k A_k is left to the caller of this: what velocities and loads alone ask for.
template <class G>
typename LinkAxes<G>::Force biasForce(const Tree<G>& tree, const PositionKinematics<G>& pk,
                                      const VelocityKinematics<G>& vk, const TreeLoads<G>& loads, int link);

template <class G, class Let = Unnamed>
void inverseDynamics(const Tree<G>& tree, const PositionKinematics<G>& pk, const VelocityKinematics<G>& vk,
                     std::span<const typename G::Scalar> udot, const TreeLoads<G>& loads, InverseDynamics<G>& out,
                     const Let& let = {});

template <class G>
struct TreeMassMatrix {
  explicit TreeMassMatrix(const Tree<G>& tree)
      : composite(tree.links.size()),
        size(tree.freedoms),
        entries(static_cast<std::size_t>(tree.freedoms) * static_cast<std::size_t>(tree.freedoms)) {}

  std::vector<typename LinkAxes<G>::Rigid> composite;  // each link with all that it carries, frozen
  int size = 0;
  std::vector<typename G::Scalar> entries;  // both triangles

  typename G::Scalar& operator()(int i, int j) { return entries[place(i, j)]; }
  const typename G::Scalar& operator()(int i, int j) const { return entries[place(i, j)]; }
  std::size_t place(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(size) + static_cast<std::size_t>(j);
  }
};

//   M_ij = s_i^T (inertia of link(i) and all that it carries) s_j, s_j taken over to link(i), which j carries
template <class G, class Let = Unnamed>
void massMatrix(const Tree<G>& tree, const PositionKinematics<G>& pk, TreeMassMatrix<G>& out, const Let& let = {});

}  // namespace linkwork
