// What projection needs of a linkage (formulation/projection.hpp).
#include <algorithm>
#include <cmath>

#include "linkwork/formulation/linkage/linkage_work.hpp"
#include "linkwork/formulation/projection.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

// Coefficients and rows at these angles and rates, without loads.
void LinkageSystem::placeRows(double t, std::span<const double> angle, std::span<const double> rate, Work& work) const {
  linkage::LinkageInputs<double> in;
  in.angle = angle;
  in.rate = rate;
  if (!plan_.drives.empty()) free_.positions(t, work.eq);  // their motions; the bodies do not matter
  linkage::equations(linkage::Form::rud, linkage::Trig::vectors, linkage::Bias::sweep, plan_.tree, constants_, in,
                     work.form, Unnamed{});
  linkage::closure(plan_.tree, constants_, work.form, Unnamed{});
  closeRows(angle, work);
}

// The same as drift() without rows that do not quite fit, as long as they stay about as far off as they were.
double LinkageSystem::enforcedDrift(const Work& work) const {
  double worst = 0.0;
  for (int row = 0; row < plan_.rows(); ++row) {
    const double off = std::abs(work.phi[at(row)]) * (at(row) < work.form.f.size() ? 1.0 : length_);
    if (work.ldlt.dropped(row) && off <= kMisfitGrowth * options_.misfit * length_) continue;
    worst = std::max(worst, off);
  }
  return worst / length_;
}

// In metres. Turns count too: the sine of an angle of many turns has the round-off of the angle.
double LinkageSystem::largestCoordinate(std::span<const double> angle) const {
  return std::max(length_, reach_) * std::max(1.0, normInf(angle));
}

struct LinkageSystem::Surface {
  const LinkageSystem& system;
  Work& work;

  void place(double t, std::span<const double> angle) { system.placeRows(t, angle, {}, work); }
  bool finite() const { return std::isfinite(system.drift(work)); }
  bool factor(double t, double cut) { return system.factor(t, work, cut); }
  double open() const { return system.enforcedDrift(work) * system.length_; }
  double largest(std::span<const double> angle) const { return system.largestCoordinate(angle); }
  double smallestKept() const { return work.factored.smallest_kept; }
  bool lostRows() const { return work.factored.dropped > static_cast<int>(system.options_.doubtful_rows.size()); }
  double largestDropped() const { return work.factored.largest_dropped; }
  int droppedRows() const { return work.factored.dropped; }

  void closePositions(std::span<double> angle) { moveBy(work.phi, angle); }
  VelocityMiss missOf(std::span<const double> rate) {
    system.velocityResidual(rate, work);
    return {normInf(work.velocity_residual), normInf(rate) * std::max(system.length_, system.reach_)};
  }
  void closeVelocities(std::span<double> rate) { moveBy(work.velocity_residual, rate); }
  Eval notFinite(double t) { return work.failNotFinite(t, work.eq); }
  Eval notClosed(double t) {
    const auto worst = std::max_element(work.phi.begin(), work.phi.end(),
                                        [](double a, double b) { return std::abs(a) < std::abs(b); });
    return work.fail(Work::Failure::projection, t, static_cast<int>(worst - work.phi.begin()), Eval::retry);
  }

  double rateOf(std::span<const double> x) const { return normInf(system.ratesOf(x)); }
  std::span<double> beside(std::span<const double> x, double e) {
    std::copy(x.begin(), x.end(), work.beside.begin());
    const auto rate = system.ratesOf(x);
    for (std::size_t k = 0; k < rate.size(); ++k) work.beside[k] += e * rate[k];
    return work.beside;
  }
  std::span<double> positions(std::span<double> x) const { return x.first(at(system.plan_.tree.links())); }
  std::span<double> velocities(std::span<double> x) const {
    return x.subspan(at(system.plan_.tree.links()), at(system.plan_.tree.links()));
  }
  bool timed() const { return !system.mechanism_.drives.empty(); }
  Eval accelerationsHere(double t, std::span<const double> x) { return system.accelerationsHere(t, x, work); }
  std::span<const double> acceleration() const { return work.acceleration; }
  double power() const { return work.power; }
  std::vector<double>& across() { return work.across; }
  long& solves() { return work.counts.projections; }
  void take(const std::vector<double>& acceleration, double power) {
    work.failure = Work::Failure::none;
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

bool LinkageSystem::nearRankChange(Work& work) const {
  return plan_.rows() > 0 && linkwork::nearRankChange(Surface{*this, work});
}

bool LinkageSystem::accelerationsAcross(double t, std::span<const double> x, Work& work) const {
  Surface surface{*this, work};
  return linkwork::accelerationsAcross(surface, t, x);
}

AfterStep LinkageSystem::afterStep(double t, std::span<double> x, Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  work.failure = Work::Failure::none;
  AfterStep out;
  if (options_.stabilisation != Stabilisation::projection || plan_.rows() == 0) return out;
  Surface surface{*this, work};
  out.eval = projectState(surface, t, surface.positions(x), surface.velocities(x), out.changed);
  out.rows = rankOf(work.factored);
  return out;
}

}  // namespace linkwork
