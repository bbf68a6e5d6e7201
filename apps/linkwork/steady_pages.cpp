#include "steady_pages.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linkwork/analyse/steady_linear.hpp"
#include "linkwork/analyse/steady_turns.hpp"
#include "linkwork/simulate/still_result.hpp"
#include "output.hpp"
#include "result_output.hpp"

namespace linkwork::app {

namespace {

constexpr int kMostStops = 41;

}  // namespace

std::optional<SteadyStop> stopAt(const SteadyModels& models, MotionFollower& follower, double p) {
  const SteadyMotion motion = follower.motionAt(p);
  if (!motion.ok) return std::nullopt;
  SteadySolver& solver = follower.solver();
  SteadyStop out;
  out.at = p;
  for (std::size_t k = 0; k < follower.unknown().size(); ++k) {
    const std::string& name = models.unknown()[k];
    out.rows.emplace_back(name, fmt::format("{:.6g} {}", follower.unknown()[k], models.unitOf(name)));
  }
  for (const GoesOn& going : motion.goes_on) {
    out.rows.emplace_back(going.name + " goes on at", fmt::format("{:.6g} {}", going.rate, going.unit));
  }
  Observation seen;
  if (!solver.field().observe(solver.time(), motion.x, seen)) return std::nullopt;
  const std::vector<Output>& outputs = solver.model().mechanism.outputs;
  for (std::size_t k = 0; k < outputs.size() && k < seen.outputs.size(); ++k) {
    out.rows.emplace_back(outputs[k].name, fmt::format("{:.6g} {}", seen.outputs[k], outputs[k].unit));
  }
  out.bodies = std::move(seen.bodies);
  out.turns = turnsAlong(solver, motion);
  out.seen = solver.field().seen();
  out.length = solver.field().length();
  const Deflated deflated = deflate(solver, motion, follower.zeros());
  if (deflated.ok) out.modes = findModes(deflated, out.seen, out.length).modes;
  return out;
}

std::vector<double> stopValues(const Mechanism& mechanism, int modes, double from, double to,
                               const std::vector<double>& others) {
  const int count = roomForStops(mechanism, modes, kMostStops);
  std::vector<double> out;
  for (int k = 0; k < count; ++k) out.push_back(from + (to - from) * k / (count - 1));
  for (const double other : others) {
    if (other > from && other < to && static_cast<int>(others.size()) <= count) out.push_back(other);
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool writeSteadyPage(const std::string& verb, const std::string& path, MotionFollower& follower, double p,
                     SteadyPage page) {
  const auto failed = [&](const std::string& problem) {
    printErr("linkwork {}: error: {}\n", verb, problem);
    return false;
  };
  const SteadyMotion motion = follower.motionAt(p);
  if (!motion.ok) return failed(motion.problem + ".");
  SteadySolver& solver = follower.solver();
  const SteadyModel& model = solver.model();
  SteadyPieces pieces;
  if (solver.pieces(motion.x, motion.xi, pieces)) {
    page.freedoms_of_positions = pieces.positions;
    page.freedoms = static_cast<int>(pieces.T.cols()) - pieces.positions;
  }
  const Result still = stillResult(model.mechanism, model.assembly, solver.time(), motion.absolute);
  const std::string problem = writePageFile(steadyPageData(model.mechanism, page, still, {}), path);
  if (!problem.empty()) return failed(problem);
  printErr("wrote {}\n", path);
  return true;
}

}  // namespace linkwork::app
