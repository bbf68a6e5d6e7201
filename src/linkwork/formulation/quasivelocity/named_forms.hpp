// NamedForms: the velocities that the user names, as rows by the motion of the bodies.
//
//   (1)  omega = W v + f_0,   omega' = W a - Gamma                          W: coefficients of the rates named
//
// They are velocity laws (elements/velocity_law.hpp) that are not zero but omega.                [docs/theory/11, 11.7]
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "linkwork/formulation/absolute/equations.hpp"
#include "linkwork/recursion/articulated.hpp"

namespace linkwork {

// G is Planar or Spatial of double, Dual or Expr.
template <class G>
class NamedForms {
 public:
  using T = typename G::Scalar;
  using Bodies = typename AbsoluteEquations<G>::Work;  // how the bodies stand and move
  using Work = typename AbsoluteEquations<G>::Work;

  explicit NamedForms(const Mechanism& mechanism) : rows_(asLaws(mechanism), allBut(mechanism)) {}

  int count() const { return rows_.rows(); }
  Work makeWork() const { return rows_.makeWork(); }

  void place(const Bodies& bodies, Work& work) const {
    std::copy(bodies.x.begin(), bodies.x.end(), work.x.begin());
    std::copy(bodies.turns.begin(), bodies.turns.end(), work.turns.begin());
    rows_.positions(bodies.t, work);
  }
  // After place.
  void move(const Bodies& bodies, Work& work) const {
    std::copy(bodies.v.begin(), bodies.v.end(), work.v.begin());
    rows_.velocities(work);
  }

  // W of one of them, by the freedoms of a tree; `out` must be zero before.
  void addRow(const Tree<G>& tree, const PositionKinematics<G>& pk, int k, const Work& work, std::span<T> out) const {
    forEachBlock(k, work,
                 [&](int body, const typename G::RowBlock& block) { addJointRow<G>(tree, pk, body, block, out); });
  }
  // W times velocities or accelerations of the bodies.
  T timesRow(int k, std::span<const T> of_bodies, const Work& work) const {
    T sum(0.0);
    forEachBlock(k, work, [&](int body, const typename G::RowBlock& block) {
      for (int c = 0; c < G::kFreedoms; ++c) sum += block[c] * of_bodies[at(G::kFreedoms * body + c)];
    });
    return sum;
  }
  // After move.
  const T& minusRest(int k, const Work& work) const { return work.minus_phi_t[at(k)]; }
  const T& gamma(int k, const Work& work) const { return work.gamma[at(k)]; }

  // visit(body, block of W)
  template <class Visit>
  void forEachBlock(int k, const Work& work, const Visit& visit) const {
    for (int p = rows_.rowStart()[at(k)]; p < rows_.rowStart()[at(k) + 1]; ++p) {
      typename G::RowBlock block;
      std::copy_n(&work.jacobian[at(G::kFreedoms * p)], G::kFreedoms, block.begin());
      visit(rows_.rowBodies()[at(p)], block);
    }
  }

 private:
  static Mechanism asLaws(Mechanism mechanism) {
    for (const NamedVelocity& named : mechanism.named_velocities) {
      Joint law;
      law.name = named.name;
      law.kind = JointKind::velocity;
      law.expression = named.form;
      law.unit = named.unit;
      law.source = named.source;
      mechanism.joints.push_back(std::move(law));
    }
    return mechanism;
  }
  static RowFilter allBut(const Mechanism& mechanism) {
    RowFilter out;
    for (std::size_t k = 0; k < mechanism.joints.size(); ++k) out.without_joints.push_back(static_cast<int>(k));
    for (std::size_t k = 0; k < mechanism.drives.size(); ++k) out.without_drives.push_back(static_cast<int>(k));
    return out;
  }

  AbsoluteEquations<G> rows_;
};

}  // namespace linkwork
