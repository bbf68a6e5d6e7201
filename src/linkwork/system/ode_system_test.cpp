#include "linkwork/system/ode_system.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace linkwork {
namespace ode_system_test {

// Stands for another system and passes on no more than it takes to evaluate it.
class Forgetful : public OdeSystem {
 public:
  explicit Forgetful(const OdeSystem& inner) : inner_(inner) {}
  StateSpace space() const override { return inner_.space(); }
  std::unique_ptr<Workspace> makeWorkspace() const override { return inner_.makeWorkspace(); }
  Evaluation derivative(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                        std::span<double> xdot) const override {
    return inner_.derivative(t, x, modes, work, xdot);
  }

 private:
  const OdeSystem& inner_;
};

// The same once more, with all but one of the calls that a step is made of: afterStep.
class Careless : public Forgetful {
 public:
  using Forgetful::Forgetful;
  Modes startModes() const override { return {}; }
  Restated restate(double, std::span<double>, Modes&, Workspace&) const override { return Restated::no; }
  void beginStep(double, std::span<const double>, Modes&, Workspace&) const override {}
  void enterStep(double, std::span<const double>, Modes&, Workspace&) const override {}
  int eventCount() const override { return 0; }
  Eval eventValues(double, std::span<const double>, const Modes&, Workspace&, std::span<double>) const override {
    return Eval::ok;
  }
  EventSense eventSense(int, const Modes&) const override { return EventSense::both; }
  Jump jump(double, std::span<const LocatedEvent>, std::span<double>, Modes&, Workspace&) const override { return {}; }
  const DaeSystem* dae() const override { return nullptr; }
  const MechanicalSystem* mechanical() const override { return nullptr; }
  const CanonicalSystem* canonical() const override { return nullptr; }
  const StateJacobian* jacobian() const override { return nullptr; }
  std::string describeFailure(const Workspace&) const override { return {}; }
};

TEST(OdeSystem, CannotBeWrappedWithoutPassingEveryCallOn) {
  EXPECT_TRUE(std::is_abstract_v<Forgetful>);
  EXPECT_TRUE(std::is_abstract_v<Careless>);
}

}  // namespace ode_system_test
}  // namespace linkwork
