// Every joint, drive and load that a model file can hold, in the plane and in space, at random states off the
// constraint surface: the rows and forces of the whole mechanism against Dual and against difference quotients.
//
//   Phi_q      slopes of Phi along the freedoms (Dual), and central differences through retract
//   Phi_t      d/dt Phi = Phi_q v + Phi_t along a motion (Dual in time)
//   Gamma      d/dt (Phi_q v + Phi_t) = Phi_q a - Gamma (Dual in time)
//   Q          = -dV/dq for what stores energy, at rest;  Q v = supplied power - dV/dt for everything, moving
//
// Element by element the same is done in src/linkwork/elements, with signs and directions; here nothing may be missing.
#include "linkwork/formulation/absolute/equations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "linkwork/read/model_file_for_tests.hpp"

namespace linkwork::validation {
namespace equations_test {

using D = Dual<8>;

// Nothing here is to be assembled: drives and joints fight each other.
const char* const kPlane = R"toml(
linkwork = 1
space    = "planar"
gravity  = [1.5, -9.81]
[parameters]
n = 1.7
[points]
O = [0, 0]
A = [0.3, 0.2]
B = [0.8, 0.5]
C = [1.1, -0.2]
[tables]
bent   = { x = [-9, -1, 0.5, 9], y = [-3, 2, 1, 4], outside = "extend" }
smooth = { x = [-9, -1, 0.5, 9], y = [-3, 2, 1, 4], kind = "cubic", outside = "extend" }
[inputs]
swell = "1 + 0.3*sin(2*t)"
[bodies]
a = { rod = ["O", "A"], mass = 1.2, com = [0.1, 0.05], inertia = 0.3 }
b = { position = "B", angle = 0.4, mass = 2, com = [0.1, -0.2], inertia = 0.5, points = { p = [0.2, 0.3] }, frames = { f = { at = [0.1, 0.2], angle = 0.3 } } }
c = { position = "C", angle = -0.3, mass = 0.7, inertia = 0.2, points = { p = [-0.2, 0.1] } }
[joints]
H     = { revolute = ["ground", "a"], at = "O" }
K     = { revolute = ["ground", "b"], at = "B" }
S     = { prismatic = ["ground", "c"], at = "C", axis = "20 deg" }
slot  = { pin_slot = ["b.p", "c"], axis = "50 deg" }
seam  = { fixed = ["a", "c"], at = "A" }
rope  = { distance = ["a.A", "b.p"], length = 0.7 }
mesh  = { gear = ["H", "K"], radii = [0.2, 0.3] }
inner = { gear = ["H", "K"], teeth = [20, 50], internal = true }
bar   = { rack = ["K", "S"], radius = 0.3 }
sum   = { coupling = { "H.angle" = 1, "K.angle" = "-n", "S.slide" = 3 }, offset = 0.2 }
mim   = { mimic = ["H", "K"], multiplier = 0.6 }
formula = { expression = "sin(t*H.angle)*b.x + n*c.y^2 - sqrt(4 + a.x*S.slide) + cos(t)*0.7 [m]*b.angle" }
cam   = { curve = ["a.A", "c"], points = [[-4, 0.3], [-1, -0.5], [1, 0.4], [4, -0.2]], offset = 0.15 }
ring  = { curve = ["b.p", "a"], points = [[-3, -3], [3, -3], [3, 3], [-3, 3]], closed = true }
[drives]
turn   = { joint = "H", angle = "smooth(t) + 0.2*t^2*swell" }
push   = { joint = "S", slide = "0.3*sin(3*t)" }
pin    = { joint = "slot", slide = "0.2*exp(t)" }
jack   = { distance = ["ground.O", "b.p"], length = "1.4 + 0.1*t^3" }
shake  = { body = "b", x = "1.2 + 0.1*sin(t)" }
tilt   = { body = "c", angle = "0.2*t^2" }
lift   = { point = "c.p", y = "0.5*t^2" }
[loads]
wind   = { force = ["10*sin(3*t)*swell", "bent(b.x) - 1.5*b.y_rate"], on = "b", at = "b.p" }
jet    = { force = ["5 + 1.5*c.x_rate", "-2*c.angle_rate"], at = "c.p", axes = "body" }
brake  = { couple = "-0.4*H.rate + smooth(K.angle)", on = "a" }
inside = { couple = "1 + t*b.angle", on = "b", against = "c" }
spring = { spring = ["b.p", "ground.O"], stiffness = 50, free_length = 0.3, damping = 3, preload = 4 }
cable  = { spring = ["ground.A", "c.p"], stiffness = 80, free_length = 0.2, damping = 2, tension_only = true }
slack  = { spring = ["ground.A", "b.p"], stiffness = 80, free_length = 90, tension_only = true }
stop   = { spring = ["a.A", "c.p"], stiffness = 30, free_length = 9, compression_only = true }
damper = { damper = ["a.A", "b.p"], damping = 1.5 }
coil   = { rotational_spring = "H", stiffness = 2, free_angle = 0.2, damping = 0.4, preload = 0.3 }
twist  = { rotational_spring = ["b", "c"], stiffness = 3 }
grease = { rotational_damper = "K", damping = 0.7 }
motor  = { actuator = "K", torque = "2 - 0.1*K.rate" }
ram    = { actuator = "S", force = "bent(S.slide)" }
pull   = { actuator = ["a.A", "c.p"], force = "3*cos(t) - 2*a.x" }
mount  = { bushing = ["a", "b.f"], at = "A", stiffness = [[40, 5, 2], [5, 60, 1], [2, 1, 8]], damping = [[3, 1, 0], [1, 4, 0.2], [0, 0.2, 2]], preload = [3, -2, 0.5] }
)toml";

const char* const kSpace = R"toml(
linkwork = 1
space    = "spatial"
gravity  = [1.5, -2, -9.81]
[parameters]
n = 1.7
[points]
O = [0, 0, 0]
A = [0.3, 0.2, 0.1]
B = [0.8, 0.5, -0.3]
C = [1.1, -0.2, 0.4]
[tables]
bent   = { x = [-9, -1, 0.5, 9], y = [-3, 2, 1, 4], outside = "extend" }
smooth = { x = [-9, -1, 0.5, 9], y = [-3, 2, 1, 4], kind = "cubic", outside = "extend" }
[inputs]
swell = "1 + 0.3*sin(2*t)"
[bodies]
a = { position = "O", rotation = { zyx = [0.3, 0.2, -0.4] }, mass = 1.2, com = [0.1, 0.05, -0.1], inertia = { xx = 0.3, yy = 0.4, zz = 0.5, xy = 0.02, xz = -0.03, yz = 0.01 }, points = { A = [0.3, 0.1, 0.1] } }
b = { position = "B", rotation = { zxz = [0.4, 0.5, 0.1] }, mass = 2, com = [0.1, -0.2, 0.1], inertia = [0.5, 0.6, 0.7], points = { p = [0.2, 0.3, -0.1] }, frames = { f = { at = [0.1, 0.2, 0.3], rotation = { zyx = [0.2, 0.1, 0.3] } } } }
c = { position = "C", rotation = { axis = [1, 2, 2], angle = 0.7 }, mass = 0.7, inertia = [0.2, 0.3, 0.25], points = { p = [-0.2, 0.1, 0.2] } }
[joints]
H     = { revolute = ["ground", "a"], at = "O", axis = [1, 2, 2] }
K     = { revolute = ["ground", "b"], at = "B", axis = [0, 1, 1] }
S     = { prismatic = ["ground", "c"], at = "C", axis = [1, 1, 0] }
Y     = { cylindrical = ["a", "b"], at = "A", axis = [1, 0, 1] }
slot  = { pin_slot = ["b.p", "c"], axis = [1, 0, 0], normal = [0, 1, 0] }
ball  = { spherical = ["a", "c"], at = "A" }
cross = { universal = ["a", "b"], at = "B", axes = [[1, 0, 0], [0, 1, 0]] }
table = { planar = ["b", "c"], at = "C", normal = [0, 1, 1] }
line  = { point_line = ["a.A", "c"], axis = [1, 1, 1] }
plane = { point_plane = ["b.p", "a"], normal = [1, 2, 0] }
same  = { parallel_axes = ["a", "b"], axis = [0, 0, 1] }
right = { perpendicular = ["b", "c"], axes = [[1, 0, 0], [0, 1, 0]] }
free  = { floating = ["a", "c"] }
jack  = { screw = ["b", "c"], at = "C", axis = [0, 1, 0], pitch = 0.3 }
shaft = { constant_velocity = ["a", "b"], at = "A", axes = [[1, 0, 0], [0.8, 0.6, 0]] }
seam  = { fixed = ["a", "c"], at = "A" }
rope  = { distance = ["a.A", "b.p"], length = 0.7 }
mesh  = { gear = ["H", "K"], radii = [0.2, 0.3] }
inner = { gear = ["H", "K"], teeth = [20, 50], internal = true }
bar   = { rack = ["K", "S"], radius = 0.3 }
sum   = { coupling = { "H.angle" = 1, "Y.angle" = "-n", "Y.slide" = 2, "S.slide" = 3 }, offset = 0.2 }
mim   = { mimic = ["H", "K"], multiplier = 0.6 }
formula = { expression = "sin(t*H.angle)*b.x + n*c.z^2 - sqrt(4 + a.y*S.slide) + cos(t)*0.7 [m]*Y.angle" }
cam   = { curve = ["a.A", "c"], points = [[-4, 0.3, 0], [-1, -0.5, 0], [1, 0.4, 0], [4, -0.2, 0]], normal = [0, 0, 1], offset = 0.15 }
ring  = { curve = ["b.p", "a"], points = [[-3, -3, 0], [3, -3, 0], [3, 3, 0], [-3, 3, 0]], normal = [0, 0, 1], closed = true }
[drives]
turn   = { joint = "H", angle = "smooth(t) + 0.2*t^2*swell" }
spin   = { joint = "Y", angle = "0.1*t^3" }
feed   = { joint = "Y", slide = "0.2*sin(t)" }
push   = { joint = "S", slide = "0.3*sin(3*t)" }
pin    = { joint = "slot", slide = "0.2*exp(t)" }
pole   = { distance = ["ground.O", "b.p"], length = "1.4 + 0.1*t^3" }
shake  = { body = "b", x = "1.2 + 0.1*sin(t)" }
heave  = { body = "c", z = "0.2*t^2" }
lift   = { point = "c.p", y = "0.5*t^2" }
[loads]
wind   = { force = ["10*sin(3*t)*swell", "bent(b.x) - 1.5*b.y_rate", "2*c.z"], on = "b", at = "b.p" }
jet    = { force = ["5 + 1.5*c.x_rate", "-2*c.wx", "1 + 0.3*c.wz"], at = "c.p", axes = "body" }
brake  = { couple = "-0.4*H.rate + smooth(K.angle)", on = "a", axis = [1, 2, 2] }
inside = { couple = "1 + t*b.x", on = "b", against = "c", axis = [1, 0, 1] }
gust   = { couple = ["1 - 0.2*a.wx", "t", "2*a.y"], on = "a" }
spring = { spring = ["b.p", "ground.O"], stiffness = 50, free_length = 0.3, damping = 3, preload = 4 }
cable  = { spring = ["ground.A", "c.p"], stiffness = 80, free_length = 0.2, damping = 2, tension_only = true }
slack  = { spring = ["ground.A", "b.p"], stiffness = 80, free_length = 90, tension_only = true }
stop   = { spring = ["a.A", "c.p"], stiffness = 30, free_length = 9, compression_only = true }
damper = { damper = ["a.A", "b.p"], damping = 1.5 }
coil   = { rotational_spring = "H", stiffness = 2, free_angle = 0.2, damping = 0.4, preload = 0.3 }
twist  = { rotational_spring = "Y", stiffness = 3 }
grease = { rotational_damper = "K", damping = 0.7 }
motor  = { actuator = "K", torque = "2 - 0.1*K.rate" }
ram    = { actuator = "S", force = "bent(S.slide)" }
pull   = { actuator = ["a.A", "c.p"], force = "3*cos(t) - 2*a.x" }
[loads.mount]
bushing   = ["a", "b.f"]
at        = "A"
stiffness = [[40, 5, 2, 1, 0, 2], [5, 60, 1, 0, 3, 1], [2, 1, 50, 2, 1, 0], [1, 0, 2, 8, 1, 0.5], [0, 3, 1, 1, 9, 0.2], [2, 1, 0, 0.5, 0.2, 7]]
damping   = [3, 4, 5, 0.3, 0.2, 0.1]
preload   = [3, -2, 1, 0.5, -0.3, 0.2]
)toml";

struct InPlane {
  using G = Planar<double>;
  using GD = Planar<D>;
  static Mechanism mechanism() { return test::read(kPlane); }
};
struct InSpace {
  using G = Spatial<double>;
  using GD = Spatial<D>;
  static Mechanism mechanism() { return test::read(kSpace); }
};
struct Name {
  template <class F>
  static std::string GetName(int /*index*/) {  // NOLINT(readability-identifier-naming): GoogleTest's name
    return F::G::kSpatial ? "Space" : "Plane";
  }
};

// A mechanism at a random state, with the drawn pose as the place from which turns are counted.
template <class F>
class Everything : public ::testing::Test {
 public:
  using G = typename F::G;
  using GD = typename F::GD;
  static constexpr int kN = G::kFreedoms;
  static constexpr int kC = G::kCoordinates;

  Mechanism m = F::mechanism();
  AbsoluteEquations<G> equations{m};
  AbsoluteEquations<GD> duals{m};
  typename AbsoluteEquations<G>::Work work = equations.makeWork();
  typename AbsoluteEquations<GD>::Work dual_work = duals.makeWork();
  std::vector<double> q, v, a;
  double t = 0.0;

  void disturb(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-0.6, 0.6);
    q.clear();
    v.clear();
    a.clear();
    t = 0.3 + 0.1 * seed;
    for (int b = 0; b < equations.bodies(); ++b) {
      std::array<double, kC> own{};
      if constexpr (G::kSpatial) own[3] = 1.0;
      std::array<double, kN> step{};
      for (double& value : step) value = number(random);
      retract(G{}, own, step);
      q.insert(q.end(), own.begin(), own.end());
      for (int k = 0; k < kN; ++k) v.push_back(2.0 * number(random));
      for (int k = 0; k < kN; ++k) a.push_back(3.0 * number(random));
    }
    evaluate();
  }

  void evaluate() {
    equations.positions(t, q, work);
    equations.velocities(v, work);
    equations.forces(work);
  }

  // q with its rate along freedom velocities u as the first derivative.
  std::vector<D> along(const std::vector<double>& u) const {
    std::vector<D> out(q.begin(), q.end());
    for (int b = 0; b < equations.bodies(); ++b) {
      std::array<double, kC> rate{};
      G::coordinateRate(std::span<const double>(q).subspan(at(b * kC), at(kC)),
                        std::span<const double>(u).subspan(at(b * kN), at(kN)), rate);
      for (int k = 0; k < kC; ++k) out[at(b * kC + k)].derivatives[0] = rate[at(k)];
    }
    return out;
  }

  std::vector<double> moved(int freedom, double by) const {
    std::vector<double> out = q;
    std::array<double, kN> step{};
    step[at(freedom % kN)] = by;
    std::array<double, kC> own{};
    const auto first = out.begin() + (freedom / kN) * kC;
    std::copy_n(first, kC, own.begin());
    retract(G{}, own, step);
    std::copy(own.begin(), own.end(), first);
    return out;
  }

  // Phi_q, row by freedom.
  double slope(int row, int freedom) const {
    for (int p = equations.rowStart()[at(row)]; p < equations.rowStart()[at(row) + 1]; ++p) {
      if (equations.rowBodies()[at(p)] == freedom / kN) return work.jacobian[at(p * kN + freedom % kN)];
    }
    return 0.0;
  }
  const std::string& rowName(int row) const { return equations.elements().row_info[at(row)].name; }

  // Generalised force on a freedom.
  double force(int freedom) const {
    std::array<double, kN> out{};
    G::put(work.Q[at(freedom / kN)], out);
    return out[at(freedom % kN)];
  }
};
using Both = ::testing::Types<InPlane, InSpace>;
TYPED_TEST_SUITE(Everything, Both, Name);

// Nothing of the format is missing in the two texts, so that a new kind fails here until it is in one of them.
TEST(EverythingTexts, HoldEveryJointDriveAndLoad) {
  std::set<JointKind> joints;
  std::set<DriveKind> drives;
  std::set<std::pair<LoadKind, int>> loads;
  for (const char* text : {kPlane, kSpace}) {
    const Mechanism m = test::read(text);
    for (const Joint& joint : m.joints) joints.insert(joint.kind);
    std::set<DriveKind> here;
    for (const Drive& drive : m.drives) here.insert(drive.kind);
    EXPECT_EQ(here.size(), 4U);
    for (const Load& load : m.loads) {
      int variant = 0;
      if (load.kind == LoadKind::force) variant = static_cast<int>(load.axes);
      if (load.kind == LoadKind::couple) variant = load.by_components ? 1 : 0;
      if (load.kind == LoadKind::spring_damper) variant = static_cast<int>(load.sided);
      if (load.kind == LoadKind::actuator) variant = static_cast<int>(load.along);
      loads.insert({load.kind, variant});
    }
  }
  EXPECT_EQ(joints.size(), static_cast<std::size_t>(JointKind::curve) + 1);  // the last of the list
  EXPECT_EQ(loads.size(), 2U + 2U + 3U + 1U + 3U + 1U);
}

// Dual: some twenty products of numbers up to some ten. Central differences with a step of 1e-5: cut-off 1e-10 / 6
// times third derivatives (some hundred), round-off 1e-11.
TYPED_TEST(Everything, JacobianIsTheSlopeOfPhi) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    this->disturb(seed);
    auto other = this->equations.makeWork();
    auto back = this->equations.makeWork();
    for (int f = 0; f < this->equations.freedoms(); ++f) {
      std::vector<double> unit(this->v.size(), 0.0);
      unit[at(f)] = 1.0;
      this->duals.positions(D(this->t), this->along(unit), this->dual_work);
      this->equations.positions(this->t, this->moved(f, 1e-5), other);
      this->equations.positions(this->t, this->moved(f, -1e-5), back);
      for (int r = 0; r < this->equations.rows(); ++r) {
        const double slope = this->slope(r, f);
        EXPECT_NEAR(slope, this->dual_work.phi[at(r)].derivatives[0], 1e-12)
            << this->rowName(r) << " freedom " << f << " seed " << seed;
        EXPECT_NEAR(slope, (other.phi[at(r)] - back.phi[at(r)]) / 2e-5, 1e-7)
            << this->rowName(r) << " freedom " << f << " seed " << seed;
      }
    }
  }
}

TYPED_TEST(Everything, RatesOfPhiAreThoseOfVelocityAndAccelerationLevel) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    this->disturb(seed);
    std::vector<D> v_dual(this->v.begin(), this->v.end());
    for (std::size_t k = 0; k < v_dual.size(); ++k) v_dual[k].derivatives[0] = this->a[k];
    D time(this->t);
    time.derivatives[0] = 1.0;
    this->duals.positions(time, this->along(this->v), this->dual_work);
    this->duals.velocities(v_dual, this->dual_work);
    for (int r = 0; r < this->equations.rows(); ++r) {
      D rate = -this->dual_work.minus_phi_t[at(r)];  // Phi_q v + Phi_t
      double inertial = 0.0;                         // Phi_q a
      for (int p = this->equations.rowStart()[at(r)]; p < this->equations.rowStart()[at(r) + 1]; ++p) {
        for (int k = 0; k < this->kN; ++k) {
          const std::size_t u = at(this->equations.rowBodies()[at(p)] * this->kN + k);
          rate += this->dual_work.jacobian[at(p * this->kN + k)] * v_dual[u];
          inertial += this->work.jacobian[at(p * this->kN + k)] * this->a[u];
        }
      }
      EXPECT_NEAR(rate.value, this->dual_work.phi[at(r)].derivatives[0], 1e-12) << this->rowName(r) << " " << seed;
      // Second derivatives of the cam's spline and of the formula: numbers up to a hundred.
      EXPECT_NEAR(this->work.gamma[at(r)], inertial - rate.derivatives[0], 1e-11) << this->rowName(r) << " " << seed;
    }
  }
}

// At rest, without what has no energy: forces of up to a few hundred newtons.
TYPED_TEST(Everything, StoredEnergyFallsAlongItsForces) {
  std::erase_if(this->m.loads, [](const Load& load) {
    return load.kind == LoadKind::force || load.kind == LoadKind::couple || load.kind == LoadKind::actuator;
  });
  this->equations = AbsoluteEquations<typename TypeParam::G>(this->m);
  this->duals = AbsoluteEquations<typename TypeParam::GD>(this->m);
  this->work = this->equations.makeWork();
  this->dual_work = this->duals.makeWork();
  for (unsigned seed = 1; seed <= 5; ++seed) {
    this->disturb(seed);
    std::fill(this->v.begin(), this->v.end(), 0.0);
    this->evaluate();
    const std::vector<D> rest(this->v.begin(), this->v.end());
    auto other = this->equations.makeWork();
    const auto energyAt = [&](const std::vector<double>& pose) {
      this->equations.positions(this->t, pose, other);
      this->equations.velocities(this->v, other);
      this->equations.forces(other);
      return other.potential;
    };
    for (int f = 0; f < this->equations.freedoms(); ++f) {
      std::vector<double> unit(this->v.size(), 0.0);
      unit[at(f)] = 1.0;
      this->duals.positions(D(this->t), this->along(unit), this->dual_work);
      this->duals.velocities(rest, this->dual_work);
      this->duals.forces(this->dual_work);
      EXPECT_NEAR(this->force(f), -this->dual_work.potential.derivatives[0], 1e-10) << "freedom " << f << " " << seed;
      const double difference = (energyAt(this->moved(f, 1e-5)) - energyAt(this->moved(f, -1e-5))) / 2e-5;
      // Energies of up to 1e5 J (the stop is far from its free length) leave a round-off of 1e-11 / 1e-5.
      EXPECT_NEAR(this->force(f), -difference, 1e-5) << "freedom " << f << " " << seed;
    }
  }
}

// Everything together: what forces do to the bodies is what is supplied less what is stored.
TYPED_TEST(Everything, PowerOfAllLoadsIsAccountedFor) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    this->disturb(seed);
    this->duals.positions(D(this->t), this->along(this->v), this->dual_work);
    this->duals.velocities(std::vector<D>(this->v.begin(), this->v.end()), this->dual_work);
    this->duals.forces(this->dual_work);
    double power = 0.0;
    for (int f = 0; f < this->equations.freedoms(); ++f) power += this->force(f) * this->v[at(f)];
    EXPECT_NEAR(power, this->work.supplied_power - this->dual_work.potential.derivatives[0], 1e-9) << seed;
  }
}

}  // namespace equations_test
}  // namespace linkwork::validation
