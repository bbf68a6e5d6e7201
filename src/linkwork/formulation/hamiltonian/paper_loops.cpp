// Slow to compile (15 s of CPU time): dense products, LDL^T and inverses of Eigen, which nothing else in this folder
// needs, and the rank-revealing pseudoinverse of (10); not split, since it is for study and changes rarely.
#include "linkwork/formulation/hamiltonian/paper_loops.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linkwork/base/contract.hpp"
#include "linkwork/linalg/as_vector.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

namespace {

// (10) ends at this share of what was open, or after so many sweeps.
constexpr double kIterated = 1e-12;
constexpr int kMostIterations = 5000;
// More than so many times what was open need not be looked at further: it diverges.
constexpr double kDiverged = 1e9;
// Singular values of Phi X below this share of the largest count as zero in (11).
constexpr double kKrylovCut = 1e-9;

template <class G>
Eigen::MatrixXd massOf(const typename G::Inertia& body) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(G::kFreedoms, G::kFreedoms);
  const auto values = G::massValues(body);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto [r, c] = G::kMassEntries[k];
    out(r, c) = out(c, r) = values[k];
  }
  return out;
}

}  // namespace

template <class G>
LoopMatrices loopMatrices(const CutTree<G>& cut_tree, const typename CutTree<G>::Work& work) {
  const AbsoluteEquations<G>& cuts = cut_tree.cuts();
  const Tree<G>& tree = cut_tree.tree();
  const Eigen::Index rows = cuts.rows();
  const auto columns = static_cast<Eigen::Index>(tree.columns.size());
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> parts(
      work.row_parts.data(), rows, columns);
  LoopMatrices out;
  out.phi = parts * parts.transpose();
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(rows, cuts.freedoms());
  for (int r = 0; r < cuts.rows(); ++r) {
    for (int p = cuts.rowStart()[at(r)]; p < cuts.rowStart()[at(r) + 1]; ++p) {
      for (int k = 0; k < G::kFreedoms; ++k) {
        full(r, G::kFreedoms * cuts.rowBodies()[at(p)] + k) = work.eq.jacobian[at(G::kFreedoms * p + k)];
      }
    }
  }
  Eigen::MatrixXd moved = full.transpose();
  for (const TreeLink<G>& link : tree.links) {
    const auto own = Eigen::seqN(G::kFreedoms * link.body, G::kFreedoms);
    const Eigen::MatrixXd of_body = moved(own, Eigen::all);
    moved(own, Eigen::all) = massOf<G>(link.inertia).ldlt().solve(of_body);
  }
  out.free_bodies = full * moved;
  return out;
}

template <class G>
PaperLoops<G>::PaperLoops(const CutTree<G>& cut_tree, const Mechanism& opened, const std::vector<int>* image_of,
                          LoopSolver solver, ImpulseRates rates)
    : cut_tree_(cut_tree), opened_(opened), image_of_(image_of), solver_(solver), rates_(rates) {}

template <class G>
std::string PaperLoops<G>::problem() const {
  if (solver_ != LoopSolver::factor && cut_tree_.lacksInertia())
    return "this variant divides by the mass and inertia of every body, and some have none: use the variant corrected.";
  return solver_ == LoopSolver::quarter && cut_tree_.cuts().rows() > 0 ? quarterProblem() : std::string();
}

// Why the quarter's rows are not all those of bodies with two images.
template <class G>
std::string PaperLoops<G>::quarterProblem() const {
  if (image_of_ == nullptr) {
    return "the variant quarter belongs to loops opened by splitting bodies: add --opening split_bodies, or use the "
           "variant iteration.";
  }
  for (const int body : *image_of_) {
    const auto further = std::count(image_of_->begin(), image_of_->end(), body);
    if (further == 1) continue;
    return fmt::format(
        "the variant quarter is for bodies split into two images, and \"{}\" has {}: split others in [images], or use "
        "the variant iteration.",
        opened_.bodies[at(body)].name, further + 1);
  }
  const std::size_t first_image = opened_.joints.size() - image_of_->size();
  const auto& set = cut_tree_.cuts().elements();
  for (int r = 0; r < cut_tree_.cuts().rows(); ++r) {
    const RowGroup& group = set.groups[at(set.row_info[at(r)].group)];
    if (!group.is_drive && at(group.index) >= first_image) continue;
    return fmt::format(
        "the variant quarter is for loops that split bodies close, and {} closes one by itself: use the variant "
        "iteration.",
        ownerOfRow(set, r));
  }
  return {};
}

// The rows of a fixed joint are R (v_a - v_b), with the velocities of its images, and eta is of these rows:
// K = R^-T (M_a + M_b) R^-1 / 4.
template <class G>
Eigen::MatrixXd PaperLoops<G>::quarterWeight(const typename CutTree<G>::Work& work) const {
  const AbsoluteEquations<G>& cuts = cut_tree_.cuts();
  const Tree<G>& tree = cut_tree_.tree();
  expect(cuts.rows() == 0 || quarterProblem().empty(), "quarterWeight: rows that do not hold two images together");
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(cuts.rows(), cuts.rows());
  for (int first = 0; first < cuts.rows(); first += G::kFreedoms) {
    Eigen::MatrixXd R(G::kFreedoms, G::kFreedoms);
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(G::kFreedoms, G::kFreedoms);
    for (int r = 0; r < G::kFreedoms; ++r) {
      const int p = cuts.rowStart()[at(first + r)];
      for (int k = 0; k < G::kFreedoms; ++k) R(r, k) = work.eq.jacobian[at(G::kFreedoms * p + k)];
    }
    for (const int p : {cuts.rowStart()[at(first)], cuts.rowStart()[at(first)] + 1}) {
      M += massOf<G>(tree.links[at(tree.link_of_body[at(cuts.rowBodies()[at(p)])])].inertia);
    }
    const Eigen::MatrixXd inverse = R.inverse();
    K.block(first, first, G::kFreedoms, G::kFreedoms) = 0.25 * inverse.transpose() * M * inverse;
  }
  return K;
}

template <class G>
Eigen::VectorXd PaperLoops<G>::iterate(const LoopMatrices& loop, const Eigen::MatrixXd& K, const Eigen::VectorXd& b,
                                       long& iterations) const {
  Eigen::VectorXd eta = Eigen::VectorXd::Zero(b.size());
  for (int k = 0; k < kMostIterations; ++k, ++iterations) {
    const Eigen::VectorXd rest = loop.phi * eta + b;
    if (rest.norm() <= kIterated * b.norm()) break;
    if (rest.norm() > kDiverged * b.norm()) break;
    eta -= K * rest;
  }
  return eta;
}

template <class G>
Eigen::VectorXd PaperLoops<G>::krylov(const LoopMatrices& loop, const Eigen::MatrixXd& K, const Eigen::VectorXd& b,
                                      long& iterations) const {
  Eigen::VectorXd eta = Eigen::VectorXd::Zero(b.size());
  Eigen::MatrixXd X(b.size(), b.size());
  for (Eigen::Index k = 0; k < X.cols(); ++k, ++iterations) {
    eta -= K * (loop.phi * eta + b);
    X.col(k) = eta;
  }
  Eigen::JacobiSVD<Eigen::MatrixXd> slopes(loop.phi * X, Eigen::ComputeThinU | Eigen::ComputeThinV);
  slopes.setThreshold(kKrylovCut);
  return -X * slopes.solve(b);
}

template <class G>
Eval PaperLoops<G>::solve(double t, std::span<const double> open, typename CutTree<G>::Work& work,
                          std::span<double> eta, long& iterations) const {
  const Eigen::VectorXd b = asVector(open);
  const LoopMatrices loop = loopMatrices(cut_tree_, work);
  const bool quarter = solver_ == LoopSolver::quarter;
  const Eigen::MatrixXd K = quarter
                                ? quarterWeight(work)
                                : Eigen::MatrixXd(loop.free_bodies.completeOrthogonalDecomposition().pseudoInverse());
  const Eigen::VectorXd found =
      solver_ == LoopSolver::krylov ? krylov(loop, K, b, iterations) : iterate(loop, K, b, iterations);
  if (quarter) {
    // (10) never leaves more open than there was, in the norm of K, in which it is an iteration with one matrix.
    const Eigen::VectorXd rest = loop.phi * found + b;
    if (rest.dot(K * rest) > b.dot(K * b)) {
      Eigen::Index worst = 0;
      rest.cwiseAbs().maxCoeff(&worst);
      return work.fail(FailureNote::Failure::diverged, t, static_cast<int>(worst), Eval::retry);
    }
  }
  std::copy_n(found.data(), eta.size(), eta.begin());
  return Eval::ok;
}

template <class G>
void PaperLoops<G>::takeFromRates(std::span<double> eta) const {
  if (rates_ == ImpulseRates::printed) std::fill(eta.begin(), eta.end(), 0.0);
}

template LoopMatrices loopMatrices(const CutTree<Planar<double>>&, const CutTree<Planar<double>>::Work&);
template LoopMatrices loopMatrices(const CutTree<Spatial<double>>&, const CutTree<Spatial<double>>::Work&);
template class PaperLoops<Planar<double>>;
template class PaperLoops<Spatial<double>>;

}  // namespace linkwork
