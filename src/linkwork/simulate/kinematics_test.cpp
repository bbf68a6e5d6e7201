#include "linkwork/simulate/kinematics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "linkwork/model/driven_mechanisms_for_tests.hpp"
#include "linkwork/model/lift.hpp"

namespace linkwork {
namespace kinematics_test {

using std::numbers::pi;
using test::kTime;
using ::testing::HasSubstr;

KinematicsRun follow(const Mechanism& m, double until, double step, const ExtraOptions& extras = {}) {
  KinematicsOptions options;
  options.until = until;
  options.output_step = step;
  options.extras = extras;
  const Assembly assembly = assemble(m);
  EXPECT_TRUE(assembly.ok) << assembly.problem;
  EXPECT_EQ(kinematicsProblem(m, assembly), "");
  return runKinematics(m, assembly, options);
}

const std::vector<double>& column(const KinematicsRun& run, const std::string& name) {
  const Series* series = run.result.find(name);
  EXPECT_NE(series, nullptr) << name;
  static const std::vector<double> none(100000, std::nan(""));
  return series != nullptr ? series->values : none;
}

// A couple on the driven crank that begins between two samples: the drive gives just as much less.
TEST(Kinematics, HasTwoSamplesWhereALoadJumps) {
  for (const double jump : {0.55, 0.5}) {
    Mechanism m = test::SliderCrank().mechanism(0.5);
    test::drive(m, "O.angle", Expr(0.5) + Expr(4.0) * kTime);
    test::addCouple(m, "help", kGround, BodyIndex(0), select(kTime - Expr(jump), Expr(3.0), Expr(0.0)));
    test::addCouple(m, "grow", kGround, BodyIndex(0), max(kTime - Expr(0.7), Expr(0.0)));
    const KinematicsRun run = follow(m, 1.0, 0.1);
    ASSERT_EQ(run.result.status, RunStatus::complete) << run.result.message;
    const std::vector<double>& time = run.result.time;
    const auto two = std::adjacent_find(time.begin(), time.end());
    ASSERT_NE(two, time.end());
    EXPECT_EQ(time.size(), jump == 0.5 ? 12U : 13U);
    EXPECT_NEAR(*two, jump, 1e-15);
    const auto left = static_cast<std::size_t>(two - time.begin());
    EXPECT_EQ(column(run, "help.moment")[left], 0.0);
    EXPECT_EQ(column(run, "help.moment")[left + 1], 3.0);
    const std::string effort = m.drives[0].name + ".effort";
    EXPECT_NEAR(column(run, effort)[left + 1] - column(run, effort)[left], -3.0, 1e-10);
    EXPECT_EQ(column(run, "slider.x")[left + 1], column(run, "slider.x")[left]);
    // Its work, 3 N*m times the angle from there on, is all there.
    EXPECT_LT(run.result.ledger.worst_energy_balance, 1e-6);
  }
}

// Everything there is about a slider-crank, against its closed form: with c, s of the crank angle, b the rod's angle,
// x = r c + l cos b.
TEST(Kinematics, GivesTheMotionOfASliderCrankInClosedForm) {
  const test::SliderCrank k;
  Mechanism m = k.mechanism(0.5);
  const double w = 4.0;
  test::drive(m, "O.angle", Expr(0.5) + Expr(w) * kTime);
  ExtraOptions extras;
  extras.outputs = {*findQuantity(m, "rail.slide")};
  extras.transmissions = findTransmissions(m);
  extras.centres = {{BodyIndex(0), BodyIndex(2)}};
  extras.points = {{BodyIndex(1), {0.0, 0.1, 0.0}, "P"}};
  ASSERT_EQ(extras.transmissions.size(), 1U);
  const KinematicsRun run = follow(m, 3.0, 0.05, extras);
  ASSERT_EQ(run.result.status, RunStatus::complete) << run.result.message;
  ASSERT_EQ(run.result.time.size(), 61U);
  for (std::size_t n = 0; n < run.result.time.size(); ++n) {
    const double a = 0.5 + w * run.result.time[n];
    const double s = std::sin(a);
    const double c = std::cos(a);
    const double b = k.rodAngle(a);
    const double b_rate = -k.r * c * w / (k.l * std::cos(b));
    const double b_acc = (k.r * s * w * w + k.l * std::sin(b) * b_rate * b_rate) / (k.l * std::cos(b));
    const double x_rate = -k.r * s * w - k.l * std::sin(b) * b_rate;
    const double x_acc = -k.r * c * w * w - k.l * std::cos(b) * b_rate * b_rate - k.l * std::sin(b) * b_acc;
    EXPECT_NEAR(column(run, "slider.x")[n], k.x(a), 1e-12);
    EXPECT_NEAR(column(run, "rod.angle")[n], b, 1e-12);
    EXPECT_NEAR(column(run, "slider.x_rate")[n], x_rate, 1e-11);
    EXPECT_NEAR(column(run, "slider.x_acceleration")[n], x_acc, 1e-10);
    EXPECT_NEAR(column(run, "rod.angle_acceleration")[n], b_acc, 1e-10);
    // The rod against the normal of the slide.
    EXPECT_NEAR(column(run, "B.transmission_angle")[n], pi / 2 - std::abs(b), 1e-11);
    if (std::abs(s) > 0.05) {
      EXPECT_NEAR(column(run, "mechanical_advantage.rail.slide")[n] * x_rate / w, 1.0, 1e-10);
    }
    // The rod's instant centre: on the line of the crank, above the slider.
    if (std::abs(c) > 0.05) {
      EXPECT_NEAR(column(run, "rod.instant_centre.x")[n], k.x(a), 1e-9);
      EXPECT_NEAR(column(run, "rod.instant_centre.y")[n], k.x(a) * s / c, 1e-9);
      // Of crank and slider: on the y axis through O and on the line of the rod (three centres in one line).
      EXPECT_NEAR(column(run, "crank/slider.instant_centre.x")[n], 0.0, 1e-9);
      EXPECT_NEAR(column(run, "crank/slider.instant_centre.y")[n], -k.x(a) * std::tan(b), 1e-9);
    }
    const double px = k.r * c + k.l / 2 * std::cos(b) - 0.1 * std::sin(b);
    EXPECT_NEAR(column(run, "traces.P.x")[n], px, 1e-12);
    EXPECT_NEAR(column(run, "traces.P.y_rate")[n], k.r * c * w + (k.l / 2 * std::cos(b) - 0.1 * std::sin(b)) * b_rate,
                1e-11);
    // Shaking force: -(sum of m a); the middle of the crank and of the rod, and the slider.
    const double crank_ax = -k.r / 2 * c * w * w;
    const double rod_ax = -k.r * c * w * w - k.l / 2 * (std::cos(b) * b_rate * b_rate + std::sin(b) * b_acc);
    EXPECT_NEAR(column(run, "shaking.force.x")[n],
                -(k.crank_mass * crank_ax + k.rod_mass * rod_ax + k.slider_mass * x_acc), 1e-9);
  }
}

// Efforts against energy: the drives' power is the rate of the energy, here as work over the run.
TEST(Kinematics, DrivesSupplyTheEnergyThatTheMotionNeeds) {
  Mechanism m = test::FourBar().mechanism(0.3);
  test::drive(m, "O.angle", Expr(0.3) + Expr(6.0) * kTime + Expr(0.5) * sin(Expr(3.0) * kTime));
  for (const bool spatial : {false, true}) {
    const Mechanism own = spatial ? liftToSpace(m) : m;
    const KinematicsRun run = follow(own, 2.0, 0.01);
    ASSERT_EQ(run.result.status, RunStatus::complete) << run.result.message;
    // Gauss's three points: error (w h)^6 / 2e6 an interval, with w of some 30 1/s where the rocker turns back.
    EXPECT_LT(run.result.ledger.worst_energy_balance, 1e-8 * run.result.ledger.energy_scale);
    EXPECT_GT(run.result.ledger.energy_scale, 0.1);
    EXPECT_EQ(ledgerLines(run.result)[1].grade, Grade::good);
    // Power, point by point, from differences of the energy over five samples: h^4 / 30 of its fifth derivative.
    const auto& power = column(run, "motor.power");
    const auto total = [&](std::size_t n) {
      return column(run, "energy.kinetic")[n] + column(run, "energy.potential")[n];
    };
    for (std::size_t n = 10; n < 190; n += 20) {
      const double rate = (8.0 * (total(n + 1) - total(n - 1)) - (total(n + 2) - total(n - 2))) / 0.12;
      EXPECT_NEAR(power[n], rate, 1e-3) << n;
    }
  }
}

// Shaking force and moment are minus the rates of momentum and its moment, in plane and space.
TEST(Kinematics, ShakingIsTheRateOfMomentum) {
  Mechanism m = test::FourBar().mechanism(0.3);
  test::shiftFrames(m, 0.02, -0.01);
  m.bodies[0].drawn.x -= 0.0;  // assembly brings the shifted frames home
  test::drive(m, "O.angle", Expr(0.3) + Expr(6.0) * kTime);
  const double h = 1e-3;
  for (const bool spatial : {false, true}) {
    const Mechanism own = spatial ? liftToSpace(m) : m;
    const KinematicsRun run = follow(own, 0.4, h);
    ASSERT_EQ(run.result.status, RunStatus::complete) << run.result.message;
    const auto momentum = [&](std::size_t n, double& moment) {
      double px = 0.0;
      moment = 0.0;
      for (const Body& body : own.bodies) {
        const std::string& name = body.name;
        const double rate = column(run, spatial ? name + ".angular_velocity.z" : name + ".angle_rate")[n];
        const double angle =
            spatial ? 2.0 * std::atan2(column(run, name + ".orientation.z")[n], column(run, name + ".orientation.w")[n])
                    : column(run, name + ".angle")[n];
        const double cx = body.com[0].number * std::cos(angle) - body.com[1].number * std::sin(angle);
        const double cy = body.com[0].number * std::sin(angle) + body.com[1].number * std::cos(angle);
        const double vx = column(run, name + ".x_rate")[n] - rate * cy;
        const double vy = column(run, name + ".y_rate")[n] + rate * cx;
        const double mass = body.mass.number;
        px += mass * vx;
        moment += mass * ((column(run, name + ".x")[n] + cx) * vy - (column(run, name + ".y")[n] + cy) * vx) +
                  body.inertia.number * rate;
      }
      return px;
    };
    for (std::size_t n = 50; n < 390; n += 50) {
      double before = 0.0;
      double after = 0.0;
      const double force = -(momentum(n + 1, after) - momentum(n - 1, before)) / (2 * h);
      // h^2 / 6 times a third derivative of momentum of about 6^3 kg m/s: 1e-4
      EXPECT_NEAR(column(run, "shaking.force.x")[n], force, 1e-3);
      EXPECT_NEAR(column(run, spatial ? "shaking.moment.z" : "shaking.moment")[n], -(after - before) / (2 * h), 1e-3);
    }
  }
}

TEST(Kinematics, StopsAtADeadPointAndKeepsWhatItHas) {
  const test::SliderCrank sizes;
  Mechanism m = sizes.mechanism(pi / 3);
  const double x0 = sizes.x(pi / 3);
  test::drive(m, "rail.slide", Expr(x0) + Expr(0.1) * kTime);
  const KinematicsRun run = follow(m, 5.0, 0.1);
  EXPECT_EQ(run.result.status, RunStatus::failed);
  EXPECT_THAT(run.result.message,
              HasSubstr("dead point (pins O, A and B are in line): drive \"motor\" cannot go further"));
  ASSERT_EQ(run.dead_points.size(), 1U);
  EXPECT_NEAR(run.dead_points[0].time, (1.1 - x0) / 0.1, 1e-10);
  ASSERT_EQ(run.result.events.size(), 1U);
  EXPECT_EQ(run.result.events[0].name, "dead point");
  EXPECT_NEAR(run.result.time.back(), 0.1 * std::floor((1.1 - x0) / 0.01), 1e-9);
  for (const Series& series : run.result.series) EXPECT_EQ(series.values.size(), run.result.time.size()) << series.name;
}

TEST(Kinematics, NamesTheFreedomsWithoutADrive) {
  const Mechanism one = test::FourBar().mechanism(1.0);
  EXPECT_EQ(
      kinematicsProblem(one, assemble(one)),
      "the mechanism has no drive; 1 degree of freedom is without a drive: O.angle can still move; give it a motion "
      "under [drives], or hold it with a joint");
  Mechanism two = test::sliderPendulum();
  test::drawAt(two, test::sliderPendulumStart());
  test::drive(two, "P.slide", sin(kTime));
  EXPECT_THAT(kinematicsProblem(two, assemble(two)), HasSubstr("1 degree of freedom is without a drive: O.angle"));
}

// A motion that begins at a dead point has no start.
TEST(Kinematics, BeginsAtNoDeadPoint) {
  Mechanism m = test::SliderCrank().mechanism(0.0);
  test::drive(m, "rail.slide", Expr(1.1) - Expr(0.1) * kTime * kTime);
  const Assembly assembly = assemble(m);
  EXPECT_FALSE(assembly.ok);
  EXPECT_THAT(assembly.problem, HasSubstr("dead point"));
}

TEST(Kinematics, SaysWhichFormulaIsNoNumberAndWhen) {
  Mechanism m = test::SliderCrank().mechanism(1.0);
  test::drive(m, "O.angle", Expr(1.0) + sqrt(Expr(0.5) - kTime) - Expr(std::sqrt(0.5)));
  const KinematicsRun drive = follow(m, 1.0, 0.1);
  EXPECT_EQ(drive.result.status, RunStatus::failed);
  EXPECT_THAT(drive.result.message,
              HasSubstr("the acceleration of drive \"motor\" grows beyond all bounds at t = 0.5 s"));

  m = test::SliderCrank().mechanism(1.0);
  test::drive(m, "O.angle", Expr(1.0) + kTime);
  test::addCouple(m, "push", kGround, BodyIndex(0), sqrt(Expr(0.5) - kTime));
  const KinematicsRun load = follow(m, 1.0, 0.1);
  EXPECT_EQ(load.result.status, RunStatus::failed);
  EXPECT_THAT(load.result.message, HasSubstr("load \"push\": couple is not a number at t = 0.5"));
  EXPECT_EQ(load.result.time.size(), 6U);
}

TEST(Kinematics, EndsBeforeADriveGrowsBeyondAllBounds) {
  Mechanism m = test::SliderCrank().mechanism(0.5);
  test::drive(m, "O.angle", Expr(0.5) + tan(kTime));
  const KinematicsRun run = follow(m, 3.0, 0.1);
  EXPECT_EQ(run.result.status, RunStatus::failed);
  EXPECT_THAT(run.result.message, HasSubstr("grows beyond all bounds at t = 1.57079633 s"));
  EXPECT_LT(run.result.ledger.steps, 20000);  // over a million before
}

// A link without mass or inertia is no trouble where the drives leave nothing free.
TEST(Kinematics, FollowsBodiesWithoutInertia) {
  const test::SliderCrank k;
  Mechanism m = k.mechanism(0.5);
  m.bodies[1].mass = Value(0.0);
  m.bodies[1].inertia = Value(0.0);
  test::drive(m, "O.angle", Expr(0.5) + Expr(4.0) * kTime);
  const KinematicsRun run = follow(m, 1.0, 0.1);
  ASSERT_EQ(run.result.status, RunStatus::complete) << run.result.message;
  EXPECT_NEAR(column(run, "slider.x").back(), k.x(4.5), 1e-12);
}

TEST(Kinematics, SweepsACoordinateFromAValueFarFromTheDrawing) {
  const test::FourBar sizes;
  const Mechanism m = sizes.mechanism(1.0);
  const Quantity crank = *findQuantity(m, "O.angle");
  const SweepStart drawn = sweepFrom(m, crank, std::nullopt);
  EXPECT_NEAR(drawn.from, 1.0, 1e-12);
  const SweepStart start = sweepFrom(m, crank, 4.0);
  ASSERT_EQ(start.problem, "");
  const KinematicsRun run = follow(withSweep(start.mechanism, crank, 4.0, 2.0), pi, pi / 100);
  ASSERT_EQ(run.result.status, RunStatus::complete) << run.result.message;
  for (std::size_t n = 0; n < run.result.time.size(); n += 10) {
    const double a = 4.0 + 2.0 * run.result.time[n];
    EXPECT_NEAR(std::remainder(column(run, "rocker.angle")[n] - sizes.rockerAngle(a), 2 * pi), 0.0, 1e-11);
  }
}

// Out of reach of its neighbours a coordinate cannot begin.
TEST(Kinematics, SaysWhenASweepCannotBegin) {
  const Mechanism m = test::SliderCrank().mechanism(1.0);
  EXPECT_NE(sweepFrom(m, *findQuantity(m, "rail.slide"), 2.0).problem, "");
}

TEST(Transmissions, AreFoundWhereAFourBarIsDrivenAndNamedElsewhere) {
  Mechanism m = test::FourBar().mechanism(1.0);
  EXPECT_TRUE(findTransmissions(m).empty());
  test::drive(m, "O.angle", kTime);
  const auto found = findTransmissions(m);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].joint, 2);
  EXPECT_EQ(found[0].coupler_end, 1);
  EXPECT_EQ(found[0].base, 3);
  EXPECT_EQ(transmissionAt(m, "B").found.base, 3);
  EXPECT_EQ(transmissionAt(m, "B,A").found.coupler_end, 1);
  EXPECT_THAT(transmissionAt(m, "X").problem, HasSubstr("there is no joint \"X\""));
  EXPECT_THAT(transmissionAt(m, "O").problem, HasSubstr("does not connect a coupler with a follower"));
  const Mechanism slider = test::SliderCrank().mechanism(1.0);
  EXPECT_THAT(transmissionAt(slider, "rail").problem, HasSubstr("is no hinge"));
}

// Inverse, then forward: the efforts that a motion needs, applied as loads, bring the motion back.
TEST(Inverse, EffortsAppliedAsLoadsGiveTheMotionBack) {
  Mechanism m;
  m.gravity = {Value(0.0), Value(-9.81)};
  const BodyIndex upper = test::addBody(m, "upper", 2.0, 0.2);
  const BodyIndex lower = test::addBody(m, "lower", 1.0, 0.1);
  test::addJoint(m, "S", JointKind::revolute, kGround, test::frameAt(0, 0), upper, test::frameAt(-0.5, 0));
  test::addJoint(m, "E", JointKind::revolute, upper, test::frameAt(0.5, 0), lower, test::frameAt(-0.4, 0));
  m.bodies[0].drawn = {0.5, 0.0, 0.0};
  m.bodies[1].drawn = {1.4, 0.0, 0.0};
  Mechanism driven = m;
  const Expr shoulder = Expr(0.8) * sin(kTime);
  const Expr elbow = Expr(0.5) * (Expr(1.0) - cos(Expr(2.0) * kTime));
  test::drive(driven, "S.angle", shoulder);
  test::drive(driven, "E.angle", elbow);
  driven.drives[1].name = "elbow";
  const KinematicsRun inverse = follow(driven, 1.0, 0.005);
  ASSERT_EQ(inverse.result.status, RunStatus::complete) << inverse.result.message;
  EXPECT_LT(inverse.result.ledger.worst_energy_balance, 1e-9);

  for (const auto& [name, drive] : {std::pair{"motor.effort", 0}, std::pair{"elbow.effort", 1}}) {
    const auto table = std::make_shared<const Table>(name, inverse.result.time, column(inverse, name), TableKind::cubic,
                                                     TableOutside::hold);
    const Joint& joint = m.joints[static_cast<std::size_t>(drive)];
    test::addCouple(m, name, joint.first, joint.second, applyTable(table, 0, kTime));
  }
  m.initial.push_back({*findQuantity(m, "S.angle_rate"), Value(0.8), {}});
  m.initial.push_back({*findQuantity(m, "E.angle_rate"), Value(0.0), {}});
  RunOptions options;
  options.until = 1.0;
  options.output_step = 0.1;
  options.steps.rtol = 1e-10;
  options.steps.atol = 1e-12;
  const Result forward = simulate(m, assemble(m), options);
  ASSERT_EQ(forward.status, RunStatus::complete) << forward.message;
  for (std::size_t n = 0; n < forward.time.size(); ++n) {
    const double t = forward.time[n];
    // The natural ends of the table bend the efforts by h^2 of their curvature over the first steps: 1e-5.
    EXPECT_NEAR(forward.find("S.angle")->values[n], 0.8 * std::sin(t), 1e-5);
    EXPECT_NEAR(forward.find("E.angle")->values[n], 0.5 * (1.0 - std::cos(2.0 * t)), 1e-5);
  }
}

// Closed form of the torque of a driven pendulum: (J + m l^2) a'' + m g l cos a.
TEST(Inverse, TorqueOfAPendulumInClosedForm) {
  Mechanism m;
  m.gravity = {Value(0.0), Value(-9.81)};
  const BodyIndex bar = test::addBody(m, "bar", 2.0, 0.3);
  test::addJoint(m, "O", JointKind::revolute, kGround, test::frameAt(0, 0), bar, test::frameAt(-0.5, 0));
  m.bodies[0].drawn = {0.5, 0.0, 0.0};
  test::drive(m, "O.angle", sin(Expr(3.0) * kTime));
  for (const bool spatial : {false, true}) {
    const KinematicsRun run = follow(spatial ? liftToSpace(m) : m, 2.0, 0.1);
    ASSERT_EQ(run.result.status, RunStatus::complete) << run.result.message;
    for (std::size_t n = 0; n < run.result.time.size(); ++n) {
      const double t = run.result.time[n];
      const double torque = -(0.3 + 2.0 * 0.25) * 9.0 * std::sin(3 * t) + 9.81 * std::cos(std::sin(3 * t));
      EXPECT_NEAR(column(run, "motor.effort")[n], torque, 1e-10);
      EXPECT_NEAR(column(run, "motor.power")[n], torque * 3.0 * std::cos(3 * t), 1e-9);
    }
  }
}

}  // namespace kinematics_test
}  // namespace linkwork
