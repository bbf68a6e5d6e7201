// Forward and inverse dynamics of chains of N links by the recursions along a tree, the same planar chain in the plane
// and lifted to space; and by code that was written for the very chain and compiled. As ratios in one run: plane
// against space, numbers against written code, and the growth with N.
#include <benchmark/benchmark.h>

#include <cmath>
#include <string>
#include <vector>

#include "chain_of_links.hpp"
#include "linkwork/codegen/equation_counts.hpp"
#include "linkwork/codegen/program_printers.hpp"
#include "linkwork/codegen/shared_object.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/recursion/articulated.hpp"

namespace {

using namespace linkwork;

template <class G>
struct Chain {
  static Mechanism mechanismOf(int links) {
    return G::kSpatial ? liftToSpace(chainOfLinks(links)) : chainOfLinks(links);
  }
  static Tree<G> treeOf(int links) {
    const Mechanism mechanism = mechanismOf(links);
    std::vector<PlannedLink> edges;
    for (int k = 0; k < links; ++k) edges.push_back({k, k - 1, k});
    return makeTree<G>(mechanism, edges);
  }
  explicit Chain(int links)
      : tree(treeOf(links)),
        q(tree.links.size()),
        u(q.size()),
        out(q.size()),
        pk(tree),
        vk(tree),
        factor(tree),
        solve(tree),
        inverse(tree) {
    for (std::size_t k = 0; k < q.size(); ++k) {
      q[k] = std::sin(1.0 + static_cast<double>(k));
      u[k] = std::cos(2.0 + 3.0 * static_cast<double>(k));
    }
  }
  void forward() {
    positionKinematics<G>(tree, q, {}, pk);
    velocityKinematics<G>(tree, pk, u, {}, vk);
    factorTree<G>(tree, pk, factor);
    forwardDynamics<G>(tree, pk, vk, factor, {}, {tree.gravity, {}}, solve, out);
  }
  void backward() {
    positionKinematics<G>(tree, q, {}, pk);
    velocityKinematics<G>(tree, pk, u, {}, vk);
    inverseDynamics<G>(tree, pk, vk, u, {tree.gravity, {}}, inverse);
  }

  Tree<G> tree;
  std::vector<double> q, u, out;
  PositionKinematics<G> pk;
  VelocityKinematics<G> vk;
  ArticulatedFactor<G> factor;
  TreeSolve<G> solve;
  InverseDynamics<G> inverse;
};

template <class G>
void forward(benchmark::State& state) {
  Chain<G> chain(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    chain.forward();
    benchmark::DoNotOptimize(chain.out.data());
  }
  // Beside the time: what inverse dynamics of the accelerations found leaves over.
  inverseDynamics<G>(chain.tree, chain.pk, chain.vk, chain.out, {chain.tree.gravity, {}}, chain.inverse);
  double rest = 0.0;
  for (const double tau : chain.inverse.tau) rest = std::max(rest, std::abs(tau));
  state.counters["rest_Nm"] = rest;
}
BENCHMARK(forward<Planar<double>>)->DenseRange(2, 12, 2)->Arg(20)->Arg(50)->Arg(100)->Name("chain/forward/plane");
BENCHMARK(forward<Spatial<double>>)->DenseRange(2, 12, 2)->Arg(20)->Arg(50)->Arg(100)->Name("chain/forward/space");

template <class G>
void inverse(benchmark::State& state) {
  Chain<G> chain(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    chain.backward();
    benchmark::DoNotOptimize(chain.inverse.tau.data());
  }
}
BENCHMARK(inverse<Planar<double>>)->DenseRange(2, 12, 2)->Arg(20)->Arg(50)->Arg(100)->Name("chain/inverse/plane");
BENCHMARK(inverse<Spatial<double>>)->DenseRange(2, 12, 2)->Arg(20)->Arg(50)->Arg(100)->Name("chain/inverse/space");

// The same in code written for the chain, with numbers for all parameters.
std::unique_ptr<SharedObject> written(const Mechanism& mechanism, EquationTask task, benchmark::State& state) {
  EquationRequest request;
  request.form = WrittenForm::recursive;
  request.task = task;
  request.torques = Torques::none;
  request.all_symbols = false;
  WrittenEquations equations = writeEquations(mechanism, request);
  std::string problem = equations.problem;
  std::unique_ptr<SharedObject> out;
  if (equations.program) {
    equations.program->function = "chain";
    out = SharedObject::of(programC(stepsOf(*equations.program)), systemCompiler(), problem);
  }
  if (!out) state.SkipWithError(problem.c_str());
  return out;
}

template <class G>
void forwardWritten(benchmark::State& state) {
  Chain<G> chain(static_cast<int>(state.range(0)));
  const auto object = written(Chain<G>::mechanismOf(static_cast<int>(state.range(0))), EquationTask::forward, state);
  if (!object) return;
  using Call = void (*)(const double*, const double*, double*);
  const auto call = reinterpret_cast<Call>(object->find("chain"));
  std::vector<double> out(chain.q.size());
  for (auto _ : state) {
    call(chain.q.data(), chain.u.data(), out.data());
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  chain.forward();
  double difference = 0.0;
  for (std::size_t k = 0; k < out.size(); ++k) difference = std::max(difference, std::abs(out[k] - chain.out[k]));
  state.counters["difference_rad_per_s2"] = difference;
}
BENCHMARK(forwardWritten<Planar<double>>)->DenseRange(2, 12, 2)->Arg(20)->Name("chain/forward/plane/written");
BENCHMARK(forwardWritten<Spatial<double>>)->DenseRange(2, 12, 2)->Name("chain/forward/space/written");

template <class G>
void inverseWritten(benchmark::State& state) {
  Chain<G> chain(static_cast<int>(state.range(0)));
  const auto object = written(Chain<G>::mechanismOf(static_cast<int>(state.range(0))), EquationTask::inverse, state);
  if (!object) return;
  using Call = void (*)(const double*, const double*, const double*, double*);
  const auto call = reinterpret_cast<Call>(object->find("chain"));
  std::vector<double> out(chain.q.size());
  for (auto _ : state) {
    call(chain.q.data(), chain.u.data(), chain.u.data(), out.data());
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  chain.backward();
  double difference = 0.0;
  for (std::size_t k = 0; k < out.size(); ++k)
    difference = std::max(difference, std::abs(out[k] - chain.inverse.tau[k]));
  state.counters["difference_Nm"] = difference;
}
BENCHMARK(inverseWritten<Planar<double>>)->DenseRange(2, 12, 2)->Arg(20)->Name("chain/inverse/plane/written");
BENCHMARK(inverseWritten<Spatial<double>>)->DenseRange(2, 12, 2)->Name("chain/inverse/space/written");

}  // namespace
