// EquationsTapes: the formulas of an EquationsModel and all derivatives of them that the equations of motion take,
// compiled once.
//
//   forms   of (q, t):     a, a_0 of all quasi-velocities;  Phi of the constraints of positions
//   terms   of (q, u, t):  velocities of bodies V = J u + j_0 with
//                          J,  G = dV/dq,  V_t,  J' = dJ/dt along the motion;  a' u + a_0';  M, h of kinetic energies
//                          given as formulas;  forces;  energies and what their balance needs
//   symbols of (q, u, t, p, w):  what the symbols of Boltzmann contract to, for the paper's variants
//
// Derivatives are taken of the formulas (Expr), so that no tensor with three indices is ever filled at run time.
#pragma once

#include <string>
#include <vector>

#include "linkwork/model/equations_model.hpp"
#include "linkwork/scalar/tape.hpp"

namespace linkwork {

// A stretch of a tape's outputs.
struct TapeBlock {
  std::size_t from = 0, size = 0;
};

struct EquationsTapes {
  // Parameters are replaced by their numbers, or stay letters: inputs of the tapes behind the others.
  enum class Parameters { numbers, letters };
  explicit EquationsTapes(const EquationsModel& model, Parameters parameters = Parameters::numbers);

  int n = 0;                          // coordinates
  int free = 0;                       // quasi-velocities of the state
  int components = 0;                 // of all V and W, body after body
  std::vector<int> position_rows;     // which of the constraints, among all n forms
  std::vector<std::string> letters;   // parameters that stay letters
  std::vector<double> letter_values;  // their numbers

  // The components of a body, with their masses as outputs of `terms`: a diagonal block, or a full one.
  struct Block {
    int first = 0, size = 0;
    std::size_t weight = 0;  // of `weights`, size x size
  };
  std::vector<Block> blocks;

  Tape forms;
  TapeBlock a, a0, phi;
  Tape terms;
  TapeBlock V, J, G, V_t, J_dot, weights, forms_dot, p, M, h, on_rates, on_quasi;
  TapeBlock potential, potential_q, kinetic, by_work, work_rate, potential_t;
  Tape symbols;
  TapeBlock turning, drifting;
};

}  // namespace linkwork
