// Rows with compliance and damping, and mass matrices that depend on the pose, through every method that takes
// constraints directly.
#include <gtest/gtest.h>

#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/integrate/sundials/make_sundials.hpp"
#include "linkwork/system/compliant_systems_for_tests.hpp"
#include "linkwork/system/mechanical_dae.hpp"
#include "linkwork/system/mechanical_laws_for_tests.hpp"

namespace linkwork {
namespace compliant_rows_test {

using namespace testing_systems;

// A way to integrate constraints: a method on index3, ggl, or the mechanical system itself.
struct Way {
  std::string method;
  std::optional<DaeKind> kind;
  double step = 0;
};
std::vector<Way> ways() {
  std::vector<Way> out{
      {"radau5", DaeKind::index3}, {"radau5", DaeKind::ggl}, {"generalized_alpha", {}, 1e-3}, {"bdf2", {}, 1e-3}};
  if (hasSundials()) out.push_back({"ida", DaeKind::ggl});
  return out;
}
std::string nameOf(const Way& way) { return way.method + (way.kind == DaeKind::ggl ? " on ggl" : " on index3"); }

struct Outcome {
  std::vector<double> x;
  double lambda = 0;  // 0 without rows
};

Outcome run(const SmallMechanical& system, const Way& way, const std::vector<double>& start, double t_end,
            double rtol) {
  const SmallMechanicalOde plain(system);
  SmallMechanicalOde ode(system);
  std::unique_ptr<MechanicalDae> dae;
  if (way.kind.has_value()) {
    dae = std::make_unique<MechanicalDae>(system, plain, *way.kind);
    ode.offer(*dae);
  } else {
    ode.offerMechanical();
  }
  IntegratorOptions options;
  options.rtol = rtol;
  options.atol = rtol;
  options.step = way.step;
  const auto integrator = makeIntegrator(way.method, ode, options);
  StepStatus status = integrator->begin(0, start, t_end);
  while (status == StepStatus::ok) status = integrator->step();
  EXPECT_EQ(status, StepStatus::finished) << integrator->failure();
  const auto x = integrator->state();
  return {{x.begin(), x.end()}, system.rows() > 0 ? integrator->multipliers()[0] : 0.0};
}

double distance(std::span<const double> a, std::span<const double> b) {
  double out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) out = std::max(out, std::abs(a[i] - b[i]));
  return out;
}

constexpr CartesianPendulum::Data kData{1.3, 0.8, 9.81, 0.2, 0.0, 0.0};

// Let go where the spring holds what it has to, so that nothing rings: Phi = -compliance lambda of the hard row.
std::vector<double> atEase(const CartesianPendulum& hard, double compliance) {
  std::vector<double> x = hard.start(1.0, 0.7);
  const double lambda = hard.indexOne(0.0, Eigen::Map<const Eigen::VectorXd>(x.data(), 5))[2];
  const double longer = std::sqrt(kData.length * kData.length - 2.0 * compliance * lambda) / kData.length;
  for (std::size_t k = 0; k < 2; ++k) x[k] *= longer;
  return x;
}

TEST(CompliantRow, AgreesWithItsSpringWrittenAsAForce) {
  const CartesianPendulum hard(kData);
  for (const double compliance : {1e-12, 1e-9, 1e-6, 1e-3, 1.0}) {
    const MechanicalRow row{compliance, 2e-3};
    CartesianPendulum soft(kData);
    soft.soften({row});
    const SpringPendulum spring(kData, row);
    const std::vector<double> start = atEase(hard, compliance);
    for (const Way& way : ways()) {
      SCOPED_TRACE(nameOf(way) + ", 1/k = 1e" + std::to_string(std::log10(compliance)));
      const Outcome found = run(soft, way, start, 0.5, 1e-10);
      const Outcome expected = run(spring, way, start, 0.5, 1e-10);
      // Fixed steps have the same equations in both forms: what iterations leave, 1e-14 m, divided by h and added up
      // over 500 steps. Others choose other steps for each form: their errors at rtol = 1e-10, five times those seen,
      // of which the largest are those of velocities that the compliance makes nearly algebraic.
      const bool ida = way.method == "ida";
      const double motion = way.step > 0 ? 5e-8 : ida ? 1e-5 : 5e-8;
      EXPECT_LT(distance(std::span(found.x).first(4), std::span(expected.x).first(4)), motion);
      // The spring has the round-off of its length in its force, k times 2e-16 m. Beside that stand what iterations
      // leave, and with adaptive steps the errors of multipliers, which no error test sees: they are of second order
      // with radau5 on index 3, and where k is large they fall more slowly than the tolerance.
      const double force = spring.lambdaAt(0.5, Eigen::Map<const Eigen::VectorXd>(expected.x.data(), 5));
      const double multiplier = way.step > 0 ? 2e-7 : ida ? 2e-4 : 5e-5;
      EXPECT_NEAR(found.lambda, force, multiplier + 2e-16 / compliance);
    }
  }
}

TEST(CompliantRow, WithoutComplianceIsTheHardRowToTheBit) {
  const CartesianPendulum hard({1.3, 0.8, 9.81, 0.2, 0.05, 7.0});
  CartesianPendulum said({1.3, 0.8, 9.81, 0.2, 0.05, 7.0});
  said.soften({{0.0, 0.0}});
  const std::vector<double> start = hard.start(1.0, 0.7);
  for (const Way& way : ways()) {
    SCOPED_TRACE(nameOf(way));
    const Outcome expected = run(hard, way, start, 0.5, 1e-7);
    const Outcome found = run(said, way, start, 0.5, 1e-7);
    EXPECT_EQ(found.x, expected.x);
    EXPECT_EQ(found.lambda, expected.lambda);
  }
}

// The gap is what the hard row carries, times the compliance: 3e-9 m at 30 N. Beside it stand the tolerances.
TEST(CompliantRow, TendsToTheHardRow) {
  const CartesianPendulum hard(kData);
  CartesianPendulum soft(kData);
  soft.soften({{1e-10, 1e-3}});
  for (const Way& way : ways()) {
    SCOPED_TRACE(nameOf(way));
    const Outcome expected = run(hard, way, hard.start(1.0, 0.7), 0.5, 1e-8);
    const Outcome found = run(soft, way, atEase(hard, 1e-10), 0.5, 1e-8);
    EXPECT_LT(distance(std::span(found.x).first(2), std::span(expected.x).first(2)), 2e-6);
  }
}

TEST(CompliantRow, JacobianOfItsLawIsTheDerivative) {
  CartesianPendulum soft({1.3, 0.7, 9.81, 0.4, 0.1, 5.0});
  soft.soften({{0.02, 0.3}});
  const SmallMechanicalOde ode(soft);
  for (const DaeKind kind : {DaeKind::index3, DaeKind::ggl}) {
    const MechanicalDae dae(soft, ode, kind);
    const int n = dae.space().size() + dae.algebraic();
    Eigen::VectorXd y(n);
    y << 0.4, -0.5, 0.8, -0.2, 0.0, 2.2, Eigen::VectorXd::Constant(n - 6, 0.3);
    const auto work = dae.makeWorkspace();
    const auto rightSide = [&](const Eigen::VectorXd& at) {
      Eigen::VectorXd F(n);
      EXPECT_EQ(dae.rightSide(0.3, {at.data(), static_cast<std::size_t>(n)}, Modes{}, *work,
                              {F.data(), static_cast<std::size_t>(n)}),
                Eval::ok);
      return F;
    };
    SparseMatrix J;
    ASSERT_EQ(dae.jacobian(0.3, {y.data(), static_cast<std::size_t>(n)}, Modes{}, *work, J), Eval::ok);
    for (int k = 0; k < n; ++k) {
      const Eigen::VectorXd step = 1e-6 * Eigen::VectorXd::Unit(n, k);
      Eigen::VectorXd slope = (rightSide(y + step) - rightSide(y - step)) / 2e-6;
      Eigen::VectorXd column = J.col(k);
      slope[4] = column[4] = 0.0;                                // the quadrature
      if (kind == DaeKind::ggl) slope.head(2) = column.head(2);  // mu's effect through Phi_q^T mu is left out
      EXPECT_LT((slope - column).cwiseAbs().maxCoeff(), 1e-6) << "column " << k;
    }
  }
}

TEST(PoseDependentMass, SystemsForTestsObeyTheLaws) {
  const PolarPendulum polar({1.7, 0.6, 9.81});
  test::MechanicalLaws{polar, 0.0, {0.9, 0.4, -0.3, 1.2, 0.0}, {1.5}}.check();
  const SpringPendulum spring(kData, {0.01, 0.2});
  test::MechanicalLaws{spring, 0.0, {0.5, -0.4, 0.3, 0.2, 0.0}, {}}.check();
}

// One pendulum in two sets of coordinates: with M constant and a curved row, and with M(q) and a straight one.
TEST(PoseDependentMass, PolarAndCartesianPendulumsSwingAlike) {
  const PolarPendulum polar({1.3, 0.8, 9.81});
  const CartesianPendulum cartesian({1.3, 0.8, 9.81, 0.0, 0.0, 0.0});
  for (const Way& way : ways()) {
    SCOPED_TRACE(nameOf(way));
    const Outcome q = run(polar, way, polar.start(1.0, 0.7), 0.8, 1e-9);
    const Outcome p = run(cartesian, {"radau5", DaeKind::ggl}, cartesian.start(1.0, 0.7), 0.8, 1e-11);
    const std::vector<double> place{q.x[0] * std::sin(q.x[1]), -q.x[0] * std::cos(q.x[1])};
    // Fixed steps of 1 ms are of second order: (1e-3)^2 times derivatives of some tens.
    EXPECT_LT(distance(place, std::span(p.x).first(2)), way.step > 0 ? 1e-4 : 1e-6);
    EXPECT_NEAR(q.x[4], p.x[4], way.step > 0 ? 1e-3 : 1e-5);
    // Phi is r - L here and (r^2 - L^2)/2 there, whose slope is L
    EXPECT_NEAR(q.lambda, 0.8 * p.lambda, way.step > 0 ? 1e-2 : 1e-4);
  }
}

}  // namespace compliant_rows_test
}  // namespace linkwork
