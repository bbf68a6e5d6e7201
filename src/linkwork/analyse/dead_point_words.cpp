#include "linkwork/analyse/dead_point_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "linkwork/analyse/free_motions.hpp"
#include "linkwork/analyse/mobility_problem.hpp"
#include "linkwork/analyse/places.hpp"
#include "linkwork/base/index.hpp"

namespace linkwork {

namespace {

// A share of a dependence below this part of the greatest is round-off.
constexpr double kShare = 1e-6;
// Pins count as being in one line when the middle one is off it by this part of their distances.
constexpr double kInLine = 1e-6;
constexpr std::size_t kMostNamed = 6;

std::string list(const std::vector<std::string>& names) {
  if (names.empty()) return {};
  if (names.size() == 1) return names[0];
  if (names.size() > kMostNamed) {
    return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + kMostNamed, ", "),
                       names.size() - kMostNamed);
  }
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

// The drives that have a share in a dependence among the rows of joints and drives.
std::vector<int> drivesInvolved(const Mechanism& mechanism, const MobilityProblem& problem, std::span<const double> q) {
  std::vector<int> out;
  const int joints = static_cast<int>(problem.groups.size() - mechanism.drives.size());
  for (const auto& relation : rowDependence(scaledRows(problem, q, RowLevel::velocity)).relations) {
    double most = 0.0;
    for (const RowShare& share : relation) most = std::max(most, std::abs(share.share));
    for (const RowShare& share : relation) {
      const int group = problem.rows[at(share.row)].group;
      if (!problem.groups[at(group)].is_drive || std::abs(share.share) < kShare * most) continue;
      out.push_back(group - joints);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// Three pins of two links that stand in one line, the middle one joining them: "pins O, A and B are in line". The pins
// of links that do not move are left out.
std::string pinsInLine(const Mechanism& mechanism, std::span<const double> q, const std::vector<int>& joints) {
  if (mechanism.space == Space::spatial) return {};
  const auto isPin = [](const Joint& joint) { return joint.kind == JointKind::revolute; };
  const auto placeOf = [&](const Joint& joint) { return placeOfFrame(mechanism, joint.first, joint.on_first, q).r; };
  const auto holds = [](const Joint& joint, BodyIndex body) { return joint.first == body || joint.second == body; };
  const auto moves = [&](int k) { return std::find(joints.begin(), joints.end(), k) != joints.end(); };
  for (std::size_t m = 0; m < mechanism.joints.size(); ++m) {
    const Joint& middle = mechanism.joints[m];
    if (!isPin(middle) || !middle.first.valid() || !middle.second.valid() || !moves(static_cast<int>(m))) continue;
    for (std::size_t a = 0; a < mechanism.joints.size(); ++a) {
      const Joint& one = mechanism.joints[a];
      if (a == m || !isPin(one) || !holds(one, middle.first) || !moves(static_cast<int>(a))) continue;
      for (std::size_t b = 0; b < mechanism.joints.size(); ++b) {
        const Joint& other = mechanism.joints[b];
        if (b == m || b == a || !isPin(other) || !holds(other, middle.second)) continue;
        const auto d = placeOf(one) - placeOf(middle);
        const auto e = placeOf(other) - placeOf(middle);
        const double sizes = std::sqrt(dot(d, d) * dot(e, e));
        const auto off = cross(d, e);
        if (sizes <= 0.0 || std::sqrt(dot(off, off)) > kInLine * sizes) continue;
        return fmt::format("pins {}, {} and {} are in line", one.name, middle.name, other.name);
      }
    }
  }
  return {};
}

}  // namespace

void describeDeadPoint(const Mechanism& mechanism, std::span<const double> turns, std::span<const double> motion,
                       DeadPoint& point) {
  const MobilityProblem problem = mobilityProblem(mechanism, point.q, point.time, turns);
  point.drives = drivesInvolved(mechanism, problem, point.q);
  if (point.kind == SingularPose::dead_point) {
    point.joints = movingJoints(mechanism, point.q, point.time, turns, motion);
  } else {
    for (const Quantity& free : freeMotions(mechanism, point.q, point.time, turns).coordinates) {
      if (point.joints.empty() || point.joints.back() != free.index) point.joints.push_back(free.index);
    }
  }
  std::vector<std::string> drives, joints;
  for (const int k : point.drives) drives.push_back(fmt::format("\"{}\"", mechanism.drives[at(k)].name));
  for (const int k : point.joints) joints.push_back(fmt::format("\"{}\"", mechanism.joints[at(k)].name));
  const std::string line = pinsInLine(mechanism, point.q, point.joints);
  const std::string where = line.empty() ? "" : fmt::format(" ({})", line);
  if (point.kind == SingularPose::branch_point) {
    point.words = fmt::format(
        "branch point{}: with the drives held, {} could still move, so that the motion may go on in more than one way; "
        "the way it came is kept",
        where, joints.empty() ? "the mechanism" : "joint " + list(joints));
    return;
  }
  point.words = fmt::format("dead point{}: {} cannot go further; with {} held, {} could still move", where,
                            drives.empty()       ? std::string("the motion")
                            : drives.size() == 1 ? "drive " + drives[0]
                                                 : "drives " + list(drives) + " together",
                            drives.size() > 1 ? "them" : "it",
                            joints.empty()       ? std::string("the mechanism")
                            : joints.size() == 1 ? "joint " + joints[0]
                                                 : "joints " + list(joints));
}

}  // namespace linkwork
