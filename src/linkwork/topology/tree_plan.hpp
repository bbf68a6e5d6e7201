// TreePlan: which joints carry the bodies of a mechanism as a tree, and which are cut.
//
// What a tree's coordinates keep by themselves costs nothing; what is cut comes back as constraint rows. So:
//   (1)  as few rows as possible are cut: a spanning tree of greatest weight, the weight of a joint being the rows of
//        itself and of the drives that prescribe its coordinates
//   (2)  among those, none inside of a flexible link where another joint of the loop has as many rows
//   (3)  among those, short loops: joints of equal weight change places as long as the sum of all loops gets shorter
// A file may say which joints to cut. Whoever hangs on nothing then floats, and the cuts hold it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "linkwork/elements/element_set.hpp"

namespace linkwork {

// A body and what carries it.
struct PlannedLink {
  int body = 0;
  int parent = -1;  // a body; -1: the ground
  int joint = -1;   // of the mechanism; -1: none, the body floats against the ground
  // Drives that prescribe the angle and the slide of that joint; -1: none.
  int angle_drive = -1;
  int slide_drive = -1;
};

struct PlannedCut {
  int joint = -1;  // of the mechanism; -1: a drive
  int drive = -1;
  int rows = 0;
  int loop = 0;  // joints on the loop that it closes, itself included; 0: a relation, a drive, or velocities alone
  bool asked = false;  // the file wants it cut
};

struct TreePlan {
  std::vector<PlannedLink> links;  // branch after branch, parents before their children: the numbering 1, 2, ...
  std::vector<PlannedCut> cuts;    // joints, then drives, in the order of the mechanism

  int cutRows() const;
};

// The weighted graph beneath, for anything that is a tree.
struct TreeJoint {
  int first = -1;  // a body; -1: the ground
  int second = -1;
  int weight = 0;
  bool carries = true;  // false: never an edge of the tree
};
struct WeightedTree {
  std::vector<int> parent;        // of each body: a body, or -1 for the ground
  std::vector<int> parent_joint;  // -1 for a body that hangs on nothing
  std::vector<int> order;         // of the bodies, branch after branch
  std::vector<int> loop;          // of each joint: joints on the loop it closes; 0 for edges of the tree
};
WeightedTree planWeightedTree(int bodies, const std::vector<TreeJoint>& joints);

// Whether the tree's coordinates follow the drives of their joints, or drives stay constraint rows.
enum class DrivenJoints { follow, rows };

struct TreeRules {
  std::function<bool(JointKind)> carries;  // which kinds of joints can be edges of the tree
  DrivenJoints driven = DrivenJoints::follow;
};

// `groups` are those of the full ElementSet.
TreePlan planTree(const Mechanism& mechanism, const std::vector<RowGroup>& groups, const TreeRules& rules);

// The joint whose angle or slide a drive prescribes; -1: it is on no joint.
int drivenJoint(const Mechanism& mechanism, const Drive& drive);

// "links: 1 crank <- ground by O; 2 coupler <- crank by A; 3 rocker <- ground by D; cut: B between coupler and rocker
// (2 rows)"
std::string inWords(const TreePlan& plan, const Mechanism& mechanism);

}  // namespace linkwork
