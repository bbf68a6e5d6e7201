#include "linkwork/simulate/load_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "linkwork/geometry/spatial.hpp"
#include "linkwork/model/space_mechanisms_for_tests.hpp"
#include "linkwork/model/test_mechanisms.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace linkwork {
namespace load_watch_test {

constexpr double kG = 9.81;

// A uniform rod of length 1 and mass 1 on a hinge, released horizontally, frame at the mass centre.
Mechanism pendulum() {
  Mechanism m;
  m.gravity = {Value(0.0), Value(-kG)};
  const BodyIndex bar = test::addBody(m, "bar", 1.0, 1.0 / 12.0);
  m.bodies[0].drawn = {0.5, 0.0, 0.0};
  test::addJoint(m, "O", JointKind::revolute, kGround, test::frameAt(0, 0), bar, test::frameAt(-0.5, 0));
  return m;
}

Result run(const Mechanism& m, double until, double output_step) {
  RunOptions options;
  options.until = until;
  options.output_step = output_step;
  options.steps.rtol = 1e-11;
  options.steps.atol = 1e-12;
  options.columns = Columns::all;
  const Assembly assembly = assemble(m);
  EXPECT_TRUE(assembly.ok) << assembly.problem;
  Result result = simulate(m, assembly, options);
  EXPECT_EQ(result.status, RunStatus::complete) << result.message;
  return result;
}

const LoadCase& find(const Result& result, LoadEnd end, LoadAxes axes, const std::string& quantity, Extreme extreme) {
  for (const LoadCase& row : result.loads) {
    if (row.end == end && row.axes == axes && row.quantity == quantity && row.extreme == extreme) return row;
  }
  throw std::runtime_error("no such case: " + quantity);
}

// Closed form, angle theta below the horizontal: along the rod, towards the hinge, 5/2 m g sin(theta); across it
// m g cos(theta) / 4, upwards. In the rod's axes that is the x and the y component.
TEST(LoadWatch, FallingRodInItsOwnAxes) {
  const Result result = run(pendulum(), 1.2, 0.001);
  const std::vector<double>& angle = result.find("bar.angle")->values;
  for (std::size_t k = 0; k < angle.size(); k += 37) {
    EXPECT_NEAR(result.find("O.force_in_second.x")->values[k], 2.5 * kG * std::sin(angle[k]), 1e-8);
    EXPECT_NEAR(result.find("O.force_in_second.y")->values[k], 0.25 * kG * std::cos(angle[k]), 1e-8);
    EXPECT_EQ(result.find("O.force_on_first.x")->values[k], -result.find("O.force.x")->values[k]);
  }
  EXPECT_EQ(result.find("O.force_in_first.x"), nullptr);  // the ground's axes are the ground's
  EXPECT_EQ(result.find("O.moment"), nullptr);            // a pin has none

  // The greatest force: the rod vertical, 5/2 m g, a quarter period after the release. A sample or the end of a step is
  // within half a millisecond of it, and there the force is flat.
  const double quarter = 1.8540746773013719 * std::sqrt(2.0 / (3.0 * kG));
  const LoadCase& most = find(result, LoadEnd::second, LoadAxes::ground, "force", Extreme::greatest);
  EXPECT_NEAR(most.time, quarter, 5.1e-4);
  EXPECT_NEAR(most.load.force[1], 2.5 * kG, 1e-3);
  EXPECT_EQ(most.body, "bar");
  const LoadCase& own = find(result, LoadEnd::second, LoadAxes::body, "force.x", Extreme::least);
  EXPECT_EQ(own.time, most.time);
  EXPECT_NEAR(own.load.force[0], -2.5 * kG, 1e-3);
  const LoadCase& pin = find(result, LoadEnd::first, LoadAxes::ground, "force.y", Extreme::least);
  EXPECT_EQ(pin.body, "ground");
  EXPECT_EQ(pin.load.force[1], -most.load.force[1]);
  // Three places (none in axes of the ground), each with two components, both ways, and the size.
  EXPECT_EQ(result.loads.size(), 3U * 5U);
}

// One sample at the start and one at the end: the peak between them is found at the end of a step. With the same steps
// the table is never less than that of many samples, but for what lies between two steps.
TEST(LoadWatch, SeesPeaksBetweenSamples) {
  const Result coarse = run(pendulum(), 1.2, 1.2);
  ASSERT_EQ(coarse.time.size(), 2U);
  const double quarter = 1.8540746773013719 * std::sqrt(2.0 / (3.0 * kG));
  const LoadCase& most = find(coarse, LoadEnd::second, LoadAxes::ground, "force", Extreme::greatest);
  // At this tolerance steps are 5 ms: up to 2.5 ms beside the peak, where the rod turns by 5.4 rad/s, 1 - cos is 9e-5.
  EXPECT_NEAR(most.time, quarter, 3e-3);
  EXPECT_NEAR(most.load.force[1], 2.5 * kG, 1.3e-4 * 2.5 * kG);
  EXPECT_EQ(coarse.ledger.output_evaluations, 2 + coarse.ledger.steps - 1);
}

// The table agrees with the series it is taken from where every step has samples; steps add their ends.
TEST(LoadWatch, ExtremesAreThoseOfTheSeries) {
  Mechanism m = test::crankSlider();
  test::drawAt(m, test::crankSliderStart());
  const Result result = run(m, 0.5, 0.01);
  int rows = 0;
  for (const LoadCase& row : result.loads) {
    if (row.end != LoadEnd::second || row.axes != LoadAxes::ground || row.quantity == "force") continue;
    const std::vector<double>& values = result.find(row.joint + "." + row.quantity)->values;
    const bool least = row.extreme == Extreme::least;
    const auto place =
        least ? std::min_element(values.begin(), values.end()) : std::max_element(values.begin(), values.end());
    const double value =
        row.quantity == "moment" ? row.load.moment[2] : row.load.force[row.quantity == "force.x" ? 0 : 1];
    const auto sample = std::find(result.time.begin(), result.time.end(), row.time);
    if (sample != result.time.end()) {
      EXPECT_EQ(value, values[static_cast<std::size_t>(sample - result.time.begin())]) << row.joint << row.quantity;
      EXPECT_EQ(value, *place);
    }
    EXPECT_LE(least ? value : -value, least ? *place : -*place) << row.joint << row.quantity;
    ++rows;
  }
  EXPECT_GT(rows, 20);
}

// Reactions of a redundant loop in space: marked, turned into body axes and back.
TEST(LoadWatch, SpaceInBodyAxesIsTheSameVector) {
  const Mechanism m = test::bricard();
  const Result result = run(m, 0.2, 0.02);
  const auto at = [&](const std::string& name, std::size_t k) { return result.find(name)->values[k]; };
  const auto vector = [&](const std::string& name, std::size_t k) {
    return Vec3<double>{at(name + ".x", k), at(name + ".y", k), at(name + ".z", k)};
  };
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    const std::string body = "link1.orientation.";
    const auto R =
        Rotation3<double>::fromQuaternion(at(body + "w", k), at(body + "x", k), at(body + "y", k), at(body + "z", k));
    for (const std::string part : {"force", "moment"}) {
      const Vec3<double> back = R * vector("hinge1." + part + "_in_second", k);
      const Vec3<double> ground = vector("hinge1." + part, k);
      for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(back[axis], ground[axis], 1e-12);
    }
    // Turns about z, then y, then x make the same orientation.
    const auto angle = [&](const char* name) { return at(std::string("link1.") + name, k); };
    const auto turned = Rotation3<double>::aboutZ(angle("zyx.1"));
    EXPECT_NEAR(R.x.z, -std::sin(angle("zyx.2")), 1e-12);
    EXPECT_NEAR(R.x.x, turned.x.x * std::cos(angle("zyx.2")), 1e-12);
    EXPECT_NEAR(R.z.z, std::cos(angle("zxz.2")), 1e-12);
  }
  bool marked = false;
  for (const LoadCase& row : result.loads) marked = marked || !row.load.force_unique[0] || !row.load.moment_unique[0];
  EXPECT_TRUE(marked);
}

// Of three cranks the forces along them are not unique: neither component in ground axes is, and so in body axes.
TEST(LoadWatch, MarksWhatIsNotUnique) {
  Mechanism m = test::parallelogram();
  test::drawAt(m, test::parallelogramStart());
  const Result result = run(m, 0.1, 0.05);
  EXPECT_FALSE(result.find("K1.force.x")->unique);
  EXPECT_FALSE(result.find("K1.force_in_second.x")->unique);
  EXPECT_FALSE(result.find("K1.force_on_first.y")->unique);
  for (const LoadCase& row : result.loads) EXPECT_FALSE(row.load.force_unique[0]) << row.joint;
}

}  // namespace load_watch_test
}  // namespace linkwork
