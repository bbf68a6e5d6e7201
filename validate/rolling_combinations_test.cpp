// Every shape on every ground, with every option, on a first body that stands or turns: it runs, and what was recorded
// fits what rolling means; or it is refused by name, for a reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linkwork/geometry/spatial.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/read/model_file_for_tests.hpp"
#include "run_model.hpp"

namespace linkwork::validation {
namespace rolling_combinations_test {

using ::testing::HasSubstr;
using V3 = Vec3<double>;

enum class Shape { ball, disc, tyre, ellipsoid };
enum class Ground { plane, on_ball, in_ball, on_cylinder, in_cylinder };
enum class Slip { none, none_nor_spin, rollers };
enum class Surface { still, moving };
enum class First { ground, turning_body };

struct Combination {
  Shape shape;
  Ground ground;
  Slip slip;
  Surface surface;
  First first;

  bool isInside() const { return ground == Ground::in_ball || ground == Ground::in_cylinder; }
  bool isBall() const { return ground == Ground::on_ball || ground == Ground::in_ball; }
  bool isCylinder() const { return ground == Ground::on_cylinder || ground == Ground::in_cylinder; }
  bool hasRim() const { return shape == Shape::disc || shape == Shape::tyre; }
  bool parallel() const { return isCylinder() && hasRim(); }
};

double length(const V3& v) { return std::sqrt(dot(v, v)); }

constexpr double kRadius = 0.3;
constexpr double kTyre = 0.1;
constexpr double kFirstRadius = 2.0;
constexpr double kRoller = 0.5;  // rad
const V3 kSemiAxes{0.3, 0.25, 0.35};

// Why a combination is refused; empty: it is not.
std::string reasonAgainst(const Combination& c) {
  if (c.shape == Shape::ellipsoid && c.slip == Slip::rollers) return "roller does not go with semi_axes";
  if (c.shape == Shape::ellipsoid && c.ground != Ground::plane) return "follows from no formula";
  if (c.slip == Slip::rollers && !c.hasRim()) return "only a disc has rollers on its rim";
  if (c.slip == Slip::rollers && c.surface == Surface::moving) return "surface_velocity does not go with roller";
  if (c.isBall() && c.surface == Surface::moving) return "surface of a ball cannot move with one speed everywhere";
  return {};
}

// The axle as drawn: upright on its rim on a cylinder, leaning elsewhere.
V3 axleOf(const Combination& c) { return c.parallel() ? V3{0, 1, 0} : V3{0, 1, 0.4}; }

std::string shapeText(const Combination& c) {
  const V3 axle = axleOf(c);
  switch (c.shape) {
    case Shape::ball: return fmt::format("radius = {}", kRadius);
    case Shape::disc: return fmt::format("radius = {}, axis = [{}, {}, {}]", kRadius, axle.x, axle.y, axle.z);
    case Shape::tyre:
      return fmt::format("radius = {}, axis = [{}, {}, {}], tyre = {}", kRadius, axle.x, axle.y, axle.z, kTyre);
    case Shape::ellipsoid: return fmt::format("semi_axes = [{}, {}, {}]", kSemiAxes.x, kSemiAxes.y, kSemiAxes.z);
  }
  return {};
}

// All touch at the ground's origin in the drawing.
double centreOf(const Combination& c) { return c.isInside() ? kFirstRadius : -kFirstRadius; }

std::string groundText(const Combination& c) {
  if (c.ground == Ground::plane) return ", at = [0, 0, 0], normal = [0, 0, 1]";
  return fmt::format(", first = {{ centre = [0, 0, {}], radius = {}{} }}{}", centreOf(c), kFirstRadius,
                     c.isCylinder() ? ", axis = [0, 1, 0]" : "", c.isInside() ? ", inside = true" : "");
}

std::string modelText(const Combination& c) {
  const std::string first = c.first == First::ground ? "ground" : "base";
  std::string text = R"toml(linkwork = 1
space = "spatial"
gravity = [0.3, 0.2, -9.81]
[bodies]
)toml";
  text += fmt::format(
      "wheel = {{ position = [0, 0, {}], mass = 2, inertia = [0.05, 0.07, 0.06], com = [0.02, 0, 0.01] }}\n",
      c.shape == Shape::ellipsoid ? kSemiAxes.z : kRadius);
  if (c.first == First::turning_body)
    text += "base = { position = [0.1, 0, -0.2], mass = 8, inertia = [1, 1.2, 1.1], com = [0.1, 0, 0.1] }\n";
  text += "[joints]\n";
  if (c.first == First::turning_body)
    text += "hinge = { revolute = [\"ground\", \"base\"], at = [0.2, 0, -0.5], axis = [0.3, 0.5, 1] }\n";
  text += fmt::format("T = {{ rolling = [\"{}\", \"wheel\"]{}, {}", first, groundText(c), shapeText(c));
  if (c.slip == Slip::none_nor_spin) text += ", pivoting = false";
  if (c.slip == Slip::rollers) text += fmt::format(", roller = {}", kRoller);
  if (c.surface == Surface::moving) {
    text += c.ground == Ground::plane ? ", surface_velocity = [\"0.5*t\", \"0.2*cos(t)\", 0]"
                                      : ", surface_velocity = [\"0.5*t\", \"0.2*cos(t)\"]";
  }
  text += " }\n";
  if (c.parallel()) text += fmt::format("keep = {{ parallel_axes = [\"{}\", \"wheel\"], axis = [0, 1, 0] }}\n", first);
  text += "[initial]\n";
  if (c.first == First::turning_body) text += "hinge.rate = 0.4\n";
  if (c.parallel()) {
    text += "wheel.wy = 2\n";
  } else {
    text += "wheel.wx = 1.2\nwheel.wy = 2\n";
    if (c.slip != Slip::none_nor_spin) text += "wheel.wz = -0.7\n";
  }
  return text;
}

std::string nameOf(const Combination& c) {
  static const char* const shapes[] = {"ball", "disc", "tyre", "ellipsoid"};
  static const char* const grounds[] = {"plane", "on ball", "in ball", "on cylinder", "in cylinder"};
  static const char* const slips[] = {"", ", not spinning", ", rollers"};
  return fmt::format("{}, {}{}{}{}", shapes[static_cast<int>(c.shape)], grounds[static_cast<int>(c.ground)],
                     slips[static_cast<int>(c.slip)], c.surface == Surface::moving ? ", moving surface" : "",
                     c.first == First::turning_body ? ", turning" : "");
}

// --- what was recorded -----------------------------------------------------------------------------------------------

struct Motion {
  V3 r, v, w;
  Rotation3<double> R = Rotation3<double>::fromQuaternion(1.0, 0.0, 0.0, 0.0);
  V3 pointAt(const V3& arm) const { return r + R * arm; }
  V3 velocityAt(const V3& place) const { return v + cross(w, place - r); }
};

double at(const Result& run, const std::string& name, std::size_t k) {
  const Series* found = run.find(name);
  expect(found != nullptr, "no series " + name);
  return found->values[k];
}
V3 vectorAt(const Result& run, const std::string& name, const char* end, std::size_t k) {
  return {at(run, name + ".x" + end, k), at(run, name + ".y" + end, k), at(run, name + ".z" + end, k)};
}
Motion motionAt(const Result& run, const std::string& body, std::size_t k) {
  if (run.find(body + ".x") == nullptr) return {};
  const std::string q = body + ".orientation.";
  return {vectorAt(run, body, "", k), vectorAt(run, body, "_rate", k), vectorAt(run, body + ".angular_velocity", "", k),
          Rotation3<double>::fromQuaternion(at(run, q + "w", k), at(run, q + "x", k), at(run, q + "y", k),
                                            at(run, q + "z", k))};
}

// Bodies start unturned, so that directions of the drawing are those of their own axes.
struct Contact {
  V3 place;
  V3 normal;  // outwards of the first body, where it is solid
  V3 axis;    // of a cylinder
};
Contact contactAt(const Combination& c, const Result& run, const Motion& first, std::size_t k) {
  Contact out;
  out.place = vectorAt(run, "T.contact", "", k);
  if (c.ground == Ground::plane) {
    out.normal = first.R * V3{0, 0, 1};
    return out;
  }
  out.axis = first.R * V3{0, 1, 0};
  const V3 start = c.first == First::ground ? V3{0, 0, 0} : V3{0.1, 0, -0.2};
  V3 arm = out.place - first.pointAt(V3{0, 0, centreOf(c)} - start);
  if (c.isCylinder()) arm = arm - out.axis * dot(arm, out.axis);
  EXPECT_NEAR(length(arm), kFirstRadius, 1e-10);
  out.normal = arm * (1.0 / length(arm)) * (c.isInside() ? -1.0 : 1.0);
  return out;
}

// Its place is on the second body's surface, which has there the normal of the first's.
void expectTangent(const Combination& c, const Contact& contact, const Motion& wheel) {
  const V3 arm = wheel.R.inverseTimes(contact.place - wheel.r);
  const V3 n = wheel.R.inverseTimes(contact.normal);
  const V3 drawn = axleOf(c);
  const V3 axle = drawn * (1.0 / length(drawn));
  const V3 rim = arm - axle * dot(arm, axle);
  switch (c.shape) {
    case Shape::ball: EXPECT_LT(length(arm + n * kRadius), 1e-10); break;
    case Shape::disc:
      EXPECT_NEAR(length(arm), kRadius, 1e-10);
      EXPECT_NEAR(dot(arm, axle), 0.0, 1e-10);
      EXPECT_NEAR(dot(cross(axle, arm), n), 0.0, 1e-10);
      EXPECT_LT(dot(arm, n), 0.0);
      break;
    case Shape::tyre: {
      if (c.parallel()) {
        EXPECT_LT(length(arm + n * kRadius), 1e-10);
        break;
      }
      const V3 core = rim * ((kRadius - kTyre) / length(rim));
      EXPECT_LT(length(arm - core + n * kTyre), 1e-10);
      break;
    }
    case Shape::ellipsoid: {
      const auto square = [](double a) { return a * a; };
      const V3 gradient{arm.x / square(kSemiAxes.x), arm.y / square(kSemiAxes.y), arm.z / square(kSemiAxes.z)};
      EXPECT_NEAR(dot(arm, gradient), 1.0, 1e-10);
      EXPECT_LT(length(gradient * (1.0 / length(gradient)) + n), 1e-10);
      break;
    }
  }
}

// What the wheel's point there has more than the first body's is the surface's velocity, or leads across the roller.
void expectNoSlip(const Combination& c, const Contact& contact, const Motion& first, const Motion& wheel, double t) {
  V3 slip = wheel.velocityAt(contact.place) - first.velocityAt(contact.place);
  const double u = 0.5 * t;
  const double w = 0.2 * std::cos(t);
  if (c.surface == Surface::moving && c.ground == Ground::plane) {
    slip = slip - first.R * V3{u, w, 0};
  } else if (c.surface == Surface::moving) {
    const V3 outwards = contact.normal * (c.isInside() ? -1.0 : 1.0);
    slip = slip - cross(contact.axis, outwards) * u - contact.axis * w;
  }
  EXPECT_NEAR(dot(slip, contact.normal), 0.0, 1e-9);
  if (c.slip != Slip::rollers) {
    EXPECT_LT(length(slip), 1e-9);
  } else {
    const V3 drawn = axleOf(c);
    const V3 along = cross(wheel.R * drawn, contact.normal);
    const V3 f = along * (1.0 / length(along));
    EXPECT_NEAR(dot(slip, f * std::cos(kRoller) + cross(contact.normal, f) * std::sin(kRoller)), 0.0, 1e-9);
  }
  if (c.slip == Slip::none_nor_spin) {
    EXPECT_NEAR(dot(wheel.w - first.w, contact.normal), 0.0, 1e-9);
  }
}

RunOptions shortRun(const std::string& formulation) {
  RunOptions options;
  options.system.formulation = formulation;
  options.integrator = "dop853";
  options.until = 0.4;
  options.output_step = 0.1;
  options.steps.rtol = options.steps.atol = 1e-11;
  return options;
}

Result expectRolls(const Combination& c, const Mechanism& m, const std::string& formulation) {
  SCOPED_TRACE(formulation);
  Result run = runModel(m, shortRun(formulation));
  EXPECT_EQ(run.status, RunStatus::complete) << run.message;
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    const Motion wheel = motionAt(run, "wheel", k);
    const Motion first = motionAt(run, "base", k);
    const Contact contact = contactAt(c, run, first, k);
    expectTangent(c, contact, wheel);
    expectNoSlip(c, contact, first, wheel, run.time[k]);
    // Of some 5 J; the surface's work is in the balance.
    EXPECT_NEAR(at(run, "energy.balance", k), 0.0, 1e-9);
    // What presses is along the normal, and grip what is across it.
    if (!run.find("T.load")->unique || !run.find("T.force.x")->unique) continue;
    const V3 force = vectorAt(run, "T.force", "", k);
    const double load = at(run, "T.load", k);
    EXPECT_NEAR(dot(force, contact.normal), load, 1e-9 * (1.0 + std::abs(load)));
    EXPECT_NEAR(at(run, "T.grip", k) * load, length(force - contact.normal * load), 1e-9 * (1.0 + std::abs(load)));
  }
  return run;
}

void expectAgree(const Result& a, const Result& b) {
  for (const Series& series : a.series) {
    const std::string& name = series.name;
    const bool compared = name.starts_with("wheel.") || name.starts_with("base.") || name == "T.load";
    if (!compared || !series.unique || name.find("acceleration") != std::string::npos) continue;
    const Series* other = b.find(name);
    ASSERT_NE(other, nullptr) << name;
    for (std::size_t k = 0; k < series.values.size(); ++k)
      EXPECT_NEAR(series.values[k], other->values[k], 1e-8 * (1.0 + std::abs(series.values[k]))) << name;
  }
}

TEST(RollingCombinations, RollAsTheyShouldOrAreRefusedByName) {
  int rolled = 0;
  for (const Shape shape : {Shape::ball, Shape::disc, Shape::tyre, Shape::ellipsoid}) {
    for (const Ground ground :
         {Ground::plane, Ground::on_ball, Ground::in_ball, Ground::on_cylinder, Ground::in_cylinder}) {
      for (const Slip slip : {Slip::none, Slip::none_nor_spin, Slip::rollers}) {
        for (const Surface surface : {Surface::still, Surface::moving}) {
          for (const First first : {First::ground, First::turning_body}) {
            const Combination c{shape, ground, slip, surface, first};
            SCOPED_TRACE(nameOf(c));
            const std::string text = modelText(c);
            if (const std::string why = reasonAgainst(c); !why.empty()) {
              EXPECT_THAT(test::refusal(text), HasSubstr("T\"")) << text;
              EXPECT_THAT(test::refusal(text), HasSubstr(why)) << text;
              continue;
            }
            const Mechanism m = test::read(text);
            // Every formulation has half of the combinations, beside the one that knows nothing of trees.
            const Result a = expectRolls(c, m, "absolute");
            expectAgree(a, expectRolls(c, m, rolled % 2 == 0 ? "recursive" : "hamiltonian"));
            expectAgree(a, expectRolls(c, m, "quasivelocity"));
            if (::testing::Test::HasFailure()) FAIL() << text;
            ++rolled;
          }
        }
      }
    }
  }
  EXPECT_EQ(rolled, 124);
}

// --- in the plane ----------------------------------------------------------------------------------------------------

enum class PlanarGround { line, on_circle, in_circle };

std::string planarText(PlanarGround ground, Surface surface, First first) {
  const double centre = ground == PlanarGround::in_circle ? kFirstRadius : -kFirstRadius;
  std::string text = R"toml(linkwork = 1
space = "planar"
gravity = [0.5, -9.81]
[bodies]
wheel = { position = [0, 0.3], mass = 2, inertia = 0.06, com = [0.02, 0.01] }
)toml";
  if (first == First::turning_body)
    text += "base = { position = [0.1, -0.2], mass = 8, inertia = 1.2, com = [0.1, 0.1] }\n";
  text += "[joints]\n";
  if (first == First::turning_body) text += "hinge = { revolute = [\"ground\", \"base\"], at = [0.2, -0.5] }\n";
  text += fmt::format("T = {{ rolling = [\"{}\", \"wheel\"], radius = {}", first == First::ground ? "ground" : "base",
                      kRadius);
  if (ground == PlanarGround::line) {
    text += ", at = [0, 0], normal = [0, 1]";
  } else {
    text += fmt::format(", first = {{ centre = [0, {}], radius = {} }}", centre, kFirstRadius);
    if (ground == PlanarGround::in_circle) text += ", inside = true";
  }
  if (surface == Surface::moving)
    text += ground == PlanarGround::line ? ", surface_velocity = [\"0.5*t\", 0]" : ", surface_velocity = [\"0.5*t\"]";
  text += " }\n[initial]\nwheel.angle_rate = 2\n";
  if (first == First::turning_body) text += "hinge.rate = 0.4\n";
  return text;
}

struct PlanarMotion {
  double x = 0.0, y = 0.0, angle = 0.0, x_rate = 0.0, y_rate = 0.0, angle_rate = 0.0;
  std::array<double, 2> velocityAt(double px, double py) const {
    return {x_rate - angle_rate * (py - y), y_rate + angle_rate * (px - x)};
  }
};
PlanarMotion planarMotionAt(const Result& run, const std::string& body, std::size_t k) {
  if (run.find(body + ".x") == nullptr) return {};
  return {at(run, body + ".x", k),      at(run, body + ".y", k),      at(run, body + ".angle", k),
          at(run, body + ".x_rate", k), at(run, body + ".y_rate", k), at(run, body + ".angle_rate", k)};
}

// In space, where the circle is a cylinder, everything goes as in the plane.
TEST(RollingCombinations, RollInThePlane) {
  for (const PlanarGround ground : {PlanarGround::line, PlanarGround::on_circle, PlanarGround::in_circle}) {
    for (const Surface surface : {Surface::still, Surface::moving}) {
      for (const First first : {First::ground, First::turning_body}) {
        const std::string text = planarText(ground, surface, first);
        SCOPED_TRACE(text);
        const Mechanism m = test::read(text);
        const Result a = runModel(m, shortRun("absolute"));
        for (const char* formulation : {"recursive", "hamiltonian", "quasivelocity"})
          expectAgree(a, runModel(m, shortRun(formulation)));
        for (std::size_t k = 0; k < a.time.size(); ++k) {
          const PlanarMotion wheel = planarMotionAt(a, "wheel", k);
          const PlanarMotion base = planarMotionAt(a, "base", k);
          const double cx = at(a, "T.contact.x", k);
          const double cy = at(a, "T.contact.y", k);
          EXPECT_NEAR(std::hypot(cx - wheel.x, cy - wheel.y), kRadius, 1e-10);
          // Counter-clockwise around a circle, to the right along the line.
          double tx = std::cos(base.angle);
          double ty = std::sin(base.angle);
          if (ground != PlanarGround::line) {
            const double ox = first == First::ground ? 0.0 : -0.1;
            const double oy = (ground == PlanarGround::in_circle ? kFirstRadius : -kFirstRadius) +
                              (first == First::ground ? 0.0 : 0.2);
            const double px = base.x + std::cos(base.angle) * ox - std::sin(base.angle) * oy;
            const double py = base.y + std::sin(base.angle) * ox + std::cos(base.angle) * oy;
            EXPECT_NEAR(std::hypot(cx - px, cy - py), kFirstRadius, 1e-10);
            tx = -(cy - py) / kFirstRadius;
            ty = (cx - px) / kFirstRadius;
          }
          const auto on_wheel = wheel.velocityAt(cx, cy);
          const auto on_base = base.velocityAt(cx, cy);
          const double u = surface == Surface::moving ? 0.5 * a.time[k] : 0.0;
          EXPECT_NEAR(on_wheel[0] - on_base[0], u * tx, 1e-9);
          EXPECT_NEAR(on_wheel[1] - on_base[1], u * ty, 1e-9);
          EXPECT_NEAR(at(a, "energy.balance", k), 0.0, 1e-9);
        }
        const Result lifted = runModel(liftToSpace(m), shortRun("quasivelocity"));
        for (const char* name : {"wheel.x", "wheel.y", "wheel.x_rate", "T.load"}) {
          for (std::size_t k = 0; k < a.time.size(); ++k)
            EXPECT_NEAR(at(lifted, name, k), at(a, name, k), 1e-8 * (1.0 + std::abs(at(a, name, k)))) << name;
        }
      }
    }
  }
}

}  // namespace rolling_combinations_test
}  // namespace linkwork::validation
