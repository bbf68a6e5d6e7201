// Shipped mechanisms in space against closed forms and published values.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "linkwork/read/model_file_for_tests.hpp"
#include "space_result.hpp"

namespace linkwork::validation {
namespace space_models_test {

// Samples of a tight run.
Result fineRun(const Mechanism& m, double until, int samples) {
  RunOptions options = runOptions(m);
  options.until = until;
  options.output_step = until / samples;
  options.steps.rtol = 1e-11;
  options.steps.atol = 1e-13;
  return runModel(m, options);
}

// tan(out) = tan(in) cos(bend), so out' = in' cos(bend) / (cos(in)^2 + sin(in)^2 cos(bend)^2).
TEST(SpaceModels, UniversalJointTurnsUnevenly) {
  const Result result = fineRun(readShippedModel("universal_joint_shaft"), 2.0, 40);
  const double bend = 40.0 * std::numbers::pi / 180.0;
  double slowest = 1e9;
  double fastest = 0.0;
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    const double in = 4.0 * result.time[k];
    const double c = std::cos(in);
    const double s = std::sin(in) * std::cos(bend);
    const V3 w = vectorAt(result, "output.angular_velocity.", k);
    const double speed = w.x * std::cos(bend) + w.y * std::sin(bend);
    EXPECT_NEAR(speed, 4.0 * std::cos(bend) / (c * c + s * s), 1e-9);
    EXPECT_NEAR(dot(w, w), speed * speed, 1e-9);  // about its own line and no other
    slowest = std::min(slowest, speed);
    fastest = std::max(fastest, speed);
  }
  EXPECT_LT(slowest, 3.2);
  EXPECT_GT(fastest, 5.0);
}

// The slider is where a rod of 0.3 m from the crank's end meets the x axis.
TEST(SpaceModels, SpatialSliderCrankClosesOnItsRod) {
  const Result result = fineRun(readShippedModel("spatial_slider_crank"), 2.0, 40);
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    const double angle = result.find("O.angle")->values[k];
    const double y = 0.1 - 0.08 * std::sin(angle);
    const double z = 0.12 + 0.08 * std::cos(angle);
    EXPECT_NEAR(result.find("slider.x")->values[k], std::sqrt(0.09 - y * y - z * z), 1e-11);
    EXPECT_NEAR(result.find("S.slide")->values[k], result.find("slider.x")->values[k] - 0.2, 1e-12);
  }
}

// Fast rotor: the axis moves around at m g d / (J w), up to the nodding, whose share is of the order of the ratio of
// the rates.
TEST(SpaceModels, GyroscopePrecesses) {
  const Result result = fineRun(readShippedModel("gyroscope"), 4.0, 8);
  const double expected = 1.0 * 9.81 * 0.01 / (1e-3 * 200.0);
  EXPECT_NEAR(std::abs(lastOf(result, "vertical.angle")) / 4.0, expected, 0.02 * expected);
  EXPECT_LT(std::abs(lastOf(result, "level.angle")), 0.02);
}

TEST(SpaceModels, ParallelogramsKeepTheDeltaRobotLevel) {
  const Result result = fineRun(readShippedModel("delta_robot"), 2.0, 20);
  double travel = 0.0;
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    EXPECT_NEAR(std::abs(result.find("platform.orientation.w")->values[k]), 1.0, 1e-12);
    travel = std::max(travel, std::abs(result.find("platform.z")->values[k] - result.find("platform.z")->values[0]));
  }
  EXPECT_GT(travel, 0.02);
}

// Each leg is as long as its drive says: the balls of the table, carried by its pose, stay at that distance from the
// feet.
TEST(SpaceModels, StewartTableStandsOnItsLegs) {
  const Mechanism m = readShippedModel("stewart_platform");
  const Result result = fineRun(m, 2.0, 10);
  for (const Joint& joint : m.joints) {
    if (!joint.name.starts_with("ballL")) continue;
    const char i = joint.name.back();
    const Joint* foot = nullptr;
    for (const Joint& other : m.joints) {
      if (other.name == std::string("footL") + i) foot = &other;
    }
    ASSERT_NE(foot, nullptr);
    const auto place = [](const Frame& frame) {
      return V3{frame.point[0].number, frame.point[1].number, frame.point[2].number};
    };
    const auto lengthAt = [&](std::size_t k) {
      const V3 ball = vectorAt(result, "table.", k) + orientationAt(result, "table", k) * place(joint.on_second);
      const V3 leg = ball - place(foot->on_first);
      return std::sqrt(dot(leg, leg));
    };
    for (std::size_t k = 0; k < result.time.size(); ++k) {
      const double slide = 0.08 * std::sin((1 + 0.3 * (i - '0')) * result.time[k]);
      EXPECT_NEAR(lengthAt(k), lengthAt(0) + slide, 1e-11) << joint.name;
    }
  }
}

TEST(SpaceModels, GovernorOpensEvenlyOnBothSides) {
  const Result result = fineRun(readShippedModel("governor"), 4.0, 20);
  double opened = 0.0;
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    const double angle = result.find("hinge1.angle")->values[k];
    EXPECT_NEAR(angle, result.find("hinge2.angle")->values[k], 1e-9);
    // The sleeve hangs on links of the length of half an arm: 2 (arm/2) cos(open) below the hinge.
    const double rest = std::numbers::pi / 6;
    EXPECT_NEAR(result.find("slide.slide")->values[k], 0.3 * (std::cos(rest) - std::cos(rest + angle)), 1e-10);
    opened = std::max(opened, angle);
  }
  EXPECT_GT(opened, 0.1);
}

// Rows and rank as they must be.
TEST(SpaceModels, RankOfDoorAndBricard) {
  const std::tuple<const char*, int, int> cases[] = {{"door_two_hinges", 10, 5}, {"bricard", 30, 29}};
  for (const auto& [name, rows, rank] : cases) {
    const Mechanism m = readShippedModel(name);
    const Assembly assembly = assemble(m);
    ASSERT_TRUE(assembly.ok) << assembly.problem;
    EXPECT_EQ(rows - static_cast<int>(assembly.dependent_rows.size()), rank) << name;
  }
}

Mechanism readText(const std::string& text) {
  return test::read("linkwork = 1\nspace = \"spatial\"\ngravity = [0, 0, 0]\n" + text);
}

// Angular velocity is given in ground axes, whatever the orientation, also when assembly turns the body away from its
// drawing.
TEST(SpaceModels, InitialAngularVelocityIsInGroundAxes) {
  const Mechanism m = readText(R"toml(
[bodies]
free  = { rotation = { zyx = [0.4, -1.1, 2.0] }, mass = 1, inertia = [1, 2, 2.5] }
arm   = { rotation = { zxz = [0.3, 0.8, -0.2] }, mass = 1, inertia = [1, 2, 2.5] }
wheel = { rotation = { zxz = [0.3, 0.8, -0.2] }, position = [1, 0, 0], mass = 1, inertia = [1, 2, 2.5] }
[joints]
O = { revolute = ["ground", "arm"], at = [0, 0, 0], axis = [1, 2, 2] }
A = { spherical = ["arm", "wheel"], at = [1, 0, 0] }
[initial]
O.angle = 0.7
free.wx = 1
free.wy = -2
free.wz = 3
wheel.wx = 0.5
wheel.wy = 0.6
wheel.wz = 0.7
)toml");
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  const auto turnOf = [&](std::size_t b) {
    const double* q = &assembly.q[7 * b + 3];
    const double* w = &assembly.v[6 * b + 3];
    return Rotation3<double>::fromQuaternion(q[0], q[1], q[2], q[3]) * V3{w[0], w[1], w[2]};
  };
  const V3 free = turnOf(0);
  EXPECT_NEAR(free.x, 1, 1e-13);
  EXPECT_NEAR(free.y, -2, 1e-13);
  EXPECT_NEAR(free.z, 3, 1e-13);
  const V3 wheel = turnOf(2);
  EXPECT_NEAR(wheel.x, 0.5, 1e-13);
  EXPECT_NEAR(wheel.y, 0.6, 1e-13);
  EXPECT_NEAR(wheel.z, 0.7, 1e-13);
}

// A couple given by components in ground axes: the angular momentum grows by it, however the body turns.
TEST(SpaceModels, CoupleByComponentsKeepsItsDirection) {
  const Mechanism m = readText(R"toml(
[bodies]
free = { rotation = { zyx = [0.4, -1.1, 2.0] }, mass = 1, inertia = [1, 2, 2.5] }
[loads]
twist = { couple = [1, "-2 N*m", "3*t"], on = "free" }
[initial]
free.wx = 2
free.wy = 1
free.wz = -1
)toml");
  const Result result = fineRun(m, 3.0, 6);
  const auto momentum = [&](std::size_t k) {
    const Rotation3<double> R = orientationAt(result, "free", k);
    const V3 w = R.inverseTimes(vectorAt(result, "free.angular_velocity.", k));
    return R * V3{w.x, 2 * w.y, 2.5 * w.z};
  };
  const V3 start = momentum(0);
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    const double t = result.time[k];
    const V3 now = momentum(k);
    EXPECT_NEAR(now.x, start.x + t, 1e-9);
    EXPECT_NEAR(now.y, start.y - 2 * t, 1e-9);
    EXPECT_NEAR(now.z, start.z + 1.5 * t * t, 1e-9);
    EXPECT_NEAR(result.find("twist.moment.y")->values[k], -2.0, 1e-15);
  }
  EXPECT_LT(result.ledger.worst_energy_balance, 1e-8);
}

// Contradictions between a joint and a body, in space.
TEST(SpaceModels, ContradictingValuesAreNamedWithTheirLines) {
  const std::string text = R"toml([bodies]
arm = { mass = 1, inertia = [1, 1, 1] }
[joints]
O = { revolute = ["ground", "arm"], at = [0, 1, 0], axis = [1, 0, 0] }
[initial]
)toml";
  const Assembly rates = assemble(readText(text + "O.rate = 2\narm.wx = 3\n"));
  ASSERT_FALSE(rates.ok);
  EXPECT_NE(rates.problem.find(
                "O.angle_rate = 2 rad/s (m.toml:9:3) and arm.wx = 3 rad/s (m.toml:10:5) contradict each other"),
            std::string::npos)
      << rates.problem;
  const Assembly positions = assemble(readText(text + "O.angle = 0.5\narm.z = 0.2\n"));
  ASSERT_FALSE(positions.ok);
  EXPECT_NE(
      positions.problem.find("O.angle = 0.5 rad (m.toml:9:3) and arm.z = 0.2 m (m.toml:10:5) contradict each other"),
      std::string::npos)
      << positions.problem;
}

}  // namespace space_models_test
}  // namespace linkwork::validation
