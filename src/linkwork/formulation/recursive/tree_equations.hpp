// TreeEquations: a mechanism's spanning tree and the rows of its cuts: where joint coordinates put the bodies, what
// acts on them there, and the cuts' rows by the tree's freedoms.
//
//   (1)  M u' + b = tau + G^T lambda,  G = Phi_q S [docs/theory/07]
//
// Stages like those of AbsoluteEquations, each needing the ones before: place, move, forces.
#pragma once

#include <span>
#include <vector>

#include "linkwork/formulation/absolute/equations.hpp"
#include "linkwork/recursion/inverse_dynamics.hpp"

namespace linkwork {

// The tree of a mechanism as this formulation takes it; `groups` as in planTree.
TreePlan planRecursiveTree(const Mechanism& mechanism, const std::vector<RowGroup>& groups);
TreePlan planRecursiveTree(const Mechanism& mechanism);

// G is Planar or Spatial of double or Dual<8>.
template <class G>
class TreeEquations {
 public:
  using T = typename G::Scalar;

  TreeEquations(const Mechanism& mechanism, const TreePlan& plan);

  struct Work {
    explicit Work(const TreeEquations& equations);
    typename AbsoluteEquations<G>::Work eq;  // of the cuts
    PositionKinematics<G> pk;
    VelocityKinematics<G> vk;
    std::vector<typename G::Wrench> loads;  // on each body: all but inertial forces, reactions of the cuts included
  };

  const Tree<G>& tree() const { return tree_; }
  const AbsoluteEquations<G>& cuts() const { return cuts_; }  // the rows that the tree does not hold
  bool prescribes() const { return prescribes_; }             // any column

  // Bodies where the joint coordinates put them, and the rows of the cuts there.
  void place(const T& t, std::span<const T> q, Work& work) const;
  void move(std::span<const T> u, Work& work) const;
  // The same where V of the links is known, for those who need no accelerations: work.vk.bias is left as it was.
  void moveLinks(std::span<const typename LinkAxes<G>::Motion> V, Work& work) const;
  // Loads. The sweeps bring all inertial forces themselves.
  void forces(Work& work) const;
  // loads += Phi_q^T lambda
  void addReactions(std::span<const T> lambda, Work& work) const;

  // A row of the cuts times velocities or accelerations of the bodies.
  T timesRow(int row, std::span<const T> v, const Work& work) const;
  // A row of G, which must be zero before.
  void addRow(int row, const Work& work, std::span<T> out) const;
  void bodyVelocities(const Work& work, std::span<T> v) const;
  // Of the bodies, from A of the links.
  void bodyAccelerations(std::span<const typename LinkAxes<G>::Motion> A, const Work& work, std::span<T> a) const;
  // Of the drives that the tree follows: effort times rate, from what each joint carries.
  T drivePower(std::span<const typename LinkAxes<G>::Force> F, const Work& work) const;

 private:
  Tree<G> tree_;
  AbsoluteEquations<G> cuts_;
  bool prescribes_ = false;
};

extern template class TreeEquations<Planar<double>>;
extern template class TreeEquations<Spatial<double>>;
extern template class TreeEquations<Planar<Dual<8>>>;
extern template class TreeEquations<Spatial<Dual<8>>>;

}  // namespace linkwork
