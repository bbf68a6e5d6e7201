#include "linkwork/analyse/mobility.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <utility>

#include "linkwork/analyse/mobility_problem.hpp"
#include "linkwork/analyse/mobility_reactions.hpp"
#include "linkwork/analyse/pose_mover.hpp"
#include "linkwork/base/index.hpp"
#include "linkwork/linalg/decompositions.hpp"
#include "linkwork/linalg/norm.hpp"
#include "linkwork/topology/blocks.hpp"

namespace linkwork {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A singular value of first displacements (of length one) above this is a way of its own; curvature over a step stays
// well below.
constexpr double kOwnWay = 0.2;
// Re-assembled nearer than this share of the step means that the mechanism went back to where it came from.
constexpr double kReturned = 0.05;

// --- rows by blocks

struct RowBlock {
  std::vector<int> rows;        // joints and drives
  std::vector<int> joint_rows;  // without the drives
  // Those of both that have a Phi, where some have none.
  std::optional<std::vector<int>> position_rows, joint_position_rows;
};

std::optional<std::vector<int>> positionRowsOf(const MobilityProblem& problem, const std::vector<int>& rows) {
  std::vector<int> out;
  for (const int r : rows) {
    if (problem.rows[at(r)].level == RowLevel::position) out.push_back(r);
  }
  return out.size() < rows.size() ? std::optional(std::move(out)) : std::nullopt;
}

std::vector<RowBlock> rowBlocks(const MobilityProblem& problem) {
  std::vector<Connection> connections;
  std::vector<int> group_of;
  connections.reserve(problem.groups.size());
  for (int g = 0; g < static_cast<int>(problem.groups.size()); ++g) {
    const MobilityGroup& group = problem.groups[at(g)];
    std::vector<int> bodies = group.related;
    if (bodies.empty()) bodies = {group.first, group.second};
    for (int p = problem.row_start[at(group.first_row)]; p < problem.row_start[at(group.first_row + group.rows)]; ++p) {
      const int body = problem.row_bodies[at(p)];
      if (std::find(bodies.begin(), bodies.end(), body) == bodies.end()) bodies.push_back(body);
    }
    // A row on more than two bodies, such as a coupling of joints, is a closed way through them: one block.
    for (std::size_t k = 0; k + 1 < bodies.size(); ++k) connections.push_back({bodies[k], bodies[k + 1]});
    if (bodies.size() > 2) connections.push_back({bodies.back(), bodies.front()});
    group_of.resize(connections.size(), g);
  }
  std::vector<RowBlock> out;
  for (const Block& block : biconnectedBlocks(problem.bodies, connections)) {
    RowBlock rows;
    int last = -1;
    for (const int c : block.connections) {
      const int g = group_of[at(c)];
      if (std::exchange(last, g) == g) continue;
      const MobilityGroup& group = problem.groups[at(g)];
      for (int r = group.first_row; r < group.first_row + group.rows; ++r) {
        rows.rows.push_back(r);
        if (!group.is_drive) rows.joint_rows.push_back(r);
      }
    }
    rows.position_rows = positionRowsOf(problem, rows.rows);
    rows.joint_position_rows = positionRowsOf(problem, rows.joint_rows);
    out.push_back(std::move(rows));
  }
  return out;
}

// Rank of all rows and, of it, what rows of velocities alone contribute.
struct LevelRank {
  int all = 0;
  int velocities_alone = 0;
  int positions() const { return all - velocities_alone; }
};

struct PoseRank {
  LevelRank joints, all;
  std::vector<int> repeats;  // rows too many, block by block
  double smallest_kept = 1.0;
  double largest_dropped = 0.0;
  bool clear = true;

  void add(const RankDecision& decision) {
    smallest_kept = std::min(smallest_kept, decision.smallest_kept);
    largest_dropped = std::max(largest_dropped, decision.largest_dropped);
    clear = clear && decision.clear();
  }
};

// Adds the ranks of a block, of whose rows together the rank is known.
void addRank(const MobilityProblem& problem, const RowBlock& block, std::span<const double> jacobian, int rank,
             PoseRank& out) {
  const auto rankOf = [&](const std::vector<int>& rows) {
    return decideRank(scaledRows(problem, jacobian, rows)).rank;
  };
  const auto add = [&](int of_all, const std::optional<std::vector<int>>& position_rows, LevelRank& sum) {
    sum.all += of_all;
    if (position_rows) sum.velocities_alone += of_all - rankOf(*position_rows);
  };
  add(rank, block.position_rows, out.all);
  const bool no_drives = block.joint_rows.size() == block.rows.size();
  add(no_drives ? rank : rankOf(block.joint_rows), block.joint_position_rows, out.joints);
}

PoseRank rankAt(const MobilityProblem& problem, const std::vector<RowBlock>& blocks, std::span<const double> jacobian) {
  PoseRank out;
  for (const RowBlock& block : blocks) {
    const RankDecision all = decideRank(scaledRows(problem, jacobian, block.rows));
    out.add(all);
    out.repeats.push_back(all.rows - all.rank);
    addRank(problem, block, jacobian, all.rank, out);
  }
  return out;
}

// --- moving

struct Excursion {
  std::vector<double> first;  // first displacement, in metres, of length one
  std::vector<double> pose;   // the furthest reached
  std::vector<double> jacobian;
};

// A direction to try: any velocity, or the turn of a single body, made allowed and brought to the size of a step. Empty
// when that body cannot turn.
std::vector<double> directionToTry(const MobilityProblem& problem, PoseMover& mover, std::span<const double> pose,
                                   bool single, double step, std::mt19937& random) {
  std::vector<double> v(at(problem.bodies * problem.freedoms));
  std::normal_distribution<double> normal;
  for (int attempt = 0; attempt < 20; ++attempt) {
    std::fill(v.begin(), v.end(), 0.0);
    if (single) {
      const auto body = static_cast<std::size_t>(random() % static_cast<unsigned>(problem.bodies));
      // Turns are the last freedoms of a body: one in the plane, three in space.
      const std::size_t axis = problem.dimension == 3 ? static_cast<std::size_t>(random() % 3) : 0;
      const std::size_t u = (body + 1) * at(problem.freedoms) - 1 - axis;
      v[u] = (random() % 2 == 0 ? 1.0 : -1.0) / mover.unit(u);
    } else {
      for (std::size_t u = 0; u < v.size(); ++u) v[u] = normal(random) / mover.unit(u);
    }
    mover.allow(pose, v);
    const double size = mover.size(v) * problem.length;
    if (!(size > 1e-6) || !std::isfinite(size)) continue;
    for (double& value : v) value *= step * problem.length / size;
    return v;
  }
  return {};
}

std::optional<Excursion> goOut(const MobilityProblem& problem, PoseMover& mover, const std::vector<double>& from,
                               const std::vector<double>& direction, double step_size, int steps) {
  Excursion out;
  std::vector<double> pose;
  std::vector<double> step;
  // The first step, shorter where the joints do not close.
  bool closed = false;
  for (double share = 1.0; share > 0.1 && !closed; share /= 2.0) {
    pose = from;
    step = direction;
    for (double& value : step) value *= share;
    closed = mover.go(step, pose);
  }
  if (!closed || mover.size(step) < kReturned * step_size) return std::nullopt;
  out.first = step;
  for (std::size_t u = 0; u < step.size(); ++u) out.first[u] *= mover.unit(u);
  const double norm = norm2(out.first);
  for (double& value : out.first) value /= norm;
  for (int k = 1; k < steps; ++k) {
    std::vector<double> next = step;
    mover.allow(pose, next);
    const double size = mover.size(next);
    if (!(size > 0.0)) break;
    for (double& value : next) value *= step_size / size;
    std::vector<double> further = pose;
    if (!mover.go(next, further) || mover.size(next) < kReturned * step_size) break;
    pose = std::move(further);
    step = std::move(next);
  }
  out.jacobian = jacobianAt(problem, pose);
  out.pose = std::move(pose);
  return out;
}

int independentWays(const std::vector<Excursion>& excursions) {
  if (excursions.empty()) return 0;
  MatrixXd ways(static_cast<Index>(excursions[0].first.size()), static_cast<Index>(excursions.size()));
  for (std::size_t k = 0; k < excursions.size(); ++k) {
    ways.col(static_cast<Index>(k)) =
        Eigen::Map<const VectorXd>(excursions[k].first.data(), static_cast<Index>(excursions[k].first.size()));
  }
  // ways^T ways is small: its eigenvalues are the squares.
  const Eigen::SelfAdjointEigenSolver<MatrixXd> gram(MatrixXd(ways.transpose() * ways), Eigen::EigenvaluesOnly);
  return static_cast<int>((gram.eigenvalues().array() > kOwnWay * kOwnWay).count());
}

PoseKind kindOf(const MobilityReport& report, bool drives_lose_rank) {
  if (report.joints.here == 0) return PoseKind::rigid;
  if (report.poses_reached == 0) return PoseKind::shaky;
  if (report.joints.here > report.joints.mobility)
    return report.ways > report.joints.mobility ? PoseKind::branch_point : PoseKind::shaky;
  return drives_lose_rank ? PoseKind::dead_point : PoseKind::regular;
}

// Leaves a pose with the drives let go in a number of directions, half of them random, half turns of single bodies.
class Explorer {
 public:
  Explorer(const MobilityProblem& problem, double step)
      : problem_(problem), step_(step), mover_(problem, Drives::let_go) {}

  std::vector<Excursion> leave(const std::vector<double>& pose, int directions, int steps, int& tried) {
    std::vector<Excursion> out;
    for (int k = 0; k < directions; ++k) {
      const auto direction = directionToTry(problem_, mover_, pose, k % 2 == 1, step_, random_);
      if (direction.empty()) continue;
      ++tried;
      if (auto excursion = goOut(problem_, mover_, pose, direction, step_, steps)) out.push_back(std::move(*excursion));
    }
    return out;
  }

 private:
  const MobilityProblem& problem_;
  double step_;
  PoseMover mover_;
  std::mt19937 random_{20240229};
};

// So many allowed velocities can be tried one by one.
constexpr int kFewVelocities = 12;
// Directions beyond the number of velocities, so that an unlucky one does not count.
constexpr int kSpareDirections = 4;

// Degrees of freedom on the branch of a reached pose. Full rank of the joints: exactly the allowed velocities.
// Otherwise as many as independent ways were found to go on; where there are too many to try, only bounds are known.
struct Bounds {
  int least = 0;
  int most = 0;
};

Bounds mobilityAt(const MobilityReport& report, Explorer& explorer, const Excursion& excursion, int velocities) {
  const int full_rank = report.coordinates - (report.joints.rows - report.joints.velocity_rows);
  if (velocities == full_rank) return {velocities, velocities};
  if (velocities > kFewVelocities) return {std::max(full_rank, 1), velocities};
  int tried = 0;
  const int ways = independentWays(explorer.leave(excursion.pose, 2 * velocities + kSpareDirections, 1, tried));
  const int found = std::clamp(ways, 1, velocities);
  return {found, found};
}

// What a block repeats in all poses reached is permanent. Which sets that belongs to is clear where it is all of them
// or none; otherwise each set is followed by itself, and where sets exchange rows on the way, so that this does not add
// up, they are made one.
void notePermanence(const MobilityProblem& problem, const std::vector<RowBlock>& blocks,
                    const std::vector<Excursion>& excursions, const std::vector<int>& permanent,
                    MobilityReport& report) {
  std::vector<DependentSet> out;
  std::size_t k = 0;
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    const std::size_t first = k;
    while (k < report.sets.size() && report.sets[k].block == static_cast<int>(block)) ++k;
    std::vector<DependentSet> sets(std::make_move_iterator(report.sets.begin() + static_cast<std::ptrdiff_t>(first)),
                                   std::make_move_iterator(report.sets.begin() + static_cast<std::ptrdiff_t>(k)));
    int here = 0;
    for (const DependentSet& set : sets) here += set.repeats;
    const int stays = excursions.empty() ? here : permanent[block];
    int found = 0;
    for (DependentSet& set : sets) {
      set.repeats_nearby = stays == 0 ? 0 : set.repeats;
      for (const Excursion& excursion : excursions) {
        if (stays == 0 || stays == here) break;
        const RankDecision there = decideRank(scaledRows(problem, excursion.jacobian, set.rows));
        set.repeats_nearby = std::min(set.repeats_nearby, there.rows - there.rank);
      }
      found += set.repeats_nearby;
    }
    if (found != stays) {
      DependentSet merged{{}, 0, stays, {}, static_cast<int>(block)};
      std::vector<DependentSet> settled;
      for (DependentSet& set : sets) {
        if (set.repeats_nearby == set.repeats) {
          merged.repeats_nearby -= set.repeats;
          settled.push_back(std::move(set));
          continue;
        }
        merged.rows.insert(merged.rows.end(), set.rows.begin(), set.rows.end());
        merged.repeats += set.repeats;
        merged.relations.insert(merged.relations.end(), set.relations.begin(), set.relations.end());
      }
      std::sort(merged.rows.begin(), merged.rows.end());
      settled.push_back(std::move(merged));
      sets = std::move(settled);
    }
    out.insert(out.end(), std::make_move_iterator(sets.begin()), std::make_move_iterator(sets.end()));
  }
  report.sets = std::move(out);
}

void exploreNearby(const MobilityProblem& problem, const std::vector<RowBlock>& blocks, const MobilityOptions& options,
                   MobilityReport& report) {
  Freedom& joints = report.joints;
  Freedom& all = report.all;
  const int here_drives = joints.here - all.here;
  bool drives_lose_rank = false;
  std::vector<Excursion> excursions;
  std::vector<int> permanent(blocks.size(), std::numeric_limits<int>::max());
  report.smallest_nearby = report.smallest_kept;
  if (joints.here > 0) {
    Explorer explorer(problem, options.step);
    const bool few = joints.here <= kFewVelocities;
    const int directions = few ? std::max(options.directions, 2 * joints.here + kSpareDirections) : options.directions;
    excursions = explorer.leave(problem.pose, directions, options.steps, report.directions_tried);
    report.poses_reached = static_cast<int>(excursions.size());
    report.ways = independentWays(excursions);
    bool first = true;
    for (const Excursion& excursion : excursions) {
      const PoseRank there = rankAt(problem, blocks, excursion.jacobian);
      for (std::size_t b = 0; b < blocks.size(); ++b) permanent[b] = std::min(permanent[b], there.repeats[b]);
      const int velocities = report.coordinates - there.joints.positions();
      const Bounds bounds = mobilityAt(report, explorer, excursion, velocities);
      const int drives = there.all.positions() - there.joints.positions();
      drives_lose_rank = drives_lose_rank || drives > here_drives;
      report.smallest_nearby = std::max(report.smallest_nearby, there.smallest_kept);
      joints.mobility_least = first ? bounds.least : std::min(joints.mobility_least, bounds.least);
      joints.mobility = std::max(joints.mobility, bounds.most);
      all.mobility_least =
          std::max(0, first ? bounds.least - drives : std::min(all.mobility_least, bounds.least - drives));
      all.mobility = std::max(all.mobility, bounds.most - drives);
      report.mobility_is_bound = report.mobility_is_bound || bounds.least < bounds.most;
      first = false;
    }
  }
  report.kind = kindOf(report, drives_lose_rank);
  notePermanence(problem, blocks, excursions, permanent, report);
}

}  // namespace

MobilityReport analyseMobility(const MobilityProblem& problem, const MobilityOptions& options) {
  const std::vector<RowBlock> blocks = rowBlocks(problem);
  const std::vector<double> jacobian = jacobianAt(problem, problem.pose);
  MobilityReport report;
  report.coordinates = problem.bodies * problem.freedoms;
  report.blocks = static_cast<int>(blocks.size());

  PoseRank here;
  std::vector<NullPart> parts;
  int block_index = 0;
  for (const RowBlock& block : blocks) {
    report.largest_block = std::max(report.largest_block, static_cast<int>(block.rows.size()));
    const RowDependence found = rowDependence(scaledRows(problem, jacobian, block.rows));
    here.add(found.decision);
    addRank(problem, block, jacobian, found.decision.rank, here);
    splitIntoSets(problem, block.rows, found.relations, block_index++, report.sets, parts);
  }
  report.smallest_kept = here.smallest_kept;
  report.largest_dropped = here.largest_dropped;
  report.clear = here.clear;
  report.all.rows = static_cast<int>(problem.rows.size());
  for (const MobilityGroup& group : problem.groups) report.joints.rows += group.is_drive ? 0 : group.rows;
  for (const MobilityRow& row : problem.rows) {
    if (row.level == RowLevel::position) continue;
    ++report.all.velocity_rows;
    report.joints.velocity_rows += problem.groups[at(row.group)].is_drive ? 0 : 1;
  }
  const auto put = [&](const LevelRank& rank, Freedom& freedom) {
    freedom.rank = rank.all;
    freedom.velocity_rank = rank.velocities_alone;
    freedom.here = report.coordinates - rank.positions();
  };
  put(here.joints, report.joints);
  put(here.all, report.all);
  exploreNearby(problem, blocks, options, report);

  findReactions(problem, parts, report);
  return report;
}

}  // namespace linkwork
