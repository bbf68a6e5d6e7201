#include "linkwork/system/mechanical_dae.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <numeric>

#include "linkwork/base/contract.hpp"
#include "linkwork/base/index.hpp"
#include "linkwork/system/sparse_shifted_solve.hpp"

namespace linkwork {

namespace {

using Vector = Eigen::VectorXd;
using ConstMap = Eigen::Map<const Vector>;
using Triplets = std::vector<Eigen::Triplet<double>>;

// A motion of this size (m, rad) changes velocity rows by far more than round-off and by far less than their curvature.
constexpr double kDifference = 1e-7;

ConstMap mapOf(std::span<const double> values) { return {values.data(), static_cast<Eigen::Index>(values.size())}; }
std::span<const double> spanOf(const Vector& values) {
  return {values.data(), static_cast<std::size_t>(values.size())};
}

// With a factor for each entry, by its row and column in the block; those with a factor of zero are left out.
template <class Factor>
  requires std::invocable<Factor, int, int>
void add(Triplets& out, int row, int column, const SparseMatrix& block, const Factor& factor) {
  for (int k = 0; k < block.outerSize(); ++k) {
    for (SparseMatrix::InnerIterator entry(block, k); entry; ++entry) {
      const int i = static_cast<int>(entry.row());
      const double by = factor(i, k);
      if (by != 0.0) out.emplace_back(row + i, column + k, by * entry.value());
    }
  }
}
void add(Triplets& out, int row, int column, const SparseMatrix& block, double factor = 1.0) {
  add(out, row, column, block, [factor](int, int) { return factor; });
}

bool isIdle(const MechanicalValues& values, int r) { return !values.idle.empty() && values.idle[at(r)] != 0; }

// The equation 0 = lambda_r (or mu) of a row that may not act, in a pattern that does not depend on whether it does.
void addIdle(Triplets& out, int place, const MechanicalValues& values, int r) {
  if (!values.idle.empty()) out.emplace_back(place, place, values.idle[at(r)] != 0 ? 1.0 : 0.0);
}

// Columns without a common row get one colour.
std::vector<std::vector<int>> colourColumns(const SparseMatrix& pattern) {
  std::vector<std::vector<int>> colours;
  std::vector<std::vector<char>> taken;  // of each colour, by row
  for (int k = 0; k < pattern.outerSize(); ++k) {
    const auto fits = [&](const std::vector<char>& rows) {
      for (SparseMatrix::InnerIterator entry(pattern, k); entry; ++entry) {
        if (rows[static_cast<std::size_t>(entry.row())] != 0) return false;
      }
      return true;
    };
    const auto place = static_cast<std::size_t>(std::find_if(taken.begin(), taken.end(), fits) - taken.begin());
    if (place == taken.size()) {
      taken.emplace_back(static_cast<std::size_t>(pattern.rows()), 0);
      colours.emplace_back();
    }
    colours[place].push_back(k);
    for (SparseMatrix::InnerIterator entry(pattern, k); entry; ++entry) {
      taken[place][static_cast<std::size_t>(entry.row())] = 1;
    }
  }
  return colours;
}

}  // namespace

struct MechanicalDae::Work final : Workspace {
  std::unique_ptr<Workspace> mechanical, index_one;
  MechanicalValues values, moved;
  MechanicalTangent tangent;
  PositionChart chart;
  Vector rate, mu, motion;      // v + Phi_q^T mu, mu of all rows, and a small motion
  Vector acceleration;          // where M depends on q
  std::vector<double> x_moved;  // a state beside the one looked at
  SparseMatrix velocity_by_motion;
  std::vector<std::vector<int>> colours;
  Triplets triplets;
  enum class Last { mechanical, index_one, singular } last = Last::mechanical;
};

MechanicalDae::MechanicalDae(const MechanicalSystem& mechanical, const OdeSystem& index_one, DaeKind kind)
    : mechanical_(mechanical),
      index_one_(index_one),
      kind_(kind),
      space_(mechanical.space()),
      rows_(mechanical.rows()),
      laws_(mechanical.laws()),
      constant_mass_(mechanical.constantMass() != nullptr) {
  expect(index_one.space().size() == space_.size(), "MechanicalDae: the index-1 system has other states");
  for (int r = 0; r < rows_; ++r) {
    (mechanical_.level(r) == RowLevel::position ? position_rows_ : velocity_rows_).push_back(r);
    expect(hard(r) || mechanical_.level(r) == RowLevel::position, "MechanicalDae: a compliant row needs a Phi");
    any_relaxation_ = any_relaxation_ || (!hard(r) && laws_[at(r)].relaxation != 0.0);
  }
  findQuaternions();
  algebraic_ = nuAt() - space_.size() + static_cast<int>(quaternions_.size());
  index_.assign(at(space_.size() + algebraic_), 2);  // mu, nu and, in ggl, lambda
  std::fill_n(index_.begin(), space_.size(), 1);
  if (kind_ == DaeKind::index3) {
    std::fill_n(index_.begin() + space_.velocityOffset(), space_.velocities(), 2);
    // A row with some compliance would be of index 1, but with little of it behaves as a hard one does: its lambda is
    // beyond what an error test could ask for.
    for (const int r : position_rows_) index_[at(lambdaAt() + r)] = 3;
  }
  Triplets entries;
  for (int k = 0; k < space_.positions(); ++k) entries.emplace_back(k, k, 1.0);
  if (constant_mass_) {
    add(entries, space_.velocityOffset(), space_.velocityOffset(), *mechanical_.constantMass());
  } else {
    for (int k = space_.velocityOffset(); k < space_.quadratureOffset(); ++k) entries.emplace_back(k, k, 1.0);
  }
  for (int k = space_.quadratureOffset(); k < space_.size(); ++k) entries.emplace_back(k, k, 1.0);
  B_.resize(space_.size() + algebraic_, space_.size() + algebraic_);
  B_.setFromTriplets(entries.begin(), entries.end());
}

// Positions that one velocity moves together belong together; where they are one more than the velocities that move
// them, they are a unit quaternion. Looked at in a place without chance zeros.
void MechanicalDae::findQuaternions() {
  const int nq = space_.positions();
  if (nq == space_.velocities()) return;
  std::vector<double> q(at(nq));
  std::vector<double> v(at(space_.velocities()), 1.0);
  for (int k = 0; k < nq; ++k) q[at(k)] = 1.0 + 0.1 * std::sin(1.0 + k);
  PositionChart chart;
  mechanical_.chart(q, v, chart);
  std::vector<int> parent(at(nq));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&parent](int k) {
    while (parent[at(k)] != k) k = parent[at(k)] = parent[at(parent[at(k)])];
    return k;
  };
  std::vector<int> moved_first(at(space_.velocities()), -1);
  for (int column = 0; column < chart.T.outerSize(); ++column) {
    int& first = moved_first[at(column)];
    for (SparseMatrix::InnerIterator entry(chart.T, column); entry; ++entry) {
      if (entry.value() == 0.0) continue;
      if (first < 0) first = static_cast<int>(entry.row());
      parent[at(root(static_cast<int>(entry.row())))] = root(first);
    }
  }
  std::vector<int> surplus(at(nq), 0);  // of each root: positions less velocities
  for (int k = 0; k < nq; ++k) ++surplus[at(root(k))];
  for (const int first : moved_first) {
    if (first >= 0) --surplus[at(root(first))];
  }
  std::vector<int> place(at(nq), -1);
  for (int k = 0; k < nq; ++k) {
    const int r = root(k);
    if (surplus[at(r)] != 1) continue;
    if (place[at(r)] < 0) {
      place[at(r)] = static_cast<int>(quaternions_.size());
      quaternions_.emplace_back();
    }
    quaternions_[at(place[at(r)])].entries.push_back(k);
  }
  expect(static_cast<int>(quaternions_.size()) == nq - space_.velocities(),
         "MechanicalDae: positions beyond the velocities must be unit quaternions");
}

std::unique_ptr<Workspace> MechanicalDae::makeWorkspace() const {
  auto work = std::make_unique<Work>();
  work->mechanical = mechanical_.makeWorkspace();
  work->index_one = index_one_.makeWorkspace();
  work->x_moved.resize(at(space_.size()));
  work->motion.setZero(space_.velocities());
  return work;
}

Eval MechanicalDae::evaluate(double t, std::span<const double> x, const Modes& modes, Work& work) const {
  work.last = Work::Last::mechanical;
  const Eval eval = mechanical_.values(t, x, modes, *work.mechanical, work.values);
  if (work.values.phi_q.cols() != space_.velocities()) work.values.phi_q.resize(rows_, space_.velocities());  // no rows
  return eval;
}

// work.rate = v + Phi_q^T mu
void MechanicalDae::setRate(std::span<const double> y, Work& work) const {
  work.rate = mapOf(y.subspan(at(space_.velocityOffset()), at(space_.velocities())));
  if (kind_ != DaeKind::ggl) return;
  work.mu.setZero(rows_);
  for (std::size_t k = 0; k < position_rows_.size(); ++k) work.mu[position_rows_[k]] = y[at(muAt()) + k];
  work.rate += work.values.phi_q.transpose() * work.mu;
}

Eval MechanicalDae::rightSide(double t, std::span<const double> y, const Modes& modes, Workspace& workspace,
                              std::span<double> F) const {
  auto& work = static_cast<Work&>(workspace);
  const auto x = y.first(at(space_.size()));
  if (const Eval eval = evaluate(t, x, modes, work); eval != Eval::ok) return eval;
  const auto q = x.first(at(space_.positions()));
  const auto lambda = y.subspan(at(lambdaAt()), at(rows_));
  setRate(y, work);
  mechanical_.positionRates(q, spanOf(work.rate), F.first(q.size()));
  for (std::size_t k = 0; k < quaternions_.size(); ++k) {
    double square = 0.0;
    for (const int entry : quaternions_[k].entries) {
      F[at(entry)] += y[at(nuAt()) + k] * q[at(entry)];
      square += q[at(entry)] * q[at(entry)];
    }
    F[at(nuAt()) + k] = 0.5 * (square - 1.0);
  }
  const auto put = [&](int where, const Vector& values) {
    Eigen::Map<Vector>(F.data() + where, values.size()) = values;
  };
  work.rate = work.values.force;
  work.rate.noalias() += work.values.phi_q.transpose() * mapOf(lambda);
  if (const Eval eval = divideByMass(work, work.rate); eval != Eval::ok) return eval;
  put(space_.velocityOffset(), work.rate);
  put(lambdaAt(), work.values.phi);
  for (const int r : velocity_rows_) F[at(lambdaAt() + r)] = work.values.phi_velocity[r];
  for (std::size_t k = 0; kind_ == DaeKind::ggl && k < position_rows_.size(); ++k) {
    const int r = position_rows_[k];
    F[at(muAt()) + k] = isIdle(work.values, r) ? y[at(muAt()) + k] : work.values.phi_velocity[r];
  }
  for (int r = 0; r < rows_; ++r) {
    if (isIdle(work.values, r)) F[at(lambdaAt() + r)] = lambda[at(r)];
  }
  if (!laws_.empty()) addLaws(y, work, F);
  if (space_.quadratures() > 0) {
    mechanical_.quadratureRates(lambda, *work.mechanical,
                                F.subspan(at(space_.quadratureOffset()), at(space_.quadratures())));
  }
  return Eval::ok;
}

Eval MechanicalDae::divideByMass(Work& work, Vector& forces) const {
  if (constant_mass_) return Eval::ok;
  return mechanical_.solveMass({forces.data(), static_cast<std::size_t>(forces.size())}, *work.mechanical)
             ? Eval::ok
             : Eval::retry;
}

// (3) of MechanicalSystem of the rows that are not hard, and 0 = mu.
void MechanicalDae::addLaws(std::span<const double> y, const Work& work, std::span<double> F) const {
  for (std::size_t k = 0; k < position_rows_.size(); ++k) {
    const int r = position_rows_[k];
    if (hard(r) || isIdle(work.values, r)) continue;
    const MechanicalRow& row = laws_[at(r)];
    F[at(lambdaAt() + r)] += row.compliance * y[at(lambdaAt() + r)] + row.relaxation * work.values.phi_velocity[r];
    if (kind_ == DaeKind::ggl) F[at(muAt()) + k] = y[at(muAt()) + k];
  }
}

// Their derivatives, beside those that hard rows have too.
void MechanicalDae::addLawSlopes(Work& work) const {
  Triplets& entries = work.triplets;
  for (int k = 0; k < static_cast<int>(position_rows_.size()); ++k) {
    const int r = position_rows_[at(k)];
    if (hard(r)) continue;
    const double acts = isIdle(work.values, r) ? 0.0 : 1.0;
    entries.emplace_back(lambdaAt() + r, lambdaAt() + r, acts * laws_[at(r)].compliance);
    if (kind_ == DaeKind::ggl) entries.emplace_back(muAt() + k, muAt() + k, acts);
  }
  if (!any_relaxation_) return;
  const auto relaxed = [&](int row, int /*column*/) { return hard(row) ? 0.0 : laws_[at(row)].relaxation; };
  add(entries, lambdaAt(), 0, work.velocity_by_motion * work.chart.S, relaxed);
  add(entries, lambdaAt(), space_.velocityOffset(), work.values.phi_q, relaxed);
}

// d(Phi_q v + Phi_t)/d(motion), in the pattern of Phi_q; where the state beside cannot be had, on its other side, and
// where there is none on either, zero, which slows Newton's iteration and no more.
Eval MechanicalDae::velocityRowsByMotion(double t, std::span<const double> x, const Modes& modes, Work& work) const {
  if (work.colours.empty()) {
    work.colours = colourColumns(work.values.phi_q);
    work.velocity_by_motion = work.values.phi_q;
  }
  const auto nq = at(space_.positions());
  std::copy(x.begin(), x.end(), work.x_moved.begin());
  for (const auto& columns : work.colours) {
    double step = kDifference;
    Eval eval = Eval::retry;
    for (const double side : {kDifference, -kDifference}) {
      step = side;
      for (const int column : columns) work.motion[column] = side;
      mechanical_.retract(x.first(nq), spanOf(work.motion), std::span(work.x_moved).first(nq));
      eval = mechanical_.values(t, work.x_moved, modes, *work.mechanical, work.moved);
      if (eval == Eval::ok) break;
    }
    for (const int column : columns) {
      work.motion[column] = 0.0;
      for (SparseMatrix::InnerIterator entry(work.velocity_by_motion, column); entry; ++entry) {
        entry.valueRef() = eval == Eval::ok
                               ? (work.moved.phi_velocity[entry.row()] - work.values.phi_velocity[entry.row()]) / step
                               : 0.0;
      }
    }
  }
  return Eval::ok;
}

// The rows of lambda and mu, and the column of mu.
void MechanicalDae::addRows(Work& work, std::vector<Eigen::Triplet<double>>& entries) const {
  const int v_at = space_.velocityOffset();
  const SparseMatrix closing = work.values.phi_q * work.chart.S;
  for (int r = 0; r < rows_; ++r) addIdle(entries, lambdaAt() + r, work.values, r);
  if (!knowsVelocityRows()) {
    add(entries, lambdaAt(), 0, closing);
    return;
  }
  // Where a row's levels stand in F; -1: nowhere.
  std::vector<int> phi_at(at(rows_), -1);
  std::vector<int> velocity_at(at(rows_), -1);
  for (const int r : velocity_rows_) velocity_at[at(r)] = lambdaAt() + r;
  for (std::size_t k = 0; k < position_rows_.size(); ++k) {
    phi_at[at(position_rows_[k])] = lambdaAt() + position_rows_[k];
    if (kind_ != DaeKind::ggl) continue;
    if (hard(position_rows_[k])) velocity_at[at(position_rows_[k])] = muAt() + static_cast<int>(k);
    addIdle(entries, muAt() + static_cast<int>(k), work.values, position_rows_[k]);
  }
  const auto addTo = [&entries](const std::vector<int>& places, int column, const SparseMatrix& block) {
    for (int k = 0; k < block.outerSize(); ++k) {
      for (SparseMatrix::InnerIterator entry(block, k); entry; ++entry) {
        const int row = places[static_cast<std::size_t>(entry.row())];
        if (row >= 0) entries.emplace_back(row, column + static_cast<int>(entry.col()), entry.value());
      }
    }
  };
  addTo(phi_at, 0, closing);
  if (kind_ == DaeKind::ggl) {
    const SparseMatrix columns = work.chart.T * SparseMatrix(work.values.phi_q.transpose());
    for (std::size_t k = 0; k < position_rows_.size(); ++k) {
      for (SparseMatrix::InnerIterator entry(columns, position_rows_[k]); entry; ++entry) {
        entries.emplace_back(static_cast<int>(entry.row()), muAt() + static_cast<int>(k), entry.value());
      }
    }
  }
  addTo(velocity_at, 0, work.velocity_by_motion * work.chart.S);
  addTo(velocity_at, v_at, work.values.phi_q);
}

Eval MechanicalDae::jacobian(double t, std::span<const double> y, const Modes& modes, Workspace& workspace,
                             SparseMatrix& out) const {
  auto& work = static_cast<Work&>(workspace);
  if (const Eval eval = undivided(t, y, modes, work, out); eval != Eval::ok || constant_mass_) return eval;
  // The rows of v divided by M, column by column; their pattern is full in whatever column has an entry.
  const int v_at = space_.velocityOffset();
  const int n = space_.velocities();
  Triplets entries;
  for (int k = 0; k < out.outerSize(); ++k) {
    Vector column = Vector::Zero(n);
    bool any = false;
    for (SparseMatrix::InnerIterator entry(out, k); entry; ++entry) {
      const int i = static_cast<int>(entry.row()) - v_at;
      if (i >= 0 && i < n) {
        column[i] = entry.value();
        any = true;
      } else {
        entries.emplace_back(entry.row(), k, entry.value());
      }
    }
    if (!any) continue;
    if (const Eval eval = divideByMass(work, column); eval != Eval::ok) return eval;
    for (int i = 0; i < n; ++i) entries.emplace_back(v_at + i, k, column[i]);
  }
  out.setFromTriplets(entries.begin(), entries.end());
  return Eval::ok;
}

// dF/dy, but for M, which the rows of v are not divided by.
Eval MechanicalDae::undivided(double t, std::span<const double> y, const Modes& modes, Work& work,
                              SparseMatrix& out) const {
  const auto x = y.first(at(space_.size()));
  const auto q = x.first(at(space_.positions()));
  if (const Eval eval = evaluate(t, x, modes, work); eval != Eval::ok) return eval;
  if (knowsVelocityRows() || any_relaxation_) velocityRowsByMotion(t, x, modes, work);
  setRate(y, work);
  mechanical_.chart(q, spanOf(work.rate), work.chart);
  const auto lambda = y.subspan(at(lambdaAt()), at(rows_));
  std::span<const double> a;
  if (!constant_mass_) {
    work.acceleration = work.values.force;
    work.acceleration.noalias() += work.values.phi_q.transpose() * mapOf(lambda);
    if (const Eval eval = divideByMass(work, work.acceleration); eval != Eval::ok) return eval;
    a = spanOf(work.acceleration);
  }
  const Eval eval = mechanical_.tangent(t, x, a, lambda, modes, *work.mechanical, work.tangent);
  if (eval != Eval::ok) return eval;

  const int v_at = space_.velocityOffset();
  Triplets& entries = work.triplets;
  entries.clear();
  add(entries, 0, 0, work.chart.rates_by_q);
  add(entries, 0, v_at, work.chart.T);
  add(entries, v_at, 0, work.tangent.K * work.chart.S, -1.0);
  add(entries, v_at, v_at, work.tangent.C, -1.0);
  add(entries, v_at, lambdaAt(), SparseMatrix(work.values.phi_q.transpose()));
  addRows(work, entries);
  if (!laws_.empty()) addLawSlopes(work);
  for (int k = 0; k < static_cast<int>(quaternions_.size()); ++k) {
    for (const int entry : quaternions_[at(k)].entries) {
      entries.emplace_back(entry, entry, y[at(nuAt() + k)]);
      entries.emplace_back(entry, nuAt() + k, q[at(entry)]);
      entries.emplace_back(nuAt() + k, entry, q[at(entry)]);
    }
  }
  out.resize(B_.rows(), B_.cols());
  out.setFromTriplets(entries.begin(), entries.end());
  return Eval::ok;
}

// (c B - J) d = r with the rows of v multiplied by M: [c M + C, K, -Phi_q^T] d = M r there.
class MechanicalDae::PoseMassSolve final : public ShiftedSolve {
 public:
  explicit PoseMassSolve(const MechanicalDae& dae)
      : dae_(dae),
        work_(dae.makeWorkspace()),
        solve_(dae.B(),
               {[this](double t, std::span<const double> y, const Modes& modes, SparseMatrix& J) {
                  return dae_.undivided(t, y, modes, static_cast<Work&>(*work_), J);
                },
                [this] { return dae_.describeFailure(*work_); }},
               dae.index()) {}

  Eval linearise(double t, std::span<const double> y, const Modes& modes) override {
    const Eval eval = solve_.linearise(t, y, modes);
    if (eval != Eval::ok) return eval;
    const SparseMatrix& mass = static_cast<Work&>(*work_).values.mass;
    const int v_at = dae_.space_.velocityOffset();
    Triplets entries;
    for (int k = 0; k < dae_.space_.size(); ++k) {
      if (k < v_at || k >= dae_.space_.quadratureOffset()) entries.emplace_back(k, k, 1.0);
    }
    add(entries, v_at, v_at, mass);
    SparseMatrix B(dae_.B_.rows(), dae_.B_.cols());
    B.setFromTriplets(entries.begin(), entries.end());
    solve_.setB(B);
    mass_ = mass;
    return Eval::ok;
  }
  bool factor(const Shifts& shifts) override { return solve_.factor(shifts); }
  void solve(std::span<double> r) override { solveWith(r); }
  void solve(std::span<std::complex<double>> r) override { solveWith(r); }
  std::string describeFailure() const override { return solve_.describeFailure(); }

 private:
  template <class Number>
  void solveWith(std::span<Number> r) {
    const auto rows = r.subspan(at(dae_.space_.velocityOffset()), at(dae_.space_.velocities()));
    std::vector<Number> times(rows.size());
    for (int k = 0; k < mass_.outerSize(); ++k) {
      for (SparseMatrix::InnerIterator entry(mass_, k); entry; ++entry)
        times[at(entry.row())] += entry.value() * rows[at(k)];
    }
    std::copy(times.begin(), times.end(), rows.begin());
    solve_.solve(r);
  }

  const MechanicalDae& dae_;
  std::unique_ptr<Workspace> work_;
  SparseShiftedSolve solve_;
  SparseMatrix mass_;
};

std::unique_ptr<ShiftedSolve> MechanicalDae::makeShiftedSolve() const {
  if (constant_mass_) return nullptr;
  return std::make_unique<PoseMassSolve>(*this);
}

// [M -Phi_q^T; Phi_q 0] [a; lambda] = [f; Phi_q a1] with the accelerations a1 of the index-1 system: a = a1. The lambda
// of a row that is not hard follows from its law.
Eval MechanicalDae::start(double t, std::span<const double> x, const Modes& modes, Workspace& workspace,
                          std::span<double> y, std::span<double> ydot) const {
  auto& work = static_cast<Work&>(workspace);
  std::fill(y.begin(), y.end(), 0.0);
  std::fill(ydot.begin(), ydot.end(), 0.0);
  std::copy(x.begin(), x.end(), y.begin());
  work.last = Work::Last::index_one;
  Eval eval = index_one_.derivative(t, x, modes, *work.index_one, ydot.first(x.size()));
  if (eval != Eval::ok) return eval;
  eval = evaluate(t, x, modes, work);
  const int n = space_.velocities();
  if (eval != Eval::ok || rows_ == 0) return eval;
  Triplets& entries = work.triplets;
  entries.clear();
  add(entries, 0, 0, massOf(mechanical_, work.values));
  add(entries, n, 0, work.values.phi_q, [this](int row, int /*column*/) { return hard(row) ? 1.0 : 0.0; });
  add(entries, 0, n, SparseMatrix(work.values.phi_q.transpose()), -1.0);
  for (int r = 0; r < rows_; ++r) {
    addIdle(entries, n + r, work.values, r);
    if (!hard(r)) entries.emplace_back(n + r, n + r, isIdle(work.values, r) ? 0.0 : 1.0);
  }
  SparseMatrix kkt(n + rows_, n + rows_);
  kkt.setFromTriplets(entries.begin(), entries.end());
  Vector right(n + rows_);
  right << work.values.force, work.values.phi_q * mapOf(ydot.subspan(at(space_.velocityOffset()), at(n)));
  for (int r = 0; r < rows_; ++r) {
    if (hard(r) || isIdle(work.values, r)) continue;
    const MechanicalRow& row = laws_[at(r)];
    right[n + r] = -(work.values.phi[r] + row.relaxation * work.values.phi_velocity[r]) / row.compliance;
  }
  SparseLu factors;
  Vector solution;
  const bool regular = factors.factor(kkt);
  if (regular) factors.solve(right, solution);
  if (!regular || !solution.allFinite()) {
    work.last = Work::Last::singular;
    return Eval::failed;
  }
  for (int r = 0; r < rows_; ++r) y[at(lambdaAt() + r)] = solution[n + r];
  return Eval::ok;
}

std::string MechanicalDae::describeFailure(const Workspace& workspace) const {
  const auto& work = static_cast<const Work&>(workspace);
  switch (work.last) {
    case Work::Last::index_one: return index_one_.describeFailure(*work.index_one);
    case Work::Last::singular:
      return "the constraints depend on each other at the start, or a body has no inertia in a free direction";
    default: return mechanical_.describeFailure(*work.mechanical);
  }
}

}  // namespace linkwork
