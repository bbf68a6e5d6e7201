// The scratch of a LinkageSystem, shared by the files that implement it.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "linkwork/formulation/failure_note.hpp"
#include "linkwork/formulation/linkage/linkage_system.hpp"

namespace linkwork {

struct LinkageSystem::Work final : Workspace, FailureNote {
  explicit Work(const LinkageSystem& system)
      : eq(system.free_.makeWork()),
        seen(system.observer_),
        form(system.plan_.tree),
        elimination(system.plan_.tree),
        kkt(system.structure()),
        force(linkage::at(system.plan_.tree.links())),
        moment(force.size()),
        f(force.size()),
        g(linkage::at(system.plan_.rows())),
        phi(g),
        rate_given(g),
        gamma(g),
        velocity_residual(g),
        multiplier(g),
        acceleration(force.size()),
        across(force.size()),
        beside(linkage::at(system.space().size())) {}

  AbsoluteEquations<Planar<double>>::Work eq;  // bodies, loads, drives
  Observer<Planar<double>>::Work seen;
  linkage::FormWork<double> form;
  linkage::EliminationWork<double> elimination;
  KktSolver kkt;
  KktSolver::Factored factored;
  std::vector<Vec2<double>> force;  // of the loads on link k, without gravity
  std::vector<double> moment;       // about O_k
  std::vector<double> f, g;         // right-hand sides in the order of kkt, overwritten by solutions
  // Rows: the cuts, then the drives.
  std::vector<double> phi, rate_given, gamma, velocity_residual, multiplier;
  std::vector<double> acceleration;  // al''
  // Near a pose of lower rank: accelerations from both sides, and a state beside it.
  std::vector<double> across, beside;
  double power = 0.0;
  long projection_solves = 0;
  double worst_residual = 0.0;
};

}  // namespace linkwork
