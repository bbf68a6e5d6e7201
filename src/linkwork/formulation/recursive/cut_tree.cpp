#include "linkwork/formulation/recursive/cut_tree.hpp"

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/massless_words.hpp"
#include "linkwork/formulation/projection.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

namespace {

// Of the mass that a link carries, in loops of the mechanism's (turns: by the reference length squared). A column that
// moves less than this has no inertia but what round-off left of it.
constexpr double kNoInertia = 1e-15;
// How far drift lifts the pivot of a dependent row, as in absolute coordinates.
constexpr double kDriftFactor = 30.0;

}  // namespace

template <class G>
CutTree<G>::CutTree(const Mechanism& mechanism, const TreePlan& plan, const RowOptions& options, double length,
                    const AbsoluteEquations<G>& all)
    : mechanism_(mechanism),
      equations_(mechanism, plan),
      tree_(equations_.tree()),
      cuts_(equations_.cuts()),
      length_(length),
      all_rows_(all.rows()),
      misfit_(options.misfit),
      doubtful_rows_(static_cast<int>(options.doubtful_rows.size())) {
  const auto& cut = cuts_.elements();
  if (cuts_.velocityRows() > 0) {
    for (const RowInfo& row : cut.row_info) last_.push_back(row.level == RowLevel::velocity ? 1 : 0);
    for (const int row : options.doubtful_rows) doubtful_velocity_rows_ += all.level(row) == RowLevel::velocity ? 1 : 0;
    doubtful_rows_ -= doubtful_velocity_rows_;
  }
  for (int r = 0; r < cut.rows; ++r) {
    row_length_.push_back(cut.row_info[at(r)].unit == RowUnit::length ? 1.0 : length_);
    std::vector<bool> on_path(tree_.links.size());
    for (int p = cuts_.rowStart()[at(r)]; p < cuts_.rowStart()[at(r) + 1]; ++p) {
      for (int k = tree_.link_of_body[at(cuts_.rowBodies()[at(p)])]; k >= 0; k = tree_.links[at(k)].parent) {
        on_path[at(k)] = true;
      }
    }
    std::vector<int>& path = row_path_.emplace_back();
    for (int k = tree_.size() - 1; k >= 0; --k) {
      if (on_path[at(k)]) path.push_back(k);
    }
  }
  double mass = 0.0;
  for (const TreeLink<G>& link : tree_.links) {
    mass += link.inertia.mass;
  }
  carried_mass_.resize(tree_.links.size());
  for (int k = tree_.size() - 1; k >= 0; --k) {
    carried_mass_[at(k)] += tree_.links[at(k)].inertia.mass;
    if (const int parent = tree_.links[at(k)].parent; parent >= 0) carried_mass_[at(parent)] += carried_mass_[at(k)];
  }
  // Round-off comes with what a link carries. What is in a loop is held by the others of it, heavy ones too, and can do
  // without inertia of its own.
  std::vector<bool> in_loop(tree_.links.size());
  for (const std::vector<int>& path : row_path_) {
    for (const int k : path) in_loop[at(k)] = true;
  }
  for (int k = 0; k < tree_.size(); ++k) {
    for (int c = 0; c < tree_.links[at(k)].columns; ++c) {
      const bool turns = c >= tree_.links[at(k)].slides;
      const double measure = in_loop[at(k)] ? mass : carried_mass_[at(k)];
      smallest_inertia_.push_back(kNoInertia * measure * (turns ? length_ * length_ : 1.0));
    }
  }
  body_inertia_.resize(at(cuts_.freedoms()));
  const double mean = mass > 0.0 ? mass / static_cast<double>(tree_.links.size()) : 1.0;
  for (const TreeLink<G>& link : tree_.links) {
    const auto values = G::massValues(link.inertia);
    for (int k = 0; k < G::kFreedoms; ++k) {
      const double like_others = k < G::kDimension ? mean : mean * length_ * length_;
      body_inertia_[at(G::kFreedoms * link.body + k)] = values[at(k)] > 0.0 ? values[at(k)] : like_others;
    }
  }
  planLoans(mean);
}

template <class G>
CutTree<G>::Work::Work(const CutTree& tree)
    : TreeEquations<G>::Work(tree.equations_),
      inertia(tree.tree_),
      solve(tree.tree_),
      forces(tree.tree_.links.size()),
      ldlt(tree.cuts_.rows()),
      row_parts(at(tree.cuts_.rows()) * tree.tree_.columns.size()),
      row_square(at(tree.cuts_.rows())),
      velocity(at(tree.cuts_.freedoms())),
      velocity_residual(row_square),
      rest(row_square),
      step(at(tree.tree_.freedoms)) {
  if (tree.lacksInertia()) massless = std::make_unique<Massless>(tree);
}

template <class G>
void CutTree<G>::setTurns(std::span<const double> x, Work& work) const {
  const auto turns = x.last(at(cuts_.turns()));
  std::copy(turns.begin(), turns.end(), work.eq.turns.begin());
}

template <class G>
bool CutTree<G>::factorMass(double t, Work& work) const {
  if (lacksInertia()) return factorLent(t, work);
  factorTree<G>(tree_, work.pk, work.inertia);
  return checkPivots(t, work);
}

template <class G>
bool CutTree<G>::checkPivots(double t, Work& work) const {
  for (std::size_t c = 0; c < tree_.columns.size(); ++c) {
    if (tree_.columns[c].freedom < 0 || work.inertia.pivot[c] > smallest_inertia_[c]) continue;
    if (!std::isfinite(work.inertia.pivot[c])) {
      (void)work.failNotFinite(t, work.eq);
    } else {
      work.fail(FailureNote::Failure::massless_body, t, tree_.columns[c].link, Eval::failed);
    }
    return false;
  }
  return true;
}

// Lambda = G M^-1 G^T by the way of each row to the ground. Needs factorMass.
template <class G>
void CutTree<G>::productsOfRows(SemidefiniteLdlt& out, Work& work) const {
  const std::size_t columns = tree_.columns.size();
  for (int r = 0; r < cuts_.rows(); ++r) {
    pushRow(r, work);
    const auto part = std::span(work.row_parts).subspan(at(r) * columns, columns);
    eliminateRow<G>(tree_, work.pk, work.inertia, row_path_[at(r)], work.forces, part);
    for (std::size_t c = 0; c < columns; ++c) {
      if (part[c] != 0.0) part[c] *= std::sqrt(work.inertia.inverse[c]);
    }
    for (int s = 0; s <= r; ++s) {
      const double* other = &work.row_parts[at(s) * columns];
      double sum = 0.0;
      for (std::size_t c = 0; c < columns; ++c) sum += part[c] * other[c];
      out(r, s) = sum;
    }
  }
  if (lacksInertia()) takeBackProducts(out, work);
}

// The forces of a row of the cuts on its links.
template <class G>
void CutTree<G>::pushRow(int row, Work& work) const {
  for (int p = cuts_.rowStart()[at(row)]; p < cuts_.rowStart()[at(row) + 1]; ++p) {
    typename G::RowBlock block;
    std::copy_n(&work.eq.jacobian[at(G::kFreedoms * p)], G::kFreedoms, block.begin());
    const int link = tree_.link_of_body[at(cuts_.rowBodies()[at(p)])];
    work.forces[at(link)] += linkForce<G>(tree_, work.pk, link, wrenchOf<G>(block, 1.0));
  }
}

// A row's distance from the others counts beside its length on bodies without joints: what the tree's joints forbid
// anyway leaves a row of round-off.
template <class G>
void CutTree<G>::decideRank(double cut, Work& work, RowLevel level) const {
  for (int r = 0; r < cuts_.rows(); ++r) {
    double square = 0.0;
    if (level == RowLevel::position && cuts_.level(r) == RowLevel::velocity) {
      work.row_square[at(r)] = 0.0;  // a row without length is left out
      continue;
    }
    for (int p = cuts_.rowStart()[at(r)]; p < cuts_.rowStart()[at(r) + 1]; ++p) {
      for (int k = 0; k < G::kFreedoms; ++k) {
        const double entry = work.eq.jacobian[at(G::kFreedoms * p + k)];
        square += entry * entry / body_inertia_[at(G::kFreedoms * cuts_.rowBodies()[at(p)] + k)];
      }
    }
    work.row_square[at(r)] = square;
  }
  const double off = kDriftFactor * std::max(drift(work), misfit_);
  work.level = level;
  work.factored = work.ldlt.factor({.row = cut,
                                    .doubtful = std::max(off * off, kDependentRow),
                                    .doubtful_rows = doubtful_rows_,
                                    .last = last_,
                                    .doubtful_last = doubtful_velocity_rows_},
                                   work.row_square);
  if (level == RowLevel::velocity) return;
  work.factored.dropped -= cuts_.velocityRows();
  work.factored.dropped_last = 0;
}

template <class G>
bool CutTree<G>::lostRows(const Work& work) const {
  const int doubtful = doubtful_rows_ + (work.level == RowLevel::velocity ? doubtful_velocity_rows_ : 0);
  return work.factored.dropped > doubtful;
}

template <class G>
bool CutTree<G>::factor(double t, double cut, Work& work, RowLevel level) const {
  work.factored = {};
  if (!factorMass(t, work)) return false;
  productsOfRows(work.ldlt, work);
  decideRank(cut, work, level);
  return true;
}

template <class G>
Eval CutTree<G>::cannotFactor(const Work& work) const {
  return work.failure == FailureNote::Failure::massless_body ? Eval::failed : Eval::retry;
}

template <class G>
void CutTree<G>::velocityResidual(Work& work) const {
  equations_.bodyVelocities(work, work.velocity);
  for (int r = 0; r < cuts_.rows(); ++r) {
    work.velocity_residual[at(r)] = equations_.timesRow(r, work.velocity, work) - work.eq.minus_phi_t[at(r)];
  }
}

template <class G>
RowRank CutTree<G>::factorRows(double t, std::span<const double> x, Work& work) const {
  if (!allFinite(positionsOf(x))) return rank({});
  setTurns(x, work);
  equations_.place(t, positionsOf(x), work);
  (void)factor(t, kDependentRow, work);
  return rank(work.factored);
}

template <class G>
double CutTree<G>::drift(const Work& work) const {
  double worst = 0.0;
  for (std::size_t r = 0; r < row_length_.size(); ++r) {
    const double off = std::abs(work.eq.phi[r]) * row_length_[r];
    worst = std::isnan(off) ? off : std::max(worst, off);
    if (std::isnan(worst)) return worst;
  }
  return worst / length_;
}

template <class G>
double CutTree<G>::enforcedDrift(const Work& work) const {
  double worst = 0.0;
  for (std::size_t r = 0; r < row_length_.size(); ++r) {
    const double off = std::abs(work.eq.phi[r]) * row_length_[r];
    if (work.ldlt.dropped(static_cast<int>(r)) && off <= kMisfitGrowth * misfit_ * length_) continue;
    worst = std::max(worst, off);
  }
  return worst / length_;
}

template <class G>
double CutTree<G>::largestCoordinate(const Work& work) const {
  double largest = length_;
  for (int b = 0; b < tree_.size(); ++b) {
    const auto& place = work.pk.body[at(b)];
    for (int c = 0; c < G::kDimension; ++c) largest = std::max(largest, std::abs(place.r[c]));
    if constexpr (!G::kSpatial) largest = std::max(largest, std::abs(place.angle) * length_);
  }
  return largest;
}

template <class G>
bool CutTree<G>::nearRankChange(const Work& work) const {
  return linkwork::nearRankChange(work.factored.smallest_kept, lostRows(work));
}

template <class G>
void CutTree<G>::motionOf(std::span<const double> impulses, Work& work) const {
  std::fill(work.loads.begin(), work.loads.end(), typename G::Wrench{});
  equations_.addReactions(impulses, work);
  for (int k = 0; k < tree_.size(); ++k) {
    work.solve.p[at(k)] = {};
    work.solve.p[at(k)] -= linkForce<G>(tree_, work.pk, k, work.loads[at(tree_.links[at(k)].body)]);
  }
  solveInwards<G>(tree_, work.pk, work.inertia, {}, {}, work.solve);
  if (lacksInertia()) takeBack(work);
  solveOutwards<G>(tree_, work.pk, work.inertia, {}, {}, work.solve, work.step);
}

template <class G>
void CutTree<G>::stepOf(std::span<double> rest, Work& work) const {
  work.ldlt.solve(rest);
  motionOf(rest, work);
  ++work.counts.projections;
}

template <class G>
Violation CutTree<G>::violation(double t, std::span<const double> x, Work& work) const {
  setTurns(x, work);
  equations_.place(t, positionsOf(x), work);
  equations_.move(velocitiesOf(x), work);
  velocityResidual(work);
  Violation out;
  for (std::size_t r = 0; r < work.velocity_residual.size(); ++r) {
    out.position += work.eq.phi[r] * work.eq.phi[r];
    out.velocity += work.velocity_residual[r] * work.velocity_residual[r];
  }
  out.position = std::sqrt(out.position);
  out.velocity = std::sqrt(out.velocity);
  return out;
}

template <class G>
struct CutTree<G>::Words {
  const CutTree& tree;
  const Work& work;

  std::string owner(int row) const { return ownerOfRow(tree.cuts_.elements(), row); }
  std::string name(int row) const { return tree.rowName(row); }
  double phi(int row) const { return work.eq.phi[at(row)]; }
  RankReport report() const { return tree.report(work); }
  std::string massless(int link) const {
    const int body = tree.tree_.links[at(link)].body;
    if (tree.carried_mass_[at(link)] > 0.0) {
      const MasslessWords words = masslessWords(tree.mechanism_, body, "");
      return fmt::format("{}, or use the formulation absolute", fmt::format("{}; {}", words.problem, words.hint));
    }
    return fmt::format(
        "body \"{}\" and what it carries have no inertia in a direction in which its joint of the tree leaves it free; "
        "give it a mass and an inertia, or use the formulation absolute",
        tree.mechanism_.bodies[at(body)].name);
  }
  std::string contradiction(int row) const { return contradictionFailure(owner(row), "the other constraints"); }
};

template <class G>
std::string CutTree<G>::describeFailure(const Work& work) const {
  return failureWords(work, mechanism_, cuts_.elements(), Words{*this, work});
}

template <class G>
RowRank CutTree<G>::rank(const SemidefiniteLdlt::Factored& factored) const {
  return {all_rows_ - factored.dropped, tree_.freedoms - cuts_.rows() + factored.dropped, factored.smallest_kept,
          factored.nearest_row, cuts_.velocityRows() - factored.dropped_last};
}

template <class G>
std::string CutTree<G>::rowName(int row) const {
  return row < 0 ? std::string() : cuts_.elements().row_info[at(row)].name;
}

template <class G>
RankReport CutTree<G>::report(const Work& work) const {
  return namedRank(
      all_rows_, rank(work.factored), work.factored.largest_dropped, cuts_.rows(),
      [&](int r) { return work.ldlt.dropped(r); }, [&](int r) { return rowName(r); });
}

template class CutTree<Planar<double>>;
template class CutTree<Spatial<double>>;

}  // namespace linkwork
