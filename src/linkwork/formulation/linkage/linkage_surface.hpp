// What a linkage lends to the text that formulations share (formulation/stabilised_system.hpp) and to projection.
#pragma once

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/linkage/linkage_work.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

struct LinkageSystem::Surface : Lent<LinkageSystem> {
  using Lent::Lent;

  void place(double t, std::span<const double> angle) { system.placeRows(t, angle, {}, work); }
  void placeBodies(double t, std::span<const double> x) {
    system.placeBodies(system.positionsOf(x), system.velocitiesOf(x), work.eq);
    system.free_.positions(t, work.eq);
    system.free_.velocities(work.eq);
  }
  Eval evaluate(double t, std::span<const double> x) {
    if (const Eval eval = system.loads(t, x, work); eval != Eval::ok) return eval;
    linkage::equations(linkage::Form::rud, linkage::Trig::vectors, linkage::Bias::sweep, system.plan_.tree,
                       system.constants_, system.inputsOf(x, work), work.form, Unnamed{});
    linkage::closure(system.plan_.tree, system.constants_, work.form, Unnamed{});
    system.closeRows(system.positionsOf(x), work);
    return Eval::ok;
  }

  // Hinges and drives: every row is one of positions.
  bool factor(double t, double cut, RowLevel /*level*/ = RowLevel::velocity) { return system.factor(t, cut, work); }
  Eval cannotFactor() const { return Eval::failed; }
  void solve(std::span<const double> rate) {
    for (int k = 0; k < system.plan_.tree.links(); ++k) work.f[k] = work.form.rhs[at(k)];
    work.g = work.gamma;
    if (system.options_.stabilisation == Stabilisation::baumgarte) {
      const Pull pull = baumgartePull(system.options_);
      system.velocityResidual(rate, work);
      for (std::size_t row = 0; row < work.g.size(); ++row) {
        work.g[row] -= pull.rate * work.velocity_residual[row] + pull.stiffness * work.phi[row];
      }
    }
    system.solve(work);
  }
  // Without rows the hinges are eliminated one by one, and nothing is solved.
  Eval accelerationsHere(double t, std::span<const double> x, double cut = kDependentRow) {
    return system.eliminates() ? system.accelerationsOfTree(t, x, work) : system.accelerationsHere(t, x, *this, cut);
  }
  std::span<const double> acceleration() const { return work.acceleration; }
  void setPower() {
    work.power = system.loaded_ ? work.eq.supplied_power : 0.0;
    for (std::size_t row = 0; row < work.g.size(); ++row) {
      work.power += work.multiplier[row] * work.rate_given[row];  // only drives do work
    }
  }
  void show(double t, std::span<const double> x, Observation& out) { system.show(t, x, work, out); }

  std::span<const double> phi() const { return work.phi; }
  std::span<const double> gamma() const { return work.gamma; }
  RowRank rank() const { return system.rank(work.factored); }
  int droppedRows() const { return work.factored.dropped; }
  bool dropped(int row) const { return work.ldlt.dropped(row); }
  bool lostRows() const { return work.factored.dropped > static_cast<int>(system.options_.doubtful_rows.size()); }
  double drift() const { return system.drift(work); }
  bool finite() const { return std::isfinite(drift()); }
  double open() const { return system.enforcedDrift(work) * system.length(); }
  // In metres. Turns count too: the sine of an angle of many turns has the round-off of the angle.
  double largest(std::span<const double> angle) const {
    return std::max(system.length(), system.reach_) * std::max(1.0, normInf(angle));
  }
  RowBalance balance(int row, double wanted) const {
    // Of the order of a length per square second is worth a word.
    RowBalance out{wanted, std::abs(wanted) + system.length() / system.rowLength(row)};
    for (int k = 0; k < system.plan_.tree.links(); ++k) {
      const double term = work.P(row, k) * work.acceleration[at(k)];
      out.rest -= term;
      out.size = std::max(out.size, std::abs(term));
    }
    return out;
  }

  void closePositions(std::span<double> angle) { moveBy(work.phi, angle); }
  VelocityMiss missOf(std::span<const double> rate) {
    system.velocityResidual(rate, work);
    return {normInf(work.velocity_residual), normInf(rate) * std::max(system.length(), system.reach_)};
  }
  void closeVelocities(std::span<double> rate) { moveBy(work.velocity_residual, rate); }
  Eval notClosed(double t) {
    const bool fits = system.options_.misfit <= 0.0;
    return fail(fits ? FailureNote::Failure::projection : FailureNote::Failure::misfit, t, worstRow(work.phi));
  }

  double rateOf(std::span<const double> x) const { return normInf(system.velocitiesOf(x)); }
  double rateFor(std::span<double> x) const { return rateOf(x); }
  std::span<double> beside(std::span<const double> x, double e) {
    std::copy(x.begin(), x.end(), work.beside.begin());
    const auto rate = system.velocitiesOf(x);
    for (std::size_t k = 0; k < rate.size(); ++k) work.beside[k] += e * rate[k];
    return work.beside;
  }
  void take(const std::vector<double>& acceleration, double power) {
    work.failure = FailureNote::Failure::none;
    work.acceleration = acceleration;
    work.power = power;
  }

 private:
  // coordinates <- coordinates - H^-1 P^T (P H^-1 P^T)^-1 rest
  void moveBy(const std::vector<double>& rest, std::span<double> coordinates) {
    for (std::size_t row = 0; row < rest.size(); ++row) work.rest[row] = -rest[row];
    work.ldlt.solve(work.rest);
    work.step.noalias() = work.P.transpose() * Eigen::Map<const Eigen::VectorXd>(work.rest.data(), system.plan_.rows());
    work.factor.solveInPlace(work.step);
    for (std::size_t k = 0; k < coordinates.size(); ++k) coordinates[k] += work.step[static_cast<Eigen::Index>(k)];
    ++work.counts.projections;
  }
};

}  // namespace linkwork
