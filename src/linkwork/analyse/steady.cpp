#include "linkwork/analyse/steady.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linkwork/analyse/independent_coordinates.hpp"
#include "linkwork/base/contract.hpp"
#include "linkwork/linalg/decompositions.hpp"
#include "linkwork/linalg/least_solution.hpp"

namespace linkwork {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// Relative to rows of length one: below this the equations of a joint say nothing that the others do not.
constexpr double kRepeatingRow = 1e-8;
constexpr int kSteadySteps = 80;
constexpr double kLargestSteadyStep = 0.4;  // of the length, and of a radian, in positions
// Of the terms of (1): what is left is round-off, and what is taken for steady.
constexpr double kRoundOffLeft = 1e-13;
constexpr double kSteadyEnough = 1e-9;
// Of what is given, likewise.
constexpr double kGivenRoundOff = 1e-15;
constexpr double kGivenMet = 1e-10;

double sizeOfAll(const Vector& a) { return a.size() == 0 ? 0.0 : a.cwiseAbs().maxCoeff(); }

}  // namespace

SteadyModel::SteadyModel(Mechanism of, Assembly at) : mechanism(std::move(of)), assembly(std::move(at)) {
  field = MotionField::make(mechanism, assembly);
  start = field->fromAbsolute(0.0, assembly.state());
}

std::unique_ptr<SteadyModel> makeSteadyModel(const Mechanism& mechanism, const std::vector<InitialValue>& given,
                                             std::string& problem) {
  Assembly assembly = assemble(mechanism);
  if (!assembly.ok) {
    problem = assembly.problem;
    return nullptr;
  }
  auto out = std::make_unique<SteadyModel>(mechanism, std::move(assembly));
  for (const InitialValue& value : given) {
    out->given.push_back(value.quantity);
    out->values.push_back(value.value.number);
  }
  return out;
}

SteadySolver::SteadySolver(std::unique_ptr<SteadyModel> model, double t)
    : model_(std::move(model)), t_(t), symmetries_(findSymmetries(*model_->field, t, model_->start)) {}

void SteadySolver::take(std::unique_ptr<SteadyModel> model) { model_ = std::move(model); }

bool SteadySolver::pieces(const std::vector<double>& x, const Vector& xi, SteadyPieces& out) {
  return evaluate(x, xi, out, true);
}

bool SteadySolver::evaluate(const std::vector<double>& x, const Vector& xi, SteadyPieces& out, bool derivatives) {
  MotionField& field = *model_->field;
  const int n = field.freedoms();
  Vector scale(2 * n);
  scale << field.scale(), field.scale();
  MotionField::Here here;
  if (!field.evaluate(t_, x, here)) return false;
  out.X = scale.asDiagonal() * (here.X * symmetries_.basis);
  Vector motion(2 * n);
  motion << here.u, here.a;
  out.r = scale.cwiseProduct(motion);
  out.size = std::max({sizeOfAll(out.r), 1e-3 * field.length()});
  const Vector rates = xi.size() > 0 ? xi : leastSolution(out.X, out.r);
  out.r -= out.X * rates;

  MotionField::Seen seen;
  field.look(t_, x, model_->given, model_->values, seen);
  Vector weight = Vector::Ones(seen.value.size());
  for (std::size_t k = 0; k < model_->given.size(); ++k) {
    const std::string_view unit = quantityUnit(model_->mechanism, model_->given[k]);
    if (unit.starts_with("rad")) weight[static_cast<Eigen::Index>(k)] = field.length();
  }
  const Vector wanted = Eigen::Map<const Vector>(model_->values.data(), seen.value.size());
  out.g = weight.cwiseProduct(seen.value - wanted);
  if (!derivatives) return true;

  const Vector inverse = scale.cwiseInverse();
  const Matrix velocity_rows = seen.velocity * inverse.asDiagonal();
  const Matrix T_q = unseenMotions(seen.phi * inverse.head(n).asDiagonal(), kRepeatingRow);
  const Matrix by_u = velocity_rows.rightCols(n);
  const Matrix T_u = unseenMotions(by_u, kRepeatingRow);
  const Eigen::Index m = T_q.cols() + T_u.cols();
  out.positions = static_cast<int>(T_q.cols());
  out.T = Matrix::Zero(2 * n, m);
  out.T.topLeftCorner(n, T_q.cols()) = T_q;
  out.T.bottomRightCorner(n, T_u.cols()) = T_u;
  if (by_u.rows() > 0 && T_q.cols() > 0) {
    out.T.bottomLeftCorner(n, T_q.cols()) = -leastSolutions(by_u, velocity_rows.leftCols(n) * T_q, kRepeatingRow);
  }
  const Matrix deviations = inverse.asDiagonal() * out.T;
  Matrix changes;
  if (!field.differentiate(t_, x, deviations, changes)) return false;
  out.A = scale.asDiagonal() * (changes - field.drag(symmetries_.basis * rates, deviations));
  out.g_by_T = weight.asDiagonal() * seen.by_state * deviations;
  out.named = seen.named * deviations.topRows(n);
  return true;
}

// Of (1) where it holds: without turning axes if it can be.
Vector SteadySolver::ratesOf(const SteadyPieces& pieces) const {
  const Vector whole = pieces.r;  // of pieces with xi = 0
  std::vector<Eigen::Index> still;
  for (int k = 0; k < symmetries_.count(); ++k) {
    if (!symmetries_.turn[static_cast<std::size_t>(k)]) still.push_back(k);
  }
  Matrix some(pieces.X.rows(), static_cast<Eigen::Index>(still.size()));
  for (std::size_t k = 0; k < still.size(); ++k) some.col(static_cast<Eigen::Index>(k)) = pieces.X.col(still[k]);
  const Vector of_some = leastSolution(some, whole);
  Vector rates = Vector::Zero(symmetries_.count());
  if (sizeOfAll(whole - some * of_some) <= 1e2 * kSteadyEnough * pieces.size) {
    for (std::size_t k = 0; k < still.size(); ++k) rates[still[k]] = of_some[static_cast<Eigen::Index>(k)];
    return rates;
  }
  return leastSolution(pieces.X, whole);
}

std::vector<Remains> SteadySolver::remainsOf(const SteadyPieces& pieces) const {
  const MotionField& field = *model_->field;
  const int n = field.freedoms();
  std::vector<Eigen::Index> order;
  for (Eigen::Index k = 0; k < pieces.r.size(); ++k) {
    if (std::abs(pieces.r[k]) > kSteadyEnough * pieces.size) order.push_back(k);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](Eigen::Index a, Eigen::Index b) { return std::abs(pieces.r[a]) > std::abs(pieces.r[b]); });
  std::vector<Remains> out;
  for (const Eigen::Index row : order) {
    const Eigen::Index k = row % n;
    const LinearCoordinate& name = field.names()[static_cast<std::size_t>(k)];
    out.push_back({name.name, name.unit + (row >= n ? "/s^2" : "/s"), pieces.r[row] / field.scale()[k]});
  }
  return out;
}

// "in the nearest O.rate is 4.3 rad/s instead of 5"
std::string SteadySolver::missedValue(const SteadyPieces& pieces) const {
  Eigen::Index worst = 0;
  pieces.g.cwiseAbs().maxCoeff(&worst);
  const auto k = static_cast<std::size_t>(worst);
  const std::string_view unit = quantityUnit(model_->mechanism, model_->given[k]);
  const double off = pieces.g[worst] / (unit.starts_with("rad") ? model_->field->length() : 1.0);
  return fmt::format("in the nearest {} is {:.6g} {} instead of {:.6g}",
                     quantityName(model_->mechanism, model_->given[k]), model_->values[k] + off, unit,
                     model_->values[k]);
}

void SteadySolver::finish(const SteadyPieces& pieces, SteadyMotion& out) {
  out.residual = sizeOfAll(pieces.r);
  if (!(out.residual <= kSteadyEnough * pieces.size)) {
    out.remains = remainsOf(pieces);
    const Remains& worst = out.remains.empty() ? Remains{} : out.remains.front();
    const bool accelerates = worst.unit.ends_with("/s^2");
    out.problem = fmt::format(
        "there is no steady motion with what is given near the start; in the one that is nearest to steady {} {} "
        "{:.4g} "
        "{}{}",
        worst.name, accelerates ? "accelerates with" : "moves at", worst.amount, worst.unit,
        accelerates ? "" : ", and the motion depends on it");
    out.hint =
        "Give less, or other values, or let a parameter be found with --find; [initial] says near which motion to "
        "look.";
  } else if (!(sizeOfAll(pieces.g) <= kGivenMet * std::max(pieces.size, model_->field->length()))) {
    out.problem = "no steady motion was found that has all the values that are given; " + missedValue(pieces);
    out.hint = "Give fewer, or values nearer to those of the start.";
  } else {
    out.ok = true;
  }
  describe(out);
}

// What goes on in a motion, and where its bodies are.
void SteadySolver::describe(SteadyMotion& out) {
  SteadyPieces whole;
  if (!evaluate(out.x, Vector::Zero(symmetries_.count()), whole, false)) {
    out.ok = false;
    if (out.problem.empty()) out.problem = model_->field->describeFailure();
    return;
  }
  out.xi = ratesOf(whole);
  const double still = 1e-11 * std::max(whole.size, 1e-300);
  for (int k = 0; k < symmetries_.count(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    if (std::abs(out.xi[k]) * whole.X.col(k).cwiseAbs().maxCoeff() <= still) {
      out.xi[k] = 0.0;
      continue;
    }
    out.goes_on.push_back({symmetries_.names[at], symmetries_.units[at] + "/s", out.xi[k]});
    out.turning = out.turning || symmetries_.turn[at];
  }
  out.absolute = model_->field->toAbsolute(t_, out.x);
}

// Of (1) and (2) by the unknown parameters, by central differences: they steer the iteration, not where it ends.
bool SteadySolver::byParameters(const std::vector<double>& x, const SteadyPieces& here, const SteadyFamily& family,
                                const std::vector<double>& values, Matrix& r, Matrix& g) {
  r.resize(here.r.size(), static_cast<Eigen::Index>(values.size()));
  g.resize(here.g.size(), r.cols());
  std::unique_ptr<SteadyModel> own = std::move(model_);
  bool good = true;
  for (std::size_t k = 0; k < values.size() && good; ++k) {
    const double step = 1e-5 * std::max(std::abs(values[k]), 1e-3);
    SteadyPieces sides[2];
    for (int side = 0; side < 2 && good; ++side) {
      std::vector<double> moved = values;
      moved[k] += side == 0 ? step : -step;
      model_ = family(moved);
      good = model_ != nullptr && evaluate(x, {}, sides[side], false);
    }
    if (!good) break;
    r.col(static_cast<Eigen::Index>(k)) = (sides[0].r - sides[1].r) / (2.0 * step);
    g.col(static_cast<Eigen::Index>(k)) = (sides[0].g - sides[1].g) / (2.0 * step);
  }
  model_ = std::move(own);
  return good;
}

SteadyMotion SteadySolver::find(const std::vector<double>& from, Conditions conditions) {
  std::vector<double> none;
  return search(from, nullptr, none, conditions);
}

SteadyMotion SteadySolver::find(const std::vector<double>& from, const SteadyFamily& family,
                                std::vector<double>& values) {
  return search(from, &family, values, Conditions::given);
}

SteadyMotion SteadySolver::search(const std::vector<double>& from, const SteadyFamily* family,
                                  std::vector<double>& values, Conditions conditions) {
  SteadyMotion out;
  if (!symmetries_.problem.empty() || symmetries_.knows_time) {
    out.problem = symmetries_.knows_time
                      ? "drives, loads or formulas change with the time by themselves, so that no motion is steady"
                      : symmetries_.problem;
    return out;
  }
  MotionField* field = model_->field.get();
  const int n = field->freedoms();
  if (n == 0) {
    out.problem = "drives prescribe all motions";
    return out;
  }
  out.x = from;
  if (!field->go(t_, Vector::Zero(2 * n), out.x)) {
    out.problem = "the joints do not close";
    return out;
  }
  const auto unknowns = static_cast<Eigen::Index>(values.size());
  SteadyPieces here;
  Matrix r_by_p;
  Matrix g_by_p;
  double damping = 0.0;
  double size = 0.0;
  const auto evaluateHere = [&] {
    if (!evaluate(out.x, {}, here, true)) return false;
    if (conditions == Conditions::none) here.g.resize(0), here.g_by_T.resize(0, here.T.cols());
    r_by_p.resize(here.r.size(), 0);
    g_by_p.resize(here.g.size(), 0);
    if (unknowns > 0 && !byParameters(out.x, here, *family, values, r_by_p, g_by_p)) return false;
    size = std::max(size, here.size);
    return true;
  };
  if (!evaluateHere()) {
    out.problem = field->describeFailure();
    return out;
  }
  for (out.iterations = 0; out.iterations < kSteadySteps; ++out.iterations) {
    const double given_off = sizeOfAll(here.g);
    const bool met = given_off <= kGivenMet * std::max(size, field->length());
    const bool exact = given_off <= kGivenRoundOff * std::max(size, field->length());
    if (exact && sizeOfAll(here.r) <= kRoundOffLeft * here.size) break;
    // (2) first; what is left of the freedoms serves (1).
    const Eigen::Index m = here.T.cols();
    const Eigen::Index k = here.X.cols();
    Matrix g_by(here.g.size(), m + k + unknowns);
    g_by << here.g_by_T, Matrix::Zero(here.g.size(), k), g_by_p;
    Matrix r_by(here.r.size(), g_by.cols());
    r_by << here.A, -here.X, r_by_p;
    // Moving along the symmetries gains nothing, unless what is given says where.
    const Matrix W = here.T.householderQr().solve(here.X);
    Matrix held(0, g_by.cols());
    if (here.g.size() == 0 || (here.g_by_T * W).cwiseAbs().maxCoeff() <= 1e-9 * here.g_by_T.cwiseAbs().maxCoeff()) {
      held = Matrix::Zero(k, g_by.cols());
      held.leftCols(here.positions) = W.topRows(here.positions).transpose();
    }
    g_by.conservativeResize(here.g.size() + held.rows(), Eigen::NoChange);
    g_by.bottomRows(held.rows()) = held;
    Vector wanted = Vector::Zero(g_by.rows());
    wanted.head(here.g.size()) = -here.g;
    const Vector first = leastSolution(g_by, wanted);
    if (sizeOfAll(g_by * first - wanted) > 1e-6 * std::max(given_off, 1e-300) && !met) {
      out.problem = "the values that are given contradict each other, or what joints and drives allow";
      out.hint = "Give fewer of them.";
      return out;
    }
    const Matrix rest = unseenMotions(g_by, 1e-10);
    Matrix left = r_by * rest;
    Vector right = -here.r - r_by * first;
    if (damping > 0.0 && left.cols() > 0) {
      const Eigen::Index rows = left.rows();
      left.conservativeResize(rows + left.cols(), left.cols());
      left.bottomRows(left.cols()) =
          damping * here.A.cwiseAbs().maxCoeff() * Matrix::Identity(left.cols(), left.cols());
      right.conservativeResize(left.rows());
      right.tail(left.cols()).setZero();
    }
    const Vector step = first + rest * leastSolution(left, right);
    const Vector deviation = here.T * step.head(m);
    const double far = sizeOfAll(deviation.head(n)) / field->length();
    const double share = std::min(1.0, kLargestSteadyStep / std::max(far, 1e-300));

    const std::vector<double> x_before = out.x;
    const std::vector<double> values_before = values;
    const double missed = here.r.norm();
    const SteadyPieces before = here;
    Vector scaled = share * deviation;
    scaled.head(n) = scaled.head(n).cwiseQuotient(field->scale());
    scaled.tail(n) = scaled.tail(n).cwiseQuotient(field->scale());
    for (Eigen::Index p = 0; p < unknowns; ++p) values[static_cast<std::size_t>(p)] += share * step[m + k + p];
    bool good = step.allFinite();
    if (good && unknowns > 0) {
      std::unique_ptr<SteadyModel> next = (*family)(values);
      good = next != nullptr;
      if (good) model_ = std::move(next);
      field = model_->field.get();
    }
    good = good && field->go(t_, scaled, out.x) && evaluateHere();
    // While given values are being approached the motion may well become less steady.
    const bool nearer =
        good && sizeOfAll(here.g) < 0.5 * given_off && sizeOfAll(here.r) <= kSteadyEnough * 0.1 * here.size;
    const bool better = good && (!met || nearer || here.r.norm() < missed * (1.0 - 1e-4 * share));
    if (better) {
      damping = damping < 1e-5 ? 0.0 : damping * 0.1;
      continue;
    }
    out.x = x_before;
    if (unknowns > 0) {
      values = values_before;
      model_ = (*family)(values);
      field = model_->field.get();
    }
    here = before;
    if (met && sizeOfAll(here.r) <= kSteadyEnough * 1e-1 * here.size) break;  // at round-off: no step makes it better
    damping = damping == 0.0 ? 1e-4 : damping * 10.0;
    if (damping > 1e6) break;
    if (unknowns > 0 && !evaluateHere()) break;
  }
  finish(here, out);
  return out;
}

}  // namespace linkwork
