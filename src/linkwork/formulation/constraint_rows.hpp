// ConstraintRows: the rows of all joints and drives at one pose: how far off they are, and which of them repeat others.
//
// Every formulation states rank, degrees of freedom and uniqueness by these rows, whatever its own coordinates are: in
// absolute coordinates a row depends on the others or it does not, while the cuts of a tree are only some of the rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "linkwork/formulation/absolute/absolute_structure.hpp"
#include "linkwork/formulation/mechanism_system.hpp"

namespace linkwork {

// A row is dependent when its distance from the rows before it is below 1e-5 of its own length: its relative pivot is
// the square. Near a pose of lower rank a closure error of round-off size, 1e-16, turns the velocities by 1e-16 over
// the pivot. Above the cut that stays below 1e-6; below it the row is left out, and projection makes good afterwards
// what it lagged meanwhile.
inline constexpr double kDependentRow = 1e-10;

// Nearer to a pose of lower rank than this (2e-3 of a row's length) projection would turn the round-off of closure
// into motion, and leaves such a row out where it is not violated by more. Accelerations come from states on both sides
// of the pose, from a little farther on: a closure error e turns them by e over the third power of the distance.
//                                                                                       [docs/theory/01, eq. 1.32]
inline constexpr double kNearDependentRow = 4e-6;

// Rows that do not quite fit may stay open by this many times what they were off at the start.
inline constexpr double kMisfitGrowth = 100.0;

struct RowOptions {
  // Rows known to be dependent at the assembled start. Off the constraint surface such rows look independent; there
  // they are dropped by a cut that grows with the drift.
  std::vector<int> doubtful_rows;
  // How far those rows are from fitting at the start, relative to the reference length. Above zero they are not closed,
  // only watched: they may stay open by up to kMisfitGrowth times as much.
  double misfit = 0.0;
  double reaction_length = 0.0;  // m; 0: that of the drawn pose, referenceLength
  // [q, v, work, turns] in absolute coordinates at the assembled start, t = 0; empty: not known. A formulation with
  // rows of its own finds there which of them depend on others.
  std::vector<double> start;
};

// wanted - Phi_q a of one row, and the size of what it is made of: at least `least`.
struct RowBalance {
  double rest = 0.0;
  double size = 0.0;
};
template <class G>
RowBalance balanceOfRow(const AbsoluteEquations<G>& equations, int row, double wanted, std::span<const double> a,
                        const typename AbsoluteEquations<G>::Work& pose, double least);

// A row that was left out must hold by itself, up to what the drift, or a misfit of its numbers, explains; if not, it
// contradicts the others. The first that does, or -1. dropped(r): was it left out? balance(r): its RowBalance.
template <class Dropped, class Balance>
int contradictedRow(int rows, double drift, const Dropped& dropped, const Balance& balance) {
  // A row left out just below the cut lags by 1e-5 of its length, times accelerations of up to a hundred times its own
  // terms.
  const double allowed = 1e-3 + 1e3 * drift;
  for (int r = 0; r < rows; ++r) {
    if (!dropped(r)) continue;
    const auto [rest, size] = balance(r);
    if (std::abs(rest) > allowed * size) return r;
  }
  return -1;
}

// The row with the greatest Phi.
inline int worstRow(std::span<const double> phi) {
  const auto worst =
      std::max_element(phi.begin(), phi.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  return static_cast<int>(worst - phi.begin());
}

// G is Planar<double> or Spatial<double>. `equations` must outlive this.
template <class G>
class ConstraintRows {
 public:
  using Pose = typename AbsoluteEquations<G>::Work;

  ConstraintRows(const Mechanism& mechanism, const AbsoluteEquations<G>& equations, RowOptions options);

  const KktStructure& structure() const { return structure_; }
  KktSolver makeSolver() const;  // with the masses of the bodies in it

  // Greatest violation of Phi, relative to the size of the mechanism; NaN if any is.
  double drift(const Pose& pose) const;
  // The same without the rows that do not quite fit, as long as they stay about as far off as they were. Needs factors.
  double enforcedDrift(const Pose& pose, const KktSolver& kkt) const;

  // Of the rows that are there at a level: the others are not counted as dropped.
  struct Factored : KktSolver::Factored {
    RowLevel level = RowLevel::velocity;
    int dropped_velocity_rows = 0;  // of dropped_rows: those of velocities alone
  };
  // Factors [ M  Phi_q^T ; Phi_q  0 ] at the pose, with the rows that are there at the level.
  Factored factor(const Pose& pose, double cut, KktSolver& kkt, RowLevel level = RowLevel::velocity) const;
  RowRank rank(const Factored& factored) const;  // of the level of velocities
  RankReport report(const KktSolver& kkt, const Factored& factored) const;
  std::vector<int> dependent(const KktSolver& kkt) const;  // rows dropped
  std::string name(int row) const;                         // -1: none

  // A row of Phi_q times velocities or accelerations of the bodies.
  double times(int row, std::span<const double> v, const Pose& pose) const;
  // Phi_q v + Phi_t
  void velocityResidual(std::span<const double> v, const Pose& pose, std::span<double> out) const;

  RowBalance balance(int row, double wanted, std::span<const double> a, const Pose& pose) const;

  // A row that is there at the level of the factors was left out, though it is independent at the start.
  bool lostRows(const KktSolver& kkt, const Factored& factored) const;

  bool doubtful(int row) const { return doubtful_[static_cast<std::size_t>(row)] != 0; }
  double length() const { return length_; }
  double reactionLength() const { return reaction_length_; }
  // 1 m for a row in metres, the reference length for one in radians.
  double rowLength(int row) const { return row_length_[static_cast<std::size_t>(row)]; }
  // 1 where a multiplier is a force, the reaction length where it is a moment.
  const std::vector<double>& reactionScale() const { return reaction_scale_; }

 private:
  const AbsoluteEquations<G>& equations_;
  RowOptions options_;
  KktStructure structure_;
  std::vector<std::uint8_t> doubtful_;
  std::vector<double> row_length_, reaction_scale_;
  double length_ = 1.0;
  double reaction_length_ = 1.0;
};

extern template class ConstraintRows<Planar<double>>;
extern template class ConstraintRows<Spatial<double>>;

}  // namespace linkwork
