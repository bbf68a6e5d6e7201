// How constraints are kept closed, and the numbers that belong to each way. [docs/reference/methods]
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "linkwork/formulation/constraint_rows.hpp"

namespace linkwork {

enum class Stabilisation {
  none,
  baumgarte,
  projection,
  augmented_lagrangian,
  partitioning,
  ggl,     // stabilised index 2: for methods that take dae()
  index3,  // for methods that take dae() or mechanical()
};

struct StabilisationInfo {
  std::string name;
  Stabilisation stabilisation;
  // The method itself takes the constraints, by mechanical() or dae().
  bool keeps_constraints = false;
  // Rates are those of the equations themselves: what is done about drift is done between steps.
  bool own_equations = false;
  // Steps and samples are brought back onto the constraints.
  bool projects = false;
};

const std::vector<StabilisationInfo>& stabilisations();  // in the order of the enum
const StabilisationInfo& infoOf(Stabilisation stabilisation);
const StabilisationInfo* findStabilisation(std::string_view name);  // null: there is none of that name
std::vector<std::string> stabilisationNames();

// The numbers of those that have some.
struct StabilisationNumbers {
  double alpha = 5.0;  // 1/s, baumgarte only
  double beta = 5.0;   // 1/s
  // augmented_lagrangian only. The penalty of a row in metres; one in radians has it times the reaction length squared.
  double penalty = 0.0;  // kg; 0: kPenaltyPerMass times the mean mass of the bodies
  double omega = 10.0;   // 1/s
  double mu = 1.0;       // a damping ratio
};

struct StabilisationOptions : RowOptions, StabilisationNumbers {
  Stabilisation stabilisation = Stabilisation::projection;

  bool keepsConstraints() const { return infoOf(stabilisation).keeps_constraints; }
};

// An error of a row obeys Phi'' + rate Phi' + stiffness Phi = 0.
struct Pull {
  double rate = 0.0;       // 1/s
  double stiffness = 0.0;  // 1/s^2
};
inline Pull baumgartePull(const StabilisationOptions& options) {
  return {2.0 * options.alpha, options.beta * options.beta};
}
inline Pull penaltyPull(const StabilisationOptions& options) {
  return {2.0 * options.mu * options.omega, options.omega * options.omega};
}

}  // namespace linkwork
