// J d of a StabilisedSystem, J = df/dx of x' = f(t, x): its equations once with numbers and, along d, with Dual
// numbers, eight directions at once. With
//
//   (1)  R(x, u', lambda) = M u' + b - tau - G^T lambda = 0,   S(x, u') = Gamma* - G u' - (what is left at u' = 0) = 0
//
// u' and lambda move along d as the derivative of (1) says, dR and dS taken with u' and lambda held:
//
//   (2)  M du' - G^T dlambda = -dR,   G du' = dS                                        [docs/theory/01, eq. 1.45]
//
// by the factors of the evaluation itself, so that the same rows are left out. q', the power and the rates of counted
// turns follow by the same kernels. Where projection takes u' from both sides of a pose of lower rank, f is no solve at
// one state: there, and only there, J d is by differences.
//
// A formulation lends a `Tangent`, over itself and one workspace:
//
//   prepare()                   after (1) is solved: u' and lambda to hold, and what all directions share
//   run(t, x)                   its stages with Dual numbers, and dR and dS
//   solve(direction)            (2) of one of them
//   finish()                    after all of them
//   rates(q, u, out)            q'
//   acceleration(), power(), turnRate(k)
//
// For the sources in which products are instantiated.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "linkwork/formulation/projection.hpp"
#include "linkwork/formulation/stabilised_system.hpp"
#include "linkwork/formulation/stabilised_work.hpp"
#include "linkwork/formulation/tangent_numbers.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

template <class Own>
class StabilisedSystem<Own>::Product final : public JacobianProduct {
 public:
  explicit Product(const Own& system)
      : system_(system),
        work_(system),
        tangent_(system, work_),
        differences_(makeDifferenceProduct(system)),
        x_(at(system.space().size())),
        xdot_(x_.size()) {}

  Eval times(double t, std::span<const double> x, const Modes& modes, std::span<const double> d,
             std::span<double> out) override {
    typename Own::Surface surface(system_, work_);
    const Eval eval = surface.accelerationsHere(t, x);
    const bool evaluated = eval == Eval::ok || work_.failure == FailureNote::Failure::contradiction;
    if (evaluated && system_.stabilises(Stabilisation::projection) && nearRankChange(surface)) {
      return differences_->times(t, x, modes, d, out);
    }
    if (eval != Eval::ok) return eval;
    tangent_.prepare();
    const std::size_t n = x.size();
    for (std::size_t first = 0; first < d.size(); first += n * kTangentDirections) {
      const std::size_t size = std::min(n * kTangentDirections, d.size() - first);
      take(t, x, d.subspan(first, size), out.subspan(first, size));
    }
    return allFinite(out) ? Eval::ok : Eval::retry;
  }

 private:
  // At most as many directions as are taken at once.
  void take(double t, std::span<const double> x, std::span<const double> d, std::span<double> out) {
    holdAlong(x, d, x_);
    tangent_.run(t, x_);
    const int count = static_cast<int>(d.size() / x.size());
    for (int k = 0; k < count; ++k) tangent_.solve(k);
    tangent_.finish();

    const std::span<const TangentNumber> state = x_;
    const std::size_t coordinates = at(system_.coordinates());
    const auto q = state.first(coordinates);
    const auto u = state.subspan(coordinates, at(system_.freedoms()));
    tangent_.rates(q, u, std::span(xdot_).first(coordinates));
    const std::span<const TangentNumber> udot = tangent_.acceleration();
    std::copy(udot.begin(), udot.end(), xdot_.begin() + static_cast<std::ptrdiff_t>(coordinates));
    xdot_[system_.workAt()] = tangent_.power();
    const int turns = system_.bodyEquations().turns();
    for (int k = 0; k < turns; ++k) xdot_[system_.workAt() + 1 + at(k)] = tangent_.turnRate(k);
    putAlong(xdot_, out);
  }

  const Own& system_;
  typename Own::Work work_;
  typename Own::Tangent tangent_;
  std::unique_ptr<JacobianProduct> differences_;
  std::vector<TangentNumber> x_, xdot_;
};

template <class Own>
std::unique_ptr<JacobianProduct> StabilisedSystem<Own>::makeProduct() const {
  return iterates() ? nullptr : std::make_unique<Product>(own());
}

}  // namespace linkwork
