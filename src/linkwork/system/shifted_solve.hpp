// ShiftedSolve: the linear systems of implicit methods, solved by whoever knows their structure.
//
//   (1)  (c B - J) d = r         J = dF/dy of B y' = F(t, y); of an OdeSystem y = x, B = 1, J = df/dx
//   (2)  the same with one complex c, for methods whose stages are coupled (radau5)
//
// J may be approximate: every method watches how its iteration converges, and asks for a new J or takes a smaller step
// where it does not. The rows of quadratures may be left out of J (their d is then r/c): their columns are zero, so
// that nothing else feels it.
//
// Made for one integrator: it holds its factors and all the scratch it needs.
#pragma once

#include <complex>
#include <span>
#include <string>

#include "linkwork/system/eval.hpp"
#include "linkwork/system/modes.hpp"

namespace linkwork {

// The c of (1), and of (2) where a method has them, for steps of size h. Unknowns of index i are by nature larger by
// h^(1-i), which is for whoever scales columns.
struct Shifts {
  double h = 0.0;
  double real = 0.0;
  bool both = false;
  std::complex<double> complex{};
};

class ShiftedSolve {
 public:
  ShiftedSolve() = default;
  ShiftedSolve(const ShiftedSolve&) = delete;
  ShiftedSolve& operator=(const ShiftedSolve&) = delete;
  virtual ~ShiftedSolve() = default;

  // Takes J at (t, y) in these modes. What was factored before is void.
  virtual Eval linearise(double t, std::span<const double> y, const Modes& modes) = 0;
  // False where a matrix is singular.
  virtual bool factor(const Shifts& shifts) = 0;
  // d in place of r.
  virtual void solve(std::span<double> r) = 0;
  virtual void solve(std::span<std::complex<double>> r) = 0;

  // Why the last linearise() did not answer ok, in words for the user.
  virtual std::string describeFailure() const = 0;
};

}  // namespace linkwork
