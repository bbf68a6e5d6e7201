#include "linkwork/simulate/methods.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace linkwork {
namespace {

// "the formulation hamiltonian"
std::string_view articleOf(RunOption::Owner owner) { return owner == RunOption::Owner::stabilisation ? "" : "the "; }
std::string_view wordFor(RunOption::Owner owner) {
  switch (owner) {
    case RunOption::Owner::formulation: return "formulation";
    case RunOption::Owner::stabilisation: return "stabilisation";
    case RunOption::Owner::integrator: return "integrator";
    case RunOption::Owner::run: break;
  }
  return {};
}

std::string_view othersThanVelocities(std::string_view formulation) {
  const FormulationInfo* how = findFormulation(formulation);
  return how != nullptr && how->state == StateKind::impulses ? "impulses" : "quasi-velocities";
}

}  // namespace

Fit fitOf(std::string_view formulation, std::string_view stabilisation, std::string_view integrator) {
  if (!stabilisationProblem(formulation, stabilisation).empty()) return Fit::not_offered;
  const IntegratorInfo* info = findIntegrator(integrator);
  if (info == nullptr) return Fit::fits;
  const FormulationInfo* how = findFormulation(formulation);
  const bool impulses = how != nullptr && how->state == StateKind::impulses;
  const bool velocities = how == nullptr || how->state == StateKind::velocities;
  if (!velocities && info->second_rates) return Fit::needs_velocities;
  if (info->form == EquationForm::canonical) return impulses ? Fit::fits : Fit::needs_impulses;
  if (info->form == EquationForm::ode_or_dae) return Fit::fits;
  const StabilisationInfo* kept = findStabilisation(stabilisation);
  if (kept == nullptr || !kept->keeps_constraints)
    return info->form == EquationForm::ode ? Fit::fits : Fit::needs_constraints;
  if (info->form == EquationForm::ode) return Fit::needs_ordinary_equations;
  const bool index3 = kept->stabilisation == Stabilisation::index3;
  if (info->form == EquationForm::mechanical && !index3) return Fit::needs_index3;
  return info->form == EquationForm::dae && index3 ? Fit::needs_ggl : Fit::fits;
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
          "integrator radau5{}, or stabilisation projection.",
          integrator, stabilisation, stabilisation == "index3" ? ", generalized_alpha or bdf2" : " or ida");
    case Fit::needs_constraints:
      return fmt::format(
          "integrator \"{}\" takes the constraints themselves, and stabilisation \"{}\" makes ordinary equations of "
          "them: use stabilisation {}, or the integrator dopri5.",
          integrator, stabilisation, findIntegrator(integrator)->form == EquationForm::dae ? "ggl" : "index3");
    case Fit::needs_index3:
      return fmt::format(
          "integrator \"{}\" has its own way to keep positions and velocities on the constraints, and stabilisation "
          "\"ggl\" adds another: use stabilisation index3, or the integrator radau5 or ida.",
          integrator);
    case Fit::needs_ggl:
      return fmt::format(
          "integrator \"{}\" cannot judge its errors in velocities with stabilisation \"index3\", which leaves them "
          "larger than the tolerance by one over the step: use stabilisation ggl, or the integrator radau5.",
          integrator);
    case Fit::needs_velocities:
      return fmt::format(
          "integrator \"{}\" takes the rates of velocities for second rates of coordinates, and the formulation \"{}\" "
          "has {} instead: use the integrator rk4, or the formulation recursive.",
          integrator, formulation, othersThanVelocities(formulation));
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
  std::string name(option);
  std::replace(name.begin(), name.end(), '-', '_');
  const RunOption* known = findRunOption(name);
  if (known != nullptr && !known->belongs(options)) {
    const std::string_view kind = wordFor(known->owner);
    return fmt::format("--{0} belongs to {1}{2} {3}, and this run has \"{4}\": leave it out, or add --{2} {5}.", option,
                       articleOf(known->owner), kind, fmt::join(known->owners(), " or "),
                       findRunOption(kind)->word(options), known->owners().front());
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
