// The linkage formulation against absolute coordinates: accelerations and reactions at the same states.
#include "linkwork/formulation/linkage/linkage_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "linkwork/base/contract.hpp"
#include "linkwork/formulation/make_system.hpp"
#include "linkwork/model/driven_mechanisms_for_tests.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace linkage_system_test {

using test::addBody;
using test::addJoint;
using test::frameAt;
using ::testing::TestWithParam;

constexpr double kTolerance = 1e-12;  // of the largest entry

std::unique_ptr<MechanismSystem> make(const Mechanism& mechanism, const std::string& formulation,
                                      const std::vector<int>& dependent = {}) {
  SystemOptions options;
  options.formulation = formulation;
  options.dependent_rows = dependent;
  return makeSystem(mechanism, options);
}

Observation seen(const MechanismSystem& system, double t, const std::vector<double>& x) {
  const auto work = system.makeWorkspace();
  Observation out;
  EXPECT_EQ(system.observe(t, x, system.startModes(), *work, out), Eval::ok) << system.describeFailure(*work);
  return out;
}

void expectNear(double a, double b, double size, const char* what) { EXPECT_NEAR(a, b, kTolerance * size) << what; }

void expectSameMotion(const Observation& a, const Observation& b) {
  double acceleration = 1.0;
  double turning = 1.0;
  double force = 1.0;
  for (const BodyMotion& body : b.bodies) {
    for (const double c : body.acceleration) acceleration = std::max(acceleration, std::abs(c));
    turning = std::max(turning, std::abs(body.angular_acceleration[2]));
  }
  for (const Reaction& joint : b.joints) {
    for (const double c : joint.force_on_second) force = std::max(force, std::abs(c));
  }
  for (std::size_t k = 0; k < b.bodies.size(); ++k) {
    for (std::size_t d = 0; d < 2; ++d) {
      expectNear(a.bodies[k].acceleration[d], b.bodies[k].acceleration[d], acceleration, "acceleration");
    }
    expectNear(a.bodies[k].angular_acceleration[2], b.bodies[k].angular_acceleration[2], turning, "angular");
  }
  for (std::size_t k = 0; k < b.joints.size(); ++k) {
    EXPECT_EQ(a.joints[k].unique, b.joints[k].unique);
    for (std::size_t d = 0; d < 2; ++d) {
      expectNear(a.joints[k].force_on_second[d], b.joints[k].force_on_second[d], 10.0 * force, "reaction");
    }
  }
  for (std::size_t k = 0; k < b.drive_efforts.size(); ++k) {
    expectNear(a.drive_efforts[k], b.drive_efforts[k], 10.0 * std::max(force, std::abs(b.drive_efforts[k])), "drive");
  }
  EXPECT_NEAR(a.kinetic, b.kinetic, kTolerance * std::max(1.0, b.kinetic));
  EXPECT_NEAR(a.potential, b.potential, kTolerance * std::max(1.0, std::abs(b.potential)));
}

// At a consistent state both formulations must say the same.
void compareAt(const Mechanism& mechanism, double t, const std::vector<double>& absolute,
               const std::vector<int>& dependent = {}) {
  const auto linkage = make(mechanism, "linkage", dependent);
  const auto reference = make(mechanism, "absolute", dependent);
  const std::vector<double> x = linkage->fromAbsolute(t, absolute);
  const std::vector<double> back = linkage->toAbsolute(t, x, linkage->startModes());
  ASSERT_EQ(back.size(), absolute.size());
  for (std::size_t k = 0; k < back.size(); ++k) EXPECT_NEAR(back[k], absolute[k], 1e-12) << k;
  const Observation a = seen(*linkage, t, x);
  expectSameMotion(a, seen(*reference, t, back));
  // The rate of supplied work, the last derivative.
  const auto work = linkage->makeWorkspace();
  const auto reference_work = reference->makeWorkspace();
  std::vector<double> xdot(x.size());
  std::vector<double> reference_xdot(back.size());
  ASSERT_EQ(linkage->derivative(t, x, linkage->startModes(), *work, xdot), Eval::ok);
  ASSERT_EQ(reference->derivative(t, back, reference->startModes(), *reference_work, reference_xdot), Eval::ok);
  EXPECT_NEAR(xdot.back(), reference_xdot.back(), 1e-11 * std::max(1.0, std::abs(reference_xdot.back())));
  const RowRank expected = reference->factorRows(t, back, reference->startModes(), *reference_work);
  const RowRank rows = linkage->factorRows(t, x, linkage->startModes(), *work);
  EXPECT_EQ(rows.freedoms, expected.freedoms);
  EXPECT_EQ(rows.rank, expected.rank);
}

// A forest of links with loads of many kinds; the order of bodies and of names in joints is shuffled.
Mechanism randomForest(unsigned seed, int links) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto number = [&] { return uniform(random); };
  Mechanism m;
  m.gravity = {Value(2.0 * number()), Value(-9.81)};
  for (int b = 0; b < links; ++b) {
    addBody(m, fmt::format("b{}", b), 1.2 + number(), 0.5 + 0.4 * number());
    m.bodies.back().com = {Value(number()), Value(number())};
  }
  for (int b = links - 1; b >= 0; --b) {  // a base has a higher number here
    const int base = b == links - 1 ? -1 : std::uniform_int_distribution<int>(b + 1, links)(random);
    const BodyIndex on = base < 0 || base == links ? kGround : BodyIndex(base);
    const Frame first = frameAt(number(), number(), number());
    const Frame second = frameAt(number(), number(), number());
    if (number() > 0.0) {
      addJoint(m, fmt::format("j{}", b), JointKind::revolute, on, first, BodyIndex(b), second);
    } else {
      addJoint(m, fmt::format("j{}", b), JointKind::revolute, BodyIndex(b), second, on, first);
    }
  }
  test::addSpring(m, "spring", BodyIndex(0), frameAt(0.3, 0.1), kGround, frameAt(2.0, 1.0), 40.0, 3.0, 0.5);
  test::addSpring(m, "between", BodyIndex(0), frameAt(0.3, 0.1), BodyIndex(links - 1), frameAt(0.4, -0.3), 25.0, 1.0,
                  0.2);
  test::addCouple(m, "motor", BodyIndex(links - 1), BodyIndex(0), Expr(3.0) * cos(Expr::symbol("t")));
  return m;
}

std::vector<double> randomState(const MechanismSystem& system, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-3.0, 3.0);
  std::vector<double> x(static_cast<std::size_t>(system.space().size()));
  for (double& e : x) e = uniform(random);
  return x;
}

TEST(LinkageSystem, MovesForestsAsAbsoluteCoordinatesDo) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const Mechanism m = randomForest(seed, 1 + static_cast<int>(seed % 6));
    const auto linkage = make(m, "linkage");
    compareAt(m, 0.7, linkage->toAbsolute(0.7, randomState(*linkage, seed), linkage->startModes()));
  }
}

TEST(LinkageSystem, TurnsDrivenForestsAsAbsoluteCoordinatesDo) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    Mechanism m = randomForest(seed, 4);
    // The rows of a drive need not hold: accelerations do not ask for the angle itself.
    test::addDrive(m, "turn", DriveKind::angle, m.joints[0].first, m.joints[0].on_first, m.joints[0].second,
                   m.joints[0].on_second, Expr(0.3) * sin(Expr(2.0) * Expr::symbol("t")));
    const auto linkage = make(m, "linkage");
    compareAt(m, 0.4, linkage->toAbsolute(0.4, randomState(*linkage, seed), linkage->startModes()));
  }
}

TEST(LinkageSystem, ClosesAParallelogramOfTwoCranks) {
  const test::State state = test::parallelogramStart(2);
  compareAt(test::parallelogram(2), 0.0, state.x());
  Mechanism shifted = test::parallelogram(2);
  test::shiftFrames(shifted, 0.13, -0.21);
  compareAt(shifted, 0.0, state.x());
}

// Three cranks: a row too many; the motion is unique, the reactions of least norm are the same.
TEST(LinkageSystem, FindsTheRedundantRowOfThreeCranks) {
  const Mechanism m = test::parallelogram(3);
  const std::vector<double> absolute = test::parallelogramStart(3).x();
  compareAt(m, 0.0, absolute);
  const auto system = make(m, "linkage");
  const auto work = system->makeWorkspace();
  const RankReport report = system->rankReport(0.0, system->fromAbsolute(0.0, absolute), system->startModes(), *work);
  EXPECT_EQ(report.rank, 11);
  EXPECT_EQ(report.dependent_rows.size(), 1U);
  EXPECT_EQ(report.freedoms, 1);
}

// Any spanning tree gives the same motion: cut elsewhere, also inside, away from the ground.
TEST(LinkageSystem, DoesNotDependOnWhichHingeIsCut) {
  const std::vector<double> absolute = test::parallelogramStart(2).x();
  for (std::size_t cut = 0; cut < 4; ++cut) {
    Mechanism m = test::parallelogram(2);
    m.joints[cut].cut = true;
    ASSERT_EQ(linkage::planLinkage(m).cut_joint, std::vector<int>{static_cast<int>(cut)});
    compareAt(m, 0.0, absolute);
  }
}

// The coupler weighs nothing: H alone is singular, with the rows it is not.
TEST(LinkageSystem, TakesMasslessLinksHeldByTheirHinges) {
  Mechanism m = test::parallelogram(2);
  m.loads.clear();
  m.bodies[2].mass = 0.0;
  m.bodies[2].inertia = 0.0;
  for (std::size_t cut = 0; cut < 4; ++cut) {
    Mechanism by_cut = m;
    by_cut.joints[cut].cut = true;
    compareAt(by_cut, 0.0, test::parallelogramStart(2).x());
  }
}

TEST(LinkageSystem, SaysWhichLinkHasNoInertia) {
  Mechanism m;
  m.gravity = {Value(0.0), Value(-9.81)};
  addBody(m, "arm", 1.0, 0.1);
  addBody(m, "ghost", 0.0, 0.0);
  addJoint(m, "O", JointKind::revolute, kGround, frameAt(0, 0), BodyIndex(0), frameAt(-0.5, 0));
  addJoint(m, "A", JointKind::revolute, BodyIndex(0), frameAt(0.5, 0), BodyIndex(1), frameAt(-0.5, 0));
  const auto system = make(m, "linkage");
  const auto work = system->makeWorkspace();
  std::vector<double> x(5, 0.3);
  std::vector<double> xdot(5);
  EXPECT_EQ(system->derivative(0.0, x, system->startModes(), *work, xdot), Eval::failed);
  EXPECT_NE(system->describeFailure(*work).find("body \"ghost\" has no inertia"), std::string::npos)
      << system->describeFailure(*work);
}

TEST(LinkageSystem, ProjectionClosesTheLoopsAgain) {
  const Mechanism m = test::parallelogram(3);
  const auto system = make(m, "linkage", {11});
  const auto work = system->makeWorkspace();
  std::vector<double> x = system->fromAbsolute(0.0, test::parallelogramStart(3).x());
  for (std::size_t k = 0; k < x.size() - 1; ++k) x[k] += 1e-4 * std::sin(3.0 + static_cast<double>(k));
  EXPECT_GT(system->violation(0.0, x, system->startModes(), *work).position, 1e-5);
  const AfterStep after = system->afterStep(0.0, x, system->startModes(), *work);
  EXPECT_EQ(after.eval, Eval::ok) << system->describeFailure(*work);
  EXPECT_TRUE(after.changed);
  const Violation left = system->violation(0.0, x, system->startModes(), *work);
  EXPECT_LT(left.position, 1e-14);
  EXPECT_LT(left.velocity, 1e-13);
}

TEST(LinkagePlan, SaysWhatIsInTheWay) {
  EXPECT_EQ(linkage::linkageObstacle(test::sliderPendulum()),
            "joint \"P\" is prismatic, and linkage is made of hinges (revolute)");
  Mechanism free;
  addBody(free, "stone", 1.0, 0.1);
  free.bodies.back().free = true;
  EXPECT_EQ(linkage::linkageObstacle(free),
            "body \"stone\" hangs on no hinge that leads to the ground, and linkage has no floating links");
  Mechanism spatial = test::fourBar();
  spatial.space = Space::spatial;
  EXPECT_NE(linkage::linkageObstacle(spatial).find("in space"), std::string::npos);
  EXPECT_THROW(linkage::planLinkage(test::sliderPendulum()), ContractError);
  EXPECT_EQ(linkage::linkageObstacle(test::fourBar()), "");
}

TEST(LinkagePlan, TellsTheSeedsSteps) {
  const Mechanism m = test::fourBar();
  const std::vector<std::string> words = linkage::planInWords(m, linkage::planLinkage(m));
  ASSERT_GE(words.size(), 5U);
  EXPECT_EQ(words[0].rfind("roots: 1 (crank)", 0), 0U) << words[0];
  EXPECT_NE(words.back().find("cut 1 = "), std::string::npos) << words.back();
}

}  // namespace linkage_system_test
}  // namespace linkwork
