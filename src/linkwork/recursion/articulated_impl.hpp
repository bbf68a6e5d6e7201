// The sweeps of recursion/articulated.hpp; included only by the files that instantiate them, one per scalar.
#pragma once

#include <string>
#include <type_traits>

#include "linkwork/recursion/articulated.hpp"
#include "linkwork/recursion/inverse_dynamics_impl.hpp"

namespace linkwork {

template <class G, class Let>
void factorTree(const Tree<G>& tree, const PositionKinematics<G>& pk, ArticulatedFactor<G>& factor, const Let& let) {
  using T = typename G::Scalar;
  using Link = LinkAxes<G>;
  for (int k = 0; k < tree.size(); ++k) factor.inertia[at(k)] = Link::asMatrix(pk.rigid[at(k)]);
  for (int k = tree.size() - 1; k >= 0; --k) {
    const TreeLink<G>& link = tree.links[at(k)];
    auto& M = factor.inertia[at(k)];
    for (std::size_t n = 0; n < M.entries.size(); ++n) {
      M.entries[n] = let(LetName{Link::kInertiaLetters[n], k + 1}, M.entries[n]);
    }
    for (int i = link.first_column + link.columns - 1; i >= link.first_column; --i) {
      const TreeColumn& c = tree.columns[at(i)];
      if (c.freedom < 0) continue;
      auto U = c.unit < 0 ? M * pk.s[at(i)] : M.column(c.unit);
      const T d = c.unit < 0 ? dot(pk.s[at(i)], U) : U[c.unit];
      const T inverse = let({"D", i + 1}, T(1.0) / d);
      if (c.unit >= 0) U[c.unit] = T(0.0);  // its line is cleared, not computed
      const auto g = named(let, Link::kGainLetters, i, U * inverse);
      M.subtractOuter(U, g);
      factor.gain[at(i)] = g;
      if (c.unit >= 0) {
        M.clearLine(c.unit);
        factor.gain[at(i)][c.unit] = T(1.0);
        if (c.sign < 0.0) factor.gain[at(i)] = factor.gain[at(i)] * T(-1.0);
      }
      factor.pivot[at(i)] = d;
      factor.inverse[at(i)] = inverse;
    }
    if (link.parent < 0) continue;
    if constexpr (!std::is_same_v<Let, Unnamed>) {
      for (std::size_t n = 0; n < M.entries.size(); ++n)
        M.entries[n] = let(LetName{(std::string(kPassedOn) + Link::kInertiaLetters[n]).c_str(), k + 1}, M.entries[n]);
    }
    factor.inertia[at(link.parent)] += Link::intoParent(pk.step[at(k)], M);
  }
}

template <class G, class Let>
void solveInwards(const Tree<G>& tree, const PositionKinematics<G>& pk, const ArticulatedFactor<G>& factor,
                  std::span<const typename G::Scalar> tau, std::span<const typename LinkAxes<G>::Motion> bias,
                  TreeSolve<G>& solve, const Let& let) {
  using T = typename G::Scalar;
  using Link = LinkAxes<G>;
  for (int k = tree.size() - 1; k >= 0; --k) {
    const TreeLink<G>& link = tree.links[at(k)];
    auto& p = solve.p[at(k)];
    p = named(let, Link::kBiasLetters, k, p);
    for (int i = link.first_column + link.columns - 1; i >= link.first_column; --i) {
      const TreeColumn& c = tree.columns[at(i)];
      if (c.freedom < 0) continue;
      const T given = tau.empty() ? T(0.0) : tau[at(c.freedom)];
      const T e = let({"e", i + 1}, given - along(c, pk.s[at(i)], p));
      p.add(factor.gain[at(i)], e);
      if (c.unit >= 0) p[c.unit] = c.sign > 0.0 ? given : -given;  // s^T p = tau now, without round-off
      solve.e[at(i)] = e;
    }
    if (link.parent < 0) continue;
    solve.p[at(link.parent)] +=
        Link::intoParent(pk.step[at(k)], bias.empty() ? p : p + factor.inertia[at(k)] * bias[at(k)]);
  }
}

template <class G, class Let>
void solveOutwards(const Tree<G>& tree, const PositionKinematics<G>& pk, const ArticulatedFactor<G>& factor,
                   const typename G::Vector& base, std::span<const typename LinkAxes<G>::Motion> bias,
                   TreeSolve<G>& solve, std::span<typename G::Scalar> udot, const Let& let) {
  using T = typename G::Scalar;
  using Link = LinkAxes<G>;
  const auto of_ground = tree::groundMotion(base);
  for (int k = 0; k < tree.size(); ++k) {
    const TreeLink<G>& link = tree.links[at(k)];
    auto A = Link::intoLink(pk.step[at(k)], tree::carrierOf(tree, k, solve.A, of_ground));
    if (!bias.empty()) A += bias[at(k)];
    A = named(let, Link::kMotionLetters, k, A);
    solve.F[at(k)] = factor.inertia[at(k)] * A + solve.p[at(k)];
    for (int i = link.first_column; i < link.first_column + link.columns; ++i) {
      const TreeColumn& c = tree.columns[at(i)];
      if (c.freedom < 0) continue;
      const T rate = let({"qdd", c.freedom + 1}, solve.e[at(i)] * factor.inverse[at(i)] - dot(factor.gain[at(i)], A));
      udot[at(c.freedom)] = rate;
      addColumn(c, pk.s[at(i)], rate, A);
    }
    solve.A[at(k)] = named(let, Link::kSolvedLetters, k, A);
  }
}

template <class G, class Let>
void forwardDynamics(const Tree<G>& tree, const PositionKinematics<G>& pk, const VelocityKinematics<G>& vk,
                     const ArticulatedFactor<G>& factor, std::span<const typename G::Scalar> tau,
                     const TreeLoads<G>& loads, TreeSolve<G>& solve, std::span<typename G::Scalar> udot,
                     const Let& let) {
  for (int k = 0; k < tree.size(); ++k) solve.p[at(k)] = biasForce(tree, pk, vk, loads, k);
  solveInwards(tree, pk, factor, tau, std::span(vk.bias), solve, let);
  solveOutwards(tree, pk, factor, -loads.gravity, std::span(vk.bias), solve, udot, let);
}

template <class G>
void addJointRow(const Tree<G>& tree, const PositionKinematics<G>& pk, int body, const typename G::RowBlock& block,
                 std::span<typename G::Scalar> row) {
  using T = typename G::Scalar;
  int k = tree.link_of_body[at(body)];
  auto f = linkForce(tree, pk, k, wrenchOf<G>(block, T(1.0)));
  while (k >= 0) {
    const TreeLink<G>& link = tree.links[at(k)];
    for (int i = link.first_column; i < link.first_column + link.columns; ++i) {
      const TreeColumn& c = tree.columns[at(i)];
      if (c.freedom >= 0) row[at(c.freedom)] += along(c, pk.s[at(i)], f);
    }
    f = LinkAxes<G>::intoParent(pk.step[at(k)], f);
    k = link.parent;
  }
}

template <class G, class Let>
void eliminateRow(const Tree<G>& tree, const PositionKinematics<G>& pk, const ArticulatedFactor<G>& factor,
                  std::span<const int> path, std::span<typename LinkAxes<G>::Force> forces,
                  std::span<typename G::Scalar> w, const Let& let) {
  using T = typename G::Scalar;
  for (const int k : path) {
    const TreeLink<G>& link = tree.links[at(k)];
    auto& f = forces[at(k)];
    f = named(let, LinkAxes<G>::kForceLetters, k, f);
    for (int i = link.first_column + link.columns - 1; i >= link.first_column; --i) {
      const TreeColumn& c = tree.columns[at(i)];
      if (c.freedom < 0) continue;
      // p = -f in the sweep:  e = s^T f,  f <- f - g e
      w[at(i)] = let({"W", i + 1}, along(c, pk.s[at(i)], f));
      f.add(factor.gain[at(i)], -w[at(i)]);
      if (c.unit >= 0) f[c.unit] = T(0.0);
    }
    if (link.parent >= 0) forces[at(link.parent)] += LinkAxes<G>::intoParent(pk.step[at(k)], f);
    f = {};
  }
}

}  // namespace linkwork
