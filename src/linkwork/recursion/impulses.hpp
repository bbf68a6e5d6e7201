// Impulses of a tree: p = s^T h of each column, with h the momentum of its link and all that this carries; and their
// rates.
//
//   (1)  h_k = I_k V_k + sum over children of h_j, taken over to O_k                        [docs/theory/09, eq. 9.1]
//   (2)  p' = s'^T h_k + s^T (F_k - Omega_k h_k)
//        F_k: loads on link k and all that it carries;  Omega h = (w x f, v x f + w x n), in the plane (0, v x f)
//
// A solve for velocities, M u = p, passes (1) on through the joints: V and h of the links are A and F of TreeSolve.
//
// In (2) s' is the rate of the column in the axes of LinkAxes. Nowhere does (2) ask for u to be the rates of
// coordinates: three turns of a ball have the momentum in the link's axes for their impulses. The p' of a prescribed
// column lacks what its drive exerts.
#pragma once

#include "linkwork/recursion/kinematics.hpp"

namespace linkwork {

// Adds to each link's screw those of all that it carries, taken over.
template <class G, class Let = Unnamed>
void gatherInwards(const Tree<G>& tree, const PositionKinematics<G>& pk, std::span<typename LinkAxes<G>::Force> screws,
                   const Let& let = {});

// I_k V_k of each link alone.
template <class G>
void linkMomenta(const Tree<G>& tree, const PositionKinematics<G>& pk, const VelocityKinematics<G>& vk,
                 std::span<typename LinkAxes<G>::Force> h);

// s^T h of every column.
template <class G>
void impulsesOf(const Tree<G>& tree, const PositionKinematics<G>& pk, std::span<const typename LinkAxes<G>::Force> h,
                std::span<typename G::Scalar> p);

// What prescribed columns bring to the velocity of each link: the bias of a solve for velocities.
template <class G>
void prescribedVelocities(const Tree<G>& tree, const PositionKinematics<G>& pk,
                          std::span<const Motion<typename G::Scalar>> motions,
                          std::span<typename LinkAxes<G>::Motion> out);

// (2) of every column, with h and F gathered.
template <class G>
void impulseRates(const Tree<G>& tree, const PositionKinematics<G>& pk, const VelocityKinematics<G>& vk,
                  std::span<const typename G::Scalar> u, std::span<const Motion<typename G::Scalar>> motions,
                  std::span<const typename LinkAxes<G>::Force> h, std::span<const typename LinkAxes<G>::Force> F,
                  std::span<typename G::Scalar> rates);

}  // namespace linkwork
