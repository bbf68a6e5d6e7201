// What joints, drives and quantities of space compile to: rows, rank, the relative motions they leave free; and a
// mechanism of the plane compiled for space, row by row.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "linkwork/base/index.hpp"
#include "linkwork/elements/constraint_laws_for_tests.hpp"
#include "linkwork/elements/element_set.hpp"
#include "linkwork/elements/load_laws_for_tests.hpp"
#include "linkwork/linalg/decompositions.hpp"
#include "linkwork/model/drive_of.hpp"

namespace linkwork {
namespace element_set_space_test {

using namespace test;
using P = Planar<double>;
using S = Spatial<double>;
using V = Vec3<double>;
using R3 = Rotation3<double>;

const BodyIndex kA(0);
const BodyIndex kB(1);

R3 aboutX(double angle) { return R3::fromQuaternion(std::cos(angle / 2), std::sin(angle / 2), 0.0, 0.0); }
R3 aboutY(double angle) { return R3::fromQuaternion(std::cos(angle / 2), 0.0, std::sin(angle / 2), 0.0); }
R3 inverse(const R3& R) { return {R.inverseTimes({1, 0, 0}), R.inverseTimes({0, 1, 0}), R.inverseTimes({0, 0, 1})}; }

Body body(const std::string& name, const V& com) {
  Body out;
  out.name = name;
  out.mass = 2.0;
  out.inertia = 0.3;
  out.com = {Value(com.x), Value(com.y), Value(com.z)};
  out.tensor = Tensor{0.2, 0.25, 0.3, 0.01, -0.02, 0.03};
  return out;
}

// A frame anywhere on a body: a turn about z by its angle after a turn in space.
Frame randomFrame(Random& random) {
  Frame out;
  for (Value& value : out.point) value = random.number();
  out.angle = random.number();
  const auto q = random.coordinates<InSpace>();
  out.rotation = {q[3], q[4], q[5], q[6]};
  return out;
}

R3 axesOf(const Frame& f) {
  return R3::aboutZ(f.angle.number) * R3::fromQuaternion(f.rotation[0], f.rotation[1], f.rotation[2], f.rotation[3]);
}

V vectorOf(const Point& p) { return {p[0].number, p[1].number, p[2].number}; }

// Where the first frame may be, seen from the second, and how it may move there: velocities of its point and turning.
struct Freedom {
  V along, about;
};
struct Allowed {
  JointKind kind;
  int rows;
  V p;
  R3 R;
  std::vector<Freedom> motions;
  double length = 0.0;
};

std::vector<Allowed> everyKind(Random& random) {
  const V x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, none{};
  const auto some = [&] { return random.number(); };
  const R3 any = random.position<InSpace>().R;
  const R3 Rz = R3::aboutZ(some());
  const V p = random.vector<InSpace>();
  const Freedom slide_x{x, none}, slide_y{y, none}, slide_z{z, none}, turn_x{none, x}, turn_y{none, y}, turn_z{none, z};
  const V across = cross(p, random.vector<InSpace>());
  const R3 cardan = aboutY(some()) * aboutX(some());
  const R3 right_angle = R3::aboutZ(some()) * aboutX(std::numbers::pi / 2) * R3::aboutZ(some());
  return {
      {JointKind::revolute, 5, none, Rz, {turn_z}},
      {JointKind::prismatic, 5, {some(), 0, 0}, {}, {slide_x}},
      {JointKind::pin_slot, 4, {some(), 0, 0}, Rz, {slide_x, turn_z}},
      {JointKind::fixed, 6, none, {}, {}},
      {JointKind::distance,
       1,
       p,
       any,
       {{across, none}, {cross(p, across), none}, turn_x, turn_y, turn_z},
       std::sqrt(dot(p, p))},
      {JointKind::cylindrical, 4, {0, 0, some()}, Rz, {slide_z, turn_z}},
      {JointKind::spherical, 3, none, any, {turn_x, turn_y, turn_z}},
      {JointKind::universal, 4, none, cardan, {{none, y}, {none, cardan.x}}},
      {JointKind::planar, 3, {some(), some(), 0}, Rz, {slide_x, slide_y, turn_z}},
      {JointKind::point_line, 2, {some(), 0, 0}, any, {slide_x, turn_x, turn_y, turn_z}},
      {JointKind::point_plane, 1, {some(), some(), 0}, any, {slide_x, slide_y, turn_x, turn_y, turn_z}},
      {JointKind::parallel_axes, 2, p, Rz, {slide_x, slide_y, slide_z, turn_z}},
      {JointKind::perpendicular, 1, p, right_angle, {slide_x, slide_y, slide_z, turn_z, {none, right_angle.z}}},
      {JointKind::floating, 0, p, any, {slide_x, slide_y, slide_z, turn_x, turn_y, turn_z}},
  };
}

// Two bodies and one joint of a kind, at a pose it allows.
struct Scene {
  Mechanism m;
  std::vector<S::Position> x;  // a, b, ground
  R3 second_axes;              // the second frame in ground axes
  V A, B;                      // the frames' points, ground axes
};

Scene scene(const Allowed& allowed, Ends ends, Random& random) {
  Scene out;
  out.m.space = Space::spatial;
  out.m.bodies = {body("a", random.vector<InSpace>()), body("b", random.vector<InSpace>())};
  Joint joint;
  joint.name = "J";
  joint.kind = allowed.kind;
  joint.first = ends == Ends::ground_first ? kGround : kA;
  joint.second = ends == Ends::ground_second ? kGround : kB;
  joint.on_first = randomFrame(random);
  joint.on_second = randomFrame(random);
  joint.length = allowed.length;
  out.m.joints = {joint};
  out.x = {random.position<InSpace>(), random.position<InSpace>(), S::Position{}};

  // Frame i = frame j moved by (p, R); the body that may move is put there.
  const auto com = [&](BodyIndex b) { return b.valid() ? vectorOf(out.m.body(b).com) : V{}; };
  const V s_i = vectorOf(joint.on_first.point) - com(joint.first);
  const V s_j = vectorOf(joint.on_second.point) - com(joint.second);
  const R3 Ai = axesOf(joint.on_first);
  const R3 Aj = axesOf(joint.on_second);
  if (joint.first.valid()) {
    const S::Position& xj = out.x[joint.second.valid() ? 1 : 2];
    out.second_axes = xj.R * Aj;
    out.B = S::pointIn(xj, s_j);
    out.A = out.B + out.second_axes * allowed.p;
    const R3 R = out.second_axes * allowed.R * inverse(Ai);
    out.x[0] = {out.A - R * s_i, R};
  } else {
    out.A = s_i;
    out.second_axes = Ai * inverse(allowed.R);
    out.B = out.A - out.second_axes * allowed.p;
    const R3 R = out.second_axes * inverse(Aj);
    out.x[1] = {out.B - R * s_j, R};
  }
  return out;
}

// Phi and Phi_q of a whole set; columns of the ground are left out.
struct Rows {
  std::vector<double> phi, minus_phi_t, gamma;
  Eigen::MatrixXd jacobian;
};

template <class G>
Rows rowsOf(const ElementSet<G>& set, const std::vector<typename G::Position>& x,
            const std::vector<typename G::Velocity>& v, double t = 0.0) {
  Rows out;
  for (auto* list : {&out.phi, &out.minus_phi_t, &out.gamma}) list->resize(at(set.rows));
  out.jacobian = Eigen::MatrixXd::Zero(set.rows, G::kFreedoms * set.bodies);
  auto motions = set.motions.makeScratch();
  set.motions.evaluate(t, x, v, motions);
  forEachConstraint(set, [&](const auto& placed) {
    Motion<double> motion{};
    if (placed.motion >= 0) {
      const auto k = at(3 * placed.motion);
      motion = {motions.outputs[k], motions.outputs[k + 1], motions.outputs[k + 2]};
    }
    const PairPosition<G> pair{x[at(placed.i)], x[at(placed.j)]};
    const auto phi = test::phiOf(placed.element, pair, motion);
    const auto minus_phi_t = placed.element.minusPhiT(motion);
    const auto gamma = placed.element.gamma(pair, {v[at(placed.i)], v[at(placed.j)]}, motion);
    const auto rows = placed.element.jacobian(pair);
    for (std::size_t r = 0; r < phi.size(); ++r) {
      const int row = placed.row + static_cast<int>(r);
      out.phi[at(row)] = phi[r];
      out.minus_phi_t[at(row)] = minus_phi_t[r];
      out.gamma[at(row)] = gamma[r];
      for (int c = 0; c < G::kFreedoms; ++c) {
        if (placed.i < set.bodies) out.jacobian(row, G::kFreedoms * placed.i + c) = rows.first[r][at(c)];
        if (placed.j < set.bodies) out.jacobian(row, G::kFreedoms * placed.j + c) = rows.second[r][at(c)];
      }
    }
  });
  return out;
}

// The freedoms of a body that moves as a rigid piece with this velocity of `point` and turning, both in ground axes.
void putMotion(const S::Position& x, const V& point, const V& along, const V& about, Eigen::VectorXd& rates, int body) {
  const V v = along + cross(about, x.r - point);
  const V w = x.R.inverseTimes(about);
  for (int k = 0; k < 3; ++k) {
    rates[6 * body + k] += v[k];
    rates[6 * body + 3 + k] += w[k];
  }
}

TEST(CompileElementsInSpace, EveryJointHasItsRowsAndLeavesItsMotionsFree) {
  Random random(201);
  for (int trial = 0; trial < 10; ++trial) {
    for (const Allowed& allowed : everyKind(random)) {
      for (const Ends ends : {Ends::two_bodies, Ends::ground_first, Ends::ground_second}) {
        SCOPED_TRACE(fmt::format("{}, ends {}, trial {}", wordFor(allowed.kind), static_cast<int>(ends), trial));
        const Scene s = scene(allowed, ends, random);
        const auto set = compileElements<S>(s.m);
        ASSERT_EQ(set.rows, allowed.rows);
        ASSERT_EQ(set.row_info.size(), at(allowed.rows));
        ASSERT_EQ(set.groups.size(), 1u);
        EXPECT_EQ(set.groups[0].rows, allowed.rows);
        const Joint& joint = s.m.joints[0];
        const Rows rows = rowsOf<S>(set, s.x, std::vector<S::Velocity>(3));
        // Points of some metres after three turns in a row: a few units of round-off each.
        for (const double rest : rows.phi) EXPECT_NEAR(rest, 0.0, 1e-14);

        if (allowed.rows > 0) {
          const Eigen::VectorXd sizes = rows.jacobian.jacobiSvd().singularValues();
          ASSERT_EQ(sizes.size(), allowed.rows);
          // Full rank by a margin: a dependent row would give round-off, not a twentieth. (Arms of up to five metres,
          // and directions at right angles to their partners: no row is small.)
          EXPECT_GT(sizes.minCoeff(), 0.05);
        }
        EXPECT_EQ(at(6 - allowed.rows), allowed.motions.size());
        for (const Freedom& f : allowed.motions) {
          Eigen::VectorXd rates = Eigen::VectorXd::Zero(12);
          const V along = s.second_axes * f.along;
          const V about = s.second_axes * f.about;
          if (joint.first.valid()) {
            putMotion(s.x[0], s.A, along, about, rates, 0);
          } else {
            // The same relative motion with the first body at rest: the second goes the other way.
            putMotion(s.x[1], s.A, -along, -about, rates, 1);
          }
          // A rigid motion of both together changes nothing.
          if (joint.first.valid() && joint.second.valid()) {
            const V point = random.vector<InSpace>();
            const V together = random.vector<InSpace>();
            const V turning = random.vector<InSpace>();
            putMotion(s.x[0], point, together, turning, rates, 0);
            putMotion(s.x[1], point, together, turning, rates, 1);
          }
          const Eigen::VectorXd rest = rows.jacobian * rates;
          EXPECT_LT(rest.size() == 0 ? 0.0 : rest.lpNorm<Eigen::Infinity>(), 2e-13);
        }
      }
    }
  }
}

TEST(CompileElementsInSpace, RowsHaveNamesAndUnits) {
  Mechanism m;
  m.space = Space::spatial;
  m.bodies = {body("a", {}), body("b", {})};
  std::vector<std::string> names;
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic, JointKind::cylindrical, JointKind::fixed}) {
    Joint joint;
    joint.name = std::string(wordFor(kind)).substr(0, 1);
    joint.kind = kind;
    joint.first = kA;
    joint.second = kB;
    m.joints.push_back(joint);
  }
  const auto set = compileElements<S>(m);
  for (const RowInfo& row : set.row_info) {
    names.push_back(row.name);
    const bool angle = row.name.find("tilt") != std::string::npos || row.name.find("turn") != std::string::npos;
    EXPECT_EQ(row.unit, angle ? RowUnit::angle : RowUnit::length) << row.name;
  }
  EXPECT_THAT(names, ::testing::ElementsAre("r.x", "r.y", "r.z", "r.tilt_x", "r.tilt_y",                   //
                                            "p.tilt_x", "p.tilt_y", "p.turn", "p.normal_y", "p.normal_z",  //
                                            "c.tilt_x", "c.tilt_y", "c.normal_x", "c.normal_y",            //
                                            "f.x", "f.y", "f.z", "f.tilt_x", "f.tilt_y", "f.turn"));
}

// A screw has rows between its bodies and a relation; both go, while its angle is still counted for formulas.
TEST(CompileElementsInSpace, LeavesOutTheRelationOfAScrewAndKeepsItsTurn) {
  Mechanism m;
  m.space = Space::spatial;
  m.bodies = {body("a", {}), body("b", {})};
  for (const char* name : {"A", "B"}) {
    Joint screw;
    screw.name = name;
    screw.kind = JointKind::screw;
    screw.first = kA;
    screw.second = kB;
    screw.pitch = 0.01;
    m.joints.push_back(screw);
  }
  const auto all = compileElements<S>(m);
  const auto set = compileElements<S>(m, {{0}, {}});
  EXPECT_EQ(all.rows, 10);
  EXPECT_EQ(set.rows, 5);
  ASSERT_EQ(set.relations.size(), 1u);
  EXPECT_EQ(set.row_info[at(set.relations[0].row)].name, "B.lead");
  EXPECT_EQ(set.relations[0].row, 4);
  EXPECT_EQ(set.turns.size(), all.turns.size());
}

double valueOf(const Scene& s, const std::string& name) {
  const auto q = compileQuantity<S>(s.m, *findQuantity(s.m, name));
  const S::Velocity still{};
  return q.value(0.0, {s.x[at(q.i)], s.x[at(q.j)]}, {still, still});
}

// The angle and the slide of a joint are the numbers its pose was made with, and the drive of each holds there; its row
// is at rest exactly where the quantity is.
TEST(CompileElementsInSpace, AnglesAndSlidesAreThoseOfTheFramesAndDrivesHoldThem) {
  Random random(202);
  for (int trial = 0; trial < 20; ++trial) {
    const double angle = random.number(-3.1, 3.1);
    const double slide = random.number();
    const R3 Rz = R3::aboutZ(angle);
    struct Case {
      Allowed allowed;
      std::map<std::string, double> values;
    };
    // The first frame is the second moved: the second against the first has the opposite angle and slide, but for the
    // pin, whose place is counted from the slot to the pin.
    const std::vector<Case> cases{
        {{JointKind::revolute, 5, {}, Rz, {}}, {{"J.angle", -angle}}},
        {{JointKind::prismatic, 5, {slide, 0, 0}, {}, {}}, {{"J.slide", -slide}}},
        {{JointKind::pin_slot, 4, {slide, 0, 0}, Rz, {}}, {{"J.slide", slide}}},
        {{JointKind::cylindrical, 4, {0, 0, slide}, Rz, {}}, {{"J.angle", -angle}, {"J.slide", -slide}}},
    };
    for (const Case& c : cases) {
      for (const Ends ends : {Ends::two_bodies, Ends::ground_first, Ends::ground_second}) {
        Scene s = scene(c.allowed, ends, random);
        auto values = c.values;
        if (s.m.joints[0].first.valid()) {
          const V origin = s.x[0].r - s.x[0].R * vectorOf(s.m.bodies[0].com);
          values.insert({{"a.x", origin.x}, {"a.y", origin.y}, {"a.z", origin.z}});
        }
        for (const auto& [name, value] : values) {
          SCOPED_TRACE(fmt::format("{} {}, ends {}", wordFor(c.allowed.kind), name, static_cast<int>(ends)));
          EXPECT_NEAR(valueOf(s, name), value, 1e-14);
          const Expr f = Expr(value) - Expr(0.25) * Expr::symbol("t");
          s.m.drives = {driveOf(s.m, *findQuantity(s.m, name), f)};
          const auto set = compileElements<S>(s.m);
          ASSERT_EQ(set.rows, c.allowed.rows + 1);
          const std::vector<S::Velocity> still(3);
          EXPECT_NEAR(rowsOf<S>(set, s.x, still, 0.0).phi.back(), 0.0, 2e-14);
          // A smaller f than the pose has leaves Phi = the difference: the drive's coordinate grows with f.
          EXPECT_NEAR(rowsOf<S>(set, s.x, still, 2.0).phi.back(), 0.5, 2e-14);
        }
      }
    }
  }
}

// --- a mechanism of the plane, compiled for space
// -----------------------------------------------------------------------

Frame flatFrame(Random& random) { return {{Value(random.number()), Value(random.number())}, Value(random.number())}; }

Mechanism flatMechanism(Random& random) {
  Mechanism m;
  m.gravity = {Value(0.3), Value(-9.81)};
  for (const char* name : {"a", "b"}) {
    m.bodies.push_back(body(name, {random.number(), random.number(), 0.0}));
    m.bodies.back().tensor = Tensor{0.1, 0.2, 0.3, 0.05, 0.0, 0.0};
  }
  const std::array ends{std::pair{kA, kB}, std::pair{kGround, kB}, std::pair{kA, kGround}};
  int count = 0;
  for (const auto& [first, second] : ends) {
    for (const JointKind kind :
         {JointKind::revolute, JointKind::prismatic, JointKind::pin_slot, JointKind::fixed, JointKind::distance}) {
      Joint joint;
      joint.name = fmt::format("J{}", count++);
      joint.kind = kind;
      joint.first = first;
      joint.second = second;
      joint.on_first = flatFrame(random);
      joint.on_second = flatFrame(random);
      joint.length = 0.7;
      m.joints.push_back(joint);
    }
    for (const DriveKind kind : {DriveKind::angle, DriveKind::slide, DriveKind::distance, DriveKind::coordinate}) {
      Drive drive;
      drive.name = fmt::format("D{}", count++);
      drive.kind = kind;
      drive.first = kind == DriveKind::coordinate ? kGround : first;
      drive.second = kind == DriveKind::coordinate && !second.valid() ? kA : second;
      drive.on_first = flatFrame(random);
      drive.on_second = flatFrame(random);
      drive.motion = Expr(random.number()) * sin(Expr::symbol("t"));
      m.drives.push_back(drive);
    }
    for (const LoadKind kind :
         {LoadKind::force, LoadKind::couple, LoadKind::spring_damper, LoadKind::rotational_spring_damper}) {
      Load load;
      load.name = fmt::format("L{}", count++);
      load.kind = kind;
      load.first = first;
      load.second = kind == LoadKind::force && !second.valid() ? kA : second;
      load.on_first = flatFrame(random);
      load.on_second = flatFrame(random);
      load.force = {Expr(random.number()), Expr::symbol("a.x_rate"), Expr(0.0)};
      load.axes = random.number() > 0 ? Axes::body : Axes::ground;
      load.moment = Expr::symbol("J0.angle_rate") * Expr(random.number());
      load.stiffness = random.number(5, 20);
      load.damping = random.number(0, 2);
      load.free_length = random.number();
      m.loads.push_back(load);
    }
  }
  return m;
}

struct FlatState {
  std::vector<P::Position> x2;
  std::vector<S::Position> x3;
  std::vector<P::Velocity> v2;
  std::vector<S::Velocity> v3;
};

FlatState flatState(Random& random) {
  FlatState out;
  for (int b = 0; b < 2; ++b) {
    const double angle = random.number();
    out.x2.push_back(P::position(random.number(), random.number(), angle));
    const auto& r = out.x2.back().r;
    out.x3.push_back(S::position(std::array<double, 7>{r.x, r.y, 0, std::cos(angle / 2), 0, 0, std::sin(angle / 2)}));
    out.v2.push_back({random.vector(), random.number()});
    const auto& v = out.v2.back();
    out.v3.push_back({{v.v.x, v.v.y, 0.0}, {0, 0, v.w}});
  }
  out.x2.emplace_back();
  out.x3.emplace_back();
  out.v2.emplace_back();
  out.v3.emplace_back();
  return out;
}

constexpr std::array<int, 3> kInPlane{0, 1, 5};  // of the six freedoms
constexpr std::array<int, 3> kOutOfPlane{2, 3, 4};

// In-plane rows are the planar ones in x, y and the turn about z and nothing else; rows that hold a body in the plane
// do not look at its motion in the plane, and are at rest with it.
TEST(CompileElementsInSpace, APlanarMechanismKeepsItsRowsInThePlane) {
  Random random(203);
  // The lock against turning is an angle in the plane and the sine of it in space: equal only on the surface, below.
  const std::map<std::string, std::string> word{{"normal", "normal_y"}, {"angle", "turn"}};
  for (int trial = 0; trial < 10; ++trial) {
    const Mechanism m = flatMechanism(random);
    const auto set2 = compileElements<P>(m);
    const auto set3 = compileElements<S>(m);
    const FlatState s = flatState(random);
    const double t = random.number();
    const Rows rows2 = rowsOf<P>(set2, s.x2, s.v2, t);
    const Rows rows3 = rowsOf<S>(set3, s.x3, s.v3, t);
    std::map<std::string, int> in_space;
    for (int r = 0; r < set3.rows; ++r) in_space[set3.row_info[at(r)].name] = r;
    int compared = 0;
    for (int r = 0; r < set2.rows; ++r) {
      const std::string& name = set2.row_info[at(r)].name;
      SCOPED_TRACE(name);
      std::string name3 = name;
      const bool drive = name[0] == 'D';
      if (const auto other = word.find(name.substr(name.find('.') + 1)); other != word.end() && !drive) {
        if (other->first == "angle") {
          const int r3 = in_space.at(name.substr(0, name.find('.') + 1) + "turn");
          EXPECT_NEAR(rows3.phi[at(r3)], std::sin(rows2.phi[at(r)]), 1e-14);
          in_space.erase(name.substr(0, name.find('.') + 1) + "turn");
          ++compared;
          continue;
        }
        name3 = name.substr(0, name.find('.') + 1) + other->second;
      }
      ASSERT_TRUE(in_space.contains(name3));
      const int r3 = in_space.at(name3);
      in_space.erase(name3);
      ++compared;
      // An angle of space is known up to whole turns.
      const bool turn = drive && name.ends_with(".angle");
      const double rest = rows3.phi[at(r3)] - rows2.phi[at(r)];
      EXPECT_NEAR(turn ? std::remainder(rest, 2 * std::numbers::pi) : rest, 0.0, 5e-14);
      EXPECT_NEAR(rows3.minus_phi_t[at(r3)], rows2.minus_phi_t[at(r)], 1e-15);
      EXPECT_NEAR(rows3.gamma[at(r3)], rows2.gamma[at(r)], 2e-13);
      for (int b = 0; b < 2; ++b) {
        for (int c = 0; c < 3; ++c) {
          EXPECT_NEAR(rows3.jacobian(r3, 6 * b + kInPlane[at(c)]), rows2.jacobian(r, 3 * b + c), 5e-14);
          EXPECT_NEAR(rows3.jacobian(r3, 6 * b + kOutOfPlane[at(c)]), 0.0, 5e-14);
        }
      }
    }
    EXPECT_EQ(compared, set2.rows);
    for (const auto& [name, r3] : in_space) {
      SCOPED_TRACE(name);
      EXPECT_NEAR(rows3.phi[at(r3)], 0.0, 1e-15);
      EXPECT_NEAR(rows3.gamma[at(r3)], 0.0, 1e-15);
      for (int b = 0; b < 2; ++b) {
        for (const int c : kInPlane) EXPECT_NEAR(rows3.jacobian(r3, 6 * b + c), 0.0, 1e-15);
      }
    }
  }
}

// The lock against turning, where it holds: the row of the plane.
TEST(CompileElementsInSpace, APlanarLockAgainstTurningIsTheSameWhereItHolds) {
  Random random(204);
  for (const JointKind kind : {JointKind::prismatic, JointKind::fixed}) {
    for (int trial = 0; trial < 10; ++trial) {
      Mechanism m = flatMechanism(random);
      m.drives.clear();
      m.loads.clear();
      m.joints.resize(1);
      m.joints[0].kind = kind;
      FlatState s = flatState(random);
      const double angle = s.x2[0].angle + m.joints[0].on_first.angle.number - m.joints[0].on_second.angle.number;
      s.x2[1] = P::position(s.x2[1].r.x, s.x2[1].r.y, angle);
      s.x3[1].R = R3::aboutZ(angle);
      s.v2[1].w = s.v2[0].w;
      s.v3[1].w = s.v3[0].w;
      const auto set2 = compileElements<P>(m);
      const auto set3 = compileElements<S>(m);
      const Rows rows2 = rowsOf<P>(set2, s.x2, s.v2);
      const Rows rows3 = rowsOf<S>(set3, s.x3, s.v3);
      const int r2 = kind == JointKind::prismatic ? 0 : 2;
      const int r3 = kind == JointKind::prismatic ? 2 : 5;
      ASSERT_EQ(set2.row_info[at(r2)].name, "J0.angle");
      ASSERT_EQ(set3.row_info[at(r3)].name, "J0.turn");
      EXPECT_NEAR(rows3.phi[at(r3)], 0.0, 1e-15);
      EXPECT_NEAR(rows3.gamma[at(r3)], rows2.gamma[at(r2)], 1e-14);
      for (int b = 0; b < 2; ++b) EXPECT_NEAR(rows3.jacobian(r3, 6 * b + 5), rows2.jacobian(r2, 3 * b + 2), 1e-15);
    }
  }
}

template <class G>
std::vector<typename G::Wrench> wrenchesOf(const ElementSet<G>& set, const std::vector<typename G::Position>& x,
                                           const std::vector<typename G::Velocity>& v, double t) {
  auto loads = set.load_formulas.makeScratch();
  set.load_formulas.evaluate(t, x, v, loads);
  std::vector<typename G::Wrench> out(x.size());
  forEachLoad(set, [&](const auto& placed) {
    const PairPosition<G> pair{x[at(placed.i)], x[at(placed.j)]};
    const auto state = placed.element.state(pair, {v[at(placed.i)], v[at(placed.j)]},
                                            {placed.formula < 0 ? nullptr : loads.outputs.data() + placed.formula});
    placed.element.apply(pair, state, out[at(placed.i)], out[at(placed.j)]);
  });
  return out;
}

TEST(CompileElementsInSpace, APlanarMechanismKeepsItsLoads) {
  Random random(205);
  for (int trial = 0; trial < 20; ++trial) {
    Mechanism m = flatMechanism(random);
    const FlatState s = flatState(random);
    // A torsion spring of the plane counts whole turns; in space the branch nearest to its free angle counts. Compared
    // where both mean the same.
    for (Load& load : m.loads) {
      if (load.kind != LoadKind::rotational_spring_damper) continue;
      const auto angle = [&](BodyIndex b) { return b.valid() ? s.x2[b.at()].angle : 0.0; };
      const double theta =
          angle(load.second) + load.on_second.angle.number - angle(load.first) - load.on_first.angle.number;
      load.free_length = theta + random.number(-3.0, 3.0);
    }
    const auto set2 = compileElements<P>(m);
    const auto set3 = compileElements<S>(m);
    ASSERT_EQ(set3.loadsOf<RotationalSpringDamper<S>>().size(), 3u);
    const auto w2 = wrenchesOf(set2, s.x2, s.v2, 0.4);
    const auto w3 = wrenchesOf(set3, s.x3, s.v3, 0.4);
    for (std::size_t b = 0; b < 3; ++b) {
      // Forces and moments of the order of 100.
      EXPECT_NEAR(w3[b].force.x, w2[b].force.x, 1e-12);
      EXPECT_NEAR(w3[b].force.y, w2[b].force.y, 1e-12);
      EXPECT_NEAR(w3[b].force.z, 0.0, 1e-12);
      EXPECT_NEAR(w3[b].moment.x, 0.0, 1e-12);
      EXPECT_NEAR(w3[b].moment.y, 0.0, 1e-12);
      EXPECT_NEAR(w3[b].moment.z, w2[b].moment, 1e-12);
    }
    for (const char* name : {"a.x", "b.y", "a.angle", "J0.angle", "J1.slide", "J2.slide", "a.angle_rate", "b.x_rate",
                             "J0.angle_rate", "J1.slide_rate", "J2.slide_rate"}) {
      const Quantity quantity = *findQuantity(m, name);
      const auto q2 = compileQuantity<P>(m, quantity);
      const auto q3 = compileQuantity<S>(m, quantity);
      const double in_plane = q2.value(0.0, {s.x2[at(q2.i)], s.x2[at(q2.j)]}, {s.v2[at(q2.i)], s.v2[at(q2.j)]});
      const double in_space = q3.value(0.0, {s.x3[at(q3.i)], s.x3[at(q3.j)]}, {s.v3[at(q3.i)], s.v3[at(q3.j)]});
      const bool angle = std::string_view(name).ends_with(".angle");
      EXPECT_NEAR(angle ? std::remainder(in_space - in_plane, 2 * std::numbers::pi) : in_space - in_plane, 0.0, 2e-14)
          << name;
    }
  }
}

}  // namespace element_set_space_test
}  // namespace linkwork
