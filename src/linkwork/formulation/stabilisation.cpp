#include "linkwork/formulation/stabilisation.hpp"

#include <algorithm>

namespace linkwork {

const std::vector<StabilisationInfo>& stabilisations() {
  static const std::vector<StabilisationInfo> table{
      {.name = "none", .stabilisation = Stabilisation::none, .own_equations = true},
      {.name = "baumgarte", .stabilisation = Stabilisation::baumgarte},
      {.name = "projection", .stabilisation = Stabilisation::projection, .own_equations = true, .projects = true},
      {.name = "augmented_lagrangian", .stabilisation = Stabilisation::augmented_lagrangian},
      {.name = "partitioning", .stabilisation = Stabilisation::partitioning},
      {.name = "ggl", .stabilisation = Stabilisation::ggl, .keeps_constraints = true},
      {.name = "index3", .stabilisation = Stabilisation::index3, .keeps_constraints = true},
  };
  return table;
}

const StabilisationInfo& infoOf(Stabilisation stabilisation) {
  return stabilisations()[static_cast<std::size_t>(stabilisation)];
}

const StabilisationInfo* findStabilisation(std::string_view name) {
  const auto& table = stabilisations();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const StabilisationInfo& info) { return info.name == name; });
  return found == table.end() ? nullptr : &*found;
}

std::vector<std::string> stabilisationNames() {
  std::vector<std::string> names;
  for (const StabilisationInfo& info : stabilisations()) names.push_back(info.name);
  return names;
}

}  // namespace linkwork
