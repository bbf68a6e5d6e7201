// EquationsFollower: the steady motion of a file of equations over a parameter, each found from the nearest that is
// known, and its eigenvalues.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "linkwork/analyse/equations_steady.hpp"
#include "linkwork/study/locus.hpp"

namespace linkwork {

struct EquationsFamilyOver {
  // At a value of the parameter, and of the unknown ones; null where there is none.
  std::function<std::unique_ptr<EquationsModel>(double p, std::span<const double> unknown)> make;
  std::vector<double> unknown;  // at the start
};

class EquationsFollower {
 public:
  // What is left out, and the zeros of families, are those at `p`.
  EquationsFollower(EquationsFamilyOver family, double p);

  const std::string& problem() const { return problem_; }
  const std::string& hint() const { return hint_; }
  const std::vector<int>& zeros() const { return zeros_; }
  EquationsSteadySolver& solver() { return *solver_; }
  const std::vector<double>& unknown() const { return unknown_; }

  EquationsMotion motionAt(double p);
  LocusSample sampleAt(double p);

 private:
  EquationsFamilyOver family_;
  std::unique_ptr<EquationsSteadySolver> solver_;
  std::map<double, std::pair<std::vector<double>, std::vector<double>>> known_;  // state, unknown
  std::vector<int> zeros_;
  std::vector<double> unknown_;
  std::string problem_, hint_;
};

// Eigenvalues of what is left when families are taken out, by rising size, with their shapes in all states.
LocusSample eigenvaluesOf(const EquationsLinear& linear, const DeflatedEquations& deflated);

}  // namespace linkwork
