// What cannot be simulated is refused or stopped with a message that says where, when and why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "linkwork/read/model_file_for_tests.hpp"
#include "run_model.hpp"

namespace linkwork::validation {
namespace bad_cases_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// A crank of half a metre on a pin, with what follows; the drawing has it upright.
Mechanism crankWith(const std::string& rest) {
  return test::read(R"toml(linkwork = 1
space = "planar"
gravity = [0, -9.81]
[points]
O = [0, 0]
A = [0, 0.5]
[bodies]
crank = { rod = ["O", "A"], mass = 1.2 }
[joints]
O = { revolute = ["ground", "crank"] }
)toml" + rest);
}

Result run(const Mechanism& m, double until) {
  RunOptions options;
  options.until = until;
  options.output_step = until / 100.0;
  return runModel(m, options);
}

// --- start -----------------------------------------------------------------------------------------------------------

TEST(BadCases, AnInconsistentStartIsNamedWithItsLines) {
  const Assembly assembly = assemble(crankWith("[initial]\nO.rate = 2\ncrank.angle_rate = 3\n"));
  ASSERT_FALSE(assembly.ok);
  EXPECT_THAT(assembly.problem,
              AllOf(HasSubstr("O.angle_rate = 2 rad/s (m.toml:12:3)"),
                    HasSubstr("crank.angle_rate = 3 rad/s (m.toml:13:7)"), HasSubstr("contradict each other")));
}

TEST(BadCases, ABodyWithoutInertiaIsNamedWithItsFreeDirection) {
  const auto problemOf = [](const std::string& text) {
    const Assembly assembly = assemble(test::read("linkwork = 1\n" + text));
    EXPECT_FALSE(assembly.ok);
    return assembly.problem;
  };
  // A point mass that a slide lets turn is held; one on a pin of its own is not.
  EXPECT_EQ(problemOf(R"toml(space = "planar"
gravity = [0, -9.81]
[bodies]
bead = { position = [0.3, 0.4], mass = 1, inertia = 0 }
[joints]
P = { revolute = ["ground", "bead"], at = [0.3, 0.4] }
)toml"),
            "body \"bead\" has no inertia in a direction that its joints leave free (it can turn about the point "
            "[0.3, 0.4])");
  // Without mass along a slide at 45 degrees.
  EXPECT_EQ(problemOf(R"toml(space = "planar"
gravity = [0, -9.81]
[bodies]
ghost = { mass = 0, inertia = 1 }
[joints]
S = { prismatic = ["ground", "ghost"], at = [0, 0], axis = "45 deg" }
)toml"),
            "body \"ghost\" has no inertia in a direction that its joints leave free (it can move along [0.7071, "
            "0.7071])");
  // A thin rod on a ball, which spins about its own line.
  EXPECT_EQ(problemOf(R"toml(space = "spatial"
gravity = [0, 0, -9.81]
[points]
O = [0, 0, 0]
A = [0.3, 0, 0.4]
[bodies]
rod = { rod = ["O", "A"], mass = 1.2 }
[joints]
O = { spherical = ["ground", "rod"] }
)toml"),
            "body \"rod\" has no inertia in a direction that its joints leave free (it can turn about the direction "
            "[0.6, 0, 0.8])");
}

// --- on the way ------------------------------------------------------------------------------------------------------

// No Grashof: the crank cannot go round. It is stopped where coupler and rocker are stretched, when the crank is at
// cos(angle) = (0.5^2 + 1.2^2 - 1.5^2) / (2 0.5 1.2).
TEST(BadCases, ADriveThroughADeadPointIsStoppedThereAndNamed) {
  const Mechanism m = test::read(R"toml(linkwork = 1
space = "planar"
gravity = [0, -9.81]
[points]
O = [0, 0]
A = [0, 0.5]
B = [1.2, 0.6]
D = [1.2, 0]
[bodies]
crank   = { rod = ["O", "A"], mass = 1.2 }
coupler = { rod = ["A", "B"], length = 0.9, mass = 2.0 }
rocker  = { rod = ["D", "B"], length = 0.6, mass = 1.5 }
[joints]
O = { revolute = ["ground", "crank"] }
A = { revolute = ["crank", "coupler"] }
B = { revolute = ["coupler", "rocker"] }
D = { revolute = ["ground", "rocker"] }
[drives]
motor = { joint = "O", angle = "pi/2 + t" }
)toml");
  const double t_dead = std::acos((0.25 + 1.44 - 2.25) / 1.2) - std::numbers::pi / 2;
  const Result result = run(m, 5.0);
  EXPECT_EQ(result.status, RunStatus::failed);
  EXPECT_NEAR(result.time.back(), t_dead, 0.06);  // what was reached is there
  EXPECT_THAT(result.message, StartsWith("t = 0.4855"));
  EXPECT_NEAR(t_dead, 0.4855, 5e-5);
  EXPECT_THAT(result.message, HasSubstr("dead point"));
  EXPECT_THAT(result.message, HasSubstr("drive \"motor\" cannot be satisfied together with joint"));
  EXPECT_THAT(result.message, AllOf(HasSubstr("joint \"A\""), HasSubstr("joint \"B\""), HasSubstr("joint \"D\"")));

  // Methods that take the constraints themselves, with fixed steps that do not end there.
  for (const char* integrator : {"generalized_alpha", "bdf2"}) {
    RunOptions options;
    options.until = 5.0;
    options.output_step = 0.05;
    options.integrator = integrator;
    options.system.stabilisation = "index3";
    options.steps.step = 0.01;
    const Result direct = runModel(m, options);
    EXPECT_EQ(direct.status, RunStatus::failed);
    EXPECT_THAT(direct.message, StartsWith("t = 0.4855")) << integrator;
    EXPECT_THAT(direct.message, HasSubstr("at a dead point or at the end of its reach")) << integrator;
    EXPECT_THAT(direct.message, HasSubstr("let the drive turn back before it, or drive another joint")) << integrator;
  }
}

TEST(BadCases, ALoadThatIsNotANumberIsNamedWithItsTime) {
  const Result result = run(crankWith("[loads]\npush = { couple = \"sqrt(1 - t)\", on = \"crank\" }\n"), 3.0);
  EXPECT_EQ(result.status, RunStatus::failed);
  EXPECT_THAT(result.message, HasSubstr("load \"push\": couple is not a number at t = 1 s"));
  EXPECT_NEAR(result.time.back(), 1.0, 0.03);
}

TEST(BadCases, ADriveThatIsNotANumberIsNamedWithItsTime) {
  const Result result = run(crankWith("[drives]\nturn = { joint = \"O\", angle = \"pi/2 + 0.1*(1 - t)^1.5\" }\n"), 3.0);
  EXPECT_EQ(result.status, RunStatus::failed);
  EXPECT_THAT(result.message, HasSubstr("drive \"turn\" has no finite position, rate and acceleration at t = 1 s"));
}

TEST(BadCases, AnEventThatIsNotANumberIsNamedWithItsTime) {
  const Result result = run(crankWith("[events]\nmark = { when = \"log(1 - t) + 5\" }\n[initial]\nO.rate = 3\n"), 3.0);
  EXPECT_EQ(result.status, RunStatus::failed);
  EXPECT_THAT(result.message, HasSubstr("event \"mark\" is not a number at t = 1 s"));
}

// An output does not act on the motion: the run completes, and the gap is in the ledger with its first sample.
TEST(BadCases, AnOutputThatIsNotANumberIsNamedWithItsTime) {
  const Result result = run(crankWith("[outputs]\nlate = \"log(1 - t)\"\ngood = \"O.angle\"\n"), 2.0);
  EXPECT_EQ(result.status, RunStatus::complete) << result.message;
  ASSERT_EQ(result.ledger.output_gaps.size(), 1U);
  EXPECT_EQ(result.ledger.output_gaps[0].name, "late");
  EXPECT_NEAR(result.ledger.output_gaps[0].time, 1.0, 1e-12);
  const auto table = ledgerTable(result.ledger);
  EXPECT_EQ(table.back().first, "output without a value");
  EXPECT_EQ(table.back().second, "\"late\" is not a number at t = 1 s; check its expression there");
}

// w' = w^2 in effect: infinite at t = 1/w(0) by formula, and no step is small enough before it.
TEST(BadCases, AMotionThatRunsAwayUnderflowsItsStep) {
  const Result result = run(crankWith("[loads]\npush = { couple = \"0.1*O.rate^2 + 2.943*cos(O.angle)*2\", on = "
                                      "\"crank\" }\n[initial]\nO.rate = 10\n"),
                            3.0);
  EXPECT_EQ(result.status, RunStatus::failed);
  EXPECT_THAT(result.message, AllOf(StartsWith("t = 0."), HasSubstr("the step fell below")));
}

}  // namespace bad_cases_test
}  // namespace linkwork::validation
