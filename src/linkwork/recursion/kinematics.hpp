// Positions, velocities and accelerations of all links of a tree from its joint coordinates, in sweeps from the ground.
//
//   (1)  V_k = (V_parent at O_k) + sum over columns of s u
//   (2)  A_k = (A_parent at O_k) + bias_k + sum over columns of s u'                             [docs/theory/07,
//   eq. 7.3]
//
// A is the acceleration of the link's origin, and of its turning. bias holds what velocities and prescribed columns
// bring.
#pragma once

#include <span>
#include <vector>

#include "linkwork/recursion/tree.hpp"
#include "linkwork/scalar/naming.hpp"

namespace linkwork {

template <class G>
struct PositionKinematics {
  using Link = LinkAxes<G>;
  explicit PositionKinematics(const Tree<G>& tree);

  std::vector<typename Link::Step> step;    // of each link, from its parent
  std::vector<typename Link::Place> place;  // of each link
  std::vector<typename G::Vector> reach;    // turn_first: from the joint's point on the parent to the link's origin
  std::vector<typename Link::Motion> s;     // columns
  std::vector<typename Link::Rigid> rigid;  // of each body about its link's origin
  std::vector<typename G::Vector> centre;   // from the link's origin to the centre of mass
  std::vector<typename G::Position> body;   // by body, and the ground at the end
};

template <class G>
struct VelocityKinematics {
  using Link = LinkAxes<G>;
  explicit VelocityKinematics(const Tree<G>& tree);

  std::vector<typename Link::Motion> V, bias;  // of each link
  std::vector<typename G::Velocity> body;      // by body, and the ground at the end
};

// motions: of the mechanism's drives; those that prescribe columns are read.
template <class G, class Let = Unnamed>
void positionKinematics(const Tree<G>& tree, std::span<const typename G::Scalar> q,
                        std::span<const Motion<typename G::Scalar>> motions, PositionKinematics<G>& pk,
                        const Let& let = {});

template <class G, class Let = Unnamed>
void velocityKinematics(const Tree<G>& tree, const PositionKinematics<G>& pk, std::span<const typename G::Scalar> u,
                        std::span<const Motion<typename G::Scalar>> motions, VelocityKinematics<G>& vk,
                        const Let& let = {});

// The same where V of the links is known; the bias is left as it was.
template <class G>
void takeVelocities(const Tree<G>& tree, const PositionKinematics<G>& pk,
                    std::span<const typename LinkAxes<G>::Motion> V, VelocityKinematics<G>& vk);

// A of every link from u'; `base` is the ground's own acceleration: against gravity, or zero.
template <class G>
void accelerations(const Tree<G>& tree, const PositionKinematics<G>& pk, const VelocityKinematics<G>& vk,
                   std::span<const typename G::Scalar> udot, const typename G::Vector& base,
                   std::vector<typename LinkAxes<G>::Motion>& A);

// The acceleration of a body as its absolute coordinates have it: (of the centre of mass in ground axes, of the turning
// in body axes).
template <class G>
typename G::Velocity bodyAcceleration(const Tree<G>& tree, const PositionKinematics<G>& pk,
                                      const VelocityKinematics<G>& vk, int link, const typename LinkAxes<G>::Motion& A);

// q' of u: the same, but for the quaternion of a ball.
template <class G>
void coordinateRates(const Tree<G>& tree, std::span<const typename G::Scalar> q, std::span<const typename G::Scalar> u,
                     std::span<typename G::Scalar> qdot);

template <class G>
typename G::Scalar kineticEnergy(const Tree<G>& tree, const VelocityKinematics<G>& vk);

// A wrench on a body (as G has it) as a force on its link, about the link's origin in the link's axes; and back.
template <class G>
typename LinkAxes<G>::Force linkForce(const Tree<G>& tree, const PositionKinematics<G>& pk, int link,
                                      const typename G::Wrench& wrench);
template <class G>
typename G::Wrench bodyWrench(const Tree<G>& tree, const PositionKinematics<G>& pk, int link,
                              const typename LinkAxes<G>::Force& force);

// s . f of a column, and the like for unit columns.
template <class Screw, class T = std::decay_t<decltype(std::declval<Screw>()[0])>>
T along(const TreeColumn& column, const Screw& s, const Screw& f) {
  if (column.unit < 0) return dot(s, f);
  return column.sign > 0.0 ? f[column.unit] : -f[column.unit];
}
// a += s size
template <class Screw, class T>
void addColumn(const TreeColumn& column, const Screw& s, const T& size, Screw& a) {
  if (column.unit < 0) {
    a.add(s, size);
  } else if (column.sign > 0.0) {
    a[column.unit] += size;
  } else {
    a[column.unit] -= size;
  }
}

// Each entry by its letter and the number of the link or column.
template <class Let, class Screw, std::size_t N>
Screw named(const Let& let, const std::array<const char*, N>& letters, int number, Screw a) {
  if constexpr (!std::is_same_v<Let, Unnamed>) {
    for (std::size_t k = 0; k < N; ++k)
      a[static_cast<int>(k)] = let(LetName{letters[k], number + 1}, a[static_cast<int>(k)]);
  }
  return a;
}

}  // namespace linkwork
