// RATTLE: order, symmetry, closure, the symplectic form and what symmetries keep, on loops and on balls.
#include "linkwork/integrate/rattle.hpp"

#include <gmock/gmock.h>

#include <array>

#include "linkwork/integrate/canonical_runs_for_tests.hpp"
#include "linkwork/recursion/joint_coordinates.hpp"

namespace linkwork {
namespace rattle_test {

using test::PlaneD;
using test::SpaceD;
using ::testing::HasSubstr;

test::CanonicalCase<PlaneD> fourBar(double until = 1.0) { return {test::freeParallelogram(2), {}, until}; }
test::CanonicalCase<SpaceD> fourBarInSpace(double until = 1.0) {
  return {test::spatialFourBar(), {0.3, 0.05, 0.02, 0.04, -0.2}, until};
}
test::CanonicalCase<SpaceD> top(double until = 1.0) {
  return {test::top({0.5, 0.9, 0.7}, {0.1, 0.05, 0.6}), {1.0, 2.0, 3.0}, until};
}

// A method of order 2: errors fall by 4 when steps are halved, but for a term of h^2 beside the first.
template <class Case>
void expectOrder(Case run, int steps, double largest) {
  const double coarse = run.error("rattle", steps);
  const double fine = run.error("rattle", 2 * steps);
  ::testing::Test::RecordProperty("order", std::to_string(std::log2(coarse / fine)));
  ::testing::Test::RecordProperty("error", fmt::format("{:.2e}", fine));
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1);
  EXPECT_LT(fine, largest);
}

TEST(Rattle, IsOfSecondOrderOnATree) {
  expectOrder(test::CanonicalCase<PlaneD>(test::doublePendulum(0.9, 0.5), {0.4, -0.3}, 1.0), 100, 1e-2);
}
TEST(Rattle, IsOfSecondOrderOnALoop) { expectOrder(fourBar(), 100, 1e-2); }
TEST(Rattle, IsOfSecondOrderOnABall) { expectOrder(top(), 200, 1e-2); }
TEST(Rattle, IsOfSecondOrderOnALoopWithBalls) { expectOrder(fourBarInSpace(), 200, 1e-2); }
TEST(Rattle, IsOfSecondOrderOnABodyThatFloats) {
  Mechanism m = test::inSpace();
  test::addSpatialBody(m, "body", 2.0, {0.5, 0.9, 0.7}, {0.1, 0.05, 0.2});
  expectOrder(test::CanonicalCase<SpaceD>(m, {0.5, -0.4, 3.0, 1.0, 2.0, 3.0}, 1.0), 200, 1e-2);
}

// Loads that take energy, one that depends on time, guides and slots; the work is among what is compared.
TEST(Rattle, IsOfSecondOrderUnderLoadsThatPreserveNothing) {
  Mechanism m = test::crankSlider();
  test::drawAt(m, test::crankSliderStart());
  expectOrder(test::CanonicalCase<PlaneD>(m, {0.5, 0.2}, 0.5), 100, 1e-2);
}

// A drive of a joint of the tree, and one that is a cut: their work follows from the impulses.
TEST(Rattle, IsOfSecondOrderUnderDrives) {
  Mechanism tree = test::sliderPendulum();
  test::drawAt(tree, test::sliderPendulumMoving());
  test::drive(tree, "O.angle", Expr(0.3) + Expr(0.7) * test::kTime + sin(test::kTime * test::kTime));
  expectOrder(test::CanonicalCase<PlaneD>(tree, {0.5}, 1.0), 100, 1e-1);
  Mechanism loop = test::freeParallelogram(2);
  const Pose& pulled = loop.bodies[2].drawn;
  test::addDrive(loop, "pull", DriveKind::distance, kGround, test::frameAt(pulled.x - 2.0, pulled.y + 1.0),
                 BodyIndex(2), test::frameAt(0, 0), Expr(std::sqrt(5.0)) - Expr(0.2) * sin(Expr(3.0) * test::kTime));
  expectOrder(test::CanonicalCase<PlaneD>(loop, {}, 0.3), 100, 1e-1);
}

// Closed at both levels after every step, to some units of round-off in lengths and rates of size 1 to 10.
template <class Case>
void expectClosed(const Case& run, double step, double until) {
  const auto integrator = run.begun("rattle", step, run.start(), until);
  const auto work = run.system().makeWorkspace();
  StepStatus status = StepStatus::ok;
  double position = 0.0;
  double velocity = 0.0;
  while (status == StepStatus::ok) {
    status = integrator->step();
    const Violation off =
        run.system().violation(integrator->time(), integrator->state(), run.system().startModes(), *work);
    position = std::max(position, off.position);
    velocity = std::max(velocity, off.velocity);
  }
  EXPECT_EQ(status, StepStatus::finished) << integrator->failure();
  ::testing::Test::RecordProperty("position", fmt::format("{:.1e}", position));
  ::testing::Test::RecordProperty("velocity", fmt::format("{:.1e}", velocity));
  EXPECT_LT(position, 1e-12);
  EXPECT_LT(velocity, 1e-12);
}

TEST(Rattle, KeepsLoopsClosed) { expectClosed(fourBar(), 0.01, 5.0); }
TEST(Rattle, KeepsLoopsInSpaceClosed) { expectClosed(fourBarInSpace(), 0.005, 2.0); }

// Rows that depend on others are left out of the solves, and hold all the same.
TEST(Rattle, KeepsRedundantLoopsClosed) {
  expectClosed(test::CanonicalCase<PlaneD>(test::freeParallelogram(3), {}, 1.0), 0.01, 2.0);
  expectClosed(test::CanonicalCase<SpaceD>(test::bricard(), {0.3}, 1.0), 0.005, 0.5);
}
TEST(Rattle, IsOfSecondOrderOnRedundantLoops) {
  expectOrder(test::CanonicalCase<PlaneD>(test::freeParallelogram(3), {}, 1.0), 100, 1e-2);
}

// With impulses turned around the motion retraces its way. Round-off of one step each way, in numbers of size 1 to 3;
// what closure at round-off leaves of impulses, eps/h, is taken out with the rows on the velocities.
template <class Case>
void expectRetraced(const Case& run, double h) {
  const std::vector<double> there = run.stepped("rattle", h, run.start());
  const std::vector<double> back = run.reversed(run.stepped("rattle", h, run.reversed(there)));
  double moved = 0.0;
  for (std::size_t k = 0; k < run.positions() + run.freedoms(); ++k) {
    moved = std::max(moved, std::abs(there[k] - run.start()[k]));
    EXPECT_NEAR(back[k], run.start()[k], 5e-14) << k;
  }
  EXPECT_GT(moved, 0.01);
}
TEST(Rattle, RetracesAStep) {
  expectRetraced(fourBar(), 0.03);
  expectRetraced(top(), 0.02);
  expectRetraced(fourBarInSpace(), 0.02);
}

// [q, p], with four canonical coordinates and impulses 2 o (0, p) for each ball.
template <class G>
std::vector<double> canonicalPoint(const test::CanonicalCase<G>& run, std::span<const double> x) {
  const std::size_t n = run.positions();
  std::vector<double> out(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n));
  std::size_t q = 0;
  std::size_t p = n;
  for (const auto& ball : run.system().canonical()->balls()) {
    for (; q < static_cast<std::size_t>(ball.coordinate); ++q) out.push_back(x[p++]);
    const double* o = &x[q];
    const double* v = &x[p];
    out.push_back(-2 * (o[1] * v[0] + o[2] * v[1] + o[3] * v[2]));
    out.push_back(2 * (o[0] * v[0] + o[2] * v[2] - o[3] * v[1]));
    out.push_back(2 * (o[0] * v[1] + o[3] * v[0] - o[1] * v[2]));
    out.push_back(2 * (o[0] * v[2] + o[1] * v[1] - o[2] * v[0]));
    q += 4;
    p += 3;
  }
  for (; q < n; ++q) out.push_back(x[p++]);
  return out;
}

// dq ^ dp of neighbouring motions that the constraints allow, before and after a step. `beside(k, e)`: the start moved
// in a way k by e. Central differences of 1e-4 leave errors of 1e-8 times third derivatives of the step, and 1e-12/h of
// round-off.
template <class G, class Beside>
void expectSymplectic(const test::CanonicalCase<G>& run, double h, std::size_t ways, const Beside& beside) {
  constexpr double kAside = 1e-4;
  std::vector<std::vector<double>> before;
  std::vector<std::vector<double>> after;
  const auto slope = [](std::vector<double> up, const std::vector<double>& down) {
    for (std::size_t i = 0; i < up.size(); ++i) up[i] = (up[i] - down[i]) / (2 * kAside);
    return up;
  };
  for (std::size_t k = 0; k < ways; ++k) {
    const std::vector<double> up = beside(k, kAside);
    const std::vector<double> down = beside(k, -kAside);
    before.push_back(slope(canonicalPoint(run, up), canonicalPoint(run, down)));
    after.push_back(
        slope(canonicalPoint(run, run.stepped("rattle", h, up)), canonicalPoint(run, run.stepped("rattle", h, down))));
  }
  const auto form = [](const std::vector<double>& a, const std::vector<double>& b) {
    const std::size_t n = a.size() / 2;
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[n + i] - a[n + i] * b[i];
    return sum;
  };
  double largest = 0.0;
  for (std::size_t a = 0; a < ways; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      largest = std::max(largest, std::abs(form(before[a], before[b])));
      EXPECT_NEAR(form(after[a], after[b]), form(before[a], before[b]), 2e-8) << a << ' ' << b;
    }
  }
  EXPECT_GT(largest, 0.1);  // or nothing was compared
}

TEST(Rattle, KeepsTheSymplecticFormOfATop) {
  const auto run = top();
  expectSymplectic(run, 0.02, 6, [&](std::size_t way, double e) {
    std::vector<double> x = run.start();
    if (way >= 3) {
      x[4 + way - 3] += e;
      return x;
    }
    std::array<double, 3> turn{};
    turn[way] = e;
    moveJoints<SpaceD>(run.system().tree(), turn, std::span(x).first(4));
    return x;
  });
}

// One freedom: moved along the loop by a short exact motion, or faster by a factor.
TEST(Rattle, KeepsTheSymplecticFormOfALoop) {
  const test::CanonicalCase<PlaneD> run(test::freeParallelogram(2), {0.8}, 1.0);
  expectSymplectic(run, 0.02, 2, [&](std::size_t way, double e) {
    std::vector<double> x = run.start();
    if (way == 0) {
      for (std::size_t k = run.positions(); k < run.positions() + run.freedoms(); ++k) x[k] *= 1 + 10 * e;
      return x;
    }
    const auto integrator = run.begun("dop853", 0.0, e > 0 ? x : run.reversed(x), std::abs(e));
    StepStatus status = StepStatus::ok;
    while (status == StepStatus::ok) status = integrator->step();
    x.assign(integrator->state().begin(), integrator->state().end());
    x = run.system().fromVelocities(0.0, run.system().toVelocities(0.0, x));
    return e > 0 ? x : run.reversed(x);
  });
}

// Turning the ground about the vertical changes nothing, so the momentum about it stays: to round-off, as the step
// keeps what is bilinear in canonical coordinates and impulses.
TEST(Rattle, KeepsTheMomentumOfATopAboutTheVertical) {
  const auto run = top();
  const auto vertical = [](std::span<const double> x) {
    const auto R = Rotation3<double>::fromQuaternion(x[0], x[1], x[2], x[3]);
    return (R * Vec3<double>{x[4], x[5], x[6]}).z;
  };
  const auto integrator = run.begun("rattle", 0.02, run.start(), 100.0);
  const double before = vertical(run.start());
  double worst = 0.0;
  double longer = 0.0;
  StepStatus status = StepStatus::ok;
  while (status == StepStatus::ok) {
    status = integrator->step();
    const auto x = integrator->state();
    worst = std::max(worst, std::abs(vertical(x) - before));
    longer = std::max(longer, std::abs(std::hypot(std::hypot(x[0], x[1]), std::hypot(x[2], x[3])) - 1));
  }
  EXPECT_EQ(status, StepStatus::finished) << integrator->failure();
  RecordProperty("worst", fmt::format("{:.1e}", worst));
  EXPECT_LT(worst, 2e-11);  // 5000 steps, each with round-off in impulses of size 3
  EXPECT_LT(longer, 1e-13);
}

// The energy error of the first tenth of a run bounds that of the last.
template <class Case>
void expectBoundedEnergy(const Case& run, double step, int steps) {
  const double energy = run.energy(0.0, run.start());
  const auto integrator = run.begun("rattle", step, run.start(), step * (steps + 1));
  std::array<double, 2> worst{};
  for (int k = 0; k < steps; ++k) {
    ASSERT_EQ(integrator->step(), StepStatus::ok) << integrator->failure();
    if (k >= steps / 10 && k < 9 * steps / 10) continue;
    double& own = worst[k < steps / 10 ? 0 : 1];
    own = std::max(own, std::abs(run.energy(integrator->time(), integrator->state()) - energy));
  }
  ::testing::Test::RecordProperty("first", fmt::format("{:.2e}", worst[0]));
  ::testing::Test::RecordProperty("last", fmt::format("{:.2e}", worst[1]));
  EXPECT_LT(worst[1], 1.5 * worst[0]);
}
TEST(Rattle, DoesNotLoseEnergyOnALoop) { expectBoundedEnergy(fourBar(), 0.02, 5000); }
TEST(Rattle, DoesNotLoseEnergyOnABall) { expectBoundedEnergy(top(), 0.02, 5000); }

TEST(Rattle, GoesOnFromItsMemoryToTheLastBit) { test::expectToGoOnFromMemory(fourBarInSpace(), "rattle"); }

TEST(Rattle, RefusesBodiesWithoutInertia) {
  Mechanism m = test::freeParallelogram(2);
  m.bodies[2].mass = m.bodies[2].inertia = 0.0;
  const test::CanonicalCase<PlaneD> run(m, {}, 1.0);
  IntegratorOptions options;
  options.step = 0.01;
  EXPECT_THAT(integratorProblem("rattle", run.system(), options), HasSubstr("a body lacks mass or inertia"));
}

}  // namespace rattle_test
}  // namespace linkwork
