// What a locus leaves: a table of its branches, a drawing, and the same as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "linkwork/study/locus.hpp"

namespace linkwork {

struct LocusNames {
  std::string parameter, unit;
  std::vector<std::string> seen;  // rows of the samples' shapes
};

// All answer what went wrong; empty on success.
std::string writeLocusCsv(const std::string& path, const Locus& locus, const LocusNames& names);

enum class LocusPlot { parts, campbell };  // real and imaginary parts; frequencies with the line of the parameter
std::string writeLocusSvg(const std::string& path, const Locus& locus, const LocusNames& names, LocusPlot plot);
std::string locusSvg(const Locus& locus, const LocusNames& names, LocusPlot plot);

nlohmann::ordered_json locusJson(const Locus& locus, const LocusNames& names);

// "steer.angle 1, frame.turn_x 0.41 (92 deg)": who moves most in a shape.
std::string shapeText(const Eigen::VectorXcd& shape, const std::vector<std::string>& names);

}  // namespace linkwork
