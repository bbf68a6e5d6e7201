// Spanning trees of greatest weight with short loops.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <queue>
#include <tuple>

#include "linkwork/base/index.hpp"
#include "linkwork/topology/tree_plan.hpp"

namespace linkwork {

namespace {

// Beyond this many loops the first tree, breadth first from the ground, is kept: comparing costs the square of it.
constexpr int kMostLoops = 256;
constexpr int kMostSweeps = 100;

class Planner {
 public:
  Planner(int bodies, const std::vector<TreeJoint>& joints)
      : bodies_(bodies),
        joints_(joints),
        in_tree_(joints.size(), 0),
        is_root_(at(bodies), 0),
        touching_(at(bodies) + 1) {
    for (int j = 0; j < static_cast<int>(joints.size()); ++j) {
      touching_[slot(joints[at(j)].first)].push_back(j);
      touching_[slot(joints[at(j)].second)].push_back(j);
    }
  }

  WeightedTree plan() {
    grow();
    hang();
    if (cutCount() <= kMostLoops) {
      findLoops();
      shortenLoops();
      hang();
    }
    measureLoops();
    return std::move(out_);
  }

 private:
  // The way round through the tree that a joint outside of it closes: a bit for every joint on it, and after those one
  // for every body that hangs on nothing.
  struct Loop {
    int joint = 0;
    int length = 0;
    std::vector<std::uint64_t> edges;
    bool has(int edge) const { return ((edges[at(edge) / 64] >> (at(edge) % 64)) & 1U) != 0; }
    void flip(int edge) { edges[at(edge) / 64] ^= std::uint64_t{1} << (at(edge) % 64); }
  };

  std::size_t slot(int body) const { return at(body < 0 ? bodies_ : body); }
  int otherEnd(int joint, int body) const {
    const TreeJoint& j = joints_[at(joint)];
    return j.first == body ? j.second : j.first;
  }

  // The heaviest joint that reaches a new body, always: no spanning tree is heavier. Among equals the one nearest to
  // the ground, then the first.
  void grow() {
    struct Candidate {
      int weight, depth, joint, body;
      bool operator<(const Candidate& other) const {  // the better one is the greater
        return std::tie(weight, other.depth, other.joint) < std::tie(other.weight, depth, joint);
      }
    };
    std::priority_queue<Candidate> front;
    std::vector<char> reached(at(bodies_), 0);
    const auto offer = [&](int body, int depth) {
      for (const int j : touching_[slot(body)]) {
        const int other = otherEnd(j, body);
        if (joints_[at(j)].carries && other >= 0 && reached[at(other)] == 0)
          front.push({joints_[at(j)].weight, depth, j, other});
      }
    };
    const auto spread = [&](int root) {
      offer(root, 0);
      while (!front.empty()) {
        const Candidate best = front.top();
        front.pop();
        if (reached[at(best.body)] != 0) continue;
        reached[at(best.body)] = 1;
        in_tree_[at(best.joint)] = 1;
        offer(best.body, best.depth + 1);
      }
    };
    spread(-1);
    for (int b = 0; b < bodies_; ++b) {
      if (reached[at(b)] != 0) continue;
      reached[at(b)] = 1;
      is_root_[at(b)] = 1;
      spread(b);
    }
  }

  // Parents and order from the joints in the tree, depth first without recursion.
  void hang() {
    out_.parent.assign(at(bodies_), -1);
    out_.parent_joint.assign(at(bodies_), -1);
    out_.order.clear();
    depth_.assign(at(bodies_), 0);
    struct Step {
      int body, parent, joint;
    };
    std::vector<Step> stack;
    const auto push = [&](int body, int came_by) {
      const auto& joints = touching_[slot(body)];
      for (auto j = joints.rbegin(); j != joints.rend(); ++j) {
        const int other = otherEnd(*j, body);
        if (in_tree_[at(*j)] != 0 && *j != came_by && other >= 0) stack.push_back({other, body, *j});
      }
    };
    const auto visit = [&] {
      while (!stack.empty()) {
        const Step step = stack.back();
        stack.pop_back();
        out_.parent[at(step.body)] = step.parent;
        out_.parent_joint[at(step.body)] = step.joint;
        depth_[at(step.body)] = step.parent < 0 ? 0 : depth_[at(step.parent)] + 1;
        out_.order.push_back(step.body);
        push(step.body, step.joint);
      }
    };
    push(-1, -1);
    visit();
    for (int b = 0; b < bodies_; ++b) {
      if (is_root_[at(b)] == 0) continue;
      stack.push_back({b, -1, -1});
      visit();
    }
  }

  bool closesLoop(int j) const { return in_tree_[at(j)] == 0 && joints_[at(j)].first != joints_[at(j)].second; }
  int cutCount() const {
    int count = 0;
    for (int j = 0; j < static_cast<int>(joints_.size()); ++j) count += closesLoop(j) ? 1 : 0;
    return count;
  }

  // Joints on every loop: up from the deeper end, until the two meet.
  void measureLoops() {
    out_.loop.assign(joints_.size(), 0);
    const auto depth = [&](int body) { return body < 0 ? -1 : depth_[at(body)]; };
    for (int j = 0; j < static_cast<int>(joints_.size()); ++j) {
      if (!closesLoop(j)) continue;
      int length = 1;
      for (int a = joints_[at(j)].first, b = joints_[at(j)].second; a != b; ++length) {
        int& deeper = depth(a) >= depth(b) ? a : b;
        deeper = out_.parent[at(deeper)];
      }
      out_.loop[at(j)] = length;
    }
  }

  void findLoops() {
    const std::size_t words = (joints_.size() + at(bodies_)) / 64 + 1;
    for (int j = 0; j < static_cast<int>(joints_.size()); ++j) {
      if (!closesLoop(j)) continue;
      const TreeJoint& joint = joints_[at(j)];
      Loop loop{j, 0, std::vector<std::uint64_t>(words, 0)};
      loop.flip(j);
      // Up from both ends: what both ways have in common cancels.
      for (int body : {joint.first, joint.second}) {
        for (; body >= 0; body = out_.parent[at(body)]) {
          const int by = out_.parent_joint[at(body)];
          loop.flip(by >= 0 ? by : static_cast<int>(joints_.size()) + body);
        }
      }
      loop.length = lengthOf(loop.edges);
      loops_.push_back(std::move(loop));
    }
  }

  static int lengthOf(const std::vector<std::uint64_t>& edges) {
    int length = 0;
    for (const std::uint64_t word : edges) length += std::popcount(word);
    return length;
  }

  // When a cut joint c and a tree joint e on its loop change places, every other loop through e takes the way round
  // along the loop of c: the symmetric difference of the two.
  int gainOf(const Loop& cut, int e) const {
    int gain = 0;
    for (const Loop& loop : loops_) {
      if (&loop == &cut || !loop.has(e)) continue;
      int length = 0;
      for (std::size_t w = 0; w < loop.edges.size(); ++w) length += std::popcount(loop.edges[w] ^ cut.edges[w]);
      gain += loop.length - length;
    }
    return gain;
  }

  void swap(Loop& cut, int e) {
    for (Loop& loop : loops_) {
      if (&loop == &cut || !loop.has(e)) continue;
      for (std::size_t w = 0; w < loop.edges.size(); ++w) loop.edges[w] ^= cut.edges[w];
      loop.length = lengthOf(loop.edges);
    }
    in_tree_[at(cut.joint)] = 1;
    in_tree_[at(e)] = 0;
    cut.joint = e;
  }

  void shortenLoops() {
    bool shorter = true;
    for (int sweep = 0; sweep < kMostSweeps && shorter; ++sweep) {
      shorter = false;
      for (Loop& cut : loops_) {
        const TreeJoint& joint = joints_[at(cut.joint)];
        if (!joint.carries) continue;
        int best = -1;
        int best_gain = 0;
        for (int e = 0; e < static_cast<int>(joints_.size()); ++e) {
          if (e == cut.joint || !cut.has(e) || joints_[at(e)].weight != joint.weight) continue;
          const int gain = gainOf(cut, e);
          if (gain <= best_gain) continue;
          best = e;
          best_gain = gain;
        }
        if (best < 0) continue;
        swap(cut, best);
        shorter = true;
      }
    }
  }

  int bodies_;
  const std::vector<TreeJoint>& joints_;
  std::vector<char> in_tree_, is_root_;
  std::vector<std::vector<int>> touching_;  // joints of each body; last: of the ground
  std::vector<int> depth_;
  std::vector<Loop> loops_;
  WeightedTree out_;
};

}  // namespace

WeightedTree planWeightedTree(int bodies, const std::vector<TreeJoint>& joints) {
  return Planner(bodies, joints).plan();
}

}  // namespace linkwork
