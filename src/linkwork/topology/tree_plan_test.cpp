// The tree of a mechanism: as few rows cut as can be, short loops, and the same answer every time.
#include "linkwork/topology/tree_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "linkwork/base/index.hpp"
#include "linkwork/model/n_four_bar_for_tests.hpp"
#include "linkwork/model/space_mechanisms_for_tests.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace tree_plan_test {

using namespace test;

bool carries(JointKind kind) { return kind != JointKind::distance && kind != JointKind::curve; }

TreePlan planOf(const Mechanism& m, DrivenJoints driven = DrivenJoints::follow) {
  const auto groups = m.space == Space::spatial ? compileElements<Spatial<double>>(m).groups
                                                : compileElements<Planar<double>>(m).groups;
  return planTree(m, groups, {carries, driven});
}

std::vector<std::string> cutNames(const TreePlan& plan, const Mechanism& m) {
  std::vector<std::string> names;
  for (const PlannedCut& cut : plan.cuts) {
    names.push_back(cut.joint >= 0 ? m.joints[at(cut.joint)].name : m.drives[at(cut.drive)].name);
  }
  return names;
}

std::vector<TreeJoint> randomGraph(std::mt19937& random, int bodies, int joints) {
  std::vector<TreeJoint> out;
  const auto end = [&] { return static_cast<int>(random() % at(bodies + 1)) - 1; };
  for (int j = 0; j < joints; ++j) out.push_back({end(), end(), static_cast<int>(random() % 4), random() % 5 != 0});
  return out;
}

// Sets of bodies that joints connect; the ground is the last.
class Union {
 public:
  explicit Union(int bodies) : root_(at(bodies) + 1) { std::iota(root_.begin(), root_.end(), 0); }
  int find(int k) const {
    while (root_[at(k)] != k) k = root_[at(k)];
    return k;
  }
  bool join(int a, int b) {
    const int last = static_cast<int>(root_.size()) - 1;
    a = find(a < 0 ? last : a);
    b = find(b < 0 ? last : b);
    root_[at(std::min(a, b))] = std::max(a, b);
    return a != b;
  }

 private:
  std::vector<int> root_;
};

// Heaviest first, whatever does not close a loop: no spanning forest weighs more.
int greatestWeight(int bodies, std::vector<TreeJoint> joints) {
  std::stable_sort(joints.begin(), joints.end(),
                   [](const TreeJoint& a, const TreeJoint& b) { return a.weight > b.weight; });
  Union sets(bodies);
  int weight = 0;
  for (const TreeJoint& joint : joints) {
    if (joint.carries && sets.join(joint.first, joint.second)) weight += joint.weight;
  }
  return weight;
}

// From a body to the ground: the joints on the way, and a number of its own for a root that hangs on nothing.
std::vector<int> wayUp(const WeightedTree& tree, int body) {
  std::vector<int> way;
  for (; body >= 0; body = tree.parent[at(body)]) {
    way.push_back(tree.parent_joint[at(body)] >= 0 ? tree.parent_joint[at(body)] : -1 - body);
  }
  std::sort(way.begin(), way.end());
  return way;
}

TEST(WeightedTree, IsATreeOfGreatestWeightOnRandomGraphs) {
  std::mt19937 random(311);
  for (int trial = 0; trial < 300; ++trial) {
    const int bodies = 1 + static_cast<int>(random() % 12);
    const auto joints = randomGraph(random, bodies, static_cast<int>(random() % 25));
    const WeightedTree tree = planWeightedTree(bodies, joints);
    ASSERT_EQ(tree.order.size(), at(bodies));
    std::vector<char> seen(at(bodies), 0);
    std::vector<char> used(joints.size(), 0);
    Union sets(bodies);
    int weight = 0;
    int roots = 0;
    for (const int b : tree.order) {
      EXPECT_EQ(seen[at(b)], 0);
      seen[at(b)] = 1;
      const int parent = tree.parent[at(b)];
      if (parent >= 0) {
        EXPECT_EQ(seen[at(parent)], 1) << "a parent after its child";
      }
      const int j = tree.parent_joint[at(b)];
      if (j < 0) {
        ++roots;
        continue;
      }
      const TreeJoint& joint = joints[at(j)];
      EXPECT_TRUE(joint.carries);
      EXPECT_TRUE((joint.first == b && joint.second == parent) || (joint.second == b && joint.first == parent));
      EXPECT_TRUE(sets.join(joint.first, joint.second)) << "a loop in the tree";
      used[at(j)] = 1;
      weight += joint.weight;
    }
    EXPECT_EQ(weight, greatestWeight(bodies, joints));
    // One root for each island that no carrying joint ties to the ground.
    Union islands(bodies);
    int count = bodies;
    for (const TreeJoint& joint : joints) {
      if (joint.carries && islands.join(joint.first, joint.second)) --count;
    }
    EXPECT_EQ(roots, count);
    // Lengths of loops, counted along the ways up.
    for (std::size_t j = 0; j < joints.size(); ++j) {
      if (used[j] != 0 || joints[j].first == joints[j].second) {
        EXPECT_EQ(tree.loop[j], 0);
        continue;
      }
      const auto a = wayUp(tree, joints[j].first);
      const auto b = wayUp(tree, joints[j].second);
      std::vector<int> loop;
      std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(loop));
      EXPECT_EQ(tree.loop[j], static_cast<int>(loop.size()) + 1);
    }
  }
}

// Rails from the ground with rungs between: breadth first, each rung's loop goes down to the ground and up again. The
// shortest loops are the windows: six joints each (two rails at both sides, two rungs), the lowest four.
TEST(WeightedTree, ALadderIsCutIntoItsWindows) {
  const int storeys = 12;
  std::vector<TreeJoint> joints;
  const auto left = [](int k) { return k < 0 ? -1 : 3 * k; };
  const auto right = [](int k) { return k < 0 ? -1 : 3 * k + 1; };
  const auto rung = [](int k) { return 3 * k + 2; };
  for (int k = 0; k < storeys; ++k) {
    joints.push_back({left(k - 1), left(k), 2});
    joints.push_back({right(k - 1), right(k), 2});
    joints.push_back({left(k), rung(k), 2});
    joints.push_back({right(k), rung(k), 2});
  }
  const WeightedTree tree = planWeightedTree(3 * storeys, joints);
  EXPECT_EQ(std::count_if(tree.loop.begin(), tree.loop.end(), [](int length) { return length > 0; }), storeys);
  EXPECT_EQ(std::accumulate(tree.loop.begin(), tree.loop.end(), 0), 4 + 6 * (storeys - 1));
}

TEST(TreePlan, AFourBarIsCutOnceAndSaysWhere) {
  const Mechanism m = fourBar();
  const TreePlan plan = planOf(m);
  EXPECT_EQ(plan.cutRows(), 2);
  ASSERT_EQ(plan.cuts.size(), 1u);
  EXPECT_EQ(plan.cuts[0].loop, 4);
  EXPECT_EQ(
      inWords(plan, m),
      "links: 1 crank <- ground by O; 2 coupler <- crank by A; 3 rocker <- ground by C; cut: B between coupler and "
      "rocker (2 rows)");
}

TEST(TreePlan, TheFileMayChooseTheCut) {
  Mechanism m = fourBar();
  m.joints[0].cut = true;
  const TreePlan plan = planOf(m);
  EXPECT_EQ(cutNames(plan, m), std::vector<std::string>{m.joints[0].name});
  EXPECT_TRUE(plan.cuts[0].asked);
  EXPECT_EQ(plan.cutRows(), 2);
  EXPECT_THAT(inWords(plan, m), ::testing::HasSubstr("(2 rows, as asked)"));
}

// A body all of whose joints are cut hangs on nothing: it floats, and the rows of its joints hold it.
TEST(TreePlan, ABodyWhoseJointsAreAllCutFloats) {
  Mechanism m = sliderPendulum();
  m.joints[1].cut = true;
  const TreePlan plan = planOf(m);
  EXPECT_EQ(inWords(plan, m),
            "links: 1 slider <- ground by P; 2 pendulum floats; cut: O between slider and pendulum (2 rows, as asked)");
}

// Pin in slot: one row. Cutting it is cheaper than cutting a hinge.
TEST(TreePlan, CutsTheJointWithFewestRows) {
  const Mechanism m = crankSlider();
  const TreePlan plan = planOf(m);
  EXPECT_THAT(cutNames(plan, m), ::testing::Contains("N"));
  EXPECT_EQ(plan.cutRows(), 3);  // two loops; one must be opened at a hinge or guide
}

TEST(TreePlan, ThreeParallelCranksHaveTwoLoopsOfFour) {
  const Mechanism m = parallelogram();
  const TreePlan plan = planOf(m);
  ASSERT_EQ(plan.cuts.size(), 2u);
  for (const PlannedCut& cut : plan.cuts) EXPECT_EQ(cut.loop, 4);
  EXPECT_EQ(plan.cutRows(), 4);
}

TEST(TreePlan, AnNFourBarIsCutOncePerWindow) {
  for (const int windows : {3, 40, 1000}) {
    const Mechanism m = buildNFourBar(windows);
    const TreePlan plan = planOf(m);
    ASSERT_EQ(plan.cuts.size(), at(windows));
    for (const PlannedCut& cut : plan.cuts) EXPECT_EQ(cut.loop, 4);
    EXPECT_EQ(plan.links.size(), m.bodies.size());
  }
}

// What is no tree joint is never an edge: the plate on six rods floats.
TEST(TreePlan, APlateOnRodsFloats) {
  const Mechanism m = hexapod(0.3);
  const TreePlan plan = planOf(m);
  ASSERT_EQ(plan.links.size(), 1u);
  EXPECT_EQ(plan.links[0].joint, -1);
  EXPECT_EQ(plan.cutRows(), 6);
  for (const PlannedCut& cut : plan.cuts) EXPECT_EQ(cut.loop, 2);  // the rod, and the way down that floats
}

TEST(TreePlan, ABricardLinkageIsCutAtOneHingeOfFiveRows) {
  const Mechanism m = bricard();
  const TreePlan plan = planOf(m);
  EXPECT_EQ(plan.cutRows(), 5);
  EXPECT_EQ(plan.cuts[0].loop, 6);
}

// A driven hinge takes three rows along when it is in the tree, so that another one is cut.
TEST(TreePlan, KeepsDrivenJointsInTheTree) {
  Mechanism m = fourBar();
  const std::string usual = cutNames(planOf(m), m)[0];
  const auto hinge = std::find_if(m.joints.begin(), m.joints.end(), [&](const Joint& j) { return j.name == usual; });
  addDrive(m, "motor", DriveKind::angle, hinge->first, hinge->on_first, hinge->second, hinge->on_second,
           Expr::symbol("t"));
  const TreePlan plan = planOf(m);
  EXPECT_NE(cutNames(plan, m)[0], usual);
  EXPECT_EQ(plan.cutRows(), 2);
  const auto driven =
      std::find_if(plan.links.begin(), plan.links.end(), [](const PlannedLink& link) { return link.angle_drive == 0; });
  ASSERT_NE(driven, plan.links.end());
  EXPECT_EQ(m.joints[at(driven->joint)].name, usual);
  EXPECT_THAT(inWords(plan, m), ::testing::HasSubstr("by " + usual + ", driven by motor"));
  // A formulation whose joints follow nothing has the drive among its rows.
  const TreePlan free = planOf(m, DrivenJoints::rows);
  EXPECT_EQ(cutNames(free, m), (std::vector<std::string>{usual, "motor"}));
  EXPECT_THAT(inWords(free, m), ::testing::HasSubstr("drive motor (1 row)"));
}

// Two drives of one coordinate, and a drive that is on no joint: only the first is followed.
TEST(TreePlan, OtherDrivesStayRows) {
  Mechanism m = fourBar();
  const Joint hinge = m.joints[0];
  for (const char* name : {"one", "two"}) {
    addDrive(m, name, DriveKind::angle, hinge.first, hinge.on_first, hinge.second, hinge.on_second, Expr::symbol("t"));
  }
  addDrive(m, "reach", DriveKind::distance, BodyIndex(0), frameAt(0, 0), BodyIndex(2), frameAt(0.2, 0.3), Expr(1.0));
  EXPECT_THAT(cutNames(planOf(m), m), ::testing::ElementsAre(::testing::_, "two", "reach"));
}

TEST(TreePlan, RelationsAreCutsWithoutALoop) {
  Mechanism m = sliderPendulum();
  Joint gear;
  gear.name = "mesh";
  gear.kind = JointKind::coupling;
  gear.terms = {{{QuantityKind::joint_slide, 0}, Value(1.0)}, {{QuantityKind::joint_angle, 1}, Value(-0.5)}};
  gear.unit = RelationUnit::length;
  m.joints.push_back(gear);
  const TreePlan plan = planOf(m);
  ASSERT_EQ(plan.cuts.size(), 1u);
  EXPECT_EQ(plan.cuts[0].loop, 0);
  EXPECT_EQ(inWords(plan, m),
            "links: 1 slider <- ground by P; 2 pendulum <- slider by O; cut: mesh, a relation (1 row)");
}

TEST(TreePlan, NothingIsCutOfATree) {
  const Mechanism m = sliderPendulum();
  EXPECT_EQ(inWords(planOf(m), m), "links: 1 slider <- ground by P; 2 pendulum <- slider by O; nothing is cut");
}

}  // namespace tree_plan_test
}  // namespace linkwork
