#include "linkwork/model/compliance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace linkwork {

namespace {

constexpr std::array<const char*, 3> kAxis{"x", "y", "z"};
// Of the greatest: what rounding leaves of a difference that is meant to be zero.
constexpr double kRounding = 1e-12;

// Each entry is positive where the joint holds, and zero where it does not.
ComplianceProblem problemOf(const std::array<Value, 3>& springs, const std::array<bool, 3>& held, const char* name,
                            const char* kind, bool turns) {
  for (std::size_t k = 0; k < 3; ++k) {
    const double number = springs[k].number;
    const std::string direction = fmt::format("{} its {} axis", turns ? "about" : "along", kAxis[k]);
    if (!std::isfinite(number)) return {fmt::format("{} {} is no finite number.", name, direction), {}};
    if (!held[k] && number != 0.0) {
      return {fmt::format("a {} joint is free {}, and {} there is {:g}.", kind, direction, name, number),
              fmt::format("Write 0 there, and take a {} for a spring in a free direction.",
                          turns ? "rotational_spring" : "spring")};
    }
    if (held[k] && number <= 0.0) {
      return {fmt::format("{} {} must be positive, got {:g}.", name, direction, number),
              fmt::format("A {} joint holds its bodies there; without a spring nothing would.", kind)};
    }
  }
  return {};
}

ComplianceProblem dampingProblem(const std::array<Value, 3>& dampers, const std::array<bool, 3>& held, const char* name,
                                 const char* kind) {
  for (std::size_t k = 0; k < 3; ++k) {
    const double number = dampers[k].number;
    if (!std::isfinite(number) || number < 0.0)
      return {fmt::format("{} must not be negative, got {:g} for its {} axis.", name, number, kAxis[k]), {}};
    if (!held[k] && number != 0.0) {
      return {fmt::format("a {} joint is free in the direction {} of its {}.", kind, kAxis[k], name),
              "Write 0 there, and take a damper for a free direction."};
    }
  }
  return {};
}

// Springs between axes can only make stiffnesses none of which is greater than the sum of the others.
ComplianceProblem mappingProblem(const std::array<Value, 3>& about, const char* name) {
  const auto springs = likeAxisSprings(about);
  const double greatest = std::max({about[0].number, about[1].number, about[2].number});
  for (std::size_t k = 0; k < 3; ++k) {
    if (springs[k].number >= -kRounding * greatest) continue;
    return {fmt::format("{} about its {} axis, {:g}, is greater than the sum of the other two.", name, kAxis[k],
                        about[k].number),
            "No springs between the axes of two frames can do that: make it less, or the others more; a bushing takes "
            "any."};
  }
  return {};
}

}  // namespace

bool mayComply(JointKind kind) {
  switch (kind) {
    case JointKind::revolute:
    case JointKind::prismatic:
    case JointKind::fixed:
    case JointKind::cylindrical:
    case JointKind::spherical:
    case JointKind::universal:
    case JointKind::planar: return true;
    default: return false;
  }
}

HeldDirections heldDirections(JointKind kind, Space space) {
  const bool spatial = space == Space::spatial;
  switch (kind) {
    case JointKind::revolute: return {{true, true, spatial}, {spatial, spatial, false}};
    case JointKind::prismatic: return {{false, true, spatial}, {spatial, spatial, true}};
    case JointKind::fixed: return {{true, true, spatial}, {spatial, spatial, true}};
    case JointKind::cylindrical: return {{true, true, false}, {true, true, false}};
    case JointKind::spherical: return {{true, true, true}, {}};
    case JointKind::universal: return {{true, true, true}, {false, false, true}};
    case JointKind::planar: return {{false, false, true}, {true, true, false}};
    default: return {};
  }
}

std::array<Value, 3> likeAxisSprings(const std::array<Value, 3>& about) {
  std::array<Value, 3> out;
  for (std::size_t k = 0; k < 3; ++k) {
    const Value& own = about[k];
    const Value& next = about[(k + 1) % 3];
    const Value& last = about[(k + 2) % 3];
    out[k] = {0.5 * (next.number + last.number - own.number), Expr(0.5) * (next.expr + last.expr - own.expr)};
  }
  return out;
}

ComplianceProblem complianceProblem(JointKind kind, Space space, const Compliance& compliance) {
  const HeldDirections held = heldDirections(kind, space);
  const std::string word(wordFor(kind));
  ComplianceProblem out = problemOf(compliance.stiffness, held.slides, "stiffness", word.c_str(), false);
  const auto then = [&out](ComplianceProblem next) {
    if (out.what.empty()) out = std::move(next);
  };
  then(problemOf(compliance.rotational_stiffness, held.turns, "rotational_stiffness", word.c_str(), true));
  then(dampingProblem(compliance.damping, held.slides, "damping", word.c_str()));
  then(dampingProblem(compliance.rotational_damping, held.turns, "rotational_damping", word.c_str()));
  if (space == Space::planar || kind == JointKind::universal) return out;
  then(mappingProblem(compliance.rotational_stiffness, "rotational_stiffness"));
  then(mappingProblem(compliance.rotational_damping, "rotational_damping"));
  return out;
}

bool hasCompliance(const Mechanism& mechanism) {
  return std::any_of(mechanism.joints.begin(), mechanism.joints.end(),
                     [](const Joint& joint) { return joint.compliance.has_value(); });
}

Mechanism withHardJoints(Mechanism mechanism) {
  for (Joint& joint : mechanism.joints) joint.compliance.reset();
  return mechanism;
}

}  // namespace linkwork
