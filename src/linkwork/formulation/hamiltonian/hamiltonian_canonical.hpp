// A HamiltonianSystem in pieces, for methods that keep its structure (system/canonical_system.hpp): the tree with its
// ordinary impulses, and the cuts as rows on the coordinates.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/hamiltonian/hamiltonian_work.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

template <class G>
struct HamiltonianSystem<G>::Canonical final : CanonicalSystem {
  // Rows that the others should keep closed may miss by this share of the mechanism's size.
  static constexpr double kClosed = 1e-9;

  explicit Canonical(const HamiltonianSystem& owner)
      : system_(owner), cut_tree_(owner.cut_tree_), equations_(owner.equations_), slope_modes_(owner.startModes()) {
    slope_modes_.flags[by_forces] = 1;
    if constexpr (G::kSpatial) {
      for (int k = 0; k < system_.tree().size(); ++k) {
        const TreeLink<G>& link = system_.tree().links[at(k)];
        if (link.turn != TurnKind::ball) continue;
        const TreeColumn& last = system_.tree().columnsOf(k).back();
        const auto& moments = link.rigid.inertia;
        const double mean = (moments.xx + moments.yy + moments.zz) / 3.0;
        balls_.push_back({last.coordinate, last.freedom - 2, mean > 0.0 ? mean : 1.0});
      }
    }
  }

  StateSpace space() const override { return system_.space(); }
  int rows() const override { return system_.cuts().rows(); }
  std::span<const Ball> balls() const override { return balls_; }
  std::unique_ptr<Workspace> makeWorkspace() const override { return system_.makeWorkspace(); }
  std::string obstacle() const override {
    if (system_.tree().coordinates == 0) {
      return "drives prescribe every joint of the tree, so that nothing is left to step: use dopri5";
    }
    if (cut_tree_.lacksInertia()) {
      return "a body lacks mass or inertia, so that velocities do not follow from impulses: give it some, or use "
             "dopri5";
    }
    for (const RowGroup& group : system_.cuts().elements().groups) {
      if (group.velocity_rows == 0) continue;
      return fmt::format("{} \"{}\" holds velocities alone: use dopri5", group.is_drive ? "drive" : "joint",
                         group.name);
    }
    return {};
  }

  Eval place(double t, std::span<const double> x, const Modes& /*modes*/, Workspace& workspace) const override {
    auto& work = static_cast<Work&>(workspace).joints;
    work.failure = FailureNote::Failure::none;
    static_cast<Work&>(workspace).failed = nullptr;
    const auto q = system_.positionsOf(x);
    if (!allFinite(q)) return work.fail(FailureNote::Failure::state_not_finite, t, 0, Eval::retry);
    cut_tree_.setTurns(x, work);
    equations_.place(t, q, work);
    if (work.eq.left_place >= 0) {
      return work.fail(FailureNote::Failure::left_place, t, work.eq.left_place, Eval::retry);
    }
    if (work.badMotion(work.eq) >= 0) return work.failNotFinite(t, work.eq);
    return cut_tree_.factorMass(t, work) ? Eval::ok : cut_tree_.cannotFactor(work);
  }
  std::span<const double> phi(const Workspace& work) const override {
    return static_cast<const Work&>(work).joints.eq.phi;
  }
  Eval factorRows(double t, Pose pose, Workspace& workspace) const override {
    if (rows() == 0) return Eval::ok;
    auto& work = static_cast<Work&>(workspace).joints;
    cut_tree_.productsOfRows(work.ldlt, work);
    cut_tree_.decideRank(kDependentRow, work);
    if (pose == Pose::any || cut_tree_.enforcedDrift(work) <= kClosed) return Eval::ok;
    return work.fail(FailureNote::Failure::projection, t, worstRow(work.eq.phi), Eval::retry);
  }

  void velocities(std::span<const double> p, Workspace& workspace, std::span<double> u) const override {
    Work& work = static_cast<Work&>(workspace);
    system_.freeVelocities(p, work);
    std::copy(work.u.begin(), work.u.end(), u.begin());
  }
  Eval rates(double t, Workspace& workspace, std::span<double> r, double& power) const override {
    Work& work = static_cast<Work&>(workspace);
    equations_.forces(work.joints);
    if (const Eval eval = work.joints.checkGiven(t, work.joints.eq); eval != Eval::ok) return eval;
    system_.momentaAsSolved(work);
    system_.ratesUnderLoads(work);
    putFreedoms(work.rate, r, 0.0);
    power = work.power;
    return Eval::ok;
  }
  void velocityMiss(Workspace& workspace, std::span<double> miss) const override {
    auto& work = static_cast<Work&>(workspace).joints;
    cut_tree_.velocityResidual(work);
    std::copy(work.velocity_residual.begin(), work.velocity_residual.end(), miss.begin());
  }

  void solveRows(std::span<double> rest, const Workspace& work) const override {
    static_cast<const Work&>(work).joints.ldlt.solve(rest);
  }
  // A drive of the tree feels J^T mu of its column, and a row that moves does work by itself.
  double push(std::span<const double> mu, Workspace& workspace, std::span<double> p) const override {
    Work& work = static_cast<Work&>(workspace);
    auto& own = work.joints;
    std::copy(mu.begin(), mu.end(), work.eta.begin());
    pullOfRows<G>(system_.cuts(), own.eq.jacobian, work.eta, work.z);
    const Tree<G>& tree = system_.tree();
    for (int k = 0; k < tree.size(); ++k) {
      work.F[at(k)] = linkForce<G>(tree, own.pk, k, work.z[at(tree.links[at(k)].body)]);
    }
    gatherInwards<G>(tree, own.pk, work.F);
    linkwork::impulsesOf<G>(tree, own.pk, work.F, work.impulse);
    putFreedoms(work.impulse, p, 1.0);
    double done = 0.0;
    for (std::size_t c = 0; c < tree.columns.size(); ++c) {
      const TreeColumn& column = tree.columns[c];
      if (column.freedom < 0) done -= work.impulse[c] * own.eq.motions[at(column.motion)].fdot;
    }
    for (std::size_t r = 0; r < mu.size(); ++r) done += mu[r] * own.eq.minus_phi_t[r];
    std::fill(work.eta.begin(), work.eta.end(), 0.0);
    return done;
  }

  Evaluation slope(double t, std::span<const double> x, const Modes& /*modes*/, Workspace& work,
                   std::span<double> xdot) const override {
    return system_.derivative(t, x, slope_modes_, work, xdot);
  }
  void followTurns(Workspace& workspace, std::span<double> x) const override {
    auto& work = static_cast<Work&>(workspace).joints;
    system_.cuts().followTurns(work.eq);
    std::copy(work.eq.turns.begin(), work.eq.turns.end(), x.end() - system_.cuts().turns());
  }
  std::string describeFailure(const Workspace& work) const override { return system_.describeFailure(work); }

 private:
  // out <- before out + the entries of those columns that are free
  void putFreedoms(const std::vector<double>& columns, std::span<double> out, double before) const {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const int freedom = system_.tree().columns[c].freedom;
      if (freedom >= 0) out[at(freedom)] = before * out[at(freedom)] + columns[c];
    }
  }

  const HamiltonianSystem& system_;
  const CutTree<G>& cut_tree_;
  const TreeEquations<G>& equations_;
  Modes slope_modes_;  // (4') with c = 0
  std::vector<Ball> balls_;
};

template <class G>
std::unique_ptr<CanonicalSystem> HamiltonianSystem<G>::makeCanonical() const {
  return std::make_unique<Canonical>(*this);
}

}  // namespace linkwork
