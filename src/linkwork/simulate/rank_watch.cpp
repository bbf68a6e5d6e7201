#include "linkwork/simulate/rank_watch.hpp"

#include <algorithm>
#include <cmath>

namespace linkwork {

namespace {

// Clearly independent: distance as a share of a row's own length.
constexpr double kAway = 1e-2;
constexpr int kSections = 60;
// After so many sections a distance that goes down to zero is below this; if not, its least is elsewhere.
constexpr int kFirstSections = 20;
constexpr double kNotThere = 1e-3;
constexpr double kGlance = 0.05;  // share of a step that shows whether the distance grows at its end
constexpr int kHalvings = 40;
// A distance that falls straight to zero within a step, and rises again, is at the stage nearest to that at most this
// share of the sum of those at its ends: stages are at most half a step apart (dopri5: 0.3 and 0.8).
constexpr double kDip = 0.26;

}  // namespace

RankWatch::RankWatch(const Mechanism& mechanism, const MechanismSystem& system)
    : mechanism_(mechanism),
      system_(system),
      work_(system.makeWorkspace()),
      start_modes_(system.startModes()),
      x_(static_cast<std::size_t>(system.space().size())) {}

// What the steps leave of the rows' factors on their way. Compiled code of a tree factors none: nothing changes there.
RowRank RankWatch::rowsAfterStep(const Integrator& integrator) {
  if (integrator.rows()) return *integrator.rows();
  if (freedoms_ < 0) return system_.factorRows(integrator.time(), integrator.state(), integrator.modes(), *work_);
  return {.rank = rank_, .freedoms = freedoms_};
}

RankWatch::Sight RankWatch::sightAt(const Integrator& integrator, double t) {
  integrator.interpolate(t, x_);
  const RowRank rows = system_.factorRows(t, x_, integrator.modes(), *work_);
  return {rows.freedoms > freedoms_ ? 0.0 : std::sqrt(rows.smallest_pivot), rows.freedoms, rows.rank};
}

// Where the distance is least, by golden sections: near a pose of lower rank it is like |t - t*|.
double RankWatch::nearestPose(const Integrator& integrator, double from, double to) {
  constexpr double kGolden = 0.6180339887498949;
  double a = to - kGolden * (to - from);
  double b = from + kGolden * (to - from);
  double at_a = sightAt(integrator, a).distance;
  double at_b = sightAt(integrator, b).distance;
  for (int k = 0; k < kSections && at_a > 0.0 && at_b > 0.0; ++k) {
    if (k == kFirstSections && std::min(at_a, at_b) > kNotThere) break;
    if (at_a < at_b) {
      to = b;
      b = a;
      at_b = at_a;
      a = to - kGolden * (to - from);
      at_a = sightAt(integrator, a).distance;
    } else {
      from = a;
      a = b;
      at_a = at_b;
      b = from + kGolden * (to - from);
      at_b = sightAt(integrator, b).distance;
    }
  }
  return at_a < at_b ? a : b;
}

// The border of the stretch of lower rank, by halving.
double RankWatch::edge(const Integrator& integrator, double inside, double outside) {
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = 0.5 * (inside + outside);
    if (middle == inside || middle == outside) break;
    (sightAt(integrator, middle).distance == 0.0 ? inside : outside) = middle;
  }
  return inside;
}

RankChange RankWatch::describe(Integrator& integrator, double t) {
  const Sight sight = sightAt(integrator, t);
  RankChange out;
  out.time = t;
  out.rank = rank_ - (sight.freedoms - freedoms_);
  // With what this step began with: near such a pose x_ alone does not say how it moves.
  if (system_.observe(t, x_, integrator.modes(), integrator.workspace(), seen_) != Eval::ok) return out;
  for (std::size_t k = 0; k < seen_.joints.size(); ++k) {
    if (!seen_.joints[k].unique && unique_at_start_[k]) out.joints.push_back(mechanism_.joints[k].name);
  }
  return out;
}

// A pose of lower rank is a short stretch of time; small steps may end in it. Its middle counts.
void RankWatch::search(Integrator& integrator, std::vector<RankChange>& changes) {
  const double t = integrator.time();
  const double t_before = integrator.previousTime();
  const double inside = stretch_open_ ? t_before : nearestPose(integrator, t_before, t);
  const auto finish = [&](double to) {
    lowest_.time = 0.5 * (stretch_from_ + to);
    changes.push_back(lowest_);
    stretch_open_ = away_ = false;
  };
  if (sightAt(integrator, inside).distance > 0.0) {
    if (stretch_open_) finish(t_before);
    return;
  }
  const double from = stretch_open_ ? t_before : edge(integrator, inside, t_before);
  const bool ends = sightAt(integrator, t).distance > 0.0;
  const double to = ends ? edge(integrator, inside, t) : t;
  if (!stretch_open_) {
    stretch_from_ = from;
    lowest_ = {t, rank_, {}, false};
  }
  // Where two rows are lost, the stretch of the second is the shorter one.
  for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const RankChange here = describe(integrator, from + part * (to - from));
    if (here.rank < lowest_.rank) lowest_ = here;
  }
  stretch_open_ = true;
  if (ends) finish(to);
}

bool RankWatch::dipsToZero(const Integrator& integrator, double distance) const {
  const std::optional<RowRank>& nearest = integrator.nearestRows();
  if (!nearest) return false;
  if (nearest->freedoms > freedoms_) return true;
  return std::sqrt(nearest->smallest_pivot) < kDip * (last_distance_ + distance);
}

void RankWatch::look(Integrator& integrator, std::vector<RankChange>& changes) {
  const double t = integrator.time();
  const RowRank rows = rowsAfterStep(integrator);
  double distance = std::sqrt(rows.smallest_pivot);
  if (freedoms_ < 0) {  // the start
    freedoms_ = rows.freedoms;
    rank_ = rows.rank;
    const bool seen = system_.observe(t, integrator.state(), start_modes_, *work_, seen_) == Eval::ok;
    unique_at_start_.assign(mechanism_.joints.size(), true);
    for (std::size_t k = 0; seen && k < seen_.joints.size(); ++k) unique_at_start_[k] = seen_.joints[k].unique;
  } else {
    // Projection leaves out rows near dependence: their distance is to be had from the equations of motion alone.
    const bool near = distance < kAway || rows.freedoms > freedoms_;
    if (near) distance = sightAt(integrator, t).distance;
    const double step = t - integrator.previousTime();
    // Towards zero within this step; or, in a long step, down and up again.
    const bool heading = dipsToZero(integrator, distance) ||
                         (approach_ > 0.0 && (last_distance_ < 1.5 * step * approach_ ||
                                              sightAt(integrator, t - kGlance * step).distance < distance));
    if (away_ && (heading || distance == 0.0 || stretch_open_)) search(integrator, changes);
    if (distance > kAway && rows.freedoms != freedoms_) {  // independent, and another number than before: it lasts
      const Sight here = sightAt(integrator, t);
      freedoms_ = here.freedoms;
      rank_ = here.rank;
      changes.push_back({t, rank_, {}, true});
    }
    approach_ = step > 0.0 ? (last_distance_ - distance) / step : 0.0;
  }
  if (distance > kAway) away_ = true;
  last_distance_ = distance;
}

void RankWatch::transfer(Archive& archive) {
  archive(unique_at_start_);
  archive(freedoms_);
  archive(rank_);
  archive(away_);
  archive(stretch_open_);
  archive(stretch_from_);
  archive(lowest_);
  archive(last_distance_);
  archive(approach_);
}

}  // namespace linkwork
