// What the pages of steady and locus are made of: motions at some values of a parameter, with their modes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linkwork/report/steady_page.hpp"
#include "steady_models.hpp"

namespace linkwork::app {

// At `p`, of the follower's parameter; nothing where there is no steady motion.
std::optional<SteadyStop> stopAt(const SteadyModels& models, MotionFollower& follower, double p);

// Values of a parameter for the slider: evenly, as many as there is room for, and `others`.
std::vector<double> stopValues(const Mechanism& mechanism, int modes, double from, double to,
                               const std::vector<double>& others);

// Writes it, drawn in the motion at `p`, and says where it is; false after a message.
bool writeSteadyPage(const std::string& verb, const std::string& path, MotionFollower& follower, double p,
                     SteadyPage page);

}  // namespace linkwork::app
