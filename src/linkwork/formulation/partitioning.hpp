// Stabilisation by coordinate partitioning: the dependent coordinates are solved for inside every evaluation. One text
// for every formulation that has rows G of constraints on its own velocities:
//
//   (1)  Phi(u, v) = 0  and  Phi_u u' + Phi_v v' + Phi_t = 0  for the dependent u, the independent v as they are
//                                                                                  [docs/theory/01, eq. 1.40 to 1.42]
//
// A formulation lends itself as `Parts`, a small struct over itself and one workspace:
//
//   rows(), freedoms()          of G
//   velocityRows(), level(r)    rows that hold velocities alone, and which
//   factorRows(t, x, level)     rank of G at x, of the rows at this level; false: cannot be had, which the evaluation
//                               will say
//   droppedRows(), dropped(r)   rows at that level that depend on others; and those that are not there
//   allowedMotion(mixer, out)   any motion, brought to the nearest that the rows allow; turns by the reference length
//   positions(x), velocities(x) parts of a state
//   place(t, q)                 rows at q
//   open(r), largest(q), misfit()   m: how far a row is off; the largest coordinate; what dependent rows may miss by
//   factorHeld(partition)       G with the independent coordinates held
//   closePositions(q, partition)    one step of Newton's method for (1) in the dependent coordinates
//   miss(v), residual(r)        the largest velocity; Phi_q v + Phi_t
//   closeVelocities(v, partition)
//   notFinite(t), notClosed(t, row)   how each ends
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "linkwork/formulation/partition.hpp"
#include "linkwork/formulation/projection.hpp"

namespace linkwork {

// The allowed motions are compared pair by pair in every step: beyond this many degrees of freedom that costs more than
// everything else.
inline constexpr int kMostIndependent = 200;
inline constexpr int kPartitionSweeps = 12;

inline std::string partitioningProblem(int degrees_of_freedom) {
  if (degrees_of_freedom <= kMostIndependent) return {};
  return fmt::format(
      "partitioning compares all motions that the joints allow, which is too slow for {} degrees of freedom (at most "
      "{}); take projection instead.",
      degrees_of_freedom, kMostIndependent);
}

// Numbers that have nothing to do with each other, the same in every run.
class Mixer {
 public:
  double next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state_ >> 11U) * 0x1p-52 - 1.0;
  }

 private:
  std::uint64_t state_ = 0x9e3779b97f4a7c15ULL;
};

// At one level, as it stands among the flags of modes.
struct Partition {
  std::span<const std::uint8_t> independent;  // freedoms that are integrated
  std::span<const std::uint8_t> left_out;     // rows that depend on the others, or are not there
};

// Velocities have a partition of their own where some rows are theirs alone.
struct Partitions {
  bool chosen = false;
  Partition positions, velocities;

  bool same(const Partitions& other) const {
    return std::ranges::equal(positions.independent, other.positions.independent) &&
           std::ranges::equal(velocities.independent, other.velocities.independent);
  }
};

// How partitions stand among flags: whether they are chosen, then freedoms and rows of each level.
struct PartitionLayout {
  int freedoms = 0, rows = 0, velocity_rows = 0;

  std::size_t perLevel() const { return static_cast<std::size_t>(freedoms) + static_cast<std::size_t>(rows); }
  std::size_t size() const { return 1 + (velocity_rows > 0 ? 2 : 1) * perLevel(); }
  Partitions in(std::span<const std::uint8_t> flags) const {
    const auto n = static_cast<std::size_t>(freedoms);
    const auto at = [&](std::size_t first) {
      return Partition{flags.subspan(first, n), flags.subspan(first + n, static_cast<std::size_t>(rows))};
    };
    const Partition positions = at(1);
    return {flags[0] != 0, positions, velocity_rows > 0 ? at(1 + perLevel()) : positions};
  }
};

struct PartitionWork {
  PartitionWork(const PartitionLayout& flags, int coordinates, int state, int independent_at_most)
      : layout(flags),
        next(flags.size()),
        next_q(static_cast<std::size_t>(coordinates)),
        instead(next),
        closed(static_cast<std::size_t>(state)) {
    basis.reserve(static_cast<std::size_t>(flags.freedoms) * static_cast<std::size_t>(independent_at_most));
    direction.reserve(static_cast<std::size_t>(independent_at_most));
  }

  const PartitionLayout layout;
  // The flags of the last choice and where it was made: most steps begin where the one before ended.
  std::vector<std::uint8_t> next;
  double next_t = 0.0;
  std::vector<double> next_q;
  std::vector<std::uint8_t> instead;  // of a choice made within a call
  std::vector<double> closed;         // the state with its dependent part solved for
  std::vector<double> basis;          // of the motions that the joints allow, one after the other
  std::vector<double> direction;
  long repartitions = 0;
};

// Any motion, brought to the nearest that the rows of a level allow, as often as there are degrees of freedom, gives a
// basis of all allowed motions; the coordinates are picked from it. False where the rows cannot be factored.
template <class Parts>
bool chooseAtLevel(Parts& parts, double t, std::span<const double> x, RowLevel level, PartitionWork& work,
                   std::span<std::uint8_t> out) {
  if (!parts.factorRows(t, x, level)) return false;
  const auto n = static_cast<std::size_t>(parts.freedoms());
  const int rows = parts.rows() - (level == RowLevel::position ? parts.velocityRows() : 0);
  const int count = parts.freedoms() - rows + parts.droppedRows();
  work.basis.resize(n * static_cast<std::size_t>(count));
  work.direction.resize(static_cast<std::size_t>(count));
  Mixer mixer;
  for (std::size_t k = 0; k < work.direction.size(); ++k) {
    parts.allowedMotion(mixer, std::span(work.basis).subspan(k * n, n));
  }
  chooseIndependent(work.basis, count, work.direction, out.first(n));
  for (int r = 0; r < parts.rows(); ++r) out[n + static_cast<std::size_t>(r)] = parts.dropped(r) ? 1 : 0;
  return true;
}

// work.next, from t and x alone.
template <class Parts>
void choosePartition(Parts& parts, double t, std::span<const double> x, PartitionWork& work) {
  const std::size_t size = work.layout.perLevel();
  const std::span<std::uint8_t> next(work.next);
  bool chosen = chooseAtLevel(parts, t, x, RowLevel::position, work, next.subspan(1, size));
  if (chosen && work.layout.velocity_rows > 0) {
    chosen = chooseAtLevel(parts, t, x, RowLevel::velocity, work, next.subspan(1 + size, size));
  }
  next[0] = chosen ? 1 : 0;
  if (!chosen) return;
  work.next_t = t;
  std::copy_n(x.begin(), work.next_q.size(), work.next_q.begin());
}

// work.next = the choice at (t, x); false where none can be made.
template <class Parts>
bool partitionAt(Parts& parts, double t, std::span<const double> x, PartitionWork& work) {
  const bool known =
      work.next[0] != 0 && t == work.next_t && std::equal(work.next_q.begin(), work.next_q.end(), x.begin());
  if (!known) choosePartition(parts, t, x, work);
  return work.next[0] != 0;
}

// Where none can be made, the flags stay.
template <class Parts>
void beginPartition(Parts& parts, double t, std::span<const double> x, std::span<std::uint8_t> flags,
                    PartitionWork& work) {
  if (partitionAt(parts, t, x, work)) std::copy(work.next.begin(), work.next.end(), flags.begin());
}

// For this call alone: the choice at (t, x), or `now` where none can be made.
template <class Parts>
Partitions partitionHere(Parts& parts, double t, std::span<const double> x, const Partitions& now,
                         PartitionWork& work) {
  if (!partitionAt(parts, t, x, work)) return now;
  work.instead = work.next;
  return work.layout.in(work.instead);
}

template <class Parts>
Eval closePositions(Parts& parts, double t, std::span<double> q, const Partition& partition, bool& moved) {
  double last = std::numeric_limits<double>::infinity();
  int worst = 0;
  for (int sweep = 0; sweep < kPartitionSweeps; ++sweep) {
    if (const Eval eval = parts.place(t, q); eval != Eval::ok) return eval;
    double off = 0.0;
    double off_left_out = 0.0;  // what depends on the others must close with them
    for (int r = 0; r < parts.rows(); ++r) {
      const double own = parts.open(r);
      double& greatest = partition.left_out[static_cast<std::size_t>(r)] != 0 ? off_left_out : off;
      if (own > std::max(off, off_left_out)) worst = r;
      greatest = std::max(greatest, own);
    }
    const double closed = kClosedRoundoff * parts.largest(q);
    if (off <= closed || (off > 0.5 * last && off <= kStalledRoundoff * closed)) {
      if (off_left_out <= std::max(kStalledRoundoff * closed, parts.misfit())) return Eval::ok;
      break;
    }
    if (off > 4.0 * last) break;
    last = off;
    parts.factorHeld(partition);
    parts.closePositions(q, partition);
    moved = true;
  }
  return parts.notClosed(t, worst);
}

template <class Parts>
Eval closeVelocities(Parts& parts, double t, std::span<double> v, const Partition& partition, bool& moved) {
  double last = std::numeric_limits<double>::infinity();
  int worst = 0;
  // So far: where all is at rest but for a velocity that closing takes away, round-off is of that.
  double largest = 0.0;
  for (int sweep = 0; sweep < kPartitionSweeps; ++sweep) {
    largest = std::max(largest, parts.miss(v));
    double off = 0.0;
    bool finite = std::isfinite(largest);
    for (int r = 0; r < parts.rows(); ++r) {
      const double own = std::abs(parts.residual(r));
      finite = finite && std::isfinite(own);
      if (partition.left_out[static_cast<std::size_t>(r)] != 0 || own <= off) continue;
      off = own;
      worst = r;
    }
    if (!finite) return parts.notFinite(t);
    const double closed = kClosedRoundoff * largest;
    if (off <= closed || (off > 0.5 * last && off <= kStalledRoundoff * closed)) return Eval::ok;
    if (off > 4.0 * last) break;
    last = off;
    if (sweep == 0) parts.factorHeld(partition);
    parts.closeVelocities(v, partition);
    moved = true;
  }
  return parts.notClosed(t, worst);
}

template <class Parts>
Eval closeState(Parts& parts, double t, std::span<double> x, const Partitions& partitions, bool& moved) {
  if (parts.rows() == 0) return Eval::ok;
  const Eval eval = closePositions(parts, t, parts.positions(x), partitions.positions, moved);
  return eval != Eval::ok ? eval : closeVelocities(parts, t, parts.velocities(x), partitions.velocities, moved);
}

template <class Parts>
Eval closeAfterStep(Parts& parts, double t, std::span<double> x, std::span<const std::uint8_t> flags,
                    PartitionWork& work, bool& changed) {
  Partitions now = work.layout.in(flags);
  if (!now.chosen) now = partitionHere(parts, t, x, now, work);
  std::copy(x.begin(), x.end(), work.closed.begin());
  bool moved = false;
  Eval eval = closeState(parts, t, work.closed, now, moved);
  if (eval == Eval::retry) {  // a choice made for a state far from this one
    now = partitionHere(parts, t, x, now, work);
    std::copy(x.begin(), x.end(), work.closed.begin());
    eval = closeState(parts, t, work.closed, now, moved);
  }
  if (eval == Eval::ok && moved) std::copy(work.closed.begin(), work.closed.end(), x.begin());
  changed = changed || moved;
  if (eval != Eval::ok) return eval;
  choosePartition(parts, t, x, work);
  const Partitions next = work.layout.in(work.next);
  if (next.chosen && !next.same(now)) ++work.repartitions;
  return Eval::ok;
}

// work.closed = x with its dependent part solved for.
template <class Parts>
Eval closeForEvaluation(Parts& parts, double t, std::span<const double> x, std::span<const std::uint8_t> flags,
                        PartitionWork& work) {
  Partitions now = work.layout.in(flags);
  if (!now.chosen) now = partitionHere(parts, t, x, now, work);
  std::copy(x.begin(), x.end(), work.closed.begin());
  bool moved = false;
  return closeState(parts, t, work.closed, now, moved);
}

}  // namespace linkwork
