// What J d needs of joint coordinates (formulation/stabilised_product.hpp): (dR, dS) by inverse dynamics with Dual
// numbers, u' and lambda held, and
//
//   (1)  M du' - G^T dlambda = -dR,   G du' = dS                                        [docs/theory/07, eq. 7.15]
//
// by the factors of the tree and of G M^-1 G^T that the accelerations were solved with (cut_solve.hpp).
#pragma once

#include <algorithm>

#include "linkwork/formulation/recursive/cut_solve.hpp"
#include "linkwork/formulation/recursive/recursive_surface.hpp"
#include "linkwork/formulation/stabilised_product.hpp"

namespace linkwork {

template <class G>
struct RecursiveSystem<G>::Tangent {
  using GD = typename WithDual<G>::type;
  using Number = TangentNumber;

  Tangent(const RecursiveSystem& formulation, Work& workspace)
      : system(formulation),
        work(workspace),
        equations(formulation.mechanism_, formulation.plan_),
        dual(equations),
        inverse(equations.tree()),
        applied(dual.loads),
        linear(formulation.cut_tree_),
        udot(work.udot.size()),
        lambda(work.lambda.size()),
        body_rates(work.acceleration.size()),
        off(lambda.size()) {}

  void prepare() { linear.prepare(work); }

  // dR in inverse.tau, dS in off.
  void run(double t, std::span<const Number> x) {
    const auto& tree = equations.tree();
    std::copy(x.end() - equations.cuts().turns(), x.end(), dual.eq.turns.begin());
    equations.place(Number(t), x.first(at(tree.coordinates)), dual);
    equations.move(x.subspan(at(tree.coordinates), at(tree.freedoms)), dual);
    equations.forces(dual);
    applied = dual.loads;
    hold(work.udot, udot);
    hold(work.lambda, lambda);
    sweep();
    if (system.rows() == 0) return;
    equations.bodyAccelerations(inverse.A, dual, body_rates);
    for (int r = 0; r < system.rows(); ++r) {
      off[at(r)] = dual.eq.gamma[at(r)] - equations.timesRow(r, body_rates, dual);
    }
    if (system.options_.stabilisation != Stabilisation::baumgarte) return;
    const Pull pull = baumgartePull(system.options_);
    equations.bodyVelocities(dual, body_rates);
    for (int r = 0; r < system.rows(); ++r) {
      const Number residual = equations.timesRow(r, body_rates, dual) - dual.eq.minus_phi_t[at(r)];
      off[at(r)] -= residual * pull.rate + dual.eq.phi[at(r)] * pull.stiffness;
    }
  }

  void solve(int direction) {
    const auto& columns = system.tree_.columns;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (columns[c].freedom >= 0) linear.right[at(columns[c].freedom)] = -inverse.tau[c].derivative(direction);
    }
    for (std::size_t r = 0; r < off.size(); ++r) linear.wanted[r] = off[r].derivative(direction);
    linear.solve(work);
    for (std::size_t k = 0; k < udot.size(); ++k) udot[k].derivatives[at(direction)] = linear.x[k];
    for (std::size_t r = 0; r < lambda.size(); ++r) lambda[r].derivatives[at(direction)] = linear.y[r];
  }
  // What the joints carry, by which drives do work, with du' and dlambda.
  void finish() {
    if (!equations.prescribes()) return;
    dual.loads = applied;
    sweep();
  }

  void rates(std::span<const Number> q, std::span<const Number> u, std::span<Number> out) const {
    coordinateRates<GD>(equations.tree(), q, u, out);
  }
  std::span<const Number> acceleration() const { return udot; }
  Number power() const {
    Number out = dual.eq.supplied_power;
    for (std::size_t r = 0; r < lambda.size(); ++r) out += lambda[r] * dual.eq.minus_phi_t[r];
    return out + equations.drivePower(inverse.F, dual);
  }
  Number turnRate(int k) const { return equations.cuts().turnRate(k, dual.eq); }

  const RecursiveSystem& system;
  Work& work;
  TreeEquations<GD> equations;
  typename TreeEquations<GD>::Work dual;
  InverseDynamics<GD> inverse;
  std::vector<typename GD::Wrench> applied;  // loads without reactions
  CutSolve<G> linear;
  std::vector<Number> udot, lambda;  // their derivatives are those of the directions solved for
  std::vector<Number> body_rates, off;

 private:
  // What u' and lambda ask of the tree.
  void sweep() {
    if (system.rows() > 0) equations.addReactions(lambda, dual);
    inverseDynamics<GD>(equations.tree(), dual.pk, dual.vk, udot, {{}, dual.loads}, inverse);
  }
};

}  // namespace linkwork
