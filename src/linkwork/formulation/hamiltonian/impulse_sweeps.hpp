// Momenta, impulses and their rates of a tree with cuts, at known velocities u and loop impulses eta: (4) and (6) of
// hamiltonian_system.hpp, for numbers and for numbers with derivatives.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "linkwork/formulation/hamiltonian/wrench_rate.hpp"
#include "linkwork/formulation/recursive/tree_equations.hpp"
#include "linkwork/recursion/impulses.hpp"

namespace linkwork {

// G is Planar or Spatial of double or Dual<8>.
template <class G>
struct ImpulseWork {
  using T = typename G::Scalar;
  using Force = typename LinkAxes<G>::Force;
  explicit ImpulseWork(const TreeEquations<G>& equations)
      : h(equations.tree().links.size()),
        F(h),
        z(h.size()),
        z_rate(h.size()),
        impulse(equations.tree().columns.size()),
        rate(impulse),
        jacobian_rate(equations.cuts().rowBodies().size() * at(G::kFreedoms)),
        minus_phi_t_rate(at(equations.cuts().rows())) {}

  std::vector<Force> h;                            // of each link and what it carries: momentum less eta's share
  std::vector<Force> F;                            // likewise: loads
  std::vector<typename G::Wrench> z, z_rate;       // of each body: Phi_q^T eta, and what its rate takes (9.5)
  std::vector<T> impulse, rate;                    // of each column: p*, and (4)
  std::vector<T> jacobian_rate, minus_phi_t_rate;  // of the cuts
  T power{};                                       // work*'
};

// sum over the rows of (blocks of the row)^T eta, on every body; the blocks are laid out like Phi_q.
template <class G>
void pullOfRows(const AbsoluteEquations<G>& cuts, std::span<const typename G::Scalar> blocks,
                std::span<const typename G::Scalar> eta, std::vector<typename G::Wrench>& out) {
  std::fill(out.begin(), out.end(), typename G::Wrench{});
  for (int r = 0; r < cuts.rows(); ++r) {
    for (int p = cuts.rowStart()[at(r)]; p < cuts.rowStart()[at(r) + 1]; ++p) {
      typename G::RowBlock block;
      std::copy_n(&blocks[at(G::kFreedoms * p)], G::kFreedoms, block.begin());
      out[at(cuts.rowBodies()[at(p)])] += wrenchOf<G>(block, eta[at(r)]);
    }
  }
}

// kappa of every body, after momentaOf: J'^T eta is what it does along the freedoms.                        [eq. 9.5]
template <class G>
void loopRatesOf(const TreeEquations<G>& equations, const typename TreeEquations<G>::Work& joints,
                 std::span<const typename G::Scalar> eta, ImpulseWork<G>& out) {
  equations.cuts().rates(joints.eq, out.jacobian_rate, out.minus_phi_t_rate);
  pullOfRows<G>(equations.cuts(), out.jacobian_rate, eta, out.z_rate);
  for (int b = 0; b < equations.tree().size(); ++b) {
    typename G::Wrench& rate = out.z_rate[at(b)];
    rate = rateOfWrench<G>(joints.pk.body[at(b)], joints.vk.body[at(b)], out.z[at(b)], rate);
  }
}

// Momentum of each link and all that it carries, less what eta brings to it; the impulses p* of all columns.
template <class G>
void momentaOf(const TreeEquations<G>& equations, const typename TreeEquations<G>::Work& joints,
               std::span<const typename G::Scalar> eta, ImpulseWork<G>& out) {
  const Tree<G>& tree = equations.tree();
  linkMomenta<G>(tree, joints.pk, joints.vk, out.h);
  if (equations.cuts().rows() > 0) {
    pullOfRows<G>(equations.cuts(), joints.eq.jacobian, eta, out.z);
    for (int k = 0; k < tree.size(); ++k) {
      out.h[at(k)] -= linkForce<G>(tree, joints.pk, k, out.z[at(tree.links[at(k)].body)]);
    }
  }
  gatherInwards<G>(tree, joints.pk, out.h);
  impulsesOf<G>(tree, joints.pk, out.h, out.impulse);
}

// What (6) takes from the power, after the rates of all columns: without the part that eta' = lambda brings, the rate
// of work - work*.
template <class G>
typename G::Scalar boundWorkRate(const TreeEquations<G>& equations, const typename TreeEquations<G>::Work& joints,
                                 std::span<const typename G::Scalar> eta, const ImpulseWork<G>& work) {
  typename G::Scalar sum(0.0);
  const Tree<G>& tree = equations.tree();
  for (std::size_t c = 0; c < tree.columns.size(); ++c) {
    const TreeColumn& column = tree.columns[c];
    if (column.freedom >= 0) continue;
    const auto& f = joints.eq.motions[at(column.motion)];
    sum += work.impulse[c] * f.fddot + work.rate[c] * f.fdot;
  }
  for (std::size_t r = 0; r < eta.size(); ++r) sum += eta[r] * work.minus_phi_t_rate[r];
  return sum;
}

// (4) of every column and work*', after momentaOf and, where there are cuts, with loopRatesOf taken from joints.loads.
template <class G>
void ratesUnder(const TreeEquations<G>& equations, const typename TreeEquations<G>::Work& joints,
                std::span<const typename G::Scalar> u, std::span<const typename G::Scalar> eta, ImpulseWork<G>& out) {
  const Tree<G>& tree = equations.tree();
  for (int k = 0; k < tree.size(); ++k) {
    out.F[at(k)] = linkForce<G>(tree, joints.pk, k, joints.loads[at(tree.links[at(k)].body)]);
  }
  gatherInwards<G>(tree, joints.pk, out.F);
  impulseRates<G>(tree, joints.pk, joints.vk, u, joints.eq.motions, out.h, out.F, out.rate);
  out.power = joints.eq.supplied_power - boundWorkRate<G>(equations, joints, eta, out);
}

}  // namespace linkwork
