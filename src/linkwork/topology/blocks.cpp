#include "linkwork/topology/blocks.hpp"

#include <algorithm>
#include <utility>

#include "linkwork/base/index.hpp"

namespace linkwork {

namespace {

// Neighbours of all vertices in one list: edges touching vertex v are edge[start[v]] to edge[start[v + 1] - 1].
struct Touching {
  std::vector<int> start, edge;

  Touching(int vertices, const std::vector<Connection>& ends) : start(at(vertices) + 1, 0), edge(2 * ends.size()) {
    for (const Connection& c : ends) {
      ++start[at(c.first) + 1];
      ++start[at(c.second) + 1];
    }
    for (std::size_t v = 1; v < start.size(); ++v) start[v] += start[v - 1];
    std::vector<int> next = start;
    for (std::size_t c = 0; c < ends.size(); ++c) {
      edge[at(next[at(ends[c].first)]++)] = static_cast<int>(c);
      edge[at(next[at(ends[c].second)]++)] = static_cast<int>(c);
    }
  }
};

// Blocks of edges as blocks of connections: what a relation reaches into is one block.
std::vector<Block> joined(const std::vector<std::vector<int>>& closed, const std::vector<int>& owner,
                          const std::vector<Connection>& connections) {
  std::vector<int> root(closed.size());
  for (std::size_t b = 0; b < root.size(); ++b) root[b] = static_cast<int>(b);
  const auto find = [&](int b) {
    while (root[at(b)] != b) b = root[at(b)] = root[at(root[at(b)])];
    return b;
  };
  std::vector<int> block_of(connections.size(), -1);
  for (std::size_t b = 0; b < closed.size(); ++b) {
    for (const int e : closed[b]) {
      int& first = block_of[at(owner[at(e)])];
      if (first < 0) first = static_cast<int>(b);
      root[at(find(static_cast<int>(b)))] = find(first);
    }
  }
  std::vector<Block> all(closed.size());
  for (std::size_t c = 0; c < connections.size(); ++c) {
    Block& block = all[at(find(block_of[c]))];
    block.connections.push_back(static_cast<int>(c));
    const Connection& connection = connections[c];
    if (connection.related.size() < 2) {
      block.bodies.push_back(std::max(connection.first, -1));
      block.bodies.push_back(std::max(connection.second, -1));
    }
    for (const int body : connection.related) block.bodies.push_back(std::max(body, -1));
  }
  std::vector<Block> out;
  for (Block& block : all) {
    if (block.connections.empty()) continue;
    std::sort(block.bodies.begin(), block.bodies.end());
    block.bodies.erase(std::unique(block.bodies.begin(), block.bodies.end()), block.bodies.end());
    out.push_back(std::move(block));
  }
  return out;
}

}  // namespace

// Depth-first search with the lowest number reachable over one edge back (Hopcroft and Tarjan): when nothing below a
// vertex reaches above its parent, the edges gathered since form a block.
std::vector<Block> biconnectedBlocks(int bodies, const std::vector<Connection>& connections) {
  const int vertices = bodies + 1;  // last: the ground
  std::vector<Connection> ends;
  std::vector<int> owner;  // the connection of an edge: a relation has one to each of its bodies
  ends.reserve(connections.size());
  for (std::size_t k = 0; k < connections.size(); ++k) {
    const Connection& c = connections[k];
    const auto vertex = [&](int body) { return body < 0 ? bodies : body; };
    const auto add = [&](int from, int to) {
      ends.push_back({vertex(from), vertex(to)});
      owner.push_back(static_cast<int>(k));
    };
    if (c.related.size() < 2) add(c.first, c.second);
    for (std::size_t r = 1; r < c.related.size(); ++r) add(c.related[0], c.related[r]);
  }
  const Touching touching(vertices, ends);

  std::vector<std::vector<int>> closed;  // edges
  const auto close = [&](std::vector<int> edges) { closed.push_back(std::move(edges)); };

  struct Visit {
    int vertex;
    int came_by;  // edge
    int next;     // place in touching.edge
  };
  std::vector<int> number(at(vertices), -1);
  std::vector<int> low(at(vertices), 0);
  std::vector<int> gathered;
  std::vector<Visit> way;
  int count = 0;
  const auto enter = [&](int vertex, int came_by) {
    number[at(vertex)] = low[at(vertex)] = count++;
    way.push_back({vertex, came_by, touching.start[at(vertex)]});
  };
  for (int root = vertices - 1; root >= 0; --root) {
    if (number[at(root)] >= 0) continue;
    enter(root, -1);
    while (!way.empty()) {
      Visit& here = way.back();
      const int v = here.vertex;
      if (here.next < touching.start[at(v) + 1]) {
        const int e = touching.edge[at(here.next++)];
        const int other = ends[at(e)].first == v ? ends[at(e)].second : ends[at(e)].first;
        if (e == here.came_by || other == v) continue;
        if (number[at(other)] < 0) {
          gathered.push_back(e);
          enter(other, e);
        } else if (number[at(other)] < number[at(v)]) {
          gathered.push_back(e);
          low[at(v)] = std::min(low[at(v)], number[at(other)]);
        }
        continue;
      }
      const int came_by = here.came_by;
      way.pop_back();
      if (way.empty()) break;
      const int parent = way.back().vertex;
      low[at(parent)] = std::min(low[at(parent)], low[at(v)]);
      if (low[at(v)] < number[at(parent)]) continue;
      const auto first = std::find(gathered.rbegin(), gathered.rend(), came_by).base() - 1;
      close({first, gathered.end()});
      gathered.erase(first, gathered.end());
    }
  }
  for (std::size_t c = 0; c < ends.size(); ++c) {
    if (ends[c].first == ends[c].second) close({static_cast<int>(c)});
  }
  std::vector<Block> blocks = joined(closed, owner, connections);
  std::sort(blocks.begin(), blocks.end(),
            [](const Block& a, const Block& b) { return a.connections.front() < b.connections.front(); });
  return blocks;
}

}  // namespace linkwork
