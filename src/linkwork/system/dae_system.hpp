// DaeSystem: the contract for implicit methods that integrate constraints directly.
//
//   (1)  B y' = F(t, y; m)       y = [x, z]: x = [q, v, w] as in OdeSystem, z algebraic (multipliers); B constant,
//                                singular; m: the modes of that OdeSystem
//
// All calls are const and may come from many threads, each with its own Workspace. Nothing throws. Every call is pure,
// as in OdeSystem.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "linkwork/linalg/sparse_lu.hpp"
#include "linkwork/system/ode_system.hpp"
#include "linkwork/system/shifted_solve.hpp"

namespace linkwork {

class DaeSystem {
 public:
  DaeSystem() = default;
  DaeSystem(const DaeSystem&) = delete;
  DaeSystem& operator=(const DaeSystem&) = delete;
  virtual ~DaeSystem() = default;

  virtual StateSpace space() const = 0;  // of x
  virtual int algebraic() const = 0;     // size of z
  virtual int multipliers() const = 0;   // how many of z, its first, are multipliers of constraints
  // Of every entry of y: 1 to 3, how many times the equations must be differentiated to see it as an ordinary unknown.
  // Errors of entries of index i are divided by h^(i-1) by nature; step control must not be led astray by them.
  virtual std::span<const int> index() const = 0;
  virtual const SparseMatrix& B() const = 0;  // NOLINT(readability-identifier-naming): the letter of (1)
  virtual std::unique_ptr<Workspace> makeWorkspace() const = 0;

  virtual Eval rightSide(double t, std::span<const double> y, const Modes& modes, Workspace& work,
                         std::span<double> F) const = 0;
  // dF/dy; the pattern never changes.
  virtual Eval jacobian(double t, std::span<const double> y, const Modes& modes, Workspace& work,
                        SparseMatrix& out) const = 0;
  // A solve with c B - dF/dy that costs less than factoring the sparse jacobian(); null where that is the way. It must
  // not outlive this.
  virtual std::unique_ptr<ShiftedSolve> makeShiftedSolve() const = 0;
  // z (and y', for methods that want it) that go with a consistent x.
  virtual Eval start(double t, std::span<const double> x, const Modes& modes, Workspace& work, std::span<double> y,
                     std::span<double> ydot) const = 0;

  virtual std::string describeFailure(const Workspace& work) const = 0;
};

}  // namespace linkwork
