// What the page draws of a mechanism in space: bodies, joints, drives, loads and traces, as viewer/DATA.md has them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

struct SpaceDrawing {
  nlohmann::ordered_json bodies, joints, drives, loads, traces;
  std::vector<std::string> notes;  // what is not drawn as the file has it, in sentences
};

SpaceDrawing drawingInSpace(const Mechanism& mechanism, const Result& result);

// The word under which a load is drawn: a spring without damping is a spring, a damper without stiffness a dashpot.
std::string drawnKind(const Load& load);

// Which joints the run's formulation opened its loops at, by their number.
std::vector<bool> cutJoints(const Mechanism& mechanism, const Result& result);

}  // namespace linkwork
