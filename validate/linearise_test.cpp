// Derivatives of every shipped mechanism: those that implicit methods use, and those of its linearisation.
#include "linkwork/analyse/linearise.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <fstream>

#include "linkwork/analyse/modes.hpp"
#include "linkwork/formulation/absolute/absolute_mechanical.hpp"
#include "linkwork/model/input_names.hpp"
#include "linkwork/system/mechanical_laws_for_tests.hpp"
#include "run_model.hpp"
#include "shipped_models.hpp"

namespace linkwork::validation {
namespace linearise_test {

class ShippedDerivatives : public ::testing::TestWithParam<std::string> {};

// Beside the assembled start (tables may have a corner at the start itself), moving if the model does. Long chains take
// too long with difference quotients, and repeat what short ones show.
TEST_P(ShippedDerivatives, TangentIsThatOfTheForces) {
  const Mechanism mechanism = readShippedModel(GetParam());
  if (mechanism.bodies.size() > 12) GTEST_SKIP() << "too long for difference quotients";
  const Assembly assembly = assemble(mechanism);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  SystemOptions options = startingFrom(assembly);
  options.stabilisation = "index3";
  const auto system = makeSystem(mechanism, options);
  ASSERT_NE(system->mechanical(), nullptr);
  // Springs of 1e6 N/m and levers of many metres: some 1e-6 of the largest entry is what quotients can tell.
  test::MechanicalLaws laws{*system->mechanical(), 0.01, assembly.state(), {}, {}, 1e-6};
  for (int r = 0; r < system->mechanical()->rows(); ++r) laws.lambda.push_back(2.0 * std::cos(1.0 + r));
  laws.x = laws.moved(3e-3 * Eigen::VectorXd::LinSpaced(laws.velocities(), 1.0, 2.0));
  laws.checkTangent();
  laws.checkConstraints();
  laws.checkChart();
}

// Whatever moves has a linearisation at its start, with a mass matrix that is symmetric and an A of finite numbers.
TEST_P(ShippedDerivatives, LinearisesAtTheStart) {
  const Mechanism mechanism = readShippedModel(GetParam());
  if (mechanism.bodies.size() > 60) GTEST_SKIP() << "too large for dense matrices in a short test";
  const Assembly assembly = assemble(mechanism);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  const Linearisation linear = linearise(mechanism, assembly, 0.0, assembly.state());
  if (!linear.ok) {
    EXPECT_THAT(linear.problem, ::testing::HasSubstr("nothing can move"));
    return;
  }
  EXPECT_LT((linear.M - linear.M.transpose()).norm(), 1e-10 * linear.M.norm());
  EXPECT_TRUE(linear.A.allFinite());
  const NaturalModes modes = findModes(linear);
  EXPECT_TRUE(modes.ok) << modes.problem;
  std::size_t eigenvalues = 0;
  for (const Mode& mode : modes.modes) eigenvalues += mode.kind == ModeKind::exponential ? 1 : 2;
  EXPECT_EQ(eigenvalues, linear.coordinates.size() + linear.speeds.size());
}

INSTANTIATE_TEST_SUITE_P(All, ShippedDerivatives, ::testing::ValuesIn(shippedModels()),
                         [](const auto& model) { return model.param; });

// In letters: m x'' + c x' + k x = F(t).
TEST(Linearise, DrivenOscillator) {
  const Mechanism mechanism = readShippedModel("driven_oscillator");
  const Assembly assembly = assemble(mechanism);
  const Linearisation linear = linearise(mechanism, assembly, 0.0, assembly.state());
  ASSERT_TRUE(linear.ok) << linear.problem;
  EXPECT_NEAR(linear.M(0, 0), 2.0, 1e-12);
  EXPECT_NEAR(linear.C(0, 0), 3.0, 1e-11);
  EXPECT_NEAR(linear.K(0, 0), 200.0, 1e-10);
  EXPECT_FALSE(linear.balanced());  // the force starts with 10 N
}

// Inputs keep their names when asked to, and mean the same.
TEST(InputNames, StandInFormulasWhenAskedFor) {
  const std::string text = R"toml(
linkwork = 1
space = "planar"
gravity = [0, 0]
[points]
P = [0, 0]
[bodies]
cart = { box = { at = "P", size = [0.1, 0.1] }, mass = 2 }
[joints]
S = { prismatic = ["ground", "cart"], at = "P", axis = [1, 0] }
[inputs]
push = "3 [N]*sin(t)"
[loads]
f = { force = ["2*push", 0], on = "cart" }
[outputs]
seen = "push"
)toml";
  Diagnostics diagnostics;
  ReadOptions options;
  options.inputs = InputsAs::names;
  const auto named = readModelText(text, "m.toml", diagnostics, options);
  ASSERT_TRUE(named.has_value()) << diagnostics.format();
  EXPECT_EQ(symbolsOf(named->loads[0].force[0]), std::vector<std::string>{"push"});
  const auto plain = readModelText(text, "m.toml", diagnostics);
  ASSERT_TRUE(plain.has_value());
  EXPECT_EQ(withInputValues(*named).loads[0].force[0], plain->loads[0].force[0]);
  EXPECT_EQ(withInputValues(*named).outputs[0].value, plain->outputs[0].value);
}

// A part that is included twice, once turned by a quarter, brings each of its inputs under the part's name; each acts
// on its own part alone.
TEST(InputNames, OfIncludedPartsActOnTheirOwnPart) {
  const std::string folder = std::string(::testing::TempDir());
  std::ofstream(folder + "pushed_cart.toml") << R"toml(
linkwork = 1
space = "planar"
gravity = [0, 0]
[points]
P = [0, 0]
[bodies]
cart = { box = { at = "P", size = [0.1, 0.1] }, mass = 2 }
[joints]
S = { prismatic = ["ground", "cart"], at = "P", axis = [1, 0] }
[inputs]
push = "3 [N]*sin(t)"
[loads]
f = { force = ["2*push", 0], on = "cart" }
)toml";
  const std::string text = R"toml(
linkwork = 1
space = "planar"
gravity = [0, 0]
[include]
left  = { file = "pushed_cart.toml", at = [0, 0] }
right = { file = "pushed_cart.toml", at = [2, 0], angle = "90 deg" }
[outputs]
both = "left_push + 3*right_push"
)toml";
  Diagnostics diagnostics;
  ReadOptions options;
  options.inputs = InputsAs::names;
  const auto named = readModelText(text, folder + "two_carts.toml", diagnostics, options);
  ASSERT_TRUE(named.has_value()) << diagnostics.format();
  const Mechanism plain = withInputValues(*named);
  const Assembly assembly = assemble(plain);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  const Linearisation linear = linearise(*named, assembly, 0.0, assembly.state());
  ASSERT_TRUE(linear.ok) << linear.problem;
  const auto place = [](const auto& list, const std::string& name) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& entry) { return entry.name == name; });
    expect(found != list.end(), "no " + name);
    return static_cast<Eigen::Index>(found - list.begin());
  };
  ASSERT_EQ(linear.inputs.size(), 2U);
  ASSERT_EQ(linear.coordinates.size(), 2U);
  for (const std::string part : {"left", "right"}) {
    const Eigen::Index row = 2 + place(linear.coordinates, part + "_S.slide");
    const std::string other = part == "left" ? "right" : "left";
    EXPECT_NEAR(linear.B(row, place(linear.inputs, part + "_push")), 2.0 / 2.0, 1e-14);  // 2 push on 2 kg
    EXPECT_NEAR(linear.B(row, place(linear.inputs, other + "_push")), 0.0, 1e-14);
  }
  EXPECT_NEAR(linear.D(0, place(linear.inputs, "left_push")), 1.0, 1e-14);
  EXPECT_NEAR(linear.D(0, place(linear.inputs, "right_push")), 3.0, 1e-14);
}

}  // namespace linearise_test
}  // namespace linkwork::validation
