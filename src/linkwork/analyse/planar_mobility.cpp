#include "linkwork/analyse/planar_mobility.hpp"

#include <cmath>
#include <memory>

#include "linkwork/formulation/absolute/absolute_system.hpp"

namespace linkwork {

namespace {

using absolute::at;
using Vector = Vec2<double>;

// Directions closer than this are one.
constexpr double kParallel = 1e-9;

// Where a frame's point stands in ground axes.
Vector pointInGround(const Mechanism& mechanism, BodyIndex body, const Frame& frame, std::span<const double> q) {
  const Vector p{frame.point[0].number, frame.point[1].number};
  if (!body.valid()) return p;
  const Point& com = mechanism.body(body).com;
  const double* x = &q[3 * body.at()];
  return Vector{x[0], x[1]} + Rotation2<double>::fromAngle(x[2]) * (p - Vector{com[0].number, com[1].number});
}

// A point of each joint and drive on each of its bodies, in ground axes.
struct Ends {
  BodyIndex first, second;
  Vector on_first, on_second;
};

std::vector<Ends> endsOfGroups(const Mechanism& mechanism, const std::vector<RowGroup>& groups,
                               std::span<const double> q) {
  std::vector<Ends> out;
  const auto add = [&](const auto& item) {
    out.push_back({item.first, item.second, pointInGround(mechanism, item.first, item.on_first, q),
                   pointInGround(mechanism, item.second, item.on_second, q)});
  };
  for (const RowGroup& group : groups) {
    if (group.is_drive) {
      add(mechanism.drives[at(group.index)]);
    } else {
      add(mechanism.joints[at(group.index)]);
    }
  }
  return out;
}

// Along and across each body of the joint that has exactly one other pin: from pin to pin. Bodies with more pins are
// named by the pin the direction leads to; the axes of the bodies come last.
void nameDirections(const Mechanism& mechanism, const std::vector<Ends>& ends,
                    const std::vector<std::vector<std::size_t>>& joints_on, std::size_t group,
                    std::span<const double> q, std::vector<NamedDirection>& out) {
  const auto add = [&](Vector d, const std::string& along, const std::string& across) {
    const double size = std::sqrt(dot(d, d));
    if (size < 1e-12) return;
    d = d * (1.0 / size);
    out.push_back({{d.x, d.y, 0.0}, along});
    out.push_back({{-d.y, d.x, 0.0}, across});
  };
  const Ends& here = ends[group];
  for (const bool second : {false, true}) {
    const BodyIndex body = second ? here.second : here.first;
    const Vector from = second ? here.on_second : here.on_first;
    if (!body.valid()) continue;
    std::vector<Vector> others;
    std::vector<std::size_t> other_groups;
    for (const std::size_t k : joints_on[body.at()]) {
      if (k == group) continue;
      for (const bool end : {false, true}) {
        if ((end ? ends[k].second : ends[k].first) != body) continue;
        const Vector d = (end ? ends[k].on_second : ends[k].on_first) - from;
        if (dot(d, d) < 1e-18) continue;
        others.push_back(d);
        other_groups.push_back(k);
      }
    }
    bool one_line = true;
    for (const Vector& d : others) {
      one_line =
          one_line && std::abs(cross(d, others[0])) <= kParallel * std::sqrt(dot(d, d) * dot(others[0], others[0]));
    }
    const std::string& name = mechanism.body(body).name;
    if (!others.empty() && one_line) {
      add(others[0], "along " + name, "across " + name);
      continue;
    }
    for (std::size_t k = 0; k < others.size() && k < 8; ++k) {
      const std::string& to = mechanism.joints[other_groups[k]].name;
      add(others[k], "towards " + to, "across the line to " + to);
    }
    const double angle = q[3 * body.at() + 2];
    add({std::cos(angle), std::sin(angle)}, "along the x axis of " + name, "along the y axis of " + name);
  }
}

// The length that turns are measured by: root mean square distance of the joints from the mass centres of their bodies.
// That of the whole mechanism would make long chains of short links look nearly singular.
double armLength(const Mechanism& mechanism, const std::vector<Ends>& ends, std::span<const double> q) {
  double sum = 0.0;
  int count = 0;
  const auto add = [&](BodyIndex body, const Vector& point) {
    if (!body.valid()) return;
    const Vector arm = point - Vector{q[3 * body.at()], q[3 * body.at() + 1]};
    if (dot(arm, arm) == 0.0) return;
    sum += dot(arm, arm);
    ++count;
  };
  for (const Ends& end : ends) {
    add(end.first, end.on_first);
    add(end.second, end.on_second);
  }
  const double whole = referenceLength(mechanism);
  const double length = count > 0 ? std::sqrt(sum / count) : 0.0;
  return length > 1e-6 * whole ? length : whole;
}

}  // namespace

MobilityProblem planarMobilityProblem(const Mechanism& mechanism, std::span<const double> q, double t) {
  const auto equations = std::make_shared<const PlanarEquations>(mechanism);
  const auto& set = equations->elements();
  MobilityProblem out;
  out.bodies = set.bodies;
  out.freedoms = 3;
  out.dimension = 2;
  const std::vector<Ends> ends = endsOfGroups(mechanism, set.groups, q);
  out.length = armLength(mechanism, ends, q);
  out.freedom_scale = {1.0, 1.0, out.length};
  out.pose.assign(q.begin(), q.end());
  out.row_start = equations->rowStart();
  out.row_bodies = equations->rowBodies();
  for (const Body& body : mechanism.bodies) out.body_names.push_back(body.name);
  std::vector<std::vector<std::size_t>> joints_on(mechanism.bodies.size());  // groups start with the joints, in order
  for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
    if (ends[k].first.valid()) joints_on[ends[k].first.at()].push_back(k);
    if (ends[k].second.valid()) joints_on[ends[k].second.at()].push_back(k);
  }
  auto work = equations->makeWork();
  equations->positions(t, q, work);
  for (std::size_t g = 0; g < set.groups.size(); ++g) {
    const RowGroup& from = set.groups[g];
    MobilityGroup group;
    group.name = from.name;
    group.is_drive = from.is_drive;
    group.first = ends[g].first.valid() ? ends[g].first.value() : -1;
    group.second = ends[g].second.valid() ? ends[g].second.value() : -1;
    group.first_row = from.first_row;
    group.rows = from.rows;
    group.point = {ends[g].on_first.x, ends[g].on_first.y, 0.0};
    nameDirections(mechanism, ends, joints_on, g, q, group.directions);
    out.groups.push_back(std::move(group));
  }
  for (int r = 0; r < set.rows; ++r) {
    const RowInfo& info = set.row_info[at(r)];
    const MobilityGroup& group = out.groups[at(info.group)];
    MobilityRow row{info.name, info.group, info.unit == RowUnit::angle ? out.length : 1.0, {}};
    // One block is enough: what acts on the other body is the opposite.
    const int p = out.row_start[at(r)];
    if (p < out.row_start[at(r) + 1]) {
      const int body = out.row_bodies[at(p)];
      const double sign = body == group.second ? 1.0 : -1.0;
      const double* block = &work.jacobian[at(3 * p)];
      const Vector force{block[0], block[1]};
      const Vector arm = Vector{q[at(3 * body)], q[at(3 * body + 1)]} - Vector{group.point[0], group.point[1]};
      row.wrench = {sign * force.x, sign * force.y, 0.0, 0.0, 0.0, sign * (block[2] + cross(arm, force))};
    }
    out.rows.push_back(std::move(row));
  }

  const auto shared_work = std::make_shared<PlanarEquations::Work>(std::move(work));
  out.evaluate = [equations, shared_work, t](std::span<const double> pose, std::span<double> phi,
                                             std::span<double> jacobian) {
    equations->positions(t, pose, *shared_work);
    std::copy(shared_work->phi.begin(), shared_work->phi.end(), phi.begin());
    std::copy(shared_work->jacobian.begin(), shared_work->jacobian.end(), jacobian.begin());
  };
  out.move = [](std::span<const double> step, std::span<double> pose) {
    for (std::size_t u = 0; u < step.size(); ++u) pose[u] += step[u];
  };
  return out;
}

bool isClosed(const MobilityProblem& problem, std::span<const double> q) {
  std::vector<double> phi(problem.rows.size());
  std::vector<double> jacobian(problem.row_bodies.size() * at(problem.freedoms));
  problem.evaluate(q, phi, jacobian);
  for (std::size_t r = 0; r < phi.size(); ++r) {
    if (!(std::abs(phi[r] * problem.rows[r].scale) <= 1e-8 * problem.length)) return false;
  }
  return true;
}

}  // namespace linkwork
