// The paper's own ways to solve for the impulses in the loops, as it prints them: to see what they cost and where they
// fail. Nothing here is fast, and it allocates.
#include <fmt/format.h>

#include <algorithm>

#include "linkwork/base/contract.hpp"
#include "linkwork/formulation/hamiltonian/hamiltonian_work.hpp"
#include "linkwork/linalg/as_vector.hpp"
#include "linkwork/linalg/decompositions.hpp"
#include "linkwork/linalg/norm.hpp"

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
typename HamiltonianSystem<G>::LoopMatrices HamiltonianSystem<G>::loopMatrices(const Workspace& workspace) const {
  const Work& work = static_cast<const Work&>(workspace);
  const Eigen::Index rows = cuts().rows();
  const auto columns = static_cast<Eigen::Index>(tree().columns.size());
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> parts(
      work.joints.row_parts.data(), rows, columns);
  LoopMatrices out;
  out.phi = parts * parts.transpose();
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(rows, cuts().freedoms());
  for (int r = 0; r < cuts().rows(); ++r) {
    for (int p = cuts().rowStart()[at(r)]; p < cuts().rowStart()[at(r) + 1]; ++p) {
      for (int k = 0; k < G::kFreedoms; ++k) {
        full(r, G::kFreedoms * cuts().rowBodies()[at(p)] + k) = work.joints.eq.jacobian[at(G::kFreedoms * p + k)];
      }
    }
  }
  Eigen::MatrixXd moved = full.transpose();
  for (const TreeLink<G>& link : tree().links) {
    const auto own = Eigen::seqN(G::kFreedoms * link.body, G::kFreedoms);
    const Eigen::MatrixXd of_body = moved(own, Eigen::all);
    moved(own, Eigen::all) = massOf<G>(link.inertia).ldlt().solve(of_body);
  }
  out.free_bodies = full * moved;
  return out;
}

template <class G>
long HamiltonianSystem<G>::loopIterations(const Workspace& work) const {
  return static_cast<const Work&>(work).iterations;
}

// The rows of a fixed joint are R (v_a - v_b), with the velocities of its images, and eta is of these rows:
// K = R^-T (M_a + M_b) R^-1 / 4.
template <class G>
Eigen::MatrixXd HamiltonianSystem<G>::quarterWeight(const Workspace& workspace) const {
  expect(quarterProblem().empty(), "quarterWeight: rows that do not hold two images together");
  const auto& joints = static_cast<const Work&>(workspace).joints;
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(cuts().rows(), cuts().rows());
  for (int first = 0; first < cuts().rows(); first += G::kFreedoms) {
    Eigen::MatrixXd R(G::kFreedoms, G::kFreedoms);
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(G::kFreedoms, G::kFreedoms);
    for (int r = 0; r < G::kFreedoms; ++r) {
      const int p = cuts().rowStart()[at(first + r)];
      for (int k = 0; k < G::kFreedoms; ++k) R(r, k) = joints.eq.jacobian[at(G::kFreedoms * p + k)];
    }
    for (const int p : {cuts().rowStart()[at(first)], cuts().rowStart()[at(first)] + 1}) {
      M += massOf<G>(tree().links[at(tree().link_of_body[at(cuts().rowBodies()[at(p)])])].inertia);
    }
    const Eigen::MatrixXd inverse = R.inverse();
    K.block(first, first, G::kFreedoms, G::kFreedoms) = 0.25 * inverse.transpose() * M * inverse;
  }
  return K;
}

// Why the quarter's rows are not all those of bodies with two images.
template <class G>
std::string HamiltonianSystem<G>::quarterProblem() const {
  if (options_.solver != LoopSolver::quarter || cuts().rows() == 0) return {};
  if (!whole_) {
    return "the variant quarter belongs to loops opened by splitting bodies: add --opening split_bodies, or use the "
           "variant iteration.";
  }
  for (const int body : whole_->image_of) {
    if (std::count(whole_->image_of.begin(), whole_->image_of.end(), body) == 1) continue;
    return fmt::format(
        "the variant quarter is for bodies split into two images, and \"{}\" has {}: split others in [images], or use "
        "the variant iteration.",
        opened().bodies[at(body)].name, std::count(whole_->image_of.begin(), whole_->image_of.end(), body) + 1);
  }
  const std::size_t first_image = opened().joints.size() - whole_->image_of.size();
  for (int r = 0; r < cuts().rows(); ++r) {
    const RowGroup& group = cuts().elements().groups[at(cuts().elements().row_info[at(r)].group)];
    if (!group.is_drive && at(group.index) >= first_image) continue;
    return fmt::format(
        "the variant quarter is for loops that split bodies close, and {} closes one by itself: use the variant "
        "iteration.",
        ownerOfRow(cuts().elements(), r));
  }
  return {};
}

template <class G>
Eval HamiltonianSystem<G>::closeByStudy(double t, Work& work) const {
  auto& joints = work.joints;
  cut_tree_.velocityResidual(joints);
  std::copy(joints.velocity_residual.begin(), joints.velocity_residual.end(), work.open.begin());
  const Eigen::VectorXd b = asVector(work.open);
  const LoopMatrices loop = loopMatrices(work);
  const bool quarter = options_.solver == LoopSolver::quarter;
  const Eigen::MatrixXd K = quarter
                                ? quarterWeight(work)
                                : Eigen::MatrixXd(loop.free_bodies.completeOrthogonalDecomposition().pseudoInverse());
  Eigen::VectorXd eta = Eigen::VectorXd::Zero(b.size());
  if (options_.solver != LoopSolver::krylov) {
    for (int k = 0; k < kMostIterations; ++k, ++work.iterations) {
      const Eigen::VectorXd rest = loop.phi * eta + b;
      if (rest.norm() <= kIterated * b.norm()) break;
      if (rest.norm() > kDiverged * b.norm()) break;
      eta -= K * rest;
    }
    // (10) never leaves more open than there was, in the norm of K, in which it is an iteration with one matrix.
    const Eigen::VectorXd rest = loop.phi * eta + b;
    if (quarter && rest.dot(K * rest) > b.dot(K * b)) {
      Eigen::Index worst = 0;
      rest.cwiseAbs().maxCoeff(&worst);
      return joints.fail(FailureNote::Failure::diverged, t, static_cast<int>(worst), Eval::retry);
    }
  } else {
    Eigen::MatrixXd X(b.size(), b.size());
    for (Eigen::Index k = 0; k < X.cols(); ++k, ++work.iterations) {
      eta -= K * (loop.phi * eta + b);
      X.col(k) = eta;
    }
    Eigen::JacobiSVD<Eigen::MatrixXd> slopes(loop.phi * X, Eigen::ComputeThinU | Eigen::ComputeThinV);
    slopes.setThreshold(kKrylovCut);
    eta = -X * slopes.solve(b);
  }
  std::copy_n(eta.data(), work.eta.size(), work.eta.begin());
  // u <- u + M^-1 J^T eta
  cut_tree_.motionOf(work.eta, joints);
  for (std::size_t k = 0; k < work.u.size(); ++k) work.u[k] += joints.step[k];
  equations_.move(work.u, joints);
  cut_tree_.velocityResidual(joints);
  const double size = std::max(normInf(joints.velocity), normInf(joints.eq.minus_phi_t));
  double& worst = joints.counts.worst_residual;
  if (size > 0.0) worst = std::max(worst, normInf(joints.velocity_residual) / size);
  return Eval::ok;
}

template HamiltonianSystem<Planar<double>>::LoopMatrices HamiltonianSystem<Planar<double>>::loopMatrices(
    const Workspace&) const;
template long HamiltonianSystem<Planar<double>>::loopIterations(const Workspace&) const;
template Eigen::MatrixXd HamiltonianSystem<Planar<double>>::quarterWeight(const Workspace&) const;
template std::string HamiltonianSystem<Planar<double>>::quarterProblem() const;
template Eval HamiltonianSystem<Planar<double>>::closeByStudy(double, Work&) const;
template HamiltonianSystem<Spatial<double>>::LoopMatrices HamiltonianSystem<Spatial<double>>::loopMatrices(
    const Workspace&) const;
template long HamiltonianSystem<Spatial<double>>::loopIterations(const Workspace&) const;
template Eigen::MatrixXd HamiltonianSystem<Spatial<double>>::quarterWeight(const Workspace&) const;
template std::string HamiltonianSystem<Spatial<double>>::quarterProblem() const;
template Eval HamiltonianSystem<Spatial<double>>::closeByStudy(double, Work&) const;

}  // namespace linkwork
