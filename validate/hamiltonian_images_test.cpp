// Loops opened by splitting bodies as the model file says: the motion is that of the whole, whatever the shares.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/read/model_file_for_tests.hpp"
#include "run_model.hpp"

namespace linkwork::validation {
namespace hamiltonian_images_test {

// Three cranks and their coupler, split as the file says: into three, with any shares of the inertia and of the forces.
// The motion and the reactions are those of the cut joints.
std::string threeCranks(const std::string& images) {
  return R"toml(linkwork = 1
space = "planar"
gravity = [0, -9.81]
[points]
G1 = [0, 0]
G2 = [1, 0]
G3 = [1.7, 0.2]
K1 = [0.24, 0.32]
K2 = [1.24, 0.32]
K3 = [1.94, 0.52]
[bodies]
crank1 = { rod = ["G1", "K1"], mass = 1 }
crank2 = { rod = ["G2", "K2"], mass = 2 }
crank3 = { rod = ["G3", "K3"], mass = 1.5 }
coupler = { position = [0.24, 0.32], mass = 3, com = [0.9, 0.1], inertia = 0.4 }
[joints]
G1 = { revolute = ["ground", "crank1"] }
G2 = { revolute = ["ground", "crank2"] }
G3 = { revolute = ["ground", "crank3"] }
K1 = { revolute = ["crank1", "coupler"] }
K2 = { revolute = ["crank2", "coupler"] }
K3 = { revolute = ["crank3", "coupler"] }
[loads]
push = { force = ["3*sin(2*t)", 1], on = "coupler.K2" }
[initial]
G1.rate = 1
[simulate]
formulation = "hamiltonian"
rtol = 1e-10
atol = 1e-10
)toml" + images;
}

TEST(HamiltonianImages, DoNotChangeTheMotion) {
  const auto result = [](const std::string& images, const char* opening) {
    const Mechanism m = test::read(threeCranks(images));
    RunOptions options = runOptions(m);
    options.until = 1.0;
    options.output_step = 0.1;
    options.system.opening = opening;
    Result out = runModel(m, options);
    EXPECT_EQ(out.status, RunStatus::complete) << out.message;
    return out;
  };
  const Result whole = result("", "cut_joints");
  for (const char* images : {
           "",
           "[images]\ncoupler = [{ joints = [\"K2\"], inertia = 0.6, forces = 0.3 }, { joints = [\"K3\"], inertia = "
           "0.1, "
           "forces = 0.7 }]\n",
           "[images]\ncoupler = { joints = [\"K1\", \"K2\"], inertia = 0.05 }\n",
       }) {
    SCOPED_TRACE(images);
    const Result split = result(images, "split_bodies");
    ASSERT_EQ(split.series.size(), whole.series.size());
    for (const Series& series : whole.series) {
      const Series* other = split.find(series.name);
      ASSERT_NE(other, nullptr) << series.name;
      double size = 1.0;
      for (const double value : series.values) size = std::max(size, std::abs(value));
      for (std::size_t k = 0; k < whole.time.size(); ++k) {
        EXPECT_NEAR(other->values[k], series.values[k], 1e-7 * size) << series.name << ", sample " << k;
      }
    }
  }
}

// A coupler too short for its loop: its images could never be one body. It is said before anything moves, with the
// joint.
TEST(HamiltonianImages, ThatCannotCoincideAreRefused) {
  const Mechanism m = test::read(R"toml(linkwork = 1
space = "planar"
gravity = [0, -9.81]
[points]
O = [0, 0]
A = [0.3, 0]
B = [2, 0.5]
C = [2, 0]
[bodies]
crank = { rod = ["O", "A"], mass = 1 }
coupler = { rod = ["A", "B"], length = 0.5, mass = 1 }
rocker = { rod = ["C", "B"], mass = 1 }
[joints]
O = { revolute = ["ground", "crank"] }
A = { revolute = ["crank", "coupler"] }
B = { revolute = ["coupler", "rocker"] }
C = { revolute = ["ground", "rocker"] }
[images]
coupler = { joints = ["B"] }
[simulate]
formulation = "hamiltonian"
opening = "split_bodies"
)toml");
  const Assembly assembly = assemble(m);
  ASSERT_FALSE(assembly.ok);
  EXPECT_NE(assembly.problem.find("joint \"B\" stays open by 0.7 m: the loop C, B, A, O"), std::string::npos)
      << assembly.problem;
}

}  // namespace hamiltonian_images_test
}  // namespace linkwork::validation
