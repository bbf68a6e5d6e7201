#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linkwork/codegen/equation_forms.hpp"
#include "linkwork/codegen/linkages_for_tests.hpp"
#include "linkwork/codegen/program_printers.hpp"
#include "linkwork/codegen/slider_pendulum_for_tests.hpp"

namespace linkwork {
namespace program_text_test {

EquationProgram programOf(const Mechanism& mechanism, WrittenForm form, EquationTask task = EquationTask::mass_matrix) {
  EquationRequest request;
  request.form = form;
  request.task = task;
  WrittenEquations written = writeEquations(mechanism, request);
  EXPECT_TRUE(written.program) << written.problem;
  written.program->function = "equations";
  return *written.program;
}

constexpr const char* kDoublePendulum = R"(double_pendulum: recurrent equations in absolute angles
H x = rhs, x the second derivatives of al
root: 1 (link1)
link 1 = link1 <- ground by h1
link 2 = link2 <- link 1 by h2
no loops: nothing is cut

Inputs
  al_1   rad    angles of the links
  al_2   rad    angles of the links
  al_1'  rad/s  their rates
  al_2'  rad/s  their rates
  M_1    N*m    torques of the bases on their links, beside the loads of the model
  M_2    N*m    torques of the bases on their links, beside the loads of the model

Parameters
  mo_1  = 1        kg      mass of link 1 (link1)
  cx_1  = 0.25     m       centre of mass of link 1 (link1) from its hinge, x
  Jo_1  = 0.125    kg*m^2  inertia of link 1 (link1) about its centre of mass
  mo_2  = 1.25     kg      mass of link 2 (link2)
  cx_2  = 0.25     m       centre of mass of link 2 (link2) from its hinge, x
  Jo_2  = 0.15625  kg*m^2  inertia of link 2 (link2) about its centre of mass
  Rx_2  = 0.5      m       hinge of link 2 (link2) in its base, x
  g     = 9.81     m/s^2   gravity, downwards

Augmented bodies
  mux_2 = mo_2 cx_2                          constant
  J_2   = mo_2 cx_2^2 + Jo_2                 constant
  mux_1 = mo_1 cx_1 + mo_2 Rx_2              constant
  J_1   = mo_1 cx_1^2 + mo_2 Rx_2^2 + Jo_1   constant

Coefficients
  J_22  = Rx_2 mux_2              constant
  Jc_22 = J_22 cos(al_2 - al_1)   1 mul, 1 add, 1 trig
  Js_22 = J_22 sin(al_2 - al_1)   1 mul, 1 trig
  G_1   = -g mux_1 cos(al_1)      1 mul, 1 trig
  G_2   = -g mux_2 cos(al_2)      1 mul, 1 trig

Same as another
  m_2 = mo_2, m_d2 = mux_2, R_2 = Rx_2, m_d1 = mux_1, phi_1 = al_1, phi_2 = al_2, psi_2 = al_1

Zero by structure
  muy_2 = 0, dl_2 = 0, ep_2 = 0, muy_1 = 0, dl_1 = 0

Equations of motion
  1: J_1 al_1'' + Jc_22 al_2'' - Js_22 al_2'^2 - G_1 = M_1 - M_2
  2: Jc_22 al_1'' + J_2 al_2'' + Js_22 al_1'^2 - G_2 = M_2

Output H: mass matrix
  [ J_1    Jc_22 ]
  [ Jc_22  J_2 ]

Output rhs: right-hand side
  rhs_1 = M_1 - M_2 + Js_22 al_2'^2 + G_1
  rhs_2 = M_2 - Js_22 al_1'^2 + G_2

Operations as the mechanism moves: 8 mul, 6 add, 4 trig.
Once, among parameters alone: 12 mul, 4 add.
)";

TEST(ProgramText, DoublePendulumInRecurrentEquations) {
  EXPECT_EQ(programText(programOf(test::chainOf(2), WrittenForm::rud)), kDoublePendulum);
}

constexpr const char* kForkFromItsAnglesOn = R"(Angles
  al_2 = q_1 + q_2     1 add
  w_2  = q_1' + q_2'   1 add
  al_3 = q_1 + q_3     1 add
  w_3  = q_1' + q_3'   1 add

Coefficients
  J_22  = Rx_2 mux_2                            constant
  Jc_22 = J_22 cos(al_2 - q_1)                  1 mul, 1 add, 1 trig
  Js_22 = J_22 sin(al_2 - q_1)                  1 mul, 1 trig
  J_33  = Rx_3 mux_3                            constant
  Jc_33 = J_33 cos(al_3 - q_1)                  1 mul, 1 add, 1 trig
  Js_33 = J_33 sin(al_3 - q_1)                  1 mul, 1 trig
  H_31  = J_3 + Jc_33                           1 add
  H_21  = J_2 + Jc_22                           1 add
  H_11  = J_1 + J_2 + J_3 + 2 (Jc_22 + Jc_33)   3 add
  u_2   = w_2^2 - q_1'^2                        2 mul, 1 add
  u_3   = w_3^2 - q_1'^2                        1 mul, 1 add
  G_1   = -g mux_1 cos(q_1)                     1 mul, 1 trig
  G_2   = -g mux_2 cos(al_2)                    1 mul, 1 trig
  G_3   = -g mux_3 cos(al_3)                    1 mul, 1 trig
  Go_1  = G_1 + G_2 + G_3                       2 add

Same as another
  m_3 = mo_3, m_d3 = mux_3, R_3 = Rx_3, m_2 = mo_2, m_d2 = mux_2, R_2 = Rx_2, m_d1 = mux_1, phi_1 = q_1,
  phi_2 = al_2, psi_2 = q_1, phi_3 = al_3, psi_3 = q_1, A_31 = Jc_33, a_31 = Js_33, H_33 = J_3, h_31 = Js_33,
  A_21 = Jc_22, a_21 = Js_22, H_22 = J_2, h_21 = Js_22, Go_3 = G_3, Go_2 = G_2

Zero by structure
  H_32 = 0   links 2 and 3 carry nothing in common
  muy_3 = 0, dl_3 = 0, ep_3 = 0, muy_2 = 0, dl_2 = 0, ep_2 = 0, muy_1 = 0, dl_1 = 0

Equations of motion
  1: H_11 q_1'' + H_21 q_2'' + H_31 q_3'' - Js_22 u_2 - Js_33 u_3 - Go_1 = M_1
  2: H_21 q_1'' + J_2 q_2'' + Js_22 q_1'^2 - G_2 = M_2
  3: H_31 q_1'' + J_3 q_3'' + Js_33 q_1'^2 - G_3 = M_3

Output H: mass matrix
  [ H_11  H_21  H_31 ]
  [ H_21  J_2   . ]
  [ H_31  .     J_3 ]

Output rhs: right-hand side
  rhs_1 = M_1 + Js_22 u_2 + Js_33 u_3 + Go_1
  rhs_2 = M_2 - Js_22 q_1'^2 + G_2
  rhs_3 = M_3 - Js_33 q_1'^2 + G_3

Operations as the mechanism moves: 14 mul, 22 add, 7 trig.
Once, among parameters alone: 20 mul, 9 add.
)";

TEST(ProgramText, ForkInRelativeAngles) {
  const std::string text = programText(programOf(test::forkOfThree(), WrittenForm::statement6));
  EXPECT_EQ(text.substr(text.find("Angles\n")), kForkFromItsAnglesOn);
}

TEST(ProgramText, OneTorqueInEachEquationOfStatement3) {
  EXPECT_THAT(
      programText(programOf(test::forkOfThree(), WrittenForm::statement3)),
      ::testing::HasSubstr("  1: B_11 al_1'' + B_21 al_2'' + B_31 al_3'' + b_11 al_1'^2 - Js_22 al_2'^2 - Js_33 "
                           "al_3'^2 - Go_1 = M_1\n"));
}

// The matrices as the textbook has them.
TEST(ProgramText, SliderPendulumInAbsoluteCoordinates) {
  const std::string text = programText(programOf(test::sliderPendulumInLetters(), WrittenForm::absolute));
  EXPECT_THAT(text, ::testing::HasSubstr("  [ 1  .   .  -1  .   a cos(phi_2) ]\n"
                                         "  [ .  1   .  .   -1  a sin(phi_2) ]\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("  J2 = m2 a^2/3   constant\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("  Gamma_4 = -a cos(phi_2) phi_2'^2\n"));
}

TEST(ProgramText, IsTheSameEveryTime) {
  const Mechanism chain = test::chainOf(4, test::Lines::general);
  for (const WrittenForm form : allWrittenForms()) {
    const EquationTask task = EquationTask::forward;
    if (!whyNotForm(chain, form, task).empty()) continue;
    const EquationProgram first = programOf(chain, form, task), second = programOf(chain, form, task);
    EXPECT_EQ(programText(first), programText(second));
    EXPECT_EQ(programC(stepsOf(first)), programC(stepsOf(second)));
  }
}

TEST(ProgramText, LongIndicesAreSeparated) {
  const std::string text = programText(programOf(test::chainOf(11), WrittenForm::rud));
  EXPECT_THAT(text, ::testing::HasSubstr("Jc_11,1"));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("Jc_111")));
}

TEST(ProgramCode, RenamesParametersThatAreKeywords) {
  Mechanism m = test::sliderPendulumInLetters();
  for (Parameter& p : m.parameters) {
    if (p.name != "c") continue;
    p.name = "lambda";
    m.loads[0].damping.expr = Expr::symbol("lambda");
  }
  const ProgramSteps steps = stepsOf(programOf(m, WrittenForm::absolute, EquationTask::forward));
  EXPECT_THAT(programPython(steps), ::testing::HasSubstr("p[\"lambda_\"]"));
  EXPECT_THAT(programC(steps), ::testing::HasSubstr("double lambda_;"));
}

TEST(ProgramCode, WordsOfTheModelCannotEndAComment) {
  EquationProgram program = programOf(test::chainOf(2), WrittenForm::rud);
  program.name = "a */ b \"\"\" c";
  EXPECT_THAT(programC(stepsOf(program)), ::testing::Not(::testing::HasSubstr("a */ b")));
  EXPECT_THAT(programPython(stepsOf(program)), ::testing::Not(::testing::HasSubstr("b \"\"\"")));
}

TEST(EquationForms, SayWhatIsInTheWay) {
  EquationRequest request;
  request.form = WrittenForm::statement6;
  const WrittenEquations written = writeEquations(test::sliderPendulum(), request);
  EXPECT_FALSE(written.program);
  EXPECT_THAT(written.problem, ::testing::HasSubstr("is prismatic"));
  EXPECT_THAT(written.problem, ::testing::HasSubstr("What fits: recursive, hamiltonian, quasivelocity, absolute."));
}

// Two rods whose data the model gives by mass and length.
TEST(ProgramText, LinksOfHingesInTheLettersOfTheModel) {
  Mechanism rods = test::chainOf(2);
  for (std::size_t k = 0; k < 2; ++k) {
    const auto parameter = [&](const char* letter, double number) {
      const std::string name = fmt::format("{}{}", letter, k + 1);
      rods.parameters.push_back({name, Value(number), letter[0] == 'm' ? "kg" : "m", {}});
      return Value{number, Expr::symbol(name)};
    };
    const Value m = parameter("m", 1.5), l = parameter("l", 0.5);
    Body& rod = rods.bodies[k];
    rod.mass = m;
    rod.com[0] = {0.25, l.expr / 2.0};
    rod.inertia = {1.5 * 0.25 / 12.0, m.expr * l.expr * l.expr / 12.0};
    if (k == 0) rods.joints[1].on_first.point[0] = l;
  }
  EquationRequest request;
  request.letters = LinkLetters::model;
  const WrittenEquations written = writeEquations(rods, request);
  ASSERT_TRUE(written.program) << written.problem;
  const std::string text = programText(*written.program);
  EXPECT_THAT(text, ::testing::HasSubstr("  J_2   = m2 l2^2/3             constant\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("  J_1   = m1 l1^2/3 + l1^2 m2   constant\n"));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("mo_1")));
}

}  // namespace program_text_test
}  // namespace linkwork
