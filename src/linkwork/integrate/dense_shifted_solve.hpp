// DenseShiftedSolve: the solve of methods for systems that offer none: B = 1 and a full J of positions and velocities,
// filled by the method itself, from differences. For quadratures J is zero.
#pragma once

#include <functional>

#include "linkwork/linalg/decompositions.hpp"
#include "linkwork/system/shifted_solve.hpp"

namespace linkwork {

class DenseShiftedSolve final : public ShiftedSolve {
 public:
  // J of the entries under error control, at the state of the method that fills it.
  using Jacobian = std::function<Eval(Eigen::MatrixXd& J)>;
  DenseShiftedSolve(int size, int controlled, Jacobian jacobian);

  Eval linearise(double /*t*/, std::span<const double> /*y*/, const Modes& /*modes*/) override { return jacobian_(J_); }
  std::string describeFailure() const override { return {}; }  // the method has noted it
  bool factor(const Shifts& shifts) override;
  void solve(std::span<double> r) override;
  void solve(std::span<std::complex<double>> r) override;

 private:
  const int size_, controlled_;
  const Jacobian jacobian_;
  Shifts shifts_;
  Eigen::MatrixXd J_, real_matrix_;
  Eigen::MatrixXcd complex_matrix_;
  Eigen::PartialPivLU<Eigen::MatrixXd> real_;
  Eigen::PartialPivLU<Eigen::MatrixXcd> complex_;
};

}  // namespace linkwork
