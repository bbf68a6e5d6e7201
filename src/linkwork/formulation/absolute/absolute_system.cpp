#include "linkwork/formulation/absolute/absolute_system.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linkwork/elements/corners.hpp"
#include "linkwork/formulation/absolute/absolute_messages.hpp"
#include "linkwork/formulation/absolute/absolute_work.hpp"
#include "linkwork/formulation/absolute/free_direction.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

namespace {

using absolute::at;

// Off the surface by `drift` (relative), a dependent row shows a pivot of the order drift^2; thirty covers the factor.
constexpr double kDriftFactor = 30.0;
// Projection ends at this many units of round-off of the largest coordinate.
constexpr double kProjectionRoundoff = 16.0 * std::numeric_limits<double>::epsilon();
constexpr int kProjectionSweeps = 12;
// Masses and inertias below this share of the largest are treated as if they were zero: legal, held by the joints.
constexpr double kMassless = 1e-9;
// Of the largest part in a dependence: less is round-off.
constexpr double kTakesPart = 1e-6;
// How far to both sides of a pose of lower rank, in radians or reference lengths. What four states (1 and 2 steps to
// both sides) leave of error is of the fourth power, 1e-10; round-off falls with the third.
constexpr double kAcross = 5e-3;

}  // namespace

Connection connectionOf(const RowGroup& group, int bodies) {
  Connection out{group.i < bodies ? group.i : -1, group.j < bodies ? group.j : -1, group.related};
  for (int& body : out.related) body = body < bodies ? body : -1;
  return out;
}

template <class G>
KktStructure kktStructure(const AbsoluteEquations<G>& equations) {
  const auto& set = equations.elements();
  KktStructure s;
  s.freedoms = G::kFreedoms;
  s.bodies = set.bodies;
  s.mass_entries.assign(G::kMassEntries.begin(), G::kMassEntries.end());
  s.row_start = equations.rowStart();
  s.row_bodies = equations.rowBodies();
  // So light beside the heaviest that dividing by it would drown the rows of its joints in round-off.
  std::array<double, G::kFreedoms> largest{};
  const auto diagonal = [](const typename G::Inertia& body) {
    std::array<double, G::kFreedoms> out{};
    const auto values = G::massValues(body);
    for (std::size_t e = 0; e < values.size(); ++e) {
      if (G::kMassEntries[e][0] == G::kMassEntries[e][1]) out[at(G::kMassEntries[e][0])] = values[e];
    }
    return out;
  };
  for (const auto& body : set.body) {
    const auto own = diagonal(body);
    for (std::size_t k = 0; k < own.size(); ++k) largest[k] = std::max(largest[k], own[k]);
  }
  // Moments of inertia about different axes are of one kind.
  const double stiffest = *std::max_element(largest.begin() + G::kDimension, largest.end());
  std::fill(largest.begin() + G::kDimension, largest.end(), stiffest);
  const bool massless = std::any_of(set.body.begin(), set.body.end(), [&](const auto& body) {
    const auto own = diagonal(body);
    bool light = false;
    for (std::size_t k = 0; k < own.size(); ++k) light = light || own[k] <= kMassless * largest[k];
    return light;
  });
  s.mass = massless ? MassMatrix::augmented : MassMatrix::definite;

  std::vector<Connection> connections;
  for (const RowGroup& group : set.groups) {
    connections.push_back(connectionOf(group, set.bodies));
  }
  for (const int node : eliminationOrder(planSpanningTree(set.bodies, connections), connections)) {
    if (node < set.bodies) {
      s.order.push_back(node);
    } else {
      const RowGroup& group = set.groups[at(node - set.bodies)];
      for (int r = 0; r < group.rows; ++r) s.order.push_back(set.bodies + group.first_row + r);
    }
  }
  return s;
}

template <class G>
void fillMass(const AbsoluteEquations<G>& equations, std::span<double> mass) {
  std::size_t next = 0;
  for (const auto& body : equations.elements().body) {
    for (const double value : G::massValues(body)) mass[next++] = value;
  }
}

namespace {

// point_of gives a body's point, in body axes, in ground axes.
template <class PointOf>
double lengthOf(const Mechanism& mechanism, PointOf&& point_of) {
  // Joints in ground axes, and how far each is from its body's centre of mass.
  std::vector<Vec3<double>> points;
  double longest_arm = 0.0;
  for (const Joint& joint : mechanism.joints) {
    const bool on_first = joint.first.valid();
    const Frame& frame = on_first ? joint.on_first : joint.on_second;
    const BodyIndex index = on_first ? joint.first : joint.second;
    if (!index.valid()) continue;
    const Body& body = mechanism.body(index);
    const auto vector = [](const Point& p) { return Vec3<double>{p[0].number, p[1].number, p[2].number}; };
    const Vec3<double> point = vector(frame.point);
    const Vec3<double> arm = point - vector(body.com);
    longest_arm = std::max(longest_arm, std::sqrt(dot(arm, arm)));
    points.push_back(point_of(index, point));
  }
  Vec3<double> centre;
  for (const auto& point : points) centre += point * (1.0 / static_cast<double>(points.size()));
  double sum = 0.0;
  for (const auto& point : points) sum += dot(point - centre, point - centre);
  const double rms = points.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(points.size()));
  // All joints in one place: the arm of a body is the size to go by.
  const double length = rms > 1e-9 * longest_arm ? rms : longest_arm;
  return length > 0.0 ? length : 1.0;
}

}  // namespace

double referenceLength(const Mechanism& mechanism) {
  return lengthOf(mechanism, [&](BodyIndex index, const Vec3<double>& point) {
    const Body& body = mechanism.body(index);
    const Quaternion& q = body.drawn.rotation;
    const auto R =
        Rotation3<double>::aboutZ(body.drawn.angle) * Rotation3<double>::fromQuaternion(q[0], q[1], q[2], q[3]);
    return Vec3<double>{body.drawn.x, body.drawn.y, body.drawn.z} + R * point;
  });
}

double referenceLength(const Mechanism& mechanism, std::span<const double> q) {
  const bool spatial = mechanism.space == Space::spatial;
  return lengthOf(mechanism, [&](BodyIndex index, const Vec3<double>& point) {
    const Point& com = mechanism.body(index).com;
    const Vec3<double> arm = point - Vec3<double>{com[0].number, com[1].number, com[2].number};
    if (!spatial) {
      const double* own = &q[3 * index.at()];
      return Vec3<double>{own[0], own[1], 0.0} + Rotation3<double>::aboutZ(own[2]) * arm;
    }
    const double* own = &q[7 * index.at()];
    return Vec3<double>{own[0], own[1], own[2]} +
           Rotation3<double>::fromQuaternion(own[3], own[4], own[5], own[6]) * arm;
  });
}

template <class G>
BasicAbsoluteSystem<G>::BasicAbsoluteSystem(const Mechanism& mechanism, const AbsoluteOptions& options)
    : mechanism_(mechanism),
      options_(options),
      equations_(mechanism),
      structure_(kktStructure(equations_)),
      length_(linkwork::referenceLength(mechanism)) {
  std::vector<Expr> events;
  for (const Event& event : mechanism.events) events.push_back(event.when);
  Corners corners = findCorners(mechanism);
  events.insert(events.end(), corners.switches.begin(), corners.switches.end());
  events_ = compileExpressions<G>(mechanism, events);
  corner_times_ = std::move(corners.times);
  for (const auto& placed : equations_.elements().springs) spring_switches_ += placed.element.switches();
  std::vector<Expr> outputs;
  for (const Output& output : mechanism.outputs) outputs.push_back(output.value);
  outputs_ = compileExpressions<G>(mechanism, outputs);
  std::vector<Quantity> wanted;
  for (int k = 0; k < static_cast<int>(mechanism.joints.size()); ++k) {
    wanted.insert(wanted.end(), {{QuantityKind::joint_angle, k},
                                 {QuantityKind::joint_slide, k},
                                 {QuantityKind::joint_angle_rate, k},
                                 {QuantityKind::joint_slide_rate, k}});
  }
  const auto quantities = compileQuantities<G>(mechanism, wanted);
  for (std::size_t k = 0; k < quantities.size(); k += 4) {
    joint_quantities_.push_back({quantities[k], quantities[k + 1], quantities[k + 2], quantities[k + 3]});
  }
  doubtful_.assign(at(equations_.rows()), 0);
  for (const int row : options_.doubtful_rows) doubtful_[at(row)] = 1;
  for (const RowInfo& row : equations_.elements().row_info)
    row_length_.push_back(row.unit == RowUnit::angle ? length_ : 1.0);
  reaction_length_ = options_.reaction_length > 0.0 ? options_.reaction_length : length_;
  if (options_.stabilisation == Stabilisation::index3 || options_.stabilisation == Stabilisation::ggl) {
    mechanical_ = std::make_unique<AbsoluteMechanical<G>>(mechanism, options_.doubtful_rows);
    dae_ = std::make_unique<MechanicalDae>(
        *mechanical_, *this, options_.stabilisation == Stabilisation::ggl ? DaeKind::ggl : DaeKind::index3);
  }
}

template <class G>
const MechanicalSystem* BasicAbsoluteSystem<G>::mechanical() const {
  return options_.stabilisation == Stabilisation::index3 ? mechanical_.get() : nullptr;
}

// 1 where a multiplier is a force, the reaction length where it is a moment.
template <class G>
std::vector<double> BasicAbsoluteSystem<G>::reactionScale() const {
  std::vector<double> out;
  for (const RowInfo& row : equations_.elements().row_info) {
    out.push_back(row.unit == RowUnit::angle ? reaction_length_ : 1.0);
  }
  return out;
}

template <class G>
StateSpace BasicAbsoluteSystem<G>::space() const {
  return {equations_.coordinates(), equations_.freedoms(), 1 + equations_.turns()};
}

template <class G>
std::unique_ptr<Workspace> BasicAbsoluteSystem<G>::makeWorkspace() const {
  auto work = std::make_unique<Work>(*this);
  fillMass(equations_, work->kkt.mass());
  return work;
}

template <class G>
std::span<const double> BasicAbsoluteSystem<G>::positionsOf(std::span<const double> x) const {
  return x.first(at(equations_.coordinates()));
}

template <class G>
std::span<const double> BasicAbsoluteSystem<G>::velocitiesOf(std::span<const double> x) const {
  return x.subspan(at(equations_.coordinates()), at(equations_.freedoms()));
}

// Hands the references of the counted turns over to the equations.
template <class G>
void BasicAbsoluteSystem<G>::setTurns(std::span<const double> x, Work& work) const {
  const auto turns = x.last(at(equations_.turns()));
  std::copy(turns.begin(), turns.end(), work.eq.turns.begin());
}

// Greatest violation of Phi, relative to the size of the mechanism; NaN if any is.
template <class G>
double BasicAbsoluteSystem<G>::drift(const Work& work) const {
  double worst = 0.0;
  for (std::size_t r = 0; r < work.eq.phi.size(); ++r) {
    const double off = std::abs(work.eq.phi[r]) * row_length_[r];
    worst = std::isnan(off) ? off : std::max(worst, off);
  }
  return worst / length_;
}

// The same without the rows that do not quite fit, as long as they stay about as far off as they were. Needs factors.
template <class G>
double BasicAbsoluteSystem<G>::enforcedDrift(const Work& work) const {
  if (options_.misfit <= 0.0) return drift(work);
  double worst = 0.0;
  for (std::size_t r = 0; r < work.eq.phi.size(); ++r) {
    const double off = std::abs(work.eq.phi[r]) * row_length_[r];
    const bool watched = doubtful_[r] != 0 && work.kkt.rowDropped(static_cast<int>(r));
    if (watched && off <= kMisfitGrowth * options_.misfit * length_) continue;
    worst = std::isnan(off) ? off : std::max(worst, off);
  }
  return worst / length_;
}

// Factors the system at the positions in work.eq; false when a body has no inertia in a free direction.
template <class G>
bool BasicAbsoluteSystem<G>::factor(double t, Work& work, double cut) const {
  std::copy(work.eq.jacobian.begin(), work.eq.jacobian.end(), work.kkt.jacobian().begin());
  // Lengths that do not fit lift the pivot by their misfit also in the poses where the rows happen to close.
  const double off = kDriftFactor * std::max(drift(work), options_.misfit);
  work.factored = work.kkt.factor({.row = cut, .doubtful_row = off * off, .doubtful = doubtful_});
  if (work.factored.singular_body < 0) return true;
  work.kkt.freeMotion(work.factored.singular_unknown, work.f);
  std::copy_n(&work.f[at(G::kFreedoms * work.factored.singular_body)], G::kFreedoms, work.free_motion.begin());
  work.fail(Work::Failure::massless_body, t, work.factored.singular_body, Eval::failed);
  return false;
}

// A row of Phi_q times velocities or accelerations of the bodies.
template <class G>
double BasicAbsoluteSystem<G>::rowTimes(int row, std::span<const double> v, const Work& work) const {
  const auto& start = equations_.rowStart();
  const auto& bodies = equations_.rowBodies();
  double sum = 0.0;
  for (int p = start[at(row)]; p < start[at(row) + 1]; ++p) {
    const double* block = &work.eq.jacobian[at(G::kFreedoms * p)];
    const double* rates = &v[at(G::kFreedoms * bodies[at(p)])];
    for (int k = 0; k < G::kFreedoms; ++k) sum += block[k] * rates[k];
  }
  return sum;
}

// work.velocity_residual = Phi_q v + Phi_t
template <class G>
void BasicAbsoluteSystem<G>::velocityResidual(std::span<const double> v, Work& work) const {
  for (int r = 0; r < equations_.rows(); ++r) {
    work.velocity_residual[at(r)] = rowTimes(r, v, work) - work.eq.minus_phi_t[at(r)];
  }
}

template <class G>
Eval BasicAbsoluteSystem<G>::accelerationsHere(double t, std::span<const double> x, Work& work) const {
  const auto q = positionsOf(x);
  const auto v = velocitiesOf(x);
  work.failure = Work::Failure::none;
  if (!allFinite(q) || !allFinite(v)) return work.fail(Work::Failure::state_not_finite, t, 0, Eval::retry);
  setTurns(x, work);
  equations_.positions(t, q, work.eq);
  if (work.eq.left_curve >= 0) return work.fail(Work::Failure::left_curve, t, work.eq.left_curve, Eval::retry);
  equations_.velocities(v, work.eq);
  equations_.forces(work.eq);
  if (work.badMotion() >= 0) return work.failNotFinite(t);
  for (std::size_t k = 0; k < work.eq.load_scratch.outputs.size(); ++k) {
    if (!std::isfinite(work.eq.load_scratch.outputs[k])) {
      return work.fail(Work::Failure::load_not_finite, t, static_cast<int>(k), Eval::retry);
    }
  }
  if (!factor(t, work)) return Eval::failed;

  for (int b = 0; b < equations_.bodies(); ++b) {
    G::put(work.eq.Q[at(b)], std::span(work.f).subspan(at(G::kFreedoms * b), at(G::kFreedoms)));
  }
  std::copy(work.eq.gamma.begin(), work.eq.gamma.end(), work.g.begin());
  if (options_.stabilisation == Stabilisation::baumgarte) {
    velocityResidual(v, work);
    for (std::size_t r = 0; r < work.g.size(); ++r) {
      work.g[r] -= 2.0 * options_.alpha * work.velocity_residual[r] + options_.beta * options_.beta * work.eq.phi[r];
    }
  }
  const auto solved = work.kkt.solve(work.f, work.g);
  work.worst_residual = std::max(work.worst_residual, solved.residual);
  work.acceleration = work.f;
  for (std::size_t r = 0; r < work.g.size(); ++r) work.lambda[r] = -work.g[r];
  if (!allFinite(work.acceleration)) return work.fail(Work::Failure::state_not_finite, t, 0, Eval::retry);
  // Drives do work at the rate -lambda^T Phi_t; joints do none.
  work.power = work.eq.supplied_power;
  for (std::size_t r = 0; r < work.lambda.size(); ++r) work.power += work.lambda[r] * work.eq.minus_phi_t[r];
  return work.factored.dropped_rows == 0 ? Eval::ok : checkDroppedRows(t, work);
}

// A row is lost or nearly so that was independent at the start.
template <class G>
bool BasicAbsoluteSystem<G>::nearRankChange(const Work& work) const {
  if (work.factored.singular_body >= 0) return false;
  if (work.factored.smallest_kept < kNearDependentRow) return true;
  if (work.factored.dropped_rows == 0) return false;
  for (int r = 0; r < equations_.rows(); ++r) {
    if (work.kkt.rowDropped(r) && doubtful_[at(r)] == 0) return true;
  }
  return false;
}

// A motion through a pose of lower rank is smooth, but there the equations do not say how it goes on. So:
//   a(0) = (4 a(e) + 4 a(-e) - a(2 e) - a(-2 e)) / 6 + O(e^4)
// along any smooth path of consistent states through this one; ours is q + e v, projected.     [docs/theory/01,
// eq. 1.32] False where there is no such path: at rest, at the end of the mechanism's reach, or if the rank stays low
// along it.
template <class G>
bool BasicAbsoluteSystem<G>::accelerationsAcross(double t, std::span<const double> x, Work& work) const {
  const auto v = velocitiesOf(x);
  double rate = 0.0;
  for (std::size_t u = 0; u < v.size(); ++u) {
    const bool turn = u % G::kFreedoms >= G::kDimension;
    rate = std::max(rate, std::abs(v[u]) / (turn ? 1.0 : length_));
  }
  if (!(rate > 0.0) || !std::isfinite(kAcross / rate)) return false;
  const long solves = work.projection_solves;
  const int dropped_here = work.factored.dropped_rows;
  std::fill(work.across.begin(), work.across.end(), 0.0);
  double power = 0.0;
  bool good = true;
  for (const int step : {1, -1, 2, -2}) {
    const double e = step * kAcross / rate;
    // Without drives the joints do not know the time, and a load that changes fast is not smeared.
    const double when = mechanism_.drives.empty() ? t : t + e;
    std::copy(x.begin(), x.end(), work.beside.begin());
    const auto q = std::span(work.beside).first(at(equations_.coordinates()));
    const auto rates = std::span(work.beside).subspan(q.size(), v.size());
    for (std::size_t u = 0; u < v.size(); ++u) work.f[u] = e * v[u];
    for (int b = 0; b < equations_.bodies(); ++b) {
      retract(G{}, q.subspan(at(G::kCoordinates * b), at(G::kCoordinates)),
              std::span<const double>(work.f).subspan(at(G::kFreedoms * b), at(G::kFreedoms)));
    }
    bool moved = false;
    good = projectPositions(when, q, work, moved) == Eval::ok &&
           projectVelocities(when, rates, work, moved) == Eval::ok &&
           accelerationsHere(when, work.beside, work) == Eval::ok && !nearRankChange(work) &&
           work.factored.dropped_rows <= dropped_here;
    if (!good) break;
    const double weight = (step == 1 || step == -1 ? 4.0 : -1.0) / 6.0;
    for (std::size_t u = 0; u < work.across.size(); ++u) work.across[u] += weight * work.acceleration[u];
    power += weight * work.power;
  }
  work.projection_solves = solves;
  const Eval here = accelerationsHere(t, x, work);
  if (!good) return false;
  (void)here;  // a dropped row that does not hold by itself is no contradiction here: the path shows that all hold
  work.failure = Work::Failure::none;
  work.acceleration = work.across;
  work.power = power;
  return true;
}

template <class G>
Eval BasicAbsoluteSystem<G>::accelerations(double t, std::span<const double> x, Work& work) const {
  const Eval eval = accelerationsHere(t, x, work);
  const bool evaluated = eval == Eval::ok || work.failure == Work::Failure::contradiction;
  if (!evaluated || options_.stabilisation != Stabilisation::projection || !nearRankChange(work)) return eval;
  return accelerationsAcross(t, x, work) ? Eval::ok : eval;
}

// A dropped row must hold by itself, up to what the drift explains; if not, the constraints contradict each other.
template <class G>
Eval BasicAbsoluteSystem<G>::checkDroppedRows(double t, Work& work) const {
  const auto& start = equations_.rowStart();
  const auto& bodies = equations_.rowBodies();
  // A row left out just below the cut lags by 1e-5 of its length, times accelerations of up to a hundred times its own
  // terms.
  const double allowed = 1e-3 + 1e3 * drift(work);
  for (int r = 0; r < equations_.rows(); ++r) {
    if (!work.kkt.rowDropped(r)) continue;
    double rest = work.eq.gamma[at(r)];
    double size = std::abs(rest) + length_ / row_length_[at(r)];  // of the order of 1 m/s^2 or more is worth a word
    for (int p = start[at(r)]; p < start[at(r) + 1]; ++p) {
      for (int k = 0; k < G::kFreedoms; ++k) {
        const double term =
            work.eq.jacobian[at(G::kFreedoms * p + k)] * work.acceleration[at(G::kFreedoms * bodies[at(p)] + k)];
        rest -= term;
        size = std::max(size, std::abs(term));
      }
    }
    if (std::abs(rest) > allowed * size && options_.stabilisation != Stabilisation::baumgarte) {
      noteFighting(r, work);
      return work.fail(Work::Failure::contradiction, t, r, Eval::retry);
    }
  }
  return Eval::ok;
}

// Which drives and joints have a part in the dependence of a dropped row.
template <class G>
void BasicAbsoluteSystem<G>::noteFighting(int row, Work& work) const {
  const auto& set = equations_.elements();
  work.kkt.dependence(row, work.g);
  const auto partOf = [&](const RowGroup& group) {
    double part = 0.0;
    for (int r = group.first_row; r < group.first_row + group.rows; ++r) {
      part = std::max(part, std::abs(work.g[at(r)]) / row_length_[at(r)]);
    }
    return part;
  };
  double largest = 0.0;
  for (const RowGroup& group : set.groups) largest = std::max(largest, partOf(group));
  work.fighting.fill(-1);
  std::size_t count = 0;
  for (const bool drives : {true, false}) {
    for (std::size_t g = 0; g < set.groups.size() && count < work.fighting.size(); ++g) {
      if (set.groups[g].is_drive == drives && partOf(set.groups[g]) > kTakesPart * largest)
        work.fighting[count++] = static_cast<int>(g);
    }
  }
}

template <class G>
Eval BasicAbsoluteSystem<G>::derivative(double t, std::span<const double> x, Workspace& workspace,
                                        std::span<double> xdot) const {
  Work& work = static_cast<Work&>(workspace);
  const Eval eval = accelerations(t, x, work);
  if (eval != Eval::ok) return eval;
  const auto q = positionsOf(x);
  const auto v = velocitiesOf(x);
  for (int b = 0; b < equations_.bodies(); ++b) {
    G::coordinateRate(q.subspan(at(G::kCoordinates * b), at(G::kCoordinates)),
                      v.subspan(at(G::kFreedoms * b), at(G::kFreedoms)),
                      xdot.subspan(at(G::kCoordinates * b), at(G::kCoordinates)));
  }
  std::copy(work.acceleration.begin(), work.acceleration.end(), xdot.begin() + static_cast<std::ptrdiff_t>(q.size()));
  xdot[q.size() + v.size()] = work.power;
  for (int k = 0; k < equations_.turns(); ++k) xdot[q.size() + v.size() + 1 + at(k)] = equations_.turnRate(k, work.eq);
  return Eval::ok;
}

// q <- q - M^-1 P^T (P M^-1 P^T)^-1 Phi, repeated until Phi is at round-off. Rows near dependence would turn the
// round-off of Phi into motion: they come in only where the others do not suffice.
template <class G>
Eval BasicAbsoluteSystem<G>::projectPositions(double t, std::span<double> q, Work& work, bool& moved) const {
  double last = std::numeric_limits<double>::infinity();
  double cut = kNearDependentRow;
  for (int sweep = 0; sweep < kProjectionSweeps; ++sweep) {
    equations_.positions(t, q, work.eq);
    double largest = length_;
    for (int u = 0; u < static_cast<int>(q.size()); ++u) {
      const bool turn = u % G::kCoordinates >= G::kDimension;
      largest = std::max(largest, std::abs(q[at(u)]) * (turn ? length_ : 1.0));
    }
    if (!std::isfinite(drift(work))) return work.failNotFinite(t);
    if (!factor(t, work, cut)) return Eval::failed;
    const double off = enforcedDrift(work) * length_;
    const bool settled = off <= kProjectionRoundoff * largest;
    if (!settled && cut > kDependentRow && off > 0.5 * last && nearRankChange(work)) {
      cut = kDependentRow;
      last = std::numeric_limits<double>::infinity();
      if (!factor(t, work, cut)) return Eval::failed;
    }
    const bool stalled = off > 0.5 * last && off <= 1e4 * kProjectionRoundoff * largest;
    if (settled || stalled) return Eval::ok;
    if (off > 4.0 * last) break;
    last = off;
    std::fill(work.f.begin(), work.f.end(), 0.0);
    for (std::size_t r = 0; r < work.g.size(); ++r) work.g[r] = -work.eq.phi[r];
    work.kkt.solve(work.f, work.g);
    ++work.projection_solves;
    for (int b = 0; b < equations_.bodies(); ++b) {
      retract(G{}, q.subspan(at(G::kCoordinates * b), at(G::kCoordinates)),
              std::span<const double>(work.f).subspan(at(G::kFreedoms * b), at(G::kFreedoms)));
    }
    moved = true;
  }
  const auto worst = std::max_element(work.eq.phi.begin(), work.eq.phi.end(),
                                      [](double a, double b) { return std::abs(a) < std::abs(b); });
  return work.fail(Work::Failure::projection, t, static_cast<int>(worst - work.eq.phi.begin()), Eval::retry);
}

// v <- v - M^-1 P^T (P M^-1 P^T)^-1 (P v + Phi_t) with the factor that projectPositions left; and again with all rows
// where one near dependence was left out and misses by more than round-off, which the distance from dependence has
// lifted.
template <class G>
Eval BasicAbsoluteSystem<G>::projectVelocities(double t, std::span<double> v, Work& work, bool& moved) const {
  equations_.velocities(v, work.eq);
  for (int sweep = 0; sweep < 2; ++sweep) {
    velocityResidual(v, work);
    const double largest = normInf(v);
    const double off = normInf(work.velocity_residual);
    if (!std::isfinite(largest) || !std::isfinite(off)) return work.failNotFinite(t);
    if (off <= kProjectionRoundoff * largest) return Eval::ok;
    if (sweep > 0) {
      const double nearest = std::max(work.factored.largest_dropped, kDependentRow);
      if (off * std::sqrt(nearest) <= kProjectionRoundoff * largest) return Eval::ok;
      if (!factor(t, work)) return Eval::failed;
    }
    std::fill(work.f.begin(), work.f.end(), 0.0);
    for (std::size_t r = 0; r < work.g.size(); ++r) work.g[r] = -work.velocity_residual[r];
    work.kkt.solve(work.f, work.g);
    ++work.projection_solves;
    for (std::size_t u = 0; u < v.size(); ++u) v[u] += work.f[u];
    moved = true;
    if (!nearRankChange(work)) return Eval::ok;
  }
  return Eval::ok;
}

template <class G>
AfterStep BasicAbsoluteSystem<G>::afterStep(double t, std::span<double> x, Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  work.failure = Work::Failure::none;
  const auto q = x.first(at(equations_.coordinates()));
  AfterStep out;
  for (int b = 0; b < equations_.bodies(); ++b) {
    const bool off = normalise(G{}, q.subspan(at(G::kCoordinates * b), at(G::kCoordinates)));
    out.changed = out.changed || off;
  }
  setTurns(x, work);
  if (options_.stabilisation == Stabilisation::projection && equations_.rows() > 0) {
    out.eval = projectPositions(t, q, work, out.changed);
    if (out.eval == Eval::ok) {
      out.eval = projectVelocities(t, x.subspan(q.size(), at(equations_.freedoms())), work, out.changed);
    }
  }
  // The references may not fall behind; nothing but the count of turns depends on them.
  if (equations_.turns() > 0 && out.eval == Eval::ok) {
    equations_.positions(t, q, work.eq);
    equations_.followTurns(work.eq);
    std::copy(work.eq.turns.begin(), work.eq.turns.end(), x.end() - equations_.turns());
  }
  return out;
}

template <class G>
int BasicAbsoluteSystem<G>::eventCount() const {
  return static_cast<int>(events_.tape.outputCount()) + spring_switches_;
}

template <class G>
Eval BasicAbsoluteSystem<G>::eventValues(double t, std::span<const double> x, Workspace& workspace,
                                         std::span<double> values) const {
  Work& work = static_cast<Work&>(workspace);
  setTurns(x, work);
  equations_.positions(t, positionsOf(x), work.eq);
  equations_.velocities(velocitiesOf(x), work.eq);
  events_.evaluate(t, work.eq.x, work.eq.v, work.eq.turns, work.events);
  auto next = std::copy(work.events.outputs.begin(), work.events.outputs.end(), values.begin());
  for (const auto& placed : equations_.elements().springs) {
    if (placed.element.switches() == 0) continue;
    const auto state = placed.element.state({work.eq.x[at(placed.i)], work.eq.x[at(placed.j)]},
                                            {work.eq.v[at(placed.i)], work.eq.v[at(placed.j)]});
    *next++ = state.elastic;
    if (placed.element.switches() > 1) *next++ = state.elastic + state.viscous;
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (std::isfinite(values[k])) continue;
    if (k < mechanism_.events.size())
      return work.fail(Work::Failure::event_not_finite, t, static_cast<int>(k), Eval::retry);
    values[k] = 1.0;  // what is no number has no corner; the load itself says what is wrong
  }
  return Eval::ok;
}

template <class G>
std::string BasicAbsoluteSystem<G>::describeFailure(const Workspace& workspace) const {
  const Work& work = static_cast<const Work&>(workspace);
  const auto& set = equations_.elements();
  const auto groupOf = [&](int row) -> const RowGroup& { return set.groups[at(set.row_info[at(row)].group)]; };
  const auto kindOf = [](const RowGroup& group) { return group.is_drive ? "drive" : "joint"; };
  switch (work.failure) {
    case Work::Failure::load_not_finite: return absolute::loadNotFinite(set, work.failure_index, work.failure_time);
    case Work::Failure::motion_not_finite:
      return absolute::motionNotFinite(mechanism_, work.failure_index, work.failure_time);
    case Work::Failure::event_not_finite:
      return fmt::format("event \"{}\" is not a number at t = {:.6g} s; check its expression there",
                         mechanism_.events[at(work.failure_index)].name, work.failure_time);
    case Work::Failure::massless_body:
      return fmt::format(
          "body \"{}\" has no inertia in a direction that its joints leave free ({}); give it a mass and an inertia, "
          "or "
          "hold it",
          mechanism_.bodies[at(work.failure_index)].name,
          freeDirection(work.eq.x[at(work.failure_index)], work.free_motion));
    case Work::Failure::left_curve: return absolute::leftCurve(set, work.failure_index, work.failure_time);
    case Work::Failure::contradiction: {
      std::vector<std::string> names;
      for (const int g : work.fighting) {
        if (g >= 0) names.push_back(fmt::format("{} \"{}\"", kindOf(set.groups[at(g)]), set.groups[at(g)].name));
      }
      const std::string first = names.front();
      names.erase(names.begin());
      return fmt::format(
          "{} cannot be satisfied together with {} in this pose: a dead point, the end of the mechanism's reach, or a "
          "drive that asks for what the joints forbid",
          first, names.empty() ? "itself" : fmt::format("{}", fmt::join(names, ", ")));
    }
    case Work::Failure::projection: {
      const RowGroup& group = groupOf(work.failure_index);
      return fmt::format(
          "{} \"{}\" could not be closed again after the step (off by {:.3g}); the mechanism is at the end of its "
          "reach or at a dead point",
          kindOf(group), group.name, std::abs(work.eq.phi[at(work.failure_index)]));
    }
    case Work::Failure::state_not_finite:
    case Work::Failure::none: break;
  }
  const RankReport report = rank(work);
  if (report.smallest_kept < 1e-6) {
    return fmt::format(
        "the mechanism is at a dead point: {} hardly differs from the other constraints any more (relative pivot "
        "{:.1g})",
        report.nearest_row, report.smallest_kept);
  }
  return work.failure == Work::Failure::none ? "the equations could not be evaluated"
                                             : "the motion runs away to infinity";
}

template <class G>
Violation BasicAbsoluteSystem<G>::violation(double t, std::span<const double> x, Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  setTurns(x, work);
  equations_.positions(t, positionsOf(x), work.eq);
  equations_.velocities(velocitiesOf(x), work.eq);
  velocityResidual(velocitiesOf(x), work);
  return {norm2(work.eq.phi), norm2(work.velocity_residual), 0.0};
}

template <class G>
RankReport BasicAbsoluteSystem<G>::rank(const Workspace& workspace) const {
  const Work& work = static_cast<const Work&>(workspace);
  RankReport out;
  out.rows = equations_.rows();
  out.rank = out.rows - work.factored.dropped_rows;
  out.smallest_kept = work.factored.smallest_kept;
  out.largest_dropped = work.factored.largest_dropped;
  const auto& info = equations_.elements().row_info;
  for (int r = 0; r < out.rows; ++r) {
    if (work.kkt.rowDropped(r)) {
      out.dependent_rows.push_back(info[at(r)].name);
    } else if (work.kkt.relativePivot(r) <= out.smallest_kept) {
      out.nearest_row = info[at(r)].name;
    }
  }
  return out;
}

template <class G>
std::vector<int> BasicAbsoluteSystem<G>::dependentRows(const Workspace& workspace) const {
  const Work& work = static_cast<const Work&>(workspace);
  std::vector<int> rows;
  for (int r = 0; r < equations_.rows(); ++r) {
    if (work.kkt.rowDropped(r)) rows.push_back(r);
  }
  return rows;
}

template <class G>
long BasicAbsoluteSystem<G>::projectionSolves(const Workspace& work) const {
  return static_cast<const Work&>(work).projection_solves;
}
template <class G>
double BasicAbsoluteSystem<G>::worstResidual(const Workspace& work) const {
  return static_cast<const Work&>(work).worst_residual;
}

template <class G>
double BasicAbsoluteSystem<G>::smallestPivot(const Workspace& work) const {
  return static_cast<const Work&>(work).factored.smallest_kept;
}

template <class G>
int BasicAbsoluteSystem<G>::degreesOfFreedom(const Workspace& work) const {
  return equations_.freedoms() - equations_.rows() + static_cast<const Work&>(work).factored.dropped_rows;
}

template KktStructure kktStructure(const PlanarEquations&);
template KktStructure kktStructure(const SpatialEquations&);
template void fillMass(const PlanarEquations&, std::span<double>);
template void fillMass(const SpatialEquations&, std::span<double>);
template class BasicAbsoluteSystem<Planar<double>>;
template class BasicAbsoluteSystem<Spatial<double>>;

}  // namespace linkwork
