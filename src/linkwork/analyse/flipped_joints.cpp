#include "linkwork/analyse/flipped_joints.hpp"

#include <algorithm>
#include <array>

#include "linkwork/analyse/places.hpp"
#include "linkwork/base/index.hpp"
#include "linkwork/geometry/spatial.hpp"
#include "linkwork/topology/spanning_tree.hpp"

namespace linkwork {

namespace {

using V3 = Vec3<double>;

}  // namespace

bool turnFlipped(const Mechanism& mechanism, std::vector<double>& q) {
  if (mechanism.space == Space::planar) return false;
  const int bodies = static_cast<int>(mechanism.bodies.size());
  std::vector<Connection> connections;
  for (const Joint& joint : mechanism.joints) connections.push_back({joint.first.value(), joint.second.value()});
  const SpanningTree tree = planSpanningTree(bodies, connections);
  std::vector<std::vector<int>> children(at(bodies));
  std::vector<int> order;
  for (int b = 0; b < bodies; ++b) {
    if (tree.parent[at(b)] >= 0) {
      children[at(tree.parent[at(b)])].push_back(b);
    } else {
      order.push_back(b);
    }
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    order.insert(order.end(), children[at(order[k])].begin(), children[at(order[k])].end());
  }
  const auto turnTree = [&](int top, const V3& about, const V3& axis) {
    std::vector<int> front{top};
    for (std::size_t k = 0; k < front.size(); ++k) {
      front.insert(front.end(), children[at(front[k])].begin(), children[at(front[k])].end());
      double* x = &q[at(7 * front[k])];
      const V3 arm = V3{x[0], x[1], x[2]} - about;
      const V3 place = about + axis * (2.0 * dot(axis, arm)) - arm;  // half a turn
      const Quaternion turned = product({0.0, axis.x, axis.y, axis.z}, {x[3], x[4], x[5], x[6]});
      std::copy_n(std::array{place.x, place.y, place.z}.begin(), 3, x);
      std::copy(turned.begin(), turned.end(), x + 3);
    }
  };
  bool any = false;
  for (const int b : order) {
    if (tree.parent_connection[at(b)] < 0) continue;
    const Joint& joint = mechanism.joints[at(tree.parent_connection[at(b)])];
    for (int turn = 0; turn < 2 && isFlipped(mechanism, joint, q); ++turn) {
      const Place first = placeOfFrame(mechanism, joint.first, joint.on_first, q);
      const Place second = placeOfFrame(mechanism, joint.second, joint.on_second, q);
      const Place& own = joint.second.value() == b ? second : first;
      turnTree(b, own.r, dot(first.R.z, second.R.z) < 0.0 ? own.R.x : own.R.z);
      any = true;
    }
  }
  return any;
}

std::vector<int> flippedJoints(const Mechanism& mechanism, const std::vector<double>& q) {
  std::vector<int> out;
  for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
    if (isFlipped(mechanism, mechanism.joints[k], q)) out.push_back(static_cast<int>(k));
  }
  return out;
}

}  // namespace linkwork
