// All formulations by name: a mechanism becomes a system of equations.
//
// A new formulation is a line in the table of make_system.cpp: everything that lists, documents, tests or runs
// formulations reads that table.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "linkwork/formulation/hamiltonian/split_bodies.hpp"
#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/formulation/stabilisation.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// How stiff the springs are that close the loops of the formulation "compliant"; a number that is zero is not asked
// for.
struct ComplianceChoice {
  double gap = 0.0;                   // m: how far a joint may open
  double stiffness = 0.0;             // N/m, in place of what follows from the gap
  double rotational_stiffness = 0.0;  // N m/rad; else by the same frequency as the other springs
  double stiffness_time = 0.0;        // s: 1/omega of a spring with what it joins
  double damping_ratio = 0.0;
  std::string law = "chord";
  std::string base_frame = "no";  // or "yes": springs along the axes of the ground
};

struct SystemOptions : StabilisationNumbers, ComplianceChoice {
  std::string formulation = "absolute";
  std::string stabilisation = "projection";
  std::string opening = "cut_joints";  // of loops, hamiltonian: or split_bodies
  // hamiltonian: or as the paper has it: printed (rates of impulses), iteration, quarter, krylov (impulses in
  // loops); compliant: printed (moments of springs by 1 / cos)
  std::string variant = "corrected";
  std::vector<int> dependent_rows;  // found at the assembled start
  double reaction_length = 0.0;     // m; 0: the rms distance of the joints from their centroid
  double misfit = 0.0;              // how far those are from fitting, as Assembly says
  std::vector<double> start;        // [q, v, work, turns] at the assembled start, in absolute coordinates

  // What is wrong and what to do about it, in one sentence; empty if nothing is.
  std::string problem() const;
};

// What stands beside the coordinates in the state: their rates, impulses, or as many combinations of rates as are
// independent.
enum class StateKind { velocities, impulses, quasi_velocities };

// Which of the explanations (codegen) works its equations out, entry by entry.
enum class ExplainedAs { nothing, bodies_and_multipliers, impulses_and_sweeps };

struct FormulationInfo {
  std::string name;
  std::string unknowns;                     // in words
  std::vector<std::string> stabilisations;  // those it has
  // What of a mechanism is in its way, with the joint's name, as the beginning of a sentence: "joint \"S\" is
  // prismatic, and linkage is made of hinges". Empty: nothing.
  std::function<std::string(const Mechanism&)> obstacle;
  std::function<std::unique_ptr<MechanismSystem>(const Mechanism&, const SystemOptions&)> make;
  StateKind state = StateKind::velocities;
  // The forms in which its equations are written out (codegen), the best first; the first that fits is taken.
  std::vector<std::string> forms;
  // The work of a whole run beside that of the others on such a mechanism, as measured (docs/benchmarks.md): what
  // "auto" goes by.
  double (*cost)(const Mechanism&) = nullptr;
  ExplainedAs explained = ExplainedAs::nothing;
  // The joints at which it opens loops; null: it opens none.
  std::vector<int> (*cut)(const Mechanism&, const SystemOptions&) = nullptr;

  // Whether it closes loops by springs, so that it nears the others as they get stiffer, and does not agree with them.
  bool softens = false;

  // Names of those joints; none where the formulation does not apply.
  std::vector<std::string> cutJoints(const Mechanism& mechanism, const SystemOptions& options) const;
};

const std::vector<FormulationInfo>& formulations();
std::vector<std::string> explainedFormulations();
const FormulationInfo* findFormulation(std::string_view name);  // null: there is none of that name

std::vector<std::string> formulationNames();
std::vector<std::string> exactFormulationNames();  // those that agree with each other, as none of them softens joints
std::vector<std::string> variantNames();

// Why a formulation that there is has no such stabilisation, in one sentence with a way out; empty if it has.
std::string stabilisationProblem(std::string_view formulation, std::string_view stabilisation);

// Why a formulation that there is does not apply to a mechanism: the joint that is in its way, and which formulations
// do apply; empty if it does.
std::string formulationProblem(std::string_view formulation, const Mechanism& mechanism);

// Throws ContractError with options.problem() or formulationProblem() if there is one.
std::unique_ptr<MechanismSystem> makeSystem(const Mechanism& mechanism, const SystemOptions& options);

}  // namespace linkwork
