// The shipped mechanisms that roll, skate or spin, each under the formulations that hold velocities, as `linkwork
// compare FILE --rtol 1e-12 --atol 1e-12 --within 1e-9` compares them; and what their joints record.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "linkwork/read/model_file_for_tests.hpp"
#include "linkwork/simulate/kinematics.hpp"
#include "linkwork/study/compare.hpp"
#include "linkwork/study/compare_words.hpp"
#include "run_model.hpp"
#include "shipped_models.hpp"

namespace linkwork::validation {
namespace rolling_models_test {

using ::testing::Contains;

void expectAgree(const Mechanism& mechanism, double until, double output_step) {
  const Assembly assembly = assemble(mechanism);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  CompareRequest request;
  request.run = runOptions(mechanism);
  request.run.until = until;
  request.run.output_step = output_step;
  request.run.steps.rtol = request.run.steps.atol = 1e-12;
  request.formulations = {"absolute", "recursive", "hamiltonian", "quasivelocity"};
  request.within = 1e-9;
  const Comparison comparison = compare(mechanism, assembly, request);
  ASSERT_TRUE(comparison.worst());
  EXPECT_LT(*comparison.worst(), request.within) << verdictOf(comparison);
  for (const ComparedRun& run : comparison.runs) {
    EXPECT_TRUE(run.wentThrough()) << run.label << ": " << run.problem << run.result.message;
    EXPECT_NEAR(run.reached(), until, 1e-12) << run.label;
  }
}

class RollingModels : public ::testing::TestWithParam<std::string> {};

// Over the whole horizon with LINKWORK_FULL set, otherwise over a fifth.
TEST_P(RollingModels, AgreeUnderEveryFormulation) {
  const Mechanism& mechanism = readShippedModel(GetParam());
  const double until = mechanism.check_horizon * (everyModel() ? 1.0 : 0.2);
  expectAgree(mechanism, until, until / 50.0);
}

INSTANTIATE_TEST_SUITE_P(Models, RollingModels,
                         ::testing::Values("chaplygin_sleigh", "rolling_disc", "ball_on_turntable", "snakeboard",
                                           "robot_with_caster", "mecanum_platform", "wheel_in_ring",
                                           "rolling_ellipsoid", "sleeping_top", "bicycle"),
                         [](const auto& instance) { return instance.param; });

// Both wheels of the robot driven: no freedom of velocities is left, and of positions there are five: the path is
// integrated.
TEST(DrivenRobot, FollowsItsWheelsUnderEveryFormulation) {
  std::ifstream file(std::string(LINKWORK_MODELS_DIR) + "/robot_with_caster.toml");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t loads = text.find("[loads]");
  ASSERT_NE(loads, std::string::npos);
  text.replace(loads, text.find("[traces]") - loads, R"toml([drives]
left_motor  = { joint = "L", angle = "5*t + 2*sin(2*t)" }
right_motor = { joint = "R", angle = "5*t - 2*sin(1.3*t)" }

)toml");
  const Mechanism robot = test::read(text);
  const double half = 0.15;
  const double r = 0.08;
  const Assembly assembly = assemble(robot);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  const auto system = makeSystem(robot, startingFrom(assembly));
  const auto work = system->makeWorkspace();
  const RankReport rank =
      system->rankReport(0.0, system->fromAbsolute(0.0, assembly.state()), system->startModes(), *work);
  EXPECT_EQ(rank.freedoms, 0);
  EXPECT_EQ(rank.position_freedoms, 5);
  expectAgree(robot, everyModel() ? 2.0 : 0.5, 0.05);
  // No pose follows from its drives alone.
  EXPECT_THAT(kinematicsProblem(robot, assembly), ::testing::HasSubstr("\"LG\" holds velocities alone"));
  // Its heading is what the wheels have rolled apart over the track, whatever the caster does.
  RunOptions options = runOptions(robot);
  options.system.formulation = "quasivelocity";
  options.integrator = "dop853";
  options.until = 2.0;
  options.output_step = 0.5;
  options.steps.rtol = options.steps.atol = 1e-12;
  const Result run = runModel(robot, options);
  for (const double time : {0.5, 1.0, 2.0}) {
    const double apart = r * (2.0 * std::sin(2.0 * time) + 2.0 * std::sin(1.3 * time));
    const double w = valueAt(run, "chassis.orientation.w", time);
    const double z = valueAt(run, "chassis.orientation.z", time);
    EXPECT_NEAR(2.0 * std::atan2(z, w), -apart / (2.0 * half), 1e-9);
  }
}

// --- which reactions are unique --------------------------------------------------------------------------------------

RunOptions shortRun(const std::string& formulation) {
  RunOptions options;
  options.system.formulation = formulation;
  options.integrator = "dop853";
  options.until = 0.2;
  options.output_step = 0.1;
  options.steps.rtol = options.steps.atol = 1e-11;
  return options;
}
const std::vector<std::string> kFormulations{"absolute", "recursive", "hamiltonian", "quasivelocity"};

const Series& seriesOf(const Result& run, const std::string& name) {
  const Series* found = run.find(name);
  expect(found != nullptr, "no series " + name);
  return *found;
}

// A cart on four wheels down a slope of 1 in 10: it goes straight, since four axles that cannot steer leave nothing
// else. Of the four loads three balances fix three; along the axles the wheels share; along the slope each wheel's own
// turning tells its force.
TEST(FourWheels, ShareTheirLoadsAndTheirSideForces) {
  std::string text = R"toml(linkwork = 1
space = "spatial"
gravity = [0.981, 0, -9.81]
[bodies]
cart = { box = { at = [0.05, 0.02, 0.2], size = [1, 0.5, 0.1] }, mass = 20 }
)toml";
  std::string joints;
  for (const auto& [name, x, y] :
       {std::tuple{"FL", 0.4, 0.3}, {"FR", 0.4, -0.3}, {"BL", -0.4, 0.3}, {"BR", -0.4, -0.3}}) {
    text += fmt::format("w{} = {{ disc = {{ at = [{}, {}, 0.1], radius = 0.1, axis = [0, 1, 0] }}, mass = 1 }}\n", name,
                        x, y);
    joints += fmt::format("a{0} = {{ revolute = [\"cart\", \"w{0}\"], at = [{1}, {2}, 0.1], axis = [0, 1, 0] }}\n",
                          name, x, y);
    joints += fmt::format("{0} = {{ rolling = [\"ground\", \"w{0}\"], at = [{1}, {2}, 0], normal = [0, 0, 1] }}\n",
                          name, x, y);
  }
  const Mechanism m = test::read(text + "[joints]\n" + joints);
  for (const std::string& formulation : kFormulations) {
    SCOPED_TRACE(formulation);
    const Result run = runModel(m, shortRun(formulation));
    ASSERT_EQ(run.status, RunStatus::complete) << run.message;
    EXPECT_EQ(run.ledger.degrees_of_freedom, 1);
    // A homogeneous disc adds half of its mass to what moves.
    const double a = 24.0 * 0.981 / (24.0 + 4.0 * 0.5);
    EXPECT_NEAR(seriesOf(run, "cart.x_rate").values.back(), 0.2 * a, 1e-10);
    double load = 0.0;
    for (const std::string wheel : {"FL", "FR", "BL", "BR"}) {
      load += seriesOf(run, wheel + ".load").values.back();
      EXPECT_FALSE(seriesOf(run, wheel + ".load").unique);
      EXPECT_FALSE(seriesOf(run, wheel + ".force.y").unique);
      EXPECT_FALSE(seriesOf(run, wheel + ".force.z").unique);
      EXPECT_FALSE(seriesOf(run, wheel + ".grip").unique);
      EXPECT_TRUE(seriesOf(run, wheel + ".force.x").unique);
      EXPECT_NEAR(seriesOf(run, wheel + ".force.x").values.back(), -0.5 * a, 1e-9);
      EXPECT_THAT(run.ledger.joints_not_unique, Contains(wheel));
    }
    EXPECT_NEAR(load, 24.0 * 9.81, 1e-8);
    // One load too many; of the slip along the axles two rows fix side and heading, and two repeat them.
    EXPECT_EQ(run.ledger.dependent_rows.size(), 3U);
    for (const std::string& row : run.ledger.dependent_rows)
      EXPECT_THAT(row, ::testing::MatchesRegex("[FB][LR]\\.(normal|slip_z|slip_x)"));
  }
}

// Two wheels on one axle: both hold the axle along itself, and only together. Three loads of three wheels are fixed.
TEST(CoaxialWheels, ShareTheSideForceAlone) {
  for (const std::string& formulation : kFormulations) {
    SCOPED_TRACE(formulation);
    RunOptions options = shortRun(formulation);
    options.output_step = 0.2;
    const Result run = runModel(readShippedModel("robot_with_caster"), options);
    for (const std::string wheel : {"LG", "RG", "CG"}) {
      EXPECT_TRUE(seriesOf(run, wheel + ".load").unique) << wheel;
      EXPECT_TRUE(seriesOf(run, wheel + ".force.z").unique) << wheel;
    }
    for (const std::string wheel : {"LG", "RG"}) {
      EXPECT_FALSE(seriesOf(run, wheel + ".force.y").unique) << wheel;
      EXPECT_FALSE(seriesOf(run, wheel + ".grip").unique) << wheel;
    }
    EXPECT_TRUE(seriesOf(run, "CG.force.y").unique);
    EXPECT_TRUE(seriesOf(run, "CG.grip").unique);
  }
}

// A roller that two rings hold on a drum: they share the force along its axis, and each has its own load. It would lift
// off where a wheel in the plane does, 4/7 of the cosine of where it was let go, and both rings say so.
TEST(RollerOnADrum, IsSaidToLiftOffThoughItsSideForceIsShared) {
  const double start = 0.2;
  const Mechanism m = test::read(fmt::format(R"toml(linkwork = 1
space = "spatial"
gravity = [0, 0, -9.81]
[bodies]
roller = {{ position = [{0}, 0, {1}], mass = 2, inertia = [0.1, 0.0625, 0.1] }}
[joints]
A = {{ rolling = ["ground", "roller"], first = {{ centre = [0, 0, 0], radius = 1, axis = [0, 1, 0] }}, radius = 0.25, axis = [0, 1, 0], centre = [{0}, 0.3, {1}] }}
B = {{ rolling = ["ground", "roller"], first = {{ centre = [0, 0, 0], radius = 1, axis = [0, 1, 0] }}, radius = 0.25, axis = [0, 1, 0], centre = [{0}, -0.2, {1}] }}
)toml",
                                             1.25 * std::sin(start), 1.25 * std::cos(start)));
  for (const std::string& formulation : kFormulations) {
    SCOPED_TRACE(formulation);
    RunOptions options = shortRun(formulation);
    options.until = 2.0;
    options.output_step = 0.001;
    const Result run = runModel(m, options);
    EXPECT_TRUE(seriesOf(run, "A.load").unique);
    EXPECT_FALSE(seriesOf(run, "A.force.y").unique);
    ASSERT_EQ(run.ledger.lift_offs.size(), 2U);
    // Nearer to its middle, B carries 3/5 of the load.
    EXPECT_NEAR(seriesOf(run, "B.load").values.front() * 0.4, seriesOf(run, "A.load").values.front() * 0.6, 1e-9);
    for (const LiftOff& lift : run.ledger.lift_offs) {
      const auto k = static_cast<std::size_t>(lift.time / 0.001);
      const double share = lift.time / 0.001 - static_cast<double>(k);
      const auto& z = seriesOf(run, "roller.z").values;
      // Between samples by straight lines: 1e-6 / 8 times the acceleration.
      EXPECT_NEAR((1.0 - share) * z[k] + share * z[k + 1], 1.25 * 4.0 / 7.0 * std::cos(start), 1e-5) << lift.joint;
    }
  }
}

// Without gravity a ball that rolls straight on needs no force at all: what the grip would be is not defined.
TEST(BallWithoutWeight, HasNoGrip) {
  const Mechanism m = test::read(R"toml(linkwork = 1
space = "spatial"
gravity = [0, 0, 0]
[bodies]
ball = { sphere = { at = [0, 0, 0.2], radius = 0.2 }, mass = 1 }
[joints]
T = { rolling = ["ground", "ball"], at = [0, 0, 0], normal = [0, 0, 1] }
[initial]
ball.wy = 2
)toml");
  for (const std::string& formulation : kFormulations) {
    SCOPED_TRACE(formulation);
    const Result run = runModel(m, shortRun(formulation));
    EXPECT_NEAR(seriesOf(run, "ball.x").values.back(), 0.2 * 0.2 * 2.0, 1e-12);
    for (std::size_t k = 0; k < run.time.size(); ++k) {
      EXPECT_NEAR(seriesOf(run, "T.load").values[k], 0.0, 1e-14);
      EXPECT_TRUE(std::isnan(seriesOf(run, "T.grip").values[k]));
      EXPECT_NEAR(seriesOf(run, "T.contact.x").values[k], seriesOf(run, "ball.x").values[k], 1e-15);
      EXPECT_NEAR(seriesOf(run, "T.contact.z").values[k], 0.0, 1e-15);
    }
  }
}

// The slider of a trammel that turns round: what is independent at one place is not at another. The choice is made
// anew, the ledger counts and shows it, and the motion is that of absolute coordinates.
TEST(ChoiceOfVelocities, IsMadeAnewOnTheWayAndCounted) {
  const Mechanism& m = readShippedModel("elliptic_trammel");
  RunOptions options = runOptions(m);
  options.system.formulation = "quasivelocity";
  options.integrator = "dop853";
  options.steps.rtol = options.steps.atol = 1e-12;
  options.until = m.check_horizon;
  options.output_step = m.check_horizon / 10.0;
  const Result run = runModel(m, options);
  ASSERT_EQ(run.status, RunStatus::complete) << run.message;
  EXPECT_GT(run.ledger.repartitions, 0);
  EXPECT_LT(run.ledger.repartitions, run.ledger.steps / 2);
  const auto table = ledgerTable(run.ledger);
  EXPECT_THAT(table, Contains(std::pair<std::string, std::string>("changes of the independent coordinates",
                                                                  fmt::format("{}", run.ledger.repartitions))));
  options.system.formulation = "absolute";
  const Result other = runModel(m, options);
  EXPECT_LT(differenceOfUnique(
                other, run, [](const std::string& name) { return !name.starts_with("violation."); }, 1.0),
            1e-8);
}

// A ball in an upright tube goes up and down by turns: with the angle psi around the tube, m times the inertia number
// k = 2/5, z'' = -k/(1 + k) psi'^2 z about its mean height, and psi' stays what it is.
TEST(BallInATube, ComesUpAgain) {
  const double k = 0.4;
  const double spin = 3.0;  // rad/s, psi'
  for (const std::string& formulation : kFormulations) {
    SCOPED_TRACE(formulation);
    const Mechanism m = test::read(R"toml(linkwork = 1
space = "spatial"
gravity = [0, 0, -9.81]
[bodies]
ball = { sphere = { at = [0.8, 0, 0], radius = 0.2 }, mass = 1 }
[joints]
T = { rolling = ["ground", "ball"], first = { centre = [0, 0, 0], radius = 1, axis = [0, 0, 1] }, inside = true }
[initial]
ball.y_rate = 2.4
ball.z_rate = 0
ball.wx = 0
)toml");
    RunOptions options = shortRun(formulation);
    options.until = 3.0;
    options.output_step = 0.1;
    const Result run = runModel(m, options);
    ASSERT_EQ(run.status, RunStatus::complete) << run.message;
    const double w = spin * std::sqrt(k / (1.0 + k));
    const double depth = 9.81 / (1.0 + k) / (w * w);
    for (std::size_t s = 0; s < run.time.size(); ++s) {
      const double t = run.time[s];
      // Some 5,000 steps of 1e-11 each may add up to so much.
      EXPECT_NEAR(seriesOf(run, "ball.z").values[s], -depth * (1.0 - std::cos(w * t)), 5e-8);
      EXPECT_NEAR(seriesOf(run, "ball.x").values[s], 0.8 * std::cos(spin * t), 5e-8);
      EXPECT_NEAR(seriesOf(run, "T.load").values[s], 0.8 * spin * spin, 5e-7);
    }
  }
}

// --- named angles that mean nothing ----------------------------------------------------------------------------------

std::string freeBody(const std::string& rotation, const std::string& angles, const std::string& initial,
                     const std::string& more = {}) {
  return fmt::format(R"toml(linkwork = 1
space = "spatial"
gravity = [0, 0, 0]
[bodies]
a = {{ mass = 2, inertia = [0.2, 0.2, 0.4], rotation = {{ {} }} }}
[joints]
pose = {{ floating = ["ground", "a"], angles = "{}" }}
[initial]
{}
{})toml",
                     rotation, angles, initial, more);
}

// Drawn where two of the axes are one: given angles are reached from a little beside.
TEST(LostAngles, AreReachedFromADrawingInWhichTheyMeanNothing) {
  const Mechanism m =
      test::read(freeBody("zxz = [0, 0, 0]", "zxz",
                          "pose.angle_z1 = 0.3\npose.angle_x = 0.5\npose.angle_z2 = -0.2\npose.angle_x_rate = 1"));
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  const Result run = runModel(m, shortRun("absolute"));
  EXPECT_NEAR(seriesOf(run, "pose.angle_z1").values.front(), 0.3, 1e-10);
  EXPECT_NEAR(seriesOf(run, "pose.angle_x").values.front(), 0.5, 1e-10);
  EXPECT_NEAR(seriesOf(run, "pose.angle_z2").values.front(), -0.2, 1e-10);
  EXPECT_NEAR(seriesOf(run, "pose.angle_x_rate").values.front(), 1.0, 1e-10);
  EXPECT_NEAR(seriesOf(run, "pose.angle_z1_rate").values.front(), 0.0, 1e-10);
}

TEST(LostAngles, AreRefusedByNameWithASequenceThatFits) {
  const struct {
    std::string text, problem, hint;
  } cases[] = {
      {freeBody("zxz = [0.4, 0, 0.3]", "zxz", "pose.angle_x_rate = 1"),
       "the initial value pose.angle_x_rate = 1 rad/s cannot be had: joint \"pose\": where pose.angle_x is 0, "
       "pose.angle_z1 and pose.angle_z2 turn about one axis and mean nothing (angles = \"zxz\")",
       "With angles = \"zxy\" the axes are 90 deg apart in this pose. Or draw the body turned, or give its second "
       "angle in [initial]."},
      {freeBody("zyx = [0, \"90 deg\", 0]", "zyx", "pose.angle_z_rate = 1"),
       "the initial value pose.angle_z_rate = 1 rad/s cannot be had: joint \"pose\": where pose.angle_y is 90 deg or "
       "-90 deg, pose.angle_z and pose.angle_x turn about one axis and mean nothing (angles = \"zyx\")",
       "With angles = \"zxy\" the axes are 90 deg apart in this pose. Or draw the body turned, or give its second "
       "angle in [initial]."},
      {freeBody("zxz = [0.4, 0.2, 0.3]", "zxz", "pose.angle_x = 0"),
       "the initial value pose.angle_x = 0 rad cannot be had: there the first and the third axis of joint \"pose\" "
       "(angles = \"zxz\") are one",
       "Give angles another sequence, such as \"zxy\", and name its angles in its place."},
  };
  for (const auto& [text, problem, hint] : cases) {
    const Assembly assembly = assemble(test::read(text));
    EXPECT_FALSE(assembly.ok);
    EXPECT_EQ(assembly.problem, problem);
    EXPECT_EQ(assembly.hint, hint);
  }
}

// Nothing asks for them: a warning, and no numbers where there are none.
TEST(LostAngles, AreNoNumbersWhereTheyMeanNothing) {
  const Mechanism m = test::read(freeBody("zxz = [0.4, 0, 0.3]", "zxz", "a.wx = 1\na.wz = 2"));
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  ASSERT_EQ(assembly.warnings.size(), 1U);
  EXPECT_EQ(assembly.warnings[0].text,
            "joint \"pose\": where pose.angle_x is 0, pose.angle_z1 and pose.angle_z2 turn about one axis and mean "
            "nothing (angles = \"zxz\"): so it is at the start");
  const Result run = runModel(m, shortRun("recursive"));
  ASSERT_EQ(run.status, RunStatus::complete) << run.message;
  for (const char* name : {"pose.angle_z1", "pose.angle_z2", "pose.angle_z1_rate", "pose.angle_x_rate"}) {
    EXPECT_TRUE(std::isnan(seriesOf(run, name).values.front())) << name;
    EXPECT_TRUE(std::isfinite(seriesOf(run, name).values.back())) << name;
  }
  EXPECT_NEAR(seriesOf(run, "pose.angle_x").values.front(), 0.0, 1e-9);
}

// A load that needs such a rate at the start has no value, and the start says why.
TEST(LostAngles, AreNamedWhereALoadNeedsThem) {
  const Mechanism m =
      test::read(freeBody("zxz = [0.4, 0, 0.3]", "zxz", "a.wx = 1",
                          "[loads]\nspring = { couple = [0, 0, \"-0.01*pose.angle_z1_rate\"], on = \"a\" }\n"));
  const Assembly assembly = assemble(m);
  EXPECT_FALSE(assembly.ok);
  EXPECT_THAT(assembly.problem, ::testing::HasSubstr("no accelerations at the start"));
  EXPECT_THAT(assembly.problem, ::testing::HasSubstr("joint \"pose\": where pose.angle_x is 0"));
  EXPECT_EQ(assembly.hint, "With angles = \"zxy\" the axes are 90 deg apart in this pose.");
}

}  // namespace rolling_models_test
}  // namespace linkwork::validation
