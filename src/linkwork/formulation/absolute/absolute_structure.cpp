#include "linkwork/formulation/absolute/absolute_structure.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linkwork/topology/blocks.hpp"

namespace linkwork {

namespace {

// Masses and inertias below this share of the largest are treated as if they were zero: legal, held by the joints.
constexpr double kMassless = 1e-9;

// Beside the mean of all masses a lighter part than this loses digits that are its own.
constexpr double kLight = 1e-6;

// The mean of a body's masses and moments.
template <class G>
double sizeOf(const typename G::Inertia& body) {
  double trace = 0.0;
  const auto values = G::massValues(body);
  for (std::size_t e = 0; e < values.size(); ++e) {
    if (G::kMassEntries[e][0] == G::kMassEntries[e][1]) trace += values[e];
  }
  return trace / G::kFreedoms;
}

// For the rows of each part that hangs on the rest in one place (a bridge, or the loops of a block) and is light with
// all that it carries: the mass that it has; 0 for all others, and where there is none. In a loop with heavy bodies a
// light one is as good as massless, and its rows are as stiff as theirs.
template <class G>
std::vector<double> massesOfLightRows(const ElementSet<G>& set, const std::vector<Connection>& connections,
                                      const SpanningTree& tree) {
  std::vector<double> carried;  // by body: the greatest of itself and of all that hangs on it
  double mean = 0.0;
  for (const auto& body : set.body) {
    carried.push_back(sizeOf<G>(body));
    mean += carried.back() / static_cast<double>(set.bodies);
  }
  std::vector<int> deepest_first(at(set.bodies));
  std::iota(deepest_first.begin(), deepest_first.end(), 0);
  std::stable_sort(deepest_first.begin(), deepest_first.end(),
                   [&](int a, int b) { return tree.depth[at(a)] > tree.depth[at(b)]; });
  for (const int b : deepest_first) {
    if (const int parent = tree.parent[at(b)]; parent >= 0)
      carried[at(parent)] = std::max(carried[at(parent)], carried[at(b)]);
  }
  std::vector<double> out(at(set.rows), 0.0);
  for (const Block& block : biconnectedBlocks(set.bodies, connections)) {
    const auto depth = [&](int body) { return body < 0 ? -1 : tree.depth[at(body)]; };
    const int top =
        *std::min_element(block.bodies.begin(), block.bodies.end(), [&](int a, int b) { return depth(a) < depth(b); });
    double mass = 0.0;
    for (const int b : block.bodies) {
      if (b != top) mass = std::max(mass, carried[at(b)]);
    }
    if (!(mass < kLight * mean)) continue;
    for (const int c : block.connections) {
      const RowGroup& group = set.groups[at(c)];
      std::fill_n(out.begin() + group.first_row, group.rows, mass);
    }
  }
  return out;
}

}  // namespace

Connection connectionOf(const RowGroup& group, int bodies) {
  Connection out{group.i < bodies ? group.i : -1, group.j < bodies ? group.j : -1, group.related};
  for (int& body : out.related) body = body < bodies ? body : -1;
  if (group.holdsVelocitiesAlone()) out = {-1, -1, {out.first, out.second}};
  return out;
}

template <class G>
KktStructure kktStructure(const AbsoluteEquations<G>& equations) {
  const auto& set = equations.elements();
  KktStructure s;
  s.freedoms = G::kFreedoms;
  s.bodies = set.bodies;
  s.mass_entries.assign(G::kMassEntries.begin(), G::kMassEntries.end());
  s.row_start = equations.rowStart();
  s.row_bodies = equations.rowBodies();
  // So light beside the heaviest that dividing by it would drown the rows of its joints in round-off.
  std::array<double, G::kFreedoms> largest{};
  const auto diagonal = [](const typename G::Inertia& body) {
    std::array<double, G::kFreedoms> out{};
    const auto values = G::massValues(body);
    for (std::size_t e = 0; e < values.size(); ++e) {
      if (G::kMassEntries[e][0] == G::kMassEntries[e][1]) out[at(G::kMassEntries[e][0])] = values[e];
    }
    return out;
  };
  for (const auto& body : set.body) {
    const auto own = diagonal(body);
    for (std::size_t k = 0; k < own.size(); ++k) largest[k] = std::max(largest[k], own[k]);
  }
  // Moments of inertia about different axes are of one kind.
  const double stiffest = *std::max_element(largest.begin() + G::kDimension, largest.end());
  std::fill(largest.begin() + G::kDimension, largest.end(), stiffest);
  const bool massless = std::any_of(set.body.begin(), set.body.end(), [&](const auto& body) {
    const auto own = diagonal(body);
    bool light = false;
    for (std::size_t k = 0; k < own.size(); ++k) light = light || own[k] <= kMassless * largest[k];
    return light;
  });
  s.mass = massless ? MassMatrix::augmented : MassMatrix::definite;

  // Rows of velocities alone come last: which rows of positions depend on each other is then seen without them.
  std::vector<Connection> connections;
  for (const RowGroup& group : set.groups) {
    connections.push_back(connectionOf(group, set.bodies));
  }
  const SpanningTree tree = planSpanningTree(set.bodies, connections);
  if (massless) s.row_mass = massesOfLightRows<G>(set, connections, tree);
  std::vector<int> last;
  for (const int node : eliminationOrder(tree, connections)) {
    if (node < set.bodies) {
      s.order.push_back(node);
    } else {
      const RowGroup& group = set.groups[at(node - set.bodies)];
      for (int r = group.first_row; r < group.first_row + group.rows; ++r) {
        (equations.level(r) == RowLevel::velocity ? last : s.order).push_back(set.bodies + r);
      }
    }
  }
  s.order.insert(s.order.end(), last.begin(), last.end());
  return s;
}

template <class G>
void fillMass(const AbsoluteEquations<G>& equations, std::span<double> mass) {
  std::size_t next = 0;
  for (const auto& body : equations.elements().body) {
    for (const double value : G::massValues(body)) mass[next++] = value;
  }
}

namespace {

// point_of gives a body's point, in body axes, in ground axes.
template <class PointOf>
double lengthOf(const Mechanism& mechanism, PointOf&& point_of) {
  // Joints in ground axes, and how far each is from its body's centre of mass.
  std::vector<Vec3<double>> points;
  double longest_arm = 0.0;
  for (const Joint& joint : mechanism.joints) {
    const Rolling& rolling = joint.rolling;  // touches as far from the centre as it is large
    for (const Value* size : {&rolling.radius, &rolling.semi_axes[0], &rolling.semi_axes[1], &rolling.semi_axes[2]}) {
      longest_arm = std::max(longest_arm, size->number);
    }
    const bool on_first = joint.first.valid();
    const Frame& frame = on_first ? joint.on_first : joint.on_second;
    const BodyIndex index = on_first ? joint.first : joint.second;
    if (!index.valid()) continue;
    const Body& body = mechanism.body(index);
    const auto vector = [](const Point& p) { return Vec3<double>{p[0].number, p[1].number, p[2].number}; };
    const Vec3<double> point = vector(frame.point);
    const Vec3<double> arm = point - vector(body.com);
    longest_arm = std::max(longest_arm, std::sqrt(dot(arm, arm)));
    points.push_back(point_of(index, point));
  }
  Vec3<double> centre;
  for (const auto& point : points) centre += point * (1.0 / static_cast<double>(points.size()));
  double sum = 0.0;
  for (const auto& point : points) sum += dot(point - centre, point - centre);
  const double rms = points.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(points.size()));
  // All joints in one place: the arm of a body is the size to go by.
  const double length = rms > 1e-9 * longest_arm ? rms : longest_arm;
  return length > 0.0 ? length : 1.0;
}

}  // namespace

double referenceLength(const Mechanism& mechanism) {
  return lengthOf(mechanism, [&](BodyIndex index, const Vec3<double>& point) {
    const Body& body = mechanism.body(index);
    const Quaternion& q = body.drawn.rotation;
    const auto R =
        Rotation3<double>::aboutZ(body.drawn.angle) * Rotation3<double>::fromQuaternion(q[0], q[1], q[2], q[3]);
    return Vec3<double>{body.drawn.x, body.drawn.y, body.drawn.z} + R * point;
  });
}

double referenceLength(const Mechanism& mechanism, std::span<const double> q) {
  const bool spatial = mechanism.space == Space::spatial;
  return lengthOf(mechanism, [&](BodyIndex index, const Vec3<double>& point) {
    const Point& com = mechanism.body(index).com;
    const Vec3<double> arm = point - Vec3<double>{com[0].number, com[1].number, com[2].number};
    if (!spatial) {
      const double* own = &q[3 * index.at()];
      return Vec3<double>{own[0], own[1], 0.0} + Rotation3<double>::aboutZ(own[2]) * arm;
    }
    const double* own = &q[7 * index.at()];
    return Vec3<double>{own[0], own[1], own[2]} +
           Rotation3<double>::fromQuaternion(own[3], own[4], own[5], own[6]) * arm;
  });
}

template KktStructure kktStructure(const PlanarEquations&);
template KktStructure kktStructure(const SpatialEquations&);
template void fillMass(const PlanarEquations&, std::span<double>);
template void fillMass(const SpatialEquations&, std::span<double>);

}  // namespace linkwork
