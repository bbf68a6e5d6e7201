// What a LinkageSystem says about itself: states in absolute coordinates, observations, rank, and why it failed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/absolute/absolute_messages.hpp"
#include "linkwork/formulation/linkage/linkage_work.hpp"
#include "linkwork/formulation/massless_words.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

namespace {

using G = Planar<double>;

}  // namespace

std::vector<double> LinkageSystem::fromAbsolute(double /*t*/, std::span<const double> absolute) const {
  const std::size_t n = at(plan_.tree.links());
  std::vector<double> x(2 * n + 1);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t angle = 3 * at(plan_.body[k]) + 2;
    x[k] = absolute[angle];
    x[n + k] = absolute[3 * n + angle];
  }
  x[2 * n] = absolute[6 * n];
  return x;
}

std::vector<double> LinkageSystem::toAbsolute(double /*t*/, std::span<const double> x, const Modes& /*modes*/) const {
  const std::size_t n = at(plan_.tree.links());
  std::vector<double> out(6 * n + 1);
  AbsoluteEquations<G>::Work eq = free_.makeWork();
  placeBodies(positionsOf(x), velocitiesOf(x), eq);
  for (std::size_t b = 0; b < n; ++b) {
    out[3 * b] = eq.x[b].r.x;
    out[3 * b + 1] = eq.x[b].r.y;
    out[3 * b + 2] = eq.x[b].angle;
    out[3 * (n + b)] = eq.v[b].v.x;
    out[3 * (n + b) + 1] = eq.v[b].v.y;
    out[3 * (n + b) + 2] = eq.v[b].w;
  }
  out[6 * n] = x[2 * n];
  return out;
}

std::span<const double> LinkageSystem::accelerations(const Workspace& work) const {
  return static_cast<const Work&>(work).acceleration;
}
std::span<const double> LinkageSystem::multipliers(const Workspace& work) const {
  return static_cast<const Work&>(work).multiplier;
}

LinkageSystem::Acting LinkageSystem::acting(const Workspace& workspace, std::span<const double> multiplier) const {
  const Work& work = static_cast<const Work&>(workspace);
  const std::size_t n = at(plan_.tree.links());
  Acting out{std::vector<Vec2<double>>(n), std::vector<double>(n), std::vector<double>(n)};
  if (!mechanism_.loads.empty()) {
    out.force = work.force;
    out.moment = work.moment;
  }
  for (int c = 0; c < plan_.tree.cutCount(); ++c) {
    const auto& [a, b] = plan_.tree.cuts()[at(c)];
    const Vec2<double> F{multiplier[at(2 * c)], multiplier[at(2 * c + 1)]};
    out.force[at(a)] += F;
    out.moment[at(a)] += cross(work.form.place.on_a[at(c)], F);
    if (b < 0) continue;
    out.force[at(b)] -= F;
    out.moment[at(b)] -= cross(work.form.place.on_b[at(c)], F);
  }
  for (std::size_t d = 0; d < plan_.drives.size(); ++d) {
    const auto& [drive, first, second, offset] = plan_.drives[d];
    const double torque = multiplier[work.form.f.size() + d];
    if (second >= 0 && plan_.tree.base(second) == first) {
      out.torque[at(second)] += torque;
    } else if (first >= 0 && plan_.tree.base(first) == second) {
      out.torque[at(first)] -= torque;
    } else {
      if (second >= 0) out.moment[at(second)] += torque;
      if (first >= 0) out.moment[at(first)] -= torque;
    }
  }
  return out;
}

std::vector<double> LinkageSystem::multipliersSeen(const Observation& seen) const {
  std::vector<double> out;
  for (int c = 0; c < plan_.tree.cutCount(); ++c) {
    const int joint = plan_.cut_joint[at(c)];
    const int a = plan_.body[at(plan_.tree.cuts()[at(c)].a)];
    const double sign = mechanism_.joints[at(joint)].second == BodyIndex(a) ? 1.0 : -1.0;
    for (std::size_t d = 0; d < 2; ++d) out.push_back(sign * seen.joints[at(joint)].force_on_second[d]);
  }
  for (const linkage::DriveRow& row : plan_.drives) out.push_back(seen.drive_efforts[at(row.drive)]);
  return out;
}

void LinkageSystem::show(double t, std::span<const double> x, Work& work, Observation& out) const {
  const std::size_t n = at(plan_.tree.links());
  const std::vector<double> absolute = toAbsolute(t, x, startModes());
  const Observer<G>::State state{std::span(absolute).first(3 * n), std::span(absolute).subspan(3 * n, 3 * n), {}};
  observer_.place(t, state, work.seen);
  (void)observer_.factor(work.seen);
  // Accelerations of the hinges, then of the centres of mass.
  std::vector<double> a(3 * n);
  std::vector<Vec2<double>> hinge(n);
  for (int k = 0; k < plan_.tree.links(); ++k) {
    const int p = plan_.tree.base(k);
    const auto accelerationOf = [&](int link, const Vec2<double>& arm) {
      const G::Position& at_link = work.seen.eq.x[at(plan_.body[at(link)])];
      const double w = x[n + at(link)];
      const Vec2<double> turned = at_link.R * arm;
      return hinge[at(link)] + perp(turned) * work.acceleration[at(link)] - turned * (w * w);
    };
    hinge[at(k)] = p < 0 ? Vec2<double>{} : accelerationOf(p, constants_.link[at(k)].R);
    const Vec2<double> centre = accelerationOf(k, constants_.link[at(k)].centre);
    const std::size_t first = 3 * at(plan_.body[at(k)]);
    a[first] = centre.x;
    a[first + 1] = centre.y;
    a[first + 2] = work.acceleration[at(k)];
  }
  std::vector<double> lambda(at(observer_.equations().rows()));
  observer_.multipliersOf(a, work.seen, lambda);
  observer_.observe(state, a, lambda, work.seen, out);
}

Violation LinkageSystem::violation(double t, std::span<const double> x, const Modes& /*modes*/,
                                   Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  if (plan_.rows() == 0) return {};
  placeRows(t, positionsOf(x), velocitiesOf(x), work);
  velocityResidual(velocitiesOf(x), work);
  return {norm2(work.phi), norm2(work.velocity_residual), 0.0};
}

std::string LinkageSystem::rowOwner(int row) const {
  const int cut = row / 2;
  if (cut < plan_.tree.cutCount()) {
    return fmt::format("joint \"{}\"", mechanism_.joints[at(plan_.cut_joint[at(cut)])].name);
  }
  const linkage::DriveRow& drive = plan_.drives[at(row - 2 * plan_.tree.cutCount())];
  return fmt::format("drive \"{}\"", mechanism_.drives[at(drive.drive)].name);
}

std::string LinkageSystem::rowName(int row) const {
  if (row < 0) return {};
  const int cut = row / 2;
  if (cut < plan_.tree.cutCount()) {
    return mechanism_.joints[at(plan_.cut_joint[at(cut)])].name + (row % 2 == 0 ? ".x" : ".y");
  }
  return mechanism_.drives[at(plan_.drives[at(row - 2 * plan_.tree.cutCount())].drive)].name + ".angle";
}

// The hinges of the tree hold by their coordinates and never depend on others: what is dropped is dropped from all
// rows.
RowRank LinkageSystem::rank(const SemidefiniteLdlt::Factored& factored) const {
  return {observer_.equations().rows() - factored.dropped, plan_.tree.links() - plan_.rows() + factored.dropped,
          factored.smallest_kept, factored.nearest_row};
}

RankReport LinkageSystem::report(const Work& work) const {
  return namedRank(
      observer_.equations().rows(), rank(work.factored), work.factored.largest_dropped, plan_.rows(),
      [&](int row) { return work.ldlt.dropped(row); }, [&](int row) { return rowName(row); });
}

struct LinkageSystem::Words {
  const LinkageSystem& system;
  const Work& work;

  std::string owner(int row) const { return system.rowOwner(row); }
  std::string name(int row) const { return system.rowName(row); }
  double phi(int row) const { return work.phi[at(row)]; }
  RankReport report() const { return system.report(work); }
  std::string massless(int link) const {
    const MasslessWords words = masslessWords(system.mechanism_, system.plan_.body[at(link)], "");
    return fmt::format("{}; {}", words.problem, words.hint);
  }
  std::string contradiction(int row) const { return contradictionFailure(owner(row), "the other joints and drives"); }
};

std::string LinkageSystem::describeFailure(const Workspace& workspace) const {
  const Work& work = static_cast<const Work&>(workspace);
  return failureWords(work, mechanism_, free_.elements(), Words{*this, work});
}

}  // namespace linkwork
