// All formulations by name: a mechanism becomes a system of equations.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

struct SystemOptions {
  std::string formulation = "absolute";
  std::string stabilisation = "projection";
  double alpha = 5.0;               // 1/s, Baumgarte
  double beta = 5.0;                // 1/s
  double penalty = 0.0;             // kg, augmented Lagrangian; 0: a million times the mean mass of the bodies
  double omega = 10.0;              // 1/s
  double mu = 1.0;                  // damping ratio
  std::vector<int> dependent_rows;  // found at the assembled start
  double reaction_length = 0.0;     // m; 0: the rms distance of the joints from their centroid
  double misfit = 0.0;              // how far those are from fitting, as Assembly says

  // What is wrong and what to do about it, in one sentence; empty if nothing is.
  std::string problem() const;
};

std::vector<std::string> formulationNames();
std::vector<std::string> stabilisationNames();

// Throws ContractError with options.problem() if there is one.
std::unique_ptr<MechanismSystem> makeSystem(const Mechanism& mechanism, const SystemOptions& options);

}  // namespace linkwork
