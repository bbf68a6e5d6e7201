// The scratch of a LinkageSystem, shared by the files that implement it.
#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "linkwork/formulation/linkage/linkage_system.hpp"
#include "linkwork/formulation/stabilised_work.hpp"
#include "linkwork/linalg/semidefinite_ldlt.hpp"

namespace linkwork {

struct LinkageSystem::Work final : Workspace, StabilisedWork, FailureNote {
  explicit Work(const LinkageSystem& system)
      : StabilisedWork(system.freedoms(), system.space().size()),
        eq(system.free_.makeWork()),
        seen(system.observer_),
        events(system.observer_.events().makeScratch()),
        form(system.plan_.tree),
        elimination(system.plan_.tree),
        force(at(system.plan_.tree.links())),
        moment(force.size()),
        P(Rows::Zero(system.plan_.rows(), system.plan_.tree.links())),
        parts(system.plan_.tree.links(), system.plan_.rows()),
        H(system.plan_.tree.links(), system.plan_.tree.links()),
        factor(system.plan_.tree.links()),
        f(system.plan_.tree.links()),
        a(f),
        step(f),
        ldlt(system.plan_.rows()),
        g(at(system.plan_.rows())),
        rest(g),
        row_square(g),
        phi(g),
        rate_given(g),
        gamma(g),
        velocity_residual(g),
        multiplier(g),
        acceleration(force.size()) {}

  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  AbsoluteEquations<Planar<double>>::Work eq;  // bodies, loads, drives
  Observer<Planar<double>>::Work seen;
  EventFunctions<Planar<double>>::Scratch events;
  linkage::FormWork<double> form;
  linkage::EliminationWork<double> elimination;
  std::vector<Vec2<double>> force;  // of the loads on link k, without gravity
  std::vector<double> moment;       // about O_k
  // Rows of P: the cuts, then the drives. H + rho P^T P = L L^T, parts = L^-1 P^T, ldlt: of parts^T parts.
  Rows P;
  Eigen::MatrixXd parts, H;
  double rho = 0.0;  // not zero where links have no mass
  Eigen::LLT<Eigen::MatrixXd> factor;
  Eigen::VectorXd f, a, step;
  SemidefiniteLdlt ldlt;
  SemidefiniteLdlt::Factored factored;
  std::vector<double> g, rest, row_square;
  std::vector<double> phi, rate_given, gamma, velocity_residual, multiplier;
  std::vector<double> acceleration;  // al''
  SolveCounts counts;
};

}  // namespace linkwork
