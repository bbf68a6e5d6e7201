#include "linkwork/formulation/equations/equations_start.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "linkwork/base/index.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

namespace {

// Of a row of length one: what is left of it beside the rows before it.
constexpr double kDependent = 1e-9;
constexpr double kMovedFar = 1e-6;
constexpr int kNewtonSteps = 50;
constexpr double kClosed = 1e-12;
constexpr double kContradiction = 1e-9;

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// The rows of a in words: "0.5 v + 2 lateral".
std::string combination(const Vector& shares, const std::vector<std::string>& names) {
  std::vector<std::string> parts;
  for (Eigen::Index k = 0; k < shares.size(); ++k) {
    if (std::abs(shares[k]) > 1e-9) parts.push_back(fmt::format("{:.6g} {}", shares[k], names[at(k)]));
  }
  return parts.empty() ? "0" : fmt::format("{}", fmt::join(parts, " + "));
}

class Start {
 public:
  explicit Start(const EquationsModel& model)
      : model_(model), system_(model), kernel_(system_.kernel()), work_(kernel_.makeWork()), n_(system_.tapes().n) {}

  EquationsStart find() {
    out_.x.assign(at(system_.space().size()), 0.0);
    for (std::size_t s = 0; s < model_.coordinates.size(); ++s) out_.x[s] = model_.coordinates[s].start.number;
    // Which forms depend on others is asked where the coordinates are, before they are moved.
    if (!findDependent() || !close() || !findDependent() || !setVelocities() || !checkMasses()) return out_;
    out_.ok = true;
    return out_;
  }

 private:
  bool fail(Source where, std::string problem, std::string hint = {}) {
    out_.where = std::move(where);
    out_.problem = std::move(problem);
    out_.hint = std::move(hint);
    return false;
  }
  std::span<const double> q() const { return std::span(out_.x).first(at(n_)); }
  Matrix formsHere() {
    kernel_.place(0.0, q(), work_);
    const auto a = kernel_.block(work_.forms, system_.tapes().a);
    return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(a.data(), n_, n_);
  }
  const EquationsForm& form(int row) const {
    return row < system_.tapes().free ? model_.quasi_velocities[at(row)]
                                      : model_.constraints[at(row - system_.tapes().free)];
  }

  // Constraints first, then the quasi-velocities one after the other: each is to say something that those before it do
  // not.
  bool findDependent() {
    const Matrix a = formsHere();
    std::vector<int> order;
    for (int r = system_.tapes().free; r < n_; ++r) order.push_back(r);
    for (int r = 0; r < system_.tapes().free; ++r) order.push_back(r);
    Matrix before(n_, 0);  // columns: rows of a
    std::vector<std::string> names;
    for (const int r : order) {
      const Vector row = a.row(r).transpose();
      if (!row.allFinite()) {
        return fail(form(r).source,
                    fmt::format("\"{}\" has a coefficient that is no finite number at the start", form(r).name),
                    "Start from other values of the coordinates.");
      }
      Vector shares = Vector::Zero(before.cols());
      Vector left = row;
      if (before.cols() > 0) {
        shares = before.colPivHouseholderQr().solve(row);
        left -= before * shares;
      }
      if (!(left.norm() > kDependent * row.norm())) return reportDependent(r, shares, names);
      before.conservativeResize(Eigen::NoChange, before.cols() + 1);
      before.rightCols(1) = row;
      names.push_back(form(r).name);
    }
    return true;
  }
  bool reportDependent(int row, const Vector& shares, const std::vector<std::string>& names) {
    const bool constraint = row >= system_.tapes().free;
    const std::string sum = combination(shares, names);
    return fail(form(row).source,
                fmt::format("{} \"{}\" depends on the others at the start: it is {}",
                            constraint ? "constraint" : "quasi-velocity", form(row).name, sum),
                constraint ? "Leave it out, or start where it says something of its own."
                           : "Choose another one, that the constraints and the other quasi-velocities leave open.");
  }

  bool close() {
    if (system_.tapes().position_rows.empty()) return true;
    const std::vector<double> drawn(q().begin(), q().end());
    double miss = 0.0;
    for (int step = 0; step < kNewtonSteps; ++step) {
      kernel_.place(0.0, q(), work_);
      miss = 0.0;
      const auto phi = kernel_.phi(work_);
      for (const double entry : phi) miss = std::max(miss, std::abs(entry));
      if (!(miss > kClosed)) break;
      // The shortest step; halved where it leads away.
      Matrix rows(static_cast<Eigen::Index>(phi.size()), n_);
      const auto a = kernel_.block(work_.forms, system_.tapes().a);
      Vector wanted(rows.rows());
      for (Eigen::Index k = 0; k < rows.rows(); ++k) {
        wanted[k] = -phi[at(k)];
        for (int s = 0; s < n_; ++s) rows(k, s) = a[at(system_.tapes().position_rows[at(k)] * n_ + s)];
      }
      const Vector move = rows.completeOrthogonalDecomposition().solve(wanted);
      const double share = std::min(1.0, 0.5 / std::max(move.norm(), 1e-300));
      for (int s = 0; s < n_; ++s) out_.x[at(s)] += share * move[s];
    }
    if (!(miss <= 1e3 * kClosed)) {
      const EquationsForm& row = form(system_.tapes().position_rows.front());
      return fail(row.source,
                  fmt::format("the constraints of positions cannot be met from the start values; {:.2g} is "
                              "left",
                              miss),
                  "Give start values in [coordinates] that are nearer to meeting them.");
    }
    for (int s = 0; s < n_; ++s) {
      const double moved = std::abs(out_.x[at(s)] - drawn[at(s)]);
      if (moved > kMovedFar * std::max(1.0, std::abs(drawn[at(s)])))
        out_.warnings.push_back(fmt::format("\"{}\" starts at {:.9g} instead of {:.9g}, so that the constraints hold",
                                            model_.coordinates[at(s)].name, out_.x[at(s)], drawn[at(s)]));
    }
    return true;
  }

  // Values of rates and quasi-velocities as conditions on w: by unit steps, since all are linear. The least w, where
  // they leave some open.
  bool setVelocities() {
    const int l = system_.tapes().free;
    const auto count = static_cast<Eigen::Index>(model_.initial.size());
    if (count == 0) return true;
    std::vector<std::string> inputs;
    std::map<std::string, Expr> numbers;
    for (const Parameter& parameter : model_.frame.parameters)
      numbers.emplace(parameter.name, Expr(parameter.value.number));
    for (const EquationsCoordinate& coordinate : model_.coordinates) inputs.push_back(coordinate.name);
    for (const EquationsCoordinate& coordinate : model_.coordinates) inputs.push_back(coordinate.rate());
    inputs.emplace_back("t");
    std::vector<Expr> forms;
    for (const EquationsGiven& given : model_.initial) forms.push_back(substitute(given.form, numbers));
    const Tape tape(forms, inputs);
    std::vector<double> in(inputs.size(), 0.0);
    std::vector<double> scratch(tape.scratchSize());
    std::copy(q().begin(), q().end(), in.begin());
    kernel_.place(0.0, q(), work_);
    const auto valuesAt = [&](const Vector& w) {
      kernel_.move({w.data(), at(l)}, work_);
      std::copy(work_.u.begin(), work_.u.end(), in.begin() + n_);
      Vector out(count);
      tape.evaluate<double>(in, scratch, {out.data(), at(count)});
      return out;
    };
    const Vector none = valuesAt(Vector::Zero(l));
    Matrix by_w(count, l);
    for (int k = 0; k < l; ++k) by_w.col(k) = valuesAt(Vector::Unit(l, k)) - none;
    Vector wanted(count);
    for (Eigen::Index k = 0; k < count; ++k) wanted[k] = model_.initial[at(k)].value.number - none[k];
    const Vector w = by_w.completeOrthogonalDecomposition().solve(wanted);
    const Vector missed = by_w * w - wanted;
    Eigen::Index worst = 0;
    if (missed.cwiseAbs().maxCoeff(&worst) > kContradiction * std::max(1.0, wanted.cwiseAbs().maxCoeff())) {
      const EquationsGiven& given = model_.initial[at(worst)];
      return fail(given.source,
                  fmt::format("initial value of \"{}\": it contradicts the constraints or the other values; {:.6g} was "
                              "wanted and {:.6g} is nearest",
                              given.name, given.value.number, given.value.number + missed[worst]),
                  "Leave it out, or give a value that the constraints allow.");
    }
    for (int k = 0; k < l; ++k) out_.x[at(n_ + k)] = w[k];
    return true;
  }

  bool checkMasses() {
    const int l = system_.tapes().free;
    kernel_.place(0.0, q(), work_);
    kernel_.move(std::span(out_.x).subspan(at(n_), at(l)), work_);
    kernel_.accelerate(EquationsVariant::corrected, work_);
    const Eigen::Map<const Matrix> A(work_.A.data(), l, l);
    if (!A.allFinite())
      return fail({}, "a formula gives no finite number at the start", "Start from other values of the coordinates.");
    if (work_.positive) return true;
    Vector scale = A.diagonal().cwiseAbs().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(Matrix(scale.asDiagonal() * A * scale.asDiagonal()));
    const Vector direction = scale.cwiseProduct(solver.eigenvectors().col(0));
    std::vector<std::string> names;
    for (const EquationsForm& one : model_.quasi_velocities) names.push_back(one.name);
    const Vector shown = direction / direction.cwiseAbs().maxCoeff();
    return fail(model_.quasi_velocities.front().source,
                fmt::format("the mass matrix of the quasi-velocities is not positive definite at the start: nothing "
                            "resists a motion with {}",
                            combination(shown, names)),
                "Give a mass or an inertia to what moves then.");
  }

  const EquationsModel& model_;
  EquationsSystem system_;
  const EquationsKernel<double>& kernel_;
  EquationsKernel<double>::Work work_;
  int n_;
  EquationsStart out_;
};

}  // namespace

EquationsStart findEquationsStart(const EquationsModel& model) { return Start(model).find(); }

}  // namespace linkwork
