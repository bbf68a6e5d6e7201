// The matrices of the equations of Boltzmann and Hamel against closed forms, and against the equations that are
// simulated, which form none of them.
#include "linkwork/codegen/quasi_matrices.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "linkwork/base/index.hpp"
#include "linkwork/codegen/explain_quasi_velocity.hpp"
#include "linkwork/codegen/explain_writer.hpp"
#include "linkwork/codegen/linkages_for_tests.hpp"
#include "linkwork/codegen/program_values.hpp"
#include "linkwork/codegen/shaken_state_for_tests.hpp"
#include "linkwork/linalg/decompositions.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/model/skates_for_tests.hpp"
#include "linkwork/model/test_mechanisms.hpp"
#include "linkwork/recursion/trees_for_tests.hpp"

namespace linkwork {
namespace quasi_matrices_test {

struct Trial {
  explicit Trial(const Mechanism& of) : mechanism(of), absolute(test::shakenState(of, 0.0)) {
    const auto start = makeSystem(mechanism, {});
    // A random tree is not drawn closed: its joint coordinates put the bodies where they fit.
    (void)start->afterStep(t, absolute, start->startModes(), *start->makeWorkspace());
    SystemOptions options;
    options.formulation = "quasivelocity";
    options.stabilisation = "none";
    options.start = absolute;
    choice = velocityChoice(mechanism, options);
    system = makeSystem(mechanism, options);
    const std::vector<double> x = system->fromAbsolute(t, absolute);
    const auto v = x.begin() + system->space().velocityOffset();
    q.assign(x.begin(), x.begin() + system->space().positions());
    omega.assign(v, v + system->space().velocities());
    std::vector<double> rates(x.size());
    EXPECT_EQ(system->derivative(t, x, system->startModes(), *system->makeWorkspace(), rates), Eval::ok);
    const auto first = rates.begin() + system->space().velocityOffset();
    omega_rate = Eigen::Map<const Eigen::VectorXd>(&*first, system->space().velocities());
    const QuasiMatricesFound found = quasiMatrices(mechanism, choice, t, absolute, q, omega);
    EXPECT_EQ(found.problem, "");
    m = found.matrices;
  }

  double t = 0.0;
  Mechanism mechanism;
  std::vector<double> absolute, q, omega;
  VelocityChoice choice;
  std::unique_ptr<MechanismSystem> system;
  Eigen::VectorXd omega_rate;
  QuasiMatrices m;
};

Mechanism driftingBelt() { return test::belt(Expr(0.4) + Expr(0.3) * Expr::symbol("t")); }

// Turning hinges and balls, blades, loops; a belt and drives, which know the time.
std::vector<Mechanism> mechanisms() {
  return {test::chainOf(3, test::Lines::general),
          test::sliderPendulum(),
          test::fourBar(),
          test::tug(),
          driftingBelt(),
          test::skate(Space::spatial),
          test::tugWithNames(),
          test::skateWithNames(),
          liftToSpace(test::fourBar()),
          test::randomTree(true, 7, test::treeKinds(true), true).mechanism};
}

TEST(QuasiMatrices, GiveTheMotionThatIsSimulated) {
  for (const Mechanism& mechanism : mechanisms()) {
    const Trial trial(mechanism);
    const Eigen::VectorXd found = trial.m.A.ldlt().solve(trial.m.B);
    const double size = 1.0 + trial.omega_rate.lpNorm<Eigen::Infinity>();
    // Round-off, enlarged by the condition of A, which stays below 1e3 here.
    EXPECT_LT((found - trial.omega_rate).lpNorm<Eigen::Infinity>(), 1e-10 * size) << mechanism.name;
  }
}

TEST(QuasiMatrices, AreThoseOfTheWrittenEquations) {
  for (const Mechanism& mechanism : mechanisms()) {
    const Trial trial(mechanism);
    EquationRequest request;
    request.form = WrittenForm::quasivelocity;
    request.task = EquationTask::mass_matrix;
    request.torques = Torques::none;
    request.velocities = trial.choice;
    const WrittenEquations written = writeEquations(mechanism, request);
    ASSERT_TRUE(written.program) << written.problem;
    const ProgramValues values(*written.program, {{"q", trial.q}, {"om", trial.omega}});
    const std::vector<double> A = values.output("A"), B = values.output("B");
    const double size = 1.0 + trial.m.B.lpNorm<Eigen::Infinity>() + trial.m.A.lpNorm<Eigen::Infinity>();
    for (Eigen::Index k = 0; k < trial.m.B.size(); ++k) {
      EXPECT_NEAR(trial.m.B[k], B[static_cast<std::size_t>(k)], 1e-11 * size) << mechanism.name;
      for (Eigen::Index j = 0; j < trial.m.B.size(); ++j)
        EXPECT_NEAR(trial.m.A(k, j), A[static_cast<std::size_t>(k * trial.m.B.size() + j)], 1e-11 * size);
    }
  }
}

TEST(QuasiMatrices, HaveAntisymmetricSymbols) {
  for (const Mechanism& mechanism : mechanisms()) {
    const Trial trial(mechanism);
    for (const Eigen::MatrixXd& gamma : trial.m.Gamma) {
      const double size = 1.0 + gamma.lpNorm<Eigen::Infinity>();
      EXPECT_LT((gamma + gamma.transpose()).lpNorm<Eigen::Infinity>(), 1e-12 * size) << mechanism.name;
    }
  }
}

// Velocities of hinges are rates of their angles.
TEST(QuasiMatrices, OfTrueCoordinatesHaveNoSymbols) {
  const Trial trial(test::chainOf(3, test::Lines::general));
  for (const Eigen::MatrixXd& gamma : trial.m.Gamma) EXPECT_EQ(gamma.lpNorm<Eigen::Infinity>(), 0.0);
}

// v along the sleigh, w its turning, and across it the blade b behind the centre of mass: v_y = b w there, and
//   m v' = m b w^2,  (I + m b^2) w' = -m b v w
TEST(QuasiMatrices, OfASleighAreChaplygins) {
  const test::SleighNumbers n;
  const Trial trial(test::sleigh(n));
  ASSERT_EQ(trial.m.free, 2);
  const double v = trial.omega[0], w = trial.omega[1];
  EXPECT_NEAR(trial.m.A(0, 0), n.mass, 1e-14);
  EXPECT_NEAR(trial.m.A(0, 1), 0.0, 1e-14);
  EXPECT_NEAR(trial.m.A(1, 1), n.inertia + n.mass * n.behind * n.behind, 1e-14);
  EXPECT_NEAR(trial.m.B[0], n.mass * n.behind * w * w, 1e-13);
  EXPECT_NEAR(trial.m.B[1], -n.mass * n.behind * v * w, 1e-13);
  // dv/dt along the turned axis: the row's own symbol by v and w, with the sign of the blade's normal.
  EXPECT_NEAR(std::abs(trial.m.Gamma[2](0, 1)), 1.0, 1e-13);
  EXPECT_NEAR(trial.m.T_Q[0], n.mass * v, 1e-13);
}

// Euler's equations: Gamma(1, 2, 3) = 1 and so round, and nothing else among the turns.
TEST(QuasiMatrices, OfAFreeBodyAreEulers) {
  Mechanism mechanism;
  mechanism.name = "body";
  mechanism.space = Space::spatial;
  mechanism.gravity = {Value(0.0), Value(0.0), Value(0.0)};
  (void)test::addSpatialBody(mechanism, "body", 2.0, {1.0, 2.0, 3.0}, {0.0, 0.0, 0.0});
  const Trial trial(mechanism);
  ASSERT_EQ(trial.m.free, 6);
  const auto symbol = [&](int r, int k, int a) { return trial.m.Gamma[at(2 + r)](2 + k, 2 + a); };
  EXPECT_NEAR(symbol(1, 2, 3), 1.0, 1e-13);
  EXPECT_NEAR(symbol(2, 3, 1), 1.0, 1e-13);
  EXPECT_NEAR(symbol(3, 1, 2), 1.0, 1e-13);
  EXPECT_NEAR(symbol(1, 1, 2), 0.0, 1e-13);
  const double p = trial.omega[3], q = trial.omega[4], r = trial.omega[5];
  EXPECT_NEAR(trial.m.B[3], (2.0 - 3.0) * q * r, 1e-12);
  EXPECT_NEAR(trial.m.B[4], (3.0 - 1.0) * r * p, 1e-12);
  EXPECT_NEAR(trial.m.B[5], (1.0 - 2.0) * p * q, 1e-12);
}

// Without gamma_0 a blade on a moving belt would have another motion.
TEST(QuasiMatrices, OfABeltKnowTheTime) {
  const Trial trial(driftingBelt());
  EXPECT_GT(trial.m.Gamma_0.lpNorm<Eigen::Infinity>() + trial.m.bodies[0].V_RP.lpNorm<Eigen::Infinity>(), 1e-3);
}

// Every matrix of every body, with names that say what it is of.
TEST(ExplainQuasiVelocity, ShowsEveryMatrix) {
  const Trial trial(test::tug());
  Assembly start;
  const Explanation sums = explainQuasiVelocity(trial.mechanism, 0.0, trial.absolute, start, ExplainedMatrices::sums);
  ASSERT_EQ(sums.problem, "");
  for (const char* title : {"Quasi-velocities", "Rows R", "Motions N", "Right-hand side B", "Mass matrix A",
                            "Impulses T_Q", "Solution omega'", "Reactions lambda"})
    EXPECT_NE(sums.find(title), nullptr) << title;
  EXPECT_EQ(sums.find("V_P of first"), nullptr);
  const Explanation all =
      explainQuasiVelocity(trial.mechanism, 0.0, trial.absolute, start, ExplainedMatrices::of_each_body);
  for (const char* letter : {"V_P",     "Omega_P",  "V_R",      "Omega_R", "V",        "Omega", "V_Q",
                             "Omega_Q", "V_Pi",     "Omega_Pi", "V_PP",    "Omega_PP", "V_QP",  "Omega_QP",
                             "V_RP",    "Omega_RP", "T_Q",      "T_Pi",    "C",        "A",     "B"}) {
    for (const char* body : {"first", "second"})
      EXPECT_NE(all.find(std::string(letter) + " of " + body), nullptr) << letter << body;
  }
  const ExplainedTable& solution = *sums.find("Solution omega'")->table;
  for (std::size_t k = 0; k < solution.rows(); ++k)
    EXPECT_NEAR(solution.at(k, 0).number(), solution.at(k, 1).number(), 1e-11);
  EXPECT_FALSE(explanationText(all).empty());
  EXPECT_FALSE(explanationLatex(all).empty());
}

}  // namespace quasi_matrices_test
}  // namespace linkwork
