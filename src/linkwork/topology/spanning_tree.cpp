#include "linkwork/topology/spanning_tree.hpp"

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

#include "linkwork/base/index.hpp"

namespace linkwork {

namespace {

// Bodies on the way between two, without the topmost body that both branches share, which is returned.
int addWay(const SpanningTree& tree, int a, int b, std::vector<int>& bodies) {
  const auto depth = [&](int body) { return body < 0 ? -1 : tree.depth[at(body)]; };
  while (a != b) {
    int& deeper = depth(a) >= depth(b) ? a : b;
    bodies.push_back(deeper);
    deeper = tree.parent[at(deeper)];
  }
  return a;
}

// Bodies on the loop that a cut closes, or on the ways between all bodies of a relation, without the topmost.
std::vector<int> loopBodies(const SpanningTree& tree, const Connection& cut) {
  std::vector<int> bodies;
  addWay(tree, cut.first, cut.second, bodies);
  if (cut.related.empty()) return bodies;
  int top = cut.related.front();
  for (const int body : cut.related) top = addWay(tree, top, body, bodies);
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}

// Neighbours of the nodes not yet eliminated, with the fill that elimination brings.
class FillGraph {
 public:
  explicit FillGraph(std::size_t nodes) : neighbours_(nodes) {}

  void join(int a, int b) {
    neighbours_[at(a)].push_back(b);
    neighbours_[at(b)].push_back(a);
  }
  void finish() {
    for (auto& list : neighbours_) makeUnique(list);
  }
  std::size_t degree(int node) const { return neighbours_[at(node)].size(); }

  // Removes a node and joins its neighbours with each other; returns them.
  std::vector<int> eliminate(int node) {
    std::vector<int> around = std::move(neighbours_[at(node)]);
    neighbours_[at(node)].clear();
    std::vector<int> merged;
    for (const int neighbour : around) {
      auto& list = neighbours_[at(neighbour)];
      merged.clear();
      std::set_union(list.begin(), list.end(), around.begin(), around.end(), std::back_inserter(merged));
      std::erase_if(merged, [&](int other) { return other == node || other == neighbour; });
      list = merged;
    }
    return around;
  }

 private:
  static void makeUnique(std::vector<int>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  std::vector<std::vector<int>> neighbours_;
};

}  // namespace

SpanningTree planSpanningTree(int bodies, const std::vector<Connection>& connections) {
  SpanningTree tree;
  tree.parent.assign(at(bodies), -1);
  tree.parent_connection.assign(at(bodies), -1);
  tree.depth.assign(at(bodies), 0);
  std::vector<std::vector<int>> touching(at(bodies) + 1);  // last: ground
  const auto slot = [&](int body) { return at(body < 0 ? bodies : body); };
  for (std::size_t c = 0; c < connections.size(); ++c) {
    touching[slot(connections[c].first)].push_back(static_cast<int>(c));
    touching[slot(connections[c].second)].push_back(static_cast<int>(c));
  }

  std::vector<char> reached(at(bodies), 0);
  std::vector<char> in_tree(connections.size(), 0);
  std::queue<int> front;
  const auto spread = [&](int root) {
    front.push(root);
    while (!front.empty()) {
      const int body = front.front();
      front.pop();
      for (const int c : touching[slot(body)]) {
        const Connection& connection = connections[at(c)];
        const int other = connection.first == body ? connection.second : connection.first;
        if (other < 0 || reached[at(other)] != 0) continue;
        reached[at(other)] = 1;
        in_tree[at(c)] = 1;
        tree.parent[at(other)] = body;
        tree.parent_connection[at(other)] = c;
        tree.depth[at(other)] = body < 0 ? 0 : tree.depth[at(body)] + 1;
        front.push(other);
      }
    }
  };
  spread(-1);
  for (int b = 0; b < bodies; ++b) {
    if (reached[at(b)] != 0) continue;
    reached[at(b)] = 1;  // a free body: the root of an island
    spread(b);
  }
  for (std::size_t c = 0; c < connections.size(); ++c) {
    if (in_tree[c] == 0) tree.cuts.push_back(static_cast<int>(c));
  }
  return tree;
}

std::vector<int> eliminationOrder(const SpanningTree& tree, const std::vector<Connection>& connections) {
  const int bodies = static_cast<int>(tree.parent.size());
  const int nodes = bodies + static_cast<int>(connections.size());
  FillGraph graph(at(nodes));
  for (std::size_t c = 0; c < connections.size(); ++c) {
    const int node = bodies + static_cast<int>(c);
    if (connections[c].first >= 0) graph.join(node, connections[c].first);
    if (connections[c].second >= 0 && connections[c].second != connections[c].first)
      graph.join(node, connections[c].second);
    for (const int body : connections[c].related) {
      if (body >= 0) graph.join(node, body);
    }
  }
  graph.finish();

  // waiting[n]: how many nodes must go before n; released[n]: those that wait for n.
  std::vector<int> waiting(at(nodes), 0);
  std::vector<std::vector<int>> released(at(nodes));
  const auto after = [&](int node, int earlier) {
    ++waiting[at(node)];
    released[at(earlier)].push_back(node);
  };
  for (int b = 0; b < bodies; ++b) {
    const int c = tree.parent_connection[at(b)];
    if (c < 0) continue;
    after(bodies + c, b);
    if (tree.parent[at(b)] >= 0) after(tree.parent[at(b)], bodies + c);
  }
  for (const int c : tree.cuts) {
    for (const int b : loopBodies(tree, connections[at(c)])) after(bodies + c, b);
  }

  // Fewest neighbours first; among equals the one touched last, so that neighbours in the mechanism are neighbours in
  // memory.
  struct Candidate {
    std::size_t degree;
    long stamp;
    int node;
    bool operator<(const Candidate& other) const {
      return std::tie(other.degree, stamp) < std::tie(degree, other.stamp);
    }
  };
  std::priority_queue<Candidate> candidates;
  long stamp = 0;
  const auto offer = [&](int node) { candidates.push({graph.degree(node), stamp++, node}); };
  std::vector<char> done(at(nodes), 0);
  for (int n = 0; n < nodes; ++n) {
    if (waiting[at(n)] == 0) offer(n);
  }
  std::vector<int> order;
  order.reserve(at(nodes));
  while (!candidates.empty()) {
    const auto [degree, unused, node] = candidates.top();
    candidates.pop();
    if (done[at(node)] != 0 || degree != graph.degree(node))
      continue;  // an outdated entry: a newer one is in the queue
    done[at(node)] = 1;
    order.push_back(node);
    for (const int neighbour : graph.eliminate(node)) {
      if (waiting[at(neighbour)] == 0) offer(neighbour);
    }
    for (const int next : released[at(node)]) {
      if (--waiting[at(next)] == 0) offer(next);
    }
  }
  return order;
}

}  // namespace linkwork
