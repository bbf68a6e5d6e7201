#include "linkwork/simulate/body_actions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>
#include <utility>

#include "linkwork/formulation/absolute/equations.hpp"
#include "linkwork/simulate/axis_names.hpp"

namespace linkwork {

namespace {

using V3 = Vec3<double>;

// A component below this share of the greatest force (times the length of a metre, of the greatest moment) is
// rounding of zero.
constexpr double kRounding = 1e-13;

std::vector<std::string> vectorNames(const std::string& base, bool in_space) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < (in_space ? 3U : 2U); ++k) names.push_back(fmt::format("{}.{}", base, kAxes[k]));
  return names;
}
std::vector<std::string> momentNames(const std::string& base, bool in_space) {
  return in_space ? vectorNames(base, true) : std::vector{base};
}
bool recorded(const Result& result, const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(), [&](const auto& name) { return result.find(name) != nullptr; });
}

std::array<double, 3> numbers(const Point& point) { return {point[0].number, point[1].number, point[2].number}; }

// ---- What stands in the result

void addReaction(const Mechanism& mechanism, const Result& result, int index, std::vector<BodyAction>& out) {
  const Joint& joint = mechanism.joints[at(index)];
  const bool in_space = mechanism.space == Space::spatial;
  const auto force = vectorNames(joint.name + ".force", in_space);
  if (isRelation(joint.kind) || joint.kind == JointKind::rolling || !recorded(result, force)) return;
  for (const bool second : {false, true}) {
    BodyAction action;
    action.index = index;
    action.body = second ? joint.second : joint.first;
    action.from = second ? joint.first : joint.second;
    if (!action.body.valid()) continue;
    action.point = numbers((second ? joint.on_second : joint.on_first).point);
    action.force_names = force;
    action.force_sign = second ? 1.0 : -1.0;
    // The moment on the first body is a series of its own, about that body's point.
    const auto moment = momentNames(joint.name + (second ? ".moment" : ".moment_on_first"), in_space);
    if (recorded(result, moment)) action.moment_names = moment;
    out.push_back(std::move(action));
  }
}

// Of a load, its series that are a force or a moment in ground axes; others are resolved.
std::vector<std::string> namedParts(const Mechanism& mechanism, const Load& load, bool moment) {
  const bool in_space = mechanism.space == Space::spatial;
  std::vector<std::string> names;
  for (const LoadScalar& scalar : scalarsOf(mechanism.space, load)) {
    // In the plane the z axis of a frame is the ground's.
    const LoadPart part = !in_space && scalar.part == LoadPart::moment_about_z ? LoadPart::moment : scalar.part;
    if (part == (moment ? LoadPart::moment : LoadPart::force)) names.push_back(load.name + "." + scalar.label);
  }
  return names;
}

bool isNamed(const Mechanism& mechanism, const Load& load) {
  return !namedParts(mechanism, load, false).empty() || !namedParts(mechanism, load, true).empty();
}

// A force acts on the second body alone; a moment has its opposite on the first.
void addNamedLoad(const Mechanism& mechanism, const Result& result, int index, std::vector<BodyAction>& out) {
  const Load& load = mechanism.loads[at(index)];
  if (!isNamed(mechanism, load)) return;
  const auto force = namedParts(mechanism, load, false);
  const auto moment = namedParts(mechanism, load, true);
  if (!recorded(result, force) || !recorded(result, moment)) return;
  for (const bool second : {false, true}) {
    BodyAction action;
    action.of = ActionOf::load;
    action.index = index;
    action.body = second ? load.second : load.first;
    if (!action.body.valid() || (!second && moment.empty())) continue;
    if (!moment.empty()) action.from = second ? load.first : load.second;
    action.point = numbers((second ? load.on_second : load.on_first).point);
    if (second) action.force_names = force;
    action.moment_names = moment;
    action.moment_sign = second ? 1.0 : -1.0;
    out.push_back(std::move(action));
  }
}

// ---- What is resolved

// Vectors of the plane and of space, both as vectors of space; moments of a wrench are in axes of the freedoms.
V3 inSpace(const Vec2<double>& v) { return {v.x, v.y, 0.0}; }
V3 inSpace(const V3& v) { return v; }
V3 momentInGround(const Planar<double>::Position& /*x*/, double m) { return {0.0, 0.0, m}; }
V3 momentInGround(const Spatial<double>::Position& x, const V3& m) { return x.R * m; }

template <class G>
class Resolver {
 public:
  Resolver(const Mechanism& mechanism, const Result& result)
      : mechanism_(mechanism), result_(result), equations_(mechanism), work_(equations_.makeWork()) {
    for (const Body& body : mechanism.bodies) poses_.push_back(poseOf(body));
  }

  void resolve(std::vector<BodyAction>& out) {
    if (std::any_of(poses_.begin(), poses_.end(), [](const auto& pose) { return pose.empty(); })) return;
    makeSlots();
    if (slots_.empty()) return;
    for (std::size_t n = 0; n < result_.time.size(); ++n) sample(n);
    for (Slot& slot : slots_) {
      dropZeros(slot.action.force, slot.action.moment);
      out.push_back(std::move(slot.action));
    }
  }

 private:
  struct Slot {
    BodyAction action;
    typename G::Wrench wrench;  // about the centre of mass, of the sample at hand
  };

  std::vector<const Series*> poseOf(const Body& body) const {
    std::vector<const Series*> pose;
    std::vector<std::string> labels{"x", "y", "angle"};
    if (G::kSpatial) labels = {"x", "y", "z", "orientation.w", "orientation.x", "orientation.y", "orientation.z"};
    for (const std::string& label : labels) pose.push_back(result_.find(fmt::format("{}.{}", body.name, label)));
    if (std::find(pose.begin(), pose.end(), nullptr) != pose.end()) pose.clear();
    return pose;
  }

  const Series* find(const std::string& group, const char* label) const {
    return result_.find(fmt::format("{}.{}", group, label));
  }

  int slotFor(ActionOf of, int index, int body, BodyIndex from, const Point& point) {
    if (body >= equations_.bodies()) return -1;  // the ground
    Slot slot;
    slot.action.of = of;
    slot.action.index = index;
    slot.action.body = BodyIndex(body);
    slot.action.from = from;
    slot.action.point = numbers(point);
    slot.action.force.resize(G::kDimension);
    slot.action.moment.resize(G::kSpatial ? 3 : 1);
    slots_.push_back(std::move(slot));
    return static_cast<int>(slots_.size()) - 1;
  }

  // Fills the wrenches of a part's slots at the sample n.
  using Fill = std::function<void(std::size_t n)>;

  typename G::Wrench& wrench(int slot) { return slot < 0 ? ground_ : slots_[at(slot)].wrench; }
  PairPosition<G> pair(int i, int j) const { return {work_.x[at(i)], work_.x[at(j)]}; }

  void makeSlots() {
    const ElementSet<G>& set = equations_.elements();
    for (const RowGroup& group : set.groups) addRows(group);
    for (std::size_t k = 0; k < mechanism_.joints.size(); ++k) {
      if (mechanism_.joints[k].kind == JointKind::rolling) addRolling(static_cast<int>(k));
    }
    forEachLoad(set, [this](const auto& placed) { this->addLoad(placed); });
  }

  // A drive, or a joint that is a relation: the row times the effort.
  void addRows(const RowGroup& group) {
    if (group.rows == 0 || (!group.is_drive && !isRelation(mechanism_.joints[at(group.index)].kind))) return;
    const Series* effort = find(group.name, "effort");
    if (effort == nullptr) return;
    const int row = group.first_row + group.rows - 1;
    for (int p = equations_.rowStart()[at(row)]; p < equations_.rowStart()[at(row) + 1]; ++p) {
      const int body = equations_.rowBodies()[at(p)];
      int slot = -1;
      if (group.is_drive) {
        const Drive& drive = mechanism_.drives[at(group.index)];
        const bool second = drive.second.valid() && drive.second.value() == body;
        slot = slotFor(ActionOf::drive, group.index, body, second ? drive.first : drive.second,
                       (second ? drive.on_second : drive.on_first).point);
      } else if (body < equations_.bodies()) {
        slot = slotFor(ActionOf::joint, group.index, body, BodyIndex(), mechanism_.bodies[at(body)].com);
      }
      if (slot < 0) continue;
      fills_.push_back([this, p, slot, effort](std::size_t n) {
        typename G::RowBlock block{};
        for (int k = 0; k < G::kFreedoms; ++k) block[at(k)] = work_.jacobian[at(G::kFreedoms * p + k)];
        wrench(slot) += wrenchOf<G>(block, effort->values[n]);
      });
    }
  }

  // Acts where the bodies touch, which is no point of either: brought to their frames.
  void addRolling(int index) {
    const Joint& joint = mechanism_.joints[at(index)];
    std::vector<const Series*> series;
    for (const char* vector : {"force", "contact", "moment"}) {
      for (const std::string& axis : vectorNames(vector, G::kSpatial)) series.push_back(find(joint.name, axis.c_str()));
    }
    constexpr auto kSize = static_cast<std::size_t>(G::kDimension);
    if (std::find(series.begin(), series.begin() + 2 * G::kDimension, nullptr) != series.begin() + 2 * G::kDimension)
      return;
    for (const bool second : {false, true}) {
      const BodyIndex body = second ? joint.second : joint.first;
      if (!body.valid()) continue;
      const int slot = slotFor(ActionOf::joint, index, body.value(), second ? joint.first : joint.second,
                               (second ? joint.on_second : joint.on_first).point);
      fills_.push_back([this, series, slot, body, sign = second ? 1.0 : -1.0](std::size_t n) {
        const auto vectorAt = [&](std::size_t first) {
          Point p{};
          for (std::size_t k = 0; k < kSize; ++k) {
            if (series[first + k] != nullptr) p[k] = Value(series[first + k]->values[n]);
          }
          return vectorOf(p);
        };
        const auto& x = work_.x[body.at()];
        wrench(slot) += G::forceAt(x, x.R.inverseTimes(vectorAt(kSize) - x.r), vectorAt(0) * sign);
        if constexpr (G::kSpatial) wrench(slot).moment += x.R.inverseTimes(vectorAt(2 * kSize) * sign);
      });
    }
  }

  std::pair<int, int> slotsOf(int load_index, int i, int j) {
    const Load& load = mechanism_.loads[at(load_index)];
    // An element may name the bodies the other way round than the load.
    const bool straight = !load.second.valid() || load.second.value() == j;
    const auto slot = [&](int body, bool second) {
      return slotFor(ActionOf::load, load_index, body, second ? load.first : load.second,
                     (second ? load.on_second : load.on_first).point);
    };
    const int on_i = slot(i, !straight);
    return {on_i, slot(j, straight)};
  }

  // Its recorded scalars, and the pose, are enough to have its wrenches back.
  template <class E>
  void addLoad(const PlacedLoad<E>& placed) {
    if (placed.load < 0) return;  // the springs of a joint, whose reaction stands in the result
    const Load& load = mechanism_.loads[at(placed.load)];
    if (isNamed(mechanism_, load)) return;
    const std::vector<LoadScalar> scalars = scalarsOf(mechanism_.space, load);
    std::vector<const Series*> series;
    for (int k = 0; k < E::kScalars; ++k)
      series.push_back(find(load.name, scalars[at(placed.scalar + k)].label.c_str()));
    if (std::find(series.begin(), series.end(), nullptr) != series.end()) return;
    const auto [on_i, on_j] = slotsOf(placed.load, placed.i, placed.j);
    fills_.push_back([this, i = on_i, j = on_j, series, &placed](std::size_t n) {
      std::array<double, E::kScalars> values{};
      for (std::size_t k = 0; k < values.size(); ++k) values[k] = series[k]->values[n];
      const PairPosition<G> x = pair(placed.i, placed.j);
      placed.element.apply(x, placed.element.exerting(x, values), wrench(i), wrench(j));
    });
  }

  void place(std::size_t n) {
    for (std::size_t b = 0; b < poses_.size(); ++b) {
      std::array<double, G::kCoordinates> q{};
      for (std::size_t k = 0; k < q.size(); ++k) q[k] = poses_[b][k]->values[n];
      auto& x = work_.x[b] = G::position(q);
      x.r += x.R * vectorOf(mechanism_.bodies[b].com);  // recorded is the origin
    }
    equations_.positions(result_.time[n], work_);
    equations_.followTurns(work_);
  }

  static typename G::Vector vectorOf(const Point& p) {
    if constexpr (G::kSpatial) {
      return {p[0].number, p[1].number, p[2].number};
    } else {
      return {p[0].number, p[1].number};
    }
  }

  void sample(std::size_t n) {
    place(n);
    for (Slot& slot : slots_) slot.wrench = {};
    for (const Fill& fill : fills_) fill(n);
    for (Slot& slot : slots_) {
      const BodyAction& action = slot.action;
      const auto& x = work_.x[action.body.at()];
      const Point& com = mechanism_.body(action.body).com;
      const V3 force = inSpace(slot.wrench.force);
      typename G::Vector arm = -vectorOf(com);
      arm += vectorOf({Value(action.point[0]), Value(action.point[1]), Value(action.point[2])});
      // M_P = M_C - (P - C) x F
      const V3 moment = momentInGround(x, slot.wrench.moment) - cross(inSpace(x.R * arm), force);
      for (int k = 0; k < G::kDimension; ++k) slot.action.force[at(k)].push_back(force[k]);
      for (std::size_t k = 0; k < action.moment.size(); ++k)
        slot.action.moment[k].push_back(moment[G::kSpatial ? static_cast<int>(k) : 2]);
    }
  }

  static double greatest(const std::vector<std::vector<double>>& columns) {
    double size = 0.0;
    for (const auto& column : columns) {
      for (const double value : column) size = std::max(size, std::abs(value));
    }
    return size;
  }
  static void dropZeros(std::vector<std::vector<double>>& force, std::vector<std::vector<double>>& moment) {
    const double size = std::max(greatest(force), greatest(moment));
    for (auto* columns : {&force, &moment}) {
      if (greatest(*columns) <= kRounding * size) columns->clear();
    }
  }

  const Mechanism& mechanism_;
  const Result& result_;
  AbsoluteEquations<G> equations_;
  typename AbsoluteEquations<G>::Work work_;
  std::vector<std::vector<const Series*>> poses_;
  std::vector<Slot> slots_;
  std::vector<Fill> fills_;
  typename G::Wrench ground_;
};

}  // namespace

std::vector<BodyAction> bodyActions(const Mechanism& mechanism, const Result& result) {
  std::vector<BodyAction> out;
  for (std::size_t k = 0; k < mechanism.joints.size(); ++k) addReaction(mechanism, result, static_cast<int>(k), out);
  for (std::size_t k = 0; k < mechanism.loads.size(); ++k) addNamedLoad(mechanism, result, static_cast<int>(k), out);
  if (mechanism.space == Space::spatial) {
    Resolver<Spatial<double>>(mechanism, result).resolve(out);
  } else {
    Resolver<Planar<double>>(mechanism, result).resolve(out);
  }
  std::stable_sort(out.begin(), out.end(), [](const BodyAction& a, const BodyAction& b) {
    // Among the loads, which come kind by kind, in the order of the file.
    const auto place = [](const BodyAction& c) {
      return std::tuple(c.body.value(), c.of, c.of == ActionOf::load ? c.index : 0);
    };
    return place(a) < place(b);
  });
  return out;
}

}  // namespace linkwork
