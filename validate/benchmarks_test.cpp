// Published benchmarks of rigid multibody dynamics, against closed forms or values recomputed with many more digits.
#include <gtest/gtest.h>

#include <array>
#include <numbers>

#include "linkwork/model/n_four_bar_for_tests.hpp"
#include "run_model.hpp"

namespace linkwork::validation {
namespace benchmarks_test {

struct At {
  double t, x, y;
};

// Where the body's point (along its x axis, from its frame) is at the end of the run.
std::array<double, 2> pointOnAxis(const Result& result, const std::string& body, double along) {
  const double angle = lastOf(result, body + ".angle");
  return {lastOf(result, body + ".x") + along * std::cos(angle), lastOf(result, body + ".y") + along * std::sin(angle)};
}

// IFToMM A01: Jacobi's elliptic functions. Seen: 7e-12 of 1 m; energy, the benchmark's
// own measure, 1.4e-11 of 9.81 J.
TEST(SimplePendulum, FollowsTheEllipticFunction) {
  const Mechanism mechanism = readShippedModel("simple_pendulum");
  for (const At& exact :
       {At{1, 0.986291751131875, -0.165010853125541}, At{2, -0.793566195343323, -0.608483930443790},
        At{5, -0.942305435043757, -0.334754338414002}, At{10, -0.275087462576117, -0.961419205099125}}) {
    const Result result = runTo(mechanism, exact.t, 1e-12);
    const auto mass = pointOnAxis(result, "bar", 1.0);
    EXPECT_NEAR(mass[0], exact.x, 1e-10) << "t = " << exact.t;
    EXPECT_NEAR(mass[1], exact.y, 1e-10) << "t = " << exact.t;
    EXPECT_LT(std::abs(lastOf(result, "energy.balance")), 9.81e-10) << "t = " << exact.t;
  }
}

// IFToMM A02 with N = 2. The links lie on one line about ten times in 10 s, where the closure equations lose rank. The
// motion must go on as a parallelogram at every tolerance.
class NFourBar : public ::testing::TestWithParam<double> {};

TEST_P(NFourBar, ComesOutOfEverySingularPoseAsAParallelogram) {
  const double rtol = GetParam();
  const Mechanism mechanism = readShippedModel("n_four_bar");
  // About 30 rtol (200 to 5000 steps), and up to 180 rtol where some stages of one step fall near a pose of lower rank,
  // others not: off the constraints the equations differ there. Such a step comes with luck; so the bound is wider.
  const double tolerance = std::max(5e-8, 300 * rtol);
  for (const At& exact : {At{1, -0.195020301949, -0.980799205662}, At{4, 0.117616102376, 0.993059138451},
                          At{5, -0.811310461000, -0.584615545356}, At{10, 0.328458111534, 0.944518538181}}) {
    const Result result = runTo(mechanism, exact.t, rtol);
    const auto top = pointOnAxis(result, "left", 1.0);
    EXPECT_NEAR(top[0], exact.x, tolerance) << "t = " << exact.t;
    EXPECT_NEAR(top[1], exact.y, tolerance) << "t = " << exact.t;
    const double turn = lastOf(result, "left.angle");
    EXPECT_NEAR(std::remainder(lastOf(result, "middle.angle") - turn, 2 * std::numbers::pi), 0.0, 1e-10);
    EXPECT_NEAR(std::remainder(lastOf(result, "right.angle") - turn, 2 * std::numbers::pi), 0.0, 1e-10);
    EXPECT_NEAR(std::remainder(lastOf(result, "top1.angle"), 2 * std::numbers::pi), 0.0, 1e-10);
  }
}

INSTANTIATE_TEST_SUITE_P(Tolerances, NFourBar, ::testing::Values(1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12));

// Seen: 9e-11 m of 1 m.
TEST(NFourBarReference, IsReachedToNineDigits) {
  const Mechanism mechanism = readShippedModel("n_four_bar");
  for (const At& exact : {At{1, -0.195020301949, -0.980799205662}, At{4, 0.117616102376, 0.993059138451},
                          At{5, -0.811310461000, -0.584615545356}, At{10, 0.328458111534, 0.944518538181}}) {
    const Result result = runTo(mechanism, exact.t, 1e-11);
    const auto top = pointOnAxis(result, "left", 1.0);
    EXPECT_NEAR(top[0], exact.x, 1e-9) << "t = " << exact.t;
    EXPECT_NEAR(top[1], exact.y, 1e-9) << "t = " << exact.t;
    if (exact.t < 10) continue;
    const double rate = lastOf(result, "left.angle_rate");
    EXPECT_NEAR(-top[1] * rate, 1.423051470192, 8e-9);
    EXPECT_NEAR(top[0] * rate, -0.494868845470, 8e-9);
  }
}

// The same with 40 windows: 81 rods, 242 equations, which lose rank by 40 when all links lie on one line. Seen: 5e-10
// m. Round-off at these poses sets the limit: from a tolerance of 1e-11 on more and more steps fall near them.
TEST(NFourBarReference, HoldsForFortyWindows) {
  const Mechanism mechanism = test::buildNFourBar(40);
  const Result result = runTo(mechanism, 10.0, 1e-10, 10);
  EXPECT_NEAR(result.find("energy.kinetic")->values.front(), 26.8333333333, 1e-9);
  for (const At& exact : {At{1, -0.115356880632, -0.993324111300}, At{4, 0.069342032227, 0.997592944325},
                          At{5, -0.540190050668, -0.841543052470}, At{10, 0.180512226681, 0.983572740583}}) {
    const double angle = valueAt(result, "upright0.angle", exact.t);
    EXPECT_NEAR(std::cos(angle), exact.x, 1e-9) << "t = " << exact.t;
    EXPECT_NEAR(std::sin(angle), exact.y, 1e-9) << "t = " << exact.t;
  }
}

// The seven angles of the test set for initial value problems.
std::array<double, 7> squeezerAngles(const Result& result) {
  const auto angle = [&](const char* body) { return lastOf(result, std::string(body) + ".angle"); };
  const double beta = angle("crank");
  const double delta = angle("arm_G");
  const double epsilon = angle("arm_H");
  return {beta,           angle("pusher") - beta - std::numbers::pi,
          angle("plate"), angle("link_G") - delta + std::numbers::pi / 2,
          delta,          angle("link_H") - epsilon,
          epsilon};
}

// Recomputed in quadruple precision; the published digits of this problem hold to about 1e-10 only. Seen: 1e-13 rad and
// 5e-11 rad/s.
constexpr std::array<double, 7> kSqueezerAngles{15.8107711951537072,   -15.7563710584118396, 0.0408222401196458059,
                                                -0.534730116342079592, 0.524409965879954069, 0.534730116342079592,
                                                1.04808074104193787};

TEST(AndrewsSqueezer, ReachesTheReferenceStateAt30Milliseconds) {
  const Result result = runTo(readShippedModel("andrews_squeezer"), 0.03, 1e-12);
  const auto angles = squeezerAngles(result);
  for (std::size_t k = 0; k < angles.size(); ++k) EXPECT_NEAR(angles[k], kSqueezerAngles[k], 1e-9) << "angle " << k;
  // Rates are of the order of 1000 rad/s.
  const auto rate = [&](const char* body) { return lastOf(result, std::string(body) + ".angle_rate"); };
  EXPECT_NEAR(rate("crank"), 1139.92030225910607, 1e-6);
  EXPECT_NEAR(rate("pusher") - rate("crank"), -1424.37929517754007, 1e-6);
  EXPECT_NEAR(rate("plate"), 11.0329119106186249, 1e-6);
  EXPECT_NEAR(rate("link_G") - rate("arm_G"), 19.2933741050320953, 1e-6);
  EXPECT_NEAR(rate("arm_G"), 0.573569914829504062, 1e-6);
  EXPECT_NEAR(rate("link_H") - rate("arm_H"), -19.2933741050320953, 1e-6);
  EXPECT_NEAR(rate("arm_H"), 0.323179149249131819, 1e-6);
}

// Constraints at position level alone: the round-off of positions comes back divided by the step, as velocity. Seen:
// 1e-10 rad.
TEST(AndrewsSqueezer, IsReachedByRadauWithIndexThree) {
  const Mechanism mechanism = readShippedModel("andrews_squeezer");
  RunOptions options = runOptions(mechanism);
  options.system.stabilisation = "index3";
  options.integrator = "radau5";
  options.until = options.output_step = 0.03;
  options.steps.rtol = 1e-10;
  options.steps.atol = 1e-12;
  const Result result = runModel(mechanism, options);
  ASSERT_EQ(result.status, RunStatus::complete) << result.message;
  const auto angles = squeezerAngles(result);
  // The relative tolerance of the largest angle, 15.8 rad, is 1.6e-9 rad.
  for (std::size_t k = 0; k < angles.size(); ++k) EXPECT_NEAR(angles[k], kSqueezerAngles[k], 1.6e-9) << "angle " << k;
}

TEST(AndrewsSqueezer, StartsWithTheExactAccelerations) {
  const Result result = runTo(readShippedModel("andrews_squeezer"), 1e-6, 1e-10);
  EXPECT_NEAR(result.find("crank.angle_acceleration")->values.front(), 14222.4439199541139, 1e-8);
  EXPECT_NEAR(result.find("pusher.angle_acceleration")->values.front(), 14222.4439199541139 - 10666.8329399655854,
              1e-8);
}

// IFToMM A03: the path of the crank pin F to 50 ms.
TEST(AndrewsSqueezer, DrivesItsCrankPinAlongTheReferencePath) {
  const Mechanism mechanism = readShippedModel("andrews_squeezer");
  for (const At& exact : {At{0.01, -0.00389055238865, 0.00581924411854}, At{0.02, -0.00227442092416, 0.00662019708617},
                          At{0.03, -0.00696303942705, -0.00071838843072}, At{0.04, 0.00508619891115, -0.00480942622734},
                          At{0.05, -0.00520850472230, 0.00467669526030}}) {
    const Result result = runTo(mechanism, exact.t, 1e-12);
    const auto pin = pointOnAxis(result, "crank", 0.007);
    // 1e-9 of the crank's angle, as above, is 7e-12 m; the printed digits end there too.
    EXPECT_NEAR(pin[0], exact.x, 1e-11) << "t = " << exact.t;
    EXPECT_NEAR(pin[1], exact.y, 1e-11) << "t = " << exact.t;
    // The benchmark's measure: what the torque puts in is there, of 1.1 J at the end.
    EXPECT_LT(std::abs(lastOf(result, "energy.balance")), 1e-10) << "t = " << exact.t;
  }
}

// Two tests of the program Chrono, with more digits than its own. Seen: 5e-11 m, the last digit that is printed.
TEST(DoublePendulum, FollowsTheReference) {
  const Mechanism mechanism = readShippedModel("double_pendulum");
  for (const At& exact : {At{1, -0.5697642105, -1.2905466026}, At{3, 0.4650831557, -0.9547453986}}) {
    const auto com = pointOnAxis(runTo(mechanism, exact.t, 1e-12), "lower", 0.5);
    EXPECT_NEAR(com[0], exact.x, 2e-10) << "t = " << exact.t;
    EXPECT_NEAR(com[1], exact.y, 2e-10) << "t = " << exact.t;
  }
}

TEST(SliderOnSpringWithPendulum, FollowsTheReference) {
  const Mechanism mechanism = readShippedModel("slider_on_spring_with_pendulum");
  for (const At& exact : {At{1, 0.1251476640, -0.4854156807}, At{3, 0.0588765009, -0.4101261055}}) {
    const auto com = pointOnAxis(runTo(mechanism, exact.t, 1e-12), "pendulum", 0.5);
    EXPECT_NEAR(com[0], exact.x, 2e-10) << "t = " << exact.t;
    EXPECT_NEAR(com[1], exact.y, 2e-10) << "t = " << exact.t;
  }
}

}  // namespace benchmarks_test
}  // namespace linkwork::validation
