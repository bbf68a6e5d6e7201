// How time and memory of an implicit step grow with the number of unknowns where the system offers to solve with c - J:
// a line of masses, springs and dampers, by its own tridiagonal solve and by sparse matrices; generalized_alpha takes
// the sparse matrices of the mechanical system. The motion is that of slow modes, the same for all sizes.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <cmath>
#include <string>
#include <vector>

#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/system/line_of_masses_for_tests.hpp"

namespace {

using namespace linkwork;
using testing_systems::LineOde;
using testing_systems::LineOffer;
using testing_systems::LineOfMasses;

constexpr int kSteps = 60;

double heapInUse() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

void steps(benchmark::State& state, const std::string& method, LineOffer offer) {
  const auto unknowns = static_cast<int>(state.range(0));
  const LineOfMasses line = LineOfMasses::slow(unknowns / 2, 0.01);
  const std::vector<LineOfMasses::Mode> modes{{1, 0.3}, {3, -0.1}};
  const LineOde system(line, offer);
  const auto start = line.start(modes);
  IntegratorOptions options;
  options.rtol = 1e-5;
  options.atol = 1e-8;
  const double before = heapInUse();
  const auto integrator = makeIntegrator(method, system, options);
  integrator->begin(0.0, start, 1e3);
  StepStatus status = StepStatus::ok;
  for (auto _ : state) status = integrator->step();
  if (status != StepStatus::ok) state.SkipWithError("a step failed");
  state.counters["unknowns"] = unknowns;
  state.counters["bytes"] = heapInUse() - before;
  state.counters["evaluations"] = static_cast<double>(integrator->counts().evaluations);
  const auto exact = line.exact(modes, integrator->time());
  double error = 0.0;
  for (int i = 0; i < 2 * line.n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    error = std::max(error, std::abs(integrator->state()[k] - exact[k]));
  }
  state.counters["error"] = error;
}

void sizes(benchmark::internal::Benchmark* b) {
  b->Arg(5000)->Arg(10000)->Arg(20000)->Iterations(kSteps)->Unit(benchmark::kMicrosecond);
}
BENCHMARK_CAPTURE(steps, radau5, "radau5", LineOffer::structured)->Apply(sizes)->Name("line_of_masses/radau5");
BENCHMARK_CAPTURE(steps, radau5_sparse, "radau5", LineOffer::sparse)
    ->Apply(sizes)
    ->Name("line_of_masses/radau5_sparse");
BENCHMARK_CAPTURE(steps, cvode, "cvode", LineOffer::structured)->Apply(sizes)->Name("line_of_masses/cvode");
BENCHMARK_CAPTURE(steps, arkode, "arkode", LineOffer::structured)->Apply(sizes)->Name("line_of_masses/arkode");
BENCHMARK_CAPTURE(steps, generalized_alpha, "generalized_alpha", LineOffer::nothing)
    ->Apply(sizes)
    ->Name("line_of_masses/generalized_alpha");

}  // namespace
