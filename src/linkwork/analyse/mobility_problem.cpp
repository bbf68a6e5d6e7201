#include "linkwork/analyse/mobility_problem.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include "linkwork/analyse/places.hpp"
#include "linkwork/formulation/absolute/absolute_system.hpp"

namespace linkwork {

namespace {

using V3 = Vec3<double>;

// RowDirections closer than this are one.
constexpr double kParallel = 1e-9;
// So many lines to other joints of a body get a name.
constexpr std::size_t kLinesNamed = 8;

double sizeOf(const V3& v) { return std::sqrt(dot(v, v)); }
std::array<double, 3> arrayOf(const V3& v) { return {v.x, v.y, v.z}; }

// A joint or drive: its bodies, and where its frames stand on each of them.
struct Ends {
  BodyIndex first, second;
  Place on_first, on_second;
  JointKind kind = JointKind::floating;  // of a drive: none that has an axis
};

std::vector<Ends> endsOfGroups(const Mechanism& mechanism, const std::vector<RowGroup>& groups,
                               std::span<const double> q) {
  std::vector<Ends> out;
  const auto add = [&](const auto& item) -> Ends& {
    out.push_back({item.first, item.second, placeOfFrame(mechanism, item.first, item.on_first, q),
                   placeOfFrame(mechanism, item.second, item.on_second, q)});
    return out.back();
  };
  for (const RowGroup& group : groups) {
    if (group.is_drive) {
      add(mechanism.drives[at(group.index)]);
    } else {
      const Joint& joint = mechanism.joints[at(group.index)];
      add(joint).kind = joint.kind;
    }
  }
  return out;
}

// The axis that a joint turns about or slides along, on its second body.
std::optional<V3> axisOf(const Ends& ends) {
  switch (ends.kind) {
    case JointKind::revolute:
    case JointKind::cylindrical:
    case JointKind::planar: return ends.on_second.R.z;
    case JointKind::prismatic:
    case JointKind::pin_slot:
    case JointKind::point_line: return ends.on_second.R.x;
    case JointKind::point_plane: return ends.on_second.R.z;
    default: return std::nullopt;
  }
}

// Collects directions of length one.
class RowDirections {
 public:
  RowDirections(bool spatial, std::optional<V3> axis, std::vector<NamedDirection>& out)
      : spatial_(spatial), axis_(axis), out_(out) {}

  void add(const V3& d, const std::string& words) {
    const double size = sizeOf(d);
    if (size >= 1e-12) out_.push_back({arrayOf(d * (1.0 / size)), words});
  }
  // Along a line, and across it: in space at right angles to the joint's axis too.
  void addLine(const V3& d, const std::string& along, const std::string& across) {
    add(d, along);
    if (!spatial_) {
      add({-d.y, d.x, 0.0}, across);
    } else if (axis_) {
      add(cross(*axis_, d), across + " and the joint's axis");
    }
  }

 private:
  bool spatial_;
  std::optional<V3> axis_;
  std::vector<NamedDirection>& out_;
};

// The joint's own axis first. Then along and across each body of the joint that has exactly one other pin: from pin to
// pin. Bodies with more pins are named by the pin the direction leads to; the axes of the bodies come last.
void nameDirections(const Mechanism& mechanism, const std::vector<Ends>& ends,
                    const std::vector<std::vector<std::size_t>>& joints_on, std::size_t group,
                    std::span<const double> q, std::vector<NamedDirection>& out) {
  const Ends& here = ends[group];
  const bool spatial = mechanism.space == Space::spatial;
  const std::optional<V3> axis = spatial ? axisOf(here) : std::nullopt;
  RowDirections directions(spatial, axis, out);
  if (axis) directions.add(*axis, "along the joint's axis");
  for (const bool second : {false, true}) {
    const BodyIndex body = second ? here.second : here.first;
    const V3 from = (second ? here.on_second : here.on_first).r;
    if (!body.valid()) continue;
    std::vector<V3> others;
    std::vector<std::size_t> other_groups;
    for (const std::size_t k : joints_on[body.at()]) {
      if (k == group) continue;
      for (const bool end : {false, true}) {
        if ((end ? ends[k].second : ends[k].first) != body) continue;
        const V3 d = (end ? ends[k].on_second : ends[k].on_first).r - from;
        if (dot(d, d) < 1e-18) continue;
        others.push_back(d);
        other_groups.push_back(k);
      }
    }
    const bool one_line = std::all_of(others.begin(), others.end(), [&](const V3& d) {
      return sizeOf(cross(d, others[0])) <= kParallel * sizeOf(d) * sizeOf(others[0]);
    });
    const std::string& name = mechanism.body(body).name;
    if (!others.empty() && one_line) {
      directions.addLine(others[0], "along " + name, "across " + name);
      if (!spatial) continue;
    }
    for (std::size_t k = 0; k < others.size() && k < kLinesNamed && !one_line; ++k) {
      const std::string& to = mechanism.joints[other_groups[k]].name;
      directions.addLine(others[k], "towards " + to, "across the line to " + to);
    }
    const Rotation3<double> axes = placeOfBody(mechanism, body, q).R;
    directions.add(axes.x, "along the x axis of " + name);
    directions.add(axes.y, "along the y axis of " + name);
    if (spatial) directions.add(axes.z, "along the z axis of " + name);
  }
  if (!spatial) return;
  for (const V3& e : {V3{1, 0, 0}, V3{0, 1, 0}, V3{0, 0, 1}}) directions.add(e, "");
}

// The length that turns are measured by: root mean square distance of the joints from the mass centres of their bodies.
// That of the whole mechanism would make long chains of short links look nearly singular.
double armLength(const Mechanism& mechanism, const std::vector<Ends>& ends, std::span<const double> q) {
  double sum = 0.0;
  int count = 0;
  const auto add = [&](BodyIndex body, const V3& point) {
    if (!body.valid()) return;
    const V3 arm = point - placeOfBody(mechanism, body, q).r;
    if (dot(arm, arm) == 0.0) return;
    sum += dot(arm, arm);
    ++count;
  };
  for (const Ends& end : ends) {
    add(end.first, end.on_first.r);
    add(end.second, end.on_second.r);
  }
  const double whole = referenceLength(mechanism);
  const double length = count > 0 ? std::sqrt(sum / count) : 0.0;
  return length > 1e-6 * whole ? length : whole;
}

// What a unit multiplier does to the body of a Jacobian block: force, and moment about a point, in ground axes.
template <class G>
std::array<double, 6> wrenchOf(const double* block, const Place& body, const V3& about) {
  V3 force;
  V3 moment;
  if constexpr (G::kSpatial) {
    force = {block[0], block[1], block[2]};
    moment = body.R * V3{block[3], block[4], block[5]};
  } else {
    force = {block[0], block[1], 0.0};
    moment = {0.0, 0.0, block[2]};
  }
  moment += cross(body.r - about, force);
  return {force.x, force.y, force.z, moment.x, moment.y, moment.z};
}

template <class G>
void addRows(const Mechanism& mechanism, const AbsoluteEquations<G>& equations,
             const typename AbsoluteEquations<G>::Work& work, std::span<const double> q, MobilityProblem& out) {
  const auto& set = equations.elements();
  for (int r = 0; r < set.rows; ++r) {
    const RowInfo& info = set.row_info[at(r)];
    const MobilityGroup& group = out.groups[at(info.group)];
    MobilityRow row{info.name, info.group, info.unit == RowUnit::angle ? out.length : 1.0, {}, info.level};
    // Where the second body is the ground, what acts on it is the opposite of what acts on the first.
    for (int p = out.row_start[at(r)]; p < out.row_start[at(r) + 1]; ++p) {
      const int body = out.row_bodies[at(p)];
      if (body != group.second && (group.second >= 0 || body != group.first)) continue;
      const V3 point{group.point[0], group.point[1], group.point[2]};
      row.wrench = wrenchOf<G>(&work.jacobian[at(G::kFreedoms * p)], placeOfBody(mechanism, BodyIndex(body), q), point);
      if (body != group.second) {
        for (double& value : row.wrench) value = -value;
      }
    }
    out.rows.push_back(std::move(row));
  }
}

template <class G>
MobilityProblem problemIn(const Mechanism& mechanism, std::span<const double> q, double t,
                          std::span<const double> turns) {
  const auto equations = std::make_shared<const AbsoluteEquations<G>>(mechanism);
  const auto& set = equations->elements();
  MobilityProblem out;
  out.bodies = set.bodies;
  out.freedoms = G::kFreedoms;
  out.dimension = G::kDimension;
  const std::vector<Ends> ends = endsOfGroups(mechanism, set.groups, q);
  out.length = armLength(mechanism, ends, q);
  out.freedom_scale.assign(at(G::kFreedoms), out.length);
  std::fill_n(out.freedom_scale.begin(), G::kDimension, 1.0);
  out.pose.assign(q.begin(), q.end());
  out.row_start = equations->rowStart();
  out.row_bodies = equations->rowBodies();
  for (const Body& body : mechanism.bodies) out.body_names.push_back(body.name);
  std::vector<std::vector<std::size_t>> joints_on(mechanism.bodies.size());  // groups start with the joints, in order
  for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
    if (ends[k].first.valid()) joints_on[ends[k].first.at()].push_back(k);
    if (ends[k].second.valid()) joints_on[ends[k].second.at()].push_back(k);
  }
  for (std::size_t g = 0; g < set.groups.size(); ++g) {
    const RowGroup& from = set.groups[g];
    MobilityGroup group;
    group.name = from.name;
    group.is_drive = from.is_drive;
    group.first = ends[g].first.valid() ? ends[g].first.value() : -1;
    group.second = ends[g].second.valid() ? ends[g].second.value() : -1;
    group.related = connectionOf(from, set.bodies).related;
    group.first_row = from.first_row;
    group.rows = from.rows;
    group.point = arrayOf(ends[g].on_first.r);
    nameDirections(mechanism, ends, joints_on, g, q, group.directions);
    out.groups.push_back(std::move(group));
  }
  auto work = equations->makeWork();
  if (!turns.empty()) work.turns.assign(turns.begin(), turns.end());
  equations->positions(t, q, work);
  addRows<G>(mechanism, *equations, work, q, out);

  const auto shared_work = std::make_shared<typename AbsoluteEquations<G>::Work>(std::move(work));
  out.evaluate = [equations, shared_work, t](std::span<const double> pose, std::span<double> phi,
                                             std::span<double> jacobian) {
    equations->positions(t, pose, *shared_work);
    std::copy(shared_work->phi.begin(), shared_work->phi.end(), phi.begin());
    std::copy(shared_work->jacobian.begin(), shared_work->jacobian.end(), jacobian.begin());
  };
  out.move = [](std::span<const double> step, std::span<double> pose) {
    for (std::size_t b = 0; b * G::kFreedoms < step.size(); ++b) {
      retract(G{}, pose.subspan(b * G::kCoordinates, G::kCoordinates), step.subspan(b * G::kFreedoms, G::kFreedoms));
    }
  };
  return out;
}

}  // namespace

MobilityProblem mobilityProblem(const Mechanism& mechanism, std::span<const double> q, double t,
                                std::span<const double> turns) {
  return mechanism.space == Space::spatial ? problemIn<Spatial<double>>(mechanism, q, t, turns)
                                           : problemIn<Planar<double>>(mechanism, q, t, turns);
}

std::vector<double> jacobianAt(const MobilityProblem& problem, std::span<const double> pose) {
  std::vector<double> phi(problem.rows.size());
  std::vector<double> jacobian(problem.row_bodies.size() * at(problem.freedoms));
  problem.evaluate(pose, phi, jacobian);
  return jacobian;
}

// The given rows of Phi_q, rows scaled to metres and columns to metres of displacement: pure numbers.
//   J_rc = s_r Phi_rc / s_c                                                     [docs/theory/02, eq. 2.2]
SparseRows scaledRows(const MobilityProblem& problem, std::span<const double> jacobian, const std::vector<int>& rows) {
  SparseRows out;
  std::map<int, int> column_of;
  for (const int r : rows) {
    for (int p = problem.row_start[at(r)]; p < problem.row_start[at(r) + 1]; ++p) {
      const int body = problem.row_bodies[at(p)];
      const int first = column_of.try_emplace(body, static_cast<int>(column_of.size())).first->second;
      for (int k = 0; k < problem.freedoms; ++k) {
        out.column.push_back(first * problem.freedoms + k);
        out.value.push_back(jacobian[at(p * problem.freedoms + k)] * problem.rows[at(r)].scale /
                            problem.freedom_scale[at(k)]);
      }
    }
    out.start.push_back(static_cast<int>(out.column.size()));
  }
  out.columns = problem.freedoms * static_cast<int>(column_of.size());
  return out;
}

SparseRows scaledRows(const MobilityProblem& problem, std::span<const double> q, RowLevel level) {
  std::vector<int> rows;
  for (int r = 0; r < static_cast<int>(problem.rows.size()); ++r) {
    if (level == RowLevel::velocity || problem.rows[at(r)].level == RowLevel::position) rows.push_back(r);
  }
  return scaledRows(problem, jacobianAt(problem, q), rows);
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
