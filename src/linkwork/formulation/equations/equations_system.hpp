// EquationsSystem: an EquationsModel as a system of ordinary differential equations, x = [q, w, work].
//
// Stabilisations: none; projection moves q back onto constraints of positions along the columns of b that belong to
// them, so that the free quasi-velocities' directions stay. Velocities cannot drift: whatever w, (1) of the kernel has
// rates that the constraints allow.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linkwork/formulation/equations/equations_kernel.hpp"
#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/system/state_jacobian.hpp"

namespace linkwork {

struct EquationsSystemOptions {
  bool projects = true;
  EquationsVariant variant = EquationsVariant::corrected;
};

class EquationsSystem final : public MechanismSystem, private StateJacobian {
 public:
  // `model` must outlive it.
  explicit EquationsSystem(const EquationsModel& model, EquationsSystemOptions options = {});

  StateSpace space() const override { return {tapes_.n, tapes_.free, 1}; }
  std::unique_ptr<Workspace> makeWorkspace() const override;
  Modes startModes() const override { return {}; }
  Evaluation derivative(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                        std::span<double> xdot) const override;
  Restated restate(double /*t*/, std::span<double> /*x*/, Modes& /*modes*/, Workspace& /*work*/) const override {
    return Restated::no;
  }
  void beginStep(double /*t*/, std::span<const double> /*x*/, Modes& /*modes*/, Workspace& /*work*/) const override {}
  void enterStep(double /*t*/, std::span<const double> /*x*/, Modes& /*modes*/, Workspace& /*work*/) const override {}
  AfterStep afterStep(double t, std::span<double> x, const Modes& modes, Workspace& work) const override;

  int eventCount() const override { return static_cast<int>(model_.frame.events.size()); }
  Eval eventValues(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                   std::span<double> values) const override;
  EventSense eventSense(int event, const Modes& modes) const override;
  Jump jump(double /*t*/, std::span<const LocatedEvent> /*events*/, std::span<double> /*x*/, Modes& /*modes*/,
            Workspace& /*work*/) const override {
    return {};
  }
  const DaeSystem* dae() const override { return nullptr; }
  const MechanicalSystem* mechanical() const override { return nullptr; }
  const CanonicalSystem* canonical() const override { return nullptr; }
  const StateJacobian* jacobian() const override { return this; }
  std::string describeFailure(const Workspace& work) const override;

  std::vector<double> fromAbsolute(double /*t*/, std::span<const double> absolute) const override {
    return {absolute.begin(), absolute.end()};
  }
  std::vector<double> toAbsolute(double /*t*/, std::span<const double> x, const Modes& /*modes*/) const override {
    return {x.begin(), x.end()};
  }
  std::vector<double> cornerTimes() const override { return corner_times_; }
  Evaluation observe(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                     Observation& out) const override;
  Violation violation(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override;
  std::string problem() const override { return {}; }
  bool asWritten(const Modes& /*modes*/) const override { return true; }
  RowRank factorRows(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override;
  RankReport rankReport(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override;
  bool turnsAway(double /*t*/, std::span<const double> /*x*/, const Modes& /*modes*/,
                 Workspace& /*work*/) const override {
    return false;
  }
  std::string rowName(int row) const override;
  SolveCounts solveCounts(const Workspace& work) const override;
  double referenceLength() const override { return 1.0; }
  double reactionLength() const override { return 1.0; }

  const EquationsTapes& tapes() const { return tapes_; }
  const EquationsKernel<double>& kernel() const { return kernel_; }

 private:
  struct Work;
  class Product;
  std::unique_ptr<JacobianProduct> makeProduct() const override;
  std::unique_ptr<ShiftedSolve> makeSolve() const override { return nullptr; }

  std::span<const double> positionsOf(std::span<const double> x) const {
    return x.first(static_cast<std::size_t>(tapes_.n));
  }
  std::span<const double> velocitiesOf(std::span<const double> x) const {
    return x.subspan(static_cast<std::size_t>(tapes_.n), static_cast<std::size_t>(tapes_.free));
  }
  bool place(double t, std::span<const double> q, Work& work) const;
  Eval evaluate(double t, std::span<const double> x, Work& work) const;
  void look(double t, Work& work) const;
  RowRank rankOf(const Work& work) const;

  const EquationsModel& model_;
  EquationsSystemOptions options_;
  EquationsTapes tapes_;
  EquationsKernel<double> kernel_;
  EquationsKernel<Dual<8>> dual_;
  Tape seen_;  // of (q, u, t): events, then the user's outputs
  std::vector<double> corner_times_;
};

}  // namespace linkwork
