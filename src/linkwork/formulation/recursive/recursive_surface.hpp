// What projection needs of joint coordinates (formulation/projection.hpp).
#pragma once

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/recursive/recursive_work.hpp"
#include "linkwork/linalg/norm.hpp"
#include "linkwork/recursion/joint_coordinates.hpp"

namespace linkwork {

template <class G>
struct RecursiveSystem<G>::Surface : Lent<RecursiveSystem<G>> {
  using Lent<RecursiveSystem<G>>::Lent;
  using Lent<RecursiveSystem<G>>::system;
  using Lent<RecursiveSystem<G>>::work;

  void place(double t, std::span<const double> q) { system.equations_.place(t, q, work); }
  void move(std::span<const double> u) { system.equations_.move(u, work); }
  void forces() { system.equations_.forces(work); }
  void placeBodies(double t, std::span<const double> x) { system.placeBodies(t, x, *this); }
  Eval evaluate(double t, std::span<const double> x) { return system.evaluate(t, x, *this); }

  bool factor(double t, double cut, RowLevel level = RowLevel::velocity) {
    return system.cut_tree_.factor(t, cut, work, level);
  }
  Eval cannotFactor() const { return system.cut_tree_.cannotFactor(work); }
  void solve(std::span<const double> /*u*/) { system.solve(work); }
  Eval accelerationsHere(double t, std::span<const double> x, double cut = kDependentRow) {
    return system.accelerationsHere(t, x, *this, cut);
  }
  std::span<const double> acceleration() const { return work.udot; }
  // Drives do work at the rate -lambda^T Phi_t where they are cuts, and effort times rate where the tree follows them.
  void setPower() {
    work.power = work.eq.supplied_power;
    for (std::size_t r = 0; r < work.lambda.size(); ++r) work.power += work.lambda[r] * work.eq.minus_phi_t[r];
    work.power += system.equations_.drivePower(work.solve.F, work);
  }
  void show(double t, std::span<const double> x, Observation& out) { system.show(t, x, work, out); }

  RowRank rank() const { return system.cut_tree_.rank(work.factored); }
  int droppedRows() const { return work.factored.dropped; }
  bool dropped(int r) const { return work.ldlt.dropped(r); }
  bool lostRows() const { return system.cut_tree_.lostRows(work); }
  double rowLength(int r) const { return system.cut_tree_.rowLength(r); }
  double drift() const { return system.cut_tree_.drift(work); }
  bool finite() const { return std::isfinite(drift()); }
  double open() const { return system.cut_tree_.enforcedDrift(work) * system.length(); }
  double largest(std::span<const double> /*q*/) const { return system.cut_tree_.largestCoordinate(work); }
  RowBalance balance(int r, double wanted) const {
    return balanceOfRow(system.cuts_, r, wanted, work.acceleration, work.eq, system.length() / rowLength(r));
  }

  void closePositions(std::span<double> q) {
    stepFor(work.eq.phi);
    moveJoints<G>(system.tree_, work.step, q);
  }
  VelocityMiss missOf(std::span<const double> u) {
    move(u);
    system.cut_tree_.velocityResidual(work);
    return {normInf(work.velocity_residual), normInf(work.velocity)};
  }
  void closeVelocities(std::span<double> u) {
    stepFor(work.velocity_residual);
    for (std::size_t k = 0; k < u.size(); ++k) u[k] += work.step[k];
  }

  // At the velocities in the workspace.
  double rateOf(std::span<const double> /*x*/) const {
    double rate = 0.0;
    for (int b = 0; b < system.tree_.size(); ++b) {
      const auto& v = work.vk.body[at(b)];
      rate = std::max(rate, std::sqrt(dot(v.v, v.v)) / system.length());
      if constexpr (G::kSpatial) {
        rate = std::max(rate, std::sqrt(dot(v.w, v.w)));
      } else {
        rate = std::max(rate, std::abs(v.w));
      }
    }
    return rate;
  }
  double rateFor(std::span<double> x) {
    move(this->velocities(x));
    return rateOf(x);
  }
  std::span<double> beside(std::span<const double> x, double e) {
    std::copy(x.begin(), x.end(), work.beside.begin());
    const auto u = system.velocitiesOf(x);
    for (std::size_t k = 0; k < u.size(); ++k) work.step[k] = e * u[k];
    moveJoints<G>(system.tree_, work.step, this->positions(work.beside));
    return work.beside;
  }
  void take(const std::vector<double>& udot, double power) {
    work.failure = FailureNote::Failure::none;
    work.udot = udot;
    linkwork::accelerations<G>(system.tree_, work.pk, work.vk, work.udot, {}, work.solve.A);
    system.bodyAccelerations(work);
    work.power = power;
  }

 private:
  void stepFor(std::span<const double> rest) {
    for (std::size_t r = 0; r < work.rest.size(); ++r) work.rest[r] = -rest[r];
    system.cut_tree_.stepOf(work.rest, work);
  }
};

}  // namespace linkwork
