// The scratch of a HamiltonianSystem, shared by the files that implement it.
#pragma once

#include <vector>

#include "linkwork/formulation/hamiltonian/hamiltonian_system.hpp"
#include "linkwork/formulation/hamiltonian/impulse_sweeps.hpp"

namespace linkwork {

template <class G>
struct HamiltonianSystem<G>::Work final : Workspace, ImpulseWork<G> {
  explicit Work(const HamiltonianSystem& system)
      : ImpulseWork<G>(system.equations_),
        joints(system.cut_tree_),
        beside(system.joints_.makeWorkspace()),
        u(at(system.tree().freedoms)),
        eta(at(system.cuts().rows())),
        open(eta),
        prescribed(system.equations_.prescribes() ? system.tree().links.size() : 0),
        state(at(system.space().size())),
        state_rate(state) {}

  typename CutTree<G>::Work joints;
  std::unique_ptr<Workspace> beside;  // of joint coordinates with velocities
  std::unique_ptr<Workspace> whole;   // made when something of a mechanism with split bodies is observed
  const Workspace* failed = nullptr;  // that of these two in which something failed last; null: in joints
  Eval checked(Eval eval, const std::unique_ptr<Workspace>& in) {
    if (eval != Eval::ok) failed = in.get();
    return eval;
  }

  std::vector<double> u;
  std::vector<double> eta;                               // of the cuts
  std::vector<double> open;                              // likewise: what they miss with eta = 0
  std::vector<typename LinkAxes<G>::Motion> prescribed;  // velocity of each link that prescribed columns bring
  long iterations = 0;                                   // of the paper's (10)
  std::vector<double> state, state_rate;                 // [q, u, work, turns]
};

}  // namespace linkwork
