// How the cost of a step grows with the number of bodies: the N-four-bar (2 N + 1 bodies, 6 N + 2 constraint
// equations).
#include <benchmark/benchmark.h>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/model/n_four_bar_for_tests.hpp"

namespace {

using namespace linkwork;

// One Runge-Kutta step of 1 ms with projection: four evaluations and the return to the constraint surface.
void step(benchmark::State& state) {
  const Mechanism mechanism = test::buildNFourBar(static_cast<int>(state.range(0)));
  const Assembly assembly = assemble(mechanism);
  const AbsoluteSystem system(mechanism, {});
  const auto integrator = makeIntegrator("rk4", system, {.step = 1e-3});
  integrator->begin(0.0, assembly.state(), 1e3);
  for (auto _ : state) integrator->step();
  const auto work = system.makeWorkspace();
  const RankReport rank = system.rankReport(integrator->time(), integrator->state(), system.startModes(), *work);
  state.counters["windows"] = static_cast<double>(state.range(0));
  state.counters["rows"] = rank.rows;
  state.counters["rank"] = rank.rank;
  state.counters["closure_m"] =
      system.violation(integrator->time(), integrator->state(), system.startModes(), *work).position;
  state.counters["residual"] = system.solveCounts(integrator->workspace()).worst_residual;
}
BENCHMARK(step)->RangeMultiplier(10)->Range(10, 10000)->Unit(benchmark::kMicrosecond)->Name("n_four_bar/step");

void assembling(benchmark::State& state) {
  const Mechanism mechanism = test::buildNFourBar(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(assemble(mechanism).ok);
  state.counters["windows"] = static_cast<double>(state.range(0));
}
BENCHMARK(assembling)
    ->RangeMultiplier(10)
    ->Range(10, 10000)
    ->Unit(benchmark::kMillisecond)
    ->Name("n_four_bar/assemble");

}  // namespace
