// JumpingSystem: a mechanism's own system, but for what its events do: mechanisms have none that change the motion yet.
// Behind the modes of its own system it has a flag that a jump may set: then it has landed, and one row more acts.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "linkwork/formulation/mechanism_system.hpp"

namespace linkwork::test {

class JumpingSystem final : public MechanismSystem {
 public:
  using Jumping = std::function<Jump(std::span<const LocatedEvent> events, std::span<double> x, bool& landed)>;
  using Resting = std::function<void(std::span<double> xdot)>;  // what the row that acts makes of the rates
  JumpingSystem(std::unique_ptr<MechanismSystem> own, Jumping jump, Resting rest = {})
      : own_(std::move(own)), jump_(std::move(jump)), rest_(std::move(rest)) {}

  Evaluation derivative(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                        std::span<double> xdot) const override {
    const Evaluation out = own_->derivative(t, x, modes, work, xdot);
    if (landed(modes) && rest_) rest_(xdot);
    return out;
  }
  StateSpace space() const override { return own_->space(); }
  std::unique_ptr<Workspace> makeWorkspace() const override { return own_->makeWorkspace(); }
  Modes startModes() const override {
    Modes out = own_->startModes();
    out.flags.push_back(0);
    return out;
  }
  void beginStep(double t, std::span<const double> x, Modes& modes, Workspace& work) const override {
    own_->beginStep(t, x, modes, work);
  }
  void enterStep(double t, std::span<const double> x, Modes& modes, Workspace& work) const override {
    own_->enterStep(t, x, modes, work);
  }
  Restated restate(double t, std::span<double> x, Modes& modes, Workspace& work) const override {
    return own_->restate(t, x, modes, work);
  }
  AfterStep afterStep(double t, std::span<double> x, const Modes& modes, Workspace& work) const override {
    return own_->afterStep(t, x, modes, work);
  }
  int eventCount() const override { return own_->eventCount(); }
  Eval eventValues(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                   std::span<double> values) const override {
    return own_->eventValues(t, x, modes, work, values);
  }
  EventSense eventSense(int event, const Modes& modes) const override { return own_->eventSense(event, modes); }
  Jump jump(double t, std::span<const LocatedEvent> events, std::span<double> x, Modes& modes,
            Workspace& work) const override {
    if (!jump_) return own_->jump(t, events, x, modes, work);
    bool now = landed(modes);
    const Jump out = jump_(events, x, now);
    modes.flags.back() = now ? 1 : 0;
    return out;
  }
  const DaeSystem* dae() const override { return own_->dae(); }
  const MechanicalSystem* mechanical() const override { return own_->mechanical(); }
  const CanonicalSystem* canonical() const override { return own_->canonical(); }
  const StateJacobian* jacobian() const override { return own_->jacobian(); }
  std::string describeFailure(const Workspace& work) const override { return own_->describeFailure(work); }
  std::vector<double> fromAbsolute(double t, std::span<const double> x) const override {
    return own_->fromAbsolute(t, x);
  }
  std::vector<double> toAbsolute(double t, std::span<const double> x, const Modes& modes) const override {
    return own_->toAbsolute(t, x, modes);
  }
  std::vector<double> cornerTimes() const override { return own_->cornerTimes(); }
  Evaluation observe(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                     Observation& out) const override {
    return own_->observe(t, x, modes, work, out);
  }
  Violation violation(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override {
    return own_->violation(t, x, modes, work);
  }
  std::string problem() const override { return own_->problem(); }
  bool asWritten(const Modes& modes) const override { return own_->asWritten(modes); }
  RowRank factorRows(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override {
    return own_->factorRows(t, x, modes, work);
  }
  RankReport rankReport(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override {
    RankReport out = own_->rankReport(t, x, modes, work);
    const int more = landed(modes) ? 1 : 0;
    out.rows += more;
    out.rank += more;
    out.freedoms -= more;
    out.position_freedoms -= more;
    return out;
  }
  bool turnsAway(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override {
    return own_->turnsAway(t, x, modes, work);
  }
  std::string rowName(int row) const override { return own_->rowName(row); }
  SolveCounts solveCounts(const Workspace& work) const override { return own_->solveCounts(work); }
  double referenceLength() const override { return own_->referenceLength(); }
  double reactionLength() const override { return own_->reactionLength(); }

 private:
  static bool landed(const Modes& modes) { return modes.flags.back() != 0; }

  std::unique_ptr<MechanismSystem> own_;
  Jumping jump_;
  Resting rest_;
};

}  // namespace linkwork::test
