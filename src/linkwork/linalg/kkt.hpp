// KktSolver: the index-1 system of constrained bodies, solved in tree order with the pattern fixed once.
//
//   (1)  [ M   P^T ] [ a ]   [ f ]
//        [ P    0  ] [ m ] = [ g ]
//
// M is block diagonal by bodies, each row of P touches a few bodies. In the order of topology/spanning_tree.hpp the
// pivot of a row is minus its squared distance (metric M^-1, on the bodies eliminated so far) from the rows before it:
// it vanishes when the row depends on them. Such rows are dropped: their multiplier is zero, the motion is that of the
// remaining ones. Where M is singular (massless bodies), M + P^T rho P takes its place, with P^T rho g added to f: the
// same solution, whatever the diagonal matrix rho > 0 is. The mean of M will do for it, but for rows of bodies so light
// that they would drown in it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "linkwork/linalg/sparse_ldlt.hpp"

namespace linkwork {

enum class MassMatrix { definite, augmented };

struct KktStructure {
  int freedoms = 3;  // of a body
  int bodies = 0;
  std::vector<std::array<int, 2>>
      mass_entries;               // (row, column), row >= column, of a body's mass block that may be nonzero
  std::vector<int> row_start{0};  // rows + 1 offsets into row_bodies
  std::vector<int> row_bodies;
  // The elimination order: body b is named b, row r is named bodies + r.
  std::vector<int> order;
  MassMatrix mass = MassMatrix::definite;
  std::vector<double> row_mass;  // augmented: rho of each row, 0: the mean of M; empty: that of all

  int rows() const { return static_cast<int>(row_start.size()) - 1; }
  int unknowns() const { return freedoms * bodies + rows(); }
};

class KktSolver {
 public:
  explicit KktSolver(KktStructure structure);

  // To be filled before factor(): mass entries body after body; Jacobian blocks row after row in the order of
  // row_bodies.
  std::span<double> mass() { return mass_; }
  std::span<double> jacobian() { return jacobian_; }
  std::span<const double> jacobian() const { return jacobian_; }

  struct Cuts {
    double row = 0.0;  // a row whose relative pivot is at or below this is dependent
    // Rows marked doubtful are dependent at or below this too, and where their pivot is no more than lifted round-off.
    double doubtful_row = 0.0;
    std::span<const std::uint8_t> doubtful{};  // one mark per row; empty: none
    double damping = 0.0;  // delta > 0 factors [M, P^T; P, -delta S] with S the rows' own compliances: a damped step
    std::span<const double> row_damping{};  // added to delta row by row; empty: none
    // Added to the diagonal as it is: a row with compliance D pulls with the weight 1/D instead of being held. Empty:
    // none.
    std::span<const double> row_compliance{};
  };

  struct Factored {
    int dropped_rows = 0;
    double smallest_kept = 1.0;  // relative pivots of rows
    int nearest_row = -1;        // the one with the smallest pivot kept
    double largest_dropped = 0.0;
    int singular_body = -1;     // a body with no inertia in a direction that its joints leave free
    int singular_unknown = -1;  // of that body: the freedom whose pivot vanished
  };

  Factored factor(const Cuts& cuts);

  // Solves (1); f and g are overwritten by a and m. Refines once against (1) itself when the residual asks for it.
  struct Solved {
    double residual = 0.0;  // greatest residual of the kept equations relative to the greatest term in them
  };
  Solved solve(std::span<double> f, std::span<double> g);

  // The same with whatever damping the factor has, unrefined: a damped step need not be exact. The multipliers are
  // those of M a + P^T m = f, also where M + rho P^T P takes the place of M; rows are then stiffer by rho.
  void solveDamped(std::span<double> f, std::span<double> g);

  bool rowDropped(int row) const;
  // What the rows before it have left of the row's compliance, with the bodies as they are when it is eliminated (each
  // with all that hangs on it): a squared sine, from 1 (independent) to 0 (dependent).
  double relativePivot(int row) const;
  // The coefficients z of the dependence of a dropped row on the kept ones: sum_r z_r P_r = 0 with z_row = 1.
  void dependence(int row, std::span<double> z);
  // The motion without inertia that a vanished pivot of a body belongs to: M a = 0, P a = 0, a_unknown = 1.
  void freeMotion(int unknown, std::span<double> a);

  const KktStructure& structure() const { return structure_; }
  std::size_t fill() const { return ldlt_->fill(); }

 private:
  void planEntries();
  void fillValues(const Cuts& cuts);
  void solveOnce(std::span<const double> f, std::span<const double> g, std::span<double> a, std::span<double> m);
  double residual(std::span<const double> f, std::span<const double> g);
  double rho(int row) const {
    const double own = structure_.row_mass.empty() ? 0.0 : structure_.row_mass[static_cast<std::size_t>(row)];
    return own > 0.0 ? own : rho_;
  }

  KktStructure structure_;
  std::vector<double> mass_, jacobian_;
  std::vector<SparseLdlt::Entry> entries_;
  // Where things stand in values_: mass entries (or full body blocks when augmented), Jacobian entries, row diagonals.
  std::vector<int> coupling_start_;  // augmented only: per (row, pair of its bodies), the block of values it adds to
  int blocks_ = 0;
  int jacobian_offset_ = 0;
  int diagonal_offset_ = 0;
  std::vector<double> values_, drop_below_;
  std::vector<std::uint8_t> unknown_relative_;         // by unknown: 1 for rows
  std::vector<double> unknown_noise_, unknown_floor_;  // by unknown; zero for bodies
  std::vector<double> x_, a_, m_, residual_f_, residual_g_;
  std::unique_ptr<SparseLdlt> ldlt_;
  double rho_ = 0.0;  // the mean of M
};

}  // namespace linkwork
