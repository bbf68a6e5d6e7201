// Rolling joints, knife edges and formulas of rates as the model file has them.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "linkwork/codegen/expr_writer.hpp"
#include "linkwork/read/model_file_for_tests.hpp"

namespace linkwork {
namespace model_file_rolling_test {

using test::read;
using test::refusal;

const std::string kPlane = R"toml(linkwork = 1
space = "planar"
gravity = [0, -9.81]
[parameters]
r = "0.2 m"
[points]
C = [0.3, 0.2]
T = [0.3, 0]
[bodies]
wheel = { disc = { at = "C", radius = "r", angle = 0.5 }, mass = 2 }
ring  = { disc = { at = [0, 0], radius = 1 }, mass = 3 }
bar   = { rod = ["C", "T"], mass = 1 }
[joints]
)toml";  // 13 lines

const std::string kSpace = R"toml(linkwork = 1
space = "spatial"
gravity = [0, 0, -9.81]
[points]
C = [0.3, 0, 0.2]
T = [0.3, 0, 0]
[bodies]
wheel = { disc = { at = "C", radius = 0.2, axis = [0, 1, 0] }, mass = 2 }
ball  = { sphere = { at = [0, 0, 2], radius = 0.3 }, mass = 2 }
drum  = { cylinder = { from = [0, -1, 1], to = [0, 1, 1], radius = 0.4 }, mass = 2 }
box   = { box = { at = [0, 0, 0.1], size = [1, 1, 0.2] }, mass = 5 }
[joints]
)toml";  // 12 lines

const Joint& only(const Mechanism& m) { return m.joints.at(0); }

TEST(ModelFileRolling, TakesRoundnessAndLettersFromTheDisc) {
  const Mechanism m = read(kPlane + R"toml(T = { rolling = ["ground", "wheel"], normal = [0, 1] })toml");
  const Joint& joint = only(m);
  EXPECT_EQ(joint.kind, JointKind::rolling);
  EXPECT_EQ(joint.rolling.on, RollingOn::plane);
  EXPECT_EQ(joint.rolling.radius.number, 0.2);
  EXPECT_EQ(toText(joint.rolling.radius.expr), "r");
  EXPECT_EQ(joint.on_first.angle.number, 0.0);
  // Counted from the drawing, in which the wheel is above T and turned by half a radian.
  EXPECT_TRUE(joint.rolling.counted);
  EXPECT_NEAR(joint.offset.number, 0.2 * 0.5, 1e-15);
}

TEST(ModelFileRolling, TurnsTheNormalIntoTheFirstBody) {
  const Mechanism m = read(kPlane + R"toml(T = { rolling = ["bar", "wheel"], at = "T", normal = [1, 0] })toml");
  // The bar points down: its x axis is -y of the ground. Along the plane, to the right of the normal, is -y too.
  EXPECT_NEAR(only(m).on_first.angle.number, 0.0, 1e-15);
}

TEST(ModelFileRolling, RollsOnAndInRoundBodies) {
  const Mechanism out = read(kPlane + R"toml(pair = { rolling = ["wheel", "ring"] })toml");
  EXPECT_EQ(only(out).rolling.on, RollingOn::ball);
  EXPECT_EQ(only(out).rolling.first_radius.number, 0.2);
  EXPECT_EQ(only(out).rolling.radius.number, 1.0);
  const Mechanism in = read(kPlane + R"toml(pair = { rolling = ["ring", "wheel"], inside = true })toml");
  EXPECT_TRUE(only(in).rolling.inside);
  const Mechanism bowl = read(
      kPlane +
      R"toml(pair = { rolling = ["ground", "wheel"], inside = true, first = { centre = [0, 0], radius = 2 } })toml");
  EXPECT_EQ(only(bowl).rolling.first_radius.number, 2.0);
  EXPECT_EQ(only(bowl).on_first.point[0].number, 0.0);
}

TEST(ModelFileRolling, KnowsTheShapesOfSpace) {
  const auto shapeOf = [](const std::string& joint) { return only(read(kSpace + joint)).rolling; };
  EXPECT_EQ(shapeOf(R"toml(T = { rolling = ["ground", "wheel"], normal = [0, 0, 1], tyre = 0.05 })toml").shape,
            RollingShape::disc);
  EXPECT_EQ(shapeOf(R"toml(T = { rolling = ["ground", "ball"], normal = [0, 0, 1] })toml").shape, RollingShape::ball);
  EXPECT_EQ(shapeOf(R"toml(T = { rolling = ["ground", "box"], normal = [0, 0, 1], semi_axes = [1, 2, 3] })toml").shape,
            RollingShape::ellipsoid);
  EXPECT_EQ(
      shapeOf(R"toml(T = { rolling = ["ground", "box"], normal = [0, 0, 1], radius = 1, axis = [0, 1, 0] })toml").shape,
      RollingShape::disc);
  EXPECT_EQ(shapeOf(R"toml(T = { rolling = ["drum", "wheel"] })toml").on, RollingOn::cylinder);
  EXPECT_EQ(shapeOf(R"toml(T = { rolling = ["ball", "box"], radius = 0.2 })toml").on, RollingOn::ball);
  EXPECT_EQ(shapeOf(R"toml(T = { rolling = ["drum", "ball"] })toml").on, RollingOn::cylinder);
  EXPECT_EQ(shapeOf(R"toml(T = { rolling = ["ball", "wheel"] })toml").on, RollingOn::ball);
  EXPECT_EQ(shapeOf(R"toml(T = { rolling = ["ball", "wheel"] })toml").shape, RollingShape::disc);
  const Mechanism m = read(kSpace + R"toml(T = { rolling = ["ground", "drum"], normal = [0, 0, 1] })toml");
  EXPECT_EQ(only(m).on_second.point[0].number, 1.0);  // the middle of a cylinder whose frame is at its end
}

TEST(ModelFileRolling, PutsTheBladeOnTheSecondBody) {
  const Mechanism m = read(kPlane + R"toml(T = { knife_edge = ["ground", "bar"], axis = [1, 0] })toml");
  const Joint& joint = only(m);
  EXPECT_EQ(joint.kind, JointKind::knife_edge);
  EXPECT_FALSE(joint.first.valid());
  EXPECT_NEAR(joint.on_second.point[0].number, 0.2, 1e-15);
  EXPECT_NEAR(joint.on_second.angle.number, 0.5 * std::numbers::pi, 1e-15);  // the bar's own x axis points down
}

TEST(ModelFileRolling, ReadsFormulasOfRates) {
  const Mechanism m = read(
      kPlane + R"toml(law = { velocity = "wheel.x_rate*sin(wheel.angle) - wheel.y_rate + r*wheel.angle_rate" })toml");
  EXPECT_EQ(only(m).kind, JointKind::velocity);
  EXPECT_EQ(only(m).unit, RelationUnit::length);
}

TEST(ModelFileRolling, SaysWhatIsWrongAndWhatToDo) {
  const struct {
    std::string joint, message;
    bool in_space = false;
  } cases[] = {
      {R"toml(T = { rolling = ["ground", "bar"], normal = [0, 1] })toml",
       "m.toml:14:1: error: joint \"T\": bar is not round. Make it a disc, or give radius here."},
      {R"toml(T = { rolling = ["ground", "wheel"] })toml",
       "m.toml:14:1: error: joint \"T\": on what does wheel roll? Give normal = [0, 1], from the plane towards the "
       "rolling body; or first = { centre = \"P\", radius = 1 } where it rolls on (inside = true: in) something "
       "round."},
      {R"toml(Q = { rolling = ["ground", "wheel"], normal = [0, 1] })toml",
       "m.toml:14:1: error: joint \"Q\": where is it? Give at = \"P\" or at = [x, y], or add a point \"Q\" to "
       "[points]."},
      {R"toml(T = { rolling = ["wheel", "ring"], inside = true })toml",
       "m.toml:14:17: error: joint \"T\": a body of radius 1 m does not roll in one of radius 0.2 m. The second body "
       "is "
       "the inner one."},
      {R"toml(T = { rolling = ["ground", "wheel"], normal = [0, 1], surface_velocity = ["t", 1] })toml",
       "m.toml:14:74: error: surface_velocity of joint \"T\" leads out of the plane: it has a component along the "
       "normal. It is given in axes of the first body."},
      {R"toml(T = { rolling = ["ground", "wheel"], normal = [0, 0] })toml",
       "m.toml:14:47: error: normal of joint \"T\": [0, 0] has no direction."},
      {R"toml(T = { velocity = "wheel.x - 0.1 [m]*t" })toml",
       "m.toml:14:18: error: velocity of joint \"T\": it names no rate of a body or joint. A formula of positions that "
       "stays zero is an expression = \"...\"."},
      {R"toml(T = { velocity = "wheel.x_rate*wheel.angle_rate" })toml",
       "m.toml:14:18: error: velocity of joint \"T\": it is not linear in rates; what wheel.angle_rate is multiplied "
       "with depends on wheel.x_rate. Only what is linear in rates can be a constraint of velocities."},
      {R"toml(T = { expression = "wheel.x_rate" })toml",
       "m.toml:14:20: error: expression of joint \"T\": \"wheel.x_rate\" is a rate; only positions may stand here. A "
       "formula that is linear in rates is a velocity = \"...\"."},
      {R"toml(T = { rolling = ["ground", "wheel"], normal = [0, 0, 1], tyre = 0.3 })toml",
       "m.toml:13:65: error: tyre of joint \"T\" must be smaller than the outer radius, 0.2 m.", true},
      {R"toml(T = { rolling = ["ground", "wheel"], normal = [0, 0, 1], roller = "90 deg" })toml",
       "m.toml:13:67: error: joint \"T\": rollers that lie along the axle turn with the wheel and hold nothing. Their "
       "angle from the way the wheel rolls is 0 for an omni wheel, 45 deg or -45 deg for a mecanum wheel.",
       true},
      {R"toml(T = { rolling = ["ground", "wheel"], normal = [0, 1, 0] })toml",
       "m.toml:13:17: error: joint \"T\": the disc lies flat in the drawing, and touches with its whole rim. Draw it "
       "upright or leaning: its axle (axis) is not the normal of the plane.",
       true},
      {R"toml(T = { rolling = ["drum", "box"], radius = 0.2, axis = [0, 1, 1] })toml",
       "m.toml:13:17: error: joint \"T\": the axes of the two bodies are not parallel in the drawing, and where a rim "
       "touches a cylinder that is not, follows from no formula. Draw the axes parallel, and keep them so by other "
       "joints; or let a ball roll there.",
       true},
      {R"toml(T = { rolling = ["ball", "box"], radius = 0.2, axis = [0, 0, 1] })toml",
       "m.toml:13:17: error: joint \"T\": the disc's axle leads through the centre of the ball in the drawing, so that "
       "the disc touches with its whole rim. Draw it leaning.",
       true},
      {R"toml(T = { rolling = ["ground", "ball"], normal = [0, 0, 1], axis = [1, 0, 0] })toml",
       "m.toml:13:57: error: joint \"T\": a ball has no axis.", true},
      {R"toml(T = { knife_edge = ["ground", "box"], axis = [0, 0, 1], normal = [0, 0, 2] })toml",
       "m.toml:13:66: error: joint \"T\": the blade stands upright on the ice. axis is the direction in which it may "
       "slide.",
       true},
  };
  for (const auto& [joint, message, in_space] : cases) {
    SCOPED_TRACE(joint);
    EXPECT_EQ(refusal((in_space ? kSpace : kPlane) + joint), "\n" + message + "\n");
  }
}

}  // namespace model_file_rolling_test
}  // namespace linkwork
