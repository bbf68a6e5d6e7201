// Files of equations (models/equations) against closed forms, tables of independent computations, and what the paper's
// wrong formulas give.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "linkwork/formulation/equations/equations_names.hpp"
#include "linkwork/read/equations_file.hpp"
#include "linkwork/simulate/equations_run.hpp"
#include "run_model.hpp"

namespace linkwork::equations_models_test {

namespace {

using validation::valueAt;

EquationsModel readEquationsModel(const std::string& name, const ReadOptions& options = {}) {
  Diagnostics diagnostics;
  auto model = readEquationsFile(fmt::format("{}/equations/{}.toml", LINKWORK_MODELS_DIR, name), diagnostics, options);
  expect(model.has_value(), diagnostics.format());
  return *std::move(model);
}

Result run(const EquationsModel& model, double until, int samples, const std::string& variant = "corrected") {
  RunOptions options = equationsRunOptions(model, givenOptions(model.frame, RunOptions{}));
  options.system.formulation = "quasivelocity";
  options.system.variant = variant;
  options.integrator = "dop853";
  options.until = until;
  options.output_step = until / samples;
  options.steps.rtol = 1e-13;
  options.steps.atol = 1e-14;
  expect(equationsRunProblem(model, options).empty(), equationsRunProblem(model, options));
  const EquationsStart start = findEquationsStart(model);
  expect(start.ok, start.problem);
  const Mechanism frame = recordedFrame(model);
  Result out = simulateEquations(model, frame, start, options);
  expect(out.status == RunStatus::complete, out.message);
  return out;
}

// Rows of a table: time, then the named series. The table's numbers have 14 digits, those of angles that turn less.
void expectRows(const Result& result, const std::vector<std::string>& names,
                const std::vector<std::vector<double>>& rows, double tolerance) {
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < names.size(); ++k)
      EXPECT_NEAR(valueAt(result, names[k], row[0]), row[k + 1], tolerance) << names[k] << " at " << row[0];
  }
}

}  // namespace

// v = V tanh(k (t - t0)), w = W sech(k (t - t0)); places by an independent quadrature.
TEST(EquationsModels, SleighFollowsItsClosedForm) {
  const Result result = run(readEquationsModel("sleigh"), 5.0, 10);
  expectRows(result, {"x", "y", "theta", "v", "w"},
             {{0.5, 0.44925544173036, 0.22577380864587, 0.81517121113195, 1.2055556495643, 1.2679714876683},
              {1.0, 0.74754407538249, 0.79158992298074, 1.3009975684425, 1.3509769192134, 0.71714582107433},
              {2.0, 0.77457568091055, 2.1723910940909, 1.7157494815074, 1.4088910756170, 0.21022352982146},
              {5.0, -0.35411908593879, 6.2558345474342, 1.8804363223262, 1.4142105744891, 0.0049855683220403}},
             1e-10);
  EXPECT_LT(result.ledger.worst_energy_balance, 1e-12);
}

TEST(EquationsModels, RigidBodyFollowsJacobisFunctions) {
  const Result result = run(readEquationsModel("rigid_body"), 10.0, 10);
  expectRows(
      result, {"psi", "theta", "phi", "p", "q", "r"},
      {{1, 1.0949105268424, 0.57322069397731, 0.51005915220931, 0.35704761467019, 0.49246015154358, 0.74999622202197},
       {2, 2.1221620599470, 0.36125130496957, 1.1663214829651, -0.062251967640169, 0.60508238490715, 0.72200538028352},
       {5, 4.6466070240088, -0.46959952080015, -0.74340517516816, -0.40280690861398, -0.45579227107626,
        0.75768362034716},
       {10, 8.9460382148815, -0.15190321018301, 1.2252397214799, 0.049854251689962, 0.60622978612770,
        0.72168447547193}},
      1e-10);
}

TEST(EquationsModels, DoublePendulumFollowsLagrange) {
  const Result result = run(readEquationsModel("double_pendulum"), 3.0, 6);
  // The table has 12 digits, and errors grow about a hundredfold in 3 s.
  expectRows(result, {"th1", "th2", "th1_rate", "th2_rate"},
             {{0.5, 0.570472051233, 1.203875111158, -2.789645766167, -3.188062746651},
              {1.0, -0.6250876998064, -1.034585085680, -3.922279572888, -1.303099248696},
              {2.0, -0.4829715342518, -1.324048712302, 3.065288192073, 2.949271547572},
              {3.0, 1.785795522077, 1.118107461205, 0.3279806195, -0.5044551039}},
             1e-9);
  EXPECT_LT(result.ledger.worst_energy_balance, 1e-10);
}

// a = (2/7) Omega z x v: a circle that its centre goes round with 2/7 of the table's rate.
TEST(EquationsModels, BallOnTurntableGoesRoundItsCircle) {
  const Result result = run(readEquationsModel("ball_on_turntable"), 0.4, 4);
  EXPECT_NEAR(valueAt(result, "x_acceleration", 0.0), -1.2, 1e-11);
  EXPECT_NEAR(valueAt(result, "y_acceleration", 0.0), -6.0 / 7.0 * 0.2, 1e-11);
  EXPECT_NEAR(valueAt(result, "x", 0.4), 0.32649489, 1e-8);
  EXPECT_NEAR(valueAt(result, "y", 0.4), 0.53551241, 1e-8);
  // The table brings work: the balance is closed only with what it brings.
  EXPECT_LT(result.ledger.worst_energy_balance, 1e-13);
  EXPECT_GT(result.ledger.energy_scale, 0.1);
}

// Lagrange's equations in r and phi, whatever the quasi-velocities are.
TEST(EquationsModels, PolarParticleObeysLagrange) {
  const Result result = run(readEquationsModel("polar_particle"), 2.0, 20);
  for (double t = 0.0; t < 2.05; t += 0.1) {
    const double r = valueAt(result, "r", t);
    const double r1 = valueAt(result, "r_rate", t);
    const double phi1 = valueAt(result, "phi_rate", t);
    EXPECT_NEAR(valueAt(result, "r_acceleration", t), r * phi1 * phi1 - 2.0 * (r - 1.0), 1e-11);
    EXPECT_NEAR(valueAt(result, "phi_acceleration", t), -2.0 * r1 * phi1 / r, 1e-11);
  }
  EXPECT_LT(result.ledger.worst_energy_balance, 1e-12);
  // Without gamma_0 it obeys something else.
  const Result wrong = run(readEquationsModel("polar_particle"), 1.0, 1, "printed_affine");
  EXPECT_GT(std::abs(valueAt(wrong, "phi_acceleration", 0.0) - valueAt(result, "phi_acceleration", 0.0)), 0.1);
}

// A push of a hundredth of a second after five of rest: no step jumps over it.
TEST(EquationsModels, APushIsNotJumpedOver) {
  const std::string text =
      "linkwork = 1\nspace = \"equations\"\n[coordinates]\nx = 0\n[bodies]\nb = { mass = 2, velocity = [\"x_rate\"] }\n"
      "[forces]\nx = \"100*exp(-((t - 5 [s])/0.01 [s])^2)\"\n";
  Diagnostics diagnostics;
  const auto model = readEquationsText(text, "push.toml", diagnostics);
  ASSERT_TRUE(model) << diagnostics.format();
  const Result result = run(*model, 10.0, 2);
  // Its impulse over the mass: the integral of a bell.
  EXPECT_NEAR(valueAt(result, "x_rate", 10.0), 0.5 * 100.0 * 0.01 * std::sqrt(std::numbers::pi), 1e-9);
}

// alpha'' = sin alpha (turn^2 cos alpha - g / rho)
TEST(EquationsModels, DrivenHoopHasItsAcceleration) {
  const Result result = run(readEquationsModel("driven_hoop"), 3.0, 30);
  EXPECT_NEAR(valueAt(result, "alpha_acceleration", 0.0), -4.755953183696, 1e-11);
  for (double t = 0.0; t < 3.05; t += 0.5) {
    const double alpha = valueAt(result, "alpha", t);
    EXPECT_NEAR(valueAt(result, "alpha_acceleration", t), std::sin(alpha) * (16.0 * std::cos(alpha) - 9.81 / 0.5),
                1e-11);
  }
  EXPECT_LT(result.ledger.worst_energy_balance, 1e-11);
}

// The sleigh with other quasi-velocities: rates that the program chooses (Voronets). And without the edge, by rates
// (Lagrange): its mass centre goes straight on.
TEST(EquationsModels, AnyQuasiVelocitiesGiveOneMotion) {
  const EquationsModel maggi = readEquationsModel("sleigh");
  std::string text = maggi.frame.file_text;
  const auto without = [&text](const std::string& section, const std::string& next) {
    const std::size_t from = text.find(section);
    text.erase(from, text.find(next) - from);
  };
  const auto replace = [&text](const std::string& old, const std::string& by) {
    const std::size_t place = text.find(old);
    expect(place != std::string::npos, "the file has changed: " + old);
    text.replace(place, old.size(), by);
  };
  without("[steady]", "[simulate]");
  without("[quasivelocities]", "[constraints]");
  replace("[\"v\", \"side + a*w\"], angular_velocity = \"w\"",
          "[\"cos(theta)*x_rate + sin(theta)*y_rate\", \"cos(theta)*y_rate - sin(theta)*x_rate + a*theta_rate\"], "
          "angular_velocity = \"theta_rate\"");
  replace("v = \"0.8 m/s\"\nw =", "x_rate = \"0.8 m/s\"\ntheta_rate =");
  Diagnostics diagnostics;
  const auto voronets = readEquationsText(text, "sleigh.toml", diagnostics);
  ASSERT_TRUE(voronets) << diagnostics.format();
  const Result a = run(maggi, 1.0, 2);
  const Result b = run(*voronets, 1.0, 2);
  for (const char* name : {"x", "y", "theta", "x_acceleration", "side_reaction"})
    EXPECT_NEAR(valueAt(a, name, 1.0), valueAt(b, name, 1.0), 1e-12) << name;
  without("[constraints]", "[bodies]");
  const auto lagrange = readEquationsText(text, "sleigh.toml", diagnostics);
  ASSERT_TRUE(lagrange) << diagnostics.format();
  const Result free = run(*lagrange, 1.0, 2);
  EXPECT_NEAR(valueAt(free, "theta", 1.0), 2.0, 1e-13);
  EXPECT_NEAR(valueAt(free, "x", 1.0) + 0.3 * std::cos(2.0), 0.3 + 0.8, 1e-12);
}

// With constraints put in before the derivatives the sleigh goes on as it is.
TEST(EquationsModels, PrintedRowsLeaveTheSleighWithoutDynamics) {
  const Result result = run(readEquationsModel("sleigh"), 1.0, 4, "printed_rows");
  EXPECT_NEAR(valueAt(result, "v_rate", 0.0), 0.0, 1e-14);
  EXPECT_NEAR(valueAt(result, "w_rate", 0.0), 0.0, 1e-14);
  EXPECT_NEAR(valueAt(result, "w", 1.0), 2.0, 1e-13);
}

TEST(EquationsModels, PrintedSymbolsTurnEulersEquationsRound) {
  const EquationsModel model = readEquationsModel("rigid_body");
  const Result right = run(model, 1.0, 1);
  const Result wrong = run(model, 1.0, 1, "printed_gamma");
  const double p = 0.6, q = 0.1, r = 0.8;
  EXPECT_NEAR(valueAt(right, "p_rate", 0.0), (2.0 - 3.0) * q * r / 1.0, 1e-14);
  EXPECT_NEAR(valueAt(wrong, "p_rate", 0.0), -(2.0 - 3.0) * q * r / 1.0, 1e-14);
  EXPECT_NEAR(valueAt(wrong, "q_rate", 0.0), -(3.0 - 1.0) * r * p / 2.0, 1e-14);
  // And v' = -a w^2 of the sleigh.
  const Result sleigh = run(readEquationsModel("sleigh"), 0.1, 1, "printed_gamma");
  EXPECT_NEAR(valueAt(sleigh, "v_rate", 0.0), -0.3 * 4.0, 1e-14);
}

TEST(EquationsModels, PrintedAffineSendsTheBallElsewhere) {
  const Result wrong = run(readEquationsModel("ball_on_turntable"), 0.1, 1, "printed_affine");
  EXPECT_NEAR(valueAt(wrong, "x_acceleration", 0.0), 1.8, 1e-11);
  EXPECT_NEAR(valueAt(wrong, "y_acceleration", 0.0), 0.257142857143, 1e-11);
  // The ledger does not balance.
  EXPECT_GT(wrong.ledger.worst_energy_balance, 1e-3);
}

// Every integrator that takes ordinary equations of the first order, with dense output and its own tolerance.
TEST(EquationsModels, IntegratorsAgreeOnTheDisc) {
  const EquationsModel model = readEquationsModel("rolling_disc");
  const EquationsStart start = findEquationsStart(model);
  ASSERT_TRUE(start.ok) << start.problem;
  const Mechanism frame = recordedFrame(model);
  const Result tight = run(model, 1.0, 10);
  EXPECT_LT(tight.ledger.worst_energy_balance, 1e-11);
  int tried = 0;
  for (const std::string& integrator : integratorNames()) {
    RunOptions options;
    options.system.formulation = "quasivelocity";
    options.integrator = integrator;
    options.until = 1.0;
    options.output_step = 0.1;
    options.steps.rtol = 1e-8;
    options.steps.atol = 1e-10;
    if (!equationsRunProblem(model, options).empty()) continue;
    const Result result = simulateEquations(model, frame, start, options);
    ASSERT_EQ(result.status, RunStatus::complete) << integrator << ": " << result.message;
    // Fixed steps of a thousandth of a second and order two at least: 1e-5.
    EXPECT_NEAR(valueAt(result, "phi", 1.0), valueAt(tight, "phi", 1.0), 1e-5) << integrator;
    ++tried;
  }
  EXPECT_GE(tried, 4);
}

}  // namespace linkwork::equations_models_test
