// Forward and inverse dynamics of chains of N links by the recursions along a tree, the same planar chain in the plane
// and lifted to space. As ratios in one run: plane against space, and the growth with N.
#include <benchmark/benchmark.h>

#include <cmath>
#include <string>
#include <vector>

#include "linkwork/model/lift.hpp"
#include "linkwork/recursion/articulated.hpp"

namespace {

using namespace linkwork;

// Links of 1 m and 1 kg, centre of mass off the line of the hinges, frames at the hinges.
Mechanism chain(int links) {
  Mechanism m;
  m.gravity = {Value(0.0), Value(-9.81), Value(0.0)};
  for (int k = 0; k < links; ++k) {
    Body body;
    body.name = "link" + std::to_string(k + 1);
    body.mass = 1.0;
    body.inertia = 1.0 / 12.0;
    body.com = {Value(0.5), Value(0.1), Value(0.0)};
    m.bodies.push_back(body);
    Joint joint;
    joint.name = "hinge" + std::to_string(k + 1);
    joint.first = BodyIndex(k - 1);
    joint.second = BodyIndex(k);
    if (k > 0) joint.on_first.point = {Value(1.0), Value(0.0), Value(0.0)};
    m.joints.push_back(joint);
  }
  return m;
}

template <class G>
struct Chain {
  static Tree<G> treeOf(int links) {
    const Mechanism mechanism = G::kSpatial ? liftToSpace(chain(links)) : chain(links);
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

}  // namespace
