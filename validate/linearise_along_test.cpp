// Linearisations along a recorded run: against a closed form, against the differences of two runs, and constant where
// they must be; and states read back from what a run records.
#include "linkwork/study/linearise_along.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "linkwork/simulate/state_at.hpp"
#include "linkwork/simulate/still_result.hpp"
#include "run_model.hpp"
#include "shipped_models.hpp"

namespace linkwork::validation {
namespace linearise_along_test {

using ::testing::HasSubstr;
using Matrix = Eigen::MatrixXd;

Mechanism readText(const std::string& text, InputsAs inputs = InputsAs::formulas) {
  Diagnostics diagnostics;
  ReadOptions options;
  options.inputs = inputs;
  auto out = readModelText(text, "m.toml", diagnostics, options);
  expect(out.has_value(), diagnostics.format());
  return *std::move(out);
}

Result tightRun(const Mechanism& mechanism, double until, double step) {
  RunOptions options = fineOptions();
  options.steps.rtol = 1e-12;
  options.steps.atol = 1e-13;
  options.until = until;
  options.output_step = step;
  return runModel(mechanism, options);
}

class ShippedStates : public ::testing::TestWithParam<std::string> {};

TEST_P(ShippedStates, AreReadBackFromWhatARunRecords) {
  const Mechanism& mechanism = readShippedModel(GetParam());
  const Assembly assembly = assemble(mechanism);
  ASSERT_TRUE(assembly.ok);
  const std::vector<double> x = assembly.state();
  const Result still = stillResult(mechanism, assembly, 0.0, x);
  std::string problem;
  std::vector<double> elsewhere = x;
  const std::size_t bodies = mechanism.bodies.size() * (mechanism.space == Space::spatial ? 13 : 6);
  for (std::size_t k = 0; k < bodies; ++k) elsewhere[k] += 1.0;
  const std::vector<double> found = recordedState(mechanism, still, 0, elsewhere, problem);
  ASSERT_EQ(problem, "");
  ASSERT_EQ(found.size(), x.size());
  double size = 1.0;
  for (const double value : x) size = std::max(size, std::abs(value));
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(found[k], x[k], 1e-13 * size) << k;
}

INSTANTIATE_TEST_SUITE_P(All, ShippedStates, ::testing::ValuesIn(shippedModels()),
                         [](const auto& model) { return model.param; });

std::string doublePendulum(double upper, double upper_rate) {
  return fmt::format(R"toml(
linkwork = 1
space = "planar"
gravity = [0, -9.81]
[points]
O = [0, 0]
A = [0, -1]
B = [0, -1.6]
[bodies]
upper = {{ rod = ["O", "A"], mass = 2 }}
lower = {{ rod = ["A", "B"], mass = 1 }}
[joints]
O = {{ revolute = ["ground", "upper"] }}
A = {{ revolute = ["upper", "lower"] }}
[inputs]
motor = {{ default = "0 N*m", unit = "N*m" }}
[loads]
motor = {{ actuator = "O", torque = "motor" }}
drag = {{ rotational_damper = "A", damping = 0.2 }}
[initial]
O.angle = {:.17g}
O.rate = {:.17g}
A.angle = -0.4
A.rate = 1.3
)toml",
                     upper, upper_rate);
}

// What a small change of the start makes of the end, by the chain of linear equations and by two runs.
TEST(LinearAlong, CarriesSmallChangesAsTwoRunsDo) {
  constexpr double kUntil = 1.0;
  constexpr double kStep = 0.00125;
  const Mechanism named = readText(doublePendulum(0.9, 0.7), InputsAs::names);
  const Mechanism plain = readText(doublePendulum(0.9, 0.7));
  const Assembly assembly = assemble(plain);
  const Result run = tightRun(plain, kUntil, kStep);
  const LinearAlong along = lineariseAlong(named, assembly, run, {"O.angle", "A.angle"});
  ASSERT_TRUE(along.ok) << along.problem;
  ASSERT_EQ(along.linear.size(), 801U);
  // Classical Runge-Kutta steps over two samples each: their error, 7e-4 with steps four times as long, falls with the
  // fourth power.
  Matrix change = Matrix::Identity(4, 4);
  for (std::size_t k = 0; k + 2 < along.linear.size(); k += 2) {
    const Matrix& a = along.linear[k].A;
    const Matrix& b = along.linear[k + 1].A;
    const Matrix& c = along.linear[k + 2].A;
    const double h = 2.0 * kStep;
    const Matrix k1 = a * change;
    const Matrix k2 = b * (change + 0.5 * h * k1);
    const Matrix k3 = b * (change + 0.5 * h * k2);
    const Matrix k4 = c * (change + h * k3);
    change += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  const std::vector<std::string> states = along.linear.front().stateNames();
  const double d = 2e-5;
  for (int column : {0, 2}) {
    Result sides[2];
    for (int side = 0; side < 2; ++side) {
      const double off = side == 0 ? d : -d;
      sides[side] = tightRun(readText(doublePendulum(0.9 + (column == 0 ? off : 0.0), 0.7 + (column == 2 ? off : 0.0))),
                             kUntil, kStep);
    }
    for (int row = 0; row < 4; ++row) {
      const std::string& name = states[static_cast<std::size_t>(row)];
      const double by_runs = (sides[0].find(name)->values.back() - sides[1].find(name)->values.back()) / (2.0 * d);
      // Differences of second order: d^2 times the third derivative, which is some 1e4; runs are good to 1e-12 / d.
      EXPECT_NEAR(change(row, column), by_runs, 1e-6 * change.cwiseAbs().maxCoeff()) << name;
    }
  }
  // B by the closed form of the mass matrix in (O.angle, A.angle), which is all that an input sees.
  for (std::size_t k = 0; k < along.linear.size(); k += 50) {
    const double bend = run.find("A.angle")->values[k];
    const double m11 = 2.0 / 3.0 + 1.0 + 0.36 / 3.0 + 0.6 * std::cos(bend);
    const double m12 = 0.36 / 3.0 + 0.3 * std::cos(bend);
    const double m22 = 0.36 / 3.0;
    const double det = m11 * m22 - m12 * m12;
    EXPECT_NEAR(along.linear[k].B(2, 0), m22 / det, 1e-11);
    EXPECT_NEAR(along.linear[k].B(3, 0), -m12 / det, 1e-11);
  }
}

// A mass on a spring and a damper: the same matrices everywhere.
TEST(LinearAlong, IsConstantForALinearSystem) {
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
[outputs]
seen = "3*S.slide + 2 [s]*S.slide_rate + push/(1 [N/m])"
[loads]
hold = { force = ["push - 50*S.slide - 4*S.slide_rate", 0], on = "cart" }
[initial]
S.slide = 0.3
)toml";
  const Mechanism plain = readText(text);
  const Assembly assembly = assemble(plain);
  const LinearAlong along = lineariseAlong(readText(text, InputsAs::names), assembly, tightRun(plain, 2.0, 0.1), {});
  ASSERT_TRUE(along.ok) << along.problem;
  for (const Linearisation& linear : along.linear) {
    Matrix A(2, 2);
    A << 0, 1, -25, -2;
    EXPECT_LT((linear.A - A).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_NEAR(linear.B(1, 0), 0.5, 1e-14);
    EXPECT_NEAR(linear.C_y(0, 0), 3.0, 1e-13);
    EXPECT_NEAR(linear.C_y(0, 1), 2.0, 1e-13);
    EXPECT_NEAR(linear.D(0, 0), 1.0, 1e-14);
  }
}

TEST(LinearAlong, RefusesARunOfAnotherModel) {
  const Mechanism plain = readText(doublePendulum(0.9, 0.7));
  Result run = tightRun(plain, 0.1, 0.05);
  const Assembly assembly = assemble(plain);
  Result other = run;
  for (Series& series : other.series) {
    if (series.name == "lower.x") series.values[1] += 0.01;
  }
  EXPECT_THAT(lineariseAlong(plain, assembly, other, {}).problem,
              HasSubstr("at t = 0.05 s the joints of this model are"));
  std::erase_if(run.series, [](const Series& series) { return series.name == "lower.angle"; });
  EXPECT_EQ(lineariseAlong(plain, assembly, run, {}).problem, "the run has no series \"lower.angle\"");
}

}  // namespace linearise_along_test
}  // namespace linkwork::validation
