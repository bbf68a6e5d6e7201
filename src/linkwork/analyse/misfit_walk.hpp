// MisfitWalk: do rows that repeat others in one pose repeat them in others too? The mechanism is moved with those rows
// let go, and what they open by on the way is measured.
//
// A closed drawing does not show that an axis, an angle or a point was rounded: every joint closes there, and the rows
// of a loop that should repeat each other part only as it moves, by about the rounding.   [docs/theory/02]
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "linkwork/analyse/position_solver.hpp"

namespace linkwork {

template <class G>
class MisfitWalk {
 public:
  // Radians and reference lengths from pose to pose, poses to either side, and directions that are tried.
  static constexpr double kStride = 0.15;
  static constexpr int kStrides = 10;
  static constexpr int kDirections = 3;
  // A walk costs some fifty factorisations in each direction; beyond this many rows one goes less far.
  static constexpr int kManyRows = 600;

  // Drives are let go, so that there is somewhere to move. `mechanism` need not outlive this.
  MisfitWalk(const Mechanism& mechanism, double t, std::vector<double> turns)
      : free_(withoutDrives(mechanism)), t_(t), turns_(std::move(turns)) {}

  // Rows of joints whose distance from the rows before them is below this share of their length.
  struct NearRows {
    std::vector<int> rows;
    double distance = 0.0;  // of the farthest of them
  };
  NearRows nearlyDependent(const std::vector<double>& q, double distance) {
    Solver solver = solverAt(q);
    const std::vector<std::uint8_t> all(at(solver.equations().rows()), 1);
    NearRows out;
    out.distance = std::sqrt(factor(solver, distance, all).largest_dropped);
    for (int r = 0; r < solver.equations().rows(); ++r) {
      if (solver.kkt().rowDropped(r) && solver.equations().level(r) == RowLevel::position) out.rows.push_back(r);
    }
    return out;
  }

  // The widest that the rows open by, relative to the reference length, with a little walk first: `fits` or less there
  // is round-off. Beyond `most` it does not go on. Zero where the mechanism cannot move.
  double widest(const std::vector<double>& q, const std::vector<int>& rows, double distance, double fits, double most) {
    const double nearby = widestOnWay(q, rows, distance, 2, most);
    if (nearby <= fits || nearby > most) return nearby;
    const bool many = Solver(free_, t_).equations().rows() > kManyRows;
    return widestOnWay(q, rows, distance, many ? kStrides / 3 : kStrides, most);
  }

  // What each of the rows is open by, relative to the reference length, in every pose of such a walk; nothing where it
  // could not be walked to its end.
  std::vector<double> openings(std::vector<double> q, const std::vector<int>& rows, double distance, int strides) {
    Solver solver = solverAt(q);
    solver.loosen(rows);
    std::vector<double> out;
    const std::vector<double> rigid(at(solver.equations().rows()), 0.0);
    if (!solver.solve(q) || !solver.pull(rigid, q)) return out;
    const auto see = [&](Solver& seen) {
      for (const int r : rows) out.push_back(seen.work().phi[at(r)] * seen.rowLength(r) / seen.length());
      return true;
    };
    solver.residual(q);
    (void)see(solver);
    const std::size_t whole = rows.size() * (1 + at(2 * strides) * at(directions(solver, rows)));
    walk(q, rows, distance, strides, see);
    if (out.size() != whole) out.clear();
    return out;
  }

 private:
  using Solver = PositionSolver<G>;

  static Mechanism withoutDrives(Mechanism mechanism) {
    mechanism.drives.clear();
    return mechanism;
  }

  Solver solverAt(const std::vector<double>& q) const {
    Solver solver(free_, t_);
    if (!turns_.empty()) solver.work().turns = turns_;
    solver.residual(q);
    return solver;
  }

  static KktSolver::Factored factor(Solver& solver, double distance, const std::vector<std::uint8_t>& doubtful) {
    solver.equations().copyJacobian(solver.work(), RowLevel::position, solver.kkt().jacobian());
    return solver.kkt().factor({.row = kDependentRow, .doubtful_row = distance * distance, .doubtful = doubtful});
  }

  double widestOnWay(const std::vector<double>& start, const std::vector<int>& rows, double distance, int strides,
                     double most) {
    double widest = 0.0;
    walk(start, rows, distance, strides, [&](Solver& seen) {
      widest = std::max(widest, openBy(seen, rows));
      return widest <= most;
    });
    return widest;
  }

  // In how many directions is walked.
  static int directions(const Solver& solver, const std::vector<int>& rows) {
    const auto& equations = solver.equations();
    const int freedoms =
        equations.freedoms() - equations.rows() + equations.velocityRows() + static_cast<int>(rows.size());
    return std::min(freedoms, kDirections);
  }

  // Shows every pose to see(solver), which says whether to go on.
  template <class See>
  void walk(const std::vector<double>& start, const std::vector<int>& rows, double distance, int strides, See&& see) {
    Solver solver = solverAt(start);
    const auto& equations = solver.equations();
    solver.loosen(rows);
    std::vector<std::uint8_t> loose(at(equations.rows()), 0);
    for (const int r : rows) loose[at(r)] = 1;
    factor(solver, distance, loose);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    std::vector<double> first(at(equations.freedoms()));
    for (int k = 0; k < directions(solver, rows); ++k) {
      for (double& value : first) value = unit(random);
      for (const double sense : {1.0, -1.0}) {
        std::vector<double> q = start;
        std::vector<double> way = first;
        for (double& value : way) value *= sense;
        for (int stride = 0; stride < strides; ++stride) {
          solver.residual(q);
          if (!goOn(solver, distance, loose, way, q)) break;
          if (!see(solver)) return;
        }
      }
    }
  }

  // From q along the allowed motion nearest to `way`, which becomes it. False where there is none or no joint closes.
  bool goOn(Solver& solver, double distance, const std::vector<std::uint8_t>& loose, std::vector<double>& way,
            std::vector<double>& q) const {
    factor(solver, distance, loose);
    std::vector<double> g(loose.size(), 0.0);
    for (std::size_t u = 0; u < way.size(); ++u) way[u] *= weight(solver, static_cast<int>(u));
    solver.kkt().solve(way, g);
    double size = 0.0;
    for (std::size_t u = 0; u < way.size(); ++u) {
      const bool turns = static_cast<int>(u) % G::kFreedoms >= G::kDimension;
      size = std::max(size, std::abs(way[u]) / (turns ? 1.0 : solver.length()));
    }
    if (!(size > 0.0) || !std::isfinite(size)) return false;
    for (double& value : way) value *= kStride / size;
    solver.move(way, q);
    if (!solver.solve(q)) return false;
    // Down to round-off: what is left of the others shows in the rows let go.
    const std::vector<double> rigid(g.size(), 0.0);
    return solver.pull(rigid, q) && std::isfinite(solver.residual(q));
  }

  // By this a turn and a displacement count alike.
  double weight(const Solver& solver, int freedom) const {
    return freedom % G::kFreedoms >= G::kDimension ? solver.length() * solver.length() : 1.0;
  }

  static double openBy(Solver& solver, const std::vector<int>& rows) {
    double worst = 0.0;
    for (const int r : rows) worst = std::max(worst, std::abs(solver.work().phi[at(r)]) * solver.rowLength(r));
    return worst / solver.length();
  }

  Mechanism free_;
  double t_;
  std::vector<double> turns_;
};

}  // namespace linkwork
