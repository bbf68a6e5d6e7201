// Motion files: coordinates over time in CSV, made into drives.
//
//   # lines that start with a cross are remarks
//   time [s], O.angle [deg], A.angle
//   0, 30, 0.1
//
// Units stand in brackets; without one SI and radians count. Between the rows a cubic spline runs, whose acceleration
// is continuous. The result file of a run is such a file.
#pragma once

#include <string>
#include <vector>

#include "linkwork/model/mechanism.hpp"
#include "linkwork/scalar/table.hpp"

namespace linkwork {

struct MotionFile {
  std::string problem;  // why it could not be read, with the line; empty if it could
  std::vector<double> time;
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  // as many as names, in SI
  // Of two rows at one time, which results have where a load jumps, the second counts. As many as names: when the
  // column itself jumps; NaN: never.
  std::vector<double> jumps;
};

MotionFile readMotionFile(const std::string& path);
MotionFile parseMotion(const std::string& text, const std::string& file_name);

struct MotionOptions {
  std::vector<std::string> coordinates;  // of the columns; empty: all of them
  TableEnds ends = TableEnds::natural;   // no acceleration, or (clamped) no velocity at both ends
};

// Puts drives for the coordinates in place of the mechanism's drives of the same name, or adds them. Returns what is
// wrong, empty if nothing is. Warns where rows are too far apart for the motion, so that accelerations are guesswork.
std::string driveBy(const MotionFile& file, const MotionOptions& options, Mechanism& mechanism,
                    std::vector<std::string>& warnings);

}  // namespace linkwork
