// QuasiMatrices: the matrices of the equations of Boltzmann and Hamel, which the program never forms when it simulates:
// for teaching, and to compare with a derivation by hand.                              [docs/theory/11, eq. 11.2, 11.3]
//
//   A = V_Q V_P + Omega_Q Omega_P                        of each body, and summed
//   T_Q = V_Q V + Omega_Q Omega,  T_Pi = V_Pi V + Omega_Pi Omega
//   C = V_QP V + Omega_QP Omega + V_Q (V_PP omega + V_RP) + Omega_Q (Omega_PP omega + Omega_RP)
//   B_k = -C_k + T_Pi,k - sum_r T_Q,r (sum_alpha Gamma(r, k, alpha) omega_alpha + Gamma_0(r, k)) + Q_k
//
// All n quasi-velocities are there, the l free ones first; those of the rows are zero in the motion. V: of the centre
// of mass, in ground axes; Omega: in axes of the body.
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "linkwork/codegen/equation_forms.hpp"

namespace linkwork {

struct QuasiMatricesOfBody {
  std::string name;
  double mass = 0.0;
  Eigen::MatrixXd J;               // about the centre of mass, in axes of the body; 1 x 1 in the plane
  Eigen::MatrixXd V_P, Omega_P;    // dV / d omega, dOmega / d omega
  Eigen::VectorXd V_R, Omega_R;    // what is free of omega
  Eigen::VectorXd V, Omega;        // V_P omega + V_R
  Eigen::MatrixXd V_Q, Omega_Q;    // m V_P^T, Omega_P^T J
  Eigen::MatrixXd V_Pi, Omega_Pi;  // m dV / d pi, J dOmega / d pi: rows of the free ones
  Eigen::MatrixXd V_PP, Omega_PP;  // rates of V_P, Omega_P
  Eigen::MatrixXd V_QP, Omega_QP;  // rates of V_Q, Omega_Q: rows of the free ones
  Eigen::VectorXd V_RP, Omega_RP;  // rates of V_R, Omega_R
  Eigen::VectorXd T_Q, T_Pi, C;
  Eigen::MatrixXd A;
  Eigen::VectorXd B;  // without Gamma and Q, which belong to all bodies: T_Pi - C
};

struct QuasiMatrices {
  std::vector<std::string> names;       // of all n: "om_1 turn of rear_axle", "F.slip, along"
  std::vector<std::string> velocities;  // of the joints, by which R is
  int free = 0;                         // l
  Eigen::VectorXd omega;                // n
  std::vector<QuasiMatricesOfBody> bodies;
  Eigen::MatrixXd R;                   // n x n: omega = R u + a_0
  Eigen::VectorXd Q;                   // l
  std::vector<Eigen::MatrixXd> Gamma;  // Gamma[r](k, alpha), n x n each
  Eigen::MatrixXd Gamma_0;             // (r, k): of constraints that know the time or are not homogeneous
  Eigen::VectorXd T_Q, T_Pi, C;        // of all bodies
  Eigen::MatrixXd A;
  Eigen::VectorXd B;
};

// At a state [q, omega] of the formulation `quasivelocity` with this choice, which is x in absolute coordinates.
// `problem` says why there are none.
struct QuasiMatricesFound {
  QuasiMatrices matrices;
  std::string problem;
};
QuasiMatricesFound quasiMatrices(const Mechanism& mechanism, const VelocityChoice& choice, double t,
                                 std::span<const double> x, const std::vector<double>& q,
                                 const std::vector<double>& omega);

}  // namespace linkwork
