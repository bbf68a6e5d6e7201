// Reactions that are not unique: the least that fit, whatever the order of the joints; what is unique stays what it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/integrate/sundials/make_sundials.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/model/test_mechanisms.hpp"
#include "run_model.hpp"

namespace linkwork::validation {
namespace reactions_test {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr double kRelative = 1e-10;  // sums of a dozen forces, solved twice in different orders

struct Seen {
  Mechanism mechanism;
  Observation at_start;
  RankReport rank;
  double length = 0.0;

  const Reaction& joint(const std::string& name) const {
    for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
      if (mechanism.joints[k].name == name) return at_start.joints[k];
    }
    throw ContractError("no joint " + name);
  }
};

Seen observe(const Mechanism& mechanism, double reaction_length = 0.0) {
  Seen out{mechanism, {}, {}, 0.0};
  const Assembly assembly = assemble(mechanism);
  expect(assembly.ok, assembly.problem);
  SystemOptions options;
  options.reaction_length = reaction_length;
  const auto system = makeSystem(mechanism, startingFrom(assembly, options));
  const auto work = system->makeWorkspace();
  expect(system->observe(0.0, assembly.state(), system->startModes(), *work, out.at_start) == Eval::ok,
         system->describeFailure(*work));
  out.rank = system->rankReport(0.0, assembly.state(), system->startModes(), *work);
  out.length = system->reactionLength();
  return out;
}

// The same mechanism with its joints in another order: old joint order[k] becomes joint k.
Mechanism reordered(const Mechanism& mechanism, const std::vector<std::size_t>& order) {
  Mechanism out = mechanism;
  std::vector<int> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    out.joints[k] = mechanism.joints[order[k]];
    place[order[k]] = static_cast<int>(k);
  }
  for (auto& given : out.initial) {
    const QuantityKind kind = given.quantity.kind;
    if (kind == QuantityKind::joint_angle || kind == QuantityKind::joint_angle_rate ||
        kind == QuantityKind::joint_slide || kind == QuantityKind::joint_slide_rate) {
      given.quantity.index = place[static_cast<std::size_t>(given.quantity.index)];
    }
  }
  return out;
}

void expectSame(const Seen& a, const Seen& b) {
  double size = 0.0;
  for (const Reaction& reaction : a.at_start.joints) {
    for (const double force : reaction.force_on_second) size = std::max(size, std::abs(force));
  }
  for (const Joint& joint : a.mechanism.joints) {
    const Reaction& one = a.joint(joint.name);
    const Reaction& other = b.joint(joint.name);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(one.force_on_second[k], other.force_on_second[k], kRelative * size) << joint.name << k;
      EXPECT_NEAR(one.moment_on_second[k], other.moment_on_second[k], kRelative * size * a.length) << joint.name << k;
    }
    EXPECT_EQ(one.force_unique, other.force_unique) << joint.name;
    EXPECT_EQ(one.moment_unique, other.moment_unique) << joint.name;
  }
}

TEST(Reactions, OfThreeCranksDoNotDependOnTheOrderOfTheJoints) {
  const Mechanism mechanism = readShippedModel("parallelogram_three_cranks");
  const Seen drawn = observe(mechanism);
  EXPECT_EQ(drawn.rank.rows - drawn.rank.rank, 1);
  std::vector<std::string> dropped = drawn.rank.dependent_rows;
  for (const auto& order : {std::vector<std::size_t>{5, 4, 3, 2, 1, 0}, {3, 0, 4, 1, 5, 2}, {4, 1, 0, 3, 2, 5}}) {
    const Seen other = observe(reordered(mechanism, order));
    expectSame(drawn, other);
    dropped.insert(dropped.end(), other.rank.dependent_rows.begin(), other.rank.dependent_rows.end());
  }
  // The test is worth something only if different rows were left out.
  EXPECT_NE(std::count(dropped.begin(), dropped.end(), dropped.front()), static_cast<std::ptrdiff_t>(dropped.size()));
}

// At each pin the direction across the crank is unique and no other: with one row taken away by a slot, whichever, it
// is the same, while the forces along the cranks are not.
TEST(Reactions, OfThreeCranksAreUniqueAcrossTheCrank) {
  const Mechanism mechanism = readShippedModel("parallelogram_three_cranks");
  const Seen full = observe(mechanism);
  const double along[] = {0.6, -0.8};  // all cranks
  for (const Joint& joint : mechanism.joints) {
    EXPECT_FALSE(full.joint(joint.name).unique);
    EXPECT_THAT(full.joint(joint.name).force_unique, ElementsAre(false, false, true));
    EXPECT_THAT(full.joint(joint.name).moment_unique, Each(true));  // a pin has none
  }
  for (std::size_t slot = 0; slot < mechanism.joints.size(); ++slot) {
    Mechanism less = mechanism;
    less.joints[slot].kind = JointKind::pin_slot;  // along x of the second body's frame
    less.joints[slot].on_second.angle = 0.3;
    const Seen reduced = observe(less);
    EXPECT_EQ(reduced.rank.rank, reduced.rank.rows);
    double moved = 0.0;
    for (const Joint& joint : mechanism.joints) {
      const auto& a = full.joint(joint.name).force_on_second;
      const auto& b = reduced.joint(joint.name).force_on_second;
      EXPECT_TRUE(reduced.joint(joint.name).unique);
      EXPECT_NEAR(along[0] * a[1] - along[1] * a[0], along[0] * b[1] - along[1] * b[0], 1e-9) << joint.name;
      moved = std::max(moved, std::abs(along[0] * (a[0] - b[0]) + along[1] * (a[1] - b[1])));
    }
    EXPECT_GT(moved, 0.1);
  }
}

// A door of weight W, its centre of mass at c from the axis of two hinges a distance d apart. Forces F and -F across,
// moments m and m: F d + 2 m = W c with the least 2 F^2 + 2 (m / L)^2 is F = W c d / (d^2 + 4 L^2), m = 2 W c L^2 /
// (d^2 + 4 L^2).
Mechanism doorOnTwoHinges() {
  Mechanism m;
  m.space = Space::spatial;
  m.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
  const BodyIndex door = test::addBody(m, "door", 20.0, 1.1);
  m.bodies.back().tensor = Tensor{7.0, 6.0, 1.1, 0.0, 0.0, 0.0};
  m.bodies.back().com = {Value(0.4), Value(0.0), Value(1.0)};
  for (const double height : {0.3, 1.7}) {
    const Frame frame{{Value(0.0), Value(0.0), Value(height)}, Value(0.0), kNoTurn};
    test::addJoint(m, height < 1 ? "low" : "high", JointKind::revolute, kGround, frame, door, frame);
  }
  return m;
}

TEST(Reactions, OfADoorOnTwoHingesAreTheLeastThatFit) {
  const double torque = 20.0 * 9.81 * 0.4;
  const double d = 1.4;
  EXPECT_NEAR(observe(doorOnTwoHinges()).length, 0.7, 1e-12);  // rms distance of the hinges from their centroid
  for (const double length : {0.7, 0.05, 3.0}) {
    const Seen seen = observe(doorOnTwoHinges(), length);
    EXPECT_EQ(seen.rank.rows, 10);
    EXPECT_EQ(seen.rank.rank, 5);
    const double force = torque * d / (d * d + 4 * length * length);
    const double moment = 2 * torque * length * length / (d * d + 4 * length * length);
    for (const char* name : {"low", "high"}) {
      const Reaction& hinge = seen.joint(name);
      EXPECT_NEAR(std::abs(hinge.force_on_second[0]), force, 1e-9) << name;
      EXPECT_NEAR(hinge.force_on_second[2], 10.0 * 9.81, 1e-9) << name;
      EXPECT_NEAR(std::abs(hinge.moment_on_second[1]), moment, 1e-9) << name;
      EXPECT_THAT(hinge.force_unique, Each(false));
      EXPECT_THAT(hinge.moment_unique, ElementsAre(false, false, true));
      EXPECT_THAT(hinge.moment_on_first_unique, ElementsAre(false, false, true));
    }
    expectSame(seen, observe(reordered(doorOnTwoHinges(), {1, 0}), length));
  }
}

// Fx and Fy of a planar four-bar in space are those of the plane at every sample; Fz, Mx, My are unique in no joint.
TEST(Reactions, OfALiftedFourBarAreUniqueInItsPlane) {
  const Mechanism flat = readShippedModel("four_bar");
  RunOptions options = runOptions(flat);
  options.until = 0.5;
  options.output_step = 0.05;
  options.steps.rtol = 1e-12;
  options.steps.atol = 1e-13;
  const Result plane = runModel(flat, options);
  const Result space = runModel(liftToSpace(flat), options);
  EXPECT_THAT(seriesNotUnique(plane), SizeIs(0));
  EXPECT_EQ(space.ledger.rows - space.ledger.rank, 3);
  for (const Joint& joint : flat.joints) {
    for (const char* unique : {".force.x", ".force.y", ".moment.z"})
      EXPECT_TRUE(space.find(joint.name + unique)->unique);
    for (const char* not_unique : {".force.z", ".moment.x", ".moment.y", ".moment_on_first.x"}) {
      EXPECT_FALSE(space.find(joint.name + not_unique)->unique) << joint.name << not_unique;
    }
  }
  EXPECT_LT(differenceOfUnique(plane, space, isReaction), 1e-9);  // a few hundred steps of 1e-12
  EXPECT_LT(differenceOfUnique(plane, space, [](const std::string& name) { return name.ends_with("_rate"); }), 1e-9);
}

// --- in a run
// ------------------------------------------------------------------------------------------------------------

TEST(Reactions, NotUniqueOverARunAreMarkedSeriesBySeries) {
  const Mechanism mechanism = readShippedModel("parallelogram_three_cranks");
  RunOptions options = runOptions(mechanism);
  options.until = 1.0;
  const Result drawn = runModel(mechanism, options);
  EXPECT_THAT(seriesNotUnique(drawn), SizeIs(12));
  EXPECT_FALSE(drawn.find("K2.force.x")->unique);
  EXPECT_TRUE(drawn.find("coupler.x")->unique);
  // Another order of joints, another sum of round-off, and the same motion and reactions; those of least norm too.
  const Result other = runModel(reordered(mechanism, {5, 3, 1, 4, 2, 0}), options);
  EXPECT_LT(differenceOfUnique(drawn, other, [](const std::string& name) { return name.starts_with("coupler."); }),
            1e-7);
  for (const Joint& joint : mechanism.joints) {
    const auto& a = drawn.find(joint.name + ".force.x")->values;
    const auto& b = other.find(joint.name + ".force.x")->values;
    for (std::size_t k = 0; k < a.size(); ++k) ASSERT_NEAR(a[k], b[k], 1e-5) << joint.name;
  }
  EXPECT_THROW(differenceOfUnique(drawn, other, isReaction), ContractError);  // none to compare
}

// The links of the N-four-bar lie on one line ten times in ten seconds, at a multiple of half a turn. Steps of one run
// jump over these poses, those of another end in them: both find all, at the same times.
TEST(RankChanges, AreFoundAndNamedAtEveryTolerance) {
  const Mechanism mechanism = readShippedModel("n_four_bar");
  std::vector<double> times;
  for (const double rtol : {1e-11, 1e-9, 1e-6}) {
    const Result result = runTo(mechanism, 10.0, rtol);
    const auto& changes = result.ledger.rank_changes;
    ASSERT_EQ(changes.size(), 10U) << rtol;
    for (std::size_t k = 0; k < changes.size(); ++k) {
      EXPECT_EQ(changes[k].rank, 12) << rtol << ' ' << changes[k].time;
      EXPECT_FALSE(changes[k].lasts);
      EXPECT_THAT(changes[k].joints, ElementsAre("A0", "A1", "A2", "B0", "B1a", "B1b", "B2"));
      if (times.size() <= k) times.push_back(changes[k].time);
      // 30 rtol of error of the motion; interpolation between steps is of lower order.
      EXPECT_NEAR(changes[k].time, times[k], std::max(1e-6, 100 * rtol)) << rtol;
    }
    EXPECT_THAT(ledgerLines(result)[2].sentence, ::testing::HasSubstr("to 12 (joints A0, A1, A2"));
  }
  // The first: the left upright falls from straight up, 1 rad/s, through a quarter turn.
  const Result first = runTo(mechanism, times[0], 1e-11);
  EXPECT_NEAR(lastOf(first, "left.angle"), 0.0, 1e-6);
}

// With impulses too; and with a method that has a history, whose impulses are in a gauge of their own when they come
// near such a pose.
TEST(RankChanges, AreFoundWithImpulsesAndPassed) {
  const Mechanism mechanism = readShippedModel("n_four_bar");
  const Result wanted = runTo(mechanism, 4.0, 1e-10);
  const auto& times = wanted.ledger.rank_changes;
  ASSERT_GT(times.size(), 2U);
  for (const char* integrator : {"dopri5", "cvode", "arkode"}) {
    if (findIntegrator(integrator)->sundials && !hasSundials()) continue;
    RunOptions options = runOptions(mechanism);
    options.until = 4.0;
    options.system.formulation = "hamiltonian";
    options.integrator = integrator;
    options.steps.rtol = options.steps.atol = 1e-10;
    const Result found = runModel(mechanism, options);
    ASSERT_EQ(found.status, RunStatus::complete) << integrator << ": " << found.message;
    const auto& changes = found.ledger.rank_changes;
    ASSERT_EQ(changes.size(), times.size()) << integrator;
    for (std::size_t k = 0; k < changes.size(); ++k) {
      EXPECT_NEAR(changes[k].time, times[k].time, 1e-5) << integrator;
      EXPECT_EQ(changes[k].joints, times[k].joints) << integrator;
    }
    EXPECT_NEAR(lastOf(found, "left.angle"), lastOf(wanted, "left.angle"), 1e-6) << integrator;
    EXPECT_LT(found.ledger.worst_energy_balance, 1e-5) << integrator;
  }
}

// In steps so long that the distance from such a pose has risen, falls and rises again within two of them.
TEST(RankChanges, AreFoundInTheLongStepsOfOrderEight) {
  const Mechanism mechanism = readShippedModel("n_four_bar");
  const auto wanted = runTo(mechanism, 4.0, 1e-9).ledger.rank_changes;
  ASSERT_GT(wanted.size(), 2U);
  for (const char* formulation : {"absolute", "recursive", "linkage"}) {
    for (const double rtol : {1e-6, 1e-8}) {
      RunOptions options = runOptions(mechanism);
      options.until = 4.0;
      options.system.formulation = formulation;
      options.integrator = "dop853";
      options.steps.rtol = rtol;
      options.steps.atol = 1e-2 * rtol;
      const auto found = runModel(mechanism, options).ledger.rank_changes;
      ASSERT_EQ(found.size(), wanted.size()) << formulation << ' ' << rtol;
      for (std::size_t k = 0; k < found.size(); ++k)
        EXPECT_NEAR(found[k].time, wanted[k].time, 1e3 * rtol) << formulation << ' ' << rtol;
    }
  }
}

// Driven at 3 rad/s from straight up the uprights lie level at pi/6, pi/2, 5 pi/6 and 7 pi/6 s, also where a step is a
// third of a radian.
TEST(RankChanges, OfADrivenMechanismComeWhenTheDriveSays) {
  Mechanism mechanism = readShippedModel("n_four_bar");
  mechanism.initial.clear();
  const Joint& pivot = mechanism.joints[0];
  test::addDrive(mechanism, "motor", DriveKind::angle, pivot.first, pivot.on_first, pivot.second, pivot.on_second,
                 Expr(std::numbers::pi / 2) - Expr(3.0) * Expr::symbol("t"));
  for (const double rtol : {1e-4, 1e-8, 1e-11}) {
    const Result result = runTo(mechanism, 4.0, rtol);
    const auto& changes = result.ledger.rank_changes;
    ASSERT_EQ(changes.size(), 4U) << rtol;
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(changes[k].time, (1.0 + 2.0 * static_cast<double>(k)) * std::numbers::pi / 6, 1e-6) << rtol;
      EXPECT_EQ(changes[k].rank, 13);
    }
    // A parallelogram all the way.
    EXPECT_NEAR(lastOf(result, "right.angle"), std::numbers::pi / 2 - 12.0, 1e-9) << rtol;
    EXPECT_NEAR(lastOf(result, "middle.angle"), std::numbers::pi / 2 - 12.0, 1e-9) << rtol;
  }
}

// A load with a corner just behind such a pose: the step that found both is taken back to the corner and passes the
// pose a second time, which is no second pose.
TEST(RankChanges, AreListedOnceThoughTheirStepIsTakenBack) {
  const Mechanism plain = readShippedModel("n_four_bar");
  const double first = runTo(plain, 2.0, 1e-6).ledger.rank_changes.at(0).time;
  for (const char* formulation : {"absolute", "recursive"}) {
    for (const double behind : {0.002, 0.01, 0.03, 0.06}) {
      std::string text = std::string(R"(
linkwork = 1
space = "planar"
gravity = [0, -9.81]
[points]
A0 = [0, 0]
A1 = [1, 0]
A2 = [2, 0]
B0 = [0, 1]
B1 = [1, 1]
B2 = [2, 1]
[bodies]
left = { rod = ["A0", "B0"], mass = 1 }
middle = { rod = ["A1", "B1"], mass = 1 }
right = { rod = ["A2", "B2"], mass = 1 }
top1 = { rod = ["B0", "B1"], mass = 1 }
top2 = { rod = ["B1", "B2"], mass = 1 }
[joints]
A0 = { revolute = ["ground", "left"] }
A1 = { revolute = ["ground", "middle"] }
A2 = { revolute = ["ground", "right"] }
B0 = { revolute = ["left", "top1"] }
B1a = { revolute = ["top1", "middle"], at = "B1" }
B1b = { revolute = ["middle", "top2"], at = "B1" }
B2 = { revolute = ["top2", "right"] }
[initial]
A0.rate = -1
[loads]
kink = { actuator = "A0", torque = "0.01*max(0, -)") +
                         fmt::format("{}", behind) + " - A0.angle)\" }\n";
      Diagnostics diagnostics;
      const auto mechanism = readModelText(text, "kink.toml", diagnostics);
      ASSERT_TRUE(mechanism.has_value()) << diagnostics.format();
      const Result result = [&] {
        RunOptions options = runOptions(*mechanism);
        options.until = 1.1 * first;
        options.integrator = "dop853";
        options.system.formulation = formulation;
        options.steps.rtol = options.steps.atol = 1e-6;
        return runModel(*mechanism, options);
      }();
      ASSERT_EQ(result.status, RunStatus::complete) << result.message;
      EXPECT_THAT(result.ledger.rank_changes, SizeIs(1)) << formulation << ' ' << behind;
    }
  }
}

TEST(RankChanges, AreNotSeenWhereThereAreNone) {
  for (const char* name : {"parallelogram_three_cranks", "four_bar", "peaucellier", "scissor_lift"}) {
    EXPECT_THAT(runModel(readShippedModel(name), runOptions(readShippedModel(name))).ledger.rank_changes, SizeIs(0))
        << name;
  }
}

}  // namespace reactions_test
}  // namespace linkwork::validation
