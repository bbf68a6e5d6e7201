// What projection needs of absolute coordinates (formulation/projection.hpp).
#pragma once

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/absolute/absolute_work.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

template <class G>
struct BasicAbsoluteSystem<G>::Surface : Lent<BasicAbsoluteSystem<G>> {
  using Lent<BasicAbsoluteSystem<G>>::Lent;
  using Lent<BasicAbsoluteSystem<G>>::system;
  using Lent<BasicAbsoluteSystem<G>>::work;

  void place(double t, std::span<const double> q) { system.equations_.positions(t, q, work.eq); }
  void move(std::span<const double> v) { system.equations_.velocities(v, work.eq); }
  void forces() { system.equations_.forces(work.eq); }
  void placeBodies(double t, std::span<const double> x) { system.placeBodies(t, x, *this); }
  Eval evaluate(double t, std::span<const double> x) { return system.evaluate(t, x, *this); }

  bool factor(double t, double cut, RowLevel level = RowLevel::velocity) {
    work.factored = system.rows_.factor(work.eq, cut, work.kkt, level);
    if (work.factored.singular_body < 0) return true;
    (void)system.noInertia(t, work.factored, work.kkt, work);
    return false;
  }
  Eval cannotFactor() const { return Eval::failed; }
  void solve(std::span<const double> v) { system.solve(v, work); }
  Eval accelerationsHere(double t, std::span<const double> x, double cut = kDependentRow) {
    return system.accelerationsHere(t, x, *this, cut);
  }
  std::span<const double> acceleration() const { return work.acceleration; }
  // Drives do work at the rate -lambda^T Phi_t; joints do none.
  void setPower() {
    work.power = work.eq.supplied_power;
    for (std::size_t r = 0; r < work.lambda.size(); ++r) work.power += work.lambda[r] * work.eq.minus_phi_t[r];
  }
  void show(double /*t*/, std::span<const double> x, Observation& out) {
    const typename Observer<G>::State state{system.positionsOf(x), system.velocitiesOf(x),
                                            x.last(at(system.equations_.turns()))};
    system.observer_.observe(state, work.acceleration, work.lambda, work, out);
  }

  RowRank rank() const { return system.rows_.rank(work.factored); }
  int droppedRows() const { return work.factored.dropped_rows; }
  bool dropped(int r) const { return work.kkt.rowDropped(r); }
  double rowLength(int r) const { return system.rows_.rowLength(r); }
  double drift() const { return system.rows_.drift(work.eq); }
  bool finite() const { return std::isfinite(drift()); }
  double open() const { return system.rows_.enforcedDrift(work.eq, work.kkt) * system.length(); }
  RowBalance balance(int r, double wanted) const { return system.rows_.balance(r, wanted, work.acceleration, work.eq); }
  void noteContradiction(int row) { system.noteFighting(row, work); }
  // work.velocity_residual = Phi_q v + Phi_t
  void velocityResidual(std::span<const double> v) {
    system.rows_.velocityResidual(v, work.eq, work.velocity_residual);
  }

  double largest(std::span<const double> q) const { return system.largestCoordinate(q); }
  double smallestKept() const { return work.factored.singular_body >= 0 ? 1.0 : work.factored.smallest_kept; }
  bool lostRows() const { return work.factored.singular_body < 0 && system.rows_.lostRows(work.kkt, work.factored); }

  void closePositions(std::span<double> q) {
    solveFor(work.eq.phi);
    system.moveBy(work.f, q);
  }
  VelocityMiss missOf(std::span<const double> v) {
    move(v);
    velocityResidual(v);
    return {normInf(work.velocity_residual), normInf(v)};
  }
  void closeVelocities(std::span<double> v) {
    solveFor(work.velocity_residual);
    for (std::size_t u = 0; u < v.size(); ++u) v[u] += work.f[u];
  }

  double rateOf(std::span<const double> x) const {
    const auto v = system.velocitiesOf(x);
    double rate = 0.0;
    for (std::size_t u = 0; u < v.size(); ++u) {
      const bool turn = u % G::kFreedoms >= G::kDimension;
      rate = std::max(rate, std::abs(v[u]) / (turn ? 1.0 : system.length()));
    }
    return rate;
  }
  double rateFor(std::span<double> x) const { return rateOf(x); }
  std::span<double> beside(std::span<const double> x, double e) {
    std::copy(x.begin(), x.end(), work.beside.begin());
    const auto v = system.velocitiesOf(x);
    for (std::size_t u = 0; u < v.size(); ++u) work.f[u] = e * v[u];
    system.moveBy(work.f, this->positions(work.beside));
    return work.beside;
  }
  void take(const std::vector<double>& a, double power) {
    work.failure = FailureNote::Failure::none;
    work.acceleration = a;
    work.power = power;
  }

 private:
  // work.f = -M^-1 P^T (P M^-1 P^T)^-1 rest
  void solveFor(std::span<const double> rest) {
    std::fill(work.f.begin(), work.f.end(), 0.0);
    for (std::size_t r = 0; r < work.g.size(); ++r) work.g[r] = -rest[r];
    work.kkt.solve(work.f, work.g);
    ++work.counts.projections;
  }
};

}  // namespace linkwork
