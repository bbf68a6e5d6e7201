// ReactionSpace: where constraints repeat each other, the multipliers that fit a motion; the one of least norm among
// them, and what they all have in common. Every formulation takes its reactions from here.
//
//   (1)  Phi_q^T lambda + ... stays true when a null vector is added to lambda:  Phi_q^T (s z) = 0
//   (2)  mu = lambda / s is in newtons: s = 1 where lambda is a force, the reaction length where it is a moment
//   (3)  mu <- mu - Z (Z^T Z)^-1 Z^T mu has the least norm, over the rows of all joints and drives
//   (4)  c^T mu is unique exactly when c^T Z = 0                                        [docs/theory/01, eq. 1.17]
//
// A few null vectors are written out; many are only applied, one solve with the given factors each, and (3) is solved
// by conjugate gradients: the cost grows with the size of the mechanism times the iterations, not with the cube of the
// repeats.
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

  int dimension() const { return static_cast<int>(dropped_.size()); }
  // Null vectors that tell what is unique: a basis or, where that has more than kWrittenOut vectors, a few random ones.
  // What all of them leave alone, all null vectors do.
  int probes() const { return static_cast<int>(start_.size()) - 1; }
  std::span<const Entry> probe(int k) const;
  double rowScale(int row) const { return scale_[static_cast<std::size_t>(row)]; }

  // (3), with the factors that find() saw.
  void makeLeast(KktSolver& kkt, std::span<double> lambda);

  static constexpr int kWrittenOut = 60;

 private:
  void add(std::span<const double> lambda);
  void factorGram();
  double dotWith(int k, std::span<const double> mu) const;
  void projectWrittenOut(std::span<double> mu);
  void projectByGradients(KktSolver& kkt, std::span<double> mu);
  void apply(KktSolver& kkt, std::span<const double> share, std::span<double> mu);
  void applyTransposed(KktSolver& kkt, std::span<const double> mu, std::span<double> share);

  std::vector<double> scale_;
  std::vector<int> dropped_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> start_{0};
  std::vector<double> L_;  // Z^T Z = L L^T, row after row
  std::vector<double> dense_, share_;
  std::vector<double> f_, g_, rest_, direction_, image_;  // conjugate gradients
};

}  // namespace linkwork
