// A comparison as tables of text: for the terminal, and for a report.
#pragma once

#include <string>

#include "linkwork/codegen/text_table.hpp"
#include "linkwork/study/converge.hpp"

namespace linkwork {

// Each with a row of heads. Runs that do not apply are in neither of the first two.
TextTable differenceTable(const Comparison& comparison);  // relative, from the reference; where each parts from it
TextTable effortTable(const Comparison& comparison);      // time reached, drift, energy balance, counts, time
TextTable convergenceTable(const Convergence& convergence);

// Names and values as the results say them: what all runs share; what a run has of its own beside its method, such as
// tolerances where others have fixed steps; those of all runs, run by run, without the runs that have none; and
// versions and model, of libraries too where a run used one.
Settings commonSettings(const Comparison& comparison);
Settings ownSettings(const Comparison& comparison, const ComparedRun& run);
TextTable ownSettingsTable(const Comparison& comparison);
Settings provenanceOf(const Comparison& comparison);

}  // namespace linkwork
