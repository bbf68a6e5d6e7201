// The biconnected blocks of a mechanism's graph: bodies and the ground are vertices, connections are edges.
//
// Two connections are in one block when some closed way through different bodies uses both. What the constraints of one
// block say can repeat only what others of the same block say, so rank is decided block by block    [docs/theory/02].
#pragma once

#include <vector>

#include "linkwork/topology/spanning_tree.hpp"

namespace linkwork {

struct Block {
  std::vector<int> connections;  // ascending
  std::vector<int> bodies;       // ascending; -1, the ground, comes first if it belongs to the block
};

// Every connection is in exactly one block; a relation joins all bodies it names, and what it reaches into is one
// block. A bridge, or a connection of a body with itself, is a block of its own. Bodies without connections are in
// none. Blocks are ordered by their first connection. Linear in the size of the graph, and without recursion: chains
// may be long.
std::vector<Block> biconnectedBlocks(int bodies, const std::vector<Connection>& connections);

}  // namespace linkwork
