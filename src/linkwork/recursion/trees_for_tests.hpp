// Trees for tests: random mechanisms of given joint kinds, and everything about one of their states.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "linkwork/model/space_mechanisms_for_tests.hpp"
#include "linkwork/recursion/articulated.hpp"

namespace linkwork::test {

struct RandomTree {
  Mechanism mechanism;
  std::vector<PlannedLink> edges;
};

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  double operator()(double low = -1.0, double high = 1.0) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }

 private:
  std::mt19937 engine_;
};

inline Quaternion randomTurn(Dice& dice) { return aboutAxis({dice(), dice(), dice()}, dice(-3.0, 3.0)); }

inline Frame randomFrame(Dice& dice, bool spatial) {
  if (!spatial) return frameAt(dice(), dice(), dice(-3.0, 3.0));
  return {{Value(dice()), Value(dice()), Value(dice())}, Value(dice(-3.0, 3.0)), randomTurn(dice)};
}

inline std::vector<JointKind> treeKinds(bool spatial) {
  if (!spatial) return {JointKind::revolute, JointKind::prismatic, JointKind::pin_slot, JointKind::fixed};
  return {JointKind::revolute,  JointKind::prismatic, JointKind::pin_slot, JointKind::fixed, JointKind::cylindrical,
          JointKind::spherical, JointKind::universal, JointKind::planar,   JointKind::screw, JointKind::floating};
}

inline void addRandomBody(Mechanism& m, Dice& dice, bool spatial) {
  const std::string name = fmt::format("b{}", m.bodies.size() + 1);
  const BodyIndex index = addBody(m, name, dice(0.5, 2.0), dice(0.1, 0.5));
  Body& body = m.bodies[index.at()];
  body.com = {Value(dice()), Value(dice()), Value(spatial ? dice() : 0.0)};
  if (spatial) {
    // Any three moments of which none exceeds the others' sum, and products small against them.
    body.tensor =
        Tensor{dice(0.3, 0.5), dice(0.3, 0.5), dice(0.3, 0.5), dice(-0.05, 0.05), dice(-0.05, 0.05), dice(-0.05, 0.05)};
  }
}

// A body for each kind, on the ground or a body before it, from either side; then a body that hangs on nothing.
inline RandomTree randomTree(bool spatial, unsigned seed, const std::vector<JointKind>& kinds, bool chain = false) {
  Dice dice(seed);
  RandomTree out;
  Mechanism& m = out.mechanism;
  m.space = spatial ? Space::spatial : Space::planar;
  m.gravity = {Value(dice(-5, 5)), Value(-9.81), Value(spatial ? dice(-5, 5) : 0.0)};
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    addRandomBody(m, dice, spatial);
    const BodyIndex own(static_cast<int>(k));
    const BodyIndex carrier(chain ? static_cast<int>(k) - 1 : dice.below(static_cast<int>(k) + 1) - 1);
    const bool forward = dice.below(2) == 0;
    Joint& joint = addJoint(m, fmt::format("J{}", k + 1), kinds[k], forward ? carrier : own, randomFrame(dice, spatial),
                            forward ? own : carrier, randomFrame(dice, spatial));
    joint.pitch = dice(0.5, 1.0);
    out.edges.push_back({own.value(), carrier.value(), static_cast<int>(k)});
  }
  addRandomBody(m, dice, spatial);
  out.edges.push_back({static_cast<int>(kinds.size()), -1, -1});
  return out;
}

// All kinds twice, in an order of its own for every seed.
inline RandomTree mixedTree(bool spatial, unsigned seed) {
  std::vector<JointKind> kinds = treeKinds(spatial);
  const std::size_t n = kinds.size();
  for (std::size_t k = 0; k < n; ++k) kinds.push_back(kinds[k]);
  std::mt19937 engine(seed);
  std::shuffle(kinds.begin(), kinds.end(), engine);
  return randomTree(spatial, seed, kinds);
}

// Prescribes every other angle and every other slide that has a name; the drives' numbers are motions.
inline int prescribeSome(RandomTree& tree) {
  int motions = 0;
  bool angle = true;
  bool slide = true;
  for (PlannedLink& link : tree.edges) {
    if (link.joint < 0) continue;
    const JointKind kind = tree.mechanism.joints[static_cast<std::size_t>(link.joint)].kind;
    if (hasAngle(kind) && std::exchange(angle, !angle)) link.angle_drive = motions++;
    if (hasSlide(kind) && kind != JointKind::screw && std::exchange(slide, !slide)) link.slide_drive = motions++;
  }
  return motions;
}

// A state of a tree, random but for the unit length of quaternions, and what the kernels make of it.
template <class G>
struct TreeState {
  using T = typename G::Scalar;
  TreeState(const RandomTree& random, int motion_count, unsigned seed)
      : tree(makeTree<G>(random.mechanism, random.edges)),
        q(static_cast<std::size_t>(tree.coordinates)),
        u(static_cast<std::size_t>(tree.freedoms)),
        udot(u.size()),
        motions(static_cast<std::size_t>(motion_count)),
        wrenches(tree.links.size()),
        pk(tree),
        vk(tree) {
    Dice dice(seed);
    for (T& a : q) a = T(dice());
    for (T& a : u) a = T(dice());
    for (T& a : udot) a = T(dice());
    for (Motion<T>& motion : motions) motion = {T(dice()), T(dice()), T(dice())};
    for (auto& wrench : wrenches) {
      typename G::RowBlock entries;
      for (T& entry : entries) entry = T(dice());
      wrench = wrenchOf<G>(entries, T(1.0));
    }
    normaliseBalls();
    evaluate();
  }

  void evaluate() {
    positionKinematics<G>(tree, q, motions, pk);
    velocityKinematics<G>(tree, pk, u, motions, vk);
  }
  TreeLoads<G> loads() const { return {tree.gravity, wrenches}; }

  Tree<G> tree;
  std::vector<T> q, u, udot;
  std::vector<Motion<T>> motions;
  std::vector<typename G::Wrench> wrenches;
  PositionKinematics<G> pk;
  VelocityKinematics<G> vk;

 private:
  void normaliseBalls() {
    for (const auto& link : tree.links) {
      if (link.turn != TurnKind::ball) continue;
      const int column = link.first_column + link.slides;
      T* o = &q[static_cast<std::size_t>(tree.columns[static_cast<std::size_t>(column)].coordinate)];
      const T size = sqrt(o[0] * o[0] + o[1] * o[1] + o[2] * o[2] + o[3] * o[3]);
      for (int k = 0; k < 4; ++k) o[k] = o[k] / size;
    }
  }
};

}  // namespace linkwork::test
