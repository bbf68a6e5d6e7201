// EquationsModel: a system that a user describes by its equations instead of by bodies and joints: coordinates,
// quasi-velocities, constraints, energies and forces, all of them formulas.
//
//   q                 coordinates; their rates are called NAME_rate
//   w = a u + a_0     quasi-velocities, linear in the rates u: the free ones, then those that constraints hold at zero
//   T, U              of bodies whose velocities are linear in the rates, or as formulas of the second degree in them
//
// Validated, then const. In the formulas stand t, parameters, coordinates and rates; names of quasi-velocities have
// been replaced by what they are.                                                       [docs/theory/11, eq. 11.1]
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

struct EquationsCoordinate {
  std::string name;
  Value start;       // before constraints of positions are met
  std::string unit;  // empty: a pure number, or not said
  Source source;

  std::string rate() const { return name + "_rate"; }
};

// Linear in the rates: a quasi-velocity, or a constraint, which stays zero. A constraint of positions has no rates.
struct EquationsForm {
  std::string name;
  Expr value{0.0};
  std::string unit;
  Source source;
  bool of_positions = false;
};

// T = 1/2 m V.V + 1/2 W.J W + kinetic_energy. V in any axes at right angles to each other; W in those of J.
struct EquationsBody {
  std::string name;
  Value mass;
  std::array<std::array<Value, 3>, 3> inertia{};  // kg m^2, of the centre of mass if V is its velocity
  std::vector<Expr> velocity;                     // up to three, linear in the rates
  std::vector<Expr> angular_velocity;             // none, one (then inertia[2][2] is all that counts) or three
  Expr kinetic_energy{0.0};                       // of the second degree in the rates
  Source source;
};

// A generalised force: on a coordinate, or on a free quasi-velocity; or a force and a couple on a body, in the axes of
// its velocity and of its angular velocity.
struct EquationsForce {
  enum class On { coordinate, quasi_velocity, body };
  std::string name;
  On on = On::coordinate;
  int index = 0;  // of the coordinate, quasi-velocity or body
  Expr value{0.0};
  std::vector<Expr> force, couple;  // on a body
  Source source;
};

// A value of a rate, or of a quasi-velocity, at the start; or in a steady motion, of a coordinate too.
struct EquationsGiven {
  std::string name;
  Expr form{0.0};  // linear in the rates, or a coordinate
  bool of_positions = false;
  Value value;
  Source source;
};

struct EquationsModel {
  // What model files of every kind have: name, parameters, inputs, events, outputs, [simulate]. No bodies.
  Mechanism frame;
  std::vector<EquationsCoordinate> coordinates;
  std::vector<EquationsForm> quasi_velocities;  // the free ones
  std::vector<EquationsForm> constraints;       // those of velocities and of positions, as the file has them
  std::vector<EquationsBody> bodies;
  Expr potential{0.0};
  std::vector<EquationsForce> forces;
  std::vector<EquationsGiven> initial, steady;

  int freedoms() const { return static_cast<int>(quasi_velocities.size()); }  // of velocities
  int positionFreedoms() const {
    int out = static_cast<int>(coordinates.size());
    for (const EquationsForm& form : constraints) out -= form.of_positions ? 1 : 0;
    return out;
  }
};

}  // namespace linkwork
