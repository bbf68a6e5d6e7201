// What a mechanism compiles to: rows, names, order and geometry of every joint, drive and load; and one set for all
// scalars.
#include "linkwork/elements/element_set.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "linkwork/base/contract.hpp"
#include "linkwork/elements/constraint_laws_for_tests.hpp"

namespace linkwork {
namespace element_set_test {

using ::testing::ElementsAre;
using P = Planar<double>;

Frame frame(double x, double y, double angle = 0.0) { return {{Value(x), Value(y)}, Value(angle)}; }

// Two bodies, both with the centre of mass off the frame's origin.
Mechanism twoBodies() {
  Mechanism m;
  m.gravity = {Value(0.0), Value(-9.81)};
  Body a;
  a.name = "a";
  a.mass = 2.0;
  a.inertia = 0.3;
  a.com = {Value(0.1), Value(-0.2)};
  Body b = a;
  b.name = "b";
  b.mass = 3.0;
  b.com = {Value(-0.4), Value(0.05)};
  m.bodies = {a, b};
  return m;
}

Joint joint(const std::string& name, JointKind kind, BodyIndex first, BodyIndex second, const Frame& on_first,
            const Frame& on_second) {
  Joint out;
  out.name = name;
  out.kind = kind;
  out.first = first;
  out.second = second;
  out.on_first = on_first;
  out.on_second = on_second;
  return out;
}

Drive drive(const std::string& name, DriveKind kind, BodyIndex first, BodyIndex second, const Frame& on_first,
            const Frame& on_second, const Expr& motion) {
  Drive out;
  out.name = name;
  out.kind = kind;
  out.first = first;
  out.second = second;
  out.on_first = on_first;
  out.on_second = on_second;
  out.motion = motion;
  return out;
}

const BodyIndex kA(0);
const BodyIndex kB(1);
const Expr kT = Expr::symbol("t");

std::vector<std::string> rowNames(const ElementSet<P>& set) {
  std::vector<std::string> names;
  for (const RowInfo& row : set.row_info) names.push_back(row.name);
  return names;
}

std::vector<RowUnit> rowUnits(const ElementSet<P>& set) {
  std::vector<RowUnit> units;
  for (const RowInfo& row : set.row_info) units.push_back(row.unit);
  return units;
}

// The centre of mass of a body whose frame stands at the given pose.
P::Position atPose(const Mechanism& m, BodyIndex body, const Pose& pose) {
  if (!body.valid()) return {};
  const auto R = Rotation2<double>::fromAngle(pose.angle);
  const Point& com = m.body(body).com;
  const auto r = Vec2<double>{pose.x, pose.y} + R * Vec2<double>{com[0].number, com[1].number};
  return P::position(r.x, r.y, pose.angle);
}

// Phi of a whole set with the bodies' frames at the poses given.
std::vector<double> phiAt(const Mechanism& m, const ElementSet<P>& set, const std::vector<Pose>& poses,
                          double t = 0.0) {
  std::vector<P::Position> x;
  for (std::size_t b = 0; b < m.bodies.size(); ++b) x.push_back(atPose(m, BodyIndex(static_cast<int>(b)), poses[b]));
  x.emplace_back();
  const std::vector<P::Velocity> v(x.size());
  auto scratch = set.motions.makeScratch();
  if (!m.drives.empty()) set.motions.evaluate(t, x, v, scratch);
  std::vector<double> out(static_cast<std::size_t>(set.rows));
  forEachConstraint(set, [&](const auto& placed) {
    Motion<double> motion{};
    if (placed.motion >= 0) {
      const std::size_t k = 3 * static_cast<std::size_t>(placed.motion);
      motion = {scratch.outputs[k], scratch.outputs[k + 1], scratch.outputs[k + 2]};
    }
    const PairPosition<P> pair{x[static_cast<std::size_t>(placed.i)], x[static_cast<std::size_t>(placed.j)]};
    const auto phi = test::phiOf(placed.element, pair, motion);
    for (std::size_t k = 0; k < phi.size(); ++k) out[static_cast<std::size_t>(placed.row) + k] = phi[k];
  });
  return out;
}

TEST(CompileElements, JointsGiveTheirRowsInOrderWithNamesAndUnits) {
  Mechanism m = twoBodies();
  m.joints = {joint("O", JointKind::revolute, kGround, kA, frame(0, 0), frame(0, 0)),
              joint("S", JointKind::prismatic, kA, kB, frame(0, 0), frame(0, 0)),
              joint("W", JointKind::fixed, kB, kGround, frame(0, 0), frame(0, 0)),
              joint("N", JointKind::pin_slot, kA, kB, frame(0, 0), frame(0, 0)),
              joint("L", JointKind::distance, kB, kA, frame(0, 0), frame(1, 0))};
  m.joints[4].length = 1.5;
  const auto set = compileElements<P>(m);
  EXPECT_EQ(set.bodies, 2);
  EXPECT_EQ(set.rows, 9);
  EXPECT_THAT(rowNames(set),
              ElementsAre("O.x", "O.y", "S.angle", "S.normal", "W.x", "W.y", "W.angle", "N.normal", "L.length"));
  EXPECT_THAT(rowUnits(set),
              ElementsAre(RowUnit::length, RowUnit::length, RowUnit::angle, RowUnit::length, RowUnit::length,
                          RowUnit::length, RowUnit::angle, RowUnit::length, RowUnit::length));
  ASSERT_EQ(set.groups.size(), 5u);
  const std::array<int, 5> first_row{0, 2, 4, 7, 8};
  const std::array<int, 5> rows{2, 2, 3, 1, 1};
  for (std::size_t g = 0; g < 5; ++g) {
    EXPECT_EQ(set.groups[g].name, m.joints[g].name);
    EXPECT_EQ(set.groups[g].first_row, first_row[g]);
    EXPECT_EQ(set.groups[g].rows, rows[g]);
    EXPECT_EQ(set.groups[g].index, static_cast<int>(g));
    EXPECT_FALSE(set.groups[g].is_drive);
    for (int r = 0; r < rows[g]; ++r)
      EXPECT_EQ(set.row_info[static_cast<std::size_t>(first_row[g] + r)].group, static_cast<int>(g));
  }
  // Ground is the slot after the last body.
  EXPECT_EQ(set.groups[0].i, 2);
  EXPECT_EQ(set.groups[0].j, 0);
  EXPECT_EQ(set.coincidences.size(), 2u);
  EXPECT_EQ(set.angles.size(), 2u);
  EXPECT_EQ(set.lines.size(), 2u);
  EXPECT_EQ(set.distances.size(), 1u);
  EXPECT_EQ(set.distances[0].element.length, 1.5);
}

TEST(CompileElements, DrivesFollowTheJointsAndKnowTheirMotion) {
  Mechanism m = twoBodies();
  m.joints = {joint("O", JointKind::revolute, kGround, kA, frame(0, 0), frame(0, 0))};
  m.drives = {drive("turn", DriveKind::angle, kGround, kA, frame(0, 0), frame(0, 0), kT),
              drive("push", DriveKind::slide, kA, kB, frame(0, 0), frame(0, 0), kT * kT),
              drive("stretch", DriveKind::distance, kA, kB, frame(0, 0), frame(0, 0), Expr(2.0) + kT),
              drive("lift", DriveKind::coordinate, kGround, kB, frame(0, 0), frame(0, 0), sin(kT))};
  const auto set = compileElements<P>(m);
  EXPECT_THAT(rowNames(set),
              ElementsAre("O.x", "O.y", "turn.angle", "push.slide", "stretch.length", "lift.coordinate"));
  EXPECT_EQ(set.row_info[2].unit, RowUnit::angle);
  EXPECT_EQ(set.row_info[5].unit, RowUnit::length);
  ASSERT_EQ(set.groups.size(), 5u);
  for (std::size_t g = 1; g < 5; ++g) {
    EXPECT_TRUE(set.groups[g].is_drive);
    EXPECT_EQ(set.groups[g].index, static_cast<int>(g) - 1);
    EXPECT_EQ(set.groups[g].rows, 1);
  }
  EXPECT_EQ(set.angles[0].motion, 0);
  EXPECT_EQ(set.lines[0].motion, 1);
  EXPECT_EQ(set.lines[1].motion, 3);
  EXPECT_EQ(set.distances[0].motion, 2);

  // f, f', f'' of every motion.
  auto scratch = set.motions.makeScratch();
  const std::vector<P::Position> x(3);
  const std::vector<P::Velocity> v(3);
  const double t = 0.7;
  set.motions.evaluate(t, x, v, scratch);
  const std::array<double, 12> expected{t,       1.0, 0.0, t * t,       2 * t,       2.0,
                                        2.0 + t, 1.0, 0.0, std::sin(t), std::cos(t), -std::sin(t)};
  ASSERT_EQ(scratch.outputs.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(scratch.outputs[k], expected[k], 1e-15) << k;
}

// What a tree keeps by its own coordinates has no rows; everything that counts joints, drives and loads stays as it is.
TEST(CompileElements, LeavesOutRowsWithoutRenumberingAnything) {
  Mechanism m = twoBodies();
  m.joints = {joint("O", JointKind::revolute, kGround, kA, frame(0, 0), frame(0, 0)),
              joint("S", JointKind::prismatic, kA, kB, frame(0, 0), frame(0, 0)),
              joint("N", JointKind::pin_slot, kB, kGround, frame(0, 0), frame(0, 0))};
  m.drives = {drive("turn", DriveKind::angle, kGround, kA, frame(0, 0), frame(0, 0), sin(kT)),
              drive("push", DriveKind::slide, kA, kB, frame(0, 0), frame(0, 0), kT * kT)};
  Load push;
  push.name = "push";
  push.second = kB;
  push.force = {Expr::symbol("O.angle") * kT, Expr::symbol("S.slide")};
  m.loads = {push};
  const auto all = compileElements<P>(m);
  const auto set = compileElements<P>(m, {{0, 1}, {0}});
  EXPECT_THAT(rowNames(set), ElementsAre("N.normal", "push.slide"));
  EXPECT_EQ(set.rows, 2);
  ASSERT_EQ(set.groups.size(), all.groups.size());
  for (std::size_t g = 0; g < set.groups.size(); ++g) {
    EXPECT_EQ(set.groups[g].name, all.groups[g].name);
    EXPECT_EQ(set.groups[g].index, all.groups[g].index);
    EXPECT_EQ(set.groups[g].i, all.groups[g].i);
    EXPECT_EQ(set.groups[g].rows, g == 2 || g == 4 ? 1 : 0) << set.groups[g].name;
  }
  EXPECT_EQ(set.row_info[1].group, 4);
  // "push" is still the second motion, and the motion of "turn" can still be asked for.
  ASSERT_EQ(set.lines.size(), 2u);
  EXPECT_EQ(set.lines[1].motion, 1);
  EXPECT_EQ(set.motions.tape.outputCount(), 6u);
  ASSERT_EQ(set.loadsOf<PointForce<P>>().size(), 1u);
  EXPECT_EQ(set.load_formulas.inputs.size(), all.load_formulas.inputs.size());
}

// Frames made to coincide in ground axes: every joint that is said to hold there must, whatever the centres of mass.
TEST(CompileElements, JointsHoldWhereTheirFramesAreAligned) {
  Mechanism m = twoBodies();
  const Frame on_a = frame(0.3, -0.7, 0.4);
  const Frame on_b = frame(-0.2, 0.5, -1.1);
  const Pose pose_a{1.2, -0.4, 0.9};
  // Place b so that its frame coincides with a's.
  const double angle_b = pose_a.angle + 0.4 + 1.1;
  const auto Ra = Rotation2<double>::fromAngle(pose_a.angle);
  const auto Rb = Rotation2<double>::fromAngle(angle_b);
  const auto point = Vec2<double>{pose_a.x, pose_a.y} + Ra * Vec2<double>{0.3, -0.7};
  const auto origin = point - Rb * Vec2<double>{-0.2, 0.5};
  const Pose pose_b{origin.x, origin.y, angle_b};
  m.joints = {joint("r", JointKind::revolute, kA, kB, on_a, on_b), joint("s", JointKind::prismatic, kA, kB, on_a, on_b),
              joint("n", JointKind::pin_slot, kA, kB, on_a, on_b), joint("f", JointKind::fixed, kA, kB, on_a, on_b)};
  auto set = compileElements<P>(m);
  for (const double rest : phiAt(m, set, {pose_a, pose_b})) EXPECT_NEAR(rest, 0.0, 1e-15);

  // b slid by 0.6 along the common x axis: the prismatic and the pin in the slot still hold, the others do not.
  const auto axis = Rotation2<double>::fromAngle(pose_a.angle + 0.4) * Vec2<double>{1, 0};
  const Pose slid{pose_b.x + 0.6 * axis.x, pose_b.y + 0.6 * axis.y, pose_b.angle};
  const auto phi = phiAt(m, set, {pose_a, slid});
  EXPECT_NEAR(std::hypot(phi[0], phi[1]), 0.6, 1e-15);
  EXPECT_NEAR(phi[2], 0.0, 1e-15);
  EXPECT_NEAR(phi[3], 0.0, 1e-15);
  EXPECT_NEAR(phi[4], 0.0, 1e-15);

  // The same places as named quantities: slide of the prismatic from first to second, of the pin along its slot, angle.
  const auto x_a = atPose(m, kA, pose_a);
  const auto x_b = atPose(m, kB, slid);
  const P::Velocity still{};
  const auto quantityOf = [&](const char* name) {
    const auto q = compileQuantity<P>(m, *findQuantity(m, name));
    const std::array<P::Position, 3> x{x_a, x_b, P::Position{}};
    return q.value(0.0, {x[static_cast<std::size_t>(q.i)], x[static_cast<std::size_t>(q.j)]}, {still, still});
  };
  EXPECT_NEAR(quantityOf("r.angle"), 0.0, 1e-15);
  EXPECT_NEAR(quantityOf("s.slide"), 0.6, 1e-15);
  EXPECT_NEAR(quantityOf("n.slide"), -0.6, 1e-15);  // the pin (a) stays behind the slot's frame (b)
  EXPECT_NEAR(quantityOf("b.x"), slid.x, 1e-15);
  EXPECT_NEAR(quantityOf("b.y"), slid.y, 1e-15);
  EXPECT_NEAR(quantityOf("b.angle"), slid.angle, 1e-15);
}

// Each drive holds at the pose its words describe.
TEST(CompileElements, DrivesHoldWhereTheirCoordinateHasTheValueAskedFor) {
  Mechanism m = twoBodies();
  const double angle = 0.35;
  const double slide = 0.8;
  const Frame on_a = frame(0.3, -0.7, 0.4);
  const Frame on_b = frame(-0.2, 0.5, -1.1);
  const Pose pose_a{1.2, -0.4, 0.9};
  const Pose pose_b{-0.3, 2.0, 0.9 + 0.4 + 1.1 + angle};  // second frame turned by `angle` against the first
  const auto Ra = Rotation2<double>::fromAngle(pose_a.angle);
  const auto Rb = Rotation2<double>::fromAngle(pose_b.angle);
  const auto A = Vec2<double>{pose_a.x, pose_a.y} + Ra * Vec2<double>{0.3, -0.7};
  const auto B = Vec2<double>{pose_b.x, pose_b.y} + Rb * Vec2<double>{-0.2, 0.5};
  const auto d = B - A;
  const auto e_b = Rb * (Rotation2<double>::fromAngle(-1.1) * Vec2<double>{1, 0});
  const double direction = 2.1;  // of the coordinate drive, ground axes
  const double coordinate = dot(Vec2<double>{std::cos(direction), std::sin(direction)}, B - Vec2<double>{0.5, 0.25});
  // f(t) = value at t = slide (any t will do): the motion must be taken at the time given.
  m.drives = {drive("turn", DriveKind::angle, kA, kB, on_a, on_b, Expr(angle - slide) + kT),
              drive("push", DriveKind::slide, kA, kB, on_a, on_b, Expr(dot(e_b, d) - slide) + kT),
              drive("stretch", DriveKind::distance, kA, kB, on_a, on_b, Expr(std::sqrt(dot(d, d)) - slide) + kT),
              drive("lift", DriveKind::coordinate, kGround, kB, frame(0.5, 0.25, direction), on_b,
                    Expr(coordinate - slide) + kT)};
  const auto set = compileElements<P>(m);
  for (const double rest : phiAt(m, set, {pose_a, pose_b}, slide)) EXPECT_NEAR(rest, 0.0, 2e-15);
  // A larger f than the pose has leaves Phi = -(difference): the drive's coordinate grows with f.
  for (const double rest : phiAt(m, set, {pose_a, pose_b}, slide + 0.5)) EXPECT_NEAR(rest, -0.5, 2e-15);
}

TEST(CompileElements, LoadsKeepTheirBodiesOutputsAndConstants) {
  Mechanism m = twoBodies();
  m.parameters = {{"c", Value(0.25), "", {}}};
  Load force;
  force.name = "push";
  force.kind = LoadKind::force;
  force.second = kB;
  force.on_second = frame(1.0, 0.0);
  force.force = {Expr::symbol("a.angle_rate") * Expr(2.0), Expr::symbol("c") + kT};
  force.axes = Axes::body;
  Load couple;
  couple.name = "motor";
  couple.kind = LoadKind::couple;
  couple.first = kA;
  couple.second = kB;
  couple.moment = Expr::symbol("b.x");
  Load spring;
  spring.name = "spring";
  spring.kind = LoadKind::spring_damper;
  spring.first = kA;
  spring.on_first = frame(0.1, 0.2);
  spring.stiffness = 10.0;
  spring.damping = 2.0;
  spring.free_length = 0.5;
  Load torsion;
  torsion.name = "torsion";
  torsion.kind = LoadKind::rotational_spring_damper;
  torsion.first = kGround;
  torsion.second = kB;
  torsion.on_first = frame(0, 0, 0.2);
  torsion.on_second = frame(0, 0, 0.5);
  torsion.stiffness = 7.0;
  m.loads = {force, couple, spring, torsion};
  const auto set = compileElements<P>(m);
  const auto& forces = set.loadsOf<PointForce<P>>();
  ASSERT_EQ(forces.size(), 1u);
  EXPECT_EQ(forces[0].i, 2);  // ground
  EXPECT_EQ(forces[0].j, 1);
  EXPECT_EQ(forces[0].formula, 0);
  EXPECT_NEAR(forces[0].element.s.x, 1.4, 1e-15);  // from b's centre of mass at (-0.4, 0.05)
  EXPECT_NEAR(forces[0].element.s.y, -0.05, 1e-15);
  EXPECT_EQ(forces[0].element.components, PointForce<P>::Components::body_axes);
  const auto& couples = set.loadsOf<Couple<P>>();
  ASSERT_EQ(couples.size(), 1u);
  EXPECT_EQ(couples[0].formula, 2);
  EXPECT_EQ(couples[0].load, 1);
  const auto& springs = set.loadsOf<SpringDamper<P>>();
  ASSERT_EQ(springs.size(), 1u);
  EXPECT_EQ(springs[0].i, 0);
  EXPECT_EQ(springs[0].j, 2);  // ground
  EXPECT_EQ(springs[0].formula, -1);
  EXPECT_NEAR(springs[0].element.s_A.y, 0.4, 1e-15);
  EXPECT_EQ(springs[0].element.damping, 2.0);
  const auto& torsions = set.loadsOf<RotationalSpringDamper<P>>();
  ASSERT_EQ(torsions.size(), 1u);
  EXPECT_NEAR(torsions[0].element.offset, 0.3, 1e-15);
  EXPECT_THAT(set.load_output_names,
              ElementsAre("load \"push\": force x", "load \"push\": force y", "load \"motor\": couple"));

  std::vector<P::Position> x{P::position(0, 0, 0), P::position(2.0, 1.0, std::numbers::pi / 2), {}};
  std::vector<P::Velocity> v{{{0, 0}, 3.0}, {}, {}};
  auto scratch = set.load_formulas.makeScratch();
  set.load_formulas.evaluate(1.5, x, v, scratch);
  EXPECT_DOUBLE_EQ(scratch.outputs[0], 6.0);
  EXPECT_DOUBLE_EQ(scratch.outputs[1], 1.75);
  // b.x is the frame's origin: centre of mass (2, 1) less R (-0.4, 0.05) = (-0.05, -0.4).
  EXPECT_NEAR(scratch.outputs[2], 2.05, 1e-15);
}

TEST(CompileElements, UnknownNamesInExpressionsAreProgrammingErrors) {
  Mechanism m = twoBodies();
  EXPECT_THROW(compileExpressions<P>(m, {Expr::symbol("nobody.x")}), ContractError);
}

// --- one mechanism, all scalars
// ------------------------------------------------------------------------------------------

Value valueOfLetter(const std::string& name, double number) { return {number, Expr::symbol(name)}; }

Mechanism withLetters() {
  Mechanism m = twoBodies();
  m.parameters = {{"L", Value(0.8), "m", {}},
                  {"mass", Value(2.5), "kg", {}},
                  {"tilt", Value(0.3), "rad", {}},
                  {"k", Value(40.0), "N/m", {}}};
  m.bodies[0].mass = valueOfLetter("mass", 2.5);
  m.bodies[1].com = {valueOfLetter("L", 0.8), Value(0.05)};
  Frame tilted = frame(0.2, 0.1);
  tilted.angle = valueOfLetter("tilt", 0.3);
  Frame far = frame(0.0, -0.3);
  far.point[0] = valueOfLetter("L", 0.8);
  m.joints = {joint("O", JointKind::revolute, kGround, kA, frame(0, 0), far),
              joint("S", JointKind::prismatic, kA, kB, far, tilted),
              joint("N", JointKind::pin_slot, kB, kGround, far, tilted),
              joint("D", JointKind::distance, kA, kB, far, frame(3, 3))};
  m.joints[3].length = valueOfLetter("L", 0.8);
  m.drives = {drive("turn", DriveKind::angle, kGround, kA, frame(0, 0), tilted, Expr::symbol("tilt") * sin(kT))};
  Load push;
  push.name = "push";
  push.kind = LoadKind::force;
  push.second = kB;
  push.on_second = far;
  push.force = {Expr::symbol("k") * Expr::symbol("O.angle") - Expr::symbol("S.slide_rate"),
                Expr::symbol("N.slide") * kT};
  Load spring;
  spring.name = "spring";
  spring.kind = LoadKind::spring_damper;
  spring.first = kA;
  spring.second = kB;
  spring.on_first = far;
  spring.on_second = frame(2, 2);
  spring.stiffness = valueOfLetter("k", 40.0);
  spring.damping = 1.5;
  spring.free_length = valueOfLetter("L", 0.8);
  m.loads = {push, spring};
  return m;
}

template <class T>
struct Everything {
  std::vector<T> phi, jacobian, minus_phi_t, gamma, wrench, masses;
};

// All a set can say about two bodies at (x, v).
template <class T>
Everything<T> evaluateSet(const ElementSet<Planar<T>>& set, const T& t, const std::array<T, 6>& q,
                          const std::array<T, 6>& v) {
  using G = Planar<T>;
  const std::vector<typename G::Position> x{G::position(q[0], q[1], q[2]), G::position(q[3], q[4], q[5]), {}};
  const std::vector<typename G::Velocity> rates{{{v[0], v[1]}, v[2]}, {{v[3], v[4]}, v[5]}, {}};
  auto motions = set.motions.makeScratch();
  set.motions.evaluate(t, x, rates, motions);
  auto loads = set.load_formulas.makeScratch();
  set.load_formulas.evaluate(t, x, rates, loads);
  Everything<T> out;
  forEachConstraint(set, [&](const auto& placed) {
    Motion<T> motion{};
    if (placed.motion >= 0) {
      const auto k = at(3 * placed.motion);
      motion = {motions.outputs[k], motions.outputs[k + 1], motions.outputs[k + 2]};
    }
    const PairPosition<G> pair{x[at(placed.i)], x[at(placed.j)]};
    for (const T& e : test::phiOf(placed.element, pair, motion)) out.phi.push_back(e);
    const auto rows = placed.element.jacobian(pair);
    for (const auto& row : rows.first) out.jacobian.insert(out.jacobian.end(), row.begin(), row.end());
    for (const auto& row : rows.second) out.jacobian.insert(out.jacobian.end(), row.begin(), row.end());
    for (const T& e : placed.element.minusPhiT(motion)) out.minus_phi_t.push_back(e);
    for (const T& e : placed.element.gamma(pair, {rates[at(placed.i)], rates[at(placed.j)]}, motion))
      out.gamma.push_back(e);
  });
  std::vector<typename G::Wrench> Q(3);
  forEachLoad(set, [&](const auto& placed) {
    const PairPosition<G> pair{x[at(placed.i)], x[at(placed.j)]};
    const auto state =
        placed.element.state(pair, {rates[at(placed.i)], rates[at(placed.j)]}, inputOf(placed, loads.outputs, {}));
    placed.element.apply(pair, state, Q[at(placed.i)], Q[at(placed.j)]);
  });
  for (const auto& w : Q) out.wrench.insert(out.wrench.end(), {w.force.x, w.force.y, w.moment});
  for (const auto& body : set.body) out.masses.insert(out.masses.end(), {body.mass, body.inertia});
  return out;
}

TEST(CompileElements, ExprSetAtNumbersEqualsTheDoubleSet) {
  const Mechanism m = withLetters();
  const std::array<double, 6> q{0.4, -0.2, 0.7, 1.1, 0.3, -0.5};
  const std::array<double, 6> v{0.3, 0.9, -1.2, 0.4, -0.6, 2.0};
  const double t = 0.6;
  std::array<Expr, 6> q_letters;
  std::array<Expr, 6> v_letters;
  std::map<std::string, double> numbers{{"t", t}};
  for (std::size_t k = 0; k < 6; ++k) {
    q_letters[k] = Expr::symbol(fmt::format("q{}", k));
    v_letters[k] = Expr::symbol(fmt::format("v{}", k));
    numbers[fmt::format("q{}", k)] = q[k];
    numbers[fmt::format("v{}", k)] = v[k];
  }
  for (const Parameter& parameter : m.parameters) numbers[parameter.name] = parameter.value.number;

  const auto in_double = evaluateSet(compileElements<P>(m), t, q, v);
  const auto in_expr = evaluateSet(compileElements<Planar<Expr>>(m), kT, q_letters, v_letters);
  const auto in_dual = evaluateSet(
      compileElements<Planar<Dual<8>>>(m), Dual<8>(t),
      [&] {
        std::array<Dual<8>, 6> out;
        for (int k = 0; k < 6; ++k)
          out[static_cast<std::size_t>(k)] = Dual<8>::variable(q[static_cast<std::size_t>(k)], k);
        return out;
      }(),
      [&] {
        std::array<Dual<8>, 6> out;
        for (std::size_t k = 0; k < 6; ++k) out[k] = Dual<8>(v[k]);
        return out;
      }());
  const auto compare = [&](const std::vector<double>& d, const std::vector<Expr>& e, const std::vector<Dual<8>>& dual,
                           const char* what) {
    ASSERT_EQ(d.size(), e.size());
    ASSERT_EQ(d.size(), dual.size());
    for (std::size_t k = 0; k < d.size(); ++k) {
      // Expr joins numbers that meet in a chain and so rounds differently, by a few units.
      EXPECT_NEAR(evaluate(e[k], numbers), d[k], 1e-13 * (1.0 + std::abs(d[k]))) << what << ' ' << k;
      EXPECT_NEAR(dual[k].value, d[k], 1e-13 * (1.0 + std::abs(d[k]))) << what << ' ' << k;
    }
  };
  compare(in_double.phi, in_expr.phi, in_dual.phi, "phi");
  compare(in_double.jacobian, in_expr.jacobian, in_dual.jacobian, "jacobian");
  compare(in_double.minus_phi_t, in_expr.minus_phi_t, in_dual.minus_phi_t, "minus phi_t");
  compare(in_double.gamma, in_expr.gamma, in_dual.gamma, "gamma");
  compare(in_double.wrench, in_expr.wrench, in_dual.wrench, "wrench");
  compare(in_double.masses, in_expr.masses, in_dual.masses, "mass");

  // The letters really are there: Phi of the revolute depends on L.
  const auto names = symbolsOf(std::span<const Expr>(in_expr.phi));
  EXPECT_THAT(names, ::testing::Contains("L"));
  EXPECT_THAT(names, ::testing::Contains("tilt"));
}

}  // namespace element_set_test
}  // namespace linkwork
