// What linkwork locus says of a locus or a map, and the files that it leaves; of mechanisms and of equations.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "linkwork/files/locus_file.hpp"
#include "linkwork/report/steady_page.hpp"

namespace linkwork::app {

void printLocus(const std::string& model, const Locus& locus, const LocusNames& names, const std::vector<int>& zeros);

// NAME_locus.csv, .svg and .json in the folder; `says`: which, on stderr. An exit code.
int writeLocus(const std::string& folder, const std::string& model_file, const Locus& locus, const LocusNames& names,
               const nlohmann::ordered_json& json, bool campbell, bool says);

// What the page of a locus is made of, but for its stops; `locus` must outlive it.
SteadyPage locusPage(const std::string& model, const Locus& locus, const LocusNames& names);

// A parameter and its ends, in SI units.
struct LocusAxis {
  std::string name, unit;
  double from = 0.0, to = 0.0;

  double at(int k, int points) const { return from + (to - from) * k / (points - 1); }
};

// A map over two parameters: the class and the greatest real part, printed and written to NAME_locus.csv and .json.
struct MapAsked {
  std::string model, model_file;
  LocusAxis first, second;
  int points = 0;
  std::string out;
  bool json = false;
};
// For a value of the second: eigenvalues over the first.
using SamplesAt = std::function<std::function<LocusSample(double)>(double second)>;
int writeMap(const MapAsked& asked, const SamplesAt& samples_at, StabilityMap& map);

}  // namespace linkwork::app
