// RowLevel: the lowest level at which a constraint row says something.
//
//   position   Phi(q, t) = 0, and its derivatives at the levels of velocity and acceleration
//   velocity   A(q) v = b(q, t), and its derivative: no function of positions stands behind it, as under a wheel that
//              rolls or a blade that does not slip (nonholonomic)
//
// Which rows are which is said by their elements (elements/rows.hpp: levelOf) and asked of ElementSet, of the equations
// and of MechanicalSystem. Where something acts "at the level of positions" rows of the second kind are not there.
#pragma once

namespace linkwork {

enum class RowLevel { position, velocity };

}  // namespace linkwork
