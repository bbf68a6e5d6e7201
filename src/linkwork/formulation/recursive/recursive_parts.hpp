// What coordinate partitioning needs of joint coordinates (formulation/partitioning.hpp). With as many dependent
// coordinates as there are independent rows, G_u is square:
//
//   d_u = -G_u^T (G_u G_u^T)^-1 Phi = -G_u^-1 Phi,   d_v = 0                                 [docs/theory/07, eq. 7.13]
#pragma once

#include <algorithm>

#include "linkwork/formulation/recursive/recursive_surface.hpp"
#include "linkwork/linalg/norm.hpp"
#include "linkwork/recursion/joint_coordinates.hpp"

namespace linkwork {

template <class G>
struct RecursiveSystem<G>::Parts : PartsOf<Surface> {
  using PartsOf<Surface>::PartsOf;
  using Surface::system;
  using Surface::work;

  bool factorRows(double t, std::span<const double> x, RowLevel level) {
    if (!allFinite(system.positionsOf(x))) return false;
    system.setTurns(x, work);
    Surface::place(t, system.positionsOf(x));
    if (!this->factor(t, kDependentRow, level)) return false;
    fillJointRows();
    return true;
  }

  void allowedMotion(Mixer& mixer, std::span<double> out) {
    for (const TreeColumn& column : system.tree_.columns) {
      if (column.freedom >= 0) out[at(column.freedom)] = mixer.next() * (turns(column) ? 1.0 : system.length());
    }
    for (int r = 0; r < system.rows(); ++r) {
      const auto row = jointRow(r);
      double sum = 0.0;
      for (std::size_t u = 0; u < out.size(); ++u) sum += row[u] * out[u];
      work.rest[at(r)] = -sum;
    }
    const long solves = work.counts.projections;
    system.cut_tree_.stepOf(work.rest, work);
    work.counts.projections = solves;
    for (const TreeColumn& column : system.tree_.columns) {
      if (column.freedom < 0) continue;
      double& own = out[at(column.freedom)];
      own = (own + work.step[at(column.freedom)]) * (turns(column) ? system.length() : 1.0);
    }
  }

  // Rows left out are rows of the unit matrix, which the others do not see.
  void factorHeld(const Partition& partition) {
    fillJointRows();
    const double square = system.length() * system.length();
    for (const TreeColumn& column : system.tree_.columns) {
      if (column.freedom < 0) continue;
      const bool held = partition.independent[at(column.freedom)] != 0;
      work.weight[at(column.freedom)] = held ? 0.0 : turns(column) ? 1.0 / square : 1.0;
    }
    for (int r = 0; r < system.rows(); ++r) {
      const auto row = jointRow(r);
      for (int s = 0; s <= r; ++s) {
        double sum = 0.0;
        if (partition.left_out[at(r)] != 0 || partition.left_out[at(s)] != 0) {
          sum = r == s ? 1.0 : 0.0;
        } else {
          const auto other = jointRow(s);
          for (std::size_t u = 0; u < row.size(); ++u) sum += row[u] * work.weight[u] * other[u];
        }
        (*work.aside)(r, s) = sum;
      }
    }
    work.aside->factor({});
  }
  void closePositions(std::span<double> q, const Partition& partition) {
    solveHeld(work.eq.phi, partition);
    moveJoints<G>(system.tree_, work.step, q);
  }
  double miss(std::span<const double> u) {
    this->move(u);
    system.cut_tree_.velocityResidual(work);
    return std::max(normInf(work.velocity), normInf(u));
  }
  void closeVelocities(std::span<double> u, const Partition& partition) {
    solveHeld(work.velocity_residual, partition);
    for (std::size_t k = 0; k < u.size(); ++k) u[k] += work.step[k];
  }

 private:
  bool turns(const TreeColumn& column) const {
    const TreeLink<G>& link = system.tree_.links[at(column.link)];
    return &column - &system.tree_.columns[at(link.first_column)] >= link.slides;
  }
  std::span<double> jointRow(int r) {
    const std::size_t n = work.step.size();
    return std::span(work.joint_rows).subspan(at(r) * n, n);
  }
  void fillJointRows() {
    std::fill(work.joint_rows.begin(), work.joint_rows.end(), 0.0);
    for (int r = 0; r < system.rows(); ++r) system.equations_.addRow(r, work, jointRow(r));
  }
  // work.step = the motion of the dependent coordinates that takes `rest` away.
  void solveHeld(std::span<const double> rest, const Partition& partition) {
    for (std::size_t r = 0; r < work.rest.size(); ++r) work.rest[r] = partition.left_out[r] != 0 ? 0.0 : -rest[r];
    work.aside->solve(work.rest);
    std::fill(work.step.begin(), work.step.end(), 0.0);
    for (int r = 0; r < system.rows(); ++r) {
      const auto row = jointRow(r);
      for (std::size_t u = 0; u < row.size(); ++u) work.step[u] += row[u] * work.weight[u] * work.rest[at(r)];
    }
  }
};

}  // namespace linkwork
