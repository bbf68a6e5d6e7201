// The equations of a mechanism at one state as dense matrices, for comparison with dense algebra in tests.
#pragma once

#include <span>
#include <vector>

#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/linalg/as_vector.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork::test {

struct Dense {
  Eigen::MatrixXd M, P;
  Eigen::VectorXd phi, minus_phi_t, gamma, Q;
  double potential = 0.0;
  double supplied_power = 0.0;

  Dense(const PlanarEquations& equations, double t, std::span<const double> q, std::span<const double> v) {
    auto work = equations.makeWork();
    equations.positions(t, q, work);
    equations.velocities(v, work);
    equations.forces(work);
    const int n = equations.coordinates();
    const int rows = equations.rows();
    M = Eigen::MatrixXd::Zero(n, n);
    Q.resize(n);
    for (int b = 0; b < equations.bodies(); ++b) {
      const auto& body = equations.elements().body[at(b)];
      M.diagonal().segment<3>(3 * b) << body.mass, body.mass, body.inertia;
      Q.segment<3>(3 * b) << work.Q[at(b)].force.x, work.Q[at(b)].force.y, work.Q[at(b)].moment;
    }
    P = Eigen::MatrixXd::Zero(rows, n);
    for (int r = 0; r < rows; ++r) {
      for (int p = equations.rowStart()[at(r)]; p < equations.rowStart()[at(r) + 1]; ++p) {
        for (int k = 0; k < 3; ++k) P(r, 3 * equations.rowBodies()[at(p)] + k) = work.jacobian[at(3 * p + k)];
      }
    }
    phi = Eigen::Map<const Eigen::VectorXd>(work.phi.data(), rows);
    minus_phi_t = Eigen::Map<const Eigen::VectorXd>(work.minus_phi_t.data(), rows);
    gamma = Eigen::Map<const Eigen::VectorXd>(work.gamma.data(), rows);
    potential = work.potential;
    supplied_power = work.supplied_power;
  }

  int rank(double threshold = 1e-9) const {
    Eigen::JacobiSVD<Eigen::MatrixXd> svd(P);
    svd.setThreshold(threshold);
    return static_cast<int>(svd.rank());
  }

  // [ M P^T ; P 0 ] [ a ; -lambda ] = [ Q ; Gamma ]: a and the lambda of least norm.
  struct Solution {
    Eigen::VectorXd a, lambda;
  };
  Solution solve() const {
    const auto n = M.rows();
    const auto rows = P.rows();
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + rows, n + rows);
    K.topLeftCorner(n, n) = M;
    K.topRightCorner(n, rows) = P.transpose();
    K.bottomLeftCorner(rows, n) = P;
    Eigen::VectorXd b(n + rows);
    b << Q, gamma;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod(K);
    cod.setThreshold(1e-10);
    const Eigen::VectorXd x = cod.solve(b);
    Solution out{x.head(n), {}};
    // P^T lambda = M a - Q, least norm.
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> transposed(P.transpose());
    transposed.setThreshold(1e-10);
    out.lambda = transposed.solve(M * out.a - Q);
    return out;
  }
};

}  // namespace linkwork::test
