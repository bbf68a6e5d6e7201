#include "linkwork/result/result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace linkwork {

namespace {

Grade gradeBelow(double value, double good, double fair) {
  if (value <= good) return Grade::good;
  return value <= fair ? Grade::fair : Grade::poor;
}

// Of the greatest force of a joint: rounding of lengths, times its stiffness, that is no longer nothing.
constexpr double kForceRounding = 1e-6;

// Joints of springs are meant to open; what they do is said, and graded where rounding makes their forces.
void addSprings(const Ledger& ledger, LedgerLine& line) {
  if (ledger.spring_joints.empty()) return;
  const auto widest =
      std::max_element(ledger.spring_joints.begin(), ledger.spring_joints.end(),
                       [](const SpringJoint& a, const SpringJoint& b) { return a.greatest_gap < b.greatest_gap; });
  line.sentence +=
      fmt::format(" Joint \"{}\", made of springs, opened by up to {:.2g} m.", widest->joint, widest->greatest_gap);
  for (const SpringJoint& joint : ledger.spring_joints) {
    const double rounding = joint.stiffness * std::numeric_limits<double>::epsilon() * ledger.reference_length;
    // A joint that carries next to nothing is measured by forces that would move about as much energy as did.
    const double carried = std::max(joint.greatest_force, ledger.energy_scale / ledger.reference_length);
    if (!(rounding > kForceRounding * carried)) continue;
    line.grade = std::max(line.grade, Grade::fair);
    line.sentence += fmt::format(
        " With {:.3g} N/m the rounding of lengths makes forces of {:.2g} N in joint \"{}\", which carries {:.3g} N: "
        "make it softer.",
        joint.stiffness, rounding, joint.joint, joint.greatest_force);
    break;
  }
}

// Relative to the mechanism's size a closure error of 1e-9 is invisible in any drawing or load; 1e-4 is a loose
// bearing.
LedgerLine closureLine(const Ledger& ledger) {
  LedgerLine line{"closure", "Closure", ledger.worst_position, "m", Grade::good, ""};
  line.grade = gradeBelow(ledger.worst_position / ledger.reference_length, 1e-9, 1e-4);
  line.sentence = ledger.rows == 0 ? "There are no joints that could come apart."
                                   : fmt::format(
                                         "The joints came apart by at most {:.2g} (norm of all constraint equations, "
                                         "in metres and radians); the mechanism measures {:.3g} m.",
                                         ledger.worst_position, ledger.reference_length);
  if (!ledger.lift_offs.empty()) {
    const LiftOff& lift = ledger.lift_offs.front();
    line.grade = std::max(line.grade, Grade::fair);
    line.sentence += fmt::format(
        " From t = {:.6g} s on joint \"{}\" had to pull: a body that only lies there would lift off, and the motion is "
        "another from then on.",
        lift.time, lift.joint);
  }
  addSprings(ledger, line);
  return line;
}

// Where a mechanism passes near a change point (relative pivot: the square of the distance) a small error of its speed
// is another angle by which it turns there: four-bars that miss one by 1e-3 to 1e-8 m were 0.05 to 0.1 rad off after 20
// turns with an energy off by 3e-4, and 0.01 rad with 1e-4.
constexpr double kNearTurn = 1e-2;
constexpr double kEnergyAtTurns = 1e-4;

LedgerLine energyLine(const Ledger& ledger) {
  LedgerLine line{"energy", "Energy", ledger.worst_energy_balance, "J", Grade::good, ""};
  const double relative = energyError(ledger);
  line.grade = gradeBelow(relative, 1e-6, 1e-3);
  line.sentence = fmt::format("Kinetic and potential energy, less the work supplied, stayed constant to {:.2g} J, ",
                              ledger.worst_energy_balance);
  line.sentence += energyYardstick(ledger) <= ledger.energy_scale
                       ? fmt::format("{:.2g} of the {:.3g} J that moved about.", relative, ledger.energy_scale)
                       : fmt::format("and next to nothing moved about ({:.2g} J, where {:.3g} J would be possible).",
                                     ledger.energy_scale, ledger.possible_energy);
  if (line.grade == Grade::fair && ledger.smallest_pivot < kNearTurn && relative > kEnergyAtTurns) {
    line.grade = Grade::poor;
    line.sentence +=
        " The mechanism passes near a change point, where an error of its speed turns it: do not trust the motion "
        "after it. Try a tighter --rtol and --atol, or smaller steps.";
  }
  return line;
}

// " (joints A, B)"; no more than fit on a line.
std::string jointsOf(const RankChange& change) {
  constexpr std::size_t kMost = 8;
  if (change.joints.empty()) return {};
  const auto end = change.joints.begin() + static_cast<std::ptrdiff_t>(std::min(change.joints.size(), kMost));
  return fmt::format(" ({} {}{})", change.joints.size() == 1 ? "joint" : "joints",
                     fmt::join(change.joints.begin(), end, ", "),
                     change.joints.size() > kMost ? fmt::format(" and {} more", change.joints.size() - kMost) : "");
}

// Of the rates; more is no small error any more.
constexpr double kTurned = 1e-2;

LedgerLine rankLine(const Result& result) {
  const Ledger& ledger = result.ledger;
  LedgerLine line{"rank", "Rank", static_cast<double>(ledger.rank), fmt::format("of {}", ledger.rows), Grade::good, ""};
  if (ledger.rank == ledger.rows) {
    line.sentence = fmt::format("All {} constraint equations are independent{}.", ledger.rows,
                                ledger.rank_changes.empty() ? ": every reaction is unique" : " at the start");
  } else {
    line.grade = Grade::fair;
    line.sentence = fmt::format(
        "{} of {} constraint equations depend on the others; the motion is unique, but not the reactions of {} (shown: "
        "those of least norm).",
        ledger.rows - ledger.rank, ledger.rows,
        ledger.joints_not_unique.empty() ? "some joints"
                                         : fmt::format("{}", fmt::join(ledger.joints_not_unique, ", ")));
  }
  if (!ledger.rank_changes.empty()) {
    line.grade = Grade::fair;
    line.sentence += fmt::format(
        " The rank changed {}, first at t = {:.6g} s to {}{}: the mechanism passed a singular pose, where reactions "
        "are not unique, beside which they grow beyond all bounds, and from which more than one way is open: lengths "
        "that miss it by about 1e-12 of the mechanism's size or less, and would turn there, are not told from it.",
        ledger.rank_changes.size() == 1 ? "once" : fmt::format("{} times", ledger.rank_changes.size()),
        ledger.rank_changes.front().time, ledger.rank_changes.front().rank, jointsOf(ledger.rank_changes.front()));
    if (!isSet(result.settings, "stabilisation", "projection")) {
      line.grade = Grade::poor;
      line.sentence +=
          " Only stabilisation by projection passes such a pose reliably; do not trust the motion after it.";
    }
    const auto over = std::find_if(ledger.rank_changes.begin(), ledger.rank_changes.end(),
                                   [](const RankChange& change) { return change.passed_over; });
    if (over != ledger.rank_changes.end()) {
      line.grade = Grade::poor;
      line.sentence += fmt::format(
          " At t = {:.6g} s the mechanism only comes near to that pose and turns to another way there, while the steps "
          "went straight on: do not trust the motion after it. {}",
          over->time,
          findSetting(result.settings, "step") != nullptr
              ? "An integrator that chooses its steps, such as dop853, sees the turn."
              : "Try a tighter --rtol and --atol.");
    }
  }
  if (ledger.turned > kTurned) {
    line.grade = Grade::poor;
    line.sentence += fmt::format(
        " At t = {:.6g} s the mechanism came so near to a pose of lower rank that joints which were a little open may "
        "have turned its motion by {:.1g} of its rates: do not trust the motion after it, or use stabilisation "
        "projection.",
        ledger.turned_at, ledger.turned);
  }
  return line;
}

std::string freedomsText(const Ledger& ledger) {
  if (ledger.position_degrees_of_freedom == ledger.degrees_of_freedom)
    return fmt::format("{}", ledger.degrees_of_freedom);
  return fmt::format("{} of velocities, {} of positions", ledger.degrees_of_freedom,
                     ledger.position_degrees_of_freedom);
}

// More than half of the steps, and enough of them to matter.
bool isStiff(const Ledger& ledger) { return ledger.stiff_steps >= 50 && 2 * ledger.stiff_steps > ledger.steps; }

// In coordinates of joints a stiff force of a joint acts on one of them alone. In others every error of the rest
// reaches it, whatever the integrator: docs/reference/methods.md.
std::string_view betterForStiff(const Settings& settings) {
  return isSet(settings, "formulation", "recursive") ? "--integrator radau5"
                                                     : "--formulation recursive --integrator radau5";
}

LedgerLine stepLine(const Result& result) {
  const Ledger& ledger = result.ledger;
  LedgerLine line{"steps", "Steps", static_cast<double>(ledger.steps), "", Grade::good, ""};
  const long tried = ledger.steps + ledger.rejected;
  if (ledger.rejected * 3 > tried) line.grade = Grade::fair;
  // Without step sizes nothing was integrated: the motion was followed from pose to pose.
  line.sentence =
      ledger.largest_step > 0.0
          ? fmt::format(
                "{} steps of {:.2g} to {:.2g} s were taken and {} refused, with {} evaluations of the equations "
                "of motion.",
                ledger.steps, ledger.smallest_step, ledger.largest_step, ledger.rejected, ledger.evaluations)
          : fmt::format(
                "The motion was followed through {} poses, {} of them tried again with a smaller step; nothing "
                "was integrated.",
                ledger.steps, ledger.rejected);
  if (3 * ledger.rejected > tried && ledger.largest_step > 0.0)
    line.sentence +=
        " More than a third of those tried were refused: linkwork compare shows which method has it easier.";
  if (isStiff(ledger)) {
    line.grade = Grade::fair;
    line.sentence += fmt::format(
        " {} of them were kept short by forces that act much faster than the motion changes: the model is stiff, and "
        "{} may need far fewer.",
        ledger.stiff_steps, betterForStiff(result.settings));
  }
  if (!ledger.missed_spikes.empty()) {
    const MissedSpike& spike = ledger.missed_spikes.front();
    line.grade = Grade::poor;
    line.sentence += fmt::format(
        " At t = {:.6g} s body \"{}\" had an acceleration that no stage of the step had seen: what acted there is not "
        "in "
        "the motion. Try {} {:.1g}.",
        spike.time, spike.body, findSetting(result.settings, "step") != nullptr ? "--step" : "--max-step", spike.step);
  }
  if (!ledger.loose_bounds.empty()) {
    const LooseBound& loose = ledger.loose_bounds.front();
    if (line.grade == Grade::good) line.grade = Grade::fair;
    line.sentence += fmt::format(
        " What {} does from t = {:.6g} s to {:.6g} s was too much to look through before the run: steps there were at "
        "most {:.2g} s long, and what is much shorter may have been missed (--max-step sets a lower limit).",
        loose.owner, loose.from, loose.to, loose.step);
  }
  if (result.status == RunStatus::failed) {
    line.grade = Grade::poor;
    line.sentence += " The run could not go on: " + result.message;
  }
  return line;
}

}  // namespace

double energyYardstick(const Ledger& ledger) {
  const double least = std::max(ledger.energy_scale, kLeastEnergy * ledger.possible_energy);
  return least > 0.0 && std::isfinite(least) ? least : 1.0;
}

double energyError(const Ledger& ledger) {
  const double out = ledger.worst_energy_balance / energyYardstick(ledger);
  return std::isfinite(out) ? out : std::numeric_limits<double>::infinity();
}

void transfer(Archive& archive, RankChange& change) {
  archive(change.time);
  archive(change.rank);
  archive(change.joints);
  archive(change.lasts);
  archive(change.passed_over);
}

void transfer(Archive& archive, OutputGap& gap) {
  archive(gap.name);
  archive(gap.time);
}

void transfer(Archive& archive, LiftOff& lift) {
  archive(lift.joint);
  archive(lift.time);
}

void transfer(Archive& archive, MissedSpike& spike) {
  archive(spike.time);
  archive(spike.body);
  archive(spike.step);
}

void transfer(Archive& archive, SpringJoint& joint) {
  archive(joint.joint);
  archive(joint.origin);
  for (double* value : {&joint.stiffness, &joint.softest_stiffness, &joint.rotational_stiffness, &joint.frequency,
                        &joint.greatest_gap, &joint.gap_at, &joint.greatest_angle, &joint.greatest_force,
                        &joint.greatest_moment, &joint.greatest_energy, &joint.ringing, &joint.ringing_at})
    archive(*value);
}

void transfer(Archive& archive, Ledger& ledger) {
  for (double* value :
       {&ledger.worst_position, &ledger.worst_velocity, &ledger.worst_acceleration, &ledger.final_position,
        &ledger.reference_length, &ledger.reaction_length, &ledger.worst_energy_balance, &ledger.energy_scale,
        &ledger.possible_energy, &ledger.smallest_pivot, &ledger.smallest_step, &ledger.largest_step,
        &ledger.worst_linear_residual, &ledger.jump_energy, &ledger.turned, &ledger.turned_at})
    archive(*value);
  for (int* value : {&ledger.rows, &ledger.rank, &ledger.degrees_of_freedom, &ledger.position_degrees_of_freedom})
    archive(*value);
  archive(ledger.nearest_row);
  archive(ledger.dependent_rows);
  archive(ledger.joints_not_unique);
  archive(ledger.rank_changes);
  archive(ledger.output_gaps);
  archive(ledger.missed_spikes);
  archive(ledger.lift_offs);
  archive(ledger.spring_joints);
  for (long* value : {&ledger.steps, &ledger.rejected, &ledger.stiff_steps, &ledger.evaluations,
                      &ledger.projection_solves, &ledger.penalty_iterations, &ledger.repartitions,
                      &ledger.output_evaluations, &ledger.restarts, &ledger.retaken, &ledger.jumps})
    archive(*value);
}

void transfer(Archive& archive, EventRecord& event) {
  archive(event.name);
  archive(event.time);
}

const Series* Result::find(const std::string& wanted) const {
  const auto found = std::find_if(series.begin(), series.end(), [&](const Series& s) { return s.name == wanted; });
  return found == series.end() ? nullptr : &*found;
}

std::vector<std::string> seriesNotUnique(const Result& result) {
  std::vector<std::string> names;
  for (const Series& series : result.series) {
    if (!series.unique) names.push_back(series.name);
  }
  return names;
}

std::string_view wordFor(RunStatus status) {
  switch (status) {
    case RunStatus::complete: return "complete";
    case RunStatus::stopped_by_event: return "stopped by an event";
    case RunStatus::interrupted: return "interrupted";
    case RunStatus::failed: break;
  }
  return "failed";
}

std::string_view wordFor(Grade grade) {
  switch (grade) {
    case Grade::good: return "good";
    case Grade::fair: return "fair";
    case Grade::poor: break;
  }
  return "poor";
}

std::vector<LedgerLine> ledgerLines(const Result& result) {
  return {closureLine(result.ledger), energyLine(result.ledger), rankLine(result), stepLine(result)};
}

namespace {

// joint "C" of springs | 1e+06 N/m (given), 2.5e+04 rad/s, ...
std::pair<std::string, std::string> rowOf(const SpringJoint& joint, const Ledger& ledger) {
  std::string text = fmt::format("{:.4g} N/m", joint.stiffness);
  if (joint.rotational_stiffness > 0.0) text += fmt::format(", {:.4g} N m/rad", joint.rotational_stiffness);
  text += fmt::format(" ({}); swings at {:.4g} rad/s, {:.3g} times the largest step", joint.origin, joint.frequency,
                      joint.frequency * ledger.largest_step);
  text += fmt::format("; open by up to {:.3e} m at t = {:.6g} s", joint.greatest_gap, joint.gap_at);
  if (joint.softest_stiffness > 0.0)
    text += fmt::format(" ({:.3e} m by its greatest force, {:.4g} N)", joint.greatest_force / joint.softest_stiffness,
                        joint.greatest_force);
  if (joint.greatest_angle > 0.0) text += fmt::format(", axes off by up to {:.3e} rad", joint.greatest_angle);
  text += fmt::format("; up to {:.3e} J in its springs", joint.greatest_energy);
  if (joint.ringing > 0.0)
    text += fmt::format("; a jump of the loads at t = {:.6g} s made its force swing by {:.3g} N", joint.ringing_at,
                        joint.ringing);
  return {fmt::format("joint \"{}\", of springs", joint.joint), text};
}

}  // namespace

std::vector<std::pair<std::string, std::string>> ledgerTable(const Ledger& ledger) {
  const auto number = [](double value, const char* unit) { return fmt::format("{:.3e} {}", value, unit); };
  std::vector<std::pair<std::string, std::string>> table{
      {"worst position violation |Phi|", number(ledger.worst_position, "m")},
      {"worst velocity violation |Phi_q v + Phi_t|", number(ledger.worst_velocity, "m/s")},
      {"worst acceleration violation |Phi_q a - Gamma|", number(ledger.worst_acceleration, "m/s^2")},
      {"position violation at the end", number(ledger.final_position, "m")},
      {"worst energy balance", number(ledger.worst_energy_balance, "J")},
      {"energy exchanged, possible", fmt::format("{:.3e}, {:.3e} J", ledger.energy_scale, ledger.possible_energy)},
      {"degrees of freedom", freedomsText(ledger)},
      {"constraint equations, independent, redundant",
       fmt::format("{}, {}, {}", ledger.rows, ledger.rank, ledger.rows - ledger.rank)},
      {"smallest relative pivot of a constraint",
       fmt::format("{:.3e}{}", ledger.smallest_pivot,
                   ledger.nearest_row.empty() ? "" : " (" + ledger.nearest_row + ")")},
      {"steps, refused", fmt::format("{}, {}", ledger.steps, ledger.rejected)},
      {"step sizes", ledger.largest_step > 0.0
                         ? fmt::format("{:.3e} to {:.3e} s", ledger.smallest_step, ledger.largest_step)
                         : "none: nothing was integrated"},
      {"evaluations", fmt::format("{}", ledger.evaluations)},
      {"projection solves", fmt::format("{}", ledger.projection_solves)},
      {"evaluations for output", fmt::format("{}", ledger.output_evaluations)},
      {"worst residual of a linear solve before refinement", fmt::format("{:.1e}", ledger.worst_linear_residual)},
      {"reference length", fmt::format("{:.6g} m", ledger.reference_length)},
      {"reaction length", fmt::format("{:.6g} m", ledger.reaction_length)},
  };
  if (ledger.penalty_iterations > 0)
    table.emplace_back("iterations of the augmented Lagrangian", fmt::format("{}", ledger.penalty_iterations));
  if (ledger.repartitions > 0)
    table.emplace_back("changes of the independent coordinates", fmt::format("{}", ledger.repartitions));
  if (ledger.jumps > 0)
    table.emplace_back("jumps, energy they brought",
                       fmt::format("{}, {}", ledger.jumps, number(ledger.jump_energy, "J")));
  if (ledger.stiff_steps > 0)
    table.emplace_back("steps kept short by stiffness", fmt::format("{}", ledger.stiff_steps));
  if (ledger.restarts > 0) table.emplace_back("restarts at checkpoints", fmt::format("{}", ledger.restarts));
  if (!ledger.dependent_rows.empty())
    table.emplace_back("dependent equations", fmt::format("{}", fmt::join(ledger.dependent_rows, ", ")));
  if (!ledger.joints_not_unique.empty())
    table.emplace_back("joints whose reactions are not unique",
                       fmt::format("{}", fmt::join(ledger.joints_not_unique, ", ")));
  constexpr std::size_t kMostShown = 20;
  for (const RankChange& change :
       std::span(ledger.rank_changes).first(std::min(kMostShown, ledger.rank_changes.size()))) {
    table.emplace_back("rank changed", fmt::format("to {} at t = {:.6g} s{}{}", change.rank, change.time,
                                                   change.lasts         ? ", for longer"
                                                   : change.passed_over ? ", where the motion turns away"
                                                                        : "",
                                                   jointsOf(change)));
  }
  if (ledger.rank_changes.size() > kMostShown)
    table.emplace_back("rank changed", fmt::format("{} times more", ledger.rank_changes.size() - kMostShown));
  if (ledger.retaken > 0)
    table.emplace_back("steps taken again, for what no stage had seen", fmt::format("{}", ledger.retaken));
  for (const MissedSpike& spike : ledger.missed_spikes) {
    table.emplace_back("seen by no stage",
                       fmt::format("an acceleration of body \"{}\" at t = {:.6g} s", spike.body, spike.time));
  }
  for (const LooseBound& loose : ledger.loose_bounds) {
    table.emplace_back("not looked through before the run",
                       fmt::format("{} from t = {:.6g} s to {:.6g} s; steps of at most {:.3e} s", loose.owner,
                                   loose.from, loose.to, loose.step));
  }
  for (const SpringJoint& joint : ledger.spring_joints) table.emplace_back(rowOf(joint, ledger));
  for (const LiftOff& lift : ledger.lift_offs) {
    table.emplace_back("would lift off", fmt::format("joint \"{}\" at t = {:.6g} s", lift.joint, lift.time));
  }
  for (const OutputGap& gap : ledger.output_gaps) {
    table.emplace_back("output without a value", fmt::format("\"{}\" is not a number at t = {:.6g} s; check its "
                                                             "expression there",
                                                             gap.name, gap.time));
  }
  return table;
}

}  // namespace linkwork
