// MotionFollower: the steady motion of a mechanism over a parameter, each found from the nearest that is known, and its
// eigenvalues.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linkwork/analyse/steady_linear.hpp"
#include "linkwork/study/locus.hpp"

namespace linkwork {

struct MotionFamily {
  // At a value of the parameter, and of the unknown ones; null, with the reason, where there is none.
  std::function<std::unique_ptr<SteadyModel>(double p, std::span<const double> unknown, std::string& problem)> make;
  // Where the parameter changes nothing but the values that are given: those. Null: it changes more.
  std::function<std::vector<double>(double p)> given_at;
  std::vector<double> unknown;  // at the start
};

class MotionFollower {
 public:
  // The symmetries, and the zeros that are left out, are those at `p`. problem() says why there is nothing to follow.
  MotionFollower(MotionFamily family, double p);

  const std::string& problem() const { return problem_; }
  bool hasModel() const { return solver_ != nullptr; }  // without one it has no motions either
  const std::string& hint() const { return hint_; }
  const StructuralZeros& zeros() const { return zeros_; }
  SteadySolver& solver() { return *solver_; }  // of the value asked for last
  const std::vector<double>& unknown() const { return unknown_; }

  SteadyMotion motionAt(double p);
  LocusSample sampleAt(double p);

 private:
  struct Known {
    std::vector<double> x, unknown;
  };
  bool goTo(double p, std::string& problem);

  MotionFamily family_;
  std::unique_ptr<SteadySolver> solver_;
  std::map<double, Known> known_;
  StructuralZeros zeros_;
  std::vector<double> unknown_;
  std::string problem_, hint_;
};

}  // namespace linkwork
