// Trees with links that have no inertia of their own: what a cut holds needs none. The tree's mass matrix is then
// singular, but with the cut rows G that touch such a link
//
//   (1)  (M + rho G^T G) u' = f + rho G^T gamma + G^T lambda,  G u' = gamma
//
// has the solution of M u' = f + G^T lambda, G u' = gamma, whatever rho is, and a definite matrix as soon as every
// motion that the cuts allow has inertia: a motion without any moves only links that lack it, and no row but theirs
// could forbid it. The links are lent inertia D like that of the others, S being their velocities by u, so that the
// sweeps along the tree serve, and what was lent is taken back by a small matrix beside them (Woodbury):
//
//   (2)  M + rho G^T G = P + U^T s U,   P = M + S^T D S,  U = [D^1/2 S; rho^1/2 G],  s = diag(-1, 1)
//   (3)  (P + U^T s U)^-1 r = x - P^-1 U^T C^-1 U x,   x = P^-1 r,  C = s + U P^-1 U^T
//   (4)  of C, parted into lent (l) and held (h):
//        H = 1 + C_hh', N = 1 - C_ll' + C_lh H^-1 C_hl, both definite;
//        N is the share of what a lent motion moves that is the links' own
//                                                                                          [docs/theory/07, eq. 7.11]
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "linkwork/formulation/recursive/cut_tree.hpp"
#include "linkwork/linalg/as_vector.hpp"

namespace linkwork {

namespace {

bool lacksMass(const auto& body) { return body.mass <= 0.0; }
bool lacksMoment(const Planar<double>::Inertia& body) { return body.inertia <= 0.0; }
bool lacksMoment(const Spatial<double>::Inertia& body) {
  Eigen::Matrix3d J;
  J << body.xx, body.xy, body.xz, body.xy, body.yy, body.yz, body.xz, body.yz, body.zz;
  const Eigen::Vector3d moments =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(J, Eigen::EigenvaluesOnly).eigenvalues();
  return moments[0] <= 1e-12 * moments[2] || moments[2] <= 0.0;
}

// A share below this is round-off: nothing resists that motion.
constexpr double kNoInertia = 1e-13;

// What is lent, about the link's origin in the axes of its sweeps.
LinkAxes<Planar<double>>::Rigid lentAbout(const TreeLink<Planar<double>>& /*link*/, const Vec2<double>& centre,
                                          double mass, double inertia) {
  return {mass, centre * mass, inertia + mass * dot(centre, centre)};
}
LinkAxes<Spatial<double>>::Rigid lentAbout(const TreeLink<Spatial<double>>& link, const Vec3<double>& /*centre*/,
                                           double mass, double inertia) {
  Spatial<double>::Inertia about_centre;
  about_centre.xx = about_centre.yy = about_centre.zz = inertia;
  return {mass, link.centre * mass, LinkAxes<Spatial<double>>::shifted(about_centre, link.centre, mass)};
}

}  // namespace

template <class G>
CutTree<G>::Massless::Massless(const CutTree& tree)
    : own(tree.lent_.size()),
      held_by(static_cast<Eigen::Index>(tree.held_rows_.size()), tree.tree_.freedoms),
      parts(static_cast<Eigen::Index>(tree.tree_.columns.size()),
            static_cast<Eigen::Index>(tree.lent_rows_.size() + tree.held_rows_.size())),
      part(tree.tree_.columns.size()),
      left(parts.rows()),
      products(parts.cols(), parts.cols()),
      shared(parts.cols(), tree.cuts_.rows()),
      settled(shared),
      small(parts.cols()),
      right(tree.tree_.freedoms),
      loads(tree.tree_.links.size()) {}

// Which links lack inertia, what they are lent, and the rows of cuts that touch them.
template <class G>
void CutTree<G>::planLoans(double mean_mass) {
  std::vector<bool> lacks(tree_.links.size());  // by body
  for (int k = 0; k < tree_.size(); ++k) {
    const TreeLink<G>& link = tree_.links[at(k)];
    const bool mass = lacksMass(link.inertia);
    const bool moment = lacksMoment(link.inertia);
    if (!mass && !moment) continue;
    lacks[at(link.body)] = true;
    lent_.push_back({k, mass ? mean_mass : 0.0, moment ? mean_mass * length_ * length_ : 0.0, {}});
    for (int up = k; up >= 0; up = tree_.links[at(up)].parent) lent_.back().path.push_back(up);
    for (int axis = 0; axis < G::kFreedoms; ++axis) {
      const double amount = axis < G::kDimension ? lent_.back().mass : lent_.back().inertia;
      if (amount > 0.0) lent_rows_.push_back({static_cast<int>(lent_.size()) - 1, axis, std::sqrt(amount)});
    }
  }
  for (int r = 0; r < cuts_.rows(); ++r) {
    bool touches = false;
    for (int p = cuts_.rowStart()[at(r)]; p < cuts_.rowStart()[at(r) + 1]; ++p) {
      const int body = cuts_.rowBodies()[at(p)];
      touches = touches || (at(body) < lacks.size() && lacks[at(body)]);
    }
    if (touches) held_rows_.push_back({r, std::sqrt(mean_mass) * row_length_[at(r)]});
  }
}

// P's factors in work.inertia, then U and (4); false when nothing resists a motion.
template <class G>
bool CutTree<G>::factorLent(double t, Work& work) const {
  Massless& m = *work.massless;
  for (std::size_t i = 0; i < lent_.size(); ++i) {
    const Loan& loan = lent_[i];
    m.own[i] = work.pk.rigid[at(loan.link)];
    work.pk.rigid[at(loan.link)] +=
        lentAbout(tree_.links[at(loan.link)], work.pk.centre[at(loan.link)], loan.mass, loan.inertia);
  }
  factorTree<G>(tree_, work.pk, work.inertia);
  for (std::size_t i = 0; i < lent_.size(); ++i) work.pk.rigid[at(lent_[i].link)] = m.own[i];
  if (!checkPivots(t, work)) return false;

  m.held_by.setZero();
  Eigen::Index row = 0;
  for (const LentRow& lent : lent_rows_) {
    const Loan& loan = lent_[at(lent.loan)];
    typename G::RowBlock block{};
    block[at(lent.axis)] = 1.0;
    work.forces[at(loan.link)] += linkForce<G>(tree_, work.pk, loan.link, wrenchOf<G>(block, 1.0));
    takePart(row++, lent.scale, loan.path, work);
  }
  for (std::size_t i = 0; i < held_rows_.size(); ++i) {
    const HeldRow& held = held_rows_[i];
    equations_.addRow(held.row, work, {m.held_by.row(static_cast<Eigen::Index>(i)).data(), at(tree_.freedoms)});
    pushRow(held.row, work);
    takePart(row++, held.scale, row_path_[at(held.row)], work);
  }
  return factorSmall(t, work);
}

// L^-1 of a row of U, whose forces are in work.forces.
template <class G>
void CutTree<G>::takePart(Eigen::Index row, double scale, std::span<const int> path, Work& work) const {
  Massless& m = *work.massless;
  std::fill(m.part.begin(), m.part.end(), 0.0);
  eliminateRow<G>(tree_, work.pk, work.inertia, path, work.forces, m.part);
  for (std::size_t c = 0; c < m.part.size(); ++c) {
    const double part = m.part[c];
    m.parts(static_cast<Eigen::Index>(c), row) = part == 0.0 ? 0.0 : scale * part * std::sqrt(work.inertia.inverse[c]);
  }
}

// (4). Products are of few rows: lazily, without the preparations that pay for large ones.
template <class G>
bool CutTree<G>::factorSmall(double t, Work& work) const {
  Massless& m = *work.massless;
  const auto l = static_cast<Eigen::Index>(lent_rows_.size());
  const Eigen::Index h = m.parts.cols() - l;
  m.products = m.parts.transpose().lazyProduct(m.parts);
  m.kept = -m.products.topLeftCorner(l, l);
  m.kept.diagonal().array() += 1.0;
  if (h > 0) {
    m.held_matrix = m.products.bottomRightCorner(h, h);
    m.held_matrix.diagonal().array() += 1.0;
    m.held.compute(m.held_matrix);
    m.through = m.products.bottomLeftCorner(h, l);
    m.held.solveInPlace(m.through);
    m.kept += m.products.topRightCorner(l, h).lazyProduct(m.through);
  }
  m.own_share.compute(m.kept);
  const auto pivots = m.own_share.matrixLLT().diagonal();
  for (Eigen::Index k = 0; k < l; ++k) {
    if (m.own_share.info() == Eigen::Success && pivots[k] * pivots[k] > kNoInertia) continue;
    const int link = lent_[at(lent_rows_[static_cast<std::size_t>(k)].loan)].link;
    work.fail(FailureNote::Failure::massless_body, t, link, Eval::failed);
    return false;
  }
  return true;
}

// C^-1 y in place, column by column.
template <class G>
template <class Columns>
void CutTree<G>::solveSmall(const Massless& m, Columns&& y) const {
  const auto l = static_cast<Eigen::Index>(lent_rows_.size());
  const Eigen::Index h = m.parts.cols() - l;
  for (Eigen::Index column = 0; column < y.cols(); ++column) {
    auto lent = y.col(column).head(l);
    auto held = y.col(column).tail(h);
    if (h > 0) lent.noalias() -= m.through.transpose() * held;
    m.own_share.solveInPlace(lent);
    lent = -lent;
    if (h == 0) continue;
    held.noalias() -= m.products.bottomLeftCorner(h, l) * lent;
    m.held.solveInPlace(held);
  }
}

// (3) between the sweeps: with P = L L^T what the one inwards leaves is L^-1 r, column by column e / sqrt(d), so that
//   L^T x = L^-1 r - (L^-1 U^T) C^-1 (L^-1 U^T)^T L^-1 r
template <class G>
void CutTree<G>::takeBack(Work& work) const {
  Massless& m = *work.massless;
  const auto columns = static_cast<Eigen::Index>(tree_.columns.size());
  for (Eigen::Index c = 0; c < columns; ++c) {
    const auto k = static_cast<std::size_t>(c);
    m.left[c] = tree_.columns[k].freedom < 0 ? 0.0 : work.solve.e[k] * std::sqrt(work.inertia.inverse[k]);
  }
  m.small.noalias() = m.parts.transpose() * m.left;
  solveSmall(m, m.small);
  m.left.noalias() = m.parts * m.small;
  for (Eigen::Index c = 0; c < columns; ++c) {
    const auto k = static_cast<std::size_t>(c);
    if (tree_.columns[k].freedom >= 0) work.solve.e[k] -= m.left[c] * std::sqrt(work.inertia.pivot[k]);
  }
}

// U P^-1 G^T, and what (3) takes from the products of all rows.
template <class G>
void CutTree<G>::takeBackProducts(SemidefiniteLdlt& out, Work& work) const {
  Massless& m = *work.massless;
  const Eigen::Map<const Eigen::MatrixXd> rows(work.row_parts.data(), m.parts.rows(), cuts_.rows());
  m.shared = m.parts.transpose().lazyProduct(rows);
  m.settled = m.shared;
  solveSmall(m, m.settled);
  for (int r = 0; r < cuts_.rows(); ++r) {
    for (int s = 0; s <= r; ++s) out(r, s) -= m.shared.col(r).dot(m.settled.col(s));
  }
}

template <class G>
void CutTree<G>::solveHeld(std::span<const double> rest, std::span<double> x, Work& work) const {
  Massless& m = *work.massless;
  for (std::size_t i = 0; i < held_rows_.size(); ++i) {
    const HeldRow& held = held_rows_[i];
    m.right += held.scale * held.scale * rest[at(held.row)] * m.held_by.row(static_cast<Eigen::Index>(i)).transpose();
  }
  std::fill(work.solve.p.begin(), work.solve.p.end(), typename LinkAxes<G>::Force{});
  solveInwards<G>(tree_, work.pk, work.inertia, {m.right.data(), x.size()}, {}, work.solve);
  takeBack(work);
  solveOutwards<G>(tree_, work.pk, work.inertia, {}, {}, work.solve, x);
}

template CutTree<Planar<double>>::Massless::Massless(const CutTree&);
template void CutTree<Planar<double>>::planLoans(double);
template bool CutTree<Planar<double>>::factorLent(double, Work&) const;
template void CutTree<Planar<double>>::takePart(Eigen::Index, double, std::span<const int>, Work&) const;
template bool CutTree<Planar<double>>::factorSmall(double, Work&) const;
template void CutTree<Planar<double>>::takeBack(Work&) const;
template void CutTree<Planar<double>>::takeBackProducts(SemidefiniteLdlt&, Work&) const;
template void CutTree<Planar<double>>::solveHeld(std::span<const double>, std::span<double>, Work&) const;
template CutTree<Spatial<double>>::Massless::Massless(const CutTree&);
template void CutTree<Spatial<double>>::planLoans(double);
template bool CutTree<Spatial<double>>::factorLent(double, Work&) const;
template void CutTree<Spatial<double>>::takePart(Eigen::Index, double, std::span<const int>, Work&) const;
template bool CutTree<Spatial<double>>::factorSmall(double, Work&) const;
template void CutTree<Spatial<double>>::takeBack(Work&) const;
template void CutTree<Spatial<double>>::takeBackProducts(SemidefiniteLdlt&, Work&) const;
template void CutTree<Spatial<double>>::solveHeld(std::span<const double>, std::span<double>, Work&) const;

}  // namespace linkwork
