// FailureNote: why the equations of a mechanism could not be evaluated at a state, noted where it happens and put into
// words when somebody asks. Workspaces of formulations derive from it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "linkwork/formulation/absolute/absolute_messages.hpp"
#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/system/eval.hpp"

namespace linkwork {

struct FailureNote {
  enum class Failure {
    none,
    load_not_finite,
    motion_not_finite,
    event_not_finite,
    state_not_finite,
    massless_body,
    contradiction,
    projection,
    misfit,  // the same where numbers of the joints do not quite fit
    left_place,
    not_settled,
    not_closed,
    diverged,
    load_slope,  // derivatives that are not finite
    slope
  };

  Failure failure = Failure::none;
  double failure_time = 0.0;
  int failure_index = 0;  // of the load expression, drive, event, body, row or curve

  Eval fail(Failure why, double t, int index, Eval eval) {
    failure = why;
    failure_time = t;
    failure_index = index;
    return eval;
  }

  // Notes that something is not finite: a drive's motion if one is not, else the state.
  template <class Pose>
  Eval failNotFinite(double t, const Pose& pose) {
    const int drive = badMotion(pose);
    return drive >= 0 ? fail(Failure::motion_not_finite, t, drive, Eval::retry)
                      : fail(Failure::state_not_finite, t, 0, Eval::retry);
  }

  // After AbsoluteEquations::forces: motions and loads that are no numbers.
  template <class Pose>
  Eval checkGiven(double t, const Pose& pose) {
    if (badMotion(pose) >= 0) return failNotFinite(t, pose);
    const int load = firstBad(pose.load_scratch.outputs);
    return load < 0 ? Eval::ok : fail(Failure::load_not_finite, t, load, Eval::retry);
  }

  // The drive whose motion has a value that is not finite; -1 if there is none.
  template <class Pose>
  static int badMotion(const Pose& pose) {
    const int bad = firstBad(pose.motion_scratch.outputs);
    return bad < 0 ? -1 : bad / 3;
  }

 private:
  template <class Numbers>
  static int firstBad(const Numbers& numbers) {
    const auto bad = std::find_if(numbers.begin(), numbers.end(), [](double value) { return !std::isfinite(value); });
    return bad == numbers.end() ? -1 : static_cast<int>(bad - numbers.begin());
  }
};

// "joint \"A\"" or "drive \"motor\"": whose row it is.
template <class G>
std::string ownerOfRow(const ElementSet<G>& set, int row) {
  const RowGroup& group = set.groups[at(set.row_info[at(row)].group)];
  return fmt::format("{} \"{}\"", group.is_drive ? "drive" : "joint", group.name);
}

// What the given formulas have to do with it, in words; empty: something else it is.
template <class G>
std::string inputFailure(const FailureNote& note, const Mechanism& mechanism, const ElementSet<G>& set) {
  switch (note.failure) {
    case FailureNote::Failure::load_not_finite:
      return absolute::loadNotFinite(set, note.failure_index, note.failure_time);
    case FailureNote::Failure::motion_not_finite:
      return absolute::motionNotFinite(set, note.failure_index, note.failure_time);
    case FailureNote::Failure::event_not_finite:
      return fmt::format("event \"{}\" is not a number at t = {:.6g} s; check its expression there",
                         mechanism.events[at(note.failure_index)].name, note.failure_time);
    case FailureNote::Failure::load_slope:
      return absolute::loadSlopeNotFinite(set, note.failure_index, note.failure_time);
    case FailureNote::Failure::slope: return absolute::slopeNotFinite(note.failure_time);
    case FailureNote::Failure::left_place: return absolute::leftPlace(set, note.failure_index, note.failure_time);
    default: return {};
  }
}

// `owner` as ownerOfRow says it; `others`: with whom it cannot agree.
inline std::string contradictionFailure(const std::string& owner, const std::string& others) {
  return fmt::format(
      "{} cannot be satisfied together with {} in this pose: a dead point, the end of the mechanism's reach, or a "
      "drive "
      "that asks for what the joints forbid",
      owner, others);
}

inline std::string projectionFailure(const std::string& owner, double phi) {
  return fmt::format(
      "{} could not be closed again after the step (off by {:.3g}); the mechanism is at the end of its reach or at a "
      "dead point",
      owner, std::abs(phi));
}

// Where numbers of the joints do not quite fit, rows that repeat others may open by a hundred times what they did at
// first.
inline std::string misfitFailure(const std::string& owner, double phi) {
  return fmt::format(
      "{} is open by {:.3g}, more than can be left open: its length, point, axis or angle does not quite fit those of "
      "the other joints, and fits worse as the mechanism moves; give more digits, or compute one number from the "
      "others in an expression",
      owner, std::abs(phi));
}

// The augmented Lagrangian's; `row`: the name of the row of `owner`.
inline std::string settlingFailure(const std::string& owner, const std::string& row) {
  return fmt::format(
      "no accelerations satisfy all constraints under the penalty, worst at {} ({}): a dead point, a drive that asks "
      "for what the joints forbid, or too small a penalty",
      owner, row);
}

// Partitioning's.
inline std::string closingFailure(const std::string& owner, const std::string& row) {
  return fmt::format(
      "{} could not be closed by moving the dependent coordinates alone ({}); the mechanism is at the end of its reach "
      "or at a dead point",
      owner, row);
}

// Of an iteration for impulses in loops, with a weight for equal images.
inline std::string divergedFailure(const std::string& owner) {
  return fmt::format(
      "the iteration for the impulses in the loops diverges, most at {}: a quarter of the inertia is the weight of two "
      "images with equal shares; give the images equal shares, or use --variant iteration",
      owner);
}

// Where nothing more is known.
inline std::string otherFailure(const FailureNote& note, const RankReport& report) {
  if (report.smallest_kept < 1e-6) {
    return fmt::format(
        "the mechanism is at a dead point: {} hardly differs from the other constraints any more (relative pivot "
        "{:.1g})",
        report.nearest_row, report.smallest_kept);
  }
  return note.failure == FailureNote::Failure::none ? "the equations could not be evaluated"
                                                    : "the motion runs away to infinity";
}

// All of them. `rows` lends what differs: owner(r) and name(r) of a row, phi(r); massless(k) and contradiction(r) in
// words; report() of the factors.
template <class G, class Rows>
std::string failureWords(const FailureNote& note, const Mechanism& mechanism, const ElementSet<G>& set,
                         const Rows& rows) {
  const int k = note.failure_index;
  if (std::string words = inputFailure(note, mechanism, set); !words.empty()) return words;
  switch (note.failure) {
    case FailureNote::Failure::massless_body: return rows.massless(k);
    case FailureNote::Failure::contradiction: return rows.contradiction(k);
    case FailureNote::Failure::projection: return projectionFailure(rows.owner(k), rows.phi(k));
    case FailureNote::Failure::misfit: return misfitFailure(rows.owner(k), rows.phi(k));
    case FailureNote::Failure::not_settled: return settlingFailure(rows.owner(k), rows.name(k));
    case FailureNote::Failure::not_closed: return closingFailure(rows.owner(k), rows.name(k));
    case FailureNote::Failure::diverged: return divergedFailure(rows.owner(k));
    default: return otherFailure(note, rows.report());
  }
}

}  // namespace linkwork
