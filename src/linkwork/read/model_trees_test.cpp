// The trees of the shipped models: as few rows cut as can be, and what is said of them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "linkwork/base/index.hpp"
#include "linkwork/read/model_file_for_tests.hpp"
#include "linkwork/topology/tree_plan.hpp"

namespace linkwork {
namespace model_trees_test {

bool carries(JointKind kind) {
  return kind != JointKind::distance && kind != JointKind::curve && kind != JointKind::point_line &&
         kind != JointKind::point_plane;
}

std::vector<RowGroup> groupsOf(const Mechanism& m) {
  return m.space == Space::spatial ? compileElements<Spatial<double>>(m).groups
                                   : compileElements<Planar<double>>(m).groups;
}

TreePlan planOf(const Mechanism& m) { return planTree(m, groupsOf(m), {carries, DrivenJoints::rows}); }

Mechanism model(const std::string& name) {
  Diagnostics diagnostics;
  auto mechanism = readModelFile((std::filesystem::path(LINKWORK_MODELS_DIR) / (name + ".toml")).string(), diagnostics);
  if (!mechanism) throw std::runtime_error(diagnostics.format());
  return *std::move(mechanism);
}

// Rows that no tree can keep: all of them less those of the heaviest joints that close no loop, taken one by one.
int fewestCutRows(const Mechanism& m) {
  const std::vector<RowGroup> groups = groupsOf(m);
  std::vector<RowGroup> by_rows = groups;
  std::stable_sort(by_rows.begin(), by_rows.end(), [](const auto& a, const auto& b) { return a.rows > b.rows; });
  std::vector<int> set(m.bodies.size() + 1);
  std::iota(set.begin(), set.end(), 0);
  int rows = 0;
  for (const RowGroup& group : by_rows) {
    rows += group.rows;
    if (group.is_drive) continue;
    const JointKind kind = m.joints[at(group.index)].kind;
    if (isRelation(kind) || !carries(kind) || set[at(group.i)] == set[at(group.j)]) continue;
    rows -= group.rows;
    const int joined = set[at(group.i)];
    std::replace(set.begin(), set.end(), joined, int{set[at(group.j)]});
  }
  return rows;
}

TEST(ModelTrees, CutAsFewRowsAsCanBe) {
  int models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(LINKWORK_MODELS_DIR)) {
    if (entry.path().extension() != ".toml") continue;
    const std::string name = entry.path().stem().string();
    SCOPED_TRACE(name);
    const Mechanism m = model(name);
    const TreePlan plan = planOf(m);
    EXPECT_EQ(plan.cutRows(), fewestCutRows(m));
    EXPECT_EQ(plan.links.size(), m.bodies.size());
    EXPECT_EQ(inWords(plan, m), inWords(planOf(m), m));
    // Each body's parent stands before it.
    std::vector<char> seen(m.bodies.size(), 0);
    for (const PlannedLink& link : plan.links) {
      EXPECT_TRUE(link.parent < 0 || seen[at(link.parent)] != 0);
      seen[at(link.body)] = 1;
    }
    ++models;
  }
  EXPECT_GT(models, 40);
}

int longestLoop(const TreePlan& plan) {
  int longest = 0;
  for (const PlannedCut& cut : plan.cuts) longest = std::max(longest, cut.loop);
  return longest;
}

TEST(ModelTrees, SayHowKnownMechanismsAreOpened) {
  const auto shown = [](const std::string& name) {
    const Mechanism m = model(name);
    const TreePlan plan = planOf(m);
    return fmt::format("{} cuts, {} rows, longest loop {}", plan.cuts.size(), plan.cutRows(), longestLoop(plan));
  };
  EXPECT_EQ(shown("stephenson_six_bar"), "2 cuts, 4 rows, longest loop 5");
  EXPECT_EQ(shown("jansen_leg"), "4 cuts, 7 rows, longest loop 6");  // three hinges and the drive
  EXPECT_EQ(shown("scissor_lift"), "4 cuts, 5 rows, longest loop 4");
  EXPECT_EQ(shown("delta_robot"), "8 cuts, 18 rows, longest loop 6");        // five balls and three drives
  EXPECT_EQ(shown("stewart_platform"), "11 cuts, 21 rows, longest loop 6");  // five balls and six drives
  const Mechanism m = model("four_bar");
  EXPECT_EQ(
      inWords(planOf(m), m),
      "links: 1 crank <- ground by O; 2 coupler <- crank by A; 3 rocker <- ground by C; cut: B between coupler and "
      "rocker (2 rows)");
}

TEST(ModelTrees, AFileMayCutWhereItWants) {
  const Mechanism m = test::read(R"toml(linkwork = 1
space = "planar"
gravity = [0, -9.81]
[points]
O = [0, 0]
A = [0, 1]
B = [2, 1.5]
C = [2, 0]
[bodies]
crank = { rod = ["O", "A"], mass = 1 }
coupler = { rod = ["A", "B"], mass = 1 }
rocker = { rod = ["B", "C"], mass = 1 }
[joints]
O = { revolute = ["ground", "crank"] }
A = { revolute = ["crank", "coupler"], cut = false }
B = { revolute = ["coupler", "rocker"] }
C = { revolute = ["rocker", "ground"], cut = true }
)toml");
  EXPECT_FALSE(m.joints[1].cut);
  EXPECT_TRUE(m.joints[3].cut);
  EXPECT_EQ(
      inWords(planOf(m), m),
      "links: 1 crank <- ground by O; 2 coupler <- crank by A; 3 rocker <- coupler by B; cut: C between rocker and "
      "ground (2 rows, as asked)");
}

}  // namespace model_trees_test
}  // namespace linkwork
