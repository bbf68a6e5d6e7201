// What a person wants to know of a run at a glance: the largest load of each joint, the coordinate that tells the
// motion, and the course of a quantity in one line of letters.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linkwork/result/result.hpp"

namespace linkwork {

struct LoadPeak {
  double size = 0.0;  // N or N*m
  double time = 0.0;  // s
  bool unique = true;
};

struct JointPeaks {
  std::string joint;
  LoadPeak force;
  std::optional<LoadPeak> moment;  // none where the joint carries none
};

// From the load table, on the second body, in the order of the file.
std::vector<JointPeaks> jointPeaks(const Result& result);

// The first coordinate of a joint that changes in the run, else the first of a body; null where nothing moves.
const Series* tellingCoordinate(const Result& result);

enum class Sparks { blocks, ascii };
enum class SparkOf { values, sizes };  // sizes: magnitudes, from zero up

// At most `width` letters, each for a stretch of samples: of values the middle between the least and the greatest in
// it, of sizes the greatest. What is not finite is left out; a stretch without anything else is blank. Empty for no
// samples.
std::string sparkline(std::span<const double> values, std::size_t width, Sparks letters, SparkOf what);

}  // namespace linkwork
