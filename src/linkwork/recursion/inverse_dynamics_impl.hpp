// The sweeps of recursion/inverse_dynamics.hpp; included only by the files that instantiate them, one per scalar.
#pragma once

#include "linkwork/recursion/inverse_dynamics.hpp"
#include "linkwork/recursion/kinematics_impl.hpp"

namespace linkwork {

template <class G>
typename LinkAxes<G>::Force biasForce(const Tree<G>& tree, const PositionKinematics<G>& pk,
                                      const VelocityKinematics<G>& vk, const TreeLoads<G>& loads, int link) {
  auto force = LinkAxes<G>::rateForce(pk.rigid[at(link)], vk.V[at(link)]);
  if (!loads.wrenches.empty()) {
    force -= linkForce(tree, pk, link, loads.wrenches[at(tree.links[at(link)].body)]);
  }
  return force;
}

template <class G, class Let>
void inverseDynamics(const Tree<G>& tree, const PositionKinematics<G>& pk, const VelocityKinematics<G>& vk,
                     std::span<const typename G::Scalar> udot, const TreeLoads<G>& loads, InverseDynamics<G>& out,
                     const Let& let) {
  using Link = LinkAxes<G>;
  const auto of_ground = tree::groundMotion(-loads.gravity);
  for (int k = 0; k < tree.size(); ++k) {
    auto A = Link::intoLink(pk.step[at(k)], tree::carrierOf(tree, k, out.A, of_ground));
    A += vk.bias[at(k)];
    int column = tree.links[at(k)].first_column;
    for (const TreeColumn& c : tree.columnsOf(k)) {
      if (c.freedom >= 0) addColumn(c, pk.s[at(column)], udot[at(c.freedom)], A);
      ++column;
    }
    out.A[at(k)] = named(let, Link::kMotionLetters, k, A);
    out.F[at(k)] = Link::times(pk.rigid[at(k)], out.A[at(k)]) + biasForce(tree, pk, vk, loads, k);
  }
  for (int k = tree.size() - 1; k >= 0; --k) {
    const TreeLink<G>& link = tree.links[at(k)];
    out.F[at(k)] = named(let, Link::kForceLetters, k, out.F[at(k)]);
    int column = link.first_column;
    for (const TreeColumn& c : tree.columnsOf(k)) {
      out.tau[at(column)] = along(c, pk.s[at(column)], out.F[at(k)]);
      ++column;
    }
    if (link.parent >= 0) out.F[at(link.parent)] += Link::intoParent(pk.step[at(k)], out.F[at(k)]);
  }
}

template <class G, class Let>
void massMatrix(const Tree<G>& tree, const PositionKinematics<G>& pk, TreeMassMatrix<G>& out, const Let& let) {
  using T = typename G::Scalar;
  using Link = LinkAxes<G>;
  std::fill(out.entries.begin(), out.entries.end(), T(0.0));
  for (int k = 0; k < tree.size(); ++k) out.composite[at(k)] = pk.rigid[at(k)];
  for (int k = tree.size() - 1; k >= 0; --k) {
    const TreeLink<G>& link = tree.links[at(k)];
    for (int i = link.first_column; i < link.first_column + link.columns; ++i) {
      const int row = tree.columns[at(i)].freedom;
      if (row < 0) continue;
      auto f = Link::times(out.composite[at(k)], pk.s[at(i)]);
      for (int on = k, last = i; on >= 0;) {
        const TreeLink<G>& below = tree.links[at(on)];
        for (int j = below.first_column; j <= last; ++j) {
          const TreeColumn& c = tree.columns[at(j)];
          if (c.freedom < 0) continue;
          const T entry = let({"H", row + 1, c.freedom + 1}, along(c, pk.s[at(j)], f));
          out(row, c.freedom) = entry;
          out(c.freedom, row) = entry;
        }
        f = Link::intoParent(pk.step[at(on)], f);
        on = below.parent;
        if (on >= 0) last = tree.links[at(on)].first_column + tree.links[at(on)].columns - 1;
      }
    }
    if (link.parent >= 0) out.composite[at(link.parent)] += Link::intoParent(pk.step[at(k)], out.composite[at(k)]);
  }
}

}  // namespace linkwork
