#include "linkwork/simulate/methods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace linkwork {
namespace {

bool keepsConstraints(std::string_view stabilisation) { return stabilisation == "ggl" || stabilisation == "index3"; }

// Radau IIA takes constraints where there are some, and ordinary equations where there are none.
bool takesBoth(const IntegratorInfo& info) { return info.name == "radau5"; }

// Options that belong to one formulation, stabilisation or integrator.
struct Owned {
  std::string_view option;
  std::string_view owner;
};
constexpr auto kOfStabilisation = std::to_array<Owned>({{"alpha", "baumgarte"},
                                                        {"beta", "baumgarte"},
                                                        {"penalty", "augmented_lagrangian"},
                                                        {"omega", "augmented_lagrangian"},
                                                        {"mu", "augmented_lagrangian"}});
constexpr auto kOfFormulation = std::to_array<Owned>({{"opening", "hamiltonian"}, {"variant", "hamiltonian"}});
constexpr auto kOfIntegrator = std::to_array<Owned>({{"rho", "generalized_alpha"}});

const Owned* find(std::span<const Owned> list, std::string_view option) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const Owned& owned) { return owned.option == option; });
  return found == list.end() ? nullptr : &*found;
}

}  // namespace

Fit fitOf(std::string_view formulation, std::string_view stabilisation, std::string_view integrator) {
  if (!stabilisationProblem(formulation, stabilisation).empty()) return Fit::not_offered;
  if (formulation == "hamiltonian" && integrator == "explicit_step") return Fit::needs_velocities;
  const IntegratorInfo* info = findIntegrator(integrator);
  if (info != nullptr && info->form == EquationForm::canonical)
    return formulation == "hamiltonian" ? Fit::fits : Fit::needs_impulses;
  if (info == nullptr || takesBoth(*info)) return Fit::fits;
  if (!keepsConstraints(stabilisation)) return info->form == EquationForm::ode ? Fit::fits : Fit::needs_constraints;
  if (info->form == EquationForm::ode) return Fit::needs_ordinary_equations;
  return info->form == EquationForm::mechanical && stabilisation == "ggl" ? Fit::needs_index3 : Fit::fits;
}

std::vector<Method> methods() {
  std::vector<Method> out;
  for (const std::string& formulation : formulationNames()) {
    for (const std::string& stabilisation : stabilisationNames()) {
      for (const std::string& integrator : integratorNames())
        out.push_back({formulation, stabilisation, integrator, fitOf(formulation, stabilisation, integrator)});
    }
  }
  return out;
}

std::string methodProblem(std::string_view formulation, std::string_view stabilisation, std::string_view integrator) {
  switch (fitOf(formulation, stabilisation, integrator)) {
    case Fit::fits: return {};
    case Fit::needs_ordinary_equations:
      return fmt::format(
          "integrator \"{}\" takes ordinary equations, and stabilisation \"{}\" leaves the constraints in them: use "
          "the "
          "integrator radau5 or ida{}, or stabilisation projection.",
          integrator, stabilisation, stabilisation == "index3" ? " (generalized_alpha and bdf2 are others)" : "");
    case Fit::needs_constraints:
      return fmt::format(
          "integrator \"{}\" takes the constraints themselves, and stabilisation \"{}\" makes ordinary equations of "
          "them: use stabilisation index3{}, or the integrator dopri5.",
          integrator, stabilisation, findIntegrator(integrator)->form == EquationForm::dae ? " or ggl" : "");
    case Fit::needs_index3:
      return fmt::format(
          "integrator \"{}\" has its own way to keep positions and velocities on the constraints, and stabilisation "
          "\"ggl\" adds another: use stabilisation index3, or the integrator radau5 or ida.",
          integrator);
    case Fit::needs_velocities:
      return fmt::format(
          "integrator \"{}\" takes the rates of velocities for second rates of coordinates, and the formulation \"{}\" "
          "has impulses instead: use the integrator rk4, or the formulation recursive.",
          integrator, formulation);
    case Fit::needs_impulses:
      return fmt::format(
          "integrator \"{}\" keeps the structure of coordinates and their impulses, and the formulation \"{}\" has "
          "velocities instead: use the formulation hamiltonian, or the integrator rk4.",
          integrator, formulation);
    case Fit::not_offered: return stabilisationProblem(formulation, stabilisation);
  }
  return {};
}

std::string optionProblem(std::string_view option, const RunOptions& options) {
  if (const Owned* owned = find(kOfStabilisation, option); owned && owned->owner != options.system.stabilisation) {
    return fmt::format(
        "--{} belongs to stabilisation {}, and this run has \"{}\": leave it out, or add --stabilisation {}.", option,
        owned->owner, options.system.stabilisation, owned->owner);
  }
  if (const Owned* owned = find(kOfFormulation, option); owned && owned->owner != options.system.formulation) {
    return fmt::format(
        "--{} belongs to the formulation {}, and this run has \"{}\": leave it out, or add --formulation {}.", option,
        owned->owner, options.system.formulation, owned->owner);
  }
  if (const Owned* owned = find(kOfIntegrator, option); owned && owned->owner != options.integrator) {
    return fmt::format(
        "--{} belongs to the integrator {}, and this run has \"{}\": leave it out, or add --integrator {}.", option,
        owned->owner, options.integrator, owned->owner);
  }
  const IntegratorInfo* info = findIntegrator(options.integrator);
  if (info == nullptr) return {};
  if (option == "variant" && info->form == EquationForm::canonical && options.system.variant != "corrected") {
    return fmt::format(
        "--variant chooses how impulses in loops are found, and \"{}\" has its own way: leave it out, or use another "
        "integrator, such as dopri5.",
        info->name);
  }
  if ((option == "rtol" || option == "atol") && takesFixedSteps(*info, options.steps)) {
    return fmt::format(
        "--{} is for integrators that choose their steps, and \"{}\" takes fixed ones: leave it out, or use another, "
        "such "
        "as dopri5.",
        option, info->name);
  }
  if (option == "step" && !takesFixedSteps(*info, options.steps)) {
    return fmt::format(
        "--step is for integrators with fixed steps, and \"{}\" chooses its own: leave it out, limit them with "
        "--max-step, "
        "or use rk4.",
        info->name);
  }
  return {};
}

}  // namespace linkwork
