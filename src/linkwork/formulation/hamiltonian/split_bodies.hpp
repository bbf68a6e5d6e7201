// Loops opened by splitting bodies instead of cutting joints: the images of a split body share its inertia and the
// forces on it, and must move as one.
//
//   sum of shares = 1,  and for each further image a fixed joint between the body and it, which no tree takes
//
// What comes out is a mechanism like any other: the fixed joints are its cuts, six rows each (three in the plane), and
// all its other joints are in the tree. Its motion does not depend on the shares.               [docs/theory/09]
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "linkwork/topology/tree_plan.hpp"

namespace linkwork {

enum class LoopOpening { cut_joints, split_bodies };

// In the order of the enum; what a user writes.
std::vector<std::string> openingNames();
LoopOpening openingOf(std::string_view name);  // one of openingNames()

// Split as the mechanism says, else with one image for every joint that the tree of the recursions would cut.
Mechanism withSplitBodies(const Mechanism& mechanism, double share = 0.0);

// Bodies, joints, drives and loads keep their numbers; images and their fixed joints come after them.
Mechanism splitBodies(const Mechanism& mechanism, const std::vector<SplitBody>& splits);

// For every joint that a tree cuts and that could carry a body: an image of one of its two bodies, carried by the joint
// from the other. All images of a body get equal shares with it, or each the share given.
std::vector<SplitBody> splitsOf(const Mechanism& mechanism, const TreePlan& plan, double share = 0.0);

}  // namespace linkwork
