#include "linkwork/formulation/linkage/linkage_system.hpp"

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/linkage/link_bodies.hpp"
#include "linkwork/formulation/linkage/linkage_work.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

namespace {

using linkage::at;
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

RowFilter withoutAllRows(const Mechanism& mechanism) {
  RowFilter out;
  for (int k = 0; k < static_cast<int>(mechanism.joints.size()); ++k) out.without_joints.push_back(k);
  for (int d = 0; d < static_cast<int>(mechanism.drives.size()); ++d) out.without_drives.push_back(d);
  return out;
}

double sizeOf(const Vec2<double>& v) { return std::hypot(v.x, v.y); }

double reachOf(const linkage::LinkageConstants<double>& constants) {
  double sum = 0.0;
  for (const auto& link : constants.link) sum += sizeOf(link.R);
  for (const auto& cut : constants.cut) sum = std::max(sum, sizeOf(cut.on_b)) + sizeOf(cut.on_a);
  return sum;
}

}  // namespace

LinkageSystem::LinkageSystem(const Mechanism& mechanism, const LinkageOptions& options)
    : options_(options),
      observer_(mechanism, options),
      mechanism_(observer_.mechanism()),
      plan_(linkage::planLinkage(mechanism)),
      constants_(linkage::linkageConstants<double>(mechanism, plan_)),
      free_(mechanism, withoutAllRows(mechanism)),
      doubtful_(at(plan_.rows()), options.doubtful_rows.empty() ? 0 : 1),
      loaded_(!mechanism.loads.empty() || !mechanism.drives.empty()),
      light_(hasLightBodies(mechanism)),
      length_(observer_.rows().length()),
      reach_(reachOf(constants_)) {
  for (const linkage::DriveRow& row : plan_.drives) offsets_.push_back(row.offset.number);
}

StateSpace LinkageSystem::space() const { return {plan_.tree.links(), plan_.tree.links(), 1}; }

std::unique_ptr<Workspace> LinkageSystem::makeWorkspace() const { return std::make_unique<Work>(*this); }

std::span<const double> LinkageSystem::anglesOf(std::span<const double> x) const {
  return x.first(at(plan_.tree.links()));
}
std::span<const double> LinkageSystem::ratesOf(std::span<const double> x) const {
  return x.subspan(at(plan_.tree.links()), at(plan_.tree.links()));
}

// One body with as many freedoms as there are links, from the last to the first: in this order H fills nothing in.
KktStructure LinkageSystem::structure() const {
  const linkage::LinkageTree& tree = plan_.tree;
  const int n = tree.links();
  KktStructure s;
  s.freedoms = n;
  s.bodies = 1;
  for (int u = 0; u < n; ++u) s.mass_entries.push_back({u, u});
  for (int k = 0; k < n; ++k) {
    for (int i = tree.base(k); i >= 0; i = tree.base(i)) s.mass_entries.push_back({n - 1 - i, n - 1 - k});
  }
  s.order.push_back(0);
  for (int row = 0; row < plan_.rows(); ++row) {
    s.row_bodies.push_back(0);
    s.row_start.push_back(row + 1);
    s.order.push_back(1 + row);
  }
  s.mass = light_ ? MassMatrix::augmented : MassMatrix::definite;
  return s;
}

void LinkageSystem::placeBodies(std::span<const double> angle, std::span<const double> rate,
                                AbsoluteEquations<G>::Work& eq) const {
  linkage::placeBodies(plan_, constants_, angle, rate, eq.x, eq.v);
}

// Loads as forces and moments about the hinges; drives.
Eval LinkageSystem::loads(double t, std::span<const double> x, Work& work) const {
  work.failure = Work::Failure::none;
  if (!allFinite(anglesOf(x)) || !allFinite(ratesOf(x))) {
    return work.fail(Work::Failure::state_not_finite, t, 0, Eval::retry);
  }
  if (!loaded_) return Eval::ok;
  placeBodies(anglesOf(x), ratesOf(x), work.eq);
  free_.positions(t, work.eq);
  free_.velocities(work.eq);
  free_.forces(work.eq);
  if (const Eval eval = work.checkGiven(t, work.eq); eval != Eval::ok) return eval;
  for (int k = 0; k < plan_.tree.links(); ++k) {
    const int body = plan_.body[at(k)];
    const auto& link = constants_.link[at(k)];
    const G::Wrench& Q = work.eq.Q[at(body)];
    work.force[at(k)] = Q.force - constants_.gravity * link.mass;
    work.moment[at(k)] = Q.moment + cross(work.eq.x[at(body)].R * link.centre, work.force[at(k)]);
  }
  return Eval::ok;
}

linkage::LinkageInputs<double> LinkageSystem::inputsOf(std::span<const double> x, const Work& work) const {
  linkage::LinkageInputs<double> in;
  in.angle = anglesOf(x);
  in.rate = ratesOf(x);
  if (mechanism_.loads.empty()) return in;
  in.force = work.force;
  in.moment = work.moment;
  return in;
}

// After closure() of work.form: the rows of cuts and drives, into work.kkt too.
void LinkageSystem::closeRows(std::span<const double> angle, Work& work) const {
  const int n = plan_.tree.links();
  const std::size_t cut_rows = work.form.f.size();
  std::copy(work.form.f.begin(), work.form.f.end(), work.phi.begin());
  std::copy(work.form.gamma.begin(), work.form.gamma.end(), work.gamma.begin());
  std::fill(work.rate_given.begin(), work.rate_given.end(), 0.0);
  const auto jacobian = work.kkt.jacobian();
  std::fill(jacobian.begin(), jacobian.end(), 0.0);
  for (std::size_t row = 0; row < cut_rows; ++row) {
    for (int k = 0; k < n; ++k) jacobian[row * at(n) + at(n - 1 - k)] = work.form.phi[row * at(n) + at(k)];
  }
  for (std::size_t d = 0; d < plan_.drives.size(); ++d) {
    const linkage::DriveRow& drive = plan_.drives[d];
    const Motion<double>& motion = work.eq.motions[at(drive.drive)];
    const std::size_t row = cut_rows + d;
    const auto angleOf = [&](int link) { return link < 0 ? 0.0 : angle[at(link)]; };
    work.phi[row] = angleOf(drive.second) - angleOf(drive.first) - offsets_[d] - motion.f;
    work.rate_given[row] = motion.fdot;
    work.gamma[row] = motion.fddot;
    if (drive.second >= 0) jacobian[row * at(n) + at(n - 1 - drive.second)] += 1.0;
    if (drive.first >= 0) jacobian[row * at(n) + at(n - 1 - drive.first)] -= 1.0;
  }
}

void LinkageSystem::velocityResidual(std::span<const double> rate, Work& work) const {
  const int n = plan_.tree.links();
  for (int row = 0; row < plan_.rows(); ++row) {
    double sum = -work.rate_given[at(row)];
    for (int u = 0; u < n; ++u) sum += work.kkt.jacobian()[at(row) * at(n) + at(u)] * rate[at(n - 1 - u)];
    work.velocity_residual[at(row)] = sum;
  }
}

// Greatest violation, relative to the size of the mechanism.
double LinkageSystem::drift(const Work& work) const {
  double worst = 0.0;
  for (std::size_t row = 0; row < work.phi.size(); ++row) {
    const double off = std::abs(work.phi[row]) * (row < work.form.f.size() ? 1.0 : length_);
    worst = std::isnan(off) ? off : std::max(worst, off);
  }
  return worst / length_;
}

// Factors (1) with the coefficients in work.form and the rows that closeRows() made; false when a link has no inertia
// in a free direction.
bool LinkageSystem::factor(double t, Work& work, double cut) const {
  // Off the surface by `drift` (relative), a dependent row shows a pivot of the order drift^2; thirty covers the
  // factor.
  constexpr double kDriftFactor = 30.0;
  const int n = plan_.tree.links();
  const auto mass = work.kkt.mass();
  std::size_t next = 0;
  for (int u = 0; u < n; ++u) mass[next++] = work.form.acceleration(n - 1 - u, n - 1 - u);
  for (int k = 0; k < n; ++k) {
    for (int i = plan_.tree.base(k); i >= 0; i = plan_.tree.base(i)) mass[next++] = work.form.acceleration(k, i);
  }
  const double off = kDriftFactor * std::max(drift(work), options_.misfit);
  work.factored = work.kkt.factor({.row = cut, .doubtful_row = off * off, .doubtful = doubtful_});
  if (work.factored.singular_body < 0) return true;
  work.fail(Work::Failure::massless_body, t, n - 1 - work.factored.singular_unknown, Eval::failed);
  return false;
}

// Trees without drives: link by link.
Eval LinkageSystem::accelerationsOfTree(double t, std::span<const double> x, Work& work) const {
  linkage::eliminate(plan_.tree, constants_, inputsOf(x, work), linkage::HingeForces::no, work.elimination, Unnamed{});
  work.acceleration = work.elimination.acceleration;
  work.power = loaded_ ? work.eq.supplied_power : 0.0;
  if (!allFinite(work.acceleration)) return work.fail(Work::Failure::state_not_finite, t, 0, Eval::retry);
  return Eval::ok;
}

Eval LinkageSystem::accelerationsHere(double t, std::span<const double> x, Work& work) const {
  const Eval eval = loads(t, x, work);
  if (eval != Eval::ok) return eval;
  if (plan_.rows() == 0 && !light_) return accelerationsOfTree(t, x, work);
  linkage::equations(linkage::Form::rud, linkage::Trig::vectors, linkage::Bias::sweep, plan_.tree, constants_,
                     inputsOf(x, work), work.form, Unnamed{});
  linkage::closure(plan_.tree, constants_, work.form, Unnamed{});
  closeRows(anglesOf(x), work);
  for (std::size_t row = work.form.f.size(); row < work.phi.size(); ++row) {
    if (std::isfinite(work.phi[row] + work.rate_given[row] + work.gamma[row])) continue;
    const int drive = plan_.drives[row - work.form.f.size()].drive;
    return work.fail(Work::Failure::motion_not_finite, t, drive, Eval::retry);
  }
  if (!factor(t, work)) return Eval::failed;
  const int n = plan_.tree.links();
  for (int k = 0; k < n; ++k) work.f[at(n - 1 - k)] = work.form.rhs[at(k)];
  work.g = work.gamma;
  if (options_.stabilisation == Stabilisation::baumgarte) {
    velocityResidual(ratesOf(x), work);
    for (std::size_t row = 0; row < work.g.size(); ++row) {
      work.g[row] -= 2.0 * options_.alpha * work.velocity_residual[row] + options_.beta * options_.beta * work.phi[row];
    }
  }
  work.worst_residual = std::max(work.worst_residual, work.kkt.solve(work.f, work.g).residual);
  for (int k = 0; k < n; ++k) work.acceleration[at(k)] = work.f[at(n - 1 - k)];
  work.power = loaded_ ? work.eq.supplied_power : 0.0;
  for (std::size_t row = 0; row < work.g.size(); ++row) {
    work.multiplier[row] = -work.g[row];
    work.power += work.multiplier[row] * work.rate_given[row];  // only drives do work
  }
  if (!allFinite(work.acceleration)) return work.fail(Work::Failure::state_not_finite, t, 0, Eval::retry);
  return work.factored.dropped_rows == 0 ? Eval::ok : checkDroppedRows(t, work);
}

// A dropped row must hold by itself, up to what the drift explains; if not, the constraints contradict each other.
Eval LinkageSystem::checkDroppedRows(double t, Work& work) const {
  if (options_.stabilisation == Stabilisation::baumgarte) return Eval::ok;
  const int n = plan_.tree.links();
  const double allowed = 1e-3 + 1e3 * drift(work);  // as in absolute coordinates
  for (int row = 0; row < plan_.rows(); ++row) {
    if (!work.kkt.rowDropped(row)) continue;
    const double unit = row < static_cast<int>(work.form.f.size()) ? length_ : 1.0;
    double rest = work.gamma[at(row)];
    double size = std::abs(rest) + unit;  // of the order of a length per square second is worth a word
    for (int k = 0; k < n; ++k) {
      const double term = work.kkt.jacobian()[at(row) * at(n) + at(n - 1 - k)] * work.acceleration[at(k)];
      rest -= term;
      size = std::max(size, std::abs(term));
    }
    if (std::abs(rest) > allowed * size) return work.fail(Work::Failure::contradiction, t, row, Eval::retry);
  }
  return Eval::ok;
}

Eval LinkageSystem::accelerations(double t, std::span<const double> x, Work& work) const {
  const Eval eval = accelerationsHere(t, x, work);
  const bool evaluated = eval == Eval::ok || work.failure == Work::Failure::contradiction;
  if (!evaluated || options_.stabilisation != Stabilisation::projection || !nearRankChange(work)) return eval;
  return accelerationsAcross(t, x, work) ? Eval::ok : eval;
}

Eval LinkageSystem::derivative(double t, std::span<const double> x, Workspace& workspace,
                               std::span<double> xdot) const {
  Work& work = static_cast<Work&>(workspace);
  const Eval eval = accelerations(t, x, work);
  if (eval != Eval::ok) return eval;
  const auto rate = ratesOf(x);
  std::copy(rate.begin(), rate.end(), xdot.begin());
  std::copy(work.acceleration.begin(), work.acceleration.end(), xdot.begin() + plan_.tree.links());
  xdot[2 * rate.size()] = work.power;
  return Eval::ok;
}

int LinkageSystem::eventCount() const { return observer_.events().count(); }

Eval LinkageSystem::eventValues(double t, std::span<const double> x, Workspace& workspace,
                                std::span<double> values) const {
  Work& work = static_cast<Work&>(workspace);
  placeBodies(anglesOf(x), ratesOf(x), work.eq);
  free_.positions(t, work.eq);
  free_.velocities(work.eq);
  const int bad = observer_.events().evaluate(work.eq, work.seen.events, values);
  if (bad >= 0) return work.fail(Work::Failure::event_not_finite, t, bad, Eval::retry);
  return Eval::ok;
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

}  // namespace linkwork
