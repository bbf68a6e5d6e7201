#include "linkwork/model/lift.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace linkwork {

Mechanism liftToSpace(Mechanism mechanism) {
  if (mechanism.space == Space::spatial) return mechanism;
  mechanism.space = Space::spatial;
  mechanism.lifted = true;
  for (Body& body : mechanism.bodies) {
    if (body.tensor) continue;
    const Value half(0.5 * body.inertia.number, Expr(0.5) * body.inertia.expr);
    body.tensor = Tensor{half, half, body.inertia, Value(0.0), Value(0.0), Value(0.0)};
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
