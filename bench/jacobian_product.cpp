// What J times a vector costs beside one evaluation of the equations: one direction, and eight of them at once, in
// chains of N hinged links and in the N-four-bar. By the formulation's own product, and by central differences.
#include <benchmark/benchmark.h>

#include <cmath>
#include <string>
#include <vector>

#include "chain_of_links.hpp"
#include "linkwork/analyse/assemble.hpp"
#include "linkwork/formulation/make_system.hpp"
#include "linkwork/model/n_four_bar_for_tests.hpp"
#include "linkwork/system/state_jacobian.hpp"

namespace {

using namespace linkwork;

enum class Asked { evaluation, product, differences };

void measure(benchmark::State& state, Mechanism (*make)(int), const char* formulation, Asked asked, int directions) {
  const Mechanism mechanism = make(static_cast<int>(state.range(0)));
  const Assembly assembly = assemble(mechanism);
  SystemOptions options;
  options.formulation = formulation;
  const auto system = makeSystem(mechanism, startingFrom(assembly, options));
  const std::vector<double> x = system->fromAbsolute(0.0, assembly.state());
  std::vector<double> d(x.size() * static_cast<std::size_t>(directions));
  for (std::size_t k = 0; k < d.size(); ++k) d[k] = std::sin(1.0 + 2.0 * static_cast<double>(k));
  std::vector<double> out(d.size());
  Modes modes = system->startModes();
  const auto work = system->makeWorkspace();
  system->beginStep(0.0, x, modes, *work);
  const auto product = asked == Asked::differences ? makeDifferenceProduct(*system) : makeJacobianProduct(*system);
  for (auto _ : state) {
    const Eval eval = asked == Asked::evaluation ? system->derivative(0.0, x, modes, *work, out).eval
                                                 : product->times(0.0, x, modes, d, out);
    if (eval != Eval::ok) state.SkipWithError("no rates");
    benchmark::DoNotOptimize(out.data());
  }
}

const bool kRegistered = [] {
  struct Case {
    const char* name;
    Mechanism (*make)(int);
  };
  struct Question {
    const char* name;
    Asked asked;
    int directions;
  };
  for (const Case& of : {Case{"chain", chainOfLinks}, Case{"n_four_bar", test::buildNFourBar}}) {
    for (const char* formulation : {"absolute", "recursive", "linkage", "hamiltonian", "quasivelocity"}) {
      for (const Question& question : {Question{"evaluation", Asked::evaluation, 1},
                                       {"product", Asked::product, 1},
                                       {"product_of_8", Asked::product, 8},
                                       {"differences", Asked::differences, 1}}) {
        const std::string name = std::string("jacobian_product/") + of.name + "/" + formulation + "/" + question.name;
        benchmark::RegisterBenchmark(
            name.c_str(),
            [=](benchmark::State& state) { measure(state, of.make, formulation, question.asked, question.directions); })
            ->Arg(10)
            ->Arg(30)
            ->Unit(benchmark::kMicrosecond);
      }
    }
  }
  return true;
}();

}  // namespace
