// Small published cases with closed forms: unit tests of the programs Chrono, Simbody and Drake, and chains of RBDL.
//
// What a gear of the model file cannot say: it acts along its coordinates alone, so that the radial and axial force of
// a helical pair (Pr and Pa of Chrono's test) and the slip of teeth with a stiffness have no counterpart here.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "linkwork/read/model_file_for_tests.hpp"
#include "space_result.hpp"

namespace linkwork::validation {
namespace published_small_test {

constexpr double kDegree = std::numbers::pi / 180.0;

Mechanism readPlanar(const std::string& text) {
  return test::read("linkwork = 1\nspace = \"planar\"\ngravity = [0, 0]\n" + text);
}

Mechanism readSpatial(const std::string& gravity, const std::string& text) {
  return test::read("linkwork = 1\nspace = \"spatial\"\ngravity = " + gravity + "\n" + text);
}

double firstOf(const Result& result, const std::string& name) { return result.find(name)->values.front(); }

// The values of the start; the run itself is of no interest.
Result startOf(const Mechanism& m) { return runTo(m, 1e-6, 1e-8); }

// Chrono, utest_CH_gears: a wheel of radius 2 under a torque of 1000 presses with Pt = 500 on its locked partner.
TEST(ChronoGears, TangentialForceIsTorqueOverRadius) {
  const Result result = startOf(readPlanar(R"toml(
[bodies]
wheel   = { position = [0, 0], mass = 1, inertia = 1 }
partner = { position = [3, 0], mass = 1, inertia = 1 }
[joints]
A     = { revolute = ["ground", "wheel"], at = [0, 0] }
B     = { revolute = ["ground", "partner"], at = [3, 0] }
teeth = { gear = ["A", "B"], radii = [2, 1] }
[drives]
lock = { joint = "B", angle = "0*t" }
[loads]
torque = { couple = 1000, on = "wheel" }
)toml"));
  EXPECT_NEAR(std::abs(firstOf(result, "teeth.effort")), 500.0, 1e-10);
  EXPECT_NEAR(firstOf(result, "wheel.angle_acceleration"), 0.0, 1e-12);
}

// Chrono, utest_CH_shafts: shafts of 10 and 100 kg m^2, ratio -0.1, a torque of 6 on the first. With teeth the effort
// is the torque of the mesh on the first gear; the second feels it times the ratio of the teeth.
TEST(ChronoShafts, GearedPairAcceleratesAndLoadsItsTeeth) {
  const Result result = startOf(readPlanar(R"toml(
[bodies]
first  = { position = [0, 0], mass = 1, inertia = 10 }
second = { position = [1, 0], mass = 1, inertia = 100 }
[joints]
A     = { revolute = ["ground", "first"], at = [0, 0] }
B     = { revolute = ["ground", "second"], at = [1, 0] }
teeth = { gear = ["A", "B"], teeth = [10, 100] }
[loads]
torque = { couple = 6, on = "first" }
)toml"));
  EXPECT_NEAR(firstOf(result, "first.angle_acceleration"), 6.0 / 11.0, 1e-13);
  EXPECT_NEAR(firstOf(result, "second.angle_acceleration"), -0.6 / 11.0, 1e-13);
  EXPECT_NEAR(firstOf(result, "teeth.effort"), -6.0 / 11.0, 1e-12);
  EXPECT_NEAR(firstOf(result, "teeth.effort") * 10.0, -60.0 / 11.0, 1e-11);
}

// Chrono, utest_CH_shafts: a shaft of 9 kg m^2 on a body of 1 about z, with a torsional spring of 40 to the ground and
// a torque of 3 on the shaft: 3/40 (1 - cos 2t). Chrono prints its own values at steps of 1 ms; these are exact.
TEST(ChronoShafts, ShaftOnABodySwingsOnItsSpring) {
  const Result result = runTo(readSpatial("[0, 0, 0]", R"toml(
[bodies]
body  = { mass = 1, inertia = [1, 1, 1] }
shaft = { mass = 1, inertia = [9, 9, 9] }
[joints]
hinge = { revolute = ["ground", "body"], at = [0, 0, 0], axis = [0, 0, 1] }
weld  = { fixed = ["body", "shaft"], at = [0, 0, 0] }
[loads]
spring = { rotational_spring = "hinge", stiffness = 40, free_angle = 0 }
torque = { couple = 3, on = "shaft", axis = [0, 0, 1] }
)toml"),
                              0.5, 1e-11);
  EXPECT_NEAR(lastOf(result, "hinge.angle"), 0.034477327, 1e-9);
  EXPECT_NEAR(lastOf(result, "hinge.angle_rate"), 0.126220648, 1e-9);
  EXPECT_NEAR(lastOf(result, "body.angular_acceleration.z"), 0.162090692, 1e-9);
  EXPECT_NEAR(lastOf(result, "hinge.angle"), 3.0 / 40.0 * (1.0 - std::cos(1.0)), 1e-11);
}

// Simbody, GazeboReactionForce: link 1 lies on a stop at -90 degrees about x, its z axis along y, and carries link 2,
// pinned about that axis. Both have 10 kg with the centre of mass on the axis, so that all stands still; the stop is a
// drive here, whose effort belongs to the reaction. Published with a tolerance of 0.5; statics is exact.
TEST(SimbodyReactions, TwoLinksOnAStop) {
  const Result result = startOf(readSpatial("[-30, 10, -50]", R"toml(
[bodies]
link1 = { rotation = { axis = [1, 0, 0], angle = "-90 deg" }, position = [0, -0.5, 0], mass = 10, com = [0, 0, 0.5], inertia = [1, 1, 1] }
link2 = { rotation = { axis = [1, 0, 0], angle = "-90 deg" }, position = [0, 1, 0], mass = 10, com = [0, 0, 0.5], inertia = [1, 1, 1] }
[joints]
pin1 = { revolute = ["ground", "link1"], at = [0, 0, 0], axis = [1, 0, 0] }
pin2 = { revolute = ["link1", "link2"], at = [0, 1, 0], axis = [0, 1, 0] }
[drives]
stop = { joint = "pin1", angle = "0*t" }
)toml"));
  // On the parent, so that the signs turn.
  V3 moment = vectorAt(result, "pin1.moment_on_first.", 0);
  moment.x -= firstOf(result, "stop.effort");
  EXPECT_LT(distanceBetween(moment, {-750, 0, 450}), 1e-9);
  EXPECT_LT(distanceBetween(vectorAt(result, "pin1.force.", 0), {600, -200, 1000}), 1e-9);
  // Of the second pin, in axes of link 1.
  const Rotation3<double> R = orientationAt(result, "link1", 0);
  EXPECT_LT(distanceBetween(R.inverseTimes(vectorAt(result, "pin2.moment_on_first.", 0)), {-250, -150, 0}), 1e-9);
  EXPECT_LT(distanceBetween(R.inverseTimes(vectorAt(result, "pin2.force.", 0)), {300, -500, -100}), 1e-9);
}

// Drake, multibody/benchmarks/free_body: an axisymmetric body (J, J, I) free of torque. In body axes the transverse
// rate turns about the axis at s = (J - I)/J w3 = 3 rad/s (Kane 1983); the centre falls. The body starts turned, and
// velocities are given in its own axes.
TEST(DrakeFreeBody, FollowsKanesSolution) {
  const Rotation3<double> R0 = Rotation3<double>::fromQuaternion(0.5, 0.5, -0.5, 0.5);
  const V3 v = R0 * V3{-4.2, 5.5, 6.1};
  const V3 w = R0 * V3{2, 4, 6};
  const Mechanism m = readSpatial("[0, 0, -9.81]", fmt::format(R"toml(
[bodies]
body = {{ position = [1, 2, 3], rotation = [0.5, 0.5, -0.5, 0.5], mass = 1, inertia = [0.04, 0.04, 0.02], free = true }}
[initial]
body.x_rate = {}
body.y_rate = {}
body.z_rate = {}
body.wx = {}
body.wy = {}
body.wz = {}
)toml",
                                                               v.x, v.y, v.z, w.x, w.y, w.z));
  const double t = 5.0;
  const Result result = runTo(m, t, 1e-13);
  const std::size_t end = lastSample(result);
  const V3 spin = spinAt(result, "body", end);
  // Of 7.5 rad/s and 120 m.
  EXPECT_NEAR(spin.x, 2 * std::cos(3 * t) + 4 * std::sin(3 * t), 1e-9);
  EXPECT_NEAR(spin.y, 4 * std::cos(3 * t) - 2 * std::sin(3 * t), 1e-9);
  EXPECT_NEAR(spin.z, 6.0, 1e-9);
  EXPECT_LT(distanceBetween(vectorAt(result, "body.", end), V3{1, 2, 3} + v * t + V3{0, 0, -0.5 * 9.81 * t * t}), 1e-9);
  // The angular momentum stays in ground axes, which fixes the rest of the orientation but for a turn about it.
  const auto momentum = [&](std::size_t k) {
    const V3 s = spinAt(result, "body", k);
    return orientationAt(result, "body", k) * V3{0.04 * s.x, 0.04 * s.y, 0.02 * s.z};
  };
  EXPECT_LT(distanceBetween(momentum(end), momentum(0)), 1e-9 * 0.2);
  // And that turn: the axis goes around the momentum at H/J.
  const V3 H = momentum(0);
  const double size = std::sqrt(dot(H, H));
  const double angle = size / 0.04 * t;
  const V3 axis0 = R0.z;
  const V3 n = H * (1.0 / size);
  const V3 along = n * dot(n, axis0);
  const V3 across = axis0 - along;
  const V3 expected = along + across * std::cos(angle) + cross(n, across) * std::sin(angle);
  EXPECT_LT(distanceBetween(orientationAt(result, "body", end).z, expected), 1e-9);
}

// Drake and MotionGenesis, chaotic babyboot: four published runs agree to 7 digits with -61.312983340691 and
// -929.47789677244 degrees; these are recomputed with 113 bits. Seen at this tolerance: 5e-7 and 4e-6 degrees.
TEST(DrakeBabyboot, IsWhereItShouldBeAfterTenSeconds) {
  const Result result = runTo(readShippedModel("babyboot"), 10.0, 1e-12);
  const double tolerance = 1e-6 * 929.0;  // degrees: of the largest value
  EXPECT_NEAR(lastOf(result, "outputs.swing"), -61.3129835175421, 0.1 * tolerance);
  EXPECT_NEAR(lastOf(result, "outputs.turn"), -929.4778981373128, 0.1 * tolerance);
  EXPECT_NEAR(lastOf(result, "ceiling.angle_rate"), -6.74400807536721, 1e-6 * 6.7);
  EXPECT_NEAR(lastOf(result, "spine.angle_rate"), -2.77956967246134, 1e-6 * 6.7);
  EXPECT_LT(std::abs(lastOf(result, "ceiling.angle") - lastOf(result, "outputs.swing") * kDegree), 1e-12);
}

// RBDL, DynamicsTests: chains of hinges about z at rest, each body of 1 kg with its centre of mass at (1, 0, 0), unit
// inertia, the next hinge at (1, 0, 0). Published with 14 digits; in the plane and in space. Seen: 2e-15.
TEST(RbdlChains, FallAsPublished) {
  const std::vector<std::vector<double>> expected{
      {-4.905}, {-5.886, 3.924}, {-6.03692307692308, 3.77307692307692, 1.50923076923077}};
  for (const bool in_space : {false, true}) {
    for (std::size_t n = 1; n <= 3; ++n) {
      const char* zero = in_space ? ", 0" : "";
      std::string text = fmt::format("linkwork = 1\nspace = \"{}\"\ngravity = [0, -9.81{}]\n[bodies]\n",
                                     in_space ? "spatial" : "planar", zero);
      std::string joints = "[joints]\n";
      for (std::size_t k = 0; k < n; ++k) {
        text += fmt::format("link{0} = {{ position = [{0}, 0{1}], mass = 1, com = [1, 0{1}], inertia = {2} }}\n", k,
                            zero, in_space ? "[1, 1, 1]" : "1");
        joints +=
            fmt::format("hinge{0} = {{ revolute = [\"{1}\", \"link{0}\"], at = [{0}, 0{2}]{3} }}\n", k,
                        k == 0 ? "ground" : fmt::format("link{}", k - 1), zero, in_space ? ", axis = [0, 0, 1]" : "");
      }
      const Result result = startOf(test::read(text + joints));
      double before = 0.0;
      for (std::size_t k = 0; k < n; ++k) {
        const double turn =
            firstOf(result, fmt::format("link{}.{}", k, in_space ? "angular_acceleration.z" : "angle_acceleration"));
        EXPECT_NEAR(turn - before, expected[n - 1][k], 1e-13) << "link " << k << " of " << n;
        before = turn;
      }
    }
  }
}

// The same source: centre of mass (1.5, 1, 1), inertia (1, 2, 3).
TEST(RbdlChains, BodyBesideItsAxisFallsAsPublished) {
  const Result result = startOf(readSpatial("[0, -9.81, 0]", R"toml(
[bodies]
link = { mass = 1, com = [1.5, 1, 1], inertia = [1, 2, 3] }
[joints]
hinge = { revolute = ["ground", "link"], at = [0, 0, 0], axis = [0, 0, 1] }
)toml"));
  EXPECT_NEAR(firstOf(result, "link.angular_acceleration.z"), -2.3544, 1e-13);
}

}  // namespace published_small_test
}  // namespace linkwork::validation
