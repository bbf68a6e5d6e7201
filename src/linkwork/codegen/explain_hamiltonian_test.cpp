#include "linkwork/codegen/explain_hamiltonian.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "linkwork/codegen/explain_writer.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace explain_hamiltonian_test {

using ::testing::HasSubstr;

double entry(const Explanation& explanation, const char* section, std::size_t row, std::size_t column) {
  const ExplainedSection* found = explanation.find(section);
  if (found == nullptr || !found->table) {
    ADD_FAILURE() << "no table " << section;
    return 0.0;
  }
  return found->table->at(row, column).number();
}

// Two rods: 2 kg and 1 kg, hinged at their ends, mass centres in the middle; the upper along x, the lower upwards.
TEST(ExplainHamiltonian, ShowsTheSweepsOfATree) {
  Mechanism m;
  m.name = "Two rods";
  m.gravity = {Value(0.0), Value(-10.0)};
  const BodyIndex upper = test::addBody(m, "upper", 2.0, 0.5);
  const BodyIndex lower = test::addBody(m, "lower", 1.0, 0.25);
  test::addJoint(m, "O", JointKind::revolute, kGround, test::frameAt(0, 0), upper, test::frameAt(-0.5, 0));
  test::addJoint(m, "A", JointKind::revolute, upper, test::frameAt(0.5, 0), lower, test::frameAt(-0.25, 0));
  const std::vector<double> x{0.5, 0, 0, 1, 0.25, std::acos(-1.0) / 2, 0, 1, 2, -0.75, 2, 3, 0.0};
  const Explanation seen = explainHamiltonian(m, {}, 0.0, x, {});
  ASSERT_EQ(seen.problem, "");
  EXPECT_EQ(seen.find("Loops eps"), nullptr);
  // J_2 = 0.25 + 0.25^2 about A. Across the lower rod its mass is felt less: 1 - 0.25^2 / J_2.
  EXPECT_DOUBLE_EQ(entry(seen, "Inertias M*", 5, 2), 0.3125);
  EXPECT_NEAR(entry(seen, "Inertias M*", 0, 0), 2.0 + 1.0 - 0.0625 / 0.3125, 1e-15);
  EXPECT_DOUBLE_EQ(entry(seen, "Inertias M*", 1, 1), 3.0);
  // w = 2 and 3. The lower rod's impulse is J_2 w_2 and nothing else: A moves along it.
  EXPECT_NEAR(entry(seen, "Impulses, velocities and rates", 1, 0), 0.3125 * 3.0, 1e-15);
  EXPECT_NEAR(entry(seen, "Impulses, velocities and rates", 1, 1), 1.0, 1e-15);
  // (0.5 + 2 0.5^2 + 1 1^2) 2 of the upper with A in it, 0.3125 3 of the lower about A.
  EXPECT_NEAR(entry(seen, "Impulses, velocities and rates", 0, 0), 2.0 * 2.0 + 0.3125 * 3.0, 1e-14);
  // The moment of the weight about A is zero; what is left is -v_A x P = -2 (-0.75).
  EXPECT_NEAR(entry(seen, "Impulses, velocities and rates", 1, 2), -(0.0 * 2.0 - 2.0 * -0.75), 1e-14);
  EXPECT_THAT(explanationText(seen), HasSubstr("lower: k = 1, P = {1, 2}, U = {}, by A"));
}

TEST(ExplainHamiltonian, ShowsTheLoopsOfCutJointsAndOfSplitBodies) {
  Mechanism m = test::parallelogram(2);
  const test::State start = test::parallelogramStart(2);
  test::drawAt(m, start);
  SystemOptions options;
  const Explanation cut = explainHamiltonian(m, options, 0.0, start.x(), {});
  ASSERT_EQ(cut.problem, "");
  ASSERT_NE(cut.find("Closure Phi, b and eta"), nullptr);
  EXPECT_EQ(cut.find("Closure Phi, b and eta")->table->rows(), 2U);
  EXPECT_NEAR(entry(cut, "Closure Phi, b and eta", 0, 2), 0.0, 1e-14);  // b of consistent velocities
  options.opening = "split_bodies";
  const Explanation split = explainHamiltonian(m, options, 0.0, start.x(), {});
  ASSERT_EQ(split.problem, "");
  EXPECT_EQ(split.find("Closure Phi, b and eta")->table->rows(), 3U);
  double sum = 0.0;
  double size = 0.0;
  for (std::size_t k = 0; k < split.find("Loops eps")->table->cols(); ++k) {
    sum += entry(split, "Loops eps", 0, k);
    size += std::abs(entry(split, "Loops eps", 0, k));
  }
  EXPECT_EQ(sum, 0.0);  // +1 at the body and -1 at its image
  EXPECT_EQ(size, 2.0);
  EXPECT_THAT(explanationLatex(split), HasSubstr("\\text{link 4}"));
}

}  // namespace explain_hamiltonian_test
}  // namespace linkwork
