// Parts of pages beside those of a run: what drives and kinematics bring, a pose in place of a motion, tables of text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "linkwork/codegen/text_table.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

// Of what is recorded where drives prescribe the motion (simulate/motion_extras.hpp): transmission angles, mechanical
// advantages, powers of drives, shaking force. Adds nothing where there is nothing of the kind.
void addMotionPlots(const Result& result, nlohmann::ordered_json& plots);

// What every page has: the mechanism drawn, its series, the model. The page of a run adds to it (files/page_file.hpp).
nlohmann::ordered_json poseOutline(const Mechanism& mechanism, const Result& result,
                                   const std::vector<std::string>& warnings);

// Degrees of freedom of velocities, and of positions where they are others.
void putFreedoms(nlohmann::ordered_json& page, int of_velocities, int of_positions);

// The outline of a page that shows one pose. `still` has one sample, or none
// where there is no pose to show.
nlohmann::ordered_json stillOutline(const Mechanism& mechanism, const Result& still,
                                    const std::vector<std::string>& warnings);

nlohmann::ordered_json tableJson(const std::string& title, const std::string& note, const TextTable& table);

}  // namespace linkwork
