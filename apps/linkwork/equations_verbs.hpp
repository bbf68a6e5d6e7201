// What verbs do with a file of equations (space = "equations") in place of a mechanism.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linkwork/formulation/equations/equations_names.hpp"
#include "linkwork/formulation/equations/equations_start.hpp"
#include "linkwork/model/equations_model.hpp"
#include "linkwork/read/equations_file.hpp"
#include "verbs.hpp"

namespace linkwork::app {

// Reads a file of equations and prints all findings to stderr; nullopt when there was an error.
std::optional<EquationsModel> readEquations(const ModelOptions& model, Diagnostics& diagnostics,
                                            const std::vector<std::string>& given = {});
// The options for those who read the file by themselves.
std::optional<ReadOptions> equationsReadOptions(const ModelOptions& model, const std::vector<std::string>& given,
                                                Diagnostics& diagnostics);

// What is to be said of the start, as findings.
void addFindings(const EquationsModel& model, const EquationsStart& start, Diagnostics& findings);
// The same, printed; nullopt on failure.
std::optional<EquationsStart> startEquations(const EquationsModel& model);

int checkEquations(const ModelOptions& options, bool mobility, bool json);

}  // namespace linkwork::app
