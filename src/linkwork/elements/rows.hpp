// What every constraint element fills in: its rows of the Jacobian, body by body, and the motion it follows.
#pragma once

#include <array>

#include "linkwork/geometry/planar.hpp"

namespace linkwork {

// Value and time derivatives of a prescribed motion f(t); zero for a joint.
template <class T>
struct Motion {
  T f{};
  T fdot{};
  T fddot{};
};

// Blocks of Phi_q for the first (i) and second (j) body of an element with R rows.
template <class G, int R>
struct JacobianRows {
  std::array<typename G::RowBlock, R> first;
  std::array<typename G::RowBlock, R> second;
};

// Position and velocity of the two bodies an element joins. Ground stands still at the origin.
template <class G>
struct PairPosition {
  const typename G::Position& i;
  const typename G::Position& j;
};

template <class G>
struct PairVelocity {
  const typename G::Velocity& i;
  const typename G::Velocity& j;
};

}  // namespace linkwork
