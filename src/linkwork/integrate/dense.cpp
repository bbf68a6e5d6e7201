#include "linkwork/integrate/dense.hpp"

#include <algorithm>
#include <array>

#include "linkwork/base/contract.hpp"

namespace linkwork {
namespace {

constexpr std::size_t kMostTerms = 16;

}  // namespace

void DenseOutput::resize(std::size_t n, std::size_t higher) {
  expect(4 + higher <= kMostTerms, "dense output: too many terms");
  r_.resize(4 + higher);
  for (auto& r : r_) r.assign(n, 0.0);
}

void DenseOutput::setEnds(double h, std::span<const double> x0, std::span<const double> f0,
                          std::span<const double> x1) {
  for (std::size_t i = 0; i < r_[0].size(); ++i) {
    r_[0][i] = x0[i];
    r_[1][i] = x1[i] - x0[i];
    r_[2][i] = h * f0[i] - r_[1][i];
  }
  for (std::size_t k = 3; k < r_.size(); ++k) std::fill(r_[k].begin(), r_[k].end(), 0.0);
}

void DenseOutput::setLastSlope(double h, std::span<const double> f1) {
  for (std::size_t i = 0; i < r_[0].size(); ++i) r_[3][i] = r_[1][i] - h * f1[i] - r_[2][i];
}

void DenseOutput::addCorrection(std::span<const double> raw_x1, std::span<const double> x1) {
  for (std::size_t i = 0; i < r_[0].size(); ++i) r_[1][i] += x1[i] - raw_x1[i];
}

// With s = theta - 1: r0 = p(-1), q = (p - r0) / (s + 1), r1 = q(0), p = -(q - r1) / s, and so on.
void DenseOutput::setBackward(std::span<const std::vector<double>> z, std::span<const double> x0,
                              std::span<const double> x1) {
  expect(z.size() <= r_.size(), "dense output: more coefficients than terms");
  std::array<double, kMostTerms> p{};
  for (std::size_t i = 0; i < r_[0].size(); ++i) {
    for (std::size_t k = 0; k < z.size(); ++k) p[k] = z[k][i];
    std::size_t count = z.size();
    for (std::size_t k = 0; k < r_.size(); ++k) {
      if (count == 0) {
        r_[k][i] = 0;
      } else if (k % 2 == 0) {  // Horner at s = -1 leaves the quotient in p[1..], the value in p[0]
        for (std::size_t j = count - 1; j > 0; --j) p[j - 1] -= p[j];
        r_[k][i] = p[0];
        std::copy(p.begin() + 1, p.begin() + static_cast<std::ptrdiff_t>(count), p.begin());
        --count;
      } else {
        r_[k][i] = p[0];
        for (std::size_t j = 1; j < count; ++j) p[j - 1] = -p[j];
        --count;
      }
    }
    r_[0][i] = x0[i];
    r_[1][i] = x1[i] - x0[i];
  }
}

void DenseOutput::start(std::span<double> x) const { std::copy(r_[0].begin(), r_[0].end(), x.begin()); }

void DenseOutput::evaluate(double theta, std::span<double> x) const {
  const double rest = 1 - theta;
  for (std::size_t i = 0; i < r_[0].size(); ++i) {
    double sum = r_.back()[i];
    for (std::size_t k = r_.size() - 1; k > 0; --k) sum = r_[k - 1][i] + (k % 2 == 0 ? rest : theta) * sum;
    x[i] = sum;
  }
}

}  // namespace linkwork
