#include "linkwork/analyse/branches.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <random>

#include "linkwork/analyse/mobility_problem.hpp"
#include "linkwork/analyse/places.hpp"
#include "linkwork/analyse/pose_mover.hpp"
#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/model/drive_of.hpp"
#include "linkwork/model/walk.hpp"
#include "linkwork/topology/blocks.hpp"

namespace linkwork {

namespace {

using V3 = Vec3<double>;
constexpr double kPi = std::numbers::pi;

// Poses nearer than this, in lengths of an arm and radians, are one. A pose at which the loop just closes is found only
// to the root of round-off.
constexpr double kSamePose = 1e-5;
// A bend smaller than this is none.
constexpr double kStraight = 1e-6;
// Assemblies that can still move come in families; a few stand for them.
constexpr int kMovingShown = 3;

// In (-pi, pi]; half a turn is +pi, also where round-off put it just beyond.
double wrapped(double angle) {
  const double out = angle - 2.0 * kPi * std::ceil(angle / (2.0 * kPi) - 0.5);
  return out < -kPi + 1e-9 ? out + 2.0 * kPi : out;
}

// Round-off is not worth printing.
double tidy(double value) { return std::abs(value) < 1e-12 ? 0.0 : value; }

// A loop as a mechanism of its own. Without the ground among its bodies, the first of them takes the ground's place.
struct Loop {
  Mechanism mechanism;
  std::vector<double> q;
  std::vector<int> bodies, joints;  // in the whole mechanism
};

class LoopMaker {
 public:
  LoopMaker(const Mechanism& whole, std::span<const double> q, const Block& block) : whole_(whole), q_(q) {
    out_.mechanism.space = whole.space;
    out_.mechanism.lifted = whole.lifted;
    const bool grounded = block.bodies.front() < 0;
    if (!grounded) anchor_ = block.bodies.front();
    for (const int b : block.bodies) {
      if (b < 0 || b == anchor_) continue;
      place_[b] = static_cast<int>(out_.bodies.size());
      out_.bodies.push_back(b);
      Body body = whole.bodies[at(b)];
      body.drawn = poseOfBody(whole, BodyIndex(b), q);
      out_.mechanism.bodies.push_back(std::move(body));
      const int n = coordinatesPerBody(whole);
      out_.q.insert(out_.q.end(), q.begin() + n * b, q.begin() + n * (b + 1));
    }
    out_.mechanism.parameters = whole.parameters;
    for (const int k : block.connections) {
      Joint joint = whole.joints[at(k)];
      moveEnds(joint);
      out_.mechanism.joints.push_back(std::move(joint));
      out_.joints.push_back(k);
    }
    for (Joint& joint : out_.mechanism.joints) {
      walk(joint, Visitor{[this](Quantity& quantity) { quantity = *own(quantity); }, kPassOver});
    }
    for (Drive drive : whole.drives) {
      if (!has(drive.first) || !has(drive.second)) continue;
      if (!grounded && drive.kind == DriveKind::coordinate) continue;
      moveEnds(drive);
      out_.mechanism.drives.push_back(std::move(drive));
    }
  }

  const Loop& loop() const { return out_; }

  // A position given in the model file as a quantity of the loop; nullopt if it is about something else.
  std::optional<Quantity> own(const Quantity& quantity) const {
    switch (quantity.kind) {
      case QuantityKind::body_x:
      case QuantityKind::body_y:
      case QuantityKind::body_z:
      case QuantityKind::body_angle: {
        const auto found = place_.find(quantity.index);
        if (anchor_ >= 0 || found == place_.end()) return std::nullopt;
        return Quantity{quantity.kind, found->second};
      }
      case QuantityKind::joint_angle:
      case QuantityKind::joint_slide: {
        const auto found = std::find(out_.joints.begin(), out_.joints.end(), quantity.index);
        if (found == out_.joints.end()) return std::nullopt;
        return Quantity{quantity.kind, static_cast<int>(found - out_.joints.begin())};
      }
      default: return std::nullopt;
    }
  }

 private:
  bool has(BodyIndex body) const {
    if (!body.valid()) return anchor_ < 0;
    return body.value() == anchor_ || place_.count(body.value()) > 0;
  }
  template <class Part>
  void moveEnds(Part& part) const {
    walk(part, Visitor{[this](BodyIndex& body, Frame& frame) { move(body, frame); }, kPassOver});
  }
  // The body by its number in the loop; a frame on the anchor as a frame on the ground.
  void move(BodyIndex& body, Frame& frame) const {
    if (!body.valid()) return;
    if (body.value() != anchor_) {
      body = BodyIndex(place_.at(body.value()));
      return;
    }
    const V3 point = placeOfFrame(whole_, body, frame, q_).r;
    const Pose pose = poseOfBody(whole_, body, q_);
    frame.point = {Value(point.x), Value(point.y), Value(point.z)};
    if (whole_.space == Space::planar) {
      frame.angle = Value(frame.angle.number + pose.angle);
    } else {
      const double half = 0.5 * frame.angle.number;
      const Quaternion about_z{std::cos(half), 0.0, 0.0, std::sin(half)};
      frame.rotation = product(pose.rotation, product(about_z, frame.rotation));
      frame.angle = Value(0.0);
    }
    body = kGround;
  }

  const Mechanism& whole_;
  std::span<const double> q_;
  int anchor_ = -1;
  std::map<int, int> place_;
  Loop out_;
};

// The angle and the slide of a joint, as far as it has them.
std::vector<Quantity> coordinatesOf(const Mechanism& mechanism, std::size_t joint) {
  std::vector<Quantity> out;
  const JointKind kind = mechanism.joints[joint].kind;
  if (hasAngle(kind)) out.push_back({QuantityKind::joint_angle, static_cast<int>(joint)});
  if (hasSlide(kind)) out.push_back({QuantityKind::joint_slide, static_cast<int>(joint)});
  return out;
}

template <class G>
double valueIn(const Mechanism& mechanism, const Quantity& quantity, std::span<const double> q) {
  const NamedQuantity<G> named = compileQuantity<G>(mechanism, quantity);
  std::vector<typename G::Position> x;
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    x.push_back(G::position(q.subspan(b * G::kCoordinates, G::kCoordinates)));
  }
  x.emplace_back();
  const typename G::Velocity still{};
  return named.value(0.0, {x[at(named.i)], x[at(named.j)]}, {still, still});
}

double valueOf(const Mechanism& mechanism, const Quantity& quantity, std::span<const double> q) {
  return mechanism.space == Space::spatial ? valueIn<Spatial<double>>(mechanism, quantity, q)
                                           : valueIn<Planar<double>>(mechanism, quantity, q);
}

int velocitiesAt(const MobilityProblem& problem, std::span<const double> q) {
  return problem.bodies * problem.freedoms - decideRank(scaledRows(problem, q, RowLevel::position)).rank;
}

std::string heldText(const Mechanism& mechanism, const Quantity& quantity, double value) {
  const std::string name = quantityName(mechanism, quantity);
  if (quantityUnit(mechanism, quantity) == "rad")
    return fmt::format("{} = {:.6g} deg", name, wrapped(value) * 180.0 / kPi);
  return fmt::format("{} = {:.6g} m", name, value);
}

// Holds what the model gives, then as many joint coordinates as it takes to stop the loop: first those on the ground.
std::vector<std::string> holdInputs(const Mechanism& whole, const LoopMaker& maker, Loop& loop) {
  Mechanism& m = loop.mechanism;
  std::vector<std::string> held;
  held.reserve(m.drives.size() + 1);
  for (const Drive& drive : m.drives) held.push_back(fmt::format("drive {} at t = 0", drive.name));
  std::vector<Quantity> candidates;
  for (const InitialValue& initial : whole.initial) {
    if (const auto own = maker.own(initial.quantity)) candidates.push_back(*own);
  }
  for (const bool on_ground : {true, false}) {
    for (std::size_t k = 0; k < m.joints.size(); ++k) {
      const bool touches = !m.joints[k].first.valid() || !m.joints[k].second.valid();
      if (touches != on_ground) continue;
      for (const Quantity& quantity : coordinatesOf(m, k)) candidates.push_back(quantity);
    }
  }
  int left = velocitiesAt(mobilityProblem(m, loop.q), loop.q);
  for (const Quantity& quantity : candidates) {
    if (left == 0) break;
    const double value = valueOf(m, quantity, loop.q);
    Drive drive = driveOf(m, quantity, Expr(value));
    drive.name = quantityName(m, quantity);
    m.drives.push_back(std::move(drive));
    const int now = velocitiesAt(mobilityProblem(m, loop.q), loop.q);
    if (now == left) {
      m.drives.pop_back();
      continue;
    }
    left = now;
    held.push_back(heldText(m, quantity, value));
  }
  return held;
}

// Which way the links turn at a pin of the plane, from a neighbouring pin of the first body to one of the second; 0 if
// there are none.
int bendAt(const Mechanism& m, std::size_t joint, std::span<const double> q) {
  if (m.joints[joint].kind != JointKind::revolute || m.space == Space::spatial) return 0;
  const auto neighbour = [&](BodyIndex body) -> std::optional<V3> {
    for (std::size_t k = 0; k < m.joints.size(); ++k) {
      if (k == joint || m.joints[k].kind != JointKind::revolute) continue;
      if (m.joints[k].first == body) return placeOfFrame(m, body, m.joints[k].on_first, q).r;
      if (m.joints[k].second == body) return placeOfFrame(m, body, m.joints[k].on_second, q).r;
    }
    return std::nullopt;
  };
  const auto before = neighbour(m.joints[joint].first);
  const auto after = neighbour(m.joints[joint].second);
  if (!before || !after) return 0;
  const V3 here = placeOfFrame(m, m.joints[joint].first, m.joints[joint].on_first, q).r;
  const V3 in = here - *before;
  const V3 out = *after - here;
  const double size = std::sqrt(dot(in, in) * dot(out, out));
  const double turn = size > 0.0 ? cross(in, out).z / size : 0.0;
  return turn > kStraight ? 1 : turn < -kStraight ? -1 : 0;
}

BranchAssembly describe(const Loop& loop, std::vector<double> q) {
  BranchAssembly out;
  for (std::size_t k = 0; k < loop.joints.size(); ++k) {
    for (const Quantity& quantity : coordinatesOf(loop.mechanism, k)) {
      BranchJoint entry;
      entry.joint = loop.joints[k];
      entry.is_angle = quantity.kind == QuantityKind::joint_angle;
      entry.value = valueOf(loop.mechanism, quantity, q);
      if (entry.is_angle) entry.value = wrapped(entry.value);
      entry.value = tidy(entry.value);
      entry.bend = bendAt(loop.mechanism, k, q);
      out.joints.push_back(entry);
    }
  }
  out.q = std::move(q);
  return out;
}

void compareWithDrawn(const Mechanism& whole, const BranchAssembly& drawn, double length, BranchAssembly& other) {
  std::vector<std::string> marks;  // bends and slides
  std::vector<std::string> changes;
  const auto side = [](int bend) { return bend > 0 ? "left" : bend < 0 ? "right" : "straight"; };
  for (std::size_t k = 0; k < other.joints.size(); ++k) {
    BranchJoint& joint = other.joints[k];
    const BranchJoint& before = drawn.joints[k];
    const double change = joint.is_angle ? wrapped(joint.value - before.value) : (joint.value - before.value) / length;
    joint.differs = std::abs(change) > kSamePose;
    const std::string& name = whole.joints[at(joint.joint)].name;
    if (joint.bend != before.bend) {
      marks.push_back(fmt::format("{} bends {} instead of {}", name, side(joint.bend), side(before.bend)));
    }
    if (joint.differs && !joint.is_angle) {
      marks.push_back(fmt::format("{} at {:.6g} m instead of {:.6g} m", name, joint.value, before.value));
    }
    if (joint.differs) changes.push_back(name);
  }
  other.words = !marks.empty()     ? fmt::format("{}", fmt::join(marks, ", "))
                : !changes.empty() ? fmt::format("other values at {}", fmt::join(changes, ", "))
                                   : "bodies stand elsewhere";
}

// Poses of bodies, up to whole turns.
bool samePose(const Mechanism& m, const std::vector<double>& a, const std::vector<double>& b, double length) {
  for (int k = 0; k < static_cast<int>(m.bodies.size()); ++k) {
    const Place one = placeOfBody(m, BodyIndex(k), a);
    const Place other = placeOfBody(m, BodyIndex(k), b);
    const V3 off[] = {(one.r - other.r) * (1.0 / length), one.R.x - other.R.x, one.R.y - other.R.y};
    for (const V3& d : off) {
      if (std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}) > kSamePose) return false;
    }
  }
  return true;
}

// Joint coordinates and places of joints: the same for all poses of a body that only spins where nothing sees it, such
// as a rod between two balls.
bool sameJoints(const Mechanism& m, const BranchAssembly& a, const BranchAssembly& b, double length) {
  for (std::size_t k = 0; k < a.joints.size(); ++k) {
    const double off = a.joints[k].value - b.joints[k].value;
    if (std::abs(a.joints[k].is_angle ? wrapped(off) : off / length) > kSamePose) return false;
  }
  return std::all_of(m.joints.begin(), m.joints.end(), [&](const Joint& joint) {
    const V3 d =
        placeOfFrame(m, joint.first, joint.on_first, a.q).r - placeOfFrame(m, joint.first, joint.on_first, b.q).r;
    return std::sqrt(dot(d, d)) <= kSamePose * length;
  });
}

// Bodies anywhere in twice the room that the drawn loop takes, turned at random.
std::vector<double> randomPose(const Mechanism& m, const std::vector<double>& q, double length, std::mt19937& random) {
  const auto n = static_cast<std::size_t>(coordinatesPerBody(m));
  const std::size_t places = n == 3 ? 2 : 3;
  std::array<double, 3> low{q[0], q[1], n == 3 ? 0.0 : q[2]};
  std::array<double, 3> high = low;
  for (std::size_t u = 0; u < q.size(); ++u) {
    if (u % n >= places) continue;
    low[u % n] = std::min(low[u % n], q[u]);
    high[u % n] = std::max(high[u % n], q[u]);
  }
  const double reach = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2], 2.0 * length});
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  std::normal_distribution<double> normal;
  std::vector<double> out(q.size());
  for (std::size_t u = 0; u < q.size(); ++u) {
    if (u % n < places) {
      out[u] = 0.5 * (low[u % n] + high[u % n]) + reach * unit(random);
    } else {
      out[u] = n == 3 ? q[u] + kPi * unit(random) : normal(random);
    }
  }
  if (n == 7) {
    for (std::size_t b = 0; b < out.size(); b += n) normalise(Spatial<double>{}, std::span(out).subspan(b, n));
  }
  return out;
}

bool anyFlipped(const Mechanism& m, const std::vector<double>& q) {
  return std::any_of(m.joints.begin(), m.joints.end(), [&](const Joint& joint) { return isFlipped(m, joint, q); });
}

LoopBranches search(const Mechanism& whole, std::span<const double> q, const Block& block,
                    const BranchOptions& options) {
  const LoopMaker maker(whole, q, block);
  Loop loop = maker.loop();
  LoopBranches out;
  out.bodies = loop.bodies;
  out.joints = loop.joints;
  out.held = holdInputs(whole, maker, loop);
  const MobilityProblem problem = mobilityProblem(loop.mechanism, loop.q);
  PoseMover mover(problem, Drives::held);
  out.assemblies.push_back(describe(loop, loop.q));
  out.assemblies[0].words = "as drawn";
  out.assemblies[0].isolated = velocitiesAt(problem, loop.q) == 0;
  std::mt19937 random(options.seed);
  int moving = 0;
  for (int k = 0; k < options.starts; ++k) {
    ++out.starts;
    std::vector<double> pose = randomPose(loop.mechanism, loop.q, problem.length, random);
    std::vector<double> step(at(problem.bodies * problem.freedoms), 0.0);
    // In space joints also close with an axis reversed; those are other mechanisms.
    if (!mover.go(step, pose) || anyFlipped(loop.mechanism, pose)) continue;
    ++out.closed;
    const bool isolated = velocitiesAt(problem, pose) == 0;
    BranchAssembly found = describe(loop, std::move(pose));
    found.hits = 1;
    found.isolated = isolated;
    const auto known = std::find_if(out.assemblies.begin(), out.assemblies.end(), [&](const BranchAssembly& other) {
      if (other.isolated != isolated) return false;
      return isolated ? samePose(loop.mechanism, found.q, other.q, problem.length)
                      : sameJoints(loop.mechanism, found, other, problem.length);
    });
    if (known != out.assemblies.end()) {
      ++known->hits;
      continue;
    }
    if (!isolated && ++moving > kMovingShown) continue;
    compareWithDrawn(whole, out.assemblies[0], problem.length, found);
    out.assemblies.push_back(std::move(found));
  }
  return out;
}

// The bodies of a relation, -1 for the ground where it relates to that.
std::vector<int> relatedSlots(const Mechanism& mechanism, const Joint& joint) {
  std::vector<int> out;
  for (const BodyIndex body : relatedBodies(mechanism, joint)) out.push_back(body.value());
  bool grounded = joint.kind == JointKind::expression;
  for (const Term& term : joint.terms) {
    const Joint& of = mechanism.joints[at(term.quantity.index)];
    grounded = grounded || !of.first.valid() || !of.second.valid();
  }
  if (grounded) out.push_back(-1);
  return out;
}

}  // namespace

std::vector<LoopBranches> findBranches(const Mechanism& mechanism, std::span<const double> q,
                                       const BranchOptions& options) {
  std::vector<Connection> connections;
  connections.reserve(mechanism.joints.size());
  for (const Joint& joint : mechanism.joints) {
    Connection connection{joint.first.value(), joint.second.value()};
    if (isRelation(joint.kind)) connection.related = relatedSlots(mechanism, joint);
    connections.push_back(std::move(connection));
  }
  std::vector<LoopBranches> out;
  for (const Block& block : biconnectedBlocks(static_cast<int>(mechanism.bodies.size()), connections)) {
    const bool is_loop = block.connections.size() >= block.bodies.size() && block.bodies.size() > 1;
    if (is_loop) out.push_back(search(mechanism, q, block, options));
  }
  return out;
}

std::string branchesText(const Mechanism& mechanism, const std::vector<LoopBranches>& loops) {
  if (loops.empty()) return "There are no closed loops, so there is only one way to put the mechanism together.\n";
  std::string text;
  for (const LoopBranches& loop : loops) {
    std::vector<std::string> names;
    names.reserve(loop.joints.size());
    for (const int j : loop.joints) names.push_back(mechanism.joints[at(j)].name);
    if (!text.empty()) text += "\n";
    text += fmt::format("loop through {}: {} {} found\n", fmt::join(names, ", "), loop.assemblies.size(),
                        loop.assemblies.size() == 1 ? "assembly" : "assemblies");
    if (!loop.held.empty()) text += fmt::format("  held: {}\n", fmt::join(loop.held, ", "));
    for (std::size_t k = 0; k < loop.assemblies.size(); ++k) {
      const BranchAssembly& assembly = loop.assemblies[k];
      text += fmt::format("  {}. {}{}\n    ", k + 1, assembly.words,
                          assembly.isolated ? "" : " (can still move from here)");
      for (const BranchJoint& joint : assembly.joints) {
        const std::string& name = mechanism.joints[at(joint.joint)].name;
        text += joint.is_angle ? fmt::format(" {} {:.4f} deg", name, joint.value * 180.0 / kPi)
                               : fmt::format(" {} {:.6g} m", name, joint.value);
        if (&joint != &assembly.joints.back()) text += ",";
      }
      text += "\n";
    }
    text += fmt::format("  {} random starts, {} of them closed; there may be assemblies that none of them came to\n",
                        loop.starts, loop.closed);
  }
  return text;
}

}  // namespace linkwork
