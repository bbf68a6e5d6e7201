#include "generate.hpp"

#include <gtest/gtest.h>

#include <set>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/read/model_file.hpp"

namespace linkwork::random_mechanisms {
namespace generate_test {

// A finding is looked at again by its two numbers: what was made before must not matter.
TEST(RandomMechanism, DependsOnSeedAndIndexAlone) {
  const std::string alone = randomMechanism(5, 17).text;
  for (int k = 0; k < 17; ++k) static_cast<void>(randomMechanism(5, static_cast<std::uint64_t>(k)));
  EXPECT_EQ(randomMechanism(5, 17).text, alone);
  EXPECT_NE(randomMechanism(5, 18).text, alone);
  EXPECT_NE(randomMechanism(6, 17).text, alone);
}

// Those that cannot be read or assembled prove nothing: nearly all can. Over a few hundred every kind of joint and load
// comes up.
TEST(RandomMechanism, IsReadAndAssembledAndCoversJointsAndLoads) {
  constexpr int kMany = 300;
  int good = 0;
  std::set<JointKind> joints;
  std::set<LoadKind> loads;
  int with_drives = 0;
  int redundant = 0;
  for (std::uint64_t k = 0; k < kMany; ++k) {
    Diagnostics diagnostics;
    const Generated made = randomMechanism(1, k);
    const auto mechanism = readModelText(made.text, "random.toml", diagnostics);
    ASSERT_TRUE(mechanism) << diagnostics.format() << made.text;
    const Assembly assembly = assemble(*mechanism);
    if (!assembly.ok) continue;
    ++good;
    for (const Joint& joint : mechanism->joints) joints.insert(joint.kind);
    for (const Load& load : mechanism->loads) loads.insert(load.kind);
    with_drives += mechanism->drives.empty() ? 0 : 1;
    redundant += assembly.dependent_rows.empty() ? 0 : 1;
  }
  EXPECT_GT(good, kMany * 9 / 10);
  EXPECT_GE(joints.size(), 17U);
  EXPECT_EQ(loads.size(), 6U);
  EXPECT_GT(with_drives, kMany / 10);
  EXPECT_GT(redundant, kMany / 10);
}

}  // namespace generate_test
}  // namespace linkwork::random_mechanisms
