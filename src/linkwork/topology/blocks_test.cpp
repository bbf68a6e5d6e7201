#include "linkwork/topology/blocks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace linkwork {
namespace blocks_test {

using testing::ElementsAre;

TEST(Blocks, ChainIsAsManyBlocksAsConnections) {
  const auto blocks = biconnectedBlocks(3, {{-1, 0}, {0, 1}, {1, 2}});
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_THAT(blocks[0].bodies, ElementsAre(-1, 0));
  EXPECT_THAT(blocks[2].connections, ElementsAre(2));
}

TEST(Blocks, LoopsThatShareOnlyABodyAreApart) {
  // A four-bar over ground (connections 0-3) and a triangle 2-3-4 that hangs on body 2 (4-6); 7 is a bridge to body 5.
  const auto blocks = biconnectedBlocks(6, {{-1, 0}, {0, 1}, {1, 2}, {2, -1}, {2, 3}, {3, 4}, {4, 2}, {4, 5}});
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_THAT(blocks[0].connections, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(blocks[0].bodies, ElementsAre(-1, 0, 1, 2));
  EXPECT_THAT(blocks[1].connections, ElementsAre(4, 5, 6));
  EXPECT_THAT(blocks[1].bodies, ElementsAre(2, 3, 4));
  EXPECT_THAT(blocks[2].connections, ElementsAre(7));
}

TEST(Blocks, TwoConnectionsOfTheSameBodiesAreOneBlock) {
  const auto blocks = biconnectedBlocks(2, {{-1, 0}, {0, -1}, {0, 1}});
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_THAT(blocks[0].connections, ElementsAre(0, 1));
}

TEST(Blocks, ConnectionOfTheGroundWithItselfStandsAlone) {
  const auto blocks = biconnectedBlocks(1, {{-1, -1}, {-1, 0}});
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_THAT(blocks[0].bodies, ElementsAre(-1));
}

TEST(Blocks, IslandsWithoutGroundAreFound) {
  const auto blocks = biconnectedBlocks(4, {{0, 1}, {1, 2}, {2, 0}});
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_THAT(blocks[0].bodies, ElementsAre(0, 1, 2));
}

TEST(Blocks, LongChainNeedsNoDeepStack) {
  constexpr int kBodies = 200000;
  std::vector<Connection> connections;
  connections.reserve(kBodies + 1);
  for (int b = 0; b < kBodies; ++b) connections.push_back({b - 1, b});
  EXPECT_EQ(biconnectedBlocks(kBodies, connections).size(), static_cast<std::size_t>(kBodies));
  connections.push_back({kBodies - 1, -1});
  EXPECT_EQ(biconnectedBlocks(kBodies, connections).size(), 1u);
}

// Are a and b connected when `without` is taken out of the graph?
bool joined(int vertices, const std::vector<Connection>& edges, int a, int b, int without) {
  std::vector<int> leader(static_cast<std::size_t>(vertices));
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int v) {
    while (leader[static_cast<std::size_t>(v)] != v) v = leader[static_cast<std::size_t>(v)];
    return v;
  };
  for (const auto& [i, j, related] : edges) {
    if (i != without && j != without) leader[static_cast<std::size_t>(find(i))] = find(j);
  }
  return find(a) == find(b);
}

// Two edges {v, a} and {v, b} at one vertex are in one block exactly when a and b stay connected without v.
TEST(Blocks, NeighbouringEdgesShareABlockExactlyWhenTheirEndsStayJoinedWithoutTheVertex) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const int bodies = 1 + static_cast<int>(random() % 7);
    const int count = static_cast<int>(random() % 12);
    std::vector<Connection> edges;  // the ground as number `bodies`
    edges.reserve(static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) {
      edges.push_back({static_cast<int>(random() % static_cast<unsigned>(bodies + 1)),
                       static_cast<int>(random() % static_cast<unsigned>(bodies + 1))});
    }
    std::vector<Connection> connections = edges;
    for (Connection& c : connections) {
      if (c.first == bodies) c.first = -1;
      if (c.second == bodies) c.second = -1;
    }
    std::vector<int> block_of(edges.size(), -1);
    const auto blocks = biconnectedBlocks(bodies, connections);
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      for (const int e : blocks[k].connections) {
        EXPECT_EQ(block_of[static_cast<std::size_t>(e)], -1);
        block_of[static_cast<std::size_t>(e)] = static_cast<int>(k);
      }
    }
    EXPECT_EQ(std::count(block_of.begin(), block_of.end(), -1), 0);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      for (std::size_t f = 0; f < e; ++f) {
        if (edges[e].first == edges[e].second || edges[f].first == edges[f].second) {
          EXPECT_NE(block_of[e], block_of[f]);
          continue;
        }
        for (const int v : {edges[e].first, edges[e].second}) {
          if (v != edges[f].first && v != edges[f].second) continue;
          const int a = edges[e].first == v ? edges[e].second : edges[e].first;
          const int b = edges[f].first == v ? edges[f].second : edges[f].first;
          EXPECT_EQ(block_of[e] == block_of[f], joined(bodies + 1, edges, a, b, v)) << "trial " << trial;
        }
      }
    }
  }
}

// Four hinges on the ground are four blocks; a gear between the first two and a coupling of the last three leave one
// that holds all they reach, and relations that share a body are in one block.
TEST(Blocks, ARelationJoinsAllThatItReaches) {
  const std::vector<Connection> hinges{{-1, 0}, {-1, 1}, {-1, 2}, {-1, 3}};
  EXPECT_EQ(biconnectedBlocks(4, hinges).size(), 4U);
  std::vector<Connection> geared = hinges;
  geared.push_back({-1, -1, {0, 1, -1}});
  const auto two = biconnectedBlocks(4, geared);
  ASSERT_EQ(two.size(), 3U);
  EXPECT_EQ(two[0].connections, (std::vector<int>{0, 1, 4}));
  EXPECT_EQ(two[0].bodies, (std::vector<int>{-1, 0, 1}));
  geared.push_back({-1, -1, {1, 2, 3, -1}});
  EXPECT_EQ(biconnectedBlocks(4, geared).size(), 1U);
  // A chain from the ground, geared at its far end without the ground: the bridge to the ground stays a block.
  const auto chain = biconnectedBlocks(3, {{-1, 0}, {0, 1}, {1, 2}, {-1, -1, {0, 1, 2}}});
  ASSERT_EQ(chain.size(), 2U);
  EXPECT_EQ(chain[0].connections, (std::vector<int>{0}));
  EXPECT_EQ(chain[1].connections, (std::vector<int>{1, 2, 3}));
}

}  // namespace blocks_test
}  // namespace linkwork
