// StateJacobian: what an OdeSystem may know of J = df/dx beyond its derivative; and J times a vector of any system.
//
//   (1)  J d                      JacobianProduct: exact where the kernels run with Dual numbers, else by differences
//   (2)  (c - J)^-1 r             ShiftedSolve of implicit steps, where that costs less than a full matrix
//
// Never a matrix: where J is full, as in joint coordinates of a chain, its product and its solve may still be cheap.
#pragma once

#include <memory>
#include <span>

#include "linkwork/system/ode_system.hpp"
#include "linkwork/system/shifted_solve.hpp"

namespace linkwork {

// Made for one user: it holds all the scratch it needs.
class JacobianProduct {
 public:
  JacobianProduct() = default;
  JacobianProduct(const JacobianProduct&) = delete;
  JacobianProduct& operator=(const JacobianProduct&) = delete;
  virtual ~JacobianProduct() = default;

  // out = J d at (t, x) in these modes. d is one direction of the size of x, or several one behind the other, which may
  // cost less together than one by one; out alike. Allocates nothing.
  virtual Eval times(double t, std::span<const double> x, const Modes& modes, std::span<const double> d,
                     std::span<double> out) = 0;
};

class StateJacobian {
 public:
  StateJacobian() = default;
  StateJacobian(const StateJacobian&) = delete;
  StateJacobian& operator=(const StateJacobian&) = delete;
  virtual ~StateJacobian() = default;

  // Null where there is none. What they return must not outlive the system.
  virtual std::unique_ptr<JacobianProduct> makeProduct() const = 0;
  virtual std::unique_ptr<ShiftedSolve> makeSolve() const = 0;
};

// (1) of any system: the system's own, or else central differences along d over moves of x by the cube root of
// round-off, wrong by about 1e-10.
std::unique_ptr<JacobianProduct> makeJacobianProduct(const OdeSystem& system);
std::unique_ptr<JacobianProduct> makeDifferenceProduct(const OdeSystem& system);

// (2) of the system, or null.
std::unique_ptr<ShiftedSolve> makeShiftedSolve(const OdeSystem& system);

}  // namespace linkwork
