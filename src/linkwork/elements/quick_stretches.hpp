// Where a mechanism's formulas of time move so quickly that a step could jump over what they do, and where they grow
// beyond all bounds: found before a run, for drives with their two derivatives, for loads and events, and for the
// parts that depend on time alone of formulas with coordinates.
#pragma once

#include <string>
#include <vector>

#include "linkwork/elements/formula_bounds.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

struct QuickStretches {
  std::vector<StepStretch> stretches;  // in rising order, without overlap

  // A formula that could not be bounded closely enough to be sure: the stretch, and the step it was limited to there.
  struct Loose {
    std::string owner;  // load "push"
    StepStretch stretch;
  };
  std::vector<Loose> loose;

  // The first pole of each formula that has one.
  struct Pole {
    std::string owner;  // load "push", or the acceleration of drive "motor"
    double time = 0.0;  // s
  };
  std::vector<Pole> poles;
};

// A formula that acts on the motion with so many of its derivatives by time, beside those of a mechanism.
struct ActingFormula {
  std::string kind, name;  // of its owner: force "push"
  Expr formula{0.0};
  int derivatives = 0;
};

QuickStretches findQuickStretches(const Mechanism& mechanism, double until,
                                  const std::vector<ActingFormula>& others = {});

// The largest parts of a formula that depend on t and on nothing else; constants are none.
std::vector<Expr> partsOfTime(const Expr& formula);

}  // namespace linkwork
