// PlainOdeSystem: an equation that says nothing beyond its derivative; what it does have it overrides. For equations of
// their own, not for systems that stand for others: those pass every call on.
#pragma once

#include "linkwork/system/ode_system.hpp"

namespace linkwork {

class PlainOdeSystem : public OdeSystem {
 public:
  std::unique_ptr<Workspace> makeWorkspace() const override { return std::make_unique<Workspace>(); }
  Modes startModes() const override { return {}; }

  Restated restate(double /*t*/, std::span<double> /*x*/, Modes& /*modes*/, Workspace& /*work*/) const override {
    return Restated::no;
  }
  void beginStep(double /*t*/, std::span<const double> /*x*/, Modes& /*modes*/, Workspace& /*work*/) const override {}
  void enterStep(double /*t*/, std::span<const double> /*x*/, Modes& /*modes*/, Workspace& /*work*/) const override {}
  AfterStep afterStep(double /*t*/, std::span<double> /*x*/, const Modes& /*modes*/,
                      Workspace& /*work*/) const override {
    return {};
  }

  int eventCount() const override { return 0; }
  Eval eventValues(double /*t*/, std::span<const double> /*x*/, const Modes& /*modes*/, Workspace& /*work*/,
                   std::span<double> /*values*/) const override {
    return Eval::ok;
  }
  EventSense eventSense(int /*event*/, const Modes& /*modes*/) const override { return EventSense::both; }
  Jump jump(double /*t*/, std::span<const LocatedEvent> /*events*/, std::span<double> /*x*/, Modes& /*modes*/,
            Workspace& /*work*/) const override {
    return {};
  }

  const DaeSystem* dae() const override { return nullptr; }
  const MechanicalSystem* mechanical() const override { return nullptr; }
  const CanonicalSystem* canonical() const override { return nullptr; }
  const StateJacobian* jacobian() const override { return nullptr; }

  std::string describeFailure(const Workspace& /*work*/) const override {
    return "the equations could not be evaluated";
  }
};

}  // namespace linkwork
