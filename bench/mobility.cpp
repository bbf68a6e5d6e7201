// How long the mobility analysis takes: a row of windows, which is one biconnected block, upright and lying flat, and a
// chain, which is as many blocks as joints; each in the plane and lifted to space, where three equations of each window
// repeat the others.
#include "linkwork/analyse/mobility.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/analyse/mobility_problem.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/model/n_four_bar_for_tests.hpp"

namespace {

using namespace linkwork;

void analyse(benchmark::State& state, const Mechanism& mechanism, const std::vector<double>& q) {
  MobilityReport report;
  for (auto _ : state) report = analyseMobility(mobilityProblem(mechanism, q));
  state.counters["bodies"] = static_cast<double>(mechanism.bodies.size());
  state.counters["rows"] = report.all.rows;
  state.counters["rank"] = report.all.rank;
  state.counters["blocks"] = report.blocks;
  state.counters["poses"] = report.poses_reached;
  state.counters["smallest_kept"] = report.smallest_kept;
  state.counters["largest_dropped"] = report.largest_dropped;
}

void upright(benchmark::State& state, Space space) {
  Mechanism mechanism = test::buildNFourBar(static_cast<int>(state.range(0)));
  if (space == Space::spatial) mechanism = liftToSpace(mechanism);
  analyse(state, mechanism, assemble(mechanism).q);
}
BENCHMARK_CAPTURE(upright, plane, Space::planar)
    ->Arg(5)
    ->Arg(50)
    ->Arg(500)
    ->Unit(benchmark::kMillisecond)
    ->Name("mobility/n_four_bar");
BENCHMARK_CAPTURE(upright, space, Space::spatial)
    ->Arg(5)
    ->Arg(50)
    ->Arg(500)
    ->Unit(benchmark::kMillisecond)
    ->Name("mobility/n_four_bar_in_space");

// Uprights at angle zero: upright i from (i, 0) to (i + 1, 0), coupler i from there on.
void flat(benchmark::State& state) {
  const int windows = static_cast<int>(state.range(0));
  const Mechanism mechanism = test::buildNFourBar(windows);
  std::vector<double> q;
  for (int i = 0; i <= windows; ++i) q.insert(q.end(), {i + 0.5, 0.0, 0.0});
  for (int i = 0; i < windows; ++i) q.insert(q.end(), {i + 1.5, 0.0, 0.0});
  analyse(state, mechanism, q);
}
BENCHMARK(flat)->Arg(5)->Arg(50)->Arg(500)->Unit(benchmark::kMillisecond)->Name("mobility/n_four_bar_flat");

Mechanism chainOf(int bodies, Space space) {
  Mechanism mechanism;
  for (int b = 0; b < bodies; ++b) {
    Body body;
    body.name = fmt::format("link{}", b);
    body.mass = 1.0;
    body.inertia = 1.0 / 12.0;
    body.drawn = {b + 0.5, 0.0, 0.0};
    mechanism.bodies.push_back(body);
    Joint joint;
    joint.name = fmt::format("J{}", b);
    joint.first = b > 0 ? BodyIndex(b - 1) : kGround;
    joint.second = BodyIndex(b);
    joint.on_first.point = {Value(b > 0 ? 0.5 : 0.0), Value(0.0)};
    joint.on_second.point = {Value(-0.5), Value(0.0)};
    mechanism.joints.push_back(joint);
  }
  return space == Space::spatial ? liftToSpace(mechanism) : mechanism;
}

void chain(benchmark::State& state, Space space) {
  const Mechanism mechanism = chainOf(static_cast<int>(state.range(0)), space);
  analyse(state, mechanism, assemble(mechanism).q);
}
BENCHMARK_CAPTURE(chain, plane, Space::planar)
    ->Arg(10)
    ->Arg(100)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond)
    ->Name("mobility/chain");
BENCHMARK_CAPTURE(chain, space, Space::spatial)
    ->Arg(10)
    ->Arg(100)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond)
    ->Name("mobility/chain_in_space");

// What `check` does without mobility, but for reading the file.
void assembleChain(benchmark::State& state, Space space) {
  const Mechanism mechanism = chainOf(static_cast<int>(state.range(0)), space);
  Assembly assembly;
  for (auto _ : state) assembly = assemble(mechanism);
  state.counters["closure"] = assembly.position_residual;
}
BENCHMARK_CAPTURE(assembleChain, plane, Space::planar)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond)
    ->Name("assemble/chain");
BENCHMARK_CAPTURE(assembleChain, space, Space::spatial)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond)
    ->Name("assemble/chain_in_space");

void assembleWindows(benchmark::State& state) {
  const Mechanism mechanism = liftToSpace(test::buildNFourBar(static_cast<int>(state.range(0))));
  Assembly assembly;
  for (auto _ : state) assembly = assemble(mechanism);
  state.counters["closure"] = assembly.position_residual;
  state.counters["dependent"] = static_cast<double>(assembly.dependent_rows.size());
}
BENCHMARK(assembleWindows)
    ->Arg(50)
    ->Arg(500)
    ->Arg(5000)
    ->Unit(benchmark::kMillisecond)
    ->Name("assemble/n_four_bar_in_space");

}  // namespace
