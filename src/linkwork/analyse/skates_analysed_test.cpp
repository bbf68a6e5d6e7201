// What the analyses say of joints that hold velocities alone: positions do not know them, velocities obey them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "linkwork/analyse/linearise.hpp"
#include "linkwork/analyse/mobility_problem.hpp"
#include "linkwork/analyse/modes.hpp"
#include "linkwork/analyse/statics.hpp"
#include "linkwork/model/input_names.hpp"
#include "linkwork/model/skates_for_tests.hpp"

namespace linkwork {
namespace skates_analysed_test {

using namespace test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The rod is drawn 0.1 m too long. Closing it takes the nearest pose, as if there were no blades; the velocities are
// then along them.
TEST(VelocityRows, HaveASayInTheVelocitiesOfAssemblyOnly) {
  const Mechanism m = tug();
  Mechanism free = m;
  free.joints.erase(free.joints.begin(), free.joints.begin() + 2);
  const Assembly with = assemble(m);
  const Assembly without = assemble(free);
  ASSERT_TRUE(with.ok) << with.problem;
  ASSERT_TRUE(without.ok) << without.problem;
  EXPECT_GT(with.moved, 0.01);
  // Blades would forbid motions of some 0.01 m. The two iterations are damped by lengths that differ (joints count in
  // them), and end apart by the square of that times a small share.
  for (std::size_t k = 0; k < with.q.size(); ++k) EXPECT_NEAR(with.q[k], without.q[k], 1e-7) << k;
  EXPECT_LT(with.velocity_residual, 1e-14);
  EXPECT_NEAR(with.v[2], 0.8, 1e-14);
  EXPECT_NEAR(with.v[5], -0.5, 1e-14);
  EXPECT_EQ(with.velocity_rank, 2);
  EXPECT_EQ(without.velocity_rank, 0);
  EXPECT_TRUE(with.dependent_rows.empty());
}

TEST(VelocityRows, WithASpeedSetTheVelocityAtTheStart) {
  const Assembly assembly = assemble(belt(Expr(0.3) * cos(Expr(2.0) * Expr::symbol("t"))));
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  EXPECT_THAT(assembly.v, ElementsAre(::testing::DoubleNear(0.2, 1e-15), ::testing::DoubleNear(0.3, 1e-15),
                                      ::testing::DoubleNear(0.0, 1e-15)));
}

// A rate that the blade forbids is a contradiction in the velocities, and its place is in no one's way.
TEST(VelocityRows, RefuseARateAcrossThem) {
  Mechanism m = skate(Space::planar);
  startWith(m, "skate.y", 4.0);
  ASSERT_TRUE(assemble(m).ok);
  startWith(m, "skate.y_rate", 1.0);
  const Assembly assembly = assemble(m);
  EXPECT_FALSE(assembly.ok);
  EXPECT_THAT(assembly.problem, HasSubstr("skate.y_rate"));
}

TEST(VelocityRows, AreTwoNumbersInTheMobility) {
  const Mechanism m = tug();
  const Assembly assembly = assemble(m);
  const MobilityProblem problem = mobilityProblem(m, assembly.q);
  const MobilityReport report = analyseMobility(problem);
  EXPECT_EQ(report.all.rows, 3);
  EXPECT_EQ(report.all.rank, 3);
  EXPECT_EQ(report.all.velocity_rows, 2);
  EXPECT_EQ(report.all.velocity_rank, 2);
  EXPECT_EQ(report.all.here, 5);
  EXPECT_EQ(report.all.velocities(), 3);
  EXPECT_EQ(report.all.mobility, 5);
  EXPECT_EQ(report.kind, PoseKind::regular);
  EXPECT_THAT(mobilityText(problem, report),
              HasSubstr("in this pose: rank 3 of 3, so 3 velocities can be chosen freely\n2 equations hold velocities "
                        "alone and keep the mechanism from no pose: of positions there are 5 degrees of freedom"));
}

TEST(VelocityRows, AreRefusedByStatics) {
  const Mechanism m = skate(Space::planar);
  const Assembly assembly = assemble(m);
  EXPECT_THAT(findEquilibrium(m, assembly).problem, HasSubstr("joint \"blade\" holds velocities alone"));
  EXPECT_THAT(findEquilibria(m, assembly).problem, HasSubstr("joint \"blade\" holds velocities alone"));
}

// The sleigh going straight at u turns at w = (y' - u angle) / b, y that of its centre of mass, and w decays as
// w' = -(m b u / J) w. With x' and y' as the speeds: angle' = w, y'' = u w + b w' = (u - b decay) w.
TEST(VelocityRows, GiveALinearisationOfTheFirstOrder) {
  const SleighNumbers n;
  const double u = 0.9;
  Mechanism m = sleigh(n);
  m.initial.clear();
  startWith(m, "sleigh.x_rate", u);
  startWith(m, "sleigh.angle_rate", 0.0);
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  const Linearisation linear = linearise(m, assembly, 0.0, assembly.state());
  ASSERT_TRUE(linear.ok) << linear.problem;
  EXPECT_FALSE(linear.ofSecondOrder());
  EXPECT_THAT(linear.stateNames(),
              ElementsAre("sleigh.x", "sleigh.y", "sleigh.angle", "sleigh.x_rate", "sleigh.y_rate"));
  EXPECT_THAT(linear.stateUnits(), ElementsAre("m", "m", "rad", "m/s", "m/s"));
  const double J = n.inertia + n.mass * n.behind * n.behind;
  const double decay = n.mass * n.behind * u / J;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(5, 5);
  A(0, 3) = 1.0;
  A(1, 4) = 1.0;
  A(2, 2) = -u / n.behind;
  A(2, 4) = 1.0 / n.behind;
  A.row(4) = (u - n.behind * decay) * A.row(2);
  EXPECT_LT((linear.A - A).cwiseAbs().maxCoeff(), 1e-14) << linear.A;
  EXPECT_EQ(linear.M.rows(), 2);
  EXPECT_EQ(linear.K.rows(), 2);
  EXPECT_EQ(linear.K.cols(), 3);
  EXPECT_NEAR(linear.M(0, 0), n.mass, 1e-14);
  EXPECT_NEAR(linear.M(1, 1), J / (n.behind * n.behind), 1e-14);
  EXPECT_TRUE(linear.balanced());
  EXPECT_FALSE(linear.atRest());
  const NaturalModes modes = findModes(linear);
  ASSERT_TRUE(modes.ok) << modes.problem;
  // Where it is put along x it stays, and goes on at the speed it has; turned, it goes aside and stays turned; put
  // aside it stays there; a turning decays.
  EXPECT_FALSE(modes.stable());
  EXPECT_NEAR(modes.modes.back().eigenvalue.real(), -decay, 1e-12);
  EXPECT_EQ(modes.modes.back().eigenvalue.imag(), 0.0);
}

// A and B against differences of assembled neighbours' rates: about a state that is neither at rest nor balanced, with
// an input in a speed and one in a load.
TEST(VelocityRows, LineariseAsTheirNeighboursMove) {
  Mechanism named = tug();
  named.inputs.push_back({"slip", Expr(0.2), "m/s", {}});
  named.joints[0].speed = Expr::symbol("slip") * Expr(1.5);
  named.inputs.push_back({"push", Expr(0.7), "N", {}});
  Load push;
  push.name = "push";
  push.kind = LoadKind::couple;
  push.second = BodyIndex(0);
  push.moment = Expr::symbol("push");
  named.loads.push_back(push);
  const Mechanism m = withInputValues(named);
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  const Linearisation linear = linearise(named, assembly, 0.0, assembly.state());
  ASSERT_TRUE(linear.ok) << linear.problem;
  ASSERT_EQ(linear.coordinates.size(), 5U);
  ASSERT_EQ(linear.speeds.size(), 3U);
  ASSERT_EQ(linear.inputs.size(), 3U);  // slip, slip', push
  const auto names = linear.stateNames();

  // x' = [s', z'] of the state in which the named values are x + e d.
  const auto ratesAt = [&](const Eigen::VectorXd& d, double slip, double more) {
    Mechanism moved = named;
    moved.inputs[0].value = Expr(0.2 + slip);
    moved.inputs[1].value = Expr(0.7 + more);
    moved = withInputValues(moved);
    moved.initial.clear();
    const auto here = [&](const std::string& name) {
      const Quantity q = *findQuantity(m, name);
      const int body = q.index;
      switch (q.kind) {
        case QuantityKind::body_x: return assembly.q[static_cast<std::size_t>(3 * body)];
        case QuantityKind::body_y: return assembly.q[static_cast<std::size_t>(3 * body + 1)];
        case QuantityKind::body_angle: return assembly.q[static_cast<std::size_t>(3 * body + 2)];
        case QuantityKind::body_x_rate: return assembly.v[static_cast<std::size_t>(3 * body)];
        case QuantityKind::body_y_rate: return assembly.v[static_cast<std::size_t>(3 * body + 1)];
        default: return assembly.v[static_cast<std::size_t>(3 * body + 2)];
      }
    };
    for (std::size_t k = 0; k < names.size(); ++k) {
      startWith(moved, names[k], here(names[k]) + d[static_cast<Eigen::Index>(k)]);
    }
    for (std::size_t b = 0; b < 2; ++b) {
      moved.bodies[b].drawn = {assembly.q[3 * b], assembly.q[3 * b + 1], assembly.q[3 * b + 2]};
    }
    const Assembly there = assemble(moved);
    EXPECT_TRUE(there.ok) << there.problem;
    const auto system = makeSystem(moved, startingFrom(there));
    const auto work = system->makeWorkspace();
    std::vector<double> xdot(there.state().size());
    EXPECT_EQ(system->derivative(0.0, there.state(), system->startModes(), *work, xdot), Eval::ok);
    Eigen::VectorXd out(static_cast<Eigen::Index>(names.size()));
    for (std::size_t k = 0; k < names.size(); ++k) {
      const Quantity q = *findQuantity(m, names[k]);
      const int place = 3 * q.index + (q.kind == QuantityKind::body_x || q.kind == QuantityKind::body_x_rate   ? 0
                                       : q.kind == QuantityKind::body_y || q.kind == QuantityKind::body_y_rate ? 1
                                                                                                               : 2);
      out[static_cast<Eigen::Index>(k)] = xdot[static_cast<std::size_t>(place + (isRate(q.kind) ? 6 : 0))];
    }
    return out;
  };
  // Central differences of 1e-5 of assembled states, closed to 1e-13: 1e-8 of numbers of size ten.
  const double e = 1e-5;
  const auto size = static_cast<Eigen::Index>(names.size());
  for (Eigen::Index k = 0; k < size; ++k) {
    const Eigen::VectorXd d = e * Eigen::VectorXd::Unit(size, k);
    const Eigen::VectorXd slope = (ratesAt(d, 0.0, 0.0) - ratesAt(-d, 0.0, 0.0)) / (2.0 * e);
    EXPECT_LT((slope - linear.A.col(k)).cwiseAbs().maxCoeff(), 1e-6) << names[static_cast<std::size_t>(k)];
  }
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(size);
  const Eigen::VectorXd by_slip = (ratesAt(none, e, 0.0) - ratesAt(none, -e, 0.0)) / (2.0 * e);
  const Eigen::VectorXd by_push = (ratesAt(none, 0.0, e) - ratesAt(none, 0.0, -e)) / (2.0 * e);
  EXPECT_LT((by_slip - linear.B.col(0)).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT((by_push - linear.B.col(2)).cwiseAbs().maxCoeff(), 1e-6);
}

}  // namespace skates_analysed_test
}  // namespace linkwork
