#include "linkwork/analyse/symmetries.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

namespace {

constexpr int kStates = 3;
// Of the largest terms of (1): exact derivatives leave 1e-13 of what vanishes.
constexpr double kVanishes = 1e-9;
constexpr double kFar = 0.25;  // of the length, and of a radian: how far random states are from the start
constexpr int kTries = 30;
// Times at which what knows the time shows it, whatever its period.
constexpr double kLater[] = {0.37, 1.913};

double greatestOf(const Eigen::MatrixXd& matrix) { return matrix.size() == 0 ? 0.0 : matrix.cwiseAbs().maxCoeff(); }

// Near x, with all rates different from zero. False where the joints do not close again.
bool randomState(MotionField& field, double t, double far, std::mt19937& random, std::vector<double>& x) {
  std::normal_distribution<double> normal;
  const int n = field.freedoms();
  Eigen::VectorXd deviation(2 * n);
  for (int k = 0; k < n; ++k) {
    deviation[k] = far * normal(random) * field.length() / field.scale()[k];
    deviation[n + k] = normal(random) * field.length() / field.scale()[k];
  }
  return field.go(t, deviation, x);
}

// The rows of (1) at a state, each kind relative to its own largest terms.
bool addConditions(MotionField& field, double t, const std::vector<double>& x, Eigen::MatrixXd& rows) {
  MotionField::Here here;
  Eigen::MatrixXd rates;
  MotionField::Seen seen;
  if (!field.evaluate(t, x, here) || !field.differentiate(t, x, here.X, rates)) return false;
  field.look(t, x, {}, {}, seen);
  const int n = field.freedoms();
  const Eigen::MatrixXd along = field.scale().asDiagonal() * rates.bottomRows(n);
  const Eigen::MatrixXd own = field.scale().asDiagonal() * here.e_rates;
  const auto add = [&](const Eigen::MatrixXd& misses, double size) {
    if (misses.rows() == 0 || size == 0.0) return;
    const Eigen::Index before = rows.rows();
    rows.conservativeResize(before + misses.rows(), misses.cols());
    rows.bottomRows(misses.rows()) = misses / size;
  };
  rows.conservativeResize(rows.rows(), here.X.cols());
  add(along - own, std::max(greatestOf(along), greatestOf(own)));
  // Row by row: in metres and in radians.
  const auto addRows = [&](const Eigen::MatrixXd& of, const Eigen::MatrixXd& X) {
    for (Eigen::Index r = 0; r < of.rows(); ++r) {
      const Eigen::MatrixXd terms = of.row(r).cwiseAbs() * X.cwiseAbs();
      add(of.row(r) * X, greatestOf(terms));
    }
  };
  addRows(seen.phi, here.X.topRows(n));
  addRows(seen.velocity, here.X);
  return true;
}

// Whether accelerations or rows at a state are others at another time.
bool changesWithTime(MotionField& field, double t, const std::vector<double>& x) {
  if (field.freedoms() == 0) return true;
  MotionField::Here now;
  MotionField::Here later;
  if (!field.evaluate(t, x, now)) return false;
  for (const double dt : kLater) {
    if (!field.evaluate(t + dt, x, later)) return true;
    const double size = std::max(greatestOf(now.a), greatestOf(later.a));
    if (greatestOf(later.a - now.a) > 1e-9 * size) return true;
    std::vector<double> moved = x;
    if (!field.go(t + dt, Eigen::VectorXd::Zero(2 * field.freedoms()), moved)) return true;
    double off = 0.0;
    double whole = 0.0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(field.numbers()); ++k) {
      off = std::max(off, std::abs(moved[k] - x[k]));
      whole = std::max(whole, std::abs(x[k]));
    }
    if (off > 1e-9 * whole) return true;
  }
  return false;
}

// Columns with as many zeros as can be, each with a one of its own: early directions first.
void clearUp(Eigen::MatrixXd& basis) {
  Eigen::Index done = 0;
  for (Eigen::Index row = 0; row < basis.rows() && done < basis.cols(); ++row) {
    Eigen::Index pivot = 0;
    const double size = basis.row(row).tail(basis.cols() - done).cwiseAbs().maxCoeff(&pivot);
    if (size <= 1e-7) continue;
    basis.col(done).swap(basis.col(done + pivot));
    basis.col(done) /= basis(row, done);
    for (Eigen::Index c = 0; c < basis.cols(); ++c) {
      if (c != done) basis.col(c) -= basis(row, c) * basis.col(done);
    }
    ++done;
  }
  for (double& entry : basis.reshaped()) {
    if (std::abs(entry - std::round(entry)) <= 1e-9) entry = std::round(entry) + 0.0;
  }
}

std::string axisName(const Eigen::Vector3d& axis) {
  for (int k = 0; k < 3; ++k) {
    if (std::abs(std::abs(axis[k]) - axis.norm()) <= 1e-9 * axis.norm()) return std::string(1, "xyz"[k]);
  }
  const Eigen::Vector3d unit = axis.normalized();
  return fmt::format("({:.3g}, {:.3g}, {:.3g})", unit[0], unit[1], unit[2]);
}

void addName(const MotionField& field, const Eigen::VectorXd& column, Symmetries& out) {
  using Kind = MotionDirection::Kind;
  std::vector<std::string> coordinates;
  std::vector<std::string> words;
  bool turns = false;
  bool angle = false;
  struct Axis {
    Kind kind;
    int link;
    std::string name;
    Eigen::Vector3d axis;
  };
  std::vector<Axis> axes;
  for (std::size_t k = 0; k < field.directions().size(); ++k) {
    const MotionDirection& direction = field.directions()[k];
    const double share = column[static_cast<Eigen::Index>(k)];
    if (share == 0.0) continue;
    if (direction.kind == Kind::coordinate) {
      coordinates.push_back(direction.name);
      angle = angle || field.names()[static_cast<std::size_t>(direction.axis)].unit == "rad";
      continue;
    }
    if (direction.kind == Kind::shift) continue;  // goes with a spin about an axis that is not through the origin
    turns = turns || direction.kind == Kind::turn;
    angle = true;
    auto known = std::find_if(axes.begin(), axes.end(), [&](const Axis& other) {
      return other.kind == direction.kind && other.link == direction.link;
    });
    if (known == axes.end()) {
      known = axes.insert(axes.end(), {direction.kind, direction.link, direction.name, Eigen::Vector3d::Zero()});
    }
    known->axis[direction.axis] += share;
  }
  for (const Axis& axis : axes) {
    words.push_back(fmt::format("{} {} {}", axis.name, axis.kind == Kind::turn ? "turned about" : "spun about its own",
                                axisName(axis.axis)));
  }
  if (words.empty()) words = coordinates;
  out.names.push_back(fmt::format("{}", fmt::join(words, " with ")));
  out.units.emplace_back(angle ? "rad" : "m");
  out.turn.push_back(turns);
}

}  // namespace

Symmetries findSymmetries(MotionField& field, double t, const std::vector<double>& x) {
  Symmetries out;
  out.basis = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(field.directions().size()), 0);
  if (field.freedoms() == 0) return out;
  std::mt19937 random(7);
  Eigen::MatrixXd rows(0, out.basis.rows());
  int found = 0;
  double far = kFar;
  for (int k = 0; k < kTries && found < kStates; ++k, far *= 0.8) {
    std::vector<double> state = x;
    if (!randomState(field, t, far, random, state) || !addConditions(field, t, state, rows)) continue;
    if (field.prescribed() || found == 0) out.knows_time = out.knows_time || changesWithTime(field, t, state);
    ++found;
  }
  if (found < kStates) {
    out.problem =
        "near the start there are no states that the joints allow, by which to see what the motion depends on";
    return out;
  }
  if (out.basis.rows() == 0) return out;
  // One row at least, of zeros: where nothing happens at all there are no conditions.
  rows.conservativeResize(rows.rows() + 1, Eigen::NoChange);
  rows.bottomRows(1).setZero();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(rows, Eigen::ComputeFullV);
  int rank = 0;
  for (const double value : svd.singularValues()) rank += value > kVanishes * svd.singularValues()[0] ? 1 : 0;
  out.basis = svd.matrixV().rightCols(out.basis.rows() - rank);
  clearUp(out.basis);
  for (int k = 0; k < out.count(); ++k) addName(field, out.basis.col(k), out);
  return out;
}

}  // namespace linkwork
