// What coordinate partitioning needs of absolute coordinates (formulation/partitioning.hpp).
//
//   [ W  Phi_q^T ; Phi_q  0 ] [ d ; m ] = [ 0 ; -Phi ] with weights W that hold the independent ones, d_v = 0
//
// uses the sparsity and the order of the equations of motion. Its weights hold v to 1e-6 of d_u; that share is left
// out, and the next sweep makes it good.                                                  [docs/theory/01, eq. 1.42]
#pragma once

#include <algorithm>

#include "linkwork/formulation/absolute/absolute_surface.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

template <class G>
struct BasicAbsoluteSystem<G>::Parts : PartsOf<Surface> {
  using PartsOf<Surface>::PartsOf;
  using Surface::system;
  using Surface::work;
  static constexpr double kHold = 1e6;

  bool factorRows(double t, std::span<const double> x, RowLevel level) {
    (void)system.rankAt(t, x, work, level);
    return allFinite(system.positionsOf(x)) && work.factored.singular_body < 0;
  }

  void allowedMotion(Mixer& mixer, std::span<double> out) {
    const auto& entries = system.rows_.structure().mass_entries;
    std::fill(work.f.begin(), work.f.end(), 0.0);
    std::fill(work.g.begin(), work.g.end(), 0.0);
    for (int b = 0; b < system.equations_.bodies(); ++b) {
      for (std::size_t e = 0; e < entries.size(); ++e) {
        const auto [row, column] = entries[e];
        if (row != column) continue;
        const double unit = row >= G::kDimension ? 1.0 : system.length();
        work.f[at(G::kFreedoms * b + row)] = work.kkt.mass()[at(b) * entries.size() + e] * unit * mixer.next();
      }
    }
    work.kkt.solve(work.f, work.g);
    for (std::size_t u = 0; u < out.size(); ++u) {
      out[u] = work.f[u] * (u % G::kFreedoms >= G::kDimension ? system.length() : 1.0);
    }
  }

  void factorHeld(const Partition& partition) {
    KktSolver& kkt = *work.aside;
    const auto& entries = system.rows_.structure().mass_entries;
    for (int b = 0; b < system.equations_.bodies(); ++b) {
      for (std::size_t e = 0; e < entries.size(); ++e) {
        const auto [row, column] = entries[e];
        const double unit = row >= G::kDimension ? system.length() * system.length() : 1.0;
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
    this->move(v);
    this->velocityResidual(v);
    return normInf(v);
  }
  void closeVelocities(std::span<double> v, const Partition& partition) {
    solveHeld(work.velocity_residual, partition);
    for (std::size_t u = 0; u < v.size(); ++u) v[u] += work.f[u];
  }

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

}  // namespace linkwork
