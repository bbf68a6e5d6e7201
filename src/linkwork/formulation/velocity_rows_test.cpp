// Rows that hold velocities alone, through the formulations that take them: rank and freedoms at both levels,
// accelerations, multipliers, and the equations that keep their constraints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/formulation/drawn_state_for_tests.hpp"
#include "linkwork/formulation/recursive/recursive_system.hpp"
#include "linkwork/model/skates_for_tests.hpp"
#include "linkwork/system/mechanical_laws_for_tests.hpp"

namespace linkwork {
namespace velocity_rows_test {

using namespace test;
using ::testing::HasSubstr;

std::unique_ptr<MechanismSystem> systemOf(const Mechanism& m, const std::string& formulation,
                                          const std::string& stabilisation = "none") {
  SystemOptions options;
  options.formulation = formulation;
  options.stabilisation = stabilisation;
  return makeSystem(m, options);
}

const std::vector<std::string> kTakeThem{"absolute", "recursive"};

// The rod of the tug does not close in the drawing; what is asked for here holds all the same.
std::vector<double> movingTug() {
  std::vector<double> x = drawnState(tug());
  const double v[] = {0.3, -0.2, 0.8, 0.1, 0.4, -0.5};
  std::copy(std::begin(v), std::end(v), x.begin() + 6);
  return x;
}

TEST(VelocityRows, LeaveMoreFreedomsOfPositionThanOfVelocity) {
  for (const std::string& formulation : kTakeThem) {
    SCOPED_TRACE(formulation);
    const Mechanism plane = skate(Space::planar);
    const auto system = systemOf(plane, formulation);
    const auto work = system->makeWorkspace();
    const RankReport report =
        system->rankReport(0.0, system->fromAbsolute(0.0, drawnState(plane)), system->startModes(), *work);
    EXPECT_EQ(report.rows, 1);
    EXPECT_EQ(report.rank, 1);
    EXPECT_EQ(report.freedoms, 2);
    EXPECT_EQ(report.position_freedoms, 3);

    const Mechanism space = skate(Space::spatial);
    const auto spatial = systemOf(space, formulation);
    const auto spatial_work = spatial->makeWorkspace();
    const RowRank rows =
        spatial->factorRows(0.0, spatial->fromAbsolute(0.0, drawnState(space)), spatial->startModes(), *spatial_work);
    EXPECT_EQ(rows.rank, 4);
    EXPECT_EQ(rows.velocity_rank, 1);
    EXPECT_EQ(rows.freedoms, 2);
    EXPECT_EQ(rows.positionFreedoms(), 3);
  }
}

// A slider along x. A blade along the guide repeats it; a blade across it stops the slider and keeps it from no place.
TEST(VelocityRows, DependOnRowsOfPositionsAndNotTheOtherWayRound) {
  for (const bool along : {true, false}) {
    Mechanism m;
    const BodyIndex body = addBody(m, "slider", 1.0, 0.1);
    addJoint(m, "blade", JointKind::knife_edge, kGround, frameAt(0, 0), body,
             frameAt(0, 0, along ? 0.0 : 0.5 * std::numbers::pi));
    addJoint(m, "guide", JointKind::prismatic, body, frameAt(0, 0), kGround, frameAt(0, 0)).cut = true;
    for (const std::string& formulation : kTakeThem) {
      SCOPED_TRACE(formulation + (along ? ", along" : ", across"));
      const auto system = systemOf(m, formulation);
      const auto work = system->makeWorkspace();
      const RankReport report =
          system->rankReport(0.0, system->fromAbsolute(0.0, drawnState(m)), system->startModes(), *work);
      EXPECT_EQ(report.rows, 3);
      EXPECT_EQ(report.freedoms, along ? 1 : 0);
      EXPECT_EQ(report.position_freedoms, 1);
      EXPECT_EQ(report.dependent_rows, along ? std::vector<std::string>{"blade.across"} : std::vector<std::string>{});
    }
  }
}

// Of the skate at angle p, turning at w, going along its blade at u: m (a across the blade) = m u w, and along it
// gravity alone; the blade carries what is left.
TEST(VelocityRows, GiveTheAccelerationAndTheForceOfTheBlade) {
  const SkateNumbers n;
  const double p = 0.6;
  const double u = 1.1;
  const Mechanism m = skate(Space::planar, n);
  for (const std::string& formulation : kTakeThem) {
    SCOPED_TRACE(formulation);
    const auto system = systemOf(m, formulation);
    const auto work = system->makeWorkspace();
    const std::vector<double> x =
        system->fromAbsolute(0.0, std::vector<double>{0.3, -0.2, p, u * std::cos(p), u * std::sin(p), n.turning, 0.0});
    Observation seen;
    ASSERT_EQ(system->observe(0.0, x, system->startModes(), *work, seen), Eval::ok) << system->describeFailure(*work);
    const double along = n.slope_pull * std::cos(p);
    const double across = u * n.turning;
    EXPECT_NEAR(seen.bodies[0].acceleration[0], along * std::cos(p) - across * std::sin(p), 1e-14);
    EXPECT_NEAR(seen.bodies[0].acceleration[1], along * std::sin(p) + across * std::cos(p), 1e-14);
    EXPECT_NEAR(seen.bodies[0].angular_acceleration[2], 0.0, 1e-14);
    const double force = n.mass * (across + n.slope_pull * std::sin(p));
    EXPECT_NEAR(seen.multipliers[0], force, 1e-13);
    EXPECT_NEAR(seen.joints[0].force_on_second[0], -force * std::sin(p), 1e-13);
    EXPECT_NEAR(seen.joints[0].force_on_second[1], force * std::cos(p), 1e-13);
    EXPECT_EQ(seen.violation.position, 0.0);
    EXPECT_LT(seen.violation.velocity, 1e-15);
    EXPECT_LT(seen.violation.acceleration, 1e-14);
  }
}

// Two blades in one place carry half each; the motion is as before.
TEST(VelocityRows, ThatRepeatEachOtherShareTheForce) {
  const SkateNumbers n;
  Mechanism m = skate(Space::planar, n);
  m.joints.push_back(m.joints[0]);
  m.joints.back().name = "second";
  for (const std::string& formulation : kTakeThem) {
    SCOPED_TRACE(formulation);
    const auto system = systemOf(m, formulation);
    const auto work = system->makeWorkspace();
    const std::vector<double> x = system->fromAbsolute(0.0, std::vector<double>{0, 0, 0, 1.1, 0, n.turning, 0.0});
    EXPECT_EQ(system->factorRows(0.0, x, system->startModes(), *work).freedoms, 2);
    EXPECT_EQ(system->factorRows(0.0, x, system->startModes(), *work).positionFreedoms(), 3);
    Observation seen;
    ASSERT_EQ(system->observe(0.0, x, system->startModes(), *work, seen), Eval::ok) << system->describeFailure(*work);
    EXPECT_NEAR(seen.multipliers[0], 0.5 * n.mass * 1.1 * n.turning, 1e-13);
    EXPECT_NEAR(seen.multipliers[1], seen.multipliers[0], 1e-13);
    EXPECT_FALSE(seen.joints[0].unique);
  }
}

// Where the rod is too long by 1e-3, closing it moves the sleighs along the rod and turns them: across their blades
// too, which say nothing about places. Afterwards no velocity is across a blade.
TEST(VelocityRows, LetPositionsBeClosedAcrossThem) {
  for (const std::string& formulation : kTakeThem) {
    for (const char* stabilisation : {"projection", "partitioning"}) {
      SCOPED_TRACE(formulation + " " + stabilisation);
      const Mechanism m = tug();
      const auto free = systemOf(skate(Space::planar), formulation);
      const auto system = systemOf(m, formulation, stabilisation);
      const auto work = system->makeWorkspace();
      std::vector<double> absolute = movingTug();
      // Second sleigh moved so that the rod is 0.901 m long.
      const double dx = (absolute[0] - 0.4 * std::cos(0.3) - 0.1 * std::sin(0.3)) - 0.3 * std::cos(-0.2);
      const double dy = (absolute[1] - 0.4 * std::sin(0.3) + 0.1 * std::cos(0.3)) - 0.3 * std::sin(-0.2);
      absolute[3] = dx - 0.901;
      absolute[4] = dy;
      std::vector<double> x = system->fromAbsolute(0.0, absolute);
      EXPECT_NEAR(system->violation(0.0, x, system->startModes(), *work).position, 1e-3, 1e-12);
      const AfterStep after = system->afterStep(0.0, x, system->startModes(), *work);
      ASSERT_EQ(after.eval, Eval::ok) << system->describeFailure(*work);
      EXPECT_TRUE(after.changed);
      EXPECT_LT(system->violation(0.0, x, system->startModes(), *work).position, 1e-14);
      EXPECT_LT(system->violation(0.0, x, system->startModes(), *work).velocity, 1e-14);
      ASSERT_TRUE(after.rows.has_value());
      EXPECT_EQ(after.rows->freedoms, 3);
      EXPECT_EQ(after.rows->positionFreedoms(), 5);
      if (std::string(stabilisation) == "partitioning") continue;
      // The correction is along M^-1 Phi_q^T of the rod: what it does to both sleighs is a pair of forces along it.
      const std::vector<double> closed = system->toAbsolute(0.0, x);
      const double first = 2.0 * (closed[0] - absolute[0]);
      const double second = 1.2 * (closed[3] - absolute[3]);
      EXPECT_GT(std::abs(first), 1e-4);
      EXPECT_NEAR(first + second, 0.0, 1e-5 * std::abs(first));  // to first order in the correction
      EXPECT_NEAR(closed[1] - absolute[1], 0.0, 2e-6);           // none across the rod
    }
  }
}

TEST(VelocityRows, KeepTheLawsOfMechanicalSystems) {
  const Mechanism plane = tug();
  const AbsoluteMechanical<Planar<double>> absolute(plane, {});
  EXPECT_EQ(absolute.level(0), RowLevel::velocity);
  EXPECT_EQ(absolute.level(2), RowLevel::position);
  MechanicalLaws laws{absolute, 0.2, movingTug(), {0.3, -1.2, 0.7}};
  laws.checkTangent();
}

// B y' = F with rows of both levels: F's Jacobian against central differences, of which 1e-6 leaves 1e-8 of the
// largest.
TEST(VelocityRows, AreRowsOfVelocitiesInEquationsThatKeepTheirConstraints) {
  const Mechanism m = tug();
  for (const std::string& formulation : kTakeThem) {
    for (const std::string stabilisation : {"index3", "ggl"}) {
      SCOPED_TRACE(formulation + " " + stabilisation);
      const auto system = systemOf(m, formulation, stabilisation);
      const DaeSystem& dae = *system->dae();
      // One mu, for the rod alone.
      EXPECT_EQ(dae.algebraic(), stabilisation == "ggl" ? 4 : 3);
      const int nx = dae.space().size();
      std::vector<double> y = system->fromAbsolute(0.0, movingTug());
      for (int k = 0; k < dae.algebraic(); ++k) y.push_back(0.0);
      for (int k = 0; k < dae.multipliers(); ++k) y[static_cast<std::size_t>(nx + k)] = 0.5 + k;
      const auto work = dae.makeWorkspace();
      const auto rightSide = [&](const std::vector<double>& at) {
        Eigen::VectorXd F(static_cast<Eigen::Index>(at.size()));
        EXPECT_EQ(dae.rightSide(0.0, at, system->startModes(), *work, {F.data(), at.size()}), Eval::ok);
        return F;
      };
      const Eigen::VectorXd F = rightSide(y);
      const Violation off = system->violation(0.0, std::span(y).first(static_cast<std::size_t>(nx)),
                                              system->startModes(), *system->makeWorkspace());
      EXPECT_NEAR(std::hypot(F[nx], F[nx + 1], stabilisation == "ggl" ? F[nx + 3] : 0.0),
                  stabilisation == "ggl" ? off.velocity : std::hypot(F[nx], F[nx + 1]), 1e-13);
      EXPECT_NEAR(std::abs(F[nx + 2]), off.position, 1e-13);
      const std::span<const int> index = dae.index();
      EXPECT_EQ(index[static_cast<std::size_t>(nx)], 2);
      EXPECT_EQ(index[static_cast<std::size_t>(nx + 2)], stabilisation == "ggl" ? 2 : 3);
      SparseMatrix found;
      ASSERT_EQ(dae.jacobian(0.0, y, system->startModes(), *work, found), Eval::ok);
      const Eigen::MatrixXd J = found;
      const int w = dae.space().quadratureOffset();
      for (std::size_t k = 0; k < y.size(); ++k) {
        std::vector<double> more = y;
        std::vector<double> less = y;
        more[k] += 1e-6;
        less[k] -= 1e-6;
        Eigen::VectorXd slope = (rightSide(more) - rightSide(less)) / 2e-6;
        slope[w] = 0.0;
        const double size = 1.0 + slope.cwiseAbs().maxCoeff();
        EXPECT_LT((slope - J.col(static_cast<Eigen::Index>(k))).cwiseAbs().maxCoeff(), 1e-6 * size) << "column " << k;
      }
    }
  }
}

TEST(VelocityRows, AreRefusedByNameWhereAFormulationDoesNotTakeThem) {
  const Mechanism m = skate(Space::planar);
  EXPECT_EQ(formulationProblem("absolute", m), "");
  EXPECT_EQ(formulationProblem("recursive", m), "");
  EXPECT_EQ(formulationProblem("hamiltonian", m), "");
  EXPECT_THAT(formulationProblem("linkage", m), HasSubstr("joint \"blade\" is knife_edge, and linkage is made of"));
}

TEST(VelocityRows, NameTheJointWhoseSpeedIsNoNumber) {
  const Mechanism m = belt(log(Expr::symbol("t")));
  for (const std::string& formulation : kTakeThem) {
    const auto system = systemOf(m, formulation);
    const auto work = system->makeWorkspace();
    std::vector<double> x = system->fromAbsolute(1.0, drawnState(m));
    std::vector<double> xdot(x.size());
    EXPECT_EQ(system->derivative(1.0, x, system->startModes(), *work, xdot), Eval::ok);
    EXPECT_NE(system->derivative(-1.0, x, system->startModes(), *work, xdot), Eval::ok);
    EXPECT_THAT(system->describeFailure(*work), HasSubstr("joint \"belt\" has no finite position, rate"));
  }
}

}  // namespace velocity_rows_test
}  // namespace linkwork
