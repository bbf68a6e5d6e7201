// Stabilisation by coordinate partitioning: the dependent coordinates are solved for inside every evaluation. One text
// for every formulation that has rows G of constraints on its own velocities:
//
//   (1)  Phi(u, v) = 0  and  Phi_u u' + Phi_v v' + Phi_t = 0  for the dependent u, the independent v as they are
//                                                                                  [docs/theory/01, eq. 1.40 to 1.42]
//
// A formulation lends itself as `Parts`, a small struct over itself and one workspace:
//
//   rows(), freedoms()          of G
//   factorRows(t, x)            rank of G at x; false: cannot be had, which the evaluation will say
//   droppedRows(), dropped(r)   rows that depend on others
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

// A choice as it stands among the flags of modes: is there one, then which freedoms are integrated, then which rows
// depend on the others.
struct Partition {
  bool chosen = false;
  std::span<const std::uint8_t> independent;
  std::span<const std::uint8_t> left_out;
};

inline std::size_t partitionFlags(int freedoms, int rows) { return 1 + static_cast<std::size_t>(freedoms + rows); }

inline Partition partitionIn(std::span<const std::uint8_t> flags, int freedoms, int rows) {
  const auto n = static_cast<std::size_t>(freedoms);
  return {flags[0] != 0, flags.subspan(1, n), flags.subspan(1 + n, static_cast<std::size_t>(rows))};
}

struct PartitionWork {
  PartitionWork(int freedoms, int rows, int coordinates, int state, int independent_at_most)
      : next(partitionFlags(freedoms, rows)),
        instead(next),
        next_q(static_cast<std::size_t>(coordinates)),
        closed(static_cast<std::size_t>(state)) {
    basis.reserve(static_cast<std::size_t>(freedoms) * static_cast<std::size_t>(independent_at_most));
    direction.reserve(static_cast<std::size_t>(independent_at_most));
  }

  // The flags of the last choice and where it was made: most steps begin where the one before ended.
  std::vector<std::uint8_t> next;
  std::vector<std::uint8_t> instead;  // of a choice made within a call
  double next_t = 0.0;
  std::vector<double> next_q;
  std::vector<double> closed;  // the state with its dependent part solved for
  std::vector<double> basis;   // of the motions that the joints allow, one after the other
  std::vector<double> direction;
  long repartitions = 0;
};

// work.next, from t and x alone: any motion, brought to the nearest that the joints allow, as often as there are
// degrees of freedom, gives a basis of all allowed motions; the coordinates are picked from it.
template <class Parts>
void choosePartition(Parts& parts, double t, std::span<const double> x, PartitionWork& work) {
  work.next[0] = 0;
  if (!parts.factorRows(t, x)) return;
  const auto n = static_cast<std::size_t>(parts.freedoms());
  const int count = parts.freedoms() - parts.rows() + parts.droppedRows();
  work.basis.resize(n * static_cast<std::size_t>(count));
  work.direction.resize(static_cast<std::size_t>(count));
  Mixer mixer;
  for (std::size_t k = 0; k < work.direction.size(); ++k) {
    parts.allowedMotion(mixer, std::span(work.basis).subspan(k * n, n));
  }
  chooseIndependent(work.basis, count, work.direction, std::span(work.next).subspan(1, n));
  for (int r = 0; r < parts.rows(); ++r) {
    work.next[1 + n + static_cast<std::size_t>(r)] = parts.dropped(r) ? 1 : 0;
  }
  work.next[0] = 1;
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
Partition partitionHere(Parts& parts, double t, std::span<const double> x, const Partition& now, PartitionWork& work) {
  if (!partitionAt(parts, t, x, work)) return now;
  work.instead = work.next;
  return partitionIn(work.instead, parts.freedoms(), parts.rows());
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
Eval closeState(Parts& parts, double t, std::span<double> x, const Partition& partition, bool& moved) {
  if (parts.rows() == 0) return Eval::ok;
  const Eval eval = closePositions(parts, t, parts.positions(x), partition, moved);
  return eval != Eval::ok ? eval : closeVelocities(parts, t, parts.velocities(x), partition, moved);
}

template <class Parts>
Eval closeAfterStep(Parts& parts, double t, std::span<double> x, std::span<const std::uint8_t> flags,
                    PartitionWork& work, bool& changed) {
  Partition now = partitionIn(flags, parts.freedoms(), parts.rows());
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
  const Partition next = partitionIn(work.next, parts.freedoms(), parts.rows());
  if (next.chosen && !std::equal(next.independent.begin(), next.independent.end(), now.independent.begin()))
    ++work.repartitions;
  return Eval::ok;
}

// work.closed = x with its dependent part solved for.
template <class Parts>
Eval closeForEvaluation(Parts& parts, double t, std::span<const double> x, std::span<const std::uint8_t> flags,
                        PartitionWork& work) {
  Partition now = partitionIn(flags, parts.freedoms(), parts.rows());
  if (!now.chosen) now = partitionHere(parts, t, x, now, work);
  std::copy(x.begin(), x.end(), work.closed.begin());
  bool moved = false;
  return closeState(parts, t, work.closed, now, moved);
}

}  // namespace linkwork
