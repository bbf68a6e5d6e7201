// The page of the modes of a mechanism: eigenvalues, frequencies and damping, and the shapes that the page swings.
#pragma once

#include <string>
#include <vector>

#include "linkwork/analyse/modes.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

std::string_view wordFor(ModeKind kind);

// The data block (files/page_file.hpp). `still`: the state that was linearised, with one sample
// (simulate/still_result.hpp).
std::string modesPageData(const Mechanism& mechanism, const Linearisation& linear, const NaturalModes& modes,
                          const Result& still, const std::vector<std::string>& warnings);

}  // namespace linkwork
