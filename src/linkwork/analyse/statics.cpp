#include "linkwork/analyse/statics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "linkwork/analyse/rest_solver.hpp"
#include "linkwork/base/contract.hpp"
#include "linkwork/base/index.hpp"
#include "linkwork/elements/velocity_rows.hpp"
#include "linkwork/model/walk.hpp"

namespace linkwork {

namespace {

// Poses closer than this share of the length, and of a radian, are one; Newton's method leaves them far closer.
constexpr double kSameRest = 1e-6;

bool samePlace(const Mechanism& mechanism, const Equilibrium& a, const Equilibrium& b, double length) {
  const bool spatial = mechanism.space == Space::spatial;
  const std::size_t own = spatial ? 7 : 3;
  for (std::size_t k = 0; k < mechanism.bodies.size(); ++k) {
    const double* p = &a.q[own * k];
    const double* r = &b.q[own * k];
    double far = std::hypot(p[0] - r[0], p[1] - r[1]);
    double turn = 0.0;
    if (spatial) {
      far = std::hypot(far, p[2] - r[2]);
      turn = 1.0 - std::abs(p[3] * r[3] + p[4] * r[4] + p[5] * r[5] + p[6] * r[6]);
      turn = std::sqrt(std::max(0.0, 2.0 * turn));
    } else {
      turn = std::abs(std::remainder(p[2] - r[2], 2.0 * std::numbers::pi));
    }
    if (far > kSameRest * length || turn > kSameRest) return false;
  }
  return true;
}

// One of a continuum of poses, as a body that may turn freely has them, is as good as another.
bool sameFamily(const Equilibrium& a, const Equilibrium& b, double energy) {
  if (a.neutral_directions == 0 || a.neutral_directions != b.neutral_directions) return false;
  if (a.unstable_directions != b.unstable_directions || std::abs(a.potential - b.potential) > energy) return false;
  const double most = std::max(std::abs(a.stiffness.front()), std::abs(a.stiffness.back()));
  for (std::size_t k = 0; k < a.stiffness.size(); ++k) {
    if (std::abs(a.stiffness[k] - b.stiffness[k]) > kSameRest * most) return false;
  }
  return true;
}

void merge(const Mechanism& mechanism, double length, double force, Equilibrium next, std::vector<Equilibrium>& found) {
  const double energy = kSameRest * force * length;
  for (Equilibrium& known : found) {
    const bool same = samePlace(mechanism, known, next, length) && std::abs(known.potential - next.potential) <= energy;
    if (!same && !sameFamily(known, next, energy)) continue;
    ++known.hits;
    return;
  }
  found.push_back(std::move(next));
}

}  // namespace

std::string StaticsOptions::problem() const {
  if (!std::isfinite(t)) return "the time must be a number.";
  if (starts < 0 || starts > 100000) {
    return fmt::format("the number of random starts must be between 0 and 100000, it is {}.", starts);
  }
  return {};
}

std::string_view wordFor(Stability stability) {
  switch (stability) {
    case Stability::stable: return "stable";
    case Stability::neutral: return "neutral";
    case Stability::unstable: break;
  }
  return "unstable";
}

std::vector<double> Equilibrium::state() const {
  std::vector<double> x = q;
  x.resize(x.size() + at(velocities) + 1, 0.0);
  x.insert(x.end(), turns.begin(), turns.end());
  return x;
}

Mechanism heldAt(const Mechanism& mechanism, double t) {
  Mechanism out = mechanism;
  const std::map<std::string, Expr> now{{"t", Expr(t)}};
  std::map<std::string, double> values{{"t", t}};
  for (const Parameter& parameter : mechanism.parameters) values[parameter.name] = parameter.value.number;
  for (Drive& drive : out.drives) drive.motion = Expr(evaluate(drive.motion, values));
  for (Joint& joint : out.joints) substituteIn(joint, now);
  return out;
}

namespace {

// What holds velocities alone carries forces at rest and keeps the mechanism from no pose: it can rest in a whole range
// of poses, and where depends on the way it came.
std::string restProblem(const Mechanism& mechanism) {
  const std::string holder = holderOfVelocitiesAlone(mechanism);
  if (holder.empty()) return {};
  return holder +
         " holds velocities alone, and where such a mechanism rests depends on the way it came; simulate it with "
         "dampers until it stands still";
}

}  // namespace

Equilibrium findEquilibrium(const Mechanism& mechanism, const Assembly& start, const StaticsOptions& options) {
  expect(start.ok, "findEquilibrium: the mechanism is not assembled");
  expect(options.problem().empty(), options.problem());
  Equilibrium none;
  none.problem = restProblem(mechanism);
  if (!none.problem.empty()) return none;
  RestSolver solver(mechanism, start, options.t);
  Equilibrium out = solver.fromDrawing();
  out.drawn = true;
  return out;
}

Equilibria findEquilibria(const Mechanism& mechanism, const Assembly& start, const StaticsOptions& options) {
  expect(start.ok, "findEquilibria: the mechanism is not assembled");
  expect(options.problem().empty(), options.problem());
  Equilibria out;
  out.problem = restProblem(mechanism);
  if (!out.problem.empty()) {
    out.starts = out.failed = 1;
    return out;
  }
  RestSolver solver(mechanism, start, options.t);
  Equilibrium first = solver.fromDrawing();
  out.starts = 1;
  if (first.ok) {
    first.drawn = true;
    out.found.push_back(std::move(first));
  } else {
    out.problem = first.problem;
    ++out.failed;
  }
  if (solver.freedoms() > 0) {
    for (int k = 0; k < options.starts; ++k) {
      ++out.starts;
      Equilibrium next = solver.fromRandom(options.seed + static_cast<unsigned>(k));
      if (next.ok) {
        merge(mechanism, solver.length(), solver.forceScale(), std::move(next), out.found);
      } else {
        ++out.failed;
      }
    }
  }
  const auto others = out.found.begin() + (!out.found.empty() && out.found.front().drawn ? 1 : 0);
  std::stable_sort(others, out.found.end(),
                   [](const Equilibrium& a, const Equilibrium& b) { return a.potential < b.potential; });
  return out;
}

bool observeAtRest(const Mechanism& mechanism, const Assembly& start, const Equilibrium& equilibrium, double t,
                   Observation& seen, std::string& problem) {
  // At rest inertia does nothing; where there is none, some makes the equations of motion solvable.
  Mechanism held = heldAt(mechanism, t);
  for (Body& body : held.bodies) {
    if (body.tensor) {
      for (Value* own : {&body.tensor->xx, &body.tensor->yy, &body.tensor->zz}) {
        if (own->number == 0.0) *own = Value(1.0);
      }
    }
    if (body.inertia.number == 0.0) body.inertia = Value(1.0);
  }
  const auto system = makeSystem(held, startingFrom(start));
  const auto work = system->makeWorkspace();
  if (system->observe(t, equilibrium.state(), system->startModes(), *work, seen) == Eval::ok) return true;
  problem = system->describeFailure(*work);
  return false;
}

}  // namespace linkwork
