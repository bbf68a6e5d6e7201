// Mobility: how many ways a mechanism can move, which constraints repeat each other, and which reactions are unique.
//
// Knows rows, bodies and poses, not whether they are in the plane or in space: analyse/mobility_problem.hpp makes a
// MobilityProblem of a mechanism. Rank is decided block by block of the mechanism's graph, at the given pose and
// at poses reached from it by moving with the drives let go.                                     [docs/theory/02]
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "linkwork/base/row_level.hpp"
#include "linkwork/linalg/rank.hpp"

namespace linkwork {

// A direction in ground axes that has a name: {(0.6, 0.8, 0), "along crank"}.
struct NamedDirection {
  std::array<double, 3> direction{};
  std::string words;
};

struct MobilityRow {
  std::string name;  // "G1.x"
  int group = 0;
  double scale = 1.0;  // brings the row to metres: that length for a row in radians
  // What a multiplier of 1 does to the group's second body, ground axes: force, moment about the group's point.
  std::array<double, 6> wrench{};
  RowLevel level = RowLevel::position;  // rows of velocities alone are in no one's way from pose to pose
};

// A joint or drive.
struct MobilityGroup {
  std::string name;
  bool is_drive = false;
  int first = -1;  // bodies; -1 for the ground
  int second = -1;
  std::vector<int> related{};  // of a relation: all bodies it names, -1 for the ground
  int first_row = 0;
  int rows = 0;
  std::array<double, 3> point{};  // ground axes
  std::vector<NamedDirection> directions;
};

struct MobilityProblem {
  int bodies = 0;
  int freedoms = 3;   // of a body
  int dimension = 2;  // of the space, for the number of components that are printed
  std::vector<std::string> body_names;
  double length = 1.0;                // that of an arm, m: turns are measured by it
  std::vector<double> freedom_scale;  // of each freedom of a body: 1 for a shift, that length for a turn
  std::vector<MobilityRow> rows;
  std::vector<MobilityGroup> groups;
  std::vector<int> row_start{0};  // Jacobian blocks of row r are on the bodies row_bodies[row_start[r] ...]
  std::vector<int> row_bodies;
  std::vector<double> pose;  // the assembled one

  // Phi and the blocks of Phi_q at a pose.
  std::function<void(std::span<const double> pose, std::span<double> phi, std::span<double> jacobian)> evaluate;
  // pose <- pose moved by a step of freedoms x bodies numbers.
  std::function<void(std::span<const double> step, std::span<double> pose)> move;
};

// Constraints of which some repeat what the others say.
struct DependentSet {
  std::vector<int> rows;
  int repeats = 0;         // how many could be left out in this pose
  int repeats_nearby = 0;  // and in the poses reached by moving (the fewest); what is more belongs to this pose only
  // One for each repeat: sum of share times row of Phi_q is zero. Shares are multipliers: forces and moments that hold
  // each other.
  std::vector<std::vector<RowShare>> relations;
  int block = -1;  // of the mechanism's graph
};

// c^T lambda of one joint that is the same for all multipliers that fit.
struct UniqueReaction {
  std::vector<double> coefficients;  // c, one for each row of the joint
  // The same on the force and moment that act on the second body, where every row is one or the other.
  std::array<double, 3> force{};
  std::array<double, 3> moment{};
  std::string words;  // "the force along (0.8, 0.6), across crank1"
};

struct JointReactions {
  int group = 0;
  int rows = 0;
  std::vector<UniqueReaction> unique;  // a basis; as many as rows: everything is unique

  bool all() const { return static_cast<int>(unique.size()) == rows; }
};

// The sum of what several joints do to one body, none of them unique by itself.
struct UniqueSum {
  std::vector<int> groups;
  int body = -1;
  int components = 0;  // of the total force and moment that these joints can transmit
  int unique = 0;      // how many of them are unique
};

// What the joints alone, or joints and drives together, leave free.
struct Freedom {
  int rows = 0;
  int rank = 0;            // in this pose
  int here = 0;            // motions that the rows of positions allow in this pose, to first order
  int mobility = 0;        // degrees of freedom of the motions that leave the pose (the most, if branches differ)
  int mobility_least = 0;  // and the least
  int velocity_rows = 0;   // so many of `rows` hold velocities alone
  int velocity_rank = 0;   // and of `rank`

  int velocities() const { return here - velocity_rank; }  // that all rows allow in this pose
};

enum class PoseKind {
  regular,       // the rank is the same nearby
  dead_point,    // joints alone have full rank, the drives lose theirs: they cannot tell which way to go
  branch_point,  // several motions meet here
  shaky,         // velocities are allowed to which no motion belongs
  rigid,         // nothing can move, so there is no other pose to compare with
};

struct MobilityReport {
  int coordinates = 0;  // freedoms of all bodies without any joint
  Freedom joints;       // drives let go
  Freedom all;          // drives held
  int blocks = 0;
  int largest_block = 0;       // in rows
  double smallest_kept = 1.0;  // singular values relative to the greatest, over the blocks
  double largest_dropped = 0.0;
  bool clear = true;             // every gap was wide enough
  double smallest_nearby = 1.0;  // smallest kept at the poses reached (the greatest of them)
  int directions_tried = 0;
  int poses_reached = 0;
  int ways = 0;                    // independent directions in which the mechanism was seen to leave the pose
  bool mobility_is_bound = false;  // too many velocities to try: mobility is between the two numbers
  PoseKind kind = PoseKind::regular;
  std::vector<DependentSet> sets;
  std::vector<JointReactions> reactions;  // one for each group
  std::vector<UniqueSum> sums;
};

struct MobilityOptions {
  int directions = 6;  // tried at least, half of them random combinations, half single turns of a body; fixed seed
  int steps = 3;       // along each
  double step = 0.05;  // greatest displacement in a step, in units of the length, and greatest turn
};

MobilityReport analyseMobility(const MobilityProblem& problem, const MobilityOptions& options = {});

// The report in plain English.
std::string mobilityText(const MobilityProblem& problem, const MobilityReport& report);

}  // namespace linkwork
