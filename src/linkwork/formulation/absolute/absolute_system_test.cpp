// Accelerations and multipliers of known mechanisms at known states, redundancy, projection, energy, events, failures,
// memory.
#include "linkwork/formulation/absolute/absolute_system.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "linkwork/formulation/absolute/dense_for_tests.hpp"
#include "linkwork/linalg/allocation_counter_for_tests.hpp"
#include "linkwork/linalg/decompositions.hpp"
#include "linkwork/model/n_four_bar_for_tests.hpp"
#include "linkwork/model/reference_motions_for_tests.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace absolute_system_test {

using namespace test;
using ::testing::HasSubstr;

AbsoluteOptions optionsWith(Stabilisation stabilisation, std::vector<int> doubtful_rows = {}) {
  AbsoluteOptions options;
  options.stabilisation = stabilisation;
  options.doubtful_rows = std::move(doubtful_rows);
  return options;
}

const AbsoluteOptions kPlain = optionsWith(Stabilisation::none);

struct Evaluated {
  Eigen::VectorXd a, lambda;
  Observation observation;
};

Evaluated evaluateAt(const AbsoluteSystem& system, double t, const std::vector<double>& x) {
  const auto work = system.makeWorkspace();
  std::vector<double> xdot(x.size());
  Evaluated out;
  EXPECT_EQ(system.derivative(t, x, system.startModes(), *work, xdot), Eval::ok) << system.describeFailure(*work);
  const auto n = (x.size() - 1) / 2;
  out.a = asVector(xdot).segment(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
  for (std::size_t k = 0; k < n; ++k) EXPECT_EQ(xdot[k], x[n + k]);
  EXPECT_EQ(system.observe(t, x, system.startModes(), *work, out.observation), Eval::ok);
  out.lambda = asVector(out.observation.multipliers);
  return out;
}

// Rows that depend on the others at an exact state: what assembly would call doubtful.
std::vector<int> dependentRowsAt(const Mechanism& m, const State& s) {
  const AbsoluteSystem system(m, kPlain);
  const auto work = system.makeWorkspace();
  return system.dependentRows(0.0, s.x(), *work);
}

// --- reference values
// ----------------------------------------------------------------------------------------------------

// Half a unit of the twelfth significant digit.
double printedError(double value) {
  return value == 0.0 ? 0.0 : 0.5 * std::pow(10.0, std::floor(std::log10(std::abs(value))) - 11.0);
}

// A listed state has twelve digits; what its last digit does to accelerations and multipliers is their slope (by
// central difference) times half that digit, summed over all inputs. To this comes half the last digit of the listed
// answer itself, and 1e-13 of the greatest answer for our own round-off.
void expectListed(const Mechanism& m, const auto& listed, double most_relative) {
  const AbsoluteSystem system(m, kPlain);
  const Eigen::VectorXd a = asVector(listed.ddq);
  const Eigen::VectorXd lambda = asVector(listed.lambda);
  const State s{{listed.q.begin(), listed.q.end()}, {listed.dq.begin(), listed.dq.end()}};
  std::vector<double> x = s.x();
  const Evaluated found = evaluateAt(system, listed.t, x);
  Eigen::VectorXd a_error = Eigen::VectorXd::Constant(found.a.size(), 1e-13 * a.lpNorm<Eigen::Infinity>());
  Eigen::VectorXd lambda_error =
      Eigen::VectorXd::Constant(found.lambda.size(), 1e-13 * lambda.lpNorm<Eigen::Infinity>());
  for (std::size_t k = 0; k + 1 < x.size(); ++k) {
    const double step = 1e-6;
    const double middle = x[k];
    x[k] = middle + step;
    const Evaluated up = evaluateAt(system, listed.t, x);
    x[k] = middle - step;
    const Evaluated down = evaluateAt(system, listed.t, x);
    x[k] = middle;
    a_error += (up.a - down.a).cwiseAbs() / (2 * step) * printedError(middle);
    lambda_error += (up.lambda - down.lambda).cwiseAbs() / (2 * step) * printedError(middle);
  }
  // The tolerance must stay a test.
  EXPECT_LT(a_error.maxCoeff(), most_relative * a.lpNorm<Eigen::Infinity>());
  EXPECT_LT(lambda_error.maxCoeff(), most_relative * lambda.lpNorm<Eigen::Infinity>());
  for (Eigen::Index k = 0; k < found.a.size(); ++k) {
    const double reference = a[k];
    EXPECT_NEAR(found.a[k], reference, a_error[k] + printedError(reference))
        << "t = " << listed.t << ", acceleration " << k;
  }
  for (Eigen::Index r = 0; r < found.lambda.size(); ++r) {
    const double reference = lambda[r];
    EXPECT_NEAR(found.lambda[r], reference, lambda_error[r] + printedError(reference))
        << "t = " << listed.t << ", multiplier " << r;
  }
}

TEST(AbsoluteSystem, GivesTheTextbooksAccelerationsAndMultipliers) {
  const AbsoluteSystem system(sliderPendulum(), kPlain);
  // Example 3.5.
  const Evaluated moving = evaluateAt(system, 0.0, sliderPendulumMoving().x());
  Eigen::VectorXd a(6);
  a << 2.7108656638, 0, 0, -7.3367662669, -4.3907776812, -10.2094973461;
  EXPECT_LT((moving.a - a).lpNorm<Eigen::Infinity>(), 6e-11);  // ten printed decimals
  EXPECT_LT(
      (moving.lambda - Eigen::Vector4d(0, -68.1822172029, 13.5543283191, -18.1822172029)).lpNorm<Eigen::Infinity>(),
      6e-11);
  // Start of example 3.6, in closed form.
  const Evaluated start = evaluateAt(system, 0.0, sliderPendulumStart().x());
  a << 18.0 / 11, 0, 0, -30.0 / 11, -48.0 / 11, -(48.0 / 11) * std::sqrt(2.0);
  EXPECT_LT((start.a - a).lpNorm<Eigen::Infinity>(), 1e-13);
  EXPECT_NEAR(start.a[5], -6.171113727, 5e-10);
  EXPECT_LT((start.lambda - Eigen::Vector4d(0, -736.0 / 11, 90.0 / 11, -186.0 / 11)).lpNorm<Eigen::Infinity>(), 1e-12);
}

TEST(AbsoluteSystem, SliderPendulumAgreesWithTheReferenceAtFiveTimes) {
  for (const SliderPendulumState& state : sliderPendulumReference()) {
    // At 10 s and later the accelerations themselves are small; the round-off of 30 N of weight per 3 kg is what is
    // left.
    expectListed(sliderPendulum(), state, state.t < 10 ? 1e-10 : 1e-5);
  }
}

TEST(AbsoluteSystem, CrankSliderAgreesWithTheReferenceAtFourTimes) {
  for (const CrankSliderState& state : crankSliderReference()) expectListed(crankSlider(), state, 1e-9);
}

// --- one freedom, by Lagrange
// ---------------------------------------------------------------------------------------------

// With q = q(theta): I = q'^T M q', I theta'' + I' theta'^2 / 2 = q'^T Q, and q'' from the same curve. An independent
// way: no constraints, no multipliers.
using Curve = Dual<1, Dual<1>>;

struct OneFreedom {
  std::vector<double> q, slope, bend;  // q, dq/dtheta, d^2q/dtheta^2
  explicit OneFreedom(const std::vector<Curve>& curve) {
    for (const Curve& c : curve) {
      q.push_back(c.value.value);
      slope.push_back(c.derivatives[0].value);
      bend.push_back(c.derivatives[0].derivatives[0]);
    }
  }
  State at(double rate) const {
    State s{q, slope};
    for (double& value : s.v) value *= rate;
    return s;
  }
  Eigen::VectorXd acceleration(const Eigen::MatrixXd& M, const Eigen::VectorXd& Q, double rate) const {
    const Eigen::VectorXd p = asVector(slope);
    const Eigen::VectorXd c = asVector(bend) * rate * rate;
    const double theta_2 = p.dot(Q - M * c) / p.dot(M * p);
    return p * theta_2 + c;
  }
};

Curve angleVariable(double theta) { return Curve::variable(Dual<1>::variable(theta)); }

// Closure of model (b) by the intersection of two circles: B at distance b from A and c from C, on the side the start
// is on.
std::vector<Curve> fourBarCurve(double theta) {
  const FourBarPoints p;
  using V = Vec2<Curve>;
  const auto vec = [](const double(&a)[2]) { return V{Curve(a[0]), Curve(a[1])}; };
  const Curve phi_1 = angleVariable(theta);
  const auto R1 = Rotation2<Curve>::fromAngle(phi_1);
  const V r1 = -(R1 * vec(p.crank_O));
  const V A = r1 + R1 * vec(p.crank_A);
  const V C = vec(p.C);
  const V ab = vec(p.coupler_B) - vec(p.coupler_A);
  const V cb = vec(p.rocker_B) - vec(p.rocker_C);
  const Curve b2 = dot(ab, ab);
  const Curve c2 = dot(cb, cb);
  const V d = C - A;
  const Curve d2 = dot(d, d);
  const Curve along = (b2 - c2 + d2) / (Curve(2.0) * d2);
  const Curve across = sqrt(b2 / d2 - along * along);
  const V B = A + d * along + perp(d) * across;
  const V AB = B - A;
  const V CB = B - C;
  const Curve phi_2 = atan2(AB.y, AB.x) - atan2(ab.y, ab.x);
  const Curve phi_3 = atan2(CB.y, CB.x) - atan2(cb.y, cb.x);
  const V r2 = A - Rotation2<Curve>::fromAngle(phi_2) * vec(p.coupler_A);
  const V r3 = C - Rotation2<Curve>::fromAngle(phi_3) * vec(p.rocker_C);
  return {r1.x, r1.y, phi_1, r2.x, r2.y, phi_2, r3.x, r3.y, phi_3};
}

TEST(AbsoluteSystem, FourBarAgreesWithLagrangeAtItsStartAndAround) {
  const AbsoluteSystem system(fourBar(), kPlain);
  const double start = std::atan2(4.0, 3.0);
  const OneFreedom first(fourBarCurve(start));
  // The angles and rates stated for the start are those of the curve.
  EXPECT_NEAR(first.q[5], std::atan2(5.0, 12.0), 1e-14);
  EXPECT_NEAR(first.q[8], std::atan2(24.0, 7.0), 1e-14);
  EXPECT_NEAR(2.0 * first.slope[5], -8.0 / 23, 1e-14);
  EXPECT_NEAR(2.0 * first.slope[8], 12.0 / 23, 1e-14);
  for (const double theta : {start, 0.4, 1.7, 2.5, -0.3}) {
    const OneFreedom curve(fourBarCurve(theta));
    const State s = curve.at(2.0);
    const Dense d(system.equations(), 0.0, s.q, s.v);
    ASSERT_LT(d.phi.norm(), 1e-14);
    ASSERT_LT((d.P * asVector(s.v)).norm(), 1e-13);
    const Evaluated found = evaluateAt(system, 0.0, s.x());
    const Eigen::VectorXd expected = curve.acceleration(d.M, d.Q, 2.0);
    // Second derivatives of nested arctangents and roots: some hundred units of round-off.
    EXPECT_LT((found.a - expected).norm(), 1e-12 * (1.0 + expected.norm()));
    // The supports O and C carry together what moves and weighs the three bodies.
    const Eigen::VectorXd inertia = d.M * expected - d.Q;
    for (const Eigen::Index k : {0, 1}) {
      EXPECT_NEAR(found.lambda[k] + found.lambda[6 + k], inertia[k] + inertia[3 + k] + inertia[6 + k], 1e-11);
    }
  }
}

std::vector<Curve> parallelogramCurve(double theta) {
  const ParallelogramData d;
  const Curve angle = angleVariable(theta);
  const Curve c = cos(angle);
  const Curve n = sin(angle);
  std::vector<Curve> out;
  for (int k = 0; k < 3; ++k) {
    out.push_back(Curve(d.pivot_x[k]) - d.foot[k] * c);
    out.push_back(-d.foot[k] * n);
    out.push_back(angle);
  }
  out.push_back(Curve(d.pivot_x[0] - d.pin_x[0]) + d.length * c);
  out.push_back(Curve(0.1) + d.length * n);
  out.emplace_back(0.0);
  return out;
}

// --- redundancy
// -----------------------------------------------------------------------------------------------------------

// Three cranks: 12 rows of rank 11. Accelerations by Lagrange, multipliers of least norm by the pseudo-inverse.
TEST(AbsoluteSystem, ThreeCrankParallelogramMovesRightAndHasLeastMultipliers) {
  const AbsoluteSystem system(parallelogram(), kPlain);
  for (const double theta : {std::atan2(-4.0, 3.0), 0.7, 2.0, -2.4}) {
    const OneFreedom curve(parallelogramCurve(theta));
    const State s = curve.at(1.2);
    const Dense d(system.equations(), 0.0, s.q, s.v);
    EXPECT_EQ(d.P.rows(), 12);
    EXPECT_EQ(d.rank(), 11);
    const auto work = system.makeWorkspace();
    std::vector<double> xdot(s.x().size());
    const Evaluation evaluation = system.derivative(0.0, s.x(), system.startModes(), *work, xdot);
    ASSERT_EQ(evaluation.eval, Eval::ok);
    ASSERT_TRUE(evaluation.rows);
    EXPECT_EQ(evaluation.rows->rank, 11);
    EXPECT_EQ(evaluation.rows->freedoms, 1);
    const RankReport report = system.rankReport(0.0, s.x(), system.startModes(), *work);
    EXPECT_EQ(report.rows, 12);
    EXPECT_EQ(report.rank, 11);
    EXPECT_EQ(report.freedoms, 1);
    ASSERT_EQ(report.dependent_rows.size(), 1u);
    const Evaluated found = evaluateAt(system, 0.0, s.x());
    const Eigen::VectorXd expected = curve.acceleration(d.M, d.Q, 1.2);
    EXPECT_LT((found.a - expected).norm(), 1e-12 * (1.0 + expected.norm()));
    // All rows are in metres, so the scaled and the plain norm are one.
    const Dense::Solution dense = d.solve();
    EXPECT_LT((found.lambda - dense.lambda).norm(), 1e-11 * (1.0 + dense.lambda.norm()));
    EXPECT_LT((d.M * found.a - d.P.transpose() * found.lambda - d.Q).norm(), 1e-11);
  }
}

// With the redundant row left out (the third pin in a slot) the motion is the same.
TEST(AbsoluteSystem, ARedundantRowDoesNotChangeTheMotion) {
  Mechanism without = parallelogram();
  without.joints[5].kind = JointKind::pin_slot;
  without.joints[5].on_second.angle = 0.3;
  const AbsoluteSystem reduced(without, kPlain);
  const AbsoluteSystem full(parallelogram(), kPlain);
  const std::vector<double> x = parallelogramStart().x();
  const Evaluated a = evaluateAt(full, 0.0, x);
  const Evaluated b = evaluateAt(reduced, 0.0, x);
  EXPECT_EQ(b.lambda.size(), 11);
  EXPECT_LT((a.a - b.a).norm(), 1e-12 * a.a.norm());
}

// Which joints of the parallelogram have reactions of their own: none of the pins, as the self-stress runs through all
// six. In a mechanism where redundancy is confined to one place, the others stay unique.
TEST(AbsoluteSystem, OnlyReactionsInTheRedundantPartAreCalledNotUnique) {
  const AbsoluteSystem three(parallelogram(3), kPlain);
  const Dense d(three.equations(), 0.0, parallelogramStart().q, parallelogramStart().v);
  // The self-stress of the three cranks, from the singular vectors: which of the six pins does it load?
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(d.P, Eigen::ComputeFullU);
  const Eigen::VectorXd z = svd.matrixU().col(11);
  const Evaluated found = evaluateAt(three, 0.0, parallelogramStart().x());
  for (std::size_t j = 0; j < 6; ++j) {
    const bool loaded = z.segment<2>(2 * static_cast<Eigen::Index>(j)).norm() > 1e-8;
    EXPECT_EQ(found.observation.joints[j].unique, !loaded) << j;
  }
  EXPECT_TRUE(std::none_of(found.observation.joints.begin(), found.observation.joints.end(),
                           [](const Reaction& r) { return r.unique; }));

  const Evaluated two = evaluateAt(AbsoluteSystem(parallelogram(2), kPlain), 0.0, parallelogramStart(2).x());
  EXPECT_TRUE(std::all_of(two.observation.joints.begin(), two.observation.joints.end(),
                          [](const Reaction& r) { return r.unique; }));

  // A pendulum hung on the coupler of the three cranks: its pin stays unique.
  Mechanism m = parallelogram(3);
  const BodyIndex bob = addBody(m, "bob", 0.5, 0.01);
  addJoint(m, "H", JointKind::revolute, BodyIndex(3), frameAt(0.2, 0.0), bob, frameAt(0.0, 0.3));
  State s = parallelogramStart(3);
  s.q.insert(s.q.end(), {s.q[9] + 0.2, s.q[10] - 0.3, 0.0});
  s.v.insert(s.v.end(), {s.v[9], s.v[10], 0.0});
  const Evaluated hung = evaluateAt(AbsoluteSystem(m, kPlain), 0.0, s.x());
  EXPECT_TRUE(hung.observation.joints[6].unique);
  EXPECT_FALSE(hung.observation.joints[0].unique);
}

// The trap: off the surface the redundant rows look independent and the drifted mechanism has no freedom left. With the
// row known to be doubtful, accelerations are right to the order of the drift; without it they are not.
TEST(AbsoluteSystem, DoubtfulRowsKeepAccelerationsRightUnderDrift) {
  const State exact = parallelogramStart();
  const AbsoluteSystem plain(parallelogram(), kPlain);
  std::vector<double> xdot(exact.x().size());
  const std::vector<int> doubtful = dependentRowsAt(parallelogram(), exact);
  ASSERT_EQ(doubtful.size(), 1u);
  const AbsoluteSystem warned(parallelogram(), optionsWith(Stabilisation::none, doubtful));
  const Eigen::VectorXd reference = evaluateAt(plain, 0.0, exact.x()).a;
  std::mt19937 random(401);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  double worst_plain = 0.0;
  for (const double size : {1e-10, 1e-8, 1e-6, 1e-5}) {
    for (int trial = 0; trial < 20; ++trial) {
      State s = exact;
      for (double& value : s.q) value += size * number(random);
      const auto work = warned.makeWorkspace();
      const Evaluation evaluation = warned.derivative(0.0, s.x(), warned.startModes(), *work, xdot);
      ASSERT_EQ(evaluation.eval, Eval::ok) << warned.describeFailure(*work);
      EXPECT_EQ(evaluation.rows->rank, 11) << size;
      const Eigen::VectorXd a = asVector(xdot).segment(12, 12);
      // The accelerations change with the pose at a rate of the order of their own size over the arms (0.2 m): some
      // ten.
      EXPECT_LT((a - reference).norm(), 100.0 * size * reference.norm()) << size;
      if (size == 1e-5) {
        const auto plain_work = plain.makeWorkspace();
        if (plain.derivative(0.0, s.x(), plain.startModes(), *plain_work, xdot) == Eval::ok) {
          worst_plain = std::max(worst_plain, (asVector(xdot).segment(12, 12) - reference).norm() / reference.norm());
        }
      }
    }
  }
  EXPECT_GT(worst_plain, 0.1) << "the trap is real: without the warning the answer is wrong";
}

// Uprights at one angle, couplers level: one freedom whatever the number of windows, and still full rank.
TEST(AbsoluteSystem, RowOfFourBarWindowsAgreesWithItsClosedForm) {
  for (const int windows : {1, 10, 1000}) {
    const Mechanism m = buildNFourBar(windows);
    const AbsoluteSystem system(m, kPlain);
    const double theta = 1.1;
    const double rate = -0.8;
    State s;
    const double c = std::cos(theta);
    const double n = std::sin(theta);
    for (int k = 0; k <= windows; ++k) {
      s.q.insert(s.q.end(), {k + 0.5 * c, 0.5 * n, theta});
      s.v.insert(s.v.end(), {-0.5 * n * rate, 0.5 * c * rate, rate});
    }
    for (int k = 0; k < windows; ++k) {
      s.q.insert(s.q.end(), {k + c + 0.5, n, 0.0});
      s.v.insert(s.v.end(), {-n * rate, c * rate, 0.0});
    }
    // (N + 1) rods about their ends and N couplers in translation: I = (N + 1) / 3 + N, torque of gravity -g cos(theta)
    // ((N + 1) / 2 + N).
    const double expected = -9.81 * c * (0.5 * (windows + 1) + windows) / ((windows + 1) / 3.0 + windows);
    const Evaluated found = evaluateAt(system, 0.0, s.x());
    const auto work = system.makeWorkspace();
    std::vector<double> xdot(s.x().size());
    const Evaluation evaluation = system.derivative(0.0, s.x(), system.startModes(), *work, xdot);
    ASSERT_EQ(evaluation.eval, Eval::ok);
    EXPECT_EQ(evaluation.rows->rank, system.equations().rows()) << windows;
    EXPECT_EQ(evaluation.rows->freedoms, 1);
    for (int k = 0; k <= windows; ++k) {
      // The smallest eigenvalue of P M^-1 P^T falls as 1 / N^2; 4e-13 was seen for 1000 windows.
      ASSERT_NEAR(found.a[3 * k + 2], expected, 1e-11) << windows << " windows, upright " << k;
    }
  }
}

// --- projection
// -----------------------------------------------------------------------------------------------------------

struct Case {
  const char* name;
  Mechanism mechanism;
  State start;
};

std::vector<Case> projectionCases() {
  Mechanism driven = fourBar();
  addDrive(driven, "drive", DriveKind::angle, kGround, frameAt(0, 0), BodyIndex(0), frameAt(0, 0),
           Expr(std::atan2(4.0, 3.0)) + Expr(2.0) * Expr::symbol("t"));
  return {{"crank-slider", crankSlider(), crankSliderStart()},
          {"parallelogram", parallelogram(), parallelogramStart()},
          {"driven four-bar", driven, OneFreedom(fourBarCurve(std::atan2(4.0, 3.0))).at(2.0)}};
}

TEST(AbsoluteSystem, ProjectionReturnsToTheSurfaceInTheMassMetricAndStaysThere) {
  std::mt19937 random(402);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (Case& c : projectionCases()) {
    SCOPED_TRACE(c.name);
    drawAt(c.mechanism, c.start);
    const AbsoluteSystem system(c.mechanism,
                                optionsWith(Stabilisation::projection, dependentRowsAt(c.mechanism, c.start)));
    const auto work = system.makeWorkspace();
    const auto n = static_cast<Eigen::Index>(c.start.q.size());
    for (const double size : {1e-3, 1e-5, 1e-8}) {
      std::vector<double> x = c.start.x();
      for (std::size_t k = 0; k + 1 < x.size(); ++k) x[k] += size * number(random);
      const std::vector<double> before = x;
      const AfterStep after = system.afterStep(0.0, x, system.startModes(), *work);
      ASSERT_EQ(after.eval, Eval::ok) << system.describeFailure(*work);
      EXPECT_TRUE(after.changed);
      EXPECT_EQ(x.back(), before.back()) << "work is no business of the projection";
      const Violation violation = system.violation(0.0, x, system.startModes(), *work);
      EXPECT_LT(violation.position, 1e-14);
      EXPECT_LT(violation.velocity, 1e-13);

      // The correction of q is M-orthogonal to the motions the constraints leave, up to their turning on the way
      // (size^2); that of v exactly.
      const std::vector<double> q(x.begin(), x.begin() + n);
      const std::vector<double> v(x.begin() + n, x.begin() + 2 * n);
      const Dense d(system.equations(), 0.0, q, v);
      const Eigen::VectorXd moved = asVector(x) - asVector(before);
      Eigen::FullPivLU<Eigen::MatrixXd> lu(d.P);
      lu.setThreshold(1e-9);
      if (lu.rank() < n) {
        const Eigen::MatrixXd N = lu.kernel().colwise().normalized();
        EXPECT_LT((N.transpose() * d.M * moved.head(n)).norm(), 50.0 * size * size + 1e-15);
        EXPECT_LT((N.transpose() * d.M * moved.segment(n, n)).norm(), 1e-13);
      }
      // Nearby: no further than a few times the disturbance.
      EXPECT_LT(moved.norm(), 30.0 * size * std::sqrt(2.0 * static_cast<double>(n)));

      // Again: nothing to do, and it says so.
      const std::vector<double> settled = x;
      const AfterStep again = system.afterStep(0.0, x, system.startModes(), *work);
      EXPECT_EQ(again.eval, Eval::ok);
      EXPECT_FALSE(again.changed);
      EXPECT_EQ(x, settled);
    }
  }
}

TEST(AbsoluteSystem, OnlyProjectionAndPartitioningTouchTheState) {
  for (const Stabilisation stabilisation :
       {Stabilisation::none, Stabilisation::baumgarte, Stabilisation::augmented_lagrangian}) {
    const AbsoluteSystem system(crankSlider(), optionsWith(stabilisation));
    const auto work = system.makeWorkspace();
    std::vector<double> x = crankSliderStart().x();
    x[0] += 1e-3;
    const std::vector<double> before = x;
    const AfterStep after = system.afterStep(0.0, x, system.startModes(), *work);
    EXPECT_EQ(after.eval, Eval::ok);
    EXPECT_FALSE(after.changed);
    EXPECT_EQ(x, before);
  }
}

TEST(AbsoluteSystem, BaumgarteAddsItsTermsToTheAccelerations) {
  const double alpha = 3.0;
  const double beta = 7.0;
  AbsoluteOptions options = optionsWith(Stabilisation::baumgarte);
  options.alpha = alpha;
  options.beta = beta;
  const AbsoluteSystem system(crankSlider(), options);
  State s = crankSliderStart();
  s.q[0] += 1e-3;
  s.v[5] -= 2e-3;
  const Dense d(system.equations(), 0.0, s.q, s.v);
  const Evaluated found = evaluateAt(system, 0.0, s.x());
  const Eigen::VectorXd velocity = d.P * asVector(s.v) - d.minus_phi_t;
  const Eigen::VectorXd expected = d.gamma - 2 * alpha * velocity - beta * beta * d.phi;
  EXPECT_LT((d.P * found.a - expected).norm(), 1e-11);
  EXPECT_NEAR(found.observation.violation.acceleration, (d.P * found.a - d.gamma).norm(), 1e-11);
  EXPECT_NEAR(found.observation.violation.position, d.phi.norm(), 1e-15);
  EXPECT_NEAR(found.observation.violation.velocity, velocity.norm(), 1e-14);
}

// --- energy
// ---------------------------------------------------------------------------------------------------------------

double energyAt(const AbsoluteSystem& system, double t, const std::vector<double>& x, Workspace& work) {
  Observation o;
  EXPECT_EQ(system.observe(t, x, system.startModes(), work, o), Eval::ok);
  EXPECT_EQ(o.supplied_work, x.back());
  return o.kinetic + o.potential;
}

void rungeKuttaStep(const AbsoluteSystem& system, double t, double h, std::vector<double>& x, Workspace& work) {
  const auto slope = [&](double at, const Eigen::VectorXd& y) {
    std::vector<double> state(y.begin(), y.end());
    std::vector<double> out(state.size());
    EXPECT_EQ(system.derivative(at, state, system.startModes(), work, out), Eval::ok) << system.describeFailure(work);
    return Eigen::VectorXd(asVector(out));
  };
  const Eigen::VectorXd y = asVector(x);
  const Eigen::VectorXd k1 = slope(t, y);
  const Eigen::VectorXd k2 = slope(t + h / 2, y + h / 2 * k1);
  const Eigen::VectorXd k3 = slope(t + h / 2, y + h / 2 * k2);
  const Eigen::VectorXd k4 = slope(t + h, y + h * k3);
  const Eigen::VectorXd next = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  x.assign(next.begin(), next.end());
}

// Kinetic plus potential energy changes by what loads and drives supply less what dampers take: over a stretch of
// motion, and at its start as a rate.
TEST(AbsoluteSystem, EnergyChangesByTheSuppliedWork) {
  Mechanism driven = crankSlider();
  driven.loads.erase(driven.loads.begin());  // a drive in place of the motor
  const Expr t = Expr::symbol("t");
  addDrive(driven, "drive", DriveKind::angle, kGround, frameAt(0, 0), BodyIndex(0), frameAt(0, 0),
           Expr(1.0471975511965977) + Expr(4.0) * t + Expr(1.5) * t * t);
  Load push;
  push.name = "push";
  push.second = BodyIndex(1);
  push.on_second = frameAt(0.1, 0.2);
  push.force = {Expr(5.0) * cos(t), Expr::symbol("rod.y_rate")};
  push.axes = Axes::body;
  driven.loads.push_back(push);
  Load torsion;
  torsion.name = "torsion";
  torsion.kind = LoadKind::rotational_spring_damper;
  torsion.first = BodyIndex(0);
  torsion.second = BodyIndex(1);
  torsion.stiffness = 3.0;
  torsion.damping = 0.2;
  torsion.free_length = 0.4;
  driven.loads.push_back(torsion);
  for (const Mechanism& m : {crankSlider(), driven}) {
    const AbsoluteSystem system(m, {});
    const auto work = system.makeWorkspace();
    std::vector<double> x = crankSliderStart().x();
    ASSERT_EQ(system.afterStep(0.0, x, system.startModes(), *work).eval,
              Eval::ok);  // the start has 17 digits: a last polish
    const double first = energyAt(system, 0.0, x, *work);
    std::vector<double> xdot(x.size());
    ASSERT_EQ(system.derivative(0.0, x, system.startModes(), *work, xdot), Eval::ok);

    // Rate at the start: E(h) - E(-h) over 2 h with h = 1e-4; cut-off h^2 times E''' / 6 (E''' some 1e4), Runge-Kutta
    // h^4.
    std::vector<double> forward = x;
    std::vector<double> backward = x;
    rungeKuttaStep(system, 0.0, 1e-4, forward, *work);
    rungeKuttaStep(system, 0.0, -1e-4, backward, *work);
    const double rate = (energyAt(system, 1e-4, forward, *work) - energyAt(system, -1e-4, backward, *work)) / 2e-4;
    EXPECT_NEAR(rate, xdot.back(), 1e-4 * (1.0 + std::abs(xdot.back())));

    const double h = 2.5e-4;
    for (int k = 0; k < 400; ++k) {
      rungeKuttaStep(system, k * h, h, x, *work);
      ASSERT_EQ(system.afterStep((k + 1) * h, x, system.startModes(), *work).eval, Eval::ok);
    }
    const double last = energyAt(system, 400 * h, x, *work);
    EXPECT_GT(std::abs(last - first), 0.1);
    // Fourth order with h = 2.5e-4: far below 1e-9; energies of some 100 J bring 1e-12 of round-off.
    EXPECT_NEAR(last - first, x.back(), 2e-9);
  }
}

// --- events, failures
// -----------------------------------------------------------------------------------------------------

TEST(AbsoluteSystem, EventValuesAreTheirExpressions) {
  Mechanism m = crankSlider();
  m.parameters = {{"limit", Value(0.25), "rad", {}}};
  shiftFrames(m, 0.1, 0.0);
  const auto event = [&](const char* name, const Expr& when) {
    Event e;
    e.name = name;
    e.when = when;
    m.events.push_back(e);
  };
  event("speed", Expr::symbol("crank.angle_rate") - Expr(3.0));
  event("reach", Expr::symbol("S.slide") * Expr(2.0) + Expr::symbol("t"));
  event("turn", Expr::symbol("A.angle") - Expr::symbol("limit"));
  event("place", Expr::symbol("slider.x"));
  const AbsoluteSystem system(m, {});
  const State s = crankSliderStart();
  ASSERT_EQ(system.eventCount(), 4);
  const auto work = system.makeWorkspace();
  std::vector<double> values(4);
  ASSERT_EQ(system.eventValues(0.5, s.x(), system.startModes(), *work, values), Eval::ok);
  EXPECT_NEAR(values[0], 1.0, 1e-15);
  // From the slider's point to the guide's point along the guide.
  const double c = std::cos(0.1);
  const double n = std::sin(0.1);
  const double px = s.q[6] + c * 0.05 + n * 0.02;
  const double py = s.q[7] + n * 0.05 - c * 0.02;
  EXPECT_NEAR(values[1], 2.0 * (c * (0.0 - px) + n * (0.08 - py)) + 0.5, 1e-14);
  EXPECT_NEAR(values[2], s.q[5] - s.q[2] - 0.25, 1e-15);
  EXPECT_NEAR(values[3], s.q[6] - 3 * 0.1 * c, 1e-15);  // third body: frame shifted by 0.3 along its x axis
  EXPECT_EQ(AbsoluteSystem(crankSlider(), {}).eventCount(), 0);
}

TEST(AbsoluteSystem, SaysWhichLoadIsNotANumber) {
  Mechanism m = crankSlider();
  m.loads[0].moment = sqrt(Expr::symbol("t") - Expr(1.0));
  const AbsoluteSystem system(m, {});
  const auto work = system.makeWorkspace();
  std::vector<double> xdot(crankSliderStart().x().size());
  EXPECT_EQ(system.derivative(0.25, crankSliderStart().x(), system.startModes(), *work, xdot), Eval::retry);
  EXPECT_THAT(system.describeFailure(*work), HasSubstr("load \"motor\": couple is not a number at t = 0.25 s"));
  // The next good evaluation is good again.
  EXPECT_EQ(system.derivative(1.5, crankSliderStart().x(), system.startModes(), *work, xdot), Eval::ok);
}

TEST(AbsoluteSystem, SaysWhichDriveIsNotANumberInEvaluationAndInProjection) {
  Mechanism m = fourBar();
  addDrive(m, "drive", DriveKind::angle, kGround, frameAt(0, 0), BodyIndex(0), frameAt(0, 0),
           log(Expr::symbol("t") - Expr(1.0)));
  const AbsoluteSystem system(m, {});
  const auto work = system.makeWorkspace();
  std::vector<double> x = OneFreedom(fourBarCurve(0.9)).at(2.0).x();
  std::vector<double> xdot(x.size());
  EXPECT_EQ(system.derivative(0.5, x, system.startModes(), *work, xdot), Eval::retry);
  EXPECT_THAT(system.describeFailure(*work), HasSubstr("drive \"drive\" has no finite position"));
  const std::vector<double> before = x;
  EXPECT_NE(system.afterStep(0.5, x, system.startModes(), *work).eval, Eval::ok);
  EXPECT_THAT(system.describeFailure(*work), HasSubstr("drive \"drive\" has no finite position"));
  EXPECT_EQ(x, before) << "a state must not be spoilt by a projection that cannot be done";
}

TEST(AbsoluteSystem, ANotANumberInTheStateIsNoStateInEvaluationAndInProjection) {
  const AbsoluteSystem system(crankSlider(), {});
  const auto work = system.makeWorkspace();
  for (const std::size_t place : {4u, 15u}) {
    std::vector<double> x = crankSliderStart().x();
    x[place] = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> xdot(x.size());
    EXPECT_EQ(system.derivative(0.0, x, system.startModes(), *work, xdot), Eval::retry);
    EXPECT_NE(system.afterStep(0.0, x, system.startModes(), *work).eval, Eval::ok) << place;
  }
}

TEST(AbsoluteSystem, NamesABodyWithoutInertiaThatNothingHolds) {
  Mechanism m = crankSlider();
  addBody(m, "ghost", 0.0, 0.0);
  State s = crankSliderStart();
  s.q.insert(s.q.end(), {0.0, 0.0, 0.0});
  s.v.insert(s.v.end(), {0.0, 0.0, 0.0});
  const AbsoluteSystem system(m, {});
  const auto work = system.makeWorkspace();
  std::vector<double> xdot(s.x().size());
  EXPECT_EQ(system.derivative(0.0, s.x(), system.startModes(), *work, xdot), Eval::failed);
  EXPECT_THAT(system.describeFailure(*work),
              HasSubstr("body \"ghost\" has no inertia in a direction that its joints leave free (it can "));
}

// A body without mass and inertia between two pins is a rod: the mechanism moves as if it were a distance.
TEST(AbsoluteSystem, MasslessLinkActsAsARod) {
  // Crank on the ground, weight on the other side, joined by a link without mass.
  Mechanism with_link;
  with_link.gravity = {Value(0.0), Value(-9.81)};
  const BodyIndex a = addBody(with_link, "a", 2.0, 0.1);
  const BodyIndex b = addBody(with_link, "b", 3.0, 0.2);
  addJoint(with_link, "O", JointKind::revolute, kGround, frameAt(0, 0), a, frameAt(-0.5, 0));
  Mechanism with_rod = with_link;
  const BodyIndex link = addBody(with_link, "link", 0.0, 0.0);
  addJoint(with_link, "A", JointKind::revolute, a, frameAt(0.5, 0), link, frameAt(-0.4, 0));
  addJoint(with_link, "B", JointKind::revolute, link, frameAt(0.4, 0), b, frameAt(0.1, 0.2));
  addJoint(with_rod, "L", JointKind::distance, a, frameAt(0.5, 0), b, frameAt(0.1, 0.2)).length = 0.8;
  // a level, link down at an angle, b wherever it must be; moving.
  const double phi = -0.9;
  const double phi_b = 0.4;
  const double w_a = 1.3;
  const double w_l = -0.7;
  const double w_b = 2.0;
  const auto Rl = Rotation2<double>::fromAngle(phi);
  const auto Rb = Rotation2<double>::fromAngle(phi_b);
  const Vec2<double> A{1.0, 0.0};
  const Vec2<double> arm_l = Rl * Vec2<double>{0.4, 0.0};
  const Vec2<double> arm_b = Rb * Vec2<double>{0.1, 0.2};
  const Vec2<double> l = A + arm_l;
  const Vec2<double> B = l + arm_l;
  const Vec2<double> rb = B - arm_b;
  const Vec2<double> v_A{0.0, w_a};
  const Vec2<double> v_l = v_A + perp(arm_l) * w_l;
  const Vec2<double> v_B = v_l + perp(arm_l) * w_l;
  const Vec2<double> v_b = v_B - perp(arm_b) * w_b;
  const State rod{{0.5, 0, 0, rb.x, rb.y, phi_b}, {0, 0.5 * w_a, w_a, v_b.x, v_b.y, w_b}};
  State linked = rod;
  linked.q.insert(linked.q.end(), {l.x, l.y, phi});
  linked.v.insert(linked.v.end(), {v_l.x, v_l.y, w_l});
  const Evaluated one = evaluateAt(AbsoluteSystem(with_rod, kPlain), 0.0, rod.x());
  const Evaluated two = evaluateAt(AbsoluteSystem(with_link, kPlain), 0.0, linked.x());
  EXPECT_LT((two.a.head(6) - one.a).norm(), 1e-11 * (1.0 + one.a.norm()));
  // The link pulls or pushes along itself, as the rod does: force of the link on b.
  const auto& force = two.observation.joints[2].force_on_second;
  const auto& rod_force = one.observation.joints[1].force_on_second;
  EXPECT_NEAR(force[0], rod_force[0], 1e-10);
  EXPECT_NEAR(force[1], rod_force[1], 1e-10);
}

// Two drives on one coordinate that want different motions: the second cannot have its way, and is named.
TEST(AbsoluteSystem, NamesAContradiction) {
  Mechanism m = fourBar();
  const Expr t = Expr::symbol("t");
  addDrive(m, "first", DriveKind::angle, kGround, frameAt(0, 0), BodyIndex(0), frameAt(0, 0), Expr(0.9) + t);
  addDrive(m, "second", DriveKind::angle, kGround, frameAt(0, 0), BodyIndex(0), frameAt(0, 0), Expr(0.9) + t + t * t);
  const AbsoluteSystem system(m, kPlain);
  const auto work = system.makeWorkspace();
  const std::vector<double> x = OneFreedom(fourBarCurve(0.9)).at(1.0).x();
  std::vector<double> xdot(x.size());
  EXPECT_EQ(system.derivative(0.0, x, system.startModes(), *work, xdot), Eval::retry);
  const std::string message = system.describeFailure(*work);
  EXPECT_THAT(message, HasSubstr("drive \"first\" cannot be satisfied together with drive \"second\" in this pose"));
}

// --- memory, threads
// ------------------------------------------------------------------------------------------------------

TEST(AbsoluteSystem, NeverAllocatesInsideAStep) {
  Mechanism massless = parallelogram();
  massless.bodies[1].mass = 0.0;
  massless.bodies[1].inertia = 0.0;
  Mechanism with_event = crankSlider();
  Event event;
  event.name = "e";
  event.when = Expr::symbol("crank.angle_rate");
  with_event.events = {event};
  struct Run {
    Mechanism mechanism;
    State start;
  };
  for (const Run& run : {Run{with_event, crankSliderStart()}, Run{parallelogram(), parallelogramStart()},
                         Run{massless, parallelogramStart()}}) {
    for (const Stabilisation stabilisation : {Stabilisation::projection, Stabilisation::baumgarte,
                                              Stabilisation::augmented_lagrangian, Stabilisation::partitioning}) {
      const AbsoluteSystem system(run.mechanism, optionsWith(stabilisation, dependentRowsAt(run.mechanism, run.start)));
      const auto work = system.makeWorkspace();
      std::vector<double> x = run.start.x();
      std::vector<double> xdot(x.size());
      std::vector<double> values(static_cast<std::size_t>(system.eventCount()));
      x[0] += 1e-7;
      Modes modes = system.startModes();
      const long before = allocation_count;
      for (int k = 0; k < 3; ++k) {
        system.beginStep(0.0, x, modes, *work);
        EXPECT_EQ(system.derivative(0.0, x, modes, *work, xdot), Eval::ok);
        EXPECT_EQ(system.afterStep(0.0, x, modes, *work).eval, Eval::ok);
        system.violation(0.0, x, modes, *work);
        system.eventValues(0.0, x, modes, *work, values);
      }
      EXPECT_EQ(allocation_count - before, 0);
    }
  }
  const long before = allocation_count;
  const auto probe = std::make_unique<int>(1);
  EXPECT_EQ(allocation_count - before, 1) << "the counter must count" << *probe;
}

// A workspace carries nothing from one call to the next that an answer depends on.
TEST(AbsoluteSystem, AnswersDoNotDependOnWhatTheWorkspaceDidBefore) {
  const AbsoluteSystem system(parallelogram(), {});
  const auto used = system.makeWorkspace();
  std::vector<double> x = parallelogramAt(2.2, -3.0).x();
  std::vector<double> xdot(x.size());
  system.derivative(0.0, x, system.startModes(), *used, xdot);
  x[3] += 1e-3;
  system.afterStep(0.0, x, system.startModes(), *used);
  Observation observation;
  system.observe(0.0, x, system.startModes(), *used, observation);
  const auto fresh = system.makeWorkspace();
  std::vector<double> again(x.size());
  const std::vector<double> start = parallelogramStart().x();
  ASSERT_EQ(system.derivative(0.0, start, system.startModes(), *used, xdot), Eval::ok);
  ASSERT_EQ(system.derivative(0.0, start, system.startModes(), *fresh, again), Eval::ok);
  EXPECT_EQ(xdot, again);
}

}  // namespace absolute_system_test
}  // namespace linkwork
