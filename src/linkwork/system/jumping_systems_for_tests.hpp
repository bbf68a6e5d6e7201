// A point over a floor, for tests of events that change the motion: it bounces, or lands and slides, and may be lifted
// off again. Its mass is 1 kg, so that velocities are impulses and one state x = [x, y, v_x, v_y, work] serves all
// forms of the equations.
//
//   flight:  v' = (0, -g + a t)                          a t: a force that lifts
//   floor:   v' = (-c v_x, -g + a t + lambda),  y = 0    c: damping along the floor; the row acts in this mode alone
//   work' =  what damping and lift do;  v^2/2 + g y - work stays what it was, through jumps too
//
// Events: y falls to zero in flight; the floor's force lambda = g - a t falls to zero on the floor. In flight zero
// counts as above the floor, so that a point put back to y = 0 is on the side that it came from.
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linkwork/system/canonical_system.hpp"
#include "linkwork/system/mechanical_dae.hpp"
#include "linkwork/system/plain_ode_system.hpp"

namespace linkwork::testing_systems {

struct Floor {
  double gravity = 9.81;
  double restitution = 0.0;
  double rest_speed = 0.0;  // a rebound that is not faster ends on the floor
  double damping = 0.0;     // 1/s
  double lift = 0.0;        // N/s
};

inline constexpr std::size_t kLanded = 0;  // the flag of its modes

inline bool landed(const Modes& modes) { return modes.flags[kLanded] != 0; }

// The equations that all forms share.
struct PointOverFloor {
  Floor floor;

  static constexpr StateSpace space() { return {2, 2, 1}; }
  double push(double t) const { return floor.lift * t - floor.gravity; }
  double drag(const Modes& modes) const { return landed(modes) ? floor.damping : 0.0; }
  double lambda(double t, const Modes& modes) const { return landed(modes) ? -push(t) : 0.0; }
  double power(double t, std::span<const double> x, const Modes& modes) const {
    return -drag(modes) * x[2] * x[2] + floor.lift * t * x[3];
  }
  double energy(std::span<const double> x) const {
    return 0.5 * (x[2] * x[2] + x[3] * x[3]) + floor.gravity * x[1] - x[4];
  }
};

class FloorMechanical final : public MechanicalSystem {
 public:
  explicit FloorMechanical(const PointOverFloor& point) : point_(point), mass_(2, 2) { mass_.setIdentity(); }

  StateSpace space() const override { return PointOverFloor::space(); }
  int rows() const override { return 1; }
  std::span<const MechanicalRow> laws() const override { return {}; }
  const SparseMatrix* constantMass() const override { return &mass_; }
  bool solveMass(std::span<double>, Workspace&) const override { return false; }
  double typicalMass() const override { return mass_.diagonal().maxCoeff(); }
  std::unique_ptr<Workspace> makeWorkspace() const override { return std::make_unique<Work>(); }

  Eval values(double t, std::span<const double> x, const Modes& modes, Workspace& work,
              MechanicalValues& out) const override {
    auto& own = static_cast<Work&>(work);
    own.power = point_.power(t, x, modes);
    const bool acts = landed(modes);
    out.force = Eigen::Vector2d(-point_.drag(modes) * x[2], point_.push(t));
    out.phi = Eigen::VectorXd::Constant(1, acts ? x[1] : 0.0);
    out.phi_velocity = Eigen::VectorXd::Constant(1, acts ? x[3] : 0.0);
    if (out.phi_q.nonZeros() == 0) {
      out.phi_q.resize(1, 2);
      out.phi_q.insert(0, 1) = 0.0;
      out.phi_q.makeCompressed();
    }
    out.phi_q.valuePtr()[0] = acts ? 1.0 : 0.0;
    out.idle.assign(1, acts ? 0 : 1);
    return Eval::ok;
  }
  Eval tangent(double, std::span<const double>, std::span<const double>, std::span<const double>, const Modes& modes,
               Workspace&, MechanicalTangent& out) const override {
    out.K.resize(2, 2);
    if (out.C.nonZeros() == 0) {
      out.C.resize(2, 2);
      out.C.insert(0, 0) = 0.0;
      out.C.makeCompressed();
    }
    out.C.valuePtr()[0] = point_.drag(modes);
    return Eval::ok;
  }
  void quadratureRates(std::span<const double>, Workspace& work, std::span<double> wdot) const override {
    wdot[0] = static_cast<const Work&>(work).power;
  }
  void positionRates(std::span<const double>, std::span<const double> v, std::span<double> qdot) const override {
    std::copy(v.begin(), v.end(), qdot.begin());
  }
  void chart(std::span<const double>, std::span<const double>, PositionChart& out) const override {
    out.T = out.S = mass_;
    out.rates_by_q.resize(2, 2);
  }
  void retract(std::span<const double> q, std::span<const double> d, std::span<double> q_new) const override {
    for (std::size_t k = 0; k < 2; ++k) q_new[k] = q[k] + d[k];
  }
  void difference(std::span<const double> from, std::span<const double> to, std::span<double> d) const override {
    for (std::size_t k = 0; k < 2; ++k) d[k] = to[k] - from[k];
  }
  RowLevel level(int) const override { return RowLevel::position; }
  std::string rowName(int) const override { return "floor"; }
  std::string describeFailure(const Workspace&) const override { return "the point could not be evaluated"; }

 private:
  struct Work final : Workspace {
    double power = 0.0;  // of the state of the last values()
  };
  PointOverFloor point_;
  SparseMatrix mass_;
};

class FloorCanonical final : public CanonicalSystem {
 public:
  // rows: none for a point that never lands, so that methods for trees take it.
  FloorCanonical(const PointOverFloor& point, const OdeSystem& ode, int rows) : point_(point), ode_(ode), rows_(rows) {}

  StateSpace space() const override { return PointOverFloor::space(); }
  int rows() const override { return rows_; }
  std::span<const Ball> balls() const override { return {}; }
  std::string obstacle() const override { return {}; }
  std::unique_ptr<Workspace> makeWorkspace() const override { return std::make_unique<Work>(); }

  Eval place(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override {
    auto& own = static_cast<Work&>(work);
    own.acts = landed(modes);
    own.t = t;
    own.drag = point_.drag(modes);
    own.phi.assign(static_cast<std::size_t>(rows_), own.acts ? x[1] : 0.0);
    return Eval::ok;
  }
  std::span<const double> phi(const Workspace& work) const override { return static_cast<const Work&>(work).phi; }
  Eval factorRows(double, Pose, Workspace&) const override { return Eval::ok; }
  void velocities(std::span<const double> p, Workspace& work, std::span<double> u) const override {
    std::copy(p.begin(), p.end(), u.begin());
    std::copy(p.begin(), p.end(), static_cast<Work&>(work).u);
  }
  Eval rates(double t, Workspace& work, std::span<double> r, double& power) const override {
    const auto& own = static_cast<const Work&>(work);
    r[0] = -own.drag * own.u[0];
    r[1] = point_.push(t);
    power = -own.drag * own.u[0] * own.u[0] + point_.floor.lift * t * own.u[1];
    return Eval::ok;
  }
  void velocityMiss(Workspace& work, std::span<double> miss) const override {
    const auto& own = static_cast<const Work&>(work);
    for (double& entry : miss) entry = own.acts ? own.u[1] : 0.0;
  }
  void solveRows(std::span<double> rest, const Workspace& work) const override {
    for (double& entry : rest) entry = static_cast<const Work&>(work).acts ? entry : 0.0;
  }
  double push(std::span<const double> mu, Workspace&, std::span<double> p) const override {
    for (const double own : mu) p[1] += own;
    return 0.0;
  }
  Evaluation slope(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                   std::span<double> xdot) const override {
    return ode_.derivative(t, x, modes, work, xdot);
  }
  void followTurns(Workspace&, std::span<double>) const override {}
  std::string describeFailure(const Workspace&) const override { return "the point could not be evaluated"; }

 private:
  struct Work final : Workspace {
    bool acts = false;
    double t = 0.0, drag = 0.0;
    double u[2] = {0.0, 0.0};
    std::vector<double> phi;
  };
  PointOverFloor point_;
  const OdeSystem& ode_;
  int rows_;
};

enum class FloorForm { ode, index3, ggl, canonical };

class FloorPoint final : public PlainOdeSystem {
 public:
  FloorPoint(const Floor& floor, FloorForm form)
      : point_{floor},
        form_(form),
        mechanical_(point_),
        dae_(mechanical_, *this, form == FloorForm::ggl ? DaeKind::ggl : DaeKind::index3),
        canonical_(point_, *this, floor.restitution > 0.0 && floor.rest_speed == 0.0 ? 0 : 1) {}

  StateSpace space() const override { return PointOverFloor::space(); }
  Modes startModes() const override { return {.flags = {0}, .numbers = {}}; }
  Evaluation derivative(double t, std::span<const double> x, const Modes& modes, Workspace&,
                        std::span<double> xdot) const override {
    xdot[0] = x[2];
    xdot[1] = x[3];
    xdot[2] = -point_.drag(modes) * x[2];
    xdot[3] = point_.push(t) + point_.lambda(t, modes);
    xdot[4] = point_.power(t, x, modes);
    return {Eval::ok, RowRank{.rank = landed(modes) ? 1 : 0, .freedoms = landed(modes) ? 1 : 2}};
  }

  // On the floor round-off is taken out, or a point that is lifted off would begin below it.
  AfterStep afterStep(double, std::span<double> x, const Modes& modes, Workspace&) const override {
    const bool off = landed(modes) && (x[1] != 0.0 || x[3] != 0.0);
    if (off) x[1] = x[3] = 0.0;
    return {.eval = Eval::ok, .changed = off};
  }

  int eventCount() const override { return 2; }
  Eval eventValues(double t, std::span<const double> x, const Modes&, Workspace&,
                   std::span<double> values) const override {
    values[0] = x[1] == 0.0 ? std::numeric_limits<double>::min() : x[1];
    values[1] = -point_.push(t);
    return Eval::ok;
  }
  EventSense eventSense(int event, const Modes& modes) const override {
    const int acts = landed(modes) ? 1 : 0;
    return event == acts ? EventSense::falling : EventSense::none;
  }
  Jump jump(double t, std::span<const LocatedEvent> events, std::span<double> x, Modes& modes,
            Workspace& work) const override {
    (void)afterStep(t, x, modes, work);
    Jump out{.eval = Eval::ok, .changed = true, .energy = 0.0};
    if (events.front().index == 1) {
      modes.flags[kLanded] = 0;
      return out;
    }
    const double rebound = -point_.floor.restitution * x[3];
    const bool stays = rebound <= point_.floor.rest_speed;
    // Under a lift it grazes the floor, which does not pull: dense output of low order may dip below as it leaves.
    if (stays && point_.push(t) >= 0.0) return {};
    const double before = point_.energy(x);
    x[1] = 0.0;
    x[3] = stays ? 0.0 : rebound;
    modes.flags[kLanded] = stays ? 1 : 0;
    out.energy = point_.energy(x) - before;
    x[4] += out.energy;
    return out;
  }

  const DaeSystem* dae() const override {
    return form_ == FloorForm::index3 || form_ == FloorForm::ggl ? &dae_ : nullptr;
  }
  const MechanicalSystem* mechanical() const override { return form_ == FloorForm::index3 ? &mechanical_ : nullptr; }
  const CanonicalSystem* canonical() const override { return form_ == FloorForm::canonical ? &canonical_ : nullptr; }

  double energy(std::span<const double> x) const { return point_.energy(x); }

 private:
  PointOverFloor point_;
  FloorForm form_;
  FloorMechanical mechanical_;
  MechanicalDae dae_;
  FloorCanonical canonical_;
};

}  // namespace linkwork::testing_systems
