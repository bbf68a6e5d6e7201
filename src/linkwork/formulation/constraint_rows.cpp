#include "linkwork/formulation/constraint_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace linkwork {

namespace {

// Off the surface by `drift` (relative), a dependent row shows a pivot of the order drift^2; thirty covers the factor.
constexpr double kDriftFactor = 30.0;
// Farther off than by a misfit at its largest nothing is told by pivots: what projection brings back from there keeps
// its rows.
constexpr double kMostNoise = 1e-6;

// Of rows that repeat each other the order of elimination leaves out the last, also where that leaves one of the others
// all but dependent, as the motion turns it along those before it. Below this pivot (three hundredths of a row's
// length) another one is tried: an open joint e turns accelerations by e over the third power of that length.
constexpr double kPoorChoice = 1e-3;
constexpr int kMostExchanges = 4;
// Below this pivot of a row kept, those of rows that repeat others are round-off above their cut.
constexpr double kLiftsNoise = 1e-6;
// A row that takes another's place with this share in the dependence multiplies the pivots by its square.
constexpr double kWorthExchange = 2.0;
// Larger mechanisms keep what the order says: marks and shares of so many rows have room without allocation.
constexpr int kMostRows = 600;

struct Exchange {
  std::array<std::uint8_t, kMostRows> left_out{};
  std::array<double, kMostRows> share{};
};

std::array<std::uint8_t, kMostRows> filled() {
  std::array<std::uint8_t, kMostRows> out{};
  out.fill(1);
  return out;
}

// Of the rows left out that which repeats the nearest one to dependence most; -1 where none does so enough.
int insteadOf(int nearest, int rows, KktSolver& kkt, Exchange& scratch) {
  int instead = -1;
  double most = kWorthExchange;
  const std::span<double> share = std::span(scratch.share).first(at(rows));
  for (int r = 0; r < rows; ++r) {
    if (!kkt.rowDropped(r)) continue;
    kkt.dependence(r, share);
    if (!(std::abs(share[at(nearest)]) > most)) continue;
    most = std::abs(share[at(nearest)]);
    instead = r;
  }
  return instead;
}

// Another choice of rows to leave out, as many as before, with larger pivots.
KktSolver::Factored betterChoice(const KktSolver::Factored& first, double cut, int rows, KktSolver& kkt) {
  Exchange scratch;
  // No relative pivot is above 1: the rows marked are left out.
  const KktSolver::Cuts cuts{.row = cut, .doubtful_row = 2.0, .doubtful = std::span(scratch.left_out).first(at(rows))};
  for (int r = 0; r < rows; ++r) scratch.left_out[at(r)] = kkt.rowDropped(r) ? 1 : 0;
  KktSolver::Factored out = first;
  for (int k = 0; k < kMostExchanges && out.smallest_kept < kPoorChoice; ++k) {
    const int nearest = out.nearest_row;
    const int instead = insteadOf(nearest, rows, kkt, scratch);
    if (instead < 0) return out;
    std::swap(scratch.left_out[at(nearest)], scratch.left_out[at(instead)]);
    const KktSolver::Factored next = kkt.factor(cuts);
    if (next.dropped_rows != first.dropped_rows ||
        !(next.smallest_kept > kWorthExchange * kWorthExchange * out.smallest_kept)) {
      std::swap(scratch.left_out[at(nearest)], scratch.left_out[at(instead)]);
      return kkt.factor(cuts);
    }
    out = next;
  }
  return out;
}

}  // namespace

template <class G>
ConstraintRows<G>::ConstraintRows(const Mechanism& mechanism, const AbsoluteEquations<G>& equations, RowOptions options)
    : equations_(equations),
      options_(std::move(options)),
      structure_(kktStructure(equations)),
      doubtful_(at(equations.rows()), 0),
      length_(referenceLength(mechanism)) {
  reaction_length_ = options_.reaction_length > 0.0 ? options_.reaction_length : length_;
  for (const int row : options_.doubtful_rows) doubtful_[at(row)] = 1;
  for (const RowInfo& row : equations_.elements().row_info) {
    row_length_.push_back(row.unit == RowUnit::angle ? length_ : 1.0);
    reaction_scale_.push_back(row.unit == RowUnit::angle ? reaction_length_ : 1.0);
  }
}

template <class G>
KktSolver ConstraintRows<G>::makeSolver() const {
  KktSolver kkt(structure_);
  fillMass(equations_, kkt.mass());
  return kkt;
}

template <class G>
double ConstraintRows<G>::drift(const Pose& pose) const {
  double worst = 0.0;
  for (std::size_t r = 0; r < pose.phi.size(); ++r) {
    const double off = std::abs(pose.phi[r]) * row_length_[r];
    worst = std::isnan(off) ? off : std::max(worst, off);
  }
  return worst / length_;
}

template <class G>
double ConstraintRows<G>::enforcedDrift(const Pose& pose, const KktSolver& kkt) const {
  if (options_.misfit <= 0.0) return drift(pose);
  double worst = 0.0;
  for (std::size_t r = 0; r < pose.phi.size(); ++r) {
    const double off = std::abs(pose.phi[r]) * row_length_[r];
    const bool watched = doubtful_[r] != 0 && kkt.rowDropped(static_cast<int>(r));
    if (watched && off <= kMisfitGrowth * options_.misfit * length_) continue;
    worst = std::isnan(off) ? off : std::max(worst, off);
  }
  return worst / length_;
}

template <class G>
typename ConstraintRows<G>::Factored ConstraintRows<G>::factor(const Pose& pose, double cut, KktSolver& kkt,
                                                               RowLevel level) const {
  equations_.copyJacobian(pose, level, kkt.jacobian());
  // Lengths that do not fit lift the pivot by their misfit also in the poses where the rows happen to close.
  const double off = kDriftFactor * std::max(drift(pose), options_.misfit);
  const double doubtful = std::max(off * off, kDependentRow);
  KktSolver::Cuts cuts{.row = cut, .doubtful_row = doubtful, .doubtful = doubtful_};
  Factored out{kkt.factor(cuts), level};
  // Small pivots of the others lift those of rows that repeat them further, as they lift round-off.
  const double noise = std::min(off * off, kMostNoise);
  const int repeat = static_cast<int>(std::count(doubtful_.begin(), doubtful_.end(), std::uint8_t{1}));
  if (out.dropped_rows < repeat && noise > doubtful * out.smallest_kept) {
    cuts.doubtful_row = std::min(1.0, noise / out.smallest_kept);
    static_cast<KktSolver::Factored&>(out) = kkt.factor(cuts);
  }
  // Which rows repeat others is known from the start for one choice; where the order keeps another, nearly dependent
  // one, round-off hides in other rows.
  if (options_.misfit <= 0.0 && out.dropped_rows < repeat && out.smallest_kept < kLiftsNoise &&
      equations_.rows() <= kMostRows) {
    const std::array<std::uint8_t, kMostRows> all = filled();
    cuts.doubtful = std::span(all).first(at(equations_.rows()));
    static_cast<KktSolver::Factored&>(out) = kkt.factor(cuts);
  }
  // Where numbers do not quite fit, another choice has another motion: they stay with one.
  if (options_.misfit <= 0.0 && off * off < kMostNoise && out.dropped_rows > 0 && out.nearest_row >= 0 &&
      out.smallest_kept < kPoorChoice && equations_.rows() <= kMostRows && out.singular_body < 0) {
    static_cast<KktSolver::Factored&>(out) = betterChoice(out, cut, equations_.rows(), kkt);
  }
  if (equations_.velocityRows() == 0) return out;
  if (level == RowLevel::position) {
    out.dropped_rows -= equations_.velocityRows();
    return out;
  }
  for (int r = 0; r < equations_.rows(); ++r) {
    if (equations_.level(r) == RowLevel::velocity && kkt.rowDropped(r)) ++out.dropped_velocity_rows;
  }
  return out;
}

template <class G>
bool ConstraintRows<G>::lostRows(const KktSolver& /*kkt*/, const Factored& factored) const {
  if (factored.dropped_rows == 0) return false;
  // Which of rows that repeat each other are left out changes with the pose; not how many.
  int repeat = 0;
  for (int r = 0; r < equations_.rows(); ++r) {
    const bool there = factored.level == RowLevel::velocity || equations_.level(r) == RowLevel::position;
    if (there && doubtful(r)) ++repeat;
  }
  return factored.dropped_rows > repeat;
}

template <class G>
RowRank ConstraintRows<G>::rank(const Factored& factored) const {
  const int rank = equations_.rows() - factored.dropped_rows;
  return {rank, equations_.freedoms() - rank, factored.smallest_kept, factored.nearest_row,
          equations_.velocityRows() - factored.dropped_velocity_rows};
}

template <class G>
std::string ConstraintRows<G>::name(int row) const {
  return row < 0 ? std::string() : equations_.elements().row_info[at(row)].name;
}

template <class G>
RankReport ConstraintRows<G>::report(const KktSolver& kkt, const Factored& factored) const {
  return namedRank(
      equations_.rows(), rank(factored), factored.largest_dropped, equations_.rows(),
      [&](int r) { return kkt.rowDropped(r); }, [&](int r) { return name(r); });
}

template <class G>
std::vector<int> ConstraintRows<G>::dependent(const KktSolver& kkt) const {
  std::vector<int> rows;
  for (int r = 0; r < equations_.rows(); ++r) {
    if (kkt.rowDropped(r)) rows.push_back(r);
  }
  return rows;
}

template <class G>
double ConstraintRows<G>::times(int row, std::span<const double> v, const Pose& pose) const {
  const auto& start = equations_.rowStart();
  const auto& bodies = equations_.rowBodies();
  double sum = 0.0;
  for (int p = start[at(row)]; p < start[at(row) + 1]; ++p) {
    const double* block = &pose.jacobian[at(G::kFreedoms * p)];
    const double* rates = &v[at(G::kFreedoms * bodies[at(p)])];
    for (int k = 0; k < G::kFreedoms; ++k) sum += block[k] * rates[k];
  }
  return sum;
}

template <class G>
void ConstraintRows<G>::velocityResidual(std::span<const double> v, const Pose& pose, std::span<double> out) const {
  for (int r = 0; r < equations_.rows(); ++r) out[at(r)] = times(r, v, pose) - pose.minus_phi_t[at(r)];
}

template <class G>
RowBalance balanceOfRow(const AbsoluteEquations<G>& equations, int row, double wanted, std::span<const double> a,
                        const typename AbsoluteEquations<G>::Work& pose, double least) {
  const auto& start = equations.rowStart();
  const auto& bodies = equations.rowBodies();
  RowBalance out{wanted, std::abs(wanted) + least};
  for (int p = start[at(row)]; p < start[at(row) + 1]; ++p) {
    for (int k = 0; k < G::kFreedoms; ++k) {
      const double term = pose.jacobian[at(G::kFreedoms * p + k)] * a[at(G::kFreedoms * bodies[at(p)] + k)];
      out.rest -= term;
      out.size = std::max(out.size, std::abs(term));
    }
  }
  return out;
}

template <class G>
RowBalance ConstraintRows<G>::balance(int row, double wanted, std::span<const double> a, const Pose& pose) const {
  // Of the order of 1 m/s^2 or more is worth a word.
  return balanceOfRow(equations_, row, wanted, a, pose, length_ / row_length_[at(row)]);
}

template RowBalance balanceOfRow(const AbsoluteEquations<Planar<double>>&, int, double, std::span<const double>,
                                 const AbsoluteEquations<Planar<double>>::Work&, double);
template RowBalance balanceOfRow(const AbsoluteEquations<Spatial<double>>&, int, double, std::span<const double>,
                                 const AbsoluteEquations<Spatial<double>>::Work&, double);
template class ConstraintRows<Planar<double>>;
template class ConstraintRows<Spatial<double>>;

}  // namespace linkwork
