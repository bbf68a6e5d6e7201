// The coefficients of Radau IIA of order 5, and the transformation that splits its stages into one real and one complex
// linear system per step size, in place of one of three times the size.
//
//   (gamma/h B - J) d = r        ((alpha - i beta)/h B - J) d = r
// gamma and alpha -+ i beta are the eigenvalues of the inverse of the method's matrix A.        [docs/theory/04,
// eq. 4.9]
#pragma once

#include <Eigen/Dense>

#include "linkwork/system/shifted_solve.hpp"

namespace linkwork {

// A's inverse in real block form, T^-1 A^-1 T = diag(gamma, [[alpha, beta], [-beta, alpha]]).
struct RadauScheme {
  RadauScheme();
  Shifts shifts(double h) const;
  double c[3];
  double gamma, alpha, beta;
  Eigen::Matrix3d A, T, T_inverse;
};
const RadauScheme& radauScheme();

}  // namespace linkwork
