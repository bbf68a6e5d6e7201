// What another value of a parameter costs: reading the model again, making it of its parsed text, and, for comparison,
// assembling it.
#include <benchmark/benchmark.h>

#include <stdexcept>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/read/parsed_model.hpp"

namespace linkwork {
namespace {

struct Varied {
  const char* model;
  const char* parameter;
};
constexpr Varied kVaried[] = {{"slider_pendulum", "a"}, {"crank_slider", "r"},     {"jansen_leg", "a"},
                              {"delta_robot", "L"},     {"stewart_platform", "h"}, {"pendulum_chain", "length"}};

std::string pathOf(const Varied& varied) { return std::string(LINKWORK_MODELS_DIR) + "/" + varied.model + ".toml"; }

double ownValue(const Mechanism& mechanism, const std::string& name) {
  for (const Parameter& parameter : mechanism.parameters) {
    if (parameter.name == name) return parameter.value.number;
  }
  throw std::runtime_error("there is no parameter " + name);
}

void readAgain(benchmark::State& state, const Varied& varied) {
  Diagnostics diagnostics;
  const auto own = readModelFile(pathOf(varied), diagnostics);
  double value = ownValue(*own, varied.parameter);
  for (auto _ : state) {
    value *= 1.0 + 1e-9;
    ReadOptions options;
    options.set = {{varied.parameter, std::to_string(value)}};
    benchmark::DoNotOptimize(readModelFile(pathOf(varied), diagnostics, options));
  }
}

void withParameters(benchmark::State& state, const Varied& varied) {
  Diagnostics diagnostics;
  auto model = ParsedModel::parseFile(pathOf(varied), {}, diagnostics);
  const auto own = model->mechanism(diagnostics);
  ParameterValue value{varied.parameter, ownValue(*own, varied.parameter)};
  for (auto _ : state) {
    value.number *= 1.0 + 1e-9;
    benchmark::DoNotOptimize(model->withParameters(*own, {&value, 1}, diagnostics));
  }
}

void assembleIt(benchmark::State& state, const Varied& varied) {
  Diagnostics diagnostics;
  const auto own = readModelFile(pathOf(varied), diagnostics);
  for (auto _ : state) benchmark::DoNotOptimize(assemble(*own));
}

const bool kRegistered = [] {
  for (const Varied& varied : kVaried) {
    const auto add = [&](const char* what, void (*run)(benchmark::State&, const Varied&)) {
      benchmark::RegisterBenchmark((std::string("parameters/") + varied.model + "/" + what).c_str(),
                                   [run, varied](benchmark::State& state) { run(state, varied); })
          ->Unit(benchmark::kMicrosecond);
    };
    add("read_again", readAgain);
    add("with_parameters", withParameters);
    add("assemble", assembleIt);
  }
  return true;
}();

}  // namespace
}  // namespace linkwork
