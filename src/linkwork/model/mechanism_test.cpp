#include "linkwork/model/mechanism.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "linkwork/model/n_four_bar_for_tests.hpp"

namespace linkwork {
namespace mechanism_test {

Mechanism crankAndSlider() {
  Mechanism mechanism;
  for (const char* name : {"crank", "slider"}) {
    Body body;
    body.name = name;
    mechanism.bodies.push_back(body);
  }
  const auto add = [&mechanism](std::string name, JointKind kind, BodyIndex second) {
    Joint joint;
    joint.name = std::move(name);
    joint.kind = kind;
    joint.second = second;
    mechanism.joints.push_back(joint);
  };
  add("O", JointKind::revolute, BodyIndex(0));
  add("S", JointKind::prismatic, BodyIndex(1));
  add("W", JointKind::fixed, BodyIndex(1));
  add("P", JointKind::pin_slot, BodyIndex(0));
  return mechanism;
}

TEST(Quantities, EveryListedNameIsFoundAndNamesItself) {
  const Mechanism mechanism = crankAndSlider();
  const std::vector<std::string> names = quantityNames(mechanism);
  EXPECT_EQ(names.size(), 1U + 2 * 8 + 3 * 3);
  for (const std::string& name : names) {
    const auto quantity = findQuantity(mechanism, name);
    ASSERT_TRUE(quantity) << name;
    EXPECT_FALSE(quantityUnit(mechanism, *quantity).empty()) << name;
    const bool is_alias = name.ends_with(".rate");
    if (!is_alias) {
      EXPECT_EQ(quantityName(mechanism, *quantity), name);
    }
  }
}

TEST(Quantities, HaveOneNameAndOneUnit) {
  const Mechanism mechanism = crankAndSlider();
  const auto unit = [&](const char* name) {
    return std::string(quantityUnit(mechanism, *findQuantity(mechanism, name)));
  };
  EXPECT_EQ(unit("t"), "s");
  EXPECT_EQ(unit("crank.x"), "m");
  EXPECT_EQ(unit("crank.angle_rate"), "rad/s");
  EXPECT_EQ(unit("O.angle"), "rad");
  EXPECT_EQ(unit("S.slide"), "m");
  EXPECT_EQ(unit("P.rate"), "m/s");
  EXPECT_EQ(quantityName(mechanism, *findQuantity(mechanism, "O.rate")), "O.angle_rate");
  EXPECT_EQ(quantityName(mechanism, *findQuantity(mechanism, "S.rate")), "S.slide_rate");
}

TEST(Quantities, WhatDoesNotExistIsNotFound) {
  const Mechanism mechanism = crankAndSlider();
  for (const char* name :
       {"", "x", "crank", "crank.", "crank.z", "O.slide", "S.angle", "W.angle", "W.rate", "rod.x", ".x", "crank.x.y"}) {
    EXPECT_FALSE(findQuantity(mechanism, name)) << name;
  }
}

TEST(NFourBar, ClosesAsDrawnAndHasTheRightCounts) {
  const int n = 4;
  const Mechanism mechanism = test::buildNFourBar(n);
  EXPECT_EQ(mechanism.bodies.size(), 2U * n + 1);
  EXPECT_EQ(mechanism.joints.size(), 3U * n + 1);
  // Gruebler counts 3 (2n + 1) - 2 (3n + 1) = 1 degree of freedom.
  EXPECT_EQ(3 * (2 * n + 1) - 2 * (3 * n + 1), 1);
  const auto drawn = [&](BodyIndex body, const Frame& frame) {
    const double x = frame.point[0].number;
    const double y = frame.point[1].number;
    if (!body.valid()) return std::array{x, y};
    const Pose& pose = mechanism.body(body).drawn;
    return std::array{pose.x + x * std::cos(pose.angle) - y * std::sin(pose.angle),
                      pose.y + x * std::sin(pose.angle) + y * std::cos(pose.angle)};
  };
  for (const Joint& joint : mechanism.joints) {
    const auto a = drawn(joint.first, joint.on_first);
    const auto b = drawn(joint.second, joint.on_second);
    EXPECT_NEAR(a[0], b[0], 1e-15) << joint.name;
    EXPECT_NEAR(a[1], b[1], 1e-15) << joint.name;
  }
  Diagnostics diagnostics;
  validate(mechanism, diagnostics);
  EXPECT_EQ(diagnostics.format(), "");
  ASSERT_EQ(mechanism.initial.size(), 2U);
  EXPECT_EQ(quantityName(mechanism, mechanism.initial[1].quantity), "upright0.angle_rate");
  EXPECT_EQ(mechanism.initial[1].value.number, -1.0);
  EXPECT_EQ(mechanism.joints[static_cast<std::size_t>(n) + 1].name, "A0");
}

}  // namespace mechanism_test
}  // namespace linkwork
