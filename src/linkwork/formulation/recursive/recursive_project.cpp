// What projection needs of joint coordinates (formulation/projection.hpp).
#include <algorithm>
#include <cmath>

#include "linkwork/formulation/projection.hpp"
#include "linkwork/formulation/recursive/recursive_work.hpp"
#include "linkwork/linalg/norm.hpp"
#include "linkwork/recursion/joint_coordinates.hpp"

namespace linkwork {

template <class G>
struct RecursiveSystem<G>::Surface {
  const RecursiveSystem& system;
  Work& work;

  void place(double t, std::span<const double> q) { system.equations_.place(t, q, work); }
  bool finite() const { return std::isfinite(system.cut_tree_.drift(work)); }
  bool factor(double t, double cut) { return system.cut_tree_.factor(t, cut, work); }
  double open() const { return system.cut_tree_.enforcedDrift(work) * system.cut_tree_.length(); }
  double largest(std::span<const double> /*q*/) const { return system.cut_tree_.largestCoordinate(work); }
  double smallestKept() const { return work.factored.smallest_kept; }
  bool lostRows() const { return system.cut_tree_.lostRows(work); }
  double largestDropped() const { return work.factored.largest_dropped; }
  int droppedRows() const { return work.factored.dropped; }

  void closePositions(std::span<double> q) {
    stepFor(work.eq.phi);
    moveJoints<G>(system.tree_, work.step, q);
  }
  VelocityMiss missOf(std::span<const double> u) {
    system.equations_.move(u, work);
    system.cut_tree_.velocityResidual(work);
    return {normInf(work.velocity_residual), normInf(work.velocity)};
  }
  void closeVelocities(std::span<double> u) {
    stepFor(work.velocity_residual);
    for (std::size_t k = 0; k < u.size(); ++k) u[k] += work.step[k];
  }
  Eval notFinite(double t) { return work.failNotFinite(t, work.eq); }
  Eval notClosed(double t) {
    const auto worst = std::max_element(work.eq.phi.begin(), work.eq.phi.end(),
                                        [](double a, double b) { return std::abs(a) < std::abs(b); });
    return work.fail(Work::Failure::projection, t, static_cast<int>(worst - work.eq.phi.begin()), Eval::retry);
  }

  // At the velocities in the workspace.
  double rateOf(std::span<const double> /*x*/) const {
    double rate = 0.0;
    for (int b = 0; b < system.tree_.size(); ++b) {
      const auto& v = work.vk.body[at(b)];
      rate = std::max(rate, std::sqrt(dot(v.v, v.v)) / system.cut_tree_.length());
      if constexpr (G::kSpatial) {
        rate = std::max(rate, std::sqrt(dot(v.w, v.w)));
      } else {
        rate = std::max(rate, std::abs(v.w));
      }
    }
    return rate;
  }
  std::span<double> beside(std::span<const double> x, double e) {
    std::copy(x.begin(), x.end(), work.beside.begin());
    const auto u = system.cut_tree_.velocitiesOf(x);
    for (std::size_t k = 0; k < u.size(); ++k) work.step[k] = e * u[k];
    moveJoints<G>(system.tree_, work.step, positions(work.beside));
    return work.beside;
  }
  std::span<double> positions(std::span<double> x) const { return x.first(at(system.tree_.coordinates)); }
  std::span<double> velocities(std::span<double> x) const {
    return x.subspan(at(system.tree_.coordinates), at(system.tree_.freedoms));
  }
  bool timed() const { return !system.mechanism_.drives.empty(); }
  Eval accelerationsHere(double t, std::span<const double> x) { return system.accelerationsHere(t, x, work); }
  std::span<const double> acceleration() const { return work.udot; }
  double power() const { return work.power; }
  std::vector<double>& across() { return work.across; }
  long& solves() { return work.counts.projections; }
  void take(const std::vector<double>& udot, double power) {
    work.failure = Work::Failure::none;
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

template <class G>
bool RecursiveSystem<G>::accelerationsAcross(double t, std::span<const double> x, Work& work) const {
  Surface surface{*this, work};
  return linkwork::accelerationsAcross(surface, t, x);
}

// Velocities alone, with the factors at hand.
template <class G>
Eval RecursiveSystem<G>::alongCuts(double t, std::span<double> x, Work& work) const {
  Surface surface{*this, work};
  bool moved = false;
  return projectVelocities(surface, t, surface.velocities(x), moved);
}

template <class G>
AfterStep RecursiveSystem<G>::afterStep(double t, std::span<double> x, Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  work.failure = Work::Failure::none;
  const auto q = x.first(at(tree_.coordinates));
  AfterStep out;
  out.changed = normaliseJoints<G>(tree_, q);
  cut_tree_.setTurns(x, work);
  if (options_.stabilisation == Stabilisation::projection && cuts_.rows() > 0) {
    Surface surface{*this, work};
    out.eval = projectState(surface, t, q, surface.velocities(x), out.changed);
    out.rows = cut_tree_.rank(work.factored);
  } else if (options_.stabilisation == Stabilisation::partitioning && cuts_.rows() > 0) {
    out.eval = closeAfterStep(t, x, work, out.changed);
    out.rows = cut_tree_.rank(work.factored);
  } else if (options_.stabilisation == Stabilisation::augmented_lagrangian) {
    out.rows = factorRows(t, x, work);
  }
  if (cuts_.turns() > 0 && out.eval == Eval::ok) {
    equations_.place(t, q, work);
    cuts_.followTurns(work.eq);
    std::copy(work.eq.turns.begin(), work.eq.turns.end(), x.end() - cuts_.turns());
  }
  return out;
}

template Eval RecursiveSystem<Planar<double>>::alongCuts(double, std::span<double>, Work&) const;
template AfterStep RecursiveSystem<Planar<double>>::afterStep(double, std::span<double>, Workspace&) const;
template bool RecursiveSystem<Planar<double>>::accelerationsAcross(double, std::span<const double>, Work&) const;
template Eval RecursiveSystem<Spatial<double>>::alongCuts(double, std::span<double>, Work&) const;
template AfterStep RecursiveSystem<Spatial<double>>::afterStep(double, std::span<double>, Workspace&) const;
template bool RecursiveSystem<Spatial<double>>::accelerationsAcross(double, std::span<const double>, Work&) const;

}  // namespace linkwork
