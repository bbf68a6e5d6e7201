#include "linkwork/codegen/explain.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/codegen/expr_writer.hpp"
#include "linkwork/codegen/slider_pendulum_for_tests.hpp"
#include "linkwork/model/n_four_bar_for_tests.hpp"

namespace linkwork {
namespace explain_test {

const ExplainedTable& tableOf(const Explanation& explanation, std::string_view title) {
  const ExplainedSection* section = explanation.find(title);
  if (section == nullptr || !section->table) throw std::runtime_error("no table in " + std::string(title));
  return *section->table;
}

std::vector<double> numbersOf(const ExplainedTable& table) {
  std::vector<double> out;
  for (const Expr& e : table.entries) out.push_back(e.number());
  return out;
}

void expectNear(const std::vector<double>& seen, const std::vector<double>& wanted, double tolerance) {
  ASSERT_EQ(seen.size(), wanted.size());
  for (std::size_t k = 0; k < seen.size(); ++k) EXPECT_NEAR(seen[k], wanted[k], tolerance) << "entry " << k;
}

std::vector<std::string> textsOf(const ExplainedTable& table) {
  std::vector<std::string> out;
  for (const Expr& e : table.entries) out.push_back(toText(e));
  return out;
}

constexpr const char* kGamma = "Right side of the acceleration equation, Gamma";

class SliderPendulum : public ::testing::Test {
 protected:
  SliderPendulum() : mechanism_(test::sliderPendulumInLetters()), assembly_(assemble(mechanism_)) {}

  Explanation atStart() const { return explainState(mechanism_, 0.0, assembly_.state(), assembly_); }

  // The moving state of the textbook's examples 3.3 to 3.5.
  Explanation inMotion() const {
    const double r = std::sqrt(0.5);
    const double root2 = std::numbers::sqrt2;
    const std::vector<double> x = {0, 0, 0, r, -r, std::numbers::pi / 4, -1 - root2, 0, 0, -1, root2, 2};
    return explainState(mechanism_, 0.0, x);
  }

  Mechanism mechanism_;
  Assembly assembly_;
};

// Closed form: accelerations and multipliers are fractions of 11. The tolerance is some roundings of numbers up to 70.
TEST_F(SliderPendulum, TheSolutionAtTheStartIsTheClosedForm) {
  ASSERT_TRUE(assembly_.ok) << assembly_.problem;
  const Explanation e = atStart();
  ASSERT_TRUE(e.problem.empty()) << e.problem;
  expectNear(numbersOf(tableOf(e, "Accelerations ddq")),
             {18.0 / 11, 0, 0, -30.0 / 11, -48.0 / 11, -48 * std::numbers::sqrt2 / 11}, 1e-13);
  expectNear(numbersOf(tableOf(e, "Multipliers lambda")), {0, -736.0 / 11, 90.0 / 11, -186.0 / 11}, 1e-12);
}

TEST_F(SliderPendulum, TheSystemHoldsWithItsSolution) {
  const Explanation e = inMotion();
  const ExplainedTable& system = tableOf(e, "System of equations of motion");
  const std::vector<double> a = numbersOf(tableOf(e, "Accelerations ddq"));
  const std::vector<double> lambda = numbersOf(tableOf(e, "Multipliers lambda"));
  ASSERT_EQ(system.rows(), 10u);
  ASSERT_EQ(system.cols(), 11u);
  for (std::size_t r = 0; r < system.rows(); ++r) {
    double sum = -system.at(r, 10).number();
    for (std::size_t c = 0; c < 10; ++c) sum += system.at(r, c).number() * (c < 6 ? a[c] : -lambda[c - 6]);
    EXPECT_NEAR(sum, 0.0, 1e-12) << system.row_names[r];
  }
}

// The tables printed in the textbook, with more digits than it gives.
TEST_F(SliderPendulum, TheMovingStateGivesTheTextbooksNumbers) {
  const Explanation e = inMotion();
  const double r = std::sqrt(0.5);
  expectNear(numbersOf(tableOf(e, "Constraints Phi")), {0, 0, 0, 0}, 1e-15);
  expectNear(numbersOf(tableOf(e, "Jacobian matrix Phi_q")),
             {0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, -1, 0, r, 0, 1, 0, 0, -1, r}, 1e-15);
  expectNear(numbersOf(tableOf(e, kGamma)), {0, 0, 4 * r, -4 * r}, 1e-14);
  expectNear(numbersOf(tableOf(e, "Generalised forces Q")), {0, -50, 0, -8.4559704816, -31.3545502465, -6.9370857338},
             1e-10);
  expectNear(numbersOf(tableOf(e, "Accelerations ddq")),
             {2.7108656638, 0, 0, -7.3367662669, -4.3907776812, -10.2094973461}, 1e-10);
  expectNear(numbersOf(tableOf(e, "Multipliers lambda")), {0, -68.1822172029, 13.5543283191, -18.1822172029}, 1e-10);
  // Rows: P on slider, O on slider, O on pendulum; the last one's moment is (W R s)^T of the force with arm a.
  expectNear(numbersOf(tableOf(e, "Generalised reactions W")),
             {0, 68.1822172029, 0, 13.5543283191, -18.1822172029, 0, -13.5543283191, 18.1822172029,
              (13.5543283191 - 18.1822172029) * r},
             1e-9);
}

TEST_F(SliderPendulum, WhatAJointDoesToItsTwoBodiesIsOpposite) {
  const ExplainedTable joints = tableOf(inMotion(), "Reactions at the joints");
  EXPECT_EQ(joints.row_names, (std::vector<std::string>{"P on slider", "P on ground", "O on slider", "O on pendulum"}));
  for (std::size_t pair = 0; pair < 2; ++pair) {
    for (std::size_t c = 0; c < 2; ++c)
      EXPECT_EQ(joints.at(2 * pair, c).number(), -joints.at(2 * pair + 1, c).number());
  }
  EXPECT_EQ(joints.at(3, 2).number(), 0.0);  // a pin carries no moment
}

TEST_F(SliderPendulum, LettersGiveTheTextbooksMatrices) {
  const Explanation e = explainSymbols(mechanism_);
  EXPECT_EQ(textsOf(tableOf(e, "Constraints Phi")),
            (std::vector<std::string>{"phi1", "-y1", "x1 - x2 + a*sin(phi2)", "y1 - y2 - a*cos(phi2)"}));
  const ExplainedTable& jacobian = tableOf(e, "Jacobian matrix Phi_q");
  EXPECT_EQ(jacobian.row_names, (std::vector<std::string>{"P.angle", "P.normal", "O.x", "O.y"}));
  EXPECT_EQ(jacobian.col_names, (std::vector<std::string>{"x1", "y1", "phi1", "x2", "y2", "phi2"}));
  EXPECT_EQ(textsOf(jacobian), (std::vector<std::string>{"0", "0",  "1", "0",  "0",  "0",            //
                                                         "0", "-1", "0", "0",  "0",  "0",            //
                                                         "1", "0",  "0", "-1", "0",  "a*cos(phi2)",  //
                                                         "0", "1",  "0", "0",  "-1", "a*sin(phi2)"}));
  EXPECT_EQ(textsOf(tableOf(e, kGamma)),
            (std::vector<std::string>{"0", "0", "a*dphi2^2*sin(phi2)", "-a*dphi2^2*cos(phi2)"}));
  const ExplainedTable& mass = tableOf(e, "Mass matrix M");
  EXPECT_EQ(toText(mass.at(0, 0)), "m1");
  EXPECT_EQ(toText(mass.at(5, 5)), "J2");
  EXPECT_EQ(toText(mass.at(5, 4)), "0");
  EXPECT_EQ(e.find("Accelerations ddq"), nullptr);
}

TEST_F(SliderPendulum, TheDamperIsWrittenByItsTension) {
  const Explanation e = explainSymbols(mechanism_);
  EXPECT_EQ(textsOf(tableOf(e, "Generalised forces Q")),
            (std::vector<std::string>{"0", "-g*m1", "0", "damper.F*damper.u_x", "damper.F*damper.u_y - g*m2",
                                      "a*damper.F*damper.u_x*cos(phi2) + a*damper.F*damper.u_y*sin(phi2)"}));
  std::vector<std::string> definitions;
  for (const ExplainedName& name : e.find("Abbreviations")->names)
    definitions.push_back(name.name + " = " + toText(*name.formula));
  EXPECT_EQ(definitions, (std::vector<std::string>{
                             "damper.d_x = 4*a - x2 - a*sin(phi2)", "damper.d_y = a*cos(phi2) - a - y2",
                             "damper.L = sqrt(damper.d_x^2 + damper.d_y^2)", "damper.u_x = damper.d_x/damper.L",
                             "damper.u_y = damper.d_y/damper.L",
                             "damper.dL = -damper.u_x*(dx2 + a*dphi2*cos(phi2)) - damper.u_y*(dy2 + a*dphi2*sin(phi2))",
                             "damper.F = c*damper.dL"}));
}

// Puts numbers in for the letters, definitions in their order.
std::map<std::string, double> valuesAt(const Mechanism& mechanism, const Explanation& letters,
                                       const std::vector<double>& x) {
  std::map<std::string, double> values = {{"t", 0.0}};
  for (const Parameter& parameter : mechanism.parameters) values[parameter.name] = parameter.value.number;
  const std::size_t n = 3 * mechanism.bodies.size();
  const ExplainedTable& jacobian = tableOf(letters, "Jacobian matrix Phi_q");
  for (std::size_t k = 0; k < n; ++k) {
    values[jacobian.col_names[k]] = x[k];
    values["d" + jacobian.col_names[k]] = x[n + k];
  }
  for (const ExplainedName& name : letters.find("Abbreviations")->names)
    values[name.name] = evaluate(*name.formula, values);
  return values;
}

TEST_F(SliderPendulum, LettersAndNumbersAgreeOffTheConstraints) {
  // A distance joint and a load of the same name, so that every kind of abbreviation is met.
  Joint rod;
  rod.name = "damper";
  rod.kind = JointKind::distance;
  rod.first = BodyIndex(1);
  rod.on_first.point = {Value(0.1), Value(-0.2)};
  rod.on_second.point = {Value(2.0), Value(0.3)};
  rod.length = 1.5;
  mechanism_.joints.push_back(rod);
  const std::vector<double> x = {0.3, -0.2, 0.4, 0.9, -0.5, 1.1, 0.7, -0.3, 0.2, 1.3, 0.8, -1.7};
  const Explanation letters = explainSymbols(mechanism_);
  const Explanation numbers = explainState(mechanism_, 0.0, x);
  const std::map<std::string, double> values = valuesAt(mechanism_, letters, x);
  for (const char* title :
       {"Constraints Phi", "Jacobian matrix Phi_q", kGamma, "Mass matrix M", "Generalised forces Q"}) {
    const ExplainedTable& table = tableOf(letters, title);
    std::vector<double> seen;
    for (const Expr& e : table.entries) seen.push_back(evaluate(e, values));
    SCOPED_TRACE(title);
    expectNear(seen, numbersOf(tableOf(numbers, title)), 1e-13);  // some roundings of numbers up to 50
  }
}

TEST_F(SliderPendulum, ADistanceJointIsWrittenByItsDirection) {
  Joint rod;
  rod.name = "rod";
  rod.kind = JointKind::distance;
  rod.first = BodyIndex(1);
  rod.length = Value(1.5, Expr::symbol("a") * 1.5);
  mechanism_.joints.push_back(rod);
  const Explanation e = explainSymbols(mechanism_);
  EXPECT_EQ(toText(tableOf(e, "Constraints Phi").entries[4]), "rod.L - 1.5*a");
  EXPECT_EQ(toText(tableOf(e, "Jacobian matrix Phi_q").at(4, 3)), "-rod.u_x");
}

// Its points away from the centres of mass, so that the turning arms stand in d and in its rate.
TEST_F(SliderPendulum, ADistanceJointOnArmsIsWrittenByItsDirectionAndRate) {
  Joint rod;
  rod.name = "rod";
  rod.kind = JointKind::distance;
  rod.first = BodyIndex(0);
  rod.second = BodyIndex(1);
  rod.on_first.point = {Value(0.2), Value(0.3)};
  rod.on_second.point = {Value(0), Value(1.0, Expr::symbol("a"))};
  mechanism_.joints.push_back(rod);
  const Explanation e = explainSymbols(mechanism_);
  EXPECT_EQ(toText(tableOf(e, "Constraints Phi").entries[4]), "rod.L");
  EXPECT_EQ(toText(tableOf(e, "Jacobian matrix Phi_q").at(4, 3)), "rod.u_x");
  const std::string gamma = textsOf(tableOf(e, kGamma))[4];
  for (const char* part : {"rod.u_x", "rod.L", "rod.dd_x", "rod.dd_y"})
    EXPECT_NE(gamma.find(part), std::string::npos) << part << " in " << gamma;
}

TEST_F(SliderPendulum, AParameterNamedLikeACoordinateMovesTheCoordinatesToTheirBodies) {
  mechanism_.parameters.push_back({"dx2", Value(1.0), "", {}});
  const Explanation e = explainSymbols(mechanism_);
  EXPECT_EQ(textsOf(tableOf(e, "Constraints Phi"))[2], "slider.x - pendulum.x + a*sin(pendulum.phi)");
  EXPECT_EQ(textsOf(tableOf(e, kGamma))[2], "a*pendulum.dphi^2*sin(pendulum.phi)");
}

TEST_F(SliderPendulum, ATiltedGuideKeepsItsLetter) {
  const Value tilt(0.3, Expr::symbol("tilt"));
  mechanism_.parameters.push_back({"tilt", Value(0.3), "rad", {}});
  mechanism_.joints[0].on_second.angle = tilt;
  const ExplainedTable phi = tableOf(explainSymbols(mechanism_), "Constraints Phi");
  EXPECT_EQ(toText(phi.entries[0]), "phi1 - tilt");
  EXPECT_EQ(toText(phi.entries[1]), "x1*sin(tilt) - y1*cos(tilt)");
}

TEST_F(SliderPendulum, ADriveStandsInItsRowAndOnTheRightSides) {
  Drive drive;
  drive.name = "push";
  drive.kind = DriveKind::coordinate;
  drive.second = BodyIndex(0);
  drive.motion = Expr::symbol("a") * sin(Expr(2.0) * Expr::symbol("t"));
  mechanism_.drives.push_back(drive);
  const Explanation e = explainSymbols(mechanism_);
  EXPECT_EQ(toText(tableOf(e, "Constraints Phi").entries[4]), "x1 - a*sin(2*t)");
  EXPECT_EQ(toText(tableOf(e, "Right side of the velocity equation, -Phi_t").entries[4]), "2*a*cos(2*t)");
  EXPECT_EQ(toText(tableOf(e, kGamma).entries[4]), "-4*a*sin(2*t)");
}

TEST_F(SliderPendulum, AStateWithoutSolutionIsAProblemInWords) {
  mechanism_.bodies[1].inertia = 0.0;
  mechanism_.bodies[1].mass = 0.0;
  const Explanation e = explainState(mechanism_, 0.0, assembly_.state());
  EXPECT_NE(e.problem.find("pendulum"), std::string::npos) << e.problem;
  EXPECT_TRUE(e.sections.empty());
}

TEST(Explain, RedundantRowsAreNamedAndTheirReactionsMarked) {
  Mechanism m = test::buildNFourBar(1);
  m.joints.push_back(m.joints.back());
  m.joints.back().name = "twin";
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  const Explanation e = explainState(m, 0.0, assembly.state(), assembly);
  ASSERT_TRUE(e.problem.empty()) << e.problem;
  EXPECT_NE(e.find("How well the constraints hold")->words.find("8 of 10 rows"), std::string::npos);
  EXPECT_NE(e.find("Reactions at the joints")->words.find("twin"), std::string::npos);
}

// Rows that repeat others but for rounded lengths are left out here as they are in a run.
TEST(Explain, RoundedLengthsOfRedundantJointsAreNoContradiction) {
  Mechanism m = test::parallelogram(3);
  test::drawAt(m, test::parallelogramStart(3));
  m.joints[1].on_second.point[0] = Value(m.joints[1].on_second.point[0].number + 1e-6);
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  ASSERT_GT(assembly.misfit, 0.0);
  const Explanation e = explainState(m, 0.0, assembly.state(), assembly);
  ASSERT_TRUE(e.problem.empty()) << e.problem;
  EXPECT_NE(e.find("How well the constraints hold")->words.find("11 of 12 rows"), std::string::npos);
}

TEST(Explain, AFreeBodyHasNoConstraintsButEquations) {
  Mechanism m;
  m.name = "stone";
  m.gravity = {Value(0), Value(-9.81)};
  m.bodies.push_back({"stone", Value(2.0), {}, Value(0.1), {}, {}, {}, {}, {}});
  const Explanation e = explainState(m, 0.0, std::vector<double>{0, 0, 0, 1, 2, 3});
  ASSERT_TRUE(e.problem.empty()) << e.problem;
  expectNear(numbersOf(tableOf(e, "Accelerations ddq")), {0, -9.81, 0}, 1e-14);
  EXPECT_FALSE(e.find("Constraints Phi")->table);
}

}  // namespace explain_test
}  // namespace linkwork
