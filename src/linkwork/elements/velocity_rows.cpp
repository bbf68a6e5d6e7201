#include "linkwork/elements/velocity_rows.hpp"

#include <fmt/format.h>

#include "linkwork/elements/element_set.hpp"

namespace linkwork {

namespace {

template <class G>
std::string holderIn(const Mechanism& mechanism) {
  for (const RowGroup& group : compileElements<G>(mechanism).groups) {
    if (group.velocity_rows > 0) return fmt::format("{} \"{}\"", group.is_drive ? "drive" : "joint", group.name);
  }
  return {};
}

}  // namespace

std::string holderOfVelocitiesAlone(const Mechanism& mechanism) {
  return mechanism.space == Space::spatial ? holderIn<Spatial<double>>(mechanism) : holderIn<Planar<double>>(mechanism);
}

}  // namespace linkwork
