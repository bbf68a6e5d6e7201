// Small models that random mechanisms were shrunk to when they found something, each with the methods that failed.
#include <gtest/gtest.h>

#include "examine.hpp"

namespace linkwork::random_mechanisms {
namespace found_test {

struct Found {
  const char* name;
  const char* text;
  std::vector<Trial> trials;
};
std::ostream& operator<<(std::ostream& out, const Found& found) { return out << found.name; }

// Coordinates of joints are zero in the drawn pose, and these mechanisms are at rest there or nearly so: what an
// iteration changes at round-off is not small beside them.
const Found kLocked{"hinge_and_distance_lock",
                    R"(
linkwork = 1
space = "spatial"
gravity = [0, 0, -9.81]
[points]
P1 = [0.06, 0.11, -0.28]
P2 = [0.26, 0.21, -0.41]
[bodies]
b1 = { position = [0.08, -0.02, -0.37], mass = 0.3, inertia = [0.002, 0.003, 0.003] }
b2 = { position = [-0.2, -0.46, -0.5], mass = 1.2, inertia = [0.01, 0.02, 0.02] }
[joints]
j1 = { prismatic = ["ground", "b1"], at = [-0.2, 0.33, -0.22], axis = [-0.34, -0.29, -0.89] }
j2 = { revolute = ["b1", "b2"], at = [-0.1, -0.36, -0.46], axis = [0.96, 0.1, -0.24] }
j3 = { distance = ["b2.P1", "b1.P2"] }
[initial]
j2.rate = { value = 0.3, weight = 1 }
[simulate]
until = 0.5
)",
                    {{"recursive", "index3", "generalized_alpha", false}, {"recursive", "index3", "radau5", false}}};

const Found kSwings{"universal_and_distance",
                    R"(
linkwork = 1
space = "spatial"
gravity = [0, 0, -9.81]
[points]
P1 = [0.08, -0.01, 0.1]
P2 = [0.2, -0.05, 0.07]
[bodies]
b1 = { position = [0.095, 0.22, -0.13], mass = 0.64, inertia = [0.0063, 0.012, 0.0096] }
[joints]
j1 = { universal = ["ground", "b1"], at = [-0.1441, 0.4006, 0.09904], axes = [[-0.9461, -0.3041, -0.1113], [-0.08073, -0.1114, 0.9905]] }
j2 = { distance = ["ground.P1", "b1.P2"] }
[simulate]
until = 0.5
)",
                    {{"recursive", "index3", "generalized_alpha", false}}};

const Found kRigid{"screw_and_ball_lock",
                   R"(
linkwork = 1
space = "spatial"
gravity = [0, 0, 0]
[bodies]
b1 = { position = [-0.02, -0.4, -0.3], mass = 5, inertia = [0.04, 0.09, 0.08] }
b2 = { position = [-0.03, -0.8, -0.6], mass = 1, inertia = [0.007, 0.03, 0.03] }
[joints]
j1 = { revolute = ["ground", "b1"], at = [0.009, -0.2, 0.07], axis = [0.9, -0.2, -0.3] }
j2 = { screw = ["b1", "b2"], at = [-0.2, -0.7, -0.6], axis = [-0.7, 0.3, -0.7], pitch = -0.3 }
j6 = { spherical = ["ground", "b2"], at = [0.08, -0.9, -0.3] }
[initial]
j1.rate = { value = 0.7, weight = 1 }
[simulate]
until = 0.5
)",
                   {{"hamiltonian", "none", "rattle", false}}};

// Wishes for rates that joints forbid: what is left of them in the velocities was 1e-8 m/s, and impulses refused the
// start.
const Found kWishes{"forbidden_wishes",
                    R"(
linkwork = 1
space = "planar"
gravity = [0, -10]
[bodies]
b4 = { position = [-0.02, 0.2], mass = 0.9, inertia = 0.01 }
b6 = { position = [-0.2, 0.5], mass = 0.3, inertia = 0.005 }
[joints]
j5 = { prismatic = ["b4", "ground"], at = [0.07, 0.6], axis = [-1, -0.3] }
j6 = { revolute = ["ground", "b6"], at = [0.2, 0.2] }
j8 = { revolute = ["b6", "b4"], at = [0.4, 0.5] }
j9 = { revolute = ["b4", "ground"], at = [0.5, 0.6] }
[initial]
j8.rate = { value = -4, weight = 1 }
[simulate]
until = 0.1
)",
                    {{"hamiltonian", "none", "dop853", false}}};

// Near a pose of lower rank all the time, but never going through one: velocities taken from both sides, over a way as
// long as the distance, were off by a tenth.
const Found kBesideLowerRank{"beside_lower_rank",
                             R"model(
linkwork = 1
space = "planar"
gravity = [0, -9.81]
[bodies]
b1 = { position = [-0.59, -0.32], mass = 3.7, inertia = 0.07 }
b2 = { position = [-0.73, -0.57], mass = 0.2, inertia = 0.001 }
b3 = { position = [-1.46, 0.01], mass = 3.1, inertia = 0.07 }
b4 = { position = [-0.84, -0.04], mass = 0.7, inertia = 0.005 }
[joints]
j1 = { revolute = ["ground", "b1"], at = [-0.529, -0.18] }
j2 = { revolute = ["b1", "b2"], at = [-0.946, -0.245] }
j3 = { revolute = ["b2", "b3"], at = [-1.179, -0.181] }
j4 = { prismatic = ["ground", "b4"], at = [-0.489, -0.318], axis = [0.04, 1] }
j5 = { revolute = ["ground", "b3"], at = [-0.974, -0.113] }
j6 = { coupling = { "j2.angle" = 1, "j4.slide" = 1.667 } }
[drives]
d1 = { joint = "j4", slide = "-0.1367*tanh(0.7729*t^2)" }
[simulate]
until = 0.4
)model",
                             {{"quasivelocity", "projection", "dop853", false},
                              {"quasivelocity", "projection", "rk4", false},
                              {"quasivelocity", "projection", "radau5", true}}};

class FoundBefore : public ::testing::TestWithParam<Found> {};

TEST_P(FoundBefore, IsMended) {
  const Examination seen = examine(GetParam().text, GetParam().trials, Draws(1, 1));
  EXPECT_EQ(seen.refused, "");
  for (const Finding& finding : seen.findings) {
    // Whether a lamp over an energy that is hardly there is red is asked elsewhere.
    if (finding.fault != Fault::false_alarm)
      ADD_FAILURE() << wordFor(finding.fault) << " " << finding.trial.label() << ": " << finding.what;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, FoundBefore, ::testing::Values(kLocked, kSwings, kRigid, kWishes, kBesideLowerRank),
                         [](const auto& found) { return found.param.name; });

}  // namespace found_test
}  // namespace linkwork::random_mechanisms
