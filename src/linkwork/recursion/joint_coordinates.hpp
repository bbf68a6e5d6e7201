// Joint coordinates of a tree from the places of its bodies: the way back of recursion/kinematics.hpp.
#pragma once

#include "linkwork/recursion/kinematics.hpp"

namespace linkwork {

// q from the places of all bodies (in the order of the mechanism). Where bodies do not fit their joints, what the joint
// cannot follow is left out. Angles in space come without whole turns, but for screws, whose slide tells them.
template <class G>
void jointPositions(const Tree<G>& tree, std::span<const typename G::Position> bodies, std::span<double> q);

// u from the velocities of all bodies, at the places of pk.
template <class G>
void jointVelocities(const Tree<G>& tree, const PositionKinematics<G>& pk, std::span<const typename G::Velocity> bodies,
                     std::span<const Motion<double>> motions, std::span<double> u);

// Moves q by a small displacement of the freedoms, on the surface that q lives on.
template <class G>
void moveJoints(const Tree<G>& tree, std::span<const double> step, std::span<double> q);

// The displacement that moveJoints takes from one q to another; of two turns of a ball the shorter one.
template <class G>
void jointDifference(const Tree<G>& tree, std::span<const double> from, std::span<const double> to,
                     std::span<double> step);

// Brings quaternions back to length one; says whether any was off.
template <class G>
bool normaliseJoints(const Tree<G>& tree, std::span<double> q);

}  // namespace linkwork
