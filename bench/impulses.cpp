// One evaluation of chains of N hinged links: velocities and rates from impulses, accelerations from velocities by the
// same factor; and the sweeps alone, without what surrounds them in a simulation: impulses by sweeps, accelerations by
// a dense mass matrix. In the plane and lifted to space. As ratios in one run.
#include "linkwork/recursion/impulses.hpp"

#include <benchmark/benchmark.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "chain_of_links.hpp"
#include "linkwork/formulation/hamiltonian/hamiltonian_system.hpp"
#include "linkwork/model/lift.hpp"

namespace {

using namespace linkwork;

template <class G>
Mechanism chain(int links) {
  return G::kSpatial ? liftToSpace(chainOfLinks(links)) : chainOfLinks(links);
}

// [q, u, work, turns]
template <class G>
std::vector<double> stateOf(const RecursiveSystem<G>& system) {
  std::vector<double> x(static_cast<std::size_t>(system.space().size()));
  const auto n = static_cast<std::size_t>(system.tree().coordinates);
  for (std::size_t k = 0; k < n; ++k) {
    x[k] = std::sin(1.0 + static_cast<double>(k));
    x[n + k] = std::cos(2.0 + 3.0 * static_cast<double>(k));
  }
  return x;
}

void evaluate(benchmark::State& state, const MechanismSystem& system, const std::vector<double>& x) {
  const auto work = system.makeWorkspace();
  const Modes modes = system.startModes();
  std::vector<double> rates(x.size());
  for (auto _ : state) {
    if (system.derivative(0.0, x, modes, *work, rates) != Eval::ok) state.SkipWithError("no rates");
    benchmark::DoNotOptimize(rates.data());
  }
}

template <class G>
void recursive(benchmark::State& state) {
  const RecursiveSystem<G> system(chain<G>(static_cast<int>(state.range(0))), {});
  evaluate(state, system, stateOf(system));
}

template <class G>
void hamiltonian(benchmark::State& state) {
  const Mechanism mechanism = chain<G>(static_cast<int>(state.range(0)));
  const HamiltonianSystem<G> system(mechanism, {});
  evaluate(state, system, system.fromVelocities(0.0, stateOf(RecursiveSystem<G>(mechanism, {}))));
}

// Velocities and rates from impulses under gravity, and nothing else.
template <class G>
void sweeps(benchmark::State& state) {
  const Mechanism mechanism = chain<G>(static_cast<int>(state.range(0)));
  const HamiltonianSystem<G> system(mechanism, {});
  const std::vector<double> x = system.fromVelocities(0.0, stateOf(RecursiveSystem<G>(mechanism, {})));
  const Tree<G>& tree = system.tree();
  const auto n = static_cast<std::size_t>(tree.freedoms);
  const auto q = std::span(x).first(n);
  const auto p = std::span(x).subspan(n, n);
  PositionKinematics<G> pk(tree);
  VelocityKinematics<G> vk(tree);
  ArticulatedFactor<G> factor(tree);
  TreeSolve<G> solve(tree);
  std::vector<typename LinkAxes<G>::Force> loads(tree.links.size());
  std::vector<double> u(n), rates(n);
  for (auto _ : state) {
    positionKinematics<G>(tree, q, {}, pk);
    factorTree<G>(tree, pk, factor);
    std::fill(solve.p.begin(), solve.p.end(), typename LinkAxes<G>::Force{});
    solveInwards<G>(tree, pk, factor, p, {}, solve);
    solveOutwards<G>(tree, pk, factor, {}, {}, solve, u);
    takeVelocities<G>(tree, pk, solve.A, vk);
    for (int k = 0; k < tree.size(); ++k) {
      const auto link = static_cast<std::size_t>(k);
      loads[link] = linkForce<G>(tree, pk, k, {tree.gravity * tree.links[link].inertia.mass, {}});
    }
    gatherInwards<G>(tree, pk, loads);
    impulseRates<G>(tree, pk, vk, u, {}, solve.F, loads, rates);
    benchmark::DoNotOptimize(rates.data());
  }
}

// Mass matrix, its Cholesky factor, and inverse dynamics at rest of the accelerations for the right-hand side.
template <class G>
void dense(benchmark::State& state) {
  const RecursiveSystem<G> system(chain<G>(static_cast<int>(state.range(0))), {});
  const std::vector<double> x = stateOf(system);
  const Tree<G>& tree = system.tree();
  const auto n = static_cast<std::size_t>(tree.freedoms);
  const auto q = std::span(x).first(n);
  const auto u = std::span(x).subspan(n, n);
  PositionKinematics<G> pk(tree);
  VelocityKinematics<G> vk(tree);
  TreeMassMatrix<G> mass(tree);
  InverseDynamics<G> inverse(tree);
  const std::vector<double> none(n);
  const auto size = static_cast<Eigen::Index>(n);
  Eigen::LLT<Eigen::MatrixXd> factor(size);
  Eigen::VectorXd right(size);
  for (auto _ : state) {
    positionKinematics<G>(tree, q, {}, pk);
    velocityKinematics<G>(tree, pk, u, {}, vk);
    massMatrix<G>(tree, pk, mass);
    inverseDynamics<G>(tree, pk, vk, none, {tree.gravity, {}}, inverse);
    factor.compute(Eigen::Map<const Eigen::MatrixXd>(mass.entries.data(), size, size));
    right = -Eigen::Map<const Eigen::VectorXd>(inverse.tau.data(), size);
    factor.solveInPlace(right);
    benchmark::DoNotOptimize(right.data());
  }
}

BENCHMARK(hamiltonian<Planar<double>>)->RangeMultiplier(2)->Range(2, 64)->Name("impulses/hamiltonian/plane");
BENCHMARK(recursive<Planar<double>>)->RangeMultiplier(2)->Range(2, 64)->Name("impulses/recursive/plane");
BENCHMARK(sweeps<Planar<double>>)->RangeMultiplier(2)->Range(2, 64)->Name("impulses/sweeps/plane");
BENCHMARK(dense<Planar<double>>)->RangeMultiplier(2)->Range(2, 64)->Name("impulses/dense/plane");
BENCHMARK(hamiltonian<Spatial<double>>)->RangeMultiplier(2)->Range(2, 64)->Name("impulses/hamiltonian/space");
BENCHMARK(recursive<Spatial<double>>)->RangeMultiplier(2)->Range(2, 64)->Name("impulses/recursive/space");
BENCHMARK(sweeps<Spatial<double>>)->RangeMultiplier(2)->Range(2, 64)->Name("impulses/sweeps/space");
BENCHMARK(dense<Spatial<double>>)->RangeMultiplier(2)->Range(2, 64)->Name("impulses/dense/space");

}  // namespace
