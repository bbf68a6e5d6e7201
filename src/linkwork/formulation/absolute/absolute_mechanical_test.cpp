// A mechanism as a MechanicalSystem: the laws of that contract, in the plane and in space, and what is said of trouble.
#include "linkwork/formulation/absolute/absolute_mechanical.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/formulation/make_system.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/model/n_four_bar_for_tests.hpp"
#include "linkwork/model/test_mechanisms.hpp"
#include "linkwork/system/mechanical_laws_for_tests.hpp"

namespace linkwork {
namespace absolute_mechanical_test {

using namespace test;
using ::testing::HasSubstr;

Expr name(const char* symbol) { return Expr::symbol(symbol); }

void addForce(Mechanism& m, const std::string& load_name, int body, const Expr& fx, const Expr& fy) {
  Load load;
  load.name = load_name;
  load.kind = LoadKind::force;
  load.second = BodyIndex(body);
  load.on_second = frameAt(0.3, 0.1);
  load.force = {fx, fy, Expr(0.0)};
  m.loads.push_back(load);
}

// Four bodies in a row with one element of many kinds each, loads that name bodies far away, relations and a cam.
Mechanism mixed() {
  Mechanism m;
  m.gravity = {Value(0.3), Value(-9.81), Value(0.0)};
  m.parameters.push_back({"n", Value(1.7), "", {}});
  for (const char* body : {"a", "b", "c", "d"}) addBody(m, body, 1.5, 0.2);
  addJoint(m, "H", JointKind::revolute, kGround, frameAt(0.1, 0.2), BodyIndex(0), frameAt(-0.2, 0.1));
  addJoint(m, "S", JointKind::prismatic, BodyIndex(0), frameAt(0.3, -0.1, 0.3), BodyIndex(1), frameAt(0.2, 0.3, 0.4));
  addJoint(m, "N", JointKind::pin_slot, BodyIndex(1), frameAt(0.1, 0.1), BodyIndex(2), frameAt(-0.1, 0.2, -0.3));
  addJoint(m, "rod", JointKind::distance, BodyIndex(2), frameAt(0.1, 0.2), BodyIndex(3), frameAt(1, 1)).length = 1.4;
  Joint gear;
  gear.name = "mesh";
  gear.kind = JointKind::coupling;
  gear.terms = {{{QuantityKind::joint_angle, 0}, Value(1.0)}, {{QuantityKind::joint_slide, 1}, Value(2.5)}};
  m.joints.push_back(gear);
  Joint formula;
  formula.name = "formula";
  formula.kind = JointKind::expression;
  formula.expression = sin(name("t") * name("H.angle")) * name("d.x") + name("c.y") * name("c.y") * name("n");
  m.joints.push_back(formula);
  Joint& cam =
      addJoint(m, "cam", JointKind::curve, BodyIndex(1), frameAt(0.4, 0.0), BodyIndex(3), frameAt(0, 0.1, 0.5));
  for (const auto& [x, y] : {std::pair{-9.0, 0.3}, {-2.0, -0.5}, {2.0, 0.4}, {9.0, -0.2}})
    cam.curve.points.push_back({Value(x), Value(y)});
  addDrive(m, "turn", DriveKind::angle, kGround, frameAt(0, 0), BodyIndex(2), frameAt(0, 0), sin(name("t")));
  addDrive(m, "reach", DriveKind::distance, BodyIndex(0), frameAt(0, 0), BodyIndex(3), frameAt(0.2, 0.3),
           Expr(2.0) + name("t"));
  addSpring(m, "spring", BodyIndex(0), frameAt(0.2, 0.1), BodyIndex(2), frameAt(-0.3, 0.4), 40.0, 3.0, 0.6);
  addSpring(m, "to ground", BodyIndex(3), frameAt(0.2, 0.1), kGround, frameAt(3.0, 4.0), 25.0, 1.0, 0.9);
  addCouple(m, "far", BodyIndex(1), BodyIndex(3), name("a.x") * name("H.angle_rate") + name("n") * name("b.y"));
  addForce(m, "wind", 3, name("t") * name("a.x_rate") * name("c.x"), Expr(-2.0) * name("d.y_rate"));
  Load twist;
  twist.name = "twist";
  twist.kind = LoadKind::rotational_spring_damper;
  twist.first = BodyIndex(0);
  twist.second = BodyIndex(3);
  twist.stiffness = 12.0;
  twist.damping = 0.7;
  m.loads.push_back(twist);
  return m;
}

template <class G>
std::vector<double> anyState(const StateSpace& space, int bodies, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-0.7, 0.7);
  std::vector<double> q;
  for (int b = 0; b < bodies; ++b) {
    std::array<double, G::kCoordinates> own{};
    if constexpr (G::kSpatial) own[3] = 1.0;
    std::array<double, G::kFreedoms> step{};
    for (double& value : step) value = number(random);
    step[0] += b;  // so that no two points coincide
    retract(G{}, own, step);
    q.insert(q.end(), own.begin(), own.end());
  }
  std::vector<double> x = q;
  while (static_cast<int>(x.size()) < space.quadratureOffset()) x.push_back(2.0 * number(random));
  x.resize(static_cast<std::size_t>(space.size()), 0.0);
  return x;
}

template <class G>
class AbsoluteMechanicalTest : public ::testing::Test {
 public:
  static Mechanism in(const Mechanism& m) { return G::kSpatial ? liftToSpace(m) : m; }
};
using Geometries = ::testing::Types<Planar<double>, Spatial<double>>;
TYPED_TEST_SUITE(AbsoluteMechanicalTest, Geometries);

TYPED_TEST(AbsoluteMechanicalTest, SatisfiesTheLawsOffTheConstraints) {
  using G = TypeParam;
  for (const Mechanism& m : {mixed(), crankSlider(), parallelogram()}) {
    const AbsoluteMechanical<G> system(this->in(m), {1});
    for (unsigned seed = 1; seed <= 2; ++seed) {
      SCOPED_TRACE(m.name + " seed " + std::to_string(seed));
      MechanicalLaws laws{system, 0.4, anyState<G>(system.space(), static_cast<int>(m.bodies.size()), seed), {}};
      for (int r = 0; r < system.rows(); ++r) laws.lambda.push_back(3.0 * std::sin(1.0 + r));
      laws.check();
    }
  }
}

// Forces, mass, row names and quadratures are those of the index-1 system of the same mechanism.
TYPED_TEST(AbsoluteMechanicalTest, AgreesWithTheIndex1System) {
  using G = TypeParam;
  const Mechanism m = this->in(crankSlider());
  AbsoluteOptions options;
  options.stabilisation = Stabilisation::index3;
  const BasicAbsoluteSystem<G> system(m, options);
  ASSERT_NE(system.mechanical(), nullptr);
  const MechanicalSystem& mechanical = *system.mechanical();
  const std::vector<double> x = anyState<G>(system.space(), 4, 5);
  // With index3 velocities are observed along the joints, and those of this state are not.
  options.stabilisation = Stabilisation::none;
  const BasicAbsoluteSystem<G> index_one(m, options);
  const auto work = index_one.makeWorkspace();
  std::vector<double> xdot(x.size());
  ASSERT_EQ(index_one.derivative(0.3, x, index_one.startModes(), *work, xdot), Eval::ok);
  Observation seen;
  ASSERT_EQ(index_one.observe(0.3, x, index_one.startModes(), *work, seen), Eval::ok);
  const auto own = mechanical.makeWorkspace();
  MechanicalValues values;
  ASSERT_EQ(mechanical.values(0.3, x, Modes{}, *own, values), Eval::ok);
  const int n = mechanical.space().velocities();
  const Eigen::VectorXd a = Eigen::Map<const Eigen::VectorXd>(xdot.data() + mechanical.space().positions(), n);
  const Eigen::VectorXd lambda = Eigen::Map<const Eigen::VectorXd>(seen.multipliers.data(), mechanical.rows());
  // M a = f + Phi_q^T lambda, up to the round-off of forces of hundreds of newtons
  EXPECT_LT((*mechanical.constantMass() * a - values.force - values.phi_q.transpose() * lambda).norm(), 1e-9);
  std::vector<double> wdot(static_cast<std::size_t>(mechanical.space().quadratures()));
  mechanical.quadratureRates(seen.multipliers, *own, wdot);
  for (std::size_t k = 0; k < wdot.size(); ++k) {
    EXPECT_NEAR(wdot[k], xdot[xdot.size() - wdot.size() + k], 1e-10 * (1.0 + std::abs(wdot[k])));
  }
  EXPECT_EQ(mechanical.rowName(0), m.joints[0].name + ".x");
}

// What index 3 leaves across the joints is told as the violation, and is in no velocity that is observed.
TYPED_TEST(AbsoluteMechanicalTest, IsObservedAlongTheJoints) {
  using G = TypeParam;
  Mechanism m = sliderPendulum();
  drawAt(m, sliderPendulumMoving());
  m = this->in(m);
  AbsoluteOptions options;
  options.stabilisation = Stabilisation::index3;
  const BasicAbsoluteSystem<G> system(m, options);
  const auto n = static_cast<std::size_t>(system.space().positions());
  std::vector<double> closed(static_cast<std::size_t>(system.space().size()), 0.0);
  for (std::size_t b = 0; b < 2; ++b) {
    const State s = sliderPendulumMoving();
    const std::size_t q = G::kCoordinates * b;
    const std::size_t v = n + G::kFreedoms * b;
    for (std::size_t k = 0; k < 2; ++k) {
      closed[q + k] = s.q[3 * b + k];
      closed[v + k] = s.v[3 * b + k];
    }
    if constexpr (G::kSpatial) {
      closed[q + 3] = std::cos(0.5 * s.q[3 * b + 2]);
      closed[q + 6] = std::sin(0.5 * s.q[3 * b + 2]);
      closed[v + 5] = s.v[3 * b + 2];
    } else {
      closed[q + 2] = s.q[3 * b + 2];
      closed[v + 2] = s.v[3 * b + 2];
    }
  }
  const auto work = system.makeWorkspace();
  Observation expected;
  ASSERT_EQ(system.observe(0.0, closed, system.startModes(), *work, expected), Eval::ok);
  ASSERT_LT(expected.violation.velocity, 1e-14);
  // Across the joints in the metric of the masses: M^-1 Phi_q^T mu.
  MechanicalValues values;
  const auto own = system.mechanical()->makeWorkspace();
  ASSERT_EQ(system.mechanical()->values(0.0, closed, Modes{}, *own, values), Eval::ok);
  const Eigen::VectorXd mu = 0.01 * Eigen::VectorXd::LinSpaced(system.mechanical()->rows(), 1.0, 2.0);
  const Eigen::MatrixXd mass = *system.mechanical()->constantMass();
  const Eigen::VectorXd push = mass.ldlt().solve(Eigen::VectorXd(values.phi_q.transpose() * mu));
  std::vector<double> open = closed;
  for (Eigen::Index k = 0; k < push.size(); ++k) open[n + static_cast<std::size_t>(k)] += push[k];
  Observation seen;
  ASSERT_EQ(system.observe(0.0, open, system.startModes(), *work, seen), Eval::ok);
  EXPECT_NEAR(seen.violation.velocity, (values.phi_q * push).norm(), 1e-12);
  EXPECT_GT(seen.violation.velocity, 1e-3);
  for (std::size_t r = 0; r < seen.multipliers.size(); ++r) {
    EXPECT_NEAR(seen.multipliers[r], expected.multipliers[r], 1e-10);
  }
  EXPECT_NEAR(seen.bodies[1].velocity[0], expected.bodies[1].velocity[0], 1e-12);
}

TYPED_TEST(AbsoluteMechanicalTest, LeavesDependentRowsOut) {
  const Mechanism m = this->in(parallelogram());
  const AbsoluteMechanical<TypeParam> all(m, {});
  const AbsoluteMechanical<TypeParam> some(m, {0, 3});
  EXPECT_EQ(some.rows(), all.rows() - 2);
  EXPECT_EQ(some.rowName(0), all.rowName(1));
  EXPECT_EQ(some.rowName(2), all.rowName(4));
}

// A chain is told apart in three evaluations (four in the ladder of the N-four-bar), however long.
TEST(BodyCoupling, GroupsDoNotGrowWithTheChain) {
  for (const int windows : {3, 40, 300}) {
    const Mechanism m = buildNFourBar(windows);
    const AbsoluteEquations<Planar<double>> equations(m);
    const BodyCoupling coupling = bodyCoupling(m, equations);
    EXPECT_LE(coupling.groups.size(), 5U) << windows;
    std::size_t bodies = 0;
    for (const auto& group : coupling.groups) bodies += group.size();
    EXPECT_EQ(bodies, m.bodies.size());
    for (const auto& felt : coupling.by_motion) {
      for (const auto& group : coupling.groups) {
        const auto in = std::count_if(group.begin(), group.end(),
                                      [&](int b) { return std::find(felt.begin(), felt.end(), b) != felt.end(); });
        EXPECT_LE(in, 1);
      }
    }
  }
}

TEST(AbsoluteMechanical, NamesTheLoadOrDriveThatIsNoNumber) {
  Mechanism m = sliderPendulum();
  addCouple(m, "motor", kGround, BodyIndex(1), sqrt(name("t")));
  const State s = sliderPendulumMoving();
  {
    const AbsoluteMechanical<Planar<double>> system(m, {});
    const auto work = system.makeWorkspace();
    MechanicalValues values;
    EXPECT_EQ(system.values(-1.0, s.x(), Modes{}, *work, values), Eval::retry);
    EXPECT_THAT(system.describeFailure(*work), HasSubstr("load \"motor\": couple is not a number at t = -1 s"));
    EXPECT_EQ(system.values(1.0, s.x(), Modes{}, *work, values), Eval::ok);
  }
  m.loads.back().moment = sqrt(name("pendulum.angle") - name("pendulum.angle_rate") * Expr(0.0) -
                               Expr(s.q[5]));  // zero there, with a vertical slope
  {
    const AbsoluteMechanical<Planar<double>> system(m, {});
    const auto work = system.makeWorkspace();
    MechanicalTangent tangent;
    const std::vector<double> lambda(4, 1.0);
    EXPECT_EQ(system.tangent(0.0, s.x(), {}, lambda, Modes{}, *work, tangent), Eval::retry);
    EXPECT_THAT(system.describeFailure(*work), HasSubstr("load \"motor\": couple has no finite derivative"));
  }
  m.loads.pop_back();
  addDrive(m, "pull", DriveKind::slide, kGround, frameAt(0, 0), BodyIndex(0), frameAt(0, 0), log(name("t")));
  const AbsoluteMechanical<Planar<double>> system(m, {});
  const auto work = system.makeWorkspace();
  MechanicalValues values;
  EXPECT_EQ(system.values(-1.0, s.x(), Modes{}, *work, values), Eval::retry);
  EXPECT_THAT(system.describeFailure(*work), HasSubstr("drive \"pull\" has no finite position"));
}

// A spring between two points in one place has a force, none, but its direction turns with the smallest motion.
TEST(AbsoluteMechanical, SaysWhereForcesHaveNoSlope) {
  Mechanism m = sliderPendulum();
  const State s = sliderPendulumMoving();
  addSpring(m, "folded", BodyIndex(0), frameAt(0, 0), kGround, frameAt(s.q[0], s.q[1]), 40.0, 0.0, 0.5);
  const AbsoluteMechanical<Planar<double>> system(m, {});
  const auto work = system.makeWorkspace();
  MechanicalTangent tangent;
  const std::vector<double> lambda(4, 1.0);
  EXPECT_EQ(system.tangent(0.25, s.x(), {}, lambda, Modes{}, *work, tangent), Eval::retry);
  EXPECT_THAT(system.describeFailure(*work), HasSubstr("the forces have no finite derivative at t = 0.25 s"));
}

TEST(AbsoluteMechanical, SaysThatTheMotionRunsAway) {
  const Mechanism m = sliderPendulum();
  const AbsoluteMechanical<Planar<double>> system(m, {});
  const auto work = system.makeWorkspace();
  for (const std::size_t place : {std::size_t{0}, std::size_t{7}}) {
    std::vector<double> x = sliderPendulumMoving().x();
    x[place] = std::numeric_limits<double>::infinity();
    MechanicalValues values;
    EXPECT_EQ(system.values(0.0, x, Modes{}, *work, values), Eval::retry);
    EXPECT_THAT(system.describeFailure(*work), HasSubstr("the motion runs away to infinity"));
    MechanicalTangent tangent;
    EXPECT_EQ(system.tangent(0.0, x, {}, std::vector<double>(4, 1.0), Modes{}, *work, tangent), Eval::retry);
    EXPECT_THAT(system.describeFailure(*work), HasSubstr("the motion runs away to infinity"));
  }
}

TEST(AbsoluteMechanical, SaysWhereACurveWasLeft) {
  const Mechanism m = mixed();
  const AbsoluteMechanical<Planar<double>> system(m, {});
  const auto work = system.makeWorkspace();
  std::vector<double> x = anyState<Planar<double>>(system.space(), 4, 1);
  x[3] += 100.0;
  MechanicalValues values;
  EXPECT_EQ(system.values(0.0, x, Modes{}, *work, values), Eval::retry);
  EXPECT_THAT(system.describeFailure(*work), HasSubstr("joint \"cam\": the point has come to the end of the curve"));
}

TEST(AbsoluteMechanical, IsOfferedWithIndex3Alone) {
  const Mechanism m = fourBar();
  for (const std::string& stabilisation : stabilisationNames()) {
    SystemOptions options;
    options.stabilisation = stabilisation;
    EXPECT_EQ(makeSystem(m, options)->mechanical() != nullptr, stabilisation == "index3") << stabilisation;
  }
}

}  // namespace absolute_mechanical_test
}  // namespace linkwork
