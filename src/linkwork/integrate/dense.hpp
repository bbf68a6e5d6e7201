// Dense output: the polynomial that a method lays through one accepted step.
//
// With theta in [0, 1] and the nested basis of Hairer, Norsett & Wanner (Solving ODEs I, section II.6)
//   x(theta) = r0 + theta (r1 + (1 - theta) (r2 + theta (r3 + (1 - theta) (r4 + theta (r5 + ...)))))
// each further term keeps what the ones before it have fixed:
//   r0, r1    both ends      r1 = x1 - x0
//   r2        first slope    r2 = h f0 - r1
//   r3        last slope     r3 = r1 - h f1 - r2        (cubic Hermite up to here)
//   r4, ...   the stages of a method of its own
// Where the system moved x1 to x1 + d after the step, theta d is added: r1 alone changes.
#pragma once

#include <span>
#include <vector>

namespace linkwork {

class DenseOutput {
 public:
  // `higher`: how many terms there are from r4 on.
  void resize(std::size_t n, std::size_t higher = 1);

  // Ends and first slope: linear for Euler's step, quadratic where x1 holds h^2/2 terms.
  void setEnds(double h, std::span<const double> x0, std::span<const double> f0, std::span<const double> x1);
  void setLastSlope(double h, std::span<const double> f1);
  std::span<double> higher(std::size_t k) { return r_[4 + k]; }  // r4, ...: zero after setEnds; the method fills them
  std::span<double> quartic() { return higher(0); }
  void addCorrection(std::span<const double> raw_x1, std::span<const double> x1);

  // A multistep method's polynomial about the end of the step, x(theta) = sum_k z_k (theta - 1)^k, with its ends moved
  // to x0 and x1: what it misses them by is spread linearly. Its degree is that of the basis at most.
  void setBackward(std::span<const std::vector<double>> z, std::span<const double> x0, std::span<const double> x1);

  void start(std::span<double> x) const;
  void evaluate(double theta, std::span<double> x) const;

 private:
  std::vector<std::vector<double>> r_{5};
};

}  // namespace linkwork
