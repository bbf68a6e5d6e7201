// Examine: one mechanism under several methods, compared as far as its motion can be foretold.
//
// The reference is `absolute` with projection at a tight tolerance (a looser one where that cannot be had, which is a
// finding). It is run twice, the second time from a start that is nudged a little; how fast the two part, aspect by
// aspect, says what becomes of small errors. A trial may differ by a multiple of what it promises times that growth, up
// to where this is no longer small. One that differs by more is run again with finer steps: if it comes nearer it was
// only less accurate, if not it is a finding.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/result.hpp"
#include "trials.hpp"

namespace linkwork::random_mechanisms {

enum class Fault {
  differs,      // from the reference, and finer steps do not mend it, while all its lamps are green or yellow
  differs_red,  // the same, but a lamp says so
  inaccurate,   // finer steps mend it, but it was far off for its tolerance, with no lamp red
  stops,        // where the reference goes on
  goes_on,      // where the reference stops
  slow,
  not_finite,     // a number of a run that says it is complete
  unbalanced,     // the reference itself: forces and moments on a body
  reference_red,  // the tight run itself: a lamp is red, and it is no false alarm
  false_alarm,    // a red lamp over an energy that is nothing for a mechanism of this size
  threw,
};
std::string_view wordFor(Fault fault);

struct Finding {
  Fault fault = Fault::differs;
  Trial trial;
  std::string what;  // in words
};

struct Examination {
  std::string refused;  // why there was nothing to run; by the reader or by assembly
  std::vector<Finding> findings;
  int runs = 0;
  double horizon = 0.0;  // s, the time up to which motions were compared
};

// Lets one side of a comparison be another mechanism: what the tests plant.
using Tamper = std::function<void(Mechanism&, const Trial&)>;

struct ExamineOptions {
  double cpu_limit = 5.0;            // s, of one run
  double until = 0.0;                // s; 0: as the file says
  std::string file = "random.toml";  // beside which other files are looked for
  Tamper tamper;
};

// Trials are drawn where none are given.
Examination examine(const std::string& text, const std::vector<Trial>& trials, Draws draws,
                    const ExamineOptions& options = {});

}  // namespace linkwork::random_mechanisms
