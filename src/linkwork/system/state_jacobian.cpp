#include "linkwork/system/state_jacobian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace linkwork {
namespace {

double largest(std::span<const double> values) {
  double out = 0.0;
  for (const double value : values) out = std::max(out, std::abs(value));
  return out;
}

class DifferenceProduct final : public JacobianProduct {
 public:
  explicit DifferenceProduct(const OdeSystem& system)
      : system_(system),
        work_(system.makeWorkspace()),
        moved_(static_cast<std::size_t>(system.space().size())),
        behind_(moved_.size()) {}

  Eval times(double t, std::span<const double> x, const Modes& modes, std::span<const double> d,
             std::span<double> out) override {
    for (std::size_t first = 0; first < d.size(); first += x.size()) {
      const Eval eval = along(t, x, modes, d.subspan(first, x.size()), out.subspan(first, x.size()));
      if (eval != Eval::ok) return eval;
    }
    return Eval::ok;
  }

 private:
  Eval along(double t, std::span<const double> x, const Modes& modes, std::span<const double> d,
             std::span<double> out) {
    const double length = largest(d);
    if (length == 0.0) {
      std::fill(out.begin(), out.end(), 0.0);
      return Eval::ok;
    }
    // Round-off e/m and curvature m^2 of a move m balance at the cube root.
    const double move = std::cbrt(std::numeric_limits<double>::epsilon()) * std::max(1.0, largest(x)) / length;
    const auto at = [&](double by, std::span<double> slope) {
      for (std::size_t i = 0; i < x.size(); ++i) moved_[i] = x[i] + by * d[i];
      return system_.derivative(t, moved_, modes, *work_, slope).eval;
    };
    if (const Eval eval = at(move, out); eval != Eval::ok) return eval;
    if (const Eval eval = at(-move, behind_); eval != Eval::ok) return eval;
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = (out[i] - behind_[i]) / (2.0 * move);
    return Eval::ok;
  }

  const OdeSystem& system_;
  std::unique_ptr<Workspace> work_;
  std::vector<double> moved_, behind_;
};

}  // namespace

std::unique_ptr<JacobianProduct> makeDifferenceProduct(const OdeSystem& system) {
  return std::make_unique<DifferenceProduct>(system);
}

std::unique_ptr<JacobianProduct> makeJacobianProduct(const OdeSystem& system) {
  const StateJacobian* jacobian = system.jacobian();
  auto own = jacobian == nullptr ? nullptr : jacobian->makeProduct();
  return own != nullptr ? std::move(own) : makeDifferenceProduct(system);
}

std::unique_ptr<ShiftedSolve> makeShiftedSolve(const OdeSystem& system) {
  const StateJacobian* jacobian = system.jacobian();
  return jacobian == nullptr ? nullptr : jacobian->makeSolve();
}

}  // namespace linkwork
