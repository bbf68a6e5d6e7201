#include "linkwork/formulation/recursive/tree_equations.hpp"

#include <algorithm>

#include "linkwork/recursion/articulated.hpp"

namespace linkwork {

namespace {

RowFilter heldByTree(const TreePlan& plan) {
  RowFilter filter;
  for (const PlannedLink& link : plan.links) {
    if (link.joint >= 0) filter.without_joints.push_back(link.joint);
    if (link.angle_drive >= 0) filter.without_drives.push_back(link.angle_drive);
    if (link.slide_drive >= 0) filter.without_drives.push_back(link.slide_drive);
  }
  return filter;
}

}  // namespace

TreePlan planRecursiveTree(const Mechanism& mechanism, const std::vector<RowGroup>& groups) {
  return planTree(mechanism, groups, {canCarry, DrivenJoints::follow});
}
TreePlan planRecursiveTree(const Mechanism& mechanism) {
  if (mechanism.space == Space::planar)
    return planRecursiveTree(mechanism, compileElements<Planar<double>>(mechanism).groups);
  return planRecursiveTree(mechanism, compileElements<Spatial<double>>(mechanism).groups);
}

template <class G>
TreeEquations<G>::TreeEquations(const Mechanism& mechanism, const TreePlan& plan)
    : tree_(makeTree<G>(mechanism, plan.links)),
      cuts_(mechanism, heldByTree(plan)),
      prescribes_(
          std::any_of(tree_.columns.begin(), tree_.columns.end(), [](const TreeColumn& c) { return c.freedom < 0; })) {}

template <class G>
TreeEquations<G>::Work::Work(const TreeEquations& equations)
    : eq(equations.cuts_.makeWork()), pk(equations.tree_), vk(equations.tree_), loads(equations.tree_.links.size()) {}

template <class G>
void TreeEquations<G>::place(const T& t, std::span<const T> q, Work& work) const {
  cuts_.prescribe(t, work.eq);
  positionKinematics<G>(tree_, q, work.eq.motions, work.pk);
  std::copy_n(work.pk.body.begin(), tree_.size(), work.eq.x.begin());
  cuts_.positions(t, work.eq);
}

template <class G>
void TreeEquations<G>::move(std::span<const T> u, Work& work) const {
  velocityKinematics<G>(tree_, work.pk, u, work.eq.motions, work.vk);
  std::copy_n(work.vk.body.begin(), tree_.size(), work.eq.v.begin());
  cuts_.velocities(work.eq);
}

template <class G>
void TreeEquations<G>::moveLinks(std::span<const typename LinkAxes<G>::Motion> V, Work& work) const {
  takeVelocities<G>(tree_, work.pk, V, work.vk);
  std::copy_n(work.vk.body.begin(), tree_.size(), work.eq.v.begin());
  cuts_.velocities(work.eq);
}

template <class G>
void TreeEquations<G>::forces(Work& work) const {
  cuts_.forces(work.eq);
  for (const TreeLink<G>& link : tree_.links) {
    work.loads[at(link.body)] = work.eq.Q[at(link.body)];
    work.loads[at(link.body)] += -G::gyroscopic(link.inertia, work.vk.body[at(link.body)]);
  }
}

template <class G>
void TreeEquations<G>::addReactions(std::span<const T> lambda, Work& work) const {
  for (int r = 0; r < cuts_.rows(); ++r) {
    for (int p = cuts_.rowStart()[at(r)]; p < cuts_.rowStart()[at(r) + 1]; ++p) {
      typename G::RowBlock block;
      std::copy_n(&work.eq.jacobian[at(G::kFreedoms * p)], G::kFreedoms, block.begin());
      work.loads[at(cuts_.rowBodies()[at(p)])] += wrenchOf<G>(block, lambda[at(r)]);
    }
  }
}

template <class G>
typename G::Scalar TreeEquations<G>::timesRow(int row, std::span<const T> v, const Work& work) const {
  T sum(0.0);
  for (int p = cuts_.rowStart()[at(row)]; p < cuts_.rowStart()[at(row) + 1]; ++p) {
    const T* block = &work.eq.jacobian[at(G::kFreedoms * p)];
    const T* rates = &v[at(G::kFreedoms * cuts_.rowBodies()[at(p)])];
    for (int k = 0; k < G::kFreedoms; ++k) sum += block[k] * rates[k];
  }
  return sum;
}

template <class G>
void TreeEquations<G>::addRow(int row, const Work& work, std::span<T> out) const {
  for (int p = cuts_.rowStart()[at(row)]; p < cuts_.rowStart()[at(row) + 1]; ++p) {
    typename G::RowBlock block;
    std::copy_n(&work.eq.jacobian[at(G::kFreedoms * p)], G::kFreedoms, block.begin());
    addJointRow<G>(tree_, work.pk, cuts_.rowBodies()[at(p)], block, out);
  }
}

template <class G>
void TreeEquations<G>::bodyVelocities(const Work& work, std::span<T> v) const {
  for (int b = 0; b < tree_.size(); ++b) {
    const auto& rate = work.vk.body[at(b)];
    G::put({rate.v, rate.w}, v.subspan(at(G::kFreedoms * b), G::kFreedoms));
  }
}

template <class G>
void TreeEquations<G>::bodyAccelerations(std::span<const typename LinkAxes<G>::Motion> A, const Work& work,
                                         std::span<T> a) const {
  for (int k = 0; k < tree_.size(); ++k) {
    const auto own = bodyAcceleration<G>(tree_, work.pk, work.vk, k, A[at(k)]);
    G::put({own.v, own.w}, a.subspan(at(G::kFreedoms * tree_.links[at(k)].body), G::kFreedoms));
  }
}

template <class G>
typename G::Scalar TreeEquations<G>::drivePower(std::span<const typename LinkAxes<G>::Force> F,
                                                const Work& work) const {
  T power(0.0);
  if (!prescribes_) return power;
  for (std::size_t c = 0; c < tree_.columns.size(); ++c) {
    const TreeColumn& column = tree_.columns[c];
    if (column.freedom >= 0) continue;
    power += along(column, work.pk.s[c], F[at(column.link)]) * work.eq.motions[at(column.motion)].fdot;
  }
  return power;
}

template class TreeEquations<Planar<double>>;
template class TreeEquations<Spatial<double>>;
template class TreeEquations<Planar<Dual<8>>>;
template class TreeEquations<Spatial<Dual<8>>>;

}  // namespace linkwork
