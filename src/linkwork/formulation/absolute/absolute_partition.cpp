// What coordinate partitioning needs of absolute coordinates (formulation/partitioning.hpp).
//
//   [ W  Phi_q^T ; Phi_q  0 ] [ d ; m ] = [ 0 ; -Phi ] with weights W that hold the independent ones, d_v = 0
//
// uses the sparsity and the order of the equations of motion. Its weights hold v to 1e-6 of d_u; that share is left
// out, and the next sweep makes it good.                                                  [docs/theory/01, eq. 1.42]
#include <algorithm>
#include <cmath>

#include "linkwork/formulation/absolute/absolute_work.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

namespace {

constexpr double kHold = 1e6;

}  // namespace

template <class G>
struct BasicAbsoluteSystem<G>::Parts {
  const BasicAbsoluteSystem& system;
  Work& work;

  int rows() const { return system.equations_.rows(); }
  int freedoms() const { return system.equations_.freedoms(); }
  bool factorRows(double t, std::span<const double> x) {
    (void)system.factorRows(t, x, work);
    return allFinite(system.positionsOf(x)) && work.factored.singular_body < 0;
  }
  int droppedRows() const { return work.factored.dropped_rows; }
  bool dropped(int r) const { return work.kkt.rowDropped(r); }

  void allowedMotion(Mixer& mixer, std::span<double> out) {
    const auto& entries = system.rows_.structure().mass_entries;
    std::fill(work.f.begin(), work.f.end(), 0.0);
    std::fill(work.g.begin(), work.g.end(), 0.0);
    for (int b = 0; b < system.equations_.bodies(); ++b) {
      for (std::size_t e = 0; e < entries.size(); ++e) {
        const auto [row, column] = entries[e];
        if (row != column) continue;
        const double unit = row >= G::kDimension ? 1.0 : system.length_;
        work.f[at(G::kFreedoms * b + row)] = work.kkt.mass()[at(b) * entries.size() + e] * unit * mixer.next();
      }
    }
    work.kkt.solve(work.f, work.g);
    for (std::size_t u = 0; u < out.size(); ++u) {
      out[u] = work.f[u] * (u % G::kFreedoms >= G::kDimension ? system.length_ : 1.0);
    }
  }

  std::span<double> positions(std::span<double> x) const { return x.first(at(system.equations_.coordinates())); }
  std::span<double> velocities(std::span<double> x) const {
    return x.subspan(at(system.equations_.coordinates()), at(system.equations_.freedoms()));
  }
  Eval place(double t, std::span<const double> q) {
    system.equations_.positions(t, q, work.eq);
    if (!std::isfinite(system.rows_.drift(work.eq))) return notFinite(t);
    if (work.eq.left_curve >= 0) return work.fail(Work::Failure::left_curve, t, work.eq.left_curve, Eval::retry);
    return Eval::ok;
  }
  double open(int r) const { return std::abs(work.eq.phi[at(r)]) * system.rows_.rowLength(r); }
  double largest(std::span<const double> q) const { return system.largestCoordinate(q); }
  double misfit() const { return kMisfitGrowth * system.options_.misfit * system.length_; }

  void factorHeld(const Partition& partition) {
    KktSolver& kkt = *work.aside;
    const auto& entries = system.rows_.structure().mass_entries;
    for (int b = 0; b < system.equations_.bodies(); ++b) {
      for (std::size_t e = 0; e < entries.size(); ++e) {
        const auto [row, column] = entries[e];
        const double unit = row >= G::kDimension ? system.length_ * system.length_ : 1.0;
        const double weight = unit * (partition.independent[at(G::kFreedoms * b + row)] != 0 ? kHold : 1.0);
        kkt.mass()[at(b) * entries.size() + e] = row == column ? weight : 0.0;
      }
    }
    std::copy(work.eq.jacobian.begin(), work.eq.jacobian.end(), kkt.jacobian().begin());
    // No relative pivot is above 1: the rows that were left out where the step began are left out here too.
    kkt.factor({.doubtful_row = 2.0, .doubtful = partition.left_out});
  }
  void closePositions(std::span<double> q, const Partition& partition) {
    solveHeld(work.eq.phi, partition);
    system.moveBy(work.f, q);
  }
  double miss(std::span<const double> v) {
    system.equations_.velocities(v, work.eq);
    system.velocityResidual(v, work);
    return normInf(v);
  }
  double residual(int r) const { return work.velocity_residual[at(r)]; }
  void closeVelocities(std::span<double> v, const Partition& partition) {
    solveHeld(work.velocity_residual, partition);
    for (std::size_t u = 0; u < v.size(); ++u) v[u] += work.f[u];
  }
  Eval notFinite(double t) { return work.failNotFinite(t, work.eq); }
  Eval notClosed(double t, int row) { return work.fail(Work::Failure::not_closed, t, row, Eval::retry); }

 private:
  // work.f = the motion of the dependent coordinates that takes `rest` away.
  void solveHeld(std::span<const double> rest, const Partition& partition) {
    std::fill(work.f.begin(), work.f.end(), 0.0);
    for (std::size_t r = 0; r < work.g.size(); ++r) work.g[r] = -rest[r];
    work.aside->solve(work.f, work.g);
    for (std::size_t u = 0; u < work.f.size(); ++u) {
      if (partition.independent[u] != 0) work.f[u] = 0.0;
    }
  }
};

template <class G>
int BasicAbsoluteSystem<G>::independentAtMost() const {
  return std::max(0, equations_.freedoms() - equations_.rows() + static_cast<int>(options_.doubtful_rows.size()));
}

template <class G>
std::string BasicAbsoluteSystem<G>::problem() const {
  return options_.stabilisation == Stabilisation::partitioning ? partitioningProblem(independentAtMost()) : "";
}

template <class G>
std::span<const std::uint8_t> BasicAbsoluteSystem<G>::independent(const Workspace& work) const {
  return static_cast<const Work&>(work).parting->now.independent;
}

template <class G>
void BasicAbsoluteSystem<G>::beginPartition(double t, std::span<const double> x, Work& work) const {
  Parts parts{*this, work};
  linkwork::beginPartition(parts, t, x, *work.parting);
}

template <class G>
Eval BasicAbsoluteSystem<G>::closeAfterStep(double t, std::span<double> x, Work& work, bool& changed) const {
  Parts parts{*this, work};
  return linkwork::closeAfterStep(parts, t, x, *work.parting, changed);
}

template <class G>
Eval BasicAbsoluteSystem<G>::accelerationsPartitioned(double t, std::span<const double> x, Work& work) const {
  work.failure = Work::Failure::none;
  if (!allFinite(positionsOf(x)) || !allFinite(velocitiesOf(x))) {
    return work.fail(Work::Failure::state_not_finite, t, 0, Eval::retry);
  }
  setTurns(x, work);
  Parts parts{*this, work};
  const Eval eval = closeForEvaluation(parts, t, x, *work.parting);
  return eval != Eval::ok ? eval : accelerationsHere(t, work.parting->closed, work);
}

template int BasicAbsoluteSystem<Planar<double>>::independentAtMost() const;
template std::string BasicAbsoluteSystem<Planar<double>>::problem() const;
template std::span<const std::uint8_t> BasicAbsoluteSystem<Planar<double>>::independent(const Workspace&) const;
template void BasicAbsoluteSystem<Planar<double>>::beginPartition(double, std::span<const double>, Work&) const;
template Eval BasicAbsoluteSystem<Planar<double>>::closeAfterStep(double, std::span<double>, Work&, bool&) const;
template Eval BasicAbsoluteSystem<Planar<double>>::accelerationsPartitioned(double, std::span<const double>,
                                                                            Work&) const;
template int BasicAbsoluteSystem<Spatial<double>>::independentAtMost() const;
template std::string BasicAbsoluteSystem<Spatial<double>>::problem() const;
template std::span<const std::uint8_t> BasicAbsoluteSystem<Spatial<double>>::independent(const Workspace&) const;
template void BasicAbsoluteSystem<Spatial<double>>::beginPartition(double, std::span<const double>, Work&) const;
template Eval BasicAbsoluteSystem<Spatial<double>>::closeAfterStep(double, std::span<double>, Work&, bool&) const;
template Eval BasicAbsoluteSystem<Spatial<double>>::accelerationsPartitioned(double, std::span<const double>,
                                                                             Work&) const;

}  // namespace linkwork
