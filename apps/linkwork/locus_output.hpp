// What linkwork locus says of a locus, and the files that it leaves; of mechanisms and of equations.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "linkwork/files/locus_file.hpp"

namespace linkwork::app {

void printLocus(const std::string& model, const Locus& locus, const LocusNames& names, const std::vector<int>& zeros);

// NAME_locus.csv, .svg and .json in the folder; `says`: which, on stderr. An exit code.
int writeLocus(const std::string& folder, const std::string& model_file, const Locus& locus, const LocusNames& names,
               const nlohmann::ordered_json& json, bool campbell, bool says);

}  // namespace linkwork::app
