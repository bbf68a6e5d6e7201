#include "linkwork/model/lift.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "linkwork/model/compliance.hpp"

namespace linkwork {

namespace {

// Out of the plane a joint is as stiff as in it; against tilting, as such springs at the farther of its two arms.
void liftSprings(Joint& joint, const Mechanism& mechanism) {
  Compliance& springs = *joint.compliance;
  const HeldDirections held = heldDirections(joint.kind, Space::spatial);
  double arm = 0.0;
  const auto reach = [&](BodyIndex index, const Frame& frame) {
    if (!index.valid()) return;
    const Body& body = mechanism.body(index);
    arm = std::max(arm,
                   std::hypot(frame.point[0].number - body.com[0].number, frame.point[1].number - body.com[1].number));
  };
  reach(joint.first, joint.on_first);
  reach(joint.second, joint.on_second);
  if (arm == 0.0) arm = 1.0;
  const auto lift = [&](std::array<Value, 3>& slides, std::array<Value, 3>& turns) {
    const Value tilt = held.turns[2] ? turns[2] : Value(slides[1].number * arm * arm, slides[1].expr * Expr(arm * arm));
    if (held.slides[2]) slides[2] = slides[1];
    for (std::size_t k = 0; k < 2; ++k) {
      if (held.turns[k]) turns[k] = tilt;
    }
  };
  lift(springs.stiffness, springs.rotational_stiffness);
  lift(springs.damping, springs.rotational_damping);
}

}  // namespace

Mechanism liftToSpace(Mechanism mechanism) {
  if (mechanism.space == Space::spatial) return mechanism;
  mechanism.space = Space::spatial;
  mechanism.lifted = true;
  for (Body& body : mechanism.bodies) {
    if (body.tensor) continue;
    const Value half(0.5 * body.inertia.number, Expr(0.5) * body.inertia.expr);
    body.tensor = Tensor{half, half, body.inertia, Value(0.0), Value(0.0), Value(0.0)};
  }
  for (Joint& joint : mechanism.joints) {
    if (joint.compliance) liftSprings(joint, mechanism);
  }
  // A circle that something rolls on is a cylinder about z.
  for (Joint& joint : mechanism.joints) {
    if (joint.rolling.on == RollingOn::ball) joint.rolling.on = RollingOn::cylinder;
  }
  return mechanism;
}

std::string liftReport(const Mechanism& planar) {
  std::vector<std::string_view> assumed;
  std::size_t more = 0;
  for (const Body& body : planar.bodies) {
    if (body.tensor) continue;
    if (assumed.size() < 10) {
      assumed.emplace_back(body.name);
    } else {
      ++more;
    }
  }
  std::string text = "lifted to space: every joint keeps its word, hinges turn about z, bodies start in the plane";
  if (assumed.empty()) return text + ".";
  return text + fmt::format("; Jxx = Jyy = Jzz/2 is assumed for {}{}.", fmt::join(assumed, ", "),
                            more == 0 ? std::string{} : fmt::format(" and {} more", more));
}

}  // namespace linkwork
