// Velocities that the user names, in the formulation quasivelocity.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/drawn_state_for_tests.hpp"
#include "linkwork/formulation/make_system.hpp"
#include "linkwork/formulation/quasivelocity/quasi_velocity_names_impl.hpp"
#include "linkwork/formulation/quasivelocity/quasi_velocity_system.hpp"
#include "linkwork/model/skates_for_tests.hpp"
#include "linkwork/system/state_jacobian.hpp"

namespace linkwork {
namespace named_velocities_test {

Expr symbol(const char* name) { return Expr::symbol(name); }

SystemOptions optionsFor(const std::vector<double>& start) {
  SystemOptions out;
  out.formulation = "quasivelocity";
  out.stabilisation = "none";
  out.start = start;
  return out;
}

std::vector<double> movingState(const Mechanism& m) {
  std::vector<double> out = test::drawnState(m);
  const double v[] = {0.3, -0.2, 0.8, 0.1, 0.4, -0.5};
  std::copy(std::begin(v), std::end(v), out.begin() + 6);
  return out;
}

// x of a state that the rows allow.
struct Both {
  std::unique_ptr<MechanismSystem> named, plain;
  std::vector<double> x_named, x_plain;
};
Both bothOf(double t) {
  const Mechanism m = test::tugWithNames();
  Mechanism without = m;
  without.named_velocities.clear();
  Both out;
  const std::vector<double> start = movingState(m);
  out.plain = makeSystem(without, optionsFor(start));
  out.named = makeSystem(m, optionsFor(start));
  EXPECT_EQ(out.named->problem(), "");
  out.x_plain = out.plain->fromAbsolute(t, start);
  const std::vector<double> allowed = out.plain->toAbsolute(t, out.x_plain, out.plain->startModes());
  out.x_named = out.named->fromAbsolute(t, allowed);
  return out;
}

// Round-off of one evaluation.
constexpr double kSame = 1e-12;

TEST(NamedVelocities, AreTheFirstOfTheState) {
  for (const double t : {0.0, 2.0}) {
    const Both both = bothOf(t);
    const std::vector<double> absolute = both.named->toAbsolute(t, both.x_named, both.named->startModes());
    const int at_v = both.named->space().velocityOffset();
    const double angle = absolute[2];
    const double v = std::cos(angle) * absolute[6] + std::sin(angle) * absolute[7] + 0.1 * t;
    EXPECT_NEAR(both.x_named[static_cast<std::size_t>(at_v)], v, kSame);
    const std::vector<double> wanted = both.plain->toAbsolute(t, both.x_plain, both.plain->startModes());
    for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_NEAR(absolute[k], wanted[k], kSame) << k;
  }
}

// Along the motion of the system without names.
TEST(NamedVelocities, ChangeAsTheMotionSays) {
  const double t = 0.7;
  const Both both = bothOf(t);
  const auto work = both.named->makeWorkspace();
  const auto plain_work = both.plain->makeWorkspace();
  std::vector<double> rates(both.x_named.size());
  std::vector<double> plain_rates(both.x_plain.size());
  ASSERT_EQ(both.named->derivative(t, both.x_named, both.named->startModes(), *work, rates), Eval::ok);
  ASSERT_EQ(both.plain->derivative(t, both.x_plain, both.plain->startModes(), *plain_work, plain_rates), Eval::ok);
  constexpr double kStep = 1e-5;
  std::vector<double> change(rates.size(), 0.0);
  for (const double sign : {1.0, -1.0}) {
    std::vector<double> moved = both.x_plain;
    for (std::size_t k = 0; k < moved.size(); ++k) moved[k] += sign * kStep * plain_rates[k];
    const double when = t + sign * kStep;
    const std::vector<double> named =
        both.named->fromAbsolute(when, both.plain->toAbsolute(when, moved, both.plain->startModes()));
    for (std::size_t k = 0; k < change.size(); ++k) change[k] += sign * named[k] / (2.0 * kStep);
  }
  // Central differences: the square of the step, and round-off over it.
  for (std::size_t k = 0; k + 1 < change.size(); ++k) EXPECT_NEAR(rates[k], change[k], 1e-8) << k;
}

TEST(NamedVelocities, HaveAnExactJacobianProduct) {
  const double t = 0.3;
  const Both both = bothOf(t);
  ASSERT_NE(both.named->jacobian(), nullptr);
  const Modes modes = both.named->startModes();
  const auto exact = makeJacobianProduct(*both.named);
  const auto differences = makeDifferenceProduct(*both.named);
  const std::size_t n = both.x_named.size();
  std::vector<double> d(n);
  for (std::size_t k = 0; k < n; ++k) d[k] = std::sin(1.0 + 2.0 * static_cast<double>(k));
  std::vector<double> found(n);
  std::vector<double> wanted(n);
  ASSERT_EQ(exact->times(t, both.x_named, modes, d, found), Eval::ok);
  ASSERT_EQ(differences->times(t, both.x_named, modes, d, wanted), Eval::ok);
  // One-sided differences of a quadratic function.
  for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(found[k], wanted[k], 1e-5) << k;
}

std::string problemOf(const Mechanism& m) { return makeSystem(m, optionsFor(test::drawnState(m)))->problem(); }

TEST(NamedVelocities, AreRefusedWhereTheyDependOnEachOther) {
  Mechanism m = test::tugWithNames();
  m.named_velocities.push_back({"w", symbol("first.angle_rate"), RelationUnit::angle, {}});
  EXPECT_EQ(problemOf(m), "");
  m.named_velocities[1] = {"w", 2.0 * m.named_velocities[0].form, RelationUnit::length, {}};
  EXPECT_EQ(problemOf(m),
            "[quasivelocities]: \"v\" and \"w\" depend on each other at the start: leave one of them out");
  const Expr angle = symbol("first.angle");
  const Expr across =
      0.6 * symbol("first.angle_rate") - cos(angle) * symbol("first.y_rate") + sin(angle) * symbol("first.x_rate");
  m.named_velocities[1] = {"across", across, RelationUnit::length, {}};
  EXPECT_EQ(problemOf(m),
            "[quasivelocities]: \"across\" is no freedom, because the joints alone determine it: leave it out");
  while (m.named_velocities.size() < 8) m.named_velocities.push_back(m.named_velocities[0]);
  EXPECT_NE(problemOf(m).find("[quasivelocities] names 8 (v, across, v"), std::string::npos) << problemOf(m);
}

TEST(NamedVelocities, FirstCombinationSaysOfWhatItIsMade) {
  EXPECT_EQ(firstCombination({{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, 1e-9), std::vector<int>{});
  EXPECT_EQ(firstCombination({{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.5, 0.0, 0.0}}, 1e-9), (std::vector<int>{0, 2}));
  EXPECT_EQ(firstCombination({{1.0, 0.0}, {0.0, 0.0}}, 1e-9), std::vector<int>{1});
  EXPECT_EQ(firstCombination({{1.0, 1.0}, {1.0, -1.0}, {0.3, 0.1}}, 1e-9), (std::vector<int>{0, 1, 2}));
}

}  // namespace named_velocities_test
}  // namespace linkwork
