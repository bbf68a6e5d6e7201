// One evaluation of the equations with independent velocities alone beside one with those of all joints: the bicycle, a
// chain of N hinged links, the same chain with its end on a blade, and the N-four-bar.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "chain_of_links.hpp"
#include "linkwork/analyse/assemble.hpp"
#include "linkwork/formulation/make_system.hpp"
#include "linkwork/model/n_four_bar_for_tests.hpp"
#include "linkwork/read/model_file.hpp"

namespace {

using namespace linkwork;

void measure(benchmark::State& state, const Mechanism& mechanism, const char* formulation) {
  const Assembly assembly = assemble(mechanism);
  SystemOptions options;
  options.formulation = formulation;
  const auto system = makeSystem(mechanism, startingFrom(assembly, options));
  const std::vector<double> x = system->fromAbsolute(0.0, assembly.state());
  std::vector<double> rates(x.size());
  Modes modes = system->startModes();
  const auto work = system->makeWorkspace();
  system->beginStep(0.0, x, modes, *work);
  for (auto _ : state) {
    if (system->derivative(0.0, x, modes, *work, rates).eval != Eval::ok) state.SkipWithError("no rates");
    benchmark::DoNotOptimize(rates.data());
  }
}

Mechanism bicycle(int /*size*/) {
  Diagnostics diagnostics;
  const auto mechanism = readModelFile(std::string(LINKWORK_MODELS_DIR) + "/bicycle.toml", diagnostics);
  expect(mechanism.has_value(), diagnostics.format());
  return *mechanism;
}

// The last link slides along itself alone.
Mechanism chainOnBlade(int links) {
  Mechanism out = chainOfLinks(links);
  Joint blade;
  blade.name = "blade";
  blade.kind = JointKind::knife_edge;
  blade.first = BodyIndex(links - 1);
  blade.second = kGround;
  out.joints.push_back(blade);
  return out;
}

const bool kRegistered = [] {
  struct Case {
    const char* name;
    Mechanism (*make)(int);
    std::vector<int> sizes;
  };
  for (const Case& of : {Case{"bicycle", bicycle, {1}}, Case{"chain", chainOfLinks, {8, 16, 32, 64}},
                         Case{"chain_on_blade", chainOnBlade, {8, 16, 32, 64}},
                         Case{"n_four_bar", test::buildNFourBar, {4, 8, 16, 32}}}) {
    for (const char* formulation : {"recursive", "quasivelocity"}) {
      for (const int size : of.sizes) {
        const std::string name =
            std::string("quasi_velocities/") + of.name + "/" + formulation + "/" + std::to_string(size);
        benchmark::RegisterBenchmark(name.c_str(), [make = of.make, formulation, size](benchmark::State& state) {
          measure(state, make(size), formulation);
        });
      }
    }
  }
  return true;
}();

}  // namespace
