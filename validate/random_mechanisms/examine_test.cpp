#include "examine.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "shrink.hpp"

namespace linkwork::random_mechanisms {
namespace examine_test {

// A chain with a spring and a body aside that has nothing to do with it.
const char* const kChain = R"(
linkwork = 1
space = "planar"
gravity = [0, -9.81]

[points]
P1 = [0.1, 0.4]
P2 = [0.9, -0.3]

[bodies]
b1 = { position = [0.3, 0.1], angle = 0.2, mass = 1.3, inertia = 0.05, com = [0.1, 0.02] }
b2 = { position = [0.8, 0.2], angle = -0.4, mass = 0.8, inertia = 0.02 }
b3 = { position = [1.2, 0.1], angle = 1.1, mass = 2.1, inertia = 0.07, com = [0, 0.1] }
b4 = { position = [-1, 0.5], mass = 1, inertia = 0.1 }

[joints]
j1 = { revolute = ["ground", "b1"], at = [0, 0] }
j2 = { revolute = ["b1", "b2"], at = [0.6, 0.1] }
j3 = { prismatic = ["b2", "b3"], at = [1, 0.2], axis = [1, 0.3] }
j4 = { revolute = ["ground", "b4"], at = [-1.2, 0.4] }

[loads]
l1 = { spring = ["ground.P2", "b2.P1"], stiffness = 30, damping = 0.4 }
l2 = { spring = ["b3.P2", "ground.P1"], stiffness = 200 }

[initial]
j1.rate = 2

[simulate]
until = 0.6
)";

const Trial kSuspect{"recursive", "projection", "dopri5", false};

bool showsDifference(const Examination& seen) {
  return std::any_of(seen.findings.begin(), seen.findings.end(), [](const Finding& finding) {
    return finding.fault == Fault::differs && finding.trial.formulation == "recursive";
  });
}

TEST(Examine, FindsNothingWhereNothingIsWrong) {
  const std::vector<Trial> trials{kSuspect,
                                  {"absolute", "baumgarte", "radau5", false},
                                  {"absolute", "index3", "generalized_alpha", false},
                                  {"recursive", "none", "euler", false},
                                  {"hamiltonian", "projection", "gauss4", false},
                                  {"hamiltonian", "projection", "dop853", true}};
  const Examination seen = examine(kChain, trials, Draws(1, 1));
  EXPECT_EQ(seen.refused, "");
  for (const Finding& finding : seen.findings)
    ADD_FAILURE() << wordFor(finding.fault) << " " << finding.trial.label() << ": " << finding.what;
  EXPECT_GT(seen.horizon, 0.5);
}

// One formulation is given a mass that is off by a thousandth. That is found, and what is left of the model is the body
// whose mass it is and what makes its mass felt.
TEST(Examine, FindsAPlantedMassAndShrinksTheModelToItsBody) {
  ExamineOptions options;
  options.tamper = [](Mechanism& mechanism, const Trial& trial) {
    if (trial.formulation != "recursive") return;
    for (Body& body : mechanism.bodies) {
      if (body.name == "b3") body.mass = Value(1.001 * body.mass.number);
    }
  };
  const Examination seen = examine(kChain, {kSuspect, {"hamiltonian", "none", "dopri5", false}}, Draws(1, 1), options);
  ASSERT_TRUE(showsDifference(seen));
  EXPECT_EQ(seen.findings.size(), 1U) << "the other formulation is innocent";

  const std::string small = shrunk(kChain, [&](const std::string& text) {
    return showsDifference(examine(text, {kSuspect}, Draws(1, 1), options));
  });
  EXPECT_NE(small.find("b3 = "), std::string::npos) << small;
  for (const char* innocent : {"b1 = ", "b2 = ", "b4 = ", "[initial]"})
    EXPECT_EQ(small.find(innocent), std::string::npos) << innocent << "in\n" << small;
  EXPECT_LT(small.size(), 400U) << small;
}

TEST(Examine, SaysWhyATextCannotBeRead) {
  const Examination seen = examine(std::string(kChain) + "nonsense\n", {kSuspect}, Draws(1, 1));
  EXPECT_NE(seen.refused, "");
  EXPECT_TRUE(seen.findings.empty());
}

}  // namespace examine_test
}  // namespace linkwork::random_mechanisms
