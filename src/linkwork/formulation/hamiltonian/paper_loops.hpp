// PaperLoops: the paper's own ways with the impulses in the loops, as it prints them: to see what they cost and where
// they fail. Nothing here is fast, and it allocates. HamiltonianSystem lends its tree and its cuts.
//
//   (10)  eta <- eta - K (Phi eta + b),  K = (Phi_q M_b^-1 Phi_q^T)^-1 of bodies M_b without joints
//   (11)  eta = -X (Phi X)^+ b,  X the first iterates of (10), as many as there are rows
//
// with Phi = J M^-1 J^T and b what the rows miss with eta = 0.                                       [docs/theory/09]
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "linkwork/formulation/recursive/cut_tree.hpp"

namespace linkwork {

// printed: rates of impulses without J'^T eta. Loops stay closed with it, and the motion is wrong.
enum class ImpulseRates { corrected, printed };
// How eta is found: by factors of Phi, or by (10) or (11), on mechanisms without massless links. quarter is (10) with
// the K of the paper's Remark, a quarter of the inertia of the split body, which is right for two images with equal
// shares.
enum class LoopSolver { factor, iteration, quarter, krylov };

// Phi, and the inverse of K in (10), at the pose of the last factors.
struct LoopMatrices {
  Eigen::MatrixXd phi, free_bodies;
};
template <class G>
LoopMatrices loopMatrices(const CutTree<G>& tree, const typename CutTree<G>::Work& work);

// G is Planar<double> or Spatial<double>.
template <class G>
class PaperLoops {
 public:
  // `image_of`: of each further body, where bodies are split, the body it is an image of; null: none is. All must
  // outlive this.
  PaperLoops(const CutTree<G>& cut_tree, const Mechanism& opened, const std::vector<int>* image_of, LoopSolver solver,
             ImpulseRates rates);

  // What is in the way of it, and what to take instead; empty: nothing.
  std::string problem() const;
  bool solves() const { return solver_ != LoopSolver::factor && !cut_tree_.lacksInertia(); }
  // eta of (10) or (11), for what the rows miss without it; counts iterations on.
  Eval solve(double t, std::span<const double> open, typename CutTree<G>::Work& work, std::span<double> eta,
             long& iterations) const;
  // Leaves of eta what rates of impulses see.
  void takeFromRates(std::span<double> eta) const;
  // A quarter of the inertia of every split body, by the rows that hold its two images together.
  Eigen::MatrixXd quarterWeight(const typename CutTree<G>::Work& work) const;

 private:
  std::string quarterProblem() const;
  Eigen::VectorXd iterate(const LoopMatrices& loop, const Eigen::MatrixXd& K, const Eigen::VectorXd& b,
                          long& iterations) const;
  Eigen::VectorXd krylov(const LoopMatrices& loop, const Eigen::MatrixXd& K, const Eigen::VectorXd& b,
                         long& iterations) const;

  const CutTree<G>& cut_tree_;
  const Mechanism& opened_;
  const std::vector<int>* image_of_;
  LoopSolver solver_;
  ImpulseRates rates_;
};

extern template LoopMatrices loopMatrices(const CutTree<Planar<double>>&, const CutTree<Planar<double>>::Work&);
extern template LoopMatrices loopMatrices(const CutTree<Spatial<double>>&, const CutTree<Spatial<double>>::Work&);
extern template class PaperLoops<Planar<double>>;
extern template class PaperLoops<Spatial<double>>;

}  // namespace linkwork
