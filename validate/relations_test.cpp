// Gears, racks, screws, cams and the like against closed forms, and space against the plane over many turns.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "linkwork/model/lift.hpp"
#include "linkwork/read/model_file_for_tests.hpp"
#include "run_model.hpp"

namespace linkwork::validation {
namespace relations_test {

using test::read;

constexpr double kPi = std::numbers::pi;

Result run(const Mechanism& mechanism, double until, double output_step, double rtol = 1e-10) {
  RunOptions options = runOptions(mechanism);
  options.until = until;
  options.output_step = output_step;
  options.steps.rtol = rtol;
  options.steps.atol = 0.01 * rtol;
  Result result = runModel(mechanism, options);
  expect(result.status == RunStatus::complete, result.message);
  // A few hundred steps at the tolerance.
  EXPECT_LT(result.ledger.worst_energy_balance, 1e3 * rtol * result.ledger.energy_scale);
  return result;
}

const std::vector<double>& series(const Result& result, const std::string& name) {
  const Series* found = result.find(name);
  expect(found != nullptr, "no series " + name);
  return found->values;
}

// Everything reduced to the motor's shaft: J w' = 2.4 - 0.02 w - m g r_drum / 8.
struct Winch {
  double inertia = 0.5 * 0.3 * 0.03 * 0.03 + 0.5 * 2.5 * 0.12 * 0.12 / 16.0 + 0.5 * 2.0 * 0.08 * 0.08 / 64.0 +
                   20.0 * 0.06 * 0.06 / 64.0;
  double torque = 2.4 - 20.0 * 9.81 * 0.06 / 8.0;
  double rate(double t) const { return torque / 0.02 * (1.0 - std::exp(-0.02 * t / inertia)); }
  double angle(double t) const { return torque / 0.02 * (t - inertia / 0.02 * (1.0 - std::exp(-0.02 * t / inertia))); }
};

TEST(Relations, GearTrainTurnsAsItsRatioSaysOverManyTurns) {
  const Mechanism m = readShippedModel("gear_train");
  const Result result = run(m, 4.0, 0.5);
  const Winch winch;
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    const double t = result.time[k];
    const double turn = series(result, "M.angle")[k];
    EXPECT_NEAR(turn, winch.angle(t), 1e-8 * (1.0 + winch.angle(t)));
    EXPECT_NEAR(series(result, "M.angle_rate")[k], winch.rate(t), 1e-8 * (1.0 + winch.rate(t)));
    // The meshes hold to round-off of the angles, however many turns there were.
    EXPECT_NEAR(series(result, "I.angle")[k], -turn / 4.0, 1e-12 * (1.0 + turn));
    EXPECT_NEAR(series(result, "D.angle")[k], turn / 8.0, 1e-12 * (1.0 + turn));
    EXPECT_NEAR(series(result, "lift.slide")[k], 0.06 * turn / 8.0, 1e-12 * (1.0 + turn));
    // Tooth force of the first mesh, on the pinion in the sense of its angle: what is left of the motor's torque.
    const double rate = series(result, "M.angle_rate")[k];
    const double acceleration = series(result, "pinion.angle_acceleration")[k];
    const double left = 0.5 * 0.3 * 0.03 * 0.03 * acceleration - (2.4 - 0.02 * rate);
    EXPECT_NEAR(series(result, "fast.effort")[k], left / 0.03, 1e-7);
    EXPECT_NEAR(series(result, "rope.effort")[k], 20.0 * (9.81 + 0.06 * acceleration / 8.0), 1e-7);
  }
  EXPECT_GT(series(result, "M.angle").back() / (2.0 * kPi), 15.0);
}

TEST(Relations, InSpaceGearsCountTurnsAsInThePlane) {
  const Mechanism planar = readShippedModel("gear_train");
  const Mechanism spatial = liftToSpace(planar);
  const Result plane = run(planar, 4.0, 0.25);
  const Result space = run(spatial, 4.0, 0.25);
  for (const char* name :
       {"M.angle", "I.angle", "D.angle", "lift.slide", "fast.effort", "slow.effort", "rope.effort"}) {
    const auto& a = series(plane, name);
    const auto& b = series(space, name);
    ASSERT_EQ(a.size(), b.size());
    // Two runs at rtol 1e-10 over 130 rad.
    for (std::size_t k = 0; k < a.size(); ++k)
      EXPECT_NEAR(a[k], b[k], 1e-8 * (1.0 + std::abs(a[k]))) << name << ' ' << k;
  }
  EXPECT_GT(series(space, "M.angle").back() / (2.0 * kPi), 15.0);
  // The gears themselves, at the end, at round-off.
  EXPECT_NEAR(series(space, "M.angle").back(), -4.0 * series(space, "I.angle").back(), 1e-11);
}

// Events, outputs and loads of an angle in space know its turns too: the state holds their count.
TEST(Relations, AnEventInSpaceIsFoundAtItsTurn) {
  const Mechanism m = read(R"toml(linkwork = 1
space = "spatial"
gravity = [0, 0, 0]
[bodies]
wheel = { position = [0, 0, 0], mass = 1, inertia = [1, 1, 2] }
[joints]
H = { revolute = ["ground", "wheel"], at = [0, 0, 0], axis = [0, 0, 1] }
[loads]
coil = { rotational_spring = "H", stiffness = "0.5 N*m/rad", free_angle = 0 }
[initial]
H.rate = 20
[events]
turned = { when = "H.angle - 12*pi", crossing = "rising", stop = true }
[simulate]
until = 10
)toml");
  RunOptions options = runOptions(m);
  options.steps.rtol = 1e-10;
  options.steps.atol = 1e-12;
  const Result result = runModel(m, options);
  ASSERT_EQ(result.status, RunStatus::stopped_by_event) << result.message;
  // 2 H'' = -H/2: H = 40 sin(t/2), which reaches six turns, 37.7 rad, before it swings back.
  EXPECT_NEAR(result.time.back(), 2.0 * std::asin(12.0 * kPi / 40.0), 1e-8);
  EXPECT_NEAR(series(result, "H.angle").back(), 12.0 * kPi, 1e-7);
  EXPECT_LT(result.ledger.worst_energy_balance, 1e-7 * result.ledger.energy_scale);
}

TEST(Relations, PlanetaryGearHasWillisRatio) {
  const Result result = run(readShippedModel("planetary_gear"), 3.0, 0.25);
  // sun and arm against the ground: w_arm = w_sun / (1 + 72/24).
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    const double sun = series(result, "sun.angle")[k];
    EXPECT_NEAR(series(result, "arm.angle")[k], sun / 4.0, 1e-12 * (1.0 + std::abs(sun)));
    // The planet rolls inside the ring: w_planet - w_arm = -(72/24) w_arm... = -3 w_arm
    EXPECT_NEAR(series(result, "planet.angle")[k], -2.0 * series(result, "arm.angle")[k],
                1e-12 * (1.0 + std::abs(sun)));
  }
  EXPECT_GT(series(result, "sun.angle").back(), 40.0);
}

TEST(Relations, RackSwingsOnItsSpring) {
  const Result result = run(readShippedModel("rack_and_pinion"), 5.0, 0.1);
  const double mass = 1.5 + 0.5 * 0.4;  // of the rack, and J/r^2 of the pinion
  const double omega = std::sqrt(40.0 / mass);
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    const double slide = 1.2 / omega * std::sin(omega * result.time[k]);
    EXPECT_NEAR(series(result, "rail.slide")[k], slide, 1e-8);
    EXPECT_NEAR(series(result, "O.angle")[k], series(result, "rail.slide")[k] / 0.015, 1e-12 / 0.015);
    EXPECT_NEAR(series(result, "rail.slide_rate")[k], 0.015 * series(result, "O.angle_rate")[k], 1e-12);
  }
}

TEST(Relations, ScrewAdvancesByItsPitchWithEveryTurn) {
  const Result result = run(readShippedModel("screw_jack"), 4.0, 0.5);
  const double lead = 0.03 / (2.0 * kPi);
  const double inertia = 0.0036 + 12.0 * lead * lead;
  const double torque = 0.9 - 12.0 * 9.81 * lead;
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    const double t = result.time[k];
    const double rate = torque / 0.02 * (1.0 - std::exp(-0.02 * t / inertia));
    const double angle = torque / 0.02 * (t - inertia / 0.02 * (1.0 - std::exp(-0.02 * t / inertia)));
    EXPECT_NEAR(series(result, "bearing.angle_rate")[k], rate, 1e-8 * (1.0 + rate));
    EXPECT_NEAR(series(result, "table.z")[k], 0.5 + lead * angle, 1e-8 * (1.0 + angle));
    EXPECT_NEAR(series(result, "table.z_rate")[k], lead * series(result, "bearing.angle_rate")[k], 1e-11);
    // The thread carries the table.
    EXPECT_NEAR(series(result, "thread.force.z")[k], 12.0 * (9.81 + series(result, "table.z_acceleration")[k]), 1e-7);
  }
  EXPECT_GT(series(result, "table.z").back() - 0.5, 5.0 * 0.03);
}

TEST(Relations, ConstantVelocityJointPassesEverySpeedOnUniversalJointDoesNot) {
  const Result even = run(readShippedModel("constant_velocity_shaft"), 5.0, 0.02);
  const auto& in = series(even, "bearing.angle_rate");
  for (std::size_t k = 0; k < even.time.size(); ++k) {
    EXPECT_NEAR(in[k], 4.0 + std::cos(2.0 * even.time[k]), 1e-9);
    EXPECT_NEAR(series(even, "outputs.speed_out")[k], in[k], 1e-10);
  }
  // w_out / w_in between cos(bend) and 1 / cos(bend), and nowhere beyond.
  const Result uneven = run(readShippedModel("universal_joint_shaft"), 5.0, 0.002);
  const auto& out = series(uneven, "outputs.speed_out");
  const auto [least, most] = std::minmax_element(out.begin(), out.end());
  const double c = std::cos(40.0 * kPi / 180.0);
  EXPECT_NEAR(*least, 4.0 * c, 1e-4);
  EXPECT_NEAR(*most, 4.0 / c, 1e-4);
}

TEST(Relations, DifferentialSharesTheTorqueEqually) {
  const Result result = run(readShippedModel("differential"), 3.0, 0.1);
  for (const double value : series(result, "outputs.difference")) EXPECT_NEAR(value, 0.0, 1e-10);
  // When all is steady each half shaft has half of the 40 N m against its brake.
  EXPECT_NEAR(series(result, "C.angle_rate").back() + series(result, "L.angle_rate").back(), 20.0 / 0.8, 1e-6);
  EXPECT_NEAR(series(result, "C.angle_rate").back() + series(result, "R.angle_rate").back(), 20.0 / 0.2, 1e-6);
  EXPECT_GT(series(result, "L.angle").back() / (2.0 * kPi), -1e3);
}

// A round cam about a point off its centre: y = e cos(theta) + sqrt((R + r)^2 - e^2 sin(theta)^2), and the follower's
// weight and inertia are all that the contact carries.
TEST(Relations, RoundCamLiftsItsRollerAsTheTriangleSays) {
  constexpr double kR = 0.05;
  constexpr double kE = 0.015;
  constexpr double kRoller = 0.01;
  std::string points;
  constexpr int kPoints = 60;
  for (int k = 0; k < kPoints; ++k) {
    const double angle = 2.0 * kPi * k / kPoints;
    points += fmt::format("[{:.17g}, {:.17g}], ", kR * std::sin(angle), kE + kR * std::cos(angle));
  }
  for (const bool lifted : {false, true}) {
    Mechanism m = read(fmt::format(R"toml(linkwork = 1
space = "planar"
gravity = [0, -9.81]
[points]
O = [0, 0]
P = [0, {}]
[bodies]
cam = {{ disc = {{ at = "O", radius = 0.05 }}, mass = 1 }}
follower = {{ position = "P", mass = 0.6, inertia = 0.01, points = {{ P = [0, 0] }} }}
[joints]
O = {{ revolute = ["ground", "cam"] }}
guide = {{ prismatic = ["ground", "follower"], at = "P", axis = [0, 1] }}
contact = {{ curve = ["follower.P", "cam"], closed = true, offset = {}, points = [{}] }}
[drives]
motor = {{ joint = "O", angle = "7*t" }}
[simulate]
until = 2
)toml",
                                   kR + kE + kRoller, kRoller, points));
    if (lifted) m = liftToSpace(m);
    const Result result = run(m, 2.0, 0.05, 1e-9);
    for (std::size_t k = 0; k < result.time.size(); ++k) {
      const double theta = 7.0 * result.time[k];
      const double s = std::sin(theta);
      const double c = std::cos(theta);
      const double root = std::sqrt((kR + kRoller) * (kR + kRoller) - kE * kE * s * s);
      // The spline is off a circle by R (2 pi / 60)^4 / 384, its slope by less than (2 pi / 60)^3 / 24.
      EXPECT_NEAR(series(result, "follower.y")[k], kE * c + root, 2e-8);
      EXPECT_NEAR(series(result, "follower.y_rate")[k], 7.0 * (-kE * s - kE * kE * s * c / root), 1e-5);
      // Its curvature is off by (2 pi / 60)^2 / 12, 1e-3, of itself, and so is v^2 / R of the contact point.
      const double dd = -kE * c - kE * kE * ((c * c - s * s) / root + kE * kE * s * s * c * c / (root * root * root));
      EXPECT_NEAR(series(result, "follower.y_acceleration")[k], 49.0 * dd, 1e-3 * 49.0 * 0.075 * 0.075 / kR);
      // The reaction is that of the first-named, the follower, on the cam: its weight and inertia, downwards.
      const double a = series(result, "follower.y_acceleration")[k];
      EXPECT_NEAR(series(result, "contact.force.y")[k], -0.6 * (9.81 + a), 1e-9);
      // Along the line from the cam's centre to the roller's.
      const double ratio = series(result, "contact.force.x")[k] / series(result, "contact.force.y")[k];
      EXPECT_NEAR(ratio, kE * s / root, 1e-4);
    }
  }
}

TEST(Relations, ShippedCamFollowsItsSpline) {
  const Mechanism m = readShippedModel("cam_follower");
  const Result result = run(m, 2.0, 0.05, 1e-9);
  // The profile r = 0.05 + 0.012 (1 - cos a) at the roller's contact, found by searching the nearest of its points: the
  // spline through 24 of them is off by less than a tenth of a micrometre... of the lobe's fourth derivative.
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    const double theta = 10.0 * result.time[k];
    const double y = series(result, "follower.y")[k] - 0.15 + 0.05;  // of the roller
    double nearest = 1.0;
    for (int i = 0; i < 20000; ++i) {
      const double a = 2.0 * kPi * i / 20000;
      const double r = 0.05 + 0.012 * (1.0 - std::cos(a));
      nearest = std::min(nearest, std::hypot(-r * std::sin(a + theta), y - r * std::cos(a + theta)));
    }
    EXPECT_NEAR(nearest, 0.008, 2e-6) << k;
  }
}

// A pendulum whose rod is a formula swings as one whose rod is a distance joint.
TEST(Relations, AnExpressionHoldsLikeTheJointItSpells) {
  const std::string head = R"toml(linkwork = 1
space = "planar"
gravity = [0, -9.81]
[parameters]
L = "0.8 m"
[points]
O = [0, 0]
B = ["L*cos(20 [deg])", "-L*sin(20 [deg])"]
[bodies]
bob = { position = "B", mass = 2, inertia = 0.1 }
[initial]
bob.angle_rate = 3
[simulate]
until = 3
[joints]
)toml";
  const Result formula = run(read(head + "rod = { expression = \"sqrt(bob.x^2 + bob.y^2) - L\" }\n"), 3.0, 0.25);
  const Result joint = run(read(head + "rod = { distance = [\"ground.O\", \"bob.B\"] }\n"), 3.0, 0.25);
  for (const char* name : {"bob.x", "bob.y", "bob.angle"}) {
    for (std::size_t k = 0; k < formula.time.size(); ++k)
      EXPECT_NEAR(series(formula, name)[k], series(joint, name)[k], 1e-8);
  }
  for (std::size_t k = 0; k < formula.time.size(); ++k) {
    const double force = std::hypot(series(joint, "rod.force.x")[k], series(joint, "rod.force.y")[k]);
    EXPECT_NEAR(std::abs(series(formula, "rod.effort")[k]), force, 1e-6);
  }
}

// A bead on a wire that ends.
TEST(Relations, LeavingTheEndOfACurveIsSaid) {
  const Mechanism m = read(R"toml(linkwork = 1
space = "planar"
gravity = [0, -9.81]
[bodies]
bead = { position = [0.1, 0], mass = 1, inertia = 1, points = { P = [0, 0] } }
[joints]
wire = { curve = ["bead.P", "ground"], points = [[0, 0], [1, 0], [2, 0], [3, 0]] }
[initial]
bead.x_rate = 2
[simulate]
until = 10
)toml");
  const Result result = runModel(m, runOptions(m));
  EXPECT_EQ(result.status, RunStatus::failed);
  EXPECT_NE(result.message.find("joint \"wire\": the point has come to the end of the curve at t = 1.45"),
            std::string::npos)
      << result.message;
  EXPECT_NEAR(result.time.back(), 1.45, 0.03);
}

}  // namespace relations_test
}  // namespace linkwork::validation
