// Result: what a run found, as named series with units, with its accuracy ledger and where it came from.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linkwork/result/archive.hpp"
#include "linkwork/result/load_table.hpp"
#include "linkwork/result/setting.hpp"

namespace linkwork {

struct Series {
  std::string name;   // "crank.angle"
  std::string unit;   // "rad"; empty for a pure number
  std::string group;  // "crank": the body, joint, load or drive it belongs to
  std::string label;  // "angle"
  std::vector<double> values;
  bool unique = true;  // false: a reaction that at some sample is one of many that fit (that of least norm)
};

// A pose of lower rank that the mechanism passed, or (where it lasts) the time from which the rank is another.
struct RankChange {
  double time = 0.0;
  int rank = 0;
  std::vector<std::string> joints;  // whose reactions are not unique there, but were at the start
  bool lasts = false;
  // The mechanism only comes near that pose and turns to another way there, and the steps went straight on.
  bool passed_over = false;
};

// An output of the model file that is not a number, and the first sample at which it is none.
struct OutputGap {
  std::string name;
  double time = 0.0;  // s
};

// A joint that rolls, and the time at which it first had to pull instead of pressing.
struct LiftOff {
  std::string joint;
  double time = 0.0;  // s
};

// A formula of time that could not be bounded closely enough before the run to be sure that no step jumps over what it
// does, and the step it was limited to instead.
struct LooseBound {
  std::string owner;            // load "push"
  double from = 0.0, to = 0.0;  // s
  double step = 0.0;            // s
};

// An acceleration met at a sample that no stage of the step had seen, in a place where the step could not be taken
// again.
struct MissedSpike {
  double time = 0.0;  // s
  std::string body;
  double step = 0.0;  // s: what to try
};

// A joint made of springs: what they are and what they cost in accuracy.
struct SpringJoint {
  std::string joint;
  std::string origin;                 // of its stiffness: given, or from what it was chosen
  double stiffness = 0.0;             // N/m, the greatest of its axes
  double rotational_stiffness = 0.0;  // N m/rad; 0: none
  double frequency = 0.0;             // rad/s: of the fastest swing of its springs, at the start
  double greatest_gap = 0.0;          // m
  double gap_at = 0.0;                // s
  double greatest_angle = 0.0;        // rad
  double greatest_force = 0.0;        // N
  double greatest_moment = 0.0;       // N m
  double greatest_energy = 0.0;       // J, in its springs
  double ringing = 0.0;               // N: swing of its force that a jump of the loads sets off, undamped
  double ringing_at = 0.0;            // s
  double softest_stiffness = 0.0;     // N/m, the least of the axes that it holds
};

// How far a run can be trusted.
struct Ledger {
  // Worst Euclidean norms of Phi, Phi_q v + Phi_t and Phi_q a - Gamma over all accepted steps and samples.
  double worst_position = 0.0;
  double worst_velocity = 0.0;
  double worst_acceleration = 0.0;  // samples only
  double final_position = 0.0;
  // How far open joints may have turned the rates of the motion near a pose of lower rank, at the step where that was
  // most: their gap in reference lengths over the relative pivot there. Projection leaves none.
  double turned = 0.0;
  double turned_at = 0.0;         // s
  double reference_length = 1.0;  // m
  double reaction_length = 1.0;   // m, by which moments are divided where reactions of least norm are chosen

  double worst_energy_balance = 0.0;  // J: kinetic + potential - at the start - supplied
  double energy_scale = 0.0;          // J: what was exchanged in the run
  double possible_energy = 0.0;       // J: what forces of this size could do over this length, masses in this time

  int rows = 0;
  int rank = 0;                         // at the start, or after the last jump
  int degrees_of_freedom = 0;           // of velocities
  int position_degrees_of_freedom = 0;  // of positions: as many, or more where constraints hold velocities alone
  double smallest_pivot = 1.0;          // relative pivot of the constraint nearest to dependence, over the run
  std::string nearest_row;
  std::vector<std::string> dependent_rows;
  std::vector<std::string> joints_not_unique;
  std::vector<RankChange> rank_changes;
  std::vector<OutputGap> output_gaps;
  std::vector<LiftOff> lift_offs;
  std::vector<LooseBound> loose_bounds;
  std::vector<MissedSpike> missed_spikes;  // the first ones
  std::vector<SpringJoint> spring_joints;

  long steps = 0;
  long rejected = 0;
  long stiff_steps = 0;  // kept short by what is much faster than the motion; explicit adaptive methods alone know
  long evaluations = 0;
  long projection_solves = 0;
  long penalty_iterations = 0;  // augmented Lagrangian: solves with the penalty, over all evaluations
  long repartitions = 0;        // partitioning: steps that began with other independent coordinates than the one before
  long output_evaluations = 0;
  double smallest_step = 0.0;
  double largest_step = 0.0;
  double worst_linear_residual = 0.0;
  long retaken = 0;          // steps taken again, because a sample within met what none of their stages had seen
  long restarts = 0;         // at checkpoints, of a method that must start over there
  long jumps = 0;            // of the motion, by its events
  double jump_energy = 0.0;  // J that they brought; less than zero where it was lost
};

// Velocities, accelerations and forces of less than this share of what forces, masses, lengths and times allow are as
// good as none: errors are measured by that share of what is possible, not by what tolerances and round-off happened to
// do.
inline constexpr double kLeastMotion = 1e-2;
// The same of energies, in which such errors come squared.
inline constexpr double kLeastEnergy = 1e-6;

// J: what errors of energies are measured by: what was exchanged, or, where nothing moves, the least share of what is
// possible. Positive.
double energyYardstick(const Ledger& ledger);
// The worst energy balance by that; infinite where it is no number.
double energyError(const Ledger& ledger);

void transfer(Archive& archive, RankChange& change);
void transfer(Archive& archive, OutputGap& gap);
void transfer(Archive& archive, LiftOff& lift);
void transfer(Archive& archive, MissedSpike& spike);
void transfer(Archive& archive, SpringJoint& joint);
void transfer(Archive& archive, Ledger& ledger);

enum class Grade { good, fair, poor };

// One line of the ledger as shown to a person.
struct LedgerLine {
  std::string id;  // closure, energy, rank, steps
  std::string label;
  double value = 0.0;
  std::string unit;
  Grade grade = Grade::good;
  std::string sentence;
};

enum class RunStatus { complete, stopped_by_event, interrupted, failed };

struct EventRecord {
  std::string name;
  double time = 0.0;
};

void transfer(Archive& archive, EventRecord& event);

struct Result {
  std::string name;
  RunStatus status = RunStatus::complete;
  std::string message;  // why it did not complete
  std::vector<double> time;
  std::vector<Series> series;
  std::vector<EventRecord> events;
  std::vector<LoadCase> loads;
  Ledger ledger;
  Settings provenance;
  Settings settings;                    // formulation, stabilisation, integrator, tolerances, until
  std::vector<std::string> cut_joints;  // at which the formulation opened loops

  const Series* find(const std::string& name) const;
};

// The names of all series that are not unique: they must not be compared with those of another run or program.
std::vector<std::string> seriesNotUnique(const Result& result);

std::string_view wordFor(RunStatus status);
std::string_view wordFor(Grade grade);

// The four lamps: closure, energy, rank, step control.
std::vector<LedgerLine> ledgerLines(const Result& result);
// Every number of the ledger with its unit, for a table.
std::vector<std::pair<std::string, std::string>> ledgerTable(const Ledger& ledger);

}  // namespace linkwork
