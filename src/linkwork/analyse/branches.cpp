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
#include "linkwork/analyse/pose_mover.hpp"
#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/model/drive_of.hpp"
#include "linkwork/topology/blocks.hpp"

namespace linkwork {

namespace {

using absolute::at;
using P = Planar<double>;
using Vector = Vec2<double>;
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

Pose framePose(const Mechanism& mechanism, BodyIndex body, std::span<const double> q) {
  const double* x = &q[3 * body.at()];
  const Point& com = mechanism.body(body).com;
  const Vector origin = Vector{x[0], x[1]} - Rotation2<double>::fromAngle(x[2]) * Vector{com[0].number, com[1].number};
  return {origin.x, origin.y, x[2]};
}

// A loop as a mechanism of its own. Without the ground among its bodies, the first of them takes the ground's place.
struct Loop {
  Mechanism mechanism;
  std::vector<double> q;
  std::vector<int> bodies, joints;  // in the whole mechanism
};

class LoopMaker {
 public:
  LoopMaker(const Mechanism& whole, std::span<const double> q, const Block& block) : whole_(whole), q_(q) {
    const bool grounded = block.bodies.front() < 0;
    if (!grounded) anchor_ = block.bodies.front();
    for (const int b : block.bodies) {
      if (b < 0 || b == anchor_) continue;
      place_[b] = static_cast<int>(out_.bodies.size());
      out_.bodies.push_back(b);
      Body body = whole.bodies[at(b)];
      body.drawn = framePose(whole, BodyIndex(b), q);
      out_.mechanism.bodies.push_back(std::move(body));
      out_.q.insert(out_.q.end(), q.begin() + 3 * b, q.begin() + 3 * b + 3);
    }
    out_.mechanism.parameters = whole.parameters;
    for (const int k : block.connections) {
      Joint joint = whole.joints[at(k)];
      move(joint.first, joint.on_first);
      move(joint.second, joint.on_second);
      out_.mechanism.joints.push_back(std::move(joint));
      out_.joints.push_back(k);
    }
    for (Drive drive : whole.drives) {
      if (!has(drive.first) || !has(drive.second)) continue;
      if (!grounded && drive.kind == DriveKind::coordinate) continue;
      move(drive.first, drive.on_first);
      move(drive.second, drive.on_second);
      out_.mechanism.drives.push_back(std::move(drive));
    }
  }

  const Loop& loop() const { return out_; }

  // A position given in the model file as a quantity of the loop; nullopt if it is about something else.
  std::optional<Quantity> own(const Quantity& quantity) const {
    switch (quantity.kind) {
      case QuantityKind::body_x:
      case QuantityKind::body_y:
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
  // The body by its number in the loop; a frame on the anchor as a frame on the ground.
  void move(BodyIndex& body, Frame& frame) const {
    if (!body.valid()) return;
    if (body.value() != anchor_) {
      body = BodyIndex(place_.at(body.value()));
      return;
    }
    const Pose pose = framePose(whole_, body, q_);
    const Vector point = Vector{pose.x, pose.y} + Rotation2<double>::fromAngle(pose.angle) *
                                                      Vector{frame.point[0].number, frame.point[1].number};
    frame.point = {Value(point.x), Value(point.y)};
    frame.angle = Value(frame.angle.number + pose.angle);
    body = kGround;
  }

  const Mechanism& whole_;
  std::span<const double> q_;
  int anchor_ = -1;
  std::map<int, int> place_;
  Loop out_;
};

bool hasCoordinate(const Joint& joint) { return joint.kind != JointKind::fixed && joint.kind != JointKind::distance; }

Quantity coordinateOf(const Mechanism& mechanism, std::size_t joint) {
  const bool turns = hasAngle(mechanism.joints[joint].kind);
  return {turns ? QuantityKind::joint_angle : QuantityKind::joint_slide, static_cast<int>(joint)};
}

double valueOf(const Mechanism& mechanism, const Quantity& quantity, std::span<const double> q) {
  const NamedQuantity<P> named = compileQuantity<P>(mechanism, quantity);
  std::vector<P::Position> x;
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    x.push_back(P::position(q[3 * b], q[3 * b + 1], q[3 * b + 2]));
  }
  x.emplace_back();
  const P::Velocity still{};
  return named.value(0.0, {x[at(named.i)], x[at(named.j)]}, {still, still});
}

int velocitiesAt(const MobilityProblem& problem, std::span<const double> q) {
  SparseRows rows;
  rows.columns = problem.bodies * problem.freedoms;
  std::vector<double> phi(problem.rows.size());
  std::vector<double> jacobian(problem.row_bodies.size() * at(problem.freedoms));
  problem.evaluate(q, phi, jacobian);
  for (std::size_t r = 0; r < problem.rows.size(); ++r) {
    for (int p = problem.row_start[r]; p < problem.row_start[r + 1]; ++p) {
      for (int k = 0; k < problem.freedoms; ++k) {
        rows.column.push_back(problem.row_bodies[at(p)] * problem.freedoms + k);
        rows.value.push_back(jacobian[at(p * problem.freedoms + k)] * problem.rows[r].scale /
                             problem.freedom_scale[at(k)]);
      }
    }
    rows.start.push_back(static_cast<int>(rows.column.size()));
  }
  return rows.columns - decideRank(rows).rank;
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
      if (touches == on_ground && hasCoordinate(m.joints[k])) candidates.push_back(coordinateOf(m, k));
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

Vector pointOf(const Mechanism& m, BodyIndex body, const Frame& frame, std::span<const double> q) {
  const Vector p{frame.point[0].number, frame.point[1].number};
  if (!body.valid()) return p;
  const Pose pose = framePose(m, body, q);
  return Vector{pose.x, pose.y} + Rotation2<double>::fromAngle(pose.angle) * p;
}

// Which way the links turn at a pin, from a neighbouring pin of the first body to one of the second; 0 if there are
// none.
int bendAt(const Mechanism& m, std::size_t joint, std::span<const double> q) {
  if (m.joints[joint].kind != JointKind::revolute) return 0;
  const auto neighbour = [&](BodyIndex body) -> std::optional<Vector> {
    for (std::size_t k = 0; k < m.joints.size(); ++k) {
      if (k == joint || m.joints[k].kind != JointKind::revolute) continue;
      if (m.joints[k].first == body) return pointOf(m, body, m.joints[k].on_first, q);
      if (m.joints[k].second == body) return pointOf(m, body, m.joints[k].on_second, q);
    }
    return std::nullopt;
  };
  const auto before = neighbour(m.joints[joint].first);
  const auto after = neighbour(m.joints[joint].second);
  if (!before || !after) return 0;
  const Vector here = pointOf(m, m.joints[joint].first, m.joints[joint].on_first, q);
  const Vector in = here - *before;
  const Vector out = *after - here;
  const double size = std::sqrt(dot(in, in) * dot(out, out));
  const double turn = size > 0.0 ? cross(in, out) / size : 0.0;
  return turn > kStraight ? 1 : turn < -kStraight ? -1 : 0;
}

BranchAssembly describe(const Loop& loop, std::vector<double> q) {
  BranchAssembly out;
  for (std::size_t k = 0; k < loop.joints.size(); ++k) {
    const Joint& joint = loop.mechanism.joints[k];
    if (!hasCoordinate(joint)) continue;
    BranchJoint entry;
    entry.joint = loop.joints[k];
    entry.is_angle = joint.kind == JointKind::revolute;
    entry.value = valueOf(loop.mechanism, coordinateOf(loop.mechanism, k), q);
    if (entry.is_angle) entry.value = wrapped(entry.value);
    entry.value = tidy(entry.value);
    entry.bend = bendAt(loop.mechanism, k, q);
    out.joints.push_back(entry);
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

bool samePose(const std::vector<double>& a, const std::vector<double>& b, double length) {
  for (std::size_t u = 0; u < a.size(); ++u) {
    const double off = u % 3 == 2 ? wrapped(a[u] - b[u]) : (a[u] - b[u]) / length;
    if (std::abs(off) > kSamePose) return false;
  }
  return true;
}

// Bodies anywhere in twice the room that the drawn loop takes, turned at random.
std::vector<double> randomPose(const std::vector<double>& q, double length, std::mt19937& random) {
  double low[2] = {q[0], q[1]};
  double high[2] = {q[0], q[1]};
  for (std::size_t u = 0; u < q.size(); ++u) {
    if (u % 3 == 2) continue;
    low[u % 3] = std::min(low[u % 3], q[u]);
    high[u % 3] = std::max(high[u % 3], q[u]);
  }
  const double reach = std::max({high[0] - low[0], high[1] - low[1], 2.0 * length});
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  std::vector<double> out(q.size());
  for (std::size_t u = 0; u < q.size(); ++u) {
    out[u] = u % 3 == 2 ? q[u] + kPi * unit(random) : 0.5 * (low[u % 3] + high[u % 3]) + reach * unit(random);
  }
  return out;
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
    std::vector<double> pose = randomPose(loop.q, problem.length, random);
    std::vector<double> step(pose.size(), 0.0);
    if (!mover.go(step, pose)) continue;
    ++out.closed;
    const auto known = std::find_if(out.assemblies.begin(), out.assemblies.end(), [&](const BranchAssembly& other) {
      return samePose(pose, other.q, problem.length);
    });
    if (known != out.assemblies.end()) {
      ++known->hits;
      continue;
    }
    const bool isolated = velocitiesAt(problem, pose) == 0;
    if (!isolated && ++moving > kMovingShown) continue;
    BranchAssembly found = describe(loop, std::move(pose));
    found.hits = 1;
    found.isolated = isolated;
    compareWithDrawn(whole, out.assemblies[0], problem.length, found);
    out.assemblies.push_back(std::move(found));
  }
  return out;
}

}  // namespace

std::vector<LoopBranches> findBranches(const Mechanism& mechanism, std::span<const double> q,
                                       const BranchOptions& options) {
  std::vector<Connection> connections;
  connections.reserve(mechanism.joints.size());
  for (const Joint& joint : mechanism.joints) connections.push_back({joint.first.value(), joint.second.value()});
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
        text += joint.is_angle
                    ? fmt::format(" {} {:.4f} deg", mechanism.joints[at(joint.joint)].name, joint.value * 180.0 / kPi)
                    : fmt::format(" {} {:.6g} m", mechanism.joints[at(joint.joint)].name, joint.value);
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
