#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linkwork/analyse/assemble_messages.hpp"
#include "linkwork/analyse/assembling.hpp"
#include "linkwork/analyse/named_angles.hpp"

namespace linkwork {

namespace {

constexpr double kContradicts =
    1e-8;  // a given value may disagree with the joints by this much of the largest number around
// Of velocities that are wished for; weights that differ by a factor of 1000 take that many.
constexpr int kSweeps = 200;

template <class G>
class StartVelocities {
 public:
  explicit StartVelocities(Assembling<G>& assembling)
      : assembling_(assembling),
        mechanism_(assembling.mechanism),
        t_(assembling.t),
        out_(assembling.out),
        loose_(assembling.loose) {}

  bool find() {
    const Given given = withGiven(mechanism_, GivenLevel::rates, Wishes::taken, out_.q);
    std::vector<const InitialValue*> values = given.held;
    values.insert(values.end(), given.wishes.begin(), given.wishes.end());
    for (const InitialValue* value : values) {
      if (!lostAmong(mechanism_, {value}, out_.q)) continue;
      reportLostAngles(mechanism_, *value, out_);
      return false;
    }
    PositionSolver<G> solver(given.mechanism, t_);
    const AbsoluteEquations<G>& equations = solver.equations();
    auto& work = solver.work();
    work.turns = out_.turns;
    out_.v.assign(at(equations.freedoms()), 0.0);
    if (assembling_.near_v.size() == out_.v.size()) out_.v = assembling_.near_v;
    equations.positions(t_, out_.q, work);
    equations.velocities(out_.v, work);
    std::copy(work.jacobian.begin(), work.jacobian.end(), solver.kkt().jacobian().begin());
    // The softer, the less round-off and the more sweeps below.
    const std::vector<double> compliance = complianceOf(solver, given, 1e-3);
    std::vector<std::uint8_t> doubtful(at(equations.rows()), 0);
    for (const int r : loose_) doubtful[at(r)] = 1;
    const double cut = kMisfitFactor * out_.misfit;
    const auto factored = solver.kkt().factor(
        {.row = kDependentRow, .doubtful_row = cut * cut, .doubtful = doubtful, .row_compliance = compliance});
    if (!solver.isRegular(factored)) {
      reportMasslessBody(mechanism_, solver.singularBody(), solver.singularDirection(), out_);
      return false;
    }
    if (given.wishes.empty()) {
      // What is missing, with the least kinetic energy.
      std::vector<double> missing(out_.v.size(), 0.0);
      std::vector<double> g = work.minus_phi_t;
      if (!assembling_.near_v.empty()) {
        for (int r = 0; r < equations.rows(); ++r) g[at(r)] = -velocityRest(solver, r);
      }
      solver.kkt().solve(missing, g);
      for (std::size_t u = 0; u < missing.size(); ++u) out_.v[u] += missing[u];
    } else {
      // Each sweep starts from the velocities found so far; it stays within M^-1 Phi_q^T, so that of all velocities
      // that meet the wishes equally well those of least kinetic energy come out.
      double change = 1.0;
      for (int sweep = 0; sweep < kSweeps && change > 0.0; ++sweep) {
        std::vector<double> f(out_.v.size(), 0.0);
        std::vector<double> g(at(equations.rows()));
        for (int r = 0; r < equations.rows(); ++r) g[at(r)] = -velocityRest(solver, r);
        solver.kkt().solveDamped(f, g);
        for (std::size_t u = 0; u < f.size(); ++u) out_.v[u] += f[u];
        change = normInf(f) > 1e-15 * normInf(out_.v) ? normInf(f) : 0.0;
      }
      closeVelocities(solver, given);
    }
    noteWishes(solver, given);
    return rowsLeftOutHold(solver, given);
  }

 private:
  using Solver = PositionSolver<G>;

  // Wishes that the joints forbid pull at them in every sweep and leave their round-off in the velocities: the other
  // rows once more, without that pull.
  void closeVelocities(Solver& solver, const Given& given) {
    const int rows = solver.equations().rows();
    const int hard = rows - static_cast<int>(given.wishes.size());
    std::vector<double> f(out_.v.size(), 0.0);
    std::vector<double> g(at(rows), 0.0);
    for (int r = 0; r < hard; ++r) g[at(r)] = -velocityRest(solver, r);
    solver.kkt().solveDamped(f, g);
    for (std::size_t u = 0; u < f.size(); ++u) out_.v[u] += f[u];
  }

  double velocityRest(Solver& solver, int row) const {
    const auto& start = solver.equations().rowStart();
    const auto& bodies = solver.equations().rowBodies();
    double rest = -solver.work().minus_phi_t[at(row)];
    for (int p = start[at(row)]; p < start[at(row) + 1]; ++p) {
      for (int k = 0; k < G::kFreedoms; ++k) {
        rest += solver.work().jacobian[at(G::kFreedoms * p + k)] * out_.v[at(G::kFreedoms * bodies[at(p)] + k)];
      }
    }
    return rest;
  }

  // Rows that were dropped as dependent must hold all the same.
  bool rowsLeftOutHold(Solver& solver, const Given& given) {
    const AbsoluteEquations<G>& equations = solver.equations();
    const double size = std::max(normInf(solver.work().minus_phi_t), normInf(out_.v));
    const double allowed = (kContradicts + kMisfitGrowth * out_.misfit) * size;
    const int wished = static_cast<int>(given.wishes.size());
    const int first = equations.rows() - wished - static_cast<int>(given.held.size());
    for (int r = 0; r < equations.rows() - wished; ++r) {
      const double rest = velocityRest(solver, r);
      if (std::abs(rest) <= allowed) continue;
      // The initial values that take part in the dependence of this row.
      std::vector<double> z(at(equations.rows()), 0.0);
      if (solver.kkt().rowDropped(r)) solver.kkt().dependence(r, z);
      std::vector<const InitialValue*> fighting;
      for (std::size_t k = 0; k < given.held.size(); ++k) {
        if (std::abs(z[at(first) + k]) >= 1e-9) fighting.push_back(given.held[k]);
      }
      if (!fighting.empty()) {
        reportContradiction(mechanism_, fighting, std::abs(rest), out_);
        return false;
      }
      const auto& set = equations.elements();
      const RowGroup& group = set.groups[at(set.row_info[at(r)].group)];
      out_.problem = fmt::format("{} \"{}\" asks for a speed that the joints forbid in this pose (by {:.3g})",
                                 group.is_drive ? "drive" : "joint", group.name, std::abs(rest));
      out_.hint = "The mechanism may stand at a dead point; start it elsewhere.";
      return false;
    }
    return true;
  }

  // What became of all wishes, at the positions in the solver and the velocities found.
  void noteWishes(Solver& solver, const Given& given) {
    const bool any = std::any_of(mechanism_.initial.begin(), mechanism_.initial.end(),
                                 [](const InitialValue& initial) { return initial.weight.has_value(); });
    if (!any) return;
    auto& work = solver.work();
    solver.equations().velocities(out_.v, work);
    for (const InitialValue& initial : mechanism_.initial) {
      if (!initial.weight) continue;
      const NamedQuantity<G> named = compileQuantity<G>(given.mechanism, initial.quantity);
      const double got = named.value(t_, {work.x[at(named.i)], work.x[at(named.j)]},
                                     {work.v[at(named.i)], work.v[at(named.j)]}, named.referenceIn(work.turns));
      out_.wishes.push_back({initial.quantity, initial.value.number, got});
    }
  }

  Assembling<G>& assembling_;
  const Mechanism& mechanism_;
  double t_;
  Assembly& out_;
  std::vector<int>& loose_;
};

}  // namespace

template <class G>
bool findVelocities(Assembling<G>& assembling) {
  return StartVelocities<G>(assembling).find();
}
template bool findVelocities(Assembling<Planar<double>>& assembling);
template bool findVelocities(Assembling<Spatial<double>>& assembling);

}  // namespace linkwork
