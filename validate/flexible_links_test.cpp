// Flexible links against closed forms of beams and against values computed elsewhere with 34 digits or by other
// integrators; 5 springs are 6 elements.                                    [docs/theory/13-flexible-links.md]
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "linkwork/analyse/linearise.hpp"
#include "linkwork/analyse/modes.hpp"
#include "linkwork/analyse/statics.hpp"
#include "run_model.hpp"
#include "shipped_models.hpp"

namespace linkwork::validation {
namespace flexible_links_test {

Mechanism readText(const std::string& text) {
  Diagnostics diagnostics;
  std::optional<Mechanism> mechanism = readModelText(text, "test.toml", diagnostics);
  expect(mechanism.has_value(), diagnostics.format());
  return *std::move(mechanism);
}

// An aluminium strip, clamped at A.
constexpr double kLength = 0.2794;

std::string cantilever(int springs, const std::string& section, const std::string& rest, bool in_space = false,
                       const std::string& more = {}) {
  return fmt::format(
      "linkwork = 1\nspace = \"{}\"\ngravity = [0, 0{}]\n"
      "[points]\nA = [0, 0{}]\nT = [0.2794, 0{}]\n"
      "[bodies]\nbeam = {{ rod = [\"A\", \"T\"], flexible = {{ elements = {}, section = {}{} }} }}\n"
      "[joints]\nA = {{ fixed = [\"ground\", \"beam\"] }}\n{}",
      in_space ? "spatial" : "planar", in_space ? ", 0" : "", in_space ? ", 0" : "", in_space ? ", 0" : "", springs + 1,
      section, more, rest);
}

const std::string kBox = R"({ box = ["4.2 mm", "25.4 mm"] }, E = "71 GPa", nu = 0.33, density = 2770)";

std::vector<double> frequenciesOf(const Mechanism& mechanism) {
  const Assembly assembly = assemble(mechanism);
  expect(assembly.ok, assembly.problem);
  const Linearisation linear = linearise(mechanism, assembly, 0.0, assembly.state());
  expect(linear.ok, linear.problem);
  const NaturalModes modes = findModes(linear);
  expect(modes.ok, modes.problem);
  std::vector<double> out;
  for (const Mode& mode : modes.modes) out.push_back(mode.natural_frequency);
  return out;
}

struct Bending {
  int springs;
  std::array<double, 3> frequencies;  // Hz
};

// The values have ten digits.
constexpr double kAsPrinted = 1e-8;

class BoxCantilever : public ::testing::TestWithParam<Bending> {};

TEST_P(BoxCantilever, HasTheFrequenciesOfItsRigidElements) {
  const auto& [springs, frequencies] = GetParam();
  const std::vector<double> found = frequenciesOf(readText(cantilever(springs, kBox, "")));
  ASSERT_EQ(found.size(), static_cast<std::size_t>(springs));
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found[k] / frequencies[k], 1.0, kAsPrinted) << k;
}

INSTANTIATE_TEST_SUITE_P(Springs, BoxCantilever,
                         ::testing::Values(Bending{5, {44.40647397, 284.68404236, 810.61337540}},
                                           Bending{10, {44.10055954, 277.87533786, 781.56586768}},
                                           Bending{20, {44.02467273, 276.21703260, 774.06306948}}));

class ThinCantilever : public ::testing::TestWithParam<Bending> {};

TEST_P(ThinCantilever, HasTheFrequenciesWithoutRotaryInertia) {
  const auto& [springs, frequencies] = GetParam();
  // E I and rho A of the strip.
  const std::string section = fmt::format("{{ EIz = {:.17g}, rhoA = {:.17g}, rhoI = 0 }}",
                                          71e9 * 0.0254 * std::pow(0.0042, 3) / 12.0, 2770.0 * 0.0254 * 0.0042);
  const std::vector<double> found = frequenciesOf(readText(cantilever(springs, section, "")));
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found[k] / frequencies[k], 1.0, kAsPrinted) << k;
}

INSTANTIATE_TEST_SUITE_P(Springs, ThinCantilever,
                         ::testing::Values(Bending{5, {44.40848042, 284.78043424, 811.36787654}},
                                           Bending{10, {44.10250495, 277.96240716, 782.17244082}},
                                           Bending{20, {44.02660311, 276.30188902, 774.63553300}},
                                           Bending{40, {44.00766366, 275.88915105, 772.74406206}}));

// --- statics
// -----------------------------------------------------------------------------------------------------------

// Places of the tip, at rest.
std::array<double, 3> tipAtRest(const Mechanism& mechanism) {
  const Assembly assembly = assemble(mechanism);
  expect(assembly.ok, assembly.problem);
  const Equilibrium found = findEquilibrium(mechanism, assembly);
  expect(found.ok, found.problem);
  const FlexibleLink& link = mechanism.links.front();
  const LinkPoint* tip = nullptr;
  for (const LinkPoint& point : link.points) {
    if (point.name == "T") tip = &point;
  }
  const BodyIndex last = link.elements[static_cast<std::size_t>(tip->element)];
  const Body& body = mechanism.body(last);
  std::array<double, 3> arm{};
  for (std::size_t c = 0; c < 3; ++c) arm[c] = tip->on_element[c] - body.com[c].number;
  if (mechanism.space == Space::planar) {
    const double* q = &found.q[3 * last.at()];
    const double c = std::cos(q[2]);
    const double s = std::sin(q[2]);
    return {q[0] + c * arm[0] - s * arm[1], q[1] + s * arm[0] + c * arm[1], 0.0};
  }
  const double* q = &found.q[7 * last.at()];
  const auto R = Rotation3<double>::fromQuaternion(q[3], q[4], q[5], q[6]);
  const auto p = R * Vec3<double>{arm[0], arm[1], arm[2]};
  return {q[0] + p.x, q[1] + p.y, q[2] + p.z};
}

class SmallLoads : public ::testing::TestWithParam<int> {};

TEST_P(SmallLoads, AtTheTipBendByOneLessAQuarterOfTheSegmentsSquared) {
  const int m = GetParam();
  const double EI = 2.0;
  const double F = 1e-4;  // deflection 3.6e-7 of the length: the next order is its square
  const Mechanism mechanism = readText(cantilever(
      m, "{ EIz = 2, rhoA = 1, rhoI = 0 }", fmt::format("[loads]\nF = {{ force = [0, {}], at = \"beam.T\" }}\n", F)));
  const double exact = F * std::pow(kLength, 3) / (3.0 * EI);
  EXPECT_NEAR(tipAtRest(mechanism)[1] / exact, 1.0 - 1.0 / (4.0 * m * m), 1e-7);
}

TEST_P(SmallLoads, SpreadEvenlyBendByOneLessAHalfOfTheSegmentsSquared) {
  const int m = GetParam();
  const double EI = 2.0;
  const double p = 1e-3;
  const Mechanism mechanism =
      readText(cantilever(m, "{ EIz = 2, rhoA = 1, rhoI = 0 }",
                          fmt::format("[loads]\np = {{ force_per_length = [0, {}], on = \"beam\" }}\n", p)));
  const double exact = p * std::pow(kLength, 4) / (8.0 * EI);
  EXPECT_NEAR(tipAtRest(mechanism)[1] / exact, 1.0 - 1.0 / (2.0 * m * m), 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Springs, SmallLoads, ::testing::Values(1, 2, 5, 10, 20, 40));

// A moment 2 pi EI / L bends the link to a circle: m springs turn by 2 pi / m each, and the two half segments at the
// ends are one side of the polygon.
class RollUp : public ::testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(RollUp, BringsTheTipBackToTheRoot) {
  const auto& [m, in_space] = GetParam();
  if (m == 50 && in_space && !everyModel()) GTEST_SKIP() << "half a minute: with LINKWORK_FULL set";
  const std::string section =
      in_space ? "{ EIy = 2, EIz = 2, GJ = 2, rhoA = 1, rhoI = 1 }" : "{ EIz = 2, rhoA = 1, rhoI = 0 }";
  const double moment = 2.0 * std::numbers::pi * 2.0 / kLength;
  const Mechanism mechanism =
      readText(cantilever(m, section,
                          fmt::format("[loads]\nM = {{ couple = {:.17g}, on = \"beam.T\"{} }}\n", moment,
                                      in_space ? ", axis = [0, 0, 1]" : ""),
                          in_space));
  const auto tip = tipAtRest(mechanism);
  for (const double place : tip) EXPECT_NEAR(place, 0.0, 1e-9 * kLength);
}

INSTANTIATE_TEST_SUITE_P(Springs, RollUp, ::testing::Combine(::testing::Values(3, 4, 5, 8, 20, 50), ::testing::Bool()));

}  // namespace flexible_links_test
}  // namespace linkwork::validation
