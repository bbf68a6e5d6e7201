// The small systems that other tests lean on are themselves right: derivatives against differences, charts, invariance.
#include <gtest/gtest.h>

#include "linkwork/linalg/as_vector.hpp"
#include "linkwork/system/mechanical_systems_for_tests.hpp"

namespace linkwork::testing_systems {
namespace mechanical_systems_test {

std::span<double> spanOf(Eigen::VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

// Central differences along motions and velocities; e = 1e-6 leaves 1e-9.
void checkLaws(const SmallMechanical& system, double t, const std::vector<double>& start) {
  const StateSpace space = system.space();
  const auto nq = static_cast<std::size_t>(space.positions());
  const auto nv = static_cast<std::size_t>(space.velocities());
  const auto work = system.makeWorkspace();
  const Eigen::VectorXd x = asVector(start);
  const Eigen::VectorXd lambda = Eigen::VectorXd::LinSpaced(system.rows(), 1.5, -0.7);
  MechanicalTangent tangent;
  ASSERT_EQ(
      system.tangent(t, start, {}, {lambda.data(), static_cast<std::size_t>(lambda.size())}, Modes{}, *work, tangent),
      Eval::ok);
  PositionChart chart;
  const std::span<const double> whole(start);
  system.chart(whole.first(nq), whole.subspan(nq, nv), chart);
  EXPECT_LT(
      (Eigen::MatrixXd(chart.S * chart.T) - Eigen::MatrixXd::Identity(space.velocities(), space.velocities())).norm(),
      1e-14);
  const auto generalForce = [&](const Eigen::VectorXd& state) -> Eigen::VectorXd {
    const auto at = system.dense(t, state);
    return at.force + at.phi_q.transpose() * lambda;
  };
  const auto moved = [&](const Eigen::VectorXd& motion) {
    Eigen::VectorXd out = x;
    system.retract(whole.first(nq), {motion.data(), nv}, spanOf(out).first(nq));
    return out;
  };
  const double e = 1e-6;
  for (Eigen::Index k = 0; k < space.velocities(); ++k) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(space.velocities(), k);
    const Eigen::VectorXd plus = moved(e * unit);
    const Eigen::VectorXd minus = moved(-e * unit);
    const auto here = system.dense(t, x);
    EXPECT_LT(((system.dense(t, plus).phi - system.dense(t, minus).phi) / (2 * e) - here.phi_q.col(k)).norm(), 1e-8);
    EXPECT_LT(((generalForce(plus) - generalForce(minus)) / (2 * e) + tangent.K * unit).norm(), 1e-7);
    Eigen::VectorXd faster = x;
    Eigen::VectorXd slower = x;
    faster[space.velocityOffset() + k] += e;
    slower[space.velocityOffset() + k] -= e;
    EXPECT_LT(((generalForce(faster) - generalForce(slower)) / (2 * e) + tangent.C * unit).norm(), 1e-7);
    Eigen::VectorXd back(space.velocities());
    system.difference(whole.first(nq), spanOf(const_cast<Eigen::VectorXd&>(plus)).first(nq), spanOf(back));
    EXPECT_LT((back - e * unit).norm(), 1e-15);
  }
  // gamma: along q(t + e) = retract(q, e v) with constant v the velocity-level row changes by -gamma
  const auto velocityRow = [&](double dt) -> Eigen::VectorXd {
    const Eigen::VectorXd v = x.segment(space.velocityOffset(), space.velocities());
    const Eigen::VectorXd state = moved(dt * v);
    const auto at = system.dense(t + dt, state);
    return at.phi_q * v + at.phi_t;
  };
  EXPECT_LT(((velocityRow(e) - velocityRow(-e)) / (2 * e) + system.dense(t, x).gamma).norm(), 1e-6);
}

TEST(SmallMechanical, PendulumWithMovingPivotIsConsistentWithItsDerivatives) {
  const CartesianPendulum pendulum({1.3, 0.7, 9.81, 0.4, 0.1, 5.0});
  checkLaws(pendulum, 0.3, {0.4, -0.5, 0.8, -0.2, 0.0});
}

TEST(SmallMechanical, HeavyTopIsConsistentWithItsDerivatives) {
  const HeavyTop top;
  std::vector<double> x = top.start(0.6, {0.3, -0.4, 20.0});
  x[0] += 0.1;  // off the surface too
  checkLaws(top, 0.0, x);
}

}  // namespace mechanical_systems_test
}  // namespace linkwork::testing_systems
