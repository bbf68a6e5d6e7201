// Stabilisation by an augmented Lagrangian: accelerations from penalties, again until they settle. One text for every
// formulation that has rows G of constraints on its own velocities, with a mass matrix M:
//
//   (1)  [ M  G^T ; G  -1/c ] [ a ; m ] = [ Q + G^T lambda ; Gamma* ],   lambda <- lambda - m
//
// which is (M + c G^T G) a_new = M a + c G^T Gamma*, without forming the product.      [docs/theory/01, eq. 1.38, 1.39]
//
// A formulation lends itself as a `Penalty`, a small struct over itself and one workspace:
//
//   again()                      (1) once; says how far the accelerations of the bodies came
//   rows(), compliance(r)        1 / c
//   balance(r)                   Gamma* - Phi_q a of one row, and the size of what it is made of
//   notFinite(t), notSettled(t, row)   how each ends
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "linkwork/formulation/stabilisation.hpp"
#include "linkwork/system/eval.hpp"

namespace linkwork {

inline constexpr double kPenaltyPerMass = 1e6;
// Accelerations have settled when an iteration changes them by less than this share of the greatest.
inline constexpr double kSettled = 1e-12;
// Where round-off does not let them come so far, they have settled when they get no nearer and are within this.
inline constexpr double kSettledRoundly = 1e-8;
inline constexpr int kMostPulls = 40;
// What a row may miss by, as a share of the terms in it; more is a contradiction.
inline constexpr double kRowHolds = 1e-3;

// 1 / c of each row; scale: 1 where a multiplier is a force, the reaction length where it is a moment.
inline std::vector<double> penaltyCompliance(const Mechanism& mechanism, double penalty,
                                             std::span<const double> scale) {
  if (!(penalty > 0.0)) {
    double mass = 0.0;
    for (const Body& body : mechanism.bodies) mass += body.mass.number;
    penalty = kPenaltyPerMass * (mass > 0.0 ? mass / static_cast<double>(mechanism.bodies.size()) : 1.0);
  }
  std::vector<double> out;
  for (const double unit : scale) out.push_back(1.0 / (penalty * unit * unit));
  return out;
}

// Rows that do not quite fit the others pull at nothing: the pull of what they are off would never end.
inline constexpr double kLetGo = 1e24;  // kg^-1: their compliance, beyond that of any penalty
inline void letGo(std::span<const int> rows, std::span<double> compliance) {
  for (const int r : rows) compliance[static_cast<std::size_t>(r)] = kLetGo;
}

// Of accelerations, in m/s^2, turns by the reference length.
struct Settling {
  double size = 0.0;    // the greatest
  double change = 0.0;  // of any, against the iteration before
};

template <class G>
Settling settlingOf(std::span<const double> now, std::span<const double> before, double length) {
  Settling out;
  for (std::size_t u = 0; u < now.size(); ++u) {
    const double unit = u % G::kFreedoms >= G::kDimension ? length : 1.0;
    const double size = unit * std::abs(now[u]);
    if (!std::isfinite(size)) return {size, size};
    out.size = std::max(out.size, size);
    out.change = std::max(out.change, unit * std::abs(now[u] - before[u]));
  }
  return out;
}

// From lambda = 0. Rows that contradict each other settle on a compromise; a direction near dependence may not settle
// at all.
template <class Penalty>
Eval settleAccelerations(Penalty& penalty, double t) {
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 1; iteration <= kMostPulls; ++iteration) {
    const auto [size, change] = penalty.again();
    if (!std::isfinite(size)) return penalty.notFinite(t);
    if (iteration == 1) continue;
    if (change <= kSettled * size || (change > 0.5 * last && change <= kSettledRoundly * size)) break;
    last = change;
  }
  double worst = 0.0;
  int worst_row = 0;
  for (int r = 0; r < penalty.rows(); ++r) {
    if (penalty.compliance(r) >= kLetGo) continue;
    const RowBalance balance = penalty.balance(r);
    if (std::abs(balance.rest) > worst * balance.size) {
      worst = std::abs(balance.rest) / balance.size;
      worst_row = r;
    }
  }
  return worst > kRowHolds ? penalty.notSettled(t, worst_row) : Eval::ok;
}

}  // namespace linkwork
