// Stabilisation by coordinate partitioning: the dependent coordinates are solved for inside every evaluation.
//
//   (1)  Phi(u, v) = 0  and  Phi_u u' + Phi_v v' + Phi_t = 0  for the dependent u, the independent v as they are
//   (2)  [ W  Phi_q^T ; Phi_q  0 ] [ d ; m ] = [ 0 ; -Phi ] with weights W that hold the independent ones, d_v = 0
//
// (2) uses the sparsity and the order of the equations of motion. Its weights hold v to 1e-6 of d_u; that share is left
// out, and the next sweep makes it good.                                          [docs/theory/01, eq. 1.40 to 1.42]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/absolute/absolute_work.hpp"
#include "linkwork/formulation/absolute/partition.hpp"
#include "linkwork/formulation/projection.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

namespace {

using absolute::at;

constexpr double kHold = 1e6;
constexpr int kMostSweeps = 12;
// Round-off of the solves: a remainder that gets no smaller is accepted up to this many times what counts as closed.
constexpr double kStalled = 1e4;

// Numbers that have nothing to do with each other, the same in every run.
class Mixer {
 public:
  double next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state_ >> 11U) * 0x1p-52 - 1.0;
  }

 private:
  std::uint64_t state_ = 0x9e3779b97f4a7c15ULL;
};

}  // namespace

template <class G>
int BasicAbsoluteSystem<G>::independentAtMost() const {
  return std::max(0, equations_.freedoms() - equations_.rows() + static_cast<int>(options_.doubtful_rows.size()));
}

template <class G>
std::string BasicAbsoluteSystem<G>::problem() const {
  if (options_.stabilisation != Stabilisation::partitioning || independentAtMost() <= kMostIndependent) return {};
  return fmt::format(
      "partitioning compares all motions that the joints allow, which is too slow for {} degrees of freedom (at most "
      "{}); take projection instead.",
      independentAtMost(), kMostIndependent);
}

template <class G>
std::span<const std::uint8_t> BasicAbsoluteSystem<G>::independent(const Workspace& work) const {
  return static_cast<const Work&>(work).now.independent;
}

// work.next, from t and x alone: any motion, brought to the nearest that the joints allow, as often as there are
// degrees of freedom, gives a basis of all allowed motions; the coordinates are picked from it.
template <class G>
void BasicAbsoluteSystem<G>::choosePartition(double t, std::span<const double> x, Work& work) const {
  work.next.chosen = false;
  factorRows(t, x, work);
  if (!allFinite(positionsOf(x)) || work.factored.singular_body >= 0) return;  // the evaluation will say so
  const std::size_t n = at(equations_.freedoms());
  const int count = equations_.freedoms() - equations_.rows() + work.factored.dropped_rows;
  work.basis.resize(n * at(count));
  work.direction.resize(at(count));
  const auto& entries = rows_.structure().mass_entries;
  Mixer mixer;
  for (int k = 0; k < count; ++k) {
    std::fill(work.f.begin(), work.f.end(), 0.0);
    std::fill(work.g.begin(), work.g.end(), 0.0);
    for (int b = 0; b < equations_.bodies(); ++b) {
      for (std::size_t e = 0; e < entries.size(); ++e) {
        const auto [row, column] = entries[e];
        if (row != column) continue;
        const double unit = row >= G::kDimension ? 1.0 : length_;
        work.f[at(G::kFreedoms * b + row)] = work.kkt.mass()[at(b) * entries.size() + e] * unit * mixer.next();
      }
    }
    work.kkt.solve(work.f, work.g);
    for (std::size_t u = 0; u < n; ++u) {
      work.basis[at(k) * n + u] = work.f[u] * (u % G::kFreedoms >= G::kDimension ? length_ : 1.0);
    }
  }
  chooseIndependent(work.basis, count, work.direction, work.next.independent);
  for (int r = 0; r < equations_.rows(); ++r) work.next.left_out[at(r)] = work.kkt.rowDropped(r) ? 1 : 0;
  work.next.chosen = true;
  work.next_t = t;
  std::copy_n(x.begin(), work.next_q.size(), work.next_q.begin());
}

template <class G>
void BasicAbsoluteSystem<G>::beginPartition(double t, std::span<const double> x, Work& work) const {
  const bool known =
      work.next.chosen && t == work.next_t && std::equal(work.next_q.begin(), work.next_q.end(), x.begin());
  if (!known) choosePartition(t, x, work);
  if (work.next.chosen) work.now = work.next;
}

// Factors (2) at the positions in work.eq.
template <class G>
void BasicAbsoluteSystem<G>::factorHeld(Work& work) const {
  KktSolver& kkt = *work.aside;
  const auto& entries = rows_.structure().mass_entries;
  for (int b = 0; b < equations_.bodies(); ++b) {
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const auto [row, column] = entries[e];
      const double unit = row >= G::kDimension ? length_ * length_ : 1.0;
      const double weight = unit * (work.now.independent[at(G::kFreedoms * b + row)] != 0 ? kHold : 1.0);
      kkt.mass()[at(b) * entries.size() + e] = row == column ? weight : 0.0;
    }
  }
  std::copy(work.eq.jacobian.begin(), work.eq.jacobian.end(), kkt.jacobian().begin());
  // No relative pivot is above 1: the rows that were left out where the step began are left out here too.
  kkt.factor({.doubtful_row = 2.0, .doubtful = work.now.left_out});
}

// work.f = the motion of the dependent coordinates that takes `rest` away.
template <class G>
void BasicAbsoluteSystem<G>::solveHeld(std::span<const double> rest, Work& work) const {
  std::fill(work.f.begin(), work.f.end(), 0.0);
  for (std::size_t r = 0; r < work.g.size(); ++r) work.g[r] = -rest[r];
  work.aside->solve(work.f, work.g);
  for (std::size_t u = 0; u < work.f.size(); ++u) {
    if (work.now.independent[u] != 0) work.f[u] = 0.0;
  }
}

template <class G>
Eval BasicAbsoluteSystem<G>::closePositions(double t, std::span<double> q, Work& work, bool& moved) const {
  double last = std::numeric_limits<double>::infinity();
  int worst = 0;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    equations_.positions(t, q, work.eq);
    if (!std::isfinite(rows_.drift(work.eq))) return work.failNotFinite(t);
    if (work.eq.left_curve >= 0) return work.fail(Work::Failure::left_curve, t, work.eq.left_curve, Eval::retry);
    double off = 0.0;
    double off_left_out = 0.0;  // what depends on the others must close with them
    for (std::size_t r = 0; r < work.eq.phi.size(); ++r) {
      const double own = std::abs(work.eq.phi[r]) * rows_.rowLength(static_cast<int>(r));
      double& greatest = work.now.left_out[r] != 0 ? off_left_out : off;
      if (own > std::max(off, off_left_out)) worst = static_cast<int>(r);
      greatest = std::max(greatest, own);
    }
    const double closed = kClosedRoundoff * largestCoordinate(q);
    if (off <= closed || (off > 0.5 * last && off <= kStalled * closed)) {
      const double misfit = kMisfitGrowth * options_.misfit * length_;
      if (off_left_out <= std::max(kStalled * closed, misfit)) return Eval::ok;
      break;
    }
    if (off > 4.0 * last) break;
    last = off;
    factorHeld(work);
    solveHeld(work.eq.phi, work);
    moveBy(work.f, q);
    moved = true;
  }
  return work.fail(Work::Failure::not_closed, t, worst, Eval::retry);
}

template <class G>
Eval BasicAbsoluteSystem<G>::closeVelocities(double t, std::span<double> v, Work& work, bool& moved) const {
  equations_.velocities(v, work.eq);
  double last = std::numeric_limits<double>::infinity();
  int worst = 0;
  double largest =
      0.0;  // so far: where all is at rest but for a velocity that closing takes away, round-off is of that
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    velocityResidual(v, work);
    largest = std::max(largest, normInf(v));
    double off = 0.0;
    for (std::size_t r = 0; r < work.velocity_residual.size(); ++r) {
      const double own = std::abs(work.velocity_residual[r]);
      if (work.now.left_out[r] != 0 || own <= off) continue;
      off = own;
      worst = static_cast<int>(r);
    }
    if (!std::isfinite(largest) || !std::isfinite(normInf(work.velocity_residual))) return work.failNotFinite(t);
    const double closed = kClosedRoundoff * largest;
    if (off <= closed || (off > 0.5 * last && off <= kStalled * closed)) return Eval::ok;
    if (off > 4.0 * last) break;
    last = off;
    if (sweep == 0) factorHeld(work);
    solveHeld(work.velocity_residual, work);
    for (std::size_t u = 0; u < v.size(); ++u) v[u] += work.f[u];
    moved = true;
  }
  return work.fail(Work::Failure::not_closed, t, worst, Eval::retry);
}

template <class G>
Eval BasicAbsoluteSystem<G>::close(double t, std::span<double> x, Work& work, bool& moved) const {
  if (equations_.rows() == 0) return Eval::ok;
  const auto q = x.first(at(equations_.coordinates()));
  const Eval eval = closePositions(t, q, work, moved);
  return eval != Eval::ok ? eval : closeVelocities(t, x.subspan(q.size(), at(equations_.freedoms())), work, moved);
}

template <class G>
Eval BasicAbsoluteSystem<G>::closeAfterStep(double t, std::span<double> x, Work& work, bool& changed) const {
  if (!work.now.chosen) beginPartition(t, x, work);
  std::copy(x.begin(), x.end(), work.closed.begin());
  bool moved = false;
  Eval eval = close(t, work.closed, work, moved);
  if (eval == Eval::retry) {  // a choice made for a state far from this one
    beginPartition(t, x, work);
    std::copy(x.begin(), x.end(), work.closed.begin());
    eval = close(t, work.closed, work, moved);
  }
  if (eval == Eval::ok && moved) std::copy(work.closed.begin(), work.closed.end(), x.begin());
  changed = changed || moved;
  if (eval != Eval::ok) return eval;
  choosePartition(t, x, work);
  if (work.next.chosen && work.next.independent != work.now.independent) ++work.repartitions;
  return Eval::ok;
}

template <class G>
Eval BasicAbsoluteSystem<G>::accelerationsPartitioned(double t, std::span<const double> x, Work& work) const {
  work.failure = Work::Failure::none;
  if (!allFinite(positionsOf(x)) || !allFinite(velocitiesOf(x))) {
    return work.fail(Work::Failure::state_not_finite, t, 0, Eval::retry);
  }
  if (!work.now.chosen) beginPartition(t, x, work);
  std::copy(x.begin(), x.end(), work.closed.begin());
  setTurns(x, work);
  bool moved = false;
  const Eval eval = close(t, work.closed, work, moved);
  return eval != Eval::ok ? eval : accelerationsHere(t, work.closed, work);
}

template int BasicAbsoluteSystem<Planar<double>>::independentAtMost() const;
template std::string BasicAbsoluteSystem<Planar<double>>::problem() const;
template std::span<const std::uint8_t> BasicAbsoluteSystem<Planar<double>>::independent(const Workspace&) const;
template void BasicAbsoluteSystem<Planar<double>>::beginPartition(double, std::span<const double>, Work&) const;
template Eval BasicAbsoluteSystem<Planar<double>>::closeAfterStep(double, std::span<double>, Work&, bool&) const;
template Eval BasicAbsoluteSystem<Planar<double>>::accelerationsPartitioned(double, std::span<const double>,
                                                                            Work&) const;
template int BasicAbsoluteSystem<Spatial<double>>::independentAtMost() const;
template std::string BasicAbsoluteSystem<Spatial<double>>::problem() const;
template std::span<const std::uint8_t> BasicAbsoluteSystem<Spatial<double>>::independent(const Workspace&) const;
template void BasicAbsoluteSystem<Spatial<double>>::beginPartition(double, std::span<const double>, Work&) const;
template Eval BasicAbsoluteSystem<Spatial<double>>::closeAfterStep(double, std::span<double>, Work&, bool&) const;
template Eval BasicAbsoluteSystem<Spatial<double>>::accelerationsPartitioned(double, std::span<const double>,
                                                                             Work&) const;

}  // namespace linkwork
