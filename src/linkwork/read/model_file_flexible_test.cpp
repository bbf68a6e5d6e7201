// Flexible links: what becomes of them, and every message about them with its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <numbers>
#include <string>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/read/model_file/flexible_axis.hpp"
#include "linkwork/read/model_file/flexible_section.hpp"
#include "linkwork/read/model_file_for_tests.hpp"

namespace linkwork {
namespace model_file_flexible_test {

using test::findings;
using test::read;
using test::refusal;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kHead = R"(linkwork = 1
space = "planar"
gravity = [0, 0]
[points]
A = [0, 0]
T = [1, 0]
)";  // 6 lines
const std::string kHeadInSpace = R"(linkwork = 1
space = "spatial"
gravity = [0, 0, 0]
[points]
A = [0, 0, 0]
T = [1, 0, 0]
)";
const std::string kLine = R"(section = { EIz = 2, rhoA = 1 })";

std::string beam(const std::string& flexible, const std::string& rest = {}, const std::string& head = kHead) {
  return head + "[bodies]\nbeam = { rod = [\"A\", \"T\"], flexible = { " + flexible +
         " } }\n[joints]\nA = { fixed = [\"ground\", \"beam\"] }\n" + rest;  // 10 lines
}
std::string beamInSpace(const std::string& flexible, const std::string& rest = {}) {
  return beam(flexible, rest, kHeadInSpace);
}

template <class Part>
std::vector<std::string> namesOf(const std::vector<Part>& parts) {
  std::vector<std::string> out;
  for (const Part& part : parts) out.push_back(part.name);
  return out;
}

// --- what becomes of them
// ------------------------------------------------------------------------------------------

TEST(FlexibleLink, IsAChainOfOrdinaryParts) {
  const Mechanism m = read(beam("elements = 4, damping_time = 0.5, section = { EIz = 2, rhoA = 3, rhoI = 0.6 }"));
  EXPECT_THAT(namesOf(m.bodies), ElementsAre("beam:0", "beam:1", "beam:2", "beam:3"));
  EXPECT_THAT(namesOf(m.joints), ElementsAre("beam:j1", "beam:j2", "beam:j3", "A"));
  EXPECT_THAT(namesOf(m.loads), ElementsAre("beam:s1", "beam:s2", "beam:s3"));
  // Lengths D/2, D, D, D/2 with D = 1/3; springs in the middle of the segments.
  EXPECT_DOUBLE_EQ(m.bodies[0].mass.number, 0.5);
  EXPECT_DOUBLE_EQ(m.bodies[1].mass.number, 1.0);
  EXPECT_DOUBLE_EQ(m.bodies[1].inertia.number, 1.0 / 9.0 / 12.0 + 0.6 / 3.0);
  EXPECT_DOUBLE_EQ(m.bodies[2].drawn.x, 0.5);
  EXPECT_DOUBLE_EQ(m.loads[0].stiffness.number, 6.0);
  EXPECT_DOUBLE_EQ(m.loads[0].damping.number, 3.0);
  ASSERT_EQ(m.links.size(), 1U);
  EXPECT_EQ(m.links[0].elements.size(), 4U);
  EXPECT_DOUBLE_EQ(m.links[0].springs[1].at, 0.5);
}

TEST(FlexibleLink, KeepsTheLettersOfItsFormulas) {
  const Mechanism m = read(R"(linkwork = 1
space = "planar"
gravity = [0, 0]
[parameters]
EI = "2 N*m^2"
[bodies]
beam = { rod = [[0, 0], [1, 0]], flexible = { elements = 3, section = { EIz = "EI", rhoA = 1 } } }
)");
  EXPECT_FALSE(m.loads[0].stiffness.expr.isNumber());
}

TEST(FlexibleLink, HangsAndIsLoadedAtTheElementThatHoldsThePlace) {
  const Mechanism m = read(beam("elements = 4, " + kLine, R"(B = { revolute = ["ground", "beam"], at = [0.45, 0] }
[loads]
F = { force = [0, 1], on = "beam", at = "T" }
C = { couple = 1, on = "beam", at = [0.7, 0] }
S = { spring = ["ground.A", "beam.T"], stiffness = 1 }
[traces]
T = "beam.T"
)"));
  EXPECT_EQ(m.bodyName(m.joints[3].second), "beam:0");
  EXPECT_EQ(m.bodyName(m.joints[4].second), "beam:1");
  EXPECT_NEAR(m.joints[4].on_second.point[0].number, 0.45 - 1.0 / 6.0, 1e-15);
  EXPECT_EQ(m.bodyName(m.loads[3].second), "beam:3");
  EXPECT_NEAR(m.loads[3].on_second.point[0].number, 1.0 / 6.0, 1e-15);
  EXPECT_EQ(m.bodyName(m.loads[4].second), "beam:2");
  EXPECT_EQ(m.bodyName(m.loads[5].second), "beam:3");
  EXPECT_EQ(m.bodyName(m.traces[0].body), "beam:3");
}

TEST(FlexibleLink, SaysWhichElementHoldsAPlaceAtASpring) {
  EXPECT_EQ(findings(beam("elements = 4, " + kLine, R"([loads]
C = { couple = 1, on = "beam", at = [0.5, 0] }
)")),
            R"(
m.toml:12:37: note: load "C": the place is where two elements meet; it is held by "beam:1", which is nearer to the root.
)");
}

TEST(FlexibleLink, HasTheQuantitiesOfItsFirstElement) {
  const Mechanism m = read(beam("elements = 4, " + kLine, "[outputs]\nturn = \"2*beam.angle\"\n"));
  EXPECT_EQ(findQuantity(m, "beam.angle"), findQuantity(m, "beam:0.angle"));
  EXPECT_TRUE(findQuantity(m, "beam.angle").has_value());
  ASSERT_EQ(m.outputs.size(), 1U);
}

TEST(FlexibleLink, SharesALoadAmongItsElements) {
  const Mechanism m = read(beam("elements = 4, " + kLine, R"([loads]
p = { force_per_length = [0, -6], on = "beam" }
)"));
  ASSERT_EQ(m.loads.size(), 7U);
  double sum = 0.0;
  for (std::size_t k = 3; k < 7; ++k) sum += m.loads[k].force[1].number();
  EXPECT_DOUBLE_EQ(sum, -6.0);
  EXPECT_DOUBLE_EQ(m.loads[3].force[1].number(), -1.0);
}

TEST(FlexibleLink, StartsAsARigidOneWhereTheRestLetsIt) {
  const std::string text = kHead + R"([bodies]
beam = { rod = ["A", "T"], flexible = { elements = 5, section = { EIz = 2, rhoA = 1 } } }
[joints]
A = { revolute = ["ground", "beam"] }
[initial]
A.angle = "30 deg"
A.rate = 2
)";
  const Assembly assembly = assemble(read(text));
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  for (std::size_t b = 0; b < 5; ++b) {
    EXPECT_NEAR(assembly.q[3 * b + 2], std::numbers::pi / 6.0, 1e-12) << b;
    EXPECT_NEAR(assembly.v[3 * b + 2], 2.0, 1e-12) << b;
  }
  const Assembly bent = assemble(read(text + "\"beam:j2.angle\" = \"10 deg\"\n"));
  ASSERT_TRUE(bent.ok) << bent.problem;
  EXPECT_NEAR(bent.q[3 * 4 + 2] - bent.q[2], std::numbers::pi / 18.0, 1e-12);
  EXPECT_NEAR(bent.q[3 * 4 + 2] - bent.q[3 * 2 + 2], 0.0, 1e-12) << "the others stay locked";
}

struct Deformation {
  const char* deforms;
  std::vector<JointKind> joints;  // of one spring
  std::size_t loads;
};
class FlexibleInSpace : public ::testing::TestWithParam<Deformation> {};

TEST_P(FlexibleInSpace, HasTheJointsThatItsWaysToDeformNeed) {
  const auto& [deforms, joints, loads] = GetParam();
  const Mechanism m = read(beamInSpace(
      std::string(
          "elements = 3, section = { EIz = 2, EIy = 1, GJ = 1, EA = 1, GAy = 1, GAz = 1, rhoA = 1, rhoI = 1 }, ") +
      deforms));
  ASSERT_EQ(m.joints.size(), 2 * joints.size() + 1);
  for (std::size_t k = 0; k < joints.size(); ++k) EXPECT_EQ(m.joints[k].kind, joints[k]) << k;
  EXPECT_EQ(m.loads.size(), 2 * loads);
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  EXPECT_LT(assembly.moved, 1e-14);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, FlexibleInSpace,
    ::testing::Values(Deformation{R"(deforms = ["bend_y", "bend_z", "twist"])", {JointKind::spherical}, 1},
                      Deformation{R"(deforms = ["bend_y", "bend_z", "twist"], turns = "zyx")",
                                  {JointKind::revolute, JointKind::revolute, JointKind::revolute},
                                  3},
                      Deformation{R"(deforms = ["bend_y", "bend_z"])", {JointKind::universal}, 1},
                      Deformation{R"(deforms = ["twist", "bend_z"])", {JointKind::universal}, 1},
                      Deformation{R"(deforms = ["bend_y"])", {JointKind::revolute}, 1},
                      Deformation{R"(deforms = ["stretch"])", {JointKind::prismatic, JointKind::fixed}, 1},
                      Deformation{R"(deforms = ["bend_y", "shear_z"])", {JointKind::prismatic, JointKind::revolute}, 1},
                      Deformation{R"(deforms = ["bend_y", "bend_z", "twist", "stretch"])",
                                  {JointKind::prismatic, JointKind::spherical},
                                  1},
                      Deformation{R"(deforms = ["bend_y", "bend_z", "twist", "stretch", "shear_y", "shear_z"])",
                                  {JointKind::floating},
                                  1}));

TEST(FlexibleLink, GrowsThinnerByTheFlexibilityOfWholeSegments) {
  const Mechanism m =
      read(beam(R"(elements = 2, E = 1, density = 1, section = { box = [2, 1] }, section_end = { box = [1, 1] })"));
  // 1/c = integral of 12 / (2 - x)^3 from 0 to 1 = 6 (1 - 1/4)
  EXPECT_NEAR(m.loads[0].stiffness.number, 1.0 / 4.5, 1e-9);
  EXPECT_NEAR(m.bodies[0].mass.number + m.bodies[1].mass.number, 1.5, 1e-14);
}

TEST(FlexibleLink, FollowsACurve) {
  // A quarter circle of radius 1 through 17 points: its length to the fourth power of their distance.
  std::string through;
  for (int k = 1; k < 16; ++k)
    through += "[\"sin(" + std::to_string(k) + "*pi/32)\", \"1 - cos(" + std::to_string(k) + "*pi/32)\"], ";
  const Mechanism m = read(R"(linkwork = 1
space = "planar"
gravity = [0, 0]
[points]
A = [0, 0]
T = [1, 1]
[bodies]
arc = { rod = ["A", "T"], flexible = { elements = 5, section = { EIz = 2, rhoA = 1 }, through = [)" +
                           through + "] } }\n");
  EXPECT_NEAR(m.links[0].length, std::numbers::pi / 2.0, 1e-6);
  double mass = 0.0;
  for (const Body& body : m.bodies) mass += body.mass.number;
  EXPECT_NEAR(mass, std::numbers::pi / 2.0, 1e-6);
  // The first spring is an eighth of the way along, and its x axis along the tangent.
  EXPECT_NEAR(m.bodies[1].drawn.x, std::sin(std::numbers::pi / 16.0), 1e-6);
  EXPECT_NEAR(m.bodies[1].drawn.y, 1.0 - std::cos(std::numbers::pi / 16.0), 1e-6);
  EXPECT_NEAR(m.joints[0].on_first.angle.number + m.bodies[0].drawn.angle, std::numbers::pi / 16.0,
              1e-4);  // a slope: third power
}

TEST(LinkAxis, IsExactForCubics) {
  // x = u, y = u^3 has a chord-length parameter that differs; four points on a straight line keep their places.
  const model_file::LinkAxis line({{0, 0, 0}, {1, 2, 2}, {1.5, 3, 3}, {3, 6, 6}});
  EXPECT_NEAR(line.length(), 9.0, 1e-13);
  EXPECT_NEAR(line.at(4.5).y, 3.0, 1e-13);
  EXPECT_NEAR(line.tangent(2.0).x, 1.0 / 3.0, 1e-13);
}

TEST(LinkAxis, CarriesTheSectionWithoutTurningItAboutTheAxis) {
  // On a circle in a plane the axis across the plane stays.
  std::vector<std::array<double, 3>> points;
  for (int k = 0; k <= 16; ++k) points.push_back({std::sin(0.1 * k), 0.0, 1.0 - std::cos(0.1 * k)});
  const model_file::LinkAxis arc(points);
  const auto axes = model_file::sectionAxes(arc, {0.2, 0.8, 1.5}, std::nullopt, 0.0);
  ASSERT_TRUE(axes);
  for (const Quaternion& q : *axes) EXPECT_NEAR(std::abs(model_file::matrixOf(q).y.y), 1.0, 1e-9);
}

TEST(BoxSection, HasTheTorsionOfSaintVenant) {
  // A square: J = 0.1406 a^4, W = 0.208 a^3, as textbooks have it.
  EXPECT_NEAR(model_file::torsionConstantOfBox(1.0, 1.0), 0.1406, 5e-5);
  EXPECT_NEAR(model_file::torsionModulusOfBox(1.0, 1.0), 0.208, 5e-4);
  // Very thin: b h^3 / 3 (1 - 0.63 h/b), b h^2 / 3.
  EXPECT_NEAR(model_file::torsionConstantOfBox(0.01, 1.0) * 3e6, 1.0 - 0.0063, 1e-4);
  // G J of the strip of the cantilever, with G = E / 2.66.
  EXPECT_NEAR(71e9 / 2.66 * model_file::torsionConstantOfBox(0.0042, 0.0254), 14.99826878, 1e-7);
}

TEST(FlexibleLink, MayBeDampedAgainstItsUndeformedShape) {
  const Mechanism m = read(beam("elements = 3, rayleigh = [2, 0.1], " + kLine));
  EXPECT_THAT(namesOf(m.loads), ElementsAre("beam:s1", "beam:s2", "beam:d1", "beam:d2"));
  EXPECT_DOUBLE_EQ(m.loads[0].damping.number, 0.4);
  EXPECT_DOUBLE_EQ(m.loads[2].bushing_damping[0][0].number, 1.0);
}

// --- messages
// ------------------------------------------------------------------------------------------------------

struct Bad {
  std::string flexible;
  std::string message;  // a part, with its place
};
class BadFlexibleLink : public ::testing::TestWithParam<Bad> {};

TEST_P(BadFlexibleLink, IsRefusedWithItsPlace) {
  EXPECT_THAT(refusal(beam(GetParam().flexible)), HasSubstr("\n" + GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, BadFlexibleLink,
    ::testing::Values(
        Bad{"elements = 1, " + kLine,
            "m.toml:8:52: error: elements of flexible of body \"beam\" must be a whole number "
            "from 2 to 100000, got 1. One element does not deform"},
        Bad{"elements = 2.5, " + kLine, "m.toml:8:52: error: elements of flexible of body \"beam\" must be a whole"},
        Bad{kLine, "m.toml:8:28: error: flexible of body \"beam\": elements is missing."},
        Bad{"elements = 4", "m.toml:8:28: error: flexible of body \"beam\": section is missing."},
        Bad{R"(elements = 4, section = { box = ["4 mm", "25 mm"] })",
            "m.toml:8:55: error: section of flexible of body \"beam\": no material: E is missing."},
        Bad{R"(elements = 4, E = "71 GPa", section = { box = ["4 mm", "25 mm"] })",
            "m.toml:8:69: error: section of flexible of body \"beam\": no material: density is missing."},
        Bad{"elements = 4, section = { EIz = 0, rhoA = 1 }",
            "m.toml:8:73: error: EIz of section of flexible of body \"beam\" must be positive, got 0."},
        Bad{R"(elements = 4, E = -3, density = 1, section = { box = ["4 mm", "25 mm"] })",
            "m.toml:8:59: error: E of flexible of body \"beam\" must be positive, got -3."},
        Bad{R"(elements = 4, E = 3, density = 1, section = { box = ["-1 mm", "25 mm"] })",
            "m.toml:8:94: error: box of section of flexible of body \"beam\" must be positive, got -0.001."},
        Bad{"elements = 4, deforms = [\"bend_z\", \"stretch\"], " + kLine,
            "m.toml:8:88: error: section of flexible of body \"beam\": EA is missing. The link deforms by stretch."},
        Bad{"elements = 4, deforms = [\"twist\"], " + kLine,
            "m.toml:8:66: error: deforms of flexible of body \"beam\": unknown word \"twist\"."},
        Bad{"elements = 4, turns = \"zyx\", " + kLine,
            "m.toml:8:55: error: flexible of body \"beam\": turns is for files"},
        Bad{"elements = 4, roll = 1, " + kLine, "m.toml:8:55: error: flexible of body \"beam\": roll is for files"},
        Bad{"elements = 4, damping_time = 1, rayleigh = [0, 1], " + kLine,
            "m.toml:8:73: error: flexible of body \"beam\": damping_time and rayleigh are both given."},
        Bad{"elements = 4, damping_time = -1, " + kLine,
            "m.toml:8:70: error: damping_time of flexible of body \"beam\" must not be negative, got -1."},
        Bad{"elements = 4, through = [[0, 0]], " + kLine,
            "m.toml:8:66: error: through of flexible of body \"beam\": two neighbours are at the same place."},
        Bad{"elements = 4, E = 1, density = 1, section = { tube = [1, 2] }",
            "m.toml:8:94: error: tube of section of flexible of body \"beam\": the inner diameter must be smaller"},
        Bad{"elements = 4, E = 1, density = 1, section = { box = [1, 1] }, section_end = { EIz = 1, rhoA = 1 }",
            "m.toml:8:117: error: section_end of flexible of body \"beam\" is of another kind than section."},
        Bad{"elements = 4, E = 1, nu = 0.7, density = 1, section = { box = [1, 1] }",
            "m.toml:8:67: error: nu of flexible of body \"beam\" must be above -1 and at most 0.5, got 0.7."}));

TEST(BadFlexibleLinks, InSpaceThatTwistNeedInertia) {
  EXPECT_THAT(
      refusal(beamInSpace("elements = 4, section = { EIz = 1, EIy = 1, GJ = 1, rhoA = 1 }")),
      HasSubstr("m.toml:8:55: error: section of flexible of body \"beam\": the link twists, and its slices have no "
                "inertia. Give rhoI"));
  EXPECT_THAT(
      refusal(beamInSpace("elements = 4, section_y = [1, 0, 0], section = { EIz = 1, EIy = 1, GJ = 1, rhoA = 1, "
                          "rhoI = 1 }")),
      HasSubstr("m.toml:8:67: error: section_y of flexible of body \"beam\" points along the axis."));
}

TEST(BadFlexibleLinks, WithElementsShorterThanThickAreWarnedOf) {
  EXPECT_THAT(findings(beam(R"(elements = 40, E = "71 GPa", density = 2770, section = { box = ["40 mm", "25 mm"] })")),
              HasSubstr("m.toml:8:52: warning: body \"beam\": an element is 0.0256 m long and 0.04 m thick"));
  EXPECT_EQ(findings(beam(R"(elements = 20, E = "71 GPa", density = 2770, section = { box = ["40 mm", "25 mm"] })")),
            "\n");
}

struct Unplaced {
  std::string rest;
  std::string message;
};
class UnplacedOnALink : public ::testing::TestWithParam<Unplaced> {};

TEST_P(UnplacedOnALink, IsRefused) {
  EXPECT_THAT(refusal(beam("elements = 4, " + kLine, GetParam().rest)), HasSubstr("\n" + GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, UnplacedOnALink,
    ::testing::Values(
        Unplaced{"[loads]\nF = { force = [0, 1], on = \"beam\" }\n",
                 "m.toml:12:28: error: load \"F\": \"beam\" is flexible: which point of it? Write \"beam.P\""},
        Unplaced{"[loads]\nF = { couple = 1, on = \"beam\" }\n",
                 "m.toml:12:24: error: load \"F\": \"beam\" is flexible"},
        Unplaced{"[loads]\nF = { rotational_spring = [\"ground\", \"beam\"], stiffness = 1 }\n",
                 "m.toml:12:38: error: load \"F\": \"beam\" is flexible"},
        Unplaced{"[loads]\nF = { force_per_length = [0, 1], on = \"beam.T\" }\n",
                 "m.toml:12:39: error: load \"F\": force_per_length is for flexible links, and \"beam.T\" is a point."},
        Unplaced{"[images]\nbeam = { joints = [\"A\"] }\n",
                 "m.toml:12:1: error: image of \"beam\": a flexible link is not split"}));

}  // namespace model_file_flexible_test
}  // namespace linkwork
