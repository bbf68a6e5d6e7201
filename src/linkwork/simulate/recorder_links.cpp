#include <fmt/format.h>

#include "linkwork/simulate/axis_names.hpp"
#include "linkwork/simulate/link_forces.hpp"
#include "linkwork/simulate/recorder.hpp"

namespace linkwork {

namespace {

// "coupler:s3"
std::string springName(const FlexibleLink& link, std::size_t k) { return fmt::format("{}:s{}", link.name, k + 1); }

}  // namespace

void Recorder::addLink(const FlexibleLink& link) {
  const bool spatial = mechanism_.space == Space::spatial;
  const std::vector<SpringParts> parts = springParts(mechanism_, link);
  for (std::size_t k = 0; k < link.springs.size(); ++k) {
    const std::string group = springName(link, k);
    const SpringParts& own = parts[k];
    const auto addPart = [&](const std::string& label, const char* unit, auto member, std::size_t part) {
      add(group, label, unit, [this, own, member, part](const Observation& seen) {
        return (springState(mechanism_, own, seen).*member)[part];
      });
    };
    addPart("normal", "N", &SpringState::force, 0);
    addPart(spatial ? "shear.y" : "shear", "N", &SpringState::force, 1);
    if (spatial) addPart("shear.z", "N", &SpringState::force, 2);
    if (spatial) addPart("twisting", "N*m", &SpringState::moment, 0);
    if (spatial) addPart("bending.y", "N*m", &SpringState::moment, 1);
    addPart(spatial ? "bending.z" : "bending", "N*m", &SpringState::moment, 2);
    for (std::size_t c = spatial ? 0 : 2; c < 3; ++c)
      addPart(spatial ? fmt::format("turn.{}", kAxes[c]) : "turn", "rad", &SpringState::turn, c);
    const LinkSection& section = link.springs[k].section;
    if (!(section.half_y > 0.0)) continue;
    add(group, "stress", "Pa", [this, own, &section](const Observation& seen) {
      return normalStress(section, springState(mechanism_, own, seen));
    });
    if (!spatial) continue;
    add(group, "shear_stress", "Pa", [this, own, &section](const Observation& seen) {
      return torsionalStress(section, springState(mechanism_, own, seen));
    });
  }
  for (std::size_t p = 0; p < link.points.size(); ++p) {
    for (std::size_t c = 0; c < axes(); ++c) {
      add(link.name, fmt::format("{}.deflection.{}", link.points[p].name, kAxes[c]), "m",
          [this, &link, p, c](const Observation& seen) { return deflection(mechanism_, link, p, seen)[c]; });
    }
  }
}

}  // namespace linkwork
