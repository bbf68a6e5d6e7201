// A steady motion and its neighbours: linear, with constant coefficients, in axes that go along with it.
//
//   (1)  y' = A y      y: deviations that the constraints allow, less what nothing depends on
//   (2)  s' = z (as far as z are the rates of s),  M z' + C z + K s = 0     the same with names
//
// A symmetry X makes X itself an invariant subspace of the deviations, with the eigenvalues of the symmetries among
// each other: zero, or +-i times the rate at which axes turn. They are taken out with the subspace. So are the zeros
// that families of steady motions bring: as many as there are parameters to the family, counted at a neighbour of the
// same family, so that a zero that only this motion has is left in.                     [docs/theory/12, eq. 12.8]
#pragma once

#include <Eigen/Core>
#include <complex>
#include <string>
#include <vector>

#include "linkwork/analyse/modes.hpp"
#include "linkwork/analyse/steady.hpp"

namespace linkwork {

// Zeros that belong to families of steady motions, one level after the other: the second of what is left without the
// first.
using StructuralZeros = std::vector<int>;

// What speeds and coordinates are chosen from first: those of the states of a formulation.
enum class SteadyStates {
  joints,            // coordinates of joints and their rates
  bodies,            // coordinates of bodies and their rates
  quasi_velocities,  // coordinates of joints; z: the tree's own speeds, of a free body those in its own axes
  impulses,          // coordinates of joints; z: the tree's impulses
};

struct SteadyNaming {
  std::vector<std::string> coordinates;  // names of coordinates that s begins with
  SteadyStates states = SteadyStates::joints;
};

struct SteadyLinearisation {
  bool ok = false;
  std::string problem, hint;

  std::vector<LinearCoordinate> coordinates;  // s
  std::vector<std::string> speeds;            // z, by name: "steer.angle_rate"
  std::vector<std::string> speed_units;
  std::vector<int> rate_of;            // of z: which of s it is the rate of; -1: of something that nothing depends on
  std::vector<std::string> ignorable;  // coordinates that stand for what nothing depends on
  std::vector<std::string> families;   // of each structural zero: what may have other values
  Eigen::MatrixXd A;                   // of [s, z]
  Eigen::MatrixXd M, C, K;             // (2), square in z; K by s; empty where z are impulses
  // Deviations in the coordinates of SteadyPieces::T to states, and back but for what is ignorable.
  Eigen::MatrixXd to_states, from_states;

  // Of addSignals(): [s, z]' = A [s, z] + B u,  y = C_y [s, z] + D u,  and G u on the right of (2).
  std::vector<LinearSignal> inputs, outputs;
  Eigen::MatrixXd B, C_y, D, G;
  Eigen::VectorXd output_values;
  std::vector<std::string> drifting;  // outputs left out: they depend on what is ignorable

  std::vector<std::string> stateNames() const;
  std::vector<std::string> stateUnits() const;
};

// At a motion that the solver found. `zeros`: as countZeros() has them.
SteadyLinearisation lineariseSteady(SteadySolver& solver, const SteadyMotion& motion, const StructuralZeros& zeros,
                                    const SteadyNaming& naming = {});

// Inputs and outputs; `named`: the solver's mechanism with names of inputs in its formulas (model/input_names.hpp).
// Empty on success, else why there are none, in words.
std::string addSignals(SteadySolver& solver, const SteadyMotion& motion, const Mechanism& named,
                       SteadyLinearisation& linear);

// At a motion and at a neighbour in each direction in which it has neighbours.
StructuralZeros countZeros(SteadySolver& solver, const SteadyMotion& motion);

// The part of (1) that eigenvalues are taken of, and nothing else: what is done again and again.
struct Deflated {
  bool ok = false;
  Eigen::MatrixXd A;
  Eigen::MatrixXd whole, basis, named;
  int taken_out = 0;
};
Deflated deflate(SteadySolver& solver, const SteadyMotion& motion, const StructuralZeros& zeros);
// The motion of the named coordinates in an eigenvector of A.
Eigen::VectorXcd shapeOf(const Deflated& deflated, std::complex<double> eigenvalue, const Eigen::VectorXcd& vector);

// Modes of what is left, slowest first; `seen` as of the field, which may have coordinates go on that nothing depends
// on.
NaturalModes findModes(const Deflated& deflated, const std::vector<LinearCoordinate>& seen, double length);

}  // namespace linkwork
