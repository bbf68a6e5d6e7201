// Options of a system check themselves.
#include "linkwork/formulation/make_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linkwork/base/contract.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace make_system_test {

TEST(SystemOptions, SayWhatIsWrongAndWhatToDo) {
  EXPECT_EQ(SystemOptions{}.problem(), "");
  SystemOptions options;
  options.penalty = -1.0;
  EXPECT_EQ(options.problem(),
            "the penalty must be positive, it is -1 kg; leave it out for a million times the mean mass of the bodies.");
  options = {};
  options.omega = -2.0;
  EXPECT_EQ(options.problem(),
            "omega and mu must not be negative (they are -2 1/s and 1); omega = 10 1/s with mu = 1 is a good start.");
  options = {};
  options.mu = std::numeric_limits<double>::infinity();
  EXPECT_NE(options.problem(), "");
  options = {};
  options.stabilisation = "partitionning";
  EXPECT_NE(options.problem().find("Did you mean \"partitioning\"?"), std::string::npos) << options.problem();
}

TEST(SystemOptions, EveryStabilisationHasASystem) {
  for (const std::string& name : stabilisationNames()) {
    SystemOptions options;
    options.stabilisation = name;
    EXPECT_EQ(options.problem(), "") << name;
  }
}

// Each formulation of the table makes systems, says what it has, and refuses the rest by name.
// infoOf() takes the enum as a place in the table, openingOf() the place of a word as the enum.
TEST(SystemOptions, WordsStandInTheOrderOfTheirEnums) {
  for (const StabilisationInfo& info : stabilisations()) {
    EXPECT_EQ(&infoOf(info.stabilisation), &info);
    EXPECT_EQ(findStabilisation(info.name), &info);
  }
  EXPECT_EQ(stabilisations().back().stabilisation, Stabilisation::index3);
  EXPECT_EQ(findStabilisation("nonesuch"), nullptr);
  EXPECT_EQ(openingOf("cut_joints"), LoopOpening::cut_joints);
  EXPECT_EQ(openingOf("split_bodies"), LoopOpening::split_bodies);
  EXPECT_THROW(openingOf("nonesuch"), ContractError);
}

TEST(Formulations, HaveTheStabilisationsTheyName) {
  Mechanism pendulum;
  test::addBody(pendulum, "rod", 1.0, 0.1);
  test::addJoint(pendulum, "O", JointKind::revolute, kGround, test::frameAt(0, 0), BodyIndex(0),
                 test::frameAt(-0.5, 0));
  ASSERT_EQ(formulations().front().name, "absolute");  // the default
  for (const FormulationInfo& info : formulations()) {
    EXPECT_EQ(findFormulation(info.name), &info);
    EXPECT_EQ(formulationProblem(info.name, pendulum), "") << info.name;
    for (const std::string& name : stabilisationNames()) {
      SystemOptions options;
      options.formulation = info.name;
      options.stabilisation = name;
      const bool has =
          std::find(info.stabilisations.begin(), info.stabilisations.end(), name) != info.stabilisations.end();
      EXPECT_EQ(stabilisationProblem(info.name, name).empty(), has) << info.name << ' ' << name;
      EXPECT_EQ(options.problem(), stabilisationProblem(info.name, name));
      if (has) {
        EXPECT_NE(makeSystem(pendulum, options), nullptr);
      } else {
        EXPECT_THROW(makeSystem(pendulum, options), ContractError);
      }
    }
  }
  EXPECT_EQ(findFormulation("absolut"), nullptr);
  SystemOptions options;
  options.formulation = "absolut";
  EXPECT_NE(options.problem().find("Did you mean \"absolute\"?"), std::string::npos) << options.problem();
}

// A system starts from what assembly found, and can say where it is in those terms.
TEST(Formulations, TakeStatesInAbsoluteCoordinatesAndGiveThemBack) {
  Mechanism pendulum;
  pendulum.gravity = {Value(0.0), Value(-9.81)};
  test::addBody(pendulum, "rod", 1.0, 0.1);
  test::addJoint(pendulum, "O", JointKind::revolute, kGround, test::frameAt(0, 0), BodyIndex(0),
                 test::frameAt(-0.5, 0));
  const double angle = 0.7;
  const double rate = -1.3;
  const std::vector<double> absolute{0.5 * std::cos(angle),
                                     0.5 * std::sin(angle),
                                     angle,
                                     -0.5 * std::sin(angle) * rate,
                                     0.5 * std::cos(angle) * rate,
                                     rate,
                                     2.5};
  for (const FormulationInfo& info : formulations()) {
    SystemOptions options;
    options.formulation = info.name;
    const auto system = makeSystem(pendulum, options);
    const std::vector<double> x = system->fromAbsolute(0.0, absolute);
    ASSERT_EQ(x.size(), static_cast<std::size_t>(system->space().size())) << info.name;
    const std::vector<double> back = system->toAbsolute(0.0, x, system->startModes());
    ASSERT_EQ(back.size(), absolute.size()) << info.name;
    for (std::size_t k = 0; k < back.size(); ++k) EXPECT_NEAR(back[k], absolute[k], 1e-15) << info.name << ' ' << k;
  }
}

// A formulation with a tree cuts the four-bar once; split bodies cut none of its joints.
TEST(Formulations, SayAtWhichJointsTheyOpenLoops) {
  for (const Mechanism& m : {test::fourBar(), liftToSpace(test::fourBar())}) {
    const auto count = [&](const char* formulation, const char* opening = "cut_joints") {
      SystemOptions options;
      options.opening = opening;
      return findFormulation(formulation)->cutJoints(m, options).size();
    };
    EXPECT_EQ(count("absolute"), 0U);
    EXPECT_EQ(count("recursive"), 1U);
    EXPECT_EQ(count("compliant"), 1U);
    EXPECT_EQ(count("linkage"), m.space == Space::planar ? 1U : 0U);
    EXPECT_EQ(count("hamiltonian"), 1U);
    EXPECT_EQ(count("hamiltonian", "split_bodies"), 0U);
  }
}

}  // namespace make_system_test
}  // namespace linkwork
