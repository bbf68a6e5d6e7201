// The bicycle of bodies and joints and the bicycles of equations: in the same quasi-velocities A and B are the same,
// those of the three notional bodies too.                                                             [docs/theory/11]
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "linkwork/codegen/quasi_matrices.hpp"
#include "linkwork/formulation/equations/equations_matrices.hpp"
#include "linkwork/read/equations_file.hpp"
#include "run_model.hpp"

namespace linkwork::bicycle_divided_test {

namespace {

struct Pose {
  double yaw, lean, steer;
  double lean_rate, steer_rate, speed;
};

// models/bicycle.toml with the names that the files of equations have, in a pose.
Mechanism bicycleAt(const Pose& pose) {
  Diagnostics diagnostics;
  const auto plain = readModelFile(fmt::format("{}/bicycle.toml", LINKWORK_MODELS_DIR), diagnostics);
  expect(plain.has_value(), diagnostics.format());
  std::string text = plain->file_text;
  const std::size_t from = text.find("[initial]");
  const std::size_t to = text.find("[steady]");
  text.replace(from, to - from,
               fmt::format("[quasivelocities]\n"
                           "lean = \"pose.angle_x_rate\"\n"
                           "steering = \"steer.rate\"\n"
                           "v = \"-r_rear*rear_axle.rate\"\n\n"
                           "[initial]\n"
                           "pose.angle_z = {:.17g}\npose.angle_x = {:.17g}\nsteer.angle = {:.17g}\n"
                           "pose.angle_x_rate = {:.17g}\nsteer.rate = {:.17g}\n"
                           "rear_axle.rate = \"-{:.17g} [m/s]/r_rear\"\n\n",
                           pose.yaw, pose.lean, pose.steer, pose.lean_rate, pose.steer_rate, pose.speed));
  auto out = readModelText(text, "bicycle.toml", diagnostics);
  expect(out.has_value(), diagnostics.format());
  return *std::move(out);
}

// Of the frame, by its orientation Rz(yaw) Rx(lean) Ry(pitch).
double pitchOf(const Mechanism& mechanism, const std::vector<double>& absolute) {
  std::size_t body = 0;
  while (mechanism.bodies[body].name != "frame") ++body;
  const double* o = &absolute[7 * body + 3];
  const auto R = Rotation3<double>::fromQuaternion(o[0], o[1], o[2], o[3]);
  const Vec3<double> down = R.inverseTimes(Vec3<double>{0.0, 0.0, 1.0});
  return std::atan2(-down.x, down.z);
}

}  // namespace

TEST(BicycleDivided, HasTheMassesAndForcesOfItsBodies) {
  for (const Pose& pose : {Pose{0.4, 0.13, -0.21, 0.3, -0.7, 4.0}, Pose{-1.1, -0.3, 0.5, -0.2, 0.6, 7.0}}) {
    const Mechanism mechanism = bicycleAt(pose);
    const Assembly assembly = assemble(mechanism);
    ASSERT_TRUE(assembly.ok) << assembly.problem;
    const std::vector<double> absolute = assembly.state();
    SystemOptions options = startingFrom(assembly);
    options.formulation = "quasivelocity";
    const VelocityChoice choice = velocityChoice(mechanism, options);
    ASSERT_EQ(choice.problem, "");
    const auto system = makeSystem(mechanism, options);
    const std::vector<double> x = system->fromAbsolute(0.0, absolute);
    const std::vector<double> q(x.begin(), x.begin() + system->space().positions());
    const auto first = x.begin() + system->space().velocityOffset();
    const std::vector<double> omega(first, first + system->space().velocities());
    ASSERT_EQ(omega.size(), 3U);
    EXPECT_NEAR(omega[0], pose.lean_rate, 1e-12);
    EXPECT_NEAR(omega[2], pose.speed, 1e-12);
    const QuasiMatricesFound found = quasiMatrices(mechanism, choice, 0.0, absolute, q, omega);
    ASSERT_EQ(found.problem, "");
    const double pitch = pitchOf(mechanism, absolute);
    for (const char* name : {"bicycle_four_bodies", "bicycle_three_bodies"}) {
      SCOPED_TRACE(name);
      Diagnostics diagnostics;
      const auto model = readEquationsFile(fmt::format("{}/equations/{}.toml", LINKWORK_MODELS_DIR, name), diagnostics);
      ASSERT_TRUE(model) << diagnostics.format();
      // x, y, psi, phi, theta, delta, thR, thF; lean, steer, v; work. A and B depend on neither place nor wheels'
      // turns.
      const std::vector<double> y{0.0, 0.0, pose.yaw, pose.lean, pitch,    pose.steer,
                                  0.0, 0.0, omega[0], omega[1],  omega[2], 0.0};
      const EquationsSystem equations(*model);
      const EquationsMatrices divided = equationsMatrices(*model, equations, 0.0, y);
      // Round-off of some hundred operations, of the largest entry.
      const double of_A = found.matrices.A.cwiseAbs().maxCoeff();
      const double of_B = found.matrices.B.cwiseAbs().maxCoeff();
      EXPECT_LT((divided.A - found.matrices.A).cwiseAbs().maxCoeff(), 1e-12 * of_A);
      EXPECT_LT((divided.B - found.matrices.B).cwiseAbs().maxCoeff(), 1e-12 * of_B);
    }
  }
}

}  // namespace linkwork::bicycle_divided_test
