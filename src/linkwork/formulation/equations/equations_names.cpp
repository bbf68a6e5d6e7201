#include "linkwork/formulation/equations/equations_names.hpp"

#include <algorithm>

namespace linkwork {

std::vector<int> quasiVelocitiesWithNames(const EquationsModel& model) {
  std::vector<int> out;
  for (std::size_t k = 0; k < model.quasi_velocities.size(); ++k) {
    const std::string& name = model.quasi_velocities[k].name;
    const bool is_rate = std::any_of(model.coordinates.begin(), model.coordinates.end(),
                                     [&](const EquationsCoordinate& of) { return of.rate() == name; });
    if (!is_rate) out.push_back(static_cast<int>(k));
  }
  return out;
}

std::string unitOfRate(const std::string& unit) {
  if (unit.empty()) return {};
  if (unit.ends_with("/s^2")) return unit.substr(0, unit.size() - 1) + "3";
  return unit.ends_with("/s") ? unit + "^2" : unit + "/s";
}

std::vector<Output> recordedNames(const EquationsModel& model) {
  std::vector<Output> out;
  const auto add = [&](const char* group, const std::string& label, const std::string& unit) {
    Output& one = out.emplace_back();
    one.name = std::string(group) + "." + label;
    one.unit = unit;
  };
  for (const EquationsCoordinate& q : model.coordinates) add("coordinates", q.name, q.unit);
  for (const EquationsCoordinate& q : model.coordinates) add("rates", q.rate(), unitOfRate(q.unit));
  for (const EquationsCoordinate& q : model.coordinates)
    add("accelerations", q.name + "_acceleration", unitOfRate(unitOfRate(q.unit)));
  const std::vector<int> named = quasiVelocitiesWithNames(model);
  for (const int k : named) {
    const EquationsForm& form = model.quasi_velocities[static_cast<std::size_t>(k)];
    add("quasi-velocities", form.name, form.unit);
  }
  for (const int k : named) {
    const EquationsForm& form = model.quasi_velocities[static_cast<std::size_t>(k)];
    add("their rates", form.name + "_rate", unitOfRate(form.unit));
  }
  for (const EquationsForm& form : model.constraints) {
    // Force times velocity is a power, whatever the unit of the constraint is.
    const std::string unit = form.of_positions ? unitOfRate(form.unit) : form.unit;
    add("reactions", form.name + "_reaction", unit == "m/s" ? "N" : unit == "rad/s" || unit == "1/s" ? "N*m" : "");
  }
  return out;
}

Mechanism recordedFrame(const EquationsModel& model) {
  Mechanism out = model.frame;
  std::vector<Output> all = recordedNames(model);
  all.insert(all.end(), out.outputs.begin(), out.outputs.end());
  out.outputs = std::move(all);
  return out;
}

}  // namespace linkwork
