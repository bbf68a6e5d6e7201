// One system, many threads, each with its own workspace: every answer is the one that a single thread gets. Run under
// the thread sanitizer by ./test --full, which builds the library up to the formulations for it and no further: so the
// mechanisms are made here and not read from files.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "linkwork/formulation/drawn_state_for_tests.hpp"
#include "linkwork/formulation/make_system.hpp"
#include "linkwork/model/driven_mechanisms_for_tests.hpp"
#include "linkwork/model/space_mechanisms_for_tests.hpp"

namespace linkwork::validation {
namespace threads_test {

constexpr int kThreads = 4;
constexpr int kRounds = 20;

// Formulas of loads are nodes that all threads read.
Expr motorOn(const std::string& joint) {
  return Expr(0.5) + sin(test::kTime) - Expr(0.05) * Expr::symbol(joint + ".angle_rate");
}

Mechanism fourBar() {
  Mechanism m = test::FourBar{}.mechanism(1.1);
  test::addCouple(m, "motor", kGround, BodyIndex(0), motorOn("O"));
  return m;
}

Mechanism sliderPendulum() {
  Mechanism m = test::sliderPendulum();
  test::drawAt(m, test::sliderPendulumStart());
  return m;
}

// A crank about z and a rocker about y, joined by a rod with a ball at each end.
Mechanism rssr() {
  Mechanism m = test::inSpace();
  const BodyIndex crank = test::addSpatialBody(m, "crank", 2.0, {0.001, 0.007, 0.007}, {0.1, 0, 0});
  const BodyIndex rod = test::addSpatialBody(m, "rod", 1.0, {0.03, 0.04, 0.05}, {0.4, 0.15, 0.3}, {0.2, 0, 0});
  const BodyIndex rocker = test::addSpatialBody(m, "rocker", 1.5, {0.05, 0.05, 0.001}, {0, 0, 0.3}, {1.0, 0.3, 0});
  test::addJointAt(m, "O", JointKind::revolute, kGround, crank, {0, 0, 0});
  test::addJointAt(m, "A", JointKind::spherical, crank, rod, {0.2, 0, 0});
  test::addJointAt(m, "B", JointKind::spherical, rod, rocker, {1.0, 0.3, 0.6});
  test::addJointAt(m, "D", JointKind::revolute, kGround, rocker, {1.0, 0.3, 0}, test::zTo({0, 1, 0}));
  test::addCouple(m, "motor", kGround, crank, motorOn("O"));
  return m;
}

Mechanism heavyTop() {
  Mechanism m = test::inSpace();
  const BodyIndex top = test::addSpatialBody(m, "top", 15.0, {0.234375, 0.46875, 0.234375}, {0, 1, 0});
  test::addJointAt(m, "tip", JointKind::spherical, kGround, top, {0, 0, 0});
  return m;
}

struct Shared {
  const char* name;
  Mechanism (*make)();
};
constexpr Shared kShared[] = {
    {"four_bar", fourBar}, {"slider_pendulum", sliderPendulum}, {"rssr", rssr}, {"heavy_top", heavyTop}};

// The drawn pose, moving.
std::vector<double> startOf(const MechanismSystem& system, const Mechanism& mechanism) {
  std::vector<double> x = system.fromAbsolute(0.0, test::drawnState(mechanism));
  const StateSpace space = system.space();
  for (int k = space.velocityOffset(); k < space.controlled(); ++k) x[static_cast<std::size_t>(k)] = std::cos(2.0 * k);
  const auto work = system.makeWorkspace();
  EXPECT_EQ(system.afterStep(0.0, x, system.startModes(), *work).eval, Eval::ok) << system.describeFailure(*work);
  return x;
}

// Rates and everything that is observed at a state, as one list.
std::vector<double> answersOf(const MechanismSystem& system, const std::vector<double>& start, int thread) {
  const auto work = system.makeWorkspace();
  std::vector<double> out;
  std::vector<double> xdot(start.size());
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> x = start;
    x[0] += 1e-3 * (thread + 1) * (round + 1);
    Modes modes = system.startModes();
    system.beginStep(0.0, x, modes, *work);
    (void)system.afterStep(0.0, x, modes, *work);
    if (system.derivative(0.0, x, modes, *work, xdot) == Eval::ok) out.insert(out.end(), xdot.begin(), xdot.end());
    Observation seen;
    if (system.observe(0.0, x, modes, *work, seen) == Eval::ok) out.push_back(seen.kinetic + seen.potential);
  }
  return out;
}

class Threads : public ::testing::TestWithParam<std::tuple<Shared, std::string>> {};

TEST_P(Threads, ShareASystem) {
  const auto& [shared, formulation] = GetParam();
  const Mechanism mechanism = shared.make();
  if (!formulationProblem(formulation, mechanism).empty()) GTEST_SKIP() << "does not apply";
  SystemOptions options;
  options.formulation = formulation;
  const auto system = makeSystem(mechanism, options);
  const std::vector<double> start = startOf(*system, mechanism);
  std::vector<std::vector<double>> found(kThreads);
  std::vector<std::thread> threads;
  for (int k = 0; k < kThreads; ++k) {
    threads.emplace_back([&, k] { found[static_cast<std::size_t>(k)] = answersOf(*system, start, k); });
  }
  for (std::thread& thread : threads) thread.join();
  for (int k = 0; k < kThreads; ++k) {
    EXPECT_FALSE(found[static_cast<std::size_t>(k)].empty());
    EXPECT_EQ(found[static_cast<std::size_t>(k)], answersOf(*system, start, k));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Threads,
                         ::testing::Combine(::testing::ValuesIn(kShared), ::testing::ValuesIn(formulationNames())),
                         [](const auto& instance) {
                           return std::get<0>(instance.param).name + ("_" + std::get<1>(instance.param));
                         });

}  // namespace threads_test
}  // namespace linkwork::validation
