#include "linkwork/integrate/gauss4.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "linkwork/integrate/settling.hpp"

namespace linkwork {
namespace {

constexpr double kRoot = std::numbers::sqrt3 / 6;
constexpr double kC1 = 0.5 - kRoot;
constexpr double kC2 = 0.5 + kRoot;
// The step is symplectic where a_12 + a_21 = 1/2: with these two that holds to the last bit, for which the first may be
// off by one.
constexpr double kA21 = 0.25 + kRoot;
constexpr double kA12 = 0.5 - kA21;
constexpr double kA11 = 0.25;
constexpr double kA22 = 0.25;

// Lagrange's weights at theta of values at 0, c1, c2 and 1.
std::array<double, 4> cubicWeights(double theta) {
  constexpr std::array<double, 4> kNodes{0.0, kC1, kC2, 1.0};
  std::array<double, 4> out{1.0, 1.0, 1.0, 1.0};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      if (j != i) out[i] *= (theta - kNodes[j]) / (kNodes[i] - kNodes[j]);
    }
  }
  return out;
}

}  // namespace

Gauss4::Gauss4(const OdeSystem& system, const IntegratorOptions& options)
    : FixedStep(system, options, Dense::by_both_slopes),
      slope_first_(x_.size()),
      k1_(x_.size()),
      k2_(x_.size()),
      f1_(x_.size()),
      f2_(x_.size()),
      stage_(x_.size()),
      rest_(x_.size()),
      rest_new_(x_.size()) {}

StepStatus Gauss4::start() {
  h_before_ = 0;
  std::fill(rest_.begin(), rest_.end(), 0.0);
  return FixedStep::start();
}

void Gauss4::guess(double h) {
  if (h_before_ == 0) {
    k1_ = slope_;
    k2_ = slope_;
    return;
  }
  const std::array<double, 4> first = cubicWeights(1 + h / h_before_ * kC1);
  const std::array<double, 4> second = cubicWeights(1 + h / h_before_ * kC2);
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const double k1 = k1_[i];
    const double k2 = k2_[i];
    k1_[i] = first[0] * slope_first_[i] + first[1] * k1 + first[2] * k2 + first[3] * slope_[i];
    k2_[i] = second[0] * slope_first_[i] + second[1] * k1 + second[2] * k2 + second[3] * slope_[i];
  }
}

// k_i anew from (1); change: the largest of h k, beside the largest position or velocity.
Eval Gauss4::iterate(double h, double& change) {
  const std::size_t n = x_.size();
  for (std::size_t i = 0; i < n; ++i) stage_[i] = x_[i] + (h * (kA11 * k1_[i] + kA12 * k2_[i]) + rest_[i]);
  if (const Eval eval = evaluate(t_ + kC1 * h, stage_, f1_); eval != Eval::ok) return eval;
  for (std::size_t i = 0; i < n; ++i) stage_[i] = x_[i] + (h * (kA21 * k1_[i] + kA22 * k2_[i]) + rest_[i]);
  if (const Eval eval = evaluate(t_ + kC2 * h, stage_, f2_); eval != Eval::ok) return eval;
  change = 0.0;
  const auto look = [&](int first, int count) {
    double difference = 0.0;
    double size = 0.0;
    const auto begin = static_cast<std::size_t>(first);
    for (std::size_t i = begin; i < begin + static_cast<std::size_t>(count); ++i) {
      difference += std::abs(f1_[i] - k1_[i]) + std::abs(f2_[i] - k2_[i]);
      size = std::max({size, std::abs(x_[i]), std::abs(h * f1_[i]), std::abs(h * f2_[i])});
    }
    const double share = shareOf(h * difference, size);
    change = std::isnan(share) ? share : std::max(change, share);
  };
  look(0, space_.positions());
  if (!std::isnan(change)) look(space_.velocityOffset(), space_.velocities());
  k1_.swap(f1_);
  k2_.swap(f2_);
  return Eval::ok;
}

// x_new = x + h (k_1 + k_2)/2, and what the sum loses.
void Gauss4::sum(double h) {
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const double step = 0.5 * h * (k1_[i] + k2_[i]) + rest_[i];
    const double x = x_[i] + step;
    const double moved = x - x_[i];
    x_new_[i] = x;
    rest_new_[i] = (x_[i] - (x - moved)) + (step - moved);
  }
}

Eval Gauss4::takeStep(double h) {
  guess(h);
  Settling settling;
  for (;;) {
    double change = 0.0;
    if (const Eval eval = iterate(h, change); eval != Eval::ok) return eval;
    switch (settling.look(change)) {
      case Settling::State::goes_on: break;
      case Settling::State::settled: sum(h); return Eval::ok;
      case Settling::State::lost:
        h_before_ = 0;
        note(t_, "the equations of the stages do not settle", AskSystem::no);
        return Eval::retry;
    }
  }
}

void Gauss4::finishStep(double h, std::span<const double> /*end_slope*/) {
  for (std::size_t i = 0; i < x_.size(); ++i) rest_[i] = x_new_[i] == raw_x_new_[i] ? rest_new_[i] : 0.0;
  slope_first_ = slope_;
  h_before_ = h;
}

std::vector<double> Gauss4::methodMemory() const {
  std::vector<double> out = FixedStep::methodMemory();
  out.push_back(h_before_);
  for (const auto* part : {&rest_, &slope_first_, &k1_, &k2_}) out.insert(out.end(), part->begin(), part->end());
  return out;
}

void Gauss4::recallMethod(std::span<const double> was) {
  FixedStep::recallMethod(was);
  h_before_ = was[kMemory];
  auto from = was.begin() + kMemory + 1;
  for (auto* part : {&rest_, &slope_first_, &k1_, &k2_}) {
    std::copy_n(from, part->size(), part->begin());
    from += static_cast<std::ptrdiff_t>(part->size());
  }
}

}  // namespace linkwork
