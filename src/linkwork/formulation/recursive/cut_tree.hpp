// CutTree: the spanning tree of a mechanism and the rows of its cuts, to be solved with: the tree's inertia, the
// products of the rows and their rank, and the motion that takes a gap away. What formulations in joint coordinates
// share, whether their other variables are velocities or impulses: x = [q, u, work, turns], u one or the other.
//
//   (1)  Lambda = G M^-1 G^T,  G = Phi_q S          S: velocities of the bodies per u                  [docs/theory/07]
//   (2)  step = M^-1 G^T Lambda^-1 rest
//
// Phi are the rows of the cuts alone; what the tree's joints hold, holds by itself. Rows that depend on others are left
// out of (2), as in absolute coordinates; at the level of positions those of velocities alone are left out too.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linkwork/formulation/constraint_rows.hpp"
#include "linkwork/formulation/failure_note.hpp"
#include "linkwork/formulation/recursive/tree_equations.hpp"
#include "linkwork/linalg/decompositions.hpp"
#include "linkwork/linalg/semidefinite_ldlt.hpp"
#include "linkwork/recursion/articulated.hpp"

namespace linkwork {

// G is Planar<double> or Spatial<double>. `mechanism` and `plan` must outlive this.
template <class G>
class CutTree {
 public:
  // `length`: the mechanism's reference length; `all`: the rows of the mechanism, the tree's own among them.
  CutTree(const Mechanism& mechanism, const TreePlan& plan, const RowOptions& options, double length,
          const AbsoluteEquations<G>& all);
  CutTree(const CutTree&) = delete;
  CutTree& operator=(const CutTree&) = delete;

  // Links without inertia are lent some, which is taken back by a small matrix.             [cut_tree_massless.cpp]
  struct Massless {
    explicit Massless(const CutTree& tree);
    std::vector<typename LinkAxes<G>::Rigid> own;                                    // of the links that were lent some
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> held_by;  // G of the rows that hold them
    Eigen::MatrixXd parts;                        // of P = L L^T: L^-1 U^T, by columns of the tree
    std::vector<double> part;                     // one of them
    Eigen::VectorXd left;                         // L^-1 r
    Eigen::MatrixXd products;                     // U P^-1 U^T
    Eigen::MatrixXd held_matrix, kept;            // H and N
    Eigen::MatrixXd through;                      // H^-1 C_hl
    Eigen::LLT<Eigen::MatrixXd> held, own_share;  // of H and N
    Eigen::MatrixXd shared, settled;              // U P^-1 G^T, and C^-1 of it
    Eigen::VectorXd small, right;
    std::vector<typename G::Wrench> loads;
  };

  struct Work : TreeEquations<G>::Work, FailureNote {
    explicit Work(const CutTree& tree);
    ArticulatedFactor<G> inertia;
    TreeSolve<G> solve;
    std::vector<typename LinkAxes<G>::Force> forces;  // of each link; zero between uses
    SemidefiniteLdlt ldlt;                            // (1)
    SemidefiniteLdlt::Factored factored;              // rows that are not there at its level do not count as dropped
    RowLevel level = RowLevel::velocity;              // of the factors
    std::vector<double> row_parts;                    // of each cut row, by columns: w / sqrt(d)
    std::vector<double> row_square;                   // of the cuts: Phi_q M^-1 Phi_q^T of the bodies alone
    std::vector<double> velocity;                     // of the bodies
    std::vector<double> velocity_residual, rest;      // of the cuts
    std::vector<double> step;
    std::unique_ptr<Massless> massless;  // where links lack inertia
    SolveCounts counts;                  // projections: (2)
  };

  const TreeEquations<G>& equations() const { return equations_; }
  const Tree<G>& tree() const { return tree_; }
  const AbsoluteEquations<G>& cuts() const { return cuts_; }
  bool lacksInertia() const { return !lent_.empty(); }  // any body, in any direction
  double length() const { return length_; }
  double rowLength(int row) const { return row_length_[at(row)]; }  // 1, or `length` for a row in radians

  std::span<const double> positionsOf(std::span<const double> x) const { return x.first(at(tree_.coordinates)); }
  std::span<const double> velocitiesOf(std::span<const double> x) const {
    return x.subspan(at(tree_.coordinates), at(tree_.freedoms));
  }
  void setTurns(std::span<const double> x, Work& work) const;

  // With the bodies placed. The tree's mass matrix; false when a column has no inertia.
  bool factorMass(double t, Work& work) const;
  // (1), after factorMass.
  void productsOfRows(SemidefiniteLdlt& out, Work& work) const;
  void decideRank(double cut, Work& work, RowLevel level = RowLevel::velocity) const;
  // The three.
  bool factor(double t, double cut, Work& work, RowLevel level = RowLevel::velocity) const;
  // The same at a state.
  RowRank factorRows(double t, std::span<const double> x, Work& work) const;
  Eval cannotFactor(const Work& work) const;

  // work.velocity and Phi_q v + Phi_t of the cuts, with the bodies moving.
  void velocityResidual(Work& work) const;
  // work.step = M^-1 G^T impulses, after factorMass.
  void motionOf(std::span<const double> impulses, Work& work) const;
  // Where links lack inertia, x = (M + rho G^T G)^-1 (work.massless->right + rho G^T rest) after factorMass, G and rho
  // those of the rows that hold such links.
  void solveHeld(std::span<const double> rest, std::span<double> x, Work& work) const;
  // (2) into work.step, after factor. Leaves the impulses Lambda^-1 rest in `rest`.
  void stepOf(std::span<double> rest, Work& work) const;

  // Greatest violation of a cut, relative to the size of the mechanism; NaN if any is.
  double drift(const Work& work) const;
  // The same without the rows left out that need not fit, as long as they stay about as far off as they were.
  double enforcedDrift(const Work& work) const;
  double largestCoordinate(const Work& work) const;
  // After factor. More rows were left out than depend on others at the start; or nearly so.
  bool lostRows(const Work& work) const;
  bool nearRankChange(const Work& work) const;
  Violation violation(double t, std::span<const double> x, Work& work) const;  // of [q, u, ...] with velocities u

  // Of all rows: those that the tree holds do not depend on each other.
  RowRank rank(const SemidefiniteLdlt::Factored& factored) const;  // of the level of velocities
  RankReport report(const Work& work) const;                       // after factor
  std::string rowName(int row) const;                              // of a cut; -1: none
  std::string describeFailure(const Work& work) const;

 private:
  struct Words;
  struct Loan {
    int link;
    double mass, inertia;
    std::vector<int> path;  // to the ground
  };
  struct LentRow {
    int loan, axis;
    double scale;
  };
  struct HeldRow {
    int row;
    double scale;
  };
  bool checkPivots(double t, Work& work) const;
  void pushRow(int row, Work& work) const;
  void planLoans(double mean_mass);
  bool factorLent(double t, Work& work) const;
  void takePart(Eigen::Index row, double scale, std::span<const int> path, Work& work) const;
  bool factorSmall(double t, Work& work) const;
  template <class Columns>
  void solveSmall(const Massless& massless, Columns&& y) const;
  void takeBack(Work& work) const;
  void takeBackProducts(SemidefiniteLdlt& out, Work& work) const;

  const Mechanism& mechanism_;
  TreeEquations<G> equations_;
  const Tree<G>& tree_;
  const AbsoluteEquations<G>& cuts_;
  double length_ = 1.0;
  int all_rows_ = 0;
  double misfit_ = 0.0;
  int doubtful_rows_ = 0;                   // of those that have a Phi
  int doubtful_velocity_rows_ = 0;          // of those of velocities alone
  std::vector<std::uint8_t> last_;          // of the cuts: 1 for rows of velocities alone; empty: there are none
  std::vector<double> row_length_;          // of the cuts
  std::vector<std::vector<int>> row_path_;  // of the cuts: links from their bodies to the ground, children first
  std::vector<double> carried_mass_;        // of each link: its own and that of all that hangs on it
  std::vector<double> smallest_inertia_;    // of each column
  std::vector<double> body_inertia_;        // of each freedom of the bodies: its own inertia, or one like the others'
  std::vector<Loan> lent_;                  // to links that lack inertia
  std::vector<LentRow> lent_rows_;
  std::vector<HeldRow> held_rows_;
};

extern template class CutTree<Planar<double>>;
extern template class CutTree<Spatial<double>>;

}  // namespace linkwork
