// Dense output: the polynomial that a method lays through one accepted step.
//
// With theta in [0, 1] and the nested basis of Hairer, Norsett & Wanner (Solving ODEs I, section II.6)
//   x(theta) = r0 + theta (r1 + (1 - theta) (r2 + theta (r3 + (1 - theta) r4)))
// each further term keeps what the ones before it have fixed:
//   r0, r1  both ends      r1 = x1 - x0
//   r2      first slope    r2 = h f0 - r1
//   r3      last slope     r3 = r1 - h f1 - r2        (cubic Hermite up to here)
//   r4      the stages of a method of its own
// Where the system moved x1 to x1 + d after the step, theta d is added: r1 alone changes.
#pragma once

#include <span>
#include <vector>

namespace linkwork {

class DenseOutput {
 public:
  void resize(std::size_t n);

  // Ends and first slope: linear for Euler's step, quadratic where x1 holds h^2/2 terms.
  void setEnds(double h, std::span<const double> x0, std::span<const double> f0, std::span<const double> x1);
  void setLastSlope(double h, std::span<const double> f1);
  std::span<double> quartic() { return r4_; }  // zero after setEnds; the method fills it
  void addCorrection(std::span<const double> raw_x1, std::span<const double> x1);

  void start(std::span<double> x) const;
  void evaluate(double theta, std::span<double> x) const;

 private:
  std::vector<double> r0_, r1_, r2_, r3_, r4_;
};

}  // namespace linkwork
