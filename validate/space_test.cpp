// Redundant mechanisms in space, and planar mechanisms lifted to it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/model/test_mechanisms.hpp"
#include "linkwork/simulate/state_at.hpp"
#include "run_model.hpp"
#include "shipped_models.hpp"

namespace linkwork::validation {
namespace space_test {

using test::addJoint;

Frame spatialFrame(double x, double y, double z, const Quaternion& rotation = kNoTurn) {
  return {{Value(x), Value(y), Value(z)}, Value(0.0), rotation};
}

Quaternion aboutAxis(double x, double y, double z, double angle) {
  const double s = std::sin(0.5 * angle);
  return {std::cos(0.5 * angle), s * x, s * y, s * z};
}

// A frame whose z axis points along a coordinate axis.
Quaternion zAlong(int axis) {
  const double quarter = std::numbers::pi / 2.0;
  if (axis == 0) return aboutAxis(0, 1, 0, quarter);
  return axis == 1 ? aboutAxis(1, 0, 0, -quarter) : kNoTurn;
}

BodyIndex addSpatialBody(Mechanism& m, const std::string& name, double mass, std::array<double, 3> moments,
                         std::array<double, 3> com, std::array<double, 3> place = {}) {
  m.space = Space::spatial;
  const BodyIndex index = test::addBody(m, name, mass, moments[2]);
  Body& body = m.bodies.back();
  body.tensor = Tensor{moments[0], moments[1], moments[2], 0.0, 0.0, 0.0};
  body.com = {Value(com[0]), Value(com[1]), Value(com[2])};
  body.drawn.x = place[0];
  body.drawn.y = place[1];
  body.drawn.z = place[2];
  return index;
}

Mechanism withGravity(double x, double y, double z) {
  Mechanism m;
  m.space = Space::spatial;
  m.gravity = {Value(x), Value(y), Value(z)};
  return m;
}

struct Start {
  Assembly assembly;
  std::unique_ptr<MechanismSystem> system;
  std::unique_ptr<Workspace> work;
  Observation seen;
  RankReport rank;
};

Start startOf(const Mechanism& m) {
  Start out;
  out.assembly = assemble(m);
  EXPECT_TRUE(out.assembly.ok) << out.assembly.problem;
  out.system = makeSystem(m, startingFrom(out.assembly));
  out.work = out.system->makeWorkspace();
  EXPECT_EQ(out.system->observe(0.0, out.assembly.state(), out.system->startModes(), *out.work, out.seen), Eval::ok);
  out.rank = out.system->rankReport(0.0, out.assembly.state(), out.system->startModes(), *out.work);
  return out;
}

// A door on two hinges of one axis: ten equations of rank five, and no component of either reaction is unique.
TEST(Space, DoorOnTwoHingesHasRankFive) {
  Mechanism m = withGravity(0, 0, -9.81);
  const BodyIndex door = addSpatialBody(m, "door", 20.0, {7.0, 6.0, 1.1}, {0.4, 0, 1.0});
  for (const double height : {0.3, 1.7}) {
    addJoint(m, height < 1 ? "low" : "high", JointKind::revolute, kGround, spatialFrame(0, 0, height), door,
             spatialFrame(0, 0, height));
  }
  const Start start = startOf(m);
  EXPECT_EQ(start.rank.rows, 10);
  EXPECT_EQ(start.rank.rank, 5);
  EXPECT_FALSE(start.seen.joints[0].unique);
  EXPECT_FALSE(start.seen.joints[1].unique);
  // What they carry together is: the weight.
  EXPECT_NEAR(start.seen.joints[0].force_on_second[2] + start.seen.joints[1].force_on_second[2], 20.0 * 9.81, 1e-9);
  EXPECT_NEAR(start.seen.joints[0].force_on_second[2], 10.0 * 9.81, 1e-9);  // the least norm shares it
}

// Six hinges on the edges of a cube, each at right angles to its two links: thirty equations of rank 29, where Gruebler
// counts no freedom at all.
TEST(Space, BricardLinkageMovesThoughGrueblerForbidsIt) {
  Mechanism m = withGravity(0, 0, -9.81);
  const std::vector<std::array<double, 3>> corners{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}, {0, 0, 1}};
  const int axes[6] = {1, 2, 0, 1, 2, 0};  // y, z, x, y, z, x
  const auto middle = [&](std::size_t k) {
    std::array<double, 3> out{};
    for (std::size_t c = 0; c < 3; ++c) out[c] = 0.5 * (corners[k][c] + corners[(k + 1) % 6][c]);
    return out;
  };
  // Link k joins corner k and k + 1; the last one is the ground. Body frames at the middle, axes as the ground's.
  for (std::size_t k = 0; k < 5; ++k) {
    const int along = static_cast<int>(k % 3);
    std::array<double, 3> moments{1.0 / 12, 1.0 / 12, 1.0 / 12};
    moments[static_cast<std::size_t>(along)] = 1e-3;
    addSpatialBody(m, "link" + std::to_string(k), 1.0, moments, {0, 0, 0}, middle(k));
  }
  for (std::size_t k = 0; k < 6; ++k) {
    const BodyIndex first = k == 0 ? kGround : BodyIndex(static_cast<int>(k) - 1);
    const BodyIndex second = k == 5 ? kGround : BodyIndex(static_cast<int>(k));
    const auto on = [&](BodyIndex body) {
      const std::array<double, 3> origin = body.valid() ? middle(body.at()) : std::array<double, 3>{};
      return spatialFrame(corners[k][0] - origin[0], corners[k][1] - origin[1], corners[k][2] - origin[2],
                          zAlong(axes[k]));
    };
    addJoint(m, "hinge" + std::to_string(k), JointKind::revolute, first, on(first), second, on(second));
  }
  const Start start = startOf(m);
  EXPECT_EQ(start.rank.rows, 30);
  EXPECT_EQ(start.rank.rank, 29);
  EXPECT_EQ(start.rank.freedoms, 1);
  RunOptions options;
  options.until = 1.0;
  options.steps.rtol = 1e-9;
  options.steps.atol = 1e-11;
  const Result result = runModel(m, options);
  EXPECT_EQ(result.status, RunStatus::complete) << result.message;
  EXPECT_LT(result.ledger.worst_position, 1e-11);
  EXPECT_GT(result.ledger.energy_scale, 1.0);  // it does move
  EXPECT_LT(result.ledger.worst_energy_balance, 1e-6 * result.ledger.energy_scale);
}

class Lifted : public ::testing::TestWithParam<std::string> {};

// The state of the plane as one of space: positions (x, y, angle) and their rates. The angles by which whole turns are
// counted there are those of the start, from which no joint has gone half a turn.
std::vector<double> liftedState(const std::vector<double>& flat, std::size_t bodies, const std::vector<double>& start) {
  std::vector<double> x;
  for (std::size_t b = 0; b < bodies; ++b) {
    const double half = 0.5 * flat[3 * b + 2];
    x.insert(x.end(), {flat[3 * b], flat[3 * b + 1], 0.0, std::cos(half), 0.0, 0.0, std::sin(half)});
  }
  for (std::size_t b = 0; b < bodies; ++b) {
    const std::size_t v = 3 * (bodies + b);
    x.insert(x.end(), {flat[v], flat[v + 1], 0.0, 0.0, 0.0, flat[v + 2]});
  }
  x.push_back(flat.back());
  x.insert(x.end(), start.begin() + static_cast<std::ptrdiff_t>(std::min(x.size(), start.size())), start.end());
  return x;
}

Observation observedAt(const Mechanism& m, const Assembly& start, double t, const std::vector<double>& x) {
  const auto system = makeSystem(m, startingFrom(start));
  const auto work = system->makeWorkspace();
  Observation seen;
  EXPECT_EQ(system->observe(t, x, system->startModes(), *work, seen), Eval::ok);
  return seen;
}

// Of the largest number of its kind, which is all that round-off in a linear solve can promise. Of links that bend,
// whose springs turn light elements, round-off of an angle (1e-16 rad) is some 1e-9 rad/s^2 alone.
void expectSameInThePlane(const Mechanism& flat, const Observation& plane, const Observation& space) {
  const double same = flat.links.empty() ? 1e-12 : 1e-11;
  double largest = 0.0;
  double largest_force = 0.0;
  for (const BodyMotion& body : plane.bodies) {
    for (const double a : body.acceleration) largest = std::max(largest, std::abs(a));
    largest = std::max(largest, std::abs(body.angular_acceleration[2]));
  }
  for (const Reaction& reaction : plane.joints) {
    for (const double f : reaction.force_on_second) largest_force = std::max(largest_force, std::abs(f));
    largest_force = std::max(largest_force, std::abs(reaction.moment_on_second[2]));
  }
  for (std::size_t b = 0; b < flat.bodies.size(); ++b) {
    const BodyMotion& a = plane.bodies[b];
    const BodyMotion& s = space.bodies[b];
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(a.acceleration[k], s.acceleration[k], same * largest) << flat.bodies[b].name;
      EXPECT_NEAR(a.angular_acceleration[k], s.angular_acceleration[k], same * largest) << flat.bodies[b].name;
    }
  }
  for (std::size_t k = 0; k < flat.joints.size(); ++k) {
    if (!plane.joints[k].unique) continue;
    for (std::size_t c = 0; c < 2; ++c) {
      EXPECT_NEAR(plane.joints[k].force_on_second[c], space.joints[k].force_on_second[c], same * largest_force)
          << flat.joints[k].name;
    }
    EXPECT_NEAR(plane.joints[k].moment_on_second[2], space.joints[k].moment_on_second[2], same * largest_force)
        << flat.joints[k].name;
  }
}

// A planar mechanism in space, at the start and at a later state of the plane: the same accelerations, and the same
// reactions in the plane wherever they are unique there.
TEST_P(Lifted, MovesAsInThePlane) {
  const Mechanism& flat = readShippedModel(GetParam());
  if (flat.space != Space::planar) GTEST_SKIP() << "in space already";
  const Mechanism lifted = liftToSpace(flat);
  const Assembly plane = assemble(flat);
  const Assembly space = assemble(lifted);
  ASSERT_TRUE(plane.ok && space.ok) << plane.problem << space.problem;
  for (const double t : {0.0, std::min(0.37, 0.5 * flat.check_horizon)}) {
    std::vector<double> x = plane.state();
    if (t > 0.0) {
      const StateAt later = stateAt(flat, plane, fineOptions(), t);
      ASSERT_TRUE(later.ok) << later.problem;
      x = later.x;
    }
    SCOPED_TRACE(t);
    expectSameInThePlane(flat, observedAt(flat, plane, t, x),
                         observedAt(lifted, space, t, liftedState(x, flat.bodies.size(), space.state())));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Lifted, ::testing::ValuesIn(shippedModels()),
                         [](const auto& model) { return model.param; });

// Four parallel hinges in space: twenty equations of rank seventeen.
TEST(Space, FourBarOfHingesRepeatsThreeEquations) {
  const Start start = startOf(liftToSpace(readShippedModel("four_bar")));
  EXPECT_EQ(start.rank.rows, 20);
  EXPECT_EQ(start.rank.rank, 17);
}

// The whole motion, not only its start.
TEST(Space, LiftedFourBarRunsAsInThePlane) {
  const Mechanism flat = readShippedModel("four_bar");
  const Result plane = runTo(flat, 1.0, 1e-10);
  const Result space = runTo(liftToSpace(flat), 1.0, 1e-10);
  for (const char* name : {"crank.x", "crank.y", "rocker.x_rate"}) {
    EXPECT_NEAR(lastOf(plane, name), lastOf(space, name), 1e-8) << name;
  }
  // In space whole turns are counted from sample to sample, and between the two samples here the crank makes more than
  // half of one.
  for (const char* name : {"O.angle", "C.angle"}) {
    EXPECT_NEAR(std::remainder(lastOf(plane, name) - lastOf(space, name), 2 * std::numbers::pi), 0.0, 1e-8) << name;
  }
  EXPECT_LT(space.ledger.worst_position, 1e-12);
  EXPECT_NEAR(lastOf(space, "coupler.z"), 0.0, 1e-12);
}

}  // namespace space_test
}  // namespace linkwork::validation
