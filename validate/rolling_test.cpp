// Bodies that roll and blades that skate, run as the program runs them: closed forms, published values, balances.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "linkwork/model/lift.hpp"
#include "linkwork/read/model_file_for_tests.hpp"
#include "run_model.hpp"

namespace linkwork::validation {
namespace rolling_test {

using ::testing::HasSubstr;

const std::vector<std::string> kFormulations{"absolute", "recursive", "hamiltonian", "quasivelocity"};

Mechanism read(const std::string& text) { return test::read("linkwork = 1\n" + text); }

RunOptions tight(const std::string& formulation, double until, double output_step) {
  RunOptions options;
  options.system.formulation = formulation;
  options.integrator = "dop853";
  options.until = until;
  options.output_step = output_step;
  options.steps.rtol = 1e-12;
  options.steps.atol = 1e-12;
  return options;
}

const std::vector<double>& series(const Result& result, const std::string& name) {
  const Series* found = result.find(name);
  expect(found != nullptr, "no series " + name);
  return found->values;
}
double valueAt(const Result& result, const std::string& name, double t) {
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    if (std::abs(result.time[k] - t) < 1e-9) return series(result, name)[k];
  }
  ADD_FAILURE() << "no sample at " << t;
  return 0.0;
}

// Recomputed to 14 digits from v' = a w^2, (J + m a^2) w' = -m a v w and their closed form.
TEST(ChaplyginSleigh, GoesWhereTheClosedFormSays) {
  const std::array<std::array<double, 5>, 4> wanted{
      {{0.5, 0.44925544173036, 0.22577380864587, 0.81517121113195, 1.2679714876683},
       {1.0, 0.74754407538249, 0.79158992298074, 1.3009975684425, 0.71714582107433},
       {2.0, 0.77457568091055, 2.1723910940909, 1.7157494815074, 0.21022352982146},
       {5.0, -0.35411908593879, 6.2558345474342, 1.8804363223262, 0.0049855683220403}}};
  for (const std::string& formulation : kFormulations) {
    SCOPED_TRACE(formulation);
    const Result run = runModel(readShippedModel("chaplygin_sleigh"), tight(formulation, 5.0, 0.5));
    for (const auto& [t, x, y, angle, rate] : wanted) {
      EXPECT_NEAR(valueAt(run, "sledge.x", t), x, 1e-10);
      EXPECT_NEAR(valueAt(run, "sledge.y", t), y, 1e-10);
      EXPECT_NEAR(valueAt(run, "sledge.angle", t), angle, 1e-10);
      EXPECT_NEAR(valueAt(run, "sledge.angle_rate", t), rate, 1e-10);
    }
  }
}

// The centre of a homogeneous ball goes round a circle at 2/7 of the table's rate: r'' = (2/7) 3 z x r'.
TEST(BallOnATurntable, GoesRoundACircle) {
  for (const std::string& formulation : kFormulations) {
    SCOPED_TRACE(formulation);
    const Result run = runModel(readShippedModel("ball_on_turntable"), tight(formulation, 6.0, 0.1));
    EXPECT_NEAR(valueAt(run, "ball.x_rate", 0.0), -0.2, 1e-14);
    EXPECT_NEAR(valueAt(run, "ball.y_rate", 0.0), 1.4, 1e-14);
    EXPECT_NEAR(valueAt(run, "ball.x_acceleration", 0.0), -1.2, 1e-11);
    EXPECT_NEAR(valueAt(run, "ball.y_acceleration", 0.0), -0.12 / 0.7, 1e-11);
    EXPECT_NEAR(valueAt(run, "ball.x", 0.4), 0.32649489, 1e-8);
    EXPECT_NEAR(valueAt(run, "ball.y", 0.4), 0.53551241, 1e-8);
    const double w = 6.0 / 7.0;
    const double cx = 0.5 - 1.4 / w;  // r' = w z x (r - c)
    const double cy = -0.2 / w;
    for (std::size_t k = 0; k < run.time.size(); ++k) {
      const double c = std::cos(w * run.time[k]);
      const double s = std::sin(w * run.time[k]);
      EXPECT_NEAR(series(run, "ball.x")[k], cx + (0.5 - cx) * c + cy * s, 1e-9);
      EXPECT_NEAR(series(run, "ball.y")[k], cy + (0.5 - cx) * s - cy * c, 1e-9);
    }
  }
}

// Its front wheel's load from the moments about the rear contact.
TEST(Bicycle, CarriesItsWeightAndKeepsItsEnergy) {
  const Mechanism& pushed = readShippedModel("bicycle");
  Mechanism upright = pushed;
  std::erase_if(upright.initial, [&](const InitialValue& value) {
    return quantityName(upright, value.quantity) == "pose.angle_x_rate";
  });
  upright.initial.push_back({*findQuantity(upright, "pose.angle_x_rate"), Value(0.0), {}});
  for (const std::string& formulation : kFormulations) {
    SCOPED_TRACE(formulation);
    const Result still = runModel(upright, tight(formulation, 0.1, 0.1));
    EXPECT_NEAR(series(still, "F.load").front(), 309.3035294118, 1e-9);
    EXPECT_NEAR(series(still, "R.load").front() + series(still, "F.load").front(), 94.0 * 9.81, 1e-9);
    const Result run = runModel(pushed, tight(formulation, 5.0, 0.1));
    // Of some 1300 J that the push and the speed bring.
    for (const double balance : series(run, "energy.balance")) EXPECT_NEAR(balance, 0.0, 1e-10 * 1300.0);
  }
}

// A pendulum of length 3/2 (R - r): its speed from the energy, the load from the curvature of its way, and the force
// along the ring a third of what the weight has there.
TEST(WheelInARing, SwingsLikeAPendulum) {
  const double g = 9.81;
  const double L = 0.75;
  const double m = 3.0;
  const double start = std::numbers::pi / 3.0;
  for (const std::string& formulation : kFormulations) {
    for (const Space space : {Space::planar, Space::spatial}) {
      SCOPED_TRACE(formulation + (space == Space::planar ? "" : " in space"));
      Mechanism mechanism = readShippedModel("wheel_in_ring");
      if (space == Space::spatial) mechanism = liftToSpace(mechanism);
      const Result run = runModel(mechanism, tight(formulation, 10.0, 0.1));
      for (std::size_t k = 0; k < run.time.size(); ++k) {
        const double x = series(run, "wheel.x")[k];
        const double y = series(run, "wheel.y")[k];
        EXPECT_NEAR(std::hypot(x, y), L, 1e-10);
        const double swing = std::atan2(x, -y);
        const double v = std::hypot(series(run, "wheel.x_rate")[k], series(run, "wheel.y_rate")[k]);
        EXPECT_NEAR(v * v, 4.0 / 3.0 * g * L * (std::cos(swing) - std::cos(start)), 1e-9);
        const double load = series(run, "T.load")[k];
        EXPECT_NEAR(load, m * (g * std::cos(swing) + v * v / L), 1e-8);
        EXPECT_NEAR(series(run, "T.grip")[k] * load, m * g * std::abs(std::sin(swing)) / 3.0, 1e-8);
        EXPECT_NEAR(series(run, "T.contact.x")[k], x / L, 1e-10);
        // Nothing slips: the wheel has turned by what its centre has gone.
        if (space == Space::planar) {
          EXPECT_NEAR(series(run, "wheel.angle")[k], -L / 0.25 * (swing - start), 1e-10);
        }
      }
    }
  }
}

// A homogeneous disc on a belt that speeds up at 0.5 m/s^2 follows with a third of that.
TEST(Belt, TakesAWheelAlong) {
  for (const char* space : {"planar", "spatial"}) {
    const bool flat = std::string(space) == "planar";
    const Mechanism m = read(fmt::format(
        R"toml(space = "{}"
gravity = [{}0, -9.81]
[bodies]
wheel = {{ disc = {{ at = [0, {}0.2], radius = 0.2{} }}, mass = 2 }}
[joints]
belt = {{ rolling = ["ground", "wheel"], at = [0, {}0], normal = [0, {}1], surface_velocity = ["0.5*t", {}0] }}
)toml",
        space, flat ? "" : "0, ", flat ? "" : "0, ", flat ? "" : ", axis = [0, 1, 0]", flat ? "" : "0, ",
        flat ? "" : "0, ", flat ? "" : "0, "));
    for (const std::string& formulation : kFormulations) {
      SCOPED_TRACE(std::string(space) + " " + formulation);
      const Result run = runModel(m, tight(formulation, 2.0, 1.0));
      EXPECT_NEAR(series(run, "wheel.x_rate").back(), 1.0 / 3.0, 1e-11);
      EXPECT_NEAR(series(run, "belt.force.x").back(), 2.0 * 0.5 / 3.0, 1e-11);
      EXPECT_NEAR(series(run, "belt.grip").back(), 0.5 / 3.0 / 9.81, 1e-11);
      // The belt does work; the balance knows it.
      EXPECT_NEAR(series(run, "energy.balance").back(), 0.0, 1e-12);
      EXPECT_GT(series(run, "energy.kinetic").back(), 0.1);
    }
  }
}

// The same sledge held by its edge, or by a formula that says what the edge does.
TEST(VelocityFormula, HoldsWhatAKnifeEdgeHolds) {
  const std::string sledge = R"toml(space = "planar"
gravity = [0.3, -0.2]
[bodies]
a = { mass = 2, com = [0.3, 0], inertia = 0.5 }
[joints]
)toml";
  const std::string start = R"toml(
[initial]
a.angle_rate = 2
a.x_rate = 0.8
)toml";
  const Mechanism edge =
      read(sledge + R"toml(law = { knife_edge = ["ground", "a"], at = [0, 0], axis = [1, 0] })toml" + start);
  const Mechanism formula =
      read(sledge + R"toml(law = { velocity = "a.y_rate*cos(a.angle) - a.x_rate*sin(a.angle)" })toml" + start);
  const Mechanism slipping =
      read(sledge + R"toml(law = { velocity = "a.y_rate*cos(a.angle) - a.x_rate*sin(a.angle) - 0.1*t" })toml" + start);
  for (const std::string& formulation : kFormulations) {
    SCOPED_TRACE(formulation);
    const Result a = runModel(edge, tight(formulation, 3.0, 0.5));
    const Result b = runModel(formula, tight(formulation, 3.0, 0.5));
    const Result c = runModel(slipping, tight(formulation, 3.0, 0.5));
    for (std::size_t k = 0; k < a.time.size(); ++k) {
      for (const char* name : {"a.x", "a.y", "a.angle", "a.x_rate"})
        EXPECT_NEAR(series(a, name)[k], series(b, name)[k], 1e-9) << name;
      const double angle = series(a, "a.angle")[k];
      const double across =
          series(a, "law.force.y")[k] * std::cos(angle) - series(a, "law.force.x")[k] * std::sin(angle);
      EXPECT_NEAR(series(b, "law.effort")[k], across, 1e-8);
      const double turned = series(c, "a.angle")[k];
      EXPECT_NEAR(series(c, "a.y_rate")[k] * std::cos(turned) - series(c, "a.x_rate")[k] * std::sin(turned),
                  0.1 * c.time[k], 1e-11);
      EXPECT_NEAR(series(c, "energy.balance")[k], 0.0, 1e-9);
    }
  }
}

// What relates bodies by their rates in space: w about ground axes, with coefficients that depend on the place.
TEST(VelocityFormula, HoldsInSpace) {
  const Mechanism m = read(R"toml(space = "spatial"
gravity = [0, 0, -1]
[parameters]
L = "1 m"
w = "0.05 rad/s^2"
[bodies]
a = { mass = 2, com = [0.1, 0, 0.05], inertia = [0.2, 0.3, 0.4] }
b = { position = [1, 0, 0], mass = 1, inertia = [0.1, 0.2, 0.25] }
[joints]
law = { velocity = "a.wz - 2*b.wx*cos(b.x/L) + 0.3*a.y_rate/L - w*t" }
[initial]
a.wx = 0.7
a.wy = -0.4
b.wx = 0.3
b.wy = 0.9
b.x_rate = 0.5
)toml");
  for (const std::string& formulation : kFormulations) {
    SCOPED_TRACE(formulation);
    const Result run = runModel(m, tight(formulation, 2.0, 0.5));
    for (std::size_t k = 0; k < run.time.size(); ++k) {
      const double sum = series(run, "a.angular_velocity.z")[k] -
                         2.0 * series(run, "b.angular_velocity.x")[k] * std::cos(series(run, "b.x")[k]) +
                         0.3 * series(run, "a.y_rate")[k] - 0.05 * run.time[k];
      EXPECT_NEAR(sum, 0.0, 1e-11);
      EXPECT_NEAR(series(run, "energy.balance")[k], 0.0, 1e-10);
    }
  }
}

// Two wheels that roll on each other are a pair of gears.
TEST(FrictionWheels, AreGears) {
  const std::string wheels = R"toml(space = "planar"
gravity = [0, 0]
[points]
A = [0, 0]
B = [0.5, 0]
[bodies]
a = { disc = { at = "A", radius = 0.2 }, mass = 2 }
b = { disc = { at = "B", radius = 0.3 }, mass = 3 }
[joints]
A = { revolute = ["ground", "a"] }
B = { revolute = ["ground", "b"] }
)toml";
  const std::string load = R"toml(
[loads]
m = { couple = "sin(3*t)", on = "a" }
)toml";
  const Mechanism rolling = read(wheels + "pair = { rolling = [\"a\", \"b\"] }\n" + load);
  const Mechanism gears = read(wheels + "pair = { gear = [\"A\", \"B\"], radii = [0.2, 0.3] }\n" + load);
  for (const std::string& formulation : kFormulations) {
    SCOPED_TRACE(formulation);
    const Result a = runModel(rolling, tight(formulation, 3.0, 0.25));
    const Result b = runModel(gears, tight(formulation, 3.0, 0.25));
    for (std::size_t k = 0; k < a.time.size(); ++k) {
      EXPECT_NEAR(series(a, "a.angle")[k], series(b, "a.angle")[k], 1e-10);
      // The force at the contact, across the line of centres.
      EXPECT_NEAR(std::abs(series(a, "pair.force.y")[k]), std::abs(series(b, "pair.effort")[k]), 1e-10);
    }
    // The contact holds the wheels apart as their axles do already: how much it presses is not determined.
    EXPECT_FALSE(a.find("pair.load")->unique);
    EXPECT_FALSE(a.find("pair.force.x")->unique);
    EXPECT_TRUE(a.find("pair.force.y")->unique);
  }
}

TEST(Rolling, CountsBothKindsOfFreedoms) {
  const struct {
    const char* model;
    int position, velocity;
  } kinds[] = {{"bicycle", 7, 3},           {"rolling_disc", 5, 3},     {"snakeboard", 3, 1},
               {"robot_with_caster", 7, 2}, {"mecanum_platform", 7, 3}, {"chaplygin_sleigh", 3, 2}};
  for (const auto& [model, position, velocity] : kinds) {
    SCOPED_TRACE(model);
    const Mechanism& m = readShippedModel(model);
    const Assembly assembly = assemble(m);
    ASSERT_TRUE(assembly.ok) << assembly.problem;
    const auto system = makeSystem(m, {});
    const auto work = system->makeWorkspace();
    const RankReport report =
        system->rankReport(0.0, system->fromAbsolute(0.0, assembly.state()), system->startModes(), *work);
    EXPECT_EQ(report.freedoms, velocity);
    EXPECT_EQ(report.position_freedoms, position);
  }
}

// A homogeneous disc that rolls down a drum from near its top presses until the cosine of its place is 4/7 of that of
// the start; it would fly off from there.
TEST(WheelOnADrum, IsSaidToLiftOffWhereItWould) {
  const double start = 0.2;
  const Mechanism m = read(fmt::format(R"toml(space = "planar"
gravity = [0, -9.81]
[points]
O = [0, 0]
[bodies]
wheel = {{ disc = {{ at = [{0}, {1}], radius = 0.25 }}, mass = 2 }}
[joints]
T = {{ rolling = ["ground", "wheel"], first = {{ centre = "O", radius = 1 }} }}
)toml",
                                       1.25 * std::sin(start), 1.25 * std::cos(start)));
  for (const std::string& formulation : kFormulations) {
    SCOPED_TRACE(formulation);
    const Result run = runModel(m, tight(formulation, 2.0, 0.001));
    ASSERT_EQ(run.ledger.lift_offs.size(), 1U);
    EXPECT_EQ(run.ledger.lift_offs[0].joint, "T");
    const double time = run.ledger.lift_offs[0].time;
    const auto k = static_cast<std::size_t>(time / 0.001);
    const double share = time / 0.001 - static_cast<double>(k);
    const auto& y = series(run, "wheel.y");
    // Between samples by straight lines: 1e-6 / 8 times the acceleration.
    EXPECT_NEAR((1.0 - share) * y[k] + share * y[k + 1], 1.25 * 4.0 / 7.0 * std::cos(start), 1e-5);
    EXPECT_GT(series(run, "T.load")[k], 0.0);
    EXPECT_LT(series(run, "T.load")[k + 1], 0.0);
    ASSERT_FALSE(run.events.empty());
    EXPECT_EQ(run.events[0].name, "T.lift");
    EXPECT_THAT(ledgerLines(run)[0].sentence, HasSubstr("joint \"T\" had to pull"));
    EXPECT_EQ(ledgerLines(run)[0].grade, Grade::fair);
    Mechanism stopping = m;
    stopping.joints[0].rolling.ends_at_lift = true;
    const Result ended = runModel(stopping, tight(formulation, 2.0, 0.001));
    EXPECT_EQ(ended.status, RunStatus::stopped_by_event);
    EXPECT_THAT(ended.message, HasSubstr("event \"T.lift\" at t ="));
    EXPECT_NEAR(ended.time.back(), time, 0.0011);
  }
}

// Let go leaning, without spin: it falls over.
TEST(RollingDisc, ThatComesToLieFlatEndsTheRunByName) {
  const Mechanism m = read(R"toml(space = "spatial"
gravity = [0, 0, -9.81]
[bodies]
disc = { disc = { at = [0, 0, 0.2], radius = 0.3, axis = [0, 1, 1] }, mass = 2 }
[joints]
R = { rolling = ["ground", "disc"], at = [0, 0, 0], normal = [0, 0, 1] }
)toml");
  for (const std::string& formulation : kFormulations) {
    SCOPED_TRACE(formulation);
    RunOptions options = tight(formulation, 3.0, 0.1);
    options.steps.rtol = options.steps.atol = 1e-8;
    const Result run = runModel(m, options);
    EXPECT_EQ(run.status, RunStatus::failed);
    EXPECT_THAT(run.message, HasSubstr("joint \"R\": the disc has come to lie flat at t = 0."));
    EXPECT_LT(run.ledger.steps, 5000);
  }
}

// Angles of a free body by any sequence, from initial angles and rates to what is recorded; turned twice round.
TEST(NamedAngles, AreThoseTheBodyStartsWithAndCountTurns) {
  for (const char* sequence : {"zxy", "zyx", "zxz"}) {
    const bool repeats = std::string(sequence) == "zxz";
    const std::string first = repeats ? "angle_z1" : "angle_z";
    const std::string last = repeats ? "angle_z2" : std::string("angle_") + sequence[2];
    const std::string middle = std::string("angle_") + sequence[1];
    const Mechanism m =
        read(fmt::format(R"toml(space = "spatial"
gravity = [0, 0, 0]
[bodies]
a = {{ mass = 2, com = [0.1, 0, 0.05], inertia = [0.2, 0.2, 0.4], rotation = {{ {4} }} }}
[joints]
pose = {{ floating = ["ground", "a"], angles = "{0}" }}
[initial]
pose.{1} = 0.3
pose.{2} = 0.5
pose.{3} = -0.2
pose.{1}_rate = 4
pose.{2}_rate = 0
pose.{3}_rate = 0.1
a.vx_body = 0.4
a.vy_body = 0
a.vz_body = -0.3
)toml",
                         sequence, first, middle, last, repeats ? "zxz = [0.1, 0.3, 0]" : "zyx = [0, 0, 0]"));
    for (const std::string& formulation : kFormulations) {
      SCOPED_TRACE(std::string(sequence) + " " + formulation);
      const Result run = runModel(m, tight(formulation, 3.0, 0.01));
      // Assembly closes to 1e-12.
      EXPECT_NEAR(series(run, "pose." + first).front(), 0.3, 1e-11);
      EXPECT_NEAR(series(run, "pose." + middle).front(), 0.5, 1e-11);
      EXPECT_NEAR(series(run, "pose." + last).front(), -0.2, 1e-11);
      EXPECT_NEAR(series(run, "pose." + last + "_rate").front(), 0.1, 1e-11);
      // Velocity in axes of the body, from the recorded one and the orientation.
      const double w = series(run, "a.orientation.w")[0];
      const double x = series(run, "a.orientation.x")[0];
      const double y = series(run, "a.orientation.y")[0];
      const double z = series(run, "a.orientation.z")[0];
      const auto R = Rotation3<double>::fromQuaternion(w, x, y, z);
      const Vec3<double> own =
          R.inverseTimes({series(run, "a.x_rate")[0], series(run, "a.y_rate")[0], series(run, "a.z_rate")[0]});
      EXPECT_NEAR(own.x, 0.4, 1e-12);
      EXPECT_NEAR(own.z, -0.3, 1e-12);
      // Nothing turns it: it goes on round, and its angle with it, by more than a turn and without a jump.
      EXPECT_GT(series(run, "pose." + first).back(), 2.0 * std::numbers::pi);
      // By the trapezoid rule, a tenth off where the rate peaks; a turn that was lost would be 6.3.
      double integral = 0.3;
      const auto& rate = series(run, "pose." + first + "_rate");
      for (std::size_t k = 1; k < run.time.size(); ++k) {
        integral += 0.005 * (rate[k] + rate[k - 1]);
        EXPECT_NEAR(series(run, "pose." + first)[k], integral, 0.3);
      }
    }
  }
}

}  // namespace rolling_test
}  // namespace linkwork::validation
