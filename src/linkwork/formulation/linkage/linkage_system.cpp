#include "linkwork/formulation/linkage/linkage_system.hpp"

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/linkage/link_bodies.hpp"
#include "linkwork/formulation/linkage/linkage_surface.hpp"
#include "linkwork/formulation/stabilised_system_impl.hpp"

namespace linkwork {

namespace {

using G = Planar<double>;

// Masses and inertias below this share of the largest are treated as if they were zero: legal, held by the joints.
constexpr double kMassless = 1e-9;

bool hasLightBodies(const Mechanism& mechanism) {
  double mass = 0.0;
  double inertia = 0.0;
  for (const Body& body : mechanism.bodies) {
    mass = std::max(mass, body.mass.number);
    inertia = std::max(inertia, body.inertia.number);
  }
  return std::any_of(mechanism.bodies.begin(), mechanism.bodies.end(), [&](const Body& body) {
    return body.mass.number <= kMassless * mass || body.inertia.number <= kMassless * inertia;
  });
}

double sizeOf(const Vec2<double>& v) { return std::hypot(v.x, v.y); }

// What the closure of a cut is the sum of: the links of its two ways, up to the one that carries both.
double wayOfCut(const linkage::LinkageTree& tree, const linkage::LinkageConstants<double>& constants, int cut) {
  const linkage::CutEnds& ends = tree.cuts()[at(cut)];
  const auto& places = constants.cut[at(cut)];
  const auto carries = [&](int k, int end) { return end >= 0 && (k == end || tree.carries(k, end)); };
  double sum = sizeOf(places.on_a) + sizeOf(places.on_b);
  for (int k = ends.a; k >= 0 && !carries(k, ends.b); k = tree.base(k)) sum += sizeOf(constants.link[at(k)].R);
  for (int k = ends.b; k >= 0 && !carries(k, ends.a); k = tree.base(k)) sum += sizeOf(constants.link[at(k)].R);
  return sum;
}

double longestWay(const linkage::LinkageTree& tree, const linkage::LinkageConstants<double>& constants) {
  double longest = 0.0;
  for (int cut = 0; cut < tree.cutCount(); ++cut) longest = std::max(longest, wayOfCut(tree, constants, cut));
  return longest;
}

}  // namespace

LinkageSystem::LinkageSystem(const Mechanism& mechanism, const LinkageOptions& options)
    : StabilisedSystem(options),
      observer_(mechanism, options),
      mechanism_(observer_.mechanism()),
      plan_(linkage::planLinkage(mechanism)),
      constants_(linkage::linkageConstants(mechanism, plan_)),
      free_(mechanism, linkage::withoutAllRows(mechanism)),
      loaded_(!mechanism.loads.empty() || !mechanism.drives.empty()),
      light_(hasLightBodies(mechanism)),
      reach_(longestWay(plan_.tree, constants_)) {
  for (const linkage::DriveRow& row : plan_.drives) offsets_.push_back(row.offset.number);
}

StateSpace LinkageSystem::space() const { return {plan_.tree.links(), plan_.tree.links(), 1}; }

void LinkageSystem::placeBodies(std::span<const double> angle, std::span<const double> rate,
                                AbsoluteEquations<G>::Work& eq) const {
  linkage::placeBodies(plan_, constants_, angle, rate, eq.x, eq.v);
}

// Loads as forces and moments about the hinges; drives.
Eval LinkageSystem::loads(double t, std::span<const double> x, Work& work) const {
  work.failure = FailureNote::Failure::none;
  if (!allFinite(positionsOf(x)) || !allFinite(velocitiesOf(x))) {
    return work.fail(FailureNote::Failure::state_not_finite, t, 0, Eval::retry);
  }
  if (!loaded_) return Eval::ok;
  placeBodies(positionsOf(x), velocitiesOf(x), work.eq);
  free_.positions(t, work.eq);
  free_.velocities(work.eq);
  free_.forces(work.eq);
  if (const Eval eval = work.checkGiven(t, work.eq); eval != Eval::ok) return eval;
  linkage::loadLinks(plan_, constants_, work.eq.x, work.eq.Q, work.force, work.moment);
  return Eval::ok;
}

linkage::LinkageInputs<double> LinkageSystem::inputsOf(std::span<const double> x, const Work& work) const {
  linkage::LinkageInputs<double> in;
  in.angle = positionsOf(x);
  in.rate = velocitiesOf(x);
  if (mechanism_.loads.empty()) return in;
  in.force = work.force;
  in.moment = work.moment;
  return in;
}

// After closure() of work.form: the rows of cuts and drives.
void LinkageSystem::closeRows(std::span<const double> angle, Work& work) const {
  const int n = plan_.tree.links();
  const std::size_t cut_rows = work.form.f.size();
  std::copy(work.form.f.begin(), work.form.f.end(), work.phi.begin());
  std::copy(work.form.gamma.begin(), work.form.gamma.end(), work.gamma.begin());
  std::fill(work.rate_given.begin(), work.rate_given.end(), 0.0);
  std::copy(work.form.phi.begin(), work.form.phi.end(), work.P.data());
  for (std::size_t d = 0; d < plan_.drives.size(); ++d) {
    const linkage::DriveRow& drive = plan_.drives[d];
    const Motion<double>& motion = work.eq.motions[at(drive.drive)];
    const std::size_t row = cut_rows + d;
    const auto angleOf = [&](int link) { return link < 0 ? 0.0 : angle[at(link)]; };
    work.phi[row] = angleOf(drive.second) - angleOf(drive.first) - offsets_[d] - motion.f;
    work.rate_given[row] = motion.fdot;
    work.gamma[row] = motion.fddot;
    double* const entries = work.P.data() + row * at(n);
    std::fill(entries, entries + n, 0.0);
    if (drive.second >= 0) entries[drive.second] += 1.0;
    if (drive.first >= 0) entries[drive.first] -= 1.0;
  }
}

void LinkageSystem::velocityResidual(std::span<const double> rate, Work& work) const {
  for (int row = 0; row < plan_.rows(); ++row) {
    double sum = -work.rate_given[at(row)];
    for (int k = 0; k < plan_.tree.links(); ++k) sum += work.P(row, k) * rate[at(k)];
    work.velocity_residual[at(row)] = sum;
  }
}

// 1 m for a row of a cut, the length of the mechanism for one of a drive.
double LinkageSystem::rowLength(int row) const { return row < 2 * plan_.tree.cutCount() ? 1.0 : length(); }

// Greatest violation, relative to the size of the mechanism.
double LinkageSystem::drift(const Work& work) const {
  double worst = 0.0;
  for (int row = 0; row < plan_.rows(); ++row) {
    const double off = std::abs(work.phi[at(row)]) * rowLength(row);
    if (std::isnan(off)) return off;
    worst = std::max(worst, off);
  }
  return worst / length();
}

// The same without rows that do not quite fit, as long as they stay about as far off as they were.
double LinkageSystem::enforcedDrift(const Work& work) const {
  double worst = 0.0;
  for (int row = 0; row < plan_.rows(); ++row) {
    const double off = std::abs(work.phi[at(row)]) * rowLength(row);
    if (work.ldlt.dropped(row) && off <= kMisfitGrowth * options_.misfit * length()) continue;
    worst = std::max(worst, off);
  }
  return worst / length();
}

// Factors H + rho P^T P and P (H + rho P^T P)^-1 P^T; false when a link has no inertia in a free direction.
//
// How near a row is to dependence is measured beside the arms of its cut: lying flat, a loop leaves a row of zeros,
// which depends on the others although no share of its own length does.
bool LinkageSystem::factor(double t, double cut, Work& work) const {
  // Off the surface by `drift` (relative), a dependent row shows a pivot of the order drift^2; thirty covers the
  // factor.
  constexpr double kDriftFactor = 30.0;
  // A pivot below this share of what the link and all that it carries weigh is round-off: nothing resists that motion.
  constexpr double kNoInertia = 1e-14;
  work.factored = {};
  const int n = plan_.tree.links();
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n; ++i) work.H(k, i) = work.form.acceleration(k, i);
  }
  work.rho = 0.0;
  if (light_ && plan_.rows() > 0) {
    const double size = work.P.squaredNorm();
    work.rho = size > 0.0 ? work.H.trace() / size : 0.0;
    work.H.noalias() += work.rho * work.P.transpose() * work.P;
  }
  work.factor.compute(work.H);
  const auto pivots = work.factor.matrixLLT().diagonal();
  for (int k = 0; k < n; ++k) {
    if (pivots[k] > 0.0 && pivots[k] * pivots[k] > kNoInertia * work.H(k, k)) continue;
    work.fail(FailureNote::Failure::massless_body, t, k, Eval::failed);
    return false;
  }
  work.parts = work.P.transpose();
  work.factor.matrixL().solveInPlace(work.parts);
  for (int row = 0; row < plan_.rows(); ++row) {
    for (int other = 0; other <= row; ++other) {
      work.ldlt(row, other) = work.parts.col(row).dot(work.parts.col(other));
    }
    double square = 0.0;
    const bool of_cut = row < 2 * plan_.tree.cutCount();
    for (int k = 0; k < n; ++k) {
      const double x = work.P(row, k);
      const double y = of_cut ? work.P(row ^ 1, k) : 0.0;
      square += (x * x + y * y) / work.H(k, k);
    }
    work.row_square[at(row)] = square;
  }
  const double off = kDriftFactor * std::max(drift(work), options_.misfit);
  work.factored = work.ldlt.factor({.row = cut,
                                    .doubtful = std::max(off * off, kDependentRow),
                                    .doubtful_rows = static_cast<int>(options_.doubtful_rows.size())},
                                   work.row_square);
  return true;
}

// H a = f + P^T multiplier,  P a = g on the rows kept.
void LinkageSystem::solve(Work& work) const {
  const Eigen::Map<const Eigen::VectorXd> g(work.g.data(), plan_.rows());
  Eigen::Map<Eigen::VectorXd> rest(work.rest.data(), plan_.rows());
  Eigen::Map<Eigen::VectorXd> multiplier(work.multiplier.data(), plan_.rows());
  work.a = work.f;
  if (work.rho > 0.0) work.a.noalias() += work.rho * work.P.transpose() * g;
  work.factor.solveInPlace(work.a);
  multiplier.setZero();
  for (int sweep = 0; sweep < 2; ++sweep) {
    rest = g;
    rest.noalias() -= work.P * work.a;
    work.ldlt.solve(work.rest);
    multiplier += rest;
    work.step.noalias() = work.P.transpose() * rest;
    work.factor.solveInPlace(work.step);
    work.a += work.step;
  }
  for (int k = 0; k < plan_.tree.links(); ++k) work.acceleration[at(k)] = work.a[k];
  // What is left of the equations, relative to the largest term in them.
  double size = work.f.lpNorm<Eigen::Infinity>();
  work.step = work.f;
  work.step.noalias() += work.P.transpose() * multiplier;
  for (int k = 0; k < plan_.tree.links(); ++k) {
    for (int i = 0; i < plan_.tree.links(); ++i) {
      const double term = work.form.acceleration(k, i) * work.a[i];
      work.step[k] -= term;
      size = std::max(size, std::abs(term));
    }
  }
  if (size <= 0.0) return;
  work.counts.worst_residual = std::max(work.counts.worst_residual, work.step.lpNorm<Eigen::Infinity>() / size);
}

// Trees without drives: link by link.
Eval LinkageSystem::accelerationsOfTree(double t, std::span<const double> x, Work& work) const {
  if (const Eval eval = loads(t, x, work); eval != Eval::ok) return eval;
  linkage::eliminate(plan_.tree, constants_, inputsOf(x, work), linkage::HingeForces::no, work.elimination, Unnamed{});
  work.acceleration = work.elimination.acceleration;
  work.power = loaded_ ? work.eq.supplied_power : 0.0;
  if (!allFinite(work.acceleration)) return work.fail(FailureNote::Failure::state_not_finite, t, 0, Eval::retry);
  return Eval::ok;
}

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

void LinkageSystem::putRates(std::span<const double> /*angle*/, std::span<const double> rate,
                             std::span<double> out) const {
  std::copy(rate.begin(), rate.end(), out.begin());
}

Eval LinkageSystem::formAt(linkage::Form form, linkage::Trig trig, double t, std::span<const double> x,
                           Workspace& workspace, linkage::FormWork<double>& out) const {
  Work& work = static_cast<Work&>(workspace);
  const Eval eval = loads(t, x, work);
  if (eval != Eval::ok) return eval;
  linkage::LinkageInputs<double> in = inputsOf(x, work);
  std::vector<double> angle(in.angle.begin(), in.angle.end());
  std::vector<double> rate(in.rate.begin(), in.rate.end());
  if (linkage::isRelative(form)) {
    for (int k = plan_.tree.links() - 1; k >= 0; --k) {
      const int p = plan_.tree.base(k);
      if (p < 0) continue;
      angle[at(k)] -= angle[at(p)];
      rate[at(k)] -= rate[at(p)];
    }
  }
  in.angle = angle;
  in.rate = rate;
  linkage::equations(form, trig, linkage::Bias::coefficients, plan_.tree, constants_, in, out, Unnamed{});
  linkage::closure(plan_.tree, constants_, out, Unnamed{});
  return Eval::ok;
}

template class StabilisedSystem<LinkageSystem>;

}  // namespace linkwork
