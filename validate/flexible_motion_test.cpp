// Flexible links in motion against values of independent calculations (34-digit extrapolation, RK4 with two steps,
// DOP853, Ritz), under several formulations.                              [docs/theory/13-flexible-links.md]
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "linkwork/analyse/modes.hpp"
#include "linkwork/analyse/statics.hpp"
#include "linkwork/analyse/steady_linear.hpp"
#include "run_model.hpp"
#include "shipped_models.hpp"

namespace linkwork::validation {
namespace flexible_motion_test {

Mechanism readText(const std::string& text) {
  Diagnostics diagnostics;
  std::optional<Mechanism> mechanism = readModelText(text, "test.toml", diagnostics);
  expect(mechanism.has_value(), diagnostics.format());
  return *std::move(mechanism);
}

double valueAt(const Result& result, const std::string& name, double t, bool left = false) {
  const Series* series = result.find(name);
  expect(series != nullptr, "no series " + name);
  std::size_t found = result.time.size();
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    if (std::abs(result.time[k] - t) > 1e-9) continue;
    found = k;
    if (left) break;
  }
  expect(found < result.time.size(), "no sample there");
  return series->values[found];
}

Result runTightly(const Mechanism& mechanism, const std::string& formulation, double until) {
  RunOptions options = runOptions(mechanism);
  options.system.formulation = formulation;
  options.integrator = "dop853";
  options.until = until;
  options.steps.rtol = 1e-11;
  options.steps.atol = 1e-11;
  return runModel(mechanism, options);
}

struct FourBarPoint {
  double t;
  bool left;  // of the jump of the torque
  double angle;
  double force_x, force_y;
};

class FlexibleFourBar : public ::testing::TestWithParam<std::string> {};

TEST_P(FlexibleFourBar, MovesAsAnIndependentCalculation) {
  const Mechanism& mechanism = readShippedModel("flexible_four_bar");
  const Result result = runTightly(mechanism, GetParam(), 0.2);
  ASSERT_EQ(result.status, RunStatus::complete) << result.message;
  // The crank's angle and the force of the coupler on the rocker; damping 0.1 ms, m = 4.
  const FourBarPoint points[] = {{0.05, true, 1.40054589489, -1.80220772, -2.59990332},
                                 {0.1, true, 3.21474116287, -8.19006559, 9.25601886},
                                 {0.1, false, 3.21474116287, -7.87230874, 9.71987774},
                                 {0.2, true, 9.76526206154, -1.73688495, 13.11345571}};
  for (const FourBarPoint& point : points) {
    EXPECT_NEAR(valueAt(result, "crank.angle", point.t, point.left), point.angle, 1e-8) << point.t;
    EXPECT_NEAR(valueAt(result, "C.force.x", point.t, point.left), point.force_x, 1e-5) << point.t;
    EXPECT_NEAR(valueAt(result, "C.force.y", point.t, point.left), point.force_y, 1e-5) << point.t;
  }
}

INSTANTIATE_TEST_SUITE_P(Formulations, FlexibleFourBar,
                         ::testing::Values("recursive", "absolute", "quasivelocity", "linkage"));

// A minute of computing: with LINKWORK_FULL set.
TEST(FlexibleFourBarInSpace, MovesAsAnIndependentCalculation) {
  if (!everyModel()) GTEST_SKIP() << "with LINKWORK_FULL set";
  const Mechanism& mechanism = readShippedModel("flexible_four_bar_spatial");
  const Result result = runTightly(mechanism, "recursive", 0.2);
  ASSERT_EQ(result.status, RunStatus::complete) << result.message;
  struct Point {
    double t, angle;
    std::array<double, 3> force;
  };
  const Point points[] = {{0.05, 1.40041162875, {-1.80581900, -2.60166582, -0.27605696}},
                          {0.1, 3.20068705269, {-8.75950915, 7.65291259, 68.76156207}},
                          {0.2, 9.63016158132, {-5.05859996, 21.04477856, 75.99761001}}};
  for (const Point& point : points) {
    // A.angle counts from the drawing, at 60 degrees.
    EXPECT_NEAR(valueAt(result, "A.angle", point.t, true) + std::numbers::pi / 3.0, point.angle, 1e-8) << point.t;
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(valueAt(result, std::string("C.force.") + "xyz"[c], point.t, true), point.force[c], 1e-5) << point.t;
  }
}

TEST(FlexibleLinks, MoveAlikeUnderEveryFormulation) {
  const std::string text = R"(linkwork = 1
space = "spatial"
gravity = [0, 0, -9.81]
[points]
O = [0, 0, 0]
T = [0.4, 0.1, 0]
[bodies]
whip = { rod = ["O", "T"], flexible = { elements = 4, E = "2 GPa", nu = 0.3, density = 1100, section = { box = ["6 mm", "9 mm"] }, damping_time = "1 ms" } }
[joints]
O = { revolute = ["ground", "whip"], axis = [0.2, 1, 0.3] }
[initial]
O.rate = 3
[simulate]
until = 0.1
)";
  const Mechanism mechanism = readText(text);
  const Result reference = runTightly(mechanism, "recursive", 0.1);
  for (const char* formulation : {"absolute", "quasivelocity", "hamiltonian"}) {
    const Result result = runTightly(mechanism, formulation, 0.1);
    ASSERT_EQ(result.status, RunStatus::complete) << formulation << result.message;
    for (const char* name : {"whip:3.x", "whip:3.y", "whip:3.z", "whip.T.deflection.z"})
      EXPECT_NEAR(valueAt(result, name, 0.1), valueAt(reference, name, 0.1), 1e-8) << formulation << ' ' << name;
    EXPECT_LT(result.ledger.worst_energy_balance, 1e-9) << formulation;
  }
}

// A classic of flexible multibody dynamics: 10 m long, brought to 6 rad/s in 15 s.
struct SpinUp {
  int springs;
  double at_5, at_10;  // m: transverse deflection of the tip
  double lowest;
};
class SpunUpBeam : public ::testing::TestWithParam<SpinUp> {};

TEST_P(SpunUpBeam, BendsAsAnIndependentCalculation) {
  const auto& [springs, at_5, at_10, lowest] = GetParam();
  const Mechanism mechanism = readText(fmt::format(R"model(linkwork = 1
space = "planar"
gravity = [0, 0]
[points]
H = [0, 0]
T = [10, 0]
[bodies]
beam = {{ rod = ["H", "T"], flexible = {{ elements = {}, section = {{ EIz = 1.4e4, rhoA = 1.2, rhoI = 6e-4 }} }} }}
[joints]
H = {{ revolute = ["ground", "beam"] }}
[drives]
spin = {{ joint = "H", angle = "0.4*(t^2/2 + (15/(2*pi))^2*(cos(2*pi*t/15) - 1))" }}
[simulate]
until = 10
output_step = 0.01
)model",
                                                   springs + 1));
  RunOptions options = runOptions(mechanism);
  options.steps.rtol = 1e-9;
  const Result result = runModel(mechanism, options);
  EXPECT_NEAR(valueAt(result, "beam.T.deflection.y", 5.0), at_5, 2e-6);
  EXPECT_NEAR(valueAt(result, "beam.T.deflection.y", 10.0), at_10, 2e-6);
  const Series& deflection = *result.find("beam.T.deflection.y");
  EXPECT_NEAR(*std::min_element(deflection.values.begin(), deflection.values.end()), lowest, 5e-5);
}

INSTANTIATE_TEST_SUITE_P(Springs, SpunUpBeam,
                         ::testing::Values(SpinUp{5, -0.459438, -0.335561, -0.55599},
                                           SpinUp{10, -0.466204, -0.355512, -0.56922},
                                           SpinUp{20, -0.467885, -0.360864, -0.57262}));

// A beam of an arc of 45 degrees, clamped, under a force across its plane (Bathe and Bolourchi, 1979).
std::array<double, 3> bentArc(int springs, double force, bool all) {
  std::string through;
  const auto point = [](double share) {
    const double angle = share * std::numbers::pi / 4.0;
    return fmt::format("[{:.17g}, 0, {:.17g}]", 100.0 * (1.0 - std::cos(angle)), 100.0 * std::sin(angle));
  };
  for (int k = 1; k < 16; ++k) through += point(k / 16.0) + ", ";
  const Mechanism mechanism = readText(fmt::format(
      "linkwork = 1\nspace = \"spatial\"\ngravity = [0, 0, 0]\n[points]\nA = [0, 0, 0]\nT = {}\n[bodies.beam]\nrod = "
      "[\"A\", \"T\"]\nflexible = {{ elements = {}, section = {{ EA = 1e7, GAy = 4166670, GAz = 4166670, GJ = "
      "833333.333, "
      "EIy = 833333.333, EIz = 833333.333, rhoA = 1, rhoI = 1 }}, section_y = [0, 1, 0], through = [{}]{} "
      "}}\n[joints]\nA "
      "= {{ fixed = [\"ground\", \"beam\"] }}\n[loads]\nF = {{ force = [0, {}, 0], at = \"beam.T\" }}\n",
      point(1.0), springs + 1, through,
      all ? R"(, deforms = ["twist", "bend_y", "bend_z", "stretch", "shear_y", "shear_z"])" : "", force));
  const Assembly assembly = assemble(mechanism);
  expect(assembly.ok, assembly.problem);
  const Equilibrium found = findEquilibrium(mechanism, assembly);
  expect(found.ok, found.problem);
  const BodyIndex last = mechanism.links.front().elements.back();
  const Body& body = mechanism.body(last);
  const LinkPoint* tip = nullptr;
  for (const LinkPoint& one : mechanism.links.front().points) {
    if (one.name == "T") tip = &one;
  }
  const double* q = &found.q[7 * last.at()];
  const auto R = Rotation3<double>::fromQuaternion(q[3], q[4], q[5], q[6]);
  const auto p = R * Vec3<double>{tip->on_element[0] - body.com[0].number, tip->on_element[1] - body.com[1].number,
                                  tip->on_element[2] - body.com[2].number};
  const double arc = std::numbers::pi / 4.0;
  return {q[0] + p.x - 100.0 * (1.0 - std::cos(arc)), q[1] + p.y, q[2] + p.z - 100.0 * std::sin(arc)};
}

struct Bend {
  double force;
  std::array<double, 3> exact;
};
class ArcOf45Degrees : public ::testing::TestWithParam<Bend> {};

TEST_P(ArcOf45Degrees, BendsWithTheSecondPowerOfTheSegments) {
  const auto& [force, exact] = GetParam();
  const auto coarse = bentArc(10, force, true);
  const auto fine = bentArc(20, force, true);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR((4.0 * fine[c] - coarse[c]) / 3.0, exact[c], 2e-3) << c;
}

INSTANTIATE_TEST_SUITE_P(Forces, ArcOf45Degrees,
                         ::testing::Values(Bend{300.0, {-7.044980, 40.193266, -11.932364}},
                                           Bend{600.0, {-13.605023, 53.476108, -23.561297}}));

}  // namespace flexible_motion_test
}  // namespace linkwork::validation
