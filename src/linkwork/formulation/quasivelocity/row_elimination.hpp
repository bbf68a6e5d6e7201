// RowElimination: some velocities eliminated by rows that hold them, so that the others are independent.
//
//   (1)  G v = g,   v = [v_I, v_D]:   v_D = G_D^-1 (g - G_I v_I)                   [docs/theory/11, eq. 11.7]
//   (2)  N = dv / dv_I, so that G N = 0
//   (3)  G_D^T lambda = f_D
//
// There are as many dependent velocities v_D as rows that are not left out. A velocity counts beside the others by its
// unit, and a row by its greatest entry: pivots are those of
//
//   (4)  S G U^-1,  U: units; S: 1 / greatest entry of the row
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace linkwork {

class RowElimination {
 public:
  // units: one for each velocity.
  RowElimination(int rows, std::vector<double> units);

  int rows() const { return rows_; }
  int velocities() const { return static_cast<int>(units_.size()); }

  // The rows, to be filled in before the other calls; `clear` makes them zero.
  void clear();
  std::span<double> row(int r) { return std::span(entries_).subspan(place(r, 0), units_.size()); }

  // Marks with 1 the velocities to be independent, with 0 as many dependent ones as there are rows that are not left
  // out: complete pivoting of (4). Gives back the smallest pivot: near 1 at best, 0 where rows depend on each other.
  double choose(std::span<const std::uint8_t> left_out, std::span<std::uint8_t> independent);

  struct Pivot {
    double size = 1.0;
    int row = -1;
  };
  // G_D as a product of factors; the smallest pivot of it, and whose.
  Pivot factor(std::span<const std::uint8_t> left_out, std::span<const std::uint8_t> independent);

  // After factor. Fills in the dependent velocities of v. `right`: g, of all rows.
  void complete(std::span<const double> right, std::span<double> v);
  // v of (2) for one of the independent velocities.
  void fillMotion(int independent, std::span<double> v);
  // v that a row asks for alone: its entry of g is `size`, and all others and v_I are zero.
  void fillMotionOfRow(int row, double size, std::span<double> v);
  // (3), of as many rows as `lambda` is long; zero for the rows left out.
  void multipliers(std::span<const double> f, std::span<double> lambda);

  // After factor: the independent velocities in their order; greatest entry of N, by units, and of the motions that the
  // rows from `named` on ask for, each with its greatest entry for one.
  std::span<const int> independent() const { return independent_; }
  double greatestOfMotions(int named, std::span<double> v);

 private:
  std::size_t place(int r, int c) const {
    return static_cast<std::size_t>(r) * units_.size() + static_cast<std::size_t>(c);
  }
  double& factorAt(std::size_t i, std::size_t j) { return factors_[i * dependent_.size() + j]; }
  double greatest(int r) const;
  void solveDependent(std::span<double> v);

  int rows_ = 0;
  std::vector<double> units_;
  std::vector<double> entries_;  // G, row by row
  std::vector<double> factors_;  // L and U of S G_D U^-1
  std::vector<double> scale_;    // S of the rows kept, in the order of kept_
  std::vector<int> kept_;        // rows, in the order of their pivots
  std::vector<int> dependent_, independent_;
  std::vector<double> right_;
};

}  // namespace linkwork
