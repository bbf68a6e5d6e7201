// What projection needs of absolute coordinates (formulation/projection.hpp).
#include <algorithm>
#include <cmath>

#include "linkwork/formulation/absolute/absolute_work.hpp"
#include "linkwork/formulation/projection.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

// In metres, turns by the reference length; at least that length.
template <class G>
double BasicAbsoluteSystem<G>::largestCoordinate(std::span<const double> q) const {
  double largest = length_;
  for (int u = 0; u < static_cast<int>(q.size()); ++u) {
    const bool turn = u % G::kCoordinates >= G::kDimension;
    largest = std::max(largest, std::abs(q[at(u)]) * (turn ? length_ : 1.0));
  }
  return largest;
}

template <class G>
void BasicAbsoluteSystem<G>::moveBy(std::span<const double> d, std::span<double> q) const {
  for (int b = 0; b < equations_.bodies(); ++b) {
    retract(G{}, q.subspan(at(G::kCoordinates * b), at(G::kCoordinates)),
            d.subspan(at(G::kFreedoms * b), at(G::kFreedoms)));
  }
}

template <class G>
struct BasicAbsoluteSystem<G>::Surface {
  const BasicAbsoluteSystem& system;
  Work& work;

  void place(double t, std::span<const double> q) { system.equations_.positions(t, q, work.eq); }
  bool finite() const { return std::isfinite(system.rows_.drift(work.eq)); }
  bool factor(double t, double cut) { return system.factor(t, work, cut); }
  double open() const { return system.rows_.enforcedDrift(work.eq, work.kkt) * system.length_; }
  double largest(std::span<const double> q) const { return system.largestCoordinate(q); }
  double smallestKept() const { return work.factored.singular_body >= 0 ? 1.0 : work.factored.smallest_kept; }
  bool lostRows() const {
    if (work.factored.singular_body >= 0 || work.factored.dropped_rows == 0) return false;
    for (int r = 0; r < system.equations_.rows(); ++r) {
      if (work.kkt.rowDropped(r) && !system.rows_.doubtful(r)) return true;
    }
    return false;
  }
  double largestDropped() const { return work.factored.largest_dropped; }
  int droppedRows() const { return work.factored.dropped_rows; }

  void closePositions(std::span<double> q) {
    solveFor(work.eq.phi);
    system.moveBy(work.f, q);
  }
  VelocityMiss missOf(std::span<const double> v) {
    system.equations_.velocities(v, work.eq);
    system.velocityResidual(v, work);
    return {normInf(work.velocity_residual), normInf(v)};
  }
  void closeVelocities(std::span<double> v) {
    solveFor(work.velocity_residual);
    for (std::size_t u = 0; u < v.size(); ++u) v[u] += work.f[u];
  }
  Eval notFinite(double t) { return work.failNotFinite(t, work.eq); }
  Eval notClosed(double t) {
    const auto worst = std::max_element(work.eq.phi.begin(), work.eq.phi.end(),
                                        [](double a, double b) { return std::abs(a) < std::abs(b); });
    return work.fail(Work::Failure::projection, t, static_cast<int>(worst - work.eq.phi.begin()), Eval::retry);
  }

  double rateOf(std::span<const double> x) const {
    const auto v = system.velocitiesOf(x);
    double rate = 0.0;
    for (std::size_t u = 0; u < v.size(); ++u) {
      const bool turn = u % G::kFreedoms >= G::kDimension;
      rate = std::max(rate, std::abs(v[u]) / (turn ? 1.0 : system.length_));
    }
    return rate;
  }
  std::span<double> beside(std::span<const double> x, double e) {
    std::copy(x.begin(), x.end(), work.beside.begin());
    const auto v = system.velocitiesOf(x);
    for (std::size_t u = 0; u < v.size(); ++u) work.f[u] = e * v[u];
    system.moveBy(work.f, positions(work.beside));
    return work.beside;
  }
  std::span<double> positions(std::span<double> x) const { return x.first(at(system.equations_.coordinates())); }
  std::span<double> velocities(std::span<double> x) const {
    return x.subspan(at(system.equations_.coordinates()), at(system.equations_.freedoms()));
  }
  bool timed() const { return !system.mechanism_.drives.empty(); }
  Eval accelerationsHere(double t, std::span<const double> x) { return system.accelerationsHere(t, x, work); }
  std::span<const double> acceleration() const { return work.acceleration; }
  double power() const { return work.power; }
  std::vector<double>& across() { return work.across; }
  long& solves() { return work.counts.projections; }
  void take(const std::vector<double>& a, double power) {
    work.failure = Work::Failure::none;
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

template <class G>
bool BasicAbsoluteSystem<G>::nearRankChange(Work& work) const {
  return linkwork::nearRankChange(Surface{*this, work});
}

template <class G>
bool BasicAbsoluteSystem<G>::accelerationsAcross(double t, std::span<const double> x, Work& work) const {
  Surface surface{*this, work};
  return linkwork::accelerationsAcross(surface, t, x);
}

template <class G>
Eval BasicAbsoluteSystem<G>::project(double t, std::span<double> x, Work& work, bool& moved) const {
  Surface surface{*this, work};
  return projectState(surface, t, surface.positions(x), surface.velocities(x), moved);
}

template <class G>
Eval BasicAbsoluteSystem<G>::alongJoints(double t, std::span<double> x, Work& work) const {
  Surface surface{*this, work};
  bool moved = false;
  return projectVelocities(surface, t, surface.velocities(x), moved);
}

template bool BasicAbsoluteSystem<Planar<double>>::nearRankChange(Work&) const;
template bool BasicAbsoluteSystem<Planar<double>>::accelerationsAcross(double, std::span<const double>, Work&) const;
template Eval BasicAbsoluteSystem<Planar<double>>::project(double, std::span<double>, Work&, bool&) const;
template Eval BasicAbsoluteSystem<Planar<double>>::alongJoints(double, std::span<double>, Work&) const;
template double BasicAbsoluteSystem<Planar<double>>::largestCoordinate(std::span<const double>) const;
template void BasicAbsoluteSystem<Planar<double>>::moveBy(std::span<const double>, std::span<double>) const;
template bool BasicAbsoluteSystem<Spatial<double>>::nearRankChange(Work&) const;
template bool BasicAbsoluteSystem<Spatial<double>>::accelerationsAcross(double, std::span<const double>, Work&) const;
template Eval BasicAbsoluteSystem<Spatial<double>>::project(double, std::span<double>, Work&, bool&) const;
template Eval BasicAbsoluteSystem<Spatial<double>>::alongJoints(double, std::span<double>, Work&) const;
template double BasicAbsoluteSystem<Spatial<double>>::largestCoordinate(std::span<const double>) const;
template void BasicAbsoluteSystem<Spatial<double>>::moveBy(std::span<const double>, std::span<double>) const;

}  // namespace linkwork
