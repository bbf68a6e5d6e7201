// Linearisation: a mechanism with its closed loops near one of its states, in as many coordinates as it has freedoms.
//
//   (1)  x' = A x + B u,  y = C_y x + D u         x = [s, z]: coordinates, and speeds z that are some of s'
//   (2)  s' = S_s s + S_z z + S_u u               the upper rows of (1)
//   (3)  M z' + C z + K s = G u + rest            the lower ones; s, z, u: small deviations;
//                                                 rest = 0 in an equilibrium
//
// Where no row holds velocities alone, z is s', (2) says no more than that, and (3) is the equation of the second order
// M s'' + C s' + K s = G u with square matrices. Where one does, positions have more freedoms than velocities: s is
// longer than z, and K has more columns than rows.
//
// s are joint angles and slides where these suffice, coordinates of bodies otherwise; in space also small turns of a
// body about axes of the ground. Derivatives are exact (Dual numbers), along motions that keep all joints closed to
// second order; K holds what the reactions contribute as their joints turn.                            [docs/theory/03]
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

struct LinearCoordinate {
  std::string name;       // "O.angle", "top.turn_x"
  std::string unit;       // m or rad
  std::string rate_name;  // "O.angle_rate"
};

struct LinearSignal {
  std::string name;  // of an input of the model; that of a drive stands three times: u, u' and u''
  std::string unit;
};

struct Linearisation {
  bool ok = false;
  std::string problem;  // why there is none, in words, when not ok
  std::string hint;

  double time = 0.0;
  double length = 1.0;                        // m, by which a turn and a displacement compare
  std::vector<LinearCoordinate> coordinates;  // s
  std::vector<int> speeds;                    // z: rates of these of them, in rising order
  std::vector<LinearSignal> inputs, outputs;
  Eigen::MatrixXd M, C, K, G;          // (3)
  Eigen::VectorXd rest;                // generalised forces left over
  Eigen::VectorXd rates;               // s' of the state itself
  Eigen::VectorXd accelerations;       // s'' of the state itself
  Eigen::MatrixXd A, B, C_y, D;        // (1)
  Eigen::VectorXd output_values;       // y of the state itself
  std::vector<LinearCoordinate> seen;  // every coordinate of a joint or body that has a name, in the order of the file
  Eigen::MatrixXd seen_by_s;           // their motion per motion of s

  // Both relative: to the forces that act, and to velocities of one reference length per second.
  double imbalance = 0.0;
  double speed = 0.0;
  bool balanced() const { return imbalance <= 1e-6; }
  bool atRest() const { return speed <= 1e-9; }

  bool ofSecondOrder() const { return speeds.size() == coordinates.size(); }
  std::vector<std::string> stateNames() const;  // of x
  std::vector<std::string> stateUnits() const;
};

struct LineariseOptions {
  std::vector<std::string> coordinates;  // names of those to use; empty: chosen
};

// `named` may hold names of inputs in its formulas (model/input_names.hpp); an input that is not named acts on nothing.
// x is a consistent state, as of the assembled start or later. Expects assembly.ok.
Linearisation linearise(const Mechanism& named, const Assembly& assembly, double t, std::span<const double> x,
                        const LineariseOptions& options = {});

}  // namespace linkwork
