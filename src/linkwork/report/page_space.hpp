// What the page draws of a mechanism in space: bodies, joints, drives and loads, as viewer/DATA.md has them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

struct SpaceDrawing {
  nlohmann::ordered_json bodies, joints, drives, loads;
  std::vector<std::string> notes;  // what is not drawn as the file has it, in sentences
};

SpaceDrawing drawingInSpace(const Mechanism& mechanism, const Result& result);

}  // namespace linkwork
