// The paper's own ways to solve for the impulses in the loops, as it prints them: to see what they cost and where they
// fail. Nothing here is fast, and it allocates.
#include <algorithm>

#include "linkwork/formulation/hamiltonian/hamiltonian_work.hpp"
#include "linkwork/linalg/as_vector.hpp"
#include "linkwork/linalg/decompositions.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

namespace {

// (10) ends at this share of what was open, or after so many sweeps.
constexpr double kIterated = 1e-12;
constexpr int kMostIterations = 5000;
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

template <class G>
void HamiltonianSystem<G>::closeByStudy(Work& work) const {
  auto& joints = work.joints;
  cut_tree_.velocityResidual(joints);
  std::copy(joints.velocity_residual.begin(), joints.velocity_residual.end(), work.open.begin());
  const Eigen::VectorXd b = asVector(work.open);
  const LoopMatrices loop = loopMatrices(work);
  const auto K = loop.free_bodies.completeOrthogonalDecomposition();
  Eigen::VectorXd eta = Eigen::VectorXd::Zero(b.size());
  if (options_.solver == LoopSolver::iteration) {
    for (int k = 0; k < kMostIterations; ++k, ++work.iterations) {
      const Eigen::VectorXd rest = loop.phi * eta + b;
      if (rest.norm() <= kIterated * b.norm()) break;
      eta -= K.solve(rest);
    }
  } else {
    Eigen::MatrixXd X(b.size(), b.size());
    for (Eigen::Index k = 0; k < X.cols(); ++k, ++work.iterations) {
      eta -= K.solve(loop.phi * eta + b);
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
  if (size > 0.0) joints.worst_residual = std::max(joints.worst_residual, normInf(joints.velocity_residual) / size);
}

template HamiltonianSystem<Planar<double>>::LoopMatrices HamiltonianSystem<Planar<double>>::loopMatrices(
    const Workspace&) const;
template long HamiltonianSystem<Planar<double>>::loopIterations(const Workspace&) const;
template void HamiltonianSystem<Planar<double>>::closeByStudy(Work&) const;
template HamiltonianSystem<Spatial<double>>::LoopMatrices HamiltonianSystem<Spatial<double>>::loopMatrices(
    const Workspace&) const;
template long HamiltonianSystem<Spatial<double>>::loopIterations(const Workspace&) const;
template void HamiltonianSystem<Spatial<double>>::closeByStudy(Work&) const;

}  // namespace linkwork
