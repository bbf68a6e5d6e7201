#include "linkwork/codegen/explain_linkage.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "linkwork/codegen/explain_writer.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace explain_linkage_test {

using ::testing::HasSubstr;

// Two rods: 2 kg and 1 kg, hinged at their ends, mass centres in the middle.
Mechanism doublePendulum() {
  Mechanism m;
  m.name = "Two rods";
  m.gravity = {Value(0.0), Value(-10.0)};
  const BodyIndex upper = test::addBody(m, "upper", 2.0, 0.5);
  const BodyIndex lower = test::addBody(m, "lower", 1.0, 0.25);
  test::addJoint(m, "O", JointKind::revolute, kGround, test::frameAt(0, 0), upper, test::frameAt(-0.5, 0));
  test::addJoint(m, "A", JointKind::revolute, upper, test::frameAt(0.5, 0), lower, test::frameAt(-0.25, 0));
  return m;
}

// Upper rod along x, lower rod upwards, both turning.
std::vector<double> state() { return {0.5, 0, 0, 1, 0.25, std::acos(-1.0) / 2, 0, 1, 2, -0.75, 2, 3}; }

double entry(const Explanation& explanation, const char* section, std::size_t row, std::size_t column) {
  const ExplainedSection* found = explanation.find(section);
  if (found == nullptr || !found->table) {
    ADD_FAILURE() << "no table " << section;
    return 0.0;
  }
  return found->table->at(row, column).number();
}

TEST(ExplainLinkage, ShowsTheCoefficientsOfTheRecurrentEquations) {
  const Explanation rud = explainLinkage(doublePendulum(), "rud", 0.0, state());
  ASSERT_EQ(rud.problem, "");
  const char* const H = "Coefficients H of the accelerations";
  // J_1 = 0.5 + 2 0.5^2 + 1 1^2, J_2 = 0.25 + 0.25^2; the rods are at right angles.
  EXPECT_DOUBLE_EQ(entry(rud, H, 0, 0), 2.0);
  EXPECT_DOUBLE_EQ(entry(rud, H, 1, 1), 0.3125);
  EXPECT_DOUBLE_EQ(entry(rud, H, 0, 1), 0.0);
  // h_21 = R_2 x mu_2 = 1 0.25
  EXPECT_DOUBLE_EQ(entry(rud, "Coefficients h of the squares", 1, 0), 0.25);
  EXPECT_DOUBLE_EQ(entry(rud, "Coefficients h of the squares", 0, 1), -0.25);
  EXPECT_DOUBLE_EQ(entry(rud, "Sides of the equations", 0, 1), -20.0);  // G_1 = -10 mux_1, mux_1 = 2 0.5 + 1 1
  // J_2 al_2'' = -h_21 w_1^2 - 0
  EXPECT_DOUBLE_EQ(entry(rud, "Accelerations", 1, 0), -0.25 * 4.0 / 0.3125);
  const std::string text = explanationText(rud);
  EXPECT_THAT(text, HasSubstr("link 2    lower <- link 1 by A"));
  EXPECT_THAT(text, HasSubstr("no loops  nothing is cut"));
  EXPECT_THAT(explanationLatex(rud), HasSubstr("\\text{link 2}"));
}

TEST(ExplainLinkage, EveryFormHasTheSameAccelerations) {
  const Mechanism m = doublePendulum();
  const Explanation rud = explainLinkage(m, "rud", 0.0, state());
  for (const std::string& form : linkageFormNames()) {
    const Explanation other = explainLinkage(m, form, 0.0, state());
    ASSERT_EQ(other.problem, "") << form;
    const bool relative = form >= "statement4" && form <= "statement6";
    EXPECT_NEAR(entry(other, "Accelerations", 1, 0) + (relative ? entry(other, "Accelerations", 0, 0) : 0.0),
                entry(rud, "Accelerations", 1, 0), 1e-12)
        << form;
  }
  // The hinge forces of both ways without a matrix.
  const Explanation sweep = explainLinkage(m, "sweep", 0.0, state());
  const Explanation elimination = explainLinkage(m, "elimination", 0.0, state());
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t d = 0; d < 2; ++d) {
      EXPECT_NEAR(entry(sweep, "Hinge forces", k, d), entry(elimination, "Hinge forces", k, d), 1e-12);
    }
  }
}

TEST(ExplainLinkage, ShowsCutsAndTheirReactions) {
  const Mechanism m = test::parallelogram(2);
  std::vector<double> x = test::parallelogramStart(2).x();
  const Explanation rud = explainLinkage(m, "rud", 0.0, x);
  ASSERT_EQ(rud.problem, "");
  ASSERT_NE(rud.find("Closure of the cuts"), nullptr);
  ASSERT_NE(rud.find("Reactions of the cuts and torques of the drives"), nullptr);
  EXPECT_THAT(explanationText(rud), HasSubstr("its reaction acts on link"));
}

TEST(ExplainLinkage, NamesTheJointThatIsInTheWay) {
  const Explanation none = explainLinkage(test::sliderPendulum(), "rud", 0.0, std::vector<double>(12));
  EXPECT_THAT(none.problem, HasSubstr("joint \"P\" is prismatic"));
  EXPECT_TRUE(none.sections.empty());
}

}  // namespace explain_linkage_test
}  // namespace linkwork
