#include "linkwork/report/page_drawing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "linkwork/elements/element_set.hpp"

namespace linkwork {

std::string drawnKind(const Load& load) {
  const bool stiff = load.stiffness.number != 0.0;
  const bool damped = load.damping.number != 0.0;
  std::string what = stiff && damped ? "spring_damper" : damped ? "damper" : "spring";
  switch (load.kind) {
    case LoadKind::spring_damper: return what;
    case LoadKind::rotational_spring_damper: return "rotational_" + what;
    case LoadKind::actuator: return load.along == DriveKind::distance ? "actuator" : "joint_actuator";
    default: return std::string(wordFor(load.kind));
  }
}

LoadArrows arrowsOf(const Mechanism& mechanism, const Load& load) {
  LoadArrows out;
  for (const LoadScalar& scalar : scalarsOf(mechanism.space, load)) {
    const std::string name = fmt::format("{}.{}", load.name, scalar.label);
    if (scalar.part == LoadPart::force) out.force.push_back(name);
    if (scalar.part == LoadPart::moment) out.moment.push_back(name);
    if (scalar.part == LoadPart::moment_about_z) out.moment_about_z = name;
    if (scalar.part != LoadPart::other) out.one_body = !load.first.valid();
  }
  return out;
}

bool isCut(const Result& result, const Joint& joint) {
  return std::find(result.cut_joints.begin(), result.cut_joints.end(), joint.name) != result.cut_joints.end();
}

bool reactionUnique(const Result& result, const Joint& joint) {
  const std::vector<std::string>& others = result.ledger.joints_not_unique;
  return std::find(others.begin(), others.end(), joint.name) == others.end();
}

std::string whyNotUnique(const Result& result) {
  const Ledger& ledger = result.ledger;
  if (ledger.dependent_rows.empty()) return {};
  constexpr std::size_t kShown = 6;
  const auto end =
      ledger.dependent_rows.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, ledger.dependent_rows.size()));
  return fmt::format("{} of {} constraint equations follow from the others ({}{})", ledger.dependent_rows.size(),
                     ledger.rows, fmt::join(ledger.dependent_rows.begin(), end, ", "),
                     ledger.dependent_rows.size() > kShown ? ", ..." : "");
}

}  // namespace linkwork
