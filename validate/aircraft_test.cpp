// models/aircraft.toml: with the elevator locked the classical longitudinal matrix of its derivatives; with the
// elevator on its spring short period and phugoid near it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <fstream>
#include <sstream>

#include "linkwork/analyse/steady_linear.hpp"
#include "run_model.hpp"

namespace linkwork::validation {
namespace aircraft_test {

using Matrix = Eigen::MatrixXd;

SteadyLinearisation lineariseAircraft(const std::string& more) {
  std::ifstream file(fmt::format("{}/aircraft.toml", LINKWORK_MODELS_DIR));
  std::ostringstream text;
  text << file.rdbuf() << more;
  Diagnostics diagnostics;
  ReadOptions options;
  options.inputs = InputsAs::names;
  const auto named = readModelText(text.str(), "aircraft.toml", diagnostics, options);
  expect(named.has_value(), diagnostics.format());
  const auto plain = readModelText(text.str(), "aircraft.toml", diagnostics);
  std::string problem;
  auto model = makeSteadyModel(*plain, plain->steady, problem);
  expect(model != nullptr, problem);
  const std::vector<double> start = model->start;
  SteadySolver solver(std::move(model));
  const SteadyMotion motion = solver.find(start);
  expect(motion.ok, motion.problem);
  SteadyLinearisation out = lineariseSteady(solver, motion, countZeros(solver, motion));
  expect(out.ok, out.problem);
  problem = addSignals(solver, motion, *named, out);
  expect(problem.empty(), problem);
  return out;
}

//            u' = Xu u + Xw w           - g pitch
// Textbook:  w' = Zu u + Zw w + (u0 + Zq) q          (level flight; forces over mass, down)
//            q' = Mu u + Mw w + Mq q
//            pitch' = q
TEST(Aircraft, WithItsElevatorLockedHasTheClassicalMatrix) {
  const SteadyLinearisation linear = lineariseAircraft("\n[drives]\nlocked = { joint = \"E\", angle = 0 }\n");
  ASSERT_EQ(linear.outputs.size(), 4U);
  ASSERT_EQ(linear.A.rows(), 4);
  Matrix wanted(4, 4);
  wanted << -0.045, 0.036, 0.0, -9.81,  //
      -0.37, -2.0, 55.0 - 1.1, 0.0,     //
      0.001, -0.16, -2.1, 0.0,          //
      0.0, 0.0, 1.0, 0.0;
  // In the states of the textbook, which are the outputs.
  const Matrix found = linear.C_y * linear.A * linear.C_y.inverse();
  EXPECT_LT((found - wanted).cwiseAbs().maxCoeff(), 1e-10) << found;
  // A locked elevator does not hear the stick.
  EXPECT_LT((linear.C_y * linear.B).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Aircraft, OnItsSpringKeepsShortPeriodAndPhugoid) {
  const SteadyLinearisation linear = lineariseAircraft("");
  const Eigen::VectorXcd values = linear.A.eigenvalues();
  ASSERT_EQ(values.size(), 6);
  const auto distance = [&](std::complex<double> to) { return (values.array() - to).abs().minCoeff(); };
  // Those of the locked aircraft, which the elevator's give moves by some percent.
  EXPECT_LT(distance({-2.06, 2.98}), 0.15);
  EXPECT_LT(distance({-0.0163, 0.215}), 0.005);
  // The elevator by itself: I_e mu^2 + d mu + k = 0.
  EXPECT_LT(distance({-10.0, std::sqrt(1500.0 - 100.0)}), 0.2);
  // Pushed forward for good, the stick takes the aircraft to another steady motion: the last row of A x + B = 0.
  const Eigen::VectorXd answer = -linear.C_y * linear.A.partialPivLu().solve(linear.B.col(0));
  EXPECT_GT(answer[0], 0.0);  // faster, with the nose lower against the air
  EXPECT_LT(answer[1], 0.0);
}

}  // namespace aircraft_test
}  // namespace linkwork::validation
