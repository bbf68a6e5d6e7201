#include "linkwork/analyse/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linkwork/analyse/assemble_messages.hpp"
#include "linkwork/analyse/assembling.hpp"
#include "linkwork/analyse/deflected_start.hpp"
#include "linkwork/analyse/named_angles.hpp"
#include "linkwork/analyse/places.hpp"
#include "linkwork/model/compliance.hpp"
#include "linkwork/model/rigid_links.hpp"

namespace linkwork {

namespace {

template <class G>
class Assembler {
 public:
  // `near`: a start of the same bodies to begin from in place of the drawing.
  Assembler(const Mechanism& mechanism, double t, const Assembly* near = nullptr)
      : parts_{mechanism, t, {}, {}}, near_(near) {}

  // Of springs in the place of joints: what is known once these have given way.
  Assembly goOn(Assembly found) {
    out() = std::move(found);
    out().dependent_rows.clear();
    parts_.loose.clear();
    drawn_ = drawnCoordinates();
    out().ok = findRank();
    return std::move(out());
  }

  Assembly run() {
    drawn_ = drawnCoordinates();
    out().q = near_ != nullptr ? near_->q : drawn_;
    if (near_ != nullptr) parts_.near_v = near_->v;
    out().ok = closeLoops(parts_) && reachGiven(parts_) && meetWishes(parts_) && findVelocities(parts_) && findRank();
    return std::move(out());
  }

 private:
  std::vector<double> drawnCoordinates() const {
    std::vector<double> drawn;
    for (const Body& body : parts_.mechanism.bodies) {
      const std::vector<double> own = coordinatesOf(parts_.mechanism, body, body.drawn);
      drawn.insert(drawn.end(), own.begin(), own.end());
    }
    return drawn;
  }

  Assembly& out() { return parts_.out; }

  bool findRank() {
    noteMoves();
    out().reaction_length =
        parts_.mechanism.run.number("reaction_length").value_or(referenceLength(parts_.mechanism, out().q));
    AbsoluteOptions options;
    options.stabilisation = Stabilisation::none;
    options.misfit = out().misfit;
    // Every row is in doubt where the rank is decided; where some do not fit, they are known already.
    options.doubtful_rows = parts_.loose;
    if (parts_.loose.empty()) {
      options.doubtful_rows.resize(at(AbsoluteEquations<G>(parts_.mechanism).rows()));
      std::iota(options.doubtful_rows.begin(), options.doubtful_rows.end(), 0);
    }
    const BasicAbsoluteSystem<G> system(parts_.mechanism, options);
    const auto work = system.makeWorkspace();
    std::vector<double> xdot(at(system.space().size()));
    const std::vector<double> x = out().state();
    const Violation violation = system.violation(parts_.t, x, system.startModes(), *work);
    out().position_residual = violation.position;
    out().velocity_residual = violation.velocity;
    if (system.derivative(parts_.t, x, system.startModes(), *work, xdot) != Eval::ok) {
      out().problem = "no accelerations at the start: " + system.describeFailure(*work);
      for (const LostAngles& lost : lostAngles(parts_.mechanism, out().q)) {
        out().problem += "; " + lost.what;
        out().hint = lost.hint;
      }
      return false;
    }
    warnOfLostAngles(parts_.mechanism, out());
    out().dependent_rows = system.dependentRows(parts_.t, x, *work);
    out().velocity_rank = system.equations().velocityRows();
    for (const int r : out().dependent_rows) {
      if (system.equations().level(r) == RowLevel::velocity) --out().velocity_rank;
    }
    return true;
  }

  // How far a body is from where it was drawn.
  void noteMoves() {
    for (std::size_t b = 0; b * G::kCoordinates < drawn_.size(); ++b) {
      const double* from = &drawn_[b * G::kCoordinates];
      const double* to = &out().q[b * G::kCoordinates];
      if constexpr (G::kSpatial) {
        out().moved = std::max(out().moved, std::hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]));
        const double c = std::abs(from[3] * to[3] + from[4] * to[4] + from[5] * to[5] + from[6] * to[6]);
        out().turned = std::max(out().turned, 2.0 * std::acos(std::min(1.0, c)));
      } else {
        out().moved = std::max(out().moved, std::hypot(to[0] - from[0], to[1] - from[1]));
        out().turned = std::max(out().turned, std::abs(to[2] - from[2]));
      }
    }
  }

  Assembling<G> parts_;
  const Assembly* near_;
  std::vector<double> drawn_;
};

template <class G>
Assembly assembled(const Mechanism& mechanism, double t) {
  if (mechanism.links.empty()) return Assembler<G>(mechanism, t).run();
  // Flexible links start as rigid ones where the rest lets them.
  const Mechanism rigid = withRigidLinks(mechanism);
  const Assembly start = Assembler<G>(rigid, t).run();
  return start.ok ? Assembler<G>(mechanism, t, &start).run() : Assembler<G>(mechanism, t).run();
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
  options.start = assembly.state();
  options.misfit = assembly.misfit;
  if (options.reaction_length == 0.0) options.reaction_length = assembly.reaction_length;
  return options;
}

namespace {

// Where constraints repeat each other, springs in their place decide who carries what.
void noteSharedLoads(const Mechanism& mechanism, Assembly& closed) {
  if (closed.dependent_rows.empty()) return;
  const auto soft = std::find_if(mechanism.joints.begin(), mechanism.joints.end(),
                                 [](const Joint& joint) { return joint.compliance.has_value(); });
  closed.warnings.push_back(
      {soft->compliance->source,
       fmt::format("joints of this mechanism repeat each other ({} {}): how they share their loads follows from the "
                   "stiffness of their springs, \"{}\" among them",
                   closed.dependent_rows.size(), closed.dependent_rows.size() == 1 ? "equation" : "equations",
                   soft->name),
       "Are the stiffnesses those of the real joints, at least in proportion?"});
}

template <class G>
Assembly assembleIn(const Mechanism& mechanism, double t) {
  if (!hasCompliance(mechanism)) return assembled<G>(mechanism, t);
  const Mechanism hard = withHardJoints(mechanism);
  Assembly closed = assembled<G>(hard, t);
  if (!closed.ok) return closed;
  noteSharedLoads(mechanism, closed);
  closed.misfit = 0.0;  // of rows that are springs here; what is left of it shows in those that are not
  deflectStart(mechanism, hard, t, closed);
  return Assembler<G>(mechanism, t).goOn(std::move(closed));
}

}  // namespace

Assembly assemble(const Mechanism& mechanism, double t) {
  return mechanism.space == Space::spatial ? assembleIn<Spatial<double>>(mechanism, t)
                                           : assembleIn<Planar<double>>(mechanism, t);
}

}  // namespace linkwork
