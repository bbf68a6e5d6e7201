#include "linkwork/analyse/linearise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "linkwork/analyse/equations_along.hpp"
#include "linkwork/base/contract.hpp"
#include "linkwork/linalg/decompositions.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

namespace {

using Number = Dual<8>;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// Relative to rows of length one: below this the equations of a joint say nothing that the others do not.
constexpr double kDependent = 1e-8;
// Of the terms of a sum: less is round-off of some hundred operations.
constexpr double kCancelled = 1e-13;
// What exact arithmetic would leave zero; above this the equations contradict each other at second order.
constexpr double kContradiction = 1e-6;

struct Failure {
  std::string problem, hint;
};

// The rows of joints and of some coordinates, to be solved with.
struct LevelSystem {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd scale;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> solver;

  void prepare(const Eigen::MatrixXd& joints, const Eigen::VectorXd& row_scale,
               const std::vector<std::size_t>& coordinates, const Eigen::MatrixXd& seen,
               const Eigen::VectorXd& seen_scale) {
    const Eigen::Index rows = joints.rows();
    const auto count = static_cast<Eigen::Index>(coordinates.size());
    matrix.resize(rows + count, joints.cols());
    matrix.topRows(rows) = joints;
    scale.resize(rows + count);
    scale.head(rows) = row_scale;
    for (Eigen::Index k = 0; k < count; ++k) {
      const auto row = static_cast<Eigen::Index>(coordinates[static_cast<std::size_t>(k)]);
      matrix.row(rows + k) = seen.row(row);
      scale[rows + k] = seen_scale[row];
    }
    solver.compute(matrix);
  }
};

template <class G>
class Lineariser : private EquationsAlong<G> {
  using Base = EquationsAlong<G>;
  using typename Base::GD;

 public:
  Lineariser(const Mechanism& named, const Assembly& assembly, double t, std::span<const double> x)
      : Base(named, t, x), assembly_(assembly), length_(linkwork::referenceLength(plain_)) {}

  Linearisation run(const LineariseOptions& options) {
    Linearisation out;
    out.time = t_;
    out.length = length_;
    try {
      solveMotion(out);
      evaluateHere();
      choose(options, out);
      differentiate(out);
      finish(out);
      out.ok = true;
    } catch (const Failure& failure) {
      out.problem = failure.problem;
      out.hint = failure.hint;
    }
    return out;
  }

 private:
  using Base::a_;
  using Base::candidates_;
  using Base::carriers_;
  using Base::chosen_;
  using Base::derivatives;
  using Base::dual_;
  using Base::equations_;
  using Base::evaluate;
  using Base::freedoms;
  using Base::lambda_;
  using Base::noInput;
  using Base::plain_;
  using Base::rows;
  using Base::t_;
  using Base::v_;
  using Base::work_;
  using Base::x_;

  // Accelerations and multipliers of the state.
  void solveMotion(Linearisation& out) {
    const auto system = makeSystem(plain_, startingFrom(assembly_));
    const auto work = system->makeWorkspace();
    std::vector<double> xdot(x_.size());
    Observation seen;
    if (system->derivative(t_, x_, system->startModes(), *work, xdot) != Eval::ok ||
        system->observe(t_, x_, system->startModes(), *work, seen) != Eval::ok) {
      throw Failure{system->describeFailure(*work), ""};
    }
    const auto q = at(equations_.coordinates());
    v_ = Eigen::Map<const Vector>(x_.data() + q, freedoms());
    a_ = Eigen::Map<const Vector>(xdot.data() + q, freedoms());
    lambda_ = Eigen::Map<const Vector>(seen.multipliers.data(), rows());
    out.output_values = Eigen::Map<const Vector>(seen.outputs.data(), static_cast<Eigen::Index>(seen.outputs.size()));
  }

  // Phi_q, the rows of all named coordinates, and what acts, at the state itself.
  void evaluateHere() {
    evaluate({Matrix::Zero(freedoms(), 1), Matrix::Zero(freedoms(), 1), noInput(1)}, 0);
    phi_q_ = Matrix::Zero(rows(), freedoms());
    for (int r = 0; r < rows(); ++r) {
      for (int p = dual_.rowStart()[at(r)]; p < dual_.rowStart()[at(r) + 1]; ++p) {
        for (int k = 0; k < G::kFreedoms; ++k) {
          phi_q_(r, G::kFreedoms * dual_.rowBodies()[at(p)] + k) = work_.jacobian[at(G::kFreedoms * p + k)].value;
        }
      }
    }
    seen_rows_.resize(static_cast<Eigen::Index>(candidates_.size()), freedoms());
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
      seen_rows_.row(static_cast<Eigen::Index>(k)) = candidates_[k].row(work_, freedoms());
    }
    force_.resize(freedoms());
    std::vector<Number> own(at(G::kFreedoms));
    for (int b = 0; b < equations_.bodies(); ++b) {
      GD::put(work_.Q[at(b)], own);
      for (int k = 0; k < G::kFreedoms; ++k) force_[G::kFreedoms * b + k] = own[at(k)].value;
    }
    mass_ = Matrix::Zero(freedoms(), freedoms());
    for (int b = 0; b < equations_.bodies(); ++b) {
      const auto values = G::massValues(equations_.elements().body[at(b)]);
      for (std::size_t e = 0; e < values.size(); ++e) {
        const int r = G::kFreedoms * b + G::kMassEntries[e][0];
        const int c = G::kFreedoms * b + G::kMassEntries[e][1];
        mass_(r, c) = mass_(c, r) = values[e];
      }
    }
  }

  void choose(const LineariseOptions& options, Linearisation& out) {
    Vector row_scale(rows());
    for (int r = 0; r < rows(); ++r) {
      row_scale[r] = equations_.elements().row_info[at(r)].unit == RowUnit::angle ? length_ : 1.0;
    }
    Vector column_scale = Vector::Ones(freedoms());
    for (int u = 0; u < freedoms(); ++u) {
      if (u % G::kFreedoms >= G::kDimension) column_scale[u] = 1.0 / length_;
    }
    Vector seen_scale(seen_rows_.rows());
    std::vector<std::string> names;
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
      seen_scale[static_cast<Eigen::Index>(k)] = candidates_[k].isAngle() ? length_ : 1.0;
      names.push_back(candidates_[k].named.name);
      out.seen.push_back(candidates_[k].named);
    }
    const Matrix joints = row_scale.asDiagonal() * phi_q_ * column_scale.asDiagonal();
    const Matrix seen = seen_scale.asDiagonal() * seen_rows_ * column_scale.asDiagonal();
    const Matrix closing = withoutVelocityRows(joints);
    const Matrix free = unseenMotions(closing, kDependent);
    const int expected =
        freedoms() - rows() + static_cast<int>(assembly_.dependent_rows.size()) + assembly_.velocity_rank;
    const int count = static_cast<int>(free.cols());
    if (count == 0) {
      throw Failure{"nothing can move: joints and drives leave no freedom, and there is nothing to linearise",
                    "Take a drive out to see what its coordinate does by itself."};
    }
    if (count != expected) {
      throw Failure{
          fmt::format("at this pose the joints leave {} freedoms and at the start {}: at a dead point or where "
                      "branches meet a mechanism has no linearisation",
                      count, expected),
          "Choose another time with --at."};
    }
    const Choice choice = chooseIndependent(seen * free, names, options.coordinates);
    if (!choice.problem.empty()) throw Failure{choice.problem, choice.hint};
    chosen_ = choice.rows;
    for (const std::size_t k : chosen_) out.coordinates.push_back(candidates_[k].named);
    chooseSpeeds(joints, seen, names, count, out);
    row_scale_ = row_scale;
    column_scale_ = column_scale;
    positions_.prepare(closing, row_scale, chosen_, seen, seen_scale);
    if (equations_.velocityRows() > 0) velocities_.emplace().prepare(joints, row_scale, speeds_, seen, seen_scale);
  }

  Matrix withoutVelocityRows(const Matrix& rows_of_all) const {
    Matrix out = rows_of_all;
    for (int r = 0; r < rows(); ++r) {
      if (equations_.level(r) == RowLevel::velocity) out.row(r).setZero();
    }
    return out;
  }

  // As many rates of s as there are velocities, well independent.
  void chooseSpeeds(const Matrix& joints, const Matrix& seen, const std::vector<std::string>& names, int coordinates,
                    Linearisation& out) {
    speeds_ = chosen_;
    if (equations_.velocityRows() > 0) {
      const Matrix free = unseenMotions(joints, kDependent);
      if (free.cols() == 0) {
        throw Failure{"nothing can move: rows that hold velocities alone stop what joints and drives leave free",
                      "Take one of them out."};
      }
      if (static_cast<int>(free.cols()) != coordinates - assembly_.velocity_rank) {
        throw Failure{"at this pose rows that hold velocities alone repeat others, and at the start they do not",
                      "Choose another time with --at."};
      }
      Matrix rows_of_s(static_cast<Eigen::Index>(chosen_.size()), freedoms());
      std::vector<std::string> names_of_s;
      for (std::size_t k = 0; k < chosen_.size(); ++k) {
        rows_of_s.row(static_cast<Eigen::Index>(k)) = seen.row(static_cast<Eigen::Index>(chosen_[k]));
        names_of_s.push_back(names[chosen_[k]]);
      }
      speeds_.clear();
      for (const std::size_t k : chooseIndependent(rows_of_s * free, names_of_s, {}).rows)
        speeds_.push_back(chosen_[k]);
    }
    for (const std::size_t k : speeds_) {
      const auto place = std::find(chosen_.begin(), chosen_.end(), k) - chosen_.begin();
      out.speeds.push_back(static_cast<int>(place));
    }
  }

  // The motions with Phi_q X = of_rows and (rows of s) X = of_s; of rows without a Phi zero is asked of zero.
  Matrix moveBy(const Matrix& of_rows, const Matrix& of_s) const { return solve(positions_, of_rows, of_s); }
  // The velocities or accelerations with Phi_q X = of_rows and (rows of z) X = of_z.
  Matrix speedUpBy(const Matrix& of_rows, const Matrix& of_z) const {
    return solve(velocities_ ? *velocities_ : positions_, of_rows, of_z);
  }
  Matrix solve(const LevelSystem& system, const Matrix& of_rows, const Matrix& of_s) const {
    Matrix right(of_rows.rows() + of_s.rows(), of_s.cols());
    right.topRows(of_rows.rows()) = of_rows;
    right.bottomRows(of_s.rows()) = of_s;
    right = system.scale.asDiagonal() * right;
    Matrix scaled = system.solver.solve(right);
    const double off = (system.matrix * scaled - right).cwiseAbs().maxCoeff();
    const double size = std::max(right.cwiseAbs().maxCoeff(), scaled.cwiseAbs().maxCoeff());
    if (!(off <= kContradiction * std::max(size, 1e-300))) {
      throw Failure{
          "the joints contradict each other near this pose: it is a dead point, or branches meet here, and there "
          "is no linearisation",
          "Choose another time with --at."};
    }
    return column_scale_.asDiagonal() * scaled;
  }

  // Which of the 3 x inputs are inputs of the linear system.
  std::vector<Eigen::Index> nameInputs(Linearisation& out) const {
    std::vector<Eigen::Index> signals;
    for (std::size_t k = 0; k < carriers_.size(); ++k) {
      const Input& input = plain_.inputs[k];
      for (int order = 0; order < carriers_[k].orders; ++order) {
        signals.push_back(3 * static_cast<Eigen::Index>(k) + order);
        const std::string per = order == 0 ? "" : order == 1 ? "/s" : "/s^2";
        out.inputs.push_back({input.name + std::string(static_cast<std::size_t>(order), '\''),
                              input.unit.empty() && order > 0 ? "1" + per : input.unit + per});
      }
    }
    return signals;
  }

  void differentiate(Linearisation& out) {
    const auto n = static_cast<Eigen::Index>(chosen_.size());
    const auto m_z = static_cast<Eigen::Index>(speeds_.size());
    const std::vector<Eigen::Index> signals = nameInputs(out);
    const auto inputs = static_cast<Eigen::Index>(signals.size());
    const Eigen::Index m = n + m_z + inputs;
    Directions along{Matrix::Zero(freedoms(), m), Matrix::Zero(freedoms(), m), noInput(m)};
    for (Eigen::Index k = 0; k < inputs; ++k) along.input(signals[static_cast<std::size_t>(k)], n + m_z + k) = 1.0;

    // Positions: s moves alone, or the input does.                                                     [eq. 3.4]
    Matrix s_motion = Matrix::Zero(n, m);
    s_motion.leftCols(n).setIdentity();
    along.motion = moveBy(-derivatives(along).phi, s_motion);
    // Velocities: z moves alone, or what keeps z as it is while the joints turn.                       [eq. 3.5]
    const Derivatives moved = derivatives(along);
    Matrix z_velocity = Matrix::Zero(m_z, m);
    z_velocity.middleCols(n, m_z).setIdentity();
    along.velocity = speedUpBy(-moved.velocity, z_velocity - ofSpeeds(moved.s_rate, out));
    // Accelerations with z' held, and the forces that are missing.                                     [eq. 3.6, 3.7]
    const Derivatives at_all = derivatives(along);
    const Matrix acceleration = speedUpBy(at_all.acceleration, -ofSpeeds(at_all.s_bend, out));
    if (!at_all.force.allFinite() || !acceleration.allFinite()) {
      throw Failure{
          "the forces have no finite derivative at this state; an expression has a vertical slope there, or a "
          "spring has no length",
          ""};
    }
    // Motions that do no work against the rows: those of s alone, or of z where some rows are of velocities alone.
    const Matrix motions_of_s = along.motion.leftCols(n);
    const Matrix Z = velocities_ ? speedUpBy(Matrix::Zero(rows(), m_z), Matrix::Identity(m_z, m_z)) : motions_of_s;
    Matrix missing = Z.transpose() * (mass_ * acceleration - at_all.force);
    takeCancelledOut(Z, motions_of_s, acceleration, at_all, missing);
    out.M = Z.transpose() * mass_ * Z;
    out.K = missing.leftCols(n);
    out.C = missing.middleCols(n, m_z);
    out.G = -missing.rightCols(inputs);
    out.C_y = at_all.output.leftCols(n + m_z);
    out.D = at_all.output.rightCols(inputs);
    out.seen_by_s = seen_rows_ * motions_of_s;
    motions_ = Z;
    if (!velocities_) return;
    // s' of all coordinates: what the velocities change, and what moves with the pose.                 [eq. 3.5]
    s_rate_.resize(n, m);
    for (Eigen::Index k = 0; k < n; ++k) {
      const auto row = static_cast<Eigen::Index>(chosen_[static_cast<std::size_t>(k)]);
      s_rate_.row(k) = seen_rows_.row(row) * along.velocity + moved.s_rate.row(k);
    }
  }

  // What is left of terms that cancel is zero: the root of such a stiffness would be shown as a frequency. And so is a
  // stiffness that the round-off of a force would have: the pull of a reaction that is zero itself.
  void takeCancelledOut(const Matrix& Z, const Matrix& motions_of_s, const Matrix& acceleration,
                        const Derivatives& at_all, Matrix& missing) const {
    const Eigen::Index n = motions_of_s.cols();
    Matrix terms = Z.cwiseAbs().transpose() * (mass_.cwiseAbs() * acceleration.cwiseAbs() + at_all.force_size).eval();
    const Vector pulls = lambda_.cwiseQuotient(row_scale_);
    const Vector pushes = force_.cwiseProduct(column_scale_);
    const double greatest_force = std::max(normInf({pulls.data(), static_cast<std::size_t>(pulls.size())}),
                                           normInf({pushes.data(), static_cast<std::size_t>(pushes.size())}));
    const auto reachOf = [&](const Matrix& motions) -> Eigen::RowVectorXd {
      return (column_scale_.cwiseInverse().asDiagonal() * motions).cwiseAbs().colwise().maxCoeff();
    };
    const Eigen::RowVectorXd reach = reachOf(Z);
    const Eigen::RowVectorXd reach_of_s = reachOf(motions_of_s);
    terms.leftCols(n) = terms.leftCols(n).cwiseMax(greatest_force / length_ * reach.transpose() * reach_of_s).eval();
    missing = (missing.array().abs() <= kCancelled * terms.array()).select(0.0, missing);
  }

  // Of rows for s: those for z.
  static Matrix ofSpeeds(const Matrix& of_s, const Linearisation& out) {
    if (out.ofSecondOrder()) return of_s;
    Matrix of_z(static_cast<Eigen::Index>(out.speeds.size()), of_s.cols());
    for (std::size_t k = 0; k < out.speeds.size(); ++k)
      of_z.row(static_cast<Eigen::Index>(k)) = of_s.row(out.speeds[k]);
    return of_z;
  }

  void finish(Linearisation& out) {
    const auto n = static_cast<Eigen::Index>(chosen_.size());
    out.rates.resize(n);
    out.accelerations.resize(n);
    evaluate({Matrix::Zero(freedoms(), 1), Matrix::Zero(freedoms(), 1), noInput(1)}, 0);
    for (Eigen::Index k = 0; k < n; ++k) {
      const auto& coordinate = candidates_[chosen_[static_cast<std::size_t>(k)]];
      out.rates[k] = seen_rows_.row(static_cast<Eigen::Index>(chosen_[static_cast<std::size_t>(k)])) * v_;
      out.accelerations[k] = coordinate.acceleration(work_, a_).value;
    }
    Vector z_rates(static_cast<Eigen::Index>(speeds_.size()));
    for (std::size_t k = 0; k < out.speeds.size(); ++k) {
      z_rates[static_cast<Eigen::Index>(k)] = out.accelerations[out.speeds[k]];
    }
    out.rest = out.M * z_rates;
    // Relative to what acts along the same coordinate: loads and reactions, or, without any, a weight of 1 m/s^2.
    const Vector acting =
        motions_.cwiseAbs().transpose() * (force_.cwiseAbs() + (phi_q_.transpose() * lambda_).cwiseAbs()).eval();
    const auto m_z = static_cast<Eigen::Index>(speeds_.size());
    for (Eigen::Index k = 0; k < m_z; ++k) {
      const LinearCoordinate& s = out.coordinates[at(out.speeds[static_cast<std::size_t>(k)])];
      const double unit = out.M(k, k) * (s.unit == "rad" ? 1.0 : length_);
      const double scale = std::max(acting[k], 1e-3 * unit);
      out.imbalance = std::max(out.imbalance, std::abs(out.rest[k]) / scale);
    }
    for (int u = 0; u < freedoms(); ++u) {
      out.speed = std::max(out.speed, std::abs(v_[u]) * (u % G::kFreedoms >= G::kDimension ? 1.0 : 1.0 / length_));
    }
    // Positive definite: where a motion meets no inertia the accelerations were not found in the first place.
    const Eigen::LLT<Matrix> inertia(out.M);
    out.A = Matrix::Zero(n + m_z, n + m_z);
    out.B = Matrix::Zero(n + m_z, out.G.cols());
    if (velocities_) {
      out.A.topRows(n) = s_rate_.leftCols(n + m_z);
      out.B.topRows(n) = s_rate_.rightCols(out.G.cols());
    } else {
      out.A.topRightCorner(n, n).setIdentity();
    }
    out.A.bottomLeftCorner(m_z, n) = -inertia.solve(out.K);
    out.A.bottomRightCorner(m_z, m_z) = -inertia.solve(out.C);
    if (out.G.cols() > 0) out.B.bottomRows(m_z) = inertia.solve(out.G);
    for (const Output& output : plain_.outputs) out.outputs.push_back({output.name, output.unit});
  }

  const Assembly& assembly_;
  std::vector<std::size_t> speeds_;  // of the candidates: those of which the rates are z
  double length_;
  Vector force_;
  Matrix phi_q_, mass_, seen_rows_, motions_;
  Matrix s_rate_;  // s' by s, z and inputs, where rows hold velocities alone
  Vector row_scale_, column_scale_;
  LevelSystem positions_;
  std::optional<LevelSystem> velocities_;  // where rows hold velocities alone
};

}  // namespace

std::vector<std::string> Linearisation::stateNames() const {
  std::vector<std::string> names;
  for (const LinearCoordinate& s : coordinates) names.push_back(s.name);
  for (const int k : speeds) names.push_back(coordinates[at(k)].rate_name);
  return names;
}

std::vector<std::string> Linearisation::stateUnits() const {
  std::vector<std::string> units;
  for (const LinearCoordinate& s : coordinates) units.push_back(s.unit);
  for (const int k : speeds) units.push_back(coordinates[at(k)].unit + "/s");
  return units;
}

Linearisation linearise(const Mechanism& named, const Assembly& assembly, double t, std::span<const double> x,
                        const LineariseOptions& options) {
  expect(assembly.ok, "linearise: the mechanism is not assembled");
  if (named.space == Space::spatial) return Lineariser<Spatial<double>>(named, assembly, t, x).run(options);
  return Lineariser<Planar<double>>(named, assembly, t, x).run(options);
}

}  // namespace linkwork
