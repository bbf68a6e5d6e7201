// One system, many threads, each with its own workspace: every answer is the one that a single thread gets. Run under
// the thread sanitizer by ./test --full.
#include <gtest/gtest.h>

#include <thread>

#include "../run_model.hpp"
#include "linkwork/formulation/make_system.hpp"

namespace linkwork::validation {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 20;

// Rates and everything that is observed at a state, as one list.
std::vector<double> answersOf(const MechanismSystem& system, const std::vector<double>& start, int thread) {
  const auto work = system.makeWorkspace();
  std::vector<double> out;
  std::vector<double> xdot(start.size());
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> x = start;
    x[0] += 1e-3 * (thread + 1) * (round + 1);
    system.beginStep(0.0, x, *work);
    (void)system.afterStep(0.0, x, *work);
    if (system.derivative(0.0, x, *work, xdot) == Eval::ok) out.insert(out.end(), xdot.begin(), xdot.end());
    Observation seen;
    if (system.observe(0.0, x, *work, seen) == Eval::ok) out.push_back(seen.kinetic + seen.potential);
  }
  return out;
}

class Threads : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(Threads, ShareASystem) {
  const auto& [model, formulation] = GetParam();
  const Mechanism mechanism = readShippedModel(model);
  if (!formulationProblem(formulation, mechanism).empty()) GTEST_SKIP() << "does not apply";
  const Assembly assembly = assemble(mechanism);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  SystemOptions options = startingFrom(assembly);
  options.formulation = formulation;
  const auto system = makeSystem(mechanism, options);
  const std::vector<double> start = system->fromAbsolute(0.0, assembly.state());
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
                         ::testing::Combine(::testing::Values("four_bar", "slider_pendulum", "rssr", "heavy_top"),
                                            ::testing::ValuesIn(formulationNames())),
                         [](const auto& instance) {
                           return std::get<0>(instance.param) + "_" + std::get<1>(instance.param);
                         });

}  // namespace
}  // namespace linkwork::validation
