#include "linkwork/formulation/make_system.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "linkwork/base/contract.hpp"
#include "linkwork/base/diagnostics.hpp"
#include "linkwork/base/index.hpp"
#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/formulation/compliant/soften.hpp"
#include "linkwork/formulation/hamiltonian/hamiltonian_system.hpp"
#include "linkwork/formulation/linkage/linkage_plan.hpp"
#include "linkwork/formulation/linkage/linkage_system.hpp"
#include "linkwork/formulation/quasivelocity/quasi_velocity_system.hpp"
#include "linkwork/formulation/recursive/recursive_system.hpp"
#include "linkwork/formulation/recursive/tree_equations.hpp"

namespace linkwork {

namespace {

std::string unknown(const char* what, const std::string& given, const std::vector<std::string>& names) {
  std::string text = fmt::format("there is no {} \"{}\"; there are: {}.", what, given, fmt::join(names, ", "));
  const std::string guess = didYouMean(given, names);
  return guess.empty() ? text : text + " " + guess;
}

StabilisationOptions stabilised(const SystemOptions& options) {
  StabilisationOptions out;
  static_cast<StabilisationNumbers&>(out) = options;
  out.stabilisation = findStabilisation(options.stabilisation)->stabilisation;
  out.doubtful_rows = options.dependent_rows;
  out.reaction_length = options.reaction_length;
  out.misfit = options.misfit;
  out.start = options.start;
  return out;
}

std::unique_ptr<MechanismSystem> makeAbsolute(const Mechanism& mechanism, const SystemOptions& options) {
  if (mechanism.space == Space::planar) return std::make_unique<AbsoluteSystem>(mechanism, stabilised(options));
  return std::make_unique<SpatialAbsoluteSystem>(mechanism, stabilised(options));
}

std::unique_ptr<MechanismSystem> makeLinkage(const Mechanism& mechanism, const SystemOptions& options) {
  return std::make_unique<LinkageSystem>(mechanism, stabilised(options));
}

std::unique_ptr<MechanismSystem> makeRecursive(const Mechanism& mechanism, const SystemOptions& options) {
  if (mechanism.space == Space::planar) return std::make_unique<PlanarRecursiveSystem>(mechanism, stabilised(options));
  return std::make_unique<SpatialRecursiveSystem>(mechanism, stabilised(options));
}

std::unique_ptr<MechanismSystem> makeHamiltonian(const Mechanism& mechanism, const SystemOptions& options) {
  HamiltonianOptions own{stabilised(options)};
  own.opening = openingOf(options.opening);
  if (options.variant == "printed") own.variant = ImpulseRates::printed;
  if (options.variant == "printed" || options.variant == "one_gauge") own.regauge = Regauge::never;
  if (options.variant == "iteration") own.solver = LoopSolver::iteration;
  if (options.variant == "quarter") own.solver = LoopSolver::quarter;
  if (options.variant == "krylov") own.solver = LoopSolver::krylov;
  if (mechanism.space == Space::planar) return std::make_unique<PlanarHamiltonianSystem>(mechanism, own);
  return std::make_unique<SpatialHamiltonianSystem>(mechanism, own);
}

std::unique_ptr<MechanismSystem> makeQuasiVelocity(const Mechanism& mechanism, const SystemOptions& options) {
  if (mechanism.space == Space::planar)
    return std::make_unique<PlanarQuasiVelocitySystem>(mechanism, stabilised(options));
  return std::make_unique<SpatialQuasiVelocitySystem>(mechanism, stabilised(options));
}

// Rows that depend on others were found with the springs' constraints among them: none of those found is known here.
std::unique_ptr<MechanismSystem> makeCompliant(const Mechanism& mechanism, const SystemOptions& options) {
  if (softenedJoints(mechanism).empty()) return makeRecursive(mechanism, options);
  SystemOptions own = options;
  own.dependent_rows.clear();
  return makeRecursive(soften(mechanism, options, options.start), own);
}

std::string noObstacle(const Mechanism& /*mechanism*/) { return {}; }

std::vector<int> cutOfTree(const Mechanism& mechanism, const SystemOptions& options) {
  std::vector<int> out;
  if (openingOf(options.opening) == LoopOpening::split_bodies) return out;
  for (const PlannedCut& planned : planRecursiveTree(mechanism).cuts) {
    if (planned.joint >= 0) out.push_back(planned.joint);
  }
  return out;
}

std::vector<int> cutOfLinkage(const Mechanism& mechanism, const SystemOptions& /*options*/) {
  return linkage::planLinkage(mechanism).cut_joint;
}

// Medians over the shipped models of time at equal error, that of recursive taken as 1. A body without inertia makes a
// block of a tree dense; a body without joints has no tree to gain from.
bool hasMasslessBody(const Mechanism& mechanism) {
  return std::any_of(mechanism.bodies.begin(), mechanism.bodies.end(),
                     [](const Body& body) { return body.mass.number == 0.0; });
}
double costOfAbsolute(const Mechanism& mechanism) { return mechanism.joints.empty() ? 0.6 : 1.7; }
double costOfRecursive(const Mechanism& mechanism) { return hasMasslessBody(mechanism) ? 2.3 : 1.0; }
double costOfLinkage(const Mechanism& /*mechanism*/) { return 1.2; }
double costOfHamiltonian(const Mechanism& mechanism) { return hasMasslessBody(mechanism) ? 2.8 : 1.3; }
// Over 32 models whose runs take more than 4 ms (dop853 at 1e-11) the median was 0.96, from 0.33 to 1.17: no more than
// recursive, which stands before it. The one with a massless body took 0.52 of what recursive takes for it.
double costOfQuasiVelocity(const Mechanism& mechanism) { return hasMasslessBody(mechanism) ? 1.25 : 1.0; }

// Near the answer of the others, and never it: to be asked for.
double costOfCompliant(const Mechanism& /*mechanism*/) { return HUGE_VAL; }

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

const std::vector<FormulationInfo>& formulations() {
  static const std::vector<FormulationInfo> table{
      {"absolute",
       "coordinates of every body, a multiplier for every constraint row",
       stabilisationNames(),
       noObstacle,
       makeAbsolute,
       StateKind::velocities,
       {"absolute"},
       costOfAbsolute,
       ExplainedAs::bodies_and_multipliers},
      {"recursive",
       "coordinates of the joints of a spanning tree, a multiplier for every row of a cut joint",
       stabilisationNames(),
       noObstacle,
       makeRecursive,
       StateKind::velocities,
       {"recursive"},
       costOfRecursive,
       ExplainedAs::nothing,
       cutOfTree},
      {"linkage",
       "absolute angles of the links of a planar hinged mechanism, reactions of the cut hinges",
       {"none", "baumgarte", "projection"},
       linkage::linkageObstacle,
       makeLinkage,
       StateKind::velocities,
       {"elimination", "rud"},
       costOfLinkage,
       ExplainedAs::nothing,
       cutOfLinkage},
      {"hamiltonian",
       "coordinates of the joints of a spanning tree and their impulses, an impulse for every row of a cut joint",
       {"none", "projection"},
       noObstacle,
       makeHamiltonian,
       StateKind::impulses,
       {"hamiltonian"},
       costOfHamiltonian,
       ExplainedAs::impulses_and_sweeps,
       cutOfTree},
      {"quasivelocity",
       "coordinates of the joints of a spanning tree and as many of their velocities as are independent",
       {"none", "projection"},
       noObstacle,
       makeQuasiVelocity,
       StateKind::quasi_velocities,
       {"quasivelocity"},
       costOfQuasiVelocity,
       ExplainedAs::nothing,
       cutOfTree},
      {"compliant",
       "coordinates of the joints of a spanning tree; the cut joints are springs and add no unknowns",
       stabilisationNames(),
       noObstacle,
       makeCompliant,
       StateKind::velocities,
       {"recursive"},
       costOfCompliant,
       ExplainedAs::nothing,
       cutOfTree,
       true},
  };
  return table;
}

const FormulationInfo* findFormulation(std::string_view name) {
  const auto& table = formulations();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const FormulationInfo& info) { return info.name == name; });
  return found == table.end() ? nullptr : &*found;
}

std::vector<std::string> FormulationInfo::cutJoints(const Mechanism& mechanism, const SystemOptions& options) const {
  std::vector<std::string> out;
  if (cut == nullptr || !obstacle(mechanism).empty()) return out;
  for (const int joint : cut(mechanism, options)) out.push_back(mechanism.joints[at(joint)].name);
  return out;
}

std::vector<std::string> formulationNames() {
  std::vector<std::string> names;
  for (const FormulationInfo& info : formulations()) names.push_back(info.name);
  return names;
}

std::vector<std::string> explainedFormulations() {
  std::vector<std::string> names;
  for (const FormulationInfo& info : formulations()) {
    const bool explained = info.explained != ExplainedAs::nothing || info.state == StateKind::quasi_velocities;
    if (explained) names.push_back(info.name);
  }
  return names;
}

std::vector<std::string> variantNames() {
  return {"corrected", "one_gauge", "printed", "iteration", "quarter", "krylov"};
}

std::vector<std::string> exactFormulationNames() {
  std::vector<std::string> names;
  for (const FormulationInfo& info : formulations()) {
    if (!info.softens) names.push_back(info.name);
  }
  return names;
}

std::string stabilisationProblem(std::string_view formulation, std::string_view stabilisation) {
  const FormulationInfo* info = findFormulation(formulation);
  if (info == nullptr || contains(info->stabilisations, stabilisation)) return {};
  return fmt::format("formulation \"{}\" has no stabilisation \"{}\": use {}, or the formulation absolute.",
                     formulation, stabilisation, fmt::join(info->stabilisations, ", "));
}

std::string formulationProblem(std::string_view formulation, const Mechanism& mechanism) {
  const FormulationInfo* info = findFormulation(formulation);
  const std::string obstacle = info == nullptr ? std::string() : info->obstacle(mechanism);
  if (obstacle.empty()) return {};
  std::vector<std::string> others;
  for (const FormulationInfo& other : formulations()) {
    if (!other.softens && other.obstacle(mechanism).empty()) others.push_back(other.name);
  }
  return fmt::format("{}: use the formulation {}.", obstacle, fmt::join(others, " or "));
}

std::string SystemOptions::problem() const {
  if (findFormulation(formulation) == nullptr) return unknown("formulation", formulation, formulationNames());
  if (!contains(stabilisationNames(), stabilisation)) {
    return unknown("stabilisation", stabilisation, stabilisationNames());
  }
  if (std::string text = stabilisationProblem(formulation, stabilisation); !text.empty()) return text;
  if (!contains(openingNames(), opening)) return unknown("way of opening loops", opening, openingNames());
  for (const auto& [name, value] :
       {std::pair("gap", gap), std::pair("stiffness", stiffness),
        std::pair("rotational-stiffness", rotational_stiffness), std::pair("stiffness-time", stiffness_time),
        std::pair("damping-ratio", damping_ratio)}) {
    if (!(value >= 0.0) || !std::isfinite(value))
      return fmt::format("--{} must be positive, it is {:.6g}; leave it out for what follows from the forces.", name,
                         value);
  }
  if (!contains({"chord", "angle", "sin2"}, law))
    return unknown("law of springs that turn", law, {"chord", "angle", "sin2"});
  if (!contains({"no", "yes"}, base_frame)) return "--base-frame is yes or no.";
  if (formulation == "compliant" && variant != "corrected" && variant != "printed")
    return fmt::format("the formulation compliant has no variant \"{}\": there are corrected and printed.", variant);
  if (!contains(variantNames(), variant)) return unknown("variant", variant, variantNames());
  if (!(alpha >= 0.0) || !(beta >= 0.0) || !std::isfinite(alpha + beta)) {
    return fmt::format(
        "alpha and beta must not be negative (they are {:.6g} and {:.6g} 1/s); alpha = beta = 5 is a good start.",
        alpha, beta);
  }
  if (!(penalty >= 0.0) || !std::isfinite(penalty)) {
    return fmt::format(
        "the penalty must be positive, it is {:.6g} kg; leave it out for a million times the mean mass of the bodies.",
        penalty);
  }
  if (!(omega >= 0.0) || !(mu >= 0.0) || !std::isfinite(omega + mu)) {
    return fmt::format(
        "omega and mu must not be negative (they are {:.6g} 1/s and {:.6g}); omega = 10 1/s with mu = 1 is a good "
        "start.",
        omega, mu);
  }
  if (!(reaction_length >= 0.0) || !std::isfinite(reaction_length)) {
    return fmt::format(
        "the reaction length must be positive, it is {:.6g} m; leave it out for the rms distance of the joints from "
        "their centroid.",
        reaction_length);
  }
  return {};
}

std::unique_ptr<MechanismSystem> makeSystem(const Mechanism& mechanism, const SystemOptions& options) {
  expect(options.problem().empty(), options.problem());
  const std::string problem = formulationProblem(options.formulation, mechanism);
  expect(problem.empty(), problem);
  return findFormulation(options.formulation)->make(mechanism, options);
}

}  // namespace linkwork
