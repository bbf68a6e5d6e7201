// The matrices of Boltzmann and Hamel's equations in the form of the paper, corrected, at one state: 19 that describe
// the system and 5 that the equations are made of. For those who look; motions are computed without them.
//
//   V = V_P w + V_R;  T_Q = V_Q V + ..,  T_Pi = V_Pi V + ..,  C = V_QP V + V_Q (V_PP w + V_RP) + ..
//   B_k = -C_k + T_Pi,k - sum_r T_Q(r) (sum_a Gamma(r,k,a) w(a) + Gamma_0(r,k)) + Q_k,   A w' = B
//                                                                          [docs/theory/11, eq. 11.2 and 11.3]
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "linkwork/formulation/equations/equations_system.hpp"

namespace linkwork {

// Of the velocity of a mass centre, or of an angular velocity.
struct PartialVelocities {
  Eigen::MatrixXd P;   // V_P, Omega_P: components x n
  Eigen::VectorXd R;   // V_R, Omega_R
  Eigen::VectorXd V;   // V, Omega
  Eigen::MatrixXd Q;   // V_Q, Omega_Q: n x components
  Eigen::MatrixXd Pi;  // V_Pi, Omega_Pi: l x components
  Eigen::MatrixXd PP;  // V_PP, Omega_PP
  Eigen::MatrixXd QP;  // V_QP, Omega_QP
  Eigen::VectorXd RP;  // V_RP, Omega_RP
};

struct EquationsMatrices {
  struct Body {
    std::string name;
    PartialVelocities velocity, angular;  // empty where there is none
  };
  std::vector<Body> bodies;
  Eigen::MatrixXd R;                   // a: n x n, and
  Eigen::VectorXd a_0;                 // its part without rates
  Eigen::VectorXd Q;                   // l
  std::vector<Eigen::MatrixXd> Gamma;  // of each r: l x n, by k and alpha
  Eigen::MatrixXd Gamma_0;             // n x l, by r and k
  Eigen::VectorXd T_Q, T_Pi, C, B;     // n, l, l, l
  Eigen::MatrixXd A;                   // l x l
  Eigen::VectorXd w;                   // n, the constraints' zero
};

EquationsMatrices equationsMatrices(const EquationsModel& model, const EquationsSystem& system, double t,
                                    std::span<const double> x);

}  // namespace linkwork
