// ReactionSpace: where constraints repeat each other, the multipliers that fit a motion; the one of least norm among
// them, and what they all have in common. Every formulation takes its reactions from here.
//
//   (1)  Phi_q^T lambda + ... stays true when a null vector is added to lambda:  Phi_q^T (s z) = 0
//   (2)  mu = lambda / s is in newtons: s = 1 where lambda is a force, the reaction length where it is a moment
//   (3)  mu <- mu - Z (Z^T Z)^-1 Z^T mu has the least norm, over the rows of all joints and drives
//   (4)  c^T mu is unique exactly when c^T Z = 0                                        [docs/theory/01, eq. 1.17]
//
// Null vectors are kept sparse, and Z^T Z by its envelope: repeats that are confined to one loop cost what that loop
// costs.
#pragma once

#include <span>
#include <vector>

#include "linkwork/linalg/kkt.hpp"

namespace linkwork {

class ReactionSpace {
 public:
  struct Entry {
    int row;
    double mu;  // scaled; each vector has norm 1
  };

  // row_scale: s of (2), row by row.
  explicit ReactionSpace(std::vector<double> row_scale);

  // The null space at the last factorisation, from its dropped rows. Allocates only where there are more than ever
  // before.
  void find(KktSolver& kkt);

  // How many vectors span it.
  int dimension() const { return static_cast<int>(start_.size()) - 1; }
  std::span<const Entry> vector(int k) const;
  double rowScale(int row) const { return scale_[static_cast<std::size_t>(row)]; }

  // (3)
  void makeLeast(std::span<double> lambda);

 private:
  void add(std::span<const double> lambda);
  void factorGram();
  double dotWith(int k, std::span<const double> mu) const;

  std::vector<double> scale_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> start_{0};
  // Z^T Z = L L^T, row k of L from column first_[k] on.
  std::vector<int> first_;
  std::vector<std::size_t> row_of_L_;
  std::vector<double> L_;
  std::vector<int> touched_by_;  // row by row: the first vector with an entry there
  std::vector<double> dense_, share_;
};

}  // namespace linkwork
