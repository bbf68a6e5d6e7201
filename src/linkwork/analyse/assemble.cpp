#include "linkwork/analyse/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "linkwork/analyse/assemble_messages.hpp"
#include "linkwork/analyse/flipped_joints.hpp"
#include "linkwork/analyse/given_values.hpp"
#include "linkwork/analyse/joint_to_blame.hpp"
#include "linkwork/analyse/misfit_walk.hpp"
#include "linkwork/analyse/places.hpp"
#include "linkwork/analyse/position_solver.hpp"

namespace linkwork {

namespace {

constexpr double kContradicts =
    1e-8;  // a given value may disagree with the joints by this much of the largest number around
// Damping of the joint that is left open: enough for the iteration to settle where the gap bends the way (it overshoots
// below 1).
constexpr double kSoft = 3.0;
// Off the surface by a misfit (relative), a dependent row shows a pivot of the order of its square; as in the equations
// of motion.
constexpr double kMisfitFactor = 30.0;
// A misfit that belongs to lengths stays about the same when the mechanism moves; one that belongs to a loop that
// cannot close grows with the way.
constexpr double kSameMisfit = 20.0;
// What opens by less when the mechanism moves a little is round-off, which grows with the number of rows: up to 30
// rows 5e-16 was seen.
constexpr double kFits = 1e-13;
constexpr double kFitsRows = 30.0;
// An axis that is off by the largest misfit opens its joint by twice that when it has made half a turn, and a little
// more where other links lengthen it.
constexpr double kLargestOnTheWay = 3.0 * kLargestMisfit;
// Of velocities that are wished for; weights that differ by a factor of 1000 take that many.
constexpr int kSweeps = 200;
constexpr std::size_t kMostCompared = 20;  // values of which the ones that contradict each other are sought

// Compliances of the wished rows, which are the last: rows are measured in metres, and M is brought in by the mean
// mass, so that `softness` is a pure number and only the ratio of the weights counts.
template <class G>
std::vector<double> complianceOf(const PositionSolver<G>& solver, const Given& given, double softness) {
  const auto& bodies = solver.equations().elements().body;
  double mass = 0.0;
  for (const auto& body : bodies) mass += body.mass / static_cast<double>(bodies.size());
  if (!(mass > 0.0)) mass = 1.0;
  double heaviest = 0.0;
  for (const InitialValue* wish : given.wishes) heaviest = std::max(heaviest, *wish->weight);
  std::vector<double> out(at(solver.equations().rows()), 0.0);
  const std::size_t first = out.size() - given.wishes.size();
  for (std::size_t k = 0; k < given.wishes.size(); ++k) {
    const double length = solver.rowLength(static_cast<int>(first + k));
    out[first + k] = softness * heaviest / (*given.wishes[k]->weight * length * length * mass);
  }
  return out;
}

template <class G>
class Assembler {
 public:
  Assembler(const Mechanism& mechanism, double t) : mechanism_(mechanism), t_(t) {}

  Assembly run() {
    for (const Body& body : mechanism_.bodies) {
      const std::vector<double> own = coordinatesOf(mechanism_, body, body.drawn);
      drawn_.insert(drawn_.end(), own.begin(), own.end());
    }
    out_.q = drawn_;
    out_.ok = closeLoops() && reachGiven() && meetWishes() && findVelocities() && findRank();
    return std::move(out_);
  }

 private:
  using Solver = PositionSolver<G>;

  // What is known from the closed loops.
  void prepare(Solver& solver) const {
    solver.loosen(loose_);
    if (!out_.turns.empty()) solver.work().turns = out_.turns;
  }

  // --- positions

  bool closeLoops() {
    Solver solver(mechanism_, t_);
    std::vector<int> flipped;
    for (bool again = true; again;) {
      again = false;
      const std::vector<double> start = out_.q;
      bool closed = solver.solve(out_.q);
      if (solver.singularBody() >= 0) {
        reportMasslessBody(mechanism_, solver.singularBody(), solver.singularDirection(), out_);
        return false;
      }
      closed = closed || settleMisfit(solver, start);
      const std::vector<int> now = flippedJoints(mechanism_, out_.q);
      if (closed && now.empty()) break;
      if (flipped.empty() && !now.empty()) {
        flipped = now;
        again = turnFlipped(mechanism_, out_.q);
        if (again) continue;
      }
      if (closed) {
        reportFlippedJoints(mechanism_, now, out_);
      } else {
        reportOpenLoop();
      }
      return false;
    }
    out_.iterations += solver.iterations();
    out_.turns = solver.work().turns;
    const bool as_drawn = !loose_.empty();
    if (loose_.empty()) findHiddenMisfit();
    if (!flipped.empty()) warnOfTurnedBodies(mechanism_, flipped, out_);
    if (out_.misfit > 0.0) {
      std::vector<int> joints;
      for (const int r : loose_) {
        const RowInfo& row = solver.equations().elements().row_info[at(r)];
        const int joint = solver.equations().elements().groups[at(row.group)].index;
        if (joints.empty() || joints.back() != joint) joints.push_back(joint);
      }
      const MisfitRows misfit{loose_, as_drawn, kMisfitFactor * kLargestMisfit, fitsWithin()};
      warnOfMisfit(mechanism_, joints, misfit, findMisfitCure<G>(mechanism_, t_, out_.turns, out_.q, misfit),
                   solver.length(), out_);
    }
    return true;
  }

  // What is round-off in a mechanism of so many rows.
  double fitsWithin() const { return kFits * std::max(1.0, AbsoluteEquations<G>(mechanism_).rows() / kFitsRows); }

  // Every joint closes as it is drawn, but rows that (nearly) repeat others here do not do so elsewhere: an axis, an
  // angle or a point was rounded. Rows that are nearly dependent for another reason, at a dead point or beside one,
  // open wide on the way and are kept.
  void findHiddenMisfit() {
    MisfitWalk<G> walk(mechanism_, t_, out_.turns);
    const double fits = fitsWithin();
    std::size_t tried = 0;
    for (const double distance : {kMisfitFactor * kLargestMisfit, std::sqrt(kDependentRow)}) {
      const std::vector<int> rows = walk.nearlyDependent(out_.q, distance);
      if (rows.empty()) return;
      if (rows.size() == tried) continue;
      tried = rows.size();
      const double widest = walk.widest(out_.q, rows, distance, fits, kLargestOnTheWay);
      if (widest <= fits) return;
      if (widest > kLargestOnTheWay) continue;
      loose_ = rows;
      out_.misfit = widest;
      return;
    }
  }

  // The iteration has come to the least sum of squares, and that is not zero. Where the rows that are dependent there
  // stay about as far off when the mechanism moves, they are left open: lengths that were rounded. On the way there the
  // mechanism may have crept along its own motion, so the rest is closed from the start again.
  // What the joints are open by as drawn may be little of what they are elsewhere.
  bool settleMisfit(Solver& solver, const std::vector<double>& start) {
    const double off = solver.residual(out_.q) / solver.length();
    if (!(off <= kLargestMisfit)) return false;
    const std::vector<double> nearest = out_.q;
    for (const double cut : {kMisfitFactor * off, kMisfitFactor * kLargestMisfit}) {
      if (settleMisfitWithin(solver, cut, start)) return true;
      loose_.clear();
      out_.misfit = 0.0;
      out_.q = nearest;
      solver.loosen(loose_);
      solver.residual(out_.q);
    }
    return false;
  }

  bool settleMisfitWithin(Solver& solver, double cut, const std::vector<double>& start) {
    const std::vector<std::uint8_t> all(at(solver.equations().rows()), 1);
    solver.equations().copyJacobian(solver.work(), RowLevel::position, solver.kkt().jacobian());
    solver.kkt().factor({.row = kDependentRow, .doubtful_row = cut * cut, .doubtful = all});
    const auto& set = solver.equations().elements();
    for (int r = 0; r < solver.equations().rows(); ++r) {
      if (!solver.kkt().rowDropped(r) || solver.equations().level(r) == RowLevel::velocity) continue;
      if (set.groups[at(set.row_info[at(r)].group)].is_drive) return false;
      loose_.push_back(r);
    }
    if (loose_.empty()) return false;
    solver.loosen(loose_);
    std::vector<double> q = start;
    if (solver.solve(q)) {
      out_.q = std::move(q);
    } else if (!solver.solve(out_.q)) {
      return false;
    }
    out_.misfit = misfitAt(solver);
    if (out_.misfit > kLargestMisfit) return false;
    if (misfitStays(out_.misfit)) return true;
    const double widest = MisfitWalk<G>(mechanism_, t_, out_.turns).widest(out_.q, loose_, cut, 0.0, kLargestOnTheWay);
    out_.misfit = std::max(out_.misfit, widest);
    return widest <= kLargestOnTheWay;
  }

  double misfitAt(Solver& solver) const {
    double worst = 0.0;
    for (const int r : loose_) {
      worst = std::max(worst, std::abs(solver.work().phi[at(r)]) * solver.rowLength(r) / solver.length());
    }
    return worst;
  }

  // With the drives let go, so that there is somewhere to move.
  bool misfitStays(double misfit) const {
    Mechanism free = mechanism_;
    free.drives.clear();
    Solver solver(free, t_);
    prepare(solver);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> unit(-0.1, 0.1);
    std::vector<double> step(at(solver.equations().freedoms()));
    for (int attempt = 0; attempt < 3; ++attempt) {
      for (std::size_t u = 0; u < step.size(); ++u) {
        step[u] = unit(random) * (static_cast<int>(u) % G::kFreedoms < G::kDimension ? solver.length() : 1.0);
      }
      std::vector<double> q = out_.q;
      solver.move(step, q);
      if (solver.solve(q) && misfitAt(solver) > kSameMisfit * misfit) return false;
    }
    return true;
  }

  // If the joints close without the drives, these are to blame: those with a part in what is left over.
  bool reportFightingDrives(Solver& solver) {
    if (mechanism_.drives.empty()) return false;
    Mechanism free = mechanism_;
    free.drives.clear();
    Solver joints(free, t_);
    std::vector<double> q = out_.q;
    if (!joints.solve(q)) return false;
    const auto& set = solver.equations().elements();
    double largest = 0.0;
    for (int pass = 0; pass < 2; ++pass) {
      std::vector<int> drives;
      Gap worst;
      for (const RowGroup& group : set.groups) {
        if (!group.is_drive) continue;
        const Gap gap = gapOf(solver.equations(), group, solver.work().phi);
        const double size = std::max(gap.length, gap.angle * solver.length());
        if (pass == 0) largest = std::max(largest, size);
        if (pass == 0 || size < 1e-3 * largest) continue;
        drives.push_back(group.index);
        worst = {std::max(worst.length, gap.length), std::max(worst.angle, gap.angle)};
      }
      if (pass == 1 && largest > 0.0) reportDrives(mechanism_, drives, worst, out_);
    }
    return largest > 0.0;
  }

  // Opens the joint to blame alone, closes the rest, and measures the gap that is left.
  void reportOpenLoop() {
    Solver solver(mechanism_, t_);
    const double off = solver.residual(out_.q) / solver.length();
    if (reportFightingDrives(solver)) return;
    const int blamed = jointToBlame(solver.equations(), solver.work().phi, solver.length());
    if (blamed < 0) {
      out_.problem = "no pose satisfies all constraints";
      return;
    }
    const RowGroup& group = solver.equations().elements().groups[at(blamed)];
    std::vector<double> soft(at(solver.equations().rows()), 0.0);
    for (int r = 0; r < group.rows; ++r) soft[at(group.first_row + r)] = kSoft;
    solver.closeAllBut(soft, out_.q);
    reportOpenJoint(mechanism_, group.index, gapOf(solver.equations(), group, solver.work().phi), out_);
    if (off <= 100.0 * kLargestMisfit) {
      out_.hint =
          "If lengths were rounded: equations that repeat others may miss them by 1e-4 of the mechanism's size; give "
          "more digits, or compute one length from the others in an expression. Otherwise check the lengths and the "
          "places of the joints.";
    }
  }

  bool reachGiven() {
    const Given given = withGiven(mechanism_, GivenLevel::positions, Wishes::left_out, out_.q);
    if (given.held.empty()) return true;
    Solver solver(given.mechanism, t_);
    prepare(solver);
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
    prepare(solver);
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
    prepare(solver);
    std::vector<double> soft(at(solver.equations().rows()), 0.0);
    const std::size_t first = soft.size() - values.size();
    std::fill(soft.begin() + static_cast<std::ptrdiff_t>(first), soft.end(), kSoft);
    solver.closeAllBut(soft, q);
    double missed = 0.0;
    for (std::size_t r = first; r < soft.size(); ++r) missed = std::max(missed, std::abs(solver.work().phi[r]));
    return missed;
  }

  // Steps of Levenberg and Marquardt along the surface on which all rows but the wishes hold.
  bool meetWishes() {
    const Given given = withGiven(mechanism_, GivenLevel::positions, Wishes::taken, out_.q);
    if (given.wishes.empty()) return true;
    Solver hard(withGiven(mechanism_, GivenLevel::positions, Wishes::left_out, out_.q).mechanism, t_);
    Solver soft(given.mechanism, t_);
    prepare(hard);
    prepare(soft);
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

  // --- velocities

  bool findVelocities() {
    const Given given = withGiven(mechanism_, GivenLevel::rates, Wishes::taken, out_.q);
    Solver solver(given.mechanism, t_);
    const AbsoluteEquations<G>& equations = solver.equations();
    auto& work = solver.work();
    work.turns = out_.turns;
    out_.v.assign(at(equations.freedoms()), 0.0);
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
      std::vector<double> g = work.minus_phi_t;
      solver.kkt().solve(out_.v, g);
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

  // --- rank and residuals

  bool findRank() {
    noteMoves();
    out_.reaction_length = mechanism_.run.number("reaction_length").value_or(referenceLength(mechanism_, out_.q));
    AbsoluteOptions options;
    options.stabilisation = Stabilisation::none;
    options.misfit = out_.misfit;
    // Every row is in doubt where the rank is decided; where some do not fit, they are known already.
    options.doubtful_rows = loose_;
    if (loose_.empty()) {
      options.doubtful_rows.resize(at(AbsoluteEquations<G>(mechanism_).rows()));
      std::iota(options.doubtful_rows.begin(), options.doubtful_rows.end(), 0);
    }
    const BasicAbsoluteSystem<G> system(mechanism_, options);
    const auto work = system.makeWorkspace();
    std::vector<double> xdot(at(system.space().size()));
    const std::vector<double> x = out_.state();
    const Violation violation = system.violation(t_, x, system.startModes(), *work);
    out_.position_residual = violation.position;
    out_.velocity_residual = violation.velocity;
    if (system.derivative(t_, x, system.startModes(), *work, xdot) != Eval::ok) {
      out_.problem = "no accelerations at the start: " + system.describeFailure(*work);
      return false;
    }
    out_.dependent_rows = system.dependentRows(t_, x, *work);
    out_.velocity_rank = system.equations().velocityRows();
    for (const int r : out_.dependent_rows) {
      if (system.equations().level(r) == RowLevel::velocity) --out_.velocity_rank;
    }
    return true;
  }

  // How far a body is from where it was drawn.
  void noteMoves() {
    for (std::size_t b = 0; b * G::kCoordinates < drawn_.size(); ++b) {
      const double* from = &drawn_[b * G::kCoordinates];
      const double* to = &out_.q[b * G::kCoordinates];
      if constexpr (G::kSpatial) {
        out_.moved = std::max(out_.moved, std::hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]));
        const double c = std::abs(from[3] * to[3] + from[4] * to[4] + from[5] * to[5] + from[6] * to[6]);
        out_.turned = std::max(out_.turned, 2.0 * std::acos(std::min(1.0, c)));
      } else {
        out_.moved = std::max(out_.moved, std::hypot(to[0] - from[0], to[1] - from[1]));
        out_.turned = std::max(out_.turned, std::abs(to[2] - from[2]));
      }
    }
  }

  const Mechanism& mechanism_;
  double t_;
  Assembly out_;
  std::vector<double> drawn_;
  std::vector<int> loose_;  // rows that repeat others and do not quite fit
};

}  // namespace

std::vector<double> Assembly::state() const {
  std::vector<double> x = q;
  x.insert(x.end(), v.begin(), v.end());
  x.push_back(0.0);
  x.insert(x.end(), turns.begin(), turns.end());
  return x;
}

SystemOptions startingFrom(const Assembly& assembly, SystemOptions options) {
  options.dependent_rows = assembly.dependent_rows;
  options.start = assembly.state();
  options.misfit = assembly.misfit;
  if (options.reaction_length == 0.0) options.reaction_length = assembly.reaction_length;
  return options;
}

Assembly assemble(const Mechanism& mechanism, double t) {
  return mechanism.space == Space::spatial ? Assembler<Spatial<double>>(mechanism, t).run()
                                           : Assembler<Planar<double>>(mechanism, t).run();
}

}  // namespace linkwork
