// The written equations in joint and absolute coordinates, evaluated, against the systems that simulate them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "linkwork/codegen/equation_forms.hpp"
#include "linkwork/codegen/program_values_for_tests.hpp"
#include "linkwork/codegen/shaken_state_for_tests.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/model/test_mechanisms.hpp"
#include "linkwork/recursion/trees_for_tests.hpp"

namespace linkwork {
namespace recursive_program_test {

using test::ProgramValues;
using test::shakenState;
using test::wholeTurns;

// `turned` is added to the references of all counted angles. Gives back how many turns the program asks for.
int expectAsSimulated(const Mechanism& mechanism, std::vector<double> absolute, WrittenForm form, double turned = 0.0) {
  EquationRequest request;
  request.form = form;
  request.torques = Torques::none;
  const WrittenEquations written = writeEquations(mechanism, request);
  EXPECT_TRUE(written.program) << written.problem;
  if (!written.program) return -1;
  SystemOptions options;
  const auto start = makeSystem(mechanism, options);
  const auto start_work = start->makeWorkspace();
  EXPECT_EQ(start->afterStep(0.0, absolute, start->startModes(), *start_work).eval, Eval::ok);
  const auto first_turn = static_cast<std::size_t>(start->space().positions() + start->space().velocities()) + 1;
  for (std::size_t k = first_turn; k < absolute.size(); ++k) absolute[k] += turned;
  options.formulation = wordFor(form);
  const auto system = makeSystem(mechanism, options);
  const std::vector<double> x = system->fromAbsolute(0.0, absolute);
  const auto work = system->makeWorkspace();
  std::vector<double> rates(x.size());
  EXPECT_EQ(system->derivative(0.0, x, system->startModes(), *work, rates), Eval::ok) << system->describeFailure(*work);
  const auto positions = static_cast<std::size_t>(system->space().positions());
  const auto velocities = static_cast<std::size_t>(system->space().velocities());
  const bool tree = form == WrittenForm::recursive;
  const auto from = [&](std::size_t first, std::size_t count) {
    return std::vector<double>(x.begin() + static_cast<std::ptrdiff_t>(first),
                               x.begin() + static_cast<std::ptrdiff_t>(first + count));
  };
  const std::vector<double> n = wholeTurns(mechanism, *written.program, absolute);
  const ProgramValues values(*written.program,
                             {{"q", from(0, positions)}, {tree ? "u" : "v", from(positions, velocities)}, {"n", n}});
  const std::vector<double> found = values.output(tree ? "ud" : "acc");
  EXPECT_EQ(found.size(), velocities);
  double size = 1.0;
  for (std::size_t k = 0; k < velocities; ++k) size = std::max(size, std::abs(rates[positions + k]));
  // Round-off of some thousand operations.
  for (std::size_t k = 0; k < velocities; ++k)
    EXPECT_NEAR(found[k], rates[positions + k], 1e-11 * size) << wordFor(form) << " " << k;
  return static_cast<int>(n.size());
}

void expectAsSimulated(const Mechanism& mechanism, const std::vector<double>& absolute) {
  for (const WrittenForm form : {WrittenForm::recursive, WrittenForm::absolute})
    expectAsSimulated(mechanism, absolute, form);
}

TEST(WrittenPrograms, OfATreeAreWhatIsSimulated) {
  const Mechanism m = test::sliderPendulum();
  expectAsSimulated(m, shakenState(m, 0.1));
}

TEST(WrittenPrograms, OfAPlanarLoopAreWhatIsSimulated) {
  const Mechanism m = test::fourBar();
  expectAsSimulated(m, shakenState(m, 0.0));
}

TEST(WrittenPrograms, OfARedundantLoopInSpaceAreWhatIsSimulated) {
  const Mechanism m = liftToSpace(test::fourBar());
  expectAsSimulated(m, shakenState(m, 0.0));
}

// A spring on an angle, which knows how often it was wound up.
Mechanism woundFourBar() {
  Mechanism m = test::fourBar();
  Load coil;
  coil.name = "coil";
  coil.kind = LoadKind::rotational_spring_damper;
  coil.second = BodyIndex(0);
  coil.on_first = test::frameAt(0, 0);
  coil.on_second = test::frameAt(0, 0, 0.3);
  coil.stiffness = 2.0;
  coil.damping = 0.1;
  coil.free_length = 0.4;
  m.loads.push_back(coil);
  return liftToSpace(m);
}

TEST(WrittenPrograms, OfASpringInSpaceTakeItsWholeTurns) {
  const Mechanism m = woundFourBar();
  for (const WrittenForm form : {WrittenForm::recursive, WrittenForm::absolute}) {
    for (const double turned : {0.0, 6.0 * std::numbers::pi, -14.0 * std::numbers::pi})
      EXPECT_EQ(expectAsSimulated(m, shakenState(m, 0.0), form, turned), 1);
  }
}

TEST(WrittenPrograms, TakeNoTurnsWhereNothingReadsThem) {
  const Mechanism m = liftToSpace(test::fourBar());
  EXPECT_EQ(expectAsSimulated(m, shakenState(m, 0.0), WrittenForm::recursive), 0);
}

// Random chains of every kind of joint at random states, off the constraint surface too.
TEST(AbsoluteProgram, OfChainsInSpaceIsWhatIsSimulated) {
  for (const unsigned seed : {3U, 7U, 11U}) {
    const Mechanism m = test::randomTree(true, seed, test::treeKinds(true), true).mechanism;
    EquationRequest request;
    request.form = WrittenForm::absolute;
    const WrittenEquations written = writeEquations(m, request);
    ASSERT_TRUE(written.program) << written.problem;
    const auto system = makeSystem(m, {});
    std::vector<double> x(static_cast<std::size_t>(system->space().size()), 0.0);
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const std::size_t positions = 7 * m.bodies.size();
    const std::size_t velocities = 6 * m.bodies.size();
    for (std::size_t k = 0; k < positions + velocities; ++k) x[k] = uniform(engine);
    const auto work = system->makeWorkspace();
    std::vector<double> rates(x.size());
    ASSERT_EQ(system->derivative(0.0, x, system->startModes(), *work, rates), Eval::ok)
        << system->describeFailure(*work);
    const auto v = x.begin() + static_cast<std::ptrdiff_t>(positions);
    const ProgramValues values(*written.program,
                               {{"q", {x.begin(), v}}, {"v", {v, v + static_cast<std::ptrdiff_t>(velocities)}}});
    const std::vector<double> found = values.output("acc");
    double size = 1.0;
    for (std::size_t k = 0; k < velocities; ++k) size = std::max(size, std::abs(rates[positions + k]));
    for (std::size_t k = 0; k < velocities; ++k) EXPECT_NEAR(found[k], rates[positions + k], 1e-11 * size) << k;
  }
}

// Forces of the tree's joints, in ground axes, and of the cut, against what the system observes.
template <class G>
void expectReactionsAsObserved(const Mechanism& mechanism) {
  EquationRequest request;
  request.form = WrittenForm::recursive;
  request.task = EquationTask::reactions;
  const WrittenEquations written = writeEquations(mechanism, request);
  ASSERT_TRUE(written.program) << written.problem;
  SystemOptions options;
  std::vector<double> absolute = shakenState(mechanism, 0.0);
  const auto start = makeSystem(mechanism, options);
  const auto start_work = start->makeWorkspace();
  ASSERT_EQ(start->afterStep(0.0, absolute, start->startModes(), *start_work).eval, Eval::ok);
  options.formulation = "recursive";
  const auto system = makeSystem(mechanism, options);
  const std::vector<double> x = system->fromAbsolute(0.0, absolute);
  const auto work = system->makeWorkspace();
  Observation seen;
  ASSERT_EQ(system->observe(0.0, x, system->startModes(), *work, seen), Eval::ok);

  const TreePlan plan = planTree(mechanism, compileElements<G>(mechanism).groups, {canCarry, DrivenJoints::follow});
  const Tree<G> tree = makeTree<G>(mechanism, plan.links);
  PositionKinematics<G> pk(tree);
  const std::vector<double> q(x.begin(), x.begin() + tree.coordinates);
  const std::vector<double> u(x.begin() + tree.coordinates, x.begin() + tree.coordinates + tree.freedoms);
  positionKinematics<G>(tree, q, {}, pk);
  const ProgramValues values(*written.program, {{"q", q}, {"u", u}});
  const std::vector<double> F = values.output("F");
  const auto size = [](double fx, double fy, double fz) { return std::sqrt(fx * fx + fy * fy + fz * fz); };
  double largest = 1.0;
  for (const Reaction& r : seen.joints)
    largest = std::max(largest, size(r.force_on_second[0], r.force_on_second[1], r.force_on_second[2]));
  for (std::size_t k = 0; k < tree.links.size(); ++k) {
    const double* f = &F[k * G::kFreedoms];
    std::array<double, 3> force = {f[0], f[1], 0.0};
    if constexpr (G::kSpatial) {
      const Vec3<double> in_ground = pk.place[k].R * Vec3<double>{f[0], f[1], f[2]};
      force = {in_ground.x, in_ground.y, in_ground.z};
    }
    const auto joint = static_cast<std::size_t>(tree.links[k].joint);
    const Reaction& expected = seen.joints[joint];
    const double sign = tree.links[k].first_is_parent ? 1.0 : -1.0;
    for (std::size_t c = 0; c < 3; ++c) {
      if (!expected.force_unique[c]) continue;
      EXPECT_NEAR(force[c], sign * expected.force_on_second[c], 1e-10 * largest) << mechanism.joints[joint].name << c;
    }
  }
  const std::vector<double> lam = values.output("lam");
  ASSERT_EQ(static_cast<int>(lam.size()), plan.cutRows());
  if (G::kSpatial) return;  // there some of them are not unique
  const Reaction& cut = seen.joints[static_cast<std::size_t>(plan.cuts[0].joint)];
  EXPECT_NEAR(size(lam[0], lam[1], 0.0), size(cut.force_on_second[0], cut.force_on_second[1], 0.0), 1e-10 * largest);
}

TEST(RecursiveProgram, ReactionsHoldWhatTheCutsCarry) {
  expectReactionsAsObserved<Planar<double>>(test::fourBar());
  expectReactionsAsObserved<Spatial<double>>(liftToSpace(test::fourBar()));
}

TEST(RecursiveProgram, OfTreesOfAllJointsIsWhatTheKernelsCompute) {
  for (const bool spatial : {false, true}) {
    // A chain: numbered in one way only.
    const test::RandomTree random = test::randomTree(spatial, 7, test::treeKinds(spatial), true);
    EquationRequest request;
    request.form = WrittenForm::recursive;
    request.torques = Torques::none;
    const WrittenEquations written = writeEquations(random.mechanism, request);
    ASSERT_TRUE(written.program) << written.problem;
    const auto compare = [&]<class G>(G /*geometry*/) {
      test::TreeState<G> state(random, 0, 3);
      ArticulatedFactor<G> factor(state.tree);
      TreeSolve<G> solve(state.tree);
      std::vector<double> udot(state.u.size());
      factorTree<G>(state.tree, state.pk, factor);
      forwardDynamics<G>(state.tree, state.pk, state.vk, factor, {}, {state.tree.gravity, {}}, solve, udot);
      const std::vector<double> found = ProgramValues(*written.program, {{"q", state.q}, {"u", state.u}}).output("ud");
      ASSERT_EQ(found.size(), udot.size());
      double size = 1.0;
      for (const double a : udot) size = std::max(size, std::abs(a));
      for (std::size_t k = 0; k < udot.size(); ++k) EXPECT_NEAR(found[k], udot[k], 1e-11 * size) << spatial << k;
    };
    if (spatial) {
      compare(Spatial<double>{});
    } else {
      compare(Planar<double>{});
    }
  }
}

}  // namespace recursive_program_test
}  // namespace linkwork
