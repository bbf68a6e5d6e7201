#include "linkwork/analyse/steady_turns.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "linkwork/linalg/least_solution.hpp"

namespace linkwork {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Space3 = Eigen::Vector3d;

constexpr double kStepAlong = 1e-4;  // lengths and radians: differences of it are good to 1e-8
constexpr double kSameTurn = 1e-5;   // of what turns
constexpr double kNoTurn = 1e-7;     // of the rates of the motion: what differences leave of none

// Rows of places and turns of a body among those that are seen; -1: none.
struct BodyRows {
  std::array<Eigen::Index, 6> row{-1, -1, -1, -1, -1, -1};
};

std::vector<BodyRows> rowsOfBodies(const Mechanism& mechanism, const std::vector<LinearCoordinate>& seen) {
  const bool spatial = mechanism.space == Space::spatial;
  std::vector<BodyRows> out(mechanism.bodies.size());
  for (std::size_t b = 0; b < out.size(); ++b) {
    for (std::size_t k = 0; k < 6; ++k) {
      if (!spatial && k > 1 && k != 5) continue;
      const char axis = "xyz"[k % 3];
      const std::string label = k < 3 ? std::string(1, axis) : spatial ? fmt::format("turn_{}", axis) : "angle";
      const std::string name = fmt::format("{}.{}", mechanism.bodies[b].name, label);
      const auto found = std::find_if(seen.begin(), seen.end(), [&](const auto& one) { return one.name == name; });
      if (found != seen.end()) out[b].row[k] = found - seen.begin();
    }
  }
  return out;
}

// The k that fits all columns s and their rates best, the smallest where many do.
std::optional<Space3> turnThatFits(const Matrix& s, const Matrix& rates, double fastest) {
  Eigen::Matrix3d K = Eigen::Matrix3d::Zero();
  Space3 right = Space3::Zero();
  for (Eigen::Index c = 0; c < s.cols(); ++c) {
    const Space3 a = s.col(c);
    // a x (k x a) = a x a'
    K += a.squaredNorm() * Eigen::Matrix3d::Identity() - a * a.transpose();
    right += a.cross(Space3(rates.col(c)));
  }
  const Space3 k = leastSolution(K, right, 1e-9);
  double misses = 0.0;
  for (Eigen::Index c = 0; c < s.cols(); ++c) {
    misses = std::max(misses, (k.cross(Space3(s.col(c))) - rates.col(c)).norm());
  }
  if (!(misses <= kSameTurn * fastest * s.cwiseAbs().maxCoeff())) return std::nullopt;
  return k.norm() <= kNoTurn * fastest ? Space3(Space3::Zero()) : k;
}

}  // namespace

std::vector<std::optional<Space3>> turnsAlong(SteadySolver& solver, const SteadyMotion& motion) {
  MotionField& field = solver.field();
  const Mechanism& mechanism = solver.model().mechanism;
  std::vector<std::optional<Space3>> out(mechanism.bodies.size(), Space3(Space3::Zero()));
  const int n = field.freedoms();
  MotionField::Here here;
  if (!field.evaluate(solver.time(), motion.x, here)) return out;
  const Vector going = solver.symmetries().basis * motion.xi;
  const Vector along = here.X * going;
  const double fastest = along.head(n).cwiseProduct(field.scale()).cwiseAbs().maxCoeff() / field.length();
  if (!(fastest > 0.0)) return out;
  // What goes along changes in joint coordinates as the flow of the symmetries makes it.
  const Matrix drag = field.drag(going, Matrix::Identity(2 * n, 2 * n)).topLeftCorner(n, n);
  const double step = kStepAlong / fastest;
  MotionField::Seen now;
  field.look(solver.time(), motion.x, {}, {}, now);
  Matrix sides[2];
  for (int side = 0; side < 2; ++side) {
    const double h = side == 0 ? step : -step;
    std::vector<double> x = motion.x;
    MotionField::Seen seen;
    if (!field.go(solver.time(), h * along, x)) return out;
    field.look(solver.time(), x, {}, {}, seen);
    sides[side] = seen.named * (Matrix::Identity(n, n) + h * drag);
  }
  const Matrix rates = (sides[0] - sides[1]) / (2.0 * step);
  const std::vector<BodyRows> bodies = rowsOfBodies(mechanism, field.seen());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    // Places and turns as columns beside each other; turns in lengths.
    Matrix s = Matrix::Zero(3, 2 * n);
    Matrix s_rates = s;
    for (std::size_t k = 0; k < 6; ++k) {
      const Eigen::Index row = bodies[b].row[k];
      if (row < 0) continue;
      const auto r = static_cast<Eigen::Index>(k % 3);
      const double unit = k < 3 ? 1.0 : field.length();
      s.row(r).segment(k < 3 ? 0 : n, n) = unit * now.named.row(row);
      s_rates.row(r).segment(k < 3 ? 0 : n, n) = unit * rates.row(row);
    }
    out[b] = turnThatFits(s, s_rates, fastest);
  }
  return out;
}

}  // namespace linkwork
