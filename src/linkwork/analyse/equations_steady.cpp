#include "linkwork/analyse/equations_steady.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "linkwork/base/index.hpp"
#include "linkwork/formulation/equations/equations_names.hpp"
#include "linkwork/formulation/equations/equations_start.hpp"
#include "linkwork/linalg/decompositions.hpp"
#include "linkwork/linalg/least_solution.hpp"

namespace linkwork {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr int kRandomStates = 3;
constexpr double kNoDependence = 1e-11;  // of the largest entry of a row and one
constexpr int kMostSteps = 100;
constexpr double kRoundOffOfTerms = 1e-14;
constexpr double kSteadyWithin = 1e-10;
constexpr double kZero = 1e-9;  // singular values, of the largest
constexpr double kFamilyStep = 3e-2;

double greatest(const Vector& a) { return a.size() == 0 ? 0.0 : a.cwiseAbs().maxCoeff(); }

int nullity(const Matrix& A) {
  if (A.size() == 0) return static_cast<int>(A.cols());
  const Eigen::JacobiSVD<Matrix> svd(A);
  const Vector& sizes = svd.singularValues();
  int out = 0;
  for (const double size : sizes) out += size <= kZero * std::max(sizes[0], 1e-300) ? 1 : 0;
  return sizes[0] == 0.0 ? static_cast<int>(A.cols()) : out;
}

// The right singular vectors of the smallest values, and the others: [U Q].
std::pair<Matrix, Matrix> split(const Matrix& A, int zeros) {
  const Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeFullV);
  const auto rest = A.cols() - zeros;
  return {svd.matrixV().rightCols(zeros), svd.matrixV().leftCols(rest)};
}

}  // namespace

// At a state: rates of all, what constraints of positions and given values miss, and derivatives by (q, w).
struct EquationsSteadySolver::Pieces {
  Vector rates;  // n + l
  Vector phi, given;
  Matrix by_state;  // of rates
  Matrix phi_by, given_by;
  double size = 1.0;
};

EquationsSteadySolver::EquationsSteadySolver(std::unique_ptr<EquationsModel> model, Coordinates coordinates) {
  take(std::move(model));
  EquationsStart start = findEquationsStart(*model_);
  if (!start.ok) {
    problem_ = start.problem;
    return;
  }
  start_ = std::move(start.x);
  for (int s = 0; s < system_->tapes().n; ++s) kept_.push_back(s);
  if (coordinates == Coordinates::needed) findIgnorable();
}

void EquationsSteadySolver::take(std::unique_ptr<EquationsModel> model) {
  product_.reset();
  work_.reset();
  system_.reset();
  model_ = std::move(model);
  system_ = std::make_unique<EquationsSystem>(*model_);
  product_ = makeJacobianProduct(*system_);
  work_ = system_->makeWorkspace();
  compileGiven();
}

void EquationsSteadySolver::compileGiven() {
  std::map<std::string, Expr> numbers;
  for (const Parameter& parameter : model_->frame.parameters)
    numbers.emplace(parameter.name, Expr(parameter.value.number));
  std::vector<std::string> inputs;
  for (const EquationsCoordinate& q : model_->coordinates) inputs.push_back(q.name);
  for (const EquationsCoordinate& q : model_->coordinates) inputs.push_back(q.rate());
  std::vector<Expr> outputs;
  for (const EquationsGiven& given : model_->steady) {
    const Expr form = substitute(given.form, numbers);
    outputs.push_back(form);
    for (const std::string& name : inputs) outputs.push_back(differentiate(form, Expr::symbol(name)));
  }
  inputs.emplace_back("t");
  given_ = Tape(outputs, inputs);
}

bool EquationsSteadySolver::evaluate(const std::vector<double>& x, bool derivatives, Conditions conditions,
                                     Pieces& out) {
  const EquationsTapes& tapes = system_->tapes();
  const int n = tapes.n;
  const int size = n + tapes.free;
  std::vector<double> xdot(x.size());
  if (system_->derivative(0.0, x, {}, *work_, xdot) != Eval::ok) return false;
  out.rates = Eigen::Map<const Vector>(xdot.data(), size);
  out.size = std::max(1.0, greatest(out.rates));
  auto work = system_->kernel().makeWork();
  system_->kernel().place(0.0, std::span(x).first(at(n)), work);
  const auto phi = system_->kernel().phi(work);
  out.phi = Eigen::Map<const Vector>(phi.data(), static_cast<Eigen::Index>(phi.size()));
  const auto count = conditions == Conditions::given ? static_cast<Eigen::Index>(model_->steady.size()) : 0;
  std::vector<double> in(at(2 * n + 1), 0.0), scratch(given_.scratchSize()), found(given_.outputCount());
  std::copy_n(x.begin(), n, in.begin());
  std::copy_n(xdot.begin(), n, in.begin() + n);
  given_.evaluate<double>(in, scratch, found);
  out.given.resize(count);
  const std::size_t stride = at(2 * n + 1);
  for (Eigen::Index k = 0; k < count; ++k) out.given[k] = found[at(k) * stride] - model_->steady[at(k)].value.number;
  if (!derivatives) return true;

  std::vector<double> along(x.size() * at(size), 0.0), put(along.size());
  for (int k = 0; k < size; ++k) along[x.size() * at(k) + at(k)] = 1.0;
  if (product_->times(0.0, x, {}, along, put) != Eval::ok) return false;
  out.by_state = Eigen::Map<const Matrix>(put.data(), static_cast<Eigen::Index>(x.size()), size).topRows(size);
  out.phi_by = Matrix::Zero(out.phi.size(), size);
  const auto a = system_->kernel().block(work.forms, tapes.a);
  for (Eigen::Index k = 0; k < out.phi.size(); ++k) {
    for (int s = 0; s < n; ++s) out.phi_by(k, s) = a[at(tapes.position_rows[at(k)] * n + s)];
  }
  out.given_by = Matrix::Zero(count, size);
  for (Eigen::Index k = 0; k < count; ++k) {
    const double* slopes = &found[at(k) * stride + 1];
    for (int s = 0; s < n; ++s) {
      out.given_by(k, s) += slopes[s];
      out.given_by.row(k) += slopes[n + s] * out.by_state.row(s);
    }
  }
  return out.by_state.allFinite();
}

// Whether the equations know the time is seen too: rates at other times.
void EquationsSteadySolver::findIgnorable() {
  const int n = system_->tapes().n;
  const int l = system_->tapes().free;
  std::mt19937 engine(11);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<Pieces> seen;
  std::vector<Vector> later;
  for (int trial = 0; trial < 20 && static_cast<int>(seen.size()) < kRandomStates; ++trial) {
    std::vector<double> x = start_;
    for (int k = 0; k < n; ++k) x[at(k)] += 0.3 * uniform(engine);
    for (int k = 0; k < l; ++k) x[at(n + k)] += uniform(engine);
    if (system_->afterStep(0.0, x, {}, *work_).eval != Eval::ok) continue;
    Pieces pieces;
    if (!evaluate(x, true, Conditions::none, pieces)) continue;
    std::vector<double> xdot(x.size());
    if (system_->derivative(0.7321, x, {}, *work_, xdot) != Eval::ok) continue;
    later.emplace_back(Eigen::Map<const Vector>(xdot.data(), n + l));
    seen.push_back(std::move(pieces));
  }
  if (seen.empty()) {
    problem_ = "the equations cannot be evaluated near the start";
    return;
  }
  // What rates of w and constraints of positions depend on, and what the rates of that depend on: sets of coordinates
  // that know only of each other, as a free body's angles, are left out together.
  std::vector<bool> row(at(n + l), false);
  for (int k = 0; k < l; ++k) row[at(n + k)] = true;
  const auto needed = [&](int s) {
    for (const Pieces& pieces : seen) {
      if (greatest(pieces.phi_by.col(s)) > kNoDependence) return true;
      for (int r = 0; r < n + l; ++r) {
        const double size = 1.0 + pieces.by_state.row(r).cwiseAbs().maxCoeff();
        if (row[at(r)] && std::abs(pieces.by_state(r, s)) > kNoDependence * size) return true;
      }
    }
    return false;
  };
  for (bool again = true; again;) {
    again = false;
    for (int s = 0; s < n; ++s) {
      if (row[at(s)] || !needed(s)) continue;
      row[at(s)] = again = true;
    }
  }
  std::erase_if(kept_, [&](int s) { return !row[at(s)]; });
  for (std::size_t k = 0; k < seen.size(); ++k) {
    for (int r = 0; r < n + l; ++r) {
      if (row[at(r)] && std::abs(later[k][r] - seen[k].rates[r]) > kNoDependence * (1.0 + greatest(seen[k].rates)))
        problem_ = "formulas change with the time by themselves, so that no motion is steady";
    }
  }
}

std::vector<std::string> EquationsSteadySolver::ignorable() const {
  std::vector<std::string> out;
  for (int s = 0; s < system_->tapes().n; ++s) {
    if (std::find(kept_.begin(), kept_.end(), s) == kept_.end()) out.push_back(model_->coordinates[at(s)].name);
  }
  return out;
}

EquationsMotion EquationsSteadySolver::find(const std::vector<double>& from, Conditions conditions) {
  std::vector<double> none;
  return search(from, nullptr, none, conditions);
}
EquationsMotion EquationsSteadySolver::find(const std::vector<double>& from, const EquationsFamily& family,
                                            std::vector<double>& values) {
  return search(from, &family, values, Conditions::given);
}

EquationsMotion EquationsSteadySolver::search(const std::vector<double>& from, const EquationsFamily* family,
                                              std::vector<double>& values, Conditions conditions) {
  EquationsMotion out;
  out.x = from;
  out.problem = problem_;
  if (!problem_.empty()) return out;
  const int n = system_->tapes().n;
  const int l = system_->tapes().free;
  std::vector<int> unknown = kept_;
  for (int k = 0; k < l; ++k) unknown.push_back(n + k);
  // A given place on which nothing depends is no condition.
  for (const EquationsGiven& given : model_->steady) {
    for (int s = 0; s < n; ++s) {
      if (given.of_positions && given.name == model_->coordinates[at(s)].name &&
          std::find(kept_.begin(), kept_.end(), s) == kept_.end())
        out.x[at(s)] = given.value.number;
    }
  }
  const auto m = static_cast<Eigen::Index>(unknown.size());
  const auto p = static_cast<Eigen::Index>(values.size());
  const auto residual = [&](const Pieces& pieces) {
    Vector r(m + pieces.phi.size() + pieces.given.size());
    for (Eigen::Index k = 0; k < m; ++k) r[k] = pieces.rates[unknown[at(k)]];
    r.segment(m, pieces.phi.size()) = pieces.phi;
    r.tail(pieces.given.size()) = pieces.given;
    return r;
  };
  const auto derivative = [&](const Pieces& pieces) {
    Matrix D(m + pieces.phi.size() + pieces.given.size(), m + p);
    for (Eigen::Index c = 0; c < m; ++c) {
      for (Eigen::Index k = 0; k < m; ++k) D(k, c) = pieces.by_state(unknown[at(k)], unknown[at(c)]);
      D.col(c).segment(m, pieces.phi.size()) = pieces.phi_by.col(unknown[at(c)]);
      D.col(c).tail(pieces.given.size()) = pieces.given_by.col(unknown[at(c)]);
    }
    return D;
  };
  Pieces here;
  if (!evaluate(out.x, true, conditions, here)) {
    out.problem = system_->describeFailure(*work_);
    return out;
  }
  Vector r = residual(here);
  for (out.iterations = 0; out.iterations < kMostSteps; ++out.iterations) {
    if (greatest(r) <= kRoundOffOfTerms * here.size) break;
    Matrix D = derivative(here);
    for (Eigen::Index k = 0; k < p; ++k) {
      // Central differences: they steer the iteration, not where it ends.
      const double step = 1e-5 * std::max(std::abs(values[at(k)]), 1e-3);
      Vector sides[2];
      for (int side = 0; side < 2; ++side) {
        std::vector<double> moved = values;
        moved[at(k)] += side == 0 ? step : -step;
        std::unique_ptr<EquationsModel> other = (*family)(moved);
        if (other == nullptr) {
          out.problem = "the model cannot be made with other values of what is to be found";
          return out;
        }
        take(std::move(other));
        Pieces pieces;
        if (!evaluate(out.x, false, conditions, pieces)) return out;
        sides[side] = residual(pieces);
      }
      D.col(m + k) = (sides[0] - sides[1]) / (2.0 * step);
    }
    const Vector step = leastSolution(D, -r);
    double share = 1.0;
    bool better = false;
    for (int halving = 0; halving < 30 && !better; ++halving, share *= 0.5) {
      std::vector<double> x = out.x;
      std::vector<double> moved = values;
      for (Eigen::Index k = 0; k < m; ++k) x[at(unknown[at(k)])] += share * step[k];
      for (Eigen::Index k = 0; k < p; ++k) moved[at(k)] += share * step[m + k];
      if (p > 0) {
        std::unique_ptr<EquationsModel> other = (*family)(moved);
        if (other == nullptr) continue;
        take(std::move(other));
      }
      Pieces pieces;
      if (!evaluate(x, true, conditions, pieces)) continue;
      const Vector missed = residual(pieces);
      if (!(missed.norm() < r.norm())) continue;
      better = true;
      out.x = x;
      values = moved;
      here = std::move(pieces);
      r = missed;
    }
    if (better) continue;
    if (p > 0) take((*family)(values));
    break;  // at round-off, or at the nearest
  }
  out.residual = greatest(r);
  finish(here, out);
  return out;
}

std::string EquationsSteadySolver::missWords(const Pieces& pieces) const {
  const int n = system_->tapes().n;
  double worst = -1.0;
  std::string out;
  for (const int s : kept_) {
    if (!(std::abs(pieces.rates[s]) > worst)) continue;
    worst = std::abs(pieces.rates[s]);
    const EquationsCoordinate& q = model_->coordinates[at(s)];
    out =
        fmt::format("{} moves at {:.4g} {}, and the motion depends on it", q.name, pieces.rates[s], unitOfRate(q.unit));
  }
  for (int k = 0; k < system_->tapes().free; ++k) {
    if (!(std::abs(pieces.rates[n + k]) > worst)) continue;
    worst = std::abs(pieces.rates[n + k]);
    const EquationsForm& form = model_->quasi_velocities[at(k)];
    out = fmt::format("{} accelerates with {:.4g} {}", form.name, pieces.rates[n + k], unitOfRate(form.unit));
  }
  return out;
}

void EquationsSteadySolver::finish(const Pieces& pieces, EquationsMotion& out) {
  if (!(out.residual <= kSteadyWithin * pieces.size)) {
    out.problem = fmt::format(
        "there is no steady motion with what is given near the start; in the one that is nearest to steady {}",
        missWords(pieces));
    out.hint =
        "Give less, or other values, or let a parameter be found with --find; the start says near which motion to "
        "look.";
    return;
  }
  const double still = 1e-11 * pieces.size;
  for (int s = 0; s < system_->tapes().n; ++s) {
    if (std::find(kept_.begin(), kept_.end(), s) != kept_.end()) continue;
    const EquationsCoordinate& q = model_->coordinates[at(s)];
    bool changes = false;
    for (int other = 0; other < system_->tapes().n; ++other) {
      const bool left_out = std::find(kept_.begin(), kept_.end(), other) == kept_.end();
      changes = changes || (left_out && std::abs(pieces.rates[other]) > still &&
                            std::abs(pieces.by_state(s, other)) > kNoDependence * pieces.size);
    }
    if (changes) {
      out.changes.push_back(q.name);
    } else if (std::abs(pieces.rates[s]) > still) {
      out.goes_on.push_back({q.name, unitOfRate(q.unit), pieces.rates[s]});
    }
  }
  out.ok = true;
}

// In coordinates that the constraints of positions leave independent, chosen by elimination with complete pivots.
EquationsLinear EquationsSteadySolver::linearise(const std::vector<double>& x) {
  EquationsLinear out;
  Pieces pieces;
  if (!evaluate(x, true, Conditions::none, pieces)) {
    out.problem = system_->describeFailure(*work_);
    return out;
  }
  const int n = system_->tapes().n;
  const int l = system_->tapes().free;
  const auto count = static_cast<Eigen::Index>(kept_.size());
  Matrix gradient(pieces.phi_by.rows(), count);
  for (Eigen::Index k = 0; k < count; ++k) gradient.col(k) = pieces.phi_by.col(kept_[at(k)]);
  std::vector<Eigen::Index> dependent, independent;
  if (gradient.rows() > 0) {
    const Eigen::ColPivHouseholderQR<Matrix> qr(gradient);
    for (Eigen::Index k = 0; k < qr.rank(); ++k) dependent.push_back(qr.colsPermutation().indices()[k]);
  }
  for (Eigen::Index k = 0; k < count; ++k) {
    if (std::find(dependent.begin(), dependent.end(), k) == dependent.end()) independent.push_back(k);
  }
  const auto free = static_cast<Eigen::Index>(independent.size());
  Matrix T = Matrix::Zero(n + l, free + l);  // deviations of (q, w)
  Matrix G_d(gradient.rows(), static_cast<Eigen::Index>(dependent.size()));
  for (std::size_t k = 0; k < dependent.size(); ++k) G_d.col(static_cast<Eigen::Index>(k)) = gradient.col(dependent[k]);
  for (Eigen::Index k = 0; k < free; ++k) {
    T(kept_[at(independent[at(k)])], k) = 1.0;
    if (dependent.empty()) continue;
    const Vector moved = -G_d.completeOrthogonalDecomposition().solve(gradient.col(independent[at(k)]));
    for (std::size_t j = 0; j < dependent.size(); ++j)
      T(kept_[at(dependent[j])], k) = moved[static_cast<Eigen::Index>(j)];
  }
  for (int k = 0; k < l; ++k) T(n + k, free + k) = 1.0;
  const Matrix all = pieces.by_state * T;
  out.A.resize(free + l, free + l);
  out.rest.resize(free + l);
  for (Eigen::Index k = 0; k < free + l; ++k) {
    const int row = k < free ? kept_[at(independent[at(k)])] : n + static_cast<int>(k - free);
    out.A.row(k) = all.row(row);
    out.rest[k] = pieces.rates[row];
    if (k < free) {
      const EquationsCoordinate& q = model_->coordinates[at(row)];
      out.states.push_back(q.name);
      out.units.push_back(q.unit);
    } else {
      const EquationsForm& form = model_->quasi_velocities[at(row - n)];
      out.states.push_back(form.name);
      out.units.push_back(form.unit);
    }
  }
  out.ok = true;
  return out;
}

// How many zeros A has at the motion and at each neighbour that a step along one of them leads to, level by level.
std::vector<int> EquationsSteadySolver::countZeros(const EquationsMotion& motion) {
  const EquationsLinear here = linearise(motion.x);
  if (!here.ok || here.A.size() == 0) return {};
  std::vector<EquationsLinear> family{here};
  const auto [null, rest] = split(here.A, nullity(here.A));
  for (Eigen::Index k = 0; k < null.cols(); ++k) {
    std::vector<double> x = motion.x;
    for (std::size_t i = 0; i < here.states.size(); ++i) {
      const double step = kFamilyStep * null(static_cast<Eigen::Index>(i), k);
      const int n = system_->tapes().n;
      const std::string& name = here.states[i];
      bool put = false;
      for (int s = 0; s < n && i + at(system_->tapes().free) < here.states.size(); ++s) {
        if (model_->coordinates[at(s)].name == name) x[at(s)] += step, put = true;
      }
      if (!put) x[at(n) + i - (here.states.size() - at(system_->tapes().free))] += step;
    }
    const EquationsMotion neighbour = find(x, Conditions::none);
    if (!neighbour.ok) continue;
    if (EquationsLinear linear = linearise(neighbour.x); linear.ok) family.push_back(std::move(linear));
  }
  std::vector<int> out;
  std::vector<Matrix> left;
  for (const EquationsLinear& one : family) left.push_back(one.A);
  for (;;) {
    int zeros = static_cast<int>(here.A.cols());
    for (const Matrix& A : left) zeros = std::min(zeros, A.cols() == 0 ? 0 : nullity(A));
    if (zeros == 0) return out;
    out.push_back(zeros);
    for (Matrix& A : left) {
      const Matrix Q = split(A, zeros).second;
      A = (Q.transpose() * A * Q).eval();
    }
  }
}

DeflatedEquations EquationsSteadySolver::deflate(const EquationsLinear& linear, const std::vector<int>& zeros) const {
  DeflatedEquations out;
  out.A = linear.A;
  out.basis = Matrix::Identity(linear.A.rows(), linear.A.cols());
  out.families.resize(linear.A.rows(), 0);
  for (const int count : zeros) {
    const auto [U, Q] = split(out.A, count);
    const Eigen::Index before = out.families.cols();
    out.families.conservativeResize(Eigen::NoChange, before + U.cols());
    out.families.rightCols(U.cols()) = out.basis * U;
    out.A = (Q.transpose() * out.A * Q).eval();
    out.basis = (out.basis * Q).eval();
  }
  return out;
}

}  // namespace linkwork
