#include "linkwork/formulation/recursive/recursive_mechanical.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "linkwork/formulation/failure_note.hpp"
#include "linkwork/formulation/quaternion_chart.hpp"
#include "linkwork/linalg/norm.hpp"
#include "linkwork/recursion/joint_coordinates.hpp"

namespace linkwork {

namespace {

using Number = Dual<8>;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr int kDirections = 8;

// Every entry, whatever is zero: a tree's freedoms all feel each other.
void putDense(const Eigen::MatrixXd& from, SparseMatrix& out) {
  if (out.rows() != from.rows() || out.cols() != from.cols() || out.nonZeros() != from.size() || !out.isCompressed()) {
    out.resize(from.rows(), from.cols());
    if (from.cols() == 0) return;  // which Eigen's makeCompressed does not bear
    out.reserve(Eigen::VectorXi::Constant(from.cols(), static_cast<int>(from.rows())));
    for (int j = 0; j < from.cols(); ++j) {
      for (int i = 0; i < from.rows(); ++i) out.insert(i, j) = 0.0;
    }
    out.makeCompressed();
  }
  std::copy_n(from.data(), from.size(), out.valuePtr());
}

SparseMatrix fromTriplets(int rows, int columns, const std::vector<Eigen::Triplet<double>>& entries) {
  SparseMatrix out(rows, columns);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

}  // namespace

template <class G>
struct RecursiveMechanical<G>::Work final : Workspace, TreeEquations<G>::Work, FailureNote {
  explicit Work(const RecursiveMechanical& system)
      : TreeEquations<G>::Work(system.equations_),
        dual(system.dual_),
        matrix(system.tree_),
        inverse(system.tree_),
        dual_inverse(system.dual_.tree()),
        rows(RowMatrix::Zero(system.equations_.cuts().rows(), system.tree_.freedoms)),
        kept(system.rows(), system.tree_.freedoms),
        sum(system.tree_.freedoms, system.tree_.freedoms),
        factor(system.tree_.freedoms),
        right(system.tree_.freedoms),
        udot(at(system.tree_.freedoms)),
        unit(udot.size()),
        q(at(system.tree_.coordinates)),
        rate(q),
        lambda(at(system.equations_.cuts().rows())),
        velocity(at(system.equations_.cuts().freedoms())),
        dual_q(rate.size()),
        dual_u(udot.size()),
        dual_udot(udot.size()),
        dual_lambda(lambda.size()),
        dual_a(velocity.size()),
        slopes(system.tree_.freedoms, 2 * system.tree_.freedoms) {}

  typename TreeEquations<GD>::Work dual;
  TreeMassMatrix<G> matrix;
  InverseDynamics<G> inverse;
  InverseDynamics<GD> dual_inverse;
  RowMatrix rows;        // G
  Eigen::MatrixXd kept;  // its independent rows
  Eigen::MatrixXd sum;   // M, or M + rho G^T G
  Eigen::LLT<Eigen::MatrixXd> factor;
  Eigen::VectorXd right;  // tau - b, and rho G^T gamma
  std::vector<typename G::Wrench> applied;
  std::vector<double> udot, unit;
  std::vector<double> q, rate;
  std::vector<double> lambda, velocity;
  std::vector<Number> dual_q, dual_u, dual_udot, dual_lambda, dual_a;
  Eigen::MatrixXd slopes;  // dR by motions, then by u
  int steep_load = -1;
  double t = 0.0;         // of the last evaluate()
  bool factored = false;  // its `sum`
};

template <class G>
RecursiveMechanical<G>::RecursiveMechanical(const Mechanism& mechanism, const TreePlan& plan,
                                            RecursiveMechanicalOptions options)
    : mechanism_(mechanism),
      options_(std::move(options)),
      equations_(mechanism_, plan),
      dual_(mechanism_, plan),
      tree_(equations_.tree()) {
  const int n = tree_.freedoms;
  const auto& cuts = equations_.cuts();
  // Rows touch the freedoms on the way from their bodies to the ground.
  std::vector<Eigen::Triplet<double>> entries;
  for (int r = 0; r < rows(); ++r) {
    const int row = options_.rows[at(r)];
    std::vector<bool> touched(at(n));
    for (int p = cuts.rowStart()[at(row)]; p < cuts.rowStart()[at(row) + 1]; ++p) {
      for (int k = tree_.link_of_body[at(cuts.rowBodies()[at(p)])]; k >= 0; k = tree_.links[at(k)].parent) {
        for (const TreeColumn& c : tree_.columnsOf(k)) {
          if (c.freedom >= 0) touched[at(c.freedom)] = true;
        }
      }
    }
    for (int u = 0; u < n; ++u) {
      if (touched[at(u)]) entries.emplace_back(r, u, 0.0);
    }
  }
  phi_q_pattern_ = fromTriplets(rows(), n, entries);
  std::array<std::vector<Eigen::Triplet<double>>, 3> of_chart;
  const std::vector<double> still(at(tree_.coordinates));
  forEachChartEntry(still, still, [&](ChartPart part, int r, int c, double /*value*/) {
    of_chart[static_cast<std::size_t>(part)].emplace_back(r, c, 0.0);
  });
  chart_pattern_.T = fromTriplets(tree_.coordinates, n, of_chart[0]);
  chart_pattern_.S = fromTriplets(n, tree_.coordinates, of_chart[1]);
  chart_pattern_.rates_by_q = fromTriplets(tree_.coordinates, tree_.coordinates, of_chart[2]);
}

template <class G>
StateSpace RecursiveMechanical<G>::space() const {
  return {tree_.coordinates, tree_.freedoms, 1 + equations_.cuts().turns()};
}

template <class G>
std::unique_ptr<Workspace> RecursiveMechanical<G>::makeWorkspace() const {
  return std::make_unique<Work>(*this);
}

// Rows, the mass matrix and what acts besides lambda, in work.right.
template <class G>
Eval RecursiveMechanical<G>::evaluate(double t, std::span<const double> x, Work& work) const {
  const auto& cuts = equations_.cuts();
  const auto q = x.first(at(tree_.coordinates));
  const auto u = x.subspan(q.size(), at(tree_.freedoms));
  work.failure = Work::Failure::none;
  work.factored = false;
  work.t = t;
  if (!allFinite(q) || !allFinite(u)) return work.fail(Work::Failure::state_not_finite, t, 0, Eval::retry);
  std::copy(x.end() - cuts.turns(), x.end(), work.eq.turns.begin());
  equations_.place(t, q, work);
  if (work.eq.left_place >= 0) return work.fail(Work::Failure::left_place, t, work.eq.left_place, Eval::retry);
  equations_.move(u, work);
  equations_.forces(work);
  if (const Eval eval = work.checkGiven(t, work.eq); eval != Eval::ok) return eval;
  work.applied = work.loads;

  work.rows.setZero();
  for (int r = 0; r < cuts.rows(); ++r) equations_.addRow(r, work, {work.rows.row(r).data(), u.size()});
  for (int r = 0; r < rows(); ++r) work.kept.row(r) = work.rows.row(options_.rows[at(r)]);
  std::fill(work.udot.begin(), work.udot.end(), 0.0);
  inverseDynamics<G>(tree_, work.pk, work.vk, work.udot, {{}, work.loads}, work.inverse);
  for (std::size_t c = 0; c < tree_.columns.size(); ++c) {
    if (tree_.columns[c].freedom >= 0) work.right[tree_.columns[c].freedom] = -work.inverse.tau[c];
  }
  massMatrix<G>(tree_, work.pk, work.matrix);
  work.sum = Eigen::Map<const Eigen::MatrixXd>(work.matrix.entries.data(), tree_.freedoms, tree_.freedoms);
  if (!options_.rho.empty()) {
    equations_.bodyAccelerations(work.inverse.A, work, work.velocity);
    for (const int row : options_.rows) {
      const double rho = options_.rho[at(row)];
      const double gamma = work.eq.gamma[at(row)] - equations_.timesRow(row, work.velocity, work);
      work.sum.noalias() += rho * work.rows.row(row).transpose() * work.rows.row(row);
      work.right.noalias() += rho * gamma * work.rows.row(row).transpose();
    }
  }
  const bool finite = work.sum.allFinite() && work.right.allFinite();
  return finite ? Eval::ok : work.fail(Work::Failure::state_not_finite, t, 0, Eval::retry);
}

template <class G>
Eval RecursiveMechanical<G>::values(double t, std::span<const double> x, const Modes& /*modes*/, Workspace& workspace,
                                    MechanicalValues& out) const {
  Work& work = static_cast<Work&>(workspace);
  if (const Eval eval = evaluate(t, x, work); eval != Eval::ok) return eval;
  out.force = work.right;
  putDense(work.sum, out.mass);
  if (out.phi_q.rows() != rows() || out.phi_q.cols() != tree_.freedoms ||
      out.phi_q.nonZeros() != phi_q_pattern_.nonZeros() || !out.phi_q.isCompressed()) {
    out.phi_q = phi_q_pattern_;
  }
  for (int j = 0; j < out.phi_q.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(out.phi_q, j); entry; ++entry) {
      entry.valueRef() = work.kept(entry.row(), entry.col());
    }
  }
  equations_.bodyVelocities(work, work.velocity);
  out.phi.resize(rows());
  out.phi_velocity.resize(rows());
  for (int r = 0; r < rows(); ++r) {
    const int row = options_.rows[at(r)];
    out.phi[r] = work.eq.phi[at(row)];
    out.phi_velocity[r] = equations_.timesRow(row, work.velocity, work) - work.eq.minus_phi_t[at(row)];
  }
  return out.force.allFinite() && out.phi.allFinite() ? Eval::ok
                                                      : work.fail(Work::Failure::state_not_finite, t, 0, Eval::retry);
}

template <class G>
bool RecursiveMechanical<G>::factorMass(Work& work) const {
  if (work.factored) return true;
  work.factor.compute(work.sum);
  work.factored = work.factor.info() == Eigen::Success;
  if (!work.factored) work.fail(Work::Failure::massless_body, work.t, 0, Eval::retry);
  return work.factored;
}

template <class G>
bool RecursiveMechanical<G>::solveMass(std::span<double> r, Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  if (!factorMass(work)) return false;
  Eigen::Map<Eigen::VectorXd> in_place(r.data(), tree_.freedoms);
  work.factor.solveInPlace(in_place);
  return true;
}

// work.lambda of all rows of the cuts.
template <class G>
void RecursiveMechanical<G>::setLambda(std::span<const double> lambda, Work& work) const {
  std::fill(work.lambda.begin(), work.lambda.end(), 0.0);
  for (int r = 0; r < rows(); ++r) work.lambda[at(options_.rows[at(r)])] = lambda[at(r)];
}

// work.udot of (1).
template <class G>
void RecursiveMechanical<G>::solveFor(std::span<const double> lambda, Work& work) const {
  Eigen::VectorXd udot = work.right;
  for (int r = 0; r < rows(); ++r) udot.noalias() += lambda[at(r)] * work.kept.row(r).transpose();
  if (factorMass(work)) work.factor.solveInPlace(udot);
  std::copy_n(udot.data(), udot.size(), work.udot.begin());
}

// Columns of work.slopes: directions [first, first + count) of the motions and, behind them, of the velocities.
template <class G>
void RecursiveMechanical<G>::derivativesOf(int first, int count, Work& work) const {
  const int n = tree_.freedoms;
  for (Number& number : work.dual_q) number.derivatives.fill(0.0);
  for (Number& number : work.dual_u) number.derivatives.fill(0.0);
  for (int d = 0; d < count; ++d) {
    const int direction = first + d;
    if (direction >= n) {
      work.dual_u[at(direction - n)].derivatives[at(d)] = 1.0;
      continue;
    }
    std::fill(work.unit.begin(), work.unit.end(), 0.0);
    work.unit[at(direction)] = 1.0;
    coordinateRates<G>(tree_, work.q, work.unit, work.rate);
    for (std::size_t k = 0; k < work.rate.size(); ++k) work.dual_q[k].derivatives[at(d)] = work.rate[k];
  }
  const auto& cuts = dual_.cuts();
  dual_.place(work.dual.eq.t, work.dual_q, work.dual);
  dual_.move(work.dual_u, work.dual);
  dual_.forces(work.dual);
  for (std::size_t k = 0; k < work.dual.eq.load_scratch.outputs.size() && work.steep_load < 0; ++k) {
    if (!allFinite(work.dual.eq.load_scratch.outputs[k].derivatives)) work.steep_load = static_cast<int>(k);
  }
  for (std::size_t r = 0; r < work.lambda.size(); ++r) work.dual_lambda[r] = Number(work.lambda[r]);
  if (!options_.rho.empty()) {
    accelerations<GD>(dual_.tree(), work.dual.pk, work.dual.vk, work.dual_udot, {}, work.dual_inverse.A);
    dual_.bodyAccelerations(work.dual_inverse.A, work.dual, work.dual_a);
    for (const int row : options_.rows) {
      const Number off = dual_.timesRow(row, work.dual_a, work.dual) - work.dual.eq.gamma[at(row)];
      work.dual_lambda[at(row)] -= off * options_.rho[at(row)];
    }
  }
  if (cuts.rows() > 0) dual_.addReactions(work.dual_lambda, work.dual);
  inverseDynamics<GD>(dual_.tree(), work.dual.pk, work.dual.vk, work.dual_udot, {{}, work.dual.loads},
                      work.dual_inverse);
  for (std::size_t c = 0; c < tree_.columns.size(); ++c) {
    if (tree_.columns[c].freedom < 0) continue;
    for (int d = 0; d < count; ++d) {
      work.slopes(tree_.columns[c].freedom, first + d) = work.dual_inverse.tau[c].derivative(d);
    }
  }
}

template <class G>
Eval RecursiveMechanical<G>::tangent(double t, std::span<const double> x, std::span<const double> a,
                                     std::span<const double> lambda, const Modes& /*modes*/, Workspace& workspace,
                                     MechanicalTangent& out) const {
  Work& work = static_cast<Work&>(workspace);
  if (const Eval eval = evaluate(t, x, work); eval != Eval::ok) return eval;
  setLambda(lambda, work);
  const int n = tree_.freedoms;
  std::copy_n(x.begin(), work.q.size(), work.q.begin());
  for (std::size_t k = 0; k < work.dual_q.size(); ++k) work.dual_q[k] = Number(x[k]);
  for (std::size_t k = 0; k < work.dual_u.size(); ++k) work.dual_u[k] = Number(x[work.dual_q.size() + k]);
  for (std::size_t k = 0; k < work.dual_udot.size(); ++k) work.dual_udot[k] = Number(a[k]);
  for (std::size_t k = 0; k < work.eq.turns.size(); ++k) work.dual.eq.turns[k] = Number(work.eq.turns[k]);
  work.dual.eq.t = Number(t);
  work.steep_load = -1;
  for (int first = 0; first < 2 * n; first += kDirections) {
    derivativesOf(first, std::min(kDirections, 2 * n - first), work);
  }
  if (!work.slopes.allFinite()) {
    return work.steep_load >= 0 ? work.fail(Work::Failure::load_slope, t, work.steep_load, Eval::retry)
                                : work.fail(Work::Failure::slope, t, 0, Eval::retry);
  }
  putDense(work.slopes.leftCols(n), out.K);
  putDense(work.slopes.rightCols(n), out.C);
  return Eval::ok;
}

template <class G>
void RecursiveMechanical<G>::quadratureRates(std::span<const double> lambda, Workspace& workspace,
                                             std::span<double> wdot) const {
  Work& work = static_cast<Work&>(workspace);
  const auto& cuts = equations_.cuts();
  // Drives do work at the rate -lambda^T Phi_t where they are cuts, and effort times rate where the tree follows them.
  wdot[0] = work.eq.supplied_power;
  for (int r = 0; r < rows(); ++r) wdot[0] += lambda[at(r)] * work.eq.minus_phi_t[at(options_.rows[at(r)])];
  for (int k = 0; k < cuts.turns(); ++k) wdot[at(1 + k)] = cuts.turnRate(k, work.eq);
  if (!equations_.prescribes()) return;
  setLambda(lambda, work);
  solveFor(lambda, work);
  work.loads = work.applied;
  equations_.addReactions(work.lambda, work);
  inverseDynamics<G>(tree_, work.pk, work.vk, work.udot, {{}, work.loads}, work.inverse);
  wdot[0] += equations_.drivePower(work.inverse.F, work);
}

template <class G>
void RecursiveMechanical<G>::positionRates(std::span<const double> q, std::span<const double> v,
                                           std::span<double> qdot) const {
  coordinateRates<G>(tree_, q, v, qdot);
}

template <class G>
template <class Put>
void RecursiveMechanical<G>::forEachChartEntry(std::span<const double> q, std::span<const double> v, Put&& put) const {
  for (int k = 0; k < tree_.size(); ++k) {
    const auto columns = tree_.columnsOf(k);
    const bool ball = tree_.links[at(k)].turn == TurnKind::ball;
    for (const TreeColumn& c : columns.first(columns.size() - (ball ? 3 : 0))) {
      if (c.freedom < 0) continue;
      put(ChartPart::forward, c.coordinate, c.freedom, 1.0);
      put(ChartPart::back, c.freedom, c.coordinate, 1.0);
    }
    if (!ball) continue;
    const int coordinate = columns.back().coordinate;
    const int freedom = columns.back().freedom - 2;
    forEachQuaternionEntry(q.subspan(at(coordinate), 4), v.subspan(at(freedom), 3),
                           [&](ChartPart part, int r, int c, double value) {
                             put(part, r + (part == ChartPart::back ? freedom : coordinate),
                                 c + (part == ChartPart::forward ? freedom : coordinate), value);
                           });
  }
}

template <class G>
void RecursiveMechanical<G>::chart(std::span<const double> q, std::span<const double> v, PositionChart& out) const {
  if (out.T.nonZeros() != chart_pattern_.T.nonZeros() || out.T.rows() != chart_pattern_.T.rows()) out = chart_pattern_;
  const std::array<SparseMatrix*, 3> matrices{&out.T, &out.S, &out.rates_by_q};
  forEachChartEntry(q, v, [&](ChartPart part, int r, int c, double value) {
    matrices[static_cast<std::size_t>(part)]->coeffRef(r, c) = value;
  });
}

template <class G>
void RecursiveMechanical<G>::retract(std::span<const double> q, std::span<const double> d,
                                     std::span<double> q_new) const {
  std::copy(q.begin(), q.end(), q_new.begin());
  moveJoints<G>(tree_, d, q_new);
}

template <class G>
void RecursiveMechanical<G>::difference(std::span<const double> from, std::span<const double> to,
                                        std::span<double> d) const {
  jointDifference<G>(tree_, from, to, d);
}

template <class G>
std::string RecursiveMechanical<G>::rowName(int r) const {
  return equations_.cuts().elements().row_info[at(options_.rows[at(r)])].name;
}

template <class G>
std::string RecursiveMechanical<G>::describeFailure(const Workspace& workspace) const {
  const Work& work = static_cast<const Work&>(workspace);
  if (std::string words = inputFailure(work, mechanism_, equations_.cuts().elements()); !words.empty()) return words;
  switch (work.failure) {
    case Work::Failure::state_not_finite: return "the motion runs away to infinity";
    case Work::Failure::massless_body:
      return "a body lacks inertia in a direction that its joints leave free; give it a mass and an inertia";
    default: return "the equations could not be evaluated";
  }
}

template class RecursiveMechanical<Planar<double>>;
template class RecursiveMechanical<Spatial<double>>;

}  // namespace linkwork
