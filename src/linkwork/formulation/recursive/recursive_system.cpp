#include "linkwork/formulation/recursive/recursive_system.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "linkwork/formulation/augmented.hpp"
#include "linkwork/formulation/recursive/recursive_work.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

namespace {

using absolute::at;

// Of the mechanism's mass (turns: by the reference length squared). A column that moves less than this has no inertia
// but what round-off left of it.
constexpr double kNoInertia = 1e-15;
// How far drift lifts the pivot of a dependent row, as in absolute coordinates.
constexpr double kDriftFactor = 30.0;
// Rows that miss by more than this share of what they are made of are solved for once more.
constexpr double kRefine = 1e-14;

bool lacksInertia(const Planar<double>::Inertia& body) { return body.mass <= 0.0 || body.inertia <= 0.0; }
bool lacksInertia(const Spatial<double>::Inertia& body) {
  Eigen::Matrix3d J;
  J << body.xx, body.xy, body.xz, body.xy, body.yy, body.yz, body.xz, body.yz, body.zz;
  const Eigen::Vector3d moments =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(J, Eigen::EigenvaluesOnly).eigenvalues();
  return body.mass <= 0.0 || moments[0] <= 1e-12 * moments[2] || moments[2] <= 0.0;
}

}  // namespace

template <class G>
RecursiveSystem<G>::RecursiveSystem(const Mechanism& mechanism, const RecursiveOptions& options)
    : options_(options),
      observer_(mechanism, options),
      mechanism_(observer_.mechanism()),
      plan_(planRecursiveTree(mechanism_, observer_.equations().elements().groups)),
      equations_(mechanism_, plan_),
      tree_(equations_.tree()),
      cuts_(equations_.cuts()),
      length_(observer_.rows().length()) {
  const auto& full = observer_.equations().elements();
  const auto& cut = cuts_.elements();
  for (int r = 0; r < cut.rows; ++r) {
    const RowInfo& info = cut.row_info[at(r)];
    row_length_.push_back(info.unit == RowUnit::length ? 1.0 : length_);
    full_row_.push_back(full.groups[at(info.group)].first_row + r - cut.groups[at(info.group)].first_row);
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
    lacks_inertia_ = lacks_inertia_ || lacksInertia(link.inertia);
  }
  for (int k = 0; k < tree_.size(); ++k) {
    for (int c = 0; c < tree_.links[at(k)].columns; ++c) {
      const bool turns = c >= tree_.links[at(k)].slides;
      smallest_inertia_.push_back(kNoInertia * mass * (turns ? length_ * length_ : 1.0));
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
  if (options_.stabilisation == Stabilisation::augmented_lagrangian) {
    std::vector<double> scale;
    for (const int row : full_row_) scale.push_back(observer_.rows().reactionScale()[at(row)]);
    row_compliance_ = penaltyCompliance(mechanism_, options_.penalty, scale);
  }
  if (options_.keepsConstraints() && tree_.coordinates > 0) keepConstraints();
}

// Those that do not depend on others at the start.
template <class G>
std::vector<int> RecursiveSystem<G>::independentCuts() const {
  std::vector<int> out;
  if (options_.start.empty()) {
    const auto& left_out = options_.doubtful_rows;
    for (int r = 0; r < cuts_.rows(); ++r) {
      if (std::find(left_out.begin(), left_out.end(), full_row_[at(r)]) == left_out.end()) out.push_back(r);
    }
    return out;
  }
  Work work(*this);
  factorRows(0.0, fromAbsolute(0.0, options_.start), work);
  for (int r = 0; r < cuts_.rows(); ++r) {
    if (!work.ldlt.dropped(r)) out.push_back(r);
  }
  return out;
}

template <class G>
void RecursiveSystem<G>::keepConstraints() {
  RecursiveMechanicalOptions options;
  options.rows = independentCuts();
  double mass = 0.0;
  for (const TreeLink<G>& link : tree_.links) mass += link.inertia.mass;
  if (mass > 0.0) options.mass = mass / static_cast<double>(tree_.links.size());
  if (lacks_inertia_) {
    for (const double length : row_length_) options.rho.push_back(options.mass * length * length);
  }
  mechanical_ = std::make_unique<RecursiveMechanical<G>>(mechanism_, plan_, std::move(options));
  dae_ = std::make_unique<MechanicalDae>(*mechanical_, *this,
                                         options_.stabilisation == Stabilisation::ggl ? DaeKind::ggl : DaeKind::index3);
}

template <class G>
const MechanicalSystem* RecursiveSystem<G>::mechanical() const {
  return options_.stabilisation == Stabilisation::index3 ? mechanical_.get() : nullptr;
}

template <class G>
StateSpace RecursiveSystem<G>::space() const {
  // Where drives prescribe everything, the work is all there is to choose steps by: it comes under error control.
  if (tree_.coordinates == 0) return StateSpace::firstOrder(1 + cuts_.turns());
  return {tree_.coordinates, tree_.freedoms, 1 + cuts_.turns()};
}

template <class G>
std::unique_ptr<Workspace> RecursiveSystem<G>::makeWorkspace() const {
  return std::make_unique<Work>(*this);
}

template <class G>
std::span<const double> RecursiveSystem<G>::positionsOf(std::span<const double> x) const {
  return x.first(at(tree_.coordinates));
}
template <class G>
std::span<const double> RecursiveSystem<G>::velocitiesOf(std::span<const double> x) const {
  return x.subspan(at(tree_.coordinates), at(tree_.freedoms));
}
template <class G>
void RecursiveSystem<G>::setTurns(std::span<const double> x, Work& work) const {
  const auto turns = x.last(at(cuts_.turns()));
  std::copy(turns.begin(), turns.end(), work.eq.turns.begin());
}

// The tree's mass matrix; false when a column has no inertia.
template <class G>
bool RecursiveSystem<G>::factorMass(double t, Work& work) const {
  if (lacks_inertia_) return factorDense(t, work);
  factorTree<G>(tree_, work.pk, work.inertia);
  for (std::size_t c = 0; c < tree_.columns.size(); ++c) {
    if (tree_.columns[c].freedom < 0 || work.inertia.pivot[c] > smallest_inertia_[c]) continue;
    if (!std::isfinite(work.inertia.pivot[c])) {
      (void)work.failNotFinite(t, work.eq);
    } else {
      work.fail(Work::Failure::massless_body, t, tree_.columns[c].link, Eval::failed);
    }
    return false;
  }
  return true;
}

// Lambda = G M^-1 G^T by the way of each row to the ground. Needs factorMass.
template <class G>
void RecursiveSystem<G>::productsOfRows(SemidefiniteLdlt& out, Work& work) const {
  if (lacks_inertia_) {
    const Eigen::MatrixXd& parts = work.dense->parts;
    for (int r = 0; r < cuts_.rows(); ++r) {
      for (int s = 0; s <= r; ++s) out(r, s) = parts.col(r).dot(parts.col(s));
    }
    return;
  }
  const std::size_t columns = tree_.columns.size();
  for (int r = 0; r < cuts_.rows(); ++r) {
    for (int p = cuts_.rowStart()[at(r)]; p < cuts_.rowStart()[at(r) + 1]; ++p) {
      typename G::RowBlock block;
      std::copy_n(&work.eq.jacobian[at(G::kFreedoms * p)], G::kFreedoms, block.begin());
      const int link = tree_.link_of_body[at(cuts_.rowBodies()[at(p)])];
      work.forces[at(link)] += linkForce<G>(tree_, work.pk, link, wrenchOf<G>(block, 1.0));
    }
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
}

// A row's distance from the others counts beside its length on bodies without joints: what the tree's joints forbid
// anyway leaves a row of round-off.
template <class G>
void RecursiveSystem<G>::decideRank(double cut, Work& work) const {
  for (int r = 0; r < cuts_.rows(); ++r) {
    double square = 0.0;
    for (int p = cuts_.rowStart()[at(r)]; p < cuts_.rowStart()[at(r) + 1]; ++p) {
      for (int k = 0; k < G::kFreedoms; ++k) {
        const double entry = work.eq.jacobian[at(G::kFreedoms * p + k)];
        square += entry * entry / body_inertia_[at(G::kFreedoms * cuts_.rowBodies()[at(p)] + k)];
      }
    }
    work.row_square[at(r)] = square;
  }
  const double off = kDriftFactor * std::max(drift(work), options_.misfit);
  work.factored = work.ldlt.factor(
      {.row = cut, .doubtful = off * off, .doubtful_rows = static_cast<int>(options_.doubtful_rows.size())},
      work.row_square);
}

template <class G>
bool RecursiveSystem<G>::factor(double t, double cut, Work& work) const {
  if (!factorMass(t, work)) return false;
  productsOfRows(work.ldlt, work);
  decideRank(cut, work);
  return true;
}

template <class G>
Eval RecursiveSystem<G>::cannotFactor(const Work& work) const {
  return work.failure == Work::Failure::massless_body ? Eval::failed : Eval::retry;
}

// Accelerations under the loads, whatever the cuts say (where links lack inertia: but for work.wanted).
template <class G>
void RecursiveSystem<G>::solveFree(Work& work) const {
  std::fill(work.lambda.begin(), work.lambda.end(), 0.0);
  if (lacks_inertia_) return solveFreeDense(work);
  forwardDynamics<G>(tree_, work.pk, work.vk, work.inertia, {}, {{}, work.loads}, work.solve, work.udot);
  bodyAccelerations(work);
}

// Accelerations with so much more of the multipliers.
template <class G>
void RecursiveSystem<G>::react(std::span<const double> lambda, Work& work) const {
  for (std::size_t r = 0; r < lambda.size(); ++r) work.lambda[r] += lambda[r];
  equations_.addReactions(lambda, work);
  if (lacks_inertia_) return reactDense(lambda, work);
  forwardDynamics<G>(tree_, work.pk, work.vk, work.inertia, {}, {{}, work.loads}, work.solve, work.udot);
  bodyAccelerations(work);
}

template <class G>
void RecursiveSystem<G>::bodyAccelerations(Work& work) const {
  equations_.bodyAccelerations(work.solve.A, work, work.acceleration);
}

// Phi_q v + Phi_t of the cuts
template <class G>
void RecursiveSystem<G>::velocityResidual(Work& work) const {
  equations_.bodyVelocities(work, work.velocity);
  for (int r = 0; r < cuts_.rows(); ++r) {
    work.velocity_residual[at(r)] = equations_.timesRow(r, work.velocity, work) - work.eq.minus_phi_t[at(r)];
  }
}

// work.wanted = Gamma*
template <class G>
void RecursiveSystem<G>::wantedOf(const Pull& pull, Work& work) const {
  velocityResidual(work);
  for (std::size_t r = 0; r < work.wanted.size(); ++r) {
    work.wanted[r] = work.eq.gamma[r] - pull.rate * work.velocity_residual[r] - pull.stiffness * work.eq.phi[r];
  }
}

// work.rest = Gamma* - Phi_q a
template <class G>
void RecursiveSystem<G>::restOf(Work& work) const {
  for (int r = 0; r < cuts_.rows(); ++r) {
    work.rest[at(r)] = work.wanted[at(r)] - equations_.timesRow(r, work.acceleration, work);
  }
}

// Drives do work at the rate -lambda^T Phi_t where they are cuts, and effort times rate where the tree follows them.
template <class G>
void RecursiveSystem<G>::setPower(Work& work) const {
  work.power = work.eq.supplied_power;
  for (std::size_t r = 0; r < work.lambda.size(); ++r) work.power += work.lambda[r] * work.eq.minus_phi_t[r];
  work.power += equations_.drivePower(work.solve.F, work);
}

template <class G>
Eval RecursiveSystem<G>::evaluate(double t, std::span<const double> x, Work& work) const {
  work.failure = Work::Failure::none;
  if (!allFinite(positionsOf(x)) || !allFinite(velocitiesOf(x))) {
    return work.fail(Work::Failure::state_not_finite, t, 0, Eval::retry);
  }
  setTurns(x, work);
  equations_.place(t, positionsOf(x), work);
  if (work.eq.left_curve >= 0) return work.fail(Work::Failure::left_curve, t, work.eq.left_curve, Eval::retry);
  equations_.move(velocitiesOf(x), work);
  equations_.forces(work);
  if (const Eval eval = work.checkGiven(t, work.eq); eval != Eval::ok) return eval;
  return Eval::ok;
}

// (3), with work.wanted and the factors at hand.
template <class G>
void RecursiveSystem<G>::solveWithCuts(Work& work) const {
  solveFree(work);
  if (cuts_.rows() == 0) return;
  double size = normInf(work.wanted);
  for (int sweep = 0; sweep < 3; ++sweep) {
    restOf(work);
    double missed = 0.0;
    for (int r = 0; r < cuts_.rows(); ++r) {
      if (!work.ldlt.dropped(r)) missed = std::max(missed, std::abs(work.rest[at(r)]));
    }
    size = std::max(size, missed);
    const double residual = size > 0.0 ? missed / size : 0.0;
    if (sweep == 2) work.worst_residual = std::max(work.worst_residual, residual);
    if (sweep == 2 || (sweep == 1 && residual <= kRefine)) return;
    work.ldlt.solve(work.rest);
    react(work.rest, work);
  }
}

template <class G>
Eval RecursiveSystem<G>::accelerationsHere(double t, std::span<const double> x, Work& work) const {
  if (const Eval eval = evaluate(t, x, work); eval != Eval::ok) return eval;
  if (!factor(t, kDependentRow, work)) return cannotFactor(work);
  wantedOf(options_.stabilisation == Stabilisation::baumgarte ? baumgartePull(options_) : Pull{}, work);
  solveWithCuts(work);
  if (!allFinite(work.udot)) return work.fail(Work::Failure::state_not_finite, t, 0, Eval::retry);
  setPower(work);
  return work.factored.dropped == 0 ? Eval::ok : checkDroppedRows(t, work);
}

template <class G>
Eval RecursiveSystem<G>::accelerations(double t, std::span<const double> x, Work& work) const {
  const Eval eval = accelerationsHere(t, x, work);
  const bool evaluated = eval == Eval::ok || work.failure == Work::Failure::contradiction;
  if (!evaluated || options_.stabilisation != Stabilisation::projection || !nearRankChange(work)) return eval;
  return accelerationsAcross(t, x, work) ? Eval::ok : eval;
}

// A dropped row must hold by itself, up to what the drift explains, as in absolute coordinates.
template <class G>
Eval RecursiveSystem<G>::checkDroppedRows(double t, Work& work) const {
  if (options_.stabilisation == Stabilisation::baumgarte) return Eval::ok;
  const double allowed = 1e-3 + 1e3 * drift(work);
  for (int r = 0; r < cuts_.rows(); ++r) {
    if (!work.ldlt.dropped(r)) continue;
    const auto [rest, size] =
        balanceOfRow(cuts_, r, work.eq.gamma[at(r)], work.acceleration, work.eq, length_ / row_length_[at(r)]);
    if (std::abs(rest) > allowed * size) return work.fail(Work::Failure::contradiction, t, r, Eval::retry);
  }
  return Eval::ok;
}

template <class G>
Eval RecursiveSystem<G>::derivative(double t, std::span<const double> x, Workspace& workspace,
                                    std::span<double> xdot) const {
  Work& work = static_cast<Work&>(workspace);
  std::span<const double> state = x;
  Eval eval = Eval::ok;
  if (options_.stabilisation == Stabilisation::augmented_lagrangian && cuts_.rows() > 0) {
    eval = accelerationsAugmented(t, x, work);
  } else if (options_.stabilisation == Stabilisation::partitioning && cuts_.rows() > 0) {
    eval = accelerationsPartitioned(t, x, work);
    state = work.parting->closed;
  } else {
    eval = accelerations(t, x, work);
  }
  if (eval != Eval::ok) return eval;
  const auto q = positionsOf(state);
  const auto u = velocitiesOf(state);
  coordinateRates<G>(tree_, q, u, xdot.first(q.size()));
  std::copy(work.udot.begin(), work.udot.end(), xdot.begin() + static_cast<std::ptrdiff_t>(q.size()));
  xdot[q.size() + u.size()] = work.power;
  for (int k = 0; k < cuts_.turns(); ++k) xdot[q.size() + u.size() + 1 + at(k)] = cuts_.turnRate(k, work.eq);
  return Eval::ok;
}

template <class G>
Eval RecursiveSystem<G>::eventValues(double t, std::span<const double> x, Workspace& workspace,
                                     std::span<double> values) const {
  Work& work = static_cast<Work&>(workspace);
  setTurns(x, work);
  equations_.place(t, positionsOf(x), work);
  equations_.move(velocitiesOf(x), work);
  const int bad = observer_.events().evaluate(work.eq, work.events, values);
  if (bad >= 0) return work.fail(Work::Failure::event_not_finite, t, bad, Eval::retry);
  return Eval::ok;
}

template <class G>
void RecursiveSystem<G>::beginStep(double t, std::span<const double> x, Workspace& workspace) const {
  if (options_.stabilisation == Stabilisation::augmented_lagrangian) factorRows(t, x, workspace);
  if (options_.stabilisation == Stabilisation::partitioning && cuts_.rows() > 0) {
    beginPartition(t, x, static_cast<Work&>(workspace));
  }
}

template <class G>
void RecursiveSystem<G>::factorRows(double t, std::span<const double> x, Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  if (!allFinite(positionsOf(x))) return;
  setTurns(x, work);
  equations_.place(t, positionsOf(x), work);
  (void)factor(t, kDependentRow, work);
}

template class RecursiveSystem<Planar<double>>;
template class RecursiveSystem<Spatial<double>>;

}  // namespace linkwork
