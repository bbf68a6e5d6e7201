// Accelerations and reactions of a QuasiVelocitySystem.
#pragma once

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/quasivelocity/quasi_velocity_work.hpp"
#include "linkwork/linalg/as_vector.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

// What each freedom needs of force beside the loads: work.force = M u' + h - f, and A and F of the links.
template <class G>
void QuasiVelocitySystem<G>::sweep(Work& work) const {
  inverseDynamics<G>(tree(), work.pk, work.vk, work.udot, {{}, work.loads}, work.inverse);
  for (std::size_t c = 0; c < tree().columns.size(); ++c) {
    if (tree().columns[c].freedom >= 0) work.force[at(tree().columns[c].freedom)] = work.inverse.tau[c];
  }
}

// Nothing is eliminated: N is the unit matrix, and A^-1 comes from the factors of the tree.
template <class G>
void QuasiVelocitySystem<G>::accelerationsByTree(Work& work) const {
  forwardDynamics<G>(tree(), work.pk, work.vk, work.inertia, {}, {{}, work.loads}, work.solve, work.udot);
  std::copy(work.solve.A.begin(), work.solve.A.end(), work.inverse.A.begin());
  std::copy(work.solve.F.begin(), work.solve.F.end(), work.inverse.F.begin());
}

// A = N^T M N, with M and N at hand; false where it is singular, for want of inertia.
template <class G>
bool QuasiVelocitySystem<G>::factorInertia(double t, Work& work) const {
  // Of the mass of all bodies: what moves less than this has no inertia but what round-off left of it.
  constexpr double kNoInertia = 1e-15;
  const auto n = static_cast<Eigen::Index>(work.u.size());
  const Eigen::Map<const Eigen::MatrixXd> M(work.mass->entries.data(), n, n);
  work.moved.noalias() = M * work.basis;
  work.inertia_of.noalias() = work.basis.transpose() * work.moved;
  work.factored_inertia.compute(work.inertia_of);
  for (Eigen::Index k = 0; k < work.inertia_of.rows(); ++k) {
    const auto [velocity, unit] = movedMost(work.basis.col(k));
    const double pivot = work.factored_inertia.matrixLLT()(k, k);
    if (pivot * pivot > kNoInertia * mass_ * unit * unit) continue;
    if (!std::isfinite(pivot)) {
      (void)work.failNotFinite(t, work.eq);
      return false;
    }
    const auto column = std::find_if(tree().columns.begin(), tree().columns.end(),
                                     [&](const TreeColumn& c) { return c.freedom == velocity; });
    work.fail(FailureNote::Failure::massless_body, t, column->link, Eval::failed);
    return false;
  }
  return true;
}

// Of a column of N: the velocity that moves most, by its unit, and how far.
template <class G>
std::pair<int, double> QuasiVelocitySystem<G>::movedMost(const Eigen::VectorXd& motion) const {
  std::pair<int, double> out{0, 0.0};
  for (Eigen::Index i = 0; i < motion.size(); ++i) {
    const double size = std::abs(motion[i]) * units_[static_cast<std::size_t>(i)];
    if (size > out.second) out = {static_cast<int>(i), size};
  }
  return out;
}

// (2). What is left of the rows at u' = `still` settles c; then all is linear in omega'.
template <class G>
bool QuasiVelocitySystem<G>::accelerationsByRows(double t, std::span<const double> q, Work& work) const {
  const auto count = static_cast<std::size_t>(quasi_velocities_);
  for (std::size_t k = 0; k < count; ++k) {
    const std::span<double> motion(&work.basis(0, static_cast<Eigen::Index>(k)), work.u.size());
    if (k < at(named_)) {
      work.rows.fillMotionOfRow(cuts().rows() + static_cast<int>(k), 1.0, motion);
    } else if (rowCount() > 0) {
      work.rows.fillMotion(work.rows.independent()[k - at(named_)], motion);
    } else {
      std::fill(motion.begin(), motion.end(), 0.0);
      motion[k] = 1.0;
    }
    own_axes_.turnOut(q, motion);
  }
  massMatrix<G>(tree(), work.pk, *work.mass);
  if (quasi_velocities_ > 0 && !factorInertia(t, work)) return false;
  work.udot = work.still;
  sweep(work);
  equations_.bodyAccelerations(work.inverse.A, work, work.acceleration);
  // G c = Gamma - Phi_q a_0
  for (int r = 0; r < cuts().rows(); ++r) {
    work.right[at(r)] = work.eq.gamma[at(r)] - equations_.timesRow(r, work.acceleration, work);
  }
  // W c = Gamma - W a_0
  if (named_ > 0) forms_.move(work.eq, work.named);
  for (int k = 0; k < named_; ++k) {
    work.right[work.lambda.size() + at(k)] =
        forms_.gamma(k, work.named) - forms_.timesRow(k, work.acceleration, work.named);
  }
  std::fill(work.bias.begin(), work.bias.end(), 0.0);
  if (rowCount() > 0) work.rows.complete(work.right, work.bias);
  own_axes_.turnOut(q, work.bias);
  const auto n = static_cast<Eigen::Index>(work.u.size());
  const Eigen::Map<const Eigen::MatrixXd> M(work.mass->entries.data(), n, n);
  asVector(work.udot) += asVector(work.bias);
  if (quasi_velocities_ == 0) return true;
  asVector(work.force).noalias() += M * asVector(work.bias);
  work.omega_rate.noalias() = -(work.basis.transpose() * asVector(work.force));
  work.factored_inertia.solveInPlace(work.omega_rate);
  asVector(work.udot).noalias() += work.basis * work.omega_rate;
  return true;
}

// (3), and what the joints carry with it.
template <class G>
void QuasiVelocitySystem<G>::react(std::span<const double> q, Work& work) const {
  std::fill(work.lambda.begin(), work.lambda.end(), 0.0);
  if (byTree()) return;
  sweep(work);
  equations_.bodyAccelerations(work.inverse.A, work, work.acceleration);
  if (cuts().rows() == 0) return;
  own_axes_.turnIn(q, work.force);
  work.rows.multipliers(work.force, work.lambda);
  equations_.addReactions(work.lambda, work);
  sweep(work);
}

// Drives do work at the rate -lambda^T Phi_t where they are cuts, and effort times rate where the tree follows them.
template <class G>
Eval QuasiVelocitySystem<G>::accelerations(double t, std::span<const double> x, Wanted wanted, Work& work) const {
  const auto q = positionsOf(x);
  equations_.forces(work);
  if (const Eval eval = work.checkGiven(t, work.eq); eval != Eval::ok) return eval;
  std::fill(work.still.begin(), work.still.end(), 0.0);
  own_axes_.addRates(q, work.u, work.still);
  if (byTree()) {
    if (!cut_tree_.factorMass(t, work)) return cut_tree_.cannotFactor(work);
    accelerationsByTree(work);
  } else if (!accelerationsByRows(t, q, work)) {
    return cut_tree_.cannotFactor(work);
  }
  if (!allFinite(work.udot)) return work.fail(FailureNote::Failure::state_not_finite, t, 0, Eval::retry);
  const bool driven = equations_.prescribes() || normInf(work.eq.minus_phi_t) > 0.0;
  work.power = work.eq.supplied_power;
  if (driven || wanted == Wanted::reactions) {
    react(q, work);
    for (std::size_t r = 0; r < work.lambda.size(); ++r) work.power += work.lambda[r] * work.eq.minus_phi_t[r];
    work.power += equations_.drivePower(work.inverse.F, work);
  }
  return Eval::ok;
}

// A row that was left out must hold by itself.
template <class G>
Eval QuasiVelocitySystem<G>::checkRowsLeftOut(double t, const Choice& choice, Work& work) const {
  if (std::find(choice.left_out.begin(), choice.left_out.end(), 1) == choice.left_out.end()) return Eval::ok;
  linkwork::accelerations<G>(tree(), work.pk, work.vk, work.udot, {}, work.inverse.A);
  equations_.bodyAccelerations(work.inverse.A, work, work.acceleration);
  const int row = contradictedRow(
      cuts().rows(), std::max(cut_tree_.drift(work), options_.misfit),
      [&](int r) { return choice.left_out[at(r)] != 0; },
      [&](int r) {
        return balanceOfRow(cuts(), r, work.eq.gamma[at(r)], work.acceleration, work.eq,
                            cut_tree_.length() / cut_tree_.rowLength(r));
      });
  return row < 0 ? Eval::ok : work.fail(FailureNote::Failure::contradiction, t, row, Eval::retry);
}

// omega' from u': of the names W a - Gamma, then the independent ones of R^T (u' - `still`).
template <class G>
void QuasiVelocitySystem<G>::takeQuasiRates(std::span<const double> q, std::span<const double> udot,
                                            const Choice& choice, Work& work, std::span<double> out) const {
  std::fill(work.still.begin(), work.still.end(), 0.0);
  own_axes_.addRates(q, work.u, work.still);
  for (std::size_t k = 0; k < udot.size(); ++k) work.bias[k] = udot[k] - work.still[k];
  own_axes_.turnIn(q, work.bias);
  std::size_t next = at(named_);
  for (std::size_t k = 0; k < work.bias.size(); ++k) {
    if (choice.independent[k] != 0) out[next++] = work.bias[k];
  }
  if (named_ == 0) return;
  linkwork::accelerations<G>(tree(), work.pk, work.vk, udot, {}, work.inverse.A);
  equations_.bodyAccelerations(work.inverse.A, work, work.acceleration);
  forms_.place(work.eq, work.named);
  forms_.move(work.eq, work.named);
  for (int k = 0; k < named_; ++k)
    out[at(k)] = forms_.timesRow(k, work.acceleration, work.named) - forms_.gamma(k, work.named);
}

}  // namespace linkwork
