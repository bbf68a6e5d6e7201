// OdeNewton: CVODE's and ARKODE's Newton matrix 1 - gamma df/dx = gamma (1/gamma - df/dx): what the system offers to
// solve with, or else a dense one, its Jacobian by forward differences.
//
// Columns of quadratures are zero: f does not see them (but for whole turns of angles, of which it has no derivative).
#pragma once

#include "linkwork/integrate/sundials/stepping.hpp"

namespace linkwork::sundials {

class OdeNewton : public SundialsIntegrator {
 protected:
  OdeNewton(const OdeSystem& system, const IntegratorOptions& options);

  // Fills newton_; the library says whether the Jacobian of before will do, and is told whether it is a new one.
  int fillNewton(double t, N_Vector y, bool old_will_do, booleantype& is_new, double gamma);

  NewtonMatrix newton_;

 private:
  Eval differences(double t, std::span<const double> y);
  int lineariseSolve(double t, std::span<const double> y);
  std::string describeTrouble() const override;

  std::unique_ptr<ShiftedSolve> solve_;  // the system's; null: by differences
  bool ask_solve_ = false;               // about the last trouble
  Eigen::MatrixXd jacobian_;
  std::vector<double> y_moved_, slope_here_, slope_moved_;
};

}  // namespace linkwork::sundials
