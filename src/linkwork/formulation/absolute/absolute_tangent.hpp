// What J d needs of absolute coordinates (formulation/stabilised_product.hpp):
//
//   (1)  M da - Phi_q^T dlambda = dQ + d(Phi_q^T) lambda
//   (2)  Phi_q da = dGamma* - d(Phi_q) a                                                [docs/theory/01, eq. 1.45]
#pragma once

#include <algorithm>

#include "linkwork/formulation/absolute/absolute_surface.hpp"
#include "linkwork/formulation/stabilised_product.hpp"

namespace linkwork {

template <class G>
struct BasicAbsoluteSystem<G>::Tangent {
  using GD = typename WithDual<G>::type;
  using Number = TangentNumber;

  Tangent(const BasicAbsoluteSystem& formulation, Work& workspace)
      : system(formulation),
        work(workspace),
        equations(formulation.mechanism_),
        dual(equations.makeWork()),
        a(work.acceleration.size()),
        lambda(work.lambda.size()),
        f(a.size()),
        g(lambda.size()) {}

  void prepare() {
    hold(work.acceleration, a);
    hold(work.lambda, lambda);
  }

  // f and g: the right-hand sides of (1) and (2).
  void run(double t, std::span<const Number> x) {
    const auto v = x.subspan(at(equations.coordinates()), at(equations.freedoms()));
    std::copy(x.end() - equations.turns(), x.end(), dual.turns.begin());
    equations.positions(Number(t), x.first(at(equations.coordinates())), dual);
    equations.velocities(v, dual);
    equations.forces(dual);
    for (int b = 0; b < equations.bodies(); ++b) {
      GD::put(dual.Q[at(b)], std::span(f).subspan(at(G::kFreedoms * b), at(G::kFreedoms)));
    }
    const bool pulled = system.options_.stabilisation == Stabilisation::baumgarte;
    const Pull pull = pulled ? baumgartePull(system.options_) : Pull{};
    for (int r = 0; r < equations.rows(); ++r) {
      Number bent = dual.gamma[at(r)];
      Number residual = -dual.minus_phi_t[at(r)];  // Phi_q v + Phi_t
      for (int p = equations.rowStart()[at(r)]; p < equations.rowStart()[at(r) + 1]; ++p) {
        const int first = G::kFreedoms * equations.rowBodies()[at(p)];
        for (int k = 0; k < G::kFreedoms; ++k) {
          const Number& entry = dual.jacobian[at(G::kFreedoms * p + k)];
          f[at(first + k)] += entry * work.lambda[at(r)];
          bent -= entry * work.acceleration[at(first + k)];
          if (pulled) residual += entry * v[at(first + k)];
        }
      }
      if (pulled) bent -= residual * pull.rate + dual.phi[at(r)] * pull.stiffness;
      g[at(r)] = bent;
    }
  }

  void solve(int direction) {
    for (std::size_t k = 0; k < f.size(); ++k) work.f[k] = f[k].derivative(direction);
    for (std::size_t r = 0; r < g.size(); ++r) work.g[r] = g[r].derivative(direction);
    (void)work.kkt.solve(work.f, work.g);
    for (std::size_t k = 0; k < f.size(); ++k) a[k].derivatives[at(direction)] = work.f[k];
    for (std::size_t r = 0; r < g.size(); ++r) lambda[r].derivatives[at(direction)] = -work.g[r];
  }
  void finish() {}

  void rates(std::span<const Number> q, std::span<const Number> v, std::span<Number> out) const {
    for (int b = 0; b < equations.bodies(); ++b) {
      GD::coordinateRate(q.subspan(at(G::kCoordinates * b), at(G::kCoordinates)),
                         v.subspan(at(G::kFreedoms * b), at(G::kFreedoms)),
                         out.subspan(at(G::kCoordinates * b), at(G::kCoordinates)));
    }
  }
  std::span<const Number> acceleration() const { return a; }
  Number power() const {
    Number out = dual.supplied_power;
    for (std::size_t r = 0; r < lambda.size(); ++r) out += lambda[r] * dual.minus_phi_t[r];
    return out;
  }
  Number turnRate(int k) const { return equations.turnRate(k, dual); }

  const BasicAbsoluteSystem& system;
  Work& work;
  AbsoluteEquations<GD> equations;
  typename AbsoluteEquations<GD>::Work dual;
  std::vector<Number> a, lambda;  // their derivatives are those of the direction solved for
  std::vector<Number> f, g;
};

}  // namespace linkwork
