#include "linkwork/analyse/assemble.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/linalg/norm.hpp"
#include "linkwork/model/drive_of.hpp"
#include "linkwork/topology/spanning_tree.hpp"

namespace linkwork {

namespace {

using absolute::at;
using V3 = Vec3<double>;

constexpr double kClosed = 1e-13;  // of the mechanism's size: round-off of a sum of a few lengths
constexpr double kContradicts =
    1e-8;  // a given value may disagree with the joints by this much of the largest number around
// Damping of the joint that is left open: enough for the iteration to settle where the gap bends the way (it overshoots
// below 1).
constexpr double kSoft = 3.0;
constexpr int kIterations = 200;
constexpr int kIdle = 30;             // iterations without progress before giving up
constexpr double kLargestTurn = 0.3;  // rad per iteration, and the same share of the reference length

template <class G>
std::vector<double> drawnCoordinates(const Mechanism& mechanism) {
  std::vector<double> q;
  for (const Body& body : mechanism.bodies) {
    const Pose& pose = body.drawn;
    const V3 com{body.com[0].number, body.com[1].number, body.com[2].number};
    const Quaternion about_z{std::cos(0.5 * pose.angle), 0.0, 0.0, std::sin(0.5 * pose.angle)};
    const Quaternion turn = product(about_z, pose.rotation);
    const V3 r =
        V3{pose.x, pose.y, pose.z} + Rotation3<double>::fromQuaternion(turn[0], turn[1], turn[2], turn[3]) * com;
    if constexpr (G::kSpatial) {
      q.insert(q.end(), {r.x, r.y, r.z, turn[0], turn[1], turn[2], turn[3]});
    } else {
      q.insert(q.end(), {r.x, r.y, pose.angle});
    }
  }
  return q;
}

// The mechanism with initial values of one level held like drives; they are the last drives, in the order of `held`.
struct Held {
  Mechanism mechanism;
  std::vector<const InitialValue*> held;
};

// The turn of a body about an axis of the ground, as a drive whose angle is zero in the pose q and whose rate is the
// component of the angular velocity there.
void turnToPose(const std::vector<double>& q, Drive& drive) {
  const std::size_t first = at(7 * drive.second.value());
  const Quaternion back{q[first + 3], -q[first + 4], -q[first + 5], -q[first + 6]};
  drive.on_second.rotation = product(back, drive.on_first.rotation);
}

// q: the pose in which rates are held.
Held holdInitialValues(const Mechanism& mechanism, bool rates, const std::vector<double>& q) {
  Held out{mechanism, {}};
  for (const InitialValue& initial : mechanism.initial) {
    if (isRate(initial.quantity.kind) != rates) continue;
    out.held.push_back(&initial);
    // Only the value (or, for a rate, its first derivative) is read: f = value, or f = value t.
    const Expr motion = rates ? Expr(initial.value.number) * Expr::symbol("t") : Expr(initial.value.number);
    Drive drive = driveOf(mechanism, initial.quantity, motion);
    const QuantityKind kind = initial.quantity.kind;
    if (kind >= QuantityKind::body_wx && kind <= QuantityKind::body_wz) turnToPose(q, drive);
    drive.name = quantityName(mechanism, initial.quantity);
    drive.source = initial.source;
    out.mechanism.drives.push_back(std::move(drive));
  }
  return out;
}

// Newton's iteration on Phi = 0 of one mechanism, with held values approached through offsets on their rows.
template <class G>
class PositionSolver {
 public:
  PositionSolver(const Mechanism& mechanism, double t)
      : equations_(mechanism),
        kkt_(kktStructure(equations_)),
        work_(equations_.makeWork()),
        t_(t),
        length_(referenceLength(mechanism)),
        offset_(at(equations_.rows()), 0.0),
        f_(at(equations_.freedoms())),
        g_(at(equations_.rows())) {
    fillMass(equations_, kkt_.mass());
    for (const RowInfo& row : equations_.elements().row_info) {
      row_length_.push_back(row.unit == RowUnit::angle ? length_ : 1.0);
    }
  }

  const AbsoluteEquations<G>& equations() const { return equations_; }
  typename AbsoluteEquations<G>::Work& work() { return work_; }
  KktSolver& kkt() { return kkt_; }
  int iterations() const { return iterations_; }
  std::vector<double>& offset() { return offset_; }
  int singularBody() const { return singular_body_; }

  // Phi - offset, each row in metres; returns its Euclidean norm.
  double residual(const std::vector<double>& q) {
    equations_.positions(t_, q, work_);
    double sum = 0.0;
    for (std::size_t r = 0; r < g_.size(); ++r) {
      const double value = (work_.phi[r] - offset_[r]) * row_length_[r];
      sum += value * value;
    }
    return std::sqrt(sum);
  }

  double tolerance(const std::vector<double>& q) const {
    return kClosed * std::max(length_, normInf(q)) * std::sqrt(1.0 + static_cast<double>(g_.size()));
  }

  // Moves q onto Phi = offset. False where the rows cannot all be satisfied from here.
  bool solve(std::vector<double>& q) {
    double before = residual(q);
    double boost = 1.0;
    double best = before;
    int idle = 0;
    for (int k = 0; k < kIterations && idle <= kIdle; ++k) {
      equations_.followTurns(work_);
      if (before <= tolerance(q)) return true;
      // Damping in proportion to the residual keeps convergence quadratic, also where rows are redundant.
      const double damping = std::min(1.0, before / length_) * 1e-3 * boost;
      std::vector<double> trial = q;
      if (!step(trial, {.row = 0.0, .damping = std::max(damping, 1e-15)})) return false;
      const double after = residual(trial);
      if (after < before) {
        q = trial;
        before = after;
        boost = std::max(1e-3, boost / 4.0);
      } else {
        residual(q);
        if (before <= 100.0 * tolerance(q)) return true;  // at round-off: no step makes it better
        boost *= 8.0;
      }
      idle = before < 0.999 * best ? 0 : idle + 1;
      best = std::min(best, before);
    }
    return before <= tolerance(q);
  }

  // Closes all rows but the soft ones, and makes those as small as the others allow.
  void closeAllBut(std::span<const double> soft, std::vector<double>& q) {
    for (int k = 0; k < kIterations; ++k) {
      residual(q);
      equations_.followTurns(work_);
      if (!step(q, {.row = 0.0, .damping = 1e-12, .row_damping = soft})) return;
      if (normInf(f_) <= 1e-10 * length_) break;
    }
    residual(q);
  }

 private:
  // One damped step from the rows in work_, limited in length; false at a body without inertia or a step that is no
  // number.
  bool step(std::vector<double>& q, const KktSolver::Cuts& cuts) {
    ++iterations_;
    std::copy(work_.jacobian.begin(), work_.jacobian.end(), kkt_.jacobian().begin());
    singular_body_ = kkt_.factor(cuts).singular_body;
    if (singular_body_ >= 0) return false;
    std::fill(f_.begin(), f_.end(), 0.0);
    for (std::size_t r = 0; r < g_.size(); ++r) g_[r] = offset_[r] - work_.phi[r];
    kkt_.solveDamped(f_, g_);
    if (!allFinite(f_)) return false;
    double scale = 1.0;
    for (int u = 0; u < static_cast<int>(f_.size()); ++u) {
      const double largest = u % G::kFreedoms >= G::kDimension ? kLargestTurn : kLargestTurn * length_;
      scale = std::min(scale, largest / std::max(std::abs(f_[at(u)]), 1e-300));
    }
    for (double& value : f_) value *= scale;
    for (int b = 0; b < equations_.bodies(); ++b) {
      retract(G{}, std::span(q).subspan(at(G::kCoordinates * b), at(G::kCoordinates)),
              std::span<const double>(f_).subspan(at(G::kFreedoms * b), at(G::kFreedoms)));
    }
    return true;
  }

  AbsoluteEquations<G> equations_;
  KktSolver kkt_;
  typename AbsoluteEquations<G>::Work work_;
  double t_;
  double length_;
  std::vector<double> offset_, row_length_;
  std::vector<double> f_, g_;
  int iterations_ = 0;
  int singular_body_ = -1;
};

// The bodies one passes going from one side of a joint to the other without using it; empty if there is no such way.
std::vector<std::string> loopThrough(const Mechanism& mechanism, int joint_index) {
  const int bodies = static_cast<int>(mechanism.bodies.size());
  std::vector<std::vector<int>> ways(at(bodies) + 1);
  const auto slot = [&](BodyIndex body) { return body.valid() ? body.value() : bodies; };
  for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
    if (static_cast<int>(k) == joint_index) continue;
    const int a = slot(mechanism.joints[k].first);
    const int b = slot(mechanism.joints[k].second);
    ways[at(a)].push_back(b);
    ways[at(b)].push_back(a);
  }
  const int from = slot(mechanism.joints[at(joint_index)].first);
  const int to = slot(mechanism.joints[at(joint_index)].second);
  std::vector<int> came_from(ways.size(), -2);
  std::vector<int> front{from};
  came_from[at(from)] = -1;
  for (std::size_t k = 0; k < front.size(); ++k) {
    for (const int next : ways[at(front[k])]) {
      if (came_from[at(next)] != -2) continue;
      came_from[at(next)] = front[k];
      front.push_back(next);
    }
  }
  std::vector<std::string> names;
  if (came_from[at(to)] == -2) return names;
  for (int body = to; body != -1; body = came_from[at(body)]) {
    names.emplace_back(body == bodies ? "ground" : mechanism.bodies[at(body)].name);
  }
  std::reverse(names.begin(), names.end());
  return names;
}

// "crank.x_rate (line 12)"
std::string nameAndLine(const Mechanism& mechanism, const InitialValue& initial) {
  const std::string name = quantityName(mechanism, initial.quantity);
  const Source& source = initial.source;
  if (source.line <= 0) return name;
  if (source.file && *source.file != mechanism.file_name) return fmt::format("{} ({}:{})", name, *source.file, source.line);
  return fmt::format("{} (line {})", name, source.line);
}

// The group whose rows are furthest from zero, and by how much.
template <class G>
std::pair<int, double> worstGroup(const AbsoluteEquations<G>& equations, const std::vector<double>& values,
                                  bool joints_only) {
  int worst = -1;
  double size = -1.0;
  const auto& set = equations.elements();
  for (std::size_t g = 0; g < set.groups.size(); ++g) {
    const RowGroup& group = set.groups[g];
    if (joints_only && group.is_drive) continue;
    const double off = norm2(std::span(values).subspan(at(group.first_row), at(group.rows)));
    if (off > size) {
      size = off;
      worst = static_cast<int>(g);
    }
  }
  return {worst, size};
}

// Fills the report of a loop that cannot close: opens its joint alone, closes the rest, and measures the gap that is
// left.
template <class G>
void reportOpenLoop(const Mechanism& mechanism, double t, std::vector<double> q, Assembly& out) {
  PositionSolver<G> solver(mechanism, t);
  solver.work().turns = out.turns;
  solver.residual(q);
  auto [worst, spread] = worstGroup(solver.equations(), solver.work().phi, true);
  if (worst < 0) {
    out.problem = "the drives ask for what no pose satisfies";
    return;
  }
  const auto& set = solver.equations().elements();
  // Prefer a joint that closes a loop: opened alone, the rest can be satisfied.
  std::vector<Connection> connections;
  for (const RowGroup& group : set.groups) {
    connections.push_back(connectionOf(group, set.bodies));
  }
  const SpanningTree tree = planSpanningTree(set.bodies, connections);
  double best = -1.0;
  for (const int cut : tree.cuts) {
    const RowGroup& group = set.groups[at(cut)];
    if (group.is_drive) continue;
    const double off = norm2(std::span(solver.work().phi).subspan(at(group.first_row), at(group.rows)));
    if (off > best) {
      best = off;
      worst = cut;
    }
  }
  const RowGroup& group = set.groups[at(worst)];
  std::vector<double> soft(at(solver.equations().rows()), 0.0);
  for (int r = 0; r < group.rows; ++r) soft[at(group.first_row + r)] = kSoft;
  solver.closeAllBut(soft, q);
  const double gap = norm2(std::span(solver.work().phi).subspan(at(group.first_row), at(group.rows)));
  const Joint& joint = mechanism.joints[at(group.index)];
  out.where = joint.source;
  if (isRelation(joint.kind)) {
    out.problem = fmt::format("joint \"{}\" cannot be satisfied: its {} stays off by {:.4g} {}", joint.name,
                              wordFor(joint.kind), gap, joint.unit == RelationUnit::length ? "m" : "rad");
    out.hint = "Check its numbers against the drawing, or leave offset out: it is then that of the drawing.";
    return;
  }
  const auto names = loopThrough(mechanism, group.index);
  out.problem = fmt::format("joint \"{}\" stays open by {:.4g} m", joint.name, gap);
  if (!names.empty()) out.problem += fmt::format(": the loop {} cannot close", fmt::join(names, " - "));
  out.hint =
      "Check the lengths of these bodies and the places of their joints, or draw the mechanism nearer to the pose you "
      "mean.";
}

void reportMasslessBody(const Mechanism& mechanism, int body, Assembly& out) {
  out.where = mechanism.bodies[at(body)].source;
  out.problem = fmt::format("body \"{}\" has no inertia in a direction that its joints leave free",
                            mechanism.bodies[at(body)].name);
  out.hint = "Give it a mass and an inertia, or hold it by joints.";
}

template <class G>
bool closeJoints(const Mechanism& mechanism, double t, Assembly& out) {
  PositionSolver<G> plain(mechanism, t);
  const bool closed = plain.solve(out.q);
  out.turns = plain.work().turns;
  out.iterations += plain.iterations();
  if (plain.singularBody() >= 0) {
    reportMasslessBody(mechanism, plain.singularBody(), out);
    return false;
  }
  if (!closed) reportOpenLoop<G>(mechanism, t, out.q, out);
  return closed;
}

// Moves q from a pose that satisfies the joints to one that has the given values too.
template <class G>
bool walkToInitialValues(const Mechanism& mechanism, double t, Assembly& out) {
  const Held held = holdInitialValues(mechanism, false, out.q);
  if (held.held.empty()) return true;
  PositionSolver<G> solver(held.mechanism, t);
  solver.work().turns = out.turns;
  solver.residual(out.q);
  const auto& set = solver.equations().elements();
  // Where the held rows stand now; they are walked down to zero.
  const int first_row = solver.equations().rows() - static_cast<int>(held.held.size());
  std::vector<double> start(held.held.size());
  double furthest = 0.0;
  for (std::size_t k = 0; k < start.size(); ++k) {
    const int row = first_row + static_cast<int>(k);
    start[k] = solver.work().phi[at(row)];
    const double unit = set.row_info[at(row)].unit == RowUnit::angle ? 1.0 : referenceLength(mechanism);
    furthest = std::max(furthest, std::abs(start[k]) / unit);
  }
  const int walk = std::clamp(static_cast<int>(std::ceil(furthest / 0.2)), 1, 1000);
  for (int k = 1; k <= walk; ++k) {
    const double left = 1.0 - static_cast<double>(k) / walk;
    for (std::size_t h = 0; h < start.size(); ++h) solver.offset()[at(first_row) + h] = left * start[h];
    if (!solver.solve(out.q)) {
      std::vector<double> off(solver.work().phi.begin(), solver.work().phi.end());
      out.iterations += solver.iterations();
      const std::size_t worst = static_cast<std::size_t>(
          std::max_element(start.begin(), start.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }) -
          start.begin());
      const InitialValue& value = *held.held[worst];
      out.where = value.source;
      out.problem = fmt::format(
          "the initial value {} = {:.6g} cannot be reached: the joints let it come to within {:.3g} of it",
          quantityName(mechanism, value.quantity), value.value.number, std::abs(off[at(first_row) + worst]));
      out.hint = "Check it against the drawing and the other initial values.";
      return false;
    }
  }
  out.iterations += solver.iterations();
  out.turns = solver.work().turns;
  return true;
}

// Which of the values given before it does the first one that cannot be reached together with them contradict?
// Found by leaving out, one after the other, those without which the contradiction stays, each time from the pose that
// satisfies the joints alone.
template <class G>
class Contradiction {
 public:
  Contradiction(const Mechanism& mechanism, double t, const std::vector<double>& closed)
      : mechanism_(mechanism), t_(t), closed_(closed) {}

  // Fills the report, if the contradiction is among the first kMost values.
  void find(Assembly& out) const {
    std::vector<InitialValue> given;
    bool contradicts = false;
    for (const InitialValue& initial : mechanism_.initial) {
      if (isRate(initial.quantity.kind)) continue;
      given.push_back(initial);
      if (given.size() > kMost) return;
      contradicts = !reachable(given);
      if (contradicts) break;
    }
    if (!contradicts) return;
    for (std::size_t k = 0; k + 1 < given.size();) {
      std::vector<InitialValue> fewer = given;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      if (reachable(fewer)) {
        ++k;
      } else {
        given = std::move(fewer);
      }
    }
    const InitialValue last = given.back();
    std::vector<std::string> partners;
    for (std::size_t k = 0; k + 1 < given.size(); ++k) partners.push_back(nameAndLine(mechanism_, given[k]));
    if (partners.empty()) {
      reportAlone(last, out);
      return;
    }
    out.where = last.source;
    out.problem = fmt::format("the initial value {} contradicts {}: no pose has them all", nameAndLine(mechanism_, last),
                              fmt::join(partners, ", "));
    out.hint = "Leave one of them out; `linkwork assemble` then prints the value that fits.";
  }

 private:
  static constexpr std::size_t kMost = 20;

  bool reach(const std::vector<InitialValue>& given, Assembly& trial) const {
    Mechanism some = mechanism_;
    some.initial = given;
    trial.q = closed_;
    return walkToInitialValues<G>(some, t_, trial);
  }
  bool reachable(const std::vector<InitialValue>& given) const {
    Assembly trial;
    return reach(given, trial);
  }

  void reportAlone(const InitialValue& value, Assembly& out) const {
    Assembly trial;
    reach({value}, trial);
    out.where = trial.where;
    out.problem = trial.problem;
    out.hint = trial.hint;
  }

  const Mechanism& mechanism_;
  double t_;
  const std::vector<double>& closed_;
};

template <class G>
bool assemblePositions(const Mechanism& mechanism, double t, Assembly& out) {
  if (!closeJoints<G>(mechanism, t, out)) return false;
  const std::vector<double> closed = out.q;
  if (walkToInitialValues<G>(mechanism, t, out)) return true;
  Contradiction<G>(mechanism, t, closed).find(out);  // says more than the walk could
  return false;
}

template <class G>
bool assembleVelocities(const Mechanism& mechanism, double t, Assembly& out) {
  const Held held = holdInitialValues(mechanism, true, out.q);
  PositionSolver<G> solver(held.mechanism, t);
  const AbsoluteEquations<G>& equations = solver.equations();
  auto& work = solver.work();
  work.turns = out.turns;
  out.v.assign(at(equations.freedoms()), 0.0);
  equations.positions(t, out.q, work);
  equations.velocities(out.v, work);
  std::copy(work.jacobian.begin(), work.jacobian.end(), solver.kkt().jacobian().begin());
  const auto factored = solver.kkt().factor({.row = kDependentRow});
  if (factored.singular_body >= 0) {
    reportMasslessBody(mechanism, factored.singular_body, out);
    return false;
  }
  std::vector<double> f(out.v.size(), 0.0);
  std::vector<double> g = work.minus_phi_t;
  const double given = normInf(g);
  solver.kkt().solve(f, g);
  out.v = f;
  const double allowed = kContradicts * std::max(given, normInf(out.v));

  // Rows that were dropped as dependent must hold all the same.
  const auto& start = equations.rowStart();
  const auto& bodies = equations.rowBodies();
  for (int r = 0; r < equations.rows(); ++r) {
    double rest = -work.minus_phi_t[at(r)];
    for (int p = start[at(r)]; p < start[at(r) + 1]; ++p) {
      for (int k = 0; k < G::kFreedoms; ++k) {
        rest += work.jacobian[at(G::kFreedoms * p + k)] * out.v[at(G::kFreedoms * bodies[at(p)] + k)];
      }
    }
    if (std::abs(rest) <= allowed) continue;
    // The initial values that take part in the dependence of this row.
    std::vector<double> z(at(equations.rows()), 0.0);
    if (solver.kkt().rowDropped(r)) solver.kkt().dependence(r, z);
    std::vector<std::string> names;
    const auto& set = equations.elements();
    const int first_row = equations.rows() - static_cast<int>(held.held.size());
    for (std::size_t k = 0; k < held.held.size(); ++k) {
      if (std::abs(z[at(first_row) + k]) < 1e-9) continue;
      names.push_back(nameAndLine(mechanism, *held.held[k]));
      if (out.where.line == 0) out.where = held.held[k]->source;
    }
    if (names.empty()) {
      const RowGroup& group = set.groups[at(set.row_info[at(r)].group)];
      out.problem = fmt::format("{} \"{}\" asks for a speed that the joints forbid in this pose (by {:.3g})",
                                group.is_drive ? "drive" : "joint", group.name, std::abs(rest));
      out.hint = "The mechanism may stand at a dead point; start it elsewhere.";
    } else {
      out.problem = fmt::format("the initial values {} contradict the joints: no motion has them all (off by {:.3g})",
                                fmt::join(names, ", "), std::abs(rest));
      out.hint = "Leave one of them out; `linkwork assemble` then prints the value that fits.";
    }
    return false;
  }
  return true;
}

// How far a body is from where it was drawn.
template <class G>
void noteMoves(const std::vector<double>& drawn, Assembly& out) {
  for (std::size_t b = 0; b * G::kCoordinates < drawn.size(); ++b) {
    const double* from = &drawn[b * G::kCoordinates];
    const double* to = &out.q[b * G::kCoordinates];
    if constexpr (G::kSpatial) {
      out.moved = std::max(out.moved, std::hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]));
      const double c = std::abs(from[3] * to[3] + from[4] * to[4] + from[5] * to[5] + from[6] * to[6]);
      out.turned = std::max(out.turned, 2.0 * std::acos(std::min(1.0, c)));
    } else {
      out.moved = std::max(out.moved, std::hypot(to[0] - from[0], to[1] - from[1]));
      out.turned = std::max(out.turned, std::abs(to[2] - from[2]));
    }
  }
}

template <class G>
Assembly assembleIn(const Mechanism& mechanism, double t) {
  Assembly out;
  const std::vector<double> drawn = drawnCoordinates<G>(mechanism);
  out.q = drawn;
  if (!assemblePositions<G>(mechanism, t, out) || !assembleVelocities<G>(mechanism, t, out)) return out;
  noteMoves<G>(drawn, out);
  // Every row is in doubt where the rank is decided.
  AbsoluteOptions options;
  options.stabilisation = Stabilisation::none;
  options.doubtful_rows.resize(at(AbsoluteEquations<G>(mechanism).rows()));
  std::iota(options.doubtful_rows.begin(), options.doubtful_rows.end(), 0);
  const BasicAbsoluteSystem<G> system(mechanism, options);
  const auto work = system.makeWorkspace();
  std::vector<double> xdot(at(system.space().size()));
  const std::vector<double> x = out.state();
  const Violation violation = system.violation(t, x, *work);
  out.position_residual = violation.position;
  out.velocity_residual = violation.velocity;
  const Eval eval = system.derivative(t, x, *work, xdot);
  if (eval != Eval::ok) {
    out.problem = "no accelerations at the start: " + system.describeFailure(*work);
    return out;
  }
  out.dependent_rows = system.dependentRows(*work);
  out.reaction_length = mechanism.run.reaction_length.value_or(referenceLength(mechanism, out.q));
  out.ok = true;
  return out;
}

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
  if (options.reaction_length == 0.0) options.reaction_length = assembly.reaction_length;
  return options;
}

Assembly assemble(const Mechanism& mechanism, double t) {
  return mechanism.space == Space::spatial ? assembleIn<Spatial<double>>(mechanism, t)
                                           : assembleIn<Planar<double>>(mechanism, t);
}

}  // namespace linkwork
