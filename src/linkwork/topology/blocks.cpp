#include "linkwork/topology/blocks.hpp"

#include <algorithm>
#include <utility>

namespace linkwork {

namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

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

}  // namespace

// Depth-first search with the lowest number reachable over one edge back (Hopcroft and Tarjan): when nothing below a
// vertex reaches above its parent, the edges gathered since form a block.
std::vector<Block> biconnectedBlocks(int bodies, const std::vector<Connection>& connections) {
  const int vertices = bodies + 1;  // last: the ground
  std::vector<Connection> ends;
  ends.reserve(connections.size());
  for (const Connection& c : connections) {
    ends.push_back({c.first < 0 ? bodies : c.first, c.second < 0 ? bodies : c.second});
  }
  const Touching touching(vertices, ends);

  std::vector<Block> blocks;
  const auto close = [&](std::vector<int> edges) {
    Block block;
    block.connections = std::move(edges);
    std::sort(block.connections.begin(), block.connections.end());
    for (const int e : block.connections) {
      block.bodies.push_back(connections[at(e)].first < 0 ? -1 : connections[at(e)].first);
      block.bodies.push_back(connections[at(e)].second < 0 ? -1 : connections[at(e)].second);
    }
    std::sort(block.bodies.begin(), block.bodies.end());
    block.bodies.erase(std::unique(block.bodies.begin(), block.bodies.end()), block.bodies.end());
    blocks.push_back(std::move(block));
  };

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
  std::sort(blocks.begin(), blocks.end(),
            [](const Block& a, const Block& b) { return a.connections.front() < b.connections.front(); });
  return blocks;
}

}  // namespace linkwork
