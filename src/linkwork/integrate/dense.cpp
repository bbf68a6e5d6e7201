#include "linkwork/integrate/dense.hpp"

#include <algorithm>

namespace linkwork {

void DenseOutput::resize(std::size_t n) {
  for (auto* r : {&r0_, &r1_, &r2_, &r3_, &r4_}) r->assign(n, 0.0);
}

void DenseOutput::setEnds(double h, std::span<const double> x0, std::span<const double> f0,
                          std::span<const double> x1) {
  for (std::size_t i = 0; i < r0_.size(); ++i) {
    r0_[i] = x0[i];
    r1_[i] = x1[i] - x0[i];
    r2_[i] = h * f0[i] - r1_[i];
    r3_[i] = 0;
    r4_[i] = 0;
  }
}

void DenseOutput::setLastSlope(double h, std::span<const double> f1) {
  for (std::size_t i = 0; i < r0_.size(); ++i) r3_[i] = r1_[i] - h * f1[i] - r2_[i];
}

void DenseOutput::addCorrection(std::span<const double> raw_x1, std::span<const double> x1) {
  for (std::size_t i = 0; i < r0_.size(); ++i) r1_[i] += x1[i] - raw_x1[i];
}

void DenseOutput::start(std::span<double> x) const { std::copy(r0_.begin(), r0_.end(), x.begin()); }

void DenseOutput::evaluate(double theta, std::span<double> x) const {
  const double rest = 1 - theta;
  for (std::size_t i = 0; i < r0_.size(); ++i) {
    x[i] = r0_[i] + theta * (r1_[i] + rest * (r2_[i] + theta * (r3_[i] + rest * r4_[i])));
  }
}

}  // namespace linkwork
