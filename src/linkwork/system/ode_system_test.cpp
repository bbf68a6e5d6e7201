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
  Evaluation derivative(double t, std::span<const double> x, Workspace& work, std::span<double> xdot) const override {
    return inner_.derivative(t, x, work, xdot);
  }

 private:
  const OdeSystem& inner_;
};

// The same once more, with all but the last of the calls that a step is made of.
class Careless : public Forgetful {
 public:
  using Forgetful::Forgetful;
  Restated restate(double, std::span<double>, Workspace&) const override { return Restated::no; }
  void beginStep(double, std::span<const double>, Workspace&) const override {}
  std::vector<double> fixedInStep(const Workspace&) const override { return {}; }
  void fixInStep(std::span<const double>, Workspace&) const override {}
  int eventCount() const override { return 0; }
  Eval eventValues(double, std::span<const double>, Workspace&, std::span<double>) const override { return Eval::ok; }
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
