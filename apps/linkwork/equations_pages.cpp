#include "equations_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "linkwork/formulation/equations/equations_names.hpp"
#include "output.hpp"
#include "result_output.hpp"
#include "steady_pages.hpp"

namespace linkwork::app {

namespace {

Mode modeOf(std::complex<double> value, const Eigen::VectorXcd& shape) {
  Mode out;
  out.eigenvalue = value;
  out.kind = value.imag() > 0.0 ? ModeKind::oscillation : ModeKind::exponential;
  out.frequency = value.imag() / (2.0 * std::numbers::pi);
  out.natural_frequency = std::abs(value) / (2.0 * std::numbers::pi);
  out.damping_ratio = out.kind == ModeKind::oscillation ? 0.0 - value.real() / std::abs(value) : 0.0;
  out.time_constant = value.real() == 0.0 ? std::numeric_limits<double>::infinity() : -1.0 / value.real();
  out.seen = out.shape = shape;
  return out;
}

std::optional<SteadyStop> equationsStop(EquationsFile& file, EquationsFollower& follower, double p) {
  const EquationsMotion motion = follower.motionAt(p);
  if (!motion.ok) return std::nullopt;
  SteadyStop out;
  out.at = p;
  for (std::size_t k = 0; k < follower.unknown().size(); ++k) {
    const std::string& name = file.unknown()[k];
    out.rows.emplace_back(name, fmt::format("{:.6g} {}", follower.unknown()[k], file.unitOf(name)));
  }
  for (const GoesOn& going : motion.goes_on)
    out.rows.emplace_back(going.name + " goes on at", fmt::format("{:.6g} {}", going.rate, going.unit));
  const EquationsValues values = valuesAt(follower.solver(), motion.x);
  for (std::size_t k = 0; k < values.numbers.size(); ++k)
    out.rows.emplace_back(values.names[k].name, fmt::format("{:.6g} {}", values.numbers[k], values.names[k].unit));
  const EquationsLinear linear = follower.solver().linearise(motion.x);
  if (!linear.ok) return out;
  for (std::size_t k = 0; k < linear.states.size(); ++k)
    out.seen.push_back({linear.states[k], linear.units[k], linear.states[k] + "'"});
  const LocusSample sample = eigenvaluesOf(linear, follower.solver().deflate(linear, follower.zeros()));
  for (Eigen::Index k = 0; k < sample.values.size(); ++k) {
    if (sample.values[k].imag() >= 0.0) out.modes.push_back(modeOf(sample.values[k], sample.shapes.col(k)));
  }
  return out;
}

int write(const std::string& verb, const EquationsFile& file, const std::string& path, SteadyPage page) {
  page.freedoms = file.model().freedoms();
  page.freedoms_of_positions = file.model().positionFreedoms();
  Result still;
  still.name = file.model().frame.name;
  const std::string problem = writePageFile(steadyPageData(file.model().frame, page, still, {}), path);
  if (!problem.empty()) {
    printErr("linkwork {}: error: {}\n", verb, problem);
    return kBadInput;
  }
  printErr("wrote {}\n", path);
  return kGood;
}

void addStops(EquationsFile& file, EquationsFollower& follower, const std::vector<double>& at, SteadyPage& page) {
  for (const double p : at) {
    if (std::optional<SteadyStop> stop = equationsStop(file, follower, p)) page.stops.push_back(*std::move(stop));
  }
}

}  // namespace

int writeEquationsMotionPage(EquationsFile& file, EquationsFollower& follower, const EquationsSteadyAsked& asked) {
  SteadyPage page;
  page.title = file.model().frame.name + ": steady motion";
  page.sentences.emplace_back("A steady motion.");
  addStops(file, follower, {0.0}, page);
  return write("steady", file, asked.page, std::move(page));
}

int writeEquationsTablePage(EquationsFile& file, EquationsFollower& follower, const EquationsSteadyAsked& asked,
                            const LocusAxis& over) {
  SteadyPage page;
  page.title = file.model().frame.name + ": steady motions";
  page.parameter = over.name;
  page.unit = over.unit;
  page.sentences.push_back(fmt::format("Steady motions over {}.", over.name));
  for (int k = 0; k < asked.points; ++k) {
    const double p = over.at(k, asked.points);
    const EquationsMotion motion = follower.motionAt(p);
    if (!motion.ok) continue;
    page.at.push_back(p);
    const EquationsValues values = valuesAt(follower.solver(), motion.x);
    if (page.curves.empty()) {
      for (const Output& name : values.names) page.curves.push_back({name.name, name.unit, {}});
    }
    for (std::size_t i = 0; i < values.numbers.size(); ++i) page.curves[i].values.push_back(values.numbers[i]);
  }
  const int modes = static_cast<int>(file.model().coordinates.size()) + file.model().freedoms();
  addStops(file, follower, stopValues(file.model().frame, modes, over.from, over.to, {}), page);
  return write("steady", file, asked.page, std::move(page));
}

int writeEquationsLocusPage(EquationsFile& file, EquationsFollower& follower, const EquationsSteadyAsked& asked,
                            const LocusAxis& over, const Locus& locus, const LocusNames& names) {
  SteadyPage page = locusPage(file.model().frame.name, locus, names);
  std::vector<double> limits;
  for (const StabilityLimit& limit : locus.limits) limits.push_back(limit.at);
  const int modes = static_cast<int>(locus.samples.front().values.size());
  addStops(file, follower, stopValues(file.model().frame, modes, over.from, over.to, limits), page);
  return write("locus", file, asked.page, std::move(page));
}

int writeEquationsMapPage(EquationsFile& file, const EquationsSteadyAsked& asked, const LocusAxis& first,
                          StabilityMap map) {
  SteadyPage page;
  page.title = file.model().frame.name + ": map of stability";
  page.parameter = first.name;
  page.unit = first.unit;
  page.sentences.push_back(fmt::format("Stability over {} and {}.", first.name, map.second));
  page.map = std::move(map);
  EquationsFollower follower(file.over(""), 0.0);
  if (follower.problem().empty()) addStops(file, follower, {0.0}, page);
  return write("locus", file, asked.page, std::move(page));
}

}  // namespace linkwork::app
