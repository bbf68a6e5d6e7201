#include <algorithm>
#include <cmath>
#include <limits>

#include "linkwork/analyse/assemble_messages.hpp"
#include "linkwork/analyse/assembling.hpp"
#include "linkwork/analyse/named_angles.hpp"

namespace linkwork {

namespace {

constexpr std::size_t kMostCompared = 20;  // values of which the ones that contradict each other are sought

template <class G>
class GivenPositions {
 public:
  explicit GivenPositions(Assembling<G>& assembling)
      : assembling_(assembling),
        mechanism_(assembling.mechanism),
        t_(assembling.t),
        out_(assembling.out),
        loose_(assembling.loose) {}

  using Solver = PositionSolver<G>;

  bool reach() {
    if (!partLostAngles()) return false;
    const Given given = withGiven(mechanism_, GivenLevel::positions, Wishes::left_out, out_.q);
    if (given.held.empty()) return true;
    Solver solver(given.mechanism, t_);
    assembling_.prepare(solver);
    const std::vector<double> closed = out_.q;
    const bool reached = walk(solver, given.held.size(), out_.q);
    out_.iterations += solver.iterations();
    if (!reached) {
      reportUnreached(solver, given, closed);
      return false;
    }
    out_.turns = solver.work().turns;
    return true;
  }

  // Steps of Levenberg and Marquardt along the surface on which all rows but the wishes hold.
  bool meetWishes() {
    const Given given = withGiven(mechanism_, GivenLevel::positions, Wishes::taken, out_.q);
    if (given.wishes.empty()) return true;
    Solver hard(withGiven(mechanism_, GivenLevel::positions, Wishes::left_out, out_.q).mechanism, t_);
    Solver soft(given.mechanism, t_);
    assembling_.prepare(hard);
    assembling_.prepare(soft);
    const auto first = at(soft.equations().rows()) - given.wishes.size();
    const auto distance = [&](const std::vector<double>& q) {
      soft.residual(q);
      double sum = 0.0;
      for (std::size_t k = 0; k < given.wishes.size(); ++k) {
        const double off = soft.work().phi[first + k] * soft.rowLength(static_cast<int>(first + k));
        sum += *given.wishes[k]->weight * off * off;
      }
      return sum;
    };
    double before = distance(out_.q);
    double softness = 1e-3;
    double last = std::numeric_limits<double>::infinity();
    for (int k = 0; k < Solver::kIterations && before > 0.0 && softness < 1e6; ++k) {
      std::vector<double> trial = out_.q;
      const bool stepped = soft.pull(complianceOf(soft, given, softness), trial) && hard.solve(trial);
      const double after = stepped ? distance(trial) : before;
      const double step = soft.lastStep();
      // Near the least the sum does not show any more whether a step is good; steps that shrink are.
      const bool shrinks = step < 0.5 * last && after <= before * (1.0 + 1e-12);
      if (stepped && (after < before || shrinks)) {
        out_.q = std::move(trial);
        before = after;
        last = step;
        softness = std::max(1e-6, softness / 4.0);
      } else {
        softness *= 8.0;
      }
      if (stepped && step <= 1e-13 * soft.length()) break;
    }
    out_.iterations += soft.iterations() + hard.iterations();
    out_.turns = hard.work().turns;
    return true;
  }

 private:
  // From a drawing in which angles that are given mean nothing no iteration finds the way: there it starts a little
  // beside.
  bool partLostAngles() {
    const Given given = withGiven(mechanism_, GivenLevel::positions, Wishes::taken, out_.q);
    std::vector<const InitialValue*> values = given.held;
    values.insert(values.end(), given.wishes.begin(), given.wishes.end());
    for (const InitialValue* value : values) {
      if (!asksForLostAngles(mechanism_, *value)) continue;
      reportLostAngles(mechanism_, *value, out_);
      return false;
    }
    for (const InitialValue* value : values) {
      const auto lost = lostAmong(mechanism_, {value}, out_.q);
      if (!lost) continue;
      partAxes(mechanism_, lost->joint, out_.q);
      Solver solver(mechanism_, t_);
      assembling_.prepare(solver);
      if (solver.solve(out_.q) && !lostAmong(mechanism_, {value}, out_.q)) {
        out_.turns = solver.work().turns;
        continue;
      }
      reportLostAngles(mechanism_, *value, out_);
      return false;
    }
    return true;
  }

  // From where the held rows, the last ones, stand now they are walked down to zero.
  static bool walk(Solver& solver, std::size_t held, std::vector<double>& q) {
    solver.residual(q);
    const int first = solver.equations().rows() - static_cast<int>(held);
    std::vector<double> start(held);
    double furthest = 0.0;
    for (std::size_t k = 0; k < start.size(); ++k) {
      const int row = first + static_cast<int>(k);
      start[k] = solver.work().phi[at(row)];
      furthest = std::max(furthest, std::abs(start[k]) * solver.rowLength(row) / solver.length());
    }
    const int pieces = std::clamp(static_cast<int>(std::ceil(furthest / 0.2)), 1, 1000);
    bool reached = true;
    for (int k = 1; k <= pieces && reached; ++k) {
      const double left = 1.0 - static_cast<double>(k) / pieces;
      for (std::size_t h = 0; h < start.size(); ++h) solver.offset()[at(first) + h] = left * start[h];
      reached = solver.solve(q);
    }
    return reached;
  }

  // The mechanism with no other initial values than these.
  Mechanism withOnly(const std::vector<const InitialValue*>& values) const {
    Mechanism some = mechanism_;
    some.initial.clear();
    for (const InitialValue* value : values) some.initial.push_back(*value);
    return some;
  }

  bool areReachable(const std::vector<const InitialValue*>& values, std::vector<double> q) const {
    const Mechanism some = withOnly(values);
    const Given given = withGiven(some, GivenLevel::positions, Wishes::left_out, q);
    Solver solver(given.mechanism, t_);
    assembling_.prepare(solver);
    return walk(solver, given.held.size(), q);
  }

  // Leaves out those without which the contradiction stays.
  void leaveOutBystanders(std::vector<const InitialValue*>& fighting, const std::vector<double>& closed) const {
    if (fighting.size() > kMostCompared) return;
    for (std::size_t k = 0; k < fighting.size() && fighting.size() > 1;) {
      std::vector<const InitialValue*> fewer = fighting;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      if (areReachable(fewer, closed)) {
        ++k;
      } else {
        fighting = std::move(fewer);
      }
    }
  }

  // Where the sum of squares is least the residuals are forces that hold each other: the values with one fight.
  void reportUnreached(Solver& solver, const Given& given, const std::vector<double>& closed) {
    const int first = solver.equations().rows() - static_cast<int>(given.held.size());
    std::vector<double> off(given.held.size());
    for (std::size_t k = 0; k < off.size(); ++k) {
      const int row = first + static_cast<int>(k);
      off[k] = std::abs(solver.work().phi[at(row)] - solver.offset()[at(row)]) * solver.rowLength(row);
    }
    const double largest = *std::max_element(off.begin(), off.end());
    std::vector<const InitialValue*> fighting;
    for (std::size_t k = 0; k < off.size(); ++k) {
      if (off[k] >= 1e-3 * largest) fighting.push_back(given.held[k]);
    }
    leaveOutBystanders(fighting, closed);
    reportContradiction(mechanism_, fighting, missedBy(fighting, closed), out_);
  }

  // With the joints closed, how near do these values come?
  double missedBy(const std::vector<const InitialValue*>& values, std::vector<double> q) const {
    const Mechanism some = withOnly(values);
    const Given given = withGiven(some, GivenLevel::positions, Wishes::left_out, q);
    Solver solver(given.mechanism, t_);
    assembling_.prepare(solver);
    std::vector<double> soft(at(solver.equations().rows()), 0.0);
    const std::size_t first = soft.size() - values.size();
    std::fill(soft.begin() + static_cast<std::ptrdiff_t>(first), soft.end(), kSoft);
    solver.closeAllBut(soft, q);
    double missed = 0.0;
    for (std::size_t r = first; r < soft.size(); ++r) missed = std::max(missed, std::abs(solver.work().phi[r]));
    return missed;
  }

  Assembling<G>& assembling_;
  const Mechanism& mechanism_;
  double t_;
  Assembly& out_;
  std::vector<int>& loose_;
};

}  // namespace

template <class G>
bool reachGiven(Assembling<G>& assembling) {
  return GivenPositions<G>(assembling).reach();
}
template bool reachGiven(Assembling<Planar<double>>& assembling);
template bool reachGiven(Assembling<Spatial<double>>& assembling);

template <class G>
bool meetWishes(Assembling<G>& assembling) {
  return GivenPositions<G>(assembling).meetWishes();
}
template bool meetWishes(Assembling<Planar<double>>& assembling);
template bool meetWishes(Assembling<Spatial<double>>& assembling);

}  // namespace linkwork
