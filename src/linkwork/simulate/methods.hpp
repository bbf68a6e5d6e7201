// Which formulations, stabilisations and integrators go together, which options go with them, and why the rest does
// not.
//
// A stabilisation either makes ordinary equations of a mechanism (none, baumgarte, projection, augmented_lagrangian,
// partitioning) or leaves its constraints in them (ggl, index3). An integrator takes the one, the other, or both; of
// the others some live on the structure of the index-3 equations. The whole table stands in docs/reference/methods.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "linkwork/simulate/simulate.hpp"

namespace linkwork {

enum class Fit {
  fits,
  needs_ordinary_equations,  // the integrator, but the stabilisation leaves the constraints in
  needs_constraints,         // the integrator, but the stabilisation has none
  needs_index3,              // the integrator, but the stabilisation is ggl
  not_offered,               // the formulation has no such stabilisation
  needs_velocities,          // the integrator, but the formulation has impulses
  needs_impulses,            // the integrator, but the formulation has velocities
  needs_ggl,                 // the integrator, but the stabilisation is index3
};

struct Method {
  std::string formulation, stabilisation, integrator;
  Fit fit = Fit::fits;
};

// The whole table, in the order of the names; formulations are the slowest to change.
std::vector<Method> methods();

// Of names that there are.
Fit fitOf(std::string_view formulation, std::string_view stabilisation, std::string_view integrator);

// Why the three do not go together, in one sentence with a way out; empty if they do.
std::string methodProblem(std::string_view formulation, std::string_view stabilisation, std::string_view integrator);

// Why an option that the user gave has no effect on such a run, in one sentence with a way out; empty if it has. The
// option as on the command line, without its dashes; options that go with every method need not be asked about.
std::string optionProblem(std::string_view option, const RunOptions& options);

}  // namespace linkwork
