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
// A step that goes round a turn is not much longer than the turn; one whose ends are so many times farther away than
// its middle has not seen it.
constexpr double kPast = 8.0;
// Distances at which a turn shows: from too near there is no straight way to compare it with, and farther out than the
// last none is looked for (kNearRankChange). A turn misses its pose by less than the square of what shows it.
constexpr double kShows[] = {1e-4, 3e-4, 1e-3, 2.5e-3};
// A step that begins no farther out than this many times such a distance has seen the turn there.
constexpr double kSeen = 2.0;
// The distance at such a share of the way to the step's beginning tells how fast it grows.
constexpr double kSlopeAt = 0.02;

}  // namespace

RankWatch::RankWatch(const Mechanism& mechanism, const MechanismSystem& system, Steps steps)
    : mechanism_(mechanism),
      system_(system),
      steps_(steps),
      work_(system.makeWorkspace()),
      start_modes_(system.startModes()),
      x_(static_cast<std::size_t>(system.space().size())) {}

// What the steps leave of the rows' factors on their way. Compiled code of a tree factors none: nothing changes there.
RowRank RankWatch::rowsAfterStep(const Integrator& integrator) {
  if (integrator.rows()) return *integrator.rows();
  if (now_.freedoms < 0) return system_.factorRows(integrator.time(), integrator.state(), integrator.modes(), *work_);
  return {.rank = now_.rank, .freedoms = now_.freedoms};
}

RankWatch::Sight RankWatch::sightAt(const Integrator& integrator, double t) {
  integrator.interpolate(t, x_);
  const RowRank rows = system_.factorRows(t, x_, integrator.modes(), *work_);
  return {rows.freedoms > now_.freedoms ? 0.0 : std::sqrt(rows.smallest_pivot), rows.freedoms, rows.rank};
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

// On dense output, which knows nothing of the turn: it goes straight past the pose.
bool RankWatch::passedOver(const Integrator& integrator, double inside, double nearest) {
  const double t_before = integrator.previousTime();
  const double begin = sightAt(integrator, t_before).distance;
  if (!(begin > kPast * nearest) || !(inside > t_before)) return false;
  const double near = inside - kSlopeAt * (inside - t_before);
  const double slope = sightAt(integrator, near).distance / (inside - near);
  for (const double distance : kShows) {
    const double t = inside - distance / slope;
    if (!(begin > (steps_ == Steps::chosen ? kSeen : 1.0) * distance) || !(t > t_before)) break;
    integrator.interpolate(t, x_);
    if (!system_.turnsAway(t, x_, integrator.modes(), *work_)) continue;
    if (begin > kPast * distance) turn_ = t;
    return true;
  }
  return false;
}

RankChange RankWatch::describe(Integrator& integrator, double t) {
  const Sight sight = sightAt(integrator, t);
  RankChange out;
  out.time = t;
  out.rank = now_.rank - (sight.freedoms - now_.freedoms);
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
  const double inside = now_.stretch_open ? t_before : nearestPose(integrator, t_before, t);
  const auto finish = [&](double to) {
    now_.lowest.time = 0.5 * (now_.stretch_from + to);
    changes.push_back(now_.lowest);
    now_.stretch_open = now_.away = false;
  };
  const double nearest = sightAt(integrator, inside).distance;
  if (nearest > 0.0) {
    if (now_.stretch_open)
      finish(t_before);
    else if (passedOver(integrator, inside, nearest))
      changes.push_back({inside, now_.rank, {}, false, true});
    return;
  }
  const double from = now_.stretch_open ? t_before : edge(integrator, inside, t_before);
  const bool ends = sightAt(integrator, t).distance > 0.0;
  const double to = ends ? edge(integrator, inside, t) : t;
  if (!now_.stretch_open) {
    now_.stretch_from = from;
    now_.lowest = {t, now_.rank, {}, false, passedOver(integrator, inside, nearest)};
  }
  // Where two rows are lost, the stretch of the second is the shorter one.
  for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const RankChange here = describe(integrator, from + part * (to - from));
    if (here.rank >= now_.lowest.rank) continue;
    now_.lowest.rank = here.rank;
    now_.lowest.joints = here.joints;
  }
  now_.stretch_open = true;
  if (ends) finish(to);
}

bool RankWatch::dipsToZero(const Integrator& integrator, double distance) const {
  const std::optional<RowRank>& nearest = integrator.nearestRows();
  if (!nearest) return false;
  if (nearest->freedoms > now_.freedoms) return true;
  return std::sqrt(nearest->smallest_pivot) < kDip * (now_.last_distance + distance);
}

void RankWatch::look(Integrator& integrator, std::vector<RankChange>& changes) {
  const double t = integrator.time();
  before_ = now_;
  changes_before_ = changes.size();
  turn_ = std::numeric_limits<double>::infinity();
  const RowRank rows = rowsAfterStep(integrator);
  double distance = std::sqrt(rows.smallest_pivot);
  if (now_.freedoms < 0) {  // the start
    now_.freedoms = rows.freedoms;
    now_.rank = rows.rank;
    const bool seen = system_.observe(t, integrator.state(), start_modes_, *work_, seen_) == Eval::ok;
    unique_at_start_.assign(mechanism_.joints.size(), true);
    for (std::size_t k = 0; seen && k < seen_.joints.size(); ++k) unique_at_start_[k] = seen_.joints[k].unique;
  } else {
    // Projection leaves out rows near dependence: their distance is to be had from the equations of motion alone.
    const bool near = distance < kAway || rows.freedoms > now_.freedoms;
    if (near) distance = sightAt(integrator, t).distance;
    const double step = t - integrator.previousTime();
    // Towards zero within this step; or, in a long step, down and up again.
    const bool heading = dipsToZero(integrator, distance) ||
                         (now_.approach > 0.0 && (now_.last_distance < 1.5 * step * now_.approach ||
                                                  sightAt(integrator, t - kGlance * step).distance < distance));
    if (now_.away && (heading || distance == 0.0 || now_.stretch_open)) search(integrator, changes);
    if (distance > kAway && rows.freedoms != now_.freedoms) {  // independent, and another number than before: it lasts
      const Sight here = sightAt(integrator, t);
      now_.freedoms = here.freedoms;
      now_.rank = here.rank;
      changes.push_back({t, now_.rank, {}, true});
    }
    now_.approach = step > 0.0 ? (now_.last_distance - distance) / step : 0.0;
  }
  if (distance > kAway) now_.away = true;
  now_.last_distance = distance;
}

void RankWatch::takeBack(double from, std::vector<RankChange>& changes) {
  while (changes.size() > changes_before_ && changes.back().time > from) changes.pop_back();
  turn_ = std::numeric_limits<double>::infinity();
  now_ = before_;
  // A pose that lies in what is kept of the step is not to be found again.
  if (changes.size() > changes_before_) now_.away = now_.stretch_open = false;
}

void RankWatch::transfer(Archive& archive) {
  archive(unique_at_start_);
  archive(now_.freedoms);
  archive(now_.rank);
  archive(now_.away);
  archive(now_.stretch_open);
  archive(now_.stretch_from);
  archive(now_.lowest);
  archive(now_.last_distance);
  archive(now_.approach);
}

}  // namespace linkwork
