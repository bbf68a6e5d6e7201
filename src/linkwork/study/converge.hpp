// Convergence: the same comparison with ever tighter tolerances, until the differences settle, and the digits that can
// then be trusted.
#pragma once

#include <string>
#include <vector>

#include "linkwork/study/compare.hpp"

namespace linkwork {

// All runs at one tightness.
struct ConvergenceLevel {
  double rtol = 0.0, atol = 0.0;  // of methods that choose their steps; 0: there are none
  double step = 0.0;              // s, of methods with fixed steps; 0: there are none
  PerAspect<double> spread;       // greatest difference of a run from the reference
  PerAspect<double> change;       // greatest change of a run since the level before; of the first level none
  double ends = 0.0;              // likewise of the time at which runs end, spread or change; relative
  long evaluations = 0;           // of all runs together
  double seconds = 0.0;

  // Of the error: the spread or the change, what is greater.
  PerAspect<double> estimate() const;
  double worst() const;
};

// Why there is no tighter level.
enum class LastLevel {
  settled,      // two levels in a row were no better than the best before them, or nothing better can be seen
  alone,        // no two runs went through at the first one
  tightest,     // rtol = 1e-13
  enough,       // twelve levels
  failed,       // a run could not go on at the next one
  interrupted,  // Ctrl-C
};

struct Convergence {
  std::vector<ConvergenceLevel> levels;
  std::size_t best = 0;   // the level with the smallest estimate
  PerAspect<int> digits;  // of the best level, relative to the greatest value of each aspect
  LastLevel last = LastLevel::alone;
  bool fell = false;      // whether the last level was better than the best before it
  std::string stopped;    // which run failed at the next level, where one did
  Comparison comparison;  // of the best level

  bool settled() const { return last == LastLevel::settled; }
};

// Tolerances are divided by ten from level to level, fixed steps by two. Expectations as for compare().
Convergence converge(const Mechanism& mechanism, const Assembly& assembly, CompareRequest request,
                     const CompareControl& control = {});

// "Settled at rtol = 1e-12: positions can be trusted to 9 digits, ..."
std::string wordsFor(const Convergence& convergence);

}  // namespace linkwork
