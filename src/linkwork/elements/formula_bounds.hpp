// How long the steps of a run may be at most so that nothing that a formula of time does is jumped over; known before
// the run, from bounds of the formula's Taylor coefficients over stretches of time (scalar/interval_series.hpp).
//
// Where |f^(k)/k!| <= c_k over a stretch, f is a polynomial of degree k - 1 to within c_k L^k on every part of length
// L. A part on which f is such a polynomial to within kBlur of its greatest value has nothing in it that samples at a
// distance of the order of L would not show. So the step is limited to kPartsPerStep times the longest such L;
// stretches are halved until that is near to what the formula does there.                         [docs/theory/10,
// eq. 10.2]
#pragma once

#include <vector>

#include "linkwork/scalar/expr.hpp"

namespace linkwork {

struct StepStretch {
  double from = 0.0, to = 0.0;  // s
  double step = 0.0;            // s: no step that begins or ends within may be longer
};

// How a run comes near to a pole of a formula: from `near` on its steps are a part of what is left, and at `end` it
// ends.
struct PoleApproach {
  double place = 0.0;            // s: the time of the pole is known to within this
  double near = 0.0, end = 0.0;  // s

  PoleApproach(double pole, double until);
};

struct FormulaBounds {
  std::vector<StepStretch> stretches;  // in rising order, without overlap; elsewhere any step will do
  // Stretches on which too little is known of the formula: steps are limited there too, but not surely enough.
  std::vector<StepStretch> loose;
  // The first time at which the formula or one of its derivatives grows beyond all bounds, so that no motion passes it;
  // of what comes after its approach has begun nothing is known. Negative: there is none.
  double pole = -1.0;
  int pole_derivative = 0;  // which one grows so there
  int looks = 0;            // evaluations that it took
};

// f and its first `derivatives` derivatives from 0 to `until`. `f` holds no symbol but t.
FormulaBounds boundFormula(const Expr& f, int derivatives, double until);

}  // namespace linkwork
