// The page of the modes of a mechanism: eigenvalues, frequencies and damping, and the shapes that the page swings.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "linkwork/analyse/modes.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

std::string_view wordFor(ModeKind kind);

// At full amplitude the body that moves most goes so far, as a share of the mechanism's reference length: large enough
// to be seen, small enough for a straight line to pass for an arc.
constexpr double kModeReach = 0.35;

// A mode as the page has it. Of `linear`: what is seen, and the length.
nlohmann::ordered_json modeJson(const Mechanism& mechanism, const Linearisation& linear, const Mode& mode);

// The data block (files/page_file.hpp). `still`: the state that was linearised, with one sample
// (simulate/still_result.hpp).
std::string modesPageData(const Mechanism& mechanism, const Linearisation& linear, const NaturalModes& modes,
                          const Result& still, const std::vector<std::string>& warnings);

}  // namespace linkwork
