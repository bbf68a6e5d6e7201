// The scratch of a QuasiVelocitySystem, shared by the files that implement it.
#pragma once

#include <memory>
#include <vector>

#include "linkwork/formulation/projection.hpp"
#include "linkwork/formulation/quasivelocity/quasi_velocity_system.hpp"
#include "linkwork/recursion/joint_coordinates.hpp"

namespace linkwork {

template <class G>
struct QuasiVelocitySystem<G>::Work final : Workspace, CutTree<G>::Work {
  explicit Work(const QuasiVelocitySystem& system)
      : CutTree<G>::Work(system.cut_tree_),
        beside(system.joints_.makeWorkspace()),
        rows(system.rowCount(), system.units_),
        named(system.forms_.makeWork()),
        inverse(system.tree()),
        u(at(system.freedoms())),
        v(u),
        udot(u),
        still(u),
        bias(u),
        force(u),
        lambda(at(system.cuts().rows())),
        right(at(system.rowCount())),
        lambda_along(lambda),
        acceleration(at(system.cuts().freedoms())),
        state(at(system.tree().coordinates + system.freedoms() + 1 + system.cuts().turns())),
        state_rate(state),
        moved_q(at(system.tree().coordinates)),
        modes(system.start_modes_),
        left_out(lambda.size()),
        tried_without(right.size()) {
    if (system.byTree()) return;
    mass = std::make_unique<TreeMassMatrix<G>>(system.tree());
    const auto n = static_cast<Eigen::Index>(u.size());
    const Eigen::Index count = system.quasi_velocities_;
    basis.resize(n, count);
    moved.resize(n, count);
    inertia_of.resize(count, count);
    omega_rate.resize(count);
    factored_inertia.compute(Eigen::MatrixXd::Identity(count, count));  // so that no step allocates
  }

  std::unique_ptr<Workspace> beside;  // of joint coordinates with velocities
  const Workspace* failed = nullptr;  // `beside` where something failed in it last; null: in this one
  Eval checked(Eval eval) {
    if (eval != Eval::ok) failed = beside.get();
    return eval;
  }

  RowElimination rows;                 // G by velocities along own axes, then W of the named ones
  typename NamedForms<G>::Work named;  // the bodies as they are there
  InverseDynamics<G> inverse;
  std::vector<double> u, v;                 // of the tree's joints; along own axes
  std::vector<double> udot, still, bias;    // u'; u' at v' = 0; c, less that
  std::vector<double> force;                // of inverse dynamics, by the freedoms
  std::vector<double> lambda, right;        // of the cuts; right sides g and Gamma - Phi_q a, of all rows
  std::vector<double> lambda_along;         // of the cuts: dlambda
  std::vector<double> acceleration;         // of the bodies
  bool by_joints = false;                   // accelerations are those of joint coordinates
  double power = 0.0;                       // of loads and drives
  std::vector<double> state, state_rate;    // [q, u, work, turns]
  std::vector<double> moved_q;              // coordinates beside those of the state
  Modes modes;                              // of a choice to be looked at
  std::vector<std::uint8_t> left_out;       // rows, as they were before others were tried
  std::vector<std::uint8_t> tried_without;  // rows, where what is left could not be solved
  long repartitions = 0;
  std::unique_ptr<typename Observer<G>::Work> seen;  // made when something is observed

  // Of (2), where rows or links without inertia are in the way of the tree's own factors.
  std::unique_ptr<TreeMassMatrix<G>> mass;
  Eigen::MatrixXd basis, moved, inertia_of;  // N, M N, A
  Eigen::VectorXd omega_rate;
  Eigen::LLT<Eigen::MatrixXd> factored_inertia;
};

}  // namespace linkwork
