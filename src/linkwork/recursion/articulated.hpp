// ArticulatedFactor: the tree's mass matrix as a product of factors, in linear time, and the solves that it serves.
//
// Inwards, each free column s of link k is eliminated from the inertia M_k of the link and all that it carries:
//
//   (1)  U = M_k s,  d = s^T U,  g = U / d,  M_k <- M_k - U g^T                                  [docs/theory/07,
//   eq. 7.6]
//
// What is left is taken over into the parent's. Then, for any right-hand side,
//
//   (2)  inwards   e = tau - s^T p_k,  p_k <- p_k + g e;  p_parent += (p_k + M_k bias_k), taken over
//   (3)  outwards  A_k = (A_parent at O_k) + bias_k;  u' = e / d - g^T A_k,  A_k <- A_k + s u'
//        what the joint carries: M_k A_k + p_k, with A_k before its own columns
//
// solves M u' = tau - (what p and bias ask for). With accelerations this is forward dynamics; with impulses for tau and
// the prescribed velocities for bias the same factors give velocities.
#pragma once

#include "linkwork/recursion/inverse_dynamics.hpp"

namespace linkwork {

template <class G>
struct ArticulatedFactor {
  using T = typename G::Scalar;
  explicit ArticulatedFactor(const Tree<G>& tree)
      : inertia(tree.links.size()),
        gain(tree.columns.size()),
        pivot(tree.columns.size()),
        inverse(tree.columns.size()) {}

  std::vector<typename LinkAxes<G>::Inertia> inertia;  // M of each link without its own freedoms
  std::vector<typename LinkAxes<G>::Force> gain;       // g of each column
  std::vector<T> pivot, inverse;                       // d, 1 / d; prescribed columns have none
};

// Before the letter of an inertia: what a link leaves of it for its parent.
inline constexpr const char* kPassedOn = "passed";

template <class G, class Let = Unnamed>
void factorTree(const Tree<G>& tree, const PositionKinematics<G>& pk, ArticulatedFactor<G>& factor,
                const Let& let = {});

// What one right-hand side needs on its way, and what it leaves.
template <class G>
struct TreeSolve {
  using T = typename G::Scalar;
  explicit TreeSolve(const Tree<G>& tree)
      : p(tree.links.size()), A(tree.links.size()), e(tree.columns.size()), F(tree.links.size()) {}

  std::vector<typename LinkAxes<G>::Force> p;   // before solveTree: what each link asks for; after: with all it carries
  std::vector<typename LinkAxes<G>::Motion> A;  // of each link
  std::vector<T> e;                             // of each column
  std::vector<typename LinkAxes<G>::Force> F;   // of the parent on each link
};

// Sweep (2); tau of each freedom (empty: none), bias of each link (empty: none), p from solve.
template <class G, class Let = Unnamed>
void solveInwards(const Tree<G>& tree, const PositionKinematics<G>& pk, const ArticulatedFactor<G>& factor,
                  std::span<const typename G::Scalar> tau, std::span<const typename LinkAxes<G>::Motion> bias,
                  TreeSolve<G>& solve, const Let& let = {});
// Sweep (3); fills A, F and u'.
template <class G, class Let = Unnamed>
void solveOutwards(const Tree<G>& tree, const PositionKinematics<G>& pk, const ArticulatedFactor<G>& factor,
                   const typename G::Vector& base, std::span<const typename LinkAxes<G>::Motion> bias,
                   TreeSolve<G>& solve, std::span<typename G::Scalar> udot, const Let& let = {});

// u' from the efforts tau of the freedoms (empty: none) and the loads; A is less gravity.
template <class G, class Let = Unnamed>
void forwardDynamics(const Tree<G>& tree, const PositionKinematics<G>& pk, const VelocityKinematics<G>& vk,
                     const ArticulatedFactor<G>& factor, std::span<const typename G::Scalar> tau,
                     const TreeLoads<G>& loads, TreeSolve<G>& solve, std::span<typename G::Scalar> udot,
                     const Let& let = {});

// Of a row of a constraint Jacobian that has this block for a body: adds its derivatives by the tree's freedoms (u-row)
// to `row`. Only the way from the body to the ground is touched.
template <class G>
void addJointRow(const Tree<G>& tree, const PositionKinematics<G>& pk, int body, const typename G::RowBlock& block,
                 std::span<typename G::Scalar> row);

// w with  row M^-1 row^T = sum over columns of w^2 / d  for such a row, and likewise for two rows with their w's: sweep
// (2) for the row's forces alone. `path`: the links between those that have forces and the ground, children before
// parents. `forces`, one for each link, hold the row's forces about the links' origins; they are zero afterwards. Only
// the columns of the path are written.
template <class G, class Let = Unnamed>
void eliminateRow(const Tree<G>& tree, const PositionKinematics<G>& pk, const ArticulatedFactor<G>& factor,
                  std::span<const int> path, std::span<typename LinkAxes<G>::Force> forces,
                  std::span<typename G::Scalar> w, const Let& let = {});

}  // namespace linkwork
