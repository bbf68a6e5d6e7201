// The graph of a mechanism: bodies joined by constraints, a spanning tree from the ground, and the constraints left
// over, each of which closes a loop (or repeats a joint).
#pragma once

#include <vector>

namespace linkwork {

// Bodies are numbered from 0; -1 is the ground. A relation of several bodies (a gear, a coupling) has -1 for both and
// lists them (the ground too, where it relates to that): it is never an edge of the tree, and counts as a cut.
struct Connection {
  int first = -1;
  int second = -1;
  std::vector<int> related{};
};

struct SpanningTree {
  std::vector<int> parent;             // of each body: a body, or -1 for the ground
  std::vector<int> parent_connection;  // index of the connection to the parent; -1 for a body that hangs on nothing
  std::vector<int> depth;              // 0 for a body on the ground or on nothing
  std::vector<int> cuts;               // connections outside the tree, in their order
};

// Breadth first from the ground, so that chains are short. A connection of the ground with itself is always a cut.
SpanningTree planSpanningTree(int bodies, const std::vector<Connection>& connections);

// An order in which the unknowns of bodies and connections can be eliminated without pivoting. Names: body b is b,
// connection c is bodies + c. Rules: a body after all connections to its children in the tree; a tree connection after
// its child; a cut after every body on its loop (a relation: on the ways between its bodies) but the topmost. Then a
// connection's pivot vanishes only where its rows depend on those before (exactly so on closed joints; off the surface
// up to the violation). Among what the rules allow, the node with the fewest neighbours comes first, which keeps loops
// linear.
std::vector<int> eliminationOrder(const SpanningTree& tree, const std::vector<Connection>& connections);

}  // namespace linkwork
