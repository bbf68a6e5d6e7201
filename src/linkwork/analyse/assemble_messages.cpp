#include "linkwork/analyse/assemble_messages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <numbers>

#include "linkwork/analyse/named_angles.hpp"
#include "linkwork/base/index.hpp"
#include "linkwork/formulation/massless_words.hpp"

namespace linkwork {

namespace {

constexpr double kDegrees = 180.0 / std::numbers::pi;
constexpr std::size_t kMostJointsNamed = 8;

// The joints and bodies one passes going from one side of a joint to the other without using it.
struct LoopOfJoints {
  std::vector<int> joints;  // the joint itself last
  std::vector<std::string> bodies;
};

LoopOfJoints loopThrough(const Mechanism& mechanism, int joint_index) {
  const int bodies = static_cast<int>(mechanism.bodies.size());
  struct Way {
    int to = 0;
    int joint = 0;
  };
  std::vector<std::vector<Way>> ways(at(bodies) + 1);
  const auto slot = [&](BodyIndex body) { return body.valid() ? body.value() : bodies; };
  for (int k = 0; k < static_cast<int>(mechanism.joints.size()); ++k) {
    if (k == joint_index || isRelation(mechanism.joints[at(k)].kind)) continue;
    const int a = slot(mechanism.joints[at(k)].first);
    const int b = slot(mechanism.joints[at(k)].second);
    ways[at(a)].push_back({b, k});
    ways[at(b)].push_back({a, k});
  }
  const int from = slot(mechanism.joints[at(joint_index)].first);
  const int to = slot(mechanism.joints[at(joint_index)].second);
  std::vector<Way> came(ways.size(), Way{-2, -1});
  std::vector<int> front{from};
  came[at(from)] = {-1, -1};
  for (std::size_t k = 0; k < front.size() && came[at(to)].to == -2; ++k) {
    for (const Way& way : ways[at(front[k])]) {
      if (came[at(way.to)].to != -2) continue;
      came[at(way.to)] = {front[k], way.joint};
      front.push_back(way.to);
    }
  }
  LoopOfJoints out;
  if (came[at(to)].to == -2) return out;
  for (int body = to; body != -1; body = came[at(body)].to) {
    out.bodies.emplace_back(body == bodies ? "ground" : mechanism.bodies[at(body)].name);
    if (came[at(body)].joint >= 0) out.joints.push_back(came[at(body)].joint);
  }
  std::reverse(out.bodies.begin(), out.bodies.end());
  std::reverse(out.joints.begin(), out.joints.end());
  out.joints.push_back(joint_index);
  // The ground first, where it belongs to the loop.
  const auto ground = std::find(out.bodies.begin(), out.bodies.end(), "ground") - out.bodies.begin();
  if (ground < static_cast<std::ptrdiff_t>(out.bodies.size())) {
    std::rotate(out.bodies.begin(), out.bodies.begin() + ground, out.bodies.end());
    std::rotate(out.joints.begin(), out.joints.begin() + ground, out.joints.end());
  }
  return out;
}

std::string shortList(std::vector<std::string> names, const char* between) {
  const std::size_t count = names.size();
  if (count > 2 * kMostJointsNamed) {
    names.erase(names.begin() + kMostJointsNamed, names.end() - kMostJointsNamed);
    names.insert(names.begin() + kMostJointsNamed, fmt::format("({} more)", count - 2 * kMostJointsNamed));
  }
  return fmt::format("{}", fmt::join(names, between));
}

std::string jointNames(const Mechanism& mechanism, const std::vector<int>& joints) {
  std::vector<std::string> names;
  names.reserve(joints.size());
  for (const int j : joints) names.push_back(mechanism.joints[at(j)].name);
  return shortList(std::move(names), ", ");
}

std::string placeText(const Source& source) {
  if (source.line == 0) return {};
  return fmt::format(" ({}:{}:{})", source.file ? *source.file : std::string("line"), source.line, source.column);
}

std::string valueText(const Mechanism& mechanism, const InitialValue& value) {
  const std::string_view unit = quantityUnit(mechanism, value.quantity);
  return fmt::format("{} = {:.6g}{}{}", quantityName(mechanism, value.quantity), value.value.number,
                     unit.empty() ? "" : " ", unit);
}

}  // namespace

std::string gapText(const Gap& gap) {
  // A gap of round-off size beside a real one is not worth a word.
  std::string length = fmt::format("{:.4g} m", gap.length);
  std::string angle = fmt::format("{:.4g} deg", gap.angle * kDegrees);
  if (gap.angle <= 1e-9) return length;
  if (gap.length <= 1e-9) return angle;
  return length + " and " + angle;
}

std::string loopText(const Mechanism& mechanism, int joint) {
  LoopOfJoints loop = loopThrough(mechanism, joint);
  if (loop.bodies.empty()) return {};
  return fmt::format("{} ({})", jointNames(mechanism, loop.joints), shortList(std::move(loop.bodies), " - "));
}

void reportOpenJoint(const Mechanism& mechanism, int joint, const Gap& gap, Assembly& out) {
  const Joint& opened = mechanism.joints[at(joint)];
  out.where = opened.source;
  if (isRelation(opened.kind)) {
    const bool is_length = opened.unit == RelationUnit::length;
    out.problem = fmt::format("joint \"{}\" cannot be satisfied: its {} stays off by {:.4g} {}", opened.name,
                              wordFor(opened.kind), is_length ? gap.length : gap.angle, is_length ? "m" : "rad");
    out.hint = "Check its numbers against the drawing, or leave offset out: it is then that of the drawing.";
    return;
  }
  out.problem = fmt::format("joint \"{}\" stays open by {}", mechanism.joints[at(joint)].name, gapText(gap));
  const std::string loop = loopText(mechanism, joint);
  if (!loop.empty()) out.problem += fmt::format(": the loop {} cannot close", loop);
  out.hint =
      "Check the lengths of these bodies and the places of their joints, or draw the mechanism nearer to the pose you "
      "mean.";
}

void reportDrives(const Mechanism& mechanism, const std::vector<int>& drives, const Gap& gap, Assembly& out) {
  out.where = mechanism.drives[at(drives[0])].source;
  std::vector<std::string> names;
  names.reserve(drives.size());
  for (const int d : drives) {
    const Drive& drive = mechanism.drives[at(d)];
    names.push_back(fmt::format("\"{}\"{}", drive.name, drives.size() > 1 ? placeText(drive.source) : ""));
  }
  out.problem = drives.size() == 1
                    ? fmt::format("drive {} asks for what the joints do not allow at the start: off by {}", names[0],
                                  gapText(gap))
                    : fmt::format("the drives {} fight: no pose at the start satisfies them all (off by {})",
                                  shortList(std::move(names), " and "), gapText(gap));
  out.hint = "Leave one out, or change its value at t = 0.";
}

void reportMasslessBody(const Mechanism& mechanism, int body, const std::string& direction, Assembly& out) {
  out.where = mechanism.bodies[at(body)].source;
  const MasslessWords words = masslessWords(mechanism, body, direction);
  out.problem = words.problem;
  out.hint = words.hint + ".";
  out.hint.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(out.hint.front())));
}

void reportFlippedJoints(const Mechanism& mechanism, const std::vector<int>& joints, Assembly& out) {
  const Joint& joint = mechanism.joints[at(joints[0])];
  out.where = joint.source;
  out.problem = fmt::format(
      "joint \"{}\" closes only with its axes reversed: they point one way on \"{}\" and the other way on \"{}\"",
      joint.name, mechanism.bodyName(joint.first), mechanism.bodyName(joint.second));
  if (joints.size() > 1) out.problem += fmt::format("; so do {} others", joints.size() - 1);
  out.hint = "Turn the frame of one of the two bodies by half a turn, or draw the body nearer to the pose you mean.";
}

void warnOfMisfit(const Mechanism& mechanism, const std::vector<int>& joints, const MisfitRows& misfit,
                  const std::optional<MisfitCure>& cure, double length, Assembly& out) {
  const bool drawn = misfit.as_drawn;
  std::string mend = cure ? cureText(mechanism, *cure) + "; or give" : "Give";
  mend.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(mend.front())));
  const std::string loop = loopText(mechanism, joints[0]);
  out.warnings.push_back(
      {mechanism.joints[at(joints[0])].source,
       fmt::format("the {} do not quite fit: equations of {} repeat what the others say and miss it by {}{:.2g} m "
                   "({:.1g} of the mechanism's size){}",
                   drawn ? "lengths" : "axes, angles or points", jointNames(mechanism, joints), drawn ? "" : "up to ",
                   out.misfit * length, out.misfit, drawn ? "" : " as it moves"),
       fmt::format("They are left open by about that much and watched. {} more digits{}, or compute one {} from the "
                   "others in an expression.",
                   mend, loop.empty() ? "" : " in the loop " + loop, drawn ? "length" : "number")});
}

void warnOfTurnedBodies(const Mechanism& mechanism, const std::vector<int>& joints, Assembly& out) {
  out.warnings.push_back({mechanism.joints[at(joints[0])].source,
                          fmt::format("as drawn, the axes of {} point one way on one body and the other way on the "
                                      "other; a body was turned by half a turn",
                                      jointNames(mechanism, joints)),
                          "Draw the body the way it is meant, or reverse the frame of one body."});
}

void reportContradiction(const Mechanism& mechanism, const std::vector<const InitialValue*>& values, double missed,
                         Assembly& out) {
  const InitialValue& worst = *values[0];
  out.where = worst.source;
  const bool rates = isRate(worst.quantity.kind);
  if (values.size() == 1) {
    out.problem = fmt::format("the initial value {} cannot be {}: the joints let it come to within {:.3g} of it",
                              valueText(mechanism, worst), rates ? "had" : "reached", missed);
    out.hint = rates ? "`linkwork check --mobility` says how the mechanism can move."
                     : "Check it against the drawing and the other initial values.";
    return;
  }
  std::vector<std::string> parts;
  parts.reserve(values.size());
  for (const InitialValue* value : values) parts.push_back(valueText(mechanism, *value) + placeText(value->source));
  out.problem = fmt::format("the initial values {} contradict each other: no {} has them all (off by {:.3g})",
                            shortList(std::move(parts), " and "), rates ? "motion" : "pose", missed);
  out.hint =
      "Leave one of them out, and `linkwork assemble` prints the value that fits; or give them a weight, and they are "
      "met as nearly as possible.";
}

void reportLostAngles(const Mechanism& mechanism, const InitialValue& value, Assembly& out) {
  out.where = value.source;
  const Joint& joint = mechanism.joints[at(value.quantity.index)];
  out.problem = fmt::format("the initial value {} cannot be had: ", valueText(mechanism, value));
  if (asksForLostAngles(mechanism, value)) {
    out.problem += fmt::format("there the first and the third axis of joint \"{}\" (angles = \"{}\") are one",
                               joint.name, joint.angles);
    out.hint = fmt::format("Give angles another sequence, such as \"{}\", and name its angles in its place.",
                           joint.angles[0] == joint.angles[2] ? "zxy" : "zxz");
    return;
  }
  for (const LostAngles& lost : lostAngles(mechanism, out.q)) {
    if (lost.joint != value.quantity.index) continue;
    out.problem += lost.what;
    out.hint = lost.hint + " Or draw the body turned, or give its second angle in [initial].";
  }
}

void warnOfLostAngles(const Mechanism& mechanism, Assembly& out) {
  for (const LostAngles& lost : lostAngles(mechanism, out.q))
    out.warnings.push_back(
        {mechanism.joints[at(lost.joint)].source, fmt::format("{}: so it is at the start", lost.what), lost.hint});
}

}  // namespace linkwork
