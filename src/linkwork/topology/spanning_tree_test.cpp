// The tree and the elimination order on random graphs, and what the order is for: pivots that vanish only for dependent
// rows, and fill that grows no faster than the mechanism.
#include "linkwork/topology/spanning_tree.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "linkwork/base/index.hpp"
#include "linkwork/elements/element_set.hpp"
#include "linkwork/linalg/decompositions.hpp"
#include "linkwork/linalg/kkt.hpp"
#include "linkwork/model/n_four_bar_for_tests.hpp"

namespace linkwork {
namespace spanning_tree_test {

std::vector<Connection> randomGraph(std::mt19937& random, int bodies, int connections) {
  std::vector<Connection> out;
  const auto end = [&] { return static_cast<int>(random() % at(bodies + 1)) - 1; };
  for (int c = 0; c < connections; ++c) out.push_back({end(), end()});
  return out;
}

// Connected components of bodies and ground (ground is the last), by union.
std::vector<int> components(int bodies, const std::vector<Connection>& connections) {
  std::vector<int> root(at(bodies) + 1);
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int k) {
    while (root[at(k)] != k) k = root[at(k)];
    return k;
  };
  for (const Connection& c : connections) {
    const int a = find(c.first < 0 ? bodies : c.first);
    const int b = find(c.second < 0 ? bodies : c.second);
    root[at(std::min(a, b))] = std::max(a, b);  // ground stays a root
  }
  for (int k = 0; k <= bodies; ++k) root[at(k)] = find(k);
  return root;
}

std::vector<int> distancesFromGround(int bodies, const std::vector<Connection>& connections) {
  std::vector<int> distance(at(bodies), -1);
  for (int level = 0; level <= bodies; ++level) {
    for (const Connection& c : connections) {
      const auto reached = [&](int body) {
        return body < 0 ? level == 0 : level > 0 && distance[at(body)] == level - 1;
      };
      const int a = c.first;
      const int b = c.second;
      if (reached(a) && b >= 0 && distance[at(b)] < 0) distance[at(b)] = level;
      if (reached(b) && a >= 0 && distance[at(a)] < 0) distance[at(a)] = level;
    }
  }
  return distance;
}

TEST(SpanningTree, ReachesEveryBodyOnceByTheShortestWay) {
  std::mt19937 random(301);
  for (int trial = 0; trial < 200; ++trial) {
    const int bodies = 1 + static_cast<int>(random() % 15);
    const auto connections = randomGraph(random, bodies, static_cast<int>(random() % 25));
    const SpanningTree tree = planSpanningTree(bodies, connections);
    const auto component = components(bodies, connections);
    const auto distance = distancesFromGround(bodies, connections);
    std::set<int> used;
    for (int b = 0; b < bodies; ++b) {
      const int parent = tree.parent[at(b)];
      const int c = tree.parent_connection[at(b)];
      const bool on_ground_side = component[at(b)] == bodies;
      if (c < 0) {
        EXPECT_EQ(parent, -1);
        EXPECT_EQ(tree.depth[at(b)], 0);
        EXPECT_FALSE(on_ground_side) << "a body that hangs on the ground was left loose";
        continue;
      }
      EXPECT_TRUE(used.insert(c).second);
      const Connection& link = connections[at(c)];
      EXPECT_TRUE((link.first == b && link.second == parent) || (link.second == b && link.first == parent));
      EXPECT_EQ(tree.depth[at(b)], parent < 0 ? 0 : tree.depth[at(parent)] + 1);
      if (on_ground_side) {
        EXPECT_EQ(tree.depth[at(b)], distance[at(b)]);
      }
    }
    // One loose root per island.
    std::set<int> islands;
    for (int b = 0; b < bodies; ++b) {
      if (component[at(b)] != bodies) islands.insert(component[at(b)]);
    }
    EXPECT_EQ(static_cast<std::size_t>(std::count(tree.parent_connection.begin(), tree.parent_connection.end(), -1)),
              islands.size());
    // Cuts are what is left, in order.
    EXPECT_TRUE(std::is_sorted(tree.cuts.begin(), tree.cuts.end()));
    EXPECT_EQ(tree.cuts.size() + used.size(), connections.size());
    for (const int cut : tree.cuts) EXPECT_FALSE(used.contains(cut));
  }
}

// Bodies from one end of a cut to the other through the tree, by marking ancestors; the topmost (shared) body left out.
std::set<int> loopOf(const SpanningTree& tree, const Connection& cut) {
  const auto ancestors = [&](int body) {
    std::vector<int> chain;
    for (; body >= 0; body = tree.parent[at(body)]) chain.push_back(body);
    return chain;
  };
  const auto a = ancestors(cut.first);
  const auto b = ancestors(cut.second);
  std::set<int> out;
  for (const int body : a) {
    if (std::find(b.begin(), b.end(), body) == b.end()) out.insert(body);
  }
  for (const int body : b) {
    if (std::find(a.begin(), a.end(), body) == a.end()) out.insert(body);
  }
  return out;
}

TEST(EliminationOrder, ObeysItsThreeRulesOnRandomGraphs) {
  std::mt19937 random(302);
  for (int trial = 0; trial < 300; ++trial) {
    const int bodies = 1 + static_cast<int>(random() % 15);
    const auto connections = randomGraph(random, bodies, static_cast<int>(random() % 30));
    const SpanningTree tree = planSpanningTree(bodies, connections);
    const std::vector<int> order = eliminationOrder(tree, connections);
    const int nodes = bodies + static_cast<int>(connections.size());
    ASSERT_EQ(order.size(), at(nodes));
    std::vector<int> place(at(nodes), -1);
    for (std::size_t k = 0; k < order.size(); ++k) place[at(order[k])] = static_cast<int>(k);
    ASSERT_EQ(std::count(place.begin(), place.end(), -1), 0) << "every node once";
    for (int b = 0; b < bodies; ++b) {
      const int c = tree.parent_connection[at(b)];
      if (c < 0) continue;
      EXPECT_GT(place[at(bodies + c)], place[at(b)]) << "a tree connection after its child";
      const int parent = tree.parent[at(b)];
      if (parent >= 0) {
        EXPECT_GT(place[at(parent)], place[at(bodies + c)]) << "a body after the connections to its children";
      }
    }
    for (const int c : tree.cuts) {
      for (const int b : loopOf(tree, connections[at(c)])) {
        EXPECT_GT(place[at(bodies + c)], place[at(b)]) << "a cut after the bodies of its loop";
      }
    }
  }
}

// --- what the order is for
// -----------------------------------------------------------------------------------------------

// A KKT structure with `rows` rows per connection, eliminated in this order.
KktStructure structureOf(int bodies, const std::vector<Connection>& connections, const std::vector<int>& rows) {
  KktStructure s;
  s.bodies = bodies;
  s.mass_entries = {{0, 0}, {1, 1}, {2, 2}};
  std::vector<int> first_row;
  for (std::size_t c = 0; c < connections.size(); ++c) {
    first_row.push_back(s.rows());
    for (int r = 0; r < rows[c]; ++r) {
      if (connections[c].first >= 0) s.row_bodies.push_back(connections[c].first);
      if (connections[c].second >= 0) s.row_bodies.push_back(connections[c].second);
      s.row_start.push_back(static_cast<int>(s.row_bodies.size()));
    }
  }
  for (const int node : eliminationOrder(planSpanningTree(bodies, connections), connections)) {
    if (node < bodies) {
      s.order.push_back(node);
    } else {
      const auto c = at(node - bodies);
      for (int r = 0; r < rows[c]; ++r) s.order.push_back(bodies + first_row[c] + r);
    }
  }
  return s;
}

using P = Planar<double>;

// Random planar mechanisms in a random pose that every joint fits (frames are chosen in the pose): pins, slots, welds,
// rods, with as many loops and repeated joints as chance brings. Dropped rows must be as many as the singular values
// say.
TEST(EliminationOrder, PivotsVanishOnlyForDependentRowsOfRandomMechanisms) {
  std::mt19937 random(303);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  int dependent_cases = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int bodies = 1 + static_cast<int>(random() % (trial % 10 == 0 ? 40 : 7));
    std::vector<P::Position> x;
    for (int b = 0; b < bodies; ++b)
      x.push_back(P::position(2 * number(random), 2 * number(random), 3 * number(random)));
    x.emplace_back();
    // A few points only, so that joints often meet in one point and repeat each other exactly.
    std::vector<Vec2<double>> places;
    for (int k = 0; k < 4; ++k) places.push_back({2 * number(random), 2 * number(random)});
    const int joints = 1 + static_cast<int>(random() % at(2 * bodies + 1));
    std::vector<Connection> connections;
    std::vector<int> rows;
    std::vector<double> jacobian;
    for (int c = 0; c < joints; ++c) {
      int i = static_cast<int>(random() % at(bodies + 1));
      int j = static_cast<int>(random() % at(bodies + 1));
      if (i == j) {
        i = 0;
        j = bodies;
      }
      connections.push_back({i == bodies ? -1 : i, j == bodies ? -1 : j});
      const auto& xi = x[at(i)];
      const auto& xj = x[at(j)];
      const auto place = places[random() % places.size()];
      const auto s_A = xi.R.inverseTimes(place - xi.r);
      const auto s_B = xj.R.inverseTimes(place - xj.r);
      int count = 0;
      const auto append = [&](const auto& blocks) {
        for (std::size_t r = 0; r < blocks.first.size(); ++r, ++count) {
          if (i < bodies) jacobian.insert(jacobian.end(), blocks.first[r].begin(), blocks.first[r].end());
          if (j < bodies) jacobian.insert(jacobian.end(), blocks.second[r].begin(), blocks.second[r].end());
        }
      };
      const auto direction = xj.R.inverseTimes({std::cos(double(random() % 3)), std::sin(double(random() % 3))});
      switch (random() % 4) {
        case 0: append(Coincidence<P>{s_A, s_B}.jacobian({xi, xj})); break;
        case 1:
          append(RelativeAngle<P>{0.0}.jacobian({xi, xj}));
          append(PointOnLine<P>{s_A, s_B, direction}.jacobian({xi, xj}));
          break;
        case 2: append(PointOnLine<P>{s_A, s_B, direction}.jacobian({xi, xj})); break;
        default: {
          const auto other = places[random() % places.size()] + Vec2<double>{3.0, 0.0};
          append(Distance<P>{s_A, xj.R.inverseTimes(other - xj.r), 1.0}.jacobian({xi, xj}));
        }
      }
      rows.push_back(count);
    }
    KktSolver solver(structureOf(bodies, connections, rows));
    const KktStructure& s = solver.structure();
    std::copy(jacobian.begin(), jacobian.end(), solver.jacobian().begin());
    std::size_t next = 0;
    for (int b = 0; b < bodies; ++b) {
      const double mass = 1.5 + number(random);
      solver.mass()[next++] = mass;
      solver.mass()[next++] = mass;
      solver.mass()[next++] = 0.6 + 0.5 * number(random);
    }
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(s.rows(), 3 * bodies);
    for (int r = 0; r < s.rows(); ++r) {
      for (int p = s.row_start[at(r)]; p < s.row_start[at(r) + 1]; ++p) {
        for (int k = 0; k < 3; ++k) dense(r, 3 * s.row_bodies[at(p)] + k) = jacobian[at(3 * p + k)];
      }
    }
    Eigen::JacobiSVD<Eigen::MatrixXd> svd(dense);
    svd.setThreshold(1e-9);
    const int nullity = s.rows() - static_cast<int>(svd.rank());
    const auto factored = solver.factor({.row = 1e-10});
    EXPECT_EQ(factored.dropped_rows, nullity)
        << "trial " << trial << ", kept " << factored.smallest_kept << ", dropped " << factored.largest_dropped;
    EXPECT_EQ(factored.singular_body, -1);
    dependent_cases += nullity > 0 ? 1 : 0;
  }
  EXPECT_GT(dependent_cases, 60);
}

// Entries of L per body of the row of four-bar windows. Linear growth: the number does not rise with the number of
// windows.
TEST(EliminationOrder, FillOfTheNFourBarGrowsLinearly) {
  double per_body_at_10 = 0.0;
  for (const int windows : {10, 100, 1000}) {
    const Mechanism mechanism = test::buildNFourBar(windows);
    std::vector<Connection> connections;
    for (const Joint& joint : mechanism.joints) connections.push_back({joint.first.value(), joint.second.value()});
    const int bodies = static_cast<int>(mechanism.bodies.size());
    const KktSolver solver(structureOf(bodies, connections, std::vector<int>(connections.size(), 2)));
    const double per_body = static_cast<double>(solver.fill()) / bodies;
    RecordProperty(fmt::format("fill_per_body_{}", windows), fmt::format("{:.2f}", per_body));
    if (windows == 10) per_body_at_10 = per_body;
    EXPECT_LT(per_body, 1.1 * per_body_at_10) << windows;
    // Two joints of two rows and three freedoms each per body: a window couples at most some ten unknowns to each
    // other.
    EXPECT_LT(per_body, 40.0) << windows;
  }
}

// An open chain has no fill at all beyond the blocks: body (3 freedoms) - joint (2 rows) - parent (3 freedoms).
TEST(EliminationOrder, FillOfAChainIsThatOfItsBlocks) {
  const int bodies = 50;
  std::vector<Connection> connections;
  for (int b = 0; b < bodies; ++b) connections.push_back({b - 1, b});
  const KktSolver solver(structureOf(bodies, connections, std::vector<int>(at(bodies), 2)));
  // Per body: 3 (within the leaf's block, filled by its children's joint) + 2*3 (rows with child) + 1 (between the two
  // rows)
  // + 2*3 (rows with parent).
  EXPECT_LE(solver.fill(), at(16 * bodies));
}

// A relation is no edge: it is a cut, and it waits for the bodies between those it names, but not for the topmost.
TEST(EliminationOrder, ARelationComesAfterTheBodiesBetweenItsOwn) {
  // A chain 0 - 1 - 2 - 3 from the ground; connection 4 relates 1, 2 and 3; connection 5 relates 2 and the ground.
  const std::vector<Connection> connections{{-1, 0}, {0, 1}, {1, 2}, {2, 3}, {-1, -1, {1, 2, 3}}, {-1, -1, {2, -1}}};
  const SpanningTree tree = planSpanningTree(4, connections);
  EXPECT_EQ(tree.parent, (std::vector<int>{-1, 0, 1, 2}));
  EXPECT_EQ(tree.cuts, (std::vector<int>{4, 5}));
  const std::vector<int> order = eliminationOrder(tree, connections);
  ASSERT_EQ(order.size(), 10U);
  const auto place = [&](int node) { return std::find(order.begin(), order.end(), node) - order.begin(); };
  EXPECT_GT(place(4 + 4), place(2));
  EXPECT_GT(place(4 + 4), place(3));
  for (const int body : {0, 1, 2}) EXPECT_GT(place(4 + 5), place(body));
}

}  // namespace spanning_tree_test
}  // namespace linkwork
