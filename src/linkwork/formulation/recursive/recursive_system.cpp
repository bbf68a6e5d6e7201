#include "linkwork/formulation/recursive/recursive_system.hpp"

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/augmented.hpp"
#include "linkwork/formulation/recursive/recursive_work.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

namespace {

// Rows that miss by more than this share of what they are made of are solved for once more.
constexpr double kRefine = 1e-14;

}  // namespace

template <class G>
RecursiveSystem<G>::RecursiveSystem(const Mechanism& mechanism, const RecursiveOptions& options)
    : options_(options),
      observer_(mechanism, options),
      mechanism_(observer_.mechanism()),
      plan_(planRecursiveTree(mechanism_, observer_.equations().elements().groups)),
      cut_tree_(mechanism_, plan_, options, observer_.rows().length(), observer_.equations().rows()),
      equations_(cut_tree_.equations()),
      tree_(cut_tree_.tree()),
      cuts_(cut_tree_.cuts()) {
  const auto& full = observer_.equations().elements();
  const auto& cut = cuts_.elements();
  for (int r = 0; r < cut.rows; ++r) {
    const RowInfo& info = cut.row_info[at(r)];
    full_row_.push_back(full.groups[at(info.group)].first_row + r - cut.groups[at(info.group)].first_row);
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
  cut_tree_.factorRows(0.0, fromAbsolute(0.0, options_.start), work);
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
  if (cut_tree_.lacksInertia()) {
    for (int r = 0; r < cuts_.rows(); ++r) {
      options.rho.push_back(options.mass * cut_tree_.rowLength(r) * cut_tree_.rowLength(r));
    }
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

// Accelerations under the loads, whatever the cuts say (where links lack inertia: but for work.wanted).
template <class G>
void RecursiveSystem<G>::solveFree(Work& work) const {
  std::fill(work.lambda.begin(), work.lambda.end(), 0.0);
  if (cut_tree_.lacksInertia()) return solveFreeDense(work);
  forwardDynamics<G>(tree_, work.pk, work.vk, work.inertia, {}, {{}, work.loads}, work.solve, work.udot);
  bodyAccelerations(work);
}

// Accelerations with so much more of the multipliers.
template <class G>
void RecursiveSystem<G>::react(std::span<const double> lambda, Work& work) const {
  for (std::size_t r = 0; r < lambda.size(); ++r) work.lambda[r] += lambda[r];
  equations_.addReactions(lambda, work);
  if (cut_tree_.lacksInertia()) return reactDense(lambda, work);
  forwardDynamics<G>(tree_, work.pk, work.vk, work.inertia, {}, {{}, work.loads}, work.solve, work.udot);
  bodyAccelerations(work);
}

template <class G>
void RecursiveSystem<G>::bodyAccelerations(Work& work) const {
  equations_.bodyAccelerations(work.solve.A, work, work.acceleration);
}

// work.wanted = Gamma*
template <class G>
void RecursiveSystem<G>::wantedOf(const Pull& pull, Work& work) const {
  cut_tree_.velocityResidual(work);
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
  if (!allFinite(cut_tree_.positionsOf(x)) || !allFinite(cut_tree_.velocitiesOf(x))) {
    return work.fail(Work::Failure::state_not_finite, t, 0, Eval::retry);
  }
  cut_tree_.setTurns(x, work);
  equations_.place(t, cut_tree_.positionsOf(x), work);
  if (work.eq.left_curve >= 0) return work.fail(Work::Failure::left_curve, t, work.eq.left_curve, Eval::retry);
  equations_.move(cut_tree_.velocitiesOf(x), work);
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
    if (sweep == 2) work.counts.worst_residual = std::max(work.counts.worst_residual, residual);
    if (sweep == 2 || (sweep == 1 && residual <= kRefine)) return;
    work.ldlt.solve(work.rest);
    react(work.rest, work);
  }
}

template <class G>
Eval RecursiveSystem<G>::accelerationsHere(double t, std::span<const double> x, Work& work) const {
  if (const Eval eval = evaluate(t, x, work); eval != Eval::ok) return eval;
  if (!cut_tree_.factor(t, kDependentRow, work)) return cut_tree_.cannotFactor(work);
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
  if (!evaluated || options_.stabilisation != Stabilisation::projection || !cut_tree_.nearRankChange(work)) return eval;
  return accelerationsAcross(t, x, work) ? Eval::ok : eval;
}

// A dropped row must hold by itself, up to what the drift explains, as in absolute coordinates.
template <class G>
Eval RecursiveSystem<G>::checkDroppedRows(double t, Work& work) const {
  if (options_.stabilisation == Stabilisation::baumgarte) return Eval::ok;
  const double allowed = 1e-3 + 1e3 * cut_tree_.drift(work);
  for (int r = 0; r < cuts_.rows(); ++r) {
    if (!work.ldlt.dropped(r)) continue;
    const auto [rest, size] = balanceOfRow(cuts_, r, work.eq.gamma[at(r)], work.acceleration, work.eq,
                                           cut_tree_.length() / cut_tree_.rowLength(r));
    if (std::abs(rest) > allowed * size) return work.fail(Work::Failure::contradiction, t, r, Eval::retry);
  }
  return Eval::ok;
}

template <class G>
Evaluation RecursiveSystem<G>::derivative(double t, std::span<const double> x, Workspace& workspace,
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
  const auto q = cut_tree_.positionsOf(state);
  const auto u = cut_tree_.velocitiesOf(state);
  coordinateRates<G>(tree_, q, u, xdot.first(q.size()));
  std::copy(work.udot.begin(), work.udot.end(), xdot.begin() + static_cast<std::ptrdiff_t>(q.size()));
  xdot[q.size() + u.size()] = work.power;
  for (int k = 0; k < cuts_.turns(); ++k) xdot[q.size() + u.size() + 1 + at(k)] = cuts_.turnRate(k, work.eq);
  // The augmented Lagrangian solves without the rank.
  if (options_.stabilisation == Stabilisation::augmented_lagrangian && cuts_.rows() > 0) return Eval::ok;
  return {Eval::ok, cut_tree_.rank(work.factored)};
}

template <class G>
Eval RecursiveSystem<G>::eventValues(double t, std::span<const double> x, Workspace& workspace,
                                     std::span<double> values) const {
  Work& work = static_cast<Work&>(workspace);
  cut_tree_.setTurns(x, work);
  equations_.place(t, cut_tree_.positionsOf(x), work);
  equations_.move(cut_tree_.velocitiesOf(x), work);
  const int bad = observer_.events().evaluate(work.eq, work.events, values);
  if (bad >= 0) return work.fail(Work::Failure::event_not_finite, t, bad, Eval::retry);
  return Eval::ok;
}

template <class G>
void RecursiveSystem<G>::beginStep(double t, std::span<const double> x, Workspace& workspace) const {
  if (options_.stabilisation == Stabilisation::partitioning && cuts_.rows() > 0) {
    beginPartition(t, x, static_cast<Work&>(workspace));
  }
}

template <class G>
RowRank RecursiveSystem<G>::factorRows(double t, std::span<const double> x, Workspace& work) const {
  return cut_tree_.factorRows(t, x, static_cast<Work&>(work));
}

template <class G>
RankReport RecursiveSystem<G>::rankReport(double t, std::span<const double> x, Workspace& work) const {
  (void)factorRows(t, x, work);
  return cut_tree_.report(static_cast<const Work&>(work));
}

template class RecursiveSystem<Planar<double>>;
template class RecursiveSystem<Spatial<double>>;

}  // namespace linkwork
