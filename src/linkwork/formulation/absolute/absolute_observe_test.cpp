// What a user sees: reactions that hold each body in balance, in the sense that their definition states; loads and
// efforts.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace absolute_observe_test {

using namespace test;
using V = Vec2<double>;

Observation observeAt(const AbsoluteSystem& system, double t, const State& s) {
  const auto work = system.makeWorkspace();
  Observation out;
  EXPECT_EQ(system.observe(t, s.x(), system.startModes(), *work, out), Eval::ok) << system.describeFailure(*work);
  return out;
}

V inGround(const Observation& o, BodyIndex body, const Frame& frame) {
  const V p{frame.point[0].number, frame.point[1].number};
  if (!body.valid()) return p;
  const BodyMotion& pose = o.bodies[body.at()];
  return V{pose.position[0], pose.position[1]} + Rotation2<double>::fromAngle(pose.angle) * p;
}

// Newton and Euler for each body from the observation alone: reactions at the joints' points, drives, loads, weight.
void expectBalance(const Mechanism& m, const Observation& o) {
  std::vector<V> force(m.bodies.size());
  std::vector<double> moment(m.bodies.size());  // about the ground's origin
  const auto act = [&](BodyIndex body, const V& point, const V& f, double couple) {
    if (!body.valid()) return;
    force[body.at()] += f;
    moment[body.at()] += cross(point, f) + couple;
  };
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    const Joint& joint = m.joints[j];
    const V f{o.joints[j].force_on_second[0], o.joints[j].force_on_second[1]};
    act(joint.second, inGround(o, joint.second, joint.on_second), f, o.joints[j].moment_on_second[2]);
    act(joint.first, inGround(o, joint.first, joint.on_first), -f, o.joints[j].moment_on_first[2]);
  }
  for (std::size_t k = 0; k < m.drives.size(); ++k) {
    const Drive& drive = m.drives[k];
    const double effort = o.drive_efforts[k];
    const V A = inGround(o, drive.first, drive.on_first);
    const V B = inGround(o, drive.second, drive.on_second);
    V direction{};
    switch (drive.kind) {
      case DriveKind::angle:
        act(drive.second, {}, {}, effort);
        act(drive.first, {}, {}, -effort);
        continue;
      case DriveKind::slide: {
        const double angle =
            (drive.second.valid() ? o.bodies[drive.second.at()].angle : 0.0) + drive.on_second.angle.number;
        direction = {std::cos(angle), std::sin(angle)};
        // The force acts through the first body's point, where the line is held.
        act(drive.second, A, direction * effort, 0.0);
        act(drive.first, A, -(direction * effort), 0.0);
        continue;
      }
      case DriveKind::distance: direction = (B - A) * (1.0 / std::hypot((B - A).x, (B - A).y)); break;
      case DriveKind::quantity: ADD_FAILURE() << "initial values alone are held so"; continue;
      case DriveKind::coordinate:
        direction = {std::cos(drive.on_first.angle.number), std::sin(drive.on_first.angle.number)};
        act(drive.second, B, direction * effort, 0.0);
        continue;
    }
    act(drive.second, B, direction * effort, 0.0);
    act(drive.first, A, -(direction * effort), 0.0);
  }
  for (std::size_t k = 0; k < m.loads.size(); ++k) {
    const Load& load = m.loads[k];
    const std::vector<double>& scalars = o.loads[k].scalars;
    const V value{scalars[0], scalars.size() > 1 ? scalars[1] : 0.0};
    const V A = inGround(o, load.first, load.on_first);
    const V B = inGround(o, load.second, load.on_second);
    switch (load.kind) {
      case LoadKind::force: act(load.second, B, value, 0.0); break;
      case LoadKind::couple:
      case LoadKind::rotational_spring_damper:
        act(load.second, {}, {}, value.x);
        act(load.first, {}, {}, -value.x);
        break;
      case LoadKind::spring_damper: {
        const V line = B - A;
        EXPECT_NEAR(std::hypot(line.x, line.y), value.y, 1e-14);
        const V pull = line * (value.x / value.y);
        act(load.first, A, pull, 0.0);
        act(load.second, B, -pull, 0.0);
        break;
      }
      case LoadKind::actuator: {
        if (load.along == DriveKind::angle) {
          act(load.second, {}, {}, value.x);
          act(load.first, {}, {}, -value.x);
          break;
        }
        const V line = B - A;
        V push = line * (value.x / value.y);
        if (load.along == DriveKind::slide) {
          const double turn = load.second.valid() ? o.bodies[load.second.at()].angle : 0.0;
          push = Rotation2<double>::fromAngle(turn + load.on_second.angle.number) * V{value.x, 0.0};
        }
        act(load.second, A, push, 0.0);
        act(load.first, A, -push, 0.0);
        break;
      }
      case LoadKind::bushing: {
        const double turn = load.first.valid() ? o.bodies[load.first.at()].angle : 0.0;
        const V push = Rotation2<double>::fromAngle(turn + load.on_first.angle.number) * value;
        act(load.second, B, push, scalars[2]);
        act(load.first, B, -push, -scalars[2]);
        break;
      }
    }
  }
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    const double mass = m.bodies[b].mass.number;
    const auto& body = o.bodies[b];
    const V arm = Rotation2<double>::fromAngle(body.angle) * V{m.bodies[b].com[0].number, m.bodies[b].com[1].number};
    const V centre = V{body.position[0], body.position[1]} + arm;
    const double w = body.angular_velocity[2];
    const V acceleration =
        V{body.acceleration[0], body.acceleration[1]} + perp(arm) * body.angular_acceleration[2] - arm * (w * w);
    const V inertia = (acceleration - V{m.gravity[0].number, m.gravity[1].number}) * mass;
    EXPECT_NEAR(force[b].x, inertia.x, 1e-11) << m.bodies[b].name;
    EXPECT_NEAR(force[b].y, inertia.y, 1e-11) << m.bodies[b].name;
    EXPECT_NEAR(moment[b], cross(centre, inertia) + m.bodies[b].inertia.number * body.angular_acceleration[2], 1e-11)
        << m.bodies[b].name;
  }
}

// The second-named body gets what the first exerts; turning a joint's ends round changes the sign and nothing else.
Mechanism turnedRound(Mechanism m) {
  for (Joint& joint : m.joints) {
    if (joint.kind != JointKind::revolute) continue;
    std::swap(joint.first, joint.second);
    std::swap(joint.on_first, joint.on_second);
  }
  return m;
}

TEST(Observation, ReactionsLoadsAndWeightMoveEachBody) {
  const State s = crankSliderStart();
  for (const bool shifted : {false, true}) {
    for (const bool turned : {false, true}) {
      Mechanism m = turned ? turnedRound(crankSlider()) : crankSlider();
      if (shifted) shiftFrames(m, 0.17, -0.4);
      const AbsoluteSystem system(m, {});
      expectBalance(m, observeAt(system, 0.3, s));
    }
  }
}

TEST(Observation, DriveEffortsOfEveryKindMoveEachBody) {
  const State s = crankSliderStart();
  const Expr t = Expr::symbol("t");
  for (const DriveKind kind : {DriveKind::angle, DriveKind::slide, DriveKind::distance, DriveKind::coordinate}) {
    Mechanism m = crankSlider();
    switch (kind) {
      case DriveKind::quantity: break;
      case DriveKind::angle:
        addDrive(m, "d", kind, BodyIndex(0), frameAt(0, 0, 0.2), BodyIndex(1), frameAt(0, 0), t);
        break;
      case DriveKind::slide:
        addDrive(m, "d", kind, BodyIndex(2), frameAt(0.05, -0.02), kGround, frameAt(0, 0.08, 0.1), t);
        break;
      case DriveKind::distance:
        addDrive(m, "d", kind, BodyIndex(0), frameAt(0.1, 0.1), BodyIndex(3), frameAt(0.2, 0.3), t);
        break;
      case DriveKind::coordinate:
        addDrive(m, "d", kind, kGround, frameAt(0.2, 0.1, 0.6), BodyIndex(1), frameAt(0.3, -0.1), t);
        break;
    }
    shiftFrames(m, 0.1, 0.2);
    const AbsoluteSystem system(m, {});  // the pose does not follow the drive; the balance of forces holds all the same
    expectBalance(m, observeAt(system, 0.3, s));
  }
}

// Ideal joints: no moment about a pin; none about the pin of a slot; a slide's force is across its axis.
TEST(Observation, IdealJointsCarryOnlyWhatTheyCan) {
  const State s = crankSliderStart();
  const Mechanism m = crankSlider();
  const AbsoluteSystem system(m, {});
  const Observation o = observeAt(system, 0.0, s);
  for (const std::size_t j : {0u, 1u, 2u, 4u}) {
    EXPECT_NEAR(o.joints[j].moment_on_first[2], 0.0, 1e-12) << m.joints[j].name;
    EXPECT_NEAR(o.joints[j].moment_on_second[2], 0.0, 1e-12) << m.joints[j].name;
    EXPECT_TRUE(o.joints[j].unique);
  }
  EXPECT_NEAR(o.joints[5].moment_on_first[2], 0.0, 1e-12);  // at the pin
  EXPECT_NEAR(o.joints[3].force_on_second[0] * std::cos(0.1) + o.joints[3].force_on_second[1] * std::sin(0.1), 0.0,
              1e-12);
  const double slot = s.q[11] - std::numbers::pi / 2;
  EXPECT_NEAR(o.joints[5].force_on_second[0] * std::cos(slot) + o.joints[5].force_on_second[1] * std::sin(slot), 0.0,
              1e-12);
  // Listed: O on the crank is (-12.24.., 14.75..); the crank is named first, so the ground (second) gets the opposite.
  EXPECT_NEAR(o.joints[0].force_on_second[0], 12.2414190373, 1e-9);
  EXPECT_NEAR(o.joints[0].force_on_second[1], -14.7543882809, 1e-9);
}

TEST(Observation, BodyMotionIsThatOfTheFramesOrigin) {
  const State s = crankSliderStart();
  Mechanism m = crankSlider();
  shiftFrames(m, 0.17, -0.4);
  const AbsoluteSystem system(m, {});
  const Observation o = observeAt(system, 0.0, s);
  for (std::size_t b = 0; b < 4; ++b) {
    const double k = 1.0 + static_cast<double>(b);
    const auto arm = Rotation2<double>::fromAngle(s.q[3 * b + 2]) * V{-0.17 * k, 0.4 * k};
    EXPECT_NEAR(o.bodies[b].position[0], s.q[3 * b] + arm.x, 1e-14);
    EXPECT_NEAR(o.bodies[b].position[1], s.q[3 * b + 1] + arm.y, 1e-14);
    EXPECT_NEAR(o.bodies[b].velocity[0], s.v[3 * b] - arm.y * s.v[3 * b + 2], 1e-14);
    EXPECT_NEAR(o.bodies[b].velocity[1], s.v[3 * b + 1] + arm.x * s.v[3 * b + 2], 1e-14);
    EXPECT_EQ(o.bodies[b].angle, s.q[3 * b + 2]);
    EXPECT_EQ(o.bodies[b].angular_velocity[2], s.v[3 * b + 2]);
  }
}

TEST(Observation, JointCoordinatesAreAnglesAndSlidesAndZeroForJointsWithoutOne) {
  Mechanism m = crankSlider();
  addJoint(m, "rod", JointKind::distance, BodyIndex(0), frameAt(0, 0), BodyIndex(3), frameAt(0, 0)).length = 0.8;
  const AbsoluteSystem system(m, {});
  const State s = crankSliderStart();
  const Observation o = observeAt(system, 0.0, s);
  ASSERT_EQ(o.joint_motions.size(), 7u);
  EXPECT_NEAR(o.joint_motions[0].angle, -s.q[2], 1e-15);  // the ground (second) against the crank (first)
  EXPECT_NEAR(o.joint_motions[0].angle_rate, -4.0, 1e-15);
  EXPECT_NEAR(o.joint_motions[1].angle, s.q[5] - s.q[2], 1e-15);
  EXPECT_NEAR(o.joint_motions[1].angle_rate, s.v[5] - s.v[2], 1e-15);
  EXPECT_EQ(o.joint_motions[6].angle, 0.0);
  EXPECT_EQ(o.joint_motions[6].angle_rate, 0.0);
}

// Energies of the whole mechanism: kinetic from masses, potential from weight and springs.
TEST(Observation, EnergiesAreThoseOfTheMassesAndSprings) {
  const State s = crankSliderStart();
  const Mechanism m = crankSlider();
  const AbsoluteSystem system(m, {});
  const Observation o = observeAt(system, 0.0, s);
  double kinetic = 0.0;
  double potential = 0.0;
  for (std::size_t b = 0; b < 4; ++b) {
    const double mass = m.bodies[b].mass.number;
    kinetic += 0.5 * mass * (s.v[3 * b] * s.v[3 * b] + s.v[3 * b + 1] * s.v[3 * b + 1]);
    kinetic += 0.5 * m.bodies[b].inertia.number * s.v[3 * b + 2] * s.v[3 * b + 2];
    potential += 9.81 * mass * s.q[3 * b + 1];
  }
  const double stretch = o.loads[1].scalars[1] - 0.7;
  EXPECT_NEAR(o.loads[1].scalars[0], 120.0 * stretch, 1e-12);
  EXPECT_NEAR(o.kinetic, kinetic, 1e-13);
  EXPECT_NEAR(o.potential, potential + 60.0 * stretch * stretch, 1e-12);
}

}  // namespace absolute_observe_test
}  // namespace linkwork
