#include "linkwork/system/mechanical_dae.hpp"

#include <gtest/gtest.h>

#include "linkwork/system/mechanical_systems_for_tests.hpp"

namespace linkwork {
namespace mechanical_dae_test {

using testing_systems::CartesianPendulum;
using testing_systems::HeavyTop;
using testing_systems::SmallMechanical;
using testing_systems::SmallMechanicalOde;

struct Dae {
  Dae(const SmallMechanical& mechanical, DaeKind kind) : ode(mechanical), dae(mechanical, ode, kind) {}
  SmallMechanicalOde ode;
  MechanicalDae dae;
};

Eigen::VectorXd rightSide(const MechanicalDae& dae, double t, const Eigen::VectorXd& y) {
  const auto work = dae.makeWorkspace();
  Eigen::VectorXd F(y.size());
  const auto n = static_cast<std::size_t>(y.size());
  EXPECT_EQ(dae.rightSide(t, {y.data(), n}, Modes{}, *work, {F.data(), n}), Eval::ok);
  return F;
}

// Every column but those of the quadratures' rows, against central differences: 1e-6 leaves 1e-8 of the largest.
void checkJacobian(const SmallMechanical& mechanical, DaeKind kind, double t, const std::vector<double>& x) {
  const Dae made(mechanical, kind);
  const MechanicalDae& dae = made.dae;
  const int nx = dae.space().size();
  const int n = nx + dae.algebraic();
  Eigen::VectorXd y = Eigen::VectorXd::Zero(n);
  for (int k = 0; k < nx; ++k) y[k] = x[static_cast<std::size_t>(k)];
  for (int k = nx; k < nx + dae.multipliers(); ++k) y[k] = 0.7 + 0.3 * k;
  if (mechanical.space().positions() == 7) {
    for (int k = 3; k < 7; ++k) y[k] *= 1.01;  // off the unit length too
    y[n - 1] = 0.2;                            // nu
  }
  const auto work = dae.makeWorkspace();
  SparseMatrix found;
  ASSERT_EQ(dae.jacobian(t, {y.data(), static_cast<std::size_t>(n)}, Modes{}, *work, found), Eval::ok);
  const Eigen::MatrixXd J = found;
  const int w = dae.space().quadratureOffset();
  for (int k = 0; k < n; ++k) {
    const double e = 1e-6;
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(n, k);
    Eigen::VectorXd slope = (rightSide(dae, t, y + e * unit) - rightSide(dae, t, y - e * unit)) / (2 * e);
    slope[w] = 0.0;
    EXPECT_LT((slope - J.col(k)).cwiseAbs().maxCoeff(), 1e-6 * (1.0 + slope.cwiseAbs().maxCoeff())) << "column " << k;
  }
}

TEST(MechanicalDae, JacobianOfThePendulumIsTheDerivative) {
  const CartesianPendulum pendulum({1.3, 0.7, 9.81, 0.4, 0.1, 5.0});
  for (const DaeKind kind : {DaeKind::index3, DaeKind::ggl})
    checkJacobian(pendulum, kind, 0.3, {0.4, -0.5, 0.8, -0.2, 0.0});
}

TEST(MechanicalDae, JacobianOfTheTopIsTheDerivativeAlsoForAQuaternionOffUnitLength) {
  const HeavyTop top;
  for (const DaeKind kind : {DaeKind::index3, DaeKind::ggl})
    checkJacobian(top, kind, 0.0, top.start(0.6, {0.3, -0.4, 20.0}));
}

TEST(MechanicalDae, StartFitsTheEquationsOfMotion) {
  const HeavyTop top;
  for (const DaeKind kind : {DaeKind::index3, DaeKind::ggl}) {
    const Dae made(top, kind);
    const std::vector<double> x = top.start(0.6, {0.3, -0.4, 20.0});
    const auto n = static_cast<std::size_t>(made.dae.space().size() + made.dae.algebraic());
    std::vector<double> y(n);
    std::vector<double> ydot(n);
    const auto work = made.dae.makeWorkspace();
    ASSERT_EQ(made.dae.start(0.0, x, Modes{}, *work, y, ydot), Eval::ok);
    const auto count = static_cast<Eigen::Index>(n);
    const Eigen::VectorXd at = Eigen::Map<const Eigen::VectorXd>(y.data(), count);
    const Eigen::VectorXd rate = Eigen::Map<const Eigen::VectorXd>(ydot.data(), count);
    EXPECT_LT((made.dae.B() * rate - rightSide(made.dae, 0.0, at)).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(MechanicalDae, FindsTheQuaternionAndTheIndexOfEveryUnknown) {
  const HeavyTop top;
  const Dae third(top, DaeKind::index3);
  EXPECT_EQ(third.dae.algebraic(), 3 + 1);
  EXPECT_EQ(third.dae.index()[0], 1);
  EXPECT_EQ(third.dae.index()[7], 2);
  EXPECT_EQ(third.dae.index()[13], 1);  // the quadrature
  EXPECT_EQ(third.dae.index()[14], 3);
  EXPECT_EQ(third.dae.index()[17], 2);  // nu
  const Dae second(top, DaeKind::ggl);
  EXPECT_EQ(second.dae.algebraic(), 3 + 3 + 1);
  EXPECT_EQ(second.dae.index()[7], 1);
  EXPECT_EQ(second.dae.index()[14], 2);
  EXPECT_EQ(second.dae.multipliers(), 3);
}

TEST(MechanicalDae, SaysThatConstraintsDependOnEachOther) {
  // A pendulum of no length: its row vanishes.
  const CartesianPendulum pendulum({1.0, 1.0, 9.81, 0.0, 0.0, 0.0});
  const Dae made(pendulum, DaeKind::index3);
  const auto work = made.dae.makeWorkspace();
  std::vector<double> y(6);
  std::vector<double> ydot(6);
  EXPECT_EQ(made.dae.start(0.0, std::vector<double>{0, 0, 0, 0, 0}, Modes{}, *work, y, ydot), Eval::failed);
  EXPECT_EQ(made.dae.describeFailure(*work),
            "the constraints depend on each other at the start, or a body has no inertia in a free direction");
}

}  // namespace mechanical_dae_test
}  // namespace linkwork
