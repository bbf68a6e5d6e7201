// What coordinate partitioning needs of joint coordinates (formulation/partitioning.hpp). With as many dependent
// coordinates as there are independent rows, G_u is square:
//
//   d_u = -G_u^T (G_u G_u^T)^-1 Phi = -G_u^-1 Phi,   d_v = 0                                 [docs/theory/07, eq. 7.13]
#include <algorithm>
#include <cmath>

#include "linkwork/formulation/recursive/recursive_work.hpp"
#include "linkwork/linalg/norm.hpp"
#include "linkwork/recursion/joint_coordinates.hpp"

namespace linkwork {

template <class G>
struct RecursiveSystem<G>::Parts {
  const RecursiveSystem& system;
  Work& work;

  int rows() const { return system.cuts_.rows(); }
  int freedoms() const { return system.tree_.freedoms; }
  bool factorRows(double t, std::span<const double> x) {
    if (!allFinite(system.cut_tree_.positionsOf(x))) return false;
    system.cut_tree_.setTurns(x, work);
    system.equations_.place(t, system.cut_tree_.positionsOf(x), work);
    if (!system.cut_tree_.factor(t, kDependentRow, work)) return false;
    fillJointRows();
    return true;
  }
  int droppedRows() const { return work.factored.dropped; }
  bool dropped(int r) const { return work.ldlt.dropped(r); }

  void allowedMotion(Mixer& mixer, std::span<double> out) {
    for (const TreeColumn& column : system.tree_.columns) {
      if (column.freedom >= 0)
        out[at(column.freedom)] = mixer.next() * (turns(column) ? 1.0 : system.cut_tree_.length());
    }
    for (int r = 0; r < rows(); ++r) {
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
      own = (own + work.step[at(column.freedom)]) * (turns(column) ? system.cut_tree_.length() : 1.0);
    }
  }

  std::span<double> positions(std::span<double> x) const { return x.first(at(system.tree_.coordinates)); }
  std::span<double> velocities(std::span<double> x) const {
    return x.subspan(at(system.tree_.coordinates), at(system.tree_.freedoms));
  }
  Eval place(double t, std::span<const double> q) {
    system.equations_.place(t, q, work);
    if (!std::isfinite(system.cut_tree_.drift(work))) return notFinite(t);
    if (work.eq.left_curve >= 0) return work.fail(Work::Failure::left_curve, t, work.eq.left_curve, Eval::retry);
    return Eval::ok;
  }
  double open(int r) const { return std::abs(work.eq.phi[at(r)]) * system.cut_tree_.rowLength(r); }
  double largest(std::span<const double> /*q*/) const { return system.cut_tree_.largestCoordinate(work); }
  double misfit() const { return kMisfitGrowth * system.options_.misfit * system.cut_tree_.length(); }

  // Rows left out are rows of the unit matrix, which the others do not see.
  void factorHeld(const Partition& partition) {
    fillJointRows();
    const double square = system.cut_tree_.length() * system.cut_tree_.length();
    for (const TreeColumn& column : system.tree_.columns) {
      if (column.freedom < 0) continue;
      const bool held = partition.independent[at(column.freedom)] != 0;
      work.weight[at(column.freedom)] = held ? 0.0 : turns(column) ? 1.0 / square : 1.0;
    }
    for (int r = 0; r < rows(); ++r) {
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
    system.equations_.move(u, work);
    system.cut_tree_.velocityResidual(work);
    return std::max(normInf(work.velocity), normInf(u));
  }
  double residual(int r) const { return work.velocity_residual[at(r)]; }
  void closeVelocities(std::span<double> u, const Partition& partition) {
    solveHeld(work.velocity_residual, partition);
    for (std::size_t k = 0; k < u.size(); ++k) u[k] += work.step[k];
  }
  Eval notFinite(double t) { return work.failNotFinite(t, work.eq); }
  Eval notClosed(double t, int row) { return work.fail(Work::Failure::not_closed, t, row, Eval::retry); }

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
    for (int r = 0; r < rows(); ++r) system.equations_.addRow(r, work, jointRow(r));
  }
  // work.step = the motion of the dependent coordinates that takes `rest` away.
  void solveHeld(std::span<const double> rest, const Partition& partition) {
    for (std::size_t r = 0; r < work.rest.size(); ++r) work.rest[r] = partition.left_out[r] != 0 ? 0.0 : -rest[r];
    work.aside->solve(work.rest);
    std::fill(work.step.begin(), work.step.end(), 0.0);
    for (int r = 0; r < rows(); ++r) {
      const auto row = jointRow(r);
      for (std::size_t u = 0; u < row.size(); ++u) work.step[u] += row[u] * work.weight[u] * work.rest[at(r)];
    }
  }
};

template <class G>
int RecursiveSystem<G>::independentAtMost() const {
  return std::max(0, tree_.freedoms - cuts_.rows() + static_cast<int>(options_.doubtful_rows.size()));
}

template <class G>
std::span<const std::uint8_t> RecursiveSystem<G>::independent(const Workspace& work) const {
  return static_cast<const Work&>(work).parting->now.independent;
}

template <class G>
void RecursiveSystem<G>::beginPartition(double t, std::span<const double> x, Work& work) const {
  Parts parts{*this, work};
  linkwork::beginPartition(parts, t, x, *work.parting);
}

template <class G>
Eval RecursiveSystem<G>::closeAfterStep(double t, std::span<double> x, Work& work, bool& changed) const {
  Parts parts{*this, work};
  return linkwork::closeAfterStep(parts, t, x, *work.parting, changed);
}

template <class G>
Eval RecursiveSystem<G>::accelerationsPartitioned(double t, std::span<const double> x, Work& work) const {
  work.failure = Work::Failure::none;
  if (!allFinite(cut_tree_.positionsOf(x)) || !allFinite(cut_tree_.velocitiesOf(x))) {
    return work.fail(Work::Failure::state_not_finite, t, 0, Eval::retry);
  }
  cut_tree_.setTurns(x, work);
  Parts parts{*this, work};
  const Eval eval = closeForEvaluation(parts, t, x, *work.parting);
  return eval != Eval::ok ? eval : accelerationsHere(t, work.parting->closed, work);
}

template int RecursiveSystem<Planar<double>>::independentAtMost() const;
template std::span<const std::uint8_t> RecursiveSystem<Planar<double>>::independent(const Workspace&) const;
template void RecursiveSystem<Planar<double>>::beginPartition(double, std::span<const double>, Work&) const;
template Eval RecursiveSystem<Planar<double>>::closeAfterStep(double, std::span<double>, Work&, bool&) const;
template Eval RecursiveSystem<Planar<double>>::accelerationsPartitioned(double, std::span<const double>, Work&) const;
template int RecursiveSystem<Spatial<double>>::independentAtMost() const;
template std::span<const std::uint8_t> RecursiveSystem<Spatial<double>>::independent(const Workspace&) const;
template void RecursiveSystem<Spatial<double>>::beginPartition(double, std::span<const double>, Work&) const;
template Eval RecursiveSystem<Spatial<double>>::closeAfterStep(double, std::span<double>, Work&, bool&) const;
template Eval RecursiveSystem<Spatial<double>>::accelerationsPartitioned(double, std::span<const double>, Work&) const;

}  // namespace linkwork
