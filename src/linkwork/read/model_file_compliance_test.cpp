#include <gtest/gtest.h>

#include "linkwork/model/compliance.hpp"
#include "linkwork/read/model_file.hpp"
#include "linkwork/simulate/run_options.hpp"

namespace linkwork {
namespace model_file_compliance_test {

constexpr const char* kPlane =
    "linkwork = 1\nspace = \"planar\"\ngravity = [0, 0]\n[bodies]\nb = { mass = 2, inertia = 1 }\n[joints]\n";
constexpr const char* kInSpace =
    "linkwork = 1\nspace = \"spatial\"\ngravity = [0, 0, 0]\n[bodies]\nb = { mass = 2, inertia = [1, 1, 1] "
    "}\n[joints]\n";

std::string findings(const char* head, const std::string& joint) {
  Diagnostics diagnostics;
  (void)readModelText(head + joint + "\n", "m.toml", diagnostics);
  return diagnostics.format();
}

Mechanism read(const char* head, const std::string& joint) {
  Diagnostics diagnostics;
  auto mechanism = readModelText(head + joint + "\n", "m.toml", diagnostics);
  EXPECT_TRUE(mechanism) << diagnostics.format();
  return mechanism ? *mechanism : Mechanism();
}

// The first line of what is said.
std::string firstOf(const std::string& text) { return text.substr(0, text.find('\n')); }

TEST(ModelFileCompliance, OneNumberIsForAllDirectionsThatTheJointHolds) {
  const Mechanism m = read(
      kInSpace,
      R"model(J = { prismatic = ["ground", "b"], at = [0, 0, 0], axis = [1, 0, 0], compliance = { stiffness = "1e6 N/m", rotational_stiffness = "1 kN*m/rad", damping = 3, law = "sin2", start = "undeformed" } })model");
  ASSERT_TRUE(m.joints.at(0).compliance);
  const Compliance& springs = *m.joints[0].compliance;
  EXPECT_EQ(springs.stiffness[0].number, 0.0);
  EXPECT_EQ(springs.stiffness[1].number, 1e6);
  EXPECT_EQ(springs.stiffness[2].number, 1e6);
  for (const Value& turn : springs.rotational_stiffness) EXPECT_EQ(turn.number, 1e3);
  EXPECT_EQ(springs.damping[1].number, 3.0);
  EXPECT_EQ(springs.law, TurnLaw::sin2);
  EXPECT_FALSE(springs.deflected);
  EXPECT_TRUE(hasCompliance(m));
  EXPECT_FALSE(hasCompliance(withHardJoints(m)));
}

TEST(ModelFileCompliance, NumbersForEachAxisKeepTheirLetters) {
  const Mechanism m = read(
      kPlane,
      R"model(J = { revolute = ["ground", "b"], at = [0, 0], compliance = { stiffness = [2e5, "3 kN/m"] } })model");
  EXPECT_EQ(m.joints.at(0).compliance->stiffness[0].number, 2e5);
  EXPECT_EQ(m.joints.at(0).compliance->stiffness[1].number, 3e3);
}

TEST(ModelFileCompliance, WrongSpringsAreSaidWithTheirPlace) {
  const auto planar = [](const std::string& springs, const std::string& joint = "revolute = [\"ground\", \"b\"]") {
    return firstOf(findings(kPlane, "J = { " + joint + ", at = [0, 0], compliance = { " + springs + " } }"));
  };
  EXPECT_EQ(planar("stiffness = 0"),
            "m.toml:7:75: error: compliance of joint \"J\": stiffness along its x axis must be positive, got 0. A "
            "revolute joint holds its bodies there; without a spring nothing would.");
  EXPECT_NE(planar("stiffness = -5").find("must be positive, got -5"), std::string::npos);
  EXPECT_NE(planar("damping = 1").find("stiffness is missing"), std::string::npos) << planar("damping = 1");
  EXPECT_NE(planar("stiffness = 1, rotational_stiffness = 3").find("a revolute joint leaves every turn free"),
            std::string::npos);
  EXPECT_NE(planar("stiffness = 1, damping = -1").find("damping must not be negative"), std::string::npos);
  EXPECT_NE(planar("stiffness = 1", "fixed = [\"ground\", \"b\"]").find("rotational_stiffness"), std::string::npos);
  EXPECT_NE(planar("stiffness = [1, 2, 3]").find("one number or two"), std::string::npos);
  EXPECT_NE(planar("stiffness = \"5 N\"").find("stiffness"), std::string::npos);
  EXPECT_NE(planar("stiffness = 1, start = \"soft\"").find("deflected"), std::string::npos);
}

TEST(ModelFileCompliance, OtherJointsAreRefusedWithAWayOut) {
  const std::string text =
      findings(kPlane, R"model(J = { distance = ["ground.P", "b"], compliance = { stiffness = 1 } })model");
  EXPECT_NE(text.find("a distance joint cannot be made of springs. Revolute, prismatic and fixed can"),
            std::string::npos)
      << text;
}

TEST(ModelFileCompliance, DirectionsThatAJointLeavesFreeHaveNoSprings) {
  const auto prismatic = [](const std::string& springs) {
    return firstOf(findings(kInSpace,
                            "J = { prismatic = [\"ground\", \"b\"], at = [0, 0, 0], axis = [1, 0, 0], "
                            "compliance = { " +
                                springs + " } }"));
  };
  EXPECT_NE(prismatic("stiffness = [1, 2, 3], rotational_stiffness = 1")
                .find("a prismatic joint is free along its x axis, and stiffness there is 1. Write 0 there, and take a "
                      "spring for a spring in a free direction."),
            std::string::npos);
  // 10 > 2 + 3: no three springs between axes make that.
  EXPECT_NE(prismatic("stiffness = 1, rotational_stiffness = [10, 2, 3]")
                .find("rotational_stiffness about its x axis, 10, is greater than the sum of the other two"),
            std::string::npos);
  const std::string hinge = firstOf(findings(
      kInSpace,
      R"model(J = { revolute = ["ground", "b"], at = [0, 0, 0], axis = [0, 0, 1], compliance = { stiffness = 1, rotational_stiffness = [2, 3, 0] } })model"));
  EXPECT_NE(hinge.find("is greater than the sum of the other two"), std::string::npos) << hinge;
}

TEST(ModelFileCompliance, DefaultsOfTheFormulationStandInTheirSection) {
  const Mechanism m = read(kPlane, "[compliance]\ngap = \"20 um\"\ndamping_ratio = 0.3\nlaw = \"angle\"");
  const RunOptions options = runOptions(m);
  EXPECT_DOUBLE_EQ(options.system.gap, 20e-6);
  EXPECT_DOUBLE_EQ(options.system.damping_ratio, 0.3);
  EXPECT_EQ(options.system.law, "angle");
  EXPECT_NE(findings(kPlane, "[compliance]\ngap = 1e-5\nstiffness = 1e6").find("stiffness and gap are both given"),
            std::string::npos);
  EXPECT_NE(findings(kPlane, "[compliance]\ngap = 0").find("gap of [compliance]"), std::string::npos);
}

}  // namespace model_file_compliance_test
}  // namespace linkwork
