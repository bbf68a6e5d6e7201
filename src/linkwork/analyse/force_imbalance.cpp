#include "linkwork/analyse/force_imbalance.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "linkwork/formulation/absolute/absolute_system.hpp"

namespace linkwork {

namespace {

template <class G>
double imbalanceIn(const Mechanism& mechanism, double t, std::span<const double> x, std::span<const double> xdot,
                   std::span<const double> multipliers) {
  const AbsoluteEquations<G> equations(mechanism);
  auto work = equations.makeWork();
  const auto coordinates = at(equations.coordinates());
  const auto freedoms = at(equations.freedoms());
  const auto turns = x.last(at(equations.turns()));
  work.turns.assign(turns.begin(), turns.end());
  equations.positions(t, x.first(coordinates), work);
  equations.velocities(x.subspan(coordinates, freedoms), work);
  equations.forces(work);
  const auto a = xdot.subspan(coordinates, freedoms);
  std::vector<double> rest(freedoms, 0.0);  // M a - Q - Phi_q^T lambda
  for (int b = 0; b < equations.bodies(); ++b) {
    const std::span own = std::span(rest).subspan(at(G::kFreedoms * b), at(G::kFreedoms));
    G::put(-work.Q[at(b)], own);
    const auto values = G::massValues(equations.elements().body[at(b)]);
    for (std::size_t e = 0; e < values.size(); ++e) {
      const auto row = at(G::kMassEntries[e][0]);
      const auto column = at(G::kMassEntries[e][1]);
      own[row] += values[e] * a[at(G::kFreedoms * b) + column];
      if (row != column) own[column] += values[e] * a[at(G::kFreedoms * b) + row];
    }
  }
  for (int r = 0; r < equations.rows(); ++r) {
    for (int p = equations.rowStart()[at(r)]; p < equations.rowStart()[at(r) + 1]; ++p) {
      const int body = equations.rowBodies()[at(p)];
      for (int k = 0; k < G::kFreedoms; ++k) {
        rest[at(G::kFreedoms * body + k)] -= work.jacobian[at(G::kFreedoms * p + k)] * multipliers[at(r)];
      }
    }
  }
  const double length = referenceLength(mechanism);
  double worst = 0.0;
  for (std::size_t u = 0; u < rest.size(); ++u) {
    const bool turn = static_cast<int>(u) % G::kFreedoms >= G::kDimension;
    worst = std::max(worst, std::abs(rest[u]) / (turn ? length : 1.0));
  }
  return worst;
}

}  // namespace

double forceImbalance(const Mechanism& mechanism, double t, std::span<const double> x, std::span<const double> xdot,
                      std::span<const double> multipliers) {
  return mechanism.space == Space::spatial ? imbalanceIn<Spatial<double>>(mechanism, t, x, xdot, multipliers)
                                           : imbalanceIn<Planar<double>>(mechanism, t, x, xdot, multipliers);
}

}  // namespace linkwork
