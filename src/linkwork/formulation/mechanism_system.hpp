// MechanismSystem: what every formulation of a mechanism offers beyond its differential equations: what a user sees of
// it.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "linkwork/system/ode_system.hpp"

namespace linkwork {

// Of a body frame's origin, and of the body's turning; all in ground axes. In the plane z and all but the third
// component of what turns are zero.
struct BodyMotion {
  std::array<double, 3> position{};
  double angle = 0.0;                                     // in the plane: turn about z, with whole turns
  std::array<double, 4> orientation{1.0, 0.0, 0.0, 0.0};  // in space: quaternion from body to ground axes, scalar first
  std::array<double, 3> velocity{};
  std::array<double, 3> angular_velocity{};
  std::array<double, 3> acceleration{};
  std::array<double, 3> angular_acceleration{};
};

// What a joint carries. In ground axes; each moment about the joint's point on the body it acts on, or about the point
// at which two bodies touch that roll.
struct Reaction {
  std::array<double, 3> force_on_second{};  // of the first-named body on the second; the first gets the opposite
  std::array<double, 3> moment_on_second{};
  std::array<double, 3> moment_on_first{};
  // The multiplier of the last row: for a gear, rack, coupling or expression, which act at no point, all there is. It
  // does on each related coordinate the force or torque effort times the derivative of the relation by it.
  double effort = 0.0;
  bool unique = true;  // false: one of many that fit; this one has the smallest norm
  // Of which components that is so; the others are the same in all that fit.
  std::array<bool, 3> force_unique{true, true, true};
  std::array<bool, 3> moment_unique{true, true, true};  // on the second
  std::array<bool, 3> moment_on_first_unique{true, true, true};
  // The part that all reactions that fit have in common, and how many directions of space are left to it; the whole
  // where the reaction is unique.
  std::array<double, 3> unique_force{};  // on the second
  std::array<double, 3> unique_moment{};
  int unique_force_directions = 3;
  int unique_moment_directions = 3;
};

// Of a joint that rolls: where its bodies touch, in ground axes.
struct ContactState {
  std::array<double, 3> place{};
  std::array<double, 3> normal{};  // from the first body to the second
  double load = 0.0;               // force along the normal on the second body: positive where they press
  double grip = 0.0;               // of the force across the normal, a share of the load; not a number without load
};

// Zero where a joint has no such coordinate. Angles count whole turns, in space from the drawn pose.
struct JointMotion {
  double angle = 0.0;
  double slide = 0.0;
  double angle_rate = 0.0;
  double slide_rate = 0.0;
  std::array<double, 3> turns{};  // where the turns about three axes have names
  std::array<double, 3> turn_rates{};
  // Of a compliant joint: how far it is open, and how far its axes are from where they belong.
  double gap = 0.0;
  double axis_angle = 0.0;
};

struct LoadValue {
  std::vector<double> scalars;  // in the order and with the names of scalarsOf (elements/element_set.hpp)
};

// Euclidean norms of Phi, of Phi_q v + Phi_t and of Phi_q a - Gamma; the first over the rows that have a Phi.
struct Violation {
  double position = 0.0;
  double velocity = 0.0;
  double acceleration = 0.0;
};

struct RankReport {
  int rows = 0;
  int rank = 0;
  int freedoms = 0;            // degrees of freedom of the velocities that they leave
  int position_freedoms = 0;   // and of the positions: as many, or more where rows hold velocities alone
  double smallest_kept = 1.0;  // relative pivot of the row nearest to dependence
  std::string nearest_row;     // its name
  double largest_dropped = 0.0;
  std::vector<std::string> dependent_rows;
};

// The rank of factors in words. dropped(r): was that row left out? name(r): what it is called.
template <class Dropped, class Name>
RankReport namedRank(int all_rows, const RowRank& found, double largest_dropped, int factored_rows,
                     const Dropped& dropped, const Name& name) {
  RankReport out;
  out.rows = all_rows;
  out.rank = found.rank;
  out.freedoms = found.freedoms;
  out.position_freedoms = found.positionFreedoms();
  out.smallest_kept = found.smallest_pivot;
  if (found.nearest_row >= 0) out.nearest_row = name(found.nearest_row);
  out.largest_dropped = largest_dropped;
  for (int r = 0; r < factored_rows; ++r) {
    if (dropped(r)) out.dependent_rows.push_back(name(r));
  }
  return out;
}

// What solving for the constraints took.
struct SolveCounts {
  long projections = 0;         // solves to bring a state back to the constraints
  long penalty_iterations = 0;  // of the augmented Lagrangian
  long repartitions = 0;        // changes of the independent coordinates
  double worst_residual = 0.0;  // of the linear solves, relative
};

struct Observation {
  std::vector<BodyMotion> bodies;
  std::vector<Reaction> joints;
  std::vector<JointMotion> joint_motions;
  std::vector<ContactState> contacts;  // of each joint; empty where none rolls
  std::vector<double> drive_efforts;   // torque or force that the drive exerts in the direction of its coordinate
  std::vector<bool> drive_efforts_unique;
  std::vector<LoadValue> loads;
  std::vector<double> outputs;      // [outputs] of the model, in their own units
  std::vector<double> multipliers;  // lambda, row by row
  Violation violation;
  double kinetic = 0.0;
  double potential = 0.0;
  double supplied_work = 0.0;  // since the start, by loads and drives, less what dampers took
};

// Its event functions are those of the mechanism's events, in their order, then some that mark corners of the loads.
class MechanismSystem : public OdeSystem {
 public:
  // Between states of this system and [q, v, work, turns] in absolute coordinates, which is what assembly gives: q and
  // v of every body as in AbsoluteEquations, references of the counted angles. In absolute coordinates the two are the
  // same. A state from there goes with the modes of startModes; what it means may depend on its modes.
  virtual std::vector<double> fromAbsolute(double t, std::span<const double> absolute) const = 0;
  virtual std::vector<double> toAbsolute(double t, std::span<const double> x, const Modes& modes) const = 0;

  // Times, in rising order, at which the loads have a corner or a jump: a step should end there.
  virtual std::vector<double> cornerTimes() const = 0;

  // Everything about the state (t, x); allocates, so not for use inside a step.
  virtual Evaluation observe(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                             Observation& out) const = 0;

  // Violation of the state alone (position, velocity); cheap, no allocation.
  virtual Violation violation(double t, std::span<const double> x, const Modes& modes, Workspace& work) const = 0;

  // What this formulation with this stabilisation cannot do with the mechanism, and what to take instead; empty:
  // nothing.
  virtual std::string problem() const = 0;

  // Whether a step of these modes has the right-hand side of the equations as they are written out.
  virtual bool asWritten(const Modes& modes) const = 0;

  // Factors the constraint rows at (t, x); nothing else is evaluated. Of a state that is not finite: as if no row
  // depended on others.
  virtual RowRank factorRows(double t, std::span<const double> x, const Modes& modes, Workspace& work) const = 0;
  // The same with names; allocates.
  virtual RankReport rankReport(double t, std::span<const double> x, const Modes& modes, Workspace& work) const = 0;
  // Whether the motion, at a state near a pose of lower rank, only comes near that pose and turns to another way there,
  // instead of going through. False also where that cannot be told. Allocates nothing.
  virtual bool turnsAway(double t, std::span<const double> x, const Modes& modes, Workspace& work) const = 0;
  virtual std::string rowName(int row) const = 0;  // of RowRank::nearest_row; -1 has none

  // Of all calls with this workspace so far.
  virtual SolveCounts solveCounts(const Workspace& work) const = 0;
  virtual double referenceLength() const = 0;
  virtual double reactionLength() const = 0;  // m; by it moments are divided where reactions of least norm are chosen
};

}  // namespace linkwork
