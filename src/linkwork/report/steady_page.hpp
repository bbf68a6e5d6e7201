// The page of steady motions: one in motion with its modes, or over a parameter with branches of eigenvalues, ranges
// and limits of stability, or a map over two.
#pragma once

#include <Eigen/Core>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "linkwork/analyse/modes.hpp"
#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/result.hpp"
#include "linkwork/study/locus.hpp"

namespace linkwork {

// One value of the parameter at which the page can stand: the motion there and its modes.
struct SteadyStop {
  double at = 0.0;
  std::vector<std::pair<std::string, std::string>> rows;  // what there is to read
  std::vector<BodyMotion> bodies;
  std::vector<std::optional<Eigen::Vector3d>> turns;  // of each body (analyse/steady_turns.hpp)
  std::vector<LinearCoordinate> seen;                 // of the modes' motions
  double length = 1.0;
  std::vector<Mode> modes;
};

struct SteadyCurve {
  std::string name, unit;
  std::vector<double> values;
};

// Over a second parameter, row by row of it; nothing where there is no steady motion.
struct StabilityMap {
  std::string second, unit;
  std::vector<double> at, across;
  std::vector<std::optional<StabilityClass>> is;
  std::vector<double> greatest_part;
};

struct SteadyPage {
  std::string title;
  std::string parameter, unit;
  std::vector<std::string> sentences;
  std::vector<double> at;                             // where curves and branches have values
  std::vector<SteadyCurve> curves;                    // by `at`
  const Locus* locus = nullptr;                       // its samples are at `at`
  std::vector<std::string> limit_words, range_words;  // of the locus, one for each
  std::optional<StabilityMap> map;
  std::vector<SteadyStop> stops;
  int freedoms = 0, freedoms_of_positions = 0;
};

// The data block (files/page_file.hpp). `still`: one of the motions, with one sample.
std::string steadyPageData(const Mechanism& mechanism, const SteadyPage& page, const Result& still,
                           const std::vector<std::string>& warnings);

// How many stops a page has room for, between 2 and `most`.
int roomForStops(const Mechanism& mechanism, int modes, int most);

}  // namespace linkwork
